//! Mixed-mode methods: slow states by explicit, fast states by implicit formulas, in one step.
//!
//! Input: which states are fast, a pair of Runge-Kutta methods with common times of stages, a step or error control.
//!
//! Method: partitioned Runge-Kutta. In stage `i` the slow states are `x + h*sum a^E_ij k_j` from earlier stages; the fast ones
//! solve `x_f = base + h*a^I_ii*f_f(t_i, x)` with these slow states, by Newton's method on the fast states alone with the Jacobian
//! of their own derivatives by themselves. Slow and fast derivatives are separate functions of the model (`part`).
//! All slow states are updated from the same point, as the equations of cycle analysis are printed.
//! The error estimate is the difference to a formula of one order less; its fast part is filtered by `(I - h*a_ii*J)^-1`.
//! The pairs of orders 4 and 5 end with fast states that belong to the slow states of their last stage, which are not quite those of
//! the new point: what is stiff would start the next step away from its equilibrium. [`Mixed::settle`] takes it there. The same
//! two points tell how fast the slow states react; steps stay where the explicit method is stable, since an error estimate notices
//! a few states that swing up among many others too late.
//! Guarantees: fixed steps have the given size, shorter only before a limit and after a failure; Newton's method then solves almost
//! to rounding, so that the trajectory is that of the formulas.
//! Cost: per stage one evaluation of the slow and one to three of the fast derivatives, and solutions with the fast block.

mod constants;
mod multistep;
mod newton;
mod pair;
mod split;

use crate::base::simd::update;
use crate::integrate::methods::controller::first_step;
use crate::integrate::methods::one_step::{LEAST_GROWTH, OneStep, add, combine};
use crate::integrate::methods::partial::PartFunction;
use crate::integrate::system::method::{Attempt, Method, Rejection, System, mean_root};
use crate::model::interface::HybridModel;
use constants::{RATE_MEMORY, ROUNDING, STABLE_PART, STAGE_ORDER};
pub use multistep::MixedCorrector;
use newton::{FastNewton, Stage, Unknown};
use pair::MOST_STAGES;
pub use pair::{Pair, PairTableau};
pub use split::Split;
use split::{count_fast, count_slow};

/// Derivatives at a point, if they are known.
#[derive(Debug)]
struct Slope {
    values: Vec<f64>,
    known: bool,
}

impl Slope {
    fn new(n: usize) -> Slope {
        Slope { values: vec![0.0; n], known: false }
    }

    fn get(&self) -> Option<&[f64]> {
        self.known.then_some(&self.values)
    }

    fn set(&mut self, values: &[f64]) {
        self.values.copy_from_slice(values);
        self.known = true;
    }
}

/// The slow or the fast states, side by side, and their derivatives.
#[derive(Debug)]
struct StateGroup {
    function: PartFunction,
    /// Values at the begin of the step.
    begin: Vec<f64>,
    /// Values at the present stage.
    stage: Vec<f64>,
    /// Derivatives of the stages.
    slopes: Vec<Vec<f64>>,
    /// Derivatives at the last accepted point and the one before.
    f: Slope,
    f_old: Slope,
    /// Derivatives at the end of an attempt, where [`Mixed::settle`] has found them.
    settled: Vec<f64>,
    /// Workspace for one value per state.
    scratch: Vec<f64>,
}

impl StateGroup {
    fn new(function: PartFunction, stages: usize) -> StateGroup {
        let n = function.states.len();
        StateGroup {
            function,
            begin: vec![0.0; n],
            stage: vec![0.0; n],
            slopes: vec![vec![0.0; n]; stages],
            f: Slope::new(n),
            f_old: Slope::new(n),
            settled: vec![0.0; n],
            scratch: vec![0.0; n],
        }
    }

    fn is_empty(&self) -> bool {
        self.begin.is_empty()
    }

    /// `stage = begin + h * sum of weights[j]*slopes[j]`.
    fn combine(&mut self, weights: &[f64], h: f64) {
        combine(&mut self.stage, &self.begin, &self.slopes, weights, h);
    }

    /// The derivatives of stage `i` at a point; those of the first stage are those of the last accepted point, if they are known.
    fn evaluate(&mut self, system: &mut System<'_>, i: usize, t: f64, x: &[f64], count: fn(&mut System<'_>)) -> Result<(), Rejection> {
        if self.is_empty() {
            return Ok(());
        }
        if i == 0
            && let Some(f) = self.f.get()
        {
            self.slopes[0].copy_from_slice(f);
            return Ok(());
        }
        count(system);
        self.function.derivatives(system, t, x, &mut self.slopes[i])?;
        if i == 0 {
            self.f.set(&self.slopes[0]);
        }
        Ok(())
    }

    /// After a step: the derivatives at the new point, from its last stage if that is one, or computed if they are wanted.
    fn advance(&mut self, system: &mut System<'_>, last_stage: Option<usize>, wanted: bool, t: f64, x: &[f64], count: fn(&mut System<'_>)) {
        std::mem::swap(&mut self.f_old, &mut self.f);
        self.f.known = false;
        match last_stage {
            Some(stage) => self.f.set(&self.slopes[stage]),
            None if wanted && !self.is_empty() => {
                count(system);
                self.f.known = self.function.derivatives(system, t, x, &mut self.f.values).is_ok();
            }
            None => {}
        }
    }
}

/// The method.
#[derive(Debug)]
pub struct Mixed {
    pair: Pair,
    at: OneStep,
    slow: StateGroup,
    fast: StateGroup,
    newton: FastNewton,
    error: Vec<f64>,
    weights: Vec<f64>,
    /// Rate of the slow states, as far as it was seen.
    slow_rate: f64,
    /// Step by rate up to which the explicit method is stable.
    stable: f64,
}

impl Mixed {
    /// The method for a model and a split; `step` is that of runs with fixed steps.
    pub fn new(model: &dyn HybridModel, split: &Split, step: f64) -> Mixed {
        let n = model.n_states();
        let tableau = split.pair.tableau();
        let (slow, fast) = split.functions(model);
        let (slow, fast) = (StateGroup::new(slow, tableau.stages()), StateGroup::new(fast, tableau.stages()));
        Mixed {
            pair: split.pair,
            at: OneStep::new(n, step, split.adaptive.then_some(tableau.error.2)),
            newton: FastNewton::new(&fast.function, !split.adaptive),
            error: vec![0.0; n],
            weights: vec![0.0; n],
            slow_rate: 0.0,
            stable: tableau.explicit_stability(),
            slow,
            fast,
        }
    }

    fn is_adaptive(&self) -> bool {
        self.at.fixed.is_none()
    }

    fn try_step(&mut self, system: &mut System<'_>, h: f64, t_new: f64) -> Result<(), Rejection> {
        let tableau = self.pair.tableau();
        system.weights(&self.at.x, &mut self.weights);
        for side in [&mut self.slow, &mut self.fast] {
            side.function.places.take(&self.at.x, &mut side.begin);
        }
        for i in 0..tableau.stages() {
            let (slow_used, fast_used) = tableau.uses(i, self.is_adaptive());
            let t = match tableau.c[i] {
                0.0 => self.at.t,
                1.0 => t_new,
                c => self.at.t + c * h,
            };
            if i == 0 {
                self.at.x_new.copy_from_slice(&self.at.x);
            } else {
                self.slow.combine(tableau.explicit[i], h);
                self.slow.function.places.put(&self.slow.stage, &mut self.at.x_new);
            }
            if tableau.implicit[i][i] != 0.0 {
                self.solve_stage(system, i, h, t)?;
            } else if fast_used {
                self.fast.evaluate(system, i, t, &self.at.x_new, count_fast)?;
            }
            if slow_used {
                self.slow.evaluate(system, i, t, &self.at.x_new, count_slow)?;
            }
        }
        if !tableau.ends_in_last_stage() {
            for (side, weights) in [(&mut self.slow, tableau.explicit_b), (&mut self.fast, tableau.implicit_b)] {
                side.combine(weights, h);
                side.function.places.put(&side.stage, &mut self.at.x_new);
            }
        }
        if tableau.settles() { self.settle(system, h, t_new) } else { Ok(()) }
    }

    /// Takes the fast states in `x_new` from the slow states of the last stage to those of the new point.
    ///
    /// With `k` the slopes of the last stage, `f` those at the new point and `F = (I - h*a_ii*J)^-1`, one iteration of Newton's method
    /// would change the slopes by `d = F(f - k)` and the fast states by `h*a_ii*d`. That is right for what is stiff, but for the rest
    /// the formula's own value is better than that of a stage: `(I - F)^m` keeps the one and leaves of the other a term of the
    /// order of the method's error, since `f - k` is a term of order 3 and `I - F` is one of order 1. The new slopes are `k + d`, without
    /// the stiff part of `f`, which no Newton iteration has made small.
    fn settle(&mut self, system: &mut System<'_>, h: f64, t: f64) -> Result<(), Rejection> {
        let tableau = self.pair.tableau();
        let last = tableau.stages() - 1;
        let StateGroup { function, stage, slopes, settled, scratch, .. } = &mut self.fast;
        if settled.is_empty() {
            return Ok(());
        }
        count_fast(system);
        function.derivatives(system, t, &self.at.x_new, settled)?;
        let k = &slopes[last];
        update(settled, [k], |f, [k]| f - k);
        self.newton.filter(settled);
        stage.copy_from_slice(settled);
        for _ in STAGE_ORDER..tableau.order - 1 {
            scratch.copy_from_slice(stage);
            self.newton.filter(scratch);
            update(stage, [scratch], |change, [filtered]| change - filtered);
        }
        function.places.add(h * tableau.implicit[last][last], stage, &mut self.at.x_new);
        update(settled, [k], |d, [k]| k + d);
        Ok(())
    }

    /// The fast states of a stage; `x_new` holds its slow states.
    fn solve_stage(&mut self, system: &mut System<'_>, i: usize, h: f64, t: f64) -> Result<(), Rejection> {
        let tableau = self.pair.tableau();
        let fast = &mut self.fast;
        if fast.is_empty() {
            return Ok(());
        }
        // The slope of the last solved stage is the guess, that of the last step for the first of them.
        let earlier = (1..i).rev().find(|&j| tableau.implicit[j][j] != 0.0);
        let (before, from) = fast.slopes.split_at_mut(i);
        match earlier.map(|j| before[j].as_slice()).or(fast.f.get()) {
            Some(guess) => from[0].copy_from_slice(guess),
            None => from[0].fill(0.0),
        }
        fast.combine(tableau.implicit[i], h);
        let stage = Stage { t, c: h * tableau.implicit[i][i], weights: &self.weights, unknown: Unknown::Slopes };
        fast.function.places.put(&fast.stage, &mut self.at.x_new);
        self.newton.solve(system, &mut fast.function, &stage, &mut fast.slopes[i], &mut self.at.x_new)
    }

    /// Fills in the error of the attempt.
    fn estimate(&mut self, h: f64) {
        let tableau = self.pair.tableau();
        for (side, weights) in [(&mut self.slow, tableau.error.0), (&mut self.fast, tableau.error.1)] {
            side.stage.fill(0.0);
            add(&mut side.stage, &side.slopes, weights, h);
        }
        if !self.fast.is_empty() {
            self.newton.filter(&mut self.fast.stage);
        }
        for side in [&self.slow, &self.fast] {
            side.function.places.put(&side.stage, &mut self.error);
        }
    }

    /// Derivatives at the new point, as far as the stages have them.
    fn advance_derivatives(&mut self, system: &mut System<'_>) {
        let tableau = self.pair.tableau();
        let last = tableau.stages() - 1;
        let ends = tableau.ends_in_last_stage();
        let slow_known = ends && tableau.uses(last, self.is_adaptive()).0;
        // The first stage of the next step, and the slope that values within this step need.
        let wanted = tableau.order > 2;
        let (t, x) = (self.at.t, &self.at.x);
        self.slow.advance(system, slow_known.then_some(last), wanted, t, x, count_slow);
        if tableau.settles() {
            let fast = &mut self.fast;
            std::mem::swap(&mut fast.f_old, &mut fast.f);
            std::mem::swap(&mut fast.f.values, &mut fast.settled);
            fast.f.known = true;
        } else {
            self.fast.advance(system, ends.then_some(last), wanted, t, x, count_fast);
        }
    }

    /// Keeps the next step where the slow states are stable. Their derivatives are known at two points of the same time, the last stage
    /// and the new point; what they differ by is the rate of the slow states, with fast ones that follow.
    fn bound_step(&mut self, rtol: f64) {
        let tableau = self.pair.tableau();
        let last = tableau.stages() - 1;
        let StateGroup { function, stage, slopes, f, .. } = &mut self.slow;
        let Some(f) = f.get().filter(|_| tableau.settles()) else { return };
        let mut weights = [0.0; MOST_STAGES];
        for (j, weight) in weights.iter_mut().enumerate().take(last + 1) {
            *weight = tableau.explicit_b[j] - if j < last { tableau.explicit[last][j] } else { 0.0 };
        }
        stage.fill(0.0);
        add(stage, slopes, &weights, self.at.h_old);
        let way = mean_root(function.places.weighted_square(stage, &self.weights), f.len());
        if way * rtol > ROUNDING {
            update(stage, [f, &slopes[last]], |_, [f, k]| f - k);
            let change = mean_root(function.places.weighted_square(stage, &self.weights), f.len());
            self.slow_rate = (RATE_MEMORY * self.slow_rate).max(change / way);
        }
        let (longest, h) = (STABLE_PART * self.stable / self.slow_rate, self.at.h_old);
        if self.at.h > longest {
            // A step that is stable already is not changed by little: that would cost new factors.
            self.at.h = if h <= longest && longest < LEAST_GROWTH * h { h } else { longest };
        }
    }

    fn forget_slopes(&mut self) {
        for side in [&mut self.slow, &mut self.fast] {
            side.f.known = false;
        }
    }
}

/// The states at a time within the last step.
fn within(pair: Pair, at: &OneStep, sides: [&StateGroup; 2], t: f64, x: &mut [f64]) {
    let theta = if at.h_old > 0.0 { (t - at.t_old) / at.h_old } else { 1.0 };
    for (value, (old, new)) in x.iter_mut().zip(at.x_old.iter().zip(&at.x)) {
        *value = old + theta * (new - old);
    }
    if pair.tableau().order < 3 {
        return;
    }
    // Where the slopes at both ends are known, a cubic; else the straight line stands.
    for side in sides {
        let Some((f0, f1)) = side.f_old.get().zip(side.f.get()) else { continue };
        for (k, &state) in side.function.states.iter().enumerate() {
            let rise = at.x[state] - at.x_old[state];
            let (left, right) = (at.h_old * f0[k] - rise, at.h_old * f1[k] - rise);
            x[state] += theta * (1.0 - theta) * ((1.0 - theta) * left - theta * right);
        }
    }
}

impl Method for Mixed {
    fn restart(&mut self, system: &mut System<'_>, t: f64, x: &[f64], limit: f64) -> Result<(), Rejection> {
        self.at.restart(t, x);
        self.newton.restart();
        self.forget_slopes();
        self.slow_rate = 0.0;
        system.statistics.mixed.newton_dimension = self.fast.begin.len() as u64;
        self.at.h = match self.at.fixed {
            Some(h) => h,
            None => {
                let mut f = vec![0.0; x.len()];
                system.derivatives(t, x, &mut f)?;
                for side in [&mut self.slow, &mut self.fast] {
                    side.function.places.take(&f, &mut side.f.values);
                    side.f.known = true;
                }
                first_step(system, t, x, &f, self.pair.tableau().order, limit, (&mut self.at.x_new, &mut self.error))?
            }
        };
        Ok(())
    }

    fn resume(&mut self, t: f64) {
        self.newton.restart();
        let (pair, sides) = (self.pair, [&self.slow, &self.fast]);
        self.at.go_back(t, |at, x| within(pair, at, sides, t, x));
        self.forget_slopes();
    }

    fn attempt(&mut self, system: &mut System<'_>, limit: f64) -> Attempt {
        let trial = self.at.trial(system, limit);
        if let Err(rejection) = self.try_step(system, trial.h, trial.t_new) {
            self.at.failed(trial);
            return Attempt::Rejected(rejection);
        }
        let mut factor = 1.0;
        if self.is_adaptive() {
            self.estimate(trial.h);
            system.weights_between(&self.at.x, &self.at.x_new, &mut self.weights);
            factor = match self.at.judge(system, trial, &self.error, &self.weights, true) {
                Ok(factor) => factor,
                Err(rejection) => return Attempt::Rejected(rejection),
            };
        }
        self.at.accept(trial, factor);
        self.advance_derivatives(system);
        if self.is_adaptive() {
            self.bound_step(system.rtol);
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
        within(self.pair, &self.at, [&self.slow, &self.fast], t, x);
    }

    fn damp(&mut self, v: &mut [f64]) {
        let h = self.at.h;
        update(v, [], |v, []| h * v);
        self.newton.damp(&self.fast.function, v);
    }

    fn order(&self) -> usize {
        self.pair.tableau().order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrate::problems::{Problem, bouncing_ball, experiment, run};
    use crate::integrate::{Experiment, Solver};

    /// Slow `y = sin t`, fast `z = cos t`; the fast equation is stiff and pulls towards a curve that moves with `y`.
    fn split_problem(stiffness: f64) -> Problem {
        Problem::ode(
            vec![0.0, 1.0],
            move |t, x, dx| {
                let (y, z) = (x[0], x[1]);
                dx[0] = z * (y * y + z * z);
                dx[1] = -stiffness * (z - t.cos() + y - t.sin()) - y;
            },
            move |_, x, v| {
                let (y, z) = (x[0], x[1]);
                v.copy_from_slice(&[2.0 * y * z, -stiffness - 1.0, y * y + 3.0 * z * z, -stiffness]);
            },
        )
    }

    fn mixed(pair: Pair, adaptive: bool, step: f64, stop: f64) -> Experiment {
        let split = Some(Split { fast: vec![1], pair, adaptive });
        Experiment { step: Some(step), interval: Some(stop), split, ..experiment(Solver::Bdf, stop) }
    }

    #[test]
    fn pairs_have_their_order_on_a_stiff_split_problem() {
        // The last pairs have their order for moderate stiffness only.
        let stiff = 1e6;
        for (pair, order, stiffness) in [
            (Pair::Euler, 1.0, stiff),
            (Pair::Midpoint, 2.0, stiff),
            (Pair::Heun, 2.0, stiff),
            (Pair::Imex3, 3.0, stiff),
            (Pair::Imex4, 4.0, 10.0),
            (Pair::Imex5, 5.0, 10.0),
        ] {
            let error = |steps: f64| {
                let (points, statistics) = run(&mut split_problem(stiffness), &mixed(pair, false, 1.5 / steps, 1.5));
                assert_eq!(statistics.steps, steps as u64);
                let last = points.last();
                (last[0] - 1.5_f64.sin()).abs().max((last[1] - 1.5_f64.cos()).abs())
            };
            for steps in [40.0, 80.0] {
                let measured = (error(steps) / error(2.0 * steps)).log2();
                assert!((measured - order).abs() < 0.2, "{pair}: order {measured} from {steps} steps");
            }
        }
    }

    #[test]
    fn error_control_meets_the_tolerance() {
        for pair in Pair::ALL {
            for tolerance in [1e-3, 1e-5] {
                let experiment = Experiment { tolerance, step: None, ..mixed(pair, true, 1.0, 1.5) };
                let (points, statistics) = run(&mut split_problem(1e4), &experiment);
                let last = points.last();
                let error = (last[0] - 1.5_f64.sin()).abs().max((last[1] - 1.5_f64.cos()).abs());
                // The error of each step is below the tolerance; at worst all of them add up.
                assert!(error < tolerance * (10 + statistics.steps) as f64, "{pair} at {tolerance}: error {error}");
                assert!(statistics.steps < 2000, "{pair} at {tolerance}: {} steps", statistics.steps);
            }
        }
    }

    #[test]
    fn what_comes_to_rest_stays_there() {
        // Many slow states, one of them faster than the others and with a stiff state that follows it: as long as steps are free to grow,
        // an error of these two alone is small in the mean of all.
        let n = 100;
        let mut problem = Problem::ode(
            [vec![1.0; n], vec![0.5]].concat(),
            move |_, x, dx| {
                (0..n).for_each(|i| dx[i] = -0.3 * x[i]);
                dx[0] = -4.0 * x[0] + 2.0 * x[n];
                dx[n] = -1e6 * (x[n] - 0.5 * x[0]);
            },
            // By columns, all of them full.
            move |_, _, v| {
                v.fill(0.0);
                (0..n).for_each(|i| v[i * (n + 1) + i] = -0.3);
                v[0] = -4.0;
                v[n] = 0.5e6;
                v[n * (n + 1)] = 2.0;
                v[n * (n + 1) + n] = -1e6;
            },
        );
        for pair in [Pair::Imex4, Pair::Imex5] {
            let split = Some(Split { fast: vec![n], pair, adaptive: true });
            let experiment =
                Experiment { tolerance: 1e-3, interval: Some(0.25), max_step: Some(10.0), split, ..experiment(Solver::Bdf, 50.0) };
            let (points, statistics) = run(&mut problem, &experiment);
            let errors = points.rows.iter().map(|(t, x)| (x[0] - (-3.0 * t).exp()).abs().max((x[n] - 0.5 * x[0]).abs()));
            let worst = errors.fold(0.0, f64::max);
            // The mean over a hundred states makes more than ten times the tolerance of one of them; an unstable run makes thousands.
            assert!(worst < 3e-2, "{pair}: {worst} in {} steps", statistics.steps);
            assert!(statistics.steps < 100, "{pair}: {} steps", statistics.steps);
        }
    }

    #[test]
    fn euler_pair_is_the_printed_formula() {
        // x1' = -2 x1 + x2, x2' = x1 - 50 x2 with x2 fast: all slow states first, then the fast one with the new slow ones.
        let mut problem = Problem::ode(
            vec![1.0, 2.0],
            |_, x, dx| {
                dx[0] = -2.0 * x[0] + x[1];
                dx[1] = x[0] - 50.0 * x[1];
            },
            |_, _, v| v.copy_from_slice(&[-2.0, 1.0, 1.0, -50.0]),
        );
        let h = 0.125;
        let (points, statistics) = run(&mut problem, &mixed(Pair::Euler, false, h, 0.5));
        let (mut slow, mut fast) = (1.0, 2.0);
        for _ in 0..4 {
            slow += h * (-2.0 * slow + fast);
            fast = (fast + h * slow) / (1.0 + 50.0 * h);
        }
        let last = points.last();
        assert!((last[0] - slow).abs() < 1e-14 && (last[1] - fast).abs() < 1e-14, "{last:?} {slow} {fast}");
        assert_eq!((statistics.mixed.slow_evaluations, statistics.mixed.newton_dimension, statistics.jacobians), (4, 1, 1));
    }

    #[test]
    fn events_are_located_as_in_other_runs() {
        for pair in Pair::ALL {
            let split = Some(Split { fast: vec![1], pair, adaptive: pair.is_multistep() });
            let experiment = Experiment { step: Some(1e-3), split, ..experiment(Solver::Bdf, 1.0) };
            let (points, statistics) = run(&mut bouncing_ball(), &experiment);
            assert!(statistics.events.state_events >= 1, "{pair}");
            let hit = (2.0_f64 / 9.81).sqrt();
            let jump = points.rows.windows(2).find(|w| w[0].0 == w[1].0).map(|w| w[0].0);
            assert!(jump.is_some_and(|t| (t - hit).abs() < 2e-3), "{pair}: {jump:?}");
        }
    }
}
