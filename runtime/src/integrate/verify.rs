//! How far two runs of a model are apart: a run and a reference on the same grid of times.
//!
//! Input: two [`Record`]s. Output: for every signal the largest error as a part of the signal's range, which is the figure that
//! means the same for every model; and over all states the figures of the papers: largest relative and absolute error and the
//! smallest `eps` with `|e| <= eps + eps*|y|`, which depends on the units of the states.
//! Next to events of either run only states that do not jump are compared: what jumps, or turns sharply, is off by much there if its time
//! is slightly off. Where most points lie next to events everything is compared everywhere: leaving out must not hide an error.

use crate::base::error::RunError;
use crate::integrate::system::sink::Sink;

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
    /// The kept columns at the last point.
    last_row: Vec<f64>,
    /// By kept column: it has changed at an event.
    jumps: Vec<bool>,
    /// By kept column: smallest and largest value at any point of the run, on the grid or between.
    ranges: Vec<(f64, f64)>,
}

/// A change at an event that is larger than this part of the value is a jump; less is how accurately equations are solved.
const JUMP: f64 = 1e-6;

impl Record {
    /// Keeps these columns at the times `start + k*interval` and at the end.
    pub fn new(start: f64, stop: f64, interval: f64, columns: Vec<usize>) -> Record {
        let n = ((stop - start) / interval - 1e-3).ceil().max(1.0) as usize + 1;
        let (jumps, ranges) = (vec![false; columns.len()], vec![(f64::INFINITY, f64::NEG_INFINITY); columns.len()]);
        Record {
            start,
            stop,
            interval,
            columns,
            rows: vec![Vec::new(); n],
            events: Vec::new(),
            last: None,
            last_row: Vec::new(),
            jumps,
            ranges,
        }
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
        if self.last == Some(t) {
            if self.events.last() != Some(&t) {
                self.events.push(t);
            }
            for ((jumps, &column), before) in self.jumps.iter_mut().zip(&self.columns).zip(&self.last_row) {
                *jumps |= (row[column] - before).abs() > JUMP * row[column].abs().max(before.abs());
            }
        }
        self.last = Some(t);
        self.last_row.clear();
        self.last_row.extend(self.columns.iter().map(|&column| row[column]));
        for (range, value) in self.ranges.iter_mut().zip(&self.last_row) {
            *range = (range.0.min(*value), range.1.max(*value));
        }
        let k = (((t - self.start) / self.interval).round().max(0.0) as usize).min(self.rows.len() - 1);
        let last = self.rows.len() - 1;
        let k = if (t - self.stop).abs() <= 1e-9 * self.interval { last } else { k };
        if (t - self.time(k)).abs() <= 1e-9 * self.interval {
            self.rows[k].clone_from(&self.last_row);
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
    /// The part of that range that the reference visits between the points of the grid only.
    pub unseen: f64,
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
    /// Points at which only continuous states were compared because of events next to them.
    pub left_out: usize,
}

impl Deviation {
    /// Compares two records of the same grid and columns. `margin` is the distance from events within which only states that do
    /// not jump are compared, as long as that concerns no more than half of the points; without it everything is compared.
    pub fn between(run: &Record, reference: &Record, compared: &[Compared], margin: Option<f64>) -> Deviation {
        let n = compared.len();
        let (mut low, mut high, mut size) = (vec![f64::INFINITY; n], vec![f64::NEG_INFINITY; n], vec![0.0_f64; n]);
        let (mut worst, mut at) = (vec![0.0_f64; n], vec![run.start; n]);
        let mut deviation = Deviation { signals: Vec::new(), max_rel: 0.0, max_abs: 0.0, epsilon: 0.0, points: 0, left_out: 0 };
        let n_points = reference.len().min(run.len());
        let is_near = |t: f64| margin.is_some_and(|margin| run.near_event(t, margin) || reference.near_event(t, margin));
        let leaves_out = 2 * (0..n_points).filter(|&k| is_near(reference.time(k))).count() <= n_points;
        let is_smooth = |i: usize| compared[i].is_state && !run.jumps[i] && !reference.jumps[i];
        for k in 0..n_points {
            let (Some(x), Some(y)) = (run.row(k), reference.row(k)) else { continue };
            let t = reference.time(k);
            for (i, y) in y.iter().enumerate() {
                low[i] = low[i].min(*y);
                high[i] = high[i].max(*y);
                size[i] = size[i].max(y.abs());
            }
            let is_partial = leaves_out && is_near(t);
            deviation.left_out += usize::from(is_partial);
            deviation.points += 1;
            for (i, (x, y)) in x.iter().zip(y).enumerate() {
                if is_partial && !is_smooth(i) {
                    continue;
                }
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
            let (lowest, highest) = reference.ranges[i];
            let range = (highest - lowest).max(0.0);
            let unseen = if range > 1e-9 * size[i] { 1.0 - (high[i] - low[i]).max(0.0) / range } else { 0.0 };
            let scale = if range > 1e-9 * size[i] { range } else { size[i] };
            let of_range = if scale > 0.0 { worst[i] / scale } else { worst[i] };
            deviation.signals.push(SignalError {
                name: compared.name.clone(),
                is_state: compared.is_state,
                range,
                unseen,
                max_abs: worst[i],
                of_range,
                time: at[i],
            });
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

    /// A run with these rows at the times of a grid of four intervals; an event with a change of the second column lies at each of `events`.
    fn record(slope: f64, jump: f64, events: &[f64]) -> Record {
        let mut record = Record::new(0.0, 1.0, 0.25, vec![0, 1]);
        let value = |t: f64, passed: usize| [slope * t, jump * passed as f64];
        for t in [0.0, 0.25, 0.3, 0.5, 0.75, 1.0] {
            let passed = events.iter().filter(|event| **event < t).count();
            record.point(t, &value(t, passed)).unwrap();
            for _ in events.iter().filter(|event| **event == t) {
                record.point(t, &value(t, passed + 1)).unwrap();
            }
        }
        record
    }

    fn compared() -> [Compared; 2] {
        [("x", true), ("b", false)].map(|(name, is_state)| Compared { name: name.to_string(), is_state })
    }

    #[test]
    fn errors_are_measured_on_the_grid() {
        let deviation = Deviation::between(&record(2.1, 0.0, &[]), &record(2.0, 0.0, &[]), &compared(), Some(0.01));
        assert_eq!((deviation.points, deviation.left_out), (5, 0));
        assert!((deviation.headline() - 0.05).abs() < 1e-12 && (deviation.max_rel - 0.05).abs() < 1e-12);
        assert!((deviation.max_abs - 0.1).abs() < 1e-12 && (deviation.epsilon - 0.1 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn what_lies_between_the_points_of_the_grid_is_told() {
        let mut reference = Record::new(0.0, 1.0, 0.25, vec![0]);
        for k in 0..=40 {
            let t = f64::from(k) / 40.0;
            reference.point(t, &[t + if k % 10 == 5 { 1.0 } else { 0.0 }]).unwrap();
        }
        let deviation = Deviation::between(&reference, &reference, &compared()[..1], None);
        let x = &deviation.signals[0];
        assert!((x.range - 1.875).abs() < 1e-12 && (x.unseen - (1.0 - 1.0 / 1.875)).abs() < 1e-12, "{x:?}");
    }

    #[test]
    fn what_jumps_is_not_compared_next_to_its_event_and_what_does_not_is() {
        // The runs pass the event at the same point of the grid; one of them shows the value before it elsewhere.
        let (run, reference) = (record(2.1, 1.0, &[0.5]), record(2.0, 1.0, &[0.3]));
        let deviation = Deviation::between(&run, &reference, &compared(), Some(0.06));
        assert_eq!((deviation.points, deviation.left_out), (5, 2));
        assert_eq!(deviation.headline(), deviation.signals.iter().find(|signal| signal.name == "x").unwrap().of_range);
        assert!((deviation.max_abs - 0.1).abs() < 1e-12);
        let error_of = |deviation: &Deviation, name: &str| deviation.signals.iter().find(|signal| signal.name == name).unwrap().max_abs;
        assert_eq!(error_of(&deviation, "b"), 0.0);
        // The state is compared at the event, too.
        let deviation = Deviation::between(&record(2.1, 1.0, &[1.0]), &record(2.0, 1.0, &[1.0]), &compared(), Some(0.06));
        assert!((error_of(&deviation, "x") - 0.1).abs() < 1e-12);
    }

    #[test]
    fn events_everywhere_do_not_hide_an_error() {
        let events = [0.0, 0.25, 0.5, 0.75, 1.0];
        let deviation = Deviation::between(&record(2.0, 2.0, &events), &record(2.0, 1.0, &events), &compared(), Some(0.25));
        assert_eq!((deviation.points, deviation.left_out), (5, 0));
        assert!(deviation.headline() > 0.9, "{deviation:?}");
    }
}
