//! Indices of separability and suggested cuts.
//!
//! Input: the bound of each state. Output: [`Indices`]: the states in the order of their bounds, the stiffness index sigma, the
//! separability terms and index, and cuts. Method: over the finite bounds `h_1 <= ... <= h_N` sigma is `h_N / h_1`, the term of
//! the gap after i is `(h_(i+1) - h_i)` by the largest gap, s is one minus the mean gap by the largest gap. A state without a
//! bound is slow in every cut. Guarantee: no cut lies between equal bounds; equal gaps give the smaller fast set.
//! Cost: O(n log n).

use super::bracket::StateBound;
use super::options::TIE;
use serde::Serialize;

/// A gap between the bounds that is at least this factor separates two clusters.
pub const CLUSTER_RATIO: f64 = 3.0;

/// Cuts suggested at most.
const MOST_CUTS: usize = 8;

/// Why a cut is suggested.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub enum CutKind {
    /// The largest gap between bounds: the choice of the papers.
    #[serde(rename = "largest gap")]
    LargestGap,
    /// The largest ratio of neighbouring bounds: an alternative that the papers do not have.
    #[serde(rename = "largest log gap")]
    LargestLogGap,
    /// Another gap by a factor of three or more.
    #[serde(rename = "further gap")]
    Further,
}

/// A place between two neighbouring bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    /// Number of fast states.
    pub after: usize,
    /// Distance of the bounds on both sides.
    pub gap: f64,
    /// Their ratio.
    pub ratio: f64,
    /// The smallest `h_lower` of the slow states.
    pub threshold: f64,
    /// Why it is suggested.
    pub kind: CutKind,
    /// No bracket of a fast state reaches the threshold.
    pub certified: bool,
}

impl Cut {
    /// The default step of a mixed-mode run with this cut: half of the smallest bound of the slow states.
    pub fn step(&self) -> f64 {
        0.5 * self.threshold
    }
}

/// Order, indices and cuts of a set of bounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Indices {
    /// States by ascending `h_lower`, equal ones by position.
    pub order: Vec<usize>,
    /// Number of finite bounds.
    pub n_finite: usize,
    /// Largest by smallest finite bound.
    pub stiffness_index: Option<f64>,
    /// Gaps by the largest gap.
    pub terms: Vec<f64>,
    /// One minus the mean gap by the largest.
    pub separability_index: Option<f64>,
    /// The suggested cuts, the largest gap first.
    pub cuts: Vec<Cut>,
    /// The first cut is certified; without a cut: all bounds are exact.
    pub certified: bool,
}

/// Whether two bounds are equal for all purposes.
pub fn tied(a: f64, b: f64) -> bool {
    a == b || (a.is_finite() && b.is_finite() && (a - b).abs() <= TIE * a.abs().max(b.abs()))
}

/// Sorts states and computes the indices.
pub fn indices(bounds: &[StateBound]) -> Indices {
    let mut order: Vec<usize> = (0..bounds.len()).collect();
    order.sort_by(|&a, &b| bounds[a].h_lower.total_cmp(&bounds[b].h_lower));
    restore_ties(&mut order, bounds);
    let finite: Vec<f64> = order.iter().map(|&state| bounds[state].h_lower).filter(|h| h.is_finite()).collect();
    let mut result = Indices { n_finite: finite.len(), ..Indices::default() };
    let (Some(&first), Some(&last)) = (finite.first(), finite.last()) else {
        result.order = order;
        result.certified = bounds.iter().all(|bound| bound.exact);
        return result;
    };
    if finite.len() >= 2 {
        result.stiffness_index = Some(last / first);
    }
    let gaps: Vec<f64> = finite.windows(2).map(|pair| if tied(pair[0], pair[1]) { 0.0 } else { pair[1] - pair[0] }).collect();
    let largest = gaps.iter().copied().fold(0.0, f64::max);
    if largest > 0.0 {
        result.terms = gaps.iter().map(|gap| gap / largest).collect();
        result.separability_index = Some(1.0 - (last - first) / (gaps.len() as f64 * largest));
        result.cuts = cuts(&order, bounds, &finite, &gaps);
    }
    result.certified = match result.cuts.first() {
        Some(cut) => cut.certified,
        None => bounds.iter().all(|bound| bound.exact),
    };
    result.order = order;
    result
}

/// Within a run of equal bounds the order is that of the states, although rounding may say otherwise.
fn restore_ties(order: &mut [usize], bounds: &[StateBound]) {
    let mut begin = 0;
    for at in 1..=order.len() {
        if at == order.len() || !tied(bounds[order[at - 1]].h_lower, bounds[order[at]].h_lower) {
            order[begin..at].sort_unstable();
            begin = at;
        }
    }
}

fn cuts(order: &[usize], bounds: &[StateBound], finite: &[f64], gaps: &[f64]) -> Vec<Cut> {
    // The largest `h_upper` of the states up to each place.
    let mut reach = Vec::with_capacity(order.len());
    let mut highest = 0.0f64;
    for &state in order {
        highest = highest.max(bounds[state].h_upper);
        reach.push(highest);
    }
    let cut = |place: usize, kind| {
        let threshold = finite[place + 1];
        Cut {
            after: place + 1,
            gap: gaps[place],
            ratio: finite[place + 1] / finite[place],
            threshold,
            kind,
            certified: reach[place] < threshold,
        }
    };
    // Gaps that differ by rounding only are equal: the first one wins.
    let best_by = |score: &dyn Fn(usize) -> f64| {
        let mut best: Option<(usize, f64)> = None;
        for place in (0..gaps.len()).filter(|&place| gaps[place] > 0.0) {
            let value = score(place);
            if best.is_none_or(|(_, before)| value > before * (1.0 + TIE)) {
                best = Some((place, value));
            }
        }
        best.map(|(place, _)| place)
    };
    let mut result = Vec::new();
    let mut places = Vec::new();
    if let Some(place) = best_by(&|place| gaps[place]) {
        result.push(cut(place, CutKind::LargestGap));
        places.push(place);
    }
    if let Some(place) = best_by(&|place| (finite[place + 1] / finite[place]).ln())
        && !places.contains(&place)
    {
        result.push(cut(place, CutKind::LargestLogGap));
        places.push(place);
    }
    let mut further: Vec<usize> =
        (0..gaps.len()).filter(|place| !places.contains(place) && finite[place + 1] / finite[*place] >= CLUSTER_RATIO).collect();
    further.sort_by(|&a, &b| (finite[b + 1] / finite[b]).total_cmp(&(finite[a + 1] / finite[a])));
    result.extend(further.into_iter().take(MOST_CUTS - result.len()).map(|place| cut(place, CutKind::Further)));
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(h: f64) -> StateBound {
        StateBound { h_lower: h, h_upper: h, exact: true, witness: Vec::new(), unstable: false }
    }

    #[test]
    fn equal_gaps_give_the_smaller_fast_set_and_ties_are_never_split() {
        let bounds: Vec<StateBound> = [1.0, 2.0, 2.0 * (1.0 + 1e-12), 3.0, f64::INFINITY].map(exact).to_vec();
        let found = indices(&bounds);
        assert_eq!(found.order, [0, 1, 2, 3, 4]);
        assert_eq!(found.n_finite, 4);
        assert_eq!(found.cuts[0].after, 1);
        assert_eq!(found.terms[1], 0.0);
        assert_eq!(found.stiffness_index, Some(3.0));
    }

    #[test]
    fn without_two_different_bounds_nothing_is_defined() {
        for bounds in [vec![exact(1.0), exact(1.0)], vec![exact(1.0), exact(f64::INFINITY)], vec![exact(f64::INFINITY); 2]] {
            let found = indices(&bounds);
            assert_eq!((found.separability_index, found.cuts.len()), (None, 0));
        }
    }
}
