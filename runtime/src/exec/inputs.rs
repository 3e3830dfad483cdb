//! Curves that the user gives for the inputs of a model.
//!
//! Input: a table with a column for each input. Real inputs are straight lines between the points of their column, others hold a
//! value until the next point. Two points of equal time are a jump. Before the first and after the last point the values stay.
//! An input without a column keeps its start value.

use crate::base::number::shown;
use crate::exec::Instance;
use crate::exec::settings::near_names;
use crate::model::plan::{Slot, SlotType};
use crate::model::table::Table;
use std::fmt;

/// Why curves cannot be given.
#[derive(Clone, Debug, PartialEq)]
pub enum InputError {
    /// A column is no input of the model.
    Unknown {
        /// The column.
        name: String,
        /// Inputs that look alike, best first.
        near: Vec<String>,
        /// The names of all inputs.
        inputs: Vec<String>,
    },
    /// A value is none that the input can have.
    Value {
        /// The input.
        name: String,
        /// When.
        time: f64,
        /// The value.
        value: f64,
        /// The type of the input.
        ty: SlotType,
    },
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Unknown { name, near, .. } if !near.is_empty() => {
                write!(f, "the model has no input `{name}`; similar: {}", near.join(", "))
            }
            InputError::Unknown { name, inputs, .. } if inputs.is_empty() => {
                write!(f, "the model has no input `{name}`; it has no inputs at all")
            }
            InputError::Unknown { name, inputs, .. } => {
                let more = inputs.len().saturating_sub(10);
                let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
                write!(
                    f,
                    "the model has no input `{name}`; its inputs are {}{tail}",
                    inputs.iter().take(10).cloned().collect::<Vec<_>>().join(", ")
                )
            }
            InputError::Value { name, time, value, ty } => {
                let wanted = match ty {
                    SlotType::Real => "a finite number",
                    SlotType::Integer => "a whole number",
                    SlotType::Boolean => "true (1) or false (0)",
                };
                write!(f, "the input `{name}` needs {wanted}, but is {} at time {}", shown(*value), shown(*time))
            }
        }
    }
}

impl std::error::Error for InputError {}

/// Which limit is meant at a jump.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    /// Before the jump.
    Left,
    /// After it.
    Right,
}

/// The curve of one input.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    pub(super) slot: Slot,
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
    fn new(slot: Slot, ty: SlotType, times: &[f64], values: Vec<f64>) -> Curve {
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
    pub(super) fn value(&self, t: f64, limit: Limit) -> f64 {
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
    pub(super) fn next_jump(&self, t: f64) -> Option<f64> {
        self.jumps.get(self.jumps.partition_point(|jump| *jump <= t)).copied()
    }

    /// The next change of slope after a time.
    pub(super) fn next_kink(&self, t: f64) -> Option<f64> {
        self.kinks.get(self.kinks.partition_point(|kink| *kink <= t)).copied()
    }
}

impl Instance {
    /// Gives the inputs of the model curves for the next run; every column of the table has to be an input.
    pub fn set_inputs(&mut self, table: &Table) -> Result<(), InputError> {
        let plan = &*self.compiled.plan;
        let mut curves = Vec::new();
        for name in table.names() {
            let Some(input) = plan.inputs.iter().find(|input| input.name == *name) else {
                let inputs: Vec<String> = plan.inputs.iter().map(|input| input.name.clone()).collect();
                return Err(InputError::Unknown { name: name.clone(), near: near_names(inputs.iter().map(String::as_str), name), inputs });
            };
            let values = table.values(name).unwrap_or_default();
            for (&value, &time) in values.iter().zip(&table.time) {
                let fits = match input.ty {
                    SlotType::Real => value.is_finite(),
                    SlotType::Integer => value.is_finite() && value == value.trunc(),
                    SlotType::Boolean => value == 0.0 || value == 1.0,
                };
                if !fits {
                    return Err(InputError::Value { name: name.clone(), time, value, ty: input.ty });
                }
            }
            if !values.is_empty() {
                curves.push(Curve::new(input.slot, input.ty, &table.time, values));
            }
        }
        self.curves = curves;
        Ok(())
    }

    /// The names of inputs that have no curve and keep their start values.
    pub fn constant_inputs(&self) -> Vec<&str> {
        let has_curve = |slot: Slot| self.curves.iter().any(|curve| curve.slot == slot);
        self.compiled.plan.inputs.iter().filter(|input| !has_curve(input.slot)).map(|input| input.name.as_str()).collect()
    }

    /// Puts the values of the inputs at a time in the memory.
    pub(super) fn refresh_inputs(&mut self, t: f64) {
        let limit = if t == self.last_event { Limit::Right } else { Limit::Left };
        for curve in &self.curves {
            self.machine.put(curve.slot, curve.value(t, limit));
        }
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
