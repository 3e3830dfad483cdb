//! The derivatives of any subset of the states, chosen while the model runs.
//!
//! Input: the cells of the plan, the states of a subset, a point. Output: the derivatives of these states, or their Jacobian by them.
//!
//! Method: the cells that a subset needs are found from those of its states along what cells read from, and run in their order; neighbours
//! that are rounds of one loop are one call. Columns of the Jacobian are seeded together as in `jacobian`.
//! Guarantees: only what the subset needs is computed, by the operations of the whole; inactive states are read where the point has them.
//! The memory is then a mixture of points, so that the next full evaluation starts afresh.
//! Cost: choosing is linear in the size of the subset's cells and of its rows and columns of the Jacobian, sorting apart; nothing depends
//! on the size of the model but arrays that are made once.

use crate::base::error::EvalFailure;
use crate::exec::instance::Instance;
use crate::exec::machine::Machine;
use crate::exec::tables::{CellTable, Compiled};
use crate::linear::colouring::Colouring;
use crate::model::gather::{GatherScatterMap, ScatterMap};
use crate::model::interface::SubsetId;
use crate::model::plan::{Cells, Pattern};
use cranelift_entity::EntityRef;

/// Neighbouring cells of one family.
#[derive(Copy, Clone, Debug)]
struct Call {
    family: u32,
    /// Rounds of the family, the last excluded.
    first: u32,
    end: u32,
}

/// A subset of the derivatives.
pub(crate) struct Subset {
    states: Vec<usize>,
    calls: Vec<Call>,
    /// Cells that it runs.
    n_cells: usize,
    reads: ScatterMap,
    slots: GatherScatterMap,
    pattern: Pattern,
    colouring: Option<Colouring>,
}

/// All subsets of a run.
#[derive(Default)]
pub(crate) struct Subsets {
    chosen: Vec<Option<Subset>>,
    /// When a cell or state was met last, and its place in the subset that was chosen then.
    cell_met: Vec<u64>,
    state_met: Vec<u64>,
    place: Vec<u32>,
    now: u64,
    /// Tangents. Zero where no cell writes.
    tangents: Vec<f64>,
    stack: Vec<u32>,
    found: Vec<u32>,
    reads: Vec<usize>,
}

impl Subsets {
    fn get(&self, subset: SubsetId) -> Option<&Subset> {
        self.chosen.get(subset.0).and_then(Option::as_ref)
    }

    /// The cells that derivatives need, in order.
    fn find_cells(&mut self, cells: &Cells, states: &[usize]) {
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
    fn find_reads(&mut self, pattern: &Pattern, states: &[usize]) {
        let Subsets { state_met, now, reads, .. } = self;
        state_met.resize(pattern.n_rows, 0);
        reads.clear();
        for &state in states {
            reads.extend(pattern.column(state).iter().filter(|&&read| std::mem::replace(&mut state_met[read], *now) != *now));
        }
        reads.sort_unstable();
    }

    /// The rows and columns of these states.
    fn restricted(&mut self, whole: &Pattern, states: &[usize]) -> Pattern {
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
fn calls(cells: &Cells, table: &CellTable, found: &[u32]) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    for &cell in found {
        let family = table.family_of[cell as usize];
        let round = cell - cells.families[family as usize].first;
        match calls.last_mut() {
            Some(call) if call.family == family && call.end == round => call.end += 1,
            _ => calls.push(Call { family, first: round, end: round + 1 }),
        }
    }
    calls
}

impl Instance {
    /// Chooses the states of a subset.
    pub(crate) fn choose_subset(&mut self, id: SubsetId, states: &[usize]) {
        let compiled = self.compiled.clone();
        let (Some(cells), Some(table)) = (&compiled.plan.cells, &compiled.tables.cells) else { return };
        let subsets = &mut self.subsets;
        subsets.now += 1;
        subsets.find_cells(cells, states);
        subsets.find_reads(&table.reads, states);
        let pattern = subsets.restricted(&compiled.plan.jacobian, states);
        let of = &compiled.plan.states;
        let subset = Subset {
            states: states.to_vec(),
            calls: calls(cells, table, &subsets.found),
            n_cells: subsets.found.len(),
            reads: ScatterMap::new(subsets.reads.iter().map(|&state| (state, of[state].slot.index()))),
            slots: GatherScatterMap::new(states.iter().map(|&state| of[state].der.index()).collect()),
            pattern,
            colouring: None,
        };
        if subsets.chosen.len() <= id.0 {
            subsets.chosen.resize_with(id.0 + 1, || None);
        }
        subsets.chosen[id.0] = Some(subset);
    }

    /// The part of all cells that a subset runs.
    pub(crate) fn share_of_subset(&self, id: SubsetId) -> f64 {
        let n_cells = self.compiled.tables.cells.as_ref().map_or(0, |table| table.family_of.len());
        self.subsets.get(id).map_or(1.0, |subset| subset.n_cells as f64 / (n_cells.max(1)) as f64)
    }

    /// The pattern of a subset.
    pub(crate) fn pattern_of_subset(&self, id: SubsetId) -> Option<&Pattern> {
        self.subsets.get(id).map(|subset| &subset.pattern)
    }

    /// The derivatives of a subset at a point; whether they are finite.
    pub(crate) fn evaluate_subset(&mut self, id: SubsetId, t: f64, x: &[f64], dx: &mut [f64]) -> Result<bool, EvalFailure> {
        self.point.valid = false;
        self.latest = t;
        self.machine.memory[0] = t;
        self.refresh(t)?;
        let Some(subset) = self.subsets.get(id) else {
            return Err(EvalFailure::new(format!("the model has no subset {}", id.0)));
        };
        subset.reads.copy(x, &mut self.machine.memory);
        self.machine.statistics.part_evaluations += 1;
        self.machine.run_calls(&self.compiled, &subset.calls)?;
        Ok(subset.slots.take_finite(&self.machine.memory, dx))
    }

    /// The Jacobian of a subset where it was evaluated last.
    pub(crate) fn jacobian_of_subset(&mut self, id: SubsetId, values: &mut [f64]) -> Result<(), EvalFailure> {
        let Subsets { chosen, tangents, .. } = &mut self.subsets;
        let Some(subset) = chosen.get_mut(id.0).and_then(Option::as_mut) else {
            return Err(EvalFailure::new(format!("the model has no subset {}", id.0)));
        };
        tangents.resize(self.machine.memory.len(), 0.0);
        self.machine.statistics.jacobians += 1;
        self.machine.subset_jacobian(&self.compiled, subset, tangents, values)
    }
}

impl Machine {
    fn run_calls(&mut self, compiled: &Compiled, calls: &[Call]) -> Result<(), EvalFailure> {
        let (Some(cells), Some(table)) = (&compiled.plan.cells, &compiled.tables.cells) else { return Ok(()) };
        for call in calls {
            let family = &cells.families[call.family as usize];
            self.ask_for(cells, call);
            match (&table.entries[call.family as usize], family.kernel) {
                (Some(entry), _) => self.run_entry(entry)?,
                (None, Some(kernel)) => self.run_kernel(compiled, kernel)?,
                (None, None) => {}
            }
            if let Some(block) = family.block {
                self.solve_block(compiled, block)?;
            }
        }
        Ok(())
    }

    /// Tells loops of cells which rounds to run.
    fn ask_for(&mut self, cells: &Cells, call: &Call) {
        if let (Some(first), Some(end)) = (cells.first, cells.end) {
            self.memory[first.index()] = f64::from(call.first);
            self.memory[end.index()] = f64::from(call.end);
        }
    }

    fn subset_jacobian(
        &mut self,
        compiled: &Compiled,
        subset: &mut Subset,
        tangents: &mut [f64],
        values: &mut [f64],
    ) -> Result<(), EvalFailure> {
        let Some(cells) = &compiled.plan.cells else { return Ok(()) };
        for block in subset.calls.iter().filter_map(|call| cells.families[call.family as usize].block) {
            self.factor_block(compiled, block)?;
        }
        let Subset { states, calls, pattern, colouring, .. } = subset;
        let all = &compiled.plan.states;
        let colouring = colouring.get_or_insert_with(|| Colouring::new(pattern));
        for group in &colouring.groups {
            for &j in group {
                tangents[all[states[j]].slot.index()] = 1.0;
            }
            let swept = self.sweep_calls(compiled, calls, tangents);
            for &j in group {
                for position in pattern.col_starts[j]..pattern.col_starts[j + 1] {
                    values[position] = tangents[all[states[pattern.rows[position]]].der.index()];
                }
            }
            for &j in group {
                tangents[all[states[j]].slot.index()] = 0.0;
            }
            swept?;
        }
        match values.iter().all(|slope| slope.is_finite()) {
            true => Ok(()),
            false => Err(EvalFailure::new("a derivative has no finite slope with respect to a state".to_owned())),
        }
    }

    fn sweep_calls(&mut self, compiled: &Compiled, calls: &[Call], tangents: &mut [f64]) -> Result<(), EvalFailure> {
        let Some(cells) = &compiled.plan.cells else { return Ok(()) };
        for call in calls {
            let family = &cells.families[call.family as usize];
            self.ask_for(cells, call);
            if let Some(kernel) = family.kernel {
                self.sweep_kernel(compiled, kernel, tangents)?;
            }
            if let Some(block) = family.block {
                self.sweep_block(compiled, block, tangents)?;
            }
        }
        Ok(())
    }
}
