//! Words the error at the place where the grammar stopped.
//!
//! Input: the text and the byte at which no rule could go on. Output: one message in Modelica's terms, at the place where
//! a person would mend the text.
//!
//! Method: the tokens up to that byte are walked again with the stack of open things of `scan`; then the neighbouring tokens,
//! what is open and which section it is in decide, from the most specific case to the most general.
//! Cost: linear in the text, once per failed parse.

use crate::diagnostic::Diagnostic;
use crate::scan::{ClassSection, Kind, Nesting, Open, Token, Tokens};
use crate::span::Span;

/// The surroundings of the place.
struct Surroundings<'t> {
    text: &'t str,
    nesting: Nesting<'t>,
    /// The tokens before the place, the nearest last.
    before: [Option<Token<'t>>; 3],
    /// The tokens from the place on.
    here: Option<Token<'t>>,
    next: Option<Token<'t>>,
    /// The first token behind `end` and the name or word after it, if the place is at an `end`; `None` at the end of the file.
    behind_end: Option<Token<'t>>,
    /// The last token of that name or word.
    end_word: Option<Token<'t>>,
}

/// Words that begin something new inside a class.
const ITEM_STARTS: &[&str] = &[
    "algorithm",
    "annotation",
    "block",
    "class",
    "connect",
    "connector",
    "constant",
    "der",
    "discrete",
    "encapsulated",
    "end",
    "equation",
    "expandable",
    "extends",
    "external",
    "final",
    "flow",
    "for",
    "function",
    "if",
    "import",
    "impure",
    "initial",
    "inner",
    "input",
    "model",
    "operator",
    "outer",
    "output",
    "package",
    "parameter",
    "partial",
    "protected",
    "public",
    "pure",
    "record",
    "redeclare",
    "replaceable",
    "return",
    "break",
    "stream",
    "type",
    "when",
    "while",
    "else",
    "elseif",
    "elsewhen",
];

const OPERATORS: &[&str] =
    &["+", "-", "*", "/", "^", ".+", ".-", ".*", "./", ".^", "<", "<=", ">", ">=", "==", "<>", "and", "or", "not", ":", "=", ":="];

const STRUCTURES: &[&str] = &["if", "for", "while", "when"];

/// The message for a text that the grammar could read up to byte `stop`.
pub(crate) fn diagnose(text: &str, stop: usize) -> Diagnostic {
    let mut place =
        Surroundings { text, nesting: Nesting::default(), before: [None; 3], here: None, next: None, behind_end: None, end_word: None };
    let mut tokens = Tokens::new(text).flatten();
    for token in tokens.by_ref() {
        if (token.span.end as usize) > stop {
            place.here = Some(token);
            break;
        }
        place.before = [place.before[1], place.before[2], Some(token)];
        // `scan` has accepted the whole text, so nothing can misfit here.
        let _ = place.nesting.take(token);
    }
    place.next = tokens.next();
    place.end_word = place.next;
    for token in tokens {
        if !(token.is(".") || place.end_word.is_some_and(|t| t.is("."))) {
            place.behind_end = Some(token);
            break;
        }
        place.end_word = Some(token);
    }
    place.message()
}

/// An empty range behind a token: where something is missing.
fn behind(token: Token) -> Span {
    Span { start: token.span.end, end: token.span.end }
}

/// Can an expression, a declaration or a statement end with this token?
fn ends_item(token: Token) -> bool {
    match token.kind {
        Kind::Name | Kind::Number | Kind::Text => true,
        Kind::Symbol => matches!(token.text, ")" | "]" | "}"),
        Kind::Keyword => matches!(token.text, "true" | "false" | "end" | "if" | "for" | "while" | "when" | "break" | "return"),
    }
}

impl<'t> Surroundings<'t> {
    fn message(&self) -> Diagnostic {
        let Some(here) = self.here else {
            return self.at_end_of_file();
        };
        let prev = self.before[2];
        self.outside_of_classes(here)
            .or_else(|| self.name_with_digit(here, prev))
            .or_else(|| self.reserved_word(here, prev))
            .or_else(|| self.wrong_equals(here))
            .or_else(|| self.missing_operand(here, prev))
            .or_else(|| self.incomplete_if(here, prev))
            .or_else(|| self.wrong_end(here))
            .or_else(|| self.wrong_section(here, prev))
            .or_else(|| self.missing_separator(here, prev))
            .unwrap_or_else(|| self.not_expected(here, prev))
    }

    fn in_bracket(&self) -> bool {
        matches!(self.nesting.innermost(), Some((Open::Bracket, _)))
    }

    fn same_line(&self, a: Token, b: Token) -> bool {
        !self.text.get(a.span.end as usize..b.span.start as usize).unwrap_or("").contains('\n')
    }

    /// How the thing that the innermost `end` must close is written.
    fn expected_end(&self) -> Option<(String, Token<'t>)> {
        let (open, token) = self.nesting.innermost()?;
        match open {
            Open::Class { name, .. } => {
                let name = name.unwrap_or(*token);
                // A dotted name goes on behind its first part.
                let length = self.text[name.span.start as usize..]
                    .find(|c: char| c.is_whitespace() || matches!(c, '"' | ';' | '(' | '/'))
                    .filter(|_| !name.text.starts_with('\''));
                let full = length
                    .map_or(name.text, |n| self.text.get(name.span.start as usize..name.span.start as usize + n).unwrap_or(name.text));
                Some((format!("end {full};"), *token))
            }
            Open::Structure { .. } => Some((format!("end {};", token.text), *token)),
            Open::Bracket | Open::IfExpression { .. } => None,
        }
    }

    /// A class that was closed with the name of another: most likely its own `end` is missing.
    fn misnamed(&self) -> Option<Diagnostic> {
        let [keyword, name, end] = self.nesting.misnamed?;
        Some(
            Diagnostic::error("P004", format!("`{}` ends with the name `{}`", name.text, end.text))
                .at(end.span, format!("`end {};` is expected first", name.text))
                .at(keyword.span.to(name.span), "the class begins here"),
        )
    }

    fn at_end_of_file(&self) -> Diagnostic {
        if let Some(message) = self.misnamed() {
            return message;
        }
        let end = self.before[2].map_or(Span::new(self.text.len(), self.text.len()), behind);
        match self.expected_end() {
            Some((missing, opened)) => Diagnostic::error("P023", format!("`{missing}` is missing"))
                .at(end, "the file ends here")
                .at(opened.span, format!("this `{}` is still open", opened.text)),
            None => missing_semicolon(end),
        }
    }

    fn outside_of_classes(&self, here: Token) -> Option<Diagnostic> {
        if !self.nesting.open.is_empty() {
            return None;
        }
        match self.before[2] {
            // Behind `end X` only the semicolon can be missing.
            Some(prev) if self.before[1].is_some_and(|p| p.is("end") || p.is(".")) && ends_item(prev) && !here.is(";") => {
                Some(missing_semicolon(behind(prev)))
            }
            None => Some(class_expected(here)),
            Some(prev) if prev.is(";") => self.misnamed().or_else(|| Some(class_expected(here))),
            Some(_) => None,
        }
    }

    fn name_with_digit(&self, here: Token, prev: Option<Token>) -> Option<Diagnostic> {
        let glued =
            |a: Token, b: Token| a.kind == Kind::Number && a.span.end == b.span.start && matches!(b.kind, Kind::Name | Kind::Keyword);
        let whole = match (prev, self.next) {
            (Some(prev), _) if glued(prev, here) => prev.span.to(here.span),
            (_, Some(next)) if glued(here, next) => here.span.to(next.span),
            _ => return None,
        };
        Some(
            Diagnostic::error("P024", format!("`{}` is neither a number nor a name", whole.text(self.text)))
                .at(whole, "a name begins with a letter")
                .with_hint("if it is a product, write `*` in between"),
        )
    }

    /// A keyword where a name belongs.
    fn reserved_word(&self, here: Token, prev: Option<Token>) -> Option<Diagnostic> {
        if here.kind != Kind::Keyword {
            return None;
        }
        let next = self.next?;
        let after_type = prev.is_some_and(|p| p.kind == Kind::Name || p.is_any(&[",", "]"]));
        let after_class =
            prev.is_some_and(|p| p.is_any(&["model", "class", "record", "block", "connector", "type", "package", "function"]));
        let in_expression = prev.is_some_and(|p| p.is_any(OPERATORS) || p.is_any(&["(", "{", "[", "."]));
        let as_function = matches!(
            here.text,
            "der" | "initial" | "pure" | "connect" | "annotation" | "enumeration" | "if" | "when" | "while" | "for" | "not"
        );
        let looks_like_name = next.is_any(&[";", "=", ":=", ",", ".", "[", ")", "]", "}", "*", "/", "^"])
            || (next.is("(") && !as_function)
            || (after_type && next.kind == Kind::Text)
            || (in_expression && next.is_any(OPERATORS) && !as_function);
        let fits = !matches!(here.text, "true" | "false" | "end") || after_type;
        let ends = here.is("end") && (next.kind == Kind::Name || next.is_any(STRUCTURES));
        if !(after_class || (looks_like_name && fits && !ends))
            || here.is_any(&["return", "break", "equation", "algorithm", "public", "protected"])
        {
            return None;
        }
        Some(
            Diagnostic::error("P006", format!("`{}` is a reserved word and cannot be a name", here.text))
                .at(here.span, "a name is expected here")
                .with_hint(format!("choose another name, or quote it everywhere: '{}'", here.text)),
        )
    }

    fn wrong_equals(&self, here: Token) -> Option<Diagnostic> {
        let (title, hint) = match (here.text, self.nesting.part()) {
            (":=", Some(ClassSection::Equations)) => {
                ("`:=` stands in an equation section", "an equation is written with `=`; assignments belong into an `algorithm` section")
            }
            ("=", Some(ClassSection::Statements)) if !self.in_bracket() && !self.in_condition() => {
                ("`=` stands in an algorithm section", "an assignment is written with `:=`; equations belong into an `equation` section")
            }
            ("==", _) => ("`==` only compares", "a value is given with `=`"),
            ("=", _) if self.in_condition() || self.in_bracket() => ("`=` does not compare", "two values are compared with `==`"),
            _ => return None,
        };
        Some(Diagnostic::error("P025", title).at(here.span, "").with_hint(hint))
    }

    /// Between `if`, `when` or `while` and its `then` or `loop`.
    fn in_condition(&self) -> bool {
        matches!(self.nesting.open.last(), Some((Open::Structure { body_seen: false } | Open::IfExpression { then_seen: false, .. }, _)))
    }

    /// An operator, bracket or comma with nothing behind it.
    fn missing_operand(&self, here: Token, prev: Option<Token>) -> Option<Diagnostic> {
        let prev = prev?;
        const SIGNS: &[&str] = &["+", "-", ".+", ".-", "not"];
        let sign_after = |operator: Option<Token>, sign: Token| {
            operator.filter(|o| o.is_any(OPERATORS) && sign.is_any(SIGNS)).map(|operator| {
                Diagnostic::error("P026", format!("`{}` directly behind `{}` needs parentheses", sign.text, operator.text))
                    .at(sign.span, "")
                    .with_hint(format!("write `{} ({}...)`", operator.text, sign.text))
            })
        };
        // After `a * -` the grammar waits for a number.
        if let Some(message) = sign_after(self.before[1], prev)
            .filter(|_| ends_item(here) || here.is_any(&["(", "[", "{", "der"]))
            .or_else(|| sign_after(Some(prev), here))
        {
            return Some(message);
        }
        let waits = prev.is_any(OPERATORS) || (prev.is_any(&[",", "(", "{", "["]) && !here.is(";"));
        if !waits {
            return None;
        }
        if prev.is_any(OPERATORS) && here.is("if") {
            return Some(
                Diagnostic::error("P026", "`if` inside an expression needs parentheses")
                    .at(here.span, "")
                    .with_hint("write `(if ... then ... else ...)`"),
            );
        }
        if prev.is("*") && here.is("*") && prev.span.end == here.span.start {
            let error = Diagnostic::error("P027", "`**` is no operator").at(prev.span.to(here.span), "");
            return Some(error.with_hint("a power is written with `^`: `x^2`"));
        }
        let closes = here.is_any(&[";", ")", "]", "}", ",", "then", "loop", "else", "elseif", "end", "equation", "algorithm"])
            || here.is_any(OPERATORS);
        closes.then(|| {
            Diagnostic::error("P027", format!("something is missing behind `{}`", prev.text))
                .at(behind(prev), format!("an expression or a name belongs before `{}`", here.text))
        })
    }

    /// `if` without `then` or `else`, a loop without `loop`.
    fn incomplete_if(&self, here: Token, prev: Option<Token>) -> Option<Diagnostic> {
        let prev = prev?;
        let missing = |word: &str, opened: Token| {
            Diagnostic::error("P028", format!("`{word}` is missing"))
                .at(behind(prev), format!("`{word}` belongs here"))
                .at(opened.span, format!("for this `{}`", opened.text))
        };
        match self.nesting.open.last()? {
            (Open::IfExpression { then_seen: true, else_seen: false, .. }, opened)
                if here.is_any(&[";", ")", "]", "}", ",", "end", "annotation"]) || here.kind == Kind::Text =>
            {
                Some(missing("else", *opened).with_hint("an `if` expression always has a value, so it needs `else`"))
            }
            (Open::IfExpression { condition: false, then_seen: false, .. }, opened) if ends_item(prev) && !here.is_any(OPERATORS) => {
                Some(missing("then", *opened))
            }
            (Open::Structure { body_seen: false }, opened) if ends_item(prev) && !here.is_any(OPERATORS) => {
                let word = if opened.is_any(&["for", "while"]) { "loop" } else { "then" };
                let message = missing(word, *opened);
                Some(if here.is_any(&["then", "loop", "do"]) { message.at(here.span, format!("not `{}`", here.text)) } else { message })
            }
            _ => None,
        }
    }

    /// `end` with the wrong word, or in the wrong place.
    fn wrong_end(&self, here: Token) -> Option<Diagnostic> {
        // The grammar may stop at `end` itself or at the word behind it.
        let (end, word) = if here.is("end") { (here, self.next?) } else { (self.before[2].filter(|p| p.is("end"))?, here) };
        let (expected, opened) = if here.is("end") {
            self.expected_end()?
        } else {
            return Some(Diagnostic::error("P023", format!("`end {}` closes nothing here", word.text)).at(end.span.to(word.span), ""));
        };
        let closes_structure = word.is_any(STRUCTURES);
        let wrong = if STRUCTURES.contains(&opened.text) { word.text != opened.text } else { closes_structure };
        if !wrong {
            // The right `end`: then what is missing stands behind it.
            let last = self.end_word.unwrap_or(word);
            return (!self.behind_end.is_some_and(|t| t.is(";"))).then(|| missing_semicolon(behind(last)));
        }
        let message = Diagnostic::error("P023", format!("`{expected}` is missing before `end {}`", word.text))
            .at(end.span.to(word.span), format!("`{expected}` is expected first"))
            .at(opened.span, format!("this `{}` is still open", opened.text));
        let inside = self.text.get(opened.span.start as usize..end.span.start as usize).unwrap_or("");
        let else_if =
            opened.is("if") && inside.split_whitespace().zip(inside.split_whitespace().skip(1)).any(|pair| pair == ("else", "if"));
        Some(if else_if {
            message.with_hint("`else if` opens a second `if` with an `end if` of its own; `elseif` does not")
        } else {
            message
        })
    }

    /// An equation among declarations or a declaration among equations.
    fn wrong_section(&self, here: Token, prev: Option<Token>) -> Option<Diagnostic> {
        if self.in_bracket() {
            return None;
        }
        let part = self.nesting.part()?;
        let begins = |t: Option<Token>| {
            t.is_none_or(|t| {
                t.is(";") || t.is_any(&["equation", "algorithm", "then", "else", "loop", "public", "protected"]) || t.kind == Kind::Text
            })
        };
        match part {
            ClassSection::Declarations
                if here.is_any(&["if", "for", "when", "while", "connect", "der", "("]) && begins(prev)
                    || here.is("=")
                    || here.is(":=")
                    || here.is("(") =>
            {
                let what = if here.is(":=") || here.is("while") { ("assignment", "algorithm") } else { ("equation", "equation") };
                Some(
                    Diagnostic::error("P029", format!("an {} stands among the declarations", what.0))
                        .at(here.span, "")
                        .with_hint(format!("write `{}` before the first one", what.1)),
                )
            }
            ClassSection::Equations if here.is_any(&["while", "return", "break"]) => Some(
                Diagnostic::error("P029", format!("`{}` stands in an equation section", here.text))
                    .at(here.span, "")
                    .with_hint("it belongs into an `algorithm` section"),
            ),
            ClassSection::Statements if here.is("connect") => Some(
                Diagnostic::error("P029", "`connect` stands in an algorithm section")
                    .at(here.span, "")
                    .with_hint("it belongs into an `equation` section"),
            ),
            ClassSection::Equations | ClassSection::Statements
                if (here.is_any(&["parameter", "constant", "discrete", "input", "output", "flow", "final", "inner", "outer"])
                    && begins(prev))
                    || (here.kind == Kind::Name
                        && prev.is_some_and(|p| p.kind == Kind::Name && self.same_line(p, here))
                        && begins(self.before[1])) =>
            {
                Some(
                    Diagnostic::error("P029", "a declaration stands behind the declarations")
                        .at(here.span, "")
                        .with_hint("declarations come before `equation` and `algorithm`, or behind `public` or `protected`"),
                )
            }
            _ => None,
        }
    }

    /// Two things side by side with nothing between them.
    fn missing_separator(&self, here: Token, prev: Option<Token>) -> Option<Diagnostic> {
        let prev = prev.filter(|p| ends_item(*p))?;
        let starts = here.is_any(ITEM_STARTS)
            || matches!(here.kind, Kind::Name | Kind::Number | Kind::Text)
            || here.is_any(&["(", "{", "[", "true", "false"]);
        if !starts {
            return None;
        }
        if self.in_bracket() {
            return Some(
                Diagnostic::error("P001", format!("`{}` cannot follow `{}`", shown(here), shown(prev)))
                    .at(here.span, "")
                    .at(behind(prev), "a comma or an operator is missing here"),
            );
        }
        if here.is_any(ITEM_STARTS) || !self.same_line(prev, here) {
            return Some(missing_semicolon(behind(prev)));
        }
        let names = prev.kind == Kind::Name && here.kind == Kind::Name && self.nesting.part() == Some(ClassSection::Declarations);
        let missing = if names { "a comma or a semicolon" } else { "an operator or a semicolon" };
        Some(
            Diagnostic::error("P001", format!("`{}` cannot follow `{}`", shown(here), shown(prev)))
                .at(here.span, "")
                .at(behind(prev), format!("{missing} is missing here")),
        )
    }

    fn not_expected(&self, here: Token, prev: Option<Token>) -> Diagnostic {
        if here.is(";") && prev.is_some_and(|p| p.is(";")) {
            return Diagnostic::error("P031", "one semicolon too many").at(here.span, "").with_hint("remove it");
        }
        let message = Diagnostic::error("P001", format!("`{}` is not expected here", shown(here))).at(here.span, "");
        match prev {
            Some(prev) => message.at(prev.span, "the text can be read up to here"),
            None => message,
        }
    }
}

fn shown(token: Token) -> String {
    if token.text.len() <= 40 {
        return token.text.to_owned();
    }
    token.text.chars().take(37).chain("...".chars()).collect()
}

fn missing_semicolon(at: Span) -> Diagnostic {
    Diagnostic::error("P003", "a semicolon is missing").at(at, "`;` belongs here")
}

fn class_expected(here: Token) -> Diagnostic {
    Diagnostic::error("P030", "a class definition is expected")
        .at(here.span, format!("`{}` does not begin one", shown(here)))
        .with_hint("a file holds definitions such as `model M ... end M;`")
}
