//! Certificates: every structural result is checked by a rule that is simpler than the algorithm that made it.
//!
//! Input: what the algorithm got and what it gave. Output: nothing, or the first [`Violation`] met.
//! - [`matching`]: König's theorem, "Gráfok és mátrixok", Mat. Fiz. Lapok 38 (1931): a vertex cover of the same size
//!   proves a matching maximum.
//! - [`parts`]: counts and missing edges prove over- and under-determination.
//! - [`blocks`]: no block needs a later one, and each is strongly connected.
//! - [`offsets`]: Pryce, "A simple structural analysis method for DAEs", BIT 41(2), 2001: with c the number of
//!   differentiations and d the highest orders, d_j - c_i >= sigma_ij with equality on a complete matching, and c is the
//!   smallest such vector.
//! - [`states`]: as many dummies as differentiated equations, and the system is regular with the states known.
//! - [`torn`]: the inner assignments are solvable and need nothing that comes later.
//!
//! Cost: linear in the entries, but for one matching in [`states`].

use std::fmt;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, SecondaryMap};

use super::blt::{Block, Blocks};
use super::dulmage_mendelsohn::{Parts, Subsystem};
use super::incidence::{Col, DerivativeChains, Entry, Incidence, Row, Solvability};
use super::matching::{Matching, any_entry, maximum_matching};
use super::pantelides::Differentiations;
use super::states::{StateProblem, StateSelection};
use super::tearing::{TearingOptions, Torn};

/// What is wrong with a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// The pair is not an entry that may be matched, or its two sides disagree.
    BadPair(Row, PackedOption<Col>),
    /// A count is not what it should be.
    Count {
        /// What is counted.
        what: &'static str,
        /// What the result says.
        found: usize,
        /// What it should be.
        expected: usize,
    },
    /// A longer matching exists: this unknown can be reached from an unmatched equation.
    NotMaximum(Col),
    /// An equation has an unknown that its part or its place in the order forbids.
    Edge(Row, Col),
    /// An equation is missing, or there twice.
    RowCount(Row),
    /// An unknown is missing, or there twice.
    ColCount(Col),
    /// The block of this equation is no single loop.
    NotConnected(Row),
    /// The offsets of an equation and an unknown are too small for the unknown's order in the equation.
    Offset(Row, Col),
    /// An equation is differentiated more often than needed.
    NotSmallest(Row),
    /// An inner assignment solves for an entry that is not solvable.
    NotSolvable(Row, Col),
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Violation::BadPair(row, col) => match col.expand() {
                Some(col) => write!(f, "{row} may not be matched to {col}, or {col} is matched to another equation"),
                None => write!(f, "an unknown is matched to {row}, which is not matched to it"),
            },
            Violation::Count { what, found, expected } => write!(f, "{found} {what}, expected {expected}"),
            Violation::NotMaximum(col) => write!(f, "the matching can be extended to {col}"),
            Violation::Edge(row, col) => write!(f, "{row} may not have {col} where it is"),
            Violation::RowCount(row) => write!(f, "{row} is missing or repeated"),
            Violation::ColCount(col) => write!(f, "{col} is missing or repeated"),
            Violation::NotConnected(row) => write!(f, "the block of {row} can be split"),
            Violation::Offset(row, col) => write!(f, "the order of {col} in {row} is beyond the offsets"),
            Violation::NotSmallest(row) => write!(f, "{row} is differentiated more often than needed"),
            Violation::NotSolvable(row, col) => write!(f, "{row} cannot be solved for {col}"),
        }
    }
}

impl std::error::Error for Violation {}

fn same_count(what: &'static str, found: usize, expected: usize) -> Result<(), Violation> {
    if found == expected { Ok(()) } else { Err(Violation::Count { what, found, expected }) }
}

/// Proves that a matching is valid and of maximum size over the matchable entries that `allowed` admits.
pub fn matching(incidence: &Incidence, allowed: impl Fn(&Entry) -> bool, matching: &Matching) -> Result<(), Violation> {
    let edges = |row| incidence.matchable(row).filter(|entry| allowed(entry)).map(|entry| entry.col);
    let mut n_pairs = 0;
    for row in incidence.rows.keys() {
        if let Some(col) = matching.col_of[row].expand() {
            n_pairs += 1;
            if matching.row_of[col].expand() != Some(row) || !edges(row).any(|other| other == col) {
                return Err(Violation::BadPair(row, col.into()));
            }
        }
    }
    same_count("pairs", matching.size, n_pairs)?;
    for col in incidence.cols() {
        if let Some(row) = matching.row_of[col].expand()
            && matching.col_of[row].expand() != Some(col)
        {
            return Err(Violation::BadPair(row, None.into()));
        }
    }

    // The cover: equations that no alternating path from a free equation reaches, and unknowns that one reaches.
    let mut row_reached: SecondaryMap<Row, bool> = SecondaryMap::new();
    let mut col_reached: SecondaryMap<Col, bool> = SecondaryMap::new();
    let mut stack: Vec<Row> = matching.unmatched_rows(incidence).collect();
    for &row in &stack {
        row_reached[row] = true;
    }
    while let Some(row) = stack.pop() {
        for col in edges(row) {
            if !std::mem::replace(&mut col_reached[col], true) {
                let Some(next) = matching.row_of[col].expand() else { return Err(Violation::NotMaximum(col)) };
                if !std::mem::replace(&mut row_reached[next], true) {
                    stack.push(next);
                }
            }
        }
    }
    for row in incidence.rows.keys().filter(|&row| row_reached[row]) {
        if let Some(col) = edges(row).find(|&col| !col_reached[col]) {
            return Err(Violation::Edge(row, col));
        }
    }
    let n_cover = incidence.rows.keys().filter(|&row| !row_reached[row]).count() + incidence.cols().filter(|&col| col_reached[col]).count();
    same_count("vertices in the cover", n_cover, matching.size)
}

/// Proves that the parts of a system are over-, under- and well-determined.
pub fn parts(incidence: &Incidence, allowed: impl Fn(&Entry) -> bool, parts: &Parts) -> Result<(), Violation> {
    // Numbers from one: first the over-determined parts, then the well-determined one, then the under-determined.
    let all: Vec<&Subsystem> = parts.over.iter().chain([&parts.well]).chain(&parts.under).collect();
    let n_over = parts.over.len();
    let mut part_of_row: SecondaryMap<Row, usize> = SecondaryMap::new();
    let mut part_of_col: SecondaryMap<Col, usize> = SecondaryMap::new();
    for (at, part) in all.iter().enumerate() {
        for &row in &part.rows {
            if std::mem::replace(&mut part_of_row[row], at + 1) != 0 {
                return Err(Violation::RowCount(row));
            }
        }
        for &col in &part.cols {
            if std::mem::replace(&mut part_of_col[col], at + 1) != 0 {
                return Err(Violation::ColCount(col));
            }
        }
        let (n_rows, n_cols) = (part.rows.len(), part.cols.len());
        let fits = if at < n_over { n_rows > n_cols } else { at > n_over || n_rows == n_cols };
        if !fits || (at > n_over && n_cols <= n_rows) {
            return Err(Violation::Count { what: "equations in a part", found: n_rows, expected: n_cols });
        }
    }
    if let Some(row) = incidence.rows.keys().find(|&row| part_of_row[row] == 0) {
        return Err(Violation::RowCount(row));
    }
    if let Some(col) = incidence.cols().find(|&col| part_of_col[col] == 0) {
        return Err(Violation::ColCount(col));
    }
    for row in incidence.rows.keys() {
        for entry in incidence.matchable(row).filter(|entry| allowed(entry)) {
            // Over-determined equations see only their own unknowns, well-determined ones no under-determined unknowns.
            let (of_row, of_col) = (part_of_row[row], part_of_col[entry.col]);
            let own = of_row == of_col;
            let into_over = of_row > n_over && of_col <= n_over;
            let into_well = of_row > n_over + 1 && of_col == n_over + 1;
            if !own && !into_over && !into_well {
                return Err(Violation::Edge(row, entry.col));
            }
        }
    }
    Ok(())
}

/// Proves that the blocks hold every matched equation once with its unknown, that no block needs a later one, and that
/// each block is one loop.
pub fn blocks(incidence: &Incidence, matching: &Matching, blocks: &Blocks) -> Result<(), Violation> {
    let mut block_of: SecondaryMap<Row, Option<usize>> = SecondaryMap::new();
    let mut n_rows = 0;
    for (at, block) in blocks.blocks.iter().enumerate() {
        same_count("unknowns in a block", block.cols.len(), block.rows.len())?;
        for (row, col) in block.pairs() {
            if matching.col_of[row].expand() != Some(col) {
                return Err(Violation::BadPair(row, col.into()));
            }
            if block_of[row].replace(at).is_some() {
                return Err(Violation::RowCount(row));
            }
            n_rows += 1;
        }
    }
    same_count("sorted equations", n_rows, matching.size)?;

    // Rows that use the unknown of a row of the same block, for the walk backwards.
    let mut users_of: SecondaryMap<Row, Vec<Row>> = SecondaryMap::new();
    let needs = |row: Row| incidence.rows[row].iter().filter_map(|entry| matching.row_of[entry.col].expand());
    for (row, &at) in block_of.iter() {
        if at.is_some() {
            for needed in needs(row) {
                if block_of[needed] > at {
                    return Err(Violation::Edge(row, matching.col_of[needed].expand().unwrap_or(Col::new(0))));
                }
                if block_of[needed] == at {
                    users_of[needed].push(row);
                }
            }
        }
    }
    let mut seen: SecondaryMap<Row, (bool, bool)> = SecondaryMap::new();
    let mut stack = Vec::new();
    for (at, block) in blocks.blocks.iter().enumerate() {
        let Some(&first) = block.rows.first() else {
            return Err(Violation::Count { what: "equations in a block", found: 0, expected: 1 });
        };
        stack.push(first);
        seen[first].0 = true;
        while let Some(row) = stack.pop() {
            for next in needs(row).filter(|&next| block_of[next] == Some(at)) {
                if !std::mem::replace(&mut seen[next].0, true) {
                    stack.push(next);
                }
            }
        }
        stack.push(first);
        seen[first].1 = true;
        while let Some(row) = stack.pop() {
            for &next in &users_of[row] {
                if !std::mem::replace(&mut seen[next].1, true) {
                    stack.push(next);
                }
            }
        }
        if let Some(&row) = block.rows.iter().find(|&&row| seen[row] != (true, true)) {
            return Err(Violation::NotConnected(row));
        }
    }
    Ok(())
}

/// For every unknown the lowest of its chain and its order in it; for the lowest ones also the length, as given and as extended.
#[derive(Default)]
struct Chains {
    lowest_of: SecondaryMap<Col, PackedOption<Col>>,
    order_of: SecondaryMap<Col, u32>,
    given_order_of: SecondaryMap<Col, u32>,
    highest_order_of: SecondaryMap<Col, u32>,
}

impl Chains {
    fn new(incidence: &Incidence, chains: &DerivativeChains, result: &Differentiations) -> Chains {
        let mut found = Chains::default();
        for lowest in incidence.cols().filter(|&col| chains.integral_of[col].is_none()) {
            let mut order = 0;
            let mut next = Some(lowest);
            while let Some(col) = next {
                found.lowest_of[col] = lowest.into();
                found.order_of[col] = order;
                found.highest_order_of[lowest] = order;
                if col.index() < incidence.n_cols {
                    found.given_order_of[lowest] = order;
                }
                order += 1;
                next = result.chains.der_of[col].expand();
            }
        }
        found
    }

    fn of(&self, col: Col) -> Result<Col, Violation> {
        self.lowest_of[col].expand().ok_or(Violation::ColCount(col))
    }

    /// The chains in an equation, each with the order that it has there.
    fn orders_in(&self, incidence: &Incidence, row: Row) -> Result<Vec<(Col, u32)>, Violation> {
        let entries = incidence.rows[row].iter().filter(|entry| entry.solvability != Solvability::Forbidden);
        entries.map(|entry| Ok((self.of(entry.col)?, self.order_of[entry.col]))).collect()
    }
}

/// Proves that differentiations are sufficient and none is superfluous.
pub fn offsets(incidence: &Incidence, chains: &DerivativeChains, result: &Differentiations) -> Result<(), Violation> {
    same_count("rows", result.incidence.rows.len(), incidence.rows.len() + result.steps.len())?;
    same_count("columns", result.incidence.n_cols, incidence.n_cols + result.new_cols.len())?;

    let chains = Chains::new(incidence, chains, result);
    let orders = |row: Row| chains.orders_in(incidence, row);

    // The inequalities: the order of every chain in every equation.
    for row in incidence.rows.keys() {
        for (chain, order) in orders(row)? {
            if chains.highest_order_of[chain] < result.count_of[row] + order {
                return Err(Violation::Offset(row, chain));
            }
        }
        if result.count_of[row] > 0 && incidence.assigns(row) {
            return Err(Violation::NotSmallest(row));
        }
    }

    // Equality on a complete matching.
    let mut row_matched_to: SecondaryMap<Col, PackedOption<Row>> = SecondaryMap::new();
    for row in incidence.rows.keys() {
        let mut end = row;
        for _ in 0..result.count_of[row] {
            end = result.derivative_of[end].expand().ok_or(Violation::RowCount(end))?;
        }
        let Some(col) = result.matching.col_of[end].expand() else {
            return Err(Violation::BadPair(end, None.into()));
        };
        let chain = chains.of(col)?;
        let tight = chains.highest_order_of[chain].checked_sub(result.count_of[row]);
        let present =
            incidence.matchable(row).any(|e| chains.lowest_of[e.col].expand() == Some(chain) && Some(chains.order_of[e.col]) == tight);
        if chains.order_of[col] != chains.highest_order_of[chain] || !present {
            return Err(Violation::BadPair(row, chain.into()));
        }
        if row_matched_to[chain].is_some() {
            return Err(Violation::ColCount(chain));
        }
        row_matched_to[chain] = row.into();
    }

    smallest(incidence, result, &chains, &row_matched_to)
}

/// Proves that no differentiation is superfluous: Pryce's fixed point from zero gives the smallest offsets for one matching, hence for all.
fn smallest(
    incidence: &Incidence,
    result: &Differentiations,
    chains: &Chains,
    row_matched_to: &SecondaryMap<Col, PackedOption<Row>>,
) -> Result<(), Violation> {
    let orders = |row: Row| chains.orders_in(incidence, row);
    let mut least_count: SecondaryMap<Row, u32> = SecondaryMap::new();
    let mut least_order = chains.given_order_of.clone();
    let mut waiting: Vec<Row> = incidence.rows.keys().collect();
    while let Some(row) = waiting.pop() {
        for (chain, order) in orders(row)? {
            let needed = order + least_count[row];
            least_order[chain] = least_order[chain].max(needed);
            if let Some(owner) = row_matched_to[chain].expand() {
                let own = orders(owner)?.into_iter().filter(|&(c, _)| c == chain).map(|(_, order)| order).max();
                let count = own.map_or(0, |own| least_order[chain].saturating_sub(own));
                if count > least_count[owner] {
                    least_count[owner] = count;
                    waiting.push(owner);
                }
                if count > result.count_of[owner] {
                    return Err(Violation::Offset(owner, chain));
                }
            }
        }
    }
    match incidence.rows.keys().find(|&row| least_count[row] < result.count_of[row]) {
        Some(row) => Err(Violation::NotSmallest(row)),
        None => Ok(()),
    }
}

/// Proves that a state selection leaves a square and structurally regular system.
pub fn states(problem: &StateProblem<'_>, selection: &StateSelection) -> Result<(), Violation> {
    let incidence = problem.incidence;
    let mut is_dummy: SecondaryMap<Col, bool> = SecondaryMap::new();
    for &col in &selection.dummies {
        if std::mem::replace(&mut is_dummy[col], true) || problem.chains.integral_of[col].is_none() {
            return Err(Violation::ColCount(col));
        }
    }
    let mut is_state: SecondaryMap<Col, bool> = SecondaryMap::new();
    for &col in &selection.states {
        is_state[col] = true;
    }
    for col in incidence.cols() {
        let derivative = problem.chains.der_of[col].expand();
        if is_state[col] != derivative.is_some_and(|derivative| !is_dummy[derivative]) {
            return Err(Violation::ColCount(col));
        }
        // What follows a dummy in its chain is a dummy too.
        if is_dummy[col] && derivative.is_some_and(|derivative| !is_dummy[derivative]) {
            return Err(Violation::ColCount(col));
        }
    }
    let n_differentiated = incidence.rows.keys().filter(|&row| problem.derivative_of[row].is_some()).count();
    same_count("dummy derivatives", selection.dummies.len(), n_differentiated)?;
    for choice in &selection.choices {
        let mut square = Incidence { n_cols: choice.dummies.len(), ..Incidence::default() };
        for &row in &choice.rows {
            let inside = |entry: &Entry| {
                let place = choice.dummies.binary_search(&entry.col).ok()?;
                Some(Entry { col: Col::new(place), solvability: Solvability::Safe })
            };
            square.rows.push(incidence.matchable(row).filter_map(inside).collect());
        }
        same_count("matched dummies", maximum_matching(&square, any_entry, |_| 0).size, choice.rows.len())?;
        same_count("dummies of a choice", choice.dummies.len(), choice.rows.len())?;
    }
    let matching = maximum_matching(incidence, |entry| !is_state[entry.col], |_| 0);
    same_count("unknowns besides the states", incidence.n_cols - selection.states.len(), incidence.rows.len())?;
    same_count("matched equations", matching.size, incidence.rows.len())
}

/// Proves that a torn block holds every equation and unknown of the block once, and that its inner assignments are
/// solvable in their order.
pub fn torn(incidence: &Incidence, block: &Block, options: &TearingOptions, torn: &Torn) -> Result<(), Violation> {
    /// When an unknown of the block gets its value.
    #[derive(Copy, Clone, Default, PartialEq)]
    enum Known {
        #[default]
        Outside,
        Later,
        Now,
    }
    let mut known: SecondaryMap<Col, Known> = SecondaryMap::new();
    let mut in_block: SecondaryMap<Row, bool> = SecondaryMap::new();
    for (row, col) in block.pairs() {
        known[col] = Known::Later;
        in_block[row] = true;
    }
    same_count("equations of the block", torn.iteration.len() + torn.inner.len(), block.len())?;
    for &(row, col) in &torn.iteration {
        if std::mem::replace(&mut known[col], Known::Now) != Known::Later {
            return Err(Violation::ColCount(col));
        }
        if !std::mem::replace(&mut in_block[row], false) {
            return Err(Violation::RowCount(row));
        }
    }
    for &(row, col) in &torn.inner {
        if std::mem::replace(&mut known[col], Known::Now) != Known::Later {
            return Err(Violation::ColCount(col));
        }
        if !std::mem::replace(&mut in_block[row], false) {
            return Err(Violation::RowCount(row));
        }
        let entry = incidence.entry(row, col);
        let assigns = incidence.assigns(row);
        if !entry.is_some_and(|entry| entry.matchable(assigns) && options.solvable(entry)) {
            return Err(Violation::NotSolvable(row, col));
        }
        if let Some(entry) = incidence.rows[row].iter().find(|entry| known[entry.col] == Known::Later) {
            return Err(Violation::Edge(row, entry.col));
        }
    }
    Ok(())
}
