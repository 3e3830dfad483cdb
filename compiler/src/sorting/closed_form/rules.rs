//! Our own rules: the residual of one unknown as a composition of functions that can be inverted.
//!
//! Input: a residual and its unknown. Output: factors, or nothing where the rules do not reach. Method: a product vanishes where a
//! factor does; of each factor, arithmetic is a quotient of polynomials in one part of it (`fraction`), which is the unknown or a
//! function with an inverse of something that is looked at in the same way. Two parts are one where the second follows from the first:
//! `a` and `abs(a)` on each side of zero, `a` and `sqrt(a)`, `exp(a)` and `exp(-a)`.
//! Guarantee: every solution of the residual is a root of a chain, unless a denominator vanishes there, too; the run checks each root
//! against the residual. Cost: linear in the residual, which is bounded.

use super::fraction::{Fraction, Local, fraction};
use crate::base::ids::{ExprId, VarId};
use crate::equations::expr::{Arena, Node};
use crate::sorting::tearing::Factor;
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::closed_form::{Layer, MOST_LAYERS, SignDomain};
use rustc_hash::FxHashMap;

/// Chains of one residual.
const MOST_CHAINS: usize = 8;

/// What has to vanish for `residual = 0`, for one unknown.
pub(super) fn of_one(arena: &mut Arena, residual: ExprId, unknown: VarId) -> Option<Vec<Factor>> {
    let local = Local::new(arena, residual, &[unknown])?;
    let mut found = Vec::new();
    for factor in factors(arena, &local, residual) {
        found.extend(chains(arena, &local, factor, unknown)?);
    }
    (!found.is_empty() && found.len() <= MOST_CHAINS).then_some(found)
}

/// What may vanish for the residual to vanish.
pub(super) fn factors(arena: &Arena, local: &Local, residual: ExprId) -> Vec<ExprId> {
    let (mut found, mut stack) = (Vec::new(), vec![residual]);
    while let Some(top) = stack.pop() {
        match arena.node(top) {
            Node::Unary(Op1::Neg, a) => stack.push(a),
            Node::Binary(Op2::Mul, a, b) => stack.extend([b, a].into_iter().filter(|factor| local.depends(*factor))),
            Node::Binary(Op2::Div, a, _) if local.depends(a) => stack.push(a),
            _ if found.contains(&top) => {}
            _ => found.push(top),
        }
    }
    found
}

/// A chain that is not at its end: what its innermost layer is a function of.
struct Open {
    factor: Factor,
    operand: ExprId,
}

/// The chains of one factor; nothing if a part of it has no inverse.
fn chains(arena: &mut Arena, local: &Local, factor: ExprId, unknown: VarId) -> Option<Vec<Factor>> {
    let unknown = arena.var(unknown);
    let mut open = vec![Open { factor: Factor { of: factor, layers: Vec::new(), coefficients: Vec::new() }, operand: factor }];
    let mut closed = Vec::new();
    while let Some(Open { factor, operand }) = open.pop() {
        if factor.layers.len() + 2 > MOST_LAYERS || open.len() + closed.len() > MOST_CHAINS {
            return None;
        }
        for way in ways(arena, local, operand)? {
            let mut factor = factor.clone();
            if let Some((fraction, side)) = way.arithmetic {
                let (numerator, denominator) = (fraction.numerator.len(), fraction.denominator.len());
                factor.layers.push(Layer::Rational { numerator, denominator, side });
                factor.coefficients.extend(fraction.numerator.into_iter().chain(fraction.denominator));
            }
            if way.part == unknown {
                closed.push(factor);
                continue;
            }
            let (layer, coefficient, operand) = inverted(arena, local, way.part)?;
            factor.layers.push(layer);
            factor.coefficients.extend(coefficient);
            open.push(Open { factor, operand });
        }
    }
    closed.reverse();
    Some(closed)
}

/// An expression as arithmetic of one part; without arithmetic it is the part.
struct Way {
    arithmetic: Option<(Fraction, SignDomain)>,
    part: ExprId,
}

/// All ways in which an expression is arithmetic of one part, one for each side of zero where they differ.
fn ways(arena: &mut Arena, local: &Local, expr: ExprId) -> Option<Vec<Way>> {
    let atoms = local.atoms(arena, expr);
    if atoms == [expr] {
        return Some(vec![Way { arithmetic: None, part: expr }]);
    }
    let readings = match atoms[..] {
        [part] => vec![(vec![(part, Fraction::power(arena, 1.0, 1))], SignDomain::Both)],
        [a, b] => related(arena, a, b).or_else(|| related(arena, b, a))?,
        _ => return None,
    };
    readings.into_iter().map(|(parts, side)| way(arena, local, expr, parts, side)).collect()
}

/// What the atoms of an expression are, the one that the others follow from first, and where that holds.
type Reading = (Vec<(ExprId, Fraction)>, SignDomain);

fn way(arena: &mut Arena, local: &Local, expr: ExprId, parts: Vec<(ExprId, Fraction)>, side: SignDomain) -> Option<Way> {
    let part = parts.first()?.0;
    let map: FxHashMap<ExprId, Fraction> = parts.into_iter().collect();
    let made = fraction(arena, local, expr, &map).filter(|made| made.numerator.len() > 1)?;
    Some(Way { arithmetic: Some((made, side)), part })
}

/// How the second of two atoms follows from the first, or the first from the second.
fn related(arena: &mut Arena, a: ExprId, b: ExprId) -> Option<Vec<Reading>> {
    let mut power = |factor: f64, power: usize| Fraction::power(arena, factor, power);
    let (one, minus, square) = (power(1.0, 1), power(-1.0, 1), power(1.0, 2));
    match (arena.node(a), arena.node(b)) {
        (_, Node::Unary(Op1::Abs, of)) if of == a => {
            let side = |of_b: Fraction, side: SignDomain| (vec![(a, one.clone()), (b, of_b)], side);
            Some(vec![side(one.clone(), SignDomain::Positive), side(minus, SignDomain::Negative)])
        }
        (_, Node::Unary(Op1::Sqrt, of)) if of == a => Some(vec![(vec![(b, one), (a, square)], SignDomain::Positive)]),
        (Node::Unary(Op1::Exp, of_a), Node::Unary(Op1::Exp, of_b)) if arena.neg(of_a) == of_b => {
            Some(vec![(vec![(a, one.clone()), (b, one.reciprocal())], SignDomain::Both)])
        }
        _ => None,
    }
}

/// The layer of a function that can be inverted, its coefficient, and its operand.
fn inverted(arena: &Arena, local: &Local, expr: ExprId) -> Option<(Layer, Option<ExprId>, ExprId)> {
    match arena.node(expr) {
        Node::Unary(function, a) if Layer::has_inverse(function) => Some((Layer::Function(function), None, a)),
        Node::Binary(Op2::Pow, a, b) if local.depends(a) && !local.depends(b) => Some((Layer::Power, Some(b), a)),
        Node::Binary(Op2::Pow, a, b) if local.depends(b) && !local.depends(a) => Some((Layer::Exponential, Some(a), b)),
        _ => None,
    }
}
