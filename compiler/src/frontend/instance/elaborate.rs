//! Instances and their components: types, sizes, conditions, on demand.
//!
//! A component is elaborated when something asks for it. One that is asked for while it is being elaborated depends on
//! itself, which is an error. Arrays of components with components of their own are one instance per element.

use super::ids::{Checked, ClassInstId, InstId, MemberId, ScopeId};
use super::modification::{Mod, first_component, is_attribute};
use super::tree::{Basic, Builtin, Inherited, Inst, Instantiation, Meaning, Member, State, Variable, is_connector, is_record};
use super::values::positions;
use indexmap::IndexMap;
use partita_grammar::Span;
use partita_grammar::ast::{self, Causality, ClassBody, ClassKind, TypeKind, Variability};
use std::rc::Rc;

/// What the type of a component turns out to be.
pub(super) struct Typed<'s> {
    pub(super) what: What,
    /// Sizes that the type brings, and where they are read.
    pub(super) dims: Vec<(&'s ast::Subscript, ScopeId)>,
    causality: Causality,
    /// What kind of class the type is; none for predefined types.
    kind: Option<ClassKind>,
    /// What the type says about its attributes.
    pub(super) said: Rc<Mod<'s>>,
}

pub(super) enum What {
    Basic(Basic),
    Class(ClassInstId),
}

/// Components inside components.
const MAX_DEPTH: usize = 100;

impl<'s> Instantiation<'s> {
    /// An instance of a class; its components are listed, not looked into.
    pub(super) fn instance(
        &mut self,
        parent: Option<InstId>,
        name: Rc<str>,
        class: ClassInstId,
        said: Rc<Mod<'s>>,
        prefixes: Inherited,
    ) -> Checked<InstId> {
        let kind = self.class_kind(class);
        let elements = self.elements(class)?;
        let specialized = self.specialized_kind(class)?;
        let inst = self.insts.push(Inst {
            parent,
            name,
            class,
            members: IndexMap::with_capacity_and_hasher(elements.components.len(), Default::default()),
            bases: Vec::new(),
            prefixes,
            kind: specialized,
            is_package: kind == ClassKind::Package,
        });
        let mut bases: Vec<(ClassInstId, Rc<Mod<'s>>)> = vec![(class, said)];
        for base in elements.bases.iter().skip(1) {
            let via = bases[base.via].clone();
            let scope = self.argument_scope(via.0, Some(inst))?;
            let here = Rc::new(Mod::of(base.arguments, None, scope));
            self.check_final(&via.1, &here, "")?;
            bases.push((base.id, Mod::merged(&via.1, &here)));
        }
        self.insts[inst].bases = bases;
        // A connector may be a record too: its value gives those of its fields.
        let has_fields = is_record(specialized) || elements.bases.iter().any(|base| is_record(self.class_kind(base.id)));
        for declared in &elements.components {
            let (base, clause, component) = declared.original.unwrap_or((declared.base, declared.clause, declared.component));
            let (class, around) = self.insts[inst].bases[base].clone();
            let Some(part) = component.name.parts.first() else { continue };
            let name: &'s str = &part.name.text;
            let scope = self.scope(Some(inst), Some(class));
            if declared.protected {
                self.check_protected(inst, name)?;
            }
            let outer = if has_fields { Rc::new(around.field(name)) } else { around.child(name).unwrap_or(&self.unsaid).clone() };
            let mut member = Member {
                inst,
                name,
                base,
                clause,
                component,
                redeclared: None,
                protected: declared.protected,
                state: State::Pending,
                said: self.unsaid.clone(),
            };
            let here = declared.original.map(|_| {
                let class = self.insts[inst].bases[declared.base].0;
                (self.scope(Some(inst), Some(class)), declared.clause, declared.component)
            });
            self.say(&mut member, &outer, scope, here)?;
            let member = self.members.push(member);
            self.insts[inst].members.insert(name, member);
        }
        self.check_names(inst)?;
        Ok(inst)
    }

    /// The keyword of a class, or of what a short definition with the word `class` stands for.
    fn specialized_kind(&mut self, class: ClassInstId) -> Checked<ClassKind> {
        let elements = self.elements(class)?;
        let mut kinds = elements.bases.iter().map(|base| self.class_kind(base.id));
        let first = self.class_kind(class);
        Ok(match first {
            ClassKind::Class | ClassKind::Type => kinds.find(|kind| is_record(*kind)).unwrap_or(first),
            _ => first,
        })
    }

    /// A value from outside for something that is final.
    pub(super) fn check_final(&mut self, outer: &Mod<'s>, inner: &Mod<'s>, name: &str) -> Checked<()> {
        if inner.final_
            && let Some(value) = &outer.value
            && value.steps.is_empty()
            && !inner.value.as_ref().is_some_and(|inner| std::ptr::eq(inner.expr, value.expr))
        {
            return Err(self.fail("M002", format!("`{name}` is final and cannot be modified"), outer.span, value.scope));
        }
        for (name, child) in &outer.children {
            if let Some(inner) = inner.children.get(name) {
                self.check_final(child, inner, name)?;
            }
        }
        Ok(())
    }

    /// Every modification must speak of something that is there.
    fn check_names(&mut self, inst: InstId) -> Checked<()> {
        let bases: Vec<(ClassInstId, Rc<Mod<'s>>)> = self.insts[inst].bases.clone();
        let (class, said) = &bases[0];
        for (name, child) in &said.children {
            if self.insts[inst].members.contains_key(&**name) || self.member_of_class(*class, name)?.is_some() {
                continue;
            }
            let scope = child.scope.unwrap_or(ScopeId(0));
            let path = self.class_path(*class).to_owned();
            return Err(self.fail("M001", format!("`{path}` has no element `{name}` to modify"), child.span, scope));
        }
        Ok(())
    }

    /// Elaborates a component and says what it is.
    pub(super) fn elaborate(&mut self, member: MemberId) -> Checked<State> {
        match &self.members[member].state {
            State::Pending => {}
            State::Busy => {
                let Member { name, component, .. } = self.members[member];
                let scope = self.member_scope(member);
                return Err(self.fail("N004", format!("`{name}` depends on itself"), component.span, scope));
            }
            State::Failed => {
                let name = self.members[member].name;
                let (span, scope) = (self.members[member].component.span, self.member_scope(member));
                return Err(self.fail("N002", format!("`{name}` has an error"), span, scope));
            }
            known => return Ok(known.clone()),
        }
        self.members[member].state = State::Busy;
        let outcome = self.elaborate_new(member);
        self.members[member].state = match &outcome {
            Ok(state) => state.clone(),
            Err(_) => State::Failed,
        };
        outcome
    }

    /// Where the text of a component is read.
    pub(super) fn member_scope(&mut self, member: MemberId) -> ScopeId {
        let Member { inst, base, .. } = self.members[member];
        let class = self.insts[inst].bases[base].0;
        self.scope(Some(inst), Some(class))
    }

    fn elaborate_new(&mut self, id: MemberId) -> Checked<State> {
        let scope = self.member_scope(id);
        let Member { inst, name, clause, component, redeclared, protected, .. } = self.members[id];
        let said = self.members[id].said.clone();
        if let Some(condition) = &component.condition {
            match self.evaluate(condition, scope)? {
                Some(super::values::Value::Boolean(true)) => {}
                Some(super::values::Value::Boolean(false)) => return Ok(State::Absent),
                _ => return Err(self.fail("N005", format!("the condition of `{name}` cannot be evaluated"), condition.span, scope)),
            }
        }
        if clause.prefixes.outer && !clause.prefixes.inner {
            return self.inner_of(inst, name, component.span, scope);
        }
        let (type_scope, type_clause) = redeclared.map_or((scope, clause), |(scope, clause, _)| (scope, clause));
        let own_scope = scope;
        let typed = self.type_of(type_clause, type_scope, &said)?;
        let around = self.insts[inst].prefixes;
        // What components hide is theirs; results hold it as exported files do. What the model itself hides is hidden.
        let protected = protected && self.insts[inst].parent.is_none();
        let own = inherited(around, clause, type_clause, typed.causality, protected);
        let annotation = component.annotation.as_ref().or(redeclared.and_then(|(_, _, of)| of.annotation.as_ref()));
        let prefixes = Inherited { evaluate: is_evaluated(annotation).unwrap_or(around.evaluate), ..own };
        let mut dims: Vec<(&'s ast::Subscript, ScopeId)> = component.dims.iter().map(|d| (d, scope)).collect();
        if let Some((scope, new, of)) = redeclared {
            if !of.dims.is_empty() {
                dims = of.dims.iter().map(|d| (d, scope)).collect();
            } else if !new.type_spec.dims.is_empty() || !typed.dims.is_empty() {
                dims.clear();
            } else {
                // Sizes stay if the redeclaration says nothing of them.
                dims.extend(clause.type_spec.dims.iter().map(|d| (d, own_scope)));
            }
        }
        dims.extend(type_clause.type_spec.dims.iter().map(|d| (d, type_scope)));
        dims.extend(typed.dims.iter().copied());
        let full = self.full_name(inst, name);
        match typed.what {
            What::Basic(basic) => {
                let sizes = self.sizes(&dims, &full, scope)?;
                self.check_attributes(&typed.said, &full)?;
                let prefixes = self.discrete_prefix(prefixes, basic);
                if !sizes.is_empty() {
                    self.ranks.insert(full.clone(), sizes.len());
                }
                let variable = self.variables.push(Variable {
                    name: full,
                    basic,
                    is_connector: typed.kind.is_some_and(is_connector),
                    member: id,
                    dims: sizes,
                    said: typed.said,
                    prefixes,
                    value: None,
                    evaluating: false,
                });
                Ok(State::Variable(variable))
            }
            What::Class(class) => self.elaborate_instances(id, class, &dims, full, &typed.said, prefixes, scope),
        }
    }

    fn discrete_prefix(&self, prefixes: Inherited, basic: Basic) -> Inherited {
        let object = matches!(basic, Basic::Object(_)) && prefixes.variability == Variability::None;
        Inherited { variability: if object { Variability::Parameter } else { prefixes.variability }, ..prefixes }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one declaration")]
    fn elaborate_instances(
        &mut self,
        id: MemberId,
        class: ClassInstId,
        dims: &[(&'s ast::Subscript, ScopeId)],
        full: Rc<str>,
        said: &Rc<Mod<'s>>,
        prefixes: Inherited,
        scope: ScopeId,
    ) -> Checked<State> {
        let (inst, span) = (self.members[id].inst, self.members[id].component.span);
        let mut depth = 0;
        let mut at = Some(inst);
        while let Some(inner) = at {
            (depth, at) = (depth + 1, self.insts[inner].parent);
        }
        if depth > MAX_DEPTH {
            return Err(self.fail("N004", format!("`{}` contains itself", self.class_path(class).to_owned()), span, scope));
        }
        self.check_component_class(class, said, &full, span, scope)?;
        // What a bus carries is not only the model's own.
        let is_bus = self.class_kind(class) == ClassKind::ExpandableConnector;
        let prefixes = Inherited { protected: prefixes.protected && !is_bus, ..prefixes };
        let own = &self.classes.class_insts[class];
        let (of, outer, home, own_mods) = (own.class, own.outer, own.home, own.mods.clone());
        let mods = self.mods_for(of, &Mod::merged(said, &own_mods));
        let class = self.class_inst(of, outer, home, mods);
        let mut sizes = Vec::new();
        for (axis, size) in self.sizes(dims, &full, scope)?.into_iter().enumerate() {
            let known = match size {
                Some(size) => Some(size),
                None => self.size_of_value(said, axis)?,
            };
            match known {
                Some(size) => sizes.push(size),
                None => return Err(self.fail("N005", format!("the size of `{full}` is not known"), span, scope)),
            }
        }
        if sizes.is_empty() {
            let made = self.instance(Some(inst), full, class, said.clone(), prefixes)?;
            return Ok(State::Instances { dims: sizes, list: Rc::new(vec![made]) });
        }
        let mut list = Vec::new();
        for at in positions(&sizes) {
            let text: Vec<String> = at.iter().map(usize::to_string).collect();
            let name: Rc<str> = Rc::from([&*full, "[", &text.join(","), "]"].concat());
            let said = if said.is_empty() { said.clone() } else { Rc::new(said.element(&at)) };
            list.push(self.instance(Some(inst), name, class, said, prefixes)?);
        }
        Ok(State::Instances { dims: sizes, list: Rc::new(list) })
    }

    /// Whether a class, or the one that it is another name of, is partial.
    fn is_partial(&mut self, class: ClassInstId) -> Checked<bool> {
        let mut at = class;
        loop {
            if self.library.classes[self.classes.class_insts[at].class].prefixes.partial {
                return Ok(true);
            }
            let is_short = matches!(self.class_syntax(at)?.body, ClassBody::Short { .. });
            match self.elements(at)?.bases.get(1) {
                Some(base) if is_short && base.id != at => at = base.id,
                _ => return Ok(false),
            }
        }
    }

    /// A component is of a class that is complete and has components; one of a model has no value.
    fn check_component_class(&mut self, class: ClassInstId, said: &Rc<Mod<'s>>, full: &str, span: Span, scope: ScopeId) -> Checked<()> {
        let kind = self.class_kind(class);
        let path = |work: &Self| work.class_path(class).to_owned();
        if matches!(kind, ClassKind::Package | ClassKind::Function | ClassKind::OperatorFunction | ClassKind::Operator) {
            let what = kind.word();
            let text = format!("`{}` is a {what}, so `{full}` cannot be a component of it", path(self));
            return Err(self.fail("N003", text, span, scope));
        }
        if self.is_partial(class)? {
            let text = format!("`{}` is partial, so `{full}` cannot be a component of it", path(self));
            let error = self.fail("N003", text, span, scope);
            return Err(Box::new(error.with_hint("redeclare it as a class that is complete")));
        }
        let is_given = said.value.as_ref().is_some_and(|value| value.steps.is_empty());
        if is_given && matches!(kind, ClassKind::Model | ClassKind::Block) {
            let text = format!("`{full}` is a component of the {} `{}`, which has no value", kind.word(), path(self));
            return Err(self.fail("M005", text, span, scope));
        }
        Ok(())
    }

    /// The instance with the `inner` declaration that an `outer` one means.
    fn inner_of(&mut self, inst: InstId, name: &'s str, span: Span, scope: ScopeId) -> Checked<State> {
        let found = self.inner_member(inst, name, span, scope)?;
        self.elaborate(found)
    }

    fn inner_member(&mut self, inst: InstId, name: &'s str, span: Span, scope: ScopeId) -> Checked<MemberId> {
        let mut at = self.insts[inst].parent;
        while let Some(around) = at {
            if let Some(found) = self.insts[around].members.get(name).copied()
                && self.members[found].clause.prefixes.inner
            {
                return Ok(found);
            }
            at = self.insts[around].parent;
        }
        self.make_inner(inst, name, span, scope)
    }

    /// What a name of a component means in the class that declares it: of `inner outer` ones the one further out, for the declared
    /// one is that of the components inside.
    pub(super) fn seen(&mut self, member: MemberId) -> Checked<MemberId> {
        let Member { inst, name, clause, component, .. } = self.members[member];
        if !(clause.prefixes.inner && clause.prefixes.outer) {
            return Ok(member);
        }
        let scope = self.member_scope(member);
        self.inner_member(inst, name, component.span, scope)
    }

    /// An `inner` component of the model where there is none: of the type that the `outer` one declares, unmodified.
    fn make_inner(&mut self, inst: InstId, name: &'s str, span: Span, scope: ScopeId) -> Checked<MemberId> {
        let mut root = inst;
        while let Some(parent) = self.insts[root].parent {
            root = parent;
        }
        let none = format!("there is no `inner` component `{name}` around this one");
        let Some(of) = self.insts[inst].members.get(name).copied().filter(|_| !self.insts[root].members.contains_key(name)) else {
            return Err(self.fail("N007", none, span, scope));
        };
        let (clause, component) = (self.members[of].clause, self.members[of].component);
        if let What::Class(class) = self.type_of(clause, scope, &Rc::default())?.what
            && self.library.classes[self.classes.class_insts[class].class].prefixes.partial
        {
            return Err(self.fail("N007", none, span, scope));
        }
        let prefixes = ast::ComponentPrefixes { inner: true, outer: false, ..clause.prefixes };
        let component = ast::Component { modification: Vec::new(), binding: None, condition: None, ..component.clone() };
        let clause = ast::ComponentClause { prefixes, components: vec![component], ..clause.clone() };
        let Some((clause, component)) = first_component(self.library.keep_element(ast::Element::Components(clause))) else {
            return Err(self.fail("N007", none, span, scope));
        };
        let redeclared = Some((scope, clause, component));
        let state = State::Pending;
        let said = Rc::default();
        let member = Member { inst: root, name, base: 0, clause, component, redeclared, protected: false, state, said };
        let member = self.members.push(member);
        self.insts[root].members.insert(name, member);
        self.made_inner.push(member);
        let place = self.place(span, scope);
        let warning = partita_grammar::Diagnostic::warning("N007", format!("{none}: one is made, with the values of its class"));
        self.reports.warnings.push(warning.at(place, ""));
        Ok(member)
    }

    pub(super) fn full_name(&self, inst: InstId, name: &str) -> Rc<str> {
        let around = &self.insts[inst].name;
        if around.is_empty() { Rc::from(name) } else { Rc::from([around, ".", name].concat()) }
    }

    fn sizes(&mut self, dims: &[(&'s ast::Subscript, ScopeId)], name: &str, _: ScopeId) -> Checked<Vec<Option<usize>>> {
        let mut sizes = Vec::with_capacity(dims.len());
        for (dim, scope) in dims {
            sizes.push(match dim {
                ast::Subscript::All(_) => None,
                ast::Subscript::Index(e) => match self.dimension(e, *scope)? {
                    Some(size) => Some(size),
                    None => return Err(self.fail("N005", format!("the size of `{name}` cannot be evaluated"), e.span, *scope)),
                },
            });
        }
        Ok(sizes)
    }

    /// The type of a component.
    pub(super) fn type_of(&mut self, clause: &'s ast::ComponentClause, scope: ScopeId, said: &Rc<Mod<'s>>) -> Checked<Typed<'s>> {
        let name = match &clause.type_spec.kind {
            TypeKind::Named(name) => name,
            TypeKind::Enumeration(_) => {
                return Err(self.fail("N003", "an enumeration needs a name", clause.type_spec.span, scope));
            }
        };
        let super::ids::Scope { inst, class } = self.contexts.scopes[scope];
        let found = self.class_by_name(name, Some(class), inst)?;
        let mut made = Typed {
            what: What::Basic(Basic::Builtin(Builtin::Real)),
            dims: Vec::new(),
            causality: Causality::None,
            kind: None,
            said: said.clone(),
        };
        match found {
            Meaning::Builtin(builtin) => made.what = What::Basic(Basic::Builtin(builtin)),
            Meaning::Component(_) | Meaning::Constant(_) => {
                return Err(self.fail("N003", format!("`{name}` is no type"), name.span, scope));
            }
            Meaning::Class(found) => {
                let found = self.at_home(found, inst);
                made.kind = Some(self.class_kind(found));
                let said = self.with_class_said(name, inst, said)?;
                made.said = said.clone();
                self.type_of_class(found, &said, &mut made)?;
            }
        }
        Ok(made)
    }

    /// A class that lies inside the class of an instance is one of that instance.
    pub(super) fn at_home(&mut self, class: ClassInstId, inst: Option<InstId>) -> ClassInstId {
        let Some(inst) = inst else { return class };
        let of = &self.classes.class_insts[class];
        let (entry, outer, mods) = (of.class, of.outer, of.mods.clone());
        let Some(outer) = outer.filter(|_| of.home.is_none()) else { return class };
        if !self.insts[inst].is_package && self.insts[inst].bases.iter().any(|(base, _)| *base == outer) {
            return self.class_inst(entry, Some(outer), Some(inst), mods);
        }
        class
    }

    fn type_of_class(&mut self, class: ClassInstId, said: &Rc<Mod<'s>>, made: &mut Typed<'s>) -> Checked<()> {
        let mut at = class;
        loop {
            match &self.class_syntax(at)?.body {
                ClassBody::Short { causality, base, .. } => {
                    let scope = self.argument_scope(at, None)?;
                    made.dims.extend(base.dims.iter().map(|d| (d, scope)));
                    if *causality != Causality::None {
                        made.causality = *causality;
                    }
                }
                // A type may extend one that is an array.
                _ if self.class_kind(at) == ClassKind::Type => {}
                _ => break,
            }
            let elements = self.elements(at)?;
            match elements.bases.get(1) {
                Some(base) if base.id != at => at = base.id,
                _ => break,
            }
        }
        let elements = self.elements(class)?;
        let basic = match (elements.basic, self.enumeration(class)?) {
            (Some((Builtin::ExternalObject, _)), _) => Some(Basic::Object(class)),
            (Some((builtin, _)), _) => Some(Basic::Builtin(builtin)),
            (None, Some((id, _))) => Some(Basic::Enumeration(id)),
            (None, None) => None,
        };
        let Some(basic) = basic else {
            made.what = What::Class(class);
            return Ok(());
        };
        made.what = What::Basic(basic);
        if matches!(basic, Basic::Object(_)) {
            return Ok(());
        }
        let said = Mod::merged(said, &self.classes.class_insts[class].mods);
        let mut saids: Vec<(ClassInstId, Rc<Mod<'s>>)> = vec![(class, said)];
        for base in elements.bases.iter().skip(1) {
            let via = saids[base.via].clone();
            let scope = self.argument_scope(via.0, None)?;
            let here = Rc::new(Mod::of(base.arguments, None, scope));
            self.check_final(&via.1, &here, "")?;
            saids.push((base.id, Mod::merged(&via.1, &here)));
        }
        let last = elements.basic.map_or(saids.len() - 1, |(_, at)| at);
        made.said = saids[last].1.clone();
        Ok(())
    }

    fn check_attributes(&mut self, said: &Mod<'s>, name: &str) -> Checked<()> {
        for (attribute, child) in &said.children {
            if !is_attribute(attribute) {
                let scope = child.scope.unwrap_or(ScopeId(0));
                return Err(self.fail("M001", format!("`{name}` has no attribute `{attribute}`"), child.span, scope));
            }
        }
        Ok(())
    }

    /// The instance of a package, whose constants are asked for.
    pub(super) fn package(&mut self, class: ClassInstId) -> Checked<InstId> {
        if let Some(known) = self.packages.get(&class) {
            return Ok(*known);
        }
        let name = self.unique_name(class);
        let said = self.classes.class_insts[class].mods.clone();
        let inst = self.instance(None, Rc::from(name.as_str()), class, said, Inherited::default())?;
        self.insts[inst].is_package = true;
        self.packages.insert(class, inst);
        Ok(inst)
    }
}

/// What `annotation(Evaluate = ...)` says.
fn is_evaluated(annotation: Option<&ast::Annotation>) -> Option<bool> {
    annotation?.arguments.iter().find_map(|argument| match argument {
        ast::Argument::Modification { name, value: Some(value), .. } if matches!(name.parts.as_slice(), [p] if p.text == "Evaluate") => {
            match value.kind {
                ast::ExprKind::Boolean(is) => Some(is),
                _ => None,
            }
        }
        _ => None,
    })
}

fn inherited(
    around: Inherited,
    clause: &ast::ComponentClause,
    of: &ast::ComponentClause,
    type_causality: Causality,
    protected: bool,
) -> Inherited {
    let own = match of.prefixes.variability {
        Variability::None => clause.prefixes.variability,
        own => own,
    };
    let variability = match (around.variability, own) {
        (Variability::Constant, _) | (_, Variability::Constant) => Variability::Constant,
        (Variability::Parameter, _) | (_, Variability::Parameter) => Variability::Parameter,
        (Variability::Discrete, _) | (_, Variability::Discrete) => Variability::Discrete,
        _ => Variability::None,
    };
    let first = |list: [Causality; 4]| list.into_iter().find(|c| *c != Causality::None).unwrap_or_default();
    Inherited {
        variability,
        causality: first([around.causality, of.prefixes.causality, clause.prefixes.causality, type_causality]),
        flow: around.flow || clause.prefixes.flow,
        stream: around.stream || clause.prefixes.stream,
        protected: around.protected || protected,
        final_: around.final_ || clause.prefixes.final_,
        evaluate: around.evaluate,
    }
}
