//! Mixed-mode methods: slow states by explicit, fast states by implicit formulas, in one step.
//!
//! Input: which states are fast, a pair of Runge-Kutta methods with common times of stages, a step or error control.
//!
//! Method: partitioned Runge-Kutta. In stage `i` the slow states are `x + h*sum a^E_ij k_j` from earlier stages; the fast ones
//! solve `x_f = base + h*a^I_ii*f_f(t_i, x)` with these slow states, by Newton's method on the fast states alone with the Jacobian
//! of their own derivatives by themselves. Slow and fast derivatives are separate functions of the model (`part`).
//! All slow states are updated from the same point, as the equations of cycle analysis are printed.
//! The error estimate is the difference to a formula of one order less; its fast part is filtered by `(I - h*a_ii*J)^-1`.
//! Guarantees: fixed steps have the given size, shorter only before a limit and after a failure; Newton's method then solves to
//! [`STRICT`], so that the trajectory is that of the formulas.
//! Cost: per stage one evaluation of the slow and one to three of the fast derivatives, and solutions with the fast block.

use super::controller::{Controller, first_step, step_after, step_within};
use super::method::{Attempt, Method, Rejection, System, norm, worst};
use super::part::PartFunction;
use crate::linear::Linear;
use crate::linear::dense::Singular;
use crate::model::Model;
use std::fmt;
use std::str::FromStr;

/// Relative accuracy of Newton's method in runs with fixed steps.
const STRICT: f64 = 1e-10;
/// Newton's method solves to this part of the tolerated error of a step.
const NEWTON_PART: f64 = 0.03;
/// Most iterations with one Jacobian.
const MAX_ITERATIONS: usize = 5;
/// Most Jacobians in one solution with fixed steps, where the step is not to be shortened.
const MAX_JACOBIANS: usize = 8;
/// A Jacobian older than this many solutions is renewed.
const MAX_AGE: u32 = 100;
/// The rate of convergence that a new Jacobian is trusted with, unless it was seen to be worse.
const FRESH_RATE: f64 = 0.01;

/// The pairs of methods.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pair {
    /// Explicit and implicit Euler, order 1.
    #[default]
    Euler,
    /// Explicit and implicit midpoint rule, order 2.
    Midpoint,
    /// Heun's method and Lobatto IIIA (the trapezoidal rule), order 2.
    Heun,
    /// Ascher, Ruuth and Spiteri (1997), section 2.8: four stages, order 3, L-stable in the fast states.
    Imex3,
    /// ARK4(3)6L[2]SA of Kennedy and Carpenter (2003): order 4, L-stable in the fast states, with an error estimate of order 3.
    /// Falls back towards order 2 where the stiffness is neither small nor large against the step.
    Imex4,
}

impl Pair {
    /// All pairs in the order of their words.
    pub const ALL: [Pair; 5] = [Pair::Euler, Pair::Midpoint, Pair::Heun, Pair::Imex3, Pair::Imex4];

    /// The word for the pair.
    pub fn word(self) -> &'static str {
        match self {
            Pair::Euler => "euler",
            Pair::Midpoint => "midpoint",
            Pair::Heun => "heun",
            Pair::Imex3 => "imex3",
            Pair::Imex4 => "imex4",
        }
    }

    /// What the pair is made of.
    pub fn description(self) -> &'static str {
        match self {
            Pair::Euler => "explicit/implicit Euler",
            Pair::Midpoint => "explicit/implicit midpoint",
            Pair::Heun => "Heun/Lobatto IIIA",
            Pair::Imex3 => "IMEX of order 3 (Ascher, Ruuth, Spiteri)",
            Pair::Imex4 => "IMEX of order 4 (Kennedy, Carpenter)",
        }
    }

    /// The coefficients.
    pub fn tableau(self) -> &'static PairTableau {
        match self {
            Pair::Euler => &EULER,
            Pair::Midpoint => &MIDPOINT,
            Pair::Heun => &HEUN,
            Pair::Imex3 => &ARS443,
            Pair::Imex4 => &ARK436,
        }
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Pair {
    type Err = String;

    fn from_str(word: &str) -> Result<Pair, String> {
        Pair::ALL.into_iter().find(|pair| pair.word() == word).ok_or_else(|| {
            let words: Vec<&str> = Pair::ALL.iter().map(|pair| pair.word()).collect();
            format!("there is no pair of methods `{word}`; there are {}", words.join(", "))
        })
    }
}

/// How a mixed-mode run treats the states.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Split {
    /// Positions of the fast states, ascending.
    pub fast: Vec<usize>,
    /// The formulas.
    pub pair: Pair,
    /// Steps follow from error estimates instead of being fixed.
    pub adaptive: bool,
}

/// Coefficients of a pair. Both methods have the same times of stages; only the first stage may have a zero on the diagonal of the
/// implicit method.
#[derive(Debug)]
pub struct PairTableau {
    /// Order of the solution.
    pub order: usize,
    /// Times of stages.
    pub c: &'static [f64],
    /// Explicit method: row `i` has `i` entries.
    pub explicit: &'static [&'static [f64]],
    /// Its weights.
    pub explicit_b: &'static [f64],
    /// Implicit method: row `i` has `i + 1` entries, the last on the diagonal.
    pub implicit: &'static [&'static [f64]],
    /// Its weights.
    pub implicit_b: &'static [f64],
    /// Weights minus those of the embedded formulas, explicit and implicit, and the order of the latter.
    pub error: (&'static [f64], &'static [f64], usize),
}

/// Explicit and implicit Euler. The error is the difference to the trapezoidal rule.
static EULER: PairTableau = PairTableau {
    order: 1,
    c: &[0.0, 1.0],
    explicit: &[&[], &[1.0]],
    explicit_b: &[1.0, 0.0],
    implicit: &[&[0.0], &[0.0, 1.0]],
    implicit_b: &[0.0, 1.0],
    error: (&[0.5, -0.5], &[-0.5, 0.5], 1),
};

/// Explicit and implicit midpoint rule; the error is the difference to Euler's method.
static MIDPOINT: PairTableau = PairTableau {
    order: 2,
    c: &[0.0, 0.5],
    explicit: &[&[], &[0.5]],
    explicit_b: &[0.0, 1.0],
    implicit: &[&[0.0], &[0.0, 0.5]],
    implicit_b: &[0.0, 1.0],
    error: (&[-1.0, 1.0], &[-1.0, 1.0], 1),
};

/// Heun's method and the trapezoidal rule; the error is the difference to Euler's methods.
static HEUN: PairTableau = PairTableau {
    order: 2,
    c: &[0.0, 1.0],
    explicit: &[&[], &[1.0]],
    explicit_b: &[0.5, 0.5],
    implicit: &[&[0.0], &[0.5, 0.5]],
    implicit_b: &[0.5, 0.5],
    error: (&[-0.5, 0.5], &[0.5, -0.5], 1),
};

/// ARS(4,4,3). The embedded formula is the derivative of the fourth stage, whose time is 1/2, over the whole step: order 2.
static ARS443: PairTableau = PairTableau {
    order: 3,
    c: &[0.0, 0.5, 2.0 / 3.0, 0.5, 1.0],
    explicit: &[
        &[],
        &[0.5],
        &[11.0 / 18.0, 1.0 / 18.0],
        &[5.0 / 6.0, -5.0 / 6.0, 0.5],
        &[0.25, 1.75, 0.75, -1.75],
    ],
    explicit_b: &[0.25, 1.75, 0.75, -1.75, 0.0],
    implicit: &[
        &[0.0],
        &[0.0, 0.5],
        &[0.0, 1.0 / 6.0, 0.5],
        &[0.0, -0.5, 0.5, 0.5],
        &[0.0, 1.5, -1.5, 0.5, 0.5],
    ],
    implicit_b: &[0.0, 1.5, -1.5, 0.5, 0.5],
    error: (&[0.25, 1.75, 0.75, -2.75, 0.0], &[0.0, 1.5, -1.5, -0.5, 0.5], 2),
};

/// ARK4(3)6L[2]SA: both methods have the same weights.
static ARK436: PairTableau = PairTableau {
    order: 4,
    c: &[0.0, 0.5, 83.0 / 250.0, 31.0 / 50.0, 17.0 / 20.0, 1.0],
    explicit: &[
        &[],
        &[0.5],
        &[13861.0 / 62500.0, 6889.0 / 62500.0],
        &[-116923316275.0 / 2393684061468.0, -2731218467317.0 / 15368042101831.0, 9408046702089.0 / 11113171139209.0],
        &[
            -451086348788.0 / 2902428689909.0,
            -2682348792572.0 / 7519795681897.0,
            12662868775082.0 / 11960479115383.0,
            3355817975965.0 / 11060851509271.0,
        ],
        &[
            647845179188.0 / 3216320057751.0,
            73281519250.0 / 8382639484533.0,
            552539513391.0 / 3454668386233.0,
            3354512671639.0 / 8306763924573.0,
            4040.0 / 17871.0,
        ],
    ],
    explicit_b: &ARK436_B,
    implicit: &[
        &[0.0],
        &[0.25, 0.25],
        &[8611.0 / 62500.0, -1743.0 / 31250.0, 0.25],
        &[5012029.0 / 34652500.0, -654441.0 / 2922500.0, 174375.0 / 388108.0, 0.25],
        &[15267082809.0 / 155376265600.0, -71443401.0 / 120774400.0, 730878875.0 / 902184768.0, 2285395.0 / 8070912.0, 0.25],
        &ARK436_B,
    ],
    implicit_b: &ARK436_B,
    error: (&ARK436_ERROR, &ARK436_ERROR, 3),
};

const ARK436_B: [f64; 6] = [82889.0 / 524892.0, 0.0, 15625.0 / 83664.0, 69875.0 / 102672.0, -2260.0 / 8211.0, 0.25];
const ARK436_ERROR: [f64; 6] = [
    ARK436_B[0] - 4586570599.0 / 29645900160.0,
    0.0,
    ARK436_B[2] - 178811875.0 / 945068544.0,
    ARK436_B[3] - 814220225.0 / 1159782912.0,
    ARK436_B[4] + 3700637.0 / 11593932.0,
    ARK436_B[5] - 61727.0 / 225920.0,
];

impl PairTableau {
    /// Number of stages.
    pub fn stages(&self) -> usize {
        self.c.len()
    }

    /// The last stage is the new point, for slow and fast states.
    pub fn ends_in_last_stage(&self) -> bool {
        let last = self.stages() - 1;
        self.implicit[last] == self.implicit_b && self.explicit[last] == &self.explicit_b[..last] && self.explicit_b[last] == 0.0
    }

    /// Whether the slow derivative of a stage enters anything, and the fast one.
    fn uses(&self, stage: usize, adaptive: bool) -> (bool, bool) {
        let later = stage + 1..self.stages();
        let slow = later.clone().any(|i| self.explicit[i][stage] != 0.0) || self.explicit_b[stage] != 0.0 || adaptive && self.error.0[stage] != 0.0;
        let fast = later.into_iter().any(|i| self.implicit[i][stage] != 0.0) || self.implicit_b[stage] != 0.0 || adaptive && self.error.1[stage] != 0.0;
        (slow, fast)
    }
}

/// Newton's method for the fast states of a stage.
#[derive(Debug)]
struct FastNewton {
    linear: Linear,
    jacobian: Vec<f64>,
    /// The `c` of the factors; `None` if there are none.
    factored: Option<f64>,
    /// Solutions since the Jacobian was evaluated; `None` if there is none.
    age: Option<u32>,
    /// Observed rate of convergence, 1 if unknown.
    rate: f64,
    residual: Vec<f64>,
    /// With fixed steps the solution is exact as far as that goes, and a failure is retried with new Jacobians.
    strict: bool,
}

impl FastNewton {
    fn new(fast: &PartFunction, strict: bool) -> FastNewton {
        FastNewton {
            linear: Linear::new(&fast.pattern),
            jacobian: vec![0.0; fast.pattern.rows.len()],
            factored: None,
            age: None,
            rate: 1.0,
            residual: vec![0.0; fast.states.len()],
            strict,
        }
    }

    fn restart(&mut self) {
        self.factored = None;
        self.age = None;
        self.rate = 1.0;
    }

    /// Solves `x_f = base + c*f_f(t, x)` for the fast entries of `x`, which hold a guess.
    fn solve(&mut self, system: &mut System<'_>, fast: &mut PartFunction, t: f64, c: f64, x: &mut [f64], base: &[f64], weights: &[f64]) -> Result<(), Rejection> {
        let most = if self.strict { MAX_JACOBIANS } else { 2 };
        let mut fresh = 0;
        loop {
            if self.prepare(system, fast, t, c, x)? {
                fresh += 1;
            }
            match self.iterate(system, fast, t, c, x, base, weights) {
                Ok(()) => return Ok(()),
                Err(rejection) if fresh >= most => return Err(rejection),
                Err(Rejection::Evaluation) if fresh > 0 => return Err(Rejection::Evaluation),
                Err(_) => {
                    self.restart();
                    if !self.strict {
                        // Where the failed iteration went is no better guess than where it began.
                        for (&state, base) in fast.states.iter().zip(base) {
                            x[state] = *base;
                        }
                    }
                }
            }
        }
    }

    /// Makes sure that there are usable factors. Returns whether the Jacobian belongs to this very point.
    fn prepare(&mut self, system: &mut System<'_>, fast: &mut PartFunction, t: f64, c: f64, x: &[f64]) -> Result<bool, Rejection> {
        // The fast block is small or sparse: exact factors cost less than the iterations that old ones would need.
        let young = self.age.is_some_and(|age| age <= MAX_AGE);
        if self.factored == Some(c) && young {
            return Ok(false);
        }
        let mut fresh = false;
        if !young {
            self.age = None;
            fast.jacobian(system, t, x, &mut self.jacobian)?;
            self.age = Some(0);
            fresh = true;
        }
        system.statistics.factorisations += 1;
        self.factored = None;
        if let Err(Singular { column }) = self.linear.factor(c, &self.jacobian) {
            return Err(Rejection::Singular { state: fast.states[column] });
        }
        self.factored = Some(c);
        // With exact factors the rate is that of the Jacobian's age, not of the step.
        if fresh {
            self.rate = self.rate.max(FRESH_RATE);
        }
        Ok(fresh)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of `solve`")]
    fn iterate(&mut self, system: &mut System<'_>, fast: &mut PartFunction, t: f64, c: f64, x: &mut [f64], base: &[f64], weights: &[f64]) -> Result<(), Rejection> {
        let mut previous = 0.0;
        for iteration in 1..=MAX_ITERATIONS {
            system.statistics.fast_evaluations += 1;
            fast.derivatives(system, t, x, &mut self.residual)?;
            system.statistics.newton_iterations += 1;
            for ((r, &state), base) in self.residual.iter_mut().zip(&fast.states).zip(base) {
                *r = base + c * *r - x[state];
            }
            self.linear.solve(&mut self.residual);
            for (r, &state) in self.residual.iter().zip(&fast.states) {
                x[state] += *r;
            }
            let size = if self.strict {
                // With the sizes that the fast states have now: they may have been zero at the beginning of the step.
                let sizes = fast.states.iter().zip(base).map(|(&state, base)| x[state].abs().max(base.abs()).max(system.model.nominal(state)));
                let parts = self.residual.iter().zip(sizes).map(|(r, size)| r.abs() / (STRICT * size));
                parts.fold(0.0, |largest: f64, part| if part.is_nan() || largest.is_nan() { f64::NAN } else { largest.max(part) })
            } else {
                norm(&self.residual, weights)
            };
            if !size.is_finite() {
                return Err(Rejection::Newton { worst: fast.states[worst(&self.residual, weights)] });
            }
            if iteration > 1 {
                self.rate = (0.1 * self.rate).max(size / previous);
            }
            // Relations that are sampled may have changed with the last correction: only a further evaluation tells.
            let rate = if system.sampled { 1.0 } else { self.rate.min(1.0) };
            if size * rate <= NEWTON_PART {
                if let Some(age) = &mut self.age {
                    *age += 1;
                }
                return Ok(());
            }
            if iteration > 1 && size > 2.0 * previous {
                break;
            }
            previous = size;
        }
        Err(Rejection::Newton { worst: fast.states[worst(&self.residual, weights)] })
    }
}

/// Derivatives at a point, if they are known.
#[derive(Debug)]
struct Slope {
    values: Vec<f64>,
    known: bool,
}

impl Slope {
    fn new(n: usize) -> Slope {
        Slope { values: vec![0.0; n], known: false }
    }

    fn get(&self) -> Option<&[f64]> {
        self.known.then_some(&self.values)
    }

    fn set(&mut self, values: &[f64]) {
        self.values.copy_from_slice(values);
        self.known = true;
    }
}

/// The method.
#[derive(Debug)]
pub struct Mixed {
    pair: Pair,
    slow: PartFunction,
    fast: PartFunction,
    newton: FastNewton,
    /// Step size of a run with fixed steps.
    fixed: Option<f64>,
    controller: Option<Controller>,
    failures: u32,
    t: f64,
    t_old: f64,
    h_old: f64,
    h: f64,
    x: Vec<f64>,
    x_old: Vec<f64>,
    x_new: Vec<f64>,
    /// Derivatives of the stages.
    slow_stages: Vec<Vec<f64>>,
    fast_stages: Vec<Vec<f64>>,
    /// Derivatives at `x` and at `x_old`.
    slow_f: Slope,
    fast_f: Slope,
    slow_old: Slope,
    fast_old: Slope,
    base: Vec<f64>,
    error: Vec<f64>,
    all_weights: Vec<f64>,
    weights: Vec<f64>,
}

impl Mixed {
    /// The method for a model and a split; `step` is that of runs with fixed steps.
    pub fn new(model: &dyn Model, split: &Split, step: f64) -> Mixed {
        let n = model.n_states();
        let mut is_fast = vec![false; n];
        split.fast.iter().for_each(|&state| is_fast[state] = true);
        let slow = PartFunction::new(model, (0..n).filter(|&state| !is_fast[state]).collect());
        let fast = PartFunction::new(model, (0..n).filter(|&state| is_fast[state]).collect());
        let stages = split.pair.tableau().stages();
        Mixed {
            pair: split.pair,
            newton: FastNewton::new(&fast, !split.adaptive),
            fixed: if split.adaptive { None } else { Some(step) },
            controller: split.adaptive.then(|| Controller::new(split.pair.tableau().error.2)),
            failures: 0,
            t: 0.0,
            t_old: 0.0,
            h_old: 0.0,
            h: step,
            x: vec![0.0; n],
            x_old: vec![0.0; n],
            x_new: vec![0.0; n],
            slow_stages: vec![vec![0.0; slow.states.len()]; stages],
            fast_stages: vec![vec![0.0; fast.states.len()]; stages],
            slow_f: Slope::new(slow.states.len()),
            fast_f: Slope::new(fast.states.len()),
            slow_old: Slope::new(slow.states.len()),
            fast_old: Slope::new(fast.states.len()),
            base: vec![0.0; fast.states.len()],
            error: vec![0.0; n],
            all_weights: vec![0.0; n],
            weights: vec![0.0; fast.states.len()],
            slow,
            fast,
        }
    }

    fn slow_derivatives(&mut self, system: &mut System<'_>, t: f64, at_stage: usize) -> Result<(), Rejection> {
        if self.slow.states.is_empty() {
            return Ok(());
        }
        system.statistics.slow_evaluations += 1;
        self.slow.derivatives(system, t, &self.x_new, &mut self.slow_stages[at_stage])
    }

    fn set_weights(&mut self, system: &System<'_>) {
        system.weights(&self.x, &mut self.all_weights);
        for (weight, &state) in self.weights.iter_mut().zip(&self.fast.states) {
            *weight = match self.fixed {
                Some(_) => 1.0 / (STRICT * self.x[state].abs().max(system.model.nominal(state))),
                None => self.all_weights[state],
            };
        }
    }

    fn try_step(&mut self, system: &mut System<'_>, h: f64, t_new: f64) -> Result<(), Rejection> {
        let tableau = self.pair.tableau();
        let adaptive = self.fixed.is_none();
        self.set_weights(system);
        for i in 0..tableau.stages() {
            let (slow_used, fast_used) = tableau.uses(i, adaptive);
            let t = match tableau.c[i] {
                0.0 => self.t,
                1.0 => t_new,
                c => self.t + c * h,
            };
            self.x_new.copy_from_slice(&self.x);
            for (weight, k) in tableau.explicit[i].iter().zip(&self.slow_stages) {
                if *weight != 0.0 {
                    let factor = h * weight;
                    for (&state, k) in self.slow.states.iter().zip(k) {
                        self.x_new[state] += factor * k;
                    }
                }
            }
            let diagonal = tableau.implicit[i][i];
            if diagonal != 0.0 && !self.fast.states.is_empty() {
                self.solve_stage(system, i, h, t)?;
            } else if fast_used && !self.fast.states.is_empty() {
                match self.fast_f.get() {
                    Some(f) => self.fast_stages[i].copy_from_slice(f),
                    None => {
                        system.statistics.fast_evaluations += 1;
                        self.fast.derivatives(system, t, &self.x_new, &mut self.fast_stages[i])?;
                        self.fast_f.set(&self.fast_stages[i]);
                    }
                }
            }
            if slow_used {
                match self.slow_f.get() {
                    Some(f) if i == 0 => self.slow_stages[0].copy_from_slice(f),
                    _ => self.slow_derivatives(system, t, i)?,
                }
                if i == 0 && !self.slow_f.known {
                    self.slow_f.set(&self.slow_stages[0]);
                }
            }
        }
        if !tableau.ends_in_last_stage() {
            self.x_new.copy_from_slice(&self.x);
            add(&mut self.x_new, &self.slow.states, &self.slow_stages, tableau.explicit_b, h);
            add(&mut self.x_new, &self.fast.states, &self.fast_stages, tableau.implicit_b, h);
        }
        Ok(())
    }

    /// The fast states of a stage; `x_new` holds its slow states.
    fn solve_stage(&mut self, system: &mut System<'_>, i: usize, h: f64, t: f64) -> Result<(), Rejection> {
        let tableau = self.pair.tableau();
        for (base, &state) in self.base.iter_mut().zip(&self.fast.states) {
            *base = self.x[state];
        }
        for (weight, k) in tableau.implicit[i][..i].iter().zip(&self.fast_stages) {
            if *weight != 0.0 {
                let factor = h * weight;
                for (base, k) in self.base.iter_mut().zip(k) {
                    *base += factor * k;
                }
            }
        }
        let c = h * tableau.implicit[i][i];
        // The slope of the last solved stage is the guess, that of the last step for the first of them.
        let earlier = (1..i).rev().find(|&j| tableau.implicit[j][j] != 0.0);
        let guess = earlier.map(|j| self.fast_stages[j].as_slice()).or(self.fast_f.get());
        for (k, (&state, base)) in self.fast.states.iter().zip(&self.base).enumerate() {
            self.x_new[state] = base + guess.map_or(0.0, |guess| c * guess[k]);
        }
        self.newton.solve(system, &mut self.fast, t, c, &mut self.x_new, &self.base, &self.weights)?;
        for ((k, base), &state) in self.fast_stages[i].iter_mut().zip(&self.base).zip(&self.fast.states) {
            *k = (self.x_new[state] - base) / c;
        }
        Ok(())
    }

    /// The weighted error of the attempt, and the state with the largest share.
    fn estimate(&mut self, h: f64) -> (f64, usize) {
        let tableau = self.pair.tableau();
        self.error.fill(0.0);
        add(&mut self.error, &self.slow.states, &self.slow_stages, tableau.error.0, h);
        add(&mut self.error, &self.fast.states, &self.fast_stages, tableau.error.1, h);
        if !self.fast.states.is_empty() {
            for (e, &state) in self.base.iter_mut().zip(&self.fast.states) {
                *e = self.error[state];
            }
            self.newton.linear.solve(&mut self.base);
            for (e, &state) in self.base.iter().zip(&self.fast.states) {
                self.error[state] = *e;
            }
        }
        (norm(&self.error, &self.all_weights), worst(&self.error, &self.all_weights))
    }

    /// Derivatives at the new point, as far as the stages have them.
    fn advance_derivatives(&mut self, system: &mut System<'_>) {
        let tableau = self.pair.tableau();
        std::mem::swap(&mut self.slow_old, &mut self.slow_f);
        std::mem::swap(&mut self.fast_old, &mut self.fast_f);
        (self.slow_f.known, self.fast_f.known) = (false, false);
        if tableau.ends_in_last_stage() {
            let last = tableau.stages() - 1;
            self.fast_f.set(&self.fast_stages[last]);
            if tableau.uses(last, self.fixed.is_none()).0 {
                self.slow_f.set(&self.slow_stages[last]);
            }
        }
        if tableau.order <= 2 {
            return;
        }
        // The first stage of the next step, and the slope that values within this step need.
        if !self.slow_f.known && !self.slow.states.is_empty() {
            system.statistics.slow_evaluations += 1;
            self.slow_f.known = self.slow.derivatives(system, self.t, &self.x, &mut self.slow_f.values).is_ok();
        }
        if !self.fast_f.known && !self.fast.states.is_empty() {
            system.statistics.fast_evaluations += 1;
            self.fast_f.known = self.fast.derivatives(system, self.t, &self.x, &mut self.fast_f.values).is_ok();
        }
    }
}

/// `out[states] += h * sum of weights[j]*stages[j]`.
fn add(out: &mut [f64], states: &[usize], stages: &[Vec<f64>], weights: &[f64], h: f64) {
    for (weight, k) in weights.iter().zip(stages) {
        if *weight != 0.0 {
            let factor = h * weight;
            for (&state, k) in states.iter().zip(k) {
                out[state] += factor * k;
            }
        }
    }
}

impl Method for Mixed {
    fn restart(&mut self, system: &mut System<'_>, t: f64, x: &[f64], limit: f64) -> Result<(), Rejection> {
        self.t = t;
        self.x.copy_from_slice(x);
        self.newton.restart();
        self.failures = 0;
        (self.slow_f.known, self.fast_f.known) = (false, false);
        system.statistics.newton_dimension = self.fast.states.len() as u64;
        self.h = match self.fixed {
            Some(h) => h,
            None => {
                let mut f = vec![0.0; x.len()];
                system.derivatives(t, x, &mut f)?;
                for (slope, states) in [(&mut self.slow_f, &self.slow.states), (&mut self.fast_f, &self.fast.states)] {
                    slope.values.iter_mut().zip(states).for_each(|(value, &state)| *value = f[state]);
                    slope.known = true;
                }
                first_step(system, t, x, &f, self.pair.tableau().order, limit, (&mut self.x_new, &mut self.error))?
            }
        };
        if let Some(controller) = &mut self.controller {
            controller.restart();
        }
        Ok(())
    }

    fn resume(&mut self, t: f64) {
        self.newton.restart();
        (self.slow_f.known, self.fast_f.known) = (false, false);
        if t != self.t {
            let mut x = std::mem::take(&mut self.x_new);
            self.interpolate(t, &mut x);
            self.x_new = std::mem::replace(&mut self.x, x);
            self.t = t;
        }
    }

    fn attempt(&mut self, system: &mut System<'_>, limit: f64) -> Attempt {
        let wanted = self.h.min(system.max_step);
        let (h, last) = step_within(self.fixed, self.t, wanted, limit);
        let t_new = if last { limit } else { self.t + h };
        if let Err(rejection) = self.try_step(system, h, t_new) {
            self.failures += 1;
            self.h = h * if self.failures > 3 { 0.1 } else { 0.3 };
            return Attempt::Rejected(rejection);
        }
        let mut factor = 1.0;
        if self.controller.is_some() {
            let (error, worst) = self.estimate(h);
            let error = if error.is_finite() { error } else { f64::INFINITY };
            factor = self.controller.as_mut().map_or(1.0, |controller| controller.factor(error));
            if error > 1.0 {
                self.h = h * factor;
                return Attempt::Rejected(Rejection::Error { worst });
            }
            // A small change is not worth new factors.
            if factor > 1.0 && factor < 1.2 {
                factor = 1.0;
            }
        }
        self.failures = 0;
        std::mem::swap(&mut self.x_old, &mut self.x);
        std::mem::swap(&mut self.x, &mut self.x_new);
        self.t_old = self.t;
        self.h_old = h;
        self.t = t_new;
        self.h = step_after(self.fixed, h, factor, last.then_some(wanted));
        self.advance_derivatives(system);
        Attempt::Accepted
    }

    fn time(&self) -> f64 {
        self.t
    }

    fn state(&self) -> &[f64] {
        &self.x
    }

    fn next_step(&self) -> f64 {
        self.h
    }

    fn interpolate(&self, t: f64, x: &mut [f64]) {
        let theta = if self.h_old > 0.0 { (t - self.t_old) / self.h_old } else { 1.0 };
        for (value, (old, new)) in x.iter_mut().zip(self.x_old.iter().zip(&self.x)) {
            *value = old + theta * (new - old);
        }
        if self.pair.tableau().order < 3 {
            return;
        }
        // Where the slopes at both ends are known, a cubic; else the straight line stands.
        let bend = |x: &mut [f64], states: &[usize], slopes: Option<(&[f64], &[f64])>| {
            let Some((f0, f1)) = slopes else { return };
            for (k, &state) in states.iter().enumerate() {
                let rise = self.x[state] - self.x_old[state];
                let (left, right) = (self.h_old * f0[k] - rise, self.h_old * f1[k] - rise);
                x[state] += theta * (1.0 - theta) * ((1.0 - theta) * left - theta * right);
            }
        };
        bend(x, &self.slow.states, self.slow_old.get().zip(self.slow_f.get()));
        bend(x, &self.fast.states, self.fast_old.get().zip(self.fast_f.get()));
    }

    fn order(&self) -> usize {
        self.pair.tableau().order
    }
}

#[cfg(test)]
mod tests {
    use super::super::problems::{Problem, bouncing_ball, experiment, run};
    use super::super::{Experiment, Solver};
    use super::*;

    /// Slow `y = sin t`, fast `z = cos t`; the fast equation is stiff and pulls towards a curve that moves with `y`.
    fn split_problem(stiffness: f64) -> Problem {
        Problem::ode(
            vec![0.0, 1.0],
            move |t, x, dx| {
                let (y, z) = (x[0], x[1]);
                dx[0] = z * (y * y + z * z);
                dx[1] = -stiffness * (z - t.cos() + y - t.sin()) - y;
            },
            move |_, x, v| {
                let (y, z) = (x[0], x[1]);
                v.copy_from_slice(&[2.0 * y * z, -stiffness - 1.0, y * y + 3.0 * z * z, -stiffness]);
            },
        )
    }

    fn mixed(pair: Pair, adaptive: bool, step: f64, stop: f64) -> Experiment {
        let split = Some(Split { fast: vec![1], pair, adaptive });
        Experiment { step: Some(step), interval: Some(stop), split, ..experiment(Solver::Bdf, stop) }
    }

    #[test]
    fn pairs_have_their_order_on_a_stiff_split_problem() {
        // The last pair has its order for moderate stiffness only.
        let stiff = 1e6;
        for (pair, order, stiffness) in
            [(Pair::Euler, 1.0, stiff), (Pair::Midpoint, 2.0, stiff), (Pair::Heun, 2.0, stiff), (Pair::Imex3, 3.0, stiff), (Pair::Imex4, 4.0, 10.0)]
        {
            let error = |steps: f64| {
                let (points, statistics) = run(&mut split_problem(stiffness), &mixed(pair, false, 1.5 / steps, 1.5));
                assert_eq!(statistics.steps, steps as u64);
                let last = points.last();
                (last[0] - 1.5_f64.sin()).abs().max((last[1] - 1.5_f64.cos()).abs())
            };
            for steps in [40.0, 80.0] {
                let measured = (error(steps) / error(2.0 * steps)).log2();
                assert!((measured - order).abs() < 0.2, "{pair}: order {measured} from {steps} steps");
            }
        }
    }

    #[test]
    fn error_control_meets_the_tolerance() {
        for pair in Pair::ALL {
            for tolerance in [1e-3, 1e-5] {
                let experiment = Experiment { tolerance, step: None, ..mixed(pair, true, 1.0, 1.5) };
                let (points, statistics) = run(&mut split_problem(1e4), &experiment);
                let last = points.last();
                let error = (last[0] - 1.5_f64.sin()).abs().max((last[1] - 1.5_f64.cos()).abs());
                // The error of each step is below the tolerance; at worst all of them add up.
                assert!(error < tolerance * (10 + statistics.steps) as f64, "{pair} at {tolerance}: error {error}");
                assert!(statistics.steps < 2000, "{pair} at {tolerance}: {} steps", statistics.steps);
            }
        }
    }

    #[test]
    fn euler_pair_is_the_printed_formula() {
        // x1' = -2 x1 + x2, x2' = x1 - 50 x2 with x2 fast: all slow states first, then the fast one with the new slow ones.
        let mut problem = Problem::ode(
            vec![1.0, 2.0],
            |_, x, dx| {
                dx[0] = -2.0 * x[0] + x[1];
                dx[1] = x[0] - 50.0 * x[1];
            },
            |_, _, v| v.copy_from_slice(&[-2.0, 1.0, 1.0, -50.0]),
        );
        let h = 0.125;
        let (points, statistics) = run(&mut problem, &mixed(Pair::Euler, false, h, 0.5));
        let (mut slow, mut fast) = (1.0, 2.0);
        for _ in 0..4 {
            slow += h * (-2.0 * slow + fast);
            fast = (fast + h * slow) / (1.0 + 50.0 * h);
        }
        let last = points.last();
        assert!((last[0] - slow).abs() < 1e-14 && (last[1] - fast).abs() < 1e-14, "{last:?} {slow} {fast}");
        assert_eq!((statistics.slow_evaluations, statistics.newton_dimension, statistics.jacobians), (4, 1, 1));
    }

    #[test]
    fn events_are_located_as_in_other_runs() {
        for pair in Pair::ALL {
            let split = Some(Split { fast: vec![1], pair, adaptive: false });
            let experiment = Experiment { step: Some(1e-3), split, ..experiment(Solver::Bdf, 1.0) };
            let (points, statistics) = run(&mut bouncing_ball(), &experiment);
            assert!(statistics.state_events >= 1, "{pair}");
            let hit = (2.0_f64 / 9.81).sqrt();
            let jump = points.rows.windows(2).find(|w| w[0].0 == w[1].0).map(|w| w[0].0);
            assert!(jump.is_some_and(|t| (t - hit).abs() < 2e-3), "{pair}: {jump:?}");
        }
    }
}
