//! The numbers of the driver, each with its reason.

/// More consecutive rejections than this end the run.
pub(super) const MOST_REJECTIONS: u32 = 300;
/// After so many rejections in a row tiny states are not trusted.
pub(super) const NOISY_REJECTIONS: u32 = 3;
/// In so many first steps it becomes known how small states are that begin with zero.
pub(super) const FIRST_STEPS: u64 = 8;
/// So many state events in a row, closer than [`CHATTER_PART`] of the run, are chattering.
pub(super) const CHATTER_EVENTS: u32 = 100;
/// After so many of them the hysteresis of the crossings are widened.
pub(super) const NOISY_EVENTS: u32 = 5;
/// See [`CHATTER_EVENTS`].
pub(super) const CHATTER_PART: f64 = 1e-9;
/// What leaves the round-off around zero within this part of the run did so at once: how long that takes follows from the width of a dead
/// band, and is a thousandth of this at most.
pub(super) const SAME_INSTANT: f64 = 1e-6;
/// A jump of the derivatives is not noticed if over one step it changes the states by less than this part of the tolerance.
pub(super) const SMOOTH_PART: f64 = 0.1;
/// Part of a step ahead of an event where the derivatives before and after it are compared.
pub(super) const LOOK_AHEAD: f64 = 0.3;

/// Errors of single steps are kept below this part of the tolerance, twice that where a state is as large as it ever was: they add up, and
/// the user means the result.
pub(super) const LOCAL_PART: f64 = 0.07;
