//! The workspace of one block, and what is remembered between its solutions.

use super::digits::Digits;
use super::matrix::{BlockMatrix, Defect, largest};
use crate::model::chain_roots::MOST_ROOTS;
use crate::model::plan::{Block, Pattern, Slot};
use cranelift_entity::EntityRef;

/// Workspace of the closed form.
pub(crate) struct ClosedWorkspace {
    /// Coefficients of the closed form.
    pub(crate) coefficients: Vec<f64>,
    /// What may be solutions.
    pub(crate) candidates: Candidates,
    /// Unknowns that follow from a root.
    pub(crate) others: Vec<f64>,
    /// Sizes of the unknowns at a root.
    pub(crate) root_size: Vec<f64>,
}

/// Workspace for solving one block, and what is remembered between solutions.
pub(crate) struct BlockWorkspace {
    pub(crate) n: usize,
    /// Unknowns at the last accepted iterate.
    pub(crate) z: Vec<f64>,
    /// Values of the unknowns when the solver was called.
    pub(crate) entry: Vec<f64>,
    /// Residuals at `z`.
    pub(crate) r: Vec<f64>,
    /// Residuals at a trial point.
    pub(crate) r_trial: Vec<f64>,
    /// Newton step.
    pub(crate) dz: Vec<f64>,
    /// Newton step that would follow.
    pub(crate) dz_next: Vec<f64>,
    /// Sizes of the unknowns, at least nominal.
    pub(crate) size: Vec<f64>,
    /// Whether small unknowns have their digits.
    pub(crate) digits: Digits,
    /// The Jacobian and its factors.
    pub(crate) matrix: BlockMatrix,
    /// How often in a row the old factors were found useless.
    pub(crate) reuse_failures: u32,
    /// The factors were made, or found to be right, since the last event.
    pub(crate) since_event: bool,
    /// The solution at the last accepted point.
    pub(crate) accepted: Option<Vec<f64>>,
    /// The guess given by start values.
    pub(crate) start: Option<Vec<f64>>,
    /// The longest step that is tried, relative to the sizes of the unknowns.
    pub(crate) reach: f64,
    /// The last solution kept the values of unknowns that nothing determines.
    pub(crate) keeps_free: bool,
    /// The last solution was found by full steps from the first guess, each at most half as long as the one before: no other is nearer.
    pub(crate) direct: bool,
    /// Workspace of the closed form.
    pub(crate) closed: ClosedWorkspace,
}

/// Points that may be solutions, by the closed form.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    /// One after the other.
    pub(crate) values: Vec<f64>,
    pub(crate) n: usize,
    /// There are roots for which the other unknowns are not defined.
    pub(crate) has_undefined: bool,
}

impl Candidates {
    /// Space for the candidates of a block with so many unknowns.
    fn new(n_unknowns: usize) -> Candidates {
        Candidates { values: vec![0.0; n_unknowns * MOST_ROOTS], n: 0, has_undefined: false }
    }
}

/// Why a block has no solution from one guess.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Trouble {
    /// A kernel refused the guess; the reason is in the environment.
    Kernel,
    /// A residual at the guess is not finite.
    Undefined { row: usize },
    /// A partial derivative is not finite.
    Slope { row: usize, column: usize },
    /// The Jacobian is singular.
    Singular(Defect),
    /// No shorter step is better.
    Stalled { iterations: usize },
    /// The closed form has no real root.
    NoRoot,
    /// Too many iterations.
    Limit { iterations: usize },
    /// A linear block whose residual does not vanish.
    Inaccurate,
}

impl BlockWorkspace {
    pub(crate) fn new(block: &Block, pattern: Option<&Pattern>) -> BlockWorkspace {
        let n = block.unknowns.len();
        let zeros = || vec![0.0; n];
        BlockWorkspace {
            n,
            z: zeros(),
            entry: zeros(),
            r: zeros(),
            r_trial: zeros(),
            dz: zeros(),
            dz_next: zeros(),
            size: zeros(),
            digits: Digits::new(n),
            matrix: BlockMatrix::new(n, pattern),
            reuse_failures: 0,
            since_event: false,
            accepted: None,
            start: None,
            reach: f64::INFINITY,
            keeps_free: false,
            direct: false,
            closed: ClosedWorkspace {
                coefficients: vec![0.0; block.closed.as_ref().map_or(0, |form| form.n_coefficients)],
                candidates: block.closed.as_ref().map_or_else(Candidates::default, |_| Candidates::new(n)),
                others: block.closed.as_ref().map_or_else(Vec::new, |_| zeros()),
                root_size: block.closed.as_ref().map_or_else(Vec::new, |_| zeros()),
            },
        }
    }

    /// Remembers the unknowns as the solution at an accepted point.
    pub(crate) fn keep_guess(&mut self, memory: &[f64], unknowns: &[Slot]) {
        let accepted = self.accepted.get_or_insert_with(|| vec![0.0; unknowns.len()]);
        for (value, slot) in accepted.iter_mut().zip(unknowns) {
            *value = memory[slot.index()];
        }
    }

    /// Puts the solution at the last accepted point back as the guess.
    pub(crate) fn restore_guess(&self, memory: &mut [f64], unknowns: &[Slot]) {
        if let Some(accepted) = &self.accepted {
            for (value, slot) in accepted.iter().zip(unknowns) {
                memory[slot.index()] = *value;
            }
        }
    }

    /// There was an event: coefficients may be others, and the next attempt may try the old factors of a linear block again.
    pub(crate) fn note_event(&mut self) {
        self.reuse_failures = 0;
        self.since_event = false;
    }

    /// Tangents of the unknowns from those of the residuals: `J dz = -dr`.
    pub(crate) fn solve_tangents(&mut self, block: &Block, tangents: &mut [f64]) {
        let mut dz = std::mem::take(&mut self.dz);
        for (value, slot) in dz.iter_mut().zip(&block.residuals) {
            *value = -tangents[slot.index()];
        }
        self.matrix.solve(&mut dz);
        for (value, slot) in dz.iter().zip(&block.unknowns) {
            tangents[slot.index()] = *value;
        }
        self.dz = dz;
    }

    /// `dz = -J^-1 r`.
    pub(crate) fn step_from_residual(&mut self) {
        let mut dz = std::mem::take(&mut self.dz);
        for (step, residual) in dz.iter_mut().zip(&self.r) {
            *step = -residual;
        }
        self.matrix.solve(&mut dz);
        self.dz = dz;
    }

    /// `dz_next = -J^-1 r_trial`.
    pub(crate) fn step_from_trial(&mut self) {
        let mut dz = std::mem::take(&mut self.dz_next);
        for (step, residual) in dz.iter_mut().zip(&self.r_trial) {
            *step = -residual;
        }
        self.matrix.solve(&mut dz);
        self.dz_next = dz;
    }

    pub(crate) fn update_sizes(&mut self, block: &Block) {
        for ((size, z), declared) in self.size.iter_mut().zip(&self.z).zip(&block.declared) {
            *size = z.abs().max(declared.size());
        }
    }

    /// Whether the unknowns have their digits, though a step would move them.
    pub(crate) fn has_digits(&mut self, next: bool) -> bool {
        self.digits.are_there(if next { &self.dz_next } else { &self.dz }, &self.z, &self.entry)
    }

    /// Whether no entry of a step is larger than this part of its unknown; false for what is not a number.
    pub(crate) fn is_within(&self, step: &[f64], part: f64) -> bool {
        step.iter().zip(&self.size).all(|(dz, size)| dz.abs() <= part * size)
    }

    /// The largest entry of a step relative to the unknowns.
    pub(crate) fn relative(&self, step: &[f64]) -> f64 {
        largest(step.iter().zip(&self.size).map(|(dz, size)| (dz / size).abs()))
    }
}
