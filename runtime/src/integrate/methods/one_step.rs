//! What all one-step methods have in common: the last accepted step, the size of the next one, and what becomes of a trial.
//!
//! A method asks for a [`Trial`], computes `x_new`, and lets its error be judged; formulas are its own.

use crate::base::simd::update;
use crate::integrate::methods::controller::{Controller, step_after, step_within};
use crate::integrate::system::method::{Rejection, System, norm, worst};

/// Changes of the step below this factor are not worth new factors of a matrix.
pub const LEAST_GROWTH: f64 = 1.2;

/// A step to be tried.
#[derive(Copy, Clone, Debug)]
pub struct Trial {
    /// Its size.
    pub h: f64,
    /// Where it ends.
    pub t_new: f64,
    /// It ends at the limit.
    last: bool,
    /// Its size without the limit.
    wanted: f64,
}

/// Where a one-step method stands.
#[derive(Debug)]
pub struct OneStep {
    /// Step size of a run with fixed steps.
    pub fixed: Option<f64>,
    controller: Option<Controller>,
    /// Trials in a row that could not be computed.
    failures: u32,
    /// The time of `x`.
    pub t: f64,
    /// Begin and size of the last accepted step, for values within it.
    pub t_old: f64,
    /// See `t_old`.
    pub h_old: f64,
    /// The next step.
    pub h: f64,
    /// States at the end of the last accepted step.
    pub x: Vec<f64>,
    /// States at its begin.
    pub x_old: Vec<f64>,
    /// States at the end of a trial.
    pub x_new: Vec<f64>,
}

impl OneStep {
    /// For `n` states: with fixed steps, or with an error estimate of the given order.
    pub fn new(n: usize, step: f64, error_order: Option<usize>) -> OneStep {
        OneStep {
            fixed: if error_order.is_none() { Some(step) } else { None },
            controller: error_order.map(Controller::new),
            failures: 0,
            t: 0.0,
            t_old: 0.0,
            h_old: 0.0,
            h: step,
            x: vec![0.0; n],
            x_old: vec![0.0; n],
            x_new: vec![0.0; n],
        }
    }

    /// Stands at a point without a past; `h` is to be chosen.
    pub fn restart(&mut self, t: f64, x: &[f64]) {
        self.t = t;
        self.x.copy_from_slice(x);
        self.failures = 0;
        if let Some(controller) = &mut self.controller {
            controller.restart();
        }
    }

    /// Goes back to a time within the last step; `within` gives the states there.
    pub fn go_back(&mut self, t: f64, within: impl FnOnce(&OneStep, &mut [f64])) {
        if t != self.t {
            let mut x = std::mem::take(&mut self.x_new);
            within(self, &mut x);
            self.x_new = std::mem::replace(&mut self.x, x);
            self.t = t;
        }
    }

    /// The next step, not beyond the limit.
    pub fn trial(&self, system: &System<'_>, limit: f64) -> Trial {
        let wanted = self.h.min(system.max_step);
        let (h, last) = step_within(self.fixed, self.t, wanted, limit);
        Trial { h, t_new: if last { limit } else { self.t + h }, last, wanted }
    }

    /// The trial could not be computed: the next one is shorter.
    pub fn failed(&mut self, trial: Trial) {
        self.failures += 1;
        self.h = trial.h * if self.failures > 3 { 0.1 } else { 0.3 };
    }

    /// Judges the error of a trial: the factor for the next step. `has_factors`: a change of the step costs a factorisation.
    pub fn judge(
        &mut self,
        system: &mut System<'_>,
        trial: Trial,
        error: &[f64],
        weights: &[f64],
        has_factors: bool,
    ) -> Result<f64, Rejection> {
        let Some(controller) = &mut self.controller else { return Ok(1.0) };
        let size = norm(error, weights);
        system.note_limit(error, weights);
        let factor = controller.factor(if size.is_finite() { size } else { f64::INFINITY });
        if !size.is_finite() || size > 1.0 {
            self.h = trial.h * factor;
            return Err(Rejection::Error { worst: worst(error, weights) });
        }
        system.note_error(size);
        Ok(if has_factors && factor > 1.0 && factor < LEAST_GROWTH { 1.0 } else { factor })
    }

    /// `x_new` is the new point.
    pub fn accept(&mut self, trial: Trial, factor: f64) {
        self.failures = 0;
        std::mem::swap(&mut self.x_old, &mut self.x);
        std::mem::swap(&mut self.x, &mut self.x_new);
        self.t_old = self.t;
        self.h_old = trial.h;
        self.t = trial.t_new;
        self.h = step_after(self.fixed, trial.h, factor, trial.last.then_some(trial.wanted));
    }
}

/// As many terms are added in one pass over a vector.
const MOST_TERMS: usize = 5;

/// `out += h * sum of weights[j]*stages[j]`, in the order of the stages; those without weight are left out.
pub fn add(out: &mut [f64], stages: &[Vec<f64>], weights: &[f64], h: f64) {
    sum(out, None, stages, weights, h);
}

/// `out = begin + h * sum of weights[j]*stages[j]`, in the order of the stages; those without weight are left out.
pub fn combine(out: &mut [f64], begin: &[f64], stages: &[Vec<f64>], weights: &[f64], h: f64) {
    sum(out, Some(begin), stages, weights, h);
}

fn sum(out: &mut [f64], mut begin: Option<&[f64]>, stages: &[Vec<f64>], weights: &[f64], h: f64) {
    let mut terms: [(f64, &[f64]); MOST_TERMS] = [(0.0, &[]); MOST_TERMS];
    let mut n = 0;
    for (stage, weight) in stages.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
        if n == MOST_TERMS {
            add_terms(out, begin.take(), &terms);
            n = 0;
        }
        terms[n] = (h * weight, stage);
        n += 1;
    }
    add_terms(out, begin, &terms[..n]);
}

/// Adds at most [`MOST_TERMS`] terms to `begin`, or to what is there.
fn add_terms(out: &mut [f64], begin: Option<&[f64]>, terms: &[(f64, &[f64])]) {
    match (begin, terms) {
        (None, []) => {}
        (None, &[a]) => add_to(out, [a]),
        (None, &[a, b]) => add_to(out, [a, b]),
        (None, &[a, b, c]) => add_to(out, [a, b, c]),
        (None, &[a, b, c, d]) => add_to(out, [a, b, c, d]),
        (None, _) => add_to::<MOST_TERMS>(out, std::array::from_fn(|k| terms[k])),
        (Some(begin), []) => out.copy_from_slice(begin),
        (Some(begin), &[a]) => add_up(out, [(1.0, begin), a]),
        (Some(begin), &[a, b]) => add_up(out, [(1.0, begin), a, b]),
        (Some(begin), &[a, b, c]) => add_up(out, [(1.0, begin), a, b, c]),
        (Some(begin), &[a, b, c, d]) => add_up(out, [(1.0, begin), a, b, c, d]),
        (Some(begin), _) => add_up::<{ MOST_TERMS + 1 }>(out, std::array::from_fn(|k| if k == 0 { (1.0, begin) } else { terms[k - 1] })),
    }
}

/// Adds terms whose number is known here.
fn add_to<const N: usize>(out: &mut [f64], terms: [(f64, &[f64]); N]) {
    let factors = terms.map(|term| term.0);
    update(out, terms.map(|term| term.1), |out, values| (0..N).fold(out, |sum, k| sum + factors[k] * values[k]));
}

/// Replaces `out` by a sum; the factor of the first term is one.
fn add_up<const N: usize>(out: &mut [f64], terms: [(f64, &[f64]); N]) {
    let factors = terms.map(|term| term.0);
    update(out, terms.map(|term| term.1), |_, values| (1..N).fold(values[0], |sum, k| sum + factors[k] * values[k]));
}
