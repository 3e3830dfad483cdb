//! The class to instantiate: the named one, or the last model of the given file.

use super::ids::{Checked, ClassInstId};
use super::tree::Instantiation;
use crate::frontend::library::ClassId;
use partita_grammar::Diagnostic;
use partita_grammar::ast::{self, ClassKind, Element, TypeKind};
use rustc_hash::FxHashSet;
use std::rc::Rc;

fn no_class(text: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("N001", text))
}

impl Instantiation<'_> {
    /// The class to instantiate.
    pub(super) fn root(&mut self, wanted: Option<&str>) -> Checked<ClassInstId> {
        let class = match wanted {
            Some(path) => {
                let mut found = self.library.path(path)?;
                for top in self.library.given.clone() {
                    found = match found {
                        Some(found) => Some(found),
                        None => self.library.child(top, path)?,
                    };
                }
                found.ok_or_else(|| no_class(format!("there is no class `{path}`")))?
            }
            None => self.last_model()?,
        };
        let found = &self.library.classes[class];
        if !is_model(found.kind) || found.prefixes.partial {
            let what = if found.prefixes.partial { "partial " } else { "" };
            return Err(no_class(format!("`{}` is a {what}{}, which cannot be simulated", found.path, found.kind.word())));
        }
        Ok(self.plain(class))
    }

    fn last_model(&mut self) -> Checked<ClassId> {
        let mut candidates = Vec::new();
        let mut stack: Vec<ClassId> = self.library.given.iter().rev().copied().collect();
        while let Some(id) = stack.pop() {
            let class = &self.library.classes[id];
            if is_model(class.kind) && !class.prefixes.partial {
                candidates.push(id);
            } else if class.kind == ClassKind::Package {
                let names: Vec<Rc<str>> = self.library.child_names(id).cloned().collect();
                for name in names.iter().rev() {
                    stack.extend(self.library.child(id, name)?);
                }
            }
        }
        let last = *candidates.last().ok_or_else(|| no_class("there is no model in this file".to_owned()))?;
        self.tell_choice(&candidates, last)?;
        Ok(last)
    }

    /// A note if the file has a model that the chosen one is not made of: it might be meant.
    fn tell_choice(&mut self, candidates: &[ClassId], chosen: ClassId) -> Checked<()> {
        let mut parts = FxHashSet::default();
        let mut open = vec![chosen];
        while let Some(id) = open.pop() {
            if !parts.insert(id) {
                continue;
            }
            let names: FxHashSet<&str> = used_names(self.library.syntax(id)?).collect();
            open.extend(candidates.iter().copied().filter(|other| names.contains(&*self.library.classes[*other].name)));
        }
        let mut models = Vec::new();
        for id in candidates {
            if *id == chosen || !used_names(self.library.syntax(*id)?).any(|name| name == "ExternalObject") {
                models.push(*id);
            }
        }
        if models.iter().all(|id| parts.contains(id)) {
            return Ok(());
        }
        let names: Vec<String> = models.iter().map(|id| self.library.classes[*id].path.to_string()).collect();
        let text = format!("the file has {} models; the last one, `{}`, is taken", names.len(), self.library.classes[chosen].path);
        let note = Diagnostic::note("F002", text).with_note(format!("the file has {}", crate::frontend::flatten::list(&names)));
        self.reports.warnings.push(note.with_hint("choose another one with --model NAME"));
        Ok(())
    }
}

pub(super) fn is_model(kind: ClassKind) -> bool {
    matches!(kind, ClassKind::Model | ClassKind::Block | ClassKind::Class)
}

pub(super) fn elements_of(class: &ast::Class) -> impl std::iter::Iterator<Item = &ast::Element> {
    let sections = match &class.body {
        ast::ClassBody::Long(body) => body.sections.as_slice(),
        _ => &[],
    };
    sections.iter().flat_map(|section| match section {
        ast::Section::Elements { elements, .. } => elements.as_slice(),
        _ => &[],
    })
}

/// The last parts of the names of base classes and of the types of components.
fn used_names(class: &ast::Class) -> impl Iterator<Item = &str> {
    elements_of(class).filter_map(move |element| match element {
        Element::Extends { name, .. } => name.parts.last().map(|part| &*part.text),
        Element::Components(clause) => match &clause.type_spec.kind {
            TypeKind::Named(name) => name.parts.last().map(|part| &*part.text),
            TypeKind::Enumeration(_) => None,
        },
        _ => None,
    })
}
