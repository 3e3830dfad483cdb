//! Types equations and statements.
//!
//! Input: equation and algorithm sections. Output: those of the flat model, with loops kept.
//!
//! A loop whose body cannot be typed with an open loop variable (slices such as `x[1:i]`, elements declared one by one)
//! is unrolled when its range is known. An `if` equation whose condition is decided by constants and final parameters
//! is replaced by the branch that holds; so is one with branches of different numbers of equations when its condition
//! is known, because nothing else can be done with it.

use super::declare::Section;
use super::names::plain_text;
use super::types::{merged_dims, shapes_agree};
use super::{Bound, Checked, Flattener, Reported, Scope};
use crate::frontend::flat::walk::for_each_child;
use crate::frontend::flat::{
    Algorithm, BinaryOp, Builtin, Equation, EquationKind, Expr, ExprKind, Scalar, Type, Value, Variability, Variable,
};
use partita_grammar::ast::{self, EquationKind as SyntaxEq, ExprKind as Syntax};
use partita_grammar::{Diagnostic, Span};

/// Iterations of a loop that may be unrolled.
const MAX_ITERATIONS: usize = 100_000;

impl<'a> Flattener<'a> {
    /// All sections of the model.
    pub(super) fn translate_equations(&mut self) {
        let Some(mut scope) = self.scope.take() else { return };
        let outside = scope.context.clone();
        for section in std::mem::take(&mut self.declared.sections) {
            match section {
                Section::Equations { initial, equations, context } => {
                    scope.context = context;
                    scope.initial = initial;
                    let mut typed = Vec::with_capacity(equations.len());
                    self.equations(equations, &mut scope, &mut typed);
                    if initial { self.model.initial_equations.append(&mut typed) } else { self.model.equations.append(&mut typed) }
                }
                Section::Algorithm { initial, statements, span, context } => {
                    scope.context = context;
                    scope.initial = initial;
                    let mut typed = Vec::with_capacity(statements.len());
                    self.statements(statements, &mut scope, &mut typed);
                    let algorithm = Algorithm { statements: typed, span };
                    if initial { self.model.initial_algorithms.push(algorithm) } else { self.model.algorithms.push(algorithm) }
                }
            }
        }
        scope.initial = false;
        scope.context = outside;
        self.scope = Some(scope);
    }

    /// Types a list of equations; one that fails does not stop the others.
    fn equations(&mut self, equations: &'a [ast::Equation], scope: &mut Scope<'a>, typed: &mut Vec<Equation>) {
        for equation in equations {
            if self.equation(equation, scope, typed).is_err() {
                self.silent_failure(equation.span);
            }
        }
    }

    fn equation(&mut self, equation: &'a ast::Equation, scope: &mut Scope<'a>, typed: &mut Vec<Equation>) -> Checked<()> {
        let span = equation.span;
        match &equation.kind {
            SyntaxEq::Equal(left, right) => {
                let before = self.reports.diagnostics.len();
                match self.equality(left, right, span, scope) {
                    Ok(kind) => typed.push(Equation { kind, span }),
                    Err(reported) => {
                        // Two records that are declared field by field have no type, but they have the same fields.
                        let Some(pairs) = self.field_pairs(left, right, scope) else { return Err(reported) };
                        self.reports.diagnostics.truncate(before);
                        for (left, right) in pairs {
                            let (left, right) = self.common_type(left, right, "the sides of an equation")?;
                            typed.push(Equation { kind: EquationKind::Equal(left, right), span });
                        }
                    }
                }
            }
            SyntaxEq::If { branches, otherwise } => {
                self.if_equation(branches, otherwise.as_deref().unwrap_or_default(), span, scope, typed)?
            }
            SyntaxEq::For { iterators, body } => self.for_equation(iterators, body, span, scope, typed)?,
            SyntaxEq::When { branches } => {
                if scope.in_when {
                    return Err(self.error(Diagnostic::error("F025", "`when` stands inside `when`").at(span, "")));
                }
                let mut done = Vec::with_capacity(branches.len());
                for (condition, body) in branches {
                    let condition = self.when_condition(condition, scope);
                    let mut equations = Vec::with_capacity(body.len());
                    scope.in_when = true;
                    self.equations(body, scope, &mut equations);
                    scope.in_when = false;
                    done.push((condition, equations));
                }
                let branches = done.into_iter().map(|(c, b)| c.map(|c| (c, b))).collect::<Checked<Vec<_>>>()?;
                self.compare_branches(&branches);
                typed.push(Equation { kind: EquationKind::When(branches), span });
            }
            SyntaxEq::Connect(a, b) => {
                let (a, b) = (plain_text(a), plain_text(b));
                return Err(self.error(
                    Diagnostic::error("F008", format!("`connect({a}, {b})` needs a hierarchical front end"))
                        .at(span, "not supported")
                        .with_hint("flatten the model first, for example with OpenModelica's instantiateModel or --baseModelica"),
                ));
            }
            SyntaxEq::Call(call) => {
                let call = self.effect(call, scope)?;
                typed.push(Equation { kind: EquationKind::Call(call), span });
            }
        }
        Ok(())
    }

    /// A condition of `when`: a Boolean, or a vector of them of which any may become true.
    pub(super) fn when_condition(&mut self, condition: &'a ast::Expr, scope: &mut Scope<'a>) -> Checked<Expr> {
        if let Syntax::Call { function, .. } = &condition.kind
            && plain_text(function) == "Clock"
        {
            return Err(self.error(Diagnostic::error("F009", "`when Clock()`: clocks are not supported").at(condition.span, "")));
        }
        let condition = self.expr(condition, scope, None)?;
        let ty = Type { scalar: Scalar::Boolean, dims: if condition.ty.dims.len() == 1 { vec![None] } else { Vec::new() } };
        self.fit(condition, &ty, "a condition")
    }

    /// A call for its effect.
    pub(super) fn effect(&mut self, call: &'a ast::Expr, scope: &mut Scope<'a>) -> Checked<Expr> {
        let typed = self.expr(call, scope, None)?;
        let typed = self.error_as_assertion(typed);
        match &typed.kind {
            ExprKind::Builtin(b, _) if is_effect(*b) => Ok(typed),
            ExprKind::Call(..) => Ok(typed),
            _ => Err(self.error(
                Diagnostic::error("F029", "a value stands alone")
                    .at(call.span, "only `assert`, `terminate`, `reinit` and function calls may stand alone"),
            )),
        }
    }

    /// `Streams.error(message)` is an assertion that never holds; as such its message may be made at run time.
    fn error_as_assertion(&mut self, call: Expr) -> Expr {
        let ExprKind::Call(function, arguments) = &call.kind else { return call };
        let ([message], "Modelica.Utilities.Streams.error") = (arguments.as_slice(), self.model.functions[*function].name.as_str()) else {
            return call;
        };
        let message = message.clone();
        let Some(level) = self.assertion_level() else { return call };
        let crate::frontend::flat::Scalar::Enumeration(id) = level.scalar else { return call };
        let literal = |value, ty| Expr { kind: ExprKind::Literal(value), ty, span: call.span };
        let boolean = crate::frontend::flat::Type::scalar(crate::frontend::flat::Scalar::Boolean);
        let never = literal(crate::frontend::flat::Value::Boolean(false), boolean.clone());
        let error = literal(crate::frontend::flat::Value::Enumeration(id, 2), level);
        Expr { kind: ExprKind::Builtin(crate::frontend::flat::Builtin::Assert, vec![never, message, error]), ty: boolean, span: call.span }
    }

    fn equality(&mut self, left: &'a ast::Expr, right: &'a ast::Expr, span: Span, scope: &mut Scope<'a>) -> Checked<EquationKind> {
        if let Syntax::Tuple(parts) = &left.kind
            && parts.len() != 1
        {
            let (targets, call) = self.output_list(parts, right, scope, false)?;
            return Ok(EquationKind::Tuple(targets, call));
        }
        let before = self.reports.diagnostics.len();
        let (left, right) = match self.expr(left, scope, None) {
            Ok(left) => {
                let right = self.expr(right, scope, Some(&left.ty))?;
                (left, right)
            }
            Err(reported) => {
                // A record that is declared field by field gets its type from the other side.
                let saved = self.reports.diagnostics.split_off(before);
                let right = self.expr(right, scope, None);
                let again = right.and_then(|right| self.expr(left, scope, Some(&right.ty)).map(|left| (left, right)));
                match again {
                    Ok(both) => both,
                    Err(_) => {
                        let also = self.reports.diagnostics.split_off(before);
                        self.reports.diagnostics.extend(saved);
                        for error in also {
                            if !self.reports.diagnostics.contains(&error) {
                                self.reports.diagnostics.push(error);
                            }
                        }
                        return Err(reported);
                    }
                }
            }
        };
        self.check_integer(&left, &right, scope)?;
        let (mut left, mut right) = self.common_type(left, right, "the sides of an equation")?;
        if !shapes_agree(&left.ty.dims, &right.ty.dims) {
            let (a, b) = (self.type_text(&left.ty), self.type_text(&right.ty));
            return Err(self.error(
                Diagnostic::error("F012", "the sides of an equation differ in size").at(span, "").with_note(format!("left {a}, right {b}")),
            ));
        }
        let dims = merged_dims(&left.ty.dims, &right.ty.dims);
        if dims.iter().any(Option::is_none) {
            return Err(self.error(
                Diagnostic::error("F020", "the size of an equation is not known at compile time").at(span, "both sides have open sizes"),
            ));
        }
        left.ty.dims.clone_from(&dims);
        right.ty.dims = dims;
        Ok(EquationKind::Equal(left, right))
    }

    /// The variables of two names that are declared field by field, in pairs.
    fn field_pairs(&mut self, left: &'a ast::Expr, right: &'a ast::Expr, scope: &Scope<'a>) -> Option<Vec<(Expr, Expr)>> {
        let (Syntax::Ref(left), Syntax::Ref(right)) = (&left.kind, &right.kind) else { return None };
        if scope.function.is_some() {
            return None;
        }
        let (a, b) = (self.leaves_below(left)?, self.leaves_below(right)?);
        if a.len() != b.len() || a.iter().zip(&b).any(|((p, _), (q, _))| p != q) {
            return None;
        }
        let mut pairs = Vec::with_capacity(a.len());
        for ((_, a), (_, b)) in a.into_iter().zip(b) {
            pairs.push((self.var_expr(a, left.span), self.var_expr(b, right.span)));
        }
        Some(pairs)
    }

    /// `(a, , b) = f(x)` or `(a, , b) := f(x)`.
    pub(super) fn output_list(
        &mut self,
        parts: &'a [Option<ast::Expr>],
        call: &'a ast::Expr,
        scope: &mut Scope<'a>,
        assigned: bool,
    ) -> Checked<(Vec<Option<Expr>>, Expr)> {
        let mut call = self.expr(call, scope, None)?;
        let (types, name) = match &call.kind {
            ExprKind::Call(function, arguments) => (self.output_types(*function, arguments), self.model.functions[*function].name.clone()),
            ExprKind::Builtin(Builtin::SpatialDistribution, _) if !assigned => {
                (vec![Type::scalar(Scalar::Real); 2], "spatialDistribution".to_owned())
            }
            _ => {
                return Err(self.error(
                    Diagnostic::error("F029", "an output list needs a function with several outputs on the right").at(call.span, ""),
                ));
            }
        };
        if parts.len() > types.len() {
            let n = types.len();
            return Err(self.error(
                Diagnostic::error("F013", format!("`{name}` has {n} output{}, {} are taken", if n == 1 { "" } else { "s" }, parts.len()))
                    .at(call.span, ""),
            ));
        }
        let mut targets = Vec::with_capacity(parts.len());
        for (part, ty) in parts.iter().zip(&types) {
            // omc prints `_` for an output that nobody takes.
            let skipped = |e: &ast::Expr| matches!(&e.kind, Syntax::Ref(r) if plain_text(r) == "_");
            let Some(part) = part.as_ref().filter(|e| !skipped(e)) else {
                targets.push(None);
                continue;
            };
            let target = self.expr(part, scope, Some(ty))?;
            if assigned {
                self.check_assignable(&target, scope)?;
            }
            let fits = self.same_scalar(target.ty.scalar, ty.scalar) || (target.ty.scalar == Scalar::Real && ty.scalar == Scalar::Integer);
            if !fits || !shapes_agree(&target.ty.dims, &ty.dims) {
                let (has, gets) = (self.type_text(&target.ty), self.type_text(ty));
                return Err(self.error(
                    Diagnostic::error("F011", format!("an output of type {gets} is given to {has}")).at(target.span, format!("is {has}")),
                ));
            }
            targets.push(Some(target));
        }
        if let (Some(Some(first)), Some(ty)) = (targets.first(), types.first()) {
            call.ty = Type { scalar: ty.scalar, dims: merged_dims(&ty.dims, &first.ty.dims) };
        }
        Ok((targets, call))
    }

    fn if_equation(
        &mut self,
        branches: &'a [(ast::Expr, Vec<ast::Equation>)],
        otherwise: &'a [ast::Equation],
        span: Span,
        scope: &mut Scope<'a>,
        typed: &mut Vec<Equation>,
    ) -> Checked<()> {
        let mut open: Vec<(Expr, &'a [ast::Equation])> = Vec::new();
        let mut rest = otherwise;
        for (condition, body) in branches {
            let condition = self.condition(condition, scope)?;
            if self.is_structural(&condition) {
                match self.try_eval(&condition)? {
                    Some(Value::Boolean(true)) => {
                        rest = body;
                        break;
                    }
                    Some(Value::Boolean(false)) => continue,
                    _ => {}
                }
            }
            open.push((condition, body));
        }
        if open.is_empty() {
            self.equations(rest, scope, typed);
            return Ok(());
        }
        let mut done: Vec<(Expr, Vec<Equation>)> = Vec::with_capacity(open.len());
        for (condition, body) in open {
            let mut equations = Vec::with_capacity(body.len());
            self.equations(body, scope, &mut equations);
            done.push((condition, equations));
        }
        let mut other = Vec::with_capacity(rest.len());
        self.equations(rest, scope, &mut other);
        let count = self.n_scalar(&other);
        if done.iter().any(|(_, body)| self.n_scalar(body) != count) {
            let mut chosen = None;
            for (at, (condition, _)) in done.iter().enumerate() {
                match self.eval_if_possible(condition) {
                    Some(Value::Boolean(true)) => {
                        chosen = Some(Some(at));
                        break;
                    }
                    Some(Value::Boolean(false)) => chosen = Some(None),
                    _ => {
                        chosen = None;
                        break;
                    }
                }
            }
            match chosen {
                Some(Some(at)) => {
                    typed.append(&mut done.swap_remove(at).1);
                    return Ok(());
                }
                Some(None) => {
                    typed.append(&mut other);
                    return Ok(());
                }
                // Left to the balance check of the system, which knows which unknowns are concerned.
                None => {}
            }
        }
        typed.push(Equation { kind: EquationKind::If(done, other), span });
        Ok(())
    }

    /// Decided by constants and parameters that cannot be changed.
    pub(super) fn is_structural(&self, condition: &Expr) -> bool {
        self.is_made_of(condition, |v| {
            v.variability == Variability::Constant || (v.variability == Variability::Parameter && (v.final_ || v.evaluate))
        })
    }

    /// Whether an expression has literals, operators, and variables of a kind only.
    pub(super) fn is_made_of(&self, condition: &Expr, kind: impl Fn(&Variable) -> bool) -> bool {
        let mut stack = vec![condition];
        while let Some(e) = stack.pop() {
            match &e.kind {
                ExprKind::Literal(_) => {}
                ExprKind::Var(var) => {
                    if !kind(&self.model.vars[*var]) {
                        return false;
                    }
                }
                ExprKind::Unary(_, a) | ExprKind::ToReal(a) => stack.push(a),
                ExprKind::Binary(_, a, b) => stack.extend([&**a, &**b]),
                ExprKind::If(a, b, c) => stack.extend([&**a, &**b, &**c]),
                ExprKind::Builtin(_, es) | ExprKind::Array(es) => stack.extend(es),
                ExprKind::Index(array, subscripts) => {
                    stack.push(array);
                    for subscript in subscripts {
                        if let crate::frontend::flat::Subscript::Index(e) | crate::frontend::flat::Subscript::Slice(e) = subscript {
                            stack.push(e);
                        }
                    }
                }
                _ => return false,
            }
        }
        true
    }

    /// Scalar equations of a list.
    fn n_scalar(&self, equations: &[Equation]) -> usize {
        equations
            .iter()
            .map(|equation| match &equation.kind {
                EquationKind::Equal(left, _) => self.n_elements(&left.ty),
                EquationKind::Tuple(targets, _) => targets.iter().flatten().map(|t| self.n_elements(&t.ty)).sum(),
                EquationKind::For(_, over, body) => over.ty.dims.first().copied().flatten().unwrap_or(1) * self.n_scalar(body),
                EquationKind::If(branches, other) => branches.first().map_or(0, |(_, b)| self.n_scalar(b)).max(self.n_scalar(other)),
                EquationKind::When(branches) => branches.first().map_or(0, |(_, b)| self.n_scalar(b)),
                EquationKind::Call(_) => 0,
            })
            .sum()
    }

    fn n_elements(&self, ty: &Type) -> usize {
        let n: usize = ty.dims.iter().map(|d| d.unwrap_or(1)).product();
        match ty.scalar {
            Scalar::Record(id) => n * self.model.records[id].fields.iter().map(|f| self.n_elements(&f.ty)).sum::<usize>(),
            _ => n,
        }
    }

    fn for_equation(
        &mut self,
        iterators: &'a [ast::Iterator],
        body: &'a [ast::Equation],
        span: Span,
        scope: &mut Scope<'a>,
        typed: &mut Vec<Equation>,
    ) -> Checked<()> {
        let Some((iterator, inner)) = iterators.split_first() else {
            self.equations(body, scope, typed);
            return Ok(());
        };
        let (n_loops, before, dropped) = (scope.loops.len(), self.reports.diagnostics.len(), self.reports.n_dropped);
        let (local, over) = self.iterator(iterator, scope)?;
        let mut equations = Vec::with_capacity(body.len());
        let result = self.for_equation(inner, body, span, scope, &mut equations);
        scope.loops.truncate(n_loops);
        if result.is_ok() && self.reports.diagnostics.len() == before && self.reports.n_dropped == dropped {
            typed.push(Equation { kind: EquationKind::For(local, over, equations), span });
            return Ok(());
        }
        let saved = self.reports.diagnostics.split_off(before);
        let Some(values) = self.iterations(&over)? else {
            self.reports.diagnostics.extend(saved);
            return Err(Reported);
        };
        self.unrolled(iterator, values, saved, scope, typed, |this, scope, typed| this.for_equation(inner, body, span, scope, typed))
    }

    /// A loop turn by turn. If that fails too, `saved` are the messages: the loop as it stands says best what is wrong.
    pub(super) fn unrolled<T>(
        &mut self,
        iterator: &'a ast::Iterator,
        values: Vec<Value>,
        saved: Vec<Diagnostic>,
        scope: &mut Scope<'a>,
        typed: &mut Vec<T>,
        iteration: impl Fn(&mut Self, &mut Scope<'a>, &mut Vec<T>) -> Checked<()>,
    ) -> Checked<()> {
        let (n_loops, n_typed, before) = (scope.loops.len(), typed.len(), self.reports.diagnostics.len());
        for value in values {
            scope.loops.push((iterator.name.unquoted(), Bound::Value(value)));
            let result = iteration(self, scope, typed);
            scope.loops.truncate(n_loops);
            if result.is_err() || self.reports.diagnostics.len() > before {
                typed.truncate(n_typed);
                self.reports.diagnostics.truncate(before);
                self.reports.diagnostics.extend(saved);
                return Err(Reported);
            }
        }
        Ok(())
    }

    /// The values that a loop runs over, if they are known and not too many.
    pub(super) fn iterations(&mut self, over: &Expr) -> Checked<Option<Vec<Value>>> {
        match self.try_eval(over)? {
            Some(Value::Array(_, values)) if values.len() <= MAX_ITERATIONS => Ok(Some(values)),
            _ => Ok(None),
        }
    }
}

pub(super) fn boolean_expr(op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty: Type::scalar(Scalar::Boolean), span }
}

/// Visits an expression and all its parts.
pub(super) fn walk(e: &mut Expr, f: &mut dyn FnMut(&Expr)) {
    f(e);
    for_each_child(e, &mut |child| walk(child, f));
}

fn is_effect(builtin: crate::frontend::flat::Builtin) -> bool {
    use crate::frontend::flat::Builtin as B;
    matches!(builtin, B::Assert | B::Terminate | B::Reinit | B::Print)
}
