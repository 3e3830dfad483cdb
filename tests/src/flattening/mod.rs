//! Flattening tests of OpenModelica: a model, and the flat class or the error that is expected.
//!
//! `case` reads a test, `canonical` writes equations so that those that mean the same are written the same, `numbers` compares what is written in
//! another way, `judge` compares all.
//! Nothing of the tests is kept: they are read from a copy of OpenModelica's repository.

pub mod canonical;
pub mod case;
pub mod judge;
mod numbers;
