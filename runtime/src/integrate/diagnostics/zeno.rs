//! Events that come ever faster and accumulate: infinitely many in finite time (Zeno).
//!
//! Input: the events of a run and the values of the crossing functions at the ends of steps. Output: the crossing whose events have
//! accumulated, and when.
//!
//! Method: of every crossing the times of its events in one direction are kept as long as they come ever faster. Rounding ends such a
//! sequence where its gaps are too short to be told apart: a ball has no speed left to leave the ground, and falls through it. So
//! the sequence has accumulated if its gaps have shrunk to `SHRUNK` of the first one, the relation then keeps its last value for much
//! longer than a gap, and its crossing function goes farther to that side than it went between the last events, and `AWAY` of the
//! way it went at first. A model that ends such a sequence by itself, a ball that lies, keeps the crossing function where it is.
//! Events at scheduled times have accumulated where their gaps come down to the resolution of time.
//! Guarantee: nothing is said of events whose gaps do not shrink. Cost: a few operations per crossing at the ends of steps, while
//! there is a sequence.

/// Gaps are this part of the first one where they have accumulated.
const SHRUNK: f64 = 1e-4;
/// So many gaps are shorter than the ones before them.
const LEAST_SHORTER: u32 = 6;
/// A gap this much longer than the one before ends a sequence.
const LONGER: f64 = 1.5;
/// Events at less than this part of the gap before belong to the same moment.
const SAME_MOMENT: f64 = 1e-3;
/// The last value of the relation holds for so many of the last gaps.
const LASTING: f64 = 20.0;
/// How far the crossing function goes away, as part of its largest value in the sequence.
const AWAY: f64 = 1e-4;
/// How far it goes, compared with the last two gaps.
const FARTHER: f64 = 100.0;

/// Events of one crossing in one direction.
#[derive(Clone, Debug, Default)]
struct Sequence {
    count: u32,
    /// How often the gap was shorter than the one before.
    shorter: u32,
    last: f64,
    first_gap: f64,
    gap: f64,
    /// Largest value of the crossing function: in all, since the last event, and between the two before.
    largest: f64,
    since: f64,
    before: f64,
}

impl Sequence {
    fn note(&mut self, t: f64) {
        let gap = t - self.last;
        if self.count > 1 && gap < SAME_MOMENT * self.gap {
            return;
        }
        let goes_on = self.count > 1 && gap <= LONGER * self.gap;
        if self.count == 0 || self.count > 1 && !goes_on {
            *self = Sequence { count: 1, last: t, ..Sequence::default() };
            return;
        }
        if self.count == 1 {
            self.first_gap = gap;
        } else if gap < self.gap {
            self.shorter += 1;
        }
        self.count += 1;
        self.gap = gap;
        self.last = t;
        self.before = self.since;
        self.since = 0.0;
    }

    fn see(&mut self, value: f64) {
        self.largest = self.largest.max(value.abs());
        self.since = self.since.max(value.abs());
    }

    fn has_shrunk(&self) -> bool {
        // Of gaps that only vary about half are shorter.
        let most = 4 * self.shorter >= 3 * self.count.saturating_sub(2);
        most && self.shorter >= LEAST_SHORTER && self.gap <= SHRUNK * self.first_gap
    }
}

/// Events that have accumulated.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Accumulated {
    /// The crossing.
    pub(crate) crossing: usize,
    /// When.
    pub(crate) t: f64,
    /// How many events the sequence had, and how far the last two are apart.
    pub(crate) count: u32,
    /// See `count`.
    pub(crate) gap: f64,
}

/// The sequences of a run.
#[derive(Debug, Default)]
pub(crate) struct Zeno {
    /// For every crossing the events by which its relation became false and true.
    sequences: Vec<[Sequence; 2]>,
    /// The direction of each crossing's last event.
    last: Vec<Option<bool>>,
    /// Some sequence has shrunk.
    is_close: bool,
    scheduled: Sequence,
}

impl Zeno {
    /// Watches `n` crossings.
    pub(crate) fn new(n: usize) -> Zeno {
        Zeno { sequences: vec![<[Sequence; 2]>::default(); n], last: vec![None; n], ..Zeno::default() }
    }

    /// Crossings have fired.
    pub(crate) fn fired(&mut self, t: f64, crossings: &[(usize, bool)]) {
        for &(crossing, positive) in crossings {
            self.sequences[crossing][usize::from(positive)].note(t);
            self.last[crossing] = Some(positive);
        }
        self.is_close |= crossings.iter().any(|&(crossing, positive)| self.sequences[crossing][usize::from(positive)].has_shrunk());
    }

    /// A sequence of one of these crossings that has shrunk.
    pub(crate) fn shrunk(&self, crossings: &[usize]) -> Option<Accumulated> {
        let both = crossings.iter().flat_map(|&crossing| self.sequences[crossing].iter().map(move |sequence| (crossing, sequence)));
        let found = both.into_iter().find(|(_, sequence)| sequence.has_shrunk());
        found.map(|(crossing, sequence)| Accumulated { crossing, t: sequence.last, count: sequence.count, gap: sequence.gap })
    }

    /// A scheduled event at `t`, where times closer than `tiny` are the same: how many there were, if such events have accumulated.
    pub(crate) fn scheduled(&mut self, t: f64, tiny: f64) -> Option<u32> {
        self.scheduled.note(t);
        (self.scheduled.has_shrunk() && self.scheduled.gap <= tiny).then_some(self.scheduled.count)
    }

    /// The values of the crossing functions at the end of a step: what has accumulated.
    pub(crate) fn step(&mut self, t: f64, values: &[f64]) -> Option<Accumulated> {
        for (crossing, &value) in values.iter().enumerate() {
            let Some(positive) = self.last[crossing] else { continue };
            let sequence = &self.sequences[crossing][usize::from(positive)];
            let is_on_its_side = (value > 0.0) == positive && value != 0.0;
            if self.is_close && is_on_its_side && sequence.has_shrunk() {
                let far = value.abs() > AWAY * sequence.largest && value.abs() > FARTHER * sequence.since.max(sequence.before);
                if far && t - sequence.last > LASTING * sequence.gap {
                    return Some(Accumulated { crossing, t: sequence.last, count: sequence.count, gap: sequence.gap });
                }
                // What lies farther is not a part of the sequence.
                if t - sequence.last > LASTING * sequence.gap {
                    continue;
                }
            }
            for sequence in &mut self.sequences[crossing] {
                sequence.see(value);
            }
        }
        None
    }
}
