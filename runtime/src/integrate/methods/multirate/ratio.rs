//! How much work each state at its own step would save.
//!
//! Input: points that a method has accepted, at whatever steps. Output: the ratio of all states at the steps of the quickest to each state at
//! its own, without what multi-rate integration costs beside (an ideal, not a goal).
//! Method: the third difference over four accepted points tells, in parts of what is tolerated, how many steps each state would need of a
//! method of order 2. Points are looked at now and then only. Guarantee: counts, no times, so that the answer is the same everywhere.
//! Cost: copies of the states at a quarter of the steps at most, later at fewer.

use super::level::tolerated;
use crate::integrate::system::method::System;

/// Points for a difference.
const POINTS: usize = 4;
/// A look takes these points; then so many steps pass, in the beginning and later.
const FIRST_PAUSE: u64 = 4;
const LONGEST_PAUSE: u64 = 28;
/// After so many looks the answer counts.
const ENOUGH: u64 = 8;
/// What was seen earlier counts less by this factor at every look.
const MEMORY: f64 = 0.95;
/// Below this ratio states at their own steps do not pay.
pub(super) const LEAST_RATIO: f64 = 5.0;

/// The ratio of a run.
#[derive(Debug, Default)]
pub struct IdealRatio {
    times: Vec<f64>,
    points: Vec<Vec<f64>>,
    /// Steps until the next look, and the pause after it.
    left: u64,
    pause: u64,
    looks: u64,
    /// Work of all states at one step, and of each at its own, for the run and lately.
    together: [f64; 2],
    apart: [f64; 2],
    needed: Vec<f64>,
}

impl IdealRatio {
    /// The states have jumped: what was seen of the past is of no use.
    pub fn restart(&mut self) {
        self.times.clear();
    }

    /// A step was accepted. Whether the states were looked at.
    pub fn accepted(&mut self, system: &System<'_>, t: f64, x: &[f64]) -> bool {
        if self.left > 0 {
            self.left -= 1;
            return false;
        }
        let k = self.times.len();
        if self.points.len() <= k {
            self.points.push(Vec::new());
        }
        self.points[k].clear();
        self.points[k].extend_from_slice(x);
        self.times.push(t);
        if self.times.len() == POINTS {
            self.look(system);
            self.times.clear();
            self.pause = (self.pause + FIRST_PAUSE).min(LONGEST_PAUSE);
            self.left = self.pause;
            return true;
        }
        false
    }

    /// How many steps each state would have needed for one of the last that were looked at.
    pub(crate) fn needed(&self) -> &[f64] {
        &self.needed
    }

    fn look(&mut self, system: &System<'_>) {
        let t = &self.times;
        let mut weights = [1.0; POINTS];
        for (i, weight) in weights.iter_mut().enumerate() {
            *weight = (0..POINTS).filter(|j| *j != i).map(|j| 1.0 / (t[i] - t[j])).product();
        }
        let step = (t[POINTS - 1] - t[0]) / (POINTS - 1) as f64;
        let cube = step * step * step;
        self.needed.clear();
        for state in 0..self.points[0].len() {
            let third: f64 = weights.iter().zip(&self.points).map(|(weight, point)| weight * point[state]).sum();
            let (first, last) = (self.points[0][state], self.points[POINTS - 1][state]);
            self.needed.push((third.abs() * cube / tolerated(system, state, first, last)).cbrt());
        }
        let most = self.needed.iter().copied().fold(0.0, f64::max);
        if !(most.is_finite() && most > 0.0) {
            return;
        }
        // No state goes without any step.
        let least = (step / system.max_step).min(1.0);
        let apart: f64 = self.needed.iter().map(|needed| (needed / most).max(least)).sum();
        self.looks += 1;
        for (work, new) in [(&mut self.together, self.needed.len() as f64), (&mut self.apart, apart)] {
            work[0] += new;
            work[1] = MEMORY * work[1] + new;
        }
    }

    /// The ratio so far; nothing if hardly anything was seen.
    pub fn of_run(&self) -> Option<f64> {
        (self.looks > 0).then(|| self.together[0] / self.apart[0])
    }

    /// The ratio lately, once it is known well.
    pub(super) fn lately(&self) -> Option<f64> {
        (self.looks >= ENOUGH).then(|| self.together[1] / self.apart[1])
    }
}
