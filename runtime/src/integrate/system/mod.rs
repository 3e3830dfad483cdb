//! The model as methods see it, with sizes and tolerances of its states, and what a method is.

pub mod method;
mod model;
pub(crate) mod scales;
pub mod sink;
pub mod statistics;
