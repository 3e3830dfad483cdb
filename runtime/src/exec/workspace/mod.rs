//! What a run needs room for: per block of equations, per delayed value, per input.

pub(super) mod block;
pub(super) mod curve;
pub(super) mod delay;
mod digits;
pub(super) mod matrix;
pub(super) mod transport;
pub(super) mod trials;
