//! Certified bounds in blocks with too many cycles to enumerate.
//!
//! Input: [`Block`]s. Output: per state a [`Bracket`]: a cycle through it, and a rate that no cycle through it exceeds. The rate of
//! a cycle of length L with product P is `r = (ln |P| + beta) / L`, `beta = -ln alpha`; the bound of a state is `exp(-r)` of its
//! best cycle. To find it is NP-hard, but it can be enclosed:
//!
//! 1. Howard's policy iteration gives `lambda`, at least the largest mean of a cycle, and potentials under which every arc has a
//!    cost `c = lambda L - w` (up to potentials) of at least zero. `lambda` is corrected to be valid whatever the potentials are.
//!    A cycle of cost C has the rate `lambda + (beta - C) / L`.
//! 2. A shortest closed path through a state (Dijkstra) is a simple cycle; its cost D is the least of all cycles through it.
//! 3. If `D <= beta`, the best rate is at least `lambda`, and Dinkelbach's iteration with Dijkstra's method finds it exactly.
//! 4. Otherwise the shortest path is a cycle all the same, and every cycle through the state obeys two inequalities:
//!    `L (lambda - r) >= D - beta =: K`, and, because a cycle leaves each node once, `(r - rho) L <= A(rho)` for every rate `rho`,
//!    where A is beta plus what the state's best arc and all other nodes' best arcs have above `rho` per length (if anything),
//!    under any potentials. Together: `r <= (A lambda + K rho) / (A + K)`; the best `rho` of a grid and of several potentials counts.
//! 5. Where that is not enough to decide about a cut, a depth-first search for better cycles, pruned by the distance back to
//!    the state, either ends and makes the bracket exact or runs out of its budget.
//!
//! Guarantee: no cycle through a state has a higher rate than its bracket says, up to rounding of 1e-12. Cost: Howard's
//! iterations times arcs, one shortest path search per state that ends when it has found the state again, and the budget.

use super::decompose::Block;
use super::options::{Budget, Options};
use super::profile::{Witness, canonical};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Howard's iterations at most; what is missing then only makes `lambda` larger.
const HOWARD_ITERATIONS: usize = 2000;

/// Points of the grid of rates.
const GRID: usize = 256;

/// Rounding that certificates allow for.
const MARGIN: f64 = 1e-12;

/// Blocks with more nodes are searched only for states that a cut depends on.
const SMALL_BLOCK: usize = 1500;

/// What is known about the cycles of at least two states through a state.
#[derive(Clone, Debug)]
pub(super) struct Bracket {
    /// No cycle has a higher rate.
    pub(super) highest_rate: f64,
    /// The rate of the best cycle known.
    pub(super) known_rate: f64,
    /// That cycle, by the logarithm of its product and its states.
    pub(super) cycle: Option<(f64, Witness)>,
}

impl Default for Bracket {
    fn default() -> Bracket {
        Bracket { highest_rate: f64::NEG_INFINITY, known_rate: f64::NEG_INFINITY, cycle: None }
    }
}

/// Where all arcs through a state begin or end.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Anchor {
    /// They all begin at this node.
    Tail(usize),
    /// They all end at this node.
    Head(usize),
}

/// Lists of arcs by node.
struct Lists {
    starts: Vec<usize>,
    arcs: Vec<usize>,
}

impl Lists {
    fn new(n: usize, key: impl Iterator<Item = usize> + Clone) -> Lists {
        let mut starts = vec![0usize; n + 1];
        for node in key.clone() {
            starts[node + 1] += 1;
        }
        for node in 0..n {
            starts[node + 1] += starts[node];
        }
        let mut fill = starts.clone();
        let mut arcs = vec![0; starts[n]];
        for (at, node) in key.enumerate() {
            arcs[fill[node]] = at;
            fill[node] += 1;
        }
        Lists { starts, arcs }
    }

    fn of(&self, node: usize) -> &[usize] {
        &self.arcs[self.starts[node]..self.starts[node + 1]]
    }
}

/// A block with potentials.
struct Network<'a> {
    block: &'a Block,
    out: Lists,
    into: Lists,
    lambda: f64,
    potentials: Vec<f64>,
    /// Cost of each arc, at least zero.
    cost: Vec<f64>,
    length: Vec<f64>,
    /// The states of the block, ascending.
    states: Vec<u32>,
    /// For each of them its anchor and the arcs through it.
    anchors: Vec<Anchor>,
    arcs_of: Vec<Vec<usize>>,
}

/// Room of a shortest path search.
struct Paths {
    /// Distance of each node and the arc towards the anchor; valid if the mark is that of the search.
    distance: Vec<f64>,
    arc: Vec<usize>,
    mark: Vec<u32>,
    settled: Vec<u32>,
    search: u32,
    heap: BinaryHeap<Reverse<(Ordered, usize)>>,
}

/// A distance that can be compared; never NaN.
#[derive(Copy, Clone, PartialEq)]
struct Ordered(f64);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Ordered) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Ordered) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// What a search for shortest closed paths found out about one state.
#[derive(Copy, Clone, Debug)]
struct Closed {
    /// Cost of the path.
    cost: f64,
    /// The arc through the state.
    arc: Option<usize>,
}

/// The brackets of the states of some blocks, and what is needed to refine them.
pub(super) struct Certificates<'a> {
    networks: Vec<Network<'a>>,
    /// For each network and each of its states the rate that no cycle within the network exceeds.
    highest: Vec<Vec<f64>>,
    beta: f64,
    budget: Budget,
    expansions: u64,
    /// By state.
    pub(super) brackets: Vec<Bracket>,
}

impl<'a> Certificates<'a> {
    /// Encloses the rates of all states of some blocks. `own_rate` gives a rate that the state has anyway: what cannot exceed it
    /// need not be known.
    pub(super) fn new(blocks: &[&'a Block], n_states: usize, options: &Options, own_rate: &dyn Fn(usize) -> f64) -> Certificates<'a> {
        let mut certificates = Certificates {
            networks: blocks.iter().map(|block| Network::new(block)).collect(),
            highest: Vec::new(),
            beta: -options.alpha.ln(),
            budget: options.budget,
            expansions: options.budget.expansions,
            brackets: vec![Bracket::default(); n_states],
        };
        let mut visits = options.budget.path_visits;
        for network in &certificates.networks {
            certificates.highest.push(network.enclose(certificates.beta, own_rate, &mut visits, &mut certificates.brackets));
        }
        certificates.collect();
        certificates
    }

    /// The highest rate of a state is that of all networks it is in.
    fn collect(&mut self) {
        for (network, highest) in self.networks.iter().zip(&self.highest) {
            network.states.iter().for_each(|&state| self.brackets[state as usize].highest_rate = f64::NEG_INFINITY);
            debug_assert_eq!(network.states.len(), highest.len());
        }
        for (network, highest) in self.networks.iter().zip(&self.highest) {
            for (&state, &rate) in network.states.iter().zip(highest) {
                let bracket = &mut self.brackets[state as usize];
                bracket.highest_rate = bracket.highest_rate.max(rate);
            }
        }
    }

    /// Searches for better cycles through these states; whether any bracket became exact.
    pub(super) fn refine(&mut self, states: &[usize], own_rate: &dyn Fn(usize) -> f64) -> bool {
        let mut wanted: Vec<u32> = states.iter().map(|&state| state as u32).collect();
        wanted.sort_unstable();
        let mut progress = false;
        for (network, highest) in self.networks.iter().zip(&mut self.highest) {
            let mut paths = Paths::new(network.block.n);
            for at in 0..network.states.len() {
                let state = network.states[at] as usize;
                let known = own_rate(state).max(self.brackets[state].known_rate);
                if self.expansions == 0 || wanted.binary_search(&network.states[at]).is_err() || highest[at] <= known + MARGIN {
                    continue;
                }
                let allowed = self.expansions.min(self.budget.expansions_per_state);
                let mut left = allowed;
                if let Some(rate) = network.search_all(at, self.beta, own_rate(state), &mut left, &mut paths, &mut self.brackets) {
                    highest[at] = highest[at].min(rate);
                    progress = true;
                }
                // Preparing a search costs about as much as visiting all nodes.
                self.expansions = self.expansions.saturating_sub(allowed - left + network.block.n as u64);
            }
        }
        self.collect();
        progress
    }

    /// States of blocks small enough to be searched for their own sake.
    pub(super) fn in_small_blocks(&self) -> Vec<usize> {
        let small = self.networks.iter().filter(|network| network.block.n <= SMALL_BLOCK);
        small.flat_map(|network| network.states.iter().map(|&state| state as usize)).collect()
    }
}

impl<'a> Network<'a> {
    fn new(block: &'a Block) -> Network<'a> {
        let n = block.n;
        let out = Lists::new(n, block.arcs.iter().map(|arc| arc.from));
        let into = Lists::new(n, block.arcs.iter().map(|arc| arc.to));
        let (lambda, potentials) = howard(block, &out);
        let length: Vec<f64> = block.arcs.iter().map(|arc| arc.length() as f64).collect();
        let cost = block
            .arcs
            .iter()
            .zip(&length)
            .map(|(arc, length)| (potentials[arc.from] - potentials[arc.to] - arc.weight + lambda * length).max(0.0));
        let cost = cost.collect();
        let mut states: Vec<u32> = block.arcs.iter().flat_map(|arc| arc.via.iter().copied()).collect();
        states.sort_unstable();
        states.dedup();
        let mut arcs_of = vec![Vec::new(); states.len()];
        for (at, arc) in block.arcs.iter().enumerate() {
            for state in &arc.via {
                if let Ok(place) = states.binary_search(state) {
                    arcs_of[place].push(at);
                }
            }
        }
        // Contraction keeps the arcs of a state together at one end.
        let anchors = arcs_of.iter().map(|arcs| {
            let tail = block.arcs[arcs[0]].from;
            if arcs.iter().all(|&at| block.arcs[at].from == tail) { Anchor::Tail(tail) } else { Anchor::Head(block.arcs[arcs[0]].to) }
        });
        let anchors = anchors.collect();
        Network { block, out, into, lambda, potentials, cost, length, states, anchors, arcs_of }
    }

    /// Shortest closed paths through states of one anchor, with `extra` cost per length. Ends when no state of `members` can have a
    /// shorter one, beyond `radius`, or when the budget is used up. Gives the distance up to which everything is known.
    #[expect(
        clippy::too_many_arguments,
        reason = "a search from one anchor: its limits, its count of work and where it puts what it finds"
    )]
    fn closed_paths(
        &self,
        anchor: Anchor,
        members: &[usize],
        extra: f64,
        radius: f64,
        visits: &mut u64,
        paths: &mut Paths,
        found: &mut [Closed],
    ) -> f64 {
        let (root, backward) = match anchor {
            Anchor::Tail(node) => (node, true),
            Anchor::Head(node) => (node, false),
        };
        for &member in members {
            found[member] = Closed { cost: f64::INFINITY, arc: None };
        }
        let mut farthest = f64::INFINITY;
        paths.begin();
        paths.offer(root, 0.0, usize::MAX);
        while let Some(Reverse((Ordered(distance), node))) = paths.heap.pop() {
            if distance > paths.distance[node] || paths.settled[node] == paths.search {
                continue;
            }
            if distance >= farthest || distance > radius || *visits == 0 {
                return distance;
            }
            paths.settled[node] = paths.search;
            let arcs = if backward { self.into.of(node) } else { self.out.of(node) };
            *visits = visits.saturating_sub(arcs.len() as u64);
            for &at in arcs {
                let arc = &self.block.arcs[at];
                let other = if backward { arc.from } else { arc.to };
                let reached = distance + self.cost[at] + extra * self.length[at];
                if other != root {
                    paths.offer(other, reached, at);
                    continue;
                }
                let mut closer = false;
                for &member in members {
                    if reached < found[member].cost && arc.via.contains(&self.states[member]) {
                        found[member] = Closed { cost: reached, arc: Some(at) };
                        closer = true;
                    }
                }
                if closer {
                    farthest = members.iter().map(|&member| found[member].cost).fold(0.0, f64::max);
                }
            }
        }
        f64::INFINITY
    }

    /// The arcs of the closed path through an arc, after a search from an anchor.
    fn rebuild(&self, anchor: Anchor, closing: usize, paths: &Paths) -> Vec<usize> {
        let mut arcs = vec![closing];
        match anchor {
            Anchor::Tail(root) => {
                let mut node = self.block.arcs[closing].to;
                while node != root {
                    arcs.push(paths.arc[node]);
                    node = self.block.arcs[paths.arc[node]].to;
                }
            }
            Anchor::Head(root) => {
                let mut node = self.block.arcs[closing].from;
                while node != root {
                    arcs.push(paths.arc[node]);
                    node = self.block.arcs[paths.arc[node]].from;
                }
                arcs.reverse();
            }
        }
        arcs
    }

    /// Gives a cycle to all its states; returns its rate.
    fn publish(&self, arcs: &[usize], beta: f64, brackets: &mut [Bracket]) -> f64 {
        let mut states: Vec<u32> = arcs.iter().flat_map(|&at| self.block.arcs[at].via.iter().copied()).collect();
        let weight: f64 = arcs.iter().map(|&at| self.block.arcs[at].weight).sum();
        let rate = (weight + beta) / states.len() as f64;
        canonical(&mut states);
        let witness: Witness = states.into();
        for &state in witness.iter() {
            let bracket = &mut brackets[state as usize];
            if rate > bracket.known_rate {
                bracket.known_rate = rate;
                bracket.cycle = Some((weight, witness.clone()));
            }
        }
        rate
    }

    /// For each state a rate that no cycle of the block through it exceeds; cycles found on the way go to the brackets.
    fn enclose(&self, beta: f64, own_rate: &dyn Fn(usize) -> f64, visits: &mut u64, brackets: &mut [Bracket]) -> Vec<f64> {
        let n_states = self.states.len() as f64;
        // No cycle has a higher rate than this.
        let ceiling = self.lambda + 0.5 * beta;
        let mut paths = Paths::new(self.block.n);
        let mut found = vec![Closed { cost: f64::INFINITY, arc: None }; self.states.len()];
        let mut by_anchor: Vec<usize> = (0..self.states.len()).filter(|&at| own_rate(self.states[at] as usize) < ceiling).collect();
        let mut highest = vec![ceiling + MARGIN; self.states.len()];
        by_anchor.sort_by_key(|&at| (self.anchors[at], at));
        // States of which only the shortest path is known, with K of the header.
        let mut open: Vec<(usize, f64)> = Vec::new();
        for members in by_anchor.chunk_by(|&a, &b| self.anchors[a] == self.anchors[b]) {
            let anchor = self.anchors[members[0]];
            // States with a cycle of at least the rate lambda are ready for the next stage.
            let (ready, members): (Vec<usize>, Vec<usize>) =
                members.iter().partition(|&&at| brackets[self.states[at] as usize].known_rate >= self.lambda);
            for at in ready {
                highest[at] = self.dinkelbach(at, self.lambda, beta, visits, &mut paths, &mut found, brackets);
            }
            if members.is_empty() {
                continue;
            }
            let known_to = self.closed_paths(anchor, &members, 0.0, f64::INFINITY, visits, &mut paths, &mut found);
            let mut rates = Vec::with_capacity(members.len());
            for &at in &members {
                rates.push(found[at].arc.map(|closing| self.publish(&self.rebuild(anchor, closing, &paths), beta, brackets)));
            }
            let least: Vec<f64> = members.iter().map(|&at| found[at].cost).collect();
            for ((&at, least), rate) in members.iter().zip(least).zip(rates) {
                let complete = least <= known_to;
                match rate {
                    Some(rate) if complete && least <= beta => {
                        highest[at] = self.dinkelbach(at, rate, beta, visits, &mut paths, &mut found, brackets);
                    }
                    _ => {
                        let distance = least.min(known_to);
                        if distance > beta {
                            let k = distance - beta;
                            highest[at] = self.lambda - k / n_states + MARGIN;
                            open.push((at, k));
                        } else {
                            highest[at] = self.lambda + 0.5 * (beta - distance) + MARGIN;
                        }
                    }
                }
            }
        }
        self.once_per_node(&open, beta, brackets, &mut highest);
        highest
    }

    /// The best rate of a state that has a cycle of at least the rate `lambda`; never lower than the truth.
    #[expect(clippy::too_many_arguments, reason = "the rooms of the searches are shared with the caller")]
    fn dinkelbach(
        &self,
        at: usize,
        first: f64,
        beta: f64,
        visits: &mut u64,
        paths: &mut Paths,
        found: &mut [Closed],
        brackets: &mut [Bracket],
    ) -> f64 {
        let anchor = self.anchors[at];
        let mut rate = first.max(brackets[self.states[at] as usize].known_rate).max(self.lambda);
        loop {
            let known_to = self.closed_paths(anchor, &[at], rate - self.lambda, beta, visits, paths, found);
            let Closed { cost, arc } = found[at];
            if let Some(closing) = arc
                && cost < beta - MARGIN
            {
                let better = self.publish(&self.rebuild(anchor, closing, paths), beta, brackets);
                if better > rate {
                    rate = better;
                    continue;
                }
            }
            // Cycles that were not seen cost more than `known_to`.
            return rate + 0.5 * (beta - cost.min(known_to)).max(0.0) + MARGIN;
        }
    }

    /// Improves the upper ends of states by the fact that a cycle visits each node once.
    fn once_per_node(&self, open: &[(usize, f64)], beta: f64, brackets: &[Bracket], highest: &mut [f64]) {
        let lowest = open.iter().map(|&(at, _)| brackets[self.states[at] as usize].known_rate).fold(self.lambda, f64::min);
        if open.is_empty() || !lowest.is_finite() || lowest >= self.lambda {
            return;
        }
        let grid: Vec<f64> = (0..GRID).map(|k| lowest + (self.lambda - lowest) * k as f64 / GRID as f64).collect();
        let n = self.block.n;
        let half: Vec<f64> = self.potentials.iter().map(|p| 0.5 * p).collect();
        for potentials in [vec![0.0; n], self.balanced(), half, self.potentials.clone()] {
            let weight: Vec<f64> = self.block.arcs.iter().map(|arc| arc.weight + potentials[arc.to] - potentials[arc.from]).collect();
            for tail in [true, false] {
                let is_of_kind = |anchor: Anchor| matches!(anchor, Anchor::Tail(_)) == tail;
                if !open.iter().any(|&(at, _)| is_of_kind(self.anchors[at])) {
                    continue;
                }
                let lists = if tail { &self.out } else { &self.into };
                let best =
                    |arcs: &[usize], rho: f64| arcs.iter().map(|&at| weight[at] - rho * self.length[at]).fold(f64::NEG_INFINITY, f64::max);
                let surplus: Vec<f64> = grid.iter().map(|&rho| (0..n).map(|node| best(lists.of(node), rho).max(0.0)).sum()).collect();
                for &(at, k) in open {
                    let (Anchor::Tail(node) | Anchor::Head(node)) = self.anchors[at];
                    if !is_of_kind(self.anchors[at]) {
                        continue;
                    }
                    for (&rho, surplus) in grid.iter().zip(&surplus) {
                        let a = beta + best(&self.arcs_of[at], rho) + surplus - best(lists.of(node), rho).max(0.0);
                        let bound = if a <= 0.0 { rho } else { (a * self.lambda + k * rho) / (a + k) };
                        highest[at] = highest[at].min(bound + MARGIN);
                    }
                }
            }
        }
    }

    /// Potentials under which the best arcs into and out of each node are about equal.
    fn balanced(&self) -> Vec<f64> {
        let mut potentials = vec![0.0; self.block.n];
        for _ in 0..20 {
            for node in 0..self.block.n {
                let weight =
                    |at: usize| self.block.arcs[at].weight + potentials[self.block.arcs[at].to] - potentials[self.block.arcs[at].from];
                let out = self.out.of(node).iter().map(|&at| weight(at)).fold(f64::NEG_INFINITY, f64::max);
                let into = self.into.of(node).iter().map(|&at| weight(at)).fold(f64::NEG_INFINITY, f64::max);
                if out.is_finite() && into.is_finite() {
                    potentials[node] += 0.5 * (out - into);
                }
            }
        }
        potentials
    }

    /// All cycles through a state that could have a higher rate than the best one known. Gives the highest rate, if the budget was enough.
    fn search_all(&self, at: usize, beta: f64, own_rate: f64, left: &mut u64, paths: &mut Paths, brackets: &mut [Bracket]) -> Option<f64> {
        struct Visit {
            node: usize,
            next: usize,
            cost: f64,
            length: f64,
        }
        let state = self.states[at] as usize;
        let (root, forward) = match self.anchors[at] {
            Anchor::Tail(node) => (node, true),
            Anchor::Head(node) => (node, false),
        };
        // Distances of all nodes to the root.
        let mut found = vec![Closed { cost: f64::INFINITY, arc: None }; self.states.len()];
        self.closed_paths(self.anchors[at], &[], 0.0, f64::INFINITY, &mut u64::MAX.clone(), paths, &mut found);
        let n_states = self.states.len() as f64;
        let mut best = brackets[state].known_rate.max(own_rate);
        let mut on_path = vec![false; self.block.n];
        let arcs_from = |node: usize| if forward { self.out.of(node) } else { self.into.of(node) };
        let end_of = |at: usize| if forward { self.block.arcs[at].to } else { self.block.arcs[at].from };
        let mut complete = true;
        'arcs: for &first in &self.arcs_of[at] {
            let begin = end_of(first);
            let mut arcs = vec![first];
            let mut visits = vec![Visit { node: begin, next: 0, cost: self.cost[first], length: self.length[first] }];
            on_path[begin] = true;
            while let Some(visit) = visits.last_mut() {
                let node = visit.node;
                let Some(&next) = arcs_from(node).get(visit.next) else {
                    on_path[node] = false;
                    visits.pop();
                    arcs.pop();
                    continue;
                };
                visit.next += 1;
                let (cost, length) = (visit.cost + self.cost[next], visit.length + self.length[next]);
                let end = end_of(next);
                if end == root {
                    if self.lambda + (beta - cost) / length > best + MARGIN {
                        arcs.push(next);
                        let rate = if forward {
                            self.publish(&arcs, beta, brackets)
                        } else {
                            let reversed: Vec<usize> = arcs.iter().rev().copied().collect();
                            self.publish(&reversed, beta, brackets)
                        };
                        best = best.max(rate);
                        arcs.pop();
                    }
                    continue;
                }
                let home = if paths.settled[end] == paths.search { paths.distance[end] } else { f64::INFINITY };
                if on_path[end] || cost + home >= beta + (self.lambda - best).max(0.0) * n_states {
                    continue;
                }
                if *left == 0 {
                    complete = false;
                    for visit in visits {
                        on_path[visit.node] = false;
                    }
                    break 'arcs;
                }
                *left -= 1;
                on_path[end] = true;
                arcs.push(next);
                visits.push(Visit { node: end, next: 0, cost, length });
            }
        }
        complete.then_some(best + MARGIN)
    }
}

impl Paths {
    fn new(n: usize) -> Paths {
        Paths {
            distance: vec![0.0; n],
            arc: vec![usize::MAX; n],
            mark: vec![0; n],
            settled: vec![0; n],
            search: 0,
            heap: BinaryHeap::new(),
        }
    }

    fn begin(&mut self) {
        self.search += 1;
        self.heap.clear();
    }

    fn offer(&mut self, node: usize, distance: f64, arc: usize) {
        if self.mark[node] != self.search || distance < self.distance[node] {
            self.mark[node] = self.search;
            self.distance[node] = distance;
            self.arc[node] = arc;
            self.heap.push(Reverse((Ordered(distance), node)));
        }
    }
}

/// An upper bound of the mean weight per length of all cycles of a strongly connected block, and potentials that prove it.
/// Howard's policy iteration as in Dasdan, "Experimental analysis of the fastest optimum cycle ratio and mean algorithms", ACM
/// TODAES 9(4), 2004.
fn howard(block: &Block, out: &Lists) -> (f64, Vec<f64>) {
    let n = block.n;
    let length = |at: usize| block.arcs[at].length() as f64;
    let mut policy: Vec<usize> = (0..n)
        .map(|node| {
            out.of(node)
                .iter()
                .copied()
                .max_by(|&a, &b| (block.arcs[a].weight / length(a)).total_cmp(&(block.arcs[b].weight / length(b))))
                .unwrap_or_default()
        })
        .collect();
    let mut value = vec![0.0f64; n];
    for _ in 0..HOWARD_ITERATIONS {
        let (lambda, root) = best_policy_cycle(block, &policy);
        // Values of all nodes from which the policy leads to the best cycle.
        let to = |at: usize| block.arcs[at].to;
        let followers = Lists::new(n, policy.iter().map(|&at| to(at)));
        let mut seen = vec![false; n];
        seen[root] = true;
        let mut queue = vec![root];
        while let Some(node) = queue.pop() {
            // The lists hold nodes here: node u has the position u among the keys.
            for &follower in followers.of(node) {
                if !std::mem::replace(&mut seen[follower], true) {
                    let at = policy[follower];
                    value[follower] = value[node] + block.arcs[at].weight - lambda * length(at);
                    queue.push(follower);
                }
            }
        }
        let mut improved = false;
        for (at, arc) in block.arcs.iter().enumerate() {
            let offered = value[arc.to] + arc.weight - lambda * length(at);
            if offered > value[arc.from] + 1e-10 {
                value[arc.from] = offered;
                policy[arc.from] = at;
                improved = true;
            }
        }
        if !improved {
            break;
        }
    }
    let lambda = block
        .arcs
        .iter()
        .enumerate()
        .map(|(at, arc)| (value[arc.to] + arc.weight - value[arc.from]) / length(at))
        .fold(f64::NEG_INFINITY, f64::max);
    (lambda + MARGIN * (1.0 + lambda.abs()), value)
}

/// The largest mean of a cycle of the policy, and a node on that cycle.
fn best_policy_cycle(block: &Block, policy: &[usize]) -> (f64, usize) {
    let n = block.n;
    // The walk in which a node was seen first, counted from one.
    let mut walk_of = vec![0usize; n];
    let mut best = (f64::NEG_INFINITY, 0);
    for start in 0..n {
        let mut node = start;
        while walk_of[node] == 0 {
            walk_of[node] = start + 1;
            node = block.arcs[policy[node]].to;
        }
        if walk_of[node] != start + 1 {
            continue;
        }
        let (mut weight, mut length, mut at) = (0.0, 0.0, node);
        loop {
            let arc = &block.arcs[policy[at]];
            weight += arc.weight;
            length += arc.length() as f64;
            at = arc.to;
            if at == node {
                break;
            }
        }
        if weight / length > best.0 {
            best = (weight / length, node);
        }
    }
    best
}
