//! From equations to the order in which they are solved: matching, blocks, tearing, time events.
#![forbid(unsafe_code)]

pub mod causalize;
pub mod closed_form;
pub mod sorted;
pub mod tearing;
pub mod time_events;
