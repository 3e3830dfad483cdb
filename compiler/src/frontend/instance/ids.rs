//! The ids of classes, instances, members and variables, and where names are read.

use cranelift_entity::entity_impl;
use partita_grammar::Diagnostic;

#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ClassInstId(pub(super) u32);
entity_impl!(ClassInstId, "classinst");

#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct InstId(pub(super) u32);
entity_impl!(InstId, "inst");

#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ScopeId(pub(super) u32);
entity_impl!(ScopeId, "scope");

#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct MemberId(pub(super) u32);
entity_impl!(MemberId, "member");

#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct VariableId(pub(super) u32);
entity_impl!(VariableId, "variable");

/// A result, or what is wrong.
pub(super) type Checked<T> = Result<T, Box<Diagnostic>>;

/// Where a piece of syntax is read.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub(super) struct Scope {
    /// The instance whose components are seen; none inside functions and types.
    pub(super) inst: Option<InstId>,
    pub(super) class: ClassInstId,
}
