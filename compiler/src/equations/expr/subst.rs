//! Substitution of variables, and the variables of expressions.
//!
//! Substitution is simultaneous: what replaces a variable is not searched again. Changed nodes are rebuilt through the
//! builders of `fold`, so the result is simplified; unchanged subexpressions keep their id. All walks are iterative and
//! visit a shared subexpression once.

use super::{Arena, Node};
use crate::base::budget;
use crate::base::ids::{ExprId, VarId};
use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// The expression with each variable replaced by what `f` gives for it; `None` keeps the variable.
/// `f` is asked once per variable that occurs. Cost: linear in the nodes reached.
pub fn map_vars(arena: &mut Arena, expr: ExprId, f: &mut dyn FnMut(&mut Arena, VarId) -> Option<ExprId>) -> ExprId {
    rewrite(arena, expr, f, &mut FxHashMap::default())
}

/// One substitution applied to many expressions; what they share is rewritten once.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    map: FxHashMap<VarId, ExprId>,
    memo: FxHashMap<ExprId, ExprId>,
}

impl Substitution {
    /// Replaces the variables that are keys of the map by their values.
    pub fn new(map: FxHashMap<VarId, ExprId>) -> Substitution {
        Substitution { map, memo: FxHashMap::default() }
    }

    /// What the variable is replaced by.
    pub fn get(&self, var: VarId) -> Option<ExprId> {
        self.map.get(&var).copied()
    }

    /// The expression after the substitution. Cost: linear in the nodes not seen by an earlier call.
    pub fn apply(&mut self, arena: &mut Arena, expr: ExprId) -> ExprId {
        let Substitution { map, memo } = self;
        rewrite(arena, expr, &mut |_, var| map.get(&var).copied(), memo)
    }
}

fn rewrite(
    arena: &mut Arena,
    expr: ExprId,
    f: &mut dyn FnMut(&mut Arena, VarId) -> Option<ExprId>,
    memo: &mut FxHashMap<ExprId, ExprId>,
) -> ExprId {
    let mut stack = vec![expr];
    while let Some(top) = arena.next_after_operands(&mut stack, |expr| memo.contains_key(&expr)) {
        budget::spend(1);
        let old = arena.node(top);
        let new = match old {
            Node::Const(_) => old,
            Node::Var(var) => {
                let replacement = f(arena, var).unwrap_or(top);
                memo.insert(top, replacement);
                continue;
            }
            Node::Unary(op, a) => Node::Unary(op, memo[&a]),
            Node::Binary(op, a, b) => Node::Binary(op, memo[&a], memo[&b]),
            Node::Select(c, a, b) => Node::Select(memo[&c], memo[&a], memo[&b]),
            Node::Arg(a, rest) => Node::Arg(memo[&a], rest.map(|rest| memo[&rest])),
            Node::Call(function, args, output) => Node::Call(function, args.map(|args| memo[&args]), output),
        };
        let result = if new == old { top } else { arena.simplified(new) };
        if result != top
            && let Some(place) = arena.place(top)
        {
            arena.set_span(result, place);
        }
        memo.insert(top, result);
    }
    memo[&expr]
}

/// Nodes of a walk that are counted as one operation of `budget`.
const VISITS_PER_OPERATION: u64 = 8;

thread_local! {
    /// Marks of [`variables`]. Walks are numbered through, so marks of another arena do no harm.
    static MARKS: RefCell<Occurrences> = RefCell::new(Occurrences::new());
}

/// The variables of one expression, sorted. Cost: the nodes reached; a mark per node, no table.
pub fn variables(arena: &Arena, expr: ExprId) -> Vec<VarId> {
    let mut found = Vec::new();
    MARKS.with_borrow_mut(|marks| marks.variables(arena, &[expr], &mut found));
    found
}

/// Whether a variable of the expression is one that is looked for. First operands, which conditions are, are looked at first.
/// Cost: the nodes reached until one is found.
pub fn any_variable(arena: &Arena, expr: ExprId, mut is: impl FnMut(VarId) -> bool) -> bool {
    MARKS.with_borrow_mut(|marks| marks.any_variable(arena, expr, &mut is))
}

/// Whether an expression contains the variable whose node this is. Operands are older than what is made of them, so what is older than
/// the variable's node is not looked at. Cost: the younger nodes reached.
pub fn contains(arena: &Arena, expr: ExprId, variable: ExprId) -> bool {
    MARKS.with_borrow_mut(|marks| marks.contains(arena, expr, variable))
}

/// For every expression whether it contains a variable that is looked for. Cost: one visit per expression of the arena, which pays where
/// many expressions are asked about.
pub fn containing(arena: &Arena, mut is: impl FnMut(VarId) -> bool) -> SecondaryMap<ExprId, bool> {
    let mut found = SecondaryMap::with_capacity(arena.len());
    for expr in (0..arena.len()).map(ExprId::new) {
        found[expr] = match arena.node(expr) {
            Node::Var(var) => is(var),
            _ => arena.operands(expr).any(|operand| found[operand]),
        };
    }
    budget::spend(arena.len() as u64 / VISITS_PER_OPERATION);
    found
}

/// The variable sets of many expressions: a mark per node that need not be cleared between expressions.
/// Cost: the nodes reached per expression, and one growth to the size of the arena in all.
#[derive(Clone, Debug, Default)]
pub struct Occurrences {
    /// The number of the last walk that reached the node.
    seen: SecondaryMap<ExprId, u32>,
    walk: u32,
    stack: Vec<ExprId>,
}

impl Occurrences {
    /// No walk yet.
    pub fn new() -> Occurrences {
        Occurrences::default()
    }

    /// The variables that occur in any of the expressions, sorted and without repetition, written over `found`.
    pub fn variables(&mut self, arena: &Arena, exprs: &[ExprId], found: &mut Vec<VarId>) {
        found.clear();
        self.begin();
        self.stack.extend_from_slice(exprs);
        let mut visited = 0;
        while let Some(top) = self.stack.pop() {
            if std::mem::replace(&mut self.seen[top], self.walk) == self.walk {
                continue;
            }
            visited += 1;
            match arena.node(top) {
                Node::Var(var) => found.push(var),
                Node::Arg(..) => match arena.long_list(top) {
                    Some(variables) => found.extend_from_slice(variables),
                    None => self.stack.extend(arena.operands(top)),
                },
                _ => self.stack.extend(arena.operands(top)),
            }
        }
        budget::spend(visited / VISITS_PER_OPERATION);
        found.sort_unstable();
        found.dedup();
    }

    fn begin(&mut self) {
        if self.walk == u32::MAX {
            self.seen.clear();
            self.walk = 0;
        }
        self.walk += 1;
        self.stack.clear();
    }

    fn contains(&mut self, arena: &Arena, expr: ExprId, variable: ExprId) -> bool {
        self.begin();
        self.stack.push(expr);
        let (mut visited, mut is_found) = (0, false);
        while let Some(top) = self.stack.pop() {
            is_found = top == variable;
            if is_found {
                break;
            }
            if top.index() > variable.index() && std::mem::replace(&mut self.seen[top], self.walk) != self.walk {
                visited += 1;
                self.stack.extend(arena.operands(top));
            }
        }
        budget::spend(visited / VISITS_PER_OPERATION);
        is_found
    }

    fn any_variable(&mut self, arena: &Arena, expr: ExprId, is: &mut dyn FnMut(VarId) -> bool) -> bool {
        self.begin();
        self.stack.push(expr);
        let (mut visited, mut is_found) = (0, false);
        while let Some(top) = self.stack.pop() {
            if std::mem::replace(&mut self.seen[top], self.walk) == self.walk {
                continue;
            }
            visited += 1;
            let list = if let Node::Arg(..) = arena.node(top) { arena.long_list(top) } else { None };
            is_found = match (arena.node(top), list) {
                (Node::Var(var), _) => is(var),
                (_, Some(variables)) => variables.iter().any(|var| is(*var)),
                _ => {
                    let first = self.stack.len();
                    self.stack.extend(arena.operands(top));
                    self.stack[first..].reverse();
                    false
                }
            };
            if is_found {
                break;
            }
        }
        budget::spend(visited / VISITS_PER_OPERATION);
        is_found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::FnId;
    use crate::equations::expr::eval::eval;
    use crate::equations::expr::testing::{Random, grow};
    use cranelift_entity::EntityRef;
    use partita_runtime::base::math::{Op1, Op2};

    #[test]
    fn substitution_is_simultaneous() {
        let mut e = Arena::default();
        let [x, y] = [0, 1].map(|i| e.var(VarId::new(i)));
        let difference = e.sub(x, y);
        let mut swap = Substitution::new([(VarId::new(0), y), (VarId::new(1), x)].into_iter().collect());
        assert_eq!(swap.apply(&mut e, difference), e.sub(y, x));
        let zero = e.zero();
        let product = e.mul(x, y);
        let call = e.call(FnId::new(0), &[product, difference], 0);
        let replaced = map_vars(&mut e, call, &mut |_, v| (v.index() == 0).then_some(zero));
        let minus_y = e.neg(y);
        assert_eq!(replaced, e.call(FnId::new(0), &[zero, minus_y], 0));
        assert_eq!(map_vars(&mut e, call, &mut |_, _| None), call);
    }

    #[test]
    fn substitution_evaluates_alike() {
        let mut random = Random::new(3);
        let mut compared = 0;
        for _ in 0..500 {
            let mut e = Arena::default();
            let (plain, simplified) = grow(&mut e, &mut random, 10);
            let values: Vec<f64> = (0..4).map(|_| random.value()).collect();
            let point = |v: VarId| values[v.index()];
            for expr in [plain, simplified] {
                let replaced = map_vars(&mut e, expr, &mut |e, v| Some(e.constant(values[v.index()])));
                let before = eval(&e, expr, &point);
                let after = eval(&e, replaced, &|_| f64::NAN);
                if before.is_finite() && after.is_finite() {
                    assert_eq!(before, after);
                    compared += 1;
                }
            }
        }
        assert!(compared > 300);
    }

    #[test]
    fn variable_sets() {
        let mut e = Arena::default();
        let x: Vec<ExprId> = (0..5).map(|i| e.var(VarId::new(i))).collect();
        let sine = e.unary(Op1::Sin, x[3]);
        let sum = e.add(sine, x[1]);
        let call = e.call(FnId::new(0), &[x[4], sum, x[1]], 0);
        let set = |list: &[usize]| list.iter().map(|i| VarId::new(*i)).collect::<Vec<_>>();
        assert_eq!(variables(&e, call), set(&[1, 3, 4]));
        assert!(any_variable(&e, call, |v| v.index() == 3) && !any_variable(&e, call, |v| v.index() == 2));
        let mut occurrences = Occurrences::new();
        let mut found = Vec::new();
        for (exprs, expected) in [(vec![call], vec![1, 3, 4]), (vec![sum, x[0]], vec![0, 1, 3]), (vec![sum], vec![1, 3])] {
            occurrences.variables(&e, &exprs, &mut found);
            assert_eq!(found, set(&expected));
        }
    }

    #[test]
    fn deep_and_shared() {
        let mut e = Arena::default();
        let x = e.var(VarId::new(0));
        let y = e.var(VarId::new(1));
        let deep = (0..200_000).fold(x, |inner, _| {
            let sine = e.unary(Op1::Sin, inner);
            e.add(sine, y)
        });
        let replaced = map_vars(&mut e, deep, &mut |_, v| (v.index() == 0).then_some(y));
        assert_eq!(variables(&e, replaced), [VarId::new(1)]);
        let shared = (0..10_000).fold(x, |inner, _| e.intern(Node::Binary(Op2::Mul, inner, inner)));
        assert_eq!(variables(&e, shared), [VarId::new(0)]);
        let one = e.one();
        assert_eq!(map_vars(&mut e, shared, &mut |_, _| Some(one)), one);
    }
}
