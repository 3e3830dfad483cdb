//! Values during scalarisation: trees of scalars.

use crate::base::budget;
use crate::base::ids::ExprId;
use partita_runtime::base::format::Format;

/// A piece of a string.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TextFragment<S> {
    /// Literal text.
    Literal(String),
    /// A number, and how it is shown.
    Value(S, Format),
    /// The first text where a condition holds, else the second.
    Either(S, Vec<TextFragment<S>>, Vec<TextFragment<S>>),
}

/// How deep choices may stand inside choices of one text.
pub(super) const MAX_NESTED_CHOICES: usize = 200;

/// How deep choices stand inside choices.
pub(super) fn nested_choices<S>(pieces: &[TextFragment<S>]) -> usize {
    let depth = |piece: &TextFragment<S>| match piece {
        TextFragment::Either(_, a, b) => 1 + nested_choices(a).max(nested_choices(b)),
        TextFragment::Literal(_) | TextFragment::Value(..) => 0,
    };
    pieces.iter().map(depth).max().unwrap_or(0)
}

/// The bytes and pieces of a text, both sides of choices counted.
pub(super) fn text_size<S>(pieces: &[TextFragment<S>]) -> u64 {
    let size = |piece: &TextFragment<S>| match piece {
        TextFragment::Literal(text) => 1 + text.len() as u64,
        TextFragment::Value(..) => 1,
        TextFragment::Either(_, a, b) => 1 + text_size(a) + text_size(b),
    };
    pieces.iter().map(size).sum()
}

/// The first text where a condition holds, else the second. What they begin and end with in common is written once: a text that grows
/// under one condition after the other stays as long as what is added.
pub(super) fn either_text<S: Copy + PartialEq>(condition: S, a: &[TextFragment<S>], b: &[TextFragment<S>]) -> Vec<TextFragment<S>> {
    budget::spend((text_size(a) + text_size(b)) / 8);
    let head = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (&a[head..], &b[head..]);
    let tail = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (inner_a, inner_b) = (&rest_a[..rest_a.len() - tail], &rest_b[..rest_b.len() - tail]);
    let mut text = a[..head].to_vec();
    text.push(TextFragment::Either(condition, inner_a.to_vec(), inner_b.to_vec()));
    text.extend_from_slice(&rest_a[rest_a.len() - tail..]);
    text
}

/// Both texts that pieces stand for, and the condition of the first, if they depend on one.
pub(super) fn split_text<S: Copy>(pieces: &[TextFragment<S>]) -> Option<(S, [Vec<TextFragment<S>>; 2])> {
    let (at, condition, a, b) = pieces.iter().enumerate().find_map(|(at, piece)| match piece {
        TextFragment::Either(condition, a, b) => Some((at, *condition, a, b)),
        TextFragment::Literal(_) | TextFragment::Value(..) => None,
    })?;
    Some((condition, [a, b].map(|part| [&pieces[..at], part, &pieces[at + 1..]].concat())))
}

/// A scalarised value; scalars are expressions of the system, or values of a function.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Val<S = ExprId> {
    /// A scalar.
    Scalar(S),
    /// Elements of the outermost dimension.
    Array(Vec<Val<S>>),
    /// An array of several dimensions without elements: its outermost size is zero, these are the others.
    Empty(Vec<usize>),
    /// Fields in order.
    Record(Vec<Val<S>>),
    /// A string made of literals and values.
    Text(Vec<TextFragment<S>>),
    /// A scalar, or an array of unknown size, that nobody has assigned. Parts of records may stay so; who reads one, finds no value.
    Uninitialised,
}

impl<S: Copy> Val<S> {
    /// The array of these items, each of which has these sizes: without items they would be forgotten.
    pub(super) fn array(items: Vec<Val<S>>, inner: Vec<usize>) -> Val<S> {
        if items.is_empty() && !inner.is_empty() { Val::Empty(inner) } else { Val::Array(items) }
    }

    /// The array of these sizes whose elements come row by row from a source.
    pub(super) fn shaped(dims: &[usize], next: &mut impl FnMut() -> Val<S>) -> Val<S> {
        match dims.split_first() {
            None => next(),
            Some((size, rest)) => Val::array((0..*size).map(|_| Val::shaped(rest, next)).collect(), rest.to_vec()),
        }
    }

    /// About how many scalars there are, without looking at all of them.
    fn weight(&self) -> u64 {
        match self {
            Val::Array(items) => items.len() as u64 * items.first().map_or(1, Val::weight),
            Val::Record(fields) => 1 + fields.iter().map(Val::weight).sum::<u64>(),
            Val::Text(pieces) => text_size(pieces) / 8,
            Val::Scalar(_) | Val::Empty(_) | Val::Uninitialised => 1,
        }
    }

    /// A copy, counted among the operations of the compilation.
    pub(super) fn counted_clone(&self) -> Val<S> {
        budget::spend(self.weight() / 4);
        self.clone()
    }

    /// So many copies, counted before they are made.
    pub(super) fn count_copies(&self, n: usize) {
        budget::spend(self.weight().saturating_mul(n as u64));
    }

    /// All scalars in order.
    pub(super) fn scalars(&self, out: &mut Vec<S>) {
        match self {
            Val::Scalar(e) => out.push(*e),
            Val::Array(items) | Val::Record(items) => items.iter().for_each(|v| v.scalars(out)),
            Val::Text(_) | Val::Uninitialised | Val::Empty(_) => {}
        }
    }

    /// All scalars in order, as a new vector.
    pub(super) fn to_scalars(&self) -> Vec<S> {
        let mut out = Vec::new();
        self.scalars(&mut out);
        out
    }

    /// The same tree with every scalar replaced.
    pub(super) fn map<E>(&self, f: &mut impl FnMut(S) -> Result<S, E>) -> Result<Val<S>, E> {
        Ok(match self {
            Val::Scalar(e) => Val::Scalar(f(*e)?),
            Val::Array(items) => Val::Array(items.iter().map(|v| v.map(f)).collect::<Result<_, _>>()?),
            Val::Record(items) => Val::Record(items.iter().map(|v| v.map(f)).collect::<Result<_, _>>()?),
            Val::Text(t) => Val::Text(t.clone()),
            Val::Uninitialised => Val::Uninitialised,
            Val::Empty(inner) => Val::Empty(inner.clone()),
        })
    }

    /// Combines two trees of one shape; a scalar is spread over the other's shape; what is blank in one is blank. `None` if the
    /// shapes differ.
    pub(super) fn zip<E>(&self, other: &Val<S>, f: &mut impl FnMut(S, S) -> Result<S, E>) -> Result<Option<Val<S>>, E> {
        let list = |a: &[Val<S>], b: &[Val<S>], f: &mut _| -> Result<Option<Vec<Val<S>>>, E> {
            if a.len() != b.len() {
                return Ok(None);
            }
            a.iter().zip(b).map(|(a, b)| Val::zip(a, b, f)).collect()
        };
        Ok(match (self, other) {
            (Val::Uninitialised, _) | (_, Val::Uninitialised) => Some(Val::Uninitialised),
            (Val::Scalar(a), Val::Scalar(b)) => Some(Val::Scalar(f(*a, *b)?)),
            (Val::Empty(a), Val::Empty(b)) => (a == b).then(|| self.clone()),
            (Val::Empty(_), Val::Scalar(_)) => Some(self.clone()),
            (Val::Scalar(_), Val::Empty(_)) => Some(other.clone()),
            // Where the inner sizes could not be known, the other side knows them.
            (Val::Empty(_), Val::Array(b)) => b.is_empty().then(|| self.clone()),
            (Val::Array(a), Val::Empty(_)) => a.is_empty().then(|| other.clone()),
            (Val::Array(a), Val::Array(b)) => list(a, b, f)?.map(Val::Array),
            (Val::Record(a), Val::Record(b)) => list(a, b, f)?.map(Val::Record),
            (Val::Array(a), Val::Scalar(_)) => a.iter().map(|a| Val::zip(a, other, f)).collect::<Result<Option<_>, _>>()?.map(Val::Array),
            (Val::Scalar(_), Val::Array(b)) => b.iter().map(|b| Val::zip(self, b, f)).collect::<Result<Option<_>, _>>()?.map(Val::Array),
            _ => None,
        })
    }

    /// Whether some part is blank.
    pub(super) fn has_uninitialised(&self) -> bool {
        match self {
            Val::Array(items) | Val::Record(items) => items.iter().any(Val::has_uninitialised),
            Val::Uninitialised => true,
            Val::Scalar(_) | Val::Text(_) | Val::Empty(_) => false,
        }
    }

    /// The same tree with this scalar in place of every blank.
    pub(super) fn with_filling(&self, filling: S) -> Val<S> {
        match self {
            Val::Array(items) => Val::Array(items.iter().map(|v| v.with_filling(filling)).collect()),
            Val::Record(items) => Val::Record(items.iter().map(|v| v.with_filling(filling)).collect()),
            Val::Uninitialised => Val::Scalar(filling),
            other => other.clone(),
        }
    }

    /// The number of dimensions, looking at first elements.
    pub(super) fn n_dims(&self) -> usize {
        match self {
            Val::Array(items) => 1 + items.first().map_or(0, Val::n_dims),
            Val::Empty(inner) => 1 + inner.len(),
            _ => 0,
        }
    }

    /// The size of dimension `dim` (0 = outermost).
    pub(super) fn size(&self, dim: usize) -> Option<usize> {
        match self {
            Val::Array(items) if dim == 0 => Some(items.len()),
            Val::Array(items) => items.first()?.size(dim - 1),
            Val::Empty(_) if dim == 0 => Some(0),
            Val::Empty(inner) => inner.get(dim - 1).copied(),
            _ => None,
        }
    }

    /// The sizes of all dimensions.
    pub(super) fn sizes(&self) -> Vec<usize> {
        (0..self.n_dims()).map_while(|dim| self.size(dim)).collect()
    }

    /// Elements of the outermost dimension.
    pub(super) fn items(&self) -> Option<&[Val<S>]> {
        match self {
            Val::Array(items) => Some(items),
            Val::Empty(_) => Some(&[]),
            _ => None,
        }
    }

    /// The text, if the value is a string without numbers in it.
    pub(super) fn literal(&self) -> Option<String> {
        let Val::Text(pieces) = self else { return None };
        let literal = |piece: &TextFragment<S>| match piece {
            TextFragment::Literal(text) => Some(text.clone()),
            TextFragment::Value(..) | TextFragment::Either(..) => None,
        };
        pieces.iter().map(literal).collect()
    }
}
