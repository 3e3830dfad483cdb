//! Built-in functions that look at time or make events: `der`, `pre`, `sample`, `delay`, `noEvent`, rounding and division.
//!
//! Input: a call. Output: its value; variables, relations, samplers and delays that a run needs for it are added to the system.
//! Cost: that of the arguments.

use super::arrays::shape_error;
use super::value::Val;
use super::{Lowerer, Lowering, Phase, Scope, unsupported};
use crate::base::ids::{ExprId, VarId};
use crate::equations::dae::{Delay, Purpose, Role, Sampler};
use crate::equations::expr::Node;
use crate::frontend::flat::{self, Builtin};
use partita_grammar::Span;
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::plan::SlotType;

/// How many arguments a built-in function needs that looks at time or makes events; none if it does neither.
pub(super) fn looks_at_time(builtin: Builtin) -> Option<usize> {
    match builtin {
        Builtin::Initial | Builtin::Terminal => Some(0),
        Builtin::Ceil | Builtin::Floor | Builtin::IntegerFloor | Builtin::String => Some(1),
        Builtin::Der | Builtin::Pre | Builtin::Edge | Builtin::Change | Builtin::NoEvent => Some(1),
        Builtin::Div | Builtin::Mod | Builtin::Rem | Builtin::Sample | Builtin::Smooth | Builtin::Homotopy | Builtin::Delay => Some(2),
        _ => None,
    }
}

impl Lowerer<'_> {
    /// A call of one of the functions above, with enough arguments.
    pub(super) fn event_builtin(&mut self, scope: &mut Scope, builtin: Builtin, args: &[flat::Expr], span: Span) -> Lowering<Val> {
        match builtin {
            Builtin::Ceil | Builtin::Floor | Builtin::IntegerFloor => {
                let op = if builtin == Builtin::Ceil { Op1::Ceil } else { Op1::Floor };
                let arg = self.expr(scope, &args[0])?;
                let rounded = arg.map(&mut |e| self.rounded(scope, op, e, span))?;
                if builtin == Builtin::IntegerFloor {
                    self.must_be_exact(scope, &rounded, span)?;
                }
                Ok(rounded)
            }
            Builtin::Div | Builtin::Mod | Builtin::Rem => self.division(scope, builtin, &args[0], &args[1], span),
            Builtin::String => {
                let values = args.iter().map(|a| self.expr(scope, a)).collect::<Lowering<Vec<_>>>()?;
                super::text::string_of(self, self.model, args[0].ty.scalar, &values, span)
            }
            Builtin::Der => {
                let arg = self.expr(scope, &args[0])?;
                arg.map(&mut |e| self.derivative(e, span))
            }
            Builtin::Pre => {
                let arg = self.bare(scope, &args[0])?;
                if !scope.in_when && scope.phase == Phase::Run {
                    self.warn_of_pre_between_events(&arg, span);
                }
                arg.map(&mut |e| self.pre(e, span))
            }
            Builtin::Edge | Builtin::Change => {
                let now = self.scalar(scope, &args[0])?;
                let Val::Scalar(bare) = self.bare(scope, &args[0])? else { return Err(shape_error(span)) };
                let before = self.pre(bare, span)?;
                if builtin == Builtin::Change {
                    return Ok(Val::Scalar(self.sys.arena.binary(Op2::Ne, now, before)));
                }
                let not_before = self.sys.arena.not(before);
                Ok(Val::Scalar(self.sys.arena.and(now, not_before)))
            }
            Builtin::Initial | Builtin::Terminal => {
                let flag = self.flag(builtin == Builtin::Initial);
                Ok(Val::Scalar(self.sys.arena.var(flag)))
            }
            Builtin::Sample => {
                let start = self.scalar(scope, &args[0])?;
                let interval = self.scalar(scope, &args[1])?;
                let start = self.parameter_named(start, "sample_start", span);
                let interval = self.parameter_named(interval, "sample_interval", span);
                let active = self.auxiliary_variable("sample", SlotType::Boolean, Role::External, span);
                self.sys.samplers.push(Sampler { active, start, interval, span });
                Ok(Val::Scalar(self.sys.arena.var(active)))
            }
            Builtin::NoEvent => self.without_events(scope, &args[0]),
            Builtin::Smooth => self.without_events(scope, &args[1]),
            Builtin::Homotopy => {
                let actual = self.expr(scope, &args[0])?;
                // The simplified model serves to find the start only: it makes no events.
                let simplified = self.without_events(scope, &args[1])?;
                let parameter = self.homotopy_parameter();
                let path = actual.zip(&simplified, &mut |a, s| Ok(super::homotopy::path(&mut self.sys.arena, parameter, a, s)))?;
                path.ok_or_else(|| shape_error(span))
            }
            Builtin::Delay => self.delayed(scope, args, span),
            _ => Err(unsupported(&format!("{builtin:?}"), span)),
        }
    }

    fn division(&mut self, scope: &mut Scope, builtin: Builtin, a: &flat::Expr, b: &flat::Expr, span: Span) -> Lowering<Val> {
        let a = self.expr(scope, a)?;
        let b = self.expr(scope, b)?;
        let op = if builtin == Builtin::Mod { Op1::Floor } else { Op1::Trunc };
        for divisor in b.to_scalars() {
            if self.sys.arena.as_constant(divisor).is_none_or(|d| d == 0.0) {
                let zero = self.sys.arena.constant(0.0);
                let is_zero = self.sys.arena.binary(Op2::Eq, divisor, zero);
                self.failure(scope, is_zero, "division by zero".to_string(), span);
            }
        }
        let result = a.zip(&b, &mut |a, b| {
            let quotient = self.sys.arena.div(a, b);
            let whole = self.rounded(scope, op, quotient, span)?;
            if builtin == Builtin::Div {
                return Ok(whole);
            }
            let multiple = self.sys.arena.mul(whole, b);
            Ok(self.sys.arena.sub(a, multiple))
        })?;
        result.ok_or_else(|| shape_error(span))
    }

    fn delayed(&mut self, scope: &mut Scope, args: &[flat::Expr], span: Span) -> Lowering<Val> {
        let source = self.scalar(scope, &args[0])?;
        let delay = self.scalar(scope, &args[1])?;
        let max = match args.get(2) {
            Some(max) => self.scalar(scope, max)?,
            None => delay,
        };
        if self.changes_over_time(max) {
            return Err(unsupported("a delay whose largest delay time is not a parameter", span));
        }
        // The run-time reads both by their slots, so they are variables of their own that aliases do not replace.
        let source = self.read_by_run_time(source, "delayed", span);
        let delay = match self.changes_over_time(delay) {
            true => self.read_by_run_time(delay, "delay_time", span),
            false => self.parameter_named(delay, "delay_time", span),
        };
        let max = self.parameter_named(max, "delay_max", span);
        let value = self.auxiliary_variable("delay", SlotType::Real, Role::External, span);
        self.sys.delays.push(Delay { source, delay, max, value, span });
        Ok(Val::Scalar(self.sys.arena.var(value)))
    }

    /// `floor`, `ceil` or truncation of a continuous expression: a discrete variable that changes at events.
    fn rounded(&mut self, scope: &mut Scope, op: Op1, arg: ExprId, span: Span) -> Lowering<ExprId> {
        if scope.no_event || !self.is_continuous_expr(arg) {
            return Ok(self.sys.arena.unary(op, arg));
        }
        let arg = if self.may_fail(arg) { self.guarded(scope, arg, 0.0) } else { arg };
        let plain = self.sys.arena.unary(op, arg);
        if op == Op1::Trunc {
            // Truncation is floor above zero and ceiling below.
            let zero = self.sys.arena.constant(0.0);
            let positive = self.relation(scope, Op2::Ge, arg, zero, span)?;
            let down = self.rounded(scope, Op1::Floor, arg, span)?;
            let up = self.rounded(scope, Op1::Ceil, arg, span)?;
            return Ok(self.sys.arena.select(positive, down, up));
        }
        let var = self.discrete_named(plain, (Purpose::Auxiliary, "round"), SlotType::Real, span);
        let rounded = self.sys.arena.var(var);
        // Two relations bound the interval in which the rounded value stays: it leaves when one becomes true.
        let one = self.sys.arena.constant(1.0);
        let (low_op, low, high_op, high) = if op == Op1::Floor {
            (Op2::Lt, rounded, Op2::Ge, self.sys.arena.add(rounded, one))
        } else {
            (Op2::Le, self.sys.arena.sub(rounded, one), Op2::Gt, rounded)
        };
        self.relation(scope, low_op, arg, low, span)?;
        self.relation(scope, high_op, arg, high, span)?;
        Ok(rounded)
    }

    /// The variables of a reference themselves, whatever was assigned to them so far (for `pre`).
    fn bare(&mut self, scope: &mut Scope, expr: &flat::Expr) -> Lowering<Val> {
        let assigned = std::mem::take(&mut scope.assigned);
        let result = self.expr(scope, expr);
        scope.assigned = assigned;
        result
    }

    fn without_events(&mut self, scope: &mut Scope, expr: &flat::Expr) -> Lowering<Val> {
        let was = std::mem::replace(&mut scope.no_event, true);
        let result = self.expr(scope, expr);
        scope.no_event = was;
        result
    }

    pub(super) fn flag(&mut self, initial: bool) -> VarId {
        let known = if initial { self.sys.flags.initial_flag } else { self.sys.flags.terminal_flag };
        if let Some(var) = known {
            return var;
        }
        let name = if initial { "initial" } else { "terminal" };
        let var = self.auxiliary_variable(name, SlotType::Boolean, Role::External, Span::default());
        if initial {
            self.sys.flags.initial_flag = Some(var);
        } else {
            self.sys.flags.terminal_flag = Some(var);
        }
        var
    }

    fn pre(&mut self, expr: ExprId, span: Span) -> Lowering<ExprId> {
        match self.sys.arena.node(expr) {
            Node::Var(v) => match self.sys.vars[v].role {
                Role::Parameter | Role::FreeParameter => Ok(expr),
                _ => {
                    let pre = self.sys.pre_of(v);
                    Ok(self.sys.arena.var(pre))
                }
            },
            Node::Const(_) => Ok(expr),
            _ => {
                // `edge(expression)`, as some exporters write: the expression gets a name of its own.
                let var = self.discrete_named(expr, (Purpose::Auxiliary, "pre"), SlotType::Boolean, span);
                let pre = self.sys.pre_of(var);
                Ok(self.sys.arena.var(pre))
            }
        }
    }
}
