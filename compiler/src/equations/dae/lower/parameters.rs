//! Decides which parameters are part of the equations and which can be changed before a run.
//!
//! Input: the flat model. Output: for every parameter whose value is put into the equations the reason, and for every other one from which
//! such a value follows that it cannot be changed either: the equations would not follow.
//! Method: the references in bindings as a graph. Integer, Boolean and enumeration parameters, those with `Evaluate = true` and those that
//! decided something while the model was flattened are part of the equations; a `final` Real is, unless it follows from one that can be
//! changed. Guarantee: what can be changed has no effect but through values that are computed again before a run. Cost: linear.

use crate::equations::dae::Kept;
use crate::frontend::flat::{self, Expr, ExprKind, Scalar, VarId, Variability, Variable};
use cranelift_entity::SecondaryMap;

/// What becomes of the parameters.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    /// The value is put into the equations.
    pub(super) is_folded: SecondaryMap<VarId, bool>,
    /// The value cannot be changed any more.
    pub(super) kept: SecondaryMap<VarId, Option<Kept>>,
}

fn kept(reason: impl Into<String>, span: partita_grammar::Span) -> Kept {
    Kept { reason: reason.into(), span, recompile: true }
}

/// The parameters that the value of a parameter is made of.
fn reads(model: &flat::FlatModel, variable: &Variable) -> Vec<VarId> {
    let source: Option<&Expr> = variable.binding.as_ref().or(variable.attributes.start.as_deref());
    let mut found = Vec::new();
    if let Some(source) = source {
        source.each_variable(&mut |var| {
            if model.vars[var].variability == Variability::Parameter {
                found.push(var);
            }
        });
    }
    found
}

/// Whether a value that was needed early is that of a call: a run may not have the function.
fn is_of_call(variable: &Variable) -> bool {
    variable.evaluated.is_some() && variable.binding.as_ref().is_some_and(|binding| matches!(binding.kind, ExprKind::Call(..)))
}

/// Why a value is put into the equations whatever it follows from.
fn reason_to_fold(variable: &Variable) -> Option<Kept> {
    let word = match variable.ty.scalar {
        Scalar::Boolean => "Boolean",
        Scalar::Enumeration(_) => "enumeration",
        Scalar::String => "String",
        _ => "Integer",
    };
    if variable.value.is_some() && variable.evaluate {
        Some(kept("it has annotation(Evaluate = true)", variable.span))
    } else if variable.value.is_some() && variable.ty.scalar != Scalar::Real {
        Some(kept(format!("{word} parameters are part of the equations"), variable.evaluated.unwrap_or(variable.span)))
    } else {
        variable.evaluated.map(|span| kept("its value was needed when the model was compiled", span))
    }
}

/// Decides for all parameters of a model.
pub(super) fn decide(model: &flat::FlatModel) -> Parameters {
    let mut readers: SecondaryMap<VarId, Vec<VarId>> = SecondaryMap::new();
    let mut read: SecondaryMap<VarId, Vec<VarId>> = SecondaryMap::new();
    let parameters = || model.vars.iter().filter(|(_, variable)| variable.variability == Variability::Parameter);
    for (var, variable) in parameters() {
        read[var] = reads(model, variable);
        read[var].iter().for_each(|other| readers[*other].push(var));
    }
    let mut result = Parameters::default();
    // What has a reason of its own, and all that such a value is made of.
    let mut work: Vec<VarId> = Vec::new();
    for (var, variable) in parameters() {
        if let Some(reason) = reason_to_fold(variable) {
            result.kept[var] = Some(reason);
            work.push(var);
        }
    }
    while let Some(var) = work.pop() {
        for source in &read[var] {
            if result.kept[*source].is_none() {
                let reason = format!("`{}` follows from it, and that is part of the equations", model.vars[var].name);
                result.kept[*source] = Some(kept(reason, model.vars[var].span));
                work.push(*source);
            }
        }
    }
    // What follows from something that can be changed.
    let mut follows: SecondaryMap<VarId, bool> = SecondaryMap::new();
    let mut work: Vec<VarId> =
        parameters().filter(|(var, variable)| !variable.final_ && result.kept[*var].is_none()).map(|(var, _)| var).collect();
    while let Some(var) = work.pop() {
        for reader in &readers[var] {
            if !std::mem::replace(&mut follows[*reader], true) {
                work.push(*reader);
            }
        }
    }
    for (var, variable) in model.vars.iter() {
        let is_literal = variable.evaluate || variable.ty.scalar != Scalar::Real || is_of_call(variable);
        result.is_folded[var] = match variable.variability {
            Variability::Constant => true,
            Variability::Parameter => is_literal || (variable.final_ && (!follows[var] || variable.evaluated.is_some())),
            _ => false,
        };
        match variable.variability {
            Variability::Constant => result.kept[var] = Some(Kept { recompile: false, ..kept("it is a constant", variable.span) }),
            Variability::Parameter if variable.final_ => {
                result.kept[var] = Some(Kept { recompile: false, ..kept("it is final", variable.span) })
            }
            _ => {}
        }
    }
    result
}
