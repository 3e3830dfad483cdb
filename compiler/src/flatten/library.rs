//! Functions of the Modelica Standard Library that files call without defining them.
//!
//! Input: the name of a function that is not in the file. Output: its class from `library.mo`, parsed at the first need.
//! Guarantee: what the file defines wins; code of library functions carries the place of the call that reached them, so
//! that messages never point into a text the user does not have.

use super::Flattener;
use super::calls::for_each_child;
use super::lookup::{ClassEntry, ClassTable};
use crate::flat::{Expr, Function, FunctionBody, Statement, StatementKind};
use partita_grammar::{Source, Span, parse};

const TEXT: &str = include_str!("library.mo");

impl<'a> Flattener<'a> {
    /// The library's function of this name.
    pub(super) fn library_entry(&mut self, name: &str) -> Option<ClassEntry<'a>> {
        if let Some(entry) = self.libraries.iter().find_map(|table| table.find(name, "")) {
            return Some(ClassEntry { from_library: true, ..entry.clone() });
        }
        if self.library.is_none() {
            let definition = self.parsed.library.get_or_init(|| {
                let source = Source { name: "library.mo".to_owned(), text: TEXT.to_owned() };
                // The text is ours and a test parses it; a failure would only mean that nothing is found in it.
                parse(&source).ok()
            });
            self.library = definition.as_ref().map(ClassTable::new);
        }
        let entry = self.library.as_ref()?.find(name, "")?;
        Some(ClassEntry { from_library: true, ..entry.clone() })
    }
}

/// Gives all code of a function one place.
pub(super) fn place_function(function: &mut Function, span: Span) {
    function.span = span;
    for local in function.locals.values_mut() {
        local.span = span;
        local.dim_exprs.iter_mut().flatten().for_each(|e| place(e, span));
        if let Some(binding) = &mut local.binding {
            place(binding, span);
        }
    }
    match &mut function.body {
        FunctionBody::Algorithm(statements) => place_statements(statements, span),
        FunctionBody::External { arguments, .. } => arguments.iter_mut().for_each(|e| place(e, span)),
    }
}

fn place(e: &mut Expr, span: Span) {
    e.span = span;
    for_each_child(e, &mut |child| place(child, span));
}

fn place_statements(statements: &mut [Statement], span: Span) {
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
                    place_statements(body, span);
                }
                place_statements(other, span);
            }
            StatementKind::For(_, over, body) => {
                place(over, span);
                place_statements(body, span);
            }
            StatementKind::While(condition, body) => {
                place(condition, span);
                place_statements(body, span);
            }
            StatementKind::When(branches) => {
                for (condition, body) in branches {
                    place(condition, span);
                    place_statements(body, span);
                }
            }
            StatementKind::Call(call) => place(call, span),
            StatementKind::Break | StatementKind::Return => {}
        }
    }
}
