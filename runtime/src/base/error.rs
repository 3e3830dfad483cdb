//! Failures of a run as data.

use serde::{Deserialize, Serialize};

/// The model could not be evaluated at a trial point. Recoverable: a shorter step may avoid it.
#[derive(Clone, Debug, PartialEq)]
pub struct EvalFailure {
    /// What went wrong, in the model's words.
    pub reason: String,
    /// Byte range of the equation in the source, if known.
    pub span: Option<(u32, u32)>,
    /// Further equations that take part.
    pub others: Vec<Label>,
    /// More facts, one line each.
    pub notes: Vec<String>,
}

/// The run cannot go on.
#[derive(Clone, Debug, PartialEq)]
pub struct RunError {
    /// Stable code, `R001`.
    pub code: &'static str,
    /// One line.
    pub title: String,
    /// When, if the run had begun.
    pub time: Option<f64>,
    /// Byte range of the equation in the source, if known, and what to say there.
    pub place: Option<((u32, u32), String)>,
    /// Further equations that take part, and what to say there.
    pub others: Vec<Label>,
    /// More facts, one line each.
    pub notes: Vec<String>,
    /// What would likely help.
    pub hint: Option<String>,
}

impl EvalFailure {
    /// A failure without a place.
    pub fn new(reason: impl Into<String>) -> EvalFailure {
        EvalFailure { reason: reason.into(), span: None, others: Vec::new(), notes: Vec::new() }
    }
}

impl RunError {
    /// An error without a place.
    pub fn new(code: &'static str, title: impl Into<String>) -> RunError {
        RunError { code, title: title.into(), time: None, place: None, others: Vec::new(), notes: Vec::new(), hint: None }
    }

    /// Adds the time.
    #[must_use]
    pub fn at_time(mut self, t: f64) -> RunError {
        self.time = Some(t);
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> RunError {
        self.notes.push(note.into());
        self
    }

    /// The evaluation failure that ended the run.
    pub fn from_eval(code: &'static str, title: impl Into<String>, failure: &EvalFailure) -> RunError {
        let mut error = RunError::new(code, title);
        error.place = failure.span.map(|span| (span, failure.reason.clone()));
        if failure.span.is_none() {
            error.notes.push(failure.reason.clone());
        }
        error.others.clone_from(&failure.others);
        error.notes.extend(failure.notes.iter().cloned());
        error
    }
}

/// Words for a message about an equation or relation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// The equation or expression as text.
    pub text: String,
    /// Byte range in the source.
    pub span: (u32, u32),
}
