//! What a user sees of a model and may set.

use super::ids::Slot;
use crate::base::format::SlotType;
use serde::{Deserialize, Serialize};

/// A named quantity of the results.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Signal {
    /// Its name.
    pub name: String,
    /// Description.
    pub description: String,
    /// Unit, or empty.
    pub unit: String,
    /// The unit in which it is to be shown, or empty; values are in `unit`.
    pub display_unit: String,
    /// Its type.
    pub ty: SlotType,
    /// Where the value comes from.
    pub source: SignalSource,
    /// Changes during the run; otherwise a parameter or constant.
    pub varies: bool,
    /// Declared `protected`.
    pub protected: bool,
    /// The time derivative of another quantity.
    #[serde(default)]
    pub derivative: bool,
}

/// The `min` and `max` of a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bound {
    /// The position in `Plan::signals`.
    pub signal: usize,
    /// The smallest value, if one is declared.
    pub min: Option<f64>,
    /// The largest value, if one is declared.
    pub max: Option<f64>,
    /// Byte range of the declaration in the source.
    pub place: (u32, u32),
}

/// Where a result's value comes from: `factor * slot + offset`.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SignalSource {
    /// The slot.
    pub slot: Slot,
    /// 1 for the value itself, -1 for a negated alias.
    pub factor: f64,
    /// Usually 0.
    pub offset: f64,
}

/// A value the user may set: a parameter or a start value.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Setting {
    /// The name in `--set name=value`.
    pub name: String,
    /// Its slot.
    pub slot: Slot,
    /// Its value when nothing is set.
    pub default: f64,
    /// Its type.
    pub ty: SlotType,
    /// The start value of the variable of that name, not its value.
    pub is_start: bool,
}

/// A parameter whose value cannot be changed any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// Its name; that of the whole array.
    pub name: String,
    /// Why, as the rest of a sentence about the parameter.
    pub reason: String,
    /// Byte range in the source where the value is needed.
    pub place: (u32, u32),
    /// Compiling again with another value helps.
    pub rebuild: bool,
}

/// A quantity that comes from outside: a top-level `input` without an equation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its slot; holds the start value if nothing else is given.
    pub slot: Slot,
    /// Its type.
    pub ty: SlotType,
}
