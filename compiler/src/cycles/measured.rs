//! What runs with the suggested cuts were found to be worth, beside what the cuts promise: data for the report.
//!
//! The runs themselves are made by `analyze --verify`; here they are only told, in words, as data and as a table of the page.

use super::html::plural;
use super::report::{Report, number};
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Write;

/// One mixed-mode run with a suggested cut.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Number of fast states.
    pub after: usize,
    /// The formulas and the step, in words.
    pub method: String,
    /// What came out, or why nothing did.
    pub outcome: Result<Outcome, String>,
}

/// A run that ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// Steps that were taken.
    pub steps: u64,
    /// Largest error of a signal as a part of its range, against a run with a tight tolerance.
    pub error: f64,
    /// The signal with that error.
    pub worst: String,
    /// Seconds of processor time.
    pub seconds: f64,
    /// The same for the default method at this accuracy.
    pub bdf_seconds: f64,
    /// The latter by the former; nothing if the result has a flaw.
    pub speed_up: Option<f64>,
    /// Which, in a word or two.
    pub flaw: Option<&'static str>,
}

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
pub(super) fn verdict(report: &Report) -> String {
    let right = report.measured.iter().filter_map(|measured| Some((measured, measured.outcome.as_ref().ok()?)));
    let best = right.filter_map(|(measured, run)| Some((measured, run, run.speed_up?))).max_by(|a, b| a.2.total_cmp(&b.2));
    match best {
        None if report.measured.is_empty() => String::new(),
        None => " <b>Measured: no run with a suggested cut was accurate enough to count.</b>".to_string(),
        Some((measured, run, speed_up)) if speed_up >= 1.0 => {
            format!(" <b class=g>Measured: with {} the run is {speed_up:.2} times as fast as BDF at the same accuracy ({}).</b>", plural(measured.after as u64, "fast state"), run.percentage())
        }
        Some((_, _, speed_up)) => format!(" <b class=b>Measured: splitting does not pay here; at equal accuracy BDF is {:.2} times as fast as the best split run.</b>", 1.0 / speed_up),
    }
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

/// The table of the page.
pub(super) fn table(report: &Report, escape: fn(&str) -> String) -> String {
    if report.measured.is_empty() {
        return "<p>Not measured: <code>partita analyze --verify</code> runs the model with each cut and fills this in.</p>\n".to_string();
    }
    let mut out = String::from(
        "<p>Each suggested cut was run, by the simplest formulas with a fixed step, and by better ones that choose their steps from error estimates. The error is the largest of any signal, as a part of the range of its values, against a run of the whole model with a tight tolerance. The time is compared with that of the default method (BDF, all states implicit) at the same accuracy. The last column is what the time scales alone promise: how much longer the steps are than explicit ones of all states could be, and how many times fewer unknowns there are than with all states implicit.</p>\n<table><tr><th class=n>fast states</th><th>run</th><th class=n>steps</th><th class=n>error</th><th class=n>time [ms]</th><th class=n>BDF [ms]</th><th>measured</th><th>promised at best</th></tr>\n",
    );
    for measured in &report.measured {
        let promise = promise(report, measured.after).map_or(String::new(), |(steps, unknowns)| {
            format!("steps \u{d7} {}, unknowns \u{f7} {}", number(round(steps)), number(round(unknowns)))
        });
        let _ = write!(out, "<tr><td class=n>{}</td><td>{}</td>", measured.after, escape(&measured.method));
        let _ = match &measured.outcome {
            Ok(run) => {
                let class = match run.speed_up {
                    Some(speed_up) if speed_up >= 1.0 => "g",
                    _ => "b",
                };
                write!(
                    out,
                    "<td class=n>{}</td><td class=n>{}<br><span class=k>{}</span></td><td class=n>{:.3}</td><td class=n>{:.3}</td><td class={class}>{}</td>",
                    run.steps,
                    run.percentage(),
                    escape(&run.worst),
                    1e3 * run.seconds,
                    1e3 * run.bdf_seconds,
                    run.verdict()
                )
            }
            Err(why) => write!(out, "<td colspan=5 class=b>{}</td>", escape(why)),
        };
        let _ = writeln!(out, "<td class=k>{promise}</td></tr>");
    }
    out.push_str("</table>\n");
    out
}

/// Three digits are enough for a promise.
fn round(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}
