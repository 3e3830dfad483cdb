//! Relations that stand under a condition and have no value where it does not hold: `if x > 0 then sqrt(x) > 1 else false`.
//!
//! Input: the sides of a relation, and the scope in which it stands. Output: the sides to be compared. Crossing functions and the values of
//! relations are computed at all times, whatever branch is taken; so a side that may fail (a root, a logarithm, a quotient, a call)
//! is replaced by a number where the relation does not matter, such that the relation is false there and nothing crosses.
//! Conditions change at events only, so the sides stay continuous between events. Sides that cannot fail are left as they are.
//! Cost: linear in the sides, memoised over the system.

use super::{Lowerer, Scope};
use crate::base::ids::ExprId;
use crate::equations::dae::Role;
use crate::equations::expr::Node;
use partita_runtime::base::math::{Op1, Op2};

/// Whether an expression may have no value.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fallible {
    /// It does not change; if it has no value, it never has.
    Fixed,
    /// It changes and always has a value.
    Never,
    /// There are times at which it may have none.
    Sometimes,
}

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

    /// Whether an expression may have no value at some time: whether an operation that is not defined for all numbers meets what changes.
    pub(super) fn may_fail(&mut self, expr: ExprId) -> bool {
        let mut stack = vec![expr];
        while let Some(top) = stack.last().copied() {
            if self.memo.fallible.contains_key(&top) {
                stack.pop();
                continue;
            }
            let arena = &self.sys.arena;
            let operands: Vec<ExprId> = arena.operands(top).collect();
            let open: Vec<ExprId> = operands.iter().copied().filter(|operand| !self.memo.fallible.contains_key(operand)).collect();
            if !open.is_empty() {
                stack.extend(open);
                continue;
            }
            let of = |operand: ExprId| self.memo.fallible[&operand];
            let worst = operands.iter().map(|operand| of(*operand)).max().unwrap_or(Fallible::Fixed);
            let fails = match arena.node(top) {
                Node::Var(var) if self.sys.vars[var].role != Role::Parameter => worst.max(Fallible::Never),
                Node::Unary(Op1::Sqrt | Op1::Asin | Op1::Acos | Op1::Log | Op1::Log10, _) | Node::Call(..) if worst > Fallible::Fixed => {
                    Fallible::Sometimes
                }
                Node::Binary(Op2::Div, _, divisor) if of(divisor) > Fallible::Fixed => Fallible::Sometimes,
                Node::Binary(Op2::Pow, _, exponent) if worst > Fallible::Fixed => match arena.as_constant(exponent) {
                    Some(value) if value >= 0.0 && value.fract() == 0.0 => worst,
                    _ => Fallible::Sometimes,
                },
                _ => worst,
            };
            self.memo.fallible.insert(top, fails);
            stack.pop();
        }
        self.memo.fallible[&expr] == Fallible::Sometimes
    }
}
