//! What operations cost, in additions, where it is decided whether a value is kept or computed again.

use partita_runtime::base::math::{Op1, Op2};

/// A value that costs less than this is computed anew: writing and reading it is no cheaper.
pub(super) const WORTH_A_SLOT: u32 = 4;
/// A call of a function.
pub(super) const CALL: u32 = 1000;
/// A choice between two values.
pub(super) const SELECT: u32 = 1;

/// An operation with one operand.
pub(super) fn unary(op: Op1) -> u32 {
    match op {
        Op1::Neg | Op1::Abs | Op1::Not => 1,
        _ => 10,
    }
}

/// An operation with two operands.
pub(super) fn binary(op: Op2) -> u32 {
    match op {
        Op2::Pow => 10,
        Op2::Div => 3,
        _ => 1,
    }
}
