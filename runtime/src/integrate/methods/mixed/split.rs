//! Which states a mixed-mode run treats how.

use super::pair::Pair;
use crate::integrate::methods::partial::PartFunction;
use crate::integrate::system::method::System;
use crate::model::interface::HybridModel;

/// How a mixed-mode run treats the states.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Split {
    /// Positions of the fast states, ascending.
    pub fast: Vec<usize>,
    /// The formulas.
    pub pair: Pair,
    /// Steps follow from error estimates instead of being fixed.
    pub adaptive: bool,
}

impl Split {
    /// The functions for slow and for fast derivatives.
    pub(crate) fn functions(&self, model: &dyn HybridModel) -> (PartFunction, PartFunction) {
        let n = model.n_states();
        let mut is_fast = vec![false; n];
        self.fast.iter().for_each(|&state| is_fast[state] = true);
        let part = |wanted: bool| PartFunction::new(model, (0..n).filter(|&state| is_fast[state] == wanted).collect());
        (part(false), part(true))
    }
}

pub(super) fn count_slow(system: &mut System<'_>) {
    system.statistics.mixed.slow_evaluations += 1;
}

pub(super) fn count_fast(system: &mut System<'_>) {
    system.statistics.mixed.fast_evaluations += 1;
}
