//! Tables over time against a direct evaluation.

use super::*;

pub(super) const VALUE: &str = "ModelicaStandardTables_CombiTimeTable_getValue";
const SLOPE: &str = "ModelicaStandardTables_CombiTimeTable_getDerValue";
const BEND: &str = "ModelicaStandardTables_CombiTimeTable_getDer2Value";
pub(super) const NEXT: &str = "ModelicaStandardTables_CombiTimeTable_nextTimeEvent";

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

/// A time without rounding, so that shifted events are the same numbers on both sides.
fn exact(t: f64) -> f64 {
    (t * 1024.0).round() / 1024.0
}

/// Times of a random table, with jumps where its kind has them.
fn exact_times(random: &mut Random, smoothness: usize) -> Vec<f64> {
    let n = 3 + random.below(8);
    let mut x: Vec<f64> = abscissas(random, n).into_iter().map(exact).collect();
    if smoothness == 1 || smoothness == 3 {
        // Jumps inside the table.
        for i in 1..n - 2 {
            if random.below(3) == 0 && x[i - 1] != x[i] {
                x[i + 1] = x[i];
            }
        }
    }
    x
}

/// Follows a random table as a model does. Gives the number of comparisons.
fn follow_time_table(random: &mut Random, smoothness: usize, extrapolation: usize, events: usize) -> usize {
    let x = exact_times(random, smoothness);
    let n = x.len();
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
