//! All expressions of a class, in order.

use partita_grammar::ast::*;

/// Calls `see` for every expression below these sections.
pub(super) fn sections<'a>(sections: &'a [Section], see: &mut dyn FnMut(&'a Expr)) {
    for section in sections {
        match section {
            Section::Elements { elements, .. } => elements.iter().for_each(|element| declaration(element, see)),
            Section::Equations { equations, .. } => equations.iter().for_each(|e| equation(e, see)),
            Section::Algorithm { statements, .. } => statements.iter().for_each(|s| statement(s, see)),
            Section::ParameterEquation(e) => equation(e, see),
        }
    }
}

fn declaration<'a>(element: &'a Element, see: &mut dyn FnMut(&'a Expr)) {
    let Element::Components(clause) = element else { return };
    for component in &clause.components {
        component.binding.iter().for_each(|binding| expression(binding, see));
    }
}

fn equation<'a>(e: &'a Equation, see: &mut dyn FnMut(&'a Expr)) {
    let all = |equations: &'a [Equation], see: &mut dyn FnMut(&'a Expr)| equations.iter().for_each(|e| equation(e, see));
    match &e.kind {
        EquationKind::Equal(a, b) => [a, b].into_iter().for_each(|side| expression(side, see)),
        EquationKind::If { branches, otherwise } => {
            for (condition, body) in branches {
                expression(condition, see);
                all(body, see);
            }
            all(otherwise.as_deref().unwrap_or_default(), see);
        }
        EquationKind::For { body, .. } => all(body, see),
        EquationKind::When { branches } => {
            for (condition, body) in branches {
                expression(condition, see);
                all(body, see);
            }
        }
        EquationKind::Call(call) => expression(call, see),
        EquationKind::Connect(..) => {}
    }
}

fn statement<'a>(s: &'a Statement, see: &mut dyn FnMut(&'a Expr)) {
    let all = |statements: &'a [Statement], see: &mut dyn FnMut(&'a Expr)| statements.iter().for_each(|s| statement(s, see));
    match &s.kind {
        StatementKind::Assign(_, value) | StatementKind::AssignTuple(_, value) | StatementKind::Call(value) => expression(value, see),
        StatementKind::If { branches, otherwise } => {
            for (condition, body) in branches {
                expression(condition, see);
                all(body, see);
            }
            all(otherwise.as_deref().unwrap_or_default(), see);
        }
        StatementKind::For { body, .. } => all(body, see),
        StatementKind::While { condition, body } => {
            expression(condition, see);
            all(body, see);
        }
        StatementKind::When { branches } => {
            for (condition, body) in branches {
                expression(condition, see);
                all(body, see);
            }
        }
        StatementKind::Break | StatementKind::Return => {}
    }
}

/// Calls `see` for an expression and all below it; subscripts are left out.
fn expression<'a>(e: &'a Expr, see: &mut dyn FnMut(&'a Expr)) {
    see(e);
    match &e.kind {
        ExprKind::Call { arguments, .. } => {
            arguments.positional.iter().for_each(|a| expression(a, see));
            arguments.named.iter().for_each(|(_, a)| expression(a, see));
        }
        ExprKind::Unary(_, a)
        | ExprKind::Parenthesised(a)
        | ExprKind::Comprehension(a, _)
        | ExprKind::Field(a, _)
        | ExprKind::Subscripted(a, _) => {
            expression(a, see);
        }
        ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(|side| expression(side, see)),
        ExprKind::Chain(first, rest) => {
            expression(first, see);
            rest.iter().for_each(|(_, a)| expression(a, see));
        }
        ExprKind::If { branches, otherwise } => {
            for (condition, value) in branches {
                expression(condition, see);
                expression(value, see);
            }
            expression(otherwise, see);
        }
        ExprKind::Array(items) => items.iter().for_each(|a| expression(a, see)),
        ExprKind::Matrix(rows) => rows.iter().flatten().for_each(|a| expression(a, see)),
        ExprKind::Tuple(items) => items.iter().flatten().for_each(|a| expression(a, see)),
        _ => {}
    }
}
