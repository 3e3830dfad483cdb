//! Which steps of the simulation problem who needs: the split into dependency-closed functions, and the Jacobian's pattern.
//!
//! Input: the sorted simulation problem, states and relations. Output: for every step the first function that needs it
//! (derivatives, then crossings, then results), and which derivative depends on which state.
//! Cost: the levels are linear; the pattern costs the number of its non-zeros times the depth of shared steps in the worst
//! case (a set of states per step).

use crate::base::ids::{ExprId, VarId};
use crate::equations::dae::System;
use crate::equations::expr;
use crate::sorting::sorted::Sorting;
use crate::sorting::tearing::TornStep;
use cranelift_entity::SecondaryMap;
use partita_runtime::model::plan::Pattern;
use std::rc::Rc;

/// The first function that needs a step.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Level {
    /// Derivatives of states depend on it.
    Derivatives,
    /// Crossing functions depend on it.
    Crossings,
    /// Only results show it.
    Outputs,
}

/// Who needs what.
#[derive(Clone, Debug)]
pub struct Needs {
    /// By step.
    pub level: Vec<Level>,
    /// Rows: derivatives, columns: states.
    pub jacobian: Pattern,
}

/// Reads of one step outside itself, and what it writes.
fn reads_and_writes(sys: &System, step: &TornStep) -> (Vec<VarId>, Vec<VarId>) {
    let mut exprs: Vec<ExprId> = Vec::new();
    let mut writes = Vec::new();
    match step {
        TornStep::Assign(a) => {
            exprs.push(a.value);
            writes.push(a.var);
        }
        TornStep::Solve(block) => {
            for a in block.inner.iter().chain(&block.iteration).chain(&block.discrete) {
                exprs.push(a.value);
                writes.push(a.var);
            }
        }
    }
    let mut reads: Vec<VarId> = exprs.into_iter().flat_map(|e| expr::subst::variables(&sys.arena, e)).collect();
    reads.sort_unstable();
    reads.dedup();
    (reads, writes)
}

/// Reads and writes of every step of the simulation problem, and the step that determines a variable.
pub(super) struct Accesses {
    pub(super) access: Vec<(Vec<VarId>, Vec<VarId>)>,
    pub(super) step_of: SecondaryMap<VarId, Option<usize>>,
}

pub(super) fn accesses(sys: &System, sorting: &Sorting) -> Accesses {
    let access: Vec<(Vec<VarId>, Vec<VarId>)> = sorting.simulation.torn.steps.iter().map(|s| reads_and_writes(sys, s)).collect();
    let mut step_of: SecondaryMap<VarId, Option<usize>> = SecondaryMap::with_default(None);
    for (i, (_, writes)) in access.iter().enumerate() {
        for var in writes {
            step_of[*var] = Some(i);
        }
    }
    // Whatever a run chooses as states of a set, the block of the set determines all its candidates.
    for set in &sorting.sets {
        let step = set.candidates.iter().find_map(|(x, _)| step_of[*x]);
        for (x, _) in &set.candidates {
            step_of[*x] = step;
        }
    }
    Accesses { access, step_of }
}

impl Needs {
    /// Finds the needs of a sorting.
    pub fn of(sys: &System, sorting: &Sorting) -> Needs {
        let steps = &sorting.simulation.torn.steps;
        let Accesses { access, step_of } = accesses(sys, sorting);
        let mut level = vec![Level::Outputs; steps.len()];
        let close = |roots: Vec<VarId>, mark: Level, level: &mut Vec<Level>| {
            let mut stack: Vec<usize> = roots.into_iter().filter_map(|v| step_of[v]).collect();
            while let Some(step) = stack.pop() {
                if level[step] != Level::Outputs {
                    continue;
                }
                level[step] = mark;
                stack.extend(access[step].0.iter().filter_map(|v| step_of[*v]));
            }
        };
        let candidates = sorting.sets.iter().flat_map(|set| &set.candidates).flat_map(|(x, dx)| [*x, *dx]);
        close(sorting.states.iter().map(|(_, dx)| *dx).chain(candidates).collect(), Level::Derivatives, &mut level);
        let crossing_reads =
            sys.relations.iter().flat_map(|r| [r.lhs, r.rhs]).flat_map(|e| expr::subst::variables(&sys.arena, e)).collect();
        close(crossing_reads, Level::Crossings, &mut level);
        let jacobian = pattern(sorting, &access, &step_of, &level);
        Needs { level, jacobian }
    }
}

/// Which steps of the simulation problem the derivatives of these states need. Cost: linear.
pub fn closure(sys: &System, sorting: &Sorting, states: &[usize]) -> Vec<bool> {
    let steps = &sorting.simulation.torn.steps;
    let Accesses { access, step_of } = accesses(sys, sorting);
    let mut roots: Vec<VarId> = Vec::new();
    for &state in states {
        let (x, dx) = sorting.states[state];
        roots.push(dx);
        // Any candidate of its set may take the place of the state.
        let sets = sorting.sets.iter().filter(|set| set.states.contains(&x));
        roots.extend(sets.flat_map(|set| &set.candidates).flat_map(|(x, dx)| [*x, *dx]));
    }
    let mut wanted = vec![false; steps.len()];
    let mut stack: Vec<usize> = roots.into_iter().filter_map(|v| step_of[v]).collect();
    while let Some(step) = stack.pop() {
        if !std::mem::replace(&mut wanted[step], true) {
            stack.extend(access[step].0.iter().filter_map(|v| step_of[*v]));
        }
    }
    wanted
}

/// The states that each step depends on; equal sets are shared.
fn sets_of_steps(
    access: &[(Vec<VarId>, Vec<VarId>)],
    step_of: &SecondaryMap<VarId, Option<usize>>,
    level: &[Level],
    state_index: &SecondaryMap<VarId, Option<u32>>,
    states_of_step: &[Vec<u32>],
) -> Vec<Rc<Vec<u32>>> {
    let empty: Rc<Vec<u32>> = Rc::new(Vec::new());
    let mut set_of_step: Vec<Rc<Vec<u32>>> = vec![empty.clone(); access.len()];
    let mut merged: Vec<u32> = Vec::new();
    for (i, (reads, _)) in access.iter().enumerate() {
        if level[i] != Level::Derivatives {
            continue;
        }
        merged.clear();
        let mut only: Option<Rc<Vec<u32>>> = None;
        merged.extend_from_slice(&states_of_step[i]);
        let mut n_sources = states_of_step[i].len();
        for var in reads {
            if let Some(state) = state_index[*var] {
                merged.push(state);
                n_sources += 1;
            } else if let Some(step) = step_of[*var]
                && step != i
                && !set_of_step[step].is_empty()
            {
                n_sources += 1;
                only = Some(set_of_step[step].clone());
                merged.extend_from_slice(&set_of_step[step]);
            }
        }
        set_of_step[i] = match only {
            Some(set) if n_sources == 1 => set,
            _ => {
                merged.sort_unstable();
                merged.dedup();
                Rc::new(merged.clone())
            }
        };
    }
    set_of_step
}

/// Propagates sets of states through the steps in order; equal sets are shared.
fn pattern(
    sorting: &Sorting,
    access: &[(Vec<VarId>, Vec<VarId>)],
    step_of: &SecondaryMap<VarId, Option<usize>>,
    level: &[Level],
) -> Pattern {
    let n = sorting.states.len();
    let mut state_index: SecondaryMap<VarId, Option<u32>> = SecondaryMap::with_default(None);
    for (i, (x, _)) in sorting.states.iter().enumerate() {
        state_index[*x] = Some(i as u32);
    }
    let mut states_of_step: Vec<Vec<u32>> = vec![Vec::new(); access.len()];
    let mut set_of_state: Vec<Option<usize>> = vec![None; n];
    for (number, set) in sorting.sets.iter().enumerate() {
        for x in &set.states {
            let Some(state) = state_index[*x].take() else { continue };
            set_of_state[state as usize] = Some(number);
            if let Some(step) = step_of[*x] {
                states_of_step[step].push(state);
            }
        }
    }
    let set_of_step = sets_of_steps(access, step_of, level, &state_index, &states_of_step);
    let mut merged: Vec<u32> = Vec::new();
    let mut columns: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (row, (_, dx)) in sorting.states.iter().enumerate() {
        let mut derivatives = vec![*dx];
        if let Some(set) = set_of_state[row] {
            derivatives = sorting.sets[set].candidates.iter().map(|(_, dx)| *dx).collect();
        }
        merged.clear();
        for dx in derivatives {
            match (step_of[dx], state_index[dx]) {
                (Some(step), _) => merged.extend_from_slice(&set_of_step[step]),
                // The derivative of a state is itself a state: der(x) = v with both chosen.
                (None, Some(state)) => merged.push(state),
                (None, None) => {}
            }
        }
        merged.sort_unstable();
        merged.dedup();
        merged.iter().for_each(|col| columns[*col as usize].push(row));
    }
    let mut pattern = Pattern { n_rows: n, col_starts: vec![0], rows: Vec::new() };
    for column in columns {
        pattern.rows.extend(column);
        pattern.col_starts.push(pattern.rows.len());
    }
    pattern
}
