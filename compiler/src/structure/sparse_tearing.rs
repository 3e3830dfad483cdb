//! Tearing of large sparse blocks: unknowns are eliminated only where the matrix of what is left gets no more entries.
//!
//! Input: an incidence and one of its blocks. Output: [`Torn`] with as many iteration unknowns as a sparse factorisation likes best.
//! Few iteration unknowns are the aim where the matrix is dense. A large grid has thousands of them however it is torn, and
//! substituting along its chains fills their matrix: then it is better to leave the elimination to a sparse factorisation that
//! chooses its order by the fill.
//!
//! Method: the equations in the order of their length, each solved for the unknown that is in fewest others, if
//! the entries that this makes (Markowitz 1957) are no more than those that it removes. What an inner unknown depends on
//! stays an iteration unknown, so the dependences never change once they are known.
//!
//! Guarantee: that of `tearing` (certified by `check::torn`). Cost: O(entries log entries).

use cranelift_entity::SecondaryMap;

use super::blt::Block;
use super::incidence::{Col, Incidence};
use super::tearing::{TearingOptions, Torn, pair_up};

/// An inner unknown depends on at most so many iteration unknowns.
const MOST_READ: usize = 16;

/// What is known of an unknown of the block.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
enum Status {
    /// Outside the block.
    #[default]
    Outside,
    /// It may become an inner unknown.
    Open,
    /// An inner unknown depends on it.
    Read,
    Inner,
}

/// Tears a block such that the matrix of its iteration unknowns has no more entries than that of all its unknowns.
pub fn tear_sparsely(incidence: &Incidence, block: &Block, options: &TearingOptions) -> Torn {
    let mut status: SecondaryMap<Col, Status> = SecondaryMap::new();
    let mut n_equations: SecondaryMap<Col, u32> = SecondaryMap::new();
    block.cols.iter().for_each(|&col| status[col] = Status::Open);
    for &row in &block.rows {
        incidence.rows[row].iter().for_each(|entry| n_equations[entry.col] += 1);
    }
    let mut depends = Dependences::default();
    let mut torn = Torn::default();
    let mut residuals = Vec::new();
    let mut rows = block.rows.clone();
    rows.sort_by_key(|&row| incidence.rows[row].len());
    let mut read = Vec::new();
    for row in rows {
        let assigns = incidence.assigns(row);
        let open = incidence.rows[row]
            .iter()
            .filter(|entry| status[entry.col] == Status::Open && entry.matchable(assigns) && options.solvable(entry));
        let fewest = open.map(|entry| entry.col).min_by_key(|&col| (n_equations[col], col));
        let pays = fewest.filter(|&col| {
            let others =
                incidence.rows[row].iter().map(|entry| entry.col).filter(|&other| other != col && status[other] != Status::Outside);
            depends.union_into(others, &mut read, MOST_READ + 1);
            let (n_read, n_readers) = (read.len(), n_equations[col] as usize - 1);
            n_read <= MOST_READ && n_read * n_readers <= n_read + n_readers + 1
        });
        match pays {
            Some(col) => {
                read.iter().for_each(|&other| status[other] = Status::Read);
                status[col] = Status::Inner;
                depends.set(col, &read);
                torn.inner.push((row, col));
            }
            None => residuals.push(row),
        }
    }
    residuals.sort_unstable();
    let mut unknowns: Vec<Col> = block.cols.iter().copied().filter(|&col| status[col] != Status::Inner).collect();
    unknowns.sort_unstable();
    torn.iteration = pair_up(incidence, &residuals, &unknowns);
    torn
}

/// The number of entries that the matrix of a torn block has after substitution, unless that is more than `limit` or would cost more
/// than a multiple of it to find out.
pub fn entries_up_to(incidence: &Incidence, torn: &Torn, limit: usize) -> Option<usize> {
    let n = torn.iteration.len();
    let mut depends = Dependences::default();
    let mut in_block: SecondaryMap<Col, bool> = SecondaryMap::new();
    torn.iteration.iter().chain(&torn.inner).for_each(|&(_, col)| in_block[col] = true);
    let (mut read, mut work, mut entries) = (Vec::new(), 0, 0);
    for (is_inner, &(row, col)) in torn.inner.iter().map(|pair| (true, pair)).chain(torn.iteration.iter().map(|pair| (false, pair))) {
        let others = incidence.rows[row].iter().map(|entry| entry.col).filter(|&other| in_block[other] && !(is_inner && other == col));
        depends.union_into(others, &mut read, n);
        work += read.len();
        if is_inner {
            depends.set(col, &read);
        } else {
            entries += read.len();
        }
        if entries > limit || work > limit.saturating_mul(8) {
            return None;
        }
    }
    Some(entries)
}

/// The iteration unknowns that each inner unknown depends on; any other depends on itself.
#[derive(Default)]
struct Dependences {
    /// Where those of an inner unknown lie.
    place: SecondaryMap<Col, Option<(u32, u32)>>,
    all: Vec<Col>,
}

impl Dependences {
    fn set(&mut self, col: Col, read: &[Col]) {
        let start = self.all.len() as u32;
        self.all.extend_from_slice(read);
        self.place[col] = Some((start, self.all.len() as u32));
    }

    /// All that some unknowns depend on, ascending, unless it becomes clear that they are `most` or more.
    fn union_into(&self, cols: impl Iterator<Item = Col>, union: &mut Vec<Col>, most: usize) {
        union.clear();
        for col in cols {
            match self.place[col] {
                Some((start, end)) => union.extend_from_slice(&self.all[start as usize..end as usize]),
                None => union.push(col),
            }
            // Not after every unknown, so that sorting takes no more than a multiple of what is added.
            if union.len() >= 2 * most {
                union.sort_unstable();
                union.dedup();
                if union.len() >= most {
                    return;
                }
            }
        }
        union.sort_unstable();
        union.dedup();
    }
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::super::matching::tests::safe;
    use super::super::tearing::{
        tear,
        tests::{ladder, whole},
    };
    use super::*;

    /// A square grid of resistors: a voltage for every node, a current for every branch, their equations.
    fn grid(side: usize) -> Incidence {
        let node = |x: usize, y: usize| x * side + y;
        let mut branches = Vec::new();
        for x in 0..side {
            for y in 0..side {
                branches.extend((x + 1 < side).then(|| (node(x, y), node(x + 1, y))));
                branches.extend((y + 1 < side).then(|| (node(x, y), node(x, y + 1))));
            }
        }
        let n_nodes = side * side;
        let mut rows: Vec<Vec<usize>> = (0..n_nodes).map(|node| vec![node]).collect();
        for (k, &(from, to)) in branches.iter().enumerate() {
            rows[from].push(n_nodes + k);
            rows[to].push(n_nodes + k);
            rows.push(vec![from, to, n_nodes + k]);
        }
        let rows: Vec<&[usize]> = rows.iter().map(Vec::as_slice).collect();
        safe(&rows, n_nodes + branches.len())
    }

    #[test]
    fn grids_keep_their_node_voltages() {
        let incidence = grid(30);
        let (block, options) = (whole(&incidence), TearingOptions::default());
        let torn = tear_sparsely(&incidence, &block, &options);
        check::torn(&incidence, &block, &options, &torn).expect("a right tearing");
        // One unknown for every node, with the five-point stencil between them; it may be another one at a corner.
        assert!((890..=910).contains(&torn.iteration.len()), "{} unknowns", torn.iteration.len());
        assert!(entries_up_to(&incidence, &torn, 5 * 900).is_some());
        assert_eq!(entries_up_to(&incidence, &torn, 4000), None);
    }

    #[test]
    fn entries_are_never_more_than_before() {
        for incidence in [ladder(50, |i| i), ladder(200, |i| i * 7919 % 600), grid(7)] {
            let (block, options) = (whole(&incidence), TearingOptions::default());
            let torn = tear_sparsely(&incidence, &block, &options);
            check::torn(&incidence, &block, &options, &torn).expect("a right tearing");
            let n_before = incidence.rows.entries().len();
            assert!(entries_up_to(&incidence, &torn, n_before).is_some());
        }
    }

    #[test]
    fn chains_have_few_entries_however_deep() {
        let incidence = ladder(400, |i| i);
        let torn = tear(&incidence, &whole(&incidence), &TearingOptions::default());
        assert_eq!(entries_up_to(&incidence, &torn, 1200), Some(1));
    }
}
