//! Functions whose values are known while a model is instantiated: predefined ones, and those of texts.
//!
//! Input: the values of the arguments. Output: the value, or nothing for other functions and arguments that do not fit.

use super::ids::{Checked, ClassInstId, ScopeId};
use super::tree::{Instantiation, Locals};
use super::values::{Value, binary, filled};
use partita_grammar::ast::{self, BinaryOp, ClassBody};
use std::rc::Rc;

impl Instantiation<'_> {
    /// The value of an external function of texts. The passes behind have no texts that are made in a run, so it is needed here.
    pub(super) fn text_function(
        &mut self,
        class: ClassInstId,
        arguments: &ast::CallArguments,
        scope: ScopeId,
        locals: &mut Locals,
    ) -> Checked<Option<Value>> {
        let ClassBody::Long(body) = &self.class_syntax(class)?.body else { return Ok(None) };
        let function = body.external.as_ref().and_then(|external| external.function.as_ref()).map_or("", |name| &*name.text);
        if !matches!(function, "ModelicaStrings_substring" | "ModelicaStrings_length") || !arguments.named.is_empty() {
            return Ok(None);
        }
        let mut values = Vec::new();
        for argument in &arguments.positional {
            match self.value_of(argument, scope, locals)? {
                Some(value) => values.push(value),
                None => return Ok(None),
            }
        }
        Ok(match (function, values.as_slice()) {
            ("ModelicaStrings_length", [Value::String(text)]) => i64::try_from(text.len()).ok().map(Value::Integer),
            ("ModelicaStrings_substring", [Value::String(text), Value::Integer(from), Value::Integer(to)]) => {
                let bounds = (usize::try_from(from - 1).ok(), usize::try_from(*to).ok());
                let part = bounds.0.zip(bounds.1).and_then(|(from, to)| text.get(from..to));
                part.map(|part| Value::String(Rc::from(part)))
            }
            _ => None,
        })
    }
}

/// Predefined functions that sizes and conditions use.
pub(super) fn builtin(name: &str, values: &[Value]) -> Option<Value> {
    let first = values.first()?;
    let numbers = || {
        let mut leaves = Vec::new();
        values.iter().for_each(|v| v.leaves(&mut leaves));
        leaves.into_iter().cloned().collect::<Vec<Value>>()
    };
    let fold = |with: &dyn Fn(&Value, &Value) -> Option<Value>, empty: Option<Value>| {
        let mut list = numbers().into_iter();
        let Some(first) = list.next() else { return empty };
        list.try_fold(first, |a, b| with(&a, &b))
    };
    let less = |a: &Value, b: &Value| binary(BinaryOp::Less, a, b);
    let choose = |wanted: bool| {
        move |a: &Value, b: &Value| match less(a, b) {
            Some(Value::Boolean(is)) => Some(if is == wanted { a.clone() } else { b.clone() }),
            _ => None,
        }
    };
    let sizes = |values: &[Value]| values.iter().map(Value::index).collect::<Option<Vec<usize>>>();
    let real = |f: fn(f64) -> f64| first.real().map(|x| Value::Real(f(x)));
    Some(match name {
        "fill" => filled(first, &sizes(&values[1..])?),
        "zeros" => filled(&Value::Integer(0), &sizes(values)?),
        "ones" => filled(&Value::Integer(1), &sizes(values)?),
        "identity" => {
            let n = first.index()?;
            let row = |i: usize| Value::Array((0..n).map(|j| Value::Integer(i64::from(i == j))).collect());
            Value::Array((0..n).map(row).collect())
        }
        "linspace" => {
            let (a, b, n) = (first.real()?, values.get(1)?.real()?, values.get(2)?.index()?);
            Value::Array((0..n).map(|i| Value::Real(a + (b - a) * i as f64 / (n.max(2) - 1) as f64)).collect())
        }
        "sum" => fold(&|a, b| binary(BinaryOp::Add, a, b), Some(Value::Integer(0)))?,
        "product" => fold(&|a, b| binary(BinaryOp::Multiply, a, b), Some(Value::Integer(1)))?,
        "min" => fold(&choose(true), None)?,
        "max" => fold(&choose(false), None)?,
        "abs" => match first {
            Value::Integer(i) => Value::Integer(i.checked_abs()?),
            other => Value::Real(other.real()?.abs()),
        },
        "integer" => Value::Integer(first.real()?.floor() as i64),
        "Integer" => Value::Integer(first.index()? as i64),
        "floor" => real(f64::floor)?,
        "ceil" => real(f64::ceil)?,
        "sqrt" => real(f64::sqrt)?,
        "mod" => match (first, values.get(1)?) {
            (Value::Integer(a), Value::Integer(b)) if *b != 0 => Value::Integer(a.rem_euclid(*b)),
            _ => return None,
        },
        "div" => match (first, values.get(1)?) {
            (Value::Integer(a), Value::Integer(b)) if *b != 0 => Value::Integer(a / b),
            _ => return None,
        },
        "rem" => match (first, values.get(1)?) {
            (Value::Integer(a), Value::Integer(b)) if *b != 0 => Value::Integer(a % b),
            _ => return None,
        },
        "size" => match values.get(1) {
            Some(axis) => Value::Integer(first.shape(axis.index()?.checked_sub(1)?)? as i64),
            None => Value::Array((0..first.rank()).map(|a| first.shape(a).map(|n| Value::Integer(n as i64))).collect::<Option<_>>()?),
        },
        "ndims" => Value::Integer(first.rank() as i64),
        "scalar" => numbers().into_iter().next().filter(|_| numbers().len() == 1)?,
        "vector" => Value::Array(numbers()),
        "transpose" => transposed(first)?,
        "cat" => joined(first, &values[1..])?,
        "noEvent" | "pre" => first.clone(),
        _ => return None,
    })
}

fn transposed(first: &Value) -> Option<Value> {
    let (rows, columns) = (first.shape(0)?, first.shape(1)?);
    let column = |j: usize| (1..=rows).map(|i| first.take(&[i, j])).collect::<Option<Vec<_>>>().map(Value::Array);
    (1..=columns).map(column).collect::<Option<_>>().map(Value::Array)
}

/// Vectors one after the other.
fn joined(first: &Value, values: &[Value]) -> Option<Value> {
    if first.index() != Some(1) {
        return None;
    }
    let mut list = Vec::new();
    for value in values {
        let Value::Array(more) = value else { return None };
        list.extend(more.iter().cloned());
    }
    Some(Value::Array(list))
}
