//! Compares values of parameters and start values with the `min` and `max` that are declared.
//!
//! Input: the system as it was lowered. Output: a warning (D016) for each of the first values that are outside, with both numbers. Values
//! that are found later, while the model starts or runs, are watched by the run-time (`bounds`). Guarantee: nothing is changed; bounds and
//! values that are not known now are not compared. Cost: linear in the number of variables.

use super::{Role, System, Variable};
use partita_grammar::Diagnostic;
use partita_runtime::base::number::shown;

/// So many values are shown.
const SHOWN: usize = 10;
/// What rounding may do.
const ROUNDING: f64 = 1e-9;

/// The values that lie outside of their bounds.
pub fn check(sys: &System) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut more = 0;
    for variable in sys.vars.values().filter(|variable| variable.min.is_some() || variable.max.is_some()) {
        let Some(warning) = warning(sys, variable) else { continue };
        if found.len() < SHOWN { found.push(warning) } else { more += 1 }
    }
    if let Some(last) = found.pop() {
        let note = format!("and {more} more values are outside of their bounds");
        found.push(if more > 0 { last.with_note(note) } else { last });
    }
    found
}

/// The value that is known of a parameter, or the start value of a variable.
fn value(sys: &System, variable: &Variable) -> Option<f64> {
    match variable.role {
        Role::Parameter => variable.value.or_else(|| variable.start.and_then(|start| sys.constant_value(start))),
        _ => variable.start.and_then(|start| sys.constant_value(start)),
    }
}

fn warning(sys: &System, variable: &Variable) -> Option<Diagnostic> {
    let value = value(sys, variable)?;
    let margin = |bound: f64| ROUNDING * bound.abs().max(value.abs());
    let below = variable.min.filter(|min| value < min - margin(*min)).map(|min| format!("below its min of {}", shown(min)));
    let above = variable.max.filter(|max| value > max + margin(*max)).map(|max| format!("above its max of {}", shown(max)));
    let limit = below.or(above)?;
    let (name, value) = (&variable.name, shown(value));
    let title = match variable.role {
        Role::Parameter => format!("`{name}` = {value} is {limit}"),
        _ => format!("the start value {value} of `{name}` is {limit}"),
    };
    Some(Diagnostic::warning("D016", title).at(variable.span, "declared with bounds here"))
}
