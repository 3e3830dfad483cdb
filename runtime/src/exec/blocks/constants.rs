//! The numbers by which blocks of equations are solved, each with its reason.

/// Estimated error of a solution, relative to the unknowns, at which nothing can be gained any more.
pub(crate) const UPDATE_GOAL: f64 = 1e-13;
/// Largest estimated error of a solution relative to the unknowns where rounding prevents a better one.
pub(crate) const UPDATE_TOLERANCE: f64 = 1e-10;
/// Residuals below this fraction of their terms are rounding errors.
pub(crate) const RESIDUAL_FLOOR: f64 = 1e-10;
/// The next simplified step is at most this part of a step that leads to the solution of its starting point: Newton and Kantorovich's
/// condition in its affine form (Deuflhard, "Newton Methods for Nonlinear Problems", 2004, section 2.1).
pub(crate) const DIRECT: f64 = 0.25;
/// A solution whose residual is at the floor is still refused when it is known to fewer digits than this.
pub(crate) const UPDATE_FLOOR: f64 = 1e-5;
/// Newton steps beyond a solution at the start.
pub(crate) const MAX_POLISHING: usize = 3;
/// Newton steps of a nonlinear block from one guess.
pub(crate) const MAX_ITERATIONS: usize = 100;
/// The longest step of a cautious attempt, relative to the sizes of the unknowns.
pub(crate) const CAUTIOUS_REACH: f64 = 0.5;
/// The shortest damped step.
pub(crate) const MIN_DAMPING: f64 = 1e-7;
/// Guesses of a block that was never solved: factors of the nominal sizes, for the unknowns that are zero or for all.
pub(crate) const OTHER_GUESSES: [(f64, bool); 6] = [(1.0, false), (1.0, true), (-1.0, false), (-1.0, true), (1e-2, false), (1e2, false)];
/// Points on either side of the guess at which a change of sign is looked for: up to some 1e9 times the unknown's size.
pub(crate) const SEARCH_POINTS: i32 = 68;
/// Steps longer than this need a new Jacobian.
pub(crate) const SIMPLIFIED_REACH: f64 = 1e-6;
/// The same for factors of the Jacobian at the last solution.
pub(crate) const OLD_REACH: f64 = 1e-2;
/// Steps with the factors of the last solution.
pub(crate) const OLD_STEPS: usize = 5;
/// Steps with old factors must shrink by this factor, or they are too old.
pub(crate) const OLD_CONTRACTION: f64 = 0.1;
/// Relative change of the Jacobian's rows below which the old factors serve.
pub(crate) const SAME_JACOBIAN: f64 = 1e-13;
