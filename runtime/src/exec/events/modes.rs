//! Discrete values of a run that can be left and taken again, and what a scheduled event comes from: for motion along relations and
//! for messages about runs that do not come on.

use crate::base::error::{EvalFailure, RunError};
use crate::exec::instance::Instance;
use crate::model::interface::{HybridModel, Mode, Sides};
use crate::model::plan::{Label, Plan, Slot, SlotType};
use cranelift_entity::EntityRef;

/// All that derivatives can depend on and that changes at events only.
fn slots(plan: &Plan) -> impl Iterator<Item = Slot> + '_ {
    let relations = plan.events.relations.values().map(|relation| relation.slot);
    let remembered = plan.events.pre.iter().filter(|pre| !pre.continuous).flat_map(|pre| [pre.current, pre.pre]);
    relations.chain(remembered).chain(plan.events.discrete.iter().copied())
}

impl Sides for Instance {
    fn mode(&self) -> Mode {
        Mode(slots(&self.compiled.plan).map(|slot| self.machine.get(slot)).collect())
    }

    fn set_mode(&mut self, mode: &Mode) {
        let compiled = self.compiled.clone();
        let mut changed = false;
        for (slot, &value) in slots(&compiled.plan).zip(&mode.0) {
            let now = &mut self.machine.memory[slot.index()];
            changed |= now.to_bits() != value.to_bits();
            *now = value;
        }
        if changed {
            self.point.valid = false;
            // Coefficients that stand between events are others.
            self.machine.note_event();
        }
    }

    fn n_switches(&self) -> usize {
        self.compiled.plan.crossing.switches.len()
    }

    fn switches(&mut self, t: f64, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.evaluate(t, x)?;
        match self.compiled.plan.crossing.switch_values {
            Some(kernel) => self.machine.run_kernel_into(&self.compiled, kernel, out),
            None => Ok(()),
        }
    }

    fn switch_label(&self, switch: usize) -> String {
        self.compiled.plan.crossing.switches[switch].text.clone()
    }

    fn switch_span(&self, switch: usize) -> Option<(u32, u32)> {
        Some(self.compiled.plan.crossing.switches[switch].span).filter(|(start, end)| start < end)
    }

    fn time_event_label(&mut self, t: f64) -> Option<Label> {
        let before = t.next_down();
        let next = self.next_time_event(before)?;
        self.label_of_time(before, next)
    }

    fn is_discrete_output(&self, output: usize) -> bool {
        self.compiled.plan.interface.signals[self.compiled.tables.varying[output]].ty != SlotType::Real
    }

    fn remarks(&self) -> Vec<RunError> {
        self.machine.other_solutions.iter().map(|(_, remark)| remark.clone()).collect()
    }
}

impl Instance {
    /// What makes the scheduled event at `next`, the first after `t`.
    pub(crate) fn label_of_time(&self, t: f64, next: f64) -> Option<Label> {
        let plan = &*self.compiled.plan;
        let mut samplers = plan.events.samplers.iter().zip(&self.switching.next_sample);
        if let Some((sampler, _)) = samplers.find(|(sampler, number)| self.sample_after(sampler, **number, t) == next) {
            let text = format!("samples every {:e}", self.machine.get(sampler.interval));
            return Some(Label { text, span: sampler.label.span });
        }
        let thresholds = self.compiled.tables.time_relations.iter().zip(&self.switching.thresholds);
        if let Some((relation, _)) = thresholds.into_iter().find(|(_, threshold)| **threshold == next) {
            let text = format!("`{}` switches again and again", plan.events.relations[*relation].label.text);
            return Some(Label { text, span: plan.events.relations[*relation].label.span });
        }
        let mut delays = plan.past.delays.iter().zip(&self.past.histories);
        let (delay, _) = delays.find(|(delay, history)| history.next_jump(t, self.machine.get(delay.delay)) == Some(next))?;
        let name = self.compiled.tables.label(plan, delay.source);
        let place = plan.memory.slot_spans.iter().find(|(slot, _)| *slot == delay.source).map_or((0, 0), |(_, span)| *span);
        Some(Label { text: format!("{name} is delayed by {:e}, and jumps", self.machine.get(delay.delay)), span: place })
    }
}
