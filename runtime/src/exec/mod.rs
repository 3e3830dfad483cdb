//! One run of a compiled model: an immutable plan with its code, and the values of the run.
//!
//! [`Instance`] implements [`crate::model::interface::HybridModel`]: integrators see an ordinary differential equation with events, while
//! blocks of equations are solved, events iterated and initial values found behind it.
//!
//! Errors of this module: R101 no initial values, R102 an event cannot be handled, R103 an event does not settle, R104 a failed
//! assertion, R105 a useless `sample`, R106 a malformed plan (a bug), R107 an accepted point that cannot be evaluated,
//! R108 an external object that cannot be made, R109 (a warning) start values that lead elsewhere than Newton's method.
#![forbid(unsafe_code)]

mod blocks;
mod check;
mod evaluate_subset;
mod events;
mod initialisation;
mod inputs;
mod instance;
mod jacobian;
mod machine;
mod model;
mod partial;
pub mod profile;
mod selection;
mod settings;
mod statistics;
mod subset;
mod tables;
mod variants;
mod workspace;

pub use inputs::InputError;
pub use instance::Instance;
pub use settings::{SetError, near_names};
pub use statistics::Statistics;

#[cfg(test)]
mod tests;
