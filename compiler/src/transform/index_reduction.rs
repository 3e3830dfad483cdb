//! Index reduction: differentiates what must be differentiated and chooses the states.
//!
//! Input: a system without aliases. Output: the same system with differentiated equations appended, and its states.
//! Method: Pantelides decides which equations are differentiated (`structure::pantelides`), `reduce` differentiates them,
//! dummy derivatives decide which unknowns are integrated (`structure::states`). An unknown that the model prefers as a state
//! is a candidate also where no equation has its derivative: it gets one, and Pantelides finds what determines it. Candidates
//! whose derivatives cannot be found, that are not chosen, or only in a choice that can become singular, are given up, and the
//! reduction is done again without them.
//! Guarantee: the equations determine all unknowns that are not states (checked by matching in `causalize`).
//! Cost: two incidences and two matchings.
//! Codes: S001-S003 as in `causalize`, S004 (`reduce`), S006 an assignment that would have to be differentiated, S007
//! dependent constraints.

use crate::base::budget;
use crate::base::ids::{EqId, VarId, set_of};
use crate::equations::dae::incidence::{Problem, ProblemEquation};
use crate::equations::dae::text::expression_text;
use crate::equations::dae::time_derivative;
use crate::equations::dae::{EquationKind, Origin, System};
use crate::equations::expr::Node;
use crate::equations::expr::solve::{Occurrence, Workspace};
use crate::frontend::flat::StateSelect;
use crate::structure::incidence::{Col, DerivativeChains, Row};
use crate::structure::pantelides::{self, Differentiations, Singular};
use crate::structure::sets::state_sets;
use crate::structure::states::{self, Certainty, NoStates, Preference, StateProblem};
use crate::transform::alias::AliasMap;
use crate::transform::singular::explain_parts;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use partita_grammar::Diagnostic;
use partita_runtime::model::plan::SlotType;
use rustc_hash::FxHashMap;

/// Unknowns of which as many are states at any time as `states` has; which ones may change during a run.
///
/// A problem is sorted as if all candidates were unknowns of one block, so that its order holds whatever is chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateSet {
    /// The unknowns that can be states, with their derivatives.
    pub candidates: Vec<(VarId, VarId)>,
    /// Those that are states in the static choice.
    pub states: Vec<VarId>,
}

/// What index reduction did.
#[derive(Clone, Debug, Default)]
pub struct Reduction {
    /// States with their derivatives.
    pub states: Vec<(VarId, VarId)>,
    /// Derivatives that became algebraic unknowns.
    pub dummies: Vec<VarId>,
    /// For every equation how often it was differentiated, where it was.
    pub counts: Vec<(EqId, u32)>,
    /// Choices of states that can become singular: candidates and chosen dummies.
    pub varying: Vec<(Vec<VarId>, Vec<VarId>)>,
    /// Unknowns among which a run may choose its states anew.
    pub sets: Vec<StateSet>,
}

/// The continuous equations and all continuous unknowns, states included.
struct Continuous {
    problem: Problem,
    eq_of: PrimaryMap<Row, EqId>,
    chains: DerivativeChains,
}

fn continuous_problem(sys: &mut System, aliases: &AliasMap) -> Continuous {
    let unknowns: Vec<VarId> = sys.vars.keys().filter(|v| sys.is_continuous(*v) && aliases.of[*v].is_none()).collect();
    let mut eq_of = PrimaryMap::new();
    let mut equations = Vec::new();
    for (id, equation) in sys.eqs.iter() {
        if equation.kind == EquationKind::Continuous {
            eq_of.push(id);
            equations.push(ProblemEquation { lhs: equation.lhs, rhs: equation.rhs, assigns: false, span: equation.origin.span() });
        }
    }
    let problem = Problem::new(sys, equations, unknowns);
    let mut chains = DerivativeChains::default();
    for (col, var) in problem.unknowns.iter() {
        if let Some(der) = sys.vars[*var].derivative.and_then(|d| problem.col_of[d].expand()) {
            chains.der_of[col] = der.into();
            chains.integral_of[der] = col.into();
        }
    }
    Continuous { problem, eq_of, chains }
}

/// What is wrong with the result: states are unknowns with their derivatives, each once, and the continuous equations are as many as the
/// continuous unknowns that are no states. Cost: linear.
pub fn verify(sys: &System, aliases: &AliasMap, reduction: &Reduction) -> Vec<String> {
    let mut found = crate::equations::dae::verify::verify(sys);
    let mut is_state = EntitySet::new();
    for &(x, dx) in &reduction.states {
        if !is_state.insert(x) {
            found.push(format!("{} is a state twice", sys.vars[x].name));
        }
        if !sys.is_continuous(x) || aliases.of[x].is_some() || sys.vars[x].derivative != Some(dx) {
            found.push(format!("{} is a state and no unknown with that derivative", sys.vars[x].name));
        }
    }
    let is_dummy = |dummy: &&VarId| sys.vars[**dummy].integral.is_some_and(|x| is_state.contains(x));
    found.extend(
        reduction
            .dummies
            .iter()
            .filter(is_dummy)
            .map(|dummy| format!("{} is algebraic and the derivative of a state", sys.vars[*dummy].name)),
    );
    let n_unknowns =
        sys.vars.keys().filter(|var| sys.is_continuous(*var) && aliases.of[*var].is_none() && !is_state.contains(*var)).count();
    let n_equations = sys.eqs.values().filter(|equation| equation.kind == EquationKind::Continuous).count();
    if n_unknowns != n_equations {
        found.push(format!("{n_equations} equations determine {n_unknowns} unknowns"));
    }
    found
}

/// Reduces the index of `sys` to one and chooses its states.
pub fn reduce_index(sys: &mut System, aliases: &AliasMap) -> Result<Reduction, Vec<Diagnostic>> {
    let mut candidates = underived_candidates(sys, aliases);
    while !candidates.is_empty() {
        budget::spend((sys.vars.len() + sys.arena.len() / 8) as u64);
        let mut attempt = sys.clone();
        for candidate in &candidates {
            attempt.derivative_of(*candidate);
        }
        match differentiate_and_choose(&mut attempt, aliases) {
            Ok(reduction) => {
                let is_state = set_of(reduction.states.iter().map(|(state, _)| *state));
                // A choice that can become singular is too high a price.
                let is_unsure = set_of(reduction.varying.iter().flat_map(|(candidates, _)| candidates.iter().copied()));
                let is_safe = |var: VarId| attempt.vars[var].derivative.is_none_or(|derivative| !is_unsure.contains(derivative));
                let n_before = candidates.len();
                candidates.retain(|candidate| is_state.contains(*candidate) && is_safe(*candidate));
                if candidates.len() == n_before {
                    *sys = attempt;
                    return Ok(reduction);
                }
            }
            Err(ReductionFailure { reached, .. }) => {
                let n_before = candidates.len();
                candidates.retain(|candidate| !reached.contains(*candidate));
                if candidates.len() == n_before {
                    // They do not cause the failure, or all do.
                    candidates.clear();
                }
            }
        }
    }
    differentiate_and_choose(sys, aliases).map_err(|failure| failure.errors)
}

/// Unknowns that the model prefers as states although no equation has their derivatives.
fn underived_candidates(sys: &System, aliases: &AliasMap) -> Vec<VarId> {
    let is_candidate = |var: &VarId| {
        let variable = &sys.vars[*var];
        let is_preferred = matches!(variable.state_select, StateSelect::Prefer | StateSelect::Always);
        is_preferred
            && variable.derivative.is_none()
            && variable.ty == SlotType::Real
            && sys.is_continuous(*var)
            && aliases.of[*var].is_none()
    };
    sys.vars.keys().filter(is_candidate).collect()
}

/// Why a reduction failed.
struct ReductionFailure {
    errors: Vec<Diagnostic>,
    /// The unknowns connected with the failed equations by equations that had to be differentiated.
    reached: EntitySet<VarId>,
}

impl From<Vec<Diagnostic>> for ReductionFailure {
    fn from(errors: Vec<Diagnostic>) -> ReductionFailure {
        ReductionFailure { errors, reached: EntitySet::new() }
    }
}

fn differentiate_and_choose(sys: &mut System, aliases: &AliasMap) -> Result<Reduction, ReductionFailure> {
    let before = continuous_problem(sys, aliases);
    let decided = match pantelides::differentiate(&before.problem.incidence, &before.chains) {
        Ok(decided) => decided,
        Err(Singular::Structure(parts)) => return Err(explain_parts(sys, &before.problem, &parts, "the model").into()),
        Err(Singular::Assignment { assigning, .. }) => {
            let row = assigning.first().copied();
            let span = row.and_then(|r| before.problem.equations.get(r)).map(|e| e.span).unwrap_or_default();
            let error = Diagnostic::error("S006", "the model needs the derivative of a variable that changes only at events");
            return Err(vec![error.at(span, "assigned here")].into());
        }
    };
    let mut reduction = Reduction::default();
    let mut eq_of_row: SecondaryMap<Row, PackedOption<EqId>> = SecondaryMap::new();
    for (row, eq) in before.eq_of.iter() {
        eq_of_row[row] = (*eq).into();
        if decided.count_of[row] > 0 {
            reduction.counts.push((*eq, decided.count_of[row]));
        }
    }
    let mut errors = Vec::new();
    let mut failed: Vec<Row> = Vec::new();
    for step in &decided.steps {
        let Some(eq) = eq_of_row[step.row].expand() else { continue };
        match time_derivative::differentiate(sys, eq) {
            Ok(derivative) => eq_of_row[step.new_row] = derivative.into(),
            Err(error) => {
                errors.push(error);
                failed.push(step.row);
            }
        }
    }
    if !errors.is_empty() {
        errors.truncate(10);
        return Err(ReductionFailure { errors, reached: reached_from(&failed, &before, &decided) });
    }
    let differentiated = before.problem.unknowns.iter().filter(|(col, _)| before.chains.der_of[*col].is_some());
    choose_states(sys, aliases, &set_of(differentiated.map(|(_, var)| *var)), &mut reduction)?;
    Ok(reduction)
}

/// The unknowns reached from some equations through equations that are differentiated.
fn reached_from(failed: &[Row], before: &Continuous, decided: &Differentiations) -> EntitySet<VarId> {
    let rows = &before.problem.incidence.rows;
    let mut rows_of: SecondaryMap<Col, Vec<Row>> = SecondaryMap::new();
    let unknown = |col: Col| before.chains.integral_of[col].expand().unwrap_or(col);
    for (row, entries) in rows.iter().filter(|(row, _)| decided.count_of[*row] > 0) {
        entries.iter().for_each(|entry| rows_of[unknown(entry.col)].push(row));
    }
    // A failed equation may be a derivative itself; it then stands for what it is the derivative of.
    let mut original: SecondaryMap<Row, PackedOption<Row>> = SecondaryMap::new();
    for step in &decided.steps {
        original[step.new_row] = original[step.row].expand().unwrap_or(step.row).into();
    }
    let mut stack: Vec<Row> = failed.iter().map(|row| original[*row].expand().unwrap_or(*row)).collect();
    let mut seen: EntitySet<Row> = set_of(stack.iter().copied());
    let mut reached = EntitySet::new();
    while let Some(row) = stack.pop() {
        for entry in &rows[row] {
            let col = unknown(entry.col);
            if reached.insert(before.problem.unknowns[col]) {
                stack.extend(rows_of[col].iter().filter(|row| seen.insert(**row)));
            }
        }
    }
    reached
}

/// Derivatives that equations like `v = der(x)` give a name, where the model differentiates `v` too.
fn velocities(sys: &System, differentiated: &EntitySet<VarId>) -> FxHashMap<VarId, VarId> {
    let mut velocity_of = FxHashMap::default();
    for equation in sys.eqs.values().filter(|equation| equation.kind == EquationKind::Continuous) {
        let (Node::Var(a), Node::Var(b)) = (sys.arena.node(equation.lhs), sys.arena.node(equation.rhs)) else { continue };
        for (velocity, derivative) in [(a, b), (b, a)] {
            if sys.vars[derivative].integral.is_some() && sys.vars[velocity].integral.is_none() && differentiated.contains(velocity) {
                velocity_of.entry(derivative).or_insert(velocity);
            }
        }
    }
    velocity_of
}

/// How much each unknown is wanted as a state.
fn preferences(sys: &System, problem: &Problem, differentiated: &EntitySet<VarId>) -> SecondaryMap<Col, Preference> {
    let velocity_of = velocities(sys, differentiated);
    let bonus_of = |var: VarId| {
        let variable = &sys.vars[var];
        let fixed = if variable.fixed == Some(true) { 8 } else { 0 };
        let start = if variable.start.is_some() { 4 } else { 0 };
        let declared = if variable.integral.is_none() { 2 } else { 0 };
        fixed + start + declared
    };
    let mut preference: SecondaryMap<Col, Preference> = SecondaryMap::new();
    for (col, var) in problem.unknowns.iter() {
        let select = sys.vars[*var].state_select;
        let velocity = velocity_of.get(var).filter(|_| !differentiated.contains(*var));
        preference[col] = match velocity {
            // The derivative is the velocity under another name. It is wanted no more, but where neither is wanted much, rather
            // than the velocity: position and derivative are chosen as a pair, position and velocity need not be.
            Some(velocity) if sys.vars[*velocity].state_select < StateSelect::Default => {
                let select = sys.vars[*velocity].state_select;
                let is_fixed = sys.vars[*velocity].fixed == Some(true);
                Preference { select, is_differentiated: true, is_fixed, bonus: bonus_of(*velocity) + 1 }
            }
            Some(_) => Preference { select, is_differentiated: true, is_fixed: false, bonus: bonus_of(*var) },
            None => {
                let is_differentiated = differentiated.contains(*var);
                // The specification of `StateSelect.default`: a potential state only if it appears differentiated.
                let is_unwanted = select == StateSelect::Default && !is_differentiated;
                let select = if is_unwanted { StateSelect::Avoid } else { select };
                let is_fixed = select < StateSelect::Default && sys.vars[*var].fixed == Some(true);
                Preference { select, is_differentiated, is_fixed, bonus: bonus_of(*var) }
            }
        };
    }
    preference
}

/// Constraints that depend on each other.
fn dependent(sys: &System, problem: &Problem, redundant: &[Row], rows: &[Row], cols: &[Col]) -> Diagnostic {
    let span = redundant.first().map(|r| problem.equations[*r].span).unwrap_or_default();
    let lines: Vec<String> = rows
        .iter()
        .take(10)
        .map(|r| format!("  {} = {}", expression_text(sys, problem.equations[*r].lhs), expression_text(sys, problem.equations[*r].rhs)))
        .collect();
    let names: Vec<&str> = cols.iter().take(10).map(|c| sys.vars[problem.unknowns[*c]].name.as_str()).collect();
    let mut error = Diagnostic::error("S007", "the constraints of the model depend on each other")
        .at(span, "this constraint follows from the others, or contradicts them");
    for other in rows.iter().map(|r| problem.equations[*r].span).filter(|other| *other != span).take(4) {
        error = error.at(other, "one of the others");
    }
    error.with_note(format!("differentiated constraints on {}:\n{}", names.join(", "), lines.join("\n")))
}

fn choose_states(
    sys: &mut System,
    aliases: &AliasMap,
    differentiated: &EntitySet<VarId>,
    reduction: &mut Reduction,
) -> Result<(), Vec<Diagnostic>> {
    let Continuous { problem, eq_of, chains } = continuous_problem(sys, aliases);
    let row_of: FxHashMap<EqId, Row> = eq_of.iter().map(|(row, eq)| (*eq, row)).collect();
    let mut derivative_of: SecondaryMap<Row, PackedOption<Row>> = SecondaryMap::new();
    let mut coefficients: FxHashMap<(Row, Col), f64> = FxHashMap::default();
    let mut workspace = Workspace::new();
    for (row, eq) in eq_of.iter() {
        let equation = sys.eqs[*eq];
        let Origin::Derivative(of, _) = equation.origin else { continue };
        if let Some(integral) = row_of.get(&of) {
            derivative_of[*integral] = row.into();
        }
        let found = workspace.occurrences(&mut sys.arena, equation.lhs, equation.rhs, &|v| problem.col_of[v].is_some(), &|_, _| false);
        for (var, occurrence) in found {
            if let (Some(col), Occurrence::Linear { coefficient, .. }) = (problem.col_of[var].expand(), occurrence)
                && let Some(value) = sys.constant_value(coefficient)
            {
                coefficients.insert((row, col), value);
            }
        }
    }
    let preference = preferences(sys, &problem, differentiated);
    let state_problem = StateProblem {
        incidence: &problem.incidence,
        chains: &chains,
        derivative_of: &derivative_of,
        preference: &preference,
        coefficient: &|row, col| coefficients.get(&(row, col)).copied(),
    };
    let selection = match states::select_states(&state_problem) {
        Ok(selection) => selection,
        Err(NoStates::Structure(parts)) => {
            return Err(explain_parts(sys, &problem, &parts, "the model, after its constraints were differentiated,"));
        }
        Err(NoStates::Dependent { redundant, rows, cols }) => return Err(vec![dependent(sys, &problem, &redundant, &rows, &cols)]),
    };
    let var = |col: Col| problem.unknowns[col];
    for state in &selection.states {
        if let Some(der) = sys.vars[var(*state)].derivative {
            reduction.states.push((var(*state), der));
        }
    }
    reduction.dummies = selection.dummies.iter().map(|c| var(*c)).collect();
    for choice in selection.choices.iter().filter(|c| c.certainty == Certainty::Varying) {
        reduction.varying.push((choice.candidates.iter().map(|c| var(*c)).collect(), choice.dummies.iter().map(|c| var(*c)).collect()));
    }
    let is_state = set_of(reduction.states.iter().map(|(state, _)| *state));
    if let Some(reinit) = sys.reinits.iter().find(|reinit| !is_state.contains(reinit.state)) {
        let name = &sys.vars[reinit.state].name;
        let error = Diagnostic::error("D005", format!("reinit of {name}, which cannot be a state"));
        return Err(vec![error.at(reinit.span, "the equations determine its value").with_hint("only what is integrated can be set anew")]);
    }
    // What the model sets anew at events must stay a state.
    let is_reinitialised = set_of(sys.reinits.iter().map(|reinit| reinit.state));
    for set in state_sets(&state_problem, &selection, &|col| is_reinitialised.contains(var(col))) {
        let with_derivative = |col: &Col| sys.vars[var(*col)].derivative.map(|der| (var(*col), der));
        let candidates = set.candidates.iter().filter_map(with_derivative).collect();
        reduction.sets.push(StateSet { candidates, states: set.states.iter().map(|col| var(*col)).collect() });
    }
    Ok(())
}
