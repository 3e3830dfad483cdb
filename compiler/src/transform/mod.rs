//! Passes from equations to equations: fewer variables, lower index, explicit discrete equations.
#![forbid(unsafe_code)]

pub mod alias;
pub mod discrete;
pub mod hidden_constraints;
pub mod index_reduction;
pub mod semilinear;
pub mod singular;
