//! `partita compare`: is a result the same as a reference?

use super::{Failure, print};
use partita_runtime::result::compare::{Comparison, SignalComparison, TUBE, compare};
use partita_runtime::result::read::{Table, read};
use regex::Regex;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Arguments of `compare`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The result: .mat, .csv or .plt.
    result: PathBuf,
    /// What it should be: .mat, .csv or .plt.
    reference: PathBuf,
    /// Compare only signals whose whole name matches this regular expression.
    #[arg(long, value_parser = whole_name)]
    filter: Option<Regex>,
    /// Half-width and half-height of the tube as a part of the time span and of the signal's range.
    #[arg(long, default_value_t = TUBE, value_parser = tube)]
    tube: f64,
    /// Report as JSON.
    #[arg(long)]
    pub(super) json: bool,
}

/// A regular expression that must match a whole name.
pub(super) fn whole_name(text: &str) -> Result<Regex, String> {
    Regex::new(&format!("^(?:{text})$")).map_err(|error| error.to_string())
}

fn tube(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(tube) if tube > 0.0 && tube < 1.0 => Ok(tube),
        _ => Err("expected a number between 0 and 1".to_string()),
    }
}

fn table(path: &Path) -> Result<Table, Failure> {
    read(path).map_err(|error| Failure::Outside(error.title))
}

/// How many of the worst signals are shown.
const SHOWN: usize = 5;

/// What a comparison found, for people and for programs.
pub(super) struct Verdict {
    result: PathBuf,
    reference: PathBuf,
    tube: f64,
    /// Signals of the reference that are names of the tool that wrote it.
    n_internal: usize,
    comparison: Comparison,
}

impl Verdict {
    /// Compares two files. Names that begin with `$` belong to the tool that wrote the reference and are left out.
    pub(super) fn of(result: &Path, reference: &Path, filter: Option<&Regex>, tube: f64) -> Result<Verdict, Failure> {
        let (got, wanted) = (table(result)?, table(reference)?);
        let (internal, own): (Vec<String>, Vec<String>) = wanted.names().iter().cloned().partition(|name| name.starts_with('$'));
        let names: Vec<String> = own.into_iter().filter(|name| filter.is_none_or(|filter| filter.is_match(name))).collect();
        if names.iter().all(|name| name == "time") {
            return Err(Failure::Outside(format!("there is no signal to compare in {}", reference.display())));
        }
        let comparison = compare(&wanted, &got, Some(&names), tube);
        Ok(Verdict { result: result.to_path_buf(), reference: reference.to_path_buf(), tube, n_internal: internal.len(), comparison })
    }

    /// Everything is inside the tube.
    pub(super) fn passes(&self) -> bool {
        self.comparison.passes()
    }

    /// For programs.
    pub(super) fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "result": self.result.display().to_string(),
            "reference": self.reference.display().to_string(),
            "tube": self.tube,
            "inside": self.passes(),
            "within_two_percent": self.comparison.within_two_percent(),
            "missing": self.comparison.missing,
            "short": self.comparison.short,
            "signals": self.comparison.worst(),
        })
    }

    /// For people.
    pub(super) fn text(&self) -> String {
        let comparison = &self.comparison;
        let n = comparison.signals.len();
        let count = |f: fn(&SignalComparison) -> bool| comparison.signals.iter().filter(|signal| f(signal)).count();
        let mut text = format!("{} against {}\n", self.result.display(), self.reference.display());
        let _ = writeln!(text, "inside the tube of {}: {} of {n} signals", self.tube, count(|signal| signal.inside));
        let _ = writeln!(text, "within 2 percent: {} of {n} signals", count(|signal| signal.within_two_percent));
        if self.n_internal > 0 {
            let _ = writeln!(text, "left out: {} signals of the reference whose names begin with $", self.n_internal);
        }
        let _ = writeln!(text, "largest differences, as parts of the signal's range:");
        let mut by_error: Vec<&SignalComparison> = comparison.signals.iter().collect();
        by_error.sort_by(|a, b| b.error_of_range.total_cmp(&a.error_of_range));
        for signal in by_error.into_iter().take(SHOWN) {
            let _ = writeln!(text, "  {:<30} {:>10.1e}{}", signal.name, signal.error_of_range, if signal.inside { "" } else { "  outside" });
        }
        for signal in comparison.worst().into_iter().filter(|signal| !signal.inside).take(SHOWN) {
            let _ = writeln!(text, "{signal}");
        }
        if !comparison.missing.is_empty() {
            let more = comparison.missing.len().saturating_sub(10);
            let names: Vec<&str> = comparison.missing.iter().take(10).map(String::as_str).collect();
            let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
            let _ = writeln!(text, "missing in the result: {}{tail}", names.join(", "));
        }
        if let Some((end, wanted)) = comparison.short {
            let _ = writeln!(text, "the result ends at time {end}, the reference at {wanted}");
        }
        let _ = writeln!(text, "{}", if self.passes() { "the same" } else { "different" });
        text
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let verdict = Verdict::of(&arguments.result, &arguments.reference, arguments.filter.as_ref(), arguments.tube)?;
    if arguments.json {
        print(&format!("{}\n", verdict.json()));
    } else {
        print(&verdict.text());
    }
    if verdict.passes() { Ok(()) } else { Err(Failure::Different) }
}
