//! Columns of a matrix that are found together: no two of a group have an entry in the same row.
//!
//! Method: greedy colouring in the order of decreasing column size (Curtis, Powell and Reid 1974). Cost: the sum over columns of the
//! entries of their rows.

use super::pattern::Pattern;

/// Groups of columns of which no two have an entry in the same row.
pub(crate) struct Colouring {
    /// Columns of each colour.
    pub(crate) groups: Vec<Vec<usize>>,
}

impl Colouring {
    /// Colours the columns of a pattern.
    pub(crate) fn new(pattern: &Pattern) -> Colouring {
        let n_cols = pattern.col_starts.len().saturating_sub(1);
        let column = |j: usize| &pattern.rows[pattern.col_starts[j]..pattern.col_starts[j + 1]];
        let mut order: Vec<usize> = (0..n_cols).collect();
        order.sort_by_key(|&j| std::cmp::Reverse(column(j).len()));
        // Colours used so far in each row, as bits.
        let mut used: Vec<Vec<u64>> = vec![Vec::new(); pattern.n_rows];
        let mut groups: Vec<Vec<usize>> = Vec::new();
        // Colours used so far in the rows of a column, as bits.
        let mut taken: Vec<u64> = Vec::new();
        for j in order {
            if column(j).is_empty() {
                continue;
            }
            taken.fill(0);
            for &row in column(j) {
                taken.iter_mut().zip(&used[row]).for_each(|(all, own)| *all |= own);
            }
            let word = taken.iter().position(|&word| word != u64::MAX).unwrap_or(taken.len());
            if word == taken.len() {
                taken.push(0);
            }
            let bit = taken[word].trailing_ones();
            let colour = 64 * word + bit as usize;
            if colour == groups.len() {
                groups.push(Vec::new());
            }
            groups[colour].push(j);
            for &row in column(j) {
                let own = &mut used[row];
                if own.len() <= word {
                    own.resize(word + 1, 0);
                }
                own[word] |= 1 << bit;
            }
        }
        for group in &mut groups {
            group.sort_unstable();
        }
        Colouring { groups }
    }
}
