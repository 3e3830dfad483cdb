//! A compiled model as data, and what integrators see of one.
#![forbid(unsafe_code)]

pub mod bounds;
pub mod chain_roots;
pub mod closed_form;
pub mod gather;
pub mod interface;
pub mod overrides;
pub mod plan;
pub mod table;
pub mod watched;
