//! Results as text with commas, in OpenModelica's convention: quoted names, then one line per point.
//!
//! Numbers are the shortest that read back to the same double; Integers and Booleans are whole numbers.
//! Signals that do not vary are left out unless wanted; their values are known only at the end, so their columns come last and are
//! added in a second pass over the lines.
//! Cost: one line per point, buffered; one more pass if there are constant columns. A number is formatted once per line for all
//! signals that are equal or opposite, and not at all if it is that of the line before: text is what result files cost.

use crate::plan::{Signal, SlotType};
use cranelift_entity::EntityRef;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Writer of one file.
#[derive(Debug)]
pub struct CsvWriter {
    out: BufWriter<File>,
    columns: Vec<Column>,
    /// Positions among the signals, and types, of columns that do not vary.
    constants: Vec<(usize, SlotType)>,
    line: Vec<u8>,
    /// Where the columns lie in `line`.
    places: Vec<Range<usize>>,
    /// The line before, and where its columns lie.
    previous: Vec<u8>,
    previous_places: Vec<Range<usize>>,
    /// The numbers of the line before, as bits.
    previous_bits: Vec<u64>,
}

/// A column that varies.
#[derive(Debug)]
struct Column {
    /// The position in the row.
    position: usize,
    ty: SlotType,
    /// An earlier column that has the same number, or the opposite one.
    like: Option<(usize, Sign)>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Sign {
    Same,
    Opposite,
}

impl CsvWriter {
    /// Writes the names.
    pub fn new(file: File, signals: &[Signal], keep: &dyn Fn(&Signal) -> bool) -> io::Result<CsvWriter> {
        let mut columns: Vec<Column> = Vec::new();
        // The first column that shows a slot, and the factor it shows it with.
        let mut shown: HashMap<usize, (usize, f64)> = HashMap::new();
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
                    let source = signal.source;
                    let mut like = None;
                    if source.offset == 0.0 && source.factor.abs() == 1.0 && signal.ty == SlotType::Real {
                        let (first, factor) = *shown.entry(source.slot.index()).or_insert((columns.len(), source.factor));
                        if first != columns.len() {
                            like = Some((first, if factor == source.factor { Sign::Same } else { Sign::Opposite }));
                        }
                    }
                    columns.push(Column { position, ty: signal.ty, like });
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
        let n = columns.len();
        Ok(CsvWriter {
            out,
            columns,
            constants,
            line,
            places: Vec::with_capacity(n),
            previous: Vec::new(),
            previous_places: Vec::new(),
            previous_bits: vec![0; n],
        })
    }

    /// About how many bytes a point takes: most numbers have 16 or 17 digits.
    pub fn bytes_per_point(&self) -> u64 {
        18 * (self.columns.len() + self.constants.len()) as u64 + 18
    }

    /// Writes a point.
    pub fn row(&mut self, t: f64, row: &[f64]) -> io::Result<()> {
        std::mem::swap(&mut self.line, &mut self.previous);
        std::mem::swap(&mut self.places, &mut self.previous_places);
        self.line.clear();
        self.places.clear();
        number(&mut self.line, t);
        for (i, column) in self.columns.iter().enumerate() {
            self.line.push(b',');
            let begin = self.line.len();
            let bits = row[column.position].to_bits();
            match (column.like, self.previous_places.get(i)) {
                (Some((first, sign)), _) => {
                    let place = self.places[first].clone();
                    match sign {
                        Sign::Same => self.line.extend_from_within(place),
                        Sign::Opposite => opposite(&mut self.line, place),
                    }
                }
                (None, Some(place)) if self.previous_bits[i] == bits => self.line.extend_from_slice(&self.previous[place.clone()]),
                _ => value(&mut self.line, row[column.position], column.ty),
            }
            self.previous_bits[i] = bits;
            self.places.push(begin..self.line.len());
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
            value(&mut self.line, *known, ty);
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

/// Appends the text of the number opposite to the one at `place`.
fn opposite(line: &mut Vec<u8>, place: Range<usize>) {
    match &line[place.clone()] {
        b"0" | b"nan" => line.extend_from_within(place),
        [b'-', ..] => line.extend_from_within(place.start + 1..place.end),
        _ => {
            line.push(b'-');
            line.extend_from_within(place);
        }
    }
}

fn value(out: &mut Vec<u8>, value: f64, ty: SlotType) {
    match ty {
        // A whole double needs no decimal point; anything else would be an error that must stay visible.
        SlotType::Integer | SlotType::Boolean if value.fract() == 0.0 && value.abs() < 1e15 => {
            out.extend_from_slice((value as i64).to_string().as_bytes());
        }
        _ => number(out, value),
    }
}

/// The shortest text that reads back to the same double, with an exponent where the plain form would be long.
fn number(out: &mut Vec<u8>, value: f64) {
    if value == 0.0 {
        out.push(b'0');
    } else if value.is_nan() {
        out.extend_from_slice(b"nan");
    } else {
        let mut buffer = zmij::Buffer::new();
        let text = buffer.format(value);
        out.extend_from_slice(text.strip_suffix(".0").unwrap_or(text).as_bytes());
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
            (6.02214076e23, "6.02214076e+23"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
        ] {
            let mut out = Vec::new();
            number(&mut out, value);
            let out = String::from_utf8(out).unwrap();
            assert_eq!(out, text);
            let back: f64 = out.parse().unwrap();
            assert!(back == value || value.is_nan());
        }
    }
}
