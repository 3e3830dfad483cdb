//! What has to vanish for a block to be solved: compositions of functions of one unknown that can be inverted.

use crate::base::math::Op1;
use serde::{Deserialize, Serialize};

/// How deep compositions are.
pub const MOST_LAYERS: usize = 16;

/// Functions of each other: the first has to be zero, the last is one of the unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    /// From the outermost inwards.
    pub layers: Vec<Layer>,
}

/// A function with known coefficients.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Layer {
    /// The quotient of two polynomials.
    Rational {
        /// Coefficients of the numerator, from the constant on.
        numerator: usize,
        /// Coefficients of the denominator.
        denominator: usize,
        /// It is this quotient where its operand has this sign.
        side: SignDomain,
    },
    /// An elementary function.
    Function(Op1),
    /// The operand to the power of the coefficient.
    Power,
    /// The coefficient to the power of the operand.
    Exponential,
}

/// Signs of numbers.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SignDomain {
    /// Any.
    Both,
    /// Not negative.
    Positive,
    /// Not positive.
    Negative,
}

impl SignDomain {
    /// Whether a number has such a sign.
    pub fn admits(self, value: f64) -> bool {
        match self {
            SignDomain::Both => true,
            SignDomain::Positive => value >= 0.0,
            SignDomain::Negative => value <= 0.0,
        }
    }
}

impl Chain {
    /// Coefficients of all layers.
    pub fn n_coefficients(&self) -> usize {
        self.layers.iter().map(Layer::n_coefficients).sum()
    }

    /// The value where the unknown has one; nothing outside of the side of a layer.
    pub fn eval(&self, coefficients: &[f64], unknown: f64) -> Option<f64> {
        let (mut value, mut rest) = (unknown, coefficients);
        for layer in self.layers.iter().rev() {
            let (others, own) = rest.split_at(rest.len().checked_sub(layer.n_coefficients())?);
            rest = others;
            if matches!(layer, Layer::Rational { side, .. } if !side.admits(value)) {
                return None;
            }
            value = layer.eval(own, value);
        }
        Some(value)
    }
}

impl Layer {
    /// Whether the operand follows from the value of a function, up to a few choices.
    pub fn has_inverse(function: Op1) -> bool {
        use Op1::{Abs, Acos, Asin, Atan, Cos, Cosh, Exp, Log, Log10, Sin, Sinh, Sqrt, Tan, Tanh};
        matches!(function, Abs | Acos | Asin | Atan | Cos | Cosh | Exp | Log | Log10 | Sin | Sinh | Sqrt | Tan | Tanh)
    }

    /// Its coefficients.
    pub fn n_coefficients(&self) -> usize {
        match self {
            Layer::Rational { numerator, denominator, .. } => numerator + denominator,
            Layer::Function(_) => 0,
            Layer::Power | Layer::Exponential => 1,
        }
    }

    /// Its value.
    pub fn eval(&self, own: &[f64], operand: f64) -> f64 {
        let polynomial = |c: &[f64]| c.iter().rev().fold(0.0, |sum, c| sum * operand + c);
        match self {
            Layer::Rational { numerator, .. } => {
                let (numerator, denominator) = own.split_at(*numerator);
                polynomial(numerator) / polynomial(denominator)
            }
            Layer::Function(function) => function.eval(operand),
            Layer::Power => operand.powf(own[0]),
            Layer::Exponential => own[0].powf(operand),
        }
    }
}
