//! Solves a linear block: one exact step, refined if rounding made it inexact.

use super::constants::{UPDATE_FLOOR, UPDATE_GOAL};
use crate::exec::machine::Machine;
use crate::exec::tables::Compiled;
use crate::exec::workspace::block::{BlockWorkspace, Trouble};
use crate::model::plan::{Block, BlockId};

impl Machine {
    /// A linear block: one exact step, refined if rounding made it inexact.
    ///
    /// The answer does not depend on the guess, so a guess at which an inner variable overflows, or that is so far off that nothing is
    /// left of the answer beside it, is replaced by zero: a trial point where a junction carries 1e31 A leaves such guesses behind.
    pub(crate) fn solve_affine(
        &mut self,
        compiled: &Compiled,
        id: BlockId,
        block: &Block,
        workspace: &mut BlockWorkspace,
    ) -> Result<(), Trouble> {
        workspace.z.copy_from_slice(&workspace.entry);
        if workspace.z.iter().all(|z| z.is_finite()) && self.residual(compiled, block, &mut workspace.r).is_ok() {
            match self.refine_affine(compiled, id, block, workspace) {
                Ok(true) => return Ok(()),
                Err(Trouble::Singular(defect)) => return Err(Trouble::Singular(defect)),
                // From zero, what no equation determines would not keep its value.
                Ok(false) if block.unknowns.iter().any(|slot| self.undetermined.contains(slot)) => return Err(Trouble::Inaccurate),
                Ok(false) | Err(_) => {}
            }
        }
        workspace.z.fill(0.0);
        self.load(block, &workspace.z);
        self.residual(compiled, block, &mut workspace.r)?;
        if self.refine_affine(compiled, id, block, workspace)? { Ok(()) } else { Err(Trouble::Inaccurate) }
    }

    /// Steps of a linear block from a guess whose residual is known; whether they led to an answer.
    pub(crate) fn refine_affine(
        &mut self,
        compiled: &Compiled,
        id: BlockId,
        block: &Block,
        workspace: &mut BlockWorkspace,
    ) -> Result<bool, Trouble> {
        workspace.update_sizes(block);
        if !self.same_jacobian(compiled, id, block, workspace) {
            self.refresh_factors(compiled, id, block, workspace)?;
        }
        self.statistics.newton_iterations += 1;
        workspace.step_from_residual();
        // A guess that is right to the last digit is kept, so that repeated evaluation changes nothing.
        if workspace.is_within(&workspace.dz, 2.0 * f64::EPSILON) && workspace.has_digits(false) {
            return Ok(true);
        }
        for _ in 0..4 {
            for (z, dz) in workspace.z.iter_mut().zip(&workspace.dz) {
                *z += dz;
            }
            self.load(block, &workspace.z);
            self.residual(compiled, block, &mut workspace.r)?;
            workspace.update_sizes(block);
            std::mem::swap(&mut workspace.dz, &mut workspace.dz_next);
            workspace.step_from_residual();
            if workspace.is_within(&workspace.dz, UPDATE_GOAL) && workspace.has_digits(false) {
                return Ok(true);
            }
            // By the sizes of now: an unknown that falls from 1e31 to 1 falls by its own size in every step.
            let (update, next) = (workspace.relative(&workspace.dz_next), workspace.relative(&workspace.dz));
            if next.is_nan() || next > 0.5 * update {
                break;
            }
        }
        // What remains is rounding of inner values: a refined solution that moves by less than this is as good as it gets.
        Ok(workspace.relative(&workspace.dz) <= UPDATE_FLOOR)
    }
}
