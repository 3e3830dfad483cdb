//! `partita compare`: is a result the same as a reference?

use crate::compare_html::page;
use crate::failure::{Failure, outside, print};
use crate::input::program_files;
use crate::verdict::{Selection, Verdict};
use clap::builder::TypedValueParser;
use partita_runtime::base::files;
use partita_runtime::result::compare::TUBE;
use partita_runtime::result::distance::Distance;
use partita_runtime::result::rules::Rule;
use std::path::PathBuf;

/// Arguments of `compare`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The result: .mat, .csv or .plt.
    result: PathBuf,
    /// What it should be: .mat, .csv or .plt.
    reference: PathBuf,
    /// Compare only these signals: a file with one name per line, or a regular expression for whole names.
    #[arg(long, visible_alias = "filter", value_parser = clap::builder::OsStringValueParser::new().try_map(|text| Selection::parse(&text)))]
    signals: Option<Selection>,
    /// The rule: tube (at the times of the reference), window (at all times of both), csv-compare, om-diff, om-compare or two-percent.
    #[arg(long, default_value = "tube")]
    rule: Rule,
    /// Show the verdicts of all rules; the exit code is that of --rule.
    #[arg(long)]
    all: bool,
    /// Half-width and half-height of the tube as a part of the time span and of the signal's range.
    #[arg(long, default_value_t = TUBE, value_parser = tube)]
    tube: f64,
    /// Also say how far signals are from the reference: eps of |e| <= eps + eps |y|, at the same time, and at any time (Hausdorff).
    #[arg(long)]
    distance: bool,
    /// Write a report with plots that needs no other file.
    #[arg(long)]
    html: Option<PathBuf>,
    /// Report as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

fn tube(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(tube) if tube > 0.0 && tube < 1.0 => Ok(tube),
        _ => Err("expected a number between 0 and 1".to_string()),
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut files = program_files()?;
    files.reads("the result", &arguments.result).map_err(outside)?;
    files.reads("the reference", &arguments.reference).map_err(outside)?;
    if let Some(Selection::Names(_, path)) = &arguments.signals {
        files.reads("the list of signals", path).map_err(outside)?;
    }
    arguments.html.iter().try_for_each(|path| files.writes("the report", path)).map_err(outside)?;
    let mut rules = vec![arguments.rule];
    if arguments.all {
        rules.extend(Rule::ALL.into_iter().filter(|rule| *rule != arguments.rule));
    }
    let with_values = arguments.html.is_some() || arguments.distance;
    let verdict = Verdict::by(&rules, &arguments.result, &arguments.reference, arguments.signals.as_ref(), arguments.tube, with_values)?;
    let distances = if arguments.distance { verdict.distances() } else { Vec::new() };
    if let Some(path) = &arguments.html {
        files::write(path, page(&verdict)?.as_bytes()).map_err(outside)?;
    }
    if arguments.json {
        let mut report = verdict.json();
        if arguments.distance {
            report["distances"] = distances.iter().map(|(name, distance)| (name.clone(), serde_json::json!(distance))).collect();
        }
        print(&format!("{report}\n"))?;
    } else {
        let place = arguments.html.as_ref().map_or(String::new(), |path| format!("report in {}\n", path.display()));
        print(&format!("{}{}{place}", verdict.text(), table_of(&distances)))?;
    }
    if verdict.passes() { Ok(()) } else { Err(Failure::Different) }
}

/// Distances of the signals that are farthest away.
fn table_of(distances: &[(String, Distance)]) -> String {
    const SHOWN: usize = 10;
    if distances.is_empty() {
        return String::new();
    }
    let mut text = format!("{:<32} {:>10} {:>10} {:>10}\n", "distance", "eps", "same time", "any time");
    for (name, Distance { epsilon, sup, hausdorff }) in distances.iter().take(SHOWN) {
        text.push_str(&format!("  {name:<30} {epsilon:>10.2e} {sup:>10.2e} {hausdorff:>10.2e}\n"));
    }
    if distances.len() > SHOWN {
        text.push_str(&format!("  and {} signals with less\n", distances.len() - SHOWN));
    }
    text
}
