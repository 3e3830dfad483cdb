//! Solves a mixed block: continuous unknowns together with relations and discrete values that depend on them.
//!
//! Input: the memory with a guess of the discrete values. Output: discrete values that reproduce themselves: the equations
//! solved with them frozen give the same values again.
//!
//! Method: freeze, solve, evaluate, repeat. When a combination comes back (or cannot be solved), the combinations that differ
//! from a visited one in a single value are tried, the last one visited first, lowest index first, each followed to its end.
//! When none does, relations whose sides differ by less than a tolerance may keep their frozen value: at a point where a
//! diode's voltage and current both vanish, rounding errors decide the sign, and neither combination reproduces itself.
//! The tolerance grows from 1e-12 to 1e-6 of the block's largest value (at least 1); such a relation gets a band that
//! `crossings` respects.
//! If there is still none, combinations that leave unknowns of a linear block undetermined are tried; these keep their values.
//! Guarantees: only a combination that reproduces itself, up to that tolerance, is accepted; none is tried twice.
//! Cost: one solution of the block per combination, at most `MAX_COMBINATIONS`.

use crate::base::error::EvalFailure;
use crate::exec::machine::Machine;
use crate::exec::tables::Compiled;
use crate::model::plan::{Block, BlockId, BlockKind, RelationId, Slot};
use cranelift_entity::EntityRef;
use std::collections::HashSet;

/// Combinations of discrete values tried before giving up.
const MAX_COMBINATIONS: usize = 2000;
/// How far the sides of a relation may differ, relative to the block's largest value, to count as equal; tried in order.
const TOLERANCES: [f64; 4] = [0.0, 1e-12, 1e-9, 1e-6];

type Combination = Vec<u64>;

/// Where following a combination ended.
pub(crate) enum End {
    /// It reproduces itself; the memory holds the solution.
    Solved,
    /// It leads to a combination that was visited.
    Cycle,
    /// The continuous equations have no solution.
    Unsolvable(EvalFailure),
}

impl Machine {
    /// Solves a block with discrete unknowns.
    pub(crate) fn solve_mixed(&mut self, compiled: &Compiled, id: BlockId) -> Result<(), EvalFailure> {
        if self.is_hasty {
            return self.search(compiled, id, 0.0);
        }
        let mut result = Ok(());
        for tolerance in TOLERANCES {
            result = self.search(compiled, id, tolerance);
            let has_margins = compiled.plan.blocks[id].margins.is_some();
            if result.is_ok() || !has_margins {
                break;
            }
        }
        if result.is_err() && compiled.plan.blocks[id].kind == BlockKind::Linear {
            // Locked, and nothing tells how much force that takes: such an unknown keeps its value.
            self.keeps_undetermined = true;
            let kept = self.search(compiled, id, 0.0);
            self.keeps_undetermined = false;
            return kept.or(result);
        }
        result
    }

    pub(crate) fn search(&mut self, compiled: &Compiled, id: BlockId, tolerance: f64) -> Result<(), EvalFailure> {
        let block = &compiled.plan.blocks[id];
        let entry: Vec<f64> = block.discrete_slots.iter().map(|slot| self.memory[slot.index()]).collect();
        let guess: Vec<f64> = block.unknowns.iter().map(|slot| self.memory[slot.index()]).collect();
        let mut visited = HashSet::new();
        // Combinations in the order of their visit; each is a place to flip single values from.
        let mut trail: Vec<Combination> = Vec::new();
        let mut unsolvable = None;
        match self.follow(compiled, id, tolerance, &mut visited, &mut trail) {
            End::Solved => return Ok(()),
            End::Cycle => {}
            End::Unsolvable(failure) => unsolvable = Some(failure),
        }
        let flips = if self.is_hasty { Vec::new() } else { flip_order(compiled, block) };
        // The trail grows while it is worked off; `visited` bounds it.
        let mut pending: Vec<usize> = (0..trail.len()).collect();
        while let Some(base) = pending.pop() {
            for &position in &flips {
                if visited.len() >= MAX_COMBINATIONS {
                    break;
                }
                let Some(flipped) = flip(&trail[base], position) else { continue };
                if visited.contains(&flipped) {
                    continue;
                }
                self.load_values(&block.discrete_slots, flipped.iter().map(|bits| f64::from_bits(*bits)));
                self.load_values(&block.unknowns, guess.iter().copied());
                let known = trail.len();
                match self.follow(compiled, id, tolerance, &mut visited, &mut trail) {
                    End::Solved => return Ok(()),
                    End::Cycle => {}
                    End::Unsolvable(failure) => unsolvable = unsolvable.or(Some(failure)),
                }
                // New combinations wait until all neighbours of earlier ones are known: breadth first.
                pending.splice(0..0, (known..trail.len()).rev());
            }
        }
        self.load_values(&block.discrete_slots, entry.into_iter());
        self.load_values(&block.unknowns, guess.into_iter());
        Err(describe(compiled, id, block, visited.len(), unsolvable, self.memory[0]))
    }

    pub(crate) fn load_values(&mut self, slots: &[Slot], values: impl Iterator<Item = f64>) {
        for (slot, value) in slots.iter().zip(values) {
            self.memory[slot.index()] = value;
        }
    }

    /// Freezes, solves and evaluates, beginning with the combination in the memory, until it repeats.
    pub(crate) fn follow(
        &mut self,
        compiled: &Compiled,
        id: BlockId,
        tolerance: f64,
        visited: &mut HashSet<Combination>,
        trail: &mut Vec<Combination>,
    ) -> End {
        let block = &compiled.plan.blocks[id];
        loop {
            let frozen = self.combination(block);
            if visited.len() >= MAX_COMBINATIONS || !visited.insert(frozen.clone()) {
                return End::Cycle;
            }
            trail.push(frozen.clone());
            if let Err(failure) = self.solve_continuous(compiled, id) {
                return End::Unsolvable(failure);
            }
            if let Err(failure) = self.evaluate_relations(compiled, block, tolerance) {
                return End::Unsolvable(failure);
            }
            if let Some(discrete) = block.discrete
                && let Err(failure) = self.run_kernel(compiled, discrete)
            {
                return End::Unsolvable(failure);
            }
            if self.combination(block) == frozen {
                return End::Solved;
            }
        }
    }

    /// Evaluates the relations of a block; those whose sides are equal up to the tolerance keep their value.
    pub(crate) fn evaluate_relations(&mut self, compiled: &Compiled, block: &Block, tolerance: f64) -> Result<(), EvalFailure> {
        let Some(kernel) = block.relation_values else { return Ok(()) };
        let slot = |relation: RelationId| compiled.plan.events.relations[relation].slot;
        let frozen: Vec<f64> = block.relations.iter().map(|&relation| self.get(slot(relation))).collect();
        let mut margins = vec![0.0; block.relations.len()];
        if let (Some(kernel), true) = (block.margins, tolerance > 0.0) {
            self.run_kernel_into(compiled, kernel, &mut margins)?;
        }
        self.run_kernel(compiled, kernel)?;
        if tolerance > 0.0 {
            let largest = block.unknowns.iter().map(|&unknown| self.get(unknown).abs()).fold(1.0, f64::max);
            for ((&relation, was), margin) in block.relations.iter().zip(frozen).zip(margins) {
                if self.get(slot(relation)) != was && margin.abs() <= tolerance * largest {
                    self.put(slot(relation), was);
                    self.hysteresis[relation] = self.hysteresis[relation].max(2.0 * margin.abs());
                }
            }
        }
        Ok(())
    }

    pub(crate) fn combination(&self, block: &Block) -> Combination {
        // Adding zero makes -0.0 and 0.0 the same value.
        block.discrete_slots.iter().map(|slot| (self.memory[slot.index()] + 0.0).to_bits()).collect()
    }
}

/// Positions in `discrete_slots` to flip: relations first, in their order, then the other values.
fn flip_order(compiled: &Compiled, block: &Block) -> Vec<usize> {
    let is_relation = |position: &usize| {
        let slot = block.discrete_slots[*position];
        block.relations.iter().any(|&relation| compiled.plan.events.relations[relation].slot == slot)
    };
    let (relations, others): (Vec<usize>, Vec<usize>) = (0..block.discrete_slots.len()).partition(is_relation);
    relations.into_iter().chain(others).collect()
}

/// The combination with one Boolean negated; nothing if the value there is not a Boolean.
fn flip(combination: &[u64], position: usize) -> Option<Combination> {
    let value = f64::from_bits(combination[position]);
    let negated = if value == 0.0 {
        1.0
    } else if value == 1.0 {
        0.0
    } else {
        return None;
    };
    let mut flipped = combination.to_vec();
    flipped[position] = f64::to_bits(negated);
    Some(flipped)
}

fn describe(compiled: &Compiled, id: BlockId, block: &Block, tried: usize, unsolvable: Option<EvalFailure>, time: f64) -> EvalFailure {
    let mut failure = EvalFailure::new(format!(
        "no combination of the relations and discrete values of {id} agrees with its equations ({tried} tried) at time {}",
        crate::base::number::rounded(time)
    ));
    let relations = || block.relations.iter().map(|&relation| &compiled.plan.events.relations[relation].label);
    failure.span = relations().next().map(|label| label.span).or_else(|| block.equations.first().map(|label| label.span));
    for label in relations().take(10) {
        failure.notes.push(format!("relation {}", label.text));
    }
    if block.relations.len() > 10 {
        failure.notes.push(format!("and {} more relations", block.relations.len() - 10));
    }
    for &slot in block.discrete_slots.iter().filter(|&&slot| compiled.tables.name(&compiled.plan, slot).is_some()).take(10) {
        failure.notes.push(format!("discrete value {}", compiled.tables.label(&compiled.plan, slot)));
    }
    for label in block.equations.iter().take(10) {
        failure.notes.push(label.text.clone());
    }
    if let Some(inner) = unsolvable {
        failure.notes.push(format!("for one combination: {}", inner.reason));
    }
    failure
}
