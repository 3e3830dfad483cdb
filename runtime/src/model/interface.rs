//! The boundary between models and integrators: an ordinary differential equation with frozen relations and events.
//!
//! Integrators know nothing of slots, blocks or Modelica. Between events every relation and discrete value is frozen, so
//! `derivatives` is smooth; `crossings` tell when a relation is about to change; `event` makes the model consistent again.

use crate::base::error::{EvalFailure, RunError};
use crate::model::plan::{Cascade, Declared, Label, Pattern};

/// What happened during an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventOutcome {
    /// States or discrete values changed: the integrator restarts.
    pub changed: bool,
    /// The model asked to stop, with this message.
    pub terminate: Option<String>,
}

/// Why the driver calls `event`.
#[derive(Clone, Debug, PartialEq)]
pub enum EventCause {
    /// Crossings at these positions changed sign; the flag is the new sign (true: positive).
    State(Vec<(usize, bool)>),
    /// A scheduled time was reached.
    Time,
}

/// The discrete values of a model between events: relations and what events remember.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mode(pub Vec<f64>);

/// A function of a model for the derivatives of some of its states.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PartId(pub usize);

/// States whose derivatives are computed alone for a while.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct SubsetId(pub usize);

/// What a model tells beside its values: for motion along relations, for runs that do not come on, for warnings.
pub trait Sides {
    /// The discrete values that hold now.
    fn mode(&self) -> Mode {
        Mode::default()
    }
    /// Makes discrete values hold that held at an event before.
    fn set_mode(&mut self, mode: &Mode) {
        let _ = mode;
    }
    /// Number of functions whose signs choose between branches of the derivatives without events: arguments of `sign`, differences
    /// of the sides of relations in `noEvent`.
    fn n_switches(&self) -> usize {
        0
    }
    /// These functions at a point.
    fn switches(&mut self, t: f64, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        let _ = (t, x, out);
        Ok(())
    }
    /// The switch as it is written, for messages.
    fn switch_label(&self, switch: usize) -> String {
        format!("switch {switch}")
    }
    /// The place of its equation in the source, if known.
    fn switch_span(&self, switch: usize) -> Option<(u32, u32)> {
        let _ = switch;
        None
    }
    /// What makes the next scheduled event at or after `t`, with its place, for messages.
    fn time_event_label(&mut self, t: f64) -> Option<Label> {
        let _ = t;
        None
    }
    /// What the user should know about the start, as warnings.
    fn remarks(&self) -> Vec<RunError> {
        Vec::new()
    }
    /// Whether a varying result changes at events only, as Booleans and Integers do.
    fn is_discrete_output(&self, output: usize) -> bool {
        let _ = output;
        false
    }
}

/// An initial value problem with events. One instance holds the values of one run.
pub trait HybridModel: Sides {
    /// Number of continuous states; may be zero.
    fn n_states(&self) -> usize;
    /// The name of a state, for messages.
    fn state_name(&self, state: usize) -> &str;
    /// What is declared about the size of a state; sizes are positive.
    fn declared(&self, state: usize) -> Declared;
    /// The nominal size of a state, 1 where nothing is declared.
    fn nominal(&self, state: usize) -> f64 {
        self.declared(state).nominal.unwrap_or(1.0)
    }
    /// Consistent initial values at `t0`; fills `x`.
    fn initialize(&mut self, t0: f64, x: &mut [f64]) -> Result<EventOutcome, RunError>;
    /// `dx = f(t, x)` with frozen relations; a derivative that is infinite or not a number is a failure.
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), EvalFailure>;
    /// The sparsity of df/dx.
    fn jacobian_pattern(&self) -> &Pattern;
    /// Values of df/dx at the pattern's entries.
    fn jacobian(&mut self, t: f64, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure>;
    /// About how many operations an evaluation of the derivatives takes, counted, not measured.
    fn operations(&self) -> f64 {
        4.0 * self.n_states() as f64 + 2.0 * self.jacobian_pattern().rows.len() as f64
    }
    /// The function for the derivatives of exactly these states, in ascending order, if the model has one. It computes only what
    /// these derivatives need.
    fn part(&self, states: &[usize]) -> Option<PartId> {
        let _ = states;
        None
    }
    /// The derivatives of a part's states at a point of all states; failures as with `derivatives`.
    fn part_derivatives(&mut self, part: PartId, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), EvalFailure> {
        let _ = (t, x, dx);
        Err(EvalFailure::new(format!("the model has no part {}", part.0)))
    }
    /// The sparsity of the derivatives of a part's states by these states, if the part has a Jacobian.
    fn part_jacobian_pattern(&self, part: PartId) -> Option<&Pattern> {
        let _ = part;
        None
    }
    /// Values at the entries of that pattern.
    fn part_jacobian(&mut self, part: PartId, t: f64, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        let _ = (t, x, values);
        Err(EvalFailure::new(format!("the model has no part {}", part.0)))
    }
    /// Whether the model computes any subset of its derivatives by itself, at a cost of the size of the subset.
    fn has_subsets(&self) -> bool {
        false
    }
    /// Makes these states, ascending, the subset of a number; numbers are small, and their subsets stand until they are chosen anew.
    fn select(&mut self, subset: SubsetId, states: &[usize]) {
        let _ = (subset, states);
    }
    /// The derivatives of a subset's states, in order. Of `x`, the point of all states, only what these derivatives read is looked at: the
    /// entries of their rows of the Jacobian.
    fn subset_derivatives(&mut self, subset: SubsetId, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), EvalFailure> {
        let _ = (t, x, dx);
        Err(EvalFailure::new(format!("the model has no subset {}", subset.0)))
    }
    /// The sparsity of these derivatives by the subset's states.
    fn subset_pattern(&self, subset: SubsetId) -> Option<&Pattern> {
        let _ = subset;
        None
    }
    /// Values at the entries of that pattern, where `subset_derivatives` was called last for this subset.
    fn subset_jacobian(&mut self, subset: SubsetId, values: &mut [f64]) -> Result<(), EvalFailure> {
        let _ = values;
        Err(EvalFailure::new(format!("the model has no subset {}", subset.0)))
    }
    /// How much of the work of all derivatives those of a subset take, at most 1.
    fn subset_share(&self, subset: SubsetId) -> f64 {
        let _ = subset;
        1.0
    }
    /// How the states fall apart into a head and parts that do not act back on it, if they do; such a model has subsets.
    fn cascade(&self) -> Option<&Cascade> {
        None
    }
    /// Sets every relation to the value it has at a point, without an event: for runs that sample relations on their grid.
    fn sample_relations(&mut self, t: f64, x: &[f64]) -> Result<(), EvalFailure> {
        let _ = (t, x);
        Ok(())
    }
    /// Number of crossing functions.
    fn n_crossings(&self) -> usize;
    /// Crossing functions at a point. An event is due when the sign (`> 0` or not) differs from that at the last event.
    fn crossings(&mut self, t: f64, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure>;
    /// Sizes of what the crossing functions are differences of, where `crossings` was called last; `out` is left as it is if the
    /// model does not tell.
    fn crossing_sizes(&mut self, out: &mut [f64]) -> Result<(), EvalFailure> {
        let _ = out;
        Ok(())
    }
    /// A sentence about the relation behind a crossing, for messages.
    fn crossing_label(&self, crossing: usize) -> String;
    /// The place of that relation in the source, if known.
    fn crossing_span(&self, crossing: usize) -> Option<(u32, u32)> {
        let _ = crossing;
        None
    }
    /// The frozen value of the relation behind a crossing, if the model tells; otherwise the sign of the crossing function after
    /// the last event stands for it.
    fn relation(&self, crossing: usize) -> Option<bool> {
        let _ = crossing;
        None
    }
    /// The round-off of the crossing functions, measured after the last event. A relation whose crossing function is no larger than
    /// this both before and after an event has not changed.
    fn set_round_off(&mut self, of_crossings: &[f64]) {
        let _ = of_crossings;
    }
    /// The next scheduled event after `t`, if any. Stable between events.
    fn next_time_event(&mut self, t: f64) -> Option<f64>;
    /// The next time after `t` where the derivatives of the model bend without an event: steps end there.
    fn next_kink(&mut self, t: f64) -> Option<f64> {
        let _ = t;
        None
    }
    /// Handles an event at `t`; may change `x`.
    fn event(&mut self, t: f64, x: &mut [f64], cause: &EventCause) -> Result<EventOutcome, RunError>;
    /// Crossings whose relations switched and switched back within the last event and whose sides are equal up to round-off after it.
    fn order_sensitive(&self) -> &[usize] {
        &[]
    }
    /// Called at every accepted step after the point was evaluated (delays, asserts, choice of states).
    /// `changed` in the outcome means that `x` was rewritten and the method must restart.
    fn accept(&mut self, t: f64, x: &mut [f64]) -> Result<EventOutcome, RunError>;
    /// Assertions that the last call of `accept` found violated for the first time.
    fn violated(&self) -> &[usize] {
        &[]
    }
    /// Whether an assertion is violated at a point between the last two accepted ones.
    fn is_violated(&mut self, assertion: usize, t: f64, x: &[f64]) -> bool {
        let _ = (assertion, t, x);
        false
    }
    /// Reports a violated assertion at a point before the one where it was found: its error, or nothing for a warning.
    fn report_violation(&mut self, assertion: usize, t: f64, x: &[f64]) -> Option<RunError> {
        let _ = (assertion, t, x);
        None
    }
    /// If the last call of `accept` has chosen other states and changed nothing else: computes them at a point of the past from
    /// those before. False if not.
    fn other_states(&mut self, t: f64, before: &[f64], now: &mut [f64]) -> Result<bool, EvalFailure> {
        let _ = (t, before, now);
        Ok(false)
    }
    /// Number of result columns that vary, time excluded.
    fn n_outputs(&self) -> usize;
    /// All varying results at a point, in order.
    fn outputs(&mut self, t: f64, x: &[f64], row: &mut [f64]) -> Result<(), EvalFailure>;
    /// Where the run ends: relations of time do not change beyond it.
    fn set_stop_time(&mut self, t: f64) {
        let _ = t;
    }
    /// Whether an event is due just after the start: a relation of time that is at its threshold there.
    fn has_event_at_start(&self) -> bool {
        false
    }
    /// Whether the relation behind a crossing is half of an equality: it holds where its sides are equal, if only for an instant.
    fn is_instant(&self, crossing: usize) -> bool {
        let _ = crossing;
        false
    }
    /// The last point of the run: `terminal()` is true during this call.
    fn terminal(&mut self, t: f64, x: &mut [f64]) -> Result<EventOutcome, RunError>;
}
