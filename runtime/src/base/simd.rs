//! Loops over long vectors with the widest instructions that the processor has.
//!
//! Partita is compiled for every processor of its family, and so are its loops; [`wide`] has a second version of a loop made for
//! newer ones and chooses when it runs. Guarantee: the same operations in the same order, hence the same bits on every processor
//! (products and sums are never fused). Cost: some nanoseconds to choose, which is why short vectors stay with the first version.

use pulp::Arch;
/// A loop and what it works on. `call` has to be inlined always: only then it is compiled anew. A closure would not be.
pub(crate) use pulp::NullaryFnOnce as Work;

/// Vectors shorter than this are done before a choice would be made.
pub(crate) const LONG: usize = 32;
/// Values that a loop takes together: as many as fill some registers.
pub(crate) const WIDTH: usize = 8;
/// Sums that are kept apart, so that additions do not wait for each other.
const SUMS: usize = 16;

/// Does some work on vectors of a length.
#[inline(always)]
pub(crate) fn wide<R>(length: usize, work: impl Work<Output = R>) -> R {
    if length < LONG { work.call() } else { Arch::new().dispatch(work) }
}

/// Replaces every value of `out` by a function of itself and of the values of the inputs at its place.
pub(crate) fn update<const N: usize>(out: &mut [f64], inputs: [&[f64]; N], value: impl Fn(f64, [f64; N]) -> f64) {
    wide(out.len(), Update { out, inputs, value });
}

struct Update<'a, const N: usize, F> {
    out: &'a mut [f64],
    inputs: [&'a [f64]; N],
    value: F,
}

impl<const N: usize, F: Fn(f64, [f64; N]) -> f64> Work for Update<'_, N, F> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Update { out, mut inputs, value } = self;
        let n = out.len();
        for input in &mut inputs {
            *input = &input[..n];
        }
        for i in 0..n {
            let mut taken = [0.0; N];
            for (taken, input) in taken.iter_mut().zip(&inputs) {
                *taken = input[i];
            }
            out[i] = value(out[i], taken);
        }
    }
}

/// The sum of a function of the values of vectors of equal length, in an order that depends on this length only.
pub(crate) fn sum<const N: usize>(inputs: [&[f64]; N], term: impl Fn([f64; N]) -> f64) -> f64 {
    wide(inputs.first().map_or(0, |input| input.len()), Sum { inputs, term })
}

struct Sum<'a, const N: usize, F> {
    inputs: [&'a [f64]; N],
    term: F,
}

impl<const N: usize, F: Fn([f64; N]) -> f64> Work for Sum<'_, N, F> {
    type Output = f64;

    #[inline(always)]
    fn call(self) -> f64 {
        let Sum { inputs, term } = self;
        let mut chunks: [&[[f64; SUMS]]; N] = [&[]; N];
        let mut rests: [&[f64]; N] = [&[]; N];
        for (input, (chunks, rest)) in inputs.iter().zip(chunks.iter_mut().zip(&mut rests)) {
            (*chunks, *rest) = input.as_chunks();
        }
        let (n_chunks, n_rest) = (chunks.first().map_or(0, |chunks| chunks.len()), rests.first().map_or(0, |rest| rest.len()));
        let mut sums = [0.0; SUMS];
        for chunk in 0..n_chunks {
            let mut taken = [[0.0; N]; SUMS];
            for (k, chunks) in chunks.iter().enumerate() {
                let values = &chunks[chunk];
                for i in 0..SUMS {
                    taken[i][k] = values[i];
                }
            }
            for i in 0..SUMS {
                sums[i] += term(taken[i]);
            }
        }
        let mut sum = 0.0;
        // Additions that wait for each other would be most of the work for a short vector.
        if n_chunks > 0 {
            for part in sums {
                sum += part;
            }
        }
        for i in 0..n_rest {
            let mut taken = [0.0; N];
            for (taken, rest) in taken.iter_mut().zip(&rests) {
                *taken = rest[i];
            }
            sum += term(taken);
        }
        sum
    }
}

/// Whether there is neither an infinite value nor one that is not a number.
pub(crate) fn all_finite(values: &[f64]) -> bool {
    wide(values.len(), AllFinite(values))
}

struct AllFinite<'a>(&'a [f64]);

/// No bit for what is finite, those of what is not a number otherwise: no branch, and a sum of many is one comparison.
#[inline(always)]
#[expect(clippy::eq_op, reason = "a number minus itself is zero unless it is infinite or none")]
pub(crate) fn bits_unless_finite(value: f64) -> u64 {
    (value - value).to_bits()
}

impl Work for AllFinite<'_> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        self.0.iter().fold(0, |bits, value| bits | bits_unless_finite(*value)) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_has_the_same_bits() {
        for n in [0, 1, 7, 8, 15, 16, 31, 32, 33, 1000] {
            let x: Vec<f64> = (0..n).map(|i| f64::from(i).sin()).collect();
            let (mut y, mut z) = (x.clone(), x.clone());
            update(&mut y, [&x], |y, [x]| y + 0.1 * x);
            Update { out: &mut z, inputs: [&x], value: |z: f64, [x]: [f64; 1]| z + 0.1 * x }.call();
            assert!(y.iter().zip(&x).all(|(y, x)| *y == x + 0.1 * x));
            assert_eq!(y, z);
            assert_eq!(sum([&x, &y], |[x, y]| x * y), Sum { inputs: [&x, &y], term: |[x, y]: [f64; 2]| x * y }.call());
        }
    }

    #[test]
    fn what_is_not_finite_is_found_wherever_it_stands() {
        for n in [1, 2, 9, 31, 32, 100] {
            let mut values: Vec<f64> = (0..n).map(|i| f64::from(i) * 1e306 - 5e307).collect();
            assert!(all_finite(&values));
            for place in 0..values.len() {
                for bad in [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                    let kept = std::mem::replace(&mut values[place], bad);
                    assert!(!all_finite(&values), "{bad} at {place} of {n}");
                    values[place] = kept;
                }
            }
        }
        assert!(all_finite(&[]));
        assert!(all_finite(&[f64::MAX, f64::MAX, -0.0, f64::MIN_POSITIVE / 4.0]));
    }
}
