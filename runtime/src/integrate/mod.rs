//! Integration of a [`HybridModel`](crate::model::interface::Model) over time.
//!
//! [`driver::simulate`] owns time, acceptance, events and output; a [`Method`](system::method::Method) owns formulas only;
//! [`diagnostics`] watch the driver and say at its end what a user has to know.
#![forbid(unsafe_code)]

mod crossings;
mod diagnostics;
pub mod driver;
mod experiment;
pub mod methods;
pub mod names;
pub mod system;
pub mod verify;

pub use driver::simulate;
pub use experiment::{Experiment, Solver};
pub use methods::{mixed, multirate, stability};
pub use system::sink::Sink;
pub use system::statistics::Statistics;

#[cfg(test)]
mod problems;
#[cfg(test)]
mod tests;
