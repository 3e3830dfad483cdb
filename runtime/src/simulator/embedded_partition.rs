//! The partition that `partita build --decouple` puts into a simulator, and whether it still holds for other parameters.
//!
//! Input: the partition as it was decided, the model with the settings of this run. Output: whether one step of the mixed-mode
//! method still damps errors as it did when the simulator was built. Method: the Jacobian at the start of the run and the spectral
//! radius of a step. Cost: one initialisation, one Jacobian, eigenvalues (see `stability`).

use crate::exec::Instance;
use crate::integrate::Experiment;
use crate::integrate::methods::mixed::Split;
use crate::integrate::methods::stability::{GROWTH, spectral_radius};
use crate::model::interface::HybridModel;
use serde::{Deserialize, Serialize};

/// A partition that was decided when the simulator was built.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EmbeddedPartition {
    /// Which states are fast, and the formulas.
    pub split: Split,
    /// The step, or the first guess of it.
    pub step: f64,
    /// Of one step at the start, with the parameters of the build; nothing if it is unknown.
    pub spectral_radius: Option<f64>,
}

impl EmbeddedPartition {
    /// What to run: the partition instead of one method for all states.
    pub fn experiment(&self, whole: &Experiment, step: Option<f64>) -> Experiment {
        Experiment { split: Some(self.split.clone()), step: Some(step.unwrap_or(self.step)), ..whole.clone() }
    }

    /// Why the partition does not hold for this run, if it does not.
    pub fn broken(&self, instance: &Instance, experiment: &Experiment) -> Option<String> {
        let mut model = instance.fork();
        let mut x = vec![0.0; model.n_states()];
        // A run that cannot begin says so itself.
        model.initialize(experiment.start_time, &mut x).ok()?;
        let mut values = vec![0.0; model.jacobian_pattern().rows.len()];
        if let Err(failure) = model.jacobian(experiment.start_time, &x, &mut values) {
            return Some(format!("the Jacobian cannot be evaluated at the start: {}", failure.reason));
        }
        let step = experiment.fixed_step();
        let Some(radius) = spectral_radius(model.jacobian_pattern(), &values, &self.split.fast, self.split.pair, step) else {
            return Some(format!("the fast part is singular with the step {step}"));
        };
        let (now, built) = (radius.value, self.spectral_radius);
        (now > built.unwrap_or(1.0).max(1.0) * (1.0 + GROWTH)).then(|| {
            let then = built.map_or("unknown".to_string(), |built| format!("{built:.6}"));
            format!(
                "the spectral radius of a step is {now:.6}, it was {then} when the simulator was built: errors would grow from step to step"
            )
        })
    }
}
