//! Integration tests.

mod golden;
mod mixed;
mod properties;
mod run;
mod tidy;
