//! Lines of a text file, read one after the other.

use std::io::BufRead;

/// Bytes of a file that are read at once: few enough to be in the cache when they are looked at.
pub(super) const READ_AT_ONCE: usize = 1 << 16;

/// Lines of bytes, numbered, without their ends.
pub(super) struct Lines<'a> {
    pub(super) reader: &'a mut dyn BufRead,
    pub(super) line: Vec<u8>,
    /// The number of the last one.
    pub(super) number: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(reader: &'a mut dyn BufRead) -> Lines<'a> {
        Lines { reader, line: Vec::new(), number: 0 }
    }

    pub(super) fn next(&mut self) -> Result<Option<(usize, &[u8])>, String> {
        self.line.clear();
        self.number += 1;
        if self.reader.read_until(b'\n', &mut self.line).map_err(|error| error.to_string())? == 0 {
            return Ok(None);
        }
        while self.line.last().is_some_and(|b| matches!(b, b'\n' | b'\r')) {
            self.line.pop();
        }
        Ok(Some((self.number, &self.line)))
    }
}
