//! `cycle_bounds [N]`: cycle analysis of large systems of several families, how much of it is exact, and what it costs.
//!
//! Prints per family the number of states and entries, the part of the states whose bound is exact, median, 95th percentile and
//! largest ratio of the upper to the lower end of the bracket, and seconds of CPU time. Build it with `--release`.

use cpu_time::ProcessTime;
use partita::decouple::cycles::{Jacobian, Options, analyze};
use partita_runtime::model::plan::Pattern;
use partita_tests::random::Random;
use std::collections::BTreeMap;
use std::process::ExitCode;

/// Entries by column and row.
type Entries = BTreeMap<(usize, usize), f64>;

/// Capacitors joined by conductances: `C_i der(v_i) = sum G_ij (v_j - v_i)`.
fn network(n: usize, decades: f64, random: &mut Random, links: &[(usize, usize)]) -> Entries {
    let capacities: Vec<f64> = (0..n).map(|_| random.size(decades)).collect();
    let mut entries = Entries::new();
    for &(a, b) in links {
        let conductance = random.size(2.0);
        for (i, j) in [(a, b), (b, a)] {
            *entries.entry((j, i)).or_default() += conductance / capacities[i];
            *entries.entry((i, i)).or_default() -= conductance / capacities[i];
        }
    }
    entries
}

fn tree(n: usize, random: &mut Random) -> Entries {
    let links: Vec<(usize, usize)> = (1..n).map(|node| (random.below(node), node)).collect();
    network(n, 4.0, random, &links)
}

fn grid(n: usize, random: &mut Random) -> Entries {
    let side = (n as f64).sqrt() as usize;
    let right = (0..side * side).filter(|at| at % side + 1 < side).map(|at| (at, at + 1));
    let down = (0..side * (side - 1)).map(|at| (at, at + side));
    let links: Vec<(usize, usize)> = right.chain(down).collect();
    network(side * side, 4.0, random, &links)
}

/// Masses in a row with springs and dampers between them; states are position and speed of each.
fn chain(n: usize, random: &mut Random) -> Entries {
    let masses = n / 2;
    let mut entries = Entries::new();
    let mut couple = |i: usize, j: usize, stiffness: f64, damping: f64| {
        for (to, from) in [(2 * j, stiffness), (2 * j + 1, damping)] {
            *entries.entry((to, 2 * i + 1)).or_default() += from;
        }
    };
    let sizes: Vec<f64> = (0..masses).map(|_| random.size(2.0)).collect();
    for i in 0..masses.saturating_sub(1) {
        let (stiffness, damping) = (1e3 * random.size(4.0), random.size(2.0));
        for (a, b) in [(i, i + 1), (i + 1, i)] {
            couple(a, b, stiffness / sizes[a], damping / sizes[a]);
            couple(a, a, -stiffness / sizes[a], -damping / sizes[a]);
        }
    }
    for i in 0..masses {
        entries.insert((2 * i + 1, 2 * i), 1.0);
    }
    entries
}

/// The counter-flow heat exchanger of the models folder.
fn exchanger(n: usize, _: &mut Random) -> Entries {
    let cells = n / 3;
    let (wa, wb, ca, cb, cw, ma, mb, mw, ga, gb) = (1.0, 1.0, 4200.0, 3500.0, 500.0, 0.1, 1.0, 10.0, 8000.0, 8000.0);
    let parts = cells as f64;
    let (a, w, b) = (|i: usize| i, |i: usize| cells + i, |i: usize| 2 * cells + i);
    let mut entries = Entries::new();
    for i in 0..cells {
        let (ka, kw, kb) = (parts / (ca * ma), parts / (cw * mw), parts / (cb * mb));
        entries.insert((a(i), a(i)), -ka * (wa * ca + ga / parts));
        entries.insert((w(i), a(i)), ka * ga / parts);
        entries.insert((w(i), w(i)), -kw * (ga + gb) / parts);
        entries.insert((a(i), w(i)), kw * ga / parts);
        entries.insert((b(cells - 1 - i), w(i)), kw * gb / parts);
        entries.insert((b(i), b(i)), -kb * (wb * cb + gb / parts));
        entries.insert((w(cells - 1 - i), b(i)), kb * gb / parts);
        if i > 0 {
            entries.insert((a(i - 1), a(i)), ka * wa * ca);
            entries.insert((b(i - 1), b(i)), kb * wb * cb);
        }
    }
    entries
}

/// A random digraph with this many entries per state beside the diagonal.
fn random_digraph(n: usize, degree: f64, random: &mut Random) -> Entries {
    let mut entries: Entries = (0..n).map(|state| ((state, state), -random.size(4.0))).collect();
    for _ in 0..(degree * n as f64) as usize {
        let (from, to) = (random.below(n), random.below(n));
        if from != to {
            entries.insert((from, to), random.size(6.0));
        }
    }
    entries
}

fn jacobian(entries: &Entries) -> Option<Jacobian> {
    let n = entries.keys().map(|&(column, row)| column.max(row) + 1).max().unwrap_or(0);
    let mut pattern = Pattern { n_rows: n, col_starts: vec![0; n + 1], rows: Vec::new() };
    for &(column, row) in entries.keys() {
        pattern.col_starts[column + 1] += 1;
        pattern.rows.push(row);
    }
    for column in 0..n {
        pattern.col_starts[column + 1] += pattern.col_starts[column];
    }
    Jacobian::new((0..n).map(|state| format!("x{state}")).collect(), vec![1.0; n], pattern, entries.values().copied().collect()).ok()
}

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let n: usize = arguments.first().and_then(|text| text.parse().ok()).unwrap_or(10_000);
    type Family = (&'static str, fn(usize, &mut Random) -> Entries);
    let families: [Family; 6] = [
        ("tree", tree),
        ("chain", chain),
        ("exchanger", exchanger),
        ("random 1.5", |n, random| random_digraph(n, 1.5, random)),
        ("random 2.5", |n, random| random_digraph(n, 2.5, random)),
        ("grid", grid),
    ];
    println!(
        "{:<12}{:>8}{:>9}{:>9}{:>10}{:>10}{:>12}{:>11}{:>8}",
        "family", "states", "entries", "exact", "median", "p95", "largest gap", "certified", "CPU s"
    );
    let mut slow = false;
    for (name, family) in families {
        let entries = family(n, &mut Random::new(0x9E37_79B9_7F4A_7C15));
        let Some(jacobian) = jacobian(&entries) else { return ExitCode::from(2) };
        let began = ProcessTime::now();
        let analysis = match analyze(&jacobian, &Options::default()) {
            Ok(analysis) => analysis,
            Err(message) => {
                eprintln!("{name}: {}", message.title);
                return ExitCode::from(1);
            }
        };
        let seconds = began.elapsed().as_secs_f64();
        let states = analysis.bounds.len();
        let exact = analysis.bounds.iter().filter(|bound| bound.exact).count();
        let mut gaps: Vec<f64> =
            analysis.bounds.iter().map(|bound| if bound.exact { 1.0 } else { bound.h_upper / bound.h_lower }).collect();
        gaps.sort_by(f64::total_cmp);
        let (median, p95, largest) = (gaps[states / 2], gaps[states * 95 / 100], gaps[states - 1]);
        let part = 100.0 * exact as f64 / states as f64;
        println!(
            "{name:<12}{states:>8}{:>9}{part:>8.1}%{median:>10.3}{p95:>10.3}{largest:>12.3}{:>11}{seconds:>8.2}",
            entries.len(),
            analysis.certified
        );
        slow |= seconds > 10.0;
    }
    if slow { ExitCode::from(1) } else { ExitCode::SUCCESS }
}
