//! Loops of algorithm sections that end where the model's values say so: small models with known answers, interpreter and machine code.

use crate::language::{at, last, refused, results};

fn with_algorithm(declarations: &str, statements: &str) -> String {
    format!("model M\n  {declarations}\nalgorithm\n  {statements}\nend M;\n")
}

#[test]
fn a_while_ends_at_a_value_of_the_model() {
    let r = results(&with_algorithm(
        "Real sum; Integer n;",
        "sum := 0; n := 0; while sum < 10*time + 1 loop sum := sum + 0.7; n := n + 1; if n >= 12 then break; end if; end while;",
    ));
    for time in [0.0, 0.25, 0.5, 0.75, 1.0_f64] {
        let n = ((10.0 * time + 1.0) / 0.7).ceil().min(12.0);
        assert_eq!(at(&r, time, "n").last(), Some(&n), "at {time}");
        assert!((at(&r, time, "sum")[0] - 0.7 * n).abs() < 1e-12);
    }
}

#[test]
fn what_a_loop_does_not_reach_keeps_its_start_value() {
    let r = results(&with_algorithm(
        "Real x(start = 3); Real y[2](start = {4, 5});",
        "while time > 2 loop x := 1; y[1] := 2; end while; y[2] := x;",
    ));
    assert_eq!([last(&r, "x"), last(&r, "y[1]"), last(&r, "y[2]")], [3.0, 4.0, 3.0]);
}

#[test]
fn a_range_that_an_event_changes() {
    let r = results(
        "model M
  Integer n(start = 2, fixed = true); Real sum; Real v[5] = {i*time for i in 1:5};
algorithm
  sum := 0; for i in 1:n loop sum := sum + v[i]; end for;
equation
  when time > 0.6 then n = 4; end when;
end M;
",
    );
    assert!((at(&r, 0.5, "sum")[0] - 3.0 * 0.5).abs() < 1e-12);
    assert!((at(&r, 0.75, "sum")[0] - 10.0 * 0.75).abs() < 1e-12);
}

#[test]
fn loops_inside_of_unrolled_loops_and_of_components() {
    let r = results(
        "model Halving
  parameter Real limit = 1; Real x[2]; Integer n[2](each start = 0);
algorithm
  for i in 1:2 loop
    x[i] := 10*i; n[i] := 0;
    while x[i] > limit + time loop x[i] := x[i]/2; n[i] := n[i] + 1; end while;
  end for;
end Halving;
model M Halving a[2](limit = {1, 3}); end M;
",
    );
    // 10, 5, 2.5, 1.25 at limits 2 and 4; 20 halves to 1.25 and 2.5.
    assert_eq!(["a[1].x[1]", "a[1].x[2]", "a[2].x[1]", "a[2].x[2]"].map(|name| last(&r, name)), [1.25, 1.25, 2.5, 2.5]);
    assert_eq!(["a[1].n[1]", "a[1].n[2]", "a[2].n[1]", "a[2].n[2]"].map(|name| last(&r, name)), [3.0, 4.0, 2.0, 3.0]);
}

#[test]
fn loops_at_events_read_values_before_them() {
    // A queue of the last three samples, shifted by a loop that stops at the first empty place.
    let r = results(
        "model M
  Real queue[3](each start = 0, each fixed = true); Integer filled(start = 0, fixed = true); Integer k;
algorithm
  when sample(0.1, 0.2) then
    k := pre(filled);
    while k >= 1 loop if k < 3 then queue[k + 1] := pre(queue[k]); end if; k := k - 1; end while;
    queue[1] := time; filled := min(3, pre(filled) + 1);
  end when;
end M;
",
    );
    let queue = ["queue[1]", "queue[2]", "queue[3]"].map(|name| last(&r, name));
    assert!(queue.iter().zip([0.9, 0.7, 0.5]).all(|(a, b)| (a - b).abs() < 1e-9), "{queue:?}");
}

#[test]
fn states_depend_on_a_loop() {
    // Newton's method by hand: y = sqrt(x + 2), and x' = y has the solution sqrt(x + 2) = sqrt(2) + t/2.
    let r = results(
        "model M
  Real x(start = 0, fixed = true); Real y;
algorithm
  y := 1; while abs(y*y - x - 2) > 1e-13*y loop y := 0.5*(y + (x + 2)/y); end while;
equation
  der(x) = y;
end M;
",
    );
    let y = 2f64.sqrt() + 0.5;
    assert!((last(&r, "y") - y).abs() < 1e-6 && (last(&r, "x") - y * y + 2.0).abs() < 1e-5);
}

#[test]
fn the_start_may_have_loops_too() {
    let r = results(
        "model M
  parameter Real a = 5; parameter Integer n(fixed = false); Real x(start = a, fixed = true);
initial algorithm
  n := 0; while 2^n < x loop n := n + 1; end while;
equation
  der(x) = n;
end M;
",
    );
    assert!((last(&r, "x") - 8.0).abs() < 1e-9);
}

#[test]
fn what_no_function_can_do_is_refused_in_such_loops() {
    let text = with_algorithm("Real x;", "x := 0; while x < time loop x := x + 0.3; terminate(\"x\"); end while;");
    refused(&text, "D004", "the loop ends at a value known only at run time");
}
