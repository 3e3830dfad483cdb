//! Finds the classes that a file mentions and does not define, and supplies those that the table knows.
//!
//! Method: the mentions of the model are resolved, then those of every class that this reaches, in the order of the text. What the file
//! defines wins, then what libraries of the user define, then the texts of `compiler/library`. A function of a package that a component may
//! exchange is found by its last names, but only on the evidence of the table. What such a function mentions of its own package is looked
//! for in the component's package first: the file may define it, and only the file knows the data of a medium.
//! Cost: linear in the classes that the model reaches.

use super::library_files::{index, our_class};
use super::mentions::{Interest, Mention, Use, declares, mentions};
use super::table::{Evidence, INSTANCES};
use crate::frontend::flatten::builtins::builtin_named;
use crate::frontend::flatten::lookup::{ClassEntry, ClassTable};
use crate::frontend::flatten::names::name_text;
use indexmap::IndexMap;
use partita_grammar::Span;
use partita_grammar::ast::{self, Class, ClassBody, ClassKind, Ident, TypeKind, TypeSpec};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;

/// A class that was missing.
#[derive(Clone, Debug)]
pub(super) struct Supplied {
    pub(super) path: String,
    pub(super) class: Class,
    pub(super) origin: Origin,
    /// What in the file led there.
    pub(super) span: Span,
}

/// Where a supplied class comes from.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// A library of the user.
    User,
    /// A text of ours of the same full name.
    FullName,
    /// A text of ours of a package that stands for one of a component; without evidence, because others of the package were taken.
    Package { package: &'static str, component: String, evidence: Option<&'static Evidence> },
    /// Another name.
    Alias,
}

impl Supplied {
    /// The full name of the class in the library that it is a text of ours for.
    pub(super) fn library_name(&self) -> Option<String> {
        match &self.origin {
            Origin::FullName => Some(self.path.clone()),
            Origin::Package { package, component, .. } => {
                let tail = self.path.strip_prefix(component.as_str());
                Some(tail.map_or_else(|| self.path.clone(), |tail| format!("{package}{tail}")))
            }
            Origin::User | Origin::Alias => None,
        }
    }
}

/// The state of one search.
pub(super) struct Supplier<'a> {
    pub(super) classes: ClassTable<'a>,
    users: Vec<ClassTable<'a>>,
    interest: Interest,
    /// Packages of components that were found in the library, and which they are there.
    instances: FxHashMap<String, Vec<&'static str>>,
    /// The data of the gases of media, once they are needed.
    pub(super) gases: FxHashMap<String, Vec<String>>,
    /// The texts of the file's assertions, once they are needed.
    pub(super) said: Option<FxHashSet<String>>,
    /// By their full names.
    found: IndexMap<String, Supplied>,
    /// Mentions to resolve, with the class that has them and the place in the file that led there.
    open: VecDeque<(Mention, Rc<str>, Span)>,
    seen: FxHashSet<(Rc<str>, String, Use)>,
    looked_into: FxHashSet<Rc<str>>,
}

impl<'a> Supplier<'a> {
    pub(super) fn new(definition: &'a ast::Definition, libraries: &[&'a ast::Definition]) -> Supplier<'a> {
        let classes = ClassTable::new(definition, 0);
        let users: Vec<ClassTable<'a>> = libraries.iter().map(|library| ClassTable::new(library, 0)).collect();
        let first = |path: &str| path.split('.').next().unwrap_or_default().to_owned();
        let of_users = users.iter().flat_map(|table| table.by_path.keys()).map(|path| first(path));
        let last = |path: &String| path.rsplit('.').next().unwrap_or_default().to_owned();
        let interest = Interest {
            roots: of_users.chain(index().keys().map(|path| first(path))).collect(),
            hiding: classes.by_path.keys().map(last).filter(|name| builtin_named(name).is_some()).collect(),
        };
        Supplier {
            classes,
            users,
            interest,
            instances: FxHashMap::default(),
            gases: FxHashMap::default(),
            said: None,
            found: IndexMap::new(),
            open: VecDeque::new(),
            seen: FxHashSet::default(),
            looked_into: FxHashSet::default(),
        }
    }

    /// All that the models of the file need.
    pub(super) fn supply(mut self, model: Option<&str>) -> Vec<Supplied> {
        for entry in self.roots(model) {
            self.look_into(&entry);
        }
        while let Some((mention, context, span)) = self.open.pop_front() {
            self.resolve(&mention, &context, span);
        }
        self.found.into_values().collect()
    }

    /// The model that is wanted, or the last one, and the constants of packages.
    fn roots(&self, model: Option<&str>) -> Vec<ClassEntry<'a>> {
        let is_wanted = |entry: &&ClassEntry<'a>| match model {
            Some(wanted) => &*entry.path == wanted || entry.path.rsplit('.').next() == Some(wanted),
            None => {
                let parent = self.classes.by_path.get(&*entry.enclosing);
                !entry.class.prefixes.partial && parent.is_none_or(|parent| parent.class.kind == ClassKind::Package)
            }
        };
        let packages = self.classes.package_components.iter().filter_map(|(path, _)| self.classes.by_path.get(&**path));
        packages.chain(self.classes.models.iter().rfind(is_wanted)).cloned().collect()
    }

    /// The mentions of a class of the file are to be resolved.
    fn look_into(&mut self, entry: &ClassEntry<'a>) {
        if self.looked_into.insert(entry.path.clone()) {
            self.open.extend(mentions(entry.class, &self.interest).into_iter().map(|mention| {
                let span = mention.span;
                (mention, entry.path.clone(), span)
            }));
        }
    }

    fn resolve(&mut self, mention: &Mention, context: &Rc<str>, span: Span) {
        let (mut name, is_call) = (mention.name.clone(), matches!(mention.how, Use::Call | Use::Argument));
        if mention.how == Use::Literal {
            // The type of a literal.
            let Some((ty, _)) = name.rsplit_once('.') else { return };
            name = ty.trim_matches('\'').to_owned();
        }
        if !self.seen.insert((context.clone(), name.clone(), mention.how)) {
            return;
        }
        let builtin = |name: &str| builtin_named(name).is_some();
        let last = name.strip_prefix("Modelica.Math.").unwrap_or(&name).to_owned();
        if builtin(&last) {
            // A built-in function has a class of its own only where it is passed; a variable may have its name.
            let is_passed = mention.how == Use::Argument && (last != name || !self.declares_in(context, &name));
            if is_passed && self.classes.find(&name, context).is_none() {
                self.take_from_library(&format!("Modelica.Math.{last}"), span);
            }
            if let Some(entry) = self.classes.find(&name, context).cloned() {
                self.look_into(&entry);
            }
            return;
        }
        if let Some(entry) = self.classes.find(&name, context).cloned() {
            self.look_into(&entry);
            return;
        }
        if self.same_package(&name, context, span) || self.take_from_library(&name, span) || !is_call {
            return;
        }
        self.instance_function(&name, context, span);
    }

    fn declares_in(&self, context: &str, name: &str) -> bool {
        let body = self.classes.by_path.get(context).map(|entry| &entry.class.body);
        matches!(body, Some(ClassBody::Long(body)) if declares(body, name))
    }

    /// Adds a class, unless it is there; what it mentions is to be resolved.
    fn add(&mut self, path: &str, class: Class, origin: Origin, span: Span) {
        if self.found.contains_key(path) {
            return;
        }
        let class = named(class, path);
        let context: Rc<str> = Rc::from(path);
        self.open.extend(mentions(&class, &self.interest).into_iter().map(|mention| (mention, context.clone(), span)));
        self.found.insert(path.to_owned(), Supplied { path: path.to_owned(), class, origin, span });
    }

    /// Seen from inside of `scope`, a name stands for the class of another one.
    fn alias(&mut self, scope: &str, name: &str, target: &str, span: Span) {
        let path = if scope.is_empty() { name.to_owned() } else { format!("{scope}.{name}") };
        if path == target || self.found.contains_key(&path) {
            return;
        }
        let target_name = ast::Name { global: false, parts: vec![quoted(target)], span: Span::default() };
        let base = TypeSpec { kind: TypeKind::Named(target_name), dims: Vec::new(), span: Span::default() };
        let body = ClassBody::Short { causality: ast::Causality::None, base, modification: Vec::new(), annotation: None };
        let known = self.found.get(target).map(|supplied| supplied.class.kind);
        let kind = known.or_else(|| self.classes.find(target, "").map(|entry| entry.class.kind)).unwrap_or(ClassKind::Function);
        let name = ast::Name { global: false, parts: vec![quoted(&path)], span: Span::default() };
        let class = Class { kind, prefixes: Default::default(), name, description: None, body, constraint: None, span: Span::default() };
        self.found.insert(path.clone(), Supplied { path, class, origin: Origin::Alias, span });
    }

    /// The class of the component's package that a library function inside it means by the name of its own package.
    fn same_package(&mut self, name: &str, context: &str, span: Span) -> bool {
        let mut inner = context;
        let (prefix, tail, package) = loop {
            let Some(end) = inner.rfind('.') else { return false };
            inner = &inner[..end];
            let packages = self.instances.get(inner).map_or(&[][..], Vec::as_slice);
            let mut tails = packages.iter().filter_map(|package| Some((name.strip_prefix(package)?.strip_prefix('.')?, *package)));
            if let Some((tail, package)) = tails.next() {
                break (inner.to_owned(), tail.to_owned(), package);
            }
        };
        let path = format!("{prefix}.{tail}");
        if let Some(entry) = self.of_component(&prefix, &tail) {
            self.look_into(&entry);
            self.alias(&prefix, name, &entry.path, span);
            return true;
        }
        let origin = || Origin::Package { package, component: prefix.clone(), evidence: None };
        if let Some(class) = self.with_gases(name, package, &prefix) {
            self.add(&path, class, origin(), span);
            self.alias(&prefix, name, &path, span);
            return true;
        }
        // What takes a state takes that of the component.
        let Some((class, from_user)) = self.library_class(name).filter(|(class, _)| super::evidence::takes_state(class, package)) else {
            return false;
        };
        self.add(&path, class, if from_user { Origin::User } else { origin() }, span);
        self.alias(&prefix, name, &path, span);
        true
    }

    /// The file's class of a component's package. Records are named by the path of the component inside the model, functions by
    /// that of the model too.
    pub(super) fn of_component(&self, package: &str, tail: &str) -> Option<ClassEntry<'a>> {
        let starts = std::iter::once(0).chain(package.match_indices('.').map(|(at, _)| at + 1));
        starts.map(|start| format!("{}.{tail}", &package[start..])).find_map(|name| self.classes.find(&name, "").cloned())
    }

    /// The class of this name in a library, and whether that is the user's.
    fn library_class(&self, name: &str) -> Option<(Class, bool)> {
        let users = self.users.iter().find_map(|table| table.find(name, "")).map(|entry| (entry.class.clone(), true));
        users.or_else(|| our_class(name).map(|class| (class, false)))
    }

    /// A class by its full name.
    fn take_from_library(&mut self, name: &str, span: Span) -> bool {
        let Some((class, from_user)) = self.library_class(name) else { return false };
        self.add(name, class, if from_user { Origin::User } else { Origin::FullName }, span);
        true
    }

    /// The library's function that a function of a component's package stands for, called inside `context`.
    fn instance_function(&mut self, name: &str, context: &str, span: Span) {
        for instance in &INSTANCES {
            let Some(end) = package_end(name, instance.name) else { continue };
            let (component, tail) = (&name[..end], &name[end + 1..]);
            let full = format!("{}.{tail}", instance.package);
            let Some((class, from_user)) = self.library_class(&full) else { continue };
            if !self.is_shown(&instance.evidence, component, tail, context) {
                continue;
            }
            let known = self.instances.entry(component.to_owned()).or_default();
            if !known.contains(&instance.package) {
                known.push(instance.package);
            }
            let evidence = Some(&instance.evidence);
            let origin = match from_user {
                true => Origin::User,
                false => Origin::Package { package: instance.package, component: component.to_owned(), evidence },
            };
            if instance.name != "Medium" {
                self.add(&full, class, origin, span);
                self.alias("", name, &full, span);
                return;
            }
            // The function is one of the component: what it mentions is looked for there, since only the file knows the medium.
            let class = self.with_gases(&full, instance.package, component).unwrap_or(class);
            self.add(name, class, origin, span);
            return;
        }
    }
}

/// Where the package of a component ends in the name of a function, without the last dot: behind the last part of this name.
/// Media also go by names such as `Medium_1`, and gases are packages of their own.
fn package_end(name: &str, instance: &str) -> Option<usize> {
    let mut end = 0;
    let mut found = None;
    let mut parent = "";
    for part in name.split('.') {
        end += part.len();
        let is_it =
            part == instance || (instance == "Medium" && (part.starts_with("Medium") || matches!(parent, "SingleGases" | "MixtureGases")));
        if is_it && end < name.len() {
            found = Some(end);
        }
        end += 1;
        parent = part;
    }
    found
}

fn quoted(path: &str) -> Ident {
    Ident { text: format!("'{path}'").as_str().into(), span: Span::default() }
}

/// A class under its full name.
fn named(mut class: Class, path: &str) -> Class {
    if name_text(&class.name) != path {
        class.name.parts = vec![quoted(path)];
        if let ClassBody::Long(body) = &mut class.body
            && let Some(end) = &mut body.end_name
        {
            end.parts = vec![quoted(path)];
        }
    }
    class
}
