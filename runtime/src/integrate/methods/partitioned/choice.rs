//! Which states are fast at a step, and whether it pays to solve for these alone.
//!
//! Input: the Jacobian of a step, its factor `c`, the weights of the error norm, what was counted so far. Output: fast states, or why
//! there are none.
//! Method: a slow state is corrected by its own diagonal alone, so an error of the others comes back through it by the part
//! `c*sum|J_ij|*w_i/w_j/|1 - c*J_ii|` in each iteration, of which the largest is the rate of convergence. Sets of fast states for several
//! rates are compared by a model of cost ([`Costs`]).
//! Guarantee: counted are operations, no clock is read: the choice is the same on every machine. Cost: one pass over the Jacobian.

use crate::linear::Work;
use crate::linear::pattern::Pattern;

/// Rates of convergence for which fast states are looked for. The smaller one is, the more states are fast.
pub(super) const RATES: [f64; 3] = [0.02, 0.08, 0.25];
/// The factor of a step may grow by this factor before the rate is reached.
const HEADROOM: f64 = 1.5;
/// What a solution leaves of its first correction.
const SOLVED: f64 = 0.03;
/// Fewer iterations per solution are not expected.
const FEWEST: f64 = 1.15;
/// A slow state is stable by itself at the step, and its diagonal is known well.
const LEAST_DIAGONAL: f64 = 0.5;
/// Operations per state and iteration, and per state and solution, beside evaluations and factors.
const PER_ITERATION: f64 = 4.0;
const PER_SOLUTION: f64 = 12.0;

/// How a model's states act on each other at a step.
#[derive(Debug, Default)]
pub(super) struct Influences {
    /// For each state the sum of the other entries of its row, weighted, and its diagonal.
    rows: Vec<(f64, f64)>,
}

impl Influences {
    /// Takes a Jacobian in a norm.
    pub(super) fn take(&mut self, pattern: &Pattern, jacobian: &[f64], weights: &[f64]) {
        self.rows.clear();
        self.rows.resize(pattern.n_rows, (0.0, 0.0));
        for (column, ends) in pattern.col_starts.windows(2).enumerate() {
            for (row, value) in pattern.rows[ends[0]..ends[1]].iter().zip(&jacobian[ends[0]..ends[1]]) {
                match *row == column {
                    true => self.rows[*row].1 = *value,
                    false => self.rows[*row].0 += value.abs() / weights[column],
                }
            }
        }
        for ((sum, _), weight) in self.rows.iter_mut().zip(weights) {
            *sum *= weight;
        }
    }

    /// Nothing has been taken yet.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The part of an error that comes back through a slow state.
    fn rate(&self, state: usize, c: f64) -> f64 {
        let (sum, diagonal) = self.rows[state];
        match 1.0 - c * diagonal {
            own if own >= LEAST_DIAGONAL => c * sum / own,
            _ => f64::INFINITY,
        }
    }

    /// The states that have to be solved for together if an iteration is to converge at least that well.
    pub(super) fn fast(&self, c: f64, rate: f64) -> Vec<usize> {
        (0..self.rows.len()).filter(|&state| self.rate(state, HEADROOM * c) > rate).collect()
    }

    /// The rate of convergence with these fast states.
    pub(super) fn rate_with(&self, fast: &[usize], c: f64) -> f64 {
        let mut next = fast.iter().peekable();
        let slow = (0..self.rows.len()).filter(|state| next.next_if(|fast| *fast == state).is_none());
        slow.map(|state| self.rate(state, c)).fold(0.0, f64::max)
    }
}

/// What has been counted of solutions with one kind of factors.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Counts {
    pub(super) solutions: f64,
    pub(super) iterations: f64,
    pub(super) factorisations: f64,
}

impl Counts {
    /// Iterations per solution.
    pub(super) fn per_solution(&self) -> f64 {
        self.iterations / self.solutions.max(1.0)
    }
}

/// What a step of a model costs, in operations.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Costs {
    /// Of an evaluation of the derivatives.
    pub(crate) evaluation: f64,
    /// Number of states.
    pub(crate) states: f64,
}

impl Costs {
    /// A solution without its factors.
    fn beside(&self, iterations: f64) -> f64 {
        iterations * (self.evaluation + PER_ITERATION * self.states) + PER_SOLUTION * self.states
    }

    /// Solutions that take so many iterations each.
    pub(crate) fn solution(&self, work: Work, iterations: f64, factorisations: f64) -> f64 {
        self.beside(iterations) + iterations * work.solve + factorisations * work.factor
    }

    /// What solutions with factors of all states have cost, per solution.
    pub(super) fn counted(&self, work: Work, counts: &Counts) -> f64 {
        self.solution(work, counts.per_solution(), counts.factorisations / counts.solutions.max(1.0))
    }

    /// The part of that which the factors are.
    pub(super) fn linear_part(&self, work: Work, counts: &Counts) -> f64 {
        1.0 - self.beside(counts.per_solution()) / self.counted(work, counts)
    }
}

/// The iterations that a rate of convergence lets expect.
pub(super) fn iterations(rate: f64) -> f64 {
    (SOLVED.ln() / rate.clamp(1e-6, 0.9).ln()).max(FEWEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of three: the first is fast, the others follow it slowly.
    fn chain() -> Influences {
        let pattern = Pattern { n_rows: 3, col_starts: vec![0, 2, 4, 5], rows: vec![0, 1, 1, 2, 2] };
        let mut influences = Influences::default();
        influences.take(&pattern, &[-1e4, 0.5, -1.0, 2.0, -1.0], &[1.0, 1.0, 10.0]);
        influences
    }

    #[test]
    fn rows_that_act_back_strongly_are_fast() {
        let influences = chain();
        // The weight of the third state makes its row ten times as strong.
        assert_eq!(influences.fast(0.1, 0.5), [2]);
        assert_eq!(influences.fast(1e-3, 0.5), [0; 0]);
        assert_eq!(influences.fast(1.0, 0.02), [1, 2]);
        assert!((influences.rate_with(&[2], 0.1) - 0.05 / 1.1).abs() < 1e-15);
        assert!((influences.rate_with(&[], 0.1) - 2.0 / 1.1).abs() < 1e-15);
    }

    #[test]
    fn a_state_that_grows_by_itself_within_a_step_is_fast() {
        let pattern = Pattern { n_rows: 1, col_starts: vec![0, 1], rows: vec![0] };
        let mut influences = Influences::default();
        influences.take(&pattern, &[5.0], &[1.0]);
        assert_eq!(influences.fast(0.1, 0.1), [0]);
        assert_eq!(influences.fast(0.01, 0.1), [0; 0]);
    }

    #[test]
    fn better_rates_take_fewer_iterations() {
        assert_eq!(iterations(1e-9), FEWEST);
        assert!(iterations(0.25) > 2.5 && iterations(0.25) < 2.6);
        let costs = Costs { evaluation: 100.0, states: 10.0 };
        let counts = Counts { solutions: 10.0, iterations: 20.0, factorisations: 1.0 };
        let work = Work { factor: 1000.0, solve: 200.0 };
        assert_eq!(costs.counted(work, &counts), 2.0 * 140.0 + 120.0 + 400.0 + 100.0);
        assert!((costs.linear_part(work, &counts) - 500.0 / 900.0).abs() < 1e-15);
    }
}
