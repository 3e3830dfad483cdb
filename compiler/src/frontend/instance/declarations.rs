//! Writes the flat model: declarations of all variables, constants of packages that are used, equations, classes.

use super::functions::made_class;
use super::ids::{Checked, ClassInstId, InstId, MemberId, VariableId};
use super::modification::Mod;
use super::references::quoted;
use super::tree::{Basic, Builtin, Inherited, Instantiation, Locals, State, Variable};
use super::values::Value;
use partita_grammar::Span;
use partita_grammar::ast::{
    self, Argument, Causality, ClassBody, ClassKind, ComponentRef, Element, Expr, ExprKind, Ident, LongBody, Name, RefPart, Section,
    Subscript, TypeKind, TypeSpec, Variability, Visibility,
};
use std::fmt::Write;
use std::rc::Rc;

/// Errors beyond this number are not kept.
const MAX_ERRORS: usize = 20;

impl<'s> Instantiation<'s> {
    /// Makes the model of a class.
    pub(super) fn write(&mut self, class: ClassInstId) -> Checked<ast::Definition> {
        let root = self.instance(None, Rc::from(""), class, Rc::default(), Inherited::default())?;
        self.walk(root);
        // Components that `outer` ones need, which may need further ones.
        while let Some(member) = self.made_inner.pop() {
            match self.elaborate(member) {
                Ok(State::Variable(variable)) => self.out.variables.push(variable),
                Ok(State::Instances { list, .. }) => list.iter().for_each(|inst| self.walk(*inst)),
                Ok(_) => {}
                Err(error) => self.keep(error),
            }
        }
        if !self.reports.errors.is_empty() {
            return self.nothing();
        }
        if let Err(error) = self.connect_all() {
            self.keep(error);
            return self.nothing();
        }
        for inst in self.out.insts.clone() {
            if let Err(error) = self.equations_of(inst) {
                self.keep(error);
            }
        }
        if let Err(error) = self.connection_equations() {
            self.keep(error);
        }
        let mut sections = Vec::new();
        for variable in self.out.variables.clone() {
            match self.declaration(variable) {
                Ok(section) => sections.push((variable, section)),
                Err(error) => self.keep(error),
            }
        }
        let mut constants = Vec::new();
        // Functions name further constants, constants call further functions.
        loop {
            self.write_classes()?;
            let all = self.constant_sections()?;
            let done = all.len() == constants.len() && self.nothing_pending();
            constants = all;
            if done {
                break;
            }
        }
        if !self.reports.errors.is_empty() {
            return self.nothing();
        }
        // Another value of what was evaluated makes another model: it is fixed from here on.
        constants.extend(sections.into_iter().map(|(variable, mut section)| {
            if self.is_structural(variable) || self.variables[variable].prefixes.evaluate {
                evaluated(&mut section);
            }
            section
        }));
        self.definition(class, constants)
    }

    fn is_structural(&self, variable: VariableId) -> bool {
        let Variable { prefixes, value, .. } = &self.variables[variable];
        prefixes.variability == Variability::Parameter && matches!(value, Some(Some(_)))
    }

    fn nothing(&self) -> Checked<ast::Definition> {
        Ok(ast::Definition { dialect: ast::Dialect::Base, within: None, classes: Vec::new() })
    }

    #[expect(clippy::boxed_local, reason = "errors come boxed")]
    pub(super) fn keep(&mut self, error: Box<partita_grammar::Diagnostic>) {
        if self.reports.errors.len() < MAX_ERRORS {
            partita_grammar::add_once(&mut self.reports.errors, *error);
        }
    }

    fn definition(&mut self, class: ClassInstId, declarations: Vec<Section>) -> Checked<ast::Definition> {
        let mut sections = declarations;
        let equations = std::mem::take(&mut self.out.equations);
        let initial = std::mem::take(&mut self.out.initial_equations);
        sections.push(Section::Equations { initial: true, equations: initial });
        sections.push(Section::Equations { initial: false, equations });
        sections.append(&mut self.out.algorithms);
        let syntax = self.class_syntax(class)?;
        let scope = self.class_scope(class);
        let annotations = match &syntax.body {
            ClassBody::Long(body) => body.annotations.clone(),
            _ => Vec::new(),
        };
        let name = quoted(self.class_path(class), Span::default());
        let name = Ident { span: self.place(syntax.name.span, scope), ..name };
        let span = self.place(syntax.span, scope);
        let body = ClassBody::Long(LongBody { sections, annotations, ..LongBody::default() });
        let mut model = made_class(ClassKind::Model, name, body, span);
        model.description.clone_from(&syntax.description);
        let mut classes = std::mem::take(&mut self.functions.classes);
        classes.push(model);
        Ok(ast::Definition { dialect: ast::Dialect::Base, within: None, classes })
    }

    /// Elaborates all components below an instance.
    pub(super) fn walk(&mut self, inst: InstId) {
        let mut stack = vec![inst];
        while let Some(inst) = stack.pop() {
            self.out.insts.push(inst);
            let members: Vec<MemberId> = self.insts[inst].members.values().copied().collect();
            let mut inner = Vec::new();
            for member in members {
                let is_outer = self.members[member].clause.prefixes.outer && !self.members[member].clause.prefixes.inner;
                match self.elaborate(member) {
                    Ok(_) if is_outer => {}
                    Ok(State::Variable(variable)) => self.out.variables.push(variable),
                    Ok(State::Instances { list, .. }) => inner.extend(list.iter().copied()),
                    Ok(_) => {}
                    Err(error) => self.keep(error),
                }
            }
            stack.extend(inner.into_iter().rev());
        }
    }

    fn is_of_package(&self, variable: VariableId) -> bool {
        let mut at = self.members[self.variables[variable].member].inst;
        while let Some(parent) = self.insts[at].parent {
            at = parent;
        }
        self.insts[at].is_package
    }

    /// The value of a constant of a package that is one number, text or literal: it is written in the place of its name, for
    /// records and functions may not refer to what the model declares.
    pub(super) fn scalar_constant(&mut self, variable: VariableId) -> Checked<Option<Value>> {
        // A function that a constant calls may name that constant.
        let Variable { dims, evaluating, .. } = &self.variables[variable];
        if !dims.is_empty() || *evaluating || !self.is_of_package(variable) {
            return Ok(None);
        }
        Ok(self.variable_value(variable)?.filter(|value| !matches!(value, Value::Array(_) | Value::Record(_))))
    }

    /// A constant of a package is declared once it is used.
    pub(super) fn use_constant(&mut self, variable: VariableId) -> Checked<()> {
        if self.is_of_package(variable) && self.out.used.insert(variable) {
            self.out.constants.push(variable);
        }
        Ok(())
    }

    pub(super) fn constant_sections(&mut self) -> Checked<Vec<Section>> {
        let mut made = Vec::new();
        let mut next = 0;
        while let Some(variable) = self.out.constants.get(next).copied() {
            next += 1;
            made.push(self.declaration(variable)?);
        }
        Ok(made)
    }

    /// Attributes as they are written behind a name.
    pub(super) fn attributes(&mut self, said: &Rc<Mod<'s>>) -> Checked<Vec<Argument>> {
        let mut made = Vec::new();
        for (name, child) in &said.children {
            let Some(binding) = &child.value else { continue };
            if matches!(binding.expr.kind, ExprKind::Break) {
                continue;
            }
            let mut value = self.bound(binding, &mut Locals::default())?;
            let is_text = matches!(&**name, "unit" | "displayUnit" | "quantity");
            if (is_text && !matches!(value.kind, ExprKind::String(_)) || &**name == "stateSelect" || &**name == "fixed")
                && let Some(known) = self.binding_value(binding)?
            {
                let known = match known {
                    // Texts describe; where those of the elements differ, or there are none, the array has none.
                    Value::Array(_) if is_text => match one_for_all(&known) {
                        Some(one) => one,
                        None => continue,
                    },
                    known => known,
                };
                value = self.literal(&known, value.span)?;
            }
            let span = value.span;
            made.push(Argument::Modification {
                each: child.each,
                final_: child.final_,
                name: Name { global: false, parts: vec![Ident { text: (&**name).into(), span }], span },
                arguments: None,
                value: Some(value),
                description: None,
                span,
            });
        }
        Ok(made)
    }

    /// The declaration of a variable.
    fn declaration(&mut self, id: VariableId) -> Checked<Section> {
        let (name, basic, member) = (self.variables[id].name.clone(), self.variables[id].basic, self.variables[id].member);
        let (said, prefixes, dims) = (self.variables[id].said.clone(), self.variables[id].prefixes, self.variables[id].dims.clone());
        let scope = self.member_scope(member);
        let component = self.members[member].component;
        let span = self.place(component.name.span, scope);
        let type_name = self.basic_name(basic)?;
        let modification = self.attributes(&said)?;
        let binding = match &said.value {
            Some(value) if !matches!(value.expr.kind, ExprKind::Break) => Some(self.bound(value, &mut Locals::default())?),
            _ => None,
        };
        // Texts do not change while a model runs; some are known only here, from start values or functions.
        let binding = match (basic, prefixes.variability) {
            (Basic::Builtin(Builtin::String), Variability::Parameter | Variability::Constant) => match self.variable_value(id)? {
                Some(value @ Value::String(_)) => Some(self.literal(&value, span)?),
                _ => binding,
            },
            _ => binding,
        };
        let number = |n: usize| Subscript::Index(Expr { kind: ExprKind::Integer(n as i64), span });
        let dims = dims.into_iter().map(|d| d.map_or(Subscript::All(span), number)).collect();
        let is_top = self.insts[self.members[member].inst].name.is_empty() && !self.members[member].protected;
        let made = ast::Component {
            name: ComponentRef { global: false, parts: vec![RefPart { name: quoted(&name, span), subscripts: Vec::new() }], span },
            dims,
            modification,
            binding,
            condition: None,
            description: component.description.clone(),
            annotation: kept_annotation(component.annotation.as_ref()),
            span,
        };
        let prefixes = ast::ComponentPrefixes {
            final_: prefixes.final_ || said.final_,
            variability: prefixes.variability,
            causality: if is_top && prefixes.variability == Variability::None { prefixes.causality } else { Causality::None },
            protected: prefixes.protected,
            ..ast::ComponentPrefixes::default()
        };
        let visibility = if prefixes.protected { Visibility::Protected } else { Visibility::Public };
        let name = Name { global: false, parts: vec![Ident { span, ..type_name }], span };
        let type_spec = TypeSpec { kind: TypeKind::Named(name), dims: Vec::new(), span };
        let prefixes = ast::ComponentPrefixes { protected: false, ..prefixes };
        let clause = ast::ComponentClause { prefixes, type_spec, components: vec![made], constraint: None, span };
        Ok(Section::Elements { visibility, elements: vec![Element::Components(clause)] })
    }

    /// The text of `dump --pass instance`.
    pub(super) fn print_tree(&self) -> String {
        let mut out = String::new();
        for inst in &self.out.insts {
            let entry = &self.insts[*inst];
            let name = if entry.name.is_empty() { "model" } else { &entry.name };
            let _ = writeln!(out, "{name} : {}", self.class_path(entry.class));
            for (name, member) in &entry.members {
                match &self.members[*member].state {
                    State::Absent => {
                        let _ = writeln!(out, "  {name} absent");
                    }
                    State::Variable(variable) => {
                        let variable = &self.variables[*variable];
                        let dims = crate::frontend::flat::dims_text(&variable.dims);
                        let known = match &variable.value {
                            Some(Some(value)) => format!(" structural {}", value_text(value)),
                            _ => String::new(),
                        };
                        let _ = writeln!(out, "  {name}{dims}{known}");
                    }
                    _ => {}
                }
            }
        }
        out
    }
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Integer(i) => i.to_string(),
        Value::Real(r) => r.to_string(),
        Value::Boolean(b) => b.to_string(),
        Value::String(s) => format!("\"{s}\""),
        Value::Enumeration(_, _, literal) => literal.to_string(),
        Value::Array(list) => format!("{{{}}}", list.iter().map(value_text).collect::<Vec<_>>().join(", ")),
        Value::Record(fields) => {
            format!("({})", fields.iter().map(|(n, v)| format!("{n} = {}", value_text(v))).collect::<Vec<_>>().join(", "))
        }
    }
}

/// The value that all elements of an array have.
fn one_for_all(value: &Value) -> Option<Value> {
    let mut leaves = Vec::new();
    value.leaves(&mut leaves);
    let (first, rest) = leaves.split_first()?;
    rest.iter().all(|leaf| leaf == first).then(|| (*first).clone())
}

/// Adds `Evaluate = true`.
fn evaluated(section: &mut Section) {
    let Section::Elements { elements, .. } = section else { return };
    let [Element::Components(clause)] = elements.as_mut_slice() else { return };
    for component in &mut clause.components {
        let span = component.span;
        let annotation = component.annotation.get_or_insert(ast::Annotation { arguments: Vec::new(), span });
        annotation
            .arguments
            .retain(|a| !matches!(a, Argument::Modification { name, .. } if name.parts.iter().any(|p| p.text == "Evaluate")));
        annotation.arguments.push(Argument::Modification {
            each: false,
            final_: false,
            name: Name { global: false, parts: vec![Ident { text: "Evaluate".into(), span }], span },
            arguments: None,
            value: Some(Expr { kind: ExprKind::Boolean(true), span }),
            description: None,
            span,
        });
    }
}

/// Of annotations of components only these two mean something here.
fn kept_annotation(annotation: Option<&ast::Annotation>) -> Option<ast::Annotation> {
    let annotation = annotation?;
    let kept = |a: &&Argument| matches!(a, Argument::Modification { name, .. } if matches!(name.parts.as_slice(), [p] if p.text == "Evaluate" || p.text == "HideResult"));
    let arguments: Vec<Argument> = annotation.arguments.iter().filter(kept).cloned().collect();
    (!arguments.is_empty()).then_some(ast::Annotation { arguments, span: annotation.span })
}
