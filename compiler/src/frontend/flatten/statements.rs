//! Statements of algorithms.
//!
//! Input: statements of the syntax. Output: typed statements; what is assigned may be assigned.

use super::breaks::contains_break;
use super::equations::{boolean_expr, walk};
use super::{Bound, Checked, Flattener, Reported, Scope};
use crate::frontend::flat::construct::integer_literal;
use crate::frontend::flat::{BinaryOp, Expr, ExprKind, Statement, StatementKind, Subscript, Value, Variability};
use partita_grammar::ast::{self, ExprKind as Syntax, StatementKind as SyntaxStatement};
use partita_grammar::{Diagnostic, Span};

/// How one subscript chooses among the elements of a written-out array.
enum Axis<'e> {
    /// By comparison with an index.
    Compared(&'e Expr),
    /// All of them.
    Whole,
    /// Those at these positions.
    Known(Vec<usize>),
}

impl<'a> Flattener<'a> {
    /// Types a list of statements; one that fails does not stop the others.
    pub(super) fn statements(&mut self, statements: &'a [ast::Statement], scope: &mut Scope<'a>, typed: &mut Vec<Statement>) {
        for statement in statements {
            if self.statement(statement, scope, typed).is_err() {
                self.silent_failure(statement.span);
            }
        }
    }

    pub(super) fn statement(&mut self, statement: &'a ast::Statement, scope: &mut Scope<'a>, typed: &mut Vec<Statement>) -> Checked<()> {
        let span = statement.span;
        let kind = match &statement.kind {
            SyntaxStatement::Assign(target, value) => {
                let (target, value) = self.assignment(target, value, scope)?;
                self.assign_kind(target, value, span)?
            }
            SyntaxStatement::AssignTuple(parts, call) => {
                if let [Some(one)] = parts.as_slice() {
                    let Syntax::Ref(target) = &one.kind else {
                        return Err(self.error(Diagnostic::error("F022", "only variables can be assigned").at(one.span, "")));
                    };
                    let (target, value) = self.assignment(target, call, scope)?;
                    let kind = self.assign_kind(target, value, span)?;
                    typed.push(Statement { kind, span });
                    return Ok(());
                }
                let (targets, call) = self.output_list(parts, call, scope, true)?;
                StatementKind::Tuple(targets, call)
            }
            SyntaxStatement::Call(call) => StatementKind::Call(self.effect(call, scope)?),
            SyntaxStatement::If { branches, otherwise } => {
                let mut done = Vec::with_capacity(branches.len());
                for (condition, body) in branches {
                    let condition = self.condition(condition, scope);
                    let mut statements = Vec::with_capacity(body.len());
                    self.statements(body, scope, &mut statements);
                    done.push((condition, statements));
                }
                let mut other = Vec::new();
                self.statements(otherwise.as_deref().unwrap_or_default(), scope, &mut other);
                let branches = done.into_iter().map(|(c, b)| c.map(|c| (c, b))).collect::<Checked<Vec<_>>>()?;
                StatementKind::If(branches, other)
            }
            SyntaxStatement::For { iterators, body } => return self.for_statement(iterators, body, span, scope, typed),
            SyntaxStatement::While { condition, body } => {
                let condition = self.condition(condition, scope);
                let mut statements = Vec::with_capacity(body.len());
                scope.loop_depth += 1;
                self.statements(body, scope, &mut statements);
                scope.loop_depth -= 1;
                StatementKind::While(condition?, statements)
            }
            SyntaxStatement::When { branches } => {
                if scope.function.is_some() || scope.in_when || scope.initial || scope.loop_depth > 0 {
                    return Err(self.error(
                        Diagnostic::error("F025", "`when` stands where it may not")
                            .at(span, "not in functions, loops, initial algorithms or another `when`"),
                    ));
                }
                let mut done = Vec::with_capacity(branches.len());
                for (condition, body) in branches {
                    let condition = self.when_condition(condition, scope);
                    let mut statements = Vec::with_capacity(body.len());
                    scope.in_when = true;
                    self.statements(body, scope, &mut statements);
                    scope.in_when = false;
                    done.push((condition, statements));
                }
                let branches = done.into_iter().map(|(c, b)| c.map(|c| (c, b))).collect::<Checked<Vec<_>>>()?;
                StatementKind::When(branches)
            }
            SyntaxStatement::Break => {
                if scope.loop_depth == 0 {
                    return Err(self.error(Diagnostic::error("F025", "`break` stands outside of a loop").at(span, "")));
                }
                StatementKind::Break
            }
            SyntaxStatement::Return => {
                if scope.function.is_none() {
                    return Err(self.error(Diagnostic::error("F025", "`return` stands outside of a function").at(span, "")));
                }
                StatementKind::Return
            }
        };
        typed.push(Statement { kind, span });
        Ok(())
    }

    pub(super) fn assignment(
        &mut self,
        target: &'a ast::ComponentRef,
        value: &'a ast::Expr,
        scope: &mut Scope<'a>,
    ) -> Checked<(Expr, Expr)> {
        let before = self.reports.diagnostics.len();
        let (target, value) = match self.reference(target, scope, None) {
            Ok(typed) => {
                let value = self.expr(value, scope, Some(&typed.ty))?;
                (typed, value)
            }
            Err(reported) => {
                // A record that is declared field by field gets its type from the value.
                let saved = self.reports.diagnostics.split_off(before);
                let value = self.expr(value, scope, None);
                let again = value.and_then(|value| self.reference(target, scope, Some(&value.ty)).map(|t| (t, value)));
                match again {
                    Ok(both) => both,
                    Err(_) => {
                        self.reports.diagnostics.truncate(before);
                        self.reports.diagnostics.extend(saved);
                        return Err(reported);
                    }
                }
            }
        };
        self.check_assignable(&target, scope)?;
        let value = self.fit(value, &target.ty, "the assigned value")?;
        Ok((target, value))
    }

    /// An assignment. A part of an array that is declared element by element is chosen by comparing its subscripts.
    pub(super) fn assign_kind(&mut self, target: Expr, value: Expr, span: Span) -> Checked<StatementKind> {
        let ExprKind::Index(array, subscripts) = &target.kind else { return Ok(StatementKind::Assign(target, value)) };
        if !matches!(array.kind, ExprKind::Array(_)) {
            return Ok(StatementKind::Assign(target, value));
        }
        let mut axes = Vec::with_capacity(subscripts.len());
        for (axis, subscript) in subscripts.iter().enumerate() {
            axes.push(match subscript {
                Subscript::Index(index) => Axis::Compared(index),
                Subscript::All => Axis::Whole,
                Subscript::Slice(positions) => match self.known_positions(positions, array, axis)? {
                    Some(positions) => Axis::Known(positions),
                    None => return Ok(StatementKind::Assign(target, value)),
                },
            });
        }
        let mut branches = Vec::new();
        for (position, part) in chosen_parts(array, &axes) {
            let mut condition: Option<Expr> = None;
            let indices = axes.iter().filter_map(|axis| match axis {
                Axis::Compared(index) => Some(*index),
                _ => None,
            });
            for (index, place) in indices.zip(position) {
                let place = integer_literal(place as i64, span);
                let same = boolean_expr(BinaryOp::Equal, index.clone(), place, span);
                condition = Some(match condition {
                    None => same,
                    Some(before) => boolean_expr(BinaryOp::And, before, same, span),
                });
            }
            let Some(condition) = condition else { return Ok(StatementKind::Assign(part, value)) };
            branches.push((condition, vec![Statement { kind: StatementKind::Assign(part, value.clone()), span }]));
        }
        Ok(StatementKind::If(branches, Vec::new()))
    }

    /// The positions that an index vector means along an axis of an array, if they are known and there are such elements.
    pub(super) fn known_positions(&mut self, positions: &Expr, array: &Expr, axis: usize) -> Checked<Option<Vec<usize>>> {
        let Some(Value::Array(_, values)) = self.try_eval(positions)? else { return Ok(None) };
        let size = array.ty.dims.get(axis).copied().flatten().unwrap_or(0);
        let position = |value: &Value| match value {
            Value::Integer(at) => usize::try_from(*at).ok().filter(|at| (1..=size).contains(at)),
            _ => None,
        };
        Ok(values.iter().map(position).collect())
    }

    /// Whether an expression contains a loop variable.
    pub(super) fn mentions_loop(&self, e: &Expr, scope: &Scope<'a>) -> bool {
        let mut copy = e.clone();
        let mut found = false;
        walk(&mut copy, &mut |e| {
            if let ExprKind::Local(local) = &e.kind {
                found |= scope.loops.iter().any(|(_, b)| matches!(b, Bound::Local(l) if l == local));
            }
        });
        found
    }

    /// Refuses assignments to constants, parameters, inputs and loop variables.
    pub(super) fn check_assignable(&mut self, target: &Expr, scope: &Scope<'a>) -> Checked<()> {
        let mut stack = vec![target];
        while let Some(e) = stack.pop() {
            let refused = match &e.kind {
                ExprKind::Var(var) => {
                    let variable = &self.model.vars[*var];
                    match variable.variability {
                        Variability::Constant => Some(format!("the constant `{}`", variable.name)),
                        Variability::Parameter if !(scope.initial && self.values.free_parameters.contains(var)) => {
                            Some(format!("the parameter `{}`", variable.name))
                        }
                        _ => None,
                    }
                }
                ExprKind::Local(local) => {
                    let name = &scope.locals[*local].name;
                    let is_loop = scope.loops.iter().any(|(_, b)| matches!(b, Bound::Local(l) if l == local));
                    let is_input = scope.function.is_some_and(|f| self.model.functions[f].inputs.contains(local));
                    if is_loop {
                        Some(format!("the loop variable `{name}`"))
                    } else if is_input {
                        Some(format!("the input `{name}`"))
                    } else {
                        None
                    }
                }
                ExprKind::Index(inner, subscripts) => {
                    stack.push(inner);
                    // Elements declared one by one are chosen by comparison; writing a loop out is better where it can be.
                    let elements = matches!(inner.kind, ExprKind::Array(_));
                    let mut plain = true;
                    for (axis, subscript) in subscripts.iter().enumerate() {
                        if let Subscript::Slice(positions) = subscript {
                            plain &= elements && self.known_positions(positions, inner, axis)?.is_some();
                        }
                    }
                    let in_loop = || {
                        subscripts.iter().any(|s| matches!(s, Subscript::Index(e) | Subscript::Slice(e) if self.mentions_loop(e, scope)))
                    };
                    if elements && (!plain || (!scope.keep_loops && in_loop())) {
                        Some("a part of an array whose elements are declared one by one".to_owned())
                    } else {
                        None
                    }
                }
                ExprKind::Field(inner, _) => {
                    stack.push(inner);
                    None
                }
                ExprKind::Array(parts) | ExprKind::Record(_, parts) => {
                    stack.extend(parts);
                    None
                }
                _ => Some("something that is not a variable".to_owned()),
            };
            if let Some(what) = refused {
                let error = Diagnostic::error("F022", format!("assignment to {what}")).at(target.span, "cannot be assigned");
                let hint = "a parameter has its value from its declaration on; declare a variable without `parameter`";
                return Err(self.error(if what.starts_with("the parameter") { error.with_hint(hint) } else { error }));
            }
        }
        Ok(())
    }

    pub(super) fn for_statement(
        &mut self,
        iterators: &'a [ast::Iterator],
        body: &'a [ast::Statement],
        span: Span,
        scope: &mut Scope<'a>,
        typed: &mut Vec<Statement>,
    ) -> Checked<()> {
        let Some((iterator, inner)) = iterators.split_first() else {
            self.statements(body, scope, typed);
            return Ok(());
        };
        let (n_loops, before, dropped) = (scope.loops.len(), self.reports.diagnostics.len(), self.reports.n_dropped);
        let (local, over) = self.iterator(iterator, scope)?;
        let mut statements = Vec::with_capacity(body.len());
        scope.loop_depth += 1;
        let result = self.for_statement(inner, body, span, scope, &mut statements);
        scope.loop_depth -= 1;
        scope.loops.truncate(n_loops);
        if result.is_ok() && self.reports.diagnostics.len() == before && self.reports.n_dropped == dropped {
            typed.push(Statement { kind: StatementKind::For(local, over, statements), span });
            return Ok(());
        }
        let saved = self.reports.diagnostics.split_off(before);
        if scope.function.is_none() && !scope.keep_loops && contains_break(body) {
            scope.keep_loops = true;
            let again = self.for_statement(iterators, body, span, scope, typed);
            scope.keep_loops = false;
            if again.is_ok() && self.reports.diagnostics.len() == before {
                return Ok(());
            }
            self.reports.diagnostics.truncate(before);
            self.reports.diagnostics.extend(saved);
            return Err(Reported);
        }
        let iterations = if scope.function.is_some() || scope.keep_loops { None } else { self.iterations(&over)? };
        let Some(values) = iterations else {
            self.reports.diagnostics.extend(saved);
            return Err(Reported);
        };
        self.unrolled(iterator, values, saved, scope, typed, |this, scope, typed| this.for_statement(inner, body, span, scope, typed))
    }
}

/// The parts of a written-out array that the subscripts can mean, each with the values of the compared indices. Depth is the number
/// of subscripts.
fn chosen_parts(array: &Expr, axes: &[Axis<'_>]) -> Vec<(Vec<usize>, Expr)> {
    let Some((axis, rest)) = axes.split_first() else { return vec![(Vec::new(), array.clone())] };
    let ExprKind::Array(elements) = &array.kind else { return Vec::new() };
    let chosen: Vec<Vec<(Vec<usize>, Expr)>> = match axis {
        Axis::Compared(_) => {
            let mut parts = Vec::new();
            for (i, element) in elements.iter().enumerate() {
                parts.extend(chosen_parts(element, rest).into_iter().map(|(mut at, part)| {
                    at.insert(0, i + 1);
                    (at, part)
                }));
            }
            return parts;
        }
        Axis::Whole => elements.iter().map(|element| chosen_parts(element, rest)).collect(),
        Axis::Known(positions) => {
            positions.iter().filter_map(|at| elements.get(at.wrapping_sub(1))).map(|element| chosen_parts(element, rest)).collect()
        }
    };
    // All elements have the same parts: those with the same values of the indices make up a part of the whole.
    let Some(first) = chosen.first() else { return Vec::new() };
    let at: Vec<Vec<usize>> = first.iter().map(|(at, _)| at.clone()).collect();
    at.into_iter()
        .enumerate()
        .map(|(k, at)| {
            let parts: Vec<Expr> = chosen.iter().filter_map(|parts| parts.get(k)).map(|(_, part)| part.clone()).collect();
            let mut ty = array.ty.clone();
            if let Some(part) = parts.first() {
                ty.dims = part.ty.dims.clone();
                ty.dims.insert(0, Some(parts.len()));
            }
            (at, Expr { kind: ExprKind::Array(parts), ty, span: array.span })
        })
        .collect()
}
