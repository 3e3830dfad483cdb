//! Results as MATLAB version 4 matrices, laid out as OpenModelica and Dymola write them.
//!
//! Matrices in order: `Aclass`, `name`, `description`, `dataInfo`, `data_1` (what does not vary, with its values at the start and
//! at the end), `data_2` (one column per point, row 1 is time). Signals that are equal or opposite share a row: the index in `dataInfo` is
//! negative for the opposite. Aliases of time are row 1 of `data_2`.
//!
//! Guarantees: `data_1` and the number of points are put in at the end; the order of matrices is the one readers expect.
//! Cost: 8 bytes per row and point, buffered.

use super::names::written;
use crate::base::files::AtomicFile;
use crate::model::plan::{Signal, SlotType};
use cranelift_entity::EntityRef;
use std::collections::HashMap;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};

/// Little-endian doubles.
const DOUBLES: u32 = 0;
/// Little-endian 32-bit integers.
const INTEGERS: u32 = 20;
/// Bytes of text.
const TEXT: u32 = 51;

/// Writer of one file.
#[derive(Debug)]
pub struct MatWriter {
    out: BufWriter<AtomicFile>,
    /// Positions in the row of rows 2, 3, ... of `data_2`.
    varying: Vec<usize>,
    /// Positions among the signals of rows 2, 3, ... of `data_1`.
    constants: Vec<usize>,
    /// Where the values of `data_1` begin.
    data_1: u64,
    /// Where the header of `data_2` begins.
    data_2: u64,
    /// Workspace for the bytes of a point.
    column: Vec<u8>,
    n_points: u32,
    first_time: f64,
    last_time: f64,
}

fn header(out: &mut impl Write, kind: u32, rows: usize, columns: usize, name: &str) -> io::Result<()> {
    for value in [kind, size(rows)?, size(columns)?, 0, size(name.len() + 1)?] {
        out.write_all(&value.to_le_bytes())?;
    }
    out.write_all(name.as_bytes())?;
    out.write_all(&[0])
}

fn size(value: usize) -> io::Result<u32> {
    u32::try_from(value).map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "too large for the mat format"))
}

/// A matrix with one text per column, padded with zero bytes.
fn texts(out: &mut impl Write, name: &str, texts: &[String]) -> io::Result<()> {
    let width = texts.iter().map(String::len).max().unwrap_or(0) + 1;
    header(out, TEXT, width, texts.len(), name)?;
    let mut padded = vec![0; width];
    for text in texts {
        padded.fill(0);
        padded[..text.len()].copy_from_slice(text.as_bytes());
        out.write_all(&padded)?;
    }
    Ok(())
}

/// Rows of `data_1` or `data_2`, shared between signals of the same slot.
#[derive(Default)]
struct Rows {
    /// By slot, for signals that are the slot or its negative: row index of the slot's row and the factor it was written with.
    shared: HashMap<usize, (i32, f64)>,
    count: i32,
}

impl Rows {
    /// The row of a signal, negative if it has the opposite sign, and whether it is new.
    fn row(&mut self, signal: &Signal) -> (i32, bool) {
        let source = signal.source;
        // The negation of a Boolean has an offset, hence its own row.
        let shareable = source.offset == 0.0 && source.factor.abs() == 1.0;
        if shareable && let Some((row, factor)) = self.shared.get(&source.slot.index()) {
            if *factor == source.factor {
                return (*row, false);
            }
            if signal.ty != SlotType::Boolean {
                return (-*row, false);
            }
        }
        self.count += 1;
        if shareable {
            self.shared.entry(source.slot.index()).or_insert((self.count, source.factor));
        }
        (self.count, true)
    }
}

/// What a signal is, with its unit and that of displays: `Angle of the shaft [rad|deg]`.
fn described(signal: &Signal) -> String {
    let unit = match signal.display_unit.as_str() {
        _ if signal.unit.is_empty() => return signal.description.clone(),
        "" => format!("[{}]", signal.unit),
        shown if shown == signal.unit => format!("[{}]", signal.unit),
        shown => format!("[{}|{shown}]", signal.unit),
    };
    if signal.description.is_empty() { unit } else { format!("{} {unit}", signal.description) }
}

impl MatWriter {
    /// Writes everything up to the first point.
    pub fn new(file: AtomicFile, signals: &[Signal], keep: &dyn Fn(&Signal) -> bool) -> io::Result<MatWriter> {
        let mut names = vec!["time".to_string()];
        let mut descriptions = vec!["Simulation time [s]".to_string()];
        // Channel, index, linear interpolation, no value outside.
        let mut infos: Vec<[i32; 4]> = vec![[0, 1, 0, -1]];
        let mut varying_rows = Rows { count: 1, ..Rows::default() };
        // Slot 0 is time.
        varying_rows.shared.insert(0, (1, 1.0));
        let mut constant_rows = Rows { count: 1, ..Rows::default() };
        let mut varying = Vec::new();
        let mut constants = Vec::new();
        let mut position = 0;
        for (number, signal) in signals.iter().enumerate() {
            if keep(signal) {
                names.push(written(&signal.name).into_owned());
                descriptions.push(described(signal));
                if signal.varies {
                    let (row, is_new) = varying_rows.row(signal);
                    if is_new {
                        varying.push(position);
                    }
                    infos.push([2, row, 0, 0]);
                } else {
                    let (row, is_new) = constant_rows.row(signal);
                    if is_new {
                        constants.push(number);
                    }
                    infos.push([1, row, 0, 0]);
                }
            }
            if signal.varies {
                position += 1;
            }
        }

        let mut out = BufWriter::with_capacity(1 << 16, file);
        header(&mut out, TEXT, 4, 11, "Aclass")?;
        out.write_all(b"A1\0bt.\0ir1\0na\0\0Tj\0\0re\0\0ac\0\0nt\0\0so\0\0\0r\0\0\0y\0\0\0")?;
        texts(&mut out, "name", &names)?;
        texts(&mut out, "description", &descriptions)?;
        header(&mut out, INTEGERS, 4, infos.len(), "dataInfo")?;
        for info in infos.iter().flatten() {
            out.write_all(&info.to_le_bytes())?;
        }
        header(&mut out, DOUBLES, constants.len() + 1, 2, "data_1")?;
        let data_1 = out.stream_position()?;
        for _ in 0..2 * (constants.len() + 1) {
            out.write_all(&0.0_f64.to_le_bytes())?;
        }
        let data_2 = out.stream_position()?;
        header(&mut out, DOUBLES, varying.len() + 1, 0, "data_2")?;
        let column = Vec::with_capacity(8 * (varying.len() + 1));
        Ok(MatWriter { out, varying, constants, data_1, data_2, column, n_points: 0, first_time: 0.0, last_time: 0.0 })
    }

    /// How many bytes a point takes.
    pub fn bytes_per_point(&self) -> u64 {
        8 * (self.varying.len() as u64 + 1)
    }

    /// Writes a point.
    pub fn row(&mut self, t: f64, row: &[f64]) -> io::Result<()> {
        if self.n_points == 0 {
            self.first_time = t;
        }
        self.last_time = t;
        self.n_points = self
            .n_points
            .checked_add(1)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "too many points for the mat format"))?;
        self.column.clear();
        self.column.extend_from_slice(&t.to_le_bytes());
        self.column.extend(self.varying.iter().flat_map(|&position| row[position].to_le_bytes()));
        self.out.write_all(&self.column)
    }

    /// Puts in what was not known before: the file is whole, but not yet under its name.
    pub fn finish(mut self, values: &[(usize, f64)]) -> io::Result<AtomicFile> {
        let known: HashMap<usize, f64> = values.iter().copied().collect();
        let mut column = Vec::with_capacity(self.constants.len());
        for number in &self.constants {
            let Some(value) = known.get(number) else {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("the value of constant signal {number} is not given")));
            };
            column.push(*value);
        }
        self.out.seek(SeekFrom::Start(self.data_1))?;
        for time in [self.first_time, self.last_time] {
            self.out.write_all(&time.to_le_bytes())?;
            for value in &column {
                self.out.write_all(&value.to_le_bytes())?;
            }
        }
        // The third number of the header is the number of columns.
        self.out.seek(SeekFrom::Start(self.data_2 + 8))?;
        self.out.write_all(&self.n_points.to_le_bytes())?;
        self.out.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::plan::{SignalSource, Slot};

    #[test]
    fn descriptions_end_with_units() {
        let described_as = |[description, unit, display_unit]: [&str; 3]| {
            described(&Signal {
                name: "x".to_string(),
                description: description.to_string(),
                unit: unit.to_string(),
                display_unit: display_unit.to_string(),
                ty: SlotType::Real,
                source: SignalSource { slot: Slot::new(1), factor: 1.0, offset: 0.0 },
                varies: true,
                protected: false,
                derivative: false,
            })
        };
        assert_eq!(described_as(["Angle", "rad", "deg"]), "Angle [rad|deg]");
        assert_eq!(described_as(["", "rad", "rad"]), "[rad]");
        assert_eq!(described_as(["Angle", "rad", ""]), "Angle [rad]");
        assert_eq!(described_as(["Angle", "", "deg"]), "Angle");
    }
}
