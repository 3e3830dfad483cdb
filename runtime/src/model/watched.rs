//! A model that is watched while it runs.
//!
//! Input: a [`Watcher`], which holds a model and is told of what happens to it. Output: [`Watched`], a model that behaves like the
//! one inside. Guarantee: whatever the watcher is not told of goes to the model unchanged, every function of [`HybridModel`] and [`Sides`] included:
//! this is the only place that passes them on. Cost: a call.

use crate::base::error::{EvalFailure, RunError};
use crate::model::interface::{EventCause, EventOutcome, HybridModel, Mode, PartId, Sides};
use crate::model::plan::{Declared, Label, Pattern};

/// Holds a model and looks at it.
pub trait Watcher {
    /// What is watched.
    type Inner: HybridModel;
    /// The model.
    fn model(&self) -> &Self::Inner;
    /// The model.
    fn model_mut(&mut self) -> &mut Self::Inner;
    /// Initial values were found.
    fn initialized(&mut self) {}
    /// A step was accepted.
    fn accepted(&mut self, t: f64, x: &[f64]) {
        let _ = (t, x);
    }
    /// The run is about to end here.
    fn ending(&mut self, t: f64, x: &[f64]) {
        let _ = (t, x);
    }
    /// The states for which results are wanted instead of those of the run.
    fn states_of_results(&self, t: f64, x: &[f64]) -> Option<Vec<f64>> {
        let _ = (t, x);
        None
    }
}

/// The model of a watcher, as a model.
#[derive(Debug)]
pub struct Watched<W>(pub W);

impl<W: Watcher> Sides for Watched<W> {
    fn mode(&self) -> Mode {
        self.0.model().mode()
    }

    fn set_mode(&mut self, mode: &Mode) {
        self.0.model_mut().set_mode(mode);
    }

    fn n_switches(&self) -> usize {
        self.0.model().n_switches()
    }

    fn switches(&mut self, t: f64, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.0.model_mut().switches(t, x, out)
    }

    fn switch_label(&self, switch: usize) -> String {
        self.0.model().switch_label(switch)
    }

    fn switch_span(&self, switch: usize) -> Option<(u32, u32)> {
        self.0.model().switch_span(switch)
    }

    fn time_event_label(&mut self, t: f64) -> Option<Label> {
        self.0.model_mut().time_event_label(t)
    }

    fn is_discrete_output(&self, output: usize) -> bool {
        self.0.model().is_discrete_output(output)
    }

    fn remarks(&self) -> Vec<RunError> {
        self.0.model().remarks()
    }
}

impl<W: Watcher> HybridModel for Watched<W> {
    fn n_states(&self) -> usize {
        self.0.model().n_states()
    }

    fn state_name(&self, state: usize) -> &str {
        self.0.model().state_name(state)
    }

    fn declared(&self, state: usize) -> Declared {
        self.0.model().declared(state)
    }

    fn initialize(&mut self, t0: f64, x: &mut [f64]) -> Result<EventOutcome, RunError> {
        let outcome = self.0.model_mut().initialize(t0, x)?;
        self.0.initialized();
        Ok(outcome)
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), EvalFailure> {
        self.0.model_mut().derivatives(t, x, dx)
    }

    fn jacobian_pattern(&self) -> &Pattern {
        self.0.model().jacobian_pattern()
    }

    fn jacobian(&mut self, t: f64, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        self.0.model_mut().jacobian(t, x, values)
    }

    fn part(&self, states: &[usize]) -> Option<PartId> {
        self.0.model().part(states)
    }

    fn part_derivatives(&mut self, part: PartId, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), EvalFailure> {
        self.0.model_mut().part_derivatives(part, t, x, dx)
    }

    fn part_jacobian_pattern(&self, part: PartId) -> Option<&Pattern> {
        self.0.model().part_jacobian_pattern(part)
    }

    fn part_jacobian(&mut self, part: PartId, t: f64, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        self.0.model_mut().part_jacobian(part, t, x, values)
    }

    fn sample_relations(&mut self, t: f64, x: &[f64]) -> Result<(), EvalFailure> {
        self.0.model_mut().sample_relations(t, x)
    }

    fn n_crossings(&self) -> usize {
        self.0.model().n_crossings()
    }

    fn crossings(&mut self, t: f64, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.0.model_mut().crossings(t, x, out)
    }

    fn crossing_sizes(&mut self, out: &mut [f64]) -> Result<(), EvalFailure> {
        self.0.model_mut().crossing_sizes(out)
    }

    fn crossing_label(&self, crossing: usize) -> String {
        self.0.model().crossing_label(crossing)
    }

    fn crossing_span(&self, crossing: usize) -> Option<(u32, u32)> {
        self.0.model().crossing_span(crossing)
    }

    fn relation(&self, crossing: usize) -> Option<bool> {
        self.0.model().relation(crossing)
    }

    fn set_round_off(&mut self, of_crossings: &[f64]) {
        self.0.model_mut().set_round_off(of_crossings);
    }

    fn next_time_event(&mut self, t: f64) -> Option<f64> {
        self.0.model_mut().next_time_event(t)
    }

    fn next_kink(&mut self, t: f64) -> Option<f64> {
        self.0.model_mut().next_kink(t)
    }

    fn event(&mut self, t: f64, x: &mut [f64], cause: &EventCause) -> Result<EventOutcome, RunError> {
        self.0.model_mut().event(t, x, cause)
    }

    fn accept(&mut self, t: f64, x: &mut [f64]) -> Result<EventOutcome, RunError> {
        let outcome = self.0.model_mut().accept(t, x)?;
        self.0.accepted(t, x);
        Ok(outcome)
    }

    fn violated(&self) -> &[usize] {
        self.0.model().violated()
    }

    fn is_violated(&mut self, assertion: usize, t: f64, x: &[f64]) -> bool {
        self.0.model_mut().is_violated(assertion, t, x)
    }

    fn report_violation(&mut self, assertion: usize, t: f64, x: &[f64]) -> Option<RunError> {
        self.0.model_mut().report_violation(assertion, t, x)
    }

    fn other_states(&mut self, t: f64, before: &[f64], now: &mut [f64]) -> Result<bool, EvalFailure> {
        self.0.model_mut().other_states(t, before, now)
    }

    fn n_outputs(&self) -> usize {
        self.0.model().n_outputs()
    }

    fn outputs(&mut self, t: f64, x: &[f64], row: &mut [f64]) -> Result<(), EvalFailure> {
        let wanted = self.0.states_of_results(t, x);
        self.0.model_mut().outputs(t, wanted.as_deref().unwrap_or(x), row)
    }

    fn set_stop_time(&mut self, t: f64) {
        self.0.model_mut().set_stop_time(t);
    }

    fn has_event_at_start(&self) -> bool {
        self.0.model().has_event_at_start()
    }

    fn is_instant(&self, crossing: usize) -> bool {
        self.0.model().is_instant(crossing)
    }

    fn terminal(&mut self, t: f64, x: &mut [f64]) -> Result<EventOutcome, RunError> {
        self.0.ending(t, x);
        self.0.model_mut().terminal(t, x)
    }
}
