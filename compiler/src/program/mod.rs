//! The lowest form: straight-line code over slots. The interpreter runs it, `codegen` makes machine code of it, and both
//! give the same bits.

pub mod code;
