//! Linear systems.

pub mod dense;
