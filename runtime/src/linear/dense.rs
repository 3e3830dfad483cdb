//! LU factorisation of a dense matrix with partial pivoting.
//!
//! Input: a square matrix by columns. Output: factors that solve any number of right-hand sides.
//!
//! Method: right-looking elimination over contiguous columns, rows exchanged as a whole (LAPACK); small systems are factorised and solved by loops of
//! known length, with the same operations in the same order; the condition estimate is Hager's (1984) as in LAPACK's dgecon.
//! Guarantees: nothing is allocated after `new`; a zero or non-finite pivot is an error that names its column.
//! Cost: 2/3 n^3 per factorisation, 2 n^2 per solution.

/// The matrix has no usable pivot: it is singular or contains a value that is not a number.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Singular {
    /// The column in which no pivot was found.
    pub column: usize,
}

/// Factors `P*A = L*U` of a square matrix.
#[derive(Clone, Debug)]
pub struct DenseLu {
    n: usize,
    /// `L` below the diagonal, `U` on and above, by columns.
    factors: Vec<f64>,
    /// Row exchanged with row `k` in step `k`.
    pivots: Vec<usize>,
    /// The row of the matrix that all exchanges bring to row `k`.
    order: Vec<usize>,
    /// The 1-norm of the matrix, for the condition estimate.
    norm: f64,
}

impl DenseLu {
    /// Workspace for matrices of `n` rows and columns.
    pub fn new(n: usize) -> DenseLu {
        DenseLu { n, factors: vec![0.0; n * n], pivots: vec![0; n], order: vec![0; n], norm: 0.0 }
    }

    /// The number of rows.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Factorises `a`, given by columns.
    ///
    /// # Panics
    /// If `a` does not have `n * n` values.
    pub fn factor(&mut self, a: &[f64]) -> Result<(), Singular> {
        self.factors.copy_from_slice(a);
        self.factor_in_place()
    }

    /// The matrix to be factorised by [`DenseLu::factor_in_place`], by columns, to be filled by the caller.
    pub fn matrix_mut(&mut self) -> &mut [f64] {
        &mut self.factors
    }

    /// Factorises the matrix written through [`DenseLu::matrix_mut`].
    pub fn factor_in_place(&mut self) -> Result<(), Singular> {
        // Loops of known length, with the same operations in the same order.
        match self.n {
            1 => self.eliminate(1),
            2 => self.eliminate(2),
            3 => self.eliminate(3),
            4 => self.eliminate(4),
            5 => self.eliminate(5),
            6 => self.eliminate(6),
            n => self.eliminate(n),
        }
    }

    #[inline(always)]
    fn eliminate(&mut self, n: usize) -> Result<(), Singular> {
        self.norm = 0.0;
        for (k, column) in self.factors.chunks_exact(n.max(1)).enumerate() {
            let sum: f64 = column.iter().map(|v| v.abs()).sum();
            if !sum.is_finite() {
                return Err(Singular { column: k });
            }
            if sum > self.norm {
                self.norm = sum;
            }
        }
        for (k, row) in self.order.iter_mut().enumerate() {
            *row = k;
        }
        for k in 0..n {
            let (done, rest) = self.factors.split_at_mut((k + 1) * n);
            let (before, column) = done.split_at_mut(k * n);
            let mut p = k;
            let mut largest = column[k].abs();
            for (i, value) in column.iter().enumerate().skip(k + 1) {
                if value.abs() > largest {
                    p = i;
                    largest = value.abs();
                }
            }
            // An infinite pivot would give zeros silently.
            if largest == 0.0 || !largest.is_finite() {
                return Err(Singular { column: k });
            }
            self.pivots[k] = p;
            if p != k {
                self.order.swap(k, p);
                before.chunks_exact_mut(n).for_each(|other| other.swap(k, p));
            }
            column.swap(k, p);
            let inverse = 1.0 / column[k];
            for value in &mut column[k + 1..] {
                *value *= inverse;
            }
            for other in rest.chunks_exact_mut(n) {
                other.swap(k, p);
                let factor = other[k];
                if factor != 0.0 {
                    for (target, l) in other[k + 1..].iter_mut().zip(&column[k + 1..]) {
                        *target -= factor * l;
                    }
                }
            }
        }
        Ok(())
    }

    /// Replaces `b` by the solution of `A*x = b`.
    pub fn solve(&self, b: &mut [f64]) {
        match self.n {
            1 => self.solve_small::<1>(b),
            2 => self.solve_small::<2>(b),
            3 => self.solve_small::<3>(b),
            4 => self.solve_small::<4>(b),
            5 => self.solve_small::<5>(b),
            6 => self.solve_small::<6>(b),
            7 => self.solve_small::<7>(b),
            8 => self.solve_small::<8>(b),
            _ => self.solve_any(b),
        }
    }

    /// The solution for a size that the compiler knows: everything stays in registers.
    fn solve_small<const N: usize>(&self, b: &mut [f64]) {
        let (columns, _) = self.factors.as_chunks::<N>();
        let (Some(columns), Some(order), Some(b)) = (columns.first_chunk::<N>(), self.order.first_chunk::<N>(), b.first_chunk_mut::<N>())
        else {
            return self.solve_any(b);
        };
        let mut x = [0.0; N];
        for k in 0..N {
            x[k] = b[order[k]];
        }
        for k in 0..N {
            let value = x[k];
            for i in k + 1..N {
                x[i] -= value * columns[k][i];
            }
        }
        for k in (0..N).rev() {
            let value = x[k] / columns[k][k];
            x[k] = value;
            for i in 0..k {
                x[i] -= value * columns[k][i];
            }
        }
        *b = x;
    }

    fn solve_any(&self, b: &mut [f64]) {
        let n = self.n;
        for (k, &p) in self.pivots.iter().enumerate() {
            b.swap(k, p);
        }
        for k in 0..n {
            let value = b[k];
            if value != 0.0 {
                for (target, l) in b[k + 1..].iter_mut().zip(&self.factors[k * n + k + 1..(k + 1) * n]) {
                    *target -= value * l;
                }
            }
        }
        for k in (0..n).rev() {
            let value = b[k] / self.factors[k * n + k];
            b[k] = value;
            if value != 0.0 {
                for (target, u) in b[..k].iter_mut().zip(&self.factors[k * n..k * n + k]) {
                    *target -= value * u;
                }
            }
        }
    }

    /// Replaces `b` by the solution of `A'*x = b`, `A'` being the transpose.
    pub fn solve_transposed(&self, b: &mut [f64]) {
        let n = self.n;
        for k in 0..n {
            let sum: f64 = b[..k].iter().zip(&self.factors[k * n..k * n + k]).map(|(x, u)| x * u).sum();
            b[k] = (b[k] - sum) / self.factors[k * n + k];
        }
        for k in (0..n).rev() {
            let sum: f64 = b[k + 1..].iter().zip(&self.factors[k * n + k + 1..(k + 1) * n]).map(|(x, l)| x * l).sum();
            b[k] -= sum;
        }
        for (k, &p) in self.pivots.iter().enumerate().rev() {
            b.swap(k, p);
        }
    }

    /// Smallest over largest pivot: a cheap sign of trouble, 0 to 1; it depends on the scaling of rows and columns.
    pub fn pivot_ratio(&self) -> f64 {
        let mut smallest = f64::INFINITY;
        let mut largest = 0.0_f64;
        for k in 0..self.n {
            let pivot = self.factors[k * self.n + k].abs();
            smallest = smallest.min(pivot);
            largest = largest.max(pivot);
        }
        if self.n == 0 { 1.0 } else { smallest / largest }
    }

    /// The largest sum of absolute values in a column of the factorised matrix.
    pub fn norm(&self) -> f64 {
        self.norm
    }

    /// An estimate of `1 / (|A| * |A^-1|)` in the 1-norm; below about 1e-15 the solution has no correct digit.
    /// `scratch` needs room for `2 * n` values. Costs a few solutions.
    pub fn reciprocal_condition(&self, scratch: &mut [f64]) -> f64 {
        let n = self.n;
        if n == 0 {
            return 1.0;
        }
        let (x, z) = scratch[..2 * n].split_at_mut(n);
        x.fill(1.0 / n as f64);
        let mut estimate = 0.0;
        let mut last = usize::MAX;
        for _ in 0..5 {
            self.solve(x);
            let norm: f64 = x.iter().map(|v| v.abs()).sum();
            if norm <= estimate {
                break;
            }
            estimate = norm;
            for (zi, xi) in z.iter_mut().zip(x.iter()) {
                *zi = if *xi < 0.0 { -1.0 } else { 1.0 };
            }
            self.solve_transposed(z);
            let mut best = 0;
            for (i, value) in z.iter().enumerate() {
                if value.abs() > z[best].abs() {
                    best = i;
                }
            }
            if best == last {
                break;
            }
            last = best;
            x.fill(0.0);
            x[best] = 1.0;
        }
        // A second starting vector of alternating signs catches cancellation in the first (LAPACK dlacon).
        for (i, xi) in x.iter_mut().enumerate() {
            let size = 1.0 + i as f64 / (n.max(2) - 1) as f64;
            *xi = if i % 2 == 0 { size } else { -size };
        }
        self.solve(x);
        let other = 2.0 * x.iter().map(|v| v.abs()).sum::<f64>() / (3.0 * n as f64);
        let product = estimate.max(other) * self.norm;
        if product.is_finite() && product > 0.0 { 1.0 / product } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator so that tests need no crate (xorshift).
    fn random_matrix(n: usize, mut seed: u64) -> Vec<f64> {
        (0..n * n)
            .map(|_| {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
            })
            .collect()
    }

    #[test]
    fn solves_random_systems_and_their_transposes() {
        for n in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 20, 60] {
            let a = random_matrix(n, 88172645463325252 + n as u64);
            let x: Vec<f64> = (0..n).map(|i| 1.0 + i as f64).collect();
            let mut b = vec![0.0; n];
            let mut bt = vec![0.0; n];
            for j in 0..n {
                for i in 0..n {
                    b[i] += a[j * n + i] * x[j];
                    bt[j] += a[j * n + i] * x[i];
                }
            }
            let mut lu = DenseLu::new(n);
            lu.factor(&a).unwrap();
            lu.solve(&mut b);
            lu.solve_transposed(&mut bt);
            for i in 0..n {
                assert!((b[i] - x[i]).abs() < 1e-9 * n as f64, "n = {n}: {} and {}", b[i], x[i]);
                assert!((bt[i] - x[i]).abs() < 1e-9 * n as f64, "n = {n}, transposed: {} and {}", bt[i], x[i]);
            }
        }
    }

    #[test]
    fn names_the_column_without_pivot() {
        let mut lu = DenseLu::new(3);
        // The second column is twice the first.
        assert_eq!(lu.factor(&[1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 0.0, 1.0, 5.0]), Err(Singular { column: 1 }));
        assert_eq!(lu.factor(&[1.0, 0.0, 0.0, 0.0, f64::NAN, 0.0, 0.0, 0.0, 1.0]), Err(Singular { column: 1 }));
        assert_eq!(lu.factor(&[0.0; 9]), Err(Singular { column: 0 }));
    }

    #[test]
    fn condition_of_hilbert_matrices_is_found() {
        // 1-norm condition of the Hilbert matrix of order 6: 2.907e7.
        let n = 6;
        let a: Vec<f64> = (0..n * n).map(|k| 1.0 / ((k / n + k % n + 1) as f64)).collect();
        let mut lu = DenseLu::new(n);
        lu.factor(&a).unwrap();
        let condition = 1.0 / lu.reciprocal_condition(&mut vec![0.0; 2 * n]);
        assert!((condition / 2.907e7 - 1.0).abs() < 0.01, "{condition}");
        assert!(lu.pivot_ratio() < 1e-3);
    }
}
