//! Arithmetic as a list of steps: what goes to the algebra system and what comes back.

use rustc_hash::FxHashMap;

/// Whole numbers up to this are exact as doubles.
const MOST_EXACT: u64 = 1 << 53;

/// One step; the numbers are those of steps before it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Step {
    /// A quotient of whole numbers.
    Number(i64, i64),
    /// An unknown, or a symbol behind all unknowns.
    Variable(usize),
    Add(usize, usize),
    Mul(usize, usize),
    Div(usize, usize),
}

/// Steps, each of them once.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    pub(super) list: Vec<Step>,
    known: FxHashMap<Step, usize>,
}

impl Steps {
    /// The position of a step, which is added if it is new.
    pub(super) fn add(&mut self, step: Step) -> usize {
        let next = self.list.len();
        let position = *self.known.entry(step).or_insert(next);
        if position == next {
            self.list.push(step);
        }
        position
    }

    /// Whether a quotient consists of numbers that doubles hold.
    pub(super) fn is_exact(above: i64, below: i64) -> bool {
        above.unsigned_abs() <= MOST_EXACT && below.unsigned_abs() <= MOST_EXACT
    }

    /// A quotient of whole numbers.
    pub(super) fn number(&mut self, above: i64, below: i64) -> usize {
        self.add(Step::Number(above, below))
    }

    /// A quotient; what is divided by one is itself.
    pub(super) fn quotient(&mut self, above: usize, below: usize) -> usize {
        if self.list[below] == Step::Number(1, 1) { above } else { self.add(Step::Div(above, below)) }
    }

    /// A power by squares.
    pub(super) fn power(&mut self, base: usize, exponent: u32) -> usize {
        let (mut result, mut square, mut left) = (None, base, exponent);
        while left > 0 {
            if left % 2 == 1 {
                result = Some(result.map_or(square, |known| self.add(Step::Mul(known, square))));
            }
            left /= 2;
            if left > 0 {
                square = self.add(Step::Mul(square, square));
            }
        }
        result.unwrap_or_else(|| self.number(1, 1))
    }
}

/// Residuals of a few unknowns.
#[derive(Clone, Debug, Default)]
pub(super) struct System {
    pub(super) n_unknowns: usize,
    pub(super) n_symbols: usize,
    pub(super) steps: Steps,
    /// The steps that have to be zero.
    pub(super) residuals: Vec<usize>,
}

/// A system as polynomials in one unknown.
#[derive(Clone, Debug)]
pub(super) struct Reduced {
    /// That unknown.
    pub(super) unknown: usize,
    /// Polynomials one of which has to be zero: the steps of their coefficients, from the constant on.
    pub(super) factors: Vec<Vec<usize>>,
    /// The other unknowns, and the steps that they are.
    pub(super) others: Vec<(usize, usize)>,
    pub(super) steps: Steps,
}
