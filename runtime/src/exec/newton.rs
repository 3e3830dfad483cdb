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
//! level of rounding errors; unknowns that are small have their digits then, too ([`Digits`]). Solutions are far more accurate than an integrator needs because it differences them.
//! Guarantees: a singular system is a failure, never a least-squares answer. Two kinds of blocks keep the values of what they do
//! not determine, and that is told: a linear block in which a row or column vanishes (fluid at rest has no temperature of its
//! own), and a nonlinear block whose guess satisfies its equations already (a pipe closed at both ends keeps its pressure).
//! Nothing is allocated after the first solution.
//! Cost: per iteration one tangent per colour of the block's pattern (n without a pattern) and an LU factorisation, sparse where
//! that is cheaper; a linear block whose Jacobian is found unchanged (compared along one random direction) needs one tangent
//! and no factorisation; one whose coefficients change at events only, none. A nonlinear block is first tried with the factors of its last solution. When a nonlinear block of one unknown fails, a change of sign is searched for around the guess.
//! At the start the given start values choose among several solutions (see `starts`).
//! A block that was never solved before and is not defined or singular at its guess is also tried from guesses of the
//! unknowns' nominal sizes.

mod starts;

use crate::base::error::EvalFailure;
use crate::exec::digits::Digits;
use crate::exec::machine::Machine;
use crate::exec::matrix::{BlockMatrix, Defect, direction, largest};
use crate::exec::tables::Compiled;
use crate::model::plan::{Block, BlockId, BlockKind, ByStarts, Pattern, Slot};
use cranelift_entity::EntityRef;

/// Estimated error of a solution, relative to the unknowns, at which nothing can be gained any more.
const UPDATE_GOAL: f64 = 1e-13;
/// Largest estimated error of a solution relative to the unknowns where rounding prevents a better one.
const UPDATE_TOLERANCE: f64 = 1e-10;
/// Residuals below this fraction of their terms are rounding errors.
const RESIDUAL_FLOOR: f64 = 1e-10;
/// The next simplified step is at most this part of a step that leads to the solution of its starting point: Newton and Kantorovich's
/// condition in its affine form (Deuflhard, "Newton Methods for Nonlinear Problems", 2004, section 2.1).
const DIRECT: f64 = 0.25;
/// A solution whose residual is at the floor is still refused when it is known to fewer digits than this.
const UPDATE_FLOOR: f64 = 1e-5;
/// Newton steps beyond a solution at the start.
const MAX_POLISHING: usize = 3;
/// Newton steps of a nonlinear block from one guess.
const MAX_ITERATIONS: usize = 100;
/// The longest step of a cautious attempt, relative to the sizes of the unknowns.
const CAUTIOUS_REACH: f64 = 0.5;
/// The shortest damped step.
const MIN_DAMPING: f64 = 1e-7;
/// Guesses of a block that was never solved: factors of the nominal sizes, for the unknowns that are zero or for all.
const OTHER_GUESSES: [(f64, bool); 6] = [(1.0, false), (1.0, true), (-1.0, false), (-1.0, true), (1e-2, false), (1e2, false)];
/// Points on either side of the guess at which a change of sign is looked for: up to some 1e9 times the unknown's size.
const SEARCH_POINTS: i32 = 68;
/// Steps longer than this need a new Jacobian.
const SIMPLIFIED_REACH: f64 = 1e-6;
/// The same for factors of the Jacobian at the last solution.
const OLD_REACH: f64 = 1e-2;
/// Steps with the factors of the last solution.
const OLD_STEPS: usize = 5;
/// Steps with old factors must shrink by this factor, or they are too old.
const OLD_CONTRACTION: f64 = 0.1;
/// Relative change of the Jacobian's rows below which the old factors serve.
const SAME_JACOBIAN: f64 = 1e-13;

/// Room for solving one block, and what is remembered between solutions.
pub(super) struct BlockWork {
    n: usize,
    /// Unknowns at the last accepted iterate.
    z: Vec<f64>,
    /// Values of the unknowns when the solver was called.
    entry: Vec<f64>,
    /// Residuals at `z`.
    r: Vec<f64>,
    /// Residuals at a trial point.
    r_trial: Vec<f64>,
    /// Newton step.
    dz: Vec<f64>,
    /// Newton step that would follow.
    dz_next: Vec<f64>,
    /// Sizes of the unknowns, at least nominal.
    size: Vec<f64>,
    /// Whether small unknowns have their digits.
    digits: Digits,
    /// The Jacobian and its factors.
    matrix: BlockMatrix,
    /// How often in a row the old factors were found useless.
    reuse_failures: u32,
    /// The factors were made, or found to be right, since the last event.
    since_event: bool,
    /// The solution at the last accepted point.
    accepted: Option<Vec<f64>>,
    /// The guess given by start values.
    start: Option<Vec<f64>>,
    /// The longest step that is tried, relative to the sizes of the unknowns.
    reach: f64,
    /// The last solution kept the values of unknowns that nothing determines.
    keeps_free: bool,
    /// The last solution was found by full steps from the first guess, each at most half as long as the one before: no other is nearer.
    direct: bool,
}

/// Why a block has no solution from one guess.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Trouble {
    /// A kernel refused the guess; the reason is in the environment.
    Kernel,
    /// A residual at the guess is not finite.
    Undefined { row: usize },
    /// A partial derivative is not finite.
    Slope { row: usize, column: usize },
    /// The Jacobian is singular.
    Singular(Defect),
    /// No shorter step is better.
    Stalled { iterations: usize },
    /// Too many iterations.
    Limit { iterations: usize },
    /// A linear block whose residual does not vanish.
    Inaccurate,
}

impl BlockWork {
    fn new(block: &Block, pattern: Option<&Pattern>) -> BlockWork {
        let n = block.unknowns.len();
        let zeros = || vec![0.0; n];
        BlockWork {
            n,
            z: zeros(),
            entry: zeros(),
            r: zeros(),
            r_trial: zeros(),
            dz: zeros(),
            dz_next: zeros(),
            size: zeros(),
            digits: Digits::new(n),
            matrix: BlockMatrix::new(n, pattern),
            reuse_failures: 0,
            since_event: false,
            accepted: None,
            start: None,
            reach: f64::INFINITY,
            keeps_free: false,
            direct: false,
        }
    }

    /// Remembers the unknowns as the solution at an accepted point.
    pub(super) fn keep_guess(&mut self, memory: &[f64], unknowns: &[Slot]) {
        let accepted = self.accepted.get_or_insert_with(|| vec![0.0; unknowns.len()]);
        for (value, slot) in accepted.iter_mut().zip(unknowns) {
            *value = memory[slot.index()];
        }
    }

    /// Puts the solution at the last accepted point back as the guess.
    pub(super) fn restore_guess(&self, memory: &mut [f64], unknowns: &[Slot]) {
        if let Some(accepted) = &self.accepted {
            for (value, slot) in accepted.iter().zip(unknowns) {
                memory[slot.index()] = *value;
            }
        }
    }

    /// There was an event: coefficients may be others, and the next attempt may try the old factors of a linear block again.
    pub(super) fn note_event(&mut self) {
        self.reuse_failures = 0;
        self.since_event = false;
    }

    /// Tangents of the unknowns from those of the residuals: `J dz = -dr`.
    pub(super) fn solve_tangents(&mut self, block: &Block, tangents: &mut [f64]) {
        let mut dz = std::mem::take(&mut self.dz);
        for (value, slot) in dz.iter_mut().zip(&block.residuals) {
            *value = -tangents[slot.index()];
        }
        self.matrix.solve(&mut dz);
        for (value, slot) in dz.iter().zip(&block.unknowns) {
            tangents[slot.index()] = *value;
        }
        self.dz = dz;
    }

    /// `dz = -J^-1 r`.
    fn step_from_residual(&mut self) {
        let mut dz = std::mem::take(&mut self.dz);
        for (step, residual) in dz.iter_mut().zip(&self.r) {
            *step = -residual;
        }
        self.matrix.solve(&mut dz);
        self.dz = dz;
    }

    /// `dz_next = -J^-1 r_trial`.
    fn step_from_trial(&mut self) {
        let mut dz = std::mem::take(&mut self.dz_next);
        for (step, residual) in dz.iter_mut().zip(&self.r_trial) {
            *step = -residual;
        }
        self.matrix.solve(&mut dz);
        self.dz_next = dz;
    }

    fn update_sizes(&mut self, block: &Block) {
        for ((size, z), declared) in self.size.iter_mut().zip(&self.z).zip(&block.declared) {
            *size = z.abs().max(declared.size());
        }
    }

    /// Whether the unknowns have their digits, though a step would move them.
    fn has_digits(&mut self, next: bool) -> bool {
        self.digits.are_there(if next { &self.dz_next } else { &self.dz }, &self.z, &self.entry)
    }

    /// The largest entry of a step relative to the unknowns.
    fn relative(&self, step: &[f64]) -> f64 {
        largest(step.iter().zip(&self.size).map(|(dz, size)| (dz / size).abs()))
    }
}

impl Machine {
    /// Solves a block, mixed or not.
    pub(super) fn solve_block(&mut self, compiled: &Compiled, id: BlockId) -> Result<(), EvalFailure> {
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
    pub(super) fn solve_continuous(&mut self, compiled: &Compiled, id: BlockId) -> Result<(), EvalFailure> {
        let block = &compiled.plan.blocks[id];
        self.statistics.block_solves += 1;
        let mut work = self.take_work(compiled, id);
        for (value, slot) in work.entry.iter_mut().zip(&block.unknowns) {
            *value = self.memory[slot.index()];
        }
        work.direct = true;
        work.digits.begin();
        let result = match block.kind {
            _ if work.n == 0 => self.residual(compiled, block, &mut work.r).and(Ok(())),
            BlockKind::Linear => self.solve_affine(compiled, id, block, &mut work),
            BlockKind::Nonlinear => self.solve_from_guesses(compiled, id, block, &mut work),
        };
        if result.is_ok() && self.is_starting && block.kind == BlockKind::Nonlinear {
            self.polish(compiled, id, block, &mut work);
        }
        let result = result.map_err(|trouble| {
            let failure = self.describe(compiled, id, block, &work, &trouble);
            self.load(block, &work.entry);
            failure
        });
        self.blocks[id] = Some(work);
        result
    }

    /// Remembers the values of the unknowns of all blocks as guesses of last resort: the start values.
    pub(super) fn keep_starts(&mut self, compiled: &Compiled) {
        for (id, block) in compiled.plan.blocks.iter() {
            if block.kind == BlockKind::Nonlinear {
                let mut work = self.take_work(compiled, id);
                work.start = Some(block.unknowns.iter().map(|slot| self.memory[slot.index()]).collect());
                work.accepted = None;
                self.blocks[id] = Some(work);
            }
        }
    }

    /// The factors of a block's Jacobian at the present point, for differentiating through it.
    pub(super) fn factor_block(&mut self, compiled: &Compiled, id: BlockId) -> Result<(), EvalFailure> {
        let block = &compiled.plan.blocks[id];
        if block.unknowns.is_empty() {
            return Ok(());
        }
        let mut work = self.take_work(compiled, id);
        for (value, slot) in work.z.iter_mut().zip(&block.unknowns) {
            *value = self.memory[slot.index()];
        }
        work.update_sizes(block);
        let result = if block.kind == BlockKind::Linear && self.same_jacobian(compiled, id, block, &mut work) {
            Ok(())
        } else {
            let before = self.keeps_undetermined;
            self.keeps_undetermined |= work.keeps_free;
            let factored = self.refresh_factors(compiled, id, block, &mut work);
            self.keeps_undetermined = before;
            factored
        };
        let result = result.map_err(|trouble| self.describe(compiled, id, block, &work, &trouble));
        self.blocks[id] = Some(work);
        result
    }

    /// The room of a block; made at the first use.
    fn take_work(&mut self, compiled: &Compiled, id: BlockId) -> Box<BlockWork> {
        let new = || Box::new(BlockWork::new(&compiled.plan.blocks[id], compiled.tables.block_pattern(&compiled.plan, id)));
        self.blocks[id].take().unwrap_or_else(new)
    }

    fn load(&mut self, block: &Block, values: &[f64]) {
        for (slot, value) in block.unknowns.iter().zip(values) {
            self.memory[slot.index()] = *value;
        }
    }

    /// Runs the residual kernel and reads the residuals.
    fn residual(&mut self, compiled: &Compiled, block: &Block, r: &mut [f64]) -> Result<(), Trouble> {
        self.statistics.residual_evaluations += 1;
        if compiled.kernels.call(block.residual, &mut self.memory, &mut [], &mut self.environment).is_err() {
            return Err(Trouble::Kernel);
        }
        for (i, (value, slot)) in r.iter_mut().zip(&block.residuals).enumerate() {
            *value = self.memory[slot.index()];
            if !value.is_finite() {
                return Err(Trouble::Undefined { row: i });
            }
        }
        Ok(())
    }

    /// Runs the kernel that the block's Jacobian is made with.
    fn tangent(&mut self, compiled: &Compiled, block: &Block) -> Result<(), Trouble> {
        self.statistics.tangent_evaluations += 1;
        let (kernel, seeds) = match block.slopes {
            Some(slopes) => (slopes, &mut self.own_seeds),
            None => (block.tangent, &mut self.seeds),
        };
        compiled.kernels.call(kernel, &mut self.memory, seeds, &mut self.environment).map_err(|_| Trouble::Kernel)
    }

    /// The tangents that [`Self::tangent`] reads and writes.
    fn seeds_of(&mut self, block: &Block) -> &mut Vec<f64> {
        if block.slopes.is_some() { &mut self.own_seeds } else { &mut self.seeds }
    }

    /// Gets ready for tangents in several directions at the present point: what does not depend on the direction is computed, and the
    /// tangents of everything outside the block are zero.
    fn prepare_tangents(&mut self, compiled: &Compiled, id: BlockId) -> Result<(), Trouble> {
        if let Some(partials) = compiled.plan.blocks[id].partials {
            compiled.kernels.call(partials, &mut self.memory, &mut [], &mut self.environment).map_err(|_| Trouble::Kernel)?;
        }
        self.clean_seeds(compiled, id)
    }

    /// Makes the tangents of everything outside the block zero.
    fn clean_seeds(&mut self, compiled: &Compiled, id: BlockId) -> Result<(), Trouble> {
        if compiled.plan.blocks[id].slopes.is_some() {
            return Ok(());
        }
        if let Some(other) = self.dirty.filter(|&other| other != id) {
            // With zero seeds the tangent kernel writes zeros wherever it wrote before.
            self.tangent(compiled, &compiled.plan.blocks[other])?;
        }
        self.dirty = Some(id);
        Ok(())
    }

    /// The Jacobian of the block at the present point.
    fn block_jacobian(&mut self, compiled: &Compiled, id: BlockId, block: &Block, work: &mut BlockWork) -> Result<(), Trouble> {
        work.matrix.forget_factors();
        self.prepare_tangents(compiled, id)?;
        match self.fill_jacobian(compiled, block, work) {
            // Zero times infinity leaves a NaN behind that cleaning cannot remove: clear everything once before giving up.
            Err(Trouble::Slope { .. }) => {
                self.seeds_of(block).fill(0.0);
                self.fill_jacobian(compiled, block, work)
            }
            other => other,
        }
    }

    fn fill_jacobian(&mut self, compiled: &Compiled, block: &Block, work: &mut BlockWork) -> Result<(), Trouble> {
        for colour in 0..work.matrix.n_colours() {
            for &j in work.matrix.columns(colour) {
                self.seeds_of(block)[block.unknowns[j].index()] = 1.0;
            }
            let done = self.tangent(compiled, block);
            let seeds = self.seeds_of(block);
            for &j in work.matrix.columns(colour) {
                seeds[block.unknowns[j].index()] = 0.0;
            }
            done?;
            let read = |i: usize| seeds[block.residuals[i].index()];
            work.matrix.fill_colour(colour, read).map_err(|(row, column)| Trouble::Slope { row, column })?;
        }
        Ok(())
    }

    fn refresh_factors(&mut self, compiled: &Compiled, id: BlockId, block: &Block, work: &mut BlockWork) -> Result<(), Trouble> {
        self.statistics.block_factorisations += 1;
        self.block_jacobian(compiled, id, block, work)?;
        work.since_event = true;
        let defect = match work.matrix.factor(&work.size) {
            Ok(()) => return Ok(()),
            Err(defect) => defect,
        };
        // Nothing flows, so nothing tells what would flow: unknowns of linear equations that are not determined keep their values.
        let is_decided = block.discrete_slots.is_empty() || self.keeps_undetermined;
        let may_be_free = match block.kind {
            BlockKind::Linear => is_decided && !matches!(defect, Defect::Dependent { .. }),
            BlockKind::Nonlinear => self.keeps_undetermined,
        };
        if !may_be_free {
            return Err(Trouble::Singular(defect));
        }
        for column in work.matrix.factor_keeping_free(&work.size, defect).map_err(Trouble::Singular)? {
            let slot = block.unknowns[column];
            if !self.undetermined.contains(&slot) {
                self.undetermined.push(slot);
            }
        }
        Ok(())
    }

    /// Whether the factors at hand belong to the Jacobian at the present point: known from the block's coefficients, or judged along
    /// one direction.
    fn same_jacobian(&mut self, compiled: &Compiled, id: BlockId, block: &Block, work: &mut BlockWork) -> bool {
        if block.frozen && work.since_event && work.matrix.is_factored() {
            return true;
        }
        // For one or two tangents the comparison costs as much as the matrix.
        if !work.matrix.is_factored()
            || work.matrix.n_colours() < 3
            || work.reuse_failures >= 3
            || self.prepare_tangents(compiled, id).is_err()
        {
            return false;
        }
        for (j, unknown) in block.unknowns.iter().enumerate() {
            self.seeds_of(block)[unknown.index()] = work.size[j] * direction(j);
        }
        let done = self.tangent(compiled, block);
        let seeds = self.seeds_of(block);
        for unknown in &block.unknowns {
            seeds[unknown.index()] = 0.0;
        }
        let same = done.is_ok() && work.matrix.agrees(&work.size, SAME_JACOBIAN, |i| seeds[block.residuals[i].index()]);
        work.reuse_failures = if same { 0 } else { work.reuse_failures + 1 };
        work.since_event |= same;
        same
    }

    /// A linear block: one exact step, refined if rounding made it inexact.
    ///
    /// The answer does not depend on the guess, so a guess at which an inner variable overflows, or that is so far off that nothing is
    /// left of the answer beside it, is replaced by zero: a trial point where a junction carries 1e31 A leaves such guesses behind.
    fn solve_affine(&mut self, compiled: &Compiled, id: BlockId, block: &Block, work: &mut BlockWork) -> Result<(), Trouble> {
        work.z.copy_from_slice(&work.entry);
        if work.z.iter().all(|z| z.is_finite()) && self.residual(compiled, block, &mut work.r).is_ok() {
            match self.refine_affine(compiled, id, block, work) {
                Ok(true) => return Ok(()),
                Err(Trouble::Singular(defect)) => return Err(Trouble::Singular(defect)),
                // From zero, what no equation determines would not keep its value.
                Ok(false) if block.unknowns.iter().any(|slot| self.undetermined.contains(slot)) => return Err(Trouble::Inaccurate),
                Ok(false) | Err(_) => {}
            }
        }
        work.z.fill(0.0);
        self.load(block, &work.z);
        self.residual(compiled, block, &mut work.r)?;
        if self.refine_affine(compiled, id, block, work)? { Ok(()) } else { Err(Trouble::Inaccurate) }
    }

    /// Steps of a linear block from a guess whose residual is known; whether they led to an answer.
    fn refine_affine(&mut self, compiled: &Compiled, id: BlockId, block: &Block, work: &mut BlockWork) -> Result<bool, Trouble> {
        work.update_sizes(block);
        if !self.same_jacobian(compiled, id, block, work) {
            self.refresh_factors(compiled, id, block, work)?;
        }
        self.statistics.newton_iterations += 1;
        work.step_from_residual();
        // A guess that is right to the last digit is kept, so that repeated evaluation changes nothing.
        if work.relative(&work.dz) <= 2.0 * f64::EPSILON && work.has_digits(false) {
            return Ok(true);
        }
        for _ in 0..4 {
            for (z, dz) in work.z.iter_mut().zip(&work.dz) {
                *z += dz;
            }
            self.load(block, &work.z);
            self.residual(compiled, block, &mut work.r)?;
            work.update_sizes(block);
            // By the sizes of now: an unknown that falls from 1e31 to 1 falls by its own size in every step.
            let update = work.relative(&work.dz);
            work.step_from_residual();
            let next = work.relative(&work.dz);
            if next <= UPDATE_GOAL && work.has_digits(false) {
                return Ok(true);
            }
            if next.is_nan() || next > 0.5 * update {
                break;
            }
        }
        // What remains is rounding of inner values: a refined solution that moves by less than this is as good as it gets.
        Ok(work.relative(&work.dz) <= UPDATE_FLOOR)
    }

    /// A nonlinear block: from the guess in the memory, then from the last accepted point, then from the start values; at the
    /// start from other guesses too.
    fn solve_from_guesses(&mut self, compiled: &Compiled, id: BlockId, block: &Block, work: &mut BlockWork) -> Result<(), Trouble> {
        work.z.copy_from_slice(&work.entry);
        if self.solve_with_old_factors(compiled, block, work) {
            return Ok(());
        }
        work.keeps_free = false;
        work.z.copy_from_slice(&work.entry);
        let first = self.solve_newton(compiled, id, block, work);
        if first.is_ok() {
            return first;
        }
        work.direct = false;
        let reason = self.environment.failure.take();
        let failed = (work.z.clone(), work.r.clone());
        for guess in [work.accepted.clone(), work.start.clone()].into_iter().flatten() {
            if guess != work.entry {
                work.z.copy_from_slice(&guess);
                if self.solve_newton(compiled, id, block, work).is_ok() {
                    return Ok(());
                }
            }
        }
        if work.n == 1 && self.search_sign(compiled, block, work) && self.solve_newton(compiled, id, block, work).is_ok() {
            return Ok(());
        }
        let undefined = matches!(first, Err(Trouble::Kernel | Trouble::Undefined { .. } | Trouble::Slope { .. } | Trouble::Singular(_)));
        if undefined && work.accepted.is_none() && self.solve_from_nominals(compiled, id, block, work) {
            return Ok(());
        }
        // A long step can lead to where a power or an exponential is flat, and no step leads back: small steps stay near.
        work.reach = CAUTIOUS_REACH;
        for guess in [Some(work.entry.clone()), work.start.clone()].into_iter().flatten() {
            work.z.copy_from_slice(&guess);
            if self.solve_newton(compiled, id, block, work).is_ok() {
                work.reach = f64::INFINITY;
                return Ok(());
            }
        }
        work.reach = f64::INFINITY;
        if matches!(first, Err(Trouble::Singular(_))) && self.solve_keeping_free(compiled, id, block, work) {
            return Ok(());
        }
        (work.z, work.r) = failed;
        self.environment.failure = reason;
        first
    }

    /// A guess that satisfies the equations, up to a small step, is followed to the solution next to it even where the equations do not
    /// determine it: what is free keeps its value. False if the guess is none, or there is no solution next to it.
    fn solve_keeping_free(&mut self, compiled: &Compiled, id: BlockId, block: &Block, work: &mut BlockWork) -> bool {
        let reason = self.environment.failure.take();
        let told = self.undetermined.len();
        let before = std::mem::replace(&mut self.keeps_undetermined, true);
        work.z.copy_from_slice(&work.entry);
        self.load(block, &work.z);
        work.update_sizes(block);
        let mut solved = self.residual(compiled, block, &mut work.r).is_ok() && self.refresh_factors(compiled, id, block, work).is_ok();
        if solved {
            work.step_from_residual();
            solved = work.relative(&work.dz) <= OLD_REACH && self.solve_newton(compiled, id, block, work).is_ok();
        }
        self.keeps_undetermined = before;
        work.keeps_free = solved;
        if !solved {
            self.environment.failure = reason;
            self.undetermined.truncate(told);
            work.matrix.forget_factors();
        }
        solved
    }

    /// Zero is often where `1/x`, `log(x)` and their slopes are not defined, so the guess is moved away from it.
    fn solve_from_nominals(&mut self, compiled: &Compiled, id: BlockId, block: &Block, work: &mut BlockWork) -> bool {
        let mut tried: Vec<Vec<f64>> = vec![work.entry.clone()];
        for (factor, all) in OTHER_GUESSES {
            for ((z, entry), declared) in work.z.iter_mut().zip(&work.entry).zip(&block.declared) {
                *z = if all || *entry == 0.0 || !entry.is_finite() { factor * declared.size() } else { *entry };
            }
            if tried.contains(&work.z) {
                continue;
            }
            tried.push(work.z.clone());
            if self.solve_newton(compiled, id, block, work).is_ok() {
                return true;
            }
        }
        false
    }

    /// Looks for a change of sign of the residual around the guess of a single unknown and narrows it down to a guess from
    /// which Newton's method ends. False if there is none; a pole changes sign too, but Newton's method then fails.
    fn search_sign(&mut self, compiled: &Compiled, block: &Block, work: &mut BlockWork) -> bool {
        let guess = if work.entry[0].is_finite() { work.entry[0] } else { 0.0 };
        work.z[0] = guess;
        work.update_sizes(block);
        let at = |machine: &mut Machine, work: &mut BlockWork, z: f64| {
            machine.load(block, &[z]);
            machine.residual(compiled, block, &mut work.r).ok().map(|()| work.r[0])
        };
        let mut bracket = None;
        // The last points where the residual was defined, above and below the guess.
        let mut known = [None, None];
        for k in 0..SEARCH_POINTS {
            let reach = work.size[0] * 1e-3 * 1.5f64.powi(k);
            for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
                let z = guess + sign * reach;
                let Some(r) = at(self, work, z) else { continue };
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
            match at(self, work, middle) {
                Some(r) if (r > 0.0) == (r_a > 0.0) => a = middle,
                Some(_) => b = middle,
                None => return false,
            }
            if (b - a).abs() <= 1e-9 * work.size[0] {
                break;
            }
        }
        work.z[0] = 0.5 * (a + b);
        true
    }

    /// Simplified Newton iteration with the factors of the last solution, which is mostly near: as long as the steps shrink fast. False
    /// if they do not.
    fn solve_with_old_factors(&mut self, compiled: &Compiled, block: &Block, work: &mut BlockWork) -> bool {
        if !work.matrix.is_factored() {
            return false;
        }
        let mut update = f64::INFINITY;
        for steps in 0..=OLD_STEPS {
            if self.residual(compiled, block, &mut work.r).is_err() {
                self.environment.failure = None;
                return false;
            }
            work.update_sizes(block);
            work.step_from_residual();
            let next = work.relative(&work.dz);
            // Steps that have shrunk and do so no more are rounding errors.
            let floor = steps > 1 && next <= UPDATE_TOLERANCE && next > OLD_CONTRACTION * update;
            let is_small = next <= UPDATE_GOAL || floor;
            if is_small && work.has_digits(false) {
                return true;
            }
            // The comparisons are false for what is not a number, too.
            let shrinks = is_small || next <= OLD_REACH && next <= OLD_CONTRACTION * update;
            if !shrinks {
                return false;
            }
            self.statistics.newton_iterations += 1;
            update = next;
            for (z, dz) in work.z.iter_mut().zip(&work.dz) {
                *z += dz;
            }
            self.load(block, &work.z);
        }
        false
    }

    /// Damped Newton iteration from `work.z`.
    fn solve_newton(&mut self, compiled: &Compiled, id: BlockId, block: &Block, work: &mut BlockWork) -> Result<(), Trouble> {
        self.load(block, &work.z);
        // From another guess steps are others.
        work.digits.ask_again();
        self.residual(compiled, block, &mut work.r)?;
        let mut perturbations = 0;
        // The first singular iterate and its residual.
        let mut singular: Option<(Vec<f64>, Vec<f64>)> = None;
        for iteration in 0..MAX_ITERATIONS {
            if self.statistics.tangent_evaluations >= self.most_tangents {
                return Err(Trouble::Limit { iterations: iteration });
            }
            self.statistics.newton_iterations += 1;
            work.update_sizes(block);
            if let Err(trouble) = self.refresh_factors(compiled, id, block, work) {
                // An isolated point where the Jacobian is singular or undefined is left by a small move.
                singular.get_or_insert_with(|| (work.z.clone(), work.r.clone()));
                if perturbations >= 4 || !self.perturb(compiled, block, work, perturbations) {
                    return Err(trouble);
                }
                perturbations += 1;
                work.direct = false;
                continue;
            }
            if let Some((z, r)) = singular.take()
                && self.is_solution(compiled, block, work, &z, &r)?
            {
                return Ok(());
            }
            work.step_from_residual();
            let update = work.relative(&work.dz);
            if update <= UPDATE_GOAL && work.has_digits(false) {
                return Ok(());
            }
            if update.is_nan() {
                return Err(Trouble::Singular(Defect::Dependent { column: work.n - 1 }));
            }
            match self.damped_step(compiled, block, work, update) {
                Progress::Solved => return Ok(()),
                Progress::Step => {}
                Progress::Stuck => {
                    let rounding = update <= UPDATE_FLOOR && work.matrix.relative_residual(&work.r, &work.size) <= RESIDUAL_FLOOR;
                    self.load(block, &work.z);
                    self.residual(compiled, block, &mut work.r_trial)?;
                    return if rounding { Ok(()) } else { Err(Trouble::Stalled { iterations: iteration + 1 }) };
                }
            }
        }
        Err(Trouble::Limit { iterations: MAX_ITERATIONS })
    }

    /// Whether a singular iterate is a solution, judged by the regular Jacobian of a point nearby; then it is loaded. A system that is
    /// singular everywhere never comes here.
    fn is_solution(&mut self, compiled: &Compiled, block: &Block, work: &mut BlockWork, z: &[f64], r: &[f64]) -> Result<bool, Trouble> {
        work.r_trial.copy_from_slice(r);
        work.step_from_trial();
        let distance = work.relative(&work.dz_next);
        if distance.is_nan() || distance > UPDATE_GOAL {
            return Ok(false);
        }
        work.z.copy_from_slice(z);
        self.load(block, z);
        self.residual(compiled, block, &mut work.r)?;
        Ok(true)
    }

    /// Further Newton steps from a solution, as long as they bring it nearer: what is zero at the start, and is divided by something
    /// small later, comes out as zero.
    fn polish(&mut self, compiled: &Compiled, id: BlockId, block: &Block, work: &mut BlockWork) {
        for _ in 0..MAX_POLISHING {
            if self.refresh_factors(compiled, id, block, work).is_err() {
                return;
            }
            work.step_from_residual();
            let update = work.relative(&work.dz);
            for (j, slot) in block.unknowns.iter().enumerate() {
                self.memory[slot.index()] = work.z[j] + work.dz[j];
            }
            let defined = update > 0.0 && self.residual(compiled, block, &mut work.r_trial).is_ok();
            if defined {
                work.step_from_trial();
            }
            if !defined || work.relative(&work.dz_next).is_nan() || work.relative(&work.dz_next) > 0.5 * update {
                self.load(block, &work.z);
                // It was defined there before.
                let _ = self.residual(compiled, block, &mut work.r);
                return;
            }
            for (z, dz) in work.z.iter_mut().zip(&work.dz) {
                *z += dz;
            }
            std::mem::swap(&mut work.r, &mut work.r_trial);
        }
    }

    /// Goes along `dz` as far as it helps.
    fn damped_step(&mut self, compiled: &Compiled, block: &Block, work: &mut BlockWork, update: f64) -> Progress {
        let merit = work.matrix.merit(&work.r);
        let longest = (work.reach / update).min(1.0);
        let mut damping = longest;
        while damping >= MIN_DAMPING * longest {
            for (j, slot) in block.unknowns.iter().enumerate() {
                self.memory[slot.index()] = work.z[j] + damping * work.dz[j];
            }
            let defined = self.residual(compiled, block, &mut work.r_trial).is_ok();
            if defined {
                work.step_from_trial();
                let next = work.relative(&work.dz_next);
                let enough = 1.0 - 1e-4 * damping;
                let better = work.matrix.merit(&work.r_trial) <= enough * enough * merit || next <= (1.0 - 0.25 * damping) * update;
                // Full steps at the level of rounding errors may not reduce anything.
                let floor = next <= UPDATE_TOLERANCE && next > 0.1 * update;
                let is_small = damping == 1.0 && (next <= UPDATE_GOAL || floor);
                if better || is_small {
                    work.direct &= damping == 1.0 && (is_small || next <= DIRECT * update);
                    for (z, dz) in work.z.iter_mut().zip(&work.dz) {
                        *z += damping * dz;
                    }
                    std::mem::swap(&mut work.r, &mut work.r_trial);
                    let solved = is_small && work.has_digits(true);
                    if is_small && !solved {
                        // The next iteration begins with the same step.
                        work.digits.ask_again();
                    }
                    let contraction = next / update;
                    let is_last = !is_small && damping == 1.0 && next <= SIMPLIFIED_REACH && next * contraction <= UPDATE_GOAL;
                    if is_last && work.digits.will_be_there(&work.dz_next, contraction, &work.z, &work.entry) {
                        return self.simplified_step(compiled, block, work);
                    }
                    return if solved { Progress::Solved } else { Progress::Step };
                }
            }
            damping *= if defined { 0.5 } else { 0.25 };
        }
        Progress::Stuck
    }

    /// The last step: with the factors at hand it is known to end within the goal.
    fn simplified_step(&mut self, compiled: &Compiled, block: &Block, work: &mut BlockWork) -> Progress {
        for (j, slot) in block.unknowns.iter().enumerate() {
            self.memory[slot.index()] = work.z[j] + work.dz_next[j];
        }
        if self.residual(compiled, block, &mut work.r_trial).is_err() {
            return Progress::Stuck;
        }
        for (z, slot) in work.z.iter_mut().zip(&block.unknowns) {
            *z = self.memory[slot.index()];
        }
        std::mem::swap(&mut work.r, &mut work.r_trial);
        Progress::Solved
    }

    /// Moves the iterate a little, more each time, to where the residual is defined. False if there is no such place.
    fn perturb(&mut self, compiled: &Compiled, block: &Block, work: &mut BlockWork, attempt: i32) -> bool {
        let reach = 1e-4 * 10f64.powi(attempt);
        for sign in [1.0, -1.0] {
            for (j, slot) in block.unknowns.iter().enumerate() {
                self.memory[slot.index()] = work.z[j] + sign * reach * direction(j) * work.size[j];
            }
            if self.residual(compiled, block, &mut work.r_trial).is_ok() {
                std::mem::swap(&mut work.r, &mut work.r_trial);
                for (z, slot) in work.z.iter_mut().zip(&block.unknowns) {
                    *z = self.memory[slot.index()];
                }
                return true;
            }
        }
        false
    }

    /// The failure in the model's words.
    fn describe(&mut self, compiled: &Compiled, id: BlockId, block: &Block, work: &BlockWork, trouble: &Trouble) -> EvalFailure {
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
            Trouble::Stalled { iterations } => {
                format!("Newton's iteration found no way on after {}", count(*iterations, "step"))
            }
            Trouble::Limit { iterations } => format!("Newton's iteration did not converge in {}", count(*iterations, "step")),
            Trouble::Inaccurate => format!("the {what} system is so ill-conditioned that its solution has no correct digits"),
        };
        let mut failure = EvalFailure::new(reason);
        let worst = (0..work.n).max_by(|&a, &b| work.r[a].abs().total_cmp(&work.r[b].abs()));
        failure.span = place.or(worst).and_then(|row| block.equations.get(row)).map(|label| label.span);
        failure.notes.push(format!(
            "{id} solves {} together, iterating on {}, at time {}",
            count(block.size.max(work.n), "equation"),
            count(work.n, "unknown"),
            self.memory[0]
        ));
        for j in 0..work.n.min(10) {
            failure.notes.push(format!("{} = {}", name(j), work.z[j]));
        }
        for i in 0..work.n.min(10) {
            failure.notes.push(format!("{}   (residual {:e})", equation(i), work.r[i]));
        }
        if work.n > 10 {
            failure.notes.push(format!("and {} more unknowns and equations", work.n - 10));
        }
        failure
    }
}

/// How a block of the start follows from its start values, if it has some. Where the model says how to come to its solution, by
/// `homotopy`, that decides.
fn by_starts(compiled: &Compiled, id: BlockId) -> Option<&ByStarts> {
    let systems = &compiled.plan.by_starts;
    let found = systems.binary_search_by_key(&id, |system| system.block).ok()?;
    compiled.plan.homotopy.is_none().then_some(&systems[found])
}

/// The result of one damped step.
enum Progress {
    /// A better point was found.
    Step,
    /// The new point is the solution.
    Solved,
    /// No point along the step is better.
    Stuck,
}
