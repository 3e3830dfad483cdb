//! Cuts long straight-line code into segments that become one machine function each.
//!
//! Register allocation of one huge function takes more than linear time, so code is cut about every 1200 instructions, after a
//! store where possible. Output: the segments, and for every value used in a later segment than its own the place where that
//! segment finds it: a number, a slot that still holds it, or a place in the spill area.
//!
//! Guarantees: a home that is a slot holds the value from the end of the value's own segment on until the code ends.
//! Cost: linear in the code.

use crate::program::code::{Code, Instr, Val};
use cranelift_entity::EntityRef;
use partita_runtime::model::plan::Slot;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// From here on a segment ends after the next store.
const SOFT_LENGTH: usize = 1200;
/// Here a segment ends in any case.
const HARD_LENGTH: usize = 1800;

/// Where a later segment finds a value.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum Home {
    /// It is this number.
    Const(f64),
    /// In the memory.
    Slot(Slot),
    /// In the second array.
    Out(u32),
    /// In the spill area.
    Spill(u32),
}

/// A code cut into segments.
#[derive(Debug, Default)]
pub(super) struct Split {
    /// Positions of instructions.
    pub(super) segments: Vec<Range<usize>>,
    /// Values used outside their segment.
    pub(super) home_of: FxHashMap<Val, Home>,
    /// Outputs of a call that are read in later segments: output number, spill place.
    pub(super) spilled_outputs: FxHashMap<Val, Vec<(u32, u32)>>,
    /// The size of the spill area.
    pub(super) n_spills: usize,
}

/// Cuts a code.
pub(super) fn split(code: &Code) -> Split {
    let mut split = Split::default();
    let mut start = 0;
    for (val, instr) in code.instrs.iter() {
        let length = val.index() + 1 - start;
        let is_store = matches!(instr, Instr::Store(..) | Instr::StoreOut(..));
        if (length >= SOFT_LENGTH && is_store) || length >= HARD_LENGTH {
            split.segments.push(start..val.index() + 1);
            start = val.index() + 1;
        }
    }
    if start < code.instrs.len() {
        split.segments.push(start..code.instrs.len());
    }
    if split.segments.len() > 1 {
        find_homes(code, &mut split);
    }
    split
}

fn find_homes(code: &Code, split: &mut Split) {
    let mut segment_of = vec![0_u32; code.instrs.len()];
    for (number, segment) in split.segments.iter().enumerate() {
        segment_of[segment.clone()].fill(number as u32);
    }
    let mut last_store: FxHashMap<Slot, Val> = FxHashMap::default();
    let mut last_store_out: FxHashMap<u32, Val> = FxHashMap::default();
    for (val, instr) in code.instrs.iter() {
        match instr {
            Instr::Store(slot, _) => drop(last_store.insert(*slot, val)),
            Instr::StoreOut(i, _) => drop(last_store_out.insert(*i, val)),
            _ => {}
        }
    }
    let mut stored_in: FxHashMap<Val, Home> = FxHashMap::default();
    for (val, instr) in code.instrs.iter() {
        let (home, stored) = match instr {
            Instr::Store(slot, stored) if last_store[slot] == val => (Home::Slot(*slot), *stored),
            Instr::StoreOut(i, stored) if last_store_out[i] == val => (Home::Out(*i), *stored),
            _ => continue,
        };
        if segment_of[stored.index()] == segment_of[val.index()] {
            stored_in.insert(stored, home);
        }
    }
    let Split { home_of, spilled_outputs, n_spills, .. } = split;
    let mut spill = || {
        *n_spills += 1;
        *n_spills as u32 - 1
    };
    for (val, instr) in code.instrs.iter() {
        if let Instr::Result(call, output) = instr {
            if segment_of[call.index()] != segment_of[val.index()] {
                let place = spill();
                spilled_outputs.entry(*call).or_default().push((*output, place));
                home_of.insert(val, Home::Spill(place));
            }
            continue;
        }
        instr.for_each_operand(|operand| {
            if segment_of[operand.index()] == segment_of[val.index()] {
                return;
            }
            home_of.entry(operand).or_insert_with(|| match &code.instrs[operand] {
                Instr::Const(value) => Home::Const(*value),
                Instr::Load(slot) if last_store.get(slot).is_none_or(|store| *store < operand) => Home::Slot(*slot),
                Instr::LoadOut(i) if last_store_out.get(i).is_none_or(|store| *store < operand) => Home::Out(*i),
                _ => stored_in.get(&operand).copied().unwrap_or_else(|| Home::Spill(spill())),
            });
        });
    }
}
