//! Who receives the points of a run.

use crate::base::error::RunError;

/// Receives the points of a run.
pub trait Sink {
    /// One point; points come in order of time, two of equal time at an event.
    fn point(&mut self, t: f64, row: &[f64]) -> Result<(), RunError>;
    /// The run has come to this time.
    fn progress(&mut self, t: f64) {
        let _ = t;
    }
    /// The run is to end at the point it has come to.
    fn stops(&self) -> bool {
        false
    }
}
