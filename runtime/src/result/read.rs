//! Reads result files: MATLAB version 4 in all variants that Modelica tools write, text with commas, and Ptolemy plots.
//!
//! Input: a file, and which of its signals are wanted. Output: a [`Table`]: time, and for every wanted name its values at those
//! times.
//!
//! Method: files are read once from front to back and only what is wanted is kept, so that a large file needs little memory when few
//! signals are asked for. `.mat` files: see [`super::read_mat`]; text: [`super::read_csv`]. Names are found without regard to quotes and blanks, as tools
//! differ in these.
//! Guarantees: sizes are checked before anything is read; a damaged file is an error, never a panic.
//! Cost: linear in the file; memory: eight bytes for each wanted number.

pub use crate::model::table::{Table, canonical};

use super::file_format::FileFormat;
use super::lines::{Lines, READ_AT_ONCE};
use super::read_csv::read_csv_from;
use super::read_mat::read_mat_from;
use crate::base::error::RunError;
use crate::base::files::io_error;
use std::io::{BufRead, BufReader, Cursor};
use std::path::Path;

/// Reads a result file; the ending of its name tells the format.
pub fn read(path: &Path) -> Result<Table, RunError> {
    read_selected(path, &|_| true)
}

/// Reads those signals of a result file that are wanted; names are those in the file.
pub fn read_selected(path: &Path, keep: &dyn Fn(&str) -> bool) -> Result<Table, RunError> {
    let plt = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("plt"));
    let unknown =
        |_| RunError::new("R210", format!("`{}` has no ending of a result file; .mat, .csv and .plt can be read", path.display()));
    let format = if plt { None } else { Some(FileFormat::of(path).map_err(unknown)?) };
    let file = std::fs::File::open(path).map_err(|error| io_error("read", path, &error))?;
    let length = file.metadata().map_err(|error| io_error("read", path, &error))?.len();
    let mut reader = BufReader::with_capacity(READ_AT_ONCE, file);
    let table = match format {
        Some(FileFormat::Mat) => read_mat_from(&mut reader, length, keep),
        Some(FileFormat::Csv) => read_csv_from(&mut reader, keep),
        None => plot(&mut reader, keep),
    };
    let table = table.and_then(Table::checked);
    table.map_err(|reason| RunError::new("R212", format!("`{}` is not a result file that can be read: {reason}", path.display())))
}

/// Reads text with commas (or semicolons): names, then numbers. Lines before the names that begin with `#` are remarks.
pub fn read_csv(text: &str) -> Result<Table, String> {
    read_csv_from(&mut text.as_bytes(), &|_| true)?.checked()
}

/// Reads a Ptolemy plot: data sets of lines `time, value`.
pub fn read_plt(text: &str) -> Result<Table, String> {
    plot(&mut text.as_bytes(), &|_| true)?.checked()
}

/// Reads the result in a MATLAB version 4 file.
pub fn read_mat(bytes: &[u8]) -> Result<Table, String> {
    read_mat_from(&mut Cursor::new(bytes), bytes.len() as u64, &|_| true)?.checked()
}

/// Data sets of lines `time, value`, all of the same times.
fn plot(reader: &mut dyn BufRead, keep: &dyn Fn(&str) -> bool) -> Result<Table, String> {
    let mut table = Table::default();
    let mut lines = Lines::new(reader);
    // The name of the set, its number of points, its values if they are wanted.
    let mut current: Option<(String, usize, Option<Vec<f64>>)> = None;
    let mut is_first = true;
    let finish = |table: &mut Table, set: Option<(String, usize, Option<Vec<f64>>)>| -> Result<(), String> {
        let Some((name, n_points, values)) = set else { return Ok(()) };
        if n_points != table.time.len() {
            return Err(format!("the data set `{name}` has other times than the first one"));
        }
        if canonical(&name) != "time" {
            table.add_column(name, values);
        }
        Ok(())
    };
    while let Some((number, line)) = lines.next()? {
        let line = String::from_utf8_lossy(line).into_owned();
        if let Some(name) = line.strip_prefix("DataSet:") {
            is_first = current.is_none();
            finish(&mut table, current.take())?;
            let name = name.trim().to_string();
            let values = keep(&name).then(Vec::new);
            current = Some((name, 0, values));
        } else if let Some((name, n_points, values)) = &mut current
            && let Some((time, value)) = line.split_once(',')
        {
            let parse = |text: &str| text.trim().parse::<f64>().map_err(|_| format!("line {number}: `{text}` is not a number"));
            let time = parse(time)?;
            if is_first {
                table.time.push(time);
            } else if table.time.get(*n_points) != Some(&time) {
                return Err(format!("line {number}: the data set `{name}` has other times than the first one"));
            }
            *n_points += 1;
            if let Some(values) = values {
                values.push(parse(value)?);
            }
        }
    }
    finish(&mut table, current)?;
    Ok(table)
}
