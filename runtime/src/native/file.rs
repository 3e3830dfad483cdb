//! Reads tables from files: text (`#1`, then `double name(rows,columns)` and the numbers), values with a delimiter (`.csv`),
//! and MATLAB up to version 7.2.
//!
//! Files are found by the last parts of their names, since names in flat models are those of the machine that made the model. A table
//! has no more elements than the limits allow, and what is compressed is expanded no further.
#![forbid(unsafe_code)]

use super::access::FileAccess;
use super::matrix::{Matrix, check_size};
use crate::base::mat4::read_mat_matrix;

/// Reads a table. `delimiter` and `n_header_lines` count for `.csv` files, which have no table name.
pub(super) fn read_table(name: &str, table: &str, delimiter: &str, n_header_lines: usize, files: &FileAccess) -> Result<Matrix, String> {
    let path = files.readable(name)?;
    let bytes = files.bytes(&path)?;
    let most = files.most_elements();
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    let result = match ending.as_deref() {
        Some("mat") => parse_mat(&bytes, table, most),
        Some("csv") => parse_csv(&String::from_utf8_lossy(&bytes), delimiter, n_header_lines, most),
        _ => parse_text(&String::from_utf8_lossy(&bytes), table, most),
    };
    result.map_err(|reason| format!("the file `{}`: {reason}", path.display()))
}

/// A matrix of a MATLAB file.
fn parse_mat(bytes: &[u8], table: &str, most: usize) -> Result<Matrix, String> {
    if super::mat5::is_level_5(bytes) {
        return super::mat5::read_matrix(bytes, table, most);
    }
    if bytes.starts_with(b"MATLAB 7.3") {
        return Err("MATLAB files of version 7.3 cannot be read (save with `-v7` or `-v4`)".to_string());
    }
    let matrix = read_mat_matrix(bytes, table)?.ok_or_else(|| format!("it has no matrix `{table}`"))?;
    let (n_rows, n_columns) = (matrix.rows, matrix.columns);
    check_size(n_rows.saturating_mul(n_columns), most)?;
    let matrix = &matrix;
    let values = (0..n_rows).flat_map(|row| (0..n_columns).map(move |column| matrix.at(row, column))).collect();
    Ok(Matrix { n_rows, n_columns, values })
}

/// Numbers with a delimiter, a row on each line.
fn parse_csv(text: &str, delimiter: &str, n_header_lines: usize, most: usize) -> Result<Matrix, String> {
    let delimiter = if delimiter.is_empty() { "," } else { delimiter };
    let mut values = Vec::new();
    let (mut n_rows, mut n_columns) = (0, 0);
    for (i, line) in text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate().skip(n_header_lines) {
        if line.trim().is_empty() {
            continue;
        }
        let before = values.len();
        for field in line.split(delimiter) {
            let field = field.trim().trim_matches('"');
            values.push(field.parse().map_err(|_| format!("line {}: `{field}` is not a number", i + 1))?);
        }
        check_size(values.len(), most)?;
        n_rows += 1;
        if n_rows == 1 {
            n_columns = values.len();
        } else if values.len() - before != n_columns {
            return Err(format!("line {} has {} values, those above have {n_columns}", i + 1, values.len() - before));
        }
    }
    Ok(Matrix { n_rows, n_columns, values })
}

/// A table of a text file.
fn parse_text(text: &str, table: &str, most: usize) -> Result<Matrix, String> {
    let mut lines = text.lines().enumerate();
    if !lines.next().is_some_and(|(_, line)| line.trim_start().starts_with("#1")) {
        return Err("it does not begin with `#1`".to_string());
    }
    let plain = |line: &str| line.split('#').next().unwrap_or("").trim().to_string();
    while let Some((i, line)) = lines.next() {
        let line = plain(line);
        let Some(rest) = line.strip_prefix("double").or_else(|| line.strip_prefix("float")) else { continue };
        if !rest.starts_with([' ', '\t']) {
            continue;
        }
        let wrong = || format!("line {}: expected `double name(rows,columns)`", i + 1);
        let (name, sizes) = rest.trim().split_once('(').ok_or_else(wrong)?;
        let (n_rows, n_columns) = sizes.split_once(')').and_then(|(sizes, _)| sizes.split_once(',')).ok_or_else(wrong)?;
        if name.trim() != table {
            continue;
        }
        let size = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
        let (n_rows, n_columns) = (size(n_rows)?, size(n_columns)?);
        let n_values = n_rows.checked_mul(n_columns).ok_or_else(wrong)?;
        check_size(n_values, most)?;
        let mut values = Vec::new();
        for (i, line) in lines.by_ref() {
            if values.len() >= n_values {
                break;
            }
            for field in plain(line).split([' ', '\t', ',', ';']).filter(|field| !field.is_empty()) {
                values.push(field.parse().map_err(|_| format!("line {}: `{field}` is not a number", i + 1))?);
            }
        }
        let found = values.len();
        return Matrix::new(n_rows, n_columns, values)
            .ok_or_else(|| format!("table `{table}` has {found} values, not {n_rows} times {n_columns}"));
    }
    Err(format!("it has no table `{table}`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::access::Permissions;

    #[test]
    fn text_tables_may_wrap_and_have_comments() {
        let text = "#1\n# Tables\ndouble a(1,2)\n 9 9\nfloat tab(2, 3)  # the one\n1 2,3 # end\n\t4e1;5\n6\ndouble b(1,1)\n7\n";
        assert_eq!(parse_text(text, "tab", 9).unwrap(), Matrix::new(2, 3, vec![1.0, 2.0, 3.0, 40.0, 5.0, 6.0]).unwrap());
        assert_eq!(parse_text(text, "b", 9).unwrap().values(), [7.0]);
        assert!(parse_text(text, "c", 9).unwrap_err().contains("no table `c`"));
        assert!(parse_text("double a(1,1)\n1\n", "a", 9).unwrap_err().contains("#1"));
        assert!(parse_text("#1\ndouble a(2,2)\n1 2 3\n", "a", 9).unwrap_err().contains("3 values"));
        assert!(parse_text("#1\ndouble a(2,2)\n1 2 x\n", "a", 9).unwrap_err().contains("line 3: `x`"));
        assert!(parse_text("#1\ndouble a(99999999999999999999,2)\n", "a", 9).is_err());
        assert!(parse_text("#1\ndouble a(5,2)\n1\n", "a", 9).unwrap_err().contains("--limit elements=90"));
    }

    #[test]
    fn delimited_tables_skip_their_header() {
        let matrix = parse_csv("time;u\n0;1\n0.5;2\n", ";", 1, 4).unwrap();
        assert_eq!((matrix.n_rows(), matrix.column(1)), (2, vec![1.0, 2.0]));
        assert!(parse_csv("0,1\n2\n", ",", 0, 4).unwrap_err().contains("line 2"));
        assert!(parse_csv("0,1\n2,3\n", ",", 0, 3).unwrap_err().contains("--limit elements="));
    }

    #[test]
    fn matlab_tables_are_stored_by_columns() {
        let mut bytes = Vec::new();
        for (name, n_rows, n_columns) in [("x", 1u32, 1u32), ("tab", 2, 3)] {
            for word in [0, n_rows, n_columns, 0, name.len() as u32 + 1] {
                bytes.extend(u32::to_le_bytes(word));
            }
            bytes.extend(name.as_bytes());
            bytes.push(0);
            for column in 0..n_columns {
                for row in 0..n_rows {
                    bytes.extend(f64::from(10 * row + column).to_le_bytes());
                }
            }
        }
        assert_eq!(parse_mat(&bytes, "tab", 6).unwrap().values(), [0.0, 1.0, 2.0, 10.0, 11.0, 12.0]);
        assert!(parse_mat(&bytes, "tab", 5).unwrap_err().contains("--limit elements="));
        assert!(parse_mat(&bytes, "y", 6).unwrap_err().contains("no matrix `y`"));
        assert!(parse_mat(b"MATLAB 7.3 MAT-file", "y", 6).unwrap_err().contains("-v7"));
    }

    #[test]
    fn files_are_found_by_the_end_of_their_names() {
        let directory = std::env::temp_dir().join(format!("partita-tables-{}", std::process::id()));
        std::fs::create_dir_all(directory.join("Data")).unwrap();
        std::fs::write(directory.join("Data/t.txt"), "#1\ndouble t(1,2)\n1 2\n").unwrap();
        let files = FileAccess::new(&Permissions { resources: vec![directory.clone().into_os_string()], ..Permissions::default() });
        let matrix = read_table("C:\\else\\where/Data/t.txt", "t", ",", 0, &files).unwrap();
        assert_eq!(matrix.values(), [1.0, 2.0]);
        let error = read_table("/else/where/none.txt", "t", ",", 0, &files).unwrap_err();
        assert_eq!(error, "the file `/else/where/none.txt` is not found");
        std::fs::remove_dir_all(directory).unwrap();
    }
}
