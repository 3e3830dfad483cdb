//! Runs a model: one loop that owns time, acceptance of steps, events, output and the end.
//!
//! Input: a model and an experiment. Output: points to a sink, and statistics.
//!
//! A run can be resumed: [`Run::begin`], then [`Run::advance`] one step at a time up to any bound, then [`Run::finish`]; [`Run::go`] is all of it.
//!
//! Method: the chosen [`Method`] is asked for one step at a time, never beyond the next scheduled event or the end. Along every
//! accepted step the driver walks from one output time to the next, checks crossings there and at the end of the step, and hands
//! over output points; at the first crossing that has fired it goes back to that time and lets the model handle the event.
//! Guarantees: points are in order of time; an event gives two points of equal time, before and after, two events that rounding alone
//! tells apart give one before and one after; scheduled events are met exactly; a crossing at the same time as a scheduled event belongs
//! to it.
//! Cost: beside the method's own, one evaluation of the crossings per step and per output point.

use super::chatter::Chatter;
use super::constants::{CHATTER_PART, FIRST_STEPS, LOOK_AHEAD, MOST_REJECTIONS, NOISY_REJECTIONS, SAME_INSTANT, SMOOTH_PART};
use super::grid::Grid;
use super::output::Output;
use crate::base::error::{EvalFailure, RunError};
use crate::integrate::crossings::{Fired, Watch};
use crate::integrate::diagnostics::error_propagation::ErrorPropagation;
use crate::integrate::diagnostics::event_order::EventOrder;
use crate::integrate::diagnostics::progress::{Move, Progress};
use crate::integrate::diagnostics::zeno::Zeno;
use crate::integrate::experiment::Experiment;
use crate::integrate::system::method::{Attempt, Method, Rejection, System, norm};
use crate::model::interface::{EventCause, EventOutcome};

/// What stands at the end of a walk along a step.
pub(super) enum Walk {
    /// Nothing fired.
    Clear,
    /// Crossings fired.
    Fired(Fired),
    /// The model could not be evaluated at this time.
    Failed(f64, EvalFailure),
}

/// Whether the run goes on.
#[derive(PartialEq, Eq)]
pub(super) enum Flow {
    /// From where the method stands.
    Go,
    /// From the event.
    Restarted,
    /// No.
    Stop,
}

/// Which points of an event are shown.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Points {
    /// Before and after.
    Both,
    /// The point before was that of an earlier event at the same time.
    After,
    /// None: the event was not located.
    Neither,
}

/// The state of a run.
pub(super) struct Run<'a> {
    pub(super) system: System<'a>,
    pub(super) method: Box<dyn Method>,
    pub(super) experiment: &'a Experiment,
    pub(super) output: Output<'a>,
    pub(super) grid: Grid,
    pub(super) watch: Watch,
    /// The last point that holds for good.
    pub(super) t: f64,
    pub(super) x: Vec<f64>,
    /// A point within a step, or before an event.
    pub(super) point: Vec<f64>,
    /// Derivatives before and after an event.
    pub(super) before: Vec<f64>,
    pub(super) after: Vec<f64>,
    /// A point ahead of an event, and the derivatives there as they were before the event.
    pub(super) ahead: Vec<f64>,
    pub(super) before_ahead: Vec<f64>,
    pub(super) chatter: Chatter,
    pub(super) zeno: Zeno,
    pub(super) progress: Progress,
    pub(super) order_sensitive: EventOrder,
    pub(super) error_propagation: Option<ErrorPropagation>,
    /// A step that led where the model cannot be evaluated is tried again up to this time only.
    pub(super) shortened: Option<f64>,
}

impl Run<'_> {
    /// From the start to the end.
    pub(super) fn go(&mut self) -> Result<(), RunError> {
        let stop = self.experiment.stop_time;
        let mut flow = self.begin()?;
        self.go_on(&mut flow, stop)?;
        if flow == Flow::Stop { Ok(()) } else { self.finish() }
    }

    /// Accepted steps until a time is reached or passed, or the run ends.
    pub(super) fn go_on(&mut self, flow: &mut Flow, until: f64) -> Result<(), RunError> {
        let stop = self.experiment.stop_time;
        while *flow != Flow::Stop && self.t < until.min(stop) {
            *flow = self.advance(stop)?;
        }
        Ok(())
    }

    /// One accepted step that does not go beyond `bound`, and what happens along it and at its end; it ends at the first event.
    pub(super) fn advance(&mut self, bound: f64) -> Result<Flow, RunError> {
        let stop = self.experiment.stop_time;
        let scheduled = self.scheduled()?;
        let goal = scheduled.unwrap_or(stop).min(stop);
        if goal - self.t > self.tiny() {
            let limit = self.limit(goal.min(bound));
            self.step(limit)?;
            let mut flow = self.go_along(scheduled)?;
            if flow == Flow::Go {
                flow = self.stand(scheduled)?;
            }
            if flow != Flow::Go {
                return Ok(flow);
            }
        } else {
            self.t = goal;
            // The method stands a few units in the last place before.
            self.restart()?;
        }
        if scheduled == Some(self.t) { self.time_event() } else { Ok(Flow::Go) }
    }

    /// How far a step may go towards a goal.
    fn limit(&mut self, goal: f64) -> f64 {
        let limit = self.shortened.map_or(goal, |shortened| shortened.min(goal));
        match self.system.model.next_kink(self.t) {
            Some(kink) if kink < limit && kink - self.t > self.tiny() => kink,
            _ => limit,
        }
    }

    /// Along the step that was accepted last, with the events in it.
    fn go_along(&mut self, scheduled: Option<f64>) -> Result<Flow, RunError> {
        let reached = self.method.time();
        // Every turn handles one event, at a later time than the one before.
        loop {
            match self.walk(reached)? {
                Walk::Failed(at, failure) => {
                    self.shortened = Some(self.shorten(at, &failure)?);
                    return Ok(Flow::Restarted);
                }
                Walk::Fired(fired) if !(scheduled == Some(reached) && fired.t >= reached - self.tiny()) => {
                    self.shortened = None;
                    match self.state_event(fired)? {
                        Flow::Go => {}
                        flow => return Ok(flow),
                    }
                }
                Walk::Clear | Walk::Fired(_) => {
                    self.shortened = None;
                    return Ok(Flow::Go);
                }
            }
        }
    }

    /// Takes the end of the step that was accepted last for good.
    fn stand(&mut self, scheduled: Option<f64>) -> Result<Flow, RunError> {
        let reached = self.method.time();
        let before = std::mem::replace(&mut self.t, reached);
        self.x.copy_from_slice(self.method.state());
        self.observe();
        self.accumulating()?;
        self.standing(Move::Step)?;
        if let Some(growth) = &mut self.error_propagation {
            growth.accepted(&mut self.system, self.t, &self.x);
        }
        if self.grid.peek().is_some_and(|next| next <= self.t + self.tiny()) && scheduled != Some(reached) {
            self.emit_end_of_step()?;
        }
        if self.interrupted() {
            return Ok(Flow::Stop);
        }
        // An event does what acceptance does.
        if scheduled == Some(reached) {
            return Ok(Flow::Go);
        }
        if self.experiment.ignore_events && self.unlocated_event()? == Flow::Stop {
            return Ok(Flow::Stop);
        }
        let outcome = self.accept_from(before)?;
        let changed = outcome.changed;
        if self.stopped(outcome) == Flow::Stop {
            return Ok(Flow::Stop);
        }
        if changed {
            self.error_propagation.iter_mut().for_each(ErrorPropagation::other_states);
            self.refer()?;
            if self.t < self.experiment.stop_time && !self.translate() {
                self.restart()?;
            }
        }
        Ok(Flow::Go)
    }

    /// The last point, and what happens there.
    pub(super) fn finish(&mut self) -> Result<(), RunError> {
        if self.output.last() != Some(self.t) {
            self.emit_here()?;
        }
        self.event_at_the_end()?;
        self.end()
    }

    /// Initial values, the first point, and the method at the start.
    pub(super) fn begin(&mut self) -> Result<Flow, RunError> {
        let outcome = self.system.model.initialize(self.t, &mut self.x)?;
        self.emit_here()?;
        if self.stopped(outcome) == Flow::Stop || self.event_at_the_start()? == Flow::Stop {
            return Ok(Flow::Stop);
        }
        self.refer()?;
        if self.t < self.experiment.stop_time {
            self.restart()?;
        }
        Ok(Flow::Go)
    }

    /// What `time > T` does where `T` is the start: the first point shows it false, the second one true.
    pub(super) fn event_at_the_start(&mut self) -> Result<Flow, RunError> {
        if self.t >= self.experiment.stop_time || !self.system.model.has_event_at_start() {
            return Ok(Flow::Go);
        }
        let outcome = self.system.model.event(self.t, &mut self.x, &EventCause::Time)?;
        if outcome.changed {
            self.emit_here()?;
        }
        Ok(self.stopped(outcome))
    }

    /// What the model does at the end of a run that it has ended itself.
    pub(super) fn end_where_terminated(&mut self) -> Result<(), RunError> {
        if self.system.statistics.terminated.is_some() { self.end() } else { Ok(()) }
    }

    /// What the model does at the end of the run.
    pub(super) fn end(&mut self) -> Result<(), RunError> {
        let outcome = self.system.model.terminal(self.t, &mut self.x)?;
        if outcome.changed {
            self.emit_here()?;
        }
        let _ = self.stopped(outcome);
        Ok(())
    }

    /// Tells how far the run has come; whether it is to end here.
    pub(super) fn interrupted(&mut self) -> bool {
        self.output.sink().progress(self.t);
        self.system.statistics.stopped |= self.output.sink().stops();
        self.system.statistics.stopped
    }

    /// Times closer than this are equal.
    pub(super) fn tiny(&self) -> f64 {
        4.0 * f64::EPSILON * self.t.abs().max(1e-6 * self.experiment.span())
    }

    /// The next scheduled event that is not beyond the end.
    pub(super) fn scheduled(&mut self) -> Result<Option<f64>, RunError> {
        let next = self.system.model.next_time_event(self.t);
        match next {
            Some(next) if next.is_nan() || next <= self.t => {
                Err(RunError::new("R206", format!("a scheduled event at time {next} lies in the past")).at_time(self.t))
            }
            Some(next) if next <= self.experiment.stop_time => Ok(Some(next)),
            // Rounding of a multiple of a sample interval.
            Some(next) if next <= self.experiment.stop_time + self.tiny() => Ok(Some(self.experiment.stop_time)),
            _ => Ok(None),
        }
    }

    /// One accepted step.
    pub(super) fn step(&mut self, limit: f64) -> Result<(), RunError> {
        let mut rejections: u32 = 0;
        loop {
            let rejection = match self.method.attempt(&mut self.system, limit) {
                Attempt::Accepted => {
                    self.system.statistics.steps += 1;
                    return Ok(());
                }
                Attempt::Rejected(rejection) => rejection,
            };
            rejections += 1;
            let statistics = &mut self.system.statistics;
            statistics.rejected += 1;
            match rejection {
                Rejection::Error { .. } => statistics.error_test_failures += 1,
                Rejection::Newton { .. } | Rejection::Singular { .. } => statistics.newton_failures += 1,
                Rejection::Evaluation => statistics.evaluation_failures += 1,
            }
            if rejections >= NOISY_REJECTIONS
                && let Rejection::Error { worst } | Rejection::Newton { worst } = rejection
            {
                self.system.scales.loosen(worst);
            }
            let smallest = 4.0 * f64::EPSILON * self.t.abs().max(1e-10 * self.experiment.span());
            let is_too_small = self.method.next_step() < smallest || rejections > MOST_REJECTIONS;
            if is_too_small && !self.goes_on_looser(rejection)? {
                return Err(self.too_small(rejection));
            }
        }
    }

    /// Where steps have become too short because of a tiny state, the method begins anew with a tolerance for it as if nothing were known
    /// of it; false if it has that already.
    pub(super) fn goes_on_looser(&mut self, rejection: Rejection) -> Result<bool, RunError> {
        let (Rejection::Error { worst } | Rejection::Newton { worst }) = rejection else { return Ok(false) };
        if !self.system.scales.loosen_wholly(worst) {
            return Ok(false);
        }
        self.system.statistics.events.restarts += 1;
        let (t, x) = (self.method.time(), self.method.state().to_vec());
        self.method.restart(&mut self.system, t, &x, self.experiment.stop_time).map_err(|_| self.unevaluable())?;
        Ok(true)
    }

    /// Checks crossings and hands over output points along the last accepted step, its end excluded from output.
    pub(super) fn walk(&mut self, reached: f64) -> Result<Walk, RunError> {
        let tiny = self.tiny();
        loop {
            let next = self.grid.peek().filter(|next| *next < reached - tiny);
            let mut to = next.unwrap_or(reached);
            if !self.experiment.ignore_events && !self.watch.is_empty() {
                // What is quick crosses and comes back between two points of output.
                let inner = self.method.inner_time(self.watch.time()).filter(|inner| *inner < to - tiny);
                to = inner.unwrap_or(to);
            }
            if !self.experiment.ignore_events {
                match self.watch.advance(&mut self.system, &mut *self.method, to, tiny) {
                    Ok(None) => {}
                    Ok(Some(fired)) => return Ok(Walk::Fired(fired)),
                    Err(failure) => return Ok(Walk::Failed(to, failure)),
                }
            }
            if next != Some(to) {
                if to == reached {
                    return Ok(Walk::Clear);
                }
                continue;
            }
            if self.experiment.ignore_events || self.watch.is_empty() {
                self.method.interpolate(to, &mut self.point);
                self.method.correct_output(&mut self.system, to, &mut self.point);
            } else {
                self.point.copy_from_slice(self.watch.point());
            }
            self.emit_point(to)?;
            self.grid.pass(to, tiny);
        }
    }

    /// Goes back to the last good point because the model cannot be evaluated at `at`. Returns how far to try.
    pub(super) fn shorten(&mut self, at: f64, failure: &EvalFailure) -> Result<f64, RunError> {
        let statistics = &mut self.system.statistics;
        statistics.rejected += 1;
        statistics.evaluation_failures += 1;
        // What was handed over holds for good.
        if let Some(emitted) = self.output.last()
            && emitted > self.t
        {
            self.t = emitted;
            self.method.interpolate(emitted, &mut self.x);
        }
        let limit = self.t + 0.25 * (at - self.t);
        if limit - self.t <= 4.0 * self.tiny() {
            return Err(RunError::from_eval("R203", "the model cannot be evaluated beyond this point", failure).at_time(self.t));
        }
        self.watch.refer_time(self.t);
        self.restart()?;
        Ok(limit)
    }

    pub(super) fn state_event(&mut self, fired: Fired) -> Result<Flow, RunError> {
        self.chattering(&fired)?;
        self.zeno.fired(fired.t, &fired.crossings);
        self.t = fired.t;
        self.standing(Move::State)?;
        if fired.t == self.method.time() {
            self.x.copy_from_slice(self.method.state());
        } else {
            self.method.interpolate(fired.t, &mut self.x);
        }
        self.correct_output();
        self.system.statistics.events.state_events += 1;
        let (watch, soon) = (&self.watch, SAME_INSTANT * self.experiment.span());
        let is_start = fired.t - self.experiment.start_time <= 2.0 * CHATTER_PART * self.experiment.span();
        self.order_sensitive.suspect(&fired, soon, |crossing| !is_start && watch.was_touching(crossing));
        // The speed of a machine that has not moved yet had its sign before: what held in between is not shown.
        if self.output.held().is_some_and(|last| fired.t - last <= soon)
            && fired.crossings.iter().all(|(crossing, _)| !is_start && self.watch.is_remnant(*crossing))
        {
            self.output.forget();
            self.output.compute(&mut self.system, self.t, &self.x)?;
            self.order_sensitive.before(self.output.row());
            return self.event(&EventCause::State(fired.crossings), Points::After);
        }
        self.event(&EventCause::State(fired.crossings), Points::Both)
    }

    /// Moves the states to where an event sees what the crossings saw. A step from there ends where it would have ended.
    pub(super) fn correct_output(&mut self) {
        self.method.correct_output(&mut self.system, self.t, &mut self.x);
    }

    pub(super) fn time_event(&mut self) -> Result<Flow, RunError> {
        self.system.statistics.events.time_events += 1;
        self.chatter = Chatter::default();
        self.accumulating_times()?;
        self.standing(Move::Time)?;
        if self.t == self.method.time() {
            self.correct_output();
        }
        self.event(&EventCause::Time, Points::Both)
    }

    /// The same at the end of the step in which the event fell due.
    pub(super) fn time_event_on_the_grid(&mut self) -> Result<Flow, RunError> {
        self.system.statistics.events.time_events += 1;
        self.event(&EventCause::Time, Points::Neither)
    }

    /// Events that are not located: whatever has fired at the end of the step.
    pub(super) fn unlocated_event(&mut self) -> Result<Flow, RunError> {
        let fired = self.watch.check_end(&mut self.system, self.t, &self.x);
        match fired {
            Ok(None) => Ok(Flow::Go),
            Ok(Some(fired)) => {
                self.system.statistics.events.state_events += 1;
                self.event(&EventCause::State(fired.crossings), Points::Neither)
            }
            Err(failure) => {
                Err(RunError::from_eval("R203", "the model cannot be evaluated at the end of a step", &failure).at_time(self.t))
            }
        }
    }

    /// A crossing at the very end, so near that its band hides it, belongs to the run.
    pub(super) fn event_at_the_end(&mut self) -> Result<(), RunError> {
        if self.experiment.ignore_events || self.watch.is_empty() || self.t <= self.experiment.start_time {
            return Ok(());
        }
        // A point so much later that what crosses at the end is clearly on the other side there.
        let later = 1e-7 * self.experiment.span();
        if !self.x.is_empty() && self.system.derivatives(self.t, &self.x, &mut self.point).is_err() {
            return Ok(());
        }
        for (point, x) in self.point.iter_mut().zip(&self.x) {
            *point = x + later * *point;
        }
        // Where the model cannot be evaluated beyond its end, nothing happens there.
        if let Ok(Some(fired)) = self.watch.check_beyond(&mut self.system, (self.t, &self.x), (self.t + later, &self.point)) {
            self.system.statistics.events.state_events += 1;
            self.system.model.event(self.t, &mut self.x, &EventCause::State(fired.crossings))?;
            self.emit_here()?;
        }
        Ok(())
    }

    /// Lets the model handle an event at the current point and goes on from there.
    pub(super) fn event(&mut self, cause: &EventCause, points: Points) -> Result<Flow, RunError> {
        if points == Points::Both {
            if self.output.last() != Some(self.t) {
                self.emit_end_of_step()?;
            }
            self.order_sensitive.before(self.output.row());
        }
        let look = LOOK_AHEAD * self.method.next_step();
        let known_before = self.x.is_empty() || self.known_before(look);
        self.point.copy_from_slice(&self.x);
        self.watch.measure_before_event(&mut self.system, self.t, &self.x);
        let outcome = self.system.model.event(self.t, &mut self.x, cause)?;
        let changed = outcome.changed;
        for &crossing in self.system.model.order_sensitive() {
            self.order_sensitive.note(crossing, self.t);
        }
        if points != Points::Neither {
            self.output.hold(&mut self.system, self.t, &self.x)?;
            let tiny = self.tiny();
            self.grid.pass(self.t, tiny);
            self.order_sensitive.after(self.t, self.output.row(), cause);
        }
        if self.stopped(outcome) == Flow::Stop {
            return Ok(Flow::Stop);
        }
        self.refer()?;
        if !changed || self.t >= self.experiment.stop_time {
            return Ok(Flow::Go);
        }
        if known_before && self.point == self.x && self.is_smooth(look) {
            self.method.resume(self.t);
        } else {
            self.restart()?;
        }
        Ok(Flow::Restarted)
    }

    /// Computes the derivatives before an event, here and `look` ahead; false where they cannot be computed.
    pub(super) fn known_before(&mut self, look: f64) -> bool {
        if self.system.derivatives(self.t, &self.x, &mut self.before).is_err() {
            return false;
        }
        for (ahead, (x, f)) in self.ahead.iter_mut().zip(self.x.iter().zip(&self.before)) {
            *ahead = x + look * f;
        }
        self.system.derivatives(self.t + look, &self.ahead, &mut self.before_ahead).is_ok()
    }

    /// Whether the derivatives after an event are those before it, as far as the method would notice: here, and at a point
    /// ahead, because a source that starts with zero differs only there.
    pub(super) fn is_smooth(&mut self, look: f64) -> bool {
        if self.x.is_empty() {
            return true;
        }
        let h = self.method.next_step();
        let mut weights = vec![0.0; self.x.len()];
        self.system.weights(&self.x, &mut weights);
        for (t, x, before) in [(self.t, &self.x, &self.before), (self.t + look, &self.ahead, &self.before_ahead)] {
            // Where they cannot be computed, the restart will say so.
            if self.system.derivatives(t, x, &mut self.after).is_err() {
                return false;
            }
            for (after, before) in self.after.iter_mut().zip(before) {
                *after = h * (*after - before);
            }
            if norm(&self.after, &weights) > SMOOTH_PART {
                return false;
            }
        }
        true
    }

    pub(super) fn refer(&mut self) -> Result<(), RunError> {
        self.watch
            .refer(&mut self.system, self.t, &self.x)
            .map_err(|failure| RunError::from_eval("R203", "the model cannot be evaluated after an event", &failure).at_time(self.t))
    }

    /// Goes on with other states, if that is all that has changed.
    pub(super) fn translate(&mut self) -> bool {
        self.system.states_changed();
        self.system.scales.observe(self.t, &self.x);
        let model = &mut *self.system.model;
        self.method.translate(&self.x, &mut |t, before, now| matches!(model.other_states(t, before, now), Ok(true)))
    }

    pub(super) fn restart(&mut self) -> Result<(), RunError> {
        self.system.statistics.events.restarts += 1;
        self.too_fast()?;
        self.system.states_changed();
        self.system.scales.observe(self.t, &self.x);
        self.method.restart(&mut self.system, self.t, &self.x, self.experiment.stop_time).map_err(|_| self.unevaluable())
    }

    /// Notes how large the states are at the point that was reached, and from time to time what is left of them in small differences.
    pub(super) fn observe(&mut self) {
        self.system.scales.observe(self.t, &self.x);
        if self.system.scales.is_due(self.system.statistics.steps) {
            let method = &mut self.method;
            self.system.measure(&mut |v| method.damp(v), self.t, &self.x);
            // Later the sizes are known.
            if self.system.statistics.steps <= FIRST_STEPS {
                self.watch.measure_noise(&mut self.system, self.t, &self.x);
            }
        }
    }

    /// The error of a model that has no derivatives where it stands.
    pub(super) fn unevaluable(&self) -> RunError {
        let title = "the derivatives cannot be computed";
        match &self.system.last_failure {
            Some(failure) => RunError::from_eval("R202", title, failure),
            None => RunError::new("R202", title),
        }
        .at_time(self.t)
    }

    pub(super) fn emit_here(&mut self) -> Result<(), RunError> {
        self.output.point(&mut self.system, self.t, &self.x)?;
        let tiny = self.tiny();
        self.grid.pass(self.t, tiny);
        Ok(())
    }

    /// The same where a step ends.
    pub(super) fn emit_end_of_step(&mut self) -> Result<(), RunError> {
        self.point.copy_from_slice(&self.x);
        self.method.correct_output(&mut self.system, self.t, &mut self.point);
        self.emit_point(self.t)?;
        let tiny = self.tiny();
        self.grid.pass(self.t, tiny);
        Ok(())
    }

    pub(super) fn stopped(&mut self, outcome: EventOutcome) -> Flow {
        match outcome.terminate {
            Some(message) => {
                self.system.statistics.terminated.get_or_insert(message);
                Flow::Stop
            }
            None => Flow::Go,
        }
    }

    /// The step has become too small to go on.
    pub(super) fn too_small(&self, rejection: Rejection) -> RunError {
        let title = format!("the step size became too small: {:.3e}", self.method.next_step());
        let system = &self.system;
        let describe = |state: usize| {
            let value = self.method.state().get(state).copied().unwrap_or(f64::NAN);
            format!("`{}` = {value}", system.model.state_name(state))
        };
        let mut error = match (rejection, &system.last_failure) {
            (Rejection::Evaluation, Some(failure)) => RunError::from_eval("R201", title, failure),
            _ => RunError::new("R201", title),
        };
        error = match rejection {
            Rejection::Error { worst } => error.with_note(format!("the error of the step is largest for {}", describe(worst))),
            Rejection::Newton { worst } => {
                error.with_note(format!("Newton's method does not converge, least of all for {}", describe(worst)))
            }
            Rejection::Singular { state } => error.with_note(format!("the Newton matrix is singular at {}", describe(state))),
            Rejection::Evaluation => error,
        };
        if !matches!(rejection, Rejection::Evaluation)
            && let Some(failure) = &system.last_failure
        {
            error = error.with_note(format!("the last failed evaluation: {}", failure.reason));
        }
        error
            .with_note(format!(
                "last accepted point at time {}, method {} of order {}",
                self.t,
                self.experiment.method_word(),
                self.method.order()
            ))
            .at_time(self.t)
    }
}
