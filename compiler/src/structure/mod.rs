//! Structural algorithms on graphs. Nothing here ever sees an expression.
#![forbid(unsafe_code)]

pub mod blt;
pub mod check;
pub mod dulmage_mendelsohn;
mod elimination;
pub mod incidence;
pub mod matching;
pub mod ordered;
pub mod pantelides;
pub mod print;
pub mod sets;
pub mod sparse_tearing;
pub mod states;
pub mod surplus;
pub mod tearing;
