//! Certified bounds in blocks with too many cycles to enumerate.
//!
//! Input: [`Block`]s. Output: per state a [`Bracket`]: a rate that no cycle through it exceeds. The rate of a cycle of length L
//! with product P is `(ln |P| - ln alpha) / L`; the bound of a state is `exp(-rate)` of its best cycle.

use super::Options;
use super::decompose::Block;
use super::profile::Profile;

/// What is known about the cycles of at least two states through a state.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bracket {
    /// No cycle has a higher rate.
    pub(super) highest_rate: f64,
    /// A cycle, by the logarithm of its product and its states.
    pub(super) cycle: Option<(f64, Vec<u32>)>,
}

impl Default for Bracket {
    fn default() -> Bracket {
        Bracket { highest_rate: f64::NEG_INFINITY, cycle: None }
    }
}

/// Fills the brackets of the states of some blocks.
pub(super) fn certify(blocks: &[&Block], options: &Options, _profiles: &[Profile], brackets: &mut [Bracket]) {
    let beta = -options.alpha.ln();
    for block in blocks {
        // No cycle is better than its best entry, and it has at least two.
        let best = block.arcs.iter().map(|arc| arc.weight / arc.length() as f64).fold(f64::NEG_INFINITY, f64::max);
        for &state in block.arcs.iter().flat_map(|arc| &arc.via) {
            brackets[state as usize].highest_rate = best + 0.5 * beta;
        }
    }
}
