//! Reads subscripts that an exporter wrote inside a quoted name: `'y[\'i\']'` means `y['i']`.
//!
//! Input: a quoted identifier whose brackets hold something else than numbers. Output: the reference it stands for, as
//! syntax, with the place of the identifier on every node.
//!
//! Method: the name is unescaped once and parsed as a reference; results are kept by name, in a list that only grows, so
//! that they live as long as the rest of the syntax.

use super::Flattener;
use super::names::has_subscripts;
use super::names::unescaped;
use partita_grammar::ast::{self, ComponentRef, EquationKind, Expr, ExprKind, Subscript};
use partita_grammar::{Source, Span, parse};
use std::cell::OnceCell;

/// Syntax that was parsed while flattening.
#[derive(Default)]
pub(super) struct Parsed {
    first: Link,
    /// Texts that were made from what the file says.
    made: List,
    /// The files of the library that were needed.
    pub(super) library: [OnceCell<Option<ast::Definition>>; super::library_files::N_FILES],
}

type Link = OnceCell<Box<Node>>;

/// Definitions, each with the place for the next one.
type List = OnceCell<Box<Made>>;

/// One definition and the place for the next one.
struct Made {
    definition: ast::Definition,
    next: List,
}

/// One reference and the place for the next one.
pub(super) struct Node {
    reference: ComponentRef,
    next: Link,
}

impl Parsed {
    pub(super) fn end(&self) -> &Link {
        &self.first
    }

    /// Keeps a definition. There are as many as media whose data is needed: a few.
    pub(super) fn keep(&self, definition: ast::Definition) -> &ast::Definition {
        let mut place = &self.made;
        while let Some(node) = place.get() {
            place = &node.next;
        }
        &place.get_or_init(|| Box::new(Made { definition, next: OnceCell::new() })).definition
    }
}

impl Drop for Parsed {
    fn drop(&mut self) {
        // One after the other: the list may be longer than the stack is deep.
        let mut link = self.first.take();
        while let Some(mut node) = link {
            link = node.next.take();
        }
        let mut made = self.made.take();
        while let Some(mut node) = made {
            made = node.next.take();
        }
    }
}

impl<'a> Flattener<'a> {
    /// The reference that names with embedded subscripts stand for; `None` if they cannot be read so.
    pub(super) fn embedded(&mut self, reference: &ComponentRef) -> Option<&'a ComponentRef> {
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
        if let Some(known) = self.embedded_refs.get(&text) {
            return *known;
        }
        let parsed = parse_reference(&text, reference.span);
        let kept = parsed.map(|reference| {
            let place: &'a Link = self.parsed_end;
            let node: &'a Node = place.get_or_init(|| Box::new(Node { reference, next: OnceCell::new() }));
            self.parsed_end = &node.next;
            &node.reference
        });
        self.embedded_refs.insert(text, kept);
        kept
    }
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

fn set_span_of_reference(reference: &mut ComponentRef, span: Span) {
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
