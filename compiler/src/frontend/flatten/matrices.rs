//! Matrices from rows and columns: concatenation, further dimensions.

use super::types::to_real;
use super::{Checked, Flattener, Scope};
use crate::frontend::flat::construct::integer_literal;
use crate::frontend::flat::dims_text;
use crate::frontend::flat::{Builtin, Expr, ExprKind, Scalar, Type};
use partita_grammar::ast::{self};
use partita_grammar::{Diagnostic, Span};

impl<'a> Flattener<'a> {
    /// `[a, b; c, d]`: nested arrays if all parts are scalars, else concatenations.
    pub(super) fn matrix(&mut self, rows: &'a [Vec<ast::Expr>], span: Span, scope: &mut Scope<'a>) -> Checked<Expr> {
        let mut typed_rows = Vec::with_capacity(rows.len());
        for row in rows {
            let typed: Vec<Checked<Expr>> = row.iter().map(|e| self.expr(e, scope, None)).collect();
            typed_rows.push(typed.into_iter().collect::<Checked<Vec<Expr>>>()?);
        }
        let all_scalar = typed_rows.iter().flatten().all(|e| e.ty.is_scalar());
        if all_scalar {
            let rows = typed_rows.into_iter().map(|row| self.array_of(row, span)).collect::<Checked<Vec<_>>>()?;
            return self.array_of(rows, span);
        }
        let n_dims = typed_rows.iter().flatten().map(|e| e.ty.dims.len()).max().unwrap_or(0).max(2);
        let mut joined = Vec::with_capacity(typed_rows.len());
        for row in typed_rows {
            let row = row.into_iter().map(|e| self.promote(e, n_dims)).collect();
            joined.push(self.concatenate(1, row, span)?);
        }
        self.concatenate(0, joined, span)
    }

    /// The expression with dimensions of size 1 appended.
    pub(super) fn promote(&mut self, e: Expr, n_dims: usize) -> Expr {
        if e.ty.dims.len() >= n_dims {
            return e;
        }
        let span = e.span;
        let mut dims = e.ty.dims.clone();
        dims.resize(n_dims, Some(1));
        let ty = Type { scalar: e.ty.scalar, dims };
        let n = integer_literal(n_dims as i64, span);
        Expr { kind: ExprKind::Builtin(Builtin::Promote, vec![e, n]), ty, span }
    }

    /// `cat(axis + 1, ...)`.
    pub(super) fn concatenate(&mut self, axis: usize, parts: Vec<Expr>, span: Span) -> Checked<Expr> {
        let Some(first) = parts.first() else {
            return Err(self.error(Diagnostic::error("F013", "nothing to concatenate").at(span, "")));
        };
        let mut dims = first.ty.dims.clone();
        if axis >= dims.len() {
            return Err(
                self.error(Diagnostic::error("F012", format!("the arrays to concatenate have no dimension {}", axis + 1)).at(span, ""))
            );
        }
        let mut scalar = first.ty.scalar;
        let first_span = first.span;
        for part in &parts[1..] {
            let agree = part.ty.dims.len() == dims.len()
                && part.ty.dims.iter().zip(&dims).enumerate().all(|(i, (a, b))| i == axis || a.is_none() || b.is_none() || a == b);
            if !agree {
                let (a, b) = (dims_text(&dims), dims_text(&part.ty.dims));
                return Err(self.error(
                    Diagnostic::error("F012", "the sizes in a concatenation do not agree")
                        .at(part.span, format!("has size {b}"))
                        .at(first_span, format!("has size {a}")),
                ));
            }
            for (i, (size, other)) in dims.iter_mut().zip(&part.ty.dims).enumerate() {
                *size = if i == axis { size.zip(*other).map(|(a, b)| a + b) } else { size.or(*other) };
            }
            match self.joined_scalar(scalar, part.ty.scalar) {
                Ok(joined) => scalar = joined,
                Err([a, b]) => {
                    return Err(self.error(
                        Diagnostic::error("F011", format!("{a} and {b} cannot be concatenated"))
                            .at(part.span, format!("is {b}"))
                            .at(first_span, format!("is {a}")),
                    ));
                }
            }
        }
        if parts.len() == 1 {
            return Ok(parts.into_iter().next().unwrap_or_else(|| integer_literal(0, span)));
        }
        let mut arguments = vec![integer_literal(axis as i64 + 1, span)];
        arguments.extend(parts.into_iter().map(|p| if scalar == Scalar::Real { to_real(p) } else { p }));
        Ok(Expr { kind: ExprKind::Builtin(Builtin::Cat, arguments), ty: Type { scalar, dims }, span })
    }
}
