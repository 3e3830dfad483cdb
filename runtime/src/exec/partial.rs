//! The derivatives of some of the states, and relations without events: what methods need that treat states differently.
//!
//! Input: a part of the plan, a point. Output: the derivatives of its states in the memory, or their Jacobian by these states.
//! Guarantees: only the steps of the part run, and only states that they read are moved. The memory is then a mixture of points, so
//! that the next full evaluation starts afresh. Cost: the part's schedule; a Jacobian costs as many sweeps over the part as its
//! pattern has colours.

use crate::base::error::EvalFailure;
use crate::exec::instance::Instance;
use crate::exec::machine::Machine;
use crate::exec::tables::Compiled;
use crate::model::interface::PartId;
use crate::model::plan::Step;
use cranelift_entity::EntityRef;

/// Relations that sampling has not settled after so many iterations contradict each other.
const MOST_ITERATIONS: usize = 20;

impl Instance {
    /// The derivatives of a part that is one kernel in a model that nothing comes into: moves and a call, and nothing beside. Whether
    /// they are finite; nothing if the part is of another kind, or the memory stands at the point.
    #[inline(always)]
    pub(crate) fn evaluate_sole(&mut self, part: PartId, t: f64, x: &[f64], dx: &mut [f64]) -> Result<Option<bool>, EvalFailure> {
        if self.point.valid || !self.is_closed() || self.machine.profile.is_some() {
            return Ok(None);
        }
        self.leave_point(t);
        let table = &self.compiled.tables.parts[part.0];
        let Some(entry) = &table.sole else { return Ok(None) };
        table.reads.copy(x, &mut self.machine.memory);
        self.machine.statistics.part_evaluations += 1;
        self.machine.run_entry(entry)?;
        Ok(Some(table.slots.take_finite(&self.machine.memory, dx)))
    }

    /// Makes the derivatives of a part's states at a point be in the memory.
    pub(crate) fn evaluate_part(&mut self, part: PartId, t: f64, x: &[f64]) -> Result<(), EvalFailure> {
        if self.is_at(t, x) {
            return Ok(());
        }
        self.leave_point(t);
        self.compiled.tables.parts[part.0].reads.copy(x, &mut self.machine.memory);
        self.refresh(t)?;
        self.machine.statistics.part_evaluations += 1;
        self.machine.run(&self.compiled, &self.compiled.plan.pieces.parts[part.0].derivatives)?;
        self.settle_lags(t, |plan| [&plan.pieces.parts[part.0].derivatives])
    }

    /// Sets the relations to their values at a point, until they agree with what is computed from them.
    pub(crate) fn sample_live_relations(&mut self, t: f64, x: &[f64]) -> Result<(), EvalFailure> {
        let compiled = self.compiled.clone();
        let Some(kernel) = compiled.plan.crossing.relation_values else { return Ok(()) };
        let mut live = std::mem::take(&mut self.switching.before);
        live.clear();
        live.resize(compiled.plan.events.relations.len(), 0.0);
        let mut outcome =
            Err(EvalFailure::new(format!("the relations of the model contradict each other at time {}", crate::base::number::rounded(t))));
        for _ in 0..MOST_ITERATIONS {
            let computed = self.evaluate_crossings(t, x).and_then(|()| {
                self.machine.run_kernel_into(&compiled, kernel, &mut live)?;
                self.machine.check_kernel_sites(&compiled, &compiled.plan.crossing.relation_sites, kernel)
            });
            if let Err(failure) = computed {
                outcome = Err(failure);
                break;
            }
            let mut changed = false;
            for (relation, &value) in compiled.plan.events.relations.values().zip(&live) {
                let value = f64::from(value != 0.0);
                if self.machine.get(relation.slot) != value {
                    self.machine.put(relation.slot, value);
                    changed = true;
                }
            }
            if !changed {
                outcome = Ok(());
                break;
            }
            self.point.valid = false;
            self.machine.note_event();
        }
        self.switching.before = live;
        outcome
    }
}

impl Machine {
    /// Fills `values` at the entries of a part's pattern. `tangents` is workspace of the size of the memory, zero before and after.
    pub(crate) fn part_jacobian(
        &mut self,
        compiled: &Compiled,
        part: PartId,
        tangents: &mut [f64],
        values: &mut [f64],
    ) -> Result<(), EvalFailure> {
        for step in &compiled.plan.pieces.parts[part.0].derivatives.steps {
            if let Step::Block(block) = step {
                self.factor_block(compiled, *block)?;
            }
        }
        let result = self.sweep_part(compiled, part, tangents, values);
        tangents.fill(0.0);
        result
    }

    pub(crate) fn sweep_part(
        &mut self,
        compiled: &Compiled,
        part: PartId,
        tangents: &mut [f64],
        values: &mut [f64],
    ) -> Result<(), EvalFailure> {
        let states = &compiled.plan.states;
        let (colouring, part) = (&compiled.tables.parts[part.0].colouring, &compiled.plan.pieces.parts[part.0]);
        let Some(pattern) = &part.jacobian else {
            return Err(EvalFailure::new("internal error: the part has no Jacobian; this is a bug"));
        };
        for group in &colouring.groups {
            for &j in group {
                tangents[states[part.states[j]].slot.index()] = 1.0;
            }
            self.sweep(compiled, &part.derivatives, tangents)?;
            for &j in group {
                for position in pattern.col_starts[j]..pattern.col_starts[j + 1] {
                    let row = part.states[pattern.rows[position]];
                    let slope = tangents[states[row].der.index()];
                    if !slope.is_finite() {
                        let (f, x) = (&states[row].name, &states[part.states[j]].name);
                        return Err(EvalFailure::new(format!("der({f}) has no finite slope with respect to {x}")));
                    }
                    values[position] = slope;
                }
            }
            for &j in group {
                tangents[states[part.states[j]].slot.index()] = 0.0;
            }
        }
        Ok(())
    }
}
