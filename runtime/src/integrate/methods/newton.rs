//! The implicit equation `x = base + c*f(t, x)` of one step or stage, by modified Newton iteration.
//!
//! Input: a prediction of `x`, the shift `psi = prediction - base`, and `c`. Output: the correction `d` with
//! `x = prediction + d` and `d = c*f(t, prediction + d) - psi`.
//!
//! Method: the Jacobian and the factorised matrix `I - c*J` are kept from step to step; after a change of `c` of less than
//! [`RATIO_LIMIT`] the old factors serve with corrections scaled by `2/(1 + ratio)` (CVODE, section 2.1 of its guide). The rate of
//! convergence is remembered, so that one iteration can be enough.
//! Where a state is stiff here and hardly so a little further (a diode that begins to conduct the current of a coil), the Jacobian
//! makes corrections small that are not: they count only if the equation holds better afterwards. If it does not, the iteration
//! goes on from there with a new Jacobian, up to [`RENEWALS`] times. So it does, up to [`OVERSHOTS`] times, where a new Jacobian led
//! too far: from a place where the diode conducts to one where it blocks.
//! Guarantees: a failure with an old Jacobian is retried once with a new one; nothing is allocated per solution.
//! Cost: per iteration one evaluation of the derivatives and one solution with the factors.

use crate::base::simd::update;
use crate::integrate::methods::partitioned::IterationMatrix;
use crate::integrate::system::method::{Rejection, System, norm, worst};
use crate::integrate::system::statistics::Partitioning;
use crate::linear::dense::Singular;
use crate::model::interface::HybridModel;
use crate::model::plan::Pattern;

/// An equation that is violated by more than this many tolerances, although the factors make a small correction of it, is
/// evaluated once more.
const STIFF_RESIDUAL: f64 = 100.0;
/// The correction has to take away at least this part of the violation then.
const STIFF_REDUCTION: f64 = 0.5;
/// Corrections by a Jacobian of this very point that are smaller than this part of the tolerance are round-off.
const NOISE: f64 = 1e-5;
/// Most new Jacobians along the way in one solution because the equation is still violated.
const RENEWALS: u32 = 20;
/// Most new Jacobians in one solution where the last new one led too far.
const OVERSHOTS: u32 = 3;
/// Most iterations.
const MAX_ITERATIONS: usize = 4;
/// Factors are kept while `c` differs from theirs by less than this part.
const RATIO_LIMIT: f64 = 0.25;
/// Relative accuracy of solutions on a grid.
const GRID_ACCURACY: f64 = 3e-12;
/// Most Jacobians in one solution on a grid.
const GRID_JACOBIANS: u32 = 8;
/// A Jacobian older than this many steps is renewed.
const MAX_STEPS: u32 = 50;

/// Solver of implicit equations; keeps Jacobian and factors.
#[derive(Debug)]
pub struct Newton {
    matrix: IterationMatrix,
    jacobian: Vec<f64>,
    /// The `c` of the factors; `None` if there are none.
    factored: Option<f64>,
    /// Solutions since the Jacobian was evaluated; `None` if there is none.
    age: Option<u32>,
    /// The age at which it is renewed.
    max_age: u32,
    /// Observed rate of convergence, 1 if unknown.
    rate: f64,
    /// The fastest entry of the diagonal of the Jacobian.
    fastest: f64,
    /// The fastest since the restart.
    fastest_so_far: f64,
    residual: Vec<f64>,
    /// Equations solved so far.
    solutions: u64,
    /// The correction `x - prediction` of the last solution.
    pub correction: Vec<f64>,
    /// The last iterate.
    pub x: Vec<f64>,
}

/// Why an iteration ended without a solution.
enum Ended {
    /// It does not converge.
    Failed(Rejection),
    /// The corrections are small, but the equation does not hold better by them: the last iterate is worth to go on from.
    Violated(Rejection),
    /// The corrections grow: the one before the last led too far.
    Overshot(Rejection),
}

impl From<Rejection> for Ended {
    fn from(rejection: Rejection) -> Ended {
        Ended::Failed(rejection)
    }
}

/// The largest correction by what is left of the sizes of the states at an accuracy, or by their round-off.
pub(crate) fn grid_size(accuracy: f64, states: impl Iterator<Item = GridState>) -> f64 {
    states.fold(0.0, |largest: f64, state| {
        let part = state.correction.abs() / (accuracy * state.size).max(state.round_off);
        if part.is_nan() || largest.is_nan() { f64::NAN } else { largest.max(part) }
    })
}

/// A state in a Newton iteration on a grid.
pub(crate) struct GridState {
    /// The last correction.
    pub(crate) correction: f64,
    /// How large the state is.
    pub(crate) size: f64,
    /// Its round-off.
    pub(crate) round_off: f64,
}

impl Newton {
    /// A solver for a model and a method that solves `per_step` equations in each step.
    pub fn new(model: &dyn HybridModel, per_step: u32) -> Newton {
        let pattern = model.jacobian_pattern();
        let n = model.n_states();
        Newton {
            matrix: IterationMatrix::new(pattern),
            jacobian: vec![0.0; pattern.rows.len()],
            factored: None,
            age: None,
            max_age: MAX_STEPS * per_step,
            rate: 1.0,
            fastest: 0.0,
            fastest_so_far: 0.0,
            residual: vec![0.0; n],
            solutions: 0,
            correction: vec![0.0; n],
            x: vec![0.0; n],
        }
    }

    /// Lets the iteration solve for fast states alone where that pays.
    pub(crate) fn allow_partition(&mut self, model: &dyn HybridModel) {
        self.matrix.allow(model);
    }

    /// The model has changed: Jacobian and factors are worthless.
    pub fn restart(&mut self) {
        self.factored = None;
        self.age = None;
        self.rate = 1.0;
        self.fastest_so_far = 0.0;
    }

    /// Evaluates the Jacobian at a point and gives the fastest rate that it shows: the largest entry of its diagonal or geometric mean
    /// of a pair of opposite entries. What is not on a cycle makes nothing fast; infinite where the model has no Jacobian.
    pub(crate) fn fastest_rate(&mut self, system: &mut System<'_>, t: f64, x: &[f64]) -> f64 {
        self.restart();
        // A later point may have one.
        let failure = system.last_failure.take();
        let done = system.jacobian(t, x, &mut self.jacobian);
        system.last_failure = failure;
        if done.is_err() {
            return f64::INFINITY;
        }
        self.age = Some(0);
        let Pattern { col_starts, rows, .. } = system.model.jacobian_pattern();
        let mut fastest: f64 = 0.0;
        for (column, ends) in col_starts.windows(2).enumerate() {
            for entry in ends[0]..ends[1] {
                // Each pair once, from its upper entry.
                let row = rows[entry];
                if row > column {
                    break;
                }
                let (first, last) = (col_starts[row], col_starts[row + 1]);
                if let Ok(at) = rows[first..last].binary_search(&column) {
                    fastest = fastest.max((self.jacobian[entry] * self.jacobian[first + at]).abs().sqrt());
                }
            }
        }
        fastest
    }

    /// Solves for [`Newton::correction`] and [`Newton::x`]. `weights` define the norm in which the error of the solution has to be
    /// below `tolerance`. Returns the number of iterations.
    #[expect(clippy::too_many_arguments, reason = "the formula has these parts; a struct of them would only rename the call")]
    pub fn solve(
        &mut self,
        system: &mut System<'_>,
        t: f64,
        c: f64,
        prediction: &[f64],
        psi: &[f64],
        weights: &[f64],
        tolerance: f64,
    ) -> Result<usize, Rejection> {
        // On a grid whose steps are not to be shortened, new Jacobians along the way come first.
        let most = if system.sampled { GRID_JACOBIANS } else { 1 };
        let mut fresh = 0;
        let (mut renewals, mut overshots) = (0, 0);
        self.correction.fill(0.0);
        self.x.copy_from_slice(prediction);
        loop {
            let at = std::mem::take(&mut self.x);
            let prepared = self.prepare(system, t, c, &at, weights);
            self.x = at;
            fresh += u32::from(prepared?);
            match self.iterate(system, t, c, prediction, psi, weights, tolerance) {
                Ok(iterations) => {
                    self.matrix.note_solution(iterations);
                    return Ok(iterations);
                }
                Err(_) if self.matrix.is_split() => {
                    self.matrix.give_up();
                    self.factored = None;
                    self.correction.fill(0.0);
                    self.x.copy_from_slice(prediction);
                }
                Err(Ended::Violated(_)) if renewals < RENEWALS => {
                    renewals += 1;
                    self.age = None;
                    self.factored = None;
                }
                Err(Ended::Overshot(_)) if fresh >= 1 && overshots < OVERSHOTS && !system.sampled => {
                    overshots += 1;
                    self.age = None;
                    self.factored = None;
                }
                Err(Ended::Failed(rejection) | Ended::Violated(rejection) | Ended::Overshot(rejection)) if fresh >= most => {
                    return Err(rejection);
                }
                Err(_) => {
                    self.age = None;
                    self.factored = None;
                    if most == 1 || self.x.iter().any(|x| !x.is_finite()) {
                        self.correction.fill(0.0);
                        self.x.copy_from_slice(prediction);
                    }
                }
            }
        }
    }

    /// Makes sure that there are usable factors. Returns whether the Jacobian belongs to this very point.
    fn prepare(&mut self, system: &mut System<'_>, t: f64, c: f64, x: &[f64], weights: &[f64]) -> Result<bool, Rejection> {
        if let Some(c0) = self.factored
            && (c / c0 - 1.0).abs() <= RATIO_LIMIT
            && self.age.is_some_and(|age| age <= self.max_age)
            && (c == c0 || !self.matrix.is_cheap())
            && !self.matrix.is_ending()
        {
            return Ok(false);
        }
        let mut fresh = false;
        if self.age.is_none_or(|age| age > self.max_age) {
            self.age = None;
            system.jacobian(t, x, &mut self.jacobian)?;
            self.age = Some(0);
            fresh = true;
        }
        system.statistics.factorisations += 1;
        self.factored = None;
        let pattern = system.model.jacobian_pattern();
        if let Err(Singular { column }) = self.matrix.factor(c, &self.jacobian, fresh, pattern, weights) {
            return Err(Rejection::Singular { state: column });
        }
        self.factored = Some(c);
        self.rate = 1.0;
        let Pattern { col_starts, rows, .. } = pattern;
        let diagonal = col_starts.windows(2).enumerate().filter_map(|(column, ends)| {
            let entry = ends[0] + rows[ends[0]..ends[1]].binary_search(&column).ok()?;
            Some(self.jacobian[entry].abs())
        });
        self.fastest = diagonal.fold(0.0, f64::max);
        self.fastest_so_far = self.fastest_so_far.max(self.fastest);
        Ok(fresh)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of `solve`")]
    fn iterate(
        &mut self,
        system: &mut System<'_>,
        t: f64,
        c: f64,
        prediction: &[f64],
        psi: &[f64],
        weights: &[f64],
        tolerance: f64,
    ) -> Result<usize, Ended> {
        let scale = match self.factored {
            Some(c0) if c0 != c => 2.0 / (1.0 + c / c0),
            _ => 1.0,
        };
        let mut previous = 0.0;
        let mut iteration = 0;
        loop {
            iteration += 1;
            system.derivatives(t, &self.x, &mut self.residual)?;
            system.statistics.newton_iterations += 1;
            update(&mut self.residual, [psi, &self.correction], |r, [p, d]| c * r - p - d);
            let violation = if system.sampled { 0.0 } else { norm(&self.residual, weights) };
            self.matrix.solve(&mut self.residual);
            if scale != 1.0 {
                update(&mut self.residual, [], |r, []| scale * r);
            }
            // A run on a grid wants the trajectory of the formulas, whatever the tolerance.
            let (size, tolerance) = match system.sampled {
                true => (self.grid_size(system, prediction), 1.0),
                false => (norm(&self.residual, weights), tolerance),
            };
            if !size.is_finite() {
                return Err(Ended::Failed(Rejection::Newton { worst: worst(&self.residual, weights) }));
            }
            update(&mut self.correction, [&self.residual], |d, [r]| d + r);
            update(&mut self.x, [prediction, &self.correction], |_, [p, d]| p + d);
            if iteration > 1 {
                self.rate = (0.3 * self.rate).max(size / previous);
            }
            // Relations that are sampled may have changed with the last correction: only a further evaluation tells.
            let rate = if system.sampled { 1.0 } else { self.rate.min(1.0) };
            if size * rate <= tolerance {
                let is_noise = self.age == Some(0) && size <= NOISE * tolerance;
                if violation > STIFF_RESIDUAL * tolerance && !is_noise {
                    system.derivatives(t, &self.x, &mut self.residual)?;
                    update(&mut self.residual, [psi, &self.correction], |r, [p, d]| c * r - p - d);
                    let left = norm(&self.residual, weights);
                    // The comparison is false for what is not a number.
                    let holds_better = left <= STIFF_REDUCTION * violation;
                    if !holds_better {
                        return Err(Ended::Violated(Rejection::Newton { worst: worst(&self.residual, weights) }));
                    }
                }
                if let Some(age) = &mut self.age {
                    *age += 1;
                }
                self.solutions += 1;
                return Ok(iteration);
            }
            if iteration > 1 && size > 2.0 * previous {
                update(&mut self.correction, [&self.residual], |d, [r]| d - r);
                update(&mut self.x, [prediction, &self.correction], |_, [p, d]| p + d);
                return Err(Ended::Overshot(Rejection::Newton { worst: worst(&self.residual, weights) }));
            }
            if iteration == MAX_ITERATIONS {
                return Err(Ended::Failed(Rejection::Newton { worst: worst(&self.residual, weights) }));
            }
            previous = size;
        }
    }

    /// The size of the last correction in a run on a grid.
    fn grid_size(&self, system: &System<'_>, prediction: &[f64]) -> f64 {
        let (sizes, round_off) = (system.scales.sizes(), system.scales.round_off());
        let states = (0..self.x.len()).map(|i| GridState {
            correction: self.residual[i],
            size: self.x[i].abs().max(prediction[i].abs()).max(sizes[i]),
            round_off: round_off[i],
        });
        grid_size(GRID_ACCURACY, states)
    }

    /// The `c` of the factors at hand.
    pub(crate) fn factored(&self) -> Option<f64> {
        self.factored
    }

    /// The fastest entry of the diagonal of all Jacobians since the restart.
    pub(crate) fn fastest_so_far(&self) -> f64 {
        self.fastest_so_far
    }

    /// The fastest entry of the diagonal of the Jacobian of the factors.
    pub(crate) fn fastest(&self) -> f64 {
        self.fastest
    }

    /// What a run that may partition has found.
    pub(crate) fn found(&self) -> Option<&Partitioning> {
        self.matrix.found()
    }

    /// How many equations have been solved.
    pub(crate) fn solutions(&self) -> u64 {
        self.solutions
    }

    /// Replaces differences of derivatives by what they change the states by in a step, of size `h` where there are no factors.
    pub(crate) fn damp(&mut self, h: f64, v: &mut [f64]) {
        let c = self.factored.unwrap_or(h);
        update(v, [], |v, []| c * v);
        if self.factored.is_some() {
            self.matrix.solve(v);
        }
    }

    /// Replaces `v` by the solution of `(I - c*J)*x = v` with the factors at hand.
    pub fn filter(&mut self, v: &mut [f64]) {
        self.matrix.solve(v);
    }
}
