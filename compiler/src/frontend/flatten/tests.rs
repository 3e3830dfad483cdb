//! Tests of the whole pass: a text goes in, the printed flat model or the codes of the errors come out.

mod library;

use crate::frontend::flat::{Expr, ExprKind, FlatModel, Value, VarId};
use crate::frontend::flatten::builtins::builtin_named;
use crate::frontend::repair::flatten;
use partita_grammar::{Diagnostic, Source, parse};

fn source(text: &str) -> Source {
    Source { name: "test.mo".to_owned(), text: text.to_owned() }
}

fn flat(text: &str) -> FlatModel {
    let source = source(text);
    let definition = parse(&source).unwrap_or_else(|e| panic!("{e:?}"));
    match flatten(&definition, None) {
        Ok(flattened) => {
            assert_eq!(flattened.model.verify(), Vec::<String>::new(), "{}", flattened.model);
            flattened.model
        }
        Err(errors) => panic!("{}", errors.iter().map(|e| partita_grammar::render(e, &source)).collect::<String>()),
    }
}

fn errors(text: &str) -> Vec<Diagnostic> {
    let definition = parse(&source(text)).unwrap_or_else(|e| panic!("{e:?}"));
    match flatten(&definition, None) {
        Ok(flattened) => panic!("no error in\n{}", flattened.model),
        Err(errors) => errors,
    }
}

fn codes(text: &str) -> Vec<&'static str> {
    errors(text).iter().map(|e| e.code).collect()
}

fn var(model: &FlatModel, name: &str) -> VarId {
    let found = model.vars.iter().find(|(_, v)| v.name == name).map(|(id, _)| id);
    found.unwrap_or_else(|| panic!("no variable {name} in\n{model}"))
}

fn value(model: &FlatModel, name: &str) -> Value {
    model.vars[var(model, name)].value.clone().unwrap_or_else(|| panic!("{name} has no value in\n{model}"))
}

fn real(model: &FlatModel, name: &str) -> f64 {
    match value(model, name) {
        Value::Real(x) => x,
        other => panic!("{name} is {other:?}"),
    }
}

fn equations(model: &FlatModel) -> String {
    let text = model.to_string();
    let from = text.find("\nequation\n").map_or(text.len(), |at| at + "\nequation\n".len());
    text[from..].lines().filter(|l| !l.starts_with("end ")).map(str::trim_end).collect::<Vec<_>>().join("\n")
}

#[test]
fn integers_become_reals_where_reals_are_needed() {
    let m = flat("model M parameter Integer n = 2; Real x; equation der(x) = n*x + 1; end M;");
    assert_eq!(equations(&m), "  der(x) = /*Real*/(n) * x + 1.0");
}

#[test]
fn parameters_are_evaluated_in_any_order() {
    let m = flat("model M parameter Real a = 2*b; parameter Real b = c^2; constant Real c = 3; Real x = a; end M;");
    assert_eq!(real(&m, "a"), 18.0);
}

#[test]
fn a_long_chain_of_parameters_needs_no_stack() {
    let n = 50_000;
    let mut text = String::from("model M ");
    for i in 0..n {
        text.push_str(&format!("parameter Real p{i} = p{} + 1; ", i + 1));
    }
    text.push_str(&format!("parameter Real p{n} = 0; end M;"));
    assert_eq!(real(&flat(&text), "p0"), f64::from(n));
}

#[test]
fn circular_parameters_are_named() {
    let found = errors("model M parameter Real a = b; parameter Real b = a; end M;");
    assert_eq!(found[0].code, "F015");
    assert!(found[0].notes[0].contains("`a`, `b`"), "{found:?}");
}

#[test]
fn functions_are_evaluated_at_compile_time() {
    let m = flat(
        "function fib input Integer n; output Integer y; protected Integer a = 0, b = 1, t; algorithm
           for i in 1:n loop t := a + b; a := b; b := t; end for; y := a; end fib;
         function root input Real x; output Real y; algorithm y := x;
           while abs(y*y - x) > 1e-12 loop y := (y + x/y)/2; end while; end root;
         model M parameter Integer n = fib(10); parameter Real r = root(2.0); Real x[n]; equation for i in 1:n loop der(x[i]) = -x[i]; end for; end M;",
    );
    assert_eq!(value(&m, "n"), Value::Integer(55));
    assert!((real(&m, "r") - 2f64.sqrt()).abs() < 1e-12);
    assert_eq!(m.vars[var(&m, "x")].ty.dims, vec![Some(55)]);
}

#[test]
fn arguments_are_filled_in_by_position() {
    let m = flat(
        "function f input Real a; input Real b = 2*a; input Real c = 5; output Real y; algorithm y := a + b + c; end f;
         model M Real x; equation x = f(time, c = 7); end M;",
    );
    assert_eq!(equations(&m), "  x = f(time, 2.0 * time, 7.0)");
}

#[test]
fn scalar_functions_are_applied_to_arrays() {
    let m = flat(
        "function f input Real a; input Real b; output Real y; algorithm y := a*b; end f;
         model M Real x[3], y[3]; equation x = f(y, 2); y = sin({time, 1, 2}); end M;",
    );
    assert_eq!(equations(&m), "  x = {f(y[$i1], 2.0) for $i1 in 1:3}\n  y = sin({time, 1.0, 2.0})");
}

#[test]
fn sizes_of_results_follow_from_arguments() {
    let m = flat(
        "function twice input Real u[:]; output Real y[2*size(u, 1)]; algorithm y := cat(1, u, u); end twice;
         model M Real x[4]; equation x = twice({time, 1}); end M;",
    );
    assert!(equations(&m).contains("twice({time, 1.0})"));
    let wrong = codes(
        "function twice input Real u[:]; output Real y[2*size(u, 1)]; algorithm y := cat(1, u, u); end twice;
         model M Real x[5]; equation x = twice({time, 1}); end M;",
    );
    assert_eq!(wrong, ["F012"]);
}

#[test]
fn records_become_variables_of_their_fields() {
    let m = flat(
        "record P Real a = 1; Real b[2] = {2, 3}; end P;
         model M parameter P p(a = 4); P q; parameter P r = P(7); equation q = p; q.a = 1; end M;",
    );
    assert_eq!(real(&m, "p.a"), 4.0);
    assert_eq!(real(&m, "r.a"), 7.0);
    assert_eq!(value(&m, "r.b"), Value::Array(vec![2], vec![Value::Real(2.0), Value::Real(3.0)]));
    assert_eq!(equations(&m), "  P(q.a, q.b) = P(p.a, p.b)\n  q.a = 1.0");
}

#[test]
fn arrays_of_records_are_indexed_by_field() {
    let m = flat(
        "record P Real a; Real b[3]; end P; model M P p[2]; equation for i in 1:2 loop p[i].a = i; p[i].b[2] = p[i].a; end for; end M;",
    );
    assert_eq!(m.vars[var(&m, "p.b")].ty.dims, vec![Some(2), Some(3)]);
    assert!(equations(&m).contains("p.b[i, 2] = p.a[i]"), "{}", equations(&m));
}

#[test]
fn arrays_of_records_inside_arrays_of_records() {
    let m = flat(
        "record Q Real c[2]; end Q; record P Real a; Q q[3]; end P; model M P p[2]; Q s; Real x[2], y[3, 2];
         equation s = p[2].q[3]; x = p[2].q[3].c; y = p[1].q.c; end M;",
    );
    assert_eq!(equations(&m), "  Q(s.c) = Q(p.q.c[2, 3])\n  x = p.q.c[2, 3]\n  y = p.q.c[1, :]");
}

#[test]
fn omc_scalars_are_assembled_to_arrays() {
    let m = flat(
        "class A\n  parameter Real p.b[1] = 1.0;\n  parameter Real p.b[2] = 2.0;\n  Real M[1,1];\n  Real M[1,2];\n  Real s;\nequation\n  M = {{1.0, time}};\n  s = sum(p.b) + M[1,2];\nend A;",
    );
    assert_eq!(m.vars[var(&m, "M[1,2]")].ty.dims, Vec::new());
    assert_eq!(equations(&m), "  {{M[1,1], M[1,2]}} = {{1.0, time}}\n  s = sum({p.b[1], p.b[2]}) + M[1,2]");
}

#[test]
fn base_modelica_names_keep_their_dots() {
    let m = flat(
        "//! base 0.1.0\npackage 'M'\n  type 'E' = enumeration('a', 'b');\n  model 'M'\n    parameter 'E' 'x.e' = 'E'.'b';\n    Real 'x.y[1]'(start = 1.0, fixed = true);\n  equation\n    der('x.y[1]') = if 'x.e' == 'E'.'a' then 1.0 else 2.0;\n  annotation(experiment(StopTime = 2));\n  end 'M';\nend 'M';\n",
    );
    assert_eq!(m.experiment.stop_time, Some(2.0));
    assert_eq!(equations(&m), "  der(x.y[1]) = if x.e == E.a then 1.0 else 2.0");
}

#[test]
fn a_type_alias_gives_its_attributes() {
    let m = flat("type Voltage = Real(unit = \"V\", min = -10); model M Voltage u(min = 0) = time; end M;");
    let text = m.to_string();
    assert!(text.contains("Real u(unit = \"V\", min = 0.0) = time"), "{text}");
}

#[test]
fn a_parameter_without_binding_takes_its_start_value_with_a_warning() {
    let definition = parse(&source("model M parameter Real p(start = 3); Real x = p; end M;")).unwrap();
    let flattened = flatten(&definition, None).unwrap();
    assert_eq!(real(&flattened.model, "p"), 3.0);
    assert_eq!(flattened.warnings[0].code, "F017");
}

#[test]
fn slices_that_depend_on_the_loop_are_unrolled() {
    let m = flat("model M Real x[3], s[3]; equation for i in 1:3 loop s[i] = sum(x[1:i]); x[i] = time; end for; end M;");
    assert!(equations(&m).contains("s[3] = sum(x[1:3])"), "{}", equations(&m));
}

#[test]
fn if_equations_of_final_parameters_are_decided() {
    let m = flat("model M final parameter Boolean b = false; Real x; equation if b then x = 1; else x = 2; end if; end M;");
    assert_eq!(equations(&m), "  x = 2.0");
}

#[test]
fn a_sum_of_many_terms_is_not_deep() {
    let terms: Vec<String> = (0..50_000).map(|i| format!("x*{i}.0")).collect();
    let m = flat(&format!("model M Real x; equation 0 = {} - time; end M;", terms.join(" + ")));
    assert!(equations(&m).ends_with("-time})"));
}

#[test]
fn the_last_iterator_is_the_outermost_dimension() {
    let m = flat("model M parameter Integer a[2, 3] = {i + 10*j for i in 1:3, j in 1:2}; end M;");
    let expected = [11, 12, 13, 21, 22, 23].map(Value::Integer).to_vec();
    assert_eq!(value(&m, "a"), Value::Array(vec![2, 3], expected));
}

#[test]
fn functions_can_be_passed_to_functions() {
    let m = flat(
        "partial function F input Real u; output Real y; end F;
         function square extends F; input Real k; algorithm y := k*u^2; end square;
         function twice input F f; input Real u; output Real y; algorithm y := f(f(u)); end twice;
         model M parameter Real p = twice(function square(k = 3.0), 2.0); end M;",
    );
    assert_eq!(real(&m, "p"), 3.0 * 144.0);
    let passed_on = |bound: &str| {
        format!(
            "partial function F input Real u; output Real y; end F;
             partial function G extends F; input Real c; end G;
             function line extends G; input Real k; algorithm y := k*u + c; end line;
             function twice input F f; input Real u; output Real y; algorithm y := f(f(u)); end twice;
             function shifted input G f; input Real u; output Real y; algorithm y := twice(function f({bound}), u); end shifted;
             model M parameter Real p = shifted(function line(k = 2.0), 3.0); end M;"
        )
    };
    assert_eq!(real(&flat(&passed_on("c = 1.0")), "p"), 15.0);
    assert_eq!(codes(&passed_on("c = 1.0, k = 3.0")), ["F013"]);
}

#[test]
fn errors_have_their_own_codes() {
    let cases: &[(&str, &str)] = &[
        ("function f end f;", "F001"),
        ("model M Real x; equation x = y; end M;", "F003"),
        ("model M Real x; Real x; end M;", "F004"),
        ("model M Rael x; end M;", "F005"),
        ("model M Real x = foo(1); end M;", "F006"),
        ("model A Real x; end A; model M A a; end M;", "F007"),
        ("model M Real a, b; equation connect(a, b); end M;", "F008"),
        ("model M Real x; equation when Clock(0.1) then x = 1; end when; end M;", "F009"),
        ("model M Real x; equation x = true + 1; end M;", "F011"),
        ("model M Real x[2]; equation x = {1, 2, 3}; end M;", "F012"),
        ("model M Real x = sin(1, 2); end M;", "F013"),
        ("model M Real x; parameter Real p = x; end M;", "F014"),
        ("model M constant Real c; end M;", "F016"),
        ("model M parameter Real p; Real x = p; end M;", "F018"),
        ("model M parameter Real p = 1/0; end M;", "F019"),
        ("model M Integer n = 3; Real x[n]; end M;", "F020"),
        ("model M Real x[2]; equation x[3] = 1; end M;", "F021"),
        ("model M constant Real c = 1; algorithm c := 2; end M;", "F022"),
        ("model M Real x(strat = 1); end M;", "F023"),
        ("function f input Real x; output Real y; algorithm y := der(x); end f; model M Real x = f(time); end M;", "F025"),
        ("function f input Real x; output Real y; end f; model M Real x = f(time); end M;", "F026"),
        ("model M Real a, b; equation (a, b) = 3; end M;", "F029"),
    ];
    for (text, code) in cases {
        assert!(codes(text).contains(code), "{code} expected of {text}, found {:?}", codes(text));
    }
}

#[test]
fn several_errors_are_reported_together() {
    let found = codes("model M Real x, y; equation x = xx; y = true; 1 = foo(2); end M;");
    assert_eq!(found, ["F003", "F011", "F006"]);
}

#[test]
fn near_names_are_suggested() {
    let found = errors("model M Real velocity; equation velocty = 1; end M;");
    assert_eq!(found[0].hint.as_deref(), Some("did you mean `velocity`?"));
}

#[test]
fn branches_that_are_never_taken_need_not_mean_anything() {
    let m = flat(
        "model M parameter Integer n = 0; Real x[n]; Real y = if n > 0 then x[end] else time; Real z = if n == 0 then time else x[1];
         equation x = zeros(n); end M;",
    );
    for name in ["y", "z"] {
        assert!(matches!(m.vars[var(&m, name)].binding, Some(Expr { kind: ExprKind::Time, .. })), "{name}");
    }
    // What may be chosen at run time, or by a parameter that can be changed, must be right.
    assert_eq!(codes("model M Real x[2]; Real y = if time > 1 then x[3] else 0; equation x = {1, 2}; end M;"), ["F021"]);
    assert_eq!(codes("model M parameter Real p = 0; Real x[2]; Real y = if p > 1 then x[3] else 0; equation x = {1, 2}; end M;"), ["F021"]);
}

#[test]
fn numbers_are_written_in_formats() {
    let cases = [
        ("String(3.14159, format = \".2f\")", "3.14"),
        ("String(-3.14159, format = \"8.1f\")", "    -3.1"),
        ("String(2.5, format = \"-6.1f\")", "2.5   "),
        ("String(1234.56, format = \".3e\")", "1.235e+03"),
        ("String(0.00001, format = \"G\")", "1E-05"),
        ("String(7, format = \"03d\")", "007"),
        ("String(-7, format = \"+4i\")", "  -7"),
    ];
    for (call, expected) in cases {
        let m = flat(&format!("model M parameter String s = {call}; end M;"));
        assert_eq!(value(&m, "s"), Value::String(expected.to_owned()), "{call}");
    }
    assert_eq!(codes("model M parameter String s = String(1.5, format = \"5q\"); end M;"), ["F019"]);
}
