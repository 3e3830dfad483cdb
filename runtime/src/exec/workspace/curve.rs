//! The curve of one input over time: straight lines between points, or values that hold until the next one; two points of equal time are
//! a jump.

use crate::model::plan::{Slot, SlotType};

/// Which limit is meant at a jump.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// Before the jump.
    Left,
    /// After it.
    Right,
}

/// The curve of one input.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    pub(crate) slot: Slot,
    /// Times, ascending; equal ones are a jump.
    times: Vec<f64>,
    values: Vec<f64>,
    /// Values hold until the next point.
    holds: bool,
    /// Times of jumps, ascending.
    jumps: Vec<f64>,
    /// Times where the slope changes but not the value, ascending.
    kinks: Vec<f64>,
}

impl Curve {
    pub(crate) fn new(slot: Slot, ty: SlotType, times: &[f64], values: Vec<f64>) -> Curve {
        let holds = ty != SlotType::Real;
        let mut jumps = Vec::new();
        let mut kinks = Vec::new();
        for k in 1..times.len() {
            if holds || times[k] == times[k - 1] {
                if values[k] != values[k - 1] && jumps.last() != Some(&times[k]) {
                    jumps.push(times[k]);
                }
            } else {
                let slope = |k: usize| (values[k] - values[k - 1]) / (times[k] - times[k - 1]);
                let before = if k >= 2 && times[k - 1] > times[k - 2] { slope(k - 1) } else { 0.0 };
                let after = slope(k);
                if (after - before).abs() > 1e-9 * after.abs().max(before.abs()) {
                    kinks.push(times[k - 1]);
                }
            }
        }
        kinks.extend(times.last());
        Curve { slot, times: times.to_vec(), values, holds, jumps, kinks }
    }

    /// The value at a time.
    pub(crate) fn value(&self, t: f64, limit: Limit) -> f64 {
        // The first point that lies behind.
        let next = match limit {
            Limit::Left => self.times.partition_point(|time| *time < t),
            Limit::Right => self.times.partition_point(|time| *time <= t),
        };
        let Some(last) = next.checked_sub(1) else { return self.values[0] };
        match (self.times.get(next), self.values.get(next)) {
            (Some(&after), Some(&value)) if !self.holds => {
                let (before, old) = (self.times[last], self.values[last]);
                // At a point its own value, without rounding.
                if t == after { value } else { old + (t - before) / (after - before) * (value - old) }
            }
            _ => self.values[last],
        }
    }

    /// The next jump after a time.
    pub(crate) fn next_jump(&self, t: f64) -> Option<f64> {
        self.jumps.get(self.jumps.partition_point(|jump| *jump <= t)).copied()
    }

    /// The next change of slope after a time.
    pub(crate) fn next_kink(&self, t: f64) -> Option<f64> {
        self.kinks.get(self.kinks.partition_point(|kink| *kink <= t)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::EntityRef;

    #[test]
    fn curves_are_lines_with_jumps() {
        let curve = Curve::new(Slot::new(1), SlotType::Real, &[0.0, 1.0, 1.0, 2.0, 3.0], vec![0.0, 2.0, 5.0, 5.0, 6.0]);
        assert_eq!(curve.value(-1.0, Limit::Left), 0.0);
        assert_eq!(curve.value(0.5, Limit::Left), 1.0);
        assert_eq!((curve.value(1.0, Limit::Left), curve.value(1.0, Limit::Right)), (2.0, 5.0));
        assert_eq!(curve.value(2.5, Limit::Right), 5.5);
        assert_eq!(curve.value(9.0, Limit::Left), 6.0);
        assert_eq!((curve.next_jump(0.0), curve.next_jump(1.0)), (Some(1.0), None));
        assert_eq!((curve.next_kink(0.0), curve.next_kink(2.0), curve.next_kink(3.0)), (Some(2.0), Some(3.0), None));
    }

    #[test]
    fn discrete_curves_hold_their_values() {
        let curve = Curve::new(Slot::new(1), SlotType::Boolean, &[0.0, 1.0, 2.0], vec![0.0, 1.0, 1.0]);
        assert_eq!(curve.value(0.99, Limit::Left), 0.0);
        assert_eq!((curve.value(1.0, Limit::Left), curve.value(1.0, Limit::Right)), (0.0, 1.0));
        assert_eq!((curve.next_jump(0.0), curve.next_jump(1.0)), (Some(1.0), None));
    }
}
