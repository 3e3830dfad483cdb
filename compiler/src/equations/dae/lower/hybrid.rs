//! `when` clauses: conditions and activations as variables, bodies as guarded assignments.

use super::statement::assigned_variables;
use super::value::Val;
use super::{Lowerer, Lowering, Scope};
use crate::base::ids::{ExprId, VarId};
use crate::equations::dae::{Equation, EquationKind, Origin, Purpose, Role};
use crate::equations::expr::Node;
use crate::frontend::flat::{self, StatementKind};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::model::plan::SlotType;
use rustc_hash::FxHashSet;

/// Variables that are assigned in `when` clauses and nowhere else in the same algorithm: they are discrete.
pub(super) fn collect_when_assigned(model: &flat::FlatModel, out: &mut FxHashSet<flat::VarId>) {
    fn equations(list: &[flat::Equation], in_when: bool, out: &mut FxHashSet<flat::VarId>) {
        for equation in list {
            match &equation.kind {
                flat::EquationKind::Equal(lhs, _) if in_when => assigned_variables(lhs, &mut |id| {
                    out.insert(id);
                }),
                flat::EquationKind::Tuple(targets, _) if in_when => targets.iter().flatten().for_each(|lhs| {
                    assigned_variables(lhs, &mut |id| {
                        out.insert(id);
                    })
                }),
                flat::EquationKind::For(_, _, body) => equations(body, in_when, out),
                flat::EquationKind::If(branches, otherwise) => {
                    branches.iter().for_each(|(_, body)| equations(body, in_when, out));
                    equations(otherwise, in_when, out);
                }
                flat::EquationKind::When(branches) => branches.iter().for_each(|(_, body)| equations(body, true, out)),
                _ => {}
            }
        }
    }
    equations(&model.equations, false, out);
    for algorithm in &model.algorithms {
        let (mut inside, mut outside) = (indexmap::IndexSet::new(), indexmap::IndexSet::new());
        for statement in &algorithm.statements {
            let targets = if matches!(statement.kind, StatementKind::When(_)) { &mut inside } else { &mut outside };
            super::statement::collect_targets(std::slice::from_ref(statement), targets);
        }
        out.extend(inside.into_iter().filter(|v| !outside.contains(v)));
    }
}

/// When a branch of a `when` is active.
#[derive(Copy, Clone, Debug)]
struct Activation {
    /// A Boolean that is true during the event.
    var: VarId,
    /// It is active at the start: its condition has `initial()`, and that of no branch before it.
    at_start: bool,
}

impl Lowerer<'_> {
    /// The activation of one `when` branch: a Boolean variable that is true during the event at which the condition
    /// becomes true and no branch before it is active.
    fn activation(&mut self, scope: &mut Scope, condition: &flat::Expr, before: &[Activation], span: Span) -> Lowering<Activation> {
        let conditions = match self.expr(scope, condition)? {
            Val::Array(items) => items.iter().flat_map(Val::to_scalars).collect(),
            other => other.to_scalars(),
        };
        let initial = self.sys.flags.initial_flag;
        let mut at_start = false;
        let mut active: Option<ExprId> = None;
        for condition in conditions {
            if let Node::Var(v) = self.sys.arena.node(condition)
                && Some(v) == initial
            {
                at_start = true;
                continue;
            }
            let var = self.discrete_named(condition, (Purpose::Auxiliary, "condition"), SlotType::Boolean, span);
            let pre = self.sys.pre_of(var);
            let (now, pre) = (self.sys.arena.var(var), self.sys.arena.var(pre));
            let not_before = self.sys.arena.not(pre);
            let edge = self.sys.arena.and(now, not_before);
            active = Some(match active {
                None => edge,
                Some(other) => self.sys.arena.or(other, edge),
            });
        }
        let mut value = active.unwrap_or_else(|| self.sys.arena.constant(0.0));
        for earlier in before {
            at_start &= !earlier.at_start;
            let earlier = self.sys.arena.var(earlier.var);
            let not = self.sys.arena.not(earlier);
            value = self.sys.arena.and(value, not);
        }
        self.n_when += 1;
        let var = self.auxiliary_variable("when", SlotType::Boolean, Role::Discrete, span);
        self.activations.insert(var);
        let lhs = self.sys.arena.var(var);
        self.auxiliary_eqs.push(Equation { lhs, rhs: value, kind: EquationKind::Activation { at_start }, origin: Origin::Source(span) });
        Ok(Activation { var, at_start })
    }

    /// A `when` equation: its variables keep their `pre` value unless a branch is active.
    pub(super) fn when_equation(&mut self, scope: &mut Scope, branches: &[(flat::Expr, Vec<flat::Equation>)], span: Span) -> Lowering<()> {
        let mut active = Vec::new();
        let mut body_scope = Scope { no_event: true, in_when: true, locals: scope.locals.clone(), ..Scope::default() };
        let mut spans: indexmap::IndexMap<flat::VarId, Span> = indexmap::IndexMap::new();
        for (condition, body) in branches {
            let activation = self.activation(scope, condition, &active, span)?;
            body_scope.guard = Some(self.sys.arena.var(activation.var));
            self.when_body(&mut body_scope, body, &mut spans)?;
            active.push(activation);
        }
        for (id, value) in std::mem::take(&mut body_scope.assigned) {
            let Some(lhs) = self.value_of[id].clone() else { continue };
            // Elements of the variable that this `when` does not assign still hold their `pre`: they belong elsewhere.
            let (lhs, rhs) = (lhs.to_scalars(), value.to_scalars());
            for (lhs, rhs) in lhs.into_iter().zip(rhs) {
                let own_pre = match self.sys.arena.node(lhs) {
                    Node::Var(v) => self.sys.vars[v].pre.map(|p| self.sys.arena.var(p)),
                    _ => None,
                };
                if own_pre == Some(rhs) && !self.model.vars[id].ty.dims.is_empty() {
                    continue;
                }
                self.eqs.push(Equation {
                    lhs,
                    rhs,
                    kind: EquationKind::Discrete,
                    origin: Origin::Source(spans.get(&id).copied().unwrap_or(span)),
                });
            }
        }
        Ok(())
    }

    fn when_body(&mut self, scope: &mut Scope, body: &[flat::Equation], spans: &mut indexmap::IndexMap<flat::VarId, Span>) -> Lowering<()> {
        for equation in body {
            let guard = scope.guard;
            match &equation.kind {
                flat::EquationKind::Equal(lhs, rhs) => {
                    let rhs = self.current_value(scope, rhs)?;
                    self.assign_in_when(scope, lhs, rhs, guard, equation.span, spans)?;
                }
                flat::EquationKind::Tuple(targets, call) => {
                    let saved = std::mem::take(&mut scope.assigned);
                    let outputs = self.call_outputs(scope, call);
                    scope.assigned = saved;
                    for (target, output) in targets.iter().zip(outputs?) {
                        if let Some(target) = target {
                            self.assign_in_when(scope, target, output, guard, equation.span, spans)?;
                        }
                    }
                }
                flat::EquationKind::For(local, range, inner) => {
                    let range = self.expr(scope, range)?;
                    for item in range.items().unwrap_or(&[]).to_vec() {
                        scope.locals[*local] = Some(item);
                        self.when_body(scope, inner, spans)?;
                    }
                }
                flat::EquationKind::If(branches, otherwise) => {
                    let mut open = guard;
                    for (condition, inner) in branches {
                        let condition = match self.current_value(scope, condition)? {
                            Val::Scalar(c) => c,
                            _ => return Err(Diagnostic::error("D002", "a scalar condition is needed here").at(condition.span, "here")),
                        };
                        let not = self.sys.arena.not(condition);
                        scope.guard = Some(match open {
                            Some(open) => self.sys.arena.and(open, condition),
                            None => condition,
                        });
                        self.when_body(scope, inner, spans)?;
                        open = Some(match open {
                            Some(open) => self.sys.arena.and(open, not),
                            None => not,
                        });
                    }
                    scope.guard = open;
                    self.when_body(scope, otherwise, spans)?;
                    scope.guard = guard;
                }
                flat::EquationKind::When(_) => {
                    return Err(Diagnostic::error("D001", "a when inside a when is not allowed").at(equation.span, "here"));
                }
                flat::EquationKind::Call(call) => {
                    let mut inner = Scope { assigned: indexmap::IndexMap::new(), ..scope.clone() };
                    self.effect(&mut inner, call, equation.span)?;
                }
            }
        }
        Ok(())
    }

    /// Equations of a `when` are simultaneous: a right-hand side sees the variables, not what was assigned above.
    fn current_value(&mut self, scope: &mut Scope, expr: &flat::Expr) -> Lowering<Val> {
        let saved = std::mem::take(&mut scope.assigned);
        let value = self.expr(scope, expr);
        scope.assigned = saved;
        value
    }

    fn assign_in_when(
        &mut self,
        scope: &mut Scope,
        target: &flat::Expr,
        value: Val,
        guard: Option<ExprId>,
        span: Span,
        spans: &mut indexmap::IndexMap<flat::VarId, Span>,
    ) -> Lowering<()> {
        let mut ids = Vec::new();
        assigned_variables(target, &mut |id| ids.push(id));
        if ids.is_empty() {
            return Err(Diagnostic::error("D003", "an equation in a when must have a variable on its left-hand side")
                .at(span, "in this equation")
                .with_hint("write `variable = expression`; outside of `when` other forms are solved for the discrete variable"));
        }
        for id in ids {
            spans.entry(id).or_insert(span);
            if scope.assigned.contains_key(&id) {
                continue;
            }
            let Some(val) = self.value_of[id].clone() else {
                return Err(Diagnostic::error("D003", "an equation in a when must assign a variable").at(span, "in this equation"));
            };
            let before = val.map(&mut |e| match self.sys.arena.node(e) {
                Node::Var(v) => {
                    let pre = self.sys.pre_of(v);
                    Ok::<_, Diagnostic>(self.sys.arena.var(pre))
                }
                _ => Ok(e),
            })?;
            scope.assigned.insert(id, before);
        }
        self.assign(scope, target, value, guard)
    }

    /// A `when` statement: its body is executed where a branch is active.
    pub(super) fn when_statement(
        &mut self,
        scope: &mut Scope,
        branches: &[(flat::Expr, Vec<flat::Statement>)],
        span: Span,
    ) -> Lowering<()> {
        let outer = scope.guard;
        let (was_no_event, was_in_when) = (scope.no_event, scope.in_when);
        let mut active = Vec::new();
        for (condition, body) in branches {
            let activation = self.activation(scope, condition, &active, span)?;
            let here = self.sys.arena.var(activation.var);
            scope.guard = Some(match outer {
                Some(outer) => self.sys.arena.and(outer, here),
                None => here,
            });
            (scope.no_event, scope.in_when) = (true, true);
            let result = self.statements(scope, body);
            scope.guard = outer;
            (scope.no_event, scope.in_when) = (was_no_event, was_in_when);
            result?;
            active.push(activation);
        }
        Ok(())
    }
}
