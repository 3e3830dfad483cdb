//! Lists the components of the model and enters their names.
//!
//! Input: the model class, its base classes and the constants of packages. Output: declarations in order, one variable
//! per declaration or, for records, one per field at any depth (`p.a`), and the equation and algorithm sections.
//!
//! Sizes, bindings and attributes are not looked at here: `parameters` does that in the order of dependence.
//! An array of records becomes arrays of its fields: `R p[2]` with `Real a[3]` is the variable `p.a` of size `[2, 3]`.

use super::lookup::{self, ClassEntry};
use super::names::name_text;
use super::names::plain_text;
use super::references::declared_text;
use super::types::{DimSource, Resolved};
use super::{Checked, Flattener, NamedEntry, Scope};
use crate::base::budget;
use crate::frontend::flat::{Attributes, Causality, Scalar, Type, VarId, Variability, Variable};
use partita_grammar::ast::{self, Argument, Class, ClassBody, Dialect, Element, ExprKind as Syntax, Visibility};
use partita_grammar::{Diagnostic, Span};
use std::rc::Rc;

/// A declared component.
pub(super) struct Declaration<'a> {
    /// Full unquoted name.
    pub(super) name: Rc<str>,
    pub(super) component: &'a ast::Component,
    /// Class path to read its expressions in.
    pub(super) context: Rc<str>,
    pub(super) scalar: Scalar,
    /// Dimensions after the name, on the type, and of the type's aliases.
    pub(super) dims: Vec<DimSource<'a>>,
    /// The value that an `extends` clause gives, which wins over the written one.
    pub(super) outer_binding: Option<&'a ast::Expr>,
    pub(super) leaves: Vec<Leaf<'a>>,
}

impl<'a> Declaration<'a> {
    /// The binding that counts.
    pub(super) fn binding(&self) -> Option<&'a ast::Expr> {
        self.outer_binding.or(self.component.binding.as_ref())
    }
}

/// A variable of a declaration: the declaration itself, or a field of a record.
#[derive(Clone)]
pub(super) struct Leaf<'a> {
    pub(super) var: VarId,
    /// Positions of the fields on the way, empty for a plain variable.
    pub(super) path: Vec<usize>,
    /// Dimensions that the fields add.
    pub(super) dims: Vec<DimSource<'a>>,
    /// Attribute modifications; later layers win.
    pub(super) layers: Vec<&'a [Argument]>,
    /// A value given to this field alone: by a modification, or the record's default.
    pub(super) binding: Option<FieldBinding<'a>>,
}

/// A value for one field.
#[derive(Clone)]
pub(super) struct FieldBinding<'a> {
    pub(super) value: &'a ast::Expr,
    pub(super) context: Rc<str>,
    /// A default of the record class gives way to the binding of the whole record.
    pub(super) is_default: bool,
}

/// A section of the model.
pub(super) enum Section<'a> {
    Equations { initial: bool, equations: &'a [ast::Equation], context: Rc<str> },
    Algorithm { initial: bool, statements: &'a [ast::Statement], span: Span, context: Rc<str> },
}

/// Extends clauses inside extends clauses.
const MAX_BASES: usize = 50;
/// What a variable or record costs, among the operations of `budget`.
const OPERATIONS_PER_NAME: u64 = 40;

impl<'a> Flattener<'a> {
    /// Enters all components of the model.
    pub(super) fn declare(&mut self, class: &'a Class) {
        for (path, clause) in std::mem::take(&mut self.classes.package_components) {
            if clause.prefixes.variability == ast::Variability::Constant {
                self.declare_clause(clause, &path, &path, false, &[]);
            }
        }
        let path = self.path_of(class);
        let enclosing: Rc<str> = Rc::from(path.rfind('.').map_or("", |dot| &path[..dot]));
        self.scope = Some(Scope::new(path.clone(), None));
        // A failure is in the diagnostics already.
        let _ = self.declare_class(&ClassEntry { class, enclosing, path, from_library: false }, &[], 0);
    }

    fn declare_class(&mut self, entry: &ClassEntry<'a>, outer: &[&'a [Argument]], depth: usize) -> Checked<()> {
        let ClassBody::Long(body) = &entry.class.body else {
            let span = entry.class.name.span;
            return Err(self.error(
                Diagnostic::error("F010", format!("`{}` is a short class definition", entry.path))
                    .at(span, "there is nothing to simulate in it"),
            ));
        };
        for section in &body.sections {
            match section {
                ast::Section::Elements { visibility, elements } => {
                    for element in elements {
                        self.declare_element(element, entry, *visibility == Visibility::Protected, outer, depth);
                    }
                }
                ast::Section::Equations { initial, equations } => {
                    self.declared.sections.push(Section::Equations { initial: *initial, equations, context: entry.path.clone() });
                }
                ast::Section::Algorithm { initial, statements, span } => {
                    self.declared.sections.push(Section::Algorithm {
                        initial: *initial,
                        statements,
                        span: *span,
                        context: entry.path.clone(),
                    });
                }
                ast::Section::ParameterEquation(equation) => {
                    self.error(Diagnostic::error("F010", "`parameter equation` is not supported").at(equation.span, ""));
                }
            }
        }
        Ok(())
    }

    fn declare_element(&mut self, element: &'a Element, entry: &ClassEntry<'a>, protected: bool, outer: &[&'a [Argument]], depth: usize) {
        match element {
            Element::Components(clause) => self.declare_clause(clause, "", &entry.path, protected, outer),
            Element::Extends { name, modification, span, .. } => {
                let text = name_text(name);
                let found = self.classes.find(&text, &entry.path).filter(|b| !std::ptr::eq(b.class, entry.class)).cloned();
                match found {
                    Some(base) if depth < MAX_BASES => {
                        let mut layers: Vec<&'a [Argument]> = vec![modification];
                        layers.extend(outer);
                        // A failure is in the diagnostics already.
                        let _ = self.declare_class(&base, &layers, depth + 1);
                    }
                    Some(_) => {
                        self.error(Diagnostic::error("F015", format!("`{text}` extends itself")).at(*span, ""));
                    }
                    None => {
                        let mut error =
                            Diagnostic::error("F005", format!("unknown base class `{text}`")).at(*span, "not defined in the file");
                        if let Some(near) = lookup::nearest(&text, self.classes.paths()) {
                            error = error.with_hint(format!("did you mean `{near}`?"));
                        }
                        self.error(error);
                    }
                }
            }
            Element::Import(_) | Element::Class(_) => {}
        }
    }

    fn declare_clause(
        &mut self,
        clause: &'a ast::ComponentClause,
        prefix: &str,
        context: &Rc<str>,
        protected: bool,
        outer: &[&'a [Argument]],
    ) {
        if clause.prefixes.outer {
            self.error(Diagnostic::error("F007", "an `outer` component needs a hierarchical front end").at(clause.span, ""));
            return;
        }
        let Ok(resolved) = self.resolve_component_type(clause, context) else {
            self.declared.refused.extend(clause.components.iter().map(|component| plain_text(&component.name)));
            return;
        };
        for component in &clause.components {
            // A failure is in the diagnostics already; the other components are still declared.
            if self.declare_component(clause, component, prefix, context, protected, outer, &resolved).is_err() {
                self.declared.refused.insert(plain_text(&component.name));
            }
        }
    }

    fn resolve_component_type(&mut self, clause: &'a ast::ComponentClause, context: &Rc<str>) -> Checked<Resolved<'a>> {
        let n_errors = self.reports.diagnostics.len();
        let resolved = self.resolve_type(&clause.type_spec, context);
        // The message about the type should name the components that cannot be had.
        if let (Err(_), Some(error)) = (&resolved, self.reports.diagnostics.get_mut(n_errors)) {
            let names: Vec<String> = clause.components.iter().map(|c| plain_text(&c.name)).collect();
            error.notes.push(format!("declared: {}", lookup::list(&names)));
        }
        resolved
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one declaration")]
    fn declare_component(
        &mut self,
        clause: &'a ast::ComponentClause,
        component: &'a ast::Component,
        prefix: &str,
        context: &Rc<str>,
        protected: bool,
        outer: &[&'a [Argument]],
        resolved: &Resolved<'a>,
    ) -> Checked<()> {
        let text = if self.dialect == Dialect::OmcFlat { declared_text(&component.name) } else { Some(plain_text(&component.name)) };
        let Some(mut name) = text else {
            return Err(self.error(Diagnostic::error("F021", "subscripts in a declared name must be numbers").at(component.name.span, "")));
        };
        if !prefix.is_empty() {
            name = format!("{prefix}.{name}");
        }
        if !self.is_there(component, &name)? {
            return Ok(());
        }
        if let Some(first) = self.declared.declaration_of.get(name.as_str()) {
            let first = self.declared.declarations[*first].component.name.span;
            return Err(self.error(
                Diagnostic::error("F004", format!("`{name}` is declared twice"))
                    .at(component.name.span, "second declaration")
                    .at(first, "first declaration"),
            ));
        }
        let mut dims: Vec<DimSource<'a>> = component.dims.iter().chain(&clause.type_spec.dims).map(|d| (d, context.clone())).collect();
        dims.extend(resolved.dims.iter().cloned());
        let mut layers: Vec<&'a [Argument]> = resolved.layers.clone();
        layers.push(&component.modification);
        let mut outer_binding = None;
        for mods in outer {
            for argument in *mods {
                let Argument::Modification { name: modified, arguments, value, .. } = argument else { continue };
                if modified.parts.len() == 1
                    && component.name.parts.len() == 1
                    && modified.parts[0].unquoted() == component.name.parts[0].name.unquoted()
                {
                    layers.extend(arguments.as_deref());
                    outer_binding = value.as_ref().or(outer_binding);
                }
            }
        }
        if let Scalar::Enumeration(id) = resolved.scalar {
            let values = layers.iter().flat_map(|l| l.iter()).filter_map(|a| match a {
                Argument::Modification { value, .. } => value.as_ref(),
                _ => None,
            });
            let values: Vec<&ast::Expr> = values.chain(component.binding.as_ref()).collect();
            for value in values {
                self.learn_enum_prefix(id, value);
            }
        }
        let template = template(clause, component, protected, resolved.scalar);
        let name: Rc<str> = name.into();
        let mut leaves = Vec::with_capacity(1);
        let start = Leaf { var: VarId::from_u32(0), path: Vec::new(), dims: Vec::new(), layers, binding: None };
        self.declare_leaves(&name, resolved.scalar, start, &template, clause.prefixes.variability, &mut leaves, 0)?;
        self.declared.declaration_of.insert(name.clone(), self.declared.declarations.len());
        self.declared.declarations.push(Declaration {
            name,
            component,
            context: context.clone(),
            scalar: resolved.scalar,
            dims,
            outer_binding,
            leaves,
        });
        Ok(())
    }

    /// Whether the condition of a component holds.
    fn is_there(&mut self, component: &ast::Component, name: &str) -> Checked<bool> {
        let Some(condition) = &component.condition else { return Ok(true) };
        match &condition.kind {
            Syntax::Boolean(holds) => Ok(*holds),
            _ => {
                Err(self
                    .error(Diagnostic::error("F010", format!("`{name}` is a conditional component")).at(condition.span, "not supported")))
            }
        }
    }

    /// Makes the variables of a declaration. Depth is the nesting of records.
    #[expect(clippy::too_many_arguments, reason = "one recursive walk with its whole state")]
    fn declare_leaves(
        &mut self,
        name: &Rc<str>,
        scalar: Scalar,
        leaf: Leaf<'a>,
        template: &Variable,
        prefix: ast::Variability,
        leaves: &mut Vec<Leaf<'a>>,
        depth: usize,
    ) -> Checked<()> {
        budget::at(template.span);
        budget::spend(OPERATIONS_PER_NAME);
        let Scalar::Record(id) = scalar else {
            let var = self.model.vars.push(Variable {
                name: name.to_string(),
                ty: Type::scalar(scalar),
                variability: variability_of(prefix, scalar),
                ..template.clone()
            });
            self.declared.names.insert(name.clone(), NamedEntry::Var(var));
            leaves.push(Leaf { var, ..leaf });
            return Ok(());
        };
        self.declared.names.insert(name.clone(), NamedEntry::Record(id, Vec::new()));
        let Some(sources) = self.types.record_sources.get(&id).cloned() else {
            return Err(self.error(Diagnostic::error("F024", format!("the record of `{name}` is not defined")).at(template.span, "")));
        };
        if depth > MAX_BASES {
            return Err(
                self.error(Diagnostic::error("F015", format!("the records of `{name}` are nested too deeply")).at(template.span, ""))
            );
        }
        for (position, source) in sources.iter().enumerate() {
            let mut layers: Vec<&'a [Argument]> = source.resolved.layers.clone();
            layers.push(&source.component.modification);
            let mut binding =
                source.component.binding.as_ref().map(|value| FieldBinding { value, context: source.context.clone(), is_default: true });
            for argument in leaf.layers.iter().flat_map(|l| l.iter()) {
                let Argument::Modification { name: modified, arguments, value, .. } = argument else { continue };
                if modified.parts.len() == 1 && modified.parts[0].unquoted() == source.name {
                    layers.extend(arguments.as_deref());
                    if let Some(value) = value {
                        binding = Some(FieldBinding { value, context: self.scope_context(), is_default: false });
                    }
                }
            }
            let mut path = leaf.path.clone();
            path.push(position);
            let mut dims = leaf.dims.clone();
            dims.extend(source.dims.iter().chain(&source.resolved.dims).cloned());
            let field = Leaf { var: leaf.var, path, dims, layers, binding };
            let mut inner = template.clone();
            if let Some(description) = &source.component.description {
                inner.description = description.parts.concat();
            }
            let prefix = if prefix == ast::Variability::None { source.variability } else { prefix };
            self.declare_leaves(
                &format!("{name}.{}", source.name).into(),
                source.resolved.scalar,
                field,
                &inner,
                prefix,
                leaves,
                depth + 1,
            )?;
        }
        Ok(())
    }

    pub(super) fn scope_context(&self) -> Rc<str> {
        self.scope.as_ref().map_or_else(|| Rc::from(""), |s| s.context.clone())
    }
}

/// The variability of a variable; discrete types are discrete without a prefix.
fn variability_of(prefix: ast::Variability, scalar: Scalar) -> Variability {
    match (prefix, scalar) {
        (ast::Variability::Constant, _) => Variability::Constant,
        (ast::Variability::Parameter, _) | (ast::Variability::None, Scalar::Object(_)) => Variability::Parameter,
        (ast::Variability::Discrete, _) => Variability::Discrete,
        (ast::Variability::None, Scalar::Real | Scalar::Record(_)) => Variability::Continuous,
        (ast::Variability::None, _) => Variability::Discrete,
    }
}

/// `annotation(Evaluate = true)`.
fn evaluates(annotation: &ast::Annotation) -> bool {
    annotation.arguments.iter().any(|a| {
        matches!(a, Argument::Modification { name, value: Some(value), .. }
            if name_text(name) == "Evaluate" && matches!(value.kind, Syntax::Boolean(true)))
    })
}

/// What the variables of a declaration have in common.
fn template(clause: &ast::ComponentClause, component: &ast::Component, protected: bool, scalar: Scalar) -> Variable {
    let variability = variability_of(clause.prefixes.variability, scalar);
    Variable {
        name: String::new(),
        ty: Type::scalar(scalar),
        variability,
        causality: match clause.prefixes.causality {
            ast::Causality::None => Causality::Local,
            ast::Causality::Input => Causality::Input,
            ast::Causality::Output => Causality::Output,
        },
        protected: protected || clause.prefixes.protected,
        final_: clause.prefixes.final_,
        evaluate: component.annotation.as_ref().is_some_and(evaluates),
        attributes: Attributes::default(),
        binding: None,
        value: None,
        evaluated: None,
        description: component.description.as_ref().map(|d| d.parts.concat()).unwrap_or_default(),
        span: component.name.span,
    }
}
