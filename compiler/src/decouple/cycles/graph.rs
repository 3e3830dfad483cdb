//! The digraph of a Jacobian: which states influence which, without numerical zeros.
//!
//! Input: a [`Jacobian`]. Output: [`Digraph`]. Method: entries that are at most 1e-12 of the largest entry of their row or
//! column, in units of the nominal sizes of the states, are what is left of terms that cancel; they are no edges. The diagonal is
//! kept apart because every state has a self loop. Cost: O(entries).

use super::jacobian::Jacobian;

/// Entries at most this part of their row or column are zeros.
const DROP: f64 = 1e-12;

/// One influence of a state on another.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Edge {
    /// The state that influences.
    pub(super) from: usize,
    /// The state whose derivative is influenced.
    pub(super) to: usize,
    /// The entry of the Jacobian, not zero.
    pub(super) value: f64,
}

/// States and influences.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Digraph {
    /// Number of states.
    pub(super) n: usize,
    /// The entries on the diagonal, zero where there is none.
    pub(super) diagonal: Vec<f64>,
    /// All other entries, by `from` and then by `to`.
    pub(super) edges: Vec<Edge>,
    /// Number of entries that are not exactly zero and were dropped.
    pub(super) n_dropped: usize,
}

impl Digraph {
    /// The digraph of the numerically non-zero entries.
    pub(super) fn numerical(jacobian: &Jacobian) -> Digraph {
        let n = jacobian.n_states();
        let nominal = jacobian.nominal();
        let scaled = |row: usize, column: usize, value: f64| (value * nominal[column] / nominal[row]).abs();
        let (mut row_size, mut column_size) = (vec![0.0f64; n], vec![0.0f64; n]);
        for (row, column, value) in jacobian.entries() {
            let size = scaled(row, column, value);
            row_size[row] = row_size[row].max(size);
            column_size[column] = column_size[column].max(size);
        }
        let is_zero = |row: usize, column: usize, value: f64| scaled(row, column, value) <= DROP * row_size[row].max(column_size[column]);
        Digraph::with(jacobian, is_zero)
    }

    /// The digraph of all entries of the pattern; what is zero here stands as one.
    pub(super) fn structural(jacobian: &Jacobian) -> Digraph {
        let mut graph = Digraph { n: jacobian.n_states(), diagonal: vec![0.0; jacobian.n_states()], edges: Vec::new(), n_dropped: 0 };
        for (to, from, _) in jacobian.entries() {
            if to != from {
                graph.edges.push(Edge { from, to, value: 1.0 });
            }
        }
        graph
    }

    fn with(jacobian: &Jacobian, is_zero: impl Fn(usize, usize, f64) -> bool) -> Digraph {
        let n = jacobian.n_states();
        let mut graph = Digraph { n, diagonal: vec![0.0; n], edges: Vec::new(), n_dropped: 0 };
        for (to, from, value) in jacobian.entries() {
            if value == 0.0 {
                continue;
            }
            if is_zero(to, from, value) {
                graph.n_dropped += 1;
            } else if to == from {
                graph.diagonal[to] = value;
            } else {
                graph.edges.push(Edge { from, to, value });
            }
        }
        graph
    }
}
