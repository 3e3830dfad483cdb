//! Writes a matrix to a MATLAB file, for `ModelicaIO_writeRealMatrix`, and a line to a file, for `ModelicaInternal_print`.
//!
//! Input: file name, matrix name, values row by row, whether to append, the format: "4", "6" or "7". Output: the file.
//! Formats 6 and 7 share a header; in 7 each matrix is a zlib stream, here of stored blocks: valid, but not smaller.
#![forbid(unsafe_code)]

use std::io::Write;
use std::path::Path;

/// Writes the matrix; the error is a message for the user.
pub(super) fn write_matrix(
    file: &Path,
    name: &str,
    rows: usize,
    columns: usize,
    values: &[f64],
    append: bool,
    format: &str,
) -> Result<(), String> {
    // MATLAB stores columns one after the other.
    let by_columns: Vec<f64> = (0..columns).flat_map(|c| (0..rows).map(move |r| values[r * columns + c])).collect();
    let sizes = u32::try_from(rows).ok().zip(u32::try_from(columns).ok()).ok_or("the matrix is too large for a file")?;
    let element = match format {
        "4" => version_4(name, sizes, &by_columns),
        "6" => version_5(name, sizes, &by_columns),
        "7" => compressed(&version_5(name, sizes, &by_columns)),
        _ => return Err(format!("there is no file format \"{format}\"; the formats are 4, 6 and 7")),
    };
    let is_new = !append || !file.exists();
    let mut bytes = Vec::new();
    if is_new && format != "4" {
        bytes.extend(format!("{:<116}", "MATLAB 5.0 MAT-file, written by Partita").into_bytes());
        bytes.extend([0; 8]);
        bytes.extend(0x0100u16.to_le_bytes());
        bytes.extend(*b"IM");
    }
    bytes.extend(element);
    let opened = if is_new { std::fs::File::create(file) } else { std::fs::OpenOptions::new().append(true).open(file) };
    opened.and_then(|mut out| out.write_all(&bytes)).map_err(|error| format!("the file `{}` cannot be written: {error}", file.display()))
}

/// Writes a text at the end of a file; the error is a message for the user.
pub(super) fn append_text(file: &Path, text: &str) -> Result<(), String> {
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(file);
    opened
        .and_then(|mut out| out.write_all(text.as_bytes()))
        .map_err(|error| format!("the file `{}` cannot be written: {error}", file.display()))
}

/// One matrix of MATLAB 4: five numbers, the name, the values.
fn version_4(name: &str, (rows, columns): (u32, u32), values: &[f64]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in [0, rows, columns, 0, name.len() as u32 + 1] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(name.as_bytes());
    bytes.push(0);
    values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
    bytes
}

/// One matrix of MATLAB 5 and later: tagged parts, each filled up to eight bytes.
fn version_5(name: &str, (rows, columns): (u32, u32), values: &[f64]) -> Vec<u8> {
    let mut parts = Vec::new();
    // An array of doubles is class 6; the parts are of type 6 (u32), 5 (i32), 1 (i8) and 9 (f64).
    part(&mut parts, 6, &[6u32.to_le_bytes(), [0; 4]].concat());
    part(&mut parts, 5, &[rows.to_le_bytes(), columns.to_le_bytes()].concat());
    part(&mut parts, 1, name.as_bytes());
    part(&mut parts, 9, &values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>());
    let mut bytes = Vec::new();
    part(&mut bytes, 14, &parts);
    bytes
}

fn part(bytes: &mut Vec<u8>, kind: u32, content: &[u8]) {
    bytes.extend(kind.to_le_bytes());
    bytes.extend((content.len() as u32).to_le_bytes());
    bytes.extend(content);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
}

/// A zlib stream of stored blocks, as a part of type 15, which is not filled up.
fn compressed(content: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let mut blocks = content.chunks(0xFFFF).peekable();
    while let Some(block) = blocks.next() {
        let length = block.len() as u16;
        stream.push(u8::from(blocks.peek().is_none()));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
    let (a, b) = content.iter().fold((1u32, 0u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65521;
        (a, (b + a) % 65521)
    });
    stream.extend(((b << 16) | a).to_be_bytes());
    let mut bytes = Vec::new();
    bytes.extend(15u32.to_le_bytes());
    bytes.extend((stream.len() as u32).to_le_bytes());
    bytes.extend(stream);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::access::{FileAccess, Permissions};
    use crate::native::file::read_table;

    #[test]
    fn a_written_matrix_is_read_again() {
        let directory = std::env::temp_dir().join(format!("partita-write-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let file = directory.join("m.mat");
        let files = FileAccess::new(&Permissions { allowed: vec![directory.clone().into_os_string()], ..Permissions::default() });
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.5];
        write_matrix(&file, "A", 3, 2, &values, false, "4").unwrap();
        write_matrix(&file, "B", 1, 1, &[7.0], true, "4").unwrap();
        let read = |name: &str| read_table(&file.display().to_string(), name, ",", 0, &files).unwrap();
        assert_eq!((read("A").n_rows(), read("A").n_columns(), read("A").values().to_vec()), (3, 2, values.to_vec()));
        assert_eq!(read("B").at(0, 0), 7.0);
        assert!(write_matrix(&file, "A", 3, 2, &values, false, "5").unwrap_err().contains("format"));
        std::fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn stored_blocks_have_the_right_sum() {
        // zlib of "Wikipedia": the sum of Adler is 0x11E60398.
        let bytes = compressed(b"Wikipedia");
        assert_eq!(bytes[bytes.len() - 4..], [0x11, 0xE6, 0x03, 0x98]);
        assert_eq!(bytes[8..15], [0x78, 0x01, 1, 9, 0, 0xF6, 0xFF]);
    }
}
