//! Discrete values of a run that can be left and taken again, and what a scheduled event comes from: for motion along relations and
//! for messages about runs that do not come on.

use crate::exec::Instance;
use crate::model::Mode;
use crate::plan::{Label, Plan, Slot};
use cranelift_entity::EntityRef;

/// All that derivatives can depend on and that changes at events only.
fn slots(plan: &Plan) -> impl Iterator<Item = Slot> + '_ {
    let relations = plan.relations.values().map(|relation| relation.slot);
    let remembered = plan.pre.iter().filter(|pre| !pre.continuous).flat_map(|pre| [pre.current, pre.pre]);
    relations.chain(remembered).chain(plan.discrete.iter().copied())
}

impl Instance {
    /// The discrete values that hold now.
    pub(super) fn mode_now(&self) -> Mode {
        Mode(slots(&self.compiled.plan).map(|slot| self.machine.get(slot)).collect())
    }

    /// Takes discrete values that held before.
    pub(super) fn take_mode(&mut self, mode: &Mode) {
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

    /// What makes the scheduled event at `next`, the first after `t`.
    pub(super) fn label_of_time(&self, t: f64, next: f64) -> Option<Label> {
        let plan = &*self.compiled.plan;
        let mut samplers = plan.samplers.iter().zip(&self.next_sample);
        if let Some((sampler, _)) = samplers.find(|(sampler, number)| self.sample_after(sampler, **number, t) == next) {
            let text = format!("samples every {:e}", self.machine.get(sampler.interval));
            return Some(Label { text, span: sampler.label.span });
        }
        let thresholds = self.compiled.tables.time_relations.iter().zip(&self.thresholds);
        if let Some((relation, _)) = thresholds.into_iter().find(|(_, threshold)| **threshold == next) {
            let text = format!("`{}` switches again and again", plan.relations[*relation].label.text);
            return Some(Label { text, span: plan.relations[*relation].label.span });
        }
        let mut delays = plan.delays.iter().zip(&self.histories);
        let (delay, _) = delays.find(|(delay, history)| history.next_jump(t, self.machine.get(delay.delay)) == Some(next))?;
        let name = self.compiled.tables.label(plan, delay.source);
        let place = plan.slot_places.iter().find(|(slot, _)| *slot == delay.source).map_or((0, 0), |(_, span)| *span);
        Some(Label { text: format!("{name} is delayed by {:e}, and jumps", self.machine.get(delay.delay)), span: place })
    }
}
