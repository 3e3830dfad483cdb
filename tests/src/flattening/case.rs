//! A test as it lies in its file: the model, what is expected, and whether it is one of those that are asked for.
//!
//! In: the path below `testsuite` and the text. Out: a [`Case`], or the reason why it is left out. Cost: linear.

use crate::sha256::sha256;

/// What a test expects.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// The text of a flat class with its functions.
    Flat(String),
    /// The same, where components in arrays are written as components of arrays: `a.x[1]` is what results call `a[1].x`.
    Joined(String),
    /// That the model is refused.
    Refused,
}

/// A test.
#[derive(Clone, Debug)]
pub struct Case {
    /// The text of the model, without what is expected.
    pub text: String,
    /// The class that is flattened.
    pub class: String,
    /// What it gives.
    pub expected: Expected,
}

/// The half of the tests that is looked at while the compiler is written: the other one is for judging it.
pub fn is_visible(path: &str) -> bool {
    sha256(path.as_bytes())[0].is_multiple_of(2)
}

/// Words of what is beyond the language that is asked for, with what they belong to.
const LATER: [(&str, &str); 30] = [
    ("Clock(", "clocks"),
    ("Clock ", "clocks"),
    ("previous(", "clocks"),
    ("hold(", "clocks"),
    ("subSample(", "clocks"),
    ("superSample(", "clocks"),
    ("shiftSample(", "clocks"),
    ("backSample(", "clocks"),
    ("noClock(", "clocks"),
    ("initialState(", "state machines"),
    ("transition(", "state machines"),
    ("activeState(", "state machines"),
    ("ticksInState(", "state machines"),
    ("uniontype ", "MetaModelica"),
    ("matchcontinue", "MetaModelica"),
    ("match ", "MetaModelica"),
    ("list<", "MetaModelica"),
    ("Option<", "MetaModelica"),
    ("tuple<", "MetaModelica"),
    ("polymorphic<", "MetaModelica"),
    ("failure(", "MetaModelica"),
    ("parglobal ", "ParModelica"),
    ("parlocal ", "ParModelica"),
    ("parfor ", "ParModelica"),
    ("parallel function", "ParModelica"),
    ("kernel function", "ParModelica"),
    ("optimization ", "Optimica"),
    ("DomainLineSegment1D", "partial differential equations"),
    ("indomain", "partial differential equations"),
    ("external \"Java\"", "functions in Java"),
];

/// Options of the tests' compiler that change what a model means.
const MEANINGS: [&str; 19] = [
    "mergeComponents",
    "std=1.x",
    "std=2.x",
    "std=experimental",
    "std=3.2",
    "MetaModelica",
    "allowNonStandardModelica",
    "intEnumConversion",
    "ignoreReplaceable",
    "useLocalDirection",
    "flowThreshold",
    "baseModelica",
    "-f ",
    "-f\"",
    "strict",
    "unitChecking",
    "frontendInline",
    "dumpFlatModel",
    "loadMissingLibraries",
];

/// Reads a test; the error is the reason why it is left out.
pub fn read(text: &str) -> Result<Case, &'static str> {
    let (model, result) = text.split_once("// Result:\n").ok_or("nothing is expected")?;
    let header = |word: &str| {
        model.lines().filter_map(|line| line.trim_start().strip_prefix("//")).find_map(|line| {
            let (name, value) = line.split_once(':')?;
            (name.trim() == word).then(|| value.trim().to_owned())
        })
    };
    if header("suite").is_some_and(|suite| suite == "disabled") {
        return Err("disabled in its suite");
    }
    let code = without_comments(model);
    if let Some((_, what)) = LATER.iter().find(|(word, _)| code.contains(word)) {
        return Err(what);
    }
    if MEANINGS.iter().any(|option| model.lines().any(|line| is_option(line) && line.contains(option))) {
        return Err("options that change what a model means");
    }
    let class = option_class(model).or_else(|| last_class(&code)).ok_or("there is no class")?;
    let expected = match header("status").as_deref() {
        Some("correct") => {
            let flat = numbered(&flat_text(result).ok_or("no flat class is expected")?, &code);
            match model.lines().any(|line| is_option(line) && line.contains("-nfScalarize")) {
                true => Expected::Joined(flat),
                false => Expected::Flat(flat),
            }
        }
        Some("incorrect") => Expected::Refused,
        _ => return Err("neither a flat class nor an error is expected"),
    };
    Ok(Case { text: model.to_owned(), class, expected })
}

fn is_option(line: &str) -> bool {
    line.contains("commandLineOptions") || line.contains("cflags")
}

/// The class that options name.
fn option_class(model: &str) -> Option<String> {
    let line = model.lines().find(|line| is_option(line) && line.contains("-i="))?;
    let rest = line.split_once("-i=")?.1;
    Some(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_' || *c == '.').collect())
}

/// The last class that is not inside another one.
fn last_class(code: &str) -> Option<String> {
    let source = partita_grammar::Source { name: String::new(), text: code.to_owned() };
    match partita_grammar::parse(&source) {
        Ok(definition) => definition.classes.last().map(|class| class.name.to_string()),
        // A text that is no Modelica: it is to be refused, whatever it defines.
        Err(_) => Some(String::new()),
    }
}

/// A text without comments; strings stay.
fn without_comments(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['/', '"', '\'']) {
        made.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match rest.as_bytes() {
            [b'/', b'/', ..] => rest.find('\n').unwrap_or(rest.len()),
            [b'/', b'*', ..] => rest.find("*/").map_or(rest.len(), |end| end + 2),
            [b'"', ..] => {
                let end = string_end(rest);
                made.push_str(&rest[..end]);
                end
            }
            _ => {
                made.push_str(&rest[..1]);
                1
            }
        };
        rest = &rest[length..];
    }
    made + rest
}

/// Behind the string at the beginning of a text.
fn string_end(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !is_escaped => return at + 1,
            _ => is_escaped = c == '\\' && !is_escaped,
        }
    }
    text.len()
}

/// The flat class of an expectation, without messages around it.
fn flat_text(result: &str) -> Option<String> {
    let mut made = String::new();
    let mut is_class = false;
    for line in result.lines() {
        let Some(line) = line.strip_prefix("//") else { break };
        let line = line.strip_prefix(' ').unwrap_or(line);
        if line == "endResult" {
            break;
        }
        let first = line.split_whitespace().next().unwrap_or("");
        let opens = ["class", "model", "function", "record", "impure", "pure", "connector", "package", "operator", "block", "type"];
        is_class |= opens.contains(&first);
        let is_message =
            line.starts_with('[') || line.starts_with("Error") || line.starts_with("Warning") || line.starts_with("Notification");
        if is_class && is_message {
            break;
        }
        if is_class {
            made.push_str(line);
            made.push('\n');
        }
    }
    is_class.then_some(made)
}

/// The text with numbers where an array is subscripted by a literal of an enumeration or by a Boolean.
fn numbered(flat: &str, code: &str) -> String {
    let mut position: std::collections::BTreeMap<&str, usize> = [("false", 1), ("true", 2)].into();
    for text in [code, flat] {
        for list in text.split("enumeration(").skip(1) {
            let list = list.split(')').next().unwrap_or("");
            for (at, literal) in list.split(',').enumerate() {
                position.insert(literal.split_whitespace().next().unwrap_or(""), at + 1);
            }
        }
    }
    let mut made = String::with_capacity(flat.len());
    let mut rest = flat;
    while let Some(open) = rest.find('[') {
        let close = rest[open..].find(']').map_or(rest.len(), |at| open + at);
        made.push_str(&rest[..=open]);
        let subscripts = rest[open + 1..close].split(',').map(|subscript| {
            let last = subscript.trim().rsplit('.').next().unwrap_or("");
            let is_literal =
                last == "true" || last == "false" || subscript.contains('.') && !last.starts_with(|c: char| c.is_ascii_digit());
            match position.get(last).filter(|_| is_literal) {
                Some(number) => number.to_string(),
                None => subscript.to_owned(),
            }
        });
        made.push_str(&subscripts.collect::<Vec<_>>().join(","));
        rest = &rest[close..];
    }
    made + rest
}
