//! Values within a step of a stiffly accurate method: what its interpolant lacks for stiff states.
//!
//! Interpolants of Runge-Kutta methods add up slopes of stages. Those of stiff states have the low order of single stages, and the
//! sum is wrong by far more than the tolerance where a step is long; the stages themselves lie on the trajectory there. For other
//! states it is the opposite.
//! Method: the differences of stages and interpolant at the times of the stages, their stiff part `d - (I - c*J)^-1*d` only, as a
//! polynomial that vanishes at both ends of the step.
//! Cost: one solution with the factors per stage and step.

use crate::base::simd::update;
use crate::integrate::methods::newton::Newton;
use crate::integrate::methods::one_step::add;
use crate::integrate::methods::tableau::{Dense, Tableau};

/// The stiff part of what the interpolant lacks, at the stages within the step.
#[derive(Debug)]
pub(crate) struct DenseOutputCorrection {
    /// Times of these stages, as parts of the step.
    times: Vec<f64>,
    /// How the slopes of the stages make up the difference there.
    weights: Vec<Vec<f64>>,
    /// The differences of the last accepted step.
    differences: Vec<Vec<f64>>,
    scratch: Vec<f64>,
}

impl DenseOutputCorrection {
    /// For a tableau with an interpolant of its own, and `n` states; nothing for others.
    pub(crate) fn new(tableau: &Tableau, n: usize) -> DenseOutputCorrection {
        let mut within = DenseOutputCorrection { times: Vec::new(), weights: Vec::new(), differences: Vec::new(), scratch: vec![0.0; n] };
        let Dense::Polynomial(rows) = tableau.dense else { return within };
        for (stage, time) in tableau.c.iter().enumerate().filter(|(_, time)| **time > 0.0 && **time < 1.0) {
            let of_stage = |j: usize| tableau.a[stage].get(j).copied().unwrap_or(0.0);
            let of_interpolant = |row: &[f64]| row.iter().rev().fold(0.0, |sum, p| (sum + p) * time);
            within.times.push(*time);
            within.weights.push(rows.iter().enumerate().map(|(j, row)| of_stage(j) - of_interpolant(row)).collect());
            within.differences.push(vec![0.0; n]);
        }
        within
    }

    /// Takes the stages of a step of size `h`.
    pub(crate) fn take(&mut self, stages: &[Vec<f64>], h: f64, newton: &mut Newton) {
        for (difference, weights) in self.differences.iter_mut().zip(&self.weights) {
            difference.fill(0.0);
            add(difference, stages, weights, h);
            self.scratch.copy_from_slice(difference);
            newton.filter(&mut self.scratch);
            update(difference, [&self.scratch], |whole, [slow]| whole - slow);
        }
    }

    /// Adds what is lacking at the part `theta` of the step.
    pub(crate) fn add_to(&self, theta: f64, x: &mut [f64]) {
        for (j, (at, difference)) in self.times.iter().zip(&self.differences).enumerate() {
            let ends = theta * (1.0 - theta) / (at * (1.0 - at));
            let others = self.times.iter().enumerate().filter(|(other, _)| *other != j);
            let weight = others.fold(ends, |weight, (_, other)| weight * (theta - other) / (at - other));
            update(x, [difference], |x, [d]| x + weight * d);
        }
    }
}
