//! The incidence of equations and unknowns: all that the structural algorithms see.
//!
//! Rows are equations, columns are unknowns; every adjacency list is sorted and free of repeats, so results are
//! deterministic. Derivative chains say which unknown is the time derivative of which.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};

/// An unknown of the system: a column of the incidence matrix.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Col(u32);
entity_impl!(Col, "u");

/// An equation of the system: a row of the incidence matrix.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row(u32);
entity_impl!(Row, "e");

/// How an unknown occurs in an equation.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Solvability {
    /// The equation can always be solved for it in closed form (linear with a coefficient that cannot vanish).
    Safe,
    /// Linear with a coefficient that may vanish, or invertible only in part: solvable by a division that may fail.
    Risky,
    /// Nonlinear or hidden in a function: needs iteration.
    Nonlinear,
    /// The equation assigns this (discrete) unknown and may not be solved for any other.
    Assigned,
    /// It occurs, but the equation may not be matched to it (a discrete unknown in another's equation).
    Forbidden,
}

/// One occurrence of an unknown in an equation.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The unknown.
    pub col: Col,
    /// How it occurs.
    pub solvability: Solvability,
}

impl Entry {
    /// Whether the equation may be matched to this unknown, given whether the equation has an `Assigned` entry.
    ///
    /// An equation that assigns may only be matched to what it assigns; a forbidden entry may never be matched.
    pub fn matchable(&self, row_assigns: bool) -> bool {
        match self.solvability {
            Solvability::Assigned => true,
            Solvability::Forbidden => false,
            Solvability::Safe | Solvability::Risky | Solvability::Nonlinear => !row_assigns,
        }
    }
}

/// The unknowns of every equation, all of them in one array.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Where the entries of each equation end.
    ends: PrimaryMap<Row, u32>,
    entries: Vec<Entry>,
}

impl Rows {
    /// Adds an equation.
    pub fn push(&mut self, entries: Vec<Entry>) -> Row {
        self.entries.extend(entries);
        self.ends.push(self.entries.len() as u32)
    }

    /// The number of equations.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// No equations yet.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All equations, ascending.
    pub fn keys(&self) -> impl Iterator<Item = Row> + use<> {
        self.ends.keys()
    }

    /// The entries of all equations, in order.
    pub fn values(&self) -> impl Iterator<Item = &[Entry]> {
        self.keys().map(|row| &self[row])
    }

    /// All equations with their entries, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Row, &[Entry])> {
        self.keys().map(|row| (row, &self[row]))
    }

    /// All entries.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// All entries, to be changed in place.
    pub fn entries_mut(&mut self) -> &mut [Entry] {
        &mut self.entries
    }

    fn range(&self, row: Row) -> std::ops::Range<usize> {
        let start = row.index().checked_sub(1).map_or(0, |before| self.ends[Row::new(before)]);
        start as usize..self.ends[row] as usize
    }
}

impl std::ops::Index<Row> for Rows {
    type Output = [Entry];

    fn index(&self, row: Row) -> &[Entry] {
        &self.entries[self.range(row)]
    }
}

impl std::ops::IndexMut<Row> for Rows {
    fn index_mut(&mut self, row: Row) -> &mut [Entry] {
        let range = self.range(row);
        &mut self.entries[range]
    }
}

/// The incidence matrix by rows.
#[derive(Clone, Debug, Default)]
pub struct Incidence {
    /// For every equation the unknowns in it, sorted by column.
    pub rows: Rows,
    /// The number of unknowns.
    pub n_cols: usize,
}

impl Incidence {
    /// Whether the equation assigns (discrete) unknowns, so that it may be solved for nothing else.
    pub fn assigns(&self, row: Row) -> bool {
        self.rows[row].iter().any(|entry| entry.solvability == Solvability::Assigned)
    }

    /// The entries of an equation that it may be matched to, ascending by column. Every algorithm uses this one rule.
    pub fn matchable(&self, row: Row) -> impl Iterator<Item = &Entry> {
        let assigns = self.assigns(row);
        self.rows[row].iter().filter(move |entry| entry.matchable(assigns))
    }

    /// How the unknown occurs in the equation, if it does. Logarithmic in the length of the row.
    pub fn entry(&self, row: Row, col: Col) -> Option<&Entry> {
        let entries = &self.rows[row];
        entries.binary_search_by_key(&col, |entry| entry.col).ok().map(|at| &entries[at])
    }

    /// All unknowns, ascending.
    pub fn cols(&self) -> impl Iterator<Item = Col> + use<> {
        (0..self.n_cols).map(Col::new)
    }

    /// For every unknown the equations it occurs in, ascending.
    pub fn transposed(&self) -> SecondaryMap<Col, Vec<Row>> {
        let mut cols = SecondaryMap::new();
        if self.n_cols > 0 {
            cols.resize(self.n_cols);
        }
        for (row, entries) in self.rows.iter() {
            for entry in entries {
                let list: &mut Vec<Row> = &mut cols[entry.col];
                list.push(row);
            }
        }
        cols
    }
}

/// Which unknown is the derivative of which.
#[derive(Clone, Debug, Default)]
pub struct DerivativeChains {
    /// For every unknown its time derivative, if that is an unknown too.
    pub der_of: SecondaryMap<Col, PackedOption<Col>>,
    /// For every derivative the unknown it is the derivative of.
    pub integral_of: SecondaryMap<Col, PackedOption<Col>>,
}
