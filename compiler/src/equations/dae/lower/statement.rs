//! Symbolic execution of algorithms: statements one by one; algorithm sections become equations.
//!
//! Assignments under a condition become `if` expressions (guards); loops over known ranges are unrolled; `return` and
//! `break` under a condition guard what follows. A loop whose end is known only at run time cannot be executed this way.

use super::{Lowerer, Lowering, Phase, Scope};
use crate::base::ids::ExprId;
use crate::equations::dae::Role;
use crate::equations::expr::Node;
use crate::frontend::flat::{self, ExprKind, StatementKind};
use partita_grammar::{Diagnostic, Span};

/// How many iterations a `while` with a known condition may take.
const MAX_WHILE: usize = 10_000;

impl Lowerer<'_> {
    /// `a and b`, where `None` is always.
    pub(super) fn conjunction(&mut self, a: Option<ExprId>, b: Option<ExprId>) -> Option<ExprId> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.sys.arena.and(a, b)),
            (a, b) => a.or(b),
        }
    }

    /// The condition under which the next statement is executed, `None` for always; `Some(false)` for never.
    pub(super) fn live(&mut self, scope: &Scope) -> Option<ExprId> {
        let mut live = scope.guard;
        for stopped in [scope.returned, scope.broken].into_iter().flatten() {
            let not = self.sys.arena.not(stopped);
            live = Some(match live {
                Some(l) => self.sys.arena.and(l, not),
                None => not,
            });
        }
        live
    }

    /// Executes statements in order.
    pub(super) fn statements(&mut self, scope: &mut Scope, statements: &[flat::Statement]) -> Lowering<()> {
        for statement in statements {
            let live = self.live(scope);
            if live.is_some_and(|l| self.sys.arena.as_constant(l) == Some(0.0)) {
                break;
            }
            if scope.function.is_some() && self.sys.arena.len() > self.node_limit {
                return Err(Diagnostic::error("D004", "the function is too large to be inlined").at(statement.span, "here"));
            }
            let known = self.reports.needing_loops.len();
            let done = self.statement(scope, statement, live);
            // The innermost statement that fails is the one to be called.
            if scope.function.is_none()
                && done.as_ref().is_err_and(|error| error.code == "D004")
                && self.reports.needing_loops.len() == known
            {
                self.reports.needing_loops.insert(statement.span);
            }
            done?;
        }
        Ok(())
    }

    fn statement(&mut self, scope: &mut Scope, statement: &flat::Statement, live: Option<ExprId>) -> Lowering<()> {
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                let value = self.expr(scope, value)?;
                self.assign(scope, target, value, live)
            }
            StatementKind::Tuple(targets, call) => {
                let outputs = self.call_outputs(scope, call)?;
                for (target, output) in targets.iter().zip(outputs) {
                    if let Some(target) = target {
                        self.assign(scope, target, output, live)?;
                    }
                }
                Ok(())
            }
            StatementKind::If(branches, otherwise) => self.if_statement(scope, branches, otherwise, live),
            StatementKind::For(local, range, body) => self.for_statement(scope, *local, range, body, live),
            StatementKind::While(condition, body) => self.while_statement(scope, condition, body, live, statement.span),
            StatementKind::When(branches) => self.when_statement(scope, branches, statement.span),
            StatementKind::Call(call) => {
                let mut inner = scope.clone();
                inner.guard = live;
                self.effect(&mut inner, call, statement.span)
            }
            StatementKind::Break => {
                scope.broken = Some(self.stopped(scope.broken, live));
                Ok(())
            }
            StatementKind::Return => {
                scope.returned = Some(self.stopped(scope.returned, live));
                Ok(())
            }
        }
    }

    fn if_statement(
        &mut self,
        scope: &mut Scope,
        branches: &[(flat::Expr, Vec<flat::Statement>)],
        otherwise: &[flat::Statement],
        live: Option<ExprId>,
    ) -> Lowering<()> {
        let outer = scope.guard;
        let mut open = live;
        let mut result = Ok(());
        let mut decided = false;
        for (condition, body) in branches {
            // A condition matters only where those before it do not hold.
            let path = scope.path;
            scope.path = self.conjunction(path, open);
            let condition = self.scalar(scope, condition);
            scope.path = path;
            let condition = condition?;
            let known = self.sys.arena.as_constant(condition);
            if known == Some(0.0) {
                continue;
            }
            scope.guard = match (open, known) {
                (guard, Some(_)) => guard,
                (None, None) => Some(condition),
                (Some(open), None) => Some(self.sys.arena.and(open, condition)),
            };
            result = self.statements(scope, body);
            if known.is_some() || result.is_err() {
                decided = true;
                break;
            }
            let not = self.sys.arena.not(condition);
            open = Some(match open {
                None => not,
                Some(open) => self.sys.arena.and(open, not),
            });
        }
        if !decided {
            scope.guard = open;
            result = self.statements(scope, otherwise);
        }
        scope.guard = outer;
        result
    }

    fn for_statement(
        &mut self,
        scope: &mut Scope,
        local: flat::LocalId,
        range: &flat::Expr,
        body: &[flat::Statement],
        live: Option<ExprId>,
    ) -> Lowering<()> {
        let range = self.expr(scope, range).map_err(|e| {
            if e.code == "D006" {
                Diagnostic::error("D004", "the loop's range is known only at run time").at(range.span, "this range")
            } else {
                e
            }
        })?;
        let outer_broken = scope.broken.take();
        let outer_guard = std::mem::replace(&mut scope.guard, live);
        for item in range.items().unwrap_or(&[]) {
            scope.locals[local] = Some(item.clone());
            self.statements(scope, body)?;
            if scope.broken.is_some_and(|b| self.sys.arena.as_constant(b) == Some(1.0)) {
                break;
            }
        }
        scope.broken = outer_broken;
        scope.guard = outer_guard;
        Ok(())
    }

    fn while_statement(
        &mut self,
        scope: &mut Scope,
        condition: &flat::Expr,
        body: &[flat::Statement],
        live: Option<ExprId>,
        span: Span,
    ) -> Lowering<()> {
        let outer_broken = scope.broken.take();
        let outer_guard = std::mem::replace(&mut scope.guard, live);
        for iteration in 0.. {
            let value = self.scalar(scope, condition)?;
            match self.sys.decided_value(value) {
                Some(0.0) => break,
                Some(_) if iteration < MAX_WHILE => {}
                Some(_) => {
                    return Err(
                        Diagnostic::error("D004", format!("the loop does not end within {MAX_WHILE} iterations")).at(span, "this loop")
                    );
                }
                None => {
                    return Err(
                        Diagnostic::error("D004", "the loop ends at a value known only at run time").at(condition.span, "this condition")
                    );
                }
            }
            self.statements(scope, body)?;
            match scope.broken.map(|b| self.sys.arena.as_constant(b)) {
                Some(Some(1.0)) => break,
                Some(None) => {
                    return Err(Diagnostic::error("D004", "the loop ends at a value known only at run time").at(span, "this loop"));
                }
                _ => {}
            }
            if scope.returned.is_some_and(|r| self.sys.arena.as_constant(r) == Some(1.0)) {
                break;
            }
        }
        scope.broken = outer_broken;
        scope.guard = outer_guard;
        Ok(())
    }

    fn stopped(&mut self, before: Option<ExprId>, live: Option<ExprId>) -> ExprId {
        let now = match live {
            Some(live) => live,
            None => self.sys.arena.constant(1.0),
        };
        match before {
            Some(before) => self.sys.arena.or(before, now),
            None => now,
        }
    }

    /// An algorithm section: each assigned variable gets one equation.
    pub(super) fn algorithm(&mut self, algorithm: &flat::Algorithm, phase: Phase) -> Lowering<()> {
        let mut targets = indexmap::IndexSet::new();
        collect_targets(&algorithm.statements, &mut targets);
        let mut scope = Scope { no_event: phase == Phase::Start, phase, ..Scope::default() };
        for id in &targets {
            let Some(val) = self.value_of[*id].clone() else { continue };
            let before = val.map(&mut |e| match self.sys.arena.node(e) {
                Node::Var(v) if self.sys.vars[v].role == Role::Discrete && phase == Phase::Run => {
                    let pre = self.sys.pre_of(v);
                    Ok::<_, Diagnostic>(self.sys.arena.var(pre))
                }
                Node::Var(v) => Ok(self.sys.vars[v].start.unwrap_or_else(|| self.sys.arena.constant(0.0))),
                _ => Ok(e),
            })?;
            scope.assigned.insert(*id, before);
        }
        self.statements(&mut scope, &algorithm.statements)?;
        for id in targets {
            let (Some(lhs), Some(rhs)) = (self.value_of[id].clone(), scope.assigned.get(&id).cloned()) else { continue };
            self.equate(&lhs, &rhs, algorithm.span, phase)?;
        }
        Ok(())
    }
}

/// The variables that an assignment to `target` may change.
pub(super) fn assigned_variables(target: &flat::Expr, found: &mut dyn FnMut(flat::VarId)) {
    match &target.kind {
        ExprKind::Var(id) => found(*id),
        ExprKind::Index(base, _) | ExprKind::Field(base, _) => assigned_variables(base, found),
        ExprKind::Array(items) | ExprKind::Record(_, items) => items.iter().for_each(|item| assigned_variables(item, found)),
        _ => {}
    }
}

/// Variables that statements assign, in order of first assignment.
pub(super) fn collect_targets(statements: &[flat::Statement], targets: &mut indexmap::IndexSet<flat::VarId>) {
    let target = |expr: &flat::Expr, targets: &mut indexmap::IndexSet<flat::VarId>| {
        assigned_variables(expr, &mut |id| {
            targets.insert(id);
        })
    };
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign(lhs, _) => target(lhs, targets),
            StatementKind::Tuple(lhs, _) => lhs.iter().flatten().for_each(|lhs| target(lhs, targets)),
            StatementKind::If(branches, otherwise) => {
                branches.iter().for_each(|(_, body)| collect_targets(body, targets));
                collect_targets(otherwise, targets);
            }
            StatementKind::When(branches) => branches.iter().for_each(|(_, body)| collect_targets(body, targets)),
            StatementKind::For(_, _, body) | StatementKind::While(_, body) => collect_targets(body, targets),
            StatementKind::Call(_) | StatementKind::Break | StatementKind::Return => {}
        }
    }
}
