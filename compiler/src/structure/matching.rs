//! Maximum matching: which equation is solved for which unknown.
//!
//! Input: an [`Incidence`], a filter and a preference on its entries. Output: a [`Matching`] of the greatest possible
//! size over the entries that are matchable (see [`Incidence::matchable`]) and allowed.
//!
//! Method: entries are taken in tiers of equal preference, best tier first. In each tier a start after Karp and Sipser
//! ("Maximum matchings in sparse random graphs", FOCS 1981) takes vertices of degree one first, which never costs
//! size; the rest is augmented along shortest paths after Hopcroft and Karp ("An n^5/2 algorithm for maximum matchings
//! in bipartite graphs", SIAM J. Comput. 2(4), 1973). A matched vertex stays matched, so better tiers keep their share.
//!
//! Guarantee: the size is maximum (certified by `check::matching`), the result depends only on the input.
//! Cost: O(edges * sqrt(rows)) per tier at worst, linear on chains and trees; no recursion.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, SecondaryMap};

use super::incidence::{Col, Entry, Incidence, Row, Solvability};
use crate::base::budget;

/// Pairs of equations and unknowns; no equation and no unknown occurs twice.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    /// For every equation the unknown it is solved for.
    pub col_of: SecondaryMap<Row, PackedOption<Col>>,
    /// For every unknown the equation that is solved for it.
    pub row_of: SecondaryMap<Col, PackedOption<Row>>,
    /// The number of pairs.
    pub size: usize,
}

impl Matching {
    /// A matching without pairs, with room for the rows and columns of `incidence`.
    pub fn empty(incidence: &Incidence) -> Matching {
        let mut matching = Matching::default();
        matching.col_of.resize(incidence.rows.len());
        matching.row_of.resize(incidence.n_cols);
        matching
    }

    /// Adds a pair of a free equation and a free unknown.
    pub fn pair(&mut self, row: Row, col: Col) {
        debug_assert!(self.col_of[row].is_none() && self.row_of[col].is_none());
        self.col_of[row] = col.into();
        self.row_of[col] = row.into();
        self.size += 1;
    }

    /// Whether every equation and every unknown is matched.
    pub fn is_perfect(&self, incidence: &Incidence) -> bool {
        self.size == incidence.rows.len() && self.size == incidence.n_cols
    }

    /// The equations that are solved for nothing, ascending.
    pub fn unmatched_rows<'a>(&'a self, incidence: &'a Incidence) -> impl Iterator<Item = Row> + 'a {
        incidence.rows.keys().filter(|&row| self.col_of[row].is_none())
    }

    /// The unknowns that no equation is solved for, ascending.
    pub fn unmatched_cols<'a>(&'a self, incidence: &'a Incidence) -> impl Iterator<Item = Col> + 'a {
        incidence.cols().filter(|&col| self.row_of[col].is_none())
    }

    /// All pairs, ascending by equation.
    pub fn pairs(&self) -> impl Iterator<Item = (Row, Col)> + '_ {
        self.col_of.iter().filter_map(|(row, col)| col.expand().map(|col| (row, col)))
    }
}

/// The usual preference: solve for what can be solved for in closed form. Lower is better.
pub fn by_solvability(entry: &Entry) -> u32 {
    match entry.solvability {
        Solvability::Safe | Solvability::Assigned => 0,
        Solvability::Risky => 1,
        Solvability::Nonlinear | Solvability::Forbidden => 2,
    }
}

/// Allows every matchable entry.
pub fn any_entry(_: &Entry) -> bool {
    true
}

/// Finds a maximum matching over the matchable entries that `allowed` admits; entries with a lower value of `prefer`
/// are matched first. `prefer` should take few different values: every value costs a pass over the entries.
pub fn maximum_matching(incidence: &Incidence, allowed: impl Fn(&Entry) -> bool, prefer: impl Fn(&Entry) -> u32) -> Matching {
    let mut matching = Matching::empty(incidence);
    let mut tiers = Vec::new();
    for row in incidence.rows.keys() {
        for entry in incidence.matchable(row).filter(|entry| allowed(entry)) {
            let tier = prefer(entry);
            if let Err(at) = tiers.binary_search(&tier) {
                tiers.insert(at, tier);
            }
        }
    }
    let most = incidence.rows.len().min(incidence.n_cols);
    for tier in tiers {
        if matching.size == most {
            break;
        }
        let graph = Graph::new(incidence, |entry| allowed(entry) && prefer(entry) <= tier);
        start_by_degree(&graph, &mut matching);
        augment_shortest(&graph, &mut matching);
    }
    matching
}

/// Searches for single augmenting paths, without clearing its marks between searches.
#[derive(Default)]
pub(super) struct PathSearch {
    /// The search that last saw the unknown.
    seen_in: SecondaryMap<Col, u32>,
    /// The equation from which the unknown was seen.
    seen_from: SecondaryMap<Col, PackedOption<Row>>,
    search: u32,
    /// The equations the last search reached, in breadth-first order.
    pub(super) rows: Vec<Row>,
    /// The unknowns the last search reached.
    pub(super) cols: Vec<Col>,
}

impl PathSearch {
    /// Matches the free equation `start` along a shortest augmenting path, if there is one. If not, `rows` and `cols`
    /// are the over-determined set that `start` belongs to: one more equation than unknowns.
    pub(super) fn augment<Cols: IntoIterator<Item = Col>>(
        &mut self,
        matching: &mut Matching,
        start: Row,
        cols_of: impl Fn(Row) -> Cols,
    ) -> bool {
        self.search += 1;
        self.rows.clear();
        self.cols.clear();
        self.rows.push(start);
        let mut head = 0;
        while let Some(&row) = self.rows.get(head) {
            head += 1;
            for col in cols_of(row) {
                if self.seen_in[col] == self.search {
                    continue;
                }
                self.seen_in[col] = self.search;
                self.seen_from[col] = row.into();
                budget::spend(1);
                match matching.row_of[col].expand() {
                    Some(next) => {
                        self.cols.push(col);
                        self.rows.push(next);
                    }
                    None => {
                        self.flip(matching, col);
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Flips the path that ends at a free unknown.
    fn flip(&self, matching: &mut Matching, end: Col) {
        let mut next = Some(end);
        while let (Some(col), Some(row)) = (next, next.and_then(|col| self.seen_from[col].expand())) {
            next = matching.col_of[row].expand();
            matching.col_of[row] = col.into();
            matching.row_of[col] = row.into();
        }
        matching.size += 1;
    }
}

/// Adjacency in both directions in two arrays each, restricted to the entries that may be matched.
struct Graph {
    first_of_row: Vec<u32>,
    cols: Vec<Col>,
    first_of_col: Vec<u32>,
    rows: Vec<Row>,
}

impl Graph {
    fn new(incidence: &Incidence, allowed: impl Fn(&Entry) -> bool) -> Graph {
        let mut first_of_row = Vec::with_capacity(incidence.rows.len() + 1);
        let mut cols = Vec::new();
        let mut first_of_col = vec![0; incidence.n_cols + 1];
        first_of_row.push(0);
        for row in incidence.rows.keys() {
            for entry in incidence.matchable(row).filter(|entry| allowed(entry)) {
                cols.push(entry.col);
                first_of_col[entry.col.index() + 1] += 1;
            }
            first_of_row.push(cols.len() as u32);
        }
        for col in 0..incidence.n_cols {
            first_of_col[col + 1] += first_of_col[col];
        }
        let mut rows = vec![Row::new(0); cols.len()];
        let mut next = first_of_col.clone();
        for row in incidence.rows.keys() {
            for &col in &cols[first_of_row[row.index()] as usize..first_of_row[row.index() + 1] as usize] {
                rows[next[col.index()] as usize] = row;
                next[col.index()] += 1;
            }
        }
        Graph { first_of_row, cols, first_of_col, rows }
    }

    fn cols_of(&self, row: Row) -> &[Col] {
        &self.cols[self.first_of_row[row.index()] as usize..self.first_of_row[row.index() + 1] as usize]
    }

    fn rows_of(&self, col: Col) -> &[Row] {
        &self.rows[self.first_of_col[col.index()] as usize..self.first_of_col[col.index() + 1] as usize]
    }

    fn row_ids(&self) -> impl Iterator<Item = Row> + use<> {
        (0..self.first_of_row.len() - 1).map(Row::new)
    }

    fn col_ids(&self) -> impl Iterator<Item = Col> + use<> {
        (0..self.first_of_col.len() - 1).map(Col::new)
    }
}

/// A vertex whose only free neighbour is still to be looked up.
enum Lonely {
    Row(Row),
    Col(Col),
}

/// Degrees among the free vertices, and the vertices of degree one that wait.
struct Degrees {
    of_row: SecondaryMap<Row, u32>,
    of_col: SecondaryMap<Col, u32>,
    lonely: Vec<Lonely>,
}

impl Degrees {
    /// Matches a pair and lowers the degrees of the free neighbours.
    fn take(&mut self, graph: &Graph, matching: &mut Matching, row: Row, col: Col) {
        matching.pair(row, col);
        for &other in graph.cols_of(row) {
            if matching.row_of[other].is_none() {
                self.of_col[other] -= 1;
                if self.of_col[other] == 1 {
                    self.lonely.push(Lonely::Col(other));
                }
            }
        }
        for &other in graph.rows_of(col) {
            if matching.col_of[other].is_none() {
                self.of_row[other] -= 1;
                if self.of_row[other] == 1 {
                    self.lonely.push(Lonely::Row(other));
                }
            }
        }
    }

    /// Matches vertices of degree one until there are none.
    fn take_lonely(&mut self, graph: &Graph, matching: &mut Matching) {
        while let Some(vertex) = self.lonely.pop() {
            let pair = match vertex {
                Lonely::Row(row) if matching.col_of[row].is_none() => {
                    graph.cols_of(row).iter().find(|&&col| matching.row_of[col].is_none()).map(|&col| (row, col))
                }
                Lonely::Col(col) if matching.row_of[col].is_none() => {
                    graph.rows_of(col).iter().find(|&&row| matching.col_of[row].is_none()).map(|&row| (row, col))
                }
                _ => None,
            };
            if let Some((row, col)) = pair {
                self.take(graph, matching, row, col);
            }
        }
    }
}

/// Karp and Sipser: while a free vertex has one free neighbour match them; otherwise match the next equation, those
/// with few unknowns first, to its unknown of least degree.
fn start_by_degree(graph: &Graph, matching: &mut Matching) {
    let mut degrees = Degrees { of_row: SecondaryMap::new(), of_col: SecondaryMap::new(), lonely: Vec::new() };
    let mut waiting = Vec::new();
    for row in graph.row_ids().filter(|&row| matching.col_of[row].is_none()) {
        let degree = graph.cols_of(row).iter().filter(|&&col| matching.row_of[col].is_none()).count() as u32;
        degrees.of_row[row] = degree;
        waiting.push((degree, row));
        if degree == 1 {
            degrees.lonely.push(Lonely::Row(row));
        }
    }
    for col in graph.col_ids().filter(|&col| matching.row_of[col].is_none()) {
        let degree = graph.rows_of(col).iter().filter(|&&row| matching.col_of[row].is_none()).count() as u32;
        degrees.of_col[col] = degree;
        if degree == 1 {
            degrees.lonely.push(Lonely::Col(col));
        }
    }
    degrees.lonely.reverse();
    degrees.take_lonely(graph, matching);
    waiting.sort_unstable();
    for (_, row) in waiting {
        if matching.col_of[row].is_some() {
            continue;
        }
        let free = graph.cols_of(row).iter().copied().filter(|&col| matching.row_of[col].is_none());
        if let Some(col) = free.min_by_key(|&col| (degrees.of_col[col], col)) {
            degrees.take(graph, matching, row, col);
            degrees.take_lonely(graph, matching);
        }
    }
}

/// Hopcroft and Karp: in every phase a breadth-first search layers the equations by their distance from the free
/// ones, then depth-first searches flip a maximal set of disjoint shortest paths.
fn augment_shortest(graph: &Graph, matching: &mut Matching) {
    const UNSEEN: u32 = u32::MAX;
    let n_rows = graph.first_of_row.len() - 1;
    let mut layer_of: SecondaryMap<Row, u32> = SecondaryMap::with_default(UNSEEN);
    let mut cursor: SecondaryMap<Row, u32> = SecondaryMap::new();
    let mut queue: Vec<Row> = Vec::new();
    let mut path: Vec<Row> = Vec::new();
    loop {
        layer_of.clear();
        layer_of.resize(n_rows);
        cursor.clear();
        cursor.resize(n_rows);
        queue.clear();
        queue.extend(graph.row_ids().filter(|&row| matching.col_of[row].is_none() && !graph.cols_of(row).is_empty()));
        for &row in &queue {
            layer_of[row] = 0;
        }
        let n_free = queue.len();
        let mut last_layer = UNSEEN;
        let mut head = 0;
        while let Some(&row) = queue.get(head) {
            head += 1;
            if layer_of[row] >= last_layer {
                break;
            }
            for &col in graph.cols_of(row) {
                match matching.row_of[col].expand() {
                    None => last_layer = layer_of[row],
                    Some(next) if layer_of[next] == UNSEEN => {
                        layer_of[next] = layer_of[row] + 1;
                        queue.push(next);
                    }
                    Some(_) => {}
                }
            }
        }
        if last_layer == UNSEEN {
            return;
        }
        for &start in &queue[..n_free] {
            path.clear();
            path.push(start);
            while let Some(&row) = path.last() {
                let Some(&col) = graph.cols_of(row).get(cursor[row] as usize) else {
                    // Dead end: no later search of this phase may enter it again.
                    layer_of[row] = UNSEEN;
                    path.pop();
                    continue;
                };
                cursor[row] += 1;
                match matching.row_of[col].expand() {
                    None => {
                        flip(matching, &path, graph, &cursor);
                        for &row in &path {
                            layer_of[row] = UNSEEN;
                        }
                        break;
                    }
                    Some(next) => {
                        if layer_of[row] < last_layer && layer_of[next] == layer_of[row] + 1 {
                            path.push(next);
                        }
                    }
                }
            }
        }
    }
}

/// Gives every equation of the path the unknown its cursor has just passed.
fn flip(matching: &mut Matching, path: &[Row], graph: &Graph, cursor: &SecondaryMap<Row, u32>) {
    for &row in path {
        let col = graph.cols_of(row)[cursor[row] as usize - 1];
        matching.col_of[row] = PackedOption::from(col);
        matching.row_of[col] = PackedOption::from(row);
    }
    matching.size += 1;
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// An incidence from one list of columns per row, all safe.
    pub(crate) fn safe(rows: &[&[usize]], n_cols: usize) -> Incidence {
        let mut incidence = Incidence { n_cols, ..Incidence::default() };
        for cols in rows {
            let entries = cols.iter().map(|&col| Entry { col: Col::new(col), solvability: Solvability::Safe });
            incidence.rows.push(entries.collect());
        }
        incidence
    }

    #[test]
    fn long_chain_needs_one_long_path() {
        // Row i has unknowns i and i+1; the last row only unknown 0: everything must shift.
        let n = 1000;
        let lists: Vec<Vec<usize>> = (0..n).map(|i| if i + 1 < n { vec![i, i + 1] } else { vec![0] }).collect();
        let lists: Vec<&[usize]> = lists.iter().map(Vec::as_slice).collect();
        let incidence = safe(&lists, n);
        assert!(maximum_matching(&incidence, any_entry, by_solvability).is_perfect(&incidence));
    }

    #[test]
    fn augmenting_repairs_a_bad_tier() {
        // The safe tier takes (e0, u0); the nonlinear tier must move it to u1.
        let entry = |col, solvability| Entry { col: Col::new(col), solvability };
        let mut incidence = Incidence { n_cols: 2, ..Incidence::default() };
        incidence.rows.push(vec![entry(0, Solvability::Safe), entry(1, Solvability::Nonlinear)]);
        incidence.rows.push(vec![entry(0, Solvability::Nonlinear)]);
        let matching = maximum_matching(&incidence, any_entry, by_solvability);
        assert_eq!(matching.pairs().collect::<Vec<_>>(), [(Row::new(0), Col::new(1)), (Row::new(1), Col::new(0))]);
    }

    #[test]
    fn safe_entries_are_preferred() {
        let entry = |col, solvability| Entry { col: Col::new(col), solvability };
        let mut incidence = Incidence { n_cols: 2, ..Incidence::default() };
        incidence.rows.push(vec![entry(0, Solvability::Nonlinear), entry(1, Solvability::Safe)]);
        incidence.rows.push(vec![entry(0, Solvability::Safe), entry(1, Solvability::Risky)]);
        let matching = maximum_matching(&incidence, any_entry, by_solvability);
        assert_eq!(matching.col_of[Row::new(0)].expand(), Some(Col::new(1)));
    }

    #[test]
    fn discrete_rules_hold() {
        let entry = |col, solvability| Entry { col: Col::new(col), solvability };
        let mut incidence = Incidence { n_cols: 2, ..Incidence::default() };
        incidence.rows.push(vec![entry(0, Solvability::Safe), entry(1, Solvability::Assigned)]);
        incidence.rows.push(vec![entry(0, Solvability::Forbidden), entry(1, Solvability::Forbidden)]);
        let matching = maximum_matching(&incidence, any_entry, by_solvability);
        assert_eq!(matching.pairs().collect::<Vec<_>>(), [(Row::new(0), Col::new(1))]);
    }
}
