//! Whether the tolerance determines the result of a run that seems sensitive: the run is made a second time with a tenth of it.
//!
//! Input: a run whose errors may have grown ([`super::growth`]), as its states at evenly spaced times ([`Trace`]), and the model once more.
//! Output: from when on the states of both runs differ by more than [`SEEN`] of their ranges, by which state it shows most, or nothing.
//!
//! Method: a state differs where it lies outside of what the other run goes through within [`SHIFT`] of the span before and after:
//! a fast transient that comes a little earlier or later is the same transient. The difference begins where it first exceeds that part of
//! the range so far and stays above until it exceeds that of the whole range, so that what diverges is not compared with where
//! it ends. Guarantees: neither points of output nor the estimate that raised the suspicion have a say. Cost: another run, only where
//! there is a suspicion; one interpolation per time of the trace.

use super::driver::{Sink, trace_of};
use super::{Experiment, Statistics};
use crate::error::RunError;
use crate::model::Model;

/// Times of a trace.
const TIMES: usize = 1000;
/// States that differ by this part of their range are seen to differ.
const SEEN: f64 = 1e-2;
/// Times of the trace by which transients may be shifted: 0.2 % of the span.
const SHIFT: usize = 2;
/// The second run has this part of the tolerance.
const TIGHTER: f64 = 0.1;
/// The least tolerance that a run can have.
const LEAST_TOLERANCE: f64 = 1e-14;

/// The states of a run at evenly spaced times.
#[derive(Debug)]
pub(super) struct Trace {
    n: usize,
    start: f64,
    apart: f64,
    /// The states at one time after the other.
    values: Vec<f64>,
}

impl Trace {
    /// The trace of a run of a model with `n` states.
    pub(super) fn new(experiment: &Experiment, n: usize) -> Trace {
        Trace { n, start: experiment.start_time, apart: experiment.span() / TIMES as f64, values: Vec::new() }
    }

    fn len(&self) -> usize {
        self.values.len() / self.n.max(1)
    }

    fn time(&self, k: usize) -> f64 {
        self.start + k as f64 * self.apart
    }

    /// Takes the states up to a time; `within` gives those at times of the last step.
    pub(super) fn advance(&mut self, t: f64, mut within: impl FnMut(f64, &mut [f64])) {
        while self.n > 0 && self.apart > 0.0 && self.time(self.len()) <= t {
            let (time, from) = (self.time(self.len()), self.values.len());
            self.values.resize(from + self.n, 0.0);
            within(time, &mut self.values[from..]);
        }
    }

    fn column(&self, state: usize) -> impl Iterator<Item = f64> + Clone {
        self.values.iter().skip(state).step_by(self.n).copied()
    }
}

/// How two runs differ.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Difference {
    /// From when on.
    from: f64,
    /// The largest difference as part of the range of a state, of which state, and when.
    part: f64,
    state: usize,
    at: f64,
}

impl Difference {
    /// What is said about it.
    pub(super) fn warning(&self, model: &dyn Model) -> RunError {
        let percent = 100.0 * self.part.min(1.0);
        let name = model.state_name(self.state);
        sensitive(self.from).with_note(format!("with a tenth of the tolerance `{name}` differs by {percent:.1} % of its range at time {}", self.at))
    }
}

/// The warning without its evidence.
pub(super) fn sensitive(from: f64) -> RunError {
    let title = "the solution is so sensitive that the tolerance does not determine the result from here on";
    let mut warning = RunError::new("R208", title).at_time(from);
    warning.hint = Some("another tolerance or another tool may give another result; a smaller tolerance determines it for longer".to_string());
    warning
}

/// What a second run says.
pub(super) enum Evidence {
    /// It is the same.
    Same,
    /// It differs.
    Differs(Difference),
    /// There is none: the model leaves traces behind when it runs, or a run at another tolerance fails or was stopped.
    None,
}

/// Receives nothing, and stops when somebody else does.
struct Silent<'a>(&'a dyn Sink);

impl Sink for Silent<'_> {
    fn point(&mut self, _: f64, _: &[f64]) -> Result<(), RunError> {
        Ok(())
    }

    fn stops(&self) -> bool {
        self.0.stops()
    }
}

/// Makes the run a second time and compares.
pub(super) fn evidence(first: &Trace, model: &dyn Model, experiment: &Experiment, sink: &dyn Sink) -> Evidence {
    let Some(mut twin) = model.twin() else { return Evidence::None };
    let tolerance = TIGHTER * experiment.tolerance;
    // Where no smaller one is left, a larger one serves.
    let tolerance = if tolerance >= LEAST_TOLERANCE { tolerance } else { experiment.tolerance / TIGHTER };
    let again = Experiment { tolerance, interval: Some(experiment.span()), step: Some(experiment.fixed_step()), count_limits: false, ..experiment.clone() };
    match trace_of(&mut *twin, &again, &mut Silent(sink)) {
        Ok((Statistics { stopped: false, .. }, Some(second))) => difference(first, &second).map_or(Evidence::Same, Evidence::Differs),
        _ => Evidence::None,
    }
}

/// Where two runs differ.
fn difference(first: &Trace, second: &Trace) -> Option<Difference> {
    let n = first.len().min(second.len());
    let mut found: Option<Difference> = None;
    for state in 0..first.n {
        let one: Vec<f64> = first.column(state).take(n).collect();
        let other: Vec<f64> = second.column(state).take(n).collect();
        let Some((from, part, at)) = difference_of(&one, &other) else { continue };
        let (from, at) = (first.time(from), first.time(at));
        let before = found.as_ref().map_or(f64::INFINITY, |found| found.from);
        if found.as_ref().is_none_or(|found| part > found.part) {
            found = Some(Difference { from, part, state, at });
        }
        if let Some(found) = &mut found {
            found.from = from.min(before);
        }
    }
    found
}

/// From where on the values of a state differ; the largest difference as part of the range, and where.
fn difference_of(one: &[f64], other: &[f64]) -> Option<(usize, f64, usize)> {
    let apart: Vec<f64> = one.iter().enumerate().map(|(k, value)| {
        let window = &other[k.saturating_sub(SHIFT)..(k + SHIFT + 1).min(other.len())];
        let (low, high) = extent(window);
        (low - value).max(value - high).max(0.0)
    }).collect();
    // Ranges up to each time.
    let mut ranges = Vec::with_capacity(other.len());
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in other {
        (low, high) = (low.min(*value), high.max(*value));
        ranges.push((high - low).max(SEEN * high.abs().max(low.abs())));
    }
    let whole = *ranges.last()?;
    let mut from = apart.iter().position(|apart| *apart > SEEN * whole)?;
    while from > 0 && apart[from - 1] > SEEN * ranges[from - 1] {
        from -= 1;
    }
    let at = (0..apart.len()).max_by(|&a, &b| apart[a].total_cmp(&apart[b]))?;
    Some((from, apart[at] / whole, at))
}

fn extent(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)))
}

#[cfg(test)]
mod tests;
