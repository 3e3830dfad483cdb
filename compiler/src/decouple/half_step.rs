//! Whether a fixed step resolves a model: the run once more with half the step.
//!
//! Input: a model and an experiment with a fixed step. Output: a warning if half the step changes a signal by more than
//! [`NOTICEABLE`] of its range. Guarantee: the whole run is looked at, or its first [`MOST_STEPS`] steps. Cost: three times these steps.

use crate::decouple::verify::{Grid, NOTICEABLE, too_long};
use partita_runtime::exec::Instance;
use partita_runtime::integrate::Experiment;

/// No more steps are repeated.
const MOST_STEPS: f64 = 20_000.0;

/// What is wrong with the step, if anything is.
pub fn unresolved(model: &Instance, experiment: &Experiment) -> Option<String> {
    if !experiment.is_fixed_step() {
        return None;
    }
    let step = experiment.fixed_step();
    let stop_time = experiment.stop_time.min(experiment.start_time + MOST_STEPS * step);
    let window = Experiment { stop_time, ..experiment.clone() };
    let halved = Experiment { step: Some(0.5 * step), ..window.clone() };
    let grid = Grid::new(model, &window);
    // The run itself has come to its end.
    let run = grid.run(model, &window).ok()?;
    let Ok(half) = grid.run(model, &halved) else {
        return Some(format!("the run fails with half the step: the step {step} does not resolve the model"));
    };
    let change = grid.deviation(&run, &half, &window);
    let worst = change.signals.first().filter(|worst| worst.of_range > NOTICEABLE)?;
    Some(too_long(&worst.name, worst.of_range, step))
}
