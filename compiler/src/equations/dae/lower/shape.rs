//! Shapes of arguments: what a function is translated for.

use super::value::{TextFragment, Val};
use crate::equations::function::structured::ValueId;
use crate::frontend::flat::{self, Scalar};

/// What a function needs to know of an argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    /// A number.
    Number,
    /// A number the function is made for, by its bits.
    Known(u64),
    /// An array of numbers: its sizes.
    Numbers(Vec<usize>),
    /// An array of anything else.
    Items(Vec<Shape>),
    /// A record.
    Record(Vec<Shape>),
    /// A string.
    Text(String),
    /// A number that nobody assigned.
    Open,
}

impl Shape {
    /// The number of scalars.
    pub(super) fn width(&self) -> usize {
        match self {
            Shape::Number | Shape::Known(_) | Shape::Open => 1,
            Shape::Numbers(dims) => dims.iter().product(),
            Shape::Items(items) | Shape::Record(items) => items.iter().map(Shape::width).sum(),
            Shape::Text(_) => 0,
        }
    }

    /// The shape without known numbers.
    pub(super) fn general(&self) -> Shape {
        match self {
            Shape::Known(_) => Shape::Number,
            Shape::Items(items) => {
                let items: Vec<Shape> = items.iter().map(Shape::general).collect();
                match items.first() {
                    Some(Shape::Number) if items.iter().all(|i| *i == Shape::Number) => Shape::Numbers(vec![items.len()]),
                    Some(Shape::Numbers(dims)) if items.iter().all(|i| *i == items[0]) => {
                        Shape::Numbers([&[items.len()], dims.as_slice()].concat())
                    }
                    _ => Shape::Items(items),
                }
            }
            Shape::Record(fields) => Shape::Record(fields.iter().map(Shape::general).collect()),
            other => other.clone(),
        }
    }

    /// The known numbers in order, `None` where a number is not known.
    pub(super) fn numbers(&self, out: &mut Vec<Option<f64>>) {
        match self {
            Shape::Number | Shape::Open => out.push(None),
            Shape::Known(bits) => out.push(Some(f64::from_bits(*bits))),
            Shape::Numbers(_) => out.extend(std::iter::repeat_n(None, self.width())),
            Shape::Items(items) | Shape::Record(items) => items.iter().for_each(|i| i.numbers(out)),
            Shape::Text(_) => {}
        }
    }

    /// The shape of a value of a type; `known` gives numbers that are known when the model is compiled.
    pub(super) fn of<S: Copy>(
        model: &flat::FlatModel,
        value: &Val<S>,
        ty: &flat::Type,
        known: &dyn Fn(S) -> Option<f64>,
    ) -> Result<Shape, String> {
        let is_discrete = matches!(ty.scalar, Scalar::Integer | Scalar::Boolean | Scalar::Enumeration(_) | Scalar::Object(_));
        match value {
            Val::Scalar(s) => Ok(match known(*s).filter(|_| is_discrete) {
                Some(number) => Shape::Known(number.to_bits()),
                None => Shape::Number,
            }),
            Val::Uninitialised => Ok(Shape::Open),
            Val::Text(_) => {
                value.literal().map(Shape::Text).ok_or_else(|| "a String that is made at run time is passed to a function".to_string())
            }
            Val::Record(fields) => {
                let types: Vec<flat::Type> = match ty.scalar {
                    Scalar::Record(record) => model.records[record].fields.iter().map(|f| f.ty.clone()).collect(),
                    _ => Vec::new(),
                };
                if types.len() != fields.len() {
                    return Err("a record has another number of fields than its type".to_string());
                }
                Ok(Shape::Record(fields.iter().zip(&types).map(|(f, ty)| Shape::of(model, f, ty, known)).collect::<Result<_, _>>()?))
            }
            Val::Empty(inner) => Ok(Shape::Numbers([&[0], inner.as_slice()].concat())),
            Val::Array(items) => {
                let is_number = !matches!(ty.scalar, Scalar::Record(_) | Scalar::String);
                let n_dims = ty.dims.len().max(1);
                if items.is_empty() || (is_number && !is_discrete && !value.has_uninitialised()) {
                    let dims = (0..n_dims).map(|dim| value.size(dim).or_else(|| ty.dims.get(dim).copied().flatten()).unwrap_or(0));
                    let shape = Shape::Numbers(dims.collect());
                    return if shape.width() == value.to_scalars().len() {
                        Ok(shape)
                    } else {
                        Err("the rows of an array have different lengths".to_string())
                    };
                }
                let inner = flat::Type { scalar: ty.scalar, dims: ty.dims.get(1..).unwrap_or_default().to_vec() };
                let items = items.iter().map(|i| Shape::of(model, i, &inner, known)).collect::<Result<Vec<_>, _>>()?;
                let shape = Shape::Items(items);
                let mut numbers = Vec::new();
                shape.numbers(&mut numbers);
                Ok(if is_number && !value.has_uninitialised() && numbers.iter().any(Option::is_none) { shape.general() } else { shape })
            }
        }
    }

    /// The value of this shape whose scalars come in order from a source.
    pub(super) fn fill<S: Copy>(&self, next: &mut impl FnMut() -> S) -> Val<S> {
        fn array<S: Copy>(dims: &[usize], next: &mut impl FnMut() -> S) -> Val<S> {
            match dims.split_first() {
                None => Val::Scalar(next()),
                Some((size, rest)) => Val::array((0..*size).map(|_| array(rest, next)).collect(), rest.to_vec()),
            }
        }
        match self {
            Shape::Number | Shape::Known(_) => Val::Scalar(next()),
            Shape::Open => {
                next();
                Val::Uninitialised
            }
            Shape::Numbers(dims) => array(dims, next),
            Shape::Items(items) => Val::Array(items.iter().map(|i| i.fill(next)).collect()),
            Shape::Record(fields) => Val::Record(fields.iter().map(|f| f.fill(next)).collect()),
            Shape::Text(text) => Val::Text(vec![TextFragment::Literal(text.clone())]),
        }
    }
}

/// The shape of a value whose type does not matter; `None` if rows have different lengths.
pub(super) fn value_shape(value: &Val<ValueId>) -> Option<Shape> {
    Some(match value {
        Val::Scalar(_) => Shape::Number,
        Val::Uninitialised => Shape::Open,
        Val::Text(_) => Shape::Text(value.literal().unwrap_or_default()),
        Val::Record(fields) => Shape::Record(fields.iter().map(value_shape).collect::<Option<_>>()?),
        Val::Array(items) if items.is_empty() => Shape::Numbers(vec![0]),
        Val::Empty(inner) => Shape::Numbers([&[0], inner.as_slice()].concat()),
        Val::Array(items) => {
            let shape = Shape::Items(items.iter().map(value_shape).collect::<Option<_>>()?).general();
            match &shape {
                Shape::Items(list) if matches!(list.first(), Some(Shape::Number | Shape::Numbers(_))) => return None,
                _ => shape,
            }
        }
    })
}
