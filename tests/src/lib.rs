//! What tests and their commands share.
#![forbid(unsafe_code)]
pub mod damage;
mod damaged_library;
pub mod differential;
pub mod faults;
pub mod flattening;
pub mod fuzz;
pub mod levels;
pub mod modules;
pub mod mutation;
pub mod oracle;
pub mod random;
pub mod results;
pub mod roundtrip;
pub mod seeds;
pub mod sha256;

pub mod simulation;
pub mod sizes;
pub mod target;
pub mod time_scales;
