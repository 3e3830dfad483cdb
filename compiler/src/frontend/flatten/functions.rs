//! Translates functions when a call, or a `derivative` annotation of a function that is called, reaches them.
//!
//! Input: a function class. Output: `flat::Function`; first its signature, so that calls can be typed, later its body,
//! from a list of work, so that chains of functions calling functions need no recursion.
//!
//! A function with function inputs is copied for the functions that are passed (`Specialised`): the inputs vanish and
//! what was bound in `function g(a = 1)` becomes further inputs of the copy.

use super::eval::{Evaluator, Stop};
use super::lookup::ClassEntry;
use super::names::name_text;
use super::names::plain_text;
use super::types::{DimSource, shapes_agree};
use super::{Bound, Checked, Flattener, Scope};
use crate::frontend::flat::{
    Expr, ExprKind, Field, FuncId, Function, FunctionBody, Local, LocalId, ObjectId, ObjectType, Scalar, Statement, StatementKind, Type,
    Value,
};
use partita_grammar::ast::{self, ClassBody, ClassKind, Element, ExprKind as Syntax, Section, TypeKind};
use partita_grammar::{Diagnostic, Span};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A function that came in as an argument, seen from inside the called function.
#[derive(Clone)]
pub(super) struct Passed<'a> {
    pub(super) function: ClassEntry<'a>,
    /// Inputs that were bound, and the locals that hold their values.
    pub(super) bound: Vec<(String, LocalId)>,
}

/// Which function is passed for a function input.
pub(super) struct Specialised<'a> {
    pub(super) input: String,
    pub(super) function: ClassEntry<'a>,
    pub(super) bound: Vec<(String, Type)>,
}

/// A component of a function.
struct FunctionElement<'a> {
    clause: &'a ast::ComponentClause,
    component: &'a ast::Component,
    name: &'a str,
    context: Rc<str>,
}

/// A function whose body waits to be translated.
pub(super) struct Pending<'a> {
    id: FuncId,
    bodies: Vec<(&'a ast::LongBody, Rc<str>)>,
    elements: Vec<(LocalId, FunctionElement<'a>)>,
    scope: Scope<'a>,
    /// For a function of the library: where it is called.
    library_call: Option<Span>,
}

impl<'a> Flattener<'a> {
    /// The elements and bodies of a function, base classes first.
    fn function_parts(
        &mut self,
        entry: &ClassEntry<'a>,
        depth: usize,
        elements: &mut Vec<FunctionElement<'a>>,
        bodies: &mut Vec<(&'a ast::LongBody, Rc<str>)>,
    ) -> Checked<()> {
        let span = entry.class.name.span;
        let body = match &entry.class.body {
            ClassBody::Long(body) => body,
            ClassBody::Short { base, modification, .. } if modification.is_empty() && depth < 20 => {
                if let TypeKind::Named(name) = &base.kind {
                    let text = name_text(name);
                    if let Some(base) = self.classes.find(&text, &entry.enclosing).cloned() {
                        return self.function_parts(&base, depth + 1, elements, bodies);
                    }
                }
                return Err(self.error(Diagnostic::error("F006", format!("`{}` stands for an unknown function", entry.path)).at(span, "")));
            }
            _ => {
                return Err(self.error(
                    Diagnostic::error("F010", format!("the function `{}` is defined in a way that is not supported", entry.path))
                        .at(span, "modified function aliases are not supported"),
                ));
            }
        };
        for section in &body.sections {
            let Section::Elements { elements: written, .. } = section else { continue };
            for element in written {
                match element {
                    Element::Components(clause) => {
                        for component in &clause.components {
                            let Some(part) = component.name.parts.first() else { continue };
                            let name = part.name.unquoted();
                            if let Some(first) = elements.iter().find(|e| e.name == name) {
                                let first = first.component.name.span;
                                return Err(self.error(
                                    Diagnostic::error("F004", format!("`{name}` is declared twice in `{}`", entry.path))
                                        .at(component.name.span, "second declaration")
                                        .at(first, "first declaration"),
                                ));
                            }
                            elements.push(FunctionElement { clause, component, name, context: entry.path.clone() });
                        }
                    }
                    Element::Extends { name, span, .. } => {
                        let text = name_text(name);
                        match self.classes.find(&text, &entry.path).cloned() {
                            Some(base) if depth < 20 => self.function_parts(&base, depth + 1, elements, bodies)?,
                            _ => return Err(self.error(Diagnostic::error("F005", format!("unknown base class `{text}`")).at(*span, ""))),
                        }
                    }
                    _ => {}
                }
            }
        }
        bodies.push((body, entry.path.clone()));
        Ok(())
    }

    fn is_function_type(&mut self, clause: &ast::ComponentClause, context: &str) -> bool {
        match &clause.type_spec.kind {
            TypeKind::Named(name) => self
                .classes
                .find(&name_text(name), context)
                .is_some_and(|e| e.class.kind == ClassKind::Function && !super::types::is_record_constructor(e.class)),
            TypeKind::Enumeration(_) => false,
        }
    }

    /// Whether some input is a function.
    pub(super) fn has_function_inputs(&mut self, entry: &ClassEntry<'a>) -> bool {
        let ClassBody::Long(body) = &entry.class.body else { return false };
        body.sections.iter().any(|section| {
            let Section::Elements { elements, .. } = section else { return false };
            elements.iter().any(|e| match e {
                Element::Components(clause) => {
                    clause.prefixes.causality == ast::Causality::Input
                        && super::types::basic_type(type_word(clause)).is_none()
                        && self.is_function_type(clause, &entry.path)
                }
                _ => false,
            })
        })
    }

    /// All inputs by name, and whether each is a function.
    pub(super) fn input_names(&mut self, entry: &ClassEntry<'a>) -> Checked<Vec<(String, bool)>> {
        let (mut elements, mut bodies) = (Vec::new(), Vec::new());
        self.function_parts(entry, 0, &mut elements, &mut bodies)?;
        elements.retain(|e| e.clause.prefixes.causality == ast::Causality::Input);
        Ok(elements.iter().map(|e| (e.name.to_owned(), self.is_function_type(e.clause, &e.context))).collect())
    }

    /// The function of a class; its signature is translated at the first call.
    pub(super) fn function_id(&mut self, entry: &ClassEntry<'a>, specialised: &[Specialised<'a>]) -> Checked<FuncId> {
        let mut key = entry.path.to_string();
        for s in specialised {
            let bound: Vec<&str> = s.bound.iter().map(|(n, _)| n.as_str()).collect();
            key.push_str(&format!("|{}={}({})", s.input, s.function.path, bound.join(",")));
        }
        if let Some(known) = self.functions.function_ids.get(&key) {
            return *known;
        }
        let id = self.reserve_function(&key, entry.class.name.span);
        self.functions.function_ids.insert(key.clone(), Ok(id));
        self.functions.open_signatures += 1;
        let result = self.signature(id, entry, specialised);
        self.functions.open_signatures -= 1;
        if let Err(reported) = result {
            // A failure whose message is thrown away must fail again, with a message, when it matters.
            if self.speculative > 0 {
                self.functions.function_ids.remove(&key);
            } else {
                self.functions.function_ids.insert(key, Err(reported));
            }
            self.functions.broken.insert(id);
            return Err(reported);
        }
        Ok(id)
    }

    fn reserve_function(&mut self, name: &str, span: Span) -> FuncId {
        self.model.functions.push(Function::empty(name.to_owned(), span))
    }

    /// The signature of `function g = der(f, u)`: that of `f`, whose Real outputs become derivatives. Its body is made later.
    fn derivative_signature(&mut self, id: FuncId, entry: &ClassEntry<'a>, of: &ast::Name, by: &[ast::Ident]) -> Checked<()> {
        let text = name_text(of);
        let Some(base) = self.classes.find(&text, &entry.enclosing).cloned() else {
            let error = Diagnostic::error("F006", format!("`{}` is the derivative of the unknown function `{text}`", entry.path));
            return Err(self.error(error.at(entry.class.name.span, "")));
        };
        let of = self.function_id(&base, &[])?;
        let function = self.model.functions[of].clone();
        let mut positions = Vec::new();
        for name in by {
            let position = function.inputs.iter().position(|input| function.locals[*input].name == name.unquoted());
            let ty = position.map(|position| &function.locals[function.inputs[position]].ty);
            match position.zip(ty).filter(|(_, ty)| ty.scalar == Scalar::Real && ty.is_scalar()) {
                Some((position, _)) => positions.push(position),
                None => {
                    let title = format!("`{}` cannot be differentiated by `{}`", function.name, name.unquoted());
                    let label = if ty.is_some() { "this input is no scalar Real" } else { "there is no such input" };
                    return Err(self.error(Diagnostic::error("F033", title).at(name.span, label)));
                }
            }
        }
        let outputs = function.outputs.iter().copied().filter(|output| function.locals[*output].ty.scalar == Scalar::Real).collect();
        let own = &mut self.model.functions[id];
        *own = Function { name: own.name.clone(), span: own.span, outputs, protected: Vec::new(), derivatives: Vec::new(), ..function };
        self.functions.derivatives_to_make.push((id, of, positions));
        Ok(())
    }

    /// Makes the bodies of functions that are derivatives, now that those of the functions are there.
    fn make_derivatives(&mut self) {
        for (id, of, by) in std::mem::take(&mut self.functions.derivatives_to_make) {
            let made = match self.functions.complete.contains(&of) {
                true => self.functions.tangents.partial(&mut self.model.functions, of, &by, id).map_err(Some),
                // What is wrong with the function has been said.
                false => Err(None),
            };
            match made {
                Ok(()) => {
                    self.functions.complete.insert(id);
                }
                Err(error) => {
                    self.functions.broken.insert(id);
                    if let Some(error) = error {
                        let _ = self.error(error.at(self.model.functions[id].span, "defined as a derivative"));
                    }
                }
            }
        }
    }

    fn signature(&mut self, id: FuncId, entry: &ClassEntry<'a>, specialised: &[Specialised<'a>]) -> Checked<()> {
        if let ClassBody::PartialDerivative { function, variables, .. } = &entry.class.body {
            return self.derivative_signature(id, entry, function, variables);
        }
        let (mut elements, mut bodies) = (Vec::new(), Vec::new());
        self.function_parts(entry, 0, &mut elements, &mut bodies)?;
        let mut scope = Scope::new(entry.path.clone(), Some(id));
        let (mut inputs, mut outputs, mut protected) = (Vec::new(), Vec::new(), Vec::new());
        let mut declared = Vec::new();
        let mut failed = None;
        for element in elements {
            let causality = element.clause.prefixes.causality;
            if let Some(s) = specialised.iter().find(|s| s.input == element.name) {
                let passed = Passed { function: s.function.clone(), bound: Vec::new() };
                scope.function_inputs.insert(element.name, passed);
                continue;
            }
            if element.clause.prefixes.variability == ast::Variability::Constant
                && causality == ast::Causality::None
                && let Some(value) = self.function_constant(&element, &mut scope)
            {
                scope.loops.push((element.name, Bound::Value(value)));
                continue;
            }
            let resolved = match self.resolve_type(&element.clause.type_spec, &element.context) {
                Ok(resolved) => resolved,
                Err(reported) => {
                    failed = Some(reported);
                    continue;
                }
            };
            let sources = function_dims(&element, &resolved.dims);
            let local = scope.locals.push(Local {
                name: element.name.to_owned(),
                ty: Type { scalar: resolved.scalar, dims: vec![None; sources.len()] },
                dim_exprs: vec![None; sources.len()],
                binding: None,
                span: element.component.name.span,
            });
            scope.names.insert(element.name, local);
            match causality {
                ast::Causality::Input => inputs.push(local),
                ast::Causality::Output => outputs.push(local),
                ast::Causality::None => protected.push(local),
            }
            declared.push((local, element, sources));
        }
        if let Some(reported) = failed {
            return Err(reported);
        }
        bound_inputs(entry.class.name.span, specialised, &mut scope, &mut inputs);
        self.sizes_and_defaults(&declared, &mut scope)?;
        let function = &mut self.model.functions[id];
        function.locals = scope.locals.clone();
        function.inputs = inputs;
        function.outputs = outputs;
        function.protected = protected;
        function.impure = entry.class.prefixes.impure || function.outputs.is_empty();
        if let Some(external) = bodies.last().and_then(|(body, _)| body.external.as_ref()) {
            external_signature(function, external, &entry.path);
        }
        let elements = declared.into_iter().map(|(local, element, _)| (local, element)).collect();
        let library_call = entry.from_library.then_some(self.call_span);
        if let Some(span) = library_call {
            super::place::set_span_of_function(&mut self.model.functions[id], span);
        }
        self.functions.pending.push(Pending { id, bodies, elements, scope, library_call });
        Ok(())
    }

    /// Sizes of the locals of a function, and defaults of its inputs.
    fn sizes_and_defaults(&mut self, declared: &[Declared<'a>], scope: &mut Scope<'a>) -> Checked<()> {
        // Literal sizes first: `size(a, 1)` of another local then folds.
        for literal_pass in [true, false] {
            for (local, _, sources) in declared {
                for (axis, (dim, _)) in sources.iter().enumerate() {
                    let ast::Subscript::Index(e) = dim else { continue };
                    if matches!(e.kind, Syntax::Integer(_)) != literal_pass {
                        continue;
                    }
                    let (size, expr) = self.dimension(dim, scope)?;
                    scope.locals[*local].ty.dims[axis] = size;
                    scope.locals[*local].dim_exprs[axis] = expr;
                }
            }
        }
        for (local, element, _) in declared {
            if let (ast::Causality::Input, Some(default)) = (element.clause.prefixes.causality, &element.component.binding) {
                let ty = scope.locals[*local].ty.clone();
                let value = self.expr(default, scope, Some(&ty))?;
                let value = self.fit(value, &ty, &format!("the default of `{}`", element.name))?;
                scope.locals[*local].binding = Some(value);
            }
        }
        Ok(())
    }

    /// The value of a scalar constant of a function, if it is known at once.
    fn function_constant(&mut self, element: &FunctionElement<'a>, scope: &mut Scope<'a>) -> Option<Value> {
        let binding = element.component.binding.as_ref()?;
        let resolved = self.speculate(|f| f.resolve_type(&element.clause.type_spec, &element.context)).ok()?;
        if !function_dims(element, &resolved.dims).is_empty() || matches!(resolved.scalar, Scalar::Record(_) | Scalar::Object(_)) {
            return None;
        }
        let ty = Type::scalar(resolved.scalar);
        self.speculate(|f| {
            let value = f.expr(binding, scope, Some(&ty))?;
            let value = f.fit(value, &ty, "a constant")?;
            Ok(Evaluator::new(&f.model, &f.functions.complete, &f.files).value(&value).ok())
        })
        .ok()?
    }

    /// A size: known, or an expression over the locals of a function; neither for `:`.
    pub(super) fn dimension(&mut self, dim: &'a ast::Subscript, scope: &mut Scope<'a>) -> Checked<(Option<usize>, Option<Expr>)> {
        let e = match dim {
            ast::Subscript::All(_) => return Ok((None, None)),
            ast::Subscript::Index(e) => e,
        };
        if let Syntax::Ref(name) = &e.kind {
            let text = plain_text(name);
            let hidden = scope.names.contains_key(text.as_str()) || self.declared.names.contains_key(text.as_str());
            if !hidden {
                if text == "Boolean" {
                    return Ok((Some(2), None));
                }
                if let Some(id) = self.enum_type(&text, &scope.context) {
                    return Ok((Some(self.model.enums[id].literals.len()), None));
                }
            }
        }
        let size = self.expr(e, scope, None)?;
        let size = self.fit(size, &Type::scalar(Scalar::Integer), "a size")?;
        self.translate_pending_functions();
        match Evaluator::new(&self.model, &self.functions.complete, &self.files).value(&size) {
            Ok(Value::Integer(n)) => match usize::try_from(n) {
                Ok(n) => Ok((Some(n), None)),
                Err(_) => Err(self.error(Diagnostic::error("F020", format!("the size {n} is negative")).at(size.span, ""))),
            },
            Ok(_) | Err(Stop::Unknown) => Ok((None, Some(size))),
            Err(Stop::Failed(diagnostic)) => Err(self.error(*diagnostic)),
        }
    }

    /// A size if it is known.
    pub(super) fn known_dimension(&mut self, dim: &'a ast::Subscript, scope: &mut Scope<'a>) -> Checked<Option<usize>> {
        self.dimension(dim, scope).map(|(size, _)| size)
    }

    /// Translates the bodies of all functions reached so far, and of those that they reach.
    pub(super) fn translate_pending_functions(&mut self) {
        if self.functions.translating || self.speculative > 0 || self.functions.open_signatures > 0 {
            return;
        }
        self.functions.translating = true;
        let outer = self.in_library;
        while let Some(mut pending) = self.functions.pending.pop() {
            let n_errors = self.reports.diagnostics.len() + self.reports.n_dropped;
            self.call_span = pending.library_call.unwrap_or(self.call_span);
            self.in_library = pending.library_call;
            let result = self.function_body(&mut pending);
            let function = &mut self.model.functions[pending.id];
            function.locals = pending.scope.locals;
            if let Some(span) = pending.library_call {
                super::place::set_span_of_function(function, span);
                // Its own diagnostics would point into the library's text.
                for diagnostic in self.reports.diagnostics.iter_mut().skip(n_errors) {
                    diagnostic.labels.iter_mut().for_each(|l| l.span = span);
                }
            }
            if result.is_ok() && self.reports.diagnostics.len() + self.reports.n_dropped == n_errors {
                self.functions.complete.insert(pending.id);
            } else {
                self.functions.broken.insert(pending.id);
            }
        }
        self.in_library = outer;
        self.make_derivatives();
        self.spread_effects();
        self.functions.translating = false;
    }

    /// A function that calls one with an effect has it too.
    fn spread_effects(&mut self) {
        let mut callers_of: FxHashMap<FuncId, Vec<FuncId>> = FxHashMap::default();
        for (caller, callee) in self.functions.calls.drain(..) {
            callers_of.entry(callee).or_default().push(caller);
        }
        let mut affected: Vec<FuncId> = callers_of.keys().copied().filter(|id| self.model.functions[*id].has_effect).collect();
        while let Some(callee) = affected.pop() {
            for caller in callers_of.remove(&callee).unwrap_or_default() {
                let function = &mut self.model.functions[caller];
                (function.impure, function.has_effect) = (true, true);
                affected.push(caller);
            }
        }
    }

    /// The values of outputs and protected locals before the first statement.
    fn bind_locals(&mut self, elements: &[(LocalId, FunctionElement<'a>)], scope: &mut Scope<'a>) -> Checked<()> {
        for (local, element) in elements {
            let is_input = element.clause.prefixes.causality == ast::Causality::Input;
            let Some(binding) = element.component.binding.as_ref().filter(|_| !is_input) else { continue };
            let ty = scope.locals[*local].ty.clone();
            let value = self.expr(binding, scope, Some(&ty))?;
            let value = self.fit(value, &ty, &format!("the value of `{}`", element.name))?;
            // `Real a[:] = {1, 2}` takes its size from the value.
            if shapes_agree(&value.ty.dims, &ty.dims) {
                for (axis, size) in value.ty.dims.iter().enumerate() {
                    let declared = &mut scope.locals[*local];
                    if declared.dim_exprs[axis].is_none() && declared.ty.dims[axis].is_none() {
                        declared.ty.dims[axis] = *size;
                    }
                }
            }
            scope.locals[*local].binding = Some(value);
        }
        Ok(())
    }

    fn function_body(&mut self, pending: &mut Pending<'a>) -> Checked<()> {
        let id = pending.id;
        let scope = &mut pending.scope;
        self.bind_locals(&pending.elements, scope)?;
        let mut statements = Vec::new();
        let mut external = None;
        let mut has_algorithm = false;
        for (body, context) in &pending.bodies {
            scope.context = context.clone();
            for section in &body.sections {
                match section {
                    Section::Algorithm { statements: written, initial, span } => {
                        if *initial {
                            return Err(self.error(Diagnostic::error("F025", "a function has no initial algorithm").at(*span, "")));
                        }
                        has_algorithm = true;
                        self.statements(written, scope, &mut statements);
                    }
                    Section::Equations { equations, .. } => {
                        let span = equations.first().map_or(Span::default(), |e| e.span);
                        return Err(self.error(Diagnostic::error("F025", "a function has no equations").at(span, "inside a function")));
                    }
                    Section::ParameterEquation(equation) => {
                        return Err(
                            self.error(Diagnostic::error("F025", "a function has no equations").at(equation.span, "inside a function"))
                        );
                    }
                    Section::Elements { .. } => {}
                }
            }
            if body.external.is_some() {
                external = body.external.as_ref();
            }
        }
        let annotations = pending.bodies.iter().flat_map(|(b, _)| &b.annotations);
        let annotations: Vec<&'a ast::Annotation> = annotations.collect();
        for annotation in annotations {
            self.function_annotation(id, annotation, scope);
        }
        if external.is_none() && statements.is_empty() {
            statements.extend(self.constructed_output(id));
            has_algorithm |= !statements.is_empty();
        }
        let body = match external {
            Some(external) => self.external_body(id, external, scope)?,
            // A function without outputs may do nothing.
            None if has_algorithm || self.model.functions[id].outputs.is_empty() => FunctionBody::Algorithm(statements),
            None if pending
                .elements
                .iter()
                .any(|(_, e)| e.component.binding.is_some() && e.clause.prefixes.causality == ast::Causality::Output) =>
            {
                FunctionBody::Algorithm(statements)
            }
            None => {
                let function = &self.model.functions[id];
                let (name, span) = (function.name.clone(), function.span);
                return Err(self.error(
                    Diagnostic::error("F026", format!("the function `{name}` has no algorithm"))
                        .at(span, "it is called, but there is nothing to compute"),
                ));
            }
        };
        self.model.functions[id].body = body;
        Ok(())
    }

    /// The only meaning of the constructor of a record that has no statements: omc does not print that its output is declared as
    /// `output R r(a = a, b = b)`. Every field must be an input; what else is missing is left to be reported.
    fn constructed_output(&self, id: FuncId) -> Option<Statement> {
        let function = &self.model.functions[id];
        let is_constructor = function.name.split('.').any(|part| part.trim_matches('\'') == "constructor");
        let [output] = function.outputs[..] else { return None };
        let local = function.locals.get(output).filter(|local| is_constructor && local.ty.is_scalar() && local.binding.is_none())?;
        let Scalar::Record(record) = local.ty.scalar else { return None };
        let span = function.span;
        let field = |field: &Field| {
            let input = function.inputs.iter().find(|input| function.locals[**input].name == field.name)?;
            let ty = function.locals[*input].ty.clone();
            (ty.scalar == field.ty.scalar && ty.dims.len() == field.ty.dims.len()).then_some(Expr {
                kind: ExprKind::Local(*input),
                ty,
                span,
            })
        };
        let fields = self.model.records[record].fields.iter().map(field).collect::<Option<Vec<_>>>()?;
        let target = Expr { kind: ExprKind::Local(output), ty: local.ty.clone(), span };
        let value = Expr { kind: ExprKind::Record(record, fields), ty: local.ty.clone(), span };
        Some(Statement { kind: StatementKind::Assign(target, value), span })
    }

    /// The class of external objects of this name; its constructor is translated with it.
    pub(super) fn object_id(&mut self, name: &str, span: Span) -> Checked<ObjectId> {
        if let Some(id) = self.types.object_ids.get(name) {
            return Ok(*id);
        }
        let path = format!("{name}.constructor");
        let Some(entry) = self.classes.find(&path, "").cloned() else {
            return Err(self.error(Diagnostic::error("F026", format!("the external object `{name}` has no constructor")).at(span, "")));
        };
        // The constructor's output has the type of the object, so the object comes first.
        let constructor = self.reserve_function(&path, entry.class.name.span);
        let id = self.model.objects.push(ObjectType { name: name.to_owned(), constructor });
        self.types.object_ids.insert(name.to_owned(), id);
        self.functions.function_ids.insert(entry.path.to_string(), Ok(constructor));
        self.functions.open_signatures += 1;
        let result = self.signature(constructor, &entry, &[]);
        self.functions.open_signatures -= 1;
        if let Err(reported) = result {
            self.functions.broken.insert(constructor);
            return Err(reported);
        }
        Ok(id)
    }
}

fn type_word(clause: &ast::ComponentClause) -> &str {
    match &clause.type_spec.kind {
        TypeKind::Named(name) if name.parts.len() == 1 => &name.parts[0].text,
        _ => "",
    }
}

/// All dimensions of a function's component: after the name, on the type, of the type's aliases.
fn function_dims<'a>(element: &FunctionElement<'a>, alias: &[DimSource<'a>]) -> Vec<DimSource<'a>> {
    let in_name = element.component.name.parts.first().map_or(&[][..], |p| &p.subscripts);
    let written = in_name.iter().chain(&element.component.dims).chain(&element.clause.type_spec.dims);
    written.map(|d| (d, element.context.clone())).chain(alias.iter().cloned()).collect()
}

/// A local of a function, where it is declared, and its sizes.
type Declared<'a> = (LocalId, FunctionElement<'a>, Vec<DimSource<'a>>);

/// What was bound to functions that are passed are further inputs.
fn bound_inputs<'a>(span: Span, specialised: &[Specialised<'a>], scope: &mut Scope<'a>, inputs: &mut Vec<LocalId>) {
    for s in specialised {
        for (name, ty) in &s.bound {
            let local = scope.locals.push(Local {
                name: format!("{}.{name}", s.input),
                ty: ty.clone(),
                dim_exprs: vec![None; ty.dims.len()],
                binding: None,
                span,
            });
            inputs.push(local);
            if let Some(passed) = scope.function_inputs.get_mut(s.input.as_str()) {
                passed.bound.push((name.clone(), local));
            }
        }
    }
}

/// What is known of an external function before its call is looked at.
fn external_signature(function: &mut Function, external: &ast::External, path: &str) {
    // Exporters leave the word `impure` out.
    function.has_effect = external.function.as_ref().is_some_and(|name| partita_runtime::native::has_effect(name.unquoted()));
    // Who gives nothing is called for an effect; messages are no effect that a caller must keep.
    let is_message = |name: &str| name.starts_with("Modelica");
    function.has_effect |= function.outputs.is_empty() && external.function.as_ref().is_some_and(|name| !is_message(name.unquoted()));
    function.impure |= function.has_effect;
    // Known at once, so that calls of functions that are built in can be replaced.
    if external.language.as_deref() == Some("builtin") {
        let written = external.function.as_ref().map(|f| f.unquoted().to_owned());
        let last = path.rsplit('.').next().unwrap_or_default().to_owned();
        function.body = FunctionBody::External {
            language: "builtin".to_owned(),
            function: written.unwrap_or(last),
            output: None,
            arguments: Vec::new(),
        };
    }
}
