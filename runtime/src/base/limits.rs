//! How much a model may ask for before it is refused, and the flag that raises it.
//!
//! In: `NAME=NUMBER` of `--limit`. Out: [`Limits`]. Guarantee: a limit that was not named grows with the text of the model, so that
//! what somebody wrote down is compiled whatever its size, and a short text cannot ask for much.

use serde::{Deserialize, Serialize};

/// What is limited. A number that is not given has a default: see [`Limits::get`].
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    given: [Option<u64>; Limit::ALL.len()],
    /// Bytes of the model's text.
    text: u64,
}

/// One of the limits.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Limit {
    /// Bytes of one String.
    Strings,
    /// Elements of one array, or of a table in a file.
    Elements,
    /// Operations while the model is compiled: steps of evaluations, expressions that are made, edges of graphs that are visited.
    Operations,
    /// Bytes of memory of the whole process.
    Memory,
}

impl Limit {
    /// All limits.
    pub const ALL: [Limit; 4] = [Limit::Strings, Limit::Elements, Limit::Operations, Limit::Memory];

    /// The name that the flag has for it.
    pub fn word(self) -> &'static str {
        match self {
            Limit::Strings => "strings",
            Limit::Elements => "elements",
            Limit::Operations => "operations",
            Limit::Memory => "memory",
        }
    }

    /// What to do about it, for messages.
    pub fn hint(self, limit: u64) -> String {
        format!("`--limit {}={}` allows ten times as much", self.word(), limit.saturating_mul(10))
    }
}

impl Limits {
    /// With a further text of this many bytes.
    #[must_use]
    pub fn with_text(mut self, bytes: usize) -> Limits {
        self.text += bytes as u64;
        self
    }

    /// A limit: what was given, else a number that grows with the text.
    pub fn get(&self, limit: Limit) -> u64 {
        self.given[limit as usize].unwrap_or(match limit {
            Limit::Strings => 1_000_000 + self.text,
            Limit::Elements => 5_000_000,
            Limit::Operations => 30_000_000 + 1000 * self.text,
            Limit::Memory => 1_000_000_000 + 1000 * self.text,
        })
    }

    /// Takes `NAME=NUMBER`, where the number may be written `2e9`.
    pub fn set(&mut self, text: &str) -> Result<(), String> {
        let words = || Limit::ALL.map(Limit::word).join(", ");
        let (name, number) =
            text.split_once('=').ok_or_else(|| format!("expected NAME=NUMBER, not `{text}`; the names are {}", words()))?;
        let limit = Limit::ALL.into_iter().find(|limit| limit.word() == name.trim());
        let limit = limit.ok_or_else(|| format!("there is no limit `{}`; there are {}", name.trim(), words()))?;
        let number = number.trim().parse::<f64>().ok().filter(|number| *number >= 1.0 && *number <= 1e18);
        self.given[limit as usize] = Some(number.ok_or_else(|| format!("the limit `{name}` needs a number between 1 and 1e18"))? as u64);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_set_by_name_and_grow_with_the_text() {
        let mut limits = Limits::default();
        assert_eq!(limits.get(Limit::Strings), 1_000_000);
        assert!(limits.with_text(1 << 20).get(Limit::Operations) > 1_000_000_000);
        limits.set("strings=2e3").unwrap();
        assert_eq!(limits.with_text(1 << 20).get(Limit::Strings), 2000);
        for wrong in ["strings", "string=1", "strings=", "strings=0", "strings=-1", "strings=nan", "strings=1e99"] {
            assert!(limits.set(wrong).is_err(), "{wrong}");
        }
    }
}
