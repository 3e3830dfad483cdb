//! What equations and statements do besides giving values: asserts, messages, `terminate`, `reinit`.
//!
//! Input: calls for their effect, with the guard of the place where they stand. Output: actions and reinits of the system. An action
//! that is met within a function waits until the function has been executed; [`Lowerer::settle_actions`] then makes variables of its
//! trigger and of the values and conditions in its message. Cost: linear in the message.

use super::value::{MAX_NESTED_CHOICES, TextFragment, nested_choices};
use super::{Lowerer, Lowering, PendingAction, Phase, Scope, unsupported};
use crate::base::ids::{ExprId, VarId};
use crate::equations::dae::{Action, Equation, EquationKind, Origin, Purpose, Role, Text};
use crate::frontend::flat::{self, StateSelect};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::base::format::Format;
use partita_runtime::model::plan::{ActionKind, SlotType};

impl Lowerer<'_> {
    /// `assert`, `terminate`, `reinit` and calls for their effect. The scope's guard says when.
    pub(super) fn effect(&mut self, scope: &mut Scope, call: &flat::Expr, span: Span) -> Lowering<()> {
        match &call.kind {
            flat::ExprKind::Builtin(flat::Builtin::Assert, args) => {
                let was = std::mem::replace(&mut scope.no_event, true);
                let condition = args.first().map(|c| self.scalar(scope, c)).transpose()?;
                scope.no_event = was;
                let Some(condition) = condition else { return Ok(()) };
                if self.sys.arena.as_constant(condition).is_some_and(|c| c != 0.0) {
                    return Ok(());
                }
                let message = match args.get(1) {
                    Some(text) => self.text(scope, text)?,
                    None => Vec::new(),
                };
                let is_warning = match args.get(2) {
                    Some(level) => {
                        let level = self.scalar(scope, level)?;
                        self.sys.arena.as_constant(level) == Some(1.0)
                    }
                    None => false,
                };
                let kind = if is_warning { ActionKind::AssertWarning } else { ActionKind::AssertError };
                let violated = self.sys.arena.not(condition);
                self.action(scope, violated, kind, message, span);
                Ok(())
            }
            flat::ExprKind::Builtin(flat::Builtin::Terminate | flat::Builtin::Print, args) => {
                let message = match args.first() {
                    Some(text) => self.text(scope, text)?,
                    None => Vec::new(),
                };
                let kind = if matches!(call.kind, flat::ExprKind::Builtin(flat::Builtin::Terminate, _)) {
                    ActionKind::Terminate
                } else {
                    ActionKind::Print
                };
                let always = self.sys.arena.constant(1.0);
                self.action(scope, always, kind, message, span);
                Ok(())
            }
            flat::ExprKind::Builtin(flat::Builtin::Reinit, args) => self.reinit(scope, args, span),
            _ => {
                // A function called for its effect: its asserts are collected while it is executed.
                self.called.last = None;
                self.call_outputs(scope, call)?;
                if let (Some((last, called)), flat::ExprKind::Call(id, _)) = (self.called.last.take(), &call.kind)
                    && last == *id
                    && (scope.in_when || scope.phase == Phase::Start)
                {
                    self.called_for_effect(scope, called, span);
                }
                Ok(())
            }
        }
    }

    /// Lets a call that gives nothing be made where the guard of its place holds: a discrete variable takes what it does not give.
    fn called_for_effect(&mut self, scope: &Scope, called: ExprId, span: Span) {
        let mut when = self.conjunction(scope.path, scope.guard);
        if scope.phase == Phase::Start {
            let flag = self.flag(true);
            let at_start = self.sys.arena.var(flag);
            when = self.conjunction(when, Some(at_start));
        }
        let nothing = self.sys.arena.constant(0.0);
        let value = when.map_or(called, |when| self.sys.arena.select(when, called, nothing));
        let var = self.auxiliary_variable("effect", SlotType::Real, Role::Discrete, span);
        let lhs = self.sys.arena.var(var);
        self.auxiliary_eqs.push(Equation { lhs, rhs: value, kind: EquationKind::Discrete, origin: Origin::Source(span) });
    }

    pub(super) fn action(&mut self, scope: &Scope, condition: ExprId, kind: ActionKind, message: Vec<TextFragment<ExprId>>, span: Span) {
        let when = self.conjunction(scope.path, scope.guard);
        let mut trigger = self.conjunction(when, Some(condition)).unwrap_or(condition);
        if scope.phase == Phase::Start {
            let flag = self.flag(true);
            let at_start = self.sys.arena.var(flag);
            trigger = self.sys.arena.and(trigger, at_start);
        }
        if self.sys.arena.as_constant(trigger) == Some(0.0) {
            return;
        }
        self.pending_actions.push(PendingAction { trigger, kind, message, span, momentary: scope.in_when || scope.phase == Phase::Start });
        if scope.function.is_none() {
            self.settle_actions();
        }
    }

    /// A failure of the run where `condition` holds at a place that is reached.
    pub(super) fn failure(&mut self, scope: &Scope, condition: ExprId, message: String, span: Span) {
        let live = self.live(scope);
        let here = Scope {
            guard: live,
            path: scope.path,
            function: scope.function,
            in_when: scope.in_when,
            phase: scope.phase,
            ..Scope::default()
        };
        self.action(&here, condition, ActionKind::AssertError, vec![TextFragment::Literal(message)], span);
    }

    /// Makes variables of the triggers and values of all pending asserts and messages.
    pub(super) fn settle_actions(&mut self) {
        for action in std::mem::take(&mut self.pending_actions) {
            let span = action.span;
            if nested_choices(&action.message) > MAX_NESTED_CHOICES {
                self.fail(unsupported("a message with so many conditions inside conditions", span));
                continue;
            }
            let message = self.message(action.message, span);
            // Only events compute discrete variables; a continuous one would be looked at when the activation is over.
            let (role, kind) =
                if action.momentary { (Role::Discrete, EquationKind::Discrete) } else { (Role::Continuous, EquationKind::Continuous) };
            let trigger = self.variable_for(Purpose::RunTime, "action", SlotType::Boolean, role, span);
            let lhs = self.sys.arena.var(trigger);
            self.auxiliary_eqs.push(Equation { lhs, rhs: action.trigger, kind, origin: Origin::Source(span) });
            self.sys.actions.push(Action { trigger, kind: action.kind, message, span });
        }
    }

    /// A message whose values and conditions are variables.
    fn message(&mut self, pieces: Vec<TextFragment<ExprId>>, span: Span) -> Vec<Text> {
        let mut texts = Vec::with_capacity(pieces.len());
        for piece in pieces {
            texts.push(match piece {
                TextFragment::Literal(text) => Text::Literal(text),
                TextFragment::Value(value, format) => Text::Value(self.shown(value, &format, span), format),
                TextFragment::Either(condition, a, b) => {
                    let condition = self.shown(condition, &Format::Plain(SlotType::Boolean), span);
                    Text::Either(condition, self.message(a, span), self.message(b, span))
                }
            });
        }
        texts
    }

    /// A variable that shows a value in a message.
    fn shown(&mut self, value: ExprId, format: &Format, span: Span) -> VarId {
        if let crate::equations::expr::Node::Var(var) = self.sys.arena.node(value) {
            return var;
        }
        let ty = match format {
            Format::Plain(ty) | Format::Whole(ty, _) | Format::C(ty, _) => *ty,
            Format::Name(..) => SlotType::Integer,
            Format::General { .. } => SlotType::Real,
        };
        let var = self.auxiliary_variable("text", ty, Role::Continuous, span);
        let lhs = self.sys.arena.var(var);
        self.auxiliary_eqs.push(Equation { lhs, rhs: value, kind: EquationKind::Continuous, origin: Origin::Source(span) });
        var
    }

    fn reinit(&mut self, scope: &mut Scope, args: &[flat::Expr], span: Span) -> Lowering<()> {
        let [state, value] = args else { return Err(unsupported("this form of reinit", span)) };
        let Some(active) = scope.guard else {
            return Err(Diagnostic::error("D005", "reinit stands outside a when").at(span, "reinit is allowed in `when` only"));
        };
        let states = self.expr(scope, state)?.to_scalars();
        let values = self.expr(scope, value)?.to_scalars();
        for (state, value) in states.into_iter().zip(values) {
            let crate::equations::expr::Node::Var(state) = self.sys.arena.node(state) else {
                return Err(
                    Diagnostic::error("D005", "reinit of something that is not a variable").at(span, "the first argument must be a state")
                );
            };
            if !self.sys.is_continuous(state) {
                let name = &self.sys.vars[state].name;
                return Err(Diagnostic::error("D005", format!("reinit of {name}, which is not a continuous variable"))
                    .at(span, "the first argument must be a state"));
            }
            self.sys.derivative_of(state);
            self.sys.vars[state].state_select = StateSelect::Always;
            let active_var = self.discrete_named(active, (Purpose::RunTime, "reinit"), SlotType::Boolean, span);
            let value_var = self.variable_for(Purpose::RunTime, "reinit", SlotType::Real, Role::Discrete, span);
            let lhs = self.sys.arena.var(value_var);
            self.auxiliary_eqs.push(Equation { lhs, rhs: value, kind: EquationKind::Discrete, origin: Origin::Source(span) });
            self.sys.reinits.push(crate::equations::dae::Reinit { active: active_var, value: value_var, state, span });
        }
        Ok(())
    }
}
