//! Explicit Runge-Kutta methods over a tableau, with fixed steps or error control.
//!
//! Method: Hairer, Norsett, Wanner, Solving ODEs I, section II.4 to II.6. The derivative at the end of a step is kept as the first
//! stage of the next one, whether or not the tableau has it as a stage.
//! Guarantees: a fixed-step method takes steps of the given size, shorter only before a limit and after a failed evaluation.
//! Cost: as many evaluations per step as the tableau has stages.

use crate::integrate::methods::controller::first_step;
use crate::integrate::methods::one_step::{OneStep, add, combine};
use crate::integrate::methods::tableau::{Dense, Tableau};
use crate::integrate::system::method::{Attempt, Method, Rejection, System};
use crate::model::interface::HybridModel;

/// The method.
#[derive(Debug)]
pub struct ExplicitRk {
    tableau: Tableau,
    /// The last row of the matrix is the weights: the last stage is the derivative at the end.
    last_is_first: bool,
    at: OneStep,
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
    pub fn new(model: &dyn HybridModel, tableau: Tableau, step: f64) -> ExplicitRk {
        let n = model.n_states();
        let last_is_first = tableau.a.last().is_some_and(|row| *row == tableau.b) && tableau.stages() > 1;
        ExplicitRk {
            tableau,
            last_is_first,
            at: OneStep::new(n, step, tableau.error.map(|(_, order)| order)),
            f_known: false,
            stages: vec![vec![0.0; n]; tableau.stages()],
            f: vec![0.0; n],
            error: vec![0.0; n],
            weights: vec![0.0; n],
        }
    }

    fn try_step(&mut self, system: &mut System<'_>, h: f64, t_new: f64) -> Result<(), Rejection> {
        let tableau = self.tableau;
        if !self.f_known {
            system.derivatives(self.at.t, &self.at.x, &mut self.f)?;
            self.f_known = true;
        }
        self.stages[0].copy_from_slice(&self.f);
        for i in 1..self.tableau.stages() {
            self.combine(&tableau.a[i][..i], h);
            let t = if self.tableau.c[i] == 1.0 { t_new } else { self.at.t + self.tableau.c[i] * h };
            system.derivatives(t, &self.at.x_new, &mut self.stages[i])?;
        }
        if !self.last_is_first {
            self.combine(tableau.b, h);
        }
        if let Dense::Hermite = self.tableau.dense {
            // Also proves that the model can be evaluated at the new point.
            system.derivatives(t_new, &self.at.x_new, &mut self.error)?;
        }
        Ok(())
    }

    /// `x_new = x + h * sum of weights[j]*stages[j]`.
    fn combine(&mut self, weights: &[f64], h: f64) {
        combine(&mut self.at.x_new, &self.at.x, &self.stages, weights, h);
    }
}

impl Method for ExplicitRk {
    fn restart(&mut self, system: &mut System<'_>, t: f64, x: &[f64], limit: f64) -> Result<(), Rejection> {
        self.at.restart(t, x);
        system.derivatives(t, x, &mut self.f)?;
        self.f_known = true;
        self.at.h = match self.at.fixed {
            Some(h) => h,
            None => first_step(system, t, x, &self.f, self.tableau.order, limit, (&mut self.at.x_new, &mut self.error))?,
        };
        Ok(())
    }

    fn resume(&mut self, t: f64) {
        self.f_known = false;
        let (tableau, stages, f) = (&self.tableau, &self.stages, &self.f);
        self.at.go_back(t, |at, x| interpolate(tableau, at, t, stages, f, x));
    }

    fn attempt(&mut self, system: &mut System<'_>, limit: f64) -> Attempt {
        let trial = self.at.trial(system, limit);
        if let Err(rejection) = self.try_step(system, trial.h, trial.t_new) {
            self.at.failed(trial);
            return Attempt::Rejected(rejection);
        }
        let mut factor = 1.0;
        if let Some((weights, _)) = self.tableau.error {
            self.error.fill(0.0);
            add(&mut self.error, &self.stages, weights, trial.h);
            system.weights_between(&self.at.x, &self.at.x_new, &mut self.weights);
            factor = match self.at.judge(system, trial, &self.error, &self.weights, false) {
                Ok(factor) => factor,
                Err(rejection) => return Attempt::Rejected(rejection),
            };
        }
        self.at.accept(trial, factor);
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
        self.at.t
    }

    fn state(&self) -> &[f64] {
        &self.at.x
    }

    fn next_step(&self) -> f64 {
        self.at.h
    }

    fn interpolate(&self, t: f64, x: &mut [f64]) {
        interpolate(&self.tableau, &self.at, t, &self.stages, &self.f, x);
    }

    fn order(&self) -> usize {
        self.tableau.order
    }
}

/// Values within the last accepted step; `f_end` is the derivative at its end.
pub(crate) fn interpolate(tableau: &Tableau, at: &OneStep, t: f64, stages: &[Vec<f64>], f_end: &[f64], x: &mut [f64]) {
    let (h, ends) = (at.h_old, (&at.x_old, &at.x));
    let theta = (t - at.t_old) / h;
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
