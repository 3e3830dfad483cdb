//! Types expressions: every syntax node becomes a typed expression of the flat model.
//!
//! Input: a syntax expression, the scope it stands in, and the type the surroundings expect, if they do (it decides
//! only what cannot be known otherwise: enumeration literals of unprinted types, records assembled from fields, `{}`).
//! Output: a typed expression; Integers are converted to Real where Real is needed.
//!
//! Guarantee: recursion depth is the nesting depth of the text, which the parser bounds; long sums become one `Sum`.

use super::eval::{Evaluated, Evaluator, Stop, literal};
use super::types::{merged_dims, shapes_agree, to_real};
use super::{Bound, Checked, Flattener, Scope};
use crate::base::budget;
use crate::frontend::flat::construct::indexed;
use crate::frontend::flat::construct::integer_literal;
use crate::frontend::flat::construct::size_of;
use crate::frontend::flat::dims_text;
use crate::frontend::flat::{Builtin, Expr, ExprKind, Local, LocalId, Scalar, Subscript, Type, Value, Variability, Variable};
use partita_grammar::ast::{self, ExprKind as Syntax};
use partita_grammar::{Diagnostic, Span};

impl<'a> Flattener<'a> {
    /// Types an expression.
    pub(super) fn expr(&mut self, e: &'a ast::Expr, scope: &mut Scope<'a>, expected: Option<&Type>) -> Checked<Expr> {
        let span = e.span;
        budget::spend(3);
        let scalar = |value: Value, scalar: Scalar| Expr { kind: ExprKind::Literal(value), ty: Type::scalar(scalar), span };
        match &e.kind {
            Syntax::Integer(i) => Ok(integer_literal(*i, span)),
            Syntax::Real(x) => Ok(scalar(Value::Real(*x), Scalar::Real)),
            Syntax::String(s) => Ok(scalar(Value::String(s.clone()), Scalar::String)),
            Syntax::Boolean(b) => Ok(scalar(Value::Boolean(*b), Scalar::Boolean)),
            Syntax::End => match scope.ends.last() {
                Some((array, axis)) => {
                    let (array, axis) = (array.clone(), *axis);
                    Ok(size_of(array, axis, span))
                }
                None => Err(self.error(Diagnostic::error("F025", "`end` stands outside of a subscript").at(span, ""))),
            },
            Syntax::Break => {
                Err(self.error(Diagnostic::error("F025", "`break` is no value").at(span, "it only removes a binding in a modification")))
            }
            Syntax::Ref(reference) => self.reference(reference, scope, expected),
            Syntax::Call { function, arguments } => self.call(function, arguments, span, scope, expected),
            Syntax::Unary(op, a) => {
                let a = self.expr(a, scope, expected)?;
                self.unary(*op, a, span)
            }
            Syntax::Binary(op, a, b) => {
                let a = self.expr(a, scope, None)?;
                let b = self.expr(b, scope, Some(&a.ty))?;
                self.binary(*op, a, b, span)
            }
            Syntax::Chain(first, rest) => self.chain(first, rest, span, scope, expected),
            Syntax::If { branches, otherwise } => self.if_expr(branches, otherwise, span, scope, expected),
            Syntax::Range { start, step, stop } => {
                let start = self.expr(start, scope, None)?;
                let step = step.as_ref().map(|s| self.expr(s, scope, None)).transpose()?;
                let stop = self.expr(stop, scope, Some(&start.ty))?;
                self.range(start, step, stop, span)
            }
            Syntax::Array(elements) => self.array(elements, span, scope, expected),
            Syntax::Comprehension(body, iterators) => self.comprehension(body, iterators, span, scope),
            Syntax::Matrix(rows) => self.matrix(rows, span, scope),
            Syntax::Tuple(parts) => match parts.as_slice() {
                [Some(one)] => self.expr(one, scope, expected),
                _ => Err(self.error(
                    Diagnostic::error("F029", "an output list stands where one value is needed")
                        .at(span, "")
                        .with_hint("`(a, b) = f(x)` is the only place for a list of outputs"),
                )),
            },
            Syntax::Parenthesised(inner) => self.expr(inner, scope, expected),
            Syntax::Subscripted(base, subscripts) => {
                let is_call = matches!(base.kind, Syntax::Call { .. });
                let base = self.expr(base, scope, None)?;
                if let (true, Some(chosen)) = (is_call, self.chosen_output(&base, subscripts)) {
                    return chosen;
                }
                self.index(base, subscripts, span, scope)
            }
            Syntax::Field(base, field) => {
                let base = self.expr(base, scope, None)?;
                self.field(base, field.unquoted(), field.span)
            }
        }
    }

    /// `f(x)[1]` of a function with several outputs: omc's flat form chooses an output so. (Base Modelica chooses an
    /// element of the first output: `(f(x))[1]`.)
    fn chosen_output(&mut self, call: &Expr, subscripts: &[ast::Subscript]) -> Option<Checked<Expr>> {
        let ExprKind::Call(function, _) = &call.kind else { return None };
        if self.dialect != ast::Dialect::OmcFlat || self.model.functions[*function].outputs.len() < 2 {
            return None;
        }
        let [ast::Subscript::Index(ast::Expr { kind: Syntax::Integer(i), span })] = subscripts else { return None };
        if *i == 1 {
            return Some(Ok(call.clone()));
        }
        let name = self.model.functions[*function].name.clone();
        Some(Err(self.error(
            Diagnostic::error("F010", format!("output {i} of `{name}` is used inside an expression"))
                .at(*span, "only the first output can be")
                .with_hint("take the outputs apart first: `(a, b) = f(x)`"),
        )))
    }

    /// The value of an expression, `None` if it is not known at compile time. It becomes part of the equations: what it was made of
    /// cannot be changed without compiling again.
    pub(super) fn try_eval(&mut self, expr: &Expr) -> Checked<Option<Value>> {
        match self.evaluate(expr, true) {
            Ok(value) => Ok(Some(value)),
            Err(Stop::Unknown) => Ok(None),
            Err(Stop::Failed(diagnostic)) => Err(self.error(*diagnostic)),
        }
    }

    /// The value of a binding, which can still be changed: it is computed again before a run. What needs a file that is missing here may
    /// be found where the run is made; if not, the run says so.
    pub(super) fn default_value(&mut self, expr: &Expr) -> Checked<Option<Value>> {
        match self.evaluate(expr, false) {
            Ok(value) => Ok(Some(value)),
            Err(Stop::Unknown) => Ok(None),
            Err(Stop::Failed(diagnostic)) if self.is_left_to_run => {
                self.unread.push(*diagnostic);
                Ok(None)
            }
            Err(Stop::Failed(diagnostic)) => Err(self.error(*diagnostic)),
        }
    }

    /// Like `try_eval`, but an evaluation that fails is only unknown: what is asked for may never be used.
    pub(super) fn eval_if_possible(&mut self, expr: &Expr) -> Option<Value> {
        self.evaluate(expr, true).ok()
    }

    fn evaluate(&mut self, expr: &Expr, decides: bool) -> Evaluated {
        if let ExprKind::Literal(value) = &expr.kind {
            return Ok(value.clone());
        }
        self.translate_pending_functions();
        let mut evaluator = Evaluator::new(&self.model, &self.complete, &self.files);
        let value = evaluator.value(expr);
        self.is_compile_time = evaluator.is_compile_time();
        self.is_left_to_run = evaluator.is_left_to_run();
        if value.is_ok() && decides {
            let read = evaluator.read();
            read.into_iter().filter(|var| self.model.vars[*var].variability == Variability::Parameter).for_each(|var| {
                self.evaluated.entry(var).or_insert(expr.span);
            });
        }
        if let Err(Stop::Failed(message)) = &value
            && matches!(message.code, "F040" | "F041")
        {
            self.limit_met = Some(message.as_ref().clone());
        }
        value
    }

    /// Leaves with the parameters where their values went into the equations.
    pub(super) fn finish_evaluated(&mut self) {
        #[expect(clippy::iter_over_hash_type, reason = "each variable is written once, in whatever order")]
        for (var, span) in std::mem::take(&mut self.evaluated) {
            self.model.vars[var].evaluated = Some(span);
        }
    }

    fn if_expr(
        &mut self,
        branches: &'a [(ast::Expr, ast::Expr)],
        otherwise: &'a ast::Expr,
        span: Span,
        scope: &mut Scope<'a>,
        expected: Option<&Type>,
    ) -> Checked<Expr> {
        let mut typed = Vec::with_capacity(branches.len());
        let mut expected = expected.cloned();
        let mut otherwise = otherwise;
        for (condition, value) in branches {
            let condition = self.condition(condition, scope);
            // A branch that is never taken need not fit: `if size(x, 1) == 2 then f(x) else g(x)`.
            if let Some(known) = condition.as_ref().ok().filter(|c| self.is_structural(c)) {
                match self.eval_if_possible(known) {
                    Some(Value::Boolean(true)) => {
                        otherwise = value;
                        break;
                    }
                    Some(Value::Boolean(false)) => continue,
                    _ => {}
                }
            }
            let n_errors = self.diagnostics.len();
            let value = self.expr(value, scope, expected.as_ref());
            // Nor need it mean anything: `if n > 0 then x[n] else 0`.
            if let (Err(_), Ok(condition)) = (&value, &condition)
                && self.decided_by_structure(condition) == Some(false)
            {
                self.diagnostics.truncate(n_errors);
                continue;
            }
            if expected.is_none() {
                expected = value.as_ref().ok().map(|v| v.ty.clone());
            }
            typed.push((condition, value));
        }
        let n_errors = self.diagnostics.len();
        let last = self.expr(otherwise, scope, expected.as_ref());
        if last.is_err()
            && let Some(at) =
                typed.iter().position(|(condition, _)| condition.as_ref().is_ok_and(|c| self.decided_by_structure(c) == Some(true)))
        {
            self.diagnostics.truncate(n_errors);
            typed.truncate(at + 1);
            let Some((_, chosen)) = typed.pop() else { return last };
            return self.alternatives(typed, chosen?, span);
        }
        self.alternatives(typed, last?, span)
    }

    /// `if` with these branches and this value where none of them is taken.
    fn alternatives(&mut self, typed: Vec<(Checked<Expr>, Checked<Expr>)>, otherwise: Expr, span: Span) -> Checked<Expr> {
        let mut result = otherwise;
        for (condition, value) in typed.into_iter().rev() {
            let (condition, value) = (condition?, value?);
            if !shapes_agree(&value.ty.dims, &result.ty.dims) {
                // Branches of different sizes are allowed when the choice is known at compile time.
                match self.try_eval(&condition)? {
                    Some(Value::Boolean(true)) => {
                        result = value;
                        continue;
                    }
                    Some(Value::Boolean(false)) => continue,
                    _ => {
                        let (a, b) = (self.type_text(&value.ty), self.type_text(&result.ty));
                        return Err(self.error(
                            Diagnostic::error("F012", "the branches of an `if` have different sizes")
                                .at(value.span, format!("is {a}"))
                                .at(result.span, format!("is {b}")),
                        ));
                    }
                }
            }
            let (value, other) = self.common_type(value, result, "the branches of an `if`")?;
            let ty = Type { scalar: value.ty.scalar, dims: merged_dims(&value.ty.dims, &other.ty.dims) };
            result = Expr { kind: ExprKind::If(Box::new(condition), Box::new(value), Box::new(other)), ty, span };
        }
        Ok(result)
    }

    /// The value of a condition of constants and parameters that are part of the equations: all but those of type Real.
    fn decided_by_structure(&mut self, condition: &Expr) -> Option<bool> {
        let is_folded = |v: &Variable| match v.variability {
            Variability::Constant => true,
            Variability::Parameter => v.final_ || v.evaluate || v.ty.scalar != Scalar::Real,
            _ => false,
        };
        if !self.is_made_of(condition, is_folded) {
            return None;
        }
        match self.eval_if_possible(condition) {
            Some(Value::Boolean(value)) => Some(value),
            _ => None,
        }
    }

    /// A scalar Boolean.
    pub(super) fn condition(&mut self, e: &'a ast::Expr, scope: &mut Scope<'a>) -> Checked<Expr> {
        let condition = self.expr(e, scope, None)?;
        self.fit(condition, &Type::scalar(Scalar::Boolean), "a condition")
    }

    /// Two expressions with one element type: Integer becomes Real if the other is Real.
    pub(super) fn common_type(&mut self, a: Expr, b: Expr, what: &str) -> Checked<(Expr, Expr)> {
        match (a.ty.scalar, b.ty.scalar) {
            (Scalar::Real, Scalar::Integer) => Ok((a, to_real(b))),
            (Scalar::Integer, Scalar::Real) => Ok((to_real(a), b)),
            (x, y) if self.same_scalar(x, y) => Ok((a, b)),
            _ => {
                let (x, y) = (self.type_text(&a.ty), self.type_text(&b.ty));
                Err(self.error(
                    Diagnostic::error("F011", format!("{what} have different types: {x} and {y}"))
                        .at(b.span, format!("is {y}"))
                        .at(a.span, format!("is {x}")),
                ))
            }
        }
    }

    fn range(&mut self, start: Expr, step: Option<Expr>, stop: Expr, span: Span) -> Checked<Expr> {
        for part in [Some(&start), step.as_ref(), Some(&stop)].into_iter().flatten() {
            if !part.ty.is_scalar() || matches!(part.ty.scalar, Scalar::String | Scalar::Record(_) | Scalar::Object(_)) {
                let text = self.type_text(&part.ty);
                return Err(self.error(Diagnostic::error("F011", "a range needs scalar bounds").at(part.span, format!("is {text}"))));
            }
        }
        let (mut start, mut stop) = self.common_type(start, stop, "the bounds of a range")?;
        let mut step = step;
        if let Some(s) = step {
            let (a, s) = self.common_type(start, s, "start and step of a range")?;
            let (s, b) = self.common_type(s, stop, "step and end of a range")?;
            (start, stop, step) = (a, b, Some(s));
            if stop.ty.scalar == Scalar::Real {
                start = to_real(start);
            }
        }
        let scalar = start.ty.scalar;
        let mut expr = Expr {
            kind: ExprKind::Range(Box::new(start), step.map(Box::new), Box::new(stop)),
            ty: Type { scalar, dims: vec![None] },
            span,
        };
        if let Some(Value::Array(dims, _)) = self.try_eval(&expr)? {
            expr.ty.dims = vec![Some(dims[0])];
        }
        Ok(expr)
    }

    fn array(&mut self, elements: &'a [ast::Expr], span: Span, scope: &mut Scope<'a>, expected: Option<&Type>) -> Checked<Expr> {
        let inner = expected.and_then(|t| t.dims.get(1..).map(|d| Type { scalar: t.scalar, dims: d.to_vec() }));
        // Every element is typed even if one fails, so that all their errors are seen.
        let typed: Vec<Checked<Expr>> = elements.iter().map(|e| self.expr(e, scope, inner.as_ref())).collect();
        let typed = typed.into_iter().collect::<Checked<Vec<Expr>>>()?;
        if typed.is_empty() {
            let ty = match expected {
                Some(t) if !t.is_scalar() => {
                    let mut dims = t.dims.clone();
                    dims[0] = Some(0);
                    Type { scalar: t.scalar, dims }
                }
                _ => Type::array(Scalar::Real, &[0]),
            };
            return Ok(Expr { kind: ExprKind::Array(Vec::new()), ty, span });
        }
        self.array_of(typed, span)
    }

    /// `{a, b}` of typed elements.
    pub(super) fn array_of(&mut self, mut elements: Vec<Expr>, span: Span) -> Checked<Expr> {
        let Some(first) = elements.first() else {
            return Ok(Expr { kind: ExprKind::Array(elements), ty: Type::array(Scalar::Real, &[0]), span });
        };
        let mut dims = first.ty.dims.clone();
        let mut scalar = first.ty.scalar;
        let first_span = first.span;
        for element in &elements[1..] {
            if !shapes_agree(&dims, &element.ty.dims) {
                let (a, b) = (dims_text(&dims), dims_text(&element.ty.dims));
                let words = |d: &str| if d.is_empty() { "a scalar".to_owned() } else { format!("size {d}") };
                return Err(self.error(
                    Diagnostic::error("F012", "the elements of an array differ in size")
                        .at(element.span, format!("is {}", words(&b)))
                        .at(first_span, format!("is {}", words(&a))),
                ));
            }
            dims = merged_dims(&dims, &element.ty.dims);
            match (scalar, element.ty.scalar) {
                (Scalar::Integer, Scalar::Real) => scalar = Scalar::Real,
                (Scalar::Real, Scalar::Integer) => {}
                (a, b) if self.same_scalar(a, b) => {}
                (a, b) => {
                    let (a, b) = (self.scalar_text(a), self.scalar_text(b));
                    return Err(self.error(
                        Diagnostic::error("F011", format!("the elements of an array have different types: {a} and {b}"))
                            .at(element.span, format!("is {b}"))
                            .at(first_span, format!("is {a}")),
                    ));
                }
            }
        }
        if scalar == Scalar::Real {
            elements = elements.into_iter().map(to_real).collect();
        }
        dims.insert(0, Some(elements.len()));
        Ok(Expr { kind: ExprKind::Array(elements), ty: Type { scalar, dims }, span })
    }

    /// Opens the loop variable of an iterator and gives its range.
    pub(super) fn iterator(&mut self, iterator: &'a ast::Iterator, scope: &mut Scope<'a>) -> Checked<(LocalId, Expr)> {
        let span = iterator.name.span;
        let Some(range) = &iterator.range else {
            return Err(self.error(
                Diagnostic::error("F010", format!("the range of `{}` is not written", iterator.name.unquoted()))
                    .at(span, "ranges that follow from the subscripts are not supported")
                    .with_hint("write the range: `for i in 1:size(x, 1)`"),
            ));
        };
        let over = self.iteration_range(range, scope)?;
        let local = scope.locals.push(Local {
            name: iterator.name.unquoted().to_owned(),
            ty: Type::scalar(over.ty.scalar),
            dim_exprs: Vec::new(),
            binding: None,
            span,
        });
        scope.loops.push((iterator.name.unquoted(), Bound::Local(local)));
        Ok((local, over))
    }

    /// What a loop runs over: a vector, or all values of a type.
    pub(super) fn iteration_range(&mut self, range: &'a ast::Expr, scope: &mut Scope<'a>) -> Checked<Expr> {
        if let Syntax::Ref(name) = &range.kind
            && let Some(over) = self.type_as_range(name, scope)
        {
            return Ok(over);
        }
        let over = self.expr(range, scope, None)?;
        if over.ty.dims.len() != 1 {
            let text = self.type_text(&over.ty);
            return Err(self.error(Diagnostic::error("F011", "a loop needs a vector to run over").at(over.span, format!("is {text}"))));
        }
        Ok(over)
    }

    /// `for i in Boolean`, `for i in E`.
    fn type_as_range(&mut self, name: &'a ast::ComponentRef, scope: &Scope<'a>) -> Option<Expr> {
        if name.parts.iter().any(|p| !p.subscripts.is_empty()) {
            return None;
        }
        let text = super::names::plain_text(name);
        let (scalar, values): (Scalar, Vec<Value>) = if text == "Boolean" {
            (Scalar::Boolean, vec![Value::Boolean(false), Value::Boolean(true)])
        } else {
            if self.names.contains_key(text.as_str()) || scope.names.contains_key(text.as_str()) {
                return None;
            }
            let id = self.enum_type(&text, &scope.context)?;
            let n = self.model.enums[id].literals.len() as u32;
            (Scalar::Enumeration(id), (1..=n).map(|i| Value::Enumeration(id, i)).collect())
        };
        let ty = Type::array(scalar, &[values.len()]);
        Some(literal(Value::Array(vec![values.len()], values), &ty, name.span))
    }

    /// `{e for i in r, j in s}`: Modelica makes the last iterator the outermost dimension.
    pub(super) fn comprehension(
        &mut self,
        body: &'a ast::Expr,
        iterators: &'a [ast::Iterator],
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Checked<Expr> {
        let outside = scope.loops.len();
        let mut opened = Vec::with_capacity(iterators.len());
        for iterator in iterators.iter().rev() {
            match self.iterator(iterator, scope) {
                Ok(one) => opened.push(one),
                Err(reported) => {
                    scope.loops.truncate(outside);
                    return Err(reported);
                }
            }
        }
        let body = self.expr(body, scope, None);
        scope.loops.truncate(outside);
        let body = body?;
        let dims = opened.iter().map(|(_, over)| over.ty.dims[0]).chain(body.ty.dims.iter().copied()).collect();
        let ty = Type { scalar: body.ty.scalar, dims };
        let made = Expr { kind: ExprKind::Comprehension(Box::new(body), opened), ty, span };
        self.known_size(&made, scope)?;
        Ok(made)
    }

    /// Outside functions sizes must be known; an error here lets a loop be unrolled.
    pub(super) fn known_size(&mut self, e: &Expr, scope: &Scope<'a>) -> Checked<()> {
        if scope.function.is_some() || e.ty.dims.iter().all(Option::is_some) {
            return Ok(());
        }
        Err(self.error(Diagnostic::error("F020", "a size is not known at compile time").at(e.span, "depends on something that is not")))
    }

    /// `[a, b; c, d]`: nested arrays if all parts are scalars, else concatenations.
    fn matrix(&mut self, rows: &'a [Vec<ast::Expr>], span: Span, scope: &mut Scope<'a>) -> Checked<Expr> {
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
            match (scalar, part.ty.scalar) {
                (Scalar::Integer, Scalar::Real) => scalar = Scalar::Real,
                (Scalar::Real, Scalar::Integer) => {}
                (a, b) if self.same_scalar(a, b) => {}
                (a, b) => {
                    let (a, b) = (self.scalar_text(a), self.scalar_text(b));
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

    /// Elements of an array expression.
    pub(super) fn index(&mut self, base: Expr, subscripts: &'a [ast::Subscript], span: Span, scope: &mut Scope<'a>) -> Checked<Expr> {
        if subscripts.is_empty() {
            return Ok(base);
        }
        if subscripts.len() > base.ty.dims.len() {
            let text = self.type_text(&base.ty);
            return Err(
                self.error(Diagnostic::error("F021", format!("{} subscripts on {text}", subscripts.len())).at(span, "too many subscripts"))
            );
        }
        let mut typed = Vec::with_capacity(subscripts.len());
        for (axis, subscript) in subscripts.iter().enumerate() {
            typed.push(self.subscript(&base, axis, subscript, scope)?);
        }
        Ok(indexed(base, typed, span))
    }

    pub(super) fn subscript(
        &mut self,
        base: &Expr,
        axis: usize,
        subscript: &'a ast::Subscript,
        scope: &mut Scope<'a>,
    ) -> Checked<Subscript> {
        let e = match subscript {
            ast::Subscript::All(_) => return Ok(Subscript::All),
            ast::Subscript::Index(e) => e,
        };
        // Copying the array for every subscript would cost its size each time.
        let has_end = mentions_end(e);
        if has_end {
            scope.ends.push((base.clone(), axis));
        }
        let index = self.expr(e, scope, None);
        if has_end {
            scope.ends.pop();
        }
        let index = index?;
        let index = match index.ty.scalar {
            Scalar::Integer => index,
            Scalar::Boolean if self.is_indexed_by_numbers(base, axis) => {
                let text = self.type_text(&base.ty);
                return Err(self.error(
                    Diagnostic::error("F021", "a subscript must be an Integer")
                        .at(index.span, "is Boolean")
                        .with_note(format!("the array is {text}; only a dimension declared as `[Boolean]` has Boolean subscripts")),
                ));
            }
            Scalar::Enumeration(_) | Scalar::Boolean => as_position(index),
            other => {
                let text = self.scalar_text(other);
                return Err(self.error(Diagnostic::error("F021", "a subscript must be an Integer").at(index.span, format!("is {text}"))));
            }
        };
        if let (ExprKind::Literal(Value::Integer(i)), Some(size)) = (&index.kind, base.ty.dims[axis])
            && (*i < 1 || *i as u64 > size as u64)
        {
            let i = *i;
            return Err(self.error(Diagnostic::error("F021", format!("subscript {i} is outside 1:{size}")).at(index.span, "")));
        }
        match index.ty.dims.len() {
            0 => Ok(Subscript::Index(index)),
            1 => {
                self.known_size(&index, scope)?;
                Ok(Subscript::Slice(index))
            }
            _ => {
                let text = self.type_text(&index.ty);
                Err(self.error(Diagnostic::error("F021", "a subscript must be a scalar or a vector").at(index.span, format!("is {text}"))))
            }
        }
    }

    /// Whether the dimension of a variable is declared with a size, not with a type. What is not declared as such is not judged.
    fn is_indexed_by_numbers(&self, base: &Expr, axis: usize) -> bool {
        let ExprKind::Var(id) = base.kind else { return false };
        let declared = self.declaration_of.get(self.model.vars[id].name.as_str()).map(|index| &self.declarations[*index]);
        match declared.and_then(|declaration| declaration.dims.get(axis)) {
            Some((ast::Subscript::Index(ast::Expr { kind: Syntax::Ref(_), .. }), _)) | None => false,
            Some(_) => true,
        }
    }

    /// A field of a record expression.
    pub(super) fn field(&mut self, base: Expr, name: &str, span: Span) -> Checked<Expr> {
        let Scalar::Record(id) = base.ty.scalar else {
            let text = self.type_text(&base.ty);
            return Err(self.error(Diagnostic::error("F011", format!("`.{name}` needs a record")).at(span, format!("this is {text}"))));
        };
        let fields = &self.model.records[id].fields;
        let Some(position) = fields.iter().position(|f| f.name == name) else {
            let record = self.model.records[id].name.clone();
            let near = super::lookup::nearest(name, fields.iter().map(|f| f.name.as_str())).map(str::to_owned);
            let mut error = Diagnostic::error("F003", format!("the record `{record}` has no field `{name}`")).at(span, "");
            if let Some(near) = near {
                error = error.with_hint(format!("did you mean `{near}`?"));
            }
            return Err(self.error(error));
        };
        Ok(field_of(base, position, &fields[position].ty, span))
    }
}

/// A field by position; fields of a written-out record are taken out of it.
pub(super) fn field_of(base: Expr, position: usize, ty: &Type, span: Span) -> Expr {
    match base.kind {
        ExprKind::Record(_, mut fields) if position < fields.len() => fields.swap_remove(position),
        ExprKind::Array(elements) if !elements.is_empty() => {
            let outer = elements.len();
            let parts: Vec<Expr> = elements.into_iter().map(|e| field_of(e, position, ty, span)).collect();
            let mut dims = parts[0].ty.dims.clone();
            dims.insert(0, Some(outer));
            let scalar = parts[0].ty.scalar;
            Expr { kind: ExprKind::Array(parts), ty: Type { scalar, dims }, span }
        }
        kind => {
            let dims = base.ty.dims.iter().chain(&ty.dims).copied().collect();
            let ty = Type { scalar: ty.scalar, dims };
            Expr { kind: ExprKind::Field(Box::new(Expr { kind, ty: base.ty, span: base.span }), position), ty, span }
        }
    }
}

/// An enumeration or Boolean index as a number.
fn as_position(index: Expr) -> Expr {
    let span = index.span;
    let ty = Type { scalar: Scalar::Integer, dims: index.ty.dims.clone() };
    match (&index.kind, index.ty.scalar) {
        (ExprKind::Literal(Value::Enumeration(_, i)), _) => integer_literal(i64::from(*i), span),
        (ExprKind::Literal(Value::Boolean(b)), _) => integer_literal(i64::from(*b) + 1, span),
        (_, Scalar::Boolean) if index.ty.is_scalar() => {
            let kind = ExprKind::If(Box::new(index), Box::new(integer_literal(2, span)), Box::new(integer_literal(1, span)));
            Expr { kind, ty, span }
        }
        _ => Expr { kind: ExprKind::Builtin(Builtin::IntegerOfEnum, vec![index]), ty, span },
    }
}

/// Whether `end` of the surrounding subscript occurs.
fn mentions_end(e: &ast::Expr) -> bool {
    let all = |es: &[ast::Expr]| es.iter().any(mentions_end);
    match &e.kind {
        Syntax::End => true,
        Syntax::Integer(_) | Syntax::Real(_) | Syntax::String(_) | Syntax::Boolean(_) | Syntax::Break => false,
        // Subscripts of a name inside have an `end` of their own.
        Syntax::Ref(_) => false,
        Syntax::Call { arguments, .. } => all(&arguments.positional) || arguments.named.iter().any(|(_, e)| mentions_end(e)),
        Syntax::Unary(_, a) | Syntax::Parenthesised(a) | Syntax::Field(a, _) | Syntax::Comprehension(a, _) => mentions_end(a),
        Syntax::Binary(_, a, b) => mentions_end(a) || mentions_end(b),
        Syntax::Chain(first, rest) => mentions_end(first) || rest.iter().any(|(_, e)| mentions_end(e)),
        Syntax::If { branches, otherwise } => branches.iter().any(|(c, v)| mentions_end(c) || mentions_end(v)) || mentions_end(otherwise),
        Syntax::Range { start, step, stop } => mentions_end(start) || step.as_ref().is_some_and(|s| mentions_end(s)) || mentions_end(stop),
        Syntax::Array(es) => all(es),
        Syntax::Matrix(rows) => rows.iter().any(|r| all(r)),
        Syntax::Tuple(parts) => parts.iter().flatten().any(mentions_end),
        Syntax::Subscripted(base, _) => mentions_end(base),
    }
}
