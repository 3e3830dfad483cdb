//! Classes as they are seen from where they are used, their elements, and the lookup of names.
//!
//! A `ClassInst` is a class with the class instance around it and the modifications of its classes (and, for packages,
//! functions and records, of its constants and defaults). Equal ones are one: by class, surroundings and syntax address
//! and scope of the modifications. Lookup follows chapter 5 of the specification; it is remembered per class instance
//! and name. Cost: each class instance lists its elements once.

use super::ids::{Checked, ClassInstId, InstId, ScopeId};
use super::modification::Mod;
use super::tree::{Base, Builtin, ClassInst, Declared, Elements, Instantiation, Meaning};
use crate::frontend::library::ClassId;
use crate::frontend::restrictions;
use partita_grammar::ast::{self, Argument, ClassBody, ClassKind, Element, Import, ImportTail, Section, TypeKind};
use partita_grammar::{Diagnostic, Span};
use std::rc::Rc;

/// Extends clauses inside extends clauses.
const MAX_BASES: usize = 200;

impl<'s> Instantiation<'s> {
    /// The class instance of a class seen from these surroundings.
    pub(super) fn class_inst(
        &mut self,
        class: ClassId,
        outer: Option<ClassInstId>,
        home: Option<InstId>,
        mods: Rc<Mod<'s>>,
    ) -> ClassInstId {
        self.base_inst(class, outer, home, mods, None)
    }

    /// Like `class_inst`, as a base of another class.
    fn base_inst(
        &mut self,
        class: ClassId,
        outer: Option<ClassInstId>,
        home: Option<InstId>,
        mods: Rc<Mod<'s>>,
        derived: Option<ClassInstId>,
    ) -> ClassInstId {
        let of = |id: Option<ClassInstId>| id.map_or(usize::MAX, |id| id.0 as usize);
        let mut key = vec![class.as_u32() as usize, of(outer), home.map_or(usize::MAX, |h| h.0 as usize), of(derived)];
        if !mods.is_empty() {
            mods.key(&mut key);
        }
        if let Some(known) = self.classes.class_inst_ids.get(&key) {
            return *known;
        }
        self.found.has_operator_records |= self.library.classes[class].kind == ClassKind::OperatorRecord;
        let id = self.classes.class_insts.push(ClassInst { class, outer, home, derived, mods, elements: None, imports: None });
        self.classes.class_inst_ids.insert(key, id);
        id
    }

    /// The class that the text of a class instance belongs to: the one that has it as a base, or itself.
    pub(super) fn whole(&self, id: ClassInstId) -> ClassInstId {
        self.classes.class_insts[id].derived.unwrap_or(id)
    }

    /// A class as it is in its package, unmodified.
    pub(super) fn plain(&mut self, class: ClassId) -> ClassInstId {
        let parent = self.library.classes[class].parent;
        let outer = parent.map(|parent| self.plain(parent));
        self.class_inst(class, outer, None, Rc::default())
    }

    pub(super) fn class_path(&self, id: ClassInstId) -> &str {
        &self.library.classes[self.classes.class_insts[id].class].path
    }

    pub(super) fn class_kind(&self, id: ClassInstId) -> ClassKind {
        self.library.classes[self.classes.class_insts[id].class].kind
    }

    pub(super) fn class_syntax(&mut self, id: ClassInstId) -> Checked<&'s ast::Class> {
        let class = self.classes.class_insts[id].class;
        self.library.syntax(class)
    }

    /// The elements of a class instance.
    pub(super) fn elements(&mut self, id: ClassInstId) -> Checked<Rc<Elements<'s>>> {
        if let Some(known) = &self.classes.class_insts[id].elements {
            return Ok(known.clone());
        }
        let mut made = Elements::default();
        made.bases.push(Base { id, via: 0, arguments: &[], protected: false });
        self.classes.listing.insert(id);
        let listed = self.list_elements(0, &mut made, 0);
        self.classes.listing.remove(&id);
        listed?;
        if let Some(lost) = made.components.iter().find(|c| c.clause.prefixes.redeclare && c.original.is_none()) {
            let scope = self.class_scope(made.bases[lost.base].id);
            let name = lost.component.name.parts.first().map_or("", |part| &*part.name.text);
            let text = format!("there is no inherited component `{name}` to redeclare");
            return Err(self.fail("M003", text, lost.component.name.span, scope));
        }
        let made = Rc::new(made);
        self.classes.class_insts[id].elements = Some(made.clone());
        Ok(made)
    }

    fn list_elements(&mut self, at: usize, made: &mut Elements<'s>, depth: usize) -> Checked<()> {
        let (id, protected) = (made.bases[at].id, made.bases[at].protected);
        let class = self.class_syntax(id)?;
        self.check_restrictions(id, class);
        if depth > MAX_BASES {
            let (text, scope) = (format!("`{}` extends itself", self.class_path(id)), self.class_scope(id));
            return Err(self.fail("N004", text, class.name.span, scope));
        }
        match &class.body {
            ClassBody::Short { base, modification, .. } => {
                let TypeKind::Named(name) = &base.kind else { return Ok(()) };
                let outer = self.classes.class_insts[id].outer;
                let found = self.class_by_name(name, outer, self.classes.class_insts[id].home)?;
                self.add_base(found, at, modification, made, base.span, depth, protected)
            }
            ClassBody::Long(body) => {
                if self.library.classes[self.classes.class_insts[id].class].extends_inherited {
                    let base = self.inherited_class(id, class.name.span)?;
                    let arguments = body.extends_modification.as_deref().unwrap_or(&[]);
                    self.add_base(Meaning::Class(base), at, arguments, made, class.name.span, depth, protected)?;
                }
                let broken = made.breaks_of(at);
                for section in &body.sections {
                    let Section::Elements { visibility, elements } = section else { continue };
                    let hidden = protected || *visibility == ast::Visibility::Protected;
                    for element in elements {
                        match element {
                            Element::Extends { name, modification, span, .. } => {
                                let found = self.base_class(name, id)?;
                                self.add_base(found, at, modification, made, *span, depth, hidden)?;
                            }
                            Element::Components(clause) => {
                                for component in &clause.components {
                                    let name = component.name.parts.first().map_or("", |part| &*part.name.text);
                                    if let Some((text, ..)) = broken.iter().find(|(text, ..)| *text == name) {
                                        made.broken.push(text);
                                        continue;
                                    }
                                    let declared = Declared { base: at, clause, component, protected: hidden, original: None };
                                    self.add_component(made, declared)?;
                                }
                            }
                            Element::Import(_) | Element::Class(_) => {}
                        }
                    }
                }
                Ok(())
            }
            ClassBody::Enumeration { .. } | ClassBody::PartialDerivative { .. } => Ok(()),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one extends clause")]
    fn add_base(
        &mut self,
        found: Meaning,
        at: usize,
        arguments: &'s [Argument],
        made: &mut Elements<'s>,
        span: Span,
        depth: usize,
        protected: bool,
    ) -> Checked<()> {
        let id = made.bases[at].id;
        let scope = self.class_scope(id);
        match found {
            Meaning::Builtin(builtin) => {
                made.bases.push(Base { id, via: at, arguments, protected });
                made.basic = Some((builtin, made.bases.len() - 1));
                Ok(())
            }
            Meaning::Class(base) => {
                let own = ClassInst { elements: None, imports: None, ..ClassInst::copy(&self.classes.class_insts[base]) };
                let said = Rc::new(Mod::of(arguments, None, self.argument_scope(id, None)?));
                let around = self.classes.class_insts[id].mods.clone();
                let mods = Mod::merged(&Mod::merged(&around, &said), &own.mods);
                let mods = self.mods_for(own.class, &mods);
                let whole = self.whole(made.bases[0].id);
                let base = self.base_inst(own.class, own.outer, own.home, mods, Some(whole));
                made.bases.push(Base { id: base, via: at, arguments, protected });
                let at = made.bases.len() - 1;
                self.list_elements(at, made, depth + 1)?;
                for argument in arguments {
                    if let Argument::Break { text, span } = argument
                        && !text.starts_with("connect")
                        && !made.broken.contains(&text.as_str())
                    {
                        let path = self.class_path(made.bases[at].id).to_owned();
                        return Err(self.fail("M001", format!("`{path}` has no component `{text}` to take away"), *span, scope));
                    }
                }
                Ok(())
            }
            Meaning::Component(_) | Meaning::Constant(_) => Err(self.fail("N003", "a component is no base class", span, scope)),
        }
    }

    /// Tells once what the text of a class has that its kind may not have.
    fn check_restrictions(&mut self, id: ClassInstId, class: &ast::Class) {
        if !self.classes.checked.insert(self.classes.class_insts[id].class) {
            return;
        }
        let scope = self.class_scope(id);
        for violation in restrictions::check(class) {
            let error = self.fail(violation.code, violation.title, violation.span, scope);
            self.keep(if violation.hint.is_empty() { error } else { Box::new(error.with_hint(violation.hint)) });
        }
    }

    fn add_component(&mut self, made: &mut Elements<'s>, declared: Declared<'s>) -> Checked<()> {
        let Some(part) = declared.component.name.parts.first() else { return Ok(()) };
        let name: &'s str = &part.name.text;
        let Some(at) = made.by_name.get(name).copied() else {
            made.by_name.insert(name, made.components.len());
            made.components.push(declared);
            return Ok(());
        };
        // A redeclaration takes the place of what it redeclares; an equal inherited one is the same.
        if declared.clause.prefixes.redeclare {
            let known = made.components[at];
            let original = known.original.or(Some((known.base, known.clause, known.component)));
            made.components[at] = Declared { original, protected: known.protected, ..declared };
            return Ok(());
        }
        let known = made.components[at];
        // The base class may come behind what redeclares its components.
        if known.clause.prefixes.redeclare && known.original.is_none() {
            made.components[at].original = Some((declared.base, declared.clause, declared.component));
            return Ok(());
        }
        if known.base != declared.base && !same_declaration(&known, &declared) {
            let scope = self.class_scope(made.bases[declared.base].id);
            let other = self.class_path(made.bases[known.base].id).to_owned();
            let text = format!("`{name}` is declared in another way by `{other}`, which is a part of the same class");
            return Err(self.fail("N010", text, declared.component.name.span, scope));
        }
        Ok(())
    }

    /// Where the modifications of the base of a class are read: inside the class, or around it for a short definition.
    pub(super) fn argument_scope(&mut self, id: ClassInstId, inst: Option<InstId>) -> Checked<ScopeId> {
        match self.class_syntax(id)?.body {
            ClassBody::Short { .. } => {
                let (home, outer) = (self.classes.class_insts[id].home, self.classes.class_insts[id].outer);
                Ok(self.scope(home, outer))
            }
            _ => Ok(self.scope(inst, Some(id))),
        }
    }

    /// What of a modification belongs to the class: all of it for packages, functions, records and types, else only classes.
    pub(super) fn mods_for(&self, class: ClassId, mods: &Rc<Mod<'s>>) -> Rc<Mod<'s>> {
        match self.library.classes[class].kind {
            ClassKind::Package | ClassKind::Function | ClassKind::OperatorFunction | ClassKind::Type => mods.clone(),
            _ if mods.is_empty() => self.unsaid.clone(),
            _ => mods.of_classes(&|name| self.library.has_child(class, name)),
        }
    }

    /// The class that a `class extends` extends: the one of its name that the class around it inherits.
    fn inherited_class(&mut self, id: ClassInstId, span: Span) -> Checked<ClassInstId> {
        let name = self.library.classes[self.classes.class_insts[id].class].name.clone();
        if let Some(outer) = self.classes.class_insts[id].outer {
            let bases: Vec<ClassInstId> = self.elements(outer)?.bases.iter().skip(1).map(|base| base.id).collect();
            for base in bases {
                if let Some(child) = self.library.child(self.classes.class_insts[base].class, &name)? {
                    return Ok(self.class_inst(child, Some(base), None, Rc::default()));
                }
            }
        }
        let scope = self.class_scope(id);
        Err(self.fail("N003", format!("there is no inherited class `{name}`"), span, scope))
    }

    /// The class named in an extends clause: inherited names are not asked, so that it cannot depend on itself.
    fn base_class(&mut self, name: &ast::Name, id: ClassInstId) -> Checked<Meaning> {
        let scope = self.class_scope(id);
        let Some(first) = name.parts.first() else { return Err(self.fail("N003", "an empty name", name.span, scope)) };
        let own = match name.global {
            true => None,
            false => self.own_class(id, &first.text)?,
        };
        let found = match own {
            Some(found) => Some(Meaning::Class(found)),
            None => match self.imported(id, &first.text)? {
                Some(found) if !name.global => Some(found),
                _ => {
                    // A base may have the name of an inherited class of the class around.
                    let outer = if name.global { None } else { self.classes.class_insts[id].outer };
                    let encapsulated = self.library.classes[self.classes.class_insts[id].class].prefixes.encapsulated;
                    self.lookup_from(if encapsulated { None } else { outer }, &first.text)?
                }
            },
        };
        let found_whole = self.rest_of_class_name(found, name, scope)?;
        self.check_base_is_fixed(found, name, scope)?;
        Ok(found_whole)
    }

    /// A base class is not replaceable, nor is a part of its name.
    fn check_base_is_fixed(&mut self, first: Option<Meaning>, name: &ast::Name, scope: ScopeId) -> Checked<()> {
        let mut found = first;
        for at in 0..name.parts.len() {
            let Some(Meaning::Class(class)) = found else { return Ok(()) };
            if self.library.classes[self.classes.class_insts[class].class].prefixes.replaceable {
                let part = &name.parts[at];
                let error = self.fail("N003", format!("the base class `{}` is replaceable", part.text), part.span, scope);
                return Err(Box::new(error.with_hint("extend a class that cannot be redeclared, or redeclare it with `class extends`")));
            }
            found = match name.parts.get(at + 1) {
                Some(next) => self.member_of_class(class, &next.text)?,
                None => None,
            };
        }
        Ok(())
    }

    /// A class declared in the text of this class itself, or redeclared in it.
    fn own_class(&mut self, id: ClassInstId, name: &str) -> Checked<Option<ClassInstId>> {
        let class = self.classes.class_insts[id].class;
        if !self.library.has_child(class, name) {
            return Ok(None);
        }
        let said = self.classes.class_insts[id].mods.child(name).cloned();
        if let Some(said) = &said
            && let Some(redeclaration) = said.redeclaration
            && let Element::Class(syntax) = redeclaration.element
        {
            self.check_class_redeclaration(class, name, said.span, redeclaration.scope)?;
            return self.redeclared_class(syntax, redeclaration.scope).map(Some);
        }
        if let Some(said) = &said
            && let Some(redeclaration) = said.redeclaration
        {
            return Err(self.fail("M003", format!("`{name}` is a class, not a component"), said.span, redeclaration.scope));
        }
        match self.library.child(class, name)? {
            None => Ok(None),
            Some(child) => {
                let mods = said.unwrap_or_default();
                Ok(Some(self.class_inst(child, Some(id), None, mods)))
            }
        }
    }

    /// Only a class that says so is replaced.
    fn check_class_redeclaration(&mut self, class: ClassId, name: &str, span: Span, scope: ScopeId) -> Checked<()> {
        let Some(child) = self.library.child(class, name)? else { return Ok(()) };
        if self.library.classes[child].prefixes.replaceable {
            return Ok(());
        }
        let error = self.fail("M003", format!("the class `{name}` is not replaceable"), span, scope);
        Err(Box::new(error.with_hint(format!("declare `{name}` with `replaceable`"))))
    }

    /// The class of a redeclaration, read where the modification stands.
    pub(super) fn redeclared_class(&mut self, syntax: &'s ast::Class, scope: ScopeId) -> Checked<ClassInstId> {
        let address = std::ptr::from_ref(syntax).addr();
        let around = self.contexts.scopes[scope].class;
        let class = match self.classes.redeclared.get(&address) {
            Some(known) => *known,
            None => {
                let like = self.classes.class_insts[around].class;
                let class = self.library.add_syntax(syntax, like);
                self.classes.redeclared.insert(address, class);
                class
            }
        };
        let home = self.contexts.scopes[scope].inst;
        Ok(self.class_inst(class, Some(around), home, Rc::default()))
    }

    fn imports(&mut self, id: ClassInstId) -> Checked<Rc<Vec<&'s Import>>> {
        if let Some(known) = &self.classes.class_insts[id].imports {
            return Ok(known.clone());
        }
        let mut found = Vec::new();
        if let ClassBody::Long(body) = &self.class_syntax(id)?.body {
            for section in &body.sections {
                if let Section::Elements { elements, .. } = section {
                    found.extend(elements.iter().filter_map(|e| match e {
                        Element::Import(import) => Some(&**import),
                        _ => None,
                    }));
                }
            }
        }
        let found = Rc::new(found);
        self.classes.class_insts[id].imports = Some(found.clone());
        Ok(found)
    }

    /// What an import of this class makes of a name: qualified ones first, then `.*`.
    fn imported(&mut self, id: ClassInstId, name: &str) -> Checked<Option<Meaning>> {
        let imports = self.imports(id)?;
        let mut wild = None;
        for import in imports.iter() {
            let last = import.name.parts.last().map_or("", |p| &*p.text);
            let hit = match &import.tail {
                ImportTail::None => import.alias.as_ref().map_or(last, |a| &*a.text) == name,
                ImportTail::List(names) => names.iter().any(|n| n.text == *name),
                ImportTail::All => false,
            };
            if !hit && !matches!(import.tail, ImportTail::All) {
                continue;
            }
            // Imported names are full names.
            let first = import.name.parts.first().map_or("", |p| &*p.text);
            let top = self.library.top(first)?;
            let scope = self.class_scope(id);
            let Some(top) = top else {
                return match hit {
                    true => Err(self.missing_library(first, import.span, scope)),
                    false => Ok(None),
                };
            };
            let top = Meaning::Class(self.plain(top));
            if matches!(import.tail, ImportTail::None) {
                return self.imported_name(top, &import.name, scope).map(Some);
            }
            let found = self.rest_of_class_name(Some(top), &import.name, scope)?;
            if let Meaning::Class(package) = found {
                let inner = match self.member_of_class(package, name)? {
                    Some(Meaning::Component(owner)) => Some(self.constant_of(owner, name, import.span, scope)?),
                    found => found,
                };
                if hit {
                    return Ok(inner);
                }
                wild = wild.or(inner);
            }
        }
        Ok(wild)
    }

    /// What `import a.b.c` names: a class, or a constant of a package.
    fn imported_name(&mut self, top: Meaning, name: &ast::Name, scope: ScopeId) -> Checked<Meaning> {
        if let [around @ .., last] = name.parts.as_slice()
            && !around.is_empty()
        {
            let package = ast::Name { global: name.global, parts: around.to_vec(), span: name.span };
            if let Meaning::Class(package) = self.rest_of_class_name(Some(top), &package, scope)?
                && let Some(Meaning::Component(owner)) = self.member_of_class(package, &last.text)?
            {
                return self.constant_of(owner, &last.text, name.span, scope);
            }
        }
        self.rest_of_class_name(Some(top), name, scope)
    }

    /// A component of a package.
    fn constant_of(&mut self, package: ClassInstId, name: &str, span: Span, scope: ScopeId) -> Checked<Meaning> {
        if self.class_kind(package) != ClassKind::Package {
            let path = self.class_path(package).to_owned();
            return Err(self.fail("N003", format!("`{path}` is no package, so `{name}` cannot be imported from it"), span, scope));
        }
        let package = self.package(package)?;
        match self.insts[package].members.get(name).copied() {
            Some(member) => Ok(Meaning::Constant(member)),
            None => Err(self.fail("N002", format!("unknown name `{name}`"), span, scope)),
        }
    }

    /// A component or class among the elements of a class instance.
    pub(super) fn member_of_class(&mut self, id: ClassInstId, name: &str) -> Checked<Option<Meaning>> {
        if let Some(found) = self.own_class(id, name)? {
            return Ok(Some(Meaning::Class(found)));
        }
        // While the bases of a class are looked for, it has only its own classes: a base may be one of them.
        if self.classes.listing.contains(&id) {
            self.classes.listing_met += 1;
            return Ok(None);
        }
        let elements = self.elements(id)?;
        if elements.by_name.contains_key(name) {
            return Ok(Some(Meaning::Component(id)));
        }
        for base in elements.bases.iter().skip(1) {
            if base.id != id
                && let Some(found) = self.own_class(base.id, name)?
            {
                return Ok(Some(Meaning::Class(found)));
            }
        }
        Ok(None)
    }

    /// What a simple name means inside a class instance.
    pub(super) fn lookup(&mut self, id: ClassInstId, name: &str) -> Checked<Option<Meaning>> {
        if let Some(known) = self.classes.lookups.get(&id).and_then(|names| names.get(name)) {
            return Ok(*known);
        }
        let met = self.classes.listing_met;
        let mut found = self.member_of_class(self.whole(id), name)?;
        if found.is_none() {
            found = self.imported(id, name)?;
        }
        if found.is_none() {
            let encapsulated = self.library.classes[self.classes.class_insts[id].class].prefixes.encapsulated;
            let outer = if encapsulated { None } else { self.classes.class_insts[id].outer };
            found = self.lookup_from(outer, name)?;
        }
        if self.classes.listing_met == met {
            self.classes.lookups.entry(id).or_default().insert(Rc::from(name), found);
        }
        Ok(found)
    }

    pub(super) fn lookup_from(&mut self, outer: Option<ClassInstId>, name: &str) -> Checked<Option<Meaning>> {
        if let Some(outer) = outer {
            return self.lookup(outer, name);
        }
        if let Some(builtin) = Builtin::of(name) {
            return Ok(Some(Meaning::Builtin(builtin)));
        }
        let top = self.library.top(name)?;
        Ok(top.map(|top| Meaning::Class(self.plain(top))))
    }

    /// The class of a dotted name.
    pub(super) fn class_by_name(&mut self, name: &ast::Name, outer: Option<ClassInstId>, home: Option<InstId>) -> Checked<Meaning> {
        let scope = self.scope(home, outer);
        let Some(first) = name.parts.first() else { return Err(self.fail("N003", "an empty name", name.span, scope)) };
        let found = self.lookup_from(if name.global { None } else { outer }, &first.text)?;
        self.rest_of_class_name(found, name, scope)
    }

    fn rest_of_class_name(&mut self, found: Option<Meaning>, name: &ast::Name, scope: ScopeId) -> Checked<Meaning> {
        let mut found = found;
        for (i, part) in name.parts.iter().enumerate().skip(1) {
            let Some(Meaning::Class(class)) = found else {
                if i == 1 && found.is_none() {
                    break;
                }
                return Err(self.fail("N003", format!("unknown class `{name}`"), name.span, scope));
            };
            found = self.member_of_class(class, &part.text)?;
            if found.is_none() {
                let path = self.class_path(class).to_owned();
                if self.library.is_basic(self.classes.class_insts[class].class) {
                    return Err(self.missing_library("Modelica", name.span, scope));
                }
                let names: Vec<String> = self.library.child_names(self.classes.class_insts[class].class).map(|n| n.to_string()).collect();
                let near = crate::frontend::flatten::nearest(&part.text, names.iter().map(String::as_str)).map(str::to_owned);
                let mut error = self.fail("N003", format!("`{path}` has no class `{}`", part.text), name.span, scope);
                if let Some(near) = near {
                    *error = error.with_hint(format!("did you mean `{near}`?"));
                }
                return Err(error);
            }
        }
        match found {
            Some(Meaning::Component(_) | Meaning::Constant(_)) => {
                Err(self.fail("N003", format!("`{name}` is a component, not a class"), name.span, scope))
            }
            Some(found) => Ok(found),
            None => {
                let first = name.parts.first().map_or("", |p| &*p.text);
                match name.parts.len() {
                    1 => Err(self.fail("N003", format!("unknown class `{name}`"), name.span, scope)),
                    _ => Err(self.missing_library(first, name.span, scope)),
                }
            }
        }
    }

    fn missing_library(&mut self, first: &str, span: Span, scope: ScopeId) -> Box<Diagnostic> {
        let error = self.fail("L003", format!("there is no package `{first}`"), span, scope);
        Box::new(error.with_hint(format!(
            "Partita searches `--library`, the folders of MODELICAPATH and ~/.openmodelica/libraries for `{first}/package.mo` and `{first}.mo`"
        )))
    }

    /// Whether a class is an enumeration, and its literals.
    pub(super) fn enumeration(&mut self, id: ClassInstId) -> Checked<Option<(ClassInstId, &'s [ast::EnumLiteral])>> {
        let mut id = id;
        for _ in 0..MAX_BASES {
            match &self.class_syntax(id)?.body {
                // The same whatever it was reached through.
                ClassBody::Enumeration { literals: Some(literals), .. } => {
                    let class = self.classes.class_insts[id].class;
                    return Ok(Some((self.plain(class), literals)));
                }
                ClassBody::Short { .. } => {
                    let elements = self.elements(id)?;
                    match elements.bases.get(1) {
                        Some(base) if base.id != id => id = base.id,
                        _ => return Ok(None),
                    }
                }
                _ => return Ok(None),
            }
        }
        Ok(None)
    }
}

impl<'s> ClassInst<'s> {
    fn copy(of: &ClassInst<'s>) -> ClassInst<'s> {
        ClassInst { mods: of.mods.clone(), elements: None, imports: None, ..*of }
    }
}

/// Whether two declarations agree in type, sizes, prefixes and value, wherever they are written. Attributes may differ: the first ones hold.
fn same_declaration(a: &Declared<'_>, b: &Declared<'_>) -> bool {
    if std::ptr::eq(a.component, b.component) {
        return true;
    }
    let subscripts = |list: &[ast::Subscript]| -> Vec<String> {
        let one = |subscript: &ast::Subscript| match subscript {
            ast::Subscript::All(_) => ":".to_owned(),
            ast::Subscript::Index(e) => partita_grammar::print_expression(e),
        };
        list.iter().map(one).collect()
    };
    let written = |declared: &Declared<'_>| {
        let Declared { clause, component, .. } = declared;
        let type_name = match &clause.type_spec.kind {
            TypeKind::Named(name) => name.parts.last().map(|part| part.text.to_string()),
            TypeKind::Enumeration(_) => None,
        };
        let prefixes = &clause.prefixes;
        let value = component.binding.as_ref().map(partita_grammar::print_expression);
        let sizes = (subscripts(&clause.type_spec.dims), subscripts(&component.dims));
        (type_name, sizes, prefixes.variability, prefixes.causality, prefixes.flow, prefixes.stream, value)
    };
    written(a) == written(b)
}
