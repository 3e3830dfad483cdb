//! Functions of texts, which are no numbers that a run could give: those of `Modelica.Utilities.Strings` that are written in C.
//!
//! Input: the name of the C function and the values of its inputs. Output: all outputs; or why there are none; nothing if it is another
//! function. Positions count bytes from one. A scan that finds nothing gives the position that it began at. Cost: linear in the text.

use crate::frontend::flat::Value;

/// The outputs of a function of texts.
pub(super) fn call(function: &str, arguments: &[Value]) -> Option<Result<Vec<Value>, String>> {
    let (Value::String(text), rest) = arguments.split_first()? else { return None };
    Some(match (function.strip_prefix("ModelicaStrings_")?, rest) {
        ("length", []) => Ok(vec![Value::Integer(text.len() as i64)]),
        ("compare", [Value::String(other), Value::Boolean(case_sensitive)]) => {
            let order = match case_sensitive {
                true => text.as_bytes().cmp(other.as_bytes()),
                false => text.to_ascii_lowercase().as_bytes().cmp(other.to_ascii_lowercase().as_bytes()),
            };
            // The literals of `Modelica.Utilities.Types.Compare`.
            Ok(vec![Value::Integer(2 + order as i64)])
        }
        ("substring", [Value::Integer(from), Value::Integer(to)]) => {
            let bounds = usize::try_from(from - 1).ok().zip(usize::try_from(*to).ok());
            let part = bounds.and_then(|(from, to)| text.get(from..to));
            part.map(|part| vec![Value::String(part.to_owned())]).ok_or_else(|| format!("there is no part {from} to {to} of \"{text}\""))
        }
        ("skipWhiteSpace", [Value::Integer(from)]) => Ok(vec![Value::Integer(behind_space(text, *from) as i64 + 1)]),
        ("scanReal", [Value::Integer(from), Value::Boolean(unsigned)]) => {
            let start = behind_space(text, *from);
            let length = real_length(&text.as_bytes()[start..], *unsigned);
            let number = text.get(start..start + length).and_then(|token| token.parse::<f64>().ok());
            Ok(match number {
                Some(number) => vec![Value::Integer((start + length) as i64 + 1), Value::Real(number)],
                None => vec![Value::Integer(*from), Value::Real(0.0)],
            })
        }
        ("scanInteger", [Value::Integer(from), Value::Boolean(unsigned)]) => {
            let start = behind_space(text, *from);
            let bytes = &text.as_bytes()[start..];
            let sign = sign_length(bytes, *unsigned);
            let length = sign + digits(&bytes[sign..]);
            // What goes on as a Real is none.
            let is_real = matches!(bytes.get(length), Some(b'.' | b'e' | b'E'));
            let number = text.get(start..start + length).filter(|_| !is_real).and_then(|token| token.parse::<i64>().ok());
            Ok(match number {
                Some(number) => vec![Value::Integer((start + length) as i64 + 1), Value::Integer(number)],
                None => vec![Value::Integer(*from), Value::Integer(0)],
            })
        }
        ("scanIdentifier", [Value::Integer(from)]) => {
            let start = behind_space(text, *from);
            let bytes = &text.as_bytes()[start..];
            let is_name = bytes.first().is_some_and(u8::is_ascii_alphabetic);
            let length = bytes.iter().take_while(|b| is_name && (b.is_ascii_alphanumeric() || **b == b'_')).count();
            Ok(token(text, *from, start, length, 0))
        }
        ("scanString", [Value::Integer(from)]) => {
            let start = behind_space(text, *from);
            let bytes = &text.as_bytes()[start..];
            let inside = bytes.get(1..).filter(|_| bytes[0] == b'"').unwrap_or(&[]);
            let mut end = None;
            let mut at = 0;
            while let Some(byte) = inside.get(at) {
                match byte {
                    b'\\' => at += 1,
                    b'"' => {
                        end = Some(at);
                        break;
                    }
                    _ => {}
                }
                at += 1;
            }
            Ok(token(text, *from, start, end.map_or(0, |end| end + 2), 1))
        }
        _ => return None,
    })
}

/// The position behind a token, and the token without this many bytes at both ends.
fn token(text: &str, from: i64, start: usize, length: usize, around: usize) -> Vec<Value> {
    match text.get(start + around..(start + length).saturating_sub(around)).filter(|_| length > 0) {
        Some(token) => vec![Value::Integer((start + length) as i64 + 1), Value::String(token.to_owned())],
        None => vec![Value::Integer(from), Value::String(String::new())],
    }
}

/// The position, counted from zero, of the first byte from this one on, counted from one, that is no white space.
fn behind_space(text: &str, from: i64) -> usize {
    let start = usize::try_from(from - 1).unwrap_or(0).min(text.len());
    start + text.as_bytes()[start..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn sign_length(bytes: &[u8], unsigned: bool) -> usize {
    usize::from(!unsigned && matches!(bytes.first(), Some(b'+' | b'-')))
}

/// The length of a number with sign, fraction and exponent; 0 if there is none.
fn real_length(bytes: &[u8], unsigned: bool) -> usize {
    let mut at = sign_length(bytes, unsigned);
    let whole = digits(&bytes[at..]);
    at += whole;
    let mut n = whole;
    if bytes.get(at) == Some(&b'.') {
        let fraction = digits(&bytes[at + 1..]);
        at += 1 + fraction;
        n += fraction;
    }
    if n == 0 {
        return 0;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = sign_length(&bytes[at + 1..], false);
        let exponent = digits(&bytes[at + 1 + sign..]);
        if exponent > 0 {
            at += 1 + sign + exponent;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(function: &str, text: &str, from: i64) -> Vec<Value> {
        let mut arguments = vec![Value::String(text.to_owned()), Value::Integer(from)];
        if matches!(function, "ModelicaStrings_scanReal" | "ModelicaStrings_scanInteger") {
            arguments.push(Value::Boolean(false));
        }
        call(function, &arguments).and_then(Result::ok).unwrap_or_default()
    }

    #[test]
    fn scans_give_the_token_and_the_position_behind_it() {
        let (integer, string) = (Value::Integer, |s: &str| Value::String(s.to_owned()));
        assert_eq!(scan("ModelicaStrings_scanReal", " -1.5e2 x", 1), [integer(8), Value::Real(-150.0)]);
        assert_eq!(scan("ModelicaStrings_scanReal", "x", 1), [integer(1), Value::Real(0.0)]);
        assert_eq!(scan("ModelicaStrings_scanReal", "2e", 1), [integer(2), Value::Real(2.0)]);
        assert_eq!(scan("ModelicaStrings_scanInteger", "7;", 1), [integer(2), integer(7)]);
        assert_eq!(scan("ModelicaStrings_scanInteger", "7.0", 1), [integer(1), integer(0)]);
        assert_eq!(scan("ModelicaStrings_scanIdentifier", "a= b_2+", 3), [integer(7), string("b_2")]);
        assert_eq!(scan("ModelicaStrings_scanIdentifier", "2b", 1), [integer(1), string("")]);
        assert_eq!(scan("ModelicaStrings_scanString", r#" "a\"b" "#, 1), [integer(8), string(r#"a\"b"#)]);
        assert_eq!(scan("ModelicaStrings_scanString", r#""a"#, 1), [integer(1), string("")]);
    }

    #[test]
    fn texts_are_compared_and_cut() {
        let text = |s: &str| Value::String(s.to_owned());
        let compare = |a, b, case| call("ModelicaStrings_compare", &[text(a), text(b), Value::Boolean(case)]);
        assert_eq!(compare("a", "B", true), Some(Ok(vec![Value::Integer(3)])));
        assert_eq!(compare("a", "B", false), Some(Ok(vec![Value::Integer(1)])));
        assert_eq!(compare("ab", "AB", false), Some(Ok(vec![Value::Integer(2)])));
        let part = call("ModelicaStrings_substring", &[text("abcd"), Value::Integer(2), Value::Integer(3)]);
        assert_eq!(part, Some(Ok(vec![text("bc")])));
    }
}
