//! Modelica text to syntax tree.
//!
//! `parse` reads flat Modelica as `omc` prints it, Base Modelica 0.1 and hand-written single-file models into [`ast`];
//! messages are [`Diagnostic`]s. Nothing here knows what a name means.
#![forbid(unsafe_code)]

pub mod ast;
mod diagnose;
pub mod diagnostic;
mod dialect;
mod frame;
mod outline;
mod parse;
mod print;
mod scan;
pub mod span;
mod strip;
mod texts;
mod tree_builder;
mod word;

pub use diagnostic::{Diagnostic, Label, Severity, add_once, render, render_coloured};
pub use outline::{ClassOutline, Outline, class_text, outline};
pub use parse::{parse, parse_class};
pub use print::{print, print_expression, print_statement};
pub use span::{Source, Span};
pub use strip::{shift_spans, strip_spans};
pub use texts::{Region, Text, Texts};
pub use word::Word;
