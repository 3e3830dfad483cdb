//! Models that slide along relations, whose events accumulate, or whose time stands still.

use partita::pipeline;
use partita_grammar::Source;
use partita_runtime::integrate::{Experiment, Solver};
use partita_runtime::result::read::Table;
use partita_tests::simulation::{Engine, compile, models_folder, read_source, run, table};
use std::time::Instant;

fn attempt(text: &str, change: impl Fn(&mut Experiment)) -> Result<Table, String> {
    let source = Source { name: "model.mo".to_owned(), text: text.to_owned() };
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
    let mut experiment = pipeline::experiment(&compiled.experiment, None, None);
    change(&mut experiment);
    run(&compiled, &source, Engine::MachineCode, &experiment).map(|points| table(&compiled, &points))
}

/// The error of a model that must end with one, soon.
#[track_caller]
fn error(text: &str, expected: &[&str]) {
    let began = Instant::now();
    let message = attempt(text, |_| {}).err().unwrap_or_else(|| panic!("no error: {text}"));
    for part in expected {
        assert!(message.contains(part), "`{part}` is not in\n{message}");
    }
    assert!(began.elapsed().as_secs_f64() < 20.0, "{:?}", began.elapsed());
}

fn model(declarations: &str, equations: &str, stop: f64) -> String {
    format!("model M\n  {declarations}\nequation\n  {equations}\n  annotation(experiment(StopTime = {stop}));\nend M;")
}

fn at(results: &Table, name: &str, t: f64) -> f64 {
    let values = results.values(name).unwrap_or_else(|| panic!("{name} is in the result"));
    let times = &results.time;
    let place = times.iter().rposition(|time| *time <= t).unwrap_or(0);
    values[place]
}

const SLIDING: [(&str, &str, &str); 6] = [
    ("Real x(start = 1, fixed = true);", "der(x) = -sign(x);", "sign(x)"),
    ("Real x(start = 1, fixed = true);", "der(x) = if noEvent(x > 0) then -1 else 1;", "x > 0"),
    ("Real x(start = 1, fixed = true);", "der(x) = if x > 0 then -1 else 1;", "x > 0"),
    ("Real x(start = 1, fixed = true);", "der(x) = if x > 0.5 then -1 elseif x > -0.5 then 0.25 else 1;", "x > 0.5"),
    (
        "Real x(start = 1, fixed = true); discrete Real u(start = -1, fixed = true);",
        "der(x) = u; when x > 0 then u = -1; elsewhen x < 0 then u = 1; end when;",
        "x",
    ),
    (
        "Real x(start = 1, fixed = true); Real v(start = 0, fixed = true);",
        "der(x) = v; der(v) = -x - (if v > 0 then 0.3 elseif v < 0 then -0.3 else 0);",
        "v",
    ),
];

#[test]
fn sliding_is_an_error_that_names_the_relation() {
    for (declarations, equations, relation) in SLIDING {
        error(&model(declarations, equations, 10.0), &["R215", relation, "--sliding equivalent", "per unit of time"]);
    }
}

#[test]
fn two_relations_at_once_are_both_named() {
    let text = model(
        "Real x(start = 1, fixed = true), y(start = 1.5, fixed = true);",
        "der(x) = if x > 0 then -1 else 1; der(y) = if y > 0 then -1 else 1;",
        3.0,
    );
    error(&text, &["R215", "x > 0"]);
    let both = attempt(&text, |experiment| experiment.sliding = true).expect_err("no motion is defined");
    assert!(both.contains("R215") && both.contains("x > 0") && both.contains("y > 0"), "{both}");
}

#[test]
fn the_equivalent_motion_stays_at_the_relation() {
    for (declarations, equations, _) in SLIDING {
        let results =
            attempt(&model(declarations, equations, 10.0), |experiment| experiment.sliding = true).unwrap_or_else(|why| panic!("{why}"));
        let (name, rest) = if equations.contains("der(v)") {
            ("v", 0.0)
        } else if equations.contains("0.25") {
            ("x", 0.5)
        } else {
            ("x", 0.0)
        };
        assert!((at(&results, name, 9.9) - rest).abs() < 1e-5, "{equations}: {name} = {}", at(&results, name, 9.9));
        assert!((at(&results, name, 0.25) - rest).abs() > 0.1, "{equations}");
    }
}

/// On the surface `y = 0` the fields are (1, -1) and (3, 2): one part of the second and two of the first, so x moves with 5/3.
#[test]
fn the_equivalent_motion_is_the_convex_combination_of_both_sides() {
    let text = model(
        "Real x(start = 0, fixed = true), y(start = 1, fixed = true);",
        "der(x) = if y > 0 then 1 else 3; der(y) = if y > 0 then -1 else 2;",
        4.0,
    );
    let results = attempt(&text, |experiment| experiment.sliding = true).unwrap_or_else(|why| panic!("{why}"));
    assert!((at(&results, "x", 4.0) - (1.0 + 3.0 * 5.0 / 3.0)).abs() < 1e-5, "{}", at(&results, "x", 4.0));
    assert!(at(&results, "y", 4.0).abs() < 1e-7);
    assert!((at(&results, "der(x)", 3.0) - 5.0 / 3.0).abs() < 1e-5);
}

/// A force that grows tears the body loose: `F = time` exceeds the friction of 1 at time 1.
#[test]
fn the_motion_along_a_relation_ends_where_a_side_leads_away() {
    for friction in ["if v > 0 then 1 else -1", "sign(v)"] {
        let text = model("Real v(start = -0.125, fixed = true);", &format!("der(v) = time - ({friction});"), 3.0);
        let results = attempt(&text, |experiment| experiment.sliding = true).unwrap_or_else(|why| panic!("{friction}: {why}"));
        assert!(at(&results, "v", 0.9).abs() < 1e-5, "{friction}: {}", at(&results, "v", 0.9));
        assert!((at(&results, "v", 3.0) - 2.0).abs() < 1e-4, "{friction}: {}", at(&results, "v", 3.0));
    }
}

#[test]
fn events_that_accumulate_are_an_error_that_names_the_relation() {
    for e in [0.3, 0.7, 0.9] {
        let text = model(
            "Real h(start = 1, fixed = true), v(start = 0, fixed = true);",
            &format!("der(h) = v; der(v) = -9.81; when h <= 0 then reinit(v, -{e}*pre(v)); end when;"),
            12.0,
        );
        error(&text, &["R216", "h <= 0"]);
    }
    let tanks = "der(a) = (if first then 0.75 else 0) - 0.5; der(b) = (if first then 0 else 0.75) - 0.5;
      when a <= 0 then first = true; elsewhen b <= 0 then first = false; end when;";
    error(
        &model(
            "Real a(start = 1, fixed = true), b(start = 1, fixed = true); discrete Boolean first(start = true, fixed = true);",
            tanks,
            20.0,
        ),
        &["R216", "<= 0"],
    );
    let counter = "der(x) = 1; when x > 1 - 0.5^pre(n) then n = pre(n) + 1; end when;";
    error(&model("Real x(start = 0, fixed = true); discrete Integer n(start = 0, fixed = true);", counter, 2.0), &["R216", "x >"]);
    let clock = "when time >= pre(next) then n = pre(n) + 1; next = pre(next) + 0.5^(pre(n) + 2); end when;";
    error(
        &model("discrete Real next(start = 0.5, fixed = true); discrete Integer n(start = 0, fixed = true);", clock, 2.0),
        &["R216", "time >="],
    );
}

#[test]
fn a_ball_that_comes_to_rest_is_no_error() {
    let source = read_source(&models_folder().join("bouncing_ball.mo")).expect("the model is there");
    let results = attempt(&source.text, |experiment| experiment.stop_time = 10.0).unwrap_or_else(|why| panic!("{why}"));
    assert!(at(&results, "h", 10.0).abs() < 1e-6);
}

/// Gaps that shrink for a while, unequal events at one time, and a sweep whose events come ever faster without end.
#[test]
fn events_that_only_come_faster_are_no_error() {
    let sweep = "x = sin(exp(3*time)); when x > 0 then n = pre(n) + 1; end when;";
    attempt(&model("Real x; discrete Integer n(start = 0, fixed = true);", sweep, 3.0), |_| {}).unwrap_or_else(|why| panic!("{why}"));
    let samples = "when {sample(0, 0.1), sample(0, 0.3), time >= 0.1*3} then n = pre(n) + 1; end when; der(x) = 1;";
    attempt(&model("Real x(start = 0, fixed = true); discrete Integer n(start = 0, fixed = true);", samples, 3.0), |_| {})
        .unwrap_or_else(|why| panic!("{why}"));
}

#[test]
fn time_that_stands_still_is_an_error_that_names_the_cause() {
    error(&model("Real x(start = 1, fixed = true);", "der(x) = -1e300*x;", 1.0), &["R217", "`x`", "1e300"]);
    error(&model("Real x(start = 1, fixed = true);", "der(x) = 1e300;", 1.0), &["R217", "`x`", "1e300"]);
    error(&model("Real x(start = 1, fixed = true);", "der(x) = if time > 0.5 then 1e300 else 0;", 1.0), &["R217", "`x`", "1e300"]);
    let count = "discrete Integer n(start = 0, fixed = true);";
    error(&model(count, "when sample(0, 1e-300) then n = pre(n) + 1; end when;", 1.0), &["R217", "samples every 1e-300"]);
    error(&model(count, "when sample(0.5, 1e-17) then n = pre(n) + 1; end when;", 1.0), &["sample"]);
    error(&model(count, "when sample(0, 1e-17) then n = pre(n) + 1; end when;", 1.0), &["samples every 1e-17"]);
    let text = model("Real x(start = 1, fixed = true);", "der(x) = -x;", 1.0);
    let fixed = |step: f64| attempt(&text, |experiment| (experiment.solver, experiment.step) = (Solver::Euler, Some(step)));
    assert!(fixed(1e-300).err().is_some_and(|why| why.contains("R200") && why.contains("1e-300")));
    assert!(fixed(1e-3).is_ok());
}

#[test]
fn jumps_that_return_after_a_tiny_delay_are_an_error_that_names_it() {
    let text = model(
        "Real x(start = 0, fixed = true); Real y;",
        "der(x) = 1; y = delay(if time < 0.5 then 0 elseif y > 0.5 then 0 else 1, 1e-15);",
        1.0,
    );
    error(&text, &["delayed by 1e-15"]);
    let smooth = attempt(&model("Real x(start = 1, fixed = true);", "der(x) = -delay(x, 1e-300);", 1.0), |_| {})
        .unwrap_or_else(|why| panic!("{why}"));
    assert!((at(&smooth, "x", 1.0) - (-1.0f64).exp()).abs() < 1e-3);
}
