//! Orders declarations by what they depend on, and finds sizes, bindings and values in that order.
//!
//! Input: the declarations. Output: variables with their sizes and attributes; constants and parameters with their
//! bindings and, where they can be had at compile time, their values.
//!
//! Method: a depth-first order over the names that occur in sizes and in bindings of constants and parameters, with an
//! explicit stack, so that long chains of parameters need no recursion; circles are reported with their members.
//! A parameter without binding takes its start value, with one warning for all of them. `fixed = false` leaves the value
//! to the initialisation. Cost: O(text).

use super::attributes::written;
use super::declare::{Declaration, Leaf};
use super::expressions::field_of;
use super::lookup::{Segment, list, segments};
use super::names::plain_text;
use super::references::declared_text;
use super::types::{DimSource, merged_dims, shapes_agree};
use super::{Bound, Checked, Flattener, NamedEntry, Scope};
use crate::base::budget;
use crate::frontend::flat::construct::integer_literal;
use crate::frontend::flat::{Builtin, Equation, EquationKind, Expr, ExprKind, Scalar, Subscript, Type, Value, VarId, Variability};
use partita_grammar::Diagnostic;
use partita_grammar::ast::{self, Argument, ComponentRef, ExprKind as Syntax};
use partita_runtime::base::limits::Limit;
use rustc_hash::FxHashSet;

#[derive(Copy, Clone, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

/// Whether an expression refers to anything.
pub(super) fn has_references(e: &ast::Expr) -> bool {
    let mut found = false;
    each_reference(e, &mut |_| found = true);
    found
}

/// Calls `f` with every reference of an expression.
pub(in crate::frontend) fn each_reference<'a>(e: &'a ast::Expr, f: &mut dyn FnMut(&'a ComponentRef)) {
    match &e.kind {
        Syntax::Integer(_) | Syntax::Real(_) | Syntax::String(_) | Syntax::Boolean(_) | Syntax::End | Syntax::Break => {}
        Syntax::Ref(reference) => {
            f(reference);
            for part in &reference.parts {
                each_in_subscripts(&part.subscripts, f);
            }
        }
        Syntax::Call { arguments, .. } => {
            arguments.positional.iter().for_each(|e| each_reference(e, f));
            arguments.named.iter().for_each(|(_, e)| each_reference(e, f));
            arguments.iterators.iter().filter_map(|i| i.range.as_ref()).for_each(|e| each_reference(e, f));
        }
        Syntax::Unary(_, a) | Syntax::Parenthesised(a) | Syntax::Field(a, _) => each_reference(a, f),
        Syntax::Binary(_, a, b) => {
            each_reference(a, f);
            each_reference(b, f);
        }
        Syntax::Chain(first, rest) => {
            each_reference(first, f);
            rest.iter().for_each(|(_, e)| each_reference(e, f));
        }
        Syntax::If { branches, otherwise } => {
            for (condition, value) in branches {
                each_reference(condition, f);
                each_reference(value, f);
            }
            each_reference(otherwise, f);
        }
        Syntax::Range { start, step, stop } => {
            each_reference(start, f);
            if let Some(step) = step {
                each_reference(step, f);
            }
            each_reference(stop, f);
        }
        Syntax::Array(es) => es.iter().for_each(|e| each_reference(e, f)),
        Syntax::Matrix(rows) => rows.iter().flatten().for_each(|e| each_reference(e, f)),
        Syntax::Tuple(es) => es.iter().flatten().for_each(|e| each_reference(e, f)),
        Syntax::Comprehension(body, iterators) => {
            each_reference(body, f);
            iterators.iter().filter_map(|i| i.range.as_ref()).for_each(|e| each_reference(e, f));
        }
        Syntax::Subscripted(base, subscripts) => {
            each_reference(base, f);
            each_in_subscripts(subscripts, f);
        }
    }
}

fn each_in_subscripts<'a>(subscripts: &'a [ast::Subscript], f: &mut dyn FnMut(&'a ComponentRef)) {
    for subscript in subscripts {
        if let ast::Subscript::Index(e) = subscript {
            each_reference(e, f);
        }
    }
}

fn is_known_early(variability: Variability) -> bool {
    matches!(variability, Variability::Constant | Variability::Parameter)
}

impl<'a> Flattener<'a> {
    /// Sizes of all variables; bindings and values of constants and parameters.
    pub(super) fn evaluate_declarations(&mut self) {
        let n = self.declarations.len();
        let mut marks = vec![Mark::New; n];
        for root in 0..n {
            if marks[root] != Mark::New {
                continue;
            }
            marks[root] = Mark::Open;
            let mut stack = vec![(root, self.dependencies(root), 0)];
            while let Some((index, dependencies, next)) = stack.last_mut() {
                let index = *index;
                match dependencies.get(*next) {
                    None => {
                        stack.pop();
                        self.evaluate_declaration(index);
                        marks[index] = Mark::Done;
                    }
                    Some(dependency) => {
                        let dependency = *dependency;
                        *next += 1;
                        match marks[dependency] {
                            Mark::Done => {}
                            Mark::New => {
                                marks[dependency] = Mark::Open;
                                let further = self.dependencies(dependency);
                                stack.push((dependency, further, 0));
                            }
                            Mark::Open => {
                                let from = stack.iter().position(|(i, _, _)| *i == dependency).unwrap_or(0);
                                let circle: Vec<usize> = stack[from..].iter().map(|(i, _, _)| *i).collect();
                                self.circle_error(&circle);
                            }
                        }
                    }
                }
            }
        }
    }

    fn circle_error(&mut self, circle: &[usize]) {
        let names: Vec<String> = circle.iter().map(|i| self.declarations[*i].name.to_string()).collect();
        let span = self.declarations[circle[0]].component.name.span;
        let title = match names.as_slice() {
            [one] => format!("`{one}` depends on itself"),
            _ => format!("{} declarations depend on each other in a circle", names.len()),
        };
        let mut error = Diagnostic::error("F015", title).at(span, "needs its own value");
        if names.len() > 1 {
            error = error.with_note(format!("the circle is {}", list(&names)));
        }
        self.error(error);
    }

    /// Declarations whose values or sizes this one needs.
    fn dependencies(&mut self, index: usize) -> Vec<usize> {
        let declaration = &self.declarations[index];
        let mut expressions: Vec<&'a ast::Expr> = Vec::new();
        let mut open_size = false;
        for (dim, _) in declaration.dims.iter().chain(declaration.leaves.iter().flat_map(|l| &l.dims)) {
            match dim {
                ast::Subscript::Index(e) => {
                    if !matches!(e.kind, Syntax::Integer(_)) {
                        expressions.push(e);
                    }
                }
                ast::Subscript::All(_) => open_size = true,
            }
        }
        let early = declaration.leaves.iter().any(|l| is_known_early(self.model.vars[l.var].variability));
        if early || open_size {
            // What takes the place of a binding needs nothing else.
            expressions.extend(declaration.binding().filter(|_| !declaration.leaves.iter().all(|l| self.is_given(l.var))));
            for leaf in &declaration.leaves {
                expressions.extend(leaf.binding.as_ref().map(|b| b.value));
                for argument in leaf.layers.iter().flat_map(|l| l.iter()) {
                    if let Argument::Modification { name, value: Some(value), .. } = argument
                        && matches!(name.parts.as_slice(), [p] if p.text == "start" || p.text == "fixed")
                    {
                        expressions.push(value);
                    }
                }
            }
        }
        let mut found = Vec::new();
        let mut references = Vec::new();
        for e in expressions {
            each_reference(e, &mut |r| references.push(r));
        }
        for reference in references {
            self.declarations_of(reference, &mut found);
        }
        // A field of a record may refer to its neighbours; they are handled within the declaration.
        if self.declarations[index].leaves.len() > 1 {
            found.retain(|d| *d != index);
        }
        found
    }

    /// Declarations that a reference may mean.
    fn declarations_of(&mut self, reference: &'a ComponentRef, found: &mut Vec<usize>) {
        if let [part] = reference.parts.as_slice()
            && let Some(index) = self.declaration_of.get(part.name.unquoted())
        {
            found.push(*index);
            return;
        }
        if let Some(index) = declared_text(reference).and_then(|text| self.declaration_of.get(text.as_str())) {
            found.push(*index);
            return;
        }
        // Fields and elements of a declared record or array, with and without subscripts in the name.
        let mut text = String::new();
        for (i, part) in reference.parts.iter().enumerate() {
            if i > 0 {
                text.push('.');
            }
            text.push_str(part.name.unquoted());
            if let Some(index) = self.declaration_of.get(text.as_str()) {
                found.push(*index);
                return;
            }
        }
        // Constants of packages are known by their full path.
        let context = self.scope_context();
        let mut path: &str = &context;
        while !path.is_empty() {
            if let Some(index) = self.declaration_of.get(format!("{path}.{text}").as_str()) {
                found.push(*index);
                return;
            }
            path = path.rfind('.').map_or("", |dot| &path[..dot]);
        }
        let prefix = plain_text(reference);
        if prefix.rfind('.').is_some_and(|dot| self.classes.find(&prefix[..dot], &context).is_some()) {
            return;
        }
        let tree = self.name_tree();
        let mut at = tree.root();
        for part in &reference.parts {
            for segment in segments(part.name.unquoted()) {
                match tree.child(at, &segment) {
                    Some(child) => at = child,
                    // A field of all elements: everything below is needed.
                    None if !tree.node(at).elements.is_empty() => return tree.declarations_below(at, found),
                    None => return,
                }
            }
            let numbers: Option<Vec<usize>> = part
                .subscripts
                .iter()
                .map(|s| match s {
                    ast::Subscript::Index(ast::Expr { kind: Syntax::Integer(i), .. }) => usize::try_from(*i).ok(),
                    _ => None,
                })
                .collect();
            if !part.subscripts.is_empty() {
                match numbers.and_then(|n| tree.child(at, &Segment::Subscripts(n))) {
                    Some(child) => at = child,
                    None => return tree.declarations_below(at, found),
                }
            }
        }
        if at != tree.root() {
            tree.declarations_below(at, found);
        }
    }

    /// A size of a variable of the model; `None` for `:`.
    fn variable_dimension(&mut self, dim: &DimSource<'a>, name: &str, scope: &mut Scope<'a>) -> Checked<Option<usize>> {
        let (subscript, _) = dim;
        if let ast::Subscript::Index(ast::Expr { kind: Syntax::Integer(n), .. }) = subscript
            && let Ok(n) = usize::try_from(*n)
        {
            return Ok(Some(n));
        }
        match self.dimension(subscript, scope)? {
            (Some(size), _) => Ok(Some(size)),
            (None, None) => Ok(None),
            (None, Some(size)) => Err(self.error(
                Diagnostic::error("F020", format!("the size of `{name}` is not known at compile time"))
                    .at(size.span, "depends on something that is not a constant or a parameter with a value"),
            )),
        }
    }

    fn evaluate_declaration(&mut self, index: usize) {
        let Some(mut scope) = self.scope.take() else { return };
        let context = std::mem::replace(&mut scope.context, self.declarations[index].context.clone());
        let leaves = std::mem::take(&mut self.declarations[index].leaves);
        let n_errors = self.diagnostics.len() + self.n_dropped;
        if self.evaluate_leaves(index, &leaves, &mut scope).is_err() && self.diagnostics.len() + self.n_dropped == n_errors {
            self.silent_failure(self.declarations[index].component.name.span);
        }
        self.declarations[index].leaves = leaves;
        scope.context = context;
        scope.loops.clear();
        self.scope = Some(scope);
    }

    /// Something failed because of an error that was reported before. Without one, this is a fault of the compiler.
    pub(super) fn silent_failure(&mut self, span: partita_grammar::Span) {
        if self.diagnostics.is_empty() && self.speculative == 0 {
            self.error(
                Diagnostic::error("F010", "this cannot be translated").at(span, "internal error: no reason was given; this is a bug"),
            );
        }
    }

    fn evaluate_leaves(&mut self, index: usize, leaves: &[Leaf<'a>], scope: &mut Scope<'a>) -> Checked<()> {
        let declaration = &self.declarations[index];
        let (name, scalar, dims) = (declaration.name.clone(), declaration.scalar, declaration.dims.clone());
        let binding = declaration.binding();
        let mut sizes = Vec::with_capacity(dims.len());
        for dim in &dims {
            sizes.push(self.variable_dimension(dim, &name, scope)?);
        }
        let early = leaves.iter().any(|l| is_known_early(self.model.vars[l.var].variability));
        let open = sizes.iter().any(Option::is_none);
        let record = matches!(scalar, Scalar::Record(_));
        // The binding of the whole declaration.
        let mut whole = None;
        if let Some(value) = leaves.first().filter(|_| !record).and_then(|leaf| self.given_whole(leaf.var)) {
            let value = self.fit(value, &Type { scalar, dims: sizes.clone() }, &format!("the value given for `{name}`"))?;
            sizes = merged_dims(&sizes, &value.ty.dims);
            whole = Some(value);
        } else if let (Some(binding), true) = (binding, early || open) {
            let ty = Type { scalar, dims: sizes.clone() };
            let value = self.expr(binding, scope, Some(&ty))?;
            let value = self.fit(value, &ty, &format!("the value of `{name}`"))?;
            sizes = merged_dims(&sizes, &value.ty.dims);
            whole = Some(value);
        }
        if !record {
            let leaf = &leaves[0];
            if sizes.iter().any(Option::is_none) && !self.sizes_from_start(leaf, &mut sizes, scope)? {
                return Err(self.size_missing(&name, leaf.var));
            }
            self.check_elements(&name, leaf.var, &sizes)?;
            self.model.vars[leaf.var].ty.dims = sizes;
            if is_known_early(self.model.vars[leaf.var].variability) {
                self.bind_early(leaf, whole, scope)?;
            }
            return Ok(());
        }
        if sizes.iter().any(Option::is_none) {
            return Err(self.size_missing(&name, leaves.first().map_or(VarId::from_u32(0), |l| l.var)));
        }
        self.set_record_dims(&name, &sizes);
        let mut failed = None;
        for leaf in leaves {
            if let Err(reported) = self.evaluate_field(leaf, &sizes, whole.as_ref(), scope) {
                failed = Some(reported);
            } else {
                self.set_inner_dims(&name, scalar, sizes.len(), leaf);
            }
        }
        failed.map_or(Ok(()), Err)
    }

    fn size_missing(&mut self, name: &str, var: VarId) -> super::Reported {
        if let Some(message) = self.limit_met.take() {
            return self.error(message);
        }
        let span = self.model.vars[var].span;
        self.error(Diagnostic::error("F020", format!("the size of `{name}` is open")).at(span, "`:` needs a value to take the size from"))
    }

    /// Refuses arrays that no memory would hold once every element is a variable of its own.
    fn check_elements(&mut self, name: &str, var: VarId, sizes: &[Option<usize>]) -> Checked<()> {
        let n = sizes.iter().flatten().fold(1, |n: usize, size| n.saturating_mul(*size));
        let span = self.model.vars[var].span;
        budget::at(span);
        if n as u64 <= budget::limit(Limit::Elements) {
            return Ok(());
        }
        Err(self.error(budget::refusal("F041", &format!("`{name}`"), Limit::Elements, span)))
    }

    /// `:` of a variable without binding takes its size from the start value.
    fn sizes_from_start(&mut self, leaf: &Leaf<'a>, sizes: &mut Vec<Option<usize>>, scope: &mut Scope<'a>) -> Checked<bool> {
        let ty = Type { scalar: self.model.vars[leaf.var].ty.scalar, dims: sizes.clone() };
        let Some(value) = self.start_attribute(leaf, &ty, scope)? else { return Ok(false) };
        if shapes_agree(&value.ty.dims, sizes) {
            *sizes = merged_dims(sizes, &value.ty.dims);
        }
        Ok(sizes.iter().all(Option::is_some))
    }

    fn set_record_dims(&mut self, name: &str, sizes: &[Option<usize>]) {
        if let Some(NamedEntry::Record(_, dims)) = self.names.get_mut(name) {
            *dims = sizes.to_vec();
        }
    }

    /// Sizes of the records on the way to a field, those of the records around them included.
    fn set_inner_dims(&mut self, name: &str, scalar: Scalar, n_outer: usize, leaf: &Leaf<'a>) {
        let dims = self.model.vars[leaf.var].ty.dims.clone();
        let (mut scalar, mut count, mut prefix) = (scalar, n_outer, name.to_owned());
        for position in &leaf.path[..leaf.path.len().saturating_sub(1)] {
            let Scalar::Record(id) = scalar else { return };
            let Some(sources) = self.record_sources.get(&id).cloned() else { return };
            let source = &sources[*position];
            prefix.push('.');
            prefix.push_str(source.name);
            count += source.dims.len() + source.resolved.dims.len();
            scalar = source.resolved.scalar;
            self.set_record_dims(&prefix, dims.get(..count).unwrap_or(&[]));
        }
    }

    fn evaluate_field(&mut self, leaf: &Leaf<'a>, outer: &[Option<usize>], whole: Option<&Expr>, scope: &mut Scope<'a>) -> Checked<()> {
        let name = self.model.vars[leaf.var].name.clone();
        let n_own = scope.loops.len();
        // Sizes and defaults of a field may name its neighbours.
        self.open_neighbours(leaf, &name, outer.len(), scope);
        let result = self.evaluate_field_in(leaf, &name, outer, whole, scope);
        scope.loops.truncate(n_own);
        result
    }

    /// Makes fields of the same record visible by their own names: scalars by their values, where they are known and cannot be
    /// changed any more, others as variables. Elements of arrays of records would need loops; of those only values are seen.
    fn open_neighbours(&mut self, leaf: &Leaf<'a>, name: &str, n_outer: usize, scope: &mut Scope<'a>) {
        let needs = !leaf.dims.is_empty() || leaf.binding.is_some();
        let Some(prefix) = name.rfind('.').filter(|_| needs).map(|dot| &name[..dot]) else { return };
        let Some(NamedEntry::Record(id, _)) = self.names.get(prefix) else { return };
        let Some(sources) = self.record_sources.get(id).cloned() else { return };
        // What the field itself brings are its own sizes; more of them belong to records around it.
        let own = sources.iter().find(|s| name[prefix.len() + 1..] == *s.name).map_or(0, |s| s.dims.len() + s.resolved.dims.len());
        let is_single = n_outer == 0 && leaf.dims.len() == own;
        for source in sources.iter() {
            let Some(NamedEntry::Var(var)) = self.names.get(format!("{prefix}.{}", source.name).as_str()) else { continue };
            let variable = &self.model.vars[*var];
            let may_change =
                is_single && variable.ty.scalar == Scalar::Real && !variable.final_ && variable.variability != Variability::Constant;
            match &variable.value {
                Some(value @ (Value::Integer(_) | Value::Real(_) | Value::Boolean(_) | Value::Enumeration(..))) if !may_change => {
                    self.evaluated.entry(*var).or_insert(variable.span);
                    scope.loops.push((source.name, Bound::Value(value.clone())));
                }
                _ if is_single && variable.name != name => scope.loops.push((source.name, Bound::Field(*var))),
                _ => {}
            }
        }
    }

    fn evaluate_field_in(
        &mut self,
        leaf: &Leaf<'a>,
        name: &str,
        outer: &[Option<usize>],
        whole: Option<&Expr>,
        scope: &mut Scope<'a>,
    ) -> Checked<()> {
        let given = self.given_whole(leaf.var);
        let own = leaf.binding.as_ref().filter(|b| given.is_none() && (!b.is_default || whole.is_none()));
        let projected = match (own, whole) {
            (None, Some(whole)) if given.is_none() => Some(self.project(whole, &leaf.path)),
            _ => None,
        };
        let mut sizes = outer.to_vec();
        for dim in &leaf.dims {
            let size = match dim {
                (ast::Subscript::All(_), _) => None,
                _ => self.variable_dimension(dim, name, scope)?,
            };
            sizes.push(size);
        }
        if let Some(value) = &projected
            && shapes_agree(&value.ty.dims, &sizes)
        {
            sizes = merged_dims(&sizes, &value.ty.dims);
        }
        let early = is_known_early(self.model.vars[leaf.var].variability);
        let scalar = self.model.vars[leaf.var].ty.scalar;
        let mut value = projected;
        let open = sizes.iter().any(Option::is_none);
        if let (Some(own), true) = (own, early || open) {
            let ty = Type { scalar, dims: sizes[outer.len()..].to_vec() };
            let context = std::mem::replace(&mut scope.context, own.context.clone());
            let typed = self.expr(own.value, scope, Some(&ty));
            scope.context = context;
            let typed = self.fit_scalar(typed?, &ty, &format!("the value of `{name}`"))?;
            let typed = if typed.ty.dims.len() == ty.dims.len() { repeated(typed, outer) } else { typed };
            let full = Type { scalar, dims: sizes.clone() };
            let typed = self.fit(typed, &full, &format!("the value of `{name}`"))?;
            sizes = merged_dims(&sizes, &typed.ty.dims);
            value = Some(typed);
        }
        if let Some(given) = given {
            let given = self.fit(given, &Type { scalar, dims: sizes.clone() }, &format!("the value given for `{name}`"))?;
            sizes = merged_dims(&sizes, &given.ty.dims);
            value = Some(given);
        }
        if sizes.iter().any(Option::is_none) {
            return Err(self.size_missing(name, leaf.var));
        }
        self.check_elements(name, leaf.var, &sizes)?;
        self.model.vars[leaf.var].ty.dims = sizes;
        if early { self.bind_early(leaf, value, scope) } else { Ok(()) }
    }

    /// A field of a record expression, at any depth.
    fn project(&self, whole: &Expr, path: &[usize]) -> Expr {
        let Some((first, rest)) = path.split_first() else { return whole.clone() };
        if let ExprKind::Record(_, fields) = &whole.kind
            && let Some(field) = fields.get(*first)
        {
            return self.project(field, rest);
        }
        let mut value = whole.clone();
        for position in path {
            let Scalar::Record(id) = value.ty.scalar else { return value };
            let ty = self.model.records[id].fields[*position].ty.clone();
            let span = value.span;
            value = field_of(value, *position, &ty, span);
        }
        value
    }

    /// The binding and value of a constant or parameter.
    fn bind_early(&mut self, leaf: &Leaf<'a>, binding: Option<Expr>, scope: &mut Scope<'a>) -> Checked<()> {
        let binding = self.with_given_elements(leaf, binding, scope)?;
        let variable = &self.model.vars[leaf.var];
        let (ty, variability) = (variable.ty.clone(), variable.variability);
        if let Some(binding) = &binding
            && let Some((culprit, span)) = self.varies_more(binding, variability)
        {
            let name = self.model.vars[leaf.var].name.clone();
            let word = if variability == Variability::Constant { "constant" } else { "parameter" };
            return Err(self.error(
                Diagnostic::error("F014", format!("the {word} `{name}` depends on {culprit}"))
                    .at(span, format!("a {word} cannot depend on this")),
            ));
        }
        let free = match written(&leaf.layers, "fixed") {
            Some(fixed) => {
                let fixed = self.fixed_attribute(fixed, &ty, scope)?;
                is_false(&fixed)
            }
            None => false,
        };
        if free {
            self.free_parameters.insert(leaf.var);
        }
        match binding {
            Some(binding) => {
                self.is_compile_time = false;
                let (value, binding) = if free { (None, binding) } else { self.value_of_binding(leaf, binding)? };
                // A run could not compute it again.
                if value.is_some() && self.is_compile_time {
                    self.evaluated.entry(leaf.var).or_insert(binding.span);
                }
                let variable = &mut self.model.vars[leaf.var];
                variable.value = value;
                variable.binding = Some(binding);
            }
            None if free => {}
            None => self.without_binding(leaf, &ty, scope)?,
        }
        Ok(())
    }

    fn without_binding(&mut self, leaf: &Leaf<'a>, ty: &Type, scope: &mut Scope<'a>) -> Checked<()> {
        let variable = &self.model.vars[leaf.var];
        let (name, span) = (variable.name.clone(), variable.span);
        if variable.variability == Variability::Constant {
            return Err(self.error(Diagnostic::error("F016", format!("the constant `{name}` has no value")).at(span, "")));
        }
        if ty.dims.contains(&Some(0)) {
            let dims = ty.dims.iter().map(|d| d.unwrap_or(0)).collect();
            self.model.vars[leaf.var].value = Some(Value::Array(dims, Vec::new()));
            return Ok(());
        }
        let Some(start) = self.start_attribute(leaf, ty, scope)? else { return Ok(()) };
        let start = if start.ty.is_scalar() { repeated(start, &ty.dims) } else { start };
        if let Some(value) = self.default_value(&start)? {
            self.model.vars[leaf.var].value = Some(value);
            self.from_start.push(leaf.var);
        }
        Ok(())
    }

    /// Something in an expression that varies more than allowed.
    pub(super) fn varies_more(&self, e: &Expr, allowed: Variability) -> Option<(String, partita_grammar::Span)> {
        let mut stack = vec![e];
        while let Some(e) = stack.pop() {
            match &e.kind {
                ExprKind::Literal(_) | ExprKind::Local(_) => {}
                ExprKind::Time => return Some(("time".to_owned(), e.span)),
                ExprKind::Var(var) => {
                    let variable = &self.model.vars[*var];
                    if variable.variability > allowed {
                        let word = match variable.variability {
                            Variability::Constant => "constant",
                            Variability::Parameter => "parameter",
                            Variability::Discrete => "discrete variable",
                            Variability::Continuous => "variable",
                        };
                        return Some((format!("the {word} `{}`", variable.name), e.span));
                    }
                }
                ExprKind::Index(array, subscripts) => {
                    stack.push(array);
                    for subscript in subscripts {
                        if let Subscript::Index(e) | Subscript::Slice(e) = subscript {
                            stack.push(e);
                        }
                    }
                }
                ExprKind::Field(a, _) | ExprKind::Unary(_, a) | ExprKind::ToReal(a) => stack.push(a),
                ExprKind::Binary(_, a, b) => stack.extend([&**a, &**b]),
                ExprKind::If(a, b, c) => stack.extend([&**a, &**b, &**c]),
                ExprKind::Builtin(Builtin::Size | Builtin::Ndims, _) => {}
                ExprKind::Builtin(
                    Builtin::Der | Builtin::Initial | Builtin::Terminal | Builtin::Sample | Builtin::Edge | Builtin::Change,
                    _,
                ) => {
                    return Some(("an operator that varies with time".to_owned(), e.span));
                }
                ExprKind::Builtin(_, es)
                | ExprKind::Call(_, es)
                | ExprKind::NewObject(_, es)
                | ExprKind::Record(_, es)
                | ExprKind::Array(es) => {
                    stack.extend(es);
                }
                ExprKind::Range(a, b, c) => {
                    stack.extend([&**a, &**c]);
                    stack.extend(b.as_deref());
                }
                ExprKind::Comprehension(body, iterators) => {
                    stack.push(body);
                    stack.extend(iterators.iter().map(|(_, over)| over));
                }
            }
        }
        None
    }

    /// Attributes of all variables, and bindings of those that are neither constant nor parameter.
    pub(super) fn finish_declarations(&mut self) {
        let Some(mut scope) = self.scope.take() else { return };
        let outside = scope.context.clone();
        for index in 0..self.declarations.len() {
            let leaves = std::mem::take(&mut self.declarations[index].leaves);
            scope.context = self.declarations[index].context.clone();
            for leaf in &leaves {
                self.model.vars[leaf.var].attributes = self.attributes(leaf, &mut scope);
            }
            let n_errors = self.diagnostics.len() + self.n_dropped;
            if self.bind_late(index, &leaves, &mut scope).is_err() && self.diagnostics.len() + self.n_dropped == n_errors {
                self.silent_failure(self.declarations[index].component.name.span);
            }
            self.declarations[index].leaves = leaves;
        }
        scope.context = outside;
        self.scope = Some(scope);
    }

    fn bind_late(&mut self, index: usize, leaves: &[Leaf<'a>], scope: &mut Scope<'a>) -> Checked<()> {
        let declaration: &Declaration<'a> = &self.declarations[index];
        let (name, scalar, binding) = (declaration.name.clone(), declaration.scalar, declaration.binding());
        let late = |f: &Self, leaf: &Leaf<'a>| !is_known_early(f.model.vars[leaf.var].variability);
        if !matches!(scalar, Scalar::Record(_)) {
            let Some(leaf) = leaves.first() else { return Ok(()) };
            if let (Some(binding), true) = (binding, late(self, leaf)) {
                let ty = self.model.vars[leaf.var].ty.clone();
                let value = self.expr(binding, scope, Some(&ty))?;
                let value = self.fit(value, &ty, &format!("the value of `{name}`"))?;
                self.model.vars[leaf.var].binding = Some(value);
            }
            return Ok(());
        }
        if !leaves.iter().any(|l| late(self, l)) {
            return Ok(());
        }
        // Parameters among the fields have their values already.
        let in_parts = leaves.iter().any(|l| !late(self, l) || l.binding.as_ref().is_some_and(|b| !b.is_default));
        if let (Some(binding), false) = (binding, in_parts) {
            // The record's binding is one equation, so that a function is called once for all fields.
            let Some(entry) = self.names.get(&name).cloned() else { return Ok(()) };
            let span = binding.span;
            let left = self.entry_expr(&name, &entry, span)?;
            let right = self.expr(binding, scope, Some(&left.ty))?;
            let right = self.fit(right, &left.ty, &format!("the value of `{name}`"))?;
            self.model.equations.push(Equation { kind: EquationKind::Equal(left, right), span });
            return Ok(());
        }
        let whole = match binding {
            Some(binding) => {
                let Some(NamedEntry::Record(id, dims)) = self.names.get(&name).cloned() else { return Ok(()) };
                let ty = Type { scalar: Scalar::Record(id), dims };
                let value = self.expr(binding, scope, Some(&ty))?;
                Some(self.fit(value, &ty, &format!("the value of `{name}`"))?)
            }
            None => None,
        };
        for leaf in leaves {
            if !late(self, leaf) {
                continue;
            }
            let ty = self.model.vars[leaf.var].ty.clone();
            let field = self.model.vars[leaf.var].name.clone();
            let own = leaf.binding.as_ref().filter(|b| !b.is_default || whole.is_none());
            let value = match (own, &whole) {
                (Some(own), _) => {
                    let context = std::mem::replace(&mut scope.context, own.context.clone());
                    let n_own = scope.loops.len();
                    self.open_neighbours(leaf, &field, ty.dims.len().saturating_sub(leaf.dims.len()), scope);
                    let typed = self.expr(own.value, scope, Some(&ty));
                    scope.loops.truncate(n_own);
                    scope.context = context;
                    let typed = typed?;
                    let outer = ty.dims.len().saturating_sub(typed.ty.dims.len());
                    repeated(typed, &ty.dims[..outer])
                }
                (None, Some(whole)) => self.project(whole, &leaf.path),
                (None, None) => continue,
            };
            let value = self.fit(value, &ty, &format!("the value of `{field}`"))?;
            self.model.vars[leaf.var].binding = Some(value);
        }
        Ok(())
    }

    /// Parameters that took their start values, and used parameters that have none.
    pub(super) fn finish_parameters(&mut self) {
        let from_start = std::mem::take(&mut self.from_start);
        if !from_start.is_empty() {
            let names: Vec<String> = from_start.iter().map(|v| self.model.vars[*v].name.clone()).collect();
            let span = self.model.vars[from_start[0]].span;
            let title = match names.as_slice() {
                [one] => format!("the parameter `{one}` has no value; its start value is used"),
                _ => format!("{} parameters have no value; their start values are used", names.len()),
            };
            let mut warning = Diagnostic::warning("F017", title).at(span, "");
            if names.len() > 1 {
                warning = warning.with_note(list(&names));
            }
            self.warn(warning);
        }
        self.report_unassigned();
        let mut missing = Vec::new();
        // A binding with an error leaves the parameter without a value; that has been said.
        let bound: FxHashSet<VarId> =
            self.declarations.iter().filter(|d| d.binding().is_some()).flat_map(|d| d.leaves.iter().map(|leaf| leaf.var)).collect();
        for (id, variable) in &self.model.vars {
            if bound.contains(&id) && !self.diagnostics.is_empty() {
                continue;
            }
            let open = variable.variability == Variability::Parameter && variable.value.is_none() && variable.binding.is_none();
            if open && self.used.contains(id) && !self.free_parameters.contains(&id) {
                missing.push(id);
            }
        }
        for id in missing {
            let variable = &self.model.vars[id];
            let error = Diagnostic::error("F018", format!("the parameter `{}` has no value", variable.name))
                .at(variable.span, "it is used, but has neither a binding nor a start value")
                .with_hint("give it a value: `parameter Real p = 1`");
            self.error(error);
        }
    }
}

fn is_false(fixed: &Expr) -> bool {
    match &fixed.kind {
        ExprKind::Literal(Value::Boolean(b)) => !b,
        ExprKind::Array(elements) => elements.iter().any(is_false),
        _ => false,
    }
}

/// A value repeated along new leading dimensions.
pub(super) fn repeated(value: Expr, outer: &[Option<usize>]) -> Expr {
    if outer.is_empty() {
        return value;
    }
    let span = value.span;
    let dims = outer.iter().chain(&value.ty.dims).copied().collect();
    let ty = Type { scalar: value.ty.scalar, dims };
    let sizes = outer.iter().map(|d| integer_literal(d.unwrap_or(0) as i64, span));
    let arguments = std::iter::once(value).chain(sizes).collect();
    Expr { kind: ExprKind::Builtin(Builtin::Fill, arguments), ty, span }
}
