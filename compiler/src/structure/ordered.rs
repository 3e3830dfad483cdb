//! Matches equations in order of importance: an equation once matched stays matched.
//!
//! Input: an incidence and a start matching. Output: the matching grown row by row along augmenting paths, so that among
//! all maximum matchings the rows given first are covered first (greedy on the transversal matroid). Used where equations
//! compete: initial equations against default start values.
//! Cost: O(edges) per row in the worst case, near constant in practice; explicit stack.

use super::incidence::{Col, Incidence, Row};
use super::matching::Matching;
use cranelift_entity::SecondaryMap;

/// Grows matchings one row at a time.
#[derive(Debug, Default)]
pub struct OrderedMatcher {
    stamp: u32,
    seen: SecondaryMap<Col, u32>,
}

impl OrderedMatcher {
    /// Matches `row` too, if an augmenting path exists. Rows matched before stay matched.
    pub fn extend(&mut self, incidence: &Incidence, matching: &mut Matching, row: Row) -> bool {
        self.stamp += 1;
        // Each stack entry is a row on the current path, with the position of the next entry to try.
        let mut stack: Vec<(Row, usize)> = vec![(row, 0)];
        while let Some((at, next)) = stack.pop() {
            let assigns = incidence.assigns(at);
            let entries = &incidence.rows[at];
            // A free column ends the search at once.
            if next == 0
                && let Some(entry) = entries.iter().find(|e| e.matchable(assigns) && matching.row_of[e.col].is_none())
            {
                let mut col = entry.col;
                let mut on = at;
                loop {
                    let before = matching.col_of[on].expand();
                    matching.col_of[on] = col.into();
                    matching.row_of[col] = on.into();
                    match (stack.pop(), before) {
                        (Some((previous, _)), Some(freed)) => {
                            on = previous;
                            col = freed;
                        }
                        _ => break,
                    }
                }
                matching.size += 1;
                return true;
            }
            let found = entries.iter().enumerate().skip(next).find(|(_, e)| e.matchable(assigns) && self.seen[e.col] != self.stamp);
            if let Some((i, entry)) = found {
                self.seen[entry.col] = self.stamp;
                stack.push((at, i + 1));
                if let Some(owner) = matching.row_of[entry.col].expand() {
                    stack.push((owner, 0));
                }
            }
        }
        false
    }
}
