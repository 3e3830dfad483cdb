//! Runs schedules on the memory of one run: kernels in order, blocks solved as they come.
//!
//! Guarantees: nothing is allocated or formatted as long as everything can be evaluated. After a failure the unknowns of the
//! failed block have the values they had before, so that the next attempt starts from a sound guess.

use crate::abi::DirectKernel;
use crate::abi::Environment;
use crate::base::error::{EvalFailure, RunError};
use crate::exec::profile::Profile;
use crate::exec::statistics::Statistics;
use crate::exec::tables::Compiled;
use crate::exec::workspace::block::BlockWorkspace;
use crate::model::plan::{BlockId, BlockKind, KernelId, Plan, RelationId, Schedule, Slot, Step};
use crate::native::Object;
use crate::native::access::FileAccess;
use cranelift_entity::{EntityRef, PrimaryMap};
use std::time::Instant;

/// The values of one run and the room needed to compute them.
pub(crate) struct Machine {
    /// The slots.
    pub(crate) memory: Vec<f64>,
    /// Tangents for the Jacobians of blocks. Zero, except where the tangent kernel of `dirty` wrote.
    pub(crate) seeds: Vec<f64>,
    /// The same for kernels that read nothing but the tangents of their unknowns, so that what others wrote does no harm.
    pub(crate) own_seeds: Vec<f64>,
    /// The block whose inner tangents are left in `seeds`.
    pub(crate) dirty: Option<BlockId>,
    pub(crate) environment: Environment,
    /// Workspace for each block, made at its first use; absent while the block is being solved.
    pub(crate) blocks: PrimaryMap<BlockId, Option<Box<BlockWorkspace>>>,
    pub(crate) statistics: Statistics,
    /// Time per step, if it is wanted.
    pub(crate) profile: Option<Box<Profile>>,
    /// For every relation how far its sides may differ in the wrong direction since the last event (see `mixed`).
    pub(crate) hysteresis: PrimaryMap<RelationId, f64>,
    /// The time of the point to whose guesses blocks go back.
    pub(crate) guesses_at: f64,
    /// Unknowns of mixed blocks that nothing determines keep their values.
    pub(crate) keeps_undetermined: bool,
    /// Mixed blocks try only what follows from the guess of their discrete values.
    pub(crate) is_hasty: bool,
    /// Newton's method gives up when this many tangents have been computed in all.
    pub(crate) most_tangents: u64,
    /// Initial values are looked for: solutions of blocks are made as accurate as they can be.
    pub(crate) is_starting: bool,
    /// Unknowns that their equations did not determine somewhere; they kept their values.
    pub(crate) undetermined: Vec<Slot>,
    /// What is to be told about blocks that have several solutions at the start.
    pub(crate) other_solutions: Vec<(BlockId, RunError)>,
}

impl Machine {
    /// Tells all blocks that values which stand between events may have changed.
    pub(crate) fn note_event(&mut self) {
        for workspace in self.blocks.values_mut().flatten() {
            workspace.note_event();
        }
    }

    pub(crate) fn new(plan: &Plan, objects: Vec<Object>, files: FileAccess) -> Machine {
        let environment = Environment {
            objects,
            object_names: plan.outside.objects.iter().map(|object| object.name.clone()).collect(),
            strings: plan.outside.strings.clone(),
            texts: plan.outside.texts.clone(),
            files,
            ..Environment::default()
        };
        Machine {
            memory: vec![0.0; plan.memory.n_slots],
            seeds: vec![0.0; plan.memory.n_slots],
            own_seeds: vec![0.0; plan.memory.n_slots],
            dirty: None,
            environment,
            blocks: plan.blocks.values().map(|_| None).collect(),
            statistics: Statistics::default(),
            profile: None,
            hysteresis: plan.events.relations.values().map(|_| 0.0).collect(),
            guesses_at: f64::NAN,
            keeps_undetermined: false,
            is_hasty: false,
            most_tangents: u64::MAX,
            is_starting: false,
            undetermined: Vec::new(),
            other_solutions: Vec::new(),
        }
    }

    pub(crate) fn get(&self, slot: Slot) -> f64 {
        self.memory[slot.index()]
    }

    pub(crate) fn put(&mut self, slot: Slot, value: f64) {
        self.memory[slot.index()] = value;
    }

    /// The value of a Boolean slot.
    pub(crate) fn truth(&self, slot: Slot) -> bool {
        self.memory[slot.index()] != 0.0
    }

    /// Runs one kernel that works on the memory only.
    #[inline(always)]
    pub(crate) fn run_kernel(&mut self, compiled: &Compiled, kernel: KernelId) -> Result<(), EvalFailure> {
        if let Some(entry) = &compiled.tables.entries[kernel] {
            return self.run_entry(entry);
        }
        match compiled.kernels.call(kernel, &mut self.memory, &mut [], &mut self.environment) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.kernel_failure()),
        }
    }

    /// Runs a kernel that need not be looked up.
    #[inline(always)]
    pub(crate) fn run_entry(&mut self, entry: &DirectKernel) -> Result<(), EvalFailure> {
        match entry.call(&mut self.memory, &mut self.environment) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.kernel_failure()),
        }
    }

    /// Runs one kernel with a result vector.
    pub(crate) fn run_kernel_into(&mut self, compiled: &Compiled, kernel: KernelId, out: &mut [f64]) -> Result<(), EvalFailure> {
        match compiled.kernels.call(kernel, &mut self.memory, out, &mut self.environment) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.kernel_failure()),
        }
    }

    /// Why the last kernel failed.
    #[cold]
    pub(crate) fn kernel_failure(&mut self) -> EvalFailure {
        let mut failure = EvalFailure::new(self.environment.failure.take().unwrap_or_else(|| "a function of the model failed".to_owned()));
        failure.span = self.environment.failure_span.take();
        failure
    }

    /// Runs a schedule. That of a small model is often a single kernel, which is run without further ado.
    #[inline(always)]
    pub(crate) fn run(&mut self, compiled: &Compiled, schedule: &Schedule) -> Result<(), EvalFailure> {
        match schedule.steps[..] {
            [Step::Kernel(kernel)] if self.profile.is_none() => self.run_kernel(compiled, kernel),
            _ => self.run_steps(compiled, schedule),
        }
    }

    #[inline(never)]
    pub(crate) fn run_steps(&mut self, compiled: &Compiled, schedule: &Schedule) -> Result<(), EvalFailure> {
        if self.profile.is_some() {
            return self.run_timed(compiled, schedule);
        }
        for step in &schedule.steps {
            self.run_step(compiled, *step)?;
        }
        Ok(())
    }

    #[cold]
    pub(crate) fn run_timed(&mut self, compiled: &Compiled, schedule: &Schedule) -> Result<(), EvalFailure> {
        for &step in &schedule.steps {
            let began = Instant::now();
            let done = self.run_step(compiled, step);
            if let Some(profile) = &mut self.profile {
                profile.count(step, began);
            }
            done?;
        }
        Ok(())
    }

    pub(crate) fn run_step(&mut self, compiled: &Compiled, step: Step) -> Result<(), EvalFailure> {
        match step {
            Step::Kernel(kernel) => self.run_kernel(compiled, kernel),
            Step::Block(block) => self.solve_block(compiled, block),
        }
    }

    /// Remembers the solutions of nonlinear blocks at an accepted point as guesses to come back to.
    pub(crate) fn keep_guesses(&mut self, compiled: &Compiled) {
        self.guesses_at = self.memory[0];
        for (id, block) in compiled.plan.blocks.iter() {
            if block.kind == BlockKind::Nonlinear
                && let Some(workspace) = &mut self.blocks[id]
            {
                workspace.keep_guess(&self.memory, &block.unknowns);
            }
        }
    }

    /// Goes back to the guesses of the last accepted point: the last evaluations belong to a step that was given up.
    #[inline(never)]
    pub(crate) fn restore_guesses(&mut self, compiled: &Compiled) {
        for (id, block) in compiled.plan.blocks.iter() {
            if let Some(workspace) = &self.blocks[id] {
                workspace.restore_guess(&mut self.memory, &block.unknowns);
            }
        }
    }

    /// Explains why a value became infinite or not a number: runs the schedules again step by step and names what was the
    /// first to go wrong. Slow; for messages only.
    pub(crate) fn explain_non_finite(&mut self, compiled: &Compiled, schedules: &[&Schedule], seen: Slot, seen_name: &str) -> EvalFailure {
        let plan = &*compiled.plan;
        let tables = &compiled.tables;
        let shown = |value: f64| if value.is_nan() { "not a number" } else { "infinite" };
        let mut failure = EvalFailure::new(format!("{seen_name} is {}", shown(self.get(seen))));
        let kept = self.memory.clone();
        // Values left over from the failed evaluation would hide which one came first.
        let inherited: Vec<usize> = (0..kept.len()).filter(|&i| !kept[i].is_finite()).collect();
        for &i in &inherited {
            self.memory[i] = 0.0;
        }
        for &step in schedules.iter().flat_map(|schedule| &schedule.steps) {
            let before = self.memory.clone();
            if self.run_step(compiled, step).is_err() {
                break;
            }
            let bad: Vec<Slot> = (0..self.memory.len()).filter(|&i| !self.memory[i].is_finite()).map(Slot::new).collect();
            if bad.is_empty() {
                continue;
            }
            if let Step::Kernel(kernel) = step {
                let has_span = |slot: Slot| plan.memory.slot_spans.iter().any(|(other, _)| *other == slot);
                let explanation = compiled.kernels.explain(kernel, &before, &has_span);
                let is_first = |slot: Slot| explanation.as_ref().map_or_else(|| bad.contains(&slot), |found| found.slot == slot);
                if let Some((slot, span)) = plan.memory.slot_spans.iter().find(|(slot, _)| is_first(*slot)) {
                    let name = if *slot == seen { seen_name.to_string() } else { tables.label(plan, *slot) };
                    let cause = explanation.map_or(String::new(), |found| format!(": {}", found.cause));
                    let first = format!("{name} is {}{cause}", shown(self.get(*slot)));
                    let consequence = std::mem::replace(&mut failure.reason, first);
                    if *slot != seen {
                        failure.notes.push(consequence);
                    }
                    failure.span = Some(*span);
                    break;
                }
            }
            let named: Vec<&Slot> = bad.iter().filter(|&&slot| tables.name(plan, slot).is_some()).collect();
            for &&slot in named.iter().take(5) {
                if slot != seen {
                    failure.notes.push(format!("first of all {} became {}", tables.label(plan, slot), shown(self.get(slot))));
                }
            }
            if let Step::Block(block) = step {
                failure.span = plan.blocks[block].equations.first().map(|label| label.span);
            }
            break;
        }
        self.memory = kept;
        failure
    }
}
