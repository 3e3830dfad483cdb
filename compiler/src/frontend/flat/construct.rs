//! Expressions made of others, with their types.

use super::{Builtin, Expr, ExprKind, Scalar, Subscript, Type, Value};
use partita_grammar::Span;

/// A literal Integer.
pub(crate) fn integer_literal(value: i64, span: Span) -> Expr {
    Expr { kind: ExprKind::Literal(Value::Integer(value)), ty: Type::scalar(Scalar::Integer), span }
}

/// Applies typed subscripts; elements of a written-out array are taken out of it.
pub(crate) fn indexed(mut base: Expr, mut subscripts: Vec<Subscript>, span: Span) -> Expr {
    // Taking out leading literal subscripts keeps scalarised arrays free of index expressions.
    while let (ExprKind::Array(elements), Some(Subscript::Index(index))) = (&base.kind, subscripts.first()) {
        let ExprKind::Literal(Value::Integer(i)) = &index.kind else { break };
        let Some(at) = usize::try_from(*i - 1).ok().filter(|at| *at < elements.len()) else { break };
        let ExprKind::Array(mut elements) = base.kind else { break };
        base = elements.swap_remove(at);
        subscripts.remove(0);
    }
    if subscripts.iter().all(|s| matches!(s, Subscript::All)) {
        return base;
    }
    // An element of a slice is an element of the whole.
    if let ExprKind::Index(whole, first) = &base.kind
        && let ([Subscript::Slice(positions)], [Subscript::Index(_)]) = (first.as_slice(), subscripts.as_slice())
    {
        let position = indexed(positions.clone(), subscripts, span);
        return indexed((**whole).clone(), vec![Subscript::Index(position)], span);
    }
    let mut dims = Vec::new();
    for (subscript, size) in subscripts.iter().zip(&base.ty.dims) {
        match subscript {
            Subscript::Index(_) => {}
            Subscript::Slice(index) => dims.push(index.ty.dims[0]),
            Subscript::All => dims.push(*size),
        }
    }
    dims.extend(&base.ty.dims[subscripts.len()..]);
    // Subscripts of subscripts join when the inner ones have dropped their dimensions.
    if let ExprKind::Index(inner, first) = &mut base.kind
        && first.iter().all(|s| matches!(s, Subscript::Index(_)))
        && first.len() + subscripts.len() <= inner.ty.dims.len()
    {
        let ty = Type { scalar: base.ty.scalar, dims };
        first.extend(subscripts);
        base.ty = ty;
        base.span = span;
        return base;
    }
    let ty = Type { scalar: base.ty.scalar, dims };
    Expr { kind: ExprKind::Index(Box::new(base), subscripts), ty, span }
}

/// `size(array, axis + 1)`, a literal if it is known.
pub(crate) fn size_of(array: Expr, axis: usize, span: Span) -> Expr {
    if let Some(Some(size)) = array.ty.dims.get(axis) {
        return integer_literal(*size as i64, span);
    }
    let dimension = integer_literal(axis as i64 + 1, span);
    Expr { kind: ExprKind::Builtin(Builtin::Size, vec![array, dimension]), ty: Type::scalar(Scalar::Integer), span }
}
