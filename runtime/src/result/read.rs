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

use super::Format;
use super::read_csv::read_csv_from;
use super::read_mat::read_mat_from;
use crate::base::error::RunError;
use crate::base::files::io_error;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Cursor};
use std::path::Path;

pub(crate) use super::read_mat::read_mat_matrix;

/// Bytes of a file that are read at once: few enough to be in the cache when they are looked at.
pub(super) const READ_AT_ONCE: usize = 1 << 16;

/// A result: values of named signals over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Times of the points, ascending; two equal times are an event.
    pub time: Vec<f64>,
    names: Vec<String>,
    /// Units by name, where the file tells them.
    units: HashMap<String, String>,
    sources: Vec<Source>,
    pub(super) columns: Vec<Vec<f64>>,
    by_name: HashMap<String, usize>,
}

/// Where the values of a signal lie.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum Source {
    /// A column, possibly with the opposite sign.
    Column { column: usize, sign: f64 },
    /// Two values: at the start and at the end.
    Constant(f64, f64),
    /// In the file, but not wanted; whether it is stored as a constant is known all the same.
    Left { is_constant: bool },
}

/// The form in which names are compared: without quotes and blanks, derivatives as `der(a.b.x)`, not `a.b.der(x)`.
pub fn canonical(name: &str) -> String {
    let name: String = name.chars().filter(|c| *c != '\'' && *c != '"' && !c.is_whitespace()).collect();
    match name.split_once(".der(") {
        Some((path, rest)) if rest.ends_with(')') && !path.contains('(') => format!("der({path}.{rest}"),
        _ => name,
    }
}

impl Table {
    /// Names of all signals in the order of the file, time excluded.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether there is such a signal.
    pub fn has(&self, name: &str) -> bool {
        let name = canonical(name);
        name == "time" || self.by_name.contains_key(&name)
    }

    /// Whether the values of a signal were read.
    pub fn is_loaded(&self, name: &str) -> bool {
        self.by_name.get(&canonical(name)).is_some_and(|signal| !matches!(self.sources[*signal], Source::Left { .. }))
    }

    /// The values of a signal, one for each time.
    pub fn values(&self, name: &str) -> Option<Vec<f64>> {
        self.column(name).map(Cow::into_owned)
    }

    /// The values of a signal, one for each time, without a copy where they lie in the table as they are.
    pub fn column(&self, name: &str) -> Option<Cow<'_, [f64]>> {
        let name = canonical(name);
        let Some(signal) = self.by_name.get(&name) else {
            return if name == "time" { Some(Cow::Borrowed(&self.time)) } else { None };
        };
        Some(match self.sources[*signal] {
            Source::Column { column, sign } if sign == 1.0 => Cow::Borrowed(&self.columns[column]),
            Source::Column { column, sign } => self.columns[column].iter().map(|v| sign * v).collect(),
            Source::Constant(a, b) if a == b || a.is_nan() => Cow::Owned(vec![a; self.time.len()]),
            Source::Constant(a, b) => {
                let (first, last) = (self.time.first().copied().unwrap_or(0.0), self.time.last().copied().unwrap_or(1.0));
                let span = if last > first { last - first } else { 1.0 };
                self.time.iter().map(|t| a + (b - a) * (t - first) / span).collect()
            }
            Source::Left { .. } => return None,
        })
    }

    /// Whether a signal is known to be constant from where it is stored.
    pub fn is_constant(&self, name: &str) -> bool {
        let is_constant = |signal: &usize| matches!(self.sources[*signal], Source::Constant(..) | Source::Left { is_constant: true });
        self.by_name.get(&canonical(name)).is_some_and(is_constant)
    }

    /// The unit of a signal; empty if the file does not tell.
    pub fn unit(&self, name: &str) -> &str {
        self.units.get(&canonical(name)).map_or("", String::as_str)
    }

    /// Notes the unit of a signal; the first of equal names counts.
    pub(super) fn set_unit(&mut self, name: &str, unit: &str) {
        if !unit.is_empty() {
            self.units.entry(canonical(name)).or_insert_with(|| unit.to_string());
        }
    }

    pub(super) fn add(&mut self, name: String, source: Source) {
        // The first of equal names counts.
        self.by_name.entry(canonical(&name)).or_insert(self.names.len());
        self.names.push(name);
        self.sources.push(source);
    }

    /// Adds a signal with a column of its own, or one whose values were not wanted.
    pub(super) fn add_column(&mut self, name: String, values: Option<Vec<f64>>) {
        let source = match values {
            Some(values) => {
                self.columns.push(values);
                Source::Column { column: self.columns.len() - 1, sign: 1.0 }
            }
            None => Source::Left { is_constant: false },
        };
        self.add(name, source);
    }

    /// Builds a table from columns, for tests and other sources than files.
    pub fn from_columns(time: Vec<f64>, columns: Vec<(String, Vec<f64>)>) -> Table {
        let mut table = Table { time, ..Table::default() };
        for (name, values) in columns {
            table.add_column(name, Some(values));
        }
        table
    }

    /// Refuses what is no course over time.
    pub(super) fn checked(self) -> Result<Table, String> {
        match self.time.windows(2).position(|w| w[0] > w[1] || w[0].is_nan() || w[1].is_nan()) {
            Some(point) => Err(format!("time goes back at point {}", point + 2)),
            None if self.time.is_empty() => Err("it has no points".to_string()),
            None => Ok(self),
        }
    }
}

/// Reads a result file; the ending of its name tells the format.
pub fn read(path: &Path) -> Result<Table, RunError> {
    read_selected(path, &|_| true)
}

/// Reads those signals of a result file that are wanted; names are those in the file.
pub fn read_selected(path: &Path, keep: &dyn Fn(&str) -> bool) -> Result<Table, RunError> {
    let plt = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("plt"));
    let unknown =
        |_| RunError::new("R210", format!("`{}` has no ending of a result file; .mat, .csv and .plt can be read", path.display()));
    let format = if plt { None } else { Some(Format::of(path).map_err(unknown)?) };
    let file = std::fs::File::open(path).map_err(|error| io_error("read", path, &error))?;
    let length = file.metadata().map_err(|error| io_error("read", path, &error))?.len();
    let mut reader = BufReader::with_capacity(READ_AT_ONCE, file);
    let table = match format {
        Some(Format::Mat) => read_mat_from(&mut reader, length, keep),
        Some(Format::Csv) => read_csv_from(&mut reader, keep),
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

/// Lines of bytes, numbered, without their ends.
pub(super) struct Lines<'a> {
    pub(super) reader: &'a mut dyn BufRead,
    pub(super) line: Vec<u8>,
    /// The number of the last one.
    pub(super) number: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(reader: &'a mut dyn BufRead) -> Lines<'a> {
        Lines { reader, line: Vec::new(), number: 0 }
    }

    pub(super) fn next(&mut self) -> Result<Option<(usize, &[u8])>, String> {
        self.line.clear();
        self.number += 1;
        if self.reader.read_until(b'\n', &mut self.line).map_err(|error| error.to_string())? == 0 {
            return Ok(None);
        }
        while self.line.last().is_some_and(|b| matches!(b, b'\n' | b'\r')) {
            self.line.pop();
        }
        Ok(Some((self.number, &self.line)))
    }
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
    loop {
        let Some((number, line)) = lines.next()? else { break };
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
