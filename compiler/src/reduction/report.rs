//! The ranking of components as text and JSON.
//!
//! Input: a [`Ranking`]. Output: a table, the balance, relative energies if they are asked for, and what the ranking is valid for.
//! Guarantee: small components are never left out of the sums. Cost: linear.

use super::rank::{Metric, Ranking, Suggestion};
use super::text::short;
use std::fmt::Write;

/// Rows of the table; the rest is counted.
const MOST_ROWS: usize = 60;

impl Ranking {
    /// As text, sorted as it is.
    pub fn text(&self, metric: Metric) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "{}: components by {} from time {} to {}", self.model, word(metric), self.window.0, self.window.1);
        if metric == Metric::Relative {
            self.relative_text(&mut text);
        } else {
            self.table(&mut text, metric);
        }
        let _ = writeln!(text, "balance: {:.1e} of the energy is missing", self.balance);
        for note in &self.notes {
            let _ = writeln!(text, "note: {note}");
        }
        text.push_str("valid for this run only: another input, parameter or time may need what this one does not\n");
        text
    }

    fn table(&self, text: &mut String, metric: Metric) {
        let width = self.components.iter().take(MOST_ROWS).map(|row| row.name.chars().count()).max().unwrap_or(0).max(9);
        let third = match metric {
            Metric::Rms => "RMS W",
            Metric::Pca => "PCA %",
            _ => "through J",
        };
        let _ = writeln!(text, "{:width$}  {:>10}  {:>6}  {:>6}  {third:>10}", "component", "activity J", "%", "sum %");
        for row in self.components.iter().take(MOST_ROWS) {
            let value = match metric {
                Metric::Rms => row.rms,
                Metric::Pca => row.pca,
                _ => row.through,
            };
            let says = match &row.suggestion {
                Suggestion::Remove(why) => format!("  may go: {why}"),
                Suggestion::Keep(why) | Suggestion::Short(why) => format!("  stays: {why}"),
                Suggestion::Matters => String::new(),
            };
            let _ = writeln!(
                text,
                "{:width$}  {:>10}  {:>6.2}  {:>6.2}  {:>10}{says}",
                row.name,
                short(row.activity),
                row.share,
                row.accumulated,
                short(value)
            );
        }
        if self.components.len() > MOST_ROWS {
            let _ = writeln!(text, "and {} more with less", self.components.len() - MOST_ROWS);
        }
    }

    fn relative_text(&self, text: &mut String) {
        for entry in &self.relative {
            let _ = writeln!(text, "{} stores up to {} J; its neighbours, against that:", entry.name, short(entry.energy));
            for (name, ratio) in &entry.ratios {
                let _ = writeln!(text, "  {:>10}  {name}", short(*ratio));
            }
        }
        if self.relative.is_empty() {
            text.push_str("no component with a state stores energy\n");
        }
    }

    /// As JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::json!(self)
    }
}

fn word(metric: Metric) -> &'static str {
    match metric {
        Metric::Activity => "activity",
        Metric::Rms => "root mean square of power",
        Metric::Pca => "principal components of power",
        Metric::Relative => "relative energy",
    }
}
