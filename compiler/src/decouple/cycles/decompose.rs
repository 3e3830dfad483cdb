//! The parts of a digraph that hold its simple cycles.
//!
//! Input: arcs with weights between states. Output: [`Block`]s, strongly connected and biconnected, and cycles that were closed on
//! the way. Method: every simple cycle lies in one strongly connected component and in one biconnected component of its
//! undirected form, and stays a simple cycle when a node with a single arc in (or out) is drawn into its only predecessor
//! (successor): that arc is joined with each arc that leaves (enters) the node. Passes of contraction alternate with splitting
//! until nothing changes. Components by Kosaraju (petgraph), biconnected ones by Hopcroft and Tarjan with an explicit stack.
//! Guarantee: simple cycles of the input, and cycles of the blocks together with the closed ones, correspond one to one; an arc
//! carries the states it stands for. Cost: O(arcs) per pass; at most [`LONGEST_ARC`] states per arc.

use super::graph::Digraph;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// Contraction stops before an arc stands for more states than this: lists of states stay short.
const LONGEST_ARC: usize = 64;

/// A way from one node to another.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Arc {
    /// Where it begins.
    pub(super) from: usize,
    /// Where it ends.
    pub(super) to: usize,
    /// Sum of the logarithms of the absolute entries along it.
    pub(super) weight: f64,
    /// States along it, the first one included, the one where the next arc begins excluded.
    pub(super) via: Vec<u32>,
}

impl Arc {
    /// Number of entries it stands for.
    pub(super) fn length(&self) -> usize {
        self.via.len()
    }
}

/// A strongly connected and biconnected graph whose nodes are `0..n`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Block {
    /// Number of nodes.
    pub(super) n: usize,
    /// Arcs between different nodes.
    pub(super) arcs: Vec<Arc>,
}

/// All simple cycles of a digraph but the self loops of its states.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Decomposition {
    /// Where further cycles are.
    pub(super) blocks: Vec<Block>,
    /// Arcs that end where they begin: each is one cycle.
    pub(super) closed: Vec<Arc>,
}

/// Takes a digraph apart.
pub(super) fn decompose(graph: &Digraph) -> Decomposition {
    let arcs =
        graph.edges.iter().map(|edge| Arc { from: edge.from, to: edge.to, weight: edge.value.abs().ln(), via: vec![edge.from as u32] });
    let whole = Block { n: graph.n, arcs: arcs.collect() };
    let mut result = Decomposition::default();
    let mut waiting = split(whole);
    while let Some(mut block) = waiting.pop() {
        if contract(&mut block, &mut result.closed) {
            waiting.extend(split(block));
        } else {
            result.blocks.push(block);
        }
    }
    // In the order of their states, whatever the order of the work was.
    let first_state = |arc: &Arc| arc.via.iter().copied().min();
    result.blocks.sort_by_key(|block| block.arcs.iter().filter_map(first_state).min());
    result
}

/// Draws nodes with a single arc in or out into their neighbours, each node at most once; whether anything changed.
fn contract(block: &mut Block, closed: &mut Vec<Arc>) -> bool {
    let n = block.n;
    let (mut n_in, mut n_out) = (vec![0usize; n], vec![0usize; n]);
    let (mut any_in, mut any_out) = (vec![0usize; n], vec![0usize; n]);
    for (at, arc) in block.arcs.iter().enumerate() {
        n_out[arc.from] += 1;
        n_in[arc.to] += 1;
        any_out[arc.from] = at;
        any_in[arc.to] = at;
    }
    let longest = |select: fn(&Arc) -> usize| {
        let mut length = vec![0usize; n];
        for arc in &block.arcs {
            length[select(arc)] = length[select(arc)].max(arc.length());
        }
        length
    };
    let (longest_out, longest_in) = (longest(|arc| arc.from), longest(|arc| arc.to));
    // The arc that each removed node is joined with, and whether it comes before the node's other arcs.
    let mut joined: Vec<Option<(usize, bool)>> = vec![None; n];
    let mut touched = vec![false; n];
    let mut changed = false;
    for node in 0..n {
        if touched[node] {
            continue;
        }
        let before = (n_in[node] == 1).then(|| any_in[node]).filter(|&at| {
            let other = block.arcs[at].from;
            !touched[other] && block.arcs[at].length() + longest_out[node] <= LONGEST_ARC
        });
        let after = (n_out[node] == 1).then(|| any_out[node]).filter(|&at| {
            let other = block.arcs[at].to;
            !touched[other] && block.arcs[at].length() + longest_in[node] <= LONGEST_ARC
        });
        if let Some(at) = before {
            touched[block.arcs[at].from] = true;
            joined[node] = Some((at, true));
        } else if let Some(at) = after {
            touched[block.arcs[at].to] = true;
            joined[node] = Some((at, false));
        } else {
            continue;
        }
        touched[node] = true;
        changed = true;
    }
    if !changed {
        return false;
    }
    let arcs = std::mem::take(&mut block.arcs);
    for (at, arc) in arcs.iter().enumerate() {
        let is_joint = |node: usize| joined[node].is_some_and(|(joint, _)| joint == at);
        if is_joint(arc.from) || is_joint(arc.to) {
            continue;
        }
        let mut new = arc.clone();
        if let Some((joint, true)) = joined[arc.from] {
            let joint = &arcs[joint];
            new.from = joint.from;
            new.weight += joint.weight;
            new.via = joint.via.iter().chain(&arc.via).copied().collect();
        }
        if let Some((joint, false)) = joined[arc.to] {
            let joint = &arcs[joint];
            new.to = joint.to;
            new.weight += joint.weight;
            new.via.extend(&joint.via);
        }
        if new.from == new.to { closed.push(new) } else { block.arcs.push(new) }
    }
    true
}

/// Splits a graph into its strongly connected and then biconnected parts that have a cycle.
fn split(block: Block) -> Vec<Block> {
    let n = block.n;
    let mut graph: DiGraph<(), (), u32> = DiGraph::with_capacity(n, block.arcs.len());
    for _ in 0..n {
        graph.add_node(());
    }
    for arc in &block.arcs {
        graph.add_edge(NodeIndex::new(arc.from), NodeIndex::new(arc.to), ());
    }
    let mut component = vec![0usize; n];
    for (number, members) in kosaraju_scc(&graph).iter().enumerate() {
        for node in members {
            component[node.index()] = number;
        }
    }
    let inside: Vec<Arc> = block.arcs.into_iter().filter(|arc| component[arc.from] == component[arc.to]).collect();
    let part_of = biconnected(n, &inside);
    let n_parts = part_of.iter().map(|part| part + 1).max().unwrap_or(0);
    let mut parts = vec![Block::default(); n_parts];
    for (arc, part) in inside.into_iter().zip(part_of) {
        parts[part].arcs.push(arc);
    }
    // Nodes are numbered anew in each part, in the order of their old numbers.
    let mut position = vec![0usize; n];
    for part in &mut parts {
        let mut nodes: Vec<usize> = part.arcs.iter().flat_map(|arc| [arc.from, arc.to]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        for (at, &node) in nodes.iter().enumerate() {
            position[node] = at;
        }
        part.n = nodes.len();
        for arc in &mut part.arcs {
            arc.from = position[arc.from];
            arc.to = position[arc.to];
        }
    }
    parts
}

/// The biconnected component of each arc, arcs seen without direction.
fn biconnected(n: usize, arcs: &[Arc]) -> Vec<usize> {
    struct Visit {
        node: usize,
        tree_arc: Option<usize>,
        next: usize,
    }
    let mut starts = vec![0usize; n + 1];
    for arc in arcs {
        starts[arc.from + 1] += 1;
        starts[arc.to + 1] += 1;
    }
    for node in 0..n {
        starts[node + 1] += starts[node];
    }
    let mut fill = starts.clone();
    let mut incident = vec![0usize; 2 * arcs.len()];
    for (at, arc) in arcs.iter().enumerate() {
        for node in [arc.from, arc.to] {
            incident[fill[node]] = at;
            fill[node] += 1;
        }
    }
    // Number of the visit, counted from one; zero is "not visited".
    let (mut number, mut low) = (vec![0usize; n], vec![0usize; n]);
    let mut used = vec![false; arcs.len()];
    let mut part_of = vec![0usize; arcs.len()];
    let (mut n_parts, mut n_visited) = (0, 0);
    let mut open: Vec<usize> = Vec::new();
    for root in 0..n {
        if number[root] != 0 {
            continue;
        }
        n_visited += 1;
        (number[root], low[root]) = (n_visited, n_visited);
        let mut visits = vec![Visit { node: root, tree_arc: None, next: starts[root] }];
        while let Some(visit) = visits.last_mut() {
            let node = visit.node;
            if visit.next < starts[node + 1] {
                let at = incident[visit.next];
                visit.next += 1;
                if std::mem::replace(&mut used[at], true) {
                    continue;
                }
                open.push(at);
                let other = if arcs[at].from == node { arcs[at].to } else { arcs[at].from };
                if number[other] == 0 {
                    n_visited += 1;
                    (number[other], low[other]) = (n_visited, n_visited);
                    visits.push(Visit { node: other, tree_arc: Some(at), next: starts[other] });
                } else {
                    low[node] = low[node].min(number[other]);
                }
                continue;
            }
            let tree_arc = visit.tree_arc;
            visits.pop();
            let (Some(tree_arc), Some(parent)) = (tree_arc, visits.last()) else { continue };
            let parent = parent.node;
            low[parent] = low[parent].min(low[node]);
            if low[node] >= number[parent] {
                while let Some(at) = open.pop() {
                    part_of[at] = n_parts;
                    if at == tree_arc {
                        break;
                    }
                }
                n_parts += 1;
            }
        }
    }
    part_of
}
