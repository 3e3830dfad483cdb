//! Says when the unknowns of a block have their digits, however small they are.
//!
//! Newton's method measures its steps by sizes that are at least declared ones, or one: so a zero that is left over from large terms
//! does not keep it busy. An unknown that is really small would be solved for with few digits, or none.
//! Input: the last step, the unknowns before and after. Output: whether another step is worth it. Method: where a step is small by those
//! sizes, but not compared with the unknowns themselves, the iteration goes on as long as that makes steps shorter. Where it does not,
//! what is left is rounding; its level is remembered for a while, so that the same block does not ask again.
//! Cost: one pass over the unknowns per solution, one more iteration where an unknown is small.

use super::matrix::largest;

/// Part of an unknown that is known well enough.
const ENOUGH: f64 = 1e-10;
/// A further step is worth it if the last one was shorter than the one before by this factor.
const SHRINKING: f64 = 0.1;

/// What was found to be rounding counts less by this factor in the next solution.
const MEMORY: f64 = 0.95;

/// What is known about rounding in a block.
#[derive(Debug)]
pub(crate) struct Digits {
    /// Steps that were rounding, for each unknown.
    rounding: Vec<f64>,
    /// The last step, compared with the unknowns.
    last: f64,
}

impl Digits {
    pub(crate) fn new(n: usize) -> Digits {
        Digits { rounding: vec![0.0; n], last: f64::INFINITY }
    }

    /// A solution begins.
    pub(crate) fn begin(&mut self) {
        self.last = f64::INFINITY;
        self.rounding.iter_mut().for_each(|rounding| *rounding *= MEMORY);
    }

    /// The next step that is asked about is not one after the last.
    pub(crate) fn ask_again(&mut self) {
        self.last = f64::INFINITY;
    }

    /// The largest part of an unknown that a step moves it by.
    pub(crate) fn part(&self, step: &[f64], z: &[f64], before: &[f64]) -> f64 {
        let sizes =
            z.iter().zip(before).zip(&self.rounding).map(|((z, before), rounding)| z.abs().max(before.abs()).max(rounding / ENOUGH));
        largest(step.iter().zip(sizes).map(|(step, size)| if *step == 0.0 { 0.0 } else { step.abs() / size }))
    }

    /// Whether the unknowns will have their digits after a step if what is left then is this part of it.
    pub(crate) fn will_be_there(&self, step: &[f64], left: f64, z: &[f64], before: &[f64]) -> bool {
        left * self.part(step, z, before) <= ENOUGH
    }

    /// Whether the unknowns `z`, which were `before` when the solution began, have their digits although `step` would move them.
    pub(crate) fn are_there(&mut self, step: &[f64], z: &[f64], before: &[f64]) -> bool {
        // The usual case needs no divisions.
        if self.last == f64::INFINITY
            && step.iter().zip(z.iter().zip(before)).all(|(step, (z, before))| step.abs() <= ENOUGH * z.abs().max(before.abs()))
        {
            return true;
        }
        let now = self.part(step, z, before);
        let shrinks = now <= SHRINKING * self.last;
        self.last = now;
        if now <= ENOUGH {
            return true;
        }
        // The comparison is false for what is not a number, too.
        if !shrinks {
            for ((rounding, step), z) in self.rounding.iter_mut().zip(step).zip(z) {
                if step.abs() > ENOUGH * z.abs() {
                    *rounding = rounding.max(2.0 * step.abs());
                }
            }
        }
        !shrinks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_unknown_is_solved_for_until_steps_are_rounding() {
        let mut digits = Digits::new(2);
        digits.begin();
        assert!(!digits.are_there(&[0.0, 1e-16], &[1.0, 1e-15], &[1.0, 1e-15]), "one digit");
        assert!(!digits.are_there(&[0.0, 1e-19], &[1.0, 1e-15], &[1.0, 1e-15]), "four digits");
        assert!(digits.are_there(&[0.0, 1e-26], &[1.0, 1e-15], &[1.0, 1e-15]), "eleven digits");
    }

    #[test]
    fn rounding_is_asked_about_once() {
        let mut digits = Digits::new(2);
        digits.begin();
        assert!(!digits.are_there(&[0.0, 1e-17], &[1.0, 2e-17], &[1.0, 2e-17]));
        assert!(digits.are_there(&[0.0, 1e-17], &[1.0, 3e-17], &[1.0, 2e-17]), "it does not become less");
        digits.begin();
        assert!(digits.are_there(&[0.0, -1e-17], &[1.0, 1e-17], &[1.0, 2e-17]), "known");
        (0..100).for_each(|_| digits.begin());
        assert!(!digits.are_there(&[0.0, 1e-17], &[1.0, 2e-17], &[1.0, 2e-17]));
    }
}
