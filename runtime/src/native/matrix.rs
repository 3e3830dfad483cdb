//! A matrix of numbers: the data of a table.
#![forbid(unsafe_code)]

use crate::base::limits::Limit;

/// A matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    pub(super) n_rows: usize,
    pub(super) n_columns: usize,
    pub(super) values: Vec<f64>,
}

impl Matrix {
    /// A matrix; `None` if the number of values does not fit.
    pub fn new(n_rows: usize, n_columns: usize, values: Vec<f64>) -> Option<Matrix> {
        (n_rows.checked_mul(n_columns)? == values.len()).then_some(Matrix { n_rows, n_columns, values })
    }

    /// A matrix of two columns of one length.
    pub(super) fn from_columns(first: &[f64], second: &[f64]) -> Matrix {
        let values: Vec<f64> = first.iter().zip(second).flat_map(|(a, b)| [*a, *b]).collect();
        Matrix { n_rows: values.len() / 2, n_columns: 2, values }
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The number of columns.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// An element; positions count from 0.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.n_columns + column]
    }

    /// All elements, row by row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// A column.
    pub fn column(&self, column: usize) -> Vec<f64> {
        (0..self.n_rows).map(|row| self.at(row, column)).collect()
    }
}

/// Refuses tables of more elements than the limit.
pub(super) fn check_size(n: usize, most: usize) -> Result<(), String> {
    if n <= most { Ok(()) } else { Err(format!("the table has more than {most} elements; {}", Limit::Elements.hint(most as u64))) }
}
