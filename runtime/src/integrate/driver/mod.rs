//! Runs a model: one loop that owns time, acceptance of steps, events, output and the end.

mod assertion;
mod chatter;
mod constants;
mod grid;
mod left_limit;
mod output;
mod run;
mod sampled;
mod simulate;
mod trouble;

pub use simulate::simulate;
