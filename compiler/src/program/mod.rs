//! The lowest form: straight-line code over slots. The interpreter runs it, `codegen` makes machine code of it, and both
//! give the same bits.
#![forbid(unsafe_code)]

mod cascade;
pub mod cells;
pub mod code;
mod cost;
pub mod dead;
pub mod dump;
pub mod emit;
pub mod guard;
pub mod interp;
mod invariant;
pub mod layout;
mod linearisation;
pub mod lower;
pub mod needs;
pub mod print;
pub mod reroll;
pub mod sites;
pub mod tangent;
pub mod verify;
