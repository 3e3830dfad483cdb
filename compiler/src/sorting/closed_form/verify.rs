//! Compares closed forms with what they were made of.
//!
//! Input: sorted problems with closed forms. Output: what is wrong. Method: at a few points every chain must have the value of its factor,
//! wherever both are defined, and no coefficient may contain what the system determines; the roots of a factor, with what follows from
//! them, must be next to a solution of the system. Cost: linear in the factors and the systems.

use crate::base::ids::{VarId, set_of};
use crate::equations::dae::System;
use crate::equations::expr::eval::eval;
use crate::equations::expr::subst::any_variable;
use crate::sorting::sorted::{Sorted, Sorting};
use crate::sorting::tearing::{Branch, Factor, TornBlock, TornStep};
use cranelift_entity::EntityRef;
use partita_runtime::model::chain_roots::roots;
use partita_runtime::model::closed_form::Chain;
use rustc_hash::FxHashMap;

/// Points at which values are compared.
const POINTS: usize = 6;
/// Rounding errors, relative to what is compared.
const ROUNDING: f64 = 1e-6;
/// A change of an unknown, relative to its size.
const NEAR: f64 = 1e-3;

/// What is wrong with the closed forms of sorted problems.
pub fn verify(sys: &System, sorting: &Sorting) -> Vec<String> {
    let mut found = Vec::new();
    for sorted in [&sorting.initial, &*sorting.simulation, &*sorting.event] {
        found.extend(blocks(sorted).flat_map(|block| verify_block(sys, block)));
    }
    found
}

fn blocks(sorted: &Sorted) -> impl Iterator<Item = &TornBlock> {
    sorted.torn.steps.iter().filter_map(|step| match step {
        TornStep::Solve(block) => Some(block),
        TornStep::Assign(_) => None,
    })
}

fn verify_block(sys: &System, block: &TornBlock) -> Vec<String> {
    let Some(form) = &block.closed else { return Vec::new() };
    form.branches.iter().flat_map(|branch| verify_branch(sys, block, branch)).collect()
}

fn verify_branch(sys: &System, block: &TornBlock, branch: &Branch) -> Vec<String> {
    let Some(unknown) = block.iteration.get(branch.unknown) else { return vec!["a closed form of no unknown".to_owned()] };
    let name = &sys.vars[unknown.var].name;
    let own = set_of(block.iteration.iter().chain(&block.inner).map(|a| a.var));
    let mut found = Vec::new();
    let mut known: Vec<usize> = branch.others.iter().map(|(position, _)| *position).chain([branch.unknown]).collect();
    known.sort_unstable();
    if known != Vec::from_iter(0..block.iteration.len()) {
        found.push(format!("the closed form of {name} gives not each unknown once"));
    }
    if branch.others.iter().any(|(_, value)| any_variable(&sys.arena, *value, |v| own.contains(v) && v != unknown.var)) {
        found.push(format!("what follows from {name} depends on others that follow"));
    }
    for factor in &branch.factors {
        let chain = Chain { layers: factor.layers.clone() };
        if chain.n_coefficients() != factor.coefficients.len() {
            found.push(format!("the closed form of {name} has coefficients without a layer"));
            continue;
        }
        if factor.coefficients.iter().any(|c| any_variable(&sys.arena, *c, |v| own.contains(v))) {
            found.push(format!("a coefficient of the closed form of {name} depends on the system"));
        }
        if (0..POINTS).any(|point| !agrees(sys, factor, &chain, unknown.var, point)) {
            found.push(format!("the closed form of {name} is another function than its factor"));
        }
        if !branch.others.is_empty() && (0..POINTS).any(|point| !solves(sys, block, branch, factor, &chain, point)) {
            found.push(format!("the roots of the closed form of {name} do not solve the system"));
        }
    }
    found
}

/// Positive for most logarithms and powers.
fn sample(var: VarId, point: usize) -> f64 {
    0.3 + ((var.index() * 7919 + point * 104_729) % 1009) as f64 / 1009.0
}

/// Whether the residuals vanish at the roots of a factor, where they are defined: a small change of an unknown would change them more.
fn solves(sys: &System, block: &TornBlock, branch: &Branch, factor: &Factor, chain: &Chain, point: usize) -> bool {
    let unknown = block.iteration[branch.unknown].var;
    let parameter = |var: VarId| sample(var, point);
    let coefficients: Vec<f64> = factor.coefficients.iter().map(|c| eval(&sys.arena, *c, &parameter)).collect();
    let roots = roots(chain, &coefficients, sample(unknown, point));
    roots.as_slice().iter().all(|root| {
        let at_root = |var: VarId| if var == unknown { *root } else { sample(var, point) };
        let mut solution = vec![*root; block.iteration.len()];
        for (position, value) in &branch.others {
            solution[*position] = eval(&sys.arena, *value, &at_root);
        }
        let exact = residuals(sys, block, &solution, point);
        let mut change = vec![0.0; exact.len()];
        for position in 0..solution.len() {
            let mut beside = solution.clone();
            beside[position] += NEAR * solution[position].abs().max(1.0);
            for ((change, beside), exact) in change.iter_mut().zip(residuals(sys, block, &beside, point)).zip(&exact) {
                *change += (beside - exact).abs();
            }
        }
        let is_defined = exact.iter().chain(&change).all(|value| value.is_finite());
        !is_defined || exact.iter().zip(change).all(|(exact, change)| exact.abs() <= change + ROUNDING)
    })
}

/// The residuals of a system at a point.
fn residuals(sys: &System, block: &TornBlock, unknowns: &[f64], point: usize) -> Vec<f64> {
    let mut known: FxHashMap<VarId, f64> = block.iteration.iter().map(|a| a.var).zip(unknowns.iter().copied()).collect();
    for inner in &block.inner {
        let value = eval(&sys.arena, inner.value, &|var| known.get(&var).copied().unwrap_or_else(|| sample(var, point)));
        known.insert(inner.var, value);
    }
    let value = |var: VarId| known.get(&var).copied().unwrap_or_else(|| sample(var, point));
    block.iteration.iter().map(|a| eval(&sys.arena, a.value, &value)).collect()
}

/// Whether a chain has the value of its factor at a point.
fn agrees(sys: &System, factor: &Factor, chain: &Chain, unknown: VarId, point: usize) -> bool {
    // The unknown on both sides of zero.
    let x = if point.is_multiple_of(2) { sample(unknown, point) } else { -sample(unknown, point) };
    let value = |var: VarId| if var == unknown { x } else { sample(var, point) };
    let coefficients: Vec<f64> = factor.coefficients.iter().map(|c| eval(&sys.arena, *c, &value)).collect();
    let Some(own) = chain.eval(&coefficients, x) else { return true };
    let expected = eval(&sys.arena, factor.of, &value);
    let size = coefficients.iter().fold(1.0 + expected.abs(), |most: f64, c| most.max(c.abs()));
    !(own.is_finite() && expected.is_finite()) || (own - expected).abs() <= ROUNDING * size
}
