//! Pantelides' algorithm: which equations must be differentiated, and how often, so that the highest derivatives can
//! be solved for.
//!
//! Input: an incidence that lists in every row all unknowns that occur (x, der x, ...) and the derivative chains.
//! Output: [`Differentiations`], a decision that `reduce` applies: the differentiated equations and the derivatives
//! they bring, in the order of their making, the incidence extended by them, and the matching of the undifferentiated
//! ends of all equations with the highest derivatives.
//!
//! Method: Pantelides, "The consistent initialization of differential-algebraic systems", SIAM J. Sci. Stat. Comput.
//! 9(2), pp. 213-231, 1988. A maximum matching over the highest derivatives comes first; every equation that it leaves
//! free is augmented, and when that fails the equations reached (a minimally singular set) are differentiated. The
//! derivative of an equation over unknowns S is assumed to have S and der(S); `Forbidden` unknowns are constant between
//! events and give no derivative. Equations that assign are never differentiated.
//!
//! Guarantee: ends for every input. By Pantelides' theorem it ends if the equations can be matched to distinct
//! chains; this is checked first and otherwise the Dulmage-Mendelsohn parts are returned. The counts are Pryce's
//! smallest offsets (certified by `check::offsets`).
//! Cost: one matching, then O(entries reached) per differentiation and per free equation.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, SecondaryMap};

use super::dulmage_mendelsohn::{Parts, Subsystem, decompose};
use super::incidence::{Col, DerivativeChains, Entry, Incidence, Row, Solvability};
use super::matching::{Matching, PathSearch, any_entry, by_solvability, maximum_matching};

/// One differentiation of an equation.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct DiffStep {
    /// The equation that is differentiated, possibly itself the result of an earlier step.
    pub row: Row,
    /// Its derivative: the next row of the extended incidence.
    pub new_row: Row,
}

/// One unknown that differentiation brings in.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct NewCol {
    /// The unknown whose derivative is new.
    pub of: Col,
    /// The derivative: the next column of the extended incidence.
    pub col: Col,
}

/// What must be differentiated.
#[derive(Clone, Debug, Default)]
pub struct Differentiations {
    /// For every original equation how often it is differentiated.
    pub count_of: SecondaryMap<Row, u32>,
    /// The differentiations in order; a step may refer to an earlier one.
    pub steps: Vec<DiffStep>,
    /// The new derivatives in order; one may be the derivative of an earlier one.
    pub new_cols: Vec<NewCol>,
    /// The incidence with the differentiated rows appended (see the module for what is assumed of them).
    pub incidence: Incidence,
    /// The derivative chains with the new derivatives.
    pub chains: DerivativeChains,
    /// For every row of the extended incidence its derivative.
    pub derivative_of: SecondaryMap<Row, PackedOption<Row>>,
    /// The ends of all equations matched to the highest derivatives.
    pub matching: Matching,
}

impl Differentiations {
    /// Whether the system was of index one (or zero) already.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

/// Why no number of differentiations makes the system solvable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Singular {
    /// The equations cannot be matched to distinct unknowns even if each may be replaced by any derivative of it.
    /// Every unknown stands for its whole chain: it is the one that is not a derivative itself.
    Structure(Parts),
    /// Equations that assign would have to be differentiated.
    Assignment {
        /// The equations that would have to be differentiated but assign.
        assigning: Vec<Row>,
        /// All equations (of the original system) and highest derivatives that are singular together.
        part: Subsystem,
    },
}

/// Finds the least number of differentiations of each equation that makes the highest derivatives solvable.
pub fn differentiate(incidence: &Incidence, chains: &DerivativeChains) -> Result<Differentiations, Singular> {
    check_chains_can_be_matched(incidence, chains)?;

    let mut work = Differentiations {
        incidence: incidence.clone(),
        chains: chains.clone(),
        matching: maximum_matching(incidence, |entry| chains.der_of[entry.col].is_none(), by_solvability),
        ..Differentiations::default()
    };
    work.count_of.resize(incidence.rows.len());
    let mut original_of: SecondaryMap<Row, PackedOption<Row>> = SecondaryMap::new();
    let free: Vec<Row> = work.matching.unmatched_rows(incidence).collect();
    let mut search = PathSearch::default();
    for start in free {
        let mut row = start;
        loop {
            let Differentiations { incidence, chains, matching, .. } = &mut work;
            let highest = |row| {
                let entries = incidence.matchable(row).map(|entry| entry.col);
                entries.filter(|&col| chains.der_of[col].is_none())
            };
            if search.augment(matching, row, highest) {
                break;
            }
            let assigning: Vec<Row> = search.rows.iter().copied().filter(|&row| work.incidence.assigns(row)).collect();
            if !assigning.is_empty() {
                let mut part = Subsystem {
                    rows: search.rows.iter().map(|&row| original_of[row].expand().unwrap_or(row)).collect(),
                    cols: search.cols,
                };
                part.rows.sort_unstable();
                part.cols.sort_unstable();
                return Err(Singular::Assignment { assigning, part });
            }
            work.add_derivatives(&search.cols);
            for &reached in &search.rows {
                let origin = original_of[reached].expand().unwrap_or(reached);
                let new_row = work.differentiate_row(reached);
                original_of[new_row] = origin.into();
                work.count_of[origin] += 1;
            }
            work.shift_matching(&search.cols);
            row = work.derivative_of[row].expand().unwrap_or(row);
        }
    }
    Ok(work)
}

impl Differentiations {
    /// Appends the derivatives of the given highest derivatives.
    fn add_derivatives(&mut self, cols: &[Col]) {
        for &of in cols {
            let col = Col::new(self.incidence.n_cols);
            self.incidence.n_cols += 1;
            self.chains.der_of[of] = col.into();
            self.chains.integral_of[col] = of.into();
            self.new_cols.push(NewCol { of, col });
        }
    }

    /// Appends the derivative of an equation: its unknowns and their derivatives.
    fn differentiate_row(&mut self, row: Row) -> Row {
        let old = &self.incidence.rows[row];
        let mut entries = Vec::with_capacity(2 * old.len());
        for entry in old {
            if entry.solvability == Solvability::Forbidden {
                entries.push(*entry);
                continue;
            }
            // The derivative is linear in the derivatives; a nonlinear unknown's coefficient depends on the state.
            let solvability = match entry.solvability {
                Solvability::Safe => Solvability::Safe,
                _ => Solvability::Risky,
            };
            entries.push(Entry { col: entry.col, solvability: Solvability::Nonlinear });
            entries.extend(self.chains.der_of[entry.col].expand().map(|col| Entry { col, solvability }));
        }
        entries.sort_unstable_by_key(|entry| (entry.col, std::cmp::Reverse(entry.solvability)));
        entries.dedup_by_key(|entry| entry.col);
        let new_row = self.incidence.rows.push(entries);
        self.derivative_of[row] = new_row.into();
        self.steps.push(DiffStep { row, new_row });
        new_row
    }

    /// Moves the pairs of differentiated unknowns to the derivatives of both.
    fn shift_matching(&mut self, cols: &[Col]) {
        for &col in cols {
            if let Some(row) = self.matching.row_of[col].expand() {
                self.matching.row_of[col] = None.into();
                self.matching.col_of[row] = None.into();
                if let (Some(new_row), Some(new_col)) = (self.derivative_of[row].expand(), self.chains.der_of[col].expand()) {
                    self.matching.col_of[new_row] = new_col.into();
                    self.matching.row_of[new_col] = new_row.into();
                }
            }
        }
    }
}

/// Pantelides' criterion: the algorithm ends if the equations can be matched when every chain counts as one unknown.
fn check_chains_can_be_matched(incidence: &Incidence, chains: &DerivativeChains) -> Result<(), Singular> {
    // Chains are numbered by their lowest unknowns; every unknown is walked down once.
    let mut chain_of: SecondaryMap<Col, Col> = SecondaryMap::with_default(Col::new(0));
    let mut lowest_of: Vec<Col> = Vec::new();
    for lowest in incidence.cols().filter(|&col| chains.integral_of[col].is_none()) {
        let chain = Col::new(lowest_of.len());
        lowest_of.push(lowest);
        let mut next = Some(lowest);
        while let Some(col) = next {
            chain_of[col] = chain;
            next = chains.der_of[col].expand();
        }
    }
    let mut merged = Incidence { n_cols: lowest_of.len(), ..Incidence::default() };
    for row in incidence.rows.keys() {
        let mut entries: Vec<Entry> = incidence.matchable(row).map(|entry| Entry { col: chain_of[entry.col], ..*entry }).collect();
        entries.sort_unstable_by_key(|entry| (entry.col, entry.solvability));
        entries.dedup_by_key(|entry| entry.col);
        merged.rows.push(entries);
    }
    let matching = maximum_matching(&merged, any_entry, |_| 0);
    if matching.is_perfect(&merged) {
        return Ok(());
    }
    let mut parts = decompose(&merged, any_entry, &matching);
    for part in parts.over.iter_mut().chain(&mut parts.under).chain([&mut parts.well]) {
        for col in &mut part.cols {
            *col = lowest_of[col.index()];
        }
        part.cols.sort_unstable();
    }
    Err(Singular::Structure(parts))
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::matching::tests::safe;
    use super::*;

    /// Chains from pairs (unknown, derivative).
    pub(crate) fn chains(pairs: &[(usize, usize)]) -> DerivativeChains {
        let mut chains = DerivativeChains::default();
        for &(of, der) in pairs {
            chains.der_of[Col::new(of)] = Col::new(der).into();
            chains.integral_of[Col::new(der)] = Col::new(of).into();
        }
        chains
    }

    /// Pantelides' pendulum, p. 224: x' = w, y' = z, w' = T x, z' = T y - g, x^2 + y^2 = L^2 over
    /// x y w z T x' y' w' z' (u0 .. u8).
    pub(crate) fn pendulum() -> (Incidence, DerivativeChains) {
        let mut incidence = safe(&[&[2, 5], &[3, 6], &[0, 4, 7], &[1, 4, 8], &[0, 1]], 9);
        for (row, col) in [(2, 0), (2, 4), (3, 1), (3, 4), (4, 0), (4, 1)] {
            let entries = &mut incidence.rows[Row::new(row)];
            for entry in entries.iter_mut().filter(|entry| entry.col == Col::new(col)) {
                entry.solvability = if row == 4 { Solvability::Nonlinear } else { Solvability::Risky };
            }
        }
        (incidence, chains(&[(0, 5), (1, 6), (2, 7), (3, 8)]))
    }

    #[test]
    fn pendulum_counts() {
        let (incidence, chains) = pendulum();
        let result = differentiate(&incidence, &chains).unwrap();
        let counts: Vec<u32> = incidence.rows.keys().map(|row| result.count_of[row]).collect();
        assert_eq!(counts, [1, 1, 0, 0, 2]);
        // New unknowns: x'' and y''; five equations end in the five highest derivatives.
        assert_eq!(result.new_cols.len(), 2);
        assert_eq!(result.matching.size, 5);
        assert_eq!(result.incidence.rows.len(), 9);
    }

    #[test]
    fn index_one_needs_nothing() {
        // x' = y, y = f(x) over x, y, x'.
        let incidence = safe(&[&[1, 2], &[0, 1]], 3);
        let result = differentiate(&incidence, &chains(&[(0, 2)])).unwrap();
        assert!(result.is_empty());
        assert_eq!(result.matching.size, 2);
    }

    #[test]
    fn singular_system_is_told_and_ends() {
        // x' = y, x = f(t), x = g(t): two equations fix x, none fixes z.
        let incidence = safe(&[&[1, 2], &[0], &[0]], 4);
        let Err(Singular::Structure(parts)) = differentiate(&incidence, &chains(&[(0, 2)])) else {
            panic!("the system is singular");
        };
        assert_eq!(parts.over[0].rows, [Row::new(1), Row::new(2)]);
        assert_eq!(parts.under[0].cols, [Col::new(3)]);
    }

    #[test]
    fn assignments_are_not_differentiated() {
        // x' = y; x := discrete.
        let mut incidence = safe(&[&[1, 2], &[0]], 3);
        incidence.rows[Row::new(1)][0].solvability = Solvability::Assigned;
        let Err(Singular::Assignment { assigning, .. }) = differentiate(&incidence, &chains(&[(0, 2)])) else {
            panic!("an assignment would have to be differentiated");
        };
        assert_eq!(assigning, [Row::new(1)]);
    }
}
