//! Tearing: a simultaneous block becomes few iteration unknowns and a sequence of closed-form assignments.
//!
//! Input: an incidence and one of its blocks. Output: [`Torn`]: guess the tearing unknowns, run the inner assignments
//! in order, and the residual equations say how wrong the guess was.
//!
//! Method: the greedy causalisation of Elmqvist and Otter ("Methods for tearing systems of equations in
//! object-oriented modeling", ESM 1994) with solvability restrictions as in Cellier and Kofman ("Continuous System
//! Simulation", 2006, section 7.5) and Carpanzano ("Order reduction of general nonlinear DAE systems by automatic
//! tearing", Math. Comput. Model. Dyn. Syst. 6(2), 2000): an equation with a single unknown left is solved for it if
//! the entry is solvable; when there is none, one unknown is torn. Three rules to choose that unknown are tried and
//! the best result is kept: the unknown that leaves most equations with one unknown; and a front that sweeps through
//! the block from either of two opposite ends, always at the equation with fewest unknowns left. Unknowns without a
//! solvable entry are torn beforehand. At last a torn unknown becomes an inner one where a residual equation can be
//! solved for it without closing a cycle.
//!
//! Guarantee: inner assignments use `Safe` entries only (also `Risky` ones if allowed) and each needs only tearing
//! unknowns, earlier inner unknowns and unknowns outside the block (certified by `check::torn`). The least number of
//! tearing unknowns is NP-hard to find; this is a heuristic. Cost: O(entries log unknowns).
//!
//! A block with discrete unknowns is torn without its assigning equations: any pairs of a block form a block here.
//! A small number of tearing unknowns is not a promise of good conditioning: a long sequence of inner assignments may
//! magnify rounding (a chain torn to one unknown is a shooting method).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};

use super::blt::Block;
use super::incidence::{Col, Entry, Incidence, Row, Solvability};
use super::matching::{any_entry, maximum_matching};

/// What tearing may do.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct TearingOptions {
    /// Whether inner assignments may divide by coefficients that could vanish.
    pub allow_risky: bool,
}

impl TearingOptions {
    /// Whether an inner assignment may solve for this entry.
    pub fn solvable(&self, entry: &Entry) -> bool {
        match entry.solvability {
            Solvability::Safe | Solvability::Assigned => true,
            Solvability::Risky => self.allow_risky,
            Solvability::Nonlinear | Solvability::Forbidden => false,
        }
    }
}

/// A torn block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Torn {
    /// The residual equations and the tearing unknowns, paired where the equation has the unknown.
    pub iteration: Vec<(Row, Col)>,
    /// The inner assignments in evaluation order: the equation is solved for the unknown in closed form.
    pub inner: Vec<(Row, Col)>,
}

/// Tears a block.
pub fn tear(incidence: &Incidence, block: &Block, options: &TearingOptions) -> Torn {
    let graph = Graph::new(incidence, block, options);
    let (near, far) = graph.levels_from_two_ends();
    let mut best = Causalisation::run(&graph, &Rule::MostSolved);
    for levels in [near, far] {
        if best.n_torn > graph.n_forced.max(1) {
            let other = Causalisation::run(&graph, &Rule::Front(levels));
            if other.n_torn < best.n_torn {
                best = other;
            }
        }
    }
    best.assign_torn_unknowns(&graph);
    best.into_torn(&graph, incidence)
}

/// An equation of the block, by its place there.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Equation(u32);
entity_impl!(Equation, "eq");

/// An unknown of the block, by its place there.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Unknown(u32);
entity_impl!(Unknown, "un");

/// A list for every key, all of them in one array.
struct Lists<K, V> {
    /// Where the list of each key ends.
    ends: Vec<u32>,
    items: Vec<V>,
    key: std::marker::PhantomData<K>,
}

impl<K: EntityRef, V: Copy> Lists<K, V> {
    /// The lists of `n` keys; the items of each keep their order.
    fn new(n: usize, pairs: impl Iterator<Item = (K, V)> + Clone) -> Lists<K, V> {
        let mut ends = vec![0; n];
        pairs.clone().for_each(|(key, _)| ends[key.index()] += 1);
        let mut total = 0;
        for end in &mut ends {
            // The start of the list, until its items have been put in.
            (*end, total) = (total, total + *end);
        }
        let mut items: Vec<V> = pairs.clone().map(|(_, value)| value).collect();
        for (key, value) in pairs {
            let at = &mut ends[key.index()];
            items[*at as usize] = value;
            *at += 1;
        }
        Lists { ends, items, key: std::marker::PhantomData }
    }
}

impl<K: EntityRef, V> std::ops::Index<K> for Lists<K, V> {
    type Output = [V];

    fn index(&self, key: K) -> &[V] {
        let start = key.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start as usize..self.ends[key.index()] as usize]
    }
}

/// The incidence within the block.
struct Graph {
    row_of: PrimaryMap<Equation, Row>,
    col_of: PrimaryMap<Unknown, Col>,
    /// For every equation the unknowns of the block in it, and whether it can be solved for them.
    unknowns: Lists<Equation, (Unknown, bool)>,
    /// For every unknown the equations of the block it is in, and whether they can be solved for it.
    equations: Lists<Unknown, (Equation, bool)>,
    /// The number of unknowns that no equation can be solved for.
    n_forced: usize,
}

impl Graph {
    fn new(incidence: &Incidence, block: &Block, options: &TearingOptions) -> Graph {
        let mut cols = block.cols.clone();
        cols.sort_unstable();
        let row_of: PrimaryMap<Equation, Row> = block.rows.iter().copied().collect();
        // Where the block is the whole system, and only there, an unknown's place is its column.
        let is_whole = cols.len() == incidence.n_cols;
        let mut pairs = Vec::new();
        for (equation, &row) in row_of.iter() {
            let assigns = incidence.assigns(row);
            for entry in &incidence.rows[row] {
                let place = if is_whole { Some(entry.col.index()) } else { cols.binary_search(&entry.col).ok() };
                if let Some(at) = place {
                    pairs.push((equation, Unknown::new(at), entry.matchable(assigns) && options.solvable(entry)));
                }
            }
        }
        let unknowns = Lists::new(row_of.len(), pairs.iter().map(|&(equation, unknown, solvable)| (equation, (unknown, solvable))));
        let equations = Lists::new(cols.len(), pairs.iter().map(|&(equation, unknown, solvable)| (unknown, (equation, solvable))));
        let col_of: PrimaryMap<Unknown, Col> = cols.into_iter().collect();
        let n_forced = col_of.keys().filter(|&unknown| !equations[unknown].iter().any(|&(_, solvable)| solvable)).count();
        Graph { row_of, col_of, unknowns, equations, n_forced }
    }

    /// Breadth-first levels of the equations, from an equation at one end of the block and from one at the other.
    fn levels_from_two_ends(&self) -> (SecondaryMap<Equation, u32>, SecondaryMap<Equation, u32>) {
        let (_, one_end) = self.levels_from(Equation::new(0));
        let (near, other_end) = self.levels_from(one_end);
        let (far, _) = self.levels_from(other_end);
        (near, far)
    }

    /// Breadth-first levels from an equation, and the equation of the last level with fewest unknowns.
    fn levels_from(&self, start: Equation) -> (SecondaryMap<Equation, u32>, Equation) {
        let mut level_of: SecondaryMap<Equation, u32> = SecondaryMap::with_default(u32::MAX);
        let mut seen: SecondaryMap<Unknown, bool> = SecondaryMap::new();
        level_of[start] = 0;
        let mut queue = vec![start];
        let mut head = 0;
        while let Some(&equation) = queue.get(head) {
            head += 1;
            for &(unknown, _) in &self.unknowns[equation] {
                if !std::mem::replace(&mut seen[unknown], true) {
                    for &(next, _) in &self.equations[unknown] {
                        if level_of[next] == u32::MAX {
                            level_of[next] = level_of[equation] + 1;
                            queue.push(next);
                        }
                    }
                }
            }
        }
        let last = queue.last().map_or(0, |&equation| level_of[equation]);
        let ends = queue.iter().copied().filter(|&equation| level_of[equation] == last);
        let end = ends.min_by_key(|&equation| (self.unknowns[equation].len(), equation)).unwrap_or(start);
        (level_of, end)
    }
}

/// How the next tearing unknown is chosen.
enum Rule {
    /// The unknown that leaves most equations solvable for their last unknown.
    MostSolved,
    /// An unknown of the equation with fewest unknowns left, the lowest level first.
    Front(SecondaryMap<Equation, u32>),
}

/// What is known of an unknown while the block is made causal.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
enum Status {
    #[default]
    Open,
    Torn,
    Inner,
}

/// The state of the greedy causalisation.
struct Causalisation {
    status_of: SecondaryMap<Unknown, Status>,
    /// The unknown each inner equation is solved for.
    solves: SecondaryMap<Equation, PackedOption<Unknown>>,
    n_torn: usize,
    /// Whether the equations of a known unknown have been told.
    spread: SecondaryMap<Unknown, bool>,
    /// The number of unknowns of each equation that are open or not yet spread.
    n_open: SecondaryMap<Equation, u32>,
    /// For each unknown the number of equations that tearing it would make solvable at once.
    gain_of: SecondaryMap<Unknown, u32>,
    /// Unknowns that became known and whose equations are to be updated.
    news: Vec<Unknown>,
    /// Unknowns whose gain has changed.
    changed: Vec<Unknown>,
    /// Equations that have more than one open unknown and have lost one.
    touched: Vec<Equation>,
}

impl Causalisation {
    fn run(graph: &Graph, rule: &Rule) -> Causalisation {
        let mut this = Causalisation {
            status_of: SecondaryMap::new(),
            solves: SecondaryMap::new(),
            n_torn: 0,
            spread: SecondaryMap::new(),
            n_open: SecondaryMap::new(),
            gain_of: SecondaryMap::new(),
            news: Vec::new(),
            changed: Vec::new(),
            touched: Vec::new(),
        };
        for equation in graph.row_of.keys() {
            this.n_open[equation] = graph.unknowns[equation].len() as u32;
            match this.n_open[equation] {
                1 => this.solve_for_last(graph, equation),
                2 => this.count_gain(graph, equation),
                _ => {}
            }
        }
        for unknown in graph.col_of.keys() {
            if !graph.equations[unknown].iter().any(|&(_, solvable)| solvable) {
                this.tear(unknown);
            }
        }
        this.propagate(graph);
        match rule {
            Rule::MostSolved => this.tear_most_solved(graph),
            Rule::Front(level_of) => this.tear_along_front(graph, level_of),
        }
        this
    }

    fn tear_most_solved(&mut self, graph: &Graph) {
        let key = |this: &Causalisation, unknown: Unknown| (this.gain_of[unknown], graph.equations[unknown].len(), Reverse(unknown));
        let mut heap: BinaryHeap<(u32, usize, Reverse<Unknown>)> = graph.col_of.keys().map(|unknown| key(self, unknown)).collect();
        self.changed.clear();
        while let Some((gain, _, Reverse(unknown))) = heap.pop() {
            // An entry with an outdated gain was followed by a newer one.
            if self.status_of[unknown] != Status::Open || self.gain_of[unknown] != gain {
                continue;
            }
            self.tear(unknown);
            self.propagate(graph);
            for at in 0..self.changed.len() {
                let unknown = self.changed[at];
                if self.status_of[unknown] == Status::Open {
                    heap.push(key(self, unknown));
                }
            }
            self.changed.clear();
        }
    }

    fn tear_along_front(&mut self, graph: &Graph, level_of: &SecondaryMap<Equation, u32>) {
        // An equation with one open unknown that it cannot be solved for is a residual: it does not ask for a tear.
        let key = |this: &Causalisation, equation: Equation| Reverse((this.n_open[equation], level_of[equation], equation));
        let mut heap: BinaryHeap<Reverse<(u32, u32, Equation)>> = graph.row_of.keys().map(|equation| key(self, equation)).collect();
        self.touched.clear();
        while let Some(Reverse((n_open, _, equation))) = heap.pop() {
            if self.n_open[equation] != n_open || n_open < 2 {
                continue;
            }
            // Keep the unknown that the equation can be solved for; of the others tear what helps most.
            let open = graph.unknowns[equation].iter().filter(|&&(unknown, _)| self.status_of[unknown] == Status::Open);
            let worst = open
                .max_by_key(|&&(unknown, solvable)| (!solvable, self.gain_of[unknown], graph.equations[unknown].len(), Reverse(unknown)));
            let Some(&(unknown, _)) = worst else { continue };
            self.tear(unknown);
            self.propagate(graph);
            for at in 0..self.touched.len() {
                heap.push(key(self, self.touched[at]));
            }
            self.touched.clear();
        }
    }

    fn tear(&mut self, unknown: Unknown) {
        self.status_of[unknown] = Status::Torn;
        self.n_torn += 1;
        self.news.push(unknown);
    }

    /// Follows every newly known unknown until no equation can be solved.
    fn propagate(&mut self, graph: &Graph) {
        while let Some(unknown) = self.news.pop() {
            self.spread[unknown] = true;
            for &(equation, solvable) in &graph.equations[unknown] {
                self.n_open[equation] -= 1;
                match self.n_open[equation] {
                    0 => {}
                    1 => {
                        // The other unknown of the two had this one to gain, if it was solvable.
                        let mut rest = graph.unknowns[equation].iter().filter(|&&(other, _)| !self.spread[other]);
                        if let (true, Some(&(other, _))) = (solvable, rest.next()) {
                            self.gain_of[other] -= 1;
                            self.changed.push(other);
                        }
                        self.solve_for_last(graph, equation);
                    }
                    2 => {
                        self.count_gain(graph, equation);
                        self.touched.push(equation);
                    }
                    _ => self.touched.push(equation),
                }
            }
        }
    }

    /// Solves an equation with one open unknown for it, if it can be.
    fn solve_for_last(&mut self, graph: &Graph, equation: Equation) {
        for &(unknown, solvable) in &graph.unknowns[equation] {
            if self.status_of[unknown] == Status::Open && solvable {
                self.status_of[unknown] = Status::Inner;
                self.solves[equation] = unknown.into();
                self.news.push(unknown);
                return;
            }
        }
    }

    /// Counts an equation that has come to two open unknowns: tearing one makes it solvable for the other.
    fn count_gain(&mut self, graph: &Graph, equation: Equation) {
        let mut rest = graph.unknowns[equation].iter().filter(|&&(unknown, _)| !self.spread[unknown]);
        if let (Some(&(one, one_solvable)), Some(&(other, other_solvable))) = (rest.next(), rest.next()) {
            self.gain_of[one] += u32::from(other_solvable);
            self.gain_of[other] += u32::from(one_solvable);
            self.changed.extend([one, other]);
        }
    }

    /// Makes a torn unknown an inner one where a residual equation can be solved for it and needs nothing that depends
    /// on it. The work is bounded by a multiple of the block's entries.
    fn assign_torn_unknowns(&mut self, graph: &Graph) {
        let n_entries = graph.unknowns.items.len();
        let mut budget = 8 * n_entries + 1000;
        let mut reached_for: SecondaryMap<Unknown, PackedOption<Unknown>> = SecondaryMap::new();
        let mut stack = Vec::new();
        for torn in graph.col_of.keys().filter(|&unknown| self.status_of[unknown] == Status::Torn).collect::<Vec<_>>() {
            let residual = |&&(equation, solvable): &&(Equation, bool)| solvable && self.solves[equation].is_none();
            if !graph.equations[torn].iter().any(|pair| residual(&pair)) {
                continue;
            }
            reached_for[torn] = torn.into();
            stack.clear();
            stack.push(torn);
            while let Some(unknown) = stack.pop() {
                for &(equation, _) in &graph.equations[unknown] {
                    if budget == 0 {
                        return;
                    }
                    budget -= 1;
                    if let Some(next) = self.solves[equation].expand()
                        && reached_for[next].expand() != Some(torn)
                    {
                        reached_for[next] = torn.into();
                        stack.push(next);
                    }
                }
            }
            let independent = |equation: Equation| {
                let mut others = graph.unknowns[equation].iter().filter(|&&(other, _)| other != torn);
                others.all(|&(other, _)| reached_for[other].expand() != Some(torn))
            };
            let found = graph.equations[torn].iter().filter(residual).find(|&&(equation, _)| independent(equation));
            if let Some(&(equation, _)) = found {
                self.status_of[torn] = Status::Inner;
                self.solves[equation] = torn.into();
                self.n_torn -= 1;
            }
        }
    }

    /// Orders the inner assignments and pairs the rest.
    fn into_torn(self, graph: &Graph, incidence: &Incidence) -> Torn {
        // An inner equation is ready when all inner unknowns in it but its own are assigned.
        let mut n_missing: SecondaryMap<Equation, u32> = SecondaryMap::new();
        let mut ready: Vec<Equation> = Vec::new();
        for equation in graph.row_of.keys() {
            if let Some(own) = self.solves[equation].expand() {
                let needs = |&&(unknown, _): &&(Unknown, bool)| unknown != own && self.status_of[unknown] == Status::Inner;
                n_missing[equation] = graph.unknowns[equation].iter().filter(needs).count() as u32;
                if n_missing[equation] == 0 {
                    ready.push(equation);
                }
            }
        }
        let mut inner = Vec::new();
        let mut head = 0;
        while let Some(&equation) = ready.get(head) {
            head += 1;
            if let Some(own) = self.solves[equation].expand() {
                inner.push((graph.row_of[equation], graph.col_of[own]));
                for &(next, _) in &graph.equations[own] {
                    if next != equation && self.solves[next].is_some() {
                        n_missing[next] -= 1;
                        if n_missing[next] == 0 {
                            ready.push(next);
                        }
                    }
                }
            }
        }

        let residuals: Vec<Row> =
            graph.row_of.iter().filter(|&(equation, _)| self.solves[equation].is_none()).map(|(_, &row)| row).collect();
        let is_torn = |&(unknown, _): &(Unknown, &Col)| self.status_of[unknown] == Status::Torn;
        let torn: Vec<Col> = graph.col_of.iter().filter(is_torn).map(|(_, &col)| col).collect();
        Torn { iteration: pair_up(incidence, &residuals, &torn), inner }
    }
}

/// Pairs residual equations with tearing unknowns, as many as possible with an unknown that is in the equation.
pub(super) fn pair_up(incidence: &Incidence, residuals: &[Row], torn: &[Col]) -> Vec<(Row, Col)> {
    let mut direct = Incidence { n_cols: torn.len(), ..Incidence::default() };
    for &row in residuals {
        let local = |entry: &Entry| {
            let at = torn.binary_search(&entry.col).ok()?;
            Some(Entry { col: Col::new(at), solvability: Solvability::Safe })
        };
        direct.rows.push(incidence.rows[row].iter().filter_map(local).collect());
    }
    let matching = maximum_matching(&direct, any_entry, |_| 0);
    let mut free = matching.unmatched_cols(&direct);
    let mut pairs = Vec::with_capacity(residuals.len());
    for (row, &residual) in direct.rows.keys().zip(residuals) {
        if let Some(col) = matching.col_of[row].expand().or_else(|| free.next()) {
            pairs.push((residual, torn[col.index()]));
        }
    }
    pairs
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::matching::tests::safe;
    use super::*;

    /// The whole system as one block.
    pub(crate) fn whole(incidence: &Incidence) -> Block {
        Block { rows: incidence.rows.keys().collect(), cols: incidence.cols().collect() }
    }

    /// A ladder of series and shunt resistors behind a voltage source: per stage the node voltage, the series current
    /// and the shunt current; `order` renumbers the unknowns.
    pub(crate) fn ladder(n: usize, order: impl Fn(usize) -> usize) -> Incidence {
        let (voltage, series, shunt) = (|k: usize| 3 * k, |k: usize| 3 * k + 1, |k: usize| 3 * k + 2);
        let mut rows: Vec<Vec<usize>> = Vec::new();
        for k in 0..n {
            let before = if k > 0 { vec![voltage(k - 1)] } else { vec![] };
            rows.push([before, vec![voltage(k), series(k)]].concat());
            rows.push(vec![voltage(k), shunt(k)]);
            let after = if k + 1 < n { vec![series(k + 1)] } else { vec![] };
            rows.push([vec![series(k), shunt(k)], after].concat());
        }
        for row in &mut rows {
            row.iter_mut().for_each(|col| *col = order(*col));
            row.sort_unstable();
        }
        let rows: Vec<&[usize]> = rows.iter().map(Vec::as_slice).collect();
        safe(&rows, 3 * n)
    }

    #[test]
    fn ladder_tears_to_one() {
        for stages in [2, 3, 10, 400, 10_000] {
            let n = 3 * stages;
            let orders: [&dyn Fn(usize) -> usize; 3] = [&|i| i, &|i| n - 1 - i, &|i| i * 7919 % n];
            for order in orders {
                let incidence = ladder(stages, order);
                let torn = tear(&incidence, &whole(&incidence), &TearingOptions::default());
                assert_eq!(torn.iteration.len(), 1, "{stages} stages");
                assert_eq!(torn.inner.len(), n - 1);
            }
        }
    }

    #[test]
    fn reduced_ladders_tear_to_one() {
        // Node voltages only (tridiagonal), and voltages with series currents.
        let n = 400;
        let voltages: Vec<Vec<usize>> = (0..n).map(|k| (k.max(1) - 1..(k + 2).min(n)).collect()).collect();
        let mut both: Vec<Vec<usize>> = Vec::new();
        for k in 0..n {
            both.push(if k > 0 { vec![2 * k - 2, 2 * k, 2 * k + 1] } else { vec![0, 1] });
            both.push(if k + 1 < n { vec![2 * k, 2 * k + 1, 2 * k + 3] } else { vec![2 * k, 2 * k + 1] });
        }
        for (rows, n) in [(voltages, n), (both, 2 * n)] {
            let rows: Vec<&[usize]> = rows.iter().map(Vec::as_slice).collect();
            let incidence = safe(&rows, n);
            assert_eq!(tear(&incidence, &whole(&incidence), &TearingOptions::default()).iteration.len(), 1);
        }
    }

    #[test]
    fn only_solvable_entries_are_assigned() {
        let entry = |col, solvability| Entry { col: Col::new(col), solvability };
        let mut incidence = Incidence { n_cols: 2, ..Incidence::default() };
        incidence.rows.push(vec![entry(0, Solvability::Nonlinear), entry(1, Solvability::Risky)]);
        incidence.rows.push(vec![entry(0, Solvability::Nonlinear), entry(1, Solvability::Nonlinear)]);
        let block = whole(&incidence);
        assert_eq!(tear(&incidence, &block, &TearingOptions::default()).iteration.len(), 2);
        let torn = tear(&incidence, &block, &TearingOptions { allow_risky: true });
        assert_eq!(torn.inner, [(Row::new(0), Col::new(1))]);
        assert_eq!(torn.iteration, [(Row::new(1), Col::new(0))]);
    }

    #[test]
    fn grid_front_is_as_wide_as_the_grid() {
        // Five-point stencil on a square of side 55 (3025 unknowns): a front of one side is enough.
        let side = 55;
        let at = |x: usize, y: usize| x * side + y;
        let mut rows: Vec<Vec<usize>> = Vec::new();
        for x in 0..side {
            for y in 0..side {
                let mut row = vec![at(x, y)];
                row.extend((x > 0).then(|| at(x - 1, y)));
                row.extend((y > 0).then(|| at(x, y - 1)));
                row.extend((x + 1 < side).then(|| at(x + 1, y)));
                row.extend((y + 1 < side).then(|| at(x, y + 1)));
                row.sort_unstable();
                rows.push(row);
            }
        }
        let rows: Vec<&[usize]> = rows.iter().map(Vec::as_slice).collect();
        let incidence = safe(&rows, side * side);
        let torn = tear(&incidence, &whole(&incidence), &TearingOptions::default());
        assert!(torn.iteration.len() <= 3 * side / 2, "{} tearing unknowns", torn.iteration.len());
    }
}
