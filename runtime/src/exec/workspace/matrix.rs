//! The Jacobian of a block: values over a pattern, scaled and factorised.
//!
//! Input: columns by colours, and the sizes of the unknowns. Output: solutions of `J*x = b`.
//!
//! Method: rows and columns are scaled by powers of two, which rounds nothing, so that the largest entry of each is about one;
//! then dense or sparse LU, whichever is cheaper for the pattern.
//! Guarantees: a matrix that is singular to working precision is an error. Nothing is allocated after `new`, except when a
//! sparse factorisation has to choose new pivots.

use crate::linear::colouring::Colouring;
use crate::linear::dense::DenseLu;
use crate::linear::sparse::SparseLu;
use crate::model::plan::Pattern;

/// Up to this size factors are dense.
const DENSE_SIZE: usize = 20;
/// Factors that fill more than this part of the matrix are dense.
const DENSE_PART: f64 = 0.3;
/// Below this ratio of pivots a scaled matrix is singular.
const SINGULAR_PIVOTS: f64 = 4.0 * f64::EPSILON;
/// Pivots of a scaled matrix below this are zero when unknowns that are not determined are looked for.
const FREE_PIVOT: f64 = 1e-12;
/// A scaled matrix whose inverse magnifies more than this is singular.
const SINGULAR_GROWTH: f64 = 1e15;

/// Why a matrix is singular.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Defect {
    /// A row of zeros.
    EmptyRow { row: usize },
    /// A column of zeros.
    EmptyColumn { column: usize },
    /// This column depends on others.
    Dependent { column: usize },
}

/// A square matrix with a fixed pattern and its factors.
pub(crate) struct BlockMatrix {
    pattern: Pattern,
    colouring: Colouring,
    values: Vec<f64>,
    /// What rows are multiplied by. Powers of two, as all scales: their reciprocals are exact, and cheaper than divisions.
    row_scale: Vec<f64>,
    /// Size of the unknown over the scale of its column.
    col_scale: Vec<f64>,
    factors: Factors,
    factored: bool,
    /// Workspace for sums by rows.
    sums: Vec<f64>,
    products: Vec<f64>,
}

enum Factors {
    Dense(DenseLu),
    Sparse { lu: Box<SparseLu>, scaled: Vec<f64> },
}

/// The largest of non-negative numbers; not a number if one of them is not.
pub(crate) fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |a: f64, b| if b > a || b.is_nan() { b } else { a })
}

/// The power of two just below a positive number: scaling by it rounds nothing.
fn power_of_two(value: f64) -> f64 {
    let power = f64::from_bits(value.to_bits() & 0x7ff0_0000_0000_0000);
    if power.is_finite() && power > 0.0 { power } else { 1.0 }
}

/// A fixed direction with no zero and no regularity, for comparing matrices.
pub(crate) fn direction(j: usize) -> f64 {
    // A multiplicative hash of the index (golden ratio) gives numbers spread over 0.5 to 1.5.
    let hash = (j as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    0.5 + (hash >> 11) as f64 / (1u64 << 53) as f64
}

impl BlockMatrix {
    /// Workspace for a matrix of `n` rows and columns; full if no pattern is given.
    pub(crate) fn new(n: usize, pattern: Option<&Pattern>) -> BlockMatrix {
        let full = || Pattern { n_rows: n, col_starts: (0..=n).map(|j| j * n).collect(), rows: (0..n * n).map(|k| k % n).collect() };
        let pattern = pattern.cloned().unwrap_or_else(full);
        let mut factors = None;
        if n > DENSE_SIZE && (pattern.rows.len() as f64) < DENSE_PART * (n * n) as f64 {
            let lu = Box::new(SparseLu::new(&pattern.col_starts, &pattern.rows));
            if (lu.entries() as f64) < DENSE_PART * (n * n) as f64 {
                factors = Some(Factors::Sparse { lu, scaled: vec![0.0; pattern.rows.len()] });
            }
        }
        BlockMatrix {
            colouring: Colouring::new(&pattern),
            values: vec![0.0; pattern.rows.len()],
            pattern,
            row_scale: vec![1.0; n],
            col_scale: vec![1.0; n],
            factors: factors.unwrap_or_else(|| Factors::Dense(DenseLu::new(n))),
            factored: false,
            sums: vec![0.0; n],
            products: vec![0.0; n],
        }
    }

    /// The number of groups of columns that are filled together.
    pub(crate) fn n_colours(&self) -> usize {
        self.colouring.groups.len()
    }

    /// The columns of a colour.
    pub(crate) fn columns(&self, colour: usize) -> &[usize] {
        &self.colouring.groups[colour]
    }

    /// Fills the columns of a colour from the sums of their entries by rows; fails at an entry that is not finite.
    pub(crate) fn fill_colour(&mut self, colour: usize, read: impl Fn(usize) -> f64) -> Result<(), (usize, usize)> {
        for &j in &self.colouring.groups[colour] {
            for position in self.pattern.col_starts[j]..self.pattern.col_starts[j + 1] {
                let row = self.pattern.rows[position];
                let value = read(row);
                if !value.is_finite() {
                    return Err((row, j));
                }
                self.values[position] = value;
            }
        }
        Ok(())
    }

    /// Whether there are factors of the values at hand.
    pub(crate) fn is_factored(&self) -> bool {
        self.factored
    }

    /// The values are going to change.
    pub(crate) fn forget_factors(&mut self) {
        self.factored = false;
    }

    /// Calls `each(row, column, value)` for every entry.
    pub(crate) fn for_each(&self, mut each: impl FnMut(usize, usize, f64)) {
        for j in 0..self.col_scale.len() {
            for position in self.pattern.col_starts[j]..self.pattern.col_starts[j + 1] {
                each(self.pattern.rows[position], j, self.values[position]);
            }
        }
    }

    /// Scales and factorises the matrix; `size` are the sizes of the unknowns.
    pub(crate) fn factor(&mut self, size: &[f64]) -> Result<(), Defect> {
        self.factored = false;
        let n = self.col_scale.len();
        let mut rows = std::mem::take(&mut self.row_scale);
        rows.fill(0.0);
        self.for_each(|i, j, value| rows[i] = rows[i].max((value * size[j]).abs()));
        let empty = rows.iter().position(|&row| row == 0.0);
        rows.iter_mut().for_each(|row| *row = 1.0 / power_of_two(*row));
        self.row_scale = rows;
        if let Some(row) = empty {
            return Err(Defect::EmptyRow { row });
        }
        let mut columns = std::mem::take(&mut self.col_scale);
        for (j, column) in columns.iter_mut().enumerate() {
            let unknown = power_of_two(size[j]);
            let entries = self.pattern.col_starts[j]..self.pattern.col_starts[j + 1];
            let entries = self.pattern.rows[entries.clone()].iter().zip(&self.values[entries]);
            let most = largest(entries.map(|(&i, value)| (value * unknown * self.row_scale[i]).abs()));
            *column = if most == 0.0 { 0.0 } else { unknown / power_of_two(most) };
        }
        let empty = columns.iter().position(|&column| column == 0.0);
        self.col_scale = columns;
        if let Some(column) = empty {
            self.col_scale.fill(1.0);
            return Err(Defect::EmptyColumn { column });
        }
        let starts = &self.pattern.col_starts;
        match &mut self.factors {
            Factors::Dense(lu) => {
                let matrix = lu.matrix_mut();
                matrix.fill(0.0);
                for j in 0..n {
                    for position in starts[j]..starts[j + 1] {
                        let i = self.pattern.rows[position];
                        matrix[j * n + i] = self.values[position] * self.col_scale[j] * self.row_scale[i];
                    }
                }
                lu.factor_in_place().map_err(|singular| Defect::Dependent { column: singular.column })?;
                if lu.pivot_ratio() < SINGULAR_PIVOTS {
                    return Err(Defect::Dependent { column: n - 1 });
                }
            }
            Factors::Sparse { lu, scaled } => {
                for j in 0..n {
                    for position in starts[j]..starts[j + 1] {
                        let i = self.pattern.rows[position];
                        scaled[position] = self.values[position] * self.col_scale[j] * self.row_scale[i];
                    }
                }
                lu.factor(scaled).map_err(|singular| Defect::Dependent { column: singular.column })?;
                // The factors do not tell how small their pivots are: a probe does.
                for (i, probe) in self.sums.iter_mut().enumerate() {
                    *probe = direction(i);
                }
                lu.solve(&mut self.sums);
                let worst = (0..n).max_by(|&a, &b| self.sums[a].abs().total_cmp(&self.sums[b].abs()));
                // The comparison is false for what is not a number, too.
                if let Some(column) = worst.filter(|&worst| self.sums[worst].is_nan() || self.sums[worst].abs() > SINGULAR_GROWTH) {
                    return Err(Defect::Dependent { column });
                }
            }
        }
        self.factored = true;
        Ok(())
    }

    /// Factorises a matrix that [`Self::factor`] found to have an empty row or column: the unknowns that no equation determines here
    /// are returned, and a solution with the factors keeps them as they are. If the equations left over contradict the others, the
    /// residual of the solution tells.
    pub(crate) fn factor_keeping_free(&mut self, size: &[f64], defect: Defect) -> Result<Vec<usize>, Defect> {
        let n = self.col_scale.len();
        let mut columns = std::mem::take(&mut self.col_scale);
        for (j, column) in columns.iter_mut().enumerate() {
            let entries = self.pattern.col_starts[j]..self.pattern.col_starts[j + 1];
            let entries = self.pattern.rows[entries.clone()].iter().zip(&self.values[entries]);
            let unknown = power_of_two(size[j]);
            *column = unknown / power_of_two(largest(entries.map(|(&i, value)| (value * unknown * self.row_scale[i]).abs())));
        }
        self.col_scale = columns;
        let mut scaled = vec![0.0; n * n];
        self.for_each(|i, j, value| scaled[j * n + i] = value * self.col_scale[j] * self.row_scale[i]);
        let Factors::Dense(lu) = &mut self.factors else { return Err(defect) };
        // Elimination with complete pivoting tells the rank, and which rows and columns are left over.
        let mut rest = scaled.clone();
        let (mut rows, mut columns): (Vec<usize>, Vec<usize>) = ((0..n).collect(), (0..n).collect());
        let mut rank = 0;
        while rank < n {
            let at = |r: usize, c: usize| rest[columns[c] * n + rows[r]].abs();
            let places = (rank..n).flat_map(|c| (rank..n).map(move |r| (r, c)));
            let Some((r, c)) = places.max_by(|&a, &b| at(a.0, a.1).total_cmp(&at(b.0, b.1))) else { break };
            if at(r, c) <= FREE_PIVOT {
                break;
            }
            rows.swap(rank, r);
            columns.swap(rank, c);
            let (row, column) = (rows[rank], columns[rank]);
            for &other in &rows[rank + 1..] {
                let factor = rest[column * n + other] / rest[column * n + row];
                for &k in &columns[rank..] {
                    rest[k * n + other] -= factor * rest[k * n + row];
                }
            }
            rank += 1;
        }
        for (&i, &j) in rows[rank..].iter().zip(&columns[rank..]) {
            scaled[j * n + i] += 1.0;
        }
        lu.matrix_mut().copy_from_slice(&scaled);
        lu.factor_in_place().map_err(|_| defect)?;
        if lu.pivot_ratio() < SINGULAR_PIVOTS {
            return Err(defect);
        }
        self.factored = true;
        Ok(columns.split_off(rank))
    }

    /// Replaces the right-hand side `b` by the solution of `J*x = b`.
    pub(crate) fn solve(&mut self, b: &mut [f64]) {
        for (value, scale) in b.iter_mut().zip(&self.row_scale) {
            *value *= scale;
        }
        match &mut self.factors {
            Factors::Dense(lu) => lu.solve(b),
            Factors::Sparse { lu, .. } => lu.solve(b),
        }
        for (value, scale) in b.iter_mut().zip(&self.col_scale) {
            *value *= scale;
        }
    }

    /// The sum of the squares of scaled residuals.
    pub(crate) fn merit(&self, residual: &[f64]) -> f64 {
        residual.iter().zip(&self.row_scale).map(|(r, scale)| (r * scale) * (r * scale)).sum()
    }

    /// The largest residual relative to the size of its terms.
    pub(crate) fn relative_residual(&mut self, residual: &[f64], size: &[f64]) -> f64 {
        let mut terms = std::mem::take(&mut self.sums);
        terms.fill(0.0);
        self.for_each(|i, j, value| terms[i] += (value * size[j]).abs());
        self.sums = terms;
        largest(residual.iter().zip(&self.sums).map(|(r, terms)| if *r == 0.0 { 0.0 } else { r.abs() / terms }))
    }

    /// Whether the product with [`direction`] times `size`, given by `read`, is that of the values at hand.
    pub(crate) fn agrees(&mut self, size: &[f64], tolerance: f64, read: impl Fn(usize) -> f64) -> bool {
        let (mut terms, mut products) = (std::mem::take(&mut self.sums), std::mem::take(&mut self.products));
        terms.fill(0.0);
        products.fill(0.0);
        self.for_each(|i, j, value| {
            let term = value * (size[j] * direction(j));
            products[i] += term;
            terms[i] += term.abs();
        });
        (self.sums, self.products) = (terms, products);
        let mut rows = self.products.iter().zip(&self.sums).enumerate();
        rows.all(|(i, (product, terms))| (read(i) - product).abs() <= tolerance * terms)
    }
}
