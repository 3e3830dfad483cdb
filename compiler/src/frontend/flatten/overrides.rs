//! Values that the user gives for parameters and start values, put in the place of what the text says.
//!
//! Input: the declared variables and the given values as text. Output: typed values by variable, which `parameters` and `attributes` take
//! instead of bindings and start values, before anything is evaluated: whatever follows from them follows. A value for a parameter takes
//! the place of its binding; one for another variable, or for a parameter that the start determines, is its start value.
//! Refused with the reason: unknown names, constants, what is `final`, values of another type.
//! Cost: linear in the model if anything is given, nothing otherwise.

use super::attributes::{is_final, written};
use super::declare::Leaf;
use super::eval::{literal, stacked};
use super::parameters::{has_references, repeated};
use super::types::shapes_agree;
use super::{Checked, Flattener, NamedEntry, Scope};
use crate::frontend::flat::{Expr, ExprKind, Scalar, Subscript, Type, Value, VarId, Variability};
use partita_grammar::ast::ExprKind as Syntax;
use partita_grammar::{Diagnostic, Span};
use partita_runtime::exec::near_names;
use partita_runtime::model::overrides::{self, Override};
use rustc_hash::FxHashMap;

/// A value for a variable, or for the element at these subscripts, counted from 1.
struct GivenElement {
    at: Vec<usize>,
    value: Value,
}

/// Given values by variable, in the order in which they were given.
#[derive(Default)]
pub(super) struct Given {
    values: FxHashMap<VarId, Vec<GivenElement>>,
    starts: FxHashMap<VarId, Vec<GivenElement>>,
}

/// What a name means.
enum Meant {
    Variable { var: VarId, at: Vec<usize>, start: bool },
    Record(String),
}

/// A declared variable as the checks see it.
struct Target {
    var: VarId,
    at: Vec<usize>,
    /// The start value is meant, because the name says so or because there is nothing else to set.
    start: bool,
    n_dims: usize,
    /// The text gives it a value that refers to something else.
    follows: bool,
}

/// The last group of subscripts of a name: the name without it, and the numbers.
fn without_subscripts(name: &str) -> Option<(String, Vec<usize>)> {
    let open = name.rfind('[')?;
    let close = open + name[open..].find(']')?;
    let (_, numbers) = overrides::subscripts(&name[..=close])?;
    Some((format!("{}{}", &name[..open], &name[close + 1..]), numbers))
}

/// A scalar for all elements of a variable as an array of its own.
fn spread(value: Expr, ty: &Type) -> Expr {
    if value.ty.is_scalar() { repeated(value, &ty.dims) } else { value }
}

/// One element of an array expression; of one that is written out it is what is written.
fn element(array: &Expr, at: &[usize]) -> Expr {
    let Some((first, rest)) = at.split_first() else { return array.clone() };
    if let ExprKind::Array(elements) = &array.kind
        && let Some(inner) = elements.get(first - 1)
    {
        return element(inner, rest);
    }
    let (scalar, span) = (array.ty.scalar, array.span);
    let index = |i: &usize| Subscript::Index(crate::frontend::flat::construct::integer_literal(*i as i64, span));
    Expr { kind: ExprKind::Index(Box::new(array.clone()), at.iter().map(index).collect()), ty: Type::scalar(scalar), span }
}

impl<'a> Flattener<'a> {
    /// Finds what the names mean and what the values are; what is wrong with them is reported.
    pub(super) fn take_overrides(&mut self, overrides: &[Override]) {
        if overrides.is_empty() {
            return;
        }
        let places: FxHashMap<VarId, (usize, usize)> = self
            .declared
            .declarations
            .iter()
            .enumerate()
            .flat_map(|(d, declaration)| declaration.leaves.iter().enumerate().map(move |(l, leaf)| (leaf.var, (d, l))))
            .collect();
        for given in overrides {
            if let Err(diagnostic) = self.take_override(given, &places) {
                self.error(*diagnostic);
            }
        }
    }

    fn take_override(&mut self, given: &Override, places: &FxHashMap<VarId, (usize, usize)>) -> Result<(), Box<Diagnostic>> {
        let (var, at, start) = match self.meant(&given.name) {
            Some(Meant::Variable { var, at, start }) => (var, at, start),
            Some(Meant::Record(name)) => return Err(self.is_a_record(&name)),
            None => return Err(self.unknown_override(&given.name)),
        };
        let Some((declaration, leaf)) = places.get(&var) else { return Err(self.unknown_override(&given.name)) };
        let target = self.target(var, at, start, *declaration, *leaf)?;
        let value = self.given_value(&target, &given.value)?;
        self.say_what_is_replaced(&target, start, &given.value);
        let parts = if target.start { &mut self.values.given.starts } else { &mut self.values.given.values };
        let parts = parts.entry(var).or_default();
        // What was given before for the same place, or for a part of it, no longer counts.
        parts.retain(|part| !target.at.is_empty() && part.at != target.at);
        parts.push(GivenElement { at: target.at, value });
        Ok(())
    }

    /// The variable of a name, with subscripts that are not part of the declared name, and perhaps its start value.
    fn meant(&self, name: &str) -> Option<Meant> {
        self.meant_variable(name, false).or_else(|| self.meant_variable(name.strip_suffix(".start")?, true))
    }

    fn meant_variable(&self, name: &str, start: bool) -> Option<Meant> {
        let (mut base, mut at) = (name.to_string(), Vec::new());
        loop {
            match self.declared.names.get(base.as_str()) {
                Some(NamedEntry::Var(var)) => return Some(Meant::Variable { var: *var, at, start }),
                Some(NamedEntry::Record(..)) => return Some(Meant::Record(base)),
                None => {}
            }
            let (shorter, mut numbers) = without_subscripts(&base)?;
            numbers.append(&mut at);
            (base, at) = (shorter, numbers);
        }
    }

    fn refused(&self, var: VarId, title: String, label: &str) -> Box<Diagnostic> {
        Box::new(Diagnostic::error("F037", title).at(self.model.vars[var].span, label))
    }

    fn unknown_override(&self, name: &str) -> Box<Diagnostic> {
        let mut error = Diagnostic::error("F037", format!("the model has no parameter or variable `{name}`"));
        let attribute = name.rsplit_once('.').filter(|(base, _)| self.meant_variable(base, false).is_some());
        if let Some((base, attribute)) = attribute {
            error = error.with_note(format!("of `{base}` its value or its `start` can be set, not `{attribute}`"));
        }
        let flag = match name {
            "startTime" => Some("--start-time"),
            "stopTime" => Some("--stop-time"),
            "stepSize" => Some("--interval"),
            "tolerance" => Some("--tolerance"),
            "solver" => Some("--solver"),
            "outputFormat" => Some("--output"),
            "variableFilter" => Some("--filter"),
            _ => None,
        };
        if let Some(flag) = flag {
            return Box::new(error.with_hint(format!("`run` has `{flag}` for it")));
        }
        let variables = || self.model.vars.values();
        let parameters = variables().filter(|v| v.variability == Variability::Parameter && !v.final_).map(|v| v.name.as_str());
        let mut near = near_names(parameters, name);
        if near.is_empty() {
            near = near_names(variables().map(|v| v.name.as_str()), name);
        }
        if !near.is_empty() {
            error = error.with_hint(format!("similar: {}", near.join(", ")));
        }
        Box::new(error)
    }

    fn is_a_record(&self, name: &str) -> Box<Diagnostic> {
        let prefix = format!("{name}.");
        let fields: Vec<&str> = self.model.vars.values().map(|v| v.name.as_str()).filter(|v| v.starts_with(&prefix)).take(5).collect();
        Box::new(
            Diagnostic::error("F037", format!("`{name}` is a record; its fields are set one by one"))
                .with_hint(format!("for instance {}", fields.join(", "))),
        )
    }

    /// Checks that a variable can be set.
    fn target(&self, var: VarId, at: Vec<usize>, start: bool, declaration: usize, leaf: usize) -> Result<Target, Box<Diagnostic>> {
        let declaration = &self.declared.declarations[declaration];
        let leaf = &declaration.leaves[leaf];
        let variable = &self.model.vars[var];
        let name = &variable.name;
        if variable.variability == Variability::Constant {
            return Err(self.refused(var, format!("`{name}` is a constant; it has the same value in every run"), "declared `constant`"));
        }
        if variable.final_ {
            return Err(self.refused(var, format!("`{name}` is final; its value cannot be changed from outside"), "declared `final`"));
        }
        if matches!(variable.ty.scalar, Scalar::Object(_)) {
            return Err(self.refused(var, format!("`{name}` is an external object, which has no value that could be set"), ""));
        }
        let n_dims = declaration.dims.len() + leaf.dims.len();
        if !at.is_empty() && at.len() != n_dims || at.contains(&0) {
            let title = match n_dims {
                1 => format!("`{name}` has 1 dimension: its subscript is one number from 1 on"),
                n => format!("`{name}` has {n} dimensions: its subscripts are {n} numbers from 1 on"),
            };
            return Err(self.refused(var, if n_dims == 0 { format!("`{name}` is a scalar; it has no elements") } else { title }, ""));
        }
        let bindings = [leaf.binding.as_ref().map(|binding| binding.value), declaration.binding()];
        let is_bound = bindings.iter().any(Option::is_some);
        let is_parameter = variable.variability == Variability::Parameter;
        let is_free = written(&leaf.layers, "fixed").is_some_and(|fixed| matches!(fixed.value.kind, Syntax::Boolean(false)));
        if start && is_parameter && is_bound && !is_free {
            let error =
                Diagnostic::error("F037", format!("the start value of `{name}` has no effect: it has a value")).at(variable.span, "");
            return Err(Box::new(error.with_hint(format!("set `{name}` itself"))));
        }
        let start = start || !is_parameter || (is_free && !is_bound);
        if start && is_final(&leaf.layers, "start") {
            return Err(self.refused(
                var,
                format!("the start value of `{name}` is final; it cannot be changed from outside"),
                "declared `final start`",
            ));
        }
        let follows = bindings.into_iter().flatten().any(has_references);
        Ok(Target { var, at, start, n_dims, follows })
    }

    /// A note where a value does other than most users expect.
    fn say_what_is_replaced(&mut self, target: &Target, said_start: bool, text: &str) {
        let variable = &self.model.vars[target.var];
        let name = &variable.name;
        let is_parameter = variable.variability == Variability::Parameter;
        let title = match (target.start, is_parameter) {
            (false, _) if target.follows => format!("the binding of `{name}` is replaced by {text}"),
            (true, true) if !said_start => format!("`{name}` is computed at the start; {text} is where the search for it begins"),
            (true, false) if target.follows => {
                format!("`{name}` follows from its equation; {text} is only where the search for its value at the start begins")
            }
            _ => return,
        };
        let label = if target.start { "" } else { "no longer follows from other parameters" };
        let note = Diagnostic::note("F036", title).at(variable.span, label);
        self.warn(note);
    }

    /// The value that a text means.
    fn given_value(&self, target: &Target, text: &str) -> Result<Value, Box<Diagnostic>> {
        let variable = &self.model.vars[target.var];
        let n_dims = if target.at.is_empty() { target.n_dims } else { 0 };
        let value = self
            .typed_text(variable.ty.scalar, text)
            .map_err(|reason| self.refused(target.var, format!("`{}` cannot be {text}: {reason}", variable.name), ""))?;
        let has = match &value {
            Value::Array(dims, _) => dims.len(),
            _ => 0,
        };
        if has == n_dims || (has == 0 && target.start) {
            return Ok(value);
        }
        let wanted = match n_dims {
            0 => "a scalar; it takes one value".to_string(),
            1 => format!("an array; give all elements, `{}={{a,b}}`, or one, `{}[1]=a`", variable.name, variable.name),
            _ => format!("an array of {n_dims} dimensions; give all elements, row by row in braces, or one of them"),
        };
        Err(self.refused(target.var, format!("`{}` is {wanted}", variable.name), ""))
    }

    fn typed_text(&self, scalar: Scalar, text: &str) -> Result<Value, String> {
        if let Some(elements) = overrides::elements(text) {
            let parts = elements.into_iter().map(|element| self.typed_text(scalar, element)).collect::<Result<Vec<Value>, String>>()?;
            return stacked(parts, None).ok_or_else(|| "its rows have different lengths".to_string());
        }
        match scalar {
            Scalar::Real => overrides::real(text).map(Value::Real).ok_or_else(|| "it is a Real, which takes a finite number".to_string()),
            Scalar::Integer => {
                overrides::integer(text).map(Value::Integer).ok_or_else(|| "it is an Integer, which takes a whole number".to_string())
            }
            Scalar::Boolean => {
                overrides::boolean(text).map(Value::Boolean).ok_or_else(|| "it is a Boolean, which takes true or false".to_string())
            }
            Scalar::String => Ok(Value::String(overrides::string(text))),
            Scalar::Enumeration(id) => {
                let literals = &self.model.enums[id].literals;
                // `Mode.fast`, `fast` and the position are the same.
                let word = text.rsplit('.').next().unwrap_or(text).trim_matches('\'');
                let named = literals.iter().position(|literal| literal == word);
                let numbered =
                    overrides::integer(text).and_then(|n| usize::try_from(n).ok()?.checked_sub(1)).filter(|n| *n < literals.len());
                let position = named.or(numbered).ok_or_else(|| format!("it is one of {}", literals.join(", ")))?;
                Ok(Value::Enumeration(id, position as u32 + 1))
            }
            Scalar::Record(_) | Scalar::Object(_) => Err("it has no value that could be written".to_string()),
        }
    }

    /// Whether the whole value of a parameter was given.
    pub(super) fn is_given(&self, var: VarId) -> bool {
        self.values.given.values.get(&var).is_some_and(|parts| parts.iter().any(|part| part.at.is_empty()))
    }

    /// The given value of a whole parameter.
    pub(super) fn given_whole(&self, var: VarId) -> Option<Expr> {
        self.whole(self.values.given.values.get(&var)?, var)
    }

    fn whole(&self, parts: &[GivenElement], var: VarId) -> Option<Expr> {
        let part = parts.iter().find(|part| part.at.is_empty())?;
        let variable = &self.model.vars[var];
        Some(literal(part.value.clone(), &Type::scalar(variable.ty.scalar), variable.span))
    }

    /// A binding with the elements that were given. The others keep what the text says, by its binding or start value.
    pub(super) fn with_given_elements(&mut self, leaf: &Leaf<'a>, binding: Option<Expr>, scope: &mut Scope<'a>) -> Checked<Option<Expr>> {
        let Some(parts) = self.values.given.values.remove(&leaf.var) else { return Ok(binding) };
        if parts.iter().all(|part| part.at.is_empty()) {
            return Ok(binding);
        }
        let ty = self.model.vars[leaf.var].ty.clone();
        let base = match binding {
            Some(binding) => Some(binding),
            None => self.start_attribute(leaf, &ty, scope)?.map(|start| spread(start, &ty)),
        };
        self.replaced(leaf.var, base.as_ref(), &ty, &parts).map(Some)
    }

    /// The start value as it was given or is written.
    pub(super) fn start_attribute(&mut self, leaf: &Leaf<'a>, ty: &Type, scope: &mut Scope<'a>) -> Checked<Option<Expr>> {
        let parts = self.values.given.starts.remove(&leaf.var);
        let whole = parts.as_ref().and_then(|parts| self.whole(parts, leaf.var));
        let start = match (whole, written(&leaf.layers, "start")) {
            (Some(given), _) if given.ty.is_scalar() || shapes_agree(&given.ty.dims, &ty.dims) => Some(given),
            (Some(given), _) => {
                let what = format!("the start value of `{}`", self.model.vars[leaf.var].name);
                return self.fit(given, ty, &what).map(Some);
            }
            (None, Some(start)) => Some(self.attribute("start", start, ty, ty.scalar, scope)?),
            (None, None) => None,
        };
        let Some(parts) = parts else { return Ok(start) };
        let is_open = ty.dims.iter().any(Option::is_none);
        let result = if is_open || parts.iter().all(|part| part.at.is_empty()) {
            Ok(start)
        } else {
            let start = start.unwrap_or_else(|| zero(ty.scalar, self.model.vars[leaf.var].span));
            self.replaced(leaf.var, Some(&spread(start, ty)), ty, &parts).map(Some)
        };
        self.values.given.starts.insert(leaf.var, parts);
        result
    }

    /// An array with some elements replaced.
    fn replaced(&mut self, var: VarId, base: Option<&Expr>, ty: &Type, parts: &[GivenElement]) -> Checked<Expr> {
        let (name, span) = (self.model.vars[var].name.clone(), self.model.vars[var].span);
        let outside = |part: &&GivenElement| part.at.iter().zip(&ty.dims).any(|(i, size)| size.is_some_and(|size| *i > size));
        if let Some(part) = parts.iter().find(outside) {
            let sizes: Vec<usize> = ty.dims.iter().flatten().copied().collect();
            let title = format!("there is no `{name}[{}]`: `{name}` has the size [{}]", numbers(&part.at), numbers(&sizes));
            return Err(self.error(Diagnostic::error("F037", title).at(span, "")));
        }
        let given: FxHashMap<&[usize], &Value> = parts.iter().map(|part| (part.at.as_slice(), &part.value)).collect();
        unrolled(base, ty, &mut Vec::new(), &given, span).ok_or_else(|| {
            self.error(
                Diagnostic::error("F037", format!("the other elements of `{name}` have no value"))
                    .at(span, "")
                    .with_hint(format!("give all of them: `{name}={{a,b}}`")),
            )
        })
    }
}

/// All elements of an array below the subscripts `at`, those that were given in the place of those of `base`.
fn unrolled(base: Option<&Expr>, ty: &Type, at: &mut Vec<usize>, given: &FxHashMap<&[usize], &Value>, span: Span) -> Option<Expr> {
    let Some(size) = ty.dims.get(at.len()) else {
        let value = given.get(at.as_slice()).map(|value| literal((*value).clone(), &Type::scalar(ty.scalar), span));
        return value.or_else(|| base.map(|base| element(base, at)));
    };
    let own = Type { scalar: ty.scalar, dims: ty.dims[at.len()..].to_vec() };
    let elements = (1..=size.unwrap_or(0)).map(|i| {
        at.push(i);
        let value = unrolled(base, ty, at, given, span);
        at.pop();
        value
    });
    Some(Expr { kind: ExprKind::Array(elements.collect::<Option<Vec<_>>>()?), ty: own, span })
}

fn numbers(list: &[usize]) -> String {
    list.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
}

/// What a variable without a start value starts at.
pub(super) fn zero(scalar: Scalar, span: Span) -> Expr {
    let value = match scalar {
        Scalar::Integer => Value::Integer(0),
        Scalar::Boolean => Value::Boolean(false),
        Scalar::String => Value::String(String::new()),
        Scalar::Enumeration(id) => Value::Enumeration(id, 1),
        Scalar::Real | Scalar::Record(_) | Scalar::Object(_) => Value::Real(0.0),
    };
    Expr { kind: ExprKind::Literal(value), ty: Type::scalar(scalar), span }
}
