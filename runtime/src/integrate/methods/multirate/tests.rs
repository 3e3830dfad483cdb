//! The formulas, and waking.

use super::level::{Level, Marks, Readers};
use super::pieces::Pieces;
use super::{Multirate, Rates};
use crate::integrate::problems::{Problem, experiment, run};
use crate::integrate::system::method::{Attempt, Method, System};
use crate::integrate::{Experiment, Solver};

/// `x' = -2 t x^2`, of which `1/(1 + t^2)` is the solution, and `y' = x - y`.
fn problem() -> Problem {
    let f = |t: f64, x: &[f64], dx: &mut [f64]| {
        dx[0] = -2.0 * t * x[0] * x[0];
        dx[1] = x[0] - x[1];
    };
    let jacobian = |t: f64, x: &[f64], j: &mut [f64]| j.copy_from_slice(&[-4.0 * t * x[0], 1.0, 0.0, -1.0]);
    Problem::ode(vec![1.0, 0.5], f, jacobian)
}

/// Errors of the first state at the end, and within steps.
fn errors(steps: usize) -> [f64; 2] {
    let mut problem = problem();
    let readers = problem.pattern.clone();
    let graph = Readers { reads: readers.transposed(), readers };
    let mut system = System::new(&mut problem, 1e-12, f64::INFINITY);
    let (mut level, mut marks, pieces) = (Level::new(0), Marks::new(2), Pieces::new(2));
    level.choose(&mut system, &[0, 1], &graph, &mut marks);
    let (mut x, mut point, h) = (vec![1.0, 0.5], vec![0.0; 2], 1.5 / steps as f64);
    let exact = |t: f64| 1.0 / (1.0 + t * t);
    let mut within: f64 = 0.0;
    for step in 0..steps {
        let t = step as f64 * h;
        level.forget();
        level.try_step(&mut system, (t, h), &x, &mut point, &pieces).unwrap();
        x.copy_from_slice(&level.end);
        let piece = level.piece(0, (t, h));
        within = within.max((piece.value(t + 0.4 * h) - exact(t + 0.4 * h)).abs());
    }
    [(x[0] - exact(1.5)).abs(), within]
}

#[test]
fn steps_and_values_within_have_their_orders() {
    let (coarse, fine) = (errors(40), errors(80));
    let orders = [0, 1].map(|i| (coarse[i] / fine[i]).log2());
    assert!((orders[0] - 4.0).abs() < 0.3, "at the end of steps: {orders:?}");
    assert!((orders[1] - 4.0).abs() < 0.5, "within steps, where the error of one step has order 4: {orders:?}");
}

/// A chain in which each gate opens when the one before has risen: nothing moves behind a front.
fn gates(n: usize) -> Problem {
    let open = |u: f64| (u - 0.5).max(0.0).powi(2);
    let f = move |t: f64, x: &[f64], dx: &mut [f64]| {
        for i in 0..x.len() {
            let before = if i == 0 { t.min(1.0) } else { x[i - 1] };
            dx[i] = 200.0 * open(before) * (1.0 - x[i]) - 0.01 * x[i];
        }
    };
    let jacobian = move |t: f64, x: &[f64], j: &mut [f64]| {
        let mut at = 0;
        for i in 0..x.len() {
            let before = if i == 0 { t.min(1.0) } else { x[i - 1] };
            j[at] = -200.0 * open(before) - 0.01;
            at += 1;
            if i + 1 < x.len() {
                j[at] = 400.0 * (x[i] - 0.5).max(0.0) * (1.0 - x[i + 1]);
                at += 1;
            }
        }
    };
    let mut problem = Problem::ode(vec![0.0; n], f, jacobian);
    let mut pattern = crate::model::plan::Pattern { n_rows: n, col_starts: vec![0], rows: Vec::new() };
    for i in 0..n {
        pattern.rows.extend(i..(i + 2).min(n));
        pattern.col_starts.push(pattern.rows.len());
    }
    problem.pattern = pattern;
    problem
}

/// The largest difference to an accurate run, at all points of output.
fn difference(rates: Rates, tolerance: f64) -> (f64, crate::integrate::Statistics) {
    let accurate = Experiment { tolerance: 1e-9, ..experiment(Solver::Bdf, 12.0) };
    let (expected, _) = run(&mut gates(60), &accurate);
    let rated = Experiment { tolerance, rates: Some(rates), ..accurate };
    let (points, statistics) = run(&mut gates(60), &rated);
    assert_eq!(points.rows.len(), expected.rows.len());
    let all = points.rows.iter().zip(&expected.rows).flat_map(|((_, a), (_, b))| a.iter().zip(b));
    (all.fold(0.0, |largest: f64, (a, b)| largest.max((a - b).abs())), statistics)
}

#[test]
fn a_front_is_met_by_waking_and_missed_without() {
    let (with, counts) = difference(Rates { least_ratio: 0.0, wakes: true }, 1e-5);
    assert!(with < 1e-3, "{with}: {counts}");
    assert!(counts.apart.multirate.as_ref().is_some_and(|counts| counts.woken > 0 && counts.steps.len() > 1), "{counts}");
    let (without, counts) = difference(Rates { least_ratio: 0.0, wakes: false }, 1e-5);
    assert!(without > 10.0 * with, "{without}: {counts}");
}

#[test]
fn runs_are_repeated_to_the_last_bit() {
    let rated = Experiment { rates: Some(Rates { least_ratio: 0.0, wakes: true }), ..experiment(Solver::Bdf, 12.0) };
    let (first, _) = run(&mut gates(40), &rated);
    let (second, _) = run(&mut gates(40), &rated);
    assert_eq!(first.rows, second.rows);
}

#[test]
fn a_slab_ends_where_it_is_to_end_and_knows_its_points() {
    let mut problem = gates(20);
    let mut method = Multirate::new(&problem, Rates::default());
    let mut system = System::new(&mut problem, 1e-6, f64::INFINITY);
    method.restart(&mut system, 0.0, &[0.0; 20], 2.0).unwrap();
    let mut x = vec![0.0; 20];
    while method.time() < 2.0 {
        let before = method.time();
        if method.attempt(&mut system, 2.0) != Attempt::Accepted {
            continue;
        }
        method.interpolate(method.time(), &mut x);
        // States at the end are corrected by what they did not see, which is less than their tolerance.
        let apart = x.iter().zip(method.state()).fold(0.0, |largest: f64, (a, b)| largest.max((a - b).abs()));
        assert!(apart < 2e-6, "{apart}");
        let mut at = before;
        while let Some(next) = method.inner_time(at) {
            assert!(next > at && next <= method.time());
            at = next;
        }
        assert_eq!(at, if method.inner_time(before).is_some() { method.time() } else { before });
    }
    assert_eq!(method.time(), 2.0);
}
