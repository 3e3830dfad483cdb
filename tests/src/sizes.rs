//! Sizes of functions and structs in formatted source files.
//!
//! Input: the text of a file as `cargo fmt` leaves it. Output: name, line and size of every function and struct with a body. Method: what
//! begins at an indentation ends with the first closing brace at the same indentation; that is true of formatted code only. Cost: linear in
//! the text, times the depth of functions in functions.

/// Something with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sized {
    /// Its name.
    pub name: String,
    /// Its first line, from 1.
    pub line: usize,
    /// Lines of a function, from its signature to its closing brace; fields of a struct.
    pub size: usize,
}

/// The name behind a keyword, if a line declares one: `pub(super) const fn name(`.
fn declared<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let mut rest = line.trim_start();
    loop {
        let end = rest.find(' ')?;
        let (word, behind) = (&rest[..end], rest[end..].trim_start());
        if word == keyword {
            let end = behind.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(behind.len());
            return Some(&behind[..end]).filter(|name| !name.is_empty());
        }
        let is_modifier = ["pub", "const", "async", "extern"].contains(&word)
            || word.starts_with("pub(")
            || word.starts_with('"')
            || word.ends_with("safe");
        if !is_modifier {
            return None;
        }
        rest = behind;
    }
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Lines from the first one to that with the closing brace of the same indentation; none if there is no body.
fn body<'a>(lines: &'a [&'a str]) -> Option<&'a [&'a str]> {
    let depth = indentation(lines[0]);
    if lines[0].trim_end().ends_with(['}', ';']) {
        return lines[0].trim_end().ends_with('}').then_some(&lines[..1]);
    }
    for (at, line) in lines.iter().enumerate().skip(1) {
        if !line.trim().is_empty() && indentation(line) == depth {
            match line.trim_start().chars().next() {
                Some('}') => return Some(&lines[..=at]),
                Some(')') if line.ends_with(';') => return None,
                _ => {}
            }
        }
    }
    None
}

/// The functions of a file.
pub fn functions(text: &str) -> Vec<Sized> {
    let lines: Vec<&str> = text.lines().collect();
    let found = (0..lines.len()).filter_map(|at| {
        let name = declared(lines[at], "fn")?;
        Some(Sized { name: name.to_owned(), line: at + 1, size: body(&lines[at..])?.len() })
    });
    found.collect()
}

/// The structs of a file with fields that have names.
pub fn structs(text: &str) -> Vec<Sized> {
    let lines: Vec<&str> = text.lines().collect();
    let found = (0..lines.len()).filter_map(|at| {
        let name = declared(lines[at], "struct")?;
        let body = body(&lines[at..])?;
        let depth = indentation(lines[at]) + 4;
        let is_field = |line: &&&str| {
            let rest = line.trim_start();
            indentation(line) == depth && rest.contains(':') && !rest.starts_with(['/', '#'])
        };
        Some(Sized { name: name.to_owned(), line: at + 1, size: body[1..].iter().filter(is_field).count() })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::{Sized, functions, structs};

    fn sized(name: &str, line: usize, size: usize) -> Sized {
        Sized { name: name.to_owned(), line, size }
    }

    #[test]
    fn functions_end_where_their_indentation_does() {
        let text = "pub(super) const fn one(\n    a: u8,\n) -> u8 {\n    fn inner() {}\n    if a > 0 {\n    }\n}\n\ntrait T {\n    fn none(&self);\n}\n";
        assert_eq!(functions(text), [sized("one", 1, 7), sized("inner", 4, 1)]);
    }

    #[test]
    fn fields_are_counted_without_their_comments() {
        let text = "/// A struct.\npub struct S<'a> {\n    /// Note: first.\n    pub a: &'a str,\n    #[serde(x = \"y: z\")]\n    b: [u8; 3],\n}\n";
        assert_eq!(structs(text), [sized("S", 2, 2)]);
    }
}
