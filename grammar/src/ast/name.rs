//! Identifiers and names.

use crate::span::Span;
use crate::word::Word;

/// An identifier with its span. Quotes of quoted identifiers are kept in `text` (`'a.b'`), so printing is exact.
#[derive(Clone, Debug, PartialEq)]
pub struct Ident {
    /// As written, quotes included.
    pub text: Word,
    /// Where.
    pub span: Span,
}

impl Ident {
    /// The name without enclosing quotes; inner escapes are kept.
    pub fn unquoted(&self) -> &str {
        let t = self.text.as_str();
        t.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')).unwrap_or(t)
    }
}

/// A dotted name without subscripts: a type, a class or a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// Written with a leading dot.
    pub global: bool,
    /// Identifiers between the dots.
    pub parts: Vec<Ident>,
    /// Where.
    pub span: Span,
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, part) in self.parts.iter().enumerate() {
            f.write_str(if i > 0 || self.global { "." } else { "" })?;
            f.write_str(&part.text)?;
        }
        Ok(())
    }
}
