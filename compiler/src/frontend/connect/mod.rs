//! Connection sets and their equations.
//!
//! Input: pairs of scalar ends, each an element of a variable seen from inside or outside. Output: sets.
//! Method: union–find over numbered ends. Potentials have one side only; flows are joined by side.
//! Guarantee: sets and their members come in the order in which ends were met. Cost: nearly linear.

pub(crate) mod overconstrained;

use partita_grammar::Span;
use rustc_hash::FxHashMap;

/// From which side of a connector's border an end is seen.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum ConnectorSide {
    /// A connector of a component.
    Inside,
    /// A connector of the class that contains the connection.
    Outside,
}

/// An element of a variable.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct End {
    pub(super) variable: u32,
    pub(super) element: usize,
    pub(super) side: ConnectorSide,
}

/// What connected ends have in common.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// They are equal.
    Potential,
    /// They add up to zero.
    Flow,
    /// They are mixed by where the flow comes from.
    Stream,
}

/// Ends that are connected.
#[derive(Clone, Debug)]
pub(super) struct Set {
    pub(super) ends: Vec<End>,
    pub(super) kind: Kind,
    pub(super) span: Span,
}

/// All ends met so far.
#[derive(Default)]
pub(super) struct Connections {
    ends: Vec<(End, Kind, Span)>,
    ids: FxHashMap<End, usize>,
    parent: Vec<usize>,
}

impl Connections {
    fn id(&mut self, end: End, kind: Kind, span: Span) -> usize {
        if let Some(id) = self.ids.get(&end) {
            return *id;
        }
        let id = self.ends.len();
        self.ends.push((end, kind, span));
        self.parent.push(id);
        self.ids.insert(end, id);
        id
    }

    fn root(&mut self, mut id: usize) -> usize {
        while self.parent[id] != id {
            self.parent[id] = self.parent[self.parent[id]];
            id = self.parent[id];
        }
        id
    }

    /// Connects two ends.
    pub(super) fn join(&mut self, a: End, b: End, kind: Kind, span: Span) {
        let (a, b) = (self.id(a, kind, span), self.id(b, kind, span));
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }

    /// Whether an end is in a set.
    pub(super) fn contains(&self, end: &End) -> bool {
        self.ids.contains_key(end)
    }

    /// The ends that are connected to an end, itself included; nothing if there are none.
    pub(super) fn set_of(&mut self, end: &End) -> Option<usize> {
        let id = *self.ids.get(end)?;
        Some(self.root(id))
    }

    /// The members of all sets, by the number that `set_of` gives.
    pub(super) fn members(&mut self) -> FxHashMap<usize, Vec<End>> {
        let mut found: FxHashMap<usize, Vec<End>> = FxHashMap::default();
        for id in 0..self.ends.len() {
            let root = self.root(id);
            found.entry(root).or_default().push(self.ends[id].0);
        }
        found
    }

    /// All sets.
    pub(super) fn sets(&mut self) -> Vec<Set> {
        let mut sets: Vec<Set> = Vec::new();
        let mut of_root: FxHashMap<usize, usize> = FxHashMap::default();
        for id in 0..self.ends.len() {
            let root = self.root(id);
            let (end, kind, span) = self.ends[id];
            let at = *of_root.entry(root).or_insert_with(|| {
                sets.push(Set { ends: Vec::new(), kind, span });
                sets.len() - 1
            });
            sets[at].ends.push(end);
        }
        sets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_ends_are_one_set_and_sides_of_flows_are_two() {
        let end = |variable, side| End { variable, element: 0, side };
        let mut connections = Connections::default();
        let span = Span::default();
        connections.join(end(1, ConnectorSide::Inside), end(2, ConnectorSide::Inside), Kind::Flow, span);
        connections.join(end(2, ConnectorSide::Outside), end(3, ConnectorSide::Inside), Kind::Flow, span);
        connections.join(end(3, ConnectorSide::Inside), end(4, ConnectorSide::Inside), Kind::Flow, span);
        let sets = connections.sets();
        let members: Vec<Vec<u32>> = sets.iter().map(|s| s.ends.iter().map(|e| e.variable).collect()).collect();
        assert_eq!(members, [vec![1, 2], vec![2, 3, 4]]);
        assert!(connections.contains(&end(2, ConnectorSide::Outside)) && !connections.contains(&end(1, ConnectorSide::Outside)));
    }
}
