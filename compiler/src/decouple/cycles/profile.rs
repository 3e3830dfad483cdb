//! The bound of a state as a function of alpha.
//!
//! Input: cycles through the state and its own entry of the Jacobian. Output: [`CycleProfile`], of which the bound at any alpha follows
//! in closed form. Method: of all cycles of one length only the one with the largest product matters, whatever alpha is:
//! `ln h = (ln alpha - ln |product|) / L`, so that the bound of a state is the lower envelope of few lines in `ln alpha`.
//! Cost: O(log lengths) per cycle, O(lengths) per evaluation.

use super::options::SelfLoop;
use std::cmp::Ordering;
use std::sync::Arc;

/// Products whose logarithms differ by less than this are equal.
const EQUAL: f64 = 1e-12;

/// States of a cycle, each influencing the next, the one with the smallest position first.
pub(super) type Witness = Arc<[u32]>;

/// The best cycle of a length.
#[derive(Clone, Debug, PartialEq)]
struct Best {
    length: u32,
    /// Logarithm of the absolute product.
    weight: f64,
    witness: Witness,
}

/// What limits one state.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CycleProfile {
    /// Best cycles by ascending length, from two on.
    lengths: Vec<Best>,
    /// The largest absolute value of a negative own entry, zero if there is none.
    negative: f64,
    /// The largest positive own entry, zero if there is none.
    positive: f64,
    /// The largest `|1 + J|`.
    shifted: f64,
}

/// A bound and the cycle it comes from; none for the state's own loop.
pub(super) struct Limit {
    pub(super) h: f64,
    pub(super) witness: Option<Witness>,
}

/// The states of a cycle with the smallest one first.
pub(super) fn canonical(cycle: &mut [u32]) {
    if let Some(at) = (0..cycle.len()).min_by_key(|&at| cycle[at]) {
        cycle.rotate_left(at);
    }
}

impl CycleProfile {
    /// The profile of a state with this own entry and no other cycle.
    pub(super) fn of_entry(entry: f64) -> CycleProfile {
        CycleProfile { lengths: Vec::new(), negative: (-entry).max(0.0), positive: entry.max(0.0), shifted: (1.0 + entry).abs() }
    }

    /// The state alone grows.
    pub(super) fn is_unstable(&self) -> bool {
        self.positive > 0.0
    }

    /// Adds a cycle; among equal ones the first in the order of states stays.
    pub(super) fn add(&mut self, weight: f64, witness: &Witness) {
        let length = witness.len() as u32;
        match self.lengths.binary_search_by_key(&length, |best| best.length) {
            Err(at) => self.lengths.insert(at, Best { length, weight, witness: witness.clone() }),
            Ok(at) => {
                let best = &mut self.lengths[at];
                let better = match compare(weight, best.weight) {
                    Ordering::Greater => true,
                    Ordering::Equal => **witness < *best.witness,
                    Ordering::Less => false,
                };
                if better {
                    *best = Best { length, weight, witness: witness.clone() };
                }
            }
        }
    }

    /// Adds all that limits the same state at another operating point.
    pub(super) fn add_profile(&mut self, other: &CycleProfile) {
        for best in &other.lengths {
            self.add(best.weight, &best.witness);
        }
        self.negative = self.negative.max(other.negative);
        self.positive = self.positive.max(other.positive);
        self.shifted = self.shifted.max(other.shifted);
    }

    /// The bound of the own loop.
    pub(super) fn self_loop(&self, alpha: f64, formula: SelfLoop) -> f64 {
        match formula {
            SelfLoop::Printed => ((1.0 + alpha) / self.negative).min(alpha / self.positive),
            SelfLoop::Compat => alpha / self.shifted,
        }
    }

    /// The smallest bound at an alpha; the own loop wins ties.
    pub(super) fn limit(&self, alpha: f64, formula: SelfLoop) -> Limit {
        let beta = -alpha.ln();
        let mut best: Option<(f64, &Best)> = None;
        for candidate in &self.lengths {
            let rate = (candidate.weight + beta) / f64::from(candidate.length);
            let better = best.is_none_or(|(before, by)| match compare(rate, before) {
                Ordering::Greater => true,
                Ordering::Equal => *candidate.witness < *by.witness,
                Ordering::Less => false,
            });
            if better {
                best = Some((rate, candidate));
            }
        }
        let own = self.self_loop(alpha, formula);
        match best {
            Some((rate, best)) if (-rate).exp() < own => Limit { h: (-rate).exp(), witness: Some(best.witness.clone()) },
            _ => Limit { h: own, witness: None },
        }
    }
}

/// Compares logarithms, equal within rounding.
fn compare(a: f64, b: f64) -> Ordering {
    if (a - b).abs() <= EQUAL * (1.0 + a.abs().max(b.abs())) { Ordering::Equal } else { a.total_cmp(&b) }
}
