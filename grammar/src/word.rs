//! The text of an identifier: short ones lie in place, for a large model has millions of them and each would be a piece of memory
//! of its own otherwise, to be found, followed and given back.

use std::fmt;
use std::ops::Deref;

/// The longest text that lies in place: with its length it is as large as a `String`.
const IN_PLACE: usize = 22;

/// Text that does not change.
#[derive(Clone)]
pub struct Word(Place);

#[derive(Clone)]
enum Place {
    Here(u8, [u8; IN_PLACE]),
    There(Box<str>),
}

impl Word {
    /// The text.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            // These bytes are those of a text, all of them, so there is no other case.
            Place::Here(length, bytes) => std::str::from_utf8(&bytes[..usize::from(*length)]).unwrap_or_default(),
            Place::There(text) => text,
        }
    }
}

impl From<&str> for Word {
    fn from(text: &str) -> Word {
        let mut bytes = [0; IN_PLACE];
        Word(match bytes.get_mut(..text.len()) {
            Some(room) => {
                room.copy_from_slice(text.as_bytes());
                Place::Here(text.len() as u8, bytes)
            }
            None => Place::There(text.into()),
        })
    }
}

impl Deref for Word {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq for Word {
    fn eq(&self, other: &Word) -> bool {
        self.as_str() == other.as_str()
    }
}

impl PartialEq<str> for Word {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Word {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_any_length_are_what_they_were() {
        for text in ["", "x", "'a.b'", "käse", &"ab".repeat(11), &"ab".repeat(12), &"ä".repeat(11), &"ä".repeat(30)] {
            let word = Word::from(text);
            assert_eq!(word, *text);
            assert_eq!((word.to_string(), format!("{word:?}")), (text.to_string(), format!("{text:?}")));
            assert_eq!(word.clone(), word);
        }
        assert_eq!(size_of::<Word>(), size_of::<String>());
    }
}
