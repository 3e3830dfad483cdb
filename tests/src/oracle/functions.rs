//! Calls of functions and record constructors: arguments, defaults, local variables, vectorization (section 12.4).

use super::classes::{Declared, declarations, sections};
use super::expressions::Scope;
use super::value::{Array, Value};
use super::{Evaluated, Fault, arrays, failed, unsupported};
use partita_grammar::ast::{CallArguments, Causality, Class, ClassKind, Section, Subscript, Variability};

/// Functions that call each other deeper than this are refused.
const DEEPEST: usize = 40;

fn is_input(declared: &Declared, class: &Class) -> bool {
    class.kind == ClassKind::Record || declared.clause.prefixes.causality == Causality::Input
}

impl<'a> Scope<'a> {
    /// Calls a function or constructs a record; applied to every element where an argument has more dimensions than its input.
    pub(super) fn user_call(&mut self, name: &str, arguments: &CallArguments) -> Evaluated {
        let Some(class) = self.classes.get(name) else { return unsupported(format!("the function `{name}`")) };
        let inputs: Vec<Declared> = declarations(class).into_iter().filter(|declared| is_input(declared, class)).collect();
        let given = self.given(&inputs, arguments)?;
        let ranks: Vec<usize> = inputs.iter().map(|input| input.dims().len()).collect();
        let spread = given.iter().zip(&ranks).find_map(|(value, &rank)| {
            let dims = value.as_ref()?.dims();
            (dims.len() > rank).then(|| dims[..dims.len() - rank].to_vec())
        });
        let Some(dims) = spread else { return self.called(class, given) };
        let n: usize = dims.iter().product();
        let mut items = Vec::with_capacity(n);
        for at in 0..n {
            let slice =
                given.iter().zip(&ranks).map(|(value, &rank)| value.as_ref().map(|value| slice_at(value, rank, at, &dims)).transpose());
            items.push(self.called(class, slice.collect::<Evaluated<Vec<_>>>()?)?.first());
        }
        if items.first().is_some_and(|item| !item.dims().is_empty()) {
            return unsupported("a vectorized call of a function with an array as result");
        }
        Ok(Value::Array(Array { dims, items }))
    }

    /// The given arguments in the order of the inputs.
    fn given(&mut self, inputs: &[Declared], arguments: &CallArguments) -> Evaluated<Vec<Option<Value>>> {
        let mut given: Vec<Option<Value>> = vec![None; inputs.len()];
        if arguments.positional.len() > inputs.len() {
            return failed("too many arguments");
        }
        for (at, argument) in arguments.positional.iter().enumerate() {
            given[at] = Some(self.eval(argument)?);
        }
        for (name, argument) in &arguments.named {
            let Some(at) = inputs.iter().position(|input| input.name == name.unquoted()) else {
                return failed("an argument of unknown name");
            };
            given[at] = Some(self.eval(argument)?);
        }
        Ok(given)
    }

    fn called(&mut self, class: &'a Class, given: Vec<Option<Value>>) -> Evaluated {
        let watch = self.watch;
        if watch.depth.get() >= DEEPEST {
            return unsupported("calls this deep");
        }
        watch.depth.set(watch.depth.get() + 1);
        let result = run(class, given, Scope::new(self.classes, watch));
        watch.depth.set(watch.depth.get() - 1);
        result
    }
}

/// The part of an argument that belongs to one element of a vectorized call.
fn slice_at(value: &Value, rank: usize, at: usize, spread: &[usize]) -> Evaluated {
    if value.dims().len() == rank {
        return Ok(value.clone());
    }
    let array = value.array()?;
    if array.dims[..spread.len()] != *spread {
        return failed("a vectorized call with sizes that differ");
    }
    let inner = array.dims[spread.len()..].to_vec();
    let size: usize = inner.iter().product();
    let items = array.items[at * size..(at + 1) * size].to_vec();
    Ok(if inner.is_empty() { items[0].clone() } else { Value::Array(Array { dims: inner, items }) })
}

fn run<'a>(class: &'a Class, given: Vec<Option<Value>>, mut scope: Scope<'a>) -> Evaluated {
    let declared = declarations(class);
    let mut given = given.into_iter();
    let mut deferred = Vec::new();
    for variable in &declared {
        let argument = if is_input(variable, class) { given.next().flatten() } else { None };
        match scope.declare(variable, argument) {
            Err(Fault::Unknown(_)) => deferred.push(variable),
            other => other?,
        }
    }
    for variable in deferred {
        scope.declare(variable, None)?;
    }
    if class.kind == ClassKind::Record {
        let fields = declared.iter().map(|field| (field.name.clone(), scope.values.remove(&field.name).unwrap_or(Value::Unknown)));
        return Ok(Value::Record(fields.collect()));
    }
    for section in sections(class) {
        if let Section::Algorithm { statements, .. } = section {
            scope.statements(statements)?;
        }
    }
    outputs(&declared, scope)
}

fn outputs(declared: &[Declared], mut scope: Scope) -> Evaluated {
    let mut outputs = Vec::new();
    for output in declared.iter().filter(|declared| declared.clause.prefixes.causality == Causality::Output) {
        let value = scope.values.remove(&output.name).unwrap_or(Value::Unknown);
        if value.has_unknown() {
            return failed(format!("the output `{}` has no value", output.name));
        }
        outputs.push(value);
    }
    Ok(if outputs.len() == 1 { outputs.remove(0) } else { Value::Tuple(outputs) })
}

impl<'a> Scope<'a> {
    /// A variable of a function: its argument, its default, or no value yet.
    fn declare(&mut self, declared: &Declared<'a>, argument: Option<Value>) -> Evaluated<()> {
        let scalar = self.classes.scalar(&declared.clause.type_spec)?;
        self.types.insert(declared.name.clone(), scalar.clone());
        self.values.entry(declared.name.clone()).or_insert(Value::Unknown);
        let value = match (argument, &declared.component.binding) {
            (Some(value), _) => Some(value),
            (None, Some(default)) => Some(self.eval(default)?),
            (None, None) => None,
        };
        let value = match value {
            Some(value) => self.fitting(declared, value.converted(&scalar)?)?,
            None if declared.clause.prefixes.variability == Variability::Constant => return failed("a constant without a value"),
            None => {
                let dims = self.declared_dims(declared)?;
                Value::filled(&self.classes.blank(&scalar)?, &dims)
            }
        };
        self.values.insert(declared.name.clone(), value);
        Ok(())
    }

    /// The sizes of a declaration.
    pub(super) fn declared_dims(&mut self, declared: &Declared) -> Evaluated<Vec<usize>> {
        let mut dims = Vec::new();
        for dim in declared.dims() {
            let Subscript::Index(size) = dim else { return unsupported("a size that is found later") };
            dims.push(arrays::size_value(&self.eval(size)?)?);
        }
        Ok(dims)
    }

    /// A value has the sizes that its declaration says.
    fn fitting(&mut self, declared: &Declared, value: Value) -> Evaluated {
        let dims = declared.dims();
        if dims.len() != value.dims().len() {
            return failed("an array of another rank");
        }
        for (dim, &size) in dims.iter().zip(value.dims()) {
            if let Subscript::Index(wanted) = dim
                && arrays::size_value(&self.eval(wanted)?)? != size
            {
                return failed("an array of another size");
            }
        }
        Ok(value)
    }
}
