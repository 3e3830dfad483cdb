//! Finds what the equations of a block compute without its unknowns.
//!
//! Input: the expressions of a block and which variables it determines. Output: the largest parts of the expressions that read none of
//! these variables and cost more than reading a slot. Computed once before the block, they need not be computed again in each of its
//! residuals and tangents: properties of a medium at the present state, in systems for the derivatives of states.
//!
//! Guarantee: a part that may fail, because it calls a function, is found only where the block computes it in any case; in a
//! branch that may not be taken it stays.
//! Cost: linear in the number of distinct expressions of the block.

use super::cost;
use crate::base::ids::{ExprId, VarId};
use crate::equations::expr::{Arena, Node};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of an expression.
#[derive(Copy, Clone)]
struct Dependence {
    /// It reads an unknown.
    varies: bool,
    /// It calls a function.
    calls: bool,
    cost: u32,
}

/// The largest parts of `roots` that read nothing that `is_unknown`, in the order in which they are met.
pub(super) fn invariant_parts(arena: &Arena, roots: &[ExprId], is_unknown: &dyn Fn(VarId) -> bool) -> Vec<ExprId> {
    let known = parts(arena, roots, is_unknown);
    let mut found = Vec::new();
    let mut once = FxHashSet::default();
    // What was met where it is computed in any case, and in branches.
    let mut met: [FxHashSet<ExprId>; 2] = Default::default();
    let mut open: Vec<(ExprId, bool)> = roots.iter().rev().map(|root| (*root, false)).collect();
    while let Some((expr, in_branch)) = open.pop() {
        if met[0].contains(&expr) || !met[usize::from(in_branch)].insert(expr) {
            continue;
        }
        let part = known[&expr];
        let node = arena.node(expr);
        if !part.varies && !matches!(node, Node::Arg(..)) {
            if part.cost >= cost::WORTH_A_SLOT && !(in_branch && part.calls) && once.insert(expr) {
                found.push(expr);
            }
            continue;
        }
        match node {
            Node::Select(condition, first, second) => open.extend([(second, true), (first, true), (condition, in_branch)]),
            _ => {
                let from = open.len();
                open.extend(arena.operands(expr).map(|operand| (operand, in_branch)));
                open[from..].reverse();
            }
        }
    }
    found
}

/// Of every expression below `roots` what it reads and costs.
fn parts(arena: &Arena, roots: &[ExprId], is_unknown: &dyn Fn(VarId) -> bool) -> FxHashMap<ExprId, Dependence> {
    let mut known: FxHashMap<ExprId, Dependence> = FxHashMap::default();
    let mut open: Vec<ExprId> = roots.to_vec();
    // Ends: an expression is looked at again only after its operands, which have smaller ids, are known.
    while let Some(&expr) = open.last() {
        if known.contains_key(&expr) {
            open.pop();
            continue;
        }
        let before = open.len();
        open.extend(arena.operands(expr).filter(|operand| !known.contains_key(operand)));
        if open.len() > before {
            continue;
        }
        let node = arena.node(expr);
        let mut part = Dependence { varies: matches!(node, Node::Var(var) if is_unknown(var)), calls: false, cost: own_cost(node) };
        for operand in arena.operands(expr) {
            let of = known[&operand];
            part.varies |= of.varies;
            part.calls |= of.calls;
            part.cost = part.cost.saturating_add(of.cost);
        }
        part.calls |= matches!(node, Node::Call(..));
        known.insert(expr, part);
        open.pop();
    }
    known
}

/// The cost of a node without its operands.
fn own_cost(node: Node) -> u32 {
    match node {
        Node::Const(_) | Node::Var(_) | Node::Arg(..) => 0,
        Node::Unary(op, _) => cost::unary(op),
        Node::Binary(op, ..) => cost::binary(op),
        Node::Select(..) => cost::SELECT,
        Node::Call(..) => cost::CALL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::EntityRef;
    use partita_runtime::base::math::{Op1, Op2};

    /// An arena with the known `x`, the unknown `z`, and `f(x)`.
    fn known_unknown_call(arena: &mut Arena) -> [ExprId; 3] {
        let [x, z] = [0, 1].map(|i| arena.var(VarId::new(i)));
        let args = arena.intern(Node::Arg(x, None));
        [x, z, arena.intern(Node::Call(crate::base::ids::FnId::new(0), Some(args), 0))]
    }

    fn is_unknown(var: VarId) -> bool {
        var.index() == 1
    }

    #[test]
    fn the_largest_parts_without_unknowns_are_found_once() {
        let mut arena = Arena::default();
        let [x, z, call] = known_unknown_call(&mut arena);
        let root = arena.intern(Node::Unary(Op1::Exp, call));
        let cheap = arena.intern(Node::Binary(Op2::Add, x, x));
        let product = arena.intern(Node::Binary(Op2::Mul, root, z));
        let sum = arena.intern(Node::Binary(Op2::Add, product, cheap));
        let other = arena.intern(Node::Binary(Op2::Sub, root, z));
        assert_eq!(invariant_parts(&arena, &[sum, other], &is_unknown), [root]);
    }

    #[test]
    fn calls_in_branches_stay_there_unless_they_are_made_in_any_case() {
        let mut arena = Arena::default();
        let [x, z, call] = known_unknown_call(&mut arena);
        let power = arena.intern(Node::Binary(Op2::Pow, x, x));
        let choice = arena.intern(Node::Select(z, call, power));
        assert_eq!(invariant_parts(&arena, &[choice], &is_unknown), [power]);
        let sum = arena.intern(Node::Binary(Op2::Add, z, call));
        assert_eq!(invariant_parts(&arena, &[choice, sum], &is_unknown), [power, call]);
    }
}
