//! The parts of a cascade as models of their own, all in one model.
//!
//! Input: a model that computes any subset of its derivatives, the states of each part. Output: [`Head`], which has the events, and [`Tail`], which
//! reads the trajectory of the head.
//!
//! What reaches a tail from outside may vary much faster than the tail does, so it is not sampled at the steps of the tail. For the states that
//! read the head or discrete values (its edge), with the whole tail held at a reference `r`,
//!
//! ```text
//!     x' = f(t, x, u(t)) = b(t) + a(t, x),   b(t) = f(t, r, u(t)),   a(t, x) = f(t, x, u(t)) - f(t, r, u(t))
//! ```
//!
//! is exact. The tail integrates `y = x - B` with `B` the integral of `b`, which is computed at the steps of the head
//! ([`Integral`]): `y' = a(t, y + B)` has neither the jumps nor the mean of what varies fast. The ripple that `B` has left is small, but steps
//! that sample it at a few points would see anything; so `a` is taken at `y + S` with `S` the smooth part of `B` around a time, over as much
//! as a step is long and as several periods of the events of the head. What the ripple `B - S` does to others is its integral `Q` times the
//! Jacobian, without a mean: where it shows, results contain it. Short steps resolve the ripple, since then `S` is `B`.
//! Where states and inputs are not terms of one sum, `a` varies fast, too; that is looked for at every step of the tail, and where it is found,
//! steps of the tail end where those of the head do.
//! Guarantees: no evaluation of a tail changes what the head sees. Cost: beside the derivatives of the tail those of its edge once more.

use super::integral::{Integral, POINTS, point as point_of};
use super::trajectory::Trajectory;
use crate::base::error::{EvalFailure, RunError};
use crate::model::interface::{EventCause, EventOutcome, HybridModel, Mode, Sides, SubsetId};
use crate::model::plan::{Declared, Label, Pattern};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// `B` begins anew where it is larger than this part of the state: errors are measured by `y`.
const LARGE: f64 = 0.25;
/// `S` is a fit over so many steps before and after a time, and over so many times between two events of the head if it has as many.
const WIDTH: f64 = 2.0;
const PERIODS: f64 = 16.0;
const MANY_EVENTS: usize = 64;
/// What a step makes of a difference of derivatives is not looked at below so many units in the last place of the state.
const DIGITS: f64 = 64.0 * f64::EPSILON;
/// Other discrete values are looked for in so many steps before.
const FAR: usize = 1000;
/// The ripple shows where its effect is so many times what a step may add to an error.
const SHOWS: f64 = 10.0;
/// Steps from one look at what the ripple does to the next.
const LOOK: u64 = 8;

/// The model that all parts are in.
pub(super) struct Shared<'m> {
    pub(super) model: &'m mut dyn HybridModel,
    /// All states: those of the head as they are at its last point, others where they were when all parts were at one time.
    pub(super) point: Vec<f64>,
    /// Discrete values, as they followed each other, and the number of those that hold in the model now.
    pub(super) modes: Vec<Mode>,
    holds: usize,
}

impl<'m> Shared<'m> {
    pub(super) fn new(model: &'m mut dyn HybridModel, point: Vec<f64>) -> Shared<'m> {
        let modes = vec![model.mode()];
        Shared { model, point, modes, holds: 0 }
    }

    /// Makes discrete values hold that held before.
    pub(super) fn hold(&mut self, mode: usize) {
        if std::mem::replace(&mut self.holds, mode) != mode {
            self.model.set_mode(&self.modes[mode]);
        }
    }

    pub(super) fn hold_latest(&mut self) {
        self.hold(self.modes.len() - 1);
    }

    /// The model has handled an event.
    fn note_mode(&mut self) {
        let mode = self.model.mode();
        if self.modes.last() != Some(&mode) {
            self.modes.push(mode);
        }
        self.holds = self.modes.len() - 1;
    }

    /// Forgets all discrete values but those that hold last.
    pub(super) fn forget(&mut self) {
        self.hold_latest();
        self.modes.drain(..self.modes.len() - 1);
        self.holds = 0;
    }

    fn put(&mut self, states: &[usize], x: &[f64]) {
        states.iter().zip(x).for_each(|(&state, x)| self.point[state] = *x);
    }

    fn subset(&mut self, subset: SubsetId, t: f64, dx: &mut [f64]) -> Result<(), EvalFailure> {
        self.model.subset_derivatives(subset, t, &self.point, dx)
    }
}

/// What head and tails have in common.
pub(super) struct Part<'m> {
    shared: Rc<RefCell<Shared<'m>>>,
    states: Vec<usize>,
    subset: SubsetId,
    names: Vec<String>,
    declared: Vec<Declared>,
    pattern: Pattern,
    operations: f64,
    dx: Vec<f64>,
}

impl<'m> Part<'m> {
    /// These states of the model; the subset is chosen here.
    pub(super) fn new(shared: &Rc<RefCell<Shared<'m>>>, states: Vec<usize>, subset: SubsetId) -> Part<'m> {
        let model = &mut *shared.borrow_mut().model;
        model.select(subset, &states);
        Part {
            shared: shared.clone(),
            subset,
            names: states.iter().map(|&state| model.state_name(state).to_string()).collect(),
            declared: states.iter().map(|&state| model.declared(state)).collect(),
            pattern: model.subset_pattern(subset).cloned().unwrap_or_default(),
            operations: model.subset_share(subset) * model.operations(),
            dx: vec![0.0; states.len()],
            states,
        }
    }
}

/// The part that has all events. Its results are its states and the number of the discrete values.
pub(super) struct Head<'m> {
    part: Part<'m>,
    /// The number of the discrete values that hold.
    mode: Rc<Cell<usize>>,
    order_sensitive: Vec<usize>,
    violated: Vec<usize>,
}

impl<'m> Head<'m> {
    pub(super) fn new(part: Part<'m>, mode: Rc<Cell<usize>>) -> Head<'m> {
        Head { part, mode, order_sensitive: Vec::new(), violated: Vec::new() }
    }

    /// Calls the model with all states.
    fn with<R>(&self, x: &[f64], call: impl FnOnce(&mut dyn HybridModel, &mut [f64]) -> R) -> R {
        let mut shared = self.part.shared.borrow_mut();
        shared.put(&self.part.states, x);
        let Shared { model, point, .. } = &mut *shared;
        call(&mut **model, point)
    }

    /// Calls the model where it may change states and discrete values.
    fn changing<R>(&self, x: &mut [f64], call: impl FnOnce(&mut dyn HybridModel, &mut [f64]) -> R) -> R {
        let result = self.with(x, call);
        self.take_over(x);
        result
    }

    /// States and discrete values as the model has changed them.
    fn take_over(&self, x: &mut [f64]) {
        let mut shared = self.part.shared.borrow_mut();
        self.part.states.iter().zip(x).for_each(|(&state, x)| *x = shared.point[state]);
        shared.note_mode();
        self.mode.set(shared.holds);
    }

    fn model<R>(&self, call: impl FnOnce(&dyn HybridModel) -> R) -> R {
        call(&*self.part.shared.borrow().model)
    }
}

impl Sides for Head<'_> {
    fn mode(&self) -> Mode {
        self.model(|model| model.mode())
    }

    fn set_mode(&mut self, mode: &Mode) {
        let mut shared = self.part.shared.borrow_mut();
        shared.model.set_mode(mode);
        shared.note_mode();
        self.mode.set(shared.holds);
    }

    fn time_event_label(&mut self, t: f64) -> Option<Label> {
        self.part.shared.borrow_mut().model.time_event_label(t)
    }
}

impl HybridModel for Head<'_> {
    fn n_states(&self) -> usize {
        self.part.states.len()
    }

    fn state_name(&self, state: usize) -> &str {
        &self.part.names[state]
    }

    fn declared(&self, state: usize) -> Declared {
        self.part.declared[state]
    }

    fn initialize(&mut self, _: f64, x: &mut [f64]) -> Result<EventOutcome, RunError> {
        let shared = self.part.shared.borrow();
        x.iter_mut().zip(&self.part.states).for_each(|(x, &state)| *x = shared.point[state]);
        Ok(EventOutcome::default())
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), EvalFailure> {
        let mut shared = self.part.shared.borrow_mut();
        shared.put(&self.part.states, x);
        shared.subset(self.part.subset, t, dx)
    }

    fn jacobian_pattern(&self) -> &Pattern {
        &self.part.pattern
    }

    fn jacobian(&mut self, t: f64, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        let mut shared = self.part.shared.borrow_mut();
        shared.put(&self.part.states, x);
        shared.subset(self.part.subset, t, &mut self.part.dx)?;
        shared.model.subset_jacobian(self.part.subset, values)
    }

    fn operations(&self) -> f64 {
        self.part.operations
    }

    fn n_crossings(&self) -> usize {
        self.model(|model| model.n_crossings())
    }

    fn crossings(&mut self, t: f64, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.with(x, |model, point| model.crossings(t, point, out))
    }

    fn crossing_sizes(&mut self, out: &mut [f64]) -> Result<(), EvalFailure> {
        self.part.shared.borrow_mut().model.crossing_sizes(out)
    }

    fn crossing_label(&self, crossing: usize) -> String {
        self.model(|model| model.crossing_label(crossing))
    }

    fn crossing_span(&self, crossing: usize) -> Option<(u32, u32)> {
        self.model(|model| model.crossing_span(crossing))
    }

    fn relation(&self, crossing: usize) -> Option<bool> {
        self.model(|model| model.relation(crossing))
    }

    fn set_round_off(&mut self, of_crossings: &[f64]) {
        self.part.shared.borrow_mut().model.set_round_off(of_crossings);
    }

    fn next_time_event(&mut self, t: f64) -> Option<f64> {
        self.part.shared.borrow_mut().model.next_time_event(t)
    }

    fn next_kink(&mut self, t: f64) -> Option<f64> {
        self.part.shared.borrow_mut().model.next_kink(t)
    }

    fn event(&mut self, t: f64, x: &mut [f64], cause: &EventCause) -> Result<EventOutcome, RunError> {
        let outcome = self.changing(x, |model, point| model.event(t, point, cause));
        self.order_sensitive = self.model(|model| model.order_sensitive().to_vec());
        outcome
    }

    fn order_sensitive(&self) -> &[usize] {
        &self.order_sensitive
    }

    fn accept(&mut self, t: f64, x: &mut [f64]) -> Result<EventOutcome, RunError> {
        let outcome = self.with(x, |model, point| model.accept(t, point));
        if outcome.as_ref().map_or(true, |outcome| outcome.changed) {
            self.take_over(x);
        }
        self.violated = self.model(|model| model.violated().to_vec());
        outcome
    }

    fn violated(&self) -> &[usize] {
        &self.violated
    }

    fn is_violated(&mut self, assertion: usize, t: f64, x: &[f64]) -> bool {
        self.with(x, |model, point| model.is_violated(assertion, t, point))
    }

    fn report_violation(&mut self, assertion: usize, t: f64, x: &[f64]) -> Option<RunError> {
        self.with(x, |model, point| model.report_violation(assertion, t, point))
    }

    fn n_outputs(&self) -> usize {
        self.part.states.len() + 1
    }

    fn outputs(&mut self, _: f64, x: &[f64], row: &mut [f64]) -> Result<(), EvalFailure> {
        row[..x.len()].copy_from_slice(x);
        row[x.len()] = self.mode.get() as f64;
        Ok(())
    }

    fn is_instant(&self, crossing: usize) -> bool {
        self.model(|model| model.is_instant(crossing))
    }

    fn terminal(&mut self, t: f64, x: &mut [f64]) -> Result<EventOutcome, RunError> {
        self.changing(x, |model, point| model.terminal(t, point))
    }
}

/// States of a tail that read the head or discrete values.
struct Edge {
    /// Positions in the tail, ascending.
    rows: Vec<usize>,
    subset: SubsetId,
    /// The tail where `b` is taken.
    reference: Vec<f64>,
    integral: Integral,
    /// The window of the trajectory that was integrated.
    window: Option<u64>,
    /// Where `B` is zero.
    offset: Vec<f64>,
    /// Where the last fit was made, and its `S` before the offset is taken off.
    fitted: Option<(Option<u64>, f64, f64)>,
    kept: Vec<f64>,
    /// `S`, and `Q`.
    smooth: Vec<f64>,
    ripple: Vec<f64>,
    /// `B`, and by how much it was moved last.
    b: Vec<f64>,
    shift: Vec<f64>,
    /// The derivatives of the edge at the reference.
    there: Vec<f64>,
    /// How far its states have moved.
    sizes: Vec<f64>,
}

/// A part that reads the head. Its results are its states.
pub(super) struct Tail<'m> {
    part: Part<'m>,
    trajectory: Rc<RefCell<Trajectory>>,
    edge: Option<Edge>,
    /// What one step may add to an error, as a part of the state.
    tolerance: f64,
    /// Where a step was accepted last.
    accepted: f64,
    /// Inputs and states are not terms of one sum: steps end where those of the head do.
    is_bound: Rc<Cell<bool>>,
    /// Half of the window of the last fit, and the least one.
    width: f64,
    least_width: f64,
    /// Whether the ripple shows in results, and how many steps were accepted.
    shows_ripple: bool,
    n_accepted: u64,
    /// Whether the states of the last accepted point are not those of its history.
    begins_anew: bool,
    probe: [Vec<f64>; 2],
}

impl<'m> Tail<'m> {
    /// The tail at `x`, its states; `rows` are its edge.
    pub(super) fn new(
        part: Part<'m>,
        trajectory: &Rc<RefCell<Trajectory>>,
        (rows, subset): (Vec<usize>, SubsetId),
        (t, x): (f64, &[f64]),
        tolerance: f64,
        is_bound: Rc<Cell<bool>>,
    ) -> Tail<'m> {
        let n = rows.len();
        let edge = (n > 0).then(|| {
            let states: Vec<usize> = rows.iter().map(|&row| part.states[row]).collect();
            part.shared.borrow_mut().model.select(subset, &states);
            Edge {
                subset,
                reference: x.to_vec(),
                integral: Integral::new(n),
                window: None,
                offset: vec![0.0; n],
                fitted: None,
                kept: vec![0.0; n],
                smooth: vec![0.0; n],
                ripple: vec![0.0; n],
                b: vec![0.0; n],
                shift: vec![0.0; n],
                there: vec![0.0; n],
                sizes: vec![0.0; n],
                rows,
            }
        });
        let probe = [(); 2].map(|()| vec![0.0; part.states.len()]);
        Tail {
            part,
            trajectory: trajectory.clone(),
            edge,
            tolerance,
            accepted: t,
            is_bound,
            width: 0.0,
            least_width: 0.0,
            shows_ripple: false,
            n_accepted: 0,
            begins_anew: false,
            probe,
        }
    }

    /// Integrates what reaches the edge over the steps that the head has made.
    fn integrate(&mut self) -> Result<(), EvalFailure> {
        let Some(edge) = &mut self.edge else { return Ok(()) };
        let trajectory = self.trajectory.borrow();
        if edge.window == Some(trajectory.window) {
            return Ok(());
        }
        let mut shared = self.part.shared.borrow_mut();
        let n = edge.rows.len();
        let mut values = vec![0.0; POINTS * n];
        edge.integral.forget();
        for segment in &trajectory.segments {
            let length = segment.end - segment.begin;
            for j in 0..POINTS {
                let t = segment.begin + point_of(j) * length;
                let _ = trajectory.follow(t, &mut shared.point);
                shared.hold(segment.mode);
                shared.put(&self.part.states, &edge.reference);
                shared.subset(edge.subset, t, &mut values[j * n..(j + 1) * n])?;
            }
            edge.integral.push(segment, &values);
        }
        edge.window = Some(trajectory.window);
        let segments = &trajectory.segments;
        let n_events = segments.windows(2).filter(|pair| pair[0].mode != pair[1].mode).count();
        let span = segments.last().map_or(0.0, |last| last.end - segments[0].begin);
        self.least_width = if n_events < MANY_EVENTS { 0.0 } else { PERIODS * span / n_events as f64 };
        Ok(())
    }

    /// `S` at a time.
    fn find_smooth(&mut self, t: f64) -> Result<(), EvalFailure> {
        self.integrate()?;
        if t > self.accepted {
            self.width = WIDTH * (t - self.accepted);
        }
        self.fit(t, self.width.max(self.least_width));
        Ok(())
    }

    /// `S` and `Q` at a time, by a fit with a window that is this wide on both sides.
    fn fit(&mut self, t: f64, half: f64) {
        let half = if self.is_bound.get() { 0.0 } else { half };
        if let Some(edge) = &mut self.edge {
            // Iterations ask for the same again and again.
            let what = (edge.window, t, half);
            if edge.fitted == Some(what) {
                edge.smooth.copy_from_slice(&edge.kept);
                edge.smooth.iter_mut().zip(&edge.offset).for_each(|(smooth, offset)| *smooth -= offset);
                return;
            }
            edge.fitted = Some(what);
            edge.integral.smooth(&self.trajectory.borrow(), t, half, &mut edge.smooth, &mut edge.ripple);
            edge.kept.copy_from_slice(&edge.smooth);
            edge.smooth.iter_mut().zip(&edge.offset).for_each(|(smooth, offset)| *smooth -= offset);
        }
    }

    /// `B` at a time.
    fn find_b(&mut self, t: f64) -> Result<(), EvalFailure> {
        self.integrate()?;
        if let Some(edge) = &mut self.edge {
            edge.integral.at(&self.trajectory.borrow(), t, &mut edge.b);
            edge.b.iter_mut().zip(&edge.offset).for_each(|(b, offset)| *b -= offset);
        }
        Ok(())
    }

    /// The derivatives at a time, with what is read as it was at another one.
    fn evaluate(&mut self, t: f64, y: &[f64], read_at: f64, dx: &mut [f64]) -> Result<(), EvalFailure> {
        self.find_smooth(t)?;
        self.evaluate_here(t, y, read_at, dx)
    }

    /// The same where `S` is known.
    fn evaluate_here(&mut self, t: f64, y: &[f64], read_at: f64, dx: &mut [f64]) -> Result<(), EvalFailure> {
        let mut shared = self.part.shared.borrow_mut();
        let mode = self.trajectory.borrow().follow(read_at, &mut shared.point);
        mode.into_iter().for_each(|mode| shared.hold(mode));
        if let Some(edge) = &mut self.edge {
            shared.put(&self.part.states, &edge.reference);
            shared.subset(edge.subset, t, &mut edge.there)?;
        }
        shared.put(&self.part.states, y);
        for (row, smooth) in self.edge.iter().flat_map(|edge| edge.rows.iter().zip(&edge.smooth)) {
            shared.point[self.part.states[*row]] += smooth;
        }
        shared.subset(self.part.subset, t, dx)?;
        for (row, there) in self.edge.iter().flat_map(|edge| edge.rows.iter().zip(&edge.there)) {
            dx[*row] -= there;
        }
        Ok(())
    }

    /// What the ripple does to the tail, `Q` times the Jacobian, in the first of the probes.
    fn find_effect_of_ripple(&mut self, t: f64, y: &[f64]) -> Result<(), EvalFailure> {
        self.integrate()?;
        // A wide window would take what the steps resolve for ripple.
        self.fit(t, if self.least_width > 0.0 { self.least_width } else { self.width });
        let [mut with, mut without] = std::mem::take(&mut self.probe);
        let mut done = self.evaluate_here(t, y, t, &mut without);
        if let Some(edge) = &mut self.edge {
            edge.smooth.iter_mut().zip(&edge.ripple).for_each(|(smooth, ripple)| *smooth += ripple);
        }
        done = done.and_then(|()| self.evaluate_here(t, y, t, &mut with));
        with.iter_mut().zip(&without).for_each(|(with, without)| *with -= without);
        self.probe = [with, without];
        done
    }

    /// Whether results show what the ripple does.
    fn look_at_ripple(&mut self, t: f64, y: &[f64]) -> Result<(), EvalFailure> {
        self.n_accepted += 1;
        if self.edge.is_none() || self.shows_ripple || self.is_bound.get() || !self.n_accepted.is_multiple_of(LOOK) {
            return Ok(());
        }
        self.find_effect_of_ripple(t, y)?;
        let reference = self.edge.iter().flat_map(|edge| &edge.reference);
        let moved = y.iter().zip(reference).map(|(y, reference)| (y - reference).abs());
        self.shows_ripple = self.probe[0].iter().zip(moved).any(|(effect, moved)| effect.abs() > SHOWS * self.tolerance * moved);
        Ok(())
    }

    /// Whether `a` varies with what is read, so much that a step of this size would be wrong by more than it may.
    fn varies(&mut self, t: f64, y: &[f64], h: f64) -> Result<bool, EvalFailure> {
        let earlier = {
            let trajectory = self.trajectory.borrow();
            let at = trajectory.locate(t);
            let mode = trajectory.segments.get(at).map(|segment| segment.mode);
            // Other discrete values tell more than other states.
            let before = &trajectory.segments[..at.min(trajectory.segments.len())];
            let other = before.iter().rev().take(FAR).find(|segment| Some(segment.mode) != mode).or(before.last());
            other.map(|segment| 0.5 * (segment.begin + segment.end))
        };
        let Some(earlier) = earlier else { return Ok(false) };
        let [mut now, mut then] = std::mem::take(&mut self.probe);
        let done = self.evaluate(t, y, earlier, &mut then).and_then(|()| self.evaluate(t, y, t, &mut now));
        let varies = self.edge.as_ref().is_some_and(|edge| {
            let mut rows = edge.rows.iter().zip(&edge.sizes);
            rows.any(|(&row, size)| h * (now[row] - then[row]).abs() > self.tolerance * size + DIGITS * y[row].abs())
        });
        self.probe = [now, then];
        done.map(|()| varies)
    }
}

impl Sides for Tail<'_> {}

impl HybridModel for Tail<'_> {
    fn n_states(&self) -> usize {
        self.part.states.len()
    }

    fn state_name(&self, state: usize) -> &str {
        &self.part.names[state]
    }

    fn declared(&self, state: usize) -> Declared {
        self.part.declared[state]
    }

    fn initialize(&mut self, t: f64, x: &mut [f64]) -> Result<EventOutcome, RunError> {
        {
            let shared = self.part.shared.borrow();
            x.iter_mut().zip(&self.part.states).for_each(|(x, &state)| *x = shared.point[state]);
        }
        if self.edge.is_some() {
            let failed = |failure: EvalFailure| RunError::from_eval("R202", "the derivatives cannot be computed", &failure).at_time(t);
            self.find_effect_of_ripple(t, x).map_err(failed)?;
            self.shows_ripple = self.probe[0].iter().zip(&*x).any(|(effect, x)| effect.abs() > self.tolerance * x.abs());
            if self.shows_ripple {
                x.iter_mut().zip(&self.probe[0]).for_each(|(x, effect)| *x -= effect);
            }
        }
        Ok(EventOutcome::default())
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), EvalFailure> {
        // A step that ends with a step of the head ends before what an event changes there.
        let read_at = if t > self.accepted { t.next_down() } else { t };
        self.evaluate(t, x, read_at, dx)
    }

    fn jacobian_pattern(&self) -> &Pattern {
        &self.part.pattern
    }

    fn jacobian(&mut self, t: f64, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        let mut dx = std::mem::take(&mut self.part.dx);
        let done = self.evaluate(t, x, t, &mut dx);
        self.part.dx = dx;
        done?;
        self.part.shared.borrow_mut().model.subset_jacobian(self.part.subset, values)
    }

    fn operations(&self) -> f64 {
        self.part.operations
    }

    fn n_crossings(&self) -> usize {
        0
    }

    fn crossings(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), EvalFailure> {
        Ok(())
    }

    fn crossing_label(&self, crossing: usize) -> String {
        format!("crossing {crossing}")
    }

    fn next_time_event(&mut self, _: f64) -> Option<f64> {
        None
    }

    fn next_kink(&mut self, t: f64) -> Option<f64> {
        let trajectory = self.trajectory.borrow();
        let bound = self.is_bound.get().then(|| trajectory.segments.get(trajectory.locate(t)).map(|segment| segment.end)).flatten();
        bound.filter(|end| *end > t)
    }

    fn event(&mut self, _: f64, _: &mut [f64], _: &EventCause) -> Result<EventOutcome, RunError> {
        Ok(EventOutcome::default())
    }

    fn accept(&mut self, t: f64, x: &mut [f64]) -> Result<EventOutcome, RunError> {
        let failed = |failure: EvalFailure| RunError::from_eval("R202", "the derivatives cannot be computed", &failure).at_time(t);
        let h = t - std::mem::replace(&mut self.accepted, t);
        self.begins_anew = false;
        if self.edge.is_some() && !self.is_bound.get() && self.varies(t, x, h).map_err(failed)? {
            if std::mem::take(&mut self.shows_ripple) {
                // From here on the ripple is in the states.
                self.find_effect_of_ripple(t, x).map_err(failed)?;
                x.iter_mut().zip(&self.probe[0]).for_each(|(x, effect)| *x += effect);
                self.begins_anew = true;
            }
            self.is_bound.set(true);
        }
        // Rates jump with the discrete values that they depend on.
        self.begins_anew |= self.is_bound.get() && self.trajectory.borrow().jumps(t);
        self.look_at_ripple(t, x).map_err(failed)?;
        self.find_b(t).map_err(failed)?;
        let Some(edge) = &mut self.edge else { return Ok(EventOutcome::default()) };
        let mut changed = self.begins_anew;
        for (k, &row) in edge.rows.iter().enumerate() {
            let now = x[row] + edge.b[k];
            edge.sizes[k] = edge.sizes[k].max((now - edge.reference[row]).abs());
            let is_large = edge.b[k].abs() > LARGE * edge.sizes[k];
            edge.shift[k] = if is_large { edge.b[k] } else { 0.0 };
            if is_large {
                edge.offset[k] += edge.b[k];
                x[row] = now;
                changed = true;
            }
        }
        Ok(EventOutcome { changed, terminate: None })
    }

    fn other_states(&mut self, _: f64, before: &[f64], now: &mut [f64]) -> Result<bool, EvalFailure> {
        now.copy_from_slice(before);
        for (row, shift) in self.edge.iter().flat_map(|edge| edge.rows.iter().zip(&edge.shift)) {
            now[*row] += shift;
        }
        Ok(!self.begins_anew)
    }

    fn n_outputs(&self) -> usize {
        self.part.states.len()
    }

    fn outputs(&mut self, t: f64, x: &[f64], row: &mut [f64]) -> Result<(), EvalFailure> {
        row.copy_from_slice(x);
        if self.shows_ripple {
            self.find_effect_of_ripple(t, x)?;
            row.iter_mut().zip(&self.probe[0]).for_each(|(row, effect)| *row += effect);
        }
        self.find_b(t)?;
        self.edge.iter().flat_map(|edge| edge.rows.iter().zip(&edge.b)).for_each(|(at, b)| row[*at] += b);
        Ok(())
    }

    fn terminal(&mut self, _: f64, _: &mut [f64]) -> Result<EventOutcome, RunError> {
        Ok(EventOutcome::default())
    }
}
