//! What Partita makes of a flattening test.
//!
//! In: a test. Out: a [`Verdict`]. Both flat texts are read by Partita and lowered to scalar systems, so that differences by choice
//! (order, quoting, `final` and `protected`, constants that are evaluated, arrays as one or as many) are none; then variables,
//! attributes and canonical equations are compared. Cost: that of flattening twice.

use super::canonical::{Canonical, canonical};
use super::case::{Case, Expected};
use super::numbers::same_numbers;
use crate::levels::{self, Outcome, declarations, libraries, side};
use partita::frontend::flat::FlatModel;
use partita::pipeline;
use partita_grammar::{Diagnostic, Source};
use std::collections::BTreeMap;
use std::path::Path;

/// What Partita makes of a test.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The flat model is the expected one.
    Agrees,
    /// It is another one: what differs first, and an example.
    Differs(&'static str, String),
    /// It was refused, with these messages.
    NotFlattened(Vec<Diagnostic>),
    /// It was refused, as expected.
    Refused(Vec<Diagnostic>),
    /// It should have been refused.
    Accepted,
    /// What is expected could not be read.
    Unread(String),
    /// The class is none that can be simulated.
    NoModel,
}

/// What Partita makes of a test.
pub fn judge(case: &Case, library: Option<&Path>) -> Verdict {
    let source = Source { name: "test.mo".to_owned(), text: case.text.clone() };
    let class = Some(case.class.as_str()).filter(|class| !class.is_empty());
    let made = pipeline::flat_with(&source, &libraries(library, None), class);
    let is_no_model = |messages: &[Diagnostic]| messages.iter().any(|m| m.code == "N001" && m.title.contains("cannot be simulated"));
    match (made, &case.expected) {
        (Err(messages), _) if is_no_model(&messages) => Verdict::NoModel,
        // Some rules are those of scalar equations.
        (Ok(ours), Expected::Refused) => side(ours).map_or_else(Verdict::Refused, |_| Verdict::Accepted),
        (Err(messages), Expected::Refused) => Verdict::Refused(messages),
        (Err(messages), _) => Verdict::NotFlattened(messages),
        (Ok(ours), Expected::Flat(text) | Expected::Joined(text)) => {
            let other = Source { name: "expected.mo".to_owned(), text: text.clone() };
            let unread = |messages: Vec<Diagnostic>| Verdict::Unread(first(&messages));
            let other = match levels::from_text(&other).map_err(unread).and_then(|flat| side(flat).map_err(unread)) {
                Ok(other) => other,
                Err(verdict) => return verdict,
            };
            let mut ours = match side(ours) {
                Ok(ours) => ours,
                Err(messages) => return Verdict::NotFlattened(messages),
            };
            let mut other = other;
            if matches!(case.expected, Expected::Joined(_)) {
                [&mut ours, &mut other].into_iter().for_each(|side| side.rename(joined));
            }
            if let (Outcome::Different(what, _), _) = declarations(&ours, &other) {
                return Verdict::Differs("variables", what.join("; "));
            }
            if let (_, Outcome::Different(what, _)) = declarations(&ours, &other) {
                return Verdict::Differs("attributes", what.join("; "));
            }
            match equations(&canonical(&ours.system), &canonical(&other.system)) {
                // What is written in another way may still be the same.
                Verdict::Differs(..) if same_numbers(&ours.system, &other.system) => Verdict::Agrees,
                verdict => verdict,
            }
        }
    }
}

/// Whether two flat models have the same equations; the error says what differs.
pub fn same_equations(ours: FlatModel, other: FlatModel) -> Result<(), String> {
    let sides = side(ours).and_then(|ours| Ok((ours, side(other)?)));
    let (ours, other) = sides.map_err(|messages| first(&messages))?;
    match equations(&canonical(&ours.system), &canonical(&other.system)) {
        Verdict::Differs(what, example) if !same_numbers(&ours.system, &other.system) => Err(format!("other {what}: {example}")),
        _ => Ok(()),
    }
}

/// Code and title of the first message.
pub fn first(messages: &[Diagnostic]) -> String {
    messages.first().map_or(String::new(), |m| format!("{} {}", m.code, m.title))
}

fn equations(ours: &Canonical, other: &Canonical) -> Verdict {
    if ours.aliases != other.aliases {
        let list =
            |a: &Canonical, b: &Canonical| a.aliases.difference(&b.aliases).map(|set| format!("{set:?}")).collect::<Vec<_>>().join(" ");
        return Verdict::Differs("equal variables", format!("ours {} expected {}", list(ours, other), list(other, ours)));
    }
    for (what, a, b) in [
        ("equations", &ours.equations, &other.equations),
        ("initial equations", &ours.initial, &other.initial),
        ("actions", &ours.actions, &other.actions),
    ] {
        if a != b {
            return Verdict::Differs(what, format!("ours {} expected {}", only(a, b), only(b, a)));
        }
    }
    Verdict::Agrees
}

/// What is in the first and not as often in the second.
fn only(a: &BTreeMap<String, usize>, b: &BTreeMap<String, usize>) -> String {
    let more = |(text, n): (&String, &usize)| (b.get(text).copied().unwrap_or(0) < *n).then(|| text.clone());
    format!("[{}]", a.iter().filter_map(more).collect::<Vec<_>>().join(", "))
}

/// All subscripts of a name behind it: `a[1].b[2].c` is `a.b.c[1,2]`.
fn joined(name: &str) -> String {
    let (mut base, mut subscripts) = (String::new(), Vec::new());
    let mut rest = name;
    while let Some(open) = rest.find('[') {
        base.push_str(&rest[..open]);
        let Some(length) = rest[open..].find(']') else { break };
        subscripts.push(&rest[open + 1..open + length]);
        rest = &rest[open + length + 1..];
    }
    base.push_str(rest);
    if subscripts.is_empty() { base } else { format!("{base}[{}]", subscripts.join(",")) }
}
