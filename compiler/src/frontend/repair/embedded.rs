//! Reads subscripts that an exporter wrote inside a quoted name: `'y[\'i\']'` means `y['i']`.
//!
//! Input: a quoted identifier whose brackets hold something else than numbers. Output: the reference it stands for, as
//! syntax, with the place of the identifier on every node.
//!
//! Method: the name is unescaped once and parsed as a reference; results are kept by name, in a list that only grows, so
//! that they live as long as the rest of the syntax.

use crate::frontend::flatten::names::{has_subscripts, unescaped};
use partita_grammar::ast::{self, ComponentRef, EquationKind, Expr, ExprKind, Subscript};
use partita_grammar::{Source, Span, parse};
use rustc_hash::FxHashMap;

/// What names with embedded subscripts stand for, by their texts.
pub(super) type Known = FxHashMap<String, Option<ComponentRef>>;

/// The reference that names with embedded subscripts stand for; `None` if they cannot be read so.
pub(super) fn embedded<'k>(reference: &ComponentRef, known: &'k mut Known) -> Option<&'k ComponentRef> {
    let mut text = String::new();
    for (i, part) in reference.parts.iter().enumerate() {
        if i > 0 {
            text.push('.');
        }
        // Subscripts beside embedded ones do not occur; they would need printing.
        if !part.subscripts.is_empty() {
            return None;
        }
        if has_subscripts(&part.name) { text.push_str(&unescaped(part.name.unquoted())) } else { text.push_str(&part.name.text) }
    }
    known.entry(text).or_insert_with_key(|text| parse_reference(text, reference.span)).as_ref()
}

fn parse_reference(text: &str, span: Span) -> Option<ComponentRef> {
    let source = Source {
        name: String::new(),
        text: format!("//! base 0.1.0\npackage 'P'\nmodel 'M'\nequation\n0 = {text};\nend 'M';\nend 'P';\n"),
    };
    let definition = parse(&source).ok()?;
    let package = definition.classes.into_iter().next()?;
    let ast::ClassBody::Long(body) = package.body else { return None };
    for section in body.sections {
        let ast::Section::Elements { elements, .. } = section else { continue };
        for element in elements {
            let ast::Element::Class(class) = element else { continue };
            let ast::ClassBody::Long(body) = class.body else { continue };
            for section in body.sections {
                let ast::Section::Equations { equations, .. } = section else { continue };
                for equation in equations {
                    if let EquationKind::Equal(_, Expr { kind: ExprKind::Ref(mut reference), .. }) = equation.kind {
                        set_span_of_reference(&mut reference, span);
                        return Some(reference);
                    }
                }
            }
        }
    }
    None
}

pub(super) fn set_span_of_reference(reference: &mut ComponentRef, span: Span) {
    reference.span = span;
    for part in &mut reference.parts {
        part.name.span = span;
        part.subscripts.iter_mut().for_each(|s| set_span_of_subscript(s, span));
    }
}

fn set_span_of_subscript(subscript: &mut Subscript, span: Span) {
    match subscript {
        Subscript::All(at) => *at = span,
        Subscript::Index(e) => place(e, span),
    }
}

fn set_span_of_iterators(iterators: &mut [ast::Iterator], span: Span) {
    for iterator in iterators {
        iterator.name.span = span;
        if let Some(range) = &mut iterator.range {
            place(range, span);
        }
    }
}

/// Gives an expression and all its parts one place.
fn place(e: &mut Expr, span: Span) {
    e.span = span;
    match &mut e.kind {
        ExprKind::Integer(_) | ExprKind::Real(_) | ExprKind::String(_) | ExprKind::Boolean(_) | ExprKind::End | ExprKind::Break => {}
        ExprKind::Ref(reference) => set_span_of_reference(reference, span),
        ExprKind::Call { function, arguments } => {
            set_span_of_reference(function, span);
            arguments.positional.iter_mut().for_each(|e| place(e, span));
            for (name, e) in &mut arguments.named {
                name.span = span;
                place(e, span);
            }
            set_span_of_iterators(&mut arguments.iterators, span);
        }
        ExprKind::Unary(_, a) | ExprKind::Parenthesised(a) => place(a, span),
        ExprKind::Field(a, name) => {
            name.span = span;
            place(a, span);
        }
        ExprKind::Binary(_, a, b) => {
            place(a, span);
            place(b, span);
        }
        ExprKind::Chain(first, rest) => {
            place(first, span);
            rest.iter_mut().for_each(|(_, e)| place(e, span));
        }
        ExprKind::If { branches, otherwise } => {
            for (condition, value) in branches {
                place(condition, span);
                place(value, span);
            }
            place(otherwise, span);
        }
        ExprKind::Range { start, step, stop } => {
            place(start, span);
            if let Some(step) = step {
                place(step, span);
            }
            place(stop, span);
        }
        ExprKind::Array(es) => es.iter_mut().for_each(|e| place(e, span)),
        ExprKind::Matrix(rows) => rows.iter_mut().flatten().for_each(|e| place(e, span)),
        ExprKind::Tuple(es) => es.iter_mut().flatten().for_each(|e| place(e, span)),
        ExprKind::Comprehension(body, iterators) => {
            place(body, span);
            set_span_of_iterators(iterators, span);
        }
        ExprKind::Subscripted(base, subscripts) => {
            place(base, span);
            subscripts.iter_mut().for_each(|s| set_span_of_subscript(s, span));
        }
    }
}
