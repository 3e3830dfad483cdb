//! Crossings that fire at the same moment, and whether it matters which of them is first.
//!
//! Input: an event that several crossings have caused. Output: those of them that, had rounding let them fire a little earlier than
//! the others, would have given a discrete value that it has neither before the event nor after it: a pulse without width, which
//! another tool may show.
//!
//! Method: the event schedule is run once for every such crossing while the relations behind the others are held; then the values
//! before the event are put back. Relations between the same two sides (`a > b`, `b >= a`) are one and go together; so do all that
//! compare the time itself, which no tool gets wrong by rounding.
//! A trial in which a state jumps or an equation has no solution says nothing.
//! Cost: nothing at events with one cause; the first [`MOST_TRIALS`] trials of a run cost as much as an event each.

use crate::exec::instance::Instance;
use crate::model::interface::EventCause;
use crate::model::plan::Sides;
use cranelift_entity::EntityRef;

/// Trials in one run.
const MOST_TRIALS: u32 = 200;
/// Runs of the event schedule in one trial.
const MOST_PASSES: usize = 10;

impl Instance {
    /// Tries what would happen if the crossings that have fired did so one by one. The states are in the memory.
    pub(crate) fn try_one_by_one(&mut self, t: f64, cause: &EventCause) {
        self.switching.simultaneous.alone.clear();
        let EventCause::State(fired) = cause else { return };
        if fired.len() < 2 || self.switching.simultaneous.trials + fired.len() as u32 > MOST_TRIALS {
            return;
        }
        let sides: Vec<Sides> = fired.iter().map(|(crossing, _)| self.sides(*crossing)).collect();
        if sides.iter().any(|of| !of.change_together(&sides[0])) {
            self.switching.simultaneous.before = self.discrete_values();
            let memory = self.machine.memory.clone();
            let (statistics, hysteresis) = (self.machine.statistics, self.machine.hysteresis.clone());
            let (n_messages, n_undetermined) = (self.machine.environment.messages.len(), self.machine.undetermined.len());
            for (&(first, _), of_first) in fired.iter().zip(&sides) {
                self.switching.simultaneous.trials += 1;
                for ((other, _), _) in fired.iter().zip(&sides).filter(|(_, of_other)| !of_first.change_together(of_other)) {
                    self.hold(*other);
                }
                if self.settles_alone(t) {
                    let alone = self.discrete_values();
                    self.switching.simultaneous.alone.push((first, alone));
                }
                self.machine.memory.copy_from_slice(&memory);
            }
            self.machine.statistics = statistics;
            self.machine.hysteresis = hysteresis;
            self.machine.environment.messages.truncate(n_messages);
            self.machine.undetermined.truncate(n_undetermined);
            self.point.valid = false;
        }
    }

    /// Adds the crossings that would have made a pulse to those that rounding decided about.
    pub(crate) fn judge_event_order(&mut self) {
        let after = if self.switching.simultaneous.alone.is_empty() { return } else { self.discrete_values() };
        let is_truth = |value: f64| value == 0.0 || value == 1.0;
        for (crossing, alone) in &self.switching.simultaneous.alone {
            let values = self.switching.simultaneous.before.iter().zip(alone).zip(&after);
            let is_pulse = values
                .into_iter()
                .any(|((before, alone), after)| before == after && alone != before && is_truth(*alone) && is_truth(*before));
            if is_pulse && !self.switching.order_sensitive.contains(crossing) {
                self.switching.order_sensitive.push(*crossing);
            }
        }
    }

    /// The values that events change.
    pub(crate) fn discrete_values(&self) -> Vec<f64> {
        self.compiled.plan.events.pre.iter().filter(|pre| !pre.continuous).map(|pre| self.machine.get(pre.current)).collect()
    }

    /// What the relation behind a crossing compares.
    fn sides(&self, crossing: usize) -> Sides {
        self.compiled.plan.events.relations[self.compiled.tables.state_relations[crossing]].sides
    }

    /// The relation behind a crossing keeps its value.
    pub(crate) fn hold(&mut self, crossing: usize) {
        let relation = self.compiled.tables.state_relations[crossing];
        if let Some(rest) = self.compiled.plan.events.relations[relation].hysteresis {
            self.machine.memory[rest.index()] = f64::INFINITY;
        }
    }

    /// Runs the event schedule until nothing changes; false if that takes too long, fails or sets a state.
    pub(crate) fn settles_alone(&mut self, t: f64) -> bool {
        let compiled = self.compiled.clone();
        let plan = &*compiled.plan;
        self.machine.memory[0] = t;
        self.set_event_time(t);
        self.machine.note_event();
        for _ in 0..MOST_PASSES {
            if self.machine.run(&compiled, &plan.events.event).is_err()
                || plan.events.reinits.iter().any(|reinit| self.machine.truth(reinit.active))
            {
                return false;
            }
            let mut moved = false;
            for pre in &plan.events.pre {
                let current = self.machine.get(pre.current);
                moved |= current != self.machine.get(pre.pre);
                self.machine.put(pre.pre, current);
            }
            if !moved {
                return true;
            }
        }
        false
    }
}
