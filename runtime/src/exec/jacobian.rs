//! The Jacobian of the derivatives by the states, from tangents.
//!
//! Input: the memory after the derivatives were evaluated. Output: values at the entries of the plan's pattern.
//!
//! Method: columns without a common row are seeded together (greedy colouring in the order of decreasing column size, Curtis,
//! Powell and Reid 1974); one sweep of tangent kernels per colour. Through a block by the implicit function theorem:
//! `J dz = -dr` with the block's own Jacobian, factorised once per call.
//! Guarantees: exact up to rounding. Cost: colours times the tangents of the schedule.

use crate::base::error::EvalFailure;
use crate::exec::machine::Machine;
use crate::exec::tables::Compiled;
use crate::model::plan::{Pattern, Schedule, Step};
use cranelift_entity::EntityRef;

/// Groups of columns of which no two have an entry in the same row.
pub(super) struct Colouring {
    /// Columns of each colour.
    pub(super) groups: Vec<Vec<usize>>,
}

impl Colouring {
    /// Colours the columns of a pattern.
    pub(super) fn new(pattern: &Pattern) -> Colouring {
        let n_cols = pattern.col_starts.len().saturating_sub(1);
        let column = |j: usize| &pattern.rows[pattern.col_starts[j]..pattern.col_starts[j + 1]];
        let mut order: Vec<usize> = (0..n_cols).collect();
        order.sort_by_key(|&j| std::cmp::Reverse(column(j).len()));
        // Colours used so far in each row, as bits.
        let mut used: Vec<Vec<u64>> = vec![Vec::new(); pattern.n_rows];
        let mut groups: Vec<Vec<usize>> = Vec::new();
        // Colours used so far in the rows of a column, as bits.
        let mut taken: Vec<u64> = Vec::new();
        for j in order {
            if column(j).is_empty() {
                continue;
            }
            taken.fill(0);
            for &row in column(j) {
                taken.iter_mut().zip(&used[row]).for_each(|(all, own)| *all |= own);
            }
            let word = taken.iter().position(|&word| word != u64::MAX).unwrap_or(taken.len());
            if word == taken.len() {
                taken.push(0);
            }
            let bit = taken[word].trailing_ones();
            let colour = 64 * word + bit as usize;
            if colour == groups.len() {
                groups.push(Vec::new());
            }
            groups[colour].push(j);
            for &row in column(j) {
                let own = &mut used[row];
                if own.len() <= word {
                    own.resize(word + 1, 0);
                }
                own[word] |= 1 << bit;
            }
        }
        for group in &mut groups {
            group.sort_unstable();
        }
        Colouring { groups }
    }
}

impl Machine {
    /// Fills `values` at the pattern's entries. `tangents` is room of the size of the memory, zero before and after.
    pub(super) fn jacobian(&mut self, compiled: &Compiled, tangents: &mut [f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        for &block in &compiled.tables.derivative_blocks {
            self.factor_block(compiled, block)?;
        }
        let result = self.sweep_colours(compiled, tangents, values);
        tangents.fill(0.0);
        result
    }

    fn sweep_colours(&mut self, compiled: &Compiled, tangents: &mut [f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        let plan = &*compiled.plan;
        let pattern = &plan.jacobian;
        for group in &compiled.tables.colouring.groups {
            for &j in group {
                tangents[plan.states[j].slot.index()] = 1.0;
            }
            self.sweep(compiled, &plan.derivatives, tangents)?;
            for &j in group {
                for position in pattern.col_starts[j]..pattern.col_starts[j + 1] {
                    let row = pattern.rows[position];
                    let slope = tangents[plan.states[row].der.index()];
                    if !slope.is_finite() {
                        let (f, x) = (&plan.states[row].name, &plan.states[j].name);
                        return Err(EvalFailure::new(format!("der({f}) has no finite slope with respect to {x}")));
                    }
                    values[position] = slope;
                }
            }
            for &j in group {
                tangents[plan.states[j].slot.index()] = 0.0;
            }
        }
        Ok(())
    }

    /// Tangents of everything in a schedule, from the tangents of the states.
    pub(super) fn sweep(&mut self, compiled: &Compiled, schedule: &Schedule, tangents: &mut [f64]) -> Result<(), EvalFailure> {
        for &step in &schedule.steps {
            match step {
                Step::Kernel(kernel) => {
                    let Some(tangent) = compiled.tables.tangent_of[kernel] else {
                        return Err(EvalFailure::new(format!("internal error: {kernel} has no tangent kernel; this is a bug")));
                    };
                    self.statistics.tangent_evaluations += 1;
                    self.run_kernel_into(compiled, tangent, tangents)?;
                }
                Step::Block(id) => {
                    let block = &compiled.plan.blocks[id];
                    for unknown in &block.unknowns {
                        tangents[unknown.index()] = 0.0;
                    }
                    self.statistics.tangent_evaluations += 1;
                    self.run_kernel_into(compiled, block.tangent, tangents)?;
                    let moved = block.residuals.iter().any(|slot| tangents[slot.index()] != 0.0);
                    // Without an effect on the residuals the unknowns do not move and the inner tangents are right already.
                    if !moved || block.unknowns.is_empty() {
                        continue;
                    }
                    if let Some(work) = self.blocks[id].as_deref_mut() {
                        work.solve_tangents(block, tangents);
                    }
                    self.statistics.tangent_evaluations += 1;
                    self.run_kernel_into(compiled, block.tangent, tangents)?;
                }
            }
        }
        Ok(())
    }
}
