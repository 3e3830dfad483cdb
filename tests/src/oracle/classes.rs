//! What a file declares beside its model: functions, records, enumerations; and declarations as a list.

use super::value::{Scalar, Value};
use super::{Evaluated, unsupported};
use partita_grammar::ast::*;
use std::collections::HashMap;

/// Classes by name.
pub(super) struct Classes<'a> {
    by_name: HashMap<String, &'a Class>,
}

/// One declared variable.
pub(super) struct Declared<'a> {
    pub name: String,
    pub clause: &'a ComponentClause,
    pub component: &'a Component,
}

impl<'a> Declared<'a> {
    /// Dimensions as written: those of the name come first.
    pub(super) fn dims(&self) -> Vec<&'a Subscript> {
        self.component.dims.iter().chain(&self.clause.type_spec.dims).collect()
    }

    /// The value of an attribute such as `start`.
    pub(super) fn attribute(&self, wanted: &str) -> Option<&'a Expr> {
        self.component.modification.iter().find_map(|argument| match argument {
            Argument::Modification { name, value, .. } if name.to_string() == wanted => value.as_ref(),
            _ => None,
        })
    }
}

/// Sections of a class written out; none for short classes.
pub(super) fn sections(class: &Class) -> &[Section] {
    match &class.body {
        ClassBody::Long(body) => &body.sections,
        _ => &[],
    }
}

/// The declarations of a class in order.
pub(super) fn declarations(class: &Class) -> Vec<Declared<'_>> {
    let mut found = Vec::new();
    for section in sections(class) {
        let Section::Elements { elements, .. } = section else { continue };
        for element in elements {
            let Element::Components(clause) = element else { continue };
            for component in &clause.components {
                let name = component.name.parts.iter().map(|part| part.name.unquoted()).collect::<Vec<_>>().join(".");
                found.push(Declared { name, clause, component });
            }
        }
    }
    found
}

impl<'a> Classes<'a> {
    pub(super) fn of(definition: &'a Definition) -> Classes<'a> {
        let mut by_name = HashMap::new();
        let mut pending: Vec<&Class> = definition.classes.iter().collect();
        while let Some(class) = pending.pop() {
            by_name.insert(class.name.to_string(), class);
            for section in sections(class) {
                let Section::Elements { elements, .. } = section else { continue };
                pending.extend(
                    elements.iter().filter_map(|element| if let Element::Class(inner) = element { Some(inner.as_ref()) } else { None }),
                );
            }
        }
        Classes { by_name }
    }

    pub(super) fn get(&self, name: &str) -> Option<&'a Class> {
        self.by_name.get(name).copied()
    }

    /// A literal of an enumeration.
    pub(super) fn literal(&self, enumeration: &str, literal: &str) -> Option<Value> {
        let ClassBody::Enumeration { literals: Some(literals), .. } = &self.get(enumeration)?.body else { return None };
        let at = literals.iter().position(|known| known.name.unquoted() == literal)?;
        Some(Value::Enumeration(enumeration.to_string(), at as i64 + 1))
    }

    /// The type of an element of a declared variable.
    pub(super) fn scalar(&self, spec: &TypeSpec) -> Evaluated<Scalar> {
        let TypeKind::Named(name) = &spec.kind else { return unsupported("an enumeration without a name") };
        let name = name.to_string();
        Ok(match name.as_str() {
            "Real" => Scalar::Real,
            "Integer" => Scalar::Integer,
            "Boolean" => Scalar::Boolean,
            "String" => Scalar::String,
            _ => match self.get(&name) {
                Some(class) if class.kind == ClassKind::Record => Scalar::Record(name),
                Some(Class { body: ClassBody::Enumeration { .. }, .. }) => Scalar::Enumeration(name),
                _ => return unsupported(format!("the type {name}")),
            },
        })
    }

    /// A variable of this type without a value; records have their fields.
    pub(super) fn blank(&self, scalar: &Scalar) -> Evaluated {
        let Scalar::Record(name) = scalar else { return Ok(Value::Unknown) };
        let Some(class) = self.get(name) else { return unsupported(format!("the record {name}")) };
        let mut fields = Vec::new();
        for field in declarations(class) {
            if !field.dims().is_empty() {
                return unsupported("an array in a record");
            }
            fields.push((field.name.clone(), self.blank(&self.scalar(&field.clause.type_spec)?)?));
        }
        Ok(Value::Record(fields))
    }
}
