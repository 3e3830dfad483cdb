//! Distances between two courses of a signal: by values at the same time, and by values at any time.
//!
//! Input: times and values of a reference and of a result. Output: [`Distance`]: the smallest number eps with `|e| <= eps + eps |y|` at
//! all times of the reference (definition 2.2.4 of Papadopoulos' thesis on model simplification), the largest difference at the same
//! time, and the directional Hausdorff distance from the reference to the result, `sup_t inf_tau |y(t) - y_r(tau)|`, which ignores when
//! something happens. Method: linear interpolation at the times of the reference; the values of the result sorted, nearest ones by
//! bisection. Guarantee: what is no number is infinitely far away. Cost: O((n + m) log m).

/// How far a result is from a reference.
#[derive(Copy, Clone, Debug, PartialEq, serde::Serialize)]
pub struct Distance {
    /// The smallest eps with `|e| <= eps + eps |y|`; it depends on units.
    pub epsilon: f64,
    /// The largest difference at the same time.
    pub sup: f64,
    /// Directional Hausdorff, from the reference to the result.
    pub hausdorff: f64,
}

/// The value at a time, after events there.
fn at(times: &[f64], values: &[f64], time: f64) -> f64 {
    let after = times.partition_point(|t| *t <= time);
    let (before, after) = (after.saturating_sub(1), after.min(times.len() - 1));
    let (from, to) = (times[before], times[after]);
    if to > from && time > from { values[before] + (values[after] - values[before]) * (time - from) / (to - from) } else { values[before] }
}

/// The distances of a result from a reference; nothing if one of them has no points.
pub fn distance(reference: (&[f64], &[f64]), result: (&[f64], &[f64])) -> Option<Distance> {
    if reference.1.is_empty() || result.1.is_empty() {
        return None;
    }
    let mut sorted: Vec<f64> = result.1.iter().copied().filter(|value| !value.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    let mut found = Distance { epsilon: 0.0, sup: 0.0, hausdorff: 0.0 };
    let worse = |so_far: f64, value: f64| if value.is_nan() { f64::INFINITY } else { so_far.max(value) };
    for (time, y) in reference.0.iter().zip(reference.1) {
        let error = (at(result.0, result.1, *time) - y).abs();
        found.sup = worse(found.sup, error);
        found.epsilon = worse(found.epsilon, error / (1.0 + y.abs()));
        let next = sorted.partition_point(|value| value < y);
        let near = [next.checked_sub(1), Some(next)].into_iter().flatten().filter_map(|at| sorted.get(at));
        let nearest = near.map(|value| (value - y).abs()).fold(f64::INFINITY, f64::min);
        found.hausdorff = worse(found.hausdorff, if y.is_nan() { f64::NAN } else { nearest });
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_in_time_is_seen_by_all_but_hausdorff() {
        let times: Vec<f64> = (0..=1000).map(|k| f64::from(k) * 0.01).collect();
        let reference: Vec<f64> = times.iter().map(|t| 3.0 * t.sin()).collect();
        let late: Vec<f64> = times.iter().map(|t| 3.0 * (t - 0.1).sin()).collect();
        let found = distance((&times, &reference), (&times, &late)).expect("they have points");
        assert!((found.sup - 0.3).abs() < 1e-3, "{found:?}");
        assert!(found.hausdorff < 0.02, "{found:?}");
        // The largest |e| / (1 + |y|): 3 |sin t - sin(t - 0.1)| / (1 + 3 |sin t|), near a zero of the sine.
        assert!((found.epsilon - 0.2999 / (1.0 + 0.0)).abs() < 0.04, "{found:?}");
    }

    #[test]
    fn a_value_that_is_never_reached_and_one_that_is_no_number() {
        let (times, reference) = ([0.0, 1.0, 2.0], [0.0, 5.0, 0.0]);
        let found = distance((&times, &reference), (&times, &[0.0, 4.0, 0.0])).expect("they have points");
        assert_eq!(found, Distance { epsilon: 1.0 / 6.0, sup: 1.0, hausdorff: 1.0 });
        let found = distance((&times, &reference), (&times, &[0.0, f64::NAN, 0.0])).expect("they have points");
        assert!(found.sup.is_infinite() && found.epsilon.is_infinite() && found.hausdorff == 5.0, "{found:?}");
        assert_eq!(distance((&[], &[]), (&times, &reference)), None);
    }
}
