//! Values of calls that only flattening finds.

use super::functions::{declaration, made_class};
use super::ids::{Checked, ClassInstId, ScopeId};
use super::references::quoted;
use super::tree::{Instantiation, Locals};
use super::values::Value;
use crate::frontend::{flat, flatten, repair};
use partita_grammar::ast::{self, Causality, ClassBody, ClassKind, Element, Expr, Ident, LongBody, Section, TypeKind};
use partita_runtime::native::access::FileAccess;
use std::rc::Rc;

impl<'s> Instantiation<'s> {
    /// The value of a call, by flattening a model of one constant. Arguments may have this many dimensions more than inputs.
    pub(super) fn by_flattening(
        &mut self,
        e: &Expr,
        scope: ScopeId,
        locals: &mut Locals,
        class: ClassInstId,
        more: usize,
    ) -> Checked<Option<Value>> {
        let key = (std::ptr::from_ref(e).addr(), scope);
        let closed = locals.names.is_empty();
        if let Some(known) = self.functions.values.get(&key).filter(|_| closed) {
            return Ok(known.clone());
        }
        let before = locals.values_only;
        locals.values_only = true;
        let made = self.expr(e, scope, locals);
        locals.values_only = before;
        // What has no value yet leaves the expression without one.
        let Ok(made) = made else { return Ok(None) };
        let value = self.flattened_value(made, class, more)?;
        if closed {
            self.functions.values.insert(key, value.clone());
        }
        Ok(value)
    }

    pub(super) fn flattened_value(&mut self, made: Expr, class: ClassInstId, more: usize) -> Checked<Option<Value>> {
        let span = made.span;
        let (name, rank) = match self.class_kind(class) {
            ClassKind::Function | ClassKind::OperatorFunction => match self.output_type(class)? {
                Some((name, rank)) => (name, rank + more),
                None => return Ok(None),
            },
            _ => (self.record_name(class)?, 0),
        };
        self.write_classes()?;
        let mut sections = vec![declaration(&name, rank, Some(made), span)];
        sections.extend(self.constant_sections()?);
        self.write_classes()?;
        let model =
            made_class(ClassKind::Model, quoted("value of", span), ClassBody::Long(LongBody { sections, ..LongBody::default() }), span);
        // Lent, for they may be many.
        let mut classes = std::mem::take(&mut self.functions.classes);
        classes.push(model);
        let mut definition = ast::Definition { dialect: ast::Dialect::Base, within: None, classes };
        let n_own = definition.classes.len();
        definition.classes.extend(repair::missing_classes(&definition, "value of"));
        let n_supplied = definition.classes.len() - n_own;
        let flattened = flatten::flatten_repaired(&definition, n_supplied, &[], FileAccess::default(), Some("value of"));
        let flattened = flattened.map(|flattened| flattened.model);
        definition.classes.truncate(n_own - 1);
        self.functions.classes = definition.classes;
        match flattened {
            Ok(model) => self.value_of_flat(&model, "value"),
            Err(_) => Ok(None),
        }
    }

    /// The type of the first output of a function, and how many dimensions it has.
    pub(super) fn output_type(&mut self, class: ClassInstId) -> Checked<Option<(Ident, usize)>> {
        let body = self.write_elements(class)?;
        for section in &body.sections {
            let Section::Elements { elements, .. } = section else { continue };
            for element in elements {
                if let Element::Components(clause) = element
                    && clause.prefixes.causality == Causality::Output
                    && let (TypeKind::Named(name), Some(component)) = (&clause.type_spec.kind, clause.components.first())
                {
                    return Ok(name.parts.first().map(|name| (name.clone(), component.dims.len())));
                }
            }
        }
        Ok(None)
    }

    pub(super) fn value_of_flat(&mut self, model: &flat::FlatModel, name: &str) -> Checked<Option<Value>> {
        if let Some(variable) = model.vars.values().find(|v| v.name == name) {
            let Some(value) = variable.value.clone() else { return Ok(None) };
            return self.value_from(model, &value);
        }
        // A record: its fields.
        let prefix = format!("{name}.");
        let mut fields: Vec<(Rc<str>, Value)> = Vec::new();
        for variable in model.vars.values() {
            let Some(rest) = variable.name.strip_prefix(&prefix) else { continue };
            let field = rest.split('.').next().unwrap_or(rest);
            if fields.iter().any(|(n, _)| **n == *field) {
                continue;
            }
            match self.value_of_flat(model, &format!("{prefix}{field}"))? {
                Some(value) => fields.push((Rc::from(field), value)),
                None => return Ok(None),
            }
        }
        Ok((!fields.is_empty()).then_some(Value::Record(fields)))
    }

    pub(super) fn value_from(&mut self, model: &flat::FlatModel, value: &flat::Value) -> Checked<Option<Value>> {
        Ok(Some(match value {
            flat::Value::Real(r) => Value::Real(*r),
            flat::Value::Integer(i) => Value::Integer(*i),
            flat::Value::Boolean(b) => Value::Boolean(*b),
            flat::Value::String(s) => Value::String(Rc::from(s.as_str())),
            flat::Value::Enumeration(id, at) => {
                let of = &model.enums[*id];
                let literal = of.literals.get((*at as usize).saturating_sub(1)).cloned().unwrap_or_default();
                let path = of.name.clone();
                match self.library.path(&path)? {
                    Some(class) => {
                        let class = self.plain(class);
                        Value::Enumeration(class, *at as usize, Rc::from(literal.as_str()))
                    }
                    None => return Ok(None),
                }
            }
            flat::Value::Array(dims, list) => {
                let mut values = Vec::new();
                for value in list {
                    match self.value_from(model, value)? {
                        Some(value) => values.push(value),
                        None => return Ok(None),
                    }
                }
                super::values::shaped(values, dims)
            }
            flat::Value::Record(..) => return Ok(None),
        }))
    }
}
