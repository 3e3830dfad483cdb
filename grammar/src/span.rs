//! Byte ranges of one source text.

use serde::{Deserialize, Serialize};

/// A half-open byte range of the source text.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range from `start` to `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// The smallest range that holds both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The range so many bytes further on.
    pub fn shifted(self, by: u32) -> Span {
        Span { start: self.start.saturating_add(by), end: self.end.saturating_add(by) }
    }

    /// The text of this range.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// One input: its name for messages, and its text.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The file name as the user gave it, or `<stdin>`.
    pub name: String,
    /// The whole text.
    pub text: String,
}

impl Source {
    /// One-based line and column of a byte offset.
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        let upto = self.text.get(..offset as usize).unwrap_or(&self.text);
        let line = upto.bytes().filter(|b| *b == b'\n').count() + 1;
        let column = upto.chars().rev().take_while(|c| *c != '\n').count() + 1;
        (line, column)
    }
}
