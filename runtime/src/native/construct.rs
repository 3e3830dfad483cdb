//! Makes external objects: reads the arguments of their C constructors, and the files that these name.
//!
//! Input: the name of the constructor, its arguments, the files that may be read. Output: an [`Object`], or why there is none.
#![forbid(unsafe_code)]

use super::access::FileAccess;
use super::curve::{Extrapolation, Smoothness};
use super::file;
use super::matrix::Matrix;
use super::object::Object;
use super::table1d::Table1D;
use super::table2d::Table2D;
use super::time_table::{self, TimeTable};
use crate::model::plan::Argument;
use std::sync::Arc;

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
