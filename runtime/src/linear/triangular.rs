//! The Newton matrix `I - gamma*J` where `J` is triangular in some order: transport through pipes, states that only follow others.
//!
//! Input: a pattern once, then any number of value sets. Output: solutions of any number of right-hand sides.
//! Method: rows are divided by their diagonals and substituted in an order in which what a row needs comes before it. Chains that do not
//! touch take turns, so that the processor need not wait for one of them. Nothing is eliminated, so that small diagonals do no harm.
//! Guarantee: a diagonal that vanishes, or a value that is not a number, is an error that names the column.
//! Cost: one operation per entry; nothing is allocated by `factor` or `solve`.

use super::dense::Singular;
use crate::plan::Pattern;

/// The matrix, ready to be solved with.
#[derive(Debug)]
pub struct Triangular {
    /// Rows in the order of their solution.
    rows: Vec<Row>,
    /// The entries beside the diagonal, row by row: their columns, where they lie in `J`, and their values divided by the diagonal.
    columns: Vec<u32>,
    sources: Vec<u32>,
    values: Vec<f64>,
}

#[derive(Debug)]
struct Row {
    number: u32,
    /// Where its entries end.
    end: u32,
    /// Where its diagonal lies in `J`, if it does.
    diagonal: Option<u32>,
    /// The reciprocal of the diagonal of the matrix.
    pivot: f64,
    /// Its only entry stands for the row that was solved two before it: two chains that take turns.
    follows: bool,
}

impl Triangular {
    /// Finds the order; nothing if there is none.
    pub fn new(pattern: &Pattern) -> Option<Triangular> {
        let n = pattern.n_rows;
        let beside = |j: usize| (pattern.col_starts[j]..pattern.col_starts[j + 1]).filter(move |&entry| pattern.rows[entry] != j);
        let mut needs = vec![0usize; n];
        (0..n).flat_map(beside).for_each(|entry| needs[pattern.rows[entry]] += 1);
        let mut order: Vec<usize> = (0..n).filter(|&row| needs[row] == 0).collect();
        // The entries of each row: column and place.
        let mut entries: Vec<Vec<(u32, u32)>> = needs.iter().map(|&count| Vec::with_capacity(count)).collect();
        let mut done = 0;
        // Every row enters the order at most once.
        while let Some(&j) = order.get(done) {
            done += 1;
            for entry in beside(j) {
                let row = pattern.rows[entry];
                entries[row].push((j as u32, entry as u32));
                if entries[row].len() == needs[row] {
                    order.push(row);
                }
            }
        }
        if order.len() < n {
            return None;
        }
        let (mut columns, mut sources) = (Vec::with_capacity(pattern.rows.len()), Vec::with_capacity(pattern.rows.len()));
        let row = |&number: &usize| {
            columns.extend(entries[number].iter().map(|entry| entry.0));
            sources.extend(entries[number].iter().map(|entry| entry.1));
            let start = pattern.col_starts[number];
            let own = pattern.rows[start..pattern.col_starts[number + 1]].binary_search(&number);
            Row { number: number as u32, end: columns.len() as u32, diagonal: own.ok().map(|at| (start + at) as u32), pivot: 1.0, follows: false }
        };
        let mut rows: Vec<Row> = order.iter().map(row).collect();
        for k in 2..n {
            let (start, end) = (rows[k - 1].end as usize, rows[k].end as usize);
            rows[k].follows = columns[start..end] == [rows[k - 2].number];
        }
        Some(Triangular { rows, values: vec![0.0; columns.len()], columns, sources })
    }

    /// Takes `I - gamma*J`; `jacobian` are the entries of `J` in the order of the pattern.
    pub fn factor(&mut self, gamma: f64, jacobian: &[f64]) -> Result<(), Singular> {
        let mut start = 0;
        for row in &mut self.rows {
            let end = row.end as usize;
            let diagonal = row.diagonal.map_or(1.0, |place| 1.0 - gamma * jacobian[place as usize]);
            row.pivot = 1.0 / diagonal;
            let mut sound = row.pivot.is_finite() && diagonal.is_finite();
            for (value, source) in self.values[start..end].iter_mut().zip(&self.sources[start..end]) {
                *value = -gamma * jacobian[*source as usize] * row.pivot;
                sound &= value.is_finite();
            }
            if !sound {
                return Err(Singular { column: row.number as usize });
            }
            start = end;
        }
        Ok(())
    }

    /// Replaces `b` by the solution.
    pub fn solve(&self, b: &mut [f64]) {
        let mut start = 0;
        // The last two values, so that a chain need not wait until they can be read again.
        let (mut last, mut before) = (0.0, 0.0);
        for row in &self.rows {
            let end = row.end as usize;
            let number = row.number as usize;
            let mut value = b[number] * row.pivot;
            if row.follows {
                value -= self.values[start] * before;
            } else {
                for (entry, column) in self.values[start..end].iter().zip(&self.columns[start..end]) {
                    value -= entry * b[*column as usize];
                }
            }
            b[number] = value;
            (before, last) = (last, value);
            start = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two chains that both feed the last unknown; the first of each has no entry on the diagonal.
    fn pattern() -> Pattern {
        Pattern { n_rows: 5, col_starts: vec![0, 1, 3, 4, 6, 7], rows: vec![1, 1, 4, 3, 3, 4, 4] }
    }

    #[test]
    fn chains_are_substituted() {
        let mut matrix = Triangular::new(&pattern()).unwrap();
        let jacobian = [2.0, -1.0, 3.0, 5.0, -3.0, 7.0, -4.0];
        matrix.factor(0.5, &jacobian).unwrap();
        let b = [1.0, 2.0, 3.0, 4.0, 5.0];
        let mut x = b;
        matrix.solve(&mut x);
        // (I - 0.5 J) x by columns.
        let p = pattern();
        let mut product = x;
        for j in 0..5 {
            for entry in p.col_starts[j]..p.col_starts[j + 1] {
                product[p.rows[entry]] -= 0.5 * jacobian[entry] * x[j];
            }
        }
        assert!(product.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-14), "{product:?}");
    }

    #[test]
    fn what_cannot_be_solved_is_refused() {
        let mut matrix = Triangular::new(&pattern()).unwrap();
        assert_eq!(matrix.factor(1.0, &[2.0, 1.0, 3.0, 5.0, -3.0, 7.0, -4.0]), Err(Singular { column: 1 }));
        assert_eq!(matrix.factor(1.0, &[2.0, -1.0, 3.0, f64::NAN, -3.0, 7.0, -4.0]), Err(Singular { column: 3 }));
        let circle = Pattern { n_rows: 2, col_starts: vec![0, 1, 2], rows: vec![1, 0] };
        assert!(Triangular::new(&circle).is_none());
    }
}
