//! Twenty models whose results a tolerance does not determine, and twenty whose results it does.

use crate::integrate::problems::*;
use crate::integrate::{Experiment, Solver, Statistics};
use std::f64::consts::PI;

/// A problem whose Jacobian is found by differences: exact enough for an estimate.
fn ode(x0: &[f64], f: impl Fn(f64, &[f64], &mut [f64]) + Clone + 'static) -> Problem {
    let n = x0.len();
    let rates = f.clone();
    Problem::ode(x0.to_vec(), f, move |t, x, v| {
        let (mut point, mut low, mut high) = (x.to_vec(), vec![0.0; n], vec![0.0; n]);
        for j in 0..n {
            let h = 1e-6 * x[j].abs().max(1e-3);
            point[j] = x[j] - h;
            rates(t, &point, &mut low);
            point[j] = x[j] + h;
            rates(t, &point, &mut high);
            point[j] = x[j];
            (0..n).for_each(|i| v[j * n + i] = (high[i] - low[i]) / (2.0 * h));
        }
    })
}

/// `x' = rate*(x - g(t)) + g'(t)` with `x = g`: every error grows.
fn unstable(rate: f64, g: fn(f64) -> f64, slope: fn(f64) -> f64) -> Problem {
    ode(&[g(0.0)], move |t, x, dx| dx[0] = rate * (x[0] - g(t)) + slope(t))
}

fn lorenz(rho: f64) -> Problem {
    ode(&[1.0, 1.0, 20.0], move |_, x, dx| {
        dx.copy_from_slice(&[10.0 * (x[1] - x[0]), x[0] * (rho - x[2]) - x[1], x[0] * x[1] - 8.0 / 3.0 * x[2]]);
    })
}

fn relaxation(mu: f64) -> Problem {
    ode(&[2.0, 0.0], move |_, x, dx| dx.copy_from_slice(&[x[1], mu * (1.0 - x[0] * x[0]) * x[1] - x[0]]))
}

/// A body on a hill or in two valleys, `x'' = force(t, x) - damping*x'`.
fn body(x0: f64, v0: f64, damping: f64, force: fn(f64, f64) -> f64) -> Problem {
    ode(&[x0, v0], move |t, x, dx| dx.copy_from_slice(&[x[1], force(t, x[0]) - damping * x[1]]))
}

fn double_pendulum(angle: f64) -> Problem {
    ode(&[angle, angle, 0.0, 0.0], |_, x, dx| {
        let (a, b, u, v) = (x[0], x[1], x[2], x[3]);
        let (s, c) = ((a - b).sin(), (a - b).cos());
        let d = 2.0 - c * c;
        dx[0] = u;
        dx[1] = v;
        dx[2] = (-s * (v * v + u * u * c) - 19.62 * a.sin() + 9.81 * b.sin() * c) / d;
        dx[3] = (s * (2.0 * u * u + v * v * c) + 19.62 * (a.sin() * c - b.sin())) / d;
    })
}

fn sensitive_models() -> Vec<(&'static str, Problem, f64)> {
    vec![
        ("unstable sine", unstable(90.0, f64::sin, f64::cos), 1.0),
        ("unstable cosine", unstable(50.0, f64::cos, |t| -t.sin()), 1.0),
        ("unstable parabola", unstable(100.0, |t| t * t, |t| 2.0 * t), 1.0),
        ("unstable decay", unstable(1.0, |t| (-t).exp(), |t| -(-t).exp()), 40.0),
        ("ever more unstable", ode(&[0.0], |t: f64, x, dx| dx[0] = 20.0 * t * (x[0] - t.sin()) + t.cos()), 3.0),
        ("saddle", body(1.0, -1.0, 0.0, |_, x| x), 40.0),
        ("Airy", body(0.355_028_053_887_817_2, -0.258_819_403_792_806_8, 0.0, |t, x| t * x), 12.0),
        ("hill", body(0.0, 2.0, 0.0, |_, x| -x.sin()), 60.0),
        ("two valleys", body(2.0_f64.sqrt(), 0.0, 0.0, |_, x| x - x * x * x), 60.0),
        ("Lorenz", lorenz(28.0), 40.0),
        ("Lorenz, wilder", lorenz(60.0), 30.0),
        (
            "Roessler",
            ode(&[1.0, 1.0, 0.0], |_, x, dx| dx.copy_from_slice(&[-x[1] - x[2], x[0] + 0.2 * x[1], 0.2 + x[2] * (x[0] - 5.7)])),
            500.0,
        ),
        ("Duffing", body(1.0, 0.0, 0.1, |t, x| x - x * x * x + 0.35 * (1.4 * t).cos()), 300.0),
        ("driven pendulum", body(0.2, 0.0, 0.5, |t, x| -x.sin() + 1.15 * (2.0 / 3.0 * t).cos()), 400.0),
        ("double pendulum", double_pendulum(2.5), 60.0),
        (
            "Henon and Heiles",
            ode(&[0.0, -0.15, 0.549, 0.0], |_, x, dx| {
                dx.copy_from_slice(&[x[2], x[3], -x[0] - 2.0 * x[0] * x[1], -x[1] - x[0] * x[0] + x[1] * x[1]])
            }),
            600.0,
        ),
        (
            "Chua",
            ode(&[0.7, 0.0, 0.0], |_, x, dx| {
                let h = -0.714 * x[0] + 0.5 * (-1.143 + 0.714) * ((x[0] + 1.0).abs() - (x[0] - 1.0).abs());
                dx.copy_from_slice(&[15.6 * (x[1] - x[0] - h), x[0] - x[1] + x[2], -28.0 * x[1]]);
            }),
            120.0,
        ),
        (
            "weather",
            {
                let mut x0 = [8.0; 8];
                x0[0] = 8.01;
                ode(&x0, |_, x, dx| (0..8).for_each(|i| dx[i] = (x[(i + 1) % 8] - x[(i + 6) % 8]) * x[(i + 7) % 8] - x[i] + 8.0))
            },
            40.0,
        ),
        ("Sprott", ode(&[0.05, 0.05, 0.05], |_, x, dx| dx.copy_from_slice(&[x[1] * x[2], x[0] - x[1], 1.0 - x[0] * x[1]])), 400.0),
        (
            "Rikitake",
            ode(&[1.0, 0.5, 1.0], |_, x, dx| {
                dx.copy_from_slice(&[-2.0 * x[0] + x[1] * x[2], -2.0 * x[1] + (x[2] - 5.0) * x[0], 1.0 - x[0] * x[1]])
            }),
            300.0,
        ),
    ]
}

fn determined_models() -> Vec<(&'static str, Problem, f64)> {
    vec![
        ("relaxation 1000", relaxation(1000.0), 3000.0),
        ("relaxation 100", relaxation(100.0), 500.0),
        ("relaxation 10", relaxation(10.0), 100.0),
        ("limit cycle", relaxation(1.0), 100.0),
        (
            "nerve",
            ode(&[0.0, 0.0], |_, x, dx| dx.copy_from_slice(&[x[0] - x[0].powi(3) / 3.0 - x[1] + 0.5, 0.08 * (x[0] + 0.7 - 0.8 * x[1])])),
            300.0,
        ),
        (
            "Brusselator",
            ode(&[1.0, 1.0], |_, x, dx| dx.copy_from_slice(&[1.0 + x[0] * x[0] * x[1] - 4.0 * x[0], 3.0 * x[0] - x[0] * x[0] * x[1]])),
            60.0,
        ),
        (
            "Oregonator",
            ode(&[1.0, 2.0, 3.0], |_, x, dx| {
                dx.copy_from_slice(&[
                    77.27 * (x[1] + x[0] * (1.0 - 8.375e-6 * x[0] - x[1])),
                    (x[2] - (1.0 + x[0]) * x[1]) / 77.27,
                    0.161 * (x[0] - x[2]),
                ]);
            }),
            360.0,
        ),
        ("Robertson", robertson(), 1e6),
        ("flame", ode(&[1e-3], |_, x, dx| dx[0] = x[0] * x[0] * (1.0 - x[0])), 2000.0),
        (
            "ignition",
            ode(&[0.0, 1.0], |_, x, dx| {
                let rate = x[1] * (8.0 * x[0]).exp();
                dx.copy_from_slice(&[rate - 0.01 * x[0], -rate]);
            }),
            5.0,
        ),
        ("photomorphogenesis", hires(), 321.8122),
        ("stiff", stiff(), 10.0),
        ("oscillator", oscillator(), 300.0),
        ("pendulum", body(2.5, 0.0, 0.0, |_, x| -x.sin()), 100.0),
        (
            "prey and predators",
            ode(&[10.0, 5.0], |_, x, dx| dx.copy_from_slice(&[1.1 * x[0] - 0.4 * x[0] * x[1], 0.1 * x[0] * x[1] - 0.4 * x[1]])),
            100.0,
        ),
        ("epidemic", ode(&[1.0 - 1e-4, 1e-4], |_, x, dx| dx.copy_from_slice(&[-0.5 * x[0] * x[1], 0.5 * x[0] * x[1] - 0.1 * x[1]])), 200.0),
        ("growth", ode(&[1.0], |_, x, dx| dx[0] = x[0]), 20.0),
        (
            "orbit",
            ode(&[0.7, 0.0, 0.0, (1.3_f64 / 0.7).sqrt()], |_, x, dx| {
                let r3 = (x[0] * x[0] + x[1] * x[1]).powf(1.5);
                dx.copy_from_slice(&[x[2], x[3], -x[0] / r3, -x[1] / r3]);
            }),
            10.0 * PI,
        ),
        ("damped valleys", body(1.4, 0.0, 0.3, |_, x| x - x * x * x), 60.0),
        ("still air", lorenz(0.5), 40.0),
    ]
}

fn run_of(problem: Problem, solver: Solver, stop: f64, intervals: f64) -> (Problem, Points, Statistics) {
    let mut problem = problem;
    let (points, statistics) = run(&mut problem, &Experiment { interval: Some(stop / intervals), ..experiment(solver, stop) });
    (problem, points, statistics)
}

/// The times of warnings R208.
fn warned(statistics: &Statistics) -> Vec<f64> {
    statistics.warnings.iter().filter(|warning| warning.code == "R208").filter_map(|warning| warning.time).collect()
}

#[test]
fn twenty_sensitive_models_are_warned_of_with_any_grid() {
    let mut missed = Vec::new();
    for grid in [10.0, 2000.0] {
        for (name, problem, stop) in sensitive_models() {
            let (_, _, statistics) = run_of(problem, Solver::Bdf, stop, grid);
            if warned(&statistics).len() != 1 {
                missed.push((name, grid));
            }
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn twenty_models_that_are_determined_are_not() {
    let mut wrong = Vec::new();
    for grid in [10.0, 2000.0] {
        for (name, problem, stop) in determined_models() {
            let (_, _, statistics) = run_of(problem, Solver::Bdf, stop, grid);
            if !warned(&statistics).is_empty() {
                wrong.push((name, grid, warned(&statistics)));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn the_time_is_that_from_which_the_result_is_wrong() {
    let exact: [(&str, fn() -> Problem, f64, fn(f64) -> f64, f64); 3] = [
        ("sine", || unstable(90.0, f64::sin, f64::cos), 1.0, f64::sin, 0.84),
        ("cosine", || unstable(50.0, f64::cos, |t| -t.sin()), 1.0, f64::cos, 0.46),
        ("decay", || unstable(1.0, |t| (-t).exp(), |t| -(-t).exp()), 40.0, |t| (-t).exp(), 1.0),
    ];
    for (name, make, stop, answer, range) in exact {
        for solver in [Solver::Bdf, Solver::Esdirk, Solver::Dopri5] {
            let (_, points, statistics) = run_of(make(), solver, stop, 1000.0);
            let wrong = points.rows.iter().find(|(t, x)| (x[0] - answer(*t)).abs() > 0.01 * range).map(|(t, _)| *t);
            match (wrong, &warned(&statistics)[..]) {
                // An estimate of what single steps have done: at these rates a factor of ten is 0.03 of the run.
                (Some(wrong), [warned]) => assert!((wrong - warned).abs() < 0.25 * stop, "{name} by {solver}: {wrong} and {warned}"),
                (None, []) => {}
                other => panic!("{name} by {solver}: {other:?}"),
            }
        }
    }
}
