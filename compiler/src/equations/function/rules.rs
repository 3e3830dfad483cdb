//! The chain rule for the elementary operations, once for all forms of code.
//!
//! Each rule emits the tangent of `y = op(x)` through an [`Arithmetic`]. Operands and results come as functions, so that a
//! value that a rule does not need is never computed. At kinks the tangent is that of one side (`abs(0)`: of the positive
//! one). Where a slope is infinite (`sqrt(0)`, `x^0.5` at 0) a direction of zero still gives zero and not NaN.
//! Where `exp` overflows its slope is the largest number.

use partita_runtime::base::math::{Op1, Op2};

/// Something that operations can be emitted to.
pub(crate) trait Arithmetic {
    /// A value.
    type Value: Copy;
    /// A number.
    fn constant(&mut self, value: f64) -> Self::Value;
    /// An operation of one operand.
    fn unary(&mut self, op: Op1, a: Self::Value) -> Self::Value;
    /// An operation of two operands.
    fn binary(&mut self, op: Op2, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `if c then a else b`.
    fn select(&mut self, c: Self::Value, a: Self::Value, b: Self::Value) -> Self::Value;
}

/// Computes a value when it is needed.
pub(crate) type Lazy<'f, A> = &'f dyn Fn(&mut A) -> <A as Arithmetic>::Value;

/// An operand and its tangent; no tangent is zero.
pub(crate) struct Dual<'f, A: Arithmetic> {
    pub(crate) value: Lazy<'f, A>,
    pub(crate) tangent: Option<A::Value>,
}

/// Has a tangent that is not zero everywhere.
pub(crate) fn is_smooth1(op: Op1) -> bool {
    !matches!(op, Op1::Not | Op1::Sign | Op1::Floor | Op1::Ceil | Op1::Trunc)
}

/// Has a tangent that is not zero everywhere.
pub(crate) fn is_smooth2(op: Op2) -> bool {
    !(op.is_relation() || matches!(op, Op2::And | Op2::Or))
}

/// The tangent of `y = op(x)` in the direction `dx`.
pub(crate) fn unary<A: Arithmetic>(m: &mut A, op: Op1, x: Lazy<'_, A>, y: Lazy<'_, A>, dx: A::Value) -> Option<A::Value> {
    Some(match op {
        Op1::Neg => m.unary(Op1::Neg, dx),
        Op1::Abs => {
            let x = x(m);
            let zero = m.constant(0.0);
            let negative = m.binary(Op2::Lt, x, zero);
            let minus = m.unary(Op1::Neg, dx);
            m.select(negative, minus, dx)
        }
        Op1::Sqrt => {
            let y = y(m);
            let two_y = m.binary(Op2::Add, y, y);
            let tangent = m.binary(Op2::Div, dx, two_y);
            zero_where_zero(m, dx, tangent)
        }
        Op1::Sin => {
            let x = x(m);
            let slope = m.unary(Op1::Cos, x);
            m.binary(Op2::Mul, slope, dx)
        }
        Op1::Cos => {
            let x = x(m);
            let sine = m.unary(Op1::Sin, x);
            let product = m.binary(Op2::Mul, sine, dx);
            m.unary(Op1::Neg, product)
        }
        Op1::Tan => {
            let slope = one_and_square(m, Op2::Add, y);
            m.binary(Op2::Mul, slope, dx)
        }
        Op1::Asin | Op1::Acos => {
            let remainder = one_and_square(m, Op2::Sub, x);
            let root = m.unary(Op1::Sqrt, remainder);
            let tangent = m.binary(Op2::Div, dx, root);
            let tangent = zero_where_zero(m, dx, tangent);
            if op == Op1::Acos { m.unary(Op1::Neg, tangent) } else { tangent }
        }
        Op1::Atan => {
            let divisor = one_and_square(m, Op2::Add, x);
            m.binary(Op2::Div, dx, divisor)
        }
        Op1::Sinh | Op1::Cosh => {
            let x = x(m);
            let slope = m.unary(if op == Op1::Sinh { Op1::Cosh } else { Op1::Sinh }, x);
            m.binary(Op2::Mul, slope, dx)
        }
        Op1::Tanh => {
            let slope = one_and_square(m, Op2::Sub, y);
            m.binary(Op2::Mul, slope, dx)
        }
        Op1::Exp => {
            let y = y(m);
            let tangent = m.binary(Op2::Mul, y, dx);
            // Where the value overflows, the tangent is as large as a number can be: 1/(1 + exp(x)) then has slope zero, not NaN.
            let infinity = m.constant(f64::INFINITY);
            let overflows = m.binary(Op2::Eq, y, infinity);
            let sign = m.unary(Op1::Sign, dx);
            let largest = m.constant(f64::MAX);
            let limit = m.binary(Op2::Mul, sign, largest);
            m.select(overflows, limit, tangent)
        }
        Op1::Log => {
            let x = x(m);
            m.binary(Op2::Div, dx, x)
        }
        Op1::Log10 => {
            let x = x(m);
            let ln10 = m.constant(std::f64::consts::LN_10);
            let divisor = m.binary(Op2::Mul, x, ln10);
            m.binary(Op2::Div, dx, divisor)
        }
        Op1::Not | Op1::Sign | Op1::Floor | Op1::Ceil | Op1::Trunc => return None,
    })
}

/// The tangent of `y = op(a, b)`. `exponent` is `b` if that is a known number.
pub(crate) fn binary<A: Arithmetic>(
    m: &mut A,
    op: Op2,
    a: &Dual<'_, A>,
    b: &Dual<'_, A>,
    y: Lazy<'_, A>,
    exponent: Option<f64>,
) -> Option<A::Value> {
    if a.tangent.is_none() && b.tangent.is_none() {
        return None;
    }
    match op {
        Op2::Add => sum(m, a.tangent, b.tangent),
        Op2::Sub => match (a.tangent, b.tangent) {
            (Some(da), Some(db)) => Some(m.binary(Op2::Sub, da, db)),
            (None, Some(db)) => Some(m.unary(Op1::Neg, db)),
            (da, None) => da,
        },
        Op2::Mul => {
            let left = a.tangent.map(|da| {
                let b = (b.value)(m);
                m.binary(Op2::Mul, da, b)
            });
            let right = b.tangent.map(|db| {
                let a = (a.value)(m);
                m.binary(Op2::Mul, a, db)
            });
            sum(m, left, right)
        }
        Op2::Div => {
            let divisor = (b.value)(m);
            let numerator = match b.tangent {
                None => a.tangent?,
                Some(db) => {
                    let quotient = y(m);
                    let product = m.binary(Op2::Mul, quotient, db);
                    match a.tangent {
                        Some(da) => m.binary(Op2::Sub, da, product),
                        None => m.unary(Op1::Neg, product),
                    }
                }
            };
            Some(m.binary(Op2::Div, numerator, divisor))
        }
        Op2::Pow => {
            let by_base = a.tangent.and_then(|da| pow_by_base(m, a.value, b.value, da, exponent));
            let by_exponent = b.tangent.map(|db| {
                let (x, y) = ((a.value)(m), y(m));
                let log = m.unary(Op1::Log, x);
                let slope = m.binary(Op2::Mul, y, log);
                let tangent = m.binary(Op2::Mul, slope, db);
                // 0^p is 0 for every positive p; the logarithm of a negative base stays NaN.
                let tangent = zero_where_zero(m, x, tangent);
                zero_where_zero(m, db, tangent)
            });
            sum(m, by_base, by_exponent)
        }
        Op2::Atan2 => {
            let (y, x) = ((a.value)(m), (b.value)(m));
            let left = a.tangent.map(|dy| m.binary(Op2::Mul, x, dy));
            let right = b.tangent.map(|dx| {
                let product = m.binary(Op2::Mul, y, dx);
                m.unary(Op1::Neg, product)
            });
            let numerator = sum(m, left, right)?;
            let (yy, xx) = (m.binary(Op2::Mul, y, y), m.binary(Op2::Mul, x, x));
            let divisor = m.binary(Op2::Add, yy, xx);
            Some(m.binary(Op2::Div, numerator, divisor))
        }
        Op2::Min | Op2::Max => {
            let (x, y) = ((a.value)(m), (b.value)(m));
            let relation = if op == Op2::Min { Op2::Lt } else { Op2::Gt };
            let first = m.binary(relation, x, y);
            let da = or_zero(m, a.tangent);
            let db = or_zero(m, b.tangent);
            Some(m.select(first, da, db))
        }
        Op2::Lt | Op2::Le | Op2::Gt | Op2::Ge | Op2::Eq | Op2::Ne | Op2::And | Op2::Or => None,
    }
}

/// The tangent, or the number zero.
pub(crate) fn or_zero<A: Arithmetic>(m: &mut A, tangent: Option<A::Value>) -> A::Value {
    tangent.unwrap_or_else(|| m.constant(0.0))
}

/// The part of the tangent of `x^p` that comes from `dx`.
fn pow_by_base<A: Arithmetic>(m: &mut A, x: Lazy<'_, A>, p: Lazy<'_, A>, dx: A::Value, exponent: Option<f64>) -> Option<A::Value> {
    match exponent {
        Some(0.0) => None,
        Some(1.0) => Some(dx),
        Some(exponent) => {
            let x = x(m);
            let power = if exponent == 2.0 {
                x
            } else {
                let lower = m.constant(exponent - 1.0);
                m.binary(Op2::Pow, x, lower)
            };
            let p = m.constant(exponent);
            let slope = m.binary(Op2::Mul, p, power);
            let tangent = m.binary(Op2::Mul, slope, dx);
            Some(if exponent > 1.0 { tangent } else { zero_where_zero(m, dx, tangent) })
        }
        None => {
            let (x, p) = (x(m), p(m));
            let one = m.constant(1.0);
            let lower = m.binary(Op2::Sub, p, one);
            let power = m.binary(Op2::Pow, x, lower);
            let slope = m.binary(Op2::Mul, p, power);
            let tangent = m.binary(Op2::Mul, slope, dx);
            // x^0 is 1 even where x^(-1) is infinite.
            let tangent = zero_where_zero(m, p, tangent);
            Some(zero_where_zero(m, dx, tangent))
        }
    }
}

fn sum<A: Arithmetic>(m: &mut A, left: Option<A::Value>, right: Option<A::Value>) -> Option<A::Value> {
    match (left, right) {
        (Some(left), Some(right)) => Some(m.binary(Op2::Add, left, right)),
        (one, other) => one.or(other),
    }
}

/// The tangent, but zero where `factor` is zero.
fn zero_where_zero<A: Arithmetic>(m: &mut A, factor: A::Value, tangent: A::Value) -> A::Value {
    let zero = m.constant(0.0);
    let is_zero = m.binary(Op2::Eq, factor, zero);
    m.select(is_zero, zero, tangent)
}

/// `1 + v*v` or `1 - v*v`.
fn one_and_square<A: Arithmetic>(m: &mut A, op: Op2, v: Lazy<'_, A>) -> A::Value {
    let v = v(m);
    let square = m.binary(Op2::Mul, v, v);
    let one = m.constant(1.0);
    m.binary(op, one, square)
}
