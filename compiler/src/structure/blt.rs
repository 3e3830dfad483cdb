//! Block lower triangular form: the order in which matched equations are evaluated.
//!
//! Input: an incidence and a matching. Output: [`Blocks`] in evaluation order: every block needs only unknowns of
//! itself and of earlier blocks. A block with more than one equation must be solved simultaneously.
//!
//! Method: equation e depends on the equation matched to each other unknown in e, whatever the kind of the entry; the
//! strongly connected components of this graph are the blocks. Tarjan, "Depth-first search and linear graph
//! algorithms", SIAM J. Comput. 1(2), 1972, with an explicit stack.
//!
//! Guarantee: for a perfect matching every equation and every unknown is in exactly one block, and the blocks do not
//! depend on which perfect matching is given. Equations without a match are left out and unknowns without a match
//! count as known, so the caller checks first that the matching is what it needs. Cost: O(entries).

use cranelift_entity::SecondaryMap;

use super::incidence::{Col, Incidence, Row};
use super::matching::Matching;

/// Equations that are solved together, `rows[i]` being matched to `cols[i]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The equations, ascending.
    pub rows: Vec<Row>,
    /// The unknowns, each at the place of its equation.
    pub cols: Vec<Col>,
}

impl Block {
    /// The number of equations.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether the block has no equation; no pass makes such a block.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The equations with their unknowns.
    pub fn pairs(&self) -> impl Iterator<Item = (Row, Col)> + '_ {
        self.rows.iter().copied().zip(self.cols.iter().copied())
    }
}

/// The sorted system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    /// The blocks in evaluation order.
    pub blocks: Vec<Block>,
}

/// Sorts the matched equations into blocks in evaluation order.
pub fn sort(incidence: &Incidence, matching: &Matching) -> Blocks {
    /// A visit that waits for the equations it depends on.
    struct Visit {
        row: Row,
        next_entry: usize,
    }
    // Number of the visit, counted from one; zero is "not visited".
    let mut number_of: SecondaryMap<Row, u32> = SecondaryMap::new();
    number_of.resize(incidence.rows.len());
    let mut lowest_of: SecondaryMap<Row, u32> = SecondaryMap::new();
    lowest_of.resize(incidence.rows.len());
    let mut in_block: SecondaryMap<Row, bool> = SecondaryMap::new();
    in_block.resize(incidence.rows.len());
    let mut n_visited = 0;
    let mut open: Vec<Row> = Vec::new();
    let mut visits: Vec<Visit> = Vec::new();
    let mut blocks = Vec::new();

    for start in incidence.rows.keys() {
        if matching.col_of[start].is_none() || number_of[start] != 0 {
            continue;
        }
        visits.push(Visit { row: start, next_entry: 0 });
        while let Some(visit) = visits.last_mut() {
            let row = visit.row;
            if visit.next_entry == 0 {
                n_visited += 1;
                number_of[row] = n_visited;
                lowest_of[row] = n_visited;
                open.push(row);
            }
            let mut deeper = None;
            while let Some(entry) = incidence.rows[row].get(visit.next_entry) {
                visit.next_entry += 1;
                if let Some(other) = matching.row_of[entry.col].expand() {
                    if number_of[other] == 0 {
                        deeper = Some(other);
                        break;
                    }
                    if !in_block[other] {
                        lowest_of[row] = lowest_of[row].min(number_of[other]);
                    }
                }
            }
            if let Some(other) = deeper {
                visits.push(Visit { row: other, next_entry: 0 });
                continue;
            }
            visits.pop();
            if let Some(parent) = visits.last() {
                lowest_of[parent.row] = lowest_of[parent.row].min(lowest_of[row]);
            }
            if lowest_of[row] == number_of[row] {
                let first = open.iter().rposition(|&other| other == row).unwrap_or(0);
                let mut rows: Vec<Row> = open.drain(first..).collect();
                rows.sort_unstable();
                for &row in &rows {
                    in_block[row] = true;
                }
                let cols = rows.iter().filter_map(|&row| matching.col_of[row].expand()).collect();
                blocks.push(Block { rows, cols });
            }
        }
    }
    Blocks { blocks }
}

#[cfg(test)]
mod tests {
    use cranelift_entity::EntityRef;

    use super::super::matching::tests::safe;
    use super::super::matching::{any_entry, by_solvability, maximum_matching};
    use super::*;

    fn rows_of(blocks: &Blocks) -> Vec<Vec<usize>> {
        blocks.blocks.iter().map(|block| block.rows.iter().map(|row| row.index()).collect()).collect()
    }

    /// A matching of every row with the column of the same index.
    fn diagonal(incidence: &Incidence) -> Matching {
        let mut matching = Matching::empty(incidence);
        for row in incidence.rows.keys() {
            matching.pair(row, Col::new(row.index()));
        }
        matching
    }

    #[test]
    fn tarjan_figure_3() {
        // Tarjan 1972, Fig. 3, p. 158: edges 1->2, 2->3, 2->8, 3->4, 3->7, 4->5, 5->3, 5->6, 7->4, 7->6, 8->1, 8->7.
        // Components {6}, {3,4,5,7}, {1,2,8}; here numbered from zero with the diagonal added.
        let incidence = safe(&[&[0, 1], &[1, 2, 7], &[2, 3, 6], &[3, 4], &[2, 4, 5], &[5], &[3, 5, 6], &[0, 6, 7]], 8);
        let blocks = sort(&incidence, &diagonal(&incidence));
        assert_eq!(rows_of(&blocks), [vec![5], vec![2, 3, 4, 6], vec![0, 1, 7]]);
    }

    #[test]
    fn chain_is_evaluated_from_its_known_end() {
        let incidence = safe(&[&[0, 1], &[1, 2], &[2]], 3);
        let matching = maximum_matching(&incidence, any_entry, by_solvability);
        assert_eq!(rows_of(&sort(&incidence, &matching)), [[2], [1], [0]]);
    }

    #[test]
    fn depth_does_not_use_the_machine_stack() {
        let n = 100_000;
        let lists: Vec<Vec<usize>> = (0..n).map(|i| if i + 1 < n { vec![i, i + 1] } else { vec![i] }).collect();
        let lists: Vec<&[usize]> = lists.iter().map(Vec::as_slice).collect();
        let incidence = safe(&lists, n);
        let matching = maximum_matching(&incidence, any_entry, by_solvability);
        assert_eq!(sort(&incidence, &matching).blocks.len(), n);
    }
}
