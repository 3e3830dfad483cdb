//! Integration tests.

mod cycles;
mod golden;
mod mixed;
mod properties;
mod run;
mod tidy;
