//! The lowest form: straight-line code over slots. The interpreter runs it, `codegen` makes machine code of it, and both
//! give the same bits.

pub mod code;
pub mod emit;
pub mod function;
pub mod guard;
pub mod interp;
pub mod print;
pub mod tangent;
pub mod verify;
