//! Compares two results: the rectangle tube of the library testers, and the two-percent rule.
//!
//! Input: a reference and a result. Output: for every signal whether it lies inside the tube, where it is worst, and whether
//! it keeps to two percent.
//!
//! Method: around every point of the reference polyline lies a rectangle of half-width `dx = r*max(span, |start|)` and half-height
//! `dy = r*max(range, |minimum|, 0.001)`; a value is inside if it lies between the lowest and the highest reference value within
//! `dx`, widened by `dy`. The test runs both ways, so that a sparse or short result cannot pass. Two percent: at every reference time
//! the interpolated result (either limit at an event) differs by at most 2 % of the value, or of the largest value, or 1e-6.
//! Guarantees: a value that is not a number is outside.
//! Cost: linear in the points per signal (sliding minimum and maximum).

use super::read::Table;
use std::collections::VecDeque;
use std::fmt;

/// The usual half-width and half-height.
pub const TUBE: f64 = 0.002;

/// How one signal compares.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct SignalComparison {
    /// Its name.
    pub name: String,
    /// Inside the tube, both ways.
    pub inside: bool,
    /// Keeps to two percent.
    pub within_two_percent: bool,
    /// Where it is worst.
    pub time: f64,
    /// Its value there; if `reversed`, the reference's.
    pub value: f64,
    /// Lower bound there.
    pub low: f64,
    /// Upper bound there.
    pub high: f64,
    /// How far the worst value is outside, in half-heights of the tube; negative inside.
    pub excess: f64,
    /// The worst value is one of the reference that the result does not follow.
    pub reversed: bool,
    /// The largest difference at the times of the reference, as a part of the reference's range (of its size where it is
    /// constant). An event may be late by 1e-7 of the time span.
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
    /// Everything is inside the tube.
    pub fn passes(&self) -> bool {
        self.missing.is_empty() && self.short.is_none() && self.signals.iter().all(|s| s.inside)
    }

    /// Everything keeps to two percent.
    pub fn within_two_percent(&self) -> bool {
        self.missing.is_empty() && self.short.is_none() && self.signals.iter().all(|s| s.within_two_percent)
    }

    /// Signals by how far they are outside or near the edge of their tube, the worst first.
    pub fn worst(&self) -> Vec<&SignalComparison> {
        let mut all: Vec<&SignalComparison> = self.signals.iter().collect();
        all.sort_by(|a, b| b.excess.total_cmp(&a.excess));
        all
    }
}

impl fmt::Display for SignalComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SignalComparison { name, time, value, low, high, .. } = self;
        if self.inside {
            write!(f, "{name} is inside the tube")
        } else if self.reversed {
            write!(f, "{name} at time {time}: the reference {value} is not followed, the result stays in [{low}, {high}]")
        } else {
            write!(f, "{name} at time {time}: {value} is not in [{low}, {high}]")
        }
    }
}

/// Compares `names` (all signals of the reference if none are given) with tubes of size `r`, usually [`TUBE`].
/// Names that the reference does not have are left out.
pub fn compare(reference: &Table, result: &Table, names: Option<&[String]>, r: f64) -> Comparison {
    let mut comparison = Comparison::default();
    for name in names.unwrap_or(reference.names()) {
        if name == "time" {
            continue;
        }
        let Some(expected) = reference.values(name) else { continue };
        let Some(values) = result.values(name) else {
            comparison.missing.push(name.clone());
            continue;
        };
        comparison.signals.push(signal(name, (&reference.time, &expected), (&result.time, &values), r));
    }
    if let (Some(end), Some(wanted)) = (result.time.last(), reference.time.last())
        && *end < wanted - 1e-6 * wanted.max(1.0)
    {
        comparison.short = Some((*end, *wanted));
    }
    comparison
}

/// Times and values.
type Line<'a> = (&'a [f64], &'a [f64]);

fn signal(name: &str, reference: Line<'_>, result: Line<'_>, r: f64) -> SignalComparison {
    let (tr, yr) = reference;
    let (first, last) = (tr[0], tr[tr.len() - 1]);
    let dx = r * (last - first).max(first.abs()).max(1e-12);
    let (low, high) = yr.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (lower(low, *y), upper(high, *y)));
    let dy = r * (high - low).max(low.abs()).max(1e-3);
    let forward = worst(reference, result, dx, dy);
    let (found, reversed) = if forward.excess > 1e-9 {
        (forward, false)
    } else {
        let backward = worst(result, reference, dx, dy);
        if backward.excess > forward.excess { (backward, true) } else { (forward, false) }
    };
    SignalComparison {
        name: name.to_string(),
        inside: found.excess <= 1e-9,
        within_two_percent: within_two_percent(reference, result),
        time: found.time,
        value: found.value,
        low: found.low,
        high: found.high,
        excess: found.excess,
        reversed,
        error_of_range: error_of_range(reference, result),
    }
}

/// How far the reference's values lie from the result's, as a part of the reference's range.
fn error_of_range(reference: Line<'_>, result: Line<'_>) -> f64 {
    let (low, high) = reference.1.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (lower(low, *y), upper(high, *y)));
    let size = upper(low.abs(), high.abs());
    // What is constant up to round-off has no range to speak of.
    let scale = if high - low > 1e-9 * size { high - low } else if size > 0.0 { size } else { 1.0 };
    let late = 1e-7 * (reference.0[reference.0.len() - 1] - reference.0[0]);
    (worst(result, reference, late, scale).excess + 1.0).max(0.0)
}

struct Worst {
    time: f64,
    value: f64,
    low: f64,
    high: f64,
    excess: f64,
}

/// The smaller one; not a number if one is not.
fn lower(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.min(b) }
}

/// The larger one; not a number if one is not.
fn upper(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

/// The value of a polyline, constant beyond its ends; at an event the right limit.
fn interpolate((times, values): Line<'_>, t: f64) -> f64 {
    let after = times.partition_point(|time| *time <= t);
    if after == 0 {
        return values[0];
    }
    if after == times.len() {
        return values[after - 1];
    }
    let (a, b) = (times[after - 1], times[after]);
    values[after - 1] + (values[after] - values[after - 1]) / (b - a) * (t - a)
}

/// The point of `line` that is farthest outside of the tube around `tube`.
fn worst(tube: Line<'_>, line: Line<'_>, dx: f64, dy: f64) -> Worst {
    let (times, values) = tube;
    let mut found = Worst { time: f64::NAN, value: f64::NAN, low: f64::NAN, high: f64::NAN, excess: f64::NEG_INFINITY };
    // Positions with ascending (descending) values: the front is the minimum (maximum) of the window.
    let mut minima: VecDeque<usize> = VecDeque::new();
    let mut maxima: VecDeque<usize> = VecDeque::new();
    let mut bad: VecDeque<usize> = VecDeque::new();
    let mut next = 0;
    for (t, y) in line.0.iter().zip(line.1) {
        while next < times.len() && times[next] <= t + dx {
            let value = values[next];
            if value.is_nan() {
                bad.push_back(next);
            } else {
                while minima.back().is_some_and(|k| values[*k] >= value) {
                    minima.pop_back();
                }
                minima.push_back(next);
                while maxima.back().is_some_and(|k| values[*k] <= value) {
                    maxima.pop_back();
                }
                maxima.push_back(next);
            }
            next += 1;
        }
        for window in [&mut minima, &mut maxima, &mut bad] {
            while window.front().is_some_and(|k| times[*k] < t - dx) {
                window.pop_front();
            }
        }
        let (left, right) = (interpolate(tube, t - dx), interpolate(tube, t + dx));
        let mut low = lower(left, right);
        let mut high = upper(left, right);
        if let (Some(min), Some(max)) = (minima.front(), maxima.front()) {
            low = lower(low, values[*min]);
            high = upper(high, values[*max]);
        }
        if !bad.is_empty() {
            low = f64::NAN;
        }
        low -= dy;
        high += dy;
        let mut excess = upper(low - y, y - high) / dy;
        if excess.is_nan() {
            excess = f64::INFINITY;
        }
        if excess > found.excess {
            found = Worst { time: *t, value: *y, low, high, excess };
        }
    }
    found
}

fn within_two_percent((tr, yr): Line<'_>, (t, y): Line<'_>) -> bool {
    let largest = yr.iter().fold(0.0, |largest, y| upper(largest, y.abs()));
    tr.iter().zip(yr).all(|(time, expected)| {
        let tolerance = (0.02 * expected.abs()).max(0.02 * largest).max(1e-6);
        let at = |after: usize| {
            if t.len() < 2 {
                return y[0];
            }
            let i = after.clamp(1, t.len() - 1);
            let (a, b) = (t[i - 1], t[i]);
            let w = if b > a { (time.clamp(t[0], t[t.len() - 1]) - a) / (b - a) } else { 0.0 };
            y[i - 1] + w * (y[i] - y[i - 1])
        };
        // At an event either limit may match.
        let left = at(t.partition_point(|x| x < time));
        let right = at(t.partition_point(|x| x <= time));
        (left - expected).abs() <= tolerance || (right - expected).abs() <= tolerance
    })
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
        assert!(worst.time > 7.0 && worst.excess > 1.0, "{worst}");
    }

    #[test]
    fn sparse_short_and_missing_results_fail() {
        let reference = table(f64::sin, 1000, 10.0);
        let sparse = compare(&reference, &table(f64::sin, 5, 10.0), None, TUBE);
        assert!(!sparse.passes() && sparse.signals[0].reversed);
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
    fn an_event_may_be_late_by_the_width() {
        let step = |at: f64| {
            Table::from_columns(vec![0.0, at, at, 1.0], vec![("x".to_string(), vec![0.0, 0.0, 1.0, 1.0])])
        };
        assert!(compare(&step(0.5), &step(0.5015), None, TUBE).passes());
        assert!(!compare(&step(0.5), &step(0.503), None, TUBE).passes());
    }
}
