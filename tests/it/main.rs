//! Integration tests.

mod golden;
mod properties;
