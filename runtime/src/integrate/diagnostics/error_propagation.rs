//! How far the errors of single steps may have grown, and what is said about it at the end of a run.
//!
//! Input: the points of a run with error control. Output: one warning (R208) for a run whose result the tolerance does not determine:
//! from when on it is wrong by more than [`SEEN`] of a state's range, and by which state it shows most.
//!
//! Method: a vector of errors follows the linearised model `v' = J*v` from one sample of the Jacobian to the next, and turns to where
//! errors grow most; the estimated errors of the steps in between are added, in that direction, as if they were random. Each of
//! the two Jacobians moves it by a formula of order two that damps what is too fast for the samples (Alexander's SDIRK with two
//! stages, L-stable); the mean of both results is again of order two, and their difference controls the distance of the samples.
//! Where errors grow fast, the formula takes several shorter steps: a long implicit step would damp what grows.
//! ErrorPropagation is believed only where samples resolve the solution: both results are alike, and the growth is moderate or nearly the same. So
//! samples that are too far apart make the estimate too small, hardly ever too large. What errors do to the times of events is not seen.
//! Errors along the trajectory only shift it in time: a fast transient that comes a little earlier or later is the same transient,
//! however steep it is. They are split off: `errors = shift*f + w`, where the shift is constant and `w' = J*w - shift*df/dt`. A shift
//! by at most [`SHIFT`] of the span is not seen as an error.
//! Guarantee: none; the time is an estimate, and what is said of it was tried on models, not proved.
//! Cost: a Jacobian, two evaluations, two factorisations and four solutions per step of the formula and sample; samples are taken while
//! a [`PART`] of the evaluations of the steps pays for the Jacobians, the first ones anyway; the two evaluations come on top of that. Points
//! of output have no say. Nothing is allocated after the start.

use crate::base::error::RunError;
use crate::base::simd::update;
use crate::integrate::system::method::{System, norm};
use crate::linear::Linear;
use crate::model::plan::Pattern;

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
const MOST_STEPS: f64 = 40.0;
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
/// Errors of this part of a state's range are seen.
const SEEN: f64 = 1e-2;
/// Errors of this part of a range stay errors even if the range becomes larger: what diverges is its own error.
const CERTAIN: f64 = 0.3;
/// Part of the longest shift over which derivatives are compared.
const LOOK_AHEAD: f64 = 1e-4;
/// Part of the span by which a trajectory may be shifted: the width of the tubes in which results are compared.
const SHIFT: f64 = 2e-3;
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

/// Workspace of a sample.
#[derive(Debug)]
pub(crate) struct SampleWorkspace {
    /// What drives the errors between two samples.
    source: Vec<f64>,
    first: Vec<f64>,
    second: Vec<f64>,
    begin: Vec<f64>,
    weights: Vec<f64>,
}

/// The lowest and highest values of the states so far.
#[derive(Debug)]
pub(crate) struct StateRange {
    lowest: Vec<f64>,
    highest: Vec<f64>,
}

/// The errors of a run on their way.
#[derive(Debug)]
pub(crate) struct ErrorPropagation {
    linear: Linear,
    pattern: Pattern,
    /// The shift in time that is split off from the errors.
    shift: f64,
    /// The derivatives where the last sample was taken, and how they depend on time itself there and where the one before was taken.
    slopes: Vec<f64>,
    forcing: Vec<f64>,
    forcing_before: Vec<f64>,
    /// Workspace of a sample.
    workspace: SampleWorkspace,
    longest_shift: f64,
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
    size: f64,
    /// [`System::squared_errors`] at the last sample.
    squared_errors: f64,
    /// The lowest and highest values of the states so far.
    range: StateRange,
    seen: Option<Seen>,
}

impl ErrorPropagation {
    /// For a run of this model; nothing if it has no states or too many.
    pub(crate) fn new(system: &System<'_>, span: f64) -> Option<ErrorPropagation> {
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
        Some(ErrorPropagation {
            linear: Linear::new(pattern),
            pattern: pattern.clone(),
            shift: 0.0,
            slopes: zeros(),
            forcing: zeros(),
            forcing_before: zeros(),
            longest_shift: SHIFT * span,
            size: 0.0,
            cost,
            spent: 0.0,
            last: None,
            next: f64::NEG_INFINITY,
            before: vec![0.0; entries],
            now: vec![0.0; entries],
            errors: zeros(),
            squared_errors: 0.0,
            seen: None,
            workspace: SampleWorkspace { source: zeros(), first: zeros(), second: zeros(), begin: zeros(), weights: zeros() },
            range: StateRange { lowest: vec![f64::INFINITY; n], highest: vec![f64::NEG_INFINITY; n] },
        })
    }

    /// The run stands at a point.
    pub(crate) fn accepted(&mut self, system: &mut System<'_>, t: f64, x: &[f64]) {
        for ((x, lowest), highest) in x.iter().zip(&mut self.range.lowest).zip(&mut self.range.highest) {
            *lowest = lowest.min(*x);
            *highest = highest.max(*x);
        }
        if t < self.next {
            return;
        }
        let work = system.statistics.rhs_evaluations as f64;
        if self.spent + self.cost > PART * work + FREE || self.size > LARGEST_ERRORS || system.model.jacobian(t, x, &mut self.now).is_err()
        {
            return;
        }
        self.spent += self.cost;
        if self.now.iter().any(|entry| !entry.is_finite()) {
            return;
        }
        if !self.differentiate(system, t, x) {
            return;
        }
        system.weights(x, &mut self.workspace.weights);
        if let Some(last) = self.last {
            let h = t - last;
            self.drive();
            self.next = t + h * self.correct_output(h);
        }
        self.add_errors(system.squared_errors - self.squared_errors);
        self.split_off_shift(system);
        self.squared_errors = system.squared_errors;
        self.last = Some(t);
        std::mem::swap(&mut self.before, &mut self.now);
        std::mem::swap(&mut self.forcing_before, &mut self.forcing);
        self.look(system, t);
    }

    /// The derivatives at a point, and how they depend on time itself; false if they are not known there.
    fn differentiate(&mut self, system: &mut System<'_>, t: f64, x: &[f64]) -> bool {
        let ahead = LOOK_AHEAD * self.longest_shift;
        if system.model.derivatives(t + ahead, x, &mut self.forcing).is_err() || system.model.derivatives(t, x, &mut self.slopes).is_err() {
            return false;
        }
        update(&mut self.forcing, [&self.slopes], |later, [now]| (later - now) / ahead);
        self.forcing.iter().chain(&self.slopes).all(|value| value.is_finite())
    }

    /// What a shift of the trajectory leaves as errors where the model depends on time: `w' = J*w - shift*df/dt`.
    fn drive(&mut self) {
        let by = -0.5 * self.shift;
        update(&mut self.workspace.source, [&self.forcing_before, &self.forcing], |_, [before, now]| by * (before + now));
    }

    /// Moves from the errors to the shift what is a shift: their part along the derivatives, relative to the ranges.
    fn split_off_shift(&mut self, system: &System<'_>) {
        let (mut product, mut square) = (0.0, 0.0);
        for state in 0..self.errors.len() {
            let size = self.size(system, state);
            product += self.errors[state] / size * (self.slopes[state] / size);
            square += (self.slopes[state] / size).powi(2);
        }
        // A larger shift is an error, and flows like one.
        let by = (self.shift + product / square).clamp(-self.longest_shift, self.longest_shift) - self.shift;
        if by.is_finite() {
            self.shift += by;
            update(&mut self.errors, [&self.slopes], |error, [slope]| error - by * slope);
        }
    }

    /// The model goes on with other states, of whose errors nothing is known: they begin anew.
    pub(crate) fn other_states(&mut self) {
        self.last = None;
        self.shift = 0.0;
        self.errors.fill(0.0);
    }

    /// The errors `h` later: the mean of what both Jacobians make of them. By which factor the distance of samples should change.
    fn correct_output(&mut self, h: f64) -> f64 {
        let size = norm(&self.errors, &self.workspace.weights);
        let steps = self.steps_of_formula(h).ceil().clamp(1.0, MOST_STEPS) as u32;
        let done = flow(
            &mut self.linear,
            (h, steps),
            &self.before,
            &self.workspace.source,
            &self.errors,
            &mut self.workspace.begin,
            &mut self.workspace.first,
        ) && flow(
            &mut self.linear,
            (h, steps),
            &self.now,
            &self.workspace.source,
            &self.errors,
            &mut self.workspace.begin,
            &mut self.workspace.second,
        );
        let apart = {
            for (first, second) in self.workspace.first.iter_mut().zip(&mut self.workspace.second) {
                (*first, *second) = (0.5 * (*first + *second), *first - *second);
            }
            norm(&self.workspace.second, &self.workspace.weights)
        };
        let grown = norm(&self.workspace.first, &self.workspace.weights);
        if !done || !grown.is_finite() || !apart.is_finite() {
            return LEAST_FACTOR;
        }
        let is_resolved = apart <= FARTHEST * grown && grown <= MOST_GROWTH * size || apart <= ALIKE * grown;
        self.size = grown;
        let scale = if is_resolved { 1.0 } else { (size / grown).min(1.0) };
        self.errors.iter_mut().zip(&self.workspace.first).for_each(|(error, mean)| *error = scale * mean);
        let change = apart.max((grown - size).abs());
        (AIM * grown / change).clamp(LEAST_FACTOR, MOST_FACTOR)
    }

    /// How many steps the formula needs for errors that grow fast: by the rate at which they grow now, and by the diagonals.
    fn steps_of_formula(&self, h: f64) -> f64 {
        let mut rate: f64 = 0.0;
        for jacobian in [&self.before, &self.now] {
            let (mut product, mut square) = (0.0, 0.0);
            for (column, ends) in self.pattern.col_starts.windows(2).enumerate() {
                for entry in ends[0]..ends[1] {
                    let row = self.pattern.rows[entry];
                    let weight = self.workspace.weights[row] * self.workspace.weights[row];
                    product += weight * self.errors[row] * jacobian[entry] * self.errors[column];
                    if row == column {
                        rate = rate.max(jacobian[entry]);
                    }
                }
                square += (self.workspace.weights[column] * self.errors[column]).powi(2);
            }
            if square > 0.0 {
                rate = rate.max(product / square);
            }
        }
        h * rate / LONGEST
    }

    /// Adds the errors of some steps, of which the sum of squares is given, as if they were random: in the direction in which errors grow,
    /// if there are any.
    fn add_errors(&mut self, squares: f64) {
        let size = norm(&self.errors, &self.workspace.weights);
        let added = squares.max(LEAST_ERRORS * LEAST_ERRORS);
        if size < LEAST_ERRORS || !size.is_finite() {
            // An irregular direction, so that none is missed by plan.
            let size = added.sqrt();
            for (i, (error, weight)) in self.errors.iter_mut().zip(&self.workspace.weights).enumerate() {
                let sign = if (0.618_033_988_749_894_9 * (i as f64 + 1.0)).fract() < 0.5 { -1.0 } else { 1.0 };
                *error = sign * size / weight;
            }
        } else {
            let scale = (size * size + added).sqrt() / size;
            self.errors.iter_mut().for_each(|error| *error *= scale);
        }
    }

    /// Notes errors that are seen.
    fn look(&mut self, system: &System<'_>, t: f64) {
        // What was much when a state was small may be little now.
        if self.seen.as_ref().is_some_and(|seen| seen.part < CERTAIN && seen.error < SEEN * self.size(system, seen.state)) {
            self.seen = None;
        }
        let parts = (0..self.errors.len()).map(|state| (state, self.errors[state].abs() / self.size(system, state)));
        let Some((state, part)) = parts.max_by(|a, b| a.1.total_cmp(&b.1)) else { return };
        // Once errors are as large as what they are errors of, there is nothing more to know.
        if part.is_nan() || part < SEEN || self.seen.as_ref().is_some_and(|seen| part < seen.part || seen.part > CERTAIN) {
            return;
        }
        let from = self.seen.as_ref().map_or(t, |seen| seen.from);
        self.seen = Some(Seen { from, part, error: self.errors[state].abs(), state, at: t });
    }

    /// How large a state has been, as rules of comparison see it.
    fn size(&self, system: &System<'_>, state: usize) -> f64 {
        let (lowest, highest) = (self.range.lowest[state], self.range.highest[state]);
        (highest - lowest).max(lowest.abs()).max(system.scales.at_rest()[state])
    }

    /// The warning, if there is something to say.
    pub(crate) fn warning(&self, system: &System<'_>) -> Option<RunError> {
        let seen = self.seen.as_ref()?;
        let percent = 100.0 * seen.part.min(1.0);
        let what = format!(
            "errors of single steps have grown to about {percent:.1} % of the size of `{}` at time {}",
            system.model.state_name(seen.state),
            seen.at
        );
        let title = "the solution is so sensitive that the tolerance does not determine the result from here on";
        let mut warning = RunError::new("R208", title).at_time(seen.from).with_note(what);
        warning.hint =
            Some("another tolerance or another tool may give another result; a smaller tolerance determines it for longer".to_string());
        Some(warning)
    }
}

/// What `w' = J*w + s` makes of the errors in a time, by some steps of the formula; false if it has no solution.
fn flow(
    linear: &mut Linear,
    (time, steps): (f64, u32),
    jacobian: &[f64],
    source: &[f64],
    errors: &[f64],
    begin: &mut [f64],
    out: &mut [f64],
) -> bool {
    let h = time / f64::from(steps);
    if linear.factor(GAMMA * h, jacobian).is_err() {
        return false;
    }
    begin.copy_from_slice(errors);
    for _ in 0..steps {
        update(out, [begin, source], |_, [begin, source]| begin + GAMMA * h * source);
        linear.solve(out);
        update(out, [begin, source], |stage, [begin, source]| begin + (1.0 - GAMMA) / GAMMA * (stage - begin) + GAMMA * h * source);
        linear.solve(out);
        begin.copy_from_slice(out);
    }
    true
}

#[cfg(test)]
mod tests;
