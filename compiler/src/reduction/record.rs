//! Runs a model and records the work through its connectors.
//!
//! Input: an instance, its experiment, and connectors. Output: [`Flows`]: the intervals of the run, and for each connector the work that
//! flows into its owner in each of them. Method: at least [`INTERVALS`] intervals and all events; the work of mechanical and magnetic
//! connectors is the mean flow times the increment of the potential, so that no derivative is needed; that of others is the trapezoid.
//! Guarantee: where potentials are equal and flows add up to zero, so do the works, up to round-off.
//! Cost: one run; memory for the variables of connectors at all points.

use super::components::{Components, Connector, Domain};
use crate::base::messages::run_message;
use partita_grammar::Diagnostic;
use partita_runtime::base::error::RunError;
use partita_runtime::exec::Instance;
use partita_runtime::integrate::{Experiment, Sink, simulate};
use rustc_hash::FxHashMap;

/// Intervals of results, at least.
pub const INTERVALS: f64 = 5000.0;
/// The most numbers that are kept.
const MOST_NUMBERS: f64 = 2e8;

/// The times of a run and some of its signals.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Times of the points; two are equal at an event.
    pub times: Vec<f64>,
    /// For each wanted signal its values, or its one value if it does not vary; empty if the model has no such signal.
    pub columns: Vec<Vec<f64>>,
}

impl Record {
    /// The value of a signal at a point.
    pub fn value(&self, column: usize, point: usize) -> f64 {
        let values = &self.columns[column];
        values.get(point).or(values.first()).copied().unwrap_or(f64::NAN)
    }
}

/// Keeps some columns.
struct Columns {
    wanted: Vec<usize>,
    times: Vec<f64>,
    columns: Vec<Vec<f64>>,
}

impl Sink for Columns {
    fn point(&mut self, t: f64, row: &[f64]) -> Result<(), RunError> {
        self.times.push(t);
        for (column, at) in self.columns.iter_mut().zip(&self.wanted) {
            column.push(row[*at]);
        }
        Ok(())
    }
}

/// Runs a copy of the model and keeps the signals with these names.
pub fn run(instance: &Instance, experiment: &Experiment, names: &[&str]) -> Result<Record, Box<Diagnostic>> {
    let mut model = instance.fork();
    let mut at: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (position, name) in names.iter().enumerate() {
        at.entry(name).or_default().push(position);
    }
    let signals = &instance.plan().interface.signals;
    let mut wanted = Vec::new();
    let mut places = Vec::new();
    for (column, signal) in signals.iter().filter(|signal| signal.varies).enumerate() {
        if let Some(positions) = at.get(signal.name.as_str()) {
            wanted.push(column);
            places.push(positions);
        }
    }
    let points = experiment.span() / experiment.output_interval();
    if wanted.len() as f64 * points > MOST_NUMBERS {
        let title = format!("{} signals at {points:.0} points are more than this analysis keeps", wanted.len());
        return Err(Box::new(Diagnostic::error("C101", title).with_hint("choose a part with `--under`, or a longer interval")));
    }
    let mut columns = Columns { columns: vec![Vec::new(); wanted.len()], wanted, times: Vec::new() };
    simulate(&mut model, experiment, &mut columns).map_err(|error| Box::new(run_message(&error)))?;
    let mut record = Record { times: columns.times, columns: vec![Vec::new(); names.len()] };
    for (values, positions) in columns.columns.into_iter().zip(places) {
        positions.iter().for_each(|position| record.columns[*position].clone_from(&values));
    }
    for (signal, value) in model.parameter_values() {
        for position in at.get(signals[signal].name.as_str()).into_iter().flatten() {
            record.columns[*position] = vec![value];
        }
    }
    Ok(record)
}

/// Works through connectors, by intervals.
#[derive(Clone, Debug, Default)]
pub struct Flows {
    /// Begin of each interval, and the end of the last one.
    pub times: Vec<f64>,
    /// For each connector the work in each interval, into its owner.
    pub works: Vec<Vec<f64>>,
    /// Connectors whose variables the results do not have.
    pub unknown: Vec<String>,
}

/// An experiment with enough intervals for integrals of powers.
pub fn fine(experiment: &Experiment) -> Experiment {
    let interval = experiment.interval.unwrap_or(f64::INFINITY).min(experiment.span() / INTERVALS);
    Experiment { interval: Some(interval), ..experiment.clone() }
}

/// Runs the model and integrates powers over the intervals inside of a window.
pub fn record(
    instance: &Instance,
    experiment: &Experiment,
    components: &Components,
    window: Option<(f64, f64)>,
) -> Result<Flows, Box<Diagnostic>> {
    let names: Vec<&str> = components.variables().collect();
    let record = run(instance, &fine(experiment), &names)?;
    let (from, to) = window.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    let inside = |pair: &&[f64]| pair[1] > pair[0] && pair[0] >= from - 1e-12 * from.abs() && pair[1] <= to + 1e-12 * to.abs();
    let intervals: Vec<usize> = (0..record.times.len().saturating_sub(1)).filter(|at| inside(&&record.times[*at..*at + 2])).collect();
    let mut flows = Flows::default();
    flows.times.extend(intervals.iter().map(|at| record.times[*at]));
    flows.times.extend(intervals.last().map(|at| record.times[at + 1]));
    let mut first = 0;
    for connector in &components.connectors {
        let columns = first..first + connector.variables.len();
        first = columns.end;
        if record.columns[columns.clone()].iter().any(Vec::is_empty) {
            flows.unknown.push(connector.path.clone());
            flows.works.push(vec![0.0; intervals.len()]);
            continue;
        }
        let value = |member: usize, point: usize| record.value(columns.start + member, point);
        flows.works.push(intervals.iter().map(|at| work(connector, &value, *at, record.times[at + 1] - record.times[*at])).collect());
    }
    Ok(flows)
}

/// The work through a connector in the interval that begins at a point.
fn work(connector: &Connector, value: &dyn Fn(usize, usize) -> f64, at: usize, length: f64) -> f64 {
    let mean = |power: &dyn Fn(usize) -> f64| 0.5 * (power(at) + power(at + 1)) * length;
    match connector.domain {
        Domain::Electrical => mean(&|k| value(0, k) * value(1, k)),
        Domain::QuasiStatic => mean(&|k| value(0, k) * value(1, k) + value(2, k) * value(3, k)),
        Domain::Heat | Domain::HeatFlow => mean(&|k| value(0, k)),
        Domain::Translational | Domain::Rotational | Domain::Magnetic => {
            (value(0, at + 1) - value(0, at)) * 0.5 * (value(1, at) + value(1, at + 1))
        }
        Domain::Multibody => {
            let moved: Vec<f64> = (0..3).map(|i| value(i, at + 1) - value(i, at)).collect();
            // The force is given in the frame: T turns the way into it.
            let along = |k: usize| -> f64 {
                (0..3).map(|i| value(3 + i, k) * (0..3).map(|j| value(12 + 3 * i + j, k) * moved[j]).sum::<f64>()).sum()
            };
            let turning = |k: usize| -> f64 { (0..3).map(|i| value(6 + i, k) * value(9 + i, k)).sum() };
            0.5 * (along(at) + along(at + 1)) + mean(&turning)
        }
    }
}
