//! The rule for `semiLinear` in series: picks the one meaningful solution where a flow vanishes.
//!
//! Components in series give `y = semiLinear(x, sa, s1); y = semiLinear(x, s1, s2); ...; y = semiLinear(x, sn, sb)`. At
//! `x = 0` these say nothing about `s1 ... sn`, and the system is singular. They are replaced, as the Modelica specification
//! recommends (3.7.4.5), by `s1 = if x >= 0 then sa else sb; s2 = s1; ...; sn = s1; y = semiLinear(x, sa, sb)`.
//!
//! Input: a system without aliases, so that equal flows have equal names. Output: the same number of equations. Method:
//! equations `y = semiLinear(x, a, b)` with the same `x` and `y` (up to signs: `semiLinear(-x, a, b) = -semiLinear(x, b, a)`)
//! are the edges `a -> b` of a graph; maximal paths through unknowns with one edge in and one edge out are rewritten.
//! Guarantee: every solution of the result is a solution of the input; for `x <> 0` they are the same. The new `if` makes no
//! event: a flow that rests at zero up to rounding must not make events without end, and `y` does not jump there.
//! Cost: linear.

use crate::base::ids::{EqId, ExprId, VarId};
use crate::equations::dae::{EquationKind, Role, System};
use crate::equations::expr::{Arena, Node};
use indexmap::IndexMap;
use partita_runtime::base::math::{Op1, Op2};
use rustc_hash::FxHashMap;

/// Equations with the same key are in series: `±y = semiLinear(x, ., .)`.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
struct Key {
    x: ExprId,
    y: ExprId,
    negative: bool,
}

/// One equation `±y = semiLinear(x, from, to)`.
#[derive(Copy, Clone)]
struct Edge {
    eq: EqId,
    from: ExprId,
    to: ExprId,
}

/// Rewrites all series; the number of unknowns that were determined. The new equations `s2 = s1` are aliases.
pub fn resolve_series(sys: &mut System) -> usize {
    let mut groups: IndexMap<Key, Vec<Edge>> = IndexMap::new();
    for (eq, equation) in sys.eqs.iter() {
        if equation.kind != EquationKind::Continuous {
            continue;
        }
        let found = recognise(&sys.arena, equation.lhs, equation.rhs).or_else(|| recognise(&sys.arena, equation.rhs, equation.lhs));
        if let Some((key, from, to)) = found {
            groups.entry(key).or_default().push(Edge { eq, from, to });
        }
    }
    let mut n_determined = 0;
    for (key, edges) in groups {
        if edges.len() > 1 {
            n_determined += rewrite_group(sys, key, &edges);
        }
    }
    n_determined
}

/// Strips `-`: whether their number is odd, and what is beneath.
fn unsigned(arena: &Arena, mut expr: ExprId) -> (bool, ExprId) {
    let mut negative = false;
    while let Node::Unary(Op1::Neg, inner) = arena.node(expr) {
        negative = !negative;
        expr = inner;
    }
    (negative, expr)
}

/// Reads `side = product` as `±y = semiLinear(x, from, to)`.
fn recognise(arena: &Arena, side: ExprId, product: ExprId) -> Option<(Key, ExprId, ExprId)> {
    let (minus_y, y) = unsigned(arena, side);
    let (minus_product, product) = unsigned(arena, product);
    let Node::Binary(Op2::Mul, a, b) = arena.node(product) else { return None };
    for (x, slope) in [(a, b), (b, a)] {
        let Node::Select(condition, up, down) = arena.node(slope) else { continue };
        let (tested, is_lower_bound) = match arena.node(condition) {
            Node::Binary(Op2::Ge, tested, zero) if arena.is_zero(zero) => (tested, true),
            Node::Binary(Op2::Le, tested, zero) if arena.is_zero(zero) => (tested, false),
            Node::Binary(Op2::Le, zero, tested) if arena.is_zero(zero) => (tested, true),
            Node::Binary(Op2::Ge, zero, tested) if arena.is_zero(zero) => (tested, false),
            _ => continue,
        };
        let (minus_tested, tested) = unsigned(arena, tested);
        if tested != x {
            continue;
        }
        // At x = 0 the product vanishes whichever slope is taken.
        let (from, to) = if minus_tested == is_lower_bound { (down, up) } else { (up, down) };
        return Some((Key { x, y, negative: minus_y != minus_product }, from, to));
    }
    None
}

/// An unknown that the rule may determine.
fn is_inner(sys: &System, expr: ExprId) -> Option<VarId> {
    match sys.arena.node(expr) {
        Node::Var(v) if sys.vars[v].role == Role::Continuous && sys.vars[v].derivative.is_none() && sys.vars[v].integral.is_none() => {
            Some(v)
        }
        _ => None,
    }
}

fn rewrite_group(sys: &mut System, key: Key, edges: &[Edge]) -> usize {
    let mut leaving: FxHashMap<ExprId, Vec<usize>> = FxHashMap::default();
    let mut n_entering: FxHashMap<ExprId, usize> = FxHashMap::default();
    for (i, edge) in edges.iter().enumerate() {
        leaving.entry(edge.from).or_default().push(i);
        *n_entering.entry(edge.to).or_default() += 1;
    }
    let continues = |sys: &System, node: ExprId| -> Option<usize> {
        let (Some([next]), Some(1)) = (leaving.get(&node).map(Vec::as_slice), n_entering.get(&node)) else { return None };
        is_inner(sys, node).map(|_| *next)
    };
    let mut n_determined = 0;
    for first in edges {
        // A path begins where the node before the edge is no inner node; a closed ring has no beginning and stays.
        if continues(sys, first.from).is_some() {
            continue;
        }
        let mut path = vec![*first];
        let mut end = first.to;
        while let Some(next) = continues(sys, end) {
            path.push(edges[next]);
            end = edges[next].to;
        }
        if path.len() > 1 {
            n_determined += path.len() - 1;
            rewrite_path(sys, key, &path);
        }
    }
    n_determined
}

fn rewrite_path(sys: &mut System, key: Key, path: &[Edge]) {
    let ([first, ..], [.., last]) = (path, path) else { return };
    let zero = sys.arena.zero();
    let forward = sys.arena.ge(key.x, zero);
    let slope = sys.arena.select(forward, first.from, last.to);
    let mut value = slope;
    for edge in &path[..path.len() - 1] {
        (sys.eqs[edge.eq].lhs, sys.eqs[edge.eq].rhs) = (edge.to, value);
        value = first.to;
    }
    let whole = sys.arena.mul(key.x, slope);
    let rhs = if key.negative { sys.arena.neg(whole) } else { whole };
    (sys.eqs[last.eq].lhs, sys.eqs[last.eq].rhs) = (key.y, rhs);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equations::dae::{Equation, Origin, Variable};
    use crate::equations::expr::print;
    use partita_grammar::Span;
    use partita_runtime::model::plan::SlotType;

    struct TestSystem {
        sys: System,
        names: Vec<(&'static str, ExprId)>,
    }

    impl TestSystem {
        fn new(names: &[&'static str]) -> TestSystem {
            let mut model = TestSystem { sys: System::default(), names: Vec::new() };
            for name in names {
                let var = model.sys.vars.push(Variable::new(*name, SlotType::Real, Role::Continuous, Span::default()));
                let expr = model.sys.arena.var(var);
                model.names.push((name, expr));
            }
            model
        }

        /// A variable, with `-` before its name if it is negative.
        fn get(&mut self, name: &str) -> ExprId {
            let plain = name.trim_start_matches('-');
            let expr = self.names.iter().find(|(n, _)| *n == plain).expect("a name of the model").1;
            if plain == name { expr } else { self.sys.arena.neg(expr) }
        }

        fn series(&mut self, y: &str, x: &str, up: &str, down: &str) {
            let [y, x, up, down] = [y, x, up, down].map(|name| self.get(name));
            let arena = &mut self.sys.arena;
            let zero = arena.zero();
            let positive = arena.ge(x, zero);
            let slope = arena.select(positive, up, down);
            let rhs = arena.mul(x, slope);
            self.sys.eqs.push(Equation { lhs: y, rhs, kind: EquationKind::Continuous, origin: Origin::Source(Span::default()) });
        }

        fn resolved(mut self) -> (usize, Vec<String>) {
            let n = resolve_series(&mut self.sys);
            let name = |v: VarId| self.sys.vars[v].name.clone();
            let text = |e: ExprId| print::print(&self.sys.arena, e, &name, &|_| String::new());
            (n, self.sys.eqs.values().map(|e| format!("{} = {}", text(e.lhs), text(e.rhs))).collect())
        }
    }

    #[test]
    fn a_series_written_from_both_sides() {
        let mut model = TestSystem::new(&["x", "y", "a", "s1", "s2", "b"]);
        model.series("-y", "-x", "s1", "a");
        model.series("y", "x", "s1", "s2");
        model.series("-y", "-x", "b", "s2");
        let (n, equations) = model.resolved();
        assert_eq!(n, 2);
        assert_eq!(equations, ["s1 = if x >= 0 then a else b", "s2 = s1", "y = x*(if x >= 0 then a else b)"]);
    }

    #[test]
    fn other_flows_and_branches_stay() {
        let mut model = TestSystem::new(&["x", "y", "z", "a", "s1", "s2", "b"]);
        model.series("y", "x", "a", "s1");
        model.series("z", "x", "s1", "b");
        model.series("-y", "x", "s1", "b");
        assert_eq!(model.resolved().0, 0);
        let mut branch = TestSystem::new(&["x", "y", "a", "s1", "b", "c"]);
        branch.series("y", "x", "a", "s1");
        branch.series("y", "x", "s1", "b");
        branch.series("y", "x", "s1", "c");
        assert_eq!(branch.resolved().0, 0);
    }

    #[test]
    fn a_closed_ring_stays() {
        let mut model = TestSystem::new(&["x", "y", "s1", "s2"]);
        model.series("y", "x", "s1", "s2");
        model.series("y", "x", "s2", "s1");
        assert_eq!(model.resolved().0, 0);
    }
}
