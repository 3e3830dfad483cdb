//! Reductions: `sum`, `product`, `min` and `max` of an array, or of what an expression gives for every value of loop variables.
//!
//! Input: the argument as an array. Output: one value; of arrays that an expression gives, the sum or product element by element.

use super::{Checked, Flattener, Scope};
use crate::frontend::flat::construct::{integer_literal, size_of};
use crate::frontend::flat::{Builtin, Expr, ExprKind, Local, LocalId, Scalar, Subscript, Type};
use partita_grammar::ast::CallArguments;
use partita_grammar::{Diagnostic, Span};

impl<'a> Flattener<'a> {
    /// `sum(a)`, `min(a)`, ... of an array.
    pub(super) fn reduce(&mut self, builtin: Builtin, value: Expr, span: Span, name: &str) -> Checked<Expr> {
        if value.ty.is_scalar() {
            if matches!(builtin, Builtin::Sum | Builtin::Product) {
                return Ok(value);
            }
            return Err(self.error(Diagnostic::error("F013", format!("`{name}` of one scalar")).at(span, "needs two scalars or an array")));
        }
        let builtin = match builtin {
            Builtin::Min => Builtin::MinArray,
            Builtin::Max => Builtin::MaxArray,
            other => other,
        };
        let ty = Type::scalar(value.ty.scalar);
        Ok(Expr { kind: ExprKind::Builtin(builtin, vec![value]), ty, span })
    }

    /// `sum(e for i in r)`.
    pub(super) fn reduction_call(
        &mut self,
        builtin: Builtin,
        name: &str,
        arguments: &'a CallArguments,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Checked<Expr> {
        let Some(body) = arguments.positional.first() else {
            return Err(self.error(Diagnostic::error("F013", format!("`{name}` has nothing to run over")).at(span, "")));
        };
        match builtin {
            Builtin::Array => self.comprehension(body, &arguments.iterators, span, scope),
            Builtin::Sum | Builtin::Product | Builtin::Min | Builtin::Max => {
                let array = self.comprehension(body, &arguments.iterators, span, scope)?;
                if matches!(builtin, Builtin::Sum | Builtin::Product) {
                    self.numbers(name, std::slice::from_ref(&array))?;
                    let n_loops = arguments.iterators.len();
                    if array.ty.dims.len() > n_loops {
                        return Ok(reduced_by_element(builtin, array, n_loops, span, scope));
                    }
                }
                self.reduce(builtin, array, span, name)
            }
            _ => {
                Err(self.error(Diagnostic::error("F013", format!("`{name}` is no reduction; it cannot be called with `for`")).at(span, "")))
            }
        }
    }
}

/// `sum(v for i in r)` of arrays: an array of sums.
fn reduced_by_element(builtin: Builtin, array: Expr, n_loops: usize, span: Span, scope: &mut Scope) -> Expr {
    let integer = Type::scalar(Scalar::Integer);
    let dims = array.ty.dims[n_loops..].to_vec();
    let mut iterators = Vec::with_capacity(dims.len());
    for (axis, size) in dims.iter().enumerate() {
        let stop = match size {
            Some(n) => integer_literal(*n as i64, span),
            None => size_of(array.clone(), n_loops + axis, span),
        };
        let name = format!("$i{}", axis + 1);
        let local = Local { name, ty: integer.clone(), dim_exprs: Vec::new(), binding: None, span };
        let range = ExprKind::Range(Box::new(integer_literal(1, span)), None, Box::new(stop));
        let ty = Type { scalar: Scalar::Integer, dims: vec![*size] };
        iterators.push((scope.locals.push(local), Expr { kind: range, ty, span }));
    }
    let place = |local: &LocalId| Subscript::Index(Expr { kind: ExprKind::Local(*local), ty: integer.clone(), span });
    let subscripts = (0..n_loops).map(|_| Subscript::All).chain(iterators.iter().map(|(local, _)| place(local))).collect();
    let scalar = array.ty.scalar;
    let ty = Type { scalar, dims: array.ty.dims[..n_loops].to_vec() };
    let chosen = Expr { kind: ExprKind::Index(Box::new(array), subscripts), ty, span };
    let sum = Expr { kind: ExprKind::Builtin(builtin, vec![chosen]), ty: Type::scalar(scalar), span };
    Expr { kind: ExprKind::Comprehension(Box::new(sum), iterators), ty: Type { scalar, dims }, span }
}
