//! Typed positions in a plan.

use cranelift_entity::entity_impl;
use serde::{Deserialize, Serialize};

/// A place in the memory.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Slot(u32);
entity_impl!(Slot, "s");

/// A piece of generated code.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct KernelId(u32);
entity_impl!(KernelId, "k");

/// A system of equations solved together.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BlockId(u32);
entity_impl!(BlockId, "b");

/// A relation that makes events: `a > b` and the like.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RelationId(u32);
entity_impl!(RelationId, "r");
