//! Finds classes by name: in the file that is given, in packages of the search path, class by class.
//!
//! Input: the given file and roots in which packages lie (`Modelica/package.mo`, `Modelica 4.1.0/package.mo`, `Complex.mo`).
//! Output: `Class` entries with their syntax. Method: folders and outlines give the tree of names; the text of a class is
//! parsed when it is looked into, without its inner classes and without the looks of things.
//! Guarantee: every class is parsed at most once; spans are those of its file.
//! Cost: files that are touched are read and scanned once.
//! Files are read by the `Files` that is given: nothing here touches the disk.
//! Where no root has `Modelica`, the units, constants and functions that everyday files import come from a small text of our own.
//!
//! Codes: L001 a package cannot be read, L002 a file does not contain the class it should.

use cranelift_entity::{PrimaryMap, entity_impl};
use indexmap::IndexMap;
use partita_grammar::ast::{self, ClassKind, ClassPrefixes};
use partita_grammar::{ClassOutline, Diagnostic, Outline, Text, class_text, outline, parse_class};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// Units, constants and elementary functions under the names of the standard library.
const BASICS: &str = include_str!("basics.mo");
/// The name of that text in messages.
const BASICS_NAME: &str = "built-in units, constants and functions";

/// Reads what lies in folders.
pub trait Files {
    /// The text of a file.
    fn read(&self, path: &Path) -> Result<String, String>;
    /// Names in a folder, sorted; empty if there is no such folder.
    fn entries(&self, path: &Path) -> Vec<String>;
    /// Whether there is such a file.
    fn exists(&self, path: &Path) -> bool;
}

/// Reads packages from the disk.
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> Result<String, String> {
        std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
    }

    fn entries(&self, path: &Path) -> Vec<String> {
        let found = std::fs::read_dir(path).into_iter().flatten().flatten();
        let mut names: Vec<String> = found.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    fn exists(&self, path: &Path) -> bool {
        path.is_file()
    }
}

/// No files at all.
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, path: &Path) -> Result<String, String> {
        Err(format!("{} is not there", path.display()))
    }

    fn entries(&self, _: &Path) -> Vec<String> {
        Vec::new()
    }

    fn exists(&self, _: &Path) -> bool {
        false
    }
}

/// A class of the tree of names.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(u32);
entity_impl!(ClassId, "class");

/// Keeps syntax for as long as the instance tree lives.
#[derive(Default)]
pub struct Store {
    first: Link,
}

type Link = OnceCell<Box<Node>>;

struct Node {
    class: ast::Class,
    next: Link,
}

impl Drop for Store {
    fn drop(&mut self) {
        // One after the other: the list may be longer than the stack is deep.
        let mut link = self.first.take();
        while let Some(mut node) = link {
            link = node.next.take();
        }
    }
}

/// What is known of a class.
pub struct Class<'s> {
    /// Last part of its name, as written.
    pub name: Rc<str>,
    /// Full name.
    pub path: Rc<str>,
    /// The class around it.
    pub parent: Option<ClassId>,
    /// Its keyword.
    pub kind: ClassKind,
    /// Words before it.
    pub prefixes: ClassPrefixes,
    /// `class extends X`.
    pub extends_inherited: bool,
    /// Whether the class is in a library, not in the given file.
    pub from_library: bool,
    /// The first byte of its text, and how many bytes.
    pub range: (u32, u32),
    /// Its file.
    pub text: Arc<Text>,
    /// The folder of its package, for `modelica://`.
    pub folder: Option<PathBuf>,
    outline: Option<ClassOutline>,
    syntax: Option<&'s ast::Class>,
    children: IndexMap<Rc<str>, Child, rustc_hash::FxBuildHasher>,
}

/// A class inside a class.
#[derive(Clone)]
enum Child {
    Known(ClassId),
    /// In a file of its own, or a folder with `package.mo`.
    File(PathBuf),
}

/// The tree of names.
pub struct Library<'s> {
    end: &'s Link,
    files: &'s dyn Files,
    roots: Vec<PathBuf>,
    /// All classes found so far.
    pub classes: PrimaryMap<ClassId, Class<'s>>,
    top: FxHashMap<String, Option<ClassId>>,
    /// Classes of the given file, in order.
    pub given: Vec<ClassId>,
}

type Found<T> = Result<T, Box<Diagnostic>>;

impl<'s> Library<'s> {
    /// An empty tree over search roots.
    pub fn new(store: &'s Store, files: &'s dyn Files, roots: Vec<PathBuf>) -> Library<'s> {
        Library { end: &store.first, files, roots, classes: PrimaryMap::new(), top: FxHashMap::default(), given: Vec::new() }
    }

    /// Adds the classes of the given file, with their syntax if it is known.
    pub fn add_given(&mut self, text: Arc<Text>, parsed: Option<ast::Definition>) -> Found<()> {
        let found = outline(&text.text).map_err(first)?;
        let parent = if found.within.is_empty() { None } else { self.path(&found.within)? };
        for class in found.classes {
            let id = self.enter(class, parent, &text, false, None);
            let name = self.classes[id].name.clone();
            match parent {
                Some(parent) => {
                    self.classes[parent].children.insert(name, Child::Known(id));
                }
                None => {
                    self.top.insert(name.to_string(), Some(id));
                }
            }
            self.given.push(id);
        }
        // Without equal names in one place it is clear which class has which syntax.
        let classes = parsed.map(|definition| definition.classes).unwrap_or_default();
        if classes.len() == self.given.len() {
            for (id, class) in self.given.clone().into_iter().zip(classes) {
                self.adopt(id, class);
            }
        }
        Ok(())
    }

    /// Takes parsed syntax for that of a class and of those inside it.
    fn adopt(&mut self, id: ClassId, mut class: ast::Class) {
        if *self.classes[id].name != *class.name.to_string() {
            return;
        }
        let mut inner = Vec::new();
        if let ast::ClassBody::Long(body) = &mut class.body {
            for section in &mut body.sections {
                let ast::Section::Elements { elements, .. } = section else { continue };
                inner.extend(elements.extract_if(.., |element| matches!(element, ast::Element::Class(_))));
            }
        }
        let kept = self.keep(class);
        self.classes[id].syntax = Some(kept);
        let classes = inner.into_iter().filter_map(|element| match element {
            ast::Element::Class(class) => Some((class.name.to_string(), class)),
            _ => None,
        });
        let classes: Vec<(String, Box<ast::Class>)> = classes.collect();
        let mut counts: FxHashMap<String, usize> = FxHashMap::default();
        classes.iter().for_each(|(name, _)| *counts.entry(name.clone()).or_default() += 1);
        for (name, class) in classes {
            if let (Some(1), Some(Child::Known(child))) = (counts.get(&name), self.classes[id].children.get(&*name).cloned()) {
                self.adopt(child, *class);
            }
        }
    }

    /// Adds a file or a folder that is named: its top-level classes are found before those of the roots.
    pub fn add_named(&mut self, path: &Path) -> Found<()> {
        let name = path.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let package = path.join("package.mo");
        if self.files.exists(&package) {
            let folder = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            let name = folder.split(' ').next().unwrap_or(&folder).to_owned();
            let id = self.load(path, &name, None)?;
            self.top.insert(name, id);
            return Ok(());
        }
        if path.extension().is_none_or(|e| e != "mo") {
            self.roots.insert(0, path.to_path_buf());
            return Ok(());
        }
        if let Ok(Some(id)) = self.load(path, &name, None) {
            self.top.insert(name, Some(id));
        }
        Ok(())
    }

    /// A class by its full name.
    pub fn path(&mut self, path: &str) -> Found<Option<ClassId>> {
        let mut parts = path.split('.');
        let mut at = self.top(parts.next().unwrap_or(""))?;
        for part in parts {
            let Some(id) = at else { return Ok(None) };
            at = self.child(id, part)?;
        }
        Ok(at)
    }

    /// A class that lies in no other.
    pub fn top(&mut self, name: &str) -> Found<Option<ClassId>> {
        if let Some(known) = self.top.get(name) {
            return Ok(*known);
        }
        let mut found = None;
        for root in self.roots.clone() {
            let mut candidates = vec![root.join(name)];
            let prefix = format!("{name} ");
            candidates.extend(self.files.entries(&root).iter().rev().filter(|e| e.starts_with(&prefix)).map(|e| root.join(e)));
            candidates.retain(|c| self.files.exists(&c.join("package.mo")));
            candidates.push(root.join(format!("{name}.mo")));
            if let Some(path) = candidates.iter().find(|c| self.files.exists(&c.join("package.mo")) || self.files.exists(c)) {
                found = self.load(path, name, None)?;
            }
            if found.is_some() {
                break;
            }
        }
        if name == "Modelica" {
            match found {
                Some(id) => self.add_earlier_names(id)?,
                None => found = self.basics()?,
            }
        }
        self.top.insert(name.to_owned(), found);
        Ok(found)
    }

    /// The built-in package that stands for a standard library that is not there.
    fn basics(&mut self) -> Found<Option<ClassId>> {
        let text = Arc::new(Text { name: BASICS_NAME.to_owned(), text: BASICS.to_owned() });
        let found = outline(&text.text).map_err(first)?;
        Ok(found.classes.into_iter().next().map(|class| self.enter(class, None, &text, true, None)))
    }

    /// Units under the name that they had before version 4: older files import them.
    fn add_earlier_names(&mut self, id: ClassId) -> Found<()> {
        const NAME: &str = "SIunits";
        if self.has_child(id, NAME) {
            return Ok(());
        }
        let text = Arc::new(Text { name: BASICS_NAME.to_owned(), text: BASICS.to_owned() });
        let inner = outline(&text.text).map_err(first)?.classes.into_iter().flat_map(|class| class.classes);
        for class in inner.filter(|class| class.name == NAME) {
            let child = self.enter(class, Some(id), &text, true, None);
            self.classes[id].children.insert(Rc::from(NAME), Child::Known(child));
        }
        Ok(())
    }

    /// Whether a class is of the built-in package.
    pub fn is_basic(&self, id: ClassId) -> bool {
        self.classes[id].text.name == BASICS_NAME
    }

    /// Whether the built-in package was asked for.
    pub fn uses_basics(&self) -> bool {
        self.top.get("Modelica").is_some_and(|id| id.is_some_and(|id| self.is_basic(id)))
    }

    /// A class declared inside a class, not an inherited one.
    pub fn child(&mut self, id: ClassId, name: &str) -> Found<Option<ClassId>> {
        match self.classes[id].children.get(name).cloned() {
            None => Ok(None),
            Some(Child::Known(child)) => Ok(Some(child)),
            Some(Child::File(path)) => {
                let found = self.load(&path, name, Some(id))?;
                if let Some(child) = found {
                    self.classes[id].children.insert(Rc::from(name), Child::Known(child));
                }
                Ok(found)
            }
        }
    }

    /// Names of the classes inside.
    pub fn child_names(&self, id: ClassId) -> impl std::iter::Iterator<Item = &Rc<str>> {
        self.classes[id].children.keys()
    }

    /// Whether a class has this one inside.
    pub fn has_child(&self, id: ClassId, name: &str) -> bool {
        self.classes[id].children.contains_key(name)
    }

    /// The syntax of a class without the classes inside it.
    pub fn syntax(&mut self, id: ClassId) -> Found<&'s ast::Class> {
        let class = &self.classes[id];
        if let Some(syntax) = class.syntax {
            return Ok(syntax);
        }
        let Some(outline) = &class.outline else {
            return Err(Box::new(Diagnostic::error("L002", format!("`{}` has no text", class.path))));
        };
        let parsed = parse_class(class_text(&class.text.text, outline), outline.span.start).map_err(|mut errors| {
            let text = class.text.clone();
            for label in errors.iter_mut().flat_map(|e| &mut e.labels) {
                label.origin = Some(text.clone());
            }
            first(errors)
        })?;
        let kept = self.keep(parsed);
        self.classes[id].syntax = Some(kept);
        Ok(kept)
    }

    /// Adds a class that a modification redeclares; its text lies where the modification's does.
    pub fn add_syntax(&mut self, syntax: &'s ast::Class, like: ClassId) -> ClassId {
        let name: Rc<str> = Rc::from(syntax.name.to_string().as_str());
        let around = &self.classes[like];
        let class = Class {
            path: Rc::from(format!("{}.{name}", around.path).as_str()),
            name,
            parent: Some(like),
            kind: syntax.kind,
            prefixes: syntax.prefixes,
            extends_inherited: false,
            from_library: around.from_library,
            range: around.range,
            text: around.text.clone(),
            folder: around.folder.clone(),
            outline: None,
            syntax: Some(syntax),
            children: IndexMap::default(),
        };
        self.classes.push(class)
    }

    /// An element that the instance tree makes itself.
    pub fn keep_element(&mut self, element: ast::Element) -> &'s ast::Element {
        let sections = vec![ast::Section::Elements { visibility: ast::Visibility::Default, elements: vec![element] }];
        let span = partita_grammar::Span::default();
        let body = ast::ClassBody::Long(ast::LongBody { sections, ..ast::LongBody::default() });
        let name = ast::Name { global: false, parts: Vec::new(), span };
        let prefixes = ClassPrefixes::default();
        let class = ast::Class { kind: ClassKind::Class, prefixes, name, description: None, body, constraint: None, span };
        let kept = self.keep(class);
        match &kept.body {
            ast::ClassBody::Long(ast::LongBody { sections, .. }) => match sections.as_slice() {
                [ast::Section::Elements { elements, .. }] => &elements[0],
                _ => unreachable!("made above"),
            },
            _ => unreachable!("made above"),
        }
    }

    fn keep(&mut self, class: ast::Class) -> &'s ast::Class {
        let place: &'s Link = self.end;
        let node: &'s Node = place.get_or_init(|| Box::new(Node { class, next: OnceCell::new() }));
        self.end = &node.next;
        &node.class
    }

    fn load(&mut self, path: &Path, name: &str, parent: Option<ClassId>) -> Found<Option<ClassId>> {
        let package = path.join("package.mo");
        let is_folder = self.files.exists(&package);
        let file = if is_folder { &package } else { path };
        let content = self.files.read(file).map_err(|reason| Box::new(Diagnostic::error("L001", reason)))?;
        let content = content.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(content);
        let text = Arc::new(Text { name: file.display().to_string(), text: content });
        let found: Outline = outline(&text.text).map_err(|mut errors| {
            for label in errors.iter_mut().flat_map(|e| &mut e.labels) {
                label.origin = Some(text.clone());
            }
            first(errors)
        })?;
        let Some(class) = found.classes.into_iter().find(|class| class.name == name) else {
            return Err(Box::new(Diagnostic::error("L002", format!("{} does not define `{name}`", file.display()))));
        };
        let folder = is_folder.then(|| path.to_path_buf());
        let id = self.enter(class, parent, &text, true, folder);
        if is_folder {
            for entry in self.files.entries(path) {
                let inner = path.join(&entry);
                let child = match entry.strip_suffix(".mo") {
                    Some("package") => continue,
                    Some(child) => child.to_owned(),
                    None if self.files.exists(&inner.join("package.mo")) => entry.clone(),
                    None => continue,
                };
                self.classes[id].children.entry(Rc::from(child.as_str())).or_insert(Child::File(inner));
            }
        }
        Ok(Some(id))
    }

    fn enter(
        &mut self,
        mut outline: ClassOutline,
        parent: Option<ClassId>,
        text: &Arc<Text>,
        from_library: bool,
        folder: Option<PathBuf>,
    ) -> ClassId {
        let name: Rc<str> = Rc::from(outline.name.as_str());
        let path = match parent {
            Some(parent) => Rc::from(format!("{}.{name}", self.classes[parent].path).as_str()),
            None => name.clone(),
        };
        let folder = folder.or_else(|| parent.and_then(|p| self.classes[p].folder.clone()));
        let inner = outline.classes.clone();
        let span = outline.span;
        // The inner ones are needed to blank them out of the text, their own insides are not.
        outline.classes.iter_mut().for_each(|class| class.classes.clear());
        let id = self.classes.push(Class {
            name,
            path,
            parent,
            kind: outline.kind,
            prefixes: outline.prefixes,
            extends_inherited: outline.extends_inherited,
            from_library,
            range: (span.start, span.end.saturating_sub(span.start)),
            text: text.clone(),
            folder: folder.clone(),
            outline: Some(outline),
            syntax: None,
            children: IndexMap::default(),
        });
        for class in inner {
            let name = class.name.clone();
            let child = self.enter(class, Some(id), text, from_library, folder.clone());
            self.classes[id].children.insert(Rc::from(name.as_str()), Child::Known(child));
        }
        id
    }
}

fn first(errors: Vec<Diagnostic>) -> Box<Diagnostic> {
    Box::new(errors.into_iter().next().unwrap_or_else(|| Diagnostic::error("L002", "the text cannot be read")))
}
