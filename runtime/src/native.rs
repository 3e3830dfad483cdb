//! Functions of the runtime that generated code calls by name: tables, random numbers and the like.
//!
//! The compiler resolves a name once with [`lookup`]; generated code then calls through the pointer. A native function
//! gets its arguments as doubles, fills every output, and returns `false` to refuse the arguments; the reason then is in
//! [`Environment::failure`].

use crate::abi::Environment;

/// A native function. `true` means that all outputs were written.
pub type NativeFn = fn(&mut Environment, &[f64], &mut [f64]) -> bool;

/// The native function of a name, if there is one.
pub fn lookup(_name: &str) -> Option<NativeFn> {
    None
}
