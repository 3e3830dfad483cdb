//! Random models by Partita and by a second interpreter that shares the parser and nothing else.

use partita_tests::differential::case::Case;
use partita_tests::differential::generate::{Kind, shrunk, ways};
use partita_tests::differential::judge::{Verdict, judge};

/// Judges `count` cases of a kind; differences fail the test with the smallest model that shows them.
fn check(kind: Kind, count: u64) {
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(move || {
        let (mut n_same, mut n_numbers) = (0, 0);
        for seed in 0..count {
            let case = Case::of(kind, seed);
            match judge(&case, &ways(seed)) {
                Verdict::Same(n) => {
                    n_same += 1;
                    n_numbers += n;
                }
                Verdict::NoCase(_) => {}
                Verdict::Different(what) => {
                    let (small, small_what) = shrunk(kind, seed);
                    panic!("{kind}, seed {seed}: {what}\nmade small: {small_what}\n{}", small.text);
                }
            }
        }
        // Cases about which the oracle is not sure would test nothing.
        assert!(2 * n_same > count, "only {n_same} of {count} cases could be compared");
        println!("{n_same} of {count} cases, {n_numbers} numbers");
    });
    worker.expect("a thread can be started").join().expect("no case differs");
}

#[test]
fn random_expressions_have_the_values_of_the_specification() {
    check(Kind::Expressions, 1_080);
}

#[test]
fn random_functions_have_the_values_of_the_specification() {
    check(Kind::Functions, 450);
}

#[test]
fn random_discrete_programs_take_the_course_of_the_specification() {
    check(Kind::Programs, 400);
}

#[test]
fn random_systems_have_the_solution_they_were_made_from() {
    check(Kind::Systems, 70);
}

/// Differences that were bugs of Partita.
const ONCE_DIFFERENT: &[&str] = &[
    // Of the branches that `initial()` makes active the first one is.
    "model M Integer k(start = 5, fixed = true); equation
       when {initial(), sample(0.3, 0.4)} then k = 1; elsewhen {initial(), time >= 0.5} then k = 2; end when; end M;",
    "model M Integer k(start = 5, fixed = true); algorithm
       when {initial(), sample(0.3, 0.4)} then k := 1; elsewhen {initial(), time >= 0.5} then k := 2; end when; end M;",
    // A default is made of the inputs of one call of those that an array is spread over.
    "function f input Integer a; input Real b; input Real c = 2*b + a; output Real y; algorithm y := if c > 1 then a else b + c; end f;
     model M Real x[3] = {0.2, time, -1}; Real y[3] = f({1, 2, 3}, x); Real z[3] = f(1, x); Real w = f(2, 0.5); end M;",
];

#[test]
fn what_differed_once_is_the_same() {
    for text in ONCE_DIFFERENT {
        let verdict = judge(&Case::of_text((*text).to_string()), &ways(0));
        assert!(matches!(verdict, Verdict::Same(_)), "{verdict:?}\n{text}");
    }
}

/// A comparison that cannot fail proves nothing: one operator is another one for Partita only.
#[test]
fn a_changed_operator_is_noticed() {
    let changes = [(" + ", " - "), ("sin(", "cos("), (" > ", " < "), ("pre(", "(")];
    for (kind, count) in [(Kind::Expressions, 40), (Kind::Functions, 30), (Kind::Programs, 30), (Kind::Systems, 10)] {
        let (mut n_changed, mut n_noticed) = (0, 0);
        for seed in 0..count {
            let case = Case::of(kind, seed);
            if !matches!(judge(&case, &ways(1)), Verdict::Same(_)) {
                continue;
            }
            for (from, to) in changes {
                let explicit = case.explicit.clone().unwrap_or_else(|| case.text.clone());
                let changed = Case { text: case.text.replacen(from, to, 1), explicit: Some(explicit), ..case.clone() };
                if changed.text != case.text {
                    n_changed += 1;
                    n_noticed += u32::from(matches!(judge(&changed, &ways(1)), Verdict::Different(_)));
                }
            }
        }
        // A changed operator in a branch that is never taken changes nothing.
        assert!(n_changed >= 10 && 3 * n_noticed > n_changed, "{kind}: {n_noticed} of {n_changed} changes were noticed");
    }
}
