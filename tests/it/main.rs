//! Integration tests.

mod properties;
