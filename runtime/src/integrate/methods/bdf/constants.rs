//! The numbers of backward differentiation, each with its reason.

use crate::integrate::methods::tableau::{Dense, ESDIRK4, Tableau};

/// The highest order that is stable for stiff systems far enough off the imaginary axis.
pub(super) const MAX_ORDER: usize = 5;
/// Sums of `1/j`, j = 1..k.
pub(super) const GAMMA: [f64; MAX_ORDER + 1] = [0.0, 1.0, 1.5, 11.0 / 6.0, 25.0 / 12.0, 137.0 / 60.0];
/// The paper's kappa: trades stability for accuracy.
pub(super) const KAPPA: [f64; MAX_ORDER + 1] = [0.0, -0.1850, -1.0 / 9.0, -0.0823, -0.0415, 0.0];

/// Part of the step that would just meet the tolerance.
pub(super) const SAFETY: f64 = 0.9;
/// A longer step must be worth a new factorisation.
pub(super) const LEAST_GROWTH: f64 = 1.2;
/// The largest growth of a step.
pub(super) const MOST_GROWTH: f64 = 10.0;
/// Newton's method solves to this part of the tolerated error of a step.
pub(super) const NEWTON_PART: f64 = 0.02;
/// After so many failed error tests in a row the past is not trusted any more.
pub(super) const MOST_ERROR_FAILURES: u32 = 4;
/// Steps of the one-step method after a restart; fewer if the step size has found its level.
pub(super) const MOST_FIRST_STEPS: u32 = 3;
/// The one-step method goes on while the next step may be so much longer.
pub(super) const FIRST_GROWTH: f64 = 2.0;
/// The one-step method is used while its step times the fastest rate of the model is no more than this.
pub(super) const FASTEST: f64 = 1.0;
/// Order after the first steps: that of their interpolant.
pub(super) const FIRST_ORDER: usize = 3;
/// The one-step method. Its interpolant has the right slope at the event that it starts from: what leaves zero there, however
/// slowly, leaves it to the right side.
pub(super) const FIRST_STEPS: Tableau = Tableau { dense: Dense::Hermite, ..ESDIRK4 };

/// `(1 - kappa) * gamma`.
pub(super) fn alpha(order: usize) -> f64 {
    (1.0 - KAPPA[order]) * GAMMA[order]
}

/// The error of a step is this times the difference of order `order + 1`.
pub(super) fn error_constant(order: usize) -> f64 {
    // At the two ends kappa is zero.
    let kappa_gamma = if order <= MAX_ORDER { KAPPA[order] * GAMMA[order] } else { 0.0 };
    kappa_gamma + 1.0 / (order as f64 + 1.0)
}
