//! Files that a model reads while it is compiled: `countLines`, `readLine`, `readFile`, `readMatrixSize` and `readRealMatrix` of
//! `Modelica.Utilities.Streams`.
//!
//! Input: the name of the C function, the values of its inputs, the files that the model may read. Output: all outputs; or why there are
//! none; nothing if it is another function. Guarantee: reads only what the permissions allow. Cost: one reading of the file per call.

use crate::frontend::flat::Value;
use partita_runtime::native::access::FileAccess;
use partita_runtime::native::{Environment, lookup};

/// The outputs of a function that reads a file.
pub(super) fn read(function: &str, arguments: &[Value], files: &FileAccess) -> Option<Result<Vec<Value>, String>> {
    let Some(Value::String(name)) = arguments.first() else { return None };
    Some(match (function, arguments) {
        ("ModelicaInternal_countLines", [_]) => files.lines(name).map(|lines| vec![Value::Integer(lines.len() as i64)]),
        ("ModelicaInternal_readLine", [_, Value::Integer(number)]) => files.lines(name).map(|lines| line(lines, *number)),
        ("ModelicaInternal_readFile", [_]) => {
            let all = |lines: Vec<String>| Value::Array(vec![lines.len()], lines.into_iter().map(Value::String).collect());
            files.lines(name).map(|lines| vec![all(lines)])
        }
        ("ModelicaIO_readMatrixSizes", [_, Value::String(matrix)]) => {
            let sizes = |sizes: Vec<f64>| vec![Value::Array(vec![2], sizes.into_iter().map(|n| Value::Integer(n as i64)).collect())];
            native(function, name, matrix, &[], 2, files).map(sizes)
        }
        ("ModelicaIO_readRealMatrix", [_, Value::String(matrix), Value::Integer(n_rows), Value::Integer(n_columns), _]) => {
            let dims = [n_rows, n_columns].map(|n| usize::try_from(*n).unwrap_or(0));
            let values = |values: Vec<f64>| vec![Value::Array(dims.to_vec(), values.into_iter().map(Value::Real).collect())];
            // Room is made for what the file has, not for what is asked for.
            native("ModelicaIO_readMatrixSizes", name, matrix, &[], 2, files).and_then(|sizes| {
                let n = if sizes == dims.map(|n| n as f64) { dims[0] * dims[1] } else { 0 };
                native(function, name, matrix, &[*n_rows as f64, *n_columns as f64, 0.0], n, files).map(values)
            })
        }
        _ => return None,
    })
}

/// What the runtime's function for matrices in files gives.
fn native(function: &str, file: &str, matrix: &str, numbers: &[f64], n_outputs: usize, files: &FileAccess) -> Result<Vec<f64>, String> {
    let Some(call) = lookup(function) else { return Err(format!("the function {function} is not known")) };
    let strings = vec![file.to_owned(), matrix.to_owned()];
    let mut environment = Environment { strings, files: files.clone(), ..Environment::default() };
    let mut outputs = vec![0.0; n_outputs];
    let arguments: Vec<f64> = [0.0, 1.0].into_iter().chain(numbers.iter().copied()).collect();
    match call(&mut environment, &arguments, &mut outputs) {
        true => Ok(outputs),
        false => Err(environment.failure.unwrap_or_else(|| format!("{function} failed"))),
    }
}

/// A line, counted from one, and whether there is none.
fn line(lines: Vec<String>, number: i64) -> Vec<Value> {
    let at = usize::try_from(number - 1).ok();
    let line = at.and_then(|at| lines.into_iter().nth(at));
    let is_behind = line.is_none();
    vec![Value::String(line.unwrap_or_default()), Value::Boolean(is_behind)]
}
