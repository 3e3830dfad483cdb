//! One run of a compiled model: an immutable plan with its code, and the values of the run.
//!
//! [`Instance`] implements [`crate::model::interface::Model`]: integrators see an ordinary differential equation with events, while
//! blocks of equations are solved, events iterated and initial values found behind it.
//!
//! Errors of this module: R101 no initial values, R102 an event cannot be handled, R103 an event does not settle, R104 a failed
//! assertion, R105 a useless `sample`, R106 a malformed plan (a bug), R107 an accepted point that cannot be evaluated,
//! R108 an external object that cannot be made, R109 (a warning) start values that lead elsewhere than Newton's method.

mod assertions;
mod delay;
mod digits;
mod event;
mod initial;
mod inputs;
mod jacobian;
mod machine;
mod matrix;
mod mixed;
mod newton;
mod part;
pub mod profile;
mod rivals;
mod selection;
mod settings;
mod sides;
mod sites;
mod tables;
#[cfg(test)]
mod tests;
mod transport;

pub use inputs::InputError;
pub use settings::{SetError, near_names};

use crate::abi::Kernels;
use crate::base::error::{EvalFailure, RunError};
use crate::base::number::{rounded, shown};
use crate::base::simd::all_finite;
use crate::model::interface::{EventCause, EventOutcome, Model, PartId};
use crate::model::plan::{Declared, Pattern, Plan, Schedule, Slot};
use crate::native::access::FileAccess;
use cranelift_entity::EntityRef;
use delay::History;
use event::Validity;
use initial::MAX_DELAY_ROUNDS;
use machine::Machine;
use selection::Variants;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;
use tables::{Compiled, Tables, make_objects};
use transport::Profile;

/// How much work a run was.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Statistics {
    /// Evaluations of the `derivatives` schedule.
    pub derivative_evaluations: u64,
    /// Evaluations of the derivatives of some of the states.
    pub part_evaluations: u64,
    /// Jacobians of the derivatives.
    pub jacobians: u64,
    /// Blocks solved.
    pub block_solves: u64,
    /// Newton steps in blocks; a linear block takes one.
    pub newton_iterations: u64,
    /// Runs of residual kernels.
    pub residual_evaluations: u64,
    /// Runs of tangent kernels.
    pub tangent_evaluations: u64,
    /// Jacobians of blocks that were computed and factorised.
    pub block_factorisations: u64,
    /// Events handled.
    pub events: u64,
    /// Runs of the event schedule.
    pub event_passes: u64,
    /// How often other states were chosen.
    pub state_choices: u64,
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "model evaluations     {:>10}", self.derivative_evaluations)?;
        if self.part_evaluations > 0 {
            writeln!(f, "evaluations of a part {:>10}", self.part_evaluations)?;
        }
        writeln!(f, "blocks solved         {:>10}  ({} iterations)", self.block_solves, self.newton_iterations)?;
        writeln!(f, "block residuals       {:>10}", self.residual_evaluations)?;
        writeln!(f, "tangents              {:>10}", self.tangent_evaluations)?;
        writeln!(f, "block factorisations  {:>10}", self.block_factorisations)?;
        write!(f, "event passes          {:>10}  ({} events)", self.event_passes, self.events)?;
        if self.state_choices > 0 {
            write!(f, "\nstates chosen again   {:>10}", self.state_choices)?;
        }
        Ok(())
    }
}

/// Where the memory was last evaluated.
struct Point {
    t: f64,
    /// The results of `derivatives` are in the memory.
    valid: bool,
    /// Those of `before_crossings` as well.
    crossings: bool,
    /// Those of `outputs` as well.
    outputs: bool,
}

/// The values of one run of a compiled model.
pub struct Instance {
    /// The plan with the present choice of states.
    compiled: Arc<Compiled>,
    variants: Variants,
    machine: Machine,
    /// What the user set.
    overrides: Vec<(Slot, f64)>,
    /// What the user gave for inputs.
    curves: Vec<inputs::Curve>,
    /// Room for the tangents of the whole model; zero between calls.
    tangents: Vec<f64>,
    /// Room for the derivatives of all states where nobody asked for them.
    rates: Vec<f64>,
    point: Point,
    /// The last time at which an evaluation was tried.
    latest: f64,
    last_event: f64,
    /// The end of the run.
    stop_time: f64,
    /// Thresholds of time relations after the last event.
    thresholds: Vec<f64>,
    /// The number of each sampler's next sample.
    next_sample: Vec<u64>,
    histories: Vec<History>,
    /// The delay times that the delayed values in the memory were taken with.
    lags: Vec<f64>,
    /// What lies on lines along which something moves.
    profiles: Vec<Profile>,
    /// Reinitialisations that were active in the last pass of this event.
    reinit_done: Vec<bool>,
    /// Round-off of the crossing functions, and room for their values.
    round_off: Vec<f64>,
    crossing_values: Vec<f64>,
    /// Relations and discrete values before an event.
    before: Vec<f64>,
    /// Values of the relations behind crossings in the last pass of an event, and how often they have changed in it.
    switched: Vec<(f64, u32)>,
    /// Crossings that rounding decided about in the last event.
    undecided: Vec<usize>,
    rivals: rivals::Rivals,
    validity: Vec<Validity>,
    /// Accepted points are evaluated in full, for asserts or delays.
    needs_outputs: bool,
    warned: Vec<bool>,
    /// Assertions that were found violated for the first time where the last point was accepted, and where warnings of them stand.
    violated: Vec<usize>,
    violated_warnings: Vec<(usize, usize)>,
    /// A step is being accepted; no event is handled.
    is_accepting: bool,
    /// At the last point that stands something was decided by what is not a number.
    is_doubtful: bool,
    warned_outputs: Vec<bool>,
    warnings: Vec<String>,
    /// How many of the unknowns that were not determined have been told.
    told_undetermined: usize,
    messages: Vec<String>,
    /// Shows what the model prints at the moment it does.
    printer: Option<fn(&str)>,
}

impl Instance {
    /// A run of a compiled model. Fails if the plan is malformed or an external object cannot be made.
    pub fn new(plan: Arc<Plan>, kernels: Arc<dyn Kernels>) -> Result<Instance, RunError> {
        let tables = Tables::new(&plan, &*kernels)?;
        let files = FileAccess::new(&plan.files);
        let objects = make_objects(&plan, &files)?;
        Ok(Instance::of(Arc::new(Compiled { plan, kernels, tables, objects, files })))
    }

    fn of(compiled: Arc<Compiled>) -> Instance {
        let plan = &*compiled.plan;
        Instance {
            machine: Machine::new(plan, compiled.objects.clone(), compiled.files.clone()),
            overrides: Vec::new(),
            curves: Vec::new(),
            tangents: vec![0.0; plan.n_slots],
            rates: vec![0.0; plan.states.len()],
            point: Point { t: f64::NAN, valid: false, outputs: false, crossings: false },
            latest: f64::NAN,
            last_event: f64::NAN,
            stop_time: f64::INFINITY,
            thresholds: vec![f64::NAN; compiled.tables.time_relations.len()],
            next_sample: vec![0; plan.samplers.len()],
            histories: vec![History::default(); plan.delays.len()],
            lags: vec![f64::NAN; plan.delays.len()],
            profiles: vec![Profile::default(); plan.transports.len()],
            reinit_done: vec![false; plan.reinits.len()],
            round_off: Vec::new(),
            crossing_values: Vec::new(),
            before: Vec::new(),
            switched: Vec::new(),
            undecided: Vec::new(),
            rivals: rivals::Rivals::default(),
            validity: vec![Validity::Momentary; plan.actions.len()],
            needs_outputs: !plan.actions.is_empty() || !plan.delays.is_empty() || !plan.transports.is_empty(),
            warned: vec![false; plan.actions.len()],
            violated: Vec::new(),
            violated_warnings: Vec::new(),
            is_accepting: false,
            is_doubtful: false,
            warned_outputs: vec![false; compiled.tables.varying.len()],
            warnings: Vec::new(),
            told_undetermined: 0,
            messages: Vec::new(),
            printer: None,
            variants: Variants::new(&compiled),
            compiled,
        }
    }

    /// Another run of the same model with the same settings; shares plan and code.
    #[must_use]
    pub fn fork(&self) -> Instance {
        let mut other = Instance::of(self.variants.first().clone());
        other.overrides = self.overrides.clone();
        other.curves = self.curves.clone();
        other
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.compiled.plan
    }

    /// Sets a parameter or start value for the next `initialize`.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), SetError> {
        let slot = settings::find(&self.compiled.plan, name, value)?;
        self.put_override(slot, value);
        Ok(())
    }

    /// Like `set`, with the value as it is written; an array takes all its elements in braces.
    pub fn set_text(&mut self, name: &str, text: &str) -> Result<(), SetError> {
        for (slot, value) in settings::read(&self.compiled.plan, name, text)? {
            self.put_override(slot, value);
        }
        Ok(())
    }

    fn put_override(&mut self, slot: Slot, value: f64) {
        self.overrides.retain(|(other, _)| *other != slot);
        self.overrides.push((slot, value));
    }

    /// Values of the signals that do not vary: positions in `Plan::signals` and values. Known after `initialize`.
    pub fn parameter_values(&self) -> Vec<(usize, f64)> {
        let signals = self.compiled.plan.signals.iter().enumerate().filter(|(_, signal)| !signal.varies);
        signals.map(|(i, signal)| (i, signal.source.factor * self.machine.get(signal.source.slot) + signal.source.offset)).collect()
    }

    /// The value of a signal at the last evaluation.
    pub fn value(&self, name: &str) -> Option<f64> {
        let signal = self.compiled.plan.signals.iter().find(|signal| signal.name == name)?;
        Some(signal.source.factor * self.machine.get(signal.source.slot) + signal.source.offset)
    }

    /// How much work the run was so far.
    pub fn statistics(&self) -> Statistics {
        self.machine.statistics
    }

    /// Tells which unknowns were not determined, once each.
    fn report_undetermined(&mut self, t: f64) {
        for i in self.told_undetermined..self.machine.undetermined.len() {
            let slot = self.machine.undetermined[i];
            let name = self.compiled.tables.label(&self.compiled.plan, slot);
            let equations = self.equations_of(slot);
            self.warnings.push(format!("at time {}: the equations{equations} do not determine {name} here; its value is kept", rounded(t)));
        }
        self.told_undetermined = self.machine.undetermined.len();
    }

    /// The equations of the block that solves for an unknown, a few of them.
    fn equations_of(&self, slot: Slot) -> String {
        let Some(block) = self.compiled.plan.blocks.values().find(|block| block.unknowns.contains(&slot)) else { return String::new() };
        let texts: Vec<&str> = block.equations.iter().take(3).map(|label| label.text.as_str()).filter(|text| !text.is_empty()).collect();
        let more = if block.equations.len() > 3 { " and others" } else { "" };
        if texts.is_empty() { String::new() } else { format!(" {}{more}", texts.join(", ")) }
    }

    /// Warnings of the run so far.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Shows each text that the model prints at the moment it does.
    pub fn show_messages(&mut self, show: fn(&str)) {
        self.printer = Some(show);
    }

    /// What the model printed so far.
    pub fn messages(&self) -> &[String] {
        &self.messages
    }

    /// Everything in the memory belongs to this point.
    fn is_at(&self, t: f64, x: &[f64]) -> bool {
        self.point.valid && self.point.t == t && self.compiled.tables.state_slots.holds(&self.machine.memory, x)
    }

    /// Puts time, states, inputs and delayed values of a point into the memory.
    fn move_to(&mut self, t: f64, x: &[f64]) -> Result<(), EvalFailure> {
        self.leave_point(t);
        self.compiled.tables.state_slots.put(x, &mut self.machine.memory);
        self.refresh(t)
    }

    /// Puts inputs and delayed values at a time into the memory. Most models have none, which is found out at once.
    #[inline]
    fn refresh(&mut self, t: f64) -> Result<(), EvalFailure> {
        if self.is_closed() { Ok(()) } else { self.refresh_all(t) }
    }

    /// Nothing comes in from outside or from the past.
    #[inline(always)]
    fn is_closed(&self) -> bool {
        self.curves.is_empty() && self.histories.is_empty() && self.profiles.is_empty()
    }

    #[inline(never)]
    fn refresh_all(&mut self, t: f64) -> Result<(), EvalFailure> {
        self.refresh_inputs(t);
        self.refresh_delays(t)
    }

    /// Leaves the point that the memory belongs to for one at another time. Comes before the new states: guesses that are restored may lie
    /// in their slots, where states are chosen while the model runs.
    fn leave_point(&mut self, t: f64) {
        self.point.valid = false;
        if t < self.latest {
            self.machine.restore_guesses(&self.compiled);
        }
        self.latest = t;
        self.machine.memory[0] = t;
    }

    /// Makes the results of `derivatives` at a point be in the memory.
    fn evaluate(&mut self, t: f64, x: &[f64]) -> Result<(), EvalFailure> {
        if self.is_at(t, x) {
            return Ok(());
        }
        let mut rates = std::mem::take(&mut self.rates);
        let done = self.evaluate_into(t, x, &mut rates);
        self.rates = rates;
        done
    }

    /// Computes the derivatives at a point, in the memory and in `rates`.
    fn evaluate_into(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), EvalFailure> {
        self.move_to(t, x)?;
        let plan = &*self.compiled.plan;
        self.machine.statistics.derivative_evaluations += 1;
        self.machine.run(&self.compiled, &plan.derivatives)?;
        self.settle_lags(t, |plan| [&plan.derivatives])?;
        if !self.compiled.tables.derivative_slots.take_finite(&self.machine.memory, rates) {
            return Err(self.explain_derivative(x));
        }
        self.point.t = t;
        self.point.valid = true;
        self.point.outputs = false;
        self.point.crossings = false;
        Ok(())
    }

    /// Why a derivative is not finite.
    #[cold]
    fn explain_derivative(&mut self, x: &[f64]) -> EvalFailure {
        let plan = &*self.compiled.plan;
        if let Some((state, value)) = plan.states.iter().zip(x).find(|(_, value)| !value.is_finite()) {
            return EvalFailure::new(format!("the model is evaluated at {} = {}", state.name, shown(*value)));
        }
        let bad = plan.states.iter().find(|state| !self.machine.get(state.der).is_finite());
        let slot = bad.map_or(Slot::from_u32(0), |state| state.der);
        let name = bad.map_or(String::new(), |state| format!("der({})", state.name));
        self.machine.explain_non_finite(&self.compiled, &[&plan.derivatives], slot, &name)
    }

    /// Tells which results are infinite, once each.
    #[cold]
    fn warn_of_outputs(&mut self, t: f64, row: &[f64]) {
        for ((value, &position), warned) in row.iter().zip(&self.compiled.tables.varying).zip(&mut self.warned_outputs) {
            if !value.is_finite() && !*warned {
                *warned = true;
                let what = if value.is_nan() { "not a number" } else { "infinite" };
                self.warnings.push(format!("at time {}: the result {} is {what}", rounded(t), self.compiled.plan.signals[position].name));
            }
        }
    }

    /// Chooses states at a point that stands; whether they changed.
    fn choose_states_at(&mut self, t: f64, x: &mut [f64]) -> Result<bool, RunError> {
        if self.compiled.plan.state_sets.is_empty() {
            return Ok(false);
        }
        let fail = |failure: EvalFailure| RunError::from_eval("R107", "the model cannot be evaluated", &failure).at_time(t);
        self.evaluate(t, x).map_err(fail)?;
        if !self.choose_states(x)? {
            return Ok(false);
        }
        // The guesses of the new unknowns are kept for steps that are given up.
        self.evaluate(t, x).map_err(fail)?;
        let compiled = self.compiled.clone();
        self.machine.keep_guesses(&compiled);
        Ok(true)
    }

    /// Makes the results of `derivatives` and `before_crossings` at a point be in the memory.
    fn evaluate_crossings(&mut self, t: f64, x: &[f64]) -> Result<(), EvalFailure> {
        self.evaluate(t, x)?;
        if !self.point.crossings {
            self.machine.run(&self.compiled, &self.compiled.plan.before_crossings)?;
            self.settle_lags(t, |plan| [&plan.derivatives, &plan.before_crossings])?;
            self.point.crossings = true;
        }
        Ok(())
    }

    /// Makes all results at a point be in the memory.
    fn evaluate_outputs(&mut self, t: f64, x: &[f64]) -> Result<(), EvalFailure> {
        self.evaluate_crossings(t, x)?;
        if !self.point.outputs {
            self.machine.run(&self.compiled, &self.compiled.plan.outputs)?;
            self.settle_lags(t, |plan| [&plan.derivatives, &plan.before_crossings, &plan.outputs])?;
            self.point.outputs = true;
        }
        Ok(())
    }

    /// Whether delay times are no longer those that the delayed values were taken with: they are computed from what lies
    /// in the memory, and so only after the delayed values were put there.
    fn lags_moved(&self) -> bool {
        let lags = self.compiled.plan.delays.iter().zip(&self.lags);
        lags.into_iter().any(|(delay, used)| {
            let now = self.machine.get(delay.delay);
            now != *used && (now - used).abs() > 1e-12 * now.abs()
        })
    }

    /// Takes the delayed values anew until their delay times are those of this point, at which these schedules of the plan have been run.
    #[inline]
    fn settle_lags<const N: usize>(&mut self, t: f64, of_plan: impl Fn(&Plan) -> [&Schedule; N]) -> Result<(), EvalFailure> {
        if self.lags.is_empty() { Ok(()) } else { self.settle_moved_lags(t, of_plan) }
    }

    #[inline(never)]
    fn settle_moved_lags<const N: usize>(&mut self, t: f64, of_plan: impl Fn(&Plan) -> [&Schedule; N]) -> Result<(), EvalFailure> {
        for _ in 0..MAX_DELAY_ROUNDS {
            if !self.lags_moved() {
                return Ok(());
            }
            self.refresh_delays(t)?;
            for schedule in of_plan(&self.compiled.plan) {
                self.machine.run(&self.compiled, schedule)?;
            }
        }
        Err(EvalFailure::new("a delay time depends on its delayed value and does not settle".to_owned()))
    }
}

impl Model for Instance {
    fn n_states(&self) -> usize {
        self.compiled.plan.states.len()
    }

    fn state_name(&self, state: usize) -> &str {
        &self.compiled.plan.states[state].name
    }

    fn declared(&self, state: usize) -> Declared {
        self.compiled.plan.states[state].declared
    }

    fn initialize(&mut self, t0: f64, x: &mut [f64]) -> Result<EventOutcome, RunError> {
        let outcome = self.initialize_at(t0, x)?;
        self.machine.note_event();
        Ok(outcome)
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), EvalFailure> {
        if self.is_at(t, x) {
            self.compiled.tables.derivative_slots.take(&self.machine.memory, dx);
            return Ok(());
        }
        self.evaluate_into(t, x, dx)
    }

    fn jacobian_pattern(&self) -> &Pattern {
        &self.compiled.plan.jacobian
    }

    fn jacobian(&mut self, t: f64, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        self.evaluate(t, x)?;
        self.machine.statistics.jacobians += 1;
        let began = self.machine.profile.is_some().then(Instant::now);
        let done = self.machine.jacobian(&self.compiled, &mut self.tangents, values);
        if let (Some(profile), Some(began)) = (&mut self.machine.profile, began) {
            profile.count_jacobian(began);
        }
        done
    }

    fn part(&self, states: &[usize]) -> Option<PartId> {
        self.compiled.plan.parts.iter().position(|part| part.states == states).map(PartId)
    }

    fn part_derivatives(&mut self, part: PartId, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), EvalFailure> {
        let finite = match self.evaluate_sole(part, t, x, dx)? {
            Some(finite) => finite,
            None => {
                self.evaluate_part(part, t, x)?;
                self.compiled.tables.parts[part.0].slots.take_finite(&self.machine.memory, dx)
            }
        };
        if finite {
            return Ok(());
        }
        // The explanation looks at everything.
        self.compiled.tables.state_slots.put(x, &mut self.machine.memory);
        Err(self.explain_derivative(x))
    }

    fn part_jacobian_pattern(&self, part: PartId) -> Option<&Pattern> {
        self.compiled.plan.parts[part.0].jacobian.as_ref()
    }

    fn part_jacobian(&mut self, part: PartId, t: f64, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        self.evaluate_part(part, t, x)?;
        self.machine.statistics.jacobians += 1;
        self.machine.part_jacobian(&self.compiled, part, &mut self.tangents, values)
    }

    fn sample_relations(&mut self, t: f64, x: &[f64]) -> Result<(), EvalFailure> {
        self.sample_live_relations(t, x)
    }

    fn n_crossings(&self) -> usize {
        self.compiled.tables.state_relations.len()
    }

    fn crossings(&mut self, t: f64, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.evaluate_crossings(t, x)?;
        let Some(kernel) = self.compiled.plan.crossings else { return Ok(()) };
        self.machine.run_kernel_into(&self.compiled, kernel, out)?;
        if let Some(bad) = out.iter().position(|value| value.is_nan()) {
            let mut failure = EvalFailure::new(format!("the relation {} compares a value that is not a number", self.crossing_label(bad)));
            failure.span = self.crossing_place(bad);
            return Err(failure);
        }
        self.machine.check_kernel_sites(&self.compiled, &self.compiled.plan.crossing_sites, kernel)?;
        // A relation that was accepted against its sign within rounding errors stands until it leaves that band.
        for (value, &relation) in out.iter_mut().zip(&self.compiled.tables.state_relations) {
            let band = self.machine.bands[relation];
            if band > 0.0 && value.abs() <= band {
                let is_true = self.machine.truth(self.compiled.plan.relations[relation].slot);
                *value = if is_true { f64::MIN_POSITIVE } else { -f64::MIN_POSITIVE };
            }
        }
        Ok(())
    }

    fn crossing_sizes(&mut self, out: &mut [f64]) -> Result<(), EvalFailure> {
        match self.compiled.plan.crossing_sizes {
            Some(kernel) => self.machine.run_kernel_into(&self.compiled, kernel, out),
            None => Ok(()),
        }
    }

    fn crossing_label(&self, crossing: usize) -> String {
        let relation = self.compiled.tables.state_relations[crossing];
        self.compiled.plan.relations[relation].label.text.clone()
    }

    fn crossing_place(&self, crossing: usize) -> Option<(u32, u32)> {
        let relation = self.compiled.tables.state_relations[crossing];
        Some(self.compiled.plan.relations[relation].label.span)
    }

    fn relation(&self, crossing: usize) -> Option<bool> {
        let relation = self.compiled.tables.state_relations[crossing];
        Some(self.machine.truth(self.compiled.plan.relations[relation].slot))
    }

    fn set_round_off(&mut self, of_crossings: &[f64]) {
        self.round_off.clear();
        self.round_off.extend_from_slice(of_crossings);
    }

    fn next_time_event(&mut self, t: f64) -> Option<f64> {
        let plan = &*self.compiled.plan;
        let samples = plan.samplers.iter().zip(&self.next_sample).map(|(sampler, next)| self.sample_after(sampler, *next, t));
        let thresholds = self.thresholds.iter().copied();
        let jumps = plan.delays.iter().zip(&self.histories);
        let jumps = jumps.filter_map(|(delay, history)| history.next_jump(t, self.machine.get(delay.delay)));
        let inputs = self.curves.iter().filter_map(|curve| curve.next_jump(t));
        samples.chain(thresholds).chain(jumps).chain(inputs).filter(|&time| time > t && time.is_finite()).min_by(f64::total_cmp)
    }

    fn next_kink(&mut self, t: f64) -> Option<f64> {
        self.curves.iter().filter_map(|curve| curve.next_kink(t)).min_by(f64::total_cmp)
    }

    fn event(&mut self, t: f64, x: &mut [f64], cause: &EventCause) -> Result<EventOutcome, RunError> {
        self.machine.statistics.events += 1;
        let takes_left_limits = self.compiled.plan.pre.iter().any(|pre| pre.continuous);
        if takes_left_limits || !self.histories.is_empty() || !self.profiles.is_empty() {
            // Values before a jump.
            let done = self.evaluate_outputs(t, x);
            done.map_err(|failure| RunError::from_eval("R102", "the event cannot be handled", &failure).at_time(t))?;
            self.record_delays(t);
            for pre in self.compiled.plan.pre.iter().filter(|pre| pre.continuous) {
                let current = self.machine.get(pre.current);
                self.machine.put(pre.pre, current);
            }
        }
        self.find_resting(t, x, cause);
        self.try_rivals(t, cause);
        self.last_event = t;
        self.latest = t;
        for (state, value) in self.compiled.plan.states.iter().zip(x.iter()) {
            self.machine.put(state.slot, *value);
        }
        let done = self.refresh_delays(t);
        done.map_err(|failure| RunError::from_eval("R102", "the event cannot be handled", &failure).at_time(t))?;
        let sampled = self.fire_samplers(t);
        let jumped = self.curves.iter().any(|curve| curve.next_jump(t.next_down()) == Some(t));
        let iterated = self.iterate_event(t, x, sampled, t < self.stop_time);
        self.wake();
        let mut outcome = iterated?;
        self.find_undecided(t, x);
        self.judge_rivals();
        outcome.changed |= jumped;
        outcome.changed |= self.choose_states_at(t, x)?;
        Ok(outcome)
    }

    fn undecided(&self) -> &[usize] {
        &self.undecided
    }

    fn accept(&mut self, t: f64, x: &mut [f64]) -> Result<EventOutcome, RunError> {
        let mut outcome = EventOutcome::default();
        self.violated.clear();
        self.violated_warnings.clear();
        self.is_accepting = true;
        let settled = self.settle_point(t, x, &mut outcome);
        self.is_accepting = false;
        settled?;
        self.variants.can_translate = self.choose_states_at(t, x)? && !outcome.changed;
        outcome.changed |= self.variants.can_translate;
        Ok(outcome)
    }

    fn violated(&self) -> &[usize] {
        &self.violated
    }

    fn is_violated(&mut self, assertion: usize, t: f64, x: &[f64]) -> bool {
        self.violates(assertion, t, x)
    }

    fn report_violation(&mut self, assertion: usize, t: f64, x: &[f64]) -> Option<RunError> {
        self.report_at(assertion, t, x)
    }

    fn other_states(&mut self, t: f64, before: &[f64], now: &mut [f64]) -> Result<bool, EvalFailure> {
        self.translate_states(t, before, now)
    }

    fn n_outputs(&self) -> usize {
        self.compiled.tables.varying.len()
    }

    fn outputs(&mut self, t: f64, x: &[f64], row: &mut [f64]) -> Result<(), EvalFailure> {
        self.evaluate_outputs(t, x)?;
        self.report_undetermined(t);
        for (value, source) in row.iter_mut().zip(&self.compiled.tables.sources) {
            *value = source.factor * self.machine.memory[source.slot.index()] + source.offset;
        }
        self.check_point()?;
        if !all_finite(row) {
            self.check_row(row)?;
            self.warn_of_outputs(t, row);
        }
        Ok(())
    }

    fn set_stop_time(&mut self, t: f64) {
        self.stop_time = t;
    }

    fn has_event_at_start(&self) -> bool {
        self.thresholds.contains(&self.last_event)
    }

    fn is_instant(&self, crossing: usize) -> bool {
        let relation = self.compiled.tables.state_relations[crossing];
        self.compiled.plan.relations[relation].partner.is_some()
    }

    fn terminal(&mut self, t: f64, x: &mut [f64]) -> Result<EventOutcome, RunError> {
        let Some(flag) = self.compiled.plan.terminal_flag else { return Ok(EventOutcome::default()) };
        self.machine.statistics.events += 1;
        for (state, value) in self.compiled.plan.states.iter().zip(x.iter()) {
            self.machine.put(state.slot, *value);
        }
        self.machine.put(flag, 1.0);
        let result = self.iterate_event(t, x, false, false);
        self.machine.put(flag, 0.0);
        result
    }
}
