//! The sparsity of a matrix.

use serde::{Deserialize, Serialize};

/// The sparsity of a matrix by columns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pattern {
    /// Rows.
    pub n_rows: usize,
    /// Start of each column in `rows`, plus the end: `n_cols + 1` entries.
    pub col_starts: Vec<usize>,
    /// Row indices, ascending within a column.
    pub rows: Vec<usize>,
}

impl Pattern {
    /// The columns with an entry in any of these rows, ascending.
    pub fn columns_of(&self, rows: &[usize]) -> Vec<usize> {
        let mut is_wanted = vec![false; self.n_rows];
        rows.iter().for_each(|&row| is_wanted[row] = true);
        let entries = |column: usize| &self.rows[self.col_starts[column]..self.col_starts[column + 1]];
        (0..self.col_starts.len() - 1).filter(|&column| entries(column).iter().any(|&row| is_wanted[row])).collect()
    }

    /// The same matrix with rows and columns exchanged.
    #[must_use]
    pub fn transposed(&self) -> Pattern {
        let n_cols = self.col_starts.len().saturating_sub(1);
        let mut col_starts = vec![0; self.n_rows + 1];
        self.rows.iter().for_each(|&row| col_starts[row + 1] += 1);
        (0..self.n_rows).for_each(|row| col_starts[row + 1] += col_starts[row]);
        let mut next = col_starts.clone();
        let mut rows = vec![0; self.rows.len()];
        for column in 0..n_cols {
            for &row in &self.rows[self.col_starts[column]..self.col_starts[column + 1]] {
                rows[next[row]] = column;
                next[row] += 1;
            }
        }
        Pattern { n_rows: n_cols, col_starts, rows }
    }

    /// The rows of a column.
    pub fn column(&self, column: usize) -> &[usize] {
        &self.rows[self.col_starts[column]..self.col_starts[column + 1]]
    }

    /// The rows and columns at these ascending positions of a square pattern.
    #[must_use]
    pub fn restricted(&self, positions: &[usize]) -> Pattern {
        let mut place: Vec<Option<usize>> = vec![None; self.n_rows];
        for (new, &old) in positions.iter().enumerate() {
            place[old] = Some(new);
        }
        let mut part = Pattern { n_rows: positions.len(), col_starts: vec![0], rows: Vec::new() };
        for &column in positions {
            let rows = &self.rows[self.col_starts[column]..self.col_starts[column + 1]];
            part.rows.extend(rows.iter().filter_map(|&row| place[row]));
            part.col_starts.push(part.rows.len());
        }
        part
    }
}
