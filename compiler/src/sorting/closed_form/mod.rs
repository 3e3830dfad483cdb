//! Finds the systems whose solutions have a closed form.
//!
//! Input: sorted problems. Output: the same with a [`ClosedForm`] beside the systems at the start, between events and at events that have
//! one. Equations, unknowns and order stay as they are.
//!
//! Method: what tearing assigns is put into the residuals. Those of a few unknowns are brought to one of them (`elimination`), which is then
//! read by our own rules (`rules`): what is found is linear in disguise, of low degree, a product, or a composition of functions with an
//! inverse. With the feature `symbolica`, polynomial and rational systems are reduced by Groebner bases as well (`algebra`). Larger
//! systems keep Newton's method, and so do those whose unknowns may be chosen anew while the model runs.
//!
//! Which root: at the start the one that Newton's method finds from the start value; where it finds none, the root nearest to the start
//! value. Later the root nearest to the present value of the unknown, which is that of the last point or step: the branch
//! of the previous solution, for as long as it exists. Of two equally near ones it is the larger. Each root is checked against the
//! residual as it was written; where none satisfies it, Newton's method decides. Where there is no real root, the failure says so.
//! Polynomials that formulas do not solve are only asked where Newton's method fails.
//!
//! Guarantee: `verify` compares every chain with the factor that it was made of, and asks whether roots with what follows from them
//! solve the system. Cost: linear in the residuals of the systems of few unknowns, each of which is looked at up to a fixed size.

#[cfg(feature = "symbolica")]
mod algebra;
mod elimination;
mod fraction;
mod print;
mod rules;
mod verify;

pub use print::print;
pub use verify::verify;

use crate::base::ids::{ExprId, VarId, set_of};
use crate::equations::dae::System;
use crate::equations::expr::subst::map_vars;
use crate::sorting::sorted::{Sorted, Sorting};
use crate::sorting::tearing::{Branch, ClosedForm, Factor, TornBlock, TornStep};
use cranelift_entity::EntitySet;
use elimination::MOST_UNKNOWNS;
use partita_runtime::model::closed_form::Layer;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Systems with more assignments are left to Newton's method.
const MOST_INNER: usize = 200;

/// Looks for closed forms in the problems that are solved again and again, and at the start.
pub fn find(sys: &mut System, sorting: &mut Sorting) {
    let changing = set_of(sorting.sets.iter().flat_map(|set| &set.candidates).map(|(x, _)| *x));
    find_in(sys, &mut sorting.initial, &changing);
    let is_one = Arc::ptr_eq(&sorting.simulation, &sorting.event);
    if is_one {
        sorting.event = Arc::default();
    }
    find_in(sys, Arc::make_mut(&mut sorting.simulation), &changing);
    if is_one {
        sorting.event = sorting.simulation.clone();
    } else {
        find_in(sys, Arc::make_mut(&mut sorting.event), &changing);
    }
}

fn find_in(sys: &mut System, sorted: &mut Sorted, changing: &EntitySet<VarId>) {
    for step in &mut sorted.torn.steps {
        if let TornStep::Solve(block) = step {
            block.closed = closed_form(sys, block, changing);
        }
    }
}

/// The closed form of a nonlinear system.
fn closed_form(sys: &mut System, block: &TornBlock, changing: &EntitySet<VarId>) -> Option<ClosedForm> {
    let n = block.iteration.len();
    let is_changing = block.iteration.iter().any(|unknown| changing.contains(unknown.var));
    if block.linear || !(1..=MOST_UNKNOWNS).contains(&n) || block.inner.len() > MOST_INNER || is_changing {
        return None;
    }
    let unknowns: Vec<VarId> = block.iteration.iter().map(|unknown| unknown.var).collect();
    let residuals: Vec<ExprId> = block.iteration.iter().map(|unknown| residual(sys, block, unknown.value)).collect();
    let own = elimination::branches(&mut sys.arena, &residuals, &unknowns).map(|branches| with_kind(sys, branches));
    #[cfg(feature = "symbolica")]
    if own.as_ref().is_none_or(|form| !form.is_direct) {
        let reduced = algebra::branches(&mut sys.arena, &residuals, &unknowns).map(|branches| with_kind(sys, branches));
        return reduced.filter(|form| own.is_none() || form.is_direct).or(own);
    }
    own
}

/// Says whether formulas give the roots.
fn with_kind(sys: &System, branches: Vec<Branch>) -> ClosedForm {
    let is_direct = branches.iter().flat_map(|branch| &branch.factors).all(|factor| is_direct(sys, factor));
    ClosedForm { branches, is_direct }
}

/// A residual in which what tearing assigns is unrolled.
fn residual(sys: &mut System, block: &TornBlock, residual: ExprId) -> ExprId {
    let mut written: FxHashMap<VarId, ExprId> = FxHashMap::default();
    for inner in &block.inner {
        let value = map_vars(&mut sys.arena, inner.value, &mut |_, var| written.get(&var).copied());
        written.insert(inner.var, value);
    }
    map_vars(&mut sys.arena, residual, &mut |_, var| written.get(&var).copied())
}

/// Whether formulas give the roots of all polynomials.
fn is_direct(sys: &System, factor: &Factor) -> bool {
    let mut rest = factor.coefficients.as_slice();
    factor.layers.iter().all(|layer| {
        let (own, others) = rest.split_at(layer.n_coefficients());
        rest = others;
        let Layer::Rational { numerator, denominator, .. } = *layer else { return true };
        let (above, below) = own.split_at(numerator);
        let has_odd = |list: &[ExprId]| list.iter().skip(1).step_by(2).any(|c| !sys.arena.is_zero(*c));
        match numerator.max(denominator) {
            0..=3 => true,
            4 | 5 => !has_odd(above) && !has_odd(below),
            _ => false,
        }
    })
}
