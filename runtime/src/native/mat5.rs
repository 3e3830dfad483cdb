//! Matrices of MATLAB files of level 5, which versions 5 to 7.2 write; those of version 7 are compressed with zlib.
//!
//! Input: the bytes of a file, the name of a matrix. Output: the matrix. Method: "MAT-File Format" of MathWorks: a header of 128
//! bytes, then elements of a type, a length and data, padded to 8 bytes; a matrix is an element of elements. Only real numeric
//! matrices of two dimensions are taken; others are passed over.
//!
//! Guarantee: every length is checked against what is there; all compressed elements together expand to no more than a matrix of the
//! most elements that are allowed needs. Cost: linear in the file and in what is expanded.
#![forbid(unsafe_code)]

use super::matrix::{Matrix, check_size};
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};

/// What a matrix has beside its elements, in bytes: flags, sizes and a name.
const BESIDE: usize = 4096;

const COMPRESSED: u32 = 15;
const MATRIX: u32 = 14;

/// Whether this is a file of level 5.
pub(super) fn is_level_5(bytes: &[u8]) -> bool {
    bytes.starts_with(b"MATLAB 5.0") && bytes.len() >= 128
}

/// The matrix of a name, if it has no more than so many elements.
pub(super) fn read_matrix(bytes: &[u8], wanted: &str, most: usize) -> Result<Matrix, String> {
    let big = match bytes.get(126..128) {
        Some(b"IM") => false,
        Some(b"MI") => true,
        _ => return Err("it does not tell the order of its bytes".to_owned()),
    };
    // For all matrices together: which of them is the wanted one is known only when those before it are expanded.
    let mut left = most.saturating_mul(8).saturating_add(BESIDE);
    let mut elements = Elements { bytes: &bytes[128..], big, unpadded: true };
    while let Some((kind, data)) = elements.next()? {
        let expanded;
        let mut inner = Elements { bytes: data, big, unpadded: false };
        let found = if kind == COMPRESSED {
            // Two bytes of zlib's header; the checksum at the end is not needed to find the end.
            expanded = inflate(data.get(2..).unwrap_or_default(), left, most)?;
            left -= expanded.len();
            inner.bytes = &expanded;
            inner.next()?
        } else {
            Some((kind, data))
        };
        if let Some((MATRIX, data)) = found
            && let Some(matrix) = named_matrix(Elements { bytes: data, big, unpadded: false }, wanted, most)?
        {
            return Ok(matrix);
        }
    }
    Err(format!("it has no real matrix `{wanted}`"))
}

/// A matrix, if it has this name and is one of real numbers.
fn named_matrix(mut elements: Elements, wanted: &str, most: usize) -> Result<Option<Matrix>, String> {
    let cut = || "a matrix in it is cut off".to_owned();
    let (_, flags) = elements.next()?.ok_or_else(cut)?;
    let flags = elements.number(flags, 4);
    let (_, sizes) = elements.next()?.ok_or_else(cut)?;
    let sizes: Vec<usize> = sizes.chunks_exact(4).map(|chunk| elements.number(chunk, 4) as usize).collect();
    let (_, name) = elements.next()?.ok_or_else(cut)?;
    // Classes 6 to 15 are numeric; bit 11 marks complex numbers.
    let is_real = (6..=15).contains(&(flags & 0xff)) && flags & 0x800 == 0;
    if name != wanted.as_bytes() || !is_real {
        return Ok(None);
    }
    let &[n_rows, n_columns] = sizes.as_slice() else { return Err(format!("`{wanted}` has {} dimensions, not 2", sizes.len())) };
    let (kind, data) = elements.next()?.ok_or_else(cut)?;
    let width = match kind {
        1 | 2 => 1,
        3 | 4 => 2,
        5..=7 => 4,
        9 | 12 | 13 => 8,
        _ => return Err(format!("`{wanted}` has elements of the unknown type {kind}")),
    };
    check_size(data.len() / width, most)?;
    let by_columns: Vec<f64> = data.chunks_exact(width).map(|chunk| value(kind, elements.number(chunk, width))).collect();
    if n_rows.checked_mul(n_columns) != Some(by_columns.len()) {
        return Err(format!("`{wanted}` has {} values, not {n_rows} times {n_columns}", by_columns.len()));
    }
    let rows = (0..n_rows).flat_map(|row| (0..n_columns).map(move |column| row + column * n_rows));
    Ok(Matrix::new(n_rows, n_columns, rows.map(|at| by_columns[at]).collect()))
}

/// A number from its bits.
fn value(kind: u32, bits: u64) -> f64 {
    match kind {
        1 => f64::from(bits as u8 as i8),
        3 => f64::from(bits as u16 as i16),
        5 => f64::from(bits as u32 as i32),
        7 => f64::from(f32::from_bits(bits as u32)),
        9 => f64::from_bits(bits),
        12 => bits as i64 as f64,
        _ => bits as f64,
    }
}

/// A run of data elements.
struct Elements<'b> {
    bytes: &'b [u8],
    big: bool,
    /// Elements of the file itself are padded only if they are not compressed.
    unpadded: bool,
}

impl<'b> Elements<'b> {
    fn number(&self, bytes: &[u8], width: usize) -> u64 {
        let bytes = bytes.get(..width).unwrap_or_default();
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        if self.big { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
    }

    /// The type and the data of the next element.
    fn next(&mut self) -> Result<Option<(u32, &'b [u8])>, String> {
        if self.bytes.len() < 8 {
            return Ok(None);
        }
        let word = self.number(self.bytes, 4) as u32;
        let (kind, start, length) = match word >> 16 {
            0 => (word, 8usize, self.number(&self.bytes[4..], 4) as usize),
            // A small element has its length in the upper half, and up to four bytes of data at once.
            small => (word & 0xffff, 4, small as usize),
        };
        let data = self.bytes.get(start..start.saturating_add(length)).ok_or("an element in it is cut off")?;
        let end = start + length;
        let end = if start == 4 {
            8
        } else if self.unpadded && kind == COMPRESSED {
            end
        } else {
            end.next_multiple_of(8)
        };
        self.bytes = self.bytes.get(end..).unwrap_or_default();
        Ok(Some((kind, data)))
    }
}

/// Expands data that zlib compressed, without its header. The checksum behind them is not needed.
fn inflate(bytes: &[u8], largest: usize, most: usize) -> Result<Vec<u8>, String> {
    decompress_to_vec_with_limit(bytes, largest).map_err(|error| match error.status {
        TINFLStatus::HasMoreOutput => check_size(usize::MAX, most).err().unwrap_or_default(),
        _ => "compressed data in it are damaged".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(kind: u32, data: &[u8]) -> Vec<u8> {
        let mut bytes: Vec<u8> = [kind, data.len() as u32].iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.extend(data);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes
    }

    fn matrix(name: &str, class: u32, kind: u32, data: &[u8]) -> Vec<u8> {
        let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        // The name is short enough for a small element.
        let mut small = words(&[(name.len() as u32) << 16 | 1]);
        small.extend(name.as_bytes());
        small.resize(8, 0);
        let parts = [element(6, &words(&[class, 0])), element(5, &words(&[2, 3])), small, element(kind, data)];
        element(MATRIX, &parts.concat())
    }

    fn file(elements: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = b"MATLAB 5.0 MAT-file".to_vec();
        bytes.resize(124, b' ');
        bytes.extend([0, 1, b'I', b'M']);
        bytes.extend(elements.concat());
        bytes
    }

    /// Data in zlib's form without compression: its header, one stored block, no checksum.
    fn stored(data: &[u8]) -> Vec<u8> {
        let n = data.len() as u16;
        let mut bytes = vec![0x78, 0x01, 1];
        bytes.extend([n.to_le_bytes(), (!n).to_le_bytes()].concat());
        bytes.extend(data);
        let mut result: Vec<u8> = [COMPRESSED, bytes.len() as u32].iter().flat_map(|word| word.to_le_bytes()).collect();
        result.extend(bytes);
        result
    }

    #[test]
    fn matrices_are_found_by_name_and_stored_by_columns() {
        let doubles: Vec<u8> = [1.0f64, 2.0, 3.0, 4.0, 5.0, 6.5].iter().flat_map(|x| x.to_le_bytes()).collect();
        let bytes = file(&[matrix("a", 6, 1, &[255, 0, 1, 2, 3, 4]), stored(&matrix("m", 6, 9, &doubles)), matrix("s", 4, 4, &[0; 12])]);
        assert!(is_level_5(&bytes));
        assert_eq!(read_matrix(&bytes, "m", 6).unwrap().values(), [1.0, 3.0, 5.0, 2.0, 4.0, 6.5]);
        assert_eq!(read_matrix(&bytes, "a", 6).unwrap().values(), [-1.0, 1.0, 3.0, 0.0, 2.0, 4.0]);
        // `s` is text.
        assert!(read_matrix(&bytes, "s", 6).unwrap_err().contains("no real matrix `s`"));
        // Cut anywhere, it is refused or lacks the matrix, and nothing worse happens.
        for end in 128..bytes.len() {
            let _ = read_matrix(&bytes[..end], "m", 6).is_ok_and(|matrix| matrix.values().len() == 6);
        }
        assert!(read_matrix(&bytes, "m", 5).unwrap_err().contains("--limit elements="));
        assert!(read_matrix(&bytes[..200], "m", 6).is_err());
    }

    #[test]
    fn compressed_data_expand() {
        // As zlib makes them: `abcabcabc` by the fixed code (a copy that overlaps itself), and 400 bytes of a formula by a code of their own.
        assert_eq!(inflate(&[0x4b, 0x4c, 0x4a, 0x4e, 0x04, 0x23, 0x00], 9, 9).unwrap(), b"abcabcabc");
        assert!(inflate(&[0x4b, 0x4c], 9, 9).is_err());
        assert!(inflate(&[0x07], 9, 9).is_err());
        let expected: Vec<u8> = (0..400u32).map(|i| ((i * i * 7 + i) % 11 + if i % 5 == 0 { 40 } else { 3 }) as u8).collect();
        let compressed = [
            0xed, 0xcb, 0xb1, 0x11, 0x00, 0x20, 0x08, 0xc0, 0xc0, 0x82, 0x02, 0x38, 0x1d, 0x84, 0x02, 0x38, 0xdc, 0x7f, 0x39, 0xb3, 0x84,
            0x9d, 0xdd, 0x17, 0x49, 0xac, 0x25, 0x9e, 0xb6, 0x4d, 0x5b, 0x60, 0x2b, 0x4c, 0x87, 0xe1, 0xb0, 0x14, 0x8e, 0xc0, 0x63, 0x70,
            0x68, 0xb5, 0x68, 0x3d, 0xfe, 0xf6, 0x66, 0xbb,
        ];
        assert_eq!(inflate(&compressed, 400, 50).unwrap(), expected);
        let zeros = miniz_oxide::deflate::compress_to_vec(&vec![0; 100_000], 6);
        assert!(inflate(&zeros, 8000, 1000).unwrap_err().contains("--limit elements="));
    }
}
