//! Elimination in the integers modulo a prime: which columns are independent, without rounding.
//!
//! Input: sparse columns of residues, and an order. Output: the columns that are independent of those before them. Guarantee: exact in the
//! field; values that are no small fractions are replaced by random numbers, so that what is regular by structure is regular here.

use super::incidence::{Col, Row};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// An integer modulo the prime 2^61 - 1.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Residue(u64);

impl Residue {
    pub(super) const MODULUS: u64 = (1 << 61) - 1;
    pub(super) const ZERO: Residue = Residue(0);

    /// The residue of a finite number, exactly: every number is an integer times a power of two.
    pub(super) fn exact(value: f64) -> Option<Residue> {
        if !value.is_finite() {
            return None;
        }
        let bits = value.to_bits();
        let biased = ((bits >> 52) & 0x7ff) as i64;
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, exponent) = if biased == 0 { (fraction, -1074) } else { (fraction | (1 << 52), biased - 1075) };
        // 2^61 is one modulo the modulus.
        let size = Residue(mantissa).times(Residue(1 << exponent.rem_euclid(61)));
        Some(if value.is_sign_negative() { size.negated() } else { size })
    }

    /// A number that stands for an unknown coefficient: always the same for the same entry, never zero.
    pub(super) fn generic(row: Row, col: Col) -> Residue {
        // The finaliser of SplitMix64.
        let mut z = ((row.as_u32() as u64) << 32 | col.as_u32() as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Residue((z ^ (z >> 31)) % (Residue::MODULUS - 1) + 1)
    }

    pub(super) fn times(self, other: Residue) -> Residue {
        Residue(((self.0 as u128 * other.0 as u128) % Residue::MODULUS as u128) as u64)
    }

    pub(super) fn negated(self) -> Residue {
        Residue((Residue::MODULUS - self.0) % Residue::MODULUS)
    }

    pub(super) fn plus(self, other: Residue) -> Residue {
        Residue((self.0 + other.0) % Residue::MODULUS)
    }

    /// The inverse of a residue that is not zero, after Fermat.
    pub(super) fn inverse(self) -> Residue {
        let mut result = Residue(1);
        let mut base = self;
        let mut exponent = Residue::MODULUS - 2;
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result.times(base);
            }
            base = base.times(base);
            exponent >>= 1;
        }
        result
    }
}

/// Elimination was given up because it fills in too much.
pub(super) struct TooLong;

/// Sparse elimination, column by column.
pub(super) struct Elimination {
    /// For every line the kept column whose pivot it is.
    pivot_of: Vec<Option<usize>>,
    /// The kept columns: reduced, scaled to one at the pivot, without the pivot.
    kept: Vec<Vec<(usize, Residue)>>,
    /// For every line the times at which columns with an entry there come, ascending.
    times_of: Vec<Vec<usize>>,
    /// The number of operations that may still be done.
    budget: usize,
}

impl Elimination {
    /// Takes columns in the given order and keeps those independent of the ones before. Gives the kept columns and the
    /// lines that are left without a pivot.
    pub(super) fn run(n_lines: usize, columns: &[Vec<(usize, Residue)>], order: &[usize]) -> Result<(Vec<usize>, Vec<usize>), TooLong> {
        let mut times_of = vec![Vec::new(); n_lines];
        let mut n_entries = 0;
        for (time, &column) in order.iter().enumerate() {
            for &(line, _) in &columns[column] {
                times_of[line].push(time);
                n_entries += 1;
            }
        }
        let budget = 100 * n_entries + 1_000_000;
        let mut this = Elimination { pivot_of: vec![None; n_lines], kept: Vec::new(), times_of, budget };
        let mut kept = Vec::with_capacity(n_lines);
        for (time, &column) in order.iter().enumerate() {
            if kept.len() == n_lines {
                break;
            }
            if this.add(&columns[column], time)? {
                kept.push(column);
            }
        }
        let without = (0..n_lines).filter(|&line| this.pivot_of[line].is_none()).collect();
        Ok((kept, without))
    }

    /// Keeps a column if it is independent of the kept ones.
    pub(super) fn add(&mut self, column: &[(usize, Residue)], time: usize) -> Result<bool, TooLong> {
        // Entries at pivots by the number of the kept column, so that they are removed in the order of keeping.
        let mut at_pivots: BTreeMap<usize, Residue> = BTreeMap::new();
        let mut free: BTreeMap<usize, Residue> = BTreeMap::new();
        let place = |line: usize, value: Residue, at_pivots: &mut BTreeMap<_, _>, free: &mut BTreeMap<_, _>| {
            let slot = match self.pivot_of[line] {
                Some(kept) => at_pivots.entry(kept).or_insert(Residue::ZERO),
                None => free.entry(line).or_insert(Residue::ZERO),
            };
            *slot = slot.plus(value);
        };
        for &(line, value) in column {
            place(line, value, &mut at_pivots, &mut free);
        }
        while let Some((kept, value)) = at_pivots.pop_first() {
            if value != Residue::ZERO {
                let rest = &self.kept[kept];
                self.budget = self.budget.checked_sub(rest.len() + 1).ok_or(TooLong)?;
                for &(line, factor) in rest {
                    place(line, value.times(factor).negated(), &mut at_pivots, &mut free);
                }
            }
        }
        // The pivot is the line that is needed again last and least often, which puts off and saves fill-in.
        let use_of = |line: usize| {
            let later = &self.times_of[line][self.times_of[line].partition_point(|&other| other <= time)..];
            (Reverse(later.first().copied().unwrap_or(usize::MAX)), later.len())
        };
        let nonzero = free.iter().filter(|&(_, &value)| value != Residue::ZERO);
        let Some((&pivot, &value)) = nonzero.min_by_key(|&(&line, _)| (use_of(line), line)) else {
            return Ok(false);
        };
        let scale = value.inverse();
        let rest = free.into_iter().filter(|&(line, value)| line != pivot && value != Residue::ZERO);
        let rest = rest.map(|(line, value)| (line, value.times(scale))).collect();
        self.pivot_of[pivot] = Some(self.kept.len());
        self.kept.push(rest);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::Residue;

    #[test]
    fn residues_are_exact() {
        let sum = |a: f64, b: f64| Residue::exact(a).unwrap().plus(Residue::exact(b).unwrap());
        assert_eq!(sum(0.5, 0.25), Residue::exact(0.75).unwrap());
        assert_eq!(sum(-3.0, 3.0), Residue::ZERO);
        assert_eq!(Residue::exact(f64::MIN_POSITIVE).unwrap().times(Residue::exact(2f64.powi(1022)).unwrap()), Residue(1));
        assert_eq!(Residue(12345).times(Residue(12345).inverse()), Residue(1));
    }
}
