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
use crate::model::plan::{BlockId, KernelId, Schedule, Step};
use cranelift_entity::EntityRef;

impl Machine {
    /// Fills `values` at the pattern's entries. `tangents` is workspace of the size of the memory, zero before and after.
    pub(crate) fn jacobian(&mut self, compiled: &Compiled, tangents: &mut [f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        for &block in &compiled.tables.derivative_blocks {
            self.factor_block(compiled, block)?;
        }
        let result = self.sweep_colours(compiled, tangents, values);
        tangents.fill(0.0);
        result
    }

    pub(crate) fn sweep_colours(&mut self, compiled: &Compiled, tangents: &mut [f64], values: &mut [f64]) -> Result<(), EvalFailure> {
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
    pub(crate) fn sweep(&mut self, compiled: &Compiled, schedule: &Schedule, tangents: &mut [f64]) -> Result<(), EvalFailure> {
        for &step in &schedule.steps {
            match step {
                Step::Kernel(kernel) => self.sweep_kernel(compiled, kernel, tangents)?,
                Step::Block(block) => self.sweep_block(compiled, block, tangents)?,
            }
        }
        Ok(())
    }

    /// Tangents of what a kernel writes.
    pub(crate) fn sweep_kernel(&mut self, compiled: &Compiled, kernel: KernelId, tangents: &mut [f64]) -> Result<(), EvalFailure> {
        let Some(tangent) = compiled.tables.tangent_of[kernel] else {
            return Err(EvalFailure::new(format!("internal error: {kernel} has no tangent kernel; this is a bug")));
        };
        self.statistics.tangent_evaluations += 1;
        self.run_kernel_into(compiled, tangent, tangents)
    }

    /// Tangents of what a block determines, whose factors are those of this point.
    pub(crate) fn sweep_block(&mut self, compiled: &Compiled, id: BlockId, tangents: &mut [f64]) -> Result<(), EvalFailure> {
        let block = &compiled.plan.blocks[id];
        for unknown in &block.unknowns {
            tangents[unknown.index()] = 0.0;
        }
        self.statistics.tangent_evaluations += 1;
        self.run_kernel_into(compiled, block.tangent, tangents)?;
        let moved = block.residuals.iter().any(|slot| tangents[slot.index()] != 0.0);
        // Without an effect on the residuals the unknowns do not move and the inner tangents are right already.
        if !moved || block.unknowns.is_empty() {
            return Ok(());
        }
        if let Some(workspace) = self.blocks[id].as_deref_mut() {
            workspace.solve_tangents(block, tangents);
        }
        self.statistics.tangent_evaluations += 1;
        self.run_kernel_into(compiled, block.tangent, tangents)
    }
}
