//! Modifications: what declarations, `extends` clauses and types say about an element, merged.
//!
//! Outer wins over inner. A value given to a whole record stands against values of its fields by who is further out:
//! fields that are modified from further out than the record's value win over its projection (`over_value`).
//! A modification of an array component without `each` is that of its elements, subscripted; nothing is expanded.

use super::ids::ScopeId;
use indexmap::IndexMap;
use partita_grammar::Span;
use partita_grammar::ast::{self, Argument, Element, Expr};
use std::rc::Rc;

/// A value with the place where its names are read.
#[derive(Clone, Debug)]
pub(crate) struct Binding<'s> {
    pub(crate) expr: &'s Expr,
    pub(crate) scope: ScopeId,
    /// What is taken of the value, in order.
    pub(crate) steps: Vec<Take>,
}

/// A part of a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Take {
    /// The element of an array.
    Element(Vec<usize>),
    /// A field of a record.
    Field(Rc<str>),
}

/// A redeclaration, with the place where its names are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Redeclaration<'s> {
    pub(crate) element: &'s Element,
    pub(crate) scope: ScopeId,
}

/// What is said about one element.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mod<'s> {
    pub(crate) value: Option<Binding<'s>>,
    /// By the name of the element inside.
    pub(crate) children: IndexMap<Rc<str>, Rc<Mod<'s>>, rustc_hash::FxBuildHasher>,
    pub(crate) redeclaration: Option<Redeclaration<'s>>,
    pub(crate) each: bool,
    pub(crate) final_: bool,
    /// Wins over a projection of the value of the record around it.
    pub(crate) over_value: bool,
    pub(crate) span: Span,
    pub(crate) scope: Option<ScopeId>,
}

impl<'s> Mod<'s> {
    /// Nothing is said.
    pub(crate) fn is_empty(&self) -> bool {
        self.value.is_none() && self.children.is_empty() && self.redeclaration.is_none() && !self.final_
    }

    /// What arguments say, read in a scope. `break` is no modification.
    pub(crate) fn of(arguments: &'s [Argument], value: Option<&'s Expr>, scope: ScopeId) -> Mod<'s> {
        let mut made = Mod { value: value.map(|expr| Binding { expr, scope, steps: Vec::new() }), scope: Some(scope), ..Mod::default() };
        for argument in arguments {
            match argument {
                Argument::Modification { each, final_, name, arguments, value, span, .. } => {
                    let mut inner = Mod::of(arguments.as_deref().unwrap_or(&[]), value.as_ref(), scope);
                    (inner.each, inner.final_, inner.span) = (*each, *final_, *span);
                    let mut parts = name.parts.iter().rev();
                    let Some(last) = parts.next() else { continue };
                    let mut key: Rc<str> = Rc::from(&*last.text);
                    for part in parts {
                        let mut around = Mod { span: *span, scope: Some(scope), ..Mod::default() };
                        around.children.insert(key, Rc::new(inner));
                        (inner, key) = (around, Rc::from(&*part.text));
                    }
                    made.add(key, inner);
                }
                Argument::Redeclaration { element, each, span } => {
                    let redeclaration = Some(Redeclaration { element, scope });
                    let name = match &**element {
                        Element::Class(class) => class.name.to_string(),
                        Element::Components(clause) => match clause.components.first().and_then(|c| c.name.parts.first()) {
                            Some(part) => part.name.text.to_string(),
                            None => continue,
                        },
                        _ => continue,
                    };
                    made.add(
                        Rc::from(name.as_str()),
                        Mod { redeclaration, each: *each, span: *span, scope: Some(scope), ..Mod::default() },
                    );
                }
                Argument::Break { .. } => {}
            }
        }
        made
    }

    fn add(&mut self, key: Rc<str>, inner: Mod<'s>) {
        match self.children.get_mut(&key) {
            Some(known) => {
                let merged = Mod::merged(known, &Rc::new(inner));
                *known = merged;
            }
            None => {
                self.children.insert(key, Rc::new(inner));
            }
        }
    }

    /// The modification of an element inside.
    pub(crate) fn child(&self, name: &str) -> Option<&Rc<Mod<'s>>> {
        self.children.get(name)
    }

    /// Outer over inner.
    pub(crate) fn merged(outer: &Rc<Mod<'s>>, inner: &Rc<Mod<'s>>) -> Rc<Mod<'s>> {
        if outer.is_empty() {
            return inner.clone();
        }
        if inner.is_empty() {
            return outer.clone();
        }
        let mut made = (**outer).clone();
        let inner_has_value = made.value.is_none() && inner.value.is_some();
        if inner_has_value {
            for child in made.children.values_mut() {
                let mut over = (**child).clone();
                over.over_value = true;
                *child = Rc::new(over);
            }
            made.value.clone_from(&inner.value);
            made.each |= inner.each;
        }
        made.redeclaration = made.redeclaration.or(inner.redeclaration);
        made.final_ |= inner.final_;
        for (name, child) in &inner.children {
            match made.children.get_mut(name) {
                Some(known) => *known = Mod::merged(known, child),
                None => {
                    let mut child = (**child).clone();
                    // What is said further in gives way to a value from further out.
                    child.over_value = child.over_value && inner_has_value;
                    made.children.insert(name.clone(), Rc::new(child));
                }
            }
        }
        Rc::new(made)
    }

    /// The modification of one element of an array component.
    pub(crate) fn element(&self, at: &[usize]) -> Mod<'s> {
        let mut made = self.clone();
        if self.each {
            made.each = false;
            return made;
        }
        if let Some(value) = &mut made.value {
            value.steps.push(Take::Element(at.to_vec()));
        }
        for child in made.children.values_mut() {
            *child = Rc::new(child.element(at));
        }
        made
    }

    /// The value of this field, as its own or the record's value gives it.
    pub(crate) fn field(&self, name: &str) -> Mod<'s> {
        let own = self.children.get(name).map(|child| (**child).clone());
        let Some(value) = &self.value else { return own.unwrap_or_default() };
        let mut made = own.unwrap_or_default();
        if made.over_value && made.value.is_some() {
            return made;
        }
        let mut value = value.clone();
        value.steps.push(Take::Field(Rc::from(name)));
        made.value = Some(value);
        // Fields of fields follow from the value too.
        let names: Vec<Rc<str>> = made.children.keys().cloned().collect();
        for name in names {
            if let Some(child) = made.children.get_mut(&name)
                && child.value.is_some()
                && !child.over_value
                && !is_attribute(&name)
            {
                let mut without = (**child).clone();
                without.value = None;
                *child = Rc::new(without);
            }
        }
        made
    }

    /// Only what changes the classes inside: redeclarations of classes, and all that is said about classes of the given names.
    pub(crate) fn of_classes(&self, is_class: &dyn Fn(&str) -> bool) -> Rc<Mod<'s>> {
        let mut made = Mod::default();
        for (name, child) in &self.children {
            if is_class(name) {
                made.children.insert(name.clone(), child.clone());
                continue;
            }
            let mut kept = (*child.of_classes(&|_| false)).clone();
            if let Some(redeclaration) = child.redeclaration
                && matches!(redeclaration.element, Element::Class(_))
            {
                kept.redeclaration = Some(redeclaration);
            }
            if !kept.is_empty() {
                kept.scope = child.scope;
                made.children.insert(name.clone(), Rc::new(kept));
            }
        }
        Rc::new(made)
    }

    /// Equal by syntax address and scope.
    pub(crate) fn key(&self, out: &mut Vec<usize>) {
        if let Some(value) = &self.value {
            out.extend([std::ptr::from_ref(value.expr).addr(), value.scope.0 as usize, value.steps.len()]);
        }
        if let Some(redeclaration) = &self.redeclaration {
            out.extend([std::ptr::from_ref(redeclaration.element).addr(), redeclaration.scope.0 as usize]);
        }
        for (name, child) in &self.children {
            out.extend(name.bytes().map(usize::from));
            child.key(out);
        }
        out.push(usize::MAX);
    }
}

/// Attributes of the basic types.
pub(crate) fn is_attribute(name: &str) -> bool {
    matches!(
        name,
        "start" | "fixed" | "min" | "max" | "nominal" | "unit" | "displayUnit" | "quantity" | "stateSelect" | "unbounded" | "value"
    )
}

/// The first component of a clause.
pub(crate) fn first_component(element: &Element) -> Option<(&ast::ComponentClause, &ast::Component)> {
    match element {
        Element::Components(clause) => clause.components.first().map(|c| (clause, c)),
        _ => None,
    }
}
