//! Compares two results signal by signal, by one of the rules of [`super::rules`].
//!
//! Input: a reference and a result. Output: for every signal whether it keeps to the rule, where it is worst, and whether it keeps to
//! two percent.
//! Cost: linear in the points.

use super::rules::{Facts, Judgement, Line, Rule, in_window, judge_knowing, point_by_point, rectangle_of, upper, within_times};
use crate::base::number::rounded;
use crate::model::table::Table;
use std::fmt;

/// The usual half-width and half-height.
pub const TUBE: f64 = 0.002;

/// How late an event may be where the largest difference is measured, as a part of the time span.
pub const LATE: f64 = 1e-7;

/// How one signal compares.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct SignalComparison {
    /// Its name.
    pub name: String,
    /// Keeps to two percent.
    pub within_two_percent: bool,
    /// What the rule says.
    #[serde(flatten)]
    pub judgement: Judgement,
    /// A signal that keeps to the rule at the times of the reference leaves its tube between them: the time where it is farthest
    /// outside. It says more about a reference with few points than about the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outside_between: Option<f64>,
    /// The largest difference at the times of the reference, as a part of the reference's range (of its size where it is
    /// constant). An event may be late by [`LATE`].
    pub error_of_range: f64,
}

/// How two results compare.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Comparison {
    /// Compared signals, in the order asked for.
    pub signals: Vec<SignalComparison>,
    /// Signals that the result does not have.
    pub missing: Vec<String>,
    /// The result ends too early: its end and the reference's.
    pub short: Option<(f64, f64)>,
}

impl Comparison {
    /// Everything keeps to the rule.
    pub fn passes(&self) -> bool {
        self.missing.is_empty() && self.short.is_none() && self.signals.iter().all(|s| s.judgement.inside)
    }

    /// Everything keeps to two percent.
    pub fn within_two_percent(&self) -> bool {
        self.missing.is_empty() && self.short.is_none() && self.signals.iter().all(|s| s.within_two_percent)
    }

    /// Signals by how far they are outside or near the edge of their tube, the worst first.
    pub fn worst(&self) -> Vec<&SignalComparison> {
        let mut all: Vec<&SignalComparison> = self.signals.iter().collect();
        all.sort_by(|a, b| b.judgement.excess.total_cmp(&a.judgement.excess));
        all
    }
}

/// A number without the digits that only tell how it was rounded.
pub fn few_digits(value: f64) -> f64 {
    format!("{value:.8e}").parse().unwrap_or(value)
}

impl fmt::Display for SignalComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SignalComparison { name, judgement, .. } = self;
        let [time, value, low, high] = [judgement.time, judgement.value, judgement.low, judgement.high].map(rounded);
        if judgement.inside {
            write!(f, "{name} is inside")
        } else if judgement.reversed {
            write!(f, "{name} at time {time}: the reference {value} is not followed, the result stays in [{low}, {high}]")
        } else {
            write!(f, "{name} at time {time}: {value} is not in [{low}, {high}]")
        }
    }
}

/// Compares `names` (all signals of the reference if none are given) by the default rule with tubes of size `r`, usually [`TUBE`].
/// Names that the reference does not have are left out.
pub fn compare(reference: &Table, result: &Table, names: Option<&[String]>, r: f64) -> Comparison {
    compare_by(Rule::Tube, reference, result, names, r)
}

/// Compares as [`compare`] does, by the given rule.
pub fn compare_by(rule: Rule, reference: &Table, result: &Table, names: Option<&[String]>, r: f64) -> Comparison {
    let mut comparison = Comparison::default();
    let same_times = reference.time == result.time;
    for name in names.unwrap_or(reference.names()) {
        if name == "time" {
            continue;
        }
        let Some(expected) = reference.column(name) else { continue };
        let Some(values) = result.column(name) else {
            comparison.missing.push(name.clone());
            continue;
        };
        let facts = Facts::of((&reference.time, &expected), same_times.then_some(&*values));
        comparison.signals.push(signal(&facts, rule, name, (&reference.time, &expected), (&result.time, &values), r));
    }
    if let (Some(end), Some(wanted)) = (result.time.last(), reference.time.last())
        && *end < wanted - 1e-6 * wanted.max(1.0)
    {
        comparison.short = Some((*end, *wanted));
    }
    comparison
}

fn signal(facts: &Facts, rule: Rule, name: &str, reference: Line<'_>, result: Line<'_>, r: f64) -> SignalComparison {
    let judgement = judge_knowing(facts, rule, reference, result, r);
    // On equal grids the largest difference mostly decides.
    let difference = facts.difference.map(|difference| difference.size);
    let within_two_percent = || {
        let near = difference.is_some_and(|difference| difference <= 0.02 * size(facts.range));
        near || judge_knowing(facts, Rule::TwoPercent, reference, result, r).inside
    };
    SignalComparison {
        name: name.to_string(),
        within_two_percent: if rule == Rule::TwoPercent { judgement.inside } else { within_two_percent() },
        outside_between: if rule == Rule::Tube && judgement.inside { outside_between(facts, reference, result, r) } else { None },
        judgement,
        error_of_range: error_of_range(reference, result, difference, facts.range),
    }
}

/// Where a result is farthest outside of the reference's tube, if it is, at times that the reference covers.
fn outside_between(facts: &Facts, reference: Line<'_>, result: Line<'_>, r: f64) -> Option<f64> {
    let covered = within_times(result, (reference.0[0], reference.0[reference.0.len() - 1]));
    if covered.0.is_empty() {
        return None;
    }
    let facts = Facts { difference: facts.difference.filter(|_| covered.0.len() == result.0.len()), ..*facts };
    let found = judge_knowing(&facts, Rule::Window, reference, covered, r);
    (!found.inside && !found.reversed).then_some(found.time)
}

/// How a signal compares by the default rule, if its range and its largest difference on equal grids are enough to tell; `ends` are the
/// first and the last time.
pub(super) fn near(facts: &Facts, name: &str, ends: (f64, f64), r: f64) -> Option<SignalComparison> {
    let judgement = point_by_point(facts, rectangle_of(ends, facts.range, r).1)?;
    let difference = facts.difference?.size;
    let within_two_percent = difference <= 0.02 * size(facts.range);
    within_two_percent.then(|| SignalComparison {
        name: name.to_string(),
        within_two_percent,
        judgement,
        outside_between: None,
        error_of_range: difference / scale(facts.range),
    })
}

/// The largest size of a value.
fn size((low, high): (f64, f64)) -> f64 {
    upper(low.abs(), high.abs())
}

/// What errors are parts of: the range. What is constant up to round-off has no range to speak of.
fn scale((low, high): (f64, f64)) -> f64 {
    let size = size((low, high));
    if high - low > 1e-9 * size {
        high - low
    } else if size > 0.0 {
        size
    } else {
        1.0
    }
}

/// How far the reference's values lie from the result's, as a part of the reference's range; `difference` is the largest one on equal
/// grids.
fn error_of_range(reference: Line<'_>, result: Line<'_>, difference: Option<f64>, range: (f64, f64)) -> f64 {
    let scale = scale(range);
    if let Some(difference) = difference {
        // Not a number counts as infinitely far.
        return if difference.is_nan() { f64::INFINITY } else { difference / scale };
    }
    let late = LATE * (reference.0[reference.0.len() - 1] - reference.0[0]);
    let events = events(reference.0, result.0);
    let distance = |line: Line<'_>, dx: f64| (in_window(result, line, dx, scale).excess + 1.0).max(0.0);
    if events.is_empty() {
        return distance(reference, 0.0);
    }
    // Points at events may be late, all others not.
    let mut next = 0;
    let (mut at_events, mut between) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
    for (t, y) in reference.0.iter().zip(reference.1) {
        while next < events.len() && events[next] < t - late {
            next += 1;
        }
        let chosen = if events.get(next).is_some_and(|event| *event <= t + late) { &mut at_events } else { &mut between };
        chosen.0.push(*t);
        chosen.1.push(*y);
    }
    upper(distance((&at_events.0, &at_events.1), late), distance((&between.0, &between.1), 0.0))
}

/// The times that stand twice in one of two lists, ascending.
fn events(a: &[f64], b: &[f64]) -> Vec<f64> {
    let doubled = |times: &[f64]| -> Vec<f64> { times.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect() };
    let mut events = doubled(a);
    events.extend(doubled(b));
    events.sort_by(f64::total_cmp);
    events.dedup();
    events
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(f: impl Fn(f64) -> f64, n: usize, stop: f64) -> Table {
        let time: Vec<f64> = (0..=n).map(|i| stop * i as f64 / n as f64).collect();
        let values = time.iter().map(|t| f(*t)).collect();
        Table::from_columns(time, vec![("x".to_string(), values)])
    }

    #[test]
    fn small_errors_pass_and_large_ones_are_placed() {
        // Flat at both ends, where a shift in time would otherwise show.
        let stop = 3.0 * std::f64::consts::PI;
        let reference = table(f64::cos, 1000, stop);
        let shifted = compare(&reference, &table(|t| t.cos() + 0.003, 777, stop), None, TUBE);
        assert!(shifted.passes());
        // A shift by 0.003 on a range of 2, seen through chords.
        assert!((shifted.signals[0].error_of_range - 0.0015).abs() < 1e-5, "{}", shifted.signals[0].error_of_range);
        // Half-height 0.004 and half-width 0.0188.
        assert!(compare(&reference, &table(|t| (t + 0.018).cos() + 0.003, 777, stop), None, TUBE).passes());
        assert!(!compare(&reference, &table(|t| (t + 0.03).cos() + 0.003, 777, stop), None, TUBE).passes());
        let wrong = compare(&reference, &table(|t| t.cos() + if t > 7.0 { 0.03 } else { 0.0 }, 777, stop), None, TUBE);
        assert!(!wrong.passes());
        assert!(!wrong.within_two_percent());
        let worst = wrong.worst()[0];
        assert!(worst.judgement.time > 7.0 && worst.judgement.excess > 1.0, "{worst}");
    }

    #[test]
    fn a_coarse_reference_is_no_reason_to_differ() {
        // Five points per period: the chords miss a third of the range.
        let reference = table(|t| (std::f64::consts::TAU * t).sin(), 50, 10.0);
        let fine = compare(&reference, &table(|t| (std::f64::consts::TAU * t).sin(), 5000, 10.0), None, TUBE);
        assert!(fine.passes() && fine.signals[0].outside_between.is_some(), "{:?}", fine.signals[0]);
        assert!(!compare_by(Rule::Window, &reference, &table(|t| (std::f64::consts::TAU * t).sin(), 5000, 10.0), None, TUBE).passes());
        // What is wrong at the times of the reference is, for all that; a single value suffices.
        assert!(!compare(&reference, &table(|t| 1.01 * (std::f64::consts::TAU * t).sin(), 5000, 10.0), None, TUBE).passes());
        let mut spike = table(|t| (std::f64::consts::TAU * t).sin(), 5000, 10.0);
        spike = Table::from_columns(
            spike.time.clone(),
            vec![(
                "x".to_string(),
                spike.time.iter().map(|t| (std::f64::consts::TAU * t).sin() + if *t == 4.0 { 0.5 } else { 0.0 }).collect(),
            )],
        );
        assert!(!compare(&reference, &spike, None, TUBE).passes());
    }

    #[test]
    fn a_longer_result_is_compared_where_there_is_a_reference() {
        let reference = table(f64::sin, 500, 5.0);
        assert!(compare(&reference, &table(f64::sin, 1000, 10.0), None, TUBE).passes());
    }

    #[test]
    fn sparse_short_and_missing_results_fail() {
        let reference = table(f64::sin, 1000, 10.0);
        let sparse = compare(&reference, &table(f64::sin, 5, 10.0), None, TUBE);
        assert!(!sparse.passes());
        let short = compare(&reference, &table(f64::sin, 1000, 9.0), None, TUBE);
        assert_eq!(short.short, Some((9.0, 10.0)));
        let other = Table::from_columns(vec![0.0, 10.0], vec![]);
        assert_eq!(compare(&reference, &other, None, TUBE).missing, ["x"]);
    }

    #[test]
    fn not_a_number_is_outside() {
        let reference = table(|_| 0.0, 10, 1.0);
        assert!(!compare(&reference, &table(|t| if t > 0.5 { f64::NAN } else { 0.0 }, 10, 1.0), None, TUBE).passes());
        assert!(!compare(&table(|t| if t > 0.5 { f64::NAN } else { 0.0 }, 10, 1.0), &reference, None, TUBE).passes());
    }

    #[test]
    fn small_differences_of_smooth_signals_are_not_taken_for_lateness() {
        let reference = table(|t| t.sin(), 1000, 10.0);
        let mut late = table(|t| t.sin() + 3e-9, 1000, 10.0);
        // Not quite the same grid.
        late.time[500] += 1e-15;
        let comparison = compare(&reference, &late, None, TUBE);
        assert!((comparison.signals[0].error_of_range - 1.5e-9).abs() < 1e-11, "{:?}", comparison.signals[0]);
    }

    #[test]
    fn an_event_may_be_late_by_the_width() {
        let step = |at: f64| Table::from_columns(vec![0.0, at, at, 1.0], vec![("x".to_string(), vec![0.0, 0.0, 1.0, 1.0])]);
        assert!(compare(&step(0.5), &step(0.5015), None, TUBE).passes());
        assert!(!compare(&step(0.5), &step(0.503), None, TUBE).passes());
    }
}
