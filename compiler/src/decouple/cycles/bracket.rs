//! Brackets of the largest steps of states.

use super::profile::CycleProfile;

/// What is known about the largest step of a state.
#[derive(Clone, Debug, PartialEq)]
pub struct StateBound {
    /// The bound is not smaller: a safe step. Infinite where no cycle limits the state.
    pub h_lower: f64,
    /// The bound is not larger: the bound of the witness.
    pub h_upper: f64,
    /// Both are the same.
    pub exact: bool,
    /// States of a cycle with the bound `h_upper`, each influencing the next, smallest position first; empty if no cycle limits
    /// the state.
    pub witness: Vec<usize>,
    /// The state alone grows: its own entry of the Jacobian is positive.
    pub unstable: bool,
}

/// Brackets of all states, and counts.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// One per state.
    pub states: Vec<StateBound>,
    /// Simple cycles with self loops, if they could be counted.
    pub cycles: Option<u64>,
    /// The same for all entries of the pattern.
    pub structural_cycles: Option<u64>,
    /// Entries taken for zeros.
    pub dropped: usize,
    /// Bounds as functions of alpha, if all cycles are known.
    pub(super) profiles: Option<Vec<CycleProfile>>,
}

impl Bounds {
    /// For each state the smaller bound of two operating points; counts are those of the first.
    #[must_use]
    pub fn tightened_by(self, other: Bounds) -> Bounds {
        let states = self.states.into_iter().zip(other.states).map(|(a, b)| {
            let h_lower = a.h_lower.min(b.h_lower);
            let unstable = a.unstable || b.unstable;
            let upper = if b.h_upper < a.h_upper { b } else { a };
            StateBound { exact: upper.h_upper <= h_lower, h_lower, unstable, ..upper }
        });
        let profiles = self.profiles.zip(other.profiles).map(|(mut a, b)| {
            a.iter_mut().zip(&b).for_each(|(a, b)| a.add_profile(b));
            a
        });
        Bounds { states: states.collect(), profiles, ..self }
    }
}
