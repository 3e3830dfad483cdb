//! Crossing functions: which have changed sign, and when the first of them did.
//!
//! Input: crossing functions along the interpolant of an accepted step. Output: the first time at which one has fired, and
//! all that have fired there.
//!
//! Method: crossing functions are evaluated where stiff states follow the trajectory ([`Method::follow`]), as results are: some of them
//! are small differences of such states, magnified, and would be noise elsewhere. Illinois (modified regula falsi) on the crossing
//! that seems to fire first, with a bisection whenever the bracket does not halve in time.
//! Guarantees: the returned time is at most a few units in the last place after a time at which nothing had fired.
//! A crossing fires when it leaves a dead band around zero to the side that its relation does not have. Where the model does not
//! tell the value of the relation, the sign after the last event stands for it; exactly zero is then no side and any leaving fires.
//! So a function that rests at zero up to round-off does not fire, and one that was zero at an event is never lost.
//! A function that comes from beyond its band to exactly zero and stays there, as saturated signals do, fires where it arrives. So does
//! half of an equality wherever it comes to exactly zero; where it passes zero between two numbers, the event holds the other half true,
//! and that one fires when it leaves its band: an equality is true from one event to the next, which rounding alone tells apart.
//! A crossing that an event leaves on the wrong side (its value comes out of an iteration and differs by that tolerance) fires again
//! when it is four times as far from zero.
//! The band covers the round-off of the crossing function: that of its own size, and that of the states it is computed from,
//! which is measured by a small perturbation of the states whenever references are taken, before events, and where a value that may be
//! round-off seems to have fired: states grow between events. Where a linear system is badly scaled
//! the noise is larger than that: the band of a crossing that chatters is widened until it has clearly left zero.
//! Cost: about ten evaluations of all crossings per event.

use crate::base::error::EvalFailure;
use crate::integrate::system::method::{Method, System};
use crate::integrate::system::scales::pattern;

/// Round-off of a function, as part of its size.
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;
/// Round-off of a state, accumulated over steps, as part of its size. No theory gives this number, and what results show at an instant does
/// not depend on it: see [`Watch::is_remnant`].
const DRIFT: f64 = 64.0 * f64::EPSILON;
/// Relative perturbation by which the effect of round-off is measured.
const PERTURBATION: f64 = 1e-6;
/// Below this part of the largest value of the crossing function, or of the usual size of states, a value may be round-off.
const SMALL: f64 = 1e-8;
/// By how much a band grows when its crossing chatters.
const WIDENING: f64 = 4.0;
/// How far, as part of the largest value of the crossing function.
const WIDEST: f64 = 1e-6;
/// What is exactly zero at the end of a step and this part of it earlier has come to rest.
const JUST_BEFORE: f64 = 1e-3;
/// How many times a widened band a crossing must be away from zero to have left.
const CLEARLY: f64 = 100.0;

/// Which side of zero.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum CrossingSide {
    Negative,
    Zero,
    Positive,
}

fn side(value: f64) -> CrossingSide {
    if value > 0.0 {
        CrossingSide::Positive
    } else if value < 0.0 {
        CrossingSide::Negative
    } else {
        CrossingSide::Zero
    }
}

/// Crossing functions under observation.
#[derive(Debug)]
pub(crate) struct Watch {
    reference: Vec<CrossingSide>,
    /// Largest absolute value seen, of the function and of what it is the difference of.
    scale: Vec<f64>,
    /// Round-off that comes with the states.
    noise: Vec<f64>,
    /// Half-width of the dead band of crossings that the last event left on the wrong side; otherwise 0.
    asleep: Vec<f64>,
    /// Half-width of the dead band of crossings whose noise was found larger than measured; otherwise 0.
    widened: Vec<f64>,
    /// Whether the value at the last checked point, or after the last event, was beyond its band, or has been exactly zero since.
    away: Vec<bool>,
    /// Whether the value after the last event was within its band, but not exactly zero.
    touching: Vec<bool>,
    /// Whether it was more than the round-off of what the states are just then, too.
    remnant: Vec<bool>,
    /// Which crossings are halves of equalities.
    instant: Vec<bool>,
    /// Which crossings have come to rest at exactly zero within the step that is looked at.
    at_rest: Vec<bool>,
    /// Values and time of the checked point before `low`.
    before: Vec<f64>,
    t_before: f64,
    /// Values at the last checked point.
    low: Vec<f64>,
    t_low: f64,
    high: Vec<f64>,
    /// When something has fired last; the values there are in `high`.
    t_fired: f64,
    middle: Vec<f64>,
    /// States at the last time that [`Watch::advance`] was asked about.
    x: Vec<f64>,
    /// States in between.
    probe: Vec<f64>,
}

/// Which end of the bracket was replaced last.
#[derive(Copy, Clone, PartialEq, Eq)]
enum End {
    Neither,
    Low,
    High,
}

/// Crossings that fired.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fired {
    /// When.
    pub(crate) t: f64,
    /// Which, with the new sign (true: positive).
    pub(crate) crossings: Vec<(usize, bool)>,
}

impl Watch {
    /// Watches `n` crossings of a model with `n_states` states.
    pub(crate) fn new(n: usize, n_states: usize) -> Watch {
        Watch {
            reference: vec![CrossingSide::Zero; n],
            scale: vec![0.0; n],
            noise: vec![0.0; n],
            asleep: vec![0.0; n],
            widened: vec![0.0; n],
            away: vec![false; n],
            touching: vec![false; n],
            remnant: vec![false; n],
            instant: vec![false; n],
            at_rest: vec![false; n],
            before: vec![0.0; n],
            t_before: 0.0,
            low: vec![0.0; n],
            t_low: 0.0,
            high: vec![0.0; n],
            t_fired: f64::NAN,
            middle: vec![0.0; n],
            x: vec![0.0; n_states],
            probe: vec![0.0; n_states],
        }
    }

    /// The time of the last checked point.
    pub(crate) fn time(&self) -> f64 {
        self.t_low
    }

    /// Nothing to watch.
    pub(crate) fn is_empty(&self) -> bool {
        self.reference.is_empty()
    }

    /// Takes the relations at a point as reference: after initialisation and after every event.
    pub(crate) fn refer(&mut self, system: &mut System<'_>, t: f64, x: &[f64]) -> Result<(), EvalFailure> {
        if self.is_empty() {
            return Ok(());
        }
        evaluate(system, t, x, &mut self.low)?;
        self.middle.fill(0.0);
        system.model.crossing_sizes(&mut self.middle)?;
        for ((scale, value), size) in self.scale.iter_mut().zip(&self.low).zip(&self.middle) {
            *scale = scale.max(value.abs()).max(*size);
        }
        self.perturb(system, t, x);
        self.asleep.fill(0.0);
        for i in 0..self.low.len() {
            self.middle[i] = self.band(i);
        }
        system.model.set_round_off(&self.middle);
        for i in 0..self.low.len() {
            let value = self.low[i];
            self.reference[i] = match system.model.relation(i) {
                Some(true) => CrossingSide::Positive,
                Some(false) => CrossingSide::Negative,
                None => side(value),
            };
            if self.has_fired(i, value) {
                self.asleep[i] = 4.0 * value.abs();
            }
        }
        self.t_low = t;
        self.before.copy_from_slice(&self.low);
        self.t_before = t;
        self.at_rest.fill(false);
        for i in 0..self.low.len() {
            self.away[i] = self.low[i].abs() > self.band(i);
            self.instant[i] = system.model.is_instant(i);
            self.touching[i] = !self.away[i] && self.low[i] != 0.0 && !self.instant[i];
        }
        self.find_remnants(system, t, x);
        Ok(())
    }

    /// Finds what integration has left over of a model at rest: see [`Watch::is_remnant`]. What is to be told differs by many orders of
    /// magnitude, so one direction will do.
    fn find_remnants(&mut self, system: &mut System<'_>, t: f64, x: &[f64]) {
        self.remnant.fill(false);
        if !self.touching.contains(&true) {
            return;
        }
        for (i, (perturbed, x)) in self.probe.iter_mut().zip(x).enumerate() {
            *perturbed = x * (1.0 + PERTURBATION * pattern(i));
        }
        if evaluate(system, t, &self.probe, &mut self.middle).is_ok() {
            for i in (0..self.low.len()).filter(|&i| self.touching[i]) {
                let is_certain = DRIFT / PERTURBATION * (self.middle[i] - self.low[i]).abs() < self.low[i].abs();
                self.remnant[i] = is_certain && self.scale[i] <= self.band(i) && !system.scales.is_nothing(self.low[i]);
            }
        }
    }

    /// The values at the last checked point.
    pub(crate) fn values(&self) -> &[f64] {
        &self.low
    }

    /// Whether the sides of a relation were equal up to round-off, but not exactly, after the last event.
    pub(crate) fn was_touching(&self, crossing: usize) -> bool {
        self.touching[crossing]
    }

    /// Whether the sides of a relation, which have never differed by more than their round-off, differed after the last event by what
    /// integration has left over of a model at rest: by numbers that are all as small as their difference, so that its sign is certain,
    /// though it means nothing. A difference of larger numbers that cancel means zero, and so does what is as good as zero.
    pub(crate) fn is_remnant(&self, crossing: usize) -> bool {
        self.remnant[crossing]
    }

    /// Measures anew how the round-off of the states shows in the crossings: their sizes have become known better.
    pub(crate) fn measure_noise(&mut self, system: &mut System<'_>, t: f64, x: &[f64]) {
        if self.is_empty() {
            return;
        }
        std::mem::swap(&mut self.low, &mut self.high);
        if evaluate(system, t, x, &mut self.low).is_ok() {
            self.perturb(system, t, x);
        }
        std::mem::swap(&mut self.low, &mut self.high);
    }

    /// Measures it just before an event, and tells the model: since the last event the states may have become larger, and with them the
    /// round-off of what is a small difference of them. The values of the crossings are not needed any more.
    pub(crate) fn measure_before_event(&mut self, system: &mut System<'_>, t: f64, x: &[f64]) {
        if self.is_empty() {
            return;
        }
        if t == self.t_fired {
            self.low.copy_from_slice(&self.high);
        } else if t != self.t_low && evaluate(system, t, x, &mut self.low).is_err() {
            return;
        }
        if (0..self.low.len()).any(|i| self.is_small(system, i, self.low[i])) {
            self.perturb(system, t, x);
            for i in 0..self.low.len() {
                self.middle[i] = self.band(i);
            }
            system.model.set_round_off(&self.middle);
        }
    }

    /// Whether something has fired at a point; where it may be round-off that has, this is measured.
    fn any_fired_at(&mut self, system: &mut System<'_>, t: f64, x: &[f64], values: &[f64]) -> bool {
        if (0..values.len()).any(|i| self.has_fired(i, values[i]) && self.is_small(system, i, values[i])) {
            let low = std::mem::replace(&mut self.low, values.to_vec());
            self.perturb(system, t, x);
            self.low = low;
        }
        self.any_fired(values)
    }

    /// Whether a value may be round-off.
    fn is_small(&self, system: &System<'_>, crossing: usize, value: f64) -> bool {
        value != 0.0 && value.abs() < SMALL * self.scale[crossing].max(system.scales.usual())
    }

    /// Measures how the round-off of the states shows in the crossings, whose values are in `low`.
    fn perturb(&mut self, system: &mut System<'_>, t: f64, x: &[f64]) {
        if x.is_empty() {
            return;
        }
        // Two directions, since terms may cancel in one.
        let mut is_measured = false;
        for turn in [1.0, -1.0] {
            let mut sign = 1.0;
            for (i, (perturbed, x)) in self.probe.iter_mut().zip(x).enumerate() {
                let (size, round_off) = (system.scales.size_of_round_off(i), system.scales.round_off()[i]);
                *perturbed = x + PERTURBATION * sign * pattern(i) * x.abs().max(size).max(round_off / DRIFT);
                sign *= turn;
            }
            // Where the perturbed point cannot be evaluated, the measure before stands.
            if evaluate(system, t, &self.probe, &mut self.middle).is_ok() {
                for ((noise, perturbed), value) in self.noise.iter_mut().zip(&self.middle).zip(&self.low) {
                    let measured = DRIFT / PERTURBATION * (perturbed - value).abs();
                    *noise = if is_measured { noise.max(measured) } else { measured };
                }
                is_measured = true;
            }
        }
    }

    /// Half-width of the dead band.
    fn band(&self, crossing: usize) -> f64 {
        (ROUND_OFF * self.scale[crossing]).max(self.noise[crossing]).max(self.asleep[crossing]).max(self.widened[crossing])
    }

    /// A crossing fires again and again at the same place: what it does there may be noise. Its band grows, within limits, until
    /// it has clearly left.
    pub(crate) fn widen(&mut self, crossing: usize) {
        let wider = WIDENING * self.band(crossing).max(self.high[crossing].abs());
        self.widened[crossing] = wider.min(WIDEST * self.scale[crossing]);
    }

    /// Whether the band of a crossing was widened.
    pub(crate) fn is_widened(&self, crossing: usize) -> bool {
        self.widened[crossing] > 0.0
    }

    /// Crossings that have clearly left get their measured hysteresis back.
    fn narrow(&mut self) {
        for (widened, value) in self.widened.iter_mut().zip(&self.high) {
            if value.abs() > CLEARLY * *widened {
                *widened = 0.0;
            }
        }
    }

    /// Goes back to a time whose signs were the reference signs; the next check begins there.
    pub(crate) fn refer_time(&mut self, t: f64) {
        self.t_low = t;
        self.t_before = t;
    }

    fn has_fired(&self, crossing: usize, value: f64) -> bool {
        side(value) != self.reference[crossing] && value.abs() > self.band(crossing)
            || value == 0.0 && (self.at_rest[crossing] || self.becomes_equal(crossing))
    }

    /// Whether half of an equality that comes to exactly zero becomes true there.
    fn becomes_equal(&self, crossing: usize) -> bool {
        self.instant[crossing] && self.away[crossing] && self.reference[crossing] == CrossingSide::Negative
    }

    /// Finds the crossings that came to zero, whose values at `t` are in `high`, and were there a little before `t` too: others
    /// only pass through it.
    fn look_who_rests(&mut self, system: &mut System<'_>, method: &mut dyn Method, t: f64) -> Result<(), EvalFailure> {
        self.at_rest.fill(false);
        let came = |watch: &Watch, i: usize| watch.high[i] == 0.0 && watch.away[i];
        if !(0..self.high.len()).any(|i| came(self, i)) {
            return Ok(());
        }
        at(system, method, t - JUST_BEFORE * (t - self.t_low), &mut self.probe, &mut self.middle)?;
        for i in 0..self.high.len() {
            self.at_rest[i] = came(self, i) && self.middle[i] == 0.0;
        }
        Ok(())
    }

    fn any_fired(&self, values: &[f64]) -> bool {
        values.iter().enumerate().any(|(i, v)| self.has_fired(i, *v))
    }

    fn fired(&self, t: f64, values: &[f64]) -> Fired {
        let crossings = values.iter().enumerate().filter(|(i, v)| self.has_fired(*i, **v)).map(|(i, v)| (i, *v > 0.0)).collect();
        Fired { t, crossings }
    }

    /// What has fired at a point, without looking for the time.
    pub(crate) fn check_end(&mut self, system: &mut System<'_>, t: f64, x: &[f64]) -> Result<Option<Fired>, EvalFailure> {
        if self.is_empty() {
            return Ok(None);
        }
        evaluate(system, t, x, &mut self.high)?;
        for (scale, value) in self.scale.iter_mut().zip(&self.high) {
            *scale = scale.max(value.abs());
        }
        let fired = self.fired(t, &self.high);
        Ok(if fired.crossings.is_empty() { None } else { Some(fired) })
    }

    /// What has changed sign at the point `here`, though only within its band, and has clearly left at the point `later`.
    pub(crate) fn check_beyond(
        &mut self,
        system: &mut System<'_>,
        here: (f64, &[f64]),
        later: (f64, &[f64]),
    ) -> Result<Option<Fired>, EvalFailure> {
        evaluate(system, here.0, here.1, &mut self.low)?;
        evaluate(system, later.0, later.1, &mut self.high)?;
        let mut fired = self.fired(here.0, &self.high);
        fired.crossings.retain(|&(i, _)| side(self.low[i]) == side(self.high[i]));
        Ok(if fired.crossings.is_empty() { None } else { Some(fired) })
    }

    /// Looks between the last checked time and `t`, which lies in the last accepted step. If nothing has fired, `t` becomes the
    /// last checked time. `tiny` is the width of the bracket to be reached.
    pub(crate) fn advance(
        &mut self,
        system: &mut System<'_>,
        method: &mut dyn Method,
        t: f64,
        tiny: f64,
    ) -> Result<Option<Fired>, EvalFailure> {
        if self.is_empty() {
            return Ok(None);
        }
        at(system, method, t, &mut self.x, &mut self.high)?;
        for (scale, value) in self.scale.iter_mut().zip(&self.high) {
            *scale = scale.max(value.abs());
        }
        self.look_who_rests(system, method, t)?;
        let (x, high) = (std::mem::take(&mut self.x), std::mem::take(&mut self.high));
        let mut found = self.any_fired_at(system, t, &x, &high);
        (self.x, self.high) = (x, high);
        let mut t_high = t;
        if !found
            && self.may_have_dipped(t)
            && let Some(dip) = self.dip(system, method, t)?
        {
            t_high = dip;
            found = true;
        }
        if found {
            return self.locate(system, method, t_high, tiny).map(Some);
        }
        self.narrow();
        std::mem::swap(&mut self.before, &mut self.low);
        std::mem::swap(&mut self.low, &mut self.high);
        self.t_before = self.t_low;
        self.t_low = t;
        for i in 0..self.low.len() {
            self.away[i] = self.low[i].abs() > self.band(i) || self.low[i] == 0.0 && self.away[i];
        }
        Ok(None)
    }

    /// The states where [`Watch::advance`] last found that nothing had fired.
    pub(crate) fn point(&self) -> &[f64] {
        &self.x
    }

    /// Some crossing is so near to zero, compared with how fast it moves, that it may have been on the other side in between.
    fn may_have_dipped(&self, t: f64) -> bool {
        let past = self.t_low - self.t_before;
        let ratio = if past > 0.0 { (t - self.t_low) / past } else { 0.0 };
        (0..self.low.len()).any(|i| {
            let nearest = self.low[i].abs().min(self.high[i].abs());
            let movement = (self.high[i] - self.low[i]).abs() + ratio * (self.low[i] - self.before[i]).abs();
            movement > 0.0 && nearest <= movement
        })
    }

    /// A time before `t` at which something has fired, looked for in the middle and where parabolas through the ends and the middle
    /// come nearest to zero. The values there are then in `high`.
    fn dip(&mut self, system: &mut System<'_>, method: &mut dyn Method, t: f64) -> Result<Option<f64>, EvalFailure> {
        let (middle, half) = (0.5 * (self.t_low + t), 0.5 * (t - self.t_low));
        if self.has_fired_within(system, method, middle)? {
            return Ok(Some(middle));
        }
        let mut vertices: Vec<f64> = Vec::new();
        for i in 0..self.low.len() {
            // The parabola a*s^2 + b*s + c over s from -1 to 1.
            let (low, c, high) = (self.low[i], self.middle[i], self.high[i]);
            let (a, b) = (0.5 * (low + high) - c, 0.5 * (high - low));
            let vertex = -0.5 * b / a;
            let range = (low - c).abs().max((high - c).abs());
            // Towards zero, and below a tenth of what the function moves.
            if vertex.abs() < 1.0 && a * c > 0.0 && (c - 0.25 * b * b / a) * c.signum() < 0.1 * range {
                vertices.push(middle + vertex * half);
            }
        }
        vertices.sort_by(f64::total_cmp);
        vertices.dedup_by(|a, b| *a - *b < 1e-3 * half);
        for vertex in vertices.into_iter().take(8) {
            if self.has_fired_within(system, method, vertex)? {
                return Ok(Some(vertex));
            }
        }
        Ok(None)
    }

    /// Whether something has fired at a time within the step; if so, the values there are in `high`, otherwise in `middle`.
    fn has_fired_within(&mut self, system: &mut System<'_>, method: &mut dyn Method, t: f64) -> Result<bool, EvalFailure> {
        let (mut x, mut values) = (std::mem::take(&mut self.probe), std::mem::take(&mut self.middle));
        let done = at(system, method, t, &mut x, &mut values);
        let fired = done.is_ok() && self.any_fired(&values) && {
            (self.probe, self.middle) = (vec![0.0; x.len()], vec![0.0; values.len()]);
            self.any_fired_at(system, t, &x, &values)
        };
        (self.probe, self.middle) = (x, values);
        done?;
        if fired {
            std::mem::swap(&mut self.high, &mut self.middle);
        }
        Ok(fired)
    }

    /// Narrows the bracket between `t_low`, where nothing has fired, and `t_high`, whose values are in `high`.
    fn locate(&mut self, system: &mut System<'_>, method: &mut dyn Method, mut t_high: f64, tiny: f64) -> Result<Fired, EvalFailure> {
        let mut t_low = self.t_low;
        // Illinois: an end that stays twice counts half. `weight` multiplies the low end, so half a high end is twice a low one.
        let mut weight = 1.0;
        let mut replaced = End::Neither;
        let mut width = t_high - t_low;
        let mut since_halved = 0;
        while t_high - t_low > tiny {
            let full = t_high - t_low;
            // The crossing whose straight line leaves its dead band first.
            let mut part = 0.0_f64;
            for (i, high) in self.high.iter().enumerate() {
                if self.has_fired(i, *high) {
                    // It fires where it leaves its dead band, not where it is zero.
                    let edge = self.band(i).copysign(*high);
                    let (high, low) = (high - edge, weight * (self.low[i] - edge));
                    let back = high / (high - low);
                    if back.is_finite() {
                        part = part.max(back);
                    }
                }
            }
            let mut t = t_high - part * full;
            if since_halved >= 2 || !(part > 0.0 && part < 1.0) {
                t = t_low + 0.5 * full;
                since_halved = 0;
            }
            // Estimates next to an end are pushed off it, so that the bracket closes from both sides.
            let margin = 0.5 * tiny;
            t = t.clamp(t_low + margin, t_high - margin);
            if t <= t_low || t >= t_high {
                t = t_low + 0.5 * full;
                if t <= t_low || t >= t_high {
                    break;
                }
            }
            at(system, method, t, &mut self.probe, &mut self.middle)?;
            if self.any_fired(&self.middle) {
                std::mem::swap(&mut self.high, &mut self.middle);
                t_high = t;
                weight = if replaced == End::High { 0.5 * weight } else { 1.0 };
                replaced = End::High;
            } else {
                std::mem::swap(&mut self.low, &mut self.middle);
                t_low = t;
                weight = if replaced == End::Low { 2.0 * weight } else { 1.0 };
                replaced = End::Low;
            }
            if t_high - t_low <= 0.5 * width {
                width = t_high - t_low;
                since_halved = 0;
            } else {
                since_halved += 1;
            }
        }
        self.t_fired = t_high;
        Ok(self.fired(t_high, &self.high))
    }
}

fn at(system: &mut System<'_>, method: &mut dyn Method, t: f64, x: &mut [f64], values: &mut [f64]) -> Result<(), EvalFailure> {
    if t == method.time() {
        x.copy_from_slice(method.state());
    } else {
        method.interpolate(t, x);
    }
    // Relations see small differences of stiff states as results do.
    method.correct_output(system, t, x);
    evaluate(system, t, x, values)
}

fn evaluate(system: &mut System<'_>, t: f64, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
    system.statistics.events.crossing_evaluations += 1;
    system.model.crossings(t, x, values)?;
    if let Some(crossing) = values.iter().position(|v| v.is_nan()) {
        return Err(EvalFailure::new(format!(
            "the two sides of {} cannot be compared at time {t}: not a number",
            system.model.crossing_label(crossing)
        )));
    }
    Ok(())
}
