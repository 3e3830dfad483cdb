//! Balanced reduction of a linear system `x' = A x + B u`, `y = C x`, and maps between its states and those of the smaller one.
//!
//! Input: dense matrices. Output: [`Balanced`]: Hankel values and both projections; [`Reduced`]: matrices of a smaller system and how the
//! balanced states follow from its own. Method: factors of both Gramians by Newton's iteration for the matrix sign function (Benner and
//! Quintana-Orti 1999, on factors, so that small Hankel values keep their digits), square-root balancing (Tombs and Postlethwaite 1987) at
//! the numerical rank, then truncation or residualisation (Liu and Anderson 1989). Guarantee: nothing is returned for a system that is not
//! asymptotically stable or whose iteration does not converge. Cost: O(n^3), about fifteen inverses.

use faer::linalg::solvers::{DenseSolveCore, Solve};
use faer::{Mat, MatRef};

/// Hankel values below this part of the largest are none.
const RANK: f64 = 1e-9;
/// Iterations of the sign function; quadratic after the first few.
const MOST_ITERATIONS: usize = 60;
/// Nearer to the limit than this, the next two iterations end it.
const NEAR: f64 = 1e-5;

/// A dense matrix by columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Values by columns.
    pub values: Vec<f64>,
}

impl Matrix {
    /// A matrix of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Matrix {
        Matrix { rows, columns, values: vec![0.0; rows * columns] }
    }

    /// The identity.
    pub fn identity(n: usize) -> Matrix {
        let mut matrix = Matrix::zeros(n, n);
        (0..n).for_each(|i| matrix.set(i, i, 1.0));
        matrix
    }

    /// A column.
    pub fn column(values: &[f64]) -> Matrix {
        Matrix { rows: values.len(), columns: 1, values: values.to_vec() }
    }

    /// An entry.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.values[column * self.rows + row]
    }

    /// Changes an entry.
    pub fn set(&mut self, row: usize, column: usize, value: f64) {
        self.values[column * self.rows + row] = value;
    }

    fn of(mat: MatRef<'_, f64>) -> Matrix {
        let values = (0..mat.ncols()).flat_map(|j| (0..mat.nrows()).map(move |i| mat[(i, j)])).collect();
        Matrix { rows: mat.nrows(), columns: mat.ncols(), values }
    }

    fn mat(&self) -> Mat<f64> {
        Mat::from_fn(self.rows, self.columns, |i, j| self.get(i, j))
    }

    /// The product.
    pub fn times(&self, other: &Matrix) -> Matrix {
        Matrix::of((self.mat() * other.mat()).as_ref())
    }

    /// The sum.
    pub fn plus(&self, other: &Matrix) -> Matrix {
        Matrix { values: self.values.iter().zip(&other.values).map(|(a, b)| a + b).collect(), ..*self }
    }

    /// All entries times a number.
    pub fn scaled(&self, factor: f64) -> Matrix {
        Matrix { values: self.values.iter().map(|value| factor * value).collect(), ..*self }
    }

    /// The transpose.
    pub fn transposed(&self) -> Matrix {
        Matrix::of(self.mat().transpose())
    }

    /// Some rows and columns.
    pub fn block(&self, rows: std::ops::Range<usize>, columns: std::ops::Range<usize>) -> Matrix {
        let values = columns.clone().flat_map(|j| rows.clone().map(move |i| (i, j))).map(|(i, j)| self.get(i, j)).collect();
        Matrix { rows: rows.len(), columns: columns.len(), values }
    }

    /// Rows of this matrix above those of another.
    pub fn above(&self, other: &Matrix) -> Matrix {
        let values = (0..self.columns).flat_map(|j| {
            let column = |matrix: &Matrix| matrix.values[j * matrix.rows..(j + 1) * matrix.rows].to_vec();
            [column(self), column(other)].concat()
        });
        Matrix { rows: self.rows + other.rows, columns: self.columns, values: values.collect() }
    }

    /// Columns of this matrix before those of another.
    pub fn beside(&self, other: &Matrix) -> Matrix {
        Matrix { rows: self.rows, columns: self.columns + other.columns, values: [self.values.as_slice(), &other.values].concat() }
    }

    /// The solution of `self * X = right`; nothing if that is not finite.
    pub fn solve(&self, right: &Matrix) -> Option<Matrix> {
        if self.rows == 0 {
            return Some(Matrix::zeros(0, right.columns));
        }
        let solution = Matrix::of(self.mat().partial_piv_lu().solve(right.mat()).as_ref());
        solution.values.iter().all(|value| value.is_finite()).then_some(solution)
    }

    /// All eigenvalues, by real and imaginary part; nothing if they cannot be computed.
    pub fn eigenvalues(&self) -> Option<Vec<(f64, f64)>> {
        Some(self.mat().eigenvalues().ok()?.iter().map(|z| (z.re, z.im)).collect())
    }

    /// The eigenvalue farthest to the right, and the row in which its eigenvector is largest.
    pub fn rightmost(&self) -> Option<((f64, f64), usize)> {
        let eigen = self.mat().eigen().ok()?;
        let values: Vec<(f64, f64)> =
            (0..self.rows).map(|at| (eigen.S().column_vector()[at].re, eigen.S().column_vector()[at].im)).collect();
        let at = (0..self.rows).max_by(|a, b| values[*a].0.total_cmp(&values[*b].0))?;
        let size = |row: usize| eigen.U()[(row, at)].re.hypot(eigen.U()[(row, at)].im);
        let row = (0..self.rows).max_by(|a, b| size(*a).total_cmp(&size(*b)))?;
        Some((values[at], row))
    }

    /// The largest absolute eigenvalue.
    pub fn spectral_radius(&self) -> Option<f64> {
        Some(self.eigenvalues()?.iter().map(|(re, im)| re.hypot(*im)).fold(0.0, f64::max))
    }

    /// The ratio of the largest and the smallest singular value.
    pub fn condition(&self) -> f64 {
        let Ok(values) = self.mat().singular_values() else { return f64::INFINITY };
        let (largest, smallest) = values.iter().fold((0.0f64, f64::INFINITY), |(a, b), s| (a.max(*s), b.min(*s)));
        if smallest > 0.0 { largest / smallest } else { f64::INFINITY }
    }

    /// `exp(self * t)`: Taylor's series of a small part, squared again and again.
    pub fn exponential(&self, t: f64) -> Matrix {
        let size = self.values.iter().map(|value| value.abs()).fold(0.0, f64::max) * t.abs() * self.rows as f64;
        let halvings = size.max(0.25).log2().ceil().max(0.0) as i32 + 3;
        let small = self.scaled(t * 0.5f64.powi(halvings));
        let (mut sum, mut term) = (Matrix::identity(self.rows), Matrix::identity(self.rows));
        for power in 1..=12 {
            term = term.times(&small).scaled(1.0 / f64::from(power));
            sum = sum.plus(&term);
        }
        (0..halvings).for_each(|_| sum = sum.times(&sum));
        sum
    }
}

/// `[left, right]` without what its singular values do not see.
fn compressed(left: &Mat<f64>, right: &Mat<f64>, factor: f64) -> Option<Mat<f64>> {
    let (n, m) = (left.nrows(), left.ncols());
    let both = Mat::from_fn(n, 2 * m, |i, j| factor * if j < m { left[(i, j)] } else { right[(i, j - m)] });
    let svd = both.thin_svd().ok()?;
    let sizes: Vec<f64> = (0..n.min(2 * m)).map(|at| svd.S().column_vector()[at]).collect();
    let largest = sizes.first().copied().unwrap_or(0.0);
    let kept = sizes.iter().take_while(|size| **size > f64::EPSILON * largest).count().max(1);
    Some(Mat::from_fn(n, kept, |i, j| svd.U()[(i, j)] * sizes[j]))
}

/// Factors of the Gramians: `A R R' + R R' A' + B B' = 0` and `A' L L' + L L' A + C' C = 0`; nothing if the iteration does not end.
pub fn gramians(a: &Matrix, b: &Matrix, c: &Matrix) -> Option<(Matrix, Matrix)> {
    let n = a.rows;
    let (mut a, mut b, mut c) = (a.mat(), b.mat(), c.transposed().mat());
    let mut left = None;
    for _ in 0..MOST_ITERATIONS {
        let inverse = a.partial_piv_lu().inverse();
        let scale = if left.is_some() { 1.0 } else { (a.norm_l2() / inverse.norm_l2()).sqrt() };
        if !(scale.is_finite() && scale > 0.0) {
            return None;
        }
        let factor = (0.5 / scale).sqrt();
        b = compressed(&b, &(&inverse * &b * faer::Scale(scale)), factor)?;
        c = compressed(&c, &(inverse.transpose() * &c * faer::Scale(scale)), factor)?;
        a = Mat::from_fn(n, n, |i, j| 0.5 * (a[(i, j)] / scale + scale * inverse[(i, j)]));
        let far = Mat::from_fn(n, n, |i, j| a[(i, j)] + f64::from(u8::from(i == j))).norm_l2();
        left = match left {
            Some(1) => {
                let root = std::f64::consts::FRAC_1_SQRT_2;
                return (far < NEAR).then(|| (Matrix::of(b.as_ref()).scaled(root), Matrix::of(c.as_ref()).scaled(root)));
            }
            Some(more) => Some(more - 1),
            None => (far < NEAR * (n as f64).sqrt()).then_some(2),
        };
    }
    None
}

/// A system in balanced coordinates.
#[derive(Clone, Debug)]
pub struct Balanced {
    /// Hankel values above the numerical rank.
    pub hankel: Vec<f64>,
    /// Balanced states from states.
    pub left: Matrix,
    /// States from balanced states.
    pub right: Matrix,
}

/// Balances a stable system; nothing if it has no inputs or no outputs.
pub fn balance(a: &Matrix, b: &Matrix, c: &Matrix) -> Option<Balanced> {
    if b.columns == 0 || c.rows == 0 {
        return None;
    }
    let (r, l) = gramians(a, b, c)?;
    let svd = (l.mat().transpose() * r.mat()).thin_svd().ok()?;
    let all: Vec<f64> = (0..l.columns.min(r.columns)).map(|at| svd.S().column_vector()[at]).collect();
    let hankel: Vec<f64> = all.iter().copied().take_while(|s| *s > RANK * all[0] && *s > 0.0).collect();
    let k = hankel.len();
    let u = Mat::from_fn(l.columns, k, |i, j| svd.U()[(i, j)] / hankel[j].sqrt());
    let v = Mat::from_fn(r.columns, k, |i, j| svd.V()[(i, j)] / hankel[j].sqrt());
    let left = Matrix::of((u.transpose() * l.mat().transpose()).as_ref());
    let right = Matrix::of((r.mat() * v).as_ref());
    Some(Balanced { hankel, left, right })
}

/// What happens to the balanced states that are not kept.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Rest {
    /// They are in equilibrium with the kept ones: static gains are those of the whole system.
    #[default]
    Residualised,
    /// They are zero: outputs do not jump with inputs.
    Truncated,
}

/// A smaller system `x_r' = A x_r + B u`, `y = C x_r + D u`, whose balanced states are `H x_r + K u`.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// State matrix.
    pub a: Matrix,
    /// Inputs.
    pub b: Matrix,
    /// Outputs.
    pub c: Matrix,
    /// What of the inputs goes straight to the outputs.
    pub d: Matrix,
    /// Balanced states from the kept ones.
    pub h: Matrix,
    /// Balanced states from inputs.
    pub k: Matrix,
}

impl Balanced {
    /// The part of the sum of Hankel values behind the first `order`.
    pub fn psi(&self, order: usize) -> f64 {
        self.left_out(order) / self.left_out(0)
    }

    /// Twice the sum of Hankel values behind the first `order`: no input is amplified wrongly by more.
    pub fn bound(&self, order: usize) -> f64 {
        2.0 * self.left_out(order)
    }

    /// The sum of Hankel values behind the first `order`.
    fn left_out(&self, order: usize) -> f64 {
        self.hankel[order..].iter().fold(0.0, |sum, value| sum + value)
    }

    /// Whether the values at both sides of an order are equal, so that the smaller system may be unstable.
    pub fn is_tie(&self, order: usize) -> bool {
        order > 0 && order < self.hankel.len() && self.hankel[order - 1] - self.hankel[order] <= RANK * self.hankel[order - 1]
    }

    /// The system with the first `order` balanced states; `b` may have more columns than what was balanced.
    pub fn reduced(&self, (a, b, c): (&Matrix, &Matrix, &Matrix), order: usize, rest: Rest) -> Option<Reduced> {
        let (all, kept) = (self.hankel.len(), order);
        let a = self.left.times(a).times(&self.right);
        let b = self.left.times(b);
        let c = c.times(&self.right);
        let (first, last) = (0..kept, kept..all);
        let (inputs, outputs) = (0..b.columns, 0..c.rows);
        let (a11, b1, c1) =
            (a.block(first.clone(), first.clone()), b.block(first.clone(), inputs.clone()), c.block(outputs.clone(), first.clone()));
        let (x, y) = match rest {
            Rest::Truncated => (Matrix::zeros(all - kept, kept), Matrix::zeros(all - kept, b.columns)),
            Rest::Residualised => {
                let a22 = a.block(last.clone(), last.clone());
                (a22.solve(&a.block(last.clone(), first.clone()))?, a22.solve(&b.block(last.clone(), inputs))?)
            }
        };
        let (a12, c2) = (a.block(first, last.clone()), c.block(outputs, last));
        Some(Reduced {
            a: a11.plus(&a12.times(&x).scaled(-1.0)),
            b: b1.plus(&a12.times(&y).scaled(-1.0)),
            c: c1.plus(&c2.times(&x).scaled(-1.0)),
            d: c2.times(&y).scaled(-1.0),
            h: Matrix::identity(kept).above(&x.scaled(-1.0)),
            k: Matrix::zeros(kept, b.columns).above(&y.scaled(-1.0)),
        })
    }
}

/// How states of the whole system become states of the smaller one such that its free motion fits best (Papadopoulos' thesis,
/// section 5.3): `Psi = Wr^-1 Wx`, over an infinite or a finite time. Also the condition of `Wr`.
pub fn free_motion_map(a: &Matrix, c: &Matrix, reduced: &Reduced, horizon: Option<f64>) -> Option<(Matrix, f64)> {
    let (n, k) = (a.rows, reduced.a.rows);
    let upper = reduced.a.beside(&Matrix::zeros(k, n));
    let lower = Matrix::zeros(n, k).beside(a);
    let both = upper.above(&lower);
    let outputs = reduced.c.beside(c);
    // Both systems side by side: the Gramian has the blocks Wr and Wx.
    let (_, factor) = gramians(&both, &Matrix::zeros(n + k, 1), &outputs)?;
    let whole = factor.times(&factor.transposed());
    let (mut wr, mut wx) = (whole.block(0..k, 0..k), whole.block(0..k, k..k + n));
    if let Some(tau) = horizon {
        let (er, e) = (reduced.a.exponential(tau).transposed(), a.exponential(tau));
        wr = wr.plus(&er.times(&wr).times(&er.transposed()).scaled(-1.0));
        wx = wx.plus(&er.times(&wx).times(&e).scaled(-1.0));
    }
    Some((wr.solve(&wx)?, wr.condition()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[f64]]) -> Matrix {
        let values = (0..rows[0].len()).flat_map(|j| rows.iter().map(move |row| row[j])).collect();
        Matrix { rows: rows.len(), columns: rows[0].len(), values }
    }

    /// A chain of compartments that lose heat.
    fn chain(n: usize) -> (Matrix, Matrix, Matrix) {
        let mut a = Matrix::zeros(n, n);
        for i in 0..n {
            a.set(i, i, -2.1);
            if i > 0 {
                a.set(i, i - 1, 1.0);
                a.set(i - 1, i, 1.0);
            }
        }
        let (mut b, mut c) = (Matrix::zeros(n, 1), Matrix::zeros(1, n));
        b.set(0, 0, 1.0);
        c.set(0, n / 2, 1.0);
        (a, b, c)
    }

    #[test]
    fn the_gramians_solve_their_equations() {
        let (a, b, c) = chain(12);
        let (r, l) = gramians(&a, &b, &c).expect("it is stable");
        for (a, factor, push) in [(a.clone(), r, b), (a.transposed(), l, c.transposed())] {
            let w = factor.times(&factor.transposed());
            let rest = a.times(&w).plus(&w.times(&a.transposed())).plus(&push.times(&push.transposed()));
            assert!(rest.values.iter().all(|value| value.abs() < 1e-13), "{rest:?}");
        }
    }

    #[test]
    fn hankel_values_of_a_system_that_is_known() {
        // 1/(s+1): Gramians 1/2. A second state that nothing reaches has no value.
        let (a, b, c) = (matrix(&[&[-1.0, 0.0], &[0.0, -2.0]]), matrix(&[&[1.0], &[0.0]]), matrix(&[&[1.0, 1.0]]));
        let balanced = balance(&a, &b, &c).expect("it is stable");
        assert_eq!(balanced.hankel.len(), 1);
        assert!((balanced.hankel[0] - 0.5).abs() < 1e-15, "{balanced:?}");
    }

    #[test]
    fn both_ways_keep_what_they_promise() {
        let (a, b, c) = chain(12);
        let balanced = balance(&a, &b, &c).expect("it is stable");
        let gain = |a: &Matrix, b: &Matrix, c: &Matrix| c.times(&a.solve(b).expect("it is regular")).scaled(-1.0).get(0, 0);
        // What is below the numerical rank is left out of the balanced system already.
        let left_out = 2.0 * 12.0 * 1e-9 * balanced.hankel[0];
        for order in 1..4 {
            let reduced = balanced.reduced((&a, &b, &c), order, Rest::Residualised).expect("it is regular");
            let difference = gain(&reduced.a, &reduced.b, &reduced.c) + reduced.d.get(0, 0) - gain(&a, &b, &c);
            assert!(difference.abs() < left_out, "order {order}: {difference:e}");
            let reduced = balanced.reduced((&a, &b, &c), order, Rest::Truncated).expect("it is regular");
            assert!(reduced.d.get(0, 0) == 0.0);
            assert!((gain(&reduced.a, &reduced.b, &reduced.c) - gain(&a, &b, &c)).abs() <= balanced.bound(order));
        }
    }

    #[test]
    fn an_unstable_system_is_not_balanced() {
        let (mut a, b, c) = chain(4);
        a.set(3, 3, 1.0);
        assert!(balance(&a, &b, &c).is_none());
        let ((value, _), state) = a.rightmost().expect("it has eigenvalues");
        assert!(value > 0.0 && state == 3);
        assert!(balance(&matrix(&[&[0.0]]), &matrix(&[&[1.0]]), &matrix(&[&[1.0]])).is_none());
    }

    #[test]
    fn the_exponential_turns() {
        let turn = matrix(&[&[0.0, -1.0], &[1.0, 0.0]]).exponential(30.0);
        assert!((turn.get(0, 0) - 30f64.cos()).abs() < 1e-12 && (turn.get(1, 0) - 30f64.sin()).abs() < 1e-12);
    }

    #[test]
    fn the_map_of_the_free_motion_is_the_identity_without_reduction() {
        let (a, b, c) = chain(3);
        let balanced = balance(&a, &b, &c).expect("it is stable");
        let order = balanced.hankel.len();
        let reduced = balanced.reduced((&a, &b, &c), order, Rest::Residualised).expect("it is regular");
        for horizon in [None, Some(2.0)] {
            let (psi, condition) = free_motion_map(&a, &c, &reduced, horizon).expect("it is regular");
            let identity = psi.times(&balanced.right);
            assert!(condition.is_finite() && identity.plus(&Matrix::identity(order).scaled(-1.0)).values.iter().all(|v| v.abs() < 1e-6));
        }
    }
}
