//! Modelica text to syntax tree.
//!
//! `parse` reads flat Modelica as `omc` prints it, Base Modelica 0.1 and hand-written single-file models into [`ast`];
//! messages are [`Diagnostic`]s. Nothing here knows what a name means.

pub mod ast;
mod build;
mod diagnose;
pub mod diagnostic;
mod dialect;
mod frame;
mod parse;
mod print;
mod scan;
pub mod span;
mod strip;
mod word;

pub use diagnostic::{Diagnostic, Label, Severity, add_once, render, render_coloured};
pub use parse::parse;
pub use print::{print, print_expression, print_statement};
pub use span::{Source, Span};
pub use strip::strip_spans;
pub use word::Word;
