//! Settles the dialect of a tree, and with it what subscripts after declared names and `protected` mean.
//!
//! Input: a tree as `build` makes it: subscripts in the declared names, `protected` as the head of a section.
//! Output: the same tree with `dialect` set. In flat omc output a subscript is part of the name and `protected` is a
//! prefix of one line; elsewhere a subscript after the name is a dimension and `protected` heads a section.
//!
//! Method: a first line `//! base` says Base Modelica. Flat omc output is known by dotted declared names, or by a
//! top-level `class` without anything that omc never prints in a flat class (several components in one clause, nested
//! classes, imports, connections, subscripts that are not constants, an `x[3]` without an `x[1]`).
//! Cost: one walk over the declarations.

use crate::ast::*;
use crate::diagnostic::Diagnostic;
use std::collections::HashSet;

/// Settles the dialect in place; an error if a dotted name is declared where that has no meaning.
pub(crate) fn settle(definition: &mut Definition, text: &str) -> Result<(), Vec<Diagnostic>> {
    let dialect = detect(definition, text);
    settle_as(definition, dialect)
}

/// Like `settle` for a text whose dialect is known.
pub(crate) fn settle_as(definition: &mut Definition, dialect: Dialect) -> Result<(), Vec<Diagnostic>> {
    definition.dialect = dialect;
    let mut errors = Vec::new();
    // Classes nest at most as deep as the parser's limit; an explicit stack costs nothing, so none is spared.
    let mut pending: Vec<&mut Class> = definition.classes.iter_mut().collect();
    while let Some(class) = pending.pop() {
        if definition.dialect != Dialect::OmcFlat && class.name.parts.len() > 1 {
            errors.push(dotted(&class.name.to_string(), class.name.span));
        }
        let ClassBody::Long(body) = &mut class.body else { continue };
        if definition.dialect == Dialect::OmcFlat {
            protected_as_prefix(&mut body.sections);
        }
        for section in &mut body.sections {
            let Section::Elements { elements, .. } = section else { continue };
            for element in elements {
                match element {
                    Element::Components(clause) if definition.dialect != Dialect::OmcFlat => {
                        for component in &mut clause.components {
                            if let [only] = component.name.parts.as_mut_slice() {
                                component.dims = std::mem::take(&mut only.subscripts);
                                component.name.span = only.name.span;
                            } else {
                                let names: Vec<&str> = component.name.parts.iter().map(|p| p.name.text.as_str()).collect();
                                errors.push(dotted(&names.join("."), component.name.span));
                            }
                        }
                    }
                    Element::Class(class) => pending.push(class),
                    Element::Components(_) | Element::Import(_) | Element::Extends { .. } => {}
                }
            }
        }
    }
    if errors.is_empty() {
        Ok(())
    } else {
        errors.sort_by_key(|e| e.labels.first().map(|l| l.span));
        Err(errors)
    }
}

fn dotted(name: &str, span: crate::span::Span) -> Diagnostic {
    Diagnostic::error("P022", format!("`{name}` is declared with dots in its name"))
        .at(span, "a declared name is a single identifier")
        .with_hint("flat models may declare dotted names, in a file that holds one `class` and its functions; or quote the name: 'a.b'")
}

fn detect(definition: &Definition, text: &str) -> Dialect {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.lines().next().is_some_and(|line| line.trim_start().starts_with("//! base")) {
        return Dialect::Base;
    }
    let mut flat_class = false;
    for class in &definition.classes {
        let ClassBody::Long(body) = &class.body else { continue };
        if class.name.parts.len() > 1 {
            return if hand_written(body) { Dialect::Modelica } else { Dialect::OmcFlat };
        }
        if class.kind == ClassKind::Class || declares_dots(body) {
            if hand_written(body) {
                return Dialect::Modelica;
            }
            flat_class = true;
        }
    }
    if flat_class { Dialect::OmcFlat } else { Dialect::Modelica }
}

fn declares_dots(body: &LongBody) -> bool {
    components(body).any(|clause| clause.components.iter().any(|c| c.name.parts.len() > 1))
}

/// Something that omc never prints in a flat class.
fn hand_written(body: &LongBody) -> bool {
    let nested = body.sections.iter().any(|section| match section {
        Section::Elements { elements, .. } => elements.iter().any(|e| !matches!(e, Element::Components(_))),
        Section::Equations { equations, .. } => equations.iter().any(|e| matches!(e.kind, EquationKind::Connect(..))),
        Section::Algorithm { .. } | Section::ParameterEquation(_) => false,
    });
    nested
        || declares_arrays(body)
        || components(body).any(|clause| {
            clause.components.len() > 1
                || clause.components.iter().flat_map(|c| &c.name.parts).flat_map(|p| &p.subscripts).any(|s| !is_constant(s))
        })
}

/// Some `x[3]` is declared, but no `x[1]`: then it is an array and not one of its elements, which omc prints all.
fn declares_arrays(body: &LongBody) -> bool {
    let simple = || {
        components(body).flat_map(|clause| &clause.components).filter_map(|c| match c.name.parts.as_slice() {
            [only] if !only.subscripts.is_empty() => Some(only),
            _ => None,
        })
    };
    let is_first = |part: &RefPart| part.subscripts.iter().all(|s| matches!(s, Subscript::Index(Expr { kind: ExprKind::Integer(1), .. })));
    let is_number = |part: &RefPart| part.subscripts.iter().all(|s| matches!(s, Subscript::Index(Expr { kind: ExprKind::Integer(_), .. })));
    let firsts: HashSet<&str> = simple().filter(|p| is_first(p)).map(|p| p.name.text.as_str()).collect();
    simple().any(|p| is_number(p) && !firsts.contains(p.name.text.as_str()))
}

/// A number, or an enumeration literal or Boolean as omc writes them when such a type is a dimension.
fn is_constant(subscript: &Subscript) -> bool {
    match subscript {
        Subscript::Index(Expr { kind: ExprKind::Integer(_) | ExprKind::Boolean(_), .. }) => true,
        Subscript::Index(Expr { kind: ExprKind::Ref(name), .. }) => name.parts.len() > 1,
        Subscript::Index(_) | Subscript::All(_) => false,
    }
}

fn components(body: &LongBody) -> impl std::iter::Iterator<Item = &ComponentClause> {
    body.sections
        .iter()
        .filter_map(|s| match s {
            Section::Elements { elements, .. } => Some(elements),
            _ => None,
        })
        .flatten()
        .filter_map(|e| match e {
            Element::Components(clause) => Some(clause),
            _ => None,
        })
}

/// Turns `protected` and `public` heads into prefixes of the one declaration after each, and joins the sections.
fn protected_as_prefix(sections: &mut Vec<Section>) {
    let mut joined: Vec<Section> = Vec::with_capacity(sections.len());
    for section in sections.drain(..) {
        match section {
            Section::Elements { visibility, mut elements } => {
                let Some(Element::Components(first)) = elements.first_mut() else {
                    joined.push(Section::Elements { visibility, elements });
                    continue;
                };
                first.prefixes.protected = visibility == Visibility::Protected;
                first.prefixes.public = visibility == Visibility::Public;
                match joined.last_mut() {
                    Some(Section::Elements { visibility: Visibility::Default, elements: before }) => before.append(&mut elements),
                    _ => joined.push(Section::Elements { visibility: Visibility::Default, elements }),
                }
            }
            other => joined.push(other),
        }
    }
    *sections = joined;
}
