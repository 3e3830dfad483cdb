//! Flat Modelica to running models.

pub mod codegen;
pub mod expr;
pub mod flat;
pub mod flatten;
pub mod ids;
pub mod program;
pub mod structure;
