//! Functions, records, enumerations and external objects: classes that the flat model calls or names.
//!
//! Each is written once per class instance, with all that it inherits, under its full path. Bodies are written when a call
//! reaches them. Also here: calls, and values of calls by flattening a model of one constant.

use super::elaborate::What;
use super::ids::{Checked, ClassInstId, ScopeId};
use super::modification::{Mod, is_attribute};
use super::references::quoted;
use super::tree::{Basic, Builtin, Instantiation, Locals, Meaning, State, Target};
use super::values::Value;
use crate::frontend::repair;
use partita_grammar::Span;
use partita_grammar::ast::{
    self, Argument, Causality, Class, ClassBody, ClassKind, ComponentRef, Element, Expr, ExprKind, Ident, LongBody, Name, RefPart, Section,
    Subscript, TypeKind, TypeSpec, Visibility,
};
use std::rc::Rc;

/// Annotations of functions that later passes read.
const READ: &[&str] = &["derivative", "inverse", "Inline", "LateInline", "InlineAfterIndexReduction", "smoothOrder", "GenerateEvents"];

/// Records inside records.
const MAX_FIELDS: usize = 50;

fn name_of(ident: &Ident) -> Name {
    Name { global: false, parts: vec![ident.clone()], span: ident.span }
}

impl<'s> Instantiation<'s> {
    /// The full path, and a number behind it if class instances of one class differ.
    pub(super) fn unique_name(&mut self, class: ClassInstId) -> String {
        if let Some(known) = self.functions.unique.get(&class) {
            return known.clone();
        }
        // A quoted name inside a quoted name would end it.
        let path = self.class_path(class).replace('\'', "");
        let n = self.functions.taken.entry(path.clone()).or_insert(0);
        *n += 1;
        let name = if *n == 1 { path } else { format!("{path}@{n}") };
        self.functions.unique.insert(class, name.clone());
        name
    }

    fn class_name(&mut self, class: ClassInstId) -> Ident {
        if let Some(known) = self.functions.names.get(&class) {
            return known.clone();
        }
        let ident = quoted(&self.unique_name(class), Span::default());
        self.functions.names.insert(class, ident.clone());
        self.functions.by_name.insert(ident.text.to_string(), class);
        self.functions.pending.push(class);
        ident
    }

    pub(super) fn enumeration_name(&mut self, class: ClassInstId) -> Checked<Ident> {
        let class = self.enumeration(class)?.map_or(class, |(id, _)| id);
        Ok(self.class_name(class))
    }

    pub(super) fn record_name(&mut self, class: ClassInstId) -> Checked<Ident> {
        let class = self.record_class(class)?;
        Ok(self.class_name(class))
    }

    pub(super) fn function_name(&mut self, class: ClassInstId) -> Checked<Ident> {
        if let Some(builtin) = self.builtin_function(class)? {
            return Ok(builtin);
        }
        Ok(self.class_name(class))
    }

    /// `external "builtin" y = sin(u)`.
    fn builtin_function(&mut self, class: ClassInstId) -> Checked<Option<Ident>> {
        let ClassBody::Long(body) = &self.class_syntax(class)?.body else { return Ok(None) };
        Ok(match &body.external {
            Some(external) if external.language.as_deref() == Some("builtin") => external.function.clone(),
            _ => None,
        })
    }

    /// Whether all classes that were named are written.
    pub(super) fn nothing_pending(&self) -> bool {
        self.functions.pending.is_empty()
    }

    /// Writes the classes that were named since.
    pub(super) fn write_classes(&mut self) -> Checked<()> {
        while let Some(class) = self.functions.pending.pop() {
            let ident = self.class_name(class);
            if self.is_in_library(class)? {
                continue;
            }
            let made = self.write_class(class, ident)?;
            self.functions.classes.push(made);
        }
        Ok(())
    }

    /// Whether a function in another language is not known to the runtime, but one of its name is among those in Modelica.
    fn is_in_library(&mut self, class: ClassInstId) -> Checked<bool> {
        let ClassBody::Long(body) = &self.class_syntax(class)?.body else { return Ok(false) };
        let Some(function) = body.external.as_ref().and_then(|external| external.function.as_ref()) else { return Ok(false) };
        let known = partita_runtime::native::lookup(&function.text).is_some();
        Ok(!known
            && self.unique_name(class) == self.class_path(class)
            && repair::library_files::is_library_function(self.class_path(class)))
    }

    fn write_class(&mut self, class: ClassInstId, ident: Ident) -> Checked<Class> {
        let syntax = self.class_syntax(class)?;
        let scope = self.class_scope(class);
        let span = self.place(syntax.span, scope);
        let ident = Ident { span: self.place(syntax.name.span, scope), ..ident };
        if let Some((_, literals)) = self.enumeration(class)? {
            let body = ClassBody::Enumeration { literals: Some(literals.to_vec()), annotation: None };
            return Ok(made_class(ClassKind::Type, ident, body, span));
        }
        let elements = self.elements(class)?;
        if elements.basic.is_some_and(|(b, _)| b == Builtin::ExternalObject) {
            return self.write_object(class, ident, span);
        }
        let kind = match self.class_kind(class) {
            kind @ (ClassKind::Function | ClassKind::OperatorFunction) => kind,
            _ => ClassKind::Record,
        };
        if let ClassBody::PartialDerivative { function, variables, .. } = &syntax.body {
            let outer = self.classes.class_insts[class].outer;
            let Meaning::Class(of) = self.class_by_name(function, outer, None)? else {
                return Err(self.fail("N003", "not a function", function.span, scope));
            };
            let function = name_of(&self.function_name(of)?);
            let body = ClassBody::PartialDerivative { function, variables: variables.clone(), annotation: None };
            return Ok(made_class(kind, ident, body, span));
        }
        let mut body = self.write_elements(class)?;
        if kind != ClassKind::Record {
            self.write_body(class, &mut body)?;
        }
        let mut made = made_class(kind, ident, ClassBody::Long(body), span);
        made.prefixes.impure = syntax.prefixes.impure;
        made.prefixes.partial = syntax.prefixes.partial;
        Ok(made)
    }

    fn write_object(&mut self, class: ClassInstId, ident: Ident, span: Span) -> Checked<Class> {
        let none = Element::Extends {
            name: Name { global: false, parts: vec![Ident { text: "ExternalObject".into(), span }], span },
            modification: Vec::new(),
            annotation: None,
            span,
        };
        let mut elements = vec![none];
        for name in ["constructor", "destructor"] {
            if let Some(Meaning::Class(inner)) = self.member_of_class(class, name)? {
                let inner = self.write_class(inner, Ident { text: name.into(), span })?;
                elements.push(Element::Class(Box::new(inner)));
            }
        }
        let body = LongBody { sections: vec![Section::Elements { visibility: Visibility::Default, elements }], ..LongBody::default() };
        Ok(made_class(ClassKind::Class, ident, ClassBody::Long(body), span))
    }

    /// The inputs, outputs, locals and fields, inherited ones included.
    pub(super) fn write_elements(&mut self, class: ClassInstId) -> Checked<LongBody> {
        let elements = self.elements(class)?;
        let saids = self.saids(class)?;
        let mut sections = Vec::new();
        for declared in &elements.components {
            let (owner, around) = saids[declared.base].clone();
            let scope = self.scope(None, Some(owner));
            let (clause, component) = (declared.clause, declared.component);
            let Some(part) = component.name.parts.first() else { continue };
            let own = Rc::new(Mod::of(&component.modification, component.binding.as_ref(), scope));
            let said = match around.child(&part.name.text) {
                Some(outer) => Mod::merged(outer, &own),
                None => own,
            };
            let (scope_of_type, of) =
                match said.redeclaration.and_then(|r| Some((r.scope, super::modification::first_component(r.element)?.0))) {
                    Some(redeclared) => redeclared,
                    None => (scope, clause),
                };
            let typed = self.type_of(of, scope_of_type, &said)?;
            let span = self.place(component.name.span, scope);
            let (name, attributes) = match typed.what {
                What::Basic(basic) => (self.basic_name(basic)?, self.attributes(&typed.said)?),
                What::Class(class) => (self.record_name(class)?, Vec::new()),
            };
            let mut locals = Locals::default();
            let mut dims = self.subscripts(&component.dims, scope, &mut locals)?;
            dims.extend(self.subscripts(&of.type_spec.dims, scope_of_type, &mut locals)?);
            for (dim, scope) in &typed.dims {
                dims.extend(self.subscripts(std::slice::from_ref(*dim), *scope, &mut locals)?);
            }
            let is_input = clause.prefixes.causality == Causality::Input;
            let binding = match (&typed.said.value, &typed.what) {
                // Read in an instance: every call gives it.
                (Some(value), _) if self.contexts.scopes[value.scope].inst.is_some() => None,
                // Fields alone are no value of an input unless they are all: calls give it.
                (None, What::Class(class)) if is_input && !self.gives_all(*class, &typed.said)? => None,
                (_, What::Class(class)) => self.record_value(*class, &typed.said, span, 0)?,
                (Some(value), _) => Some(self.bound(&value.clone(), &mut locals)?),
                (None, _) => None,
            };
            let made = ast::Component {
                name: ComponentRef {
                    global: false,
                    parts: vec![RefPart { name: Ident { text: part.name.text.clone(), span }, subscripts: Vec::new() }],
                    span,
                },
                dims,
                modification: if self.class_kind(class) == ClassKind::Function { Vec::new() } else { attributes },
                binding,
                condition: None,
                description: None,
                annotation: None,
                span,
            };
            let prefixes = ast::ComponentPrefixes {
                variability: clause.prefixes.variability,
                causality: if of.prefixes.causality == Causality::None { clause.prefixes.causality } else { of.prefixes.causality },
                ..ast::ComponentPrefixes::default()
            };
            let type_spec = TypeSpec { kind: TypeKind::Named(name_of(&Ident { span, ..name })), dims: Vec::new(), span };
            let clause = ast::ComponentClause { prefixes, type_spec, components: vec![made], constraint: None, span };
            let visibility = if declared.protected { Visibility::Protected } else { Visibility::Public };
            sections.push(Section::Elements { visibility, elements: vec![Element::Components(clause)] });
        }
        Ok(LongBody { sections, ..LongBody::default() })
    }

    /// The value of a record: as given, with fields that are given on their own in the place of its fields.
    fn record_value(&mut self, class: ClassInstId, said: &Rc<Mod<'s>>, span: Span, depth: usize) -> Checked<Option<Expr>> {
        if !said.children.values().any(|child| has_value(child)) || depth > MAX_FIELDS {
            return match &said.value {
                Some(value) => Ok(Some(self.bound(&value.clone(), &mut Locals::default())?)),
                None => Ok(None),
            };
        }
        let name = self.record_name(class)?;
        let elements = self.elements(class)?;
        let mut named = Vec::new();
        for declared in &elements.components {
            let Some(part) = declared.component.name.parts.first() else { continue };
            let field = Rc::new(said.field(&part.name.text));
            if !has_value(&field) {
                continue;
            }
            let scope = self.scope(None, Some(elements.bases[declared.base].id));
            let value = match self.type_of(declared.clause, scope, &Rc::default())?.what {
                What::Class(inner) => self.record_value(inner, &field, span, depth + 1)?,
                What::Basic(_) => match &field.value {
                    Some(value) => Some(self.bound(&value.clone(), &mut Locals::default())?),
                    None => None,
                },
            };
            named.extend(value.map(|value| (Ident { text: part.name.text.clone(), span }, value)));
        }
        let arguments = Box::new(ast::CallArguments { named, ..ast::CallArguments::default() });
        let parts = vec![RefPart { name: Ident { span, ..name }, subscripts: Vec::new() }];
        Ok(Some(Expr { kind: ExprKind::Call { function: ComponentRef { global: false, parts, span }, arguments }, span }))
    }

    /// Whether modifications and defaults give a value to every field of a record.
    fn gives_all(&mut self, class: ClassInstId, said: &Rc<Mod<'s>>) -> Checked<bool> {
        let elements = self.elements(class)?;
        Ok(elements.components.iter().all(|declared| {
            let name = declared.component.name.parts.first().map_or("", |part| &*part.name.text);
            declared.component.binding.is_some() || said.child(name).is_some_and(|child| has_value(child))
        }))
    }

    /// Inputs whose values are read in an instance: the function is an element of a component, modified there.
    fn read_in_instance(&mut self, class: ClassInstId) -> Checked<Vec<(Ident, super::modification::Binding<'s>)>> {
        if self.classes.class_insts[class].home.is_none() {
            return Ok(Vec::new());
        }
        let elements = self.elements(class)?;
        let saids = self.saids(class)?;
        let mut found = Vec::new();
        for declared in elements.components.iter().filter(|d| d.clause.prefixes.causality == Causality::Input) {
            let Some(part) = declared.component.name.parts.first() else { continue };
            let value = saids[declared.base].1.child(&part.name.text).and_then(|said| said.value.clone());
            found.extend(value.filter(|value| self.contexts.scopes[value.scope].inst.is_some()).map(|value| (part.name.clone(), value)));
        }
        Ok(found)
    }

    /// The classes whose text belongs to a class, each with what is said about its elements.
    fn saids(&mut self, class: ClassInstId) -> Checked<Vec<(ClassInstId, Rc<Mod<'s>>)>> {
        let elements = self.elements(class)?;
        let mut saids: Vec<(ClassInstId, Rc<Mod<'s>>)> = vec![(class, self.classes.class_insts[class].mods.clone())];
        for base in elements.bases.iter().skip(1) {
            let via = saids[base.via].clone();
            let scope = self.argument_scope(via.0, None)?;
            saids.push((base.id, Mod::merged(&via.1, &Rc::new(Mod::of(base.arguments, None, scope)))));
        }
        Ok(saids)
    }

    pub(super) fn basic_name(&mut self, basic: Basic) -> Checked<Ident> {
        match basic {
            Basic::Builtin(builtin) => Ok(Ident { text: builtin.word().into(), span: Span::default() }),
            Basic::Enumeration(class) => self.enumeration_name(class),
            Basic::Object(class) => Ok(self.class_name(class)),
        }
    }

    /// Algorithms, external calls and annotations.
    fn write_body(&mut self, class: ClassInstId, made: &mut LongBody) -> Checked<()> {
        let elements = self.elements(class)?;
        for base in elements.bases.iter().rev() {
            let ClassBody::Long(body) = &self.class_syntax(base.id)?.body else { continue };
            let scope = self.scope(None, Some(base.id));
            let mut locals = Locals::default();
            for section in &body.sections {
                if let Section::Algorithm { initial, statements, span } = section {
                    let statements = self.statements(statements, scope, &mut locals)?;
                    made.sections.push(Section::Algorithm { initial: *initial, statements, span: self.place(*span, scope) });
                }
            }
            if let Some(external) = &body.external {
                let span = self.place(external.span, scope);
                let output = match &external.output {
                    Some(output) => match self.reference(output, scope, &mut locals)?.kind {
                        ExprKind::Ref(output) => Some(output),
                        _ => None,
                    },
                    None => None,
                };
                let arguments = self.exprs(&external.arguments, scope, &mut locals)?;
                made.external = Some(ast::External { output, arguments, span, ..external.clone() });
            }
            for annotation in &body.annotations {
                let kept = self.function_annotation(annotation, scope)?;
                made.annotations.extend(kept);
            }
        }
        Ok(())
    }

    fn function_annotation(&mut self, annotation: &'s ast::Annotation, scope: ScopeId) -> Checked<Option<ast::Annotation>> {
        let mut arguments = Vec::new();
        for argument in &annotation.arguments {
            let Argument::Modification { name, arguments: inner, value, .. } = argument else { continue };
            let Some(word) = name.parts.first().map(|p| &*p.text).filter(|w| READ.contains(w)) else { continue };
            let mut kept = argument.clone();
            if word == "derivative"
                && let (Some(Expr { kind: ExprKind::Ref(reference), .. }), Argument::Modification { value: made, .. }) = (value, &mut kept)
            {
                match self.target(reference, scope, &Locals::default())? {
                    Some((Target::Class(class), _)) => *made = Some(self.class_value(class)?),
                    _ => continue,
                }
            }
            if word == "inverse" {
                // `inverse(u = f(y))`: the function behind each input.
                let Some(inner) = inner else { continue };
                let mut list = Vec::new();
                for one in inner {
                    let Argument::Modification { value: Some(Expr { kind: ExprKind::Call { function, arguments }, span }), .. } = one
                    else {
                        continue;
                    };
                    let Some((Target::Class(class), _)) = self.target(function, scope, &Locals::default())? else { continue };
                    let Expr { kind: ExprKind::Ref(function), .. } = self.class_value(class)? else { continue };
                    let mut one = one.clone();
                    if let Argument::Modification { value, .. } = &mut one {
                        *value = Some(Expr { kind: ExprKind::Call { function, arguments: arguments.clone() }, span: *span });
                    }
                    list.push(one);
                }
                if let Argument::Modification { arguments, .. } = &mut kept {
                    *arguments = Some(list);
                }
            }
            arguments.push(kept);
        }
        let span = self.place(annotation.span, scope);
        Ok((!arguments.is_empty()).then_some(ast::Annotation { arguments, span }))
    }

    fn class_value(&mut self, class: ClassInstId) -> Checked<Expr> {
        let name = self.function_name(class)?;
        let span = name.span;
        let parts = vec![RefPart { name, subscripts: Vec::new() }];
        Ok(Expr { kind: ExprKind::Ref(ComponentRef { global: false, parts, span }), span })
    }

    /// A call with full names.
    pub(super) fn call(
        &mut self,
        e: &Expr,
        function: &ComponentRef,
        arguments: &ast::CallArguments,
        scope: ScopeId,
        locals: &mut Locals,
    ) -> Checked<Expr> {
        let span = self.place(e.span, scope);
        let text = function.parts.iter().map(|p| &*p.name.text).collect::<Vec<_>>().join(".");
        let target = self.target(function, scope, locals)?;
        let class = match &target {
            Some((Target::Class(class), _)) => Some(*class),
            Some((Target::Member(member), used)) => self.function_of_component(*member, &function.parts[*used..])?,
            _ => None,
        };
        let name = match class {
            Some(class) => {
                let path = self.class_path(class).to_owned();
                if path == "Modelica.Utilities.Files.loadResource"
                    && let Some(Value::String(uri)) = self.value_of(&arguments.positional[0], scope, locals)?
                {
                    return Ok(Expr { kind: ExprKind::String(self.resource(&uri)?), span });
                }
                self.called(class, arguments)?
            }
            None => {
                if let Some(value) = self.special_call(&text, e, function, arguments, scope, locals)? {
                    return Ok(value);
                }
                function.parts.last().map_or_else(|| quoted("", span), |p| p.name.clone())
            }
        };
        let before = locals.names.len();
        let iterators = self.iterators(&arguments.iterators, scope, locals)?;
        let positional = self.exprs(&arguments.positional, scope, locals);
        locals.names.truncate(before);
        let named = arguments.named.iter().map(|(n, e)| Ok((n.clone(), self.expr(e, scope, locals)?))).collect::<Checked<_>>()?;
        let mut named: Vec<(Ident, Expr)> = named;
        if let Some(class) = class {
            let inputs = self.read_in_instance(class)?;
            let signature = if inputs.is_empty() { None } else { Some(self.signature(class)?) };
            for (name, value) in inputs {
                let at = signature.as_ref().and_then(|s| s.inputs.iter().position(|input| *input.name == *name.text));
                let is_given = at.is_none_or(|at| at < arguments.positional.len()) || named.iter().any(|(n, _)| n.text == name.text);
                if !is_given {
                    named.push((Ident { span, ..name }, self.bound(&value, locals)?));
                }
            }
        }
        let made =
            ast::CallArguments { positional: positional?, named, iterators, is_partial_application: arguments.is_partial_application };
        let parts = vec![RefPart { name: Ident { span: self.place(function.span, scope), ..name }, subscripts: Vec::new() }];
        let function = ComponentRef { global: false, parts, span };
        Ok(Expr { kind: ExprKind::Call { function, arguments: Box::new(made) }, span })
    }

    /// The value of a call of an operator that depends on connections or the name of the instance, or that is known at once.
    fn special_call(
        &mut self,
        text: &str,
        e: &Expr,
        function: &ComponentRef,
        arguments: &ast::CallArguments,
        scope: ScopeId,
        locals: &mut Locals,
    ) -> Checked<Option<Expr>> {
        let span = self.place(e.span, scope);
        match text {
            "inStream" | "actualStream" => return self.stream_call(text, arguments, span, scope, locals).map(Some),
            "getInstanceName" => {
                let name = self.instance_name(scope);
                return Ok(Some(Expr { kind: ExprKind::String(name), span }));
            }
            "size" | "ndims" if self.contexts.scopes[scope].inst.is_some() => {
                if let Some(value) = self.value_of(e, scope, locals)? {
                    return self.literal(&value, span).map(Some);
                }
            }
            "cardinality" | "rooted" | "Connections.isRoot" | "Connections.rooted" => {
                let word = text.rsplit('.').next().unwrap_or(text);
                let value = match self.graph_value(word, arguments, scope, locals) {
                    // Chosen by a loop: it is unrolled then.
                    Err(_) if locals.names.iter().any(|(_, value)| value.is_none()) => {
                        locals.chosen_by_loop = true;
                        Some(Value::Integer(0))
                    }
                    value => value?,
                };
                return match value {
                    Some(value) => self.literal(&value, span).map(Some),
                    None => Err(self.fail("N005", format!("`{text}` is not known here"), function.span, scope)),
                };
            }
            _ if text.starts_with("Connections.") => {
                self.refuse(format!("`{text}`"), function.span, scope);
                return Ok(Some(Expr { kind: ExprKind::Boolean(false), span }));
            }
            _ => {}
        }
        Ok(None)
    }

    /// What `getInstanceName` gives: the last name of the model, and the names of the components in it down to this one.
    fn instance_name(&self, scope: ScopeId) -> String {
        let Some(inst) = self.contexts.scopes[scope].inst else { return String::new() };
        let mut root = inst;
        while let Some(parent) = self.insts[root].parent {
            root = parent;
        }
        let path = self.class_path(self.insts[root].class);
        let model = path.rsplit('.').next().unwrap_or(path);
        match &*self.insts[inst].name {
            "" => model.to_owned(),
            name => format!("{model}.{name}"),
        }
    }

    /// The name of a function, or of the constructor of a record.
    fn called(&mut self, class: ClassInstId, arguments: &ast::CallArguments) -> Checked<Ident> {
        if self.class_kind(class) != ClassKind::OperatorRecord {
            return self.function_name(class);
        }
        let record = self.record_class(class)?;
        let named: Vec<Ident> = arguments.named.iter().map(|(name, _)| name.clone()).collect();
        match self.constructor(record, arguments.positional.len(), &named)? {
            Some(constructor) => self.function_name(constructor),
            None => self.record_name(record),
        }
    }

    /// A function that is an element of a component's class.
    fn function_of_component(&mut self, member: super::ids::MemberId, parts: &[RefPart]) -> Checked<Option<ClassInstId>> {
        let mut member = member;
        for part in parts.iter().skip(1) {
            let State::Instances { list, .. } = self.elaborate(member)? else { return Ok(None) };
            let Some(inst) = list.first().copied() else { return Ok(None) };
            match self.insts[inst].members.get(&*part.name.text).copied() {
                Some(next) => member = next,
                None => {
                    return Ok(match self.member_of_class(self.insts[inst].class, &part.name.text)? {
                        Some(Meaning::Class(class)) => Some(self.at_home(class, Some(inst))),
                        _ => None,
                    });
                }
            }
        }
        Ok(None)
    }

    /// The file that `modelica://Package/...` names.
    fn resource(&mut self, uri: &str) -> Checked<String> {
        let Some(rest) = uri.strip_prefix("modelica://") else { return Ok(uri.to_owned()) };
        let (package, file) = rest.split_once('/').unwrap_or((rest, ""));
        let class = self.library.path(package)?;
        let folder = class.and_then(|class| self.library.classes[class].folder.clone());
        Ok(folder.map_or_else(|| uri.to_owned(), |folder| folder.join(file).display().to_string()))
    }
}

pub(super) fn declaration(name: &Ident, rank: usize, binding: Option<Expr>, span: Span) -> Section {
    let component = ast::Component {
        name: ComponentRef {
            global: false,
            parts: vec![RefPart { name: Ident { text: "value".into(), span }, subscripts: Vec::new() }],
            span,
        },
        dims: vec![Subscript::All(span); rank],
        modification: Vec::new(),
        binding,
        condition: None,
        description: None,
        annotation: None,
        span,
    };
    let prefixes = ast::ComponentPrefixes { variability: ast::Variability::Constant, ..ast::ComponentPrefixes::default() };
    let type_spec = TypeSpec { kind: TypeKind::Named(name_of(name)), dims: Vec::new(), span };
    let clause = ast::ComponentClause { prefixes, type_spec, components: vec![component], constraint: None, span };
    Section::Elements { visibility: Visibility::Default, elements: vec![Element::Components(clause)] }
}

/// Whether a value is given, to something or to a part of it.
fn has_value(said: &Mod) -> bool {
    said.value.is_some() || said.children.iter().any(|(name, child)| !is_attribute(name) && has_value(child))
}

/// A class of the flat model.
pub(super) fn made_class(kind: ClassKind, name: Ident, body: ClassBody, span: Span) -> Class {
    Class { kind, prefixes: Default::default(), name: name_of(&name), description: None, body, constraint: None, span }
}
