//! Says when the formulas of orders 3 to 5 swing by themselves, and keeps the order at 2 until they have calmed down.
//!
//! Above order 2 the formulas are unstable for some rates near the imaginary axis. Where many such rates meet, as in a long chain of
//! cells through which something flows, the errors of steps feed a swinging of the size of the tolerance that no error test refuses:
//! the step stays at the limit of stability, and to the controller, which compares neighbouring orders only, all orders look alike.
//! Input: the backward differences and the step size after each step that could change them. Output: the highest order to be used.
//! Method: what the model does is smooth, so that its differences fall with their order, or is larger than the tolerance. Differences
//! that do neither for [`LONG`] steps are taken for such a swinging, and order 2, which is stable in the whole left half plane, is put
//! on trial. If it allows no longer steps the swinging was the model's, and the next trial is far away; if it does, the trial that
//! follows the next swinging is twice as long (a similar purpose: Hindmarsh, Detecting stability barriers in BDF solvers, 1992).
//! Guarantee: a model that swings itself loses at most a part of [`PAUSE`] of its steps to trials. Cost: constant per step.

/// So many steps in a row with differences that do not fall are no chance.
const LONG: u32 = 25;
/// Steps of the first trial.
const TRIAL: u32 = 40;
/// After a trial that did not help, so many times its steps pass without another.
const PAUSE: u32 = 20;
/// A trial has helped if the steps have become longer by this.
const HELP: f64 = 1.5;
/// Differences fall with their order if the highest is less than this of the lowest.
pub(crate) const FALLING: f64 = 0.5;
/// The highest order without unstable rates in the left half plane.
pub(crate) const STABLE_ORDER: usize = 2;

/// What the method does about the swinging of its formulas.
#[derive(Debug)]
pub(crate) struct StabilityLimit {
    state: State,
    /// Steps of the next trial.
    trial: u32,
}

#[derive(Debug)]
enum State {
    /// Steps in a row that seem to swing.
    Watching(u32),
    /// Steps left with the stable order, and the step size before them.
    Trying(u32, f64),
    /// Steps left until the watch begins again.
    Pausing(u32),
}

impl StabilityLimit {
    pub(crate) fn new() -> StabilityLimit {
        StabilityLimit { state: State::Watching(0), trial: TRIAL }
    }

    /// The model has changed.
    pub(crate) fn restart(&mut self) {
        *self = StabilityLimit::new();
    }

    /// Whether differences are of interest.
    pub(crate) fn is_watching(&self) -> bool {
        matches!(self.state, State::Watching(_))
    }

    /// Whether the order is kept down.
    pub(crate) fn is_trying(&self) -> bool {
        matches!(self.state, State::Trying(..))
    }

    /// Notes a step of size `h`, and whether its differences did not fall with their order. True if a trial begins.
    pub(crate) fn note(&mut self, h: f64, seems_to_swing: bool) -> bool {
        match &mut self.state {
            State::Watching(steps) => {
                *steps = if seems_to_swing { *steps + 1 } else { 0 };
                if *steps >= LONG {
                    self.state = State::Trying(self.trial, h);
                    return true;
                }
            }
            State::Trying(left, before) if *left == 0 => {
                if h >= HELP * *before {
                    self.trial = self.trial.saturating_mul(2);
                    self.state = State::Watching(0);
                } else {
                    self.state = State::Pausing(self.trial.saturating_mul(PAUSE));
                }
            }
            State::Trying(left, _) => *left -= 1,
            State::Pausing(0) => self.state = State::Watching(0),
            State::Pausing(left) => *left -= 1,
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_that_helps_makes_the_next_one_longer() {
        let mut stability_limit = StabilityLimit::new();
        let begun = (0..LONG).filter(|_| stability_limit.note(1.0, true)).count();
        assert_eq!((begun, stability_limit.is_trying()), (1, true));
        (0..=TRIAL).for_each(|_| assert!(!stability_limit.note(2.0, false)));
        assert!(stability_limit.is_watching());
        assert_eq!(stability_limit.trial, 2 * TRIAL);
    }

    #[test]
    fn a_trial_that_does_not_help_is_not_repeated_soon() {
        let mut stability_limit = StabilityLimit::new();
        let trials = (0..10 * TRIAL * PAUSE).filter(|_| stability_limit.note(1.0, true)).count();
        assert_eq!(trials, 10);
    }

    #[test]
    fn steps_that_fall_interrupt_the_count() {
        let mut stability_limit = StabilityLimit::new();
        assert_eq!((0..10 * LONG).filter(|step| stability_limit.note(1.0, step % LONG != 0)).count(), 0);
    }
}
