//! Test problems: models written by hand.

use crate::error::{EvalFailure, RunError};
use crate::integrate::{Experiment, Sink, Solver, Statistics, simulate};
use crate::model::{EventCause, EventOutcome, Model};
use crate::plan::Pattern;

type Rhs = Box<dyn Fn(f64, &[f64], &mut [f64])>;
type Jacobian = Box<dyn Fn(f64, &[f64], &mut [f64])>;
type Crossings = Box<dyn Fn(f64, &[f64], &mut [f64])>;
type Event = Box<dyn FnMut(f64, &mut [f64], &EventCause) -> EventOutcome>;

/// A model from closures; outputs are the states.
pub(crate) struct Problem {
    pub(crate) x0: Vec<f64>,
    pub(crate) nominal: Vec<f64>,
    pub(crate) f: Rhs,
    pub(crate) jacobian: Jacobian,
    pub(crate) pattern: Pattern,
    pub(crate) n_crossings: usize,
    pub(crate) crossings: Crossings,
    pub(crate) event: Event,
    pub(crate) times: Vec<f64>,
    /// Evaluation fails where this is true.
    pub(crate) fails: Box<dyn Fn(f64, &[f64]) -> bool>,
    pub(crate) names: Vec<String>,
    pub(crate) accepted: Vec<f64>,
}

pub(crate) fn dense_pattern(n: usize) -> Pattern {
    Pattern { n_rows: n, col_starts: (0..=n).map(|j| j * n).collect(), rows: (0..n * n).map(|k| k % n).collect() }
}

impl Problem {
    /// An ordinary differential equation with a full Jacobian, by columns.
    pub(crate) fn ode(
        x0: Vec<f64>,
        f: impl Fn(f64, &[f64], &mut [f64]) + 'static,
        jacobian: impl Fn(f64, &[f64], &mut [f64]) + 'static,
    ) -> Problem {
        let n = x0.len();
        Problem {
            nominal: vec![1.0; n],
            names: (0..n).map(|i| format!("x{}", i + 1)).collect(),
            x0,
            f: Box::new(f),
            jacobian: Box::new(jacobian),
            pattern: dense_pattern(n),
            n_crossings: 0,
            crossings: Box::new(|_, _, _| {}),
            event: Box::new(|_, _, _| EventOutcome::default()),
            times: Vec::new(),
            fails: Box::new(|_, _| false),
            accepted: Vec::new(),
        }
    }

    pub(crate) fn with_nominal(mut self, nominal: f64) -> Problem {
        self.nominal.fill(nominal);
        self
    }

    pub(crate) fn with_events(
        mut self,
        n_crossings: usize,
        crossings: impl Fn(f64, &[f64], &mut [f64]) + 'static,
        event: impl FnMut(f64, &mut [f64], &EventCause) -> EventOutcome + 'static,
    ) -> Problem {
        self.n_crossings = n_crossings;
        self.crossings = Box::new(crossings);
        self.event = Box::new(event);
        self
    }
}

impl Model for Problem {
    fn n_states(&self) -> usize {
        self.x0.len()
    }
    fn state_name(&self, state: usize) -> &str {
        &self.names[state]
    }
    fn nominal(&self, state: usize) -> f64 {
        self.nominal[state]
    }
    fn initialize(&mut self, _: f64, x: &mut [f64]) -> Result<EventOutcome, RunError> {
        x.copy_from_slice(&self.x0);
        Ok(EventOutcome::default())
    }
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), EvalFailure> {
        if (self.fails)(t, x) {
            return Err(EvalFailure::new("outside of its domain"));
        }
        (self.f)(t, x, dx);
        Ok(())
    }
    fn jacobian_pattern(&self) -> &Pattern {
        &self.pattern
    }
    fn jacobian(&mut self, t: f64, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        (self.jacobian)(t, x, values);
        Ok(())
    }
    fn n_crossings(&self) -> usize {
        self.n_crossings
    }
    fn crossings(&mut self, t: f64, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        (self.crossings)(t, x, out);
        Ok(())
    }
    fn crossing_label(&self, crossing: usize) -> String {
        format!("relation {crossing}")
    }
    fn next_time_event(&mut self, t: f64) -> Option<f64> {
        self.times.iter().copied().find(|time| *time > t)
    }
    fn event(&mut self, t: f64, x: &mut [f64], cause: &EventCause) -> Result<EventOutcome, RunError> {
        Ok((self.event)(t, x, cause))
    }
    fn accept(&mut self, t: f64, _: &mut [f64]) -> Result<EventOutcome, RunError> {
        self.accepted.push(t);
        Ok(EventOutcome::default())
    }
    fn n_outputs(&self) -> usize {
        self.x0.len()
    }
    fn outputs(&mut self, _: f64, x: &[f64], row: &mut [f64]) -> Result<(), EvalFailure> {
        row.copy_from_slice(x);
        Ok(())
    }
    fn terminal(&mut self, _: f64, _: &mut [f64]) -> Result<EventOutcome, RunError> {
        Ok(EventOutcome::default())
    }
}

/// Points in memory.
#[derive(Default)]
pub(crate) struct Points {
    pub(crate) rows: Vec<(f64, Vec<f64>)>,
}

impl Sink for Points {
    fn point(&mut self, t: f64, row: &[f64]) -> Result<(), RunError> {
        self.rows.push((t, row.to_vec()));
        Ok(())
    }
}

impl Points {
    pub(crate) fn last(&self) -> &[f64] {
        &self.rows[self.rows.len() - 1].1
    }
}

pub(crate) fn run(problem: &mut Problem, experiment: &Experiment) -> (Points, Statistics) {
    let mut points = Points::default();
    let statistics = match simulate(problem, experiment, &mut points) {
        Ok(statistics) => statistics,
        Err(error) => panic!("{error:?}"),
    };
    (points, statistics)
}

/// `x1' = -x1 + sin t`-like test with a closed solution: `x = (sin t + cos t ...)`: harmonic oscillator with drift.
pub(crate) fn oscillator() -> Problem {
    Problem::ode(
        vec![1.0, 0.0],
        |_, x, dx| {
            dx[0] = x[1];
            dx[1] = -x[0];
        },
        |_, _, v| v.copy_from_slice(&[0.0, -1.0, 1.0, 0.0]),
    )
}

/// `x' = -2*t*x^2`, `x(0) = 1`: `x = 1/(1 + t^2)`. Nonlinear and not autonomous.
pub(crate) fn rational() -> Problem {
    Problem::ode(vec![1.0], |t, x, dx| dx[0] = -2.0 * t * x[0] * x[0], |t, x, v| v[0] = -4.0 * t * x[0])
}

/// `x' = -1000*(x - cos t) - sin t`, `x(0) = 1`: `x = cos t`. Stiff.
pub(crate) fn stiff() -> Problem {
    Problem::ode(vec![1.0], |t, x, dx| dx[0] = -1000.0 * (x[0] - t.cos()) - t.sin(), |_, _, v| v[0] = -1000.0)
}

/// Robertson's chemical reaction.
pub(crate) fn robertson() -> Problem {
    Problem::ode(
        vec![1.0, 0.0, 0.0],
        |_, y, d| {
            d[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
            d[2] = 3e7 * y[1] * y[1];
            d[1] = -d[0] - d[2];
        },
        |_, y, v| {
            v.copy_from_slice(&[
                -0.04, 0.04, 0.0,
                1e4 * y[2], -1e4 * y[2] - 6e7 * y[1], 6e7 * y[1],
                1e4 * y[1], -1e4 * y[1], 0.0,
            ]);
        },
    )
    .with_nominal(1e-4)
}

/// High irradiance response of photomorphogenesis, eight equations.
pub(crate) fn hires() -> Problem {
    let mut x0 = vec![0.0; 8];
    x0[0] = 1.0;
    x0[7] = 0.0057;
    Problem::ode(
        x0,
        |_, y, f| {
            f[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
            f[1] = 1.71 * y[0] - 8.75 * y[1];
            f[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
            f[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
            f[4] = -1.745 * y[4] + 0.43 * (y[5] + y[6]);
            f[5] = -280.0 * y[5] * y[7] + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
            f[6] = 280.0 * y[5] * y[7] - 1.81 * y[6];
            f[7] = -f[6];
        },
        |_, y, v| {
            v.fill(0.0);
            let mut set = |i: usize, j: usize, value: f64| v[j * 8 + i] = value;
            let (a, b) = (280.0 * y[7], 280.0 * y[5]);
            for (i, j, value) in [
                (0, 0, -1.71), (0, 1, 0.43), (0, 2, 8.32), (1, 0, 1.71), (1, 1, -8.75), (2, 2, -10.03), (2, 3, 0.43), (2, 4, 0.035),
                (3, 1, 8.32), (3, 2, 1.71), (3, 3, -1.12), (4, 4, -1.745), (4, 5, 0.43), (4, 6, 0.43), (5, 3, 0.69), (5, 4, 1.71),
                (5, 5, -a - 0.43), (5, 6, 0.69), (5, 7, -b), (6, 5, a), (6, 6, -1.81), (6, 7, b), (7, 5, -a), (7, 6, 1.81), (7, 7, -b),
            ] {
                set(i, j, value);
            }
        },
    )
    .with_nominal(1e-3)
}

/// Van der Pol's oscillator with mu = 1000.
pub(crate) fn van_der_pol() -> Problem {
    Problem::ode(
        vec![2.0, 0.0],
        |_, y, d| {
            d[0] = y[1];
            d[1] = 1000.0 * (1.0 - y[0] * y[0]) * y[1] - y[0];
        },
        |_, y, v| v.copy_from_slice(&[0.0, -2000.0 * y[0] * y[1] - 1.0, 1.0, 1000.0 * (1.0 - y[0] * y[0])]),
    )
}

/// A fixed-step or adaptive experiment up to `stop`.
pub(crate) fn experiment(solver: Solver, stop: f64) -> Experiment {
    Experiment { stop_time: stop, solver, ..Experiment::default() }
}

/// A ball dropped from height 1 with restitution 0.8; relation `h > 0`. The model freezes it, as compiled models do.
pub(crate) fn bouncing_ball() -> Problem {
    let mut above = true;
    Problem::ode(
        vec![1.0, 0.0],
        |_, x, dx| {
            dx[0] = x[1];
            dx[1] = -9.81;
        },
        |_, _, v| v.copy_from_slice(&[0.0, 0.0, 1.0, 0.0]),
    )
    .with_events(
        1,
        |_, x, out| out[0] = x[0],
        move |_, x, _| {
            let now = x[0] > 0.0;
            let fell = above && !now;
            above = now;
            if fell {
                x[1] = -0.8 * x[1];
            }
            EventOutcome { changed: fell, terminate: None }
        },
    )
}

mod tests {
    use super::*;

    fn error_at_end(make: fn() -> Problem, exact: &[f64], experiment: &Experiment) -> f64 {
        let (points, _) = run(&mut make(), experiment);
        points.last().iter().zip(exact).map(|(x, e)| (x - e).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn fixed_step_methods_have_their_order() {
        for (solver, order) in [
            (Solver::Euler, 1.0),
            (Solver::ImplicitEuler, 1.0),
            (Solver::Midpoint, 2.0),
            (Solver::ImplicitMidpoint, 2.0),
            (Solver::Heun, 2.0),
            (Solver::Rk4, 4.0),
        ] {
            for (name, make, exact) in [
                ("oscillator", oscillator as fn() -> Problem, vec![1.5_f64.cos(), -1.5_f64.sin()]),
                ("rational", rational as fn() -> Problem, vec![1.0 / 3.25]),
            ] {
                let error = |steps: f64| {
                    let step = 1.5 / steps;
                    let experiment = Experiment { step: Some(step), interval: Some(1.5), tolerance: 1e-12, ..experiment(solver, 1.5) };
                    error_at_end(make, &exact, &experiment)
                };
                let measured = (error(100.0) / error(200.0)).log2();
                assert!((measured - order).abs() < 0.2, "{solver} on {name}: order {measured}");
            }
        }
    }

    #[test]
    fn adaptive_methods_keep_the_tolerance() {
        for solver in [Solver::Dopri5, Solver::Esdirk, Solver::Bdf] {
            for tolerance in [1e-4, 1e-6, 1e-8] {
                for (name, make, exact) in [
                    ("oscillator", oscillator as fn() -> Problem, vec![5_f64.cos(), -5_f64.sin()]),
                    ("rational", rational as fn() -> Problem, vec![1.0 / 26.0]),
                    ("stiff", stiff as fn() -> Problem, vec![5_f64.cos()]),
                ] {
                    let experiment = Experiment { tolerance, ..experiment(solver, 5.0) };
                    let error = error_at_end(make, &exact, &experiment);
                    assert!(error < 100.0 * tolerance, "{solver} on {name} with {tolerance:e}: {error:e}");
                }
            }
        }
    }

    /// Times of the impacts of the ball.
    fn impacts(n: usize) -> Vec<f64> {
        let first = (2.0_f64 / 9.81).sqrt();
        let mut t = first;
        let mut flight = 2.0 * first;
        let mut times = vec![t];
        for _ in 1..n {
            flight *= 0.8;
            t += flight;
            times.push(t);
        }
        times
    }

    #[test]
    fn impacts_of_a_ball_are_found_where_they_are() {
        for solver in [Solver::Bdf, Solver::Dopri5, Solver::Esdirk, Solver::Rk4] {
            let (points, statistics) = run(&mut bouncing_ball(), &Experiment { tolerance: 1e-8, ..experiment(solver, 3.0) });
            let found: Vec<f64> = points.rows.windows(2).filter(|w| w[0].0 == w[1].0 && w[0].1[1] < -0.01 && w[1].1[1] > 0.0).map(|w| w[0].0).collect();
            let expected = impacts(found.len() + 1);
            assert!(found.len() == 6, "{solver}: {} impacts", found.len());
            for (found, expected) in found.iter().zip(&expected) {
                assert!((found - expected).abs() < 2e-7, "{solver}: {found} and {expected}");
            }
            // Falling through zero and leaving it again are two changes of the relation.
            assert_eq!(statistics.state_events, 12, "{solver}");
            assert!(points.rows.windows(2).all(|w| w[0].0 <= w[1].0));
        }
    }
}

#[cfg(test)]
mod stiff_tests {
    use super::*;

    #[test]
    fn stiff_problems_agree_with_published_solutions() {
        let hires_end = vec![
            0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2, 0.2386356198831331e-2,
            0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2,
        ];
        let robertson_end = vec![0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050];
        for (name, make, stop, reference) in [
            ("robertson", robertson as fn() -> Problem, 1e11, robertson_end),
            ("hires", hires, 321.8122, hires_end),
            ("van der pol", van_der_pol, 2000.0, vec![1.706167732170483, -8.928097010247975e-4]),
        ] {
            for solver in [Solver::Bdf, Solver::Esdirk] {
                let mut problem = make();
                let experiment = Experiment { tolerance: 1e-8, interval: Some(stop), ..experiment(solver, stop) };
                let (points, _) = run(&mut problem, &experiment);
                for ((x, r), nominal) in points.last().iter().zip(&reference).zip(&problem.nominal) {
                    let error = (x - r).abs() / (nominal + r.abs());
                    assert!(error < 2e-6, "{solver} on {name}: {x:e} and {r:e}, {error:e}");
                }
            }
        }
    }
}
