//! Results as text with commas, in OpenModelica's convention: quoted names, then one line per point.
//!
//! Numbers are the shortest that read back to the same double; Integers and Booleans are whole numbers.
//! Signals that do not vary are left out unless wanted; their values are known only at the end, so their columns come last and are
//! added in a second pass over the lines.
//! Cost: one formatted line per point, buffered; one more pass if there are constant columns.

use crate::plan::{Signal, SlotType};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writer of one file.
#[derive(Debug)]
pub struct CsvWriter {
    out: BufWriter<File>,
    /// Positions in the row and types of the columns.
    columns: Vec<(usize, SlotType)>,
    /// Positions among the signals, and types, of columns that do not vary.
    constants: Vec<(usize, SlotType)>,
    line: Vec<u8>,
}

impl CsvWriter {
    /// Writes the names.
    pub fn new(file: File, signals: &[Signal], keep: &dyn Fn(&Signal) -> bool) -> io::Result<CsvWriter> {
        let mut columns = Vec::new();
        let mut constants = Vec::new();
        let mut line = b"\"time\"".to_vec();
        let mut tail = Vec::new();
        let mut position = 0;
        for (number, signal) in signals.iter().enumerate() {
            if keep(signal) {
                let names = if signal.varies { &mut line } else { &mut tail };
                names.extend_from_slice(b",\"");
                names.extend_from_slice(signal.name.replace('"', "\"\"").as_bytes());
                names.push(b'"');
                if signal.varies {
                    columns.push((position, signal.ty));
                } else {
                    constants.push((number, signal.ty));
                }
            }
            if signal.varies {
                position += 1;
            }
        }
        line.extend_from_slice(&tail);
        line.push(b'\n');
        let mut out = BufWriter::with_capacity(1 << 16, file);
        out.write_all(&line)?;
        Ok(CsvWriter { out, columns, constants, line })
    }

    /// Writes a point.
    pub fn row(&mut self, t: f64, row: &[f64]) -> io::Result<()> {
        self.line.clear();
        number(&mut self.line, t)?;
        for &(position, ty) in &self.columns {
            self.line.push(b',');
            value(&mut self.line, row[position], ty)?;
        }
        self.line.push(b'\n');
        self.out.write_all(&self.line)
    }

    /// Writes what is left; `path` is the file.
    pub fn finish(&mut self, values: &[(usize, f64)], path: &Path) -> io::Result<()> {
        self.out.flush()?;
        if self.constants.is_empty() {
            return Ok(());
        }
        let known: HashMap<usize, f64> = values.iter().copied().collect();
        self.line.clear();
        for &(number, ty) in &self.constants {
            let Some(known) = known.get(&number) else {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("the value of constant signal {number} is not given")));
            };
            self.line.push(b',');
            value(&mut self.line, *known, ty)?;
        }
        self.line.push(b'\n');
        let mut again = path.as_os_str().to_os_string();
        again.push("2");
        let again = PathBuf::from(again);
        let done = append_to_lines(path, &again, &self.line).and_then(|()| std::fs::rename(&again, path));
        if done.is_err() {
            // The first error is the one to tell.
            let _ = std::fs::remove_file(&again);
        }
        done
    }
}

/// Copies a file with `tail` instead of the end of every line but the first.
fn append_to_lines(from: &Path, to: &Path, tail: &[u8]) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, File::create(to)?);
    let mut input = BufReader::with_capacity(1 << 16, File::open(from)?);
    let mut text = Vec::new();
    let mut is_header = true;
    while input.read_until(b'\n', &mut text)? > 0 {
        if !is_header {
            text.pop();
        }
        out.write_all(&text)?;
        if !is_header {
            out.write_all(tail)?;
        }
        is_header = false;
        text.clear();
    }
    out.flush()
}

fn value(out: &mut Vec<u8>, value: f64, ty: SlotType) -> io::Result<()> {
    match ty {
        // A whole double needs no decimal point; anything else would be an error that must stay visible.
        SlotType::Integer | SlotType::Boolean if value.fract() == 0.0 && value.abs() < 1e15 => write!(out, "{}", value as i64),
        _ => number(out, value),
    }
}

/// The shortest text that reads back to the same double, with an exponent where the plain form would be long.
pub(crate) fn number(out: &mut Vec<u8>, value: f64) -> io::Result<()> {
    let size = value.abs();
    if value == 0.0 {
        out.extend_from_slice(b"0");
        Ok(())
    } else if value.is_nan() {
        out.extend_from_slice(b"nan");
        Ok(())
    } else if (1e-5..1e16).contains(&size) || size.is_infinite() {
        write!(out, "{value}")
    } else {
        write!(out, "{value:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_read_back() {
        for (value, text) in [
            (0.1, "0.1"),
            (1.0, "1"),
            (-0.0, "0"),
            (1.0 / 3.0, "0.3333333333333333"),
            (1e-300, "1e-300"),
            (6.02214076e23, "6.02214076e23"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
        ] {
            let mut out = Vec::new();
            number(&mut out, value).unwrap();
            let out = String::from_utf8(out).unwrap();
            assert_eq!(out, text);
            let back: f64 = out.parse().unwrap();
            assert!(back == value || value.is_nan());
        }
    }
}
