//! Integrals of what reaches a part of a cascade from outside, and their smooth parts.
//!
//! Input: for each step of the head the derivatives of some states at three points of it. Output: their integrals `B` from the begin of
//! the cascade to any time; `S`, which is `B` without its ripple; and `Q`, the integral of the ripple `B - S`.
//! Method: Gauss's formula over a step, the parabola through its points within. `S` is the value at a time of the cubic polynomial that fits `B`
//! best in a window around it with the weights `(1 - v^2)^2`, `-1 < v < 1`; of a ripple with `k` periods in half of the window it leaves about
//! `52/(2 pi k)^3`. The window stays within the steps that are known, so that near their ends the time is not in its middle.
//! Guarantee: the integral over a step is exact for polynomials of degree 5. Cost: three evaluations per step of the head, whoever reads
//! the integral; for a smooth part all steps of the head within the window.

use super::trajectory::{Segment, Trajectory};

/// Points of the formula.
pub(super) const POINTS: usize = 3;

/// Where they lie in a step.
pub(super) fn point(j: usize) -> f64 {
    0.5 + (j as f64 - 1.0) * 0.15_f64.sqrt()
}

/// The integral from 0 to `theta` of the parabola that is 1 at one of the points and 0 at the others.
fn weight(j: usize, theta: f64) -> f64 {
    let own = point(j);
    let [a, b] = [(j + 1) % POINTS, (j + 2) % POINTS].map(point);
    let cubic = theta * (theta * (theta / 3.0 - 0.5 * (a + b)) + a * b);
    cubic / ((own - a) * (own - b))
}

/// Weights of Gauss's formula.
const GAUSS: [f64; POINTS] = [5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0];
/// A fit is taken over pieces that are no longer than this part of half its window.
const FINE: f64 = 0.1;

/// Steps whose moments are kept together.
const BLOCK: usize = 16;
/// Coefficients of the integral of the weights, and moments that it needs.
const TERMS: usize = 9;

/// The weights that give the value at one time of the best fit: `(1 - v^2)^2` times a cubic polynomial. Kept is their integral, which is zero at
/// `v = -1` and one at `v = 1`, by its coefficients around a place.
#[derive(Copy, Clone, Debug)]
struct Fit([f64; TERMS]);

impl Fit {
    /// At a place of the window. From the polynomials that are orthogonal with the weights of the fit: `1`, `v`, `v^2 - 1/7`, `v^3 - v/3`.
    fn at(v: f64) -> Fit {
        let [c, d] = [(v * v - 1.0 / 7.0) * 2205.0 / 64.0, v * (v * v - 1.0 / 3.0) * 10395.0 / 64.0];
        let [a, b] = [15.0 / 16.0 - c / 7.0, v * 105.0 / 16.0 - d / 3.0];
        let weights = [a, b, c - 2.0 * a, d - 2.0 * b, a - 2.0 * c, b - 2.0 * d, c, d];
        let mut terms = [0.0; TERMS];
        for (k, weight) in weights.into_iter().enumerate() {
            terms[k + 1] = weight / (k + 1) as f64;
        }
        terms[0] = -Fit(terms).integral(-1.0);
        Fit(terms)
    }

    /// Around another place.
    fn around(&self, v: f64) -> Fit {
        let mut terms = self.0;
        for first in 0..TERMS {
            for k in (first..TERMS - 1).rev() {
                terms[k] += v * terms[k + 1];
            }
        }
        Fit(terms)
    }

    /// The weight at a distance from the place.
    fn weight(&self, v: f64) -> f64 {
        self.0.iter().enumerate().skip(1).rev().fold(0.0, |sum, (k, term)| sum * v + k as f64 * term)
    }

    /// The integral of the weights up to there.
    fn integral(&self, v: f64) -> f64 {
        self.0.iter().rev().fold(0.0, |sum, term| sum * v + term)
    }
}

/// Some steps in a row: the integrals of `B` times powers of the time since they began.
#[derive(Debug)]
struct Block {
    begin: f64,
    end: f64,
    /// For each function one after the other.
    moments: Vec<[f64; TERMS]>,
}

/// Integrals of several functions.
#[derive(Debug)]
pub(super) struct Integral {
    n: usize,
    /// At the begin of each step.
    begins: Vec<f64>,
    /// The functions at the points of each step.
    values: Vec<f64>,
    /// At the end of the last step.
    end: Vec<f64>,
    /// Moments of the steps, [`BLOCK`] by [`BLOCK`].
    blocks: Vec<Block>,
    /// Workspace.
    here: Vec<f64>,
    there: Vec<f64>,
}

impl Integral {
    pub(super) fn new(n: usize) -> Integral {
        Integral {
            n,
            begins: Vec::new(),
            values: Vec::new(),
            end: vec![0.0; n],
            blocks: Vec::new(),
            here: vec![0.0; n],
            there: vec![0.0; n],
        }
    }

    /// Goes on with other steps from where the last one ended.
    pub(super) fn forget(&mut self) {
        self.begins.clear();
        self.values.clear();
        self.blocks.clear();
    }

    /// Takes the functions at the points of the next step, one after the other.
    pub(super) fn push(&mut self, segment: &Segment, values: &[f64]) {
        let length = segment.end - segment.begin;
        let at = self.values.len() / (POINTS * self.n).max(1);
        self.begins.extend_from_slice(&self.end);
        self.values.extend_from_slice(values);
        if at.is_multiple_of(BLOCK) {
            self.blocks.push(Block { begin: segment.begin, end: segment.end, moments: vec![[0.0; TERMS]; self.n] });
        }
        let mut there = std::mem::take(&mut self.there);
        for (j, gauss) in GAUSS.iter().enumerate() {
            let t = segment.begin + point(j) * length;
            self.within(at, segment, t, &mut there);
            let Some(block) = self.blocks.last_mut() else { continue };
            for (moments, there) in block.moments.iter_mut().zip(&there) {
                let mut power = gauss * length * there;
                for moment in moments {
                    *moment += power;
                    power *= t - block.begin;
                }
            }
        }
        self.there = there;
        if let Some(block) = self.blocks.last_mut() {
            block.end = segment.end;
        }
        for (i, end) in self.end.iter_mut().enumerate() {
            *end += length * (0..POINTS).map(|j| weight(j, 1.0) * values[j * self.n + i]).sum::<f64>();
        }
    }

    /// The integrals up to a time.
    pub(super) fn at(&self, trajectory: &Trajectory, t: f64, out: &mut [f64]) {
        let at = trajectory.locate(t);
        match trajectory.segments.get(at) {
            Some(segment) => self.within(at, segment, t, out),
            None => out.copy_from_slice(&self.end),
        }
    }

    /// The integrals up to a time within a step.
    fn within(&self, at: usize, segment: &Segment, t: f64, out: &mut [f64]) {
        let length = segment.end - segment.begin;
        let theta = if length > 0.0 { ((t - segment.begin) / length).clamp(0.0, 1.0) } else { 0.0 };
        let weights: [f64; POINTS] = std::array::from_fn(|j| length * weight(j, theta));
        let values = &self.values[POINTS * self.n * at..];
        for (i, out) in out.iter_mut().enumerate() {
            let inner: f64 = weights.iter().enumerate().map(|(j, weight)| weight * values[j * self.n + i]).sum();
            *out = self.begins[self.n * at + i] + inner;
        }
    }

    /// The smooth parts at a time and the integrals of the ripple, by a fit over so much before and after it.
    pub(super) fn smooth(&mut self, trajectory: &Trajectory, t: f64, half: f64, smooth: &mut [f64], ripple: &mut [f64]) {
        self.at(trajectory, t, smooth);
        ripple.fill(0.0);
        let (Some(first), Some(last)) = (trajectory.segments.first(), trajectory.segments.last()) else { return };
        let half = half.min(0.5 * (last.end - first.begin));
        if half <= 0.0 {
            return;
        }
        let mut here = std::mem::take(&mut self.here);
        here.copy_from_slice(smooth);
        let middle = t.max(first.begin + half).min(last.end - half);
        let window = Window { t, middle, half, fit: Fit::at((t - middle) / half) };
        let (begin, end) = (middle - half, middle + half);
        let skipped = self.blocks.partition_point(|block| block.end <= begin);
        for number in skipped..self.blocks.len() {
            let block = &self.blocks[number];
            if block.begin >= end {
                break;
            }
            let is_within = begin <= block.begin && block.end <= end && (block.end <= t || t <= block.begin);
            match is_within && block.end - block.begin < half {
                true => window.add_block(block, &here, (&mut *smooth, &mut *ripple)),
                false => self.add_steps(trajectory, number, &window, &here, (&mut *smooth, &mut *ripple)),
            }
        }
        self.here = here;
    }

    /// Adds what the steps of a block give within a window.
    fn add_steps(
        &mut self,
        trajectory: &Trajectory,
        block: usize,
        window: &Window,
        here: &[f64],
        (smooth, ripple): (&mut [f64], &mut [f64]),
    ) {
        let Window { t, middle, half, ref fit } = *window;
        let (begin, end) = (middle - half, middle + half);
        let mut there = std::mem::take(&mut self.there);
        for (at, segment) in trajectory.segments.iter().enumerate().skip(BLOCK * block).take(BLOCK) {
            // The weights of the ripple jump at the time itself.
            for (from, to) in
                [(segment.begin.max(begin), segment.end.min(t).min(end)), (segment.begin.max(t).max(begin), segment.end.min(end))]
            {
                let pieces = ((to - from) / (FINE * half)).ceil();
                let length = (to - from) / pieces.max(1.0);
                for piece in 0..pieces as u32 {
                    let from = from + f64::from(piece) * length;
                    for (j, gauss) in GAUSS.iter().enumerate() {
                        let time = from + point(j) * length;
                        let v = (time - middle) / half;
                        let of_ripple = gauss * length * if time < t { fit.integral(v) } else { fit.integral(v) - 1.0 };
                        let of_smooth = gauss * length / half * fit.weight(v);
                        self.within(at, segment, time, &mut there);
                        for (i, (there, here)) in there.iter().zip(here).enumerate() {
                            smooth[i] += of_smooth * (there - here);
                            ripple[i] += of_ripple * (there - here);
                        }
                    }
                }
            }
        }
        self.there = there;
    }
}

/// Where a fit is made, and for which time.
struct Window {
    t: f64,
    middle: f64,
    half: f64,
    fit: Fit,
}

impl Window {
    /// Adds what a block gives that lies within the window and does not contain the time.
    fn add_block(&self, block: &Block, here: &[f64], (smooth, ripple): (&mut [f64], &mut [f64])) {
        let Fit(terms) = self.fit.around((block.begin - self.middle) / self.half);
        let length = block.end - block.begin;
        let jump = if block.end <= self.t { 0.0 } else { 1.0 };
        for (i, moments) in block.moments.iter().enumerate() {
            let (mut scale, mut power) = (1.0, length);
            let mut around = [0.0; TERMS];
            for (k, (around, moment)) in around.iter_mut().zip(moments).enumerate() {
                // Without the value at the time itself, which is the largest part.
                *around = scale * (moment - here[i] * power / (k + 1) as f64);
                scale /= self.half;
                power *= length;
            }
            ripple[i] += terms.iter().zip(&around).map(|(term, moment)| term * moment).sum::<f64>() - jump * around[0];
            smooth[i] += (1..TERMS).map(|k| k as f64 * terms[k] * around[k - 1]).sum::<f64>() / self.half;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integrals_over_steps_are_of_order_six() {
        let mut integral = Integral::new(1);
        for k in 0..4 {
            let values: Vec<f64> = (0..POINTS).map(|j| (0.5 * (f64::from(k) + point(j))).powi(5)).collect();
            integral.push(&Segment::of(0.5 * f64::from(k), 0.5 * f64::from(k + 1)), &values);
        }
        assert!((integral.end[0] - 64.0 / 6.0).abs() < 1e-12, "{}", integral.end[0]);
        assert!((weight(0, 0.4) + weight(1, 0.4) + weight(2, 0.4) - 0.4).abs() < 1e-15);
    }

    /// Steps of equal length from 0 to 1, over which the derivative of `b` is integrated.
    fn integrated(n: usize, slope: impl Fn(f64) -> f64) -> (Trajectory, Integral) {
        let (mut trajectory, mut integral) = (Trajectory::default(), Integral::new(1));
        let length = 1.0 / n as f64;
        for k in 0..n {
            let begin = k as f64 * length;
            let values: Vec<f64> = (0..POINTS).map(|j| slope(begin + point(j) * length)).collect();
            trajectory.segments.push(Segment::of(begin, begin + length));
            integral.push(&trajectory.segments[k], &values);
        }
        (trajectory, integral)
    }

    #[test]
    fn a_ripple_is_taken_out_and_polynomials_stay_wherever_the_time_is() {
        // The integral of the parabola is the highest polynomial that stays.
        let parabola = |t: f64| t - 3.0 * t * t;
        let slope = |t: f64| 1.0 - 6.0 * t;
        let (frequency, amplitude) = (2.0 * std::f64::consts::PI * 50.0, 0.02);
        let (trajectory, mut integral) = integrated(1000, |t| slope(t) + amplitude * frequency * (frequency * t).cos());
        let (plain, mut exact) = integrated(7, slope);
        for t in [0.0, 0.03, 0.2, 0.5, 0.71, 0.95, 1.0] {
            let (mut smooth, mut ripple) = ([0.0], [0.0]);
            exact.smooth(&plain, t, 0.2, &mut smooth, &mut ripple);
            assert!((smooth[0] - parabola(t)).abs() < 1e-6 && ripple[0].abs() < 1e-6, "{t}: {smooth:?} {ripple:?}");
            integral.smooth(&trajectory, t, 0.2, &mut smooth, &mut ripple);
            assert!((smooth[0] - parabola(t)).abs() < 0.03 * amplitude, "{t}: {smooth:?}");
            let expected = -amplitude / frequency * (frequency * t).cos();
            assert!((ripple[0] - expected).abs() < 0.03 * amplitude / frequency, "{t}: {ripple:?} instead of {expected}");
        }
    }
}
