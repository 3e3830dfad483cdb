//! Names as text.

use partita_grammar::ast::{ComponentRef, Ident, Name};

/// The unquoted text of a dotted name.
pub(in crate::frontend) fn name_text(name: &Name) -> String {
    let mut text = String::new();
    for (i, part) in name.parts.iter().enumerate() {
        if i > 0 {
            text.push('.');
        }
        text.push_str(part.unquoted());
    }
    text
}

/// The unquoted names of a reference joined by dots, subscripts left out.
pub(in crate::frontend) fn plain_text(reference: &ComponentRef) -> String {
    let mut text = String::new();
    for (i, part) in reference.parts.iter().enumerate() {
        if i > 0 {
            text.push('.');
        }
        text.push_str(part.name.unquoted());
    }
    text
}

/// Whether a name has subscripts that are not numbers.
pub(in crate::frontend) fn has_subscripts(ident: &Ident) -> bool {
    if !ident.text.starts_with('\'') {
        return false;
    }
    let mut rest = ident.text.as_str();
    while let Some(at) = rest.find('[') {
        rest = &rest[at + 1..];
        let end = rest.find(']').unwrap_or(rest.len());
        if rest[..end].bytes().any(|b| !b.is_ascii_digit() && b != b',' && b != b' ') {
            return true;
        }
    }
    false
}

/// Takes one level of escapes away.
pub(in crate::frontend) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next()),
            c => out.push(c),
        }
    }
    out
}
