//! Sorted problems: what sorting makes and the program is made of.

use crate::base::ids::VarId;
use crate::equations::dae::incidence::Problem;
use crate::equations::dae::initial::Redundant;
use crate::sorting::tearing::{Torn, TornBlock};
use crate::transform::index_reduction::StateSet;
use std::sync::Arc;

/// A problem and its steps.
#[derive(Clone, Debug, Default)]
pub struct Sorted {
    /// Equations and unknowns.
    pub problem: Problem,
    /// Steps in order.
    pub torn: Torn,
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
    pub initial_otherwise: Vec<Otherwise>,
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
pub struct Otherwise {
    /// The sorted problem.
    pub sorted: Sorted,
    /// Start values that are taken here only.
    pub taken: Vec<VarId>,
    /// Start values of the first choice that are not taken here.
    pub left: Vec<VarId>,
}
