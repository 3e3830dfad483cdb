//! Which signs an expression can have, from those of its operands.

use crate::base::ids::ExprId;
use crate::equations::expr::Node;
use partita_runtime::base::math::{Op1, Op2};
use rustc_hash::FxHashMap;

/// The signs a finite value can have.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) struct Signs {
    pub(super) minus: bool,
    pub(super) zero: bool,
    pub(super) plus: bool,
}

/// The operands whose signs matter.
pub(super) fn signed_operands(node: Node) -> [Option<ExprId>; 2] {
    match node {
        Node::Unary(Op1::Neg | Op1::Abs | Op1::Sqrt, a) => [Some(a), None],
        Node::Binary(Op2::Add | Op2::Sub | Op2::Mul | Op2::Div | Op2::Min | Op2::Max, a, b) | Node::Select(_, a, b) => [Some(a), Some(b)],
        _ => [None, None],
    }
}

impl Signs {
    pub(super) const ANY: Signs = Signs { minus: true, zero: true, plus: true };

    pub(super) fn of(node: Node, memo: &FxHashMap<ExprId, Signs>) -> Signs {
        match node {
            Node::Const(bits) => {
                let value = f64::from_bits(bits);
                if value.is_nan() { Signs::ANY } else { Signs { minus: value < 0.0, zero: value == 0.0, plus: value > 0.0 } }
            }
            Node::Unary(Op1::Neg, a) => memo[&a].negated(),
            Node::Unary(Op1::Abs, a) => {
                let a = memo[&a];
                Signs { minus: false, zero: a.zero, plus: a.minus || a.plus }
            }
            // A negative radicand has no value.
            Node::Unary(Op1::Sqrt, a) => Signs { minus: false, ..memo[&a] },
            Node::Unary(Op1::Cosh, _) => Signs { minus: false, zero: false, plus: true },
            Node::Binary(Op2::Add, a, b) => memo[&a].plus(memo[&b]),
            Node::Binary(Op2::Sub, a, b) => memo[&a].plus(memo[&b].negated()),
            Node::Binary(Op2::Mul, a, b) if a == b => {
                let a = memo[&a];
                Signs { minus: false, zero: a.zero, plus: a.minus || a.plus }
            }
            Node::Binary(Op2::Mul, a, b) => memo[&a].times(memo[&b]),
            // A zero divisor gives no finite value.
            Node::Binary(Op2::Div, a, b) => memo[&a].times(Signs { zero: false, ..memo[&b] }),
            Node::Binary(Op2::Min | Op2::Max, a, b) | Node::Select(_, a, b) => memo[&a].either(memo[&b]),
            _ => Signs::ANY,
        }
    }

    pub(super) fn negated(self) -> Signs {
        Signs { minus: self.plus, zero: self.zero, plus: self.minus }
    }

    pub(super) fn either(self, other: Signs) -> Signs {
        Signs { minus: self.minus || other.minus, zero: self.zero || other.zero, plus: self.plus || other.plus }
    }

    pub(super) fn times(self, other: Signs) -> Signs {
        Signs {
            minus: self.minus && other.plus || self.plus && other.minus,
            zero: self.zero || other.zero,
            plus: self.plus && other.plus || self.minus && other.minus,
        }
    }

    pub(super) fn plus(self, other: Signs) -> Signs {
        Signs {
            minus: self.minus || other.minus,
            zero: self.zero && other.zero || self.minus && other.plus || self.plus && other.minus,
            plus: self.plus || other.plus,
        }
    }
}
