//! A run as a whole: what it is made of, and what is said about it at its end.
//!
//! Warnings come in a fixed order: what the model says about its start (R109), relations that rounding decides (R207), a result that the
//! tolerance does not determine (R208), noise in derivatives (R209).

use super::cascade;
use super::chatter::Chatter;
use super::constants::LOCAL_PART;
use super::grid::Grid;
use super::output::Output;
use super::run::Run;
use crate::base::error::RunError;
use crate::integrate::crossings::Watch;
use crate::integrate::diagnostics::error_propagation::ErrorPropagation;
use crate::integrate::diagnostics::event_order::EventOrder;
use crate::integrate::diagnostics::progress::Progress;
use crate::integrate::diagnostics::sliding::Sliding;
use crate::integrate::diagnostics::zeno::Zeno;
use crate::integrate::experiment::Experiment;
use crate::integrate::system::method::System;
use crate::integrate::system::sink::Sink;
use crate::integrate::system::statistics::Statistics;
use crate::model::interface::HybridModel;

/// Steps of a run of a model without states whose relations cross.
const LEAST_STEPS: f64 = 500.0;

/// Runs a model from start to stop time.
pub fn simulate(model: &mut dyn HybridModel, experiment: &Experiment, sink: &mut dyn Sink) -> Result<Statistics, RunError> {
    if experiment.sliding {
        return make(&mut Sliding::new(model, experiment.span()), experiment, sink);
    }
    make(model, experiment, sink)
}

fn make(model: &mut dyn HybridModel, experiment: &Experiment, sink: &mut dyn Sink) -> Result<Statistics, RunError> {
    experiment.check()?;
    if cascade::is_wanted(model, experiment) {
        return cascade::run(model, experiment, sink);
    }
    let n = model.n_states();
    let mut run = Run::new(model, experiment, sink);
    let went = if experiment.is_sampled() && n > 0 { run.go_sampled() } else { run.go() };
    run.close(went)
}

impl<'a> Run<'a> {
    /// A run that has not begun.
    pub(super) fn new(model: &'a mut dyn HybridModel, experiment: &'a Experiment, sink: &'a mut dyn Sink) -> Run<'a> {
        let n = model.n_states();
        let n_outputs = model.n_outputs();
        let n_crossings = model.n_crossings();
        let interval = experiment.output_interval();
        // Without states only the distance of the steps bounds what crossings do unseen; it does not depend on a coarse grid of results.
        let unseen = if n_crossings > 0 { experiment.span() / LEAST_STEPS } else { interval };
        let step = if n == 0 { interval.min(unseen) } else { experiment.fixed_step() };
        let method = experiment.method(model, step);
        let max_step = experiment.max_step.unwrap_or(if experiment.is_fixed_step() { f64::INFINITY } else { experiment.span() / 10.0 });
        let mut run = Run {
            system: System::new(model, LOCAL_PART * experiment.tolerance, max_step),
            method,
            experiment,
            output: Output::new(sink, n_outputs),
            grid: Grid::new(experiment.start_time, experiment.stop_time, interval),
            watch: Watch::new(n_crossings, n),
            t: experiment.start_time,
            x: vec![0.0; n],
            point: vec![0.0; n],
            before: vec![0.0; n],
            after: vec![0.0; n],
            ahead: vec![0.0; n],
            before_ahead: vec![0.0; n],
            chatter: Chatter::default(),
            zeno: Zeno::new(n_crossings),
            progress: Progress::new(experiment.start_time),
            order_sensitive: EventOrder::new(if n_crossings > 0 { n_outputs } else { 0 }),
            error_propagation: None,
            shortened: None,
        };
        if !experiment.is_fixed_step() {
            run.error_propagation = ErrorPropagation::new(&run.system, experiment.span());
        }
        if experiment.count_limits {
            run.system.statistics.limited = vec![0; n];
        }
        run.system.model.set_stop_time(experiment.stop_time);
        run
    }

    /// The end of a run that went like this.
    pub(super) fn close(mut self, went: Result<(), RunError>) -> Result<Statistics, RunError> {
        let went = went.and_then(|()| self.end_where_terminated());
        self.output.release(&mut self.system)?;
        went?;
        Ok(self.conclude())
    }

    /// What it did, and what is said about it.
    pub(super) fn conclude(mut self) -> Statistics {
        self.system.statistics.end_time = self.t;
        let remarks = self.system.model.remarks();
        self.system.statistics.warnings.extend(remarks);
        self.system.statistics.warnings.extend(self.order_sensitive.warning(self.system.model));
        let sensitive = self.error_propagation.as_ref().and_then(|growth| growth.warning(&self.system));
        self.system.statistics.warnings.extend(sensitive);
        let noise = self.method.warning(&self.system);
        self.system.statistics.warnings.extend(noise);
        self.system.statistics.apart.partitioning = self.method.partitioning();
        self.system.statistics
    }

    /// Goes on from a point that another run has reached.
    pub(super) fn begin_at(&mut self, t: f64, x: &[f64]) -> Result<(), RunError> {
        self.t = t;
        self.x.copy_from_slice(x);
        self.refer()?;
        if self.t < self.experiment.stop_time { self.restart() } else { Ok(()) }
    }
}
