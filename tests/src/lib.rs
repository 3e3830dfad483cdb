//! What tests and their commands share.
pub mod roundtrip;
pub mod simulation;
