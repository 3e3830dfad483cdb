//! Functions on arrays of section 10.3 of the specification.

use super::operators::{binary, unary};
use super::value::{Array, Value, identity, matrix, with_one_type};
use super::{Evaluated, Fault, Watch, failed, unsupported};
use partita_grammar::ast::{BinaryOp, UnaryOp};

/// Elements of the largest array.
const LARGEST: usize = 10_000;

/// A size: an Integer that is not negative.
pub(super) fn size_value(value: &Value) -> Evaluated<usize> {
    let n = value.integer()?;
    usize::try_from(n).map_err(|_| Fault::Failed(format!("{n} as a size")))
}

/// Functions whose arguments are all evaluated; none if the name is another one.
pub(super) fn call(watch: &Watch, name: &str, arguments: &[Value]) -> Option<Evaluated> {
    Some(match (name, arguments) {
        ("size", [a, i]) => size(a, i),
        ("size", [a]) => Ok(Value::vector(a.dims().iter().map(|&n| Value::Integer(n as i64)).collect())),
        ("ndims", [a]) => Ok(Value::Integer(a.dims().len() as i64)),
        ("scalar", [a]) => scalar(a),
        ("vector", [a]) => vector(a),
        ("matrix", [a]) => as_matrix(a),
        ("identity", [n]) => size_value(n).map(identity),
        ("diagonal", [v]) => diagonal(v),
        ("zeros", dims) => filled(&Value::Integer(0), dims),
        ("ones", dims) => filled(&Value::Integer(1), dims),
        ("fill", [item, dims @ ..]) => filled(item, dims),
        ("linspace", [a, b, n]) => linspace(watch, a, b, n),
        ("transpose", [a]) => transpose(a),
        ("symmetric", [a]) => symmetric(a),
        ("outerProduct", [a, b]) => outer_product(watch, a, b),
        ("cross", [a, b]) => cross(watch, a, b),
        ("skew", [a]) => skew(a),
        ("cat", [dimension, arrays @ ..]) => dimension.integer().and_then(|k| cat(k, arrays)),
        ("array", rows) => Array::of_rows(rows.to_vec()).map(Value::Array),
        ("sum", [a]) => Ok(a.scalars().into_iter().cloned().collect()).and_then(|items| sum(watch, items)),
        ("product", [a]) => Ok(a.scalars().into_iter().cloned().collect()).and_then(|items| product(watch, items)),
        _ => return None,
    })
}

fn size(a: &Value, i: &Value) -> Evaluated {
    let dims = a.dims();
    match usize::try_from(i.integer()? - 1).ok().and_then(|at| dims.get(at)) {
        Some(&n) => Ok(Value::Integer(n as i64)),
        None => failed("a dimension that the array does not have"),
    }
}

/// The sum of values, from the left; 0 for none.
pub(super) fn sum(watch: &Watch, items: Vec<Value>) -> Evaluated {
    let mut items = items.into_iter();
    let Some(first) = items.next() else { return Ok(Value::Integer(0)) };
    items.try_fold(first, |a, b| binary(watch, BinaryOp::Add, a, b))
}

/// The product of scalars, from the left; 1 for none.
pub(super) fn product(watch: &Watch, items: Vec<Value>) -> Evaluated {
    let mut items = items.into_iter();
    let Some(first) = items.next() else { return Ok(Value::Integer(1)) };
    items.try_fold(first, |a, b| binary(watch, BinaryOp::Multiply, a, b))
}

fn scalar(a: &Value) -> Evaluated {
    match a {
        Value::Array(Array { items, .. }) if items.len() == 1 => Ok(items[0].clone()),
        Value::Array(_) => failed("`scalar` of an array with several elements"),
        scalar => Ok(scalar.clone()),
    }
}

fn vector(a: &Value) -> Evaluated {
    match a {
        Value::Array(Array { dims, .. }) if dims.iter().filter(|&&n| n > 1).count() > 1 => failed("`vector` of a matrix"),
        Value::Array(Array { items, .. }) => Ok(Value::vector(items.clone())),
        scalar => Ok(Value::vector(vec![scalar.clone()])),
    }
}

fn as_matrix(a: &Value) -> Evaluated {
    match a {
        Value::Array(Array { dims, items }) if dims[2.min(dims.len())..].iter().all(|&n| n == 1) => {
            let cols = dims.get(1).copied().unwrap_or(1);
            Ok(Value::Array(Array { dims: vec![dims[0], cols], items: items.clone() }))
        }
        Value::Array(_) => failed("`matrix` of an array with more than two dimensions"),
        scalar => Ok(Value::Array(Array { dims: vec![1, 1], items: vec![scalar.clone()] })),
    }
}

fn diagonal(v: &Value) -> Evaluated {
    let v = v.array()?;
    let zero = if v.items.iter().any(|item| matches!(item, Value::Real(_))) { Value::Real(0.0) } else { Value::Integer(0) };
    let n = v.items.len();
    Ok(matrix(n, n, |i, j| if i == j { v.items[i].clone() } else { zero.clone() }))
}

fn filled(item: &Value, dims: &[Value]) -> Evaluated {
    let dims = dims.iter().map(size_value).collect::<Evaluated<Vec<_>>>()?;
    if dims.iter().try_fold(1usize, |n, &size| n.checked_mul(size)).is_none_or(|n| n > LARGEST) {
        return unsupported("an array of this size");
    }
    Ok(Value::filled(item, &dims))
}

fn linspace(watch: &Watch, a: &Value, b: &Value, n: &Value) -> Evaluated {
    let (a, b, n) = (a.number()?, b.number()?, n.integer()?);
    if n < 2 {
        return failed("`linspace` of fewer than two points");
    }
    let point = |i: i64| super::operators::real(watch, a + (b - a) * i as f64 / (n - 1) as f64);
    (0..n).map(point).collect::<Evaluated<Vec<_>>>().map(Value::vector)
}

fn transpose(a: &Value) -> Evaluated {
    let a = a.array()?;
    match a.dims[..] {
        [rows, cols] => Ok(matrix(cols, rows, |i, j| a.at(j, i).clone())),
        _ => failed("`transpose` of something that is no matrix"),
    }
}

/// The upper triangle is mirrored.
fn symmetric(a: &Value) -> Evaluated {
    let a = a.array()?;
    match a.dims[..] {
        [rows, cols] if rows == cols => Ok(matrix(rows, cols, |i, j| if i > j { a.at(j, i).clone() } else { a.at(i, j).clone() })),
        _ => failed("`symmetric` of something that is no square matrix"),
    }
}

fn outer_product(watch: &Watch, a: &Value, b: &Value) -> Evaluated {
    let rows = as_matrix(a)?;
    let row = transpose(&as_matrix(b)?)?;
    binary(watch, BinaryOp::Multiply, rows, row)
}

fn three(a: &Value) -> Evaluated<[Value; 3]> {
    match &a.array()?.items[..] {
        [x, y, z] => Ok([x.clone(), y.clone(), z.clone()]),
        _ => failed("a vector that does not have three elements"),
    }
}

fn cross(watch: &Watch, a: &Value, b: &Value) -> Evaluated {
    let ([a1, a2, a3], [b1, b2, b3]) = (three(a)?, three(b)?);
    let minor = |p: &Value, q: &Value, r: &Value, s: &Value| {
        let left = binary(watch, BinaryOp::Multiply, p.clone(), q.clone())?;
        let right = binary(watch, BinaryOp::Multiply, r.clone(), s.clone())?;
        binary(watch, BinaryOp::Subtract, left, right)
    };
    Ok(Value::vector(vec![minor(&a2, &b3, &b2, &a3)?, minor(&a3, &b1, &b3, &a1)?, minor(&a1, &b2, &b1, &a2)?]))
}

fn skew(a: &Value) -> Evaluated {
    let [x, y, z] = three(a)?;
    let minus = |v: &Value| unary(UnaryOp::Minus, v.clone());
    let zero = Value::Integer(0);
    let items = vec![zero.clone(), minus(&z)?, y.clone(), z.clone(), zero.clone(), minus(&x)?, minus(&y)?, x.clone(), zero];
    Ok(Value::Array(Array { dims: vec![3, 3], items: with_one_type(items) }))
}

/// Joins arrays along a dimension, counted from one.
pub(super) fn cat(dimension: i64, arrays: &[Value]) -> Evaluated {
    let Some(along) = usize::try_from(dimension - 1).ok() else { return failed("`cat` along no dimension") };
    let arrays = arrays.iter().map(Value::array).collect::<Evaluated<Vec<_>>>()?;
    let Some(first) = arrays.first() else { return unsupported("`cat` of nothing") };
    let rank = first.dims.len();
    let fits = |a: &&Array| a.dims.len() == rank && (0..rank).all(|i| i == along || a.dims[i] == first.dims[i]);
    if along >= rank || !arrays.iter().all(fits) {
        return failed("`cat` of sizes that do not fit");
    }
    let mut dims = first.dims.clone();
    dims[along] = arrays.iter().map(|a| a.dims[along]).sum();
    let outer: usize = dims[..along].iter().product();
    let mut items = Vec::with_capacity(dims.iter().product());
    for at in 0..outer {
        for array in &arrays {
            let length: usize = array.dims[along..].iter().product();
            items.extend_from_slice(&array.items[at * length..(at + 1) * length]);
        }
    }
    Ok(Value::Array(Array { dims, items: with_one_type(items) }))
}
