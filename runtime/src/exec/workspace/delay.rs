//! The past of delayed expressions.
//!
//! Input: values at accepted points, in order of time; two values at one time are a jump. Output: the value at any time.
//!
//! Method: a cubic through the four nearest accepted points of the same smooth piece (fewer where there are not so many);
//! pieces end at events. Constant before the first point. Between the last accepted point and the present (a step longer than
//! the delay) the last segment is continued as a straight line.

use std::collections::VecDeque;

/// Which value counts exactly at a jump.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum OneSidedLimit {
    /// The value before it.
    Left,
    /// The value after it.
    Right,
}

/// Values of one expression over time.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    points: VecDeque<(f64, f64)>,
    jumps: VecDeque<f64>,
    /// Times of events: the expression need not be smooth there.
    kinks: VecDeque<f64>,
}

impl History {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.points.clear();
        self.jumps.clear();
        self.kinks.clear();
    }

    /// Notes an event: interpolation does not reach across it.
    pub(crate) fn kink(&mut self, t: f64) {
        if self.kinks.back() != Some(&t) {
            self.kinks.push_back(t);
        }
    }

    /// Adds a value. A second value at the same time is a jump; a third replaces the second.
    pub(crate) fn push(&mut self, t: f64, value: f64) {
        let n = self.points.len();
        match self.points.back().copied() {
            Some((last, before)) if last == t => {
                let jumps = self.jumps.back() == Some(&t);
                if jumps {
                    self.points[n - 1].1 = value;
                } else if n == 1 {
                    // At the very beginning there is no past: what initialisation settles on counts.
                    self.points[0].1 = value;
                } else if before != value {
                    self.points.push_back((t, value));
                    self.jumps.push_back(t);
                }
            }
            _ => self.points.push_back((t, value)),
        }
    }

    /// Forgets what lies before `oldest`, keeping the point at or before it.
    pub(crate) fn trim(&mut self, oldest: f64) {
        // One more point than a straight line needs, for the cubic.
        while self.points.len() > 3 && self.points[2].0 < oldest {
            self.points.pop_front();
        }
        // Interpolation has to know of the jumps and kinks at all points that are kept.
        let Some(&(first, _)) = self.points.front() else { return };
        for times in [&mut self.jumps, &mut self.kinks] {
            while times.front().is_some_and(|&time| time < first) {
                times.pop_front();
            }
        }
    }

    /// The first jump that is seen after `t` through a delay.
    pub(crate) fn next_jump(&self, t: f64, delay: f64) -> Option<f64> {
        self.jumps.iter().map(|jump| jump + delay).find(|&seen| seen > t)
    }

    /// The value `delay` before `t`; nothing if nothing is known yet.
    pub(crate) fn value(&self, t: f64, delay: f64, side: OneSidedLimit) -> Option<f64> {
        let (first, last) = (*self.points.front()?, *self.points.back()?);
        let wanted = t - delay;
        // `t - delay` is rounded at the size of `t`, so a point that close is meant.
        let near = 4.0 * f64::EPSILON * t.abs().max(delay.abs());
        let after = self.points.partition_point(|point| point.0 <= wanted);
        let hit = [after.checked_sub(1), Some(after)]
            .into_iter()
            .flatten()
            .filter_map(|i| self.points.get(i))
            .find(|point| (point.0 - wanted).abs() <= near);
        if let Some(&(time, _)) = hit {
            let found = match side {
                OneSidedLimit::Left => self.points.partition_point(|point| point.0 < time),
                OneSidedLimit::Right => self.points.partition_point(|point| point.0 <= time) - 1,
            };
            return Some(self.points[found].1);
        }
        if wanted <= first.0 {
            return Some(first.1);
        }
        if after < self.points.len() {
            return Some(self.interpolate(after, wanted));
        }
        match self.points.len().checked_sub(2).map(|i| self.points[i]) {
            Some(before) if before.0 < last.0 => Some(before.1 + (last.1 - before.1) * ((wanted - before.0) / (last.0 - before.0))),
            _ => Some(last.1),
        }
    }

    /// Lagrange's polynomial through the neighbours of a time between the points `after - 1` and `after`.
    fn interpolate(&self, after: usize, wanted: f64) -> f64 {
        let smooth_at = |i: usize| {
            let time = self.points[i].0;
            let kinked = self.kinks.binary_search_by(|kink| kink.total_cmp(&time)).is_ok();
            !kinked && self.jumps.binary_search_by(|jump| jump.total_cmp(&time)).is_err()
        };
        let first = if after >= 2 && smooth_at(after - 1) { after - 2 } else { after - 1 };
        let last = if after + 1 < self.points.len() && smooth_at(after) { after + 1 } else { after };
        // Relative to one of the values, so that rounded weights leave a constant what it is (`integer(delay(...))` would see it).
        let base = self.points[after - 1].1;
        let mut sum = base;
        for i in first..=last {
            let mut weight = 1.0;
            for k in (first..=last).filter(|&k| k != i) {
                weight *= (wanted - self.points[k].0) / (self.points[i].0 - self.points[k].0);
            }
            sum += weight * (self.points[i].1 - base);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_past_is_interpolated_and_jumps_have_two_sides() {
        let mut history = History::default();
        for (t, value) in [(0.0, 1.0), (1.0, 2.0), (1.0, 5.0), (2.0, 7.0)] {
            history.push(t, value);
        }
        let at = |t: f64, side| history.value(t, 10.0, side).unwrap();
        assert_eq!(at(9.0, OneSidedLimit::Left), 1.0, "before the start");
        assert_eq!(at(10.5, OneSidedLimit::Left), 1.5);
        assert_eq!(at(11.0, OneSidedLimit::Left), 2.0);
        assert_eq!(at(11.0, OneSidedLimit::Right), 5.0);
        assert_eq!(at(11.5, OneSidedLimit::Right), 6.0);
        assert_eq!(at(12.5, OneSidedLimit::Left), 8.0, "continued beyond the last point");
        assert_eq!(history.next_jump(0.0, 10.0), Some(11.0));
        assert_eq!(history.next_jump(11.0, 10.0), None);
    }

    #[test]
    fn a_constant_is_kept_to_the_last_bit() {
        let mut history = History::default();
        for i in 0..20 {
            history.push(0.05 * i as f64, 3.0);
        }
        assert!((0..900).all(|i| history.value(0.001 * i as f64, 0.001, OneSidedLimit::Left) == Some(3.0)));
    }

    #[test]
    fn trimming_keeps_what_is_still_needed() {
        let mut history = History::default();
        for i in 0..100 {
            history.push(i as f64, (i * i) as f64);
        }
        let before = history.value(100.0, 50.5, OneSidedLimit::Left);
        assert_eq!(before, Some(49.5 * 49.5), "a parabola is met");
        history.trim(100.0 - 50.5);
        assert_eq!(history.value(100.0, 50.5, OneSidedLimit::Left), before);
        history.kink(49.0);
        history.kink(50.0);
        assert_eq!(history.value(100.0, 50.5, OneSidedLimit::Left), Some(2450.5), "a straight line between events");
        assert!(history.points.len() < 60);
    }

    #[test]
    fn a_jump_is_known_as_long_as_its_two_values() {
        let mut history = History::default();
        for (t, value) in [(0.0, 1.0), (1.0, 2.0), (1.0, 5.0), (2.0, 6.0), (3.0, 7.0), (4.0, 9.0)] {
            history.push(t, value);
        }
        history.trim(1.5);
        assert_eq!(history.value(3.0, 1.5, OneSidedLimit::Left), Some(5.5));
    }
}
