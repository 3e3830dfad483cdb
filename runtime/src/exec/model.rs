//! What integrators see of a run: [`Instance`] as a [`HybridModel`].

use super::instance::Instance;
use crate::base::error::{EvalFailure, RunError};
use crate::base::simd::all_finite;
use crate::model::interface::{EventCause, EventOutcome, HybridModel, PartId, SubsetId};
use crate::model::plan::{Cascade, Declared, Pattern};
use cranelift_entity::EntityRef;
use std::time::Instant;

impl HybridModel for Instance {
    fn n_states(&self) -> usize {
        self.compiled.plan.states.len()
    }

    fn state_name(&self, state: usize) -> &str {
        &self.compiled.plan.states[state].name
    }

    fn declared(&self, state: usize) -> Declared {
        self.compiled.plan.states[state].declared
    }

    fn initialize(&mut self, t0: f64, x: &mut [f64]) -> Result<EventOutcome, RunError> {
        let outcome = self.initialize_at(t0, x)?;
        self.machine.note_event();
        Ok(outcome)
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), EvalFailure> {
        if self.is_at(t, x) {
            self.compiled.tables.derivative_slots.take(&self.machine.memory, dx);
            return Ok(());
        }
        self.evaluate_into(t, x, dx)
    }

    fn jacobian_pattern(&self) -> &Pattern {
        &self.compiled.plan.jacobian
    }

    fn jacobian(&mut self, t: f64, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        self.evaluate(t, x)?;
        self.machine.statistics.jacobians += 1;
        let began = self.machine.profile.is_some().then(Instant::now);
        let done = self.machine.jacobian(&self.compiled, &mut self.tangents, values);
        if let (Some(profile), Some(began)) = (&mut self.machine.profile, began) {
            profile.count_jacobian(began);
        }
        done
    }

    fn part(&self, states: &[usize]) -> Option<PartId> {
        self.compiled.plan.pieces.parts.iter().position(|part| part.states == states).map(PartId)
    }

    fn part_derivatives(&mut self, part: PartId, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), EvalFailure> {
        let finite = match self.evaluate_sole(part, t, x, dx)? {
            Some(finite) => finite,
            None => {
                self.evaluate_part(part, t, x)?;
                self.compiled.tables.parts[part.0].slots.take_finite(&self.machine.memory, dx)
            }
        };
        if finite {
            return Ok(());
        }
        // The explanation looks at everything.
        self.compiled.tables.state_slots.put(x, &mut self.machine.memory);
        Err(self.explain_derivative(x))
    }

    fn part_jacobian_pattern(&self, part: PartId) -> Option<&Pattern> {
        self.compiled.plan.pieces.parts[part.0].jacobian.as_ref()
    }

    fn part_jacobian(&mut self, part: PartId, t: f64, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        self.evaluate_part(part, t, x)?;
        self.machine.statistics.jacobians += 1;
        self.machine.part_jacobian(&self.compiled, part, &mut self.tangents, values)
    }

    fn has_subsets(&self) -> bool {
        self.compiled.tables.cells.is_some()
    }

    fn select(&mut self, subset: SubsetId, states: &[usize]) {
        self.choose_subset(subset, states);
    }

    fn subset_derivatives(&mut self, subset: SubsetId, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), EvalFailure> {
        if self.evaluate_subset(subset, t, x, dx)? {
            return Ok(());
        }
        Err(EvalFailure::new(format!("a derivative is not finite at time {}", crate::base::number::rounded(t))))
    }

    fn subset_pattern(&self, subset: SubsetId) -> Option<&Pattern> {
        self.pattern_of_subset(subset)
    }

    fn subset_jacobian(&mut self, subset: SubsetId, values: &mut [f64]) -> Result<(), EvalFailure> {
        self.jacobian_of_subset(subset, values)
    }

    fn subset_share(&self, subset: SubsetId) -> f64 {
        self.share_of_subset(subset)
    }

    fn cascade(&self) -> Option<&Cascade> {
        self.compiled.plan.pieces.cascade.as_ref()
    }

    fn sample_relations(&mut self, t: f64, x: &[f64]) -> Result<(), EvalFailure> {
        self.sample_live_relations(t, x)
    }

    fn n_crossings(&self) -> usize {
        self.compiled.tables.state_relations.len()
    }

    fn crossings(&mut self, t: f64, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.evaluate_crossings(t, x)?;
        let Some(kernel) = self.compiled.plan.crossing.crossings else { return Ok(()) };
        self.machine.run_kernel_into(&self.compiled, kernel, out)?;
        if let Some(bad) = out.iter().position(|value| value.is_nan()) {
            let mut failure = EvalFailure::new(format!("the relation {} compares a value that is not a number", self.crossing_label(bad)));
            failure.span = self.crossing_span(bad);
            return Err(failure);
        }
        self.machine.check_kernel_sites(&self.compiled, &self.compiled.plan.crossing.crossing_sites, kernel)?;
        // A relation that was accepted against its sign within rounding errors stands until it leaves that band.
        for (value, &relation) in out.iter_mut().zip(&self.compiled.tables.state_relations) {
            let band = self.machine.hysteresis[relation];
            if band > 0.0 && value.abs() <= band {
                let is_true = self.machine.truth(self.compiled.plan.events.relations[relation].slot);
                *value = if is_true { f64::MIN_POSITIVE } else { -f64::MIN_POSITIVE };
            }
        }
        Ok(())
    }

    fn crossing_sizes(&mut self, out: &mut [f64]) -> Result<(), EvalFailure> {
        match self.compiled.plan.crossing.crossing_sizes {
            Some(kernel) => self.machine.run_kernel_into(&self.compiled, kernel, out),
            None => Ok(()),
        }
    }

    fn crossing_label(&self, crossing: usize) -> String {
        let relation = self.compiled.tables.state_relations[crossing];
        self.compiled.plan.events.relations[relation].label.text.clone()
    }

    fn crossing_span(&self, crossing: usize) -> Option<(u32, u32)> {
        let relation = self.compiled.tables.state_relations[crossing];
        Some(self.compiled.plan.events.relations[relation].label.span)
    }

    fn relation(&self, crossing: usize) -> Option<bool> {
        let relation = self.compiled.tables.state_relations[crossing];
        Some(self.machine.truth(self.compiled.plan.events.relations[relation].slot))
    }

    fn set_round_off(&mut self, of_crossings: &[f64]) {
        self.switching.round_off.clear();
        self.switching.round_off.extend_from_slice(of_crossings);
    }

    fn next_time_event(&mut self, t: f64) -> Option<f64> {
        let plan = &*self.compiled.plan;
        let samples =
            plan.events.samplers.iter().zip(&self.switching.next_sample).map(|(sampler, next)| self.sample_after(sampler, *next, t));
        let thresholds = self.switching.thresholds.iter().copied();
        let jumps = plan.past.delays.iter().zip(&self.past.histories);
        let jumps = jumps.filter_map(|(delay, history)| history.next_jump(t, self.machine.get(delay.delay)));
        let inputs = self.curves.iter().filter_map(|curve| curve.next_jump(t));
        samples.chain(thresholds).chain(jumps).chain(inputs).filter(|&time| time > t && time.is_finite()).min_by(f64::total_cmp)
    }

    fn next_kink(&mut self, t: f64) -> Option<f64> {
        self.curves.iter().filter_map(|curve| curve.next_kink(t)).min_by(f64::total_cmp)
    }

    fn event(&mut self, t: f64, x: &mut [f64], cause: &EventCause) -> Result<EventOutcome, RunError> {
        self.machine.statistics.events += 1;
        let takes_left_limits = self.compiled.plan.events.pre.iter().any(|pre| pre.continuous);
        if takes_left_limits || !self.past.histories.is_empty() || !self.past.profiles.is_empty() {
            // Values before a jump.
            let done = self.evaluate_outputs(t, x);
            done.map_err(|failure| RunError::from_eval("R102", "the event cannot be handled", &failure).at_time(t))?;
            self.record_delays(t);
            for pre in self.compiled.plan.events.pre.iter().filter(|pre| pre.continuous) {
                let current = self.machine.get(pre.current);
                self.machine.put(pre.pre, current);
            }
        }
        self.find_resting(t, x, cause);
        self.try_one_by_one(t, cause);
        self.switching.last_event = t;
        self.latest = t;
        for (state, value) in self.compiled.plan.states.iter().zip(x.iter()) {
            self.machine.put(state.slot, *value);
        }
        let done = self.refresh_delays(t);
        done.map_err(|failure| RunError::from_eval("R102", "the event cannot be handled", &failure).at_time(t))?;
        let sampled = self.fire_samplers(t);
        let jumped = self.curves.iter().any(|curve| curve.next_jump(t.next_down()) == Some(t));
        let iterated = self.iterate_event(t, x, sampled, t < self.stop_time);
        self.wake();
        let mut outcome = iterated?;
        self.find_order_sensitive(t, x);
        self.judge_event_order();
        outcome.changed |= jumped;
        outcome.changed |= self.choose_states_at(t, x)?;
        Ok(outcome)
    }

    fn order_sensitive(&self) -> &[usize] {
        &self.switching.order_sensitive
    }

    fn accept(&mut self, t: f64, x: &mut [f64]) -> Result<EventOutcome, RunError> {
        let mut outcome = EventOutcome::default();
        self.asserts.violated.clear();
        self.asserts.violated_warnings.clear();
        self.is_accepting = true;
        let settled = self.settle_point(t, x, &mut outcome);
        self.is_accepting = false;
        settled?;
        self.variants.can_translate = self.choose_states_at(t, x)? && !outcome.changed;
        outcome.changed |= self.variants.can_translate;
        Ok(outcome)
    }

    fn violated(&self) -> &[usize] {
        &self.asserts.violated
    }

    fn is_violated(&mut self, assertion: usize, t: f64, x: &[f64]) -> bool {
        self.violates(assertion, t, x)
    }

    fn report_violation(&mut self, assertion: usize, t: f64, x: &[f64]) -> Option<RunError> {
        self.report_at(assertion, t, x)
    }

    fn other_states(&mut self, t: f64, before: &[f64], now: &mut [f64]) -> Result<bool, EvalFailure> {
        self.translate_states(t, before, now)
    }

    fn n_outputs(&self) -> usize {
        self.compiled.tables.varying.len()
    }

    fn outputs(&mut self, t: f64, x: &[f64], row: &mut [f64]) -> Result<(), EvalFailure> {
        self.evaluate_outputs(t, x)?;
        self.report_undetermined(t);
        for (value, source) in row.iter_mut().zip(&self.compiled.tables.sources) {
            *value = source.factor * self.machine.memory[source.slot.index()] + source.offset;
        }
        self.check_point()?;
        if !all_finite(row) {
            self.check_row(row)?;
            self.warn_of_outputs(t, row);
        }
        Ok(())
    }

    fn set_stop_time(&mut self, t: f64) {
        self.stop_time = t;
    }

    fn has_event_at_start(&self) -> bool {
        self.switching.thresholds.contains(&self.switching.last_event)
    }

    fn is_instant(&self, crossing: usize) -> bool {
        let relation = self.compiled.tables.state_relations[crossing];
        self.compiled.plan.events.relations[relation].partner.is_some()
    }

    fn terminal(&mut self, t: f64, x: &mut [f64]) -> Result<EventOutcome, RunError> {
        let Some(flag) = self.compiled.plan.events.terminal_flag else { return Ok(EventOutcome::default()) };
        self.machine.statistics.events += 1;
        for (state, value) in self.compiled.plan.states.iter().zip(x.iter()) {
            self.machine.put(state.slot, *value);
        }
        self.machine.put(flag, 1.0);
        let result = self.iterate_event(t, x, false, false);
        self.machine.put(flag, 0.0);
        result
    }
}
