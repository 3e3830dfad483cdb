//! Finds what changes at times that can be computed: relations and integer parts of expressions that are affine in time.
//!
//! Input: a system without aliases. Output: the same system where every relation between affine functions of time knows when it
//! changes, and where integer parts of affine functions of time are taken in time: `floor(k*time + b)` is `n` from the time on at which
//! `k*time + b` is `n`. So an integer part and the relation that bounds it change together, whatever rounding does to `k*time + b`.
//!
//! Method: the time at which `e = goal` follows from undoing the operations of `e` one by one, so that `time/T = n` gives `T*n`;
//! slope and intercept are collected only where time is on both sides. Unknowns that an equation sets to such an expression count as
//! what they are set to. Coefficients change at events only; the sign of a slope may be known at run time only.
//! Guarantee: expressions that are not affine in time stay as they are. Cost: linear in relations, integer parts and definitions.

use crate::base::ids::{EqId, ExprId, VarId};
use crate::equations::dae::{EquationKind, Purpose, Role, Schedule, System, Variable};
use crate::equations::expr::subst::{Substitution, any_variable, variables};
use crate::equations::expr::{Arena, Node};
use partita_grammar::Span;
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::plan::SlotType;
use rustc_hash::FxHashMap;

/// Deeper expressions count as not affine.
const MAX_DEPTH: usize = 50;
/// How often definitions are looked for that follow from others.
const MAX_ITERATIONS: usize = 8;

/// Schedules the relations and integer parts of `sys` that are affine in time.
pub fn schedule(sys: &mut System) {
    let rounded: Vec<EqId> = sys.eqs.keys().filter(|eq| rounded_side(sys, *eq).is_some()).collect();
    if sys.relations.is_empty() && rounded.is_empty() {
        return;
    }
    let mut definitions = definitions(sys);
    for i in 0..sys.relations.len() {
        let relation = sys.relations[i];
        let [lhs, rhs] = [relation.lhs, relation.rhs].map(|side| definitions.apply(&mut sys.arena, side));
        sys.relations[i].schedule = relation_schedule(sys, lhs, rhs);
    }
    for eq in rounded {
        schedule_rounding(sys, &mut definitions, eq);
    }
    if sys.relations.iter().any(|relation| relation.schedule.is_some()) {
        event_time(sys);
    }
}

/// The time that scheduled relations and integer parts see at events.
fn event_time(sys: &mut System) -> VarId {
    if let Some(var) = sys.flags.event_time {
        return var;
    }
    let variable = Variable::new("$event_time", SlotType::Real, Role::External, Span::default());
    let variable = Variable { hidden: true, made: Some(Purpose::Auxiliary), ..variable };
    let var = sys.vars.push(variable);
    sys.flags.event_time = Some(var);
    var
}

/// Changes at events only, or not at all.
fn is_still(sys: &System, var: VarId) -> bool {
    let variable = &sys.vars[var];
    matches!(variable.role, Role::Parameter | Role::FreeParameter | Role::Discrete | Role::Relation | Role::Pre(_))
        || (variable.role == Role::External && (variable.ty != SlotType::Real || Some(var) == sys.flags.event_time))
}

/// Time and what changes at events only.
fn is_of_time(sys: &System, expr: ExprId) -> bool {
    !any_variable(&sys.arena, expr, |var| var != sys.time() && !is_still(sys, var))
}

fn has_time(arena: &Arena, time: VarId, expr: ExprId) -> bool {
    any_variable(arena, expr, |var| var == time)
}

/// Unknowns that an equation sets to an affine function of time, with that function.
fn definitions(sys: &mut System) -> Substitution {
    let mut known: FxHashMap<VarId, ExprId> = FxHashMap::default();
    let mut open: Vec<(VarId, ExprId)> = Vec::new();
    for equation in sys.eqs.values().filter(|equation| equation.kind == EquationKind::Continuous) {
        for (side, other) in [(equation.lhs, equation.rhs), (equation.rhs, equation.lhs)] {
            if let Node::Var(var) = sys.arena.node(side)
                && sys.is_continuous(var)
                && is_sum_of_products(&sys.arena, other)
            {
                open.push((var, other));
            }
        }
    }
    for _ in 0..MAX_ITERATIONS {
        let before = known.len();
        let mut substitution = Substitution::new(known.clone());
        open.retain(|(var, value)| {
            let is_reached = |v: VarId| v == sys.time() || is_still(sys, v) || known.contains_key(&v);
            if known.contains_key(var) || variables(&sys.arena, *value).into_iter().any(|v| !is_reached(v)) {
                return !known.contains_key(var);
            }
            let value = substitution.apply(&mut sys.arena, *value);
            let goal = sys.arena.constant(0.0);
            if crossing(sys, value, goal).is_some() {
                known.insert(*var, value);
            }
            false
        });
        if known.len() == before {
            break;
        }
    }
    Substitution::new(known)
}

/// Whether an expression may be affine, by its outermost operation.
fn is_sum_of_products(arena: &Arena, expr: ExprId) -> bool {
    matches!(arena.node(expr), Node::Var(_) | Node::Unary(Op1::Neg, _) | Node::Binary(Op2::Add | Op2::Sub | Op2::Mul | Op2::Div, ..))
}

/// When an expression that grows by `slope` has the value `goal`; nothing if it is not affine in time.
fn crossing(sys: &mut System, expr: ExprId, goal: ExprId) -> Option<Schedule> {
    let time = sys.time();
    if !is_of_time(sys, expr) || !is_of_time(sys, goal) {
        return None;
    }
    let arena = &mut sys.arena;
    let (mut expr, mut at, mut slope) = (expr, goal, arena.constant(1.0));
    for _ in 0..MAX_DEPTH {
        match arena.node(expr) {
            Node::Var(var) if var == time => return Some(Schedule { at, slope }),
            Node::Unary(Op1::Neg, a) => {
                (at, slope) = (arena.neg(at), arena.neg(slope));
                expr = a;
            }
            Node::Binary(op, a, b) => {
                let first = has_time(arena, time, a);
                if first && has_time(arena, time, b) {
                    let (by, rest) = line(arena, time, expr, MAX_DEPTH)?;
                    let from = arena.sub(at, rest);
                    (at, slope) = (arena.div(from, by), arena.mul(slope, by));
                    return (arena.as_constant(by) != Some(0.0)).then_some(Schedule { at, slope });
                }
                let other = if first { b } else { a };
                match op {
                    Op2::Add => at = arena.sub(at, other),
                    Op2::Sub if first => at = arena.add(at, other),
                    Op2::Sub => (at, slope) = (arena.sub(other, at), arena.neg(slope)),
                    Op2::Mul => (at, slope) = (arena.div(at, other), arena.mul(slope, other)),
                    Op2::Div if first => (at, slope) = (arena.mul(at, other), arena.mul(slope, other)),
                    _ => return None,
                }
                expr = if first { a } else { b };
            }
            _ => return None,
        }
    }
    None
}

/// Slope and intercept of an expression of time.
fn line(arena: &mut Arena, time: VarId, expr: ExprId, depth: usize) -> Option<(ExprId, ExprId)> {
    let (zero, one) = (arena.constant(0.0), arena.constant(1.0));
    if !has_time(arena, time, expr) {
        return Some((zero, expr));
    }
    let deeper = depth.checked_sub(1)?;
    Some(match arena.node(expr) {
        Node::Var(_) => (one, zero),
        Node::Unary(Op1::Neg, a) => {
            let (slope, rest) = line(arena, time, a, deeper)?;
            (arena.neg(slope), arena.neg(rest))
        }
        Node::Binary(op @ (Op2::Add | Op2::Sub), a, b) => {
            let (first, second) = (line(arena, time, a, deeper)?, line(arena, time, b, deeper)?);
            (arena.binary(op, first.0, second.0), arena.binary(op, first.1, second.1))
        }
        Node::Binary(op @ (Op2::Mul | Op2::Div), a, b) => {
            let first = has_time(arena, time, a);
            let (side, other) = if first { (a, b) } else { (b, a) };
            if has_time(arena, time, other) || (op == Op2::Div && !first) {
                return None;
            }
            let (slope, rest) = line(arena, time, side, deeper)?;
            (arena.binary(op, slope, other), arena.binary(op, rest, other))
        }
        _ => return None,
    })
}

/// When a relation between these sides changes. Where the slope is positive it holds as if time were its left side.
fn relation_schedule(sys: &mut System, lhs: ExprId, rhs: ExprId) -> Option<Schedule> {
    let time = sys.time();
    match [lhs, rhs].map(|side| has_time(&sys.arena, time, side)) {
        [true, false] => crossing(sys, lhs, rhs),
        [false, true] => {
            let Schedule { at, slope } = crossing(sys, rhs, lhs)?;
            Some(Schedule { at, slope: sys.arena.neg(slope) })
        }
        [true, true] => {
            let (difference, zero) = (sys.arena.sub(lhs, rhs), sys.arena.constant(0.0));
            crossing(sys, difference, zero)
        }
        [false, false] => None,
    }
}

/// The operation and argument of a discrete equation one side of which is an integer part, and whether that is the right side.
fn rounded_side(sys: &System, eq: EqId) -> Option<(Op1, ExprId, bool)> {
    let equation = &sys.eqs[eq];
    let part = |side: ExprId| match sys.arena.node(side) {
        Node::Unary(op @ (Op1::Floor | Op1::Ceil), arg) => Some((op, arg)),
        _ => None,
    };
    if equation.kind != EquationKind::Discrete {
        return None;
    }
    part(equation.rhs).map(|(op, arg)| (op, arg, true)).or_else(|| part(equation.lhs).map(|(op, arg)| (op, arg, false)))
}

/// Takes the integer part in an equation in time, if its argument is affine in time.
fn schedule_rounding(sys: &mut System, definitions: &mut Substitution, eq: EqId) {
    let Some((op, arg, is_right)) = rounded_side(sys, eq) else { return };
    let arg = definitions.apply(&mut sys.arena, arg);
    let time = sys.time();
    let zero = sys.arena.constant(0.0);
    if !has_time(&sys.arena, time, arg) || crossing(sys, arg, zero).is_none() {
        return;
    }
    let now = event_time(sys);
    let now = sys.arena.var(now);
    let seen = Substitution::new([(time, now)].into_iter().collect()).apply(&mut sys.arena, arg);
    let half = sys.arena.constant(0.5);
    let shifted = sys.arena.add(seen, half);
    let nearest = sys.arena.unary(Op1::Floor, shifted);
    let Some(Schedule { at, slope }) = crossing(sys, arg, nearest) else { return };
    let value = rounded_in_time(&mut sys.arena, op, (nearest, at), (now, slope), seen);
    let equation = &mut sys.eqs[eq];
    *(if is_right { &mut equation.rhs } else { &mut equation.lhs }) = value;
}

/// `floor` or `ceil` of `seen`, which is `nearest` at the time `at` and grows by `slope`: `nearest` on one side of that time, the next
/// number on the other.
fn rounded_in_time(arena: &mut Arena, op: Op1, (nearest, at): (ExprId, ExprId), (now, slope): (ExprId, ExprId), seen: ExprId) -> ExprId {
    let (one, zero) = (arena.constant(1.0), arena.constant(0.0));
    let (next, rising, falling) = match op {
        Op1::Floor => (arena.sub(nearest, one), Op2::Ge, Op2::Le),
        _ => (arena.add(nearest, one), Op2::Le, Op2::Ge),
    };
    let [rising, falling] = [rising, falling].map(|relation| {
        let is_nearest = arena.binary(relation, now, at);
        arena.select(is_nearest, nearest, next)
    });
    let grows = arena.binary(Op2::Gt, slope, zero);
    let moving = arena.select(grows, rising, falling);
    let (stands, plain) = (arena.binary(Op2::Eq, slope, zero), arena.unary(op, seen));
    arena.select(stands, plain, moving)
}
