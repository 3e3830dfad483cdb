//! Proves that every index in a plan is in range and that vectors that belong together have equal lengths, so that running the plan
//! needs no further checks. Input: a plan. Output: R106 with what is wrong. Cost: linear in the plan.

use crate::base::error::RunError;
use crate::base::limits::Limit;
use crate::model::plan::{KernelId, MessagePart, Pattern, Plan, Schedule, Slot, Step};
use cranelift_entity::EntityRef;

fn malformed(what: impl Into<String>) -> RunError {
    RunError::new("R106", "internal error: the plan of the model is malformed; this is a bug").with_note(what)
}

/// Proves that every index in the plan is in range and that vectors that belong together have equal lengths.
pub(crate) fn check(plan: &Plan) -> Result<(), RunError> {
    let n_slots = plan.memory.n_slots;
    if n_slots == 0 {
        return Err(malformed("there is no slot for time"));
    }
    // A run has four arrays of all slots.
    if n_slots as u64 > plan.outside.files.limits.get(Limit::Memory) / 32 {
        return Err(malformed(format!("{n_slots} values are more than the memory of a run may hold")));
    }
    check_blocks(plan)?;
    check_schedules(plan)?;
    check_states(plan)?;
    check_kernels(plan)?;
    check_parts(plan)?;
    check_cells(plan)?;
    check_state_sets(plan)?;
    check_events(plan)?;
    check_sites(plan)?;
    check_signals(plan)?;
    check_patterns(plan)
}

/// Whether a slot is in the memory; `what` names it in the message.
fn slot_ok(plan: &Plan, slot: Slot, what: &str) -> Result<(), RunError> {
    let n_slots = plan.memory.n_slots;
    if slot.index() < n_slots { Ok(()) } else { Err(malformed(format!("{what}: {slot} is outside the memory of {n_slots}"))) }
}

/// The schedules that every plan has.
fn main_schedules(plan: &Plan) -> [&Schedule; 6] {
    [&plan.start.parameters, &plan.start.initial, &plan.derivatives, &plan.outputs, &plan.crossing.before_crossings, &plan.events.event]
}

/// Initial values and blocks.
fn check_blocks(plan: &Plan) -> Result<(), RunError> {
    for (slot, _) in &plan.memory.initial_memory {
        slot_ok(plan, *slot, "initial memory")?;
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
            slot_ok(plan, slot, "block")?;
        }
        if block.relations.iter().any(|&relation| !plan.events.relations.is_valid(relation)) {
            return Err(malformed(format!("{id} names a relation that does not exist")));
        }
    }
    Ok(())
}

/// Schedules name blocks that exist, and start values fit their blocks.
fn check_schedules(plan: &Plan) -> Result<(), RunError> {
    let schedules = main_schedules(plan);
    for step in schedules
        .into_iter()
        .chain(&plan.start.initial_by_states)
        .chain(plan.start.initial_alternatives.iter().map(|way| &way.schedule))
        .chain(&plan.start.initial_homotopy)
        .flat_map(|schedule| &schedule.steps)
    {
        if let Step::Block(block) = step
            && !plan.blocks.is_valid(*block)
        {
            return Err(malformed(format!("a schedule names {block}, which does not exist")));
        }
    }
    for system in &plan.start.by_starts {
        let form = plan.blocks.get(system.form).filter(|form| form.unknowns.len() == system.given.len());
        if form.is_none() || !plan.blocks.is_valid(system.block) {
            return Err(malformed(format!("there are start values of {}, which does not fit them", system.block)));
        }
    }
    Ok(())
}

/// States and their derivatives.
fn check_states(plan: &Plan) -> Result<(), RunError> {
    for state in &plan.states {
        slot_ok(plan, state.slot, "state")?;
        slot_ok(plan, state.der, "derivative")?;
    }
    Ok(())
}

/// Functions for some of the derivatives.
fn check_parts(plan: &Plan) -> Result<(), RunError> {
    for part in &plan.pieces.parts {
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
    Ok(())
}

/// Pieces of the derivatives.
fn check_cells(plan: &Plan) -> Result<(), RunError> {
    let Some(cells) = &plan.pieces.cells else { return Ok(()) };
    let mut n_cells = 0;
    for family in &cells.families {
        if family.first != n_cells || family.iterations == 0 {
            return Err(malformed("the cells are not numbered through"));
        }
        if family.block.is_some_and(|block| !plan.blocks.is_valid(block)) {
            return Err(malformed("a cell names a block that does not exist"));
        }
        if family.iterations > 1 && (cells.first.is_none() || cells.end.is_none() || family.block.is_some()) {
            return Err(malformed("a loop of cells has no bounds or solves a block"));
        }
        n_cells = n_cells.saturating_add(family.iterations);
    }
    let n_cells = n_cells as usize;
    let starts = &cells.need_starts;
    let starts_ok = starts.len() == n_cells + 1
        && starts.first() == Some(&0)
        && starts.last().map(|end| *end as usize) == Some(cells.needs.len())
        && starts.is_sorted();
    let is_earlier = |cell: usize| cells.needs[starts[cell] as usize..starts[cell + 1] as usize].iter().all(|need| (*need as usize) < cell);
    if !starts_ok || !(0..n_cells).all(is_earlier) {
        return Err(malformed("a cell does not read from earlier ones"));
    }
    if cells.of_state.len() != plan.states.len() || cells.of_state.iter().flatten().any(|cell| *cell as usize >= n_cells) {
        return Err(malformed("the derivative of a state has a cell that does not exist"));
    }
    [cells.first, cells.end].into_iter().flatten().try_for_each(|slot| slot_ok(plan, slot, "bound of a loop of cells"))
}

/// Sets of which states are chosen.
fn check_state_sets(plan: &Plan) -> Result<(), RunError> {
    for set in &plan.state_sets {
        for candidate in &set.candidates {
            slot_ok(plan, candidate.slot, "candidate for a state")?;
            slot_ok(plan, candidate.der, "derivative of a candidate")?;
        }
        let known =
            set.states.iter().all(|&state| state < plan.states.len()) && set.blocks.iter().all(|&block| plan.blocks.is_valid(block));
        if !known || set.blocks.is_empty() || set.states.len() >= set.candidates.len() {
            return Err(malformed("a state set without choice, or with states or blocks that do not exist"));
        }
    }
    Ok(())
}

/// Relations, discrete values and what is done at events.
fn check_events(plan: &Plan) -> Result<(), RunError> {
    for relation in plan.events.relations.values() {
        slot_ok(plan, relation.slot, "relation")?;
    }
    for slot in &plan.events.discrete {
        slot_ok(plan, *slot, "discrete value")?;
    }
    for pre in &plan.events.pre {
        slot_ok(plan, pre.current, "variable with pre")?;
        slot_ok(plan, pre.pre, "pre")?;
    }
    for sampler in &plan.events.samplers {
        for slot in [sampler.active, sampler.start, sampler.interval] {
            slot_ok(plan, slot, "sample")?;
        }
    }
    for reinit in &plan.events.reinits {
        for slot in [reinit.active, reinit.value, reinit.state] {
            slot_ok(plan, slot, "reinit")?;
        }
    }
    for action in &plan.events.actions {
        slot_ok(plan, action.trigger, "assert")?;
        action.condition.iter().try_for_each(|slot| slot_ok(plan, *slot, "condition of an assert"))?;
        let mut parts: Vec<&MessagePart> = action.message.iter().collect();
        while let Some(part) = parts.pop() {
            match part {
                MessagePart::Text(_) => {}
                MessagePart::Value(slot, _) | MessagePart::Opposite(slot, _) => slot_ok(plan, *slot, "message")?,
                MessagePart::Either(slot, a, b) => {
                    slot_ok(plan, *slot, "message")?;
                    parts.extend(a.iter().chain(b));
                }
            }
        }
    }
    Ok(())
}

/// Values that something is decided by.
fn check_sites(plan: &Plan) -> Result<(), RunError> {
    let schedules = main_schedules(plan);
    let of_starts = plan
        .start
        .initial_by_states
        .iter()
        .chain(&plan.start.initial_homotopy)
        .chain(plan.start.initial_alternatives.iter().map(|way| &way.schedule));
    let sites = schedules
        .into_iter()
        .chain(of_starts)
        .flat_map(|schedule| &schedule.sites)
        .chain(&plan.crossing.crossing_sites)
        .chain(&plan.crossing.relation_sites);
    for site in sites {
        for slot in [site.seen, site.slot].into_iter().chain(site.subscript.map(|(index, _)| index)) {
            slot_ok(plan, slot, "site")?;
        }
    }
    Ok(())
}

/// Delays, signals, inputs, settings and flags.
fn check_signals(plan: &Plan) -> Result<(), RunError> {
    for delay in &plan.past.delays {
        for slot in [delay.source, delay.delay, delay.max, delay.value] {
            slot_ok(plan, slot, "delay")?;
        }
    }
    for transport in &plan.past.transports {
        for slot in [transport.way].into_iter().chain(transport.enter).chain(transport.leave) {
            slot_ok(plan, slot, "spatialDistribution")?;
        }
    }
    for signal in &plan.interface.signals {
        slot_ok(plan, signal.source.slot, "signal")?;
    }
    for input in &plan.interface.inputs {
        slot_ok(plan, input.slot, "input")?;
    }
    for setting in &plan.interface.settings {
        slot_ok(plan, setting.slot, "setting")?;
    }
    for slot in [plan.start.homotopy, plan.start.initial_flag, plan.events.terminal_flag].into_iter().flatten() {
        slot_ok(plan, slot, "flag")?;
    }
    Ok(())
}

/// Patterns of the Jacobians of blocks and of the model.
fn check_patterns(plan: &Plan) -> Result<(), RunError> {
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
    let schedules = [&plan.derivatives, &plan.outputs, &plan.crossing.before_crossings]
        .into_iter()
        .chain(plan.pieces.parts.iter().map(|part| &part.derivatives));
    let steps = schedules.flat_map(|schedule| &schedule.steps).filter_map(|step| match step {
        Step::Kernel(kernel) => Some(*kernel),
        Step::Block(_) => None,
    });
    let others =
        [&plan.start.parameters, &plan.start.initial, &plan.events.event].iter().map(|schedule| schedule.steps.len()).sum::<usize>();
    let of_cells = plan.pieces.cells.iter().flat_map(|cells| &cells.families).filter_map(|family| family.kernel);
    let named: Vec<KernelId> =
        steps.chain(of_cells).chain(plan.tangent_of.iter().flat_map(|(kernel, tangent)| [*kernel, *tangent])).collect();
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
