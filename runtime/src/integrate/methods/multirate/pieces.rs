//! What states were between two points of a run, each at its own pace.
//!
//! Input: steps of single states. Output: values and slopes at any time between. A state that was woken within a step of its own follows it
//! up to that time only. Cost: the logarithm of the number of steps of the state.

/// One step of one state: `(1-s)*begin + s*(end + (1-s)*(p + s*q))` for `s` from 0 to 1.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Piece {
    /// Where it begins.
    pub(super) t: f64,
    /// Its length.
    pub(super) h: f64,
    pub(super) begin: f64,
    pub(super) end: f64,
    pub(super) p: f64,
    pub(super) q: f64,
}

impl Piece {
    pub(super) fn value(&self, t: f64) -> f64 {
        let s = (t - self.t) / self.h;
        self.begin * (1.0 - s) + s * (self.end + (1.0 - s) * (self.p + s * self.q))
    }

    pub(super) fn slope(&self, t: f64) -> f64 {
        let s = (t - self.t) / self.h;
        let curved = self.p + s * self.q;
        (self.end - self.begin + (1.0 - 2.0 * s) * curved + s * (1.0 - s) * self.q) / self.h
    }
}

/// The steps of all states since the last slab began.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    of: Vec<Vec<Piece>>,
}

impl Pieces {
    pub(super) fn new(n: usize) -> Pieces {
        Pieces { of: vec![Vec::new(); n] }
    }

    pub(super) fn clear(&mut self) {
        self.of.iter_mut().for_each(Vec::clear);
    }

    pub(super) fn push(&mut self, state: usize, piece: Piece) {
        self.of[state].push(piece);
    }

    /// The last step of a state, which is the one that it is in.
    pub(super) fn last(&self, state: usize) -> Option<&Piece> {
        self.of[state].last()
    }

    /// The state leaves its step at this time.
    pub(super) fn leave(&mut self, state: usize, t: f64) {
        if self.of[state].last().is_some_and(|piece| piece.t >= t) {
            self.of[state].pop();
        }
    }

    /// The value of a state; nothing before its first step.
    pub(super) fn value(&self, state: usize, t: f64) -> Option<f64> {
        let pieces = &self.of[state];
        let next = pieces.partition_point(|piece| piece.t <= t);
        pieces.get(next.max(1) - 1).map(|piece| piece.value(t))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_values() {
        let piece = Piece { t: 2.0, h: 0.5, begin: 1.0, end: 3.0, p: 0.7, q: -0.4 };
        assert_eq!((piece.value(2.0), piece.value(2.5)), (1.0, 3.0));
        for t in [2.0, 2.1, 2.3, 2.5] {
            let difference = (piece.value(t + 1e-6) - piece.value(t - 1e-6)) / 2e-6;
            assert!((difference - piece.slope(t)).abs() < 1e-8, "{t}");
        }
    }

    #[test]
    fn a_state_that_leaves_a_step_follows_the_next_one() {
        let mut pieces = Pieces::new(1);
        let step = |t: f64, begin: f64, end: f64| Piece { t, h: 1.0, begin, end, ..Piece::default() };
        pieces.push(0, step(0.0, 0.0, 1.0));
        pieces.leave(0, 0.5);
        pieces.push(0, step(0.5, 10.0, 20.0));
        assert_eq!(pieces.value(0, 0.25), Some(0.25));
        assert_eq!(pieces.value(0, 1.0), Some(15.0));
        pieces.leave(0, 0.5);
        assert_eq!(pieces.of[0].len(), 1);
    }
}
