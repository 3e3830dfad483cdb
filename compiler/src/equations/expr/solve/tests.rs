//! Solutions against the equations they solve.

use super::*;
use crate::base::ids::FnId;
use crate::equations::expr::eval::eval;
use crate::equations::expr::print::print;
use crate::equations::expr::testing::{Random, grow};
use cranelift_entity::EntityRef;
use std::time::{Duration, Instant};

const NAMES: [&str; 4] = ["v", "a", "b", "c"];

fn text(arena: &Arena, expr: ExprId) -> String {
    print(arena, expr, &|v| NAMES[v.index()].into(), &|f| f.to_string())
}

fn v() -> VarId {
    VarId::new(0)
}

fn setup() -> (Arena, [ExprId; 4]) {
    let mut e = Arena::default();
    let vars = [0, 1, 2, 3].map(|i| e.var(VarId::new(i)));
    (e, vars)
}

#[test]
fn inverse_functions_keep_the_solutions() {
    let (mut e, [v, a, b, c]) = setup();
    let (one, two) = (e.one(), e.constant(2.0));
    let reciprocal = e.div(one, v);
    let double = e.mul(two, v);
    let sum = e.add(c, double);
    let quotient = e.div(b, sum);
    let rise = e.unary(Op1::Exp, double);
    let diode = e.sub(rise, one);
    let logarithm = e.unary(Op1::Log, sum);
    let root = e.unary(Op1::Sqrt, sum);
    let square = e.mul(a, a);
    let cases = [
        (a, reciprocal, Some("1/a")),
        (a, quotient, Some("((if b <> 0 then b else 0/0)/a - c)/2")),
        (diode, a, Some("log(a + 1)/2")),
        (a, logarithm, Some("(exp(a) - c)/2")),
        (a, root, None),
        (square, root, Some("(a*a*(a*a) - c)/2")),
    ];
    for (lhs, rhs, expected) in cases {
        let found = solve_inverse(&mut e, lhs, rhs, VarId::new(0), &|_, _| false);
        assert_eq!(found.map(|s| text(&e, s)).as_deref(), expected, "{} = {}", text(&e, lhs), text(&e, rhs));
        assert_eq!(solve_equation(&mut e, lhs, rhs, VarId::new(0)), None);
    }
    // Written twice, or through a function with several inverses.
    let sine = e.unary(Op1::Sin, v);
    assert_eq!(solve_inverse(&mut e, a, sine, VarId::new(0), &|_, _| false), None);
    let own = e.mul(v, rise);
    assert_eq!(solve_inverse(&mut e, a, own, VarId::new(0), &|_, _| false), None);
    // 0/v = a has no solution unless a is zero, and then every v is one.
    let product = solve_inverse(&mut e, a, quotient, VarId::new(0), &|_, _| false).expect("b/(c + 2*v) = a has a solution");
    assert!(eval(&e, product, &|var| [0.0, 3.0, 0.0, 1.0][var.index()]).is_nan());
    assert_eq!(eval(&e, product, &|var| [0.0, 2.0, 6.0, 1.0][var.index()]), 1.0);
}

#[test]
fn plain_solutions() {
    let (mut e, [v, a, b, c]) = setup();
    let condition = e.lt(b, c);
    let three = e.constant(3.0);
    let sum = e.add(a, v);
    let product = e.mul(a, v);
    let bv = e.mul(b, v);
    let quotient = e.div(v, a);
    let minus = e.neg(v);
    let affine = e.add(bv, c);
    let both = e.add(product, affine);
    let triple = e.mul(three, v);
    let diode = e.select(condition, v, bv);
    let scaled_sum = e.mul(b, sum);
    let cases = [
        (v, a, "a"),
        (a, v, "a"),
        (sum, b, "b - a"),
        (b, sum, "b - a"),
        (product, b, "b/a"),
        (triple, b, "b/3"),
        (minus, b, "-b"),
        (quotient, b, "a*b"),
        (scaled_sum, c, "c/b - a"),
        (c, affine, "0"),
        (b, affine, "(b - c)/b"),
        (product, affine, "c/(a - b)"),
        (both, c, "0"),
        (diode, c, "c/(if b < c then 1 else b)"),
    ];
    for (lhs, rhs, expected) in cases {
        let solution = solve_equation(&mut e, lhs, rhs, VarId::new(0)).map(|s| text(&e, s));
        assert_eq!(solution.as_deref(), Some(expected), "{} = {}", text(&e, lhs), text(&e, rhs));
    }
}

#[test]
fn residual_solutions() {
    let (mut e, [v, a, b, _]) = setup();
    let product = e.mul(a, v);
    for (lhs, rhs, expected) in [(v, b, "b"), (b, v, "b"), (product, b, "b/a"), (b, product, "b/a")] {
        let residual = e.sub(lhs, rhs);
        let solution = solve(&mut e, residual, VarId::new(0)).unwrap();
        assert_eq!(text(&e, solution), expected);
    }
    let sine = e.unary(Op1::Sin, v);
    assert_eq!(solve(&mut e, sine, VarId::new(0)), None);
    assert_eq!(solve(&mut e, a, VarId::new(0)), None);
    let square = e.mul(v, v);
    let sum = e.add(square, v);
    assert_eq!(solve(&mut e, sum, VarId::new(0)), None);
}

fn kind(e: &mut Arena, residual: ExprId) -> String {
    match solvability(e, residual, v(), &|e, x| matches!(e.node(x), Node::Var(a) if a.index() == 1)) {
        Occurrence::Absent => "absent".into(),
        Occurrence::Nonlinear => "nonlinear".into(),
        Occurrence::Linear { coefficient, safe } => {
            format!("{}{}", text(e, coefficient), if safe { " safe" } else { "" })
        }
    }
}

#[test]
fn kinds() {
    let (mut e, [v, a, b, c]) = setup();
    let (one, two) = (e.one(), e.constant(2.0));
    let condition = e.lt(b, c);
    let own_condition = e.lt(v, c);
    let av = e.mul(a, v);
    let bv = e.mul(b, v);
    let sum = e.add(v, b);
    let sine = e.unary(Op1::Sin, v);
    let bb = e.mul(b, b);
    let positive = e.add(one, bb);
    let exact = e.mul(b, two);
    let cases = [
        (b, "absent"),
        (e.add(v, b), "1 safe"),
        (e.sub(b, v), "-1 safe"),
        (av, "a safe"),
        (bv, "b"),
        (e.mul(two, av), "2*a safe"),
        (e.div(av, b), "a/b safe"),
        (e.div(b, v), "nonlinear"),
        (e.mul(v, v), "nonlinear"),
        (e.mul(sum, sum), "nonlinear"),
        (e.mul(v, sine), "nonlinear"),
        (e.add(av, sine), "nonlinear"),
        (e.select(condition, av, v), "if b < c then a else 1 safe"),
        (e.select(condition, av, b), "if b < c then a else 0"),
        (e.select(own_condition, av, v), "nonlinear"),
        (e.select(own_condition, a, b), "nonlinear"),
        (e.mul(positive, v), "b*b + 1 safe"),
        (e.sub(sum, v), "0"),
        (e.mul(exact, v), "2*b"),
    ];
    for (residual, expected) in cases {
        assert_eq!(kind(&mut e, residual), expected, "{}", text(&e, residual));
    }
}

#[test]
fn all_unknowns_of_an_equation() {
    let (mut e, [v, a, b, c]) = setup();
    // v*a + sin(b)*v = c - a
    let sine = e.unary(Op1::Sin, b);
    let (va, vs) = (e.mul(v, a), e.mul(sine, v));
    let (lhs, rhs) = (e.add(va, vs), e.sub(c, a));
    let found = occurrences(&mut e, lhs, rhs, &|v| v.index() != 3, &|_, _| false);
    let coefficient_v = e.add(a, sine);
    let one = e.one();
    let coefficient_a = e.add(one, v);
    let linear = |coefficient| Occurrence::Linear { coefficient, safe: false };
    assert_eq!(found.len(), 3);
    assert_eq!(found[0], (VarId::new(0), linear(coefficient_v)));
    assert_eq!(found[1], (VarId::new(1), linear(coefficient_a)));
    assert_eq!(found[2], (VarId::new(2), Occurrence::Nonlinear));
    // Unknowns that are not asked for are known.
    let found = occurrences(&mut e, lhs, rhs, &|v| v.index() == 3, &|_, _| false);
    let minus_one = e.constant(-1.0);
    assert_eq!(found, [(VarId::new(3), Occurrence::Linear { coefficient: minus_one, safe: true })]);
}

/// A random expression that is affine in `v` by construction, with products, quotients and branches.
fn affine(e: &mut Arena, random: &mut Random, vars: &[ExprId; 4]) -> ExprId {
    let mut expr = vars[0];
    for _ in 0..2 + random.below(7) {
        let mut other = vars[1 + random.below(3)];
        if random.below(3) == 0 {
            let literal = e.constant(random.value());
            other = e.add(literal, other);
        }
        expr = match random.below(9) {
            0 => e.add(expr, other),
            1 => e.sub(expr, other),
            2 => e.sub(other, expr),
            3 => e.mul(expr, other),
            4 => e.div(expr, other),
            5 => e.neg(expr),
            6 => {
                let more = e.mul(other, vars[0]);
                e.add(expr, more)
            }
            7 => {
                let condition = e.lt(other, vars[1]);
                let more = e.mul(other, vars[0]);
                e.select(condition, expr, more)
            }
            _ => {
                let sum = e.add(other, expr);
                e.sub(sum, vars[0])
            }
        };
    }
    expr
}

#[test]
fn solutions_satisfy_the_equation() {
    let mut random = Random::new(23);
    let mut compared = 0;
    for _ in 0..2000 {
        let (mut e, vars) = setup();
        let (lhs, rhs) = (affine(&mut e, &mut random, &vars), vars[1 + random.below(3)]);
        let (lhs, rhs) = if random.below(2) == 0 { (lhs, rhs) } else { (rhs, lhs) };
        let residual = e.intern(Node::Binary(Op2::Sub, lhs, rhs));
        let point: Vec<f64> = (0..4).map(|_| random.value()).collect();
        let at = |e: &Arena, expr: ExprId, value: f64| eval(e, expr, &|v| if v.index() == 0 { value } else { point[v.index()] });
        match solvability(&mut e, residual, v(), &|_, _| false) {
            Occurrence::Linear { coefficient, .. } => {
                let k = at(&e, coefficient, f64::NAN);
                let slope = at(&e, residual, 1.5) - at(&e, residual, 0.5);
                assert!((k - slope).abs() < 1e-9 * (1.0 + k.abs() + at(&e, residual, 0.5).abs()), "{}", text(&e, residual));
                if let Some(solution) = solve_equation(&mut e, lhs, rhs, v()) {
                    assert!(!crate::equations::expr::subst::variables(&e, solution).contains(&v()));
                    if k.abs() > 1e-2 {
                        let value = at(&e, solution, f64::NAN);
                        let rest = at(&e, residual, value);
                        assert!(rest.abs() < 1e-8 * (1.0 + (k * value).abs()), "{} leaves {rest}", text(&e, residual));
                        compared += 1;
                    }
                }
            }
            // The variable may have cancelled while the expression was built.
            Occurrence::Absent => {}
            Occurrence::Nonlinear => panic!("{} is affine", text(&e, residual)),
        }
    }
    assert!(compared > 1000, "only {compared} compared");
}

/// What is called linear has a constant slope, and what is called absent none, in any expression.
#[test]
fn claims_hold_for_random_expressions() {
    let mut random = Random::new(41);
    let (mut linear, mut absent) = (0, 0);
    for case in 0..2000 {
        let mut e = Arena::default();
        let (plain, simplified) = grow(&mut e, &mut random, 7);
        let (lhs, rhs) = if case % 2 == 0 { (plain, e.var(v())) } else { (simplified, e.zero()) };
        let found = occurrences(&mut e, lhs, rhs, &|_| true, &|_, _| false);
        let residual = e.intern(Node::Binary(Op2::Sub, lhs, rhs));
        let point: Vec<f64> = (0..4).map(|_| random.value()).collect();
        for var in 0..4 {
            let at = |expr: ExprId, value: f64| eval(&e, expr, &|v| if v.index() == var { value } else { point[v.index()] });
            let samples = [-1.3, 0.2, 0.7, 2.9].map(|value| (value, at(residual, value)));
            let faultless = |value: f64| (0..=residual.index()).all(|i| at(ExprId::new(i), value).abs() < 1e6);
            if !samples.iter().all(|(value, _)| faultless(*value)) {
                continue;
            }
            let k = match found.iter().find(|(v, _)| v.index() == var) {
                None => 0.0,
                Some((_, Occurrence::Linear { coefficient, safe })) => {
                    linear += 1;
                    let k = at(*coefficient, f64::NAN);
                    assert!(!safe || k != 0.0, "{} is zero", print(&e, *coefficient, &|v| v.to_string(), &|f| f.to_string()));
                    k
                }
                Some(_) => continue,
            };
            absent += usize::from(k == 0.0);
            for (value, r) in samples {
                let expected = samples[0].1 + k * (value - samples[0].0);
                let scale = 1.0 + r.abs() + samples[0].1.abs() + (k * value).abs();
                assert!((r - expected).abs() < 1e-9 * scale, "case {case}, v{var}: {r} {expected}");
            }
        }
    }
    assert!(linear > 500 && absent > 500, "{linear} linear, {absent} absent");
}

#[test]
fn deep_sums_and_products() {
    let mut e = Arena::default();
    let n = 200_000;
    let vars: Vec<ExprId> = (0..n).map(|i| e.var(VarId::new(i))).collect();
    let zero = e.zero();
    let sum = vars.iter().fold(zero, |sum, var| e.add(*var, sum));
    let found = occurrences(&mut e, sum, vars[0], &|_| true, &|_, _| false);
    assert_eq!(found.len(), n);
    assert!(found[1..].iter().all(|(_, o)| matches!(o, Occurrence::Linear { safe: true, .. })));
    let solution = solve_equation(&mut e, sum, zero, VarId::new(n - 1));
    assert!(solution.is_some());
    // A product of everything: each coefficient is the product of all others; too much to write down.
    let (n, vars) = (20_000, &vars[..20_000]);
    let product = vars.iter().copied().reduce(|product, var| e.mul(product, var)).unwrap();
    let found = occurrences(&mut e, product, zero, &|_| true, &|_, _| false);
    assert_eq!(found.len(), n);
    let long_else = vars.iter().fold(vars[0], |other, var| {
        let condition = e.lt(*var, zero);
        e.intern(Node::Select(condition, *var, other))
    });
    let found = occurrences(&mut e, long_else, zero, &|_| true, &|_, _| false);
    assert_eq!(found.len(), n);
}

#[test]
fn many_equations_quickly() {
    let mut e = Arena::default();
    let n = 100_000;
    let vars: Vec<ExprId> = (0..n).map(|i| e.var(VarId::new(i))).collect();
    let equations: Vec<(ExprId, ExprId)> = (1..n - 1)
        .map(|i| {
            let sum = e.add(vars[i - 1], vars[i + 1]);
            let double = e.constant(2.0);
            let middle = e.mul(double, vars[i]);
            let difference = e.sub(sum, middle);
            let product = e.mul(vars[i], difference);
            let sine = e.unary(Op1::Sin, vars[i + 1]);
            (product, e.add(sine, vars[i - 1]))
        })
        .collect();
    let start = Instant::now();
    let mut workspace = Workspace::new();
    let mut total = 0;
    for (lhs, rhs) in &equations {
        total += workspace.occurrences(&mut e, *lhs, *rhs, &|_| true, &|_, _| false).len();
    }
    assert_eq!(total, 3 * (n - 2));
    let elapsed = start.elapsed();
    println!("occurrences of {} equations: {elapsed:?}", equations.len());
    // A fraction of a second; anything quadratic would take minutes.
    assert!(elapsed < Duration::from_secs(20), "{elapsed:?}");
}

#[test]
fn long_argument_lists_hide_nothing() {
    let mut e = Arena::default();
    let n = 2000;
    let vars: Vec<ExprId> = (0..n).map(|i| e.var(VarId::new(i))).collect();
    let args: Vec<ExprId> = vars.iter().map(|var| e.unary(Op1::Sin, *var)).collect();
    let mut workspace = Workspace::new();
    for output in 0..n as u32 {
        let call = e.call(FnId::new(0), &args, output);
        // An unknown outside of the call, one that is in both, and only even ones count.
        let outside = e.var(VarId::new(n));
        let both = e.add(outside, vars[2]);
        let found = workspace.occurrences(&mut e, both, call, &|v| v.index() % 2 == 0, &|_, _| false);
        assert_eq!(found.len(), n / 2 + 1);
        assert!(found[..n / 2].iter().all(|(_, o)| *o == Occurrence::Nonlinear));
        assert!(matches!(found[n / 2].1, Occurrence::Linear { safe: true, .. }));
    }
    let call = e.call(FnId::new(0), &args, 0);
    assert_eq!(solvability(&mut e, call, VarId::new(7), &|_, _| false), Occurrence::Nonlinear);
    assert_eq!(solvability(&mut e, call, VarId::new(n), &|_, _| false), Occurrence::Absent);
}
