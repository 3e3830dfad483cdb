//! Operators of section 10.6 of the specification: on scalars, element by element, products of matrices.

use super::value::{Array, Value};
use super::{Evaluated, Watch, failed, unsupported};
use partita_grammar::ast::{BinaryOp, UnaryOp};
use std::cmp::Ordering;

/// A unary operator.
pub(super) fn unary(op: UnaryOp, value: Value) -> Evaluated {
    value.map(&mut |item| match (op, item) {
        (UnaryOp::Not, Value::Boolean(b)) => Ok(Value::Boolean(!b)),
        (UnaryOp::Plus | UnaryOp::ElementPlus, item @ (Value::Real(_) | Value::Integer(_))) => Ok(item),
        (UnaryOp::Minus | UnaryOp::ElementMinus, Value::Real(x)) => Ok(Value::Real(-x)),
        (UnaryOp::Minus | UnaryOp::ElementMinus, Value::Integer(i)) => whole(i.checked_neg()),
        (op, item) => unsupported(format!("{op:?} of {item:?}")),
    })
}

/// A binary operator; both sides have been evaluated.
pub(super) fn binary(watch: &Watch, op: BinaryOp, a: Value, b: Value) -> Evaluated {
    use BinaryOp as B;
    let (rank_a, rank_b) = (a.dims().len(), b.dims().len());
    match op {
        B::Multiply if rank_a > 0 && rank_b > 0 => product(watch, a.array()?, b.array()?),
        B::Power if rank_a == 2 && rank_b == 0 => matrix_power(watch, a.array()?, b.integer()?),
        B::Add | B::Subtract if a.dims() != b.dims() => failed("sizes that differ"),
        B::Divide | B::Power if rank_b > 0 || op == B::Power && rank_a > 0 => unsupported("division or power by an array"),
        _ => by_element(&mut |x, y| scalar(watch, op, x, y), a, b),
    }
}

/// Applies a function of two scalars element by element; a scalar goes with every element.
pub(super) fn by_element(f: &mut dyn FnMut(&Value, &Value) -> Evaluated, a: Value, b: Value) -> Evaluated {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            if a.dims != b.dims {
                return failed("sizes that differ");
            }
            let items = a.items.iter().zip(&b.items).map(|(x, y)| f(x, y)).collect::<Evaluated<Vec<_>>>()?;
            Ok(Value::Array(Array { dims: a.dims, items }))
        }
        (a @ Value::Array(_), b) => a.map(&mut |item| f(&item, &b)),
        (a, b @ Value::Array(_)) => b.map(&mut |item| f(&a, &item)),
        (a, b) => f(&a, &b),
    }
}

/// Larger Integers are errors of a model in Partita, whatever they are used for.
const LARGEST_INTEGER: u64 = (1 << 53) - 1;

fn whole(result: Option<i64>) -> Evaluated {
    let exact = result.filter(|i| i.unsigned_abs() <= LARGEST_INTEGER);
    exact.map_or_else(|| failed("an Integer beyond 53 bits"), |i| Ok(Value::Integer(i)))
}

/// A Real result; what is not finite is a fault.
pub(super) fn real(watch: &Watch, result: f64) -> Evaluated {
    if !result.is_finite() {
        return failed("a number that is not finite");
    }
    watch.met(result);
    Ok(Value::Real(result))
}

fn scalar(watch: &Watch, op: BinaryOp, a: &Value, b: &Value) -> Evaluated {
    use BinaryOp as B;
    match op {
        B::And | B::Or => {
            let (a, b) = (a.boolean()?, b.boolean()?);
            Ok(Value::Boolean(if op == B::And { a && b } else { a || b }))
        }
        B::Less | B::LessEqual | B::Greater | B::GreaterEqual | B::Equal | B::NotEqual => relation(watch, op, a, b),
        B::Add | B::ElementAdd if matches!(a, Value::String(_)) => joined(a, b),
        _ => arithmetic(watch, op, a, b),
    }
}

fn joined(a: &Value, b: &Value) -> Evaluated {
    match (a, b) {
        (Value::String(a), Value::String(b)) => Ok(Value::String(format!("{a}{b}"))),
        _ => unsupported("a String beside something else"),
    }
}

fn arithmetic(watch: &Watch, op: BinaryOp, a: &Value, b: &Value) -> Evaluated {
    use BinaryOp as B;
    if let (Value::Integer(i), Value::Integer(j)) = (a, b) {
        match op {
            B::Add | B::ElementAdd => return whole(i.checked_add(*j)),
            B::Subtract | B::ElementSubtract => return whole(i.checked_sub(*j)),
            B::Multiply | B::ElementMultiply => return whole(i.checked_mul(*j)),
            _ => {}
        }
    }
    let (x, y) = (a.number()?, b.number()?);
    match op {
        B::Add | B::ElementAdd => real(watch, x + y),
        B::Subtract | B::ElementSubtract => real(watch, x - y),
        B::Multiply | B::ElementMultiply => real(watch, x * y),
        B::Divide | B::ElementDivide if y == 0.0 => failed("a division by zero"),
        B::Divide | B::ElementDivide => real(watch, x / y),
        B::Power | B::ElementPower => power(watch, x, y, matches!(b, Value::Integer(_))),
        _ => unsupported(format!("{op:?}")),
    }
}

/// `x^y`: defined for `x > 0`, for `x = 0` with `y > 0`, and for `x < 0` with whole exponents.
fn power(watch: &Watch, x: f64, y: f64, whole_exponent: bool) -> Evaluated {
    if x == 0.0 && y < 0.0 || x < 0.0 && !whole_exponent && y.fract() != 0.0 {
        return failed("a power outside its domain");
    }
    real(watch, x.powf(y))
}

/// Relations of numbers, Booleans, Strings and enumerations; those of Reals are decisions.
fn relation(watch: &Watch, op: BinaryOp, a: &Value, b: &Value) -> Evaluated {
    let holds = |order: Ordering| match op {
        BinaryOp::Less => order.is_lt(),
        BinaryOp::LessEqual => order.is_le(),
        BinaryOp::Greater => order.is_gt(),
        BinaryOp::GreaterEqual => order.is_ge(),
        BinaryOp::Equal => order.is_eq(),
        _ => order.is_ne(),
    };
    let order = match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
        (Value::Boolean(a), Value::Boolean(b)) => a.cmp(b),
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::Enumeration(s, a), Value::Enumeration(t, b)) if s == t => a.cmp(b),
        _ => {
            let (x, y) = (a.number()?, b.number()?);
            watch.near(x - y, x.abs().max(y.abs()));
            let Some(order) = x.partial_cmp(&y) else { return failed("a relation of a number that is none") };
            return Ok(Value::Boolean(watch.decide(i64::from(holds(order))) != 0));
        }
    };
    Ok(Value::Boolean(holds(order)))
}

fn product(watch: &Watch, a: &Array, b: &Array) -> Evaluated {
    let columns = |array: &Array| if array.dims.len() == 2 { array.dims[1] } else { 1 };
    let inner_a = a.dims[a.dims.len() - 1];
    if a.dims.len() > 2 || b.dims.len() > 2 || inner_a != b.dims[0] {
        return failed("a product of sizes that do not fit");
    }
    let (rows, inner, cols) = (if a.dims.len() == 2 { a.dims[0] } else { 1 }, inner_a, columns(b));
    let mut items = Vec::with_capacity(rows * cols);
    for row in 0..rows {
        for col in 0..cols {
            let mut sum = None;
            for k in 0..inner {
                let term = arithmetic(watch, BinaryOp::Multiply, &a.items[row * inner + k], &b.items[k * cols + col])?;
                sum = Some(match sum {
                    None => term,
                    Some(sum) => arithmetic(watch, BinaryOp::Add, &sum, &term)?,
                });
            }
            items.push(sum.unwrap_or(Value::Integer(0)));
        }
    }
    let mut dims = Vec::new();
    if a.dims.len() == 2 {
        dims.push(rows);
    }
    if b.dims.len() == 2 {
        dims.push(cols);
    }
    if dims.is_empty() {
        return Ok(items.remove(0));
    }
    Ok(Value::Array(Array { dims, items }))
}

fn matrix_power(watch: &Watch, a: &Array, n: i64) -> Evaluated {
    if a.dims[0] != a.dims[1] || n < 0 {
        return failed("a power of a matrix that is not square, or a negative one");
    }
    let n_rows = a.dims[0];
    let mut power = super::value::identity(n_rows);
    for _ in 0..n {
        power = product(watch, power.array()?, a)?;
    }
    Ok(power)
}
