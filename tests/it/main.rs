//! Integration tests.

mod cycles;
mod differential;
mod events;
mod external;
mod fuzz;
mod golden;
mod library;
mod mixed;
mod properties;
mod results;
mod run;
mod tidy;
