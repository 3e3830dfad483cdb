//! The elementary operations. The constant folder, the interpreter and generated code all compute through these, so that
//! they agree to the last bit. Booleans are 0.0 and 1.0; Integers and enumerations are whole doubles.

use serde::{Deserialize, Serialize};

/// Integers are exact up to this size: the next one cannot be told from the one after it.
pub const LARGEST_INTEGER: i64 = (1 << 53) - 1;

/// Operations of one operand.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each variant is the function of its name")]
pub enum Op1 {
    Neg,
    Not,
    Abs,
    Sign,
    Sqrt,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Log,
    Log10,
    Floor,
    Ceil,
    /// Towards zero.
    Trunc,
}

/// Operations of two operands. Relations give 0.0 or 1.0; a relation with a NaN is false except `Ne`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each variant is the operator of its name")]
pub enum Op2 {
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    Atan2,
    Min,
    Max,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
}

impl Op1 {
    /// All of them.
    pub const ALL: [Op1; 20] = {
        use Op1::*;
        [Neg, Not, Abs, Sign, Sqrt, Sin, Cos, Tan, Asin, Acos, Atan, Sinh, Cosh, Tanh, Exp, Log, Log10, Floor, Ceil, Trunc]
    };
}

impl Op2 {
    /// All of them: eight of numbers, six relations, two of truths.
    pub const ALL: [Op2; 16] = {
        use Op2::*;
        [Add, Sub, Mul, Div, Pow, Atan2, Min, Max, Lt, Le, Gt, Ge, Eq, Ne, And, Or]
    };

    /// A relation as Modelica writes it.
    pub fn relation_sign(self) -> &'static str {
        match self {
            Op2::Lt => "<",
            Op2::Le => "<=",
            Op2::Gt => ">",
            Op2::Ge => ">=",
            Op2::Eq => "==",
            _ => "<>",
        }
    }
}

fn truth(b: bool) -> f64 {
    if b { 1.0 } else { 0.0 }
}

impl Op1 {
    /// The value of the operation.
    pub fn eval(self, a: f64) -> f64 {
        match self {
            Op1::Neg => -a,
            Op1::Not => truth(a == 0.0),
            Op1::Abs => a.abs(),
            Op1::Sign => {
                if a > 0.0 {
                    1.0
                } else if a < 0.0 {
                    -1.0
                } else {
                    a * 0.0
                }
            }
            Op1::Sqrt => a.sqrt(),
            Op1::Sin => a.sin(),
            Op1::Cos => a.cos(),
            Op1::Tan => a.tan(),
            Op1::Asin => a.asin(),
            Op1::Acos => a.acos(),
            Op1::Atan => a.atan(),
            Op1::Sinh => a.sinh(),
            Op1::Cosh => a.cosh(),
            Op1::Tanh => a.tanh(),
            Op1::Exp => a.exp(),
            Op1::Log => a.ln(),
            Op1::Log10 => a.log10(),
            Op1::Floor => a.floor(),
            Op1::Ceil => a.ceil(),
            Op1::Trunc => a.trunc(),
        }
    }
}

impl Op2 {
    /// The value of the operation.
    pub fn eval(self, a: f64, b: f64) -> f64 {
        match self {
            Op2::Add => a + b,
            Op2::Sub => a - b,
            Op2::Mul => a * b,
            Op2::Div => a / b,
            Op2::Pow => pow(a, b),
            Op2::Atan2 => a.atan2(b),
            Op2::Min => {
                if a < b {
                    a
                } else {
                    b
                }
            }
            Op2::Max => {
                if a > b {
                    a
                } else {
                    b
                }
            }
            Op2::Lt => truth(a < b),
            Op2::Le => truth(a <= b),
            Op2::Gt => truth(a > b),
            Op2::Ge => truth(a >= b),
            Op2::Eq => truth(a == b),
            Op2::Ne => truth(a != b),
            Op2::And => truth(a != 0.0 && b != 0.0),
            Op2::Or => truth(a != 0.0 || b != 0.0),
        }
    }

    /// A relation: `<`, `<=`, `>`, `>=`, `==`, `<>`.
    pub fn is_relation(self) -> bool {
        matches!(self, Op2::Lt | Op2::Le | Op2::Gt | Op2::Ge | Op2::Eq | Op2::Ne)
    }
}

/// Power; whole small exponents multiply, so that `x^2` is `x*x`.
pub fn pow(a: f64, b: f64) -> f64 {
    if b == 2.0 { a * a } else { a.powf(b) }
}
