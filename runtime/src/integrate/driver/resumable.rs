//! A run in several calls: begin, go on as far as is wanted, end.
//!
//! Input: a model and an experiment. Output: points to a sink, and statistics. Guarantee: however often it is asked to go on, and how far,
//! the points are those of [`simulate`](super::simulate) to the last bit: no step is cut by being asked for. Cost: that of a run.

use super::run::{Flow, Run};
use crate::base::error::RunError;
use crate::integrate::experiment::Experiment;
use crate::integrate::system::sink::Sink;
use crate::integrate::system::statistics::Statistics;
use crate::model::interface::HybridModel;

/// A run that has begun.
pub struct Driver<'a> {
    run: Run<'a>,
    flow: Flow,
}

impl<'a> Driver<'a> {
    /// Initial values, and the first point. Runs that sample their relations on a grid cannot be resumed.
    pub fn begin(model: &'a mut dyn HybridModel, experiment: &'a Experiment, sink: &'a mut dyn Sink) -> Result<Driver<'a>, RunError> {
        experiment.check()?;
        if experiment.is_sampled() {
            return Err(RunError::new("R200", "a run that samples relations on the grid of its steps goes from start to end at once"));
        }
        let mut run = Run::new(model, experiment, sink);
        let flow = run.begin()?;
        Ok(Driver { run, flow })
    }

    /// Goes on until a time is reached or passed, or the run ends. Returns the time of the last accepted point.
    pub fn advance(&mut self, t: f64) -> Result<f64, RunError> {
        self.run.go_on(&mut self.flow, t)?;
        Ok(self.run.t)
    }

    /// Forgets the past: what the model reads from outside has changed at the last accepted point.
    pub fn restart(&mut self) -> Result<(), RunError> {
        self.run.refer()?;
        self.run.restart()
    }

    /// Time and states of the last accepted point.
    pub fn point(&self) -> (f64, &[f64]) {
        (self.run.t, &self.run.x)
    }

    /// Goes on to the end, and says what was done.
    pub fn finish(mut self) -> Result<Statistics, RunError> {
        let mut went = self.advance(f64::INFINITY).map(|_| ());
        if self.flow != Flow::Stop {
            went = went.and_then(|()| self.run.finish());
        }
        self.run.close(went)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrate::problems::*;
    use crate::integrate::{Solver, simulate};

    #[test]
    fn a_run_in_pieces_has_the_points_of_one() {
        for solver in [Solver::Bdf, Solver::Dopri5, Solver::Rk4, Solver::Auto] {
            let experiment = experiment(solver, 1.5);
            let mut whole = Points::default();
            let at_once = simulate(&mut bouncing_ball(), &experiment, &mut whole).unwrap();
            let (mut pieces, mut model) = (Points::default(), bouncing_ball());
            let mut driver = Driver::begin(&mut model, &experiment, &mut pieces).unwrap();
            for bound in [0.1, 0.1, 0.45, 0.451, 0.7, 1.2] {
                let reached = driver.advance(bound).unwrap();
                assert!(reached >= bound && driver.point().0 == reached, "{solver}: {reached}");
            }
            let in_pieces = driver.finish().unwrap();
            assert_eq!(whole.rows, pieces.rows, "{solver}");
            assert_eq!((at_once.steps, at_once.end_time), (in_pieces.steps, in_pieces.end_time));
        }
    }

    #[test]
    fn what_changes_from_outside_is_taken_up_by_a_restart() {
        let level = std::rc::Rc::new(std::cell::Cell::new(1.0));
        let seen = level.clone();
        let f = move |_: f64, x: &[f64], dx: &mut [f64]| dx[0] = seen.get() - x[0];
        let mut model = Problem::ode(vec![0.0], f, |_, _, values| values[0] = -1.0);
        let (experiment, mut points) = (experiment(Solver::Bdf, 3.0), Points::default());
        let mut driver = Driver::begin(&mut model, &experiment, &mut points).unwrap();
        let changed = driver.advance(1.0).unwrap();
        level.set(5.0);
        driver.restart().unwrap();
        driver.finish().unwrap();
        let exact = 5.0 + (1.0 - (-changed).exp() - 5.0) * (changed - 3.0).exp();
        let found = points.last()[0];
        assert!((found - exact).abs() < 1e-4, "{found} and {exact}");
    }
}
