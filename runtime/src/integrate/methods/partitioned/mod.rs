//! The iteration matrix of implicit methods: factors of `I - c*J` or, where the run is allowed to and it pays, of a fast block alone.
//!
//! Input: Jacobians, factors `c` and weights of steps, what solutions have taken. Output: solutions with factors at hand.
//! Method: a run that may partition begins with factors of all states. Where these are much of its work, it looks for fast states at
//! new factors ([`choice`]) and goes on with a [`BlockMatrix`], if at least [`WORTHWHILE`] of its work is saved. The formula
//! of a step and the test of its solution stay what they are, for all states: a partition changes how an iteration converges, never
//! what it converges to. A solution that fails with a partition is repeated without; so is everything after it, for a while.
//! Guarantees: decisions are made of counted operations, so that a run is the same on every machine; they are at most [`BUDGET`] of
//! the work done before. A run that may not partition does what it does without this file, to the last bit.
//! Cost: as long as the run does not partition, some additions per solution. A new partition allocates its matrix.

pub(crate) mod choice;
mod matrix;

use crate::integrate::system::statistics::Partitioning;
use crate::linear::dense::Singular;
use crate::linear::pattern::Pattern;
use crate::linear::{Linear, Work};
use crate::model::interface::HybridModel;
use choice::{Costs, Counts, Influences, RATES, iterations};
use matrix::BlockMatrix;

/// A partition has to promise this part of the work.
const WORTHWHILE: f64 = 0.15;
/// Decisions may cost this part of the work done before.
const BUDGET: f64 = 0.03;
/// Solutions with all states that have to be seen before a decision.
const SEEN: f64 = 20.0;
/// Solutions after which a partition is judged by what it took.
const TRIAL: f64 = 40.0;
/// It has to stay below this part of the work without it.
const KEPT: f64 = 0.97;
/// A partition is given up at factors whose rate of convergence is expected to be worse than this.
const WORST_RATE: f64 = 0.4;
/// Solutions until the next look after one that found nothing, at first and at most.
const PAUSE: f64 = 50.0;
const LONGEST_PAUSE: f64 = 1e5;
/// A run looks for no more partitions once it has given up so many, and more than half of all.
const MOST_GIVEN_UP: u64 = 4;
/// Operations per entry and row to find out which entries factors have.
const STRUCTURE: f64 = 60.0;
/// Factors that cost less than so many iterations are made anew for every `c`.
const CHEAP: f64 = 3.0;

/// The matrix.
#[derive(Debug)]
pub(crate) struct IterationMatrix {
    whole: Linear,
    /// For a run that may partition.
    partition: Option<Box<Partition>>,
}

/// What a run knows that may partition.
#[derive(Debug)]
struct Partition {
    /// What was chosen last; in use or not.
    matrix: Option<BlockMatrix>,
    in_use: bool,
    /// It is to end at the next factors.
    ends: bool,
    costs: Costs,
    influences: Influences,
    /// What was counted with factors of all states, and since the present partition.
    whole: Counts,
    split: Counts,
    /// Operations of the run so far, and of decisions.
    spent: f64,
    deciding: f64,
    /// Solutions after which a decision is due, and the next pause.
    next: f64,
    pause: f64,
    found: Partitioning,
}

impl IterationMatrix {
    pub(crate) fn new(pattern: &Pattern) -> IterationMatrix {
        IterationMatrix { whole: Linear::new(pattern), partition: None }
    }

    /// Allows the run to partition.
    pub(crate) fn allow(&mut self, model: &dyn HybridModel) {
        let states = model.n_states() as f64;
        self.partition = Some(Box::new(Partition {
            matrix: None,
            in_use: false,
            ends: false,
            costs: Costs { evaluation: model.operations(), states },
            influences: Influences::default(),
            whole: Counts::default(),
            split: Counts::default(),
            spent: 0.0,
            deciding: 0.0,
            next: SEEN,
            pause: PAUSE,
            found: Partitioning { states: model.n_states() as u64, ..Partitioning::default() },
        }));
    }

    /// Whether the factors at hand are those of a fast block.
    pub(crate) fn is_split(&self) -> bool {
        self.partition.as_ref().is_some_and(|partition| partition.in_use)
    }

    /// The factors at hand are to be replaced.
    pub(crate) fn is_ending(&self) -> bool {
        self.partition.as_ref().is_some_and(|partition| partition.ends)
    }

    /// Factors of a fast block that cost less than keeping old ones does.
    pub(crate) fn is_cheap(&self) -> bool {
        let Some(Partition { in_use: true, matrix: Some(matrix), costs, .. }) = self.partition.as_deref() else { return false };
        let work = matrix.work();
        work.factor <= CHEAP * costs.solution(Work { factor: 0.0, ..work }, 1.0, 0.0)
    }

    /// What was found so far, in a run that may partition.
    pub(crate) fn found(&self) -> Option<&Partitioning> {
        self.partition.as_ref().map(|partition| &partition.found)
    }

    /// Factorises for a step; `fresh` tells that the Jacobian is new.
    pub(crate) fn factor(&mut self, c: f64, jacobian: &[f64], fresh: bool, pattern: &Pattern, weights: &[f64]) -> Result<(), Singular> {
        let Some(partition) = &mut self.partition else { return self.whole.factor(c, jacobian) };
        partition.consider(&self.whole, c, jacobian, fresh, pattern, weights);
        if partition.in_use
            && let Some(matrix) = &mut partition.matrix
        {
            partition.split.factorisations += 1.0;
            partition.spent += matrix.work().factor;
            if matrix.factor(c, jacobian).is_ok() {
                return Ok(());
            }
            partition.give_up();
        }
        partition.whole.factorisations += 1.0;
        partition.spent += self.whole.work().factor;
        self.whole.factor(c, jacobian)
    }

    /// Replaces `b` by the solution with the factors at hand.
    pub(crate) fn solve(&mut self, b: &mut [f64]) {
        match self.partition.as_deref_mut() {
            Some(Partition { in_use: true, matrix: Some(matrix), .. }) => matrix.solve(b),
            _ => self.whole.solve(b),
        }
    }

    /// A solution took so many iterations.
    pub(crate) fn note_solution(&mut self, iterations: usize) {
        let Some(partition) = &mut self.partition else { return };
        let iterations = iterations as f64;
        let (counts, work) = match &partition.matrix {
            Some(matrix) if partition.in_use => (&mut partition.split, matrix.work()),
            _ => (&mut partition.whole, self.whole.work()),
        };
        counts.solutions += 1.0;
        counts.iterations += iterations;
        partition.spent += partition.costs.solution(work, iterations, 0.0);
        partition.found.solutions += 1;
        if partition.in_use {
            partition.found.split_solutions += 1;
            partition.judge(&self.whole);
        }
    }

    /// A solution with a partition has failed: it is to be repeated without.
    pub(crate) fn give_up(&mut self) {
        if let Some(partition) = &mut self.partition {
            partition.give_up();
        }
    }
}

impl Partition {
    fn give_up(&mut self) {
        (self.in_use, self.ends) = (false, false);
        self.found.given_up += 1;
        self.wait();
        if self.found.given_up >= MOST_GIVEN_UP && 2 * self.found.given_up > self.found.partitions {
            self.next = f64::INFINITY;
        }
    }

    /// No decision for a while.
    fn wait(&mut self) {
        self.next = self.whole.solutions + self.pause;
        self.pause = (2.0 * self.pause).min(LONGEST_PAUSE);
    }

    /// Ends a partition that does not keep its promise.
    fn judge(&mut self, whole: &Linear) {
        let Some(matrix) = &self.matrix else { return };
        if self.split.solutions >= TRIAL {
            let (with, without) = (self.costs.counted(matrix.work(), &self.split), self.costs.counted(whole.work(), &self.whole));
            match with <= KEPT * without {
                // A model that has taken partitions back is not trusted as one that has kept them.
                true => self.pause = (0.5 * self.pause).max(PAUSE),
                // The factors at hand serve until there are others.
                false => self.ends = true,
            }
            self.split = Counts::default();
        }
    }

    /// Operations may be spent on a decision.
    fn affords(&mut self, operations: f64) -> bool {
        let affords = self.deciding + operations <= BUDGET * self.spent;
        if affords {
            self.deciding += operations;
        }
        affords
    }

    /// Takes up a partition, keeps it or ends it at new factors.
    fn consider(&mut self, whole: &Linear, c: f64, jacobian: &[f64], fresh: bool, pattern: &Pattern, weights: &[f64]) {
        if self.ends {
            self.give_up();
        }
        if !self.in_use && (self.whole.solutions < self.next || !self.is_worth_a_look(whole)) {
            return;
        }
        if (fresh || self.influences.is_empty() || !self.in_use) && self.affords(jacobian.len() as f64) {
            self.influences.take(pattern, jacobian, weights);
        }
        if self.influences.is_empty() {
            return;
        }
        if self.in_use {
            let fast = self.matrix.as_ref().map_or(&[][..], BlockMatrix::fast);
            if self.influences.rate_with(fast, c) <= WORST_RATE {
                return;
            }
            self.in_use = false;
        }
        self.search(whole, c, pattern);
    }

    /// Factors of all states are enough of the work.
    fn is_worth_a_look(&mut self, whole: &Linear) -> bool {
        self.found.linear_part = self.costs.linear_part(whole.work(), &self.whole);
        if self.found.linear_part >= WORTHWHILE && self.found.states >= Partitioning::LEAST_STATES {
            return true;
        }
        self.wait();
        false
    }

    /// Looks for the best set of fast states.
    fn search(&mut self, whole: &Linear, c: f64, pattern: &Pattern) {
        let without = self.costs.counted(whole.work(), &self.whole);
        let promise = |costs: &Costs, work: Work, rate: f64| 1.0 - costs.solution(work, iterations(rate), 0.3) / without;
        let mut last = usize::MAX;
        let mut best: Option<(f64, BlockMatrix)> = None;
        let mut is_cut_short = false;
        for rate in RATES {
            if !self.affords(3.0 * self.costs.states) {
                is_cut_short = true;
                break;
            }
            let fast = self.influences.fast(c, rate);
            // Even if the block cost nothing: with more iterations nothing more is to be found.
            if promise(&self.costs, Work::default(), rate) < WORTHWHILE {
                break;
            }
            if fast.len() == last || fast.len() as f64 == self.costs.states {
                continue;
            }
            last = fast.len();
            let entries: usize = fast.iter().map(|&state| pattern.col_starts[state + 1] - pattern.col_starts[state]).sum();
            if !self.affords(STRUCTURE * (entries + fast.len()) as f64 + pattern.rows.len() as f64) {
                is_cut_short = true;
                break;
            }
            let matrix = BlockMatrix::new(pattern, fast);
            let promised = promise(&self.costs, matrix.work(), self.influences.rate_with(matrix.fast(), c));
            self.found.promised = self.found.promised.max(promised);
            self.found.least_fast = Some(self.found.least_fast.unwrap_or(u64::MAX).min(last as u64));
            if promised >= WORTHWHILE && best.as_ref().is_none_or(|(most, _)| promised > *most) {
                best = Some((promised, matrix));
            }
        }
        // It goes on at the next factors.
        if is_cut_short && best.is_none() {
            return;
        }
        self.found.searches += 1;
        match best {
            Some((_, matrix)) => {
                self.found.fast = matrix.fast().to_vec();
                self.found.partitions += 1;
                self.matrix = Some(matrix);
                self.split = Counts::default();
                self.in_use = true;
            }
            None => self.wait(),
        }
    }
}
