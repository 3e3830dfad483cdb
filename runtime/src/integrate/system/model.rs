//! The model as methods see it: counted, checked for numbers, with tolerances.

use super::scales::{EVALUATIONS, Scales, moved};
use super::statistics::Statistics;
use crate::base::error::EvalFailure;
use crate::base::simd::{sum, update};
use crate::model::interface::HybridModel;

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

/// What Newton's method leaves of the equations of a step, in parts of the tolerated error.
const UNSOLVED: f64 = 0.03;

/// The model as methods see it: counted, checked for numbers, with tolerances.
pub struct System<'a> {
    /// The model.
    pub model: &'a mut dyn HybridModel,
    /// Counters.
    pub statistics: Statistics,
    /// Relative tolerance.
    pub rtol: f64,
    /// Sizes and absolute tolerances of the states.
    pub(crate) scales: Scales,
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
    pub fn new(model: &'a mut dyn HybridModel, tolerance: f64, max_step: f64) -> System<'a> {
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

    /// Measures what is left of the states in small differences, at a point where the method stands; `damp` is what it does to errors ([`Method::damp`](super::method::Method::damp)).
    pub(crate) fn measure(&mut self, damp: &mut dyn FnMut(&mut [f64]), t: f64, x: &[f64]) {
        if self.n() > 0 {
            self.statistics.rhs_evaluations += EVALUATIONS;
            self.scales.measure(self.model, damp, self.statistics.steps, t, x);
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

    /// Weights of the error norm: `1 / (rtol*|x| + atol)`; where movement counts, [`moved`] takes the place of `|x|`.
    pub fn weights(&self, x: &[f64], weights: &mut [f64]) {
        match self.scales.origin() {
            None => update(weights, [x, &self.scales.atol], |_, [x, atol]| 1.0 / (self.rtol * x.abs() + atol)),
            Some(origin) => {
                update(weights, [x, &self.scales.atol, origin], |_, [x, atol, origin]| 1.0 / (self.rtol * moved(x, origin) + atol));
            }
        }
    }

    /// The same for a step from `x` to `y`: with the larger of both.
    pub fn weights_between(&self, x: &[f64], y: &[f64], weights: &mut [f64]) {
        let largest = |x: f64, y: f64| x.abs().max(y.abs());
        match self.scales.origin() {
            None => update(weights, [x, y, &self.scales.atol], |_, [x, y, atol]| 1.0 / (self.rtol * largest(x, y) + atol)),
            Some(origin) => update(weights, [x, y, &self.scales.atol, origin], |_, [x, y, atol, origin]| {
                1.0 / (self.rtol * moved(x, origin).max(moved(y, origin)) + atol)
            }),
        }
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
