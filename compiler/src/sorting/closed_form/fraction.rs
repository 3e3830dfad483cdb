//! An expression as a quotient of polynomials in one of its parts.
//!
//! Input: an expression and what the parts are that arithmetic combines. Output: the coefficients of numerator and denominator, from the
//! constant on. Method: bottom up through sums, products, quotients, whole powers and choices whose condition does not depend on the
//! unknown. Guarantee: the quotient equals the expression wherever both are defined. Cost: a bounded number of operations per node, for
//! degrees are bounded; expressions of more than `MOST_NODES` nodes are not looked at.

use crate::base::ids::{ExprId, VarId};
use crate::equations::expr::{Arena, Node};
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::base::roots::MAX_DEGREE;
use rustc_hash::{FxHashMap, FxHashSet};

/// Larger expressions are left to Newton's method.
const MOST_NODES: usize = 2000;

/// The nodes of an expression, and which of them contain unknowns.
pub(super) struct Local {
    depends: FxHashMap<ExprId, bool>,
}

impl Local {
    /// Looks at an expression, unless it is large.
    pub(super) fn new(arena: &Arena, root: ExprId, unknowns: &[VarId]) -> Option<Local> {
        let mut depends: FxHashMap<ExprId, bool> = FxHashMap::default();
        let mut stack = vec![root];
        while let Some(top) = arena.next_after_operands(&mut stack, |expr| depends.contains_key(&expr)) {
            let own = match arena.node(top) {
                Node::Var(var) => unknowns.contains(&var),
                _ => arena.operands(top).any(|operand| depends[&operand]),
            };
            depends.insert(top, own);
            if depends.len() > MOST_NODES {
                return None;
            }
        }
        Some(Local { depends })
    }

    /// Whether an expression contains unknowns.
    pub(super) fn depends(&self, expr: ExprId) -> bool {
        self.depends.get(&expr).copied().unwrap_or(false)
    }

    /// The operands of a node through which arithmetic is followed; nothing where it ends.
    fn arithmetic(&self, arena: &Arena, expr: ExprId) -> Option<[ExprId; 2]> {
        match arena.node(expr) {
            Node::Unary(Op1::Neg, a) => Some([a, a]),
            Node::Binary(Op2::Add | Op2::Sub | Op2::Mul | Op2::Div, a, b) => Some([a, b]),
            Node::Binary(Op2::Pow, a, b) if whole_exponent(arena, b).is_some() => Some([a, a]),
            Node::Select(c, a, b) if !self.depends(c) => Some([a, b]),
            _ => None,
        }
    }

    /// The parts with unknowns that arithmetic combines, ascending.
    pub(super) fn atoms(&self, arena: &Arena, expr: ExprId) -> Vec<ExprId> {
        let (mut found, mut seen, mut stack) = (Vec::new(), FxHashSet::default(), vec![expr]);
        while let Some(top) = stack.pop() {
            if self.depends(top) && seen.insert(top) {
                match self.arithmetic(arena, top) {
                    Some(operands) => stack.extend(operands),
                    None => found.push(top),
                }
            }
        }
        found.sort_unstable();
        found
    }
}

/// An exponent that is a small whole number.
pub(super) fn whole_exponent(arena: &Arena, exponent: ExprId) -> Option<i32> {
    arena.as_constant(exponent).filter(|e| *e == e.trunc() && *e != 0.0 && e.abs() <= MAX_DEGREE as f64).map(|e| e as i32)
}

/// A quotient of polynomials; coefficients from the constant on, the last not literally zero.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fraction {
    pub(super) numerator: Vec<ExprId>,
    pub(super) denominator: Vec<ExprId>,
}

impl Fraction {
    /// An expression without the unknown.
    fn constant(arena: &mut Arena, value: ExprId) -> Fraction {
        let denominator = vec![arena.one()];
        Fraction { numerator: vec![value], denominator }
    }

    /// `factor` times a power of the part.
    pub(super) fn power(arena: &mut Arena, factor: f64, power: usize) -> Fraction {
        let (zero, one, factor) = (arena.zero(), arena.one(), arena.constant(factor));
        let mut numerator = vec![zero; power];
        numerator.push(factor);
        Fraction { numerator, denominator: vec![one] }
    }

    /// Its reciprocal.
    pub(super) fn reciprocal(self) -> Fraction {
        Fraction { numerator: self.denominator, denominator: self.numerator }
    }

    fn multiply(&self, arena: &mut Arena, other: &Fraction) -> Option<Fraction> {
        let numerator = product(arena, &self.numerator, &other.numerator)?;
        Some(Fraction { numerator, denominator: product(arena, &self.denominator, &other.denominator)? })
    }

    fn add(&self, arena: &mut Arena, other: &Fraction, is_subtracted: bool) -> Option<Fraction> {
        if self.denominator == other.denominator {
            let numerator = sum(arena, &self.numerator, &other.numerator, is_subtracted);
            return Some(Fraction { numerator, denominator: self.denominator.clone() });
        }
        let left = product(arena, &self.numerator, &other.denominator)?;
        let right = product(arena, &other.numerator, &self.denominator)?;
        let denominator = product(arena, &self.denominator, &other.denominator)?;
        Some(Fraction { numerator: sum(arena, &left, &right, is_subtracted), denominator })
    }

    fn raised(self, arena: &mut Arena, exponent: i32) -> Option<Fraction> {
        let base = if exponent < 0 { self.reciprocal() } else { self };
        let mut result = base.clone();
        for _ in 1..exponent.unsigned_abs() {
            result = result.multiply(arena, &base)?;
        }
        Some(result)
    }

    fn choose(arena: &mut Arena, condition: ExprId, a: &Fraction, b: &Fraction) -> Fraction {
        let numerator = choice(arena, condition, &a.numerator, &b.numerator);
        Fraction { numerator, denominator: choice(arena, condition, &a.denominator, &b.denominator) }
    }
}

fn trimmed(arena: &mut Arena, mut coefficients: Vec<ExprId>) -> Vec<ExprId> {
    while coefficients.len() > 1 && coefficients.last().is_some_and(|last| arena.is_zero(*last)) {
        coefficients.pop();
    }
    coefficients
}

fn sum(arena: &mut Arena, a: &[ExprId], b: &[ExprId], is_subtracted: bool) -> Vec<ExprId> {
    let zero = arena.zero();
    let at = |list: &[ExprId], power: usize| list.get(power).copied().unwrap_or(zero);
    let mut result = Vec::with_capacity(a.len().max(b.len()));
    for power in 0..a.len().max(b.len()) {
        let (left, right) = (at(a, power), at(b, power));
        result.push(if is_subtracted { arena.sub(left, right) } else { arena.add(left, right) });
    }
    trimmed(arena, result)
}

/// The product; nothing if its degree is too high.
fn product(arena: &mut Arena, a: &[ExprId], b: &[ExprId]) -> Option<Vec<ExprId>> {
    if a.len() + b.len() > MAX_DEGREE + 2 {
        return None;
    }
    let mut result = vec![arena.zero(); a.len() + b.len() - 1];
    for (i, left) in a.iter().enumerate() {
        for (j, right) in b.iter().enumerate() {
            let term = arena.mul(*left, *right);
            result[i + j] = arena.add(result[i + j], term);
        }
    }
    Some(trimmed(arena, result))
}

fn choice(arena: &mut Arena, condition: ExprId, a: &[ExprId], b: &[ExprId]) -> Vec<ExprId> {
    let zero = arena.zero();
    let at = |list: &[ExprId], power: usize| list.get(power).copied().unwrap_or(zero);
    let mut result = Vec::with_capacity(a.len().max(b.len()));
    for power in 0..a.len().max(b.len()) {
        result.push(arena.select(condition, at(a, power), at(b, power)));
    }
    trimmed(arena, result)
}

/// An expression as a quotient; `parts` says what each of its atoms is. Nothing if a degree is too high.
pub(super) fn fraction(arena: &mut Arena, local: &Local, expr: ExprId, parts: &FxHashMap<ExprId, Fraction>) -> Option<Fraction> {
    let mut made: FxHashMap<ExprId, Fraction> = parts.clone();
    let mut stack = vec![expr];
    while let Some(&top) = stack.last() {
        if made.contains_key(&top) {
            stack.pop();
            continue;
        }
        if !local.depends(top) {
            let constant = Fraction::constant(arena, top);
            made.insert(top, constant);
            continue;
        }
        let operands = local.arithmetic(arena, top)?;
        let waiting = stack.len();
        stack.extend(operands.into_iter().filter(|operand| !made.contains_key(operand)));
        if stack.len() > waiting {
            continue;
        }
        let [a, b] = operands.map(|operand| made[&operand].clone());
        let result = combined(arena, top, a, &b)?;
        made.insert(top, result);
    }
    made.remove(&expr)
}

/// What arithmetic makes of the quotients of its operands.
fn combined(arena: &mut Arena, expr: ExprId, a: Fraction, b: &Fraction) -> Option<Fraction> {
    match arena.node(expr) {
        Node::Unary(Op1::Neg, _) => {
            let minus = Fraction::power(arena, -1.0, 0);
            a.multiply(arena, &minus)
        }
        Node::Binary(Op2::Add, ..) => a.add(arena, b, false),
        Node::Binary(Op2::Sub, ..) => a.add(arena, b, true),
        Node::Binary(Op2::Mul, ..) => a.multiply(arena, b),
        Node::Binary(Op2::Div, ..) => a.multiply(arena, &b.clone().reciprocal()),
        Node::Binary(Op2::Pow, _, exponent) => {
            let exponent = whole_exponent(arena, exponent)?;
            a.raised(arena, exponent)
        }
        Node::Select(condition, ..) => Some(Fraction::choose(arena, condition, &a, b)),
        _ => None,
    }
}
