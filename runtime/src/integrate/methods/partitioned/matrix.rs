//! The Newton matrix `I - c*J` without what little the rows of slow states have beside their diagonals.
//!
//! Input: the pattern of `J` and its fast states. Output: solutions with
//!
//! ```text
//!     [ I - c*diag(J_ss)      0      ]
//!     [     -c*J_fs       I - c*J_ff ]
//! ```
//!
//! Method: slow states are divided by their diagonals, what they do to the fast ones is taken off these, and only the fast block is
//! factorised (block Gauss-Seidel). Guarantee: exact for the rows of fast states; a diagonal that vanishes is an error that names its
//! column. Cost: the factors of the fast block, and one operation per other entry that is kept; nothing is allocated by `factor` or `solve`.

use crate::base::simd::update;
use crate::linear::dense::Singular;
use crate::linear::pattern::Pattern;
use crate::linear::{Linear, Work};
use crate::model::gather::GatherScatterMap;

/// Operations per entry by which a slow state enters the row of a fast one.
const COUPLED: f64 = 3.0;

/// The matrix.
#[derive(Debug)]
pub(crate) struct BlockMatrix {
    /// The fast states, and where they lie among all.
    fast: Vec<usize>,
    places: GatherScatterMap,
    /// The slow states and where their diagonals lie in `J`, if they do.
    slow: Vec<(u32, Option<u32>)>,
    /// For every state the reciprocal of its diagonal; 1 for fast ones.
    pivots: Vec<f64>,
    /// How slow states enter the rows of fast ones.
    couplings: Vec<Coupling>,
    block: Linear,
    /// Where the entries of the block lie in `J`, and their values.
    sources: GatherScatterMap,
    entries: Vec<f64>,
    right: Vec<f64>,
}

/// An entry of a fast row and a slow column.
#[derive(Debug)]
struct Coupling {
    /// Position among the fast states.
    row: u32,
    column: u32,
    /// Where it lies in `J`.
    source: u32,
    /// `c` times its value.
    value: f64,
}

impl BlockMatrix {
    /// The matrix over a square pattern for these fast states, which ascend.
    pub(crate) fn new(pattern: &Pattern, fast: Vec<usize>) -> BlockMatrix {
        let n = pattern.n_rows;
        let mut position: Vec<Option<u32>> = vec![None; n];
        fast.iter().enumerate().for_each(|(at, &state)| position[state] = Some(at as u32));
        let (mut slow, mut couplings, mut sources) = (Vec::new(), Vec::new(), Vec::new());
        for column in 0..n {
            let is_slow = position[column].is_none();
            let mut own = None;
            for source in pattern.col_starts[column]..pattern.col_starts[column + 1] {
                let row = pattern.rows[source];
                match position[row] {
                    Some(row) if is_slow => couplings.push(Coupling { row, column: column as u32, source: source as u32, value: 0.0 }),
                    Some(_) => sources.push(source),
                    None if row == column => own = Some(source as u32),
                    None => {}
                }
            }
            if is_slow {
                slow.push((column as u32, own));
            }
        }
        couplings.sort_by_key(|coupling| coupling.row);
        BlockMatrix {
            block: Linear::new(&pattern.restricted(&fast)),
            places: GatherScatterMap::new(fast.clone()),
            entries: vec![0.0; sources.len()],
            sources: GatherScatterMap::new(sources),
            right: vec![0.0; fast.len()],
            pivots: vec![1.0; n],
            fast,
            slow,
            couplings,
        }
    }

    /// The fast states, ascending.
    pub(crate) fn fast(&self) -> &[usize] {
        &self.fast
    }

    /// What factors and solutions cost.
    pub(crate) fn work(&self) -> Work {
        let Work { factor, solve } = self.block.work();
        let beside = self.pivots.len() as f64 + COUPLED * self.couplings.len() as f64;
        let copied = 2.0 * self.fast.len() as f64;
        Work { factor: factor + beside + self.entries.len() as f64 + self.slow.len() as f64, solve: solve + beside + copied }
    }

    /// Takes `I - c*J`; `jacobian` are the entries of `J`.
    pub(crate) fn factor(&mut self, c: f64, jacobian: &[f64]) -> Result<(), Singular> {
        for &(state, own) in &self.slow {
            let pivot = 1.0 / own.map_or(1.0, |own| 1.0 - c * jacobian[own as usize]);
            if !pivot.is_finite() {
                return Err(Singular { column: state as usize });
            }
            self.pivots[state as usize] = pivot;
        }
        for coupling in &mut self.couplings {
            coupling.value = c * jacobian[coupling.source as usize];
        }
        self.sources.take(jacobian, &mut self.entries);
        self.block.factor(c, &self.entries).map_err(|Singular { column }| Singular { column: self.fast[column] })
    }

    /// Replaces `b` by the solution.
    pub(crate) fn solve(&mut self, b: &mut [f64]) {
        if !self.slow.is_empty() {
            update(b, [&self.pivots], |b, [pivot]| b * pivot);
        }
        if self.fast.is_empty() {
            return;
        }
        self.places.take(b, &mut self.right);
        for coupling in &self.couplings {
            self.right[coupling.row as usize] += coupling.value * b[coupling.column as usize];
        }
        self.block.solve(&mut self.right);
        self.places.put(&self.right, b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring of 60 states, each of which needs the next one and the one seven places before it.
    fn ring() -> (Pattern, Vec<f64>) {
        let n = 60;
        let mut pattern = Pattern { n_rows: n, col_starts: vec![0], rows: Vec::new() };
        for column in 0..n {
            let mut rows = vec![column, (column + 7) % n, (column + n - 1) % n];
            rows.sort_unstable();
            pattern.rows.extend(rows);
            pattern.col_starts.push(pattern.rows.len());
        }
        let jacobian = (0..pattern.rows.len()).map(|entry| (entry as f64).sin() - 0.4).collect();
        (pattern, jacobian)
    }

    /// What the matrix is meant to be, times `x`.
    fn product(pattern: &Pattern, jacobian: &[f64], is_fast: &[bool], x: &[f64]) -> Vec<f64> {
        let mut product = x.to_vec();
        for column in 0..pattern.n_rows {
            for entry in pattern.col_starts[column]..pattern.col_starts[column + 1] {
                let row = pattern.rows[entry];
                if is_fast[row] || row == column {
                    product[row] -= 0.3 * jacobian[entry] * x[column];
                }
            }
        }
        product
    }

    #[test]
    fn rows_of_fast_states_are_exact_and_others_diagonal() {
        let (pattern, jacobian) = ring();
        let n = pattern.n_rows;
        for every in [1, 2, 3, 7, 1000] {
            let is_fast: Vec<bool> = (0..n).map(|state| state % every == 1 % every).collect();
            let fast = (0..n).filter(|&state| is_fast[state]).collect();
            let mut matrix = BlockMatrix::new(&pattern, fast);
            matrix.factor(0.3, &jacobian).unwrap();
            let b: Vec<f64> = (0..n).map(|row| (row as f64).cos()).collect();
            let mut x = b.clone();
            matrix.solve(&mut x);
            let product = product(&pattern, &jacobian, &is_fast, &x);
            assert!(product.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-12), "every {every}: {product:?}");
        }
    }

    #[test]
    fn a_diagonal_that_vanishes_is_refused_by_its_state() {
        let pattern = Pattern { n_rows: 3, col_starts: vec![0, 1, 2, 3], rows: vec![0, 1, 2] };
        for fast in [vec![], vec![1], vec![0, 2]] {
            let mut matrix = BlockMatrix::new(&pattern, fast);
            assert_eq!(matrix.factor(0.5, &[-1.0, 2.0, -1.0]), Err(Singular { column: 1 }));
            assert_eq!(matrix.factor(0.25, &[-1.0, 2.0, -1.0]), Ok(()));
        }
    }
}
