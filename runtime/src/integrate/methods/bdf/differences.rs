//! Backward differences of the states, and what a step of backward differentiation does with them.
//!
//! Row 0 is the last point, row `j` the difference of order `j` over steps of equal size. The last two corrections are kept as
//! well: the last one is the difference of the next order, and from both a higher order is judged.
//! Method: the states are taken some at a time through all rows, so that every value is read and written once per operation; the
//! number of rows is known where the loops are compiled. A step and the prediction of the next one are one operation, since most
//! steps are followed by one of the same size and order. Every operation gives the bits that it would give row by row.
//! Cost: one pass over the rows in use.

use super::constants::{GAMMA, MAX_ORDER, alpha};
use crate::base::simd::{WIDTH, Work, sum, wide};
use crate::integrate::system::method::mean_root;

/// The differences.
#[derive(Debug)]
pub(crate) struct Differences {
    n: usize,
    /// `MAX_ORDER + 1` rows of `n`.
    rows: Vec<f64>,
    /// The corrections of the last step and of the one before.
    corrections: [Vec<f64>; 2],
    prediction: Prediction,
}

/// What a step begins with.
#[derive(Debug)]
pub(crate) struct Prediction {
    /// The order for which the rest is there already.
    order: Option<usize>,
    /// The states: the sum of the differences.
    pub(crate) x: Vec<f64>,
    /// The sum of `gamma_j/alpha` times difference `j`.
    pub(crate) psi: Vec<f64>,
}

/// Calls a function with the number of rows that goes with an order.
macro_rules! with_rows {
    ($order:expr, $self:ident.$name:ident($($arg:expr),*)) => {
        match $order {
            1 => $self.$name::<2>($($arg),*),
            2 => $self.$name::<3>($($arg),*),
            3 => $self.$name::<4>($($arg),*),
            4 => $self.$name::<5>($($arg),*),
            _ => $self.$name::<{ MAX_ORDER + 1 }>($($arg),*),
        }
    };
}

impl Differences {
    /// For `n` states.
    pub(crate) fn new(n: usize) -> Differences {
        let zeros = || vec![0.0; n];
        let prediction = Prediction { order: None, x: zeros(), psi: zeros() };
        Differences { n, rows: vec![0.0; (MAX_ORDER + 1) * n], corrections: [zeros(), zeros()], prediction }
    }

    /// The difference of an order.
    pub(crate) fn row(&self, k: usize) -> &[f64] {
        &self.rows[k * self.n..(k + 1) * self.n]
    }

    /// The last point.
    pub(crate) fn point(&self) -> &[f64] {
        self.row(0)
    }

    /// A point without a past; the first difference is to be filled in.
    pub(crate) fn begin(&mut self, x: &[f64]) -> &mut [f64] {
        self.rows[..self.n].copy_from_slice(x);
        self.begin_again().1
    }

    /// The last point and the first difference, which is to be filled in; there are no others.
    pub(crate) fn begin_again(&mut self) -> (&[f64], &mut [f64]) {
        self.forget(1);
        let (point, rest) = self.rows.split_at_mut(self.n);
        (point, &mut rest[..self.n])
    }

    /// Forgets the rows from this one on and what was made of them.
    fn forget(&mut self, first: usize) {
        self.rows[first * self.n..].fill(0.0);
        self.corrections.iter_mut().for_each(|correction| correction.fill(0.0));
        self.prediction.order = None;
    }

    /// Makes differences of the values at t, t - h, ..., as many as the order and one.
    pub(crate) fn take_past(&mut self, order: usize, mut values: Vec<f64>) {
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
        self.forget(order + 1);
    }

    /// Makes the last correction the difference of this order, one more than that of the last step.
    pub(crate) fn raise_to(&mut self, order: usize) {
        self.rows[order * self.n..(order + 1) * self.n].copy_from_slice(&self.corrections[0]);
        self.prediction.order = None;
    }

    /// The root of the sum of the weighted squares of the difference of two orders more than that of the last step.
    pub(crate) fn second_next(&self, weights: &[f64]) -> f64 {
        let [last, before] = &self.corrections;
        let square = |[last, before, w]: [f64; 3]| ((last - before) * w) * ((last - before) * w);
        mean_root(sum([last, before, weights], square), self.n)
    }

    /// What a step of an order begins with. The caller may make the solution of it: a further attempt predicts anew.
    pub(crate) fn predict(&mut self, order: usize) -> (&[f64], &mut Prediction) {
        if self.prediction.order.take() != Some(order) {
            with_rows!(order, self.predict_rows(order));
        }
        (&self.rows[..self.n], &mut self.prediction)
    }

    fn predict_rows<const R: usize>(&mut self, order: usize) {
        let Differences { n, rows, prediction: Prediction { x, psi, .. }, .. } = self;
        through_all(*n, Predict { rows: Rows { n: *n, rows }, weights: weights::<R>(order), x, psi });
    }

    /// A step was made whose correction of the prediction was `d`, which is taken away: `D_(k+1) = d; D_j += D_(j+1)` downwards. The
    /// next prediction is for a step of the same size and order.
    pub(crate) fn advance(&mut self, order: usize, d: &mut Vec<f64>) {
        with_rows!(order, self.advance_rows(order, d));
        self.prediction.order = Some(order);
        self.corrections.swap(0, 1);
        std::mem::swap(&mut self.corrections[0], d);
    }

    fn advance_rows<const R: usize>(&mut self, order: usize, d: &[f64]) {
        let Differences { n, rows, prediction: Prediction { x, psi, .. }, .. } = self;
        through_all(*n, Advance { d, predict: Predict { rows: Rows { n: *n, rows }, weights: weights::<R>(order), x, psi } });
    }

    /// Keeps the polynomial over steps that are `factor` times as long.
    pub(crate) fn rescale(&mut self, order: usize, factor: f64) {
        with_rows!(order, self.rescale_rows(factor));
        self.prediction.order = None;
    }

    fn rescale_rows<const R: usize>(&mut self, factor: f64) {
        let (r, u): ([[f64; R]; R], [[f64; R]; R]) = (rescaling(factor), rescaling(1.0));
        let ru: [[f64; R]; R] = std::array::from_fn(|i| std::array::from_fn(|j| (0..R).map(|k| r[i][k] * u[k][j]).sum()));
        through_all(self.n, Rescale { rows: Rows { n: self.n, rows: &mut self.rows }, ru });
    }

    /// The slope of the polynomial over steps of `h` at a time that lies `steps(m)` steps behind the point `m` steps before the last one.
    pub(crate) fn slope(&self, order: usize, h: f64, steps: impl Fn(usize) -> f64, slope: &mut [f64]) {
        slope.fill(0.0);
        let (mut factor, mut factor_slope) = (1.0, 0.0);
        for j in 1..=order {
            let s = steps(j - 1);
            factor_slope = (factor_slope * s + factor / h) / j as f64;
            factor *= s / j as f64;
            for (slope, d) in slope.iter_mut().zip(self.row(j)) {
                *slope += factor_slope * d;
            }
        }
    }

    /// The polynomial at a time that lies `steps(m)` steps behind the point `m` steps before the last one.
    pub(crate) fn interpolate(&self, order: usize, steps: impl Fn(usize) -> f64, x: &mut [f64]) {
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
}

/// Factors of the differences in `psi`.
fn weights<const R: usize>(order: usize) -> [f64; R] {
    std::array::from_fn(|j| GAMMA[j] / alpha(order))
}

/// The rows of the differences.
struct Rows<'a> {
    n: usize,
    rows: &'a mut [f64],
}

impl Rows<'_> {
    /// Some states through the first rows.
    #[inline(always)]
    fn some<const R: usize, const W: usize>(&self, start: usize) -> [[f64; W]; R] {
        let mut some = [[0.0; W]; R];
        for (k, values) in some.iter_mut().enumerate() {
            values.copy_from_slice(&self.rows[k * self.n + start..][..W]);
        }
        some
    }

    /// Puts them back, from row `first` on.
    #[inline(always)]
    fn put<const R: usize, const W: usize>(&mut self, start: usize, first: usize, rows: &[[f64; W]; R]) {
        for k in first..R {
            self.rows[k * self.n + start..][..W].copy_from_slice(&rows[k]);
        }
    }
}

/// What is done with some states at a time.
trait Pass {
    /// For `W` states from `start` on. To be inlined always.
    fn some<const W: usize>(&mut self, start: usize);
}

/// Does a pass for all states.
fn through_all(n: usize, pass: impl Pass) {
    wide(n, ThroughAll { n, pass });
}

struct ThroughAll<P> {
    n: usize,
    pass: P,
}

impl<P: Pass> Work for ThroughAll<P> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        let whole = self.n - self.n % WIDTH;
        let mut start = 0;
        while start < whole {
            self.pass.some::<WIDTH>(start);
            start += WIDTH;
        }
        for start in whole..self.n {
            self.pass.some::<1>(start);
        }
    }
}

struct Predict<'a, const R: usize> {
    rows: Rows<'a>,
    weights: [f64; R],
    x: &'a mut [f64],
    psi: &'a mut [f64],
}

impl<const R: usize> Predict<'_, R> {
    #[inline(always)]
    fn from<const W: usize>(&mut self, start: usize, rows: &[[f64; W]; R]) {
        let (mut x, mut p) = (rows[0], [0.0; W]);
        for j in 1..R {
            for i in 0..W {
                x[i] += rows[j][i];
                p[i] += self.weights[j] * rows[j][i];
            }
        }
        self.x[start..start + W].copy_from_slice(&x);
        self.psi[start..start + W].copy_from_slice(&p);
    }
}

impl<const R: usize> Pass for Predict<'_, R> {
    #[inline(always)]
    fn some<const W: usize>(&mut self, start: usize) {
        let rows = self.rows.some::<R, W>(start);
        self.from(start, &rows);
    }
}

struct Advance<'a, const R: usize> {
    d: &'a [f64],
    predict: Predict<'a, R>,
}

impl<const R: usize> Pass for Advance<'_, R> {
    #[inline(always)]
    fn some<const W: usize>(&mut self, start: usize) {
        let mut rows = self.predict.rows.some::<R, W>(start);
        let d = &self.d[start..start + W];
        for i in 0..W {
            rows[R - 1][i] += d[i];
        }
        for j in (0..R - 1).rev() {
            for i in 0..W {
                rows[j][i] += rows[j + 1][i];
            }
        }
        self.predict.rows.put(start, 0, &rows);
        self.predict.from(start, &rows);
    }
}

struct Rescale<'a, const R: usize> {
    rows: Rows<'a>,
    /// `ru[i][j]`: how much of old row `i` goes into new row `j`.
    ru: [[f64; R]; R],
}

impl<const R: usize> Pass for Rescale<'_, R> {
    #[inline(always)]
    fn some<const W: usize>(&mut self, start: usize) {
        let old = self.rows.some::<R, W>(start);
        let mut new = [[0.0; W]; R];
        // Row 0 is the point itself and stays.
        for j in 1..R {
            for k in 1..R {
                for i in 0..W {
                    new[j][i] += self.ru[k][j] * old[k][i];
                }
            }
        }
        self.rows.put(start, 1, &new);
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
        let predicted = |differences: &mut Differences, t: f64| {
            let x = &differences.predict(3).1.x;
            assert!((0..n).all(|s| (x[s] - cubic(s, t)).abs() < 1e-11 * cubic(s, t)), "{x:?} at {t}");
        };
        predicted(&mut differences, 2.5);
        // The prediction is exact: a step corrects nothing.
        differences.advance(3, &mut vec![0.0; n]);
        predicted(&mut differences, 3.0);
        differences.rescale(3, 0.7);
        predicted(&mut differences, 2.85);
        let mut x = vec![0.0; n];
        differences.interpolate(3, |m| (2.1 - 2.5) / 0.35 + m as f64, &mut x);
        assert!((0..n).all(|s| (x[s] - cubic(s, 2.1)).abs() < 1e-11 * cubic(s, 2.1)));
    }

    #[test]
    fn psi_is_the_weighted_sum_and_corrections_become_differences() {
        let mut differences = Differences::new(1);
        differences.take_past(2, vec![7.0, 4.0, 2.0]);
        let (_, Prediction { x, psi, .. }) = differences.predict(2);
        assert_eq!((x[0], psi[0]), (11.0, (1.0 * 3.0 + 1.5 * 1.0) / alpha(2)));
        differences.advance(2, &mut vec![0.5]);
        let first_rows = |differences: &Differences| -> Vec<f64> { (0..4).map(|k| differences.row(k)[0]).collect() };
        assert_eq!(first_rows(&differences), [11.5, 4.5, 1.5, 0.0]);
        assert_eq!(differences.second_next(&[2.0]), 1.0);
        let (_, Prediction { x, psi, .. }) = differences.predict(2);
        assert_eq!((x[0], psi[0]), (17.5, (1.0 * 4.5 + 1.5 * 1.5) / alpha(2)));
        differences.raise_to(3);
        assert_eq!(first_rows(&differences), [11.5, 4.5, 1.5, 0.5]);
        assert_eq!(differences.predict(3).1.x[0], 18.0);
    }
}
