//! Observers of the driver: what a run tells about itself without changing it, and models that do not come on.

pub(crate) mod directional;
pub(crate) mod error_propagation;
pub(crate) mod event_order;
pub(crate) mod progress;
pub(crate) mod sliding;
pub(crate) mod zeno;
