//! Roots of blocks whose residuals vanish where compositions of functions that can be inverted do.
//!
//! Input: the coefficients of the compositions at the present point, and the values of the unknowns when the solver was called. Output:
//! the solution of the block, or that there is none.
//!
//! Method: each root of a composition is a value of one unknown, and the others follow from it. The solutions are tried from the one
//! nearest to the guess on (of two equally near ones the larger first). Each is checked against the residuals of the model itself:
//! Newton's method takes it as its guess and must stay there. So a root follows its branch as the coefficients change, until the branch
//! ends. Of several unknowns, solutions are lost where what the others follow from is not defined; so only the nearest one is taken
//! then, unless Newton's method found none.
//! Guarantee: a solution is as accurate as that of any other block; nothing that does not satisfy the equations is taken.
//! Cost: one run of the kernel of coefficients, and mostly one of residuals; one more for each root of several unknowns; nothing is
//! allocated.

use super::newton::Simplified;
use crate::exec::machine::Machine;
use crate::exec::tables::Compiled;
use crate::exec::workspace::block::{BlockWorkspace, Candidates};
use crate::model::chain_roots::{MOST_ROOTS, Values, roots};
use crate::model::plan::{Block, BlockId, Branch, ClosedForm};
use cranelift_entity::EntityRef;

/// Newton's method moves a root by no more than this, relative to the unknown.
const SAME_ROOT: f64 = 1e-6;

/// What the closed form of a block says.
#[derive(PartialEq, Eq)]
pub(crate) enum InClosedForm {
    /// The block is solved.
    Solved,
    /// There is no real root.
    NoRoot,
    /// Its roots do not solve the block.
    Unknown,
}

/// Which solutions are tried.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Tried {
    /// Of several unknowns only the nearest.
    Nearest,
    /// All.
    All,
}

impl Machine {
    /// Solves a block by its closed form.
    pub(crate) fn solve_in_closed_form(
        &mut self,
        compiled: &Compiled,
        id: BlockId,
        block: &Block,
        form: &ClosedForm,
        workspace: &mut BlockWorkspace,
        tried: Tried,
    ) -> InClosedForm {
        let mut candidates = std::mem::take(&mut workspace.closed.candidates);
        let are_known = self.find_candidates(compiled, block, form, workspace, &mut candidates);
        self.environment.failure = None;
        let outcome =
            if are_known { self.try_candidates(compiled, id, block, workspace, &candidates, tried) } else { InClosedForm::Unknown };
        workspace.closed.candidates = candidates;
        outcome
    }

    fn try_candidates(
        &mut self,
        compiled: &Compiled,
        id: BlockId,
        block: &Block,
        workspace: &mut BlockWorkspace,
        candidates: &Candidates,
        tried: Tried,
    ) -> InClosedForm {
        let is_one = workspace.n == 1;
        if !is_one && candidates.has_undefined && tried == Tried::Nearest {
            return InClosedForm::Unknown;
        }
        let at = |number: usize| &candidates.values[number * workspace.n..(number + 1) * workspace.n];
        let mut order: [usize; MOST_ROOTS] = std::array::from_fn(|number| number);
        order[..candidates.n].sort_unstable_by(|a, b| {
            let (a, b) = (at(*a), at(*b));
            distance(block, &workspace.entry, a).total_cmp(&distance(block, &workspace.entry, b)).then(b[0].total_cmp(&a[0]))
        });
        let n_tried = if is_one || tried == Tried::All { candidates.n } else { candidates.n.min(1) };
        for number in &order[..n_tried] {
            let root = &candidates.values[number * workspace.n..(number + 1) * workspace.n];
            if self.is_root(compiled, id, block, workspace, root) {
                self.statistics.closed_forms += 1;
                return InClosedForm::Solved;
            }
        }
        let is_none = is_one && candidates.n == 0 && workspace.closed.coefficients.iter().all(|c| c.is_finite());
        if is_none { InClosedForm::NoRoot } else { InClosedForm::Unknown }
    }

    /// All roots of all branches with what follows from them; false if the coefficients have no values.
    fn find_candidates(
        &mut self,
        compiled: &Compiled,
        block: &Block,
        form: &ClosedForm,
        workspace: &mut BlockWorkspace,
        found: &mut Candidates,
    ) -> bool {
        (found.n, found.has_undefined) = (0, false);
        if compiled.kernels.call(form.coefficients, &mut self.memory, &mut workspace.closed.coefficients, &mut self.environment).is_err() {
            return false;
        }
        let mut used = 0;
        for branch in &form.branches {
            let values = roots_of_branch(branch, &workspace.closed.coefficients, &mut used, workspace.entry[branch.unknown]);
            for root in values.as_slice() {
                if found.n < MOST_ROOTS {
                    self.add_candidate(compiled, block, branch, workspace, *root, found);
                }
            }
        }
        true
    }

    /// Adds the point that follows from a root of a branch, where it is defined.
    fn add_candidate(
        &mut self,
        compiled: &Compiled,
        block: &Block,
        branch: &Branch,
        workspace: &mut BlockWorkspace,
        root: f64,
        found: &mut Candidates,
    ) {
        let from = found.n * workspace.n;
        let to = &mut found.values[from..from + workspace.n];
        to[branch.unknown] = root;
        if let Some(others) = &branch.others {
            self.memory[block.unknowns[branch.unknown].index()] = root;
            let out = &mut workspace.closed.others[..others.unknowns.len()];
            let called = compiled.kernels.call(others.kernel, &mut self.memory, out, &mut self.environment);
            if called.is_err() || out.iter().any(|value| !value.is_finite()) {
                found.has_undefined = true;
                return;
            }
            for (unknown, value) in others.unknowns.iter().zip(&*out) {
                to[*unknown] = *value;
            }
        }
        found.n += 1;
    }

    /// Whether Newton's method stays at a root.
    fn is_root(&mut self, compiled: &Compiled, id: BlockId, block: &Block, workspace: &mut BlockWorkspace, root: &[f64]) -> bool {
        workspace.z.copy_from_slice(root);
        self.load(block, root);
        workspace.update_sizes(block);
        workspace.closed.root_size.copy_from_slice(&workspace.size);
        let stays = |workspace: &BlockWorkspace| {
            let pairs = workspace.z.iter().zip(root).zip(&workspace.closed.root_size);
            pairs.into_iter().all(|((z, root), size)| (z - root).abs() <= SAME_ROOT * size)
        };
        if matches!(self.solve_with_old_factors(compiled, block, workspace), Simplified::Solved) && stays(workspace) {
            return true;
        }
        workspace.z.copy_from_slice(root);
        let solved = self.solve_newton(compiled, id, block, workspace).is_ok();
        self.environment.failure = None;
        solved && stays(workspace)
    }
}

/// How far a point is from the guess, each unknown relative to its size.
fn distance(block: &Block, guess: &[f64], point: &[f64]) -> f64 {
    let of_one = |((guess, point), size): ((&f64, &f64), f64)| {
        let guess = if guess.is_finite() { *guess } else { 0.0 };
        (point - guess).abs() / guess.abs().max(size)
    };
    guess.iter().zip(point).zip(block.declared.iter().map(|declared| declared.size())).map(of_one).sum()
}

/// All roots of all factors of a branch.
fn roots_of_branch(branch: &Branch, coefficients: &[f64], used: &mut usize, guess: f64) -> Values {
    let mut found = Values::none();
    for chain in &branch.chains {
        let own = &coefficients[*used..*used + chain.n_coefficients()];
        *used += own.len();
        for root in roots(chain, own, guess).as_slice() {
            if !found.as_slice().contains(root) {
                found.push(*root);
            }
        }
    }
    found
}
