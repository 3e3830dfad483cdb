//! Lines of files that a model reads while it is compiled: `countLines`, `readLine` and `readFile` of `Modelica.Utilities.Streams`.
//!
//! Input: the name of the C function, the values of its inputs, the files that the model may read. Output: all outputs; or why there are
//! none; nothing if it is another function. Guarantee: reads only what the permissions allow. Cost: one reading of the file per call.

use crate::frontend::flat::Value;
use partita_runtime::native::access::FileAccess;

/// The outputs of a function that reads lines.
pub(super) fn read(function: &str, arguments: &[Value], files: &FileAccess) -> Option<Result<Vec<Value>, String>> {
    let Some(Value::String(name)) = arguments.first() else { return None };
    Some(match (function, arguments) {
        ("ModelicaInternal_countLines", [_]) => files.lines(name).map(|lines| vec![Value::Integer(lines.len() as i64)]),
        ("ModelicaInternal_readLine", [_, Value::Integer(number)]) => files.lines(name).map(|lines| line(lines, *number)),
        ("ModelicaInternal_readFile", [_]) => {
            let all = |lines: Vec<String>| Value::Array(vec![lines.len()], lines.into_iter().map(Value::String).collect());
            files.lines(name).map(|lines| vec![all(lines)])
        }
        _ => return None,
    })
}

/// A line, counted from one, and whether there is none.
fn line(lines: Vec<String>, number: i64) -> Vec<Value> {
    let at = usize::try_from(number - 1).ok();
    let line = at.and_then(|at| lines.into_iter().nth(at));
    let is_behind = line.is_none();
    vec![Value::String(line.unwrap_or_default()), Value::Boolean(is_behind)]
}
