//! Sorts a problem into steps that can be computed one after the other: assignments and torn systems.
//!
//! Input: a problem with its matching. Output: `Torn`, steps in evaluation order; every explicit step holds the solved
//! right-hand side. Method: BLT, then per block: a single equation that has a closed-form solution becomes an assignment; a
//! larger block is torn; a block with discrete unknowns is split into its continuous part and its discrete assignments.
//! What is "safe": an inner assignment of a torn block divides by nothing that can vanish. A single equation may divide by
//! anything, because there is no other way to solve it; a zero divisor shows up as a value that is not finite and is reported.
//! A sequence of inner assignments that would magnify errors too much is cut: some of its unknowns are iterated on.
//! Guarantee: a step reads only unknowns of earlier steps (or its own, inside a block).

use crate::base::ids::{ExprId, VarId};
use crate::equations::dae::System;
use crate::equations::dae::incidence::Problem;
use crate::equations::expr::solve::{Occurrence, Workspace};
use crate::equations::expr::subst::variables;
use crate::equations::expr::{Arena, Node};
use crate::structure::blt::{self, Block};
use crate::structure::incidence::{Col, Entry, Incidence, Row, Solvability};
use crate::structure::matching::Matching;
use crate::structure::sparse_tearing::{entries_up_to, tear_sparsely};
use crate::structure::tearing;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use partita_grammar::Span;
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::closed_form::Layer;
use rustc_hash::{FxHashMap, FxHashSet};

/// An explicit step `var := value`; in the iteration part of a block, `value` is the residual paired with `var`.
#[derive(Copy, Clone, Debug)]
pub struct Assignment {
    /// The equation it came from.
    pub row: Row,
    /// The unknown.
    pub var: VarId,
    /// The solved right-hand side.
    pub value: ExprId,
    /// Where the equation came from.
    pub span: Span,
}

/// A system that is solved together.
#[derive(Clone, Debug)]
pub struct TornBlock {
    /// Iteration unknowns, each with a residual that must vanish.
    pub iteration: Vec<Assignment>,
    /// Assignments that follow from the iteration unknowns, in order.
    pub inner: Vec<Assignment>,
    /// Discrete assignments that depend on the continuous unknowns of the block and they on them.
    pub discrete: Vec<Assignment>,
    /// The equations are affine in all continuous unknowns of the block.
    pub linear: bool,
    /// Number of continuous equations before tearing.
    pub size: usize,
    /// Where its solutions are found without iterating; the pass `closed_form` looks for that.
    pub closed: Option<ClosedForm>,
}

/// Solutions of a system that are found without iterating.
#[derive(Clone, Debug, Default)]
pub struct ClosedForm {
    /// Each solution is one of a branch.
    pub branches: Vec<Branch>,
    /// Formulas give the roots.
    pub is_direct: bool,
}

/// Solutions that follow from the roots of one unknown.
#[derive(Clone, Debug)]
pub struct Branch {
    /// That unknown, as a position among the iteration unknowns.
    pub unknown: usize,
    /// What may vanish.
    pub factors: Vec<Factor>,
    /// The other iteration unknowns, by their positions, as functions of it.
    pub others: Vec<(usize, ExprId)>,
}

/// A composition of functions that can be inverted.
#[derive(Clone, Debug)]
pub struct Factor {
    /// What it is equal to.
    pub of: ExprId,
    /// From the outermost inwards.
    pub layers: Vec<Layer>,
    /// Coefficients of all layers, in order.
    pub coefficients: Vec<ExprId>,
}

/// One step.
#[derive(Clone, Debug)]
pub enum TornStep {
    /// Compute one unknown.
    Assign(Assignment),
    /// Solve a system.
    Solve(TornBlock),
}

/// A sorted problem.
#[derive(Clone, Debug, Default)]
pub struct Torn {
    /// In evaluation order.
    pub steps: Vec<TornStep>,
}

/// Sorts `problem` along a perfect `matching` of its chosen rows.
pub fn sort(sys: &mut System, problem: &Problem, matching: &Matching) -> Torn {
    sort_iterating(sys, problem, matching, &EntitySet::new())
}

/// As [`sort`]; the given unknowns are iterated on in every block of several equations.
pub fn sort_iterating(sys: &mut System, problem: &Problem, matching: &Matching, iterated: &EntitySet<Col>) -> Torn {
    let blocks = blt::sort(&problem.incidence, matching);
    let mut torn = Torn::default();
    let mut scratch = Scratch { workspace: Workspace::new(), position: SecondaryMap::with_capacity(problem.unknowns.len()) };
    for block in &blocks.blocks {
        let has_discrete = block.rows.iter().any(|row| problem.equations[*row].assigns);
        if let (&[row], &[col]) = (block.rows.as_slice(), block.cols.as_slice())
            && let Some(assignment) = explicit(sys, problem, row, col, &mut scratch.workspace)
        {
            torn.steps.push(TornStep::Assign(assignment));
            continue;
        }
        let step = if has_discrete {
            mixed(sys, problem, block, iterated, &mut scratch)
        } else {
            continuous(sys, problem, block, iterated, &mut scratch)
        };
        torn.steps.push(TornStep::Solve(step));
    }
    torn
}

/// Tears those systems of a sorted problem anew that `which` asks for, by the numbers of their steps; the given unknowns are iterated on.
pub fn tear_again(sys: &mut System, problem: &Problem, matching: &Matching, which: &[usize], iterated: &EntitySet<Col>) -> Vec<TornBlock> {
    let blocks = blt::sort(&problem.incidence, matching);
    let mut scratch = Scratch { workspace: Workspace::new(), position: SecondaryMap::with_capacity(problem.unknowns.len()) };
    which.iter().map(|step| continuous(sys, problem, &blocks.blocks[*step], iterated, &mut scratch)).collect()
}

/// Room that all blocks use one after the other.
struct Scratch {
    workspace: Workspace,
    /// Of the unknowns of the present block their places in it.
    position: SecondaryMap<Col, PackedOption<Col>>,
}

/// `lhs - rhs` of an equation, paired with an unknown.
fn residual(sys: &mut System, problem: &Problem, row: Row, col: Col) -> Assignment {
    let equation = problem.equations[row];
    let value = sys.arena.sub(equation.lhs, equation.rhs);
    Assignment { row, var: problem.unknowns[col], value, span: equation.span }
}

/// Solves one equation for its unknown, if it assigns it, is affine in it, or so after inverting functions.
fn explicit(sys: &mut System, problem: &Problem, row: Row, col: Col, workspace: &mut Workspace) -> Option<Assignment> {
    let equation = problem.equations[row];
    let var = problem.unknowns[col];
    let value = if equation.assigns {
        let alone = sys.arena.var(var);
        if equation.lhs == alone {
            Some(equation.rhs)
        } else if equation.rhs == alone {
            Some(equation.lhs)
        } else {
            None
        }
    } else {
        workspace.solve(&mut sys.arena, equation.lhs, equation.rhs, var).or_else(|| {
            let System { arena, vars, .. } = sys;
            let is_nonzero =
                |arena: &Arena, e: ExprId| matches!(arena.node(e), Node::Var(v) if vars[v].value.is_some_and(|value| value != 0.0));
            workspace.solve_inverse(arena, equation.lhs, equation.rhs, var, &is_nonzero)
        })
    }?;
    Some(Assignment { row, var, value, span: equation.span })
}

fn continuous(sys: &mut System, problem: &Problem, block: &Block, iterated: &EntitySet<Col>, scratch: &mut Scratch) -> TornBlock {
    let mut local = LocalBlock::new(sys, problem, block, scratch);
    let linear = local.sizes.all_affine;
    local.forbid(iterated);
    let mut torn = tearing::tear(&local.incidence, &local.block, &tearing::TearingOptions::default());
    if !linear && local.avoid_small_divisors(sys, problem) {
        let gentle = tearing::tear(&local.incidence, &local.block, &tearing::TearingOptions::default());
        // What magnifies is avoided where that costs nothing, and where Newton's steps cross kinks: on the other side of one the
        // unknowns that were magnified are far off, and no part of the step is an improvement.
        let most = if local.has_kinks(sys, problem) { 2 * torn.iteration.len() } else { torn.iteration.len() };
        if gentle.iteration.len() <= most {
            torn = gentle;
        }
    }
    torn = local.cut(torn, if linear { LINEAR_GROWTH } else { NONLINEAR_GROWTH });
    if linear && let Some(sparser) = local.sparser(&torn) {
        torn = sparser;
    }
    let pair = |(row, col): (Row, Col)| (local.rows[row.index()], local.cols[col.index()]);
    let mut iteration: Vec<Assignment> = torn.iteration.into_iter().map(pair).map(|(row, col)| residual(sys, problem, row, col)).collect();
    let mut inner = Vec::with_capacity(torn.inner.len());
    for (row, col) in torn.inner.into_iter().map(pair) {
        match explicit(sys, problem, row, col, &mut scratch.workspace) {
            Some(assignment) => inner.push(assignment),
            // The entry was marked solvable, so this does not happen; iterating on it is right in any case.
            None => iteration.push(residual(sys, problem, row, col)),
        }
    }
    cancel(&mut sys.arena, &mut inner, &mut iteration);
    TornBlock { iteration, inner, discrete: Vec::new(), linear, size: block.rows.len(), closed: None }
}

/// Sums of more terms than this are left as they are.
const MOST_TERMS: usize = 8;

/// Puts the sums that define inner unknowns into later sums where terms cancel: `u := a + b; c := a - u` becomes `c := -b`.
///
/// Where `a` is a potential of hundreds of volts and `b` the voltage across a closed switch, the difference would consist of
/// rounding errors of `a` alone, and the current of a second switch beside it follows from that difference.
fn cancel(arena: &mut Arena, inner: &mut [Assignment], iteration: &mut [Assignment]) {
    let mut sum_of: FxHashMap<VarId, Vec<Term>> = FxHashMap::default();
    for assignment in inner.iter_mut() {
        if let Some(terms) = cancelled(arena, &mut assignment.value, &sum_of) {
            sum_of.insert(assignment.var, terms);
        }
    }
    for assignment in iteration {
        cancelled(arena, &mut assignment.value, &sum_of);
    }
}

/// A part of a sum, and whether it is subtracted.
type Term = (ExprId, bool);

/// The terms of a value, if they are few; the value is rewritten if terms of it cancel.
fn cancelled(arena: &mut Arena, value: &mut ExprId, sum_of: &FxHashMap<VarId, Vec<Term>>) -> Option<Vec<Term>> {
    let mut terms = terms_of(arena, *value)?;
    let mut is_new = false;
    while let Some(shorter) = (0..terms.len()).find_map(|place| {
        let Node::Var(var) = arena.node(terms[place].0) else { return None };
        let mut rest = terms.clone();
        let (_, subtracted) = rest.remove(place);
        let mut n_cancelled = 0;
        for (term, negative) in sum_of.get(&var)? {
            let negative = *negative != subtracted;
            match rest.iter().position(|other| *other == (*term, !negative)) {
                Some(pair) => {
                    rest.remove(pair);
                    n_cancelled += 1;
                }
                None => rest.push((*term, negative)),
            }
        }
        (n_cancelled > 0 && rest.len() <= terms.len()).then_some(rest)
    }) {
        terms = shorter;
        is_new = true;
    }
    if is_new {
        let zero = arena.constant(0.0);
        *value = terms.iter().fold(zero, |sum, (term, negative)| if *negative { arena.sub(sum, *term) } else { arena.add(sum, *term) });
    }
    Some(terms)
}

/// What a value adds and subtracts; nothing if that is too much.
fn terms_of(arena: &Arena, value: ExprId) -> Option<Vec<Term>> {
    let mut terms = Vec::new();
    let mut open = vec![(value, false)];
    while let Some((expr, negative)) = open.pop() {
        match arena.node(expr) {
            Node::Unary(Op1::Neg, a) => open.push((a, !negative)),
            Node::Binary(Op2::Add, a, b) => open.extend([(b, negative), (a, negative)]),
            Node::Binary(Op2::Sub, a, b) => open.extend([(b, !negative), (a, negative)]),
            _ => terms.push((expr, negative)),
        }
        if terms.len() + open.len() > MOST_TERMS {
            return None;
        }
    }
    Some(terms)
}

/// Inner unknowns of a linear block magnify errors of the iteration unknowns by at most this: three digits of sixteen are lost.
const LINEAR_GROWTH: f64 = 1e3;
/// The same for nonlinear blocks, whose coefficients are not known and count as one.
const NONLINEAR_GROWTH: f64 = 1e6;

/// Linear blocks with more iteration unknowns than this are factorised sparsely, and torn for that if that leaves fewer entries.
const MANY_UNKNOWNS: usize = 200;

/// Nonlinear blocks rather do not divide by a coefficient that is smaller than another of its equation by this factor.
const SMALL_DIVISOR: f64 = 1e3;

/// The incidence of one block alone, numbered from zero.
struct LocalBlock {
    incidence: Incidence,
    block: Block,
    rows: Vec<Row>,
    cols: Vec<Col>,
    /// Bounds of the coefficients.
    sizes: Sizes,
}

/// Bounds on the size of the coefficients of affine equations; unknown sizes are (0, infinity), other equations have none.
#[derive(Default)]
struct Sizes {
    /// Every equation is affine in all unknowns together: the block is linear.
    all_affine: bool,
    /// Where the coefficients of each equation end.
    ends: Vec<usize>,
    /// Unknown, lower and upper bound, by equation and ascending by unknown.
    bounds: Vec<(Col, f64, f64)>,
}

impl Sizes {
    /// The coefficients of one equation.
    fn of(&self, row: Row) -> &[(Col, f64, f64)] {
        let start = row.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bounds[start..self.ends[row.index()]]
    }

    /// Lower and upper bound of a coefficient.
    fn get(&self, row: Row, col: Col) -> Option<(f64, f64)> {
        let bounds = self.of(row);
        bounds.binary_search_by_key(&col, |(col, ..)| *col).ok().map(|at| (bounds[at].1, bounds[at].2))
    }

    /// The bounds for a block whose unknowns have places.
    fn find(sys: &mut System, problem: &Problem, block: &Block, scratch: &mut Scratch) -> Sizes {
        let Scratch { workspace, position } = scratch;
        let place = |v: VarId| problem.col_of[v].expand().and_then(|col| position[col].expand());
        let mut sizes = Sizes { all_affine: true, ..Sizes::default() };
        for row in &block.rows {
            let equation = problem.equations[*row];
            let found = workspace.occurrences(&mut sys.arena, equation.lhs, equation.rhs, &|v| place(v).is_some(), &|_, _| false);
            let start = sizes.bounds.len();
            for (var, occurrence) in found {
                match (occurrence, place(var)) {
                    // A product of two unknowns is affine in each of them, but not in both.
                    (Occurrence::Linear { coefficient, .. }, Some(col))
                        if !variables(&sys.arena, coefficient).into_iter().any(|v| place(v).is_some()) =>
                    {
                        let (low, high) = size_bounds(sys, coefficient, 12);
                        sizes.bounds.push((col, low, high));
                    }
                    (Occurrence::Absent, _) | (_, None) => {}
                    _ => {
                        sizes.all_affine = false;
                        sizes.bounds.truncate(start);
                        break;
                    }
                }
            }
            sizes.bounds[start..].sort_by_key(|(col, ..)| *col);
            sizes.ends.push(sizes.bounds.len());
        }
        sizes
    }
}

impl LocalBlock {
    /// In a linear block an unknown may be eliminated only where its coefficient is at least as large as all others of the
    /// equation: then elimination never amplifies rounding errors, as pivoting would have it. (An ideal diode has a
    /// resistance of 1e-5; chains of such divisions lose all digits.)
    fn new(sys: &mut System, problem: &Problem, block: &Block, scratch: &mut Scratch) -> LocalBlock {
        for (i, col) in block.cols.iter().enumerate() {
            scratch.position[*col] = Col::new(i).into();
        }
        let sizes = Sizes::find(sys, problem, block, scratch);
        let mut incidence = Incidence { n_cols: block.cols.len(), ..Incidence::default() };
        for (i, row) in block.rows.iter().enumerate() {
            let own = problem.incidence.rows[*row].iter().filter_map(|e| scratch.position[e.col].expand().map(|col| Entry { col, ..*e }));
            let mut entries: Vec<Entry> = own.collect();
            entries.sort_by_key(|e| e.col);
            if sizes.all_affine {
                // The largest coefficient and the next one: all that an equation with many unknowns must be asked for.
                let (mut first, mut second) = ((None, 0.0), 0.0);
                for &(col, _, high) in sizes.of(Row::new(i)) {
                    if high > first.1 {
                        (first, second) = ((Some(col), high), first.1);
                    } else {
                        second = second.max(high);
                    }
                }
                for entry in &mut entries {
                    let others = if first.0 == Some(entry.col) { second } else { first.1 };
                    let dominates = |low: f64| low >= others * (1.0 - 1e-9);
                    if entry.solvability == Solvability::Safe && !sizes.get(Row::new(i), entry.col).is_some_and(|(low, _)| dominates(low)) {
                        entry.solvability = Solvability::Risky;
                    }
                }
            }
            incidence.rows.push(entries);
        }
        for col in &block.cols {
            scratch.position[*col] = None.into();
        }
        let n = block.rows.len();
        let local = Block { rows: (0..n).map(Row::new).collect(), cols: (0..n).map(Col::new).collect() };
        LocalBlock { incidence, block: local, rows: block.rows.clone(), cols: block.cols.clone(), sizes }
    }

    /// Lets no affine equation be solved for an unknown whose coefficient, by its nominal value, is known to be much smaller than
    /// another; whether there is one. An error of an iteration unknown is magnified there, and so is what Newton's method neglects:
    /// its steps become short without need.
    fn avoid_small_divisors(&mut self, sys: &System, problem: &Problem) -> bool {
        let nominal: Vec<f64> = self.cols.iter().map(|col| sys.vars[problem.unknowns[*col]].nominal.unwrap_or(1.0)).collect();
        let mut found_one = false;
        for row in self.incidence.rows.keys() {
            let largest = self.sizes.of(row).iter().map(|(col, low, _)| low * nominal[col.index()]).fold(0.0, f64::max);
            let is_small = |entry: &Entry| {
                self.sizes.get(row, entry.col).is_some_and(|(_, high)| high * nominal[entry.col.index()] * SMALL_DIVISOR < largest)
            };
            for entry in self.incidence.rows[row].iter_mut().filter(|entry| entry.solvability == Solvability::Safe && is_small(entry)) {
                entry.solvability = Solvability::Risky;
                found_one = true;
            }
        }
        found_one
    }

    /// Whether an equation has an `if`, `abs`, `min` or `max` in it.
    fn has_kinks(&self, sys: &System, problem: &Problem) -> bool {
        let mut stack: Vec<ExprId> = self.rows.iter().flat_map(|row| [problem.equations[*row].lhs, problem.equations[*row].rhs]).collect();
        let mut seen: FxHashSet<ExprId> = stack.iter().copied().collect();
        while let Some(expr) = stack.pop() {
            if matches!(sys.arena.node(expr), Node::Select(..) | Node::Unary(Op1::Abs, _) | Node::Binary(Op2::Min | Op2::Max, ..)) {
                return true;
            }
            stack.extend(sys.arena.operands(expr).filter(|operand| seen.insert(*operand)));
        }
        false
    }

    /// No equation is solved for the given unknowns.
    fn forbid(&mut self, iterated: &EntitySet<Col>) {
        for entry in self.incidence.rows.entries_mut() {
            if iterated.contains(self.cols[entry.col.index()]) && entry.solvability < Solvability::Nonlinear {
                entry.solvability = Solvability::Nonlinear;
            }
        }
    }

    /// The tearing for a sparse factorisation, where the given one leaves many unknowns and more entries than that.
    fn sparser(&self, torn: &tearing::Torn) -> Option<tearing::Torn> {
        let n = torn.iteration.len();
        if n <= MANY_UNKNOWNS {
            return None;
        }
        let sparser = tear_sparsely(&self.incidence, &self.block, &tearing::TearingOptions::default());
        let sparser = self.cut(sparser, LINEAR_GROWTH);
        // There are no more than `n*n` entries.
        let few = n.saturating_mul(n);
        let n_entries = entries_up_to(&self.incidence, &sparser, few)?;
        entries_up_to(&self.incidence, torn, n_entries).is_none().then_some(sparser)
    }

    /// Iterates on inner unknowns, too, where a long sequence of assignments before them magnifies errors beyond `limit`: a chain
    /// that is torn to one unknown is a shooting method. The bound of an unknown's
    /// growth is the sum of those it is computed from, weighted by the ratios of coefficients; it is 1 for iteration unknowns.
    fn cut(&self, torn: tearing::Torn, limit: f64) -> tearing::Torn {
        let mut growth = vec![1.0; self.cols.len()];
        let mut result = tearing::Torn { iteration: torn.iteration, inner: Vec::with_capacity(torn.inner.len()) };
        for (row, col) in torn.inner {
            let size = |col: Col| self.sizes.get(row, col).filter(|_| self.sizes.all_affine);
            let own = size(col);
            let ratio = |other: Col| match (size(other), own) {
                (Some((_, other)), Some((own, _))) => other / own,
                _ => 1.0,
            };
            let operands = self.incidence.rows[row].iter().filter(|entry| entry.col != col);
            let bound: f64 = operands.map(|entry| ratio(entry.col) * growth[entry.col.index()]).sum();
            // The comparison is false for a bound that is not a number.
            let within = bound <= limit;
            growth[col.index()] = if within { bound } else { 1.0 };
            if within { result.inner.push((row, col)) } else { result.iteration.push((row, col)) }
        }
        result
    }
}

/// Lower and upper bound of the absolute value of an expression, as far as `depth` operations deep.
fn size_bounds(sys: &System, expr: ExprId, depth: usize) -> (f64, f64) {
    let anything = (0.0, f64::INFINITY);
    if let Some(value) = sys.constant_value(expr).filter(|v| v.is_finite()) {
        return (value.abs(), value.abs());
    }
    if depth == 0 {
        return anything;
    }
    let of = |e: ExprId| size_bounds(sys, e, depth - 1);
    match sys.arena.node(expr) {
        Node::Unary(Op1::Neg | Op1::Abs, a) => of(a),
        Node::Select(_, a, b) => {
            let (a, b) = (of(a), of(b));
            (a.0.min(b.0), a.1.max(b.1))
        }
        Node::Binary(Op2::Mul, a, b) => {
            let (a, b) = (of(a), of(b));
            (a.0 * b.0, if a.1 == 0.0 || b.1 == 0.0 { 0.0 } else { a.1 * b.1 })
        }
        Node::Binary(Op2::Div, a, b) => {
            let (a, b) = (of(a), of(b));
            (if b.1.is_finite() { a.0 / b.1 } else { 0.0 }, if b.0 > 0.0 { a.1 / b.0 } else { f64::INFINITY })
        }
        _ => anything,
    }
}

/// Splits a block into continuous equations, solved with frozen discrete unknowns, and discrete assignments.
fn mixed(sys: &mut System, problem: &Problem, block: &Block, iterated: &EntitySet<Col>, scratch: &mut Scratch) -> TornBlock {
    let mut continuous_part = Block { rows: Vec::new(), cols: Vec::new() };
    let mut discrete_pairs = Vec::new();
    for (row, col) in block.pairs() {
        if problem.equations[row].assigns {
            discrete_pairs.push((row, col));
        } else {
            continuous_part.rows.push(row);
            continuous_part.cols.push(col);
        }
    }
    let mut result = if continuous_part.rows.is_empty() {
        TornBlock { iteration: Vec::new(), inner: Vec::new(), discrete: Vec::new(), linear: true, size: 0, closed: None }
    } else {
        continuous(sys, problem, &continuous_part, iterated, scratch)
    };
    for (row, col) in in_dependency_order(problem, &discrete_pairs) {
        if let Some(assignment) = explicit(sys, problem, row, col, &mut scratch.workspace) {
            result.discrete.push(assignment);
        }
    }
    result
}

/// Discrete assignments so that each comes after those it reads, as far as they are not in a loop among themselves.
fn in_dependency_order(problem: &Problem, pairs: &[(Row, Col)]) -> Vec<(Row, Col)> {
    let mut row_of = SecondaryMap::<Col, Option<Row>>::new();
    for (row, col) in pairs {
        row_of[*col] = Some(*row);
    }
    let col_of: rustc_hash::FxHashMap<Row, Col> = pairs.iter().map(|(row, col)| (*row, *col)).collect();
    let mut visited: EntitySet<Row> = EntitySet::new();
    let mut order = Vec::with_capacity(pairs.len());
    for (start, _) in pairs {
        if visited.contains(*start) {
            continue;
        }
        let mut stack = vec![(*start, 0usize)];
        visited.insert(*start);
        while let Some((row, next)) = stack.pop() {
            let entries = &problem.incidence.rows[row];
            match entries.get(next) {
                Some(entry) => {
                    stack.push((row, next + 1));
                    if let Some(other) = row_of[entry.col]
                        && !visited.contains(other)
                    {
                        visited.insert(other);
                        stack.push((other, 0));
                    }
                }
                None => order.push((row, col_of[&row])),
            }
        }
    }
    order
}
