//! Functions of the runtime that generated code calls by name: the external functions of the Modelica Standard Library.
//!
//! The compiler resolves a name once with [`lookup`]; generated code then calls through the pointer. A native function
//! gets its arguments as doubles, fills every output, and returns `false` to refuse the arguments; the reason then is in
//! [`Environment::failure`].
//!
//! Arguments are those of the C function in their order, without its outputs: arrays row by row in place, Booleans 0 and
//! 1, enumerations their number from 1, strings as positions in [`Environment::strings`], external objects as positions in
//! [`Environment::objects`]. Outputs are those of the Modelica function in the order of their declarations.
//!
//! Guarantees: all state is in the environment, so runs do not see each other and a repeated run gives the same values.

pub mod access;
mod construct;
mod curve;
pub mod environment;
pub mod external;
mod file;
mod foreign;
mod mat5;
mod matrix;
mod memo;
mod object;
mod random;
mod random_functions;
mod signature;
mod table1d;
mod table2d;
mod table_functions;
mod text;
mod time_table;
mod write;

pub use crate::model::plan::Argument;
pub use construct::{can_construct, construct};
pub use environment::{CaughtPanic, Environment, NativeFn};
pub use matrix::Matrix;
pub use object::Object;
pub use random::ImpureRandom;
pub use table1d::Table1D;
pub use table2d::Table2D;
pub use time_table::TimeTable;

use std::sync::Arc;

/// A function that generated code calls by its address.
#[derive(Clone, Debug)]
pub enum Native {
    /// One of the runtime.
    Builtin(NativeFn),
    /// One of a shared library.
    External(Arc<external::External>),
}

impl Native {
    /// Calls it. `true` means that all outputs were written.
    pub fn call(&self, environment: &mut Environment, args: &[f64], outs: &mut [f64]) -> bool {
        match self {
            Native::Builtin(native) => native(environment, args, outs),
            Native::External(external) => external.call(environment, args, outs),
        }
    }
}

/// The native function of a name, if there is one.
pub fn lookup(name: &str) -> Option<NativeFn> {
    let (family, function) = name.split_once('_')?;
    match family {
        "ModelicaStandardTables" => match function.split_once('_')? {
            ("CombiTable1D", function) => table_functions::lookup_1d(function),
            ("CombiTable2D", function) => table_functions::lookup_2d(function),
            ("CombiTimeTable", function) => table_functions::lookup_time(function),
            _ => None,
        },
        "ModelicaRandom" => random_functions::lookup(function),
        "ModelicaStrings" => text::lookup_strings(function),
        "ModelicaInternal" => text::lookup_internal(function),
        "ModelicaIO" => text::lookup_files(function),
        _ => None,
    }
}

/// Whether calls of a native function leave something behind other than a message, or give other results each time.
pub fn has_effect(name: &str) -> bool {
    matches!(
        name,
        "ModelicaRandom_setInternalState_xorshift1024star"
            | "ModelicaRandom_impureRandom_xorshift1024star"
            | "ModelicaInternal_removeFile"
            | "ModelicaIO_writeRealMatrix"
    )
}

#[cfg(test)]
mod tests;
