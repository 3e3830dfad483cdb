//! States at points of output, where small differences of stiff states are seen: a current through a tiny resistance, the voltage of a
//! coil behind a diode that blocks.
//!
//! Input: a point of the trajectory between the steps, the slope of the trajectory there, and the Newton iteration of the method.
//! Output: the point, its stiff part moved to where the derivatives are the slopes; and what is left of their difference.
//!
//! Method: Newton's method for `f(t, x) = slope`, each correction `d` reduced to its stiff part `d - (I - c*J)^-1*d`. A slope that is
//! wrong by some part of the tolerated error per step moves a state with the rate `r` by this part over `c*r` only: what is stiff
//! becomes more exact by it, and what is not keeps its place. The factors are those of the method; where they belong to another
//! regime (the end of the step, where the diode conducts), a Jacobian of this very point replaces them, for this and for later points.
//! Guarantees: a step from the moved point ends where one from the old point does, up to the tolerance (the part
//! `(I - c*J)^-1*d` of the whole movement `d` is no larger); the derivatives agree better with the slopes than before; the
//! integration itself is not changed, however many points of output there are.
//! Cost: one evaluation where nothing is to do; up to [`MOST_MOVES`] more, with two solutions each, and rarely a Jacobian.

use crate::base::error::RunError;
use crate::base::simd::update;
use crate::integrate::methods::newton::Newton;
use crate::integrate::system::method::{System, norm};
use crate::linear::Linear;

/// A model is stiff at a step if the fastest entry of the diagonal of its Jacobian times `c` is at least this.
const STIFF: f64 = 100.0;
/// Derivatives that differ from the slopes by more tolerated errors, times `c`, belong to a stiff state, whatever old factors say.
const STIFF_VIOLATION: f64 = 100.0;
/// Derivatives at a point of output agree with the slopes of the trajectory if they differ, times `c`, by no more tolerated errors.
const FOLLOWED: f64 = 1.0;
/// Of a movement no more tolerated errors of a step than this may be left after one: these are a tenth of the run's tolerance.
const MOST_LEFT: f64 = 10.0;
/// A move has to take away at least this part of the difference, times the part of the correction that it makes.
const REDUCTION: f64 = 0.5;
/// Most moves at a point of output.
const MOST_MOVES: usize = 12;
/// The least part of a correction that is tried.
const LEAST_PART: f64 = 0.1;
/// Most Jacobians at a point of output.
const MOST_RENEWALS: u32 = 4;
/// Own factors are used while `c` differs from theirs by less than this factor.
const RATIO_LIMIT: f64 = 2.0;

/// Most solutions of the method to wait for, after Jacobians of points that did not help.
const MOST_WAIT: u64 = 32;
/// A derivative that differs from the slope by more than this part of its range is noise.
const NOISE: f64 = 0.02;
/// So many points of output make a warning: single points where the model switches do not.
const NOISY_POINTS: u32 = 10;

/// Points of output whose derivatives are not the slopes of the trajectory.
#[derive(Debug, Default)]
struct Unfollowed {
    /// The least and the largest slope of each state.
    slopes: Vec<(f64, f64)>,
    /// For each state the largest difference of derivative and slope, its time, and at how many points there was one.
    worst: Vec<(f64, f64, u32)>,
}

impl Unfollowed {
    fn note_slopes(&mut self, slope: &[f64]) {
        self.slopes.resize(slope.len(), (f64::INFINITY, f64::NEG_INFINITY));
        for ((low, high), slope) in self.slopes.iter_mut().zip(slope) {
            (*low, *high) = (low.min(*slope), high.max(*slope));
        }
    }

    /// `residual` are the differences times `c`.
    fn note(&mut self, t: f64, c: f64, residual: &[f64], weights: &[f64]) {
        self.worst.resize(residual.len(), (0.0, t, 0));
        for ((worst, at, count), (residual, weight)) in self.worst.iter_mut().zip(residual.iter().zip(weights)) {
            if (residual * weight).abs() <= STIFF_VIOLATION {
                continue;
            }
            *count += 1;
            if (residual / c).abs() > *worst {
                (*worst, *at) = ((residual / c).abs(), t);
            }
        }
    }

    /// The state whose derivative is noise most of all: by how large a part of its range, when, and at how many points.
    fn noisiest(&self) -> Option<(usize, f64, f64, u32)> {
        let parts = self.worst.iter().zip(&self.slopes).enumerate().filter_map(|(state, ((worst, at, count), (low, high)))| {
            let part = worst / (high - low);
            (*count >= NOISY_POINTS && part > NOISE).then_some((state, part, *at, *count))
        });
        parts.max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// Jacobian and factors of points of output.
#[derive(Debug)]
struct Own {
    linear: Linear,
    jacobian: Vec<f64>,
    /// The `c` of the factors; `None` if they are of no use.
    factored: Option<f64>,
}

/// Moves states at points of output.
#[derive(Debug, Default)]
pub(crate) struct OutputCorrection {
    own: Option<Box<Own>>,
    /// A Jacobian of a point is worth a try when the method has made so many solutions.
    next_try: u64,
    /// How many solutions to wait after one that did not help: twice as many every time.
    wait: u64,
    /// Where the point lay.
    origin: Vec<f64>,
    x: Vec<f64>,
    residual: Vec<f64>,
    kept: Vec<f64>,
    weights: Vec<f64>,
    unfollowed: Unfollowed,
}

impl OutputCorrection {
    /// The model has changed.
    pub(crate) fn restart(&mut self) {
        (self.next_try, self.wait) = (0, 0);
        self.drop_own();
    }

    /// Moves the stiff part of `x`.
    pub(crate) fn correct_output(&mut self, system: &mut System<'_>, newton: &mut Newton, t: f64, slope: &[f64], x: &mut [f64]) {
        let Some(c) = newton.factored().filter(|c| c * newton.fastest_so_far() >= STIFF && !system.sampled) else { return };
        for own in [&mut self.origin, &mut self.x, &mut self.residual, &mut self.kept, &mut self.weights] {
            own.resize(x.len(), 0.0);
        }
        system.weights(x, &mut self.weights);
        self.origin.copy_from_slice(x);
        let Some(mut left) = self.violation(system, t, c, slope, x) else { return };
        if self.factored().is_some_and(|own| own > RATIO_LIMIT * c || RATIO_LIMIT * own < c) {
            self.drop_own();
        }
        let may_renew = newton.solutions() >= self.next_try;
        let mut renewals = 0;
        if self.factored().is_none() && c * newton.fastest() < STIFF {
            // The factors are those of a point where nothing is stiff.
            if left <= STIFF_VIOLATION || !may_renew || !self.renew(system, t, c, x) {
                return;
            }
            renewals += 1;
            let Some(again) = self.violation(system, t, c, slope, x) else { return };
            left = again;
        }
        self.unfollowed.note_slopes(slope);
        // The Jacobian belongs to this very point; the part of a correction that is made.
        let (mut is_fresh, mut part) = (renewals > 0, 1.0);
        let mut moves = 0;
        while left > FOLLOWED && moves < MOST_MOVES {
            moves += 1;
            // `residual` belongs to `x`.
            self.solve(newton);
            update(&mut self.x, [x, &self.residual], |_, [x, d]| x + part * d);
            update(&mut self.residual, [&self.x, &self.origin], |_, [x, origin]| x - origin);
            self.filter(newton);
            let stays = norm(&self.residual, &self.weights) <= MOST_LEFT;
            let at = std::mem::take(&mut self.x);
            let now = if stays { self.violation(system, t, c, slope, &at) } else { None };
            self.x = at;
            // The comparison is false for what is not a number.
            if let Some(now) = now.filter(|now| *now <= (1.0 - REDUCTION * part) * left) {
                x.copy_from_slice(&self.x);
                (left, is_fresh, part) = (now, false, 1.0);
                continue;
            }
            if is_fresh {
                // Where a diode begins to block, the correction leads too far.
                part *= 0.5;
            } else if may_renew && renewals < MOST_RENEWALS && left > STIFF_VIOLATION && self.renew(system, t, c, x) {
                renewals += 1;
                is_fresh = true;
            } else {
                break;
            }
            if part < LEAST_PART || self.violation(system, t, c, slope, x).is_none() {
                break;
            }
        }
        if left <= STIFF_VIOLATION {
            if renewals > 0 {
                self.wait = 0;
            }
            return;
        }
        if renewals > 0 {
            self.drop_own();
            self.wait = (2 * self.wait).clamp(1, MOST_WAIT);
            self.next_try = newton.solutions() + self.wait;
        }
        if self.violation(system, t, c, slope, x).is_some() {
            self.unfollowed.note(t, c, &self.residual, &self.weights);
        }
    }

    /// A warning if derivatives at points of output are not those of the trajectory.
    pub(crate) fn warning(&self, system: &System<'_>) -> Option<RunError> {
        let (state, part, at, count) = self.unfollowed.noisiest()?;
        let name = system.model.state_name(state);
        let title = format!("`der({name})` is noise at {count} points");
        let percent = 100.0 * part.min(1.0);
        let mut warning = RunError::new("R209", title).at_time(at).with_note(format!(
            "it differs from the slope of `{name}` by up to {percent:.0} % of its range, and so does what is computed from it"
        ));
        warning.hint = Some(format!(
            "the errors of `{name}` that the tolerance allows are magnified; a smaller tolerance or nominal value shows more"
        ));
        Some(warning)
    }

    /// The `c` of own factors.
    fn factored(&self) -> Option<f64> {
        self.own.as_ref().and_then(|own| own.factored)
    }

    fn drop_own(&mut self) {
        if let Some(own) = &mut self.own {
            own.factored = None;
        }
    }

    /// The difference of derivatives and slopes in [`OutputCorrection::residual`], times `c`; its size in tolerated errors.
    fn violation(&mut self, system: &mut System<'_>, t: f64, c: f64, slope: &[f64], x: &[f64]) -> Option<f64> {
        system.model.derivatives(t, x, &mut self.residual).ok()?;
        update(&mut self.residual, [slope], |f, [slope]| c * (f - slope));
        let size = norm(&self.residual, &self.weights);
        size.is_finite().then_some(size)
    }

    /// Replaces the residual by the stiff part of the correction.
    fn solve(&mut self, newton: &mut Newton) {
        self.filter(newton);
        self.kept.copy_from_slice(&self.residual);
        self.filter(newton);
        update(&mut self.residual, [&self.kept], |slow, [whole]| whole - slow);
    }

    /// Replaces `v` in the residual by `(I - c*J)^-1*v`.
    fn filter(&mut self, newton: &mut Newton) {
        match &mut self.own {
            Some(own) if own.factored.is_some() => own.linear.solve(&mut self.residual),
            _ => newton.filter(&mut self.residual),
        }
    }

    /// Makes factors of this very point.
    fn renew(&mut self, system: &mut System<'_>, t: f64, c: f64, x: &[f64]) -> bool {
        let pattern = system.model.jacobian_pattern();
        let own = self
            .own
            .get_or_insert_with(|| Box::new(Own { linear: Linear::new(pattern), jacobian: vec![0.0; pattern.rows.len()], factored: None }));
        own.factored = None;
        // What fails here says nothing about the steps.
        let failure = system.last_failure.take();
        let done = system.jacobian(t, x, &mut own.jacobian).is_ok();
        system.last_failure = failure;
        if done && own.linear.factor(c, &own.jacobian).is_ok() {
            own.factored = Some(c);
        }
        own.factored.is_some()
    }
}

#[cfg(test)]
mod tests {
    use crate::integrate::problems::*;
    use crate::integrate::{Experiment, Solver};
    use crate::model::interface::EventOutcome;

    /// `x = cos t` by a rate, and `y = exp(-t)`, which sees differences of `x` magnified.
    fn stiff_and_slow(rate: f64) -> Problem {
        Problem::ode(
            vec![1.0, 1.0],
            move |t, x, d| {
                d[0] = -rate * (x[0] - t.cos()) - t.sin();
                d[1] = -x[1] + 1e-2 * rate * (x[0] - t.cos());
            },
            move |_, _, v| v.copy_from_slice(&[-rate, 1e-2 * rate, 0.0, -1.0]),
        )
    }

    /// Wherever a point of output lies in a step, and however stiff a state is, its error is that of the tolerance; so is the error of
    /// a state that is not stiff, and derivatives are those of the trajectory.
    #[test]
    fn points_within_steps_are_as_exact_as_their_ends() {
        let tolerance = 1e-6;
        for solver in [Solver::Bdf, Solver::Esdirk] {
            for rate in [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e8, 1e10] {
                let experiment = Experiment { tolerance, interval: Some(0.003), ..experiment(solver, 10.0) };
                let (points, _) = run(&mut stiff_and_slow(rate), &experiment);
                for (t, x) in &points.rows {
                    let errors = [x[0] - t.cos(), x[1] - (-t).exp()];
                    assert!(errors.iter().all(|e| e.abs() < 50.0 * tolerance), "{solver}, rate {rate:e} at {t}: {errors:?}");
                    let slope = -rate * errors[0];
                    // Rates that are just not stiff for a step are not followed, and the slope of an interpolant is less exact than
                    // its values; without a move the difference is 1e4 where the rate is 1e6.
                    assert!(slope.abs() < 1e-1, "{solver}, rate {rate:e} at {t}: slope wrong by {slope:e}");
                }
            }
        }
    }

    /// A relation of a small difference of stiff states, magnified, switches when it should and at no other time.
    #[test]
    fn noise_of_stiff_states_makes_no_events() {
        let rate = 1e7;
        for solver in [Solver::Bdf, Solver::Esdirk] {
            let problem = Problem::ode(vec![0.0], move |t, x, d| d[0] = -rate * (x[0] - t.sin()), move |_, _, v| v[0] = -rate);
            let mut problem =
                problem.with_events(1, move |t, x, out| out[0] = rate * (t.sin() - x[0]) - 0.5, |_, _, _| EventOutcome::default());
            let (points, _) = run(&mut problem, &Experiment { tolerance: 1e-7, ..experiment(solver, 20.0) });
            let found: Vec<f64> = points.rows.windows(2).filter(|w| w[0].0 == w[1].0 && w[0].0 > 1e-3).map(|w| w[0].0).collect();
            let (turn, third) = (2.0 * std::f64::consts::PI, std::f64::consts::PI / 3.0);
            let exact = [third, turn - third, turn + third, 2.0 * turn - third, 2.0 * turn + third, 3.0 * turn - third, 3.0 * turn + third];
            assert_eq!(found.len(), exact.len(), "{solver}: {found:?}");
            for (found, exact) in found.iter().zip(&exact) {
                assert!((found - exact).abs() < 3e-2, "{solver}: {found} and {exact}");
            }
        }
    }
}
