//! What the run-time reads and writes by slot, and the results: the last part of a plan.
//!
//! Input: the system, its states and aliases, and the layout of slots. Output: lists of the plan. Cost: linear in the variables.

use super::{Builder, label, noted, state};
use crate::base::ids::VarId;
use crate::equations::dae::{Purpose, Role, System, Text};
use crate::sorting::sorted::Sorting;
use crate::transform::alias::{Alias, AliasMap};
use partita_runtime::base::format::Format;
use partita_runtime::model::plan::{
    self, Action, Delay, Input, MessagePart, PreSlot, Reinit, Sampler, Signal, SignalSource, Slot, SlotType, Transport,
};

impl Builder {
    /// What the run-time reads and writes by slot, and the results.
    pub(super) fn services(&mut self, sys: &System, sorting: &Sorting, aliases: &AliasMap) {
        let layout = self.layout.clone();
        let slot_of = |var| layout.slot(var);
        let plan = &mut self.program.plan;
        plan.states = sorting.states.iter().map(|(x, dx)| state(sys, &layout, *x, *dx)).collect();
        plan.start.homotopy = sys.flags.homotopy.filter(|_| plan.start.initial_homotopy.is_some()).map(slot_of);
        plan.start.initial_flag = sys.flags.initial_flag.map(slot_of);
        plan.events.terminal_flag = sys.flags.terminal_flag.map(slot_of);
        for (var, variable) in sys.vars.iter() {
            if aliases.of[var].is_some() {
                continue;
            }
            if let Some(pre) = variable.pre {
                plan.events.pre.push(PreSlot { current: slot_of(var), pre: slot_of(pre), continuous: variable.role == Role::Continuous });
            } else if variable.role == Role::Discrete {
                plan.events.discrete.push(slot_of(var));
            }
        }
        for (var, variable) in sys.vars.iter().filter(|(_, variable)| variable.role == Role::Input) {
            plan.interface.inputs.push(Input { name: variable.name.clone(), slot: slot_of(var), ty: variable.ty });
        }
        let integers = sys
            .vars
            .iter()
            .filter(|(var, variable)| variable.role == Role::Discrete && variable.ty == SlotType::Integer && aliases.of[*var].is_none());
        plan.events.integers = integers.map(|(var, _)| slot_of(var)).collect();
        let blanks = sys.vars.iter().filter(|(var, variable)| variable.made == Some(Purpose::NoValue) && aliases.of[*var].is_none());
        plan.memory.without_value = blanks.map(|(var, _)| slot_of(var)).collect();
        plan.memory.without_value.sort_unstable();
        self.event_services(sys, aliases);
        self.signals(sys, aliases);
    }

    /// Samplers, reinitialisations, asserts, delays and transports.
    fn event_services(&mut self, sys: &System, aliases: &AliasMap) {
        let layout = self.layout.clone();
        let slot_of = |var| layout.slot(var);
        let slot = |v: VarId| match aliases.of[v] {
            Some(Alias::Variable(target, _)) => slot_of(target),
            _ => slot_of(v),
        };
        let plan = &mut self.program.plan;
        for s in &sys.samplers {
            plan.events.samplers.push(Sampler {
                active: slot_of(s.active),
                start: slot_of(s.start),
                interval: slot_of(s.interval),
                label: label("sample".into(), s.span),
            });
        }
        for r in &sys.reinits {
            plan.events.reinits.push(Reinit {
                active: slot(r.active),
                value: slot_of(r.value),
                state: slot_of(r.state),
                label: label(format!("reinit({})", sys.vars[r.state].name), r.span),
            });
        }
        let conditions = noted::condition_variables(sys);
        for a in &sys.actions {
            let value = |var: VarId, format: &Format| match aliases.of[var] {
                Some(Alias::Variable(target, factor)) if factor < 0.0 => MessagePart::Opposite(slot_of(target), format.clone()),
                _ => MessagePart::Value(slot(var), format.clone()),
            };
            plan.events.actions.push(Action {
                trigger: slot(a.trigger),
                kind: a.kind,
                message: message(&a.message, &value, &slot),
                condition: conditions.get(&a.trigger).into_iter().flatten().map(|var| slot(*var)).collect(),
                label: label(String::new(), a.span),
            });
        }
        for d in &sys.delays {
            plan.past.delays.push(Delay {
                source: slot_of(d.source),
                delay: slot_of(d.delay),
                max: slot_of(d.max),
                value: slot_of(d.value),
            });
        }
        for t in &sys.transports {
            plan.past.transports.push(Transport {
                way: slot_of(t.way),
                enter: t.enter.map(slot_of),
                leave: t.leave.map(slot_of),
                places: t.places.clone(),
                values: t.values.clone(),
            });
        }
    }

    /// The results.
    fn signals(&mut self, sys: &System, aliases: &AliasMap) {
        let layout = self.layout.clone();
        let slot_of = |var| layout.slot(var);
        let plan = &mut self.program.plan;
        for (var, variable) in sys.vars.iter() {
            if variable.hidden || matches!(variable.role, Role::Time | Role::Pre(_)) {
                continue;
            }
            let source = match aliases.of[var] {
                Some(Alias::Variable(target, factor)) => SignalSource { slot: slot_of(target), factor, offset: 0.0 },
                _ => SignalSource { slot: slot_of(var), factor: 1.0, offset: 0.0 },
            };
            if variable.min.is_some() || variable.max.is_some() {
                let place = (variable.span.start, variable.span.end);
                plan.interface.bounds.push(plan::Bound {
                    signal: plan.interface.signals.len(),
                    min: variable.min,
                    max: variable.max,
                    place,
                });
            }
            plan.interface.signals.push(Signal {
                name: variable.name.clone(),
                description: variable.about.description.clone(),
                unit: variable.about.unit.clone(),
                display_unit: variable.about.display_unit.clone(),
                ty: variable.ty,
                source,
                varies: !matches!(variable.role, Role::Parameter | Role::FreeParameter),
                protected: variable.protected,
                derivative: variable.integral.is_some(),
            });
        }
    }
}

/// The text of an action over slots.
fn message(parts: &[Text], value: &dyn Fn(VarId, &Format) -> MessagePart, slot: &dyn Fn(VarId) -> Slot) -> Vec<MessagePart> {
    let part = |part: &Text| match part {
        Text::Literal(text) => MessagePart::Text(text.clone()),
        Text::Value(var, format) => value(*var, format),
        Text::Either(condition, a, b) => MessagePart::Either(slot(*condition), message(a, value, slot), message(b, value, slot)),
    };
    parts.iter().map(part).collect()
}
