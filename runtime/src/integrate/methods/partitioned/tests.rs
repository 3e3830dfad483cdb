use super::*;
use crate::integrate::problems::*;
use crate::integrate::{Experiment, Solver, Statistics};

/// Number of states of the tests' systems, and of the fast ones among them.
const STATES: usize = 60;
const FAST: usize = 4;

/// A few fast states that turn around each other and follow the slow ones, each of which takes `coupling` of its neighbours.
fn two_scales(rate: f64, coupling: f64) -> Problem {
    let entry = move |row: usize, column: usize| match (row < FAST, column < FAST) {
        (true, true) if row == column => -rate,
        (true, true) if column == (row + 1) % FAST => 0.5 * rate,
        (true, false) if column == FAST + row => rate,
        (false, _) if row == column => -1.0,
        (false, true) if row == FAST + column => 0.2,
        (false, false) if row == column + 1 || column == row + 1 => coupling,
        _ => 0.0,
    };
    let f = move |t: f64, x: &[f64], dx: &mut [f64]| {
        for (row, dx) in dx.iter_mut().enumerate() {
            *dx = (0..STATES).map(|column| entry(row, column) * x[column]).sum::<f64>() + (t + row as f64).sin();
        }
    };
    let jacobian = move |_: f64, _: &[f64], values: &mut [f64]| {
        values.iter_mut().enumerate().for_each(|(at, value)| *value = entry(at % STATES, at / STATES));
    };
    Problem::ode(vec![0.5; STATES], f, jacobian)
}

fn solved(problem: &mut Problem, solver: Solver, tolerance: f64, partition: bool) -> (Points, Statistics) {
    run(problem, &Experiment { tolerance, partition, ..experiment(solver, 10.0) })
}

/// The largest difference of the last points.
fn error(points: &Points, exact: &Points) -> f64 {
    points.last().iter().zip(exact.last()).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

#[test]
fn a_run_that_solves_for_fast_states_alone_is_as_accurate() {
    for solver in [Solver::Bdf, Solver::Esdirk, Solver::Auto] {
        let problem = || two_scales(1e4, 0.1);
        let (exact, _) = solved(&mut problem(), Solver::Bdf, 1e-12, false);
        let (whole, of_whole) = solved(&mut problem(), solver, 1e-6, false);
        let (split, of_split) = solved(&mut problem(), solver, 1e-6, true);
        assert!(of_whole.partitioning.is_none());
        let found = of_split.partitioning.clone().unwrap_or_default();
        assert!(2 * found.split_solutions > found.solutions && found.given_up == 0, "{solver}: {found:?}");
        assert!((0..FAST).all(|state| found.fast.contains(&state)) && found.fast.len() < STATES / 2, "{solver}: {found:?}");
        let (of_whole, of_split) = (error(&whole, &exact), error(&split, &exact));
        assert!(of_split <= (3.0 * of_whole).max(1e-5), "{solver}: {of_split:e} and {of_whole:e}");
    }
}

#[test]
fn where_all_states_act_on_each_other_the_run_is_that_of_all_states() {
    // The neighbours are as fast as the fast ones.
    let problem = || two_scales(1e4, 1e4);
    let (whole, _) = solved(&mut problem(), Solver::Bdf, 1e-6, false);
    let (split, statistics) = solved(&mut problem(), Solver::Bdf, 1e-6, true);
    let found = statistics.partitioning.unwrap_or_default();
    assert_eq!(found.split_solutions, 0, "{found:?}");
    assert_eq!(whole.rows, split.rows);
}

#[test]
fn decisions_cost_a_small_part_of_the_work() {
    let mut matrix = IterationMatrix::new(&dense_pattern(STATES));
    let mut problem = two_scales(1e4, 0.1);
    matrix.allow(&problem);
    let mut jacobian = vec![0.0; STATES * STATES];
    problem.jacobian(0.0, &[0.0; STATES], &mut jacobian).unwrap();
    for round in 0..400 {
        let c = 1e-3 * (1.0 + 0.5 * f64::from(round % 7));
        matrix.factor(c, &jacobian, round % 20 == 0, &dense_pattern(STATES), &[1.0; STATES]).unwrap();
        (0..5).for_each(|_| matrix.note_solution(2));
        let partition = matrix.partition.as_deref().unwrap();
        assert!(partition.deciding <= BUDGET * partition.spent, "{} of {}", partition.deciding, partition.spent);
    }
    assert!(matrix.is_split());
}
