//! Texts with values put in: messages of failures and what functions print.

use super::format::Format;
use serde::{Deserialize, Serialize};

/// A piece of a failure's message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextPiece {
    /// Literal text.
    Text(String),
    /// The next value.
    Value(Format),
    /// The first text where the next value is true, else the second; the values of both follow in order.
    Either(Vec<TextPiece>, Vec<TextPiece>),
}

impl TextPiece {
    /// How many values the message of these pieces has.
    pub fn n_values(pieces: &[TextPiece]) -> usize {
        let own = |piece: &TextPiece| match piece {
            TextPiece::Text(_) => 0,
            TextPiece::Value(_) => 1,
            TextPiece::Either(a, b) => 1 + TextPiece::n_values(a) + TextPiece::n_values(b),
        };
        pieces.iter().map(own).sum()
    }
}

/// The text of pieces with the values that they take.
pub fn text_of(pieces: &[TextPiece], values: &[f64]) -> String {
    let mut text = String::new();
    write_pieces(&mut text, pieces, &mut values.iter());
    text
}

fn write_pieces(text: &mut String, pieces: &[TextPiece], values: &mut std::slice::Iter<f64>) {
    for piece in pieces {
        match piece {
            TextPiece::Text(literal) => text.push_str(literal),
            TextPiece::Value(format) => text.extend(values.next().map(|value| format.show(*value))),
            TextPiece::Either(a, b) => {
                let is_first = values.next().is_some_and(|value| *value != 0.0);
                // The other side takes its values as well.
                let (mut first, mut second) = (String::new(), String::new());
                write_pieces(&mut first, a, values);
                write_pieces(&mut second, b, values);
                text.push_str(if is_first { &first } else { &second });
            }
        }
    }
}
