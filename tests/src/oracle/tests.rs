//! Values that the specification itself gives, and courses that are known.

use super::{Course, Fault, Model, follow};
use partita_grammar::{Source, parse};

fn course(text: &str, n: usize, n_steps: usize) -> Result<Course, Fault> {
    let definition = parse(&Source { name: "test.mo".to_string(), text: text.to_string() }).expect("the text can be parsed");
    follow(&Model::of(&definition)?, 1.0, n, n_steps)
}

fn values(text: &str, name: &str) -> Vec<f64> {
    let course = course(text, 4, 50).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
    course.columns.into_iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("no {name}")).1
}

fn value(expression: &str) -> f64 {
    values(&format!("model M parameter Real v[:] = vector({{{expression}}}); end M;"), "v[1]")[0]
}

#[test]
fn whole_parts_of_negative_numbers() {
    for (expression, expected) in [
        ("div(-7, 2)", -3.0),
        ("mod(-7, 2)", 1.0),
        ("mod(7, -2)", -1.0),
        ("rem(-7, 2)", -1.0),
        ("div(-7.5, 2)", -3.0),
        ("mod(-1.5, 1)", 0.5),
        ("rem(-1.5, 1)", -0.5),
        ("floor(-1.5)", -2.0),
        ("ceil(-1.5)", -1.0),
        ("integer(-1.5)", -2.0),
        ("sign(-0.3)", -1.0),
        ("7 / 2", 3.5),
        ("-2 ^ 2", -4.0),
        ("2 ^ 3 * 2", 16.0),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

#[test]
fn arrays_are_what_the_specification_says() {
    for (expression, expected) in [
        ("sum(i * j for i in 1:3, j in 1:2)", 18.0),
        ("{1, 2, 3} * {4, 5, 6}", 32.0),
        ("({{1, 2}, {3, 4}} * {1, 1})[2]", 7.0),
        ("cross({1, 0, 0}, {0, 1, 0})[3]", 1.0),
        ("({10 * i + j for i in 1:2, j in 1:3})[3, 2]", 23.0),
        ("size([1, 2; 3, 4; 5, 6], 1)", 3.0),
        ("transpose([1, 2; 3, 4])[1, 2]", 3.0),
        ("([1, 2; 3, 4] ^ 2)[2, 2]", 22.0),
        ("cat(2, [1; 2], [3; 4])[2, 2]", 4.0),
        ("linspace(1, 2, 5)[4]", 1.75),
        ("({4, 5, 6, 7})[end - 1]", 6.0),
        ("symmetric([1, 2; 3, 4])[2, 1]", 2.0),
        ("max({3, 8, 5})", 8.0),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

#[test]
fn functions_loop_break_and_return() {
    let text = "function f input Integer n; output Integer y; output Integer z = 5; protected Integer w[n]; algorithm y := 0;
        for i in 1:n loop w[i] := i*i; if w[i] > 10 then break; end if; y := y + w[i]; end for;
        if n > 4 then return; end if; z := 7; end f;
        model M parameter Integer a = f(9); Integer b; Integer c; equation (b, c) = f(3); end M;";
    assert_eq!((values(text, "a")[0], values(text, "b")[0], values(text, "c")[0]), (14.0, 14.0, 7.0));
}

#[test]
fn events_are_iterated_and_samples_tick() {
    let text = "model M Integer k(start = 0, fixed = true); Integer m(start = 0, fixed = true); Boolean b = k >= 3; equation
        when sample(0, 0.25) then k = pre(k) + 1; end when;
        when b then m = pre(m) + 10*k; elsewhen time >= 0.1 then m = -1; end when; end M;";
    assert_eq!(values(text, "k"), [1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(values(text, "m"), [0.0, -1.0, 29.0, 29.0, 29.0]);
}

#[test]
fn states_are_integrated_over_events() {
    let text = "model M Real x(start = 1, fixed = true); Real h(start = 1, fixed = true); Real v(start = 0, fixed = true); equation
        der(x) = if x > 0.5 then -x else -2*x; der(h) = v; der(v) = -10;
        when h <= 0 then reinit(v, -0.5*pre(v)); end when; end M;";
    let text = text.replace("pre(v)", "v");
    let (half, x) = (0.5f64.ln().abs(), values(&text, "x"));
    assert!((x[4] - 0.5 * (-2.0 * (1.0 - half)).exp()).abs() < 1e-9, "{x:?}");
    // Falls for sqrt(0.2), then rises with half the speed.
    let (fall, h) = (0.2f64.sqrt(), values(&text, "h"));
    let t = 0.75 - fall;
    assert!((h[3] - (5.0 * fall * t - 5.0 * t * t)).abs() < 1e-9, "{h:?}");
}

#[test]
fn what_is_wrong_or_unknown_has_no_value() {
    let fault = |text: &str| course(text, 1, 1).expect_err("there is no value");
    assert!(matches!(fault("model M parameter Real a = 1/0; end M;"), Fault::Failed(_)));
    assert!(matches!(fault("model M parameter Real a[2] = {1, 2}; parameter Real b = a[3]; end M;"), Fault::Failed(_)));
    assert!(matches!(fault("model M parameter Real a = log(-1); end M;"), Fault::Failed(_)));
    assert!(matches!(fault("model M Real x; equation x = 1 + 0.5*x; end M;"), Fault::Unsupported(_)));
    assert!(matches!(fault("model M Real x = delay(time, 1); end M;"), Fault::Unsupported(_)));
}
