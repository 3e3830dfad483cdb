//! How commands end and speak: failures, messages, standard output.

use partita_grammar::{Diagnostic, Severity, Source, render, render_coloured};
use partita_runtime::base::error::RunError;
use partita_runtime::base::files;
use partita_runtime::base::terminal::{self, say};

/// Why a command fails.
pub(crate) enum Failure {
    /// Results differ; that has been said.
    Different,
    Model(Source, Vec<Diagnostic>),
    Outside(String),
    /// A stream of this process is a file that is read or written.
    Stream(RunError),
    /// The user stopped the run; that has been said.
    Stopped,
}

/// A file that cannot be read or written is not the model's fault.
pub(crate) fn outside(error: RunError) -> Failure {
    if files::is_about_streams(&error) { Failure::Stream(error) } else { Failure::Outside(error.title) }
}

/// Reports as JSON what is no model's fault and has no place in a source.
pub(crate) fn report_outside(title: &str, notes: &[&str]) {
    let notes: Vec<&str> = notes.iter().copied().filter(|note| !note.is_empty()).collect();
    let message = serde_json::json!({ "code": null, "severity": "error", "title": title, "labels": [], "notes": notes, "hint": null });
    terminal::show(&format!("{:#}\n", serde_json::json!({ "diagnostics": [message] })));
}

/// Prints messages, each with its source frame, to standard error, or as JSON to standard output.
pub(crate) fn report(source: &Source, diagnostics: &[Diagnostic], json: bool) {
    if json {
        terminal::show(&format!("{:#}\n", serde_json::json!({ "diagnostics": diagnostics })));
        return;
    }
    let mut text = String::new();
    let drawn = if terminal::has_colour() { render_coloured } else { render };
    for diagnostic in diagnostics {
        text.push_str(&drawn(diagnostic, source));
        text.push('\n');
    }
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    if errors > 1 {
        text.push_str(&format!("{errors} errors\n"));
    }
    say(&text);
}

/// Prints to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    terminal::print(text).map_err(|error| Failure::Outside(format!("cannot write to standard output: {error}")))
}
