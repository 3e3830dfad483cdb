//! Hands the results of a run to its sink.
//!
//! Input: points that hold for good, in order of time. Output: rows of results.
//!
//! What holds after an event is held back until the next point, and shown unless the driver says that it has no meaning: a machine at rest
//! whose speed has become a tiny number instead of zero breaks away with this number's sign, so that what the event left undecided was
//! decided before. Where a speed is zero, exactly or as a difference of larger numbers that cancel, there are two events, at the first of
//! which the element is about to slip and at the second it does, and both are shown.
//! Cost: one copy of the results per event.

use crate::base::error::RunError;
use crate::integrate::system::method::System;
use crate::integrate::system::sink::Sink;

/// Points on their way to the sink.
pub(crate) struct Output<'a> {
    sink: &'a mut dyn Sink,
    /// The results that were computed last.
    row: Vec<f64>,
    /// Time of the point that is held back, if there is one, and its results.
    held: Option<f64>,
    held_row: Vec<f64>,
    /// Time of the last point.
    last: Option<f64>,
}

impl<'a> Output<'a> {
    /// Nothing handed over yet.
    pub(crate) fn new(sink: &'a mut dyn Sink, n_outputs: usize) -> Output<'a> {
        Output { sink, row: vec![0.0; n_outputs], held: None, held_row: vec![0.0; n_outputs], last: None }
    }

    /// Who receives the points.
    pub(crate) fn sink(&mut self) -> &mut dyn Sink {
        &mut *self.sink
    }

    /// The results that were computed last.
    pub(crate) fn row(&self) -> &[f64] {
        &self.row
    }

    /// Time of the last point.
    pub(crate) fn last(&self) -> Option<f64> {
        self.last
    }

    /// Time of the event whose results are held back: nothing was shown since.
    pub(crate) fn held(&self) -> Option<f64> {
        self.held
    }

    /// Computes the results of a point that is not to be shown.
    pub(crate) fn compute(&mut self, system: &mut System<'_>, t: f64, x: &[f64]) -> Result<(), RunError> {
        let computed = system.model.outputs(t, x, &mut self.row);
        computed.map_err(|failure| RunError::from_eval("R205", "the results cannot be computed", &failure).at_time(t))
    }

    /// Hands a point over.
    pub(crate) fn point(&mut self, system: &mut System<'_>, t: f64, x: &[f64]) -> Result<(), RunError> {
        self.point_of(system, t, (t, x))
    }

    /// Hands over the results of a point as those of the time `t`.
    pub(crate) fn point_of(&mut self, system: &mut System<'_>, t: f64, (at, x): (f64, &[f64])) -> Result<(), RunError> {
        self.compute(system, at, x)?;
        self.release(system)?;
        self.last = Some(t);
        system.statistics.output_points += 1;
        self.sink.point(t, &self.row)
    }

    /// Takes a point and holds it back until the next one.
    pub(crate) fn hold(&mut self, system: &mut System<'_>, t: f64, x: &[f64]) -> Result<(), RunError> {
        self.compute(system, t, x)?;
        self.release(system)?;
        self.last = Some(t);
        self.held = Some(t);
        self.held_row.copy_from_slice(&self.row);
        Ok(())
    }

    /// The point that is held back is not to be shown.
    pub(crate) fn forget(&mut self) {
        self.held = None;
    }

    /// Hands over what is held back.
    pub(crate) fn release(&mut self, system: &mut System<'_>) -> Result<(), RunError> {
        let Some(t) = self.held.take() else { return Ok(()) };
        system.statistics.output_points += 1;
        self.sink.point(t, &self.held_row)
    }
}
