//! Values during scalarisation: trees of scalar expressions.

use crate::dae::Text;
use crate::ids::ExprId;

/// A scalarised value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Val {
    /// A scalar expression.
    Scalar(ExprId),
    /// Elements of the outermost dimension.
    Array(Vec<Val>),
    /// Fields in order.
    Record(Vec<Val>),
    /// A string made of literals and values.
    Text(Vec<Text>),
}

impl Val {
    /// All scalars in order.
    pub(super) fn scalars(&self, out: &mut Vec<ExprId>) {
        match self {
            Val::Scalar(e) => out.push(*e),
            Val::Array(items) | Val::Record(items) => items.iter().for_each(|v| v.scalars(out)),
            Val::Text(_) => {}
        }
    }

    /// All scalars in order, as a new vector.
    pub(super) fn to_scalars(&self) -> Vec<ExprId> {
        let mut out = Vec::new();
        self.scalars(&mut out);
        out
    }

    /// The same tree with every scalar replaced.
    pub(super) fn map<E>(&self, f: &mut impl FnMut(ExprId) -> Result<ExprId, E>) -> Result<Val, E> {
        Ok(match self {
            Val::Scalar(e) => Val::Scalar(f(*e)?),
            Val::Array(items) => Val::Array(items.iter().map(|v| v.map(f)).collect::<Result<_, _>>()?),
            Val::Record(items) => Val::Record(items.iter().map(|v| v.map(f)).collect::<Result<_, _>>()?),
            Val::Text(t) => Val::Text(t.clone()),
        })
    }

    /// Combines two trees of one shape; a scalar is spread over the other's shape. `None` if the shapes differ.
    pub(super) fn zip<E>(&self, other: &Val, f: &mut impl FnMut(ExprId, ExprId) -> Result<ExprId, E>) -> Result<Option<Val>, E> {
        let list = |a: &[Val], b: &[Val], f: &mut _| -> Result<Option<Vec<Val>>, E> {
            if a.len() != b.len() {
                return Ok(None);
            }
            a.iter().zip(b).map(|(a, b)| Val::zip(a, b, f)).collect()
        };
        Ok(match (self, other) {
            (Val::Scalar(a), Val::Scalar(b)) => Some(Val::Scalar(f(*a, *b)?)),
            (Val::Array(a), Val::Array(b)) => list(a, b, f)?.map(Val::Array),
            (Val::Record(a), Val::Record(b)) => list(a, b, f)?.map(Val::Record),
            (Val::Array(a), Val::Scalar(_)) => a.iter().map(|a| Val::zip(a, other, f)).collect::<Result<Option<_>, _>>()?.map(Val::Array),
            (Val::Scalar(_), Val::Array(b)) => b.iter().map(|b| Val::zip(self, b, f)).collect::<Result<Option<_>, _>>()?.map(Val::Array),
            _ => None,
        })
    }

    /// The number of dimensions, looking at first elements.
    pub(super) fn n_dims(&self) -> usize {
        match self {
            Val::Array(items) => 1 + items.first().map_or(0, Val::n_dims),
            _ => 0,
        }
    }

    /// The size of dimension `dim` (0 = outermost).
    pub(super) fn size(&self, dim: usize) -> Option<usize> {
        match self {
            Val::Array(items) if dim == 0 => Some(items.len()),
            Val::Array(items) => items.first()?.size(dim - 1),
            _ => None,
        }
    }

    /// Elements of the outermost dimension.
    pub(super) fn items(&self) -> Option<&[Val]> {
        match self {
            Val::Array(items) => Some(items),
            _ => None,
        }
    }
}
