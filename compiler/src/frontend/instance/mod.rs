//! Makes a model without hierarchy from classes with components, inheritance, modifications and connections.
//!
//! Input: a `Library` and the class to instantiate. Output: syntax of Base Modelica with one declaration per variable, for
//! `flatten`; every node has a place in the text of its class, seen through the instance (`Texts`).
//! Method: components are elaborated on demand, for a size or condition may refer to what is declared later; names are
//! resolved in class instances (`classes`), modifications are merged (`modification`), sizes and conditions evaluated
//! (`evaluate`), expressions rewritten to full names (`references`), connections made equations (`connect`).
//! Guarantee: every modification is applied or refused; what is not supported is refused by name, all in one message.
//! Cost: linear in the number of instances.
//!
//! | code | meaning |
//! |---|---|
//! | L001 | a file of a library cannot be read |
//! | L002 | a file of a library does not define its class |
//! | L003 | a package is not found |
//! | N001 | there is no such class, or it cannot be simulated |
//! | N002 | an unknown name |
//! | N003 | an unknown class, or something else where a class is needed |
//! | N004 | classes or declarations depend on themselves |
//! | N005 | a size or condition cannot be evaluated |
//! | N006 | constructs that are not supported |
//! | N007 | an `outer` component without `inner` |
//! | N008 | the standard library is not there: a small built-in set serves |
//! | N010 | a name that two base classes declare in different ways |
//! | N011 | an operator that a record does not have |
//! | M001 | a modification of something that does not exist |
//! | M002 | a modification of something that is final |
//! | M003 | a redeclaration that does not fit |
//! | M005 | a modification of something protected or `outer`, a value of a model |
//! | K001 | something that is no connector in a connection |
//! | K002 | connected connectors do not agree |
//! | K003 | roots and branches of overconstrained connectors contradict each other |
//! | K004 | a stream where there is none |

mod by_flattening;
mod classes;
mod connections;
mod declarations;
mod elaborate;
mod equations;
mod evaluate;
mod expandable;
mod functions;
mod graph;
mod hierarchical;
mod ids;
mod modification;
mod nodes;
mod operators;
mod predefined;
mod projections;
mod redeclaration;
mod references;
mod root;
mod streams;
mod tree;
mod values;

pub use hierarchical::is_hierarchical;

use crate::frontend::connect::Connections;
use crate::frontend::library::{Files, Library, Store};
use cranelift_entity::PrimaryMap;
use ids::{ClassInstId, InstId, Scope, ScopeId};
use indexmap::IndexMap;
use partita_grammar::ast::{self, ClassKind};
use partita_grammar::{Diagnostic, Region, Source, Span, Text, Texts};
use partita_runtime::model::overrides::Override;
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::sync::Arc;
use tree::{Functions, Instantiation, Output};

/// Where packages are looked for.
pub struct Search<'p> {
    /// Reads files.
    pub files: &'p dyn Files,
    /// Files and folders that the user names.
    pub named: &'p [PathBuf],
    /// Folders in which packages lie.
    pub roots: &'p [PathBuf],
}

/// A model without hierarchy.
pub struct Instantiated {
    /// Its syntax.
    pub definition: ast::Definition,
    /// Where its text comes from.
    pub texts: Texts,
    /// Notes and warnings.
    pub warnings: Vec<Diagnostic>,
    /// Text of `dump --pass instance`.
    pub tree: String,
    /// Text of `dump --pass connections`.
    pub connections: String,
}

/// Where a message lies when the texts are known.
pub type Failed = Vec<Diagnostic>;

/// What is to be instantiated.
#[derive(Copy, Clone, Default)]
pub struct Asked<'a> {
    /// The class; the last model of the file if none is named.
    pub model: Option<&'a str>,
    /// Values that take the place of bindings.
    pub given: &'a [Override],
    /// Whether the texts of `dump` are wanted.
    pub with_trees: bool,
}

/// Instantiates a class of a file, which may be parsed already.
pub fn instantiate(
    source: &Source,
    parsed: Option<ast::Definition>,
    asked: &Asked<'_>,
    search: &Search<'_>,
) -> Result<Instantiated, Failed> {
    let store = Store::default();
    let text = Arc::new(Text { name: source.name.clone(), text: source.text.clone() });
    let mut library = Library::new(&store, search.files, search.roots.to_vec());
    for path in search.named {
        library.add_named(path).map_err(|error| vec![*error])?;
    }
    if !source.text.is_empty() {
        library.add_given(text.clone(), parsed).map_err(|error| vec![*error])?;
    }
    let length = u32::try_from(source.text.len()).unwrap_or(u32::MAX);
    let mut work = Instantiation::new(library, Texts::behind(length, text), asked.given);
    let outcome = work.root(asked.model).and_then(|root| work.write(root));
    let mut errors = std::mem::take(&mut work.reports.errors);
    let definition = match outcome {
        Ok(definition) => definition,
        Err(error) => {
            errors.push(*error);
            ast::Definition { dialect: ast::Dialect::Base, within: None, classes: Vec::new() }
        }
    };
    errors.extend(work.refusal_message());
    if !errors.is_empty() {
        errors.iter_mut().for_each(|error| error.resolve(&work.texts));
        return Err(errors);
    }
    if work.library.uses_basics() {
        let note =
            Diagnostic::note("N008", "the package `Modelica` is not found: its units, constants and elementary functions are built in");
        work.reports
            .warnings
            .push(note.with_hint("with the standard library in ~/.openmodelica/libraries or on MODELICAPATH, its text is used"));
    }
    let (mut tree, mut connections) = (String::new(), String::new());
    if asked.with_trees {
        (tree, connections) = (work.print_tree(), work.print_connections());
    }
    Ok(Instantiated { definition, texts: work.texts, warnings: work.reports.warnings, tree, connections })
}

impl<'s> Instantiation<'s> {
    fn new(library: Library<'s>, texts: Texts, given: &[Override]) -> Instantiation<'s> {
        Instantiation {
            library,
            insts: PrimaryMap::new(),
            packages: FxHashMap::default(),
            unsaid: Default::default(),
            members: PrimaryMap::new(),
            variables: PrimaryMap::new(),
            texts,
            given: given.iter().map(|g| (g.name.clone(), g.value.clone())).collect(),
            functions: Functions::default(),
            connections: Connections::default(),
            connected: None,
            ranks: FxHashMap::default(),
            streams: None,
            overconstrained: Default::default(),
            made_inner: Vec::new(),
            out: Output::default(),
            classes: crate::frontend::instance::tree::ClassInstances {
                class_insts: PrimaryMap::new(),
                checked: Default::default(),
                sizing: Default::default(),
                listing: Default::default(),
                listing_met: 0,
                class_inst_ids: FxHashMap::default(),
                lookups: FxHashMap::default(),
                redeclared: FxHashMap::default(),
            },
            contexts: crate::frontend::instance::tree::Contexts {
                scopes: PrimaryMap::new(),
                scope_ids: FxHashMap::default(),
                places: FxHashMap::default(),
            },
            reports: crate::frontend::instance::tree::InstanceReports {
                errors: Vec::new(),
                warnings: Vec::new(),
                refusals: IndexMap::new(),
            },
            found: crate::frontend::instance::tree::ModelTraits { has_operator_records: false, has_buses: false, loops: 0 },
        }
    }

    /// The scope of these; the top level for neither.
    fn scope(&mut self, inst: Option<InstId>, class: Option<ClassInstId>) -> ScopeId {
        // The top level has no text of its own; messages then speak of whatever comes first.
        let Some(class) = class.or_else(|| self.classes.class_insts.keys().next()) else { return ScopeId(0) };
        let scope = Scope { inst, class };
        match self.contexts.scope_ids.get(&scope) {
            Some(known) => *known,
            None => {
                let id = self.contexts.scopes.push(scope);
                self.contexts.scope_ids.insert(scope, id);
                id
            }
        }
    }

    /// The scope of a class by itself.
    fn class_scope(&mut self, class: ClassInstId) -> ScopeId {
        self.scope(None, Some(class))
    }

    /// The place of a span of the text of a scope.
    fn place(&mut self, span: Span, scope: ScopeId) -> Span {
        let Some(Scope { inst, class }) = self.contexts.scopes.get(scope).copied() else { return span };
        let entry = &self.library.classes[self.classes.class_insts[class].class];
        let (offset, length) = entry.range;
        let base = match self.contexts.places.get(&scope) {
            Some(base) => *base,
            None => {
                let role = match inst.map(|inst| &self.insts[inst]) {
                    Some(inst) if !inst.name.is_empty() => format!("in {} : {}", inst.name, self.class_path(inst.class)),
                    _ if entry.from_library => format!("in {}", entry.path),
                    _ => String::new(),
                };
                let text = entry.text.clone();
                let base = self.texts.add(Region { text, offset, length, role: Arc::from(role.as_str()) }).unwrap_or(0);
                self.contexts.places.insert(scope, base);
                base
            }
        };
        let moved = |at: u32| base.saturating_add(at.saturating_sub(offset));
        Span { start: moved(span.start), end: moved(span.end) }
    }

    /// An error at a place.
    fn fail(&mut self, code: &'static str, text: impl Into<String>, span: Span, scope: ScopeId) -> Box<Diagnostic> {
        let place = self.place(span, scope);
        Box::new(Diagnostic::error(code, text).at(place, ""))
    }

    /// Notes a construct that is not supported.
    fn refuse(&mut self, what: impl Into<String>, span: Span, scope: ScopeId) {
        let what = what.into();
        if !self.reports.refusals.contains_key(&what) {
            let place = self.place(span, scope);
            self.reports.refusals.insert(what, place);
        }
    }

    fn refusal_message(&self) -> Option<Diagnostic> {
        let (_, first) = self.reports.refusals.first()?;
        let names: Vec<&str> = self.reports.refusals.keys().map(String::as_str).collect();
        let message = Diagnostic::error("N006", format!("not supported yet: {}", names.join(", "))).at(*first, "used here");
        Some(message.with_hint("OpenModelica 1.24 or newer exports the model so that Partita can read it; see `partita run --help`"))
    }
}

/// The classes of a model inside one package, as files of Base Modelica have them.
pub fn packaged(definition: ast::Definition) -> ast::Definition {
    // Flat files of OpenModelica have dots in their names, which only they may have: they stay what they are.
    if definition.dialect == ast::Dialect::OmcFlat {
        return definition;
    }
    let [.., model] = definition.classes.as_slice() else { return definition };
    let (name, span) = (model.name.clone(), model.span);
    if model.kind == ClassKind::Package {
        return definition;
    }
    let elements = definition.classes.into_iter().map(|class| ast::Element::Class(Box::new(class))).collect();
    let sections = vec![ast::Section::Elements { visibility: ast::Visibility::Default, elements }];
    let body = ast::ClassBody::Long(ast::LongBody { sections, ..ast::LongBody::default() });
    let package =
        ast::Class { kind: ClassKind::Package, prefixes: Default::default(), name, description: None, body, constraint: None, span };
    ast::Definition { dialect: ast::Dialect::Base, within: None, classes: vec![package] }
}
