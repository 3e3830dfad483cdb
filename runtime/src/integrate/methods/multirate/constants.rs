//! Numbers that decide what is refined, watched and woken.

/// Most levels.
pub(super) const LEVELS: usize = 10;
/// What a step costs beside its states, in states.
pub(super) const COST_OF_STEP: f64 = 10.0;
/// Refining a state costs so many times what it costs to take it along: it is stepped once in vain, watched, and has neighbours.
pub(super) const COST_OF_REFINING: f64 = 1.5;
/// Steps are shorter than the error would allow by this factor.
pub(super) const SAFETY: f64 = 0.9;
/// If more than this part of the states is to be refined, the step is made shorter for all.
pub(super) const MOST_ACTIVE: f64 = 0.7;
/// A step is made again with the size of least cost if it costs so many times as much ...
pub(super) const CLEARLY_DEARER: f64 = 1.3;
/// ... and that size is a smaller part of it than this.
pub(super) const CLEARLY_SHORTER: f64 = 0.7;
/// A state needs at least this part of a step.
pub(super) const LEAST_NEED: f64 = 0.1;
/// Bounds of the change from step to step.
pub(super) const LEAST_CHANGE: f64 = 0.3;
pub(super) const MOST_CHANGE: f64 = 2.0;
/// Readers of active states, so many deep, are active too.
pub(super) const BUFFER: usize = 2;
/// But not those of a state that has more readers than this.
pub(super) const MOST_READERS: usize = 20;
/// A state is woken if what it did not see of its neighbours moves it by this part of its tolerance.
pub(super) const WAKING: f64 = 0.3;
/// A step is made again with the states that it would move by so many tolerances at once.
pub(super) const JUMP: f64 = 3.0;
/// So often at most, one after the other.
pub(super) const MOST_REDONE: usize = 8;
/// The derivative by time is a difference over this part of the step.
pub(super) const TIME_DIFFERENCE: f64 = 1e-5;
/// After a failed evaluation a step is so many times as long.
pub(super) const AFTER_FAILURE: f64 = 0.25;
/// Steps shorter than so many units in the last place of the time are given up.
pub(super) const SHORTEST: f64 = 16.0;
