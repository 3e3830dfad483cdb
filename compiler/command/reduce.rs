//! `partita reduce`: a smaller model with a known error.

use crate::failure::{Failure, outside, print};
use crate::input::{Input, libraries, read};
use partita::pipeline;
use partita::reduction::components;
use partita::reduction::order::choose::{self, Measure, Question, Reset, Scenarios};
use partita::reduction::order::scenario::{Confidence, Noise};
use partita::reduction::rank::{Options, rank};
use partita::reduction::record::record;
use partita::reduction::reference::{Error, ReductionOptions, Reference, Size};
use partita::reduction::removal::Study;
use partita::reduction::replacement::Replacement;
use partita_grammar::{Diagnostic, Source};
use partita_runtime::base::files;
use partita_runtime::integrate::Solver;
use partita_runtime::linear::balancing::Rest;
use partita_runtime::model::table::Table;
use std::path::PathBuf;

/// What is left out.
#[derive(Copy, Clone, Debug, PartialEq, Eq, clap::ValueEnum)]
enum By {
    /// Components that see little energy.
    Components,
    /// Addends of equations.
    Terms,
    /// States of an affine model.
    Order,
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
    #[arg(long, default_value = "1%", value_parser = crate::options::part)]
    error: f64,
    /// The file of the smaller model.
    #[arg(short, long = "write", value_name = "FILE.mo")]
    o: Option<PathBuf>,
    /// End of the run.
    #[arg(long, allow_negative_numbers = true, value_parser = crate::options::number)]
    stop_time: Option<f64>,
    #[command(flatten)]
    order: Order,
}

/// What only `--by order` takes.
#[derive(clap::Args, Debug, PartialEq)]
struct Order {
    /// With `--by order`: this order, whatever its error.
    #[arg(long, value_name = "K", value_parser = crate::options::count)]
    order: Option<usize>,
    /// With `--by order`: what decides, errors at the same time or at any time (same-time, any-time).
    #[arg(long, default_value = "same-time")]
    measure: Measure,
    /// With `--by order`: modes as inputs (inputs), or states set anew where modes change (a: projected, b: the free motion fits, c: for
    /// the time of --horizon).
    #[arg(long, default_value = "inputs")]
    reset: Reset,
    /// With `--reset c`: for how long the free motion has to fit.
    #[arg(long, value_name = "TIME", value_parser = crate::options::positive)]
    horizon: Option<f64>,
    /// With `--by order`: states that go are zero, not in equilibrium.
    #[arg(long)]
    truncate: bool,
    /// With `--by order`: judge orders by so many runs with noise on all inputs, or by a table with columns `input@1`,
    /// `input@2`, ... for each scenario.
    #[arg(long, value_name = "N|FILE.csv")]
    scenarios: Option<String>,
    /// Noise of scenarios: standard deviation and how long a value is held.
    #[arg(long, value_name = "SIZE,TIME", default_value = "1,1", value_parser = pair)]
    noise: (f64, f64),
    /// Seed of the first scenario; the next one has the next number.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The part of all scenarios that may be worse than what is found.
    #[arg(long, default_value_t = 0.1, value_parser = fraction)]
    epsilon: f64,
    /// The part of the sample that is left out.
    #[arg(long, default_value_t = 0.05, value_parser = fraction)]
    eta: f64,
    /// The probability that the statement about scenarios is wrong.
    #[arg(long, default_value_t = 1e-6, value_parser = fraction)]
    beta: f64,
    /// With `--by order`: the method of integration of all runs.
    #[arg(long, default_value = "auto")]
    solver: Solver,
}

/// A number from zero to one.
fn fraction(text: &str) -> Result<f64, String> {
    crate::options::number(text)
        .and_then(|value| if (0.0..1.0).contains(&value) { Ok(value) } else { Err("it has to be from 0 to 1".to_string()) })
}

/// Two positive numbers.
fn pair(text: &str) -> Result<(f64, f64), String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|number| crate::options::positive(number).ok()).collect();
    match numbers.as_deref() {
        Some([a, b]) => Ok((*a, *b)),
        _ => Err("expected two numbers above zero with a comma".to_string()),
    }
}

impl Order {
    /// Options of another way are refused, not ignored.
    fn check(&self, by: By, overrides: bool) -> Result<(), Failure> {
        let refuse = |title: &str| Err(Failure::Outside(title.to_string()));
        if by != By::Order && (self.order.is_some() || self.truncate || self.scenarios.is_some() || self.reset != Reset::default()) {
            return refuse("--order, --reset, --truncate and --scenarios go with --by order");
        }
        if self.horizon.is_some() != (self.reset == Reset::FreeMotionFor) {
            return refuse("--horizon goes with --reset c, and --reset c needs it");
        }
        if by == By::Order && overrides {
            return refuse("--by order writes parameters as numbers: put the values into the model instead of --set");
        }
        Ok(())
    }

    fn question(&self, error: f64) -> Result<Question, Failure> {
        let noise = Noise { size: self.noise.0, hold: self.noise.1, seed: self.seed };
        let scenarios = match &self.scenarios {
            None => None,
            Some(text) => match text.parse::<usize>() {
                Ok(n) => Some(Scenarios::Random(n, noise)),
                Err(_) => Some(Scenarios::Given(table(text)?)),
            },
        };
        Ok(Question {
            order: self.order,
            error,
            measure: self.measure,
            reset: self.reset,
            horizon: self.horizon,
            rest: if self.truncate { Rest::Truncated } else { Rest::Residualised },
            scenarios,
            confidence: Confidence { epsilon: self.epsilon, eta: self.eta, beta: self.beta },
            solver: self.solver,
        })
    }
}

/// A table of scenarios.
fn table(path: &str) -> Result<Table, Failure> {
    partita_runtime::result::read::read(std::path::Path::new(path))
        .map_err(|error| Failure::Outside(format!("--scenarios: {}", error.title)))
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut files = arguments.input.files()?;
    arguments.order.check(arguments.by, !arguments.input.set.is_empty())?;
    if let Some(path) = arguments.order.scenarios.as_ref().filter(|text| text.parse::<usize>().is_err()) {
        files.reads("the scenarios", std::path::Path::new(path)).map_err(outside)?;
    }
    arguments.o.iter().try_for_each(|path| files.writes("the model", path)).map_err(outside)?;
    let question = arguments.order.question(arguments.error)?;
    let given = read(&arguments.input)?;
    let libraries = libraries(&arguments.input)?;
    let model = arguments.input.model.as_deref();
    let source = pipeline::flat_source(&given, &libraries, model).map_err(|messages| Failure::Model(given.clone(), messages))?;
    let options =
        ReductionOptions { source: &source, libraries: &libraries, model, outputs: &arguments.output, stop_time: arguments.stop_time };
    let (reduced, mut text, json) = match arguments.by {
        By::Terms => by_terms(options, arguments),
        By::Components => by_components(options, arguments),
        By::Order => by_order(&options, &question),
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

fn by_terms(options: ReductionOptions, arguments: &Arguments) -> Outcome {
    let study = Study::new(options)?;
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

fn by_components(options: ReductionOptions, arguments: &Arguments) -> Outcome {
    let flat = pipeline::flat_with(options.source, options.libraries, options.model)?;
    let compiled = pipeline::compile_with(options.source, options.libraries, options.model)?;
    let definition = partita_grammar::parse(options.source)?;
    let instance = pipeline::instantiate(&compiled, true)?.instance;
    let reference = Reference::new(options, &compiled)?;
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

fn by_order(options: &ReductionOptions, question: &Question) -> Outcome {
    let lowered = choose::reduce(options, question)?;
    Ok((lowered.source.clone(), lowered.to_string(), serde_json::json!(lowered)))
}
