//! Partita compiles Modelica models to machine code in memory and simulates them.
//!
//! ```
//! let model = partita::compile("model Decay
//!   parameter Real k = 2;
//!   Real x(start = 1, fixed = true);
//! equation
//!   der(x) = -k*x;
//! end Decay;")?;
//! let fast = model.run().stop_time(3.0).simulate()?;
//! let slow = model.run().set("k", 1.0).stop_time(3.0).simulate()?;
//! assert!(fast.values("x").unwrap().last() < slow.values("x").unwrap().last());
//! assert!(!partita::compare(&slow, &fast).passes());
//! # Ok::<(), partita::Failure>(())
//! ```
//!
//! [`compile`] makes a [`Model`], [`Model::run`] describes a [`Run`], [`Run::simulate`] gives a [`Table`] of results; [`simulate`] does all of it
//! at once. [`compare`] compares two results, [`analyze`] finds time scales. What fails says why in a [`Failure`].
//!
//! The modules are those of the compiler itself; `ARCHITECTURE.md` shows them. They are public for the command line and the tests of the
//! project, and change without notice.

#[doc(inline)]
pub use decouple::cycles::CycleAnalysis;
#[doc(inline)]
pub use partita_grammar::Diagnostic;
#[doc(inline)]
pub use partita_runtime::integrate::Solver;
#[doc(inline)]
pub use partita_runtime::result::{compare::Comparison, read::Table};
#[doc(inline)]
pub use pipeline::embed::{Failure, Model, Run, analyze, compare, compile, simulate};

#[doc(hidden)]
pub mod base;
#[doc(hidden)]
pub mod codegen;
#[doc(hidden)]
pub mod decouple;
#[doc(hidden)]
pub mod equations;
#[doc(hidden)]
pub mod frontend;
#[doc(hidden)]
pub mod pipeline;
#[doc(hidden)]
pub mod program;
#[doc(hidden)]
pub mod reduction;
#[doc(hidden)]
pub mod sorting;
#[doc(hidden)]
pub mod structure;
#[doc(hidden)]
pub mod transform;
