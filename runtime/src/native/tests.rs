//! Every function is compared with a second, plain implementation at 10 000 random arguments.

use super::access::FileAccess;
use super::*;
use crate::abi::{KernelFailure, Kernels};
use crate::exec::Instance;
use crate::model::interface::HybridModel;
use crate::model::plan::{KernelId, ObjectSpec, Plan, Schedule, Signal, SignalSource, Slot, SlotType, Step};

pub(super) const N_QUERIES: usize = 10_000;

/// Pseudorandom numbers, the same in every run.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 ^ (self.0 >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd) >> 11
    }

    /// Between two numbers.
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() as f64 / (1u64 << 53) as f64)
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
}

pub(super) fn text(text: &str) -> Argument {
    Argument::Text(text.to_string())
}

pub(super) fn scalar(value: f64) -> Argument {
    Argument::Numbers { dims: vec![], values: vec![value] }
}

pub(super) fn vector(values: &[f64]) -> Argument {
    Argument::Numbers { dims: vec![values.len()], values: values.to_vec() }
}

pub(super) fn matrix(rows: &[Vec<f64>]) -> [Argument; 3] {
    let (n_rows, n_columns) = (rows.len(), rows[0].len());
    let table = Argument::Numbers { dims: vec![n_rows, n_columns], values: rows.concat() };
    [table, scalar(n_rows as f64), scalar(n_columns as f64)]
}

pub(super) fn environment(constructor: &str, arguments: &[Argument]) -> Environment {
    let object = construct(constructor, arguments, &FileAccess::default()).unwrap();
    Environment { objects: vec![object], object_names: vec!["tab".to_string()], ..Environment::default() }
}

pub(super) fn try_call(environment: &mut Environment, name: &str, arguments: &[f64], n_outputs: usize) -> Result<Vec<f64>, String> {
    let mut outputs = vec![f64::NAN; n_outputs];
    let native = lookup(name).unwrap_or_else(|| panic!("no function {name}"));
    if native(environment, arguments, &mut outputs) { Ok(outputs) } else { Err(environment.failure.take().unwrap()) }
}

pub(super) fn call(environment: &mut Environment, name: &str, arguments: &[f64]) -> f64 {
    try_call(environment, name, arguments, 1).unwrap()[0]
}

pub(super) fn assert_close(a: f64, b: f64, tolerance: f64, what: &dyn Fn() -> String) {
    assert!((a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs())), "{a} instead of {b}: {}", what());
}

/// Random abscissas, strictly increasing.
pub(super) fn abscissas(random: &mut Random, n: usize) -> Vec<f64> {
    let mut x = random.between(-5.0, 2.0);
    (0..n)
        .map(|_| {
            x += random.between(0.05, 1.5);
            x
        })
        .collect()
}

/// Random ordinates with plateaus and zeros.
pub(super) fn ordinates(random: &mut Random, n: usize) -> Vec<f64> {
    let mut y = random.between(-2.0, 2.0);
    (0..n)
        .map(|_| {
            if random.below(4) > 0 {
                y = random.between(-3.0, 3.0)
            }
            y
        })
        .collect()
}

/// Value and slopes of a curve by definition: slopes at the points as in the papers, Hermite's basis between them.
pub(super) fn reference_curve(smoothness: usize, x: &[f64], y: &[f64], u: f64) -> [f64; 3] {
    let n = x.len();
    let i = (1..n - 1).filter(|&i| x[i] <= u).max().unwrap_or(0);
    let h = x[i + 1] - x[i];
    let s = (u - x[i]) / h;
    if smoothness == 1 || (n == 2 && smoothness != 3) {
        return [(1.0 - s) * y[i] + s * y[i + 1], (y[i + 1] - y[i]) / h, 0.0];
    }
    if smoothness == 3 {
        return [if s >= 1.0 { y[i + 1] } else { y[i] }, 0.0, 0.0];
    }
    // Divided differences, with those beyond the ends on a parabola.
    let d = |k: isize| -> f64 {
        let inner = |k: isize| (y[k as usize + 1] - y[k as usize]) / (x[k as usize + 1] - x[k as usize]);
        let last = n as isize - 2;
        if k < 0 {
            inner(0) + k as f64 * (inner(1) - inner(0))
        } else if k > last {
            inner(last) + (k - last) as f64 * (inner(last) - inner(last - 1))
        } else {
            inner(k)
        }
    };
    let slope = |k: usize| -> f64 {
        let (m1, m2, m3, m4) = (d(k as isize - 2), d(k as isize - 1), d(k as isize), d(k as isize + 1));
        let weigh = |w1: f64, w2: f64, otherwise: f64| if w1 + w2 > 1e-13 { (w1 * m2 + w2 * m3) / (w1 + w2) } else { otherwise };
        match smoothness {
            2 => weigh((m4 - m3).abs(), (m2 - m1).abs(), (m2 + m3) / 2.0),
            6 => weigh((m4 - m3).abs() + (m4 + m3).abs() / 2.0, (m2 - m1).abs() + (m2 + m1).abs() / 2.0, 0.0),
            _ if k == 0 => m3,
            _ if k == n - 1 => m2,
            _ if m2 * m3 <= 0.0 => 0.0,
            4 => {
                let (h1, h2) = (x[k] - x[k - 1], x[k + 1] - x[k]);
                let alpha = (1.0 + h2 / (h1 + h2)) / 3.0;
                m2 * m3 / (alpha * m3 + (1.0 - alpha) * m2)
            }
            _ => {
                let (h1, h2) = (x[k] - x[k - 1], x[k + 1] - x[k]);
                let p = (m2 * h2 + m3 * h1) / (h1 + h2);
                (m2.signum() + m3.signum()) * m2.abs().min(m3.abs()).min(0.5 * p.abs())
            }
        }
    };
    let (p, q) = (slope(i), slope(i + 1));
    let value = y[i] * (1.0 + 2.0 * s) * (1.0 - s).powi(2)
        + h * p * s * (1.0 - s).powi(2)
        + y[i + 1] * s * s * (3.0 - 2.0 * s)
        + h * q * s * s * (s - 1.0);
    let first = (y[i] - y[i + 1]) / h * 6.0 * s * (s - 1.0) + p * (3.0 * s * s - 4.0 * s + 1.0) + q * s * (3.0 * s - 2.0);
    let second = ((y[i] - y[i + 1]) / h * (12.0 * s - 6.0) + p * (6.0 * s - 4.0) + q * (6.0 * s - 2.0)) / h;
    [value, first, second]
}

/// The curve beyond its ends.
fn reference_1d(smoothness: usize, extrapolation: usize, x: &[f64], y: &[f64], u: f64) -> Option<[f64; 3]> {
    let (min, max) = (x[0], x[x.len() - 1]);
    if (min..=max).contains(&u) {
        return Some(reference_curve(smoothness, x, y, u));
    }
    let end = if u < min { min } else { max };
    match extrapolation {
        1 => Some([y[if u < min { 0 } else { y.len() - 1 }], 0.0, 0.0]),
        2 => {
            // Constant segments continue with the straight line of the last two points.
            let [value, slope, _] = reference_curve(if smoothness == 3 { 1 } else { smoothness }, x, y, end);
            Some([value + slope * (u - end), slope, 0.0])
        }
        3 => Some(reference_curve(smoothness, x, y, min + (u - min).rem_euclid(max - min))),
        _ => None,
    }
}

#[test]
fn tables_of_one_argument() {
    let mut random = Random(1);
    for smoothness in 1..=6 {
        for extrapolation in 1..=4 {
            for n in [2, 3, 4, 11] {
                let x = abscissas(&mut random, n);
                let columns = [ordinates(&mut random, n), ordinates(&mut random, n)];
                let rows: Vec<Vec<f64>> = (0..n).map(|i| vec![x[i], columns[0][i], columns[1][i]]).collect();
                let [table, n_rows, n_columns] = matrix(&rows);
                let (s, e) = (scalar(smoothness as f64), scalar(extrapolation as f64));
                let arguments = [
                    text("NoName"),
                    text("NoName"),
                    table,
                    n_rows,
                    n_columns,
                    vector(&[3.0, 2.0]),
                    scalar(2.0),
                    s,
                    e,
                    scalar(0.0),
                    text(","),
                    scalar(0.0),
                ];
                let mut environment = environment("ModelicaStandardTables_CombiTable1D_init3", &arguments);
                let (min, max) = (x[0], x[n - 1]);
                assert_eq!(call(&mut environment, "ModelicaStandardTables_CombiTable1D_minimumAbscissa", &[0.0]), min);
                assert_eq!(call(&mut environment, "ModelicaStandardTables_CombiTable1D_maximumAbscissa", &[0.0]), max);
                for query in 0..N_QUERIES / 4 {
                    let u = if query < n { x[query] } else { random.between(min - 8.0, max + 8.0) };
                    let icol = 1 + random.below(2);
                    let expected = reference_1d(smoothness, extrapolation, &x, &columns[2 - icol], u);
                    let (der, der2) = (random.between(-2.0, 2.0), random.between(-2.0, 2.0));
                    let c = icol as f64;
                    let value = try_call(&mut environment, "ModelicaStandardTables_CombiTable1D_getValue", &[0.0, c, u], 1);
                    let first = try_call(&mut environment, "ModelicaStandardTables_CombiTable1D_getDerValue", &[0.0, c, u, der], 1);
                    let second = try_call(&mut environment, "ModelicaStandardTables_CombiTable1D_getDer2Value", &[0.0, c, u, der, der2], 1);
                    let Some([y, y1, y2]) = expected else {
                        assert!(value.unwrap_err().starts_with("tab: u = "));
                        assert!(first.is_err() && second.is_err());
                        continue;
                    };
                    let what = || format!("smoothness {smoothness}, extrapolation {extrapolation}, u = {u}, {x:?}, {columns:?}");
                    assert_close(value.unwrap()[0], y, 1e-9, &what);
                    assert_close(first.unwrap()[0], y1 * der, 1e-9, &what);
                    assert_close(second.unwrap()[0], y1 * der2 + y2 * der * der, 1e-8, &what);
                }
            }
        }
    }
}

#[test]
fn single_rows_old_constructors_and_wrong_tables() {
    let [table, n_rows, n_columns] = matrix(&[vec![0.0, 0.5, 0.25]]);
    let shape = [table, n_rows, n_columns];
    let tail = [vector(&[2.0, 3.0]), scalar(2.0), scalar(1.0)];
    let arguments = [[text("NoName"), text("NoName")].as_slice(), &shape, &tail, &[scalar(4.0), scalar(0.0)]].concat();
    let mut env = environment("ModelicaStandardTables_CombiTable1D_init2", &arguments);
    assert_eq!(call(&mut env, "ModelicaStandardTables_CombiTable1D_getValue", &[0.0, 2.0, 77.0]), 0.25);
    assert_eq!(call(&mut env, "ModelicaStandardTables_CombiTable1D_getDerValue", &[0.0, 2.0, 77.0, 3.0]), 0.0);
    assert!(try_call(&mut env, "ModelicaStandardTables_CombiTable1D_close", &[0.0], 0).is_ok());
    let old = [[text("NoName"), text(" ")].as_slice(), &shape, &tail].concat();
    let mut env = environment("ModelicaStandardTables_CombiTable1D_init", &old);
    assert_eq!(call(&mut env, "ModelicaStandardTables_CombiTable1D_getValue", &[0.0, 1.0, 1.0]), 0.5);
    let error = |arguments: &[f64]| {
        try_call(
            &mut environment("ModelicaStandardTables_CombiTable1D_init", &old),
            "ModelicaStandardTables_CombiTable1D_getValue",
            arguments,
            1,
        )
        .unwrap_err()
    };
    assert!(error(&[0.0, 3.0, 1.0]).contains("no column 3"));
    assert!(error(&[1.0, 1.0, 1.0]).contains("no external object 1"));
    assert!(error(&[0.0, 1.0]).contains("wrong number"));

    let make = |rows: &[Vec<f64>], column: f64, file: &str, table: &str| {
        let [m, r, c] = matrix(rows);
        let arguments = [text(file), text(table), m, r, c, vector(&[column]), scalar(1.0), scalar(1.0), scalar(1.0), scalar(0.0)];
        construct("ModelicaStandardTables_CombiTable1D_init2", &arguments, &FileAccess::default()).unwrap_err()
    };
    assert!(make(&[vec![0.0, 1.0], vec![0.0, 2.0]], 2.0, "NoName", "NoName").contains("row 2 has 0"));
    assert!(make(&[vec![f64::NAN, 1.0], vec![0.0, 2.0]], 2.0, "NoName", "NoName").contains("must increase"));
    assert!(make(&[vec![0.0, 1.0]], 3.0, "NoName", "NoName").contains("column 3 is wanted"));
    assert!(make(&[vec![0.0]], 1.0, "NoName", "NoName").contains("cannot be interpolated"));
    assert!(make(&[vec![0.0, 1.0]], 2.0, "a/b.txt", "t").contains("`a/b.txt` is not found"));
    assert!(make(&[vec![0.0, 1.0]], 2.0, "a/b.txt", "NoName").contains("no table name"));
    assert!(make(&[vec![0.0, 1.0]], 2.0, "NoName", "t").contains("usertab"));
    assert!(
        construct("ModelicaStandardTables_CombiTable1D_init2", &arguments[..9], &FileAccess::default()).unwrap_err().contains("too few")
    );
    assert!(construct("ModelicaStandardTables_CombiTable1D_init4", &arguments, &FileAccess::default()).is_err());
}

const VALUE: &str = "ModelicaStandardTables_CombiTimeTable_getValue";
const SLOPE: &str = "ModelicaStandardTables_CombiTimeTable_getDerValue";
const BEND: &str = "ModelicaStandardTables_CombiTimeTable_getDer2Value";
const NEXT: &str = "ModelicaStandardTables_CombiTimeTable_nextTimeEvent";

fn time_table(rows: &[Vec<f64>], start: f64, smoothness: usize, extrapolation: usize, shift: f64, events: usize) -> Environment {
    let [table, n_rows, n_columns] = matrix(rows);
    let columns: Vec<f64> = (2..=rows[0].len()).map(|column| column as f64).collect();
    let n = scalar(columns.len() as f64);
    let kinds = [scalar(smoothness as f64), scalar(extrapolation as f64), scalar(shift), scalar(events as f64)];
    let head = [text("NoName"), text("NoName"), table, n_rows, n_columns, scalar(start), vector(&columns), n];
    environment("ModelicaStandardTables_CombiTimeTable_init3", &[head.as_slice(), &kinds, &[scalar(0.0), text(","), scalar(0.0)]].concat())
}

/// A time table by definition: limits from the left and from the right, and the events.
struct Reference<'a> {
    x: &'a [f64],
    y: &'a [f64],
    smoothness: usize,
    extrapolation: usize,
    events: usize,
}

impl Reference<'_> {
    /// The limit of the curve at a time without shift; where it jumps, from the side asked for.
    fn limit(&self, t: f64, from_left: bool) -> f64 {
        let (x, y) = (self.x, self.y);
        let n = x.len();
        let (min, max) = (x[0], x[n - 1]);
        let mut t = t;
        if self.extrapolation == 3 {
            let n_periods = ((t - min) / (max - min)).floor();
            t -= n_periods * (max - min);
            // Times that were computed differently.
            t = x.iter().copied().find(|point| (point - t).abs() < 1e-9).unwrap_or(t);
            if !from_left && (t - max).abs() < 1e-9 {
                t = min;
            } else if from_left && (t - min).abs() < 1e-9 {
                t = max;
            }
        } else if t < min || t > max || (t == max && !from_left) {
            let line = |i: usize| y[i] + (y[i + 1] - y[i]) / (x[i + 1] - x[i]) * (t - x[i]);
            return match (self.extrapolation, self.smoothness) {
                (1, _) => y[if t < min { 0 } else { n - 1 }],
                (_, 1 | 3) => line(if t < min { 0 } else { n - 2 }),
                (_, smoothness) => {
                    let end = if t < min { min } else { max };
                    let [value, slope, _] = reference_curve(smoothness, x, y, end);
                    value + slope * (t - end)
                }
            };
        }
        if self.smoothness != 1 && self.smoothness != 3 {
            return reference_curve(self.smoothness, x, y, t)[0];
        }
        // The rows on both sides; of equal times the outer ones are of no interest.
        let right = if from_left { (1..n).find(|&i| x[i] >= t && x[i - 1] < t) } else { (1..n).find(|&i| x[i] > t) };
        let i = right.unwrap_or(if from_left { 1 } else { n - 1 }) - 1;
        if self.smoothness == 3 {
            return if !from_left && t >= x[i + 1] { y[i + 1] } else { y[i] };
        }
        y[i] + (y[i + 1] - y[i]) * (t - x[i]) / (x[i + 1] - x[i])
    }

    /// Events after a time, without shift, if the first question was at `first`.
    fn next(&self, t: f64, first: f64) -> f64 {
        let x = self.x;
        let (min, max) = (x[0], x[x.len() - 1]);
        let spline = self.smoothness != 1 && self.smoothness != 3;
        let mut points: Vec<f64> = match self.events {
            1 => x.to_vec(),
            2 => x.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect(),
            _ => vec![],
        };
        points.extend([min, max]);
        points.sort_by(f64::total_cmp);
        if self.extrapolation == 3 {
            let n_periods = ((t - min) / (max - min)).floor();
            let all = (0..3).flat_map(|k| points.iter().map(move |point| point + (n_periods - 1.0 + f64::from(k)) * (max - min)));
            return all.filter(|event| *event > t + 1e-9).fold(f64::MAX, f64::min);
        }
        if spline && first >= min {
            points = vec![max];
        }
        points.into_iter().find(|&event| event > t).unwrap_or(f64::MAX)
    }
}

#[test]
fn tables_over_time() {
    let mut random = Random(2);
    for smoothness in 1..=6 {
        for extrapolation in 1..=4 {
            for events in 1..=3 {
                let mut n_queries = 0;
                while n_queries < N_QUERIES / 2 {
                    n_queries += follow_time_table(&mut random, smoothness, extrapolation, events);
                }
            }
        }
    }
}

/// Follows a random table as a model does. Gives the number of comparisons.
fn follow_time_table(random: &mut Random, smoothness: usize, extrapolation: usize, events: usize) -> usize {
    let n = 3 + random.below(8);
    // Times without rounding, so that shifted events are the same numbers on both sides.
    let exact = |t: f64| (t * 1024.0).round() / 1024.0;
    let mut x: Vec<f64> = abscissas(random, n).into_iter().map(exact).collect();
    if smoothness == 1 || smoothness == 3 {
        // Jumps inside the table.
        for i in 1..n - 2 {
            if random.below(3) == 0 && x[i - 1] != x[i] {
                x[i + 1] = x[i];
            }
        }
    }
    let y = ordinates(random, n);
    let rows: Vec<Vec<f64>> = x.iter().zip(&y).map(|(x, y)| vec![*x, *y]).collect();
    let shift = if random.below(2) == 0 { 0.0 } else { exact(random.between(-3.0, 3.0)) };
    let reference = Reference { x: &x, y: &y, smoothness, extrapolation, events };
    let (min, max) = (x[0] + shift, x[n - 1] + shift);
    let t0 = random.between(min - 4.0, max + 1.0);
    let mut env = time_table(&rows, -1e60, smoothness, extrapolation, shift, events);
    let what =
        |t: f64| format!("t = {t}, smoothness {smoothness}, extrapolation {extrapolation}, events {events}, shift {shift}, {rows:?}");
    let mut t = t0;
    let mut n_queries = 0;
    let mut previous = -1e60;
    loop {
        let next = call(&mut env, NEXT, &[0.0, t]);
        let expected = reference.next(t - shift, t0 - shift);
        let expected = if expected < f64::MAX { expected + shift } else { expected };
        assert_close(next, expected, 1e-9, &|| format!("next event after {}", what(t)));
        assert_eq!(call(&mut env, NEXT, &[0.0, t]), next);
        // The event is noticed. At the very end a table may already refuse.
        let is_outside = |t: f64| extrapolation == 4 && (t < min || t > max);
        let noticed = try_call(&mut env, VALUE, &[0.0, 1.0, t, next, previous], 1);
        match noticed {
            Ok(noticed) if !is_outside(t) => {
                assert_close(noticed[0], reference.limit(t - shift, false), 1e-8, &|| format!("noticed at {}", what(t)))
            }
            Ok(_) => panic!("not refused: {}", what(t)),
            Err(reason) => assert!(is_outside(t) || extrapolation == 4 && t == max, "{reason}: {}", what(t)),
        }
        let until = if next < f64::MAX { next } else { t + 5.0 };
        for _ in 0..20 {
            let t = random.between(t + 1e-6, until - 1e-6);
            n_queries += 1;
            if is_outside(t) {
                let refused = try_call(&mut env, VALUE, &[0.0, 1.0, t, next, next], 1).expect_err("there is no value");
                assert!(refused.contains(if t < min { "less" } else { "greater" }), "{refused}");
                assert!(try_call(&mut env, SLOPE, &[0.0, 1.0, t, next, next, 2.0], 1).is_err());
                continue;
            }
            let value = call(&mut env, VALUE, &[0.0, 1.0, t, next, next]);
            assert_close(value, reference.limit(t - shift, false), 1e-7, &|| what(t));
            let step = 1e-6;
            let inner = if extrapolation == 3 { x[0] + (t - shift - x[0]).rem_euclid(x[n - 1] - x[0]) } else { t - shift };
            if x.iter().all(|point| (point - inner).abs() > 0.01) {
                let slope = (reference.limit(t - shift + step, false) - reference.limit(t - shift - step, false)) / (2.0 * step);
                assert_close(call(&mut env, SLOPE, &[0.0, 1.0, t, next, next, 2.0]), 2.0 * slope, 1e-4, &|| {
                    format!("slope at {}", what(t))
                });
                let is_curved = smoothness != 1 && smoothness != 3 && inner > x[0] && inner < x[n - 1];
                let [slope, bend] = if is_curved {
                    let [_, slope, bend] = reference_curve(smoothness, &x, &y, inner);
                    [slope, bend]
                } else {
                    [slope, 0.0]
                };
                assert_close(call(&mut env, BEND, &[0.0, 1.0, t, next, next, 2.0, 3.0]), 3.0 * slope + 4.0 * bend, 1e-4, &|| {
                    format!("bend at {}", what(t))
                });
            }
        }
        if next == f64::MAX || n_queries > 400 {
            return n_queries;
        }
        // The event is due.
        let due = call(&mut env, VALUE, &[0.0, 1.0, next, next, next]);
        assert_close(due, reference.limit(next - shift, true), 1e-7, &|| format!("due at {}", what(next)));
        previous = next;
        t = next;
    }
}

#[test]
fn a_boolean_table_switches_exactly_at_its_events() {
    let rows = [vec![2.0, 0.0], vec![2.0, 1.0], vec![4.0, 0.0], vec![6.0, 1.0], vec![6.5, 0.0]];
    let mut env = time_table(&rows, -1e60, 3, 1, 0.0, 1);
    let max = f64::MAX;
    let steps = [(0.0, 0.0, 2.0, 0.0), (2.0, 0.0, 4.0, 1.0), (4.0, 1.0, 6.0, 0.0), (6.0, 0.0, 6.5, 1.0), (6.5, 1.0, max, 0.0)];
    let mut pre = 0.0;
    for (t, before, next, after) in steps {
        if t > 0.0 {
            assert_eq!(call(&mut env, VALUE, &[0.0, 1.0, t, t, t]), before, "before the event at {t}");
        }
        assert_eq!(call(&mut env, NEXT, &[0.0, t]), next);
        assert_eq!(call(&mut env, VALUE, &[0.0, 1.0, t, next, pre]), after, "at {t}");
        assert_eq!(call(&mut env, VALUE, &[0.0, 1.0, t + 0.1, next, next]), after, "after {t}");
        pre = next;
    }
    // Another run.
    for object in &mut env.objects {
        object.reset();
    }
    assert_eq!(call(&mut env, NEXT, &[0.0, 4.5]), 6.0);
    assert_eq!(call(&mut env, NEXT, &[0.0, 6.0]), 6.5);
    assert_eq!(call(&mut env, NEXT, &[0.0, 1.0]), 2.0, "time went back");
    assert_eq!(call(&mut env, "ModelicaStandardTables_CombiTimeTable_minimumTime", &[0.0]), 2.0);
    assert_eq!(call(&mut env, "ModelicaStandardTables_CombiTimeTable_maximumTime", &[0.0]), 6.5);
}

#[test]
fn a_time_table_begins_at_its_start_time() {
    let rows = [vec![0.0, 1.0, 5.0], vec![1.0, 2.0, 5.0], vec![1.0, 4.0, 6.0], vec![2.0, 4.0, 8.0]];
    let mut env = time_table(&rows, 3.0, 1, 3, 3.5, 2);
    assert_eq!(call(&mut env, VALUE, &[0.0, 1.0, 2.9, 3.0, 3.0]), 0.0);
    assert_eq!(call(&mut env, NEXT, &[0.0, 0.0]), 3.0);
    assert_eq!(call(&mut env, VALUE, &[0.0, 1.0, 3.0, 3.0, 3.0]), 0.0, "the start is not noticed yet");
    // 3.0 is 1.5 in the table, half a unit before its first end at 3.5.
    assert_eq!(call(&mut env, NEXT, &[0.0, 3.0]), 3.5);
    assert_eq!(call(&mut env, VALUE, &[0.0, 2.0, 3.25, 3.5, 3.5]), 7.5);
    assert_eq!(call(&mut env, SLOPE, &[0.0, 2.0, 3.25, 3.5, 3.5, 1.0]), 2.0);
    assert_eq!(call(&mut env, BEND, &[0.0, 2.0, 3.25, 3.5, 3.5, 1.0, 3.0]), 6.0);
    assert_eq!(call(&mut env, NEXT, &[0.0, 3.5]), 4.5);
    assert_eq!(call(&mut env, VALUE, &[0.0, 1.0, 4.0, 4.5, 4.5]), 1.5);

    let mut forbidden = time_table(&rows, -1e60, 1, 4, 0.0, 1);
    call(&mut forbidden, NEXT, &[0.0, 0.5]);
    assert!(try_call(&mut forbidden, VALUE, &[0.0, 1.0, 2.5, 2.75, 2.75], 1).unwrap_err().contains("greater than 2"));
    let mut single = time_table(&[vec![0.0, 7.0]], 1.0, 2, 3, 0.0, 1);
    assert_eq!(call(&mut single, NEXT, &[0.0, 0.0]), 1.0);
    assert_eq!(call(&mut single, NEXT, &[0.0, 1.0]), f64::MAX);
    assert_eq!(call(&mut single, VALUE, &[0.0, 1.0, 5.0, f64::MAX, f64::MAX]), 7.0);
}

const VALUE_2D: &str = "ModelicaStandardTables_CombiTable2D_getValue";
const SLOPE_2D: &str = "ModelicaStandardTables_CombiTable2D_getDerValue";
const BEND_2D: &str = "ModelicaStandardTables_CombiTable2D_getDer2Value";

fn table_2d(x: &[f64], y: &[f64], z: &[Vec<f64>], smoothness: usize, extrapolation: usize) -> Environment {
    let mut rows = vec![[&[0.0], y].concat()];
    rows.extend(x.iter().zip(z).map(|(x, z)| [&[*x], z.as_slice()].concat()));
    let [table, n_rows, n_columns] = matrix(&rows);
    let kinds = [scalar(smoothness as f64), scalar(extrapolation as f64), scalar(0.0), text(","), scalar(0.0)];
    environment(
        "ModelicaStandardTables_CombiTable2D_init3",
        &[&[text("NoName"), text("NoName"), table, n_rows, n_columns], kinds.as_slice()].concat(),
    )
}

/// The surface at a point inside: value, derivatives by each argument, mixed derivative.
fn reference_surface(smoothness: usize, x: &[f64], y: &[f64], z: &[Vec<f64>], u: f64, w: f64) -> [f64; 4] {
    let cell = |x: &[f64], u: f64| (1..x.len() - 1).filter(|&i| x[i] <= u).max().unwrap_or(0);
    let (i, j) = (cell(x, u), cell(y, w));
    let (h, k) = (x[i + 1] - x[i], y[j + 1] - y[j]);
    let (s, t) = ((u - x[i]) / h, (w - y[j]) / k);
    if smoothness == 3 {
        return [z[i + usize::from(s >= 1.0)][j + usize::from(t >= 1.0)], 0.0, 0.0, 0.0];
    }
    if smoothness == 1 || (x.len() == 2 && y.len() == 2) {
        let (low, high) = (z[i][j] * (1.0 - t) + z[i][j + 1] * t, z[i + 1][j] * (1.0 - t) + z[i + 1][j + 1] * t);
        let (low_slope, high_slope) = ((z[i][j + 1] - z[i][j]) / k, (z[i + 1][j + 1] - z[i + 1][j]) / k);
        return [low * (1.0 - s) + high * s, (high - low) / h, low_slope * (1.0 - s) + high_slope * s, (high_slope - low_slope) / h];
    }
    // Differences between neighbours; beyond the ends each one changes as the last ones did.
    fn along(n: usize, k: isize, inner: &dyn Fn(usize) -> f64) -> f64 {
        let last = n as isize - 2;
        if n == 2 {
            inner(0)
        } else if k < 0 {
            inner(0) + k as f64 * (inner(1) - inner(0))
        } else if k > last {
            inner(last as usize) + (k - last) as f64 * (inner(last as usize) - inner(last as usize - 1))
        } else {
            inner(k as usize)
        }
    }
    let dx = |a: isize, b: usize| along(x.len(), a, &|a| (z[a + 1][b] - z[a][b]) / (x[a + 1] - x[a]));
    let dy = |a: usize, b: isize| along(y.len(), b, &|b| (z[a][b + 1] - z[a][b]) / (y[b + 1] - y[b]));
    let mixed = |a: isize, b: isize| {
        along(x.len(), a, &|a| {
            along(y.len(), b, &|b| ((z[a + 1][b + 1] - z[a + 1][b]) - (z[a][b + 1] - z[a][b])) / (x[a + 1] - x[a]) / (y[b + 1] - y[b]))
        })
    };
    let weights = |d: [f64; 4]| {
        let (p, q) = ((d[3] - d[2]).abs(), (d[1] - d[0]).abs());
        if p + q > 1e-13 { (p / (p + q), q / (p + q)) } else { (0.5, 0.5) }
    };
    let node = |a: usize, b: usize| {
        let (ia, ib) = (a as isize, b as isize);
        let d = [-2, -1, 0, 1].map(|k| dx(ia + k, b));
        let e = [-2, -1, 0, 1].map(|k| dy(a, ib + k));
        let ((p2, p3), (q2, q3)) = (weights(d), weights(e));
        let zxy = p2 * (q2 * mixed(ia - 1, ib - 1) + q3 * mixed(ia - 1, ib)) + p3 * (q2 * mixed(ia, ib - 1) + q3 * mixed(ia, ib));
        [z[a][b], p2 * d[1] + p3 * d[2], q2 * e[1] + q3 * e[2], zxy]
    };
    // Hermite's basis: values at both ends, slopes at both ends; and its derivative.
    let basis = |s: f64, h: f64| {
        [
            [(1.0 + 2.0 * s) * (1.0 - s).powi(2), s * s * (3.0 - 2.0 * s), h * s * (1.0 - s).powi(2), h * s * s * (s - 1.0)],
            [6.0 * s * (s - 1.0) / h, 6.0 * s * (1.0 - s) / h, 3.0 * s * s - 4.0 * s + 1.0, s * (3.0 * s - 2.0)],
        ]
    };
    let (bx, by) = (basis(s, h), basis(t, k));
    let sum = |p: usize, q: usize| {
        let mut sum = 0.0;
        for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let [f, fx, fy, fxy] = node(i + a, j + b);
            sum +=
                f * bx[p][a] * by[q][b] + fx * bx[p][2 + a] * by[q][b] + fy * bx[p][a] * by[q][2 + b] + fxy * bx[p][2 + a] * by[q][2 + b];
        }
        sum
    };
    [sum(0, 0), sum(1, 0), sum(0, 1), sum(1, 1)]
}

fn reference_2d(kinds: (usize, usize), x: &[f64], y: &[f64], z: &[Vec<f64>], u: f64, w: f64) -> Option<f64> {
    let (smoothness, extrapolation) = kinds;
    let (x0, x1, y0, y1) = (x[0], x[x.len() - 1], y[0], y[y.len() - 1]);
    let (u, w) = if extrapolation == 3 { (x0 + (u - x0).rem_euclid(x1 - x0), y0 + (w - y0).rem_euclid(y1 - y0)) } else { (u, w) };
    let (inner_u, inner_w) = (u.clamp(x0, x1), w.clamp(y0, y1));
    let outside = u != inner_u || w != inner_w;
    match extrapolation {
        4 if outside => None,
        2 if outside => {
            let smoothness = if smoothness == 3 { 1 } else { smoothness };
            let [f, fx, fy, fxy] = reference_surface(smoothness, x, y, z, inner_u, inner_w);
            let (a, b) = (u - inner_u, w - inner_w);
            Some(f + fx * a + fy * b + fxy * a * b)
        }
        _ => Some(reference_surface(smoothness, x, y, z, inner_u, inner_w)[0]),
    }
}

#[test]
fn tables_of_two_arguments() {
    let mut random = Random(3);
    for smoothness in 1..=3 {
        for extrapolation in 1..=4 {
            for (n, m) in [(2, 2), (2, 5), (3, 3), (6, 2), (5, 7)] {
                let (x, y) = (abscissas(&mut random, n), abscissas(&mut random, m));
                let z: Vec<Vec<f64>> = (0..n).map(|_| ordinates(&mut random, m)).collect();
                let mut env = table_2d(&x, &y, &z, smoothness, extrapolation);
                let ends = |env: &mut Environment, name: &str| try_call(env, name, &[0.0], 2).unwrap();
                assert_eq!(ends(&mut env, "ModelicaStandardTables_CombiTable2D_minimumAbscissa"), [x[0], y[0]]);
                assert_eq!(ends(&mut env, "ModelicaStandardTables_CombiTable2D_maximumAbscissa"), [x[n - 1], y[m - 1]]);
                for query in 0..N_QUERIES / 5 {
                    let (u, w) = if query < n * m {
                        (x[query / m], y[query % m])
                    } else {
                        (random.between(x[0] - 2.0, x[n - 1] + 2.0), random.between(y[0] - 2.0, y[m - 1] + 2.0))
                    };
                    let what =
                        || format!("smoothness {smoothness}, extrapolation {extrapolation}, {n} x {m}, u = {u}, {w}, {x:?}, {y:?}, {z:?}");
                    let reference = |u: f64, w: f64| reference_2d((smoothness, extrapolation), &x, &y, &z, u, w);
                    let value = try_call(&mut env, VALUE_2D, &[0.0, u, w], 1);
                    let Some(expected) = reference(u, w) else {
                        assert!(value.unwrap_err().starts_with("tab: u"));
                        continue;
                    };
                    // Periodic reference: the end of a period is its beginning.
                    if query < n * m && extrapolation == 3 {
                        continue;
                    }
                    assert_close(value.unwrap()[0], expected, 1e-8, &what);
                    // Derivatives away from the borders of the cells, where they may jump.
                    let wrapped =
                        |x: &[f64], u: f64| if extrapolation == 3 { x[0] + (u - x[0]).rem_euclid(x[x.len() - 1] - x[0]) } else { u };
                    let (inner_u, inner_w) = (wrapped(&x, u), wrapped(&y, w));
                    if x.iter().any(|x| (x - inner_u).abs() < 1e-3) || y.iter().any(|y| (y - inner_w).abs() < 1e-3) {
                        continue;
                    }
                    let (du, dw, ddu, ddw) =
                        (random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
                    let h = 1e-5;
                    let moved = |t: f64| (u + du * t + ddu * t * t / 2.0, w + dw * t + ddw * t * t / 2.0);
                    let along = |t: f64| {
                        let (u, w) = moved(t);
                        reference(u, w).unwrap()
                    };
                    let slope = call(&mut env, SLOPE_2D, &[0.0, u, w, du, dw]);
                    assert_close(slope, (along(h) - along(-h)) / (2.0 * h), 1e-5, &what);
                    let mut slope_at = |t: f64| {
                        let (u, w) = moved(t);
                        call(&mut env, SLOPE_2D, &[0.0, u, w, du + ddu * t, dw + ddw * t])
                    };
                    let expected = (slope_at(h) - slope_at(-h)) / (2.0 * h);
                    assert_close(call(&mut env, BEND_2D, &[0.0, u, w, du, dw, ddu, ddw]), expected, 1e-4, &what);
                }
            }
        }
    }
}

#[test]
fn tables_of_two_arguments_with_one_row_or_column() {
    let mut random = Random(4);
    for smoothness in 1..=3 {
        for extrapolation in 1..=4 {
            let x = abscissas(&mut random, 6);
            let z = ordinates(&mut random, 6);
            let columns: Vec<Vec<f64>> = z.iter().map(|z| vec![*z]).collect();
            let mut first = table_2d(&x, &[9.0], &columns, smoothness, extrapolation);
            let mut second = table_2d(&[9.0], &x, std::slice::from_ref(&z), smoothness, extrapolation);
            for _ in 0..N_QUERIES / 12 {
                let u = random.between(x[0] - 3.0, x[5] + 3.0);
                let (a, b) = (try_call(&mut first, VALUE_2D, &[0.0, u, 1.0], 1), try_call(&mut second, VALUE_2D, &[0.0, 1.0, u], 1));
                let Some([y, y1, _]) = reference_1d(smoothness, extrapolation, &x, &z, u) else {
                    assert!(a.unwrap_err().contains("u1 = ") && b.unwrap_err().contains("u2 = "));
                    continue;
                };
                let what = || format!("smoothness {smoothness}, extrapolation {extrapolation}, u = {u}, {x:?}, {z:?}");
                assert_close(a.unwrap()[0], y, 1e-9, &what);
                assert_close(b.unwrap()[0], y, 1e-9, &what);
                assert_close(call(&mut first, SLOPE_2D, &[0.0, u, 1.0, 2.0, 3.0]), 2.0 * y1, 1e-9, &what);
                assert_close(call(&mut second, SLOPE_2D, &[0.0, 1.0, u, 3.0, 2.0]), 2.0 * y1, 1e-9, &what);
            }
        }
    }
    assert_eq!(call(&mut table_2d(&[1.0], &[1.0], &[vec![7.0]], 1, 4), VALUE_2D, &[0.0, 5.0, 5.0]), 7.0);
    let wrong = |rows: &[Vec<f64>], smoothness: f64| {
        let [table, n_rows, n_columns] = matrix(rows);
        let arguments = [text("NoName"), text("NoName"), table, n_rows, n_columns, scalar(smoothness)];
        construct("ModelicaStandardTables_CombiTable2D_init", &arguments, &FileAccess::default()).unwrap_err()
    };
    assert!(wrong(&[vec![0.0, 2.0, 1.0], vec![1.0, 0.0, 0.0]], 1.0).contains("first row of the table must increase"));
    assert!(wrong(&[vec![0.0, 1.0]], 1.0).contains("no two arguments"));
    assert!(wrong(&[vec![0.0, 1.0], vec![0.0, 1.0]], 5.0).contains("monotone"));
}

/// Shifts of 64-bit words by arithmetic only.
fn shifted(word: u64, by: i32) -> u64 {
    if by >= 0 { (u128::from(word) * (1u128 << by) % (1u128 << 64)) as u64 } else { word / (1u64 << -by) }
}

fn pair(word: u64) -> [f64; 2] {
    let half = |half: u64| if half >= 1 << 31 { half as f64 - 4294967296.0 } else { half as f64 };
    [half(word % (1 << 32)), half(word / (1 << 32))]
}

fn centred(word: u64) -> f64 {
    let signed = if word >= 1 << 63 { i128::from(word) - (1i128 << 64) } else { i128::from(word) };
    signed as f64 / 2f64.powi(64) + 0.5
}

#[test]
fn random_numbers() {
    let mut env = Environment::default();
    let (mut a, mut b) = (1u64, [0x1234_5678_9abc_def0u64, 77]);
    let mut c: [u64; 16] = std::array::from_fn(|i| (i as u64 + 1) << 59 | 3 << i);
    let mut p = 14usize;
    let mut state = [c.map(pair).as_flattened(), &[p as f64]].concat();
    let setting = [state.clone(), vec![33.0, 5.0]].concat();
    assert!(
        try_call(&mut env, "ModelicaRandom_impureRandom_xorshift1024star", &[5.0], 1)
            .unwrap_err()
            .contains("before initializeImpureRandom")
    );
    try_call(&mut env, "ModelicaRandom_setInternalState_xorshift1024star", &setting, 0).unwrap();
    assert!(try_call(&mut env, "ModelicaRandom_impureRandom_xorshift1024star", &[6.0], 1).is_err());
    for _ in 0..N_QUERIES {
        let got = try_call(&mut env, "ModelicaRandom_xorshift64star", &pair(a), 3).unwrap();
        a ^= shifted(a, -12);
        a ^= shifted(a, 25);
        a ^= shifted(a, -27);
        a = (u128::from(a) * 2685821657736338717 % (1 << 64)) as u64;
        assert_eq!(got, [&[centred(a)], pair(a).as_slice()].concat());

        let got = try_call(&mut env, "ModelicaRandom_xorshift128plus", b.map(pair).as_flattened(), 5).unwrap();
        let x = b[0] ^ shifted(b[0], 23);
        let sum = u128::from(x ^ b[1] ^ shifted(x, -17) ^ shifted(b[1], -26)) + u128::from(b[1]);
        b = [b[1], (sum % (1 << 64)) as u64];
        assert_eq!(got, [&[centred(b[1])], b.map(pair).as_flattened()].concat());

        let got = try_call(&mut env, "ModelicaRandom_xorshift1024star", &state, 34).unwrap();
        let s0 = c[p];
        p = (p + 1) % 16;
        let mut s1 = c[p] ^ shifted(c[p], 31);
        s1 ^= shifted(s1, -11);
        c[p] = s0 ^ shifted(s0, -30) ^ s1;
        let expected = centred((u128::from(c[p]) * 1181783497276652981 % (1 << 64)) as u64);
        state = [c.map(pair).as_flattened(), &[p as f64]].concat();
        assert_eq!(got, [&[expected], state.as_slice()].concat());
        assert_eq!(call(&mut env, "ModelicaRandom_impureRandom_xorshift1024star", &[5.0]), expected);
    }
}

#[test]
fn the_impure_generator_gives_the_numbers_of_the_standard_library() {
    let mut env = Environment::default();
    // Modelica.Math.Random.Utilities.initializeImpureRandom with the seed of Modelica.Blocks.Noise.GlobalSeed.
    let mut state = vec![715827883.0, 67867967.0];
    let step = |env: &mut Environment, state: &[f64]| try_call(env, "ModelicaRandom_xorshift64star", state, 3).unwrap()[1..].to_vec();
    for _ in 0..10 {
        state = step(&mut env, &state);
    }
    while state.len() < 34 {
        let next = step(&mut env, &state[state.len() - 2..]);
        state.extend(next);
    }
    state.truncate(33);
    try_call(&mut env, "ModelicaRandom_setInternalState_xorshift1024star", &[state, vec![33.0, 1.0]].concat(), 0).unwrap();
    // The first value is the one that OpenModelica shows for Modelica.Blocks.Examples.Noise.ImpureGenerator.
    for expected in [0.018660680846204425, 0.18502447944342726, 0.3416579889994176] {
        assert_eq!(call(&mut env, "ModelicaRandom_impureRandom_xorshift1024star", &[1.0]), expected);
    }
}

#[test]
fn strings_and_messages() {
    let strings = ["", "a", "Modelica", "modelica", "AutomaticSeed.automaticSeed1"].map(String::from).to_vec();
    let mut env = Environment { strings, ..Environment::default() };
    assert_eq!(call(&mut env, "ModelicaStrings_length", &[2.0]), 8.0);
    assert_eq!(call(&mut env, "ModelicaStrings_compare", &[2.0, 3.0, 1.0]), 1.0);
    assert_eq!(call(&mut env, "ModelicaStrings_compare", &[2.0, 3.0, 0.0]), 2.0);
    assert_eq!(call(&mut env, "ModelicaStrings_compare", &[2.0, 1.0, 0.0]), 3.0);
    let hashes = [0.0, 1.0, 2.0, 4.0].map(|string| call(&mut env, "ModelicaStrings_hashString", &[string]));
    assert_eq!(hashes, [-1431655766.0, -357913953.0, 2118346737.0, 163662653.0], "the last one is the seed that OpenModelica computes");
    try_call(&mut env, "ModelicaInternal_print", &[4.0, 0.0], 0).unwrap();
    assert_eq!(env.messages, ["AutomaticSeed.automaticSeed1\n"]);
    assert!(try_call(&mut env, "ModelicaInternal_print", &[4.0, 1.0], 0).unwrap_err().contains("file `a`"));
    assert!(try_call(&mut env, "ModelicaStrings_length", &[5.0], 1).unwrap_err().contains("no string 5"));
    assert!(lookup("ModelicaRandom_automaticGlobalSeed").is_none() && lookup("sin").is_none());
}

/// All may be done below a folder, which is searched.
fn access(folder: &std::path::Path) -> FileAccess {
    let folders = vec![folder.as_os_str().to_os_string()];
    FileAccess::new(&access::Permissions { resources: folders.clone(), allowed: folders, ..access::Permissions::default() })
}

#[test]
fn matrices_from_files() {
    let directory = std::env::temp_dir().join(format!("partita-matrices-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("m.txt"), "#1\ndouble A(3,2)\n1 2\n3 4\n5 6\n").unwrap();
    let strings = vec!["/other/m.txt".to_string(), "A".to_string()];
    let mut env = Environment { strings, files: access(&directory), ..Environment::default() };
    assert_eq!(try_call(&mut env, "ModelicaIO_readMatrixSizes", &[0.0, 1.0], 2).unwrap(), [3.0, 2.0]);
    let read =
        |env: &mut Environment, n_rows: f64| try_call(env, "ModelicaIO_readRealMatrix", &[0.0, 1.0, n_rows, 2.0, 0.0], 2 * n_rows as usize);
    assert_eq!(read(&mut env, 3.0).unwrap(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert!(read(&mut env, 2.0).unwrap_err().contains("3 times 2"));
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn kinds_and_lines_of_files() {
    let directory = std::env::temp_dir().join(format!("partita-files-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    for (name, text) in [("two.txt", "a\nb\n"), ("open.txt", "a\nb\nc"), ("empty.txt", "")] {
        std::fs::write(directory.join(name), text).unwrap();
    }
    let strings = ["two.txt", "open.txt", "empty.txt", "none.txt"].map(|name| directory.join(name).to_string_lossy().into_owned()).to_vec();
    let strings = [strings, vec![directory.to_string_lossy().into_owned()]].concat();
    let mut env = Environment { strings, files: access(&directory), ..Environment::default() };
    assert_eq!([0.0, 3.0, 4.0].map(|file| call(&mut env, "ModelicaInternal_stat", &[file])), [2.0, 1.0, 3.0]);
    assert_eq!([0.0, 1.0, 2.0].map(|file| call(&mut env, "ModelicaInternal_countLines", &[file])), [2.0, 3.0, 0.0]);
    assert!(try_call(&mut env, "ModelicaInternal_countLines", &[3.0], 1).unwrap_err().contains("not found"));
    std::fs::remove_dir_all(directory).unwrap();
}

/// A kernel that asks a table for its next event, and prints.
struct AskTable;

impl Kernels for AskTable {
    fn call(&self, _: KernelId, memory: &mut [f64], _: &mut [f64], environment: &mut Environment) -> Result<(), KernelFailure> {
        let time = memory[0];
        let asked = lookup(NEXT).is_some_and(|next| next(environment, &[0.0, time], &mut memory[1..2]));
        let printed = lookup("ModelicaInternal_print").is_some_and(|print| print(environment, &[1.0, 0.0], &mut []));
        if asked && printed { Ok(()) } else { Err(KernelFailure) }
    }
}

#[test]
fn runs_own_their_objects() {
    let rows = [vec![0.0, 1.0], vec![1.0, 3.0], vec![5.0, 3.0]];
    let [table, n_rows, n_columns] = matrix(&rows);
    let kinds = [1.0, 1.0, 0.0, 1.0, 0.0].map(scalar);
    let head = [text("NoName"), text("NoName"), table, n_rows, n_columns, scalar(0.0), vector(&[2.0]), scalar(1.0)];
    let mut spec = ObjectSpec {
        constructor: "ModelicaStandardTables_CombiTimeTable_init2".to_string(),
        arguments: [head.as_slice(), &kinds].concat(),
        name: "source.tableID".to_string(),
    };
    let slot = Slot::from_u32(1);
    let signal = Signal {
        name: "next".to_string(),
        description: String::new(),
        unit: String::new(),
        display_unit: String::new(),
        ty: SlotType::Real,
        source: SignalSource { slot, factor: 1.0, offset: 0.0 },
        varies: false,
        protected: false,
        derivative: false,
    };
    let mut plan = Plan {
        n_slots: 2,
        initial: Schedule { steps: vec![Step::Kernel(KernelId::from_u32(0))], ..Schedule::default() },
        signals: vec![signal],
        objects: vec![spec.clone()],
        strings: vec![String::new(), "hello".to_string()],
        ..Plan::default()
    };
    let mut instance = Instance::new(Arc::new(plan.clone()), Arc::new(AskTable)).unwrap();
    let mut other = instance.fork();
    for (t0, next) in [(0.0, 1.0), (2.0, 5.0), (0.5, 1.0)] {
        instance.initialize(t0, &mut []).unwrap();
        assert_eq!(instance.value("next"), Some(next));
        assert!(!instance.messages().is_empty() && instance.messages().iter().all(|message| message == "hello\n"));
    }
    other.initialize(1.0, &mut []).unwrap();
    assert_eq!(other.value("next"), Some(5.0));

    spec.arguments[0] = text("/nowhere/data.txt");
    spec.arguments[1] = text("tab");
    plan.objects = vec![spec];
    let error = Instance::new(Arc::new(plan), Arc::new(AskTable)).err().unwrap();
    assert_eq!((error.code, error.title.as_str()), ("R108", "the external object source.tableID cannot be made"));
    assert_eq!(error.notes, ["the file `/nowhere/data.txt` is not found"]);
}
