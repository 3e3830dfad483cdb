//! Code of functions that are not in the user's file gets the place of the call that reached it, so that messages never point into a text
//! that the user does not have. Cost: linear in the function.

use crate::frontend::flat::walk::for_each_child;
use crate::frontend::flat::{Expr, Function, FunctionBody, Statement, StatementKind};
use partita_grammar::Span;

/// Gives all code of a function one place.
pub(super) fn set_span_of_function(function: &mut Function, span: Span) {
    function.span = span;
    for local in function.locals.values_mut() {
        local.span = span;
        local.dim_exprs.iter_mut().flatten().for_each(|e| place(e, span));
        if let Some(binding) = &mut local.binding {
            place(binding, span);
        }
    }
    match &mut function.body {
        FunctionBody::Algorithm(statements) => set_span_of_statements(statements, span),
        FunctionBody::External { arguments, .. } => arguments.iter_mut().for_each(|e| place(e, span)),
    }
}

fn place(e: &mut Expr, span: Span) {
    e.span = span;
    for_each_child(e, &mut |child| place(child, span));
}

fn set_span_of_statements(statements: &mut [Statement], span: Span) {
    for statement in statements {
        statement.span = span;
        match &mut statement.kind {
            StatementKind::Assign(target, value) => {
                place(target, span);
                place(value, span);
            }
            StatementKind::Tuple(targets, call) => {
                targets.iter_mut().flatten().for_each(|e| place(e, span));
                place(call, span);
            }
            StatementKind::If(branches, other) => {
                for (condition, body) in branches {
                    place(condition, span);
                    set_span_of_statements(body, span);
                }
                set_span_of_statements(other, span);
            }
            StatementKind::For(_, over, body) => {
                place(over, span);
                set_span_of_statements(body, span);
            }
            StatementKind::While(condition, body) => {
                place(condition, span);
                set_span_of_statements(body, span);
            }
            StatementKind::When(branches) => {
                for (condition, body) in branches {
                    place(condition, span);
                    set_span_of_statements(body, span);
                }
            }
            StatementKind::Call(call) => place(call, span),
            StatementKind::Break | StatementKind::Return => {}
        }
    }
}
