//! Time scales: cycle analysis, the partition of the states, the decision how a model runs in mixed mode and what that costs.
#![forbid(unsafe_code)]

pub mod cycles;
pub mod decision;
pub mod half_step;
pub mod operating_points;
pub mod outcome;
pub mod verify;
