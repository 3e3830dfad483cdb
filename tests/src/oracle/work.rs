//! Equations as a list of work, and what they assign.

use super::expressions::plain_name;
use super::value::Value;
use partita_grammar::ast::*;
use std::collections::BTreeSet;

/// Something that gives variables their values.
pub(super) struct Work<'a> {
    pub(super) kind: WorkKind<'a>,
    /// Loop variables of unrolled loops.
    pub(super) iterators: Vec<(String, Value)>,
}

pub(super) enum WorkKind<'a> {
    Binding(&'a Component, &'a Expr),
    Equation(&'a Equation),
    Algorithm(&'a [Statement]),
}

impl<'a> Work<'a> {
    pub(super) fn binding(component: &'a Component, value: &'a Expr) -> Work<'a> {
        Work { kind: WorkKind::Binding(component, value), iterators: Vec::new() }
    }

    pub(super) fn equation(equation: &'a Equation, iterators: Vec<(String, Value)>) -> Work<'a> {
        Work { kind: WorkKind::Equation(equation), iterators }
    }

    pub(super) fn algorithm(statements: &'a [Statement]) -> Work<'a> {
        Work { kind: WorkKind::Algorithm(statements), iterators: Vec::new() }
    }
}

/// Names that equations of `when` give values to; `inside` says that these equations are such ones.
pub(super) fn when_targets(equations: &[Equation], inside: bool, found: &mut BTreeSet<String>) {
    for equation in equations {
        match &equation.kind {
            EquationKind::Equal(a, _) if inside => {
                let sides: Vec<&Expr> = if let ExprKind::Tuple(items) = &a.kind { items.iter().flatten().collect() } else { vec![a] };
                found.extend(sides.into_iter().filter_map(target).map(|(name, _)| name));
            }
            EquationKind::When { branches } => branches.iter().for_each(|(_, body)| when_targets(body, true, found)),
            EquationKind::If { branches, otherwise } => {
                branches.iter().for_each(|(_, body)| when_targets(body, inside, found));
                when_targets(otherwise.as_deref().unwrap_or_default(), inside, found);
            }
            EquationKind::For { body, .. } => when_targets(body, inside, found),
            _ => {}
        }
    }
}

/// Names that statements assign; with `in_when` only those inside `when`.
pub(super) fn assigned(statements: &[Statement], in_when: bool, found: &mut BTreeSet<String>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign(target, _) if !in_when => {
                found.insert(target.parts[0].name.unquoted().to_string());
            }
            StatementKind::AssignTuple(targets, _) if !in_when => {
                found.extend(targets.iter().flatten().filter_map(target).map(|(name, _)| name));
            }
            StatementKind::If { branches, otherwise } => {
                branches.iter().for_each(|(_, body)| assigned(body, in_when, found));
                assigned(otherwise.as_deref().unwrap_or_default(), in_when, found);
            }
            StatementKind::For { body, .. } | StatementKind::While { body, .. } => assigned(body, in_when, found),
            StatementKind::When { branches } => branches.iter().for_each(|(_, body)| assigned(body, false, found)),
            _ => {}
        }
    }
}

/// The variable, or derivative, that a side of an equation is.
pub(super) fn target(side: &Expr) -> Option<(String, &ComponentRef)> {
    match &side.kind {
        ExprKind::Ref(reference) => Some((reference.parts[0].name.unquoted().to_string(), reference)),
        ExprKind::Call { function, arguments } if plain_name(function) == Some("der") => match &arguments.positional.first()?.kind {
            ExprKind::Ref(reference) => Some((format!("der({})", reference.parts[0].name.unquoted()), reference)),
            _ => None,
        },
        _ => None,
    }
}
