//! Rational systems of a few unknowns, reduced to polynomials in one of them by an algebra system (feature `symbolica`).
//!
//! Input: residuals and as many unknowns. Output: one branch, or nothing where the residuals are not rational in the unknowns or a bound is
//! exceeded. Method: whatever does not contain the unknowns, and constants that are no short fractions, become symbols; `groebner` reduces the
//! rest. Guarantee: that of `groebner`; the run checks each root against the residuals. Cost: bounded.

mod groebner;
mod steps;

use super::fraction::{Local, whole_exponent};
use crate::base::ids::{ExprId, VarId};
use crate::equations::expr::{Arena, Node};
use crate::sorting::tearing::{Branch, Factor};
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::closed_form::{Layer, SignDomain};
use rustc_hash::FxHashMap;
use steps::{Reduced, Step, Steps, System};

/// Symbols of one system.
const MOST_SYMBOLS: usize = 10;
/// Numerators of constants that are no symbols, and the power of two that their denominators are at most.
const MOST_NUMERATOR: f64 = 1_048_576.0;
const MOST_DENOMINATOR: f64 = 1024.0;

/// The branches of a system.
pub(super) fn branches(arena: &mut Arena, residuals: &[ExprId], unknowns: &[VarId]) -> Option<Vec<Branch>> {
    let mut reader = Reader { unknowns, made: FxHashMap::default(), symbols: Vec::new(), steps: Steps::default() };
    let residuals = residuals.iter().map(|residual| reader.read(arena, *residual)).collect::<Option<Vec<usize>>>()?;
    let Reader { symbols, steps, .. } = reader;
    let reduced = groebner::reduce(System { n_unknowns: unknowns.len(), n_symbols: symbols.len(), steps, residuals })?;
    Some(vec![branch(arena, &reduced, unknowns, &symbols)])
}

/// Reads expressions as steps.
struct Reader<'a> {
    unknowns: &'a [VarId],
    made: FxHashMap<ExprId, usize>,
    symbols: Vec<ExprId>,
    steps: Steps,
}

impl Reader<'_> {
    fn read(&mut self, arena: &mut Arena, expr: ExprId) -> Option<usize> {
        let local = Local::new(arena, expr, self.unknowns)?;
        let mut stack = vec![expr];
        while let Some(&top) = stack.last() {
            if self.made.contains_key(&top) {
                stack.pop();
                continue;
            }
            if !local.depends(top) {
                let step = self.known(arena, top)?;
                self.made.insert(top, step);
                continue;
            }
            let waiting = stack.len();
            stack.extend(arithmetic(arena, top)?.into_iter().filter(|operand| !self.made.contains_key(operand)));
            if stack.len() == waiting {
                let step = self.combined(arena, top)?;
                self.made.insert(top, step);
            }
        }
        self.made.get(&expr).copied()
    }

    /// What does not contain an unknown: a number or a symbol; nothing if there are too many.
    fn known(&mut self, arena: &Arena, expr: ExprId) -> Option<usize> {
        let exact = |c: &f64| (c * MOST_DENOMINATOR).fract() == 0.0 && (c * MOST_DENOMINATOR).abs() <= MOST_NUMERATOR;
        if let Some(constant) = arena.as_constant(expr).filter(exact) {
            return Some(self.steps.number((constant * MOST_DENOMINATOR) as i64, MOST_DENOMINATOR as i64));
        }
        let next = self.symbols.len();
        let symbol = self.symbols.iter().position(|known| *known == expr).unwrap_or(next);
        if symbol == next {
            self.symbols.push(expr);
        }
        (self.symbols.len() <= MOST_SYMBOLS).then(|| self.steps.add(Step::Variable(self.unknowns.len() + symbol)))
    }

    /// The step of an expression whose operands have theirs.
    fn combined(&mut self, arena: &Arena, expr: ExprId) -> Option<usize> {
        let steps = &mut self.steps;
        let minus = steps.number(-1, 1);
        let at = |operand: ExprId| self.made.get(&operand).copied();
        Some(match arena.node(expr) {
            Node::Var(var) => {
                let unknown = self.unknowns.iter().position(|unknown| *unknown == var)?;
                steps.add(Step::Variable(unknown))
            }
            Node::Unary(Op1::Neg, a) => steps.add(Step::Mul(minus, at(a)?)),
            Node::Binary(Op2::Add, a, b) => steps.add(Step::Add(at(a)?, at(b)?)),
            Node::Binary(Op2::Sub, a, b) => {
                let negated = steps.add(Step::Mul(minus, at(b)?));
                steps.add(Step::Add(at(a)?, negated))
            }
            Node::Binary(Op2::Mul, a, b) => steps.add(Step::Mul(at(a)?, at(b)?)),
            Node::Binary(Op2::Div, a, b) => steps.add(Step::Div(at(a)?, at(b)?)),
            Node::Binary(Op2::Pow, a, b) => {
                let exponent = whole_exponent(arena, b)?;
                let power = steps.power(at(a)?, exponent.unsigned_abs());
                if exponent > 0 {
                    power
                } else {
                    let one = steps.number(1, 1);
                    steps.add(Step::Div(one, power))
                }
            }
            _ => return None,
        })
    }
}

/// The operands of an expression with unknowns through which arithmetic is followed; nothing where it is no arithmetic.
fn arithmetic(arena: &Arena, expr: ExprId) -> Option<Vec<ExprId>> {
    match arena.node(expr) {
        Node::Var(_) => Some(Vec::new()),
        Node::Unary(Op1::Neg, a) => Some(vec![a]),
        Node::Binary(Op2::Add | Op2::Sub | Op2::Mul | Op2::Div, a, b) => Some(vec![a, b]),
        Node::Binary(Op2::Pow, a, b) if whole_exponent(arena, b).is_some() => Some(vec![a]),
        _ => None,
    }
}

/// A reduced system as a branch.
fn branch(arena: &mut Arena, reduced: &Reduced, unknowns: &[VarId], symbols: &[ExprId]) -> Branch {
    let mut values: Vec<ExprId> = Vec::with_capacity(reduced.steps.list.len());
    for step in &reduced.steps.list {
        let value = match *step {
            Step::Number(above, below) => arena.constant(above as f64 / below as f64),
            Step::Variable(variable) if variable < unknowns.len() => arena.var(unknowns[variable]),
            Step::Variable(variable) => symbols[variable - unknowns.len()],
            Step::Add(a, b) => arena.add(values[a], values[b]),
            Step::Mul(a, b) => arena.mul(values[a], values[b]),
            Step::Div(a, b) => arena.div(values[a], values[b]),
        };
        values.push(value);
    }
    let unknown = arena.var(unknowns[reduced.unknown]);
    let one = arena.one();
    let factor = |arena: &mut Arena, coefficients: &[usize]| {
        let mut of = arena.zero();
        for step in coefficients.iter().rev() {
            let product = arena.mul(of, unknown);
            of = arena.add(product, values[*step]);
        }
        Factor {
            of,
            layers: vec![Layer::Rational { numerator: coefficients.len(), denominator: 1, side: SignDomain::Both }],
            coefficients: coefficients.iter().map(|step| values[*step]).chain([one]).collect(),
        }
    };
    Branch {
        unknown: reduced.unknown,
        factors: reduced.factors.iter().map(|coefficients| factor(arena, coefficients)).collect(),
        others: reduced.others.iter().map(|(position, step)| (*position, values[*step])).collect(),
    }
}
