//! Variable-order variable-step backward differentiation, orders 1 to 5, for stiff systems: the default method but where events come too often (`switching`).
//!
//! Method: numerical differentiation formulas in backward differences with quasi-constant step size
//! (Shampine and Reichelt, The MATLAB ODE Suite, SIAM J. Sci. Comput. 18(1), 1997). A new step size rescales the differences by
//! an interpolation matrix (same paper, section 2.2); order and step are reconsidered after `order + 1` equal steps.
//! The past that the formulas need is made by up to [`MOST_FIRST_STEPS`] steps of an ESDIRK method of order 4: after an event the
//! method goes on with order 3 instead of climbing from order 1 with tiny steps, and what is a parabola stays exact. Where the model
//! is faster than such a step, order 1 begins: its straight lines do not swing where something fast dies out.
//! With a split of the states, only the fast ones are solved for (`mixed::MixedCorrector`).
//! Guarantees: the interpolant is the polynomial through the last `order + 1` points, continuous over step ends.
//! Cost: per step one to four Newton iterations and `order` passes over the states.

mod constants;
mod differences;
mod stability_limit;

use crate::base::error::RunError;
use crate::integrate::methods::controller::{first_step, towards};
use crate::integrate::methods::implicit_rk::ImplicitRk;
use crate::integrate::methods::mixed::{MixedCorrector, Split};
use crate::integrate::system::method::{Attempt, Method, Rejection, System, norm, worst};
use crate::integrate::system::statistics::Partitioning;
use crate::model::interface::HybridModel;
use constants::{
    FASTEST, FIRST_GROWTH, FIRST_ORDER, FIRST_STEPS, LEAST_GROWTH, MAX_ORDER, MOST_ERROR_FAILURES, MOST_FIRST_STEPS, MOST_GROWTH,
    NEWTON_PART, SAFETY, alpha, error_constant,
};
use differences::{Differences, Prediction};
use stability_limit::{FALLING, STABLE_ORDER, StabilityLimit};

/// What solves the equation of a step.
#[derive(Debug)]
enum Corrector {
    /// For all states: the Newton iteration of the one-step method that makes the first steps.
    Whole(Box<ImplicitRk>),
    /// For the fast states; the slow ones are corrected explicitly.
    Mixed(Box<MixedCorrector>),
}

impl Corrector {
    /// The model has changed.
    fn restart(&mut self) {
        match self {
            Corrector::Whole(starter) => starter.forget(),
            Corrector::Mixed(mixed) => mixed.restart(),
        }
    }

    fn correction(&mut self) -> &mut Vec<f64> {
        match self {
            Corrector::Whole(starter) => &mut starter.newton.correction,
            Corrector::Mixed(mixed) => &mut mixed.correction,
        }
    }
}

/// The method.
#[derive(Debug)]
pub struct Bdf {
    n: usize,
    t: f64,
    h: f64,
    order: usize,
    /// Backward differences of the states.
    differences: Differences,
    equal_steps: usize,
    /// What to change before the next attempt: order and factor of the step size.
    pending: Option<(usize, f64)>,
    error_failures: u32,
    newton_failures: u32,
    corrector: Corrector,
    /// Steps of the one-step method since the restart; `None` once the past suffices.
    first_steps: Option<u32>,
    /// Whether high orders swing by themselves.
    stability_limit: StabilityLimit,
    /// The fastest rate of the model at the restart.
    fastest_rate: f64,
    weights: Vec<f64>,
    /// Slopes of the trajectory at a point of output.
    slope: Vec<f64>,
}

impl Bdf {
    /// The method for a model.
    pub fn new(model: &dyn HybridModel) -> Bdf {
        Bdf::with(model.n_states(), Corrector::Whole(Box::new(ImplicitRk::for_first_steps(model, FIRST_STEPS))))
    }

    /// The method that solves for the fast states only.
    pub fn mixed(model: &dyn HybridModel, split: &Split) -> Bdf {
        Bdf::with(model.n_states(), Corrector::Mixed(Box::new(MixedCorrector::new(model, split))))
    }

    fn with(n: usize, corrector: Corrector) -> Bdf {
        Bdf {
            n,
            t: 0.0,
            h: 0.0,
            order: 1,
            differences: Differences::new(n),
            equal_steps: 0,
            pending: None,
            error_failures: 0,
            newton_failures: 0,
            corrector,
            first_steps: None,
            stability_limit: StabilityLimit::new(),
            fastest_rate: f64::INFINITY,
            weights: vec![0.0; n],
            slope: vec![0.0; n],
        }
    }

    /// Multiplies the step size, keeping the polynomial.
    fn rescale(&mut self, factor: f64) {
        if factor == 1.0 {
            return;
        }
        self.differences.rescale(self.order, factor);
        self.h *= factor;
        self.equal_steps = 0;
    }

    /// Begins again with order 1 from the last accepted point.
    fn first_order(&mut self, system: &mut System<'_>, h: f64) -> Result<(), Rejection> {
        let (x, dx) = self.differences.begin_again();
        system.derivatives(self.t, x, dx)?;
        for value in dx {
            *value *= h;
        }
        self.h = h;
        self.order = 1;
        self.equal_steps = 0;
        self.pending = None;
        Ok(())
    }

    /// Takes the values at t, t - h, ..., as many as the order and one, for the past.
    fn take_past(&mut self, values: Vec<f64>) {
        self.differences.take_past(self.order, values);
        self.equal_steps = 0;
    }

    /// Lets the one-step method begin at a point, if the model is slow enough for its step.
    fn start(&mut self, system: &mut System<'_>, t: f64, x: &[f64], limit: f64) -> Result<(), Rejection> {
        self.first_steps = None;
        let Corrector::Whole(starter) = &mut self.corrector else { return Ok(()) };
        starter.restart(system, t, x, limit)?;
        self.fastest_rate = starter.newton.fastest_rate(system, t, x);
        self.first_steps = (starter.next_step() * self.fastest_rate <= FASTEST).then_some(0);
        Ok(())
    }

    /// A step of the one-step method, after `made` ones since the restart, as a polynomial in differences. `None` if it has no say.
    fn step_of_starter(&mut self, system: &mut System<'_>, limit: f64) -> Option<Attempt> {
        let made = self.first_steps?;
        let Corrector::Whole(starter) = &mut self.corrector else { return None };
        let from = self.t;
        let attempt = starter.attempt(system, limit);
        if attempt != Attempt::Accepted {
            return Some(attempt);
        }
        let n = self.n;
        self.t = starter.time();
        let h = self.t - from;
        self.order = FIRST_ORDER;
        self.h = h / FIRST_ORDER as f64;
        let mut values = vec![0.0; (FIRST_ORDER + 1) * n];
        values[..n].copy_from_slice(starter.state());
        for m in 1..FIRST_ORDER {
            starter.interpolate(self.t - m as f64 * self.h, &mut values[m * n..(m + 1) * n]);
        }
        starter.interpolate(from, &mut values[FIRST_ORDER * n..]);
        let next = starter.next_step();
        let goes_on = made + 1 < MOST_FIRST_STEPS && next >= FIRST_GROWTH * h && next * self.fastest_rate <= FASTEST;
        self.take_past(values);
        self.first_steps = goes_on.then_some(made + 1);
        // The one-step method knows how far its step may grow; its polynomial is good for a step of its own length.
        self.pending = (!goes_on && next > h).then(|| (FIRST_ORDER, (next / h).min(FIRST_ORDER as f64)));
        Some(attempt)
    }

    fn shrink(&mut self, factor: f64) {
        self.pending = Some((self.order, factor));
    }

    /// Whether the differences after a step say that the order is to fall to the stable one.
    fn tries_stable_order(&mut self, order: usize, error: f64, highest: f64) -> bool {
        // The one after the highest first, which is known already.
        let seems_to_swing = order > STABLE_ORDER
            && self.stability_limit.is_watching()
            && error > FALLING * error_constant(order) * highest
            && highest > FALLING * norm(self.differences.row(1), &self.weights);
        self.stability_limit.note(self.h, seems_to_swing)
    }

    /// Order and step size after `order + 1` equal steps: whichever order allows the longest step.
    fn choose(&mut self, error: f64, safety: f64) {
        let order = self.order;
        let candidate = |error: f64, order: usize| error.max(1e-12).powf(-1.0 / (order as f64 + 1.0));
        let mut best = (order, candidate(error, order));
        // Of the highest difference that does not depend on the last correction alone.
        let highest = if order > 1 { norm(self.differences.row(order), &self.weights) } else { 0.0 };
        if self.tries_stable_order(order, error, highest) {
            let factor =
                candidate(error_constant(STABLE_ORDER) * norm(self.differences.row(STABLE_ORDER + 1), &self.weights), STABLE_ORDER);
            self.pending = Some((STABLE_ORDER, (safety * factor).clamp(0.2, 1.0)));
            return;
        }
        if order > 1 {
            let lower = error_constant(order - 1) * highest;
            let factor = candidate(lower, order - 1);
            if factor > best.1 {
                best = (order - 1, factor);
            }
        }
        if order < if self.stability_limit.is_trying() { STABLE_ORDER } else { MAX_ORDER } {
            let higher = error_constant(order + 1) * self.differences.second_next(&self.weights);
            let factor = candidate(higher, order + 1);
            if factor > best.1 {
                best = (order + 1, factor);
            }
        }
        let factor = (safety * best.1).min(MOST_GROWTH);
        if factor >= LEAST_GROWTH || best.0 < order {
            self.pending = Some((best.0, factor));
        } else if factor < 0.9 {
            self.pending = Some((best.0, factor.max(0.5)));
        }
    }
}

impl Method for Bdf {
    fn restart(&mut self, system: &mut System<'_>, t: f64, x: &[f64], limit: f64) -> Result<(), Rejection> {
        self.t = t;
        self.differences.begin(x);
        self.corrector.restart();
        self.stability_limit.restart();
        self.error_failures = 0;
        self.newton_failures = 0;
        self.start(system, t, x, limit)?;
        if self.first_steps.is_none() {
            let [mut dx, mut x_later, mut dx_later] = [(); 3].map(|()| vec![0.0; self.n]);
            system.derivatives(t, x, &mut dx)?;
            self.h = first_step(system, t, x, &dx, 1, limit, (&mut x_later, &mut dx_later))?;
            for (d, dx) in self.differences.begin(x).iter_mut().zip(&dx) {
                *d = self.h * dx;
            }
        }
        self.order = 1;
        self.equal_steps = 0;
        self.pending = None;
        Ok(())
    }

    fn resume(&mut self, t: f64) {
        self.corrector.restart();
        if t == self.t {
            if let (Corrector::Whole(starter), Some(_)) = (&mut self.corrector, self.first_steps) {
                starter.resume(t);
            }
            return;
        }
        // A one-step method that goes on would not know of this point.
        self.first_steps = None;
        // The same polynomial in differences that end at t: values at t, t - h, ... and differences of them.
        let (n, order) = (self.n, self.order);
        let mut values = vec![0.0; (order + 1) * n];
        for (m, row) in values.chunks_exact_mut(n.max(1)).enumerate() {
            self.interpolate(t - m as f64 * self.h, row);
        }
        self.t = t;
        self.take_past(values);
    }

    fn translate(&mut self, x: &[f64], other: &mut dyn FnMut(f64, &[f64], &mut [f64]) -> bool) -> bool {
        let n = self.n;
        if self.first_steps.take() == Some(0) {
            return false;
        }
        // Longer steps and a higher order would be taken from a past that is extrapolated or forgotten.
        self.pending = self.pending.filter(|(order, factor)| *order <= self.order && *factor <= 1.0);
        let mut values = vec![0.0; (self.order + 1) * n];
        values[..n].copy_from_slice(x);
        let mut old = vec![0.0; n];
        // The oldest point first, so that the model is left near the last one.
        for m in (1..=self.order).rev() {
            let t = self.t - m as f64 * self.h;
            self.interpolate(t, &mut old);
            if !other(t, &old, &mut values[m * n..(m + 1) * n]) {
                return false;
            }
        }
        self.corrector.restart();
        self.take_past(values);
        true
    }

    fn attempt(&mut self, system: &mut System<'_>, limit: f64) -> Attempt {
        if let Some(attempt) = self.step_of_starter(system, limit) {
            return attempt;
        }
        if let Some((order, factor)) = self.pending.take() {
            if order > self.order {
                self.differences.raise_to(order);
            }
            self.order = order;
            self.rescale(factor);
            self.equal_steps = 0;
        }
        let (step, last) = towards(self.t, self.h.min(system.max_step), limit);
        if step != self.h {
            self.rescale(step / self.h);
            self.h = step;
        }
        let order = self.order;
        let t_new = if last { limit } else { self.t + self.h };

        let constant = error_constant(order);
        let c = self.h / alpha(order);
        let (point, Prediction { x, psi, .. }) = self.differences.predict(order);
        system.weights_between(point, x, &mut self.weights);
        let solved = match &mut self.corrector {
            Corrector::Whole(starter) => starter.newton.solve(system, t_new, c, x, psi, &self.weights, NEWTON_PART / constant),
            Corrector::Mixed(mixed) => mixed.solve(system, t_new, c, x, psi, &self.weights).map(|()| 1),
        };
        let iterations = match solved {
            Ok(iterations) => iterations,
            Err(rejection) => {
                self.newton_failures += 1;
                self.shrink(if self.newton_failures > 3 { 0.1 } else { 0.3 });
                return Attempt::Rejected(rejection);
            }
        };
        let error = constant * norm(self.corrector.correction(), &self.weights);
        system.note_limit(self.corrector.correction(), &self.weights);
        let safety = SAFETY * (2.0 * 4.0 + 1.0) / (2.0 * 4.0 + iterations as f64);
        if error.is_nan() || error > 1.0 {
            self.error_failures += 1;
            let at = worst(self.corrector.correction(), &self.weights);
            if self.error_failures >= MOST_ERROR_FAILURES && order > 1 {
                // The past misleads: a kink that is no event.
                if let Err(rejection) = self.first_order(system, 0.1 * self.h) {
                    return Attempt::Rejected(rejection);
                }
                return Attempt::Rejected(Rejection::Error { worst: at });
            }
            let factor = if error.is_finite() { safety * error.powf(-1.0 / (order as f64 + 1.0)) } else { 0.0 };
            self.shrink(factor.clamp(0.2, 0.9));
            return Attempt::Rejected(Rejection::Error { worst: at });
        }

        system.note_error(error);
        self.error_failures = 0;
        self.newton_failures = 0;
        self.t = t_new;
        self.equal_steps += 1;
        self.differences.advance(order, self.corrector.correction());
        if self.equal_steps > order {
            self.choose(error, safety);
        }
        Attempt::Accepted
    }

    fn time(&self) -> f64 {
        self.t
    }

    fn state(&self) -> &[f64] {
        self.differences.point()
    }

    fn next_step(&self) -> f64 {
        if let (Corrector::Whole(starter), Some(_)) = (&self.corrector, self.first_steps) {
            return starter.next_step();
        }
        self.h * self.pending.map_or(1.0, |(_, factor)| factor)
    }

    fn interpolate(&self, t: f64, x: &mut [f64]) {
        self.differences.interpolate(self.order, |m| (t - (self.t - m as f64 * self.h)) / self.h, x);
    }

    fn correct_output(&mut self, system: &mut System<'_>, t: f64, x: &mut [f64]) {
        let Corrector::Whole(starter) = &mut self.corrector else { return };
        self.differences.slope(self.order, self.h, |m| (t - (self.t - m as f64 * self.h)) / self.h, &mut self.slope);
        starter.correct_towards_slope(system, t, &self.slope, x);
    }

    fn damp(&mut self, v: &mut [f64]) {
        let h = self.next_step();
        match &mut self.corrector {
            Corrector::Whole(starter) => starter.newton.damp(h, v),
            Corrector::Mixed(mixed) => mixed.damp(h, v),
        }
    }

    fn warning(&self, system: &System<'_>) -> Option<RunError> {
        match &self.corrector {
            Corrector::Whole(starter) => starter.warning(system),
            Corrector::Mixed(_) => None,
        }
    }

    fn allow_partition(&mut self, model: &dyn HybridModel) {
        if let Corrector::Whole(starter) = &mut self.corrector {
            starter.allow_partition(model);
        }
    }

    fn partitioning(&self) -> Option<Partitioning> {
        match &self.corrector {
            Corrector::Whole(starter) => starter.partitioning(),
            Corrector::Mixed(_) => None,
        }
    }

    fn order(&self) -> usize {
        if self.first_steps.is_some() { FIRST_STEPS.order } else { self.order }
    }
}
