//! Explicit Runge-Kutta methods over a tableau, with fixed steps or error control.
//!
//! Method: Hairer, Norsett, Wanner, Solving ODEs I, section II.4 to II.6. The derivative at the end of a step is kept as the first
//! stage of the next one, whether or not the tableau has it as a stage.
//! Guarantees: a fixed-step method takes steps of the given size, shorter only before a limit and after a failed evaluation.
//! Cost: as many evaluations per step as the tableau has stages.

use super::controller::{Controller, first_step, step_after, step_within};
use super::method::{Attempt, Method, Rejection, System, norm, worst};
use super::tableau::{Dense, Tableau};
use crate::model::Model;

/// The method.
#[derive(Debug)]
pub struct ExplicitRk {
    tableau: Tableau,
    /// The last row of the matrix is the weights: the last stage is the derivative at the end.
    last_is_first: bool,
    /// Step size of a fixed-step method.
    fixed: Option<f64>,
    controller: Option<Controller>,
    t: f64,
    /// Begin and size of the last accepted step, for values within it.
    t_old: f64,
    h_old: f64,
    /// The next step.
    h: f64,
    x: Vec<f64>,
    x_old: Vec<f64>,
    x_new: Vec<f64>,
    /// Derivative at `x`, if evaluated.
    f_known: bool,
    /// Stages of the last attempt; stage 0 of the next attempt is `f`.
    stages: Vec<Vec<f64>>,
    f: Vec<f64>,
    error: Vec<f64>,
    weights: Vec<f64>,
}

impl ExplicitRk {
    /// The method for a model; `step` is used if the tableau has no error estimate.
    pub fn new(model: &dyn Model, tableau: Tableau, step: f64) -> ExplicitRk {
        let n = model.n_states();
        let last_is_first = tableau.a.last().is_some_and(|row| *row == tableau.b) && tableau.stages() > 1;
        ExplicitRk {
            tableau,
            last_is_first,
            fixed: if tableau.error.is_none() { Some(step) } else { None },
            controller: tableau.error.map(|(_, order)| Controller::new(order)),
            t: 0.0,
            t_old: 0.0,
            h_old: 0.0,
            h: step,
            x: vec![0.0; n],
            x_old: vec![0.0; n],
            x_new: vec![0.0; n],
            f_known: false,
            stages: vec![vec![0.0; n]; tableau.stages()],
            f: vec![0.0; n],
            error: vec![0.0; n],
            weights: vec![0.0; n],
        }
    }

    fn try_step(&mut self, system: &mut System<'_>, h: f64, t_new: f64) -> Result<(), Rejection> {
        if !self.f_known {
            system.derivatives(self.t, &self.x, &mut self.f)?;
            self.f_known = true;
        }
        self.stages[0].copy_from_slice(&self.f);
        for i in 1..self.tableau.stages() {
            combine(&self.x, &self.stages[..i], &self.tableau.a[i][..i], h, &mut self.x_new);
            let t = if self.tableau.c[i] == 1.0 { t_new } else { self.t + self.tableau.c[i] * h };
            let (_, rest) = self.stages.split_at_mut(i);
            system.derivatives(t, &self.x_new, &mut rest[0])?;
        }
        if !self.last_is_first {
            combine(&self.x, &self.stages, self.tableau.b, h, &mut self.x_new);
        }
        if let Dense::Hermite = self.tableau.dense {
            // Also proves that the model can be evaluated at the new point.
            system.derivatives(t_new, &self.x_new, &mut self.error)?;
        }
        Ok(())
    }
}

/// `out = x + h * sum of weights[j]*stages[j]`.
fn combine(x: &[f64], stages: &[Vec<f64>], weights: &[f64], h: f64, out: &mut [f64]) {
    out.copy_from_slice(x);
    for (stage, weight) in stages.iter().zip(weights) {
        if *weight != 0.0 {
            let factor = h * weight;
            for (out, k) in out.iter_mut().zip(stage) {
                *out += factor * k;
            }
        }
    }
}

impl Method for ExplicitRk {
    fn restart(&mut self, system: &mut System<'_>, t: f64, x: &[f64], limit: f64) -> Result<(), Rejection> {
        self.t = t;
        self.x.copy_from_slice(x);
        system.derivatives(t, x, &mut self.f)?;
        self.f_known = true;
        self.h = match self.fixed {
            Some(h) => h,
            None => first_step(system, t, x, &self.f, self.tableau.order, limit, (&mut self.x_new, &mut self.error))?,
        };
        if let Some(controller) = &mut self.controller {
            controller.restart();
        }
        Ok(())
    }

    fn resume(&mut self, t: f64) {
        self.f_known = false;
        if t != self.t {
            let mut x = std::mem::take(&mut self.x_new);
            self.interpolate(t, &mut x);
            self.x_new = std::mem::replace(&mut self.x, x);
            self.t = t;
        }
    }

    fn attempt(&mut self, system: &mut System<'_>, limit: f64) -> Attempt {
        let wanted = self.h.min(system.max_step);
        let (h, last) = step_within(self.fixed, self.t, wanted, limit);
        let t_new = if last { limit } else { self.t + h };
        if let Err(rejection) = self.try_step(system, h, t_new) {
            self.h = 0.25 * h;
            return Attempt::Rejected(rejection);
        }
        let mut factor = 1.0;
        if let (Some(controller), Some((weights, _))) = (&mut self.controller, self.tableau.error) {
            self.error.fill(0.0);
            for (stage, weight) in self.stages.iter().zip(weights) {
                if *weight != 0.0 {
                    for (e, k) in self.error.iter_mut().zip(stage) {
                        *e += h * weight * k;
                    }
                }
            }
            for (((w, x), x_new), atol) in self.weights.iter_mut().zip(&self.x).zip(&self.x_new).zip(&system.atol) {
                *w = 1.0 / (system.rtol * x.abs().max(x_new.abs()) + atol);
            }
            let error = norm(&self.error, &self.weights);
            system.note_limit(&self.error, &self.weights);
            factor = controller.factor(if error.is_finite() { error } else { f64::INFINITY });
            if !error.is_finite() || error > 1.0 {
                self.h = h * factor;
                return Attempt::Rejected(Rejection::Error { worst: worst(&self.error, &self.weights) });
            }
        }
        std::mem::swap(&mut self.x_old, &mut self.x);
        std::mem::swap(&mut self.x, &mut self.x_new);
        self.t_old = self.t;
        self.h_old = h;
        self.t = t_new;
        self.h = step_after(self.fixed, h, factor, last.then_some(wanted));
        if self.last_is_first {
            let end = self.stages.len() - 1;
            self.f.copy_from_slice(&self.stages[end]);
            self.f_known = true;
        } else if let Dense::Hermite = self.tableau.dense {
            self.f.copy_from_slice(&self.error);
            self.f_known = true;
        } else {
            self.f_known = false;
        }
        Attempt::Accepted
    }

    fn time(&self) -> f64 {
        self.t
    }

    fn state(&self) -> &[f64] {
        &self.x
    }

    fn next_step(&self) -> f64 {
        self.h
    }

    fn interpolate(&self, t: f64, x: &mut [f64]) {
        interpolate(&self.tableau, (self.t_old, self.h_old), t, (&self.x_old, &self.x), &self.stages, &self.f, x);
    }

    fn order(&self) -> usize {
        self.tableau.order
    }
}

/// Values within a step from `t_old` of size `h` between the points `ends`; `f_end` is the derivative at its end.
pub(super) fn interpolate(
    tableau: &Tableau,
    (t_old, h): (f64, f64),
    t: f64,
    ends: (&[f64], &[f64]),
    stages: &[Vec<f64>],
    f_end: &[f64],
    x: &mut [f64],
) {
    let theta = (t - t_old) / h;
    match tableau.dense {
        Dense::Linear => {
            for ((x, a), b) in x.iter_mut().zip(ends.0).zip(ends.1) {
                *x = a + theta * (b - a);
            }
        }
        Dense::Hermite => {
            // Hairer I, II.6 (6.7).
            let q = theta * (theta - 1.0);
            for i in 0..x.len() {
                let (a, b) = (ends.0[i], ends.1[i]);
                x[i] = (1.0 - theta) * a
                    + theta * b
                    + q * ((1.0 - 2.0 * theta) * (b - a) + (theta - 1.0) * h * stages[0][i] + theta * h * f_end[i]);
            }
        }
        Dense::Polynomial(rows) => {
            x.copy_from_slice(ends.0);
            for (stage, row) in stages.iter().zip(rows) {
                let weight = row.iter().rev().fold(0.0, |sum, p| (sum + p) * theta);
                if weight != 0.0 {
                    for (x, k) in x.iter_mut().zip(stage) {
                        *x += h * weight * k;
                    }
                }
            }
        }
    }
}
