//! Step sizes: the first step, the next step after an error estimate, and steps that meet a given time.

use crate::integrate::system::method::{Rejection, System, norm};

/// Where nothing tells how long a first step could be, this part of the run is guessed.
const LEAST_GUESS: f64 = 1e-6;

/// A first step: the smaller of what the size of the derivative and what its change allow
/// (Hairer, Norsett, Wanner, Solving ODEs I, section II.4), but no shorter than what rounding leaves of the time.
///
/// `f` is the derivative at `(t, x)`; `scratch` has room for two vectors.
pub fn first_step(
    system: &mut System<'_>,
    t: f64,
    x: &[f64],
    f: &[f64],
    order: usize,
    limit: f64,
    scratch: (&mut [f64], &mut [f64]),
) -> Result<f64, Rejection> {
    let (x1, f1) = scratch;
    let n = x.len();
    let longest = (limit - t).min(system.max_step);
    system.scales.begin(f, longest);
    // As large as the states become in the shortest first step that is guessed.
    let mut weights = vec![0.0; n];
    for i in 0..n {
        x1[i] = LEAST_GUESS * longest * f[i];
    }
    system.weights_between(x, x1, &mut weights);
    let d0 = norm(x, &weights);
    let d1 = norm(f, &weights);
    let mut h0 = if d0 < 1e-5 || d1 < 1e-5 { LEAST_GUESS * longest } else { 0.01 * d0 / d1 };
    h0 = h0.min(longest);
    // The trial point of the estimate may lie where the model is not defined: come closer until it is.
    let mut tries = 0;
    loop {
        for i in 0..n {
            x1[i] = x[i] + h0 * f[i];
        }
        match system.derivatives(t + h0, x1, f1) {
            Ok(()) => break,
            Err(rejection) if tries == 30 => return Err(rejection),
            Err(_) => {
                h0 *= 0.1;
                tries += 1;
            }
        }
    }
    for i in 0..n {
        x1[i] = f[i].abs().max(f1[i].abs());
        f1[i] -= f[i];
    }
    let d2 = norm(f1, &weights) / h0;
    let steepest = d1.max(d2);
    let h1 = if steepest <= 1e-15 { (1e-3 * h0).max(LEAST_GUESS * longest) } else { (0.01 / steepest).powf(1.0 / (order as f64 + 1.0)) };
    // A shorter step would not be seen in the time.
    let shortest = 1e3 * f64::EPSILON * t.abs();
    let h = (100.0 * h0).min(h1).max(shortest).min(longest);
    system.scales.begin_to_move(t, h, x1);
    Ok(h)
}

/// The step to take towards `limit`: all of the rest if it is little more than `h`, half of it if it is less than two steps,
/// so that no tiny step is left over. Returns the step and whether it ends at the limit.
pub fn towards(t: f64, h: f64, limit: f64) -> (f64, bool) {
    let rest = limit - t;
    if h >= rest * (1.0 - 1e-9) {
        (rest, true)
    } else if 2.0 * h > rest {
        (0.5 * rest, false)
    } else {
        (h, false)
    }
}

/// The next step of a one-step method and whether it ends at the limit. A fixed step is not halved before a limit: only its last
/// piece is shorter.
pub fn step_within(fixed: Option<f64>, t: f64, wanted: f64, limit: f64) -> (f64, bool) {
    match fixed {
        Some(_) if wanted < (limit - t) * (1.0 - 1e-9) => (wanted, false),
        Some(_) => (limit - t, true),
        None => towards(t, wanted, limit),
    }
}

/// The step to try after an accepted one of size `h`. One that was shortened by a limit, from the size `shortened`, says little
/// about the next one.
pub fn step_after(fixed: Option<f64>, h: f64, factor: f64, shortened: Option<f64>) -> f64 {
    match (fixed, shortened) {
        (Some(fixed), Some(_)) => fixed,
        (Some(fixed), None) => (2.0 * h).min(fixed),
        (None, Some(wanted)) => wanted.max(h * factor),
        (None, None) => h * factor,
    }
}

/// Proportional-integral control of the step size (Gustafsson 1991; constants as in DOPRI5).
#[derive(Clone, Debug)]
pub struct Controller {
    /// `1 / (order of the error estimate + 1)`, less a share for the integral part.
    exponent: f64,
    /// Exponent of the error before.
    memory: f64,
    previous: f64,
    rejected: bool,
}

/// The largest growth of a step.
const GROWTH: f64 = 6.0;
/// The largest shrinkage of a step.
const SHRINKAGE: f64 = 0.2;
/// Part of the step that would just meet the tolerance.
const SAFETY: f64 = 0.9;

impl Controller {
    /// A controller for an error estimate of the given order.
    pub fn new(order: usize) -> Controller {
        let memory = 0.2 / (order as f64 + 1.0);
        Controller { exponent: 1.0 / (order as f64 + 1.0) - 0.75 * memory, memory, previous: 1e-4, rejected: false }
    }

    /// Forgets the past.
    pub fn restart(&mut self) {
        self.previous = 1e-4;
        self.rejected = false;
    }

    /// The factor for the next step after an error (1 is just right); more than 1 means that this step is rejected.
    pub fn factor(&mut self, error: f64) -> f64 {
        let error = error.max(1e-10);
        if error > 1.0 {
            self.rejected = true;
            return (SAFETY * error.powf(-self.exponent)).max(SHRINKAGE);
        }
        let mut factor = SAFETY * error.powf(-self.exponent) * self.previous.powf(self.memory);
        factor = factor.clamp(SHRINKAGE, GROWTH);
        if self.rejected {
            factor = factor.min(1.0);
        }
        self.rejected = false;
        self.previous = error.max(1e-4);
        factor
    }
}
