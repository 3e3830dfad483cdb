//! Reads result files: MATLAB version 4 in all variants that Modelica tools write, text with commas, and Ptolemy plots.
//!
//! Input: the bytes of a file. Output: a [`Table`]: time, and for every name its values at those times.
//!
//! Method: `.mat` files are read matrix by matrix; both layouts (`binTrans`, `binNormal`), single precision, either byte
//! order and padding with blanks are accepted. Names are found without regard to quotes and blanks, as tools differ in these.
//! Guarantees: sizes are checked before anything is read; a damaged file is an error, never a panic.
//! Cost: linear in the file.

use super::{Format, io_error};
use crate::error::RunError;
use std::collections::HashMap;
use std::path::Path;

/// A result: values of named signals over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Times of the points, ascending; two equal times are an event.
    pub time: Vec<f64>,
    names: Vec<String>,
    sources: Vec<Source>,
    columns: Vec<Vec<f64>>,
    by_name: HashMap<String, usize>,
}

/// Where the values of a signal lie.
#[derive(Copy, Clone, Debug, PartialEq)]
enum Source {
    /// A column, possibly with the opposite sign.
    Column { column: usize, sign: f64 },
    /// Two values: at the start and at the end.
    Constant(f64, f64),
}

/// The form in which names are compared: without quotes and blanks.
fn plain(name: &str) -> String {
    name.chars().filter(|c| *c != '\'' && *c != '"' && *c != ' ').collect()
}

impl Table {
    /// Names of all signals in the order of the file, time excluded.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether there is such a signal.
    pub fn has(&self, name: &str) -> bool {
        let name = plain(name);
        name == "time" || self.by_name.contains_key(&name)
    }

    /// The values of a signal, one for each time.
    pub fn values(&self, name: &str) -> Option<Vec<f64>> {
        let name = plain(name);
        let Some(signal) = self.by_name.get(&name) else {
            return if name == "time" { Some(self.time.clone()) } else { None };
        };
        Some(match self.sources[*signal] {
            Source::Column { column, sign } if sign == 1.0 => self.columns[column].clone(),
            Source::Column { column, sign } => self.columns[column].iter().map(|v| sign * v).collect(),
            Source::Constant(a, b) if a == b => vec![a; self.time.len()],
            Source::Constant(a, b) => {
                let (first, last) = (self.time.first().copied().unwrap_or(0.0), self.time.last().copied().unwrap_or(1.0));
                let span = if last > first { last - first } else { 1.0 };
                self.time.iter().map(|t| a + (b - a) * (t - first) / span).collect()
            }
        })
    }

    /// Whether a signal is known to be constant from where it is stored.
    pub fn is_constant(&self, name: &str) -> bool {
        self.by_name.get(&plain(name)).is_some_and(|signal| matches!(self.sources[*signal], Source::Constant(..)))
    }

    fn add(&mut self, name: String, source: Source) {
        // The first of equal names counts.
        self.by_name.entry(plain(&name)).or_insert(self.names.len());
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
}

/// Reads a result file; the ending of its name tells the format.
pub fn read(path: &Path) -> Result<Table, RunError> {
    let plt = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("plt"));
    let format = if plt { None } else { Some(Format::of(path)?) };
    let bytes = std::fs::read(path).map_err(|error| io_error("read", path, &error))?;
    let table = match format {
        Some(Format::Mat) => read_mat(&bytes),
        Some(Format::Csv) => read_csv(&String::from_utf8_lossy(&bytes)),
        None => read_plt(&String::from_utf8_lossy(&bytes)),
    };
    let table = table.and_then(|table| match table.time.windows(2).position(|w| w[0] > w[1] || w[0].is_nan() || w[1].is_nan()) {
        Some(point) => Err(format!("time goes back at point {}", point + 2)),
        None if table.time.is_empty() => Err("it has no points".to_string()),
        None => Ok(table),
    });
    table.map_err(|reason| RunError::new("R212", format!("`{}` is not a result file that can be read: {reason}", path.display())))
}

/// Reads text with commas (or semicolons): names, then numbers. Lines before the names that begin with `#` are remarks.
pub fn read_csv(text: &str) -> Result<Table, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.lines().enumerate().skip_while(|(_, line)| line.starts_with('#'));
    // Excel's separator line.
    let mut header = lines.next().ok_or("it is empty")?;
    if header.1.trim_start().starts_with("sep=") {
        header = lines.next().ok_or("it has no names")?;
    }
    let separator = if split(header.1, ',').len() == 1 && header.1.contains(';') { ';' } else { ',' };
    let mut names = split(header.1, separator);
    // A separator at the end of the line makes no column.
    if names.len() > 1 && names.last().is_some_and(|name| name.is_empty()) {
        names.pop();
    }
    let time = names.iter().position(|name| plain(name).eq_ignore_ascii_case("time")).ok_or("it has no column `time`")?;
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
    for (number, line) in lines {
        if line.trim().is_empty() {
            continue;
        }
        let mut count = 0;
        for (field, column) in line.split(separator).zip(&mut columns) {
            let field = field.trim().trim_matches('"');
            let value = match field {
                "true" => 1.0,
                "false" => 0.0,
                _ => field.parse().map_err(|_| format!("line {}: `{field}` is not a number", number + 1))?,
            };
            column.push(value);
            count += 1;
        }
        if count < names.len() {
            return Err(format!("line {} has {count} values for {} names", number + 1, names.len()));
        }
    }
    let mut table = Table { time: columns[time].clone(), ..Table::default() };
    for (number, (name, values)) in names.into_iter().zip(columns).enumerate() {
        if number != time {
            let column = table.columns.len();
            table.columns.push(values);
            table.add(name, Source::Column { column, sign: 1.0 });
        }
    }
    Ok(table)
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

/// Reads a Ptolemy plot: data sets of lines `time, value`.
pub fn read_plt(text: &str) -> Result<Table, String> {
    let mut table = Table::default();
    let mut current: Option<(String, Vec<f64>, Vec<f64>)> = None;
    let finish = |table: &mut Table, set: Option<(String, Vec<f64>, Vec<f64>)>| -> Result<(), String> {
        let Some((name, times, values)) = set else { return Ok(()) };
        if table.time.is_empty() {
            table.time = times;
        } else if table.time.len() != times.len() {
            return Err(format!("the data set `{name}` has other times than the first one"));
        }
        if plain(&name) != "time" {
            let column = table.columns.len();
            table.columns.push(values);
            table.add(name, Source::Column { column, sign: 1.0 });
        }
        Ok(())
    };
    for (number, line) in text.lines().enumerate() {
        if let Some(name) = line.strip_prefix("DataSet:") {
            finish(&mut table, current.take())?;
            current = Some((name.trim().to_string(), Vec::new(), Vec::new()));
        } else if let Some((_, times, values)) = &mut current
            && let Some((time, value)) = line.split_once(',')
        {
            let parse = |text: &str| text.trim().parse::<f64>().map_err(|_| format!("line {}: `{text}` is not a number", number + 1));
            times.push(parse(time)?);
            values.push(parse(value)?);
        }
    }
    finish(&mut table, current)?;
    Ok(table)
}

/// One matrix of a `.mat` file, its elements as doubles, by columns.
pub(crate) struct Matrix {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    values: Vec<f64>,
}

impl Matrix {
    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.values[column * self.rows + row]
    }

    /// The texts of a matrix of characters, one per row.
    fn texts(&self) -> Vec<String> {
        (0..self.rows)
            .map(|row| {
                let bytes: Vec<u8> = (0..self.columns).map(|column| self.at(row, column) as u8).collect();
                let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
                String::from_utf8_lossy(&bytes[..end]).trim_end().to_string()
            })
            .collect()
    }

    fn transposed(self) -> Matrix {
        let mut values = Vec::with_capacity(self.values.len());
        for row in 0..self.rows {
            for column in 0..self.columns {
                values.push(self.at(row, column));
            }
        }
        Matrix { rows: self.columns, columns: self.rows, values }
    }
}

/// The matrices of a MATLAB version 4 file, whatever they mean.
pub(crate) fn read_mat_matrices(bytes: &[u8]) -> Result<Vec<(String, Matrix)>, String> {
    let mut matrices = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (name, matrix, after) = read_matrix(rest)?;
        matrices.push((name, matrix));
        rest = after;
    }
    Ok(matrices)
}

/// Reads the result in a MATLAB version 4 file.
pub fn read_mat(bytes: &[u8]) -> Result<Table, String> {
    let mut matrices: HashMap<String, Matrix> = read_mat_matrices(bytes)?.into_iter().collect();
    let mut take = |name: &str| matrices.remove(name);
    let class = take("Aclass").ok_or("it has no matrix `Aclass`")?.texts();
    let transposed = match class.get(3).map(String::as_str) {
        Some("binTrans") => true,
        Some("binNormal") => false,
        _ => return Err("`Aclass` names neither `binTrans` nor `binNormal`".to_string()),
    };
    let mut get = |name: &str| -> Result<Matrix, String> {
        let matrix = take(name).ok_or_else(|| format!("it has no matrix `{name}`"))?;
        Ok(if transposed { matrix.transposed() } else { matrix })
    };
    let names = get("name")?.texts();
    let infos = get("dataInfo")?;
    let data_1 = get("data_1").ok();
    // A result of parameters only has no second matrix.
    let data_2 = get("data_2")?;
    if infos.columns < 2 || infos.rows != names.len() {
        return Err("`dataInfo` does not fit to `name`".to_string());
    }
    let mut table = Table { columns: Vec::with_capacity(data_2.columns), ..Table::default() };
    for column in 0..data_2.columns {
        table.columns.push(data_2.values[column * data_2.rows..(column + 1) * data_2.rows].to_vec());
    }
    table.time = table.columns.first().cloned().ok_or("`data_2` has no columns")?;
    for (number, name) in names.into_iter().enumerate() {
        let channel = infos.at(number, 0);
        let index = infos.at(number, 1);
        let column = index.abs() as usize;
        if column == 0 {
            return Err(format!("the index of `{name}` is 0"));
        }
        let column = column - 1;
        let sign = if index < 0.0 { -1.0 } else { 1.0 };
        if number == 0 && name.eq_ignore_ascii_case("time") {
            continue;
        }
        if channel == 1.0 {
            let data_1 = data_1.as_ref().ok_or("it has no matrix `data_1`")?;
            if column >= data_1.columns || data_1.rows == 0 {
                return Err(format!("`{name}` has no column in `data_1`"));
            }
            table.add(name, Source::Constant(sign * data_1.at(0, column), sign * data_1.at(data_1.rows - 1, column)));
        } else if channel == 2.0 || channel == 0.0 {
            if column >= data_2.columns {
                return Err(format!("`{name}` has no column in `data_2`"));
            }
            table.add(name, Source::Column { column, sign });
        } else {
            return Err(format!("`{name}` lies in matrix {channel}, which is not known"));
        }
    }
    Ok(table)
}

/// The first matrix of the bytes, and what follows it.
fn read_matrix(bytes: &[u8]) -> Result<(String, Matrix, &[u8]), String> {
    let truncated = || "it ends within a matrix".to_string();
    let word = |at: usize| -> Result<[u8; 4], String> {
        bytes.get(at..at + 4).and_then(|slice| slice.try_into().ok()).ok_or_else(truncated)
    };
    // A type below 5000 in one of the byte orders tells which one it is.
    let little = u32::from_le_bytes(word(0)?) < 5000;
    let number = |at: usize| -> Result<usize, String> {
        let bytes = word(at)?;
        Ok(if little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) } as usize)
    };
    let kind = number(0)?;
    let (rows, columns, imaginary, name_length) = (number(4)?, number(8)?, number(12)?, number(16)?);
    if kind / 1000 != usize::from(!little) || kind >= 5000 {
        return Err(format!("it begins with a matrix of type {kind}, which no version 4 file has"));
    }
    if imaginary != 0 {
        return Err("it has a complex matrix".to_string());
    }
    let name_bytes = bytes.get(20..20 + name_length).ok_or_else(truncated)?;
    let name = String::from_utf8_lossy(name_bytes).trim_end_matches('\0').to_string();
    let precision = kind / 10 % 10;
    let width = match precision {
        0 => 8,
        1 | 2 => 4,
        3 | 4 => 2,
        5 => 1,
        _ => return Err(format!("matrix `{name}` has numbers of unknown kind {precision}")),
    };
    let count = rows.checked_mul(columns).ok_or_else(truncated)?;
    let length = count.checked_mul(width).ok_or_else(truncated)?;
    let start = 20 + name_length;
    let end = start.checked_add(length).ok_or_else(truncated)?;
    let data = bytes.get(start..end).ok_or_else(truncated)?;
    let values = data.chunks_exact(width).map(|chunk| element(precision, chunk, little)).collect();
    Ok((name, Matrix { rows, columns, values }, &bytes[end..]))
}

/// One number; `chunk` has the width of the precision.
fn element(precision: usize, chunk: &[u8], little: bool) -> f64 {
    let mut bytes = [0; 8];
    for (i, b) in chunk.iter().enumerate() {
        // To little-endian order.
        bytes[if little { i } else { chunk.len() - 1 - i }] = *b;
    }
    let [a, b, c, d, ..] = bytes;
    match precision {
        0 => f64::from_le_bytes(bytes),
        1 => f64::from(f32::from_le_bytes([a, b, c, d])),
        2 => f64::from(i32::from_le_bytes([a, b, c, d])),
        3 => f64::from(i16::from_le_bytes([a, b])),
        4 => f64::from(u16::from_le_bytes([a, b])),
        _ => f64::from(a),
    }
}
