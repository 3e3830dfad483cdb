//! Functions that are called, not inlined: structured form, operations, derivatives, the table of all.

mod control_flow;
mod differentiate;
mod print;
pub mod routine;
mod run;
pub mod structured;
pub mod table;
