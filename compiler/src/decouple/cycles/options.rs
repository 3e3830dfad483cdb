//! What is asked of a cycle analysis.

use partita_grammar::Diagnostic;
use serde::Serialize;

/// Bounds that differ by less than this part of them are equal: no cut may lie between them.
pub const TIE: f64 = 1e-9;

/// What a self loop says about the step.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SelfLoop {
    /// `(1 + alpha) / |J|` for negative entries, `alpha / J` for positive ones, nothing for zero.
    #[default]
    Printed,
    /// `alpha / |1 + J|`: what the figures of the papers were made with. It depends on the unit of time.
    Compat,
}

/// The method whose step matrix is analysed.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Probe {
    /// Explicit Euler: `I + h J`; bounds in closed form.
    #[default]
    Euler,
    /// Heun: `I + h J + (h J)^2 / 2`; bounds by search for the first crossing, for small models only.
    Heun,
}

/// How much work the analysis may do.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Cycles enumerated per block.
    pub cycles: u64,
    /// Edges visited by the enumeration of one block.
    pub edge_visits: u64,
    /// Edges visited by all shortest path searches.
    pub path_visits: u64,
    /// Expansions of the search for one state.
    pub expansions_per_state: u64,
    /// Expansions of all searches.
    pub expansions: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { cycles: 100_000, edge_visits: 20_000_000, path_visits: 100_000_000, expansions_per_state: 20_000, expansions: 5_000_000 }
    }
}

/// How to analyse.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Options {
    /// What may be left of a perturbation after one cycle, in (0, 1].
    pub alpha: f64,
    /// The formula for self loops.
    pub self_loop: SelfLoop,
    /// The probe method.
    pub probe: Probe,
    /// Limits of the work.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Options {
        Options { alpha: 0.5, self_loop: SelfLoop::Printed, probe: Probe::Euler, budget: Budget::default() }
    }
}

/// Refuses what is not in (0, 1].
pub fn check_alpha(alpha: f64) -> Result<(), Box<Diagnostic>> {
    if alpha > 0.0 && alpha <= 1.0 {
        return Ok(());
    }
    Err(Box::new(
        Diagnostic::error("C001", format!("alpha is {alpha}, but has to be above 0 and at most 1"))
            .with_note("alpha is the part of a perturbation that may be left after it went once around a cycle of states")
            .with_hint("the default is 0.5; 1 allows the longest steps"),
    ))
}

impl std::str::FromStr for SelfLoop {
    type Err = String;

    fn from_str(word: &str) -> Result<SelfLoop, String> {
        match word {
            "printed" => Ok(SelfLoop::Printed),
            "compat" => Ok(SelfLoop::Compat),
            _ => Err(format!("there is no formula `{word}`; there are printed and compat")),
        }
    }
}

impl std::str::FromStr for Probe {
    type Err = String;

    fn from_str(word: &str) -> Result<Probe, String> {
        match word {
            "euler" => Ok(Probe::Euler),
            "heun" => Ok(Probe::Heun),
            _ => Err(format!("there is no probe `{word}`; there are euler and heun")),
        }
    }
}
