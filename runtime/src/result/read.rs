//! Reads result files: MATLAB version 4 in all variants that Modelica tools write, text with commas, and Ptolemy plots.
//!
//! Input: a file, and which of its signals are wanted. Output: a [`Table`]: time, and for every wanted name its values at those
//! times.
//!
//! Method: files are read once from front to back and only what is wanted is kept, so that a large file needs little memory when few
//! signals are asked for. `.mat` files: see [`super::read_mat`]. Names are found without regard to quotes and blanks, as tools
//! differ in these.
//! Guarantees: sizes are checked before anything is read; a damaged file is an error, never a panic.
//! Cost: linear in the file; memory: eight bytes for each wanted number.

use super::number::leading_number;
use super::read_mat::read_mat_from;
use super::{Format, io_error};
use crate::error::RunError;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Cursor};
use std::path::Path;

pub(crate) use super::read_mat::read_mat_matrices;

/// A result: values of named signals over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Times of the points, ascending; two equal times are an event.
    pub time: Vec<f64>,
    names: Vec<String>,
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
    /// In the file, but not wanted.
    Left,
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
        self.by_name.get(&canonical(name)).is_some_and(|signal| self.sources[*signal] != Source::Left)
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
            Source::Left => return None,
        })
    }

    /// Whether a signal is known to be constant from where it is stored.
    pub fn is_constant(&self, name: &str) -> bool {
        self.by_name.get(&canonical(name)).is_some_and(|signal| matches!(self.sources[*signal], Source::Constant(..)))
    }

    pub(super) fn add(&mut self, name: String, source: Source) {
        // The first of equal names counts.
        self.by_name.entry(canonical(&name)).or_insert(self.names.len());
        self.names.push(name);
        self.sources.push(source);
    }

    /// Builds a table from columns, for tests and other sources than files.
    pub fn from_columns(time: Vec<f64>, columns: Vec<(String, Vec<f64>)>) -> Table {
        let mut table = Table { time, ..Table::default() };
        for (name, values) in columns {
            let column = table.columns.len();
            table.columns.push(values);
            table.add(name, Source::Column { column, sign: 1.0 });
        }
        table
    }

    /// Refuses what is no course over time.
    fn checked(self) -> Result<Table, String> {
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
    let unknown = |_| RunError::new("R210", format!("`{}` has no ending of a result file; .mat, .csv and .plt can be read", path.display()));
    let format = if plt { None } else { Some(Format::of(path).map_err(unknown)?) };
    let file = std::fs::File::open(path).map_err(|error| io_error("read", path, &error))?;
    let length = file.metadata().map_err(|error| io_error("read", path, &error))?.len();
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let table = match format {
        Some(Format::Mat) => read_mat_from(&mut reader, length, keep),
        Some(Format::Csv) => csv(&mut reader, keep),
        None => plot(&mut reader, keep),
    };
    let table = table.and_then(Table::checked);
    table.map_err(|reason| RunError::new("R212", format!("`{}` is not a result file that can be read: {reason}", path.display())))
}

/// Reads text with commas (or semicolons): names, then numbers. Lines before the names that begin with `#` are remarks.
pub fn read_csv(text: &str) -> Result<Table, String> {
    csv(&mut text.as_bytes(), &|_| true)?.checked()
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
struct Lines<'a> {
    reader: &'a mut dyn BufRead,
    line: Vec<u8>,
    number: usize,
}

impl Lines<'_> {
    fn next(&mut self) -> Result<Option<(usize, &[u8])>, String> {
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

fn csv(reader: &mut dyn BufRead, keep: &dyn Fn(&str) -> bool) -> Result<Table, String> {
    let mut lines = Lines { reader, line: Vec::new(), number: 0 };
    let header = loop {
        let (number, line) = lines.next()?.ok_or("it has no names")?;
        let line = String::from_utf8_lossy(line).into_owned();
        let line = if number == 1 { line.strip_prefix('\u{feff}').unwrap_or(&line).to_string() } else { line };
        // Remarks, and Excel's line that names the separator.
        if !line.starts_with('#') && !line.trim_start().starts_with("sep=") {
            break line;
        }
    };
    let is_time = |name: &String| canonical(name).eq_ignore_ascii_case("time");
    // Names may contain the other separators.
    let separator = [',', ';', '\t'].into_iter().find(|separator| split(&header, *separator).iter().any(is_time));
    let Some(separator) = separator else {
        let shown: String = header.chars().take(60).collect();
        return Err(format!("it has no column `time`; its names are {shown}"));
    };
    let mut names = split(&header, separator);
    // A separator at the end of the line makes no column.
    if names.len() > 1 && names.last().is_some_and(|name| name.is_empty()) {
        names.pop();
    }
    let time = names.iter().position(is_time).ok_or("it has no column `time`")?;
    let columns: Vec<Option<Vec<f64>>> = names.iter().enumerate().map(|(i, name)| (i == time || keep(name)).then(Vec::new)).collect();
    let mut rows = Rows::new(separator as u8, lines.number, columns);
    let Lines { reader, mut line, .. } = lines;
    loop {
        let buffer = reader.fill_buf().map_err(|error| error.to_string())?;
        if buffer.is_empty() {
            break;
        }
        // All lines that end in the buffer, where they are; what is left of it begins a line that ends behind it.
        let whole = buffer.iter().rposition(|b| *b == b'\n').map_or(0, |last| last + 1);
        rows.read(&buffer[..whole])?;
        reader.consume(whole);
        if whole == 0 {
            line.clear();
            reader.read_until(b'\n', &mut line).map_err(|error| error.to_string())?;
            rows.read(&line)?;
        }
    }
    let mut columns = rows.finish();
    let mut table = Table { time: columns[time].take().unwrap_or_default(), ..Table::default() };
    for (number, (name, values)) in names.into_iter().zip(columns).enumerate() {
        if number == time {
            continue;
        }
        let source = match values {
            Some(values) => {
                table.columns.push(values);
                Source::Column { column: table.columns.len() - 1, sign: 1.0 }
            }
            None => Source::Left,
        };
        table.add(name, source);
    }
    Ok(table)
}

/// Rows of numbers on their way into columns.
struct Rows {
    separator: u8,
    /// The number of the last line.
    number: usize,
    /// The values of each name; none if they are not wanted.
    columns: Vec<Option<Vec<f64>>>,
    wanted: Vec<bool>,
    /// Rows that are not in the columns yet, one after the other: columns grow by whole lines of the cache.
    block: Vec<f64>,
    n_rows: usize,
}

impl Rows {
    /// The rows of a block.
    const BLOCK: usize = 32;

    fn new(separator: u8, number: usize, columns: Vec<Option<Vec<f64>>>) -> Rows {
        let wanted = columns.iter().map(Option::is_some).collect();
        let block = vec![0.0; Rows::BLOCK * columns.len()];
        Rows { separator, number, columns, wanted, block, n_rows: 0 }
    }

    /// Takes whole lines.
    fn read(&mut self, mut text: &[u8]) -> Result<(), String> {
        let n_names = self.wanted.len();
        while !text.is_empty() {
            self.number += 1;
            if text[0].is_ascii_whitespace() {
                let end = text.iter().position(|b| *b == b'\n').map_or(text.len(), |at| at + 1);
                if text[..end].trim_ascii().is_empty() {
                    text = &text[end..];
                    continue;
                }
            }
            let row = &mut self.block[self.n_rows * n_names..][..n_names];
            let length = match usual_row(text, self.separator, &self.wanted, row) {
                Some(length) => length,
                None => any_row(text, self.separator, &self.wanted, row, self.number)?,
            };
            text = &text[length..];
            self.n_rows += 1;
            if self.n_rows == Rows::BLOCK {
                self.flush();
            }
        }
        Ok(())
    }

    /// Puts the rows of the block into the columns.
    fn flush(&mut self) {
        let n_names = self.wanted.len();
        let rows = &self.block[..self.n_rows * n_names];
        for (i, column) in self.columns.iter_mut().enumerate() {
            if let Some(column) = column {
                column.extend(rows.chunks_exact(n_names).map(|row| row[i]));
            }
        }
        self.n_rows = 0;
    }

    fn finish(mut self) -> Vec<Option<Vec<f64>>> {
        self.flush();
        self.columns
    }
}

/// Reads the wanted values of a line and tells its length, if all of it is written in the usual way.
fn usual_row(text: &[u8], separator: u8, wanted: &[bool], row: &mut [f64]) -> Option<usize> {
    let mut at = 0;
    let mut take = |slot: &mut f64, wanted: bool| {
        let rest = &text[at..];
        let length = if wanted {
            let (value, length) = leading_number(rest)?;
            *slot = value;
            length
        } else {
            field_length(rest, separator)
        };
        at += length + 1;
        text.get(at - 1)
    };
    let (last, before) = row.split_last_mut()?;
    let (last_wanted, wanted) = wanted.split_last()?;
    for (slot, wanted) in before.iter_mut().zip(wanted) {
        if *take(slot, *wanted)? != separator {
            return None;
        }
    }
    match take(last, *last_wanted)? {
        b'\n' => Some(at),
        b'\r' if text.get(at) == Some(&b'\n') => Some(at + 1),
        _ => None,
    }
}

/// Reads the wanted values of a line and tells its length.
fn any_row(text: &[u8], separator: u8, wanted: &[bool], row: &mut [f64], number: usize) -> Result<usize, String> {
    let n_names = wanted.len();
    let mut at = 0;
    let mut is_over = false;
    for (i, (slot, wanted)) in row.iter_mut().zip(wanted).enumerate() {
        if is_over {
            return Err(format!("line {number} has {i} values for {n_names} names"));
        }
        let rest = &text[at..];
        let length = field_length(rest, separator);
        if *wanted {
            let usual = leading_number(rest).filter(|(_, digits)| *digits == length);
            *slot = match usual {
                Some((value, _)) => value,
                None => field(&rest[..length], separator).map_err(|reason| format!("line {number}: {reason}"))?,
            };
        }
        is_over = rest.get(length) != Some(&separator);
        at += length + usize::from(!is_over);
    }
    // A separator at the end of the line makes no value.
    let end = at + text[at..].iter().position(|b| *b == b'\n').map_or(text.len() - at, |end| end + 1);
    if !text[at..end].trim_ascii().is_empty() {
        return Err(format!("line {number} has more than {n_names} values, one for each name"));
    }
    Ok(end)
}

/// Where the next separator or the end of the line is.
fn field_length(text: &[u8], separator: u8) -> usize {
    let ends = |b: &u8| *b == separator || matches!(*b, b'\n' | b'\r');
    // Eight bytes at once, while none of them ends the field: the lowest zero byte of a word has its highest bit in this.
    let low = 0x0101_0101_0101_0101_u64;
    let zeros = |word: u64| word.wrapping_sub(low) & !word;
    let mut at = 0;
    while let Some(eight) = text[at..].first_chunk() {
        let word = u64::from_le_bytes(*eight);
        let found = zeros(word ^ low * u64::from(separator)) | zeros(word ^ low * u64::from(b'\n')) | zeros(word ^ low * u64::from(b'\r'));
        let found = found & low << 7;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + text[at..].iter().position(ends).unwrap_or(text.len() - at)
}

/// A value that is not written in the usual way.
fn field(bytes: &[u8], separator: u8) -> Result<f64, String> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim();
    if text.starts_with('"') != (text.len() > 1 && text.ends_with('"')) {
        return Err(format!("the quotes of `{}` hold a `{}`; numbers have decimal points, and only these", text.chars().take(40).collect::<String>(), separator as char));
    }
    let text = text.trim_matches('"').trim();
    match text {
        "true" | "True" => return Ok(1.0),
        "false" | "False" => return Ok(0.0),
        _ => {}
    }
    text.parse().map_err(|_| {
        if separator == b';' && text.contains(',') && text.replacen(',', ".", 1).parse::<f64>().is_ok() {
            format!("`{text}` has a decimal comma; write decimal points")
        } else {
            let shown: String = text.chars().take(40).collect();
            format!("`{shown}` is not a number")
        }
    })
}

/// Fields of a line; quotes protect separators, two quotes in quotes are one.
fn split(line: &str, separator: char) -> Vec<String> {
    let mut fields = Vec::new();
    let mut field = String::new();
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        if quoted {
            if c == '"' {
                if characters.peek() == Some(&'"') {
                    characters.next();
                    field.push('"');
                } else {
                    quoted = false;
                }
            } else {
                field.push(c);
            }
        } else if c == '"' {
            quoted = true;
        } else if c == separator {
            fields.push(std::mem::take(&mut field).trim().to_string());
        } else {
            field.push(c);
        }
    }
    fields.push(field.trim().to_string());
    fields
}

/// Data sets of lines `time, value`, all of the same times.
fn plot(reader: &mut dyn BufRead, keep: &dyn Fn(&str) -> bool) -> Result<Table, String> {
    let mut table = Table::default();
    let mut lines = Lines { reader, line: Vec::new(), number: 0 };
    // The name of the set, its number of points, its values if they are wanted.
    let mut current: Option<(String, usize, Option<Vec<f64>>)> = None;
    let mut is_first = true;
    let finish = |table: &mut Table, set: Option<(String, usize, Option<Vec<f64>>)>| -> Result<(), String> {
        let Some((name, n_points, values)) = set else { return Ok(()) };
        if n_points != table.time.len() {
            return Err(format!("the data set `{name}` has other times than the first one"));
        }
        if canonical(&name) != "time" {
            let source = match values {
                Some(values) => {
                    table.columns.push(values);
                    Source::Column { column: table.columns.len() - 1, sign: 1.0 }
                }
                None => Source::Left,
            };
            table.add(name, source);
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
