//! What moves along a line: `spatialDistribution`.
//!
//! Input: the way travelled so far and the values at both ends, at accepted points. Output: the values that leave at the ends.
//!
//! Method: a place on the line, from 0 to 1, keeps its value while it moves. Counted from a point that moves along, its position
//! is its place minus the way; so the line is a list of positions with values. What enters is added at one end, what has left
//! is cut off at the other. Between the points a cubic through the nearest four that no jump or event parts.
//! Between accepted points only the way changes: what enters meanwhile is the value at the last one.

use std::collections::VecDeque;

#[derive(Copy, Clone, Debug, PartialEq)]
struct Point {
    at: f64,
    value: f64,
    /// Entered at an event: the values need not be smooth here.
    corner: bool,
}

/// The values on one line.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpatialProfile {
    points: VecDeque<Point>,
    way: f64,
    /// Values at the ends at the last accepted point.
    ends: [f64; 2],
}

impl SpatialProfile {
    /// Fills the line: places from 0 to 1 and their values.
    pub(crate) fn start(&mut self, way: f64, places: &[f64], values: &[f64], ends: [f64; 2]) {
        self.points = places.iter().zip(values).map(|(place, value)| Point { at: place - way, value: *value, corner: true }).collect();
        self.way = way;
        self.ends = ends;
    }

    /// Whether the line holds anything.
    pub(crate) fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Moves the line to an accepted point, where `ends` are the values at both ends.
    pub(crate) fn record(&mut self, way: f64, ends: [f64; 2], at_event: bool) {
        let [left, right] = ends;
        if way > self.way {
            let entered = Point { at: -self.way, value: self.ends[0], corner: false };
            if self.points.front().is_none_or(|p| p.at != entered.at || p.value != entered.value) {
                self.points.push_front(Point { corner: true, ..entered });
            }
            let end = Point { at: 1.0 - way, value: self.value(1.0 - way), corner: false };
            while self.points.back().is_some_and(|p| p.at > end.at) {
                self.points.pop_back();
            }
            if self.points.back().is_none_or(|p| p.at < end.at) {
                self.points.push_back(end);
            }
            self.points.push_front(Point { at: -way, value: left, corner: at_event });
        } else if way < self.way {
            let entered = Point { at: 1.0 - self.way, value: self.ends[1], corner: false };
            if self.points.back().is_none_or(|p| p.at != entered.at || p.value != entered.value) {
                self.points.push_back(Point { corner: true, ..entered });
            }
            let end = Point { at: -way, value: self.value(-way), corner: false };
            while self.points.front().is_some_and(|p| p.at < end.at) {
                self.points.pop_front();
            }
            if self.points.front().is_none_or(|p| p.at > end.at) {
                self.points.push_front(end);
            }
            self.points.push_back(Point { at: 1.0 - way, value: right, corner: at_event });
        }
        self.way = way;
        self.ends = ends;
    }

    /// The values at the left and at the right end of the line when it has moved this way.
    pub(crate) fn at_ends(&self, way: f64) -> [f64; 2] {
        [self.value(-way), self.value(1.0 - way)]
    }

    fn value(&self, at: f64) -> f64 {
        let after = self.points.partition_point(|p| p.at <= at);
        let (Some(first), Some(last)) = (self.points.front(), self.points.back()) else { return f64::NAN };
        if after == 0 {
            return first.value;
        }
        if after == self.points.len() {
            return last.value;
        }
        self.interpolate(after, at)
    }

    /// Lagrange's polynomial through the neighbours of a position between the points `after - 1` and `after`.
    fn interpolate(&self, after: usize, at: f64) -> f64 {
        let points = &self.points;
        let smooth = |i: usize, k: usize| !points[i].corner && points[i].at != points[k].at;
        let first = if after >= 2 && smooth(after - 1, after - 2) { after - 2 } else { after - 1 };
        let last = if after + 1 < points.len() && smooth(after, after + 1) { after + 1 } else { after };
        let base = points[after - 1].value;
        let mut sum = base;
        for i in first..=last {
            let mut weight = 1.0;
            for k in (first..=last).filter(|&k| k != i) {
                weight *= (at - points[k].at) / (points[i].at - points[k].at);
            }
            sum += weight * (points[i].value - base);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled() -> SpatialProfile {
        let mut profile = SpatialProfile::default();
        profile.start(0.0, &[0.0, 1.0], &[0.0, 1.0], [5.0, 7.0]);
        profile
    }

    #[test]
    fn what_is_on_the_line_leaves_in_order() {
        let mut profile = filled();
        assert_eq!(profile.at_ends(0.25), [0.0, 0.75], "what lies a quarter before the end leaves");
        profile.record(0.5, [6.0, 7.0], false);
        assert_eq!(profile.at_ends(0.75)[1], 0.25);
        profile.record(1.0, [7.0, 7.0], false);
        assert!((profile.at_ends(1.25)[1] - 5.5).abs() < 1e-12, "what entered first");
        assert!((profile.at_ends(1.75)[1] - 6.5).abs() < 1e-12, "what entered between two points");
    }

    #[test]
    fn what_has_left_does_not_come_back() {
        let mut profile = filled();
        profile.record(0.5, [5.0, 7.0], false);
        profile.record(0.25, [5.0, 8.0], false);
        assert_eq!(profile.at_ends(0.25)[1], 8.0, "the end takes what enters there");
        assert_eq!(profile.at_ends(0.0)[0], 0.0, "what was inside comes back");
        profile.record(0.0, [5.0, 9.0], false);
        assert!((profile.value(0.4) - 0.4).abs() < 1e-12);
        assert!((profile.value(0.75) - 8.0).abs() < 1e-12);
    }

    #[test]
    fn a_jump_stays_sharp() {
        let mut profile = filled();
        profile.record(0.5, [5.0, 7.0], false);
        profile.record(0.5, [1.0, 7.0], true);
        profile.record(1.0, [1.0, 7.0], false);
        assert_eq!(profile.at_ends(1.5 - 1e-9)[1], 5.0);
        assert_eq!(profile.at_ends(1.5 + 1e-9)[1], 1.0);
    }
}
