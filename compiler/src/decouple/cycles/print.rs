//! The report of a cycle analysis as text, as data for JSON and as one HTML page.

use super::options::{Probe, SelfLoop};
use super::report::{Report, grows, maybe, number, radius_text};
use super::{html, measured};
use serde_json::{Value, json};
use std::fmt::{self, Write};

/// Rows of the table of states in the text.
const MOST_ROWS: usize = 60;

impl Report {
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
}

/// A number for JSON, null if it is not finite.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
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
        let formula = match analysis.options.self_loop {
            SelfLoop::Printed => "",
            SelfLoop::Compat => ", a state by itself by the formula behind the papers' figures (compat)",
        };
        writeln!(
            f,
            "in steps of {probe}, what goes once around a cycle of states comes back with {} of its size (alpha){formula}",
            analysis.options.alpha
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
        writeln!(f, "how far time scales lie apart (stiffness index sigma)        {}", maybe(analysis.stiffness_index))?;
        writeln!(f, "how clearly one gap parts them, 0 to 1 (separability s)      {}", maybe(analysis.separability_index))?;
        writeln!(f, "largest by smallest rate of the model (ratio of eigenvalues) {}", self.ratio_text())?;
        for (place, (cut, radius)) in analysis.cuts.iter().zip(&self.radii).enumerate() {
            let kind = json!(cut.kind);
            let kind = kind.as_str().unwrap_or_default();
            let grows = if grows(radius) { " (above 1: errors grow)" } else { "" };
            let radius = radius_text(radius) + grows;
            let certified = if cut.certified { "" } else { ", uncertain (bounds are not tight enough)" };
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
            match self.commands.get(place) {
                Some(Ok(command)) => writeln!(f, "          run it by  {command}")?,
                Some(Err(why)) => writeln!(f, "          no fixed step for a run: {why}")?,
                None => {}
            }
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
