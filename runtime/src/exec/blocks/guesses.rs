//! Solves a nonlinear block in closed form, or from one guess after the other: the present values, the last accepted point, the start values, and others
//! where the equations are not defined or singular at these.

use super::closed_form::{InClosedForm, Tried};
use super::constants::{CAUTIOUS_REACH, OLD_REACH, OTHER_GUESSES, SEARCH_POINTS};
use super::newton::Simplified;
use crate::exec::machine::Machine;
use crate::exec::tables::Compiled;
use crate::exec::workspace::block::{BlockWorkspace, Trouble};
use crate::model::plan::{Block, BlockId};

impl Machine {
    /// A nonlinear block: from the guess in the memory, then from the last accepted point, then from the start values; at the
    /// start from other guesses too.
    pub(crate) fn solve_from_guesses(
        &mut self,
        compiled: &Compiled,
        id: BlockId,
        block: &Block,
        workspace: &mut BlockWorkspace,
    ) -> Result<(), Trouble> {
        // At the start Newton's method decides which root it is.
        let mut has_no_root = false;
        if let Some(form) = block.closed.as_ref().filter(|form| form.is_direct && !self.is_starting) {
            match self.solve_in_closed_form(compiled, id, block, form, workspace, Tried::Nearest) {
                InClosedForm::Solved => return Ok(()),
                InClosedForm::NoRoot => has_no_root = true,
                InClosedForm::Unknown => {}
            }
        }
        workspace.z.copy_from_slice(&workspace.entry);
        let simplified = self.solve_with_old_factors(compiled, block, workspace);
        if matches!(simplified, Simplified::Solved) {
            return Ok(());
        }
        workspace.keeps_free = false;
        if matches!(simplified, Simplified::Nearer) && self.solve_newton(compiled, id, block, workspace).is_ok() {
            return Ok(());
        }
        self.environment.failure = None;
        workspace.direct = true;
        workspace.z.copy_from_slice(&workspace.entry);
        let first = self.solve_newton(compiled, id, block, workspace);
        if first.is_ok() {
            return first;
        }
        workspace.direct = false;
        let reason = self.environment.failure.take();
        let failed = (workspace.z.clone(), workspace.r.clone());
        if let Some(form) = block.closed.as_ref().filter(|form| self.is_starting || !form.is_direct || workspace.n > 1) {
            match self.solve_in_closed_form(compiled, id, block, form, workspace, Tried::All) {
                InClosedForm::Solved => return Ok(()),
                InClosedForm::NoRoot => has_no_root = true,
                InClosedForm::Unknown => {}
            }
        }
        for guess in [workspace.accepted.clone(), workspace.start.clone()].into_iter().flatten() {
            if guess != workspace.entry {
                workspace.z.copy_from_slice(&guess);
                if self.solve_newton(compiled, id, block, workspace).is_ok() {
                    return Ok(());
                }
            }
        }
        if workspace.n == 1 && self.search_sign(compiled, block, workspace) && self.solve_newton(compiled, id, block, workspace).is_ok() {
            return Ok(());
        }
        let undefined = matches!(first, Err(Trouble::Kernel | Trouble::Undefined { .. } | Trouble::Slope { .. } | Trouble::Singular(_)));
        if undefined && workspace.accepted.is_none() && self.solve_from_nominals(compiled, id, block, workspace) {
            return Ok(());
        }
        // A long step can lead to where a power or an exponential is flat, and no step leads back: small steps stay near.
        workspace.reach = CAUTIOUS_REACH;
        for guess in [Some(workspace.entry.clone()), workspace.start.clone()].into_iter().flatten() {
            workspace.z.copy_from_slice(&guess);
            if self.solve_newton(compiled, id, block, workspace).is_ok() {
                workspace.reach = f64::INFINITY;
                return Ok(());
            }
        }
        workspace.reach = f64::INFINITY;
        if matches!(first, Err(Trouble::Singular(_))) && self.solve_keeping_free(compiled, id, block, workspace) {
            return Ok(());
        }
        (workspace.z, workspace.r) = failed;
        self.environment.failure = reason;
        if has_no_root { Err(Trouble::NoRoot) } else { first }
    }

    /// A guess that satisfies the equations, up to a small step, is followed to the solution next to it even where the equations do not
    /// determine it: what is free keeps its value. False if the guess is none, or there is no solution next to it.
    pub(crate) fn solve_keeping_free(&mut self, compiled: &Compiled, id: BlockId, block: &Block, workspace: &mut BlockWorkspace) -> bool {
        let reason = self.environment.failure.take();
        let told = self.undetermined.len();
        let before = std::mem::replace(&mut self.keeps_undetermined, true);
        workspace.z.copy_from_slice(&workspace.entry);
        self.load(block, &workspace.z);
        workspace.update_sizes(block);
        let mut solved =
            self.residual(compiled, block, &mut workspace.r).is_ok() && self.refresh_factors(compiled, id, block, workspace).is_ok();
        if solved {
            workspace.step_from_residual();
            solved = workspace.relative(&workspace.dz) <= OLD_REACH && self.solve_newton(compiled, id, block, workspace).is_ok();
        }
        self.keeps_undetermined = before;
        workspace.keeps_free = solved;
        if !solved {
            self.environment.failure = reason;
            self.undetermined.truncate(told);
            workspace.matrix.forget_factors();
        }
        solved
    }

    /// Zero is often where `1/x`, `log(x)` and their slopes are not defined, so the guess is moved away from it.
    pub(crate) fn solve_from_nominals(&mut self, compiled: &Compiled, id: BlockId, block: &Block, workspace: &mut BlockWorkspace) -> bool {
        let mut tried: Vec<Vec<f64>> = vec![workspace.entry.clone()];
        for (factor, all) in OTHER_GUESSES {
            for ((z, entry), declared) in workspace.z.iter_mut().zip(&workspace.entry).zip(&block.declared) {
                *z = if all || *entry == 0.0 || !entry.is_finite() { factor * declared.size() } else { *entry };
            }
            if tried.contains(&workspace.z) {
                continue;
            }
            tried.push(workspace.z.clone());
            if self.solve_newton(compiled, id, block, workspace).is_ok() {
                return true;
            }
        }
        false
    }

    /// Looks for a change of sign of the residual around the guess of a single unknown and narrows it down to a guess from
    /// which Newton's method ends. False if there is none; a pole changes sign too, but Newton's method then fails.
    pub(crate) fn search_sign(&mut self, compiled: &Compiled, block: &Block, workspace: &mut BlockWorkspace) -> bool {
        let guess = if workspace.entry[0].is_finite() { workspace.entry[0] } else { 0.0 };
        workspace.z[0] = guess;
        workspace.update_sizes(block);
        let at = |machine: &mut Machine, workspace: &mut BlockWorkspace, z: f64| {
            machine.load(block, &[z]);
            machine.residual(compiled, block, &mut workspace.r).ok().map(|()| workspace.r[0])
        };
        let mut bracket = None;
        // The last points where the residual was defined, above and below the guess.
        let mut known = [None, None];
        for k in 0..SEARCH_POINTS {
            let reach = workspace.size[0] * 1e-3 * 1.5f64.powi(k);
            for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
                let z = guess + sign * reach;
                let Some(r) = at(self, workspace, z) else { continue };
                if let Some((z_known, r_known)) = known[side].or(known[1 - side])
                    && (r_known > 0.0) != (r > 0.0)
                    && bracket.is_none()
                {
                    bracket = Some(((z_known, r_known), (z, r)));
                }
                known[side] = Some((z, r));
            }
            if bracket.is_some() {
                break;
            }
        }
        let Some(((mut a, r_a), (mut b, _))) = bracket else { return false };
        for _ in 0..60 {
            let middle: f64 = 0.5 * (a + b);
            match at(self, workspace, middle) {
                Some(r) if (r > 0.0) == (r_a > 0.0) => a = middle,
                Some(_) => b = middle,
                None => return false,
            }
            if (b - a).abs() <= 1e-9 * workspace.size[0] {
                break;
            }
        }
        workspace.z[0] = 0.5 * (a + b);
        true
    }
}
