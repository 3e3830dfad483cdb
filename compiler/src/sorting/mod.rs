//! From equations to the order in which they are solved: matching, blocks, tearing, time events.

pub mod causalize;
pub mod time_events;
pub mod torn;
