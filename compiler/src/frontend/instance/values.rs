//! Values that are known while a model is instantiated, and operations on them.

use super::ids::ClassInstId;
use partita_grammar::ast::{self, BinaryOp, Expr, ExprKind, UnaryOp};
use std::rc::Rc;

/// A known value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Integer(i64),
    Real(f64),
    Boolean(bool),
    String(Rc<str>),
    /// The class, the position from 1 on, and the literal.
    Enumeration(ClassInstId, usize, Rc<str>),
    Array(Vec<Value>),
    Record(Vec<(Rc<str>, Value)>),
}

impl Value {
    pub(super) fn real(&self) -> Option<f64> {
        match self {
            Value::Integer(i) => Some(*i as f64),
            Value::Real(r) => Some(*r),
            _ => None,
        }
    }

    pub(super) fn index(&self) -> Option<usize> {
        match self {
            Value::Integer(i) => usize::try_from(*i).ok(),
            Value::Enumeration(_, i, _) => Some(*i),
            Value::Boolean(b) => Some(usize::from(*b) + 1),
            _ => None,
        }
    }

    pub(super) fn shape(&self, axis: usize) -> Option<usize> {
        match self {
            Value::Array(list) if axis == 0 => Some(list.len()),
            Value::Array(list) => list.first()?.shape(axis - 1),
            _ => None,
        }
    }

    pub(super) fn rank(&self) -> usize {
        match self {
            Value::Array(list) => 1 + list.first().map_or(0, Value::rank),
            _ => 0,
        }
    }

    pub(super) fn leaves<'v>(&'v self, out: &mut Vec<&'v Value>) {
        match self {
            Value::Array(list) => list.iter().for_each(|v| v.leaves(out)),
            other => out.push(other),
        }
    }

    pub(super) fn take(&self, at: &[usize]) -> Option<Value> {
        let mut value = self;
        for i in at {
            let Value::Array(list) = value else { return None };
            value = list.get(i.checked_sub(1)?)?;
        }
        Some(value.clone())
    }

    /// The value as syntax.
    pub(super) fn syntax(&self, span: partita_grammar::Span, name: &mut dyn FnMut(ClassInstId) -> ast::Ident) -> Expr {
        let unary = |kind: ExprKind| Expr { kind: ExprKind::Unary(UnaryOp::Minus, Box::new(Expr { kind, span })), span };
        let kind = match self {
            Value::Integer(i) if *i < 0 => return unary(ExprKind::Integer(i.saturating_neg())),
            Value::Integer(i) => ExprKind::Integer(*i),
            Value::Real(r) if *r < 0.0 => return unary(ExprKind::Real(-*r)),
            Value::Real(r) => ExprKind::Real(*r),
            Value::Boolean(b) => ExprKind::Boolean(*b),
            Value::String(s) => ExprKind::String(s.to_string()),
            Value::Enumeration(class, _, literal) => {
                let literal = ast::Ident { text: (&**literal).into(), span };
                let parts = [name(*class), literal].map(|name| ast::RefPart { name, subscripts: Vec::new() });
                ExprKind::Ref(ast::ComponentRef { global: false, parts: parts.to_vec(), span })
            }
            Value::Array(list) => ExprKind::Array(list.iter().map(|v| v.syntax(span, name)).collect()),
            // Whole records are not written as values.
            Value::Record(fields) => ExprKind::Array(fields.iter().map(|(_, v)| v.syntax(span, name)).collect()),
        };
        Expr { kind, span }
    }
}

pub(super) fn is_elementwise(op: BinaryOp) -> bool {
    use BinaryOp::{Add, ElementAdd, ElementDivide, ElementMultiply, ElementSubtract, Subtract};
    matches!(op, Add | Subtract | ElementAdd | ElementSubtract | ElementMultiply | ElementDivide)
}

/// A field of a record, of all elements for an array of records.
pub(super) fn field(value: &Value, name: &str) -> Option<Value> {
    match value {
        Value::Record(fields) => fields.iter().find(|(n, _)| **n == *name).map(|(_, v)| v.clone()),
        Value::Array(list) => list.iter().map(|v| field(v, name)).collect::<Option<Vec<_>>>().map(Value::Array),
        _ => None,
    }
}

/// The position of subscripts among all of an array.
pub(super) fn flat_index(dims: &[usize], at: &[usize]) -> Option<usize> {
    let mut found = 0;
    for (size, i) in dims.iter().zip(at) {
        if *i == 0 || i > size {
            return None;
        }
        found = found * size + (i - 1);
    }
    Some(found)
}

pub(super) fn shaped(values: Vec<Value>, dims: &[usize]) -> Value {
    let Some((first, rest)) = dims.split_first() else { return values.into_iter().next().unwrap_or(Value::Array(Vec::new())) };
    let each = rest.iter().product::<usize>().max(1);
    if rest.is_empty() || *first == 0 {
        return Value::Array(values);
    }
    Value::Array(values.chunks(each).map(|chunk| shaped(chunk.to_vec(), rest)).collect())
}

/// `[a, b; c, d]`: what has no dimensions is a matrix of one element, a vector one column.
pub(super) fn matrix(rows: Vec<Vec<Value>>) -> Option<Value> {
    let mut all = Vec::new();
    for row in rows {
        let mut lines: Option<Vec<Vec<Value>>> = None;
        for cell in row {
            let cell: Vec<Vec<Value>> = match cell {
                Value::Array(list) => {
                    let line = |value: Value| match value {
                        Value::Array(line) => line,
                        one => vec![one],
                    };
                    list.into_iter().map(line).collect()
                }
                one => vec![vec![one]],
            };
            match &mut lines {
                None => lines = Some(cell),
                Some(lines) if lines.len() == cell.len() => lines.iter_mut().zip(cell).for_each(|(line, more)| line.extend(more)),
                Some(_) => return None,
            }
        }
        all.extend(lines?.into_iter().map(Value::Array));
    }
    Some(Value::Array(all))
}

pub(super) fn filled(value: &Value, dims: &[usize]) -> Value {
    let n = positions(dims).len();
    shaped(vec![value.clone(); n], dims)
}

pub(super) fn to_real(value: Value) -> Value {
    match value {
        Value::Integer(i) => Value::Real(i as f64),
        Value::Array(list) => Value::Array(list.into_iter().map(to_real).collect()),
        other => other,
    }
}

pub(super) fn unary(op: UnaryOp, a: &Value) -> Option<Value> {
    Some(match (op, a) {
        (UnaryOp::Not, Value::Boolean(b)) => Value::Boolean(!b),
        (UnaryOp::Not, _) => return None,
        (UnaryOp::Plus | UnaryOp::ElementPlus, a) => a.clone(),
        (_, Value::Integer(i)) => Value::Integer(i.checked_neg()?),
        (_, Value::Real(r)) => Value::Real(-r),
        (op, Value::Array(list)) => Value::Array(list.iter().map(|v| unary(op, v)).collect::<Option<_>>()?),
        _ => return None,
    })
}

pub(super) fn binary(op: BinaryOp, a: &Value, b: &Value) -> Option<Value> {
    use BinaryOp::*;
    if let (Value::Array(x), Value::Array(y)) = (a, b) {
        if !matches!(op, Add | Subtract | ElementAdd | ElementSubtract | ElementMultiply | ElementDivide | ElementPower)
            || x.len() != y.len()
        {
            return None;
        }
        return x.iter().zip(y).map(|(a, b)| binary(op, a, b)).collect::<Option<Vec<_>>>().map(Value::Array);
    }
    if let Value::Array(x) = a {
        let fits = matches!(op, Multiply | Divide) || matches!(op, ElementAdd | ElementSubtract | ElementMultiply | ElementDivide);
        return x.iter().filter(|_| fits).map(|a| binary(op, a, b)).collect::<Option<Vec<_>>>().filter(|_| fits).map(Value::Array);
    }
    if let Value::Array(y) = b {
        let fits = matches!(op, Multiply | ElementAdd | ElementSubtract | ElementMultiply | ElementDivide);
        return y.iter().map(|b| binary(op, a, b)).collect::<Option<Vec<_>>>().filter(|_| fits).map(Value::Array);
    }
    match (op, a, b) {
        (And, Value::Boolean(a), Value::Boolean(b)) => return Some(Value::Boolean(*a && *b)),
        (Or, Value::Boolean(a), Value::Boolean(b)) => return Some(Value::Boolean(*a || *b)),
        (Add, Value::String(a), Value::String(b)) => return Some(Value::String(Rc::from(format!("{a}{b}").as_str()))),
        (Add | ElementAdd, Value::Integer(a), Value::Integer(b)) => return a.checked_add(*b).map(Value::Integer),
        (Subtract | ElementSubtract, Value::Integer(a), Value::Integer(b)) => return a.checked_sub(*b).map(Value::Integer),
        (Multiply | ElementMultiply, Value::Integer(a), Value::Integer(b)) => return a.checked_mul(*b).map(Value::Integer),
        _ => {}
    }
    if matches!(op, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual) {
        let order = match (a, b) {
            (Value::Boolean(a), Value::Boolean(b)) => a.cmp(b),
            (Value::String(a), Value::String(b)) => a.cmp(b),
            (Value::Enumeration(_, a, _), Value::Enumeration(_, b, _)) => a.cmp(b),
            (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
            _ => a.real()?.partial_cmp(&b.real()?)?,
        };
        return Some(Value::Boolean(match op {
            Less => order.is_lt(),
            LessEqual => order.is_le(),
            Greater => order.is_gt(),
            GreaterEqual => order.is_ge(),
            Equal => order.is_eq(),
            _ => order.is_ne(),
        }));
    }
    let (a, b) = (a.real()?, b.real()?);
    Some(Value::Real(match op {
        Add | ElementAdd => a + b,
        Subtract | ElementSubtract => a - b,
        Multiply | ElementMultiply => a * b,
        Divide | ElementDivide => a / b,
        Power | ElementPower => a.powf(b),
        _ => return None,
    }))
}

/// Ranges are unrolled; more than this is left to the passes behind.
const MAX_RANGE: f64 = 1e6;

pub(super) fn range(start: &Value, step: &Value, stop: &Value) -> Option<Value> {
    if let (Value::Integer(a), Value::Integer(h), Value::Integer(b)) = (start, step, stop) {
        if *h == 0 || ((b - a) as f64 / *h as f64) > MAX_RANGE {
            return None;
        }
        let mut list = Vec::new();
        let mut at = *a;
        while (*h > 0 && at <= *b) || (*h < 0 && at >= *b) {
            list.push(Value::Integer(at));
            at = at.checked_add(*h)?;
        }
        return Some(Value::Array(list));
    }
    if let (Value::Enumeration(..), Value::Enumeration(..)) = (start, stop) {
        return None;
    }
    let (a, h, b) = (start.real()?, step.real()?, stop.real()?);
    let n = ((b - a) / h).floor();
    if n.is_nan() || n > MAX_RANGE {
        return None;
    }
    let count = if n < 0.0 { 0 } else { n as usize + 1 };
    Some(Value::Array((0..count).map(|i| Value::Real(a + i as f64 * h)).collect()))
}

/// All subscripts of an array, the last one fastest.
pub(super) fn positions(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = vec![Vec::new()];
    for size in sizes {
        found = found.into_iter().flat_map(|at| (1..=*size).map(move |i| [at.clone(), vec![i]].concat())).collect();
    }
    found
}
