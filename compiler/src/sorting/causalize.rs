//! Sorts an index-1 system: once for parameters, once for the simulation, once for events, once for the start.
//!
//! Input: a system without aliases and its states. Output: `Sorting`. A system whose equations cannot be matched to its
//! unknowns is explained by its Dulmage-Mendelsohn parts.
//! Codes: S001 more unknowns than equations, S002 more equations than unknowns, S003 structurally singular,
//! S005 circular parameters, S010 an equation for a parameter.

use crate::base::ids::{VarId, set_of};
use crate::equations::dae::incidence::{Problem, ProblemEquation};
use crate::equations::dae::initial::{self, Completion, Initial};
use crate::equations::dae::text::expression_text;
use crate::equations::dae::{Equation, EquationKind, Origin, Role, System};
use crate::equations::expr;
use crate::sorting::sorted::{AlternativeInitialisation, ByStarts, Sorted, Sorting};
use crate::sorting::tearing;
use crate::sorting::time_events;
use crate::structure::incidence::Row;
use crate::structure::matching::{any_entry, by_solvability, maximum_matching};
use crate::transform::alias::AliasMap;
use crate::transform::index_reduction::StateSet;
use crate::transform::singular::{equation_for_a_parameter, explain_singular};
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use partita_grammar::Diagnostic;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The sorted system and what the user should know about its start.
#[derive(Clone, Debug)]
pub struct Causalized {
    /// All sorted problems.
    pub sorting: Sorting,
    /// Start values taken by default, in order.
    pub default_starts: Vec<VarId>,
    /// What the user should know.
    pub warnings: Vec<Diagnostic>,
}

/// What is wrong with sorted problems: each unknown is determined once, from what is known or determined before. Cost: linear in the expressions.
pub fn verify(sys: &System, sorting: &Sorting) -> Vec<String> {
    let mut found = Vec::new();
    let alternatives = sorting.initial_alternatives.iter().map(|alternative| ("start from other values", &alternative.sorted));
    let by_states = sorting.initial_by_states.iter().map(|sorted| ("start by states", sorted));
    let homotopy = sorting.initial_homotopy.iter().map(|sorted| ("start by homotopy", sorted));
    let without_states = [("parameters", &sorting.parameters), ("start", &sorting.initial)];
    for (what, sorted) in without_states.into_iter().chain(alternatives).chain(by_states).chain(homotopy) {
        found.extend(sorted.verify(sys, EntitySet::new()).into_iter().map(|wrong| format!("{what}: {wrong}")));
    }
    for (what, sorted) in [("simulation", &sorting.simulation), ("events", &sorting.event)] {
        let states = set_of(sorting.states.iter().map(|(x, _)| *x));
        found.extend(sorted.verify(sys, states).into_iter().map(|wrong| format!("{what}: {wrong}")));
    }
    found
}

/// Parameters that depend on a parameter with `fixed = false` are unknowns of the start too.
pub fn free_dependent_parameters(sys: &mut System) {
    let mut readers: SecondaryMap<VarId, Vec<VarId>> = SecondaryMap::new();
    let mut work: Vec<VarId> = Vec::new();
    for (var, variable) in sys.vars.iter() {
        if variable.role == Role::FreeParameter {
            work.push(var);
        }
        if let (Role::Parameter, Some(binding)) = (variable.role, variable.start) {
            for read in expr::subst::variables(&sys.arena, binding) {
                readers[read].push(var);
            }
        }
    }
    while let Some(var) = work.pop() {
        for reader in std::mem::take(&mut readers[var]) {
            if sys.vars[reader].role != Role::Parameter {
                continue;
            }
            sys.vars[reader].role = Role::FreeParameter;
            if let Some(binding) = sys.vars[reader].start.take() {
                let lhs = sys.arena.var(reader);
                let span = sys.vars[reader].span;
                sys.initial_eqs.push(Equation { lhs, rhs: binding, kind: EquationKind::Continuous, origin: Origin::Source(span) });
            }
            sys.vars[reader].value = None;
            sys.vars[reader].settable = false;
            work.push(reader);
        }
    }
}

/// After alias elimination an equation may have lost its continuous unknowns: then it assigns a discrete one.
pub fn classify_equations(sys: &mut System) {
    let ids: Vec<_> = sys.eqs.keys().collect();
    for eq in ids {
        let Equation { lhs, rhs, kind, .. } = sys.eqs[eq];
        if kind == EquationKind::Continuous {
            let continuous = [lhs, rhs].into_iter().any(|e| expr::subst::any_variable(&sys.arena, e, |v| sys.is_continuous(v)));
            if !continuous {
                sys.eqs[eq].kind = EquationKind::Discrete;
            }
        }
    }
}

/// Sorts the system. `states` are pairs of a state and its derivative; `sets` are choices among them that may change.
pub fn causalize(
    sys: &mut System,
    aliases: &AliasMap,
    states: Vec<(VarId, VarId)>,
    mut sets: Vec<StateSet>,
) -> Result<Causalized, Vec<Diagnostic>> {
    let is_alive = |v: VarId| aliases.of[v].is_none();
    refuse_equations_without_unknowns(sys, aliases)?;
    time_events::schedule(sys);
    let parameters = sort_parameters(sys)?;
    let is_state = set_of(states.iter().map(|(x, _)| *x));
    let continuous: Vec<VarId> = sys.vars.keys().filter(|v| sys.is_continuous(*v) && is_alive(*v) && !is_state.contains(*v)).collect();
    let mut equations = Vec::new();
    let mut all_equations = Vec::new();
    for equation in sys.eqs.values() {
        let own = ProblemEquation {
            lhs: equation.lhs,
            rhs: equation.rhs,
            assigns: equation.kind != EquationKind::Continuous,
            span: equation.origin.span(),
        };
        all_equations.push(own);
        if equation.kind == EquationKind::Continuous {
            equations.push(own);
        }
    }
    for relation in sys.relations.clone() {
        let lhs = sys.arena.var(relation.var);
        let rhs = sys.arena.binary(relation.op, relation.lhs, relation.rhs);
        all_equations.push(ProblemEquation { lhs, rhs, assigns: true, span: relation.span });
    }
    let discrete = sys.vars.keys().filter(|v| sys.is_discrete(*v) && is_alive(*v));
    let unknowns: Vec<VarId> = continuous.iter().copied().chain(discrete).collect();
    // Ends because every round but the last gives up a set.
    let (simulation, event) = loop {
        let (simulation, good) = sort_with_sets(sys, &equations, &continuous, &sets, "the model")?;
        // Without discrete unknowns and relations both problems are the same.
        if all_equations.len() == equations.len() && unknowns.len() == continuous.len() && !good.contains(&false) {
            let simulation = Arc::new(simulation);
            break (simulation.clone(), simulation);
        }
        let (event, good_at_events) = sort_with_sets(sys, &all_equations, &unknowns, &sets, "the model at events")?;
        if !good.contains(&false) && !good_at_events.contains(&false) {
            break (Arc::new(simulation), Arc::new(event));
        }
        let mut keep = good.iter().zip(&good_at_events).map(|(a, b)| *a && *b);
        sets.retain(|_| keep.next() == Some(true));
    };

    let state_vars: Vec<VarId> = states.iter().map(|(x, _)| *x).collect();
    let initial = initial::initial(sys, &state_vars, &is_alive)?;
    let initial_homotopy = sort_continuation(sys, &initial);
    let torn = tearing::sort(sys, &initial.problem, &initial.matching);
    let initial_by_states = sort_by_states(sys, &initial, &torn, &state_vars);
    let initial_by_starts = sort_by_starts(sys, &initial, &torn);
    let Initial { problem, redundant, defaults, otherwise, warnings, .. } = initial;
    let initial_alternatives = otherwise.into_iter().map(|completion| sort_alternative(sys, completion, &defaults)).collect();
    let sorting = Sorting {
        states,
        sets,
        parameters,
        initial: Sorted { problem, torn },
        initial_by_states,
        initial_by_starts,
        initial_alternatives,
        initial_homotopy,
        redundant,
        simulation,
        event,
    };
    Ok(Causalized { sorting, default_starts: defaults, warnings })
}

/// The initial system, iterating on its states: what the author of a model gives good start values to. `None` if no nonlinear
/// block has states beside its iteration unknowns.
fn sort_by_states(sys: &mut System, initial: &Initial, torn: &tearing::Torn, states: &[VarId]) -> Option<Sorted> {
    let is_state = set_of(states.iter().copied());
    let has_inner_state = torn.steps.iter().any(|step| match step {
        tearing::TornStep::Solve(block) => !block.linear && block.inner.iter().any(|a| is_state.contains(a.var)),
        tearing::TornStep::Assign(_) => false,
    });
    if !has_inner_state {
        return None;
    }
    let iterated = set_of(states.iter().filter_map(|state| initial.problem.col_of[*state].expand()));
    let torn = tearing::sort_iterating(sys, &initial.problem, &initial.matching, &iterated);
    Some(Sorted { problem: initial.problem.clone(), torn })
}

/// The nonlinear systems of the start with given start values, by the numbers of their steps, and the form of each that iterates on all
/// unknowns with such values, if tearing has chosen others.
fn sort_by_starts(sys: &mut System, initial: &Initial, torn: &tearing::Torn) -> Vec<ByStarts> {
    let is_given = |sys: &System, a: &tearing::Assignment| sys.vars[a.var].start.is_some();
    let mut found = Vec::new();
    let mut torn_away = Vec::new();
    for (step, kind) in torn.steps.iter().enumerate() {
        let tearing::TornStep::Solve(block) = kind else { continue };
        if block.linear || !block.discrete.is_empty() {
            continue;
        }
        let has_inner = block.inner.iter().any(|a| is_given(sys, a));
        if has_inner || block.iteration.iter().any(|a| is_given(sys, a)) {
            found.push(ByStarts { step, form: None });
        }
        if has_inner {
            torn_away.push(step);
        }
    }
    if torn_away.is_empty() {
        return found;
    }
    let given = initial.problem.unknowns.iter().filter(|(_, var)| sys.vars[**var].start.is_some());
    let iterated = set_of(given.map(|(col, _)| col));
    let forms = tearing::tear_again(sys, &initial.problem, &initial.matching, &torn_away, &iterated);
    for (step, form) in torn_away.into_iter().zip(forms) {
        if let Some(system) = found.iter_mut().find(|system| system.step == step) {
            system.form = Some(form);
        }
    }
    found
}

/// The initial system completed by other start values than `defaults`.
fn sort_alternative(sys: &mut System, completion: Completion, defaults: &[VarId]) -> AlternativeInitialisation {
    let without = |list: &[VarId], other: &[VarId]| {
        let other = set_of(other.iter().copied());
        list.iter().copied().filter(|var| !other.contains(*var)).collect()
    };
    let (taken, left) = (without(&completion.defaults, defaults), without(defaults, &completion.defaults));
    let torn = tearing::sort(sys, &completion.problem, &completion.matching);
    AlternativeInitialisation { sorted: Sorted { problem: completion.problem, torn }, taken, left }
}

/// The initial system with `homotopy` on its way from the simplified to the actual model: the same equations for the same
/// unknowns. `None` if the model has none, or if the path of an equation lacks the unknown that the actual one determines.
fn sort_continuation(sys: &mut System, initial: &Initial) -> Option<Sorted> {
    if initial.paths.is_empty() {
        return None;
    }
    let path_of: FxHashMap<Row, ProblemEquation> = initial.paths.iter().copied().collect();
    let is_chosen = set_of(initial.matching.pairs().map(|(row, _)| row));
    let chosen = initial.problem.equations.iter().filter(|(row, _)| is_chosen.contains(*row));
    let equations: Vec<ProblemEquation> = chosen.map(|(row, equation)| path_of.get(&row).copied().unwrap_or(*equation)).collect();
    let problem = Problem::new(sys, equations, initial.problem.unknowns.values().copied());
    let matching = maximum_matching(&problem.incidence, any_entry, by_solvability);
    if matching.size < problem.unknowns.len() {
        return None;
    }
    let torn = tearing::sort(sys, &problem, &matching);
    Some(Sorted { problem, torn })
}

/// An equation all of whose unknowns are determined by aliases is one too many.
fn refuse_equations_without_unknowns(sys: &System, aliases: &AliasMap) -> Result<(), Vec<Diagnostic>> {
    let is_known = |v: VarId| matches!(sys.vars[v].role, Role::Time | Role::Parameter | Role::Input);
    let mut found = Vec::new();
    for (eq, equation) in sys.eqs.iter() {
        let known = [equation.lhs, equation.rhs].into_iter().all(|e| !expr::subst::any_variable(&sys.arena, e, |v| !is_known(v)));
        if known && found.len() < 10 {
            if let Some(error) = equation_for_a_parameter(sys, equation) {
                found.push(error);
                continue;
            }
            let text = format!("{} = {}", expression_text(sys, equation.lhs), expression_text(sys, equation.rhs));
            let mut error = Diagnostic::error("S002", "the model has more equations than unknowns")
                .at(equation.origin.span(), "other equations determine all unknowns of this one");
            for (var, span) in aliases.eliminated_from(sys, eq).into_iter().take(10) {
                error = error.at(span, format!("determines {}", sys.vars[var].name));
            }
            if aliases.n_eliminated > 0 {
                error = error.with_note(format!("with what the others say it reads {text}"));
            }
            found.push(error);
        }
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}

fn sort_parameters(sys: &mut System) -> Result<Sorted, Vec<Diagnostic>> {
    let mut equations = Vec::new();
    let mut unknowns = Vec::new();
    let mut moving = Vec::new();
    let vars: Vec<VarId> = sys.vars.keys().collect();
    for var in vars {
        let variable = &sys.vars[var];
        if let (Role::Parameter, Some(binding)) = (variable.role, variable.start)
            && sys.arena.as_constant(binding).is_none()
        {
            let span = variable.span;
            // Times of samplers and bounds of delays have been checked for their form only: what they refer to may be a variable
            // that is constant, and is not one that changes.
            let changes = |v: &VarId| sys.vars[*v].role != Role::Parameter;
            if let Some(read) = expr::subst::variables(&sys.arena, binding).iter().find(|v| changes(v)) {
                let error =
                    Diagnostic::error("S008", format!("{} is needed before the simulation starts, and it changes", sys.vars[*read].name));
                moving.push(
                    error
                        .at(span, "a parameter is needed here")
                        .with_hint("`sample` takes parameters; for times that change use `when time >= next`"),
                );
                continue;
            }
            let lhs = sys.arena.var(var);
            equations.push(ProblemEquation { lhs, rhs: binding, assigns: true, span });
            unknowns.push(var);
        }
    }
    let problem = Problem::new(sys, equations, unknowns);
    let matching = maximum_matching(&problem.incidence, any_entry, by_solvability);
    let torn = tearing::sort(sys, &problem, &matching);
    let circular: Vec<Diagnostic> = torn
        .steps
        .iter()
        .filter_map(|step| match step {
            tearing::TornStep::Solve(block) => {
                let names: Vec<&str> = block.discrete.iter().map(|a| sys.vars[a.var].name.as_str()).collect();
                let span = block.discrete.first().map(|a| a.span).unwrap_or_default();
                Some(
                    Diagnostic::error("S005", format!("parameters depend on each other in a circle: {}", names.join(", ")))
                        .at(span, "one of them"),
                )
            }
            tearing::TornStep::Assign(_) => None,
        })
        .collect();
    let refused: Vec<Diagnostic> = moving.into_iter().chain(circular).collect();
    if refused.is_empty() { Ok(Sorted { problem, torn }) } else { Err(refused) }
}

/// Sorts so that the order holds whatever a run chooses as states of `sets`. Tells for each set whether that is possible.
///
/// All candidates of a set are unknowns here, completed by as many equations as there are states, which say nothing but that
/// all candidates matter to each other. These equations and the states of the static choice are taken out of the block that
/// they have brought about; it iterates on all candidates and solves no equation for one of them beforehand.
fn sort_with_sets(
    sys: &mut System,
    equations: &[ProblemEquation],
    unknowns: &[VarId],
    sets: &[StateSet],
    what: &str,
) -> Result<(Sorted, Vec<bool>), Vec<Diagnostic>> {
    let (mut equations, mut unknowns) = (equations.to_vec(), unknowns.to_vec());
    let n_own = equations.len();
    let mut set_of_row: Vec<usize> = Vec::new();
    for (number, set) in sets.iter().enumerate() {
        let Some(&(first, _)) = set.candidates.first() else { continue };
        let span = sys.vars[first].span;
        // A factor that may vanish keeps everybody from solving for a candidate.
        let time = sys.time();
        let factor = sys.arena.var(time);
        let mut sum = sys.arena.constant(0.0);
        for (x, _) in &set.candidates {
            let x = sys.arena.var(*x);
            let product = sys.arena.mul(factor, x);
            sum = sys.arena.add(sum, product);
        }
        let zero = sys.arena.constant(0.0);
        for state in &set.states {
            equations.push(ProblemEquation { lhs: sum, rhs: zero, assigns: false, span });
            unknowns.push(*state);
            set_of_row.push(number);
        }
    }
    let problem = Problem::new(sys, equations, unknowns);
    let matching = maximum_matching(&problem.incidence, any_entry, by_solvability);
    if !matching.is_perfect(&problem.incidence) || problem.equations.len() != problem.unknowns.len() {
        return Err(explain_singular(sys, &problem, &matching, what));
    }
    let candidates = sets.iter().flat_map(|set| &set.candidates).filter_map(|(x, _)| problem.col_of[*x].expand());
    let iterated = set_of(candidates);
    let mut torn = tearing::sort_iterating(sys, &problem, &matching, &iterated);
    let is_state = set_of(sets.iter().flat_map(|set| &set.states).copied());
    let mut n_found = vec![0; sets.len()];
    for step in &mut torn.steps {
        let tearing::TornStep::Solve(block) = step else { continue };
        let set_of = |a: &tearing::Assignment| a.row.index().checked_sub(n_own).map(|at| set_of_row[at]);
        let mut present: Vec<usize> = block.iteration.iter().filter_map(set_of).collect();
        if present.is_empty() {
            continue;
        }
        let (added, own): (Vec<tearing::Assignment>, Vec<tearing::Assignment>) = block.iteration.iter().partition(|a| set_of(a).is_some());
        let vars: Vec<VarId> = block.iteration.iter().map(|a| a.var).filter(|v| !is_state.contains(*v)).collect();
        let inside = set_of_vars(&block.iteration);
        present.sort_unstable();
        present.dedup();
        for set in present {
            // All of the set must have come together.
            n_found[set] += sets[set].candidates.iter().filter(|(x, _)| inside.contains(*x)).count();
        }
        block.size -= added.len();
        block.iteration = own.into_iter().zip(vars).map(|(a, var)| tearing::Assignment { var, ..a }).collect();
    }
    let good = sets.iter().zip(n_found).map(|(set, n)| n == set.candidates.len()).collect();
    Ok((Sorted { problem, torn }, good))
}

fn set_of_vars(list: &[tearing::Assignment]) -> EntitySet<VarId> {
    set_of(list.iter().map(|a| a.var))
}
