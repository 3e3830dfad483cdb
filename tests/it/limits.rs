//! Short texts that ask for much: each is refused where it asks, before it takes time or memory, and the message says which limit.

use cpu_time::ThreadTime;
use partita::pipeline::{self, Libraries};
use partita_grammar::Source;
use partita_runtime::base::limits::Limits;
use partita_runtime::native::access::Permissions;
use std::time::Duration;

/// Far below the default, so that a test build is quick; what grows without bound meets any limit.
const FEW: &str = "operations=300000";

/// Of processor time in a test build, so that what else the machine does makes no difference.
const LONGEST: Duration = Duration::from_secs(20);

fn compile(text: &str, limits: &[&str]) -> Result<(), Vec<(&'static str, Option<String>)>> {
    let mut all = Limits::default();
    limits.iter().for_each(|limit| all.set(limit).expect("a limit"));
    let libraries = Libraries { files: Permissions { limits: all, ..Permissions::default() }, ..Libraries::default() };
    let source = Source { name: "limits.mo".to_string(), text: text.to_string() };
    let worker = std::thread::Builder::new().stack_size(512 << 20).spawn(move || {
        let began = ThreadTime::now();
        let outcome = pipeline::structure_with(&source, &libraries, None).and_then(|structured| pipeline::program(structured, &[]));
        let outcome = outcome.map(|_| ()).map_err(|messages| messages.into_iter().map(|message| (message.code, message.hint)).collect());
        (began.elapsed(), outcome)
    });
    let (taken, outcome) = worker.expect("a thread can be started").join().expect("no panic");
    assert!(taken < LONGEST, "{:.1} s for\n{text}", taken.as_secs_f64());
    outcome
}

/// The text is refused, and the message names a limit and the flag.
fn refused(text: &str) {
    let messages = compile(text, &[FEW]).expect_err(text);
    let named = messages.iter().any(|(code, hint)| {
        matches!(*code, "F040" | "F041" | "D020" | "D021") && hint.as_ref().is_some_and(|hint| hint.contains("--limit "))
    });
    assert!(named, "{messages:?} for\n{text}");
}

fn doubled(first: &str, line: impl Fn(usize) -> String) -> String {
    format!("model M\n {first}\n{}\n Real x = time;\nend M;\n", (1..40).map(|i| format!(" {}\n", line(i))).collect::<String>())
}

fn with_function(function: &str, model: &str) -> String {
    format!("function f {function} end f;\nmodel M {model} end M;\n")
}

#[test]
fn strings_are_limited() {
    refused(&doubled("constant String s0 = \"0123456789\";", |i| format!("constant String s{i} = s{} + s{};", i - 1, i - 1)));
    refused(&doubled("parameter String s0 = \"0123456789\";", |i| format!("parameter String s{i} = s{} + s{};", i - 1, i - 1)));
    let twice = "input Integer n; output String s; algorithm s := \"ab\"; for i in 1:n loop s := s + s; end for;";
    refused(&with_function(twice, "parameter String s = f(40); Real x = time;"));
    refused(&with_function(twice, "parameter Boolean b = f(40) == f(40); Real x = time;"));
    refused(&with_function(twice, "parameter String s[:] = fill(f(18), 100000); Real x = time;"));
    let shown = "input Real x; output String s; algorithm s := String(x); for i in 1:40 loop s := s + s; end for;";
    refused(&with_function(shown, "Real x = time; equation assert(x < 2, f(x));"));
    let both = "input Real x; output String s; algorithm s := String(x); for i in 1:40 loop if x > i then s := s + s; else s := s + \"b\" + s; end if; end for;";
    refused(&with_function(both, "Real x = time; equation assert(x < 2, f(x));"));
}

#[test]
fn arrays_are_limited() {
    for value in [
        "sum(fill(1.5, 300, 300)*fill(1.5, 300, 300))",
        "sum(fill(fill(fill(1.0, 1000), 1000), 1000))",
        "sum(zeros(100000, 100000))",
        "sum(identity(100000))",
        "sum(diagonal(fill(1.0, 100000)))",
        "sum(outerProduct(fill(1.0, 100000), fill(1.0, 100000)))",
        "sum(1:9999999999)",
        "sum(0:1e-12:1)",
        "sum(linspace(0, 1, 2000000000))",
        "sum(i*j for i in 1:100000, j in 1:100000)",
        "sum(sum(1:i) for i in 1:100000)",
    ] {
        refused(&format!("model M constant Real a = {value}; Real x = a*time; end M;"));
        refused(&format!("model M Real x = {value}*time; end M;"));
    }
    refused("model M constant Real a = sum([1, 1; 0, 1]^1000000000); Real x = a*time; end M;");
    refused(&doubled("constant Real a0[:] = {1.0, 2.0};", |i| format!("constant Real a{i}[:] = cat(1, a{}, a{});", i - 1, i - 1)));
    refused("model M Real x[100000000]; equation x = fill(time, 100000000); end M;");
    refused("model M Real x[1000, 1000]; equation for i in 1:1000 loop for j in 1:1000 loop x[i, j] = time; end for; end for; end M;");
    refused("model M Real x = time; equation for i in 1:100000 loop for j in 1:100000 loop assert(i > 0, \"\"); end for; end for; end M;");
    refused("model M Real x; algorithm x := 0; for k in 1:4000000 loop x := x + k*time; end for; end M;");
    refused(
        "record R Real a; Real b; end R; model M R r[1000000]; equation for i in 1:1000000 loop r[i].a = i; r[i].b = time; end for; end M;",
    );
}

#[test]
fn evaluations_are_limited() {
    for (function, value) in [
        ("input Real n; output Real s; algorithm s := 0; while s < n loop s := s + 1; end while;", "f(1e12)"),
        ("input Integer n; output Integer s; algorithm if n < 2 then s := n; else s := f(n - 1) + f(n - 2); end if;", "f(60)"),
        (
            "input Integer n; output Real s; protected Real a[1000]; algorithm a := zeros(1000); for i in 1:n loop a := a + a; end for; s := a[1];",
            "f(100000)",
        ),
        ("input Integer n; output Real s; protected Real a[n]; algorithm s := n;", "f(1000000000)"),
        ("input Integer n; output Real s; algorithm s := 0; for i in 1:n loop for j in 1:n loop end for; end for;", "f(100000)"),
    ] {
        refused(&with_function(function, &format!("parameter Real a = {value}; Real x = a*time;")));
    }
    // Many short ones are as good as a long one.
    let many: String = (0..300).map(|i| format!("parameter Real a{i} = f({});", 1000 + i)).collect();
    refused(&with_function(
        "input Real n; output Real s; algorithm s := 0; while s < n loop s := s + 1; end while;",
        &format!("{many} Real x = time;"),
    ));
}

#[test]
fn what_functions_become_is_limited() {
    let base = "function f0 input Real u; output Real y; algorithm y := sin(u); end f0;\n".to_string();
    let chain: String = (1..31)
        .map(|i| format!("function f{i} input Real u; output Real y; algorithm y := f{}(u) + f{}(u + {i}); end f{i};\n", i - 1, i - 1))
        .collect();
    refused(&format!("{base}{chain}model M Real x = f30(time); end M;\n"));
    refused(&with_function(
        "input Real u; output Real y; protected Real a[1000000000]; algorithm a[1] := u; y := a[1];",
        "Real x = f(time);",
    ));
    refused(&with_function("input Real u[:]; output Real y; algorithm y := sum(u);", "Real x = f(fill(time, 4000000));"));
    let records: String = (1..31).map(|i| format!("record R{i} R{} a; R{} b; end R{i};\n", i - 1, i - 1)).collect();
    let records = format!("record R0 Real a; Real b; end R0;\n{records}");
    refused(&format!("{records}model M R30 r; end M;\n"));
    refused(&format!(
        "{records}function f input Real u; output Real y; protected R30 r; algorithm y := u; end f;\nmodel M Real x = f(time); end M;\n"
    ));
}

#[test]
fn what_differentiation_makes_is_limited() {
    let product: String = (1..60).map(|i| format!("sin({i}*time)*")).collect();
    refused(&format!("model M Real x[60]; equation x[1] = {product}1; for i in 2:60 loop x[i] = der(x[i-1]); end for; end M;\n"));
    refused("model M Real x[500]; equation x[1] = sin(time); for i in 2:500 loop x[i] = der(x[i-1]); end for; end M;\n");
}

/// A message that depends on `k` conditions is one action with `k` choices, not `2^k` actions.
#[test]
fn conditions_of_a_message_cost_what_they_are_long() {
    let choices = |n: usize| (0..n).map(|i| format!("(if x > {i} then \"a\" else String(x))")).collect::<Vec<_>>().join(" + ");
    for text in [
        format!("model M Real x = time; equation assert(x < 2, {}); end M;", choices(200)),
        with_function(
            &format!(
                "input Real x; output Real y; algorithm assert(x < 2, {}); y := x; while y > 3 loop y := y - 1; end while;",
                choices(200)
            ),
            "Real x = f(time);",
        ),
        with_function(
            "input Real x; output String s; algorithm s := \"\"; for i in 1:200 loop if x > i then s := s + \"a\"; else s := s + \"b\"; end if; end for;",
            "Real x = time; equation assert(x < 2, f(x));",
        ),
    ] {
        compile(&text, &[FEW]).unwrap_or_else(|messages| panic!("{messages:?} for\n{text}"));
    }
}

/// What somebody wrote down, and loops over some ten thousand equations, are within the limits.
#[test]
fn large_models_are_compiled() {
    compile(
        "model M Real x[20000](each start = 1, each fixed = true); equation for i in 1:20000 loop der(x[i]) = -i*x[i]; end for; end M;",
        &[],
    )
    .expect("20,000 states");
    let text: String = (0..5000).map(|i| format!(" Real x{i} = sin({i}*time) + cos(time)/{};\n", i + 1)).collect();
    compile(&format!("model M\n{text}end M;\n"), &[]).expect("5,000 equations");
}
