//! Lines of files that a model reads while it is compiled: `countLines`, `readLine` and `readFile` of `Modelica.Utilities.Streams`;
//! and parts of texts, which are no numbers that a run could give: `compare`, `length`, `substring` and `skipWhiteSpace` of `Modelica.Utilities.Strings`.
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
        ("ModelicaStrings_compare", [_, Value::String(other), Value::Boolean(case_sensitive)]) => {
            let order = match case_sensitive {
                true => name.as_bytes().cmp(other.as_bytes()),
                false => name.to_ascii_lowercase().as_bytes().cmp(other.to_ascii_lowercase().as_bytes()),
            };
            // The literals of `Modelica.Utilities.Types.Compare`.
            Ok(vec![Value::Integer(2 + order as i64)])
        }
        ("ModelicaStrings_length", [_]) => Ok(vec![Value::Integer(name.len() as i64)]),
        ("ModelicaStrings_skipWhiteSpace", [_, Value::Integer(from)]) => Ok(vec![Value::Integer(behind_space(name, *from))]),
        ("ModelicaStrings_substring", [_, Value::Integer(from), Value::Integer(to)]) => {
            let bounds = usize::try_from(from - 1).ok().zip(usize::try_from(*to).ok());
            let part = bounds.and_then(|(from, to)| name.get(from..to));
            part.map(|part| vec![Value::String(part.to_owned())]).ok_or_else(|| format!("there is no part {from} to {to} of \"{name}\""))
        }
        _ => return None,
    })
}

/// The position of the first byte from this one on that is no white space, counted from one.
fn behind_space(text: &str, from: i64) -> i64 {
    let start = usize::try_from(from - 1).unwrap_or(0).min(text.len());
    let skipped = text.as_bytes()[start..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    (start + skipped + 1) as i64
}

/// A line, counted from one, and whether there is none.
fn line(lines: Vec<String>, number: i64) -> Vec<Value> {
    let at = usize::try_from(number - 1).ok();
    let line = at.and_then(|at| lines.into_iter().nth(at));
    let is_behind = line.is_none();
    vec![Value::String(line.unwrap_or_default()), Value::Boolean(is_behind)]
}
