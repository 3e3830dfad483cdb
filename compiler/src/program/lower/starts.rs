//! Systems of the start that have given start values, in the form that iterates on all unknowns with such values.
//!
//! Input: the lowered initial schedule and the forms that sorting has found. Output: `Plan::by_starts`, from which the run takes the
//! solution that the start values stand for, whatever tearing iterates on. Cost: linear in the size of these systems.

use super::{Builder, Use, residual_pattern};
use crate::base::ids::{ExprId, VarId};
use crate::equations::dae::{Role, System};
use crate::equations::expr;
use crate::sorting::sorted::Sorting;
use crate::sorting::tearing::TornStep;
use crate::transform::alias::AliasMap;
use partita_runtime::model::plan::AlternativeInitialisation;
use partita_runtime::model::plan::{BlockId, ByStarts, Step};

impl Builder {
    /// Start values are guesses for the initial system; those that are expressions follow the parameters.
    pub(super) fn start_values(&mut self, sys: &System, aliases: &AliasMap) {
        let mut computed = Vec::new();
        let layout = self.layout.clone();
        let slot_of = |var| layout.slot(var);
        let is_known = |e: ExprId| expr::subst::variables(&sys.arena, e).into_iter().all(|v| sys.vars[v].role == Role::Parameter);
        for (var, variable) in sys.vars.iter() {
            if aliases.of[var].is_some() || matches!(variable.role, Role::Parameter | Role::Time) {
                continue;
            }
            let start = match variable.role {
                Role::Pre(of) => sys.vars[of].start,
                _ => variable.start,
            };
            match start {
                Some(start) => match sys.arena.as_constant(start) {
                    Some(value) => self.program.plan.memory.initial_memory.push((slot_of(var), value)),
                    None if is_known(start) => computed.push((slot_of(var), start)),
                    None => {}
                },
                None => {
                    // Without a start value Newton begins at zero, moved inside the limits.
                    let low = variable.min.filter(|m| *m > 0.0);
                    let high = variable.max.filter(|m| *m < 0.0);
                    if let Some(guess) = low.or(high) {
                        self.program.plan.memory.initial_memory.push((slot_of(var), guess));
                    }
                }
            }
        }
        if !computed.is_empty() {
            let kernel = self.assignments(sys, &computed, Use::Once);
            self.program.plan.start.parameters.steps.push(Step::Kernel(kernel));
            let sites = self.take_sites();
            self.program.plan.start.parameters.sites.extend(sites);
        }
    }

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
