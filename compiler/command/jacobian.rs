//! `partita run --jacobian`: the Jacobian of the derivatives by the states at points of the run, as text, as a file, as JSON.

use crate::failure::{Failure, outside};
use partita::decouple::cycles::report::OperatingPoint;
use partita_runtime::base::files;
use std::fmt::Write;
use std::path::Path;

/// More states make a list of entries instead of a matrix.
const WIDEST: usize = 8;

/// The matrices as text: small ones in rows and columns, others entry by entry. Entries that are zero whatever the states are
/// are left out of lists and dots in matrices.
pub(crate) fn text(points: &[OperatingPoint]) -> String {
    let mut text = String::new();
    for point in points {
        let names = point.jacobian.names();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "jacobian of the derivatives at time {}: {} entries", point.time, point.jacobian.values().len());
        let left = names.iter().map(|name| name.len() + 5).max().unwrap_or(0);
        if names.len() <= WIDEST {
            let mut cells = vec![vec![".".to_string(); names.len()]; names.len()];
            point.jacobian.entries().for_each(|(row, column, value)| cells[row][column] = format!("{value:.6e}"));
            let _ = writeln!(text, "{:left$}{}", "", names.iter().map(|name| format!(" {name:>14}")).collect::<String>());
            for (name, row) in names.iter().zip(cells) {
                let _ =
                    writeln!(text, "{:left$}{}", format!("der({name})"), row.iter().map(|cell| format!(" {cell:>14}")).collect::<String>());
            }
        } else {
            let mut entries: Vec<(usize, usize, f64)> = point.jacobian.entries().collect();
            entries.sort_by_key(|(row, column, _)| (*row, *column));
            for (row, column, value) in entries {
                let _ = writeln!(text, "{:left$} by {:<left$} {value:>14.6e}", format!("der({})", names[row]), names[column]);
            }
        }
    }
    text
}

/// All entries as a table: time, derivative, state, value.
fn csv(points: &[OperatingPoint]) -> String {
    let mut text = "\"time\",\"derivative\",\"state\",\"value\"\n".to_string();
    for point in points {
        let names = point.jacobian.names();
        for (row, column, value) in point.jacobian.entries() {
            let _ = writeln!(text, "{},\"der({})\",\"{}\",{value}", point.time, names[row], names[column]);
        }
    }
    text
}

/// Writes the table.
pub(crate) fn write(path: &Path, points: &[OperatingPoint]) -> Result<(), Failure> {
    files::write(path, csv(points).as_bytes()).map_err(outside)
}

/// The matrices for `--json`: per time the states and the entries as row, column, value, counted from 0.
pub(crate) fn json(points: &[OperatingPoint]) -> serde_json::Value {
    let one = |point: &OperatingPoint| {
        let entries: Vec<(usize, usize, f64)> = point.jacobian.entries().collect();
        serde_json::json!({ "time": point.time, "states": point.jacobian.names(), "entries": entries })
    };
    serde_json::json!(points.iter().map(one).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use partita::decouple::cycles::Jacobian;

    fn point(n: usize) -> OperatingPoint {
        let names: Vec<String> = (0..n).map(|i| format!("x{i}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let rows: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| if j <= i && i < 2 { (i + 2 * j) as f64 - 0.5 } else { 0.0 }).collect()).collect();
        OperatingPoint { time: 0.25, jacobian: Jacobian::dense(&names, &rows).expect("all entries are finite") }
    }

    #[test]
    fn small_ones_are_matrices_and_large_ones_lists() {
        let small = text(&[point(2)]);
        assert_eq!(
            small,
            "jacobian of the derivatives at time 0.25: 3 entries\n                    x0             x1\nder(x0)   -5.000000e-1              .\nder(x1)    5.000000e-1     2.500000e0\n"
        );
        let large = text(&[point(9)]);
        assert!(large.contains("der(x1) by x0"), "{large}");
        assert_eq!(large.lines().count(), 4);
        assert_eq!(csv(&[point(9)]).lines().nth(1), Some("0.25,\"der(x0)\",\"x0\",-0.5"));
        assert_eq!(json(&[point(2)])[0]["entries"][2][2], 2.5);
    }
}
