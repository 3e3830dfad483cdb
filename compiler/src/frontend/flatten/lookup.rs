//! Finds classes by name, the model of a file, and variables whose elements are declared one by one.
//!
//! Input: the classes of a file. Output: a table from full class names to classes, and a tree of declared names in which
//! `a` and `a.b` are found although only `a[1].b`, `a[2].b` are declared.
//!
//! Guarantee: lookup of a class tries the enclosing classes from the inside out, then the file; imports of those classes
//! count. Built-in functions are hidden by classes only, not by parts of names with dots. Cost: O(text) to build; the tree is built only when a name is not found directly.

use super::names::name_text;
use indexmap::IndexMap;
use partita_grammar::ast::{Class, ClassBody, ClassKind, ComponentClause, Definition, Dialect, Element, ImportTail, Section, TypeKind};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A class and where it stands.
#[derive(Clone)]
pub(in crate::frontend) struct ClassEntry<'a> {
    pub(in crate::frontend) class: &'a Class,
    /// Path of the enclosing classes, empty for the file.
    pub(in crate::frontend) enclosing: Rc<str>,
    /// Full path of the class itself.
    pub(in crate::frontend) path: Rc<str>,
    /// Not in the user's file.
    pub(in crate::frontend) from_library: bool,
}

/// Classes by full name.
pub(in crate::frontend) struct ClassTable<'a> {
    pub(in crate::frontend) by_path: FxHashMap<String, ClassEntry<'a>>,
    /// `(class path + "." + local name)` to the imported full name.
    imports: FxHashMap<String, String>,
    /// `import A.*` of a class.
    wildcard_imports: FxHashMap<String, Vec<String>>,
    /// Models, blocks and classes in order of the file.
    pub(in crate::frontend) models: Vec<ClassEntry<'a>>,
    /// Components of packages, with the path of the package.
    pub(in crate::frontend) package_components: Vec<(Rc<str>, &'a ComponentClause)>,
    /// Classes declared twice.
    pub(in crate::frontend) duplicates: Vec<(&'a Class, &'a Class)>,
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn elements_of(class: &Class) -> impl std::iter::Iterator<Item = &Element> {
    let sections: &[Section] = match &class.body {
        ClassBody::Long(body) => &body.sections,
        _ => &[],
    };
    sections.iter().flat_map(|section| match section {
        Section::Elements { elements, .. } => elements.as_slice(),
        _ => &[],
    })
}

impl<'a> ClassTable<'a> {
    /// The classes of a file, of which the last `n_supplied` are not the user's.
    pub(in crate::frontend) fn new(definition: &'a Definition, n_supplied: usize) -> ClassTable<'a> {
        let mut table = ClassTable {
            by_path: FxHashMap::default(),
            imports: FxHashMap::default(),
            wildcard_imports: FxHashMap::default(),
            models: Vec::new(),
            package_components: Vec::new(),
            duplicates: Vec::new(),
        };
        let root: Rc<str> = Rc::from("");
        // Nesting of classes is bounded by the parser; the stack keeps file order by pushing backwards.
        let mut stack: Vec<(&'a Class, Rc<str>)> = definition.classes.iter().rev().map(|c| (c, root.clone())).collect();
        while let Some((class, enclosing)) = stack.pop() {
            let wrapper = class.kind == ClassKind::Package && definition.dialect == Dialect::Base && enclosing.is_empty();
            let inner = if wrapper {
                root.clone()
            } else {
                let path: Rc<str> = Rc::from(joined(&enclosing, &name_text(&class.name)).as_str());
                let entry = ClassEntry { class, enclosing: enclosing.clone(), path: path.clone(), from_library: false };
                if matches!(class.kind, ClassKind::Model | ClassKind::Block | ClassKind::Class) && !is_external_object(class) {
                    table.models.push(entry.clone());
                }
                if let Some(first) = table.by_path.insert(path.to_string(), entry) {
                    table.duplicates.push((first.class, class));
                }
                path
            };
            let mut nested = Vec::new();
            for element in elements_of(class) {
                match element {
                    Element::Class(c) => nested.push((c.as_ref(), inner.clone())),
                    Element::Import(import) => {
                        let target = name_text(&import.name);
                        match &import.tail {
                            ImportTail::All => {
                                table.wildcard_imports.entry(inner.to_string()).or_default().push(target);
                            }
                            ImportTail::List(names) => {
                                for name in names {
                                    let name = name.unquoted();
                                    table.imports.insert(joined(&inner, name), joined(&target, name));
                                }
                            }
                            ImportTail::None => {
                                let alias = import.alias.as_ref().or(import.name.parts.last());
                                if let Some(alias) = alias {
                                    table.imports.insert(joined(&inner, alias.unquoted()), target);
                                }
                            }
                        }
                    }
                    Element::Components(clause) if class.kind == ClassKind::Package => {
                        table.package_components.push((inner.clone(), clause));
                    }
                    _ => {}
                }
            }
            stack.extend(nested.into_iter().rev());
        }
        table.mark_supplied(&definition.classes[definition.classes.len() - n_supplied..]);
        table
    }

    /// Marks what is not the user's; another name of a class stands for the class itself.
    fn mark_supplied(&mut self, classes: &[Class]) {
        for class in classes {
            if let Some(entry) = self.by_path.get_mut(&name_text(&class.name)) {
                entry.from_library = true;
            }
        }
        for class in classes {
            let ClassBody::Short { base, .. } = &class.body else { continue };
            let TypeKind::Named(target) = &base.kind else { continue };
            if class.kind == ClassKind::Type || !base.dims.is_empty() {
                continue;
            }
            if let Some(entry) = self.by_path.get(&name_text(target)).cloned() {
                self.by_path.insert(name_text(&class.name), entry);
            }
        }
    }

    /// The class of a name as seen from inside `context`.
    pub(in crate::frontend) fn find(&self, name: &str, context: &str) -> Option<&ClassEntry<'a>> {
        let mut scope = context;
        loop {
            if let Some(entry) = self.find_in(name, scope) {
                return Some(entry);
            }
            if scope.is_empty() {
                return None;
            }
            scope = scope.rfind('.').map_or("", |dot| &scope[..dot]);
        }
    }

    /// Like `find` for a name that also means something everywhere: only classes that are there hide it. In flat Modelica
    /// `P.exp` is the whole name of a function, and `exp` inside it is the exponential, not the function itself.
    pub(in crate::frontend) fn find_hiding(&self, name: &str, context: &str) -> Option<&ClassEntry<'a>> {
        let mut scope = context;
        while !scope.is_empty() {
            if self.by_path.contains_key(scope)
                && let Some(entry) = self.find_in(name, scope)
            {
                return Some(entry);
            }
            scope = scope.rfind('.').map_or("", |dot| &scope[..dot]);
        }
        self.find_in(name, "")
    }

    fn find_in(&self, name: &str, scope: &str) -> Option<&ClassEntry<'a>> {
        if scope.is_empty() {
            if let Some(entry) = self.by_path.get(name) {
                return Some(entry);
            }
        } else if let Some(entry) = self.by_path.get(&joined(scope, name)) {
            return Some(entry);
        }
        if !self.imports.is_empty() {
            let (first, rest) = name.split_once('.').map_or((name, None), |(f, r)| (f, Some(r)));
            if let Some(target) = self.imports.get(&joined(scope, first)) {
                let full = rest.map_or_else(|| target.clone(), |r| joined(target, r));
                if let Some(entry) = self.by_path.get(&full) {
                    return Some(entry);
                }
            }
        }
        let packages = self.wildcard_imports.get(scope)?;
        packages.iter().find_map(|package| self.by_path.get(&joined(package, name)))
    }

    /// The full names that a name may stand for by the imports that are seen from inside `context`, the nearest first.
    pub(in crate::frontend) fn imported(&self, name: &str, context: &str) -> Vec<String> {
        let (first, rest) = name.split_once('.').map_or((name, None), |(first, rest)| (first, Some(rest)));
        let mut found = Vec::new();
        let mut scope = Some(context).filter(|_| !self.imports.is_empty() || !self.wildcard_imports.is_empty());
        while let Some(inside) = scope {
            let target = self.imports.get(&joined(inside, first));
            found.extend(target.map(|target| rest.map_or_else(|| target.clone(), |rest| joined(target, rest))));
            let packages = self.wildcard_imports.get(inside).into_iter().flatten();
            found.extend(packages.map(|package| joined(package, name)));
            scope = (!inside.is_empty()).then(|| inside.rfind('.').map_or("", |dot| &inside[..dot]));
        }
        found
    }

    /// All class names, sorted, for suggestions.
    pub(in crate::frontend) fn paths(&self) -> Vec<&str> {
        let mut paths: Vec<&str> = self.by_path.values().map(|entry| &*entry.path).collect();
        paths.sort_unstable();
        paths
    }
}

/// `class X extends ExternalObject; ...`
pub(in crate::frontend) fn is_external_object(class: &Class) -> bool {
    elements_of(class).any(|e| matches!(e, Element::Extends { name, .. } if name_text(name) == "ExternalObject"))
}

/// `a, b, c and 14 more`.
pub(in crate::frontend) fn list<S: AsRef<str>>(names: &[S]) -> String {
    const SHOWN: usize = 10;
    let mut text = names.iter().take(SHOWN).map(|n| format!("`{}`", n.as_ref())).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}

/// The most similar name, if one is similar enough to be what was meant.
pub(in crate::frontend) fn nearest<'n>(wanted: &str, names: impl std::iter::IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let limit = (wanted.chars().count() / 4).clamp(1, 4);
    let wanted_lower = wanted.to_lowercase();
    let mut best: Option<(usize, &str)> = None;
    for name in names {
        if name.len().abs_diff(wanted.len()) > limit * 4 {
            continue;
        }
        let distance = if name.to_lowercase() == wanted_lower { 0 } else { edit_distance(wanted, name, limit) };
        if distance <= limit && best.is_none_or(|(d, n)| (distance, name) < (d, n)) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

/// Optimal string alignment distance; `limit + 1` stands for anything larger than `limit`.
fn edit_distance(a: &str, b: &str, limit: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut current = vec![i];
        for j in 1..=b.len() {
            let substitute = previous[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut cost = substitute.min(previous[j] + 1).min(current[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cost = cost.min(before[j - 2] + 1);
            }
            current.push(cost);
        }
        if current.iter().min().is_some_and(|m| *m > limit) {
            return limit + 1;
        }
        before = std::mem::replace(&mut previous, current);
    }
    previous[b.len()]
}

/// One step of a declared name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::frontend) enum Segment<'s> {
    Name(&'s str),
    Subscripts(Vec<usize>),
}

/// Splits `a[1].b.c[2,3]` into its steps. Subscripts that are not numbers stay part of the name.
pub(in crate::frontend) fn segments(name: &str) -> Vec<Segment<'_>> {
    segments_with(name, &|_| None)
}

fn segments_with<'s>(name: &'s str, position: &dyn Fn(&str) -> Option<usize>) -> Vec<Segment<'s>> {
    let mut found = Vec::new();
    let bytes = name.as_bytes();
    let mut start = 0;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'.' => {
                if at > start {
                    found.push(Segment::Name(&name[start..at]));
                }
                at += 1;
                start = at;
            }
            b'[' => {
                let close = name[at..].find(']').map(|n| at + n);
                let numbers: Option<Vec<usize>> =
                    close.and_then(|c| name[at + 1..c].split(',').map(|s| s.trim().parse().ok().or_else(|| position(s))).collect());
                if let (Some(close), Some(numbers)) = (close, numbers) {
                    if at > start {
                        found.push(Segment::Name(&name[start..at]));
                    }
                    found.push(Segment::Subscripts(numbers));
                    at = close + 1;
                    start = at;
                } else {
                    at += 1;
                }
            }
            _ => at += 1,
        }
    }
    if start < bytes.len() {
        found.push(Segment::Name(&name[start..]));
    }
    found
}

/// Position of a node in the tree.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::frontend) struct NodeId(u32);

/// A step of a declared path and what follows it.
#[derive(Debug, Default)]
pub(in crate::frontend) struct TreeNode {
    /// Further names, in order of declaration.
    pub(in crate::frontend) fields: IndexMap<String, NodeId, rustc_hash::FxBuildHasher>,
    /// Elements by their subscripts, in order of declaration.
    pub(in crate::frontend) elements: IndexMap<Vec<usize>, NodeId, rustc_hash::FxBuildHasher>,
    /// A declaration that ends here.
    pub(in crate::frontend) declaration: Option<usize>,
}

/// All declared names step by step.
#[derive(Debug)]
pub(in crate::frontend) struct NameTree {
    nodes: Vec<TreeNode>,
}

impl NameTree {
    /// The tree of these names; the position in the iterator is the declaration's index.
    /// `position` gives the number of a subscript that is a literal of an enumeration or Boolean.
    pub(in crate::frontend) fn new<'n>(
        names: impl std::iter::Iterator<Item = &'n str>,
        position: &dyn Fn(&str) -> Option<usize>,
    ) -> NameTree {
        let mut tree = NameTree { nodes: vec![TreeNode::default()] };
        for (declaration, name) in names.enumerate() {
            let mut at = NodeId(0);
            for segment in segments_with(name, position) {
                at = tree.child_or_new(at, &segment);
            }
            tree.nodes[at.0 as usize].declaration = Some(declaration);
        }
        tree
    }

    fn child_or_new(&mut self, at: NodeId, segment: &Segment) -> NodeId {
        if let Some(child) = self.child(at, segment) {
            return child;
        }
        let child = NodeId(self.nodes.len() as u32);
        self.nodes.push(TreeNode::default());
        let node = &mut self.nodes[at.0 as usize];
        match segment {
            Segment::Name(name) => node.fields.insert((*name).to_owned(), child),
            Segment::Subscripts(subs) => node.elements.insert(subs.clone(), child),
        };
        child
    }

    pub(in crate::frontend) fn root(&self) -> NodeId {
        NodeId(0)
    }

    pub(in crate::frontend) fn node(&self, id: NodeId) -> &TreeNode {
        &self.nodes[id.0 as usize]
    }

    pub(in crate::frontend) fn child(&self, at: NodeId, segment: &Segment) -> Option<NodeId> {
        let node = self.node(at);
        match segment {
            Segment::Name(name) => node.fields.get(*name).copied(),
            Segment::Subscripts(subs) => node.elements.get(subs).copied(),
        }
    }

    /// Every declaration at or below a node.
    pub(in crate::frontend) fn declarations_below(&self, at: NodeId, found: &mut Vec<usize>) {
        let mut stack = vec![at];
        while let Some(id) = stack.pop() {
            let node = self.node(id);
            found.extend(node.declaration);
            stack.extend(node.fields.values().copied());
            stack.extend(node.elements.values().copied());
        }
    }
}
