//! What runs with the suggested cuts were found to be worth, beside what the cuts promise: data for the report.
//!
//! The runs themselves are made by `analyze --verify`; here they are only told, in words, as data and as a table of the page.

use super::report::{Measured, Outcome, Report, number};
use crate::base::page::plural;
use serde_json::{Value, json};
use std::fmt::Write;

impl Outcome {
    /// What it is worth, in words.
    fn verdict(&self) -> String {
        match self.speed_up {
            Some(speed_up) if speed_up >= 1.0 => format!("{speed_up:.2} times as fast as bdf"),
            Some(speed_up) => format!("slower than bdf by {:.2}", 1.0 / speed_up),
            None => format!("{}: no speed-up", self.flaw.unwrap_or("not measurable")),
        }
    }

    /// A part of a signal's range as a percentage.
    fn percentage(&self) -> String {
        match (1e5 * self.error).ceil() / 1e3 {
            percent if percent <= 1000.0 => format!("{} %", number(percent)),
            _ => "over 1000 %".to_string(),
        }
    }
}

/// What a cut promises at best: how many times longer its step is than one safe for explicit integration of all states, and how many
/// times fewer unknowns there are than in implicit integration of all states.
pub(super) fn promise(report: &Report, after: usize) -> Option<(f64, f64)> {
    let analysis = &report.analysis;
    let cut = analysis.cuts.iter().find(|cut| cut.after == after)?;
    let fastest = analysis.bounds[*analysis.order.first()?].h_lower;
    Some((cut.threshold / fastest, analysis.names.len() as f64 / after as f64))
}

/// The runs as data.
pub(super) fn data(report: &Report) -> Vec<Value> {
    let one = |measured: &Measured| {
        let (run, failure) = (measured.outcome.as_ref().ok(), measured.outcome.as_ref().err());
        json!({"after": measured.after, "method": measured.method, "run": run, "failure": failure})
    };
    report.measured.iter().map(one).collect()
}

/// Whether splitting pays, in a sentence of the page.
pub(super) struct Verdict {
    pub(super) class: &'static str,
    pub(super) says: String,
}

/// The verdict, if anything was run.
pub(super) fn verdict(report: &Report) -> Option<Verdict> {
    let right = report.measured.iter().filter_map(|measured| Some((measured, measured.outcome.as_ref().ok()?)));
    let best = right.filter_map(|(measured, run)| Some((measured, run, run.speed_up?))).max_by(|a, b| a.2.total_cmp(&b.2));
    let (class, says) = match best {
        None if report.measured.is_empty() => return None,
        None => ("", "no run with a suggested cut was accurate enough to count".to_string()),
        Some((measured, run, speed_up)) if speed_up >= 1.0 => {
            let (with, error) = (plural(measured.after as u64, "fast state"), run.percentage());
            ("good", format!("with {with} the run is {speed_up:.2} times as fast as BDF at the same accuracy ({error})"))
        }
        Some((_, _, speed_up)) => {
            let times = 1.0 / speed_up;
            ("bad", format!("splitting does not pay here; at equal accuracy BDF is {times:.2} times as fast as the best split run"))
        }
    };
    Some(Verdict { class, says })
}

/// The lines of the text.
pub(super) fn text(report: &Report) -> String {
    let mut out = String::new();
    for measured in &report.measured {
        let _ = write!(out, "run {:<6}{}: ", measured.after, measured.method);
        let _ = match &measured.outcome {
            Ok(run) => writeln!(
                out,
                "{} steps, error {} of the range of {}, {:.3} ms, bdf at this accuracy {:.3} ms; {}",
                run.steps,
                run.percentage(),
                run.worst,
                1e3 * run.seconds,
                1e3 * run.bdf_seconds,
                run.verdict()
            ),
            Err(why) => writeln!(out, "{why}"),
        };
    }
    out
}

/// A row of the table of the page.
pub(super) struct Row<'a> {
    pub(super) after: usize,
    pub(super) method: &'a str,
    pub(super) run: Result<Run<'a>, &'a str>,
    pub(super) promise: String,
}

/// A run that ended, in words.
pub(super) struct Run<'a> {
    pub(super) steps: u64,
    pub(super) error: String,
    pub(super) worst: &'a str,
    pub(super) milliseconds: String,
    pub(super) bdf_milliseconds: String,
    pub(super) class: &'static str,
    pub(super) verdict: String,
}

/// The row of a run.
pub(super) fn row<'a>(report: &Report, measured: &'a Measured) -> Row<'a> {
    let promise = promise(report, measured.after).map_or(String::new(), |(steps, unknowns)| {
        format!("steps \u{d7} {}, unknowns \u{f7} {}", number(round(steps)), number(round(unknowns)))
    });
    let run = |run: &'a Outcome| Run {
        steps: run.steps,
        error: run.percentage(),
        worst: &run.worst,
        milliseconds: format!("{:.3}", 1e3 * run.seconds),
        bdf_milliseconds: format!("{:.3}", 1e3 * run.bdf_seconds),
        class: if run.speed_up.is_some_and(|speed_up| speed_up >= 1.0) { "good" } else { "bad" },
        verdict: run.verdict(),
    };
    Row { after: measured.after, method: &measured.method, run: measured.outcome.as_ref().map(run).map_err(String::as_str), promise }
}

/// Three digits are enough for a promise.
fn round(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}
