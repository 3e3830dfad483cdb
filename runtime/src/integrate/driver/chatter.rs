//! The streak of close state events, from which chattering is told.

/// The streak of close state events.
#[derive(Debug, Default)]
pub(crate) struct Chatter {
    pub(super) count: u32,
    /// Close events count [`CLOSE_WEIGHT`] times.
    pub(super) weight: u32,
    pub(super) first: f64,
    pub(super) last: Option<f64>,
    pub(super) before_last: Option<f64>,
    pub(super) crossings: Vec<usize>,
    /// Slopes of crossing functions just before they fired: where their relations were false and where they were true.
    pub(super) slopes: Vec<(usize, [Option<f64>; 2])>,
}
