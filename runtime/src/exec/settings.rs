//! Values the user gives for parameters and start values of a compiled model.
//!
//! Input: names and values, as numbers or as they are written. Output: slots and numbers, or the reason why there are none: the name is
//! unknown, the value is of another type, or it was put into the code and could not be followed.

use crate::model::overrides;
use crate::model::plan::{Kept, Plan, Setting, Slot, SlotType};
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
    /// The quantity exists, but what depends on it would not follow.
    Kept {
        /// The name given.
        name: String,
        /// Why it cannot be changed.
        reason: String,
        /// Byte range in the source where the value is needed, if it is known.
        place: Option<(u32, u32)>,
        /// Compiling again with another value helps.
        rebuild: bool,
    },
    /// The value does not fit the type.
    WrongType {
        /// The name given.
        name: String,
        /// The value given.
        value: String,
        /// What is needed instead.
        wanted: String,
    },
}

impl fmt::Display for SetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetError::Unknown { name, near } if near.is_empty() => write!(f, "the model has no parameter or variable `{name}`"),
            SetError::Unknown { name, near } => {
                write!(f, "the model has no parameter or variable `{name}`; similar: {}", near.join(", "))
            }
            SetError::Kept { name, reason, .. } => write!(f, "`{name}` cannot be changed: {reason}"),
            SetError::WrongType { name, value, wanted } => write!(f, "`{name}` needs {wanted}, not {value}"),
        }
    }
}

impl std::error::Error for SetError {}

fn wanted(ty: SlotType) -> &'static str {
    match ty {
        SlotType::Real => "a finite number",
        SlotType::Integer => "a whole number",
        SlotType::Boolean => "true (1) or false (0)",
    }
}

/// The slot of a name, after a check of the value's type.
pub(crate) fn find(plan: &Plan, name: &str, value: f64) -> Result<Slot, SetError> {
    let setting = setting(plan, name).ok_or_else(|| refusal(plan, name))?;
    let fits = match setting.ty {
        SlotType::Real => value.is_finite(),
        SlotType::Integer => value.is_finite() && value == value.trunc(),
        SlotType::Boolean => value == 0.0 || value == 1.0,
    };
    if fits { Ok(setting.slot) } else { Err(wrong(name, &value.to_string(), wanted(setting.ty))) }
}

/// The slots and numbers that a written value means: one, or all elements of an array.
pub(crate) fn read(plan: &Plan, given: &str, text: &str) -> Result<Vec<(Slot, f64)>, SetError> {
    if let Some(setting) = setting(plan, given) {
        return Ok(vec![(setting.slot, number(setting, given, text)?)]);
    }
    let (base, is_start) = given.strip_suffix(".start").map_or((given, false), |base| (base, true));
    let is_element =
        |setting: &&Setting| overrides::subscripts(&setting.name).is_some_and(|(of, _)| of == base) && (setting.is_start || !is_start);
    let elements: Vec<&Setting> = plan.interface.settings.iter().filter(is_element).collect();
    let n_elements =
        plan.interface.signals.iter().filter(|signal| overrides::subscripts(&signal.name).is_some_and(|(of, _)| of == base)).count();
    if elements.is_empty() || elements.len() != n_elements {
        return Err(refusal(plan, given));
    }
    let mut values = Vec::new();
    leaves(text, &mut values);
    if values.len() != elements.len() {
        return Err(wrong(given, text, &format!("{} values in braces", elements.len())));
    }
    elements.into_iter().zip(values).map(|(setting, value)| Ok((setting.slot, number(setting, given, value)?))).collect()
}

/// The elements of nested braces, the last subscript running fastest.
fn leaves<'t>(text: &'t str, found: &mut Vec<&'t str>) {
    match overrides::elements(text) {
        Some(elements) => elements.into_iter().for_each(|element| leaves(element, found)),
        None => found.push(text),
    }
}

fn number(setting: &Setting, name: &str, text: &str) -> Result<f64, SetError> {
    let value = match setting.ty {
        SlotType::Real => overrides::real(text),
        SlotType::Integer => overrides::integer(text).map(|value| value as f64),
        SlotType::Boolean => overrides::boolean(text).map(|value| f64::from(u8::from(value))),
    };
    value.ok_or_else(|| wrong(name, text, wanted(setting.ty)))
}

fn wrong(name: &str, value: &str, wanted: &str) -> SetError {
    SetError::WrongType { name: name.to_owned(), value: value.to_owned(), wanted: wanted.to_owned() }
}

/// A parameter by its name, a start value by the name of its variable or by that and `.start`.
fn setting<'p>(plan: &'p Plan, given: &str) -> Option<&'p Setting> {
    let by = |name: &str| plan.interface.settings.iter().find(|setting| setting.name == name);
    by(given).or_else(|| by(given.strip_suffix(".start")?).filter(|setting| setting.is_start))
}

/// Why there is no setting of this name.
fn refusal(plan: &Plan, given: &str) -> SetError {
    let plain = given.strip_suffix(".start").unwrap_or(given);
    let base = overrides::subscripts(plain).map_or(plain, |(base, _)| base);
    let is_meant =
        |kept: &&Kept| [plain, base].contains(&kept.name.as_str()) || overrides::subscripts(&kept.name).is_some_and(|(of, _)| of == plain);
    if let Some(kept) = plan.interface.kept.iter().find(is_meant) {
        return SetError::Kept { name: given.to_owned(), reason: kept.reason.clone(), place: Some(kept.place), rebuild: kept.rebuild };
    }
    let kept = |reason: &str, rebuild: bool| SetError::Kept { name: given.to_owned(), reason: reason.to_owned(), place: None, rebuild };
    if plan.interface.inputs.iter().any(|input| input.name == plain) {
        return kept("it is an input; its values come from a file", false);
    }
    let is_signal = |signal: &str| signal == plain || overrides::subscripts(signal).is_some_and(|(of, _)| of == plain);
    match plan.interface.signals.iter().find(|signal| is_signal(&signal.name)) {
        Some(signal) if signal.varies => kept("its start value is part of the code", true),
        Some(_) => kept("it follows from other parameters, and the code computes it", true),
        None => SetError::Unknown {
            name: given.to_owned(),
            near: near_names(plan.interface.settings.iter().map(|setting| setting.name.as_str()), given),
        },
    }
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
