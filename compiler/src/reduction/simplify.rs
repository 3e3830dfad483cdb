//! What makes a model faster, smaller or clearer: tries what applies and measures it.
//!
//! Input: a source, its outputs, the error that is allowed and the purpose. Output: [`Simplification`]: one row for each technique that was
//! tried, with its true error and time, or why it does not apply. Method: the reference runs first; then each technique of the purpose on
//! its own, decoupling (how the model is solved, which keeps it as it is), components, terms and order (other models). A technique is one
//! entry of [`techniques`] and one arm of [`Attempt::of`]: there is the place for further ones. Guarantee: nothing is applied; errors
//! are those of runs, times those of the processor, the best of three, the reference and the candidate taking turns. Cost: that of the
//! techniques.

use super::components;
use super::order::choose::{self, Measure, Question, Reset};
use super::order::scenario::Confidence;
use super::rank::{Options, rank};
use super::record::{self, record};
use super::reference::{Outputs, POINTS, ReductionOptions, Reference, Size, first};
use super::removal::Study;
use super::replacement::Replacement;
use crate::decouple::cycles::Choice;
use crate::decouple::decision;
use crate::pipeline;
use cpu_time::ThreadTime;
use partita_grammar::{Diagnostic, Source};
use partita_runtime::exec::Instance;
use partita_runtime::integrate::{Experiment, Solver};
use partita_runtime::linear::balancing::Rest;
use serde::Serialize;
use std::fmt;

/// Runs that are timed.
const TIMED: usize = 3;
/// How slow and fast states are treated.
const DECOUPLING: &str = "step=adaptive";
/// A run that takes less, in seconds, says nothing about speed.
const TOO_SHORT: f64 = 1e-4;

/// What a simpler model is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// To be run fast.
    Fast,
    /// To have few equations.
    Small,
    /// To be understood.
    Insight,
    /// To have few states.
    Order,
}

impl std::str::FromStr for Purpose {
    type Err = String;

    fn from_str(word: &str) -> Result<Purpose, String> {
        match word {
            "fast" => Ok(Purpose::Fast),
            "small" => Ok(Purpose::Small),
            "insight" => Ok(Purpose::Insight),
            "order" => Ok(Purpose::Order),
            _ => Err(format!("there is no purpose `{word}`; there are fast, small, insight, order")),
        }
    }
}

/// A way to a simpler model.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Technique {
    /// Slow states explicitly, fast ones implicitly.
    Decoupling,
    /// Components that see little energy are left out.
    Components,
    /// Terms of equations are left out.
    Terms,
    /// Fewer states for an affine model.
    Order,
}

impl Technique {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Technique::Decoupling => "decouple",
            Technique::Components => "components",
            Technique::Terms => "terms",
            Technique::Order => "order",
        }
    }
}

/// What is tried for a purpose, in this order: what keeps the model first.
pub fn techniques(purpose: Purpose) -> &'static [Technique] {
    match purpose {
        Purpose::Fast => &[Technique::Decoupling, Technique::Terms],
        Purpose::Small => &[Technique::Components, Technique::Terms, Technique::Order],
        Purpose::Insight => &[Technique::Components, Technique::Terms],
        Purpose::Order => &[Technique::Order],
    }
}

/// A technique that was tried.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Which.
    pub technique: Technique,
    /// What it changes.
    pub change: String,
    /// Continuous states.
    pub states: usize,
    /// Equations.
    pub equations: usize,
    /// The largest error of an output as a part of its range; nothing if the technique does not apply.
    pub error: Option<f64>,
    /// Time of the reference by time of the row.
    pub speed: Option<f64>,
    /// Valid for every run, not only for this one.
    pub general: bool,
    /// The error is more than what was allowed.
    pub too_far: bool,
    /// Why it does not apply.
    pub refused: Option<String>,
    /// The model, if it is another one.
    #[serde(skip)]
    pub source: Option<Source>,
    /// How to run it, if it is not.
    pub flags: Option<String>,
    /// Values of outputs at the times of comparison.
    #[serde(skip)]
    pub courses: Vec<Vec<f64>>,
}

/// All techniques that were tried.
#[derive(Clone, Debug, Serialize)]
pub struct Simplification {
    /// The model.
    pub model: String,
    /// What for.
    pub purpose: Purpose,
    /// Names of outputs.
    pub outputs: Vec<String>,
    /// The error that is allowed.
    pub asked: f64,
    /// The model as it is.
    pub before: Size,
    /// From when to when it ran.
    pub span: (f64, f64),
    /// What was tried.
    pub rows: Vec<Row>,
    /// Times of comparison and the outputs of the model as it is.
    #[serde(skip)]
    pub reference: (Vec<f64>, Vec<Vec<f64>>),
}

/// What a technique gave.
struct Attempt {
    change: String,
    source: Option<Source>,
    flags: Option<String>,
    outputs: Outputs,
    general: bool,
    /// A run that can be repeated.
    instance: Instance,
    experiment: Experiment,
}

/// Tries what serves a purpose.
pub fn simplify(options: &ReductionOptions, purpose: Purpose, allowed: f64) -> Result<Simplification, Vec<Diagnostic>> {
    let compiled = pipeline::compile_with(options.source, options.libraries, options.model)?;
    let reference = Reference::new(options.clone(), &compiled)?;
    let instance = pipeline::instantiate(&compiled, true)?.instance;
    let grid = fine(&reference.experiment);
    let rows = techniques(purpose).iter().map(|technique| row(*technique, &reference, &instance, &grid, allowed)).collect();
    let all = 0..options.outputs.len();
    let times = reference.pairs(&reference.outputs, 0).map(|(time, ..)| time).collect();
    Ok(Simplification {
        model: compiled.report.model.clone(),
        purpose,
        outputs: options.outputs.to_vec(),
        asked: allowed,
        before: reference.outputs.size,
        span: (reference.experiment.start_time, reference.experiment.stop_time),
        rows,
        reference: (times, all.map(|output| reference.pairs(&reference.outputs, output).map(|(_, y, _)| y).collect()).collect()),
    })
}

/// Results at the times of comparison.
fn fine(experiment: &Experiment) -> Experiment {
    Experiment { interval: Some(experiment.span() / POINTS as f64), ..experiment.clone() }
}

fn row(technique: Technique, reference: &Reference, instance: &Instance, grid: &Experiment, allowed: f64) -> Row {
    let before = reference.outputs.size;
    let empty = Row {
        technique,
        change: "-".to_string(),
        states: before.states,
        equations: before.equations,
        error: None,
        speed: None,
        general: false,
        too_far: false,
        refused: None,
        source: None,
        flags: None,
        courses: Vec::new(),
    };
    let attempt = match Attempt::of(technique, reference, allowed) {
        Ok(attempt) => attempt,
        Err(why) => return Row { refused: Some(why), ..empty },
    };
    let error = reference.compare(&attempt.outputs).largest();
    let course = |output: usize| reference.pairs(&attempt.outputs, output).map(|(_, _, y)| y).collect();
    Row {
        change: attempt.change.clone(),
        states: attempt.outputs.size.states,
        equations: attempt.outputs.size.equations,
        error: Some(error),
        speed: speed((instance, grid), (&attempt.instance, &attempt.experiment)),
        general: attempt.general,
        too_far: error > allowed,
        courses: (0..reference.options.outputs.len()).map(course).collect(),
        source: attempt.source,
        flags: attempt.flags,
        ..empty
    }
}

/// Time of one run by time of another one, the best of several that take turns.
fn speed(reference: (&Instance, &Experiment), candidate: (&Instance, &Experiment)) -> Option<f64> {
    let time = |(instance, experiment): (&Instance, &Experiment)| {
        let clock = ThreadTime::now();
        record::run(instance, experiment, &[]).ok().map(|_| clock.elapsed().as_secs_f64())
    };
    let (mut before, mut after) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..TIMED {
        before = before.min(time(reference)?);
        after = after.min(time(candidate)?);
    }
    (after > TOO_SHORT && before > TOO_SHORT).then(|| before / after)
}

impl Attempt {
    /// Tries a technique; or says why it does not apply.
    fn of(technique: Technique, reference: &Reference, allowed: f64) -> Result<Attempt, String> {
        match technique {
            Technique::Decoupling => Attempt::decoupled(reference).unwrap_or_else(|message| Err(message.title)),
            Technique::Components => Attempt::without_components(reference, allowed).unwrap_or_else(|messages| Err(title(messages))),
            Technique::Terms => Attempt::without_terms(reference, allowed).unwrap_or_else(|messages| Err(title(messages))),
            Technique::Order => Attempt::of_lower_order(reference, allowed).unwrap_or_else(|messages| Err(title(messages))),
        }
    }

    /// Another model.
    fn model(reference: &Reference, source: Source, change: String) -> Result<Attempt, Vec<Diagnostic>> {
        let options = &reference.options;
        let compiled = pipeline::compile_with(&source, options.libraries, options.model)?;
        let instance = pipeline::instantiate(&compiled, true)?.instance;
        let outputs = reference.run(&source).map_err(|message| vec![*message])?;
        let experiment = fine(&reference.experiment);
        Ok(Attempt { change, source: Some(source), flags: None, outputs, general: false, instance, experiment })
    }

    fn decoupled(reference: &Reference) -> Result<Result<Attempt, String>, Box<Diagnostic>> {
        let options = &reference.options;
        let structured = pipeline::structure_with(options.source, options.libraries, options.model).map_err(first)?;
        let compiled = pipeline::program(structured.clone(), &[]).map_err(first)?;
        let instance = pipeline::instantiate(&compiled, true).map_err(first)?.instance;
        // Only steps with error control promise anything about outputs.
        let asked = decision::DecoupleOptions { choice: Choice::parse(DECOUPLING)?, ..decision::DecoupleOptions::default() };
        let decided = decision::decide(&instance, &reference.experiment, &asked)?;
        let Some(split) = decided.split() else { return Ok(Err(decided.refused.unwrap_or_default())) };
        let parts = pipeline::mixed_parts(compiled.program.plan.states.len(), &split.fast);
        let compiled = pipeline::program(structured, &parts).map_err(first)?;
        let instance = pipeline::instantiate(&compiled, true).map_err(first)?.instance;
        let experiment = Experiment { split: Some(split), step: Some(decided.step), ..fine(&reference.experiment) };
        let outputs = reference.run_instance(&compiled, &instance, &experiment)?;
        let change = format!("{} of {} states implicitly, the others explicitly", decided.fast.len(), decided.states);
        let flags = Some(format!("--decouple {DECOUPLING}"));
        Ok(Ok(Attempt { change, source: None, flags, outputs, general: true, instance, experiment }))
    }

    fn without_components(reference: &Reference, allowed: f64) -> Result<Result<Attempt, String>, Vec<Diagnostic>> {
        let one = |message: Box<Diagnostic>| vec![*message];
        let options = &reference.options;
        let flat = pipeline::flat_with(options.source, options.libraries, options.model)?;
        let compiled = pipeline::compile_with(options.source, options.libraries, options.model)?;
        let definition = partita_grammar::parse(options.source)?;
        let instance = pipeline::instantiate(&compiled, true)?.instance;
        let found = components::find(&flat);
        let flows = record(&instance, &reference.experiment, &found, None).map_err(one)?;
        let ranking = rank(&flat, &found, &flows, &compiled.report.states, &Options::default()).map_err(one)?;
        let replacement = Replacement { reference, model: &flat, definition: &definition, components: &found };
        let reduced = replacement.reduce(&ranking, allowed).map_err(one)?;
        if reduced.gone.is_empty() {
            return Ok(Err("no component may go".to_string()));
        }
        let names: Vec<String> = reduced.gone.iter().map(|gone| gone.component.clone()).collect();
        Attempt::model(reference, reduced.source, format!("without {}", super::text::listed(&names))).map(Ok)
    }

    fn without_terms(reference: &Reference, allowed: f64) -> Result<Result<Attempt, String>, Vec<Diagnostic>> {
        let study = Study::new(reference.options.clone())?;
        let reduced = study.reduce(allowed).map_err(|message| vec![*message])?;
        if reduced.removed.is_empty() {
            return Ok(Err("no term may go".to_string()));
        }
        let change = format!("without {} of {} terms", reduced.removed.len(), study.terms.terms.len());
        Attempt::model(reference, reduced.source, change).map(Ok)
    }

    fn of_lower_order(reference: &Reference, allowed: f64) -> Result<Result<Attempt, String>, Vec<Diagnostic>> {
        let question = Question {
            order: None,
            error: allowed,
            measure: Measure::SameTime,
            reset: Reset::Inputs,
            horizon: None,
            rest: Rest::Residualised,
            scenarios: None,
            confidence: Confidence::default(),
            solver: Solver::Auto,
        };
        let lowered = choose::reduce(&reference.options, &question)?;
        Attempt::model(reference, lowered.source, format!("order {} instead of {}", lowered.order, lowered.states)).map(Ok)
    }
}

fn title(messages: Vec<Diagnostic>) -> String {
    first(messages).title
}

impl fmt::Display for Simplification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = self.span;
        writeln!(
            f,
            "{}: {} states, {} equations; outputs {}",
            self.model,
            self.before.states,
            self.before.equations,
            self.outputs.join(", ")
        )?;
        writeln!(
            f,
            "{:>2}  {:<10}  {:>6}  {:>9}  {:>9}  {:>6}  {:<13}  what changes",
            "", "technique", "states", "equations", "error %", "speed", "valid for"
        )?;
        for (at, row) in self.rows.iter().enumerate() {
            let (number, word) = (at + 1, row.technique.word());
            if let Some(why) = &row.refused {
                writeln!(f, "{number:>2}  {word:<10}  does not apply: {why}")?;
                continue;
            }
            let error = row.error.map_or_else(|| "-".to_string(), |error| format!("{:.4}", 100.0 * error));
            let speed = row.speed.map_or_else(|| "-".to_string(), |speed| format!("{speed:.1}"));
            let valid = if row.general { "all runs" } else { "this run only" };
            let far = if row.too_far { ", more than was asked for" } else { "" };
            writeln!(
                f,
                "{number:>2}  {word:<10}  {:>6}  {:>9}  {error:>9}  {speed:>6}  {valid:<13}  {}{far}",
                row.states, row.equations, row.change
            )?;
        }
        writeln!(
            f,
            "the run from time {from} to {to}, error asked: {} % of the range; nothing is applied: --use N -o FILE.mo writes a row",
            100.0 * self.asked
        )
    }
}
