//! Real roots of polynomials of low degree.
//!
//! Input: coefficients from the constant on. Output: the real roots, ascending, multiple ones once.
//!
//! Method: up to degree two by formulas that lose no digits to cancellation; polynomials in the square of the unknown by those of half the
//! degree; others from the roots of their derivative, between which they are monotone: a change of sign is halved until it is a number.
//! A turning point whose value is rounding error is a root. Coefficients are divided by a power of two first, so that squares neither
//! overflow nor vanish.
//! Guarantee: each root is accurate as far as the polynomial is conditioned; simple roots are all found. What is not finite has no roots,
//! and neither has the polynomial that is zero everywhere.
//! Cost: constant; nothing is allocated.
#![forbid(unsafe_code)]

/// The highest degree.
pub const MAX_DEGREE: usize = 8;
/// Halvings that bring any interval of doubles down to two neighbours.
const MOST_HALVINGS: usize = 200;

/// A few numbers.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Roots {
    values: [f64; MAX_DEGREE],
    n: usize,
}

impl Roots {
    /// The numbers, ascending.
    pub fn as_slice(&self) -> &[f64] {
        &self.values[..self.n]
    }

    /// Adds a number at its place, unless it is there or not finite.
    fn add(&mut self, value: f64) {
        let at = self.as_slice().partition_point(|other| *other < value);
        if !value.is_finite() || self.n == MAX_DEGREE || self.as_slice().get(at) == Some(&value) {
            return;
        }
        self.values.copy_within(at..self.n, at + 1);
        self.values[at] = value;
        self.n += 1;
    }
}

/// The real roots of the polynomial with these coefficients, at most [`MAX_DEGREE`] plus one of them.
pub fn real_roots(coefficients: &[f64]) -> Roots {
    let mut roots = Roots::default();
    let largest = coefficients.iter().fold(0.0, |most: f64, c| most.max(c.abs()));
    if coefficients.len() > MAX_DEGREE + 1 || coefficients.iter().any(|c| !c.is_finite()) || largest == 0.0 {
        return roots;
    }
    // A power of two, so that nothing is rounded.
    let scale = 2.0_f64.powi(-(largest.log2().floor() as i32).clamp(-1000, 1000));
    let mut scaled = [0.0; MAX_DEGREE + 1];
    let mut degree = 0;
    for (power, (to, from)) in scaled.iter_mut().zip(coefficients).enumerate() {
        *to = from * scale;
        if *to != 0.0 {
            degree = power;
        }
    }
    let lowest = scaled.iter().position(|c| *c != 0.0).unwrap_or(0);
    add_roots(&scaled[lowest..=degree], &mut roots);
    if lowest > 0 {
        roots.add(0.0);
    }
    roots
}

/// The roots of a polynomial whose first and last coefficients are not zero.
fn add_roots(c: &[f64], roots: &mut Roots) {
    match *c {
        [] | [_] => {}
        [c0, c1] => roots.add(-c0 / c1),
        [c0, c1, c2] => add_roots_of_quadratic(c0, c1, c2, roots),
        _ if c.iter().skip(1).step_by(2).all(|odd| *odd == 0.0) => add_roots_of_squares(c, roots),
        _ => add_roots_between(c, roots),
    }
}

fn add_roots_of_quadratic(c0: f64, c1: f64, c2: f64, roots: &mut Roots) {
    let (square, product) = (c1 * c1, 4.0 * c0 * c2);
    let discriminant = square - product;
    // What rounding alone makes negative is a double root.
    let rounding = 4.0 * f64::EPSILON * (square + product.abs());
    if discriminant < -rounding {
        return;
    }
    let half = -0.5 * (c1 + discriminant.max(0.0).sqrt().copysign(c1));
    roots.add(half / c2);
    roots.add(c0 / half);
}

/// The roots of a polynomial in the square of the unknown.
fn add_roots_of_squares(c: &[f64], roots: &mut Roots) {
    let mut of_square = [0.0; MAX_DEGREE / 2 + 1];
    let n = c.len().div_ceil(2);
    of_square.iter_mut().zip(c.iter().step_by(2)).for_each(|(to, from)| *to = *from);
    let mut squares = Roots::default();
    add_roots(&of_square[..n], &mut squares);
    for square in squares.as_slice().iter().filter(|square| **square >= 0.0) {
        roots.add(square.sqrt());
        roots.add(-square.sqrt());
    }
}

/// The value of a polynomial and the sum of the sizes of its terms.
fn value(c: &[f64], x: f64) -> (f64, f64) {
    c.iter().rev().fold((0.0, 0.0), |(sum, size), c| (sum * x + c, size * x.abs() + c.abs()))
}

fn add_roots_between(c: &[f64], roots: &mut Roots) {
    let degree = c.len() - 1;
    let mut slope = [0.0; MAX_DEGREE];
    for (power, to) in slope[..degree].iter_mut().enumerate() {
        *to = (power + 1) as f64 * c[power + 1];
    }
    let turns = real_roots(&slope[..degree]);
    let bound = bound(c);
    let mut left = -bound;
    for &right in turns.as_slice().iter().filter(|turn| turn.abs() < bound).chain([&bound]) {
        let (at, size) = value(c, right);
        if right < bound && at.abs() <= 4.0 * degree as f64 * f64::EPSILON * size {
            roots.add(right);
        } else if let Some(root) = crossing(c, left, right) {
            roots.add(root);
        }
        left = right;
    }
}

/// All roots are smaller (Fujiwara, "Über die obere Schranke des absoluten Betrages der Wurzeln einer algebraischen Gleichung", 1916).
fn bound(c: &[f64]) -> f64 {
    let Some((last, others)) = c.split_last() else { return 0.0 };
    let parts = others.iter().rev().enumerate().map(|(k, c)| (c / last).abs().powf(1.0 / (k + 1) as f64));
    (2.0 * parts.fold(0.0, f64::max)).min(f64::MAX) * (1.0 + 4.0 * f64::EPSILON)
}

/// Where a polynomial that is monotone between two points changes its sign, if it does.
fn crossing(c: &[f64], mut left: f64, mut right: f64) -> Option<f64> {
    let sign = value(c, left).0;
    if sign == 0.0 || (sign > 0.0) == (value(c, right).0 > 0.0) {
        return None;
    }
    for _ in 0..MOST_HALVINGS {
        let middle = 0.5 * left + 0.5 * right;
        if middle <= left || middle >= right {
            break;
        }
        let at = value(c, middle).0;
        if at == 0.0 {
            return Some(middle);
        }
        if (at > 0.0) == (sign > 0.0) {
            left = middle;
        } else {
            right = middle;
        }
    }
    Some(if value(c, left).0.abs() < value(c, right).0.abs() { left } else { right })
}

#[cfg(test)]
mod tests {
    use super::{MAX_DEGREE, real_roots};

    /// The coefficients of a product of linear factors.
    fn product(roots: &[f64]) -> Vec<f64> {
        roots.iter().fold(vec![1.0], |c, root| {
            let mut next = vec![0.0; c.len() + 1];
            for (power, c) in c.iter().enumerate() {
                next[power + 1] += c;
                next[power] -= root * c;
            }
            next
        })
    }

    fn near(coefficients: &[f64], expected: &[f64], tolerance: f64) {
        let found = real_roots(coefficients);
        assert_eq!(found.as_slice().len(), expected.len(), "{coefficients:?} {found:?}");
        for (a, b) in found.as_slice().iter().zip(expected) {
            assert!((a - b).abs() <= tolerance * b.abs().max(1e-300), "{found:?} {expected:?}");
        }
    }

    #[test]
    fn polynomials_have_the_roots_that_they_were_made_of() {
        near(&[6.0, -3.0], &[2.0], 0.0);
        near(&[0.0, 0.0, 5.0], &[0.0], 0.0);
        near(&[-4.0, 0.0, 1.0], &[-2.0, 2.0], 0.0);
        near(&[4.0, 0.0, -5.0, 0.0, 1.0], &[-2.0, -1.0, 1.0, 2.0], 1e-15);
        for n in 3..=MAX_DEGREE {
            let roots: Vec<f64> = (0..n).map(|i| i as f64 * 1.5 - 4.0).collect();
            near(&product(&roots), &roots, 1e-9);
        }
        near(&product(&[-1.0, 2.0, 2.0]), &[-1.0, 2.0], 1e-7);
    }

    #[test]
    fn small_roots_of_quadratics_keep_their_digits() {
        near(&[1.0, 1e9, 1.0], &[-1e9, -1e-9], 1e-15);
        near(&[1e-200, -1e-190, 1e-190], &[1e-10, 1.0], 1e-9);
        near(&[1.0, -1.0, 1e-300], &[1.0, 1e300], 1e-12);
    }

    #[test]
    fn what_has_no_real_root_gives_none() {
        for c in [&[1.0, 0.0, 1.0][..], &[5.0], &[0.0, 0.0], &[], &[f64::NAN, 1.0], &[1.0, 0.0, 3.0, 0.0, 1.0], &[2.0, 1.0, 3.0, 0.0, 1.0]]
        {
            assert_eq!(real_roots(c).as_slice(), [0.0; 0], "{c:?}");
        }
    }
}
