//! Systems of the start that have given start values, in the form that iterates on all unknowns with such values.
//!
//! Input: the lowered initial schedule and the forms that sorting has found. Output: `Plan::by_starts`, from which the run takes the
//! solution that the start values stand for, whatever tearing iterates on. Cost: linear in the size of these systems.

use super::{Builder, Use, residual_pattern};
use crate::base::ids::VarId;
use crate::equations::dae::System;
use crate::sorting::sorted::Sorting;
use crate::sorting::tearing::TornStep;
use partita_runtime::model::plan::AlternativeInitialisation;
use partita_runtime::model::plan::{BlockId, ByStarts, Step};

impl Builder {
    /// Other ways to find initial values.
    pub(super) fn alternatives(&mut self, sys: &System, sorting: &Sorting) {
        for way in &sorting.initial_alternatives {
            let names = |list: &[VarId]| list.iter().map(|var| sys.vars[*var].name.clone()).collect();
            let (taken, left) = (names(&way.taken), names(&way.left));
            let schedule = self.schedule(sys, &way.sorted, &|_| true, Use::Once);
            self.program.plan.start.initial_alternatives.push(AlternativeInitialisation { schedule, taken, left });
        }
    }

    /// Lowers the forms of the systems of the start that are solved from their start values.
    pub(super) fn by_starts(&mut self, sys: &System, sorting: &Sorting) {
        let initial = &sorting.initial;
        let solved = initial.torn.steps.iter().enumerate().filter(|(_, step)| matches!(step, TornStep::Solve(_)));
        let blocks: Vec<BlockId> = self
            .program
            .plan
            .start
            .initial
            .steps
            .iter()
            .filter_map(|step| match step {
                Step::Block(block) => Some(*block),
                Step::Kernel(_) => None,
            })
            .collect();
        for ((number, step), block) in solved.zip(blocks) {
            let Some(system) = sorting.initial_by_starts.iter().find(|system| system.step == number) else { continue };
            let TornStep::Solve(torn) = step else { continue };
            let (form, unknowns) = match &system.form {
                None => (block, &torn.iteration),
                Some(form) => {
                    let lowered = self.block(sys, &initial.problem, form, &[], Use::Once);
                    let id = self.program.plan.blocks.push(lowered);
                    if let Some(pattern) = residual_pattern(sys, form) {
                        self.program.plan.block_patterns.push((id, pattern));
                    }
                    (id, &form.iteration)
                }
            };
            let given = unknowns.iter().map(|a| sys.vars[a.var].start.is_some()).collect();
            self.program.plan.start.by_starts.push(ByStarts { block, form, given });
        }
    }
}
