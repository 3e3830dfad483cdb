//! Walks the tokens of a text once, before the grammar does.
//!
//! Input: the text. Output: the places of its comments, or the errors that spoil everything after them: strings, comments
//! and quoted identifiers that never end, characters Modelica does not have, brackets that do not match, nesting deeper
//! than [`LIMIT`].
//!
//! Method: a hand-written tokenizer ([`Tokens`]) and a stack of what is open ([`Nesting`]); `diagnose` replays both up to the
//! place where the grammar stopped.
//! Guarantee: a text that passes nests at most [`LIMIT`] deep, so recursion over its pairs and its tree is bounded.
//! Cost: linear in the text.

use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// The deepest nesting of brackets, conditions, loops and classes that is read.
pub(crate) const LIMIT: usize = 500;

/// The most stray characters reported in one file.
const MOST_STRAYS: usize = 10;

/// What a token is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Name,
    Keyword,
    Number,
    Text,
    Symbol,
}

/// One token.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Token<'t> {
    pub(crate) kind: Kind,
    pub(crate) text: &'t str,
    pub(crate) span: Span,
}

impl Token<'_> {
    /// Is it this symbol or keyword?
    pub(crate) fn is(&self, word: &str) -> bool {
        matches!(self.kind, Kind::Symbol | Kind::Keyword) && self.text == word
    }

    /// Is it one of these symbols or keywords?
    pub(crate) fn is_any(&self, words: &[&str]) -> bool {
        matches!(self.kind, Kind::Symbol | Kind::Keyword) && words.contains(&self.text)
    }
}

/// What can be wrong with the characters at one place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fault {
    OpenString(Span),
    OpenComment(Span),
    OpenQuote(Span),
    Stray(Span),
}

/// The tokens of a text, in order; comments are collected on the way.
pub(crate) struct Tokens<'t> {
    text: &'t str,
    at: usize,
    pub(crate) comments: Vec<Span>,
}

impl<'t> Tokens<'t> {
    pub(crate) fn new(text: &'t str) -> Tokens<'t> {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Tokens { text, at, comments: Vec::new() }
    }

    fn token(&mut self, kind: Kind, end: usize) -> Token<'t> {
        let span = Span::new(self.at, end);
        let text = self.text.get(self.at..end).unwrap_or("");
        self.at = end;
        Token { kind, text, span }
    }

    /// Moves to the next token; at the end gives `None`. A comment without end is a fault.
    fn skip_space(&mut self) -> Result<(), Fault> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                Some(b'/') if bytes.get(self.at + 1) == Some(&b'/') => {
                    let length = self.text[self.at..].find('\n').unwrap_or(self.text.len() - self.at);
                    // Without its trailing blanks, so that trimming a range of text ends exactly at a comment's end.
                    let words = self.text[self.at..self.at + length].trim_end_matches([' ', '\t', '\r']).len();
                    self.comments.push(Span::new(self.at, self.at + words));
                    self.at += length;
                }
                Some(b'/') if bytes.get(self.at + 1) == Some(&b'*') => {
                    let start = self.at;
                    match self.text[start + 2..].find("*/") {
                        Some(length) => {
                            self.at = start + 2 + length + 2;
                            self.comments.push(Span::new(start, self.at));
                        }
                        None => {
                            self.at = self.text.len();
                            return Err(Fault::OpenComment(Span::new(start, start + 2)));
                        }
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    /// The end of a quoted thing that starts here, one past its closing quote.
    fn quoted(&self, quote: u8, one_line: bool) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = self.at + 1;
        loop {
            match *bytes.get(at)? {
                b if b == quote => return Some(at + 1),
                b'\\' => at += 2,
                b'\n' if one_line => return None,
                _ => at += 1,
            }
        }
    }

    fn number_end(&self) -> usize {
        let bytes = self.text.as_bytes();
        let digits = |mut at: usize| {
            while bytes.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            at
        };
        let mut end = digits(self.at);
        if bytes.get(end) == Some(&b'.') {
            end = digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits(end + 1 + sign);
            if exponent > end + 1 + sign {
                end = exponent;
            }
        }
        end
    }
}

impl<'t> std::iter::Iterator for Tokens<'t> {
    type Item = Result<Token<'t>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Err(fault) = self.skip_space() {
            return Some(Err(fault));
        }
        let bytes = self.text.as_bytes();
        let start = self.at;
        let first = *bytes.get(start)?;
        Some(match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => {
                let mut end = start + 1;
                while bytes.get(end).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$')) {
                    end += 1;
                }
                let kind = if first.is_ascii_lowercase() && is_keyword(&self.text[start..end]) { Kind::Keyword } else { Kind::Name };
                Ok(self.token(kind, end))
            }
            b'0'..=b'9' => {
                let end = self.number_end();
                Ok(self.token(Kind::Number, end))
            }
            b'"' => match self.quoted(b'"', false) {
                Some(end) if end <= bytes.len() => Ok(self.token(Kind::Text, end)),
                _ => {
                    self.at = bytes.len();
                    Err(Fault::OpenString(Span::new(start, start + 1)))
                }
            },
            b'\'' => match self.quoted(b'\'', true) {
                Some(end) if end <= bytes.len() => Ok(self.token(Kind::Name, end)),
                _ => {
                    self.at = self.text[start..].find('\n').map_or(bytes.len(), |n| start + n);
                    Err(Fault::OpenQuote(Span::new(start, self.at)))
                }
            },
            b'.' | b':' | b'<' | b'>' | b'=' => {
                let pair = self.text.get(start..start + 2).unwrap_or("");
                let double = matches!(pair, ".+" | ".-" | ".*" | "./" | ".^" | ":=" | "<=" | "<>" | ">=" | "==");
                Ok(self.token(Kind::Symbol, start + 1 + usize::from(double)))
            }
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b';' | b',' | b'+' | b'-' | b'*' | b'/' | b'^' => {
                Ok(self.token(Kind::Symbol, start + 1))
            }
            _ => {
                // A run of bytes that Modelica does not have, such as `!=` or a letter outside ASCII.
                let rest = &self.text[start..];
                let stray = |c: char| !c.is_ascii() || matches!(c, '!' | '#' | '%' | '&' | '?' | '@' | '\\' | '`' | '|' | '~');
                let length = if rest.starts_with(EMPTY) { EMPTY.len() } else { rest.find(|c| !stray(c)).unwrap_or(rest.len()) };
                // A control character is none of them and stands alone.
                let length = if length == 0 { rest.chars().next().map_or(1, char::len_utf8) } else { length };
                self.at = start + length;
                Err(Fault::Stray(Span::new(start, self.at)))
            }
        })
    }
}

/// The reserved words of Modelica 3.6.
pub(crate) fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "algorithm"
            | "and"
            | "annotation"
            | "block"
            | "break"
            | "class"
            | "connect"
            | "connector"
            | "constant"
            | "constrainedby"
            | "der"
            | "discrete"
            | "each"
            | "else"
            | "elseif"
            | "elsewhen"
            | "encapsulated"
            | "end"
            | "enumeration"
            | "equation"
            | "expandable"
            | "extends"
            | "external"
            | "false"
            | "final"
            | "flow"
            | "for"
            | "function"
            | "if"
            | "import"
            | "impure"
            | "in"
            | "initial"
            | "inner"
            | "input"
            | "loop"
            | "model"
            | "not"
            | "operator"
            | "or"
            | "outer"
            | "output"
            | "package"
            | "parameter"
            | "partial"
            | "protected"
            | "public"
            | "pure"
            | "record"
            | "redeclare"
            | "replaceable"
            | "return"
            | "stream"
            | "then"
            | "true"
            | "type"
            | "when"
            | "while"
            | "within"
    )
}

/// What a class is giving at the moment.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum ClassSection {
    Declarations,
    Equations,
    Statements,
}

/// Something that was opened and not closed yet.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Open<'t> {
    Bracket,
    /// An `if` that ends with its expression, not with `end if`; `condition` is the `if` behind a component, which has no `then`.
    IfExpression {
        condition: bool,
        then_seen: bool,
        else_seen: bool,
    },
    /// `if`, `for`, `while` or `when` with its `then` or `loop`.
    Structure {
        body_seen: bool,
    },
    Class {
        name: Option<Token<'t>>,
        part: ClassSection,
    },
}

/// The stack of what is open at a place.
#[derive(Default)]
pub(crate) struct Nesting<'t> {
    /// What is open, outermost first, with the token that opened it.
    pub(crate) open: Vec<(Open<'t>, Token<'t>)>,
    /// A class keyword whose name is still being read: whether the class is long is not known yet.
    class: Option<(Token<'t>, Option<Token<'t>>)>,
    previous: Option<Token<'t>>,
    /// `end` was just read and closes something.
    ending: bool,
    /// The first class that was closed with another name: its keyword, its name, and the name behind `end`.
    pub(crate) misnamed: Option<[Token<'t>; 3]>,
}

/// Why a token does not fit what is open.
pub(crate) enum Misfit<'t> {
    /// A closing bracket of another kind than the open one, or a token that no open bracket can hold.
    NotClosed { open: Token<'t> },
    /// A closing bracket that nothing opened.
    NotOpened,
    /// Deeper than the limit.
    TooDeep,
}

impl<'t> Nesting<'t> {
    /// Takes the next token into account.
    pub(crate) fn take(&mut self, token: Token<'t>) -> Result<(), Misfit<'t>> {
        let result = self.step(token);
        self.previous = Some(token);
        result
    }

    /// The innermost thing open that is not an `if` expression.
    pub(crate) fn innermost(&self) -> Option<&(Open<'t>, Token<'t>)> {
        self.open.iter().rev().find(|(open, _)| !matches!(open, Open::IfExpression { .. }))
    }

    /// What the innermost class is giving, if a class is open.
    pub(crate) fn part(&self) -> Option<ClassSection> {
        self.open.iter().rev().find_map(|(open, _)| match open {
            Open::Class { part, .. } => Some(*part),
            _ => None,
        })
    }

    fn push(&mut self, open: Open<'t>, token: Token<'t>) -> Result<(), Misfit<'t>> {
        self.open.push((open, token));
        if self.open.len() > LIMIT { Err(Misfit::TooDeep) } else { Ok(()) }
    }

    fn in_bracket(&self) -> bool {
        matches!(self.innermost(), Some((Open::Bracket, _)))
    }

    /// Ends `if` expressions: all of them, or those whose `else` is already there.
    fn end_if_expressions(&mut self, all: bool) {
        while let Some((Open::IfExpression { else_seen, .. }, _)) = self.open.last() {
            if !all && !else_seen {
                break;
            }
            self.open.pop();
        }
    }

    fn step(&mut self, token: Token<'t>) -> Result<(), Misfit<'t>> {
        if let Some((keyword, name)) = self.class {
            match token.kind {
                Kind::Name if name.is_none() || self.previous.is_some_and(|p| p.is(".")) => {
                    self.class = Some((keyword, name.or(Some(token))));
                    return Ok(());
                }
                Kind::Symbol if token.text == "." => return Ok(()),
                Kind::Keyword if name.is_none() && matches!(token.text, "extends" | "record" | "function" | "connector") => return Ok(()),
                _ => {
                    self.class = None;
                    if !token.is("=") {
                        self.push(Open::Class { name, part: ClassSection::Declarations }, keyword)?;
                    }
                }
            }
        }
        if self.ending {
            self.ending = false;
            // Whatever the word after `end`, it closes the innermost thing; the grammar checks that it is the right word.
            if let Some((Open::Class { name: Some(name), .. }, keyword)) = self.open.pop()
                && token.kind == Kind::Name
                && name.text != token.text
                && self.misnamed.is_none()
            {
                self.misnamed = Some([keyword, name, token]);
            }
            return Ok(());
        }
        match token.kind {
            Kind::Symbol => self.symbol(token),
            Kind::Keyword => self.keyword(token),
            Kind::Name | Kind::Number | Kind::Text => Ok(()),
        }
    }

    fn symbol(&mut self, token: Token<'t>) -> Result<(), Misfit<'t>> {
        match token.text {
            "(" | "[" | "{" => return self.push(Open::Bracket, token),
            ")" | "]" | "}" => {
                self.end_if_expressions(true);
                let Some((Open::Bracket, open)) = self.open.last() else {
                    return Err(Misfit::NotOpened);
                };
                if !matches!((open.text, token.text), ("(", ")") | ("[", "]") | ("{", "}")) {
                    return Err(Misfit::NotClosed { open: *open });
                }
                self.open.pop();
            }
            ";" => {
                self.end_if_expressions(true);
                // Only a matrix has semicolons inside.
                if let Some((Open::Bracket, open)) = self.open.last()
                    && open.text != "["
                {
                    return Err(Misfit::NotClosed { open: *open });
                }
            }
            "," => self.end_if_expressions(true),
            _ => {}
        }
        Ok(())
    }

    fn keyword(&mut self, token: Token<'t>) -> Result<(), Misfit<'t>> {
        match token.text {
            "if" => {
                let starts_item = match self.previous {
                    None => true,
                    Some(p) if p.is_any(&[";", "equation", "algorithm", "loop"]) => !self.in_bracket(),
                    Some(p) if p.is_any(&["then", "else"]) => matches!(self.open.last(), Some((Open::Structure { .. }, _))),
                    Some(_) => false,
                };
                let condition =
                    self.previous.is_some_and(|p| matches!(p.kind, Kind::Name | Kind::Number | Kind::Text) || p.is_any(&[")", "]", "}"]));
                let open = if starts_item {
                    Open::Structure { body_seen: false }
                } else {
                    Open::IfExpression { condition, then_seen: false, else_seen: false }
                };
                return self.push(open, token);
            }
            "for" | "while" | "when" if !self.in_bracket() => return self.push(Open::Structure { body_seen: false }, token),
            "then" | "loop" | "else" | "elseif" | "elsewhen" => {
                self.end_if_expressions(false);
                match self.open.last_mut() {
                    Some((Open::IfExpression { then_seen, else_seen, .. }, _)) => {
                        *then_seen |= token.text == "then";
                        *else_seen |= token.text == "else";
                    }
                    Some((Open::Structure { body_seen }, _)) => *body_seen = matches!(token.text, "then" | "loop" | "else"),
                    _ => {}
                }
            }
            "end" if !self.in_bracket() => {
                self.end_if_expressions(true);
                self.ending = true;
            }
            "equation" | "algorithm" | "public" | "protected" => {
                if let Some((Open::Bracket, open)) = self.innermost() {
                    return Err(Misfit::NotClosed { open: *open });
                }
                let now = match token.text {
                    "equation" if self.previous.is_some_and(|p| p.is("parameter")) => return Ok(()),
                    "equation" => ClassSection::Equations,
                    "algorithm" => ClassSection::Statements,
                    _ => ClassSection::Declarations,
                };
                if let Some((Open::Class { part, .. }, _)) = self.open.last_mut() {
                    *part = now;
                }
            }
            "class" | "model" | "record" | "block" | "connector" | "type" | "package" | "function" | "operator" if !self.in_bracket() => {
                self.class = Some((token, None));
            }
            _ => {}
        }
        Ok(())
    }
}

/// Walks the whole text; gives the places of the comments, in order.
pub(crate) fn scan(text: &str) -> Result<Vec<Span>, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut strays = 0;
    let mut nesting = Nesting::default();
    let mut empty = true;
    // The first string that runs over a line end after a semicolon: the likely place of a missing quote.
    let mut suspect = None;
    let mut tokens = Tokens::new(text);
    for next in tokens.by_ref() {
        empty = false;
        let token = match next {
            Ok(token) => token,
            Err(Fault::Stray(span)) => {
                strays += 1;
                if strays <= MOST_STRAYS {
                    errors.push(stray(span, text));
                }
                continue;
            }
            Err(fault) => {
                errors.push(open_ended(&fault, suspect));
                break;
            }
        };
        if token.kind == Kind::Text
            && suspect.is_none()
            && let Some((first_line, _)) = token.text.split_once('\n')
            && first_line.trim_end().ends_with(';')
        {
            suspect = Some(Span { end: token.span.start + first_line.len() as u32, ..token.span });
        }
        if let Err(misfit) = nesting.take(token) {
            errors.push(misfit_message(&misfit, token));
            break;
        }
    }
    if errors.is_empty()
        && let Some((Open::Bracket, open)) = nesting.innermost()
    {
        errors.push(never_closed(*open));
    }
    if empty {
        let message = Diagnostic::error("P008", "the file is empty").with_hint("a model is written `model M ... end M;`");
        errors.push(if text.is_empty() { message } else { message.at(Span::new(text.len(), text.len()), "there is no class in it") });
    }
    if errors.is_empty() { Ok(tokens.comments) } else { Err(errors) }
}

fn open_ended(fault: &Fault, suspect: Option<Span>) -> Diagnostic {
    match fault {
        Fault::OpenComment(span) => Diagnostic::error("P007", "this comment never ends")
            .at(*span, "begins here")
            .with_hint("a comment that begins with `/*` ends with `*/`"),
        Fault::OpenQuote(span) => Diagnostic::error("P007", "this quoted identifier does not end on its line")
            .at(*span, "begins here")
            .with_hint("a quoted identifier ends with `'`; a quote inside it is written `\\'`"),
        Fault::OpenString(span) | Fault::Stray(span) => {
            let message = Diagnostic::error("P007", "this string never ends");
            let message = match suspect {
                Some(likely) => {
                    message.at(likely, "a closing `\"` is probably missing here").at(*span, "the last string of the file begins here")
                }
                None => message.at(*span, "begins here"),
            };
            message.with_hint("a string ends with `\"`; a quote inside it is written `\\\"`")
        }
    }
}

/// What OpenModelica exports where an expression should be that it did not find.
const EMPTY: &str = "#EMPTY#";

fn stray(span: Span, text: &str) -> Diagnostic {
    let what = span.text(text);
    if what == EMPTY {
        return Diagnostic::error("P009", "`#EMPTY#` stands for an expression that the exporting tool did not find")
            .at(span, "nothing is known about this value")
            .with_hint("give the parameter or input a value in the model and export it again");
    }
    let hint = match what {
        "!" => Some("the opposite of a condition is written `not`"),
        "&&" | "&" => Some("two conditions are joined with `and`"),
        "||" | "|" => Some("two conditions are joined with `or`"),
        "%" => Some("the remainder of a division is written `mod(a, b)`"),
        "#" => Some("a comment begins with `//`"),
        "“" | "”" | "„" => Some("a string is written between straight quotes"),
        "‘" | "’" | "`" => Some("an identifier is quoted with straight quotes"),
        "−" | "–" => Some("minus is written `-`"),
        "×" | "·" => Some("times is written `*`"),
        "≤" => Some("write `<=`"),
        "≥" => Some("write `>=`"),
        "≠" => Some("write `<>`"),
        _ if what.chars().all(char::is_alphabetic) => Some("names have ASCII letters only; a name with others is quoted: 'Ä'"),
        _ => None,
    };
    let hint = if what == "!" && text[span.end as usize..].starts_with('=') { Some("unequal is written `<>`") } else { hint };
    let shown: String = what.chars().take(20).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    let title = if what.chars().count() == 1 {
        format!("the character `{shown}` has no meaning here")
    } else {
        format!("the characters `{shown}` have no meaning here")
    };
    Diagnostic { hint: hint.map(str::to_owned), ..Diagnostic::error("P009", title).at(span, "") }
}

fn misfit_message(misfit: &Misfit, token: Token) -> Diagnostic {
    match misfit {
        Misfit::NotOpened => Diagnostic::error("P002", format!("`{}` closes nothing", token.text))
            .at(token.span, format!("no `{}` is open here", opening(token.text))),
        Misfit::NotClosed { open } if token.is_any(&[")", "]", "}"]) => {
            Diagnostic::error("P002", format!("`{}` is closed by `{}`", open.text, token.text))
                .at(token.span, format!("`{}` is expected", closing(open.text)))
                .at(open.span, "opened here")
        }
        Misfit::NotClosed { open } => never_closed(*open).at(token.span, format!("`{}` is missing before this", closing(open.text))),
        Misfit::TooDeep => Diagnostic::error("P005", format!("nesting is deeper than {LIMIT} levels"))
            .at(token.span, "this is one level too many")
            .with_hint("give inner parts names of their own"),
    }
}

fn never_closed(open: Token) -> Diagnostic {
    Diagnostic::error("P002", format!("`{}` is never closed", open.text)).at(open.span, "opened here")
}

fn closing(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

fn opening(close: &str) -> &'static str {
    match close {
        ")" => "(",
        "]" => "[",
        _ => "{",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_code(text: &str) -> &'static str {
        scan(text).err().and_then(|e| e.first().map(|d| d.code)).unwrap_or("none")
    }

    #[test]
    fn tokens_follow_the_longest_match() {
        let all: Vec<_> = Tokens::new("a.b[1] .* 1.5e-3 <> 'x\\'y' := /* c */ \"s\\\"t\" $i5 2e").map(|t| t.map(|t| t.text)).collect();
        let expected = ["a", ".", "b", "[", "1", "]", ".*", "1.5e-3", "<>", "'x\\'y'", ":=", "\"s\\\"t\"", "$i5", "2", "e"];
        assert_eq!(all, expected.map(Ok));
    }

    #[test]
    fn what_never_ends_is_found() {
        assert_eq!(first_code("model A /* x"), "P007");
        assert_eq!(first_code("model A \"x"), "P007");
        assert_eq!(first_code("model A \"x\\"), "P007");
        assert_eq!(first_code("model 'A\n end"), "P007");
        assert_eq!(first_code("  // only a comment\n"), "P008");
    }

    #[test]
    fn brackets_are_matched_across_statements() {
        assert_eq!(first_code("x = (1 + 2;"), "P002");
        assert_eq!(first_code("x = (1 + 2];"), "P002");
        assert_eq!(first_code("x = 1 + 2);"), "P002");
        assert_eq!(first_code("x = [1, 2; 3, 4];"), "none");
    }

    #[test]
    fn depth_counts_what_the_parser_recurses_into() {
        let parentheses = |n: usize| format!("x = {}1{};", "(".repeat(n), ")".repeat(n));
        assert_eq!(first_code(&parentheses(LIMIT - 1)), "none");
        assert_eq!(first_code(&parentheses(LIMIT + 1)), "P005");
        let chain = |n: usize| format!("x = {} 0;", "if a then 1 else ".repeat(n));
        assert_eq!(first_code(&chain(LIMIT - 1)), "none");
        assert_eq!(first_code(&chain(LIMIT + 1)), "P005");
        // One after the other is not deep.
        assert_eq!(first_code(&"x = if a then (1) else (2); if a then x = 1; end if; ".repeat(LIMIT)), "none");
        assert_eq!(first_code(&"model A Real x; end A; type T = Real; ".repeat(LIMIT)), "none");
        assert_eq!(first_code(&format!("x = {}0{};", "{if a then 1 else ".repeat(LIMIT / 2 + 1), "}".repeat(LIMIT / 2 + 1))), "P005");
    }
}
