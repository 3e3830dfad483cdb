//! The states that step together at one depth, and one trial step of them.
//!
//! Input: the states of a level, a point, the steps of all others. Output: the point at the end of a step, the error of each state, values
//! within the step. Cost: six evaluations of the level's derivatives and one for their change with time, a Jacobian, a factorisation.

use super::constants::TIME_DIFFERENCE;
use super::pieces::{Piece, Pieces};
use super::rodas::{A, B, C, D, GAMMA, ORDER, STAGES, WITHIN};
use crate::integrate::system::method::{Rejection, System, largest};
use crate::linear::Linear;
use crate::model::interface::SubsetId;
use crate::model::plan::Pattern;

/// States with the same steps.
#[derive(Debug, Default)]
pub(super) struct Level {
    /// Ascending.
    pub(super) states: Vec<usize>,
    /// States that they read and that are not among them.
    inputs: Vec<usize>,
    /// States outside that read them: what they do not see of these states adds up.
    pub(super) watchers: Vec<usize>,
    /// States that the watchers read and that are not among `states`.
    watcher_inputs: Vec<usize>,
    /// Where the model has both.
    ids: [usize; 2],
    linear: Option<Linear>,
    jacobian: Vec<f64>,
    /// Places of the diagonal in the Jacobian.
    diagonal: Vec<Option<usize>>,
    /// The time at which derivatives and Jacobian stand.
    known_at: Option<f64>,
    f: Vec<f64>,
    by_time: Vec<f64>,
    stages: [Vec<f64>; STAGES],
    /// The point at the begin and at the end of the step.
    pub(super) begin: Vec<f64>,
    pub(super) end: Vec<f64>,
    /// How many steps each state would need in this one, and errors in parts of what is tolerated.
    pub(super) needed: Vec<f64>,
    pub(super) errors: Vec<f64>,
    /// Derivatives of the watchers.
    pub(super) seen: Vec<f64>,
    /// The next step.
    pub(super) h: f64,
}

/// Marks for sets of states that are made and forgotten.
#[derive(Debug, Default)]
pub(super) struct Marks {
    marked: Vec<u64>,
    now: u64,
}

impl Marks {
    pub(super) fn new(n: usize) -> Marks {
        Marks { marked: vec![0; n], now: 0 }
    }

    pub(super) fn forget(&mut self) {
        self.now += 1;
    }

    /// Marks these states, too.
    pub(super) fn add(&mut self, states: &[usize]) {
        states.iter().for_each(|&state| self.marked[state] = self.now);
    }

    /// Whether the state was not marked before.
    pub(super) fn mark(&mut self, state: usize) -> bool {
        std::mem::replace(&mut self.marked[state], self.now) != self.now
    }

    /// Marks these states and no others.
    pub(super) fn set(&mut self, states: &[usize]) {
        self.now += 1;
        states.iter().for_each(|&state| self.marked[state] = self.now);
    }

    pub(super) fn is_marked(&self, state: usize) -> bool {
        self.marked[state] == self.now
    }
}

/// Who reads whom: the pattern of the Jacobian by columns and by rows.
#[derive(Debug, Default)]
pub(super) struct Readers {
    /// Column `j` has the states whose derivatives read state `j`.
    pub(super) readers: Pattern,
    /// Column `i` has the states that the derivative of state `i` reads.
    pub(super) reads: Pattern,
}

impl Level {
    /// A level of a number, where numbers tell levels apart.
    pub(super) fn new(number: usize) -> Level {
        Level { ids: [2 * number, 2 * number + 1], ..Level::default() }
    }

    /// What the level knew of a point does not hold any longer.
    pub(super) fn forget(&mut self) {
        self.known_at = None;
    }

    /// Makes these states the level's. All states together are computed by the functions for all of them.
    pub(super) fn choose(&mut self, system: &mut System<'_>, states: &[usize], graph: &Readers, marks: &mut Marks) {
        self.known_at = None;
        if self.states == states && self.linear.is_some() {
            return;
        }
        self.states.clear();
        self.states.extend_from_slice(states);
        let is_whole = states.len() == system.n();
        marks.set(states);
        self.inputs.clear();
        self.watchers.clear();
        if !is_whole {
            for &state in states {
                self.inputs.extend(graph.reads.column(state).iter().filter(|&&read| marks.mark(read)));
            }
            marks.set(states);
            for &state in states {
                self.watchers.extend(graph.readers.column(state).iter().filter(|&&reader| marks.mark(reader)));
            }
            self.watchers.sort_unstable();
            self.choose_watchers(system, graph, marks);
            system.model.select(SubsetId(self.ids[0]), states);
        }
        self.resize_workspace(system, is_whole);
    }

    fn choose_watchers(&mut self, system: &mut System<'_>, graph: &Readers, marks: &mut Marks) {
        marks.set(&self.states);
        self.watcher_inputs.clear();
        for &watcher in &self.watchers {
            self.watcher_inputs.extend(graph.reads.column(watcher).iter().filter(|&&read| marks.mark(read)));
            self.watcher_inputs.extend(marks.mark(watcher).then_some(watcher));
        }
        self.seen.resize(self.watchers.len(), 0.0);
        if !self.watchers.is_empty() {
            system.model.select(SubsetId(self.ids[1]), &self.watchers);
        }
    }

    fn resize_workspace(&mut self, system: &System<'_>, is_whole: bool) {
        let empty = Pattern::default();
        let own = system.model.subset_pattern(SubsetId(self.ids[0]));
        let pattern = if is_whole { system.model.jacobian_pattern() } else { own.unwrap_or(&empty) };
        self.linear = Some(Linear::new(pattern));
        self.jacobian.resize(pattern.rows.len(), 0.0);
        let entry = |j: usize| pattern.column(j).binary_search(&j).ok().map(|at| pattern.col_starts[j] + at);
        self.diagonal.clear();
        self.diagonal.extend((0..self.states.len()).map(entry));
        let n = self.states.len();
        let vectors = [&mut self.f, &mut self.by_time, &mut self.begin, &mut self.end, &mut self.needed, &mut self.errors];
        vectors.into_iter().chain(&mut self.stages).for_each(|vector| vector.resize(n, 0.0));
    }

    /// The derivatives of the level's states where they are in `point`.
    fn derivatives(&self, system: &mut System<'_>, t: f64, point: &[f64], out: &mut [f64]) -> Result<(), Rejection> {
        if self.states.len() == point.len() {
            return system.derivatives(t, point, out);
        }
        system.statistics.note_subset(self.states.len());
        let done = system.model.subset_derivatives(SubsetId(self.ids[0]), t, point, out);
        done.map_err(|failure| {
            system.last_failure = Some(failure);
            Rejection::Evaluation
        })
    }

    /// The derivatives of the watchers, at the end of a step.
    pub(super) fn watch(&mut self, system: &mut System<'_>, t: f64, point: &mut [f64], pieces: &Pieces) -> Result<(), Rejection> {
        if self.watchers.is_empty() {
            return Ok(());
        }
        follow(&self.watcher_inputs, t, point, pieces);
        system.statistics.note_subset(self.watchers.len());
        let done = system.model.subset_derivatives(SubsetId(self.ids[1]), t, point, &mut self.seen);
        done.map_err(|failure| {
            system.last_failure = Some(failure);
            Rejection::Evaluation
        })
    }

    /// The entry of the Jacobian's diagonal.
    pub(super) fn rate(&self, i: usize) -> f64 {
        self.diagonal[i].map_or(0.0, |entry| self.jacobian[entry])
    }

    /// The error of a state in the last step.
    pub(super) fn local_error(&self, i: usize) -> f64 {
        self.stages[STAGES - 1][i].abs()
    }

    /// The place of the state that needs the shortest steps.
    pub(super) fn place_of_worst(&self) -> usize {
        largest(self.needed.iter().copied())
    }

    /// That state.
    pub(super) fn worst(&self) -> usize {
        self.states.get(self.place_of_worst()).copied().unwrap_or(0)
    }

    /// A step from `t`, where the states are as in `x`.
    pub(super) fn try_step(
        &mut self,
        system: &mut System<'_>,
        (t, h): (f64, f64),
        x: &[f64],
        point: &mut [f64],
        pieces: &Pieces,
    ) -> Result<(), Rejection> {
        if self.known_at != Some(t) {
            self.linearise(system, t, x, point, pieces)?;
        }
        self.change_with_time(system, (t, h), point, pieces)?;
        let Some(mut linear) = self.linear.take() else { return Err(Rejection::Evaluation) };
        let stepped = self.all_stages(system, (t, h), point, pieces, &mut linear);
        self.linear = Some(linear);
        stepped?;
        self.judge(system);
        Ok(())
    }

    /// Derivatives and Jacobian at the begin of a step.
    fn linearise(&mut self, system: &mut System<'_>, t: f64, x: &[f64], point: &mut [f64], pieces: &Pieces) -> Result<(), Rejection> {
        for (begin, &state) in self.begin.iter_mut().zip(&self.states) {
            *begin = x[state];
            point[state] = x[state];
        }
        follow(&self.inputs, t, point, pieces);
        let mut f = std::mem::take(&mut self.f);
        let done = self.derivatives(system, t, point, &mut f);
        self.f = f;
        done?;
        if self.states.len() == point.len() {
            system.jacobian(t, point, &mut self.jacobian)?;
        } else if let Err(failure) = system.model.subset_jacobian(SubsetId(self.ids[0]), &mut self.jacobian) {
            system.last_failure = Some(failure);
            return Err(Rejection::Evaluation);
        }
        self.known_at = Some(t);
        Ok(())
    }

    /// How the derivatives change because time and what the level reads go on.
    fn change_with_time(
        &mut self,
        system: &mut System<'_>,
        (t, h): (f64, f64),
        point: &mut [f64],
        pieces: &Pieces,
    ) -> Result<(), Rejection> {
        let later = t + (TIME_DIFFERENCE * h).max(1e4 * f64::EPSILON * t.abs()).min(h);
        for (begin, &state) in self.begin.iter().zip(&self.states) {
            point[state] = *begin;
        }
        follow(&self.inputs, later, point, pieces);
        let mut by_time = std::mem::take(&mut self.by_time);
        let done = self.derivatives(system, later, point, &mut by_time);
        by_time.iter_mut().zip(&self.f).for_each(|(change, f)| *change = (*change - f) / (later - t));
        self.by_time = by_time;
        done
    }

    fn all_stages(
        &mut self,
        system: &mut System<'_>,
        (t, h): (f64, f64),
        point: &mut [f64],
        pieces: &Pieces,
        linear: &mut Linear,
    ) -> Result<(), Rejection> {
        system.statistics.factorisations += 1;
        let scale = h * GAMMA;
        linear.factor(scale, &self.jacobian).map_err(|singular| Rejection::Singular { state: self.states[singular.column] })?;
        let mut stages = std::mem::take(&mut self.stages);
        let mut done = Ok(());
        for i in 0..STAGES {
            let (before, rest) = stages.split_at_mut(i);
            let stage = &mut rest[0];
            if i == 0 {
                stage.copy_from_slice(&self.f);
            } else {
                sum(&mut self.end, &self.begin, A[i], before, 1.0);
                for (end, &state) in self.end.iter().zip(&self.states) {
                    point[state] = *end;
                }
                let at = if C[i] == 1.0 { t + h } else { t + C[i] * h };
                follow(&self.inputs, at, point, pieces);
                done = self.derivatives(system, at, point, stage);
                if done.is_err() {
                    break;
                }
            }
            for (k, stage) in stage.iter_mut().enumerate() {
                let earlier: f64 = B[i].iter().zip(before.iter()).map(|(b, before)| b * before[k]).sum();
                *stage = scale * (*stage + h * D[i] * self.by_time[k] + earlier / h);
            }
            linear.solve(stage);
        }
        self.stages = stages;
        // The last stage is the error.
        self.end.iter_mut().zip(&self.stages[STAGES - 1]).for_each(|(end, error)| *end += error);
        done
    }

    /// Errors in parts of what is tolerated, and what they mean.
    fn judge(&mut self, system: &System<'_>) {
        for (i, &state) in self.states.iter().enumerate() {
            let tolerated = tolerated(system, state, self.begin[i], self.end[i]);
            let error = self.stages[STAGES - 1][i].abs() / tolerated;
            self.errors[i] = if error.is_nan() { f64::INFINITY } else { error };
            self.needed[i] = self.errors[i].sqrt().sqrt();
        }
        debug_assert_eq!(ORDER, 4, "the root above is that of the order");
    }

    /// The step of one of the states.
    pub(super) fn piece(&self, i: usize, (t, h): (f64, f64)) -> Piece {
        let within = WITHIN.map(|weights| weights.iter().zip(&self.stages).map(|(weight, stage)| weight * stage[i]).sum::<f64>());
        Piece { t, h, begin: self.begin[i], end: self.end[i], p: within[0], q: within[1] }
    }
}

/// What a step may add to a state's error.
pub(super) fn tolerated(system: &System<'_>, state: usize, a: f64, b: f64) -> f64 {
    system.rtol * a.abs().max(b.abs()) + system.scales.atol[state]
}

/// Puts states where their steps are at a time.
fn follow(states: &[usize], t: f64, point: &mut [f64], pieces: &Pieces) {
    for &state in states {
        if let Some(piece) = pieces.last(state) {
            point[state] = piece.value(t);
        }
    }
}

/// `out = begin + factor * sum of weights[j]*terms[j]`.
fn sum(out: &mut [f64], begin: &[f64], weights: &[f64], terms: &[Vec<f64>], factor: f64) {
    for (k, (out, begin)) in out.iter_mut().zip(begin).enumerate() {
        let total: f64 = weights.iter().zip(terms).map(|(weight, term)| weight * term[k]).sum();
        *out = begin + factor * total;
    }
}
