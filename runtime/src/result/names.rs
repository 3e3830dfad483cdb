//! Names of variables as OpenModelica writes them into result files.
//!
//! Input: a full name without quotes (`a.b[2]`, `der(a.b)`, `my signal`). Output: the same with single quotes around what is no identifier
//! (`'my signal'`), as such names are written in the model. Cost: linear in the name; nothing is copied where nothing is quoted.

use std::borrow::Cow;

/// The name as result files show it.
pub(super) fn written(name: &str) -> Cow<'_, str> {
    if is_plain(name) {
        return Cow::Borrowed(name);
    }
    if let Some(inner) = name.strip_prefix("der(").and_then(|rest| rest.strip_suffix(')')) {
        return Cow::Owned(format!("der({})", written(inner)));
    }
    Cow::Owned(parts(name).into_iter().map(quoted).collect::<Vec<_>>().join("."))
}

/// Consists of identifiers, dots and subscripts.
fn is_plain(name: &str) -> bool {
    let before = |part: &'_ str| part.find('[').unwrap_or(part.len());
    parts(name).into_iter().all(|part| is_identifier(&part[..before(part)]) && (before(part) == part.len() || part.ends_with(']')))
}

/// Splits at dots outside of brackets.
fn parts(name: &str) -> Vec<&str> {
    let mut depth = 0;
    let is_end = |c: char| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        c == '.' && depth == 0
    };
    name.split(is_end).collect()
}

fn is_identifier(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '$';
    text.starts_with(is_letter) && text.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}

/// A part in quotes where it needs them; numeric subscripts stay outside.
fn quoted(part: &str) -> String {
    let is_subscript = |text: &str| text.ends_with(']') && text[..text.len() - 1].chars().all(|c| c.is_ascii_digit() || c == ',');
    let (name, subscripts) = match part.rfind('[') {
        Some(at) if at > 0 && is_subscript(&part[at + 1..]) => part.split_at(at),
        _ => (part, ""),
    };
    let is_quoted = name.len() > 1 && name.starts_with('\'') && name.ends_with('\'');
    if is_identifier(name) || is_quoted { part.to_string() } else { format!("'{name}'{subscripts}") }
}

#[cfg(test)]
mod tests {
    use super::written;

    #[test]
    fn only_what_is_no_identifier_is_quoted() {
        let cases = [
            ("x", "x"),
            ("a[1].b.c[2,3]", "a[1].b.c[2,3]"),
            ("der(a.b)", "der(a.b)"),
            ("q r", "'q r'"),
            ("a.q r[2].b", "a.'q r'[2].b"),
            ("der(q r)", "der('q r')"),
            ("a.1b", "a.'1b'"),
            ("m[Colors.red]", "m[Colors.red]"),
            ("'x y'", "'x y'"),
            ("", "''"),
            ("a]", "'a]'"),
            ("größe", "'größe'"),
        ];
        for (name, expected) in cases {
            assert_eq!(written(name), expected, "{name}");
        }
    }
}
