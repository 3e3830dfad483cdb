//! How large the states are: the one rule by which errors, crossings, Newton iterations and warnings are scaled.
//!
//! Input: what is declared about each state, the points that a run goes through, and what small changes of the states do to the
//! derivatives. Output: for each state its size, its absolute tolerance and its round-off.
//!
//! The rule:
//! - The size of a state is its running magnitude: the largest value so far, where a value that was seen at time `s` counts
//!   `(s - start)/(t - start)` at time `t`. What falls like `1/t` keeps its digits for ever; what swings through zero keeps its size;
//!   what has died out is not followed for much longer than its largest value deserves.
//! - A declared nominal value is an upper bound of the size, and [`LEAST_PART`] of it a lower one.
//! - A state that has not moved yet has at least the size [`LEAST_PART`] of what its start and bounds say, or of one (in a model in
//!   which all that is declared is tiny, of the largest of that); less if its slope at the start leads nowhere near. After an event a
//!   state is at least as large as what it becomes in the first step. So zero, or the round-off of zero, is no small size, and what is
//!   tiny is treated as tiny. Below [`AS_GOOD_AS_ZERO`] of the usual size nothing is followed unless its nominal value is declared.
//! - The absolute tolerance is the tolerance times the size, but at least what a step makes of the round-off of the derivatives,
//!   what the state does within the last digits of the time, and what a step makes of a small part
//!   ([`OTHERS_PART`]) of the errors that the other states are allowed to have: a small difference of large states is not known better
//!   than these are. Where steps fail again and again because of a tiny state (a kink, or noise that was not measured), its tolerance
//!   grows. None of this makes the tolerance of a state larger than that of one that has not moved.
//! - In a part of a model with steps of its own ([`Scales::count_movement`]) a value counts as [`MOVES`] times its distance from where the part
//!   began, if that is less: a temperature of 300 that moves by a millionth is about as exact, as a part of its range, as in a run in which
//!   others set the pace. The tolerance is at least the round-off of the whole value.
//!
//! Method: both are measured, at first after each step and later every [`MOST_APART`] steps: the derivatives are evaluated at the point,
//! at one that differs in the last digits and at one that differs by a part of the tolerated errors; the differences are damped as the
//! method damps errors ([`super::method::Method::damp`]). Guarantees: tiny and huge states are treated alike; where nothing is declared and no state
//! begins with zero, other units (powers of two) give the same steps. Cost: three evaluations per measurement.

use crate::base::error::EvalFailure;
use crate::base::simd::update;
use crate::model::interface::HybridModel;
use crate::model::plan::Declared;

/// Sizes are at least this part of declared ones.
const LEAST_PART: f64 = 1e-3;
/// A measurement makes the states differ by this part of their tolerated errors.
const OTHERS_PART: f64 = 0.01;
/// A tolerance is at least so many times what was measured.
const SAFETY: f64 = 16.0;
/// Units in the last place by which states differ when round-off is measured.
const LAST_DIGITS: f64 = 4.0 * f64::EPSILON;
/// Units in the last place of the time within which a state is not known.
const TIME_DIGITS: f64 = 8.0 * f64::EPSILON;
/// What was measured earlier counts less by this factor at every measurement.
const MEMORY: f64 = 0.5;
/// Smaller states of which nothing is declared, in parts of the usual size, may be round-off.
const NEXT_TO_ZERO: f64 = 1e-13;
/// No state of which nothing is declared is smaller, in parts of the usual size: what is left of cancelled terms has no size of its own.
const AS_GOOD_AS_ZERO: f64 = 1e-30;
/// A model in which no larger size is declared is tiny as a whole.
const TINY: f64 = 1e-9;
/// By this factor tolerances grow where steps fail again and again.
const LOOSENING: f64 = 1e3;
/// Evaluations of the derivatives in a measurement.
pub(crate) const EVALUATIONS: u64 = 3;
/// Where movement counts, a state is as large as so many times its movement, and no larger than it is.
const MOVES: f64 = 16.0;
/// Units in the last place of a state within which its movement is not known.
const MOVED_DIGITS: f64 = 16.0 * f64::EPSILON;
/// Most steps from one measurement to the next.
const MOST_APART: u64 = 100;

/// The sizes of the states of a run.
#[derive(Clone, Debug)]
pub(crate) struct Scales {
    rtol: f64,
    /// What is declared of the states, and the size of those of which nothing is.
    declared: Vec<Declared>,
    usual: f64,
    /// The sizes of states that have not moved.
    at_rest: Vec<f64>,
    /// Running magnitudes, and the largest values so far.
    magnitude: Vec<f64>,
    largest: Vec<f64>,
    /// Where magnitudes are counted from: zero, or where a part began whose movement counts.
    origin: Vec<f64>,
    counts_movement: bool,
    /// Where states began that have not moved; others are not numbers here.
    first: Vec<f64>,
    sizes: Vec<f64>,
    /// Absolute tolerances.
    pub(crate) atol: Vec<f64>,
    /// What a step makes of the round-off of the derivatives, and of that and of errors of other states.
    round_off: Vec<f64>,
    unknown: Vec<f64>,
    /// Begin of the run and time of the last observation.
    start: Option<f64>,
    last: f64,
    /// Steps at which the next measurement is due, and how far the one after it is away.
    next: u64,
    apart: u64,
    /// Room.
    point: Vec<f64>,
    here: Vec<f64>,
    there: Vec<f64>,
}

/// A fixed irregular pattern between -1 and 1, so that no two states cancel by plan.
pub(crate) fn pattern(i: usize) -> f64 {
    2.0 * (0.618_033_988_749_894_9 * (i as f64 + 1.0)).fract() - 1.0
}

/// The size of states of which nothing is known in a model with these: one, or that of the largest if all that is declared is tiny.
fn usual(declared: &[Declared]) -> f64 {
    let sizes = declared.iter().filter_map(|declared| declared.nominal.or(declared.expected));
    sizes.reduce(f64::max).filter(|largest| *largest < TINY).unwrap_or(1.0)
}

/// The sizes of states that have not moved.
fn sizes_at_rest(declared: &[Declared], usual: f64) -> Vec<f64> {
    declared.iter().map(|declared| LEAST_PART * declared.size_or(usual)).collect()
}

impl Scales {
    /// For a run of a model with a relative tolerance of single steps.
    pub(crate) fn new(model: &dyn HybridModel, rtol: f64) -> Scales {
        let n = model.n_states();
        let zeros = || vec![0.0; n];
        let declared: Vec<Declared> = (0..n).map(|state| model.declared(state)).collect();
        let usual = usual(&declared);
        let sizes = sizes_at_rest(&declared, usual);
        Scales {
            rtol,
            declared,
            usual,
            at_rest: sizes.clone(),
            magnitude: zeros(),
            largest: zeros(),
            origin: zeros(),
            counts_movement: false,
            first: zeros(),
            atol: sizes.iter().map(|size| rtol * size).collect(),
            sizes,
            round_off: zeros(),
            unknown: zeros(),
            start: None,
            last: 0.0,
            next: 0,
            apart: 1,
            point: zeros(),
            here: zeros(),
            there: zeros(),
        }
    }

    /// Takes over what is known of states in a run of more: the state at each place is the one at this place there.
    pub(crate) fn inherit(&mut self, whole: &Scales, states: &[usize]) {
        (self.start, self.last) = (whole.start, whole.last);
        for (i, &state) in states.iter().enumerate() {
            self.magnitude[i] = whole.magnitude[state];
            self.largest[i] = whole.largest[state];
            self.first[i] = whole.first[state];
            self.sizes[i] = whole.sizes[state];
            self.round_off[i] = whole.round_off[state];
            self.unknown[i] = whole.unknown[state];
        }
        self.set_tolerances();
    }

    /// From now on magnitudes count from this point, at which nothing has moved.
    pub(crate) fn count_movement(&mut self, from: &[f64]) {
        self.counts_movement = true;
        self.origin.copy_from_slice(from);
        self.first.copy_from_slice(from);
        self.magnitude.fill(0.0);
        self.sizes.copy_from_slice(&self.at_rest);
        self.set_tolerances();
    }

    /// Other states may have taken the places of some.
    pub(crate) fn states_changed(&mut self, model: &dyn HybridModel) {
        for (state, declared) in self.declared.iter_mut().enumerate() {
            *declared = model.declared(state);
        }
        self.usual = usual(&self.declared);
        self.at_rest = sizes_at_rest(&self.declared, self.usual);
    }

    /// The run has come to a point.
    pub(crate) fn observe(&mut self, t: f64, x: &[f64]) {
        if self.start.is_none() {
            self.first.copy_from_slice(x);
        }
        let start = *self.start.get_or_insert(t);
        let kept = if t > start { (self.last - start) / (t - start) } else { 1.0 };
        self.last = t;
        match self.counts_movement {
            false => update(&mut self.magnitude, [x], |magnitude, [x]| x.abs().max(kept * magnitude)),
            true => update(&mut self.magnitude, [x, &self.origin], |magnitude, [x, origin]| moved(x, origin).max(kept * magnitude)),
        }
        update(&mut self.largest, [x], |largest, [x]| x.abs().max(largest));
        for ((first, x), magnitude) in self.first.iter_mut().zip(x).zip(&self.magnitude) {
            if *x != *first && *magnitude > 0.0 {
                *first = f64::NAN;
            }
        }
        self.set_sizes();
    }

    fn set_sizes(&mut self) {
        for (state, (size, declared)) in self.sizes.iter_mut().zip(&self.declared).enumerate() {
            let magnitude = self.magnitude[state];
            *size = match (declared.nominal, self.first[state].is_nan()) {
                (Some(nominal), _) => magnitude.clamp(LEAST_PART * nominal, nominal),
                (None, true) => magnitude.max(AS_GOOD_AS_ZERO * self.usual),
                (None, false) => size.max(magnitude),
            };
        }
        self.set_tolerances();
    }

    fn set_tolerances(&mut self) {
        let rtol = self.rtol;
        let inputs = [&self.sizes[..], &self.unknown, &self.at_rest];
        update(&mut self.atol, inputs, |_, [size, unknown, at_rest]| (rtol * size).max(unknown.min(rtol * at_rest)).max(f64::MIN_POSITIVE));
        if self.counts_movement {
            update(&mut self.atol, [&self.largest], |atol, [largest]| atol.max(MOVED_DIGITS * largest));
        }
    }

    /// The run begins anew with these derivatives: a state that has not moved and would not come as far as its size until `longest` has
    /// passed is that small.
    pub(crate) fn begin(&mut self, f: &[f64], longest: f64) {
        for (state, f) in f.iter().enumerate() {
            let reach = (f * longest).abs();
            if self.is_at_rest(state) && reach > 0.0 {
                let least = self.magnitude[state].max(AS_GOOD_AS_ZERO * self.usual);
                self.sizes[state] = self.sizes[state].min(reach).max(least);
            }
        }
        self.set_tolerances();
    }

    /// The first step has this size, and these are the largest slopes in it: what is at rest up to round-off is as large as it becomes.
    pub(crate) fn begin_to_move(&mut self, t: f64, h: f64, slopes: &[f64]) {
        update(&mut self.magnitude, [slopes, &self.at_rest], |magnitude, [slope, at_rest]| magnitude.max((h * slope).abs().min(at_rest)));
        let time = TIME_DIGITS * t.abs();
        update(&mut self.unknown, [slopes], |unknown, [slope]| unknown.max(time * slope.abs()));
        self.set_sizes();
    }

    /// Nothing is declared about the state, and it has not moved.
    fn is_at_rest(&self, state: usize) -> bool {
        self.declared[state].nominal.is_none() && !self.first[state].is_nan()
    }

    /// Where magnitudes are counted from, if movement counts.
    pub(crate) fn origin(&self) -> Option<&[f64]> {
        self.counts_movement.then_some(self.origin.as_slice())
    }

    /// The size of states of which nothing is known.
    pub(crate) fn usual(&self) -> f64 {
        self.usual
    }

    /// Whether a value of the size of states is as good as zero.
    pub(crate) fn is_nothing(&self, value: f64) -> bool {
        value.abs() <= AS_GOOD_AS_ZERO * self.usual
    }

    /// The size of a state whose round-off is looked for: what has come to rest keeps the round-off of its largest value. Of which nothing
    /// is declared, what is next to zero may be the round-off of anything.
    pub(crate) fn size_of_round_off(&self, state: usize) -> f64 {
        let (size, declared) = (self.sizes[state], self.declared[state]);
        let is_known = declared.nominal.or(declared.expected).is_some() || self.magnitude[state] > NEXT_TO_ZERO * self.usual;
        let size = size.max(self.largest[state]);
        if is_known { size } else { size.max(self.usual) }
    }

    /// Steps fail again and again because of a state: it is not as small as its size says, or has kinks there. Its tolerance grows, at
    /// most to what it would be if nothing were known of it.
    pub(crate) fn loosen(&mut self, state: usize) {
        self.unknown[state] = (LOOSENING * self.atol[state]).max(self.unknown[state]);
        self.set_tolerances();
    }

    /// Nothing is known of a state any longer: its tolerance becomes what it would be then, at least for a while. False if it is that.
    pub(crate) fn loosen_wholly(&mut self, state: usize) -> bool {
        let before = self.atol[state];
        self.unknown[state] = self.rtol * self.at_rest[state];
        self.set_tolerances();
        self.atol[state] > before
    }

    /// The sizes of states that have not moved.
    pub(crate) fn at_rest(&self) -> &[f64] {
        &self.at_rest
    }

    /// The sizes.
    pub(crate) fn sizes(&self) -> &[f64] {
        &self.sizes
    }

    /// What a step may make of round-off, for each state.
    pub(crate) fn round_off(&self) -> &[f64] {
        &self.round_off
    }

    /// A measurement is due after so many accepted steps.
    pub(crate) fn is_due(&self, steps: u64) -> bool {
        steps >= self.next
    }

    /// Measures round-off and the effect of errors of other states at a point where the method stands, after so many accepted steps.
    /// Where the model cannot be evaluated, what was measured before stands.
    pub(crate) fn measure(&mut self, model: &mut dyn HybridModel, damp: &mut dyn FnMut(&mut [f64]), steps: u64, t: f64, x: &[f64]) {
        (self.next, self.apart) = (steps + self.apart, (2 * self.apart).min(MOST_APART));
        // What fails here says nothing about the steps.
        let _ = self.try_measure(model, damp, t, x);
        self.set_tolerances();
    }

    fn try_measure(&mut self, model: &mut dyn HybridModel, damp: &mut dyn FnMut(&mut [f64]), t: f64, x: &[f64]) -> Result<(), EvalFailure> {
        model.derivatives(t, x, &mut self.here)?;
        for (i, (point, x)) in self.point.iter_mut().zip(x).enumerate() {
            *point = x * (1.0 + LAST_DIGITS * pattern(i));
        }
        // What depends on time alone has round-off, too; before the point nothing has happened yet.
        let before = if self.start == Some(t) { t } else { t - LAST_DIGITS * t.abs() };
        self.difference(model, damp, before)?;
        update(&mut self.round_off, [&self.there], larger);
        for (i, ((point, x), size)) in self.point.iter_mut().zip(x).zip(&self.sizes).enumerate() {
            // Away from zero: a root or a logarithm may end there.
            let change = OTHERS_PART * self.rtol * size * pattern(i).abs();
            *point = if *x == 0.0 { 0.0 } else { x + change.copysign(*x) };
        }
        let done = self.difference(model, damp, t);
        if done.is_ok() {
            update(&mut self.unknown, [&self.there], larger);
        }
        let time = TIME_DIGITS * t.abs();
        update(&mut self.unknown, [&self.round_off, &self.here], |unknown, [round_off, f]| unknown.max(round_off).max(time * f.abs()));
        done
    }

    /// What the method makes of the difference of the derivatives at [`Scales::point`] and those here.
    fn difference(&mut self, model: &mut dyn HybridModel, damp: &mut dyn FnMut(&mut [f64]), t: f64) -> Result<(), EvalFailure> {
        model.derivatives(t, &self.point, &mut self.there)?;
        update(&mut self.there, [&self.here], |there, [here]| there - here);
        damp(&mut self.there);
        Ok(())
    }
}

/// How large a state is whose movement counts.
pub(crate) fn moved(x: f64, origin: f64) -> f64 {
    (MOVES * (x - origin).abs()).min(x.abs())
}

/// What was measured earlier, or now.
fn larger(before: f64, [now]: [f64; 1]) -> f64 {
    let now = SAFETY * now.abs();
    (MEMORY * before).max(if now.is_finite() { now } else { 0.0 })
}

#[cfg(test)]
mod tests;
