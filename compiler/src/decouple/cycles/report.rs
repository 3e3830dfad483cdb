//! The report of a cycle analysis: text, data for JSON, one HTML page.
//!
//! Input: Jacobians at operating points and options. Output: [`Report`]. Beside the analysis it holds what needs eigenvalues: the
//! stiffness ratio at the first point, and for each suggested cut the spectral radius of the mixed-mode step.

use super::measured::{self, Measured};
use super::{CycleAnalysis, Jacobian, Options, Probe, analyze_points, html, spectrum};
use partita_grammar::Diagnostic;
use partita_runtime::integrate::stability::{GROWTH, SpectralRadius};
use serde_json::{Value, json};
use std::fmt::{self, Write};

/// Spectral radii are those of all points if that is at most so much work, otherwise those of the first point.
const MOST_RADIUS_WORK: f64 = 2e7;

/// Rows of the table of states in the text.
const MOST_ROWS: usize = 60;

/// A Jacobian and when it was taken.
#[derive(Clone, Debug, PartialEq)]
pub struct OperatingPoint {
    /// The time.
    pub time: f64,
    /// df/dx there.
    pub jacobian: Jacobian,
}

/// An analysis with everything that is said about it.
#[derive(Clone, Debug)]
pub struct Report {
    /// The model's name.
    pub model: String,
    /// The analysis.
    pub analysis: CycleAnalysis,
    /// Times of the operating points.
    pub times: Vec<f64>,
    /// For each suggested cut the spectral radius of the mixed-mode Euler step: the largest of the points that were looked at.
    pub radii: Vec<Option<SpectralRadius>>,
    /// Largest by smallest absolute real part of the eigenvalues at the first point.
    pub stiffness_ratio: Option<f64>,
    /// Influences at any of the points: from, to.
    pub(super) influences: Vec<(usize, usize)>,
    /// Further remarks.
    pub notes: Vec<String>,
    /// Runs with the suggested cuts, if there were any.
    pub measured: Vec<Measured>,
}

impl Report {
    /// Analyses a model at operating points.
    pub fn new(model: &str, points: &[OperatingPoint], options: &Options) -> Result<Report, Box<Diagnostic>> {
        // Points with equal Jacobians, as in linear models, are one.
        let mut different: Vec<Jacobian> = Vec::new();
        for point in points {
            if !different.contains(&point.jacobian) {
                different.push(point.jacobian.clone());
            }
        }
        let analysis = analyze_points(&different, options)?;
        let n = analysis.names.len() as f64;
        let all = n * n * n * (different.len() * analysis.cuts.len()) as f64 <= MOST_RADIUS_WORK;
        let looked_at = if all { &different[..] } else { &different[..1] };
        let radii = analysis.cuts.iter().map(|cut| {
            let fast = &analysis.order[..cut.after];
            let radii = looked_at.iter().map(|jacobian| spectrum::mixed_mode_radius(jacobian, fast, cut.step()));
            let radii: Option<Vec<SpectralRadius>> = radii.collect();
            radii?.into_iter().max_by(|a, b| a.value.total_cmp(&b.value))
        });
        let stiffness_ratio = spectrum::stiffness_ratio(&different[0]);
        let entries = different.iter().flat_map(Jacobian::entries).filter(|(to, from, value)| to != from && *value != 0.0);
        let mut influences: Vec<(usize, usize)> = entries.map(|(to, from, _)| (from, to)).collect();
        influences.sort_unstable();
        influences.dedup();
        Ok(Report {
            model: model.to_string(),
            radii: radii.collect(),
            stiffness_ratio,
            influences,
            times: points.iter().map(|point| point.time).collect(),
            notes: notes(&analysis),
            measured: Vec::new(),
            analysis,
        })
    }

    /// The report as data: infinite bounds are null.
    pub fn json(&self) -> Value {
        let analysis = &self.analysis;
        let names = |states: &[usize]| states.iter().map(|&state| analysis.names[state].as_str()).collect::<Vec<_>>();
        let states = analysis.order.iter().map(|&state| {
            let bound = &analysis.bounds[state];
            json!({
                "name": analysis.names[state], "h_lower": finite(bound.h_lower), "h_upper": finite(bound.h_upper), "exact": bound.exact,
                "witness": names(&bound.witness), "unstable": bound.unstable,
            })
        });
        let cuts = analysis.cuts.iter().zip(&self.radii).map(|(cut, radius)| {
            let (fast, slow) = analysis.order.split_at(cut.after);
            let (steps, unknowns) = measured::promise(self, cut.after).unzip();
            json!({
                "after": cut.after, "gap": cut.gap, "ratio": cut.ratio, "kind": cut.kind, "fast": names(fast), "slow": names(slow),
                "threshold": cut.threshold, "h": cut.step(), "spectral_radius": radius.map(|radius| radius.value), "spectral_radius_exact": radius.map(|radius| radius.exact),
                "certified": cut.certified,
                "predicted": {"steps_longer_than_explicit": steps, "unknowns_fewer_than_implicit": unknowns},
            })
        });
        json!({
            "model": self.model,
            "cycles": analysis.cycles,
            "structural_cycles": analysis.structural_cycles,
            "alpha": analysis.options.alpha,
            "self_loop": analysis.options.self_loop,
            "probe": analysis.options.probe,
            "times": self.times,
            "states": states.collect::<Vec<_>>(),
            "stiffness_index": analysis.stiffness_index,
            "separability_terms": analysis.separability_terms,
            "separability_index": analysis.separability_index,
            "stiffness_ratio": self.stiffness_ratio,
            "cuts": cuts.collect::<Vec<_>>(),
            "clusters": analysis.clusters().iter().map(|cluster| names(cluster)).collect::<Vec<_>>(),
            "certified": analysis.certified,
            "notes": self.notes,
            "measured": measured::data(self),
        })
    }

    /// The report as one HTML page that needs nothing else.
    pub fn html(&self) -> String {
        html::page(self)
    }

    /// The ratio of eigenvalues, or why there is none.
    pub(super) fn ratio_text(&self) -> String {
        match self.stiffness_ratio {
            Some(ratio) => number(ratio),
            None => "none".to_string(),
        }
    }

    /// Names of a cycle with arrows; none for no cycle.
    pub(super) fn cycle_text(&self, witness: &[usize]) -> String {
        let names =
            |states: &[usize]| states.iter().map(|&state| self.analysis.names[state].as_str()).collect::<Vec<_>>().join(" \u{2192} ");
        match witness.len() {
            0 => "no cycle".to_string(),
            1..=6 => names(witness),
            n => format!("{} \u{2192} \u{2026} ({n} states)", names(&witness[..4])),
        }
    }
}

/// Errors grow from step to step.
pub(super) fn grows(radius: &Option<SpectralRadius>) -> bool {
    radius.is_some_and(|radius| radius.value > 1.0 + GROWTH)
}

/// A spectral radius, or that there is none.
pub(super) fn radius_text(radius: &Option<SpectralRadius>) -> String {
    match radius {
        Some(radius) if radius.exact => number(radius.value),
        Some(radius) => format!("about {}", number(radius.value)),
        None => "none".to_string(),
    }
}

/// A number for JSON, null if it is not finite.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// A number in six digits without needless zeros.
pub fn number(value: f64) -> String {
    if !value.is_finite() {
        return "\u{221e}".to_string();
    }
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e7).contains(&size) {
        let text = format!("{value:.5e}");
        return match text.split_once('e') {
            Some((digits, exponent)) if digits.contains('.') => {
                format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'))
            }
            _ => text,
        };
    }
    let places = (5 - size.max(1e-9).log10().floor() as i32).clamp(0, 10) as usize;
    let text = format!("{value:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

/// An optional number.
pub(super) fn maybe(value: Option<f64>) -> String {
    value.map_or_else(|| "undefined".to_string(), number)
}

fn notes(analysis: &CycleAnalysis) -> Vec<String> {
    let mut notes = Vec::new();
    let infinite = analysis.bounds.iter().filter(|bound| bound.h_lower.is_infinite()).count();
    if infinite > 0 {
        let (are, they) = if infinite == 1 { ("state is", "it is") } else { ("states are", "they are") };
        notes.push(format!("{infinite} {are} on no cycle that limits the step; {they} slow in every cut"));
    }
    let unstable: Vec<&str> =
        analysis.names.iter().zip(&analysis.bounds).filter(|(_, bound)| bound.unstable).map(|(name, _)| name.as_str()).collect();
    if !unstable.is_empty() {
        let more = if unstable.len() > 5 { format!(" and {} more", unstable.len() - 5) } else { String::new() };
        notes.push(format!("grow by themselves at an operating point: {}{more}", unstable[..unstable.len().min(5)].join(", ")));
    }
    if analysis.dropped > 0 {
        let counted = analysis.structural_cycles.map_or_else(|| "too many to count".to_string(), |n| n.to_string());
        notes.push(format!(
            "{} entries of the Jacobian are rounding of zero and were dropped; with all possible entries there would be {counted} cycles",
            analysis.dropped
        ));
    }
    let inexact = analysis.bounds.iter().filter(|bound| !bound.exact).count();
    if inexact > 0 {
        notes.push(format!("{inexact} bounds are enclosed, not exact; states are sorted by their safe lower ends"));
    }
    if !analysis.certified {
        notes.push("the brackets are not tight enough to certify the suggested cut".to_string());
    }
    notes
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let analysis = &self.analysis;
        let cycles = analysis.cycles.map_or_else(|| "too many cycles to count".to_string(), |n| format!("{n} cycles"));
        let probe = match analysis.options.probe {
            Probe::Euler => "explicit Euler",
            Probe::Heun => "Heun",
        };
        let points = match self.times.as_slice() {
            [time] => format!("at time {}", number(*time)),
            times => format!("at {} operating points", times.len()),
        };
        writeln!(f, "model {}: {} states, {cycles}, {points}", self.model, analysis.names.len())?;
        writeln!(
            f,
            "alpha {}, probe {probe}, self loops {}",
            analysis.options.alpha,
            json!(analysis.options.self_loop).as_str().unwrap_or_default()
        )?;
        writeln!(f)?;
        let shown: Vec<usize> = analysis.order.iter().copied().take(MOST_ROWS).collect();
        let width = shown.iter().map(|&state| analysis.names[state].chars().count()).max().unwrap_or(0).max(5);
        writeln!(f, "  {:<width$}  {:>12}  cycle", "state", "step below")?;
        let cuts: Vec<usize> = analysis.cuts.iter().map(|cut| cut.after).collect();
        for (place, &state) in shown.iter().enumerate() {
            if place > 0 && cuts.first() == Some(&place) {
                writeln!(f, "  {}", "-".repeat(width + 16))?;
            }
            let bound = &analysis.bounds[state];
            let mut value = number(bound.h_lower);
            if !bound.exact {
                let _ = write!(value, " to {}", number(bound.h_upper));
            }
            let value = if bound.h_lower.is_infinite() { "none".to_string() } else { value };
            writeln!(f, "  {:<width$}  {value:>12}  {}", analysis.names[state], self.cycle_text(&bound.witness))?;
        }
        if analysis.order.len() > shown.len() {
            writeln!(f, "  and {} more", analysis.order.len() - shown.len())?;
        }
        writeln!(f)?;
        writeln!(f, "stiffness index sigma     {}", maybe(analysis.stiffness_index))?;
        writeln!(f, "separability index s      {}", maybe(analysis.separability_index))?;
        writeln!(f, "ratio of eigenvalues      {}", self.ratio_text())?;
        for (cut, radius) in analysis.cuts.iter().zip(&self.radii) {
            let kind = json!(cut.kind);
            let kind = kind.as_str().unwrap_or_default();
            let grows = if grows(radius) { " (above 1: errors grow)" } else { "" };
            let radius = radius_text(radius) + grows;
            let certified = if cut.certified { "" } else { ", not certified" };
            writeln!(
                f,
                "cut {:<6}{kind}: {} fast, {} slow; gap {}, factor {}; step {}, spectral radius {radius}{certified}",
                cut.after,
                cut.after,
                analysis.names.len() - cut.after,
                number(cut.gap),
                number(cut.ratio),
                number(cut.step()),
            )?;
        }
        if analysis.cuts.is_empty() {
            writeln!(f, "no cut: there are no two different bounds")?;
        }
        f.write_str(&measured::text(self))?;
        for note in &self.notes {
            writeln!(f, "note: {note}")?;
        }
        Ok(())
    }
}
