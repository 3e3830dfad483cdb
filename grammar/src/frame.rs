//! The text that the frame of a message shows: the source, with long lines cut around what the message points at.
//!
//! Input: the source and the labelled ranges. Output: the text to draw, the ranges in it, and how to tell lines and columns of
//! the source. Lines that no label touches are never drawn, so only the labelled ones are cut.
//! Cost: linear in the source.

use codespan_reporting::files::{self, Error, Files};
use std::borrow::Cow;
use std::ops::Range;

/// Lines of more bytes than this are cut.
const LONGEST: usize = 200;
/// What stays on each side of a label, in bytes.
const SIDE: usize = 60;
/// What is shown of a label that is itself long.
const LABEL: usize = 100;

/// A file as the frames see it.
pub(crate) struct Frame<'s> {
    name: &'s str,
    text: Cow<'s, str>,
    starts: Vec<usize>,
    /// Lines that were cut: the index of the line, and how many characters of the source its first mark stands for.
    cuts: Vec<(usize, usize)>,
}

/// A piece of a line that stays: the line's index, its range in the source, and the piece's range.
struct Excerpt {
    line: usize,
    whole: Range<usize>,
    kept: Range<usize>,
    /// Where the line begins in the text that is drawn, and the length of the mark before the piece.
    start: usize,
    mark: usize,
}

const MARK: &str = "…";

impl<'s> Frame<'s> {
    /// The file, and the ranges moved to where their text is now.
    pub(crate) fn new(name: &'s str, text: &'s str, ranges: &[Range<usize>]) -> (Frame<'s>, Vec<Range<usize>>) {
        let starts: Vec<usize> = files::line_starts(text).collect();
        let line_of = |at: usize| starts.partition_point(|start| *start <= at).saturating_sub(1);
        let mut pieces: Vec<Excerpt> = Vec::new();
        for range in ranges {
            let end = range.end.min(range.start + LABEL);
            for (from, to) in [(range.start, end), (range.end, range.end)] {
                let line = line_of(from);
                let begin = starts.get(line).copied().unwrap_or(0);
                let stop = starts.get(line + 1).copied().unwrap_or(text.len());
                let whole = begin..begin + text[begin..stop].trim_end_matches(['\n', '\r']).len();
                // The end of a label that lies on its first line is shown as far as there is room.
                let same = from == range.end && line == line_of(range.start);
                if whole.len() <= LONGEST || same {
                    continue;
                }
                let kept =
                    border(text, from.saturating_sub(SIDE).max(whole.start))..border(text, (to.min(whole.end) + SIDE).min(whole.end));
                match pieces.iter_mut().find(|piece| piece.line == line) {
                    Some(piece) => piece.kept = piece.kept.start.min(kept.start)..piece.kept.end.max(kept.end),
                    None => pieces.push(Excerpt { line, whole, kept, start: 0, mark: 0 }),
                }
            }
        }
        if pieces.is_empty() {
            return (Frame { name, text: Cow::Borrowed(text), starts, cuts: Vec::new() }, ranges.to_vec());
        }
        pieces.sort_by_key(|piece| piece.line);
        let mut drawn = String::new();
        let mut done = 0;
        for piece in &mut pieces {
            drawn.push_str(&text[done..piece.whole.start]);
            piece.start = drawn.len();
            if piece.kept.start > piece.whole.start {
                drawn.push_str(MARK);
                piece.mark = MARK.len();
            }
            drawn.push_str(&text[piece.kept.clone()]);
            if piece.kept.end < piece.whole.end {
                drawn.push_str(MARK);
            }
            done = piece.whole.end;
        }
        drawn.push_str(&text[done..]);
        let new_starts: Vec<usize> = files::line_starts(&drawn).collect();
        let moved = |at: usize| {
            let line = line_of(at);
            match pieces.iter().find(|piece| piece.line == line) {
                Some(piece) => piece.start + piece.mark + at.clamp(piece.kept.start, piece.kept.end) - piece.kept.start,
                None => new_starts.get(line).copied().unwrap_or(0) + at - starts.get(line).copied().unwrap_or(0),
            }
        };
        let ranges = ranges.iter().map(|range| moved(range.start)..moved(range.end)).collect();
        let cuts = pieces.iter().filter(|piece| piece.mark > 0);
        let cuts = cuts.map(|piece| (piece.line, text[piece.whole.start..piece.kept.start].chars().count())).collect();
        (Frame { name, text: Cow::Owned(drawn), starts: new_starts, cuts }, ranges)
    }
}

/// The nearest place at or before a byte where a character begins.
fn border(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The files of one message, by their position.
pub(crate) struct Frames<'s>(pub(crate) Vec<Frame<'s>>);

impl<'s> Frames<'s> {
    fn frame(&self, file: usize) -> Result<&Frame<'s>, Error> {
        self.0.get(file).ok_or(Error::FileMissing)
    }
}

impl<'f> Files<'f> for Frames<'_> {
    type FileId = usize;
    type Name = &'f str;
    type Source = &'f str;

    fn name(&'f self, file: usize) -> Result<&'f str, Error> {
        Ok(self.frame(file)?.name)
    }

    fn source(&'f self, file: usize) -> Result<&'f str, Error> {
        Ok(&self.frame(file)?.text)
    }

    fn line_index(&'f self, file: usize, at: usize) -> Result<usize, Error> {
        Ok(self.frame(file)?.line_index(at))
    }

    fn line_range(&'f self, file: usize, line: usize) -> Result<Range<usize>, Error> {
        self.frame(file)?.line_range(line)
    }

    fn column_number(&'f self, file: usize, line: usize, at: usize) -> Result<usize, Error> {
        self.frame(file)?.column_number(line, at)
    }
}

impl Frame<'_> {
    fn line_index(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).saturating_sub(1)
    }

    fn line_range(&self, line: usize) -> Result<Range<usize>, Error> {
        let start = self.starts.get(line).copied().ok_or(Error::LineTooLarge { given: line, max: self.starts.len() })?;
        Ok(start..self.starts.get(line + 1).copied().unwrap_or(self.text.len()))
    }

    fn column_number(&self, line: usize, at: usize) -> Result<usize, Error> {
        let column = files::column_index(&self.text, self.line_range(line)?, at) + 1;
        // The mark is one character and stands for those that were cut.
        Ok(self.cuts.iter().find(|(cut, _)| *cut == line).map_or(column, |(_, n)| column + n - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, range: Range<usize>) -> (String, String, usize) {
        let (frame, ranges) = Frame::new("m", text, &[range]);
        let line = frame.line_index(ranges[0].start);
        let column = frame.column_number(line, ranges[0].start).unwrap_or(0);
        let drawn = frame.line_range(line).map(|range| frame.text[range].to_owned()).unwrap_or_default();
        (drawn, frame.text[ranges[0].clone()].to_owned(), column)
    }

    #[test]
    fn a_long_line_is_cut_around_the_label_and_keeps_its_column() {
        let text = format!("short\n{}name{}\nend\n", "é".repeat(300), "x".repeat(300));
        let at = text.find("name").unwrap_or(0);
        let (drawn, labelled, column) = shown(&text, at..at + 4);
        assert_eq!(labelled, "name");
        assert_eq!(column, 301);
        assert!(drawn.starts_with('…') && drawn.trim_end().ends_with('…') && drawn.len() < 200, "{drawn}");
    }

    #[test]
    fn short_lines_stay_and_long_labels_end_with_the_piece() {
        assert_eq!(shown("a\nbcd\n", 3..4), ("bcd\n".to_owned(), "c".to_owned(), 2));
        let text = format!("{}{}", "a".repeat(10), "b".repeat(1000));
        let (drawn, labelled, column) = shown(&text, 10..1010);
        assert_eq!((column, labelled.len()), (11, LABEL + SIDE));
        assert!(drawn.ends_with('…'));
    }
}
