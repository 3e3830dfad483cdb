//! Structural algorithms on graphs. Nothing here ever sees an expression.

pub mod incidence;
