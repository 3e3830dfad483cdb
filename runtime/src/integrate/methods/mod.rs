//! Formulas of integration, each in its file, and what they share.

pub mod bdf;
pub mod controller;
mod dense_output_correction;
pub mod explicit_rk;
pub mod implicit_rk;
pub mod mixed;
pub mod multirate;
pub mod newton;
pub mod one_step;
mod output_correction;
pub mod partial;
pub(crate) mod partitioned;
pub mod stability;
pub(crate) mod stateless;
pub(crate) mod switching;
pub mod tableau;
