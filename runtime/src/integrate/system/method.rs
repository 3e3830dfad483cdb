//! What a method of integration is: formulas from one point to the next. Time, events and output are the driver's.
//!
//! A method keeps its own state: the last accepted point and what it needs to continue from it. [`Method::attempt`] tries one
//! step; a rejected attempt leaves the accepted point as it was and makes the next attempt more careful.

pub use super::model::{Rejection, System, largest, mean_root, norm, worst};

use super::statistics::Partitioning;
use crate::base::error::RunError;
use crate::base::simd::update;
use crate::model::interface::HybridModel;

/// The result of trying a step.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// The method stands at the new point.
    Accepted,
    /// The method stands where it stood; try again.
    Rejected(Rejection),
}

/// Formulas of integration.
pub trait Method {
    /// Starts afresh at a point, forgetting the past. `limit` is the latest time of interest.
    fn restart(&mut self, system: &mut System<'_>, t: f64, x: &[f64], limit: f64) -> Result<(), Rejection>;
    /// Goes back to a time within the last accepted step and goes on from there with the same step size and order: after an event that
    /// has changed neither states nor, noticeably, derivatives.
    fn resume(&mut self, t: f64);
    /// Goes on with other states, `x` at the last accepted point; `other` computes them from the old ones at a point of the past.
    /// False if that is not possible: then the method has to restart.
    fn translate(&mut self, x: &[f64], other: &mut dyn FnMut(f64, &[f64], &mut [f64]) -> bool) -> bool {
        let _ = (x, other);
        false
    }
    /// Tries one step that does not go beyond `limit`; a step that reaches it ends exactly there.
    fn attempt(&mut self, system: &mut System<'_>, limit: f64) -> Attempt;
    /// The time of the last accepted point.
    fn time(&self) -> f64;
    /// The states at the last accepted point.
    fn state(&self) -> &[f64];
    /// The size of the step that will be tried next, before limits.
    fn next_step(&self) -> f64;
    /// The states at a time within the last accepted step. Valid until the next attempt.
    fn interpolate(&self, t: f64, x: &mut [f64]);
    /// The first time after this one within the last accepted step at which the method has a point of its own.
    fn inner_time(&self, after: f64) -> Option<f64> {
        let _ = after;
        None
    }
    /// Moves states at a time within the last accepted step, as far as their errors allow, to where derivatives and slopes of the
    /// trajectory agree: for output, where small differences of stiff states are seen.
    fn correct_output(&mut self, system: &mut System<'_>, t: f64, x: &mut [f64]) {
        let _ = (system, t, x);
    }
    /// Replaces differences of derivatives by what they would change the states by in a step like the last one.
    fn damp(&mut self, v: &mut [f64]) {
        let h = self.next_step();
        update(v, [], |v, []| h * v);
    }
    /// What is to be said about the points that were moved.
    fn warning(&self, system: &System<'_>) -> Option<RunError> {
        let _ = system;
        None
    }
    /// Lets the method solve for fast states alone where that saves work; those without equations to solve have nothing to do.
    fn allow_partition(&mut self, model: &dyn HybridModel) {
        let _ = model;
    }
    /// What a method that may do so has found.
    fn partitioning(&self) -> Option<Partitioning> {
        None
    }
    /// The order of the last accepted step.
    fn order(&self) -> usize;
}
