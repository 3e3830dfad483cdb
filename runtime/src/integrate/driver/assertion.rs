//! Finds since when an assertion is violated that held at the last accepted point and does not at this one.
//!
//! Input: the step between the two. Output: its report at the first time, up to round-off, at which it is violated along the step;
//! bisection finds one change of several. Cost: nothing where assertions hold, else some fifty evaluations once.

use super::run::Run;
use crate::base::error::RunError;
use crate::model::interface::EventOutcome;

/// Halvings of a step: more do not change the time.
const MOST_HALVINGS: usize = 60;

impl Run<'_> {
    /// Accepts the end of a step that began at `before`.
    pub(crate) fn accept_from(&mut self, before: f64) -> Result<EventOutcome, RunError> {
        let accepted = self.system.model.accept(self.t, &mut self.x);
        let violated = self.system.model.violated().to_vec();
        let mut found: Option<(f64, RunError)> = None;
        for assertion in violated {
            let at = self.violated_since(assertion, before);
            let report = self.system.model.report_violation(assertion, at, &self.point);
            if let Some(error) = report
                && found.as_ref().is_none_or(|(first, _)| at < *first)
            {
                found = Some((at, error));
            }
        }
        match (accepted, found) {
            (Err(_), Some((_, error))) => Err(error),
            (accepted, _) => accepted,
        }
    }

    /// The first time of the last step at which an assertion is violated; its states are in `point`.
    fn violated_since(&mut self, assertion: usize, before: f64) -> f64 {
        let (mut holds, mut fails) = (before, self.t);
        for _ in 0..MOST_HALVINGS {
            let middle = holds + 0.5 * (fails - holds);
            if middle <= holds || middle >= fails {
                break;
            }
            self.interpolate_point(middle);
            match self.system.model.is_violated(assertion, middle, &self.point) {
                true => fails = middle,
                false => holds = middle,
            }
        }
        if fails < self.t {
            self.interpolate_point(fails);
        } else {
            self.point.copy_from_slice(&self.x);
        }
        fails
    }

    /// Puts the states at a time of the last step into `point`.
    pub(crate) fn interpolate_point(&mut self, t: f64) {
        self.method.interpolate(t, &mut self.point);
        self.method.correct_output(&mut self.system, t, &mut self.point);
    }
}
