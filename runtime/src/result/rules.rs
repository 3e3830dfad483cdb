//! The rules by which a signal of a result is held against a reference.
//!
//! Input: two polylines over time, whose times ascend; two equal times are an event. Output: a [`Judgement`].
//!
//! * `tube`: around every point of a polyline lies a rectangle of half-width `dx = r*max(span, |start|)` and half-height
//!   `dy = r*max(range, |minimum|, 0.001)`, both by the reference; a value is inside if it lies between the lowest and the highest value
//!   within `dx`, widened by `dy`. Asked at the times of the reference only, both ways: its points in the tube of the result, and the
//!   result, read there, in the tube of the reference. So a sparse result cannot pass, and a sparse reference does not blame it.
//! * `window`: the same both ways at all points of both: what the result does between the points of the reference counts, too.
//! * `csv-compare`: the tool's tube is the envelope of the same rectangles. Its corners (ahead of a rise, behind a fall, both at extrema)
//!   form exactly the curve of the lowest and highest values within `dx`, so only the directions differ: points of the result
//!   are asked, those beyond the reference's times are not.
//! * `om-diff`: OpenModelica's `diffSimulationResults`: ellipses of half-axes `d = r*span` and `d*s`, `s = max(4*range, 0.0004)/span`,
//!   along the reference, never narrower than `max(1e-3*|value|, 1e-4*range)`; the interpolated result is asked at the
//!   reference's times, except at events. Corners of the tube are round here and mitred there, which is wider.
//! * `om-compare`: OpenModelica's `compareSimulationResults`: at every point of the result the difference to the interpolated
//!   reference is at most `0.01*mean|reference| + 1e-4`; at events left and right limits are held against each other.
//! * `two-percent`: at every time of the reference the interpolated result (either limit at an event) differs by at most 2 % of
//!   the value, or of the largest value, or 1e-6.
//!
//! Guarantees: a value that is not a number is outside.
//! Cost: linear in the points; `om-diff` in points times points per tube width where the narrow band does not decide.

use serde::Serialize;
use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;

/// Times and values of a signal.
pub type Line<'a> = (&'a [f64], &'a [f64]);

/// What is not exactly inside, but only by rounding errors, is inside: parts of the half-height.
const ROUNDING: f64 = 1e-9;

/// A rule of comparison.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The rectangle tube at the times of the reference: the default.
    #[default]
    Tube,
    /// The rectangle tube at all points of both.
    Window,
    /// The tube of csv-compare.
    CsvCompare,
    /// OpenModelica's `diffSimulationResults`.
    OmDiff,
    /// OpenModelica's `compareSimulationResults`.
    OmCompare,
    /// Two percent.
    TwoPercent,
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 6] = [Rule::Tube, Rule::Window, Rule::CsvCompare, Rule::OmDiff, Rule::OmCompare, Rule::TwoPercent];

    /// The word for the rule.
    pub fn word(self) -> &'static str {
        match self {
            Rule::Tube => "tube",
            Rule::Window => "window",
            Rule::CsvCompare => "csv-compare",
            Rule::OmDiff => "om-diff",
            Rule::OmCompare => "om-compare",
            Rule::TwoPercent => "two-percent",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Rule {
    type Err = String;

    fn from_str(word: &str) -> Result<Rule, String> {
        Rule::ALL.into_iter().find(|rule| rule.word() == word).ok_or_else(|| {
            let words: Vec<&str> = Rule::ALL.iter().map(|rule| rule.word()).collect();
            format!("there is no rule `{word}`; there are {}", words.join(", "))
        })
    }
}

/// How a signal does under a rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judgement {
    /// All is inside.
    pub inside: bool,
    /// Where it is worst.
    pub time: f64,
    /// Its value there; if `reversed`, the reference's.
    pub value: f64,
    /// Lower bound there.
    pub low: f64,
    /// Upper bound there.
    pub high: f64,
    /// How far the worst value is outside, in half-heights of what is allowed; negative inside.
    pub excess: f64,
    /// The worst value is one of the reference that the result does not follow.
    pub reversed: bool,
}

impl Judgement {
    fn nothing() -> Judgement {
        Judgement {
            inside: true,
            time: f64::NAN,
            value: f64::NAN,
            low: f64::NAN,
            high: f64::NAN,
            excess: f64::NEG_INFINITY,
            reversed: false,
        }
    }

    /// Takes in a point: its value, the bounds there, and half their distance at the narrowest.
    fn see(&mut self, time: f64, value: f64, low: f64, high: f64, half: f64) {
        let mut excess = upper(low - value, value - high) / half;
        if excess.is_nan() {
            excess = f64::INFINITY;
        }
        if excess > self.excess {
            *self = Judgement { inside: excess <= ROUNDING, time, value, low, high, excess, reversed: false };
        }
    }
}

/// The smaller one; not a number if one is not.
pub(super) fn lower(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.min(b) }
}

/// The larger one; not a number if one is not.
pub(super) fn upper(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

/// Values that are looked at side by side: no comparison waits for the one before.
const LANES: usize = 8;

/// The lowest and the highest value; not numbers if one is not.
fn range(values: &[f64]) -> (f64, f64) {
    let (chunks, rest) = values.as_chunks::<LANES>();
    let (mut low, mut high) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
    let mut bad = [false; LANES];
    for chunk in chunks {
        for k in 0..LANES {
            low[k] = if chunk[k] < low[k] { chunk[k] } else { low[k] };
            high[k] = if chunk[k] > high[k] { chunk[k] } else { high[k] };
            bad[k] |= chunk[k].is_nan();
        }
    }
    if bad.contains(&true) {
        return (f64::NAN, f64::NAN);
    }
    let low = low.iter().chain(rest).fold(f64::INFINITY, |low, y| lower(low, *y));
    (low, high.iter().chain(rest).fold(f64::NEG_INFINITY, |high, y| upper(high, *y)))
}

/// The largest difference of values; not a number if a difference is not.
fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let ((a8, a_rest), (b8, b_rest)) = (a[..n].as_chunks::<LANES>(), b[..n].as_chunks::<LANES>());
    let mut largest = [0.0; LANES];
    let mut bad = [false; LANES];
    for (a, b) in a8.iter().zip(b8) {
        for k in 0..LANES {
            let difference = (a[k] - b[k]).abs();
            largest[k] = if difference > largest[k] { difference } else { largest[k] };
            bad[k] |= difference.is_nan();
        }
    }
    if bad.contains(&true) {
        return f64::NAN;
    }
    let rest = a_rest.iter().zip(b_rest).map(|(a, b)| (a - b).abs());
    largest.into_iter().chain(rest).fold(0.0, upper)
}

/// Two values at the same time.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Difference {
    /// How far they are apart; not a number if one of them is not.
    pub(super) size: f64,
    pub(super) time: f64,
    /// The value of the reference.
    pub(super) expected: f64,
    /// The value of the result.
    pub(super) value: f64,
}

impl Default for Difference {
    /// No values.
    fn default() -> Difference {
        Difference { size: 0.0, time: f64::NAN, expected: f64::NAN, value: f64::NAN }
    }
}

/// What is known of a pair of lines after one look at all values.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Facts {
    /// The lowest and the highest value of the reference; not numbers if one is not.
    pub(super) range: (f64, f64),
    /// On equal grids the first of the largest differences.
    pub(super) difference: Option<Difference>,
}

impl Facts {
    /// Values that are looked at together: few enough to be in the cache when they are looked at again.
    const BLOCK: usize = 1024;

    /// Of a reference and of a result's values if both have the same times.
    pub(super) fn of((times, reference): Line<'_>, result: Option<&[f64]>) -> Facts {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        // The largest difference so far, and where the block begins that it is in.
        let mut largest = (0.0, 0);
        for (number, block) in reference.chunks(Facts::BLOCK).enumerate() {
            let (block_low, block_high) = range(block);
            (low, high) = (lower(low, block_low), upper(high, block_high));
            let Some(result) = result else { continue };
            let begin = number * Facts::BLOCK;
            let difference = largest_difference(block, &result[begin..]);
            if difference > largest.0 || difference.is_nan() {
                largest = (upper(largest.0, difference), begin);
            }
        }
        let difference = result.map(|result| {
            let (size, begin) = largest;
            let at = begin + reference[begin..].iter().zip(&result[begin..]).position(|(a, b)| (a - b).abs() == size).unwrap_or(0);
            Difference { size, time: times[at], expected: reference[at], value: result[at] }
        });
        Facts { range: (low, high), difference }
    }
}

/// Half-width and half-height of the rectangles around a reference.
pub fn rectangle((times, values): Line<'_>, r: f64) -> (f64, f64) {
    rectangle_of((times[0], times[times.len() - 1]), range(values), r)
}

/// The same for a reference of which only the first and the last time and the range are known.
pub(super) fn rectangle_of((first, last): (f64, f64), (low, high): (f64, f64), r: f64) -> (f64, f64) {
    (r * (last - first).max(first.abs()).max(1e-12), r * (high - low).max(low.abs()).max(1e-3))
}

/// Judges a result by a rule. Both lines have points; `r` is the relative size of tubes, usually 0.002.
pub fn judge(rule: Rule, reference: Line<'_>, result: Line<'_>, r: f64) -> Judgement {
    judge_knowing(&Facts::of(reference, (reference.0 == result.0).then_some(result.1)), rule, reference, result, r)
}

/// Judges as [`judge`] does where the facts are known.
pub(super) fn judge_knowing(facts: &Facts, rule: Rule, reference: Line<'_>, result: Line<'_>, r: f64) -> Judgement {
    match rule {
        Rule::Tube => tube(facts, reference, result, r),
        Rule::Window => window(facts, reference, result, r),
        Rule::CsvCompare => csv_compare(facts, reference, result, r),
        Rule::OmDiff => om_diff(facts, reference, result, r),
        Rule::OmCompare => om_compare(reference, result),
        Rule::TwoPercent => two_percent(reference, result),
    }
}

fn tube(facts: &Facts, reference: Line<'_>, result: Line<'_>, r: f64) -> Judgement {
    let values = at_times(result, reference.0);
    both_ways(facts, reference, (reference.0, &values), result, r)
}

fn window(facts: &Facts, reference: Line<'_>, result: Line<'_>, r: f64) -> Judgement {
    both_ways(facts, reference, result, result, r)
}

/// Asks points of the result in the tube of the reference, then the points of the reference in that of the result.
fn both_ways(facts: &Facts, reference: Line<'_>, asked: Line<'_>, result: Line<'_>, r: f64) -> Judgement {
    let (dx, dy) = rectangle_of((reference.0[0], reference.0[reference.0.len() - 1]), facts.range, r);
    if let Some(near) = point_by_point(facts, dy) {
        return near;
    }
    let forward = in_window(reference, asked, dx, dy);
    if !forward.inside {
        return forward;
    }
    let backward = in_window(result, reference, dx, dy);
    if backward.excess > forward.excess { Judgement { reversed: true, ..backward } } else { forward }
}

/// A line read at ascending times: at the first of two equal times its left limit, at the second its right one, so that events stay events.
fn at_times(line: Line<'_>, times: &[f64]) -> Vec<f64> {
    let mut limits = Limits::new(line);
    let starts_event = |k: usize| times.get(k + 1) == Some(&times[k]);
    (0..times.len()).map(|k| if starts_event(k) { limits.at(times[k]).0 } else { limits.at(times[k]).1 }).collect()
}

fn csv_compare(facts: &Facts, reference: Line<'_>, result: Line<'_>, r: f64) -> Judgement {
    let ends = (reference.0[0], reference.0[reference.0.len() - 1]);
    let (dx, dy) = rectangle_of(ends, facts.range, r);
    let asked = within_times(result, ends);
    if asked.0.is_empty() {
        return Judgement { inside: false, excess: f64::INFINITY, time: ends.1, ..Judgement::nothing() };
    }
    in_window(reference, asked, dx, dy)
}

/// The points of a line between two times, ends included.
pub(super) fn within_times<'a>((times, values): Line<'a>, (first, last): (f64, f64)) -> Line<'a> {
    let from = times.partition_point(|t| *t < first);
    let to = times.partition_point(|t| *t <= last).max(from);
    (&times[from..to], &values[from..to])
}

/// On equal grids whose values all differ by at most the half-height nothing more needs to be asked: inside both ways.
pub(super) fn point_by_point(facts: &Facts, dy: f64) -> Option<Judgement> {
    let Difference { size, time, expected, value } = facts.difference?;
    (size <= dy).then(|| Judgement {
        inside: true,
        time,
        value,
        low: expected - dy,
        high: expected + dy,
        excess: size / dy - 1.0,
        reversed: false,
    })
}

/// Reads a polyline at ascending times; constant beyond its ends; at an event the right limit.
struct Reader<'a> {
    line: Line<'a>,
    /// The number of points at or before the last time asked for.
    after: usize,
}

impl<'a> Reader<'a> {
    fn new(line: Line<'a>) -> Reader<'a> {
        Reader { line, after: 0 }
    }

    fn at(&mut self, t: f64) -> f64 {
        let (times, values) = self.line;
        while self.after < times.len() && times[self.after] <= t {
            self.after += 1;
        }
        between(times, values, self.after, t)
    }
}

/// The value at `t`, where `after` points lie at or before it.
fn between(times: &[f64], values: &[f64], after: usize, t: f64) -> f64 {
    if after == 0 {
        return values[0];
    }
    if after == times.len() {
        return values[after - 1];
    }
    let (a, b) = (times[after - 1], times[after]);
    values[after - 1] + (values[after] - values[after - 1]) / (b - a) * (t - a)
}

/// The lowest and highest values of a polyline within `dx` of ascending times.
pub struct Window<'a> {
    line: Line<'a>,
    dx: f64,
    left: Reader<'a>,
    right: Reader<'a>,
    /// Positions with ascending (descending) values: the front is the minimum (maximum) of the window.
    minima: VecDeque<usize>,
    maxima: VecDeque<usize>,
    /// Positions of values that are not numbers.
    bad: VecDeque<usize>,
    next: usize,
}

impl<'a> Window<'a> {
    /// A window of half-width `dx` over a line.
    pub fn new(line: Line<'a>, dx: f64) -> Window<'a> {
        Window {
            line,
            dx,
            left: Reader::new(line),
            right: Reader::new(line),
            minima: VecDeque::new(),
            maxima: VecDeque::new(),
            bad: VecDeque::new(),
            next: 0,
        }
    }

    /// The bounds at a time, which is not before the one asked for last. Not a number if the window has a value that is none.
    pub fn bounds(&mut self, t: f64) -> (f64, f64) {
        let (times, values) = self.line;
        while self.next < times.len() && times[self.next] <= t + self.dx {
            let value = values[self.next];
            if value.is_nan() {
                self.bad.push_back(self.next);
            } else {
                while self.minima.back().is_some_and(|k| values[*k] >= value) {
                    self.minima.pop_back();
                }
                self.minima.push_back(self.next);
                while self.maxima.back().is_some_and(|k| values[*k] <= value) {
                    self.maxima.pop_back();
                }
                self.maxima.push_back(self.next);
            }
            self.next += 1;
        }
        for window in [&mut self.minima, &mut self.maxima, &mut self.bad] {
            while window.front().is_some_and(|k| times[*k] < t - self.dx) {
                window.pop_front();
            }
        }
        let (left, right) = (self.left.at(t - self.dx), self.right.at(t + self.dx));
        let mut low = lower(left, right);
        let mut high = upper(left, right);
        if let (Some(min), Some(max)) = (self.minima.front(), self.maxima.front()) {
            low = lower(low, values[*min]);
            high = upper(high, values[*max]);
        }
        if self.bad.is_empty() { (low, high) } else { (f64::NAN, f64::NAN) }
    }
}

/// The point of `line` that is farthest outside of the rectangles around `around`.
pub(super) fn in_window(around: Line<'_>, line: Line<'_>, dx: f64, dy: f64) -> Judgement {
    let mut window = Window::new(around, dx);
    let mut found = Judgement::nothing();
    for (t, y) in line.0.iter().zip(line.1) {
        let (low, high) = window.bounds(*t);
        found.see(*t, *y, low - dy, high + dy, dy);
    }
    found
}

/// Left and right limits of a polyline at ascending times; where it is continuous both are the same.
struct Limits<'a> {
    line: Line<'a>,
    before: usize,
    after: usize,
}

impl<'a> Limits<'a> {
    fn new(line: Line<'a>) -> Limits<'a> {
        Limits { line, before: 0, after: 0 }
    }

    fn at(&mut self, t: f64) -> (f64, f64) {
        let (times, values) = self.line;
        while self.before < times.len() && times[self.before] < t {
            self.before += 1;
        }
        while self.after < times.len() && times[self.after] <= t {
            self.after += 1;
        }
        if times.len() < 2 {
            return (values[0], values[0]);
        }
        let inside = t.clamp(times[0], times[times.len() - 1]);
        let at = |after: usize| {
            let i = after.clamp(1, times.len() - 1);
            let (a, b) = (times[i - 1], times[i]);
            let w = if b > a { (inside - a) / (b - a) } else { 0.0 };
            values[i - 1] + w * (values[i] - values[i - 1])
        };
        (at(self.before), at(self.after))
    }
}

fn two_percent((tr, yr): Line<'_>, result: Line<'_>) -> Judgement {
    let largest = yr.iter().fold(0.0, |largest, y| upper(largest, y.abs()));
    let mut limits = Limits::new(result);
    let mut found = Judgement::nothing();
    for (time, expected) in tr.iter().zip(yr) {
        let tolerance = (0.02 * expected.abs()).max(0.02 * largest).max(1e-6);
        let (left, right) = limits.at(*time);
        let value = if left.is_nan() || (right - expected).abs() <= (left - expected).abs() { right } else { left };
        found.see(*time, value, expected - tolerance, expected + tolerance, tolerance);
    }
    // Here the bound is exact.
    found.inside = found.excess <= 0.0;
    found
}

fn om_compare((tr, yr): Line<'_>, (t, y): Line<'_>) -> Judgement {
    let mean = yr.iter().map(|y| y.abs()).sum::<f64>() / yr.len() as f64;
    let threshold = 0.01 * mean + 1e-4;
    let same = |a: f64, b: f64| (a - b).abs() <= 1e-10_f64.max(1e-5 * a.abs().max(b.abs()));
    let mut limits = Limits::new((tr, yr));
    let mut found = Judgement::nothing();
    for (i, (time, value)) in t.iter().zip(y).enumerate() {
        if *time > tr[tr.len() - 1] && !same(*time, tr[tr.len() - 1]) {
            break;
        }
        // An event of the reference at almost this time is one at this time.
        let near = tr.partition_point(|x| *x < *time);
        let event = [near.checked_sub(1), Some(near)].into_iter().flatten().find(|&k| {
            k + 1 < tr.len() && same(tr[k], *time) && same(tr[k], tr[k + 1]) && tr[k + 1] - tr[k] <= 1e-10_f64.max(1e-12 * tr[k].abs())
        });
        let (left, right) = match event {
            Some(k) => {
                let last = k + tr[k..].iter().take_while(|x| **x <= tr[k + 1]).count() - 1;
                (yr[k], yr[last])
            }
            None => limits.at(*time),
        };
        let is_left = t.get(i + 1).is_some_and(|next| same(*next, *time) && *next - *time <= 1e-10);
        let is_right = i > 0 && same(t[i - 1], *time) && *time - t[i - 1] <= 1e-10;
        let expected = match (is_left, is_right) {
            (true, false) => left,
            (false, true) => right,
            // A single point at an event, or one between two others: either limit may match.
            _ if (value - left).abs() < (value - right).abs() => left,
            _ => right,
        };
        found.see(*time, *value, expected - threshold, expected + threshold, threshold);
    }
    found.inside = found.excess <= 0.0;
    found
}

fn om_diff(facts: &Facts, reference: Line<'_>, result: Line<'_>, r: f64) -> Judgement {
    let (tr, yr) = reference;
    let n = tr.len();
    let span = tr[n - 1] - tr[0];
    let (lowest, highest) = facts.range;
    let delta = r * span;
    let slope = if span > 0.0 { (4.0 * (highest - lowest) / span).max(0.0004 / span) } else { 0.0 };
    let relative = 1e-4;
    let absolute =
        if highest == lowest && highest < relative * relative { relative * relative } else { (highest - lowest).abs() * relative };
    // Closer points than this are an event.
    let event = span * 1e-3 / n.max(result.0.len()) as f64;
    let mut limits = Limits::new(result);
    let mut found = Judgement::nothing();
    for (i, (time, expected)) in tr.iter().zip(yr).enumerate() {
        let after_event = i > 0 && time - tr[i - 1] <= event;
        let before_event = i + 1 < n && tr[i + 1] - time <= event;
        let (left, right) = limits.at(*time);
        if after_event || before_event {
            continue;
        }
        let value = if (left - expected).abs() < (right - expected).abs() { left } else { right };
        let band = (expected.abs() * 1e-3).max(absolute);
        if (value - expected).abs() <= band || delta <= 0.0 {
            found.see(*time, value, expected - band, expected + band, band);
            continue;
        }
        let (low, high) = ellipses(reference, *time, delta, delta * slope);
        let (low, high) = (lower(low, expected - band), upper(high, expected + band));
        found.see(*time, value, low, high, (high - low) / 2.0);
    }
    found.inside = found.excess <= ROUNDING;
    found
}

/// The lowest and highest points at `t` of ellipses of half-axes `a` and `b` around all points of a polyline.
fn ellipses((times, values): Line<'_>, t: f64, a: f64, b: f64) -> (f64, f64) {
    let mut low = f64::INFINITY;
    let mut high = f64::NEG_INFINITY;
    let mut see = |s: f64, y: f64| {
        let height = b * (1.0 - ((t - s) / a).powi(2)).max(0.0).sqrt();
        low = lower(low, y - height);
        high = upper(high, y + height);
    };
    let first = times.partition_point(|s| *s < t - a);
    let end = times.partition_point(|s| *s <= t + a);
    for k in first..end {
        see(times[k], values[k]);
    }
    for k in first.max(1)..(end + 1).min(times.len()) {
        let (p, q) = (times[k - 1], times[k]);
        if q <= p {
            continue;
        }
        // On a segment of slope m the ellipse reaches farthest from the point at distance a^2*m / sqrt(a^2*m^2 + b^2).
        let m = (values[k] - values[k - 1]) / (q - p);
        let reach = a * a * m / (a * a * m * m + b * b).sqrt();
        for s in [t + reach, t - reach] {
            let s = s.clamp(p, q);
            if (s - t).abs() <= a {
                see(s, values[k - 1] + m * (s - p));
            }
        }
    }
    (low, high)
}

#[cfg(test)]
mod tests;
