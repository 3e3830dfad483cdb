//! `partita reduce`: a smaller model with a known error.

use crate::failure::{Failure, outside, print};
use crate::input::{Input, libraries, read};
use partita::pipeline;
use partita::reduction::components;
use partita::reduction::rank::{Options, rank};
use partita::reduction::record::record;
use partita::reduction::reference::{Error, Reference, Size, Wish};
use partita::reduction::removal::Study;
use partita::reduction::replacement::Replacement;
use partita_grammar::{Diagnostic, Source};
use partita_runtime::base::files;
use std::path::PathBuf;

/// What is left out.
#[derive(Copy, Clone, Debug, PartialEq, Eq, clap::ValueEnum)]
enum By {
    /// Components that see little energy.
    Components,
    /// Addends of equations.
    Terms,
}

/// Arguments of `reduce`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) input: Input,
    /// What is left out.
    #[arg(long)]
    by: By,
    /// The outputs that have to stay as they are, with commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',', required = true)]
    output: Vec<String>,
    /// How far outputs may be off, as a part of their range: 1% or 0.01.
    #[arg(long, default_value = "1%", value_parser = part)]
    error: f64,
    /// The file of the smaller model.
    #[arg(short, long = "write", value_name = "FILE.mo")]
    o: Option<PathBuf>,
    /// End of the run.
    #[arg(long, allow_negative_numbers = true, value_parser = crate::options::number)]
    stop_time: Option<f64>,
}

/// A part of one, or percent.
fn part(text: &str) -> Result<f64, String> {
    let value = match text.strip_suffix('%') {
        Some(percent) => crate::options::positive(percent).map(|value| value / 100.0),
        None => crate::options::positive(text),
    };
    value.and_then(|value| if value < 1.0 { Ok(value) } else { Err("it has to be less than the whole range".to_string()) })
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut files = arguments.input.files()?;
    arguments.o.iter().try_for_each(|path| files.writes("the model", path)).map_err(outside)?;
    let given = read(&arguments.input)?;
    let libraries = libraries(&arguments.input)?;
    let model = arguments.input.model.as_deref();
    let source = pipeline::flat_source(&given, &libraries, model).map_err(|messages| Failure::Model(given.clone(), messages))?;
    let wish = Wish { source: &source, libraries: &libraries, model, outputs: &arguments.output, stop_time: arguments.stop_time };
    let (reduced, mut text, json) = match arguments.by {
        By::Terms => by_terms(wish, arguments),
        By::Components => by_components(wish, arguments),
    }
    .map_err(|messages| Failure::Model(source.clone(), messages))?;
    if let Some(path) = &arguments.o {
        files.reads_of_models().map_err(outside)?;
        files::write(path, reduced.text.as_bytes()).map_err(outside)?;
        text.push_str(&format!("model in {}\n", path.display()));
    }
    print(&if arguments.input.json { format!("{json:#}\n") } else { text })
}

/// A smaller model, what is said about it, and the same as data.
type Outcome = Result<(Source, String, serde_json::Value), Vec<Diagnostic>>;

/// The lines about error and size that all ways end with.
fn summary(before: Size, error: &Error, asked: f64, runs: usize) -> String {
    let after = error.size;
    format!(
        "error {:.4} % of the range (asked: {} %), found by a run of the smaller model\n\
         equations {} -> {}, states {} -> {}, events {} -> {}, {runs} runs\n\
         valid for this run only: another input, parameter or time may need what this one does not\n",
        100.0 * error.largest(),
        100.0 * asked,
        before.equations,
        after.equations,
        before.states,
        after.states,
        before.events,
        after.events,
    )
}

fn by_terms(wish: Wish, arguments: &Arguments) -> Outcome {
    let study = Study::new(wish)?;
    let reduced = study.reduce(arguments.error).map_err(|message| vec![*message])?;
    let before = study.reference.outputs.size;
    let removed: Vec<String> = reduced.removed.iter().map(|term| study.terms.terms[*term].text.clone()).collect();
    let lines: Vec<usize> = reduced.removed.iter().map(|term| study.terms.line(*term)).collect();
    let json = serde_json::json!({
        "removed": removed, "lines": lines, "terms": study.terms.terms.len(), "error_asked": arguments.error,
        "error": reduced.error.largest(), "errors": reduced.error.of_range, "epsilon": reduced.error.epsilon,
        "before": before, "after": reduced.error.size, "runs": reduced.runs,
    });
    let mut text = format!("{} of {} terms may go:\n", removed.len(), study.terms.terms.len());
    for (term, written) in reduced.removed.iter().zip(&removed) {
        let linear = study.estimate(*term).map_or_else(|| "-".to_string(), |(_, linear)| format!("{linear:.2e}"));
        text.push_str(&format!("  line {:>4}  estimate {linear:>9}  {}\n", study.terms.line(*term), written.replace('\n', " ")));
    }
    text.push_str(&summary(before, &reduced.error, arguments.error, reduced.runs));
    Ok((reduced.source, text, json))
}

fn by_components(wish: Wish, arguments: &Arguments) -> Outcome {
    let flat = pipeline::flat_with(wish.source, wish.libraries, wish.model)?;
    let compiled = pipeline::compile_with(wish.source, wish.libraries, wish.model)?;
    let definition = partita_grammar::parse(wish.source)?;
    let instance = pipeline::instantiate(&compiled, true)?.instance;
    let reference = Reference::new(wish, &compiled)?;
    let found = components::find(&flat);
    let flows = record(&instance, &reference.experiment, &found, None).map_err(|message| vec![*message])?;
    let ranking = rank(&flat, &found, &flows, &compiled.report.states, &Options::default()).map_err(|message| vec![*message])?;
    let replacement = Replacement { reference: &reference, model: &flat, definition: &definition, components: &found };
    let reduced = replacement.reduce(&ranking, arguments.error).map_err(|message| vec![*message])?;
    let before = reference.outputs.size;
    let json = serde_json::json!({
        "removed": reduced.gone, "kept": reduced.kept, "components": found.components.len(), "balance": ranking.balance,
        "error_asked": arguments.error, "error": reduced.error.largest(), "errors": reduced.error.of_range,
        "epsilon": reduced.error.epsilon, "before": before, "after": reduced.error.size, "runs": reduced.runs,
    });
    let mut text = format!("{} of {} components may go:\n", reduced.gone.len(), found.components.len());
    for gone in &reduced.gone {
        text.push_str(&format!("  {}: {} ({})\n", gone.component, gone.way.words(), gone.equation));
    }
    for (name, why) in &reduced.kept {
        text.push_str(&format!("  {name} stays: {why}\n"));
    }
    ranking.notes.iter().for_each(|note| text.push_str(&format!("note: {note}\n")));
    text.push_str(&summary(before, &reduced.error, arguments.error, reduced.runs));
    Ok((reduced.source, text, json))
}
