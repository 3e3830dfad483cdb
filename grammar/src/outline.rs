//! Finds the classes of a file without parsing it.
//!
//! Input: the text of a file. Output: its classes with names, kinds, prefixes and byte ranges, and the classes inside them.
//! Method: one walk over the tokens. A class begins where an element may begin (behind a semicolon or a section's head)
//! with the words of a class; it ends with the semicolon of a short definition or behind its own `end`. What stands in
//! brackets is passed over. Graphics and documentation in annotations are noted, for nothing that follows reads them.
//! Guarantee: the text of a class as `class_text` gives it parses to the class without its inner classes.
//! Cost: linear in the text.

use crate::ast::{ClassKind, ClassPrefixes};
use crate::diagnostic::Diagnostic;
use crate::scan::{Kind, Token, Tokens};
use crate::span::Span;

/// The classes of a file.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// The name after `within`, with its dots; empty if there is none.
    pub within: String,
    /// In order of the text.
    pub classes: Vec<ClassOutline>,
}

/// One class and what is inside.
#[derive(Clone, Debug)]
pub struct ClassOutline {
    /// As it is written, quotes included.
    pub name: String,
    /// Where its name stands.
    pub name_span: Span,
    /// Which keyword.
    pub kind: ClassKind,
    /// Words before it.
    pub prefixes: ClassPrefixes,
    /// `class extends X`.
    pub extends_inherited: bool,
    /// From its first word that a stored class may have to its last.
    pub span: Span,
    /// From the first prefix to the semicolon.
    pub element: Span,
    /// The name behind `constrainedby`, with what modifies it.
    pub constraint: Option<Span>,
    /// The classes in it.
    pub classes: Vec<ClassOutline>,
    /// Insides of annotations that say how things look.
    opaque: Vec<Span>,
}

/// Annotations whose arguments are read.
const READ: &[&str] = &[
    "Evaluate",
    "HideResult",
    "experiment",
    "derivative",
    "inverse",
    "Inline",
    "LateInline",
    "InlineAfterIndexReduction",
    "GenerateEvents",
    "smoothOrder",
    "missingInnerMessage",
    "uses",
    "Library",
    "Include",
    "Dialog",
    "IncludeDirectory",
    "LibraryDirectory",
];

/// The outline of a text.
pub fn outline(text: &str) -> Result<Outline, Vec<Diagnostic>> {
    let tokens: Result<Vec<Token>, _> = Tokens::new(text).collect();
    let Ok(tokens) = tokens else {
        // The scan of the parser words what is wrong.
        return Err(crate::scan::scan(text).err().unwrap_or_else(|| vec![Diagnostic::error("P001", "unexpected text")]));
    };
    let mut walk = Walk { tokens, at: 0, open: Vec::new() };
    let mut found = Outline::default();
    walk.within(&mut found);
    while walk.at < walk.tokens.len() {
        match walk.class_head() {
            Some(class) => {
                walk.class(class);
                found.classes.extend(walk.open.pop());
            }
            // Stray text between classes is the parser's to refuse.
            None => walk.at += 1,
        }
    }
    Ok(found)
}

/// The text of one class with its inner classes and the looks of things blanked out. Places count from the class's span.
pub fn class_text(text: &str, class: &ClassOutline) -> String {
    let start = class.span.start as usize;
    let mut bytes = class.span.text(text).as_bytes().to_vec();
    let inner = class.classes.iter().map(|inner| inner.element);
    for span in class.opaque.iter().copied().chain(inner) {
        let range = (span.start as usize).saturating_sub(start)..(span.end as usize).saturating_sub(start).min(bytes.len());
        if let Some(blank) = bytes.get_mut(range) {
            blank.fill(b' ');
        }
    }
    // Whole tokens were blanked, so this is text; a short class needs its semicolon.
    let mut text = String::from_utf8(bytes).unwrap_or_default();
    text.push(';');
    text
}

struct Walk<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
    open: Vec<ClassOutline>,
}

impl<'t> Walk<'t> {
    fn token(&self, ahead: usize) -> Option<&Token<'t>> {
        self.tokens.get(self.at + ahead)
    }

    fn is(&self, ahead: usize, word: &str) -> bool {
        self.token(ahead).is_some_and(|t| t.is(word))
    }

    fn within(&mut self, found: &mut Outline) {
        if !self.is(0, "within") {
            return;
        }
        self.at += 1;
        while let Some(token) = self.token(0).copied() {
            self.at += 1;
            if token.is(";") {
                break;
            }
            found.within.push_str(token.text);
        }
    }

    /// Whether a class begins here; if so its name is passed.
    fn class_head(&mut self) -> Option<ClassOutline> {
        let first = self.token(0)?.span;
        let mut prefixes = ClassPrefixes::default();
        let mut ahead = 0;
        let mut core = None;
        loop {
            let token = self.token(ahead)?;
            if token.kind != Kind::Keyword {
                return None;
            }
            match token.text {
                "final" => prefixes.final_ = true,
                "redeclare" => prefixes.redeclare = true,
                "replaceable" => prefixes.replaceable = true,
                "inner" => prefixes.inner = true,
                "outer" => prefixes.outer = true,
                "encapsulated" => prefixes.encapsulated = true,
                "partial" => prefixes.partial = true,
                "pure" => prefixes.pure_ = true,
                "impure" => prefixes.impure = true,
                _ => break,
            }
            if matches!(token.text, "encapsulated" | "partial" | "pure" | "impure") {
                core = core.or(Some(token.span.start));
            }
            ahead += 1;
        }
        let word = self.token(ahead)?;
        let start = core.unwrap_or(word.span.start);
        let (kind, words) = match word.text {
            "class" => (ClassKind::Class, 1),
            "model" => (ClassKind::Model, 1),
            "record" => (ClassKind::Record, 1),
            "block" => (ClassKind::Block, 1),
            "connector" => (ClassKind::Connector, 1),
            "type" => (ClassKind::Type, 1),
            "package" => (ClassKind::Package, 1),
            "function" => (ClassKind::Function, 1),
            "expandable" if self.is(ahead + 1, "connector") => (ClassKind::ExpandableConnector, 2),
            "operator" if self.is(ahead + 1, "record") => (ClassKind::OperatorRecord, 2),
            "operator" if self.is(ahead + 1, "function") => (ClassKind::OperatorFunction, 2),
            "operator" => (ClassKind::Operator, 1),
            _ => return None,
        };
        let extends_inherited = self.is(ahead + words, "extends");
        let name = *self.token(ahead + words + usize::from(extends_inherited))?;
        if name.kind != Kind::Name {
            return None;
        }
        self.at += ahead + words + usize::from(extends_inherited) + 1;
        let span = Span { start, end: name.span.end };
        Some(ClassOutline {
            name: name.text.to_owned(),
            name_span: name.span,
            kind,
            prefixes,
            extends_inherited,
            span,
            element: first.to(span),
            constraint: None,
            classes: Vec::new(),
            opaque: Vec::new(),
        })
    }

    /// Walks to the end of a class, with all classes inside, and leaves it on top of the open ones.
    fn class(&mut self, head: ClassOutline) {
        let bottom = self.open.len();
        self.open.push(head);
        // The class at `bottom` stays open on the stack when it is complete.
        let mut complete = self.short();
        while !complete || self.open.len() > bottom + 1 {
            if complete {
                self.fold();
                complete = false;
                continue;
            }
            complete = self.body();
        }
    }

    /// Puts the innermost open class into the one around it.
    fn fold(&mut self) {
        if let (Some(inner), Some(outer)) = (self.open.pop(), self.open.last_mut()) {
            outer.classes.push(inner);
        }
    }

    /// Passes a short definition, if this is one.
    fn short(&mut self) -> bool {
        if !self.is(0, "=") {
            return false;
        }
        self.skip_to_semicolon();
        true
    }

    /// Walks to the semicolon of the innermost class, which ends it.
    fn skip_to_semicolon(&mut self) {
        let mut end = self.open.last().map_or(0, |class| class.span.end);
        let mut constraint: Option<Span> = None;
        while let Some(token) = self.token(0).copied() {
            if token.is(";") {
                self.at += 1;
                self.finish(end, token.span.end, constraint);
                return;
            }
            if token.is("constrainedby") {
                constraint = Some(Span { start: token.span.end, end: token.span.end });
            }
            if token.is("annotation") {
                self.annotation();
            } else {
                self.pass();
            }
            match &mut constraint {
                Some(span) => span.end = self.before(),
                None => end = self.before(),
            }
        }
        self.finish(end, end, constraint);
    }

    fn finish(&mut self, end: u32, element: u32, constraint: Option<Span>) {
        if let Some(class) = self.open.last_mut() {
            class.span.end = end;
            class.element.end = element;
            class.constraint = constraint;
        }
    }

    /// The end of the token that was passed last.
    fn before(&self) -> u32 {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(0, |t| t.span.end)
    }

    /// Passes one token, or brackets with all that is in them.
    fn pass(&mut self) {
        let mut depth = 0_usize;
        while let Some(token) = self.token(0).copied() {
            if token.is("annotation") {
                self.annotation();
            } else {
                self.at += 1;
                match token.text {
                    "(" | "[" | "{" if token.kind == Kind::Symbol => depth += 1,
                    ")" | "]" | "}" if token.kind == Kind::Symbol => depth = depth.saturating_sub(1),
                    _ => {}
                }
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Passes `annotation(...)`, and notes what is opaque in it.
    fn annotation(&mut self) {
        self.at += 1;
        if !self.is(0, "(") {
            return;
        }
        self.at += 1;
        while let Some(token) = self.token(0).copied() {
            if token.is(")") {
                self.at += 1;
                return;
            }
            let opaque = token.kind == Kind::Name && self.is(1, "(") && !READ.contains(&token.text);
            self.at += usize::from(opaque);
            let from = self.token(0).map_or(0, |t| t.span.end);
            self.pass();
            let to = self.before().saturating_sub(1);
            if let (true, Some(class)) = (opaque && to > from, self.open.last_mut()) {
                class.opaque.push(Span { start: from, end: to });
            }
        }
    }

    /// Walks through the body of the innermost class until it ends or an inner class has been passed.
    fn body(&mut self) -> bool {
        let mut may_begin = true;
        while let Some(token) = self.token(0).copied() {
            if may_begin && let Some(head) = self.class_head() {
                self.open.push(head);
                if self.short() {
                    self.fold();
                    continue;
                }
                return false;
            }
            may_begin = token.is_any(&[";", "public", "protected"]) || token.kind == Kind::Text;
            if token.is("annotation") {
                self.annotation();
            } else if token.is("end") && self.token(1).is_some_and(|t| t.kind == Kind::Name) {
                self.at += 2;
                let end = self.before();
                self.skip_to_semicolon();
                if let Some(class) = self.open.last_mut() {
                    class.span.end = end;
                }
                return true;
            } else {
                self.pass();
            }
        }
        // The text ends before the class does: the parser says so.
        let end = self.before();
        self.finish(end, end, None);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_class;

    fn names(classes: &[ClassOutline]) -> String {
        classes.iter().map(|c| format!("{}({})", c.name, names(&c.classes))).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn classes_are_found_with_their_ranges() {
        let text = "within A.B;\nencapsulated package P \"a; end P;\" + \"b\"\n  import X;\n  type T = Real(min = 0) \"t\" annotation(Icon(a = {1}));\n  \
                    replaceable model M = N constrainedby K(x = 1) annotation(choices());\n  class extends Q(a = 1) \"q\" Real x; end Q;\n  \
                    model E \"text\" record R Real a; end R; Real y[2];\n  equation if y[end] > 1 then y = 2; end if; for i in 1:2 loop y = 1; end for;\n  \
                    annotation(Documentation(info = \"end E; model Z\"), experiment(StopTime = 2)); end E;\n  function f input Real x; algorithm x := 1; end f;\n\
                    end P;\n";
        let found = outline(text).unwrap_or_default();
        assert_eq!(found.within, "A.B");
        assert_eq!(names(&found.classes), "P(T() M() Q() E(R()) f())");
        let p = &found.classes[0];
        assert!(p.prefixes.encapsulated && p.classes[1].prefixes.replaceable && p.classes[2].extends_inherited);
        assert_eq!(p.classes[1].span.text(text), "model M = N");
        assert_eq!(p.classes[1].constraint.map(|s| s.text(text).trim().to_owned()).as_deref(), Some("K(x = 1) annotation(choices())"));
        let e = class_text(text, &p.classes[3]);
        assert!(e.contains("StopTime") && !e.contains("model Z") && !e.contains("record R"), "{e}");
        for class in p.classes.iter().chain([p]) {
            let parsed = parse_class(class_text(text, class), class.span.start);
            let parsed = parsed.unwrap_or_else(|e| panic!("{}: {:?}", class_text(text, class), e));
            assert_eq!(parsed.name.span, class.name_span);
        }
    }

    #[test]
    fn any_text_is_walked() {
        for text in [
            "",
            "model",
            "model M",
            "model M Real x; end",
            "model M = ",
            "package P model M end P;",
            "end end;",
            "annotation(",
            "x (",
            "within",
        ] {
            let _ = outline(text);
        }
    }
}
