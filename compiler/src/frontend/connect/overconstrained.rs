//! Chooses which connections between overconstrained connectors are broken, so that what remains is a forest with one root per tree.
//!
//! Input: numbered nodes, definite and potential roots, branches that are never broken, connections in the order of the text.
//! Output: which connections are broken, which nodes are roots, and how far each node is from its root.
//! Method: union–find (section 9.4 of the specification). Branches and definite roots first, then connections in order; a
//! tree without a root takes its potential root of least priority, the first one of several.
//! Guarantee: no circle remains; a circle of branches, or a tree with two definite roots, is told. Cost: nearly linear.

use std::collections::VecDeque;

/// What is said about a graph of connectors.
#[derive(Default)]
pub(crate) struct Graph {
    pub(crate) n_nodes: usize,
    pub(crate) roots: Vec<usize>,
    /// Node and priority.
    pub(crate) potential: Vec<(usize, i64)>,
    pub(crate) branches: Vec<(usize, usize)>,
    pub(crate) connections: Vec<(usize, usize)>,
}

/// A spanning forest.
pub(crate) struct Forest {
    /// By connection.
    pub(crate) broken: Vec<bool>,
    pub(crate) is_root: Vec<bool>,
    /// Edges between a node and its root; none for nodes of trees without one.
    pub(crate) level: Vec<Option<usize>>,
}

/// Why there is no forest.
#[derive(Debug, PartialEq)]
pub(crate) enum Overdetermined {
    /// The branch at this position closes a circle.
    Circle(usize),
    /// The definite root at this position is the second of its tree.
    SecondRoot(usize),
}

struct Sets {
    parent: Vec<usize>,
}

impl Sets {
    fn root(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    /// Joins two trees; false if they are one.
    fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
        a != b
    }
}

/// The forest of a graph.
pub(crate) fn forest(graph: &Graph) -> Result<Forest, Overdetermined> {
    // The node behind the last stands for the ground to which all roots are tied.
    let ground = graph.n_nodes;
    let mut sets = Sets { parent: (0..=ground).collect() };
    let mut is_root = vec![false; graph.n_nodes];
    for (at, (a, b)) in graph.branches.iter().enumerate() {
        if !sets.join(*a, *b) {
            return Err(Overdetermined::Circle(at));
        }
    }
    for (at, root) in graph.roots.iter().enumerate() {
        if !sets.join(*root, ground) && !is_root[*root] {
            return Err(Overdetermined::SecondRoot(at));
        }
        is_root[*root] = true;
    }
    let broken: Vec<bool> = graph.connections.iter().map(|(a, b)| !sets.join(*a, *b)).collect();
    let mut potential = graph.potential.clone();
    // Stable: the first of equal ones stays first.
    potential.sort_by_key(|(_, priority)| *priority);
    for (node, _) in potential {
        if sets.join(node, ground) {
            is_root[node] = true;
        }
    }
    let level = levels(graph, &broken, &is_root);
    Ok(Forest { broken, is_root, level })
}

fn levels(graph: &Graph, broken: &[bool], is_root: &[bool]) -> Vec<Option<usize>> {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); graph.n_nodes];
    let kept = graph.connections.iter().zip(broken).filter(|(_, broken)| !**broken).map(|(edge, _)| edge);
    for (a, b) in graph.branches.iter().chain(kept) {
        neighbours[*a].push(*b);
        neighbours[*b].push(*a);
    }
    let mut level = vec![None; graph.n_nodes];
    let mut queue: VecDeque<usize> = (0..graph.n_nodes).filter(|node| is_root[*node]).collect();
    queue.iter().for_each(|root| level[*root] = Some(0));
    while let Some(at) = queue.pop_front() {
        for next in &neighbours[at] {
            if level[*next].is_none() {
                level[*next] = level[at].map(|level| level + 1);
                queue.push_back(*next);
            }
        }
    }
    level
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_connection_of_a_circle_is_broken() {
        let graph =
            Graph { n_nodes: 4, roots: vec![0], branches: vec![(1, 2)], connections: vec![(0, 1), (2, 3), (3, 0)], ..Graph::default() };
        let found = forest(&graph).unwrap_or_else(|why| panic!("{why:?}"));
        assert_eq!(found.broken, [false, false, true]);
        assert_eq!(found.level, [Some(0), Some(1), Some(2), Some(3)]);
    }

    #[test]
    fn a_tree_without_root_takes_the_first_of_least_priority() {
        let graph = Graph { n_nodes: 3, potential: vec![(0, 5), (1, 2), (2, 2)], connections: vec![(0, 1), (1, 2)], ..Graph::default() };
        let found = forest(&graph).unwrap_or_else(|why| panic!("{why:?}"));
        assert_eq!(found.is_root, [false, true, false]);
    }

    #[test]
    fn circles_of_branches_and_second_roots_are_told() {
        let circle = Graph { n_nodes: 2, branches: vec![(0, 1), (1, 0)], ..Graph::default() };
        assert_eq!(forest(&circle).err(), Some(Overdetermined::Circle(1)));
        let roots = Graph { n_nodes: 2, roots: vec![0, 1], branches: vec![(0, 1)], ..Graph::default() };
        assert_eq!(forest(&roots).err(), Some(Overdetermined::SecondRoot(1)));
        let two = Graph { n_nodes: 2, roots: vec![0, 1], connections: vec![(0, 1)], ..Graph::default() };
        assert_eq!(forest(&two).map(|f| f.broken).ok(), Some(vec![true]));
    }
}
