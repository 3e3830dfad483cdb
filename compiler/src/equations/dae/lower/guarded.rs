//! Relations that stand under a condition and have no value where it does not hold: `if x > 0 then sqrt(x) > 1 else false`.
//!
//! Input: the sides of a relation, and the scope in which it stands. Output: the sides to be compared. Crossing functions and the values of
//! relations are computed at all times, whatever branch is taken; so a side that may fail (a root, a logarithm, a quotient, a call)
//! is replaced by a number where the relation does not matter, such that the relation is false there and nothing crosses.
//! Conditions change at events only, so the sides stay continuous between events. Sides that cannot fail are left as they are.
//! Cost: linear in the sides, memoised over the system.

use super::{Lowerer, Scope};
use crate::base::ids::ExprId;
use crate::equations::expr::Node;
use partita_runtime::base::math::{Op1, Op2};

impl Lowerer<'_> {
    /// The sides of the relation `a op b`, with numbers in their place where the scope's condition does not hold.
    pub(super) fn guarded_sides(&mut self, scope: &Scope, op: Op2, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        if !self.may_fail(a) && !self.may_fail(b) {
            return (a, b);
        }
        let (greater, less) = match op {
            Op2::Lt | Op2::Le => (1.0, 0.0),
            _ => (0.0, 1.0),
        };
        (self.guarded(scope, a, greater), self.guarded(scope, b, less))
    }

    /// `expr` where the scope's condition holds, the number elsewhere.
    pub(super) fn guarded(&mut self, scope: &Scope, expr: ExprId, elsewhere: f64) -> ExprId {
        let live = self.live(scope);
        match self.conjunction(scope.path, live) {
            Some(here) => {
                let elsewhere = self.sys.arena.constant(elsewhere);
                self.sys.arena.select(here, expr, elsewhere)
            }
            None => expr,
        }
    }

    /// Whether an expression may have no value: whether it contains an operation that is not defined for all numbers.
    pub(super) fn may_fail(&mut self, expr: ExprId) -> bool {
        let mut stack = vec![expr];
        while let Some(top) = stack.last().copied() {
            if self.fallible.contains_key(&top) {
                stack.pop();
                continue;
            }
            let arena = &self.sys.arena;
            let fails = match arena.node(top) {
                Node::Unary(op, _) => matches!(op, Op1::Sqrt | Op1::Asin | Op1::Acos | Op1::Log | Op1::Log10),
                Node::Binary(Op2::Div, _, divisor) => arena.as_constant(divisor).is_none_or(|value| value == 0.0),
                Node::Binary(Op2::Pow, _, exponent) => arena.as_constant(exponent).is_none_or(|value| value < 0.0 || value.fract() != 0.0),
                Node::Call(..) => true,
                _ => false,
            };
            let operands: Vec<ExprId> = if fails { Vec::new() } else { arena.operands(top).collect() };
            let open: Vec<ExprId> = operands.iter().copied().filter(|operand| !self.fallible.contains_key(operand)).collect();
            if open.is_empty() {
                let fails = fails || operands.iter().any(|operand| self.fallible[operand]);
                self.fallible.insert(top, fails);
                stack.pop();
            } else {
                stack.extend(open);
            }
        }
        self.fallible[&expr]
    }
}
