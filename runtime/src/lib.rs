//! Numerics of Partita. Knows no Modelica and no compiler.
//!
//! A compiled model is a [`plan::Plan`] and [`abi::Kernels`]; integrators see it through [`model::Model`].

pub mod abi;
pub mod arguments;
pub mod bounds;
pub mod error;
pub mod exec;
pub mod files;
pub mod format;
pub mod integrate;
pub mod interrupt;
pub mod limits;
pub mod linear;
pub mod math;
pub mod model;
pub mod native;
pub mod number;
pub mod overrides;
pub mod places;
pub mod plan;
pub mod result;
pub mod simulator;
pub mod terminal;
pub mod watched;
mod wide;
