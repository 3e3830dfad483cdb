//! The ranking of terms as text and JSON: each term with its line, what was estimated, and for the least ones the true effect.
//!
//! Input: a [`Study`]. Output: [`TermRanking`]. Method: terms from the least to the largest estimated effect; the first few are left out
//! in runs of their own. Guarantee: a term whose run fails, or whose true effect is decisive, is never called dispensable.
//! Cost: as many runs as are asked for.

use super::removal::Study;
use serde::Serialize;
use std::fmt;

/// Rows of the table.
const MOST_ROWS: usize = 60;

/// A term and what it does.
#[derive(Clone, Debug, Serialize)]
pub struct RankedTerm {
    /// As it is written.
    pub term: String,
    /// Where.
    pub line: usize,
    /// Against the largest term of its equation.
    pub magnitude: Option<f64>,
    /// Estimated error without it, by screening, as a part of the range.
    pub screened: Option<f64>,
    /// Estimated error by the exact linearisation.
    pub linear: Option<f64>,
    /// The two estimates agree.
    pub trusted: bool,
    /// The true error, if a run was made.
    #[serde(rename = "true")]
    pub measured: Option<f64>,
    /// Why there is no run.
    pub refused: Option<String>,
}

/// Terms by what they do to outputs.
#[derive(Clone, Debug, Serialize)]
pub struct TermRanking {
    /// From the least to the largest effect.
    pub terms: Vec<RankedTerm>,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl TermRanking {
    /// Ranks; at most `runs` terms with an estimate below `decisive` are left out one at a time.
    pub fn new(study: &Study, runs: usize, decisive: f64) -> TermRanking {
        let mut left = runs;
        let terms = study.order().into_iter().map(|term| {
            let estimate = study.estimate(term);
            let is_candidate = estimate.is_none_or(|(_, linear)| linear <= decisive) && left > 0;
            left -= usize::from(is_candidate);
            let outcome = is_candidate.then(|| study.without(&[term]));
            RankedTerm {
                term: study.terms.terms[term].text.split_whitespace().collect::<Vec<_>>().join(" "),
                line: study.terms.line(term),
                magnitude: study.magnitude(term),
                screened: estimate.map(|(screened, _)| screened),
                linear: estimate.map(|(_, linear)| linear),
                trusted: study.is_trusted(term),
                measured: outcome.as_ref().and_then(|outcome| outcome.as_ref().ok()).map(super::reference::Error::largest),
                refused: outcome.and_then(Result::err).map(|message| message.title),
            }
        });
        TermRanking { terms: terms.collect(), notes: study.remark.iter().map(|why| format!("no estimates: {why}")).collect() }
    }
}

impl fmt::Display for TermRanking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "error of the outputs without the term, as a part of their range")?;
        writeln!(f, "{:>9}  {:>9}  {:>9}  {:>9}  {:>5}  term", "magnitude", "screened", "linear", "true", "line")?;
        let number = |value: Option<f64>| value.map_or_else(|| "-".to_string(), |value| format!("{value:.3e}"));
        for row in self.terms.iter().take(MOST_ROWS) {
            let doubt = match &row.refused {
                Some(why) => format!("   stays: {why}"),
                None if row.measured.is_none() && !row.trusted => "   stays: the estimates differ".to_string(),
                None => String::new(),
            };
            let (magnitude, screened) = (number(row.magnitude), number(row.screened));
            let (linear, measured) = (number(row.linear), number(row.measured));
            writeln!(f, "{magnitude:>9}  {screened:>9}  {linear:>9}  {measured:>9}  {:>5}  {}{doubt}", row.line, row.term)?;
        }
        if self.terms.len() > MOST_ROWS {
            writeln!(f, "and {} more with larger effects", self.terms.len() - MOST_ROWS)?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "note: {note}"))?;
        writeln!(f, "valid for this run only: another input, parameter or time may need what this one does not")
    }
}
