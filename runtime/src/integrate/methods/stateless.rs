//! The method for models without states: there is nothing to integrate, time only has to pass.

use crate::integrate::methods::controller::towards;
use crate::integrate::system::method::{Attempt, Method, Rejection, System};

/// Walks in equal steps.
#[derive(Debug)]
pub(crate) struct Stateless {
    t: f64,
    step: f64,
}

impl Stateless {
    /// Steps of this size.
    pub(crate) fn new(step: f64) -> Stateless {
        Stateless { t: 0.0, step }
    }
}

impl Method for Stateless {
    fn restart(&mut self, _: &mut System<'_>, t: f64, _: &[f64], _: f64) -> Result<(), Rejection> {
        self.t = t;
        Ok(())
    }

    fn resume(&mut self, t: f64) {
        self.t = t;
    }

    fn attempt(&mut self, system: &mut System<'_>, limit: f64) -> Attempt {
        let (h, last) = towards(self.t, self.step.min(system.max_step), limit);
        self.t = if last { limit } else { self.t + h };
        Attempt::Accepted
    }

    fn time(&self) -> f64 {
        self.t
    }

    fn state(&self) -> &[f64] {
        &[]
    }

    fn next_step(&self) -> f64 {
        self.step
    }

    fn interpolate(&self, _: f64, _: &mut [f64]) {}

    fn order(&self) -> usize {
        0
    }
}
