//! Removes components of a model as long as its outputs stay within an error, and measures that error.
//!
//! Input: a reference run, the flat model with its components, and a ranking. Output: [`Replaced`]: the text of the smaller model with a
//! header, what was done to which component, and the true error of the text as it is. Method: the law of a component is replaced by one
//! equation, so that the system stays square: nothing flows (open), both ends are equal (short), nothing is stored, or the store is held.
//! Where states are lost, as many `fixed` starts and initial equations of that component go. The way with the smaller error is taken,
//! from the least active component on. Guarantee: the printed error is that of a run of the text that is written; what cannot be sorted,
//! started or run without a component keeps it; without a balance of energy nothing is tried. Valid for this run only.
//! Cost: at most [`MOST_RUNS`] runs.

use super::components::Components;
use super::kind::{self, Kind};
use super::rank::{Ranking, Suggestion};
use super::reference::{Error, Reference};
use super::terms::{edited, with_header};
use crate::frontend::flat::FlatModel;
use partita_grammar::ast::{Argument, ClassBody, Definition, Element, Section};
use partita_grammar::{Diagnostic, Source, Span};
use serde::Serialize;

/// Runs of models without components.
pub const MOST_RUNS: usize = 60;
/// Ways to choose starts that go.
const MOST_CHOICES: usize = 24;

/// What takes the place of a component's law.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// Nothing flows.
    Open,
    /// Both ends are equal.
    Short,
    /// Nothing is stored.
    Empty,
    /// What is stored does not change.
    Held,
}

impl Way {
    /// What was done, in words.
    pub fn words(self) -> &'static str {
        match self {
            Way::Open => "open: nothing flows through it",
            Way::Short => "short: its ends are equal",
            Way::Empty => "it stores nothing",
            Way::Held => "it stays as it was at the start",
        }
    }
}

/// A component that is gone.
#[derive(Clone, Debug, Serialize)]
pub struct Gone {
    /// Its path.
    pub component: String,
    /// How.
    pub way: Way,
    /// The equation in the place of its law.
    pub equation: String,
    /// The true error with this component and all before it gone.
    pub error: f64,
    #[serde(skip)]
    edits: Vec<(Span, String)>,
}

/// A smaller model.
#[derive(Clone, Debug)]
pub struct Replaced {
    /// Its text, with a header.
    pub source: Source,
    /// The components that are gone.
    pub gone: Vec<Gone>,
    /// Components that were tried and stay, and why.
    pub kept: Vec<(String, String)>,
    /// Its true error.
    pub error: Error,
    /// Runs that were made.
    pub runs: usize,
}

/// Removes components.
pub struct Replacement<'r, 'a> {
    /// The run of the model as it is.
    pub reference: &'r Reference<'a>,
    /// The model.
    pub model: &'r FlatModel,
    /// Its syntax.
    pub definition: &'r Definition,
    /// Its components.
    pub components: &'r Components,
}

impl Replacement<'_, '_> {
    /// Removes as many of the components that the ranking suggests as the error allows.
    pub fn reduce(&self, ranking: &Ranking, allowed: f64) -> Result<Replaced, Box<Diagnostic>> {
        let kinds = kind::kinds(self.model, self.components);
        let (mut gone, mut kept, mut runs) = (Vec::new(), Vec::new(), 0);
        for row in ranking.components.iter().rev() {
            let Some(component) = row.component else { continue };
            let passes = matches!(row.suggestion, Suggestion::Short(_));
            if !passes && !matches!(row.suggestion, Suggestion::Remove(_)) || runs >= MOST_RUNS {
                continue;
            }
            let mut best: Option<Gone> = None;
            let mut why = "its law cannot be replaced".to_string();
            for (way, law, equation) in self.ways(component, &kinds[component]) {
                // What passes much energy on cannot be cut.
                if passes && way != Way::Short {
                    continue;
                }
                match self.try_way(component, &gone, (law, &equation), &mut runs) {
                    Ok((error, edits)) if error.largest() <= allowed => {
                        let better = best.as_ref().is_none_or(|best| error.largest() < best.error);
                        if better {
                            best = Some(Gone { component: row.name.clone(), way, equation, error: error.largest(), edits });
                        }
                    }
                    Ok((error, _)) => why = format!("{:.3} % of the range without it", 100.0 * error.largest()),
                    Err(message) => why = message.title,
                }
            }
            match best {
                Some(best) => gone.push(best),
                None => kept.push((row.name.clone(), why)),
            }
        }
        self.finish(gone, kept, allowed, runs)
    }

    /// The equations that can take the place of a law.
    fn ways(&self, component: usize, kind: &Kind) -> Vec<(Way, Span, String)> {
        let connectors = &self.components.components[component].connectors;
        let Some((potential, flow)) = connectors.first().and_then(|first| self.components.connectors[*first].domain.pair()) else {
            return Vec::new();
        };
        let member = |connector: usize, member: &str| self.written(&format!("{}.{member}", self.components.connectors[connector].path));
        match *kind {
            Kind::Between { law, ends: [a, b] } => vec![
                (Way::Open, law, format!("{} = 0", member(a, flow))),
                (Way::Short, law, format!("{} = {}", member(a, potential), member(b, potential))),
            ],
            Kind::Store { law } => {
                let flows: Vec<String> = connectors.iter().map(|connector| member(*connector, flow)).collect();
                let held = format!("der({}) = 0", member(connectors[0], potential));
                vec![(Way::Empty, law, format!("{} = 0", flows.join(" + "))), (Way::Held, law, held)]
            }
            Kind::Fixed(_) => Vec::new(),
        }
    }

    /// A name as it stands in the text.
    fn written(&self, name: &str) -> String {
        let quoted = format!("'{name}'");
        if self.reference.options.source.text.contains(&quoted) { quoted } else { name.to_string() }
    }

    /// Runs the model with one more law replaced.
    fn try_way(
        &self,
        component: usize,
        gone: &[Gone],
        (law, equation): (Span, &str),
        runs: &mut usize,
    ) -> Result<(Error, Vec<(Span, String)>), Box<Diagnostic>> {
        let before: Vec<(Span, String)> = gone.iter().flat_map(|gone| gone.edits.iter().cloned()).collect();
        let mut failure = None;
        for starts in self.choices_of_starts(component) {
            let mut edits = vec![(law, equation.to_string())];
            edits.extend(starts);
            let all: Vec<(Span, String)> = before.iter().cloned().chain(edits.iter().cloned()).collect();
            *runs += 1;
            match self.reference.error_of(&self.text(&all, "")) {
                Ok(error) => return Ok((error, edits)),
                Err(message) => failure = failure.or(Some(message)),
            }
            if *runs >= MOST_RUNS {
                break;
            }
        }
        Err(failure.unwrap_or_else(|| Box::new(Diagnostic::error("C106", "no way to start the model without it"))))
    }

    /// Which starts of a component go: none, one of them, two of them.
    fn choices_of_starts(&self, component: usize) -> Vec<Vec<(Span, String)>> {
        let starts = self.starts(&self.components.components[component].path);
        let mut choices = vec![Vec::new()];
        choices.extend(starts.iter().map(|one| vec![one.clone()]));
        for (at, one) in starts.iter().enumerate() {
            choices.extend(starts[at + 1..].iter().map(|other| vec![one.clone(), other.clone()]));
        }
        choices.truncate(MOST_CHOICES);
        choices
    }

    /// Edits that take back a fixed start or an initial equation of a component.
    fn starts(&self, path: &str) -> Vec<(Span, String)> {
        let text = &self.reference.options.source.text;
        let belongs = |span: Span| {
            let written = span.text(text);
            written.contains(&format!("'{path}.")) || written.contains(&format!("{path}."))
        };
        let mut found = Vec::new();
        for class in &self.definition.classes {
            let ClassBody::Long(body) = &class.body else { continue };
            for section in &body.sections {
                match section {
                    Section::Equations { initial: true, equations } => {
                        let own = equations.iter().map(|equation| equation.span).filter(|span| belongs(*span));
                        found.extend(own.map(|span| (with_semicolon(span, text), String::new())));
                    }
                    Section::Elements { elements, .. } => {
                        let components = elements.iter().flat_map(|element| match element {
                            Element::Components(clause) => clause.components.as_slice(),
                            _ => &[],
                        });
                        for declared in components.filter(|declared| belongs(declared.span)) {
                            found.extend(declared.modification.iter().filter_map(|argument| match argument {
                                Argument::Modification { name, value: Some(value), .. }
                                    if name.span.text(text) == "fixed" && value.span.text(text) == "true" =>
                                {
                                    Some((value.span, "false".to_string()))
                                }
                                _ => None,
                            }));
                        }
                    }
                    _ => {}
                }
            }
        }
        found
    }

    fn text(&self, edits: &[(Span, String)], header: &str) -> Source {
        let source = self.reference.options.source;
        Source { name: source.name.clone(), text: with_header(&edited(&source.text, edits), header) }
    }

    /// Writes the model and measures the text that is written.
    fn finish(&self, gone: Vec<Gone>, kept: Vec<(String, String)>, allowed: f64, runs: usize) -> Result<Replaced, Box<Diagnostic>> {
        let edits: Vec<(Span, String)> = gone.iter().flat_map(|gone| gone.edits.iter().cloned()).collect();
        let error = self.reference.error_of(&self.text(&edits, ""))?;
        let change = format!("{} of {} components removed", gone.len(), self.components.components.len());
        let mut header = self.reference.header("components", &change, allowed, &error);
        for gone in &gone {
            header.push_str(&format!("{}: {}; its law is now {}\n", gone.component, gone.way.words(), gone.equation));
        }
        let source = self.text(&edits, &header);
        let error = self.reference.error_of(&source)?;
        Ok(Replaced { source, gone, kept, error, runs })
    }
}

/// An equation with the semicolon after it.
fn with_semicolon(span: Span, text: &str) -> Span {
    let end = text[span.end as usize..].find(';').map_or(span.end as usize, |at| span.end as usize + at + 1);
    Span::new(span.start as usize, end)
}
