//! Problems with known answers whose states are tiny, huge, mixed, or begin with zero.

use crate::integrate::problems::*;
use crate::integrate::{Experiment, Solver, Statistics};
use crate::model::interface::EventOutcome;
use std::f64::consts::PI;

const SOLVERS: [Solver; 3] = [Solver::Bdf, Solver::Esdirk, Solver::Dopri5];
const SIZES: [f64; 9] = [1e-200, 1e-60, 1e-30, 1e-15, 1e-6, 1.0, 1e6, 1e10, 1e60];

/// Of what begins at zero and declares nothing, no smaller size is followed.
const FROM_ZERO: [f64; 6] = [1e-25, 1e-15, 1e-6, 1.0, 1e6, 1e60];

/// Runs a problem and compares every point with the answer, in parts of the given sizes.
fn check(what: &str, make: impl Fn() -> Problem, experiment: &Experiment, sizes: &[f64], answer: impl Fn(f64) -> Vec<f64>) -> Statistics {
    let (points, statistics) = run(&mut make(), experiment);
    for (t, x) in &points.rows {
        for ((x, exact), size) in x.iter().zip(answer(*t)).zip(sizes) {
            let error = (x - exact).abs() / size;
            assert!(error < 30.0 * experiment.tolerance, "{what} by {} at {t}: {x:e} and {exact:e}, {error:e}", experiment.solver);
        }
    }
    statistics
}

fn oscillating(x0: f64, v0: f64) -> Problem {
    Problem { x0: vec![x0, v0], ..oscillator() }
}

#[test]
fn oscillators_of_all_sizes_are_alike() {
    for solver in SOLVERS {
        let experiment = Experiment { tolerance: 1e-6, ..experiment(solver, 8.0) };
        let steps: Vec<u64> = SIZES
            .map(|size| {
                check("cosine", || oscillating(size, 0.0), &experiment, &[size; 2], |t| vec![size * t.cos(), -size * t.sin()]).steps
            })
            .into();
        assert!(steps.iter().all(|n| n.abs_diff(steps[5]) <= steps[5] / 3), "{solver}: {steps:?}");
        let steps: Vec<u64> = SIZES
            .map(|size| check("sine", || oscillating(0.0, size), &experiment, &[size; 2], |t| vec![size * t.sin(), size * t.cos()]).steps)
            .into();
        assert!(steps.iter().all(|n| n.abs_diff(steps[5]) <= steps[5] / 3), "{solver}: {steps:?}");
    }
}

#[test]
fn what_rises_from_zero_has_its_digits() {
    for solver in SOLVERS {
        for size in FROM_ZERO {
            let rising = || Problem::ode(vec![0.0], move |_, x, dx| dx[0] = size - x[0], |_, _, v| v[0] = -1.0);
            let statistics = check("rising", rising, &Experiment { tolerance: 1e-7, ..experiment(solver, 5.0) }, &[size], |t| {
                vec![-size * (-t).exp_m1()]
            });
            assert!(statistics.steps < 200, "{solver}, {size:e}: {statistics}");
            // A chain of reactions: the first amount is there, the others are not.
            let chain = || {
                Problem::ode(
                    vec![size, 0.0, 0.0],
                    |_, x, dx| dx.copy_from_slice(&[-x[0], x[0] - x[1], x[1]]),
                    |_, _, v| v.copy_from_slice(&[-1.0, 1.0, 0.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0]),
                )
            };
            let answer = |t: f64| vec![size * (-t).exp(), size * t * (-t).exp(), size * (1.0 - (1.0 + t) * (-t).exp())];
            let statistics = check("chain", chain, &Experiment { tolerance: 1e-7, ..experiment(solver, 5.0) }, &[size; 3], answer);
            assert!(statistics.steps < 300, "{solver}, {size:e}: {statistics}");
        }
    }
}

#[test]
fn small_states_beside_large_ones_have_their_digits() {
    let (small, large) = (1e-15, 1e5);
    for solver in SOLVERS {
        let experiment = Experiment { tolerance: 1e-7, ..experiment(solver, 10.0) };
        // Two oscillators that do not know of each other.
        let two = || {
            Problem::ode(
                vec![small, 0.0, large, 0.0],
                |_, x, dx| dx.copy_from_slice(&[x[1], -x[0], 0.5 * x[3], -0.5 * x[2]]),
                |_, _, v| {
                    v.fill(0.0);
                    (v[1], v[4], v[11], v[14]) = (-1.0, 1.0, -0.5, 0.5);
                },
            )
        };
        let answer = |t: f64| vec![small * t.cos(), -small * t.sin(), large * (0.5 * t).cos(), -large * (0.5 * t).sin()];
        check("two oscillators", two, &experiment, &[small, small, large, large], answer);
        // A small one that is driven by a large one: x' = small/large*y - x.
        let driven = || {
            Problem::ode(
                vec![0.0, large, 0.0],
                move |_, x, dx| dx.copy_from_slice(&[small / large * x[1] - x[0], x[2], -x[1]]),
                move |_, _, v| v.copy_from_slice(&[-1.0, 0.0, 0.0, small / large, 0.0, -1.0, 0.0, 1.0, 0.0]),
            )
        };
        let answer = |t: f64| vec![0.5 * small * (t.cos() + t.sin() - (-t).exp()), large * t.cos(), -large * t.sin()];
        check("driven", driven, &experiment, &[small, large, large], answer);
    }
}

#[test]
fn what_falls_slowly_keeps_its_digits() {
    // x = 1/(1 + t) over eight orders of magnitude.
    for solver in [Solver::Bdf, Solver::Esdirk] {
        let falling = || Problem::ode(vec![1.0], |_, x, dx| dx[0] = -x[0] * x[0], |_, x, v| v[0] = -2.0 * x[0]);
        for stop in [1e2, 1e4, 1e6, 1e8] {
            let (points, _) = run(&mut falling(), &Experiment { tolerance: 1e-7, interval: Some(stop), ..experiment(solver, stop) });
            let error = (points.last()[0] * (1.0 + stop) - 1.0).abs();
            // The errors of single steps add up over the orders of magnitude.
            assert!(error < 2e-5, "{solver} at {stop:e}: {error:e}");
        }
    }
}

/// Robertson's reaction without nominal values, at times over eleven orders of magnitude; the last answer is a published one.
#[test]
fn robertson_has_digits_everywhere() {
    let bare = || Problem { nominal: None, ..robertson() };
    let ends: [(f64, [f64; 3], f64); 4] = [
        (0.4, [0.985_172_113_860_989_9, 3.386_395_378_974_904e-5, 1.479_402_218_522_039e-2], 1e-7),
        (4e3, [0.183_202_257_776_7, 8.942_371_252_776e-7, 0.816_796_847_986_17], 1e-7),
        (4e6, [5.168_096_014_92e-4, 2.068_294_491_22e-9, 0.999_483_188_330_213], 1e-7),
        (1e11, [0.208_334_014_970_125_5e-7, 0.833_336_077_033_471_3e-13, 0.999_999_979_166_505], 3e-6),
    ];
    for solver in [Solver::Bdf, Solver::Esdirk] {
        for (stop, exact, allowed) in ends {
            let (points, statistics) = run(&mut bare(), &Experiment { tolerance: 1e-8, interval: Some(stop), ..experiment(solver, stop) });
            for (x, exact) in points.last().iter().zip(exact) {
                let error = (x / exact - 1.0).abs();
                assert!(error < allowed, "{solver} at {stop:e}: {x:e} and {exact:e}, {error:e}");
            }
            assert!(statistics.steps < 2500, "{solver} at {stop:e}: {statistics}");
        }
    }
}

#[test]
fn noise_is_not_followed() {
    let phase = 2.0 * PI / 3.0;
    let swing = |t: f64| 300.0 * (50.0 * t).sin();
    // The sum of three phases is zero up to round-off, and so is what it drives.
    let balanced = || {
        Problem::ode(
            vec![0.0, 0.0],
            move |t, x, dx| {
                let wave = |k: f64| 300.0 * (50.0 * t + k * phase).sin();
                dx[0] = 1e3 * (wave(0.0) + wave(1.0) + wave(2.0) - x[0]);
                dx[1] = swing(t) - x[1];
            },
            |_, _, v| v.copy_from_slice(&[-1e3, 0.0, 0.0, -1.0]),
        )
    };
    // The difference of two states that are equal up to their own errors.
    let twins = || {
        Problem::ode(
            vec![1.0, 1.0, 0.0],
            |t, x, dx| {
                dx[0] = -x[0] + (3.0 * t).sin();
                dx[1] = -1.000_000_000_000_1 * x[1] + (3.0 * t).sin();
                dx[2] = 1e6 * (x[0] - x[1] - x[2]);
            },
            |_, _, v| v.copy_from_slice(&[-1.0, 0.0, 1e6, 0.0, -1.000_000_000_000_1, -1e6, 0.0, 0.0, -1e6]),
        )
    };
    // Nothing at all, and what begins as round-off.
    let still = || {
        Problem::ode(
            vec![0.0, 3e-17, 0.0],
            |t, x, dx| dx.copy_from_slice(&[0.0, t.cos() - x[1], -x[2]]),
            |_, _, v| v.copy_from_slice(&[0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0]),
        )
    };
    // The same without what is noise.
    let single = || Problem::ode(vec![0.0], move |t, x, dx| dx[0] = swing(t) - x[0], |_, _, v| v[0] = -1.0);
    for solver in [Solver::Bdf, Solver::Esdirk] {
        let usual = run(&mut single(), &experiment(solver, 1.0)).1;
        let most = 3 * (usual.steps + usual.rejected) / 2;
        for (what, problem, stop, most) in
            [("balanced", &balanced as &dyn Fn() -> Problem, 1.0, most), ("twins", &twins, 10.0, 400), ("still", &still, 10.0, 300)]
        {
            let (_, statistics) = run(&mut problem(), &experiment(solver, stop));
            assert!(statistics.steps + statistics.rejected < most, "{what} by {solver}: {statistics}");
        }
    }
}

#[test]
fn states_that_die_out_are_let_go() {
    // A quick transient at the beginning of a long run.
    for solver in [Solver::Bdf, Solver::Esdirk] {
        let ringing = || {
            Problem::ode(
                vec![1.0, 0.0],
                |_, x, dx| dx.copy_from_slice(&[x[1], -1e4 * x[0] - 20.0 * x[1]]),
                |_, _, v| v.copy_from_slice(&[0.0, -1e4, 1.0, -20.0]),
            )
        };
        let (_, statistics) = run(&mut ringing(), &experiment(solver, 1000.0));
        assert!(statistics.steps < 2000, "{solver}: {statistics}");
    }
}

#[test]
fn a_declared_nominal_value_is_a_wish() {
    let decay =
        |nominal| Problem { nominal, ..Problem::ode(vec![1e-6], |t, x, dx| dx[0] = 1e-6 * (20.0 * t).cos() - x[0], |_, _, v| v[0] = -1.0) };
    let steps = |nominal| run(&mut decay(nominal), &experiment(Solver::Bdf, 10.0)).1.steps;
    assert!(2 * steps(Some(1.0)) < steps(None), "{} and {}", steps(Some(1.0)), steps(None));
}

#[test]
fn crossings_of_tiny_states_are_found() {
    for solver in SOLVERS {
        for size in [1e-200, 1e-30, 1e-15, 1.0, 1e10] {
            for (x0, v0, first) in [(size, 0.0, 0.1_f64.acos()), (0.0, size, 0.1_f64.asin())] {
                let problem = oscillating(x0, v0);
                let mut problem = problem.with_events(1, move |_, x, out| out[0] = x[0] - 0.1 * size, |_, _, _| EventOutcome::default());
                let (points, statistics) = run(&mut problem, &Experiment { tolerance: 1e-8, ..experiment(solver, 7.9) });
                assert_eq!(statistics.events.state_events, 3, "{solver}, {size:e}");
                let found = points.rows.windows(2).find(|w| w[0].0 == w[1].0).map_or(f64::NAN, |w| w[0].0);
                assert!((found - first).abs() < 1e-6, "{solver}, {size:e}: {found} and {first}");
            }
        }
    }
}
