//! `partita rank`: which components matter to a run.

use crate::failure::{Failure, outside, print, report};
use crate::input::{Input, libraries, read};
use partita::pipeline;
use partita::reduction::rank::{Metric, Options, rank};
use partita::reduction::record::record;
use partita::reduction::reference::ReductionOptions;
use partita::reduction::removal::Study;
use partita::reduction::term_report::TermRanking;
use partita::reduction::{components, page};
use partita_grammar::Diagnostic;
use partita_runtime::base::files;
use std::path::PathBuf;

/// Arguments of `rank`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) input: Input,
    /// What components are sorted by: activity, rms, pca or relative.
    #[arg(long, default_value = "activity")]
    metric: Metric,
    /// Rank the terms of equations by what they do to outputs, instead of components.
    #[arg(long, requires = "output")]
    terms: bool,
    /// The outputs that terms are judged by, with commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "terms")]
    output: Vec<String>,
    /// Only components below this path; its connectors to the outside have lines of their own.
    #[arg(long, value_name = "PATH")]
    under: Option<String>,
    /// Only so many levels of the hierarchy.
    #[arg(long)]
    depth: Option<usize>,
    /// Only this part of the run: two times with a comma.
    #[arg(long, value_name = "FROM,TO", allow_negative_numbers = true, value_parser = window)]
    window: Option<(f64, f64)>,
    /// Components below this part of the activity, and of what passes through, are suggested for removal.
    #[arg(long, default_value_t = 0.01)]
    threshold: f64,
    /// Write the ranking as one HTML page.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// End of the run.
    #[arg(long, allow_negative_numbers = true, value_parser = crate::options::number)]
    stop_time: Option<f64>,
}

/// Two times.
fn window(text: &str) -> Result<(f64, f64), String> {
    let times: Option<Vec<f64>> = text.split(',').map(|time| time.trim().parse().ok()).collect();
    match times.as_deref() {
        Some([from, to]) if from < to => Ok((*from, *to)),
        _ => Err(format!("`{text}` is no window; it has two times, the earlier one first: 0,2.5")),
    }
}

/// Terms whose true effect is found by a run.
const TRUE_RUNS: usize = 12;
/// Terms with a larger estimate are not run: they matter.
const DECISIVE: f64 = 0.1;

/// Ranks terms.
fn rank_terms(arguments: &Arguments) -> Result<(), Failure> {
    arguments.input.files()?;
    if arguments.html.is_some() || arguments.window.is_some() || arguments.under.is_some() {
        return Err(Failure::Outside("--terms goes without --html, --window and --under".to_string()));
    }
    let given = read(&arguments.input)?;
    let libraries = libraries(&arguments.input)?;
    let model = arguments.input.model.as_deref();
    let source = pipeline::flat_source(&given, &libraries, model).map_err(|messages| Failure::Model(given.clone(), messages))?;
    let options = ReductionOptions {
        source: &source,
        libraries: &libraries,
        model: arguments.input.model.as_deref(),
        outputs: &arguments.output,
        stop_time: arguments.stop_time,
    };
    let study = Study::new(options).map_err(|messages| Failure::Model(source.clone(), messages))?;
    let ranking = TermRanking::new(&study, TRUE_RUNS, DECISIVE);
    if arguments.input.json {
        return print(&format!("{:#}\n", serde_json::json!(ranking)));
    }
    print(&ranking.to_string())
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.terms {
        return rank_terms(arguments);
    }
    let mut files = arguments.input.files()?;
    arguments.html.iter().try_for_each(|path| files.writes("the ranking", path)).map_err(outside)?;
    let source = read(&arguments.input)?;
    let fail = |diagnostics: Vec<Diagnostic>| Failure::Model(source.clone(), diagnostics);
    let wrong = |diagnostic: Box<Diagnostic>| Failure::Model(source.clone(), vec![*diagnostic]);
    let libraries = libraries(&arguments.input)?;
    let model = arguments.input.model.as_deref();
    let flat = pipeline::flat_with(&source, &libraries, model).map_err(fail)?;
    let compiled = pipeline::compile_with(&source, &libraries, model).map_err(fail)?;
    let instance = pipeline::instantiate(&compiled, true).map_err(fail)?.instance;
    if !arguments.input.json {
        report(&source, &compiled.warnings, false);
    }
    let experiment = pipeline::experiment(&compiled.experiment, None, arguments.stop_time);
    let found = components::find(&flat);
    let flows = record(&instance, &experiment, &found, arguments.window).map_err(wrong)?;
    let options =
        Options { metric: arguments.metric, under: arguments.under.clone(), depth: arguments.depth, threshold: arguments.threshold };
    let ranking = rank(&flat, &found, &flows, &compiled.report.states, &options).map_err(wrong)?;
    if let Some(path) = &arguments.html {
        files.reads_of_models().map_err(outside)?;
        files::write(path, page(&ranking).as_bytes()).map_err(outside)?;
    }
    if arguments.input.json {
        return print(&format!("{:#}\n", ranking.json()));
    }
    let place = arguments.html.as_ref().map_or(String::new(), |path| format!("page in {}\n", path.display()));
    print(&format!("{}{place}", ranking.text(arguments.metric)))
}
