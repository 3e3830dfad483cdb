//! Reads results that are text with commas, semicolons or tabulators: names, then rows of numbers.
//!
//! Input: bytes, and which columns are wanted. Output: blocks of rows, or a whole [`Table`].
//!
//! Method: lines are read where they lie in the buffer of the reader. A row is first taken to be written in the usual way, see
//! [`super::number`]; any other is read again with care. Rows are collected in blocks, so that columns grow by whole lines of the cache.
//! Guarantees: numbers are those of the standard library; every line has one value for each name, or it is an error with its number.
//! Cost: linear in the file; memory: a block of rows, and for a table eight bytes for each wanted number.

use super::lines::Lines;
use super::number::{common_number, leading_number};
use crate::model::table::{Table, canonical};
use std::io::BufRead;

/// The rows of a text with commas.
pub(super) struct CsvRows<'a> {
    reader: &'a mut dyn BufRead,
    separator: u8,
    /// The number of the last line.
    number: usize,
    /// A line that goes over the end of the buffer.
    line: Vec<u8>,
    /// Names of all columns.
    pub(super) names: Vec<String>,
    /// The column of time.
    pub(super) time: usize,
    wanted: Vec<bool>,
    block: Vec<f64>,
}

impl<'a> CsvRows<'a> {
    /// The most rows of a block.
    pub(super) const BLOCK: usize = 32;

    /// Reads the names. Lines before them that begin with `#` are remarks.
    pub(super) fn new(reader: &'a mut dyn BufRead) -> Result<CsvRows<'a>, String> {
        let mut lines = Lines::new(reader);
        let header = loop {
            let (number, line) = lines.next()?.ok_or("it has no names")?;
            let line = String::from_utf8_lossy(line).into_owned();
            let line = if number == 1 { line.strip_prefix('\u{feff}').unwrap_or(&line).to_string() } else { line };
            // Remarks, and Excel's line that names the separator.
            if !line.starts_with('#') && !line.trim_start().starts_with("sep=") {
                break line;
            }
        };
        let is_time = |name: &String| canonical(name).eq_ignore_ascii_case("time");
        // Names may contain the other separators.
        let separator = [',', ';', '\t'].into_iter().find(|separator| split(&header, *separator).iter().any(is_time));
        let Some(separator) = separator else {
            let shown: String = header.chars().take(60).collect();
            return Err(format!("it has no column `time`; its names are {shown}"));
        };
        let mut names = split(&header, separator);
        // A separator at the end of the line makes no column.
        if names.len() > 1 && names.last().is_some_and(|name| name.is_empty()) {
            names.pop();
        }
        let time = names.iter().position(is_time).ok_or("it has no column `time`")?;
        let block = vec![0.0; CsvRows::BLOCK * names.len()];
        let Lines { reader, line, number } = lines;
        Ok(CsvRows { reader, separator: separator as u8, number, line, wanted: vec![true; names.len()], names, time, block })
    }

    /// Chooses columns by their numbers; time is always read.
    pub(super) fn keep(&mut self, columns: &[usize]) {
        self.wanted.fill(false);
        for &column in columns.iter().chain([&self.time]) {
            self.wanted[column] = true;
        }
    }

    /// Reads the next rows: as many as a block has unless the text ends, one value for each name. Those of columns that are not wanted
    /// have no meaning.
    pub(super) fn next_block(&mut self) -> Result<impl ExactSizeIterator<Item = &[f64]> + Clone, String> {
        let mut n_rows = 0;
        while n_rows < CsvRows::BLOCK {
            let buffer = self.reader.fill_buf().map_err(|error| error.to_string())?;
            if buffer.is_empty() {
                break;
            }
            // All lines that end in the buffer, where they are; what is left of it begins a line that ends behind it.
            let whole = buffer.iter().rposition(|b| *b == b'\n').map_or(0, |last| last + 1);
            if whole > 0 {
                let (used, n) = read_rows(
                    &buffer[..whole],
                    self.separator,
                    &self.wanted,
                    &mut self.block[n_rows * self.names.len()..],
                    &mut self.number,
                )?;
                n_rows += n;
                self.reader.consume(used);
            } else {
                self.line.clear();
                self.reader.read_until(b'\n', &mut self.line).map_err(|error| error.to_string())?;
                let (_, n) =
                    read_rows(&self.line, self.separator, &self.wanted, &mut self.block[n_rows * self.names.len()..], &mut self.number)?;
                n_rows += n;
            }
        }
        Ok(self.block[..n_rows * self.names.len()].chunks_exact(self.names.len()))
    }
}

/// Reads a whole text.
pub(super) fn read_csv_from(reader: &mut dyn BufRead, keep: &dyn Fn(&str) -> bool) -> Result<Table, String> {
    let mut rows = CsvRows::new(reader)?;
    let kept: Vec<usize> = (0..rows.names.len()).filter(|column| *column == rows.time || keep(&rows.names[*column])).collect();
    rows.keep(&kept);
    let mut columns: Vec<Option<Vec<f64>>> = rows.wanted.iter().map(|wanted| wanted.then(Vec::new)).collect();
    loop {
        let block = rows.next_block()?;
        if block.len() == 0 {
            break;
        }
        for (i, column) in columns.iter_mut().enumerate() {
            if let Some(column) = column {
                column.extend(block.clone().map(|row| row[i]));
            }
        }
    }
    let time = rows.time;
    let mut table = Table::from_columns(columns[time].take().unwrap_or_default(), Vec::new());
    for (number, (name, values)) in rows.names.into_iter().zip(columns).enumerate() {
        if number != time {
            table.add_column(name, values);
        }
    }
    Ok(table)
}

/// Reads lines into a block until one of both ends; tells how many bytes were read and how many rows they are.
fn read_rows(text: &[u8], separator: u8, wanted: &[bool], block: &mut [f64], number: &mut usize) -> Result<(usize, usize), String> {
    let mut at = 0;
    let mut n_rows = 0;
    for row in block.chunks_exact_mut(wanted.len()) {
        while text.get(at).is_some_and(u8::is_ascii_whitespace) {
            let end = text[at..].iter().position(|b| *b == b'\n').map_or(text.len(), |end| at + end + 1);
            if !text[at..end].trim_ascii().is_empty() {
                break;
            }
            *number += 1;
            at = end;
        }
        if at == text.len() {
            break;
        }
        *number += 1;
        at += match usual_row(&text[at..], separator, wanted, row) {
            Some(length) => length,
            None => any_row(&text[at..], separator, wanted, row, *number)?,
        };
        n_rows += 1;
    }
    Ok((at, n_rows))
}

/// Reads the wanted values of a line and tells its length, if all of it is written in the usual way.
fn usual_row(text: &[u8], separator: u8, wanted: &[bool], row: &mut [f64]) -> Option<usize> {
    let (last, before) = row.split_last_mut()?;
    let (last_wanted, wanted) = wanted.split_last()?;
    let mut at = 0;
    for (slot, wanted) in before.iter_mut().zip(wanted) {
        let rest = &text[at..];
        let length = match rest.first_chunk().filter(|_| *wanted).and_then(common_number) {
            Some((value, length)) if rest[length] == separator => {
                *slot = value;
                length
            }
            _ => usual_value(rest, separator, *wanted, slot)?,
        };
        if *rest.get(length)? != separator {
            return None;
        }
        at += length + 1;
    }
    at += usual_value(&text[at..], separator, *last_wanted, last)?;
    match text[at..] {
        [b'\n', ..] => Some(at + 1),
        [b'\r', b'\n', ..] => Some(at + 2),
        _ => None,
    }
}

/// Reads a value if it is wanted and tells the length of its text, if it is written in the usual way.
#[inline(never)]
fn usual_value(text: &[u8], separator: u8, wanted: bool, slot: &mut f64) -> Option<usize> {
    if !wanted {
        return Some(field_length(text, separator));
    }
    let (value, length) = leading_number(text)?;
    *slot = value;
    Some(length)
}

/// Reads the wanted values of a line and tells its length.
fn any_row(text: &[u8], separator: u8, wanted: &[bool], row: &mut [f64], number: usize) -> Result<usize, String> {
    let n_names = wanted.len();
    let mut at = 0;
    let mut is_over = false;
    for (i, (slot, wanted)) in row.iter_mut().zip(wanted).enumerate() {
        if is_over {
            return Err(format!("line {number} has {i} values for {n_names} names"));
        }
        let rest = &text[at..];
        let length = field_length(rest, separator);
        if *wanted {
            let usual = leading_number(rest).filter(|(_, digits)| *digits == length);
            *slot = match usual {
                Some((value, _)) => value,
                None => field(&rest[..length], separator).map_err(|reason| format!("line {number}: {reason}"))?,
            };
        }
        is_over = rest.get(length) != Some(&separator);
        at += length + usize::from(!is_over);
    }
    // A separator at the end of the line makes no value.
    let end = at + text[at..].iter().position(|b| *b == b'\n').map_or(text.len() - at, |end| end + 1);
    if !text[at..end].trim_ascii().is_empty() {
        return Err(format!("line {number} has more than {n_names} values, one for each name"));
    }
    Ok(end)
}

/// Where the next separator or the end of the line is.
fn field_length(text: &[u8], separator: u8) -> usize {
    let ends = |b: &u8| *b == separator || matches!(*b, b'\n' | b'\r');
    // Eight bytes at once, while none of them ends the field: the lowest zero byte of a word has its highest bit in this.
    let low = 0x0101_0101_0101_0101_u64;
    let zeros = |word: u64| word.wrapping_sub(low) & !word;
    let mut at = 0;
    while let Some(eight) = text[at..].first_chunk() {
        let word = u64::from_le_bytes(*eight);
        let found =
            zeros(word ^ (low * u64::from(separator))) | zeros(word ^ (low * u64::from(b'\n'))) | zeros(word ^ (low * u64::from(b'\r')));
        let found = found & low << 7;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + text[at..].iter().position(ends).unwrap_or(text.len() - at)
}

/// A value that is not written in the usual way.
fn field(bytes: &[u8], separator: u8) -> Result<f64, String> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim();
    if text.starts_with('"') != (text.len() > 1 && text.ends_with('"')) {
        return Err(format!(
            "the quotes of `{}` hold a `{}`; numbers have decimal points, and only these",
            text.chars().take(40).collect::<String>(),
            separator as char
        ));
    }
    let text = text.trim_matches('"').trim();
    match text {
        "true" | "True" => return Ok(1.0),
        "false" | "False" => return Ok(0.0),
        _ => {}
    }
    text.parse().map_err(|_| {
        if separator == b';' && text.contains(',') && text.replacen(',', ".", 1).parse::<f64>().is_ok() {
            format!("`{text}` has a decimal comma; write decimal points")
        } else {
            let shown: String = text.chars().take(40).collect();
            format!("`{shown}` is not a number")
        }
    })
}

/// Fields of a line; quotes protect separators, two quotes in quotes are one.
fn split(line: &str, separator: char) -> Vec<String> {
    let mut fields = Vec::new();
    let mut field = String::new();
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        if quoted {
            if c == '"' {
                if characters.peek() == Some(&'"') {
                    characters.next();
                    field.push('"');
                } else {
                    quoted = false;
                }
            } else {
                field.push(c);
            }
        } else if c == '"' {
            quoted = true;
        } else if c == separator {
            fields.push(std::mem::take(&mut field).trim().to_string());
        } else {
            field.push(c);
        }
    }
    fields.push(field.trim().to_string());
    fields
}
