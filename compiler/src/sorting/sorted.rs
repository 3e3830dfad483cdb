//! Sorted problems: what sorting makes and the program is made of.

use crate::base::ids::VarId;
use crate::equations::dae::System;
use crate::equations::dae::incidence::Problem;
use crate::equations::dae::initial::Redundant;
use crate::equations::expr::subst::variables;
use crate::sorting::tearing::{Assignment, Torn, TornBlock, TornStep};
use crate::transform::index_reduction::StateSet;
use cranelift_entity::EntitySet;
use std::sync::Arc;

/// A problem and its steps.
#[derive(Clone, Debug, Default)]
pub struct Sorted {
    /// Equations and unknowns.
    pub problem: Problem,
    /// Steps in order.
    pub torn: Torn,
}

impl Sorted {
    /// What is wrong: each unknown is determined once, and a step reads only what is `known`, unknowns of earlier steps, or its own inside a
    /// system.
    pub fn verify(&self, sys: &System, known: EntitySet<VarId>) -> Vec<String> {
        let mut check = Check { sys, problem: &self.problem, known, found: Vec::new() };
        for step in &self.torn.steps {
            match step {
                TornStep::Assign(assignment) => {
                    check.reads(assignment);
                    check.determines(assignment.var);
                }
                TornStep::Solve(block) => {
                    block.iteration.iter().chain(&block.discrete).for_each(|assignment| check.determines(assignment.var));
                    for assignment in &block.inner {
                        check.reads(assignment);
                        check.determines(assignment.var);
                    }
                    block.iteration.iter().chain(&block.discrete).for_each(|assignment| check.reads(assignment));
                }
            }
        }
        let left = self.problem.unknowns.values().filter(|var| !check.known.contains(**var));
        let left: Vec<String> = left.map(|var| format!("{} is not determined", sys.vars[*var].name)).collect();
        check.found.extend(left);
        check.found
    }
}

struct Check<'s> {
    sys: &'s System,
    problem: &'s Problem,
    known: EntitySet<VarId>,
    found: Vec<String>,
}

impl Check<'_> {
    fn reads(&mut self, assignment: &Assignment) {
        let is_early = |var: &VarId| self.problem.col_of[*var].is_some() && !self.known.contains(*var);
        let name = |var: VarId| &self.sys.vars[var].name;
        let early = variables(&self.sys.arena, assignment.value).into_iter().filter(is_early);
        self.found.extend(early.map(|var| format!("the step for {} reads {} too early", name(assignment.var), name(var))));
    }

    fn determines(&mut self, var: VarId) {
        if self.problem.col_of[var].is_none() || !self.known.insert(var) {
            self.found.push(format!("{} is determined twice, or no unknown", self.sys.vars[var].name));
        }
    }
}

/// All that is needed to run the model.
#[derive(Clone, Debug, Default)]
pub struct Sorting {
    /// States with their derivatives.
    pub states: Vec<(VarId, VarId)>,
    /// Choices of states that may change.
    pub sets: Vec<StateSet>,
    /// Parameters that follow from others.
    pub parameters: Sorted,
    /// The start.
    pub initial: Sorted,
    /// The start, iterating on states, where that is another way to solve it.
    pub initial_by_states: Option<Sorted>,
    /// Systems of the start that have given start values.
    pub initial_by_starts: Vec<ByStarts>,
    /// The start, from other start values than those of the first choice.
    pub initial_alternatives: Vec<AlternativeInitialisation>,
    /// The start, with `homotopy` on its way from the simplified to the actual model.
    pub initial_homotopy: Option<Sorted>,
    /// Initial equations that are checked after the start.
    pub redundant: Vec<Redundant>,
    /// Between events.
    pub simulation: Arc<Sorted>,
    /// At events; the same where nothing is discrete.
    pub event: Arc<Sorted>,
}

/// A nonlinear system of the start, some of whose unknowns have given start values.
#[derive(Clone, Debug)]
pub struct ByStarts {
    /// The number of its step.
    pub step: usize,
    /// The same equations, iterating on all unknowns with given start values, where tearing has chosen others.
    pub form: Option<TornBlock>,
}

/// The start from start values other than those of the first choice.
#[derive(Clone, Debug)]
pub struct AlternativeInitialisation {
    /// The sorted problem.
    pub sorted: Sorted,
    /// Start values that are taken here only.
    pub taken: Vec<VarId>,
    /// Start values of the first choice that are not taken here.
    pub left: Vec<VarId>,
}
