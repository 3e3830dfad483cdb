//! How the states fall apart: what cannot act back may have steps of its own.
//!
//! Input: the sorted simulation problem, the pattern of the Jacobian. Output: a head and parts beside it, or nothing where that is no use.
//! Method: whatever events read (relations, discrete equations, new values of states, assertions) belongs to the head, and so do the
//! derivatives that events change, but for those downstream of others that they change; all that these need comes with them. The connected
//! components of the rest are the parts: they read the head, nothing of them is read by it, and they do not see each other.
//! Guarantee: no part acts on the head or on another part, and no event depends on a part. Cost: linear in the equations and in the
//! entries of the Jacobian.

use crate::base::ids::VarId;
use crate::equations::dae::{EquationKind, Role, System, Text};
use crate::equations::expr;
use crate::program::needs::{Accesses, Level, Needs, accesses};
use crate::sorting::sorted::Sorting;
use cranelift_entity::SecondaryMap;
use partita_runtime::model::plan::{Cascade, Pattern};
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

/// Fewer states are integrated together in less time than it takes to part them.
const LEAST_STATES: usize = 16;
/// A head with more of the states leaves too little to be gained.
const LARGEST_HEAD: f64 = 0.75;

/// Finds the parts of a model.
pub(super) fn find(sys: &System, sorting: &Sorting, needs: &Needs) -> Option<Cascade> {
    let n = sorting.states.len();
    let refuses = !sorting.sets.is_empty() || !sys.delays.is_empty() || !sys.transports.is_empty();
    if n < LEAST_STATES || refuses || sys.vars.values().any(|var| var.role == Role::Input) {
        return None;
    }
    let found = accesses(sys, sorting);
    let is_switched = switched(sys, sorting, needs, &found);
    let mut seeds = read_by_events(sys, sorting, &found);
    let reads = needs.jacobian.transposed();
    for (state, is_first) in first_switched(&needs.jacobian, &is_switched).into_iter().enumerate() {
        seeds[state] |= is_first;
    }
    let is_head = closed(seeds, &reads);
    let n_head = is_head.iter().filter(|is_head| **is_head).count();
    let (part_of, n_parts) = components(&needs.jacobian, &is_head);
    let pays = n_parts > 0 && n_head as f64 <= LARGEST_HEAD * n as f64 && (n_head > 0 || n_parts > 1);
    let is_edge = |state: usize| !is_head[state] && (is_switched[state] || reads.column(state).iter().any(|read| is_head[*read]));
    pays.then(|| Cascade { part_of, n_parts, is_edge: (0..n).map(is_edge).collect() })
}

/// The states whose derivatives depend on what changes at events.
fn switched(sys: &System, sorting: &Sorting, needs: &Needs, found: &Accesses) -> Vec<bool> {
    let changes = |var: VarId| matches!(sys.vars[var].role, Role::Discrete | Role::Relation | Role::Pre(_) | Role::External);
    let mut of_step = vec![false; found.access.len()];
    for (step, (reads, _)) in found.access.iter().enumerate().filter(|(step, _)| needs.level[*step] == Level::Derivatives) {
        let follows = |var: VarId| found.step_of[var].is_some_and(|other| other != step && of_step[other]);
        let is_switched = reads.iter().any(|&var| changes(var) || follows(var));
        of_step[step] = is_switched;
    }
    sorting.states.iter().map(|(_, dx)| found.step_of[*dx].is_some_and(|step| of_step[step])).collect()
}

/// The states that events need.
fn read_by_events(sys: &System, sorting: &Sorting, found: &Accesses) -> Vec<bool> {
    let mut vars: Vec<VarId> = Vec::new();
    let relations = sys.relations.iter().flat_map(|relation| [relation.lhs, relation.rhs]);
    let discrete = sys.eqs.values().filter(|equation| equation.kind != EquationKind::Continuous);
    for side in relations.chain(discrete.flat_map(|equation| [equation.lhs, equation.rhs])) {
        vars.extend(expr::subst::variables(&sys.arena, side));
    }
    vars.extend(sys.reinits.iter().flat_map(|reinit| [reinit.active, reinit.value, reinit.state]));
    for action in &sys.actions {
        vars.push(action.trigger);
        values_of(&action.message, &mut vars);
    }
    vars.extend(sys.vars.values().filter_map(|var| if let Role::Pre(of) = var.role { Some(of) } else { None }));
    let mut state_of: SecondaryMap<VarId, Option<usize>> = SecondaryMap::with_default(None);
    sorting.states.iter().enumerate().for_each(|(state, (x, _))| state_of[*x] = Some(state));
    let mut is_read = vec![false; sorting.states.len()];
    let mut is_met: SecondaryMap<VarId, bool> = SecondaryMap::with_default(false);
    while let Some(var) = vars.pop() {
        if std::mem::replace(&mut is_met[var], true) {
            continue;
        }
        match (state_of[var], found.step_of[var]) {
            (Some(state), _) => is_read[state] = true,
            (None, Some(step)) => vars.extend(&found.access[step].0),
            (None, None) => {}
        }
    }
    is_read
}

fn values_of(message: &[Text], vars: &mut Vec<VarId>) {
    for text in message {
        match text {
            Text::Literal(_) => {}
            Text::Value(var, _) => vars.push(*var),
            Text::Either(var, one, other) => {
                vars.push(*var);
                values_of(one, vars);
                values_of(other, vars);
            }
        }
    }
}

/// The marked states that are not downstream of marked ones that they do not act on.
fn first_switched(readers: &Pattern, is_switched: &[bool]) -> Vec<bool> {
    let n = is_switched.len();
    let mut graph = DiGraph::<(), ()>::with_capacity(n, readers.rows.len());
    let nodes: Vec<_> = (0..n).map(|_| graph.add_node(())).collect();
    for state in 0..n {
        graph.extend_with_edges(readers.column(state).iter().map(|&reader| (nodes[state], nodes[reader])));
    }
    // Components come with those first that read others.
    let mut components = tarjan_scc(&graph);
    components.reverse();
    let mut is_first = vec![false; n];
    let mut is_behind = vec![false; n];
    for component in components {
        let behind = component.iter().any(|node| is_behind[node.index()]);
        let marked = component.iter().any(|node| is_switched[node.index()]);
        for node in &component {
            is_first[node.index()] = is_switched[node.index()] && !behind;
            if behind || marked {
                readers.column(node.index()).iter().for_each(|&reader| is_behind[reader] = true);
            }
        }
    }
    is_first
}

/// These states and all that they read.
fn closed(mut marked: Vec<bool>, reads: &Pattern) -> Vec<bool> {
    let mut stack: Vec<usize> = (0..marked.len()).filter(|&state| marked[state]).collect();
    while let Some(state) = stack.pop() {
        stack.extend(reads.column(state).iter().filter(|&&read| !std::mem::replace(&mut marked[read], true)));
    }
    marked
}

/// Numbers the connected components of the states that are not in the head, from 1 on in the order of their first states.
fn components(readers: &Pattern, is_head: &[bool]) -> (Vec<u32>, u32) {
    let n = is_head.len();
    let reads = readers.transposed();
    let mut part_of = vec![0; n];
    let mut n_parts = 0;
    for start in 0..n {
        if is_head[start] || part_of[start] != 0 {
            continue;
        }
        n_parts += 1;
        part_of[start] = n_parts;
        let mut stack = vec![start];
        while let Some(state) = stack.pop() {
            for &other in readers.column(state).iter().chain(reads.column(state)) {
                if !is_head[other] && part_of[other] == 0 {
                    part_of[other] = n_parts;
                    stack.push(other);
                }
            }
        }
    }
    (part_of, n_parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Column `j` has the readers of state `j`.
    fn pattern(readers: &[&[usize]]) -> Pattern {
        let mut pattern = Pattern { n_rows: readers.len(), col_starts: vec![0], rows: Vec::new() };
        for rows in readers {
            pattern.rows.extend_from_slice(rows);
            pattern.col_starts.push(pattern.rows.len());
        }
        pattern
    }

    #[test]
    fn what_is_switched_downstream_of_what_is_switched_is_no_head() {
        // 0 and 1 act on each other and on 2, which acts on 3; 4 stands alone.
        let readers = pattern(&[&[0, 1], &[0, 2], &[2, 3], &[3], &[4]]);
        assert_eq!(first_switched(&readers, &[true, false, true, false, false]), [true, false, false, false, false]);
        assert_eq!(first_switched(&readers, &[false, false, true, true, true]), [false, false, true, false, true]);
        let head = closed(vec![true, false, false, false, false], &readers.transposed());
        assert_eq!(head, [true, true, false, false, false]);
        assert_eq!(components(&readers, &head), (vec![0, 0, 1, 1, 2], 2));
    }
}
