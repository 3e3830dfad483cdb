//! Our own rules for several unknowns: each but one follows from an equation that is linear in it.
//!
//! Input: residuals and as many unknowns. Output: branches, or nothing where the rules do not reach. Method: a residual that is a product
//! opens a branch for each factor; of a residual that is a quotient whose numerator is linear in an unknown, that unknown is put into the
//! others, as an expression of the rest; what is left of one unknown is read by `rules`. Where one choice leads nowhere, others are tried.
//! Guarantee: every solution is one of a branch, unless what an unknown is divided by vanishes there. Cost: a bounded number of attempts,
//! each linear in the residuals, which are bounded.

use super::fraction::{Fraction, Local, fraction};
use super::rules;
use crate::base::ids::{ExprId, VarId};
use crate::equations::expr::Arena;
use crate::equations::expr::subst::map_vars;
use crate::sorting::tearing::Branch;
use rustc_hash::FxHashMap;

/// Systems of more unknowns are left to Newton's method.
pub(super) const MOST_UNKNOWNS: usize = 4;
/// Eliminations that are tried.
const MOST_ATTEMPTS: usize = 40;
/// Branches of one system.
const MOST_BRANCHES: usize = 8;

/// What is left of a system.
#[derive(Clone)]
struct Rest {
    residuals: Vec<ExprId>,
    /// Positions of the unknowns that are left.
    unknowns: Vec<usize>,
    /// What the others are, each in terms of those that were left then.
    eliminated: Vec<(usize, ExprId)>,
}

/// The branches of a system.
pub(super) fn branches(arena: &mut Arena, residuals: &[ExprId], unknowns: &[VarId]) -> Option<Vec<Branch>> {
    let rest = Rest { residuals: residuals.to_vec(), unknowns: (0..unknowns.len()).collect(), eliminated: Vec::new() };
    let mut search = Search { unknowns, n_attempts: 0 };
    let found = search.branches(arena, rest)?;
    (!found.is_empty() && found.len() <= MOST_BRANCHES).then_some(found)
}

struct Search<'a> {
    unknowns: &'a [VarId],
    n_attempts: usize,
}

impl Search<'_> {
    /// The branches of what is left; its depth is that of the unknowns.
    fn branches(&mut self, arena: &mut Arena, rest: Rest) -> Option<Vec<Branch>> {
        if let ([only], [residual]) = (&rest.unknowns[..], &rest.residuals[..]) {
            let factors = rules::of_one(arena, *residual, self.unknowns[*only])?;
            let others = self.in_terms_of_last(arena, &rest.eliminated);
            return Some(vec![Branch { unknown: *only, factors, others }]);
        }
        if let Some(products) = self.products(arena, &rest)? {
            let mut found = Vec::new();
            for one in products {
                found.extend(self.branches(arena, one)?);
            }
            return Some(found);
        }
        for row in 0..rest.residuals.len() {
            for column in 0..rest.unknowns.len() {
                self.n_attempts += 1;
                if self.n_attempts > MOST_ATTEMPTS {
                    return None;
                }
                let next = self.eliminate(arena, &rest, row, column);
                if let Some(found) = next.and_then(|next| self.branches(arena, next)) {
                    return Some(found);
                }
            }
        }
        None
    }

    fn names(&self, positions: &[usize]) -> Vec<VarId> {
        positions.iter().map(|position| self.unknowns[*position]).collect()
    }

    /// The cases of the first residual that is a product; outermost nothing if a residual is large.
    fn products(&self, arena: &Arena, rest: &Rest) -> Option<Option<Vec<Rest>>> {
        let left = self.names(&rest.unknowns);
        for (row, residual) in rest.residuals.iter().enumerate() {
            let local = Local::new(arena, *residual, &left)?;
            let factors = rules::factors(arena, &local, *residual);
            if factors.len() > 1 {
                let with = |factor: &ExprId| {
                    let mut one = rest.clone();
                    one.residuals[row] = *factor;
                    one
                };
                return Some(Some(factors.iter().map(with).collect()));
            }
        }
        Some(None)
    }

    /// The system without an unknown in which a residual is linear.
    fn eliminate(&self, arena: &mut Arena, rest: &Rest, row: usize, column: usize) -> Option<Rest> {
        let position = rest.unknowns[column];
        let unknown = self.unknowns[position];
        let residual = rest.residuals[row];
        let local = Local::new(arena, residual, &[unknown])?;
        let part = arena.var(unknown);
        if local.atoms(arena, residual) != [part] {
            return None;
        }
        let parts: FxHashMap<ExprId, Fraction> = [(part, Fraction::power(arena, 1.0, 1))].into_iter().collect();
        let made = fraction(arena, &local, residual, &parts)?;
        let [constant, factor] = made.numerator[..] else { return None };
        let quotient = arena.div(constant, factor);
        let value = arena.neg(quotient);
        let mut next = rest.clone();
        next.residuals.remove(row);
        next.unknowns.remove(column);
        for residual in &mut next.residuals {
            *residual = map_vars(arena, *residual, &mut |_, var| (var == unknown).then_some(value));
        }
        next.eliminated.push((position, value));
        Some(next)
    }

    /// What was eliminated, as functions of the unknown that is left.
    fn in_terms_of_last(&self, arena: &mut Arena, eliminated: &[(usize, ExprId)]) -> Vec<(usize, ExprId)> {
        let mut known: FxHashMap<VarId, ExprId> = FxHashMap::default();
        let mut found = Vec::with_capacity(eliminated.len());
        for (position, value) in eliminated.iter().rev() {
            let value = map_vars(arena, *value, &mut |_, var| known.get(&var).copied());
            known.insert(self.unknowns[*position], value);
            found.push((*position, value));
        }
        found
    }
}
