//! The analysis itself: bounds of all operating points, indices, cuts.

use super::bounds::bounds;
use super::bracket::{Bounds, StateBound};
use super::indices::{self, Cut, CutKind};
use super::jacobian::Jacobian;
use super::options::{Options, check_alpha};
use super::profile::CycleProfile;
use partita_grammar::Diagnostic;

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
    profiles: Option<Vec<CycleProfile>>,
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
    /// What is wrong: brackets are brackets, and the order names every state once, from fast to slow. Cost: n log n.
    pub fn verify(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (name, bound) in self.names.iter().zip(&self.bounds) {
            let is_bracket = bound.h_lower <= bound.h_upper;
            if !is_bracket || bound.witness.iter().any(|state| *state >= self.names.len()) {
                found.push(format!("the bracket of {name} is none"));
            }
        }
        let mut states = self.order.clone();
        states.sort_unstable();
        if states != (0..self.names.len()).collect::<Vec<_>>()
            || !self.order.is_sorted_by(|a, b| self.bounds[*a].h_lower <= self.bounds[*b].h_lower)
        {
            found.push("the order is not one of all states from fast to slow".to_owned());
        }
        found
    }

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
    let mut merged: Option<Bounds> = None;
    // Points with equal Jacobians, as in linear models, are one.
    for (_, point) in points.iter().enumerate().filter(|(at, point)| !points[..*at].contains(point)) {
        let found = bounds(point, options);
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
