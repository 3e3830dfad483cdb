//! Finds consistent initial values.
//!
//! Input: parameters, start values and settings. Output: memory and states at the start, after the first event iteration.
//!
//! Method: the initial schedule directly, where start values choose among several solutions (`newton/starts`); if a block of it cannot be solved, the same equations iterating on states, which have the
//! better start values. If the model uses `homotopy` and its equations may have several solutions, continuation from the simplified
//! model (0) to the actual one (1) with adaptive steps, each warm-started from the last, says which one is meant; where one step from the
//! simplified model leads to the solution that was found directly, the path is not followed. One that breaks off, or takes far more work
//! than the start did, leaves that solution.
//! If all of that fails and start values that are not fixed complete the system, other start values of the model are taken instead, with
//! a warning.
//! Delayed values equal their source at the start, found by repetition.

use crate::base::error::{EvalFailure, RunError};
use crate::exec::instance::{Instance, MAX_DELAY_ITERATIONS, Validity};
use crate::exec::tables::Compiled;
use crate::exec::workspace::transport::SpatialProfile;
use crate::model::interface::EventOutcome;
use crate::model::plan::{BlockKind, Label, Plan, Schedule, Slot, Step};
use crate::native::Object;
use cranelift_entity::EntityRef;

/// Largest difference of the sides of a redundant initial equation, relative to them and absolute.
const CHECK_TOLERANCE: f64 = 1e-6;
/// First step of the homotopy parameter.
const FIRST_STEP: f64 = 0.25;
/// The shortest step of the homotopy parameter.
const SHORTEST_STEP: f64 = 1e-5;
/// Two solutions of the initial system are the same up to this, relative to them and absolute.
const SAME_SOLUTION: f64 = 1e-6;
/// Following the path where the start is known already takes at most this many tangents, or so many times those of the start.
const PATH_TANGENTS: u64 = 2000;
const PATH_EFFORT: u64 = 3;
/// Start values are named up to this number.
const MOST_NAMES: usize = 10;

fn failed(t0: f64) -> impl Fn(EvalFailure) -> RunError {
    move |failure| RunError::from_eval("R101", "the initial values cannot be determined", &failure).at_time(t0)
}

/// Whether a block of the initial system is not simply linear.
fn may_have_several_solutions(plan: &Plan) -> bool {
    plan.start.initial.steps.iter().any(|step| match step {
        Step::Block(block) => plan.blocks[*block].kind == BlockKind::Nonlinear || !plan.blocks[*block].relations.is_empty(),
        Step::Kernel(_) => false,
    })
}

/// The first names of a list, and how many there are beside them.
fn name_some(names: &[String]) -> String {
    let more = names.len().saturating_sub(MOST_NAMES);
    let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{tail}", names[..names.len() - more].join(", "))
}

impl Instance {
    /// Puts constants, defaults and settings in the memory and computes the parameters.
    pub(crate) fn reset(&mut self, t0: f64) -> Result<(), EvalFailure> {
        let compiled = self.compiled.clone();
        let plan = &*compiled.plan;
        self.machine.memory.fill(0.0);
        self.machine.seeds.fill(0.0);
        self.machine.dirty = None;
        self.machine.note_event();
        self.machine.environment.objects.iter_mut().for_each(Object::reset);
        self.machine.environment.random = None;
        self.machine.environment.messages.clear();
        for &(slot, value) in &plan.memory.initial_memory {
            self.machine.put(slot, value);
        }
        for &(slot, value) in &self.overrides {
            self.machine.put(slot, value);
        }
        self.machine.memory[0] = t0;
        for (slot, value) in
            [(plan.start.initial_flag, 1.0), (plan.events.terminal_flag, 0.0), (plan.start.homotopy, 1.0), (plan.events.event_time, t0)]
        {
            if let Some(slot) = slot {
                self.machine.put(slot, value);
            }
        }
        for sampler in &plan.events.samplers {
            self.machine.put(sampler.active, 0.0);
        }
        self.machine.run(&compiled, &plan.start.parameters)?;
        self.machine.check_sites(&compiled, &plan.start.parameters)
    }

    pub(crate) fn initialize_at(&mut self, t0: f64, x: &mut [f64]) -> Result<EventOutcome, RunError> {
        self.switching.simultaneous.clear();
        self.forget_choice();
        let compiled = self.compiled.clone();
        let plan = &*compiled.plan;
        self.told.warnings.clear();
        self.told.messages.clear();
        self.asserts.warned.fill(false);
        self.told.warned_outputs.fill(false);
        self.switching.thresholds.fill(f64::NAN);
        self.point.valid = false;
        self.latest = t0;
        self.switching.last_event = t0;
        for history in &mut self.past.histories {
            history.clear();
        }
        self.past.profiles.fill(SpatialProfile::default());
        let parameters = |failure: EvalFailure| RunError::from_eval("R101", "the parameters cannot be computed", &failure);
        self.reset(t0).map_err(parameters)?;
        self.refresh_inputs(t0);
        self.machine.keep_starts(&compiled);
        // At the start the ends of a line have the values of its first and last place.
        for transport in &plan.past.transports {
            for (slot, value) in transport.leave.iter().zip([transport.values.first(), transport.values.last()]) {
                self.machine.put(*slot, value.copied().unwrap_or(f64::NAN));
            }
        }
        self.solve_start().map_err(failed(t0))?;
        for _ in 0..MAX_DELAY_ITERATIONS {
            let mut settled = true;
            for delay in &plan.past.delays {
                let source = self.machine.get(delay.source);
                settled &= (self.machine.get(delay.value) - source).abs() <= 1e-10 * source.abs();
                self.machine.put(delay.value, source);
            }
            if settled {
                break;
            }
            self.solve_start().map_err(failed(t0))?;
        }
        self.check_redundant().and_then(|()| self.check_parameters()).map_err(failed(t0))?;
        self.choose_states(x)?;
        let compiled = self.compiled.clone();
        let plan = &*compiled.plan;
        for (value, state) in x.iter_mut().zip(&plan.states) {
            *value = self.machine.get(state.slot);
            if !value.is_finite() {
                let failure =
                    self.machine.explain_non_finite(&compiled, &[&plan.start.parameters, &plan.start.initial], state.slot, &state.name);
                return Err(failed(t0)(failure));
            }
        }
        for pre in &plan.events.pre {
            let current = self.machine.get(pre.current);
            self.machine.put(pre.pre, current);
        }
        let mut outcome = EventOutcome::default();
        self.classify_actions(t0, x).map_err(failed(t0))?;
        self.act(t0, Validity::Momentary, &mut outcome)?;
        if let Some(flag) = plan.start.initial_flag {
            self.machine.put(flag, 0.0);
        }
        self.start_samplers(t0)?;
        let sampled = self.fire_samplers(t0);
        let event = self.iterate_event(t0, x, sampled, false)?;
        outcome.changed = true;
        outcome.terminate = outcome.terminate.or(event.terminate);
        Ok(outcome)
    }

    /// Finds out which triggers are computed at every point: those that the continuous schedules write.
    pub(crate) fn classify_actions(&mut self, t0: f64, x: &[f64]) -> Result<(), EvalFailure> {
        let compiled = self.compiled.clone();
        let plan = &*compiled.plan;
        if plan.events.actions.is_empty() {
            return Ok(());
        }
        let kept: Vec<f64> = plan.events.actions.iter().map(|action| self.machine.get(action.trigger)).collect();
        for action in &plan.events.actions {
            self.machine.put(action.trigger, f64::NAN);
        }
        // A failure leaves marks in the triggers, but ends the run.
        self.evaluate_outputs(t0, x)?;
        self.point.valid = false;
        for (i, action) in plan.events.actions.iter().enumerate() {
            let untouched = self.machine.get(action.trigger).is_nan();
            self.asserts.validity[i] = if untouched { Validity::Momentary } else { Validity::Lasting };
        }
        self.needs_outputs =
            !plan.past.delays.is_empty() || !plan.past.transports.is_empty() || self.asserts.validity.contains(&Validity::Lasting);
        for (action, trigger) in plan.events.actions.iter().zip(kept) {
            self.machine.put(action.trigger, trigger);
        }
        Ok(())
    }

    /// Whether the initial equations that were left out hold.
    pub(crate) fn check_redundant(&mut self) -> Result<(), EvalFailure> {
        let compiled = self.compiled.clone();
        let plan = &*compiled.plan;
        let Some(kernel) = plan.start.initial_check else { return Ok(()) };
        let mut sides = vec![f64::NAN; 2 * plan.start.initial_checks.len()];
        let machine = &mut self.machine;
        if compiled.kernels.call(kernel, &mut machine.memory, &mut sides, &mut machine.environment).is_err() {
            let why = machine.environment.failure.take();
            return Err(EvalFailure::new(why.unwrap_or_else(|| "a function of the model failed".to_owned())));
        }
        for (pair, check) in sides.chunks_exact(2).zip(&plan.start.initial_checks) {
            let (left, right) = (pair[0], pair[1]);
            // Not a number is a contradiction, too.
            let holds = (left - right).abs() <= CHECK_TOLERANCE * left.abs().max(right.abs()).max(1.0);
            if !holds {
                let mut failure = EvalFailure::new(format!(
                    "there are more initial equations than needed, and they contradict each other: {}",
                    check.label.text
                ));
                failure.span = Some(check.label.span);
                failure.others = check
                    .competing
                    .iter()
                    .map(|alternative| Label { text: format!("determines the same unknowns: {}", alternative.text), ..*alternative })
                    .collect();
                failure.notes.push(format!("the other equations give {left} = {right}"));
                return Err(failure);
            }
        }
        Ok(())
    }

    /// Solves the initial system in one way; the memory is as before if that fails.
    pub(crate) fn try_start(&mut self, way: &Schedule, is_hasty: bool, before: &[f64]) -> Result<(), EvalFailure> {
        let compiled = self.compiled.clone();
        self.machine.is_hasty = is_hasty;
        self.machine.other_solutions.clear();
        let mut done = self.machine.run(&compiled, way);
        // Before delayed values are known, nothing can be said.
        if done.is_ok() && compiled.plan.past.delays.is_empty() {
            done = self.machine.check_sites(&compiled, way);
        }
        self.machine.is_hasty = false;
        if done.is_err() {
            self.machine.memory.copy_from_slice(before);
        }
        done
    }

    /// Solves the initial system as accurately as it can be.
    pub(crate) fn solve_start(&mut self) -> Result<(), EvalFailure> {
        self.machine.is_starting = true;
        let done = self.solve_initial();
        self.machine.is_starting = false;
        done
    }

    /// Runs the initial schedule, by continuation if the model has a path.
    pub(crate) fn solve_initial(&mut self) -> Result<(), EvalFailure> {
        let compiled = self.compiled.clone();
        let before = self.machine.memory.clone();
        let spent = self.machine.statistics.tangent_evaluations;
        let direct = match self.solve_directly(&before) {
            Ok(()) => {
                let now = self.machine.statistics.tangent_evaluations;
                self.machine.most_tangents = now + (PATH_EFFORT * (now - spent)).max(PATH_TANGENTS);
                if let Some(slot) = compiled.plan.start.homotopy.filter(|_| may_have_several_solutions(&compiled.plan)) {
                    self.prefer_path(slot, &before);
                }
                self.machine.most_tangents = u64::MAX;
                return Ok(());
            }
            Err(failure) => failure,
        };
        let direct = match self.by_homotopy(direct, &before) {
            Ok(()) => return Ok(()),
            Err(failure) => failure,
        };
        for way in &compiled.plan.start.initial_alternatives {
            if self.try_start(&way.schedule, false, &before).is_ok() {
                let (taken, left) = (name_some(&way.taken), name_some(&way.left));
                self.told.warnings.push(format!(
                    "nothing starts at the start values of {left}, which are not fixed; it starts at those of {taken} instead: {}",
                    direct.reason
                ));
                return Ok(());
            }
        }
        Err(direct)
    }

    /// Follows the solution of the simplified model to the actual one, if the model has one. What `direct` says if not.
    pub(crate) fn by_homotopy(&mut self, direct: EvalFailure, before: &[f64]) -> Result<(), EvalFailure> {
        let Some(slot) = self.compiled.plan.start.homotopy else { return Err(direct) };
        match self.continuation(slot) {
            Ok(steps) => {
                self.told.warnings.push(format!("the initial values were found by homotopy in {steps} steps: {}", direct.reason));
                Ok(())
            }
            Err((reached, failure)) => {
                self.machine.memory.copy_from_slice(before);
                let mut direct = direct;
                direct.notes.push(match reached {
                    Some(lambda) => format!("homotopy came from the simplified model to {lambda} of 1: {}", failure.reason),
                    None => format!("the simplified model of `homotopy` has no solution either: {}", failure.reason),
                });
                Err(direct)
            }
        }
    }

    /// Tries the ways to solve the initial system without its simplified form.
    pub(crate) fn solve_directly(&mut self, before: &[f64]) -> Result<(), EvalFailure> {
        let compiled = self.compiled.clone();
        let (initial, by_states) = (&compiled.plan.start.initial, compiled.plan.start.initial_by_states.as_ref());
        // What is quickly tried goes first.
        if let Some(by_states) = by_states
            && [initial, by_states].into_iter().any(|way| self.try_start(way, true, before).is_ok())
        {
            return Ok(());
        }
        let direct = match self.try_start(initial, false, before) {
            Ok(()) => return Ok(()),
            Err(failure) => failure,
        };
        if by_states.is_some_and(|by_states| self.try_start(by_states, false, before).is_ok()) {
            return Ok(());
        }
        Err(direct)
    }

    /// Replaces the solution in the memory by the one at the end of the path from the simplified model, if they differ.
    pub(crate) fn prefer_path(&mut self, slot: Slot, before: &[f64]) {
        let found = std::mem::replace(&mut self.machine.memory, before.to_vec());
        self.machine.is_hasty = true;
        let is_other = match self.simplify(slot) {
            Ok(()) => !self.leads_to(slot, &found) && self.follow_path(slot).is_ok() && !self.is_at_solution(&found),
            Err(_) => false,
        };
        self.machine.is_hasty = false;
        if !is_other {
            self.machine.memory.copy_from_slice(&found);
        }
    }

    /// Whether the memory holds this solution.
    pub(crate) fn is_at_solution(&self, found: &[f64]) -> bool {
        self.compiled.plan.memory.slot_names.iter().all(|(slot, _)| {
            let (one, other) = (self.machine.get(*slot), found[slot.index()]);
            // Two values that are not numbers are no difference either.
            let is_other = (one - other).abs() > SAME_SOLUTION * one.abs().max(other.abs()).max(1.0);
            !is_other
        })
    }

    /// Whether one step from the solution of the simplified model, which is in the memory, leads to this solution of the actual one: then
    /// the path does so too, as far as two starting points can tell, and need not be followed. The memory is as before if not.
    pub(crate) fn leads_to(&mut self, slot: Slot, found: &[f64]) -> bool {
        let compiled = self.compiled.clone();
        let simplified = self.machine.memory.clone();
        let leads_there = self.run_path(&compiled, slot, 1.0).is_ok() && self.is_at_solution(found);
        if !leads_there {
            self.machine.memory.copy_from_slice(&simplified);
        }
        leads_there
    }

    /// Follows the solution from the simplified to the actual model. The number of steps, or how far it came.
    pub(crate) fn continuation(&mut self, slot: Slot) -> Result<usize, (Option<f64>, EvalFailure)> {
        self.simplify(slot).map_err(|failure| (None, failure))?;
        self.follow_path(slot).map_err(|(reached, failure)| (Some(reached), failure))
    }

    /// Solves the simplified model.
    pub(crate) fn simplify(&mut self, slot: Slot) -> Result<(), EvalFailure> {
        let compiled = self.compiled.clone();
        self.run_path(&compiled, slot, 0.0)
    }

    /// Solves the initial system at a place of the path, no more accurately than its blocks need.
    pub(crate) fn run_path(&mut self, compiled: &Compiled, slot: Slot, lambda: f64) -> Result<(), EvalFailure> {
        let initial = compiled.plan.start.initial_homotopy.as_ref().unwrap_or(&compiled.plan.start.initial);
        self.machine.put(slot, lambda);
        let is_starting = std::mem::replace(&mut self.machine.is_starting, false);
        let done = self.machine.run(compiled, initial);
        self.machine.is_starting = is_starting;
        done
    }

    /// Follows the solution of the simplified model, which is in the memory, to the actual one. The number of steps, or how far it came.
    pub(crate) fn follow_path(&mut self, slot: Slot) -> Result<usize, (f64, EvalFailure)> {
        let compiled = self.compiled.clone();
        let mut solved = self.machine.memory.clone();
        let (mut lambda, mut step) = (0.0, FIRST_STEP);
        let mut steps = 1;
        // Ends because each round either goes on by at least the shortest step or halves the step.
        while lambda < 1.0 {
            let next: f64 = if lambda + step > 1.0 - 1e-12 { 1.0 } else { lambda + step };
            match self.run_path(&compiled, slot, next) {
                Ok(()) => {
                    lambda = next;
                    steps += 1;
                    step *= 2.0;
                    solved.copy_from_slice(&self.machine.memory);
                }
                Err(failure) => {
                    self.machine.memory.copy_from_slice(&solved);
                    step *= 0.5;
                    if step < SHORTEST_STEP {
                        return Err((lambda, failure));
                    }
                }
            }
        }
        // The start is solved as accurately as it can be.
        let initial = compiled.plan.start.initial_homotopy.as_ref().unwrap_or(&compiled.plan.start.initial);
        if self.machine.run(&compiled, initial).is_err() {
            self.machine.memory.copy_from_slice(&solved);
        }
        Ok(steps)
    }
}
