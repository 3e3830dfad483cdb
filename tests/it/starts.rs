//! Start values choose among the solutions of the initial equations, through the whole compiler.

use partita::base::messages::run_warning;
use partita::pipeline;
use partita_grammar::Source;
use partita_runtime::integrate::simulate;
use partita_tests::simulation::{Engine, Points, compile, instance, models_folder, read_source, rendered, table};

/// The values at the start of a model, and the warnings of its run.
fn start(source: &Source, names: &[&str]) -> (Vec<f64>, String) {
    let compiled = compile(source, None).unwrap_or_else(|why| panic!("{why}"));
    let mut experiment = pipeline::experiment(&compiled.experiment, None, None);
    experiment.stop_time = experiment.start_time;
    let mut points = Points::default();
    let mut model = instance(&compiled, Engine::Interpreter).unwrap_or_else(|error| panic!("{error:?}"));
    let statistics = simulate(&mut model, &experiment, &mut points).unwrap_or_else(|error| panic!("{}: {error:?}", source.text));
    let results = table(&compiled, &points);
    let values = names.iter().map(|name| results.values(name).unwrap_or_else(|| panic!("{name} is in the result"))[0]);
    let warnings = rendered(&statistics.warnings.iter().map(run_warning).collect::<Vec<_>>(), source);
    (values.collect(), warnings)
}

fn of(declarations: &str, equations: &str, names: &[&str]) -> (Vec<f64>, String) {
    let text =
        format!("model M\n  {declarations}\n  Real clock(start = 0, fixed = true);\nequation\n  der(clock) = 1;\n  {equations}\nend M;");
    start(&Source { name: "model.mo".to_owned(), text }, names)
}

#[track_caller]
fn check(declarations: &str, equations: &str, expected: &[(&str, f64)]) {
    check_within(1e-9, declarations, equations, expected);
}

#[track_caller]
fn check_within(tolerance: f64, declarations: &str, equations: &str, expected: &[(&str, f64)]) {
    let names: Vec<&str> = expected.iter().map(|(name, _)| *name).collect();
    let (values, _) = of(declarations, equations, &names);
    for ((name, expected), value) in expected.iter().zip(values) {
        assert!(
            (value - expected).abs() <= tolerance * expected.abs().max(1.0),
            "{declarations} {equations}: {name} = {value}, not {expected}"
        );
    }
}

#[test]
fn the_root_of_a_single_equation_is_that_of_its_start_value() {
    for (start, root) in [(2.0, 2.0), (-2.0, -2.0), (3.0, 2.0), (-3.0, -2.0), (0.1, 2.0), (-1e3, -2.0)] {
        check(&format!("Real x(start = {start});"), "x^2 = 4;", &[("x", root)]);
    }
    for (start, root) in [(0.45, 1.0), (1.4, 1.0), (1.6, 2.0), (5.0, 2.0), (-1.4, 1.0), (-1.6, -3.0), (-9.0, -3.0), (0.9, 1.0)] {
        check(&format!("Real x(start = {start});"), "(x - 1)*(x - 2)*(x + 3) = 0;", &[("x", root)]);
    }
    let pi = std::f64::consts::PI;
    for (start, root) in [(2.6, 5.0 * pi / 6.0), (0.5, pi / 6.0), (-3.6, -7.0 * pi / 6.0), (6.9, 13.0 * pi / 6.0), (1.4, pi / 6.0)] {
        check(&format!("Real x(start = {start});"), "sin(x) = 0.5;", &[("x", root)]);
    }
}

/// Whichever of the two unknowns tearing iterates on.
#[test]
fn a_start_value_counts_wherever_it_is_given() {
    let line = "x*x + y*y = 25; x + y = 7;";
    for (declarations, x) in [
        ("Real x(start = 3); Real y;", 3.0),
        ("Real x(start = 4); Real y;", 4.0),
        ("Real x; Real y(start = 3);", 4.0),
        ("Real x; Real y(start = 4);", 3.0),
        ("Real x; Real y(start = 2.5);", 4.0),
        ("Real x; Real y(start = 4.5);", 3.0),
        ("Real x(start = 2.9); Real y(start = 4.2);", 3.0),
    ] {
        check(declarations, line, &[("x", x), ("y", 7.0 - x)]);
    }
    // Neither equation can be solved for an unknown.
    let hyperbola = "x*x + y*y = 25; x*y = 12;";
    for (declarations, x, y) in [
        ("Real x(start = 3); Real y;", 3.0, 4.0),
        ("Real x(start = 4); Real y;", 4.0, 3.0),
        ("Real x; Real y(start = 3);", 4.0, 3.0),
        ("Real x; Real y(start = 4);", 3.0, 4.0),
        ("Real x(start = -3); Real y(start = -4);", -3.0, -4.0),
        ("Real x(start = -3.9); Real y(start = -3.2);", -4.0, -3.0),
    ] {
        check(declarations, hyperbola, &[("x", x), ("y", y)]);
    }
    let parabola = "x*x + y*y = 2; y = x*x;";
    for start in [-1.0, -0.8, 0.9, 1.0] {
        check(&format!("Real x(start = {start}); Real y(start = 1);"), parabola, &[("x", f64::signum(start)), ("y", 1.0)]);
    }
}

#[test]
fn three_unknowns_take_the_order_of_their_start_values() {
    let equations = "x + y + w = 6; x*y + y*w + w*x = 11; x*y*w = 6;";
    for (x, y, w) in [(1.0, 2.0, 3.0), (1.0, 3.0, 2.0), (2.0, 1.0, 3.0), (2.0, 3.0, 1.0), (3.0, 1.0, 2.0), (3.0, 2.0, 1.0)] {
        let expected = [("x", x), ("y", y), ("w", w)];
        check(&format!("Real x; Real y(start = {y}); Real w(start = {w});"), equations, &expected);
        check(&format!("Real x(start = {x}); Real y(start = {y}); Real w;"), equations, &expected);
        check(&format!("Real x(start = {x}); Real y(start = {}); Real w(start = {});", y + 0.1, w - 0.1), equations, &expected);
    }
}

/// Start values that solve the equations where their Jacobian is singular; of a double root rounding leaves half of the digits.
#[test]
fn a_double_root_is_taken_where_it_is_given() {
    check_within(1e-8, "Real x(start = 0.1); Real y;", "x*x - 0.2*x + 0.01 = 0; y = x + 1;", &[("x", 0.1), ("y", 1.1)]);
    check_within(1e-8, "Real x(start = -2);", "(x + 2)^2*(x - 1) = 0;", &[("x", -2.0)]);
}

#[test]
fn parameters_and_discrete_variables_of_the_start_have_roots_too() {
    let text = |p: &str, q: &str| {
        format!(
            "model M
           parameter Real p(fixed = false{p}); parameter Real q(fixed = false{q});
           Real x(start = 0, fixed = true);
         initial equation
           p*p + q*q = 8; p + q = 0;
         equation
           der(x) = p - q;
         end M;"
        )
    };
    for (p, q, rate) in
        [("", ", start = -2", 4.0), ("", ", start = 2", -4.0), (", start = -1.5", "", -4.0), (", start = 1.5", ", start = -2.5", 4.0)]
    {
        let source = Source { name: "model.mo".to_owned(), text: text(p, q) };
        assert!((start(&source, &["der(x)"]).0[0] - rate).abs() < 1e-9, "{}", source.text);
    }
    for root in [-2.0, 2.0] {
        let text = format!(
            "model M
               discrete Real d(start = {root}); Real x(start = 1, fixed = true);
             initial equation
               d^2 = 4;
             equation
               der(x) = d;
               when x > 2 then d = 3; end when;
             end M;"
        );
        assert_eq!(start(&Source { name: "model.mo".to_owned(), text }, &["d"]).0, [root]);
    }
}

/// A linkage can be assembled in two ways.
#[test]
fn a_four_bar_is_assembled_as_its_start_values_say() {
    let original = read_source(&models_folder().join("four_bar.mo")).expect("the model is there");
    let upper = start(&original, &["q2", "q3"]).0;
    assert!((upper[0] - 0.6).abs() < 0.2 && (upper[1] - 1.7).abs() < 0.4, "{upper:?}");
    let starts = [("start = 0.6", "start = -0.9"), ("start = 1.7", "start = -2.0")];
    let text = starts.iter().fold(original.text.clone(), |text, (from, to)| text.replace(from, to));
    let lower = start(&Source { name: original.name, text }, &["q2", "q3"]).0;
    assert!(lower[0] < 0.0 && lower[1] < -1.0, "{lower:?}");
}

/// Newton's method leaps over the nearest root; the path from the start value does not.
#[test]
fn where_newton_ends_elsewhere_the_user_is_told() {
    let (values, warnings) = of("Real x(start = 1.5);", "sin(x) = 0.5;", &["x"]);
    assert!((values[0] - std::f64::consts::FRAC_PI_6).abs() < 1e-9);
    assert!(warnings.contains("R109") && warnings.contains("Newton's method without that ends at"), "{warnings}");
    for (declarations, equations) in [("Real x(start = 3);", "x^2 = 4;"), ("Real x; Real y(start = 3);", "x*x + y*y = 25; x + y = 7;")] {
        let (_, warnings) = of(declarations, equations, &["x"]);
        assert!(warnings.is_empty(), "{declarations}: {warnings}");
    }
}
