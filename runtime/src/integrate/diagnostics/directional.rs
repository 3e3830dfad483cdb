//! How fast functions of the states change along the field that holds at a point.
//!
//! Input: a model with frozen relations and a point. Output: derivatives with respect to time of its crossing functions or switches.
//! Method: central differences along the derivatives, over a distance that moves no state by more than `REACH` of its size.
//! Cost: one evaluation of the derivatives and two of the functions.

use crate::base::error::EvalFailure;
use crate::model::interface::HybridModel;

/// How far a state is moved, relative to its size.
const REACH: f64 = 1e-6;

/// Which functions of a model are looked at.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Functions {
    /// Crossing functions.
    Crossings,
    /// Functions whose signs choose between branches without events.
    Switches,
}

impl Functions {
    /// How many there are.
    pub(crate) fn count(self, model: &dyn HybridModel) -> usize {
        match self {
            Functions::Crossings => model.n_crossings(),
            Functions::Switches => model.n_switches(),
        }
    }

    /// Their values at a point.
    pub(crate) fn at(self, model: &mut dyn HybridModel, t: f64, x: &[f64]) -> Result<Vec<f64>, EvalFailure> {
        let mut values = vec![0.0; self.count(model)];
        match self {
            Functions::Crossings => model.crossings(t, x, &mut values)?,
            Functions::Switches => model.switches(t, x, &mut values)?,
        }
        Ok(values)
    }

    /// Their derivatives with respect to time along a field; `longest` bounds the time that is looked at.
    pub(crate) fn slopes(
        self,
        model: &mut dyn HybridModel,
        t: f64,
        x: &[f64],
        field: &[f64],
        longest: f64,
    ) -> Result<Vec<f64>, EvalFailure> {
        let span = look(model, x, field, longest);
        let moved = |by: f64| -> Vec<f64> { x.iter().zip(field).map(|(x, f)| x + by * f).collect() };
        let before = self.at(model, t - span, &moved(-span))?;
        let after = self.at(model, t + span, &moved(span))?;
        Ok(after.iter().zip(&before).map(|(after, before)| (after - before) / (2.0 * span)).collect())
    }
}

/// The time in which a field moves no state far.
pub(crate) fn look(model: &dyn HybridModel, x: &[f64], field: &[f64], longest: f64) -> f64 {
    let fastest = x.iter().zip(field).enumerate().map(|(i, (x, f))| f.abs() / x.abs().max(model.nominal(i))).fold(0.0, f64::max);
    (REACH / fastest).min(longest)
}

/// The derivatives at a point.
pub(crate) fn field(model: &mut dyn HybridModel, t: f64, x: &[f64]) -> Result<Vec<f64>, EvalFailure> {
    let mut field = vec![0.0; x.len()];
    model.derivatives(t, x, &mut field)?;
    Ok(field)
}
