//! Heun's method as the probe: bounds by search.
//!
//! Input: a Jacobian and its digraph. Output: [`Bounds`]. Method: the step matrix is `I + h J + (h J)^2 / 2`, so that the gain of
//! a cycle is a product of polynomials of the step; its bound is the first step at which the gain leaves `[-alpha, alpha]`. All
//! cycles are enumerated; where that exceeds the budget the bounds are unknown, zero below and infinite above.
//! A self loop begins with gain one: its bound is the end of the first interval with a gain of at most alpha; if the gain never
//! comes so low, the step of its first minimum. Cost: O(cycles * length * steps of the search).

use super::bracket::{Bounds, StateBound};
use super::decompose::{Decomposition, decompose};
use super::enumerate::{Limits, enumerate};
use super::graph::{Digraph, Edge};
use super::jacobian::Jacobian;
use super::options::Options;
use super::profile::canonical;
use std::collections::BTreeMap;

/// Steps of the search for the first crossing; between two of them a crossing and its return may hide.
const SEARCH_STEPS: usize = 4000;

/// Linear and quadratic coefficient of an entry of the step matrix.
#[derive(Copy, Clone, Debug, Default)]
struct Coefficients {
    linear: f64,
    quadratic: f64,
}

impl Coefficients {
    fn at(self, h: f64) -> f64 {
        h * (self.linear + h * self.quadratic)
    }

    fn majorant(self, h: f64) -> f64 {
        h * (self.linear.abs() + h * self.quadratic.abs())
    }
}

/// Bounds of the states for Heun's method.
pub(super) fn bounds(jacobian: &Jacobian, graph: &Digraph, options: &Options) -> Bounds {
    let n = graph.n;
    let entries = step_matrix(jacobian, graph);
    let edges = entries.iter().filter(|((to, from), _)| to != from).map(|(&(to, from), _)| Edge { from, to, value: 1.0 });
    let probe = Digraph { n, diagonal: vec![0.0; n], edges: edges.collect(), n_dropped: 0 };
    let coefficients = |to: usize, from: usize| entries.get(&(to, from)).copied().unwrap_or_default();
    let mut states: Vec<StateBound> = (0..n)
        .map(|state| {
            let own = coefficients(state, state);
            let h = own_bound(own, options.alpha);
            let witness = if h.is_finite() { vec![state] } else { Vec::new() };
            StateBound { h_lower: h, h_upper: h, exact: true, witness, unstable: own.linear > 0.0 }
        })
        .collect();
    let Decomposition { blocks, closed } = decompose(&probe);
    let mut count = n as u64;
    let mut visits = options.budget.edge_visits;
    let mut add = |states: &mut [StateBound], mut cycle: Vec<u32>| {
        canonical(&mut cycle);
        let factors: Vec<Coefficients> =
            cycle.iter().zip(cycle.iter().cycle().skip(1)).map(|(&from, &to)| coefficients(to as usize, from as usize)).collect();
        let h = cycle_bound(&factors, options.alpha);
        count += 1;
        let witness: Vec<usize> = cycle.iter().map(|&state| state as usize).collect();
        for &state in &witness {
            let bound = &mut states[state];
            let equal = (h - bound.h_upper).abs() <= 1e-12 * h;
            if (h < bound.h_upper && !equal) || (equal && bound.witness.len() > 1 && witness < bound.witness) {
                *bound = StateBound { h_lower: h, h_upper: h, witness: witness.clone(), ..*bound };
            }
        }
    };
    for arc in closed {
        add(&mut states, arc.via);
    }
    let mut complete = true;
    for block in &blocks {
        let mut limits = Limits { cycles: options.budget.cycles / 10, visits };
        let outcome = enumerate(block, &mut limits, |arcs| {
            add(&mut states, arcs.iter().flat_map(|&at| block.arcs[at].via.iter().copied()).collect())
        });
        visits = limits.visits;
        if outcome.is_err() {
            complete = false;
            for &state in block.arcs.iter().flat_map(|arc| &arc.via) {
                let bound = &mut states[state as usize];
                (bound.h_lower, bound.exact) = (0.0, false);
            }
        }
    }
    Bounds { states, cycles: complete.then_some(count), ..Bounds::default() }
}

/// The entries of the step matrix without the ones of the unit matrix, by row and column.
fn step_matrix(jacobian: &Jacobian, graph: &Digraph) -> BTreeMap<(usize, usize), Coefficients> {
    let n = jacobian.n_states();
    let mut by_column: Vec<Vec<(usize, f64)>> = vec![Vec::new(); n];
    for edge in &graph.edges {
        by_column[edge.from].push((edge.to, edge.value));
    }
    for (state, &entry) in graph.diagonal.iter().enumerate() {
        if entry != 0.0 {
            by_column[state].push((state, entry));
        }
    }
    let mut entries: BTreeMap<(usize, usize), Coefficients> = BTreeMap::new();
    // The square is accumulated with the size of its terms: what cancels is no entry.
    let mut sizes: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for from in 0..n {
        for &(middle, second) in &by_column[from] {
            entries.entry((middle, from)).or_default().linear += second;
            for &(to, first) in &by_column[middle] {
                entries.entry((to, from)).or_default().quadratic += 0.5 * first * second;
                *sizes.entry((to, from)).or_default() += (0.5 * first * second).abs();
            }
        }
    }
    entries.retain(|at, entry| {
        if entry.quadratic.abs() <= 64.0 * f64::EPSILON * sizes.get(at).copied().unwrap_or(0.0) {
            entry.quadratic = 0.0;
        }
        entry.linear != 0.0 || entry.quadratic != 0.0
    });
    entries
}

/// The bound of a self loop, whose gain is `1 + a h + b h^2`.
fn own_bound(own: Coefficients, alpha: f64) -> f64 {
    let Coefficients { linear: a, quadratic: b } = own;
    if a == 0.0 && b == 0.0 {
        return f64::INFINITY;
    }
    if a >= 0.0 && b >= 0.0 {
        // It grows from the beginning: as with explicit Euler, the step that adds alpha is a time scale all the same.
        return positive_root(b, a, -alpha).unwrap_or(f64::INFINITY);
    }
    if a > 0.0 || (a == 0.0 && b > 0.0) {
        return positive_root(b, a, 1.0 + alpha).unwrap_or(f64::INFINITY);
    }
    if b > 0.0 {
        let lowest = 1.0 - a * a / (4.0 * b);
        if lowest > alpha {
            return -a / (2.0 * b);
        }
        if lowest >= -alpha {
            // It comes down, stays above -alpha and leaves upwards: the larger root of gain = alpha.
            return (-a + (a * a - 4.0 * b * (1.0 - alpha)).max(0.0).sqrt()) / (2.0 * b);
        }
    }
    // It falls below -alpha.
    positive_root(b, a, 1.0 + alpha).unwrap_or(f64::INFINITY)
}

/// The smallest positive root of `b h^2 + a h + c`.
fn positive_root(b: f64, a: f64, c: f64) -> Option<f64> {
    let roots = if b == 0.0 {
        vec![-c / a]
    } else {
        let discriminant = a * a - 4.0 * b * c;
        if discriminant < 0.0 {
            return None;
        }
        // Without cancellation.
        let q = -0.5 * (a + a.signum() * discriminant.sqrt());
        vec![q / b, c / q]
    };
    roots.into_iter().filter(|h| h.is_finite() && *h > 0.0).min_by(f64::total_cmp)
}

/// The first step at which the product of the factors reaches alpha.
fn cycle_bound(factors: &[Coefficients], alpha: f64) -> f64 {
    let goal = alpha.ln();
    let gain = |h: f64| factors.iter().map(|factor| factor.at(h).abs().ln()).sum::<f64>();
    let majorant = |h: f64| factors.iter().map(|factor| factor.majorant(h).abs().ln()).sum::<f64>();
    let bisect = |f: &dyn Fn(f64) -> f64, mut low: f64, mut high: f64| {
        for _ in 0..200 {
            let middle = (low * high).sqrt();
            if middle <= low || middle >= high {
                break;
            }
            if f(middle) < goal { low = middle } else { high = middle }
        }
        high
    };
    // The majorant grows with h: the step at which it reaches alpha is a first bound from below.
    let (mut low, mut high) = (1.0f64, 1.0f64);
    while majorant(low) >= goal && low > f64::MIN_POSITIVE * 1e20 {
        low *= 0.0625;
    }
    while majorant(high) < goal && high < 1e280 {
        high *= 16.0;
    }
    let begin = bisect(&majorant, low, high) * (1.0 - 1e-12);
    // From there in small steps over twelve decades, in which every polynomial here shows its leading term.
    let factor = 10f64.powf(12.0 / SEARCH_STEPS as f64);
    let mut before = begin;
    for _ in 0..SEARCH_STEPS {
        let next = before * factor;
        if gain(next) >= goal {
            return bisect(&gain, before, next);
        }
        before = next;
    }
    f64::INFINITY
}
