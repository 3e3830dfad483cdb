//! Straight-line code: one instruction per value, every operand defined before its use.

use crate::ids::FnId;
use cranelift_entity::{PrimaryMap, entity_impl};
use partita_runtime::math::{Op1, Op2};
use partita_runtime::plan::Slot;

/// The value of an instruction.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Val(u32);
entity_impl!(Val, "%");

/// One instruction. `Store`, `StoreOut` and `Call` give no number; using them as an operand (except `Call` by `Result`) is
/// an error that `verify` finds.
#[derive(Clone, Debug, PartialEq)]
pub enum Instr {
    /// A number.
    Const(f64),
    /// The value of a slot of the memory.
    Load(Slot),
    /// The value at a position of the second array (tangents).
    LoadOut(u32),
    /// One operand.
    Unary(Op1, Val),
    /// Two operands.
    Binary(Op2, Val, Val),
    /// `if c then a else b`: both are computed, one is taken; the condition is true when it is not 0.0.
    Select(Val, Val, Val),
    /// Calls a function; its outputs are read by `Result`.
    Call(FnId, Vec<Val>),
    /// Output number `.1` of a call.
    Result(Val, u32),
    /// Writes a slot of the memory.
    Store(Slot, Val),
    /// Writes a position of the second array.
    StoreOut(u32, Val),
}

/// A kernel's code.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Code {
    /// Instructions in order.
    pub instrs: PrimaryMap<Val, Instr>,
}
