//! Overconstrained records of connectors as nodes of a graph, and how often connectors are connected.

use super::ids::{InstId, ScopeId, VariableId};
use crate::frontend::connect::ConnectorSide;
use crate::frontend::connect::overconstrained::{Forest, Graph};
use partita_grammar::Span;
use rustc_hash::FxHashMap;

/// One side of a joined pair of elements.
type Seen = (VariableId, usize, ConnectorSide);

/// A connection of two overconstrained records.
pub(super) struct Edge {
    pub(super) a: InstId,
    pub(super) b: InstId,
    pub(super) ends: Vec<(Seen, Seen)>,
    pub(super) place: Span,
    pub(super) scope: ScopeId,
}

/// Overconstrained records of a connector, by the beginning of the names of their variables in it.
pub(super) struct Edges(pub(super) Vec<(String, usize)>);

impl Edges {
    /// The edge that a variable of the connector belongs to.
    pub(super) fn of(&self, name: &str) -> Option<usize> {
        self.0.iter().find(|(prefix, _)| name.starts_with(prefix.as_str())).map(|(_, edge)| *edge)
    }
}

/// What is known about connectors before equations are written.
#[derive(Default)]
pub(super) struct Overconstrained {
    pub(super) nodes: FxHashMap<InstId, usize>,
    pub(super) graph: Graph,
    pub(super) edges: Vec<Edge>,
    /// Places of branches and of definite roots.
    pub(super) branch_places: Vec<Span>,
    pub(super) root_places: Vec<Span>,
    pub(super) forest: Option<Forest>,
    pub(super) counts: FxHashMap<InstId, i64>,
    pub(super) variable_counts: FxHashMap<VariableId, i64>,
    /// Whether all connections are made.
    pub(super) is_complete: bool,
}

impl Overconstrained {
    pub(super) fn node(&mut self, inst: InstId) -> usize {
        let next = self.nodes.len();
        let node = *self.nodes.entry(inst).or_insert(next);
        self.graph.n_nodes = self.nodes.len();
        node
    }

    pub(super) fn count_variables(&mut self, a: VariableId, b: VariableId) {
        for variable in [a, b] {
            *self.variable_counts.entry(variable).or_insert(0) += 1;
        }
    }
}
