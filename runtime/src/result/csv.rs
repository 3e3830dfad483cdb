//! Results as text with commas, in OpenModelica's convention: quoted names, then one line per point.
//!
//! Numbers are the shortest that read back to the same double; Integers and Booleans are whole numbers.
//! Signals that do not vary are left out unless wanted; their values are known only at the end, so their columns come last and are
//! added in a second pass over the lines.
//! Cost: one line per point, buffered; one more pass if there are constant columns. A number is formatted once per line for all
//! signals that are equal or opposite, and not at all if it is that of the line before: text is what result files cost.

use super::names::written;
use crate::base::files::AtomicFile;
use crate::model::plan::{Signal, SlotType};
use cranelift_entity::EntityRef;
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};

/// Writer of one file.
#[derive(Debug)]
pub struct CsvWriter {
    out: BufWriter<AtomicFile>,
    columns: Vec<Column>,
    /// Positions among the signals, and types, of columns that do not vary.
    constants: Vec<(usize, SlotType)>,
    /// Workspace for a line of the longest numbers.
    line: Vec<u8>,
    /// Where the columns lie in `line`: begin and length.
    places: Vec<(u32, u32)>,
    /// The line before, and where its columns lie.
    previous: Vec<u8>,
    previous_places: Vec<(u32, u32)>,
    /// The numbers of the line before, as bits.
    previous_bits: Vec<u64>,
    /// There is no line before.
    is_first: bool,
}

/// No number is longer; texts are copied in pieces of this length, which is faster than by their own.
const WIDEST: usize = 32;

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
    pub fn new(file: AtomicFile, signals: &[Signal], keep: &dyn Fn(&Signal) -> bool) -> io::Result<CsvWriter> {
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
                names.extend_from_slice(written(&signal.name).replace('"', "\"\"").as_bytes());
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
        // The time, the columns with their commas, the end, and what a copy writes beyond its text.
        let longest = (n + 1) * (WIDEST + 1) + 2 * WIDEST;
        Ok(CsvWriter {
            out,
            columns,
            constants,
            line: vec![0; longest],
            places: vec![(0, 0); n],
            previous: vec![0; longest],
            previous_places: vec![(0, 0); n],
            previous_bits: vec![0; n],
            is_first: true,
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
        let line = &mut self.line[..];
        let mut at = number(line, 0, t);
        for (i, column) in self.columns.iter().enumerate() {
            line[at] = b',';
            at += 1;
            let value = row[column.position];
            let bits = value.to_bits();
            let length = match column.like {
                Some((first, sign)) => {
                    let (begin, length) = self.places[first];
                    let text = piece(line, begin);
                    match sign {
                        Sign::Same => put(line, at, &text, length),
                        Sign::Opposite => put_opposite(line, at, &text, length),
                    }
                }
                None if self.previous_bits[i] == bits && !self.is_first => {
                    let (begin, length) = self.previous_places[i];
                    put(line, at, &piece(&self.previous, begin), length)
                }
                None => write_value(line, at, value, column.ty) as u32,
            };
            self.previous_bits[i] = bits;
            self.places[i] = (at as u32, length);
            at += length as usize;
        }
        line[at] = b'\n';
        self.is_first = false;
        self.out.write_all(&line[..=at])
    }

    /// Writes what is left: the file is whole, but not yet under its name.
    pub fn finish(self, values: &[(usize, f64)]) -> io::Result<AtomicFile> {
        let lines = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        if self.constants.is_empty() {
            return Ok(lines);
        }
        let known: HashMap<usize, f64> = values.iter().copied().collect();
        let mut tail = Vec::new();
        let mut text = [0; WIDEST];
        for &(number, ty) in &self.constants {
            let Some(known) = known.get(&number) else {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("the value of constant signal {number} is not given")));
            };
            let length = write_value(&mut text, 0, *known, ty);
            tail.push(b',');
            tail.extend_from_slice(&text[..length]);
        }
        tail.push(b'\n');
        append_to_lines(lines, &tail)
    }
}

/// A file with `tail` instead of the end of every line but the first.
fn append_to_lines(mut lines: AtomicFile, tail: &[u8]) -> io::Result<AtomicFile> {
    let mut out = BufWriter::with_capacity(1 << 16, lines.again()?);
    lines.rewind()?;
    let mut input = BufReader::with_capacity(1 << 16, lines);
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
    out.into_inner().map_err(io::IntoInnerError::into_error)
}

/// The bytes from a place on; a text and what follows it.
fn piece(line: &[u8], begin: u32) -> [u8; WIDEST] {
    let begin = begin as usize;
    let mut piece = [0; WIDEST];
    piece.copy_from_slice(&line[begin..begin + WIDEST]);
    piece
}

/// Writes the text at the beginning of a piece, and what follows it, which the next text overwrites; its length.
fn put(line: &mut [u8], at: usize, text: &[u8; WIDEST], length: u32) -> u32 {
    line[at..at + WIDEST].copy_from_slice(text);
    length
}

/// The same for the text of the opposite number.
fn put_opposite(line: &mut [u8], at: usize, text: &[u8; WIDEST], length: u32) -> u32 {
    match &text[..length as usize] {
        b"0" | b"nan" => put(line, at, text, length),
        [b'-', ..] => {
            let mut rest = [0; WIDEST];
            rest[..WIDEST - 1].copy_from_slice(&text[1..]);
            put(line, at, &rest, length - 1)
        }
        _ => {
            line[at] = b'-';
            put(line, at + 1, text, length) + 1
        }
    }
}

/// Writes a number of some type; its length.
fn write_value(line: &mut [u8], at: usize, value: f64, ty: SlotType) -> usize {
    match ty {
        // A whole double needs no decimal point; anything else would be an error that must stay visible.
        SlotType::Integer | SlotType::Boolean if value == 0.0 || value == 1.0 => {
            line[at] = b'0' + value as u8;
            1
        }
        SlotType::Integer | SlotType::Boolean if value.fract() == 0.0 && value.abs() < 1e15 => {
            write_text(line, at, &(value as i64).to_string())
        }
        _ => number(line, at, value) - at,
    }
}

fn write_text(line: &mut [u8], at: usize, text: &str) -> usize {
    line[at..at + text.len()].copy_from_slice(text.as_bytes());
    text.len()
}

/// Writes the shortest text that reads back to the same double, with an exponent where the plain form would be long; its end.
fn number(line: &mut [u8], at: usize, value: f64) -> usize {
    at + if value == 0.0 {
        write_text(line, at, "0")
    } else if value.is_nan() {
        write_text(line, at, "nan")
    } else {
        let mut buffer = zmij::Buffer::new();
        let text = buffer.format(value);
        write_text(line, at, text.strip_suffix(".0").unwrap_or(text))
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
            let mut out = [0; WIDEST];
            let end = number(&mut out, 0, value);
            let out = std::str::from_utf8(&out[..end]).unwrap();
            assert_eq!(out, text);
            let back: f64 = out.parse().unwrap();
            assert!(back == value || value.is_nan());
        }
    }
}
