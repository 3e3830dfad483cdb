//! Evaluates chosen subsets of the derivatives, and their Jacobians.
//!
//! Input: subsets of [`super::subset`], a point. Output: the derivatives of their states, or their Jacobian by them.
//! Method: the cells of a subset run in their order; neighbours that are iterations of one loop are one call. Columns of the Jacobian
//! are seeded together as in `jacobian`.
//! Guarantees: only what the subset needs is computed, by the operations of the whole; inactive states are read where the point has them.
//! The memory is then a mixture of points, so that the next full evaluation starts afresh. Cost: the cells of the subset.

use crate::base::error::EvalFailure;
use crate::exec::instance::Instance;
use crate::exec::machine::Machine;
use crate::exec::subset::{Call, Subset, Subsets, calls};
use crate::exec::tables::Compiled;
use crate::linear::colouring::Colouring;
use crate::model::gather::{GatherScatterMap, ScatterMap};
use crate::model::interface::SubsetId;
use crate::model::plan::{Cells, Pattern};
use cranelift_entity::EntityRef;

impl Instance {
    /// Chooses the states of a subset.
    pub(crate) fn choose_subset(&mut self, id: SubsetId, states: &[usize]) {
        let compiled = self.compiled.clone();
        let (Some(cells), Some(table)) = (&compiled.plan.pieces.cells, &compiled.tables.cells) else { return };
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
        let (Some(cells), Some(table)) = (&compiled.plan.pieces.cells, &compiled.tables.cells) else { return Ok(()) };
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

    /// Tells loops of cells which iterations to run.
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
        let Some(cells) = &compiled.plan.pieces.cells else { return Ok(()) };
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
        let Some(cells) = &compiled.plan.pieces.cells else { return Ok(()) };
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
