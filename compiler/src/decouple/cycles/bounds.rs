//! The bound of every state, at any size of the model.
//!
//! Input: a [`Jacobian`] and [`Options`]. Output: [`Bounds`]: a bracket per state with a witness, and the number of cycles.
//!
//! Method: self loops in closed form. The other cycles are looked for in the blocks of the digraph ([`super::decompose`]): all of
//! them where Johnson's enumeration ends within its budget, otherwise by the certified algorithm of [`super::certify`].
//! Guarantee: `h_lower <= h <= h_upper`, up to rounding of 1e-12. Cost: the budget, and O(n log n) for models that split into
//! small blocks.

use super::bracket::{Bounds, StateBound};
use super::certify::{Bracket, Certificates};
use super::decompose::{Block, Decomposition, decompose};
use super::enumerate::{Limits, enumerate};
use super::graph::Digraph;
use super::heun;
use super::indices::indices;
use super::jacobian::Jacobian;
use super::options::{Budget, Options, Probe};
use super::profile::{CycleProfile, Witness, canonical};

/// The bounds of the states at one operating point.
pub fn bounds(jacobian: &Jacobian, options: &Options) -> Bounds {
    let graph = Digraph::numerical(jacobian);
    let found = match options.probe {
        Probe::Euler => euler(&graph, options),
        Probe::Heun => heun::bounds(jacobian, &graph, options),
    };
    let structural = Digraph::structural(jacobian);
    let same = structural.edges.len() == graph.edges.len() && options.probe == Probe::Euler;
    let structural_cycles = if same { found.cycles } else { count_cycles(&structural, &options.budget) };
    Bounds { structural_cycles, dropped: graph.n_dropped, ..found }
}

/// The number of simple cycles, self loops at all states included.
fn count_cycles(graph: &Digraph, budget: &Budget) -> Option<u64> {
    let Decomposition { blocks, closed } = decompose(graph);
    let mut count = (graph.n + closed.len()) as u64;
    let mut total = Limits { cycles: u64::MAX, visits: budget.edge_visits };
    for block in &blocks {
        let mut limits = Limits { cycles: budget.cycles, ..total };
        enumerate(block, &mut limits, |_| count += 1).ok()?;
        total.visits = limits.visits;
    }
    Some(count)
}

fn euler(graph: &Digraph, options: &Options) -> Bounds {
    let mut profiles: Vec<CycleProfile> = graph.diagonal.iter().map(|&entry| CycleProfile::of_entry(entry)).collect();
    let Decomposition { blocks, closed } = decompose(graph);
    let mut count = (graph.n + closed.len()) as u64;
    for arc in &closed {
        add_cycle(&mut profiles, arc.via.clone(), arc.weight);
    }
    let mut visits = options.budget.edge_visits;
    let mut too_large: Vec<&Block> = Vec::new();
    for block in &blocks {
        // In large blocks the enumeration hardly ever ends; it gets only a short trial. First the cycles are only counted, which is
        // much cheaper than keeping them.
        let trial = if block.n > 1000 { visits.min(2_000_000) } else { visits };
        let mut limits = Limits { cycles: options.budget.cycles, visits: trial };
        let mut found = 0;
        if enumerate(block, &mut limits, |_| found += 1).is_err() {
            too_large.push(block);
            continue;
        }
        visits -= trial - limits.visits;
        count += found;
        let mut limits = Limits { cycles: u64::MAX, visits: u64::MAX };
        let again = enumerate(block, &mut limits, |arcs| {
            let states = arcs.iter().flat_map(|&at| block.arcs[at].via.iter().copied()).collect();
            add_cycle(&mut profiles, states, arcs.iter().map(|&at| block.arcs[at].weight).sum());
        });
        debug_assert!(again.is_ok(), "what ended once ends twice");
    }
    if too_large.is_empty() {
        let states = state_bounds(&profiles, None, options);
        return Bounds { states, cycles: Some(count), profiles: Some(profiles), ..Bounds::default() };
    }
    let own_rates: Vec<f64> = profiles.iter().map(|profile| -profile.self_loop(options.alpha, options.self_loop).ln()).collect();
    let own_rate = |state: usize| own_rates[state];
    let mut certificates = Certificates::new(&too_large, graph.n, options, &own_rate);
    // States that could be on the other side of the largest gap are searched, which may move the gap.
    for _ in 0..4 {
        let states = state_bounds(&profiles, Some(&certificates.brackets), options);
        let found = indices(&states);
        let Some(cut) = found.cuts.first().filter(|cut| !cut.certified) else { break };
        let in_doubt: Vec<usize> =
            found.order[..cut.after].iter().copied().filter(|&state| states[state].h_upper >= cut.threshold).collect();
        if !certificates.refine(&in_doubt, &own_rate) {
            break;
        }
    }
    let others = certificates.in_small_blocks();
    certificates.refine(&others, &own_rate);
    let states = state_bounds(&profiles, Some(&certificates.brackets), options);
    Bounds { states, ..Bounds::default() }
}

/// The bounds of all states from the cycles that are known, and from brackets where not all of them are.
fn state_bounds(profiles: &[CycleProfile], brackets: Option<&[Bracket]>, options: &Options) -> Vec<StateBound> {
    let bound = |(state, profile): (usize, &CycleProfile)| {
        let bracket = brackets.map(|brackets| &brackets[state]);
        let limit = match bracket.and_then(|bracket| bracket.cycle.as_ref()) {
            Some((weight, witness)) => {
                let mut profile = profile.clone();
                profile.add(*weight, witness);
                profile.limit(options.alpha, options.self_loop)
            }
            None => profile.limit(options.alpha, options.self_loop),
        };
        let witness = match limit.witness {
            Some(witness) => witness.iter().map(|&state| state as usize).collect(),
            None if limit.h.is_finite() => vec![state],
            None => Vec::new(),
        };
        let certain = bracket.map_or(f64::INFINITY, |bracket| (-bracket.highest_rate).exp());
        // Equal up to rounding is equal: the certificate has a margin of that size.
        let exact = certain >= limit.h * (1.0 - 1e-11);
        StateBound { h_lower: if exact { limit.h } else { certain }, h_upper: limit.h, exact, witness, unstable: profile.is_unstable() }
    };
    profiles.iter().enumerate().map(bound).collect()
}

/// Adds a cycle to the profiles of all states on it.
fn add_cycle(profiles: &mut [CycleProfile], mut states: Vec<u32>, weight: f64) {
    canonical(&mut states);
    let witness: Witness = states.into();
    for &state in witness.iter() {
        profiles[state as usize].add(weight, &witness);
    }
}
