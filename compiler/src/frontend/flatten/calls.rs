//! Types calls: user functions, record constructors, external objects, conversions to enumerations.
//!
//! Input: a call as written. Output: a call with one argument per input in order, defaults filled in; a scalar function
//! called with arrays becomes a comprehension over their elements.
//!
//! Sizes of results that depend on the arguments (`output Real y[size(u, 1)]`) are worked out at the call.

use super::builtins::{builtin_named, is_clock_operator};
use super::eval::{Evaluator, Slot, dims_of};
use super::lookup::{ClassEntry, is_external_object, list, nearest};
use super::names::plain_text;
use super::types::{is_record_constructor, merged_dims, shapes_agree};
use super::{Checked, Flattener, Reported, Scope};
use crate::frontend::flat::construct::indexed;
use crate::frontend::flat::construct::integer_literal;
use crate::frontend::flat::construct::size_of;
use crate::frontend::flat::dims_text;
use crate::frontend::flat::walk::for_each_child;
use crate::frontend::flat::{Expr, ExprKind, FuncId, FunctionBody, Local, LocalId, RecordType, Scalar, Subscript, Type, Value};
use cranelift_entity::PrimaryMap;
use partita_grammar::ast::{self, CallArguments, ClassKind, ComponentRef};
use partita_grammar::{Diagnostic, Span};

impl<'a> Flattener<'a> {
    /// Types a call.
    pub(super) fn call(
        &mut self,
        function: &'a ComponentRef,
        arguments: &'a CallArguments,
        span: Span,
        scope: &mut Scope<'a>,
        expected: Option<&Type>,
    ) -> Checked<Expr> {
        if function.parts.iter().any(|p| !p.subscripts.is_empty()) {
            let text = plain_text(function);
            return Err(
                self.error(Diagnostic::error("F010", format!("`{text}` is called through an array element")).at(span, "not supported"))
            );
        }
        if arguments.is_partial_application {
            return Err(self.error(
                Diagnostic::error("F010", "a function stands where a value is needed")
                    .at(span, "functions can only be passed to function inputs"),
            ));
        }
        let single = function.parts.len() == 1;
        let plain = &function.parts[0].name.text;
        if single && (plain == "der" || plain == "pre") {
            // These words are reserved; no class can hide them.
            if let Some(builtin) = builtin_named(plain) {
                return self.builtin_call(builtin, plain, arguments, span, scope, expected);
            }
        }
        let text = plain_text(function);
        if let Some(passed) = scope.function_inputs.get(text.as_str()).cloned() {
            return self.passed_call(&passed, arguments, span, scope);
        }
        // Inside the constructor of a record, its own name stands for the record: that is how omc prints it.
        if *text == *scope.context
            && let Some((record, _)) = text.split_once(".constructor").or_else(|| text.split_once(".'constructor'"))
            && let Some(entry) = self.classes.find(record, "").cloned()
        {
            return self.class_call(&entry, record, arguments, span, scope);
        }
        let is_builtin = single && builtin_named(plain).is_some();
        let found = if is_builtin { self.classes.find_hiding(&text, &scope.context) } else { self.classes.find(&text, &scope.context) };
        if let Some(entry) = found.cloned() {
            return self.class_call(&entry, &text, arguments, span, scope);
        }
        if single {
            if let Some(builtin) = builtin_named(plain) {
                return self.builtin_call(builtin, plain, arguments, span, scope, expected);
            }
            if plain == "pure" && arguments.positional.len() == 1 {
                return self.expr(&arguments.positional[0], scope, expected);
            }
            if let Some(result) = self.conversion_call(plain, arguments, span, scope) {
                return result;
            }
        }
        if let Some(object) = text.strip_suffix(".constructor")
            && self.classes.find(object, &scope.context).is_some()
        {
            let id = self.object_id(object, span)?;
            return self.new_object(id, arguments, span, scope);
        }
        if let Some(builtin) = text.strip_prefix("Modelica.Math.").and_then(builtin_named) {
            return self.builtin_call(builtin, &text, arguments, span, scope, expected);
        }
        if let Some(id) = self.enum_type(&text, &scope.context) {
            return self.enum_conversion(id, arguments, span, scope);
        }
        Err(self.unknown_function(&text, function.span))
    }

    pub(super) fn unknown_function(&mut self, text: &str, span: Span) -> Reported {
        if is_clock_operator(text) {
            return self.error(
                Diagnostic::error("F009", format!("`{text}`: clocks and state machines are not supported")).at(span, "a clocked operator"),
            );
        }
        if matches!(text, "inStream" | "actualStream") || text.starts_with("Connections.") || text == "rooted" {
            return self.error(
                Diagnostic::error("F010", format!("`{text}` belongs to connectors"))
                    .at(span, "needs a hierarchical front end")
                    .with_hint("flatten the model first, for example with OpenModelica's instantiateModel or --baseModelica"),
            );
        }
        let mut error = Diagnostic::error("F006", format!("unknown function `{text}`")).at(span, "not defined in the file");
        let mut known = self.classes.paths();
        for name in super::builtins::names() {
            known.push(name);
        }
        let near = nearest(text, known).map(str::to_owned);
        if let Some(near) = near {
            error = error.with_hint(format!("did you mean `{near}`?"));
        }
        self.error(error)
    }

    fn class_call(
        &mut self,
        entry: &ClassEntry<'a>,
        text: &str,
        arguments: &'a CallArguments,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Checked<Expr> {
        let class = entry.class;
        if is_external_object(class) {
            let id = self.object_id(&entry.path, span)?;
            return self.new_object(id, arguments, span, scope);
        }
        match class.kind {
            ClassKind::Function if is_record_constructor(class) => {
                let id = self.record_id(entry, span)?;
                self.new_record(id, arguments, span, scope)
            }
            ClassKind::Function | ClassKind::OperatorFunction => {
                if let Some(object) = text.strip_suffix(".constructor")
                    && let Some(id) = self.object_of_constructor(object, scope, span)?
                {
                    return self.new_object(id, arguments, span, scope);
                }
                self.user_call(entry, arguments, span, scope)
            }
            ClassKind::Record | ClassKind::OperatorRecord => {
                let id = self.record_id(entry, span)?;
                self.new_record(id, arguments, span, scope)
            }
            ClassKind::Type => {
                if let Some(id) = self.enum_type(text, &scope.context) {
                    return self.enum_conversion(id, arguments, span, scope);
                }
                // A record alias is called as the record.
                if let Some(Scalar::Record(id)) = self.alias_scalar(text, span, scope) {
                    return self.new_record(id, arguments, span, scope);
                }
                Err(self.error(Diagnostic::error("F006", format!("the type `{text}` cannot be called")).at(span, "")))
            }
            kind => Err(self.error(
                Diagnostic::error("F006", format!("`{text}` is a {}, not a function", kind.word()))
                    .at(span, "")
                    .at(class.name.span, "defined here"),
            )),
        }
    }

    /// The object class of `X.constructor`, if `X` is one.
    fn object_of_constructor(&mut self, object: &str, scope: &Scope<'a>, span: Span) -> Checked<Option<crate::frontend::flat::ObjectId>> {
        match self.classes.find(object, &scope.context).map(|e| (is_external_object(e.class), e.path.clone())) {
            Some((true, path)) => self.object_id(&path, span).map(Some),
            Some((false, _)) => Ok(None),
            None => self.object_id(object, span).map(Some),
        }
    }

    /// Arguments by the position of the inputs.
    pub(super) fn matched(
        &mut self,
        what: &str,
        inputs: &[String],
        arguments: &'a CallArguments,
        span: Span,
    ) -> Checked<Vec<Option<&'a ast::Expr>>> {
        if !arguments.iterators.is_empty() {
            return Err(
                self.error(Diagnostic::error("F013", format!("`{what}` is no reduction; it cannot be called with `for`")).at(span, ""))
            );
        }
        let mut found: Vec<Option<&'a ast::Expr>> = vec![None; inputs.len()];
        if arguments.positional.len() > inputs.len() {
            let given = arguments.positional.len();
            let n = inputs.len();
            return Err(self.error(
                Diagnostic::error("F013", format!("`{what}` takes {n} argument{}, {given} are given", if n == 1 { "" } else { "s" }))
                    .at(span, ""),
            ));
        }
        for (slot, argument) in found.iter_mut().zip(&arguments.positional) {
            *slot = Some(argument);
        }
        for (name, argument) in &arguments.named {
            let text = name.unquoted();
            match inputs.iter().position(|i| i == text) {
                Some(at) if found[at].is_none() => found[at] = Some(argument),
                Some(_) => {
                    return Err(self
                        .error(Diagnostic::error("F013", format!("the argument `{text}` of `{what}` is given twice")).at(name.span, "")));
                }
                None => {
                    let mut error = Diagnostic::error("F013", format!("`{what}` has no input `{text}`"))
                        .at(name.span, "")
                        .with_note(format!("its inputs are {}", list(inputs)));
                    if let Some(near) = nearest(text, inputs.iter().map(String::as_str)) {
                        error = error.with_hint(format!("did you mean `{near}`?"));
                    }
                    return Err(self.error(error));
                }
            }
        }
        Ok(found)
    }

    /// A call of a function of the file.
    pub(super) fn user_call(
        &mut self,
        entry: &ClassEntry<'a>,
        arguments: &'a CallArguments,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Checked<Expr> {
        // Inside the library's text a call has no place of its own.
        let outer = self.in_library;
        self.call_span = outer.unwrap_or(span);
        if self.has_function_inputs(entry) {
            return self.higher_order_call(entry, arguments, span, scope);
        }
        self.in_library = if entry.from_library { Some(self.call_span) } else { outer };
        let id = self.function_id(entry, &[]);
        self.in_library = outer;
        let id = id?;
        if let FunctionBody::External { language, function, .. } = &self.model.functions[id].body
            && let (true, Some(builtin)) = (language == "builtin", builtin_named(function))
        {
            let name = self.model.functions[id].name.clone();
            return self.builtin_call(builtin, &name, arguments, span, scope, None);
        }
        self.typed_call(id, arguments, span, scope)
    }

    /// The names and types of the inputs.
    pub(super) fn inputs_of(&self, id: FuncId) -> Vec<(LocalId, Local)> {
        let function = &self.model.functions[id];
        function.inputs.iter().map(|i| (*i, function.locals[*i].clone())).collect()
    }

    fn typed_call(&mut self, id: FuncId, arguments: &'a CallArguments, span: Span, scope: &mut Scope<'a>) -> Checked<Expr> {
        let locals = self.inputs_of(id);
        let names: Vec<String> = locals.iter().map(|(_, l)| l.name.clone()).collect();
        let function = self.model.functions[id].name.clone();
        let matched = self.matched(&function, &names, arguments, span)?;
        // Type every given argument before giving up on one, so that all their errors are seen.
        let typed: Vec<Option<Checked<Expr>>> =
            matched.iter().zip(&locals).map(|(argument, (_, local))| argument.map(|e| self.expr(e, scope, Some(&local.ty)))).collect();
        let typed = typed.into_iter().map(Option::transpose).collect::<Checked<Vec<_>>>()?;
        self.finish_call(id, typed, span, scope)
    }

    /// A call with one typed argument per input, or none where the default is to be taken.
    pub(super) fn finish_call(&mut self, id: FuncId, typed: Vec<Option<Expr>>, span: Span, scope: &mut Scope<'a>) -> Checked<Expr> {
        let name = self.model.functions[id].name.clone();
        let locals = self.inputs_of(id);
        let mut values: Vec<Option<Expr>> = Vec::with_capacity(locals.len());
        let mut lifted: Option<(Vec<Option<usize>>, Span)> = None;
        let mut lifts = Vec::with_capacity(locals.len());
        for (typed, (_, local)) in typed.into_iter().zip(&locals) {
            let Some(value) = typed else {
                if local.binding.is_none() {
                    return Err(
                        self.error(Diagnostic::error("F013", format!("the argument `{}` of `{name}` is missing", local.name)).at(span, ""))
                    );
                }
                lifts.push(false);
                values.push(None);
                continue;
            };
            let what = format!("the argument `{}` of `{name}`", local.name);
            let value = self.narrowed(value, local.ty.scalar);
            let value = self.fit_scalar(value, &local.ty, &what)?;
            let extra = value.ty.dims.len().checked_sub(local.ty.dims.len());
            match extra {
                Some(0) if shapes_agree(&value.ty.dims, &local.ty.dims) => lifts.push(false),
                Some(n) if n > 0 && shapes_agree(&value.ty.dims[n..], &local.ty.dims) => {
                    lifts.push(true);
                    let dims = &value.ty.dims[..n];
                    match &mut lifted {
                        None => lifted = Some((dims.to_vec(), value.span)),
                        Some((known, _)) if shapes_agree(known, dims) => *known = merged_dims(known, dims),
                        Some((known, first)) => {
                            let (a, b, first) = (dims_text(known), dims_text(dims), *first);
                            return Err(self.error(
                                Diagnostic::error("F012", format!("`{name}` is called for arrays of different sizes"))
                                    .at(value.span, format!("has size {b}"))
                                    .at(first, format!("has size {a}")),
                            ));
                        }
                    }
                }
                _ => {
                    let (has, needs) = (self.type_text(&value.ty), self.type_text(&local.ty));
                    return Err(self.error(
                        Diagnostic::error("F012", format!("{what} must have the type {needs}, this has {has}"))
                            .at(value.span, format!("is {has}")),
                    ));
                }
            }
            values.push(Some(value));
        }
        match lifted {
            None => {
                let values = self.with_defaults(id, values, scope);
                Ok(self.call_expr(id, values, span, scope))
            }
            Some((dims, _)) => Ok(self.lifted_call(id, values, &lifts, &dims, span, scope)),
        }
    }

    /// Fills in the defaults of inputs that are not given; they may refer to the inputs before them.
    fn with_defaults(&self, id: FuncId, given: Vec<Option<Expr>>, scope: &mut Scope<'a>) -> Vec<Expr> {
        let from = &self.model.functions[id].locals;
        let mut values: Vec<(LocalId, Expr)> = Vec::with_capacity(given.len());
        for (value, (local_id, local)) in given.into_iter().zip(self.inputs_of(id)) {
            let value = value.or_else(|| local.binding.as_ref().map(|default| substituted(default, from, &values, &mut scope.locals)));
            values.extend(value.map(|value| (local_id, value)));
        }
        values.into_iter().map(|(_, value)| value).collect()
    }

    /// A record with more fields than the input has, as a record of the input's type: Modelica lets functions take any
    /// record that has what they need.
    fn narrowed(&self, value: Expr, wanted: Scalar) -> Expr {
        let (Scalar::Record(from), Scalar::Record(to)) = (value.ty.scalar, wanted) else { return value };
        let has_fields = matches!(value.kind, ExprKind::Local(_) | ExprKind::Var(_) | ExprKind::Record(..));
        if !value.ty.is_scalar() || !has_fields || self.same_scalar(value.ty.scalar, wanted) {
            return value;
        }
        let (from, to_fields) = (&self.model.records[from].fields, &self.model.records[to].fields);
        let fields = to_fields.iter().map(|field| {
            let at = from.iter().position(|f| f.name == field.name && shapes_agree(&f.ty.dims, &field.ty.dims))?;
            let same = self.same_scalar(from[at].ty.scalar, field.ty.scalar);
            same.then(|| match &value.kind {
                ExprKind::Record(_, parts) => parts[at].clone(),
                _ => Expr { kind: ExprKind::Field(Box::new(value.clone()), at), ty: from[at].ty.clone(), span: value.span },
            })
        });
        match fields.collect::<Option<Vec<Expr>>>() {
            Some(fields) => Expr { kind: ExprKind::Record(to, fields), ty: Type::scalar(wanted), span: value.span },
            None => value,
        }
    }

    /// The call with the type of its first output.
    fn call_expr(&mut self, id: FuncId, values: Vec<Expr>, span: Span, scope: &Scope<'a>) -> Expr {
        self.functions.calls.extend(scope.function.map(|caller| (caller, id)));
        let types = self.output_types(id, &values);
        let mut ty = types.into_iter().next().unwrap_or(Type::scalar(Scalar::Boolean));
        let open = ty.dims.iter().any(Option::is_none);
        let mut call = Expr { kind: ExprKind::Call(id, values), ty: ty.clone(), span };
        if open
            && scope.function.is_none()
            && let Some(value) = self.eval_if_possible(&call)
        {
            ty.dims = dims_of(&value).iter().map(|d| Some(*d)).collect();
            call.ty = ty;
        }
        call
    }

    /// The types of all outputs for these arguments; sizes that cannot be known are open.
    pub(super) fn output_types(&mut self, id: FuncId, values: &[Expr]) -> Vec<Type> {
        let open = {
            let function = &self.model.functions[id];
            function.outputs.iter().any(|o| function.locals[*o].ty.dims.iter().any(Option::is_none))
        };
        let slots = if open { self.argument_slots(values) } else { Vec::new() };
        let function = &self.model.functions[id];
        let mut types = Vec::with_capacity(function.outputs.len());
        for output in &function.outputs {
            let local = &function.locals[*output];
            let mut ty = local.ty.clone();
            for (axis, size) in ty.dims.iter_mut().enumerate() {
                if let (None, Some(Some(expr))) = (&size, local.dim_exprs.get(axis)) {
                    let known =
                        Evaluator::new(&self.model, &self.functions.complete, &self.files).value_in_call(expr, function, slots.clone());
                    if let Ok(Value::Integer(n)) = known {
                        *size = usize::try_from(n).ok();
                    }
                }
            }
            types.push(ty);
        }
        types
    }

    /// What is known about arguments before a call: values of scalars, sizes of arrays.
    fn argument_slots(&mut self, values: &[Expr]) -> Vec<Slot> {
        values
            .iter()
            .map(|value| {
                let small = value.ty.is_scalar() && matches!(value.ty.scalar, Scalar::Integer | Scalar::Boolean | Scalar::Enumeration(_));
                let known = if small { self.eval_if_possible(value) } else { None };
                known.map_or_else(|| Slot::Shape(value.ty.dims.clone()), Slot::Value)
            })
            .collect()
    }

    /// `{f(a[i], b) for i in 1:n}` for a scalar function and an array argument.
    fn lifted_call(
        &mut self,
        id: FuncId,
        values: Vec<Option<Expr>>,
        lifts: &[bool],
        dims: &[Option<usize>],
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Expr {
        let array = values.iter().zip(lifts).find(|(_, lift)| **lift).and_then(|(v, _)| v.clone());
        let mut iterators = Vec::with_capacity(dims.len());
        for (axis, size) in dims.iter().enumerate() {
            let stop = match (size, &array) {
                (Some(n), _) => integer_literal(*n as i64, span),
                (None, Some(array)) => size_of(array.clone(), axis, span),
                (None, None) => integer_literal(0, span),
            };
            let local = scope.locals.push(Local {
                name: format!("$i{}", axis + 1),
                ty: Type::scalar(Scalar::Integer),
                dim_exprs: Vec::new(),
                binding: None,
                span,
            });
            let range = Expr {
                kind: ExprKind::Range(Box::new(integer_literal(1, span)), None, Box::new(stop)),
                ty: Type { scalar: Scalar::Integer, dims: vec![*size] },
                span,
            };
            iterators.push((local, range));
        }
        let arguments = values
            .into_iter()
            .zip(lifts)
            .map(|(value, lift)| {
                let place =
                    |local: &LocalId| Subscript::Index(Expr { kind: ExprKind::Local(*local), ty: Type::scalar(Scalar::Integer), span });
                value.map(
                    |value| if *lift { indexed(value, iterators.iter().map(|(local, _)| place(local)).collect(), span) } else { value },
                )
            })
            .collect();
        // A default is made of the inputs of one call, not of the arrays that are spread over all of them.
        let arguments = self.with_defaults(id, arguments, scope);
        let body = self.call_expr(id, arguments, span, scope);
        let ty = Type { scalar: body.ty.scalar, dims: dims.iter().chain(&body.ty.dims).copied().collect() };
        Expr { kind: ExprKind::Comprehension(Box::new(body), iterators), ty, span }
    }

    fn new_record(
        &mut self,
        id: crate::frontend::flat::RecordId,
        arguments: &'a CallArguments,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Checked<Expr> {
        let record = self.model.records[id].clone();
        let names: Vec<String> = record.fields.iter().map(|f| f.name.clone()).collect();
        let matched = self.matched(&record.name, &names, arguments, span)?;
        let mut given = Vec::with_capacity(matched.len());
        for (argument, field) in matched.into_iter().zip(&record.fields) {
            given.push(match (argument, &field.default) {
                (Some(e), _) => {
                    let value = self.expr(e, scope, Some(&field.ty));
                    value.and_then(|v| self.fit(v, &field.ty, &format!("the field `{}` of `{}`", field.name, record.name))).map(Some)
                }
                (None, default) => Ok(default.clone()),
            });
        }
        let mut values = given.into_iter().collect::<Checked<Vec<_>>>()?;
        if values.iter().any(Option::is_none) {
            self.defaults_from_fields(id, &record, &mut values, scope);
        }
        let mut complete = Vec::with_capacity(values.len());
        for (value, field) in values.into_iter().zip(&record.fields) {
            complete.push(value.ok_or_else(|| {
                self.error(Diagnostic::error("F013", format!("the field `{}` of `{}` is missing", field.name, record.name)).at(span, ""))
            }));
        }
        let values = complete.into_iter().collect::<Checked<Vec<_>>>()?;
        Ok(Expr { kind: ExprKind::Record(id, values), ty: Type::scalar(Scalar::Record(id)), span })
    }

    /// Fills in the fields whose defaults are made of other fields, in the order in which they become known.
    fn defaults_from_fields(
        &mut self,
        id: crate::frontend::flat::RecordId,
        record: &RecordType,
        values: &mut [Option<Expr>],
        scope: &mut Scope<'a>,
    ) {
        let Some(sources) = self.types.record_sources.get(&id).cloned() else { return };
        loop {
            let n_open = values.iter().filter(|v| v.is_none()).count();
            for (at, source) in sources.iter().enumerate().take(values.len()) {
                let (None, Some(binding)) = (&values[at], &source.component.binding) else { continue };
                // Fields that are known stand as locals while the default is typed.
                let mut fields = Scope::new(source.context.clone(), None);
                fields.closed = true;
                let mut known = Vec::new();
                for (other, value) in sources.iter().zip(values.iter()) {
                    let Some(value) = value else { continue };
                    let dim_exprs = vec![None; value.ty.dims.len()];
                    let local = fields.locals.push(Local {
                        name: other.name.to_owned(),
                        ty: value.ty.clone(),
                        dim_exprs,
                        binding: None,
                        span: value.span,
                    });
                    fields.names.insert(other.name, local);
                    known.push((local, value.clone()));
                }
                let ty = record.fields[at].ty.clone();
                let typed = self.speculate(|f| {
                    let value = f.expr(binding, &mut fields, Some(&ty))?;
                    f.fit(value, &ty, "the default of the field")
                });
                if let Ok(default) = typed {
                    values[at] = Some(substituted(&default, &fields.locals, &known, &mut scope.locals));
                }
            }
            let still_open = values.iter().filter(|v| v.is_none()).count();
            if still_open == 0 || still_open == n_open {
                return;
            }
        }
    }

    fn new_object(
        &mut self,
        id: crate::frontend::flat::ObjectId,
        arguments: &'a CallArguments,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Checked<Expr> {
        let constructor = self.model.objects[id].constructor;
        let call = self.typed_call(constructor, arguments, span, scope)?;
        let ExprKind::Call(_, values) = call.kind else {
            return Err(self.error(Diagnostic::error("F013", "external objects are constructed one at a time").at(span, "")));
        };
        // Texts are made now: a run makes none. Functions that are called for them may be known to the compiler only.
        let known = |f: &mut Self, value: Expr| match (value.ty.scalar, &value.kind) {
            (Scalar::String, kind) if !matches!(kind, ExprKind::Literal(_)) => match f.eval_if_possible(&value) {
                Some(text) => Expr { kind: ExprKind::Literal(text), ..value },
                None => value,
            },
            _ => value,
        };
        let values = values.into_iter().map(|value| known(self, value)).collect();
        Ok(Expr { kind: ExprKind::NewObject(id, values), ty: Type::scalar(Scalar::Object(id)), span })
    }

    /// `E(i)`: the literal of a number, as an element of all literals.
    fn enum_conversion(
        &mut self,
        id: crate::frontend::flat::EnumId,
        arguments: &'a CallArguments,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Checked<Expr> {
        let name = self.scalar_text(Scalar::Enumeration(id));
        let matched = self.matched(&name, &["i".to_owned()], arguments, span)?;
        let Some(argument) = matched[0] else {
            return Err(self.error(Diagnostic::error("F013", format!("`{name}` takes 1 argument")).at(span, "")));
        };
        let index = self.expr(argument, scope, None)?;
        let index = self.fit(index, &Type::scalar(Scalar::Integer), "the number of a literal")?;
        let n = self.model.enums[id].literals.len();
        let element = Type::scalar(Scalar::Enumeration(id));
        let literals =
            (1..=n as u32).map(|i| Expr { kind: ExprKind::Literal(Value::Enumeration(id, i)), ty: element.clone(), span }).collect();
        let all = Expr { kind: ExprKind::Array(literals), ty: Type::array(Scalar::Enumeration(id), &[n]), span };
        if let ExprKind::Literal(Value::Integer(i)) = &index.kind
            && (*i < 1 || *i as u64 > n as u64)
        {
            return Err(self.error(Diagnostic::error("F021", format!("`{name}` has no literal number {i}")).at(span, "")));
        }
        Ok(indexed(all, vec![Subscript::Index(index)], span))
    }

    /// `Integer(e)` and `Real(i)`: conversions written as calls of basic types.
    fn conversion_call(&mut self, name: &str, arguments: &'a CallArguments, span: Span, scope: &mut Scope<'a>) -> Option<Checked<Expr>> {
        if !matches!(name, "Integer" | "Real") {
            return None;
        }
        Some((|| {
            let matched = self.matched(name, &["x".to_owned()], arguments, span)?;
            let Some(argument) = matched[0] else {
                return Err(self.error(Diagnostic::error("F013", format!("`{name}` takes 1 argument")).at(span, "")));
            };
            let value = self.expr(argument, scope, None)?;
            match (name, value.ty.scalar) {
                ("Real", _) => {
                    let target = Type { scalar: Scalar::Real, dims: value.ty.dims.clone() };
                    self.fit_scalar(value, &target, "the argument of `Real`")
                }
                (_, Scalar::Integer) => Ok(value),
                (_, Scalar::Enumeration(_)) => {
                    let ty = Type { scalar: Scalar::Integer, dims: value.ty.dims.clone() };
                    if let ExprKind::Literal(Value::Enumeration(_, i)) = &value.kind {
                        return Ok(integer_literal(i64::from(*i), span));
                    }
                    Ok(Expr { kind: ExprKind::Builtin(crate::frontend::flat::Builtin::IntegerOfEnum, vec![value]), ty, span })
                }
                _ => {
                    let text = self.type_text(&value.ty);
                    Err(self.error(
                        Diagnostic::error("F011", "`Integer` needs an enumeration")
                            .at(value.span, format!("is {text}"))
                            .with_hint("`integer(x)` rounds a Real down"),
                    ))
                }
            }
        })())
    }

    fn alias_scalar(&mut self, text: &str, span: Span, scope: &Scope<'a>) -> Option<Scalar> {
        let context = scope.context.clone();
        self.speculate(|f| f.resolve_named(text, span, &context)).ok().map(|r| r.scalar)
    }
}

/// The expression of a function with its locals replaced by the arguments of a call. Loop variables inside become loop
/// variables of the place it is moved to.
pub(super) fn substituted(
    e: &Expr,
    from: &PrimaryMap<LocalId, Local>,
    values: &[(LocalId, Expr)],
    to: &mut PrimaryMap<LocalId, Local>,
) -> Expr {
    let mut copy = e.clone();
    substitute(&mut copy, from, &mut values.to_vec(), to);
    copy
}

fn substitute(e: &mut Expr, from: &PrimaryMap<LocalId, Local>, values: &mut Vec<(LocalId, Expr)>, to: &mut PrimaryMap<LocalId, Local>) {
    match &mut e.kind {
        ExprKind::Local(id) => {
            if let Some((_, value)) = values.iter().find(|(l, _)| l == id) {
                *e = value.clone();
            }
        }
        ExprKind::Comprehension(body, iterators) => {
            for (id, over) in iterators {
                substitute(over, from, values, to);
                let moved = to.push(from[*id].clone());
                values.push((*id, Expr { kind: ExprKind::Local(moved), ty: from[*id].ty.clone(), span: over.span }));
                *id = moved;
            }
            substitute(body, from, values, to);
        }
        _ => for_each_child(e, &mut |child| substitute(child, from, values, to)),
    }
}
