//! What a method of integration is: formulas from one point to the next. Time, events and output are the driver's.
//!
//! A method keeps its own state: the last accepted point and what it needs to continue from it. [`Method::attempt`] tries one
//! step; a rejected attempt leaves the accepted point as it was and makes the next attempt more careful.

use super::statistics::Statistics;
use crate::error::{EvalFailure, RunError};
use crate::model::Model;
use crate::wide::{sum, update};

/// Why an attempt was rejected.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The error estimate is too large, most of all for this state.
    Error {
        /// The state with the largest weighted error.
        worst: usize,
    },
    /// Newton's method did not converge, least of all for this state.
    Newton {
        /// The state with the largest weighted correction.
        worst: usize,
    },
    /// The Newton matrix is singular in this column.
    Singular {
        /// The state of the column.
        state: usize,
    },
    /// The model could not be evaluated; `System::last_failure` says why.
    Evaluation,
}

/// The result of trying a step.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// The method stands at the new point.
    Accepted,
    /// The method stands where it stood; try again.
    Rejected(Rejection),
}

/// Formulas of integration.
pub trait Method {
    /// Starts afresh at a point, forgetting the past. `limit` is the latest time of interest.
    fn restart(&mut self, system: &mut System<'_>, t: f64, x: &[f64], limit: f64) -> Result<(), Rejection>;
    /// Goes back to a time within the last accepted step and goes on from there with the same step size and order: after an event that
    /// has changed neither states nor, noticeably, derivatives.
    fn resume(&mut self, t: f64);
    /// Goes on with other states, `x` at the last accepted point; `other` computes them from the old ones at a point of the past.
    /// False if that is not possible: then the method has to restart.
    fn translate(&mut self, x: &[f64], other: &mut dyn FnMut(f64, &[f64], &mut [f64]) -> bool) -> bool {
        let _ = (x, other);
        false
    }
    /// Tries one step that does not go beyond `limit`; a step that reaches it ends exactly there.
    fn attempt(&mut self, system: &mut System<'_>, limit: f64) -> Attempt;
    /// The time of the last accepted point.
    fn time(&self) -> f64;
    /// The states at the last accepted point.
    fn state(&self) -> &[f64];
    /// The size of the step that will be tried next, before limits.
    fn next_step(&self) -> f64;
    /// The states at a time within the last accepted step. Valid until the next attempt.
    fn interpolate(&self, t: f64, x: &mut [f64]);
    /// Moves states at a time within the last accepted step, as far as their errors allow, to where derivatives and slopes of the
    /// trajectory agree: for output, where small differences of stiff states are seen.
    fn follow(&mut self, system: &mut System<'_>, t: f64, x: &mut [f64]) {
        let _ = (system, t, x);
    }
    /// What is to be said about the points that were moved.
    fn warning(&self, system: &System<'_>) -> Option<RunError> {
        let _ = system;
        None
    }
    /// The order of the last accepted step.
    fn order(&self) -> usize;
}

/// Absolute tolerances are not lowered below this part of what the nominal value gives: rounding errors would be seen.
const LEAST_PART: f64 = 1e-3;

/// The model as methods see it: counted, checked for numbers, with tolerances.
pub struct System<'a> {
    /// The model.
    pub model: &'a mut dyn Model,
    /// Counters.
    pub statistics: Statistics,
    /// Relative tolerance.
    pub rtol: f64,
    /// Absolute tolerance of each state.
    pub atol: Vec<f64>,
    /// Nominal value of each state.
    nominal: Vec<f64>,
    /// The largest size of each state so far.
    largest: Vec<f64>,
    /// All states have reached their nominal values: observing them changes nothing any more.
    settled: bool,
    /// No step is longer.
    pub max_step: f64,
    /// Why the last evaluation failed.
    pub last_failure: Option<EvalFailure>,
    /// Relations have at every evaluation the value they have there: a run without events.
    pub sampled: bool,
}

impl<'a> System<'a> {
    /// Wraps a model. Absolute tolerances are the tolerance times the nominal values, until states are observed.
    pub fn new(model: &'a mut dyn Model, tolerance: f64, max_step: f64) -> System<'a> {
        let nominal: Vec<f64> = (0..model.n_states()).map(|i| model.nominal(i)).collect();
        let atol = nominal.iter().map(|nominal| tolerance * nominal).collect();
        let largest = vec![0.0; nominal.len()];
        System { model, statistics: Statistics::default(), rtol: tolerance, atol, nominal, largest, settled: false, max_step, last_failure: None, sampled: false }
    }

    /// Notes states that a run went through. A state that has been much smaller than its nominal value all the time (mostly a
    /// value nobody declared, hence 1) gets a smaller absolute tolerance: its nominal size is what it was seen to be.
    pub fn observe(&mut self, x: &[f64]) {
        if self.settled {
            return;
        }
        let mut settled = true;
        for (((x, largest), nominal), atol) in x.iter().zip(&mut self.largest).zip(&self.nominal).zip(&mut self.atol) {
            *largest = largest.max(x.abs());
            settled &= *largest >= *nominal;
            let size = largest.max(LEAST_PART * nominal).min(*nominal);
            *atol = self.rtol * size;
        }
        self.settled = settled;
    }

    /// Takes over the nominal values of other states; `observe` is to follow.
    pub fn states_changed(&mut self) {
        self.settled = false;
        for (state, nominal) in self.nominal.iter_mut().enumerate() {
            *nominal = self.model.nominal(state);
        }
    }

    /// The nominal values of the states.
    pub fn nominal(&self) -> &[f64] {
        &self.nominal
    }

    /// The number of states.
    pub fn n(&self) -> usize {
        self.atol.len()
    }

    /// Sets the relations to their values at a point, if this run samples them.
    pub fn sample(&mut self, t: f64, x: &[f64]) -> Result<(), Rejection> {
        if self.sampled
            && let Err(failure) = self.model.sample_relations(t, x)
        {
            self.last_failure = Some(failure);
            return Err(Rejection::Evaluation);
        }
        Ok(())
    }

    /// The derivatives.
    pub fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Rejection> {
        self.sample(t, x)?;
        self.statistics.rhs_evaluations += 1;
        if let Err(failure) = self.model.derivatives(t, x, dx) {
            self.last_failure = Some(failure);
            return Err(Rejection::Evaluation);
        }
        Ok(())
    }

    /// The Jacobian; a value that is not a number is a failure.
    pub fn jacobian(&mut self, t: f64, x: &[f64], values: &mut [f64]) -> Result<(), Rejection> {
        self.sample(t, x)?;
        self.statistics.jacobians += 1;
        if let Err(failure) = self.model.jacobian(t, x, values) {
            self.last_failure = Some(failure);
            return Err(Rejection::Evaluation);
        }
        if let Some(entry) = values.iter().position(|v| !v.is_finite()) {
            let pattern = self.model.jacobian_pattern();
            let column = pattern.col_starts.partition_point(|&start| start <= entry) - 1;
            let row = pattern.rows[entry];
            self.last_failure = Some(EvalFailure::new(format!(
                "the change of the derivative of `{}` with `{}` is not a finite number at time {t}, where `{}` = {}",
                self.model.state_name(row),
                self.model.state_name(column),
                self.model.state_name(column),
                x[column],
            )));
            return Err(Rejection::Evaluation);
        }
        Ok(())
    }

    /// Notes which state has the largest weighted error, if that is counted.
    pub fn note_limit(&mut self, error: &[f64], weights: &[f64]) {
        if !self.statistics.limited.is_empty() {
            self.statistics.limited[worst(error, weights)] += 1;
        }
    }

    /// Weights of the error norm: `1 / (rtol*|x| + atol)`.
    pub fn weights(&self, x: &[f64], weights: &mut [f64]) {
        update(weights, [x, &self.atol], |_, [x, atol]| 1.0 / (self.rtol * x.abs() + atol));
    }
}

/// Root of the mean square of `v` weighted by `w`.
pub fn norm(v: &[f64], w: &[f64]) -> f64 {
    mean_root(sum([v, w], |[v, w]| (v * w) * (v * w)), v.len())
}

/// Root of the mean of `n` squares with this sum; 0 if there is none.
pub fn mean_root(sum: f64, n: usize) -> f64 {
    if n == 0 { 0.0 } else { (sum / n as f64).sqrt() }
}

/// The position of the largest weighted value; 0 if there is none.
pub fn worst(v: &[f64], w: &[f64]) -> usize {
    largest(v.iter().zip(w).map(|(v, w)| v * w))
}

/// The position of the value of the largest size, or of the first that is not a number; 0 if there is none.
pub fn largest(values: impl Iterator<Item = f64>) -> usize {
    let mut best = 0;
    let mut largest = -1.0;
    for (i, value) in values.enumerate() {
        let size = value.abs();
        if size > largest || size.is_nan() {
            best = i;
            largest = size;
            if size.is_nan() {
                break;
            }
        }
    }
    best
}
