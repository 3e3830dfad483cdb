//! What exporters leave out of equations: constants and parameters whose value is one.
//!
//! Input: a flat model. Output: the components with a parameter or constant of the value one. `L*der(i) = v` is exported as `der(i) = v` if
//! `L` is final and one, so units of such components say nothing about the model. Method: the paths of components, and those around
//! them, in a set. Cost: linear in the names.

use crate::frontend::flat::{Expr, FlatModel, Value, VarId, Variability};
use rustc_hash::FxHashSet;

/// Components with a factor that may have been left out.
#[derive(Debug, Default)]
pub(super) struct Ones<'m> {
    /// Paths of components with a parameter of the value one.
    own: FxHashSet<&'m str>,
    /// Paths of components around those.
    around: FxHashSet<&'m str>,
}

/// The paths of the components around a variable, the nearest first; the model itself is the empty path.
fn paths(name: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(name), |path| (!path.is_empty()).then(|| path.rfind('.').map_or("", |dot| &path[..dot]))).skip(1)
}

fn is_one(value: &Value) -> bool {
    match value {
        Value::Real(value) => value.abs() == 1.0,
        Value::Array(_, elements) => elements.iter().any(is_one),
        _ => false,
    }
}

impl<'m> Ones<'m> {
    /// Those of a model.
    pub(super) fn of(model: &'m FlatModel) -> Ones<'m> {
        let mut ones = Ones::default();
        for variable in model.vars.values().filter(|variable| variable.variability <= Variability::Parameter) {
            if variable.value.as_ref().is_some_and(is_one) {
                let mut paths = paths(&variable.name);
                ones.own.extend(paths.next());
                ones.around.extend(paths.filter(|path| !path.is_empty()));
            }
        }
        ones
    }

    /// Whether a factor of a variable's component may have been left out of these expressions.
    pub(super) fn concern(&self, model: &FlatModel, sides: [&Expr; 2]) -> bool {
        let mut found = false;
        let mut look = |var: VarId| {
            let name = model.vars[var].name.as_str();
            found |= paths(name).any(|path| self.own.contains(path)) || paths(name).next().is_some_and(|path| self.around.contains(path));
        };
        sides.into_iter().for_each(|side| side.each_variable(&mut look));
        found
    }
}
