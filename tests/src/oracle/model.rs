//! A model made ready: parameters have their values, variables their sizes, equations stand as a list of work.

use super::classes::{Classes, Declared, declarations, sections};
use super::expressions::{Scope, plain_name};
use super::value::{Scalar, Value};
use super::walk;
use super::work::{Work, assigned, when_targets};
use super::{Evaluated, Fault, Watch, failed, unsupported};
use partita_grammar::ast::*;
use std::collections::{BTreeSet, HashMap};

/// A model and the classes beside it.
pub struct Model<'a> {
    pub(super) classes: Classes<'a>,
    pub(super) class: &'a Class,
}

/// A variable that is no parameter.
pub(super) struct Variable {
    pub name: String,
    /// Sizes and fields, without values.
    pub blank: Value,
    /// The value before the first event.
    pub start: Value,
    /// Changes at events only.
    pub discrete: bool,
    /// The name of its derivative, if that is in the model.
    pub derivative: Option<String>,
}

impl<'a> Model<'a> {
    /// The last model of a file.
    pub fn of(definition: &'a Definition) -> Evaluated<Model<'a>> {
        let is_model = |class: &&Class| matches!(class.kind, ClassKind::Model | ClassKind::Block | ClassKind::Class);
        let Some(class) = definition.classes.iter().rev().find(is_model) else { return unsupported("a file without a model") };
        Ok(Model { classes: Classes::of(definition), class })
    }

    /// The scope with all parameters and constants.
    pub(super) fn parameters<'m>(&'m self, watch: &'m Watch) -> Evaluated<Scope<'m>> {
        let mut scope = Scope::new(&self.classes, watch);
        let declared = declarations(self.class);
        let is_fixed = |d: &&Declared| matches!(d.clause.prefixes.variability, Variability::Constant | Variability::Parameter);
        let mut waiting: Vec<&Declared> = declared.iter().filter(is_fixed).collect();
        for parameter in &waiting {
            scope.values.insert(parameter.name.clone(), Value::Unknown);
        }
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut still = Vec::new();
            for parameter in waiting {
                match parameter_value(&mut scope, parameter) {
                    Err(Fault::Unknown(_)) => still.push(parameter),
                    other => other?,
                }
            }
            waiting = still;
            if waiting.len() == before {
                return failed("parameters that depend on each other in a circle");
            }
        }
        Ok(scope)
    }

    /// The variables in the order of their declarations, and the scope made ready for their types.
    pub(super) fn variables(&self, scope: &mut Scope) -> Evaluated<Vec<Variable>> {
        let (states, assigned) = (self.states(), self.assigned_in_when());
        let mut variables = Vec::new();
        for declared in declarations(self.class) {
            if matches!(declared.clause.prefixes.variability, Variability::Constant | Variability::Parameter) {
                continue;
            }
            let scalar = self.classes.scalar(&declared.clause.type_spec)?;
            let dims = variable_dims(scope, &declared)?;
            let blank = Value::filled(&self.classes.blank(&scalar)?, &dims);
            let start = start_value(scope, &declared, &scalar, &dims)?;
            let derivative = states.contains(&declared.name).then(|| format!("der({})", declared.name));
            scope.types.insert(declared.name.clone(), scalar.clone());
            if let Some(derivative) = &derivative {
                scope.types.insert(derivative.clone(), Scalar::Real);
            }
            let discrete = !matches!(scalar, Scalar::Real | Scalar::Record(_)) || assigned.contains(&declared.name);
            variables.push(Variable { name: declared.name, blank, start, discrete, derivative });
        }
        Ok(variables)
    }

    /// Names under `der`.
    fn states(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        walk::sections(sections(self.class), &mut |expr| {
            let ExprKind::Call { function, arguments } = &expr.kind else { return };
            if plain_name(function) == Some("der")
                && let Some(Expr { kind: ExprKind::Ref(variable), .. }) = arguments.positional.first()
            {
                found.insert(variable.parts[0].name.unquoted().to_string());
            }
        });
        found
    }

    fn assigned_in_when(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for section in sections(self.class) {
            match section {
                Section::Equations { equations, .. } => when_targets(equations, false, &mut found),
                Section::Algorithm { statements, .. } => assigned(statements, true, &mut found),
                _ => {}
            }
        }
        found
    }

    /// Bindings, equations with their loops unrolled, algorithms.
    pub(super) fn work<'m>(&'m self, scope: &mut Scope<'m>) -> Evaluated<Vec<Work<'m>>> {
        let mut work = Vec::new();
        for declared in declarations(self.class) {
            let varies = matches!(declared.clause.prefixes.variability, Variability::None | Variability::Discrete);
            if let (true, Some(binding)) = (varies, &declared.component.binding) {
                work.push(Work::binding(declared.component, binding));
            }
        }
        for section in sections(self.class) {
            match section {
                Section::Equations { initial: false, equations } => unrolled(scope, equations, &mut work)?,
                Section::Algorithm { initial: false, statements, .. } => work.push(Work::algorithm(statements)),
                Section::Equations { .. } | Section::Algorithm { .. } => return unsupported("equations of the start"),
                _ => {}
            }
        }
        Ok(work)
    }

    /// `sample` calls and the times that `time` is compared with, as expressions.
    pub(super) fn timed(&self) -> (Vec<&'a [Expr]>, Vec<&'a Expr>) {
        let (mut samples, mut thresholds) = (Vec::new(), Vec::new());
        let is_time = |e: &Expr| matches!(&e.kind, ExprKind::Ref(r) if plain_name(r) == Some("time"));
        walk::sections(sections(self.class), &mut |expr| match &expr.kind {
            ExprKind::Call { function, arguments } if plain_name(function) == Some("sample") => {
                samples.push(arguments.positional.as_slice())
            }
            ExprKind::Binary(_, a, b) if is_time(a) => thresholds.push(b.as_ref()),
            ExprKind::Binary(_, a, b) if is_time(b) => thresholds.push(a.as_ref()),
            _ => {}
        });
        (samples, thresholds)
    }
}

fn unrolled<'m>(scope: &mut Scope<'m>, equations: &'m [Equation], work: &mut Vec<Work<'m>>) -> Evaluated<()> {
    for equation in equations {
        match &equation.kind {
            EquationKind::For { iterators, body } => unrolled_for(scope, iterators, body, work)?,
            _ => work.push(Work::equation(equation, scope.iterators.clone())),
        }
    }
    Ok(())
}

fn unrolled_for<'m>(scope: &mut Scope<'m>, iterators: &'m [Iterator], body: &'m [Equation], work: &mut Vec<Work<'m>>) -> Evaluated<()> {
    let Some((iterator, inner)) = iterators.split_first() else { return unrolled(scope, body, work) };
    for value in scope.iterated(iterator)? {
        scope.iterators.push((iterator.name.unquoted().to_string(), value));
        let done = unrolled_for(scope, inner, body, work);
        scope.iterators.pop();
        done?;
    }
    Ok(())
}

fn parameter_value(scope: &mut Scope, declared: &Declared) -> Evaluated<()> {
    let scalar = scope.classes.scalar(&declared.clause.type_spec)?;
    let Some(binding) = declared.component.binding.as_ref().or_else(|| declared.attribute("start")) else {
        return unsupported("a parameter without a value");
    };
    let value = scope.eval(binding)?.converted(&scalar)?;
    if value.dims().len() != declared.dims().len() {
        return failed("an array of another rank");
    }
    scope.types.insert(declared.name.clone(), scalar);
    scope.values.insert(declared.name.clone(), value);
    Ok(())
}

/// Sizes of a variable; `:` takes the size of what it is bound to, if parameters say it.
fn variable_dims(scope: &mut Scope, declared: &Declared) -> Evaluated<Vec<usize>> {
    let open = declared.dims().iter().any(|dim| matches!(dim, Subscript::All(_)));
    match &declared.component.binding {
        Some(binding) if open => Ok(scope.eval(binding)?.dims().to_vec()),
        _ => scope.declared_dims(declared),
    }
}

fn start_value(scope: &mut Scope, declared: &Declared, scalar: &Scalar, dims: &[usize]) -> Evaluated {
    let given = declared.attribute("start").map(|start| scope.eval(start)).transpose()?;
    let zero = |scalar: &Scalar| match scalar {
        Scalar::Real => Value::Real(0.0),
        Scalar::Integer => Value::Integer(0),
        Scalar::Boolean => Value::Boolean(false),
        Scalar::String => Value::String(String::new()),
        Scalar::Enumeration(name) => Value::Enumeration(name.clone(), 1),
        Scalar::Record(_) => Value::Unknown,
    };
    let value = given.unwrap_or_else(|| zero(scalar)).converted(scalar)?;
    Ok(if value.dims().is_empty() { Value::filled(&value, dims) } else { value })
}

/// The names that results have, beside the scalars of a value.
pub(super) fn named_scalars(name: &str, value: &Value, see: &mut dyn FnMut(String, &Value)) {
    match value {
        Value::Array(array) => {
            for (at, item) in array.items.iter().enumerate() {
                let mut rest = at;
                let mut subscripts: Vec<String> = Vec::new();
                for &size in array.dims.iter().rev() {
                    subscripts.push((rest % size + 1).to_string());
                    rest /= size;
                }
                subscripts.reverse();
                named_scalars(&format!("{name}[{}]", subscripts.join(",")), item, see);
            }
        }
        Value::Record(fields) => fields.iter().for_each(|(field, value)| named_scalars(&format!("{name}.{field}"), value, see)),
        scalar => see(name.to_string(), scalar),
    }
}

/// Values of all variables by name.
pub(super) type Values = HashMap<String, Value>;
