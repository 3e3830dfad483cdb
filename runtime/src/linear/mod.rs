//! Linear systems: the Newton matrix `I - gamma*J` of an implicit method, dense or sparse.
//!
//! [`Linear`] chooses once per pattern: dense for small or nearly full matrices, substitution for triangular ones, sparse otherwise.
#![forbid(unsafe_code)]

pub mod balancing;
pub(crate) mod colouring;
pub mod dense;
pub mod pattern;
pub mod sparse;
pub mod triangular;

use crate::linear::pattern::Pattern;
use dense::{DenseLu, Singular};
use sparse::SparseLu;
use triangular::Triangular;

/// Matrices up to this size are dense.
pub(crate) const DENSE_SIZE: usize = 20;
/// Matrices whose factors would fill more than this part are dense.
const DENSE_PART: f64 = 0.3;

/// Operations per entry of a dense matrix or of a row that is taken together with others: loops over neighbours.
const NEAR: f64 = 0.5;
/// Operations per entry that is found by an index.
const FAR: f64 = 3.0;

/// What factors cost, counted in operations of a loop over neighbouring values.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Work {
    /// Of a factorisation.
    pub factor: f64,
    /// Of a solution with the factors.
    pub solve: f64,
}

/// The factorised matrix `I - gamma*J` over a fixed pattern of `J`.
#[derive(Debug)]
pub struct Linear {
    /// Where each entry of `J` lies in the matrix.
    places: Vec<usize>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Dense(DenseLu),
    Triangular(Triangular),
    Sparse {
        lu: Box<SparseLu>,
        /// The matrix.
        values: Vec<f64>,
        /// Where the diagonal lies in `values`.
        diagonal: Vec<usize>,
    },
}

impl Linear {
    /// Workspace for matrices with this pattern, which must be square.
    pub fn new(pattern: &Pattern) -> Linear {
        let n = pattern.n_rows;
        if n > DENSE_SIZE {
            if let Some(triangular) = Triangular::new(pattern) {
                return Linear { places: Vec::new(), kind: Kind::Triangular(triangular) };
            }
            let sparse = Linear::sparse(pattern);
            if let Kind::Sparse { lu, .. } = &sparse.kind
                && (lu.entries() as f64) < DENSE_PART * (n as f64) * (n as f64)
            {
                return sparse;
            }
        }
        Linear::dense(pattern)
    }

    /// Dense whatever the pattern.
    pub fn dense(pattern: &Pattern) -> Linear {
        let n = pattern.n_rows;
        let mut places = Vec::with_capacity(pattern.rows.len());
        for j in 0..n {
            places.extend(pattern.rows[pattern.col_starts[j]..pattern.col_starts[j + 1]].iter().map(|row| j * n + row));
        }
        Linear { places, kind: Kind::Dense(DenseLu::new(n)) }
    }

    /// Sparse whatever the pattern.
    pub fn sparse(pattern: &Pattern) -> Linear {
        let n = pattern.n_rows;
        // The pattern with its diagonal.
        let mut starts = Vec::with_capacity(n + 1);
        let mut rows = Vec::with_capacity(pattern.rows.len() + n);
        let mut places = Vec::with_capacity(pattern.rows.len());
        let mut diagonal = Vec::with_capacity(n);
        starts.push(0);
        for j in 0..n {
            let column = &pattern.rows[pattern.col_starts[j]..pattern.col_starts[j + 1]];
            let above = column.partition_point(|row| *row < j);
            for row in &column[..above] {
                places.push(rows.len());
                rows.push(*row);
            }
            diagonal.push(rows.len());
            rows.push(j);
            let mut rest = &column[above..];
            if rest.first() == Some(&j) {
                places.push(rows.len() - 1);
                rest = &rest[1..];
            }
            for row in rest {
                places.push(rows.len());
                rows.push(*row);
            }
            starts.push(rows.len());
        }
        let lu = Box::new(SparseLu::new(&starts, &rows));
        Linear { places, kind: Kind::Sparse { lu, values: vec![0.0; rows.len()], diagonal } }
    }

    /// What factors and solutions cost, equal on every machine.
    pub fn work(&self) -> Work {
        match &self.kind {
            Kind::Dense(lu) => {
                let n = lu.n() as f64;
                Work { factor: NEAR * (2.0 / 3.0 * n + 2.0) * n * n, solve: NEAR * 2.0 * n * n }
            }
            Kind::Triangular(matrix) => {
                let (rows, entries, chained) = matrix.counts();
                Work { factor: FAR * (rows + entries), solve: FAR * (rows + entries - 2.0 * chained) + 4.0 * NEAR * chained }
            }
            Kind::Sparse { lu, values, .. } => {
                Work { factor: FAR * (lu.operations() + lu.entries() as f64 + values.len() as f64), solve: FAR * lu.entries() as f64 }
            }
        }
    }

    /// Whether the factors are sparse.
    pub fn is_sparse(&self) -> bool {
        matches!(self.kind, Kind::Sparse { .. })
    }

    /// Factorises `I - gamma*J`; `jacobian` are the entries of `J` in the order of the pattern.
    pub fn factor(&mut self, gamma: f64, jacobian: &[f64]) -> Result<(), Singular> {
        match &mut self.kind {
            Kind::Dense(lu) => {
                let n = lu.n();
                let matrix = lu.matrix_mut();
                matrix.fill(0.0);
                for j in 0..n {
                    matrix[j * (n + 1)] = 1.0;
                }
                for (place, value) in self.places.iter().zip(jacobian) {
                    matrix[*place] -= gamma * value;
                }
                lu.factor_in_place()
            }
            Kind::Triangular(matrix) => matrix.factor(gamma, jacobian),
            Kind::Sparse { lu, values, diagonal } => {
                values.fill(0.0);
                for place in diagonal.iter() {
                    values[*place] = 1.0;
                }
                for (place, value) in self.places.iter().zip(jacobian) {
                    values[*place] -= gamma * value;
                }
                lu.factor(values)
            }
        }
    }

    /// Replaces `b` by the solution of `(I - gamma*J)*x = b`.
    pub fn solve(&mut self, b: &mut [f64]) {
        match &mut self.kind {
            Kind::Dense(lu) => lu.solve(b),
            Kind::Triangular(matrix) => matrix.solve(b),
            Kind::Sparse { lu, .. } => lu.solve(b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_and_sparse_agree_on_a_newton_matrix() {
        // A chain of 40: entries left and right of the diagonal, the diagonal itself only for even columns.
        let n = 40;
        let mut pattern = Pattern { n_rows: n, col_starts: vec![0], rows: Vec::new() };
        for j in 0..n {
            if j > 0 {
                pattern.rows.push(j - 1);
            }
            if j % 2 == 0 {
                pattern.rows.push(j);
            }
            if j + 1 < n {
                pattern.rows.push(j + 1);
            }
            pattern.col_starts.push(pattern.rows.len());
        }
        let jacobian: Vec<f64> = (0..pattern.rows.len()).map(|k| ((k * 7919) % 23) as f64 - 11.5).collect();
        let b: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        let mut sparse = Linear::new(&pattern);
        assert!(sparse.is_sparse());
        let mut dense = Linear::dense(&pattern);
        for gamma in [1e-3, 0.1, 10.0] {
            let (mut x, mut y) = (b.clone(), b.clone());
            sparse.factor(gamma, &jacobian).unwrap();
            sparse.solve(&mut x);
            dense.factor(gamma, &jacobian).unwrap();
            dense.solve(&mut y);
            for (x, y) in x.iter().zip(&y) {
                assert!((x - y).abs() < 1e-10, "{x} {y}");
            }
        }
    }
}
