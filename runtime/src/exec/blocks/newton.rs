//! Newton's method for a nonlinear block from one guess: damped, and simplified with the factors of the last solution.

use super::constants::{
    DIRECT, MAX_ITERATIONS, MAX_POLISHING, MIN_DAMPING, OLD_CONTRACTION, OLD_REACH, OLD_STEPS, RESIDUAL_FLOOR, SIMPLIFIED_REACH,
    UPDATE_FLOOR, UPDATE_GOAL, UPDATE_TOLERANCE,
};
use crate::exec::machine::Machine;
use crate::exec::tables::Compiled;
use crate::exec::workspace::block::{BlockWorkspace, Trouble};
use crate::exec::workspace::matrix::{Defect, direction};
use crate::model::plan::{Block, BlockId};
use cranelift_entity::EntityRef;

impl Machine {
    /// Simplified Newton iteration with the factors of the last solution, which is mostly near: as long as the steps shrink fast. Where
    /// they have done so for a while, the point that was reached is a better guess than the one before.
    pub(crate) fn solve_with_old_factors(&mut self, compiled: &Compiled, block: &Block, workspace: &mut BlockWorkspace) -> Simplified {
        if !workspace.matrix.is_factored() {
            return Simplified::Far;
        }
        let mut update = f64::INFINITY;
        for steps in 0..=OLD_STEPS {
            if self.residual(compiled, block, &mut workspace.r).is_err() {
                self.environment.failure = None;
                return Simplified::Far;
            }
            workspace.update_sizes(block);
            workspace.step_from_residual();
            let next = workspace.relative(&workspace.dz);
            // Steps that have shrunk and do so no more are rounding errors.
            let floor = steps > 1 && next <= UPDATE_TOLERANCE && next > OLD_CONTRACTION * update;
            let is_small = next <= UPDATE_GOAL || floor;
            if is_small && workspace.has_digits(false) {
                return Simplified::Solved;
            }
            // The comparisons are false for what is not a number, too.
            let shrinks = is_small || next <= OLD_REACH && next <= OLD_CONTRACTION * update;
            if !shrinks {
                return if steps > 1 && next < update { Simplified::Nearer } else { Simplified::Far };
            }
            self.statistics.newton_iterations += 1;
            update = next;
            for (z, dz) in workspace.z.iter_mut().zip(&workspace.dz) {
                *z += dz;
            }
            self.load(block, &workspace.z);
        }
        Simplified::Nearer
    }

    /// Damped Newton iteration from `workspace.z`.
    pub(crate) fn solve_newton(
        &mut self,
        compiled: &Compiled,
        id: BlockId,
        block: &Block,
        workspace: &mut BlockWorkspace,
    ) -> Result<(), Trouble> {
        self.load(block, &workspace.z);
        // From another guess steps are others.
        workspace.digits.ask_again();
        self.residual(compiled, block, &mut workspace.r)?;
        let mut perturbations = 0;
        let mut before = f64::INFINITY;
        // The first singular iterate and its residual.
        let mut singular: Option<(Vec<f64>, Vec<f64>)> = None;
        for iteration in 0..MAX_ITERATIONS {
            if self.statistics.tangent_evaluations >= self.most_tangents {
                return Err(Trouble::Limit { iterations: iteration });
            }
            self.statistics.newton_iterations += 1;
            workspace.update_sizes(block);
            if let Err(trouble) = self.refresh_factors(compiled, id, block, workspace) {
                // An isolated point where the Jacobian is singular or undefined is left by a small move.
                singular.get_or_insert_with(|| (workspace.z.clone(), workspace.r.clone()));
                if perturbations >= 4 || !self.perturb(compiled, block, workspace, perturbations) {
                    return Err(trouble);
                }
                perturbations += 1;
                workspace.direct = false;
                continue;
            }
            if let Some((z, r)) = singular.take()
                && self.is_solution(compiled, block, workspace, &z, &r)?
            {
                return Ok(());
            }
            workspace.step_from_residual();
            let update = workspace.relative(&workspace.dz);
            let is_small = update <= UPDATE_GOAL || shrinks_slowly(before, update);
            if is_small && workspace.has_digits(false) {
                return Ok(());
            }
            before = update;
            if update.is_nan() {
                return Err(Trouble::Singular(Defect::Dependent { column: workspace.n - 1 }));
            }
            match self.damped_step(compiled, block, workspace, update) {
                Progress::Solved => return Ok(()),
                Progress::Step => {}
                Progress::Stuck => {
                    let rounding =
                        update <= UPDATE_FLOOR && workspace.matrix.relative_residual(&workspace.r, &workspace.size) <= RESIDUAL_FLOOR;
                    self.load(block, &workspace.z);
                    self.residual(compiled, block, &mut workspace.r_trial)?;
                    return if rounding { Ok(()) } else { Err(Trouble::Stalled { iterations: iteration + 1 }) };
                }
            }
        }
        Err(Trouble::Limit { iterations: MAX_ITERATIONS })
    }

    /// Whether a singular iterate is a solution, judged by the regular Jacobian of a point nearby; then it is loaded. A system that is
    /// singular everywhere never comes here.
    pub(crate) fn is_solution(
        &mut self,
        compiled: &Compiled,
        block: &Block,
        workspace: &mut BlockWorkspace,
        z: &[f64],
        r: &[f64],
    ) -> Result<bool, Trouble> {
        workspace.r_trial.copy_from_slice(r);
        workspace.step_from_trial();
        let distance = workspace.relative(&workspace.dz_next);
        if distance.is_nan() || distance > UPDATE_GOAL {
            return Ok(false);
        }
        workspace.z.copy_from_slice(z);
        self.load(block, z);
        self.residual(compiled, block, &mut workspace.r)?;
        Ok(true)
    }

    /// Further Newton steps from a solution, as long as they bring it nearer: what is zero at the start, and is divided by something
    /// small later, comes out as zero.
    pub(crate) fn polish(&mut self, compiled: &Compiled, id: BlockId, block: &Block, workspace: &mut BlockWorkspace) {
        for _ in 0..MAX_POLISHING {
            if self.refresh_factors(compiled, id, block, workspace).is_err() {
                return;
            }
            workspace.step_from_residual();
            let update = workspace.relative(&workspace.dz);
            for (j, slot) in block.unknowns.iter().enumerate() {
                self.memory[slot.index()] = workspace.z[j] + workspace.dz[j];
            }
            let defined = update > 0.0 && self.residual(compiled, block, &mut workspace.r_trial).is_ok();
            if defined {
                workspace.step_from_trial();
            }
            if !defined || workspace.relative(&workspace.dz_next).is_nan() || workspace.relative(&workspace.dz_next) > 0.5 * update {
                self.load(block, &workspace.z);
                // It was defined there before.
                let _ = self.residual(compiled, block, &mut workspace.r);
                return;
            }
            for (z, dz) in workspace.z.iter_mut().zip(&workspace.dz) {
                *z += dz;
            }
            std::mem::swap(&mut workspace.r, &mut workspace.r_trial);
        }
    }

    /// Goes along `dz` as far as it helps.
    pub(crate) fn damped_step(&mut self, compiled: &Compiled, block: &Block, workspace: &mut BlockWorkspace, update: f64) -> Progress {
        let merit = workspace.matrix.merit(&workspace.r);
        let longest = (workspace.reach / update).min(1.0);
        let mut damping = longest;
        while damping >= MIN_DAMPING * longest {
            for (j, slot) in block.unknowns.iter().enumerate() {
                self.memory[slot.index()] = workspace.z[j] + damping * workspace.dz[j];
            }
            let defined = self.residual(compiled, block, &mut workspace.r_trial).is_ok();
            if defined {
                workspace.step_from_trial();
                let next = workspace.relative(&workspace.dz_next);
                let enough = 1.0 - 1e-4 * damping;
                let better =
                    workspace.matrix.merit(&workspace.r_trial) <= enough * enough * merit || next <= (1.0 - 0.25 * damping) * update;
                // Full steps at the level of rounding errors may not reduce anything.
                let floor = next <= UPDATE_TOLERANCE && next > 0.1 * update;
                let is_small = damping == 1.0 && (next <= UPDATE_GOAL || floor);
                if better || is_small {
                    workspace.direct &= damping == 1.0 && (is_small || next <= DIRECT * update);
                    for (z, dz) in workspace.z.iter_mut().zip(&workspace.dz) {
                        *z += damping * dz;
                    }
                    std::mem::swap(&mut workspace.r, &mut workspace.r_trial);
                    let solved = is_small && workspace.has_digits(true);
                    if next <= UPDATE_GOAL && !solved {
                        // The next iteration begins with a question about the same step.
                        workspace.digits.ask_again();
                    }
                    let contraction = next / update;
                    let is_last = !is_small && damping == 1.0 && next <= SIMPLIFIED_REACH && next * contraction <= UPDATE_GOAL;
                    if is_last && workspace.digits.will_be_there(&workspace.dz_next, contraction, &workspace.z, &workspace.entry) {
                        return self.simplified_step(compiled, block, workspace);
                    }
                    return if solved { Progress::Solved } else { Progress::Step };
                }
            }
            damping *= if defined { 0.5 } else { 0.25 };
        }
        Progress::Stuck
    }

    /// The last step: with the factors at hand it is known to end within the goal.
    pub(crate) fn simplified_step(&mut self, compiled: &Compiled, block: &Block, workspace: &mut BlockWorkspace) -> Progress {
        for (j, slot) in block.unknowns.iter().enumerate() {
            self.memory[slot.index()] = workspace.z[j] + workspace.dz_next[j];
        }
        if self.residual(compiled, block, &mut workspace.r_trial).is_err() {
            return Progress::Stuck;
        }
        for (z, slot) in workspace.z.iter_mut().zip(&block.unknowns) {
            *z = self.memory[slot.index()];
        }
        std::mem::swap(&mut workspace.r, &mut workspace.r_trial);
        Progress::Solved
    }

    /// Moves the iterate a little, more each time, to where the residual is defined. False if there is no such place.
    pub(crate) fn perturb(&mut self, compiled: &Compiled, block: &Block, workspace: &mut BlockWorkspace, attempt: i32) -> bool {
        let reach = 1e-4 * 10f64.powi(attempt);
        for sign in [1.0, -1.0] {
            for (j, slot) in block.unknowns.iter().enumerate() {
                self.memory[slot.index()] = workspace.z[j] + sign * reach * direction(j) * workspace.size[j];
            }
            if self.residual(compiled, block, &mut workspace.r_trial).is_ok() {
                std::mem::swap(&mut workspace.r, &mut workspace.r_trial);
                for (z, slot) in workspace.z.iter_mut().zip(&block.unknowns) {
                    *z = self.memory[slot.index()];
                }
                return true;
            }
        }
        false
    }
}

/// Whether Newton's steps shrink no faster than those of a simplified iteration should, so near to the solution that all of those to come
/// are tolerated: what is zero up to round-off, where the equations have a kink or a multiple root, goes on like that for long.
fn shrinks_slowly(before: f64, update: f64) -> bool {
    update > OLD_CONTRACTION * before && update < before && update * before <= UPDATE_TOLERANCE * (before - update)
}

/// What steps with old factors have led to.
pub(crate) enum Simplified {
    /// The solution.
    Solved,
    /// A point that is nearer to it than the guess.
    Nearer,
    /// Nothing.
    Far,
}

/// The result of one damped step.
pub(crate) enum Progress {
    /// A better point was found.
    Step,
    /// The new point is the solution.
    Solved,
    /// No point along the step is better.
    Stuck,
}
