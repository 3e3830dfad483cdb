//! Repairs what exporters leave out of flat models or write otherwise than the language has it: syntax tree to syntax tree.
//!
//! Input: a file without hierarchy, and libraries of the user. Output: the same with the functions that it calls and does not define, loops
//! around turns that a `break` leaves, and references in the place of names with subscripts inside the quotes.
//!
//! Method: `table` says, as data, which functions are supplied and on what evidence; `supplier` finds what is missing, from the model on;
//! `library_files` are texts of ours. Guarantee: what the file defines wins, then libraries of the user; every function that is supplied is
//! named in a note with the library it is taken from and the evidence (F030, F034), an approximation in a warning (F035); what nothing
//! shows stays unknown and is an error of flattening. Cost: linear in what the model reaches.
//!
//! Codes:
//!
//! | code | meaning |
//! |---|---|
//! | F030 | (note) a package of a component is taken from the library; the evidence |
//! | F031 | (note) a `break` outside of a loop leaves statements that are turns of one |
//! | F034 | (note) functions are taken from a library by their full names |
//! | F035 | (warning) a function that is supplied is an approximation of our own |

mod embedded;
mod evidence;
mod gases;
pub(crate) mod library_files;
mod mentions;
mod rewrite;
mod supplier;
mod table;
mod unrolled;

use crate::frontend::flatten::{Flattened, flatten_repaired};
use indexmap::IndexMap;
use partita_grammar::ast::{self, Class, ClassKind};
use partita_grammar::{Diagnostic, Source, parse, print};
use partita_runtime::native::access::FileAccess;
use rustc_hash::FxHashSet;
use std::fmt::Write;
use supplier::{Origin, Supplied, Supplier};
use table::APPROXIMATIONS;

/// A file with nothing missing that is known.
#[derive(Debug)]
pub struct Repaired {
    /// The syntax; classes that were supplied are the last ones.
    pub definition: ast::Definition,
    /// How many classes were supplied.
    pub n_supplied: usize,
    /// What was done.
    pub notes: Vec<Diagnostic>,
    text: String,
}

/// Repairs a file.
pub fn repair(mut definition: ast::Definition, libraries: &[&ast::Definition], model: Option<&str>) -> Repaired {
    let mut notes = Vec::new();
    rewrite::rewrite(&mut definition, &mut notes);
    let supplied = supplied(&definition, libraries, model);
    notes.extend(messages(&supplied));
    let text = describe(&supplied);
    let n_supplied = supplied.len();
    definition.classes.extend(supplied.into_iter().map(|supplied| supplied.class));
    Repaired { definition, n_supplied, notes, text }
}

/// The full names of functions of which texts of ours would be supplied: a library of the user may have them.
pub fn own_functions(definition: &ast::Definition, libraries: &[&ast::Definition], model: Option<&str>) -> Vec<String> {
    let supplied = supplied(definition, libraries, model);
    supplied.iter().filter(|one| one.class.kind == ClassKind::Function).filter_map(Supplied::library_name).collect()
}

/// What a file mentions, does not define, and is known.
fn supplied(definition: &ast::Definition, libraries: &[&ast::Definition], model: Option<&str>) -> Vec<Supplied> {
    Supplier::new(definition, libraries).supply(model)
}

/// The classes that a file without names that need repair lacks, for flattening a part of a model.
pub(crate) fn missing_classes(definition: &ast::Definition, model: &str) -> Vec<Class> {
    supplied(definition, &[], Some(model)).into_iter().map(|supplied| supplied.class).collect()
}

/// Repairs and flattens the named model, or the last one of the file.
pub fn flatten(definition: &ast::Definition, model: Option<&str>) -> Result<Flattened, Vec<Diagnostic>> {
    let mut repaired = repair(definition.clone(), &[], model);
    let mut flattened = flatten_repaired(&repaired.definition, repaired.n_supplied, &[], FileAccess::default(), model)?;
    repaired.notes.append(&mut flattened.warnings);
    Ok(Flattened { warnings: repaired.notes, ..flattened })
}

impl Repaired {
    /// What was supplied on what evidence, and the syntax.
    pub fn text(&self) -> String {
        format!("{}{}", self.text, print(&self.definition))
    }

    /// What is wrong with the result: classes that are there twice, and syntax that is printed as something else.
    pub fn verify(&self) -> Vec<String> {
        let mut names = FxHashSet::default();
        let n_own = self.definition.classes.len() - self.n_supplied;
        let twice = |class: &&Class| !names.insert(class.name.to_string());
        let mut wrong: Vec<String> =
            self.definition.classes[n_own..].iter().filter(twice).map(|class| format!("{} is supplied twice", class.name)).collect();
        let text = print(&self.definition);
        match parse(&Source { name: "repaired".to_owned(), text: text.clone() }) {
            Ok(again) if print(&again) == text => {}
            Ok(_) => wrong.push("its text is read as something else".to_owned()),
            Err(messages) => wrong.extend(messages.into_iter().map(|message| format!("its text cannot be read: {}", message.title))),
        }
        wrong
    }
}

/// A line for each function that was supplied.
fn describe(supplied: &[Supplied]) -> String {
    let mut text = String::new();
    for Supplied { path, origin, .. } in supplied {
        let _ = match origin {
            Origin::User => writeln!(text, "supplied {path}: from a library of the user, by its full name"),
            Origin::FullName => writeln!(text, "supplied {path}: from the texts of Partita, by its full name"),
            Origin::Package { package, evidence: Some(evidence), .. } => {
                writeln!(text, "supplied {path}: from the texts of Partita for {package}, since {evidence}")
            }
            Origin::Package { package, component, evidence: None } => {
                writeln!(text, "supplied {path}: from the texts of Partita for {package}, which {component} was taken to be")
            }
            Origin::Alias => writeln!(text, "another name {path}"),
        };
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Notes and warnings about what was supplied.
fn messages(supplied: &[Supplied]) -> Vec<Diagnostic> {
    let functions = || supplied.iter().filter(|one| one.class.kind == ClassKind::Function && !matches!(one.origin, Origin::Alias));
    let mut found = Vec::new();
    let mut packages: IndexMap<(&str, &str), Vec<&Supplied>> = IndexMap::new();
    for one in functions() {
        if let Origin::Package { package, component, .. } = &one.origin {
            packages.entry((component, package)).or_default().push(one);
        }
    }
    for ((component, package), members) in packages {
        let title = format!("`{component}` is taken to be `{package}` of the library, by texts of Partita");
        let names: Vec<&str> = members.iter().map(|one| one.path.as_str()).collect();
        let evidence = members.iter().find_map(|one| if let Origin::Package { evidence, .. } = &one.origin { *evidence } else { None });
        let mut note = Diagnostic::note("F030", title).at(members[0].span, "the file does not define this function");
        if let Some(evidence) = evidence {
            note = note.with_note(format!("the evidence: {evidence}"));
        }
        found.push(note.with_note(format!("supplied: {}", quoted_list(&names))));
    }
    for (is_user, library) in [(false, "texts of Partita for the Modelica Standard Library"), (true, "a library of the user")] {
        let members: Vec<&Supplied> = functions()
            .filter(|one| match one.origin {
                Origin::FullName => !is_user,
                Origin::User => is_user,
                _ => false,
            })
            .collect();
        let Some(first) = members.first() else { continue };
        let names: Vec<&str> = members.iter().map(|one| one.path.as_str()).collect();
        let (what, are) = match members.len() {
            1 => ("a function".to_owned(), "is"),
            n => (format!("{n} functions"), "are"),
        };
        found.push(
            Diagnostic::note("F034", format!("{what} that the file needs and does not define {are} taken from {library}"))
                .at(first.span, "the file does not define this function")
                .with_note("the evidence: their full names")
                .with_note(format!("supplied: {}", quoted_list(&names))),
        );
    }
    found.extend(approximations(supplied));
    found
}

/// All names, for none is supplied without a word.
fn quoted_list(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// A warning for each approximation among what was supplied.
fn approximations(supplied: &[Supplied]) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for (full, quality) in APPROXIMATIONS {
        let Some(one) = supplied.iter().find(|one| one.library_name().as_deref() == Some(full)) else { continue };
        if found.iter().all(|warning| !warning.title.contains(quality)) {
            found.push(
                Diagnostic::warning("F035", format!("`{}` is an approximation of Partita's own: {quality}", one.path))
                    .at(one.span, "what is computed here needs it")
                    .with_hint("a library with the original, given by --library, is taken instead"),
            );
        }
    }
    found
}
