//! One run of a compiled model: the values that change while it runs, and their evaluation at a point.

use super::machine::Machine;
use super::profile::Profile;
use super::settings::{self, SetError};
use super::statistics::Statistics;
use super::subset::Subsets;
use super::tables::{Compiled, Tables, make_objects};
use super::variants::Variants;
use super::workspace::curve::Curve;
use super::workspace::delay::History;
use super::workspace::transport::SpatialProfile;
use super::workspace::trials::SimultaneousEvents;
use crate::abi::Kernels;
use crate::base::error::{EvalFailure, RunError};
use crate::base::number::{rounded, shown};
use crate::model::plan::{Plan, Schedule, Slot};
use crate::native::access::FileAccess;
use std::sync::Arc;

/// Repetitions until delayed values equal their sources.
pub(crate) const MAX_DELAY_ITERATIONS: usize = 50;

/// When the trigger of an action is computed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Validity {
    /// Only at events: inside a `when`.
    Momentary,
    /// At every point.
    Lasting,
}

/// Where the memory was last evaluated.
pub(crate) struct Point {
    pub(crate) t: f64,
    /// The results of `derivatives` are in the memory.
    pub(crate) valid: bool,
    /// Those of `before_crossings` as well.
    pub(crate) crossings: bool,
    /// Those of `outputs` as well.
    pub(crate) outputs: bool,
}

/// What events are found and handled by.
pub struct Switching {
    pub(crate) last_event: f64,
    /// Thresholds of time relations after the last event.
    pub(crate) thresholds: Vec<f64>,
    /// The number of each sampler's next sample.
    pub(crate) next_sample: Vec<u64>,
    /// Round-off of the crossing functions, and workspace for their values.
    pub(crate) round_off: Vec<f64>,
    pub(crate) crossing_values: Vec<f64>,
    /// Relations and discrete values before an event.
    pub(crate) before: Vec<f64>,
    /// Values of the relations behind crossings in the last pass of an event, and how often they have changed in it.
    pub(crate) switched: Vec<(f64, u32)>,
    /// Crossings that rounding decided about in the last event.
    pub(crate) order_sensitive: Vec<usize>,
    pub(crate) simultaneous: SimultaneousEvents,
}

/// What delays and transports remember.
pub struct Past {
    pub(crate) histories: Vec<History>,
    /// The delay times that the delayed values in the memory were taken with.
    pub(crate) lags: Vec<f64>,
    /// What lies on lines along which something moves.
    pub(crate) profiles: Vec<SpatialProfile>,
}

/// What became of assertions.
pub struct Asserts {
    pub(crate) validity: Vec<Validity>,
    pub(crate) warned: Vec<bool>,
    /// Assertions that were found violated for the first time where the last point was accepted, and where warnings of them stand.
    pub(crate) violated: Vec<usize>,
    pub(crate) violated_warnings: Vec<(usize, usize)>,
}

/// What the user is told, and what was told already.
pub struct Told {
    pub(crate) warned_outputs: Vec<bool>,
    pub(crate) warnings: Vec<String>,
    /// How many of the unknowns that were not determined have been told.
    pub(crate) told_undetermined: usize,
    pub(crate) messages: Vec<String>,
    /// Shows what the model prints at the moment it does.
    pub(crate) printer: Option<fn(&str)>,
}

/// The values of one run of a compiled model.
pub struct Instance {
    /// The plan with the present choice of states.
    pub(crate) compiled: Arc<Compiled>,
    pub(crate) variants: Variants,
    pub(crate) machine: Machine,
    /// What the user set.
    pub(crate) overrides: Vec<(Slot, f64)>,
    /// What the user gave for inputs.
    pub(crate) curves: Vec<Curve>,
    /// Workspace for the tangents of the whole model; zero between calls.
    pub(crate) tangents: Vec<f64>,
    /// Workspace for the derivatives of all states where nobody asked for them.
    pub(crate) rates: Vec<f64>,
    /// Subsets of the derivatives, and what choosing them needs.
    pub(crate) subsets: Subsets,
    pub(crate) point: Point,
    /// The last time at which an evaluation was tried.
    pub(crate) latest: f64,
    /// What events are found and handled by.
    pub switching: Switching,
    /// The end of the run.
    pub(crate) stop_time: f64,
    /// What delays and transports remember.
    pub past: Past,
    /// What became of assertions.
    pub asserts: Asserts,
    /// Accepted points are evaluated in full, for asserts or delays.
    pub(crate) needs_outputs: bool,
    /// A step is being accepted; no event is handled.
    pub(crate) is_accepting: bool,
    /// At the last point that stands something was decided by what is not a number.
    pub(crate) is_doubtful: bool,
    /// What the user is told, and what was told already.
    pub told: Told,
}

impl Instance {
    /// A run of a compiled model. Fails if the plan is malformed or an external object cannot be made.
    pub fn new(plan: Arc<Plan>, kernels: Arc<dyn Kernels>) -> Result<Instance, RunError> {
        let tables = Tables::new(&plan, &*kernels)?;
        let files = FileAccess::new(&plan.outside.files);
        let objects = make_objects(&plan, &files)?;
        Ok(Instance::of(Arc::new(Compiled { plan, kernels, tables, objects, files })))
    }

    pub(crate) fn of(compiled: Arc<Compiled>) -> Instance {
        let plan = &*compiled.plan;
        Instance {
            machine: Machine::new(plan, compiled.objects.clone(), compiled.files.clone()),
            overrides: Vec::new(),
            curves: Vec::new(),
            tangents: vec![0.0; plan.memory.n_slots],
            rates: vec![0.0; plan.states.len()],
            subsets: Subsets::default(),
            point: Point { t: f64::NAN, valid: false, outputs: false, crossings: false },
            latest: f64::NAN,
            stop_time: f64::INFINITY,
            needs_outputs: !plan.events.actions.is_empty() || !plan.past.delays.is_empty() || !plan.past.transports.is_empty(),
            is_accepting: false,
            is_doubtful: false,
            variants: Variants::new(&compiled),
            switching: Switching {
                last_event: f64::NAN,
                thresholds: vec![f64::NAN; compiled.tables.time_relations.len()],
                next_sample: vec![0; plan.events.samplers.len()],
                round_off: Vec::new(),
                crossing_values: Vec::new(),
                before: Vec::new(),
                switched: Vec::new(),
                order_sensitive: Vec::new(),
                simultaneous: SimultaneousEvents::default(),
            },
            past: Past {
                histories: vec![History::default(); plan.past.delays.len()],
                lags: vec![f64::NAN; plan.past.delays.len()],
                profiles: vec![SpatialProfile::default(); plan.past.transports.len()],
            },
            asserts: Asserts {
                validity: vec![Validity::Momentary; plan.events.actions.len()],
                warned: vec![false; plan.events.actions.len()],
                violated: Vec::new(),
                violated_warnings: Vec::new(),
            },
            told: Told {
                warned_outputs: vec![false; compiled.tables.varying.len()],
                warnings: Vec::new(),
                told_undetermined: 0,
                messages: Vec::new(),
                printer: None,
            },
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

    pub(crate) fn put_override(&mut self, slot: Slot, value: f64) {
        self.overrides.retain(|(other, _)| *other != slot);
        self.overrides.push((slot, value));
    }

    /// Slots and values that were set.
    pub fn given_values(&self) -> &[(Slot, f64)] {
        &self.overrides
    }

    /// Values of the signals that do not vary: positions in `Plan::signals` and values. Known after `initialize`.
    pub fn parameter_values(&self) -> Vec<(usize, f64)> {
        let signals = self.compiled.plan.interface.signals.iter().enumerate().filter(|(_, signal)| !signal.varies);
        signals.map(|(i, signal)| (i, signal.source.factor * self.machine.get(signal.source.slot) + signal.source.offset)).collect()
    }

    /// The value of a signal at the last evaluation.
    pub fn value(&self, name: &str) -> Option<f64> {
        let signal = self.compiled.plan.interface.signals.iter().find(|signal| signal.name == name)?;
        Some(signal.source.factor * self.machine.get(signal.source.slot) + signal.source.offset)
    }

    /// How much work the run was so far.
    pub fn statistics(&self) -> Statistics {
        self.machine.statistics
    }

    /// Tells which unknowns were not determined, once each.
    pub(crate) fn report_undetermined(&mut self, t: f64) {
        for i in self.told.told_undetermined..self.machine.undetermined.len() {
            let slot = self.machine.undetermined[i];
            let name = self.compiled.tables.label(&self.compiled.plan, slot);
            let equations = self.equations_of(slot);
            self.told
                .warnings
                .push(format!("at time {}: the equations{equations} do not determine {name} here; its value is kept", rounded(t)));
        }
        self.told.told_undetermined = self.machine.undetermined.len();
    }

    /// The equations of the block that solves for an unknown, a few of them.
    pub(crate) fn equations_of(&self, slot: Slot) -> String {
        let Some(block) = self.compiled.plan.blocks.values().find(|block| block.unknowns.contains(&slot)) else { return String::new() };
        let texts: Vec<&str> = block.equations.iter().take(3).map(|label| label.text.as_str()).filter(|text| !text.is_empty()).collect();
        let more = if block.equations.len() > 3 { " and others" } else { "" };
        if texts.is_empty() { String::new() } else { format!(" {}{more}", texts.join(", ")) }
    }

    /// Warnings of the run so far.
    pub fn warnings(&self) -> &[String] {
        &self.told.warnings
    }

    /// Shows each text that the model prints at the moment it does.
    pub fn show_messages(&mut self, show: fn(&str)) {
        self.told.printer = Some(show);
    }

    /// What the model printed so far.
    pub fn messages(&self) -> &[String] {
        &self.told.messages
    }

    /// Everything in the memory belongs to this point.
    pub(crate) fn is_at(&self, t: f64, x: &[f64]) -> bool {
        self.point.valid && self.point.t == t && self.compiled.tables.state_slots.holds(&self.machine.memory, x)
    }

    /// Puts time, states, inputs and delayed values of a point into the memory.
    pub(crate) fn move_to(&mut self, t: f64, x: &[f64]) -> Result<(), EvalFailure> {
        self.leave_point(t);
        self.compiled.tables.state_slots.put(x, &mut self.machine.memory);
        self.refresh(t)
    }

    /// Puts inputs and delayed values at a time into the memory. Most models have none, which is found out at once.
    #[inline]
    pub(crate) fn refresh(&mut self, t: f64) -> Result<(), EvalFailure> {
        if self.is_closed() { Ok(()) } else { self.refresh_all(t) }
    }

    /// Nothing comes in from outside or from the past.
    #[inline(always)]
    pub(crate) fn is_closed(&self) -> bool {
        self.curves.is_empty() && self.past.histories.is_empty() && self.past.profiles.is_empty()
    }

    #[inline(never)]
    pub(crate) fn refresh_all(&mut self, t: f64) -> Result<(), EvalFailure> {
        self.refresh_inputs(t);
        self.refresh_delays(t)
    }

    /// Leaves the point that the memory belongs to for one at another time. Comes before the new states: guesses that are restored may lie
    /// in their slots, where states are chosen while the model runs.
    pub(crate) fn leave_point(&mut self, t: f64) {
        // A solution that is nearer in time than the accepted one is the better guess: an output point a little before another one.
        let is_near = self.point.valid && self.latest - t < t - self.machine.guesses_at;
        self.point.valid = false;
        if t < self.latest && !is_near {
            self.machine.restore_guesses(&self.compiled);
        }
        self.latest = t;
        self.machine.memory[0] = t;
    }

    /// Makes the results of `derivatives` at a point be in the memory.
    pub(crate) fn evaluate(&mut self, t: f64, x: &[f64]) -> Result<(), EvalFailure> {
        if self.is_at(t, x) {
            return Ok(());
        }
        let mut rates = std::mem::take(&mut self.rates);
        let done = self.evaluate_into(t, x, &mut rates);
        self.rates = rates;
        done
    }

    /// Computes the derivatives at a point, in the memory and in `rates`.
    pub(crate) fn evaluate_into(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), EvalFailure> {
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
    pub(crate) fn explain_derivative(&mut self, x: &[f64]) -> EvalFailure {
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
    pub(crate) fn warn_of_outputs(&mut self, t: f64, row: &[f64]) {
        for ((value, &position), warned) in row.iter().zip(&self.compiled.tables.varying).zip(&mut self.told.warned_outputs) {
            if !value.is_finite() && !*warned {
                *warned = true;
                let what = if value.is_nan() { "not a number" } else { "infinite" };
                self.told.warnings.push(format!(
                    "at time {}: the result {} is {what}",
                    rounded(t),
                    self.compiled.plan.interface.signals[position].name
                ));
            }
        }
    }

    /// Chooses states at a point that stands; whether they changed.
    pub(crate) fn choose_states_at(&mut self, t: f64, x: &mut [f64]) -> Result<bool, RunError> {
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
    pub(crate) fn evaluate_crossings(&mut self, t: f64, x: &[f64]) -> Result<(), EvalFailure> {
        self.evaluate(t, x)?;
        if !self.point.crossings {
            self.machine.run(&self.compiled, &self.compiled.plan.crossing.before_crossings)?;
            self.settle_lags(t, |plan| [&plan.derivatives, &plan.crossing.before_crossings])?;
            self.point.crossings = true;
        }
        Ok(())
    }

    /// Makes all results at a point be in the memory.
    pub(crate) fn evaluate_outputs(&mut self, t: f64, x: &[f64]) -> Result<(), EvalFailure> {
        self.evaluate_crossings(t, x)?;
        if !self.point.outputs {
            self.machine.run(&self.compiled, &self.compiled.plan.outputs)?;
            self.settle_lags(t, |plan| [&plan.derivatives, &plan.crossing.before_crossings, &plan.outputs])?;
            self.point.outputs = true;
        }
        Ok(())
    }

    /// Whether delay times are no longer those that the delayed values were taken with: they are computed from what lies
    /// in the memory, and so only after the delayed values were put there.
    pub(crate) fn lags_moved(&self) -> bool {
        let lags = self.compiled.plan.past.delays.iter().zip(&self.past.lags);
        lags.into_iter().any(|(delay, used)| {
            let now = self.machine.get(delay.delay);
            now != *used && (now - used).abs() > 1e-12 * now.abs()
        })
    }

    /// Takes the delayed values anew until their delay times are those of this point, at which these schedules of the plan have been run.
    #[inline]
    pub(crate) fn settle_lags<const N: usize>(&mut self, t: f64, of_plan: impl Fn(&Plan) -> [&Schedule; N]) -> Result<(), EvalFailure> {
        if self.past.lags.is_empty() { Ok(()) } else { self.settle_moved_lags(t, of_plan) }
    }

    #[inline(never)]
    pub(crate) fn settle_moved_lags<const N: usize>(
        &mut self,
        t: f64,
        of_plan: impl Fn(&Plan) -> [&Schedule; N],
    ) -> Result<(), EvalFailure> {
        for _ in 0..MAX_DELAY_ITERATIONS {
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

impl Instance {
    /// From now on the time of every step is taken.
    pub fn start_profile(&mut self) {
        self.machine.profile = Some(Box::default());
    }

    /// Where the time went, if it was taken.
    pub fn profile(&self) -> Option<&Profile> {
        self.machine.profile.as_deref()
    }
}
