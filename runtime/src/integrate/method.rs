//! What a method of integration is: formulas from one point to the next. Time, events and output are the driver's.
//!
//! A method keeps its own state: the last accepted point and what it needs to continue from it. [`Method::attempt`] tries one
//! step; a rejected attempt leaves the accepted point as it was and makes the next attempt more careful.

use super::scales::{EVALUATIONS, Scales};
use super::statistics::Statistics;
use crate::base::error::{EvalFailure, RunError};
use crate::base::simd::{sum, update};
use crate::model::interface::Model;

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
    /// Replaces differences of derivatives by what they would change the states by in a step like the last one.
    fn damp(&mut self, v: &mut [f64]) {
        let h = self.next_step();
        update(v, [], |v, []| h * v);
    }
    /// What is to be said about the points that were moved.
    fn warning(&self, system: &System<'_>) -> Option<RunError> {
        let _ = system;
        None
    }
    /// The order of the last accepted step.
    fn order(&self) -> usize;
}

/// What Newton's method leaves of the equations of a step, in parts of the tolerated error.
const UNSOLVED: f64 = 0.03;

/// The model as methods see it: counted, checked for numbers, with tolerances.
pub struct System<'a> {
    /// The model.
    pub model: &'a mut dyn Model,
    /// Counters.
    pub statistics: Statistics,
    /// Relative tolerance.
    pub rtol: f64,
    /// Sizes and absolute tolerances of the states.
    pub(super) scales: Scales,
    /// No step is longer.
    pub max_step: f64,
    /// The sum of the squares of the errors of accepted steps, in parts of what is tolerated.
    pub squared_errors: f64,
    /// Why the last evaluation failed.
    pub last_failure: Option<EvalFailure>,
    /// Relations have at every evaluation the value they have there: a run without events.
    pub sampled: bool,
}

impl<'a> System<'a> {
    /// Wraps a model.
    pub fn new(model: &'a mut dyn Model, tolerance: f64, max_step: f64) -> System<'a> {
        let scales = Scales::new(model, tolerance);
        System {
            model,
            statistics: Statistics::default(),
            rtol: tolerance,
            scales,
            max_step,
            squared_errors: 0.0,
            last_failure: None,
            sampled: false,
        }
    }

    /// Takes over what is declared of other states; an observation is to follow.
    pub fn states_changed(&mut self) {
        self.scales.states_changed(self.model);
    }

    /// Measures what is left of the states in small differences, at a point where the method stands.
    pub(super) fn measure(&mut self, method: &mut dyn Method, t: f64, x: &[f64]) {
        if self.n() > 0 {
            self.statistics.rhs_evaluations += EVALUATIONS;
            self.scales.measure(self.model, method, self.statistics.steps, t, x);
        }
    }

    /// Notes the error of an accepted step, in parts of what is tolerated; what equations are left unsolved by comes to it.
    pub fn note_error(&mut self, error: f64) {
        self.squared_errors += error * error + UNSOLVED * UNSOLVED;
    }

    /// The number of states.
    pub fn n(&self) -> usize {
        self.scales.atol.len()
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
        update(weights, [x, &self.scales.atol], |_, [x, atol]| 1.0 / (self.rtol * x.abs() + atol));
    }

    /// The same for a step from `x` to `y`: with the larger of both.
    pub fn weights_between(&self, x: &[f64], y: &[f64], weights: &mut [f64]) {
        update(weights, [x, y, &self.scales.atol], |_, [x, y, atol]| 1.0 / (self.rtol * x.abs().max(y.abs()) + atol));
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
