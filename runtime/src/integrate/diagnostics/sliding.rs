//! The equivalent motion of a model that slides along a relation (Filippov), and what tells that it slides.
//!
//! Input: a model whose two fields at the surface of a relation both point to it. Output: a model that moves along the surface:
//! the convex combination of the two fields that leaves the crossing function at zero (Filippov, "Differential Equations with
//! Discontinuous Righthand Sides", 1988).
//!
//! Method: [`Sliding`] stands between the model and its integrator. A crossing that fires at once after another event, with slopes of
//! opposite signs before and after its own, begins the sliding; the two sides are the discrete values before and after it. A switch
//! without events (`sign`, relations in `noEvent`) begins it where steps become tiny; its sides are points a little beside the surface.
//! Sliding ends where one of the fields no longer points to the surface, seen as one more crossing, and with any other event.
//! What is left of the crossing function by rounding and inaccuracy is brought back to zero on the way. Results between the sides are
//! mixed as the fields are; discrete results are those of the side where the function is negative.
//! Guarantee: where two surfaces are met at once, which leaves the motion undetermined, nothing is combined: the run ends with R215.
//! Cost: two evaluations of the model, and four of the crossings, for one of the combination.

use crate::base::error::{EvalFailure, RunError};
use crate::integrate::diagnostics::directional::{Functions, field, look};
use crate::model::interface::{EventCause, EventOutcome, HybridModel, Mode, Sides};
use crate::model::plan::{Declared, Label, Pattern};

/// How far beside the surface a switch is evaluated, relative to the states.
const BESIDE: f64 = 1e-8;
/// Of a model whose crossings fire at times closer than this part of the run it is asked whether it slides.
const CLOSE_PART: f64 = 1e-7;
/// So many accepted steps in a row, shorter than this part of the run, may be a switch along which the model slides.
const TINY_STEPS: u32 = 30;
const TINY_PART: f64 = 1e-6;
/// Crossing functions whose gradients are parallel up to this vanish at the same surface.
const PARALLEL: f64 = 1e-4;
/// What is left of the crossing function vanishes within this part of the run.
const RETURN_PART: f64 = 1e-3;

/// Whether two crossing functions vanish at the same surface, seen from a point near to both.
pub(crate) fn are_parallel(model: &mut dyn HybridModel, (t, x): (f64, &[f64]), one: usize, other: usize, tolerance: f64) -> bool {
    let Ok(here) = Functions::Crossings.at(model, t, x) else { return false };
    let mut changes = Vec::new();
    for k in 0..3 {
        let moved: Vec<f64> = x.iter().enumerate().map(|(i, x)| x + 1e-5 * pattern(i, k) * x.abs().max(model.nominal(i))).collect();
        let Ok(values) = Functions::Crossings.at(model, t, &moved) else { return false };
        changes.push((values[one] - here[one], values[other] - here[other]));
    }
    let size = |pick: fn(&(f64, f64)) -> f64| changes.iter().map(|change| pick(change).abs()).fold(0.0, f64::max);
    let (of_one, of_other) = (size(|change| change.0), size(|change| change.1));
    // Neither is a constant, and they change by the same factor in all directions.
    of_one > 0.0
        && of_other > 0.0
        && changes.windows(2).all(|pair| (pair[0].0 * pair[1].1 - pair[0].1 * pair[1].0).abs() <= tolerance * of_one * of_other)
}

/// A fixed irregular pattern of numbers between -1 and 1.
fn pattern(i: usize, k: usize) -> f64 {
    2.0 * (0.618_033_988_749_894_9 * (i as f64 + 1.0) + 0.414_213_562_373_095 * (k as f64 + 1.0) * (i as f64 + 2.0)).fract() - 1.0
}

/// Switches that a point is on its way to, and that are left at once on the other side: their numbers, and their slopes where they are
/// negative and where they are positive.
pub(crate) fn inward_switches(model: &mut dyn HybridModel, t: f64, x: &[f64], longest: f64) -> Vec<(usize, [f64; 2])> {
    let found = |model: &mut dyn HybridModel| -> Result<Vec<(usize, [f64; 2])>, EvalFailure> {
        let mut inward = Vec::new();
        let here = Functions::Switches.at(model, t, x)?;
        if here.is_empty() {
            return Ok(inward);
        }
        let this = field(model, t, x)?;
        // At a distance that one step of the size in use would take many times.
        let span = look(model, x, &this, longest);
        let slopes = Functions::Switches.slopes(model, t, x, &this, 1e-3 * span)?;
        for (number, (&value, &slope)) in here.iter().zip(&slopes).enumerate() {
            let time = -value / slope;
            let is_on_its_way = value != 0.0 && time > 0.0 && time <= longest;
            if !is_on_its_way {
                continue;
            }
            // A little beyond the surface.
            let by = 2.0 * time + 1e-3 * span;
            let beyond: Vec<f64> = x.iter().zip(&this).map(|(x, f)| x + by * f).collect();
            let there = field(model, t, &beyond)?;
            let back = Functions::Switches.slopes(model, t, &beyond, &there, 1e-4 * span)?[number];
            if back * slope < 0.0 {
                inward.push((number, if slope > 0.0 { [slope, back] } else { [back, slope] }));
            }
        }
        Ok(inward)
    };
    found(model).unwrap_or_default()
}

/// One side of a surface.
#[derive(Clone, Debug)]
enum SurfaceSide {
    /// The discrete values there.
    Mode(Mode),
    /// The way there from the surface.
    Beside(Vec<f64>),
}

/// Along which function.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Surface {
    functions: Functions,
    number: usize,
}

/// A motion along a surface.
#[derive(Debug)]
struct Slide {
    surface: Surface,
    /// Where the function is negative and where it is positive.
    sides: [SurfaceSide; 2],
    /// Crossings that vanish at the surface, too, and rest.
    resting: Vec<usize>,
}

/// What holds at a point of the surface.
struct Combination {
    fields: [Vec<f64>; 2],
    /// How fast the function changes on either side: positive, then negative, as long as the model slides.
    slopes: [f64; 2],
    /// Part of the second field.
    part: f64,
}

/// A model that moves along surfaces where it would slide.
pub(crate) struct Sliding<'a> {
    model: &'a mut dyn HybridModel,
    span: f64,
    slide: Option<Slide>,
    /// When a crossing has fired last.
    last: Option<f64>,
    /// Tiny steps in a row, and when the last one ended.
    tiny: (u32, f64),
}

impl<'a> Sliding<'a> {
    /// Stands before a model that is run for this long.
    pub(crate) fn new(model: &'a mut dyn HybridModel, span: f64) -> Sliding<'a> {
        Sliding { model, span, slide: None, last: None, tiny: (0, f64::NEG_INFINITY) }
    }

    /// Puts the model on one side of the surface; the point there.
    fn go_to(&mut self, side: usize, x: &[f64]) -> Vec<f64> {
        match self.slide.as_ref().map(|slide| &slide.sides[side]) {
            Some(SurfaceSide::Mode(mode)) => {
                self.model.set_mode(mode);
                x.to_vec()
            }
            Some(SurfaceSide::Beside(way)) => x.iter().zip(way).map(|(x, way)| x + way).collect(),
            None => x.to_vec(),
        }
    }

    fn combine(&mut self, t: f64, x: &[f64]) -> Result<Combination, EvalFailure> {
        let Some(surface) = self.slide.as_ref().map(|slide| slide.surface) else {
            return Err(EvalFailure::new("the model does not slide"));
        };
        let mut fields: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
        let mut slopes = [0.0; 2];
        for side in [0, 1] {
            let point = self.go_to(side, x);
            fields[side] = field(self.model, t, &point)?;
            slopes[side] = surface.functions.slopes(self.model, t, x, &fields[side], 1e-6 * self.span)?[surface.number];
        }
        self.go_to(0, x);
        let value = surface.functions.at(self.model, t, x)?[surface.number];
        let wanted = -value / (RETURN_PART * self.span);
        // The slope of the combination is `(1 - part)*slopes[0] + part*slopes[1]`.
        let part = ((slopes[0] - wanted) / (slopes[0] - slopes[1])).clamp(0.0, 1.0);
        if part.is_nan() {
            return Err(EvalFailure::new(format!("the motion along `{}` is not determined: both sides move along it", self.label())));
        }
        Ok(Combination { fields, slopes, part })
    }

    fn label(&self) -> String {
        match self.slide.as_ref().map(|slide| slide.surface) {
            Some(Surface { functions: Functions::Crossings, number }) => self.model.crossing_label(number),
            Some(Surface { functions: Functions::Switches, number }) => self.model.switch_label(number),
            None => String::new(),
        }
    }

    /// Positive as long as both fields point to the surface.
    fn hold(&mut self, t: f64, x: &[f64]) -> Result<f64, EvalFailure> {
        if self.slide.is_none() {
            return Ok(1.0);
        }
        let Combination { slopes: [below, above], .. } = self.combine(t, x)?;
        Ok(below.min(-above) / below.abs().max(above.abs()))
    }

    /// Begins to slide if the event that has just been handled says so: the crossing has fired to this side.
    fn begin_at(&mut self, t: f64, x: &[f64], crossing: usize, positive: bool, before: &Before) -> Result<bool, EvalFailure> {
        let after = field(self.model, t, x)?;
        let slope = Functions::Crossings.slopes(self.model, t, x, &after, 1e-6 * self.span)?[crossing];
        let slopes = if positive { [before.slope, slope] } else { [slope, before.slope] };
        if !(slopes[0] > 0.0 && slopes[1] < 0.0) {
            return Ok(false);
        }
        let values = Functions::Crossings.at(self.model, t, x)?;
        let near = |other: usize| values[other].abs() <= 1e-6 * self.span * (slopes[0] - slopes[1]);
        let nearby: Vec<usize> = (0..values.len()).filter(|&other| other != crossing && near(other)).collect();
        let resting = nearby.into_iter().filter(|&other| are_parallel(self.model, (t, x), crossing, other, PARALLEL)).collect();
        let now = self.model.mode();
        let sides = if positive { [before.mode.clone(), now] } else { [now, before.mode.clone()] };
        self.slide = Some(Slide {
            surface: Surface { functions: Functions::Crossings, number: crossing },
            sides: sides.map(SurfaceSide::Mode),
            resting,
        });
        Ok(true)
    }

    /// Begins to slide along a switch without events, if the model does so here and along no second one.
    fn begin_beside(&mut self, t: f64, x: &mut [f64]) -> Result<bool, EvalFailure> {
        let longest = 1e-6 * self.span;
        let [(number, slopes)] = inward_switches(self.model, t, x, longest)[..] else { return Ok(false) };
        let surface = Surface { functions: Functions::Switches, number };
        let this = field(self.model, t, x)?;
        let value = Functions::Switches.at(self.model, t, x)?[number];
        let slope = if value < 0.0 { slopes[0] } else { slopes[1] };
        for (x, f) in x.iter_mut().zip(&this) {
            *x -= value / slope * f;
        }
        // Across the surface, to where the function is positive.
        let across: Vec<f64> = this.iter().map(|f| f * slope.signum()).collect();
        let by = BESIDE / REACH_OF_LOOK * look(self.model, x, &across, longest);
        let way = |sign: f64| -> Vec<f64> { across.iter().map(|part| sign * by * part).collect() };
        self.slide = Some(Slide { surface, sides: [SurfaceSide::Beside(way(-1.0)), SurfaceSide::Beside(way(1.0))], resting: Vec::new() });
        Ok(true)
    }

    /// Ends the sliding on the side whose field leads away from the surface, a little beside it.
    fn leave(&mut self, t: f64, x: &mut [f64]) -> Result<(), EvalFailure> {
        let Combination { fields, slopes: [below, above], .. } = self.combine(t, x)?;
        let side = usize::from(above > -below);
        self.go_to(side, x);
        let by = 1e-4 * look(self.model, x, &fields[side], 1e-6 * self.span);
        for (x, f) in x.iter_mut().zip(&fields[side]) {
            *x += by * f;
        }
        self.slide = None;
        Ok(())
    }
}

/// What `look` takes as far.
const REACH_OF_LOOK: f64 = 1e-6;

/// The side before an event.
struct Before {
    mode: Mode,
    slope: f64,
}

fn failed(t: f64) -> impl Fn(EvalFailure) -> RunError {
    move |failure| RunError::from_eval("R102", "the event cannot be handled", &failure).at_time(t)
}

impl Sides for Sliding<'_> {
    fn n_switches(&self) -> usize {
        self.model.n_switches()
    }

    fn switches(&mut self, t: f64, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.model.switches(t, x, out)
    }

    fn switch_label(&self, switch: usize) -> String {
        self.model.switch_label(switch)
    }

    fn switch_span(&self, switch: usize) -> Option<(u32, u32)> {
        self.model.switch_span(switch)
    }

    fn time_event_label(&mut self, t: f64) -> Option<Label> {
        self.model.time_event_label(t)
    }

    fn remarks(&self) -> Vec<RunError> {
        self.model.remarks()
    }

    fn is_discrete_output(&self, output: usize) -> bool {
        self.model.is_discrete_output(output)
    }
}

impl HybridModel for Sliding<'_> {
    fn n_states(&self) -> usize {
        self.model.n_states()
    }

    fn state_name(&self, state: usize) -> &str {
        self.model.state_name(state)
    }

    fn declared(&self, state: usize) -> Declared {
        self.model.declared(state)
    }

    fn nominal(&self, state: usize) -> f64 {
        self.model.nominal(state)
    }

    fn set_stop_time(&mut self, t: f64) {
        self.model.set_stop_time(t);
    }

    fn has_event_at_start(&self) -> bool {
        self.model.has_event_at_start()
    }

    fn is_instant(&self, crossing: usize) -> bool {
        crossing < self.model.n_crossings() && self.model.is_instant(crossing)
    }

    fn violated(&self) -> &[usize] {
        self.model.violated()
    }

    fn is_violated(&mut self, assertion: usize, t: f64, x: &[f64]) -> bool {
        self.model.is_violated(assertion, t, x)
    }

    fn report_violation(&mut self, assertion: usize, t: f64, x: &[f64]) -> Option<RunError> {
        self.model.report_violation(assertion, t, x)
    }

    fn initialize(&mut self, t0: f64, x: &mut [f64]) -> Result<EventOutcome, RunError> {
        self.slide = None;
        self.last = None;
        self.model.initialize(t0, x)
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), EvalFailure> {
        if self.slide.is_none() {
            return self.model.derivatives(t, x, dx);
        }
        let Combination { fields: [below, above], part, .. } = self.combine(t, x)?;
        for ((dx, below), above) in dx.iter_mut().zip(&below).zip(&above) {
            *dx = (1.0 - part) * below + part * above;
        }
        Ok(())
    }

    fn jacobian_pattern(&self) -> &Pattern {
        self.model.jacobian_pattern()
    }

    fn jacobian(&mut self, t: f64, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        if self.slide.is_none() {
            return self.model.jacobian(t, x, values);
        }
        let part = self.combine(t, x)?.part;
        let mut other = vec![0.0; values.len()];
        let point = self.go_to(1, x);
        self.model.jacobian(t, &point, &mut other)?;
        let point = self.go_to(0, x);
        self.model.jacobian(t, &point, values)?;
        for (value, other) in values.iter_mut().zip(&other) {
            *value = (1.0 - part) * *value + part * other;
        }
        Ok(())
    }

    fn n_crossings(&self) -> usize {
        self.model.n_crossings() + 1
    }

    fn crossings(&mut self, t: f64, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        let own = out.len() - 1;
        out[own] = self.hold(t, x)?;
        self.model.crossings(t, x, &mut out[..own])?;
        if let Some(slide) = &self.slide {
            let crossing = (slide.surface.functions == Functions::Crossings).then_some(slide.surface.number);
            for resting in slide.resting.iter().copied().chain(crossing) {
                out[resting] = if self.model.relation(resting) == Some(true) { 1.0 } else { -1.0 };
            }
        }
        Ok(())
    }

    fn crossing_sizes(&mut self, out: &mut [f64]) -> Result<(), EvalFailure> {
        let own = out.len() - 1;
        self.model.crossing_sizes(&mut out[..own])
    }

    fn crossing_label(&self, crossing: usize) -> String {
        if crossing < self.model.n_crossings() {
            self.model.crossing_label(crossing)
        } else {
            format!("the motion along `{}` ends", self.label())
        }
    }

    fn crossing_span(&self, crossing: usize) -> Option<(u32, u32)> {
        if crossing < self.model.n_crossings() { self.model.crossing_span(crossing) } else { None }
    }

    fn relation(&self, crossing: usize) -> Option<bool> {
        if crossing < self.model.n_crossings() { self.model.relation(crossing) } else { Some(true) }
    }

    fn set_round_off(&mut self, of_crossings: &[f64]) {
        self.model.set_round_off(&of_crossings[..of_crossings.len() - 1]);
    }

    fn next_time_event(&mut self, t: f64) -> Option<f64> {
        self.model.next_time_event(t)
    }

    fn next_kink(&mut self, t: f64) -> Option<f64> {
        self.model.next_kink(t)
    }

    fn event(&mut self, t: f64, x: &mut [f64], cause: &EventCause) -> Result<EventOutcome, RunError> {
        let own = self.model.n_crossings();
        let fired: Vec<(usize, bool)> = match cause {
            EventCause::State(fired) => fired.iter().copied().filter(|(crossing, _)| *crossing < own).collect(),
            EventCause::Time => Vec::new(),
        };
        if self.slide.is_some() {
            self.leave(t, x).map_err(failed(t))?;
            self.last = None;
            let cause = if *cause == EventCause::Time { EventCause::Time } else { EventCause::State(fired) };
            let mut outcome = self.model.event(t, x, &cause)?;
            outcome.changed = true;
            return Ok(outcome);
        }
        let again = match (self.last, fired.as_slice()) {
            // Others that fire with the first one have to vanish at the same surface.
            (Some(last), [(crossing, positive), others @ ..]) if t - last <= CLOSE_PART * self.span => others
                .iter()
                .all(|(other, _)| are_parallel(self.model, (t, x), *crossing, *other, PARALLEL))
                .then_some((*crossing, *positive)),
            _ => None,
        };
        let before = match again {
            Some((crossing, _)) => {
                let here = field(self.model, t, x).map_err(failed(t))?;
                let slopes = Functions::Crossings.slopes(self.model, t, x, &here, 1e-6 * self.span).map_err(failed(t))?;
                Some(Before { mode: self.model.mode(), slope: slopes[crossing] })
            }
            None => None,
        };
        let point = x.to_vec();
        let cause = if *cause == EventCause::Time { EventCause::Time } else { EventCause::State(fired.clone()) };
        let mut outcome = self.model.event(t, x, &cause)?;
        self.last = (!fired.is_empty()).then_some(t);
        if let (Some(before), Some((crossing, positive))) = (before, again)
            && *x == point[..]
            && self.begin_at(t, x, crossing, positive, &before).map_err(failed(t))?
        {
            outcome.changed = true;
        }
        Ok(outcome)
    }

    fn order_sensitive(&self) -> &[usize] {
        self.model.order_sensitive()
    }

    fn accept(&mut self, t: f64, x: &mut [f64]) -> Result<EventOutcome, RunError> {
        self.go_to(0, x);
        let mut outcome = self.model.accept(t, x)?;
        let (count, last) = self.tiny;
        self.tiny = (if t - last <= TINY_PART * self.span { count + 1 } else { 0 }, t);
        if self.slide.is_none() && self.tiny.0 >= TINY_STEPS && self.model.n_switches() > 0 {
            self.tiny.0 = 0;
            outcome.changed |= self.begin_beside(t, x).map_err(failed(t))?;
        }
        Ok(outcome)
    }

    fn other_states(&mut self, t: f64, before: &[f64], now: &mut [f64]) -> Result<bool, EvalFailure> {
        self.model.other_states(t, before, now)
    }

    fn n_outputs(&self) -> usize {
        self.model.n_outputs()
    }

    fn outputs(&mut self, t: f64, x: &[f64], row: &mut [f64]) -> Result<(), EvalFailure> {
        if self.slide.is_none() {
            return self.model.outputs(t, x, row);
        }
        let part = self.combine(t, x)?.part;
        let mut other = vec![0.0; row.len()];
        let point = self.go_to(1, x);
        self.model.outputs(t, &point, &mut other)?;
        let point = self.go_to(0, x);
        self.model.outputs(t, &point, row)?;
        for (i, (value, other)) in row.iter_mut().zip(&other).enumerate() {
            if !self.model.is_discrete_output(i) && *value != *other {
                *value = (1.0 - part) * *value + part * other;
            }
        }
        Ok(())
    }

    fn terminal(&mut self, t: f64, x: &mut [f64]) -> Result<EventOutcome, RunError> {
        self.go_to(0, x);
        self.model.terminal(t, x)
    }
}
