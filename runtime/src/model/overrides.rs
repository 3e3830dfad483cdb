//! Values that the user gives for names of the model, as they are written on a command line: `a=1,b[2]=3,c={1,2},s="x, y"`.
//!
//! Input: text. Output: names with their values, still as text: what a value means depends on the type of what it is for.
//! Commas separate; those inside brackets, braces, parentheses and quotes do not. Cost: linear.

/// A value for a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// The full name as the model has it, perhaps with subscripts, perhaps followed by `.start`.
    pub name: String,
    /// The value as it was written.
    pub value: String,
}

/// Cuts a text at the separators that are not inside brackets or quotes.
fn cut(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut begin, mut quote, mut escaped) = (0_usize, 0, None, false);
    let mut list = Vec::new();
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '(' | '{') => depth += 1,
            (None, ']' | ')' | '}') => depth = depth.saturating_sub(1),
            (None, _) if c == separator && depth == 0 => {
                list.push(&text[begin..at]);
                begin = at + c.len_utf8();
            }
            (None, _) => {}
        }
    }
    list.push(&text[begin..]);
    list
}

/// The parts of a list, without those that are empty.
pub fn parts(text: &str) -> Vec<&str> {
    cut(text, ',').into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// Reads `name=value`.
pub fn one(text: &str) -> Result<Override, String> {
    let pieces = cut(text, '=');
    let name = pieces.first().map_or("", |name| name.trim());
    let value = text.get(pieces.first().map_or(0, |first| first.len() + 1)..).unwrap_or("").trim();
    if pieces.len() < 2 || name.is_empty() {
        return Err(format!("expected name=value, not `{}`", text.trim()));
    }
    if value.is_empty() {
        return Err(format!("`{name}` needs a value after the `=`"));
    }
    Ok(Override { name: unquoted_name(name), value: value.to_string() })
}

/// Reads a list `a=1,b=2`.
pub fn list(text: &str) -> Result<Vec<Override>, String> {
    let parts = parts(text);
    if parts.is_empty() {
        return Err("expected name=value".to_string());
    }
    parts.into_iter().map(one).collect()
}

/// A name without the quotes of its parts: `'a.b'.c` is `a.b.c`.
fn unquoted_name(name: &str) -> String {
    let mut inside = false;
    let mut keep = |c: char| {
        inside ^= c == '\'';
        c != '\'' && (inside || !c.is_whitespace())
    };
    name.chars().filter(|c| keep(*c)).collect()
}

/// The elements of `{a, b}`; `None` if the text is no such list.
pub fn elements(text: &str) -> Option<Vec<&str>> {
    let inside = text.trim().strip_prefix('{')?.strip_suffix('}')?;
    if inside.trim().is_empty() {
        return Some(Vec::new());
    }
    Some(cut(inside, ',').into_iter().map(str::trim).collect())
}

/// A name and the subscripts at its end: `a.b[2,3]` is `a.b` with 2 and 3.
pub fn subscripts(name: &str) -> Option<(&str, Vec<usize>)> {
    let (base, rest) = name.strip_suffix(']')?.rsplit_once('[')?;
    let numbers: Result<Vec<usize>, _> = rest.split(',').map(|number| number.trim().parse()).collect();
    Some((base, numbers.ok()?))
}

/// A finite number.
pub fn real(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|value| value.is_finite())
}

/// A whole number, also one that is written `2e3`.
pub fn integer(text: &str) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let whole = |value: f64| (value.fract() == 0.0 && value.abs() <= EXACT).then_some(value as i64);
    text.trim().parse::<i64>().ok().or_else(|| real(text).and_then(whole))
}

/// `true` or `false`, or 1 or 0.
pub fn boolean(text: &str) -> Option<bool> {
    match text.trim() {
        "true" => Some(true),
        "false" => Some(false),
        number => match real(number) {
            Some(1.0) => Some(true),
            Some(0.0) => Some(false),
            _ => None,
        },
    }
}

/// A text, with or without quotes.
pub fn string(text: &str) -> String {
    let text = text.trim();
    let Some(inside) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return text.to_string() };
    let mut result = String::with_capacity(inside.len());
    let mut characters = inside.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => match characters.next() {
                Some('n') => result.push('\n'),
                Some('t') => result.push('\t'),
                Some(other) => result.push(other),
                None => {}
            },
            c => result.push(c),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        list(text).unwrap().into_iter().map(|one| (one.name, one.value)).collect()
    }

    #[test]
    fn commas_separate_outside_of_brackets_and_quotes() {
        let expected = [("a", "1"), ("b[1,2]", "3"), ("c", "{1, {2,3}}"), ("s", "\"x, y=\\\"\""), ("p.q", "w")];
        let expected: Vec<(String, String)> = expected.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        assert_eq!(pairs("a=1, b[1, 2] = 3,c={1, {2,3}},s=\"x, y=\\\"\",'p.q'=w"), expected);
    }

    #[test]
    fn what_is_no_pair_is_refused() {
        for text in ["", "a", "=1", "a=", "a=1,b", ","] {
            assert!(list(text).is_err(), "{text}");
        }
    }

    #[test]
    fn values_are_read_by_type() {
        assert_eq!(real("1e400"), None);
        assert_eq!(
            (integer("20"), integer("2e3"), integer("2.5"), integer("9007199254740993")),
            (Some(20), Some(2000), None, Some(9_007_199_254_740_993))
        );
        assert_eq!((boolean("true"), boolean("0"), boolean("2")), (Some(true), Some(false), None));
        assert_eq!(string("\"a\\\"b\""), "a\"b");
        assert_eq!(string("a/b.txt"), "a/b.txt");
        assert_eq!(elements("{1, {2,3}, }"), Some(vec!["1", "{2,3}", ""]));
        assert_eq!(elements("1"), None);
        assert_eq!(subscripts("a.b[2,3]"), Some(("a.b", vec![2, 3])));
        assert_eq!(subscripts("a.b"), None);
    }
}
