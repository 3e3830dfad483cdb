//! Resolves type names and compares types.
//!
//! Input: type specifications of declarations. Output: element types with what their aliases add (dimensions and
//! attribute layers), record, enumeration and external object types of the model.
//!
//! A record type that `omc` does not print in its flat form is taken from the record's constructor function when that
//! is printed; an external object class is known by its `constructor` function.
//! Guarantee: a type is entered in the model once, at its first use, so the tables are in order of use.

use super::eval::literal;
use super::lookup::{self, ClassEntry, nearest};
use super::names::name_text;
use super::{Checked, Flattener, Scope};
use crate::frontend::flat::dims_text;
use crate::frontend::flat::{EnumId, EnumType, Expr, ExprKind, Field, RecordId, RecordType, Scalar, Type, Value};
use partita_grammar::ast::{self, Argument, Class, ClassBody, ClassKind, Element, EnumLiteral, Section, Subscript, TypeKind, TypeSpec};
use partita_grammar::{Diagnostic, Span};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A dimension as written and the class path it is to be read in.
pub(super) type DimSource<'a> = (&'a Subscript, Rc<str>);

/// An element type and what the aliases on the way to it add.
#[derive(Clone)]
pub(super) struct Resolved<'a> {
    pub(super) scalar: Scalar,
    /// Dimensions of aliases, to be appended to those of the declaration.
    pub(super) dims: Vec<DimSource<'a>>,
    /// Modifications of aliases; later layers win.
    pub(super) layers: Vec<&'a [Argument]>,
}

impl Resolved<'_> {
    fn plain(scalar: Scalar) -> Self {
        Resolved { scalar, dims: Vec::new(), layers: Vec::new() }
    }
}

/// A field of a record class as written.
#[derive(Clone)]
pub(super) struct FieldSource<'a> {
    pub(super) name: &'a str,
    pub(super) resolved: Resolved<'a>,
    pub(super) dims: Vec<DimSource<'a>>,
    pub(super) component: &'a ast::Component,
    pub(super) context: Rc<str>,
    pub(super) variability: ast::Variability,
}

/// How far aliases of types are followed.
const MAX_ALIASES: usize = 100;

impl<'a> Flattener<'a> {
    /// The element type of a specification; its own dimensions are not looked at.
    pub(super) fn resolve_type(&mut self, spec: &'a TypeSpec, context: &Rc<str>) -> Checked<Resolved<'a>> {
        match &spec.kind {
            TypeKind::Enumeration(literals) => {
                let literals = self.literals(literals);
                Ok(Resolved::plain(Scalar::Enumeration(self.inline_enum(literals))))
            }
            TypeKind::Named(name) => {
                if let [part] = name.parts.as_slice()
                    && let Some(scalar) = basic_type(&part.text)
                {
                    return Ok(Resolved::plain(scalar));
                }
                self.resolve_named(&name_text(name), name.span, context)
            }
        }
    }

    pub(super) fn resolve_named(&mut self, name: &str, span: Span, context: &Rc<str>) -> Checked<Resolved<'a>> {
        let mut dims = Vec::new();
        // Innermost alias last while walking; reversed at the end so that the base comes first.
        let mut layers: Vec<&'a [Argument]> = Vec::new();
        let mut name = name.to_owned();
        let mut context = context.clone();
        for _ in 0..MAX_ALIASES {
            if let Some(scalar) = self.predefined_type(&name) {
                layers.reverse();
                return Ok(Resolved { scalar, dims, layers });
            }
            let Some(entry) = self.classes.find(&name, &context).cloned() else {
                let scalar = self.type_without_class(&name, span, &context)?;
                layers.reverse();
                return Ok(Resolved { scalar, dims, layers });
            };
            match &entry.class.body {
                ClassBody::Short { base, modification, .. } => {
                    layers.push(modification);
                    dims.extend(base.dims.iter().map(|d| (d, entry.enclosing.clone())));
                    context = entry.enclosing.clone();
                    match &base.kind {
                        TypeKind::Enumeration(literals) => {
                            let literals = self.literals(literals);
                            let scalar = Scalar::Enumeration(self.named_enum(&entry.path, literals));
                            layers.reverse();
                            return Ok(Resolved { scalar, dims, layers });
                        }
                        TypeKind::Named(base) => {
                            if let [part] = base.parts.as_slice()
                                && let Some(scalar) = basic_type(&part.text)
                            {
                                layers.reverse();
                                return Ok(Resolved { scalar, dims, layers });
                            }
                            name = name_text(base);
                        }
                    }
                }
                _ => {
                    let scalar = self.class_type(&entry, span)?;
                    layers.reverse();
                    return Ok(Resolved { scalar, dims, layers });
                }
            }
        }
        Err(self.error(Diagnostic::error("F015", format!("the type `{name}` is defined by itself")).at(span, "")))
    }

    /// The names of the literals of an enumeration.
    fn literals(&mut self, literals: &'a [EnumLiteral]) -> Vec<String> {
        let mut first: FxHashMap<&str, Span> = FxHashMap::default();
        for literal in literals {
            let name = literal.name.unquoted();
            if let Some(first) = first.insert(name, literal.name.span) {
                self.error(
                    Diagnostic::error("F004", format!("the literal `{name}` is declared twice"))
                        .at(literal.name.span, "second declaration")
                        .at(first, "first declaration"),
                );
            }
        }
        literals.iter().map(|l| l.name.unquoted().to_owned()).collect()
    }

    /// The type that a class other than an alias defines.
    fn class_type(&mut self, entry: &ClassEntry<'a>, span: Span) -> Checked<Scalar> {
        let class = entry.class;
        match &class.body {
            ClassBody::Enumeration { literals: Some(literals), .. } => {
                let literals = self.literals(literals);
                Ok(Scalar::Enumeration(self.named_enum(&entry.path, literals)))
            }
            ClassBody::Enumeration { literals: None, .. } => {
                Err(self.error(Diagnostic::error("F010", format!("`{}` is an enumeration without literals", entry.path)).at(span, "")))
            }
            _ if lookup::is_external_object(class) => self.object_id(&entry.path, span).map(Scalar::Object),
            _ => match class.kind {
                ClassKind::Record | ClassKind::OperatorRecord => self.record_id(entry, span).map(Scalar::Record),
                ClassKind::Function if is_record_constructor(class) => self.record_id(entry, span).map(Scalar::Record),
                kind => {
                    let word = kind.word();
                    Err(self.error(
                        Diagnostic::error("F007", format!("`{}` is a {word}, not a type of a flat variable", entry.path))
                            .at(span, format!("a component of a {word} needs a hierarchical front end"))
                            .at(class.name.span, "defined here")
                            .with_hint("flatten the model first, for example with OpenModelica's instantiateModel or --baseModelica"),
                    ))
                }
            },
        }
    }

    fn predefined_type(&mut self, name: &str) -> Option<Scalar> {
        let literals: &[&str] = match name {
            "StateSelect" => &["never", "avoid", "default", "prefer", "always"],
            "AssertionLevel" => &["warning", "error"],
            _ => return None,
        };
        let literals = literals.iter().map(|s| (*s).to_owned()).collect();
        Some(Scalar::Enumeration(self.named_enum(name, literals)))
    }

    /// Types that are known only by functions of the file: external objects of omc's flat form; otherwise an error.
    fn type_without_class(&mut self, name: &str, span: Span, context: &str) -> Checked<Scalar> {
        if self.classes.find(&format!("{name}.constructor"), context).is_some() {
            return self.object_id(name, span).map(Scalar::Object);
        }
        if let Some(id) = self.types.enum_prefixes.get(name) {
            return Ok(Scalar::Enumeration(*id));
        }
        if name == "Clock" {
            return Err(self.error(Diagnostic::error("F009", "clocks are not supported").at(span, "a clock variable")));
        }
        if self.dialect == ast::Dialect::OmcFlat {
            return Err(self.error(
                Diagnostic::error("F024", format!("the definition of `{name}` is not in the file"))
                    .at(span, "used here")
                    .with_hint("omc's flat form leaves record definitions out; its Base Modelica form (--baseModelica) has them"),
            ));
        }
        let mut error = Diagnostic::error("F005", format!("unknown type `{name}`")).at(span, "");
        let basic = ["Real", "Integer", "Boolean", "String"];
        let near = nearest(name, basic.into_iter().chain(self.classes.paths())).map(str::to_owned);
        if let Some(near) = near {
            error = error.with_hint(format!("did you mean `{near}`?"));
        } else if name.contains('.') {
            let hint = "types of libraries are not read; write the type as it is defined, for example `Real t(unit = \"s\")`, \
                        or flatten the model with another tool first";
            error = error.with_hint(hint);
        }
        Err(self.error(error))
    }

    pub(super) fn inline_enum(&mut self, literals: Vec<String>) -> EnumId {
        if let Some(id) = self.types.inline_enums.get(&literals) {
            return *id;
        }
        let id = self.model.enums.push(EnumType { name: String::new(), literals: literals.clone() });
        self.types.inline_enums.insert(literals, id);
        id
    }

    pub(super) fn named_enum(&mut self, name: &str, literals: Vec<String>) -> EnumId {
        if let Some(id) = self.types.enum_ids.get(name) {
            return *id;
        }
        let id = self.model.enums.push(EnumType { name: name.to_owned(), literals });
        self.types.enum_ids.insert(name.to_owned(), id);
        id
    }

    /// The enumeration type of a name, if it is one.
    pub(super) fn enum_type(&mut self, name: &str, context: &Rc<str>) -> Option<EnumId> {
        if let Some(id) = self.types.enum_ids.get(name) {
            return Some(*id);
        }
        if let Some(Scalar::Enumeration(id)) = self.predefined_type(name) {
            return Some(id);
        }
        let entry = self.classes.find(name, context).cloned()?;
        let is_enum = match &entry.class.body {
            ClassBody::Enumeration { .. } => true,
            ClassBody::Short { base, .. } => {
                matches!(&base.kind, TypeKind::Enumeration(_))
                    || matches!(&base.kind, TypeKind::Named(n) if n.parts.len() > 1 || basic_type(&n.parts[0].text).is_none())
            }
            _ => false,
        };
        if !is_enum {
            return None;
        }
        let span = entry.class.name.span;
        match self.resolve_named(name, span, context) {
            Ok(Resolved { scalar: Scalar::Enumeration(id), .. }) => Some(id),
            _ => None,
        }
    }

    /// The record type of a record class (or of a record constructor function).
    pub(super) fn record_id(&mut self, entry: &ClassEntry<'a>, span: Span) -> Checked<RecordId> {
        if let Some(known) = self.types.record_ids.get(&*entry.path) {
            return *known;
        }
        // A record that contains itself finds this mark.
        let circle = Diagnostic::error("F015", format!("the record `{}` contains itself", entry.path)).at(entry.class.name.span, "");
        if self.types.records_open.iter().any(|open| **open == *entry.path) {
            return Err(self.error(circle));
        }
        self.types.records_open.push(entry.path.to_string());
        let built = self.build_record(entry, span);
        self.types.records_open.pop();
        // A failure whose message is thrown away must fail again, with a message, when it matters.
        if built.is_ok() || self.speculative == 0 {
            self.types.record_ids.insert(entry.path.to_string(), built);
        }
        built
    }

    fn build_record(&mut self, entry: &ClassEntry<'a>, span: Span) -> Checked<RecordId> {
        let mut sources = Vec::new();
        self.collect_fields(entry, span, &mut sources, 0)?;
        let mut fields: Vec<Field> = Vec::new();
        for source in &sources {
            let mut scope = Scope::new(source.context.clone(), None);
            scope.closed = true;
            let mut ty = Type::scalar(source.resolved.scalar);
            let all_dims: Vec<DimSource<'a>> = source.dims.iter().chain(&source.resolved.dims).cloned().collect();
            for (dim, _) in &all_dims {
                // A size that depends on other fields is open in the type and known for each variable.
                let size = self.speculate(|f| f.known_dimension(dim, &mut scope)).ok().flatten();
                ty.dims.push(size);
            }
            let default = source.component.binding.as_ref().and_then(|binding| {
                self.speculate(|f| {
                    let value = f.expr(binding, &mut scope, Some(&ty))?;
                    let value = f.fit(value, &ty, "the default of the field")?;
                    // A value is closed; an expression with loop variables would belong to this scope.
                    match f.eval_if_possible(&value) {
                        Some(known) if !matches!(ty.scalar, Scalar::Record(_)) => Ok(literal(known, &value.ty, value.span)),
                        _ if scope.locals.is_empty() => Ok(value),
                        _ => Err(super::Reported),
                    }
                })
                .ok()
            });
            fields.push(Field { name: source.name.to_owned(), ty, default });
        }
        let name = entry.path.to_string();
        let id = self.model.records.push(RecordType { name, fields });
        self.types.record_sources.insert(id, Rc::new(sources));
        Ok(id)
    }

    fn collect_fields(&mut self, entry: &ClassEntry<'a>, span: Span, sources: &mut Vec<FieldSource<'a>>, depth: usize) -> Checked<()> {
        let ClassBody::Long(body) = &entry.class.body else {
            return Err(self.error(Diagnostic::error("F005", format!("`{}` is not a record", entry.path)).at(span, "")));
        };
        let constructor = entry.class.kind == ClassKind::Function;
        for section in &body.sections {
            let Section::Elements { elements, .. } = section else { continue };
            for element in elements {
                match element {
                    Element::Components(clause) => {
                        if constructor && clause.prefixes.causality != ast::Causality::Input {
                            continue;
                        }
                        let resolved = self.resolve_type(&clause.type_spec, &entry.path)?;
                        for component in &clause.components {
                            let Some(part) = component.name.parts.first() else { continue };
                            let dims = component.dims.iter().chain(&part.subscripts).chain(&clause.type_spec.dims);
                            let dims = dims.map(|d| (d, entry.path.clone())).collect();
                            let name = part.name.unquoted();
                            if sources.iter().any(|s| s.name == name) {
                                return Err(self.error(
                                    Diagnostic::error("F004", format!("the field `{name}` is declared twice")).at(component.name.span, ""),
                                ));
                            }
                            let variability = if constructor { ast::Variability::None } else { clause.prefixes.variability };
                            sources.push(FieldSource {
                                name,
                                resolved: resolved.clone(),
                                dims,
                                component,
                                context: entry.path.clone(),
                                variability,
                            });
                        }
                    }
                    Element::Extends { name, span, .. } if depth < MAX_ALIASES => {
                        let text = name_text(name);
                        let Some(base) = self.classes.find(&text, &entry.path).cloned() else {
                            return Err(self.error(Diagnostic::error("F005", format!("unknown base class `{text}`")).at(*span, "")));
                        };
                        self.collect_fields(&base, *span, sources, depth + 1)?;
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Runs something whose errors are not to be reported.
    pub(super) fn speculate<T>(&mut self, run: impl FnOnce(&mut Self) -> Checked<T>) -> Checked<T> {
        let (n_diagnostics, n_warnings) = (self.reports.diagnostics.len(), self.reports.warnings.len());
        self.speculative += 1;
        let result = run(self);
        self.speculative -= 1;
        self.reports.diagnostics.truncate(n_diagnostics);
        self.reports.warnings.truncate(n_warnings);
        result
    }

    /// The words for an element type.
    pub(super) fn scalar_text(&self, scalar: Scalar) -> String {
        match scalar {
            Scalar::Real => "Real".to_owned(),
            Scalar::Integer => "Integer".to_owned(),
            Scalar::Boolean => "Boolean".to_owned(),
            Scalar::String => "String".to_owned(),
            Scalar::Enumeration(id) => {
                let ty = &self.model.enums[id];
                if ty.name.is_empty() { format!("enumeration({})", ty.literals.join(", ")) } else { ty.name.clone() }
            }
            Scalar::Record(id) => self.model.records[id].name.clone(),
            Scalar::Object(id) => self.model.objects[id].name.clone(),
        }
    }

    /// The words for a type: `Real[3, :]`.
    pub(super) fn type_text(&self, ty: &Type) -> String {
        format!("{}{}", self.scalar_text(ty.scalar), dims_text(&ty.dims))
    }

    /// Whether two element types are the same; enumerations written in place are compared by their literals.
    pub(super) fn same_scalar(&self, a: Scalar, b: Scalar) -> bool {
        match (a, b) {
            (Scalar::Enumeration(a), Scalar::Enumeration(b)) => a == b || self.model.enums[a].literals == self.model.enums[b].literals,
            (Scalar::Record(a), Scalar::Record(b)) => a == b || self.same_fields(a, b),
            _ => a == b,
        }
    }

    /// Records of different names with equal fields are one type in Modelica. Exporters write one per instance path.
    fn same_fields(&self, a: RecordId, b: RecordId) -> bool {
        let (a, b) = (&self.model.records[a].fields, &self.model.records[b].fields);
        a.len() == b.len()
            && a.iter()
                .zip(b)
                .all(|(a, b)| a.name == b.name && shapes_agree(&a.ty.dims, &b.ty.dims) && self.same_scalar(a.ty.scalar, b.ty.scalar))
    }

    /// The expression as a value of the type: Integer becomes Real, anything else must be equal already.
    pub(super) fn fit(&mut self, expr: Expr, ty: &Type, what: &str) -> Checked<Expr> {
        let expr = self.fit_scalar(expr, ty, what)?;
        if expr.ty.dims.len() != ty.dims.len() || !shapes_agree(&expr.ty.dims, &ty.dims) {
            let (has, needs) = (self.type_text(&expr.ty), self.type_text(ty));
            return Err(self.error(
                Diagnostic::error("F012", format!("{what} must have the type {needs}, this has {has}"))
                    .at(expr.span, format!("has the type {has}")),
            ));
        }
        Ok(expr)
    }

    /// Like `fit` for the element type only.
    pub(super) fn fit_scalar(&mut self, expr: Expr, ty: &Type, what: &str) -> Checked<Expr> {
        if self.same_scalar(expr.ty.scalar, ty.scalar) {
            return Ok(retyped(expr, ty.scalar));
        }
        if expr.ty.scalar == Scalar::Integer && ty.scalar == Scalar::Real {
            return Ok(to_real(expr));
        }
        let (has, needs) = (self.type_text(&expr.ty), self.type_text(ty));
        let mut error = Diagnostic::error("F011", format!("{what} must be {needs}, this is {has}")).at(expr.span, format!("is {has}"));
        if expr.ty.scalar == Scalar::Boolean && matches!(ty.scalar, Scalar::Real | Scalar::Integer) {
            error = error.with_hint("Modelica has no conversion from Boolean to numbers; write `if b then 1 else 0`");
        } else if expr.ty.scalar == Scalar::Real && ty.scalar == Scalar::Integer {
            error = error.with_hint("`integer(x)` rounds down to an Integer");
        }
        Err(self.error(error))
    }
}

/// The four basic types.
pub(super) fn basic_type(name: &str) -> Option<Scalar> {
    match name {
        "Real" => Some(Scalar::Real),
        "Integer" => Some(Scalar::Integer),
        "Boolean" => Some(Scalar::Boolean),
        "String" => Some(Scalar::String),
        _ => None,
    }
}

/// omc prints `function P.R ... output R res; end P.R` for the constructor of record `P.R`.
pub(super) fn is_record_constructor(class: &Class) -> bool {
    let ClassBody::Long(body) = &class.body else { return false };
    if body.external.is_some() || body.sections.iter().any(|s| matches!(s, Section::Algorithm { .. })) {
        return false;
    }
    let name = name_text(&class.name);
    let last = class.name.parts.last().map_or("", |p| p.unquoted());
    body.sections.iter().any(|section| {
        let Section::Elements { elements, .. } = section else { return false };
        elements.iter().any(|e| {
            let Element::Components(clause) = e else { return false };
            clause.prefixes.causality == ast::Causality::Output
                && matches!(&clause.type_spec.kind, TypeKind::Named(n) if { let text = name_text(n); text == name || text == last })
        })
    })
}

/// Equal number of dimensions, equal where both are known.
pub(super) fn shapes_agree(a: &[Option<usize>], b: &[Option<usize>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_none() || b.is_none() || a == b)
}

/// The known sizes of both.
pub(super) fn merged_dims(a: &[Option<usize>], b: &[Option<usize>]) -> Vec<Option<usize>> {
    a.iter().zip(b).map(|(a, b)| a.or(*b)).collect()
}

/// Gives an expression an equal element type under another name.
fn retyped(mut expr: Expr, scalar: Scalar) -> Expr {
    if expr.ty.scalar != scalar {
        expr.ty.scalar = scalar;
        if let (ExprKind::Literal(Value::Enumeration(id, _)), Scalar::Enumeration(to)) = (&mut expr.kind, scalar) {
            *id = to;
        }
    }
    expr
}

/// The expression converted to Real. Literals are converted at once.
pub(super) fn to_real(expr: Expr) -> Expr {
    if expr.ty.scalar == Scalar::Real {
        return expr;
    }
    let ty = Type { scalar: Scalar::Real, dims: expr.ty.dims.clone() };
    let span = expr.span;
    match expr.kind {
        // One that is no double is refused later, where it is used.
        ExprKind::Literal(Value::Integer(i)) if i as f64 as i128 == i128::from(i) => {
            Expr { kind: ExprKind::Literal(Value::Real(i as f64)), ty, span }
        }
        ExprKind::Array(elements) => Expr { kind: ExprKind::Array(elements.into_iter().map(to_real).collect()), ty, span },
        kind => Expr { kind: ExprKind::ToReal(Box::new(Expr { kind, ty: expr.ty, span })), ty, span },
    }
}
