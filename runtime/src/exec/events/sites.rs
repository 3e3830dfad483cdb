//! Reports values that are not a number where a point stands: at sites, where something is decided by them, in parameters, and in results.
//!
//! Input: the memory after a schedule was run at a point that stands. Output: a failure that says what, where and, if the code tells, why.
//! A trial point is not looked at here: what is not a number there makes derivatives or crossings fail, or does no harm.
//! Between output points nothing is evaluated for this alone: sites are looked at as the last evaluation of a step left them, and only
//! where one of them is not a number the accepted point itself is evaluated. Whether such a value is needed is found out by a further run
//! of its kernel.
//! Cost: one comparison per site and point; a run of a kernel where values that are not needed are not numbers.

use crate::base::error::EvalFailure;
use crate::exec::instance::Instance;
use crate::exec::machine::Machine;
use crate::exec::tables::Compiled;
use crate::model::plan::{KernelId, Plan, Schedule, Site, Slot, Step};
use cranelift_entity::EntityRef;

impl Machine {
    /// Fails if a site of a schedule that was run holds what is not a number.
    #[inline]
    pub(crate) fn check_sites(&mut self, compiled: &Compiled, schedule: &Schedule) -> Result<(), EvalFailure> {
        self.check(compiled, &schedule.sites, &schedule.steps)
    }

    /// The same for one kernel.
    #[inline]
    pub(crate) fn check_kernel_sites(&mut self, compiled: &Compiled, sites: &[Site], kernel: KernelId) -> Result<(), EvalFailure> {
        self.check(compiled, sites, &[Step::Kernel(kernel)])
    }

    #[inline]
    pub(crate) fn check(&mut self, compiled: &Compiled, sites: &[Site], steps: &[Step]) -> Result<(), EvalFailure> {
        if sites.iter().any(|site| self.get(site.seen).is_nan()) { self.check_exactly(compiled, sites, steps) } else { Ok(()) }
    }

    /// Finds out whether something that is needed is not a number.
    #[cold]
    pub(crate) fn check_exactly(&mut self, compiled: &Compiled, sites: &[Site], steps: &[Step]) -> Result<(), EvalFailure> {
        let mut last: Option<KernelId> = None;
        let mut memory = self.memory.clone();
        for site in sites {
            if !self.get(site.seen).is_nan() {
                continue;
            }
            if let Some(kernel) = site.exact.filter(|kernel| last != Some(*kernel)) {
                memory.copy_from_slice(&self.memory);
                // A function with effects that is called for this alone leaves none behind.
                let random = self.environment.random.clone();
                let done = compiled.kernels.call(kernel, &mut memory, &mut [], &mut self.environment);
                self.environment.random = random;
                if done.is_err() {
                    return Err(self.kernel_failure());
                }
                last = Some(kernel);
            }
            if memory[site.slot.index()].is_nan() {
                return Err(self.site_failure(compiled, site, &memory, steps));
            }
        }
        Ok(())
    }

    #[cold]
    pub(crate) fn site_failure(&self, compiled: &Compiled, site: &Site, memory: &[f64], steps: &[Step]) -> EvalFailure {
        let text = &site.label.text;
        let reason = match site.subscript.map(|(index, size)| (memory[index.index()], size)) {
            Some((index, size)) if !(index >= 1.0 && index <= f64::from(size)) => {
                format!("the subscript {text} is {index}, which is outside 1:{size}")
            }
            Some(_) => format!("the element at the subscript {text} is not a number"),
            None => text.clone(),
        };
        let kernels = steps.iter().map(|step| match step {
            Step::Kernel(kernel) => *kernel,
            Step::Block(block) => compiled.plan.blocks[*block].residual,
        });
        let explained = |kernel: KernelId| compiled.kernels.explain(kernel, memory, &|slot| slot == site.slot);
        let cause = match (site.subscript, site.exact) {
            (Some(_), _) => None,
            (None, Some(exact)) => explained(exact),
            (None, None) => kernels.filter_map(explained).next(),
        };
        let cause = cause.map(|found| found.cause);
        let mut failure = EvalFailure::new(cause.map_or_else(|| reason.clone(), |cause| format!("{reason}: {cause}")));
        let (start, end) = site.label.span;
        failure.span = (start < end).then_some((start, end));
        failure
    }
}

/// Whether a slot belongs to a variable that nobody assigned.
fn is_without_value(plan: &Plan, slot: Slot) -> bool {
    plan.memory.without_value.binary_search(&slot).is_ok()
}

/// The schedules that make all results of a point.
fn of_point(plan: &Plan) -> [&Schedule; 3] {
    [&plan.derivatives, &plan.crossing.before_crossings, &plan.outputs]
}

impl Instance {
    /// Fails if something at a point that was evaluated in full is decided by what is not a number.
    pub(crate) fn check_point(&mut self) -> Result<(), EvalFailure> {
        let compiled = &self.compiled;
        of_point(&compiled.plan).into_iter().try_for_each(|schedule| self.machine.check_sites(compiled, schedule))
    }

    /// The same at an accepted point that need not be evaluated in full.
    pub(crate) fn check_accepted(&mut self, t: f64, x: &[f64]) -> Result<(), EvalFailure> {
        let open = [&self.compiled.plan.derivatives, &self.compiled.plan.crossing.before_crossings];
        if !open.iter().any(|schedule| schedule.sites.iter().any(|site| self.machine.get(site.seen).is_nan())) {
            return Ok(());
        }
        self.evaluate_crossings(t, x)?;
        let compiled = &self.compiled;
        self.machine.check_sites(compiled, &compiled.plan.derivatives)?;
        self.machine.check_sites(compiled, &compiled.plan.crossing.before_crossings)
    }

    /// One accepted point may lie beyond a crossing by round-off, where a relation has its old value: two in turn do not.
    pub(crate) fn judge(&mut self, checked: Result<(), EvalFailure>) -> Result<(), EvalFailure> {
        let was_doubtful = std::mem::replace(&mut self.is_doubtful, checked.is_err());
        if self.is_accepting && !was_doubtful { Ok(()) } else { checked }
    }

    /// Fails if a parameter is not a number.
    pub(crate) fn check_parameters(&mut self) -> Result<(), EvalFailure> {
        let compiled = self.compiled.clone();
        let plan = &*compiled.plan;
        let bad =
            plan.interface.signals.iter().find(|signal| {
                !signal.varies && self.machine.get(signal.source.slot).is_nan() && !is_without_value(plan, signal.source.slot)
            });
        match bad {
            None => Ok(()),
            Some(signal) => Err(self.explain_result(signal.source.slot, &signal.name, &[&plan.start.parameters, &plan.start.initial])),
        }
    }

    /// Fails if a result is not a number.
    #[cold]
    pub(crate) fn check_row(&mut self, row: &[f64]) -> Result<(), EvalFailure> {
        let compiled = self.compiled.clone();
        let plan = &*compiled.plan;
        let signal_at = |position: usize| &plan.interface.signals[compiled.tables.varying[position]];
        let is_bad = |position: &usize| row[*position].is_nan() && !is_without_value(plan, signal_at(*position).source.slot);
        match (0..row.len()).find(is_bad) {
            None => Ok(()),
            Some(position) => {
                let signal = signal_at(position);
                Err(self.explain_result(signal.source.slot, &signal.name, &of_point(plan)))
            }
        }
    }

    /// Why a value is not a number, with the equation that gives it.
    pub(crate) fn explain_result(&mut self, slot: Slot, name: &str, schedules: &[&Schedule]) -> EvalFailure {
        let compiled = self.compiled.clone();
        let mut failure = self.machine.explain_non_finite(&compiled, schedules, slot, name);
        if failure.span.is_none() {
            failure.span = compiled.plan.memory.slot_spans.iter().rfind(|(other, _)| *other == slot).map(|(_, span)| *span);
        }
        failure
    }
}
