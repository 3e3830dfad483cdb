//! What the head of a cascade did since the parts behind it were brought up to it: its dense output.
//!
//! Input: the accepted steps of a method. Output: states at any time of these steps, and the discrete values that held.
//! Method: the polynomial of a step is kept by its values at as many points as the highest degree needs. A step that an event cuts ends there.
//! Guarantee: the values are those of the method's own interpolant, up to round-off. Cost: [`NODES`] interpolations per step.

use crate::base::error::RunError;
use crate::integrate::system::method::{Attempt, Method, Rejection, System};
use crate::integrate::system::statistics::Partitioning;
use crate::model::interface::HybridModel;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Interpolants of methods are of degree 5 at most.
const NODES: usize = 6;

/// A step, or what is left of it before an event.
#[derive(Copy, Clone, Debug)]
pub(super) struct Segment {
    pub(super) begin: f64,
    pub(super) end: f64,
    /// Length of the whole step.
    length: f64,
    /// The number of the discrete values that held.
    pub(super) mode: usize,
}

#[cfg(test)]
impl Segment {
    pub(super) fn of(begin: f64, end: f64) -> Segment {
        Segment { begin, end, length: end - begin, mode: 0 }
    }
}

/// The steps.
#[derive(Default)]
pub(super) struct Trajectory {
    pub(super) segments: Vec<Segment>,
    /// The states that are read: positions in the head and in the model.
    inputs: Vec<(usize, usize)>,
    /// For every step and node their values.
    values: Vec<f64>,
    /// Changes when the steps are forgotten.
    pub(super) window: u64,
    last: Cell<usize>,
    nodes: Nodes,
}

/// Where a node lies in a step.
fn node(i: usize) -> f64 {
    0.5 - 0.5 * (std::f64::consts::PI * i as f64 / (NODES - 1) as f64).cos()
}

/// The nodes, and for each the reciprocal of the product of its distances from the others.
struct Nodes {
    at: [f64; NODES],
    weights: [f64; NODES],
}

impl Nodes {
    fn new() -> Nodes {
        let at: [f64; NODES] = std::array::from_fn(node);
        let weights = std::array::from_fn(|i| (0..NODES).filter(|j| *j != i).map(|j| 1.0 / (at[i] - at[j])).product());
        Nodes { at, weights }
    }

    /// The polynomials that are 1 at one node and 0 at the others.
    fn basis(&self, theta: f64) -> [f64; NODES] {
        // Products of the distances from the nodes before and behind.
        let mut basis = self.weights;
        let mut before = 1.0;
        for (value, node) in basis.iter_mut().zip(&self.at) {
            *value *= before;
            before *= theta - node;
        }
        let mut behind = 1.0;
        for (value, node) in basis.iter_mut().zip(&self.at).rev() {
            *value *= behind;
            behind *= theta - node;
        }
        basis
    }
}

impl Default for Nodes {
    fn default() -> Nodes {
        Nodes::new()
    }
}

impl Trajectory {
    pub(super) fn new(inputs: Vec<(usize, usize)>) -> Trajectory {
        Trajectory { inputs, ..Trajectory::default() }
    }

    /// Numbers that are kept.
    pub(super) fn size(&self) -> usize {
        self.values.len() + 4 * self.segments.len()
    }

    /// Forgets the steps.
    pub(super) fn forget(&mut self) {
        self.segments.clear();
        self.values.clear();
        self.window += 1;
        self.last.set(0);
    }

    /// Takes a step that was accepted. Earlier ones end where it begins.
    fn take(&mut self, begin: f64, method: &dyn Method, mode: usize, point: &mut [f64]) {
        let per_segment = NODES * self.inputs.len();
        while self.segments.last().is_some_and(|last| last.begin >= begin) {
            self.segments.pop();
            self.values.truncate(per_segment * self.segments.len());
        }
        if let Some(last) = self.segments.last_mut() {
            last.end = last.end.min(begin);
        }
        let end = method.time();
        for i in 0..NODES {
            match i + 1 == NODES {
                true => point.copy_from_slice(method.state()),
                false => method.interpolate(begin + node(i) * (end - begin), point),
            }
            self.values.extend(self.inputs.iter().map(|(in_head, _)| point[*in_head]));
        }
        self.segments.push(Segment { begin, end, length: end - begin, mode });
    }

    /// The step that a time lies in; a time before the first or behind the last one belongs to it.
    pub(super) fn locate(&self, t: f64) -> usize {
        let is_in = |at: usize| {
            self.segments.get(at).is_some_and(|segment| segment.begin <= t) && self.segments.get(at + 1).is_none_or(|next| t < next.begin)
        };
        let last = self.last.get();
        let found = [last, last + 1].into_iter().find(|at| is_in(*at));
        let at = found.unwrap_or_else(|| self.segments.partition_point(|segment| segment.begin <= t).max(1) - 1);
        self.last.set(at);
        at
    }

    /// Whether other discrete values hold from this time on.
    pub(super) fn jumps(&self, t: f64) -> bool {
        let mode = |t: f64| self.segments.get(self.locate(t)).map(|segment| segment.mode);
        mode(t.next_down()) != mode(t)
    }

    /// Puts the states that are read where they were, and returns the number of the discrete values that held; nothing if nothing is read.
    pub(super) fn follow(&self, t: f64, point: &mut [f64]) -> Option<usize> {
        let at = self.locate(t);
        let segment = self.segments.get(at)?;
        let basis = self.nodes.basis((t.clamp(segment.begin, segment.end) - segment.begin) / segment.length);
        let n = self.inputs.len();
        let values = &self.values[NODES * n * at..NODES * n * (at + 1)];
        for (i, (_, state)) in self.inputs.iter().enumerate() {
            point[*state] = basis.iter().enumerate().map(|(node, weight)| weight * values[node * n + i]).sum();
        }
        Some(segment.mode)
    }
}

/// A method whose steps are kept.
pub(super) struct Recording {
    pub(super) method: Box<dyn Method>,
    pub(super) trajectory: Rc<RefCell<Trajectory>>,
    /// The number of the discrete values that hold.
    pub(super) mode: Rc<Cell<usize>>,
    pub(super) point: Vec<f64>,
}

impl Method for Recording {
    fn restart(&mut self, system: &mut System<'_>, t: f64, x: &[f64], limit: f64) -> Result<(), Rejection> {
        self.method.restart(system, t, x, limit)
    }

    fn resume(&mut self, t: f64) {
        self.method.resume(t);
    }

    fn translate(&mut self, x: &[f64], other: &mut dyn FnMut(f64, &[f64], &mut [f64]) -> bool) -> bool {
        self.method.translate(x, other)
    }

    fn attempt(&mut self, system: &mut System<'_>, limit: f64) -> Attempt {
        let begin = self.method.time();
        let attempt = self.method.attempt(system, limit);
        if attempt == Attempt::Accepted {
            self.trajectory.borrow_mut().take(begin, &*self.method, self.mode.get(), &mut self.point);
        }
        attempt
    }

    fn time(&self) -> f64 {
        self.method.time()
    }

    fn state(&self) -> &[f64] {
        self.method.state()
    }

    fn next_step(&self) -> f64 {
        self.method.next_step()
    }

    fn interpolate(&self, t: f64, x: &mut [f64]) {
        self.method.interpolate(t, x);
    }

    fn inner_time(&self, after: f64) -> Option<f64> {
        self.method.inner_time(after)
    }

    fn correct_output(&mut self, system: &mut System<'_>, t: f64, x: &mut [f64]) {
        self.method.correct_output(system, t, x);
    }

    fn damp(&mut self, v: &mut [f64]) {
        self.method.damp(v);
    }

    fn warning(&self, system: &System<'_>) -> Option<RunError> {
        self.method.warning(system)
    }

    fn allow_partition(&mut self, model: &dyn HybridModel) {
        self.method.allow_partition(model);
    }

    fn partitioning(&self) -> Option<Partitioning> {
        self.method.partitioning()
    }

    fn order(&self) -> usize {
        self.method.order()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_of_degree_five_are_kept_exactly() {
        let f = |t: f64| 1.0 + t - 3.0 * t.powi(2) + 0.5 * t.powi(5);
        let mut trajectory = Trajectory::new(vec![(0, 1)]);
        for (begin, end, mode) in [(0.0, 2.0, 0), (1.5, 3.0, 1)] {
            if let Some(last) = trajectory.segments.last_mut() {
                last.end = begin;
            }
            trajectory.values.extend((0..NODES).map(|i| f(begin + node(i) * (end - begin))));
            trajectory.segments.push(Segment { begin, end, length: end - begin, mode });
        }
        let mut point = [7.0, 0.0];
        for (t, mode) in [(0.0, 0), (0.3, 0), (1.4999, 0), (1.5, 1), (2.7, 1), (3.0, 1), (0.1, 0)] {
            assert_eq!(trajectory.follow(t, &mut point), Some(mode));
            assert!((point[1] - f(t)).abs() < 1e-12 && point[0] == 7.0, "{t}: {point:?}");
        }
    }
}
