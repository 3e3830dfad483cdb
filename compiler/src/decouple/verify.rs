//! Verifies a run: against a reference with a tighter tolerance, with half its step, and in time against the default method.
//!
//! Input: an instance and the experiment that was run. Output: [`Verification`]: errors by signal and over all states, what halving
//! the step changes, and the times of the run and of the default method at the accuracy that the run reached.
//! Guarantee: a run whose error is above [`WRONG`] of a signal's range, or whose points do not show as much of it, has no speed-up.
//! Cost: the run once more and with half its step, a reference, and up to five runs of the default method.

use crate::base::messages::run_message;
use cpu_time::ThreadTime;
use partita_grammar::Diagnostic;
use partita_runtime::exec::Instance;
use partita_runtime::integrate::verify::{Compared, Deviation, Record, SignalError};
use partita_runtime::integrate::{Experiment, Solver, Statistics, simulate};
use partita_runtime::model::interface::HybridModel;
use partita_runtime::model::plan::SlotType;
use serde::Serialize;
use std::fmt;

/// An error above this part of a signal's range is a wrong result.
pub const WRONG: f64 = 0.05;
/// A change by half the step of more than this part of a signal's range is told.
pub(super) const NOTICEABLE: f64 = 0.01;
/// Events may be off by this part of the run's time.
const LATE: f64 = 0.002;
/// Runs that choose their steps are compared at so many points. A prime number, so that they do not meet a periodic source at the same phase.
const INTERVALS: f64 = 503.0;
/// References of runs with a fixed step are looked at in no fewer points; for the same reason a prime number.
const LEAST_POINTS: f64 = 1009.0;
/// Most numbers kept of a run.
const MOST_NUMBERS: f64 = 2e7;
/// Runs shorter than this, in seconds, are timed more than once.
const SHORT: f64 = 0.5;
/// How often.
const SHORT_RUNS: usize = 4;
/// Signals shown.
const SHOWN: usize = 10;

/// A run on the grid of a verification.
#[derive(Clone, Debug)]
pub struct Timed {
    /// What came out.
    pub record: Record,
    /// What was done.
    pub statistics: Statistics,
    /// Seconds of processor time it took.
    pub seconds: f64,
}

/// Where runs are compared.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Distance of points.
    pub interval: f64,
    /// Columns of the results.
    pub columns: Vec<usize>,
    /// The signals in these columns.
    pub compared: Vec<Compared>,
}

impl Grid {
    /// The ends of steps of a fixed step as far as memory allows, otherwise some 500 intervals; all signals of type Real
    /// except derivatives of states, or only the states of a large model.
    pub fn new(model: &Instance, experiment: &Experiment) -> Grid {
        let plan = model.plan();
        let mut state_slots: Vec<_> = plan.states.iter().map(|state| state.slot).collect();
        state_slots.sort_unstable();
        let varying = plan.interface.signals.iter().filter(|signal| signal.varies).enumerate();
        let mut columns = Vec::new();
        let mut compared = Vec::new();
        // Derivatives of states show the noise of any method and are no results by themselves.
        for (column, signal) in varying.filter(|(_, signal)| signal.ty == SlotType::Real && !signal.derivative) {
            columns.push(column);
            compared.push(Compared { name: signal.name.clone(), is_state: state_slots.binary_search(&signal.source.slot).is_ok() });
        }
        let steps = if experiment.is_fixed_step() { (experiment.span() / experiment.fixed_step()).round().max(1.0) } else { INTERVALS };
        if columns.len() as f64 * steps.min(INTERVALS) > MOST_NUMBERS {
            let mut keep = compared.iter().map(|entry| entry.is_state);
            columns.retain(|_| keep.next().unwrap_or(false));
            compared.retain(|entry| entry.is_state);
        }
        let stride = (columns.len() as f64 * steps / MOST_NUMBERS).ceil().max(1.0);
        let interval = if experiment.is_fixed_step() { experiment.fixed_step() * stride } else { experiment.span() / INTERVALS };
        Grid { interval, columns, compared }
    }

    /// The same signals at the points that are written, as far as memory allows.
    fn written(&self, experiment: &Experiment) -> Grid {
        let numbers = self.columns.len() as f64 * experiment.span() / experiment.output_interval();
        let stride = (numbers / MOST_NUMBERS).ceil().max(1.0);
        Grid { interval: stride * experiment.output_interval(), ..self.clone() }
    }

    /// Runs a fresh copy of the model.
    pub fn run(&self, model: &Instance, experiment: &Experiment) -> Result<Timed, Box<Diagnostic>> {
        self.run_with(model, experiment, self.interval)
    }

    /// Runs a reference: it looks at what happens between the points of a coarse grid, too.
    pub fn run_reference(&self, model: &Instance, experiment: &Experiment) -> Result<Timed, Box<Diagnostic>> {
        let points_between = (experiment.span() / self.interval).recip() * LEAST_POINTS;
        self.run_with(model, experiment, self.interval / points_between.ceil().max(1.0))
    }

    fn run_with(&self, model: &Instance, experiment: &Experiment, interval: f64) -> Result<Timed, Box<Diagnostic>> {
        let mut model = model.fork();
        let experiment = Experiment { interval: Some(interval), step: Some(experiment.fixed_step()), ..experiment.clone() };
        let mut record = Record::new(experiment.start_time, experiment.stop_time, self.interval, self.columns.clone());
        let began = ThreadTime::now();
        let statistics = simulate(&mut model, &experiment, &mut record).map_err(|error| Box::new(run_message(&error)))?;
        Ok(Timed { record, statistics, seconds: began.elapsed().as_secs_f64() })
    }

    /// The shortest of a few runs, if they are short.
    pub fn run_timed(&self, model: &Instance, experiment: &Experiment) -> Result<Timed, Box<Diagnostic>> {
        let mut run = self.run(model, experiment)?;
        for _ in 0..SHORT_RUNS {
            if run.seconds > SHORT {
                break;
            }
            run.seconds = run.seconds.min(self.run(model, experiment)?.seconds);
        }
        Ok(run)
    }

    /// How far a run is from another one. With located events, only continuous states are compared next to them: the run may be late by
    /// a step, but by no more than would pass a comparison of results.
    pub fn deviation(&self, run: &Timed, reference: &Timed, experiment: &Experiment) -> Deviation {
        let margin = if experiment.is_fixed_step() { experiment.fixed_step().min(LATE * experiment.span()) } else { 0.1 * self.interval };
        let margin = if experiment.is_sampled() { None } else { Some(margin) };
        Deviation::between(&run.record, &reference.record, &self.compared, margin)
    }
}

/// The reference of an experiment: the default method with events and a much tighter tolerance.
pub fn reference_of(experiment: &Experiment, n_states: usize) -> Experiment {
    let tightest = if n_states <= 300 { 1e-11 } else { 1e-10 };
    let tolerance = (1e-3 * experiment.tolerance).clamp(1e-13, tightest);
    Experiment { solver: Solver::Auto, split: None, rates: None, partition: false, ignore_events: false, tolerance, ..experiment.clone() }
}

/// The default method at the accuracy of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Monolithic {
    /// Its tolerance.
    pub tolerance: f64,
    /// Its error: the largest of a signal as a part of its range.
    pub error: f64,
    /// Seconds of processor time it took.
    pub seconds: f64,
    /// What was done.
    pub statistics: Statistics,
}

/// The default method with the largest tolerance, a power of ten, with which it is as accurate as `error`; the most accurate tried
/// if none is.
pub fn monolithic(
    model: &Instance,
    experiment: &Experiment,
    grid: &Grid,
    reference: &Timed,
    error: f64,
) -> Result<Monolithic, Box<Diagnostic>> {
    let mut exponent = (-error.clamp(1e-9, 1e-2).log10()).floor().max(2.0);
    loop {
        let tolerance = 10f64.powf(-exponent);
        let experiment = Experiment { tolerance, ..reference_of(experiment, model.n_states()) };
        let run = grid.run_timed(model, &experiment)?;
        let deviation = grid.deviation(&run, reference, &experiment);
        if deviation.headline() <= error || exponent >= 10.0 {
            return Ok(Monolithic { tolerance, error: deviation.headline(), seconds: run.seconds, statistics: run.statistics });
        }
        exponent += 1.0;
    }
}

/// The warning about a step.
pub(super) fn too_long(signal: &str, of_range: f64, step: f64) -> String {
    format!("half the step changes `{signal}` by {:.2} % of its range: the step {step} does not resolve the model", 100.0 * of_range)
}

/// What a verification found.
#[derive(Clone, Debug, Serialize)]
pub struct Verification {
    /// Against the reference.
    pub deviation: Deviation,
    /// The signal that is worst at the points that are written: they need not be ends of steps.
    pub written: Option<SignalError>,
    /// Tolerance of the reference.
    pub reference_tolerance: f64,
    /// What halving the step changes, at most, as a part of a signal's range; for fixed steps.
    pub half_step: Option<f64>,
    /// Steps that the run took.
    pub steps: u64,
    /// Seconds of processor time the run took.
    pub seconds: f64,
    /// Seconds of processor time that the default method took with the tolerance of the run.
    pub plain_seconds: f64,
    /// How long the reference took.
    pub reference_seconds: f64,
    /// The default method at the same accuracy.
    pub monolithic: Monolithic,
    /// Time of the default method by time of the run; nothing if the run has a flaw.
    pub speed_up: Option<f64>,
    /// Why there is no speed-up, in a word or two.
    pub flaw: Option<&'static str>,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// The signal with the largest error at the points that are written.
fn written(model: &Instance, experiment: &Experiment, grid: &Grid) -> Result<Option<SignalError>, Box<Diagnostic>> {
    let grid = grid.written(experiment);
    let (run, reference) = (grid.run(model, experiment)?, grid.run(model, &reference_of(experiment, model.n_states()))?);
    Ok(grid.deviation(&run, &reference, experiment).signals.into_iter().next())
}

/// Verifies an experiment of a model.
pub fn verify(model: &Instance, experiment: &Experiment) -> Result<Verification, Box<Diagnostic>> {
    let grid = Grid::new(model, experiment);
    let run = grid.run_timed(model, experiment)?;
    let reference_experiment = reference_of(experiment, model.n_states());
    let reference = grid.run_reference(model, &reference_experiment)?;
    let deviation = grid.deviation(&run, &reference, experiment);
    let written = written(model, experiment, &grid)?;
    let mut warnings = Vec::new();
    let half_step = if experiment.is_fixed_step() {
        let halved = Experiment { step: Some(0.5 * experiment.fixed_step()), ..experiment.clone() };
        match grid.run(model, &halved) {
            Ok(half) => {
                let change = grid.deviation(&run, &half, experiment);
                if let Some(worst) = change.signals.first().filter(|worst| worst.of_range > NOTICEABLE) {
                    warnings.push(too_long(&worst.name, worst.of_range, experiment.fixed_step()));
                }
                Some(change.headline())
            }
            Err(_) => {
                warnings.push("the run with half the step fails".to_string());
                None
            }
        }
    } else {
        None
    };
    let error = written.as_ref().map_or(0.0, |worst| worst.of_range).max(deviation.headline());
    let plain = Experiment { solver: Solver::Auto, split: None, rates: None, partition: false, ignore_events: false, ..experiment.clone() };
    let plain_seconds = grid.run_timed(model, &plain)?.seconds;
    let monolithic = monolithic(model, experiment, &grid, &reference, error)?;
    // The points of a run with a fixed step are all that there is of it.
    let unseen = |signal: &&SignalError| experiment.is_fixed_step() && signal.unseen > WRONG;
    let hidden = deviation.signals.iter().filter(unseen).max_by(|a, b| a.unseen.total_cmp(&b.unseen));
    let flaw = if error > WRONG {
        warnings.push(format!("the error is {:.2} % of a signal's range: no speed-up is claimed for a wrong result", 100.0 * error));
        Some("wrong")
    } else if let Some(hidden) = hidden {
        warnings.push(format!(
            "{:.2} % of the range of `{}` lie between the {} points of this run: no speed-up is claimed for a result that does not show them",
            100.0 * hidden.unseen,
            hidden.name,
            deviation.points
        ));
        Some("too coarse")
    } else {
        None
    };
    let speed_up = (flaw.is_none() && run.seconds > 0.0).then(|| monolithic.seconds / run.seconds);
    Ok(Verification {
        deviation,
        written,
        reference_tolerance: reference_experiment.tolerance,
        half_step,
        steps: run.statistics.steps,
        seconds: run.seconds,
        plain_seconds,
        reference_seconds: reference.seconds,
        monolithic,
        speed_up,
        flaw,
        warnings,
    })
}

impl fmt::Display for Verification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let deviation = &self.deviation;
        writeln!(
            f,
            "verified against bdf with tolerance {:e} at {} points{}",
            self.reference_tolerance,
            deviation.points,
            match deviation.left_out {
                0 => String::new(),
                n => format!(", only continuous states at {n} next to events"),
            }
        )?;
        writeln!(f, "  error as part of a signal's range, the largest; derivatives of states are not compared")?;
        for signal in deviation.signals.iter().take(SHOWN) {
            writeln!(
                f,
                "    {:<30} {:>9.3} %  ({:.3e} of {:.3e} at time {:.6})",
                signal.name,
                100.0 * signal.of_range,
                signal.max_abs,
                signal.range,
                signal.time
            )?;
        }
        if deviation.signals.len() > SHOWN {
            writeln!(f, "    and {} signals with less", deviation.signals.len() - SHOWN)?;
        }
        if let Some(worst) = &self.written {
            let percent = 100.0 * worst.of_range;
            writeln!(f, "  at the points that are written, at most {percent:.3} % ({} at time {:.6})", worst.name, worst.time)?;
        }
        writeln!(f, "  largest relative error of a state        {:.8}", deviation.max_rel)?;
        writeln!(f, "  largest absolute error of a state        {:.8}", deviation.max_abs)?;
        writeln!(f, "  epsilon of |e| <= eps + eps*|y|          {:.8}  (depends on units)", deviation.epsilon)?;
        if let Some(half) = self.half_step {
            writeln!(f, "  half the step changes at most            {:.3} % of a range", 100.0 * half)?;
        }
        let monolithic = &self.monolithic;
        writeln!(f, "  time of this run                         {:.3} ms", 1e3 * self.seconds)?;
        writeln!(
            f,
            "  time of bdf at this accuracy             {:.3} ms  (tolerance {:e}, error {:.3e} of range)",
            1e3 * monolithic.seconds,
            monolithic.tolerance,
            monolithic.error
        )?;
        writeln!(f, "  time of the reference                    {:.3} ms", 1e3 * self.reference_seconds)?;
        match self.speed_up {
            Some(speed_up) if speed_up >= 1.0 => writeln!(f, "  speed-up over bdf at this accuracy       {speed_up:.2}"),
            Some(speed_up) => writeln!(f, "  slower than bdf at this accuracy by      {:.2}", 1.0 / speed_up),
            None => writeln!(f, "  speed-up                                 none: the result is {}", self.flaw.unwrap_or("not measurable")),
        }
    }
}
