//! Diagonally implicit Runge-Kutta methods over a tableau, with fixed steps or error control.
//!
//! Method: stages one after the other, each by modified Newton iteration; the error estimate is filtered by `(I - gamma*h*J)^-1` so
//! that stiff components do not dominate it (Hosea and Shampine, Appl. Numer. Math. 20 (1996)). Stage derivatives follow from the
//! stage equation, which damps what an evaluation would amplify.
//! Guarantees: a fixed-step method takes steps of the given size, shorter only before a limit and after a failure.
//! Cost: per implicit stage one to four evaluations and solutions.

use super::controller::{Controller, first_step, step_after, step_within};
use super::explicit_rk::interpolate;
use super::method::{Attempt, Method, Rejection, System, norm, worst};
use super::newton::Newton;
use super::tableau::Tableau;
use crate::model::Model;

/// Newton's method solves to this part of the tolerated error of a step.
const NEWTON_PART: f64 = 0.03;

/// The method.
#[derive(Debug)]
pub struct ImplicitRk {
    tableau: Tableau,
    fixed: Option<f64>,
    controller: Option<Controller>,
    newton: Newton,
    newton_failures: u32,
    t: f64,
    t_old: f64,
    h_old: f64,
    h: f64,
    x: Vec<f64>,
    x_old: Vec<f64>,
    x_new: Vec<f64>,
    stages: Vec<Vec<f64>>,
    /// Derivative at `x`, for methods whose first stage is explicit.
    f: Vec<f64>,
    f_known: bool,
    /// For every stage, how the slopes of earlier stages are combined to guess its slope.
    guesses: Vec<Vec<(usize, f64)>>,
    prediction: Vec<f64>,
    psi: Vec<f64>,
    weights: Vec<f64>,
}

/// Weights of the polynomial through the slopes of the nearest earlier stages, at the time of stage `stage`.
fn guess(tableau: &Tableau, stage: usize, nearest: usize) -> Vec<(usize, f64)> {
    let at = tableau.c[stage];
    let mut nodes: Vec<usize> = (0..stage).collect();
    nodes.sort_by(|a, b| (tableau.c[*a] - at).abs().total_cmp(&(tableau.c[*b] - at).abs()));
    nodes.truncate(nearest);
    nodes.sort_unstable();
    nodes
        .iter()
        .map(|j| {
            let others = nodes.iter().filter(|k| *k != j);
            let weight = others.map(|k| (at - tableau.c[*k]) / (tableau.c[*j] - tableau.c[*k])).product();
            (*j, weight)
        })
        .collect()
}

impl ImplicitRk {
    /// The method for a model; `step` is used if the tableau has no error estimate.
    pub fn new(model: &dyn Model, tableau: Tableau, step: f64) -> ImplicitRk {
        let n = model.n_states();
        ImplicitRk {
            tableau,
            fixed: if tableau.error.is_none() { Some(step) } else { None },
            controller: tableau.error.map(|(_, order)| Controller::new(order)),
            newton: Newton::new(model, tableau.stages() as u32),
            newton_failures: 0,
            t: 0.0,
            t_old: 0.0,
            h_old: 0.0,
            h: step,
            x: vec![0.0; n],
            x_old: vec![0.0; n],
            x_new: vec![0.0; n],
            stages: vec![vec![0.0; n]; tableau.stages()],
            f: vec![0.0; n],
            f_known: false,
            guesses: (0..tableau.stages()).map(|stage| guess(&tableau, stage, 2)).collect(),
            prediction: vec![0.0; n],
            psi: vec![0.0; n],
            weights: vec![0.0; n],
        }
    }

    fn try_step(&mut self, system: &mut System<'_>, h: f64, t_new: f64) -> Result<(), Rejection> {
        let tableau = self.tableau;
        system.weights(&self.x, &mut self.weights);
        // Fixed steps have no error estimate to compare with: solve further.
        let part = if self.fixed.is_some() { 1e-2 * NEWTON_PART } else { NEWTON_PART };
        for i in 0..tableau.stages() {
            let diagonal = tableau.a[i][i];
            let t = if tableau.c[i] == 1.0 { t_new } else { self.t + tableau.c[i] * h };
            if diagonal == 0.0 {
                // Only the first stage: it is the derivative at the last point.
                if !self.f_known {
                    system.derivatives(self.t, &self.x, &mut self.f)?;
                    self.f_known = true;
                }
                self.stages[i].copy_from_slice(&self.f);
                continue;
            }
            // base = x + h * sum of a_ij*k_j, kept in x_new.
            self.x_new.copy_from_slice(&self.x);
            for j in 0..i {
                let factor = h * tableau.a[i][j];
                if factor != 0.0 {
                    for (x, k) in self.x_new.iter_mut().zip(&self.stages[j]) {
                        *x += factor * k;
                    }
                }
            }
            let c = h * diagonal;
            self.psi.fill(0.0);
            for (j, weight) in &self.guesses[i] {
                for (psi, k) in self.psi.iter_mut().zip(&self.stages[*j]) {
                    *psi += c * weight * k;
                }
            }
            if i == 0 && self.f_known {
                for (psi, f) in self.psi.iter_mut().zip(&self.f) {
                    *psi = c * f;
                }
            }
            for ((prediction, base), psi) in self.prediction.iter_mut().zip(&self.x_new).zip(&self.psi) {
                *prediction = base + psi;
            }
            self.newton.solve(system, t, c, &self.prediction, &self.psi, &self.weights, part)?;
            // c*k = x_stage - base = d + psi.
            for ((k, d), psi) in self.stages[i].iter_mut().zip(&self.newton.correction).zip(&self.psi) {
                *k = (d + psi) / c;
            }
        }
        self.x_new.copy_from_slice(&self.x);
        for (stage, weight) in self.stages.iter().zip(tableau.b) {
            if *weight != 0.0 {
                let factor = h * weight;
                for (x, k) in self.x_new.iter_mut().zip(stage) {
                    *x += factor * k;
                }
            }
        }
        Ok(())
    }
}

impl Method for ImplicitRk {
    fn restart(&mut self, system: &mut System<'_>, t: f64, x: &[f64], limit: f64) -> Result<(), Rejection> {
        self.t = t;
        self.x.copy_from_slice(x);
        self.newton.restart();
        self.newton_failures = 0;
        self.f_known = false;
        self.h = match self.fixed {
            Some(h) => h,
            None => {
                system.derivatives(t, x, &mut self.f)?;
                self.f_known = true;
                first_step(system, t, x, &self.f, self.tableau.order, limit, (&mut self.x_new, &mut self.psi))?
            }
        };
        if let Some(controller) = &mut self.controller {
            controller.restart();
        }
        Ok(())
    }

    fn resume(&mut self, t: f64) {
        self.newton.restart();
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
            self.newton_failures += 1;
            self.h = h * if self.newton_failures > 3 { 0.1 } else { 0.3 };
            return Attempt::Rejected(rejection);
        }
        let mut factor = 1.0;
        if let (Some(controller), Some((weights, _))) = (&mut self.controller, self.tableau.error) {
            self.psi.fill(0.0);
            for (stage, weight) in self.stages.iter().zip(weights) {
                if *weight != 0.0 {
                    for (e, k) in self.psi.iter_mut().zip(stage) {
                        *e += h * weight * k;
                    }
                }
            }
            self.newton.filter(&mut self.psi);
            let error = norm(&self.psi, &self.weights);
            system.note_limit(&self.psi, &self.weights);
            factor = controller.factor(if error.is_finite() { error } else { f64::INFINITY });
            if !error.is_finite() || error > 1.0 {
                self.h = h * factor;
                return Attempt::Rejected(Rejection::Error { worst: worst(&self.psi, &self.weights) });
            }
            // A small change is not worth new factors.
            if factor > 1.0 && factor < 1.2 {
                factor = 1.0;
            }
        }
        self.newton_failures = 0;
        std::mem::swap(&mut self.x_old, &mut self.x);
        std::mem::swap(&mut self.x, &mut self.x_new);
        self.t_old = self.t;
        self.h_old = h;
        self.t = t_new;
        self.h = step_after(self.fixed, h, factor, last.then_some(wanted));
        // Stiffly accurate methods end in their last stage.
        let stages = self.tableau.stages();
        self.f_known = self.tableau.a[stages - 1] == self.tableau.b;
        if self.f_known {
            let (f, stages) = (&mut self.f, &self.stages);
            f.copy_from_slice(&stages[stages.len() - 1]);
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
