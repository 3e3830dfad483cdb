//! The initial system: what must hold at the start, and which start values complete it.
//!
//! Input: an index-1 system with its states. Output: a problem with a perfect matching, the start values that were taken by
//! default, and the initial equations that were redundant. Unknowns are all variables, `pre` values and parameters with
//! `fixed = false`; equations are those of the model (with `when` inactive unless it has `initial()`), the initial
//! equations, and `fixed` starts. Where equations are missing, start values of states and of `pre` values complete the
//! system, chosen along augmenting paths so that the result is structurally regular, explicit starts first.
//! What is regular by structure may be singular at the values of the start, or have no solution (a crank at its dead centre, a loop
//! that does not close): so other choices are made as well, for a run to try if the first one fails.
//! Codes: I001 not enough equations, I002 too many, I003 states and I004 parameters that take their start values (warnings).

use crate::base::ids::{ExprId, VarId, set_of};
use crate::equations::dae::incidence::{Problem, ProblemEquation};
use crate::equations::dae::text::expression_text;
use crate::equations::dae::{Equation, EquationKind, Role, System, Variable};
use crate::equations::expr::Node;
use crate::equations::expr::subst::Substitution;
use crate::frontend::flat::StateSelect;
use crate::structure::incidence::{Incidence, Row};
use crate::structure::matching::{self, Matching};
use crate::structure::ordered::OrderedMatcher;
use cranelift_entity::EntityRef;
use partita_grammar::Diagnostic;
use partita_runtime::model::plan::SlotType;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::VecDeque;

/// Equations that compete with a redundant one are named up to this number.
const MOST_ALTERNATIVES: usize = 4;
/// How often all entries of the problem may be looked at in search of them: they are for messages only.
const SEARCHES: usize = 2;

/// The initial problem and the choices made.
#[derive(Clone, Debug)]
pub struct Initial {
    /// All equations, chosen or not.
    pub problem: Problem,
    /// Covers every unknown.
    pub matching: Matching,
    /// The equations that `homotopy` leads from a simplified to the actual form, with that path.
    pub paths: Vec<(Row, ProblemEquation)>,
    /// Start values taken by default, in order.
    pub defaults: Vec<VarId>,
    /// Other start values that complete the system.
    pub otherwise: Vec<Completion>,
    /// Initial equations that were not needed; they are to be checked after the solution.
    pub redundant: Vec<Redundant>,
    /// What the user should know.
    pub warnings: Vec<Diagnostic>,
}

/// A problem that start values complete.
#[derive(Clone, Debug)]
pub struct Completion {
    /// All equations, chosen or not.
    pub problem: Problem,
    /// Covers every unknown.
    pub matching: Matching,
    /// The start values, in order.
    pub defaults: Vec<VarId>,
}

/// An initial equation that was not needed.
#[derive(Clone, Debug)]
pub struct Redundant {
    /// The equation.
    pub row: Row,
    /// Initial equations that determine the same unknowns, nearest first, a few of them.
    pub competing: Vec<Row>,
}

/// The equations of the start: first those that hold in any case, then initial ones and fixed starts.
struct Equations {
    all: Vec<ProblemEquation>,
    n_certain: usize,
    paths: Vec<(Row, ProblemEquation)>,
}

/// What equations become at the start.
struct AtStart {
    /// Activations are known at the start, so that `v = if active then e else pre(v)` is `v = pre(v)` or `v = e`.
    known: Substitution,
    path_of: FxHashMap<(ExprId, ExprId), (ExprId, ExprId)>,
}

impl AtStart {
    fn new(sys: &mut System) -> AtStart {
        let mut activations = FxHashMap::default();
        for equation in sys.eqs.values() {
            if let (EquationKind::Activation { at_start }, Node::Var(var)) = (equation.kind, sys.arena.node(equation.lhs)) {
                activations.insert(var, at_start);
            }
        }
        let activations = activations.into_iter().map(|(var, active)| (var, sys.arena.constant(f64::from(u8::from(active))))).collect();
        let path_of = sys.continuations.iter().map(|c| ((c.lhs, c.rhs), (c.path_lhs, c.path_rhs))).collect();
        AtStart { known: Substitution::new(activations), path_of }
    }

    fn add(&mut self, sys: &mut System, equations: &mut Equations, equation: Equation) {
        if let Some((lhs, rhs)) = self.path_of.get(&(equation.lhs, equation.rhs)) {
            let path = Equation { lhs: *lhs, rhs: *rhs, ..equation };
            equations.paths.push((Row::new(equations.all.len()), at_start(sys, &mut self.known, &path)));
        }
        equations.all.push(at_start(sys, &mut self.known, &equation));
    }
}

fn equations(sys: &mut System, unknowns: &[VarId]) -> Equations {
    let mut equations = Equations { all: Vec::new(), n_certain: 0, paths: Vec::new() };
    let mut at_start = AtStart::new(sys);
    for equation in sys.eqs.values().copied().collect::<Vec<_>>() {
        at_start.add(sys, &mut equations, equation);
    }
    for relation in sys.relations.clone() {
        let lhs = sys.arena.var(relation.var);
        let rhs = sys.arena.binary(relation.op, relation.lhs, relation.rhs);
        equations.all.push(ProblemEquation { lhs, rhs, assigns: true, span: relation.span });
    }
    for var in unknowns {
        if let Role::Pre(of) = sys.vars[*var].role
            && sys.vars[of].role == Role::Continuous
        {
            let (lhs, rhs) = (sys.arena.var(*var), sys.arena.var(of));
            equations.all.push(ProblemEquation { lhs, rhs, assigns: false, span: sys.vars[of].span });
        }
    }
    equations.n_certain = equations.all.len();
    for equation in sys.initial_eqs.clone() {
        at_start.add(sys, &mut equations, equation);
        // `discrete_real = expression` determines the discrete variable at the start, though during the simulation only
        // its `when` does.
        if let Some(last) = equations.all.last_mut() {
            last.assigns |= [last.lhs, last.rhs].into_iter().any(|side| match sys.arena.node(side) {
                Node::Var(var) => sys.vars[var].role == Role::Discrete && sys.vars[var].ty == SlotType::Real,
                _ => false,
            });
        }
    }
    for var in unknowns {
        let variable = &sys.vars[*var];
        let target = match variable.role {
            Role::Continuous if variable.fixed == Some(true) => Some((*var, *var)),
            Role::Pre(of) if sys.vars[of].fixed == Some(true) && sys.vars[of].role == Role::Discrete => Some((*var, of)),
            _ => None,
        };
        if let Some((target, of)) = target {
            equations.all.push(start_equation(sys, target, of));
        }
    }
    equations
}

/// Start values that could complete the system: rank, unknown, and the variable that has the start value; the best ones first.
fn candidates(sys: &System, states: &[VarId], unknowns: &[VarId]) -> Vec<(u8, VarId, VarId)> {
    let is_state = set_of(states.iter().copied());
    let mut candidates: Vec<(u8, VarId, VarId)> = Vec::new();
    for state in states {
        let rank = match (sys.vars[*state].start.is_some(), sys.vars[*state].fixed) {
            (true, None) => 0,
            (true, Some(_)) => 1,
            (false, None) => 2,
            (false, Some(_)) => 3,
        };
        candidates.push((rank, *state, *state));
    }
    for var in unknowns {
        match sys.vars[*var].role {
            Role::Pre(of) if sys.vars[of].role != Role::Continuous => candidates.push((4, *var, of)),
            Role::FreeParameter => candidates.push((5, *var, *var)),
            Role::Discrete => candidates.push((6, *var, *var)),
            Role::Continuous if !is_state.contains(*var) && sys.vars[*var].start.is_some() && sys.vars[*var].integral.is_none() => {
                candidates.push((7, *var, *var))
            }
            _ => {}
        }
    }
    candidates.sort_by_key(|(rank, var, _)| (*rank, *var));
    candidates
}

/// Unknowns that nothing determines.
fn undetermined(sys: &System, problem: &Problem, matching: &Matching) -> Diagnostic {
    let names: Vec<String> =
        matching.unmatched_cols(&problem.incidence).take(10).map(|col| sys.vars[problem.unknowns[col]].name.clone()).collect();
    let first = matching.unmatched_cols(&problem.incidence).next().map(|col| sys.vars[problem.unknowns[col]].span).unwrap_or_default();
    Diagnostic::error("I001", format!("{} unknowns have no equation at the start", problem.unknowns.len() - matching.size))
        .at(first, "one of them is declared here")
        .with_note(format!("undetermined: {}", names.join(", ")))
        .with_hint("give start values with `fixed = true`, or initial equations")
}

/// What the user should know of the start values that were taken.
fn warnings_of_defaults(sys: &System, defaults: &[VarId], is_state: &dyn Fn(VarId) -> bool) -> Vec<Diagnostic> {
    let tail_of = |n: usize| if n > 10 { format!(" and {} more", n - 10) } else { String::new() };
    let mut warnings = Vec::new();
    let assumed: Vec<VarId> = defaults.iter().copied().filter(|v| is_state(*v)).collect();
    if !assumed.is_empty() {
        let list: Vec<String> = assumed.iter().take(10).map(|v| sys.vars[*v].name.clone()).collect();
        let tail = tail_of(assumed.len());
        warnings.push(
            Diagnostic::warning(
                "I003",
                format!("{} states start at their start value although it is not fixed: {}{tail}", assumed.len(), list.join(", ")),
            )
            .with_hint("set `fixed = true` or write initial equations to say what you mean"),
        );
    }
    let taken: Vec<VarId> = defaults.iter().copied().filter(|v| sys.vars[*v].role == Role::FreeParameter).collect();
    if let Some(first) = taken.first() {
        let value = |v: &VarId| sys.vars[*v].start.map_or_else(|| "0".to_string(), |start| expression_text(sys, start));
        let list: Vec<String> = taken.iter().take(10).map(|v| format!("{} = {}", sys.vars[*v].name, value(v))).collect();
        let tail = tail_of(taken.len());
        warnings.push(
            Diagnostic::warning("I004", "no initial equation determines a parameter with `fixed = false`; its start value is taken")
                .at(sys.vars[*first].span, "declared here")
                .with_note(format!("taken: {}{tail}", list.join(", "))),
        );
    }
    warnings
}

/// Sets up the initial system. `is_alive` tells which variables were not eliminated.
pub fn initial(sys: &mut System, states: &[VarId], is_alive: &dyn Fn(VarId) -> bool) -> Result<Initial, Vec<Diagnostic>> {
    let is_unknown = |var: VarId, variable: &Variable| match variable.role {
        Role::Continuous | Role::Discrete | Role::Relation | Role::FreeParameter | Role::Pre(_) => is_alive(var),
        Role::Time | Role::Parameter | Role::Input | Role::External => false,
    };
    let unknowns: Vec<VarId> = sys.vars.iter().filter(|(var, variable)| is_unknown(*var, variable)).map(|(var, _)| var).collect();
    let Equations { all, n_certain, paths } = equations(sys, &unknowns);
    let mut problem = Problem::new(sys, all, unknowns.iter().copied());

    let mut matcher = OrderedMatcher::default();
    let (mut matching, unneeded) = match_in_order(&problem, n_certain, &mut matcher)?;

    // Complete with start values.
    let is_state = set_of(states.iter().copied());
    let candidates = candidates(sys, states, &unknowns);
    let mut workspace = crate::equations::expr::solve::Workspace::new();
    let is_incomplete = matching.size < problem.unknowns.len();
    let incomplete = is_incomplete.then(|| Completion { problem: problem.clone(), matching: matching.clone(), defaults: Vec::new() });
    let mut defaults = Vec::new();
    let mut taken_equations = FxHashMap::default();
    for &(_, var, of) in &candidates {
        if matching.size == problem.unknowns.len() {
            break;
        }
        let equation = start_equation(sys, var, of);
        let row = problem.push(sys, &mut workspace, equation);
        matching.col_of.resize(problem.equations.len());
        if matcher.extend(&problem.incidence, &mut matching, row) {
            defaults.push(var);
            taken_equations.insert(var, equation);
        } else {
            // A start value that is not taken cannot be set.
            sys.starts.pop_if(|(_, state)| *state == var);
        }
    }
    if matching.size < problem.unknowns.len() {
        return Err(vec![undetermined(sys, &problem, &matching)]);
    }
    let warnings = warnings_of_defaults(sys, &defaults, &|var| is_state.contains(var));
    let mut budget = SEARCHES * problem.incidence.rows.entries().len();
    let redundant =
        unneeded.into_iter().map(|row| Redundant { row, competing: competing(&problem, &matching, n_certain, row, &mut budget) }).collect();
    let otherwise = match incomplete {
        Some(incomplete) if defaults.iter().any(|var| is_state.contains(*var)) => {
            let first = FirstChoice { candidates: &candidates, defaults: &defaults, equations: &taken_equations };
            otherwise(sys, &incomplete, &first, &unknowns)
        }
        _ => Vec::new(),
    };
    Ok(Initial { problem, matching, paths, defaults, otherwise, redundant, warnings })
}

/// The completion that is tried first: start values in order of preference, those that were taken, and their equations.
struct FirstChoice<'a> {
    candidates: &'a [(u8, VarId, VarId)],
    defaults: &'a [VarId],
    equations: &'a FxHashMap<VarId, ProblemEquation>,
}

/// How much of the first choice of start values is exchanged for others.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Exchange {
    /// Rates only.
    Rates,
    /// Positions as well, but for ones that the model would rather not have as states.
    Positions,
    /// Avoided positions also for other avoided ones: three coordinates of a point on a sphere for three of an orientation.
    Avoided,
    /// All that is possible.
    Everything,
}

/// Other completions by start values, different from each other: written ones of unknowns that could be states take the place of those of
/// the first choice, positions before their rates. First positions stay as they are, then they are exchanged as well, preferred states
/// first, avoided ones last, in order of declaration and in the opposite order; in the end avoided ones also take the place of others.
fn otherwise(sys: &mut System, incomplete: &Completion, first: &FirstChoice, unknowns: &[VarId]) -> Vec<Completion> {
    use Exchange::{Avoided, Everything, Positions, Rates};
    let is_taken = set_of(first.defaults.iter().copied());
    let could_be_state = |variable: &Variable| {
        variable.role == Role::Continuous && variable.derivative.is_some() && variable.start.is_some() && variable.fixed != Some(true)
    };
    let others: Vec<VarId> = unknowns.iter().copied().filter(|var| !is_taken.contains(*var) && could_be_state(&sys.vars[*var])).collect();
    if others.is_empty() {
        return Vec::new();
    }
    // Rates are derivatives and what equals one: `v = der(s)`.
    let has_integral = |var: VarId| sys.vars[var].integral.is_some();
    let equal = |equation: &Equation| match (sys.arena.node(equation.lhs), sys.arena.node(equation.rhs)) {
        (Node::Var(a), Node::Var(b)) if has_integral(a) != has_integral(b) => Some(if has_integral(a) { b } else { a }),
        _ => None,
    };
    let equals_rate = set_of(sys.eqs.values().filter_map(equal));
    let is_rate = |var: VarId| has_integral(var) || equals_rate.contains(var);
    let own: Vec<VarId> = first.defaults.iter().copied().filter(|var| sys.vars[*var].role == Role::Continuous).collect();
    let would_avoid = |var: VarId| sys.vars[var].state_select < StateSelect::Default;
    let mut orders: Vec<Vec<(VarId, VarId)>> = Vec::new();
    for (exchange, is_backward) in
        [(Rates, false), (Rates, true), (Positions, false), (Positions, true), (Avoided, false), (Everything, false)]
    {
        let mut ranked: Vec<(bool, VarId)> = others.iter().map(|var| (false, *var)).collect();
        if is_backward {
            ranked.reverse();
        }
        ranked.extend(own.iter().map(|var| (true, *var)));
        ranked.sort_by_key(|(is_own, var)| {
            let stays = *is_own && !is_rate(*var) && exchange == Rates;
            let is_late = match exchange {
                Rates | Positions => !*is_own && would_avoid(*var),
                Avoided => would_avoid(*var),
                Everything => false,
            };
            (is_late, is_rate(*var), !stays, *is_own, Reverse(sys.vars[*var].state_select))
        });
        orders.push(ranked.into_iter().map(|(_, var)| (var, var)).collect());
    }
    let all: Vec<(VarId, VarId)> = first.candidates.iter().map(|(_, var, of)| (*var, *of)).collect();
    let mut found: Vec<Completion> = Vec::new();
    for order in orders {
        let Some(completion) = complete(sys, incomplete, first.equations, order.iter().chain(&all).copied()) else { continue };
        let is_new = |defaults: &[VarId]| set_of(defaults.iter().copied()) != set_of(completion.defaults.iter().copied());
        if is_new(first.defaults) && found.iter().all(|other| is_new(&other.defaults)) {
            found.push(completion);
        }
    }
    found
}

/// Completes a problem by start values in the order given; equations of start values that may be set are `settable`.
fn complete(
    sys: &mut System,
    incomplete: &Completion,
    settable: &FxHashMap<VarId, ProblemEquation>,
    candidates: impl Iterator<Item = (VarId, VarId)>,
) -> Option<Completion> {
    let Completion { mut problem, mut matching, mut defaults } = incomplete.clone();
    let mut workspace = crate::equations::expr::solve::Workspace::new();
    let mut matcher = OrderedMatcher::default();
    let mut is_tried = cranelift_entity::EntitySet::new();
    for (var, of) in candidates {
        if matching.size == problem.unknowns.len() {
            break;
        }
        if !is_tried.insert(var) {
            continue;
        }
        let equation = match settable.get(&var) {
            Some(equation) => *equation,
            None => written_start(sys, var, of),
        };
        let row = problem.push(sys, &mut workspace, equation);
        matching.col_of.resize(problem.equations.len());
        if matcher.extend(&problem.incidence, &mut matching, row) {
            defaults.push(var);
        }
    }
    (matching.size == problem.unknowns.len()).then_some(Completion { problem, matching, defaults })
}

/// Matches all equations if that is possible; otherwise the first `n_certain`, which it must be, and the others one by one in order
/// of importance. Those that find no unknown are returned.
fn match_in_order(problem: &Problem, n_certain: usize, matcher: &mut OrderedMatcher) -> Result<(Matching, Vec<Row>), Vec<Diagnostic>> {
    // Mostly nothing is redundant, and one by one is slow where paths are long.
    let all = matching::maximum_matching(&problem.incidence, matching::any_entry, matching::by_solvability);
    if all.size == problem.equations.len() {
        return Ok((all, Vec::new()));
    }
    let mut certain = Incidence { n_cols: problem.incidence.n_cols, ..Incidence::default() };
    problem.incidence.rows.values().take(n_certain).for_each(|entries| {
        certain.rows.push(entries.to_vec());
    });
    let base = matching::maximum_matching(&certain, matching::any_entry, matching::by_solvability);
    if let Some(row) = base.unmatched_rows(&certain).next() {
        let span = problem.equations[row].span;
        return Err(vec![
            Diagnostic::error("I002", "the initial system is structurally singular")
                .at(span, "this equation has no unknown of its own at the start")
                .with_note(format!("{} equations hold at all times, {} can be matched to unknowns", n_certain, base.size)),
        ]);
    }
    let mut matching = Matching::empty(&problem.incidence);
    for (row, col) in base.pairs() {
        matching.pair(row, col);
    }
    let mut redundant = Vec::new();
    for row in problem.equations.keys().skip(n_certain) {
        if !matcher.extend(&problem.incidence, &mut matching, row) {
            redundant.push(row);
        }
    }
    Ok((matching, redundant))
}

/// Initial equations that determine the unknowns of a redundant one: those that alternating paths from it reach, as far as the budget
/// of entries goes.
fn competing(problem: &Problem, matching: &Matching, n_certain: usize, row: Row, budget: &mut usize) -> Vec<Row> {
    let mut reached = FxHashSet::from_iter([row]);
    let mut open = VecDeque::from([row]);
    let mut found = Vec::new();
    while let Some(row) = open.pop_front() {
        let Some(left) = budget.checked_sub(problem.incidence.rows[row].len()) else { break };
        *budget = left;
        for entry in &problem.incidence.rows[row] {
            let Some(next) = matching.row_of[entry.col].expand() else { continue };
            if reached.insert(next) {
                open.push_back(next);
                if next.index() >= n_certain {
                    found.push(next);
                    if found.len() == MOST_ALTERNATIVES {
                        return found;
                    }
                }
            }
        }
    }
    found
}

/// An equation as it holds at the start.
fn at_start(sys: &mut System, activations: &mut Substitution, equation: &Equation) -> ProblemEquation {
    let (lhs, rhs) = match equation.kind {
        EquationKind::Activation { at_start } => (equation.lhs, sys.arena.constant(f64::from(u8::from(at_start)))),
        _ => (activations.apply(&mut sys.arena, equation.lhs), activations.apply(&mut sys.arena, equation.rhs)),
    };
    ProblemEquation { lhs, rhs, assigns: equation.kind != EquationKind::Continuous, span: equation.origin.span() }
}

/// `var = start of "of"`, where the start may be set by the user.
fn start_equation(sys: &mut System, var: VarId, of: VarId) -> ProblemEquation {
    let equation = written_start(sys, var, of);
    match sys.vars[of].start {
        Some(start) if var == of && sys.vars[of].role == Role::Continuous => {
            ProblemEquation { rhs: settable_start(sys, of, start), ..equation }
        }
        _ => equation,
    }
}

/// `var = start of "of"`, as it is written.
fn written_start(sys: &mut System, var: VarId, of: VarId) -> ProblemEquation {
    let lhs = sys.arena.var(var);
    let rhs = sys.vars[of].start.unwrap_or_else(|| sys.arena.constant(0.0));
    let assigns = sys.vars[var].ty != SlotType::Real || !matches!(sys.vars[var].role, Role::Continuous | Role::FreeParameter);
    ProblemEquation { lhs, rhs, assigns, span: sys.vars[of].span }
}

/// The start value as something the user may set: a parameter of its own if it is a number, otherwise the expression.
fn settable_start(sys: &mut System, of: VarId, start: ExprId) -> ExprId {
    let Some(value) = sys.arena.as_constant(start) else { return start };
    let mut parameter = Variable::new(format!("start({})", sys.vars[of].name), SlotType::Real, Role::Parameter, sys.vars[of].span);
    parameter.value = Some(value);
    parameter.start = Some(start);
    parameter.hidden = true;
    let parameter = sys.vars.push(parameter);
    sys.starts.push((parameter, of));
    sys.arena.var(parameter)
}
