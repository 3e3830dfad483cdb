//! Functions that are called: what they compute, and their derivatives.

use super::lower;
use crate::base::ids::{ExprId, FnId};
use crate::equations::dae::System;
use crate::equations::expr::eval::eval_with;
use crate::equations::function::table::Derivative;
use crate::frontend::repair::flatten;
use partita_grammar::{Diagnostic, Source, parse};
use partita_runtime::abi::Environment;
use partita_runtime::native::access::FileAccess;
use partita_runtime::native::construct;

fn lowered(text: &str) -> Result<System, Vec<Diagnostic>> {
    let source = Source { name: "test.mo".to_string(), text: text.to_string() };
    let definition = parse(&source).unwrap();
    let flat = flatten(&definition, None).unwrap();
    lower(&flat.model).map(|lowered| lowered.system)
}

fn system(text: &str) -> System {
    lowered(text).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// The right-hand side of the equation of a variable.
fn definition(sys: &System, name: &str) -> ExprId {
    let (var, _) = sys.vars.iter().find(|(_, v)| v.name == name).unwrap();
    let is_var = |e: ExprId| sys.arena.node(e) == crate::equations::expr::Node::Var(var);
    sys.eqs.values().find(|e| is_var(e.lhs)).unwrap().rhs
}

fn environment(sys: &System) -> Environment {
    let objects = sys.outside.objects.iter().map(|o| construct(&o.constructor, &o.arguments, &FileAccess::default()).unwrap()).collect();
    Environment { objects, strings: sys.outside.strings.clone(), ..Environment::default() }
}

/// The value of an expression at a time; `None` if a function failed.
fn at(sys: &System, expr: ExprId, time: f64, environment: &mut Environment) -> Option<f64> {
    let mut failed = false;
    let mut call = |function: FnId, args: &[f64], output: u32| {
        let mut outs = vec![f64::NAN; sys.functions.defs()[function].n_outputs];
        failed |= !sys.functions.call(function, args, &mut outs, environment);
        outs[output as usize]
    };
    let value = eval_with(&sys.arena, expr, &|var| if var == sys.time() { time } else { f64::NAN }, &mut call);
    (!failed).then_some(value)
}

fn value_of(sys: &System, name: &str, time: f64) -> f64 {
    at(sys, definition(sys, name), time, &mut environment(sys)).unwrap()
}

fn n_functions(sys: &System) -> usize {
    sys.functions.defs().len()
}

#[test]
fn a_loop_that_ends_at_run_time_is_called_and_differentiated() {
    let mut sys = system(
        "function root input Real x; output Real y; protected Real old; algorithm
           y := 1; old := 0;
           while abs(y - old) > 1e-15 loop old := y; y := 0.5*(y + x/y); end while;
         end root;
         model M Real y; equation y = root(time + 2); end M;",
    );
    assert_eq!(n_functions(&sys), 1);
    assert!((value_of(&sys, "y", 7.0) - 3.0).abs() < 1e-15);
    let y = definition(&sys, "y");
    let slope = crate::equations::dae::time_derivative::time_derivative(&mut sys, y).unwrap();
    let slope = at(&sys, slope, 7.0, &mut Environment::default()).unwrap();
    assert!((slope - 1.0 / 6.0).abs() < 1e-12, "{slope}");
}

#[test]
fn subscripts_break_and_return_at_run_time() {
    let sys = system(
        "function find input Real x; input Real table[:]; output Integer k; output Real sum; algorithm
           sum := 0; k := 0;
           for i in 1:size(table, 1) loop
             if table[i] > x then break; end if;
             k := i; sum := sum + table[k];
           end for;
           if k == 0 then sum := -1; return; end if;
           while sum > 100 loop sum := sum - 100; end while;
           sum := sum + table[k];
         end find;
         model M Integer k; Real s; equation (k, s) = find(time, {1, 2, 4, 8}); end M;",
    );
    assert_eq!((value_of(&sys, "k", 5.0), value_of(&sys, "s", 5.0)), (3.0, 11.0));
    assert_eq!((value_of(&sys, "k", 0.0), value_of(&sys, "s", 0.0)), (0.0, -1.0));
}

#[test]
fn sizes_come_from_discrete_arguments_and_loops_are_unrolled_for_slices() {
    let sys = system(
        "function f input Integer n; input Real x; output Real y[n]; protected Real a[n, n]; Real r; algorithm
           r := x;
           while r > 1 loop r := r - 1; end while;
           for i in 1:n loop a[i, :] := fill(r + i, n); y[i] := sum(a[i, 1:i]); end for;
           y := {y[3], y[1], y[2]};
         end f;
         model M Real y[3]; equation y = f(3, time); end M;",
    );
    let values = [1, 2, 3].map(|i| value_of(&sys, &format!("y[{i}]"), 2.5));
    assert_eq!(values, [10.5, 1.5, 5.0]);
}

#[test]
fn records_and_calls_inside_branches() {
    let sys = system(
        "record R Real a; Real b[2]; end R;
         function part input Real x; output R r; protected Real z; algorithm
           assert(x > 0, \"negative: \" + String(x));
           z := x; while z > 10 loop z := z/10; end while;
           r.a := z; r.b := {z, 2*z};
         end part;
         function all input Real x; output Real y; protected R r; Real z; algorithm
           r := if x > 0 then part(x) else part(-x);
           y := r.a + r.b[2];
           z := y; while z > 1 and part(z).a > 1.2 loop z := z - 1; end while;
           y := y + z;
         end all;
         model M Real y; equation y = all(time); end M;",
    );
    // The record is 5, {5, 10}, and z goes down from 15 to 12; then 3, {3, 6}, and z goes down from 9 to 1.
    assert_eq!(value_of(&sys, "y", 50.0), 15.0 + 12.0);
    assert_eq!(value_of(&sys, "y", -3.0), 9.0 + 1.0);
    let mut environment = Environment::default();
    assert_eq!(at(&sys, definition(&sys, "y"), 0.0, &mut environment), None);
    assert!(environment.failure.unwrap().contains("negative: "));
}

const TABLE: &str = "
  class Table extends ExternalObject;
    function constructor
      input String file; input String name; input Real table[:, :]; input Integer columns[:]; input Integer smoothness; input Integer extrapolation;
      input Boolean verbose = true; input String delimiter = \",\"; input Integer n = 0; output Table object;
      external \"C\" object = ModelicaStandardTables_CombiTable1D_init3(file, name, table, size(table, 1), size(table, 2), columns, size(columns, 1),
        smoothness, extrapolation, verbose, delimiter, n);
    end constructor;
    function destructor input Table object; external \"C\" ModelicaStandardTables_CombiTable1D_close(object); end destructor;
  end Table;
  function value input Table t; input Integer column; input Real u; output Real y;
    external \"C\" y = ModelicaStandardTables_CombiTable1D_getValue(t, column, u);
    annotation(derivative = slope);
  end value;
  function slope input Table t; input Integer column; input Real u; input Real der_u; output Real y;
    external \"C\" y = ModelicaStandardTables_CombiTable1D_getDerValue(t, column, u, der_u);
    annotation(derivative(order = 2) = bend);
  end slope;
  function bend input Table t; input Integer column; input Real u; input Real der_u; input Real der2_u; output Real y;
    external \"C\" y = ModelicaStandardTables_CombiTable1D_getDer2Value(t, column, u, der_u, der2_u);
  end bend;
  model M
    parameter Real h = 9;
    parameter Table t = Table(\"NoName\", \"NoName\", {{0, 0}, {1, 1}, {2, 4}, {3, h}, {4, 16}}, {2}, 2, 2);
    parameter Real first = value(t, 1, 2);
    Real y;
  equation
    y = value(t, 1, time*time);
  end M;";

#[test]
fn tables_are_called_with_their_declared_derivatives() {
    let mut sys = system(TABLE);
    assert_eq!(sys.outside.objects.len(), 1);
    let h = sys.vars.iter().find(|(_, v)| v.name == "h").unwrap().0;
    assert!(sys.all_decisive().contains(h));
    let first = sys.vars.values().find(|v| v.name == "first").unwrap();
    assert_eq!(first.value, None);
    assert_eq!(at(&sys, first.start.unwrap(), 0.0, &mut environment(&sys)), Some(4.0));
    // Two time derivatives against central differences.
    let y = definition(&sys, "y");
    let dy = crate::equations::dae::time_derivative::time_derivative(&mut sys, y).unwrap();
    let ddy = crate::equations::dae::time_derivative::time_derivative(&mut sys, dy).unwrap();
    let mut tables = environment(&sys);
    for t in [0.4, 1.1, 1.3, 1.6] {
        let h = 1e-4;
        let mut slope = |e: ExprId| (at(&sys, e, t + h, &mut tables).unwrap() - at(&sys, e, t - h, &mut tables).unwrap()) / (2.0 * h);
        let (by_dy, by_ddy) = (slope(y), slope(dy));
        let exact = (at(&sys, dy, t, &mut tables).unwrap(), at(&sys, ddy, t, &mut tables).unwrap());
        assert!((by_dy - exact.0).abs() < 1e-5 && (by_ddy - exact.1).abs() < 1e-4, "{t}: {by_dy} {by_ddy} {exact:?}");
    }
    // The derivative of the first derivative in a direction of its own: only `u` changes.
    let slope = sys.functions.defs().iter().find(|(_, d)| d.name == "slope").unwrap().0;
    let Derivative::Function(derivative) = sys.functions.derive(slope).unwrap() else { panic!("no derivative") };
    let mut direction = |du: f64| {
        let mut out = [f64::NAN];
        assert!(sys.functions.call(derivative, &[0.0, 1.0, 1.5, 3.0, 0.0, 0.0, du, 0.0], &mut out, &mut tables));
        out[0]
    };
    assert!((direction(2.0) - 2.0 * direction(1.0)).abs() < 1e-12);
}

#[test]
fn what_is_not_known_is_named() {
    let errors = lowered(
        "function f input Real x; output Real y; external \"C\" y = nobody_knows(x); end f;
         model M Real y; equation y = f(time); end M;",
    )
    .unwrap_err();
    assert_eq!(errors[0].code, "D008");
    assert!(errors[0].title.contains("nobody_knows"));
    let errors = lowered(&TABLE.replace("ModelicaStandardTables_CombiTable1D_init3(", "make_it(")).unwrap_err();
    assert!(errors.iter().any(|e| e.code == "D008" && e.title.contains("make_it")));
}

#[test]
fn a_call_under_a_condition_is_not_executed_where_it_does_not_hold() {
    let sys = system(
        "function root input Real u; output Real y; algorithm assert(u > 0.5, \"too small\"); y := u; while abs(y*y - u) > 1e-12 loop y := (y + u/y)/2; end while; end root; \
         function f input Real u; output Real y; algorithm if u > 0.5 then y := root(u); else y := 0; end if; end f; \
         model M Real y; equation y = f(time); end M;",
    );
    let y = definition(&sys, "y");
    let mut environment = environment(&sys);
    assert_eq!(at(&sys, y, 0.0, &mut environment), Some(0.0));
    assert!((at(&sys, y, 4.0, &mut environment).unwrap() - 2.0).abs() < 1e-9);
}

#[test]
fn functions_call_themselves_and_each_other() {
    let mut sys = system(
        "function power input Real x; input Real n; output Real y; algorithm
           if n < 1 then y := 1; elseif mod(n, 2) < 1 then y := power(x*x, n/2); else y := x*power(x, n - 1); end if;
         end power;
         function even input Real n; output Real y; algorithm y := if n < 1 then 1 else odd(n - 1); end even;
         function odd input Real n; output Real y; algorithm y := if n < 1 then 0 else even(n - 1); end odd;
         model M Real y; Real z; equation y = power(time, 5 + 0*time); z = even(time); end M;",
    );
    assert_eq!(value_of(&sys, "y", 3.0), 243.0);
    assert_eq!([4.0, 7.0].map(|n| value_of(&sys, "z", n)), [1.0, 0.0]);
    assert_eq!(at(&sys, definition(&sys, "z"), 1000.0, &mut environment(&sys)), None, "deeper than there are copies");
    let y = definition(&sys, "y");
    let slope = crate::equations::dae::time_derivative::time_derivative(&mut sys, y).unwrap();
    assert_eq!(at(&sys, slope, 3.0, &mut Environment::default()), Some(405.0));
}

#[test]
fn records_in_arrays_are_reached_by_numbers_known_at_run_time() {
    let sys = system(
        "record P Real x; Real v[2]; end P;
         function f input Real u; output Real y; output Real z; protected P p[3]; Integer j; Real rest = u; algorithm
           while rest > 10 loop rest := rest/2; end while;
           for i in 1:3 loop p[i] := P(i, {10*i, 20*i}); end for;
           j := integer(rest);
           p[j].v[2] := 7; p[mod(j, 3) + 1] := P(100, {200, 300});
           y := p[j].x + p[j].v[2]; z := sum(p.x) + p[mod(j, 3) + 1].v[1];
         end f;
         model M Real y; Real z; equation (y, z) = f(time); end M;",
    );
    assert_eq!([value_of(&sys, "y", 2.5), value_of(&sys, "z", 2.5)], [9.0, 303.0]);
    assert_eq!([value_of(&sys, "y", 3.0), value_of(&sys, "z", 3.0)], [10.0, 305.0]);
    assert_eq!(at(&sys, definition(&sys, "y"), 4.5, &mut environment(&sys)), None, "there is no fourth record");
}

#[test]
fn sums_of_slices_that_end_at_run_time_are_loops() {
    let sys = system(
        "function f input Real u[:]; input Real m[:, 2]; input Real n; output Real y; algorithm
           y := sum(u[1:integer(n)]) + 100*max(u[integer(n):size(u, 1)]) + 1000*product(m[2:integer(n), 2]);
         end f;
         model M Real y; equation y = f({1, 2, 4, 3}, [1, 2; 3, 4; 5, 6], time); end M;",
    );
    assert_eq!([1.0, 2.0, 3.0].map(|n| value_of(&sys, "y", n)), [1401.0, 4403.0, 24407.0]);
    assert_eq!(at(&sys, definition(&sys, "y"), 5.0, &mut environment(&sys)), None, "there is no fifth element");
}

#[test]
fn texts_of_called_functions_depend_on_conditions() {
    let sys = system(
        "function f input Real u; output Real y; protected String s; Real rest = u; algorithm
           while rest > 10 loop rest := rest/2; end while;
           if rest > 5 then s := \"large\"; elseif rest > 2 then s := \"middle\"; else s := \"small\"; end if;
           rest := 0;
           y := if s == \"large\" then 3 elseif s + \"!\" == \"middle!\" then 2 else 1;
           assert(y > 1, \"it is \" + s);
         end f;
         model M Real y; equation y = f(time); end M;",
    );
    assert_eq!([6.0, 3.0].map(|u| value_of(&sys, "y", u)), [3.0, 2.0]);
    let mut environment = environment(&sys);
    assert_eq!(at(&sys, definition(&sys, "y"), 1.0, &mut environment), None);
}
