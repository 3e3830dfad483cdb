//! Cycle analysis: which states belong to which time scale, and how well the model separates.
//!
//! Input: a [`Jacobian`] at an operating point (or several) and [`Options`]. Output: [`CycleAnalysis`], from which
//! [`partition::partition`] makes a [`partition::Partition`] into fast and slow states.
//!
//! Method (Papadopoulos and Leva, "Automating efficiency-targeted approximations in modelling and simulation tools: dynamic
//! decoupling and mixed-mode integration", Simulation 90(10), 2014): a probe method of integration makes the Jacobian a digraph
//! of states, with a self loop at every state. Along each simple cycle a perturbation is multiplied by the product of the
//! entries; the step at which that product reaches `alpha` bounds the steps of the states on the cycle. For the explicit Euler
//! probe that is `alpha^(1/L) / |product|^(1/L)` for a cycle of length L >= 2, and `(1 + alpha) / |J_ii|` for a self loop with
//! `J_ii < 0`. The smallest bound of all cycles through a state is its time scale.
//!
//! Guarantee: `h_lower <= h <= h_upper` for the bound `h` of the definition, whatever the size of the model; `exact` where both
//! agree. Cost: see [`bounds`].

pub mod bounds;
mod certify;
mod decompose;
mod enumerate;
mod graph;
mod heun;
mod html;
pub mod indices;
pub mod jacobian;
pub mod measured;
pub mod partition;
mod pictures;
mod profile;
pub mod report;
pub mod spectrum;

pub use indices::{Cut, CutKind};
pub use jacobian::Jacobian;
pub use partition::{Choice, Partition};

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

/// What is known about the largest step of a state.
#[derive(Clone, Debug, PartialEq)]
pub struct StateBound {
    /// The bound is not smaller: a safe step. Infinite where no cycle limits the state.
    pub h_lower: f64,
    /// The bound is not larger: the bound of the witness.
    pub h_upper: f64,
    /// Both are the same.
    pub exact: bool,
    /// States of a cycle with the bound `h_upper`, each influencing the next, smallest position first; empty if no cycle limits
    /// the state.
    pub witness: Vec<usize>,
    /// The state alone grows: its own entry of the Jacobian is positive.
    pub unstable: bool,
}

/// What the analysis found.
#[derive(Clone, Debug, PartialEq)]
pub struct CycleAnalysis {
    /// Names of the states.
    pub names: Vec<String>,
    /// The options it was made with.
    pub options: Options,
    /// Number of simple cycles, self loops included; `None` if there are more than the budget allows to count.
    pub cycles: Option<u64>,
    /// The same if every entry that may be non-zero were one.
    pub structural_cycles: Option<u64>,
    /// Entries taken for numerical zeros.
    pub dropped: usize,
    /// The bound of each state, by its position.
    pub bounds: Vec<StateBound>,
    /// Positions of the states by ascending `h_lower`.
    pub order: Vec<usize>,
    /// Largest by smallest finite bound, sigma(alpha).
    pub stiffness_index: Option<f64>,
    /// Each gap between neighbouring finite bounds by the largest gap.
    pub separability_terms: Vec<f64>,
    /// One minus the mean gap by the largest gap, s(alpha); undefined with fewer than two finite bounds or no gap.
    pub separability_index: Option<f64>,
    /// Suggested cuts, the best first.
    pub cuts: Vec<Cut>,
    /// No bracket of a state contains the threshold of the first suggested cut; without a cut: all bounds are exact.
    pub certified: bool,
    /// Bounds as functions of alpha, if all cycles are known.
    profiles: Option<Vec<profile::Profile>>,
}

/// The indices at one alpha.
#[derive(Clone, Debug, PartialEq)]
pub struct AtAlpha {
    /// What may be left of a perturbation after one cycle.
    pub alpha: f64,
    /// The bound of each state, by its position.
    pub bounds: Vec<f64>,
    /// Order, indices and cuts.
    pub indices: indices::Indices,
}

impl CycleAnalysis {
    /// The indices at another alpha, from the closed form; `None` if not all cycles are known.
    pub fn at_alpha(&self, alpha: f64) -> Option<AtAlpha> {
        let profiles = self.profiles.as_ref()?;
        let bounds: Vec<f64> = profiles.iter().map(|profile| profile.limit(alpha, self.options.self_loop).h).collect();
        let exact = |&h: &f64| StateBound { h_lower: h, h_upper: h, exact: true, witness: Vec::new(), unstable: false };
        let indices = indices::indices(&bounds.iter().map(exact).collect::<Vec<_>>());
        Some(AtAlpha { alpha, bounds, indices })
    }

    /// Groups of states from fast to slow, separated by the first suggested cut and by every gap of at least a factor of three.
    pub fn clusters(&self) -> Vec<Vec<usize>> {
        let is_separating = |cut: &&Cut| cut.kind == CutKind::LargestGap || cut.ratio >= indices::CLUSTER_RATIO;
        let mut places: Vec<usize> = self.cuts.iter().filter(is_separating).map(|cut| cut.after).collect();
        places.sort_unstable();
        places.push(self.order.len());
        let mut begin = 0;
        places.into_iter().map(|end| self.order[std::mem::replace(&mut begin, end)..end].to_vec()).collect()
    }
}

/// Analyses the Jacobian at one operating point.
pub fn analyze(jacobian: &Jacobian, options: &Options) -> Result<CycleAnalysis, Box<Diagnostic>> {
    analyze_points(std::slice::from_ref(jacobian), options)
}

/// Analyses Jacobians of one model at several operating points; each state gets the smallest of its bounds. Counts are those of
/// the first point.
pub fn analyze_points(points: &[Jacobian], options: &Options) -> Result<CycleAnalysis, Box<Diagnostic>> {
    check_alpha(options.alpha)?;
    let names = points.first().map(|point| point.names().to_vec()).unwrap_or_default();
    if names.len() < 2 {
        let what = if names.is_empty() { "no continuous state" } else { "only one continuous state" };
        return Err(Box::new(
            Diagnostic::error("C004", format!("the model has {what}; there is nothing to separate"))
                .with_note("cycle analysis sorts continuous states by their time scales and needs at least two of them"),
        ));
    }
    let mut merged: Option<bounds::Bounds> = None;
    // Points with equal Jacobians, as in linear models, are one.
    for (_, point) in points.iter().enumerate().filter(|(at, point)| !points[..*at].contains(point)) {
        let found = bounds::bounds(point, options);
        merged = Some(match merged {
            None => found,
            Some(before) => before.tightened_by(found),
        });
    }
    let found = merged.unwrap_or_default();
    let indices = indices::indices(&found.states);
    Ok(CycleAnalysis {
        names,
        options: *options,
        cycles: found.cycles,
        structural_cycles: found.structural_cycles,
        dropped: found.dropped,
        order: indices.order,
        stiffness_index: indices.stiffness_index,
        separability_terms: indices.terms,
        separability_index: indices.separability_index,
        cuts: indices.cuts,
        certified: indices.certified,
        bounds: found.states,
        profiles: found.profiles,
    })
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
