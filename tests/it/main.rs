//! Integration tests.

mod golden;
mod properties;
mod run;
mod tidy;
