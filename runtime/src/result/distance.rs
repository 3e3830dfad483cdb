//! Distances between two courses of a signal, or of several together: by values at the same time, and by values at any time.
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

/// The largest Euclidean distance between points of equal number; infinite if one is no number or missing.
pub fn largest_distance(reference: &[Vec<f64>], result: &[Vec<f64>]) -> f64 {
    if reference.len() != result.len() {
        return f64::INFINITY;
    }
    let far = reference.iter().zip(result).map(|(a, b)| apart(a, b).sqrt());
    far.fold(0.0, |so_far, distance| if distance.is_nan() { f64::INFINITY } else { so_far.max(distance) })
}

/// `sup_a inf_b |a - b|` over points of several dimensions: from the reference to the result. The result lies in a tree that is split at
/// medians, each level along the next dimension. Cost: O((n + m) log m) where points do not crowd.
pub fn directional_hausdorff(reference: &[Vec<f64>], result: &[Vec<f64>]) -> f64 {
    let mut tree: Vec<&[f64]> = result.iter().map(Vec::as_slice).filter(|point| point.iter().all(|x| x.is_finite())).collect();
    arrange(&mut tree, 0);
    let mut largest = 0.0;
    for point in reference {
        let mut nearest = f64::INFINITY;
        search(&tree, point, 0, &mut nearest);
        largest = if point.iter().any(|x| x.is_nan()) { f64::INFINITY } else { nearest.max(largest) };
    }
    largest.sqrt()
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// Puts the median of a dimension into the middle, smaller ones before it; as deep as the logarithm of the number of points.
fn arrange(points: &mut [&[f64]], depth: usize) {
    if points.len() < 2 {
        return;
    }
    let (middle, axis) = (points.len() / 2, depth % points[0].len().max(1));
    points.select_nth_unstable_by(middle, |a, b| a[axis].total_cmp(&b[axis]));
    let (before, after) = points.split_at_mut(middle);
    arrange(before, depth + 1);
    arrange(&mut after[1..], depth + 1);
}

fn search(points: &[&[f64]], point: &[f64], depth: usize, nearest: &mut f64) {
    if points.is_empty() {
        return;
    }
    let (middle, axis) = (points.len() / 2, depth % point.len().max(1));
    *nearest = nearest.min(apart(points[middle], point));
    let side = point[axis] - points[middle][axis];
    let (near, far) = if side < 0.0 { (&points[..middle], &points[middle + 1..]) } else { (&points[middle + 1..], &points[..middle]) };
    search(near, point, depth + 1, nearest);
    if side * side <= *nearest {
        search(far, point, depth + 1, nearest);
    }
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
    fn the_tree_finds_what_a_search_of_all_points_finds() {
        let curve = |phase: f64, n: usize| -> Vec<Vec<f64>> {
            (0..n)
                .map(|k| f64::from(u32::try_from(k).unwrap_or(0)) * 0.07 + phase)
                .map(|t| vec![t.sin(), (1.7 * t).cos(), (0.3 * t).sin()])
                .collect()
        };
        let (reference, result) = (curve(0.0, 300), curve(0.4, 250));
        let nearest = |point: &Vec<f64>| result.iter().map(|other| apart(point, other)).fold(f64::INFINITY, f64::min);
        let wanted = reference.iter().map(nearest).fold(0.0, f64::max).sqrt();
        assert_eq!(directional_hausdorff(&reference, &result), wanted);
        assert_eq!(directional_hausdorff(&reference, &reference), 0.0);
        assert!(directional_hausdorff(&reference, &[]).is_infinite() && largest_distance(&reference, &result).is_infinite());
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
