//! Thins a result to a small reference file: `make_reference RESULT OUT.csv INTERVALS STRIDE WORDS...`.
//!
//! RESULT has INTERVALS equal output intervals, and points at events. Keeps every STRIDE-th point of the grid (both limits of an
//! event there) and the variables that vary, derivatives left out. A stride that is no multiple of a signal's period keeps its
//! range. WORDS say which tool made the result and how; they become the first line.

use partita_runtime::result::read::read;
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let number = |at: usize| arguments.get(at).and_then(|n| n.parse::<f64>().ok());
    let (Some(result), Some(out), Some(intervals), Some(stride)) = (arguments.first(), arguments.get(1), number(2), number(3)) else {
        eprintln!("usage: make_reference RESULT OUT.csv INTERVALS STRIDE WORDS...");
        return ExitCode::from(2);
    };
    let table = match read(Path::new(result)) {
        Ok(table) => table,
        Err(error) => {
            eprintln!("{}", error.title);
            return ExitCode::from(2);
        }
    };
    let varies = |name: &str| table.values(name).is_some_and(|values| values.iter().any(|v| *v != values[0]));
    let names: Vec<&String> =
        table.names().iter().filter(|n| *n != "time" && !n.starts_with("der(") && !n.starts_with('$') && varies(n)).collect();
    let columns: Vec<Vec<f64>> = names.iter().filter_map(|name| table.values(name)).collect();
    let (first, last) = (table.time[0], table.time[table.time.len() - 1]);
    let mut text = format!("# {}\n\"time\"", arguments[4..].join(" "));
    for name in &names {
        let _ = write!(text, ",\"{name}\"");
    }
    text.push('\n');
    let mut previous = String::new();
    for (at, t) in table.time.iter().enumerate() {
        let position = (t - first) / (last - first) * intervals;
        if (position - position.round()).abs() > 1e-6 || position.round() % stride != 0.0 {
            continue;
        }
        let mut line = format!("{t}");
        for column in &columns {
            let _ = write!(line, ",{}", column[at]);
        }
        // The last point is often written twice.
        if line != previous {
            let _ = writeln!(text, "{line}");
            previous = line;
        }
    }
    if let Err(error) = std::fs::write(out, text) {
        eprintln!("{out}: {error}");
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}
