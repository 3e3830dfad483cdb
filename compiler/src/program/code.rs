//! Straight-line code: one instruction per value, every operand defined before its use.

use crate::base::ids::FnId;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};
use partita_runtime::abi::Extent;
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::plan::Slot;

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
    /// Calls a function only when the guard `.2` is not 0.0; otherwise its outputs are NaN, and no one needs them. Stands for
    /// a call in a branch of a `Select`, so that a branch that is not taken cannot fail.
    GuardedCall(FnId, Vec<Val>, Val),
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
    /// The code is that of the first of several iterations, of which it runs some.
    pub iterations: Option<Box<Iterations>>,
}

/// Code that runs in iterations, each of them on cells further on; the memory says in which ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Iterations {
    /// By how many cells a load or store advances from iteration to iteration.
    pub strides: SecondaryMap<Val, i32>,
    /// How many iterations there are.
    pub count: u32,
    /// Holds the number of the first iteration to run.
    pub first: Slot,
    /// Holds the number of the iteration behind the last one to run.
    pub end: Slot,
}

impl Iterations {
    /// One more than the furthest place of an access that is at a place in the first iteration.
    fn extent(&self, val: Val, place: usize) -> usize {
        let furthest = i64::from(self.strides[val]).max(0) as usize * (self.count as usize).saturating_sub(1);
        place + furthest + 1
    }
}

impl Instr {
    /// Calls `see` with every operand, in order.
    pub fn for_each_operand(&self, mut see: impl FnMut(Val)) {
        match self {
            Instr::Const(_) | Instr::Load(_) | Instr::LoadOut(_) => {}
            Instr::Unary(_, a) | Instr::Result(a, _) | Instr::Store(_, a) | Instr::StoreOut(_, a) => see(*a),
            Instr::Binary(_, a, b) => {
                see(*a);
                see(*b);
            }
            Instr::Select(c, a, b) => {
                see(*c);
                see(*a);
                see(*b);
            }
            Instr::Call(_, args) => args.iter().for_each(|a| see(*a)),
            Instr::GuardedCall(_, args, guard) => {
                args.iter().for_each(|a| see(*a));
                see(*guard);
            }
        }
    }

    /// Replaces every operand.
    pub fn map_operands(&mut self, mut new: impl FnMut(Val) -> Val) {
        match self {
            Instr::Const(_) | Instr::Load(_) | Instr::LoadOut(_) => {}
            Instr::Unary(_, a) | Instr::Result(a, _) | Instr::Store(_, a) | Instr::StoreOut(_, a) => *a = new(*a),
            Instr::Binary(_, a, b) => {
                *a = new(*a);
                *b = new(*b);
            }
            Instr::Select(c, a, b) => {
                *c = new(*c);
                *a = new(*a);
                *b = new(*b);
            }
            Instr::Call(_, args) => args.iter_mut().for_each(|a| *a = new(*a)),
            Instr::GuardedCall(_, args, guard) => {
                args.iter_mut().for_each(|a| *a = new(*a));
                *guard = new(*guard);
            }
        }
    }
}

impl Code {
    /// The slots that the code writes, in order.
    pub fn stored_slots(&self) -> Vec<Slot> {
        let stores = self.instrs.values().filter_map(|instr| match instr {
            Instr::Store(slot, _) => Some(*slot),
            _ => None,
        });
        stores.collect()
    }

    /// How much of both arrays the code touches; arrays at least this long make every access lie inside.
    pub fn extent(&self) -> Extent {
        let mut extent = Extent::default();
        let beyond = |val: Val, place: usize| self.iterations.as_ref().map_or(place + 1, |iterations| iterations.extent(val, place));
        for (val, instr) in self.instrs.iter() {
            match instr {
                Instr::Load(slot) | Instr::Store(slot, _) => extent.n_slots = extent.n_slots.max(beyond(val, slot.index())),
                Instr::LoadOut(i) | Instr::StoreOut(i, _) => extent.n_out = extent.n_out.max(beyond(val, *i as usize)),
                _ => {}
            }
        }
        if let Some(iterations) = &self.iterations {
            extent.n_slots = extent.n_slots.max(iterations.first.index().max(iterations.end.index()) + 1);
        }
        extent
    }
}
