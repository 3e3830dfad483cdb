//! Subsets of the states whose derivatives are computed alone, chosen while the model runs.
//!
//! Input: the cells of the plan, the states of a subset. Output: the cells that their derivatives need, as calls, and what they read.
//! Method: the cells are found from those of the states along what cells read from. Guarantee: a subset runs no cell that its states do
//! not need. Cost: linear in the size of the subset's cells and of its rows and columns of the Jacobian, sorting apart; nothing depends
//! on the size of the model but arrays that are made once.

use crate::exec::tables::CellTable;
use crate::linear::colouring::Colouring;
use crate::model::gather::{GatherScatterMap, ScatterMap};
use crate::model::interface::SubsetId;
use crate::model::plan::{Cells, Pattern};

/// Neighbouring cells of one family.
#[derive(Copy, Clone, Debug)]
pub(super) struct Call {
    pub(super) family: u32,
    /// Rounds of the family, the last excluded.
    pub(super) first: u32,
    pub(super) end: u32,
}

/// A subset of the derivatives.
pub(crate) struct Subset {
    pub(super) states: Vec<usize>,
    pub(super) calls: Vec<Call>,
    /// Cells that it runs.
    pub(super) n_cells: usize,
    pub(super) reads: ScatterMap,
    pub(super) slots: GatherScatterMap,
    pub(super) pattern: Pattern,
    pub(super) colouring: Option<Colouring>,
}

/// All subsets of a run.
#[derive(Default)]
pub(crate) struct Subsets {
    pub(super) chosen: Vec<Option<Subset>>,
    /// When a cell or state was met last, and its place in the subset that was chosen then.
    pub(super) cell_met: Vec<u64>,
    pub(super) state_met: Vec<u64>,
    pub(super) place: Vec<u32>,
    pub(super) now: u64,
    /// Tangents. Zero where no cell writes.
    pub(super) tangents: Vec<f64>,
    pub(super) stack: Vec<u32>,
    pub(super) found: Vec<u32>,
    pub(super) reads: Vec<usize>,
}

impl Subsets {
    pub(super) fn get(&self, subset: SubsetId) -> Option<&Subset> {
        self.chosen.get(subset.0).and_then(Option::as_ref)
    }

    /// The cells that derivatives need, in order.
    pub(super) fn find_cells(&mut self, cells: &Cells, states: &[usize]) {
        let Subsets { cell_met, now, stack, found, .. } = self;
        cell_met.resize(cells.need_starts.len(), 0);
        found.clear();
        for &state in states {
            stack.extend(cells.of_state[state]);
            while let Some(cell) = stack.pop() {
                if std::mem::replace(&mut cell_met[cell as usize], *now) != *now {
                    found.push(cell);
                    stack.extend(&cells.needs[cells.need_starts[cell as usize] as usize..cells.need_starts[cell as usize + 1] as usize]);
                }
            }
        }
        found.sort_unstable();
    }

    /// The states that derivatives read.
    pub(super) fn find_reads(&mut self, pattern: &Pattern, states: &[usize]) {
        let Subsets { state_met, now, reads, .. } = self;
        state_met.resize(pattern.n_rows, 0);
        reads.clear();
        for &state in states {
            reads.extend(pattern.column(state).iter().filter(|&&read| std::mem::replace(&mut state_met[read], *now) != *now));
        }
        reads.sort_unstable();
    }

    /// The rows and columns of these states.
    pub(super) fn restricted(&mut self, whole: &Pattern, states: &[usize]) -> Pattern {
        self.now += 1;
        let Subsets { state_met, now, place, .. } = self;
        state_met.resize(whole.n_rows, 0);
        place.resize(whole.n_rows, 0);
        for (i, &state) in states.iter().enumerate() {
            (state_met[state], place[state]) = (*now, i as u32);
        }
        let mut part = Pattern { n_rows: states.len(), col_starts: Vec::with_capacity(states.len() + 1), rows: Vec::new() };
        part.col_starts.push(0);
        for &state in states {
            part.rows.extend(whole.column(state).iter().filter(|row| state_met[**row] == *now).map(|row| place[*row] as usize));
            part.col_starts.push(part.rows.len());
        }
        part
    }
}

/// Cells in order as calls of their families.
pub(super) fn calls(cells: &Cells, table: &CellTable, found: &[u32]) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    for &cell in found {
        let family = table.family_of[cell as usize];
        let iteration = cell - cells.families[family as usize].first;
        match calls.last_mut() {
            Some(call) if call.family == family && call.end == iteration => call.end += 1,
            _ => calls.push(Call { family, first: iteration, end: iteration + 1 }),
        }
    }
    calls
}
