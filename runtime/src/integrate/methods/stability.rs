//! The linear map that a step of a mixed-mode method is at an operating point, and its spectral radius.
//!
//! Input: the Jacobian of all states, the fast states, a pair and a step. Output: the largest absolute eigenvalue of the map; above 1
//! the method multiplies some perturbation at every step, whatever the cycles say.
//! Method: one step of `x' = A*x` applied to unit vectors and dense eigenvalues for up to [`DENSE`] states; for more, Arnoldi's
//! method with [`KRYLOV`] vectors, which is an estimate.
//! Guarantee: exact up to rounding for small models. Not enough by itself: transients of maps that are far from normal may grow first.

use crate::integrate::methods::mixed::{Pair, PairTableau};
use crate::linear::Linear;
use crate::model::plan::Pattern;
use faer::Mat;

/// Largest number of states for which all eigenvalues are computed.
const DENSE: usize = 250;
/// Vectors of Arnoldi's method.
const KRYLOV: usize = 80;

/// A spectral radius above one by more than this is not rounding.
pub const GROWTH: f64 = 1e-9;

/// One step of a pair on `x' = A*x`.
struct LinearStep<'a> {
    tableau: &'static PairTableau,
    h: f64,
    pattern: &'a Pattern,
    values: &'a [f64],
    fast: &'a [usize],
    is_fast: Vec<bool>,
    /// `I - h*a_ii*A_ff`, factorised.
    linear: Linear,
}

impl<'a> LinearStep<'a> {
    /// Nothing if the fast block is singular with this step.
    fn new(pattern: &'a Pattern, values: &'a [f64], fast: &'a [usize], pair: Pair, h: f64) -> Option<LinearStep<'a>> {
        let mut is_fast = vec![false; pattern.n_rows];
        fast.iter().for_each(|&state| is_fast[state] = true);
        let block = pattern.restricted(fast);
        let entries = fast.iter().flat_map(|&column| pattern.col_starts[column]..pattern.col_starts[column + 1]);
        let block_values: Vec<f64> = entries.filter(|&entry| is_fast[pattern.rows[entry]]).map(|entry| values[entry]).collect();
        let tableau = pair.tableau();
        let diagonal = tableau.implicit.last().and_then(|row| row.last()).copied().unwrap_or(1.0);
        let mut linear = Linear::new(&block);
        linear.factor(h * diagonal, &block_values).ok()?;
        Some(LinearStep { tableau, h, pattern, values, fast, is_fast, linear })
    }

    /// `A*x` for the rows that are wanted; the others are zero.
    fn product(&self, x: &[f64], fast_rows: bool, fast_columns: Option<bool>) -> Vec<f64> {
        let mut y = vec![0.0; x.len()];
        for (column, window) in self.pattern.col_starts.windows(2).enumerate() {
            if x[column] == 0.0 || fast_columns.is_some_and(|wanted| self.is_fast[column] != wanted) {
                continue;
            }
            for entry in window[0]..window[1] {
                let row = self.pattern.rows[entry];
                if self.is_fast[row] == fast_rows {
                    y[row] += self.values[entry] * x[column];
                }
            }
        }
        y
    }

    fn apply(&mut self, x: &[f64]) -> Vec<f64> {
        let (tableau, h) = (self.tableau, self.h);
        let n = x.len();
        let (mut slow, mut fast): (Vec<Vec<f64>>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
        let combine = |stages: &[Vec<f64>], weights: &[f64], out: &mut [f64]| {
            for (stage, weight) in stages.iter().zip(weights) {
                if *weight != 0.0 {
                    out.iter_mut().zip(stage).for_each(|(out, k)| *out += h * weight * k);
                }
            }
        };
        for i in 0..tableau.stages() {
            let mut stage = x.to_vec();
            combine(&slow, tableau.explicit[i], &mut stage);
            combine(&fast, &tableau.implicit[i][..i], &mut stage);
            let diagonal = tableau.implicit[i][i];
            let mut slope = vec![0.0; n];
            if diagonal != 0.0 {
                // (I - c*A_ff) x_f = base + c*A_fs*x_s.
                let pull = self.product(&stage, true, Some(false));
                let mut b: Vec<f64> = self.fast.iter().map(|&state| stage[state] + h * diagonal * pull[state]).collect();
                self.linear.solve(&mut b);
                for (&state, value) in self.fast.iter().zip(&b) {
                    slope[state] = (value - stage[state]) / (h * diagonal);
                    stage[state] = *value;
                }
            } else {
                slope = self.product(&stage, true, None);
            }
            fast.push(slope);
            slow.push(self.product(&stage, false, None));
        }
        let mut end = x.to_vec();
        combine(&slow, tableau.explicit_b, &mut end);
        combine(&fast, tableau.implicit_b, &mut end);
        end
    }
}

/// A spectral radius, and whether it is more than an estimate.
#[derive(Copy, Clone, Debug, PartialEq, serde::Serialize)]
pub struct SpectralRadius {
    /// The largest absolute eigenvalue of a step.
    pub value: f64,
    /// From all eigenvalues; otherwise from a Krylov space.
    pub exact: bool,
}

/// The spectral radius of a step; nothing if the fast block is singular with this step or the eigenvalues cannot be computed.
pub fn spectral_radius(pattern: &Pattern, values: &[f64], fast: &[usize], pair: Pair, h: f64) -> Option<SpectralRadius> {
    let n = pattern.n_rows;
    let mut step = LinearStep::new(pattern, values, fast, pair, h)?;
    if n == 0 {
        return None;
    }
    let exact = n <= DENSE;
    let matrix = if exact {
        let mut matrix = Mat::<f64>::zeros(n, n);
        for column in 0..n {
            let mut unit = vec![0.0; n];
            unit[column] = 1.0;
            for (row, value) in step.apply(&unit).into_iter().enumerate() {
                matrix[(row, column)] = value;
            }
        }
        matrix
    } else {
        arnoldi(&mut step, n)
    };
    if (0..matrix.ncols()).any(|j| (0..matrix.nrows()).any(|i| !matrix[(i, j)].is_finite())) {
        return None;
    }
    let eigenvalues = matrix.eigenvalues().ok()?;
    let value = eigenvalues.iter().map(|z| z.re.hypot(z.im)).fold(0.0, f64::max);
    Some(SpectralRadius { value, exact })
}

/// All eigenvalues of a matrix, by real and imaginary part; nothing if it is too large or they cannot be computed.
pub fn eigenvalues(pattern: &Pattern, values: &[f64]) -> Option<Vec<(f64, f64)>> {
    let n = pattern.n_rows;
    if n == 0 || n > DENSE || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let mut matrix = Mat::<f64>::zeros(n, n);
    for (column, window) in pattern.col_starts.windows(2).enumerate() {
        for at in window[0]..window[1] {
            matrix[(pattern.rows[at], column)] = values[at];
        }
    }
    Some(matrix.eigenvalues().ok()?.iter().map(|z| (z.re, z.im)).collect())
}

/// The Hessenberg matrix of the map on a Krylov space.
fn arnoldi(step: &mut LinearStep<'_>, n: usize) -> Mat<f64> {
    // A fixed irregular start, so that no direction is missed by plan.
    let mut start: Vec<f64> = (0..n).map(|i| 2.0 * (0.618_033_988_749_894_9 * (i as f64 + 1.0)).fract() - 1.0).collect();
    let length = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let size = length(&start);
    start.iter_mut().for_each(|x| *x /= size);
    let mut basis = vec![start];
    let mut hessenberg = Mat::<f64>::zeros(KRYLOV, KRYLOV);
    let mut used = KRYLOV;
    for j in 0..KRYLOV {
        let mut next = step.apply(&basis[j]);
        let before = length(&next);
        for (i, v) in basis.iter().enumerate() {
            let dot: f64 = next.iter().zip(v).map(|(a, b)| a * b).sum();
            hessenberg[(i, j)] = dot;
            next.iter_mut().zip(v).for_each(|(a, b)| *a -= dot * b);
        }
        let size = length(&next);
        if j + 1 == KRYLOV || size <= 1e-12 * before {
            used = j + 1;
            break;
        }
        hessenberg[(j + 1, j)] = size;
        next.iter_mut().for_each(|x| *x /= size);
        basis.push(next);
    }
    Mat::from_fn(used, used, |i, j| hessenberg[(i, j)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dense(rows: &[&[f64]]) -> (Pattern, Vec<f64>) {
        let n = rows.len();
        let pattern = Pattern { n_rows: n, col_starts: (0..=n).map(|j| j * n).collect(), rows: (0..n * n).map(|k| k % n).collect() };
        let values = (0..n * n).map(|k| rows[k % n][k / n]).collect();
        (pattern, values)
    }

    #[test]
    fn radii_of_the_papers_examples() {
        // Half-car, heave speed fast.
        let (pattern, values) =
            dense(&[&[0.0, 1.0, 0.0, 0.0], &[-98.0, -14.0, 0.0, -2.1], &[0.0, 0.0, 0.0, 1.0], &[0.0, -1.0, -50.4, -7.5]]);
        let radius = spectral_radius(&pattern, &values, &[1], Pair::Euler, 0.04).unwrap();
        assert!(radius.exact && (radius.value - 0.8883525937962727).abs() < 1e-12, "{radius:?}");
        let explicit = spectral_radius(&pattern, &values, &[], Pair::Euler, 0.04).unwrap();
        assert!((explicit.value - 0.8858366125463174).abs() < 1e-12, "{explicit:?}");
        // An undamped oscillator by explicit Euler grows.
        let (pattern, values) = dense(&[&[0.0, 1.0, 0.0], &[-3.0, 0.0, 0.0], &[0.0, 0.0, -1000.0]]);
        let radius = spectral_radius(&pattern, &values, &[2], Pair::Euler, 0.05).unwrap();
        assert!((radius.value - (1.0_f64 + 3.0 * 0.05 * 0.05).sqrt()).abs() < 1e-12, "{radius:?}");
    }

    #[test]
    fn radii_are_those_of_the_stability_functions() {
        let (pattern, values) = dense(&[&[-2.0]]);
        for (pair, slow) in [(Pair::Euler, 0.8), (Pair::Midpoint, 0.82), (Pair::Heun, 0.82), (Pair::Imex3, 1.0 - 0.2 + 0.02 - 0.008 / 6.0)]
        {
            let radius = spectral_radius(&pattern, &values, &[], pair, 0.1).unwrap();
            assert!((radius.value - slow).abs() < 1e-4, "{pair}: {radius:?}");
            let exact = (-0.2_f64).exp();
            let fast = spectral_radius(&pattern, &values, &[0], pair, 0.1).unwrap();
            assert!((fast.value - exact).abs() < 0.02, "{pair}: {fast:?}");
        }
    }

    #[test]
    fn a_large_model_is_estimated() {
        // A chain of 400 with a known largest eigenvalue.
        let n = 400;
        let mut pattern = Pattern { n_rows: n, col_starts: vec![0], rows: Vec::new() };
        let mut values = Vec::new();
        for j in 0..n {
            for i in j.saturating_sub(1)..(j + 2).min(n) {
                pattern.rows.push(i);
                values.push(if i == j { -2.0 } else { 1.0 });
            }
            pattern.col_starts.push(pattern.rows.len());
        }
        let radius = spectral_radius(&pattern, &values, &[], Pair::Euler, 0.6).unwrap();
        assert!(!radius.exact && (radius.value - 1.4).abs() < 0.02, "{radius:?}");
    }
}
