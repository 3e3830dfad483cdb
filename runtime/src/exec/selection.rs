//! Chooses states anew where the constraints between candidates no longer determine the rest well.
//!
//! Input: a point at which all candidates of the plan's state sets have consistent values. Output: which candidates are states.
//!
//! Method: with dummies `d`, states `s` and the constraints `g(d, s) = 0`, the matrix `M = -(dg/dd)^-1 dg/ds` tells how fast
//! dummies change with states. Exchanging dummy i for state j multiplies the determinant of `dg/dd` by `M[i][j]`, so entries
//! much larger than one mean that a better choice is near; a singular choice has infinite ones. Above `EXCHANGE_ABOVE` pairs are
//! exchanged, the largest entry first, until no entry exceeds one by more than a little: a submatrix of locally maximal volume
//! (Goreinov and Tyrtyshnikov, "The maximal-volume concept in approximation by low-rank matrices", 2001). A singular choice is
//! replaced by elimination with complete pivoting. The gap between both bounds keeps a choice from changing back at once.
//!
//! A choice changes only which slots are integrated and which are solved for: plans of all choices share their code, and
//! each is made once per run. Guarantee: values do not change; without a regular choice the old one stays and the solver of
//! the block says what is wrong. Cost: at every accepted step one tangent per unknown and state of the sets' blocks.

use crate::base::error::{EvalFailure, RunError};
use crate::exec::instance::Instance;
use crate::exec::tables::Compiled;
use crate::model::plan::DynamicStateSet;
use cranelift_entity::EntityRef;

/// Dummies that change faster than this with a state cause another choice.
const EXCHANGE_ABOVE: f64 = 1.5;
/// No exchange below this.
const GOOD: f64 = 1.05;
/// Pivots below this part of the largest are zero.
const SINGULAR: f64 = 1e-10;

/// The slopes of the residuals of a set's block: dense, by columns.
pub(crate) struct BlockJacobian {
    n_rows: usize,
    /// Unknowns of the block that are no candidates.
    others: Vec<Vec<f64>>,
    /// All candidates, in the order of the set, scaled by their nominal sizes.
    candidates: Vec<Vec<f64>>,
}

impl Instance {
    /// Chooses states for the values in the memory, where the present choice is bad. Tells whether states changed, which
    /// then are in `x`.
    pub(crate) fn choose_states(&mut self, x: &mut [f64]) -> Result<bool, RunError> {
        let compiled = self.compiled.clone();
        if compiled.plan.state_sets.is_empty() {
            return Ok(false);
        }
        let mut choice = self.variants.choice().clone();
        let mut changed = false;
        for (set, chosen) in compiled.plan.state_sets.iter().zip(&mut choice) {
            // Where there is no slope there is nothing to choose by.
            let Ok(block_jacobian) = self.block_jacobian(&compiled, set) else { continue };
            changed |= block_jacobian.improve(chosen);
        }
        if !changed {
            return Ok(false);
        }
        self.compiled = self.variants.turn_to(choice)?;
        self.machine.statistics.state_choices += 1;
        self.machine.seeds.fill(0.0);
        self.machine.dirty = None;
        self.point.valid = false;
        self.forget_blocks();
        let plan = &self.compiled.plan;
        for (value, state) in x.iter_mut().zip(&plan.states) {
            *value = self.machine.get(state.slot);
        }
        Ok(true)
    }

    /// Goes back to the choice of the plan as compiled.
    pub(crate) fn forget_choice(&mut self) {
        self.variants.present = 0;
        self.variants.can_translate = false;
        self.compiled = self.variants.first().clone();
        self.forget_blocks();
    }

    /// What blocks remember belongs to the unknowns of one choice.
    pub(crate) fn forget_blocks(&mut self) {
        for &block in self.compiled.plan.state_sets.iter().flat_map(|set| &set.blocks) {
            self.machine.blocks[block] = None;
        }
    }

    /// The states of the present choice at a point of the past, from those of the choice before.
    pub(crate) fn translate_states(&mut self, t: f64, before: &[f64], now: &mut [f64]) -> Result<bool, EvalFailure> {
        if !self.variants.can_translate {
            return Ok(false);
        }
        let present = self.compiled.clone();
        self.compiled = self.variants.list[self.variants.before].1.clone();
        self.point.valid = false;
        self.forget_blocks();
        let result = self.evaluate(t, before);
        self.compiled = present;
        self.point.valid = false;
        self.forget_blocks();
        for (value, state) in now.iter_mut().zip(&self.compiled.plan.states) {
            *value = self.machine.get(state.slot);
        }
        result.map(|()| true)
    }

    pub(crate) fn block_jacobian(&mut self, compiled: &Compiled, set: &DynamicStateSet) -> Result<BlockJacobian, EvalFailure> {
        let Some(&id) = set.blocks.first() else {
            return Err(EvalFailure::new("internal error: a state set without a block; this is a bug"));
        };
        let block = &compiled.plan.blocks[id];
        let is_candidate = |slot| set.candidates.iter().any(|candidate| candidate.slot == slot);
        let others = block.unknowns.iter().copied().zip(block.declared.iter().copied()).filter(|(slot, _)| !is_candidate(*slot));
        let candidates = set.candidates.iter().map(|candidate| (candidate.slot, candidate.declared));
        let n_others = others.clone().count();
        let mut columns = Vec::new();
        let mut result = Ok(());
        for (slot, declared) in others.chain(candidates) {
            self.tangents[slot.index()] = declared.size();
            self.machine.statistics.tangent_evaluations += 1;
            result = self.machine.run_kernel_into(compiled, block.tangent, &mut self.tangents);
            self.tangents[slot.index()] = 0.0;
            if result.is_err() {
                break;
            }
            columns.push(block.residuals.iter().map(|residual| self.tangents[residual.index()]).collect::<Vec<f64>>());
        }
        self.tangents.fill(0.0);
        result?;
        if columns.iter().flatten().any(|value| !value.is_finite()) {
            return Err(EvalFailure::new("a slope of a constraint is not finite"));
        }
        let candidates = columns.split_off(n_others);
        Ok(BlockJacobian { n_rows: block.residuals.len(), others: columns, candidates })
    }
}

impl BlockJacobian {
    /// Exchanges states for dummies until the constraints determine the dummies well; whether there was a change.
    fn improve(&self, states: &mut [usize]) -> bool {
        let n = self.candidates.len();
        let dummies_of = |states: &[usize]| (0..n).filter(|candidate| !states.contains(candidate)).collect::<Vec<usize>>();
        let mut chosen = states.to_vec();
        let mut dummies = dummies_of(&chosen);
        let mut matrix = match self.sensitivities(&dummies, &chosen) {
            Some(matrix) if largest(&matrix).2 <= EXCHANGE_ABOVE => return false,
            Some(matrix) => matrix,
            None => {
                let Some(pivots) = self.pivots() else { return false };
                // States that stay keep their places.
                let is_dummy = |candidate: &usize| pivots.contains(candidate);
                let mut free =
                    (0..n).filter(|candidate| !is_dummy(candidate) && !states.contains(candidate)).collect::<Vec<_>>().into_iter();
                for state in chosen.iter_mut().filter(|state| is_dummy(state)) {
                    *state = free.next().unwrap_or(*state);
                }
                dummies = dummies_of(&chosen);
                match self.sensitivities(&dummies, &chosen) {
                    Some(matrix) => matrix,
                    None => return false,
                }
            }
        };
        // Every exchange makes the determinant larger by at least `GOOD`; the bound is for rounding errors.
        for _ in 0..20 * n {
            let (i, j, size) = largest(&matrix);
            if size <= GOOD {
                break;
            }
            exchange(&mut matrix, i, j);
            std::mem::swap(&mut dummies[i], &mut chosen[j]);
        }
        let changed = chosen.as_slice() != states;
        states.copy_from_slice(&chosen);
        changed
    }

    /// `-(dg/dd)^-1 dg/ds` for the dummies by rows, or nothing if the dummies are not determined.
    fn sensitivities(&self, dummies: &[usize], states: &[usize]) -> Option<Vec<Vec<f64>>> {
        let n_fixed = self.others.len();
        let unknowns: Vec<&Vec<f64>> = self.others.iter().chain(dummies.iter().map(|&d| &self.candidates[d])).collect();
        if unknowns.len() != self.n_rows {
            return None;
        }
        let n = self.n_rows;
        // Rows of [dg/dd | -dg/ds], to be reduced to [1 | M].
        let mut rows: Vec<Vec<f64>> = (0..n)
            .map(|row| unknowns.iter().map(|column| column[row]).chain(states.iter().map(|&s| -self.candidates[s][row])).collect())
            .collect();
        scale_rows(&mut rows);
        let mut done = vec![false; n];
        let mut row_of = vec![0; n];
        for column in 0..n {
            let (pivot, size) =
                (0..n).filter(|&row| !done[row]).map(|row| (row, rows[row][column].abs())).max_by(|a, b| a.1.total_cmp(&b.1))?;
            if size <= SINGULAR {
                return None;
            }
            done[pivot] = true;
            row_of[column] = pivot;
            reduce(&mut rows, pivot, column);
        }
        Some((n_fixed..n).map(|column| rows[row_of[column]][n..].to_vec()).collect())
    }

    /// Candidates that the constraints determine, found by complete pivoting after the other unknowns are eliminated.
    fn pivots(&self) -> Option<Vec<usize>> {
        let n_others = self.others.len();
        let mut rows: Vec<Vec<f64>> =
            (0..self.n_rows).map(|row| self.others.iter().chain(&self.candidates).map(|column| column[row]).collect()).collect();
        scale_rows(&mut rows);
        let n_columns = n_others + self.candidates.len();
        let mut row_done = vec![false; self.n_rows];
        let mut column_done = vec![false; n_columns];
        let mut found = Vec::new();
        for step in 0..self.n_rows {
            let columns = if step < n_others { 0..n_others } else { n_others..n_columns };
            let open = columns.filter(|&column| !column_done[column]).flat_map(|column| (0..self.n_rows).map(move |row| (row, column)));
            let open = open.filter(|&(row, _)| !row_done[row]);
            let (row, column) = open.max_by(|a, b| rows[a.0][a.1].abs().total_cmp(&rows[b.0][b.1].abs()))?;
            if rows[row][column].abs() <= SINGULAR {
                return None;
            }
            row_done[row] = true;
            column_done[column] = true;
            reduce(&mut rows, row, column);
            if column >= n_others {
                found.push(column - n_others);
            }
        }
        Some(found)
    }
}

/// Makes the largest entry of every row one.
fn scale_rows(rows: &mut [Vec<f64>]) {
    for row in rows {
        let size = row.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        if size > 0.0 {
            row.iter_mut().for_each(|value| *value /= size);
        }
    }
}

/// Makes a column zero except for a one in the pivot's row.
fn reduce(rows: &mut [Vec<f64>], pivot: usize, column: usize) {
    let scale = rows[pivot][column];
    rows[pivot].iter_mut().for_each(|value| *value /= scale);
    let own = rows[pivot].clone();
    for (at, row) in rows.iter_mut().enumerate() {
        let factor = row[column];
        if at != pivot && factor != 0.0 {
            row.iter_mut().zip(&own).for_each(|(value, own)| *value -= factor * own);
        }
    }
}

/// Row, column and size of the largest entry.
fn largest(matrix: &[Vec<f64>]) -> (usize, usize, f64) {
    let entries = matrix.iter().enumerate().flat_map(|(i, row)| row.iter().enumerate().map(move |(j, value)| (i, j, value.abs())));
    entries.max_by(|a, b| a.2.total_cmp(&b.2).then((b.0, b.1).cmp(&(a.0, a.1)))).unwrap_or((0, 0, 0.0))
}

/// Makes dummy i a state and state j a dummy.
fn exchange(matrix: &mut [Vec<f64>], i: usize, j: usize) {
    let pivot = matrix[i][j];
    let own = matrix[i].clone();
    for (k, row) in matrix.iter_mut().enumerate() {
        if k == i {
            for (l, value) in row.iter_mut().enumerate() {
                *value = if l == j { 1.0 / pivot } else { -*value / pivot };
            }
        } else {
            let factor = row[j] / pivot;
            for (l, value) in row.iter_mut().enumerate() {
                *value = if l == j { factor } else { *value - factor * own[l] };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steep_coordinate_of_a_circle_becomes_the_dummy() {
        // g = x^2 + y^2 - 1 near x = 1: dg = (2, 0.2); y must be the state.
        let block_jacobian = BlockJacobian { n_rows: 1, others: Vec::new(), candidates: vec![vec![2.0], vec![0.2]] };
        let mut states = [0];
        assert!(block_jacobian.improve(&mut states));
        assert_eq!(states, [1]);
        assert!(!block_jacobian.improve(&mut states));
        // A singular choice is left, a singular constraint leaves the choice as it is.
        let singular = BlockJacobian { n_rows: 1, others: Vec::new(), candidates: vec![vec![0.0], vec![1.0]] };
        let mut states = [1];
        assert!(singular.improve(&mut states));
        assert_eq!(states, [0]);
        let none = BlockJacobian { n_rows: 1, others: Vec::new(), candidates: vec![vec![0.0], vec![0.0]] };
        assert!(!none.improve(&mut states));
    }

    #[test]
    fn exchanges_agree_with_solving_again() {
        // Two constraints between an unknown that is no candidate and four candidates.
        let block_jacobian = BlockJacobian {
            n_rows: 3,
            others: vec![vec![1.0, 0.5, -0.25]],
            candidates: vec![vec![0.1, 0.02, 0.3], vec![0.05, 0.1, -0.2], vec![1.0, 2.0, 0.7], vec![-0.4, 3.0, 1.5]],
        };
        let mut states = vec![2, 3];
        assert!(block_jacobian.improve(&mut states));
        let dummies: Vec<usize> = (0..4).filter(|c| !states.contains(c)).collect();
        let matrix = block_jacobian.sensitivities(&dummies, &states).unwrap();
        assert!(largest(&matrix).2 <= GOOD + 1e-12, "{matrix:?}");
    }
}
