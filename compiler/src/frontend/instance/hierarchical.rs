//! Whether a file needs more than `flatten` reads by itself.
//!
//! Input: the syntax of a file. Output: whether its classes have to be instantiated: components of classes, connections, imports, other
//! packages, classes that stand for others, constants of classes. What is left is one class with functions, records, simple types and
//! packages. Cost: linear.

use super::equations::has_connect;
use super::modification::is_attribute;
use super::root::{elements_of, is_model};
use super::tree::{Builtin, is_connector};
use crate::frontend::flatten::parameters::each_reference;
use crate::frontend::restrictions;
use partita_grammar::ast::{self, ClassKind};
use rustc_hash::FxHashMap;

/// Whether a file needs more than `flatten` reads by itself: components of classes, connections, imports, other packages.
pub fn is_hierarchical(definition: &ast::Definition) -> bool {
    if definition.dialect != ast::Dialect::Modelica {
        return false;
    }
    let mut kinds: FxHashMap<&str, ClassKind> = FxHashMap::default();
    let mut classes: Vec<&ast::Class> = Vec::new();
    let mut stack: Vec<&ast::Class> = definition.classes.iter().collect();
    while let Some(class) = stack.pop() {
        classes.push(class);
        kinds.insert(class.name.parts.first().map_or("", |p| &*p.text), class.kind);
        stack.extend(elements_of(class).filter_map(|e| match e {
            ast::Element::Class(inner) => Some(&**inner),
            _ => None,
        }));
    }
    classes.iter().any(|class| needs_instances(class, &kinds)) || restrictions::any(&definition.classes)
}

/// Whether a modification gives values to the fields of a record.
fn gives_fields(clause: &ast::ComponentClause) -> bool {
    let is_field = |argument: &ast::Argument| match argument {
        ast::Argument::Modification { name, value, arguments, .. } => {
            (value.is_some() || arguments.is_some()) && !name.parts.first().is_some_and(|first| is_attribute(&first.text))
        }
        _ => false,
    };
    clause.components.iter().any(|component| component.modification.iter().any(is_field))
}

/// Whether sizes of fields of a record are those that other fields say.
fn has_sizes_by_fields(class: &ast::Class) -> bool {
    let components = || {
        elements_of(class).flat_map(|element| match element {
            ast::Element::Components(clause) => clause.components.as_slice(),
            _ => &[],
        })
    };
    let is_field = |name: &str| components().any(|c| c.name.parts.first().is_some_and(|part| part.name.text == *name));
    class.kind == ClassKind::Record
        && components().flat_map(|component| &component.dims).any(|dim| match dim {
            ast::Subscript::Index(e) => {
                let mut found = false;
                each_reference(e, &mut |r| found |= r.parts.first().is_some_and(|p| is_field(&p.name.text)));
                found
            }
            ast::Subscript::All(_) => false,
        })
}

/// Whether a short definition is that of a type of numbers, texts or literals.
fn is_simple(kind: ClassKind, base: &ast::TypeSpec, kinds: &FxHashMap<&str, ClassKind>) -> bool {
    let ast::TypeKind::Named(name) = &base.kind else { return kind == ClassKind::Type };
    let [part] = name.parts.as_slice() else { return kind == ClassKind::Type };
    kind == ClassKind::Type && (Builtin::of(&part.text).is_some() || kinds.get(&*part.text).is_none_or(|kind| *kind == ClassKind::Type))
}

/// Whether the value of a component names a constant of a class that is neither a package nor a type.
fn names_a_class(component: &ast::Component, kinds: &FxHashMap<&str, ClassKind>) -> bool {
    let mut found = false;
    let mut look = |e: &ast::Expr| {
        each_reference(e, &mut |reference| {
            let first = reference.parts.first().filter(|_| reference.parts.len() > 1);
            found |= first.and_then(|part| kinds.get(&*part.name.text)).is_some_and(|kind| is_model(*kind) || is_connector(*kind));
        });
    };
    component.binding.iter().for_each(&mut look);
    component.dims.iter().for_each(|dim| {
        if let ast::Subscript::Index(e) = dim {
            look(e);
        }
    });
    found
}

fn needs_instances(class: &ast::Class, kinds: &FxHashMap<&str, ClassKind>) -> bool {
    let foreign = |name: &ast::Name| {
        let first = name.parts.first().map_or("", |p| &*p.text);
        name.parts.len() > 1 && !kinds.contains_key(first)
    };
    let by_elements = elements_of(class).any(|element| match element {
        ast::Element::Import(_) => true,
        ast::Element::Extends { name, .. } => foreign(name),
        ast::Element::Class(_) => false,
        ast::Element::Components(clause) => {
            let prefixes = &clause.prefixes;
            let by_constants = clause.components.iter().any(|component| names_a_class(component, kinds));
            let by_type = match &clause.type_spec.kind {
                ast::TypeKind::Named(name) => {
                    let last = name.parts.last().map_or("", |p| &*p.text);
                    foreign(name) || kinds.get(last).is_some_and(|k| is_model(*k) || is_connector(*k))
                }
                ast::TypeKind::Enumeration(_) => false,
            };
            by_type || by_constants || prefixes.outer || prefixes.replaceable || (class.kind == ClassKind::Function && gives_fields(clause))
        }
    });
    let body = match &class.body {
        ast::ClassBody::Long(body) => body,
        ast::ClassBody::Short { base, .. } => return !is_simple(class.kind, base, kinds),
        _ => return false,
    };
    let n_bases = elements_of(class).filter(|element| matches!(element, ast::Element::Extends { .. })).count();
    let is_derived = n_bases > usize::from(class.kind != ClassKind::Type && !is_model(class.kind));
    by_elements
        || is_derived
        || has_sizes_by_fields(class)
        || body.sections.iter().any(|section| match section {
            ast::Section::Equations { equations, .. } => has_connect(equations),
            _ => false,
        })
}
