//! Finds constraints between states that only appear when equations are added up, and writes them out.
//!
//! Kirchhoff's laws and the like are linear with whole coefficients. Structural analysis sees who occurs where, not that
//! terms cancel: from `a + b + c = 0` and `3*i = a + b + c` it may take `i` for a state, although `i = 0`. The system it then
//! builds is singular at every point.
//!
//! Input: a system without aliases. Output: where a sum of whole multiples of linear equations with whole coefficients has
//! no algebraic unknown left, one of these equations is replaced by that sum. Method: equations with an algebraic unknown
//! that occurs in no other of them cannot take part in such a sum and are set aside, again and again; the few that remain
//! are eliminated exactly, in whole numbers, algebraic unknowns first.
//! Guarantee: the solutions are the same, because the other equations of the sum stay. A sum that is `0 = 0` changes nothing:
//! matching and the solvers report what is missing.
//! Cost: linear for setting aside; elimination is bounded by a fixed multiple of the size of what remains.

use crate::base::ids::{EqId, ExprId, VarId};
use crate::equations::dae::{EquationKind, Role, System};
use crate::equations::expr::{Arena, Node};
use cranelift_entity::SecondaryMap;
use partita_grammar::Diagnostic;
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::plan::SlotType;
use std::collections::BTreeMap;

/// Larger coefficients are not those of a law of conservation.
const LARGEST_WRITTEN: f64 = 1e6;
/// Elimination stops before whole numbers overflow.
const LARGEST_MADE: i128 = 1 << 60;
/// Work of the elimination per entry of what was not set aside.
const WORK_PER_ENTRY: usize = 200;

/// Equations named in a message.
const MOST_NAMED: usize = 5;

/// The place of an unknown in the order of elimination: algebraic ones first.
type EliminationRank = (bool, VarId);

/// A linear equation `sum of coefficient*variable + constant = 0`.
#[derive(Clone, Debug)]
struct Line {
    eq: EqId,
    /// The equations it was made of, itself first, no more than are named.
    from: Vec<EqId>,
    terms: BTreeMap<EliminationRank, i128>,
    constant: i128,
    /// It has, or had before elimination, an algebraic unknown.
    is_algebraic: bool,
}

/// Writes hidden constraints out; how many there were. H001: equations that contradict each other.
pub fn expose(sys: &mut System) -> Result<usize, Vec<Diagnostic>> {
    let lines: Vec<Line> = sys.eqs.keys().filter_map(|eq| whole_line(sys, eq)).collect();
    let remaining = without_private_unknowns(&lines);
    let n_entries: usize = remaining.iter().map(|line| line.terms.len()).sum();
    let mut budget = WORK_PER_ENTRY * n_entries;
    let mut line_of_pivot: BTreeMap<EliminationRank, Line> = BTreeMap::new();
    let mut errors = Vec::new();
    let mut n_exposed = 0;
    for line in remaining {
        let Some(reduced) = reduce(line, &line_of_pivot, &mut budget) else { continue };
        match reduced.terms.keys().next() {
            Some(pivot @ (false, _)) => {
                line_of_pivot.insert(*pivot, reduced);
            }
            Some(pivot) => {
                let pivot = *pivot;
                if reduced.is_algebraic {
                    rewrite(sys, &reduced);
                    n_exposed += 1;
                }
                // Equal constraints are found as `0 = 0`.
                line_of_pivot.insert(pivot, reduced);
            }
            None if reduced.constant != 0 => errors.push(contradiction(sys, &reduced)),
            None => {}
        }
    }
    if errors.is_empty() { Ok(n_exposed) } else { Err(errors) }
}

/// Names the equations that contradict each other.
fn contradiction(sys: &System, line: &Line) -> Diagnostic {
    let mut error = Diagnostic::error("H001", "the model contradicts itself: linear equations add up to a number that is not zero");
    for (i, eq) in line.from.iter().take(MOST_NAMED).enumerate() {
        error = error.at(sys.eqs[*eq].origin.span(), if i == 0 { "this equation contradicts the others" } else { "one of the others" });
    }
    if line.from.len() > MOST_NAMED { error.with_note("further equations take part") } else { error }
}

/// Reads an equation as a line with whole coefficients.
fn whole_line(sys: &System, eq: EqId) -> Option<Line> {
    let equation = sys.eqs[eq];
    if equation.kind != EquationKind::Continuous {
        return None;
    }
    let mut line = Line { eq, from: vec![eq], terms: BTreeMap::new(), constant: 0, is_algebraic: false };
    let mut stack: Vec<(ExprId, i128)> = vec![(equation.lhs, 1), (equation.rhs, -1)];
    while let Some((expr, factor)) = stack.pop() {
        match sys.arena.node(expr) {
            Node::Const(bits) => line.constant += factor.checked_mul(whole(f64::from_bits(bits))?)?,
            Node::Var(var) => {
                if sys.vars[var].role != Role::Continuous || sys.vars[var].ty != SlotType::Real {
                    return None;
                }
                *line.terms.entry((sys.vars[var].derivative.is_some(), var)).or_default() += factor;
            }
            Node::Unary(Op1::Neg, a) => stack.push((a, -factor)),
            Node::Binary(Op2::Add, a, b) => stack.extend([(a, factor), (b, factor)]),
            Node::Binary(Op2::Sub, a, b) => stack.extend([(a, factor), (b, -factor)]),
            Node::Binary(Op2::Mul, a, b) => {
                let (number, other) = match (sys.arena.as_constant(a), sys.arena.as_constant(b)) {
                    (Some(number), _) => (number, b),
                    (_, Some(number)) => (number, a),
                    _ => return None,
                };
                let product = factor.checked_mul(whole(number)?).filter(|product| product.abs() < LARGEST_MADE)?;
                stack.push((other, product));
            }
            _ => return None,
        }
    }
    line.terms.retain(|_, coefficient| *coefficient != 0);
    line.is_algebraic = line.terms.keys().any(|(is_state, _)| !is_state);
    (!line.terms.is_empty()).then_some(line)
}

fn whole(value: f64) -> Option<i128> {
    (value.fract() == 0.0 && value.abs() <= LARGEST_WRITTEN).then_some(value as i128)
}

/// The lines that remain when lines with an algebraic unknown of their own are set aside until there is none.
fn without_private_unknowns(lines: &[Line]) -> Vec<Line> {
    let mut lines_of: SecondaryMap<VarId, Vec<u32>> = SecondaryMap::new();
    let mut n_lines: SecondaryMap<VarId, u32> = SecondaryMap::new();
    for (i, line) in lines.iter().enumerate() {
        for (_, var) in line.terms.keys().filter(|(is_state, _)| !is_state) {
            lines_of[*var].push(i as u32);
            n_lines[*var] += 1;
        }
    }
    let mut alive = vec![true; lines.len()];
    let mut private: Vec<VarId> =
        lines.iter().flat_map(|line| line.terms.keys().map(|(_, var)| *var)).filter(|var| n_lines[*var] == 1).collect();
    while let Some(var) = private.pop() {
        let Some(line) = lines_of[var].iter().copied().find(|line| alive[*line as usize]) else { continue };
        alive[line as usize] = false;
        for (_, other) in lines[line as usize].terms.keys().filter(|(is_state, _)| !is_state) {
            n_lines[*other] -= 1;
            if n_lines[*other] == 1 {
                private.push(*other);
            }
        }
    }
    lines.iter().zip(alive).filter(|(_, alive)| *alive).map(|(line, _)| line.clone()).collect()
}

/// Eliminates leading unknowns while there is a line for them. `None` when the numbers or the work get too large.
fn reduce(mut line: Line, line_of_pivot: &BTreeMap<EliminationRank, Line>, budget: &mut usize) -> Option<Line> {
    while let Some((place, leading)) = line.terms.iter().next().map(|(place, leading)| (*place, *leading)) {
        let Some(pivot) = line_of_pivot.get(&place) else { break };
        *budget = budget.checked_sub(pivot.terms.len() + line.terms.len())?;
        for eq in &pivot.from {
            if line.from.len() <= MOST_NAMED && !line.from.contains(eq) {
                line.from.push(*eq);
            }
        }
        let of_pivot = pivot.terms[&place];
        let common = greatest_divisor(leading, of_pivot);
        let (own, others) = (of_pivot / common, -leading / common);
        for coefficient in line.terms.values_mut() {
            *coefficient = coefficient.checked_mul(own)?;
        }
        line.constant = line.constant.checked_mul(own)?;
        for (place, coefficient) in &pivot.terms {
            *line.terms.entry(*place).or_default() += coefficient.checked_mul(others)?;
        }
        line.constant += pivot.constant.checked_mul(others)?;
        line.terms.retain(|_, coefficient| *coefficient != 0);
        let divisor = line.terms.values().fold(line.constant.abs(), |divisor, coefficient| greatest_divisor(divisor, *coefficient));
        if divisor > 1 {
            line.terms.values_mut().for_each(|coefficient| *coefficient /= divisor);
            line.constant /= divisor;
        }
        if line.terms.values().chain([&line.constant]).any(|number| number.abs() > LARGEST_MADE) {
            return None;
        }
    }
    Some(line)
}

fn greatest_divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Replaces an equation by a line, its first unknown on the left.
fn rewrite(sys: &mut System, line: &Line) {
    let Some(((_, first), coefficient)) = line.terms.iter().next() else { return };
    let arena = &mut sys.arena;
    let mut rhs = arena.constant(-line.constant as f64);
    for ((_, var), coefficient) in line.terms.iter().skip(1) {
        let term = times(arena, *coefficient, *var);
        rhs = arena.sub(rhs, term);
    }
    let mut lhs = arena.var(*first);
    match coefficient {
        1 => {}
        -1 => rhs = arena.neg(rhs),
        _ if line.terms.len() == 1 => {
            let divisor = arena.constant(*coefficient as f64);
            rhs = arena.div(rhs, divisor);
        }
        _ => lhs = times(arena, *coefficient, *first),
    }
    (sys.eqs[line.eq].lhs, sys.eqs[line.eq].rhs) = (lhs, rhs);
}

fn times(arena: &mut Arena, coefficient: i128, var: VarId) -> ExprId {
    let factor = arena.constant(coefficient as f64);
    let var = arena.var(var);
    arena.mul(factor, var)
}
