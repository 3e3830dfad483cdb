//! The corrector of a mixed-mode multistep method: backward differentiation for fast states, explicit correction for slow ones.
//!
//! Input: prediction, shift and factor of a step of `bdf`, as for `newton`. Output: the correction of all states.
//! Method: the slow derivatives are evaluated once, at the prediction, and `d = c*f - psi` is their correction (predict, evaluate,
//! correct: the order is that of the formula, the stability that of an explicit method); then the fast states are solved for with
//! these slow states. Guarantee: as `newton`. Cost: one evaluation of the slow derivatives, one or two of the fast ones with a solution
//! each: what a step of the whole method costs, without the slow part of its matrix.

use super::super::method::{Rejection, System};
use super::super::part::PartFunction;
use super::newton::{FastNewton, Stage};
use super::{Split, count_slow};
use crate::model::Model;

/// The corrector.
#[derive(Debug)]
pub struct MixedCorrector {
    slow: PartFunction,
    fast: PartFunction,
    newton: FastNewton,
    /// Room for the slow derivatives, and for the fast ones and their weights.
    slow_rates: Vec<f64>,
    fast_rates: Vec<f64>,
    fast_weights: Vec<f64>,
    x: Vec<f64>,
    /// The correction of the last solution.
    pub correction: Vec<f64>,
}

impl MixedCorrector {
    /// The corrector for a model and a split.
    pub fn new(model: &dyn Model, split: &Split) -> MixedCorrector {
        let n = model.n_states();
        let (slow, fast) = split.functions(model);
        let (n_slow, n_fast) = (slow.states.len(), fast.states.len());
        MixedCorrector {
            newton: FastNewton::new(&fast, false),
            slow_rates: vec![0.0; n_slow],
            fast_rates: vec![0.0; n_fast],
            fast_weights: vec![0.0; n_fast],
            x: vec![0.0; n],
            correction: vec![0.0; n],
            slow,
            fast,
        }
    }

    /// The model has changed.
    pub fn restart(&mut self, system: Option<&System<'_>>) {
        self.newton.restart(system.map(System::nominal), &self.fast);
    }

    /// Solves for the correction.
    pub fn solve(&mut self, system: &mut System<'_>, t: f64, c: f64, prediction: &[f64], psi: &[f64], weights: &[f64]) -> Result<(), Rejection> {
        system.statistics.newton_dimension = self.fast.states.len() as u64;
        self.x.copy_from_slice(prediction);
        // x = prediction + d and x = (prediction - psi) + c*f, hence d = c*f - psi.
        let correction = |_: f64, psi: f64, f: f64| c * f - psi;
        if !self.slow.states.is_empty() {
            count_slow(system);
            let f = &mut self.slow_rates;
            self.slow.derivatives(system, t, prediction, f)?;
            self.slow.places.scatter(f, psi, &mut self.correction, correction);
            self.slow.places.scatter(f, &self.correction, &mut self.x, |x, d, _| x + d);
        }
        if !self.fast.states.is_empty() {
            let f = &mut self.fast_rates;
            self.fast.places.gather(psi, f, |_, psi| psi / c);
            self.fast.places.take(weights, &mut self.fast_weights);
            self.newton.solve(system, &mut self.fast, &Stage { t, c, weights: &self.fast_weights }, f, &mut self.x)?;
            self.fast.places.scatter(f, psi, &mut self.correction, correction);
        }
        Ok(())
    }
}
