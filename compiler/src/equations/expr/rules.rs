//! The rules of differentiation of the elementary operations: one table for expressions, code of kernels and code of functions.
//!
//! Each rule emits the tangent of `y = op(x)` through an [`Arithmetic`]. Operands and results come as functions, so that a
//! value that a rule does not need is never computed. At kinks the tangent is that of one side (`abs(0)`: of the positive
//! one). Where a slope is infinite (`sqrt(0)`, `x^0.5` at 0) a direction of zero still gives zero and not NaN, and where
//! `exp` overflows its slope is the largest number, for those that look at tangents ([`Arithmetic::LOOKS_AT_TANGENTS`]).

use partita_runtime::base::math::{Op1, Op2};

/// Something that operations can be emitted to.
pub(crate) trait Arithmetic {
    /// A value.
    type Value: Copy;
    /// Tangents are numbers, which may be zero where a slope is infinite. In equations that are solved for tangents they are
    /// unknowns: these must stay affine in them, and whoever solves or evaluates them meets the infinite slope.
    const LOOKS_AT_TANGENTS: bool = true;
    /// A number.
    fn constant(&mut self, value: f64) -> Self::Value;
    /// An operation of one operand.
    fn unary(&mut self, op: Op1, a: Self::Value) -> Self::Value;
    /// An operation of two operands.
    fn binary(&mut self, op: Op2, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `if c then a else b`.
    fn select(&mut self, c: Self::Value, a: Self::Value, b: Self::Value) -> Self::Value;
    /// Whether two operands are known to be one, so that shorter forms can be chosen.
    fn are_same(&mut self, _a: Lazy<'_, Self>, _b: Lazy<'_, Self>) -> bool
    where
        Self: Sized,
    {
        false
    }
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
            let (zero, one, minus_one) = (m.constant(0.0), m.constant(1.0), m.constant(-1.0));
            let negative = m.binary(Op2::Lt, x, zero);
            let slope = m.select(negative, minus_one, one);
            m.binary(Op2::Mul, slope, dx)
        }
        Op1::Sqrt => {
            let y = y(m);
            let two_y = m.binary(Op2::Add, y, y);
            let tangent = m.binary(Op2::Div, dx, two_y);
            zero_in_direction_zero(m, dx, tangent)
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
            let tangent = zero_in_direction_zero(m, dx, tangent);
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
            if !A::LOOKS_AT_TANGENTS {
                return Some(tangent);
            }
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
        Op2::Mul if a.tangent.is_some() && m.are_same(a.value, b.value) => {
            let (two, x) = (m.constant(2.0), (a.value)(m));
            let slope = m.binary(Op2::Mul, two, x);
            a.tangent.map(|da| m.binary(Op2::Mul, slope, da))
        }
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
        // (da - y*db)/b: the quotient y is there already, and b*b could overflow.
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
                // 0^p is 0 for every positive p; the logarithm of a negative base stays NaN.
                let slope = zero_where_zero(m, x, slope);
                let tangent = m.binary(Op2::Mul, slope, db);
                zero_in_direction_zero(m, db, tangent)
            });
            sum(m, by_base, by_exponent)
        }
        Op2::Atan2 => atan2(m, a, b),
        // The comparisons are those of `runtime::math`, so the slope is that of the operand which was taken.
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

/// The tangent of `atan2(y, x)`.
fn atan2<A: Arithmetic>(m: &mut A, a: &Dual<'_, A>, b: &Dual<'_, A>) -> Option<A::Value> {
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
            Some(if exponent > 1.0 { tangent } else { zero_in_direction_zero(m, dx, tangent) })
        }
        None => {
            let (x, p) = (x(m), p(m));
            let one = m.constant(1.0);
            let lower = m.binary(Op2::Sub, p, one);
            let power = m.binary(Op2::Pow, x, lower);
            let slope = m.binary(Op2::Mul, p, power);
            // x^0 is 1 even where x^(-1) is infinite.
            let slope = zero_where_zero(m, p, slope);
            let tangent = m.binary(Op2::Mul, slope, dx);
            Some(zero_in_direction_zero(m, dx, tangent))
        }
    }
}

fn sum<A: Arithmetic>(m: &mut A, left: Option<A::Value>, right: Option<A::Value>) -> Option<A::Value> {
    match (left, right) {
        (Some(left), Some(right)) => Some(m.binary(Op2::Add, left, right)),
        (one, other) => one.or(other),
    }
}

/// The tangent in the direction `direction`, but zero where that is zero.
fn zero_in_direction_zero<A: Arithmetic>(m: &mut A, direction: A::Value, tangent: A::Value) -> A::Value {
    if A::LOOKS_AT_TANGENTS { zero_where_zero(m, direction, tangent) } else { tangent }
}

/// A value, but zero where `factor` is zero.
fn zero_where_zero<A: Arithmetic>(m: &mut A, factor: A::Value, value: A::Value) -> A::Value {
    let zero = m.constant(0.0);
    let is_zero = m.binary(Op2::Eq, factor, zero);
    m.select(is_zero, zero, value)
}

/// `1 + v*v` or `1 - v*v`.
fn one_and_square<A: Arithmetic>(m: &mut A, op: Op2, v: Lazy<'_, A>) -> A::Value {
    let v = v(m);
    let square = m.binary(Op2::Mul, v, v);
    let one = m.constant(1.0);
    m.binary(op, one, square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::VarId;
    use crate::equations::expr::Arena;
    use crate::equations::expr::derive::partial;
    use crate::equations::expr::eval::eval;
    use crate::equations::expr::testing::Random;
    use cranelift_entity::EntityRef;

    /// The rules on numbers, as code has them.
    struct Numbers;

    impl Arithmetic for Numbers {
        type Value = f64;

        fn constant(&mut self, value: f64) -> f64 {
            value
        }

        fn unary(&mut self, op: Op1, a: f64) -> f64 {
            op.eval(a)
        }

        fn binary(&mut self, op: Op2, a: f64, b: f64) -> f64 {
            op.eval(a, b)
        }

        fn select(&mut self, c: f64, a: f64, b: f64) -> f64 {
            if c != 0.0 { a } else { b }
        }
    }

    fn slope(op: Op1, x: f64, dx: f64) -> f64 {
        super::unary(&mut Numbers, op, &|_| x, &|_| op.eval(x), dx).unwrap_or(0.0)
    }

    fn slope2(op: Op2, (a, da): (f64, Option<f64>), (b, db): (f64, Option<f64>), exponent: Option<f64>) -> f64 {
        let (left, right) = (Dual { value: &|_: &mut Numbers| a, tangent: da }, Dual { value: &|_: &mut Numbers| b, tangent: db });
        super::binary(&mut Numbers, op, &left, &right, &|_| op.eval(a, b), exponent).unwrap_or(0.0)
    }

    /// The slope that an expression of `x` and `y` gets, with respect to one of them.
    fn in_expression(make: impl Fn(&mut Arena) -> crate::base::ids::ExprId, var: usize, point: [f64; 2]) -> f64 {
        let mut arena = Arena::default();
        let expr = make(&mut arena);
        let derivative = partial(&mut arena, expr, VarId::new(var)).expect("no calls");
        eval(&arena, derivative, &|var| point[var.index()])
    }

    fn is_same(a: f64, b: f64) -> bool {
        a == b || a.is_nan() && b.is_nan()
    }

    #[test]
    fn expressions_and_code_agree_with_differences_everywhere() {
        let mut random = Random::new(7);
        let close = |exact: f64, difference: f64| (exact - difference).abs() < 1e-5 * (1.0 + exact.abs());
        for _ in 0..40 {
            let (x, y, h) = (0.05 + 0.9 * random.unit(), 0.05 + 0.9 * random.unit(), 1e-6);
            for op in Op1::ALL {
                let exact = slope(op, x, 1.0);
                let difference = (op.eval(x + h) - op.eval(x - h)) / (2.0 * h);
                assert!(close(exact, difference), "{op:?} at {x}: {exact} {difference}");
                let expression = in_expression(
                    |arena| {
                        let x = arena.var(VarId::new(0));
                        arena.unary(op, x)
                    },
                    0,
                    [x, y],
                );
                assert!(is_same(expression, exact), "{op:?} at {x}: {expression} {exact}");
            }
            for op in Op2::ALL[..8].iter().copied() {
                for var in 0..2 {
                    let moved = |h: f64| if var == 0 { op.eval(x + h, y) } else { op.eval(x, y + h) };
                    let along = |this: usize| (this == var).then_some(1.0);
                    let exact = slope2(op, (x, along(0)), (y, along(1)), None);
                    let difference = (moved(h) - moved(-h)) / (2.0 * h);
                    assert!((x - y).abs() < 3.0 * h || close(exact, difference), "{op:?} at {x}, {y}: {exact} {difference}");
                    let make = |arena: &mut Arena| {
                        let (x, y) = (arena.var(VarId::new(0)), arena.var(VarId::new(1)));
                        arena.binary(op, x, y)
                    };
                    let expression = in_expression(make, var, [x, y]);
                    assert!(close(expression, exact), "{op:?} at {x}, {y}: {expression} {exact}");
                }
            }
        }
    }

    #[test]
    fn kinks_are_the_same_in_expressions_and_code() {
        // The operation, the point, the slope there in code.
        let kinks = [
            (Op1::Abs, 0.0, 1.0),
            (Op1::Abs, -0.0, 1.0),
            (Op1::Abs, -2.0, -1.0),
            (Op1::Sqrt, 0.0, f64::INFINITY),
            (Op1::Asin, 1.0, f64::INFINITY),
            (Op1::Acos, 1.0, f64::NEG_INFINITY),
            (Op1::Log, 0.0, f64::INFINITY),
            (Op1::Sign, 0.0, 0.0),
            (Op1::Floor, 3.0, 0.0),
            (Op1::Tanh, 800.0, 0.0),
        ];
        for (op, x, expected) in kinks {
            assert!(is_same(slope(op, x, 1.0), expected), "{op:?} at {x}: {}", slope(op, x, 1.0));
            let expression = in_expression(
                |arena| {
                    let x = arena.var(VarId::new(0));
                    arena.unary(op, x)
                },
                0,
                [x, 0.0],
            );
            assert!(is_same(expression, expected), "{op:?} at {x}: {expression}");
            assert_eq!(if op == Op1::Log { 0.0 } else { slope(op, x, 0.0) }, 0.0, "{op:?} at {x} in the direction zero");
        }
        assert_eq!((slope(Op1::Exp, 800.0, 2.0), slope(Op1::Exp, 800.0, 0.0)), (f64::MAX * 1.0, 0.0));
        // Powers at zero: by the base, by the exponent, with exponents that are known or not.
        for (base, exponent, by_base, by_exponent) in [
            (0.0, 0.0, 0.0, 0.0),
            (0.0, 0.5, f64::INFINITY, 0.0),
            (0.0, 1.0, 1.0, 0.0),
            (0.0, 2.0, 0.0, 0.0),
            (2.0, 0.0, 0.0, std::f64::consts::LN_2),
        ] {
            let make = |arena: &mut Arena| {
                let (x, y) = (arena.var(VarId::new(0)), arena.var(VarId::new(1)));
                arena.pow(x, y)
            };
            let at = [base, exponent];
            for (var, expected) in [by_base, by_exponent].into_iter().enumerate() {
                let along = |this: usize| (this == var).then_some(1.0);
                let code = slope2(Op2::Pow, (base, along(0)), (exponent, along(1)), None);
                assert_eq!(code, expected, "{base}^{exponent} by {var}");
                assert_eq!(in_expression(make, var, at), expected, "{base}^{exponent} by {var} in an expression");
            }
            assert_eq!(slope2(Op2::Pow, (base, Some(1.0)), (exponent, None), Some(exponent)), by_base, "{base}^{exponent}");
            assert_eq!(slope2(Op2::Pow, (base, Some(0.0)), (exponent, None), Some(exponent)), 0.0, "{base}^{exponent}");
        }
        // Where both operands are equal, the second is taken, as `runtime::math` does.
        for op in [Op2::Min, Op2::Max] {
            let make = |arena: &mut Arena| {
                let (x, y) = (arena.var(VarId::new(0)), arena.var(VarId::new(1)));
                arena.binary(op, x, y)
            };
            assert_eq!((in_expression(make, 0, [1.0, 1.0]), in_expression(make, 1, [1.0, 1.0])), (0.0, 1.0));
            assert_eq!(slope2(op, (1.0, Some(1.0)), (1.0, None), None), 0.0);
        }
    }
}
