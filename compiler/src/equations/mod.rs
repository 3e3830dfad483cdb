//! Scalar equations: expressions in an arena, and the system that they make.
#![forbid(unsafe_code)]

pub mod dae;
pub mod expr;
pub mod function;
