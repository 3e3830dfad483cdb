//! Strings and files: what of `ModelicaStrings`, `ModelicaInternal` and `ModelicaIO` gives numbers or messages.
#![forbid(unsafe_code)]

use super::environment::{Environment, NativeFn, finish, settle, wrong_call};
use super::matrix::Matrix;
use super::{file, write};
use crate::base::text::text_of;
use std::cmp::Ordering;
use std::io::Write;

fn string_at(environment: &Environment, argument: f64) -> Result<&str, String> {
    let string = environment.strings.get(argument as usize).filter(|_| argument >= 0.0);
    string.map(String::as_str).ok_or_else(|| format!("there is no string {argument}"))
}

/// Functions of `ModelicaStrings`.
pub(super) fn lookup_strings(function: &str) -> Option<NativeFn> {
    Some(match function {
        "length" => |environment, arguments, outputs| {
            let &[string] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            let result = string_at(environment, string).map(|string| string.len() as f64);
            finish(environment, outputs, result)
        },
        "compare" => |environment, arguments, outputs| {
            let &[first, second, case_sensitive] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            let result = string_at(environment, first).and_then(|first| {
                let second = string_at(environment, second)?;
                let order = if case_sensitive != 0.0 {
                    first.as_bytes().cmp(second.as_bytes())
                } else {
                    first.to_ascii_lowercase().as_bytes().cmp(second.to_ascii_lowercase().as_bytes())
                };
                // Modelica.Utilities.Types.Compare.
                Ok(match order {
                    Ordering::Less => 1.0,
                    Ordering::Equal => 2.0,
                    Ordering::Greater => 3.0,
                })
            });
            finish(environment, outputs, result)
        },
        "hashString" => |environment, arguments, outputs| {
            let &[string] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            let result = string_at(environment, string).map(|string| f64::from(hash(string.as_bytes())));
            finish(environment, outputs, result)
        },
        _ => return None,
    })
}

/// The hash of Arash Partow.
fn hash(bytes: &[u8]) -> i32 {
    let mut hash: u32 = 0xAAAA_AAAA;
    for (i, &byte) in bytes.iter().enumerate() {
        let byte = u32::from(byte);
        hash ^= if i % 2 == 0 { (hash << 7) ^ byte.wrapping_mul(hash >> 3) } else { !(hash << 11).wrapping_add(byte ^ (hash >> 5)) };
    }
    hash as i32
}

/// Functions of `ModelicaInternal`.
pub(super) fn lookup_internal(function: &str) -> Option<NativeFn> {
    Some(match function {
        "print" => |environment, arguments, outputs| {
            let result = match (arguments, &*outputs) {
                (&[message, file], []) => string_at(environment, file).and_then(|file| {
                    let line = format!("{}\n", string_at(environment, message)?);
                    if file.is_empty() {
                        return Ok(Some(line));
                    }
                    let written = std::fs::OpenOptions::new()
                        .append(true)
                        .create(true)
                        .open(environment.files.writable(file)?)
                        .and_then(|mut to| to.write_all(line.as_bytes()));
                    written.map(|()| None).map_err(|error| format!("cannot write to the file `{file}`: {error}"))
                }),
                _ => Err(wrong_call()),
            };
            let result = result.map(|line| environment.messages.extend(line));
            settle(environment, result)
        },
        // What becomes of a print in a function that is compiled: the text's number, and its values.
        "say" => |environment, arguments, outputs| {
            let result = match (arguments, &*outputs) {
                ([text, values @ ..], []) => {
                    let pieces = environment.texts.get(*text as usize).ok_or_else(wrong_call);
                    pieces.map(|pieces| text_of(pieces, values))
                }
                _ => Err(wrong_call()),
            };
            let result = result.map(|message| environment.messages.push(message));
            settle(environment, result)
        },
        "stat" => |environment, arguments, outputs| {
            let &[file] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            // Modelica.Utilities.Types.FileType: no file, a regular file, a directory, a special file.
            let result = string_at(environment, file).and_then(|name| {
                let metadata = environment.files.existing(name)?;
                Ok(metadata.map_or(1.0, |metadata| {
                    if metadata.is_file() {
                        2.0
                    } else if metadata.is_dir() {
                        3.0
                    } else {
                        4.0
                    }
                }))
            });
            finish(environment, outputs, result)
        },
        "countLines" => |environment, arguments, outputs| {
            let &[file] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            let result = string_at(environment, file).and_then(|name| {
                let bytes = environment.files.bytes(&environment.files.readable(name)?)?;
                // A last line without an end counts too.
                let ends = bytes.iter().filter(|&&byte| byte == b'\n').count();
                Ok((ends + usize::from(bytes.last().is_some_and(|&byte| byte != b'\n'))) as f64)
            });
            finish(environment, outputs, result)
        },
        "removeFile" => |environment, arguments, outputs| {
            let result = match (arguments, &*outputs) {
                (&[file], []) => {
                    string_at(environment, file).and_then(|file| match std::fs::remove_file(environment.files.removable(file)?) {
                        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                            Err(format!("the file `{file}` cannot be removed: {error}"))
                        }
                        _ => Ok(()),
                    })
                }
                _ => Err(wrong_call()),
            };
            settle(environment, result)
        },
        _ => return None,
    })
}

/// Functions of `ModelicaIO`.
pub(super) fn lookup_files(function: &str) -> Option<NativeFn> {
    Some(match function {
        "readMatrixSizes" => |environment, arguments, outputs| {
            let result = match (arguments, outputs) {
                (&[file, name], [n_rows, n_columns]) => read(environment, file, name).map(|matrix| {
                    *n_rows = matrix.n_rows() as f64;
                    *n_columns = matrix.n_columns() as f64;
                }),
                _ => Err(wrong_call()),
            };
            settle(environment, result)
        },
        "readRealMatrix" => |environment, arguments, outputs| {
            let result = match arguments {
                &[file, name, n_rows, n_columns, _verbose] => read(environment, file, name).and_then(|matrix| {
                    let sizes = (matrix.n_rows() as f64, matrix.n_columns() as f64);
                    if sizes != (n_rows, n_columns) || outputs.len() != matrix.values().len() {
                        return Err(format!("the matrix has {} times {} elements, not {n_rows} times {n_columns}", sizes.0, sizes.1));
                    }
                    outputs.copy_from_slice(matrix.values());
                    Ok(())
                }),
                _ => Err(wrong_call()),
            };
            settle(environment, result)
        },
        "writeRealMatrix" => |environment, arguments, outputs| {
            let result = match arguments {
                [file, name, values @ .., rows, columns, append, format] if values.len() as f64 == rows * columns => {
                    let texts = string_at(environment, *file)
                        .and_then(|f| Ok((f, string_at(environment, *name)?, string_at(environment, *format)?)));
                    texts.and_then(|(file, name, format)| {
                        write::write_matrix(
                            &environment.files.writable(file)?,
                            name,
                            *rows as usize,
                            *columns as usize,
                            values,
                            *append != 0.0,
                            format,
                        )
                        .map(|()| 1.0)
                    })
                }
                _ => Err(wrong_call()),
            };
            finish(environment, outputs, result)
        },
        _ => return None,
    })
}

fn read(environment: &Environment, file: f64, name: f64) -> Result<Matrix, String> {
    let (file, name) = (string_at(environment, file)?, string_at(environment, name)?);
    file::read_table(file, name, ",", 0, &environment.files)
}
