//! Types the attributes of variables and reads the class annotations.
//!
//! Input: the modification layers of a variable, alias types first. Output: `flat::Attributes`; `fixed`, `stateSelect`
//! and the texts are evaluated, the others stay expressions.
//! An attribute of an array is a scalar for all elements or has the array's size.

use super::declare::Leaf;
use super::eval::literal;
use super::lookup::nearest;
use super::names::name_text;
use super::types::shapes_agree;
use super::{Checked, Flattener, Scope};
use crate::frontend::flat::{Attributes, Builtin, Experiment, Expr, ExprKind, Scalar, StateSelect, Type, Value};
use partita_grammar::ast::{self, Argument, Class, ClassBody};
use partita_grammar::{Diagnostic, Span};

const NAMES: &[&str] = &["quantity", "unit", "displayUnit", "min", "max", "start", "fixed", "nominal", "stateSelect"];
/// Those of Real only, and of numbers only.
const NOT_OF_TEXTS: &[&str] = &["unit", "displayUnit", "min", "max", "nominal", "stateSelect"];
/// Attributes that mean nothing for a simulation.
const IGNORED: &[&str] = &["unbounded", "uncertain", "distribution"];

/// What is written for one attribute.
#[derive(Copy, Clone)]
pub(super) struct Written<'a> {
    pub(super) value: &'a ast::Expr,
    each: bool,
}

/// The last value that the layers give to an attribute.
pub(super) fn written<'a>(layers: &[&'a [Argument]], attribute: &str) -> Option<Written<'a>> {
    let arguments = layers.iter().rev().flat_map(|l| l.iter().rev());
    for argument in arguments {
        if let Argument::Modification { name, value: Some(value), each, .. } = argument
            && name.parts.len() == 1
            && name.parts[0].text == attribute
        {
            return Some(Written { value, each: *each });
        }
    }
    None
}

/// Whether a layer says that an attribute cannot be changed.
pub(super) fn is_final(layers: &[&[Argument]], attribute: &str) -> bool {
    let mut arguments = layers.iter().flat_map(|l| l.iter());
    arguments.any(|argument| matches!(argument, Argument::Modification { name, value: Some(_), final_: true, .. } if name.parts.len() == 1 && name.parts[0].text == attribute))
}

/// The one element that all elements of a value equal.
fn uniform(value: &Value) -> Option<&Value> {
    match value {
        Value::Array(_, elements) => {
            let first = elements.first()?;
            elements.iter().all(|e| e == first).then_some(first)
        }
        scalar => Some(scalar),
    }
}

impl<'a> Flattener<'a> {
    /// All attributes of a variable.
    pub(super) fn attributes(&mut self, leaf: &Leaf<'a>, scope: &mut Scope<'a>) -> Attributes {
        let mut attributes = Attributes::default();
        let ty = self.model.vars[leaf.var].ty.clone();
        attributes.start = self.start_attribute(leaf, &ty, scope).ok().flatten().map(Box::new);
        if leaf.layers.iter().all(|l| l.is_empty()) {
            return attributes;
        }
        self.check_names(leaf);
        self.check_repetitions(leaf);
        let scalar = ty.scalar;
        let typed = |f: &mut Self, name: &str, scope: &mut Scope<'a>| -> Option<Box<Expr>> {
            let written = written(&leaf.layers, name)?;
            f.attribute(name, written, &ty, scalar, scope).ok().map(Box::new)
        };
        if !matches!(scalar, Scalar::String | Scalar::Object(_)) {
            attributes.min = typed(self, "min", scope);
            attributes.max = typed(self, "max", scope);
            attributes.nominal = typed(self, "nominal", scope);
        }
        if let Some(written) = written(&leaf.layers, "fixed") {
            attributes.fixed = self.fixed_attribute(written, &ty, scope).ok().map(Box::new);
        }
        if let Some(written) = written(&leaf.layers, "stateSelect")
            && let Ok(choice) = self.state_select(written, scope)
        {
            attributes.state_select = choice;
        }
        attributes.unit = self.text_attribute(leaf, "unit", scope);
        attributes.display_unit = self.text_attribute(leaf, "displayUnit", scope);
        attributes.quantity = self.text_attribute(leaf, "quantity", scope);
        attributes
    }

    fn check_names(&mut self, leaf: &Leaf<'a>) {
        let scalar = self.model.vars[leaf.var].ty.scalar;
        let has_no_numbers = matches!(scalar, Scalar::Boolean | Scalar::String);
        for argument in leaf.layers.iter().flat_map(|l| l.iter()) {
            match argument {
                Argument::Modification { name, span, .. } => {
                    let known = |n: &str| (NAMES.contains(&n) && !(has_no_numbers && NOT_OF_TEXTS.contains(&n))) || IGNORED.contains(&n);
                    if matches!(name.parts.as_slice(), [part] if known(&part.text)) {
                        continue;
                    }
                    let text = name_text(name);
                    let variable = self.model.vars[leaf.var].name.clone();
                    let mut error = Diagnostic::error("F023", format!("`{variable}` has no attribute `{text}`")).at(*span, "");
                    if NAMES.contains(&text.as_str()) {
                        error = error.with_note(format!("it is {}", self.scalar_text(scalar)));
                    } else if let Some(near) = nearest(&text, NAMES.iter().copied()) {
                        error = error.with_hint(format!("did you mean `{near}`?"));
                    }
                    self.error(error);
                }
                Argument::Redeclaration { span, .. } | Argument::Break { span, .. } => {
                    self.error(
                        Diagnostic::error("F023", "`redeclare` and `break` need a hierarchical front end")
                            .at(*span, "on a variable of a basic type"),
                    );
                }
            }
        }
    }

    /// An attribute is written once in one list of modifications.
    fn check_repetitions(&mut self, leaf: &Leaf<'a>) {
        for layer in &leaf.layers {
            for (i, argument) in layer.iter().enumerate() {
                let Argument::Modification { name, span, value: Some(_), .. } = argument else { continue };
                let text = name_text(name);
                let earlier = layer[..i].iter().find_map(|a| match a {
                    Argument::Modification { name, span, value: Some(_), .. } if name_text(name) == text => Some(*span),
                    _ => None,
                });
                if let Some(earlier) = earlier {
                    let variable = self.model.vars[leaf.var].name.clone();
                    self.error(
                        Diagnostic::error("F023", format!("the attribute `{text}` of `{variable}` is written twice"))
                            .at(*span, "")
                            .at(earlier, "first here"),
                    );
                }
            }
        }
    }

    /// An attribute as a scalar, or with the size of the variable.
    pub(super) fn attribute(
        &mut self,
        name: &str,
        written: Written<'a>,
        ty: &Type,
        scalar: Scalar,
        scope: &mut Scope<'a>,
    ) -> Checked<Expr> {
        let target = Type { scalar, dims: ty.dims.clone() };
        let value = self.expr(written.value, scope, Some(&target))?;
        let what = format!("the attribute `{name}`");
        let value = self.fit_scalar(value, &Type::scalar(scalar), &what)?;
        if value.ty.is_scalar() || shapes_agree(&value.ty.dims, &ty.dims) {
            return Ok(value);
        }
        // `each` on an array of records: the value goes with every record.
        let extra = ty.dims.len().checked_sub(value.ty.dims.len()).filter(|n| shapes_agree(&value.ty.dims, &ty.dims[*n..]));
        if let (true, Some(extra)) = (written.each, extra) {
            let span = value.span;
            let sizes = ty.dims[..extra].iter().map(|d| crate::frontend::flat::construct::integer_literal(d.unwrap_or(0) as i64, span));
            let arguments = std::iter::once(value).chain(sizes).collect();
            return Ok(Expr { kind: ExprKind::Builtin(Builtin::Fill, arguments), ty: target, span });
        }
        let (has, needs) = (self.type_text(&value.ty), self.type_text(&target));
        Err(self.error(Diagnostic::error("F012", format!("{what} must be a scalar or {needs}")).at(value.span, format!("is {has}"))))
    }

    /// `fixed` as literals.
    pub(super) fn fixed_attribute(&mut self, written: Written<'a>, ty: &Type, scope: &mut Scope<'a>) -> Checked<Expr> {
        let value = self.attribute("fixed", written, ty, Scalar::Boolean, scope)?;
        match self.try_eval(&value)? {
            Some(known) => {
                let ty = value.ty.clone();
                Ok(literal(known, &ty, value.span))
            }
            None => Err(self.not_known("the attribute `fixed`", value.span)),
        }
    }

    pub(super) fn not_known(&mut self, what: &str, span: Span) -> super::Reported {
        self.error(Diagnostic::error("F020", format!("{what} must be known at compile time")).at(span, "depends on something that is not"))
    }

    fn state_select(&mut self, written: Written<'a>, scope: &mut Scope<'a>) -> Checked<StateSelect> {
        let expected = self.enum_type("StateSelect", &scope.context).map(|id| Type::scalar(Scalar::Enumeration(id)));
        let value = self.expr(written.value, scope, expected.as_ref())?;
        let known = self.try_eval(&value)?;
        match known.as_ref().and_then(uniform) {
            Some(Value::Enumeration(id, literal)) => {
                let name = self.model.enums[*id].literals.get(*literal as usize - 1).map(String::as_str);
                match name {
                    Some("never") => return Ok(StateSelect::Never),
                    Some("avoid") => return Ok(StateSelect::Avoid),
                    Some("default") => return Ok(StateSelect::Default),
                    Some("prefer") => return Ok(StateSelect::Prefer),
                    Some("always") => return Ok(StateSelect::Always),
                    _ => {}
                }
                Err(self.error(Diagnostic::error("F023", "`stateSelect` needs a literal of `StateSelect`").at(value.span, "")))
            }
            _ => Err(self.not_known("the attribute `stateSelect`", value.span)),
        }
    }

    /// A text for all elements; different texts for the elements of an array are not kept.
    fn text_attribute(&mut self, leaf: &Leaf<'a>, name: &str, scope: &mut Scope<'a>) -> Option<String> {
        let written = written(&leaf.layers, name)?;
        if let ast::ExprKind::String(text) = &written.value.kind {
            return Some(text.clone());
        }
        let value = self.expr(written.value, scope, None).ok()?;
        if value.ty.scalar != Scalar::String {
            let text = self.type_text(&value.ty);
            self.error(Diagnostic::error("F011", format!("the attribute `{name}` must be a String")).at(value.span, format!("is {text}")));
            return None;
        }
        match self.try_eval(&value).ok()?.as_ref().and_then(uniform) {
            Some(Value::String(text)) => Some(text.clone()),
            _ => None,
        }
    }

    /// Description and experiment of the class.
    pub(super) fn finish_class(&mut self, class: &'a Class) {
        self.model.description = class.description.as_ref().map(|d| d.parts.concat()).unwrap_or_default();
        let ClassBody::Long(body) = &class.body else { return };
        for annotation in &body.annotations {
            for argument in &annotation.arguments {
                let Argument::Modification { name, arguments: Some(arguments), .. } = argument else { continue };
                if name_text(name) == "experiment" {
                    self.experiment(arguments);
                }
            }
        }
        if let Some(scope) = self.scope.take() {
            self.model.loop_vars = scope.locals;
        }
    }

    fn experiment(&mut self, arguments: &'a [Argument]) {
        let Some(mut scope) = self.scope.take() else { return };
        let mut experiment = Experiment::default();
        for argument in arguments {
            let Argument::Modification { name, value: Some(value), .. } = argument else { continue };
            let place = match name_text(name).as_str() {
                "StartTime" => &mut experiment.start_time,
                "StopTime" => &mut experiment.stop_time,
                "Tolerance" => &mut experiment.tolerance,
                "Interval" => &mut experiment.interval,
                "NumberOfIntervals" => &mut experiment.number_of_intervals,
                _ => continue,
            };
            let number = self.expr(value, &mut scope, None).and_then(|e| {
                let e = self.fit(e, &Type::scalar(Scalar::Real), "an experiment setting")?;
                self.try_eval(&e)
            });
            match number {
                Ok(Some(Value::Real(x))) => *place = Some(x),
                Ok(_) => {
                    self.not_known("an experiment setting", value.span);
                }
                Err(_) => {}
            }
        }
        self.model.experiment = experiment;
        self.scope = Some(scope);
    }
}
