//! Widths of words in the font of pictures, so that nothing is cut.
//!
//! Input: a text and a size in pixels. Output: its width in pixels. Method: the sum of the advance widths of DejaVu Sans, without
//! kerning, which only makes words narrower. Guarantee: never fails; a character that the font lacks has the width of its box. Cost:
//! linear in the text.

use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, GlyphId, MetadataProvider};

/// The font itself, as a file.
pub(super) fn file() -> &'static [u8] {
    dejavu::sans::regular()
}

/// Measures texts of one size.
pub(super) struct Measure<'a> {
    font: Option<FontRef<'a>>,
    size: f64,
}

impl Measure<'_> {
    pub(super) fn new(size: f64) -> Measure<'static> {
        Measure { font: FontRef::new(file()).ok(), size }
    }

    /// The width of a text.
    pub(super) fn width(&self, text: &str) -> f64 {
        let Some(font) = &self.font else { return 0.7 * self.size * text.chars().count() as f64 };
        let letters = font.charmap();
        let metrics = font.glyph_metrics(Size::new(self.size as f32), LocationRef::default());
        let width = |c: char| metrics.advance_width(letters.map(c).unwrap_or(GlyphId::NOTDEF)).unwrap_or_default();
        text.chars().map(|c| f64::from(width(c))).sum()
    }

    /// The text if it is not wider than `most`; otherwise its beginning and its end.
    pub(super) fn shortened(&self, text: &str, most: f64) -> String {
        if self.width(text) <= most {
            return text.to_string();
        }
        let letters: Vec<char> = text.chars().collect();
        let with = |kept: usize| {
            let (head, tail) = (kept.div_ceil(2), kept / 2);
            format!("{}…{}", letters[..head].iter().collect::<String>(), letters[letters.len() - tail..].iter().collect::<String>())
        };
        (1..letters.len()).rev().map(with).find(|short| self.width(short) <= most).unwrap_or_else(|| "…".to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_the_widths_of_their_letters() {
        let measure = Measure::new(14.0);
        assert!((measure.width("m") - 0.974 * 14.0).abs() < 0.1, "{}", measure.width("m"));
        assert!(measure.width("iiii") < measure.width("mmmm"));
        assert!(measure.width("\u{10ffff}") > 1.0);
        assert_eq!(measure.shortened("phi", 100.0), "phi");
        let short = measure.shortened("a.very.long.name.of.a.signal", 100.0);
        assert!(short.starts_with("a.ver") && short.ends_with("nal") && short.contains('…') && measure.width(&short) <= 100.0, "{short}");
        assert_eq!(measure.shortened("phi", 0.0), "…");
    }
}
