//! Hands over results where a relation is about to switch.
//!
//! A crossing is found just beyond its zero, and an output point may lie there by round-off, where what the relation guards has no value any
//! more: `if h > 0 then sqrt(h) else 0` at `h = -1e-15`, where the relation still has its old value. Where results cannot be computed,
//! those just before are shown. What has no value for longer than that is an error.
//! Cost: nothing where the results can be computed.

use super::run::Run;
use crate::base::error::RunError;

/// How far before a point, as multiples of the smallest distance of times.
const DISTANCES: [f64; 4] = [1.0, 1e2, 1e4, 1e6];

impl Run<'_> {
    /// Hands over the results at a time of the last step, at the states in `point`.
    pub(crate) fn emit_point(&mut self, t: f64) -> Result<(), RunError> {
        match self.output.point(&mut self.system, t, &self.point) {
            Err(error) if t > self.experiment.start_time && !self.x.is_empty() => self.emit_earlier(t, error),
            done => done,
        }
    }

    fn emit_earlier(&mut self, t: f64, error: RunError) -> Result<(), RunError> {
        for distance in DISTANCES {
            let at = t - distance * self.tiny();
            self.interpolate_point(at);
            if self.output.point_of(&mut self.system, t, (at, &self.point)).is_ok() {
                return Ok(());
            }
        }
        Err(error)
    }
}
