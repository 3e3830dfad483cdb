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
//! multiple of its size. Cost per equation: linear in the size of the equation, nothing in the size of the arena.

use super::subst::map_vars;
use super::{Arena, Node};
use crate::ids::{ExprId, VarId};
use partita_runtime::math::{Op1, Op2};
use rustc_hash::{FxHashMap, FxHashSet};

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
    Workspace::new().solve_with(arena, lhs, rhs, var, Some(is_nonzero))
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

    /// As [`solve_equation`], or as [`solve_inverse`] if it is told what cannot be zero.
    fn solve_with(&mut self, arena: &mut Arena, lhs: ExprId, rhs: ExprId, var: VarId, inverses: Option<&IsNonzero<'_>>) -> Option<ExprId> {
        self.number(arena, &[lhs, rhs], &|v| v == var);
        // Invariant: the equation is `expr = value`, and `value` does not contain the variable.
        let (mut expr, mut value) = match (self.local.depends(lhs), self.local.depends(rhs)) {
            (true, false) => (lhs, rhs),
            (false, true) => (rhs, lhs),
            (true, true) => {
                let residual = arena.sub(lhs, rhs);
                self.number(arena, &[residual], &|v| v == var);
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
        let exprs: Vec<ExprId> = roots.iter().map(|(expr, _)| *expr).collect();
        self.number(arena, &exprs, unknown);
        self.budget = allowance(self.local.nodes.len());
        let Some(coefficients) = self.coefficients(arena, roots) else {
            return self.all_nonlinear(arena, unknown);
        };
        self.classify(arena, &coefficients, is_nonzero)
    }

    /// Numbers the nodes of the equation and finds those that depend on an unknown.
    fn number(&mut self, arena: &Arena, roots: &[ExprId], unknown: &dyn Fn(VarId) -> bool) {
        let local = &mut self.local;
        local.nodes.clear();
        local.depends.clear();
        if local.number.capacity() > KEPT_CAPACITY {
            local.number = FxHashMap::default();
        } else {
            local.number.clear();
        }
        self.has_select = false;
        self.stack.clear();
        self.stack.extend_from_slice(roots);
        while let Some(&top) = self.stack.last() {
            if local.number.contains_key(&top) {
                self.stack.pop();
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
        found.sort_unstable_by_key(|(var, _)| *var);
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

    /// The `if` nodes that the sweeps will meet, inner ones first.
    fn selects(&mut self, arena: &Arena, roots: &[(ExprId, ExprId)]) -> Option<Vec<u32>> {
        let mut selects = Vec::new();
        let mut visited = Vec::new();
        let mut stack: Vec<ExprId> = roots.iter().map(|(expr, _)| *expr).collect();
        while let Some(top) = stack.pop() {
            let number = self.local.of(top);
            if !self.local.depends[number] || std::mem::replace(&mut self.reached[number], true) {
                continue;
            }
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

    /// One sweep from the weighted roots down to variables and to `if` nodes, whose coefficients are known.
    fn sweep(
        &mut self,
        arena: &mut Arena,
        roots: &[(ExprId, ExprId)],
        joined: &FxHashMap<u32, Vec<(VarId, Coefficient)>>,
    ) -> Option<Vec<(VarId, Coefficient)>> {
        // The nodes of the sweep, so that each is left after all that use it.
        let mut order: Vec<usize> = Vec::new();
        let mut nonlinear: Vec<ExprId> = Vec::new();
        let mut stack: Vec<ExprId> = roots.iter().map(|(expr, _)| *expr).collect();
        while let Some(top) = stack.pop() {
            let number = self.local.of(top);
            if !self.local.depends[number] || std::mem::replace(&mut self.reached[number], true) {
                continue;
            }
            order.push(number);
            match arena.node(top) {
                Node::Var(_) | Node::Select(..) => {}
                Node::Unary(Op1::Neg, a) => stack.push(a),
                Node::Binary(Op2::Add | Op2::Sub | Op2::Mul, a, b) => stack.extend([a, b]),
                Node::Binary(Op2::Div, a, b) => {
                    stack.push(a);
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

        for (expr, weight) in roots {
            self.contribute(arena, *expr, *weight);
        }
        let mut found: Vec<(VarId, Coefficient)> = Vec::new();
        for number in order {
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
            let number = self.local.of(top);
            if !self.local.depends[number] || std::mem::replace(&mut self.reached[number], true) {
                continue;
            }
            visited.push(number);
            match arena.node(top) {
                Node::Var(var) => found.push((var, None)),
                _ => stack.extend(arena.operands(top)),
            }
        }
        for number in &visited {
            self.reached[*number] = false;
        }
        self.spend(visited.len())
    }

    /// Turns coefficients into occurrences: checks that none contains its own variable, and whether it can vanish.
    fn classify(
        &mut self,
        arena: &Arena,
        coefficients: &[(VarId, Coefficient)],
        is_nonzero: &IsNonzero<'_>,
    ) -> Vec<(VarId, Occurrence)> {
        let mut found: Vec<(VarId, Occurrence)> =
            coefficients.iter().map(|(var, _)| (*var, Occurrence::Nonlinear)).collect();
        // Unknowns with the same coefficient are checked together.
        let mut groups: Vec<(ExprId, usize)> =
            coefficients.iter().enumerate().filter_map(|(i, (_, k))| k.map(|k| (k, i))).collect();
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
fn join(
    arena: &mut Arena,
    condition: ExprId,
    a: &[(VarId, Coefficient)],
    b: &[(VarId, Coefficient)],
) -> Vec<(VarId, Coefficient)> {
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

/// The signs a finite value can have.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Signs {
    minus: bool,
    zero: bool,
    plus: bool,
}

/// The operands whose signs matter.
fn signed_operands(node: Node) -> [Option<ExprId>; 2] {
    match node {
        Node::Unary(Op1::Neg | Op1::Abs | Op1::Sqrt, a) => [Some(a), None],
        Node::Binary(Op2::Add | Op2::Sub | Op2::Mul | Op2::Div | Op2::Min | Op2::Max, a, b) | Node::Select(_, a, b) => {
            [Some(a), Some(b)]
        }
        _ => [None, None],
    }
}

impl Signs {
    const ANY: Signs = Signs { minus: true, zero: true, plus: true };

    fn of(node: Node, memo: &FxHashMap<ExprId, Signs>) -> Signs {
        match node {
            Node::Const(bits) => {
                let value = f64::from_bits(bits);
                if value.is_nan() {
                    Signs::ANY
                } else {
                    Signs { minus: value < 0.0, zero: value == 0.0, plus: value > 0.0 }
                }
            }
            Node::Unary(Op1::Neg, a) => memo[&a].negated(),
            Node::Unary(Op1::Abs, a) => {
                let a = memo[&a];
                Signs { minus: false, zero: a.zero, plus: a.minus || a.plus }
            }
            // A negative radicand has no value.
            Node::Unary(Op1::Sqrt, a) => Signs { minus: false, ..memo[&a] },
            Node::Unary(Op1::Cosh, _) => Signs { minus: false, zero: false, plus: true },
            Node::Binary(Op2::Add, a, b) => memo[&a].plus(memo[&b]),
            Node::Binary(Op2::Sub, a, b) => memo[&a].plus(memo[&b].negated()),
            Node::Binary(Op2::Mul, a, b) if a == b => {
                let a = memo[&a];
                Signs { minus: false, zero: a.zero, plus: a.minus || a.plus }
            }
            Node::Binary(Op2::Mul, a, b) => memo[&a].times(memo[&b]),
            // A zero divisor gives no finite value.
            Node::Binary(Op2::Div, a, b) => memo[&a].times(Signs { zero: false, ..memo[&b] }),
            Node::Binary(Op2::Min | Op2::Max, a, b) | Node::Select(_, a, b) => memo[&a].either(memo[&b]),
            _ => Signs::ANY,
        }
    }

    fn negated(self) -> Signs {
        Signs { minus: self.plus, zero: self.zero, plus: self.minus }
    }

    fn either(self, other: Signs) -> Signs {
        Signs { minus: self.minus || other.minus, zero: self.zero || other.zero, plus: self.plus || other.plus }
    }

    fn times(self, other: Signs) -> Signs {
        Signs {
            minus: self.minus && other.plus || self.plus && other.minus,
            zero: self.zero || other.zero,
            plus: self.plus && other.plus || self.minus && other.minus,
        }
    }

    fn plus(self, other: Signs) -> Signs {
        Signs {
            minus: self.minus || other.minus,
            zero: self.zero && other.zero || self.minus && other.plus || self.plus && other.minus,
            plus: self.plus || other.plus,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::eval::eval;
    use crate::expr::print::print;
    use crate::expr::testing::{Random, grow};
    use cranelift_entity::EntityRef;
    use std::time::{Duration, Instant};

    const NAMES: [&str; 4] = ["v", "a", "b", "c"];

    fn text(arena: &Arena, expr: ExprId) -> String {
        print(arena, expr, &|v| NAMES[v.index()].into(), &|f| f.to_string())
    }

    fn v() -> VarId {
        VarId::new(0)
    }

    fn setup() -> (Arena, [ExprId; 4]) {
        let mut e = Arena::default();
        let vars = [0, 1, 2, 3].map(|i| e.var(VarId::new(i)));
        (e, vars)
    }

    #[test]
    fn inverse_functions_keep_the_solutions() {
        let (mut e, [v, a, b, c]) = setup();
        let (one, two) = (e.one(), e.constant(2.0));
        let reciprocal = e.div(one, v);
        let double = e.mul(two, v);
        let sum = e.add(c, double);
        let quotient = e.div(b, sum);
        let rise = e.unary(Op1::Exp, double);
        let diode = e.sub(rise, one);
        let logarithm = e.unary(Op1::Log, sum);
        let root = e.unary(Op1::Sqrt, sum);
        let square = e.mul(a, a);
        let cases = [
            (a, reciprocal, Some("1/a")),
            (a, quotient, Some("((if b <> 0 then b else 0/0)/a - c)/2")),
            (diode, a, Some("log(a + 1)/2")),
            (a, logarithm, Some("(exp(a) - c)/2")),
            (a, root, None),
            (square, root, Some("(a*a*(a*a) - c)/2")),
        ];
        for (lhs, rhs, expected) in cases {
            let found = solve_inverse(&mut e, lhs, rhs, VarId::new(0), &|_, _| false);
            assert_eq!(found.map(|s| text(&e, s)).as_deref(), expected, "{} = {}", text(&e, lhs), text(&e, rhs));
            assert_eq!(solve_equation(&mut e, lhs, rhs, VarId::new(0)), None);
        }
        // Written twice, or through a function with several inverses.
        let sine = e.unary(Op1::Sin, v);
        assert_eq!(solve_inverse(&mut e, a, sine, VarId::new(0), &|_, _| false), None);
        let own = e.mul(v, rise);
        assert_eq!(solve_inverse(&mut e, a, own, VarId::new(0), &|_, _| false), None);
        // 0/v = a has no solution unless a is zero, and then every v is one.
        let product = solve_inverse(&mut e, a, quotient, VarId::new(0), &|_, _| false).expect("b/(c + 2*v) = a has a solution");
        assert!(eval(&e, product, &|var| [0.0, 3.0, 0.0, 1.0][var.index()]).is_nan());
        assert_eq!(eval(&e, product, &|var| [0.0, 2.0, 6.0, 1.0][var.index()]), 1.0);
    }

    #[test]
    fn plain_solutions() {
        let (mut e, [v, a, b, c]) = setup();
        let condition = e.lt(b, c);
        let three = e.constant(3.0);
        let sum = e.add(a, v);
        let product = e.mul(a, v);
        let bv = e.mul(b, v);
        let quotient = e.div(v, a);
        let minus = e.neg(v);
        let affine = e.add(bv, c);
        let both = e.add(product, affine);
        let triple = e.mul(three, v);
        let diode = e.select(condition, v, bv);
        let scaled_sum = e.mul(b, sum);
        let cases = [
            (v, a, "a"),
            (a, v, "a"),
            (sum, b, "b - a"),
            (b, sum, "b - a"),
            (product, b, "b/a"),
            (triple, b, "b/3"),
            (minus, b, "-b"),
            (quotient, b, "a*b"),
            (scaled_sum, c, "c/b - a"),
            (c, affine, "0"),
            (b, affine, "(b - c)/b"),
            (product, affine, "c/(a - b)"),
            (both, c, "0"),
            (diode, c, "c/(if b < c then 1 else b)"),
        ];
        for (lhs, rhs, expected) in cases {
            let solution = solve_equation(&mut e, lhs, rhs, VarId::new(0)).map(|s| text(&e, s));
            assert_eq!(solution.as_deref(), Some(expected), "{} = {}", text(&e, lhs), text(&e, rhs));
        }
    }

    #[test]
    fn residual_solutions() {
        let (mut e, [v, a, b, _]) = setup();
        let product = e.mul(a, v);
        for (lhs, rhs, expected) in [(v, b, "b"), (b, v, "b"), (product, b, "b/a"), (b, product, "b/a")] {
            let residual = e.sub(lhs, rhs);
            let solution = solve(&mut e, residual, VarId::new(0)).unwrap();
            assert_eq!(text(&e, solution), expected);
        }
        let sine = e.unary(Op1::Sin, v);
        assert_eq!(solve(&mut e, sine, VarId::new(0)), None);
        assert_eq!(solve(&mut e, a, VarId::new(0)), None);
        let square = e.mul(v, v);
        let sum = e.add(square, v);
        assert_eq!(solve(&mut e, sum, VarId::new(0)), None);
    }

    fn kind(e: &mut Arena, residual: ExprId) -> String {
        match solvability(e, residual, v(), &|e, x| matches!(e.node(x), Node::Var(a) if a.index() == 1)) {
            Occurrence::Absent => "absent".into(),
            Occurrence::Nonlinear => "nonlinear".into(),
            Occurrence::Linear { coefficient, safe } => {
                format!("{}{}", text(e, coefficient), if safe { " safe" } else { "" })
            }
        }
    }

    #[test]
    fn kinds() {
        let (mut e, [v, a, b, c]) = setup();
        let (one, two) = (e.one(), e.constant(2.0));
        let condition = e.lt(b, c);
        let own_condition = e.lt(v, c);
        let av = e.mul(a, v);
        let bv = e.mul(b, v);
        let sum = e.add(v, b);
        let sine = e.unary(Op1::Sin, v);
        let bb = e.mul(b, b);
        let positive = e.add(one, bb);
        let exact = e.mul(b, two);
        let cases = [
            (b, "absent"),
            (e.add(v, b), "1 safe"),
            (e.sub(b, v), "-1 safe"),
            (av, "a safe"),
            (bv, "b"),
            (e.mul(two, av), "2*a safe"),
            (e.div(av, b), "a/b safe"),
            (e.div(b, v), "nonlinear"),
            (e.mul(v, v), "nonlinear"),
            (e.mul(sum, sum), "nonlinear"),
            (e.mul(v, sine), "nonlinear"),
            (e.add(av, sine), "nonlinear"),
            (e.select(condition, av, v), "if b < c then a else 1 safe"),
            (e.select(condition, av, b), "if b < c then a else 0"),
            (e.select(own_condition, av, v), "nonlinear"),
            (e.select(own_condition, a, b), "nonlinear"),
            (e.mul(positive, v), "b*b + 1 safe"),
            (e.sub(sum, v), "0"),
            (e.mul(exact, v), "2*b"),
        ];
        for (residual, expected) in cases {
            assert_eq!(kind(&mut e, residual), expected, "{}", text(&e, residual));
        }
    }

    #[test]
    fn all_unknowns_of_an_equation() {
        let (mut e, [v, a, b, c]) = setup();
        // v*a + sin(b)*v = c - a
        let sine = e.unary(Op1::Sin, b);
        let (va, vs) = (e.mul(v, a), e.mul(sine, v));
        let (lhs, rhs) = (e.add(va, vs), e.sub(c, a));
        let found = occurrences(&mut e, lhs, rhs, &|v| v.index() != 3, &|_, _| false);
        let coefficient_v = e.add(a, sine);
        let one = e.one();
        let coefficient_a = e.add(one, v);
        let linear = |coefficient| Occurrence::Linear { coefficient, safe: false };
        assert_eq!(found.len(), 3);
        assert_eq!(found[0], (VarId::new(0), linear(coefficient_v)));
        assert_eq!(found[1], (VarId::new(1), linear(coefficient_a)));
        assert_eq!(found[2], (VarId::new(2), Occurrence::Nonlinear));
        // Unknowns that are not asked for are known.
        let found = occurrences(&mut e, lhs, rhs, &|v| v.index() == 3, &|_, _| false);
        let minus_one = e.constant(-1.0);
        assert_eq!(found, [(VarId::new(3), Occurrence::Linear { coefficient: minus_one, safe: true })]);
    }

    /// A random expression that is affine in `v` by construction, with products, quotients and branches.
    fn affine(e: &mut Arena, random: &mut Random, vars: &[ExprId; 4]) -> ExprId {
        let mut expr = vars[0];
        for _ in 0..2 + random.below(7) {
            let mut other = vars[1 + random.below(3)];
            if random.below(3) == 0 {
                let literal = e.constant(random.value());
                other = e.add(literal, other);
            }
            expr = match random.below(9) {
                0 => e.add(expr, other),
                1 => e.sub(expr, other),
                2 => e.sub(other, expr),
                3 => e.mul(expr, other),
                4 => e.div(expr, other),
                5 => e.neg(expr),
                6 => {
                    let more = e.mul(other, vars[0]);
                    e.add(expr, more)
                }
                7 => {
                    let condition = e.lt(other, vars[1]);
                    let more = e.mul(other, vars[0]);
                    e.select(condition, expr, more)
                }
                _ => {
                    let sum = e.add(other, expr);
                    e.sub(sum, vars[0])
                }
            };
        }
        expr
    }

    #[test]
    fn solutions_satisfy_the_equation() {
        let mut random = Random::new(23);
        let mut compared = 0;
        for _ in 0..2000 {
            let (mut e, vars) = setup();
            let (lhs, rhs) = (affine(&mut e, &mut random, &vars), vars[1 + random.below(3)]);
            let (lhs, rhs) = if random.below(2) == 0 { (lhs, rhs) } else { (rhs, lhs) };
            let residual = e.intern(Node::Binary(Op2::Sub, lhs, rhs));
            let point: Vec<f64> = (0..4).map(|_| random.value()).collect();
            let at = |e: &Arena, expr: ExprId, value: f64| {
                eval(e, expr, &|v| if v.index() == 0 { value } else { point[v.index()] })
            };
            match solvability(&mut e, residual, v(), &|_, _| false) {
                Occurrence::Linear { coefficient, .. } => {
                    let k = at(&e, coefficient, f64::NAN);
                    let slope = at(&e, residual, 1.5) - at(&e, residual, 0.5);
                    assert!((k - slope).abs() < 1e-9 * (1.0 + k.abs() + at(&e, residual, 0.5).abs()), "{}", text(&e, residual));
                    if let Some(solution) = solve_equation(&mut e, lhs, rhs, v()) {
                        assert!(!crate::expr::subst::variables(&e, solution).contains(&v()));
                        if k.abs() > 1e-2 {
                            let value = at(&e, solution, f64::NAN);
                            let rest = at(&e, residual, value);
                            assert!(rest.abs() < 1e-8 * (1.0 + (k * value).abs()), "{} leaves {rest}", text(&e, residual));
                            compared += 1;
                        }
                    }
                }
                // The variable may have cancelled while the expression was built.
                Occurrence::Absent => {}
                Occurrence::Nonlinear => panic!("{} is affine", text(&e, residual)),
            }
        }
        assert!(compared > 1000, "only {compared} compared");
    }

    /// What is called linear has a constant slope, and what is called absent none, in any expression.
    #[test]
    fn claims_hold_for_random_expressions() {
        let mut random = Random::new(41);
        let (mut linear, mut absent) = (0, 0);
        for case in 0..2000 {
            let mut e = Arena::default();
            let (plain, simplified) = grow(&mut e, &mut random, 7);
            let (lhs, rhs) = if case % 2 == 0 { (plain, e.var(v())) } else { (simplified, e.zero()) };
            let found = occurrences(&mut e, lhs, rhs, &|_| true, &|_, _| false);
            let residual = e.intern(Node::Binary(Op2::Sub, lhs, rhs));
            let point: Vec<f64> = (0..4).map(|_| random.value()).collect();
            for var in 0..4 {
                let at = |expr: ExprId, value: f64| {
                    eval(&e, expr, &|v| if v.index() == var { value } else { point[v.index()] })
                };
                let samples = [-1.3, 0.2, 0.7, 2.9].map(|value| (value, at(residual, value)));
                let faultless = |value: f64| (0..=residual.index()).all(|i| at(ExprId::new(i), value).abs() < 1e6);
                if !samples.iter().all(|(value, _)| faultless(*value)) {
                    continue;
                }
                let k = match found.iter().find(|(v, _)| v.index() == var) {
                    None => 0.0,
                    Some((_, Occurrence::Linear { coefficient, safe })) => {
                        linear += 1;
                        let k = at(*coefficient, f64::NAN);
                        assert!(!safe || k != 0.0, "{} is zero", print(&e, *coefficient, &|v| v.to_string(), &|f| f.to_string()));
                        k
                    }
                    Some(_) => continue,
                };
                absent += usize::from(k == 0.0);
                for (value, r) in samples {
                    let expected = samples[0].1 + k * (value - samples[0].0);
                    let scale = 1.0 + r.abs() + samples[0].1.abs() + (k * value).abs();
                    assert!((r - expected).abs() < 1e-9 * scale, "case {case}, v{var}: {r} {expected}");
                }
            }
        }
        assert!(linear > 500 && absent > 500, "{linear} linear, {absent} absent");
    }

    #[test]
    fn deep_sums_and_products() {
        let mut e = Arena::default();
        let n = 200_000;
        let vars: Vec<ExprId> = (0..n).map(|i| e.var(VarId::new(i))).collect();
        let zero = e.zero();
        let sum = vars.iter().fold(zero, |sum, var| e.add(*var, sum));
        let found = occurrences(&mut e, sum, vars[0], &|_| true, &|_, _| false);
        assert_eq!(found.len(), n);
        assert!(found[1..].iter().all(|(_, o)| matches!(o, Occurrence::Linear { safe: true, .. })));
        let solution = solve_equation(&mut e, sum, zero, VarId::new(n - 1));
        assert!(solution.is_some());
        // A product of everything: each coefficient is the product of all others; too much to write down.
        let (n, vars) = (20_000, &vars[..20_000]);
        let product = vars.iter().copied().reduce(|product, var| e.mul(product, var)).unwrap();
        let found = occurrences(&mut e, product, zero, &|_| true, &|_, _| false);
        assert_eq!(found.len(), n);
        let long_else = vars.iter().fold(vars[0], |other, var| {
            let condition = e.lt(*var, zero);
            e.intern(Node::Select(condition, *var, other))
        });
        let found = occurrences(&mut e, long_else, zero, &|_| true, &|_, _| false);
        assert_eq!(found.len(), n);
    }

    #[test]
    fn many_equations_quickly() {
        let mut e = Arena::default();
        let n = 100_000;
        let vars: Vec<ExprId> = (0..n).map(|i| e.var(VarId::new(i))).collect();
        let equations: Vec<(ExprId, ExprId)> = (1..n - 1)
            .map(|i| {
                let sum = e.add(vars[i - 1], vars[i + 1]);
                let double = e.constant(2.0);
                let middle = e.mul(double, vars[i]);
                let difference = e.sub(sum, middle);
                let product = e.mul(vars[i], difference);
                let sine = e.unary(Op1::Sin, vars[i + 1]);
                (product, e.add(sine, vars[i - 1]))
            })
            .collect();
        let start = Instant::now();
        let mut workspace = Workspace::new();
        let mut total = 0;
        for (lhs, rhs) in &equations {
            total += workspace.occurrences(&mut e, *lhs, *rhs, &|_| true, &|_, _| false).len();
        }
        assert_eq!(total, 3 * (n - 2));
        let elapsed = start.elapsed();
        println!("occurrences of {} equations: {elapsed:?}", equations.len());
        // A fraction of a second; anything quadratic would take minutes.
        assert!(elapsed < Duration::from_secs(20), "{elapsed:?}");
    }
}
