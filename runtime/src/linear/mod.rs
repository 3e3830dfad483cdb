//! Linear systems: the Newton matrix `I - gamma*J` of an implicit method, dense or sparse.
//!
//! [`Linear`] chooses once per pattern: dense for small or nearly full matrices, sparse otherwise.

pub mod dense;

use crate::plan::Pattern;
use dense::{DenseLu, Singular};

/// The factorised matrix `I - gamma*J` over a fixed pattern of `J`.
#[derive(Debug)]
pub enum Linear {
    /// Small or nearly full.
    Dense {
        /// The pattern of `J`.
        pattern: Pattern,
        /// The factors.
        lu: DenseLu,
    },
}

impl Linear {
    /// Room for matrices with this pattern, which must be square.
    pub fn new(pattern: &Pattern) -> Linear {
        Linear::Dense { pattern: pattern.clone(), lu: DenseLu::new(pattern.n_rows) }
    }

    /// Factorises `I - gamma*J`; `values` are the entries of `J` in the order of the pattern.
    pub fn factor(&mut self, gamma: f64, values: &[f64]) -> Result<(), Singular> {
        match self {
            Linear::Dense { pattern, lu } => {
                let n = pattern.n_rows;
                let matrix = lu.matrix_mut();
                matrix.fill(0.0);
                for j in 0..n {
                    let column = &mut matrix[j * n..(j + 1) * n];
                    column[j] = 1.0;
                    for k in pattern.col_starts[j]..pattern.col_starts[j + 1] {
                        column[pattern.rows[k]] -= gamma * values[k];
                    }
                }
                lu.factor_in_place()
            }
        }
    }

    /// Replaces `b` by the solution of `(I - gamma*J)*x = b`.
    pub fn solve(&mut self, b: &mut [f64]) {
        match self {
            Linear::Dense { lu, .. } => lu.solve(b),
        }
    }
}
