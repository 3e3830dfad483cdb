//! Integration tests.

mod cycles;
mod events;
mod external;
mod fuzz;
mod golden;
mod language;
mod library;
mod mixed;
mod properties;
mod results;
mod run;
mod tidy;
