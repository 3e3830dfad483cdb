//! Chooses among the solutions of a nonlinear block of the start: the one that its given start values stand for.
//!
//! Input: a block of the initial schedule, and its form that iterates on all unknowns with given start values. Output: the solution.
//!
//! Method: start values that satisfy the equations are the solution, whatever tearing iterates on; unknowns without a start value are
//! moved to where the given ones do so, if there is such a place (Gauss-Newton). Otherwise Newton's method from the start values,
//! which is trusted where its steps are full and contract as `DIRECT` says: then there is no other solution nearer. Where not, the
//! solution is followed from the start values `z0` along `F(z) = (1 - s) F(z0)` from s = 0 to 1, by arc length, so that the path may turn
//! (Allgower and Georg, "Numerical Continuation Methods", 1990, chapter 2). What it ends in is taken; a warning (R109) says so if
//! Newton's method ends elsewhere. A path that breaks off leaves what Newton's method has found.
//! Guarantee: whatever is taken solves the equations as accurately as any other block.
//! Cost: nothing beside Newton's method where that is direct, and one Jacobian for start values of torn unknowns; otherwise at most
//! `MOST_STEPS` Jacobians.

use super::constants::{OLD_REACH, UPDATE_GOAL};
use crate::base::error::{EvalFailure, RunError};
use crate::exec::machine::Machine;
use crate::exec::tables::Compiled;
use crate::exec::workspace::block::BlockWorkspace;
use crate::exec::workspace::matrix::largest;
use crate::model::plan::{Block, BlockId, ByStarts, Slot};
use cranelift_entity::EntityRef;

/// Two solutions are the same up to this, relative to the unknowns.
const SAME_SOLUTION: f64 = 1e-6;
/// Systems with more unknowns than this are not searched for places where the given start values fit.
const MOST_SETTLED: usize = 20;
/// Gauss-Newton steps.
const SETTLING_STEPS: usize = 20;
/// Jacobians on one path.
const MOST_STEPS: usize = 150;
/// The first and the shortest step along the path, relative to the unknowns and to the whole way.
const FIRST_STEP: f64 = 0.1;
const SHORTEST_STEP: f64 = 1e-7;
/// The longest step.
const LONGEST_STEP: f64 = 1.0;
/// Corrections back to the path.
const CORRECTIONS: usize = 5;
/// A point this near to the path is on it.
const ON_PATH: f64 = 1e-6;
/// Cosine of the largest angle between two steps.
const STRAIGHT: f64 = 0.9;
/// Unknowns that a warning shows.
const MOST_SHOWN: usize = 5;

/// How Newton's method from the start values went.
#[derive(PartialEq, Eq)]
pub(crate) enum Outcome {
    /// To the solution that is theirs.
    Direct,
    /// Somewhere, or nowhere.
    Elsewhere,
}

/// A place on the path, and where it leads.
pub(crate) struct Path {
    /// Residuals at the start values.
    r0: Vec<f64>,
    z: Vec<f64>,
    s: f64,
    /// The unit tangent, relative to the sizes of the unknowns, and its part along `s`.
    tangent: Vec<f64>,
    tangent_s: f64,
}

impl Machine {
    /// Solves a block of the start by what its start values say.
    pub(crate) fn solve_from_starts(&mut self, compiled: &Compiled, system: &ByStarts) -> Result<(), EvalFailure> {
        let (block, form) = (&compiled.plan.blocks[system.block], &compiled.plan.blocks[system.form]);
        let entry = self.values_of(&block.unknowns);
        let is_torn_away = system.form != system.block;
        if self.starts_fit(compiled, system) || is_torn_away && self.newton_from_starts(compiled, system.form) == Outcome::Direct {
            return Ok(());
        }
        self.load(block, &entry);
        let solved = self.solve_continuous(compiled, system.block);
        if solved.is_ok() && !is_torn_away && self.blocks[system.block].as_ref().is_some_and(|workspace| workspace.direct) {
            return solved;
        }
        let found = self.values_of(&block.unknowns);
        let of_form = self.values_of(&form.unknowns);
        let reason = self.environment.failure.take();
        if self.follow_from_starts(compiled, system.form) {
            if solved.is_err() {
                return Ok(());
            }
            if !self.is_near(form, &of_form) {
                self.tell_of_two(compiled, system, &of_form);
                return Ok(());
            }
        }
        self.environment.failure = reason;
        self.load(block, &found);
        if solved.is_ok() {
            // It was defined there before.
            let mut workspace = self.take_workspace(compiled, system.block);
            let _ = self.residual(compiled, block, &mut workspace.r);
            self.blocks[system.block] = Some(workspace);
        }
        solved
    }

    pub(crate) fn values_of(&self, slots: &[Slot]) -> Vec<f64> {
        slots.iter().map(|slot| self.memory[slot.index()]).collect()
    }

    /// Whether the unknowns have these values, up to what two solutions may differ.
    pub(crate) fn is_near(&self, block: &Block, values: &[f64]) -> bool {
        block.unknowns.iter().zip(values).zip(&block.declared).all(|((slot, value), declared)| {
            let now = self.memory[slot.index()];
            (now - value).abs() <= SAME_SOLUTION * now.abs().max(value.abs()).max(declared.size())
        })
    }

    /// Whether the start values satisfy the equations; then the solution is in the memory.
    pub(crate) fn starts_fit(&mut self, compiled: &Compiled, system: &ByStarts) -> bool {
        let (id, block) = (system.form, &compiled.plan.blocks[system.form]);
        let mut workspace = self.take_workspace(compiled, id);
        let fits = match workspace.start.clone() {
            Some(start) => {
                self.settle_free(compiled, id, block, &mut workspace, &start, &system.given);
                self.is_solved(compiled, id, block, &mut workspace)
            }
            None => false,
        };
        workspace.matrix.forget_factors();
        self.environment.failure = None;
        self.blocks[id] = Some(workspace);
        fits
    }

    /// Whether `workspace.z` is a solution, also where the Jacobian is singular; then it is in the memory.
    pub(crate) fn is_solved(&mut self, compiled: &Compiled, id: BlockId, block: &Block, workspace: &mut BlockWorkspace) -> bool {
        self.load(block, &workspace.z);
        if self.residual(compiled, block, &mut workspace.r).is_err() {
            return false;
        }
        workspace.update_sizes(block);
        let (z, r) = (workspace.z.clone(), workspace.r.clone());
        if self.refresh_factors(compiled, id, block, workspace).is_ok() {
            workspace.step_from_residual();
            if workspace.relative(&workspace.dz) <= UPDATE_GOAL {
                return true;
            }
        }
        // Next to a singular Jacobian a long step may be rounding.
        let is_regular_nearby = self.perturb(compiled, block, workspace, 0) && self.refresh_factors(compiled, id, block, workspace).is_ok();
        is_regular_nearby && matches!(self.is_solution(compiled, block, workspace, &z, &r), Ok(true))
    }

    /// Newton's method on a form of a block that tearing has not chosen.
    pub(crate) fn newton_from_starts(&mut self, compiled: &Compiled, id: BlockId) -> Outcome {
        let block = &compiled.plan.blocks[id];
        let mut workspace = self.take_workspace(compiled, id);
        let mut outcome = Outcome::Elsewhere;
        if let Some(start) = workspace.start.clone() {
            workspace.begin_at(&start);
            if self.solve_newton(compiled, id, block, &mut workspace).is_ok() && workspace.direct {
                self.polish(compiled, id, block, &mut workspace);
                outcome = Outcome::Direct;
            }
        }
        self.environment.failure = None;
        self.blocks[id] = Some(workspace);
        outcome
    }

    /// Puts in `workspace.z` the start values, and beside the given ones those values of the others with which they satisfy the equations;
    /// where there are none, the start values as they are.
    pub(crate) fn settle_free(
        &mut self,
        compiled: &Compiled,
        id: BlockId,
        block: &Block,
        workspace: &mut BlockWorkspace,
        start: &[f64],
        given: &[bool],
    ) {
        workspace.z.copy_from_slice(start);
        let free: Vec<usize> = (0..workspace.n).filter(|&j| !given[j]).collect();
        if free.is_empty() || free.len() == workspace.n || workspace.n > MOST_SETTLED {
            return;
        }
        for _ in 0..SETTLING_STEPS {
            self.load(block, &workspace.z);
            workspace.update_sizes(block);
            let known =
                self.residual(compiled, block, &mut workspace.r).is_ok() && self.block_jacobian(compiled, id, block, workspace).is_ok();
            let step = known.then(|| workspace.least_squares_step(&free)).flatten();
            let Some((step, rest)) = step else { break };
            for (&j, step) in free.iter().zip(&step) {
                workspace.z[j] += step * workspace.size[j];
            }
            if largest(step.iter().map(|step| step.abs())) <= UPDATE_GOAL {
                if rest <= UPDATE_GOAL {
                    return;
                }
                break;
            }
        }
        workspace.z.copy_from_slice(start);
    }

    /// Follows the solution from the start values; whether that led to one, which is then in the memory.
    pub(crate) fn follow_from_starts(&mut self, compiled: &Compiled, id: BlockId) -> bool {
        let block = &compiled.plan.blocks[id];
        let mut workspace = self.take_workspace(compiled, id);
        let arrived = match workspace.start.clone() {
            Some(start) => self.follow_to_the_end(compiled, id, block, &mut workspace, &start),
            None => false,
        };
        if arrived {
            self.polish(compiled, id, block, &mut workspace);
        }
        self.environment.failure = None;
        self.blocks[id] = Some(workspace);
        arrived
    }

    pub(crate) fn follow_to_the_end(
        &mut self,
        compiled: &Compiled,
        id: BlockId,
        block: &Block,
        workspace: &mut BlockWorkspace,
        start: &[f64],
    ) -> bool {
        workspace.begin_at(start);
        let Some(mut path) = self.begin_path(compiled, id, block, workspace) else { return false };
        let mut step = FIRST_STEP;
        for _ in 0..MOST_STEPS {
            if step < SHORTEST_STEP || self.statistics.tangent_evaluations >= self.most_tangents {
                return false;
            }
            let to_end = (1.0 - path.s) / path.tangent_s;
            let is_last = path.tangent_s > 0.0 && to_end <= step;
            match self.advance(compiled, id, block, workspace, &path, if is_last { to_end } else { step }, is_last) {
                Some((next, straightness)) if straightness >= STRAIGHT => {
                    path = next;
                    if is_last {
                        workspace.z.copy_from_slice(&path.z);
                        return self.ends_here(compiled, id, block, workspace, &path.z);
                    }
                    step = (if straightness > 0.99 { 2.0 * step } else { step }).min(LONGEST_STEP);
                }
                _ => step *= 0.25,
            }
        }
        false
    }

    /// The solution at the end of the path; false if Newton's method goes elsewhere from there.
    pub(crate) fn ends_here(
        &mut self,
        compiled: &Compiled,
        id: BlockId,
        block: &Block,
        workspace: &mut BlockWorkspace,
        end: &[f64],
    ) -> bool {
        if self.solve_newton(compiled, id, block, workspace).is_err() {
            return false;
        }
        let moved = largest(end.iter().zip(&workspace.z).zip(&workspace.size).map(|((a, b), size)| ((a - b) / size).abs()));
        moved <= OLD_REACH
    }

    /// The start of the path: the start values, from which `s` grows.
    pub(crate) fn begin_path(&mut self, compiled: &Compiled, id: BlockId, block: &Block, workspace: &mut BlockWorkspace) -> Option<Path> {
        self.load(block, &workspace.z);
        self.residual(compiled, block, &mut workspace.r).ok()?;
        workspace.update_sizes(block);
        self.refresh_factors(compiled, id, block, workspace).ok()?;
        let mut path = Path { r0: workspace.r.clone(), z: workspace.z.clone(), s: 0.0, tangent: vec![0.0; workspace.n], tangent_s: 1.0 };
        workspace.point_along(&mut path);
        path.tangent_s.is_finite().then_some(path)
    }

    /// A point of the path one step further, and the cosine of the angle by which it has turned. With `is_last` the point has the `s` of
    /// the step's end, which is 1; otherwise it lies across the path from there.
    #[expect(clippy::too_many_arguments, reason = "a step is block, path and length")]
    pub(crate) fn advance(
        &mut self,
        compiled: &Compiled,
        id: BlockId,
        block: &Block,
        workspace: &mut BlockWorkspace,
        path: &Path,
        step: f64,
        is_last: bool,
    ) -> Option<(Path, f64)> {
        let mut s = if is_last { 1.0 } else { path.s + step * path.tangent_s };
        for j in 0..workspace.n {
            workspace.z[j] = path.z[j] + step * path.tangent[j] * workspace.size[j];
        }
        let sizes = workspace.size.clone();
        let mut last = f64::INFINITY;
        for round in 0..CORRECTIONS {
            self.load(block, &workspace.z);
            self.residual(compiled, block, &mut workspace.r).ok()?;
            if round == 0 {
                self.refresh_factors(compiled, id, block, workspace).ok()?;
            }
            for (r, r0) in workspace.r.iter_mut().zip(&path.r0) {
                *r -= (1.0 - s) * r0;
            }
            workspace.step_from_residual();
            let along = workspace.direction_of(&path.r0);
            let ds = if is_last { 0.0 } else { across(path, &sizes, &workspace.dz, &along) };
            for j in 0..workspace.n {
                workspace.dz[j] += ds * along[j];
                workspace.z[j] += workspace.dz[j];
            }
            s += ds;
            let moved = workspace.relative(&workspace.dz).max(ds.abs());
            // The comparison is false for what is not a number, too.
            let is_good = moved <= 0.5 * last && moved <= 0.5 * step.max(ON_PATH);
            if !is_good {
                return None;
            }
            if moved <= ON_PATH * step.min(1.0) {
                break;
            }
            last = moved;
        }
        self.load(block, &workspace.z);
        self.residual(compiled, block, &mut workspace.r).ok()?;
        workspace.update_sizes(block);
        self.refresh_factors(compiled, id, block, workspace).ok()?;
        let mut next = Path { r0: path.r0.clone(), z: workspace.z.clone(), s, tangent: path.tangent.clone(), tangent_s: path.tangent_s };
        workspace.point_along(&mut next);
        let mut straightness = next.tangent_s * path.tangent_s;
        for j in 0..workspace.n {
            straightness += next.tangent[j] * path.tangent[j] * (workspace.size[j] / sizes[j]).min(sizes[j] / workspace.size[j]);
        }
        if straightness < 0.0 {
            next.tangent.iter_mut().for_each(|part| *part = -*part);
            next.tangent_s = -next.tangent_s;
        }
        Some((next, straightness.abs()))
    }

    /// Tells that the start values, whose solution is in the memory, and Newton's method from them choose differently.
    pub(crate) fn tell_of_two(&mut self, compiled: &Compiled, system: &ByStarts, newton: &[f64]) {
        let (plan, form) = (&*compiled.plan, &compiled.plan.blocks[system.form]);
        let title = "equations of the start have several solutions; the one that the start values lead to is taken";
        let mut remark = RunError::new("R109", title).at_time(self.memory[0]);
        remark.place = form.equations.first().map(|label| (label.span, "one of the equations".to_string()));
        let other = |(slot, value): &(&Slot, &f64)| {
            let now = self.memory[slot.index()];
            (now - **value).abs() > SAME_SOLUTION * now.abs().max(value.abs())
        };
        let differing = form.unknowns.iter().zip(newton).filter(other);
        for (slot, value) in differing.take(MOST_SHOWN) {
            let name = compiled.tables.label(plan, *slot);
            remark.notes.push(format!("{name} = {}; Newton's method without that ends at {value}", self.memory[slot.index()]));
        }
        remark.hint = Some("start values nearer to the solution that is meant leave no choice".to_string());
        self.other_solutions.retain(|(block, _)| *block != system.block);
        self.other_solutions.push((system.block, remark));
    }
}

/// How far `s` must change along with a correction that stays across the path.
fn across(path: &Path, sizes: &[f64], correction: &[f64], along: &[f64]) -> f64 {
    let product = |step: &[f64]| -> f64 { step.iter().zip(&path.tangent).zip(sizes).map(|((step, part), size)| step / size * part).sum() };
    -product(correction) / (product(along) + path.tangent_s)
}

impl BlockWorkspace {
    /// Goes to start values, as if the solver had been called there.
    pub(crate) fn begin_at(&mut self, start: &[f64]) {
        self.z.copy_from_slice(start);
        self.entry.copy_from_slice(start);
        self.direct = true;
        self.digits.begin();
    }

    /// `-J^-1 r0`: how the unknowns change with `s`.
    pub(crate) fn direction_of(&mut self, r0: &[f64]) -> Vec<f64> {
        let mut along: Vec<f64> = r0.iter().map(|r| -r).collect();
        self.matrix.solve(&mut along);
        along
    }

    /// The unit tangent of a path where the factors were made, towards larger `s`.
    pub(crate) fn point_along(&mut self, path: &mut Path) {
        path.tangent = self.direction_of(&path.r0);
        for (part, size) in path.tangent.iter_mut().zip(&self.size) {
            *part /= size;
        }
        let length = path.tangent.iter().fold(1.0, |sum: f64, part| sum + part * part).sqrt();
        path.tangent.iter_mut().for_each(|part| *part /= length);
        path.tangent_s = 1.0 / length;
    }

    /// The step of the free unknowns, relative to their sizes, that makes the residuals smallest in the sense of least squares, and
    /// what is then left of the largest, relative to the terms of its equation. None if the free unknowns are not determined.
    pub(crate) fn least_squares_step(&self, free: &[usize]) -> Option<(Vec<f64>, f64)> {
        let mut terms = vec![0.0; self.n];
        self.matrix.for_each(|i, j, value| terms[i] += (value * self.size[j]).abs());
        let scaled = |i: usize, value: f64| if terms[i] > 0.0 { value / terms[i] } else { value };
        let mut columns = vec![vec![0.0; self.n]; free.len()];
        self.matrix.for_each(|i, j, value| {
            if let Ok(column) = free.binary_search(&j) {
                columns[column][i] = scaled(i, value * self.size[j]);
            }
        });
        let mut rest: Vec<f64> = self.r.iter().enumerate().map(|(i, r)| scaled(i, -r)).collect();
        let m = columns.len();
        let mut upper = vec![vec![0.0; m]; m];
        let mut right = vec![0.0; m];
        for k in 0..m {
            let (before, after) = columns.split_at_mut(k + 1);
            let column = &mut before[k];
            let length = dot(column, column).sqrt();
            // The comparison is false for what is not a number, too.
            let is_independent = length > 1e-12;
            if !is_independent {
                return None;
            }
            column.iter_mut().for_each(|value| *value /= length);
            upper[k][k] = length;
            for (other, later) in after.iter_mut().enumerate() {
                let part = dot(column, later);
                upper[k][k + 1 + other] = part;
                later.iter_mut().zip(&*column).for_each(|(later, value)| *later -= part * value);
            }
            right[k] = dot(column, &rest);
            let part = right[k];
            rest.iter_mut().zip(&*column).for_each(|(rest, value)| *rest -= part * value);
        }
        let mut step = vec![0.0; m];
        for k in (0..m).rev() {
            let known: f64 = (k + 1..m).map(|j| upper[k][j] * step[j]).sum();
            step[k] = (right[k] - known) / upper[k][k];
        }
        Some((step, largest(rest.iter().map(|rest| rest.abs()))))
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
