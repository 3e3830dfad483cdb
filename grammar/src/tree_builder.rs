//! Builds the syntax tree from the pairs that pest finds with `modelica.pest`.
//!
//! Input: the text and the places of its comments. Output: a `Definition` whose declared names still carry their subscripts
//! and whose `protected` are all sections (`dialect` settles both), or the place where the grammar stopped, or the errors
//! that the grammar cannot see (numbers out of range, chained relations, wrong names after `end`, prefixes that exclude
//! each other).
//!
//! Method: one function per rule, each walking the pairs of its rule once; operators by pest's Pratt parser. This file and
//! `tree_builder/expressions.rs` alone name pest. An error is recorded and building goes on, so that several can be reported; the tree is then
//! not given out.
//! Cost: linear in the text; recursion as deep as the text nests, which `scan` bounds.

mod expressions;
mod prefixes;
mod statements;

use crate::ast::*;
use crate::diagnostic::Diagnostic;
use crate::scan::{Kind, Tokens};
use crate::span::Span;
use pest::Parser;
use pest::error::InputLocation;
use pest::iterators::Pair as PestPair;
use pest::pratt_parser::{Assoc, ConstPrattParser, Op};
use std::cell::RefCell;

#[derive(pest_derive::Parser)]
#[grammar = "../modelica.pest"]
struct ModelicaParser;

type Pair<'i> = PestPair<'i, Rule>;

/// Why there is no tree.
pub(crate) enum BuildError {
    /// The grammar could not go on at this byte.
    Stopped(usize),
    /// The text follows the grammar, but these things are wrong.
    Errors(Vec<Diagnostic>),
}

/// Parses and builds. `comments` are the byte ranges of all comments, ascending.
pub(crate) fn build(text: &str, comments: &[Span]) -> Result<Definition, BuildError> {
    let mut pairs = ModelicaParser::parse(Rule::definition, text).map_err(|error| {
        BuildError::Stopped(match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        })
    })?;
    let builder = Builder { comments, errors: RefCell::new(Vec::new()) };
    let definition = match pairs.next() {
        Some(pair) => builder.definition(pair),
        None => return Err(BuildError::Stopped(0)),
    };
    let errors = builder.errors.into_inner();
    if errors.is_empty() { Ok(definition) } else { Err(BuildError::Errors(errors)) }
}

struct Builder<'a> {
    comments: &'a [Span],
    errors: RefCell<Vec<Diagnostic>>,
}

/// Conditions with their bodies, and the body after `else`.
type Branches<B> = (Vec<(Expr, Vec<B>)>, Option<Vec<B>>);

/// The most errors reported in one file.
const MOST_ERRORS: usize = 20;

/// The words before a declaration, before it is known whether a class or a component follows.
#[derive(Default)]
struct Prefixes {
    class: ClassPrefixes,
    component: ComponentPrefixes,
    /// The first word that only fits a component, and the first that only fits a class.
    component_only: Option<(String, Span)>,
    class_only: Option<(String, Span)>,
    each: bool,
}

impl Builder<'_> {
    fn error(&self, diagnostic: Diagnostic) {
        let mut errors = self.errors.borrow_mut();
        if errors.len() < MOST_ERRORS {
            errors.push(diagnostic);
        }
    }

    /// A pair where the grammar has no such pair: a fault of this file, told rather than hidden.
    fn unexpected(&self, pair: &Pair, inside: &str) {
        let span = self.span(pair);
        self.error(Diagnostic::error("P900", format!("internal error: {:?} inside {inside}; this is a bug", pair.as_rule())).at(span, ""));
    }

    fn missing(&self, what: &str, span: Span) {
        self.error(Diagnostic::error("P900", format!("internal error: {what} is missing; this is a bug")).at(span, ""));
    }

    /// The range of a pair without the space and comments behind its last token.
    fn span(&self, pair: &Pair) -> Span {
        let text = pair.as_str();
        let span = pair.as_span();
        let mut end = span.start() + text.trim_end_matches([' ', '\n', '\r', '\t']).len();
        while let Ok(i) = self.comments.binary_search_by_key(&(end as u32), |c| c.end) {
            let start = self.comments[i].start as usize;
            if start < span.start() {
                break;
            }
            end = span.start() + text[..start - span.start()].trim_end_matches([' ', '\n', '\r', '\t']).len();
        }
        Span::new(span.start(), end)
    }

    // ---- names ----

    fn ident(&self, pair: &Pair) -> Ident {
        Ident { text: pair.as_str().into(), span: self.span(pair) }
    }

    fn no_ident(&self, what: &str, span: Span) -> Ident {
        self.missing(what, span);
        Ident { text: "".into(), span }
    }

    fn name(&self, pair: Pair) -> Name {
        let span = self.span(&pair);
        Name { global: pair.as_str().starts_with('.'), parts: idents(&pair), span }
    }

    fn no_name(&self, what: &str, span: Span) -> Name {
        self.missing(what, span);
        Name { global: false, parts: Vec::new(), span }
    }

    fn reference(&self, pair: Pair) -> ComponentRef {
        let span = self.span(&pair);
        let mut reference = ComponentRef { global: pair.as_str().starts_with('.'), parts: Vec::new(), span };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::name | Rule::field if reference.parts.is_empty() => reference.parts = plain_parts(&p),
                Rule::name | Rule::field => reference.parts.extend(plain_parts(&p)),
                Rule::subscripts => self.subscribe(&mut reference, p),
                _ => self.unexpected(&p, "a name"),
            }
        }
        reference
    }

    /// Gives the last identifier of a reference its subscripts.
    fn subscribe(&self, reference: &mut ComponentRef, pair: Pair) {
        match reference.parts.last_mut() {
            Some(last) => last.subscripts = self.subscripts(pair),
            None => self.unexpected(&pair, "a name"),
        }
    }

    fn no_reference(&self, what: &str, span: Span) -> ComponentRef {
        self.missing(what, span);
        ComponentRef { global: false, parts: Vec::new(), span }
    }

    fn subscripts(&self, pair: Pair) -> Vec<Subscript> {
        pair.into_inner()
            .map(|p| match p.as_rule() {
                Rule::any => Subscript::All(self.span(&p)),
                _ => Subscript::Index(self.expression(p)),
            })
            .collect()
    }

    // ---- A.2.1, A.2.2: definitions and classes ----

    fn definition(&self, pair: Pair) -> Definition {
        let mut definition = Definition { dialect: Dialect::Modelica, within: None, classes: Vec::new() };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::within => definition.within = p.into_inner().next().map(|p| self.name(p)),
                Rule::stored_class => match self.declaration(p).1 {
                    Element::Class(class) => definition.classes.push(*class),
                    _ => self.missing("a class", Span::default()),
                },
                Rule::EOI => {}
                _ => self.unexpected(&p, "a file"),
            }
        }
        definition
    }

    /// A class or component clause with its prefixes; also says whether `each` was among them.
    fn declaration(&self, pair: Pair) -> (bool, Element) {
        let span = self.span(&pair);
        let mut prefixes = Prefixes::default();
        let mut class = None;
        let mut type_spec = None;
        let mut components = Vec::with_capacity(1);
        let mut constraint = None;
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::prefix => self.prefix(&p, &mut prefixes),
                Rule::each => prefixes.each = true,
                Rule::class => class = Some(self.class(p)),
                Rule::type_spec => type_spec = Some(self.type_spec(p)),
                Rule::component => components.push(self.component(p)),
                Rule::constraint => constraint = Some(Box::new(self.constraint(p))),
                _ => self.unexpected(&p, "a declaration"),
            }
        }
        if let Some(mut class) = class {
            if let Some((word, span)) = prefixes.component_only {
                self.error(misplaced_prefix(&word, span, "a class", "it belongs before the type of a component"));
            }
            class.prefixes = prefixes.class;
            class.span = span;
            class.constraint = constraint;
            return (prefixes.each, Element::Class(Box::new(class)));
        }
        if let Some((word, span)) = prefixes.class_only {
            self.error(misplaced_prefix(&word, span, "a component", "it belongs before a class"));
        }
        let type_spec =
            type_spec.unwrap_or_else(|| TypeSpec { kind: TypeKind::Named(self.no_name("a type", span)), dims: Vec::new(), span });
        (prefixes.each, Element::Components(ComponentClause { prefixes: prefixes.component, type_spec, components, constraint, span }))
    }

    fn class(&self, pair: Pair) -> Class {
        let span = self.span(&pair);
        let mut class = Class {
            kind: ClassKind::Class,
            prefixes: ClassPrefixes::default(),
            name: Name { global: false, parts: Vec::new(), span },
            description: None,
            body: ClassBody::Long(LongBody::default()),
            constraint: None,
            span,
        };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::class_kind => class.kind = class_kind(p.as_str()),
                Rule::name => class.name = self.name(p),
                Rule::short_class => self.short_class(p, &mut class),
                Rule::long_class => class.body = ClassBody::Long(self.long_class(p, &mut class.description, &class.name)),
                Rule::class_extends => self.class_extends(p, &mut class),
                _ => self.unexpected(&p, "a class"),
            }
        }
        class
    }

    fn class_extends(&self, pair: Pair, class: &mut Class) {
        let mut modification = Vec::new();
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::identifier => {
                    let ident = self.ident(&p);
                    class.name = Name { global: false, span: ident.span, parts: vec![ident] };
                }
                Rule::class_modification => modification = self.class_modification(p),
                Rule::long_class => {
                    let mut body = self.long_class(p, &mut class.description, &class.name);
                    body.extends_modification = Some(std::mem::take(&mut modification));
                    class.body = ClassBody::Long(body);
                }
                _ => self.unexpected(&p, "a class"),
            }
        }
    }

    fn short_class(&self, pair: Pair, class: &mut Class) {
        let span = self.span(&pair);
        let mut causality = Causality::None;
        let mut base = None;
        let mut modification = Vec::new();
        let mut literals = None;
        let mut derivative = None;
        let mut annotation = None;
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::type_prefix => causality = if p.as_str() == "input" { Causality::Input } else { Causality::Output },
                Rule::type_spec => base = Some(self.type_spec(p)),
                Rule::class_modification => modification = self.class_modification(p),
                Rule::enumeration => literals = Some(self.enumeration(p)),
                Rule::partial_derivative => derivative = Some(self.partial_derivative(p)),
                Rule::description => class.description = Some(self.description(p)),
                Rule::annotation => annotation = Some(self.annotation(p)),
                _ => self.unexpected(&p, "a class"),
            }
        }
        class.body = match (literals, derivative, base) {
            (Some(literals), _, _) => ClassBody::Enumeration { literals, annotation },
            (None, Some((function, variables)), _) => ClassBody::PartialDerivative { function, variables, annotation },
            // `type E = enumeration(a, b)[3]` does not exist; a type in place is an enumeration without dimensions here.
            (None, None, Some(base)) => ClassBody::Short { causality, base, modification, annotation },
            (None, None, None) => {
                self.missing("a type", span);
                return;
            }
        };
    }

    /// `None` is `enumeration(:)`.
    fn enumeration(&self, pair: Pair) -> Option<Vec<EnumLiteral>> {
        let mut literals = Vec::new();
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::any => return None,
                Rule::enum_literal => {
                    let mut literal =
                        EnumLiteral { name: Ident { text: "".into(), span: self.span(&p) }, description: None, annotation: None };
                    for p in p.into_inner() {
                        match p.as_rule() {
                            Rule::identifier => literal.name = self.ident(&p),
                            Rule::description => literal.description = Some(self.description(p)),
                            Rule::annotation => literal.annotation = Some(self.annotation(p)),
                            _ => self.unexpected(&p, "an enumeration"),
                        }
                    }
                    literals.push(literal);
                }
                _ => self.unexpected(&p, "an enumeration"),
            }
        }
        Some(literals)
    }

    fn partial_derivative(&self, pair: Pair) -> (Name, Vec<Ident>) {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let function = match inner.next() {
            Some(p) => self.name(p),
            None => self.no_name("a function", span),
        };
        (function, inner.map(|p| self.ident(&p)).collect())
    }

    fn long_class(&self, pair: Pair, description: &mut Option<StringComment>, name: &Name) -> LongBody {
        let span = self.span(&pair);
        let mut body = LongBody::default();
        let mut visibility = Visibility::Default;
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::description => *description = Some(self.description(p)),
                Rule::visibility => {
                    visibility = if p.as_str() == "public" { Visibility::Public } else { Visibility::Protected };
                    body.sections.push(Section::Elements { visibility, elements: Vec::new() });
                }
                Rule::declaration | Rule::import | Rule::extends => {
                    let element = match p.as_rule() {
                        Rule::import => self.import(p),
                        Rule::extends => self.extends(p),
                        _ => self.declaration(p).1,
                    };
                    push_element(&mut body.sections, visibility, element);
                }
                Rule::equation_section => body.sections.push(self.equation_section(p)),
                Rule::algorithm_section => body.sections.push(self.algorithm_section(p)),
                Rule::parameter_equation => match p.into_inner().next() {
                    Some(p) => body.sections.push(Section::ParameterEquation(self.equation(p))),
                    None => self.missing("an equation", span),
                },
                Rule::external => {
                    let external = self.external(p);
                    if body.external.is_some() {
                        self.error(
                            Diagnostic::error("P013", "a function has more than one `external` clause").at(external.span, "the second one"),
                        );
                    }
                    body.external = Some(external);
                }
                Rule::annotation => body.annotations.push(self.annotation(p)),
                Rule::name => body.end_name = Some(self.name(p)),
                _ => self.unexpected(&p, "a class"),
            }
        }
        self.check_end_name(name, body.end_name.as_ref(), span);
        body
    }

    fn check_end_name(&self, name: &Name, end_name: Option<&Name>, body: Span) {
        match end_name {
            None => {
                let at = Span { start: body.end, end: body.end };
                self.error(
                    Diagnostic::error("P004", format!("`end` of `{name}` does not say the name"))
                        .at(at, format!("`{name}` belongs here"))
                        .at(name.span, "the class begins here"),
                );
            }
            Some(end) if !name.parts.iter().map(|p| &p.text).eq(end.parts.iter().map(|p| &p.text)) => self.error(
                Diagnostic::error("P004", format!("`{name}` ends with the name `{end}`"))
                    .at(end.span, format!("`{name}` belongs here"))
                    .at(name.span, "the class begins here")
                    .with_hint("write the same name in both places, or look for a missing `end` in between"),
            ),
            Some(_) => {}
        }
    }

    fn external(&self, pair: Pair) -> External {
        let mut external =
            External { language: None, output: None, function: None, arguments: Vec::new(), annotation: None, span: self.span(&pair) };
        // The semicolon belongs to the class.
        external.span.end = external.span.start
            + pair.as_str()[..(external.span.end - external.span.start) as usize].trim_end_matches(';').trim_end().len() as u32;
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::string => external.language = Some(unescape(p.as_str())),
                Rule::reference => external.output = Some(self.reference(p)),
                Rule::identifier => external.function = Some(self.ident(&p)),
                Rule::external_arguments => external.arguments = p.into_inner().map(|p| self.expression(p)).collect(),
                Rule::annotation => external.annotation = Some(self.annotation(p)),
                _ => self.unexpected(&p, "an external clause"),
            }
        }
        external
    }

    fn import(&self, pair: Pair) -> Element {
        let span = self.span(&pair);
        let mut import = Import {
            alias: None,
            name: Name { global: false, parts: Vec::new(), span },
            tail: ImportTail::None,
            description: None,
            annotation: None,
            span,
        };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::import_alias => import.alias = p.into_inner().next().map(|p| self.ident(&p)),
                Rule::name => import.name = self.name(p),
                Rule::import_all => import.tail = ImportTail::All,
                Rule::import_list => import.tail = ImportTail::List(p.into_inner().map(|p| self.ident(&p)).collect()),
                Rule::description => import.description = Some(self.description(p)),
                Rule::annotation => import.annotation = Some(self.annotation(p)),
                _ => self.unexpected(&p, "an import"),
            }
        }
        Element::Import(Box::new(import))
    }

    // ---- A.2.3, A.2.4: extends and components ----

    fn extends(&self, pair: Pair) -> Element {
        let c = self.constraint(pair);
        Element::Extends { name: c.name, modification: c.modification, annotation: c.annotation, span: c.span }
    }

    fn constraint(&self, pair: Pair) -> Constraint {
        let span = self.span(&pair);
        let mut constraint = Constraint {
            name: Name { global: false, parts: Vec::new(), span },
            modification: Vec::new(),
            description: None,
            annotation: None,
            span,
        };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::name => constraint.name = self.name(p),
                Rule::class_modification => constraint.modification = self.class_modification(p),
                Rule::description => constraint.description = Some(self.description(p)),
                Rule::annotation => constraint.annotation = Some(self.annotation(p)),
                _ => self.unexpected(&p, "an extends clause"),
            }
        }
        constraint
    }

    fn type_spec(&self, pair: Pair) -> TypeSpec {
        let span = self.span(&pair);
        let mut kind = None;
        let mut dims = Vec::new();
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::name => kind = Some(TypeKind::Named(self.name(p))),
                Rule::enumeration => match self.enumeration(p) {
                    Some(literals) => kind = Some(TypeKind::Enumeration(literals)),
                    None => {
                        self.error(
                            Diagnostic::error("P014", "`enumeration(:)` is not the type of a component")
                                .at(span, "its literals are unknown")
                                .with_hint("name the literals, or declare a type"),
                        );
                        kind = Some(TypeKind::Enumeration(Vec::new()));
                    }
                },
                Rule::subscripts => dims = self.subscripts(p),
                _ => self.unexpected(&p, "a type"),
            }
        }
        let kind = kind.unwrap_or_else(|| TypeKind::Named(self.no_name("a type", span)));
        TypeSpec { kind, dims, span }
    }

    fn component(&self, pair: Pair) -> Component {
        let span = self.span(&pair);
        let mut component = Component {
            name: ComponentRef { global: false, parts: Vec::new(), span },
            dims: Vec::new(),
            modification: Vec::new(),
            binding: None,
            condition: None,
            description: None,
            annotation: None,
            span,
        };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::reference => component.name = self.reference(p),
                Rule::class_modification => component.modification = self.class_modification(p),
                Rule::expression => component.binding = Some(self.expression(p)),
                Rule::break_value => component.binding = Some(Expr { kind: ExprKind::Break, span: self.span(&p) }),
                Rule::condition => component.condition = p.into_inner().next().map(|p| self.expression(p)),
                Rule::description => component.description = Some(self.description(p)),
                Rule::annotation => component.annotation = Some(self.annotation(p)),
                _ => self.unexpected(&p, "a component"),
            }
        }
        component
    }

    // ---- A.2.5: modifications ----

    fn class_modification(&self, pair: Pair) -> Vec<Argument> {
        pair.into_inner().map(|p| self.argument(p)).collect()
    }

    fn argument(&self, pair: Pair) -> Argument {
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::redeclaration => {
                let (each, element) = self.declaration(pair);
                Argument::Redeclaration { element: Box::new(element), each, span }
            }
            Rule::breaking => {
                let text = pair.into_inner().next().map(|p| p.as_str().trim_end().to_owned()).unwrap_or_default();
                Argument::Break { text, span }
            }
            _ => {
                let (mut each, mut final_) = (false, false);
                let mut name = None;
                let (mut arguments, mut value, mut description) = (None, None, None);
                for p in pair.into_inner() {
                    match p.as_rule() {
                        Rule::each => each = true,
                        Rule::final_word => final_ = true,
                        Rule::name => name = Some(self.name(p)),
                        Rule::class_modification => arguments = Some(self.class_modification(p)),
                        Rule::expression => value = Some(self.expression(p)),
                        Rule::break_value => value = Some(Expr { kind: ExprKind::Break, span: self.span(&p) }),
                        Rule::description => description = Some(self.description(p)),
                        _ => self.unexpected(&p, "a modification"),
                    }
                }
                let name = name.unwrap_or_else(|| self.no_name("a name", span));
                Argument::Modification { each, final_, name, arguments, value, description, span }
            }
        }
    }

    // ---- A.2.6: equations and statements ----

    fn description(&self, pair: Pair) -> StringComment {
        let span = self.span(&pair);
        StringComment { parts: pair.into_inner().map(|p| unescape(p.as_str())).collect(), span }
    }

    fn annotation(&self, pair: Pair) -> Annotation {
        let span = self.span(&pair);
        Annotation { arguments: pair.into_inner().next().map(|p| self.class_modification(p)).unwrap_or_default(), span }
    }
}

/// The identifiers of a dotted run, each made into what it is part of.
fn each_ident<T>(pair: &Pair, part: impl Fn(Ident) -> T) -> Vec<T> {
    let text = pair.as_str();
    let start = pair.as_span().start();
    let word = text.trim_end_matches([' ', '\n', '\r', '\t']);
    if word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$')) {
        return vec![part(Ident { text: word.into(), span: Span::new(start, start + word.len()) })];
    }
    let names = Tokens::new(text).flatten().filter(|token| token.kind == Kind::Name);
    names
        .map(|token| {
            part(Ident { text: token.text.into(), span: Span::new(start + token.span.start as usize, start + token.span.end as usize) })
        })
        .collect()
}

fn idents(pair: &Pair) -> Vec<Ident> {
    each_ident(pair, |name| name)
}

fn plain_parts(pair: &Pair) -> Vec<RefPart> {
    each_ident(pair, |name| RefPart { name, subscripts: Vec::new() })
}

/// Adds an element to the section in force, opening one if needed.
fn push_element(sections: &mut Vec<Section>, visibility: Visibility, element: Element) {
    if let Some(Section::Elements { elements, .. }) = sections.last_mut() {
        elements.push(element);
    } else {
        sections.push(Section::Elements { visibility, elements: vec![element] });
    }
}

fn misplaced_prefix(word: &str, span: Span, before: &str, belongs: &str) -> Diagnostic {
    Diagnostic::error("P012", format!("`{word}` cannot stand before {before}")).at(span, belongs)
}

fn class_kind(words: &str) -> ClassKind {
    if words.starts_with("operator") {
        return match words {
            w if w.ends_with("record") => ClassKind::OperatorRecord,
            w if w.ends_with("function") => ClassKind::OperatorFunction,
            _ => ClassKind::Operator,
        };
    }
    match words {
        "model" => ClassKind::Model,
        "record" => ClassKind::Record,
        "block" => ClassKind::Block,
        "connector" => ClassKind::Connector,
        "type" => ClassKind::Type,
        "package" => ClassKind::Package,
        "function" => ClassKind::Function,
        "class" => ClassKind::Class,
        _ => ClassKind::ExpandableConnector,
    }
}

/// The value of a string literal given with its quotes. An escape that Modelica does not have keeps its backslash.
fn unescape(literal: &str) -> String {
    let inner = literal.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(literal);
    if !inner.contains('\\') {
        return inner.to_owned();
    }
    let mut value = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            value.push(c);
            continue;
        }
        match chars.next() {
            Some(c @ ('\'' | '"' | '?' | '\\')) => value.push(c),
            Some('a') => value.push('\x07'),
            Some('b') => value.push('\x08'),
            Some('f') => value.push('\x0c'),
            Some('n') => value.push('\n'),
            Some('r') => value.push('\r'),
            Some('t') => value.push('\t'),
            Some('v') => value.push('\x0b'),
            other => {
                value.push('\\');
                value.extend(other);
            }
        }
    }
    value
}
