//! From syntax to a flat model: declarations, types, parameters, functions, units.
#![forbid(unsafe_code)]

pub mod connect;
pub mod flat;
pub mod flatten;
pub mod instance;
pub mod library;
pub mod repair;
pub(crate) mod restrictions;
pub mod units;
