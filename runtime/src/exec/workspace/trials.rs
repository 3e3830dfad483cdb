//! What an event with several causes would have been like, had they come one by one.

/// What the present event would have been like.
#[derive(Debug, Default)]
pub(crate) struct SimultaneousEvents {
    pub(crate) trials: u32,
    /// Crossings that fired, and the discrete values if they alone had fired.
    pub(crate) alone: Vec<(usize, Vec<f64>)>,
    /// The discrete values before the event.
    pub(crate) before: Vec<f64>,
}

impl SimultaneousEvents {
    /// For a new run.
    pub(crate) fn clear(&mut self) {
        *self = SimultaneousEvents::default();
    }
}
