//! What outputs do on a grid of times, and how far two such courses are apart.
//!
//! Input: a text, names, an experiment. Output: [`Course`]. Method: one run; values at the times of the grid are those before events there.
//! [`Gap`]: the largest distance at the same time, the directional Hausdorff distance (all outputs together, Euclidean), and how often the
//! modes switch. Guarantee: what is no number is infinitely far away. Cost: one run; O(n log n) for distances.

use crate::pipeline::{self, Libraries};
use crate::reduction::record::{self, Record};
use partita_grammar::{Diagnostic, Source};
use partita_runtime::exec::Instance;
use partita_runtime::integrate::Experiment;
use partita_runtime::model::table::Table;
use partita_runtime::result::distance::{directional_hausdorff, largest_distance};
use serde::Serialize;

/// A text that is compiled and can be run with several inputs.
pub struct Runner {
    instance: Instance,
    /// Continuous states.
    pub states: usize,
    /// Equations that are left after alias elimination.
    pub equations: usize,
}

/// Names of what is kept of a run.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Outputs.
    pub outputs: Vec<String>,
    /// Signals of which some may switch.
    pub signals: Vec<String>,
    /// Signals that switch, by their numbers, with what they are before the first event if that is known.
    pub switching: Vec<(usize, Option<f64>)>,
    /// States.
    pub states: Vec<String>,
}

/// A run.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// For each time of the grid the outputs.
    pub outputs: Vec<Vec<f64>>,
    /// When modes switch.
    pub switchings: Vec<f64>,
    /// Smallest and largest value of each signal.
    pub ranges: Vec<(f64, f64)>,
    /// States and signals at the start.
    pub start: (Vec<f64>, Vec<f64>),
}

/// How far a course is from another one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gap {
    /// At any time.
    pub hausdorff: f64,
    /// At the same time.
    pub sup: f64,
    /// At the same time, the largest of the outputs as a part of its range.
    pub of_range: f64,
    /// At any time, as a part of the outputs' ranges together.
    pub hausdorff_of_range: f64,
    /// How often modes switch.
    pub switchings: usize,
    /// If they switch as often as in the reference: the largest shift in time.
    pub shift: Option<f64>,
}

impl Runner {
    /// Compiles a text.
    pub fn new(source: &Source, libraries: &Libraries, model: Option<&str>) -> Result<Runner, Vec<Diagnostic>> {
        let compiled = pipeline::compile_with(source, libraries, model)?;
        let (states, equations) = (compiled.report.states.len(), compiled.report.equations);
        Ok(Runner { instance: pipeline::instantiate(&compiled, true)?.instance, states, equations })
    }

    /// The names of the model's inputs, with the values that they keep if nothing is given.
    pub fn inputs(&self) -> Vec<(String, f64)> {
        let start =
            |name: &str| self.instance.plan().interface.settings.iter().find(|s| s.is_start && s.name == name).map_or(0.0, |s| s.default);
        self.instance.plan().interface.inputs.iter().map(|input| (input.name.clone(), start(&input.name))).collect()
    }

    /// Runs with curves for inputs, if there are any.
    pub fn course(&mut self, experiment: &Experiment, names: &Names, inputs: Option<&Table>) -> Result<Course, Box<Diagnostic>> {
        if let Some(table) = inputs {
            self.instance.set_inputs(table).map_err(|error| Box::new(Diagnostic::error("C118", error.to_string())))?;
        }
        let all: Vec<&str> = [&names.outputs, &names.signals, &names.states].into_iter().flatten().map(String::as_str).collect();
        let record = record::run(&self.instance, experiment, &all)?;
        Ok(Course::of(&record, experiment, names))
    }
}

impl Course {
    fn of(record: &Record, experiment: &Experiment, names: &Names) -> Course {
        let (first, last) = (names.outputs.len(), names.outputs.len() + names.signals.len());
        let at = |row: usize, columns: std::ops::Range<usize>| columns.map(|column| record.value(column, row)).collect::<Vec<f64>>();
        let interval = experiment.output_interval();
        let points = (experiment.span() / interval).round() as usize;
        let mut course = Course { start: (at(0, last..last + names.states.len()), at(0, first..last)), ..Course::default() };
        let mut row = 0;
        for point in 0..=points {
            let time = (experiment.start_time + interval * point as f64).min(experiment.stop_time) - 1e-9 * interval;
            while row + 1 < record.times.len() && record.times[row] < time {
                row += 1;
            }
            course.outputs.push(at(row, 0..first));
        }
        let n = record.times.len();
        let at_start = |(s, value): &(usize, Option<f64>)| value.is_some_and(|value| value != record.value(first + s, 0));
        if names.switching.iter().any(at_start) {
            course.switchings.push(experiment.start_time);
        }
        // What is decided at the end has no effect any more.
        let switches = |row: &usize| {
            let changes = |(s, _): &(usize, Option<f64>)| record.value(first + s, row - 1) != record.value(first + s, *row);
            record.times[*row] < experiment.stop_time && names.switching.iter().any(changes)
        };
        course.switchings.extend((1..n).filter(switches).map(|row| record.times[row]));
        let range = |column: usize| {
            (0..n).map(|row| record.value(column, row)).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)))
        };
        course.ranges = (first..last).map(range).collect();
        course
    }

    /// Smallest and largest value of each output.
    pub fn output_ranges(&self) -> Vec<(f64, f64)> {
        let n = self.outputs.first().map_or(0, Vec::len);
        let range =
            |output: usize| self.outputs.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), y| (a.min(y[output]), b.max(y[output])));
        (0..n).map(range).collect()
    }

    /// How far another course is from this one.
    pub fn gap(&self, other: &Course) -> Gap {
        let spans: Vec<f64> = self.output_ranges().iter().map(|(low, high)| high - low).collect();
        let worse = |so_far: f64, value: f64| if value.is_nan() { f64::INFINITY } else { so_far.max(value) };
        let mut of_range = 0.0;
        for (y, other) in self.outputs.iter().zip(&other.outputs) {
            for ((y, other), span) in y.iter().zip(other).zip(&spans) {
                of_range = worse(of_range, (y - other).abs() / span);
            }
        }
        let hausdorff = directional_hausdorff(&self.outputs, &other.outputs);
        let shifts = self.switchings.iter().zip(&other.switchings).map(|(a, b)| (a - b).abs());
        Gap {
            hausdorff,
            sup: largest_distance(&self.outputs, &other.outputs),
            of_range,
            hausdorff_of_range: hausdorff / spans.iter().map(|span| span * span).sum::<f64>().sqrt(),
            switchings: other.switchings.len(),
            shift: (self.switchings.len() == other.switchings.len()).then(|| shifts.fold(0.0, f64::max)),
        }
    }
}
