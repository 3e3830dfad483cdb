//! Several texts in one address space: where the bytes of a span lie when a model is made of more than one file.
//!
//! The file that is given has the bytes from zero on. Every other text gets a range behind it, so a `Span` needs no file.
//! A text may have several ranges: one for each instance of a class, so that a message about an equation that many
//! instances share says which of them it speaks of.
//! Cost: a range is added in constant time and found by bisection.

use std::sync::{Arc, Mutex, PoisonError};

/// A file: its name for messages, and what is in it.
#[derive(Debug, PartialEq, Eq)]
pub struct Text {
    /// The file name.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// A range of the address space.
#[derive(Clone, Debug)]
pub struct Region {
    /// The text that it shows.
    pub text: Arc<Text>,
    /// The first byte of the text that it shows.
    pub offset: u32,
    /// How many bytes.
    pub length: u32,
    /// What the text is read for, in the words of a note; empty for the text by itself.
    pub role: Arc<str>,
}

/// All ranges, in order of their first byte.
#[derive(Debug, Default)]
pub struct Texts {
    regions: Mutex<Vec<(u32, Region)>>,
}

impl Texts {
    /// The bytes before `first` belong to the given file.
    pub fn behind(first: u32, text: Arc<Text>) -> Texts {
        let region = Region { text, offset: 0, length: first, role: Arc::from("") };
        Texts { regions: Mutex::new(vec![(0, region)]) }
    }

    /// Adds a range and says where it begins; nothing if the address space is used up.
    pub fn add(&self, region: Region) -> Option<u32> {
        let mut regions = self.regions.lock().unwrap_or_else(PoisonError::into_inner);
        // One byte between two ranges: the end of a text is a place too.
        let base = regions.last().map_or(0, |(base, last)| base + last.length + 1);
        base.checked_add(region.length)?.checked_add(1)?;
        regions.push((base, region));
        Some(base)
    }

    /// The range that a byte lies in, and the byte of its text.
    pub fn find(&self, at: u32) -> Option<(Region, u32)> {
        let regions = self.regions.lock().unwrap_or_else(PoisonError::into_inner);
        let next = regions.partition_point(|(base, _)| *base <= at);
        let (base, region) = regions.get(next.checked_sub(1)?)?;
        Some((region.clone(), at - base + region.offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Diagnostic, Source, Span, render};

    #[test]
    fn places_are_found_in_their_texts_with_their_instances() {
        let text = |name: &str, text: &str| Arc::new(Text { name: name.to_owned(), text: text.to_owned() });
        let given = text("given.mo", "model M end M;");
        let texts = Texts::behind(14, given.clone());
        let library = text("lib.mo", "model A x = 1; end A;\nmodel B y = 2; end B;");
        let region = |offset: u32, role: &str| Region { text: library.clone(), offset, length: 21, role: Arc::from(role) };
        assert_eq!(texts.add(region(0, "")), Some(15));
        assert_eq!(texts.add(region(22, "in m.b")), Some(37));
        let message = Diagnostic::error("N000", "wrong").at(Span::new(45, 50), "here").at(Span::new(23, 28), "there");
        let mut messages = [message.at(Span::new(6, 7), "given")];
        messages.iter_mut().for_each(|message| message.resolve(&texts));
        assert_eq!(messages[0].labels[0].span.text(&library.text), "y = 2");
        assert_eq!(messages[0].labels[1].span.text(&library.text), "x = 1");
        assert_eq!(messages[0].labels[2].span.text(&given.text), "M");
        assert_eq!(messages[0].notes, ["in m.b"]);
        let drawn = render(&messages[0], &Source { name: "given.mo".to_owned(), text: given.text.clone() });
        assert!(drawn.contains("lib.mo:2:9") && drawn.contains("given.mo:1:7"), "{drawn}");
    }

    #[test]
    fn a_full_address_space_gives_no_range() {
        let text = Arc::new(Text { name: String::new(), text: String::new() });
        let texts = Texts::behind(u32::MAX - 10, text.clone());
        assert_eq!(texts.add(Region { text, offset: 0, length: 20, role: Arc::from("") }), None);
    }
}
