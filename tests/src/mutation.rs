//! Mutated texts of models.
//!
//! Input: texts and a seed. Output: a text with some edits of its tokens. Guarantee: the same seed gives the same text. Cost: linear in the text.

use crate::random::Random;
use std::path::Path;

/// Words and signs that are known to be trouble somewhere.
const TROUBLE: &[&str] = &[
    "0",
    "-1",
    "1e308",
    "1e-308",
    "9223372036854775807",
    "100000",
    "1e400",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    "=",
    ":=",
    ":",
    ".",
    "..",
    ".^",
    "end",
    "if",
    "then",
    "else",
    "elseif",
    "for",
    "in",
    "loop",
    "while",
    "when",
    "elsewhen",
    "der",
    "der(",
    "pre(",
    "size(",
    "fill(0.0, 0, 2)",
    "zeros(",
    "cat(1,",
    "transpose(",
    "function",
    "model",
    "record",
    "equation",
    "algorithm",
    "initial",
    "parameter",
    "constant",
    "input",
    "output",
    "discrete",
    "Real",
    "Integer",
    "Boolean",
    "String",
    "time",
    "true",
    "false",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "\u{0}",
    "é",
    "𝄞",
    "+",
    "-",
    "*",
    "/",
    "^",
    "<",
    ">=",
    "==",
    "<>",
    "not",
    "and",
    "or",
    "x",
    "1:0",
    "1:-1:3",
    "sum(",
    "min(",
    "reinit(",
    "sample(0, 1)",
    "assert(",
    "terminate(\"\")",
    "homotopy(",
    "delay(",
    "noEvent(",
    "annotation(",
    "each",
    "final",
    "extends",
    "connect(",
    "external \"C\"",
    "fill(1.0, 3000, 3000)",
    "1:100000000",
    "String(time)",
    "sample(0, 1e-9)",
    "1e9",
];

/// Texts to mutate, with their tokens.
#[derive(Clone, Debug, Default)]
pub struct Seeds {
    texts: Vec<Vec<String>>,
}

impl Seeds {
    /// Texts of no more than this many bytes; larger ones would make every input slow.
    const LONGEST: usize = 20_000;

    /// The models below the folders.
    pub fn read(folders: &[&Path]) -> std::io::Result<Seeds> {
        let mut texts = Vec::new();
        for folder in folders {
            for path in crate::roundtrip::modelica_files(folder)? {
                let bytes = std::fs::read(&path)?;
                if bytes.len() <= Seeds::LONGEST {
                    texts.push(tokens(&String::from_utf8_lossy(&bytes)));
                }
            }
        }
        Ok(Seeds { texts })
    }

    /// Number of texts.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    fn any_token(&self, random: &mut Random) -> String {
        let text = &self.texts[random.below(self.texts.len())];
        if text.is_empty() || random.below(3) == 0 {
            TROUBLE[random.below(TROUBLE.len())].to_string()
        } else {
            text[random.below(text.len())].clone()
        }
    }

    /// The mutated text of a seed.
    pub fn mutant(&self, seed: u64) -> String {
        let random = &mut Random::new(seed);
        let text = self.texts[random.below(self.texts.len())].clone();
        self.mutated(text, random)
    }

    /// A text with some edits.
    pub(crate) fn mutated(&self, mut text: Vec<String>, random: &mut Random) -> String {
        if random.below(20) == 0 {
            let other = &self.texts[random.below(self.texts.len())];
            text.truncate(random.below(text.len() + 1));
            text.extend_from_slice(&other[random.below(other.len() + 1)..]);
        }
        for _ in 0..=random.below(6) {
            self.edit(&mut text, random);
        }
        text.concat()
    }

    fn edit(&self, text: &mut Vec<String>, random: &mut Random) {
        let at = random.below(text.len());
        match random.below(10) {
            _ if text.is_empty() => text.push(self.any_token(random)),
            0 | 1 => text.insert(at, self.any_token(random)),
            2 | 3 => text[at] = self.any_token(random),
            4 => {
                text.remove(at);
            }
            5 => {
                let other = random.below(text.len());
                text.swap(at, other);
            }
            6 => {
                let doubled = text[at].clone();
                text.insert(at, doubled);
            }
            7 => {
                let n = random.below(20).min(text.len() - at);
                text.drain(at..at + n);
            }
            8 => {
                let n = random.below(20).min(text.len() - at);
                let part = text[at..at + n].to_vec();
                let to = random.below(text.len() + 1);
                text.splice(to..to, part);
            }
            _ => {
                let mut characters: Vec<char> = text[at].chars().collect();
                let place = random.below(characters.len() + 1);
                let c = char::from_u32(random.below(0x250) as u32).unwrap_or('?');
                characters.insert(place, c);
                text[at] = characters.into_iter().collect();
            }
        }
    }
}

/// A text as words, numbers, signs and the space between them.
pub(crate) fn tokens(text: &str) -> Vec<String> {
    let kind = |c: char| {
        if c.is_alphanumeric() || c == '_' {
            0
        } else if c.is_whitespace() {
            1
        } else {
            2
        }
    };
    let mut tokens: Vec<String> = Vec::new();
    let mut last = 2;
    for c in text.chars() {
        let this = kind(c);
        match tokens.last_mut() {
            Some(token) if this == last && this != 2 => token.push(c),
            _ => tokens.push(c.to_string()),
        }
        last = this;
    }
    tokens
}
