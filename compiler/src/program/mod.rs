//! The lowest form: straight-line code over slots. The interpreter runs it, `codegen` makes machine code of it, and both
//! give the same bits.

mod chain;
pub mod code;
mod cost;
pub mod dead;
pub mod differentiate;
pub mod dump;
pub mod emit;
pub mod function;
pub mod guard;
pub mod interp;
mod invariant;
pub mod layout;
pub mod lower;
pub mod needs;
mod partials;
pub mod print;
pub mod roll;
pub mod routine;
pub mod sites;
pub mod tangent;
mod unstructure;
pub mod verify;
