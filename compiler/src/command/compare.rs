//! `partita compare`: is a result the same as a reference?

use crate::compare_html::page;
use crate::failure::{Failure, outside, print};
use crate::input::program_files;
use crate::verdict::{Selection, Verdict};
use clap::builder::TypedValueParser;
use partita_runtime::base::files;
use partita_runtime::result::compare::TUBE;
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
    let verdict =
        Verdict::by(&rules, &arguments.result, &arguments.reference, arguments.signals.as_ref(), arguments.tube, arguments.html.is_some())?;
    if let Some(path) = &arguments.html {
        files::write(path, page(&verdict)?.as_bytes()).map_err(outside)?;
    }
    if arguments.json {
        print(&format!("{}\n", verdict.json()))?;
    } else {
        let place = arguments.html.as_ref().map_or(String::new(), |path| format!("report in {}\n", path.display()));
        print(&format!("{}{place}", verdict.text()))?;
    }
    if verdict.passes() { Ok(()) } else { Err(Failure::Different) }
}
