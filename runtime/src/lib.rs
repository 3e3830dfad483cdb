//! Numerics of Partita. Knows no Modelica and no compiler.
//!
//! A compiled model is a [`model::plan::Plan`] and [`abi::Kernels`]; integrators see it through [`model::interface::Model`].
#![deny(unsafe_code)]

pub mod abi;
pub mod base;
pub mod exec;
pub mod integrate;
pub mod linear;
pub mod model;
pub mod native;
pub mod result;
pub mod simulator;
