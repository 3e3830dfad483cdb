//! Finds the model of a file, and classes as seen from where they are used.

use super::lookup::{ClassEntry, list, nearest};
use super::names::name_text;
use super::{Checked, Flattener};
use partita_grammar::Diagnostic;
use partita_grammar::ast::{Class, ClassKind, Definition};
use std::rc::Rc;

impl<'a> Flattener<'a> {
    /// The class to flatten.
    pub(super) fn find_model(&mut self, definition: &'a Definition, wanted: Option<&str>) -> Checked<&'a Class> {
        for (first, second) in std::mem::take(&mut self.classes.duplicates) {
            let name = name_text(&second.name);
            self.error(
                Diagnostic::error("F004", format!("`{name}` is defined twice"))
                    .at(second.name.span, "second definition")
                    .at(first.name.span, "first definition"),
            );
        }
        let models = &self.classes.models;
        let found = match wanted {
            Some(wanted) => {
                let last = |entry: &ClassEntry| entry.path.rsplit('.').next() == Some(wanted);
                let exact = models.iter().find(|m| &*m.path == wanted).or_else(|| models.iter().rev().find(|m| last(m)));
                let Some(entry) = exact.cloned() else {
                    let known: Vec<&str> = models.iter().map(|m| &*m.path).collect();
                    let mut error = Diagnostic::error("F001", format!("there is no model `{wanted}` in this file"));
                    if !known.is_empty() {
                        error = error.with_note(format!("the file has {}", list(&known)));
                    }
                    if let Some(near) = nearest(wanted, known.iter().copied()) {
                        error = error.with_hint(format!("did you mean `{near}`?"));
                    }
                    return Err(self.error(error));
                };
                entry
            }
            None => {
                // Classes inside the model are parts of it, not models to choose.
                let candidates: Vec<ClassEntry> = models
                    .iter()
                    .filter(|m| !m.class.prefixes.partial)
                    .filter(|m| {
                        let parent = self.classes.by_path.get(&*m.enclosing);
                        parent.is_none_or(|p| p.class.kind == ClassKind::Package)
                    })
                    .cloned()
                    .collect();
                let Some(last) = candidates.last().cloned() else {
                    let error = no_model(definition, models);
                    return Err(self.error(error));
                };
                if candidates.len() > 1 {
                    let names: Vec<&str> = candidates.iter().map(|c| &*c.path).collect();
                    self.warn(
                        Diagnostic::note("F002", format!("the file has {} models; the last one, `{}`, is taken", names.len(), last.path))
                            .at(last.class.name.span, "")
                            .with_note(format!("the file has {}", list(&names)))
                            .with_hint("choose another one with --model NAME"),
                    );
                }
                last
            }
        };
        self.model.name = found.path.to_string();
        Ok(found.class)
    }

    /// The full path of a class of the file.
    pub(super) fn path_of(&self, class: &Class) -> Rc<str> {
        // Only the model and its base classes are asked, so a search by name is enough.
        self.classes
            .models
            .iter()
            .find(|entry| std::ptr::eq(entry.class, class))
            .map_or_else(|| Rc::from(name_text(&class.name).as_str()), |entry| entry.path.clone())
    }
}

/// What a file without a model to run has instead.
fn no_model(definition: &Definition, models: &[ClassEntry]) -> Diagnostic {
    if let Some(partial) = models.iter().rev().find(|model| model.class.prefixes.partial) {
        let (kind, name) = (partial.class.kind.word(), &partial.path);
        return Diagnostic::error("F001", format!("`{name}` is a partial {kind}, which is not complete by itself"))
            .at(partial.class.name.span, "declared as `partial`")
            .with_hint(format!("remove `partial`, or run a model that extends `{name}`, flattened by another tool"));
    }
    let error = Diagnostic::error("F001", "there is no model in this file");
    let Some(class) = definition.classes.first() else { return error };
    let error = error.at(class.name.span, format!("this is a {}", class.kind.word()));
    if definition.classes.iter().all(|class| class.kind == ClassKind::Function) {
        return error
            .with_hint("functions run as part of a model that calls them: `partita run Model.mo --library FILE` adds those of a file");
    }
    error
}
