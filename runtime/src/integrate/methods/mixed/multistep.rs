//! The corrector of a mixed-mode multistep method: backward differentiation for fast states, explicit correction for slow ones.
//!
//! Input: prediction, shift and factor of a step of `bdf`, as for `newton`. Output: the correction of all states.
//! Method: the slow derivatives are evaluated once, at the prediction, and `d = c*f - psi` is their correction (predict, evaluate,
//! correct: the order is that of the formula, the stability that of an explicit method); then the fast states are solved for with
//! these slow states. Guarantee: as `newton`. Cost: one evaluation of the slow derivatives, one or two of the fast ones with a solution
//! each: what a step of the whole method costs, without the slow part of its matrix.

use super::split::{Split, count_slow};
use crate::base::simd::update;
use crate::integrate::methods::mixed::newton::{FastNewton, Stage, Unknown};
use crate::integrate::methods::partial::PartFunction;
use crate::integrate::system::method::{Rejection, System};
use crate::model::interface::HybridModel;

/// The corrector.
#[derive(Debug)]
pub struct MixedCorrector {
    slow: PartFunction,
    fast: PartFunction,
    newton: FastNewton,
    /// Corrections of the slow and of the fast states.
    slow_correction: Vec<f64>,
    fast_correction: Vec<f64>,
    /// The correction of the last solution.
    pub correction: Vec<f64>,
}

impl MixedCorrector {
    /// The corrector for a model and a split.
    pub fn new(model: &dyn HybridModel, split: &Split) -> MixedCorrector {
        let n = model.n_states();
        let (slow, fast) = split.functions(model);
        let (n_slow, n_fast) = (slow.states.len(), fast.states.len());
        MixedCorrector {
            newton: FastNewton::new(&fast, false),
            slow_correction: vec![0.0; n_slow],
            fast_correction: vec![0.0; n_fast],
            correction: vec![0.0; n],
            slow,
            fast,
        }
    }

    /// The model has changed.
    pub fn restart(&mut self) {
        self.newton.restart();
    }

    /// Replaces differences of derivatives by what they change the states by in a step.
    pub fn damp(&mut self, h: f64, v: &mut [f64]) {
        update(v, [], |v, []| h * v);
        self.newton.damp(&self.fast, v);
    }

    /// Solves for the correction. `x` is the prediction and becomes the solution.
    pub fn solve(&mut self, system: &mut System<'_>, t: f64, c: f64, x: &mut [f64], psi: &[f64], weights: &[f64]) -> Result<(), Rejection> {
        system.statistics.mixed.newton_dimension = self.fast.states.len() as u64;
        if !self.slow.states.is_empty() {
            count_slow(system);
            let d = &mut self.slow_correction;
            self.slow.derivatives(system, t, x, d)?;
            // x = prediction + d and x = (prediction - psi) + c*f, hence d = c*f - psi.
            self.slow.places.gather(psi, d, |f, psi| c * f - psi);
            self.slow.places.add(1.0, d, x);
            self.slow.places.put(d, &mut self.correction);
        }
        if !self.fast.states.is_empty() {
            let d = &mut self.fast_correction;
            d.fill(0.0);
            self.newton.solve(system, &mut self.fast, &Stage { t, c, weights, unknown: Unknown::Correction { psi } }, d, x)?;
            self.fast.places.put(d, &mut self.correction);
        }
        Ok(())
    }
}
