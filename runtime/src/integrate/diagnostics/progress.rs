//! Whether time advances: a run that would take more steps or events than anybody waits for is ended.
//!
//! Input: steps and events as they come. Output: what the run stands still with.
//! Method: the time that `WINDOW` of them take is extended to the end of the run. Two windows in a row must agree, the second no better
//! than the first by `BETTER`: a fast transient dies out within one.
//! Cost: a comparison per step and event.

/// Steps or events that are looked at together.
const WINDOW: u32 = 20_000;
/// A run that gets faster by this factor from window to window goes on.
const BETTER: f64 = 10.0;
/// Nobody waits for so many steps or events.
pub(crate) const TOO_MANY: f64 = 1e14;
/// Nobody waits for so many steps where the model switches to and fro meanwhile.
pub(crate) const TOO_MANY_SWITCHING: f64 = 1e9;

/// What came.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// An accepted step.
    Step,
    /// A crossing has fired.
    State,
    /// A scheduled event.
    Time,
}

/// A run that stands still.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Standstill {
    /// What it does mostly.
    pub(crate) with: Move,
    /// How many of these the run would take.
    pub(crate) projected: f64,
    /// How far the last [`WINDOW`] went.
    pub(crate) advanced: f64,
    /// How many that were.
    pub(crate) count: u32,
}

/// Steps and events in the present window.
#[derive(Debug)]
pub(crate) struct Progress {
    begin: f64,
    count: u32,
    states: u32,
    times: u32,
    /// How far the window before went, if it stood still.
    before: Option<f64>,
}

impl Progress {
    /// Begins at a time.
    pub(crate) fn new(t: f64) -> Progress {
        Progress { begin: t, count: 0, states: 0, times: 0, before: None }
    }

    /// A step or event at `t` of a run up to `stop`: whether it stands still.
    pub(crate) fn note(&mut self, what: Move, t: f64, stop: f64) -> Option<Standstill> {
        match what {
            // Events end steps.
            Move::Step => {}
            Move::State => self.states += 1,
            Move::Time => self.times += 1,
        }
        self.count += 1;
        if self.count < WINDOW {
            return None;
        }
        let advanced = t - self.begin;
        let projected = f64::from(self.count) * ((stop - t) / advanced);
        let with = if 3 * self.times > self.count {
            Move::Time
        } else if 3 * self.states > self.count {
            Move::State
        } else {
            Move::Step
        };
        let stood = projected > TOO_MANY_SWITCHING;
        let again = self.before.is_some_and(|before| advanced <= BETTER * before);
        let found = (stood && again).then_some(Standstill { with, projected, advanced, count: self.count });
        *self = Progress { before: stood.then_some(advanced), ..Progress::new(t) };
        found
    }
}
