//! Relations whose switching is decided by rounding, and what is said about them at the end of a run.
//!
//! Input: crossings noted at events. Output: one warning (R207) that names the first few of them.
//!
//! Two things are noted. A relation that has switched and switched back within one event and whose sides are equal up to round-off
//! in the end: a tool that gives relations a hysteresis shows the state in between. And a relation whose sides were equal up to
//! round-off, but not exactly, at an event that it took no part in, and which switched right after it, if results show the state in
//! between as a pulse: with other rounding it would have switched together with the event, and the pulse would not be there.
//! At the start many relations are at their thresholds, and all tools need some time to sort them out: nothing is noted there.
//! Cost: two copies of the results per event, nothing in steps.

use crate::base::error::RunError;
use crate::integrate::crossings::Fired;
use crate::model::interface::{EventCause, HybridModel};
use crate::model::plan::Label;

/// Relations that the warning shows in the source.
const MOST_PLACES: usize = 3;
/// A pulse is at least this part of the largest value that its signal had at events, and no smaller than [`LEAST_PULSE`].
const PULSE_PART: f64 = 1e-3;
/// Smaller values are noise around zero.
const LEAST_PULSE: f64 = 1e-9;

/// What was noted about a relation.
#[derive(Clone, Debug, PartialEq)]
struct Note {
    crossing: usize,
    first: f64,
    count: u64,
}

/// Relations that rounding decided about, in the order in which they were found.
#[derive(Debug)]
pub(crate) struct EventOrder {
    notes: Vec<Note>,
    /// When the last event was, if there was one, and the crossings that caused it.
    last: Option<f64>,
    causes: Vec<usize>,
    /// Crossings that cause the present event and may have belonged to the last one.
    suspects: Vec<usize>,
    /// The results before the last event, and before the present one, which are those between the two.
    before: Vec<f64>,
    between: Vec<f64>,
    /// The largest values of the results at events.
    largest: Vec<f64>,
}

impl EventOrder {
    /// Nothing noted yet, about a model with so many results; 0 if it has no crossings.
    pub(crate) fn new(n_outputs: usize) -> EventOrder {
        let zeros = || vec![0.0; n_outputs];
        EventOrder {
            notes: Vec::new(),
            last: None,
            causes: Vec::new(),
            suspects: Vec::new(),
            before: zeros(),
            between: zeros(),
            largest: zeros(),
        }
    }

    /// Rounding decided about this relation at `t`.
    pub(crate) fn note(&mut self, crossing: usize, t: f64) {
        match self.notes.iter_mut().find(|note| note.crossing == crossing) {
            Some(note) => note.count += 1,
            None => self.notes.push(Note { crossing, first: t, count: 1 }),
        }
    }

    /// Crossings have fired. If the last event is no more than `close` ago, those that it left `touching` may have belonged to it.
    pub(crate) fn suspect(&mut self, fired: &Fired, close: f64, touching: impl Fn(usize) -> bool) {
        if self.last.is_some_and(|last| fired.t - last <= close) {
            let others = fired.crossings.iter().map(|(crossing, _)| *crossing).filter(|crossing| !self.causes.contains(crossing));
            self.suspects.extend(others.filter(|crossing| touching(*crossing)));
        }
    }

    /// The results before the event that is to be handled.
    pub(crate) fn before(&mut self, row: &[f64]) {
        if !self.between.is_empty() {
            self.between.copy_from_slice(row);
        }
    }

    /// The results after the event at `t`.
    pub(crate) fn after(&mut self, t: f64, row: &[f64], cause: &EventCause) {
        if self.between.is_empty() {
            return;
        }
        for ((largest, after), before) in self.largest.iter_mut().zip(row).zip(&self.between) {
            *largest = largest.max(after.abs()).max(before.abs());
        }
        if !self.suspects.is_empty() && self.is_pulse(row) {
            let at = self.last.unwrap_or(t);
            for crossing in std::mem::take(&mut self.suspects) {
                self.note(crossing, at);
            }
        }
        self.suspects.clear();
        std::mem::swap(&mut self.before, &mut self.between);
        self.last = Some(t);
        self.causes.clear();
        if let EventCause::State(fired) = cause {
            self.causes.extend(fired.iter().map(|(crossing, _)| *crossing));
        }
    }

    /// Whether some result between two events lies beside those before and after them.
    fn is_pulse(&self, after: &[f64]) -> bool {
        self.before.iter().zip(&self.between).zip(after).zip(&self.largest).any(|(((before, between), after), largest)| {
            let beside = (before.min(*after) - between).max(between - before.max(*after));
            beside > (PULSE_PART * largest).max(LEAST_PULSE)
        })
    }

    /// The warning, if there is something to say.
    pub(crate) fn warning(&self, model: &dyn HybridModel) -> Option<RunError> {
        let (first, others) = self.notes.split_first()?;
        let often = |note: &Note| if note.count == 1 { "once".to_string() } else { format!("{} times", note.count) };
        let title = format!("rounding decides when `{}` switches", model.crossing_label(first.crossing));
        let mut warning = RunError::new("R207", title).at_time(first.first);
        let what = format!("at an event its two sides are equal up to round-off; {} in this run", often(first));
        match model.crossing_span(first.crossing) {
            Some(place) => warning.place = Some((place, what)),
            None => warning.notes.push(what),
        }
        for note in others.iter().take(MOST_PLACES - 1) {
            let what = format!("this one too: {}, first at time {}", often(note), note.first);
            match model.crossing_span(note.crossing) {
                Some(span) => warning.others.push(Label { text: what, span }),
                None => warning.notes.push(format!("`{}`: {what}", model.crossing_label(note.crossing))),
            }
        }
        if others.len() >= MOST_PLACES {
            warning.notes.push(format!("and {} more relations", others.len() + 1 - MOST_PLACES));
        }
        Some(warning.with_note("another tool, or this one with another tolerance, may show a pulse without width there, or none"))
    }
}
