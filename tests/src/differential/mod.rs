//! Random models whose meaning is known twice: by [`oracle`](crate::oracle) and by Partita.
//!
//! Input: a kind and a seed. Output: a model, and what became of it. Guarantee: equal seeds give equal models; what both sides say is
//! compared at all output points for all variables; a model about which the oracle is not sure (decisions within rounding errors,
//! numbers that are not finite, crossings that a smaller step sees otherwise) is no case and is counted as such.

pub mod candidate;
pub mod case;
pub mod expressions;
pub mod functions;
pub mod generate;
pub mod judge;
pub mod models;
pub mod programs;
pub mod shrink;
pub mod systems;
