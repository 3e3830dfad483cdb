//! Values the user gives for parameters and start values.

use crate::plan::{Plan, Setting, SlotType};
use std::fmt;

/// Why a value cannot be set.
#[derive(Clone, Debug, PartialEq)]
pub enum SetError {
    /// There is no such name.
    Unknown {
        /// The name given.
        name: String,
        /// Names that look alike, best first.
        near: Vec<String>,
    },
    /// The quantity exists, but no equation depends on it any more.
    Folded {
        /// The name given.
        name: String,
        /// Why it has no effect.
        reason: String,
    },
    /// The value does not fit the type.
    WrongType {
        /// The name given.
        name: String,
        /// The value given.
        value: f64,
        /// The type of the quantity.
        ty: SlotType,
    },
}

impl fmt::Display for SetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetError::Unknown { name, near } if near.is_empty() => write!(f, "the model has no parameter or start value `{name}`"),
            SetError::Unknown { name, near } => {
                write!(f, "the model has no parameter or start value `{name}`; similar: {}", near.join(", "))
            }
            SetError::Folded { name, reason } => write!(f, "`{name}` cannot be changed: {reason}"),
            SetError::WrongType { name, value, ty } => {
                let wanted = match ty {
                    SlotType::Real => "a finite number",
                    SlotType::Integer => "a whole number",
                    SlotType::Boolean => "true (1) or false (0)",
                };
                write!(f, "`{name}` needs {wanted}, not {value}")
            }
        }
    }
}

impl std::error::Error for SetError {}

/// Finds the setting of a name and checks the value's type.
pub(super) fn find<'p>(plan: &'p Plan, name: &str, value: f64) -> Result<&'p Setting, SetError> {
    let Some(setting) = plan.settings.iter().find(|setting| setting.name == name) else {
        if let Some((_, reason)) = plan.folded.iter().find(|(folded, _)| folded == name) {
            return Err(SetError::Folded { name: name.to_owned(), reason: reason.clone() });
        }
        if plan.inputs.iter().any(|input| input.name == name) {
            let reason = "it is an input; its values come from a file".to_owned();
            return Err(SetError::Folded { name: name.to_owned(), reason });
        }
        if let Some(signal) = plan.signals.iter().find(|signal| signal.name == name) {
            let reason = if signal.varies { "it is computed at the start and during the run" } else { "it is computed from other parameters" };
            return Err(SetError::Folded { name: name.to_owned(), reason: reason.to_owned() });
        }
        return Err(SetError::Unknown { name: name.to_owned(), near: near_names(plan.settings.iter().map(|setting| setting.name.as_str()), name) });
    };
    let fits = match setting.ty {
        SlotType::Real => value.is_finite(),
        SlotType::Integer => value.is_finite() && value == value.trunc(),
        SlotType::Boolean => value == 0.0 || value == 1.0,
    };
    if fits { Ok(setting) } else { Err(SetError::WrongType { name: name.to_owned(), value, ty: setting.ty }) }
}

/// Up to three names that look like the given one.
pub fn near_names<'n>(candidates: impl Iterator<Item = &'n str>, name: &str) -> Vec<String> {
    let wanted: Vec<char> = name.to_lowercase().chars().collect();
    let limit = (wanted.len() / 3).max(1);
    let last_part = |text: &str| text.rsplit('.').next().unwrap_or(text).to_lowercase();
    let mut near: Vec<(usize, &str)> = Vec::new();
    for candidate in candidates {
        let distance = edit_distance(&wanted, candidate, limit);
        if distance <= limit {
            near.push((distance, candidate));
        } else if last_part(candidate) == last_part(name) {
            near.push((limit + 1, candidate));
        }
    }
    near.sort();
    near.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}

/// Levenshtein's distance without regard to case; anything above `limit` may be reported as `limit + 1`.
fn edit_distance(wanted: &[char], candidate: &str, limit: usize) -> usize {
    let candidate: Vec<char> = candidate.to_lowercase().chars().collect();
    if candidate.len().abs_diff(wanted.len()) > limit {
        return limit + 1;
    }
    let mut row: Vec<usize> = (0..=wanted.len()).collect();
    for (i, c) in candidate.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, w) in wanted.iter().enumerate() {
            let replaced = diagonal + usize::from(c != w);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[wanted.len()]
}
