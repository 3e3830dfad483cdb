//! Tables over time with events: `Modelica.Blocks.Sources.CombiTimeTable`.
//!
//! A table is cut into event intervals. The model asks for the next event (`nextTimeEvent`) and passes it, with the one
//! before, to `getValue`; at an event the value thus jumps exactly when the model has noticed the event: while both are
//! equal the value is that of the interval that ends, afterwards that of the interval that begins. Two rows with one time
//! are a jump. Where the table is and which event comes next is state, which only `nextTimeEvent` changes.
//!
//! The rules are those of the Modelica Standard Library 4.0, with two exceptions where that one computes with undefined or
//! misplaced values: a periodic table whose events were not asked for yet is evaluated without regard to events, and the
//! slope of a periodic spline at an event is the one at the end of its interval.
#![forbid(unsafe_code)]

use super::curve::{Curves, Extrapolation, Jet, NEAR, Smoothness, TableEnd, nearly_equal, wrap};
use super::matrix::Matrix;
use std::sync::Arc;

/// `Modelica.Blocks.Types.TimeEvents`: where events are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Events {
    /// At every point.
    Always,
    /// At jumps.
    AtDiscontinuities,
    /// Only where the table begins and ends.
    Never,
}

impl Events {
    /// The kind of an enumeration's number.
    pub(super) fn of(number: usize) -> Result<Events, String> {
        Ok(match number {
            1 => Events::Always,
            2 => Events::AtDiscontinuities,
            3 => Events::Never,
            _ => return Err(format!("there is no kind {number} of time events")),
        })
    }

    /// Whether there is an event between two neighbouring times.
    fn between(self, t0: f64, t1: f64) -> bool {
        match self {
            Events::Always => !nearly_equal(t0, t1),
            Events::AtDiscontinuities => nearly_equal(t0, t1),
            Events::Never => false,
        }
    }
}

/// How a table is used.
#[derive(Copy, Clone, Debug)]
pub(super) struct Options {
    /// Before this time the value is 0.
    pub(super) start_time: f64,
    /// Added to the times of the table.
    pub(super) shift_time: f64,
    pub(super) smoothness: Smoothness,
    pub(super) extrapolation: Extrapolation,
    pub(super) events: Events,
}

/// A table over time.
#[derive(Clone, Debug)]
pub struct TimeTable {
    pub(super) data: Arc<Data>,
    state: State,
}

#[derive(Debug)]
pub(super) struct Data {
    pub(super) curves: Curves,
    options: Options,
    /// First and last row of each interval between events.
    intervals: Vec<(usize, usize)>,
}

/// Where the run is in the table.
#[derive(Copy, Clone, Debug)]
struct State {
    /// Asked for an event before.
    asked: bool,
    /// The last time for which the next event was asked.
    asked_at: f64,
    /// The last answer.
    next_event: f64,
    /// The current interval, counted from 1 (the next one unless the table is periodic); `None` as long as not known.
    interval: Option<usize>,
    /// What to subtract from time to be in the first period.
    offset: f64,
}

impl State {
    const START: State = State { asked: false, asked_at: f64::MIN, next_event: f64::MIN, interval: None, offset: 0.0 };
}

/// Where a table is evaluated.
#[derive(Copy, Clone, Debug)]
pub(super) enum TablePosition {
    /// The start time is not reached.
    BeforeStart,
    /// Exactly a point.
    Row(usize),
    /// A segment.
    Segment(usize, f64),
    /// Outside.
    Outside(TableEnd, f64),
    /// The time is not a number.
    Nowhere,
}

impl TimeTable {
    pub(super) fn new(matrix: &Matrix, columns: &[usize], options: Options) -> Result<TimeTable, String> {
        let curves = Curves::new(matrix, columns, options.smoothness, true)?;
        let period = curves.max() - curves.min();
        if options.extrapolation == Extrapolation::Periodic && curves.x.len() > 1 && !(period > 0.0 && period.is_finite()) {
            return Err(format!("the table shall be periodic, but its period would be {period}"));
        }
        let intervals = intervals(&curves.x, options.events);
        Ok(TimeTable { data: Arc::new(Data { curves, options, intervals }), state: State::START })
    }

    /// Forgets the events of a run.
    pub(super) fn reset(&mut self) {
        self.state = State::START;
    }

    /// The time of the next event after `t`, `f64::MAX` if there is none.
    pub(super) fn next_event(&mut self, t: f64) -> Result<f64, String> {
        if !t.is_finite() {
            return Err(format!("there is no event after the time {t}"));
        }
        let Data { curves, options, intervals } = &*self.data;
        let state = &mut self.state;
        if state.asked {
            if t == state.asked_at {
                return Ok(state.next_event);
            }
            if t < state.asked_at {
                // Time goes back: a new run.
                state.interval = None;
                state.next_event = f64::MIN;
            }
        }
        state.asked = true;
        state.asked_at = t;
        let x = &curves.x;
        let (min, max) = (curves.min(), curves.max());
        let next = if t < options.start_time {
            options.start_time
        } else if x.len() == 1 {
            f64::MAX
        } else if let Some(interval) = &mut state.interval {
            let periodic = options.extrapolation == Extrapolation::Periodic;
            if periodic && t + (max - min) == t {
                return Err(format!("the period {} of the table is too short for the time {t}", max - min));
            }
            loop {
                let next = if periodic {
                    *interval = 1 + *interval % intervals.len();
                    if *interval == intervals.len() {
                        let next = max + state.offset + options.shift_time;
                        state.offset += max - min;
                        next
                    } else {
                        x[intervals[*interval - 1].1] + state.offset + options.shift_time
                    }
                } else if *interval <= intervals.len() {
                    *interval += 1;
                    x[intervals[*interval - 2].1] + options.shift_time
                } else {
                    f64::MAX
                };
                if next > t {
                    break next;
                }
            }
        } else {
            first_event(&self.data, state, t - options.shift_time)
        };
        if next > state.next_event {
            state.next_event = next;
        }
        Ok(next)
    }

    /// Whether the model has not noticed yet the event that is due.
    fn event_is_due(t: f64, next: f64, pre: f64) -> bool {
        next == pre && next < f64::MAX && t >= next
    }

    /// Where the value is taken. `t`, `next` and `pre` are as the model passes them.
    pub(super) fn position_of_value(&self, t: f64, next: f64, pre: f64) -> TablePosition {
        let Data { curves, options, intervals } = &*self.data;
        let segment = |t: f64| TablePosition::Segment(curves.segment_of(t), t);
        match self.common_place(t, next, pre) {
            Common::TablePosition(place) => place,
            Common::PeriodicDue(last) => {
                TablePosition::Row(if options.smoothness == Smoothness::Constant { last.saturating_sub(1) } else { last })
            }
            Common::PeriodicBegun(first) => TablePosition::Row(first),
            Common::Inside(t) if options.extrapolation == Extrapolation::Periodic => segment(t),
            Common::Inside(t) => {
                let row = curves.segment_of(t);
                match self.state.interval {
                    Some(interval) if interval > 1 => TablePosition::Segment(clamped(row, intervals[interval - 2]), t),
                    _ => TablePosition::Segment(row, t),
                }
            }
            Common::Due(t) => match (self.state.interval, curves.smoothness) {
                (Some(1), _) => TablePosition::Row(0),
                (Some(interval), Smoothness::Constant) => TablePosition::Row(intervals[interval - 2].1.saturating_sub(1)),
                (Some(interval), Smoothness::Linear) => TablePosition::Row(intervals[interval - 2].1),
                _ if t >= curves.max() => TablePosition::Row(curves.x.len() - 1),
                (None, Smoothness::Constant | Smoothness::Linear) => segment(t),
                _ => TablePosition::Row(curves.segment_of(t)),
            },
        }
    }

    /// Where the slope is taken.
    pub(super) fn position_of_slope(&self, t: f64, next: f64, pre: f64) -> TablePosition {
        let Data { curves, options, intervals } = &*self.data;
        match self.common_place(t, next, pre) {
            Common::TablePosition(place) => place,
            Common::PeriodicDue(last) => TablePosition::Segment(last.saturating_sub(1), curves.x[last]),
            Common::PeriodicBegun(first) => TablePosition::Segment(first.min(curves.x.len() - 2), curves.x[first]),
            Common::Inside(t) if options.extrapolation == Extrapolation::Periodic => TablePosition::Segment(curves.segment_of(t), t),
            Common::Inside(t) => match self.state.interval {
                Some(interval) if interval > 1 => TablePosition::Segment(clamped(curves.segment_of(t), intervals[interval - 2]), t),
                _ => TablePosition::Segment(curves.segment_of(t), t),
            },
            Common::Due(t) => {
                let row = match (self.state.interval, curves.smoothness) {
                    (Some(1), _) => return TablePosition::Outside(TableEnd::Left, t),
                    (Some(interval), Smoothness::Constant | Smoothness::Linear) => intervals[interval - 2].1,
                    _ if t >= curves.max() => curves.x.len() - 1,
                    _ => curves.segment_of(t),
                };
                let row = row.saturating_sub(1);
                match self.state.interval {
                    Some(interval) if interval > 1 => TablePosition::Segment(clamped(row, intervals[interval - 2]), t),
                    _ => TablePosition::Segment(row, t),
                }
            }
        }
    }

    /// What value and slope have in common.
    fn common_place(&self, t: f64, next: f64, pre: f64) -> Common {
        let Data { curves, options, intervals } = &*self.data;
        let start = options.start_time;
        if t.is_nan() {
            return Common::TablePosition(TablePosition::Nowhere);
        }
        if t < start || (next < f64::MAX && next == pre && start >= next) {
            return Common::TablePosition(TablePosition::BeforeStart);
        }
        if curves.x.len() == 1 {
            return Common::TablePosition(TablePosition::Row(0));
        }
        let (min, max) = (curves.min(), curves.max());
        let shifted = t - options.shift_time;
        if options.extrapolation == Extrapolation::Periodic {
            let Some(interval) = self.state.interval else {
                let t = wrap(shifted, min, max);
                return if t.is_nan() { Common::TablePosition(TablePosition::Nowhere) } else { Common::Inside(t) };
            };
            let (first, last) = intervals[interval - 1];
            if next == pre && t >= next {
                return Common::PeriodicDue(last);
            }
            if next > pre && t >= pre && start < pre {
                return Common::PeriodicBegun(first);
            }
            let mut t = wrap(shifted - self.state.offset, min, max);
            if t.is_nan() {
                return Common::TablePosition(TablePosition::Nowhere);
            }
            let row = curves.segment_of(t);
            if row < first {
                t = curves.x[first];
            }
            if row >= last {
                t = curves.x[if interval == 1 { first } else { last }];
            }
            return Common::Inside(t);
        }
        let due = TimeTable::event_is_due(t, next, pre);
        if shifted < min {
            Common::TablePosition(TablePosition::Outside(TableEnd::Left, shifted))
        } else if due {
            Common::Due(shifted)
        } else if shifted >= max {
            Common::TablePosition(TablePosition::Outside(TableEnd::Right, shifted))
        } else {
            Common::Inside(shifted)
        }
    }

    /// The curve at a place; `t` is the time for messages.
    pub(super) fn jet(&self, column: f64, place: TablePosition, t: f64) -> Result<Jet, String> {
        let Data { curves, options, .. } = &*self.data;
        let column = curves.column(column)?;
        Ok(match place {
            TablePosition::Nowhere => Jet { value: f64::NAN, slope: f64::NAN, bend: f64::NAN },
            TablePosition::BeforeStart => Jet::constant(0.0),
            TablePosition::Row(row) => Jet::constant(curves.point(column, row)),
            TablePosition::Segment(segment, t) => curves.within(column, segment.min(curves.x.len() - 2), t, true),
            TablePosition::Outside(side, shifted) => match options.extrapolation {
                Extrapolation::LastTwoPoints => curves.beyond(column, side, shifted, true),
                Extrapolation::Forbidden => {
                    let end = if side == TableEnd::Left { curves.min() } else { curves.max() };
                    return Err(side.refusal("time", t, end + options.shift_time));
                }
                _ => Jet::constant(curves.point(column, if side == TableEnd::Left { 0 } else { curves.x.len() - 1 })),
            },
        })
    }
}

/// A case that value and slope distinguish.
enum Common {
    /// Nothing left to decide.
    TablePosition(TablePosition),
    /// A periodic table at an event not noticed yet: last row of the interval.
    PeriodicDue(usize),
    /// A periodic table at an event just noticed: first row of the interval.
    PeriodicBegun(usize),
    /// Not periodic, at an event not noticed yet.
    Due(f64),
    /// Within the table.
    Inside(f64),
}

/// The segment within an interval.
fn clamped(row: usize, (first, last): (usize, usize)) -> usize {
    if row < first || row >= last { first } else { row }
}

/// The rows of the intervals between events.
fn intervals(x: &[f64], events: Events) -> Vec<(usize, usize)> {
    let max = x[x.len() - 1];
    if events == Events::Never {
        return vec![(0, x.len() - 1)];
    }
    let mut n_intervals = 1;
    let mut event = x[0];
    for pair in x.windows(2) {
        if pair[1] > event && !nearly_equal(pair[1], max) && events.between(pair[0], pair[1]) {
            event = pair[1];
            n_intervals += 1;
        }
    }
    let mut intervals = vec![(0, 0); n_intervals];
    let mut current = 0;
    let mut event = x[0];
    for (i, pair) in x.windows(2).enumerate() {
        if current == n_intervals {
            break;
        }
        let after = pair[1] > event;
        let one = nearly_equal(pair[0], pair[1]);
        match (events, after, one) {
            (Events::Always, true, false) => {
                event = pair[1];
                intervals[current] = (i, i + 1);
                current += 1;
            }
            (Events::Always, true, true) => intervals[current].0 = i + 1,
            (Events::Always, false, _) => intervals[current].1 = i + 1,
            (_, true, true) => {
                event = pair[1];
                intervals[current].1 = i;
                current += 1;
                if current < n_intervals {
                    intervals[current].0 = i + 1;
                }
            }
            (_, true, false) => intervals[current].1 = i + 1,
            (_, false, _) => intervals[current].0 = i + 1,
        }
    }
    intervals
}

/// Finds the interval of the first question, and the event that ends it. `t` is without shift.
fn first_event(data: &Data, state: &mut State, mut t: f64) -> f64 {
    let Data { curves, options, intervals } = data;
    let x = &curves.x;
    let (min, max) = (curves.min(), curves.max());
    let period = max - min;
    let last = x.len() - 1;
    let periodic = options.extrapolation == Extrapolation::Periodic;
    let mut next = max;
    // The row from which on events are searched, and the number of rows whose events are over.
    let (from, n_over);
    if periodic {
        state.offset = ((t - min) / period).floor() * period;
        t -= state.offset;
        if t < min {
            t += period;
        } else if t > max {
            t -= period;
        }
        from = curves.segment_of(t + NEAR * period);
        state.interval = Some(1);
        n_over = from.min(last);
    } else if t >= max {
        from = last;
        n_over = 0;
        next = f64::MAX;
        state.interval = Some(intervals.len() + 1);
    } else if t < min {
        from = last;
        n_over = 0;
        next = min;
        state.interval = Some(1);
    } else if curves.smoothness.is_spline() {
        from = last;
        n_over = 0;
    } else {
        from = curves.segment_of(t + NEAR * period);
        state.interval = Some(2);
        n_over = from.min(last);
    }
    if let Some(i) = (from + 1..last).find(|&i| x[i] > t && options.events.between(x[i], x[i + 1])) {
        next = x[i];
    }
    let mut event = min;
    let mut n_passed = 0;
    for pair in x[..=n_over].windows(2) {
        if pair[1] > event && !nearly_equal(pair[1], max) && options.events.between(pair[0], pair[1]) {
            event = pair[1];
            n_passed += 1;
        }
    }
    state.interval = state.interval.map(|interval| interval + n_passed);
    if periodic {
        next += state.offset;
        if state.interval == Some(intervals.len()) {
            state.offset += period;
        }
    }
    if next < f64::MAX { next + options.shift_time } else { next }
}
