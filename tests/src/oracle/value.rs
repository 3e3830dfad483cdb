//! Values of expressions: scalars, arrays of any rank, records.

use super::{Evaluated, Fault, failed, unsupported};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A Real.
    Real(f64),
    /// An Integer.
    Integer(i64),
    /// A Boolean.
    Boolean(bool),
    /// A String.
    String(String),
    /// A literal of an enumeration: type and position from one on.
    Enumeration(String, i64),
    /// An array.
    Array(Array),
    /// Fields in the order of their declarations.
    Record(Vec<(String, Value)>),
    /// Several outputs of a function.
    Tuple(Vec<Value>),
    /// Declared, without a value so far.
    Unknown,
}

/// Elements row by row. Empty arrays keep their sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Sizes.
    pub dims: Vec<usize>,
    /// Elements, the last subscript fastest.
    pub items: Vec<Value>,
}

/// What an element of a declared variable is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// Real.
    Real,
    /// Integer.
    Integer,
    /// Boolean.
    Boolean,
    /// String.
    String,
    /// An enumeration.
    Enumeration(String),
    /// A record.
    Record(String),
}

impl Value {
    /// A vector.
    pub fn vector(items: Vec<Value>) -> Value {
        Value::Array(Array { dims: vec![items.len()], items })
    }

    /// An array of these sizes whose elements are all the same.
    pub fn filled(item: &Value, dims: &[usize]) -> Value {
        if dims.is_empty() {
            return item.clone();
        }
        Value::Array(Array { dims: dims.to_vec(), items: vec![item.clone(); dims.iter().product()] })
    }

    /// Sizes; none for a scalar.
    pub fn dims(&self) -> &[usize] {
        match self {
            Value::Array(array) => &array.dims,
            _ => &[],
        }
    }

    /// The number of a Real or Integer.
    pub fn number(&self) -> Evaluated<f64> {
        match self {
            Value::Real(x) => Ok(*x),
            Value::Integer(i) => Ok(*i as f64),
            Value::Unknown => Err(Fault::Unknown("an element".to_string())),
            other => unsupported(format!("{other:?} as a number")),
        }
    }

    /// The Integer; enumerations and Booleans are none.
    pub fn integer(&self) -> Evaluated<i64> {
        match self {
            Value::Integer(i) => Ok(*i),
            Value::Unknown => Err(Fault::Unknown("an element".to_string())),
            other => unsupported(format!("{other:?} as an Integer")),
        }
    }

    /// The Boolean.
    pub fn boolean(&self) -> Evaluated<bool> {
        match self {
            Value::Boolean(b) => Ok(*b),
            Value::Unknown => Err(Fault::Unknown("an element".to_string())),
            other => unsupported(format!("{other:?} as a Boolean")),
        }
    }

    /// The array.
    pub fn array(&self) -> Evaluated<&Array> {
        match self {
            Value::Array(array) => Ok(array),
            other => unsupported(format!("{other:?} as an array")),
        }
    }

    /// The first of several outputs; the value itself otherwise.
    pub fn first(self) -> Value {
        match self {
            Value::Tuple(outputs) => outputs.into_iter().next().unwrap_or(Value::Unknown),
            other => other,
        }
    }

    /// All scalars below, in order.
    pub fn scalars(&self) -> Vec<&Value> {
        match self {
            Value::Array(array) => array.items.iter().flat_map(Value::scalars).collect(),
            Value::Record(fields) => fields.iter().flat_map(|(_, value)| value.scalars()).collect(),
            scalar => vec![scalar],
        }
    }

    /// Replaces all scalars in order.
    pub fn put_scalars(&mut self, values: &mut impl Iterator<Item = Value>) {
        match self {
            Value::Array(array) => array.items.iter_mut().for_each(|item| item.put_scalars(values)),
            Value::Record(fields) => fields.iter_mut().for_each(|(_, field)| field.put_scalars(values)),
            scalar => {
                if let Some(value) = values.next() {
                    *scalar = value;
                }
            }
        }
    }

    /// Something below has no value.
    pub fn has_unknown(&self) -> bool {
        match self {
            Value::Unknown => true,
            Value::Array(array) => array.items.iter().any(Value::has_unknown),
            Value::Record(fields) => fields.iter().any(|(_, value)| value.has_unknown()),
            _ => false,
        }
    }

    /// The value as a result file has it: Booleans 0 or 1, enumerations their position; none for Strings.
    pub fn as_result(&self) -> Option<f64> {
        match self {
            Value::Real(x) => Some(*x),
            Value::Integer(i) | Value::Enumeration(_, i) => Some(*i as f64),
            Value::Boolean(b) => Some(f64::from(u8::from(*b))),
            _ => None,
        }
    }

    /// Applies to every element; a scalar is its own element.
    pub fn map(self, f: &mut dyn FnMut(Value) -> Evaluated) -> Evaluated {
        match self {
            Value::Array(Array { dims, items }) => {
                let items = items.into_iter().map(f).collect::<Evaluated<Vec<_>>>()?;
                Ok(Value::Array(Array { dims, items }))
            }
            scalar => f(scalar),
        }
    }

    /// The value as a variable of this type takes it: Integers become Reals.
    pub fn converted(self, to: &Scalar) -> Evaluated {
        self.map(&mut |item| match (item, to) {
            (Value::Integer(i), Scalar::Real) => Ok(Value::Real(i as f64)),
            (item @ Value::Real(_), Scalar::Real)
            | (item @ Value::Integer(_), Scalar::Integer)
            | (item @ Value::Boolean(_), Scalar::Boolean)
            | (item @ Value::String(_), Scalar::String)
            | (item @ Value::Enumeration(..), Scalar::Enumeration(_))
            | (item @ Value::Record(_), Scalar::Record(_))
            | (item @ Value::Unknown, _) => Ok(item),
            (item, to) => unsupported(format!("{item:?} as {to:?}")),
        })
    }
}

impl Array {
    /// The rows: elements of the first dimension, each an array of one rank less.
    pub fn rows(&self) -> Vec<Value> {
        let inner = &self.dims[1..];
        if inner.is_empty() {
            return self.items.clone();
        }
        let size: usize = inner.iter().product();
        (0..self.dims[0])
            .map(|i| Value::Array(Array { dims: inner.to_vec(), items: self.items[i * size..(i + 1) * size].to_vec() }))
            .collect()
    }

    /// Values of equal sizes as the rows of an array.
    pub fn of_rows(rows: Vec<Value>) -> Evaluated<Array> {
        let inner = rows.first().map(|row| row.dims().to_vec()).unwrap_or_default();
        if rows.iter().any(|row| row.dims() != inner) {
            return failed("rows of different sizes");
        }
        let mut dims = vec![rows.len()];
        dims.extend(inner);
        let mut items = Vec::with_capacity(dims.iter().product());
        for row in rows {
            match row {
                Value::Array(array) => items.extend(array.items),
                scalar => items.push(scalar),
            }
        }
        Ok(Array { dims, items: with_one_type(items) })
    }

    /// An element of a matrix.
    pub fn at(&self, row: usize, col: usize) -> &Value {
        &self.items[row * self.dims[1] + col]
    }
}

/// Integers beside Reals become Reals.
pub(super) fn with_one_type(items: Vec<Value>) -> Vec<Value> {
    if !items.iter().any(|item| matches!(item, Value::Real(_))) {
        return items;
    }
    let real = |item| if let Value::Integer(i) = item { Value::Real(i as f64) } else { item };
    items.into_iter().map(real).collect()
}

/// One subscript after evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pick {
    /// One element; the dimension disappears.
    One(usize),
    /// Several elements.
    Several(Vec<usize>),
}

/// Places of the chosen elements in row order, and the sizes of what they make.
pub(super) fn chosen(dims: &[usize], picks: &[Pick]) -> Evaluated<(Vec<usize>, Vec<usize>)> {
    if picks.len() > dims.len() {
        return failed("more subscripts than dimensions");
    }
    let mut places = vec![0];
    let mut sizes = Vec::new();
    for (at, &size) in dims.iter().enumerate() {
        let all = Pick::Several((0..size).collect());
        let indices: Vec<usize> = match picks.get(at).unwrap_or(&all) {
            Pick::One(i) => vec![*i],
            Pick::Several(indices) => {
                sizes.push(indices.len());
                indices.clone()
            }
        };
        if indices.iter().any(|&i| i >= size) {
            return failed("a subscript outside its array");
        }
        places = places.iter().flat_map(|&place| indices.iter().map(move |i| place * size + i)).collect();
    }
    Ok((places, sizes))
}

pub(super) fn matrix(rows: usize, cols: usize, mut item: impl FnMut(usize, usize) -> Value) -> Value {
    let mut items = Vec::with_capacity(rows * cols);
    for row in 0..rows {
        for col in 0..cols {
            items.push(item(row, col));
        }
    }
    Value::Array(Array { dims: vec![rows, cols], items })
}

/// The Integer identity matrix.
pub(super) fn identity(n: usize) -> Value {
    matrix(n, n, |i, j| Value::Integer(i64::from(i == j)))
}
