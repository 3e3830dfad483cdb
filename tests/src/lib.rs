//! Test helpers.
pub mod roundtrip;
