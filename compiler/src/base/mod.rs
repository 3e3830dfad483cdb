//! What every layer may use: typed indices, budgets of work, hashing, pages of HTML.

pub mod budget;
pub mod ids;
pub mod messages;
pub mod near_hash;
pub mod page;
