//! Diagonally implicit Runge-Kutta methods over a tableau, with fixed steps or error control.
//!
//! Method: stages one after the other, each by modified Newton iteration; the error estimate is filtered by `(I - gamma*h*J)^-1` so
//! that stiff components do not dominate it (Hosea and Shampine, Appl. Numer. Math. 20 (1996)). Stage derivatives follow from the
//! stage equation, which damps what an evaluation would amplify.
//! Values within a step are those of the tableau's interpolant, corrected for stiff states ([`DenseOutputCorrection`]).
//! Guarantees: a fixed-step method takes steps of the given size, shorter only before a limit and after a failure.
//! Cost: per implicit stage one to four evaluations and solutions.

use crate::base::error::RunError;
use crate::integrate::methods::controller::first_step;
use crate::integrate::methods::dense_output_correction::DenseOutputCorrection;
use crate::integrate::methods::explicit_rk::interpolate;
use crate::integrate::methods::newton::Newton;
use crate::integrate::methods::one_step::{OneStep, add, combine};
use crate::integrate::methods::output_correction::OutputCorrection;
use crate::integrate::methods::tableau::Tableau;
use crate::integrate::system::method::{Attempt, Method, Rejection, System};
use crate::integrate::system::statistics::Partitioning;
use crate::model::interface::HybridModel;

/// Newton's method solves to this part of the tolerated error of a step.
const NEWTON_PART: f64 = 0.03;

/// Slopes of the trajectory are differences over this part of a step to both sides.
const SLOPE_PART: f64 = 1e-4;

/// The method.
#[derive(Debug)]
pub struct ImplicitRk {
    tableau: Tableau,
    at: OneStep,
    /// Solves the stages.
    pub(crate) newton: Newton,
    /// Moves states at points of output.
    follower: OutputCorrection,
    /// Stiff states within a step.
    within: DenseOutputCorrection,
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
    pub fn new(model: &dyn HybridModel, tableau: Tableau, step: f64) -> ImplicitRk {
        ImplicitRk::with(model, tableau, step, Newton::new(model, tableau.stages() as u32))
    }

    fn with(model: &dyn HybridModel, tableau: Tableau, step: f64, newton: Newton) -> ImplicitRk {
        let n = model.n_states();
        ImplicitRk {
            tableau,
            at: OneStep::new(n, step, tableau.error.map(|(_, order)| order)),
            newton,
            follower: OutputCorrection::default(),
            within: DenseOutputCorrection::new(&tableau, n),
            stages: vec![vec![0.0; n]; tableau.stages()],
            f: vec![0.0; n],
            f_known: false,
            guesses: (0..tableau.stages()).map(|stage| guess(&tableau, stage, 2)).collect(),
            prediction: vec![0.0; n],
            psi: vec![0.0; n],
            weights: vec![0.0; n],
        }
    }

    /// The method for the first steps of a multistep method, which takes over its Newton iteration.
    pub(crate) fn for_first_steps(model: &dyn HybridModel, tableau: Tableau) -> ImplicitRk {
        ImplicitRk::with(model, tableau, 0.0, Newton::new(model, 1))
    }

    fn try_step(&mut self, system: &mut System<'_>, h: f64, t_new: f64) -> Result<(), Rejection> {
        let tableau = self.tableau;
        system.weights(&self.at.x, &mut self.weights);
        // Fixed steps have no error estimate to compare with: solve further.
        let part = if self.at.fixed.is_some() { 1e-2 * NEWTON_PART } else { NEWTON_PART };
        // No further than rounding allows.
        let part = part.max(2.0 * f64::EPSILON / system.rtol);
        for i in 0..tableau.stages() {
            let diagonal = tableau.a[i][i];
            let t = if tableau.c[i] == 1.0 { t_new } else { self.at.t + tableau.c[i] * h };
            if diagonal == 0.0 {
                // Only the first stage: it is the derivative at the last point.
                if !self.f_known {
                    system.derivatives(self.at.t, &self.at.x, &mut self.f)?;
                    self.f_known = true;
                }
                self.stages[i].copy_from_slice(&self.f);
                continue;
            }
            // base = x + h * sum of a_ij*k_j, kept in x_new.
            self.combine(&tableau.a[i][..i], h);
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
            for ((prediction, base), psi) in self.prediction.iter_mut().zip(&self.at.x_new).zip(&self.psi) {
                *prediction = base + psi;
            }
            self.newton.solve(system, t, c, &self.prediction, &self.psi, &self.weights, part)?;
            // c*k = x_stage - base = d + psi.
            for ((k, d), psi) in self.stages[i].iter_mut().zip(&self.newton.correction).zip(&self.psi) {
                *k = (d + psi) / c;
            }
        }
        self.combine(tableau.b, h);
        Ok(())
    }

    /// Moves the stiff states at a point of output to where derivatives are these slopes.
    pub(crate) fn correct_towards_slope(&mut self, system: &mut System<'_>, t: f64, slope: &[f64], x: &mut [f64]) {
        self.follower.correct_output(system, &mut self.newton, t, slope, x);
    }

    /// The model has changed: what is known of it is worthless.
    pub(crate) fn forget(&mut self) {
        self.newton.restart();
        self.follower.restart();
    }

    /// `x_new = x + h * sum of weights[j]*stages[j]`.
    fn combine(&mut self, weights: &[f64], h: f64) {
        combine(&mut self.at.x_new, &self.at.x, &self.stages, weights, h);
    }
}

impl Method for ImplicitRk {
    fn restart(&mut self, system: &mut System<'_>, t: f64, x: &[f64], limit: f64) -> Result<(), Rejection> {
        self.at.restart(t, x);
        self.forget();
        self.f_known = false;
        self.at.h = match self.at.fixed {
            Some(h) => h,
            None => {
                system.derivatives(t, x, &mut self.f)?;
                self.f_known = true;
                first_step(system, t, x, &self.f, self.tableau.order, limit, (&mut self.at.x_new, &mut self.psi))?
            }
        };
        Ok(())
    }

    fn resume(&mut self, t: f64) {
        self.forget();
        self.f_known = false;
        let (tableau, stages, f, within) = (&self.tableau, &self.stages, &self.f, &self.within);
        self.at.go_back(t, |at, x| {
            interpolate(tableau, at, t, stages, f, x);
            within.add_to((t - at.t_old) / at.h_old, x);
        });
    }

    fn attempt(&mut self, system: &mut System<'_>, limit: f64) -> Attempt {
        let trial = self.at.trial(system, limit);
        if let Err(rejection) = self.try_step(system, trial.h, trial.t_new) {
            self.at.failed(trial);
            return Attempt::Rejected(rejection);
        }
        let mut factor = 1.0;
        if let Some((weights, _)) = self.tableau.error {
            self.psi.fill(0.0);
            add(&mut self.psi, &self.stages, weights, trial.h);
            self.newton.filter(&mut self.psi);
            system.weights_between(&self.at.x, &self.at.x_new, &mut self.weights);
            factor = match self.at.judge(system, trial, &self.psi, &self.weights, true) {
                Ok(factor) => factor,
                Err(rejection) => return Attempt::Rejected(rejection),
            };
        }
        self.at.accept(trial, factor);
        self.within.take(&self.stages, trial.h, &mut self.newton);
        // Stiffly accurate methods end in their last stage.
        let last = self.tableau.stages() - 1;
        self.f_known = self.tableau.a[last] == self.tableau.b;
        if self.f_known {
            self.f.copy_from_slice(&self.stages[last]);
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
        self.within.add_to((t - self.at.t_old) / self.at.h_old, x);
    }

    fn correct_output(&mut self, system: &mut System<'_>, t: f64, x: &mut [f64]) {
        let apart = SLOPE_PART * self.at.h_old;
        let mut slope = std::mem::take(&mut self.psi);
        let mut later = std::mem::take(&mut self.prediction);
        self.interpolate(t - apart, &mut slope);
        self.interpolate(t + apart, &mut later);
        for (slope, later) in slope.iter_mut().zip(&later) {
            *slope = (later - *slope) / (2.0 * apart);
        }
        self.correct_towards_slope(system, t, &slope, x);
        (self.psi, self.prediction) = (slope, later);
    }

    fn damp(&mut self, v: &mut [f64]) {
        self.newton.damp(self.at.h, v);
    }

    fn warning(&self, system: &System<'_>) -> Option<RunError> {
        self.follower.warning(system)
    }

    fn allow_partition(&mut self, model: &dyn HybridModel) {
        self.newton.allow_partition(model);
    }

    fn partitioning(&self) -> Option<Partitioning> {
        self.newton.found().cloned()
    }

    fn order(&self) -> usize {
        self.tableau.order
    }
}
