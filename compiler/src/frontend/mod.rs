//! From syntax to a flat model: declarations, types, parameters, functions, units.

pub mod flat;
pub mod flatten;
pub mod units;
