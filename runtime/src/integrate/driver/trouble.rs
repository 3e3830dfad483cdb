//! Runs that do not come on: chattering, sliding, events that accumulate, time that stands still. Each ends with an error that names
//! the cause.
//!
//! Codes: R204 the model chatters, R215 it slides along a relation, R216 events accumulate, R217 time does not advance.

use super::chatter::Chatter;
use super::constants::{CHATTER_EVENTS, CHATTER_PART, NOISY_EVENTS};
use super::run::Run;
use crate::base::error::RunError;
use crate::integrate::crossings::Fired;
use crate::integrate::diagnostics::directional::{Functions, field};
use crate::integrate::diagnostics::progress::{Move, Standstill, TOO_MANY};
use crate::integrate::diagnostics::zeno::Accumulated;
use crate::model::interface::HybridModel;
use crate::model::plan::Label;

/// Slopes of crossings are looked at in this many of the last events of a streak.
const SLOPES_OF: u32 = 12;
/// By this factor events are farther apart where a band was widened, and the model comes on.
const WIDENED_GAPS: f64 = 10.0;
/// So many events that are that far apart count like one that is not.
const CLOSE_WEIGHT: u32 = 30;
/// Relations that an error names.
const MOST_NAMES: usize = 10;
/// A state that moves by so many times its size within the last digits of the time cannot be followed.
const TOO_FAST: f64 = 1e6;
/// Gradients are parallel up to this.
const PARALLEL: f64 = 1e-4;

/// A surface along which a model slides.
struct Slide {
    /// What the surface is: a relation, or a switch without events.
    functions: Functions,
    number: usize,
    /// How fast the function changes where it is negative, and where it is positive.
    slopes: [f64; 2],
}

impl Slide {
    fn label(&self, model: &dyn HybridModel) -> String {
        match self.functions {
            Functions::Crossings => model.crossing_label(self.number),
            Functions::Switches => model.switch_label(self.number),
        }
    }

    fn place(&self, model: &dyn HybridModel) -> Option<(u32, u32)> {
        match self.functions {
            Functions::Crossings => model.crossing_span(self.number),
            Functions::Switches => model.switch_span(self.number),
        }
    }

    fn note(&self, model: &dyn HybridModel) -> String {
        let [below, above] = self.slopes;
        let (holds, not) = match self.functions {
            Functions::Crossings => ("where it is true", "where it is false"),
            Functions::Switches => ("where it is positive", "where it is negative"),
        };
        format!("`{}`: the difference of its sides changes by {above:.6} per unit of time {holds}, by {below:.6} {not}", self.label(model))
    }
}

impl Run<'_> {
    /// Notes a state event; an error if the model chatters or slides.
    pub(crate) fn chattering(&mut self, fired: &Fired) -> Result<(), RunError> {
        let close = CHATTER_PART * self.experiment.span();
        let chatter = &mut self.chatter;
        let is_noisy = fired.crossings.iter().any(|(crossing, _)| self.watch.is_widened(*crossing));
        let gap = chatter.last.map_or(f64::INFINITY, |last| fired.t - last);
        if chatter.last.is_none() || gap >= close && !is_noisy {
            *chatter = Chatter { first: fired.t, ..Chatter::default() };
        }
        // There and back. A widened band alone makes this longer; a model that comes on at all gets more time to leave.
        let period = chatter.before_last.map_or(0.0, |before| fired.t - before);
        chatter.before_last = chatter.last.replace(fired.t);
        chatter.count += 1;
        chatter.weight += if period >= WIDENED_GAPS * close { 1 } else { CLOSE_WEIGHT };
        for (crossing, _) in &fired.crossings {
            if let Err(position) = chatter.crossings.binary_search(crossing) {
                chatter.crossings.insert(position, *crossing);
            }
        }
        if chatter.weight + SLOPES_OF * CLOSE_WEIGHT >= CHATTER_EVENTS * CLOSE_WEIGHT {
            self.note_slopes(fired);
        }
        if self.chatter.weight < CHATTER_EVENTS * CLOSE_WEIGHT {
            if self.chatter.count.is_multiple_of(NOISY_EVENTS) {
                fired.crossings.iter().for_each(|(crossing, _)| self.watch.widen(*crossing));
            }
            return Ok(());
        }
        Err(self.switching_error(self.chatter.first))
    }

    /// The error of a model whose events do not end.
    fn switching_error(&mut self, t: f64) -> RunError {
        if let Some(found) = self.zeno.shrunk(&self.chatter.crossings) {
            return self.accumulation_error(&found);
        }
        let slides = self.inward();
        if slides.is_empty() { self.chatter_error() } else { self.sliding_error(&slides, t) }
    }

    /// Notes how fast crossing functions change as they fire; their relations are those before the event.
    fn note_slopes(&mut self, fired: &Fired) {
        let mut x = vec![0.0; self.x.len()];
        if fired.t == self.method.time() {
            x.copy_from_slice(self.method.state());
        } else {
            self.method.interpolate(fired.t, &mut x);
        }
        let longest = 1e-6 * self.experiment.span();
        let model = &mut *self.system.model;
        let Ok(field) = field(model, fired.t, &x) else { return };
        let Ok(slopes) = Functions::Crossings.slopes(model, fired.t, &x, &field, longest) else { return };
        for &(crossing, positive) in &fired.crossings {
            let known = &mut self.chatter.slopes;
            let at = known.iter().position(|(other, _)| *other == crossing).unwrap_or_else(|| {
                known.push((crossing, [None, None]));
                known.len() - 1
            });
            known[at].1[usize::from(!positive)] = Some(slopes[crossing]);
        }
    }

    /// The surfaces of which both sides drive the model back to them, each once.
    fn inward(&mut self) -> Vec<Slide> {
        let mut slides: Vec<Slide> = Vec::new();
        for (crossing, slopes) in self.chatter.slopes.clone() {
            if let [Some(below), Some(above)] = slopes
                && below > 0.0
                && above < 0.0
                && !slides.iter().any(|slide| self.are_parallel(slide.number, crossing))
            {
                slides.push(Slide { functions: Functions::Crossings, number: crossing, slopes: [below, above] });
            }
        }
        slides
    }

    /// Whether two crossing functions vanish at the same surface.
    fn are_parallel(&mut self, one: usize, other: usize) -> bool {
        crate::integrate::diagnostics::sliding::are_parallel(self.system.model, (self.t, &self.x), one, other, PARALLEL)
    }

    fn chatter_error(&self) -> RunError {
        let chatter = &self.chatter;
        let mut error =
            RunError::new("R204", format!("the model chatters: {} events without progress", chatter.count)).at_time(chatter.first);
        let first = chatter.crossings.first().copied();
        error.place = first.and_then(|first| Some((self.system.model.crossing_span(first)?, "switches back and forth".to_string())));
        for crossing in chatter.crossings.iter().take(MOST_NAMES) {
            error = error.with_note(self.system.model.crossing_label(*crossing));
        }
        if chatter.crossings.len() > MOST_NAMES {
            error = error.with_note(format!("and {} more", chatter.crossings.len() - MOST_NAMES));
        }
        error.hint = Some(
            "a condition that switches back as soon as it has switched needs a hysteresis, or a state that remembers the mode".to_string(),
        );
        error
    }

    /// The error of a model that slides along surfaces.
    fn sliding_error(&self, slides: &[Slide], t: f64) -> RunError {
        let model = &*self.system.model;
        let names: Vec<String> = slides.iter().take(MOST_NAMES).map(|slide| format!("`{}`", slide.label(model))).collect();
        let title = match slides {
            [_] => format!("the model slides along {}: on both sides of the relation it moves back to it", names[0]),
            _ => format!("the model slides along several relations at once: {}", names.join(" and ")),
        };
        let mut error = RunError::new("R215", title).at_time(t);
        let what = "switches back as soon as it has switched";
        error.place = slides.first().and_then(|slide| Some((slide.place(model)?, what.to_string())));
        error.others = slides
            .iter()
            .skip(1)
            .take(MOST_NAMES)
            .filter_map(|slide| Some(Label { text: "so does this".to_string(), span: slide.place(model)? }))
            .collect();
        error.notes = slides.iter().take(MOST_NAMES).map(|slide| slide.note(model)).collect();
        error.hint = Some(match (slides, self.experiment.sliding) {
            ([_], false) => "`--sliding equivalent` follows the motion along the relation; or give the condition a hysteresis".to_string(),
            _ => "the motion along several relations is not determined by the model; give the conditions a hysteresis".to_string(),
        });
        error
    }

    /// What stands at the end of a step, for events that accumulate.
    pub(crate) fn accumulating(&mut self) -> Result<(), RunError> {
        match self.zeno.step(self.t, self.watch.values()) {
            Some(found) => Err(self.accumulation_error(&found)),
            None => Ok(()),
        }
    }

    fn accumulation_error(&self, found: &Accumulated) -> RunError {
        let model = &*self.system.model;
        let title = format!("infinitely many events of `{}` accumulate", model.crossing_label(found.crossing));
        let mut error = RunError::new("R216", title).at_time(found.t);
        let what = "from then on rounding decides whether it switches";
        error.place = model.crossing_span(found.crossing).map(|place| (place, what.to_string()));
        error.notes.push(format!("{} events came ever faster, the last two {:.3e} apart", found.count, found.gap));
        error.hint =
            Some("a discrete variable that ends the sequence, as a ball that lies no longer flies, says how the model goes on".to_string());
        error
    }

    /// Scheduled events; an error if they accumulate.
    pub(crate) fn accumulating_times(&mut self) -> Result<(), RunError> {
        let resolution = 64.0 * f64::EPSILON * self.t.abs().max(1e-10 * self.experiment.span());
        let Some(count) = self.zeno.scheduled(self.t, resolution) else { return Ok(()) };
        let mut error = self.time_event_error("R216", format!("infinitely many scheduled events accumulate: {count} came ever faster"));
        error.hint = Some("the times between events must not shrink without end".to_string());
        Err(error)
    }

    /// Notes a step or event; an error if time does not advance.
    pub(crate) fn standing(&mut self, what: Move) -> Result<(), RunError> {
        match self.progress.note(what, self.t, self.experiment.stop_time) {
            Some(found) => self.stands(&found),
            None => Ok(()),
        }
    }

    fn stands(&mut self, found: &Standstill) -> Result<(), RunError> {
        let title = |what: &str| format!("time does not advance: {} {what} went on by {:.3e}", found.count, found.advanced);
        match found.with {
            Move::Time if found.projected > TOO_MANY => {
                let mut error = self.time_event_error("R217", title("scheduled events"));
                error.hint = Some("the times between events are far too short for the length of the run".to_string());
                Err(error)
            }
            Move::State => Err(self.switching_error(self.t)),
            Move::Step => {
                let slides = self.inward_switches();
                if !slides.is_empty() {
                    return Err(self.sliding_error(&slides, self.t));
                }
                if found.projected > TOO_MANY { Err(self.fastest_error(title("steps"))) } else { Ok(()) }
            }
            Move::Time => Ok(()),
        }
    }

    /// An error about what is scheduled here, and not done yet.
    fn time_event_error(&mut self, code: &'static str, title: String) -> RunError {
        let mut error = RunError::new(code, title).at_time(self.t);
        if let Some(label) = self.system.model.time_event_label(self.t) {
            error.place = Some((label.span, label.text));
        }
        error
    }

    /// The error that names the state that changes fastest.
    pub(crate) fn fastest_error(&mut self, title: String) -> RunError {
        let mut error = RunError::new("R217", title).at_time(self.t);
        let model = &mut *self.system.model;
        if let Ok(field) = field(model, self.t, &self.x) {
            let rate = |i: usize| field[i].abs() / self.x[i].abs().max(model.nominal(i));
            if let Some(state) = (0..field.len()).max_by(|&a, &b| rate(a).total_cmp(&rate(b))) {
                error.notes.push(format!(
                    "fastest is `{}` = {:e} with the derivative {:e}",
                    model.state_name(state),
                    self.x[state],
                    field[state]
                ));
            }
        }
        error.hint = Some(
            "a rate that is far too fast for the length of the run is mostly a wrong unit or a division by a small number".to_string(),
        );
        error
    }

    /// The switches without events along which the model slides: near to zero, approached, and left at once on the other side.
    fn inward_switches(&mut self) -> Vec<Slide> {
        let longest = 1e-6 * self.experiment.span();
        let (t, x) = (self.t, self.x.clone());
        let model = &mut *self.system.model;
        crate::integrate::diagnostics::sliding::inward_switches(model, t, &x, longest)
            .into_iter()
            .map(|(number, slopes)| Slide { functions: Functions::Switches, number, slopes })
            .collect()
    }

    /// A rate so fast that the first step from here would be shorter than time can tell apart.
    pub(crate) fn too_fast(&mut self) -> Result<(), RunError> {
        if self.system.sampled {
            return Ok(());
        }
        let smallest = 4.0 * f64::EPSILON * self.t.abs().max(1e-10 * self.experiment.span());
        let model = &mut *self.system.model;
        let Ok(field) = field(model, self.t, &self.x) else { return Ok(()) };
        // A state that is zero now may become as large as the others, or as large as its first step makes it.
        let largest = self.x.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        let rate = |(i, f): (usize, &f64)| f.abs() / largest.max(model.nominal(i));
        let fastest = field.iter().enumerate().map(rate).fold(0.0, f64::max);
        if largest == 0.0 || fastest * smallest < TOO_FAST {
            return Ok(());
        }
        Err(self
            .fastest_error(format!("a state changes faster than times can be told apart: steps below {smallest:.3e} are lost in rounding")))
    }
}
