//! Output times.

/// Output times.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// Times one by one, instead of those at equal distances.
    listed: Option<Vec<f64>>,
    start: f64,
    stop: f64,
    interval: f64,
    /// Number of the next output time.
    next: u64,
    /// Number of the last one, which is the end.
    last: u64,
}

impl Grid {
    pub(super) fn new(start: f64, stop: f64, interval: f64) -> Grid {
        let last = if stop > start {
            // A remainder below a thousandth of an interval is rounding of the interval, not a wish for another point.
            (((stop - start) / interval - 1e-3).ceil() as u64).max(1)
        } else {
            0
        };
        Grid { listed: None, start, stop, interval, next: 0, last }
    }

    /// These times, which ascend.
    pub(super) fn of(times: Vec<f64>) -> Grid {
        Grid { listed: Some(times), start: 0.0, stop: 0.0, interval: 0.0, next: 0, last: 0 }
    }

    pub(super) fn time(&self, number: u64) -> f64 {
        if number >= self.last { self.stop } else { self.start + number as f64 * self.interval }
    }

    /// The next output time that has not been passed, if any.
    pub(super) fn peek(&self) -> Option<f64> {
        if let Some(listed) = &self.listed {
            return listed.get(self.next as usize).copied();
        }
        if self.next <= self.last { Some(self.time(self.next)) } else { None }
    }

    /// Output times up to `t` are done.
    pub(super) fn pass(&mut self, t: f64, tiny: f64) {
        while self.peek().is_some_and(|next| next <= t + tiny) {
            self.next += 1;
        }
    }
}
