//! Backward differences of the states, and what a step of backward differentiation does with them.
//!
//! Row 0 is the last point, row `j` the difference of order `j` over steps of equal size; two rows more than the order are kept, from
//! which a higher order is judged. Method: the states are taken some at a time through all rows, so that every value is read
//! and written once per operation; the number of rows is known where the loops are compiled. Every operation gives the bits that it
//! would give row by row. Cost: one pass over the rows in use.

use super::{GAMMA, MAX_ORDER};

/// States that are taken through the rows together.
const WIDTH: usize = 8;

/// The differences.
#[derive(Debug)]
pub(super) struct Differences {
    n: usize,
    /// `MAX_ORDER + 3` rows of `n`.
    rows: Vec<f64>,
}

/// Calls a function with the number of rows that goes with an order, `more` than the order.
macro_rules! with_rows {
    ($order:expr, $more:literal, $self:ident.$name:ident($($arg:expr),*)) => {
        match $order {
            1 => $self.$name::<{ 1 + $more }>($($arg),*),
            2 => $self.$name::<{ 2 + $more }>($($arg),*),
            3 => $self.$name::<{ 3 + $more }>($($arg),*),
            4 => $self.$name::<{ 4 + $more }>($($arg),*),
            _ => $self.$name::<{ MAX_ORDER + $more }>($($arg),*),
        }
    };
}

impl Differences {
    /// For `n` states.
    pub(super) fn new(n: usize) -> Differences {
        Differences { n, rows: vec![0.0; (MAX_ORDER + 3) * n] }
    }

    /// The difference of an order.
    pub(super) fn row(&self, k: usize) -> &[f64] {
        &self.rows[k * self.n..(k + 1) * self.n]
    }

    /// The last point.
    pub(super) fn point(&self) -> &[f64] {
        self.row(0)
    }

    /// A point without a past; the first difference is to be filled in.
    pub(super) fn begin(&mut self, x: &[f64]) -> &mut [f64] {
        self.rows[..self.n].copy_from_slice(x);
        self.begin_again().1
    }

    /// The last point and the first difference, which is to be filled in; there are no others.
    pub(super) fn begin_again(&mut self) -> (&[f64], &mut [f64]) {
        self.rows[self.n..].fill(0.0);
        let (point, rest) = self.rows.split_at_mut(self.n);
        (point, &mut rest[..self.n])
    }

    /// Makes differences of the values at t, t - h, ..., as many as the order and one.
    pub(super) fn take_past(&mut self, order: usize, mut values: Vec<f64>) {
        let n = self.n;
        for j in 1..=order {
            for m in (j..=order).rev() {
                let (newer, older) = values.split_at_mut(m * n);
                for (old, new) in older[..n].iter_mut().zip(&newer[(m - 1) * n..]) {
                    *old = new - *old;
                }
            }
        }
        self.rows[..(order + 1) * n].copy_from_slice(&values);
        self.rows[(order + 1) * n..].fill(0.0);
    }

    /// `prediction` is the sum of the differences, `psi` that of `gamma_j/alpha` times difference `j`.
    pub(super) fn predict(&self, order: usize, alpha: f64, prediction: &mut [f64], psi: &mut [f64]) {
        with_rows!(order, 1, self.predict_rows(alpha, prediction, psi));
    }

    fn predict_rows<const R: usize>(&self, alpha: f64, prediction: &mut [f64], psi: &mut [f64]) {
        let weights: [f64; R] = std::array::from_fn(|j| GAMMA[j] / alpha);
        let whole = self.n - self.n % WIDTH;
        for start in (0..whole).step_by(WIDTH) {
            self.predict_some::<R, WIDTH>(start, &weights, prediction, psi);
        }
        for start in whole..self.n {
            self.predict_some::<R, 1>(start, &weights, prediction, psi);
        }
    }

    fn predict_some<const R: usize, const W: usize>(&self, start: usize, weights: &[f64; R], prediction: &mut [f64], psi: &mut [f64]) {
        let rows: [[f64; W]; R] = self.some(start);
        let (mut x, mut p) = (rows[0], [0.0; W]);
        for j in 1..R {
            for i in 0..W {
                x[i] += rows[j][i];
                p[i] += weights[j] * rows[j][i];
            }
        }
        prediction[start..start + W].copy_from_slice(&x);
        psi[start..start + W].copy_from_slice(&p);
    }

    /// A step was made whose correction of the prediction was `d`: `D_(k+2) = d - D_(k+1); D_(k+1) = d; D_j += D_(j+1)` downwards.
    pub(super) fn advance(&mut self, order: usize, d: &[f64]) {
        with_rows!(order, 3, self.advance_rows(d));
    }

    fn advance_rows<const R: usize>(&mut self, d: &[f64]) {
        let whole = self.n - self.n % WIDTH;
        for start in (0..whole).step_by(WIDTH) {
            self.advance_some::<R, WIDTH>(start, d);
        }
        for start in whole..self.n {
            self.advance_some::<R, 1>(start, d);
        }
    }

    fn advance_some<const R: usize, const W: usize>(&mut self, start: usize, d: &[f64]) {
        let mut rows: [[f64; W]; R] = self.some(start);
        let d = &d[start..start + W];
        for i in 0..W {
            rows[R - 1][i] = d[i] - rows[R - 2][i];
            rows[R - 2][i] = d[i];
        }
        for j in (0..R - 2).rev() {
            for i in 0..W {
                rows[j][i] += rows[j + 1][i];
            }
        }
        self.put(start, 0, &rows);
    }

    /// Keeps the polynomial over steps that are `factor` times as long.
    pub(super) fn rescale(&mut self, order: usize, factor: f64) {
        with_rows!(order, 1, self.rescale_rows(factor));
    }

    fn rescale_rows<const R: usize>(&mut self, factor: f64) {
        let (r, u): ([[f64; R]; R], [[f64; R]; R]) = (rescaling(factor), rescaling(1.0));
        // ru[i][j]: how much of old row i goes into new row j.
        let ru: [[f64; R]; R] = std::array::from_fn(|i| std::array::from_fn(|j| (0..R).map(|k| r[i][k] * u[k][j]).sum()));
        let whole = self.n - self.n % WIDTH;
        for start in (0..whole).step_by(WIDTH) {
            self.rescale_some::<R, WIDTH>(start, &ru);
        }
        for start in whole..self.n {
            self.rescale_some::<R, 1>(start, &ru);
        }
    }

    fn rescale_some<const R: usize, const W: usize>(&mut self, start: usize, ru: &[[f64; R]; R]) {
        let old: [[f64; W]; R] = self.some(start);
        let mut new = [[0.0; W]; R];
        // Row 0 is the point itself and stays.
        for j in 1..R {
            for k in 1..R {
                for i in 0..W {
                    new[j][i] += ru[k][j] * old[k][i];
                }
            }
        }
        self.put(start, 1, &new);
    }

    /// The polynomial at a time that lies `steps(m)` steps behind the point `m` steps before the last one.
    pub(super) fn interpolate(&self, order: usize, steps: impl Fn(usize) -> f64, x: &mut [f64]) {
        // Newton's form over t_n, t_n - h, ...
        x.copy_from_slice(self.point());
        let mut factor = 1.0;
        for j in 1..=order {
            factor *= steps(j - 1) / j as f64;
            for (x, d) in x.iter_mut().zip(self.row(j)) {
                *x += factor * d;
            }
        }
    }

    /// Some states through the first rows.
    fn some<const R: usize, const W: usize>(&self, start: usize) -> [[f64; W]; R] {
        std::array::from_fn(|k| {
            let row = &self.rows[k * self.n + start..][..W];
            std::array::from_fn(|i| row[i])
        })
    }

    /// Puts them back, from row `first` on.
    fn put<const R: usize, const W: usize>(&mut self, start: usize, first: usize, rows: &[[f64; W]; R]) {
        for (k, row) in rows.iter().enumerate().skip(first) {
            self.rows[k * self.n + start..][..W].copy_from_slice(row);
        }
    }
}

/// The matrix R of Shampine and Reichelt: `R[i][j] = prod over m = 1..=i of (m - 1 - factor*j)/m`.
fn rescaling<const R: usize>(factor: f64) -> [[f64; R]; R] {
    let mut r = [[0.0; R]; R];
    for j in 0..R {
        r[0][j] = 1.0;
        for i in 1..R {
            r[i][j] = r[i - 1][j] * (i as f64 - 1.0 - factor * j as f64) / i as f64;
        }
    }
    r
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Differences of order 3 of the cubics `(1 + s) t^3 - s t` at t = 2 with step 0.5, for so many states that some are left over.
    fn cubics(n: usize) -> Differences {
        let mut differences = Differences::new(n);
        let values = (0..4).flat_map(|m| (0..n).map(move |s| cubic(s, 2.0 - 0.5 * f64::from(m)))).collect();
        differences.take_past(3, values);
        differences
    }

    fn cubic(s: usize, t: f64) -> f64 {
        (1.0 + s as f64) * t.powi(3) - s as f64 * t
    }

    #[test]
    fn a_cubic_stays_itself() {
        let n = 11;
        let mut differences = cubics(n);
        let (mut x, mut psi) = (vec![0.0; n], vec![0.0; n]);
        differences.predict(3, 1.0, &mut x, &mut psi);
        assert!((0..n).all(|s| (x[s] - cubic(s, 2.5)).abs() < 1e-12 * cubic(s, 2.5)));
        // The prediction is exact: a step corrects nothing.
        differences.advance(3, &vec![0.0; n]);
        differences.rescale(3, 0.7);
        differences.predict(3, 1.0, &mut x, &mut psi);
        assert!((0..n).all(|s| (x[s] - cubic(s, 2.85)).abs() < 1e-11 * cubic(s, 2.85)));
        differences.interpolate(3, |m| (2.1 - 2.5) / 0.35 + m as f64, &mut x);
        assert!((0..n).all(|s| (x[s] - cubic(s, 2.1)).abs() < 1e-11 * cubic(s, 2.1)));
    }

    #[test]
    fn psi_is_the_weighted_sum_and_corrections_enter_the_higher_rows() {
        let mut differences = Differences::new(1);
        differences.take_past(2, vec![7.0, 4.0, 2.0]);
        let (mut x, mut psi) = ([0.0], [0.0]);
        differences.predict(2, 2.0, &mut x, &mut psi);
        assert_eq!((x, psi), ([11.0], [(1.0 * 3.0 + 1.5 * 1.0) / 2.0]));
        differences.advance(2, &[0.5]);
        let rows: Vec<f64> = (0..5).map(|k| differences.row(k)[0]).collect();
        assert_eq!(rows, [11.5, 4.5, 1.5, 0.5, 0.5]);
    }
}
