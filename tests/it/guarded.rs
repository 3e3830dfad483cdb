//! What stands under a condition that does not hold is not computed, even where it makes events: small models with known answers.

use crate::language::{at, refused, results};

/// A sine that is positive in the first half second, and negative in the second.
const SINE: &str = "Real x = sin(6.283185307179586*time);";

fn with_sine(declaration: &str) -> String {
    format!("model M\n  {SINE}\n  {declaration}\nend M;\n")
}

/// The value of `y` at the four quarters after the start; the sine is 1, 0, -1, 0 there.
#[test]
fn relations_in_branches_that_are_not_taken() {
    for (declaration, values) in [
        ("Boolean y = if x > 0.1 then sqrt(x) > 0.5 else false;", [1.0, 0.0]),
        ("Boolean y = x > 0.1 and sqrt(x) > 0.5;", [1.0, 0.0]),
        ("Boolean y = x <= 0.1 or log(x) < -1;", [0.0, 1.0]),
        ("Boolean y = not (x > 0.1 and 1/x < 5);", [0.0, 1.0]),
        ("Real y = if x > 0.1 then (if log(x) > -1 then 1 else 2) else 3;", [1.0, 3.0]),
        ("Real y = if x > 0.1 then div(3, x) else 7;", [3.0, 7.0]),
        ("Real y = if x > 0.1 then integer(sqrt(x) + 0.5) else -4;", [1.0, -4.0]),
        ("Real y = if x > 0.1 then mod(5, sqrt(x) + 1) else 7;", [1.0, 7.0]),
        ("Real y = if x > 0.1 then abs(asin(x)) + (if acos(x) < 1 then 1 else 0) else -2;", [1.0 + std::f64::consts::FRAC_PI_2, -2.0]),
        ("Real y; equation if x > 0.1 then y = if x^0.5 > 0.3 then 1 else 2; else y = 5; end if;", [1.0, 5.0]),
        ("Real y; algorithm if x > 0.1 then y := if sqrt(x) > 0.3 then 1 else 2; else y := 5; end if;", [1.0, 5.0]),
        ("Boolean y; equation y = if noEvent(x > 0.1) then sqrt(x) > 0.5 else false;", [1.0, 0.0]),
    ] {
        let r = results(&with_sine(declaration));
        let found = [0.25, 0.75].map(|time| at(&r, time, "y")[0]);
        assert!(found.iter().zip(values).all(|(a, b)| (a - b).abs() < 1e-6), "{declaration}: {found:?}, not {values:?}");
    }
}

#[test]
fn a_crossing_inside_of_a_branch_is_found() {
    // sqrt(x) = 0.5 at x = 0.25; the branch is entered at x = 0.1, when the root is smaller.
    let r = results(&with_sine(
        "Integer n(start = 0, fixed = true); Boolean high = x > 0.1 and sqrt(x) > 0.5; Real since(start = -1, fixed = true);
equation
  when high then n = pre(n) + 1; since = time; end when;",
    ));
    assert_eq!(at(&r, 1.0, "n"), [1.0]);
    let expected = 0.25_f64.asin() / std::f64::consts::TAU;
    assert!((at(&r, 1.0, "since")[0] - expected).abs() < 1e-9);
}

#[test]
fn relations_that_matter_still_fail() {
    refused(&with_sine("Boolean y = if x < 0.5 then sqrt(x) > 0.5 else false;"), "R203", "compares a value that is not a number");
}
