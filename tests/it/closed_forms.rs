//! Systems solved in closed form, through the whole compiler: the roots are those of Newton's method where that finds any.

use partita::pipeline::{self, Compiled};
use partita_grammar::Source;
use partita_tests::simulation::{Engine, compile, models_folder, read_source, run, table};

fn model(declarations: &str, equations: &str) -> Source {
    let text = format!(
        "model M\n  {declarations}\n  Real clock(start = 0, fixed = true);\nequation\n  der(clock) = 1;\n  {equations}\n  annotation(experiment(StopTime = 1));\nend M;"
    );
    Source { name: "model.mo".to_owned(), text }
}

/// The same model with Newton's method everywhere.
fn by_newton(compiled: &Compiled) -> Compiled {
    let mut plain = compiled.clone();
    plain.program.plan.blocks.values_mut().for_each(|block| block.closed = None);
    plain
}

/// First and last value of a variable.
fn ends(compiled: &Compiled, source: &Source, name: &str) -> Result<[f64; 2], String> {
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let points = run(compiled, source, Engine::MachineCode, &experiment)?;
    let results = table(compiled, &points);
    let values = results.values(name).unwrap_or_else(|| panic!("{name} is in the result"));
    Ok([values[0], values[values.len() - 1]])
}

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * b.abs().max(1.0)
}

/// A system of one unknown `x` has a closed form, and its root goes from the first to the last of `expected`, as by Newton's method.
#[track_caller]
fn check(declarations: &str, equations: &str, expected: [f64; 2]) {
    let source = model(declarations, equations);
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(compiled.report.closed_forms, ["x"], "{equations}");
    let closed = ends(&compiled, &source, "x").unwrap_or_else(|why| panic!("{why}"));
    let plain = ends(&by_newton(&compiled), &source, "x").unwrap_or_else(|why| panic!("{why}"));
    for ((closed, plain), expected) in closed.into_iter().zip(plain).zip(expected) {
        assert!(near(closed, expected, 1e-12), "{equations}: {closed} is not {expected}");
        assert!(near(closed, plain, 1e-9), "{equations}: {closed} differs from {plain} of Newton's method");
    }
}

#[test]
fn polynomials_products_and_functions_follow_their_branches() {
    check("Real x(start = 1);", "x^2 = 4 + time;", [2.0, 5.0_f64.sqrt()]);
    check("Real x(start = -1);", "x^2 = 4 + time;", [-2.0, -5.0_f64.sqrt()]);
    check("Real x(start = 3);", "x^2 - (3 + time)*x + 2 + time = 0;", [2.0, 2.0 + 1.0]);
    check("Real x(start = 2.5);", "x^4 - 5*x^2 + 4 + 0*time = 0;", [2.0, 2.0]);
    check("Real x(start = 1);", "1/(1 + x^2) = 0.2 + 0.3*time;", [2.0, 1.0]);
    check("Real x(start = 0.5);", "(x - 1 - time)*(exp(x) - 50) = 0;", [1.0, 2.0]);
    check("Real x(start = 0.5);", "sin(x)^2 = 0.25*(1 + time);", [std::f64::consts::PI / 6.0, std::f64::consts::PI / 4.0]);
    check("Real x(start = 6.5);", "sin(x) = 0.5*time;", [2.0 * std::f64::consts::PI, 13.0 * std::f64::consts::PI / 6.0]);
    check("Real x(start = 1);", "tanh(x) = 0.5*(1 + 0*time);", [0.5_f64.atanh(), 0.5_f64.atanh()]);
    check("Real x(start = 1);", "exp(x) + exp(-x) = 2*cosh(1 + time);", [1.0, 2.0]);
    check("Real x(start = 1);", "x + sqrt(x) = 2 + 4*time;", [1.0, 4.0]);
    let ends = [(0.1 - 16.01_f64.sqrt()) / 2.0, (-0.1 + 8.01_f64.sqrt()) / 2.0];
    check("Real x(start = -2);", "x*abs(x) + 0.1*x = 6*time - 4;", ends);
    check("Real x(start = 1);", "atan(x)^2 + atan(x) = 2*0.5 + 0*time;", [((5.0_f64.sqrt() - 1.0) / 2.0).tan(); 2]);
}

#[test]
fn choices_that_do_not_depend_on_the_unknown_choose_coefficients() {
    check("Real x(start = 1);", "(if time > 0.5 then 2*x^2 else x^2 + x) = 2;", [1.0, 1.0]);
}

#[test]
fn what_tearing_assigns_is_part_of_the_residual() {
    let source = model("Real x(start = 1), y;", "y = 2*x + time;\n  y*x = 6;");
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(compiled.report.closed_forms.len(), 1, "{:?}", compiled.report);
    let [first, last] = ends(&compiled, &source, "x").unwrap_or_else(|why| panic!("{why}"));
    assert!(near(first, 3.0_f64.sqrt(), 1e-12) && near(last, 1.5, 1e-12), "{first} {last}");
}

/// The branch ends where two roots meet; the failure has the place and the names.
#[test]
fn a_branch_that_ends_is_a_failure_that_says_so() {
    let source = model("Real x(start = 1);", "x^2 = 0.5 - time;");
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
    let why = ends(&compiled, &source, "x").expect_err("there is no root after 0.5");
    assert!(why.contains("has no real solution for x here"), "{why}");
    assert!(why.contains("model.mo:6"), "{why}");
}

/// No root is taken at the start that Newton's method would not have found.
#[test]
fn start_values_choose_as_without_closed_forms() {
    for equation in ["x^2 = 4", "(x - 1)*(x - 2)*(x + 3) = 0", "sin(x) = 0.5", "x^4 - 5*x^2 + 4 = 0", "cos(x)^2 = 0.5"] {
        for start in [0.05, 0.45, 0.9, 1.4, 1.6, 2.6, 5.0, 6.9, -0.2, -1.4, -1.6, -3.6, -9.0] {
            let source = model(&format!("Real x(start = {start});"), &format!("{equation};"));
            let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
            let closed = ends(&compiled, &source, "x").unwrap_or_else(|why| panic!("{why}"));
            let plain = ends(&by_newton(&compiled), &source, "x").unwrap_or_else(|why| panic!("{why}"));
            assert!(near(closed[0], plain[0], 1e-9), "{equation} from {start}: {closed:?} {plain:?}");
        }
    }
}

/// The demonstration model: at the event no guess of Newton's method leads to a root.
#[test]
fn a_root_that_newtons_method_misses_is_found() {
    let source = read_source(&models_folder().join("two_hollows.mo")).expect("the model can be read");
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(compiled.report.closed_forms_in_need, ["x"]);
    let why = ends(&by_newton(&compiled), &source, "x").expect_err("Newton's method finds the root");
    assert!(why.contains("Newton's iteration found no way on"), "{why}");
    let [first, last] = ends(&compiled, &source, "x").unwrap_or_else(|why| panic!("{why}"));
    assert!(near(first, -1.0, 0.013) && near(last, 1.0, 0.013), "{first} {last}");
}

/// A system of several unknowns has a closed form, and its solution goes from the first to the last of `expected`, as by Newton's method.
#[track_caller]
fn check_system(declarations: &str, equations: &str, names: &str, expected: &[(&str, [f64; 2])]) {
    let source = model(declarations, equations);
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
    let (direct, in_need) = (&compiled.report.closed_forms, &compiled.report.closed_forms_in_need);
    assert!(direct.iter().chain(in_need).any(|own| own == names), "{equations}: {direct:?} {in_need:?}");
    for (name, expected) in expected {
        let closed = ends(&compiled, &source, name).unwrap_or_else(|why| panic!("{why}"));
        let plain = ends(&by_newton(&compiled), &source, name).unwrap_or_else(|why| panic!("{why}"));
        for ((closed, plain), expected) in closed.into_iter().zip(plain).zip(expected) {
            assert!(near(closed, *expected, 1e-12), "{equations}: {name} is {closed}, not {expected}");
            assert!(near(closed, plain, 1e-9), "{equations}: {name} is {closed}, by Newton's method {plain}");
        }
    }
}

#[test]
fn several_unknowns_follow_from_one() {
    // The product of x and y, and the sum of their squares: x + y and x - y.
    let at = |t: f64| ((13.0 + 2.0 * (6.0 + t)).sqrt(), (13.0 - 2.0 * (6.0 + t)).sqrt());
    let (first, [sum, difference]) = ([2.0, 3.0], [at(0.4).0, at(0.4).1]);
    let last = [(sum - difference) / 2.0, (sum + difference) / 2.0];
    let equations = "x*y = 6 + 0.4*time;\n  x^2 + y^2 = 13;";
    check_system("Real x(start = 2), y(start = 3);", equations, "x and y", &[("x", [first[0], last[0]]), ("y", [first[1], last[1]])]);
    // Each factor opens a branch; the one at the start is kept.
    let equations = "(p - 1 - time)*(q - 2) = 0;\n  p*q = 3*(1 + time);";
    check_system("Real p(start = 1), q(start = 2.9);", equations, "p and q", &[("p", [1.0, 2.0]), ("q", [3.0, 3.0])]);
    check_system("Real p(start = 1.5), q(start = 2);", equations, "p and q", &[("p", [1.5, 3.0]), ("q", [2.0, 2.0])]);
}

/// What an unknown is divided by vanishes: `y = 0` solves the first equation whatever `x` is. The branch is kept.
#[test]
fn a_branch_that_formulas_do_not_know_is_kept() {
    let equations = "x*y = y*(1 + 0*time);\n  x^2 + y^2 = 4 + time;";
    let source = model("Real x(start = 2), y(start = 0.1);", equations);
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
    let [first, last] = ends(&compiled, &source, "x").unwrap_or_else(|why| panic!("{why}"));
    assert!(near(first, 2.0, 1e-9) && near(last, 5.0_f64.sqrt(), 1e-9), "{first} {last}");
}
