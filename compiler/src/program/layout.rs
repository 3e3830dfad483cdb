//! Where the variables of a model lie in its memory.
//!
//! Input: the number of variables, and the states with their derivatives. Output: a slot for every variable.
//! Time comes first, then the states, then their derivatives in the same order, then everything else by number: a run moves states and
//! derivatives as blocks, and a loop over an array of derivatives writes neighbours. Guarantee: a permutation. Cost: linear.

use crate::base::ids::VarId;
use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
use partita_runtime::model::plan::Slot;

/// The slots of the variables.
#[derive(Clone, Debug)]
pub struct Layout {
    slot_of: SecondaryMap<VarId, Slot>,
    var_at: PrimaryMap<Slot, VarId>,
}

impl Layout {
    /// Places the variables; the first one is time.
    pub fn new(n_vars: usize, states: &[(VarId, VarId)]) -> Layout {
        let all = (0..n_vars).map(VarId::new);
        let first = all.clone().take(1);
        let ordered = first.chain(states.iter().map(|(x, _)| *x)).chain(states.iter().map(|(_, dx)| *dx)).chain(all);
        // The derivative of a state may be another state.
        let mut placed = EntitySet::with_capacity(n_vars);
        let var_at: PrimaryMap<Slot, VarId> = ordered.filter(|var| placed.insert(*var)).collect();
        let mut slot_of = SecondaryMap::with_default(Slot::new(0));
        slot_of.resize(n_vars);
        for (slot, var) in var_at.iter() {
            slot_of[*var] = slot;
        }
        Layout { slot_of, var_at }
    }

    /// How many slots the variables take.
    pub fn n_slots(&self) -> usize {
        self.var_at.len()
    }

    /// The slot of a variable.
    pub fn slot(&self, var: VarId) -> Slot {
        self.slot_of[var]
    }

    /// The variable of a slot; none if the slot is that of a residual or the like.
    pub fn var(&self, slot: Slot) -> Option<VarId> {
        self.var_at.get(slot).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_and_derivatives_lie_side_by_side() {
        let v = VarId::new;
        // The derivative of v2 is the state v5.
        let states = [(v(2), v(5)), (v(5), v(1)), (v(3), v(6))];
        let layout = Layout::new(8, &states);
        let order: Vec<VarId> = (0..layout.n_slots()).filter_map(|slot| layout.var(Slot::new(slot))).collect();
        assert_eq!(order, [0, 2, 5, 3, 1, 6, 4, 7].map(v));
        assert!((0..8).all(|var| layout.var(layout.slot(v(var))) == Some(v(var))));
        assert_eq!(layout.var(Slot::new(8)), None);
    }
}
