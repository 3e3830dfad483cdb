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
    /// Room for the slow states, and for the fast ones: values, derivatives, weights.
    slow_part: [Vec<f64>; 2],
    fast_part: [Vec<f64>; 3],
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
            slow_part: std::array::from_fn(|_| vec![0.0; n_slow]),
            fast_part: std::array::from_fn(|_| vec![0.0; n_fast]),
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
        // x = (prediction - psi) + c*f.
        for ((base, prediction), psi) in self.correction.iter_mut().zip(prediction).zip(psi) {
            *base = prediction - psi;
        }
        let [base, f] = &mut self.slow_part;
        if !self.slow.states.is_empty() {
            count_slow(system);
            self.slow.derivatives(system, t, prediction, f)?;
            self.slow.places.take(&self.correction, base);
            for (x, f) in base.iter_mut().zip(&*f) {
                *x += c * f;
            }
            self.slow.places.put(base, &mut self.x);
        }
        let [x_fast, k, fast_weights] = &mut self.fast_part;
        if !self.fast.states.is_empty() {
            self.fast.places.take(prediction, x_fast);
            self.fast.places.take(psi, k);
            k.iter_mut().for_each(|k| *k /= c);
            self.fast.places.take(weights, fast_weights);
            self.newton.solve(system, &mut self.fast, &Stage { t, c, weights: fast_weights }, k, x_fast, &mut self.x)?;
        }
        for ((d, x), prediction) in self.correction.iter_mut().zip(&self.x).zip(prediction) {
            *d = x - prediction;
        }
        Ok(())
    }
}
