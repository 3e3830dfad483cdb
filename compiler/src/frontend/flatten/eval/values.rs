//! Operations on values of any type and shape: arithmetic, relations, selection, concatenation.

use crate::base::budget;
use crate::frontend::flat::{BinaryOp, Builtin, Expr, ExprKind, Scalar, Type, Value};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::base::format::{Number, printed};
use partita_runtime::base::limits::Limit;
use partita_runtime::base::math::Op2;

/// Why there is no value.
#[derive(Debug)]
pub(in crate::frontend::flatten) enum Stop {
    /// Not known at compile time.
    Unknown,
    /// The model is wrong.
    Failed(Box<Diagnostic>),
}

pub(in crate::frontend::flatten) type Evaluated<T = Value> = Result<T, Stop>;

pub(super) fn failed<T>(title: impl Into<String>, span: Span) -> Evaluated<T> {
    Err(Stop::Failed(Box::new(Diagnostic::error("F019", title).at(span, "evaluated at compile time"))))
}

/// Marks what has not been assigned; no array has this size.
pub(super) fn undefined() -> Value {
    Value::Array(vec![usize::MAX], Vec::new())
}

pub(in crate::frontend::flatten) fn is_undefined(value: &Value) -> bool {
    matches!(value, Value::Array(dims, _) if dims.first() == Some(&usize::MAX))
}

/// A record or an array of records.
pub(super) fn is_record(value: &Value) -> bool {
    match value {
        Value::Record(..) => true,
        Value::Array(_, elements) => elements.first().is_some_and(is_record),
        _ => false,
    }
}

pub(super) fn has_undefined(value: &Value) -> bool {
    match value {
        Value::Array(_, elements) => is_undefined(value) || elements.iter().any(has_undefined),
        Value::Record(_, fields) => fields.iter().any(has_undefined),
        _ => false,
    }
}

/// What a copy of a value costs, in operations: an element is one, so are sixteen bytes of a String.
pub(super) fn weight(value: &Value) -> u64 {
    match value {
        // All elements of an array are about as heavy as the first.
        Value::Array(_, elements) => elements.len() as u64 * elements.first().map_or(1, weight),
        Value::Record(_, fields) => 1 + fields.iter().map(weight).sum::<u64>(),
        Value::String(text) => 1 + text.len() as u64 / 16,
        _ => 1,
    }
}

/// What an array is made of; a scalar is made of itself.
pub(super) fn value_of_elements(value: &Value) -> &Value {
    match value {
        Value::Array(_, elements) => elements.first().unwrap_or(value),
        _ => value,
    }
}

/// The multiplications of a product.
pub(super) fn product_cost(a: &Value, b: &Value) -> u64 {
    let rows = if dims_of(a).len() > 1 { dims_of(a)[0] } else { 1 };
    if dims_of(a).is_empty() { 0 } else { (rows as u64).saturating_mul(weight(b)) }
}

/// Sizes of a value; empty for a scalar.
pub(in crate::frontend::flatten) fn dims_of(value: &Value) -> &[usize] {
    match value {
        Value::Array(dims, _) => dims,
        _ => &[],
    }
}

/// An array from equally shaped parts along a new first dimension.
pub(in crate::frontend::flatten) fn stacked(parts: Vec<Value>, inner_dims: Option<Vec<usize>>) -> Option<Value> {
    let mut dims = vec![parts.len()];
    match parts.first() {
        Some(Value::Array(inner, _)) => dims.extend(inner),
        Some(_) => return Some(Value::Array(dims, parts)),
        None => dims.extend(inner_dims.unwrap_or_default()),
    }
    let mut elements = Vec::new();
    for part in parts {
        match part {
            Value::Array(inner, part) if inner == dims[1..] => elements.extend(part),
            _ => return None,
        }
    }
    Some(Value::Array(dims, elements))
}

pub(super) fn real(value: &Value, span: Span) -> Evaluated<f64> {
    match value {
        Value::Real(x) => Ok(*x),
        Value::Integer(i) => Ok(*i as f64),
        _ => failed("a value is read before it is assigned", span),
    }
}

pub(super) fn integer(value: &Value, span: Span) -> Evaluated<i64> {
    match value {
        Value::Integer(i) => Ok(*i),
        Value::Enumeration(_, i) => Ok(i64::from(*i)),
        Value::Boolean(b) => Ok(i64::from(*b) + 1),
        _ => failed("a value is read before it is assigned", span),
    }
}

pub(super) fn boolean(value: &Value, span: Span) -> Evaluated<bool> {
    match value {
        Value::Boolean(b) => Ok(*b),
        _ => failed("a value is read before it is assigned", span),
    }
}

pub(super) fn string(value: &Value, span: Span) -> Evaluated<&str> {
    match value {
        Value::String(s) => Ok(s),
        _ => failed("a value is read before it is assigned", span),
    }
}

/// Applies a scalar operation to a scalar or to every element.
pub(super) fn map(value: &Value, f: &mut dyn FnMut(&Value) -> Evaluated) -> Evaluated {
    match value {
        Value::Array(dims, elements) if !is_undefined(value) => {
            Ok(Value::Array(dims.clone(), elements.iter().map(f).collect::<Result<_, _>>()?))
        }
        scalar => f(scalar),
    }
}

/// Applies a scalar operation element by element; a scalar goes with every element of an array.
pub(super) fn zip(a: &Value, b: &Value, span: Span, f: &mut dyn FnMut(&Value, &Value) -> Evaluated) -> Evaluated {
    match (a, b) {
        (Value::Array(da, ea), Value::Array(db, eb)) if !is_undefined(a) && !is_undefined(b) => {
            if da != db {
                return failed(format!("the sizes {da:?} and {db:?} do not agree"), span);
            }
            Ok(Value::Array(da.clone(), ea.iter().zip(eb).map(|(a, b)| f(a, b)).collect::<Result<_, _>>()?))
        }
        (Value::Array(da, ea), _) if !is_undefined(a) => {
            Ok(Value::Array(da.clone(), ea.iter().map(|a| f(a, b)).collect::<Result<_, _>>()?))
        }
        (_, Value::Array(db, eb)) if !is_undefined(b) => {
            Ok(Value::Array(db.clone(), eb.iter().map(|b| f(a, b)).collect::<Result<_, _>>()?))
        }
        _ => f(a, b),
    }
}

pub(super) fn checked(result: Option<i64>, span: Span) -> Evaluated {
    match result {
        Some(i) => Ok(Value::Integer(i)),
        None => failed("an Integer is out of range", span),
    }
}

fn divide(a: f64, b: f64, span: Span) -> Evaluated<f64> {
    if b == 0.0 { failed("division by zero", span) } else { Ok(Op2::Div.eval(a, b)) }
}

fn power(a: f64, b: f64, span: Span) -> Evaluated<f64> {
    if a == 0.0 && b < 0.0 {
        return failed("division by zero: zero to a negative power", span);
    }
    if a < 0.0 && b.fract() != 0.0 {
        return failed("a negative number to a power that is not whole", span);
    }
    Ok(Op2::Pow.eval(a, b))
}

pub(super) fn arithmetic(op: BinaryOp, a: &Value, b: &Value, span: Span) -> Evaluated {
    use BinaryOp as B;
    if let (Value::Integer(i), Value::Integer(j)) = (a, b) {
        match op {
            B::Add | B::ElementAdd => return checked(i.checked_add(*j), span),
            B::Subtract | B::ElementSubtract => return checked(i.checked_sub(*j), span),
            B::Multiply | B::ElementMultiply => return checked(i.checked_mul(*j), span),
            _ => {}
        }
    }
    if let (B::Add | B::ElementAdd, Value::String(a), Value::String(b)) = (op, a, b) {
        if (a.len() + b.len()) as u64 > budget::limit(Limit::Strings) {
            return Err(Stop::Failed(Box::new(budget::refusal("F041", "a String", Limit::Strings, span))));
        }
        return Ok(Value::String(format!("{a}{b}")));
    }
    let (x, y) = (real(a, span)?, real(b, span)?);
    Ok(Value::Real(match op {
        B::Add | B::ElementAdd => Op2::Add.eval(x, y),
        B::Subtract | B::ElementSubtract => Op2::Sub.eval(x, y),
        B::Multiply | B::ElementMultiply => Op2::Mul.eval(x, y),
        B::Divide | B::ElementDivide => divide(x, y, span)?,
        _ => power(x, y, span)?,
    }))
}

pub(super) fn relation(op: BinaryOp, a: &Value, b: &Value, span: Span) -> Evaluated {
    use BinaryOp as B;
    use std::cmp::Ordering;
    let order = match (a, b) {
        (Value::Real(_), _) | (_, Value::Real(_)) => real(a, span)?.partial_cmp(&real(b, span)?),
        (Value::Integer(a), Value::Integer(b)) => Some(a.cmp(b)),
        (Value::Boolean(a), Value::Boolean(b)) => Some(a.cmp(b)),
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        (Value::Enumeration(_, a), Value::Enumeration(_, b)) => Some(a.cmp(b)),
        _ => return failed("a value is read before it is assigned", span),
    };
    let Some(order) = order else { return Ok(Value::Boolean(op == B::NotEqual)) };
    Ok(Value::Boolean(match op {
        B::Less => order == Ordering::Less,
        B::LessEqual => order != Ordering::Greater,
        B::Greater => order == Ordering::Greater,
        B::GreaterEqual => order != Ordering::Less,
        B::Equal => order == Ordering::Equal,
        _ => order != Ordering::Equal,
    }))
}

/// Rows, columns and elements of a matrix; a vector is a column.
pub(super) fn as_matrix(value: &Value) -> Option<(usize, usize, &[Value])> {
    match value {
        Value::Array(dims, elements) => match dims.as_slice() {
            [n] => Some((*n, 1, elements)),
            [n, m] => Some((*n, *m, elements)),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn product(a: &Value, b: &Value, span: Span) -> Evaluated {
    let (Value::Array(da, ea), Value::Array(db, eb)) = (a, b) else {
        return zip(a, b, span, &mut |a, b| arithmetic(BinaryOp::Multiply, a, b, span));
    };
    if is_undefined(a) || is_undefined(b) {
        return failed("a value is read before it is assigned", span);
    }
    let (n, k) = if da.len() == 1 { (1, da[0]) } else { (da[0], da[1]) };
    let (k2, m) = if db.len() == 1 { (db[0], 1) } else { (db[0], db[1]) };
    if k != k2 {
        return failed(format!("the sizes {da:?} and {db:?} do not agree in a product"), span);
    }
    let whole = matches!(ea.first().or(eb.first()), Some(Value::Integer(_)));
    let mut elements = Vec::with_capacity(n * m);
    for i in 0..n {
        for j in 0..m {
            let mut sum = if whole { Value::Integer(0) } else { Value::Real(0.0) };
            for l in 0..k {
                let term = arithmetic(BinaryOp::Multiply, &ea[i * k + l], &eb[l * m + j], span)?;
                sum = if l == 0 { term } else { arithmetic(BinaryOp::Add, &sum, &term, span)? };
            }
            elements.push(sum);
        }
    }
    Ok(match (da.len(), db.len()) {
        (1, 1) => elements.pop().unwrap_or(Value::Real(0.0)),
        (1, _) => Value::Array(vec![m], elements),
        (_, 1) => Value::Array(vec![n], elements),
        _ => Value::Array(vec![n, m], elements),
    })
}

/// How many values `start:step:stop` has; as many as can be counted if it has no end.
pub(super) fn range_count(start: &Value, step: Option<&Value>, stop: &Value, span: Span) -> Evaluated<usize> {
    let (first, last) = match (start, stop) {
        (Value::Integer(_) | Value::Real(_), Value::Integer(_) | Value::Real(_)) => (real(start, span)?, real(stop, span)?),
        _ => (integer(start, span)? as f64, integer(stop, span)? as f64),
    };
    let step = step.map_or(Ok(1.0), |s| real(s, span))?;
    // A step of zero is told below.
    Ok(if step == 0.0 { 0 } else { (((last - first) / step).floor() + 1.0).max(0.0) as usize })
}

/// The values of `start:step:stop`, of which `range_count` tells how many.
pub(super) fn range(start: &Value, step: Option<&Value>, stop: &Value, span: Span) -> Evaluated<Vec<Value>> {
    match (start, stop) {
        (Value::Enumeration(id, a), Value::Enumeration(_, b)) => Ok((*a..=*b).map(|i| Value::Enumeration(*id, i)).collect()),
        (Value::Boolean(a), Value::Boolean(b)) => Ok([false, true].into_iter().filter(|x| a <= x && x <= b).map(Value::Boolean).collect()),
        (Value::Integer(a), Value::Integer(b)) if !matches!(step, Some(Value::Real(_))) => {
            let step = step.map_or(Ok(1), |s| integer(s, span))?;
            if step == 0 {
                return failed("the step of a range is zero", span);
            }
            let count = (i128::from(*b) - i128::from(*a)).div_euclid(i128::from(step)) + 1;
            // div_euclid rounds up for negative steps; recompute by truncation there.
            let count = if step > 0 { count } else { (i128::from(*a) - i128::from(*b)).div_euclid(-i128::from(step)) + 1 };
            Ok((0..count.max(0) as i64).map(|i| Value::Integer(a + i * step)).collect())
        }
        _ => {
            let (a, b) = (real(start, span)?, real(stop, span)?);
            let step = step.map_or(Ok(1.0), |s| real(s, span))?;
            if step == 0.0 {
                return failed("the step of a range is zero", span);
            }
            let count = ((b - a) / step + 1e-10).floor() + 1.0;
            Ok((0..count.max(0.0) as u64).map(|i| Value::Real(a + i as f64 * step)).collect())
        }
    }
}

/// One resolved subscript: zero-based positions, and whether the dimension is dropped.
pub(super) struct Positions {
    pub(super) positions: Vec<usize>,
    pub(super) drop: bool,
}

pub(super) enum Step {
    Index(Vec<Positions>),
    Field(usize),
}

/// Calls `f` with the flat position of every chosen element, row by row.
fn each_position(dims: &[usize], subs: &[Positions], f: &mut dyn FnMut(usize)) {
    let mut counters = vec![0usize; subs.len()];
    let total: usize = subs.iter().map(|s| s.positions.len()).product();
    let inner: usize = dims[subs.len()..].iter().product();
    for _ in 0..total {
        let mut flat = 0;
        for (axis, sub) in subs.iter().enumerate() {
            flat = flat * dims[axis] + sub.positions[counters[axis]];
        }
        for offset in 0..inner {
            f(flat * inner + offset);
        }
        for axis in (0..subs.len()).rev() {
            counters[axis] += 1;
            if counters[axis] < subs[axis].positions.len() {
                break;
            }
            counters[axis] = 0;
        }
    }
}

fn selected_dims(dims: &[usize], subs: &[Positions]) -> Vec<usize> {
    let kept = subs.iter().filter(|s| !s.drop).map(|s| s.positions.len());
    kept.chain(dims[subs.len()..].iter().copied()).collect()
}

pub(super) fn select(value: &Value, subs: &[Positions], span: Span) -> Evaluated {
    let Value::Array(dims, elements) = value else { return failed("a value is read before it is assigned", span) };
    if is_undefined(value) || dims.len() < subs.len() {
        return failed("a value is read before it is assigned", span);
    }
    let kept = selected_dims(dims, subs);
    let mut chosen = Vec::new();
    each_position(dims, subs, &mut |at| chosen.push(elements[at].clone()));
    if kept.is_empty() {
        let Some(element) = chosen.pop() else { return failed("a value is read before it is assigned", span) };
        if is_undefined(&element) {
            return failed("an array element is read before it is assigned", span);
        }
        return Ok(element);
    }
    Ok(Value::Array(kept, chosen))
}

/// Sizes of the part of a value that the steps lead to.
pub(super) fn dims_at(value: &Value, steps: &[Step]) -> Option<Vec<usize>> {
    let Some((step, rest)) = steps.split_first() else { return Some(dims_of(value).to_vec()) };
    match (step, value) {
        (Step::Field(field), Value::Record(_, fields)) => dims_at(fields.get(*field)?, rest),
        (Step::Index(subs), Value::Array(dims, elements)) => {
            let mut first = None;
            each_position(dims, subs, &mut |at| first = first.or(Some(at)));
            dims_at(elements.get(first?)?, rest)
        }
        _ => None,
    }
}

/// Writes a value at the place that the steps lead to.
pub(super) fn store(whole: &mut Value, steps: &[Step], value: Value, span: Span) -> Evaluated<()> {
    let Some((step, rest)) = steps.split_first() else {
        *whole = value;
        return Ok(());
    };
    match (step, whole) {
        (Step::Field(field), Value::Record(_, fields)) => match fields.get_mut(*field) {
            Some(field) => store(field, rest, value, span),
            None => Err(Stop::Unknown),
        },
        (Step::Index(subs), Value::Array(dims, elements)) => {
            let mut places = Vec::new();
            each_position(dims, subs, &mut |at| places.push(at));
            if subs.iter().all(|s| s.drop) && subs.len() == dims.len() {
                return match places.first().and_then(|at| elements.get_mut(*at)) {
                    Some(element) => store(element, rest, value, span),
                    None => Err(Stop::Unknown),
                };
            }
            let Value::Array(_, values) = value else { return Err(Stop::Unknown) };
            if values.len() != places.len() {
                return failed(format!("{} values are assigned to {} elements", values.len(), places.len()), span);
            }
            for (at, value) in places.into_iter().zip(values) {
                store(&mut elements[at], rest, value, span)?;
            }
            Ok(())
        }
        _ => Err(Stop::Unknown),
    }
}

pub(super) fn field_of(value: Value, field: usize, span: Span) -> Evaluated {
    match value {
        Value::Record(_, mut fields) if field < fields.len() => {
            let value = fields.swap_remove(field);
            if is_undefined(&value) { failed("a field is read before it is assigned", span) } else { Ok(value) }
        }
        Value::Array(dims, elements) => {
            let parts = elements.into_iter().map(|e| field_of(e, field, span)).collect::<Result<Vec<_>, _>>()?;
            let mut all = dims;
            let mut flat = Vec::new();
            for (i, part) in parts.into_iter().enumerate() {
                match part {
                    Value::Array(inner, elements) => {
                        if i == 0 {
                            all.extend(inner);
                        }
                        flat.extend(elements);
                    }
                    scalar => flat.push(scalar),
                }
            }
            Ok(Value::Array(all, flat))
        }
        _ => Err(Stop::Unknown),
    }
}

/// Integers of a value as Reals.
pub(super) fn reals(value: Value) -> Value {
    match value {
        Value::Integer(i) => Value::Real(i as f64),
        Value::Array(dims, elements) => Value::Array(dims, elements.into_iter().map(reals).collect()),
        other => other,
    }
}

pub(super) fn zero(scalar: Scalar, value: i64) -> Value {
    if scalar == Scalar::Integer { Value::Integer(value) } else { Value::Real(value as f64) }
}

pub(super) fn identity(n: usize) -> Value {
    Value::Array(vec![n, n], (0..n * n).map(|k| Value::Integer(i64::from(k / n == k % n))).collect())
}

pub(super) fn concatenated(along: usize, values: &[Value]) -> Option<Value> {
    let first = dims_of(values.first()?).to_vec();
    if along >= first.len() {
        return None;
    }
    let mut dims = first.clone();
    dims[along] = 0;
    for value in values {
        let d = dims_of(value);
        if d.len() != first.len() || d.iter().zip(&first).enumerate().any(|(i, (a, b))| i != along && a != b) {
            return None;
        }
        dims[along] += d[along];
    }
    let outer: usize = first[..along].iter().product();
    let mut elements = Vec::new();
    for block in 0..outer {
        for value in values {
            let Value::Array(d, e) = value else { return None };
            let chunk: usize = d[along..].iter().product();
            elements.extend_from_slice(&e[block * chunk..(block + 1) * chunk]);
        }
    }
    Some(Value::Array(dims, elements))
}

pub(super) fn division(builtin: Builtin, a: &Value, b: &Value, span: Span) -> Evaluated {
    if let (Value::Integer(a), Value::Integer(b)) = (a, b) {
        if *b == 0 {
            return failed("division by zero", span);
        }
        return checked(
            match builtin {
                Builtin::Div => a.checked_div(*b),
                Builtin::Rem => a.checked_rem(*b),
                // a - floor(a/b)*b has the sign of b
                _ => a.checked_rem(*b).map(|r| if r != 0 && (r < 0) != (*b < 0) { r + b } else { r }),
            },
            span,
        );
    }
    let (x, y) = (real(a, span)?, real(b, span)?);
    let quotient = divide(x, y, span)?;
    Ok(Value::Real(match builtin {
        Builtin::Div => quotient.trunc(),
        Builtin::Rem => x - quotient.trunc() * y,
        _ => x - quotient.floor() * y,
    }))
}

pub(super) fn extreme(smaller: bool, a: &Value, b: &Value, span: Span) -> Evaluated {
    match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => Ok(Value::Integer(if smaller { *a.min(b) } else { *a.max(b) })),
        (Value::Enumeration(id, a), Value::Enumeration(_, b)) => Ok(Value::Enumeration(*id, if smaller { *a.min(b) } else { *a.max(b) })),
        (Value::Boolean(a), Value::Boolean(b)) => Ok(Value::Boolean(if smaller { a & b } else { a | b })),
        _ => {
            let op = if smaller { Op2::Min } else { Op2::Max };
            Ok(Value::Real(op.eval(real(a, span)?, real(b, span)?)))
        }
    }
}

/// A number in a format of C without its percent sign, for example `-8.3f`; `None` if it is none of Modelica's formats.
pub(super) fn formatted(value: &Value, format: &str) -> Option<String> {
    match value {
        Value::Real(x) => printed(Number::Real(*x), format),
        Value::Integer(i) => printed(Number::Integer(*i), format),
        _ => None,
    }
}

/// The literal expression of a value.
pub(in crate::frontend::flatten) fn literal(value: Value, ty: &Type, span: Span) -> Expr {
    match value {
        Value::Array(dims, elements) => {
            let inner_ty = Type { scalar: ty.scalar, dims: dims[1..].iter().map(|d| Some(*d)).collect() };
            let ty = Type { scalar: ty.scalar, dims: dims.iter().map(|d| Some(*d)).collect() };
            if dims.len() == 1 {
                let elements = elements.into_iter().map(|e| literal(e, &inner_ty, span)).collect();
                return Expr { kind: ExprKind::Array(elements), ty, span };
            }
            let chunk: usize = dims[1..].iter().product();
            let mut rows = Vec::with_capacity(dims[0]);
            let mut rest = elements.into_iter();
            for _ in 0..dims[0] {
                let row: Vec<Value> = rest.by_ref().take(chunk).collect();
                rows.push(literal(Value::Array(dims[1..].to_vec(), row), &inner_ty, span));
            }
            Expr { kind: ExprKind::Array(rows), ty, span }
        }
        value => Expr { kind: ExprKind::Literal(value), ty: ty.clone(), span },
    }
}
