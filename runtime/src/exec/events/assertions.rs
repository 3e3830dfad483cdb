//! Assertions that are violated between two points: what the driver needs to find out since when.
//!
//! An assertion is looked at where a point stands, which is up to a step after it was violated. Input: one that `accept` found violated
//! and a point of the step before. Output: whether it is violated there, and its report at that point. Cost: one evaluation per point.

use crate::base::error::RunError;
use crate::base::number::{rounded, shown};
use crate::exec::instance::Instance;
use crate::model::plan::ActionKind;

impl Instance {
    /// The error of a violated assertion at the point in the memory, with the values that its condition depends on.
    pub(crate) fn assertion_error(&self, assertion: usize, t: f64) -> RunError {
        let compiled = &self.compiled;
        let action = &compiled.plan.events.actions[assertion];
        let mut error = RunError::new("R104", format!("an assertion of the model failed: {}", self.message(action))).at_time(t);
        error.place = Some((action.label.span, action.label.text.clone()));
        for slot in &action.condition {
            error.notes.push(format!("{} = {}", compiled.tables.label(&compiled.plan, *slot), shown(self.machine.get(*slot))));
        }
        error
    }

    /// Warns of a violated assertion at the point in the memory.
    pub(crate) fn assertion_warning(&self, assertion: usize, t: f64) -> String {
        format!("at time {}: {}", rounded(t), self.message(&self.compiled.plan.events.actions[assertion]))
    }

    /// Whether an assertion is violated at a point; a point that cannot be evaluated tells nothing.
    pub(crate) fn violates(&mut self, assertion: usize, t: f64, x: &[f64]) -> bool {
        let trigger = self.compiled.plan.events.actions[assertion].trigger;
        self.evaluate_outputs(t, x).is_ok() && self.machine.truth(trigger)
    }

    /// Reports an assertion at this point instead of the one where it was found violated.
    pub(crate) fn report_at(&mut self, assertion: usize, t: f64, x: &[f64]) -> Option<RunError> {
        if !self.violates(assertion, t, x) {
            return None;
        }
        if self.compiled.plan.events.actions[assertion].kind == ActionKind::AssertError {
            return Some(self.assertion_error(assertion, t));
        }
        let warning = self.assertion_warning(assertion, t);
        if let Some((_, position)) = self.asserts.violated_warnings.iter().find(|(other, _)| *other == assertion) {
            self.told.warnings[*position] = warning;
        }
        None
    }
}
