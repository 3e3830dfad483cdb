//! Makes the model consistent at an event.
//!
//! Input: time and states at the event. Output: relations, discrete values and states after it.
//!
//! Method: the event schedule, with live relations, is run until no remembered value (`pre`) changes and no state is set anew.
//! `sample` conditions are true until then and false in a further round, so that a `when` fires once. Relations of time that
//! change just after their threshold (`time > T`) get a further round in which they, and only they, see the next representable
//! time; the start and the end of the run have none, so that `time > T` is false at both if `T` is that time.
//! Guarantees: at most `MAX_PASSES` runs of the schedule, else an error that names what still changes.

use crate::base::error::{EvalFailure, RunError};
use crate::base::math::LARGEST_INTEGER;
use crate::exec::instance::{Instance, Validity};
use crate::exec::workspace::delay::OneSidedLimit;
use crate::model::interface::{EventCause, EventOutcome, HybridModel};
use crate::model::plan::{Action, ActionKind, MessagePart, Sampler, Slot};
use cranelift_entity::EntityRef;

/// Runs of the event schedule in one event.
const MAX_PASSES: usize = 100;
/// Changes of a remembered value smaller than this, relative, are rounding errors of a block and cause no further pass.
const SAME_VALUE: f64 = 1e-12;

/// Whether two values differ by more than rounding.
fn differ(a: f64, b: f64) -> bool {
    if a == b || a.is_nan() && b.is_nan() {
        return false;
    }
    !a.is_finite() || !b.is_finite() || (a - b).abs() > SAME_VALUE * a.abs().max(b.abs())
}

/// The time of a sample, an exact multiple.
fn sample_time(start: f64, interval: f64, k: u64) -> f64 {
    start + k as f64 * interval
}

/// Two times that are meant to be the same.
fn reached(t: f64, target: f64) -> bool {
    t >= target - 4.0 * f64::EPSILON * t.abs().max(target.abs())
}

impl Instance {
    /// Numbers the samples from the first at or after `t0`.
    pub(crate) fn start_samplers(&mut self, t0: f64) -> Result<(), RunError> {
        let compiled = self.compiled.clone();
        self.switching.next_sample.clear();
        for sampler in &compiled.plan.events.samplers {
            let (start, interval) = (self.machine.get(sampler.start), self.machine.get(sampler.interval));
            let usable = start.is_finite() && interval.is_finite() && interval > 0.0;
            if !usable || start + interval == start {
                let mut error = RunError::new("R105", format!("`sample` has the start {start} and the interval {interval}"));
                error.place = Some((sampler.label.span, sampler.label.text.clone()));
                error.hint = Some("the interval of `sample` must be positive".to_owned());
                return Err(error.at_time(t0));
            }
            let mut k = 0;
            if !reached(start, t0) {
                k = ((t0 - start) / interval).floor() as u64;
                while !reached(sample_time(start, interval, k), t0) {
                    k += 1;
                }
            }
            self.switching.next_sample.push(k);
        }
        Ok(())
    }

    /// Switches on the samplers that are due. True if there is one.
    pub(crate) fn fire_samplers(&mut self, t: f64) -> bool {
        let compiled = self.compiled.clone();
        let mut fired = false;
        for (sampler, next) in compiled.plan.events.samplers.iter().zip(&mut self.switching.next_sample) {
            let (start, interval) = (self.machine.get(sampler.start), self.machine.get(sampler.interval));
            if reached(t, sample_time(start, interval, *next)) {
                self.machine.put(sampler.active, 1.0);
                fired = true;
                *next = next_sample(start, interval, *next, t);
            }
        }
        fired
    }

    /// The next sample of a sampler strictly after `t`.
    pub(crate) fn sample_after(&self, sampler: &Sampler, next: u64, t: f64) -> f64 {
        let (start, interval) = (self.machine.get(sampler.start), self.machine.get(sampler.interval));
        let time = sample_time(start, interval, next);
        if time > t { time } else { sample_time(start, interval, next_sample(start, interval, next, t)) }
    }

    /// Tells the event schedule which relations have sides that are equal up to round-off before the event: they keep their values
    /// as long as they stay so. Otherwise rounding decides about them at an event that does not concern them.
    pub(crate) fn find_resting(&mut self, t: f64, x: &[f64], cause: &EventCause) {
        if self.switching.round_off.is_empty() {
            return;
        }
        let mut before = std::mem::take(&mut self.switching.crossing_values);
        before.resize(self.switching.round_off.len(), 0.0);
        // Where the left limit cannot be computed, no relation rests.
        if self.crossings(t, x, &mut before).is_ok() {
            let compiled = self.compiled.clone();
            if let EventCause::State(fired) = cause {
                self.hold_partners(fired, &before);
                fired.iter().for_each(|(crossing, _)| before[*crossing] = f64::INFINITY);
            }
            for ((relation, before), round_off) in compiled.tables.state_relations.iter().zip(&before).zip(&self.switching.round_off) {
                if let Some(rest) = compiled.plan.events.relations[*relation].hysteresis
                    && before.abs() <= *round_off
                {
                    self.machine.put(rest, *round_off);
                }
            }
        }
        self.switching.crossing_values = before;
    }

    /// Where half of an equality has become true, its sides are equal, though computed values differ by rounding: the other half stays true
    /// in this event.
    pub(crate) fn hold_partners(&mut self, fired: &[(usize, bool)], crossings: &[f64]) {
        let compiled = self.compiled.clone();
        for (crossing, _) in fired.iter().filter(|(_, became_true)| *became_true) {
            let relation = &compiled.plan.events.relations[compiled.tables.state_relations[*crossing]];
            if let Some(rest) = relation.partner.and_then(|partner| compiled.plan.events.relations[partner].hysteresis) {
                self.machine.put(rest, 2.0 * crossings[*crossing].abs());
            }
        }
    }

    /// Finds relations that have switched and switched back in this event and whose sides are equal up to round-off after it.
    pub(crate) fn find_order_sensitive(&mut self, t: f64, x: &[f64]) {
        self.switching.order_sensitive.clear();
        if self.switching.round_off.is_empty() || self.switching.switched.iter().all(|(_, changes)| *changes < 2) {
            return;
        }
        let mut after = std::mem::take(&mut self.switching.crossing_values);
        after.resize(self.switching.round_off.len(), 0.0);
        if self.crossings(t, x, &mut after).is_ok() {
            let sides = after.iter().zip(&self.switching.round_off);
            let found = self
                .switching
                .switched
                .iter()
                .zip(sides)
                .enumerate()
                .filter(|(_, ((_, changes), (after, band)))| *changes >= 2 && after.abs() <= **band);
            self.switching.order_sensitive.extend(found.map(|(crossing, _)| crossing));
        }
        self.switching.crossing_values = after;
    }

    /// Counts how often the relations behind crossings change in the passes of an event.
    pub(crate) fn count_switching(&mut self) {
        for ((last, changes), &relation) in self.switching.switched.iter_mut().zip(&self.compiled.tables.state_relations) {
            let now = self.machine.memory[self.compiled.plan.events.relations[relation].slot.index()];
            if now != *last {
                *last = now;
                *changes += 1;
            }
        }
    }

    /// The time itself, or the last threshold that is later by rounding only.
    pub(crate) fn threshold_at(&self, t: f64) -> f64 {
        self.switching.thresholds.iter().copied().filter(|threshold| reached(t, *threshold)).fold(t, f64::max)
    }

    /// The time that relations of time see.
    pub(crate) fn set_event_time(&mut self, t: f64) {
        if let Some(slot) = self.compiled.plan.events.event_time {
            self.machine.put(slot, t);
        }
    }

    /// Ends what `find_resting` began.
    pub(crate) fn wake(&mut self) {
        for rest in self.compiled.plan.events.relations.values().filter_map(|relation| relation.hysteresis) {
            self.machine.memory[rest.index()] = -1.0;
        }
    }

    /// Refreshes the thresholds of time relations.
    pub(crate) fn update_thresholds(&mut self, t: f64) -> Result<(), RunError> {
        let compiled = self.compiled.clone();
        if let Some(kernel) = compiled.plan.crossing.thresholds {
            let done = self.machine.run_kernel_into(&compiled, kernel, &mut self.switching.thresholds);
            done.map_err(|failure| RunError::from_eval("R102", "the times of events cannot be computed", &failure).at_time(t))?;
        }
        Ok(())
    }

    /// Iterates the event schedule at `t` from the values in the memory; copies the states to `x`. `goes_on`: time does, so that relations
    /// of time see what is just after `t`.
    pub(crate) fn iterate_event(&mut self, t: f64, x: &mut [f64], mut sampled: bool, goes_on: bool) -> Result<EventOutcome, RunError> {
        let compiled = self.compiled.clone();
        let plan = &*compiled.plan;
        let mut outcome = EventOutcome::default();
        self.point.valid = false;
        self.machine.memory[0] = t;
        let seen = self.threshold_at(t);
        self.set_event_time(seen);
        self.refresh_inputs(t);
        // All that derivatives can depend on and that changes at events only.
        let relations = || plan.events.relations.values().map(|relation| relation.slot);
        let watched = || relations().chain(plan.events.pre.iter().map(|pre| pre.current)).chain(plan.events.discrete.iter().copied());
        self.switching.before.clear();
        self.switching.before.extend(watched().map(|slot| self.machine.memory[slot.index()]));
        self.switching.switched.clear();
        let relations = compiled.tables.state_relations.iter();
        self.switching.switched.extend(relations.map(|&relation| (self.machine.memory[plan.events.relations[relation].slot.index()], 0)));
        self.machine.hysteresis.values_mut().for_each(|band| *band = 0.0);
        self.machine.note_event();
        let mut passes = 0;
        let mut beyond = false;
        // Two further iterations at most: samplers off, and beyond the threshold.
        loop {
            self.settle(t, &mut passes, &mut outcome)?;
            if sampled {
                for sampler in &plan.events.samplers {
                    self.machine.put(sampler.active, 0.0);
                }
                sampled = false;
                continue;
            }
            let at_threshold = self.switching.thresholds.contains(&seen);
            self.update_thresholds(t)?;
            if goes_on && !beyond && (at_threshold || self.switching.thresholds.contains(&seen)) {
                self.set_event_time(seen.next_up());
                beyond = true;
                continue;
            }
            break;
        }
        let now = watched().map(|slot| self.machine.memory[slot.index()]);
        outcome.changed |= now.zip(&self.switching.before).any(|(now, before)| differ(now, *before));
        for (value, state) in x.iter_mut().zip(&plan.states) {
            *value = self.machine.get(state.slot);
            if !value.is_finite() {
                let title = format!("the event gives the state {} the value {value}", state.name);
                return Err(RunError::new("R102", title).at_time(t));
            }
        }
        self.check_integers(t)?;
        let before = &self.switching.before[plan.events.relations.len()..];
        let lost =
            plan.events.pre.iter().zip(before).find(|(pre, before)| before.is_finite() && !self.machine.get(pre.current).is_finite());
        if let Some((pre, _)) = lost {
            return Err(self.not_a_number_after(t, pre.current));
        }
        self.settle_point(t, x, &mut outcome)?;
        Ok(outcome)
    }

    /// The error of an event that fails: an assertion that is violated says more than what follows from it.
    #[cold]
    pub(crate) fn blamed(&self, t: f64, failure: &EvalFailure) -> RunError {
        let mut actions = self.compiled.plan.events.actions.iter();
        match actions.position(|action| action.kind == ActionKind::AssertError && self.machine.truth(action.trigger)) {
            Some(assertion) => self.assertion_error(assertion, t),
            None => RunError::from_eval("R102", "the event cannot be handled", failure).at_time(t),
        }
    }

    /// An Integer that is too large to be exact is an error.
    pub(crate) fn check_integers(&self, t: f64) -> Result<(), RunError> {
        let plan = &*self.compiled.plan;
        let is_too_large = |slot: &&Slot| self.machine.get(**slot).abs() > LARGEST_INTEGER as f64;
        let Some(slot) = plan.events.integers.iter().find(is_too_large) else { return Ok(()) };
        let title = format!("the Integer {} is too large: {}", self.compiled.tables.label(plan, *slot), self.machine.get(*slot));
        let mut error = RunError::new("R102", title).at_time(t);
        let place = plan.memory.slot_spans.iter().find(|(other, _)| other == slot);
        error.place = place.map(|(_, span)| (*span, format!("Integers are exact up to {LARGEST_INTEGER}")));
        Err(error)
    }

    /// The error of an event that gives a discrete variable no finite value.
    #[cold]
    pub(crate) fn not_a_number_after(&mut self, t: f64, slot: Slot) -> RunError {
        let compiled = self.compiled.clone();
        let plan = &*compiled.plan;
        // The event is handled once more to see what goes wrong in it.
        for (pre, before) in plan.events.pre.iter().zip(&self.switching.before[plan.events.relations.len()..]) {
            self.machine.put(pre.pre, *before);
        }
        let name = compiled.tables.label(plan, slot);
        let failure = self.machine.explain_non_finite(&compiled, &[&plan.events.event], slot, &name);
        RunError::from_eval("R102", "the event cannot be handled", &failure).at_time(t)
    }

    /// Records delays and performs asserts at a point that stands.
    pub(crate) fn settle_point(&mut self, t: f64, x: &[f64], outcome: &mut EventOutcome) -> Result<(), RunError> {
        self.say_what_functions_print();
        let fail = |failure: EvalFailure| RunError::from_eval("R107", "the model cannot be evaluated", &failure).at_time(t);
        if self.needs_outputs {
            let done = self.evaluate_outputs(t, x);
            done.map_err(fail)?;
            let checked = self.check_point();
            self.judge(checked).map_err(fail)?;
            self.record_delays(t);
            self.act(t, Validity::Lasting, outcome)?;
        } else {
            let checked = self.check_accepted(t, x);
            self.judge(checked).map_err(fail)?;
        }
        let compiled = self.compiled.clone();
        self.machine.keep_guesses(&compiled);
        Ok(())
    }

    /// Runs the event schedule until nothing changes.
    pub(crate) fn settle(&mut self, t: f64, passes: &mut usize, outcome: &mut EventOutcome) -> Result<(), RunError> {
        let compiled = self.compiled.clone();
        let plan = &*compiled.plan;
        loop {
            *passes += 1;
            self.machine.statistics.event_passes += 1;
            let done = self.machine.run(&compiled, &plan.events.event);
            let checked = done.and_then(|()| self.machine.check_sites(&compiled, &plan.events.event));
            if let Err(failure) = checked {
                return Err(self.blamed(t, &failure));
            }
            self.count_switching();
            self.say_what_functions_print();
            self.act(t, Validity::Momentary, outcome)?;
            let last = *passes >= MAX_PASSES;
            let mut moving: Vec<Slot> = Vec::new();
            let mut moved = self.lags_moved();
            if moved {
                let done = self.refresh_delays(t);
                done.map_err(|failure| RunError::from_eval("R102", "the event cannot be handled", &failure).at_time(t))?;
            }
            // States that this pass has set anew.
            let mut set: Vec<(Slot, f64)> = Vec::new();
            for reinit in plan.events.reinits.iter().filter(|reinit| self.machine.truth(reinit.active)) {
                let value = self.machine.get(reinit.value);
                if let Some((_, other)) = set.iter().find(|(state, other)| *state == reinit.state && differ(*other, value)) {
                    let name = compiled.tables.label(plan, reinit.state);
                    let mut error = RunError::new("R102", format!("two active `reinit` give {name} the values {other} and {value}"));
                    error.place = Some((reinit.label.span, "the second one".to_owned()));
                    return Err(error.at_time(t));
                }
                set.push((reinit.state, value));
            }
            for &(state, value) in &set {
                outcome.changed = true;
                // A condition that becomes true in the next pass again, by another one of its elements, sets the state again.
                if differ(value, self.machine.get(state)) {
                    moved = true;
                    if last {
                        moving.push(state);
                    }
                }
                self.machine.put(state, value);
            }
            for pre in &plan.events.pre {
                let current = self.machine.get(pre.current);
                if differ(current, self.machine.get(pre.pre)) {
                    moved = true;
                    if last {
                        moving.push(pre.current);
                    }
                }
                self.machine.put(pre.pre, current);
            }
            if !moved {
                return Ok(());
            }
            if last {
                return Err(self.unsettled(t, &moving));
            }
        }
    }

    pub(crate) fn unsettled(&self, t: f64, moving: &[Slot]) -> RunError {
        let compiled = &self.compiled;
        let mut error = RunError::new("R103", format!("the event does not settle in {MAX_PASSES} iterations")).at_time(t);
        for &slot in moving.iter().take(10) {
            error.notes.push(format!("{} is still changing", compiled.tables.label(&compiled.plan, slot)));
        }
        if moving.len() > 10 {
            error.notes.push(format!("and {} more", moving.len() - 10));
        }
        error.hint = Some("a discrete equation that depends on its own `pre` value in a loop never comes to rest".to_owned());
        error
    }

    /// Performs the actions whose triggers are true.
    pub(crate) fn act(&mut self, t: f64, validity: Validity, outcome: &mut EventOutcome) -> Result<(), RunError> {
        for i in 0..self.compiled.plan.events.actions.len() {
            let action = &self.compiled.plan.events.actions[i];
            if self.asserts.validity[i] != validity || !self.machine.truth(action.trigger) {
                continue;
            }
            let message = self.message(action);
            match action.kind {
                ActionKind::AssertError => {
                    self.asserts.violated.push(i);
                    return Err(self.assertion_error(i, t));
                }
                ActionKind::AssertWarning if !self.asserts.warned[i] => {
                    self.asserts.warned[i] = true;
                    self.asserts.violated.push(i);
                    self.asserts.violated_warnings.push((i, self.told.warnings.len()));
                    self.told.warnings.push(self.assertion_warning(i, t));
                }
                ActionKind::AssertWarning => {}
                ActionKind::Terminate => outcome.terminate = outcome.terminate.take().or(Some(message)),
                ActionKind::Print if validity == Validity::Momentary || !self.asserts.warned[i] => {
                    self.asserts.warned[i] = true;
                    self.say(message);
                }
                ActionKind::Print => {}
            }
        }
        Ok(())
    }

    /// Keeps a text that the model prints, and shows it.
    pub(crate) fn say(&mut self, text: String) {
        if let Some(show) = self.told.printer {
            show(&text);
        }
        self.told.messages.push(text);
    }

    /// What functions have printed since the last point that stood.
    pub(crate) fn say_what_functions_print(&mut self) {
        for text in std::mem::take(&mut self.machine.environment.messages) {
            self.say(text);
        }
    }

    /// The text of an action with the values in the memory.
    pub(crate) fn message(&self, action: &Action) -> String {
        let mut text = String::new();
        self.write_message(&mut text, &action.message);
        text
    }

    pub(crate) fn write_message(&self, text: &mut String, parts: &[MessagePart]) {
        for part in parts {
            match part {
                MessagePart::Text(literal) => text.push_str(literal),
                MessagePart::Value(slot, format) => text.push_str(&format.show(self.machine.get(*slot))),
                MessagePart::Opposite(slot, format) => text.push_str(&format.show(-self.machine.get(*slot))),
                MessagePart::Either(slot, a, b) => self.write_message(text, if self.machine.truth(*slot) { a } else { b }),
            }
        }
    }

    /// Puts the delayed values for the time in the memory.
    pub(crate) fn refresh_delays(&mut self, t: f64) -> Result<(), EvalFailure> {
        let side = if t == self.switching.last_event { OneSidedLimit::Right } else { OneSidedLimit::Left };
        for ((delay, history), lag) in self.compiled.plan.past.delays.iter().zip(&self.past.histories).zip(&mut self.past.lags) {
            let (by, max) = (self.machine.get(delay.delay), self.machine.get(delay.max));
            // The comparison is false for a delay that is not a number.
            let allowed = by >= 0.0 && by <= max * (1.0 + 1e-12);
            if !allowed {
                let name = self.compiled.tables.label(&self.compiled.plan, delay.source);
                return Err(EvalFailure::new(format!("the delay {by} of {name} is not between 0 and its maximum {max}")));
            }
            *lag = by;
            if let Some(value) = history.value(t, by, side) {
                self.machine.put(delay.value, value);
            }
        }
        for (transport, profile) in self.compiled.plan.past.transports.iter().zip(&self.past.profiles) {
            if !profile.is_empty() {
                let values = profile.at_ends(self.machine.get(transport.way));
                transport.leave.iter().zip(values).for_each(|(slot, value)| self.machine.put(*slot, value));
            }
        }
        Ok(())
    }

    /// Records the delayed expressions at a point that stands.
    pub(crate) fn record_delays(&mut self, t: f64) {
        for (delay, history) in self.compiled.plan.past.delays.iter().zip(&mut self.past.histories) {
            history.push(t, self.machine.get(delay.source));
            if t == self.switching.last_event {
                history.kink(t);
            }
            history.trim(t - self.machine.get(delay.max));
            // The last segment is not extrapolated any more.
            self.point.valid = false;
        }
        for (transport, profile) in self.compiled.plan.past.transports.iter().zip(&mut self.past.profiles) {
            let (way, ends) = (self.machine.get(transport.way), transport.enter.map(|slot| self.machine.get(slot)));
            if profile.is_empty() {
                profile.start(way, &transport.places, &transport.values, ends);
            } else {
                profile.record(way, ends, t == self.switching.last_event);
            }
            self.point.valid = false;
        }
    }
}

/// The number of the first sample strictly after `t`, not below `next`.
fn next_sample(start: f64, interval: f64, next: u64, t: f64) -> u64 {
    let estimate = ((t - start) / interval).floor();
    let mut k = if estimate > next as f64 { estimate as u64 } else { next };
    // The division is rounded, so at most two more.
    while reached(t, sample_time(start, interval, k)) {
        k += 1;
    }
    k
}
