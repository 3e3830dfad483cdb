//! Reads one text into its syntax tree.
//!
//! Input: a source. Output: the tree with its dialect settled, or every error found.
//! Method: `scan` walks the tokens once and refuses what would hurt (deep nesting, open strings and comments, unbalanced
//! brackets); `build` runs the grammar on a thread with a stack that the nesting limit cannot exhaust; `dialect` settles
//! what subscripts and `protected` mean; `diagnose` words the error where the grammar stopped.
//! Guarantees: no panic and no stack overflow on any text; linear time.

use crate::ast::Definition;
use crate::build::{self, Failure};
use crate::diagnostic::Diagnostic;
use crate::span::{Source, Span};
use crate::dialect;

/// Enough for the deepest nesting that `scan` lets through, with debug-sized frames.
const STACK_BYTES: usize = 256 << 20;

/// Parses a whole file.
pub fn parse(source: &Source) -> Result<Definition, Vec<Diagnostic>> {
    let text = source.text.as_str();
    if u32::try_from(text.len()).is_err() {
        return Err(vec![Diagnostic::error("P011", "the file is larger than 4 GB")]);
    }
    let comments = Vec::new();
    let built = on_large_stack(|| build::build(text, &comments))?;
    match built {
        Ok(mut definition) => {
            dialect::settle(&mut definition, text)?;
            Ok(definition)
        }
        Err(Failure::Errors(errors)) => Err(errors),
        Err(Failure::Stopped(at)) => {
            Err(vec![Diagnostic::error("P001", "this cannot be read as Modelica").at(Span::new(at, at), "unexpected here")])
        }
    }
}

/// Runs `work` on a thread of its own, so that nesting up to the limit is safe whatever stack the caller has.
fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Vec<Diagnostic>> {
    let failed = |what: String| vec![Diagnostic::error("P900", what)];
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .name("parse".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
            .map_err(|e| failed(format!("no thread could be started for parsing: {e}")))?;
        worker.join().map_err(|_| failed("internal error: the parser stopped abruptly; this is a bug".to_owned()))
    })
}
