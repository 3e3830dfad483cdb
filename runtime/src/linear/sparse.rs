//! LU factorisation of a sparse matrix of fixed pattern with remembered pivots.
//!
//! Input: a pattern once, then any number of value sets. Output: factors that solve any number of right-hand sides.
//!
//! Method: the structure of `L` and `U` is found once for a fixed order of rows and columns; a numeric factorisation only
//! fills in values, left-looking column by column (Gilbert and Peierls 1988 without the search). The first order is approximate
//! minimum degree with pivots on the diagonal, which suits `I - gamma*J`. If a pivot turns out small against its column, faer's
//! factorisation with partial pivoting chooses new orders, and the structure is found anew for them.
//! Guarantees: every multiplier is at most [`MOST_GROWTH`] in absolute value; a matrix for which even partial pivoting finds no pivot
//! is an error that names the column.
//! Cost: time and memory proportional to the operations and entries of the factors; nothing is allocated by `factor` unless pivots
//! change, nothing by `solve`.

use super::dense::Singular;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::amd;
use faer::sparse::linalg::lu::{LuSymbolicParams, NumericLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};

/// Largest multiplier accepted from remembered pivots (KLU's pivot tolerance is its inverse).
const MOST_GROWTH: f64 = 1e3;

/// Factors of a sparse matrix.
#[derive(Debug)]
pub struct SparseLu {
    n: usize,
    starts: Vec<usize>,
    rows: Vec<usize>,
    order: Order,
    structure: Structure,
    l: Vec<f64>,
    u: Vec<f64>,
    /// Reciprocals of the diagonal of `U`.
    pivots: Vec<f64>,
    work: Vec<f64>,
    repivots: u64,
}

/// Positions of rows and columns in the factors.
#[derive(Debug)]
struct Order {
    /// Row at a position.
    rows: Vec<usize>,
    /// Position of a row.
    position: Vec<u32>,
    /// Column at a position.
    columns: Vec<usize>,
}

/// Which entries the factors have, by columns, in positions.
#[derive(Debug)]
struct Structure {
    l_starts: Vec<usize>,
    l_rows: Vec<u32>,
    /// Above the diagonal, ascending, so that columns to the left are used in order.
    u_starts: Vec<usize>,
    u_rows: Vec<u32>,
}

/// No multiplier may be used: the pivot of this position is too small.
struct BadPivot {
    position: usize,
}

impl SparseLu {
    /// Finds the structure for a square pattern given by columns. A zero-free diagonal is expected but not required.
    pub fn new(starts: &[usize], rows: &[usize]) -> SparseLu {
        let n = starts.len() - 1;
        let order = minimum_degree(n, starts, rows);
        let structure = Structure::find(starts, rows, &order);
        SparseLu {
            n,
            starts: starts.to_vec(),
            rows: rows.to_vec(),
            l: vec![0.0; structure.l_rows.len()],
            u: vec![0.0; structure.u_rows.len()],
            pivots: vec![0.0; n],
            work: vec![0.0; n],
            order,
            structure,
            repivots: 0,
        }
    }

    /// Number of entries of the factors, diagonal included.
    pub fn entries(&self) -> usize {
        self.n + self.l.len() + self.u.len()
    }

    /// Multiplications of a factorisation.
    pub fn operations(&self) -> f64 {
        let column = |k: &u32| self.structure.l_starts[*k as usize + 1] - self.structure.l_starts[*k as usize];
        self.structure.u_rows.iter().map(column).sum::<usize>() as f64
    }

    /// How often remembered pivots were given up.
    pub fn repivots(&self) -> u64 {
        self.repivots
    }

    /// Factorises the matrix with these values, in the order of the pattern.
    pub fn factor(&mut self, values: &[f64]) -> Result<(), Singular> {
        match self.fill(values) {
            Ok(()) => return Ok(()),
            Err(BadPivot { position }) => {
                if let Some(entry) = values.iter().position(|v| !v.is_finite()) {
                    return Err(Singular { column: self.starts.partition_point(|&start| start <= entry) - 1 });
                }
                self.repivots += 1;
                let Some(order) = partial_pivoting(self.n, &self.starts, &self.rows, values) else {
                    return Err(Singular { column: self.order.columns[position] });
                };
                self.order = order;
            }
        }
        self.structure = Structure::find(&self.starts, &self.rows, &self.order);
        self.l.clear();
        self.l.resize(self.structure.l_rows.len(), 0.0);
        self.u.clear();
        self.u.resize(self.structure.u_rows.len(), 0.0);
        self.fill(values).map_err(|bad| Singular { column: self.order.columns[bad.position] })
    }

    /// Computes the values of the factors for the structure at hand.
    fn fill(&mut self, values: &[f64]) -> Result<(), BadPivot> {
        let work = &mut self.work[..];
        let structure = &self.structure;
        for j in 0..self.n {
            let column = self.order.columns[j];
            let entries = self.starts[column]..self.starts[column + 1];
            for (row, value) in self.rows[entries.clone()].iter().zip(&values[entries]) {
                work[self.order.position[*row] as usize] = *value;
            }
            let above = structure.u_starts[j]..structure.u_starts[j + 1];
            for (k, u) in structure.u_rows[above.clone()].iter().zip(&mut self.u[above]) {
                let k = *k as usize;
                let value = work[k];
                work[k] = 0.0;
                *u = value;
                if value != 0.0 {
                    let left = structure.l_starts[k]..structure.l_starts[k + 1];
                    for (i, l) in structure.l_rows[left.clone()].iter().zip(&self.l[left]) {
                        work[*i as usize] -= l * value;
                    }
                }
            }
            let pivot = work[j];
            work[j] = 0.0;
            let inverse = 1.0 / pivot;
            self.pivots[j] = inverse;
            let below = structure.l_starts[j]..structure.l_starts[j + 1];
            let mut largest = 0.0_f64;
            let mut sound = pivot.is_finite() && inverse.is_finite();
            for (i, l) in structure.l_rows[below.clone()].iter().zip(&mut self.l[below]) {
                let value = work[*i as usize] * inverse;
                work[*i as usize] = 0.0;
                *l = value;
                largest = largest.max(value.abs());
                sound &= !value.is_nan();
            }
            if !sound || largest > MOST_GROWTH {
                work.fill(0.0);
                return Err(BadPivot { position: j });
            }
        }
        Ok(())
    }

    /// Replaces `b` by the solution of `A*x = b`.
    pub fn solve(&mut self, b: &mut [f64]) {
        let n = self.n;
        let structure = &self.structure;
        let y = &mut self.work[..n];
        for (y, row) in y.iter_mut().zip(&self.order.rows) {
            *y = b[*row];
        }
        for k in 0..n {
            let value = y[k];
            if value != 0.0 {
                let below = structure.l_starts[k]..structure.l_starts[k + 1];
                for (i, l) in structure.l_rows[below.clone()].iter().zip(&self.l[below]) {
                    y[*i as usize] -= l * value;
                }
            }
        }
        for j in (0..n).rev() {
            let value = y[j] * self.pivots[j];
            b[self.order.columns[j]] = value;
            y[j] = 0.0;
            if value != 0.0 {
                let above = structure.u_starts[j]..structure.u_starts[j + 1];
                for (k, u) in structure.u_rows[above.clone()].iter().zip(&self.u[above]) {
                    y[*k as usize] -= u * value;
                }
            }
        }
    }
}

impl Structure {
    /// The entries that elimination without exchanges fills, for the matrix in the given order: those that a search through the columns of
    /// `L` reaches. Where `L` and `U` have entries in places opposite to each other, the search leaves out what it reaches by another way
    /// (symmetric pruning, Eisenstat and Liu 1992), so that it costs as much as the factors have entries, not as their operations.
    fn find(starts: &[usize], rows: &[usize], order: &Order) -> Structure {
        let n = order.columns.len();
        let mut structure = Structure {
            l_starts: vec![0],
            l_rows: Vec::with_capacity(2 * rows.len()),
            u_starts: vec![0],
            u_rows: Vec::with_capacity(2 * rows.len()),
        };
        // `seen[i] == j + 1`: row i is in column j already.
        let mut seen = vec![0u32; n];
        // Path of the depth-first search: a column of L and how many of its rows have been looked at.
        let mut path: Vec<(u32, usize)> = Vec::new();
        // Where the search through a column of L ends.
        let mut ends: Vec<usize> = Vec::with_capacity(n);
        for j in 0..n {
            let column = order.columns[j];
            let mark = j as u32 + 1;
            seen[j] = mark;
            for row in &rows[starts[column]..starts[column + 1]] {
                let first = order.position[*row];
                if seen[first as usize] == mark {
                    continue;
                }
                seen[first as usize] = mark;
                structure.add(j, first);
                if (first as usize) < j {
                    path.push((first, structure.l_starts[first as usize]));
                }
                // Every row of every column is looked at once: the search ends.
                while let Some((k, next)) = path.last_mut() {
                    if *next == ends[*k as usize] {
                        path.pop();
                        continue;
                    }
                    let i = structure.l_rows[*next];
                    *next += 1;
                    if seen[i as usize] != mark {
                        seen[i as usize] = mark;
                        structure.add(j, i);
                        if (i as usize) < j {
                            path.push((i, structure.l_starts[i as usize]));
                        }
                    }
                }
            }
            let from = structure.u_starts[j];
            structure.u_rows[from..].sort_unstable();
            let from = structure.l_starts[j];
            structure.l_rows[from..].sort_unstable();
            structure.u_starts.push(structure.u_rows.len());
            structure.l_starts.push(structure.l_rows.len());
            ends.push(structure.l_rows.len());
            // What lies below row j in such a column is in column j too, and a search that comes to the column comes to j.
            for &k in &structure.u_rows[structure.u_starts[j]..] {
                let column = structure.l_starts[k as usize]..structure.l_starts[k as usize + 1];
                if ends[k as usize] == column.end
                    && let Ok(at) = structure.l_rows[column.clone()].binary_search(&(j as u32))
                {
                    ends[k as usize] = column.start + at + 1;
                }
            }
        }
        structure
    }

    fn add(&mut self, column: usize, row: u32) {
        if (row as usize) < column {
            self.u_rows.push(row);
        } else {
            self.l_rows.push(row);
        }
    }
}

impl Order {
    fn new(rows: Vec<usize>, columns: Vec<usize>) -> Order {
        let mut position = vec![0; rows.len()];
        for (place, row) in rows.iter().enumerate() {
            position[*row] = place as u32;
        }
        Order { rows, position, columns }
    }
}

/// Rows and columns in the same order, so that the diagonal stays the diagonal.
fn minimum_degree(n: usize, starts: &[usize], rows: &[usize]) -> Order {
    let mut forward = vec![0usize; n];
    let mut inverse = vec![0usize; n];
    let matrix = SymbolicSparseColMatRef::new_checked(n, n, starts, None, rows);
    let mut memory = MemBuffer::new(amd::order_maybe_unsorted_scratch::<usize>(n, rows.len()));
    let done = amd::order_maybe_unsorted(&mut forward, &mut inverse, matrix, amd::Control::default(), MemStack::new(&mut memory));
    if done.is_err() {
        // Only for lack of memory or overflow: any order is right, this one is merely not good.
        forward = (0..n).collect();
    }
    Order::new(forward.clone(), forward)
}

/// Orders chosen by faer with partial pivoting; none if the matrix is structurally or numerically singular.
fn partial_pivoting(n: usize, starts: &[usize], rows: &[usize], values: &[f64]) -> Option<Order> {
    let pattern = SymbolicSparseColMatRef::new_checked(n, n, starts, None, rows);
    let symbolic = factorize_symbolic_lu(pattern, LuSymbolicParams::default()).ok()?;
    let mut numeric = NumericLu::<usize, f64>::new();
    let parameters = Default::default();
    let mut memory = MemBuffer::new(symbolic.factorize_numeric_lu_scratch::<f64>(faer::Par::Seq, parameters));
    let matrix = SparseColMatRef::new(pattern, values);
    let factors = symbolic.factorize_numeric_lu(&mut numeric, matrix, faer::Par::Seq, MemStack::new(&mut memory), parameters).ok()?;
    let rows = factors.row_perm().arrays().0.to_vec();
    let columns = factors.col_perm().arrays().0.to_vec();
    Some(Order::new(rows, columns))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as f64 / (1u64 << 53) as f64
        }
    }

    /// A random pattern with a few entries per column; the diagonal if asked for.
    fn random_pattern(n: usize, per_column: usize, diagonal: bool, random: &mut Random) -> (Vec<usize>, Vec<usize>) {
        let mut starts = vec![0];
        let mut all = Vec::new();
        for j in 0..n {
            let mut rows: Vec<usize> = (0..per_column).map(|_| (random.next() * n as f64) as usize % n).collect();
            // A cyclic shift keeps the matrix regular without a diagonal.
            rows.push(if diagonal { j } else { (j + 1) % n });
            rows.sort_unstable();
            rows.dedup();
            all.extend(rows);
            starts.push(all.len());
        }
        (starts, all)
    }

    fn residual(starts: &[usize], rows: &[usize], values: &[f64], x: &[f64], b: &[f64]) -> f64 {
        let mut r = b.to_vec();
        for j in 0..x.len() {
            for k in starts[j]..starts[j + 1] {
                r[rows[k]] -= values[k] * x[j];
            }
        }
        r.iter().map(|v| v.abs()).fold(0.0, f64::max)
    }

    #[test]
    fn solves_random_systems_with_and_without_diagonal() {
        let mut random = Random(88172645463325252);
        for n in [1, 2, 5, 30, 200] {
            for diagonal in [true, false] {
                let (starts, rows) = random_pattern(n, 3, diagonal, &mut random);
                let mut lu = SparseLu::new(&starts, &rows);
                for _ in 0..3 {
                    let mut values: Vec<f64> = rows.iter().map(|_| random.next() - 0.5).collect();
                    for j in 0..n {
                        for k in starts[j]..starts[j + 1] {
                            if rows[k] == if diagonal { j } else { (j + 1) % n } {
                                values[k] += 3.0;
                            }
                        }
                    }
                    let b: Vec<f64> = (0..n).map(|i| i as f64 - 3.0).collect();
                    let mut x = b.clone();
                    lu.factor(&values).unwrap();
                    lu.solve(&mut x);
                    let error = residual(&starts, &rows, &values, &x, &b);
                    assert!(error < 1e-10 * n as f64, "n = {n}, diagonal {diagonal}: {error:e}");
                }
                if !diagonal && n > 2 {
                    assert!(lu.repivots() > 0);
                }
            }
        }
    }

    #[test]
    fn pivots_are_given_up_when_they_become_small() {
        // [e 1; 1 0] with small e: the diagonal is no pivot.
        let mut lu = SparseLu::new(&[0, 2, 4], &[0, 1, 0, 1]);
        lu.factor(&[2.0, 1.0, 1.0, 2.0]).unwrap();
        assert_eq!(lu.repivots(), 0);
        lu.factor(&[1e-20, 1.0, 1.0, 1e-20]).unwrap();
        assert_eq!(lu.repivots(), 1);
        let mut b = [3.0, 5.0];
        lu.solve(&mut b);
        assert!((b[0] - 5.0).abs() < 1e-14 && (b[1] - 3.0).abs() < 1e-14, "{b:?}");
        // The new pivots serve as long as they can.
        lu.factor(&[1e-10, 1.0, 1.0, 1e-10]).unwrap();
        assert_eq!(lu.repivots(), 1);
    }

    #[test]
    fn singular_matrices_are_refused() {
        let mut lu = SparseLu::new(&[0, 2, 4], &[0, 1, 0, 1]);
        assert!(lu.factor(&[1.0, 2.0, 2.0, 4.0]).is_err());
        assert!(lu.factor(&[1.0, f64::NAN, 2.0, 5.0]).is_err());
        assert_eq!(lu.factor(&[1.0, 2.0, f64::INFINITY, 5.0]), Err(Singular { column: 1 }));
        lu.factor(&[1.0, 2.0, 2.0, 5.0]).unwrap();
    }
}
