//! How a model is run if nothing else is asked for: what its experiment annotation says.

use partita_runtime::integrate::Experiment;
use partita_runtime::simulator::asked::Asked;

/// How to run a model from start to end: what its experiment annotation says, unless other times are given.
pub fn experiment(written: &crate::frontend::flat::Experiment, start_time: Option<f64>, stop_time: Option<f64>) -> Experiment {
    Asked { start_time, stop_time, ..Asked::default() }.experiment(written).0
}
