//! The pattern of the Jacobian of a torn block.
//!
//! Input: a block. Output: which residuals depend on which iteration unknowns. Cost: bounded by half of the full matrix.

use crate::base::ids::{ExprId, VarId};
use crate::equations::dae::System;
use crate::equations::expr;
use crate::sorting::tearing::TornBlock;
use partita_runtime::model::plan::Pattern;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Blocks with fewer iteration unknowns than this count as full: nothing is to be gained.
const SMALLEST_SPARSE: usize = 8;

/// Which residuals of a block depend on which iteration unknowns, directly or through inner unknowns; nothing if the block is small
/// or nearly full. Cost: the sizes of the sets of unknowns that inner unknowns depend on, which are bounded.
pub(super) fn residual_pattern(sys: &System, block: &TornBlock) -> Option<Pattern> {
    let n = block.iteration.len();
    if n < SMALLEST_SPARSE {
        return None;
    }
    let most = n * n / 2 + 64 * (n + block.inner.len());
    let mut total = 0;
    // The iteration unknowns that an unknown of the block depends on, ascending.
    let mut reach: FxHashMap<VarId, Rc<Vec<usize>>> = FxHashMap::default();
    for (i, unknown) in block.iteration.iter().enumerate() {
        reach.insert(unknown.var, Rc::new(vec![i]));
    }
    let union = |value: ExprId, reach: &FxHashMap<VarId, Rc<Vec<usize>>>| {
        let vars = expr::subst::variables(&sys.arena, value);
        let mut sets = vars.iter().filter_map(|v| reach.get(v));
        let (first, second) = (sets.next(), sets.next());
        match (first, second) {
            (None, _) => Rc::new(Vec::new()),
            (Some(only), None) => only.clone(),
            (Some(first), Some(second)) => {
                let mut all: Vec<usize> = first.iter().chain(second.iter()).chain(sets.flat_map(|set| set.iter())).copied().collect();
                all.sort_unstable();
                all.dedup();
                Rc::new(all)
            }
        }
    };
    for inner in &block.inner {
        let set = union(inner.value, &reach);
        total += set.len();
        if total > most {
            return None;
        }
        reach.insert(inner.var, set);
    }
    let mut columns: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (row, residual) in block.iteration.iter().enumerate() {
        for &column in union(residual.value, &reach).iter() {
            columns[column].push(row);
            total += 1;
        }
        if total > most {
            return None;
        }
    }
    let mut pattern = Pattern { n_rows: n, col_starts: vec![0], rows: Vec::new() };
    for column in columns {
        pattern.rows.extend(column);
        pattern.col_starts.push(pattern.rows.len());
    }
    Some(pattern)
}
