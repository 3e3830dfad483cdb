//! Matrices of MATLAB version 4 files: a row of matrices, each with a header of five words, in either byte order.
//!
//! Guarantee: no size is believed before it has been held against what is there. Cost: linear in the file.

/// One matrix of a `.mat` file, its elements as doubles, by columns.
pub(crate) struct Matrix {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    values: Vec<f64>,
}

impl Matrix {
    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.values[column * self.rows + row]
    }
}

/// The first matrix of a name in a MATLAB version 4 file, whatever it means; the numbers of others are not read.
pub(crate) fn read_mat_matrix(bytes: &[u8], wanted: &str) -> Result<Option<Matrix>, String> {
    let mut found = None;
    let mut rest = bytes;
    while !rest.is_empty() {
        let (matrix, after) = read_matrix(rest, wanted)?;
        found = found.or(matrix);
        rest = after;
    }
    Ok(found)
}

/// The first matrix of the bytes, if it has this name, and what follows it.
fn read_matrix<'b>(bytes: &'b [u8], wanted: &str) -> Result<(Option<Matrix>, &'b [u8]), String> {
    let truncated = || "it ends within a matrix".to_string();
    let word =
        |at: usize| -> Result<[u8; 4], String> { bytes.get(at..at + 4).and_then(|slice| slice.try_into().ok()).ok_or_else(truncated) };
    // A type below 5000 in one of the byte orders tells which one it is.
    let little = u32::from_le_bytes(word(0)?) < 5000;
    let number = |at: usize| -> Result<usize, String> {
        let bytes = word(at)?;
        Ok(if little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) } as usize)
    };
    let kind = number(0)?;
    let (rows, columns, imaginary, name_length) = (number(4)?, number(8)?, number(12)?, number(16)?);
    if kind / 1000 != usize::from(!little) || kind >= 5000 {
        return Err(format!("it begins with a matrix of type {kind}, which no version 4 file has"));
    }
    if imaginary != 0 {
        return Err("it has a complex matrix".to_string());
    }
    let name_bytes = bytes.get(20..20 + name_length).ok_or_else(truncated)?;
    let name = String::from_utf8_lossy(name_bytes).trim_end_matches('\0').to_string();
    let precision = kind / 10 % 10;
    let width = match precision {
        0 => 8,
        1 | 2 => 4,
        3 | 4 => 2,
        5 => 1,
        _ => return Err(format!("matrix `{name}` has numbers of unknown kind {precision}")),
    };
    let count = rows.checked_mul(columns).ok_or_else(truncated)?;
    let length = count.checked_mul(width).ok_or_else(truncated)?;
    let start = 20 + name_length;
    let end = start.checked_add(length).ok_or_else(truncated)?;
    let data = bytes.get(start..end).ok_or_else(truncated)?;
    let values = || data.chunks_exact(width).map(|chunk| element(precision, chunk, little)).collect();
    Ok(((name == wanted).then(|| Matrix { rows, columns, values: values() }), &bytes[end..]))
}

/// One number; `chunk` has the width of the precision.
pub(crate) fn element(precision: usize, chunk: &[u8], little: bool) -> f64 {
    let mut bytes = [0; 8];
    for (i, b) in chunk.iter().enumerate() {
        // To little-endian order.
        bytes[if little { i } else { chunk.len() - 1 - i }] = *b;
    }
    let [a, b, c, d, ..] = bytes;
    match precision {
        0 => f64::from_le_bytes(bytes),
        1 => f64::from(f32::from_le_bytes([a, b, c, d])),
        2 => f64::from(i32::from_le_bytes([a, b, c, d])),
        3 => f64::from(i16::from_le_bytes([a, b])),
        4 => f64::from(u16::from_le_bytes([a, b])),
        _ => f64::from(a),
    }
}
