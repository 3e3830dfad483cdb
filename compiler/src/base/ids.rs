//! Typed ids of the middle end. They print as the dumps show them: `v7`, `e3`, `x12`.

use cranelift_entity::{EntityRef, EntitySet, entity_impl};

/// A scalar quantity of the system: unknown, parameter, `pre` value, relation, time.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(u32);
entity_impl!(VarId, "v");

/// A scalar equation.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EqId(u32);
entity_impl!(EqId, "e");

/// A hash-consed scalar expression.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(u32);
entity_impl!(ExprId, "x");

/// A function that is called, not inlined: compiled from an algorithm, or external.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FnId(u32);
entity_impl!(FnId, "fn");

/// The set of the given entities.
pub fn set_of<K: EntityRef>(items: impl IntoIterator<Item = K>) -> EntitySet<K> {
    let mut set = EntitySet::new();
    for item in items {
        set.insert(item);
    }
    set
}
