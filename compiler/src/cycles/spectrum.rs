//! Eigenvalues: the stiffness ratio of a Jacobian, and whether a mixed-mode step damps or grows.
//!
//! Input: a [`Jacobian`], and for the step a set of fast states and its length. Output: eigenvalues or their largest size.
//! Method: balancing by powers of two, reduction to Hessenberg form by elimination, and the QR algorithm with double shifts
//! (Francis 1961; as in EISPACK's `balanc`, `elmhes`, `hqr`). Guarantee: eigenvalues of a matrix near the given one, or `None` if
//! the iteration does not converge. Cost: O(n^3), therefore only up to [`MOST_STATES`] states.

use super::Jacobian;

/// Larger models have no eigenvalues here.
pub const MOST_STATES: usize = 300;

/// An eigenvalue.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Eigenvalue {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

/// The eigenvalues of a Jacobian, if it is small enough and the iteration converges.
pub fn eigenvalues(jacobian: &Jacobian) -> Option<Vec<Eigenvalue>> {
    let n = jacobian.n_states();
    if n > MOST_STATES { None } else { dense_eigenvalues(n, jacobian.to_dense()) }
}

/// Largest by smallest absolute real part; real parts that are zero up to rounding do not count. `None` if there are none.
pub fn stiffness_ratio(eigenvalues: &[Eigenvalue]) -> Option<f64> {
    let largest = eigenvalues.iter().map(|value| value.re.hypot(value.im)).fold(0.0, f64::max);
    let sizes = eigenvalues.iter().map(|value| value.re.abs()).filter(|size| *size > 1e-12 * largest);
    let (low, high) = sizes.fold((f64::INFINITY, 0.0f64), |(low, high), size| (low.min(size), high.max(size)));
    (high > 0.0).then(|| high / low)
}

/// The spectral radius of one step of mixed-mode Euler, `(I - h Q J)^-1 (I + h P J)`, where Q keeps the rows of the fast states and P
/// the others: above one, errors grow. `None` for models that are too large, or if the step matrix is singular.
pub fn mixed_mode_radius(jacobian: &Jacobian, fast: &[usize], h: f64) -> Option<f64> {
    let n = jacobian.n_states();
    if n > MOST_STATES || !h.is_finite() {
        return None;
    }
    let mut is_fast = vec![false; n];
    fast.iter().for_each(|&state| is_fast[state] = true);
    let unit = |row: usize, column: usize| if row == column { 1.0 } else { 0.0 };
    let dense = jacobian.to_dense();
    let mut left: Vec<f64> = (0..n * n).map(|at| unit(at / n, at % n) - if is_fast[at / n] { h * dense[at] } else { 0.0 }).collect();
    let mut right: Vec<f64> = (0..n * n).map(|at| unit(at / n, at % n) + if is_fast[at / n] { 0.0 } else { h * dense[at] }).collect();
    solve_in_place(n, &mut left, &mut right)?;
    let values = dense_eigenvalues(n, right)?;
    Some(values.iter().map(|value| value.re.hypot(value.im)).fold(0.0, f64::max))
}

/// Replaces `right` by `left^-1 right`, by elimination with row pivoting.
fn solve_in_place(n: usize, left: &mut [f64], right: &mut [f64]) -> Option<()> {
    for column in 0..n {
        let pivot = (column..n).max_by(|&a, &b| left[a * n + column].abs().total_cmp(&left[b * n + column].abs()))?;
        if left[pivot * n + column] == 0.0 {
            return None;
        }
        for k in 0..n {
            left.swap(pivot * n + k, column * n + k);
            right.swap(pivot * n + k, column * n + k);
        }
        for row in (0..n).filter(|&row| row != column) {
            let factor = left[row * n + column] / left[column * n + column];
            if factor != 0.0 {
                for k in column..n {
                    left[row * n + k] -= factor * left[column * n + k];
                }
                for k in 0..n {
                    right[row * n + k] -= factor * right[column * n + k];
                }
            }
        }
    }
    for row in 0..n {
        let pivot = left[row * n + row];
        right[row * n..(row + 1) * n].iter_mut().for_each(|value| *value /= pivot);
    }
    Some(())
}

/// Eigenvalues of a dense matrix by rows.
pub fn dense_eigenvalues(n: usize, mut a: Vec<f64>) -> Option<Vec<Eigenvalue>> {
    if a.iter().any(|value| !value.is_finite()) {
        return None;
    }
    balance(n, &mut a);
    to_hessenberg(n, &mut a);
    qr(n, &mut a)
}

/// Scales rows and columns by powers of two until they are of similar size.
fn balance(n: usize, a: &mut [f64]) {
    for _ in 0..100 {
        let mut done = true;
        for i in 0..n {
            let column: f64 = (0..n).filter(|&k| k != i).map(|k| a[k * n + i].abs()).sum();
            let row: f64 = (0..n).filter(|&k| k != i).map(|k| a[i * n + k].abs()).sum();
            if column == 0.0 || row == 0.0 {
                continue;
            }
            let (mut factor, mut scaled) = (1.0f64, column);
            while scaled < 0.5 * row && factor < 1e100 {
                factor *= 2.0;
                scaled *= 4.0;
            }
            while scaled >= 2.0 * row && factor > 1e-100 {
                factor *= 0.5;
                scaled *= 0.25;
            }
            if (scaled + row) / factor < 0.95 * (column + row) {
                done = false;
                (0..n).for_each(|k| a[i * n + k] /= factor);
                (0..n).for_each(|k| a[k * n + i] *= factor);
            }
        }
        if done {
            return;
        }
    }
}

/// Eliminates what is below the first subdiagonal.
fn to_hessenberg(n: usize, a: &mut [f64]) {
    for m in 1..n.saturating_sub(1) {
        let mut pivot = m;
        for row in m..n {
            if a[row * n + m - 1].abs() > a[pivot * n + m - 1].abs() {
                pivot = row;
            }
        }
        let size = a[pivot * n + m - 1];
        if size == 0.0 {
            continue;
        }
        if pivot != m {
            (0..n).for_each(|k| a.swap(pivot * n + k, m * n + k));
            (0..n).for_each(|k| a.swap(k * n + pivot, k * n + m));
        }
        for row in m + 1..n {
            let factor = a[row * n + m - 1] / size;
            if factor != 0.0 {
                for k in m..n {
                    a[row * n + k] -= factor * a[m * n + k];
                }
                for k in 0..n {
                    a[k * n + m] += factor * a[k * n + row];
                }
            }
            a[row * n + m - 1] = 0.0;
        }
    }
}

/// The QR algorithm with double shifts on a Hessenberg matrix.
fn qr(n: usize, a: &mut [f64]) -> Option<Vec<Eigenvalue>> {
    let norm: f64 = a.iter().map(|value| value.abs()).sum();
    let mut values = Vec::with_capacity(n);
    // Sum of the exceptional shifts.
    let mut shift = 0.0;
    // The active part ends before this row.
    let mut end = n;
    let mut iterations = 0;
    while end > 0 {
        let last = end - 1;
        // Where the active part begins: above it is a negligible subdiagonal entry.
        let mut begin = last;
        while begin > 0 {
            let size = a[(begin - 1) * n + begin - 1].abs() + a[begin * n + begin].abs();
            let size = if size == 0.0 { norm } else { size };
            if a[begin * n + begin - 1].abs() <= f64::EPSILON * size {
                a[begin * n + begin - 1] = 0.0;
                break;
            }
            begin -= 1;
        }
        let mut x = a[last * n + last];
        if begin == last {
            values.push(Eigenvalue { re: x + shift, im: 0.0 });
            end -= 1;
            iterations = 0;
            continue;
        }
        let mut y = a[(last - 1) * n + last - 1];
        let mut w = a[last * n + last - 1] * a[(last - 1) * n + last];
        if begin == last - 1 {
            let p = 0.5 * (y - x);
            let q = p * p + w;
            let root = q.abs().sqrt();
            if q >= 0.0 {
                let z = p + root.copysign(p);
                let first = x + shift + z;
                values.push(Eigenvalue { re: first, im: 0.0 });
                values.push(Eigenvalue { re: if z == 0.0 { first } else { x + shift - w / z }, im: 0.0 });
            } else {
                values.push(Eigenvalue { re: x + shift + p, im: root });
                values.push(Eigenvalue { re: x + shift + p, im: -root });
            }
            end -= 2;
            iterations = 0;
            continue;
        }
        if iterations >= 60 {
            return None;
        }
        if iterations % 10 == 9 {
            // An exceptional shift breaks cycles of the iteration.
            shift += x;
            (0..end).for_each(|k| a[k * n + k] -= x);
            let size = a[last * n + last - 1].abs() + a[(last - 1) * n + last - 2].abs();
            x = 0.75 * size;
            y = x;
            w = -0.4375 * size * size;
        }
        iterations += 1;
        double_step(n, a, begin, last, [x, y, w]);
    }
    Some(values)
}

/// One implicit double-shift step on the rows and columns from `begin` to `last`.
fn double_step(n: usize, a: &mut [f64], begin: usize, last: usize, [x, y, w]: [f64; 3]) {
    let (mut p, mut q, mut r);
    // Two small subdiagonal entries in a row allow to begin later.
    let mut m = last - 2;
    loop {
        let z = a[m * n + m];
        let (dx, dy) = (x - z, y - z);
        p = (dx * dy - w) / a[(m + 1) * n + m] + a[m * n + m + 1];
        q = a[(m + 1) * n + m + 1] - z - dx - dy;
        r = a[(m + 2) * n + m + 1];
        let size = p.abs() + q.abs() + r.abs();
        (p, q, r) = (p / size, q / size, r / size);
        if m == begin {
            break;
        }
        let small = a[m * n + m - 1].abs() * (q.abs() + r.abs());
        let large = p.abs() * (a[(m - 1) * n + m - 1].abs() + z.abs() + a[(m + 1) * n + m + 1].abs());
        if small <= f64::EPSILON * large {
            break;
        }
        m -= 1;
    }
    for i in m + 2..=last {
        a[i * n + i - 2] = 0.0;
        if i > m + 2 {
            a[i * n + i - 3] = 0.0;
        }
    }
    for k in m..last {
        let three = k + 1 < last;
        let mut size = 1.0;
        if k > m {
            p = a[k * n + k - 1];
            q = a[(k + 1) * n + k - 1];
            r = if three { a[(k + 2) * n + k - 1] } else { 0.0 };
            size = p.abs() + q.abs() + r.abs();
            if size == 0.0 {
                continue;
            }
            (p, q, r) = (p / size, q / size, r / size);
        }
        let s = (p * p + q * q + r * r).sqrt().copysign(p);
        if s == 0.0 {
            continue;
        }
        if k > m {
            a[k * n + k - 1] = -s * size;
        } else if begin != m {
            a[k * n + k - 1] = -a[k * n + k - 1];
        }
        p += s;
        let (u, v, z) = (p / s, q / s, r / s);
        (q, r) = (q / p, r / p);
        for j in k..=last {
            let mut sum = a[k * n + j] + q * a[(k + 1) * n + j];
            if three {
                sum += r * a[(k + 2) * n + j];
                a[(k + 2) * n + j] -= sum * z;
            }
            a[(k + 1) * n + j] -= sum * v;
            a[k * n + j] -= sum * u;
        }
        for i in begin..=last.min(k + 3) {
            let mut sum = u * a[i * n + k] + v * a[i * n + k + 1];
            if three {
                sum += z * a[i * n + k + 2];
                a[i * n + k + 2] -= sum * r;
            }
            a[i * n + k + 1] -= sum * q;
            a[i * n + k] -= sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half_car() -> Jacobian {
        let rows = vec![vec![0.0, 1.0, 0.0, 0.0], vec![-98.0, -14.0, 0.0, -2.1], vec![0.0, 0.0, 0.0, 1.0], vec![0.0, -1.0, -50.4, -7.5]];
        Jacobian::dense(&["z", "zdot", "theta", "thetadot"], &rows).expect("finite")
    }

    #[test]
    fn the_half_car_has_the_published_stiffness_ratio_and_radius() {
        let jacobian = half_car();
        let ratio = stiffness_ratio(&eigenvalues(&jacobian).expect("four states")).expect("it is damped");
        assert!((ratio - 1.8685743842440474).abs() < 1e-9, "{ratio}");
        let radius = mixed_mode_radius(&jacobian, &[1], 0.04).expect("four states");
        assert!((radius - 0.8883525937962727).abs() < 1e-9, "{radius}");
        let explicit = mixed_mode_radius(&jacobian, &[], 0.05).expect("four states");
        assert!((explicit - 0.8702250083575365).abs() < 1e-9, "{explicit}");
    }

    #[test]
    fn eigenvalues_of_a_companion_matrix_are_the_roots_of_its_polynomial() {
        // (z^2 + 1)(z - 1)(z - 2)...(z - 6) has roots that are known.
        let mut polynomial = vec![1.0, 0.0, 1.0];
        for root in 1..=6 {
            let mut next = vec![0.0; polynomial.len() + 1];
            for (at, value) in polynomial.iter().enumerate() {
                next[at] += value;
                next[at + 1] -= f64::from(root) * value;
            }
            polynomial = next;
        }
        let n = polynomial.len() - 1;
        let mut a = vec![0.0; n * n];
        for k in 0..n {
            a[k] = -polynomial[k + 1];
            if k + 1 < n {
                a[(k + 1) * n + k] = 1.0;
            }
        }
        let found = dense_eigenvalues(n, a).expect("converges");
        let expected = (1..=6).map(|root| (f64::from(root), 0.0)).chain([(0.0, 1.0), (0.0, -1.0)]);
        for (re, im) in expected {
            assert!(found.iter().any(|value| (value.re - re).hypot(value.im - im) < 1e-8), "{re} {im} is not in {found:?}");
        }
        let trace: f64 = found.iter().map(|value| value.re).sum();
        assert!((trace - 21.0).abs() < 1e-9);
    }
}
