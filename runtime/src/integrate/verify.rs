//! How far two runs of a model are apart: a run and a reference on the same grid of times.
//!
//! Input: two [`Record`]s. Output: for every signal the largest error as a part of the signal's range, which is the figure that
//! means the same for every model; and over all states the figures of the papers: largest relative and absolute error and the
//! smallest `eps` with `|e| <= eps + eps*|y|`, which depends on the units of the states.
//! Points next to an event of either run are left out: there a time that is off by a step looks like a value that is off by a jump.

use super::Sink;
use crate::error::RunError;

/// The points of a run at the times of a grid; a time with an event counts with the values after it.
#[derive(Clone, Debug)]
pub struct Record {
    start: f64,
    stop: f64,
    interval: f64,
    /// Which columns of the results are kept.
    columns: Vec<usize>,
    /// By point of the grid; empty where the run did not come.
    rows: Vec<Vec<f64>>,
    /// Times with two points.
    events: Vec<f64>,
    last: Option<f64>,
}

impl Record {
    /// Keeps these columns at the times `start + k*interval` and at the end.
    pub fn new(start: f64, stop: f64, interval: f64, columns: Vec<usize>) -> Record {
        let n = ((stop - start) / interval - 1e-3).ceil().max(1.0) as usize + 1;
        Record { start, stop, interval, columns, rows: vec![Vec::new(); n], events: Vec::new(), last: None }
    }

    /// Number of grid points.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no points; never true.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The time of a grid point.
    pub fn time(&self, k: usize) -> f64 {
        if k + 1 >= self.rows.len() { self.stop } else { self.start + k as f64 * self.interval }
    }

    /// The kept columns at a grid point, if the run came there.
    pub fn row(&self, k: usize) -> Option<&[f64]> {
        self.rows.get(k).filter(|row| !row.is_empty()).map(Vec::as_slice)
    }

    /// Events happened at these times.
    pub fn events(&self) -> &[f64] {
        &self.events
    }

    fn near_event(&self, t: f64, within: f64) -> bool {
        let after = self.events.partition_point(|event| *event < t - within);
        self.events.get(after).is_some_and(|event| *event <= t + within)
    }
}

impl Sink for Record {
    fn point(&mut self, t: f64, row: &[f64]) -> Result<(), RunError> {
        if self.last == Some(t) && self.events.last() != Some(&t) {
            self.events.push(t);
        }
        self.last = Some(t);
        let k = (((t - self.start) / self.interval).round().max(0.0) as usize).min(self.rows.len() - 1);
        let last = self.rows.len() - 1;
        let k = if (t - self.stop).abs() <= 1e-9 * self.interval { last } else { k };
        if (t - self.time(k)).abs() <= 1e-9 * self.interval {
            self.rows[k].clear();
            self.rows[k].extend(self.columns.iter().map(|&column| row[column]));
        }
        Ok(())
    }
}

/// A signal that is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// Its name.
    pub name: String,
    /// It is a state.
    pub is_state: bool,
}

/// The error of one signal.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct SignalError {
    /// The signal.
    pub name: String,
    /// It is a state.
    pub is_state: bool,
    /// Difference of its largest and smallest value in the reference.
    pub range: f64,
    /// Largest absolute error.
    pub max_abs: f64,
    /// The same as a part of the range; of the largest value for a signal that is constant, and the error itself for one that is zero.
    pub of_range: f64,
    /// When.
    pub time: f64,
}

/// How far a run is from its reference.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Deviation {
    /// By signal, the worst first.
    pub signals: Vec<SignalError>,
    /// Over all states and points: largest `|e|/|y|`, points with `y = 0` left out.
    pub max_rel: f64,
    /// Over all states and points: largest `|e|`.
    pub max_abs: f64,
    /// Over all states and points: smallest `eps` with `|e| <= eps + eps*|y|`. Depends on units.
    pub epsilon: f64,
    /// Points that were compared.
    pub points: usize,
    /// Points that were left out because of events next to them.
    pub left_out: usize,
}

impl Deviation {
    /// Compares two records of the same grid and columns. `margin` is the distance from events within which points are left out;
    /// without it all points count.
    pub fn between(run: &Record, reference: &Record, compared: &[Compared], margin: Option<f64>) -> Deviation {
        let n = compared.len();
        let (mut low, mut high, mut size) = (vec![f64::INFINITY; n], vec![f64::NEG_INFINITY; n], vec![0.0_f64; n]);
        let (mut worst, mut at) = (vec![0.0_f64; n], vec![run.start; n]);
        let mut deviation = Deviation { signals: Vec::new(), max_rel: 0.0, max_abs: 0.0, epsilon: 0.0, points: 0, left_out: 0 };
        for k in 0..reference.len().min(run.len()) {
            let (Some(x), Some(y)) = (run.row(k), reference.row(k)) else { continue };
            let t = reference.time(k);
            for (i, y) in y.iter().enumerate() {
                low[i] = low[i].min(*y);
                high[i] = high[i].max(*y);
                size[i] = size[i].max(y.abs());
            }
            if margin.is_some_and(|margin| run.near_event(t, margin) || reference.near_event(t, margin)) {
                deviation.left_out += 1;
                continue;
            }
            deviation.points += 1;
            for (i, (x, y)) in x.iter().zip(y).enumerate() {
                // What is not a number is infinitely wrong.
                let error = if (x - y).is_nan() { f64::INFINITY } else { (x - y).abs() };
                if error > worst[i] {
                    (worst[i], at[i]) = (error, t);
                }
                if compared[i].is_state {
                    deviation.max_abs = deviation.max_abs.max(error);
                    deviation.epsilon = deviation.epsilon.max(error / (1.0 + y.abs()));
                    if *y != 0.0 {
                        deviation.max_rel = deviation.max_rel.max(error / y.abs());
                    }
                }
            }
        }
        for (i, compared) in compared.iter().enumerate() {
            let range = (high[i] - low[i]).max(0.0);
            let scale = if range > 1e-9 * size[i] { range } else { size[i] };
            let of_range = if scale > 0.0 { worst[i] / scale } else { worst[i] };
            deviation.signals.push(SignalError { name: compared.name.clone(), is_state: compared.is_state, range, max_abs: worst[i], of_range, time: at[i] });
        }
        deviation.signals.sort_by(|a, b| b.of_range.total_cmp(&a.of_range));
        deviation
    }

    /// The largest error of a signal as a part of its range.
    pub fn headline(&self) -> f64 {
        self.signals.first().map_or(0.0, |signal| signal.of_range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_measured_on_the_grid_and_not_at_events() {
        let record = |shift: f64, event: Option<f64>| {
            let mut record = Record::new(0.0, 1.0, 0.25, vec![0]);
            let mut times = vec![0.0, 0.25, 0.3, 0.5, 0.75, 1.0];
            if let Some(event) = event {
                times.extend([event, event]);
                times.sort_by(f64::total_cmp);
            }
            for t in times {
                record.point(t, &[2.0 * t + shift * t]).unwrap();
            }
            record
        };
        let compared = [Compared { name: "x".to_string(), is_state: true }];
        let deviation = Deviation::between(&record(0.1, None), &record(0.0, None), &compared, Some(0.01));
        assert_eq!((deviation.points, deviation.left_out), (5, 0));
        assert!((deviation.headline() - 0.05).abs() < 1e-12 && (deviation.max_rel - 0.05).abs() < 1e-12);
        assert!((deviation.max_abs - 0.1).abs() < 1e-12 && (deviation.epsilon - 0.1 / 3.0).abs() < 1e-12);
        let deviation = Deviation::between(&record(0.1, Some(0.999)), &record(0.0, None), &compared, Some(0.01));
        assert_eq!((deviation.points, deviation.left_out), (4, 1));
    }
}
