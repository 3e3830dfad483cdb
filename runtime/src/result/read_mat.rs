//! MATLAB version 4 files: results as OpenModelica and Dymola write them, and matrices of tables.
//!
//! A file is a row of matrices, each with a header of five words: type, rows, columns, imaginary part, length of the name. Both
//! layouts (`binTrans`, `binNormal`), single precision, either byte order and padding with blanks are accepted. The headers are walked
//! first; then the names, and of the data only the series that are wanted are read.
//!
//! Guarantees: no size is believed before it has been held against the length of the file; a damaged file is an error, never a panic
//! and never a request for more memory than a few times the file's length.
//! Cost: linear in the file; of `data_2` only the wanted series are kept.

use crate::base::mat4::element;
use crate::model::table::{Source, Table};
use std::collections::HashMap;
use std::io::{Read, Seek, SeekFrom};

/// Something that can be read at any place.
pub(super) trait Input: Read + Seek {}
impl<T: Read + Seek> Input for T {}

/// Where a matrix lies.
#[derive(Clone, Debug)]
struct Header {
    rows: u64,
    columns: u64,
    precision: u32,
    width: u64,
    little: bool,
    start: u64,
}

fn io(error: std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::UnexpectedEof => "it ends within a matrix".to_string(),
        _ => error.to_string(),
    }
}

/// The headers of all matrices.
fn headers(input: &mut dyn Input, length: u64) -> Result<HashMap<String, Header>, String> {
    let mut found = HashMap::new();
    let mut at = 0;
    while at < length {
        input.seek(SeekFrom::Start(at)).map_err(io)?;
        let mut bytes = [0; 20];
        input.read_exact(&mut bytes).map_err(io)?;
        let word = |at: usize| [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
        // A type below 5000 in one of the byte orders tells which one it is.
        let little = u32::from_le_bytes(word(0)) < 5000;
        let number = |at: usize| if little { u32::from_le_bytes(word(at)) } else { u32::from_be_bytes(word(at)) };
        let (kind, rows, columns, imaginary, name_length) = (number(0), number(4), number(8), number(12), number(16));
        if kind / 1000 != u32::from(!little) || kind >= 5000 {
            return Err(format!("it has a matrix of type {kind}, which no version 4 file has"));
        }
        if imaginary != 0 {
            return Err("it has a complex matrix".to_string());
        }
        let start = at + 20 + u64::from(name_length);
        if start > length || name_length > 4096 {
            return Err("it ends within a matrix".to_string());
        }
        let mut name = vec![0; name_length as usize];
        input.read_exact(&mut name).map_err(io)?;
        let name = String::from_utf8_lossy(&name).trim_end_matches('\0').to_string();
        let precision = kind / 10 % 10;
        let width = width_of(precision).ok_or_else(|| format!("matrix `{name}` has numbers of unknown kind {precision}"))?;
        let (rows, columns) = (u64::from(rows), u64::from(columns));
        // Both are below 2^32, so the first product cannot overflow.
        let size = (rows * columns).checked_mul(width).and_then(|size| size.checked_add(start)).filter(|end| *end <= length);
        let end = size.ok_or_else(|| format!("it ends within the matrix `{name}`"))?;
        found.insert(name, Header { rows, columns, precision, width, little, start });
        at = end;
    }
    Ok(found)
}

fn width_of(precision: u32) -> Option<u64> {
    match precision {
        0 => Some(8),
        1 | 2 => Some(4),
        3 | 4 => Some(2),
        5 => Some(1),
        _ => None,
    }
}

impl Header {
    fn bytes(&self, input: &mut dyn Input) -> Result<Vec<u8>, String> {
        input.seek(SeekFrom::Start(self.start)).map_err(io)?;
        // Not longer than the file, as its header was checked.
        let mut bytes = vec![0; usize::try_from(self.rows * self.columns * self.width).map_err(|_| "it is too large".to_string())?];
        input.read_exact(&mut bytes).map_err(io)?;
        Ok(bytes)
    }

    fn numbers(&self, input: &mut dyn Input) -> Result<Vec<f64>, String> {
        let bytes = self.bytes(input)?;
        Ok(bytes.chunks_exact(self.width as usize).map(|chunk| element(self.precision as usize, chunk, self.little)).collect())
    }

    /// The texts of a matrix of characters: one per row, or one per column if it is transposed.
    fn texts(&self, input: &mut dyn Input, transposed: bool) -> Result<Vec<String>, String> {
        if self.rows == 0 || self.columns == 0 {
            return Ok(Vec::new());
        }
        let numbers;
        let bytes = if self.width == 1 {
            self.bytes(input)?
        } else {
            numbers = self.numbers(input)?;
            numbers.iter().map(|value| *value as u8).collect()
        };
        let (rows, columns) = (self.rows as usize, self.columns as usize);
        let text = |characters: Vec<u8>| {
            let end = characters.iter().position(|b| *b == 0).unwrap_or(characters.len());
            String::from_utf8_lossy(&characters[..end]).trim_end().to_string()
        };
        Ok(if transposed {
            bytes.chunks_exact(rows).map(|chunk| text(chunk.to_vec())).collect()
        } else {
            (0..rows).map(|row| text((0..columns).map(|column| bytes[column * rows + row]).collect())).collect()
        })
    }

    /// Series and points of a matrix of data.
    fn shape(&self, transposed: bool) -> (u64, u64) {
        if transposed { (self.rows, self.columns) } else { (self.columns, self.rows) }
    }

    /// Some series of a matrix of data, in the order asked for.
    fn series(&self, input: &mut dyn Input, transposed: bool, wanted: &[usize]) -> Result<Vec<Vec<f64>>, String> {
        let (n_series, n_points) = self.shape(transposed);
        let (n_series, n_points, width) = (n_series as usize, n_points as usize, self.width as usize);
        input.seek(SeekFrom::Start(self.start)).map_err(io)?;
        let mut series: Vec<Vec<f64>> = wanted.iter().map(|_| Vec::with_capacity(n_points)).collect();
        if transposed {
            let mut point = vec![0; n_series * width];
            for _ in 0..n_points {
                input.read_exact(&mut point).map_err(io)?;
                for (values, &at) in series.iter_mut().zip(wanted) {
                    values.push(element(self.precision as usize, &point[at * width..(at + 1) * width], self.little));
                }
            }
        } else {
            let mut bytes = vec![0; n_points * width];
            for (values, &at) in series.iter_mut().zip(wanted) {
                input.seek(SeekFrom::Start(self.start + (at * n_points * width) as u64)).map_err(io)?;
                input.read_exact(&mut bytes).map_err(io)?;
                values.extend(bytes.chunks_exact(width).map(|chunk| element(self.precision as usize, chunk, self.little)));
            }
        }
        Ok(series)
    }
}

/// The unit in a description: `Angle of the shaft [rad]`, or `[rad|deg]` with the unit of displays, which values do not have. Dymola puts
/// remarks behind it: `[rad]:#(type=Real)`.
fn unit_of(description: &str) -> &str {
    let text = description.split_once(":#(").map_or(description, |(text, _)| text).trim_end();
    let inner = text.strip_suffix(']').and_then(|text| text.rsplit_once('[')).map_or("", |(_, inner)| inner);
    inner.split('|').next().unwrap_or_default().trim()
}

/// Whether series are rows of the matrices.
fn is_transposed(class: &Header, input: &mut dyn Input) -> Result<bool, String> {
    if class.rows * class.columns > 1000 {
        return Err("`Aclass` is too large".to_string());
    }
    match class.texts(input, false)?.get(3).map(String::as_str) {
        Some("binTrans") => Ok(true),
        Some("binNormal") => Ok(false),
        _ => Err("`Aclass` names neither `binTrans` nor `binNormal`".to_string()),
    }
}

/// Reads the wanted signals of a result.
pub(super) fn read_mat_from(input: &mut dyn Input, length: u64, keep: &dyn Fn(&str) -> bool) -> Result<Table, String> {
    let headers = headers(input, length)?;
    let get = |name: &str| headers.get(name).ok_or_else(|| format!("it has no matrix `{name}`"));
    let transposed = is_transposed(get("Aclass")?, input)?;
    let names = get("name")?.texts(input, transposed)?;
    let info = get("dataInfo")?;
    let (n_columns, n_rows) = info.shape(transposed);
    if n_columns < 2 || n_rows != names.len() as u64 {
        return Err("`dataInfo` does not fit to `name`".to_string());
    }
    let infos = info.numbers(input)?;
    let info_at = |signal: usize, column: usize| {
        let at = if transposed { signal * info.rows as usize + column } else { column * info.rows as usize + signal };
        infos[at]
    };
    let data_2 = get("data_2")?;
    let (n_series, n_points) = data_2.shape(transposed);
    if n_series == 0 || n_points == 0 {
        return Err("it has no points".to_string());
    }
    let data_1 = headers.get("data_1");
    let constants = match data_1 {
        Some(header) => header.numbers(input)?,
        None => Vec::new(),
    };
    // Files without descriptions, or with fewer than names, have no units.
    let descriptions = match headers.get("description") {
        Some(header) => header.texts(input, transposed)?,
        None => Vec::new(),
    };
    let mut table = Table::default();
    // Column of the table by series of the file.
    let mut column_of: HashMap<usize, usize> = HashMap::new();
    let mut wanted = vec![0];
    for (number, name) in names.into_iter().enumerate() {
        let (channel, index) = (info_at(number, 0), info_at(number, 1));
        let series = index.abs() as usize;
        if series == 0 {
            return Err(format!("the index of `{name}` is 0"));
        }
        let series = series - 1;
        let sign = if index < 0.0 { -1.0 } else { 1.0 };
        if number == 0 && name.eq_ignore_ascii_case("time") {
            continue;
        }
        let source = if channel == 1.0 {
            let data_1 = data_1.ok_or("it has no matrix `data_1`")?;
            let (n_series, n_points) = data_1.shape(transposed);
            if series as u64 >= n_series || n_points == 0 {
                return Err(format!("`{name}` has no column in `data_1`"));
            }
            let at = |point: usize| {
                constants[if transposed { point * data_1.rows as usize + series } else { series * data_1.rows as usize + point }]
            };
            if keep(&name) { Source::Constant(sign * at(0), sign * at(n_points as usize - 1)) } else { Source::Left { is_constant: true } }
        } else if channel == 2.0 || channel == 0.0 {
            if series as u64 >= n_series {
                return Err(format!("`{name}` has no column in `data_2`"));
            }
            if keep(&name) {
                let column = *column_of.entry(series).or_insert_with(|| {
                    wanted.push(series);
                    wanted.len() - 2
                });
                Source::Column { column, sign }
            } else {
                Source::Left { is_constant: false }
            }
        } else {
            return Err(format!("`{name}` lies in matrix {channel}, which is not known"));
        };
        table.set_unit(&name, descriptions.get(number).map_or("", |description| unit_of(description)));
        table.add(name, source);
    }
    let mut series = data_2.series(input, transposed, &wanted)?;
    table.time = series.remove(0);
    table.columns = series;
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::unit_of;

    #[test]
    fn units_stand_at_the_end_of_descriptions() {
        assert_eq!(unit_of("Angle of the shaft [rad]"), "rad");
        assert_eq!(unit_of("Temperature [K|degC]"), "K");
        assert_eq!(unit_of("[m/s2]:#(type=Real)"), "m/s2");
        assert_eq!(unit_of("element [1] of a vector"), "");
        assert_eq!(unit_of("]"), "");
        assert_eq!(unit_of(""), "");
    }
}
