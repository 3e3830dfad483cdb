//! What tests and their commands share.
pub mod results;
pub mod faults;
pub mod fuzz;
pub mod random;
pub mod roundtrip;
pub mod seeds;
pub mod simulation;
