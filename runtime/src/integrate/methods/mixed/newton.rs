//! Newton's method for the fast states of a stage of a mixed-mode step.
//!
//! Input: a system `x_f = base + c*f_f(t, x)` with the slow states in `x`, for one of two unknowns ([`Unknown`]): the slopes `f_f` of a
//! Runge-Kutta stage, with a guess, or the correction of a prediction, which is zero; in `x` the fast states that belong to it. Output:
//! both.
//! Method: simplified Newton iteration with the Jacobian of the fast derivatives by the fast states; factors are renewed with
//! `c`, the Jacobian when it is old or the iteration fails. Guarantee: solved to a part of the tolerated error, or, with fixed steps, to
//! [`STRICT`]. Cost: per iteration one evaluation of the fast derivatives and one solution.

use crate::base::simd::update;
use crate::integrate::methods::newton::{GridState, grid_size};
use crate::integrate::methods::partial::PartFunction;
use crate::integrate::system::method::{Rejection, System, largest, mean_root};
use crate::linear::Linear;
use crate::linear::dense::Singular;

/// Relative accuracy in runs with fixed steps.
const STRICT: f64 = 1e-10;
/// The solution is exact to this part of the tolerated error of a step.
const NEWTON_PART: f64 = 0.03;
/// Most iterations with one Jacobian.
const MAX_ITERATIONS: usize = 5;
/// Most Jacobians in one solution with fixed steps, where the step is not to be shortened.
const MAX_JACOBIANS: usize = 8;
/// A Jacobian older than this many solutions is renewed.
const MAX_AGE: u32 = 100;
/// The rate of convergence that a new Jacobian is trusted with, unless it was seen to be worse.
const FRESH_RATE: f64 = 0.01;

/// What a stage is solved for.
#[derive(Copy, Clone)]
pub(crate) enum Unknown<'a> {
    /// The slopes `k = f`, with `x_f = base + c*k`: exact however short the step is.
    Slopes,
    /// The correction `d = c*f - psi` of a prediction, with `x_f = prediction + d`; `psi` is that of all states.
    Correction {
        /// Prediction less base.
        psi: &'a [f64],
    },
}

/// A stage to be solved.
pub(crate) struct Stage<'a> {
    /// Its time.
    pub(crate) t: f64,
    /// The factor of the derivatives.
    pub(crate) c: f64,
    /// Of the error norm, for all states.
    pub(crate) weights: &'a [f64],
    /// What it is solved for.
    pub(crate) unknown: Unknown<'a>,
}

impl Stage<'_> {
    /// How much the fast states change with the unknown.
    fn reach(&self) -> f64 {
        match self.unknown {
            Unknown::Slopes => self.c,
            Unknown::Correction { .. } => 1.0,
        }
    }
}

/// The method.
#[derive(Debug)]
pub(crate) struct FastNewton {
    linear: Linear,
    jacobian: Vec<f64>,
    /// The `c` of the factors; `None` if there are none.
    factored: Option<f64>,
    /// Solutions since the Jacobian was evaluated; `None` if there is none.
    age: Option<u32>,
    /// Observed rate of convergence, 1 if unknown.
    rate: f64,
    residual: Vec<f64>,
    /// With fixed steps the solution is exact as far as that goes, and a failure is retried with new Jacobians.
    strict: bool,
}

impl FastNewton {
    pub(crate) fn new(fast: &PartFunction, strict: bool) -> FastNewton {
        let n = fast.states.len();
        FastNewton {
            linear: Linear::new(&fast.pattern),
            jacobian: vec![0.0; fast.pattern.rows.len()],
            factored: None,
            age: None,
            rate: 1.0,
            residual: vec![0.0; n],
            strict,
        }
    }

    /// Forgets everything about the model.
    pub(crate) fn restart(&mut self) {
        self.factored = None;
        self.age = None;
        self.rate = 1.0;
    }

    /// Filters what differences of derivatives change the states by in a step, if there are factors.
    pub(crate) fn damp(&mut self, fast: &PartFunction, v: &mut [f64]) {
        if self.factored.is_some() {
            fast.places.take(v, &mut self.residual);
            self.linear.solve(&mut self.residual);
            fast.places.put(&self.residual, v);
        }
    }

    /// Filters an error estimate of the fast states by the factors at hand, so that stiff components do not dominate it.
    pub(crate) fn filter(&mut self, error: &mut [f64]) {
        self.linear.solve(error);
    }

    /// Solves a stage for the unknown `u` and the fast states in `x`.
    pub(crate) fn solve(
        &mut self,
        system: &mut System<'_>,
        fast: &mut PartFunction,
        stage: &Stage<'_>,
        u: &mut [f64],
        x: &mut [f64],
    ) -> Result<(), Rejection> {
        let most = if self.strict { MAX_JACOBIANS } else { 2 };
        let mut fresh = 0;
        loop {
            if self.prepare(system, fast, stage, x)? {
                fresh += 1;
            }
            match self.iterate(system, fast, stage, u, x) {
                Ok(()) => return Ok(()),
                Err(rejection) if fresh >= most => return Err(rejection),
                Err(Rejection::Evaluation) if fresh > 0 => return Err(Rejection::Evaluation),
                Err(_) => {
                    self.restart();
                    if !self.strict {
                        // Where the failed iteration went is no better guess than where it began.
                        fast.places.add(-stage.reach(), u, x);
                        u.fill(0.0);
                    }
                }
            }
        }
    }

    /// Makes sure that there are usable factors. Returns whether the Jacobian belongs to this very point.
    fn prepare(&mut self, system: &mut System<'_>, fast: &mut PartFunction, stage: &Stage<'_>, x: &[f64]) -> Result<bool, Rejection> {
        // The fast block is small or sparse: exact factors cost less than the iterations that old ones would need.
        let young = self.age.is_some_and(|age| age <= MAX_AGE);
        if self.factored == Some(stage.c) && young {
            return Ok(false);
        }
        let mut fresh = false;
        if !young {
            self.age = None;
            fast.jacobian(system, stage.t, x, &mut self.jacobian)?;
            self.age = Some(0);
            fresh = true;
        }
        system.statistics.factorisations += 1;
        self.factored = None;
        if let Err(Singular { column }) = self.linear.factor(stage.c, &self.jacobian) {
            return Err(Rejection::Singular { state: fast.states[column] });
        }
        self.factored = Some(stage.c);
        // With exact factors the rate is that of the Jacobian's age, not of the step.
        if fresh {
            self.rate = self.rate.max(FRESH_RATE);
        }
        Ok(fresh)
    }

    fn iterate(
        &mut self,
        system: &mut System<'_>,
        fast: &mut PartFunction,
        stage: &Stage<'_>,
        u: &mut [f64],
        x: &mut [f64],
    ) -> Result<(), Rejection> {
        let mut previous = 0.0;
        for iteration in 1..=MAX_ITERATIONS {
            system.statistics.mixed.fast_evaluations += 1;
            fast.derivatives(system, stage.t, x, &mut self.residual)?;
            system.statistics.newton_iterations += 1;
            match stage.unknown {
                Unknown::Slopes => update(&mut self.residual, [u], |f, [k]| f - k),
                Unknown::Correction { psi } => {
                    fast.places.gather(psi, &mut self.residual, |f, psi| stage.c * f - psi);
                    if iteration > 1 {
                        update(&mut self.residual, [u], |r, [d]| r - d);
                    }
                }
            }
            self.linear.solve(&mut self.residual);
            update(u, [&self.residual], |u, [r]| u + r);
            fast.places.add(stage.reach(), &self.residual, x);
            let size = self.size(system, fast, stage, u, x);
            if !size.is_finite() {
                return Err(self.diverged(fast, stage));
            }
            if iteration > 1 {
                self.rate = (0.1 * self.rate).max(size / previous);
            }
            // Relations that are sampled may have changed with the last correction: only a further evaluation tells.
            let rate = if system.sampled { 1.0 } else { self.rate.min(1.0) };
            if size * rate <= NEWTON_PART {
                if let Some(age) = &mut self.age {
                    *age += 1;
                }
                return Ok(());
            }
            if iteration > 1 && size > 2.0 * previous {
                break;
            }
            previous = size;
        }
        Err(self.diverged(fast, stage))
    }

    /// The size of the last correction of the fast states: 1 is what is tolerated.
    fn size(&self, system: &System<'_>, fast: &PartFunction, stage: &Stage<'_>, u: &[f64], x: &[f64]) -> f64 {
        let reach = stage.reach();
        if !self.strict {
            return reach.abs() * mean_root(fast.places.weighted_square(&self.residual, stage.weights), u.len());
        }
        // With the sizes that the fast states have now: they may have been zero at the beginning of the step.
        let (sizes, round_off) = (system.scales.sizes(), system.scales.round_off());
        let states = fast.states.iter().zip(u).zip(&self.residual).map(|((&state, u), r)| GridState {
            correction: reach * r,
            size: x[state].abs().max((x[state] - reach * u).abs()).max(sizes[state]),
            round_off: round_off[state],
        });
        grid_size(STRICT, states)
    }

    fn diverged(&self, fast: &PartFunction, stage: &Stage<'_>) -> Rejection {
        let weighted = self.residual.iter().zip(&fast.states).map(|(r, &state)| r * stage.weights[state]);
        Rejection::Newton { worst: fast.states[largest(weighted)] }
    }
}
