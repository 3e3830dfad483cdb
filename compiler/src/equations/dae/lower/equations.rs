//! Equations: scalar ones for every equation of the flat model, with `if` and `for` taken apart.
//!
//! Input: flat equations. Output: equations of the system, those of the start apart. Cost: linear in the number of scalar equations.

use super::value::Val;
use super::{Lowerer, Lowering, Phase, Scope, unsupported};
use crate::base::budget;
use crate::base::ids::ExprId;
use crate::equations::dae::{Equation, Origin, Role};
use crate::frontend::flat;
use partita_grammar::{Diagnostic, Span};
use partita_runtime::model::plan::SlotType;
use rustc_hash::{FxHashMap, FxHashSet};

/// A branch of an if-equation: its condition, none for the last one.
type Branch<'e> = (Option<ExprId>, &'e [flat::Equation]);

impl Lowerer<'_> {
    pub(super) fn equations(&mut self) {
        let model = self.model;
        self.define_texts();
        for (id, var) in model.vars.iter() {
            let is_parameter = matches!(var.variability, flat::Variability::Constant | flat::Variability::Parameter);
            let Some(binding) = var.binding.as_ref().filter(|_| !is_parameter) else { continue };
            if var.ty.scalar == flat::Scalar::String {
                let mut scope = Scope::default();
                match self.expr(&mut scope, binding) {
                    Ok(text) => self.value_of[id] = Some(text),
                    Err(error) => self.fail(error),
                }
                continue;
            }
            budget::at(var.span);
            let Some(lhs) = self.value_of[id].clone() else { continue };
            let mut scope = Scope::default();
            let result = self.expr(&mut scope, binding).and_then(|rhs| self.equate(&lhs, &rhs, var.span.to(binding.span), Phase::Run));
            if let Err(error) = result {
                self.fail(error);
            }
        }
        for equation in &model.equations {
            budget::at(equation.span);
            let mut scope = Scope::default();
            if let Err(error) = self.equation(&mut scope, equation, Phase::Run) {
                self.fail(error);
            }
        }
        for equation in &model.initial_equations {
            budget::at(equation.span);
            let mut scope = Scope { no_event: true, phase: Phase::Start, ..Scope::default() };
            if let Err(error) = self.equation(&mut scope, equation, Phase::Start) {
                self.fail(error);
            }
        }
        for algorithm in &model.algorithms {
            budget::at(algorithm.span);
            if let Err(error) = self.algorithm(algorithm, Phase::Run) {
                self.fail(error);
            }
        }
        for algorithm in &model.initial_algorithms {
            budget::at(algorithm.span);
            if let Err(error) = self.algorithm(algorithm, Phase::Start) {
                self.fail(error);
            }
        }
    }

    /// Adds `lhs = rhs` for every scalar.
    pub(super) fn equate(&mut self, lhs: &Val, rhs: &Val, span: Span, phase: Phase) -> Lowering<()> {
        let mut pairs = Vec::new();
        let rhs = self.completed(lhs, rhs, span);
        let matched = lhs.zip(&rhs, &mut |a, b| {
            pairs.push((a, b));
            Ok::<_, Diagnostic>(a)
        })?;
        if matched.is_none() {
            return Err(Diagnostic::error("D002", "the two sides of the equation have different dimensions").at(span, "in this equation"));
        }
        for (lhs, rhs) in pairs {
            self.add_equation(lhs, rhs, span, phase);
        }
        Ok(())
    }

    pub(super) fn add_equation(&mut self, lhs: ExprId, rhs: ExprId, span: Span, phase: Phase) {
        let kind = self.kind((lhs, rhs), phase, &FxHashSet::default());
        let equation = Equation { lhs, rhs, kind, origin: Origin::Source(span) };
        if phase == Phase::Start {
            self.sys.initial_eqs.push(equation);
        } else {
            self.eqs.push(equation);
        }
    }

    /// Outside of `when`, `pre` is meant for what changes at events only.
    pub(super) fn warn_of_pre_between_events(&mut self, val: &Val, span: Span) {
        let continuous = val.to_scalars().into_iter().find_map(|e| match self.sys.arena.node(e) {
            crate::equations::expr::Node::Var(v) if self.sys.vars[v].role == Role::Continuous && self.sys.vars[v].ty == SlotType::Real => {
                Some(v)
            }
            _ => None,
        });
        if let Some(var) = continuous {
            let name = &self.sys.vars[var].name;
            let warning = Diagnostic::warning("D011", format!("{name} changes between events, and `pre({name})` does not"))
                .at(span, "its value before the last event")
                .with_hint("`pre` of a continuous variable belongs into a `when`");
            self.warn_once(warning);
        }
    }

    /// The texts of String variables, from equations `variable = text`: they are put where the variables are used.
    fn define_texts(&mut self) {
        let model = self.model;
        let mut open: Vec<(flat::VarId, &flat::Expr)> = Vec::new();
        for equation in &model.equations {
            if let flat::EquationKind::Equal(flat::Expr { kind: flat::ExprKind::Var(id), ty, .. }, rhs) = &equation.kind
                && ty.scalar == flat::Scalar::String
                && ty.dims.is_empty()
                && self.value_of[*id].is_none()
            {
                open.push((*id, rhs));
            }
        }
        let mut counts: FxHashMap<flat::VarId, usize> = FxHashMap::default();
        open.iter().for_each(|(id, _)| *counts.entry(*id).or_default() += 1);
        open.retain(|(id, _)| counts[id] == 1);
        // A text may be made of others.
        loop {
            let before = open.len();
            open.retain(|(id, rhs)| match self.expr(&mut Scope::default(), rhs) {
                Ok(text @ Val::Text(_)) => {
                    self.value_of[*id] = Some(text);
                    false
                }
                _ => true,
            });
            if open.len() == before {
                break;
            }
        }
    }

    pub(super) fn equation(&mut self, scope: &mut Scope, equation: &flat::Equation, phase: Phase) -> Lowering<()> {
        match &equation.kind {
            flat::EquationKind::Equal(lhs, rhs) => {
                if lhs.ty.scalar == flat::Scalar::String {
                    let is_defined =
                        matches!(lhs.kind, flat::ExprKind::Var(id) if self.value_of[id].is_some() && self.model.vars[id].binding.is_none());
                    return if is_defined { Ok(()) } else { Err(unsupported("this equation between Strings", equation.span)) };
                }
                let lhs = self.expr(scope, lhs)?;
                let rhs = self.expr(scope, rhs)?;
                self.equate(&lhs, &rhs, equation.span, phase)
            }
            flat::EquationKind::Tuple(targets, call) => {
                let outputs = self.call_outputs(scope, call)?;
                for (target, output) in targets.iter().zip(&outputs) {
                    if let Some(target) = target {
                        let target = self.expr(scope, target)?;
                        self.equate(&target, output, equation.span, phase)?;
                    }
                }
                Ok(())
            }
            flat::EquationKind::For(local, range, body) => {
                let range = self.expr(scope, range)?;
                for item in range.items().unwrap_or(&[]).to_vec() {
                    scope.locals[*local] = Some(item);
                    for equation in body {
                        self.equation(scope, equation, phase)?;
                    }
                }
                Ok(())
            }
            flat::EquationKind::If(branches, otherwise) => self.if_equation(scope, branches, otherwise, equation.span, phase),
            flat::EquationKind::When(branches) => {
                if phase == Phase::Start {
                    return Err(unsupported("`when` among initial equations", equation.span));
                }
                self.when_equation(scope, branches, equation.span)
            }
            flat::EquationKind::Call(call) => {
                let mut inner = scope.clone();
                self.effect(&mut inner, call, equation.span)
            }
        }
    }

    /// Branches of an if-equation become one set of equations with `if` expressions.
    fn if_equation(
        &mut self,
        scope: &mut Scope,
        branches: &[(flat::Expr, Vec<flat::Equation>)],
        otherwise: &[flat::Equation],
        span: Span,
        phase: Phase,
    ) -> Lowering<()> {
        let mut kept: Vec<Branch<'_>> = Vec::new();
        let path = scope.path;
        for (condition, body) in branches {
            let condition = self.scalar(scope, condition);
            let condition = condition.inspect_err(|_| scope.path = path)?;
            match self.sys.arena.as_constant(condition) {
                Some(0.0) => {}
                Some(_) => {
                    kept.push((None, body));
                    break;
                }
                None => kept.push((Some(condition), body)),
            }
            // The next condition matters only where this one does not hold.
            let not = self.sys.arena.not(condition);
            scope.path = self.conjunction(scope.path, Some(not));
        }
        scope.path = path;
        if kept.last().is_none_or(|(condition, _)| condition.is_some()) {
            kept.push((None, otherwise));
        }
        if let [(None, body)] = kept.as_slice() {
            for equation in *body {
                self.equation(scope, equation, phase)?;
            }
            return Ok(());
        }
        // Lower each branch apart, then join the equations of equal position.
        let sides = self.lowered_branches(scope, &kept, phase)?;
        let n = sides[0].len();
        if sides.iter().any(|s| s.len() != n) {
            return Err(Diagnostic::error("D001", "the branches of this if-equation have different numbers of equations")
                .at(
                    span,
                    format!("the branches have {} equations", sides.iter().map(|s| s.len().to_string()).collect::<Vec<_>>().join(", ")),
                )
                .with_hint("this is allowed only if the condition is known when the model is compiled; make its parameters final"));
        }
        self.join_branches(&kept, &sides, phase);
        Ok(())
    }

    /// The equations of each branch.
    fn lowered_branches(&mut self, scope: &Scope, kept: &[Branch<'_>], phase: Phase) -> Lowering<Vec<Vec<Equation>>> {
        let mut sides: Vec<Vec<Equation>> = Vec::new();
        let mut taken: Option<ExprId> = None;
        for (condition, body) in kept {
            let here = match (taken, condition) {
                (None, Some(c)) => Some(*c),
                (Some(t), Some(c)) => {
                    let not = self.sys.arena.not(t);
                    Some(self.sys.arena.and(not, *c))
                }
                (Some(t), None) => Some(self.sys.arena.not(t)),
                (None, None) => None,
            };
            let mut inner = scope.clone();
            inner.guard = match (scope.guard, here) {
                (Some(g), Some(h)) => Some(self.sys.arena.and(g, h)),
                (g, h) => g.or(h),
            };
            let before = if phase == Phase::Start { self.sys.initial_eqs.len() } else { self.eqs.len() };
            for equation in *body {
                self.equation(&mut inner, equation, phase)?;
            }
            let written = if phase == Phase::Start { &mut self.sys.initial_eqs } else { &mut self.eqs };
            sides.push(written.drain(before..).collect());
            taken = match (taken, condition) {
                (None, Some(c)) => Some(*c),
                (Some(t), Some(c)) => Some(self.sys.arena.or(t, *c)),
                (t, None) => t,
            };
        }
        Ok(sides)
    }

    /// One equation for each position in the branches, with `if` expressions.
    fn join_branches(&mut self, kept: &[Branch<'_>], sides: &[Vec<Equation>], phase: Phase) {
        for i in 0..sides[0].len() {
            let mut i_sides: Vec<(Option<ExprId>, Equation)> = kept.iter().zip(sides).map(|((c, _), s)| (*c, s[i])).collect();
            let same_lhs = i_sides.iter().all(|(_, e)| e.lhs == i_sides[0].1.lhs);
            let Some((_, last)) = i_sides.pop() else { continue };
            let arena = &mut self.sys.arena;
            let mut residual = if same_lhs { last.rhs } else { arena.sub(last.lhs, last.rhs) };
            for (condition, equation) in i_sides.into_iter().rev() {
                let value = if same_lhs { equation.rhs } else { arena.sub(equation.lhs, equation.rhs) };
                if let Some(condition) = condition {
                    residual = arena.select(condition, value, residual);
                }
            }
            let lhs = if same_lhs { last.lhs } else { arena.constant(0.0) };
            self.add_equation(lhs, residual, last.origin.span(), phase);
        }
    }
}
