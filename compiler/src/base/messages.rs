//! Failures and warnings of a run as messages about the source.

use partita_grammar::{Diagnostic, Severity, Span};
use partita_runtime::base::error::RunError;
use partita_runtime::base::number::rounded;

/// A warning of the run as a message about the source.
pub fn run_warning(warning: &RunError) -> Diagnostic {
    Diagnostic { severity: Severity::Warning, ..run_message(warning) }
}

/// A failure of the run as a message about the source.
pub fn run_message(error: &RunError) -> Diagnostic {
    let title = match error.time {
        Some(time) => format!("{} at time {}", error.title, rounded(time)),
        None => error.title.clone(),
    };
    let mut message = Diagnostic::error(error.code, title);
    if let Some(((start, end), text)) = &error.place {
        message = message.at(Span { start: *start, end: *end }, text.clone());
    }
    for other in &error.others {
        message = message.at(Span { start: other.span.0, end: other.span.1 }, other.text.clone());
    }
    for note in &error.notes {
        message = message.with_note(note.clone());
    }
    message.hint = error.hint.clone();
    message
}
