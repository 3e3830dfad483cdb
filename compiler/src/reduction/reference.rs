//! A reference run: what outputs do in a model as it is, and how far another text of the model is from that.
//!
//! Input: a source, the outputs and the end of the run. Output: [`Reference`], which measures other texts. Method: both texts are run over
//! the experiment of the model and compared at [`POINTS`] times; an error is a part of the output's range. Guarantee: an output that is
//! unknown, constant or without range is refused; a value that is no number is an error beyond any bound. Cost: one run per text.

use super::record::{self, Record};
use crate::pipeline::{self, Compiled, Libraries};
use partita_grammar::{Diagnostic, Source};
use partita_runtime::exec::Instance;
use partita_runtime::integrate::Experiment;
use serde::Serialize;
use std::time::Duration;

/// Points at which outputs are compared.
pub const POINTS: usize = 2000;
/// An output whose range is below this part of its size does not change.
const CONSTANT: f64 = 1e-12;

/// What to reduce.
#[derive(Clone, Debug)]
pub struct ReductionOptions<'a> {
    /// The model.
    pub source: &'a Source,
    /// What lies beside it.
    pub libraries: &'a Libraries,
    /// Which model of the file.
    pub model: Option<&'a str>,
    /// Names of outputs.
    pub outputs: &'a [String],
    /// End of the run, if not that of the model.
    pub stop_time: Option<f64>,
}

/// How large a model is.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize)]
pub struct Size {
    /// Continuous states.
    pub states: usize,
    /// Equations left after alias elimination.
    pub equations: usize,
    /// Events of the run.
    pub events: usize,
}

/// Outputs over time.
pub struct Outputs {
    /// Their values.
    pub record: Record,
    /// Smallest and largest value of each.
    pub ranges: Vec<(f64, f64)>,
    /// The model.
    pub size: Size,
    /// Processor time of the run.
    pub time: Duration,
}

/// How far a model is from the original.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Error {
    /// Largest difference of each output, as a part of its range.
    pub of_range: Vec<f64>,
    /// The smallest number with |e| <= eps + eps |y| for all outputs at all times (definition 2.2.4 of Papadopoulos' thesis).
    pub epsilon: f64,
    /// The size of the smaller model.
    pub size: Size,
}

impl Error {
    /// The largest of all outputs.
    pub fn largest(&self) -> f64 {
        self.of_range.iter().fold(0.0, |a, b| if b.is_nan() { f64::INFINITY } else { a.max(*b) })
    }
}

/// The run of a model as it is.
pub struct Reference<'a> {
    /// What was asked for.
    pub options: ReductionOptions<'a>,
    /// What it gave.
    pub outputs: Outputs,
    /// How it was run.
    pub experiment: Experiment,
}

/// The first of several messages.
pub(crate) fn first(diagnostics: Vec<Diagnostic>) -> Box<Diagnostic> {
    Box::new(diagnostics.into_iter().next().unwrap_or_else(|| Diagnostic::error("G002", "internal error: a failure without a message")))
}

/// Runs a model and keeps its outputs.
fn outputs_of(compiled: &Compiled, outputs: &[String], experiment: &Experiment) -> Result<Outputs, Box<Diagnostic>> {
    let instance = pipeline::instantiate(compiled, true).map_err(first)?.instance;
    let experiment = Experiment { interval: Some(experiment.span() / POINTS as f64), ..experiment.clone() };
    recorded(compiled, &instance, outputs, &experiment)
}

/// Runs an instance and keeps its outputs.
fn recorded(compiled: &Compiled, instance: &Instance, outputs: &[String], experiment: &Experiment) -> Result<Outputs, Box<Diagnostic>> {
    let names: Vec<&str> = outputs.iter().map(String::as_str).collect();
    let clock = cpu_time::ThreadTime::now();
    let record = record::run(instance, experiment, &names)?;
    let time = clock.elapsed();
    let range = |column: &Vec<f64>| column.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(*y), high.max(*y)));
    let events = record.times.windows(2).filter(|pair| pair[0] == pair[1]).count();
    let size = Size { states: compiled.report.states.len(), equations: compiled.report.equations, events };
    Ok(Outputs { ranges: record.columns.iter().map(range).collect(), record, size, time })
}

/// The value of a record at a time, after events there.
fn at(record: &Record, column: usize, time: f64) -> f64 {
    let after = record.times.partition_point(|t| *t <= time);
    let before = after.saturating_sub(1);
    let (a, b) = (record.value(column, before), record.value(column, after.min(record.times.len() - 1)));
    let (from, to) = (record.times[before], record.times[after.min(record.times.len() - 1)]);
    if to > from && time > from { a + (b - a) * (time - from) / (to - from) } else { a }
}

impl<'a> Reference<'a> {
    /// Runs the model.
    pub fn new(options: ReductionOptions<'a>, compiled: &Compiled) -> Result<Reference<'a>, Vec<Diagnostic>> {
        let experiment = pipeline::experiment(&compiled.experiment, None, options.stop_time);
        check_outputs(compiled, options.outputs)?;
        let outputs = outputs_of(compiled, options.outputs, &experiment).map_err(|message| vec![*message])?;
        check_ranges_of(options.outputs, &outputs.ranges)?;
        Ok(Reference { options, outputs, experiment })
    }

    /// Compiles and runs a text.
    pub fn run(&self, source: &Source) -> Result<Outputs, Box<Diagnostic>> {
        let compiled = pipeline::compile_with(source, self.options.libraries, self.options.model).map_err(first)?;
        outputs_of(&compiled, self.options.outputs, &self.experiment)
    }

    /// Runs an instance in its own way.
    pub fn run_instance(&self, compiled: &Compiled, instance: &Instance, experiment: &Experiment) -> Result<Outputs, Box<Diagnostic>> {
        recorded(compiled, instance, self.options.outputs, experiment)
    }

    /// Compiles and runs a text, and compares.
    pub fn error_of(&self, source: &Source) -> Result<Error, Box<Diagnostic>> {
        Ok(self.compare(&self.run(source)?))
    }

    /// Values of an output in this run and in another one at the times of comparison.
    pub fn pairs<'b>(&'b self, other: &'b Outputs, output: usize) -> impl Iterator<Item = (f64, f64, f64)> + 'b {
        let (start, span) = (self.experiment.start_time, self.experiment.span());
        (0..=POINTS).map(move |k| {
            let time = start + span * k as f64 / POINTS as f64;
            (time, at(&self.outputs.record, output, time), at(&other.record, output, time))
        })
    }

    /// How far another run is from this one.
    pub fn compare(&self, other: &Outputs) -> Error {
        let worse = |a: f64, b: f64| if b.is_nan() { f64::INFINITY } else { a.max(b) };
        let (mut of_range, mut epsilon) = (Vec::new(), 0.0);
        for (output, (low, high)) in self.outputs.ranges.iter().enumerate() {
            let mut largest = 0.0;
            for (_, y, other) in self.pairs(other, output) {
                let difference = (other - y).abs();
                largest = worse(largest, difference);
                epsilon = worse(epsilon, difference / (1.0 + y.abs()));
            }
            of_range.push(largest / (high - low));
        }
        Error { of_range, epsilon, size: other.size }
    }

    /// What a smaller model says about itself: where it comes from, what it is valid for, how far it is off.
    pub fn header(&self, by: &str, change: &str, allowed: f64, error: &Error) -> String {
        let Experiment { start_time, stop_time, tolerance, .. } = self.experiment;
        format!(
            "Reduced by `partita reduce --by {by}` from {}: {change}.\n\
             Valid for the run from time {start_time} to {stop_time} with tolerance {tolerance:e} and the parameters of this text only.\n\
             Outputs: {}. Error asked: {:.3} % of their range, found: {:.4} %.\n",
            self.options.source.name,
            self.options.outputs.join(", "),
            100.0 * allowed,
            100.0 * error.largest()
        )
    }
}

/// Outputs are there and change.
pub(crate) fn check_outputs(compiled: &Compiled, outputs: &[String]) -> Result<(), Vec<Diagnostic>> {
    let signals = &compiled.program.plan.interface.signals;
    for output in outputs {
        let Some(signal) = signals.iter().find(|signal| signal.name == *output) else {
            let mut names: Vec<String> = signals.iter().filter(|signal| signal.varies).map(|signal| signal.name.clone()).collect();
            names.sort_by_key(|name| !name.contains(output.as_str()));
            let message = Diagnostic::error("C107", format!("the model has no variable `{output}`"));
            return Err(vec![message.with_note(format!("it has {}", super::text::listed(&names)))]);
        };
        if !signal.varies {
            let title = format!("the output `{output}` is constant: nothing in the model changes it");
            return Err(vec![Diagnostic::error("C108", title).with_hint("choose a variable that changes during the run")]);
        }
    }
    Ok(())
}

/// Errors are parts of ranges.
pub(crate) fn check_ranges_of(outputs: &[String], ranges: &[(f64, f64)]) -> Result<(), Vec<Diagnostic>> {
    for (output, (low, high)) in outputs.iter().zip(ranges) {
        if high - low <= CONSTANT * high.abs().max(low.abs()) {
            let title = format!("the output `{output}` does not change in this run: its range is zero, and errors are parts of it");
            let message = Diagnostic::error("C109", title).with_note(format!("it is {low} from the start to the end"));
            return Err(vec![message.with_hint("choose another output, a longer run, or an input that moves it")]);
        }
    }
    Ok(())
}
