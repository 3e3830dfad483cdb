//! Integration tests.

mod cycles;
mod golden;
mod mixed;
mod properties;
mod results;
mod run;
mod tidy;
