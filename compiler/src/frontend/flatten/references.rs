//! Resolves component references: variables, fields, elements, enumeration literals, `time`.
//!
//! Input: a reference as written and its scope. Output: a typed expression over variable ids and locals.
//!
//! Method: loop variables and locals first; then the model's full names, with literal subscripts as part of the name and
//! without; then enumeration literals; then the tree of declared names, which assembles whole arrays and records whose
//! elements are declared one by one. Cost: one hash lookup for a plain name.

use super::eval::literal;
use super::lookup::{NameTree, NodeId, Segment, nearest, segments};
use super::names::plain_text;
use super::{Bound, Checked, Flattener, NamedEntry, Scope};
use crate::frontend::flat::construct::indexed;
use crate::frontend::flat::{Expr, ExprKind, RecordId, Scalar, Subscript, Type, Value, VarId, Variability};
use partita_grammar::ast::{self, ComponentRef, Dialect, ExprKind as Syntax, RefPart};
use partita_grammar::{Diagnostic, Span};
use std::rc::Rc;

/// The declared name of a component, subscripts of the flat dialect included; `None` if they are not numbers or literals
/// of an enumeration or Boolean, which stay in the name as they are written.
pub(super) fn declared_text(reference: &ComponentRef) -> Option<String> {
    let mut text = String::new();
    for (i, part) in reference.parts.iter().enumerate() {
        if i > 0 {
            text.push('.');
        }
        text.push_str(part.name.unquoted());
        for (i, subscript) in part.subscripts.iter().enumerate() {
            text.push(if i == 0 { '[' } else { ',' });
            let ast::Subscript::Index(e) = subscript else { return None };
            match &e.kind {
                Syntax::Integer(n) => text.push_str(&n.to_string()),
                Syntax::Boolean(b) => text.push_str(if *b { "true" } else { "false" }),
                Syntax::Ref(literal) if literal.parts.len() > 1 && literal.parts.iter().all(|p| p.subscripts.is_empty()) => {
                    text.push_str(&plain_text(literal));
                }
                _ => return None,
            }
        }
        if !part.subscripts.is_empty() {
            text.push(']');
        }
    }
    Some(text)
}

fn push_subscripts(text: &mut String, subscripts: &[usize]) {
    use std::fmt::Write;
    for (i, subscript) in subscripts.iter().enumerate() {
        text.push(if i == 0 { '[' } else { ',' });
        // Writing to a String cannot fail.
        let _ = write!(text, "{subscript}");
    }
    if !subscripts.is_empty() {
        text.push(']');
    }
}

/// The subscripts if all of them are literal numbers (or loop variables of a loop that is being unrolled).
fn literal_subscripts(subscripts: &[ast::Subscript], scope: Option<&Scope>) -> Option<Vec<usize>> {
    let number = |e: &ast::Expr| -> Option<usize> {
        match &e.kind {
            Syntax::Integer(i) => usize::try_from(*i).ok(),
            Syntax::Ref(r) if r.parts.len() == 1 && r.parts[0].subscripts.is_empty() => {
                let name = r.parts[0].name.unquoted();
                match scope?.loops.iter().rev().find(|(n, _)| *n == name) {
                    Some((_, Bound::Value(Value::Integer(i)))) => usize::try_from(*i).ok(),
                    _ => None,
                }
            }
            _ => None,
        }
    };
    subscripts
        .iter()
        .map(|s| match s {
            ast::Subscript::Index(e) => number(e),
            ast::Subscript::All(_) => None,
        })
        .collect()
}

/// A step of a reference into the tree of names.
pub(super) enum Step<'a> {
    Name(&'a str),
    Literal(Vec<usize>, &'a [ast::Subscript]),
    Open(&'a [ast::Subscript]),
}

impl<'a> Flattener<'a> {
    /// Types a reference.
    pub(super) fn reference(&mut self, reference: &'a ComponentRef, scope: &mut Scope<'a>, expected: Option<&Type>) -> Checked<Expr> {
        let span = reference.span;
        let Some(first) = reference.parts.first() else {
            return Err(self.error(Diagnostic::error("F003", "an empty name").at(span, "")));
        };
        let name = first.name.unquoted();
        if !reference.global
            && let Some(base) = self.local_name(name, span, scope)
        {
            return self.steps(base, first, &reference.parts[1..], scope);
        }
        if let [part] = reference.parts.as_slice()
            && part.subscripts.is_empty()
        {
            if !scope.closed
                && let Some(entry) = self.declared.names.get(name)
            {
                let entry = entry.clone();
                return self.visible_entry(name, &entry, span, scope);
            }
            if part.name.text == "time" {
                return Ok(Expr { kind: ExprKind::Time, ty: Type::scalar(Scalar::Real), span });
            }
        }
        if let Some(found) = self.full_name(reference, scope)? {
            return Ok(found);
        }
        if let (Dialect::OmcFlat, Some(text)) = (self.dialect, declared_text(reference))
            && let (Some(entry), false) = (self.declared.names.get(text.as_str()).cloned(), scope.closed)
        {
            return self.visible_entry(&text, &entry, span, scope);
        }
        if let Some(found) = self.enum_literal(reference, scope, expected) {
            return found;
        }
        if scope.function.is_none()
            && !scope.closed
            && let Some(found) = self.in_tree(reference, scope, expected)?
        {
            return Ok(found);
        }
        if let Some(found) = self.imported_constant(reference, scope) {
            return Ok(found);
        }
        if let Some(value) = library_constant(&plain_text(reference)) {
            return Ok(Expr { kind: ExprKind::Literal(Value::Real(value)), ty: Type::scalar(Scalar::Real), span });
        }
        Err(self.unknown_name(reference, scope))
    }

    /// A loop variable or local.
    fn local_name(&mut self, name: &str, span: Span, scope: &Scope<'a>) -> Option<Expr> {
        if let Some((_, bound)) = scope.loops.iter().rev().find(|(n, _)| *n == name) {
            return Some(match bound {
                Bound::Local(id) => Expr { kind: ExprKind::Local(*id), ty: scope.locals[*id].ty.clone(), span },
                Bound::Value(value) => literal(value.clone(), &value_type(value), span),
                Bound::Field(var) => self.var_expr(*var, span),
            });
        }
        let id = *scope.names.get(name)?;
        Some(Expr { kind: ExprKind::Local(id), ty: scope.locals[id].ty.clone(), span })
    }

    /// Subscripts and fields after a local.
    fn steps(&mut self, base: Expr, first: &'a RefPart, rest: &'a [RefPart], scope: &mut Scope<'a>) -> Checked<Expr> {
        let start = base.span.start;
        let mut e = self.index(base, &first.subscripts, first.name.span, scope)?;
        for part in rest {
            e = self.field(e, part.name.unquoted(), part.name.span)?;
            e = self.index(e, &part.subscripts, part.name.span, scope)?;
        }
        e.span.start = e.span.start.min(start);
        Ok(e)
    }

    /// The expression of an entry, if the scope may see it.
    fn visible_entry(&mut self, name: &str, entry: &NamedEntry, span: Span, scope: &Scope<'a>) -> Checked<Expr> {
        if scope.function.is_some()
            && let NamedEntry::Var(id) = entry
            && self.model.vars[*id].variability != Variability::Constant
        {
            return Err(self.error(
                Diagnostic::error("F003", format!("the function cannot see `{name}`"))
                    .at(span, "a variable of the model")
                    .with_hint("a function sees its own inputs and locals, and constants; pass the value as an input"),
            ));
        }
        self.entry_expr(name, entry, span)
    }

    pub(super) fn var_expr(&mut self, id: VarId, span: Span) -> Expr {
        self.values.used.insert(id);
        Expr { kind: ExprKind::Var(id), ty: self.model.vars[id].ty.clone(), span }
    }

    /// A variable, or a whole record put together from its fields.
    pub(super) fn entry_expr(&mut self, name: &str, entry: &NamedEntry, span: Span) -> Checked<Expr> {
        let (id, dims) = match entry {
            NamedEntry::Var(id) => return Ok(self.var_expr(*id, span)),
            NamedEntry::Record(id, dims) => (*id, dims.clone()),
        };
        let names: Vec<String> = self.model.records[id].fields.iter().map(|f| format!("{name}.{}", f.name)).collect();
        let mut fields = Vec::with_capacity(names.len());
        for name in names {
            let Some(entry) = self.declared.names.get(name.as_str()).cloned() else {
                return Err(self.error(Diagnostic::error("F003", format!("unknown variable `{name}`")).at(span, "")));
            };
            fields.push(self.entry_expr(&name, &entry, span)?);
        }
        let Some(sizes) = dims.iter().copied().collect::<Option<Vec<usize>>>() else {
            return Err(self.error(Diagnostic::error("F020", format!("the size of `{name}` is not known")).at(span, "")));
        };
        Ok(record_array(id, &sizes, &mut Vec::new(), &fields, span))
    }

    /// Full names of the model, with and without subscripts in the name.
    fn full_name(&mut self, reference: &'a ComponentRef, scope: &mut Scope<'a>) -> Checked<Option<Expr>> {
        if scope.closed {
            return Ok(None);
        }
        let parts = &reference.parts;
        let literals: Vec<Option<Vec<usize>>> = parts.iter().map(|p| literal_subscripts(&p.subscripts, Some(scope))).collect();
        // `in_name` leading parts have their subscripts in the declared name; the rest are real subscripts.
        for in_name in (0..=parts.len()).rev() {
            if in_name > 0 && (parts[in_name - 1].subscripts.is_empty() || literals[..in_name].iter().any(Option::is_none)) {
                continue;
            }
            let mut text = String::new();
            for (i, part) in parts.iter().enumerate() {
                if i > 0 {
                    text.push('.');
                }
                text.push_str(part.name.unquoted());
                if let (true, Some(subscripts)) = (i < in_name, &literals[i]) {
                    push_subscripts(&mut text, subscripts);
                }
            }
            if let Some((text, entry)) = self.entry_in_context(text, scope) {
                let base = self.visible_entry(&text, &entry, reference.span, scope)?;
                return self.subscripts_of_parts(base, parts, in_name, &literals, scope, reference.span).map(Some);
            }
        }
        Ok(None)
    }

    fn entry_in_context(&self, text: String, scope: &Scope<'a>) -> Option<(String, NamedEntry)> {
        if let Some(entry) = self.declared.names.get(text.as_str()) {
            return Some((text, entry.clone()));
        }
        let mut context: &str = &scope.context;
        while !context.is_empty() {
            let full = format!("{context}.{text}");
            if let Some(entry) = self.declared.names.get(full.as_str()) {
                return Some((full, entry.clone()));
            }
            context = context.rfind('.').map_or("", |dot| &context[..dot]);
        }
        None
    }

    /// Applies the subscripts of all parts to a variable whose dimensions are those of all parts in order.
    fn subscripts_of_parts(
        &mut self,
        base: Expr,
        parts: &'a [RefPart],
        in_name: usize,
        literals: &[Option<Vec<usize>>],
        scope: &mut Scope<'a>,
        span: Span,
    ) -> Checked<Expr> {
        let any = parts[in_name..].iter().any(|p| !p.subscripts.is_empty());
        if !any {
            return Ok(base);
        }
        let mut subscripts = Vec::new();
        let mut prefix = String::new();
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                prefix.push('.');
            }
            prefix.push_str(part.name.unquoted());
            if let (true, Some(numbers)) = (i < in_name, &literals[i]) {
                push_subscripts(&mut prefix, numbers);
                continue;
            }
            for subscript in &part.subscripts {
                let axis = subscripts.len();
                if axis >= base.ty.dims.len() {
                    let text = self.type_text(&base.ty);
                    return Err(self.error(Diagnostic::error("F021", format!("too many subscripts on {text}")).at(span, "")));
                }
                subscripts.push(self.subscript(&base, axis, subscript, scope)?);
            }
            // An array of records without subscripts means all of its elements.
            if i + 1 < parts.len()
                && let Some(NamedEntry::Record(_, dims)) = self.declared.names.get(prefix.as_str())
            {
                while subscripts.len() < dims.len() {
                    subscripts.push(Subscript::All);
                }
            }
        }
        if subscripts.len() > base.ty.dims.len() {
            let text = self.type_text(&base.ty);
            return Err(self.error(Diagnostic::error("F021", format!("too many subscripts on {text}")).at(span, "")));
        }
        Ok(indexed(base, subscripts, span))
    }

    /// `E.literal`; `None` if the prefix is no enumeration.
    fn enum_literal(&mut self, reference: &'a ComponentRef, scope: &Scope<'a>, expected: Option<&Type>) -> Option<Checked<Expr>> {
        let (last, prefix) = reference.parts.split_last()?;
        if prefix.is_empty() || reference.parts.iter().any(|p| !p.subscripts.is_empty()) {
            return None;
        }
        let type_name = prefix.iter().map(|p| p.name.unquoted()).collect::<Vec<_>>().join(".");
        let name = last.name.unquoted();
        let mut candidates = Vec::new();
        if let Some(id) = self.enum_type(&type_name, &scope.context) {
            candidates.push(id);
        } else {
            if self.dialect != Dialect::OmcFlat {
                return None;
            }
            // omc's flat form does not print enumeration types; they are known by what is expected or by earlier use.
            candidates.extend(self.types.enum_prefixes.get(&type_name).copied());
            if let Some(Type { scalar: Scalar::Enumeration(id), .. }) = expected {
                candidates.push(*id);
            }
            let with_literal: Vec<_> = self
                .model
                .enums
                .iter()
                .filter(|(_, e)| e.name.is_empty() && e.literals.iter().any(|l| l == name))
                .map(|(id, _)| id)
                .collect();
            if let [only] = with_literal.as_slice() {
                candidates.push(*only);
            }
        }
        for id in &candidates {
            if let Some(position) = self.model.enums[*id].literals.iter().position(|l| l == name) {
                let kind = ExprKind::Literal(Value::Enumeration(*id, position as u32 + 1));
                return Some(Ok(Expr { kind, ty: Type::scalar(Scalar::Enumeration(*id)), span: reference.span }));
            }
        }
        let id = *candidates.first()?;
        let literals = self.model.enums[id].literals.clone();
        let mut error = Diagnostic::error("F003", format!("the enumeration `{type_name}` has no literal `{name}`"))
            .at(last.name.span, "")
            .with_note(format!("it has {}", super::lookup::list(&literals)));
        if let Some(near) = nearest(name, literals.iter().map(String::as_str)) {
            error = error.with_hint(format!("did you mean `{near}`?"));
        }
        Some(Err(self.error(error)))
    }

    /// The tree of declared names, built at the first use.
    pub(super) fn name_tree(&mut self) -> Rc<NameTree> {
        let (names, enums) = (&self.declared.declarations, &self.model.enums);
        // `x[E.b]` is element 2: literals are known by their last name among the enumerations that have it.
        let position = |key: &str| -> Option<usize> {
            match key.trim() {
                "false" => return Some(1),
                "true" => return Some(2),
                _ => {}
            }
            let key = super::names::unescaped(key.trim());
            let (ty, literal) = key.rsplit_once('.')?;
            let (ty, literal) = (ty.trim_matches('\''), literal.strip_prefix('\'').and_then(|l| l.strip_suffix('\'')).unwrap_or(literal));
            let mut found = enums.values().filter(|e| e.name == ty || e.name.is_empty());
            found.find_map(|e| e.literals.iter().position(|l| l == literal)).map(|at| at + 1)
        };
        let tree = self.declared.tree.get_or_insert_with(|| Rc::new(NameTree::new(names.iter().map(|d| &*d.name), &position)));
        tree.clone()
    }

    /// All scalar variables below a name, with the rest of their names, sorted by it.
    pub(super) fn leaves_below(&mut self, reference: &ComponentRef) -> Option<Vec<(String, VarId)>> {
        let prefix = declared_text(reference)?;
        let tree = self.name_tree();
        let mut at = tree.root();
        for segment in segments(&prefix) {
            at = tree.child(at, &segment)?;
        }
        let mut below = Vec::new();
        tree.declarations_below(at, &mut below);
        let mut found = Vec::with_capacity(below.len());
        for declaration in below {
            let name = &self.declared.declarations[declaration].name;
            let Some(NamedEntry::Var(var)) = self.declared.names.get(name) else { return None };
            found.push((name.strip_prefix(&prefix)?.to_owned(), *var));
        }
        found.sort_unstable();
        (found.len() > 1).then_some(found)
    }

    /// Sizes of an array whose elements are declared one by one.
    pub(super) fn element_sizes(&mut self, reference: &ComponentRef) -> Option<Vec<usize>> {
        let tree = self.name_tree();
        let mut at = tree.root();
        for part in &reference.parts {
            for segment in segments(part.name.unquoted()) {
                at = tree.child(at, &segment)?;
            }
            if !part.subscripts.is_empty() {
                at = tree.child(at, &Segment::Subscripts(literal_subscripts(&part.subscripts, None)?))?;
            }
        }
        let mut sizes: Vec<usize> = Vec::new();
        for key in tree.node(at).elements.keys() {
            sizes.resize(key.len().max(sizes.len()), 0);
            for (size, index) in sizes.iter_mut().zip(key) {
                *size = (*size).max(*index);
            }
        }
        (!sizes.is_empty()).then_some(sizes)
    }

    fn in_tree(&mut self, reference: &'a ComponentRef, scope: &mut Scope<'a>, expected: Option<&Type>) -> Checked<Option<Expr>> {
        let tree = self.name_tree();
        let mut path = Vec::new();
        for part in &reference.parts {
            for segment in segments(part.name.unquoted()) {
                path.push(match segment {
                    Segment::Name(name) => Step::Name(name),
                    Segment::Subscripts(numbers) => Step::Literal(numbers, &[]),
                });
            }
            if !part.subscripts.is_empty() {
                path.push(match literal_subscripts(&part.subscripts, Some(scope)) {
                    Some(numbers) => Step::Literal(numbers, &part.subscripts),
                    None => Step::Open(&part.subscripts),
                });
            }
        }
        self.walk(&tree, tree.root(), &path, reference.span, scope, expected)
    }

    /// Follows a path through the tree. Depth is the number of steps of one name.
    pub(super) fn walk(
        &mut self,
        tree: &Rc<NameTree>,
        at: NodeId,
        path: &[Step<'a>],
        span: Span,
        scope: &mut Scope<'a>,
        expected: Option<&Type>,
    ) -> Checked<Option<Expr>> {
        let Some((step, rest)) = path.split_first() else { return self.assemble(tree, at, span, expected) };
        let node = tree.node(at);
        // A declared array or record inside the path: the rest are its subscripts and fields.
        if let (Some(declaration), true) = (node.declaration, node.fields.is_empty() && node.elements.is_empty()) {
            let name = self.declared.declarations[declaration].name.clone();
            let Some(entry) = self.declared.names.get(&name).cloned() else { return Ok(None) };
            let mut e = self.entry_expr(&name, &entry, span)?;
            for step in path {
                e = match step {
                    Step::Name(field) => self.field(e, field, span)?,
                    Step::Literal(_, subscripts) | Step::Open(subscripts) => self.index(e, subscripts, span, scope)?,
                };
            }
            return Ok(Some(e));
        }
        match step {
            Step::Name(name) => match tree.child(at, &Segment::Name(name)) {
                Some(child) => self.walk(tree, child, rest, span, scope, expected),
                // A field of all elements of an array of components.
                None if !node.elements.is_empty() => self.elements(tree, at, path, span, scope),
                None => Ok(None),
            },
            Step::Literal(numbers, subscripts) => match tree.child(at, &Segment::Subscripts(numbers.clone())) {
                Some(child) => self.walk(tree, child, rest, span, scope, expected),
                None if !node.elements.is_empty() && !subscripts.is_empty() => {
                    self.open_subscripts(tree, at, subscripts, rest, span, scope)
                }
                None => Ok(None),
            },
            Step::Open(subscripts) if !node.elements.is_empty() => self.open_subscripts(tree, at, subscripts, rest, span, scope),
            Step::Open(_) => Ok(None),
        }
    }

    fn open_subscripts(
        &mut self,
        tree: &Rc<NameTree>,
        at: NodeId,
        subscripts: &'a [ast::Subscript],
        rest: &[Step<'a>],
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Checked<Option<Expr>> {
        let Some(whole) = self.elements(tree, at, rest, span, scope)? else { return Ok(None) };
        self.index(whole, subscripts, span, scope).map(Some)
    }

    /// A constant of a package that an import gives another name.
    fn imported_constant(&mut self, reference: &ComponentRef, scope: &Scope<'a>) -> Option<Expr> {
        let span = reference.span;
        let names = self.classes.imported(&plain_text(reference), &scope.context);
        names.iter().find_map(|name| match (self.declared.names.get(name.as_str()), library_constant(name)) {
            (Some(NamedEntry::Var(id)), _) if self.model.vars[*id].variability == Variability::Constant => {
                let id = *id;
                Some(self.var_expr(id, span))
            }
            (_, Some(value)) => Some(Expr { kind: ExprKind::Literal(Value::Real(value)), ty: Type::scalar(Scalar::Real), span }),
            _ => None,
        })
    }

    fn unknown_name(&mut self, reference: &ComponentRef, scope: &Scope<'a>) -> super::Reported {
        let text = plain_text(reference);
        // Its declaration was refused; that has been said.
        if reference.parts.first().is_some_and(|part| self.declared.refused.contains(part.name.unquoted()))
            || self.declared.refused.contains(&text)
        {
            return super::Reported;
        }
        let mut error = Diagnostic::error("F003", format!("unknown variable `{text}`")).at(reference.span, "not declared");
        let candidates: Option<String> = if scope.function.is_some() {
            nearest(&text, scope.names.keys().copied()).map(str::to_owned)
        } else {
            nearest(&text, self.declared.names.keys().map(Rc::as_ref)).map(str::to_owned)
        };
        if let Some(full) = self.classes.imported(&text, &scope.context).first() {
            error = error.with_note(format!("an import says that it is `{full}`, which is not in this file"));
            error = error.with_hint("define it in the file, or flatten the model with another tool first");
        } else if let Some(near) = candidates {
            error = error.with_hint(format!("did you mean `{near}`?"));
        }
        self.error(error)
    }

    /// Learns names of enumeration types from declarations such as `enumeration(slow, fast) mode = Hand.Mode.fast`.
    pub(super) fn learn_enum_prefix(&mut self, id: crate::frontend::flat::EnumId, value: &ast::Expr) {
        let Syntax::Ref(reference) = &value.kind else { return };
        let Some((last, prefix)) = reference.parts.split_last() else { return };
        if prefix.is_empty() || !self.model.enums[id].literals.iter().any(|l| l == last.name.unquoted()) {
            return;
        }
        let name = prefix.iter().map(|p| p.name.unquoted()).collect::<Vec<_>>().join(".");
        self.types.enum_prefixes.entry(name).or_insert(id);
    }
}

fn record_array(id: RecordId, sizes: &[usize], index: &mut Vec<Subscript>, fields: &[Expr], span: Span) -> Expr {
    if index.len() == sizes.len() {
        let fields = fields.iter().map(|f| if index.is_empty() { f.clone() } else { indexed(f.clone(), index.clone(), span) }).collect();
        return Expr { kind: ExprKind::Record(id, fields), ty: Type::scalar(Scalar::Record(id)), span };
    }
    let mut parts = Vec::with_capacity(sizes[index.len()]);
    for i in 1..=sizes[index.len()] {
        index.push(Subscript::Index(crate::frontend::flat::construct::integer_literal(i as i64, span)));
        parts.push(record_array(id, sizes, index, fields, span));
        index.pop();
    }
    let ty = Type::array(Scalar::Record(id), &sizes[index.len()..]);
    Expr { kind: ExprKind::Array(parts), ty, span }
}

/// The type of a value.
pub(super) fn value_type(value: &Value) -> Type {
    let scalar = |v: &Value| match v {
        Value::Real(_) | Value::Array(..) => Scalar::Real,
        Value::Integer(_) => Scalar::Integer,
        Value::Boolean(_) => Scalar::Boolean,
        Value::String(_) => Scalar::String,
        Value::Enumeration(id, _) => Scalar::Enumeration(*id),
        Value::Record(id, _) => Scalar::Record(*id),
    };
    match value {
        Value::Array(dims, elements) => Type::array(elements.first().map_or(Scalar::Real, scalar), dims),
        value => Type::scalar(scalar(value)),
    }
}

/// Constants of the Modelica Standard Library that hand-written models use without defining them.
fn library_constant(name: &str) -> Option<f64> {
    let name = name.strip_prefix("Modelica.Constants.")?;
    Some(match name {
        "pi" => std::f64::consts::PI,
        "e" => std::f64::consts::E,
        "D2R" => std::f64::consts::PI / 180.0,
        "R2D" => 180.0 / std::f64::consts::PI,
        "eps" => f64::EPSILON,
        "c" => 299_792_458.0,
        "g_n" => 9.806_65,
        "G" => 6.674_30e-11,
        "q" => 1.602_176_634e-19,
        "h" => 6.626_070_15e-34,
        "k" => 1.380_649e-23,
        "N_A" => 6.022_140_76e23,
        "R" => 1.380_649e-23 * 6.022_140_76e23,
        "T_zero" => -273.15,
        _ => return None,
    })
}
