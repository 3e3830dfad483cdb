//! How far the errors of single steps may have grown, and what is said about it at the end of a run.
//!
//! Input: the points of a run with error control. Output: a suspicion that the tolerance does not determine the result, from when on, and
//! by which state it shows most. A second run decides about it (`sensitivity`).
//!
//! Method: a vector of errors, as large as the tolerance allows them in one step, follows the linearised model `v' = J*v` from one
//! sample of the Jacobian to the next, and turns to where errors grow most; the errors of the steps in between are added. Each of
//! the two Jacobians moves it by a formula of order two that damps what is too fast for the samples (Alexander's SDIRK with two
//! stages, L-stable); the mean of both results is again of order two, and their difference controls the distance of the samples.
//! Where errors grow fast, the formula takes several shorter steps: a long implicit step would damp what grows.
//! Growth is believed only where samples resolve the solution: both results are alike, and the growth is moderate or nearly the same. So
//! samples that are too far apart make the estimate too small, hardly ever too large. What errors do to the times of events is not seen.
//! Cost: a Jacobian, two factorisations and four solutions per sample; samples are taken while a [`PART`] of the work of the steps
//! pays for them, the first ones anyway; points of output have no say. Nothing is allocated.

use super::method::{System, norm};
use super::sensitivity::sensitive;
use crate::error::RunError;
use crate::linear::Linear;
use crate::plan::Pattern;

/// Models with more states are not examined: their Jacobians cost too much.
const MOST_STATES: usize = 300;
/// Part of the evaluations of a run that may be spent.
const PART: f64 = 0.15;
/// Evaluations that may be spent beside this.
const FREE: f64 = 60.0;
/// Larger growth between two samples, if it is not nearly the same by both, is a transition that the samples do not resolve.
const MOST_GROWTH: f64 = 4.0;
/// What the Jacobians of two samples make of an error differs by no more than this part of it, if the samples resolve the solution.
const FARTHEST: f64 = 1.0;
/// See [`MOST_GROWTH`].
const ALIKE: f64 = 0.3;
/// A step of the formula is so short that errors grow no more than by the exponential of this, if that takes at most [`MOST_STEPS`].
const LONGEST: f64 = 0.5;
/// See [`LONGEST`].
const MOST_STEPS: f64 = 16.0;
/// Larger errors, in parts of those of a step, are not followed any more.
const LARGEST_ERRORS: f64 = 1e60;
/// Samples are wanted so far apart that both results differ by this part, and their mean from what it was.
const AIM: f64 = 0.1;
/// From one sample to the next their distance changes no more than by these factors.
const LEAST_FACTOR: f64 = 0.3;
/// See [`LEAST_FACTOR`].
const MOST_FACTOR: f64 = 2.0;
/// Smaller errors, in parts of those of a step, have no direction.
const LEAST_ERRORS: f64 = 1e-6;
/// Errors of this part of a state's size are seen.
const SEEN: f64 = 3e-3;
/// States are at least this part of the size they are treated with.
const LEAST_SIZE: f64 = 1e-3;
/// The diagonal of the formula.
const GAMMA: f64 = 1.0 - std::f64::consts::FRAC_1_SQRT_2;

/// Errors that were seen.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    from: f64,
    /// The largest error as part of a state's size then, its size, of which state, and when.
    part: f64,
    error: f64,
    state: usize,
    at: f64,
}

/// The errors of a run on their way.
#[derive(Debug)]
pub(super) struct Growth {
    linear: Linear,
    pattern: Pattern,
    /// Cost of a sample in evaluations of the derivatives, and of all so far.
    cost: f64,
    spent: f64,
    /// Time of the last sample; none before the first one.
    last: Option<f64>,
    /// No sample is wanted before.
    next: f64,
    before: Vec<f64>,
    now: Vec<f64>,
    /// The errors, and what the Jacobians before and after make of them.
    errors: Vec<f64>,
    /// Their size at the last sample.
    grown: f64,
    first: Vec<f64>,
    second: Vec<f64>,
    /// Where a step of the formula begins.
    begin: Vec<f64>,
    /// Accepted steps up to the last sample.
    steps: u64,
    weights: Vec<f64>,
    lowest: Vec<f64>,
    highest: Vec<f64>,
    seen: Option<Seen>,
}

impl Growth {
    /// For a run of this model; nothing if it has no states or too many.
    pub(super) fn new(system: &System<'_>) -> Option<Growth> {
        let n = system.n();
        if n == 0 || n > MOST_STATES {
            return None;
        }
        let pattern = system.model.jacobian_pattern();
        let mut in_row = vec![0_usize; n];
        pattern.rows.iter().for_each(|&row| in_row[row] += 1);
        // An evaluation, as many directions as the fullest row has entries, and the factors, which are dear where rows are full.
        let fullest = in_row.iter().max().copied().unwrap_or(0) as f64;
        let cost = 2.0 + fullest / 4.0 + fullest * pattern.rows.len() as f64 / 2000.0;
        let (zeros, entries) = (|| vec![0.0; n], pattern.rows.len());
        Some(Growth {
            linear: Linear::new(pattern),
            pattern: pattern.clone(),
            grown: 0.0,
            cost,
            spent: 0.0,
            last: None,
            next: f64::NEG_INFINITY,
            before: vec![0.0; entries],
            now: vec![0.0; entries],
            errors: zeros(),
            first: zeros(),
            second: zeros(),
            begin: zeros(),
            steps: 0,
            weights: zeros(),
            lowest: vec![f64::INFINITY; n],
            highest: vec![f64::NEG_INFINITY; n],
            seen: None,
        })
    }

    /// The run stands at a point.
    pub(super) fn accepted(&mut self, system: &mut System<'_>, t: f64, x: &[f64]) {
        for ((x, lowest), highest) in x.iter().zip(&mut self.lowest).zip(&mut self.highest) {
            *lowest = lowest.min(*x);
            *highest = highest.max(*x);
        }
        if t < self.next {
            return;
        }
        let work = system.statistics.rhs_evaluations as f64;
        if self.spent + self.cost > PART * work + FREE || self.grown > LARGEST_ERRORS || system.model.jacobian(t, x, &mut self.now).is_err() {
            return;
        }
        self.spent += self.cost;
        if self.now.iter().any(|entry| !entry.is_finite()) {
            return;
        }
        system.weights(x, &mut self.weights);
        if let Some(last) = self.last {
            let h = t - last;
            self.next = t + h * self.follow(h);
        }
        let steps = system.statistics.steps;
        self.add_errors((steps - self.steps) as f64);
        self.steps = steps;
        self.last = Some(t);
        std::mem::swap(&mut self.before, &mut self.now);
        self.look(system, t);
    }

    /// The model goes on with other states, of whose errors nothing is known: they begin anew.
    pub(super) fn other_states(&mut self) {
        self.last = None;
        self.errors.fill(0.0);
    }

    /// The errors `h` later: the mean of what both Jacobians make of them. By which factor the distance of samples should change.
    fn follow(&mut self, h: f64) -> f64 {
        let size = norm(&self.errors, &self.weights);
        let steps = self.steps_of_formula(h);
        let done = flow(&mut self.linear, (h, steps), &self.before, &self.errors, &mut self.begin, &mut self.first)
            && flow(&mut self.linear, (h, steps), &self.now, &self.errors, &mut self.begin, &mut self.second);
        let apart = {
            for (first, second) in self.first.iter_mut().zip(&mut self.second) {
                (*first, *second) = (0.5 * (*first + *second), *first - *second);
            }
            norm(&self.second, &self.weights)
        };
        let grown = norm(&self.first, &self.weights);
        if !done || !grown.is_finite() || !apart.is_finite() {
            return LEAST_FACTOR;
        }
        let is_resolved = apart <= FARTHEST * grown && grown <= MOST_GROWTH * size || apart <= ALIKE * grown;
        self.grown = grown;
        let scale = if is_resolved { 1.0 } else { (size / grown).min(1.0) };
        self.errors.iter_mut().zip(&self.first).for_each(|(error, mean)| *error = scale * mean);
        let change = apart.max((grown - size).abs());
        (AIM * grown / change).clamp(LEAST_FACTOR, MOST_FACTOR)
    }

    /// How many steps the formula needs for errors that grow fast: by the rate at which they grow now, and by the diagonals.
    fn steps_of_formula(&self, h: f64) -> u32 {
        let mut rate: f64 = 0.0;
        for jacobian in [&self.before, &self.now] {
            let (mut product, mut square) = (0.0, 0.0);
            for (column, ends) in self.pattern.col_starts.windows(2).enumerate() {
                for entry in ends[0]..ends[1] {
                    let row = self.pattern.rows[entry];
                    let weight = self.weights[row] * self.weights[row];
                    product += weight * self.errors[row] * jacobian[entry] * self.errors[column];
                    if row == column {
                        rate = rate.max(jacobian[entry]);
                    }
                }
                square += (self.weights[column] * self.errors[column]).powi(2);
            }
            if square > 0.0 {
                rate = rate.max(product / square);
            }
        }
        (h * rate / LONGEST).ceil().clamp(1.0, MOST_STEPS) as u32
    }

    /// Adds the errors of some steps, as if they were random: in the direction in which errors grow, if there are any.
    fn add_errors(&mut self, steps: f64) {
        let size = norm(&self.errors, &self.weights);
        if size < LEAST_ERRORS || !size.is_finite() {
            // An irregular direction, so that none is missed by plan.
            for (i, (error, weight)) in self.errors.iter_mut().zip(&self.weights).enumerate() {
                let sign = if (0.618_033_988_749_894_9 * (i as f64 + 1.0)).fract() < 0.5 { -1.0 } else { 1.0 };
                *error = sign / weight;
            }
        } else {
            let scale = (size * size + steps).sqrt() / size;
            self.errors.iter_mut().for_each(|error| *error *= scale);
        }
    }

    /// Notes errors that are seen.
    fn look(&mut self, system: &System<'_>, t: f64) {
        // What was much when a state was small may be little now.
        if self.seen.as_ref().is_some_and(|seen| seen.error < SEEN * self.size(system, seen.state)) {
            self.seen = None;
        }
        let parts = (0..self.errors.len()).map(|state| (state, self.errors[state].abs() / self.size(system, state)));
        let Some((state, part)) = parts.max_by(|a, b| a.1.total_cmp(&b.1)) else { return };
        // Once errors are as large as what they are errors of, there is nothing more to know.
        if part < SEEN || self.seen.as_ref().is_some_and(|seen| part < seen.part || seen.part > 1.0) {
            return;
        }
        let from = self.seen.as_ref().map_or(t, |seen| seen.from);
        self.seen = Some(Seen { from, part, error: self.errors[state].abs(), state, at: t });
    }

    /// How large a state has been, as rules of comparison see it.
    fn size(&self, system: &System<'_>, state: usize) -> f64 {
        let (lowest, highest) = (self.lowest[state], self.highest[state]);
        (highest - lowest).max(lowest.abs()).max(LEAST_SIZE * system.scales.sizes()[state])
    }

    /// The warning, if nothing better is known.
    pub(super) fn suspicion(&self, system: &System<'_>) -> Option<RunError> {
        let seen = self.seen.as_ref()?;
        let part = seen.error / self.size(system, seen.state);
        if part < SEEN {
            return None;
        }
        let percent = 100.0 * part.min(1.0);
        let what = format!("errors of single steps have grown to about {percent:.1} % of the size of `{}` at time {}", system.model.state_name(seen.state), seen.at);
        Some(sensitive(seen.from).with_note(what))
    }
}

/// What `v' = J*v` makes of the errors in a time, by some steps of the formula; false if it has no solution.
fn flow(linear: &mut Linear, (time, steps): (f64, u32), jacobian: &[f64], errors: &[f64], begin: &mut [f64], out: &mut [f64]) -> bool {
    let h = time / f64::from(steps);
    if linear.factor(GAMMA * h, jacobian).is_err() {
        return false;
    }
    out.copy_from_slice(errors);
    begin.copy_from_slice(errors);
    for _ in 0..steps {
        linear.solve(out);
        for (stage, begin) in out.iter_mut().zip(&*begin) {
            *stage = begin + (1.0 - GAMMA) / GAMMA * (*stage - begin);
        }
        linear.solve(out);
        begin.copy_from_slice(out);
    }
    true
}

#[cfg(test)]
mod tests {
    use crate::integrate::problems::*;
    use crate::integrate::{Experiment, Solver};

    /// The Lorenz equations: errors grow by a factor of about 2.5 in a unit of time.
    fn lorenz() -> Problem {
        Problem::ode(
            vec![1.0, 1.0, 20.0],
            |_, x, dx| {
                dx[0] = 10.0 * (x[1] - x[0]);
                dx[1] = x[0] * (28.0 - x[2]) - x[1];
                dx[2] = x[0] * x[1] - 8.0 / 3.0 * x[2];
            },
            |_, x, v| v.copy_from_slice(&[-10.0, 28.0 - x[2], x[1], 10.0, -1.0, x[0], 0.0, -x[0], -8.0 / 3.0]),
        )
    }

    /// A pendulum that swings widely: errors of its phase grow with time, not exponentially.
    fn pendulum() -> Problem {
        Problem::ode(
            vec![2.5, 0.0],
            |_, x, dx| {
                dx[0] = x[1];
                dx[1] = -x[0].sin();
            },
            |_, x, v| v.copy_from_slice(&[0.0, -x[0].cos(), 1.0, 0.0]),
        )
    }

    fn warnings(mut problem: Problem, solver: Solver, stop: f64) -> Vec<(String, f64)> {
        let (_, statistics) = run(&mut problem, &Experiment { interval: Some(stop / 2000.0), ..experiment(solver, stop) });
        statistics.warnings.iter().map(|warning| (warning.code.to_string(), warning.time.unwrap_or(f64::NAN))).collect()
    }

    #[test]
    fn a_chaotic_solution_is_warned_of_and_a_short_one_is_not() {
        for solver in [Solver::Bdf, Solver::Esdirk, Solver::Dopri5] {
            let found = warnings(lorenz(), solver, 40.0);
            assert!(matches!(&found[..], [(code, time)] if code == "R208" && (5.0..25.0).contains(time)), "{solver}: {found:?}");
            assert!(warnings(lorenz(), solver, 3.0).is_empty(), "{solver}");
        }
    }

    #[test]
    fn what_does_not_grow_is_not_warned_of() {
        for solver in [Solver::Bdf, Solver::Esdirk, Solver::Dopri5] {
            assert!(warnings(pendulum(), solver, 100.0).is_empty(), "{solver}");
            assert!(warnings(oscillator(), solver, 300.0).is_empty(), "{solver}");
        }
        for problem in [stiff(), robertson(), van_der_pol(), heat_exchanger(40), brusselator(20), inverters(50), bouncing_ball()] {
            let found = warnings(problem, Solver::Bdf, 1.5);
            assert!(found.is_empty(), "{found:?}");
        }
    }
}
