//! Lowers the elementary operations to Cranelift instructions that give the same bits as `runtime::math`.
//!
//! Arithmetic, comparisons, rounding and selection are single instructions of the machine with IEEE semantics; everything else
//! is a call of the very function the interpreter calls. Nothing is contracted or reassociated.
//! Booleans stay bits while only conditions read them and become 0.0 or 1.0 when a number is needed.

use cranelift::prelude::{FloatCC, FunctionBuilder, InstBuilder, IntCC, Value};
use partita_runtime::base::math::{Op1, Op2};

/// A lowered value: a double, or a Boolean as a bit.
#[derive(Copy, Clone, Debug)]
pub(super) enum Lowered {
    Number(Value),
    Bit(Value),
}

/// Operations of one operand that are calls.
pub(super) const CALLED1: [Op1; 12] =
    [Op1::Sin, Op1::Cos, Op1::Tan, Op1::Asin, Op1::Acos, Op1::Atan, Op1::Sinh, Op1::Cosh, Op1::Tanh, Op1::Exp, Op1::Log, Op1::Log10];

/// Operations of two operands that are calls.
pub(super) const CALLED2: [Op2; 2] = [Op2::Pow, Op2::Atan2];

/// Calls the function of an operation that is not a machine instruction.
pub(super) trait Externals {
    /// Calls the function of `op`.
    fn call1(&mut self, builder: &mut FunctionBuilder<'_>, op: Op1, a: Value) -> Value;
    /// Calls the function of `op`.
    fn call2(&mut self, builder: &mut FunctionBuilder<'_>, op: Op2, a: Value, b: Value) -> Value;
}

impl Lowered {
    /// As a double.
    pub(super) fn number(self, builder: &mut FunctionBuilder<'_>) -> Value {
        match self {
            Lowered::Number(value) => value,
            Lowered::Bit(bit) => {
                let one = builder.ins().f64const(1.0);
                let zero = builder.ins().f64const(0.0);
                builder.ins().select(bit, one, zero)
            }
        }
    }

    /// As a condition: not 0.0.
    pub(super) fn bit(self, builder: &mut FunctionBuilder<'_>) -> Value {
        match self {
            Lowered::Bit(bit) => bit,
            Lowered::Number(value) => {
                let zero = builder.ins().f64const(0.0);
                builder.ins().fcmp(FloatCC::NotEqual, value, zero)
            }
        }
    }
}

/// Lowers an operation of one operand.
pub(super) fn unary(builder: &mut FunctionBuilder<'_>, externals: &mut impl Externals, op: Op1, a: Lowered) -> Lowered {
    if op == Op1::Not {
        let bit = a.bit(builder);
        return Lowered::Bit(builder.ins().icmp_imm_u(IntCC::Equal, bit, 0));
    }
    let a = a.number(builder);
    Lowered::Number(match op {
        Op1::Neg => builder.ins().fneg(a),
        Op1::Abs => builder.ins().fabs(a),
        Op1::Sqrt => builder.ins().sqrt(a),
        Op1::Floor => builder.ins().floor(a),
        Op1::Ceil => builder.ins().ceil(a),
        Op1::Trunc => builder.ins().trunc(a),
        Op1::Sign => {
            let zero = builder.ins().f64const(0.0);
            let one = builder.ins().f64const(1.0);
            let minus_one = builder.ins().f64const(-1.0);
            // Keeps NaN and the sign of zero.
            let rest = builder.ins().fmul(a, zero);
            let negative = builder.ins().fcmp(FloatCC::LessThan, a, zero);
            let other = builder.ins().select(negative, minus_one, rest);
            let positive = builder.ins().fcmp(FloatCC::GreaterThan, a, zero);
            builder.ins().select(positive, one, other)
        }
        Op1::Not
        | Op1::Sin
        | Op1::Cos
        | Op1::Tan
        | Op1::Asin
        | Op1::Acos
        | Op1::Atan
        | Op1::Sinh
        | Op1::Cosh
        | Op1::Tanh
        | Op1::Exp
        | Op1::Log
        | Op1::Log10 => externals.call1(builder, op, a),
    })
}

/// Lowers an operation of two operands. `exponent` is the second operand if it is a known number.
pub(super) fn binary(
    builder: &mut FunctionBuilder<'_>,
    externals: &mut impl Externals,
    op: Op2,
    a: Lowered,
    b: Lowered,
    exponent: Option<f64>,
) -> Lowered {
    if matches!(op, Op2::And | Op2::Or) {
        let (a, b) = (a.bit(builder), b.bit(builder));
        return Lowered::Bit(if op == Op2::And { builder.ins().band(a, b) } else { builder.ins().bor(a, b) });
    }
    let (a, b) = (a.number(builder), b.number(builder));
    let relation = match op {
        Op2::Lt | Op2::Min => Some(FloatCC::LessThan),
        Op2::Gt | Op2::Max => Some(FloatCC::GreaterThan),
        Op2::Le => Some(FloatCC::LessThanOrEqual),
        Op2::Ge => Some(FloatCC::GreaterThanOrEqual),
        Op2::Eq => Some(FloatCC::Equal),
        // True for NaN, as in Rust.
        Op2::Ne => Some(FloatCC::NotEqual),
        _ => None,
    };
    if let Some(relation) = relation {
        let bit = builder.ins().fcmp(relation, a, b);
        return match op {
            Op2::Min | Op2::Max => Lowered::Number(builder.ins().select(bit, a, b)),
            _ => Lowered::Bit(bit),
        };
    }
    Lowered::Number(match op {
        Op2::Add => builder.ins().fadd(a, b),
        Op2::Sub => builder.ins().fsub(a, b),
        Op2::Mul => builder.ins().fmul(a, b),
        Op2::Div => builder.ins().fdiv(a, b),
        Op2::Pow if exponent == Some(2.0) => builder.ins().fmul(a, a),
        Op2::Pow | Op2::Atan2 => externals.call2(builder, op, a, b),
        Op2::Min | Op2::Max | Op2::Lt | Op2::Le | Op2::Gt | Op2::Ge | Op2::Eq | Op2::Ne | Op2::And | Op2::Or => {
            unreachable!("{op:?} is lowered above")
        }
    })
}

/// Lowers `if c then a else b`.
pub(super) fn select(builder: &mut FunctionBuilder<'_>, c: Lowered, a: Lowered, b: Lowered) -> Lowered {
    let condition = c.bit(builder);
    if let (Lowered::Bit(a), Lowered::Bit(b)) = (a, b) {
        return Lowered::Bit(builder.ins().select(condition, a, b));
    }
    let (a, b) = (a.number(builder), b.number(builder));
    Lowered::Number(builder.ins().select(condition, a, b))
}
