//! Integration tests.

mod cycles;
mod events;
mod external;
mod fuzz;
mod golden;
mod library;
mod mixed;
mod properties;
mod results;
mod run;
mod standstill;
mod starts;
mod tidy;
