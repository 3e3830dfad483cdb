//! What eigenvalues say about a Jacobian: its stiffness ratio, and whether a mixed-mode step damps or grows.
//!
//! Input: a [`Jacobian`], and for the step a set of fast states and its length. Output: a ratio, a spectral radius. Cost: O(n^3) for
//! small models; large ones have no ratio, and a radius estimated in a Krylov space.

use super::jacobian::Jacobian;
use partita_runtime::integrate::mixed::Pair;
use partita_runtime::integrate::stability::{self, SpectralRadius};

/// Largest by smallest absolute real part of the eigenvalues; real parts that are zero up to rounding do not count. `None` if there
/// are none, and for large models.
pub fn stiffness_ratio(jacobian: &Jacobian) -> Option<f64> {
    let eigenvalues = stability::eigenvalues(jacobian.pattern(), jacobian.values())?;
    let largest = eigenvalues.iter().map(|(re, im)| re.hypot(*im)).fold(0.0, f64::max);
    let sizes = eigenvalues.iter().map(|(re, _)| re.abs()).filter(|size| *size > 1e-12 * largest);
    let (low, high) = sizes.fold((f64::INFINITY, 0.0f64), |(low, high), size| (low.min(size), high.max(size)));
    (high > 0.0).then(|| high / low)
}

/// The spectral radius of one step of mixed-mode Euler, `(I - h Q J)^-1 (I + h P J)`, where Q keeps the rows of the fast states and P
/// the others: above one, errors grow. `None` if the step matrix is singular.
pub fn mixed_mode_radius(jacobian: &Jacobian, fast: &[usize], h: f64) -> Option<SpectralRadius> {
    let mut fast = fast.to_vec();
    fast.sort_unstable();
    h.is_finite().then(|| stability::spectral_radius(jacobian.pattern(), jacobian.values(), &fast, Pair::Euler, h))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_half_car_has_the_published_stiffness_ratio_and_radius() {
        let rows = vec![vec![0.0, 1.0, 0.0, 0.0], vec![-98.0, -14.0, 0.0, -2.1], vec![0.0, 0.0, 0.0, 1.0], vec![0.0, -1.0, -50.4, -7.5]];
        let jacobian = Jacobian::dense(&["z", "zdot", "theta", "thetadot"], &rows).expect("finite");
        let ratio = stiffness_ratio(&jacobian).expect("it is damped");
        assert!((ratio - 1.8685743842440474).abs() < 1e-9, "{ratio}");
        let radius = mixed_mode_radius(&jacobian, &[1], 0.04).expect("regular");
        assert!(radius.exact && (radius.value - 0.8883525937962727).abs() < 1e-9, "{radius:?}");
    }
}
