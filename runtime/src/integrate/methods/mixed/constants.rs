//! The numbers of the mixed-mode methods, each with its reason.

/// Steps are no longer than this part of what is stable for the slow states.
pub(super) const STABLE_PART: f64 = 0.8;
/// What is seen of the rate of the slow states counts less by this factor from step to step.
pub(super) const RATE_MEMORY: f64 = 0.9;
/// Differences of states below this part of their size are rounding errors.
pub(super) const ROUNDING: f64 = 1e-13;
/// Order of the values of stages, of all pairs of more than order 3.
pub(super) const STAGE_ORDER: usize = 2;
