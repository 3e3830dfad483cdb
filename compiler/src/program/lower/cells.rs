//! Lowers cells: a kernel for each, or one kernel for cells that differ by evenly spaced slots only.
//!
//! Input: the cells of a sorting (`program::cells`). Output: `plan::Cells` and their kernels with tangents.
//! Method: cells of one level do not depend on each other. Those among them whose code and tangents have the same operations are put in the
//! order of what they write; neighbours whose slots advance evenly are iterations of one loop, of which a run asks for some.
//! Guarantee: a cell computes what its steps compute, by the same operations. Cost: linear in the code, sorting apart.

use super::{Builder, Use};
use crate::equations::dae::System;
use crate::program::cells::{CellSteps, group};
use crate::program::code::{Code, Instr, Iterations, Val};
use crate::program::emit::Emitter;
use crate::program::needs::{Level, Needs};
use crate::program::tangent::{Prepared, tangent};
use crate::sorting::sorted::Sorting;
use crate::sorting::tearing::TornStep;
use cranelift_entity::{EntityRef, SecondaryMap};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::model::plan::{BlockId, CellFamily, Cells, Slot, Step};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// A cell before it has a place among the others.
struct Draft {
    /// One more than the levels of the cells that it reads from.
    level: u32,
    code: Code,
    tangent: Code,
    block: Option<BlockId>,
}

/// Cells side by side that become one kernel.
struct Run {
    /// Numbers of drafts in the order of the iterations.
    drafts: Vec<usize>,
    /// Of code and tangent.
    strides: [SecondaryMap<Val, i32>; 2],
}

impl Builder {
    /// The cells of the derivatives. None where the model chooses states while it runs, or looks into the past.
    pub(super) fn cells(&mut self, sys: &System, sorting: &Sorting, needs: &Needs) -> Option<Cells> {
        if !sorting.sets.is_empty() || !sys.delays.is_empty() || !sys.transports.is_empty() {
            return None;
        }
        let grouping = group(sys, sorting, needs);
        let block_of = self.derivative_blocks(sorting, needs);
        let mut drafts: Vec<Draft> = Vec::with_capacity(grouping.cells.len());
        for cell in &grouping.cells {
            let level = cell.needs.iter().map(|need| drafts[*need].level + 1).max().unwrap_or(0);
            let draft = self.draft(sys, sorting, cell, level, &block_of);
            drafts.push(draft);
        }
        let mut number: Vec<u32> = vec![0; drafts.len()];
        let mut order: Vec<usize> = Vec::with_capacity(drafts.len());
        let mut cells = Cells::default();
        for run in runs(&drafts) {
            let first = order.len() as u32;
            for &draft in &run.drafts {
                number[draft] = order.len() as u32;
                order.push(draft);
            }
            let family = self.family(&mut drafts, run, first, &mut cells);
            cells.families.push(family);
        }
        cells.need_starts.push(0);
        for draft in order {
            cells.needs.extend(grouping.cells[draft].needs.iter().map(|need| number[*need]));
            cells.need_starts.push(cells.needs.len() as u32);
        }
        cells.of_state = grouping.of_state.iter().map(|cell| cell.map(|cell| number[cell])).collect();
        Some(cells)
    }

    /// The blocks of `derivatives` by the steps that they come from.
    fn derivative_blocks(&self, sorting: &Sorting, needs: &Needs) -> FxHashMap<usize, BlockId> {
        let blocks = self.program.plan.derivatives.steps.iter().filter_map(|step| match step {
            Step::Block(block) => Some(*block),
            Step::Kernel(_) => None,
        });
        let steps = sorting.simulation.torn.steps.iter().enumerate();
        let solved = steps.filter(|(i, step)| needs.level[*i] == Level::Derivatives && matches!(step, TornStep::Solve(_)));
        solved.map(|(i, _)| i).zip(blocks).collect()
    }

    fn draft(&mut self, sys: &System, sorting: &Sorting, cell: &CellSteps, level: u32, block_of: &FxHashMap<usize, BlockId>) -> Draft {
        let layout = self.layout.clone();
        let slot_of = |var| layout.slot(var);
        let mut list = Vec::new();
        let mut span = Span::default();
        let mut block = None;
        for step in &cell.steps {
            match &sorting.simulation.torn.steps[*step] {
                TornStep::Assign(assignment) => {
                    span = assignment.span;
                    list.push((layout.slot(assignment.var), assignment.value));
                }
                TornStep::Solve(_) => block = block_of.get(step).copied(),
            }
        }
        list.extend(block.iter().flat_map(|block| self.prepared[*block].clone()));
        let mut emitter = Emitter::new(&sys.arena, &slot_of);
        for (slot, value) in &list {
            emitter.store(*slot, *value);
        }
        let made = tangent(&sys.arena, &list, Prepared::default(), &slot_of, &|var| sys.is_continuous(var), &self.program.functions);
        let tangent = made.unwrap_or_else(|error| {
            let message = Diagnostic::error("G001", format!("no derivative can be formed: {error}"));
            self.errors.push(message.at(span, "needed for this equation"));
            Code::default()
        });
        Draft { level, code: emitter.finish(), tangent, block }
    }

    /// The kernels of neighbouring cells.
    fn family(&mut self, drafts: &mut [Draft], run: Run, first: u32, cells: &mut Cells) -> CellFamily {
        let Run { drafts: members, strides } = run;
        let (iterations, block) = (members.len() as u32, drafts[members[0]].block);
        if drafts[members[0]].code.instrs.is_empty() {
            return CellFamily { first, iterations, kernel: None, block };
        }
        let draft = &mut drafts[members[0]];
        let mut codes = [std::mem::take(&mut draft.code), std::mem::take(&mut draft.tangent)];
        if iterations > 1 {
            let (begin, end) = (*cells.first.get_or_insert_with(|| self.new_slot()), *cells.end.get_or_insert_with(|| self.new_slot()));
            for (code, strides) in codes.iter_mut().zip(strides) {
                code.iterations = Some(Box::new(Iterations { strides, count: iterations, first: begin, end }));
            }
        }
        let [code, tangent] = codes.map(|code| self.kernel(code, Use::Differentiated));
        self.program.plan.tangent_of.push((code, tangent));
        CellFamily { first, iterations, kernel: Some(code), block }
    }
}

/// All cells in runs, level by level.
fn runs(drafts: &[Draft]) -> Vec<Run> {
    let mut group_of: FxHashMap<(u32, u64), usize> = FxHashMap::default();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut by_level: Vec<(u32, usize)> = drafts.iter().enumerate().map(|(i, draft)| (draft.level, i)).collect();
    by_level.sort_unstable();
    for (level, i) in by_level {
        let can_repeat = is_repeatable(&drafts[i]);
        let shape = if can_repeat { shape(&drafts[i]) } else { i as u64 };
        let group = *group_of.entry((level, shape)).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(i);
    }
    let mut runs = Vec::new();
    for mut group in groups {
        group.sort_by_key(|i| places(&drafts[*i].code).last().copied());
        let mut rest = &group[..];
        while let Some((&begin, others)) = rest.split_first() {
            let steps = others.first().and_then(|second| distances(&drafts[begin], &drafts[*second]));
            let mut length = 1;
            if let Some(steps) = &steps {
                let goes_on = |pair: &&[usize]| distances(&drafts[pair[0]], &drafts[pair[1]]).as_ref() == Some(steps);
                length += rest.windows(2).take_while(goes_on).count();
            }
            let none = || SecondaryMap::with_default(0);
            let strides = match steps {
                Some([code, tangent]) => [strides(&drafts[begin].code, &code), strides(&drafts[begin].tangent, &tangent)],
                None => [none(), none()],
            };
            runs.push(Run { drafts: rest[..length].to_vec(), strides });
            rest = &rest[length..];
        }
    }
    runs
}

/// Loops neither solve blocks nor call functions.
fn is_repeatable(draft: &Draft) -> bool {
    let calls = |code: &Code| code.instrs.values().any(|instr| matches!(instr, Instr::Call(..) | Instr::GuardedCall(..)));
    draft.block.is_none() && !calls(&draft.code) && !calls(&draft.tangent)
}

/// Where an instruction reads or writes, and the same instruction at no place.
fn place(instr: &Instr) -> (Option<u32>, Instr) {
    match instr {
        Instr::Load(slot) => (Some(slot.as_u32()), Instr::Load(Slot::new(0))),
        Instr::Store(slot, value) => (Some(slot.as_u32()), Instr::Store(Slot::new(0), *value)),
        Instr::LoadOut(position) => (Some(*position), Instr::LoadOut(0)),
        Instr::StoreOut(position, value) => (Some(*position), Instr::StoreOut(0, *value)),
        other => (None, other.clone()),
    }
}

fn places(code: &Code) -> Vec<u32> {
    code.instrs.values().filter_map(|instr| place(instr).0).collect()
}

/// Equal for equal operations.
fn shape(draft: &Draft) -> u64 {
    let mut hasher = FxHasher::default();
    for instr in draft.code.instrs.values().chain(draft.tangent.instrs.values()) {
        match place(instr).1 {
            Instr::Const(value) => (0, value.to_bits()).hash(&mut hasher),
            Instr::Unary(op, a) => (1, op as u64, a).hash(&mut hasher),
            Instr::Binary(op, a, b) => (2, op as u64, a, b).hash(&mut hasher),
            Instr::Select(a, b, c) => (3, a, b, c).hash(&mut hasher),
            Instr::Store(_, a) => (4, a).hash(&mut hasher),
            Instr::StoreOut(_, a) => (5, a).hash(&mut hasher),
            Instr::Load(_) => 6.hash(&mut hasher),
            Instr::LoadOut(_) => 7.hash(&mut hasher),
            Instr::Call(..) | Instr::GuardedCall(..) | Instr::Result(..) => 8.hash(&mut hasher),
        }
    }
    hasher.finish()
}

/// How far the places of one cell are from those of another with the same operations, for code and tangent.
fn distances(from: &Draft, to: &Draft) -> Option<[Vec<i32>; 2]> {
    let of = |from: &Code, to: &Code| -> Option<Vec<i32>> {
        if from.instrs.len() != to.instrs.len() {
            return None;
        }
        let mut found = Vec::new();
        for (a, b) in from.instrs.values().zip(to.instrs.values()) {
            let ((at, a), (to, b)) = (place(a), place(b));
            let is_same = match (&a, &b) {
                (Instr::Const(a), Instr::Const(b)) => a.to_bits() == b.to_bits(),
                (a, b) => a == b,
            };
            if !is_same {
                return None;
            }
            if let (Some(at), Some(to)) = (at, to) {
                found.push(i32::try_from(i64::from(to) - i64::from(at)).ok()?);
            }
        }
        Some(found)
    };
    Some([of(&from.code, &to.code)?, of(&from.tangent, &to.tangent)?])
}

fn strides(code: &Code, distances: &[i32]) -> SecondaryMap<Val, i32> {
    let accesses = code.instrs.iter().filter(|(_, instr)| place(instr).0.is_some()).map(|(val, _)| val);
    let mut strides = SecondaryMap::with_default(0);
    accesses.zip(distances).filter(|(_, distance)| **distance != 0).for_each(|(val, distance)| strides[val] = *distance);
    strides
}
