//! The plans that differ in their choice of states; each is made at its first use.

use super::tables::{Compiled, Tables};
use crate::base::error::RunError;
use crate::model::plan::{DynamicStateSet, Plan};
use std::sync::Arc;

/// For every set the candidate of each of its states.
pub(crate) type Choice = Vec<Vec<usize>>;

/// The plans that differ in their choice of states.
#[derive(Default)]
pub(crate) struct Variants {
    pub(crate) list: Vec<(Choice, Arc<Compiled>)>,
    pub(crate) present: usize,
    pub(crate) before: usize,
    /// The choice before can be translated to the present one.
    pub(crate) can_translate: bool,
}

impl Variants {
    /// The choice of the plan as compiled.
    pub(crate) fn new(compiled: &Arc<Compiled>) -> Variants {
        let plan = &compiled.plan;
        let position = |set: &DynamicStateSet, state: &usize| {
            set.candidates.iter().position(|candidate| candidate.slot == plan.states[*state].slot).unwrap_or(0)
        };
        let choice = plan.state_sets.iter().map(|set| set.states.iter().map(|state| position(set, state)).collect()).collect();
        Variants { list: vec![(choice, compiled.clone())], ..Variants::default() }
    }

    /// The plan as compiled.
    pub(crate) fn first(&self) -> &Arc<Compiled> {
        &self.list[0].1
    }

    pub(crate) fn choice(&self) -> &Choice {
        &self.list[self.present].0
    }

    /// Goes over to another choice; its plan is made at its first use.
    pub(crate) fn turn_to(&mut self, choice: Choice) -> Result<Arc<Compiled>, RunError> {
        self.before = self.present;
        self.present = match self.list.iter().position(|(known, _)| *known == choice) {
            Some(known) => known,
            None => {
                let first = self.first();
                let plan = with_choice(&first.plan, &choice);
                let tables = Tables::new(&plan, &*first.kernels)?;
                let compiled = Compiled {
                    plan: Arc::new(plan),
                    kernels: first.kernels.clone(),
                    tables,
                    objects: first.objects.clone(),
                    files: first.files.clone(),
                };
                self.list.push((choice, Arc::new(compiled)));
                self.list.len() - 1
            }
        };
        Ok(self.list[self.present].1.clone())
    }
}

/// A plan with other states.
fn with_choice(plan: &Plan, choice: &Choice) -> Plan {
    let mut plan = plan.clone();
    for (set, chosen) in plan.state_sets.iter().zip(choice) {
        for (&state, &candidate) in set.states.iter().zip(chosen) {
            plan.states[state] = set.candidates[candidate].clone();
        }
        // In every block the candidates that are solved for take the places of those that were.
        for &id in &set.blocks {
            let block = &mut plan.blocks[id];
            let mut dummies =
                (0..set.candidates.len()).filter(|candidate| !chosen.contains(candidate)).map(|candidate| &set.candidates[candidate]);
            let is_candidate = |slot| set.candidates.iter().any(|candidate| candidate.slot == slot);
            for (slot, declared) in block.unknowns.iter_mut().zip(&mut block.declared) {
                if is_candidate(*slot)
                    && let Some(dummy) = dummies.next()
                {
                    *slot = dummy.slot;
                    *declared = dummy.declared;
                }
            }
        }
    }
    plan
}
