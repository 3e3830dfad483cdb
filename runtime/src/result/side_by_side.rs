//! Compares two text files that have the same times while it reads them, without keeping their values.
//!
//! Input: a reference and a result, and which signals of the reference count. Output: what [`super::compare::compare`] says of them, if
//! the largest difference of each signal is enough to say it; otherwise nothing, and the caller reads both into tables.
//!
//! Method: both files are read row by row, side by side; of every signal the range of the reference and the largest difference are
//! remembered. It is given up at the first time that differs and at the first value outside of what is known to be the tube so far.
//! Guarantees: the same answer as that of the tables; what is unusual (names that stand twice, damaged lines, values that are not
//! numbers) is left to them.
//! Cost: linear in the files; memory: the times only.

use super::compare::{Comparison, near};
use super::file_format::FileFormat;
use super::lines::READ_AT_ONCE;
use super::read_csv::CsvRows;
use super::rules::{Difference, Facts, rectangle_of};
use crate::model::table::{Source, Table, canonical};
use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Two results that are nearly the same.
#[derive(Debug)]
pub struct SideBySide {
    /// How they compare by the default rule.
    pub comparison: Comparison,
    /// Times and names of the reference, no values.
    pub reference: Table,
    /// Times and names of the result, no values.
    pub result: Table,
}

/// A signal of both files.
struct Pair {
    /// Its columns.
    reference: usize,
    result: usize,
    /// The range of the reference.
    low: f64,
    high: f64,
    largest: Difference,
}

/// After so many rows it is asked for the first time whether going on promises anything, then whenever there are twice as many.
const FIRST_LOOK: usize = 4096;

/// Compares two files by the default rule with tubes of size `r`; `keep` chooses signals of the reference. `None` if that cannot be done
/// without their values.
pub fn side_by_side(reference: &Path, result: &Path, keep: &dyn Fn(&str) -> bool, r: f64) -> Option<SideBySide> {
    let open = |path: &Path| {
        let is_text = matches!(FileFormat::of(path), Ok(FileFormat::Csv));
        let file = is_text.then(|| File::open(path)).and_then(Result::ok)?;
        Some(BufReader::with_capacity(READ_AT_ONCE, file))
    };
    let (mut reference, mut result) = (open(reference)?, open(result)?);
    let (mut reference, mut result) = (CsvRows::new(&mut reference).ok()?, CsvRows::new(&mut result).ok()?);
    numbers(&reference)?;
    let numbers = numbers(&result)?;
    let is_wanted = |number: usize, name: &str| number != reference.time && keep(name);
    let mut comparison = Comparison::default();
    let mut names = Vec::new();
    let mut pairs: Vec<Pair> = Vec::new();
    for (number, name) in reference.names.iter().enumerate().filter(|(number, name)| is_wanted(*number, name)) {
        match numbers.get(&canonical(name)) {
            Some(&other) => {
                names.push(name.clone());
                pairs.push(Pair {
                    reference: number,
                    result: other,
                    low: f64::INFINITY,
                    high: f64::NEG_INFINITY,
                    largest: Difference::default(),
                });
            }
            None => comparison.missing.push(name.clone()),
        }
    }
    reference.keep(&pairs.iter().map(|pair| pair.reference).collect::<Vec<_>>());
    result.keep(&pairs.iter().map(|pair| pair.result).collect::<Vec<_>>());
    let times = read_pairs(&mut reference, &mut result, &mut pairs, r)?;
    let ends = (*times.first()?, *times.last()?);
    for (name, pair) in names.iter().zip(&pairs) {
        comparison.signals.push(near(&pair.facts(), name, ends, r)?);
    }
    let (reference, result) = (without_values(reference, times.clone())?, without_values(result, times)?);
    (!pairs.is_empty()).then_some(SideBySide { comparison, reference, result })
}

/// The columns by their names, if no name stands twice.
fn numbers(rows: &CsvRows<'_>) -> Option<HashMap<String, usize>> {
    let mut numbers = HashMap::new();
    for (number, name) in rows.names.iter().enumerate() {
        if numbers.insert(canonical(name).to_ascii_lowercase(), number).is_some() {
            return None;
        }
    }
    Some(rows.names.iter().enumerate().map(|(number, name)| (canonical(name), number)).collect())
}

impl Pair {
    #[inline]
    fn see(&mut self, time: f64, expected: f64, value: f64) -> Option<()> {
        self.low = if expected < self.low { expected } else { self.low };
        self.high = if expected > self.high { expected } else { self.high };
        let size = (expected - value).abs();
        // The first point counts even if there is no difference.
        if size <= self.largest.size && !self.largest.time.is_nan() {
            return Some(());
        }
        self.largest = Difference { size, time, expected, value };
        (!size.is_nan()).then_some(())
    }

    fn facts(&self) -> Facts {
        Facts { range: (self.low, self.high), difference: Some(self.largest) }
    }
}

/// Reads both files to their ends; the times, if they are the same and if nothing is outside of the tube.
fn read_pairs(reference: &mut CsvRows<'_>, result: &mut CsvRows<'_>, pairs: &mut [Pair], r: f64) -> Option<Vec<f64>> {
    let (time, other_time) = (reference.time, result.time);
    let mut times = Vec::new();
    let mut next_look = FIRST_LOOK;
    loop {
        let (rows, others) = (reference.next_block().ok()?, result.next_block().ok()?);
        if rows.len() != others.len() {
            return None;
        }
        if rows.len() == 0 {
            return Some(times);
        }
        for (row, other) in rows.zip(others) {
            if row[time] != other[other_time] {
                return None;
            }
            times.push(row[time]);
            for pair in pairs.iter_mut() {
                pair.see(row[time], row[pair.reference], other[pair.result])?;
            }
        }
        if times.len() >= next_look {
            next_look *= 2;
            let ends = (times[0], times[times.len() - 1]);
            let is_outside = |pair: &Pair| pair.largest.size > rectangle_of(ends, (pair.low, pair.high), r).1;
            if pairs.iter().any(is_outside) {
                return None;
            }
        }
    }
}

/// A table of times and names.
fn without_values(rows: CsvRows<'_>, times: Vec<f64>) -> Option<Table> {
    let mut table = Table::from_columns(times, Vec::new());
    for (_, name) in rows.names.into_iter().enumerate().filter(|(number, _)| *number != rows.time) {
        table.add(name, Source::Left { is_constant: false });
    }
    table.checked().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::compare::{TUBE, compare};
    use crate::result::read::{read, read_csv};

    #[test]
    fn the_answer_is_that_of_the_tables() {
        let folder = std::env::temp_dir().join(format!("partita-side-by-side-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (a, b) = (folder.join("a.csv"), folder.join("b.csv"));
        let wave = |shift: f64, n: usize, other: &str| {
            let mut text = format!("time,x,{other},z\n");
            for i in 0..=n {
                let t = i as f64 / n as f64;
                text += &format!("{t},{},{},3\n", (9.0 * t).sin() + shift, 1e3 * t * t - shift);
            }
            text
        };
        let mut decided = 0;
        for (first, second) in [
            (wave(0.0, 100, "y"), wave(0.0, 100, "y")),
            (wave(0.0, 10_000, "y"), wave(1e-4, 10_000, "y")),
            (wave(0.0, 100, "y"), wave(1e-4, 100, "other")),
            (wave(0.0, 100, "y"), wave(1e-4, 100, "Y")),
            (wave(0.0, 100, "y"), wave(0.1, 100, "y")),
            (wave(0.0, 10_000, "y"), wave(0.1, 10_000, "y")),
            (wave(0.0, 100, "y"), wave(1e-4, 101, "y")),
            (wave(0.0, 100, "y"), wave(1e-4, 100, "x")),
            (wave(0.0, 100, "y"), wave(1e-4, 100, "y").replace("\n0.5,", "\n\n0.5,")),
            (wave(0.0, 100, "y"), wave(1e-4, 100, "y").replace(",3\n", ",nan\n")),
            (wave(0.0, 100, "y"), wave(1e-4, 100, "y").replace("\n0.5,", "\n0.4,")),
            (wave(0.0, 100, "y"), wave(1e-4, 100, "y").replace("\n0.5,", "\n0.5,7,")),
            ("time,x\n".to_string(), "time,x\n".to_string()),
            ("time\n1\n".to_string(), "time\n1\n".to_string()),
            ("x;time;y\r\n1;1;1e-7\r\n2;2;1e-7".to_string(), "time,y\n1,1e-7\n2,2e-7\n".to_string()),
            ("x;time;y\r\n1;1;1e-7\r\n2;2;1e-7".to_string(), "time,x\n1,1\n2,2.001\n".to_string()),
        ] {
            std::fs::write(&a, &first).unwrap();
            std::fs::write(&b, &second).unwrap();
            let Some(found) = side_by_side(&a, &b, &|_| true, TUBE) else { continue };
            let (reference, result) = (read(&a).unwrap(), read(&b).unwrap());
            assert_eq!(found.comparison, compare(&reference, &result, None, TUBE));
            assert_eq!((&found.reference.time, found.reference.names()), (&reference.time, reference.names()));
            assert_eq!((&found.result.time, found.result.names()), (&result.time, result.names()));
            assert!(read_csv(&first).is_ok() && !found.reference.is_loaded("x"));
            decided += 1;
        }
        assert_eq!(decided, 6);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
