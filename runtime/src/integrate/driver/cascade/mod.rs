//! Cascades: parts of a model that do not act back have steps and orders of their own.
//!
//! Input: a model that falls apart into a head, which has all events, and tails, which read the head at most ([`HybridModel::cascade`]). Output: points
//! to a sink, and statistics, as from any run.
//!
//! Method: the run begins with all states together and goes on so unless parts of their own promise to take much less work
//! ([`decision`]). Then the head runs ahead by itself and its dense output is kept ([`trajectory`]); every tail follows with a driver of its own
//! ([`parts`]), gives values at the points that the head has shown, and the results are computed from all of them. When much has been kept
//! it is written, forgotten, and the head goes on. Guarantees: no approximation beyond the tolerance is involved, which holds for every part by itself;
//! events are located by the head exactly as in a run of all states; tails never restart because of them. A run
//! whose parts stay together has the points of a plain one, to the last bit. Everything is decided by counted work.
//! Cost: that of each part at its own steps; memory for [`ROOM`] numbers.

mod decision;
mod integral;
mod parts;
mod trajectory;

use super::constants::LOCAL_PART;
use super::grid::Grid;
use super::run::{Flow, Run};
use crate::base::error::RunError;
use crate::integrate::experiment::{Experiment, Solver};
use crate::integrate::system::scales::Scales;
use crate::integrate::system::sink::Sink;
use crate::integrate::system::statistics::{CascadeCounts, Statistics};
use crate::model::interface::HybridModel;
use decision::{Decision, Members};
use parts::{Head, Part, Shared, Tail};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use trajectory::{Recording, Trajectory};

/// Numbers that are kept until they are written.
const ROOM: usize = 4_000_000;

/// Whether parts of the model may have steps of their own.
pub(super) fn is_wanted(model: &dyn HybridModel, experiment: &Experiment) -> bool {
    let is_usual = experiment.split.is_none() && experiment.rates.is_none() && !experiment.ignore_events && !experiment.count_limits;
    let is_implicit = matches!(experiment.solver, Solver::Auto | Solver::Bdf | Solver::Esdirk);
    experiment.partition && is_usual && is_implicit && model.has_subsets() && model.cascade().is_some()
}

/// Runs a model from start to stop time, its parts by themselves as soon as that pays.
pub(super) fn run(model: &mut dyn HybridModel, experiment: &Experiment, sink: &mut dyn Sink) -> Result<Statistics, RunError> {
    let Some(cascade) = model.cascade() else { return Err(RunError::new("R200", "the model does not fall apart")) };
    let mut decision = Decision::new(cascade, experiment.start_time);
    let mut together = Run::new(&mut *model, experiment, &mut *sink);
    let went = go_together(&mut together, &mut decision);
    if !matches!(went, Ok(true)) {
        let mut statistics = together.close(went.map(|_| ()))?;
        statistics.apart.not_apart = Some(decision.why_not());
        return Ok(statistics);
    }
    together.output.release(&mut together.system)?;
    let (t, x) = (together.t, std::mem::take(&mut together.x));
    let grid = together.grid.clone();
    let scales = together.system.scales.clone();
    let statistics = together.conclude();
    let apart = Apart { parts: decision.parts, t, x, scales, grid };
    apart.run(model, experiment, sink, statistics)
}

/// All states together, until parts of their own pay: true; false at the end.
fn go_together(run: &mut Run<'_>, decision: &mut Decision) -> Result<bool, RunError> {
    let stop = run.experiment.stop_time;
    let mut flow = run.begin()?;
    while flow != Flow::Stop && run.t < stop {
        flow = run.advance(stop)?;
        if flow == Flow::Go && run.t < stop && decision.is_made(run) {
            return Ok(true);
        }
    }
    if flow != Flow::Stop {
        run.finish()?;
    }
    Ok(false)
}

/// The points of a part, one after the other.
#[derive(Default)]
struct Rows {
    times: Vec<f64>,
    values: Vec<f64>,
}

/// Keeps points.
#[derive(Default)]
struct Kept(Rc<RefCell<Rows>>);

impl Sink for Kept {
    fn point(&mut self, t: f64, row: &[f64]) -> Result<(), RunError> {
        let mut rows = self.0.borrow_mut();
        rows.times.push(t);
        rows.values.extend_from_slice(row);
        Ok(())
    }
}

/// Where a run goes on in parts.
struct Apart {
    parts: Vec<Members>,
    t: f64,
    x: Vec<f64>,
    scales: Scales,
    grid: Grid,
}

/// The tails of a run, and what they have shown.
struct Tails<'a> {
    runs: Vec<Run<'a>>,
    states: Vec<Vec<usize>>,
    rows: Vec<Rc<RefCell<Rows>>>,
}

impl Apart {
    fn run(
        mut self,
        model: &mut dyn HybridModel,
        experiment: &Experiment,
        sink: &mut dyn Sink,
        mut statistics: Statistics,
    ) -> Result<Statistics, RunError> {
        let head_states = std::mem::take(&mut self.parts[0]).states;
        let shared = Rc::new(RefCell::new(Shared::new(model, self.x.clone())));
        let inputs = head_states.iter().copied().enumerate().collect();
        let trajectory = Rc::new(RefCell::new(Trajectory::new(inputs)));
        let is_bound: Vec<Rc<Cell<bool>>> = self.parts.iter().map(|_| Rc::default()).collect();
        let mut tail_models: Vec<Tail<'_>> =
            (1..self.parts.len()).map(|number| self.tail(number, &shared, &trajectory, experiment, &is_bound[number])).collect();
        let mut tail_sinks: Vec<Kept> = tail_models.iter().map(|_| Kept::default()).collect();
        let mut tails = Tails {
            states: self.parts[1..].iter().map(|part| part.states.clone()).collect(),
            rows: tail_sinks.iter().map(|sink| sink.0.clone()).collect(),
            runs: tail_models.iter_mut().zip(&mut tail_sinks).map(|(model, sink)| Run::new(model, experiment, sink)).collect(),
        };
        for (run, states) in tails.runs.iter_mut().zip(&tails.states) {
            let x: Vec<f64> = states.iter().map(|&state| self.x[state]).collect();
            run.system.scales.inherit(&self.scales, states);
            run.system.scales.count_movement(&x);
        }
        let mut counts = CascadeCounts {
            from: self.t,
            head_states: head_states.len() as u64,
            parts: tails.runs.len() as u64,
            ..CascadeCounts::default()
        };
        let mut output = Composer { shared: shared.clone(), head_states: head_states.clone(), row: Vec::new(), sink, points: 0 };
        output.row.resize(shared.borrow().model.n_outputs(), 0.0);
        if head_states.is_empty() {
            self.without_head(experiment, &mut tails, &mut output, &mut statistics)?;
        } else {
            let mode = Rc::new(Cell::new(0));
            let part = Part::new(&shared, head_states.clone(), Members::subsets(0).0);
            let mut head_model = Head::new(part, mode.clone());
            let mut head_sink = Kept::default();
            let rows = head_sink.0.clone();
            let mut head = Run::new(&mut head_model, experiment, &mut head_sink);
            head.grid = self.grid.clone();
            head.system.scales.inherit(&self.scales, &head_states);
            let method = std::mem::replace(&mut head.method, experiment.solver.method(&*head.system.model, experiment.fixed_step()));
            head.method =
                Box::new(Recording { method, trajectory: trajectory.clone(), mode: mode.clone(), point: vec![0.0; head_states.len()] });
            self.with_head((&mut head, &mode), &rows, &trajectory, &mut tails, &mut output)?;
            statistics.stopped = head.system.statistics.stopped;
            statistics.end_time = head.t;
            counts.head_steps = head.system.statistics.steps;
            statistics.add(head.conclude());
        }
        statistics.output_points += output.points;
        let steps = || tails.runs.iter().map(|run| run.system.statistics.steps);
        (counts.fewest_steps, counts.most_steps) = (steps().min().unwrap_or(0), steps().max().unwrap_or(0));
        counts.bound = is_bound.iter().filter(|is_bound| is_bound.get()).count() as u64;
        for run in tails.runs {
            statistics.add(run.conclude());
        }
        statistics.apart.cascade = Some(counts);
        Ok(statistics)
    }

    fn tail<'m>(
        &self,
        number: usize,
        shared: &Rc<RefCell<Shared<'m>>>,
        trajectory: &Rc<RefCell<Trajectory>>,
        experiment: &Experiment,
        is_bound: &Rc<Cell<bool>>,
    ) -> Tail<'m> {
        let Members { states, edge } = &self.parts[number];
        let (own, of_edge) = Members::subsets(number);
        let x: Vec<f64> = states.iter().map(|&state| self.x[state]).collect();
        let part = Part::new(shared, states.clone(), own);
        let tolerance = LOCAL_PART * experiment.tolerance;
        Tail::new(part, trajectory, (edge.clone(), of_edge), (self.t, &x), tolerance, is_bound.clone())
    }

    /// Parts that do not read each other, from one time to the next until the end.
    fn without_head(
        &mut self,
        experiment: &Experiment,
        tails: &mut Tails<'_>,
        output: &mut Composer<'_, '_>,
        statistics: &mut Statistics,
    ) -> Result<(), RunError> {
        let stop = experiment.stop_time;
        tails.begin(self.t)?;
        let at_once = (ROOM / self.x.len()).max(1);
        let mut t = self.t;
        while t < stop && !statistics.stopped {
            let mut rows = Rows::default();
            while let Some(next) = self.grid.peek().filter(|_| rows.times.len() < at_once) {
                rows.times.push(next);
                self.grid.pass(next, 0.0);
            }
            t = if self.grid.peek().is_none() { stop } else { rows.times.last().copied().unwrap_or(stop) };
            if t >= stop && rows.times.last() != Some(&stop) {
                rows.times.push(stop);
            }
            tails.advance(&rows.times, t, 0.0)?;
            output.compose(&rows, tails, 0.0)?;
            tails.bring_up(&output.shared, t)?;
            statistics.stopped = output.is_to_end(t);
        }
        statistics.end_time = t;
        Ok(())
    }

    /// The head, and the others behind it.
    fn with_head(
        &self,
        (head, mode): (&mut Run<'_>, &Cell<usize>),
        rows: &RefCell<Rows>,
        trajectory: &RefCell<Trajectory>,
        tails: &mut Tails<'_>,
        output: &mut Composer<'_, '_>,
    ) -> Result<(), RunError> {
        let stop = head.experiment.stop_time;
        let x: Vec<f64> = output.head_states.iter().map(|&state| self.x[state]).collect();
        head.begin_at(self.t, &x)?;
        let mut have_begun = false;
        let mut flow = Flow::Go;
        while flow != Flow::Stop && head.t < stop {
            let begin = head.t;
            output.shared.borrow_mut().hold_latest();
            while flow != Flow::Stop && head.t < stop {
                flow = head.advance(stop)?;
                let n_points = rows.borrow().times.len();
                if n_points * self.x.len() + trajectory.borrow().size() > ROOM {
                    break;
                }
                if output.is_to_end(head.t) {
                    head.system.statistics.stopped = true;
                    flow = Flow::Stop;
                }
            }
            head.output.release(&mut head.system)?;
            let tiny = head.tiny();
            let shown = std::mem::take(&mut *rows.borrow_mut());
            if !have_begun {
                tails.begin(begin)?;
                have_begun = true;
            }
            tails.advance(&shown.times, head.t, tiny)?;
            output.compose(&shown, tails, tiny)?;
            tails.bring_up(&output.shared, head.t)?;
            trajectory.borrow_mut().forget();
            output.shared.borrow_mut().forget();
            mode.set(0);
        }
        output.shared.borrow_mut().hold_latest();
        if flow == Flow::Stop {
            head.end_where_terminated()?
        } else {
            head.finish()?
        }
        head.output.release(&mut head.system)?;
        let last = std::mem::take(&mut *rows.borrow_mut());
        tails.keep_last(&output.shared);
        output.compose(&last, tails, head.tiny())
    }
}

impl Tails<'_> {
    /// Where all begin.
    fn begin(&mut self, t: f64) -> Result<(), RunError> {
        for (run, states) in self.runs.iter_mut().zip(&self.states) {
            let mut own = vec![0.0; states.len()];
            run.system.model.initialize(t, &mut own)?;
            run.begin_at(t, &own)?;
        }
        Ok(())
    }

    /// Up to a time, with points at these times, which ascend but for those of events.
    fn advance(&mut self, times: &[f64], t: f64, tiny: f64) -> Result<(), RunError> {
        let mut wanted: Vec<f64> = Vec::with_capacity(times.len());
        for &time in times {
            if wanted.last().is_none_or(|last| time > last + tiny) {
                wanted.push(time);
            }
        }
        for (run, rows) in self.runs.iter_mut().zip(&self.rows) {
            *rows.borrow_mut() = Rows::default();
            run.grid = Grid::of(wanted.clone());
            // What an event shows where all parts stand already.
            while run.grid.peek().is_some_and(|next| next <= run.t) {
                run.emit_here()?;
            }
            while t - run.t > tiny {
                run.advance(t)?;
            }
        }
        Ok(())
    }

    /// Tells the model where the tails are.
    fn bring_up(&mut self, shared: &RefCell<Shared<'_>>, t: f64) -> Result<(), RunError> {
        for (run, states) in self.runs.iter_mut().zip(&self.states) {
            let mut x = vec![0.0; states.len()];
            let computed = run.system.model.outputs(t, &run.x, &mut x);
            computed.map_err(|failure| RunError::from_eval("R205", "the results cannot be computed", &failure).at_time(t))?;
            let mut shared = shared.borrow_mut();
            states.iter().zip(&x).for_each(|(&state, x)| shared.point[state] = *x);
        }
        Ok(())
    }

    /// What is shown from now on is shown where the tails are.
    fn keep_last(&mut self, shared: &RefCell<Shared<'_>>) {
        let shared = shared.borrow();
        for ((run, states), rows) in self.runs.iter().zip(&self.states).zip(&self.rows) {
            let values = states.iter().map(|&state| shared.point[state]).collect();
            *rows.borrow_mut() = Rows { times: vec![run.t], values };
        }
    }
}

/// Makes results of the points of all parts.
struct Composer<'m, 's> {
    shared: Rc<RefCell<Shared<'m>>>,
    head_states: Vec<usize>,
    row: Vec<f64>,
    sink: &'s mut dyn Sink,
    points: u64,
}

impl Composer<'_, '_> {
    /// Hands over the points of the head, or if it has no states those of these times.
    fn compose(&mut self, shown: &Rows, tails: &Tails<'_>, tiny: f64) -> Result<(), RunError> {
        let width = if self.head_states.is_empty() { 0 } else { self.head_states.len() + 1 };
        let rows: Vec<_> = tails.rows.iter().map(|rows| rows.borrow()).collect();
        let mut at = vec![0; rows.len()];
        for (k, &t) in shown.times.iter().enumerate() {
            let mut shared = self.shared.borrow_mut();
            if let Some((mode, x)) = shown.values[width * k..width * (k + 1)].split_last() {
                shared.hold(*mode as usize);
                self.head_states.iter().zip(x).for_each(|(&state, x)| shared.point[state] = *x);
            }
            for ((rows, at), states) in rows.iter().zip(&mut at).zip(&tails.states) {
                while rows.times.get(*at + 1).is_some_and(|next| *next <= t + tiny) {
                    *at += 1;
                }
                let n = states.len();
                let Some(x) = rows.values.get(n * *at..n * (*at + 1)) else { continue };
                states.iter().zip(x).for_each(|(&state, x)| shared.point[state] = *x);
            }
            let Shared { model, point, .. } = &mut *shared;
            let computed = model.outputs(t, point, &mut self.row);
            computed.map_err(|failure| RunError::from_eval("R205", "the results cannot be computed", &failure).at_time(t))?;
            self.points += 1;
            self.sink.point(t, &self.row)?;
        }
        Ok(())
    }

    /// The run has come to a time. Whether it is to end there.
    fn is_to_end(&mut self, t: f64) -> bool {
        self.sink.progress(t);
        self.sink.stops()
    }
}
