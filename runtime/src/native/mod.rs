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
mod curve;
pub mod external;
mod file;
mod mat5;
mod random;
mod table1d;
mod table2d;
mod text;
mod time_table;
mod write;

pub use file::Matrix;
pub use random::ImpureRandom;
pub use table1d::Table1D;
pub use table2d::Table2D;
pub use time_table::TimeTable;

use crate::abi::Environment;
use access::FileAccess;
use curve::{Extrapolation, Smoothness};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A native function. `true` means that all outputs were written.
pub type NativeFn = fn(&mut Environment, &[f64], &mut [f64]) -> bool;

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

/// An argument of the constructor of an external object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Argument {
    /// A String.
    Text(String),
    /// A scalar (no dimensions) or an array, row by row.
    Numbers {
        /// The lengths of the dimensions.
        dims: Vec<usize>,
        /// The elements.
        values: Vec<f64>,
    },
}

/// An external object. Cloning is cheap: the data is shared, the state is not.
#[derive(Clone, Debug)]
pub enum Object {
    /// A table of one argument.
    Table1D(Arc<Table1D>),
    /// A table of two arguments.
    Table2D(Arc<Table2D>),
    /// A table over time, which also gives events.
    TimeTable(TimeTable),
}

impl Object {
    /// Forgets what happened since the construction.
    pub fn reset(&mut self) {
        match self {
            Object::Table1D(_) | Object::Table2D(_) => {}
            Object::TimeTable(table) => table.reset(),
        }
    }
}

/// The native function of a name, if there is one.
pub fn lookup(name: &str) -> Option<NativeFn> {
    let (family, function) = name.split_once('_')?;
    match family {
        "ModelicaStandardTables" => match function.split_once('_')? {
            ("CombiTable1D", function) => table1d::lookup(function),
            ("CombiTable2D", function) => table2d::lookup(function),
            ("CombiTimeTable", function) => time_table::lookup(function),
            _ => None,
        },
        "ModelicaRandom" => random::lookup(function),
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

/// Whether an external object of this constructor can be made.
pub fn can_construct(constructor: &str) -> bool {
    Constructor::of(constructor).is_some()
}

/// Makes an external object. `constructor` is the name of the C function, `arguments` are those of the call;
/// `files` may be read.
pub fn construct(constructor: &str, arguments: &[Argument], files: &FileAccess) -> Result<Object, String> {
    let form = Constructor::of(constructor).ok_or_else(|| format!("there is no external object with the constructor {constructor}"))?;
    let mut arguments = Arguments { constructor, all: arguments, next: 0 };
    let object = match form {
        Constructor::Table1D(version) => {
            let source = TableSource::read(&mut arguments, version)?;
            let columns = arguments.columns()?;
            let smoothness = Smoothness::of(arguments.whole()?)?;
            let extrapolation = if version == 1 { Extrapolation::LastTwoPoints } else { Extrapolation::of(arguments.whole()?)? };
            let matrix = source.matrix(&mut arguments, version, files)?;
            Object::Table1D(Arc::new(Table1D::new(&matrix, &columns, smoothness, extrapolation)?))
        }
        Constructor::Table2D(version) => {
            let source = TableSource::read(&mut arguments, version)?;
            let smoothness = Smoothness::of(arguments.whole()?)?;
            let extrapolation = if version == 1 { Extrapolation::LastTwoPoints } else { Extrapolation::of(arguments.whole()?)? };
            let matrix = source.matrix(&mut arguments, version, files)?;
            Object::Table2D(Arc::new(Table2D::new(&matrix, smoothness, extrapolation)?))
        }
        Constructor::TimeTable(version) => {
            let source = TableSource::read(&mut arguments, version)?;
            let start_time = arguments.number()?;
            let columns = arguments.columns()?;
            let smoothness = Smoothness::of(arguments.whole()?)?;
            let extrapolation = Extrapolation::of(arguments.whole()?)?;
            // In the oldest form the table began at its start time, with events everywhere.
            let (shift_time, events) = if version == 1 {
                (start_time, time_table::Events::Always)
            } else {
                (arguments.number()?, time_table::Events::of(arguments.whole()?)?)
            };
            let matrix = source.matrix(&mut arguments, version, files)?;
            let options = time_table::Options { start_time, shift_time, smoothness, extrapolation, events };
            Object::TimeTable(TimeTable::new(&matrix, &columns, options)?)
        }
    };
    arguments.finish()?;
    Ok(object)
}

/// A known constructor with its version: 1 for `_init`, 2 for `_init2`, 3 for `_init3`.
#[derive(Copy, Clone)]
enum Constructor {
    Table1D(u8),
    Table2D(u8),
    TimeTable(u8),
}

impl Constructor {
    fn of(name: &str) -> Option<Constructor> {
        let (kind, version) = name.strip_prefix("ModelicaStandardTables_")?.split_once('_')?;
        let version = match version {
            "init" => 1,
            "init2" => 2,
            "init3" => 3,
            _ => return None,
        };
        match kind {
            "CombiTable1D" => Some(Constructor::Table1D(version)),
            "CombiTable2D" => Some(Constructor::Table2D(version)),
            "CombiTimeTable" => Some(Constructor::TimeTable(version)),
            _ => None,
        }
    }
}

/// The arguments of a constructor, taken one by one.
struct Arguments<'a> {
    constructor: &'a str,
    all: &'a [Argument],
    next: usize,
}

impl<'a> Arguments<'a> {
    fn take(&mut self) -> Result<&'a Argument, String> {
        let argument = self.all.get(self.next).ok_or_else(|| format!("{} has too few arguments", self.constructor))?;
        self.next += 1;
        Ok(argument)
    }

    fn wrong(&self, wanted: &str) -> String {
        format!("argument {} of {} must be {wanted}", self.next, self.constructor)
    }

    fn text(&mut self) -> Result<&'a str, String> {
        match self.take()? {
            Argument::Text(text) => Ok(text),
            Argument::Numbers { .. } => Err(self.wrong("a String")),
        }
    }

    fn numbers(&mut self) -> Result<&'a [f64], String> {
        match self.take()? {
            Argument::Numbers { values, .. } => Ok(values),
            Argument::Text(_) => Err(self.wrong("a number or an array of numbers")),
        }
    }

    fn number(&mut self) -> Result<f64, String> {
        match self.numbers()? {
            [value] => Ok(*value),
            _ => Err(self.wrong("a single number")),
        }
    }

    fn whole(&mut self) -> Result<usize, String> {
        let value = self.number()?;
        if value >= 0.0 && value <= f64::from(u32::MAX) && value.trunc() == value {
            Ok(value as usize)
        } else {
            Err(self.wrong("a whole number, not negative"))
        }
    }

    /// `columns` and its size.
    fn columns(&mut self) -> Result<Vec<usize>, String> {
        let values = self.numbers()?;
        let mut columns = Vec::with_capacity(values.len());
        for &value in values {
            if !(value >= 1.0 && value <= f64::from(u32::MAX) && value.trunc() == value) {
                return Err(format!("{value} is not the number of a column"));
            }
            columns.push(value as usize);
        }
        if self.whole()? == columns.len() { Ok(columns) } else { Err(self.wrong("the number of columns")) }
    }

    fn finish(&self) -> Result<(), String> {
        if self.next == self.all.len() { Ok(()) } else { Err(format!("{} has too many arguments", self.constructor)) }
    }
}

/// Where the numbers of a table come from: the names of file and table, or the matrix in the model.
struct TableSource<'a> {
    file: &'a str,
    table: &'a str,
    matrix: Matrix,
}

impl<'a> TableSource<'a> {
    /// Takes names, matrix and its sizes.
    fn read(arguments: &mut Arguments<'a>, version: u8) -> Result<TableSource<'a>, String> {
        let first = arguments.text()?;
        let second = arguments.text()?;
        let (file, table) = if version == 1 { (second, first) } else { (first, second) };
        let values = arguments.numbers()?;
        let n_rows = arguments.whole()?;
        let n_columns = arguments.whole()?;
        let matrix = Matrix::new(n_rows, n_columns, values.to_vec())
            .ok_or_else(|| format!("the table has {} elements, not {n_rows} times {n_columns}", values.len()))?;
        Ok(TableSource { file, table, matrix })
    }

    /// Takes the arguments that tell how to read a file, and gives the table.
    fn matrix(self, arguments: &mut Arguments<'a>, version: u8, files: &FileAccess) -> Result<Matrix, String> {
        if version >= 2 {
            let _verbose = arguments.number()?;
        }
        let (delimiter, n_header_lines) = if version >= 3 { (arguments.text()?, arguments.whole()?) } else { (",", 0) };
        let named = |name: &str| name != "NoName" && !name.trim_matches(' ').is_empty();
        let is_csv = self.file.to_ascii_lowercase().ends_with(".csv");
        match (named(self.file), named(self.table)) {
            (true, true) => file::read_table(self.file, self.table, delimiter, n_header_lines, files),
            (true, false) if is_csv => file::read_table(self.file, "", delimiter, n_header_lines, files),
            (false, false) => Ok(self.matrix),
            (true, false) => Err(format!("the table has a file name, `{}`, but no table name", self.file)),
            (false, true) => Err(format!("the table `{}` shall come from a C function `usertab`, which is not supported", self.table)),
        }
    }
}

/// Writes the only output, or the reason why there is none.
fn finish(environment: &mut Environment, outputs: &mut [f64], result: Result<f64, String>) -> bool {
    let result = result.and_then(|value| match outputs {
        [output] => {
            *output = value;
            Ok(())
        }
        _ => Err(wrong_call()),
    });
    settle(environment, result)
}

/// Keeps the reason of a failure.
fn settle(environment: &mut Environment, result: Result<(), String>) -> bool {
    match result {
        Ok(()) => true,
        Err(reason) => {
            environment.failure = Some(reason);
            false
        }
    }
}

/// Accepts the destruction of an object: the environment owns it.
fn close(environment: &mut Environment, arguments: &[f64], outputs: &mut [f64]) -> bool {
    let result = match (arguments, &*outputs) {
        ([object], []) => object_at(environment, *object).map(|_| ()),
        _ => Err(wrong_call()),
    };
    settle(environment, result)
}

fn wrong_call() -> String {
    "an external function is called with a wrong number of arguments".to_string()
}

/// The object of an argument.
fn object_at(environment: &Environment, argument: f64) -> Result<&Object, String> {
    let object = environment.objects.get(argument as usize).filter(|_| argument >= 0.0);
    object.ok_or_else(|| format!("there is no external object {argument}"))
}

/// Puts the name of the object before a reason.
fn about(environment: &Environment, argument: f64, reason: String) -> String {
    match environment.object_names.get(argument as usize) {
        Some(name) if argument >= 0.0 && !name.is_empty() => format!("{name}: {reason}"),
        _ => reason,
    }
}

#[cfg(test)]
mod tests;
