//! Cycle analysis against an independent enumeration on random systems.

use partita::cycles::{Budget, CycleAnalysis, Jacobian, Options, Probe, SelfLoop, analyze};

/// A small generator of random numbers (xorshift64*), so that every run tests the same systems.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.next() * n as f64) as usize).min(n - 1)
    }

    /// A value of either sign, its size spread evenly over some decades.
    fn value(&mut self, decades: f64) -> f64 {
        let size = 10f64.powf(decades * (self.next() - 0.5));
        if self.next() < 0.5 { -size } else { size }
    }
}

/// A random matrix by rows; half of them are structurally symmetric.
fn matrix(random: &mut Random, n: usize, density: f64, decades: f64) -> Vec<Vec<f64>> {
    let symmetric = random.next() < 0.5;
    let mut rows = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..i {
            if random.next() < density {
                rows[i][j] = random.value(decades);
            }
            if (symmetric && rows[i][j] != 0.0) || (!symmetric && random.next() < density) {
                rows[j][i] = random.value(decades);
            }
        }
        if random.next() < 0.7 {
            rows[i][i] = random.value(decades);
        }
    }
    rows
}

fn jacobian(rows: &[Vec<f64>]) -> Jacobian {
    let names: Vec<String> = (0..rows.len()).map(|state| format!("x{state}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Jacobian::dense(&names, rows).expect("the entries are finite")
}

/// Calls `found` with every simple cycle of at least two states, once.
fn each_cycle(rows: &[Vec<f64>], path: &mut Vec<usize>, found: &mut dyn FnMut(&[usize])) {
    let (first, last) = (path[0], path[path.len() - 1]);
    for next in first..rows.len() {
        if rows[next][last] == 0.0 || next == last {
            continue;
        }
        if next == first {
            found(path);
        } else if !path.contains(&next) {
            path.push(next);
            each_cycle(rows, path, found);
            path.pop();
        }
    }
}

/// Number of cycles and bounds, by the definition.
fn by_definition(rows: &[Vec<f64>], alpha: f64, self_loop: SelfLoop) -> (u64, Vec<f64>) {
    let n = rows.len();
    let own = |entry: f64| match self_loop {
        SelfLoop::Compat => alpha / (1.0 + entry).abs(),
        SelfLoop::Printed if entry < 0.0 => (1.0 + alpha) / -entry,
        SelfLoop::Printed => alpha / entry,
    };
    let mut bounds: Vec<f64> = (0..n).map(|i| own(rows[i][i])).collect();
    let mut count = n as u64;
    for first in 0..n {
        each_cycle(rows, &mut vec![first], &mut |cycle| {
            count += 1;
            let product: f64 = (0..cycle.len()).map(|k| rows[cycle[(k + 1) % cycle.len()]][cycle[k]].abs()).product();
            let h = (alpha / product).powf(1.0 / cycle.len() as f64);
            for &state in cycle {
                bounds[state] = bounds[state].min(h);
            }
        });
    }
    (count, bounds)
}

/// The bound that the witness of a state stands for.
fn bound_of_witness(rows: &[Vec<f64>], analysis: &CycleAnalysis, state: usize, alpha: f64, self_loop: SelfLoop) -> f64 {
    let witness = &analysis.bounds[state].witness;
    if witness.is_empty() {
        return f64::INFINITY;
    }
    assert!(witness.contains(&state), "the witness goes through the state");
    if witness.len() == 1 {
        return by_definition(&[vec![rows[state][state]]], alpha, self_loop).1[0];
    }
    let product: f64 = (0..witness.len()).map(|k| rows[witness[(k + 1) % witness.len()]][witness[k]].abs()).product();
    (alpha / product).powf(1.0 / witness.len() as f64)
}

fn close(a: f64, b: f64, part: f64) -> bool {
    a == b || (a - b).abs() <= part * a.abs().max(b.abs())
}

#[test]
fn small_systems_agree_with_the_definition() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    for _ in 0..300 {
        let n = 4 + random.below(8);
        let density = 0.1 + 0.25 * random.next();
        let rows = matrix(&mut random, n, density, 6.0);
        for self_loop in [SelfLoop::Printed, SelfLoop::Compat] {
            for alpha in [1.0, 0.5, 0.1] {
                let analysis = analyze(&jacobian(&rows), &Options { alpha, self_loop, ..Options::default() }).expect("at least four states");
                let (count, bounds) = by_definition(&rows, alpha, self_loop);
                assert_eq!(analysis.cycles, Some(count), "{rows:?}");
                for state in 0..n {
                    let bound = &analysis.bounds[state];
                    assert!(bound.exact && close(bound.h_lower, bounds[state], 1e-9), "{} is not {}: {rows:?}", bound.h_lower, bounds[state]);
                    assert!(close(bound.h_upper, bound_of_witness(&rows, &analysis, state, alpha, self_loop), 1e-9), "{rows:?}");
                }
            }
        }
    }
}

#[test]
fn brackets_hold_in_two_thousand_random_digraphs() {
    let mut random = Random(0xDEAD_BEEF_0BAD_CAFE);
    // Enough for no enumeration of any block: every bound comes from the certificates.
    let budget = Budget { cycles: 0, edge_visits: 0, ..Budget::default() };
    let (mut n_states, mut n_exact, mut n_exact_at_once) = (0, 0, 0);
    for round in 0..2000 {
        let n = 4 + random.below(7);
        let density = 0.1 + 0.3 * random.next();
        let rows = matrix(&mut random, n, density, 6.0);
        let alpha = [1.0, 0.5, 0.1][round % 3];
        let (_, bounds) = by_definition(&rows, alpha, SelfLoop::Printed);
        for expansions in [Budget::default().expansions, 0] {
            let options = Options { alpha, budget: Budget { expansions, ..budget }, ..Options::default() };
            let analysis = analyze(&jacobian(&rows), &options).expect("at least four states");
            for state in 0..n {
                let (bound, truth) = (&analysis.bounds[state], bounds[state]);
                assert!(bound.h_lower <= truth * (1.0 + 1e-9) && bound.h_upper >= truth * (1.0 - 1e-9), "{bound:?} does not hold {truth}: {rows:?}");
                assert!(!bound.exact || close(bound.h_lower, truth, 1e-9), "{bound:?} is not {truth}: {rows:?}");
                assert!(close(bound.h_upper, bound_of_witness(&rows, &analysis, state, alpha, SelfLoop::Printed), 1e-9), "{bound:?}: {rows:?}");
            }
            let exact = analysis.bounds.iter().filter(|bound| bound.exact).count();
            if expansions > 0 {
                n_states += n;
                n_exact += exact;
            } else {
                n_exact_at_once += exact;
            }
        }
    }
    println!("{n_states} bounds: {n_exact_at_once} exact without search, {n_exact} with it");
    assert_eq!(n_exact, n_states, "with search all bounds of small systems are exact");
    assert!(n_exact_at_once * 3 > n_states * 2, "only {n_exact_at_once} of {n_states} bounds are exact without search");
}

#[test]
fn the_first_crossing_of_heuns_method_is_found() {
    // The example of the thesis, section 3.3.1.1: 8 cycles, bounds 1.6, 12/11, 1.6 at alpha = 1.
    let rows = vec![vec![-1.0, 0.5, 0.0], vec![0.5, -1.5, 0.5], vec![0.0, 0.5, -1.0]];
    let options = Options { alpha: 1.0, probe: Probe::Heun, ..Options::default() };
    let analysis = analyze(&jacobian(&rows), &options).expect("three states");
    assert_eq!(analysis.cycles, Some(8));
    for (bound, expected) in analysis.bounds.iter().zip([1.6, 12.0 / 11.0, 1.6]) {
        assert!(close(bound.h_lower, expected, 1e-9), "{bound:?} is not {expected}");
    }
}
