//! How an equation depends on its unknowns, and its closed-form solution where that dependence is affine.
//!
//! Input: an equation `lhs = rhs` (or `residual = 0`) and the variables that are unknown. Output: for each unknown that
//! occurs, the coefficient `k` of `k*v + rest` if neither contains `v`, and whether `k` can vanish; and `v = -rest/k`.
//!
//! Method: the coefficients of all unknowns come from one sweep from the equation down to the variables through sums,
//! products and quotients, each node being given its coefficient in the equation (reverse differentiation). The branches
//! of an `if` are swept on their own and joined variable by variable, so that the coefficient is `if c then ka else kb`.
//! Everything else (a divisor, a condition, any other function) makes the variables beneath it nonlinear, and so does a
//! coefficient that contains its own variable.
//!
//! [`solve_inverse`] goes further for one unknown that is written once: through divisors, `exp`, `log` and, where that is
//! exact, `sqrt`. Every step keeps the set of solutions: a value for which the equation has none gives a result that is
//! not finite.
//!
//! Guarantee: `Linear` is never wrong. `Nonlinear` may be too cautious where coefficients cancel only after
//! expansion, or where an equation's products or nested `if`s share so much that the sweep would cost more than a fixed
//! multiple of its size. Cost per equation: linear in the size of the equation, nothing in the size of the arena. Long argument
//! lists, which many equations may share, are not walked: the arena knows their variables.

mod signs;

use super::subst::map_vars;
use super::{Arena, Node};
use crate::base::ids::{ExprId, VarId};
use partita_runtime::base::math::{Op1, Op2};
use rustc_hash::{FxHashMap, FxHashSet};
use signs::{Signs, signed_operands};

/// How a variable occurs in an equation.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Occurrence {
    /// Not at all.
    Absent,
    /// The residual `lhs - rhs` is `coefficient*v + rest`, neither of which contains `v`. A coefficient that is a literal
    /// zero means that `v` is written in the equation but cancels: it cannot be solved for, yet it is read.
    Linear {
        /// The coefficient.
        coefficient: ExprId,
        /// The coefficient can never be zero.
        safe: bool,
    },
    /// In any other way.
    Nonlinear,
}

/// Tells that an expression can never be zero, for instance a parameter whose value is known and final.
pub type IsNonzero<'a> = dyn Fn(&Arena, ExprId) -> bool + 'a;

/// How the variable occurs in `residual = 0`.
pub fn solvability(arena: &mut Arena, residual: ExprId, var: VarId, is_nonzero: &IsNonzero<'_>) -> Occurrence {
    Workspace::new().solvability(arena, residual, var, is_nonzero)
}

/// All unknowns that occur in `lhs = rhs`, sorted, none of them [`Occurrence::Absent`].
pub fn occurrences(
    arena: &mut Arena,
    lhs: ExprId,
    rhs: ExprId,
    unknown: &dyn Fn(VarId) -> bool,
    is_nonzero: &IsNonzero<'_>,
) -> Vec<(VarId, Occurrence)> {
    Workspace::new().occurrences(arena, lhs, rhs, unknown, is_nonzero)
}

/// The value of `var` that makes `residual` zero, if `residual` is affine in it with a coefficient that is not
/// literally zero. The caller must know that the coefficient does not vanish.
pub fn solve(arena: &mut Arena, residual: ExprId, var: VarId) -> Option<ExprId> {
    let zero = arena.zero();
    Workspace::new().solve(arena, residual, zero, var)
}

/// The value of `var` that makes `lhs = rhs` true; as [`solve`].
pub fn solve_equation(arena: &mut Arena, lhs: ExprId, rhs: ExprId, var: VarId) -> Option<ExprId> {
    Workspace::new().solve(arena, lhs, rhs, var)
}

/// The value of `var` that makes `lhs = rhs` true, where `var` stands in an affine expression that is reached through
/// functions with an inverse only: `a/(...)`, `exp(...)`, `log(...)`, `log10(...)`, and `sqrt(...)` if what it equals cannot be
/// negative. Where the equation has no solution (`1/v = 0`, `0/v = 1`, `exp(v) = -1`) the value is not finite.
/// As in [`solve`], the caller must know that the coefficients it divides by do not vanish.
pub fn solve_inverse(arena: &mut Arena, lhs: ExprId, rhs: ExprId, var: VarId, is_nonzero: &IsNonzero<'_>) -> Option<ExprId> {
    Workspace::new().solve_inverse(arena, lhs, rhs, var, is_nonzero)
}

/// The coefficient of a variable; `None` if it is nonlinear.
type Coefficient = Option<ExprId>;

/// The nodes of one equation, numbered so that operands come first.
#[derive(Default)]
struct Local {
    nodes: Vec<ExprId>,
    number: FxHashMap<ExprId, u32>,
    /// Whether an unknown occurs in the node.
    depends: Vec<bool>,
    /// Long argument lists, which are numbered as if they had no operands, with their unknowns.
    lists: Vec<(ExprId, Vec<VarId>)>,
}

/// Buffers that are reused from equation to equation.
#[derive(Default)]
pub struct Workspace {
    local: Local,
    stack: Vec<ExprId>,
    /// Per local node, the coefficient gathered so far in the current sweep.
    adjoint: Vec<Option<ExprId>>,
    /// Per local node, whether the current sweep or search has reached it.
    reached: Vec<bool>,
    /// The local nodes of the current sweep.
    order: Vec<usize>,
    /// Whether the equation has an `if` that depends on an unknown.
    has_select: bool,
    /// The nodes of a coefficient that were reached.
    seen: FxHashSet<ExprId>,
    /// The signs of a coefficient's nodes.
    signs: FxHashMap<ExprId, Signs>,
    /// Work left for the current equation.
    budget: usize,
}

/// Clearing a table costs its capacity, so one large equation must not slow all later ones.
const KEPT_CAPACITY: usize = 1024;

/// The work allowed for an equation of `n` nodes: ample for any that is written down, a bound for those that explode.
fn allowance(n: usize) -> usize {
    16 * n + 4096
}

impl Local {
    fn of(&self, expr: ExprId) -> usize {
        self.number[&expr] as usize
    }

    fn depends(&self, expr: ExprId) -> bool {
        self.number.get(&expr).is_some_and(|number| self.depends[*number as usize])
    }
}

impl Workspace {
    /// Empty buffers.
    pub fn new() -> Workspace {
        Workspace::default()
    }

    /// As the function [`solvability`].
    pub fn solvability(&mut self, arena: &mut Arena, residual: ExprId, var: VarId, is_nonzero: &IsNonzero<'_>) -> Occurrence {
        let one = arena.one();
        let found = self.analyse(arena, &[(residual, one)], &|v| v == var, is_nonzero);
        found.first().map_or(Occurrence::Absent, |(_, occurrence)| *occurrence)
    }

    /// As the function [`occurrences`].
    pub fn occurrences(
        &mut self,
        arena: &mut Arena,
        lhs: ExprId,
        rhs: ExprId,
        unknown: &dyn Fn(VarId) -> bool,
        is_nonzero: &IsNonzero<'_>,
    ) -> Vec<(VarId, Occurrence)> {
        let (one, minus_one) = (arena.one(), arena.constant(-1.0));
        self.analyse(arena, &[(lhs, one), (rhs, minus_one)], unknown, is_nonzero)
    }

    /// As the function [`solve_equation`].
    pub fn solve(&mut self, arena: &mut Arena, lhs: ExprId, rhs: ExprId, var: VarId) -> Option<ExprId> {
        self.solve_with(arena, lhs, rhs, var, None)
    }

    /// As the function [`solve_inverse`].
    pub fn solve_inverse(&mut self, arena: &mut Arena, lhs: ExprId, rhs: ExprId, var: VarId, is_nonzero: &IsNonzero<'_>) -> Option<ExprId> {
        self.solve_with(arena, lhs, rhs, var, Some(is_nonzero))
    }

    /// As [`solve_equation`], or as [`solve_inverse`] if it is told what cannot be zero.
    fn solve_with(&mut self, arena: &mut Arena, lhs: ExprId, rhs: ExprId, var: VarId, inverses: Option<&IsNonzero<'_>>) -> Option<ExprId> {
        self.number(arena, [lhs, rhs], &|v| v == var);
        // Invariant: the equation is `expr = value`, and `value` does not contain the variable.
        let (mut expr, mut value) = match (self.local.depends(lhs), self.local.depends(rhs)) {
            (true, false) => (lhs, rhs),
            (false, true) => (rhs, lhs),
            (true, true) => {
                let residual = arena.sub(lhs, rhs);
                self.number(arena, [residual], &|v| v == var);
                (residual, arena.zero())
            }
            (false, false) => return None,
        };
        loop {
            match arena.node(expr) {
                Node::Var(v) if v == var => return Some(value),
                Node::Unary(Op1::Neg, a) => (expr, value) = (a, arena.neg(value)),
                Node::Unary(function, a) => {
                    value = self.inverse(arena, function, value, inverses?)?;
                    expr = a;
                }
                Node::Binary(Op2::Div, a, b) if inverses.is_some() && !self.local.depends(a) => {
                    self.budget = allowance(self.local.nodes.len());
                    let is_certain = inverses.is_some_and(|is_nonzero| self.never_zero(arena, a, is_nonzero));
                    // With a zero numerator the quotient is zero whatever the divisor: there is no solution, or no single one.
                    let numerator = if is_certain { a } else { nonzero(arena, a) };
                    (expr, value) = (b, arena.div(numerator, value));
                }
                Node::Binary(op @ (Op2::Add | Op2::Sub | Op2::Mul | Op2::Div), a, b) => {
                    let in_a = self.local.depends(a);
                    let in_b = self.local.depends(b);
                    (expr, value) = match (op, in_a, in_b) {
                        (Op2::Add, true, false) => (a, arena.sub(value, b)),
                        (Op2::Add, false, true) => (b, arena.sub(value, a)),
                        (Op2::Sub, true, false) => (a, arena.add(value, b)),
                        (Op2::Sub, false, true) => (b, arena.sub(a, value)),
                        (Op2::Mul, true, false) => (a, arena.div(value, b)),
                        (Op2::Mul, false, true) => (b, arena.div(value, a)),
                        (Op2::Div, true, false) => (a, arena.mul(value, b)),
                        _ => return self.solve_affine(arena, expr, value, var),
                    };
                }
                Node::Select(..) => return self.solve_affine(arena, expr, value, var),
                _ => return None,
            }
        }
    }

    /// What the operand of a function must be for the function to have a value; `None` if that is not certain.
    fn inverse(&mut self, arena: &mut Arena, function: Op1, value: ExprId, is_nonzero: &IsNonzero<'_>) -> Option<ExprId> {
        match function {
            Op1::Exp => Some(arena.unary(Op1::Log, value)),
            Op1::Log => Some(arena.unary(Op1::Exp, value)),
            Op1::Log10 => {
                let ten = arena.constant(10.0);
                Some(arena.pow(ten, value))
            }
            Op1::Sqrt => {
                self.budget = allowance(self.local.nodes.len());
                let signs = self.signs_of(arena, value, is_nonzero)?;
                (!signs.minus).then(|| arena.mul(value, value))
            }
            _ => None,
        }
    }

    /// Solves `expr = value` by `k` and `rest` of `expr = k*var + rest`.
    fn solve_affine(&mut self, arena: &mut Arena, expr: ExprId, value: ExprId, var: VarId) -> Option<ExprId> {
        let one = arena.one();
        let coefficient = match self.analyse(arena, &[(expr, one)], &|v| v == var, &|_, _| false).first() {
            Some((_, Occurrence::Linear { coefficient, .. })) if !arena.is_zero(*coefficient) => *coefficient,
            _ => return None,
        };
        let zero = arena.zero();
        let rest = map_vars(arena, expr, &mut |_, v| (v == var).then_some(zero));
        let numerator = arena.sub(value, rest);
        Some(arena.div(numerator, coefficient))
    }

    fn analyse(
        &mut self,
        arena: &mut Arena,
        roots: &[(ExprId, ExprId)],
        unknown: &dyn Fn(VarId) -> bool,
        is_nonzero: &IsNonzero<'_>,
    ) -> Vec<(VarId, Occurrence)> {
        self.number(arena, roots.iter().map(|(expr, _)| *expr), unknown);
        self.budget = allowance(self.local.nodes.len());
        let Some(coefficients) = self.coefficients(arena, roots) else {
            return self.all_nonlinear(arena, unknown);
        };
        self.classify(arena, &coefficients, is_nonzero)
    }

    /// Numbers the nodes of the equation and finds those that depend on an unknown.
    fn number(&mut self, arena: &Arena, roots: impl IntoIterator<Item = ExprId>, unknown: &dyn Fn(VarId) -> bool) {
        let local = &mut self.local;
        local.nodes.clear();
        local.depends.clear();
        local.lists.clear();
        if local.number.capacity() > KEPT_CAPACITY {
            local.number = FxHashMap::default();
        } else {
            local.number.clear();
        }
        self.has_select = false;
        self.stack.clear();
        self.stack.extend(roots);
        while let Some(&top) = self.stack.last() {
            if local.number.contains_key(&top) {
                self.stack.pop();
                continue;
            }
            if let Node::Arg(..) = arena.node(top)
                && let Some(all) = arena.long_list(top)
            {
                let unknowns: Vec<VarId> = all.iter().copied().filter(|var| unknown(*var)).collect();
                self.stack.pop();
                local.number.insert(top, local.nodes.len() as u32);
                local.nodes.push(top);
                local.depends.push(!unknowns.is_empty());
                local.lists.push((top, unknowns));
                continue;
            }
            let waiting = self.stack.len();
            self.stack.extend(arena.operands(top).filter(|operand| !local.number.contains_key(operand)));
            if self.stack.len() > waiting {
                continue;
            }
            self.stack.pop();
            let depends = match arena.node(top) {
                Node::Var(var) => unknown(var),
                _ => arena.operands(top).any(|operand| local.depends[local.of(operand)]),
            };
            self.has_select |= depends && matches!(arena.node(top), Node::Select(..));
            local.number.insert(top, local.nodes.len() as u32);
            local.nodes.push(top);
            local.depends.push(depends);
        }
        self.adjoint.clear();
        self.adjoint.resize(local.nodes.len(), None);
        self.reached.clear();
        self.reached.resize(local.nodes.len(), false);
    }

    /// Takes from the budget; `None` when it is spent.
    fn spend(&mut self, work: usize) -> Option<()> {
        self.budget = self.budget.checked_sub(work)?;
        Some(())
    }

    fn all_nonlinear(&self, arena: &Arena, unknown: &dyn Fn(VarId) -> bool) -> Vec<(VarId, Occurrence)> {
        let mut found: Vec<(VarId, Occurrence)> = Vec::new();
        for expr in &self.local.nodes {
            if let Node::Var(var) = arena.node(*expr)
                && unknown(var)
            {
                found.push((var, Occurrence::Nonlinear));
            }
        }
        found.extend(self.local.lists.iter().flat_map(|(_, unknowns)| unknowns).map(|var| (*var, Occurrence::Nonlinear)));
        found.sort_unstable_by_key(|(var, _)| *var);
        found.dedup_by_key(|(var, _)| *var);
        found
    }

    /// The coefficients in the sum of the weighted roots, sorted by variable. `None` when the budget is spent.
    fn coefficients(&mut self, arena: &mut Arena, roots: &[(ExprId, ExprId)]) -> Option<Vec<(VarId, Coefficient)>> {
        let mut joined: FxHashMap<u32, Vec<(VarId, Coefficient)>> = FxHashMap::default();
        if !self.has_select {
            return self.sweep(arena, roots, &joined);
        }
        for select in self.selects(arena, roots)? {
            if let Node::Select(condition, a, b) = arena.node(self.local.nodes[select as usize]) {
                let one = arena.one();
                let mut list = self.sweep(arena, &[(a, one)], &joined)?;
                let other = self.sweep(arena, &[(b, one)], &joined)?;
                list = join(arena, condition, &list, &other);
                if self.local.depends(condition) {
                    self.mark_nonlinear(arena, &[condition], &mut list)?;
                    merge(arena, &mut list);
                }
                self.spend(list.len())?;
                joined.insert(select, list);
            }
        }
        self.sweep(arena, roots, &joined)
    }

    /// The number of a node that depends on an unknown and is met for the first time.
    fn enter(&mut self, node: ExprId) -> Option<usize> {
        let number = self.local.of(node);
        let is_new = self.local.depends[number] && !std::mem::replace(&mut self.reached[number], true);
        is_new.then_some(number)
    }

    /// The `if` nodes that the sweeps will meet, inner ones first.
    fn selects(&mut self, arena: &Arena, roots: &[(ExprId, ExprId)]) -> Option<Vec<u32>> {
        let mut selects = Vec::new();
        let mut visited = Vec::new();
        let mut stack: Vec<ExprId> = roots.iter().map(|(expr, _)| *expr).collect();
        while let Some(top) = stack.pop() {
            let Some(number) = self.enter(top) else { continue };
            visited.push(number);
            match arena.node(top) {
                Node::Unary(Op1::Neg, a) | Node::Binary(Op2::Div, a, _) => stack.push(a),
                Node::Binary(Op2::Add | Op2::Sub | Op2::Mul, a, b) => stack.extend([a, b]),
                Node::Select(_, a, b) => {
                    selects.push(number as u32);
                    stack.extend([a, b]);
                }
                _ => {}
            }
        }
        for number in &visited {
            self.reached[*number] = false;
        }
        self.spend(visited.len())?;
        selects.sort_unstable();
        Some(selects)
    }

    /// The nodes of a sweep, so that each is left after all that use it, and those that it does not enter.
    fn swept(&mut self, arena: &Arena, roots: &[(ExprId, ExprId)]) -> Option<(Vec<usize>, Vec<ExprId>)> {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        let mut nonlinear: Vec<ExprId> = Vec::new();
        self.stack.clear();
        self.stack.extend(roots.iter().map(|(expr, _)| *expr));
        while let Some(top) = self.stack.pop() {
            let Some(number) = self.enter(top) else { continue };
            order.push(number);
            match arena.node(top) {
                Node::Var(_) | Node::Select(..) => {}
                Node::Unary(Op1::Neg, a) => self.stack.push(a),
                Node::Binary(Op2::Add | Op2::Sub | Op2::Mul, a, b) => self.stack.extend([a, b]),
                Node::Binary(Op2::Div, a, b) => {
                    self.stack.push(a);
                    nonlinear.push(b);
                }
                _ => nonlinear.push(top),
            }
        }
        for number in &order {
            self.reached[*number] = false;
        }
        self.spend(order.len())?;
        order.sort_unstable_by(|a, b| b.cmp(a));
        Some((order, nonlinear))
    }

    /// One sweep from the weighted roots down to variables and to `if` nodes, whose coefficients are known.
    fn sweep(
        &mut self,
        arena: &mut Arena,
        roots: &[(ExprId, ExprId)],
        joined: &FxHashMap<u32, Vec<(VarId, Coefficient)>>,
    ) -> Option<Vec<(VarId, Coefficient)>> {
        let (order, nonlinear) = self.swept(arena, roots)?;
        for (expr, weight) in roots {
            self.contribute(arena, *expr, *weight);
        }
        let mut found: Vec<(VarId, Coefficient)> = Vec::new();
        for &number in &order {
            let Some(k) = self.adjoint[number].take() else { continue };
            match arena.node(self.local.nodes[number]) {
                Node::Var(var) => found.push((var, Some(k))),
                Node::Select(..) => {
                    let list = &joined[&(number as u32)];
                    self.spend(list.len())?;
                    found.extend(list.iter().map(|(var, inner)| (*var, inner.map(|inner| times(arena, k, inner)))));
                }
                Node::Unary(Op1::Neg, a) => {
                    let minus = arena.neg(k);
                    self.contribute(arena, a, minus);
                }
                Node::Binary(Op2::Add, a, b) => {
                    self.contribute(arena, a, k);
                    self.contribute(arena, b, k);
                }
                Node::Binary(Op2::Sub, a, b) => {
                    self.contribute(arena, a, k);
                    if self.local.depends(b) {
                        let minus = arena.neg(k);
                        self.contribute(arena, b, minus);
                    }
                }
                Node::Binary(Op2::Mul, a, b) => {
                    for (factor, other) in [(a, b), (b, a)] {
                        if self.local.depends(factor) {
                            let product = times(arena, k, other);
                            self.contribute(arena, factor, product);
                        }
                    }
                }
                // Otherwise the unknown is in the divisor, which the sweep does not enter.
                Node::Binary(Op2::Div, a, b) if self.local.depends(a) => {
                    let quotient = arena.div(k, b);
                    self.contribute(arena, a, quotient);
                }
                _ => {}
            }
        }
        self.order = order;
        self.mark_nonlinear(arena, &nonlinear, &mut found)?;
        merge(arena, &mut found);
        Some(found)
    }

    /// Adds to the coefficient of a node of the current sweep.
    fn contribute(&mut self, arena: &mut Arena, expr: ExprId, k: ExprId) {
        let number = self.local.of(expr);
        if self.local.depends[number] {
            self.adjoint[number] = Some(match self.adjoint[number] {
                Some(sum) => arena.add(sum, k),
                None => k,
            });
        }
    }

    /// Adds every unknown beneath the roots as nonlinear.
    fn mark_nonlinear(&mut self, arena: &Arena, roots: &[ExprId], found: &mut Vec<(VarId, Coefficient)>) -> Option<()> {
        let mut visited = Vec::new();
        let mut stack = roots.to_vec();
        while let Some(top) = stack.pop() {
            let Some(number) = self.enter(top) else { continue };
            visited.push(number);
            match arena.node(top) {
                Node::Var(var) => found.push((var, None)),
                Node::Arg(..) => match self.local.lists.iter().find(|(list, _)| *list == top) {
                    Some((_, unknowns)) => found.extend(unknowns.iter().map(|var| (*var, None))),
                    None => stack.extend(arena.operands(top)),
                },
                _ => stack.extend(arena.operands(top)),
            }
        }
        for number in &visited {
            self.reached[*number] = false;
        }
        self.spend(visited.len())
    }

    /// Turns coefficients into occurrences: checks that none contains its own variable, and whether it can vanish.
    fn classify(&mut self, arena: &Arena, coefficients: &[(VarId, Coefficient)], is_nonzero: &IsNonzero<'_>) -> Vec<(VarId, Occurrence)> {
        let mut found: Vec<(VarId, Occurrence)> = coefficients.iter().map(|(var, _)| (*var, Occurrence::Nonlinear)).collect();
        // Unknowns with the same coefficient are checked together.
        let mut groups: Vec<(ExprId, usize)> = coefficients.iter().enumerate().filter_map(|(i, (_, k))| k.map(|k| (k, i))).collect();
        groups.sort_unstable();
        let mut rest = groups.as_slice();
        while let Some(&(k, _)) = rest.first() {
            let (group, others) = rest.split_at(rest.partition_point(|(other, _)| *other == k));
            rest = others;
            let Some(inside) = self.unknowns_inside(arena, k) else { continue };
            let safe = self.never_zero(arena, k, is_nonzero);
            for &(_, i) in group {
                if inside.binary_search(&found[i].0).is_err() {
                    found[i].1 = Occurrence::Linear { coefficient: k, safe };
                }
            }
        }
        found
    }

    /// The variables of a coefficient, sorted. `None` when the budget is spent.
    fn unknowns_inside(&mut self, arena: &Arena, k: ExprId) -> Option<Vec<VarId>> {
        match arena.node(k) {
            Node::Const(_) => return Some(Vec::new()),
            Node::Var(var) => return Some(vec![var]),
            _ => {}
        }
        let mut inside = Vec::new();
        if self.seen.capacity() > KEPT_CAPACITY {
            self.seen = FxHashSet::default();
        } else {
            self.seen.clear();
        }
        self.stack.clear();
        self.stack.push(k);
        while let Some(top) = self.stack.pop() {
            if !self.seen.insert(top) {
                continue;
            }
            self.spend(1)?;
            match arena.node(top) {
                Node::Var(var) => inside.push(var),
                _ => self.stack.extend(arena.operands(top)),
            }
        }
        inside.sort_unstable();
        Some(inside)
    }

    /// Whether the signs of its parts show that a coefficient cannot vanish.
    fn never_zero(&mut self, arena: &Arena, k: ExprId, is_nonzero: &IsNonzero<'_>) -> bool {
        if let Some(value) = arena.as_constant(k) {
            return value != 0.0;
        }
        self.signs_of(arena, k, is_nonzero).is_some_and(|signs| !signs.zero)
    }

    /// The signs that a finite value of an expression can have. `None` when the budget is spent.
    fn signs_of(&mut self, arena: &Arena, k: ExprId, is_nonzero: &IsNonzero<'_>) -> Option<Signs> {
        if self.signs.capacity() > KEPT_CAPACITY {
            self.signs = FxHashMap::default();
        } else {
            self.signs.clear();
        }
        self.stack.clear();
        self.stack.push(k);
        while let Some(&top) = self.stack.last() {
            if self.signs.contains_key(&top) {
                self.stack.pop();
                continue;
            }
            self.spend(1)?;
            let waiting = self.stack.len();
            let node = arena.node(top);
            let signs = &mut self.signs;
            self.stack.extend(signed_operands(node).into_iter().flatten().filter(|operand| !signs.contains_key(operand)));
            if self.stack.len() > waiting {
                continue;
            }
            self.stack.pop();
            let mut found = Signs::of(node, signs);
            if found.zero && is_nonzero(arena, top) {
                found.zero = false;
            }
            signs.insert(top, found);
        }
        self.signs.get(&k).copied()
    }
}

/// The expression where it is not zero; not a number where it is.
fn nonzero(arena: &mut Arena, expr: ExprId) -> ExprId {
    let zero = arena.zero();
    let undefined = arena.div(zero, zero);
    let is_nonzero = arena.ne(expr, zero);
    arena.select(is_nonzero, expr, undefined)
}

/// `k*factor`, where a reciprocal `k` becomes a quotient.
fn times(arena: &mut Arena, k: ExprId, factor: ExprId) -> ExprId {
    if let Node::Binary(Op2::Div, numerator, divisor) = arena.node(k) {
        match arena.as_constant(numerator) {
            Some(1.0) => return arena.div(factor, divisor),
            Some(-1.0) => {
                let quotient = arena.div(factor, divisor);
                return arena.neg(quotient);
            }
            _ => {}
        }
    }
    arena.mul(k, factor)
}

/// `if c then a else b` for each variable of either list; both are sorted by variable.
fn join(arena: &mut Arena, condition: ExprId, a: &[(VarId, Coefficient)], b: &[(VarId, Coefficient)]) -> Vec<(VarId, Coefficient)> {
    let zero = arena.zero();
    let mut joined = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    loop {
        let var = match (a.peek(), b.peek()) {
            (Some((va, _)), Some((vb, _))) => *va.min(vb),
            (Some((va, _)), None) => *va,
            (None, Some((vb, _))) => *vb,
            (None, None) => return joined,
        };
        let ka = a.next_if(|(va, _)| *va == var).map_or(Some(zero), |(_, k)| k);
        let kb = b.next_if(|(vb, _)| *vb == var).map_or(Some(zero), |(_, k)| k);
        joined.push((var, ka.zip(kb).map(|(ka, kb)| arena.select(condition, ka, kb))));
    }
}

/// Sorts by variable and adds up what one variable has.
fn merge(arena: &mut Arena, found: &mut Vec<(VarId, Coefficient)>) {
    found.sort_by_key(|(var, _)| *var);
    found.dedup_by(|later, first| {
        if later.0 == first.0 {
            first.1 = first.1.zip(later.1).map(|(a, b)| arena.add(a, b));
            true
        } else {
            false
        }
    });
}

#[cfg(test)]
mod tests;
