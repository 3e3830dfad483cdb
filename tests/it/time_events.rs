//! Integer parts and relations of functions of time, against what they are known to be.

use partita::pipeline;
use partita_grammar::Source;
use partita_runtime::integrate::{Statistics, simulate};
use partita_runtime::result::read::Table;
use partita_tests::simulation::{Engine, Points, compile, instance, run, table};

fn simulated(text: &str) -> (Table, Statistics) {
    let source = Source { name: "model.mo".to_owned(), text: text.to_owned() };
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let mut points = Points::default();
    let mut model = instance(&compiled, Engine::MachineCode).unwrap_or_else(|error| panic!("{error:?}"));
    let statistics = simulate(&mut model, &experiment, &mut points).unwrap_or_else(|error| panic!("{error:?}"));
    let interpreted = run(&compiled, &source, Engine::Interpreter, &experiment).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(points, interpreted);
    (table(&compiled, &points), statistics)
}

fn values(results: &Table, name: &str) -> Vec<f64> {
    results.values(name).unwrap_or_else(|| panic!("{name} is in the result"))
}

/// Arguments as text, as a function of time, and whether they are affine in time.
type Form = (&'static str, fn(f64) -> f64, bool);

const FORMS: [Form; 14] = [
    ("time", |t| t, true),
    ("t", |t| t, true),
    ("-time", |t| -t, true),
    ("-t", |t| -t, true),
    ("time + 0.3", |t| t + 0.3, true),
    ("2*time - 1", |t| 2.0 * t - 1.0, true),
    ("1 - 2*t", |t| 1.0 - 2.0 * t, true),
    ("time/T", |t| t / 0.4, true),
    ("-time/T", |t| -t / 0.4, true),
    ("k*time", |t| -1.7 * t, true),
    ("(time - 0.25)/0.5", |t| (t - 0.25) / 0.5, true),
    ("twice", |t| 2.0 * t, true),
    ("3*sin(time)", |t| 3.0 * t.sin(), false),
    ("x", |t| -1.0 + 1.3 * t, false),
];

/// Functions as text and as they are; `d` is the divisor that decides where they jump, 0 if they do not.
type Operation = (&'static str, fn(f64) -> f64, f64);

const OPERATIONS: [Operation; 9] = [
    ("floor(#)", f64::floor, 1.0),
    ("ceil(#)", f64::ceil, 1.0),
    ("integer(#)", f64::floor, 1.0),
    ("div(#, 0.7)", |v| (v / 0.7).trunc(), 0.7),
    ("mod(#, 0.7)", |v| v - 0.7 * (v / 0.7).floor(), 0.7),
    ("rem(#, 0.7)", |v| v - 0.7 * (v / 0.7).trunc(), 0.7),
    ("mod(#, 1)", |v| v - v.floor(), 1.0),
    (
        "sign(#)",
        |v| {
            if v > 0.0 {
                1.0
            } else if v < 0.0 {
                -1.0
            } else {
                0.0
            }
        },
        f64::INFINITY,
    ),
    ("abs(#)", f64::abs, 0.0),
];

/// How the function of time is written: as a binding, in a condition, in an algorithm, as an argument of a function.
const PLACES: [&str; 4] =
    ["Real y = OP;", "Real y; equation y = if OP >= 1e9 then 0 else OP;", "Real y; algorithm y := 0; y := y + OP;", "Real y = same(OP);"];

fn model(place: &str, operation: &str) -> String {
    format!(
        "model M
           function same input Real u; output Real y; algorithm y := u; end same;
           parameter Real T = 0.4, k = -1.7;
           Real t = time, twice = t + t, x(start = -1, fixed = true);
           {}
         equation
           der(x) = 1.3;
           annotation(experiment(StopTime = 3.05, Interval = 0.01));
         end M;",
        place.replace("OP", operation)
    )
}

/// The times in (0, 3.05] at which a monotone argument is a multiple of `d`, as far as they are no closer than `d` to each other.
fn jumps(of: fn(f64) -> f64, d: f64) -> usize {
    let n = 305_000;
    let cell = |i: usize| (of(3.05 * i as f64 / n as f64) / d - 1e-9).floor();
    (0..n).filter(|&i| cell(i) != cell(i + 1)).count()
}

#[test]
fn integer_parts_of_functions_of_time_are_right_between_events() {
    for (form, of, is_affine) in FORMS {
        for (operation, exact, d) in OPERATIONS {
            for place in PLACES {
                let text = model(place, &operation.replace('#', form));
                let (results, statistics) = simulated(&text);
                let y = values(&results, "y");
                for (&t, &y) in results.time.iter().zip(&y) {
                    let cells = if d == 0.0 || d == f64::INFINITY { of(t) } else { of(t) / d };
                    // At a jump both sides are shown.
                    if d != 0.0 && (cells - cells.round()).abs() < 1e-6 {
                        continue;
                    }
                    assert!((y - exact(of(t))).abs() < 1e-5, "{operation} of {form} in `{place}` at {t}: {y}, not {}", exact(of(t)));
                }
                if is_affine && d.is_normal() {
                    assert_eq!(statistics.events.state_events, 0, "{operation} of {form} in `{place}` is scheduled");
                }
            }
        }
    }
}

#[test]
fn events_come_as_often_as_integer_parts_jump() {
    for (form, of, is_affine) in FORMS.into_iter().filter(|form| form.2) {
        assert!(is_affine);
        for operation in ["floor(#)", "ceil(#)"] {
            let (_, statistics) = simulated(&model(PLACES[0], &operation.replace('#', form)));
            let events = statistics.events.time_events as usize;
            let expected = jumps(of, 1.0);
            // One at the start is part of the start.
            assert!(events == expected || events + 1 == expected, "{operation} of {form}: {events} events, {expected} jumps");
        }
    }
}

/// A jump is at the time at which the argument is a whole number, with the value of each side.
#[test]
fn jumps_are_at_their_times() {
    let (results, _) = simulated(
        "model Jumps
           parameter Real T = 0.1;
           Integer n = integer(time/T), m = -integer(-time/T);
           annotation(experiment(StopTime = 1, Interval = 0.05));
         end Jumps;",
    );
    let (n, m) = (values(&results, "n"), values(&results, "m"));
    let changes = |y: &[f64]| -> Vec<f64> { (1..y.len()).filter(|&i| y[i] != y[i - 1]).map(|i| results.time[i]).collect() };
    let tenths: Vec<f64> = (1..=10).map(|i| f64::from(i) * 0.1).collect();
    assert_eq!(changes(&n), tenths);
    assert_eq!(changes(&m)[1..], tenths[..changes(&m).len() - 1]);
    assert_eq!((changes(&m)[0], n[n.len() - 1]), (0.0, 10.0));
}

#[test]
fn a_when_sees_every_jump_once() {
    for (condition, expected) in [
        ("ceil(time) > pre(c)", 3.0),
        ("floor(2*time) > pre(c)", 5.0),
        ("integer(time/T) > pre(c)", 7.0),
        ("change(i)", 2.0),
        ("time - 1 >= 0.5", 1.0),
        ("2*time > 3 + T", 1.0),
        ("3 - time < time", 1.0),
        ("mod(time, 0.5) < 0.25", 5.0),
    ] {
        let (results, statistics) = simulated(&format!(
            "model Count
               parameter Real T = 0.4;
               Integer i = integer(time);
               Real c(start = 0, fixed = true);
             equation
               when {condition} then
                 c = pre(c) + 1;
               end when;
               annotation(experiment(StopTime = 2.9));
             end Count;"
        ));
        let c = values(&results, "c");
        let start = c[0];
        assert_eq!((c[c.len() - 1] - start).max(0.0) + start, expected, "{condition}");
        assert_eq!(statistics.events.state_events, 0, "{condition}");
    }
}

/// A slope that vanishes or changes its sign with a parameter.
#[test]
fn slopes_of_any_sign_are_scheduled() {
    for (k, expected) in [(2.0, 1.0), (-2.0, 0.0), (0.0, 0.0)] {
        let (results, _) = simulated(&format!(
            "model Slope
               parameter Real k = {k};
               Real y = if k*time >= 1 then 1 else 0, z = floor(k*time);
             end Slope;"
        ));
        let (y, z) = (values(&results, "y"), values(&results, "z"));
        assert_eq!(y[y.len() - 1], expected, "k = {k}");
        for (&t, &z) in results.time.iter().zip(&z) {
            if (k * t - (k * t).round()).abs() > 1e-9 {
                assert_eq!(z, (k * t).floor(), "k = {k} at {t}");
            }
        }
    }
}

/// The time at which `1.64*time + 0.36` is 2 is 1 up to rounding, and 1 is the end of the run.
#[test]
fn a_jump_at_the_end_is_not_lost_by_rounding() {
    for (argument, last) in
        [("1.64*time + 0.36", 2.0), ("0.7*time + 0.3", 1.0), ("3*time/3 + 4", 5.0), ("10.1*time - 0.1", 10.0), ("time/0.1", 10.0)]
    {
        let (results, _) = simulated(&format!("model End Integer k = integer({argument}); end End;"));
        let k = values(&results, "k");
        assert_eq!(k[k.len() - 1], last, "{argument}");
    }
}
