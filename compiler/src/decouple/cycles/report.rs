//! The report of a cycle analysis.
//!
//! Input: Jacobians at operating points and options. Output: [`Report`]. Beside the analysis it holds what needs eigenvalues: the
//! stiffness ratio at the first point, and for each suggested cut the spectral radius of the mixed-mode step.

use super::analysis::{CycleAnalysis, analyze_points};
use super::jacobian::Jacobian;
use super::options::Options;
use super::spectrum;
use partita_grammar::Diagnostic;
use partita_runtime::integrate::stability::{GROWTH, SpectralRadius};
use serde::Serialize;

/// Spectral radii are those of all points if that is at most so much work, otherwise those of the first point.
const MOST_RADIUS_WORK: f64 = 2e7;

/// A Jacobian and when it was taken.
#[derive(Clone, Debug, PartialEq)]
pub struct OperatingPoint {
    /// The time.
    pub time: f64,
    /// df/dx there.
    pub jacobian: Jacobian,
}

/// One mixed-mode run with a suggested cut.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Number of fast states.
    pub after: usize,
    /// The formulas and the step, in words.
    pub method: String,
    /// What came out, or why nothing did.
    pub outcome: Result<Outcome, String>,
}

/// A run that ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// Steps that were taken.
    pub steps: u64,
    /// Largest error of a signal as a part of its range, against a run with a tight tolerance.
    pub error: f64,
    /// The signal with that error.
    pub worst: String,
    /// Seconds of processor time.
    pub seconds: f64,
    /// The same for the default method at this accuracy.
    pub bdf_seconds: f64,
    /// The latter by the former; nothing if the result has a flaw.
    pub speed_up: Option<f64>,
    /// Which, in a word or two.
    pub flaw: Option<&'static str>,
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
    /// For each suggested cut the command that runs it, or why a run would not take its step by itself; none if nobody asked.
    pub commands: Vec<Result<String, String>>,
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
            commands: Vec::new(),
            analysis,
        })
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
