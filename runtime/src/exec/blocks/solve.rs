//! Solves one block: equations that determine their unknowns together.
//!
//! Input: the memory, with a guess in the slots of the unknowns. Output: unknowns and inner variables that satisfy the
//! equations, or a failure that names them.
//!
//! Method: Newton's method with the exact Jacobian by tangents, rows and columns scaled by powers of two. A linear block takes
//! one step and is refined while that helps. A nonlinear block takes damped steps that must reduce the scaled residual
//! (Armijo) or the next step (Deuflhard's natural test); where a residual is not defined the step is shortened.
//! A block counts as solved when the estimated distance to the solution, `|J^-1 r|` relative to the unknowns, is below
//! `UPDATE_GOAL`, or below `UPDATE_TOLERANCE` and not falling any more, or when the residual cannot be reduced and is at the
//! level of rounding errors; unknowns that are small have their digits then, too (`digits`). Solutions are far more accurate than an integrator needs because it differences them.
//! Guarantees: a singular system is a failure, never a least-squares answer. Two kinds of blocks keep the values of what they do
//! not determine, and that is told: a linear block in which a row or column vanishes (fluid at rest has no temperature of its
//! own), and a nonlinear block whose guess satisfies its equations already (a pipe closed at both ends keeps its pressure).
//! Nothing is allocated after the first solution.
//! Cost: per iteration one tangent per colour of the block's pattern (n without a pattern) and an LU factorisation, sparse where
//! that is cheaper; a linear block whose Jacobian is found unchanged (compared along one random direction) needs one tangent
//! and no factorisation; one whose coefficients change at events only, none. A nonlinear block is first tried with the factors of its last solution. When a nonlinear block of one unknown fails, a change of sign is searched for around the guess.
//! A nonlinear block that has a closed form is solved by that between events and at them, and where Newton's method
//! fails (see `closed_form`).
//! At the start the given start values choose among several solutions (see `starts`).
//! A block that was never solved before and is not defined or singular at its guess is also tried from guesses of the
//! unknowns' nominal sizes.

use crate::base::error::EvalFailure;
use crate::exec::machine::Machine;
use crate::exec::tables::Compiled;
use crate::exec::workspace::block::{BlockWorkspace, Trouble};
use crate::exec::workspace::matrix::Defect;
use crate::model::plan::{Block, BlockId, BlockKind, ByStarts};
use cranelift_entity::EntityRef;

impl Machine {
    /// Solves a block, mixed or not.
    pub(crate) fn solve_block(&mut self, compiled: &Compiled, id: BlockId) -> Result<(), EvalFailure> {
        let block = &compiled.plan.blocks[id];
        if !block.discrete_slots.is_empty() {
            return self.solve_mixed(compiled, id);
        }
        if self.is_starting
            && let Some(system) = by_starts(compiled, id)
        {
            return self.solve_from_starts(compiled, system);
        }
        self.solve_continuous(compiled, id)
    }

    /// Solves the continuous unknowns of a block; discrete values stay as they are.
    pub(crate) fn solve_continuous(&mut self, compiled: &Compiled, id: BlockId) -> Result<(), EvalFailure> {
        let block = &compiled.plan.blocks[id];
        self.statistics.block_solves += 1;
        let mut workspace = self.take_workspace(compiled, id);
        for (value, slot) in workspace.entry.iter_mut().zip(&block.unknowns) {
            *value = self.memory[slot.index()];
        }
        workspace.direct = true;
        workspace.digits.begin();
        let result = match block.kind {
            _ if workspace.n == 0 => self.residual(compiled, block, &mut workspace.r).and(Ok(())),
            BlockKind::Linear => self.solve_affine(compiled, id, block, &mut workspace),
            BlockKind::Nonlinear => self.solve_from_guesses(compiled, id, block, &mut workspace),
        };
        if result.is_ok() && self.is_starting && block.kind == BlockKind::Nonlinear {
            self.polish(compiled, id, block, &mut workspace);
        }
        let result = result.map_err(|trouble| {
            let failure = self.describe(compiled, id, block, &workspace, &trouble);
            self.load(block, &workspace.entry);
            failure
        });
        self.blocks[id] = Some(workspace);
        result
    }

    /// Remembers the values of the unknowns of all blocks as guesses of last resort: the start values.
    pub(crate) fn keep_starts(&mut self, compiled: &Compiled) {
        for (id, block) in compiled.plan.blocks.iter() {
            if block.kind == BlockKind::Nonlinear {
                let mut workspace = self.take_workspace(compiled, id);
                workspace.start = Some(block.unknowns.iter().map(|slot| self.memory[slot.index()]).collect());
                workspace.accepted = None;
                self.blocks[id] = Some(workspace);
            }
        }
    }

    /// The failure in the model's words.
    pub(crate) fn describe(
        &mut self,
        compiled: &Compiled,
        id: BlockId,
        block: &Block,
        workspace: &BlockWorkspace,
        trouble: &Trouble,
    ) -> EvalFailure {
        let plan = &*compiled.plan;
        let name = |j: usize| compiled.tables.label(plan, block.unknowns[j]);
        let equation = |i: usize| block.equations.get(i).map_or_else(|| format!("equation {}", i + 1), |label| label.text.clone());
        let count = |n: usize, what: &str| if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") };
        let what = match block.kind {
            BlockKind::Linear => "linear",
            BlockKind::Nonlinear => "nonlinear",
        };
        let mut place = None;
        let reason = match trouble {
            Trouble::Kernel => {
                let why = self.environment.failure.take();
                why.unwrap_or_else(|| "a function of the model failed".to_owned())
            }
            Trouble::Undefined { row } => {
                place = Some(*row);
                format!("the equation {} has no finite value at the guess", equation(*row))
            }
            Trouble::Slope { row, column } => {
                place = Some(*row);
                format!("the equation {} has no finite slope with respect to {}", equation(*row), name(*column))
            }
            Trouble::Singular(Defect::EmptyRow { row }) => {
                place = Some(*row);
                format!("the {what} system is singular: the equation {} depends on no unknown here", equation(*row))
            }
            Trouble::Singular(Defect::EmptyColumn { column }) => {
                format!("the {what} system is singular: no equation depends on {} here", name(*column))
            }
            Trouble::Singular(Defect::Dependent { column }) => {
                format!("the {what} system is singular: {} cannot be determined", name(*column))
            }
            Trouble::NoRoot => {
                place = Some(0);
                format!("the equation {} has no real solution for {} here", equation(0), name(0))
            }
            Trouble::Stalled { iterations } => {
                format!("Newton's iteration found no way on after {}", count(*iterations, "step"))
            }
            Trouble::Limit { iterations } => format!("Newton's iteration did not converge in {}", count(*iterations, "step")),
            Trouble::Inaccurate => format!("the {what} system is so ill-conditioned that its solution has no correct digits"),
        };
        let mut failure = EvalFailure::new(reason);
        let worst = (0..workspace.n).max_by(|&a, &b| workspace.r[a].abs().total_cmp(&workspace.r[b].abs()));
        failure.span = place.or(worst).and_then(|row| block.equations.get(row)).map(|label| label.span);
        failure.notes.push(format!(
            "{id} solves {} together, iterating on {}, at time {}",
            count(block.size.max(workspace.n), "equation"),
            count(workspace.n, "unknown"),
            self.memory[0]
        ));
        for j in 0..workspace.n.min(10) {
            failure.notes.push(format!("{} = {}", name(j), workspace.z[j]));
        }
        for i in 0..workspace.n.min(10) {
            failure.notes.push(format!("{}   (residual {:e})", equation(i), workspace.r[i]));
        }
        if workspace.n > 10 {
            failure.notes.push(format!("and {} more unknowns and equations", workspace.n - 10));
        }
        failure
    }
}

/// How a block of the start follows from its start values, if it has some. Where the model says how to come to its solution, by
/// `homotopy`, that decides.
fn by_starts(compiled: &Compiled, id: BlockId) -> Option<&ByStarts> {
    let systems = &compiled.plan.start.by_starts;
    let found = systems.binary_search_by_key(&id, |system| system.block).ok()?;
    compiled.plan.start.homotopy.is_none().then_some(&systems[found])
}
