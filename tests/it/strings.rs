//! Comparing Strings: in parameters, equations, functions and `when`.

use partita::pipeline;
use partita_grammar::Source;
use partita_runtime::result::read::Table;
use partita_tests::simulation::{Engine, compile, run, table};

fn results(text: &str) -> Table {
    let source = Source { name: "model.mo".to_owned(), text: text.to_owned() };
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let points = run(&compiled, &source, Engine::MachineCode, &experiment).unwrap_or_else(|why| panic!("{why}"));
    table(&compiled, &points)
}

fn at(results: &Table, name: &str, t: f64) -> f64 {
    let row = results.time.iter().rposition(|time| *time <= t).expect("a row");
    results.values(name).unwrap_or_else(|| panic!("{name} is in the result"))[row]
}

const RELATIONS: [(&str, fn(&str, &str) -> bool); 6] =
    [("==", |a, b| a == b), ("<>", |a, b| a != b), ("<", |a, b| a < b), ("<=", |a, b| a <= b), (">", |a, b| a > b), (">=", |a, b| a >= b)];

#[test]
fn parameters_equations_and_functions_compare_alike() {
    for (sign, holds) in RELATIONS {
        for (a, b) in [("abc", "abd"), ("abc", "abc"), ("b", "abc"), ("", "a"), ("Z", "a"), ("ab", "abc")] {
            let results = results(&format!(
                "model Compared
                   function f input String s, t; output Real y; algorithm if s {sign} t then y := 1; else y := 0; end if; end f;
                   parameter String a = \"{a}\", b = \"{b}\";
                   parameter Boolean p = a {sign} b;
                   Real y = if a {sign} b then 1 else 0, z = if p then 1 else 0, w = f(a, b), v = f(\"{a}\", \"{b}\");
                 end Compared;"
            ));
            for name in ["y", "z", "w", "v"] {
                assert_eq!(at(&results, name, 0.5), f64::from(u8::from(holds(a, b))), "{name}: {a:?} {sign} {b:?}");
            }
        }
    }
}

#[test]
fn texts_that_change_at_events_are_compared_where_they_are_used() {
    for (sign, holds) in RELATIONS {
        let results = results(&format!(
            "model Changing
               String s = if time > 0.5 then \"b\" else \"a\", t = if time > 0.25 then \"b\" else \"a\";
               Boolean q = s {sign} t, r = \"b\" {sign} s;
               Integer n(start = 0, fixed = true);
             equation
               when s {sign} t then
                 n = pre(n) + 1;
               end when;
             end Changing;"
        ));
        let truth = |is: bool| f64::from(u8::from(is));
        let mut rises = 0.0;
        let mut last = holds("a", "a");
        for (time, s, t) in [(0.1, "a", "a"), (0.4, "a", "b"), (0.9, "b", "b")] {
            assert_eq!(at(&results, "q", time), truth(holds(s, t)), "{sign} at {time}");
            assert_eq!(at(&results, "r", time), truth(holds("b", s)), "{sign} at {time}");
            rises += truth(holds(s, t) && !last);
            last = holds(s, t);
            assert_eq!(at(&results, "n", time), rises, "{sign} at {time}");
        }
    }
}
