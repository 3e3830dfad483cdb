//! Mutation of model texts: inputs that nobody wrote, for the rule that no text makes the compiler panic, hang or eat the memory.
//!
//! Input: texts of models, a seed. Output: a mutated text, the same for the same seed; or what went wrong with it.
//!
//! Method: one to six edits of tokens (removed, doubled, swapped, replaced by a token of any text or by one that is known to be
//! trouble), of lines, or of single characters; sometimes the halves of two texts are joined. Edits of tokens keep most texts close
//! enough to Modelica that passes behind the parser see them.

use crate::random::Random;
use partita::pipeline;
use partita_grammar::{Source, parse};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// How far a text is compiled.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Only parsed.
    Parse,
    /// Parsed, flattened and sorted.
    Structure,
}

/// Words and signs that are known to be trouble somewhere.
const TROUBLE: &[&str] = &[
    "0", "-1", "1e308", "1e-308", "9223372036854775807", "100000", "1e400", "(", ")", "[", "]", "{", "}", ";", ",", "=", ":=", ":", ".", "..", ".^", "end", "if", "then",
    "else", "elseif", "for", "in", "loop", "while", "when", "elsewhen", "der", "der(", "pre(", "size(", "fill(0.0, 0, 2)", "zeros(", "cat(1,", "transpose(", "function",
    "model", "record", "equation", "algorithm", "initial", "parameter", "constant", "input", "output", "discrete", "Real", "Integer", "Boolean", "String", "time", "true",
    "false", "\"", "'", "/*", "*/", "//", "\u{0}", "é", "𝄞", "+", "-", "*", "/", "^", "<", ">=", "==", "<>", "not", "and", "or", "x", "1:0", "1:-1:3", "sum(", "min(",
    "reinit(", "sample(0, 1)", "assert(", "terminate(\"\")", "homotopy(", "delay(", "noEvent(", "annotation(", "each", "final", "extends", "connect(", "external \"C\"",
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

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// There is nothing to mutate.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    fn any_token(&self, random: &mut Random) -> String {
        let text = &self.texts[random.below(self.texts.len())];
        if text.is_empty() || random.below(3) == 0 { TROUBLE[random.below(TROUBLE.len())].to_string() } else { text[random.below(text.len())].clone() }
    }

    /// The mutated text of a seed.
    pub fn mutant(&self, seed: u64) -> String {
        let random = &mut Random::new(seed);
        let mut text = self.texts[random.below(self.texts.len())].clone();
        if random.below(20) == 0 {
            let other = &self.texts[random.below(self.texts.len())];
            text.truncate(random.below(text.len() + 1));
            text.extend_from_slice(&other[random.below(other.len() + 1)..]);
        }
        for _ in 0..=random.below(6) {
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
        text.concat()
    }
}

/// A text as words, numbers, signs and the space between them.
fn tokens(text: &str) -> Vec<String> {
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

/// Compiles a text as far as wanted and tells whether it could be. The error says that the compiler panicked, or how long it took.
pub fn check(text: String, depth: Depth, longest: Duration) -> Result<bool, String> {
    let source = Source { name: "mutant.mo".to_string(), text };
    let began = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| match depth {
        Depth::Parse => parse(&source).is_ok(),
        Depth::Structure => pipeline::structure(&source, None).is_ok(),
    }));
    let spent = began.elapsed();
    match outcome {
        Err(_) => Err("the compiler panicked".to_string()),
        Ok(_) if spent > longest => Err(format!("the compiler took {:.1} s", spent.as_secs_f64())),
        Ok(compiled) => Ok(compiled),
    }
}
