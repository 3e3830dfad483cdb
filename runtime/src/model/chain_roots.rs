//! Roots of compositions of functions that can be inverted.
//!
//! Input: a chain, its coefficients at the present point, and a guess. Output: the values of the unknown at which the chain is zero.
//! Method: from the outermost layer inwards, each value that the layer must have gives the values that its operand may have; of functions
//! with a period those next to the operand at the guess.
//! Guarantee: as accurate as the inverse functions; what is not finite is no root. Cost: constant; nothing is allocated.

use super::closed_form::{Chain, Layer, MOST_LAYERS, SignDomain};
use crate::base::math::Op1;
use crate::base::roots::{MAX_DEGREE, real_roots};
use std::f64::consts::{FRAC_PI_2, PI};

/// Roots that are looked at.
pub const MOST_ROOTS: usize = 16;

/// A few values.
#[derive(Copy, Clone, Debug)]
pub struct Values {
    values: [f64; MOST_ROOTS],
    n: usize,
}

impl Values {
    /// No value.
    pub fn none() -> Values {
        Values { values: [0.0; MOST_ROOTS], n: 0 }
    }

    /// The values.
    pub fn as_slice(&self) -> &[f64] {
        &self.values[..self.n]
    }

    /// Adds a value, unless it is not finite or there are many.
    pub fn push(&mut self, value: f64) {
        if value.is_finite() && self.n < MOST_ROOTS {
            self.values[self.n] = value;
            self.n += 1;
        }
    }
}

/// The values of the unknown at which a chain of layers is zero.
pub fn roots(chain: &Chain, coefficients: &[f64], guess: f64) -> Values {
    let mut operands = [0.0; MOST_LAYERS];
    operands_at(chain, coefficients, guess, &mut operands);
    let mut wanted = Values::none();
    wanted.push(0.0);
    let mut rest = coefficients;
    for (layer, at_guess) in chain.layers.iter().zip(operands) {
        let (own, others) = rest.split_at(layer.n_coefficients().min(rest.len()));
        rest = others;
        let mut next = Values::none();
        for value in wanted.as_slice() {
            invert(layer, own, *value, at_guess, &mut next);
        }
        wanted = next;
    }
    wanted
}

/// The operand of each layer where the unknown has its guess.
fn operands_at(chain: &Chain, coefficients: &[f64], guess: f64, operands: &mut [f64; MOST_LAYERS]) {
    let (mut value, mut rest) = (guess, coefficients);
    for (position, layer) in chain.layers.iter().enumerate().rev() {
        let (others, own) = rest.split_at(rest.len().saturating_sub(layer.n_coefficients()));
        rest = others;
        if let Some(operand) = operands.get_mut(position) {
            *operand = value;
        }
        value = layer.eval(own, value);
    }
}

/// Adds the operands for which a layer has a value.
fn invert(layer: &Layer, own: &[f64], value: f64, at_guess: f64, found: &mut Values) {
    match layer {
        Layer::Rational { numerator, side, .. } => invert_rational(own, *numerator, *side, value, found),
        Layer::Function(function) => invert_function(*function, value, at_guess, found),
        Layer::Power => invert_power(own[0], value, found),
        Layer::Exponential => {
            if value > 0.0 {
                found.push(value.ln() / own[0].ln());
            }
        }
    }
}

fn invert_rational(own: &[f64], n_numerator: usize, side: SignDomain, value: f64, found: &mut Values) {
    let (numerator, denominator) = own.split_at(n_numerator);
    let mut equation = [0.0; MAX_DEGREE + 1];
    let n = numerator.len().max(denominator.len()).min(equation.len());
    for (power, to) in equation[..n].iter_mut().enumerate() {
        let of = |list: &[f64]| list.get(power).copied().unwrap_or(0.0);
        *to = if value == 0.0 { of(numerator) } else { of(numerator) - value * of(denominator) };
    }
    for root in real_roots(&equation[..n]).as_slice() {
        if side.admits(*root) {
            found.push(*root);
        }
    }
}

fn invert_power(exponent: f64, value: f64, found: &mut Values) {
    let is_whole = exponent == exponent.trunc() && exponent.abs() < 1e9;
    let is_odd = is_whole && exponent % 2.0 != 0.0;
    if value >= 0.0 {
        found.push(value.powf(1.0 / exponent));
        if is_whole && !is_odd {
            found.push(-value.powf(1.0 / exponent));
        }
    } else if is_odd {
        found.push(-(-value).powf(1.0 / exponent));
    }
}

fn invert_function(function: Op1, value: f64, at_guess: f64, found: &mut Values) {
    let within = |low: f64, high: f64| low <= value && value <= high;
    match function {
        Op1::Exp if value > 0.0 => found.push(value.ln()),
        Op1::Log => found.push(value.exp()),
        Op1::Log10 => found.push(10.0_f64.powf(value)),
        Op1::Sqrt if value >= 0.0 => found.push(value * value),
        Op1::Abs if value >= 0.0 => [value, -value].into_iter().for_each(|operand| found.push(operand)),
        Op1::Sin if within(-1.0, 1.0) => {
            [value.asin(), PI - value.asin()].into_iter().for_each(|base| found.push(nearest(base, 2.0 * PI, at_guess)));
        }
        Op1::Cos if within(-1.0, 1.0) => {
            [value.acos(), -value.acos()].into_iter().for_each(|base| found.push(nearest(base, 2.0 * PI, at_guess)));
        }
        Op1::Tan => found.push(nearest(value.atan(), PI, at_guess)),
        Op1::Asin if within(-FRAC_PI_2, FRAC_PI_2) => found.push(value.sin()),
        Op1::Acos if within(0.0, PI) => found.push(value.cos()),
        Op1::Atan if within(-FRAC_PI_2, FRAC_PI_2) => found.push(value.tan()),
        Op1::Sinh => found.push(value.asinh()),
        Op1::Cosh if value >= 1.0 => [value.acosh(), -value.acosh()].into_iter().for_each(|operand| found.push(operand)),
        Op1::Tanh if value.abs() < 1.0 => found.push(value.atanh()),
        _ => {}
    }
}

/// Of the values that differ by periods the one nearest to a point.
fn nearest(base: f64, period: f64, point: f64) -> f64 {
    let rounds = ((point - base) / period).round();
    if rounds.is_finite() { base + rounds * period } else { base }
}
