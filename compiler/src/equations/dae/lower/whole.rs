//! Integers are whole doubles, which are exact up to 2^53: larger ones are errors, never rounded (D015, or a failed assertion of the run).
//!
//! Input: Integer literals, values of parameters, results of Integer operators and of `integer(x)`. Output: an error where the value is
//! known, an assertion where it is not, nothing where the operands are bounded so that it cannot be too large. What is assigned to an
//! Integer variable is checked by the run.
//! A small literal that is added to a variable, as in counters, is not checked: the variable is.
//! Cost: linear in the expressions looked at.

use super::value::{TextFragment, Val};
use super::{Lowerer, Lowering, PendingAction, Phase, Scope};
use crate::base::ids::ExprId;
use crate::equations::dae::text::expression_text;
use crate::equations::expr::Node;
use crate::frontend::flat::{self, BinaryOp};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::base::format::Format;
use partita_runtime::base::math::{LARGEST_INTEGER, Op1, Op2};
use partita_runtime::model::plan::{ActionKind, SlotType};

/// The size of Integers from which on they are not exact.
pub(super) const LIMIT: f64 = (LARGEST_INTEGER + 1) as f64;
/// Who adds less than this counts.
const SMALL: f64 = (1_i64 << 31) as f64;
/// Bounds of deeper expressions are not looked for.
const DEPTH: usize = 12;

/// The first Integer of a value that is too large.
pub(super) fn too_large(value: &flat::Value) -> Option<i64> {
    match value {
        flat::Value::Integer(v) => (v.unsigned_abs() > LARGEST_INTEGER as u64).then_some(*v),
        flat::Value::Array(_, items) | flat::Value::Record(_, items) => items.iter().find_map(too_large),
        _ => None,
    }
}

/// The error for an Integer that is known and too large.
pub(super) fn beyond(value: impl std::fmt::Display, span: Span) -> Diagnostic {
    Diagnostic::error("D015", format!("the Integer {value} is too large"))
        .at(span, format!("Integers are exact up to {LARGEST_INTEGER}"))
        .with_hint("write it as a Real, with a point or an exponent")
}

/// A literal: as an Integer it must be exact; as a Real (`is_real`) it must be the number that was written.
pub(super) fn check_literal(value: &flat::Value, is_real: bool, span: Span) -> Lowering<()> {
    match too_large(value) {
        Some(v) if !is_real || v as f64 as i128 != i128::from(v) => Err(beyond(v, span)),
        _ => Ok(()),
    }
}

/// Whether results of an operator of Integers must be looked at.
pub(super) fn may_overflow(op: BinaryOp) -> bool {
    use BinaryOp as B;
    matches!(op, B::Add | B::Subtract | B::Multiply | B::ElementAdd | B::ElementSubtract | B::ElementMultiply)
}

impl Lowerer<'_> {
    /// Looks at the results of an operator of Integers, or of `integer(x)`.
    pub(super) fn must_be_exact(&mut self, scope: &Scope, value: &Val, span: Span) -> Lowering<()> {
        value.to_scalars().into_iter().try_for_each(|scalar| self.must_be_exact_scalar(scope, scalar, span))
    }

    fn must_be_exact_scalar(&mut self, scope: &Scope, value: ExprId, span: Span) -> Lowering<()> {
        if let Some(number) = self.sys.arena.as_constant(value) {
            return if number.abs() >= LIMIT { Err(beyond(number, span)) } else { Ok(()) };
        }
        // In a function that is executed at every step the assertion would be looked at there too.
        let lasts = self.is_continuous_expr(value);
        if self.counts(value) || self.bound(value, DEPTH) < LIMIT || (lasts && scope.function.is_some()) {
            return Ok(());
        }
        let size = self.sys.arena.unary(Op1::Abs, value);
        let limit = self.sys.arena.constant(LIMIT);
        let broken = self.sys.arena.binary(Op2::Ge, size, limit);
        let live = self.live(scope);
        let here = self.conjunction(scope.path, live);
        let mut trigger = self.conjunction(here, Some(broken)).unwrap_or(broken);
        if scope.phase == Phase::Start {
            let flag = self.flag(true);
            let at_start = self.sys.arena.var(flag);
            trigger = self.sys.arena.and(trigger, at_start);
        }
        let text = expression_text(&self.sys, value);
        let message = vec![
            TextFragment::Literal(format!("the Integer {text} is too large: ")),
            TextFragment::Value(value, Format::Plain(SlotType::Real)),
            TextFragment::Literal(format!(" (Integers are exact up to {LARGEST_INTEGER})")),
        ];
        self.pending_actions.push(PendingAction {
            trigger,
            kind: ActionKind::AssertError,
            message,
            span,
            momentary: scope.in_when || scope.phase == Phase::Start || !lasts,
        });
        if scope.function.is_none() {
            self.settle_actions();
        }
        Ok(())
    }

    /// Adding a small number to a variable: whoever holds the result is looked at.
    fn counts(&self, value: ExprId) -> bool {
        let is_small = |e: ExprId| self.sys.arena.as_constant(e).is_some_and(|number| number.abs() < SMALL);
        match self.sys.arena.node(value) {
            Node::Binary(Op2::Add | Op2::Sub, a, b) => is_small(a) || is_small(b),
            _ => false,
        }
    }

    /// A bound of the size of an Integer.
    fn bound(&self, value: ExprId, depth: usize) -> f64 {
        let deeper = |e: ExprId| if depth == 0 { LIMIT } else { self.bound(e, depth - 1) };
        match self.sys.arena.node(value) {
            Node::Const(bits) => f64::from_bits(bits).abs(),
            Node::Var(var) => {
                let variable = &self.sys.vars[var];
                match (variable.value, variable.min, variable.max, variable.ty) {
                    (Some(value), ..) if !variable.settable => value.abs(),
                    (_, _, _, SlotType::Boolean) => 1.0,
                    (_, Some(min), Some(max), _) => min.abs().max(max.abs()),
                    _ => LIMIT - 1.0,
                }
            }
            Node::Unary(Op1::Neg | Op1::Abs, a) => deeper(a),
            Node::Binary(Op2::Add | Op2::Sub, a, b) => deeper(a) + deeper(b),
            Node::Binary(Op2::Mul, a, b) => deeper(a) * deeper(b),
            Node::Binary(Op2::Min | Op2::Max, a, b) | Node::Select(_, a, b) => deeper(a).max(deeper(b)),
            Node::Binary(op, ..) if op.is_relation() => 1.0,
            Node::Unary(Op1::Sign | Op1::Not, _) => 1.0,
            _ => LIMIT,
        }
    }
}
