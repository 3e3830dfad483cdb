//! Tables derived once from a plan, shared by all runs of it.
//!
//! Input: a plan. Output: lookup tables, the colouring of the Jacobian, and the proof that the plan's indices are in range,
//! so that running it needs no further checks.
//!
//! Cost: linear in the plan, except the colouring (sum over columns of the entries of their rows).

use crate::abi::DirectKernel;
use crate::abi::Kernels;
use crate::base::error::RunError;
use crate::base::limits::Limit;
use crate::exec::jacobian::Colouring;
use crate::model::gather::{Moves, Places};
use crate::model::plan::{
    BlockId, KernelId, MessagePart, ObjectSpec, Part, Pattern, Plan, RelationId, RelationKind, SignalSource, Slot, Step,
};
use crate::native::access::FileAccess;
use crate::native::{self, Object};
use cranelift_entity::{EntityRef, SecondaryMap};
use std::sync::Arc;

/// A plan, its code and what follows from them. Immutable, shared between runs and threads.
pub(super) struct Compiled {
    pub(super) plan: Arc<Plan>,
    pub(super) kernels: Arc<dyn Kernels>,
    pub(super) tables: Tables,
    /// External objects as they are when a run begins.
    pub(super) objects: Vec<Object>,
    /// The files that a run may touch.
    pub(super) files: FileAccess,
}

/// Makes the external objects of a plan.
pub(super) fn make_objects(plan: &Plan, files: &FileAccess) -> Result<Vec<Object>, RunError> {
    let make = |spec: &ObjectSpec| {
        let made = native::construct(&spec.constructor, &spec.arguments, files);
        made.map_err(|reason| RunError::new("R108", format!("the external object {} cannot be made", spec.name)).with_note(reason))
    };
    plan.objects.iter().map(make).collect()
}

/// Lookup tables of a plan.
pub(super) struct Tables {
    /// Tangent kernel of a kernel.
    pub(super) tangent_of: SecondaryMap<KernelId, Option<KernelId>>,
    /// Kernels of the schedules that run at every point, if they can be called without being looked up.
    pub(super) entries: SecondaryMap<KernelId, Option<DirectKernel>>,
    /// Positions in `Plan::block_patterns`.
    pattern_of: SecondaryMap<BlockId, Option<usize>>,
    /// Positions in `Plan::slot_names`, ordered by slot.
    names_by_slot: Vec<u32>,
    /// Relations with a crossing function, in its order.
    pub(super) state_relations: Vec<RelationId>,
    /// Relations with a threshold, in its order.
    pub(super) time_relations: Vec<RelationId>,
    /// Positions in `Plan::signals` of what varies.
    pub(super) varying: Vec<usize>,
    /// Where their values come from: results are read at every output point.
    pub(super) sources: Vec<SignalSource>,
    /// Blocks of the `derivatives` schedule, in order.
    pub(super) derivative_blocks: Vec<BlockId>,
    /// Groups of Jacobian columns that are computed together.
    pub(super) colouring: Colouring,
    /// Slots of all states: evaluations of parts are short, and the plan's states are far apart in memory.
    pub(super) state_slots: Places,
    /// Slots of their derivatives.
    pub(super) derivative_slots: Places,
    /// For every one of `Plan::parts`.
    pub(super) parts: Vec<PartTable>,
}

/// What an evaluation of a part looks up.
pub(super) struct PartTable {
    /// The states that it reads, into their slots.
    pub(super) reads: Moves,
    /// Its kernel, if its schedule is this kernel alone and it can be called without being looked up.
    pub(super) sole: Option<DirectKernel>,
    /// Slots of the derivatives of its states.
    pub(super) slots: Places,
    /// Groups of columns of its Jacobian; none if it has no Jacobian.
    pub(super) colouring: Colouring,
}

impl PartTable {
    fn new(part: &Part, plan: &Plan, entries: &SecondaryMap<KernelId, Option<DirectKernel>>) -> PartTable {
        PartTable {
            reads: Moves::new(part.reads.iter().map(|&state| (state, plan.states[state].slot.index()))),
            sole: match part.derivatives.steps[..] {
                [Step::Kernel(kernel)] => entries[kernel].clone(),
                _ => None,
            },
            slots: Places::new(part.states.iter().map(|&state| plan.states[state].der.index()).collect()),
            colouring: part.jacobian.as_ref().map_or(Colouring { groups: Vec::new() }, Colouring::new),
        }
    }
}

impl Tables {
    /// Checks the plan and derives the tables.
    pub(super) fn new(plan: &Plan, kernels: &dyn Kernels) -> Result<Tables, RunError> {
        check(plan)?;
        let mut entries = SecondaryMap::new();
        let often =
            [&plan.derivatives, &plan.before_crossings, &plan.outputs].into_iter().chain(plan.parts.iter().map(|part| &part.derivatives));
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
        let mut names_by_slot: Vec<u32> = (0..plan.slot_names.len() as u32).collect();
        names_by_slot.sort_by_key(|&i| plan.slot_names[i as usize].0);
        let is_kind = |own: &RelationKind, kind: &RelationKind| own == kind || *own == RelationKind::Both;
        let of_kind = |kind: RelationKind| plan.relations.iter().filter(|(_, r)| is_kind(&r.kind, &kind)).map(|(id, _)| id).collect();
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
            varying: (0..plan.signals.len()).filter(|&i| plan.signals[i].varies).collect(),
            sources: plan.signals.iter().filter(|signal| signal.varies).map(|signal| signal.source).collect(),
            derivative_blocks: derivative_blocks.collect(),
            colouring: Colouring::new(&plan.jacobian),
            state_slots: Places::new(plan.states.iter().map(|state| state.slot.index()).collect()),
            derivative_slots: Places::new(plan.states.iter().map(|state| state.der.index()).collect()),
            parts: plan.parts.iter().map(|part| PartTable::new(part, plan, &entries)).collect(),
            entries,
        })
    }

    /// Which residuals of a block depend on which unknowns, if that is known.
    pub(super) fn block_pattern<'p>(&self, plan: &'p Plan, block: BlockId) -> Option<&'p Pattern> {
        self.pattern_of[block].map(|position| &plan.block_patterns[position].1)
    }

    /// The name of a slot, if it has one.
    pub(super) fn name<'p>(&self, plan: &'p Plan, slot: Slot) -> Option<&'p str> {
        let found = self.names_by_slot.binary_search_by_key(&slot, |&i| plan.slot_names[i as usize].0).ok();
        let named = found.map(|position| plan.slot_names[self.names_by_slot[position] as usize].1.as_str());
        named.or_else(|| plan.states.iter().find(|state| state.slot == slot).map(|state| state.name.as_str()))
    }

    /// The name of a slot, or the slot itself for a temporary.
    pub(super) fn label(&self, plan: &Plan, slot: Slot) -> String {
        self.name(plan, slot).map_or_else(|| format!("slot {slot}"), str::to_owned)
    }
}

fn malformed(what: impl Into<String>) -> RunError {
    RunError::new("R106", "internal error: the plan of the model is malformed; this is a bug").with_note(what)
}

/// Proves that every index in the plan is in range and that vectors that belong together have equal lengths.
fn check(plan: &Plan) -> Result<(), RunError> {
    let n_slots = plan.n_slots;
    if n_slots == 0 {
        return Err(malformed("there is no slot for time"));
    }
    // A run has four arrays of all slots.
    if n_slots as u64 > plan.files.limits.get(Limit::Memory) / 32 {
        return Err(malformed(format!("{n_slots} values are more than the memory of a run may hold")));
    }
    let slot_ok = |slot: Slot, what: &str| {
        if slot.index() < n_slots { Ok(()) } else { Err(malformed(format!("{what}: {slot} is outside the memory of {n_slots}"))) }
    };
    for (slot, _) in &plan.initial_memory {
        slot_ok(*slot, "initial memory")?;
    }
    for (id, block) in plan.blocks.iter() {
        let n = block.unknowns.len();
        if block.residuals.len() != n || block.declared.len() != n {
            return Err(malformed(format!(
                "{id} has {n} unknowns, {} residuals and {} nominal values",
                block.residuals.len(),
                block.declared.len()
            )));
        }
        for &slot in block.unknowns.iter().chain(&block.residuals).chain(&block.discrete_slots) {
            slot_ok(slot, "block")?;
        }
        if block.relations.iter().any(|&relation| !plan.relations.is_valid(relation)) {
            return Err(malformed(format!("{id} names a relation that does not exist")));
        }
    }
    let schedules = [&plan.parameters, &plan.initial, &plan.derivatives, &plan.outputs, &plan.before_crossings, &plan.event];
    for step in schedules
        .into_iter()
        .chain(&plan.initial_by_states)
        .chain(plan.initial_otherwise.iter().map(|way| &way.schedule))
        .chain(&plan.initial_homotopy)
        .flat_map(|schedule| &schedule.steps)
    {
        if let Step::Block(block) = step
            && !plan.blocks.is_valid(*block)
        {
            return Err(malformed(format!("a schedule names {block}, which does not exist")));
        }
    }
    for system in &plan.by_starts {
        let form = plan.blocks.get(system.form).filter(|form| form.unknowns.len() == system.given.len());
        if form.is_none() || !plan.blocks.is_valid(system.block) {
            return Err(malformed(format!("there are start values of {}, which does not fit them", system.block)));
        }
    }
    for state in &plan.states {
        slot_ok(state.slot, "state")?;
        slot_ok(state.der, "derivative")?;
    }
    check_kernels(plan)?;
    for part in &plan.parts {
        if part.reads.iter().any(|&state| state >= plan.states.len()) {
            return Err(malformed("a part reads a state that does not exist"));
        }
        let ascending = part.states.is_sorted_by(|a, b| a < b);
        if !ascending || part.states.last().is_some_and(|&last| last >= plan.states.len()) {
            return Err(malformed("the states of a part are not ascending positions of states"));
        }
        if let Some(pattern) = &part.jacobian {
            check_pattern(pattern, part.states.len(), "states of a part")?;
        }
        let blocks = part.derivatives.steps.iter().filter_map(|step| match step {
            Step::Block(block) => Some(*block),
            Step::Kernel(_) => None,
        });
        if blocks.into_iter().any(|block| !plan.blocks.is_valid(block)) {
            return Err(malformed("a part names a block that does not exist"));
        }
    }
    for set in &plan.state_sets {
        for candidate in &set.candidates {
            slot_ok(candidate.slot, "candidate for a state")?;
            slot_ok(candidate.der, "derivative of a candidate")?;
        }
        let known =
            set.states.iter().all(|&state| state < plan.states.len()) && set.blocks.iter().all(|&block| plan.blocks.is_valid(block));
        if !known || set.blocks.is_empty() || set.states.len() >= set.candidates.len() {
            return Err(malformed("a state set without choice, or with states or blocks that do not exist"));
        }
    }
    for relation in plan.relations.values() {
        slot_ok(relation.slot, "relation")?;
    }
    for slot in &plan.discrete {
        slot_ok(*slot, "discrete value")?;
    }
    for pre in &plan.pre {
        slot_ok(pre.current, "variable with pre")?;
        slot_ok(pre.pre, "pre")?;
    }
    for sampler in &plan.samplers {
        for slot in [sampler.active, sampler.start, sampler.interval] {
            slot_ok(slot, "sample")?;
        }
    }
    for reinit in &plan.reinits {
        for slot in [reinit.active, reinit.value, reinit.state] {
            slot_ok(slot, "reinit")?;
        }
    }
    for action in &plan.actions {
        slot_ok(action.trigger, "assert")?;
        action.condition.iter().try_for_each(|slot| slot_ok(*slot, "condition of an assert"))?;
        let mut parts: Vec<&MessagePart> = action.message.iter().collect();
        while let Some(part) = parts.pop() {
            match part {
                MessagePart::Text(_) => {}
                MessagePart::Value(slot, _) | MessagePart::Opposite(slot, _) => slot_ok(*slot, "message")?,
                MessagePart::Either(slot, a, b) => {
                    slot_ok(*slot, "message")?;
                    parts.extend(a.iter().chain(b));
                }
            }
        }
    }
    let of_starts =
        plan.initial_by_states.iter().chain(&plan.initial_homotopy).chain(plan.initial_otherwise.iter().map(|way| &way.schedule));
    let sites =
        schedules.into_iter().chain(of_starts).flat_map(|schedule| &schedule.sites).chain(&plan.crossing_sites).chain(&plan.relation_sites);
    for site in sites {
        for slot in [site.seen, site.slot].into_iter().chain(site.subscript.map(|(index, _)| index)) {
            slot_ok(slot, "site")?;
        }
    }
    for delay in &plan.delays {
        for slot in [delay.source, delay.delay, delay.max, delay.value] {
            slot_ok(slot, "delay")?;
        }
    }
    for transport in &plan.transports {
        for slot in [transport.way].into_iter().chain(transport.enter).chain(transport.leave) {
            slot_ok(slot, "spatialDistribution")?;
        }
    }
    for signal in &plan.signals {
        slot_ok(signal.source.slot, "signal")?;
    }
    for input in &plan.inputs {
        slot_ok(input.slot, "input")?;
    }
    for setting in &plan.settings {
        slot_ok(setting.slot, "setting")?;
    }
    for slot in [plan.homotopy, plan.initial_flag, plan.terminal_flag].into_iter().flatten() {
        slot_ok(slot, "flag")?;
    }
    for (block, pattern) in &plan.block_patterns {
        match plan.blocks.get(*block) {
            Some(found) => check_pattern(pattern, found.unknowns.len(), "unknowns of a block")?,
            None => return Err(malformed(format!("there is a pattern of {block}, which does not exist"))),
        }
    }
    check_pattern(&plan.jacobian, plan.states.len(), "states")
}

/// Kernels are numbered through, so no number is much larger than the number of places that name one: tables by kernel stay small.
fn check_kernels(plan: &Plan) -> Result<(), RunError> {
    let schedules =
        [&plan.derivatives, &plan.outputs, &plan.before_crossings].into_iter().chain(plan.parts.iter().map(|part| &part.derivatives));
    let steps = schedules.flat_map(|schedule| &schedule.steps).filter_map(|step| match step {
        Step::Kernel(kernel) => Some(*kernel),
        Step::Block(_) => None,
    });
    let others = [&plan.parameters, &plan.initial, &plan.event].iter().map(|schedule| schedule.steps.len()).sum::<usize>();
    let named: Vec<KernelId> = steps.chain(plan.tangent_of.iter().flat_map(|(kernel, tangent)| [*kernel, *tangent])).collect();
    let most = 1000 + 16 * (named.len() + others + plan.blocks.len());
    match named.iter().find(|kernel| kernel.index() > most) {
        Some(kernel) => Err(malformed(format!("there is no kernel {kernel}"))),
        None => Ok(()),
    }
}

fn check_pattern(pattern: &Pattern, n: usize, what: &str) -> Result<(), RunError> {
    if n == 0 && pattern.rows.is_empty() {
        return Ok(());
    }
    let starts_ok = pattern.n_rows == n
        && pattern.col_starts.len() == n + 1
        && pattern.col_starts.first() == Some(&0)
        && pattern.col_starts.last() == Some(&pattern.rows.len())
        && pattern.col_starts.is_sorted();
    let columns_ok = starts_ok
        && pattern.col_starts.windows(2).all(|w| {
            let column = &pattern.rows[w[0]..w[1]];
            column.is_sorted_by(|a, b| a < b) && column.last().is_none_or(|&row| row < n)
        });
    if columns_ok { Ok(()) } else { Err(malformed(format!("the pattern of the Jacobian does not fit {n} {what}"))) }
}
