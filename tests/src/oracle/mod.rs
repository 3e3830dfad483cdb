//! A second opinion on what a model means: a direct interpreter of the syntax tree.
//!
//! Input: a model as `grammar::parse` reads it. Output: the values of its variables at given times. Method: expressions are evaluated
//! as the Modelica specification 3.6 says, node by node; equations must be explicit (`v = e`, `der(x) = e`, `when`, algorithms, in any
//! order) and are evaluated as soon as what they need is known; events are iterated until nothing changes; states are integrated by
//! small steps of the classical Runge-Kutta method, once with half the step, and extrapolated; crossings are found by bisection.
//!
//! Guarantee: shares the parser with the compiler and nothing else. What it does not know is a [`Fault::Unsupported`], never a
//! guess. It watches how near decisions are to flipping by rounding ([`Watch::margin`]). Cost: a tree walk per evaluation, for small models only.

mod arrays;
mod builtins;
mod classes;
mod equations;
mod expressions;
mod functions;
mod integration;
mod model;
mod operators;
mod statements;
#[cfg(test)]
mod tests;
mod value;
mod walk;
mod work;

pub use integration::{Course, follow};
pub use model::Model;
pub use value::{Array, Value};

use std::cell::{Cell, RefCell};
use std::fmt;

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A variable has no value yet; another equation has to be evaluated first.
    Unknown(String),
    /// The model is wrong here: a division by zero, a subscript outside its array, an argument outside the domain.
    Failed(String),
    /// The interpreter does not know this construct.
    Unsupported(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Unknown(name) => write!(f, "`{name}` has no value"),
            Fault::Failed(what) => f.write_str(what),
            Fault::Unsupported(what) => write!(f, "the interpreter does not know {what}"),
        }
    }
}

/// A value, or why there is none.
pub type Evaluated<T = Value> = Result<T, Fault>;

pub(crate) fn failed<T>(what: impl Into<String>) -> Evaluated<T> {
    Err(Fault::Failed(what.into()))
}

pub(crate) fn unsupported<T>(what: impl Into<String>) -> Evaluated<T> {
    Err(Fault::Unsupported(what.into()))
}

/// What is seen while expressions are evaluated, and decisions that are held between events.
#[derive(Debug)]
pub struct Watch {
    /// The smallest distance of a decision (a relation, a rounding to whole numbers) from its other outcome, relative to its terms.
    /// Exact ties are taken as meant.
    pub margin: Cell<f64>,
    /// The largest number met: differences are measured against it.
    pub largest: Cell<f64>,
    /// How much may still be evaluated: an endless loop is a fault.
    pub fuel: Cell<u64>,
    /// Outcomes of decisions on Real numbers of the model in the order of evaluation: relations, whole parts.
    decided: RefCell<Vec<i64>>,
    /// The outcomes that hold between events.
    held: RefCell<Option<Vec<i64>>>,
    /// Depth of function calls; decisions in functions are not held.
    depth: Cell<usize>,
}

/// Evaluations of one model until it counts as endless.
const FUEL: u64 = 20_000_000;

impl Default for Watch {
    fn default() -> Watch {
        Watch {
            margin: Cell::new(f64::INFINITY),
            largest: Cell::new(0.0),
            fuel: Cell::new(FUEL),
            decided: RefCell::new(Vec::new()),
            held: RefCell::new(None),
            depth: Cell::new(0),
        }
    }
}

impl Watch {
    /// Counts one evaluation.
    fn burn(&self) -> Evaluated<()> {
        match self.fuel.get().checked_sub(1) {
            Some(left) => {
                self.fuel.set(left);
                Ok(())
            }
            None => failed("a model that takes too long"),
        }
    }

    fn met(&self, number: f64) {
        self.largest.set(self.largest.get().max(number.abs()));
    }

    /// Notes how far a decision is from its other outcome.
    fn near(&self, distance: f64, size: f64) {
        if distance != 0.0 {
            self.margin.set(self.margin.get().min(distance.abs() / size.abs().max(1.0)));
        }
    }

    /// The outcome of a decision on Real numbers: what it is now, or what is held between events.
    fn decide(&self, now: i64) -> i64 {
        if self.depth.get() > 0 {
            return now;
        }
        let mut decided = self.decided.borrow_mut();
        let at = decided.len();
        decided.push(now);
        self.held.borrow().as_ref().and_then(|held| held.get(at).copied()).unwrap_or(now)
    }
}
