//! Runs a model: one loop that owns time, acceptance of steps, events, output and the end.

mod assertion;
mod cascade;
mod chatter;
mod constants;
mod grid;
mod left_limit;
mod output;
mod resumable;
mod run;
mod sampled;
mod simulate;
mod trouble;

pub use resumable::Driver;
pub use simulate::simulate;
