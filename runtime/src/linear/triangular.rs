//! The Newton matrix `I - gamma*J` where `J` is triangular in some order: transport through pipes, states that only follow others.
//!
//! Input: a pattern once, then any number of value sets. Output: solutions of any number of right-hand sides.
//! Method: rows are divided by their diagonals and substituted in an order in which what a row needs comes before it. A row that needs
//! nothing but the row before it waits for that one; where many such rows follow each other, in a chain, some are taken together:
//! each is first solved as if the last row before all of them were zero, and the part of that row, whose factors are known
//! beforehand, is added. So the processor waits once for all of them. Nothing is eliminated, so that small diagonals do no harm.
//! Guarantee: a diagonal that vanishes, or a value that is not a number, is an error that names the column.
//! Cost: one operation per entry, two in chains; nothing is allocated by `factor` or `solve`.

use super::dense::Singular;
use crate::linear::pattern::Pattern;

/// Rows of a chain that are taken together.
const TOGETHER: usize = 4;
/// Chains with fewer rows are not worth it.
const SHORTEST: usize = 3 * TOGETHER;

/// The matrix, ready to be solved with.
#[derive(Debug)]
pub struct Triangular {
    /// Rows in the order of their solution.
    rows: Vec<Row>,
    /// The entries beside the diagonal, row by row: their columns, where they lie in `J`, and their values divided by the diagonal.
    columns: Vec<u32>,
    sources: Vec<u32>,
    values: Vec<f64>,
    /// What is solved, in order.
    steps: Vec<Step>,
    /// Rows of chains, as many as are taken together, in the order of their solution.
    links: Vec<Links>,
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
}

/// What is solved after what was solved before.
#[derive(Debug)]
enum Step {
    /// Rows up to this one, one by one.
    Rows(usize),
    /// A chain: the number of its first row, which comes `apart` after the row that it needs and before the next one, and its links.
    Chain { first: usize, apart: isize, links: usize },
}

/// Rows of a chain: the reciprocals of their diagonals, and the factor of the row before each.
#[derive(Debug, Clone, Default)]
struct Links {
    pivots: [f64; TOGETHER],
    factors: [f64; TOGETHER],
}

impl Triangular {
    /// Finds the order; nothing if there is none.
    pub fn new(pattern: &Pattern) -> Option<Triangular> {
        let n = pattern.n_rows;
        let beside = |j: usize| (pattern.col_starts[j]..pattern.col_starts[j + 1]).filter(move |&entry| pattern.rows[entry] != j);
        let mut needs = vec![0usize; n];
        (0..n).flat_map(beside).for_each(|entry| needs[pattern.rows[entry]] += 1);
        // The only row that needs this one and nothing else, if there is one: the next of a chain.
        let next = |j: usize| {
            let mut followers = beside(j).map(|entry| pattern.rows[entry]).filter(|&row| needs[row] == 1);
            followers.next().filter(|_| followers.next().is_none())
        };
        let mut ready: Vec<usize> = (0..n).rev().filter(|&row| needs[row] == 0).collect();
        // The entries of each row: column and place.
        let mut entries: Vec<Vec<(u32, u32)>> = needs.iter().map(|&count| Vec::with_capacity(count)).collect();
        let mut order: Vec<usize> = Vec::with_capacity(n);
        // Every row enters the order once. What a row makes ready comes at once, the next of its chain first: chains stay together.
        while let Some(j) = ready.pop() {
            order.push(j);
            let chained = next(j);
            for entry in beside(j) {
                let row = pattern.rows[entry];
                entries[row].push((j as u32, entry as u32));
                if entries[row].len() == needs[row] && Some(row) != chained {
                    ready.push(row);
                }
            }
            ready.extend(chained);
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
            Row { number: number as u32, end: columns.len() as u32, diagonal: own.ok().map(|at| (start + at) as u32), pivot: 1.0 }
        };
        let rows: Vec<Row> = order.iter().map(row).collect();
        let needs_last = |k: usize| k > 0 && columns[rows[k - 1].end as usize..rows[k].end as usize] == [rows[k - 1].number];
        let steps = steps(&rows, needs_last);
        let n_links = steps.iter().map(|step| if let Step::Chain { links, .. } = step { *links } else { 0 }).sum();
        Some(Triangular { rows, values: vec![0.0; columns.len()], columns, sources, steps, links: vec![Links::default(); n_links] })
    }

    /// Numbers of rows, of entries beside the diagonal, and of rows that are taken together with others of their chain.
    pub(super) fn counts(&self) -> (f64, f64, f64) {
        (self.rows.len() as f64, self.columns.len() as f64, (TOGETHER * self.links.len()) as f64)
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
        let (mut row, mut all) = (0, self.links.as_mut_slice());
        for step in &self.steps {
            match *step {
                Step::Rows(end) => row = end,
                Step::Chain { links, .. } => {
                    let chain = all.split_off_mut(..links).unwrap_or_default();
                    for links in chain {
                        for i in 0..TOGETHER {
                            let Row { end, pivot, .. } = self.rows[row];
                            links.pivots[i] = pivot;
                            links.factors[i] = -self.values[end as usize - 1];
                            row += 1;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Replaces `b` by the solution.
    pub fn solve(&self, b: &mut [f64]) {
        let (mut row, mut link) = (0, 0);
        for step in &self.steps {
            match *step {
                Step::Rows(end) => {
                    self.solve_rows(row, end, b);
                    row = end;
                }
                Step::Chain { first, apart, links } => {
                    solve_chain(&self.links[link..link + links], first, apart, b);
                    row += TOGETHER * links;
                    link += links;
                }
            }
        }
    }

    fn solve_rows(&self, first: usize, end: usize, b: &mut [f64]) {
        let mut start = if first == 0 { 0 } else { self.rows[first - 1].end as usize };
        for row in &self.rows[first..end] {
            let end = row.end as usize;
            let mut value = b[row.number as usize] * row.pivot;
            for (entry, column) in self.values[start..end].iter().zip(&self.columns[start..end]) {
                value -= entry * b[*column as usize];
            }
            b[row.number as usize] = value;
            start = end;
        }
    }
}

/// Divides the rows into chains and others; `needs_last` tells whether a row needs the one before it and nothing else.
fn steps(rows: &[Row], needs_last: impl Fn(usize) -> bool) -> Vec<Step> {
    let mut steps = Vec::new();
    let apart = |k: usize| rows[k].number as isize - rows[k - 1].number as isize;
    let mut row = 0;
    while row < rows.len() {
        let follows = |k: &usize| needs_last(*k) && apart(*k) == apart(row);
        let links = (row..rows.len()).take_while(follows).count() / TOGETHER;
        if TOGETHER * links >= SHORTEST {
            steps.push(Step::Chain { first: rows[row].number as usize, apart: apart(row), links });
            row += TOGETHER * links;
        } else {
            row += (TOGETHER * links).max(1);
            match steps.last_mut() {
                Some(Step::Rows(end)) => *end = row,
                _ => steps.push(Step::Rows(row)),
            }
        }
    }
    steps
}

fn solve_chain(chain: &[Links], first: usize, apart: isize, b: &mut [f64]) {
    let before = b[first.wrapping_add_signed(-apart)];
    match apart {
        1 => solve_neighbours(chain, before, b[first..].as_chunks_mut().0.iter_mut()),
        _ => solve_links(chain, before, first, apart, b),
    }
}

/// A chain of rows that lie side by side.
fn solve_neighbours<'a>(chain: &[Links], mut before: f64, b: impl Iterator<Item = &'a mut [f64; TOGETHER]>) {
    for (links, values) in chain.iter().zip(b) {
        before = links.solve(before, values);
    }
}

fn solve_links(chain: &[Links], mut before: f64, first: usize, apart: isize, b: &mut [f64]) {
    let mut place = first;
    for links in chain {
        let places: [usize; TOGETHER] = std::array::from_fn(|i| place.wrapping_add_signed(i as isize * apart));
        let mut values = places.map(|place| b[place]);
        before = links.solve(before, &mut values);
        places.iter().zip(values).for_each(|(&place, value)| b[place] = value);
        place = place.wrapping_add_signed(TOGETHER as isize * apart);
    }
}

impl Links {
    /// Solves the rows after the value of the row before them; returns the last value.
    #[inline(always)]
    fn solve(&self, before: f64, values: &mut [f64; TOGETHER]) -> f64 {
        let (mut value, mut product) = (0.0, 1.0);
        let mut last = before;
        for i in 0..TOGETHER {
            // As if there were no row before; then its part, whose factor does not wait for it.
            value = values[i] * self.pivots[i] + self.factors[i] * value;
            product *= self.factors[i];
            last = value + product * before;
            values[i] = last;
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two chains that both feed the last unknown; the first of each has no entry on the diagonal.
    fn pattern() -> Pattern {
        Pattern { n_rows: 5, col_starts: vec![0, 1, 3, 4, 6, 7], rows: vec![1, 1, 4, 3, 3, 4, 4] }
    }

    /// `(I - 0.5 J) x` by columns.
    fn product(pattern: &Pattern, jacobian: &[f64], x: &[f64]) -> Vec<f64> {
        let mut product = x.to_vec();
        for j in 0..pattern.n_rows {
            for entry in pattern.col_starts[j]..pattern.col_starts[j + 1] {
                product[pattern.rows[entry]] -= 0.5 * jacobian[entry] * x[j];
            }
        }
        product
    }

    #[test]
    fn chains_are_substituted() {
        let mut matrix = Triangular::new(&pattern()).unwrap();
        let jacobian = [2.0, -1.0, 3.0, 5.0, -3.0, 7.0, -4.0];
        matrix.factor(0.5, &jacobian).unwrap();
        let b = [1.0, 2.0, 3.0, 4.0, 5.0];
        let mut x = b;
        matrix.solve(&mut x);
        let product = product(&pattern(), &jacobian, &x);
        assert!(product.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-14), "{product:?}");
    }

    /// `n` rows, each of which needs the one before it; the first third has a second row at its side that needs two of them.
    fn long_pattern(n: usize) -> Pattern {
        let mut columns: Vec<Vec<usize>> = (0..n).map(|j| if j + 1 < n { vec![j, j + 1] } else { vec![j] }).collect();
        for row in 0..n / 3 {
            columns[row].push(n + row);
            columns[row + 1].push(n + row);
            columns.push(vec![n + row]);
        }
        let mut pattern = Pattern { n_rows: columns.len(), col_starts: vec![0], rows: Vec::new() };
        for mut column in columns {
            column.sort_unstable();
            column.dedup();
            pattern.rows.extend(column);
            pattern.col_starts.push(pattern.rows.len());
        }
        pattern
    }

    #[test]
    fn long_chains_are_substituted() {
        for n in [1, 3, SHORTEST, SHORTEST + 1, SHORTEST + 2, 50, 203] {
            let pattern = long_pattern(n);
            let mut matrix = Triangular::new(&pattern).unwrap();
            assert_eq!(!matrix.links.is_empty(), n > SHORTEST);
            let jacobian: Vec<f64> = (0..pattern.rows.len()).map(|entry| (entry as f64).sin() - 1.5).collect();
            matrix.factor(0.5, &jacobian).unwrap();
            let b: Vec<f64> = (0..pattern.n_rows).map(|row| (row as f64).cos()).collect();
            let mut x = b.clone();
            matrix.solve(&mut x);
            let product = product(&pattern, &jacobian, &x);
            assert!(product.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-13), "{n} rows: {product:?}");
        }
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
