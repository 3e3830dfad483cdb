//! Tables derived once from a plan, shared by all runs of it.
//!
//! Input: a plan. Output: lookup tables, the colouring of the Jacobian, and the proof that the plan's indices are in range,
//! so that running it needs no further checks.
//!
//! Cost: linear in the plan, except the colouring (sum over columns of the entries of their rows).

use crate::abi::DirectKernel;
use crate::abi::Kernels;
use crate::base::error::RunError;
use crate::exec::check::check;
use crate::linear::colouring::Colouring;
use crate::model::gather::{GatherScatterMap, ScatterMap};
use crate::model::plan::{BlockId, Cells, KernelId, ObjectSpec, Part, Pattern, Plan, RelationId, RelationKind, SignalSource, Slot, Step};
use crate::native::access::FileAccess;
use crate::native::{self, Object};
use cranelift_entity::{EntityRef, SecondaryMap};
use std::sync::Arc;

/// A plan, its code and what follows from them. Immutable, shared between runs and threads.
pub(crate) struct Compiled {
    pub(crate) plan: Arc<Plan>,
    pub(crate) kernels: Arc<dyn Kernels>,
    pub(crate) tables: Tables,
    /// External objects as they are when a run begins.
    pub(crate) objects: Vec<Object>,
    /// The files that a run may touch.
    pub(crate) files: FileAccess,
}

/// Makes the external objects of a plan.
pub(crate) fn make_objects(plan: &Plan, files: &FileAccess) -> Result<Vec<Object>, RunError> {
    let make = |spec: &ObjectSpec| {
        let made = native::construct(&spec.constructor, &spec.arguments, files);
        made.map_err(|reason| RunError::new("R108", format!("the external object {} cannot be made", spec.name)).with_note(reason))
    };
    plan.outside.objects.iter().map(make).collect()
}

/// Lookup tables of a plan.
pub(crate) struct Tables {
    /// Tangent kernel of a kernel.
    pub(crate) tangent_of: SecondaryMap<KernelId, Option<KernelId>>,
    /// Kernels of the schedules that run at every point, if they can be called without being looked up.
    pub(crate) entries: SecondaryMap<KernelId, Option<DirectKernel>>,
    /// Positions in `Plan::block_patterns`.
    pub(crate) pattern_of: SecondaryMap<BlockId, Option<usize>>,
    /// Positions in `Plan::slot_names`, ordered by slot.
    pub(crate) names_by_slot: Vec<u32>,
    /// Relations with a crossing function, in its order.
    pub(crate) state_relations: Vec<RelationId>,
    /// Relations with a threshold, in its order.
    pub(crate) time_relations: Vec<RelationId>,
    /// Positions in `Plan::signals` of what varies.
    pub(crate) varying: Vec<usize>,
    /// Where their values come from: results are read at every output point.
    pub(crate) sources: Vec<SignalSource>,
    /// Blocks of the `derivatives` schedule, in order.
    pub(crate) derivative_blocks: Vec<BlockId>,
    /// Groups of Jacobian columns that are computed together.
    pub(crate) colouring: Colouring,
    /// Slots of all states: evaluations of parts are short, and the plan's states are far apart in memory.
    pub(crate) state_slots: GatherScatterMap,
    /// Slots of their derivatives.
    pub(crate) derivative_slots: GatherScatterMap,
    /// For every one of `Plan::parts`.
    pub(crate) parts: Vec<PartTable>,
    /// For `Plan::cells`.
    pub(crate) cells: Option<CellTable>,
}

/// What subsets of the derivatives look up.
pub(crate) struct CellTable {
    /// The family of every cell.
    pub(crate) family_of: Vec<u32>,
    /// The kernel of every family, if it can be called without being looked up.
    pub(crate) entries: Vec<Option<DirectKernel>>,
    /// The pattern of the Jacobian by rows: column `i` has the states that the derivative of state `i` reads.
    pub(crate) reads: Pattern,
}

impl CellTable {
    fn new(cells: &Cells, plan: &Plan, kernels: &dyn Kernels) -> CellTable {
        let families = cells.families.iter().enumerate();
        CellTable {
            family_of: families.flat_map(|(number, family)| std::iter::repeat_n(number as u32, family.iterations as usize)).collect(),
            entries: cells.families.iter().map(|family| family.kernel.and_then(|kernel| kernels.entry(kernel))).collect(),
            reads: plan.jacobian.transposed(),
        }
    }
}

/// What an evaluation of a part looks up.
pub(crate) struct PartTable {
    /// The states that it reads, into their slots.
    pub(crate) reads: ScatterMap,
    /// Its kernel, if its schedule is this kernel alone and it can be called without being looked up.
    pub(crate) sole: Option<DirectKernel>,
    /// Slots of the derivatives of its states.
    pub(crate) slots: GatherScatterMap,
    /// Groups of columns of its Jacobian; none if it has no Jacobian.
    pub(crate) colouring: Colouring,
}

impl PartTable {
    pub(crate) fn new(part: &Part, plan: &Plan, entries: &SecondaryMap<KernelId, Option<DirectKernel>>) -> PartTable {
        PartTable {
            reads: ScatterMap::new(part.reads.iter().map(|&state| (state, plan.states[state].slot.index()))),
            sole: match part.derivatives.steps[..] {
                [Step::Kernel(kernel)] => entries[kernel].clone(),
                _ => None,
            },
            slots: GatherScatterMap::new(part.states.iter().map(|&state| plan.states[state].der.index()).collect()),
            colouring: part.jacobian.as_ref().map_or(Colouring { groups: Vec::new() }, Colouring::new),
        }
    }
}

impl Tables {
    /// Checks the plan and derives the tables.
    pub(crate) fn new(plan: &Plan, kernels: &dyn Kernels) -> Result<Tables, RunError> {
        check(plan)?;
        let mut entries = SecondaryMap::new();
        let often = [&plan.derivatives, &plan.crossing.before_crossings, &plan.outputs]
            .into_iter()
            .chain(plan.pieces.parts.iter().map(|part| &part.derivatives));
        for step in often.flat_map(|schedule| &schedule.steps) {
            if let Step::Kernel(kernel) = *step {
                entries[kernel] = kernels.entry(kernel);
            }
        }
        let mut tangent_of = SecondaryMap::new();
        for &(kernel, tangent) in &plan.tangent_of {
            tangent_of[kernel] = Some(tangent);
        }
        let mut pattern_of = SecondaryMap::new();
        for (position, (block, _)) in plan.block_patterns.iter().enumerate() {
            pattern_of[*block] = Some(position);
        }
        let mut names_by_slot: Vec<u32> = (0..plan.memory.slot_names.len() as u32).collect();
        names_by_slot.sort_by_key(|&i| plan.memory.slot_names[i as usize].0);
        let is_kind = |own: &RelationKind, kind: &RelationKind| own == kind || *own == RelationKind::Both;
        let of_kind =
            |kind: RelationKind| plan.events.relations.iter().filter(|(_, r)| is_kind(&r.kind, &kind)).map(|(id, _)| id).collect();
        let derivative_blocks = plan.derivatives.steps.iter().filter_map(|step| match step {
            Step::Block(block) => Some(*block),
            Step::Kernel(_) => None,
        });
        Ok(Tables {
            tangent_of,
            pattern_of,
            names_by_slot,
            state_relations: of_kind(RelationKind::State),
            time_relations: of_kind(RelationKind::Time),
            varying: (0..plan.interface.signals.len()).filter(|&i| plan.interface.signals[i].varies).collect(),
            sources: plan.interface.signals.iter().filter(|signal| signal.varies).map(|signal| signal.source).collect(),
            derivative_blocks: derivative_blocks.collect(),
            colouring: Colouring::new(&plan.jacobian),
            state_slots: GatherScatterMap::new(plan.states.iter().map(|state| state.slot.index()).collect()),
            derivative_slots: GatherScatterMap::new(plan.states.iter().map(|state| state.der.index()).collect()),
            parts: plan.pieces.parts.iter().map(|part| PartTable::new(part, plan, &entries)).collect(),
            cells: plan.pieces.cells.as_ref().map(|cells| CellTable::new(cells, plan, kernels)),
            entries,
        })
    }

    /// Which residuals of a block depend on which unknowns, if that is known.
    pub(crate) fn block_pattern<'p>(&self, plan: &'p Plan, block: BlockId) -> Option<&'p Pattern> {
        self.pattern_of[block].map(|position| &plan.block_patterns[position].1)
    }

    /// The name of a slot, if it has one.
    pub(crate) fn name<'p>(&self, plan: &'p Plan, slot: Slot) -> Option<&'p str> {
        let found = self.names_by_slot.binary_search_by_key(&slot, |&i| plan.memory.slot_names[i as usize].0).ok();
        let named = found.map(|position| plan.memory.slot_names[self.names_by_slot[position] as usize].1.as_str());
        named.or_else(|| plan.states.iter().find(|state| state.slot == slot).map(|state| state.name.as_str()))
    }

    /// The name of a slot, or the slot itself for a temporary.
    pub(crate) fn label(&self, plan: &Plan, slot: Slot) -> String {
        self.name(plan, slot).map_or_else(|| format!("slot {slot}"), str::to_owned)
    }
}
