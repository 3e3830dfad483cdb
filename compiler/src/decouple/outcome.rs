//! What a run with plain `--decouple` says about itself: how it was split, or why not and what would make it so.
//!
//! Input: what the run found ([`Partitioning`], [`CascadeCounts`]), names of states, the method. Output: one sentence, and the fast states if there
//! are any.
//! Guarantee: every run says one of the two. Cost: none.

use partita_runtime::base::number::shown;
use partita_runtime::integrate::Statistics;
use partita_runtime::integrate::system::statistics::{CascadeCounts, Partitioning};
use std::fmt;

/// Names shown.
const SHOWN: usize = 8;
/// The part of the work that a split has to save, in percent.
const LEAST_SAVING: f64 = 15.0;

/// How a run with plain `--decouple` was split.
pub struct Outcome<'a> {
    /// What the run did.
    pub statistics: &'a Statistics,
    /// The method in a word.
    pub method: &'a str,
    /// Names of all states.
    pub states: Vec<&'a str>,
}

/// Percent without digits that mean nothing.
fn percent(part: f64) -> String {
    format!("{:.0} %", 100.0 * part.max(0.0))
}

impl Outcome<'_> {
    /// Why the run was not split, and what would make it so.
    fn reason(&self, found: &Partitioning) -> String {
        let n = found.states;
        if n < Partitioning::LEAST_STATES {
            return format!("{n} states are solved for together in less time than it takes to part them; a split pays for many");
        }
        if found.searches == 0 && found.linear_part >= 0.01 * LEAST_SAVING {
            return "the run was over before looking for a split could pay; longer runs look for one".to_string();
        }
        if found.searches == 0 {
            return format!(
                "solving for all {n} states together is {} of the work only; a split pays where it is most of it, with many states that act on each other",
                percent(found.linear_part)
            );
        }
        match found.least_fast {
            Some(fast) => format!(
                "with {fast} of {n} states as the fast ones, the best choice saves {} of the work and not {LEAST_SAVING:.0} %; it would with fewer fast states or slower other ones",
                percent(found.promised)
            ),
            None => format!(
                "at the steps of this run all {n} states act on each other too fast; a split needs states that change little in a step"
            ),
        }
    }

    fn apart(&self, counts: &CascadeCounts, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CascadeCounts { from, head_states, head_steps, parts, fewest_steps, most_steps, bound } = counts;
        let from = shown(*from);
        let states = self.states.len() as u64;
        let steps = if fewest_steps == most_steps { most_steps.to_string() } else { format!("{fewest_steps} to {most_steps}") };
        match head_states {
            0 => writeln!(
                f,
                "split: {parts} parts of {states} states do not act on each other; from time {from} on each takes steps of its own, {steps} of them; the tolerance holds for all"
            )?,
            _ => {
                let who = if *parts == 1 { "the rest follows" } else { "the others follow" };
                let parts = if *parts == 1 { String::new() } else { format!(" in {parts} parts") };
                writeln!(
                    f,
                    "split: {head_states} of {states} states have the events and take {head_steps} steps from time {from} on; {who}{parts} in {steps}; the tolerance holds for all"
                )?;
            }
        }
        match bound {
            0 => Ok(()),
            _ => writeln!(
                f,
                "  in {bound} of the parts steps end where those of the events' states do: what these give is multiplied with states there"
            ),
        }
    }

    fn split(&self, found: &Partitioning, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (fast, n) = (found.fast.len(), self.states.len());
        writeln!(
            f,
            "split: {fast} of {n} states are fast and solved for together, {} are slow and follow one by one, in {} of the steps; the tolerance holds for all",
            n - fast,
            percent(found.split_solutions as f64 / found.solutions.max(1) as f64)
        )?;
        let names: Vec<&str> = found.fast.iter().take(SHOWN).filter_map(|&state| self.states.get(state).copied()).collect();
        let more = if fast > SHOWN { format!(", and {} more", fast - SHOWN) } else { String::new() };
        writeln!(f, "  fast                {}{more}", if names.is_empty() { "none".to_string() } else { names.join(", ") })?;
        match found.given_up {
            0 => Ok(()),
            1 => writeln!(f, "  once it was given up for a while, because it did not save what it had promised"),
            times => writeln!(f, "  {times} times it was given up for a while, because it did not save what it had promised"),
        }
    }
}

impl fmt::Display for Outcome<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(apart) = &self.statistics.apart.cascade {
            return self.apart(apart, f);
        }
        let found = self.statistics.apart.partitioning.as_ref();
        let why = match (self.states.len(), found) {
            (0, _) => "the model has no states".to_string(),
            (1, _) => "the model has one state, and a split needs two".to_string(),
            (_, None) => format!("{} solves no equations in its steps; the default method does", self.method),
            (_, Some(found)) if found.split_solutions > 0 => return self.split(found, f),
            (_, Some(found)) => self.reason(found),
        };
        writeln!(f, "not split, the run is that of all states: {why}")?;
        match &self.statistics.apart.not_apart {
            Some(why) => writeln!(f, "  {why}"),
            None => Ok(()),
        }
    }
}
