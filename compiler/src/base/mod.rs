//! What every layer may use: typed indices, budgets of work, hashing, pages of HTML.
#![forbid(unsafe_code)]

pub mod budget;
pub mod ids;
pub mod locality_hash;
pub mod messages;
pub mod page;
