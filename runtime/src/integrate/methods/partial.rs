//! The derivatives of some of the states, by a function of the model for just these or, failing that, picked from all derivatives.
//!
//! Compiled models have functions of their own for the parts they were compiled with; others compute everything and this picks.

use crate::integrate::system::method::{Rejection, System};
use crate::model::gather::GatherScatterMap;
use crate::model::interface::{HybridModel, PartId};
use crate::model::plan::Pattern;

/// A function for the derivatives of some states.
#[derive(Debug)]
pub struct PartFunction {
    /// The states, ascending.
    pub states: Vec<usize>,
    /// Where they lie among all states.
    pub places: GatherScatterMap,
    /// Sparsity of the derivatives of these states by these states.
    pub pattern: Pattern,
    own: Option<PartId>,
    /// Workspace for all derivatives, if they are picked.
    all: Vec<f64>,
    /// Workspace for the whole Jacobian, if the part has none of its own, and where the part's entries lie in it.
    whole: Vec<f64>,
    picked: GatherScatterMap,
}

impl PartFunction {
    /// The function for these states of a model.
    pub fn new(model: &dyn HybridModel, states: Vec<usize>) -> PartFunction {
        let own = model.part(&states);
        let all = vec![0.0; if own.is_some() { 0 } else { model.n_states() }];
        let places = GatherScatterMap::new(states.clone());
        if let Some(pattern) = own.and_then(|part| model.part_jacobian_pattern(part)) {
            return PartFunction {
                pattern: pattern.clone(),
                states,
                places,
                own,
                all,
                whole: Vec::new(),
                picked: GatherScatterMap::new(Vec::new()),
            };
        }
        let full = model.jacobian_pattern();
        let mut is_member = vec![false; full.n_rows];
        states.iter().for_each(|&state| is_member[state] = true);
        let entries = states.iter().flat_map(|&column| full.col_starts[column]..full.col_starts[column + 1]);
        let picked = GatherScatterMap::new(entries.filter(|&entry| is_member[full.rows[entry]]).collect());
        PartFunction { pattern: full.restricted(&states), states, places, own, all, whole: vec![0.0; full.rows.len()], picked }
    }

    /// Whether the model computes these derivatives alone.
    pub fn is_own(&self) -> bool {
        self.own.is_some()
    }

    /// The derivatives of the states at a point of all states.
    pub fn derivatives(&mut self, system: &mut System<'_>, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Rejection> {
        system.sample(t, x)?;
        let done = match self.own {
            Some(part) => system.model.part_derivatives(part, t, x, dx),
            None => system.model.derivatives(t, x, &mut self.all),
        };
        if let Err(failure) = done {
            system.last_failure = Some(failure);
            return Err(Rejection::Evaluation);
        }
        if self.own.is_none() {
            self.places.take(&self.all, dx);
        }
        Ok(())
    }

    /// Values at the entries of the pattern.
    pub fn jacobian(&mut self, system: &mut System<'_>, t: f64, x: &[f64], values: &mut [f64]) -> Result<(), Rejection> {
        system.sample(t, x)?;
        if !self.whole.is_empty() || self.own.is_none() {
            system.jacobian(t, x, &mut self.whole)?;
            self.picked.take(&self.whole, values);
            return Ok(());
        }
        system.statistics.jacobians += 1;
        let done = match self.own {
            Some(part) => system.model.part_jacobian(part, t, x, values),
            None => Ok(()),
        };
        done.map_err(|failure| {
            system.last_failure = Some(failure);
            Rejection::Evaluation
        })
    }
}
