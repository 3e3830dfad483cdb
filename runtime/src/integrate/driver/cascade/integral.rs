//! Integrals of what reaches a part of a cascade from outside.
//!
//! Input: for each step of the head the derivatives of some states at three points of it. Output: their integrals from the begin of
//! the cascade to any time. Method: Gauss's formula over a step, the parabola through its points within. Guarantee: the integral over a step is
//! exact for polynomials of degree 5. Cost: three evaluations per step of the head; nothing depends on who reads the integral.

use super::trajectory::Trajectory;

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
}

impl Integral {
    pub(super) fn new(n: usize) -> Integral {
        Integral { n, begins: Vec::new(), values: Vec::new(), end: vec![0.0; n] }
    }

    /// Goes on with other steps from where the last one ended.
    pub(super) fn forget(&mut self) {
        self.begins.clear();
        self.values.clear();
    }

    /// Takes the functions at the points of the next step, one after the other.
    pub(super) fn push(&mut self, length: f64, values: &[f64]) {
        self.begins.extend_from_slice(&self.end);
        self.values.extend_from_slice(values);
        for (i, end) in self.end.iter_mut().enumerate() {
            *end += length * (0..POINTS).map(|j| weight(j, 1.0) * values[j * self.n + i]).sum::<f64>();
        }
    }

    /// The integrals up to a time.
    pub(super) fn at(&self, trajectory: &Trajectory, t: f64, out: &mut [f64]) {
        let at = trajectory.locate(t);
        let Some(segment) = trajectory.segments.get(at) else { return out.copy_from_slice(&self.end) };
        let length = segment.end - segment.begin;
        let theta = if length > 0.0 { ((t - segment.begin) / length).clamp(0.0, 1.0) } else { 0.0 };
        let weights: [f64; POINTS] = std::array::from_fn(|j| length * weight(j, theta));
        let values = &self.values[POINTS * self.n * at..];
        for (i, out) in out.iter_mut().enumerate() {
            *out =
                self.begins[self.n * at + i] + weights.iter().enumerate().map(|(j, weight)| weight * values[j * self.n + i]).sum::<f64>();
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
            integral.push(0.5, &values);
        }
        assert!((integral.end[0] - 64.0 / 6.0).abs() < 1e-12, "{}", integral.end[0]);
        assert!((weight(0, 0.4) + weight(1, 0.4) + weight(2, 0.4) - 0.4).abs() < 1e-15);
    }
}
