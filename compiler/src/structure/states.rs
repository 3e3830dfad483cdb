//! State selection: which unknowns of a differentiated system are integrated, and which derivatives are dummies.
//!
//! Input: [`StateProblem`]: the incidence with its differentiated equations, the chains of derivatives of unknowns and
//! of equations, a [`Preference`] per unknown, and the constant coefficients where they are known. Output:
//! [`StateSelection`]: the states, the dummy derivatives, and every choice that was made with its alternatives.
//!
//! Method: Mattsson and Söderlind, "Index reduction in differential-algebraic equations using dummy derivatives", SIAM
//! J. Sci. Comput. 14(3), 1993. In each block of the highest derivatives the differentiated equations H need as many
//! dummies among their derivatives, such that H is regular in them; then the same one order lower, among the dummies'
//! integrals. A derivative as dummy costs its integral as a state. The sets of columns in which H is regular are the
//! bases of a matroid, so the greedy choice (cheapest column first, kept if independent of those kept) is optimal.
//! Independence is tested in the field of the integers modulo 2^61 - 1: constant coefficients enter with their exact
//! values, all others as fixed pseudo-random numbers, which stand for "generic": without any coefficient this is the
//! transversal matroid, and with them a choice like {a, b} for `a + b = c`, `a + b = d` is refused. A choice that could
//! become singular is exchanged in one column if that makes it safe for ever. Where blocks on their own refuse a preferred
//! unknown as a state, those that differentiated equations connect choose together: their derivatives can be dummies for
//! each other's equations.
//!
//! Guarantee: an unknown with a derivative is a state exactly if that derivative is no dummy; with as many dummies as
//! differentiated equations the system stays square (certified by `check::states`). Deterministic.
//! Cost: O(entries log unknowns) plus the elimination, which is cheap for local constraints. Where it fills in too much
//! (beyond a multiple of the entries) the dummies are chosen by matching alone, and the choice counts as varying.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, SecondaryMap};
use petgraph::unionfind::UnionFind;

use super::blt::{self, Block};
use super::dulmage_mendelsohn::{Parts, decompose};
use super::elimination::{Elimination, Residue, TooLong};
use super::incidence::{Col, DerivativeChains, Entry, Incidence, Row, Solvability};
use super::matching::{any_entry, by_solvability, maximum_matching};
use crate::frontend::flat::StateSelect;

/// How much an unknown is wanted as a state; greater is better.
///
/// `select` goes first, then `is_differentiated`, then `is_fixed`, then whether the equations can be solved for the derivative safely, then `bonus`.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Preference {
    /// The `stateSelect` attribute.
    pub select: StateSelect,
    /// Whether the model differentiates the unknown; if not, only index reduction gave it a derivative.
    pub is_differentiated: bool,
    /// Whether the unknown is not wanted, but the model fixes its start: it names the degrees of freedom it thinks of.
    pub is_fixed: bool,
    /// Anything weaker: `fixed`, an explicit start, a declared variable rather than a derivative of one.
    pub bonus: i32,
}

/// A differentiated system of which the states are to be chosen.
pub struct StateProblem<'a> {
    /// All equations, also the differentiated ones, over all unknowns and derivatives.
    pub incidence: &'a Incidence,
    /// The derivative chains of the unknowns.
    pub chains: &'a DerivativeChains,
    /// For every equation that was differentiated its derivative.
    pub derivative_of: &'a SecondaryMap<Row, PackedOption<Row>>,
    /// How much each unknown is wanted as a state.
    pub preference: &'a SecondaryMap<Col, Preference>,
    /// The coefficient of an unknown in an equation if it is a number; `None` if it is not constant or not known.
    pub coefficient: &'a dyn Fn(Row, Col) -> Option<f64>,
}

/// How sure a choice is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// There were as many candidates as equations, so nothing to choose.
    Forced,
    /// The equations can be solved for the dummies one after the other, safely: regular for ever.
    Safe,
    /// All coefficients are constant and the dummies are independent: regular for ever.
    Constant,
    /// Coefficients may vanish: the choice can become singular, another one may then be needed.
    Varying,
}

/// Some differentiated equations and the dummies chosen for them. Choices are independent of each other except that
/// a choice follows the one a derivative higher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The differentiated equations, ascending.
    pub rows: Vec<Row>,
    /// The derivatives that could be dummies, ascending; their integrals are the candidates for states.
    pub candidates: Vec<Col>,
    /// The candidates that became dummies, ascending; as many as equations.
    pub dummies: Vec<Col>,
    /// The place in `StateSelection::choices` of the choice one derivative higher whose dummies' integrals the
    /// candidates are; a different choice there changes the candidates here.
    pub follows: Option<usize>,
    /// Whether the choice can become singular.
    pub certainty: Certainty,
}

/// An unknown whose `stateSelect` could not be honoured.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Overruled {
    /// The unknown.
    pub col: Col,
    /// Its attribute: `Always`, and it is no state, or `Never`, and it is one.
    pub select: StateSelect,
}

/// The states of a system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateSelection {
    /// The unknowns that are integrated, ascending.
    pub states: Vec<Col>,
    /// The derivatives that become algebraic unknowns, ascending.
    pub dummies: Vec<Col>,
    /// How the dummies came about, higher derivatives before lower ones.
    pub choices: Vec<Choice>,
    /// The attributes that could not be honoured, ascending by unknown.
    pub overruled: Vec<Overruled>,
}

/// Why no states can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoStates {
    /// The highest derivatives cannot be matched; columns are highest derivatives and algebraic unknowns.
    Structure(Parts),
    /// The differentiated equations are dependent in all derivatives that could be dummies: some of them contradict
    /// or repeat others.
    Dependent {
        /// The differentiated equations that depend on others of `rows`.
        redundant: Vec<Row>,
        /// All differentiated equations that are concerned.
        rows: Vec<Row>,
        /// The derivatives in them.
        cols: Vec<Col>,
    },
}

/// Chooses states and dummy derivatives.
pub fn select_states(problem: &StateProblem<'_>) -> Result<StateSelection, NoStates> {
    let StateProblem { incidence, chains, .. } = *problem;
    let mut integral_of: SecondaryMap<Row, PackedOption<Row>> = SecondaryMap::new();
    for row in incidence.rows.keys() {
        if let Some(derivative) = problem.derivative_of[row].expand() {
            integral_of[derivative] = row.into();
        }
    }
    let blocks = highest_blocks(problem)?;
    let mut chooser = Chooser::new(problem, integral_of);
    for block in &blocks {
        let (rows, cols) = chooser.task_of(std::slice::from_ref(&block));
        chooser.choose(rows, cols)?;
    }
    let wider = chooser.unsatisfied(&blocks);
    if !wider.is_empty() {
        let mut again = Chooser::new(problem, chooser.integral_of);
        for group in wider {
            let n_before = again.choices.len();
            let (rows, cols) = again.task_of(&group);
            again.choose(rows, cols)?;
            if group.len() > 1 && again.choices[n_before..].iter().any(|choice| choice.certainty == Certainty::Varying) {
                // A choice that can become singular is too high a price.
                again.forget(n_before);
                for block in &group {
                    let (rows, cols) = again.task_of(std::slice::from_ref(block));
                    again.choose(rows, cols)?;
                }
            }
        }
        chooser = again;
    }

    let is_dummy = chooser.is_dummy;
    let mut selection = StateSelection { choices: chooser.choices, ..StateSelection::default() };
    for col in incidence.cols() {
        if is_dummy[col] {
            selection.dummies.push(col);
        }
        let select = problem.preference[col].select;
        let is_state = chains.der_of[col].expand().is_some_and(|derivative| !is_dummy[derivative]);
        if is_state {
            selection.states.push(col);
        }
        if (select == StateSelect::Always && !is_state) || (select == StateSelect::Never && is_state) {
            selection.overruled.push(Overruled { col, select });
        }
    }
    Ok(selection)
}

/// The blocks of the equations' ends over the highest derivatives.
fn highest_blocks(problem: &StateProblem<'_>) -> Result<Vec<Block>, NoStates> {
    let StateProblem { incidence, chains, derivative_of, .. } = *problem;
    let mut ends = Incidence { n_cols: incidence.n_cols, ..Incidence::default() };
    let mut n_ends = 0;
    for (row, entries) in incidence.rows.iter() {
        let is_end = derivative_of[row].is_none();
        n_ends += usize::from(is_end);
        let highest = entries.iter().copied().filter(|entry| is_end && chains.der_of[entry.col].is_none());
        ends.rows.push(highest.collect());
    }
    let n_highest = incidence.cols().filter(|&col| chains.der_of[col].is_none()).count();
    let matching = maximum_matching(&ends, any_entry, by_solvability);
    if matching.size == n_ends && matching.size == n_highest {
        return Ok(blt::sort(&ends, &matching).blocks);
    }
    let mut parts = decompose(&ends, any_entry, &matching);
    // Equations that were differentiated and lower derivatives take no part; they show up alone.
    for part in parts.over.iter_mut().chain(&mut parts.under) {
        part.rows.retain(|&row| derivative_of[row].is_none());
        part.cols.retain(|&col| chains.der_of[col].is_none());
    }
    parts.over.retain(|part| !part.rows.is_empty());
    parts.under.retain(|part| !part.cols.is_empty());
    Err(NoStates::Structure(parts))
}

/// The state of the selection.
struct Chooser<'a> {
    problem: &'a StateProblem<'a>,
    /// For every differentiated equation what it is the derivative of.
    integral_of: SecondaryMap<Row, PackedOption<Row>>,
    /// For every column of the set in work its place there, counted from one; zero is "not in the set".
    place_of: SecondaryMap<Col, u32>,
    is_dummy: SecondaryMap<Col, bool>,
    choices: Vec<Choice>,
}

/// Most entries that are looked at in the search for a safe choice, so that large loops stay cheap.
const EXCHANGE_BUDGET: usize = 2_000_000;

/// Differentiated equations of one order with the derivatives that could be their dummies.
struct Task {
    rows: Vec<Row>,
    cols: Vec<Col>,
    follows: Option<usize>,
}

/// What a derivative costs as a dummy: the greatest and the least `stateSelect` of its integrals, whether the model
/// differentiates all of them, whether it fixes one, how it can be solved for, the greatest bonus, and the number of
/// integrals, of which more are better.
type Cost = (StateSelect, StateSelect, bool, bool, Solvability, i32, Reverse<u32>);

/// One equation of a task: the places of its columns.
struct Line {
    row: Row,
    places: Vec<(usize, Solvability)>,
}

impl<'a> Chooser<'a> {
    fn new(problem: &'a StateProblem<'a>, integral_of: SecondaryMap<Row, PackedOption<Row>>) -> Chooser<'a> {
        Chooser { problem, integral_of, place_of: SecondaryMap::new(), is_dummy: SecondaryMap::new(), choices: Vec::new() }
    }

    /// The differentiated equations of some blocks and the derivatives that could be their dummies, ascending.
    fn task_of(&self, blocks: &[&Block]) -> (Vec<Row>, Vec<Col>) {
        let rows = blocks.iter().flat_map(|block| &block.rows).copied().filter(|&row| self.integral_of[row].is_some());
        let cols = blocks.iter().flat_map(|block| &block.cols).copied().filter(|&col| self.problem.chains.integral_of[col].is_some());
        let (mut rows, mut cols): (Vec<Row>, Vec<Col>) = (rows.collect(), cols.collect());
        rows.sort_unstable();
        cols.sort_unstable();
        (rows, cols)
    }

    /// Takes back all choices from this one on.
    fn forget(&mut self, from: usize) {
        for choice in self.choices.drain(from..) {
            choice.dummies.iter().for_each(|&dummy| self.is_dummy[dummy] = false);
        }
    }

    /// How much the most wanted integral of a derivative is wanted as a state.
    fn wanted(&self, mut derivative: Col) -> StateSelect {
        let mut most = StateSelect::Never;
        while let Some(integral) = self.problem.chains.integral_of[derivative].expand() {
            most = most.max(self.problem.preference[integral].select);
            derivative = integral;
        }
        most
    }

    /// Blocks that had better choose together: those connected by differentiated equations where a preferred unknown is no state
    /// and one that is not preferred is. All blocks, in groups; nothing if there are no such blocks.
    fn unsatisfied<'b>(&self, blocks: &'b [Block]) -> Vec<Vec<&'b Block>> {
        let chains = self.problem.chains;
        let mut block_of: SecondaryMap<Col, u32> = SecondaryMap::new();
        for (at, block) in blocks.iter().enumerate() {
            block.cols.iter().for_each(|&col| block_of[col] = at as u32);
        }
        let is_candidate = |col: Col| chains.der_of[col].is_none() && chains.integral_of[col].is_some();
        let mut groups = UnionFind::<u32>::new(blocks.len());
        for (at, block) in blocks.iter().enumerate() {
            for &row in block.rows.iter().filter(|&&row| self.integral_of[row].is_some()) {
                for entry in self.problem.incidence.matchable(row).filter(|entry| is_candidate(entry.col)) {
                    groups.union(at as u32, block_of[entry.col]);
                }
            }
        }
        let (mut refused, mut replaceable) = (vec![false; blocks.len()], vec![false; blocks.len()]);
        for (at, block) in blocks.iter().enumerate() {
            let group = groups.find(at as u32) as usize;
            for &col in block.cols.iter().filter(|&&col| is_candidate(col)) {
                let is_preferred = self.wanted(col) >= StateSelect::Prefer;
                refused[group] |= is_preferred && self.is_dummy[col];
                replaceable[group] |= !is_preferred && !self.is_dummy[col];
            }
        }
        let chosen_together = |group: usize| refused[group] && replaceable[group];
        if !(0..blocks.len()).any(chosen_together) {
            return Vec::new();
        }
        let mut together: BTreeMap<usize, Vec<&Block>> = BTreeMap::new();
        let mut all = Vec::new();
        for (at, block) in blocks.iter().enumerate() {
            let group = groups.find(at as u32) as usize;
            if chosen_together(group) {
                together.entry(group).or_default().push(block);
            } else {
                all.push(vec![block]);
            }
        }
        all.extend(together.into_values());
        all
    }

    /// Chooses dummies for differentiated equations, from the highest derivatives down.
    fn choose(&mut self, rows: Vec<Row>, cols: Vec<Col>) -> Result<(), NoStates> {
        if rows.is_empty() {
            return Ok(());
        }
        let mut tasks = vec![Task { rows, cols, follows: None }];
        while let Some(task) = tasks.pop() {
            for part in self.split(task) {
                let choice = self.choose_in(&part)?;
                let integral_row = |&row: &Row| self.integral_of[row].expand().filter(|&r| self.integral_of[r].is_some());
                let chains = self.problem.chains;
                let integral_col = |&col: &Col| chains.integral_of[col].expand().filter(|&c| chains.integral_of[c].is_some());
                let mut rows: Vec<Row> = choice.rows.iter().filter_map(integral_row).collect();
                let mut cols: Vec<Col> = choice.dummies.iter().filter_map(integral_col).collect();
                rows.sort_unstable();
                cols.sort_unstable();
                for &dummy in &choice.dummies {
                    self.is_dummy[dummy] = true;
                }
                if !rows.is_empty() {
                    tasks.push(Task { rows, cols, follows: Some(self.choices.len()) });
                }
                self.choices.push(choice);
            }
        }
        Ok(())
    }

    /// The lines of a task; only columns of the task appear.
    fn lines(&mut self, task: &Task) -> Vec<Line> {
        for (place, &col) in task.cols.iter().enumerate() {
            self.place_of[col] = place as u32 + 1;
        }
        let mut lines = Vec::with_capacity(task.rows.len());
        for &row in &task.rows {
            let inside = |entry: &Entry| match self.place_of[entry.col] {
                0 => None,
                place => Some((place as usize - 1, entry.solvability)),
            };
            lines.push(Line { row, places: self.problem.incidence.matchable(row).filter_map(inside).collect() });
        }
        for &col in &task.cols {
            self.place_of[col] = 0;
        }
        lines
    }

    /// Splits a task into its connected components; columns in no equation are left out.
    fn split(&mut self, task: Task) -> Vec<Task> {
        let lines = self.lines(&task);
        let mut lines_of: Vec<Vec<usize>> = vec![Vec::new(); task.cols.len()];
        for (at, line) in lines.iter().enumerate() {
            for &(place, _) in &line.places {
                lines_of[place].push(at);
            }
        }
        let mut line_seen = vec![false; lines.len()];
        let mut col_seen = vec![false; task.cols.len()];
        let mut parts = Vec::new();
        for start in 0..lines.len() {
            if std::mem::replace(&mut line_seen[start], true) {
                continue;
            }
            let mut part = Task { rows: Vec::new(), cols: Vec::new(), follows: task.follows };
            let mut stack = vec![start];
            while let Some(at) = stack.pop() {
                part.rows.push(lines[at].row);
                for &(place, _) in &lines[at].places {
                    if !std::mem::replace(&mut col_seen[place], true) {
                        part.cols.push(task.cols[place]);
                        for &next in &lines_of[place] {
                            if !std::mem::replace(&mut line_seen[next], true) {
                                stack.push(next);
                            }
                        }
                    }
                }
            }
            part.rows.sort_unstable();
            part.cols.sort_unstable();
            parts.push(part);
        }
        parts
    }

    /// Chooses the dummies of one connected set of equations.
    fn choose_in(&mut self, task: &Task) -> Result<Choice, NoStates> {
        let lines = self.lines(task);
        let depth = task.rows.iter().map(|&row| self.order(row)).max().unwrap_or(0);
        let mut vector_of: Vec<Vec<(usize, Residue)>> = vec![Vec::new(); task.cols.len()];
        let mut best: Vec<Solvability> = vec![Solvability::Forbidden; task.cols.len()];
        for (at, line) in lines.iter().enumerate() {
            for &(place, solvability) in &line.places {
                let col = task.cols[place];
                let value = match (self.problem.coefficient)(line.row, col).and_then(Residue::exact) {
                    Some(value) => value,
                    None => Residue::generic(line.row, col),
                };
                if value != Residue::ZERO {
                    vector_of[place].push((at, value));
                }
                best[place] = best[place].min(solvability);
            }
        }
        let mut order: Vec<usize> = (0..task.cols.len()).collect();
        let cost_of: Vec<_> = (0..task.cols.len()).map(|place| self.cost(task.cols[place], best[place], depth)).collect();
        order.sort_by_key(|&place| (cost_of[place], place));
        let (mut dummies, regular) = match Elimination::run(lines.len(), &vector_of, &order) {
            Ok((kept, without)) if without.is_empty() => (kept.into_iter().map(|place| task.cols[place]).collect(), true),
            Ok((_, without)) => {
                let redundant = without.into_iter().map(|at| lines[at].row).collect();
                return Err(NoStates::Dependent { redundant, rows: task.rows.clone(), cols: task.cols.clone() });
            }
            Err(TooLong) => (self.choose_by_structure(task, &lines, &cost_of)?, false),
        };
        dummies.sort_unstable();
        let mut certainty = if task.cols.len() == task.rows.len() { Certainty::Forced } else { self.certainty(task, &dummies, regular) };
        if certainty == Certainty::Varying
            && let Some(safe) = self.exchange_for_safe(task, &lines, &dummies, &cost_of)
        {
            dummies = safe;
            certainty = Certainty::Safe;
        }
        Ok(Choice { rows: task.rows.clone(), candidates: task.cols.clone(), dummies, follows: task.follows, certainty })
    }

    /// Exchanges one dummy for another candidate that is wanted as a state no more than it, if that makes the choice safe: costs
    /// are of single columns and do not see that `y = if limited then 0 else x` is for ever solvable for `y`, but not for `x`.
    fn exchange_for_safe(&mut self, task: &Task, lines: &[Line], dummies: &[Col], cost_of: &[Cost]) -> Option<Vec<Col>> {
        let n_entries: usize = lines.iter().map(|line| line.places.len()).sum();
        let states: Vec<usize> = (0..task.cols.len()).filter(|&place| dummies.binary_search(&task.cols[place]).is_err()).collect();
        if states.len() * dummies.len() * n_entries > EXCHANGE_BUDGET {
            return None;
        }
        // The dummies that would be the best states come first.
        let mut places: Vec<usize> = (0..task.cols.len()).filter(|place| states.binary_search(place).is_err()).collect();
        places.sort_by_key(|&place| (Reverse(cost_of[place]), place));
        for &place in &places {
            for &state in &states {
                let select = |place: usize| (cost_of[place].0, cost_of[place].1);
                if select(state) > select(place) {
                    continue;
                }
                let mut other: Vec<Col> = dummies.iter().copied().filter(|&col| col != task.cols[place]).collect();
                other.push(task.cols[state]);
                other.sort_unstable();
                if self.certainty(task, &other, false) == Certainty::Safe {
                    return Some(other);
                }
            }
        }
        None
    }

    /// How often an equation was differentiated.
    fn order(&self, row: Row) -> u32 {
        let mut order = 0;
        let mut next = self.integral_of[row].expand();
        while let Some(row) = next {
            order += 1;
            next = self.integral_of[row].expand();
        }
        order
    }

    /// What a derivative costs as a dummy. Its integrals may follow it down to the order of the equations.
    fn cost(&self, col: Col, best: Solvability, depth: u32) -> Cost {
        let mut most = StateSelect::Never;
        let mut least = StateSelect::Always;
        let mut is_differentiated = true;
        let mut is_fixed = false;
        let mut bonus = i32::MIN;
        let mut length = 0;
        let mut next = self.problem.chains.integral_of[col].expand();
        while let Some(col) = next.filter(|_| length < depth) {
            let preference = self.problem.preference[col];
            most = most.max(preference.select);
            least = least.min(preference.select);
            is_differentiated &= preference.is_differentiated;
            is_fixed |= preference.is_fixed;
            bonus = bonus.max(preference.bonus);
            length += 1;
            next = self.problem.chains.integral_of[col].expand();
        }
        (most, least, is_differentiated, is_fixed, best, bonus, Reverse(length))
    }

    /// Chooses dummies that can be matched, the cheapest first: what remains when elimination fills in too much.
    fn choose_by_structure(&self, task: &Task, lines: &[Line], cost_of: &[Cost]) -> Result<Vec<Col>, NoStates> {
        let mut costs = cost_of.to_vec();
        costs.sort_unstable();
        costs.dedup();
        let mut local = Incidence { n_cols: task.cols.len(), ..Incidence::default() };
        for line in lines {
            let nonzero = line.places.iter().filter(|&&(place, _)| (self.problem.coefficient)(line.row, task.cols[place]) != Some(0.0));
            let entry = |&(place, _): &(usize, _)| Entry { col: Col::new(place), solvability: Solvability::Safe };
            local.rows.push(nonzero.map(entry).collect());
        }
        // Matched unknowns stay matched when dearer ones come in, so this is the greedy choice up to equal costs.
        let rank = |entry: &Entry| costs.partition_point(|&cost| cost < cost_of[entry.col.index()]) as u32;
        let matching = maximum_matching(&local, any_entry, rank);
        if matching.size < lines.len() {
            let redundant = matching.unmatched_rows(&local).map(|row| lines[row.index()].row).collect();
            return Err(NoStates::Dependent { redundant, rows: task.rows.clone(), cols: task.cols.clone() });
        }
        Ok(matching.pairs().map(|(_, col)| task.cols[col.index()]).collect())
    }

    /// Whether the chosen dummies stay regular; `regular` says that they are so for the known coefficients.
    fn certainty(&mut self, task: &Task, dummies: &[Col], regular: bool) -> Certainty {
        let chosen = Task { rows: task.rows.clone(), cols: dummies.to_vec(), follows: None };
        let lines = self.lines(&chosen);
        let mut square = Incidence { n_cols: dummies.len(), ..Incidence::default() };
        let mut all_constant = true;
        for line in &lines {
            let constant = |place: usize| (self.problem.coefficient)(line.row, dummies[place]);
            all_constant &= line.places.iter().all(|&(place, _)| constant(place).and_then(Residue::exact).is_some());
            // A coefficient that is zero is no entry.
            let inside = line.places.iter().filter(|&&(place, _)| constant(place) != Some(0.0));
            square.rows.push(inside.map(|&(place, solvability)| Entry { col: Col::new(place), solvability }).collect());
        }
        let matching = maximum_matching(&square, any_entry, by_solvability);
        let blocks = blt::sort(&square, &matching).blocks;
        let solved_safely = |block: &Block| {
            let entry = block.pairs().next().and_then(|(row, col)| square.entry(row, col));
            block.len() == 1 && entry.is_some_and(|entry| entry.solvability == Solvability::Safe)
        };
        if matching.is_perfect(&square) && blocks.iter().all(solved_safely) {
            Certainty::Safe
        } else if all_constant && regular {
            Certainty::Constant
        } else {
            Certainty::Varying
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::matching::tests::safe;
    use super::super::pantelides::tests::{chains, pendulum};
    use super::super::pantelides::{Differentiations, differentiate};
    use super::*;

    fn select(
        reduced: &Differentiations,
        preferences: &[(usize, StateSelect)],
        coefficient: &dyn Fn(Row, Col) -> Option<f64>,
    ) -> Result<StateSelection, NoStates> {
        let mut preference: SecondaryMap<Col, Preference> = SecondaryMap::new();
        for &(col, select) in preferences {
            preference[Col::new(col)].select = select;
        }
        select_states(&StateProblem {
            incidence: &reduced.incidence,
            chains: &reduced.chains,
            derivative_of: &reduced.derivative_of,
            preference: &preference,
            coefficient,
        })
    }

    fn cols(list: &[usize]) -> Vec<Col> {
        list.iter().copied().map(Col::new).collect()
    }

    #[test]
    fn pendulum_has_two_states_and_a_varying_choice() {
        let (incidence, chains) = pendulum();
        let reduced = differentiate(&incidence, &chains).unwrap();
        // x y w z T x' y' w' z' are u0 .. u8; derivatives are worse states than declared variables.
        let preferences = [(5, StateSelect::Avoid), (6, StateSelect::Avoid)];
        let selection = select(&reduced, &preferences, &|_, _| None).unwrap();
        assert_eq!(selection.states, cols(&[1, 3]));
        assert_eq!(selection.dummies.len(), 4);
        assert_eq!(selection.choices[0].certainty, Certainty::Varying);
        assert!(selection.overruled.is_empty());
    }

    #[test]
    fn pendulum_honours_always() {
        let (incidence, chains) = pendulum();
        let reduced = differentiate(&incidence, &chains).unwrap();
        let preferences = [(0, StateSelect::Always), (2, StateSelect::Always), (5, StateSelect::Avoid), (6, StateSelect::Avoid)];
        let selection = select(&reduced, &preferences, &|_, _| None).unwrap();
        assert_eq!(selection.states, cols(&[0, 2]));
        assert!(selection.overruled.is_empty());
    }

    #[test]
    fn impossible_preferences_are_told() {
        // x' = a, y' = a + b, x = y, f(a, b) = 0 over x y a b x' y'; both wanted as states, then neither.
        let incidence = safe(&[&[2, 4], &[2, 3, 5], &[0, 1], &[2, 3]], 6);
        let reduced = differentiate(&incidence, &chains(&[(0, 4), (1, 5)])).unwrap();
        let both = [(0, StateSelect::Always), (1, StateSelect::Always)];
        let selection = select(&reduced, &both, &|_, _| None).unwrap();
        assert_eq!(selection.states.len(), 1);
        assert_eq!(selection.overruled.len(), 1);
        assert_eq!(selection.choices[0].certainty, Certainty::Safe);
        let neither = [(0, StateSelect::Never), (1, StateSelect::Never)];
        assert_eq!(select(&reduced, &neither, &|_, _| None).unwrap().overruled.len(), 1);
    }

    /// Four capacitors: a' = ia, b' = ib, c' = ic, d' = id, a + b + c = source, a + b + d = source, ia = ib,
    /// ia = ic + id over a b c d ia ib ic id a' b' c' d'.
    fn capacitors() -> Differentiations {
        let incidence = safe(&[&[4, 8], &[5, 9], &[6, 10], &[7, 11], &[0, 1, 2], &[0, 1, 3], &[4, 5], &[4, 6, 7]], 12);
        differentiate(&incidence, &chains(&[(0, 8), (1, 9), (2, 10), (3, 11)])).unwrap()
    }

    #[test]
    fn constant_coefficients_refuse_a_singular_choice() {
        let reduced = capacitors();
        // Without coefficients a' and b' look independent, but only an exchange makes the choice safe.
        let structural = select(&reduced, &[], &|_, _| None).unwrap();
        assert_eq!(structural.choices[0].certainty, Certainty::Safe);
        assert_ne!(structural.dummies, cols(&[8, 9]));
        // With their coefficients of one, a' and b' cannot both be dummies.
        let numeric = select(&reduced, &[], &|_, _| Some(1.0)).unwrap();
        assert_eq!(numeric.dummies, cols(&[8, 10]));
        assert_eq!(numeric.choices[0].certainty, Certainty::Safe);
    }

    #[test]
    fn dependent_constraints_are_told() {
        let reduced = capacitors();
        // The second constraint repeats the first one: a + b = ..., twice.
        let repeated = |_: Row, col: Col| Some(if [10, 11].contains(&col.index()) { 0.0 } else { 1.0 });
        assert!(matches!(select(&reduced, &[], &repeated), Err(NoStates::Dependent { redundant, .. }) if redundant.len() == 1));
    }
}
