//! What is not a number is an error with its place and time wherever something is decided by it or shown of it; where it is not needed, it
//! is none.

use partita::pipeline::{self, Compiled};
use partita_grammar::Source;
use partita_runtime::base::error::RunError;
use partita_runtime::integrate::simulate;
use partita_tests::simulation::{Engine, Points, compile, instance};

fn outcome(compiled: &Compiled, engine: Engine) -> Result<Points, RunError> {
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let mut points = Points::default();
    instance(compiled, engine).and_then(|mut model| simulate(&mut model, &experiment, &mut points)).map(|_| points)
}

/// The error of a run, the same by interpreter and machine code, and what of the source it points at.
fn failure(name: &str, text: &str) -> (RunError, String) {
    let source = Source { name: "model.mo".to_owned(), text: text.to_owned() };
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{name}: {why}"));
    let [by_interpreter, by_machine] = [Engine::Interpreter, Engine::MachineCode].map(|engine| match outcome(&compiled, engine) {
        Ok(points) => panic!("{name}: the run of {} points does not fail", points.times.len()),
        Err(error) => error,
    });
    let seen = |error: &RunError| (error.code, error.time.map(f64::to_bits), error.place.as_ref().map(|(span, _)| *span));
    assert_eq!(seen(&by_interpreter), seen(&by_machine), "{name}");
    let place = by_interpreter.place.as_ref().map_or(String::new(), |((start, end), _)| text[*start as usize..*end as usize].to_string());
    (by_interpreter, place)
}

/// `x` falls from 1 to -1: its root is none from 1 s on.
fn falling(declarations: &str, equations: &str) -> String {
    format!(
        "model Falling
           Real x(start = 1, fixed = true);
           {declarations}
         equation
           der(x) = -1;
           {equations}
           annotation(experiment(StopTime = 2));
         end Falling;"
    )
}

/// Each is an error at 1 s or soon after, at the place named.
#[test]
fn what_is_decided_by_a_root_fails_where_there_is_none() {
    let function = "function f input Real u; output Real y; algorithm if sqrt(u) > 0.3 then y := 1; else y := 2; end if; end f;";
    let recursive = "function f input Real u; input Integer n; output Real y;
       algorithm if n > 0 then y := f(u, n - 1); else y := if sqrt(u) > 0.3 then 1 else 2; end if; end f;";
    let least = "function f input Real u; input Integer n; output Real y;
       algorithm if n > 0 then y := f(u, n - 1); else y := min(u, 3); end if; end f;";
    // A depth that is known only at run time keeps a function from being inlined.
    let depth = " Integer n = if time < 5 then 3 else 2;";
    let of_function = |function: &str, call: &str| format!("{function} Real y = {call};");
    let cases: Vec<(&str, String, &str, &str)> = vec![
        ("noEvent", "Real y = if noEvent(sqrt(x) > 0.1) then 1 else 2;".into(), "", "sqrt(x) > 0.1"),
        ("event", "Real y = if sqrt(x) > 0.1 then 1 else 2;".into(), "", "sqrt(x) > 0.1"),
        ("derivative", "Real z(start = 0, fixed = true);".into(), "der(z) = if noEvent(sqrt(x) > 0.1) then 1 else 2;", "sqrt(x) > 0.1"),
        ("negated", "Real y = if noEvent(not sqrt(x) <= 0.1) then 1 else 2;".into(), "", "sqrt(x) <= 0.1"),
        ("equality", "Real y = if noEvent(sqrt(x) == 0.1) then 1 else 2;".into(), "", "sqrt(x) == 0.1"),
        ("inequality", "Real y = if noEvent(sqrt(x) <> 0.1) then 1 else 2;".into(), "", "sqrt(x) <> 0.1"),
        ("min, second", "Real y = min(0.5, sqrt(x));".into(), "", "min(0.5, sqrt(x))"),
        ("min, first", "Real y = min(sqrt(x), 0.5);".into(), "", "min(sqrt(x), 0.5)"),
        ("max", "Real y = max(log(x), 0.5);".into(), "", "max(log(x), 0.5)"),
        ("max of an array", "Real v[3] = {x, sqrt(x), 1}; Real y = max(v);".into(), "", "max(v)"),
        ("min of elements", "Real y = min({sqrt(x), x, 1});".into(), "", "min({sqrt(x), x, 1})"),
        ("floor", "Real y = noEvent(floor(sqrt(x)));".into(), "", "y = noEvent(floor(sqrt(x)))"),
        ("integer", "Integer n = integer(3*sqrt(x));".into(), "", "integer(3*sqrt(x))"),
        ("mod", "Real y = mod(sqrt(x), 0.3);".into(), "", "mod(sqrt(x), 0.3)"),
        ("div", "Real y = noEvent(div(sqrt(x), 0.3));".into(), "", "y = noEvent(div(sqrt(x), 0.3))"),
        ("result", "Real y = sqrt(x);".into(), "", "y = sqrt(x)"),
        ("result of an array", "Real v[2]; equation v = {x, log(x)}; equation".into(), "", "v = {x, log(x)}"),
        ("when", "Integer n(start = 0, fixed = true);".into(), "when sqrt(x) < 0.5 then n = pre(n) + 1; end when;", "sqrt(x) < 0.5"),
        ("assert", String::new(), "assert(sqrt(x) >= 0, \"root\");", "sqrt(x) >= 0"),
        ("assert of the opposite", String::new(), "assert(not sqrt(x) < 0, \"root\");", "sqrt(x) < 0"),
        ("inlined function", of_function(function, "f(x)"), "", "sqrt(u) > 0.3"),
        ("called function", of_function(recursive, "f(x, n)") + depth, "", ""),
        ("called min", of_function(least, "f(sqrt(x), n)") + depth, "", ""),
        ("both of and", "Real y = if noEvent(sqrt(x) > 0.1 and log(x) > -3) then 1 else 2;".into(), "", ""),
        ("both of or", "Real y = if noEvent(sqrt(x) > 5 or sqrt(x) > 6) then 1 else 2;".into(), "", "sqrt(x) > 5"),
        (
            "inside a relation",
            "Real y = if (if noEvent(sqrt(x) > 0.1) then x + 2 else x + 3) > 0 then 1 else 2;".into(),
            "",
            "sqrt(x) > 0.1",
        ),
        ("algorithm", "Real y; algorithm y := 0; if noEvent(sqrt(x) > 0.3) then y := 2; end if;".into(), "", "sqrt(x) > 0.3"),
        (
            "system of equations",
            "Real y(start = 1), z(start = 1);".into(),
            "y = 2*z - x + (if noEvent(sqrt(x) > 0.1) then 1 else 2); z + y^3 + y = 1 + x;",
            "sqrt(x) > 0.1",
        ),
    ];
    for (name, declarations, equations, place) in cases {
        let (error, found) = failure(name, &falling(&declarations, equations));
        let time = error.time.unwrap_or_else(|| panic!("{name} has no time"));
        assert!((0.9..1.01).contains(&time), "{name} fails at {time}");
        assert!(error.place.is_some(), "{name}: {error:?}");
        assert!(place.is_empty() || found.ends_with(place), "{name} points at `{found}`");
    }
}

#[test]
fn discrete_code_fails_at_its_event() {
    let cases: [(&str, &str, &str, f64, &str); 5] = [
        (
            "when body",
            "Real y(start = 0, fixed = true);",
            "when time > 1.5 then y = if sqrt(x) > 0 then 1 else 2; end when;",
            1.5,
            "sqrt(x) > 0",
        ),
        (
            "sampled max",
            "discrete Real y(start = 0, fixed = true);",
            "when sample(0.25, 0.5) then y = max(0.1, sqrt(x)); end when;",
            1.25,
            "max(0.1, sqrt(x))",
        ),
        (
            "reinit",
            "Real v(start = 1, fixed = true);",
            "der(v) = 0; when x < -0.5 then reinit(v, max(2, sqrt(x))); end when;",
            1.5,
            "max(2, sqrt(x))",
        ),
        (
            "Integer",
            "Integer i(start = 2, fixed = true); Boolean b = sqrt(i) >= 0;",
            "when time > 1 then i = -2; end when;",
            1.0,
            "sqrt(i) >= 0",
        ),
        (
            "discrete Real",
            "discrete Real d(start = 2, fixed = true); Boolean b = d > 0;",
            "when time > 1 then d = sqrt(x - 1); end when;",
            1.0,
            "",
        ),
    ];
    for (name, declarations, equations, time, place) in cases {
        let (error, found) = failure(name, &falling(declarations, equations));
        assert_eq!(error.code, "R102", "{name}: {error:?}");
        assert!((error.time.unwrap_or(f64::NAN) - time).abs() < 1e-9, "{name}: {error:?}");
        assert!(found.contains(place), "{name} points at `{found}`");
    }
}

#[test]
fn subscripts_outside_their_arrays_fail_when_they_leave_them() {
    let cases = [
        (
            "relation",
            "Real v[3] = {1, 2, 3}*time; Integer i = integer(2*time) + 1; Boolean b = v[i] > 5;",
            "v[i]",
            "the subscript i is 4, which is outside 1:3",
        ),
        (
            "value",
            "Real v[3] = {1, 2, 3}*time; Integer i = integer(2*time) + 1; Real y = v[i];",
            "v[i]",
            "the subscript i is 4, which is outside 1:3",
        ),
        (
            "matrix",
            "Real v[2, 3] = {{1, 2, 3}, {3, 4, 5}}*time; Integer i = integer(2*time) + 1; Real y = v[2, i];",
            "v[2, i]",
            "outside 1:3",
        ),
        ("Boolean", "Boolean v[3] = {true, false, true}; Integer i = integer(2*time) + 1; Boolean y = v[i];", "v[i]", "outside 1:3"),
        ("Integer", "Integer v[3] = {1, 2, 3}; Integer i = integer(2*time) + 1; Integer y = v[i];", "v[i]", "outside 1:3"),
        (
            "below",
            "Real v[3] = {1, 2, 3}*time; Integer i = 3 - integer(2*time); Real y = if noEvent(v[i] > 2) then 1 else 0;",
            "v[i]",
            "the subscript i is 0",
        ),
        (
            "read in an algorithm",
            "Real v[3] = {1, 2, 3}; Real y; Integer i = 1 + integer(2*time); algorithm y := 0; if v[i] > 1 then y := 2; end if;",
            "v[i]",
            "outside 1:3",
        ),
        (
            "written in an algorithm",
            "Real v[3]; Integer i = 1 + integer(2*time); algorithm v := {0.0, 0, 0}; v[i] := 5;",
            "v[i]",
            "the subscript i is 4, which is outside 1:3",
        ),
    ];
    for (name, declarations, place, reason) in cases {
        let (error, found) = failure(name, &falling(declarations, "").replace("equation", "equation "));
        assert!((error.time.unwrap_or(f64::NAN) - 1.5).abs() < 1e-9, "{name}: {error:?}");
        assert!(found.contains(place), "{name} points at `{found}`");
        let said = error.place.map_or(String::new(), |(_, text)| text);
        assert!(said.contains(reason), "{name}: {said}");
    }
}

#[test]
fn the_start_and_parameters_fail_before_the_run() {
    for (name, text, place) in [
        (
            "initial equation",
            "model M parameter Real p = -2; Real x; initial equation x = if sqrt(p) > 0 then 1 else 2; equation der(x) = 1; end M;",
            "sqrt(p) > 0",
        ),
        ("relation", "model M parameter Real p = -2; Real x = if sqrt(p) > 0 then 1 else time; end M;", "sqrt(p) > 0"),
        ("literal", "model M Real x = if sqrt(-2) > 0 then 1 else time; end M;", "sqrt(-2) > 0"),
        (
            "start",
            "model M parameter Real p = -2; Real x(start = if sqrt(p) > 0 then 1 else 2, fixed = true); equation der(x) = 1; end M;",
            "sqrt(p) > 0",
        ),
        (
            "free parameter",
            "model M parameter Real p(fixed = false); Real x = p*time; initial equation p = sqrt(-2.0 - time); end M;",
            "p = sqrt(-2.0 - time)",
        ),
    ] {
        let (error, found) = failure(name, text);
        assert_eq!(error.code, "R101", "{name}: {error:?}");
        assert!(found.contains(place), "{name} points at `{found}`");
    }
}

/// What is not needed may be not a number.
#[test]
fn branches_that_are_not_taken_do_no_harm() {
    let guarded = "function f input Real u; output Real y; algorithm if u > 0 and sqrt(u) > 0.3 then y := 1; else y := 2; end if; end f;";
    let called = "function f input Real u; input Integer n; output Real y;
       algorithm if n > 0 then y := f(u, n - 1); else y := if u > 0 then (if sqrt(u) > 0.3 then 1 else 2) else 3; end if; end f;";
    for (name, declarations, equations, last) in [
        ("nested", "Real y = if noEvent(x > 0) then (if noEvent(sqrt(x) > 0.1) then 1 else 2) else 3;", "", 3.0),
        ("and", "Real y = if noEvent(x > 0 and sqrt(x) > 0.1) then 1 else 2;", "", 2.0),
        ("and, the other way", "Real y = if noEvent(sqrt(x) > 0.1 and x > 0) then 1 else 2;", "", 2.0),
        ("or", "Real y = if noEvent(x <= 0 or sqrt(x) > 0.1) then 1 else 2;", "", 1.0),
        (
            "two guards",
            "Real z = if noEvent(x > 0) then (if noEvent(sqrt(x) > 0.1) then 1 else 2) else 3,
                  y = if noEvent(x > 0.5) then (if noEvent(sqrt(x) > 0.1) then 1 else 2) else 4;",
            "",
            4.0,
        ),
        ("event", "Real y = if x > 0 then sqrt(x) else 0;", "", 0.0),
        ("max at an event", "Real y = if x > 0 then max(0.0, sqrt(x)) else 5;", "", 5.0),
        ("root of max", "Real y = sqrt(max(x, 0));", "", 0.0),
        ("subscript", "Real v[3] = {1, 2, 3}; Integer i = integer(2*time) + 1; Real y = if i <= 3 then v[i] else 7;", "", 7.0),
        ("inlined function", &format!("{guarded} Real y = f(x);"), "", 2.0),
        ("called function", &format!("{called} Integer n = if time < 5 then 3 else 2; Real y = f(x, n);"), "", 3.0),
        ("when", "discrete Real y(start = 0, fixed = true);", "when x < -0.5 then y = if x > 0 then sqrt(x) else 7; end when;", 7.0),
        (
            "reinit that is not due",
            "Real y(start = 1, fixed = true);",
            "der(y) = 0; when x > 5 then reinit(y, max(2, sqrt(x))); end when;",
            1.0,
        ),
    ] {
        let source = Source { name: "model.mo".to_owned(), text: falling(declarations, equations) };
        let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{name}: {why}"));
        let at = compiled
            .program
            .plan
            .interface
            .signals
            .iter()
            .filter(|signal| signal.varies)
            .position(|signal| signal.name == "y")
            .expect("y is a result");
        let [a, b] = [Engine::Interpreter, Engine::MachineCode]
            .map(|engine| outcome(&compiled, engine).unwrap_or_else(|error| panic!("{name}: {error:?}")));
        assert_eq!(a, b, "{name}");
        assert_eq!(a.rows[a.rows.len() - 1][at], last, "{name}");
    }
}

/// An assertion is reported at the time since when it is violated, with the values it depends on.
#[test]
fn violated_assertions_are_located() {
    let text = "model Decay Real x(start = 1, fixed = true); equation der(x) = -x; assert(x > 0.5, \"too small\", LEVEL);
                annotation(experiment(StopTime = 3, NumberOfIntervals = 4)); end Decay;";
    let (error, place) = failure("error", &text.replace(", LEVEL", ""));
    assert_eq!(error.code, "R104");
    assert!((error.time.unwrap_or(f64::NAN) - std::f64::consts::LN_2).abs() < 1e-6, "{error:?}");
    assert!(place.starts_with("assert(x > 0.5"), "{place}");
    let x: f64 = error.notes.iter().find_map(|note| note.strip_prefix("x = ")?.parse().ok()).expect("the value of x");
    assert!(x <= 0.5 && x > 0.499_999, "{x}");
    let source = Source { name: "model.mo".to_owned(), text: text.replace("LEVEL", "AssertionLevel.warning") };
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
    let mut model = instance(&compiled, Engine::MachineCode).unwrap_or_else(|error| panic!("{error:?}"));
    simulate(&mut model, &pipeline::experiment(&compiled.experiment, None, None), &mut Points::default())
        .unwrap_or_else(|error| panic!("{error:?}"));
    let time: f64 = model.warnings()[0].strip_prefix("at time ").and_then(|rest| rest.split(':').next()?.parse().ok()).expect("a time");
    assert!((time - std::f64::consts::LN_2).abs() < 1e-6, "{:?}", model.warnings());
}
