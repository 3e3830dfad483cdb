//! Corners of the language, as small models with known answers: each is run by the interpreter and as machine code, which agree.

use partita::pipeline;
use partita_grammar::Source;
use partita_runtime::integrate::simulate;
use partita_runtime::result::read::Table;
use partita_tests::simulation::{Engine, Points, compile, instance, rendered, run, table};

fn source(text: &str) -> Source {
    Source { name: "model.mo".to_owned(), text: text.to_owned() }
}

/// The results of a model over one second, five points and the events, or its message.
fn tried(text: &str) -> Result<Table, String> {
    let source = source(text);
    let compiled = compile(&source, None)?;
    let mut experiment = pipeline::experiment(&compiled.experiment, None, None);
    experiment.interval = Some(experiment.span() / 4.0);
    let points = run(&compiled, &source, Engine::MachineCode, &experiment);
    assert_eq!(points, run(&compiled, &source, Engine::Interpreter, &experiment), "{text}");
    Ok(table(&compiled, &points?))
}

pub(crate) fn results(text: &str) -> Table {
    tried(text).unwrap_or_else(|why| panic!("{text}\n{why}"))
}

fn values(results: &Table, name: &str) -> Vec<f64> {
    results.values(name).unwrap_or_else(|| panic!("{name} is in the result"))
}

pub(crate) fn last(results: &Table, name: &str) -> f64 {
    values(results, name).last().copied().expect("there are results")
}

/// The values of a variable at a time, in order.
pub(crate) fn at(results: &Table, time: f64, name: &str) -> Vec<f64> {
    let times = values(results, "time");
    // After an event steps may meet the grid up to rounding only.
    let nearest = times.iter().copied().min_by(|a, b| (a - time).abs().total_cmp(&(b - time).abs())).expect("there are results");
    assert!((nearest - time).abs() < 1e-12, "there is a point at {time}");
    values(results, name).into_iter().zip(times).filter(|(_, t)| *t == nearest).map(|(value, _)| value).collect()
}

/// What a model prints.
fn printed(text: &str) -> String {
    let source = source(text);
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{text}\n{why}"));
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let texts = [Engine::MachineCode, Engine::Interpreter].map(|engine| {
        let mut instance = instance(&compiled, engine).unwrap_or_else(|error| panic!("{error:?}"));
        let outcome = simulate(&mut instance, &experiment, &mut Points::default());
        outcome.unwrap_or_else(|error| panic!("{text}\n{error:?}"));
        instance.messages().concat()
    });
    assert_eq!(texts[0], texts[1]);
    texts[0].clone()
}

pub(crate) fn refused(text: &str, code: &str, words: &str) {
    let message = tried(text).err().unwrap_or_else(|| panic!("{text}\nis accepted"));
    assert!(message.contains(&format!("error[{code}]")) && message.contains(words), "{text}\n{message}");
}

/// A model with these declarations and equations.
fn model(declarations: &str, equations: &str) -> String {
    format!("model M\n  {declarations}\nequation\n  {equations}\nend M;\n")
}

const COUNTER: &str = "Integer n(start = 0, fixed = true);";

#[test]
fn equality_of_reals_is_true_where_they_are_equal() {
    // The variable, and whether it is equal to the number at 0, 0.25, 0.5, 0.75 and 1.
    for (x, number, equal) in [
        ("2*time", "1.0", [0, 0, 1, 0, 0]),
        ("time", "0.5", [0, 0, 1, 0, 0]),
        ("time", "0.0", [1, 0, 0, 0, 0]),
        ("time", "1.0", [0, 0, 0, 0, 1]),
        ("1 - time", "0.25", [0, 0, 0, 1, 0]),
        ("min(time, 0.5)", "0.5", [0, 0, 1, 1, 1]),
        ("max(0, time - 0.5)", "0", [1, 1, 1, 0, 0]),
        ("(time - 0.5)^2", "0", [0, 0, 1, 0, 0]),
        ("if time >= 0.6 then 3 else 1", "3", [0, 0, 0, 1, 1]),
        ("time*time", "0.0625", [0, 1, 0, 0, 0]),
    ] {
        let text = model(
            &format!("Real x = {x}; Boolean b = x == {number}, c = x <> {number}, d = {number} == x; {COUNTER}"),
            &format!("when x == {number} then\n    n = pre(n) + 1;\n  end when;"),
        );
        let results = results(&text);
        for (i, expected) in equal.into_iter().enumerate() {
            let time = i as f64 * 0.25;
            let b = at(&results, time, "b");
            // At the instant at which it ends there is a row after it, too.
            assert!(b.contains(&f64::from(expected)), "{x} == {number} at {time}: {b:?}");
            assert_eq!(b, at(&results, time, "d"), "{x}");
            let c: Vec<f64> = at(&results, time, "c").iter().map(|c| 1.0 - c).collect();
            assert_eq!(b, c, "{x}");
        }
        let times_of_start = f64::from(equal[0]);
        assert_eq!(last(&results, "n"), 1.0 - times_of_start, "{x} == {number}");
    }
}

#[test]
fn equality_with_a_state_is_found_wherever_it_is() {
    let results = results(&model(
        &format!("Real x(start = 0, fixed = true); Boolean b = x == 0.3; Integer m(start = 0, fixed = true); {COUNTER}"),
        "der(x) = 1; when x == 0.3 then n = pre(n) + 1; end when; when x <> 0.3 then m = pre(m) + 1; end when;",
    ));
    assert_eq!((last(&results, "n"), last(&results, "m")), (1.0, 1.0));
    let (x, b) = (values(&results, "x"), values(&results, "b"));
    assert!(x.iter().zip(&b).any(|(_, b)| *b == 1.0));
    assert!(x.iter().zip(&b).all(|(x, b)| *b == 0.0 || (x - 0.3).abs() < 1e-12));
    let oscillation = "Real x(start = 1, fixed = true), v(start = 0, fixed = true);";
    let results = self::results(&model(
        &format!("{oscillation} {COUNTER}"),
        "der(x) = v; der(v) = -400*x; when x == 0 then n = pre(n) + 1; end when;",
    ));
    // cos(20 t) vanishes six times in a second.
    assert_eq!(last(&results, "n"), 6.0);
}

#[test]
fn discrete_reals_are_compared_to_the_last_bit() {
    let results = results(&model(
        "discrete Real x(start = 0, fixed = true); Boolean b = x == 0.3, c = x <> 0.3; parameter Real p = 0.5; Boolean d = p == 0.5;",
        "when sample(0.1, 0.1) then x = pre(x) + 0.1; end when;",
    ));
    let (x, b, c) = (values(&results, "x"), values(&results, "b"), values(&results, "c"));
    assert!(x.iter().zip(b).zip(c).all(|((x, b), c)| (b == 1.0) == (*x == 0.3) && b == 1.0 - c));
    assert!(x.contains(&0.30000000000000004) && last(&results, "d") == 1.0);
}

#[test]
fn equality_of_reals_is_told() {
    for text in [
        model("Real x = time; Boolean b = x == 1;", ""),
        model("discrete Real x(start = 0, fixed = true); Boolean b = x <> 1;", "when time > 0.5 then x = 1; end when;"),
    ] {
        let source = source(&text);
        let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
        assert!(rendered(&compiled.warnings, &source).contains("warning[D014]"), "{text}");
    }
    for text in [model("Integer i = integer(time); Boolean b = i == 1;", ""), model("Boolean a = time > 0.5, b = a == true;", "")] {
        let source = source(&text);
        let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
        assert!(!rendered(&compiled.warnings, &source).contains("D014"), "{text}");
    }
}

#[test]
fn relations_of_time_hold_at_the_end_and_at_the_start() {
    let counters =
        "Integer n1(start = 0, fixed = true), n2(start = 0, fixed = true), n3(start = 0, fixed = true), n4(start = 0, fixed = true);";
    let whens = |at: &str| {
        let conditions = [format!("time > {at}"), format!("time >= {at}"), format!("not time < {at}"), format!("not time <= {at}")];
        conditions.iter().enumerate().map(|(i, c)| format!("when {c} then n{0} = pre(n{0}) + 1; end when;\n", i + 1)).collect::<String>()
    };
    let results = results(&model(
        &format!("Boolean le = time <= 1, lt = time < 1, ge = time >= 1, gt = time > 1; Real y = if time <= 1 then 3 else 5; {counters}"),
        &whens("1"),
    ));
    for (name, expected) in
        [("le", 1.0), ("lt", 0.0), ("ge", 1.0), ("gt", 0.0), ("n1", 0.0), ("n2", 1.0), ("n3", 1.0), ("n4", 0.0), ("y", 3.0)]
    {
        assert_eq!(last(&results, name), expected, "{name}");
    }
    let results =
        self::results(&model(&format!("Boolean le = time <= 0, lt = time < 0, ge = time >= 0, gt = time > 0; {counters}"), &whens("0")));
    for (name, first, end) in [
        ("le", 1.0, 0.0),
        ("lt", 0.0, 0.0),
        ("ge", 1.0, 1.0),
        ("gt", 0.0, 1.0),
        ("n1", 0.0, 1.0),
        ("n2", 0.0, 0.0),
        ("n3", 0.0, 0.0),
        ("n4", 0.0, 1.0),
    ] {
        assert_eq!((values(&results, name)[0], last(&results, name)), (first, end), "{name}");
    }
    // Between start and end the point after an event shows what holds from then on.
    let results = self::results("model M Boolean le = time <= 1, gt = time > 1; annotation(experiment(StopTime = 2)); end M;");
    assert_eq!((at(&results, 1.0, "le"), at(&results, 1.0, "gt")), (vec![1.0, 0.0], vec![0.0, 1.0]));
    for (text, name, expected) in [
        ("Integer i = integer(time);", "i", 1.0),
        ("Real m = mod(time, 1);", "m", 0.0),
        ("Boolean b = time - 1 <= 0;", "b", 1.0),
        ("Boolean b = 1 < time;", "b", 0.0),
    ] {
        assert_eq!(last(&self::results(&model(text, "")), name), expected, "{text}");
    }
}

#[test]
fn samples_and_flags_at_the_end_and_at_the_start() {
    let results = results(&model(
        "Integer a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true), d(start = 0, fixed = true), e(start = 0, fixed = true);",
        "when sample(0, 0.25) then a = pre(a) + 1; end when; when sample(1, 1) then b = pre(b) + 1; end when; when initial() then c = pre(c) + 1; end when;
         when terminal() then d = pre(d) + 1; end when; when {initial(), time > 0.5, terminal()} then e = pre(e) + 1; end when;",
    ));
    for (name, expected) in [("a", 5.0), ("b", 1.0), ("c", 1.0), ("d", 1.0), ("e", 3.0)] {
        assert_eq!(last(&results, name), expected, "{name}");
    }
    // A run that the model ends has an end.
    let results = self::results(&model(
        COUNTER,
        "when time >= 0.5 then terminate(\"done\"); end when; when terminal() then n = pre(n) + 1; end when;",
    ));
    assert_eq!((last(&results, "n"), last(&results, "time")), (1.0, 0.5));
    let results = self::results(
        "model M Integer n(start = 0, fixed = true), m(start = 0, fixed = true); equation when time >= 2 then n = pre(n) + 1; end when; when time > 2 then m = pre(m) + 1; end when; annotation(experiment(StartTime = 2, StopTime = 3)); end M;",
    );
    assert_eq!((last(&results, "n"), last(&results, "m")), (0.0, 1.0));
}

#[test]
fn what_jumps_has_no_derivative() {
    let x = "discrete Real x(start = 0, fixed = true);";
    let when = "when time > 0.5 then x = 1; end when;";
    for (declarations, equations) in [
        (format!("{x} Real y = der(x);"), when),
        ("Real x(start = 0, fixed = true), y = der(x);".to_string(), when),
        (format!("{x} Real z(start = 0, fixed = true), y = der(x*z);"), "der(z) = 1; when time > 0.5 then x = 1; end when;"),
        (format!("{x} Real y = der(pre(x));"), when),
        (x.to_string(), "der(x) = 1;"),
        (format!("{x} Real y(start = 0, fixed = true);"), "der(y) = der(x); when time > 0.5 then x = 1; end when;"),
        (
            "discrete Real x[2](start = {0, 0}, each fixed = true); Real y[2] = der(x);".to_string(),
            "when time > 0.5 then x = {1, 2}; end when;",
        ),
        ("Real y = der(floor(3*time));".to_string(), ""),
        ("Real y = der(floor(time)*time);".to_string(), ""),
        (format!("{x} Real y = der(if time > 0.5 then x else 0);"), when),
    ] {
        refused(&model(&declarations, equations), "D012", "discrete");
    }
    refused(&model("Integer i(start = 0, fixed = true); Real y = der(i);", "when time > 0.5 then i = 1; end when;"), "F011", "Integer");
    refused(&model("Boolean b = time > 0.5; Real y = der(b);", ""), "F011", "Boolean");
    let results = results(&model(
        "parameter Real p = 3, q[2] = {1, 2}; constant Real c = 4; Real a = der(p) + time, b = der(c*p), d = der(sin(3.0)), e[2] = der(q), f = der(time^2), g = der(if time > 0.5 then 2*time else time);",
        "",
    ));
    for (name, expected) in [("a", 1.0), ("b", 0.0), ("d", 0.0), ("e[1]", 0.0), ("f", 2.0), ("g", 2.0)] {
        let value = if results.values(name).is_some() { last(&results, name) } else { 0.0 };
        assert_eq!(value, expected, "{name}");
    }
}

/// `u` counts 1, 2, ... 6; `j` 2, 4, ... 12; `c` becomes true at 0.5.
fn discrete_model(declarations: &str, equations: &str) -> String {
    model(
        &format!("discrete Real u(start = 1, fixed = true); Integer j(start = 2, fixed = true); Boolean c = time > 0.5; {declarations}"),
        &format!("when sample(0.2, 0.2) then u = pre(u) + 1; j = pre(j) + 2; end when;\n  {equations}"),
    )
}

#[test]
fn discrete_equations_are_solved() {
    let x = "discrete Real x;";
    for (declarations, equations, name, first, end) in [
        (x, "2*x = u;", "x", 0.5, 3.0),
        (x, "-x = u;", "x", -1.0, -6.0),
        (x, "x + 1 = u;", "x", 0.0, 5.0),
        (x, "u = 2*x + 3;", "x", -1.0, 1.5),
        (x, "0 = u - 3*x;", "x", 1.0 / 3.0, 2.0),
        (x, "x/2 = floor(u);", "x", 2.0, 12.0),
        (x, "u = 6/x;", "x", 6.0, 1.0),
        (x, "exp(x) = u;", "x", 0.0, 6f64.ln()),
        (x, "if u > 2 then 2*x = u; else x + 1 = u; end if;", "x", 0.0, 3.0),
        ("discrete Real x; parameter Real k = 4;", "k*x = u;", "x", 0.25, 1.5),
        ("discrete Real x[2];", "2*x = {u, u + 2};", "x[2]", 1.5, 4.0),
        ("discrete Real x, y;", "x + y = u; x - y = 1;", "x", 1.0, 3.5),
        ("discrete Real x, y;", "x = u - y; x - y = 1;", "y", 0.0, 2.5),
        ("discrete Real x, y, z;", "x + y + z = 6*u; x - y = u; y - z = u;", "z", 1.0, 6.0),
        ("Integer i;", "2*i = j;", "i", 1.0, 6.0),
        ("Integer i;", "-i = j;", "i", -2.0, -12.0),
        ("Integer i;", "i + j = 10;", "i", 8.0, -2.0),
        ("Integer i;", "10 = i - j;", "i", 12.0, 22.0),
        ("Integer i;", "j = 3 - i;", "i", 1.0, -9.0),
        ("Integer i, k;", "i = 2*k; i = j;", "k", 1.0, 6.0),
        ("Boolean b;", "not b = c;", "b", 1.0, 0.0),
        ("Boolean b;", "c = not b;", "b", 1.0, 0.0),
        ("Boolean b;", "(b <> c) = true;", "b", 1.0, 0.0),
        ("Boolean b;", "c = (b == false);", "b", 1.0, 0.0),
        ("Boolean b, d;", "not b = not d; d = c;", "b", 0.0, 1.0),
        ("type E = enumeration(one, two); E e;", "(if c then E.two else E.one) = e;", "e", 1.0, 2.0),
    ] {
        let results = results(&discrete_model(declarations, equations));
        let found = values(&results, name);
        assert!((found[0] - first).abs() < 1e-14 && (last(&results, name) - end).abs() < 1e-14, "{equations}: {found:?}");
    }
    let message = tried(&discrete_model("Integer i;", "4*i = j + 2;")).expect_err("six is no multiple of four");
    assert!(message.contains("has no whole solution") && message.contains("at time 0.2"), "{message}");
    refused(&discrete_model(x, "x*x = u;"), "S009", "`x`");
    refused(&model("discrete Real x(start = 0, fixed = true);", "when sample(0.2, 0.2) then 2*x = pre(x) + 1; end when;"), "D003", "hint");
}

#[test]
fn integers_are_exact_or_errors() {
    let k = "Integer k(start = 0, fixed = true);";
    for (declarations, equations) in [
        ("parameter Integer n = 9007199254740993; Real y = n*time;".to_string(), ""),
        ("parameter Integer n = -9007199254740993; Real y = n*time;".to_string(), ""),
        ("parameter Integer n = 94906267*94906267; Real y = time;".to_string(), ""),
        ("constant Integer n = 9007199254740991; Integer k = n + 1;".to_string(), ""),
        ("Integer n[2] = {9007199254740993, 1};".to_string(), ""),
        ("Integer k = if time > 0.5 then 9007199254740993 else 3;".to_string(), ""),
        ("Real x = 9007199254740993;".to_string(), ""),
        ("Boolean b = integer(time)*9007199254740993 > 3;".to_string(), ""),
        ("Integer k = 3000000000*3000000000;".to_string(), ""),
    ] {
        refused(&model(&declarations, equations), "D015", "too large");
    }
    for text in ["parameter Integer n = integer(1e17); Real y = time;", "parameter Integer n = integer(2^60); Real y = time;"] {
        refused(&model(text, ""), "F019", "out of range");
    }
    for (declarations, equations) in [
        ("Integer k(start = 1, fixed = true);".to_string(), "when sample(0.1, 0.01) then k = pre(k)*3; end when;"),
        ("Integer k(start = 9007199254740990, fixed = true);".to_string(), "when sample(0.1, 0.1) then k = pre(k) + 1; end when;"),
        ("Integer k = integer(1e17*(1 + time));".to_string(), ""),
        (k.to_string(), "when time >= 0.5 then k = integer(1e17*time); end when;"),
        (k.to_string(), "when time >= 0.5 then k = integer(1e300*time); end when;"),
        (k.to_string(), "when time >= 0.5 then k = mod(integer(4e9*time)*integer(1e9*time)*9, 7); end when;"),
        ("Integer a(start = 400000000, fixed = true), b = a*a;".to_string(), "when time >= 0.5 then a = pre(a) + 1; end when;"),
        ("Integer a(start = 40000000, fixed = true); Boolean b = a*a > 3;".to_string(), "when time >= 0.5 then a = 400000000; end when;"),
        (k.to_string(), "when time >= 0.5 then k = -integer(9.1e15 + time); end when;"),
    ] {
        let message = tried(&model(&declarations, equations)).err().unwrap_or_else(|| panic!("{declarations} {equations} is accepted"));
        assert!(message.contains("too large") && message.contains("model.mo:"), "{message}");
    }
    let functions = "function f input Integer n; output Integer y; algorithm y := 1; for i in 1:n loop y := y*i; end for; end f;
         function g input Integer n; output Integer y; algorithm y := 1; for i in 1:n loop y := mod(y*1000003, 9007199254740881); end for; end g;";
    for call in ["f(integer(40*time))", "g(integer(40*time))"] {
        let text = format!("{functions}\nmodel M {k} equation when time >= 0.5 then k = {call}; end when; end M;");
        let message = tried(&text).err().unwrap_or_else(|| panic!("{call} is accepted"));
        assert!(message.contains("too large"), "{message}");
    }
    let results = results(&model(
        "Integer a(start = 9007199254740990, fixed = true), b = a*1, c = div(a, 2)*2; Real x = 9007199254740992*time;",
        "when time >= 0.5 then a = pre(a) + 1; end when;",
    ));
    assert_eq!(
        (last(&results, "a"), last(&results, "c"), last(&results, "x")),
        (9007199254740991.0, 9007199254740990.0, 9007199254740992.0)
    );
}

#[test]
fn functions_defined_as_derivatives() {
    let functions = "function f input Real u; input Real v; output Real y; algorithm y := u^2*v + sin(u); end f;
         function fu = der(f, u); function fuv = der(f, u, v); function fuu = der(fu, u);
         function two input Real u; output Real y; output Integer k; output Real z; algorithm y := u^3; k := 2; z := exp(2*u); end two;
         function two_u = der(two, u);
         function loops input Real u; output Real y; protected Real s; Real w[3]; algorithm s := 1; for i in 1:3 loop s := s*u; w[i] := s; end for;
           if u > 0.5 then y := sum(w); else y := 2*w[1]*w[2] - w[3]/(1 + u); end if; end loops;
         function loops_u = der(loops, u);
         function calls input Real u; output Real y; protected Real a; algorithm (y, , a) := two(2*u); y := y + f(u, a) + abs(u - 0.3) + atan2(u, 2) + max(u, 0.4)^1.5; end calls;
         function calls_u = der(calls, u);
         function again input Real u; output Real y; algorithm y := if u > 2 then again(u - 1)*u else sqrt(u + 1); end again;
         function again_u = der(again, u);
         function user input Real u; output Real y; algorithm y := 2*fu(u, 3) + loops_u(u); end user;";
    let model = |declarations: &str, equations: &str| format!("{functions}\n{}", model(declarations, equations));
    let results = results(&model(
        "Real a = fu(time, 3), b = fuv(time, 3), c = fuu(time, 3), d, e, g = user(time), h = again_u(5 + 0*time); parameter Real p = fu(2, 1);",
        "(d, e) = two_u(time);",
    ));
    let close = |name: &str, expected: f64| {
        assert!((last(&results, name) - expected).abs() < 1e-12 * (1.0 + expected.abs()), "{name}: {} {expected}", last(&results, name))
    };
    close("a", 6.0 + 1f64.cos());
    close("b", 2.0);
    close("c", 6.0 - 1f64.sin());
    close("d", 3.0);
    close("e", 2.0 * 2f64.exp());
    close("g", 2.0 * (6.0 + 1f64.cos()) + 6.0);
    // u*(u-1)*(u-2)*sqrt(u-2) at 5.
    close("h", (4.0 * 3.0 + 5.0 * 3.0 + 5.0 * 4.0) * 3f64.sqrt() + 60.0 / (2.0 * 3f64.sqrt()));
    // Against differences.
    let step = 1e-5;
    for name in ["loops", "calls"] {
        let results = self::results(&model(
            &format!("Real u = 0.1 + 0.83*time, exact = {name}_u(u), difference = ({name}(u + {step}) - {name}(u - {step}))/(2*{step});"),
            "",
        ));
        for (exact, difference) in values(&results, "exact").into_iter().zip(values(&results, "difference")) {
            assert!((exact - difference).abs() < 1e-6 * (1.0 + exact.abs()), "{name}: {exact} {difference}");
        }
    }
    // Index reduction differentiates the derivative.
    let results = self::results(&model("Real x = sin(time), y = fu(x, 2), v = der(y);", ""));
    let expected = (4.0 - 1f64.sin().sin()) * 1f64.cos();
    assert!((last(&results, "v") - expected).abs() < 1e-9);
    refused(&format!("{functions} function bad = der(f, w); model M Real y = bad(time, 1); end M;"), "F033", "no such input");
    refused(
        "function f input Integer n; output Real y; algorithm y := n; end f; function g = der(f, n); model M Real y = g(2)*time; end M;",
        "F033",
        "no scalar Real",
    );
}

#[test]
fn texts_show_values_as_asked() {
    let text = "type E = enumeration(one, two);
      model M
        E e = if time > 0.5 then E.one else E.two;
        Integer n(start = 3, fixed = true);
        Boolean b = time > 0.5;
        Real x = 10*time;
      equation
        when {initial(), time > 0.6} then
          n = pre(n) + 39;
          Modelica.Utilities.Streams.print(\"|\" + String(x) + \"|\" + String(x/3, significantDigits = 3) + \"|\" + String(x, minimumLength = 5) + \"|\" + String(x, minimumLength = 5, leftJustified = false) + \"|\" + String(x/3, format = \"8.3f\") + \"|\" + String(x/3, format = \"-9.1e\") + \"|\");
          Modelica.Utilities.Streams.print(\"|\" + String(n) + \"|\" + String(n, minimumLength = 5) + \"|\" + String(n, minimumLength = 5, leftJustified = false) + \"|\" + String(n, format = \"05d\") + \"|\");
          Modelica.Utilities.Streams.print(\"|\" + String(b) + \"|\" + String(b, minimumLength = 6) + \"|\" + String(b, leftJustified = false, minimumLength = 6) + \"|\" + String(e) + \"|\" + String(e, minimumLength = 5, leftJustified = false) + \"|\");
          print(\"no line \" + String(1/3) + String(2.5e10) + \" \" + String(true, minimumLength = 5) + String(E.two) + \"\\n\");
        end when;
      end M;";
    let expected = "|0|0|0    |    0|   0.000|0.0e+00  |\n|42|42   |   42|00042|\n|false|false | false|two|  two|\nno line 0.3333332.5e+10 true two\n\
                    |6|2|6    |    6|   2.000|2.0e+00  |\n|81|81   |   81|00081|\n|true|true  |  true|one|  one|\nno line 0.3333332.5e+10 true two\n";
    assert_eq!(printed(text), expected);
    refused(&model("", "when time > 0.5 then print(String(time, format = \"d\")); end when;"), "D013", "format");
    refused(
        &model("", "when time > 0.5 then print(String(time, significantDigits = integer(10*time))); end when;"),
        "D013",
        "significant digits",
    );
}

#[test]
fn what_a_when_prints_is_printed_once() {
    let print = |what: &str| format!("Modelica.Utilities.Streams.print({what});");
    for (declarations, equations, expected) in [
        ("", format!("when sample(0, 0.5) then {} end when;", print("\"t=\" + String(time)")), "t=0\nt=0.5\nt=1\n"),
        (
            "",
            format!(
                "when initial() then {} elsewhen time >= 0.3 then {} elsewhen time >= 0.6 then {} end when;",
                print("\"i\""),
                print("\"a\""),
                print("\"b\"")
            ),
            "i\na\nb\n",
        ),
        ("", format!("when terminal() then {} {} end when;", print("\"1\""), print("\"2\"")), "1\n2\n"),
        (
            "",
            format!(
                "when time >= 0.5 then if time > 0.7 then {} else {} end if; for i in 1:2 loop {} end for; end when;",
                print("\"no\""),
                print("\"yes\""),
                print("String(i)")
            ),
            "yes\n1\n2\n",
        ),
        (
            "Real x(start = 1, fixed = true), v(start = 0, fixed = true);",
            format!("der(x) = v; der(v) = -9.81; when x <= 0 then reinit(v, -0.5*pre(v)); {} end when;", print("\"hit\"")),
            "hit\nhit\n",
        ),
    ] {
        assert_eq!(printed(&model(declarations, &equations)), expected, "{equations}");
    }
    let functions = "function say input Real x; algorithm Modelica.Utilities.Streams.print(\"say \" + String(x)); end say;
         function twice input Real x; output Real y; algorithm y := 2*x; Modelica.Utilities.Streams.print(\"twice \" + String(x)); end twice;
         function count input Real x; algorithm for i in 1:integer(x) loop Modelica.Utilities.Streams.print(\"i=\" + String(i) + \" of \" + String(x, significantDigits = 2)); end for; end count;";
    for (body, expected) in [
        ("equation when sample(0, 0.5) then say(time); end when;", "say 0\nsay 0.5\nsay 1\n"),
        ("Real z(start = 0, fixed = true); equation when sample(0.5, 0.5) then z = twice(time); end when;", "twice 0.5\ntwice 1\n"),
        ("equation when time >= 0.5 then count(7*time); say(1); end when;", "i=1 of 3.5\ni=2 of 3.5\ni=3 of 3.5\nsay 1\n"),
        (
            "algorithm when time >= 0.5 then count(2.2); count(2.2); elsewhen time >= 0.7 then say(7); end when;",
            "i=1 of 2.2\ni=2 of 2.2\ni=1 of 2.2\ni=2 of 2.2\nsay 7\n",
        ),
        (
            "Integer k(start = 0, fixed = true); algorithm when sample(0, 1) then for i in 1:2 loop k := k + 1; Modelica.Utilities.Streams.print(String(k)); end for; end when;",
            "1\n2\n3\n4\n",
        ),
        (
            "initial algorithm Modelica.Utilities.Streams.print(\"start\"); equation when terminal() then count(1); end when;",
            "start\ni=1 of 1\n",
        ),
    ] {
        assert_eq!(printed(&format!("{functions}\nmodel M {body} end M;")), expected, "{body}");
    }
}

/// What a function, `sign` or a relation in `noEvent` makes of continuous values changes without events.
#[test]
fn discrete_variables_that_change_between_events_are_right_at_all_times() {
    let text = "function f input Real u; output Integer k; algorithm k := if u > 0.3 then 7 else 3; end f;
        model M
          Real x = sin(6*time);
          Integer k = f(x);
          Integer s = sign(x);
          Boolean b[2] = {noEvent(x > 0.5), x > 0.1};
          Boolean c = k > 5;
          Integer n(start = 0, fixed = true);
        equation
          when s < 0 then
            n = pre(n) + 1;
          end when;
          annotation(experiment(StopTime = 2));
        end M;";
    let table = results(text);
    let column = |name: &str| values(&table, name);
    for (row, x) in column("x").iter().enumerate() {
        // At the instants of events both sides hold.
        if [0.0, 0.1, 0.3, 0.5].iter().any(|threshold| (x - threshold).abs() < 1e-9) {
            continue;
        }
        let expected = [
            if *x > 0.3 { 7.0 } else { 3.0 },
            x.signum(),
            f64::from(u8::from(*x > 0.5)),
            f64::from(u8::from(*x > 0.1)),
            f64::from(u8::from(*x > 0.3)),
        ];
        let found = ["k", "s", "b[1]", "b[2]", "c"].map(|name| column(name)[row]);
        assert_eq!(found, expected, "x = {x} in row {row}");
    }
    assert_eq!(column("n").last(), Some(&2.0));
}

/// What a `when` determines, no other equation does: that one is for the continuous variable.
#[test]
fn a_sampled_value_alone_on_one_side_does_not_take_the_equation() {
    for equation in ["2*x = u", "u = 2*x", "u = x + x", "u - x = x"] {
        let text =
            model("discrete Real u(start = 1, fixed = true); Real x;", &format!("{equation}; when time > 0.4 then u = 3; end when;"));
        let results = results(&text);
        assert_eq!((at(&results, 0.25, "x"), last(&results, "x")), (vec![0.5], 1.5), "{equation}");
    }
}

/// The same for elements: a `when` may assign some of an array only, in a loop or in an algorithm.
#[test]
fn a_sampled_element_alone_on_one_side_does_not_take_the_equation() {
    for (equations, algorithm) in [
        ("when sample(0, 0.3) then u = {time, 2*time}; end when; for i in 1:2 loop 2*x[i] = u[i]; end for;", ""),
        ("for i in 1:2 loop when sample(0, 0.3) then u[i] = i*time; end when; 2*x[i] = u[i]; end for;", ""),
        ("for i in 1:2 loop u[i] = x[i] + x[i]; end for; when sample(0, 0.3) then u = {time, 2*time}; end when;", ""),
        ("2*x = u;", "algorithm when sample(0, 0.3) then for i in 1:2 loop u[i] := i*time; end for; end when;"),
        // Only the first one comes from a `when`.
        ("when sample(0, 0.3) then u[1] = time; end when; u[2] = 2*floor(time/0.3 + 1e-9)*0.3; 2*x = u;", ""),
    ] {
        let results = results(&format!("model M discrete Real u[2]; Real x[2]; equation {equations} {algorithm} end M;"));
        for (name, expected) in [("x[1]", 0.45), ("x[2]", 0.9), ("u[2]", 1.8)] {
            assert!((last(&results, name) - expected).abs() < 1e-12, "{name} = {} for {equations} {algorithm}", last(&results, name));
        }
    }
}

/// Chains of such variables, in any order, with relations in between, which make events: these are discrete again.
#[test]
fn chains_of_discrete_variables_that_change_between_events() {
    let first = "if noEvent(sin(10*time) > 0) then 1 else 0";
    for equations in [
        format!("k[1] = {first}; for i in 2:50 loop k[i] = k[i-1] + 1; end for;"),
        format!("for i in 2:50 loop k[52-i] = k[51-i] + 1; end for; k[1] = {first};"),
    ] {
        let results =
            results(&model("Integer k[50]; Integer n; Boolean b;", &format!("{equations} b = k[50] > 49; n = if b then 1 else 0;")));
        for (row, t) in results.time.iter().enumerate() {
            let expected = if (10.0 * t).sin() > 0.0 { 1.0 } else { 0.0 };
            if (10.0 * t).sin().abs() > 1e-6 {
                assert_eq!(values(&results, "k[50]")[row], 49.0 + expected, "at {t}");
                assert_eq!(values(&results, "n")[row], expected, "at {t}");
            }
        }
    }
}

/// Elements of a condition may become true one after the other within one event: each sets the state.
#[test]
fn a_state_is_set_again_by_an_element_that_becomes_true_in_the_same_event() {
    let set = "reinit(s, 0.11664 - 0.4*s)";
    let results = results(&model(
        "Real s(start = 0.59, fixed = true);",
        &format!("der(s) = 1.47; when {{sample(0.13, 0.1), s > 0.1114}} then {set}; end when;"),
    ));
    // The sample at 0.23 leads from -0.0488 to 0.13616, which is above 0.1114, and so to 0.062176.
    assert!((at(&results, 0.25, "s")[0] - 0.091576).abs() < 1e-9, "{:?}", at(&results, 0.25, "s"));
    let set = "reinit(s, 0.3*time - 0.4*s)";
    let declarations = "Real s(start = 0.2, fixed = true); Boolean d(start = true, fixed = true);";
    let results = crate::language::results(&model(
        declarations,
        &format!("d = time > 0.3052; der(s) = 0.56; when {{pre(d), d}} then {set}; end when;"),
    ));
    assert!((at(&results, 0.5, "s")[0] - 0.22336992).abs() < 1e-9, "{:?}", at(&results, 0.5, "s"));
}
