//! Dulmage-Mendelsohn decomposition: where a system that cannot be matched has too many or too few equations.
//!
//! Input: an incidence and a maximum matching of it. Output: three disjoint [`Subsystem`]s. Equations that can be reached
//! from an unmatched equation by an alternating path compete for too few unknowns (over-determined); unknowns that can
//! be reached from an unmatched unknown have too few equations (under-determined); the rest is square and matched.
//! The over- and under-determined parts come split into connected components, so that independent mistakes are
//! reported apart.
//!
//! Method: Dulmage and Mendelsohn, "Coverings of bipartite graphs", Canad. J. Math. 10 (1958); two breadth-first
//! searches as in Pothen and Fan, "Computing the block triangular form of a sparse matrix", ACM TOMS 16(4), 1990.
//! Guarantee: the parts depend on the incidence only, not on which maximum matching is given. Cost: O(entries).

use cranelift_entity::{EntityRef, SecondaryMap};

use super::incidence::{Col, Entry, Incidence, Row};
use super::matching::Matching;

/// Some equations and unknowns of a system, each ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subsystem {
    /// The equations.
    pub rows: Vec<Row>,
    /// The unknowns.
    pub cols: Vec<Col>,
}

/// The coarse decomposition of a system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// More equations than unknowns, one part per connected component.
    pub over: Vec<Subsystem>,
    /// More unknowns than equations, one part per connected component.
    pub under: Vec<Subsystem>,
    /// As many equations as unknowns, perfectly matched.
    pub well: Subsystem,
}

impl Parts {
    /// Whether no equation and no unknown is left over.
    pub fn is_regular(&self) -> bool {
        self.over.is_empty() && self.under.is_empty()
    }
}

#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
enum Determinacy {
    #[default]
    Well,
    Over,
    Under,
}

/// Decomposes a system by a maximum matching over the matchable entries that `allowed` admits; the filter must be the
/// one the matching was found with.
pub fn decompose(incidence: &Incidence, allowed: impl Fn(&Entry) -> bool, matching: &Matching) -> Parts {
    let mut rows_of: SecondaryMap<Col, Vec<Row>> = SecondaryMap::new();
    rows_of.resize(incidence.n_cols);
    for row in incidence.rows.keys() {
        for entry in incidence.matchable(row).filter(|entry| allowed(entry)) {
            rows_of[entry.col].push(row);
        }
    }
    let mut side_of_row: SecondaryMap<Row, Determinacy> = SecondaryMap::new();
    let mut side_of_col: SecondaryMap<Col, Determinacy> = SecondaryMap::new();

    let mut rows: Vec<Row> = matching.unmatched_rows(incidence).collect();
    for &row in &rows {
        side_of_row[row] = Determinacy::Over;
    }
    while let Some(row) = rows.pop() {
        for entry in incidence.matchable(row).filter(|entry| allowed(entry)) {
            side_of_col[entry.col] = Determinacy::Over;
            if let Some(next) = matching.row_of[entry.col].expand()
                && side_of_row[next] != Determinacy::Over
            {
                side_of_row[next] = Determinacy::Over;
                rows.push(next);
            }
        }
    }

    let mut cols: Vec<Col> = matching.unmatched_cols(incidence).collect();
    for &col in &cols {
        side_of_col[col] = Determinacy::Under;
    }
    while let Some(col) = cols.pop() {
        for &row in &rows_of[col] {
            side_of_row[row] = Determinacy::Under;
            if let Some(next) = matching.col_of[row].expand()
                && side_of_col[next] != Determinacy::Under
            {
                side_of_col[next] = Determinacy::Under;
                cols.push(next);
            }
        }
    }

    let well = Subsystem {
        rows: incidence.rows.keys().filter(|&row| side_of_row[row] == Determinacy::Well).collect(),
        cols: incidence.cols().filter(|&col| side_of_col[col] == Determinacy::Well).collect(),
    };
    let mut components = |side| components(incidence, &allowed, &rows_of, &mut side_of_row, &mut side_of_col, side);
    Parts { over: components(Determinacy::Over), under: components(Determinacy::Under), well }
}

/// Splits one side into connected components, taking its vertices off the side maps.
fn components(
    incidence: &Incidence,
    allowed: &impl Fn(&Entry) -> bool,
    rows_of: &SecondaryMap<Col, Vec<Row>>,
    side_of_row: &mut SecondaryMap<Row, Determinacy>,
    side_of_col: &mut SecondaryMap<Col, Determinacy>,
    side: Determinacy,
) -> Vec<Subsystem> {
    enum Vertex {
        Row(Row),
        Col(Col),
    }
    let starts = incidence.rows.keys().map(Vertex::Row).chain(incidence.cols().map(Vertex::Col));
    let mut parts = Vec::new();
    let mut stack = Vec::new();
    for start in starts {
        let mut part = Subsystem::default();
        stack.push(start);
        while let Some(vertex) = stack.pop() {
            match vertex {
                Vertex::Row(row) if side_of_row[row] == side => {
                    side_of_row[row] = Determinacy::Well;
                    part.rows.push(row);
                    let entries = incidence.matchable(row).filter(|entry| allowed(entry));
                    stack.extend(entries.filter(|entry| side_of_col[entry.col] == side).map(|e| Vertex::Col(e.col)));
                }
                Vertex::Col(col) if side_of_col[col] == side => {
                    side_of_col[col] = Determinacy::Well;
                    part.cols.push(col);
                    stack.extend(rows_of[col].iter().filter(|&&r| side_of_row[r] == side).map(|&r| Vertex::Row(r)));
                }
                Vertex::Row(_) | Vertex::Col(_) => {}
            }
        }
        if !part.rows.is_empty() || !part.cols.is_empty() {
            part.rows.sort_unstable_by_key(|row| row.index());
            part.cols.sort_unstable_by_key(|col| col.index());
            parts.push(part);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::super::matching::tests::safe;
    use super::super::matching::{any_entry, by_solvability, maximum_matching};
    use super::*;

    #[test]
    fn three_parts_are_told_apart() {
        // e0, e1 both fix u0; e2 solves u1; e3 has u2 and u3.
        let incidence = safe(&[&[0], &[0], &[0, 1], &[1, 2, 3]], 4);
        let matching = maximum_matching(&incidence, any_entry, by_solvability);
        let parts = decompose(&incidence, any_entry, &matching);
        let row = Row::new;
        let col = Col::new;
        assert_eq!(parts.over, [Subsystem { rows: vec![row(0), row(1)], cols: vec![col(0)] }]);
        assert_eq!(parts.well, Subsystem { rows: vec![row(2)], cols: vec![col(1)] });
        assert_eq!(parts.under, [Subsystem { rows: vec![row(3)], cols: vec![col(2), col(3)] }]);
    }

    #[test]
    fn independent_mistakes_are_apart() {
        let incidence = safe(&[&[0], &[0], &[1], &[1]], 4);
        let matching = maximum_matching(&incidence, any_entry, by_solvability);
        let parts = decompose(&incidence, any_entry, &matching);
        assert_eq!(parts.over.len(), 2);
        assert_eq!(parts.under.len(), 2);
        assert!(parts.under.iter().all(|part| part.rows.is_empty() && part.cols.len() == 1));
    }
}
