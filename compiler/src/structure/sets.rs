//! State sets: choices of states that can become singular, cut down to the unknowns among which a run may choose anew.
//!
//! Input: the problem of state selection and its solution. Output: [`CandidateSet`]s: for each some candidates, of which as many
//! are states at any time as are states in the static choice.
//!
//! Method: a choice whose dummies may become dependent is taken one derivative lower, where its equations determine the
//! dummies' integrals. Equations that can be solved one after the other, safely, are no part of the trouble: the rest is
//! torn, and the torn unknowns with the states that the residual equations depend on are the candidates. Choices that follow
//! from one choice a derivative higher are taken together and may choose among all its candidates: which states are
//! chosen at one order does not bind the choice at another, because a run computes every unknown of both orders anyway.
//!
//! Guarantee: sets are disjoint, and no unknown that is pinned is a candidate. Cost: linear in the entries of the choices.

use std::collections::BTreeMap;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};

use super::blt;
use super::incidence::{Col, Entry, Incidence, Row, Solvability};
use super::matching::{Matching, any_entry, by_solvability, maximum_matching};
use super::states::{Certainty, StateProblem, StateSelection};
use super::tearing::{self, TearingOptions};
use crate::frontend::flat::StateSelect;

/// Sets with more candidates than this stay with their static choice.
const MOST_CANDIDATES: usize = 100;

/// Unknowns of which some are states, and which ones may change during a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CandidateSet {
    /// The unknowns that can be states, ascending.
    pub candidates: Vec<Col>,
    /// Those that are states in the static choice, ascending.
    pub states: Vec<Col>,
}

/// Finds the state sets. `pinned` unknowns are states for ever if they are states.
pub fn state_sets(problem: &StateProblem<'_>, selection: &StateSelection, pinned: &dyn Fn(Col) -> bool) -> Vec<CandidateSet> {
    let mut integral_of: SecondaryMap<Row, PackedOption<Row>> = SecondaryMap::new();
    for row in problem.incidence.rows.keys() {
        if let Some(derivative) = problem.derivative_of[row].expand() {
            integral_of[derivative] = row.into();
        }
    }
    let mut following: Vec<Vec<usize>> = vec![Vec::new(); selection.choices.len()];
    for (at, choice) in selection.choices.iter().enumerate() {
        if let Some(upper) = choice.follows {
            following[upper].push(at);
        }
    }
    let mut finder = Finder { problem, selection, integral_of, pinned, sets: Vec::new() };
    for (at, choice) in selection.choices.iter().enumerate().filter(|(_, choice)| choice.follows.is_none()) {
        let mut family = vec![at];
        let mut candidates = choice.candidates.clone();
        let mut varies = false;
        // From the highest derivatives down.
        while !family.is_empty() {
            varies |= family.iter().any(|&at| selection.choices[at].certainty == Certainty::Varying);
            if varies {
                finder.find(&family, &candidates);
            }
            family = family.iter().flat_map(|&at| following[at].iter().copied()).collect();
            let chains = problem.chains;
            let lower = candidates.iter().filter_map(|&col| chains.integral_of[col].expand());
            candidates = lower.filter(|&col| chains.integral_of[col].is_some()).collect();
        }
    }
    finder.sets
}

struct Finder<'a> {
    problem: &'a StateProblem<'a>,
    selection: &'a StateSelection,
    integral_of: SecondaryMap<Row, PackedOption<Row>>,
    pinned: &'a dyn Fn(Col) -> bool,
    sets: Vec<CandidateSet>,
}

impl Finder<'_> {
    /// The sets of some choices of one order; `derivatives` are those that could be dummies.
    fn find(&mut self, family: &[usize], derivatives: &[Col]) {
        let chains = self.problem.chains;
        let integral = |col: &Col| chains.integral_of[*col].expand();
        let choices = || family.iter().map(|&at| &self.selection.choices[at]);
        let mut rows: Vec<Row> = choices().flat_map(|choice| &choice.rows).filter_map(|&row| self.integral_of[row].expand()).collect();
        let mut dummies: Vec<Col> = choices().flat_map(|choice| &choice.dummies).filter_map(integral).collect();
        rows.sort_unstable();
        dummies.sort_unstable();
        if rows.len() != dummies.len() {
            return;
        }
        let is_dummy = |col: &Col| dummies.binary_search(col).is_ok();
        let mut states: Vec<Col> = derivatives.iter().filter_map(integral).filter(|col| !is_dummy(col)).collect();
        states.sort_unstable();

        // The equations over the dummies alone.
        let mut square = Incidence { n_cols: dummies.len(), ..Incidence::default() };
        for &row in &rows {
            let inside = |entry: &Entry| {
                dummies.binary_search(&entry.col).ok().map(|at| Entry { col: Col::new(at), solvability: entry.solvability })
            };
            square.rows.push(self.problem.incidence.rows[row].iter().filter_map(inside).collect());
        }
        let matching = maximum_matching(&square, any_entry, by_solvability);
        if !matching.is_perfect(&square) {
            return;
        }
        let Solved { row_of, torn, residuals } = solved(&square, &matching);

        // What residual equations depend on belongs together.
        let n = dummies.len();
        let mut groups = Groups::new(n + states.len());
        let mut reached: EntitySet<Col> = EntitySet::new();
        let mut done = vec![false; rows.len()];
        let mut stack = residuals;
        while let Some(at) = stack.pop() {
            if std::mem::replace(&mut done[at], true) {
                continue;
            }
            let mut first = None;
            for entry in &self.problem.incidence.rows[rows[at]] {
                let place = match (dummies.binary_search(&entry.col), states.binary_search(&entry.col)) {
                    (Ok(place), _) => place,
                    (_, Ok(place)) => n + place,
                    _ => continue,
                };
                reached.insert(entry.col);
                groups.join(*first.get_or_insert(place), place);
                if let Some(row) = row_of.get(place).copied().flatten() {
                    stack.push(row);
                }
            }
        }
        self.collect([&dummies, &states], &torn, &reached, &mut groups);
    }

    /// The choices: per group of what belongs together the torn dummies and the states that are free.
    fn collect(&mut self, [dummies, states]: [&[Col]; 2], torn: &[usize], reached: &EntitySet<Col>, groups: &mut Groups) {
        let n = dummies.len();
        let mut found: BTreeMap<usize, CandidateSet> = BTreeMap::new();
        let select = |col: Col| self.problem.preference[col].select;
        let is_free = |col: Col| reached.contains(col) && !(self.pinned)(col);
        for &place in torn.iter().filter(|&&place| is_free(dummies[place]) && select(dummies[place]) != StateSelect::Never) {
            found.entry(groups.find(place)).or_default().candidates.push(dummies[place]);
        }
        for (place, &col) in states.iter().enumerate().filter(|&(_, &col)| is_free(col) && select(col) != StateSelect::Always) {
            let set = found.entry(groups.find(n + place)).or_default();
            set.candidates.push(col);
            set.states.push(col);
        }
        for mut set in found.into_values() {
            let is_choice = !set.states.is_empty() && set.states.len() < set.candidates.len();
            if is_choice && set.candidates.len() <= MOST_CANDIDATES {
                set.candidates.sort_unstable();
                self.sets.push(set);
            }
        }
    }
}

/// How dummies are solved for.
struct Solved {
    /// For every dummy the equation that it is solved from, where that is safe.
    row_of: Vec<Option<usize>>,
    torn: Vec<usize>,
    residuals: Vec<usize>,
}

fn solved(square: &Incidence, matching: &Matching) -> Solved {
    let mut row_of: Vec<Option<usize>> = vec![None; square.n_cols];
    let mut torn: Vec<usize> = Vec::new();
    let mut residuals: Vec<usize> = Vec::new();
    for block in blt::sort(square, matching).blocks {
        if let (&[row], &[col]) = (block.rows.as_slice(), block.cols.as_slice()) {
            if square.entry(row, col).is_some_and(|entry| entry.solvability == Solvability::Safe) {
                row_of[col.index()] = Some(row.index());
            } else {
                torn.push(col.index());
                residuals.push(row.index());
            }
            continue;
        }
        let parts = tearing::tear(square, &block, &TearingOptions::default());
        for (row, col) in parts.inner {
            row_of[col.index()] = Some(row.index());
        }
        for (row, col) in parts.iteration {
            torn.push(col.index());
            residuals.push(row.index());
        }
    }
    Solved { row_of, torn, residuals }
}

/// Disjoint groups of numbers.
struct Groups {
    parent: Vec<usize>,
}

impl Groups {
    fn new(n: usize) -> Groups {
        Groups { parent: (0..n).collect() }
    }

    fn find(&mut self, mut item: usize) -> usize {
        while self.parent[item] != item {
            self.parent[item] = self.parent[self.parent[item]];
            item = self.parent[item];
        }
        item
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::super::pantelides::differentiate;
    use super::super::pantelides::tests::pendulum;
    use super::super::states::{Preference, select_states};
    use super::*;

    /// x y w z T x' y' w' z' are u0 .. u8.
    #[test]
    fn pendulum_may_choose_either_coordinate_and_either_speed() {
        let (incidence, chains) = pendulum();
        let reduced = differentiate(&incidence, &chains).unwrap();
        let mut preference: SecondaryMap<Col, Preference> = SecondaryMap::new();
        for derivative in [5, 6] {
            preference[Col::new(derivative)].select = StateSelect::Avoid;
        }
        let problem = StateProblem {
            incidence: &reduced.incidence,
            chains: &reduced.chains,
            derivative_of: &reduced.derivative_of,
            preference: &preference,
            coefficient: &|_, _| None,
        };
        let selection = select_states(&problem).unwrap();
        let sets = state_sets(&problem, &selection, &|_| false);
        let names: Vec<Vec<usize>> = sets.iter().map(|set| set.candidates.iter().map(|col| col.index()).collect()).collect();
        assert!(names.contains(&vec![0, 1]), "{names:?}");
        assert!(sets.iter().all(|set| set.states.len() == 1 && set.candidates.len() == 2), "{sets:?}");
        let pinned = state_sets(&problem, &selection, &|col| col.index() <= 1);
        assert!(!pinned.iter().any(|set| set.candidates.contains(&Col::new(0))));
    }
}
