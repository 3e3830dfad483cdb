//! Which signals the user means.
//!
//! Input: all names with whether each varies, and words of the user. Output: positions of the signals, in the order in which they were
//! asked for, none twice.
//! Method: a word is the name of a signal, as tools write it (quotes and blanks do not matter); or the name of an array without its
//! indices: `T` is `T[1]`, `T[2]`, ..., and `cell.T` is `cell[1].T`, `cell[2].T`, ...; or, if it has a sign that no name has, a regular
//! expression for whole names: `T.*`. What does not vary is meant only if nothing else is, or by its own name.
//! Guarantee: a word that means nothing is an error that names what looks alike.
//! Cost: linear in the names for each word.

use partita_runtime::exec::near_names;
use partita_runtime::result::read::canonical;
use std::collections::HashMap;

/// A signal that can be plotted.
pub(super) struct Candidate<'a> {
    pub(super) name: &'a str,
    pub(super) varies: bool,
}

/// Why nothing can be drawn.
#[derive(Debug, PartialEq)]
pub(super) enum Problem {
    /// No signal has this name; these look alike, and if none does, these are some of those that there are.
    Unknown { word: String, near: Vec<String>, there_are: String },
    /// The pattern matches no name.
    NoMatch(String),
    /// The pattern is none.
    Pattern(String, String),
}

impl Problem {
    /// In words; `owner` is "the model" or a file, `thing` "variable" or "signal".
    pub(super) fn text(&self, owner: &str, thing: &str) -> String {
        match self {
            Problem::Unknown { word, near, there_are } if near.is_empty() => format!("{owner} has no {thing} `{word}`; it has {there_are}"),
            Problem::Unknown { word, near, .. } => format!("{owner} has no {thing} `{word}`; similar: {}", near.join(", ")),
            Problem::NoMatch(word) => format!("{owner} has no {thing} whose whole name matches `{word}`"),
            Problem::Pattern(word, reason) => format!("`{word}` is no pattern: {reason}"),
        }
    }
}

/// How many names are listed.
const LISTED: usize = 8;

/// The first names of a list.
pub(super) fn listed(names: &[String]) -> String {
    let more = names.len().saturating_sub(LISTED);
    match (names.len(), more) {
        (0, _) => "none that varies".to_string(),
        (_, 0) => names.join(", "),
        (n, more) => format!("{} and {more} more", names[..n - more].join(", ")),
    }
}

/// A name without its indices; none if it has no indices.
fn without_indices(name: &str) -> Option<String> {
    let mut depth = 0;
    let mut quoted = false;
    let mut rest = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '\'' => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted => depth -= 1,
            _ if depth > 0 => {}
            _ => rest.push(c),
        }
    }
    (rest.len() < canonical(name).len()).then(|| canonical(&rest))
}

/// Whether a word can be a pattern: it has a sign that names and indices do not have.
fn is_pattern(word: &str) -> bool {
    word.contains(['*', '+', '?', '|', '^', '$', '\\', '{'])
}

/// The last line of a message about a regular expression, which is the reason.
fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    text.lines().next_back().unwrap_or_default().trim_start_matches("error: ").to_string()
}

/// Finds what is meant.
pub(super) fn choose(candidates: &[Candidate<'_>], words: &[String]) -> Result<Vec<usize>, Problem> {
    let mut by_name: HashMap<String, usize> = HashMap::new();
    for (number, candidate) in candidates.iter().enumerate() {
        by_name.entry(canonical(candidate.name)).or_insert(number);
    }
    let mut chosen = Vec::new();
    for word in words {
        if let Some(number) = by_name.get(&canonical(word)) {
            chosen.push(*number);
            continue;
        }
        let wanted = canonical(word);
        let mut found: Vec<usize> = matching(candidates, |name| without_indices(name).is_some_and(|short| short == wanted));
        if found.is_empty() && is_pattern(word) {
            let pattern = regex::Regex::new(&format!("^(?:{word})$")).map_err(|error| Problem::Pattern(word.clone(), reason(&error)))?;
            found = matching(candidates, |name| pattern.is_match(name));
            if found.is_empty() {
                return Err(Problem::NoMatch(word.clone()));
            }
        }
        if found.is_empty() {
            let varying: Vec<String> = candidates.iter().filter(|one| one.varies).map(|one| one.name.to_string()).collect();
            return Err(Problem::Unknown { word: word.clone(), near: near(candidates, word), there_are: listed(&varying) });
        }
        chosen.extend(found);
    }
    let mut seen = std::collections::HashSet::new();
    chosen.retain(|number| seen.insert(*number));
    Ok(chosen)
}

/// Names that look like a word: the first few that begin with it and the first few that differ by little.
fn near(candidates: &[Candidate<'_>], word: &str) -> Vec<String> {
    let names = || candidates.iter().map(|candidate| candidate.name);
    let mut near: Vec<String> = names().filter(|name| name.starts_with(word)).take(3).map(str::to_string).collect();
    let alike = near_names(names(), word);
    near.extend(alike.into_iter().filter(|name| !name.starts_with(word)));
    near
}

/// The signals that fit and vary; those that do not vary if no other fits.
fn matching(candidates: &[Candidate<'_>], fits: impl Fn(&str) -> bool) -> Vec<usize> {
    let all: Vec<usize> = (0..candidates.len()).filter(|number| fits(candidates[*number].name)).collect();
    let varying: Vec<usize> = all.iter().copied().filter(|number| candidates[*number].varies).collect();
    if varying.is_empty() { all } else { varying }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 9] = ["T[1]", "T[2]", "T0", "cell[1].T", "cell[2].T", "der(T[1])", "der(T[2])", "'a[1]'", "Tk"];

    fn chosen(words: &[&str]) -> Result<Vec<&'static str>, Problem> {
        let candidates: Vec<Candidate<'_>> = NAMES.iter().map(|name| Candidate { name, varies: *name != "Tk" }).collect();
        let words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
        Ok(choose(&candidates, &words)?.into_iter().map(|number| NAMES[number]).collect())
    }

    #[test]
    fn words_are_names_arrays_or_patterns() {
        assert_eq!(chosen(&["T"]).unwrap(), ["T[1]", "T[2]"]);
        assert_eq!(chosen(&["cell.T"]).unwrap(), ["cell[1].T", "cell[2].T"]);
        assert_eq!(chosen(&["der(T)"]).unwrap(), ["der(T[1])", "der(T[2])"]);
        assert_eq!(chosen(&["T[2]", "T"]).unwrap(), ["T[2]", "T[1]"]);
        assert_eq!(chosen(&["T.*"]).unwrap(), ["T[1]", "T[2]", "T0"]);
        assert_eq!(chosen(&["Tk"]).unwrap(), ["Tk"]);
        assert_eq!(chosen(&["T(k|x)"]).unwrap(), ["Tk"]);
        assert_eq!(chosen(&["a[1]"]).unwrap(), ["'a[1]'"]);
        assert_eq!(chosen(&["x.*"]), Err(Problem::NoMatch("x.*".to_string())));
        assert!(matches!(chosen(&["*"]), Err(Problem::Pattern(..))));
        let Err(unknown) = chosen(&["T[3]"]) else { panic!("there is no such element") };
        assert!(unknown.text("the model", "variable").starts_with("the model has no variable `T[3]`; similar: T["), "{unknown:?}");
    }
}
