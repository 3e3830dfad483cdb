//! Operating points: where a model's Jacobian is taken for the cycle analysis.
//!
//! Input: a model that is ready to run, its experiment, and which points are wanted. Output: times and Jacobians, the start first.
//! Method: one point shows one mode of a model (a diode that blocks), so that by default a cheap run with a loose tolerance gives
//! about 20 further points, and one for each new combination of relations. Guarantee: all Jacobians are finite and belong to
//! points of the solution. Cost: one run.

use crate::base::messages::run_message;
use crate::decouple::cycles::jacobian::{Jacobian, not_evaluated};
use crate::decouple::cycles::report::OperatingPoint;
use partita_grammar::Diagnostic;
use partita_runtime::base::error::RunError;
use partita_runtime::exec::Instance;
use partita_runtime::integrate::{Experiment, Sink, Solver, simulate};
use partita_runtime::model::interface::HybridModel;
use partita_runtime::model::watched::{Watched, Watcher};
use std::collections::BTreeSet;

/// Points along a run, beside the start.
const POINTS: usize = 20;
/// Points of large models, whose analysis is not cheap.
const POINTS_OF_LARGE_MODELS: usize = 4;
/// A model with more states is large.
const LARGE: usize = 1000;
/// Combinations of relations that get a point of their own.
const MOST_MODES: usize = 40;
/// Tolerance of the cheap run.
const TOLERANCE: f64 = 1e-4;

/// Which operating points.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum At {
    /// The start, about 20 more along a run, and every new mode.
    #[default]
    Run,
    /// These times.
    Times(Vec<f64>),
}

impl std::str::FromStr for At {
    type Err = String;

    fn from_str(text: &str) -> Result<At, String> {
        let times: Result<Vec<f64>, String> = text
            .split(',')
            .map(|time| time.trim().parse::<f64>().ok().filter(|time| time.is_finite()).ok_or_else(|| format!("`{time}` is not a time")))
            .collect();
        times.map(At::Times)
    }
}

/// The operating points of a model, and a remark if the run could not be finished.
pub fn operating_points(
    instance: &Instance,
    experiment: &Experiment,
    at: &At,
) -> Result<(Vec<OperatingPoint>, Option<String>), Box<Diagnostic>> {
    match at {
        At::Run => along_a_run(instance, experiment),
        At::Times(times) => {
            let points = times.iter().map(|&time| at_time(instance, &cheap(experiment, time), time));
            Ok((points.collect::<Result<_, _>>()?, None))
        }
    }
}

/// Points of the run that the experiment describes, with its own accuracy.
pub fn points_of_run(instance: &Instance, experiment: &Experiment, times: &[f64]) -> Result<Vec<OperatingPoint>, Box<Diagnostic>> {
    let until = |time: f64| Experiment { stop_time: time, interval: None, split: None, ..experiment.clone() };
    times.iter().map(|&time| at_time(instance, &until(time), time)).collect()
}

fn cheap(experiment: &Experiment, stop_time: f64) -> Experiment {
    let span = stop_time - experiment.start_time;
    Experiment {
        stop_time,
        tolerance: experiment.tolerance.max(TOLERANCE),
        interval: (span > 0.0).then_some(span / 10.0),
        solver: Solver::Bdf,
        step: None,
        ..experiment.clone()
    }
}

/// The end of a run until `time`, which is the end of the experiment.
fn at_time(instance: &Instance, experiment: &Experiment, time: f64) -> Result<OperatingPoint, Box<Diagnostic>> {
    let mut model = instance.fork();
    if time <= experiment.start_time {
        let mut x = vec![0.0; model.n_states()];
        model.initialize(experiment.start_time, &mut x).map_err(|error| Box::new(run_message(&error)))?;
        return Ok(OperatingPoint { time: experiment.start_time, jacobian: Jacobian::of_model(&mut model, experiment.start_time, &x)? });
    }
    let mut recorder = Watched(Recorder::new(&mut model, Vec::new()));
    let outcome = simulate(&mut recorder, experiment, &mut Nowhere);
    let end = recorder.0.end.take();
    outcome.map_err(|error| Box::new(run_message(&error)))?;
    match end {
        Some(point) if point.as_ref().map_or(true, |point| point.time >= time - 1e-9 * experiment.span().max(time.abs())) => point,
        _ => Err(Box::new(not_evaluated(Some(time)).with_note("the model ended its run before that"))),
    }
}

fn along_a_run(instance: &Instance, experiment: &Experiment) -> Result<(Vec<OperatingPoint>, Option<String>), Box<Diagnostic>> {
    let mut points = vec![at_time(instance, &cheap(experiment, experiment.start_time), experiment.start_time)?];
    let mut model = instance.fork();
    let n = if model.n_states() > LARGE { POINTS_OF_LARGE_MODELS } else { POINTS };
    let targets = (1..=n).map(|k| experiment.start_time + experiment.span() * k as f64 / n as f64).collect();
    let mut recorder = Watched(Recorder::new(&mut model, targets));
    let outcome = simulate(&mut recorder, &cheap(experiment, experiment.stop_time), &mut Nowhere);
    points.append(&mut recorder.0.points);
    // Points where the Jacobian has no finite value say nothing; the start has one.
    let remark = outcome.err().map(|error| format!("the run for operating points ended early: {}", run_message(&error).title));
    Ok((points, remark))
}

/// Results are not wanted.
struct Nowhere;

impl Sink for Nowhere {
    fn point(&mut self, _: f64, _: &[f64]) -> Result<(), RunError> {
        Ok(())
    }
}

/// Takes Jacobians of a model while it is run.
struct Recorder<'a> {
    model: &'a mut Instance,
    /// Times that want a point, ascending, and how many of them have one.
    targets: Vec<f64>,
    n_met: usize,
    modes: BTreeSet<Vec<Option<bool>>>,
    points: Vec<OperatingPoint>,
    end: Option<Result<OperatingPoint, Box<Diagnostic>>>,
}

impl<'a> Recorder<'a> {
    fn new(model: &'a mut Instance, targets: Vec<f64>) -> Recorder<'a> {
        Recorder { model, targets, n_met: 0, modes: BTreeSet::new(), points: Vec::new(), end: None }
    }

    fn mode(&self) -> Vec<Option<bool>> {
        (0..self.model.n_crossings()).map(|crossing| self.model.relation(crossing)).collect()
    }

    fn look(&mut self, t: f64, x: &[f64]) {
        let due = self.targets.get(self.n_met).is_some_and(|target| t >= *target);
        let is_new = !self.targets.is_empty() && self.modes.len() < MOST_MODES && self.modes.insert(self.mode());
        if !due && !is_new {
            return;
        }
        while self.targets.get(self.n_met).is_some_and(|target| t >= *target) {
            self.n_met += 1;
        }
        if let Ok(jacobian) = Jacobian::of_model(self.model, t, x) {
            self.points.push(OperatingPoint { time: t, jacobian });
        }
    }
}

impl Watcher for Recorder<'_> {
    type Inner = Instance;

    fn model(&self) -> &Instance {
        self.model
    }

    fn model_mut(&mut self) -> &mut Instance {
        self.model
    }

    fn initialized(&mut self) {
        self.modes.insert(self.mode());
    }

    fn accepted(&mut self, t: f64, x: &[f64]) {
        self.look(t, x);
    }

    fn ending(&mut self, t: f64, x: &[f64]) {
        let jacobian = Jacobian::of_model(self.model, t, x);
        self.end = Some(jacobian.map(|jacobian| OperatingPoint { time: t, jacobian }));
    }
}
