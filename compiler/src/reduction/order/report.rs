//! The text of a reduction of order: the table of orders, the choice, what holds.
//!
//! Input: a [`Lowered`]. Output: its text. Guarantee: a statement about scenarios is made only if there are enough of them. Cost: linear.

use super::choose::{Lowered, Row};
use crate::reduction::text::{listed, short};
use std::fmt;

impl fmt::Display for Lowered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} states, {} of them reached by signals and seen by outputs", self.states, self.hankel.len())?;
        writeln!(f, "outputs {}", listed(&self.outputs))?;
        writeln!(f, "modes switch {} times", self.switchings)?;
        let with_rho = if self.sample.is_some() { format!("  {:>10}", "rho") } else { String::new() };
        let heads = ["order", "Hankel", "psi %", "bound", "any time", "same time", "switchings", "shift"];
        let [order, hankel, psi, bound, any, same, switchings, shift] = heads;
        writeln!(f, "{order:>5}  {hankel:>10}  {psi:>9}  {bound:>10}  {any:>10}  {same:>10}  {switchings:>10}  {shift:>8}{with_rho}")?;
        self.rows.iter().try_for_each(|row| self.row(f, row))?;
        let gap = &self.gap;
        writeln!(
            f,
            "order {}: error {:.4} % of the range at the same time, {:.4} % at any time (asked: {} %), found by a run of the smaller model",
            self.order,
            100.0 * gap.of_range,
            100.0 * gap.hausdorff_of_range,
            100.0 * self.asked
        )?;
        let (before, after) = self.equations;
        writeln!(
            f,
            "equations {before} -> {after}, states {} -> {}, switchings {} -> {}",
            self.states, self.order, self.switchings, gap.switchings
        )?;
        self.notes.iter().try_for_each(|note| writeln!(f, "note: {note}"))?;
        self.statement(f)
    }
}

impl Lowered {
    fn row(&self, f: &mut fmt::Formatter<'_>, row: &Row) -> fmt::Result {
        let bounds = format!("{:>5}  {:>10}  {:>9}  {:>10}", row.order, short(row.hankel), short(100.0 * row.psi), short(row.bound));
        let Some(gap) = &row.gap else {
            return writeln!(f, "{bounds}  {}", row.refused.as_deref().unwrap_or("no run"));
        };
        let shift = gap.shift.map_or_else(|| "-".to_string(), short);
        let rho = row.rho.map_or(String::new(), |rho| format!("  {:>10}", short(rho)));
        let growth =
            row.growth.filter(|growth| *growth > 1.0 + 1e-9).map_or(String::new(), |growth| format!("  resets amplify by {growth:.4}"));
        let (any, same) = (short(gap.hausdorff), short(gap.sup));
        writeln!(f, "{bounds}  {any:>10}  {same:>10}  {:>10}  {shift:>8}{rho}{growth}", gap.switchings)
    }

    fn statement(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(sample) = &self.sample else {
            return writeln!(f, "valid for this run only: another input, parameter or time may need what this one does not");
        };
        let rho = self.rows.iter().find(|row| row.order == self.order).and_then(|row| row.rho).unwrap_or(f64::INFINITY);
        writeln!(f, "{} scenarios, the {} worst left out: {} at any time", sample.n, sample.left_out, short(rho))?;
        if sample.holds {
            let (epsilon, confidence) = (100.0 * sample.epsilon, 1.0 - sample.beta);
            return writeln!(f, "at most {epsilon} % of such scenarios are worse, confidence {confidence}");
        }
        let needed = sample.needed.map_or_else(|| "more than a million".to_string(), |n| n.to_string());
        writeln!(f, "no statement about other scenarios: that needs {needed} of them")
    }
}
