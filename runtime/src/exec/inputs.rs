//! Curves that the user gives for the inputs of a model.
//!
//! Input: a table with a column for each input. Real inputs are straight lines between the points of their column, others hold a
//! value until the next point. Two points of equal time are a jump. Before the first and after the last point the values stay.
//! An input without a column keeps its start value.

use crate::base::number::shown;
use crate::exec::instance::Instance;
use crate::exec::settings::near_names;
use crate::exec::workspace::curve::{Curve, Limit};
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

impl Instance {
    /// Gives the inputs of the model curves for the next run; every column of the table has to be an input.
    pub fn set_inputs(&mut self, table: &Table) -> Result<(), InputError> {
        let plan = &*self.compiled.plan;
        let mut curves = Vec::new();
        for name in table.names() {
            let Some(input) = plan.interface.inputs.iter().find(|input| input.name == *name) else {
                let inputs: Vec<String> = plan.interface.inputs.iter().map(|input| input.name.clone()).collect();
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
        self.compiled.plan.interface.inputs.iter().filter(|input| !has_curve(input.slot)).map(|input| input.name.as_str()).collect()
    }

    /// Puts the values of the inputs at a time in the memory.
    pub(crate) fn refresh_inputs(&mut self, t: f64) {
        let limit = if t == self.switching.last_event { Limit::Right } else { Limit::Left };
        for curve in &self.curves {
            self.machine.put(curve.slot, curve.value(t, limit));
        }
    }
}
