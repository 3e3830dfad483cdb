//! Messages as data; `render` draws them with source frames, `Serialize` gives them as JSON.
//!
//! Codes by stage: `P` parse, `F` flatten, `D` dae, `S` structure, `G` code generation, `R` run time, `C` cycle analysis; `L` libraries,
//! `N` names and classes, `M` modifications and `K` connections of hierarchical models.
//! Titles are lower case without full stop and speak of the model in Modelica's words.

use crate::frame::{Frame, Frames};
use crate::span::{Source, Span};
use crate::texts::{Text, Texts};
use serde::Serialize;
use std::sync::Arc;

/// How bad it is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The result cannot be had.
    Error,
    /// Something was assumed; the message says what.
    Warning,
    /// Good to know.
    Note,
}

/// A place in the source and what is to be said about it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is said under the place; may be empty.
    pub text: String,
    /// The text that the place lies in, if that is not the file that was given.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "file_name")]
    pub origin: Option<Arc<Text>>,
}

/// A label of another file is given out with the name of that file.
fn file_name<S: serde::Serializer>(origin: &Option<Arc<Text>>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(origin.as_ref().map_or("", |text| &text.name))
}

/// One message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diagnostic {
    /// Stable code, `P001`.
    pub code: &'static str,
    /// How bad.
    pub severity: Severity,
    /// One line.
    pub title: String,
    /// The first label is the primary one.
    pub labels: Vec<Label>,
    /// Further facts, one line or several each.
    pub notes: Vec<String>,
    /// What would likely repair it.
    pub hint: Option<String>,
    /// Further places with the same cause.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Span>,
}

/// How many lines of further places a message names.
const NAMED_LINES: usize = 5;

impl Diagnostic {
    /// Moves the labels into the texts that they speak of, and says which instance is meant.
    pub fn resolve(&mut self, texts: &Texts) {
        let mut roles: Vec<Arc<str>> = Vec::new();
        for label in self.labels.iter_mut().filter(|label| label.origin.is_none()) {
            let Some((region, start)) = texts.find(label.span.start) else { continue };
            let length = label.span.end.saturating_sub(label.span.start);
            label.span = Span { start, end: start.saturating_add(length).min(region.offset + region.length) };
            if !region.role.is_empty() && !roles.contains(&region.role) {
                roles.push(region.role.clone());
            }
            label.origin = Some(region.text);
        }
        let notes: Vec<String> = roles.iter().map(|role| role.to_string()).filter(|role| !self.notes.contains(role)).collect();
        self.notes.extend(notes);
        // Further places are those of other instances or files; their lines would be those of the first one.
        self.also.retain(|span| texts.find(span.start).is_none_or(|(region, _)| region.role.is_empty() && region.offset == 0));
    }

    /// An error without places yet.
    pub fn error(code: &'static str, title: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            title: title.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            hint: None,
            also: Vec::new(),
        }
    }

    /// A warning without places yet.
    pub fn warning(code: &'static str, title: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, title) }
    }

    /// A note without places yet.
    pub fn note(code: &'static str, title: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Note, ..Diagnostic::error(code, title) }
    }

    /// Adds a place.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into(), origin: None });
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Diagnostic {
        self.notes.push(note.into());
        self
    }

    /// Sets the hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }
}

/// Adds a message to others, unless one of them has the same cause: then only its place is added there.
///
/// Causes are the same if all words are and the title names what it is about; a title without a name speaks of its place alone.
pub fn add_once(messages: &mut Vec<Diagnostic>, message: Diagnostic) {
    let same = messages.iter_mut().find(|d| {
        (d.code, d.severity, &d.title, &d.notes, &d.hint) == (message.code, message.severity, &message.title, &message.notes, &message.hint)
            && d.labels.iter().map(|label| &label.text).eq(message.labels.iter().map(|label| &label.text))
    });
    match (same, message.labels.first().map(|label| label.span)) {
        (Some(first), Some(place)) if first.labels.first().is_some_and(|label| label.span == place) || first.also.contains(&place) => {}
        (Some(first), Some(place)) if message.title.contains('`') => first.also.push(place),
        (Some(_), None) => {}
        _ => messages.push(message),
    }
}

/// The sentence about the further places of a message.
fn further_spans(also: &[Span], source: &Source) -> Option<String> {
    let mut lines: Vec<usize> = also.iter().map(|span| source.line_column(span.start).0).collect();
    lines.sort_unstable();
    lines.dedup();
    let places = if also.len() == 1 { "1 more place".to_owned() } else { format!("{} more places", also.len()) };
    let named: Vec<String> = lines.iter().take(NAMED_LINES).map(usize::to_string).collect();
    let word = if lines.len() == 1 { "line" } else { "lines" };
    let rest = if lines.len() > NAMED_LINES { " and others" } else { "" };
    (!also.is_empty()).then(|| format!("and at {places}: {word} {}{rest}", named.join(", ")))
}

/// Draws one message with the source lines it speaks of.
pub fn render(diagnostic: &Diagnostic, source: &Source) -> String {
    draw(diagnostic, source, false)
}

/// Like `render`, with the colours of a terminal.
pub fn render_coloured(diagnostic: &Diagnostic, source: &Source) -> String {
    draw(diagnostic, source, true)
}

/// Bytes with the codes that colour a terminal.
fn coloured(files: &Frames, drawn: &codespan_reporting::diagnostic::Diagnostic<usize>) -> Result<String, codespan_reporting::files::Error> {
    use codespan_reporting::term::{Config, Styles, StylesWriter, emit_to_write_style, termcolor::Ansi};
    let mut bytes = Vec::new();
    let styles = Styles::default();
    emit_to_write_style(&mut StylesWriter::new(Ansi::new(&mut bytes), &styles), &Config::default(), files, drawn)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn draw(diagnostic: &Diagnostic, source: &Source, in_colour: bool) -> String {
    use codespan_reporting::diagnostic as cs;
    let severity = match diagnostic.severity {
        Severity::Error => cs::Severity::Error,
        Severity::Warning => cs::Severity::Warning,
        Severity::Note => cs::Severity::Note,
    };
    // The files of the labels, in order of their first label.
    let mut files: Vec<Option<&Arc<Text>>> = Vec::new();
    let mut file_of: Vec<usize> = Vec::new();
    for label in &diagnostic.labels {
        let origin = label.origin.as_ref();
        let known = files.iter().position(|f| f.map(Arc::as_ptr) == origin.map(Arc::as_ptr));
        file_of.push(known.unwrap_or(files.len()));
        if known.is_none() {
            files.push(origin);
        }
    }
    let mut frames = Vec::with_capacity(files.len());
    let mut ranges = vec![0..0; diagnostic.labels.len()];
    for (index, origin) in files.iter().enumerate() {
        let (name, text) = origin.map_or((&source.name, &source.text), |text| (&text.name, &text.text));
        let of_file: Vec<usize> = (0..file_of.len()).filter(|label| file_of[*label] == index).collect();
        let asked = of_file.iter().map(|label| {
            let span = diagnostic.labels[*label].span;
            let start = (span.start as usize).min(text.len());
            start..(span.end as usize).clamp(start, text.len())
        });
        let (frame, moved) = Frame::new(name, text, &asked.collect::<Vec<_>>());
        of_file.into_iter().zip(moved).for_each(|(label, range)| ranges[label] = range);
        frames.push(frame);
    }
    let frames = Frames(frames);
    let labels = diagnostic.labels.iter().zip(ranges).enumerate().map(|(i, (label, range))| {
        let style = if i == 0 { cs::LabelStyle::Primary } else { cs::LabelStyle::Secondary };
        cs::Label::new(style, file_of[i], range).with_message(&label.text)
    });
    let mut notes = diagnostic.notes.clone();
    notes.extend(further_spans(&diagnostic.also, source));
    notes.extend(diagnostic.hint.iter().map(|hint| format!("hint: {hint}")));
    let drawn =
        cs::Diagnostic::new(severity).with_code(diagnostic.code).with_message(&diagnostic.title).with_labels_iter(labels).with_notes(notes);
    let plain = |files: &Frames| codespan_reporting::term::emit_into_string(&codespan_reporting::term::Config::default(), files, &drawn);
    let text = if in_colour { coloured(&frames, &drawn) } else { plain(&frames) };
    text.unwrap_or_else(|e| format!("{}: {} ({e})\n", diagnostic.code, diagnostic.title))
}
