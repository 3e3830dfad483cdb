//! The ranking of components by what they do with energy in one run.
//!
//! Input: a flat model, its components and their measures, and what the user wants to see. Output: [`Ranking`]: rows from the most to
//! the least active, each with a suggestion or the reason why there is none. Method: a component may go if both its activity and what
//! passes through it are below a threshold of the respective sum, if its equations say how (`kind`), and if no event and no output of
//! the model reads it. Guarantee: without a balance of energy nothing is suggested; small net power alone suggests nothing.
//! Cost: linear in the model and the run.

use super::activity::{self, Measure, Measures};
use super::components::{Components, is_inside};
use super::kind::{self, Kind};
use super::record::Flows;
use crate::frontend::flat::{Causality, FlatModel};
use partita_grammar::Diagnostic;
use serde::Serialize;
use std::str::FromStr;

/// Energy counts as balanced if less than this part of it is missing.
pub const BALANCED: f64 = 1e-9;

/// What rows are sorted by.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// Integral of the magnitude of the power kept.
    #[default]
    Activity,
    /// Root of the mean square of that power.
    Rms,
    /// Part in the principal components.
    Pca,
    /// Largest energy against that of neighbours with states.
    Relative,
}

impl FromStr for Metric {
    type Err = String;

    fn from_str(word: &str) -> Result<Metric, String> {
        match word {
            "activity" => Ok(Metric::Activity),
            "rms" => Ok(Metric::Rms),
            "pca" => Ok(Metric::Pca),
            "relative" => Ok(Metric::Relative),
            _ => Err(format!("there is no metric `{word}`; there are activity, rms, pca, relative")),
        }
    }
}

/// What to show.
#[derive(Clone, Debug)]
pub struct Options {
    /// Sorted by.
    pub metric: Metric,
    /// Only what is below this path.
    pub under: Option<String>,
    /// Only so many levels below that.
    pub depth: Option<usize>,
    /// What is below this part of the sums may go.
    pub threshold: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options { metric: Metric::Activity, under: None, depth: None, threshold: 0.01 }
    }
}

/// What is said about a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "verdict", content = "why", rename_all = "lowercase")]
pub enum Suggestion {
    /// It could be left out of this run; how, and why.
    Remove(String),
    /// It is small, but stays, and why.
    Keep(String),
    /// The same; it passes so much energy on that it can be shorted, but not cut.
    #[serde(rename = "keep")]
    Short(String),
    /// It matters.
    Matters,
}

/// One component, or a boundary of the part that is looked at.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Its path.
    pub name: String,
    /// The component's number; none for a boundary.
    #[serde(skip)]
    pub component: Option<usize>,
    /// The domains of its connectors.
    pub domain: String,
    /// In joule.
    pub activity: f64,
    /// Of the sum of activities, in percent.
    pub share: f64,
    /// Shares up to this row, in percent.
    pub accumulated: f64,
    /// In watt.
    pub rms: f64,
    /// In joule.
    pub through: f64,
    /// In percent.
    pub pca: f64,
    /// In joule.
    pub net: f64,
    /// What is said about it.
    pub suggestion: Suggestion,
}

/// Energies of the neighbours of a component with a state, against its own.
#[derive(Clone, Debug, Serialize)]
pub struct Neighbours {
    /// The component.
    pub name: String,
    /// Its largest energy in joule.
    pub energy: f64,
    /// Its neighbours and the ratios.
    pub ratios: Vec<(String, f64)>,
}

/// Components from the most to the least active.
#[derive(Clone, Debug, Serialize)]
pub struct Ranking {
    /// The model.
    pub model: String,
    /// Begin and end of what was looked at.
    pub window: (f64, f64),
    /// The rows.
    pub components: Vec<Row>,
    /// What is missing of all energy.
    pub balance: f64,
    /// Relative energies.
    pub relative: Vec<Neighbours>,
    /// What the user should know.
    pub notes: Vec<String>,
    /// Work of each row in each interval, and the times.
    #[serde(skip)]
    pub works: Vec<Vec<f64>>,
    /// Borders of the intervals.
    #[serde(skip)]
    pub times: Vec<f64>,
}

/// The rows of a ranking before they are sorted.
struct Shown<'a> {
    name: String,
    component: Option<usize>,
    domain: String,
    measure: &'a Measure,
}

/// How many levels a path is below another.
fn levels(path: &str, under: Option<&str>) -> Option<usize> {
    let rest = match under {
        None => path,
        Some(under) => path.strip_prefix(under)?.strip_prefix('.')?,
    };
    Some(rest.matches('.').count() + 1)
}

/// Ranks components. `states` are the names of the states.
pub fn rank(
    model: &FlatModel,
    components: &Components,
    flows: &Flows,
    states: &[String],
    options: &Options,
) -> Result<Ranking, Box<Diagnostic>> {
    if components.components.is_empty() {
        return Err(Box::new(no_components(model)));
    }
    let under = options.under.as_deref();
    let measures = activity::measure(components, flows);
    let boundaries = boundaries(components, flows, under);
    let mut shown = shown(components, &measures, options);
    if shown.is_empty() {
        return Err(Box::new(nothing_under(components, under.unwrap_or_default())));
    }
    shown.extend(boundaries.iter().map(|(at, measure)| Shown {
        name: components.connectors[*at].path.clone(),
        component: None,
        domain: format!("{} boundary", components.connectors[*at].domain.word()),
        measure,
    }));
    let by = |row: &Shown| match options.metric {
        Metric::Activity | Metric::Relative => row.measure.activity,
        Metric::Rms => row.measure.rms,
        Metric::Pca => row.measure.pca,
    };
    shown.sort_by(|a, b| by(b).total_cmp(&by(a)));
    let is_balanced = measures.balance <= BALANCED;
    let mut ranking = Ranking {
        model: model.name.clone(),
        window: (flows.times.first().copied().unwrap_or(0.0), flows.times.last().copied().unwrap_or(0.0)),
        components: Vec::new(),
        balance: measures.balance,
        relative: neighbours(components, flows, &measures, states),
        notes: components.notes.clone(),
        works: shown.iter().map(|row| row.measure.works.clone()).collect(),
        times: flows.times.clone(),
    };
    if !is_balanced {
        ranking.notes.push(format!(
            "{:.2e} of the energy is not balanced: connectors were not recognised as they are, and nothing is suggested",
            measures.balance
        ));
    }
    if !flows.unknown.is_empty() {
        ranking.notes.push(format!("the results have no values for {}", super::text::listed(&flows.unknown)));
    }
    let judge = Judge::new(model, components, &shown, options.threshold);
    let total = judge.activity;
    let mut accumulated = 0.0;
    for row in &shown {
        let share = if total > 0.0 { 100.0 * row.measure.activity / total } else { 0.0 };
        accumulated += share;
        ranking.components.push(Row {
            name: row.name.clone(),
            component: row.component,
            domain: row.domain.clone(),
            activity: row.measure.activity,
            share,
            accumulated,
            rms: row.measure.rms,
            through: row.measure.through,
            pca: row.measure.pca,
            net: row.measure.net,
            suggestion: if is_balanced { judge.suggestion(row) } else { Suggestion::Matters },
        });
    }
    Ok(ranking)
}

/// The connectors of the part that is looked at, as lines of their own.
fn boundaries(components: &Components, flows: &Flows, under: Option<&str>) -> Vec<(usize, Measure)> {
    let outer = under.map(|path| components.find(path));
    let at_boundary = components.connectors.iter().enumerate().filter(|(_, connector)| match outer {
        Some(outer) => outer.is_some() && connector.owner == outer,
        None => connector.owner.is_none(),
    });
    at_boundary
        .map(|(at, _)| {
            let works: Vec<f64> = flows.works[at].iter().map(|work| -work).collect();
            let through = works.iter().map(|work| work.abs()).sum::<f64>();
            (at, activity::one(works, 0.5 * through, &flows.times))
        })
        .collect()
}

/// The components that are shown. Where a depth is given, components at it stand for all they contain.
fn shown<'a>(components: &Components, measures: &'a Measures, options: &Options) -> Vec<Shown<'a>> {
    let under = options.under.as_deref();
    let rows = components
        .components
        .iter()
        .enumerate()
        .filter(|(_, component)| levels(&component.path, under).is_some_and(|level| options.depth.is_none_or(|depth| level <= depth)));
    rows.map(|(at, component)| {
        let mut domains: Vec<&str> = component.connectors.iter().map(|connector| components.connectors[*connector].domain.word()).collect();
        domains.sort_unstable();
        domains.dedup();
        Shown { name: component.path.clone(), component: Some(at), domain: domains.join(", "), measure: &measures.components[at] }
    })
    .collect()
}

fn neighbours(components: &Components, flows: &Flows, measures: &Measures, states: &[String]) -> Vec<Neighbours> {
    let has_state: Vec<bool> =
        components.components.iter().map(|component| states.iter().any(|state| is_inside(state, &component.path))).collect();
    let name = |at: usize| components.components[at].path.clone();
    activity::relative(components, flows, &measures.components, &has_state)
        .into_iter()
        .map(|(at, ratios)| Neighbours {
            name: name(at),
            energy: measures.components[at].energy,
            ratios: ratios.into_iter().map(|(other, ratio)| (name(other), ratio)).collect(),
        })
        .collect()
}

/// Decides what is suggested.
struct Judge {
    kinds: Vec<Kind>,
    /// Components that events or outputs read.
    is_read: Vec<bool>,
    activity: f64,
    through: f64,
    threshold: f64,
}

impl Judge {
    fn new(model: &FlatModel, components: &Components, shown: &[Shown], threshold: f64) -> Judge {
        let owners = kind::owners(model, components);
        let mut is_read = vec![false; components.components.len()];
        let outputs = model.vars.iter().filter(|(_, variable)| variable.causality == Causality::Output).map(|(id, _)| id);
        for var in kind::read_by_events(model).into_iter().chain(outputs) {
            if let Some(owner) = owners.get(&var) {
                is_read[*owner] = true;
            }
        }
        Judge {
            kinds: kind::kinds(model, components),
            is_read,
            activity: shown.iter().map(|row| row.measure.activity).sum(),
            through: shown.iter().map(|row| row.measure.through).sum(),
            threshold,
        }
    }

    fn suggestion(&self, row: &Shown) -> Suggestion {
        let Some(component) = row.component else { return Suggestion::Matters };
        if row.measure.activity >= self.threshold * self.activity {
            return Suggestion::Matters;
        }
        let keep = |why: String| Suggestion::Keep(why);
        if row.measure.through >= self.threshold * self.through {
            let joule = super::text::short(row.measure.through);
            return match self.kinds[component] {
                Kind::Between { .. } => Suggestion::Short(format!("passes {joule} J through: small net, large through: short it?")),
                _ => keep(format!("passes {joule} J through: converter or wiring")),
            };
        }
        if self.is_read[component] {
            return keep("an event or an output of the model reads it".to_string());
        }
        match &self.kinds[component] {
            Kind::Between { .. } => Suggestion::Remove("both energies small: open or short it".to_string()),
            Kind::Store { .. } => Suggestion::Remove("both energies small: leave its storage out".to_string()),
            Kind::Fixed(why) => keep(why.clone()),
        }
    }
}

fn no_components(model: &FlatModel) -> Diagnostic {
    Diagnostic::error("C102", format!("the model {} has no connectors: there are no components to rank", model.name))
        .with_note(
            "connectors are recognised by their members: v and i, s and f, phi and tau, T and Q_flow, V_m and Phi, the frames of multibody",
        )
        .with_hint("terms of equations can be ranked in any model: `partita rank MODEL.mo --terms --output y`")
}

fn nothing_under(components: &Components, under: &str) -> Diagnostic {
    let mut tops: Vec<String> =
        components.components.iter().map(|component| component.path.split('.').next().unwrap_or_default().to_string()).collect();
    tops.sort_unstable();
    tops.dedup();
    Diagnostic::error("C103", format!("the model has no components below `{under}`"))
        .with_note(format!("there are {}", super::text::listed(&tops)))
}
