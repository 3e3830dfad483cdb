//! Compares closed forms with what they were made of.
//!
//! Input: sorted problems with closed forms. Output: what is wrong. Method: at a few points every chain must have the value of its factor,
//! wherever both are defined, and no coefficient may contain what the system determines. Cost: linear in the factors.

use crate::base::ids::{VarId, set_of};
use crate::equations::dae::System;
use crate::equations::expr::eval::eval;
use crate::equations::expr::subst::any_variable;
use crate::sorting::sorted::{Sorted, Sorting};
use crate::sorting::tearing::{Factor, TornBlock, TornStep};
use cranelift_entity::EntityRef;
use partita_runtime::model::closed_form::Chain;

/// Points at which values are compared.
const POINTS: usize = 6;
/// Rounding errors, relative to what is compared.
const ROUNDING: f64 = 1e-6;

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
    let Some(unknown) = block.iteration.first() else { return vec!["a closed form of no unknown".to_owned()] };
    let name = &sys.vars[unknown.var].name;
    let own = set_of(block.iteration.iter().chain(&block.inner).map(|a| a.var));
    let mut found = Vec::new();
    for factor in &form.factors {
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
    }
    found
}

/// Whether a chain has the value of its factor at a point.
fn agrees(sys: &System, factor: &Factor, chain: &Chain, unknown: VarId, point: usize) -> bool {
    // Positive for most logarithms and powers, and the unknown on both sides.
    let sample = |var: VarId| 0.3 + ((var.index() * 7919 + point * 104_729) % 1009) as f64 / 1009.0;
    let x = if point.is_multiple_of(2) { sample(unknown) } else { -sample(unknown) };
    let value = |var: VarId| if var == unknown { x } else { sample(var) };
    let coefficients: Vec<f64> = factor.coefficients.iter().map(|c| eval(&sys.arena, *c, &value)).collect();
    let Some(own) = chain.eval(&coefficients, x) else { return true };
    let expected = eval(&sys.arena, factor.of, &value);
    let size = coefficients.iter().fold(1.0 + expected.abs(), |most: f64, c| most.max(c.abs()));
    !(own.is_finite() && expected.is_finite()) || (own - expected).abs() <= ROUNDING * size
}
