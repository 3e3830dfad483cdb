//! Shows the results before an event.
//!
//! A state event is found just beyond its crossing, where what its relation guards may have no value any more: `if h > 0 then sqrt(h) else 0`
//! at `h = -1e-15`, where the relation still has its old value. There the results just before the crossing are shown instead.
//! Cost: nothing where the results can be computed.

use super::Run;
use crate::error::RunError;
use crate::model::EventCause;

/// How far before an event, as multiples of the smallest distance of times.
const DISTANCES: [f64; 4] = [1.0, 1e2, 1e4, 1e6];

impl Run<'_> {
    /// Hands over the results before the event at the current point.
    pub(super) fn emit_before(&mut self, cause: &EventCause) -> Result<(), RunError> {
        match self.emit_end_of_step() {
            Err(error) if matches!(cause, EventCause::State(_)) && !self.x.is_empty() => self.emit_earlier(error),
            done => done,
        }
    }

    fn emit_earlier(&mut self, error: RunError) -> Result<(), RunError> {
        let tiny = self.tiny();
        for distance in DISTANCES {
            let at = self.t - distance * tiny;
            self.interpolate_point(at);
            if self.output.point_of(&mut self.system, self.t, (at, &self.point)).is_ok() {
                self.grid.pass(self.t, tiny);
                return Ok(());
            }
        }
        Err(error)
    }
}
