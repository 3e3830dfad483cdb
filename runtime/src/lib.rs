//! Numerics of Partita. Knows no Modelica and no compiler.
//!
//! A compiled model is a [`plan::Plan`] and [`abi::Kernels`]; integrators see it through [`model::Model`].

pub mod abi;
pub mod error;
pub mod exec;
pub mod integrate;
pub mod limits;
pub mod linear;
pub mod math;
pub mod model;
pub mod native;
pub mod places;
pub mod plan;
pub mod result;
pub mod simulator;
pub mod watched;
mod wide;
