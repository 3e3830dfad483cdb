//! Long lines with few points that look the same.
//!
//! Input: points in the order of time. Output: fewer of them. Method: of every column the first, the lowest, the highest and the last point
//! are kept. Guarantee: nothing that reaches beyond its neighbours is lost, and the order stays. Cost: linear.

/// The points of a line, interrupted where one is not finite.
pub fn pieces(points: impl Iterator<Item = (f64, f64)>) -> Vec<Vec<(f64, f64)>> {
    let mut pieces = vec![Vec::new()];
    for (x, y) in points {
        match pieces.last_mut() {
            Some(piece) if x.is_finite() && y.is_finite() => piece.push((x, y)),
            Some(piece) if !piece.is_empty() => pieces.push(Vec::new()),
            _ => {}
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// First, lowest, highest and last point of every column; a column is a run of neighbours for which `column` is the same.
pub fn thinned(points: &[(f64, f64)], column: impl Fn(&(f64, f64)) -> f64) -> Vec<(f64, f64)> {
    let mut thin: Vec<(f64, f64)> = Vec::new();
    let mut begin = 0;
    while begin < points.len() {
        let here = column(&points[begin]);
        let end = begin + 1 + points[begin + 1..].iter().take_while(|point| column(point) == here).count();
        let part = &points[begin..end];
        let by_height = |a: &usize, b: &usize| part[*a].1.total_cmp(&part[*b].1);
        let lowest = (0..part.len()).min_by(by_height).unwrap_or(0);
        let highest = (0..part.len()).max_by(by_height).unwrap_or(0);
        let mut kept = [0, lowest, highest, part.len() - 1];
        kept.sort_unstable();
        for (i, at) in kept.iter().enumerate() {
            if i == 0 || kept[i - 1] != *at {
                thin.push(part[*at]);
            }
        }
        begin = end;
    }
    thin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extrema_stay() {
        let value = |k: u32| if k == 54_321 { 9.0 } else { f64::from(k % 7) };
        let points: Vec<(f64, f64)> = (0..100_000).map(|k| (f64::from(k) * 1e-3, value(k))).collect();
        let thin = thinned(&points, |point| point.0.floor());
        assert!(thin.len() <= 400 && thin.contains(&(54.321, 9.0)) && thin.first() == points.first() && thin.last() == points.last());
        assert!(thin.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!(thinned(&[], |point| point.0), []);
        assert_eq!(thinned(&[(f64::NAN, 1.0), (f64::NAN, 2.0)], |point| point.0).len(), 2);
    }

    #[test]
    fn lines_end_where_numbers_do() {
        let values = [f64::NAN, 1.0, 2.0, f64::INFINITY, f64::NAN, 3.0];
        let pieces = pieces(values.iter().enumerate().map(|(k, value)| (k as f64, *value)));
        assert_eq!(pieces, [vec![(1.0, 1.0), (2.0, 2.0)], vec![(5.0, 3.0)]]);
    }
}
