//! What tests and their commands share.
pub mod differential;
pub mod faults;
pub mod fuzz;
pub mod oracle;
pub mod random;
pub mod results;
pub mod roundtrip;
pub mod seeds;
pub mod simulation;
