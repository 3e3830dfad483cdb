//! Pairs of Runge-Kutta methods with common times of stages: an explicit one for slow states, an implicit one for fast states.
//!
//! The coefficients as data, with the differences to embedded formulas for the error estimate; `mixed` is the stepper.

use std::fmt;
use std::str::FromStr;

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
    pub(super) fn uses(&self, stage: usize, adaptive: bool) -> (bool, bool) {
        let later = stage + 1..self.stages();
        let slow = later.clone().any(|i| self.explicit[i][stage] != 0.0) || self.explicit_b[stage] != 0.0 || adaptive && self.error.0[stage] != 0.0;
        let fast = later.into_iter().any(|i| self.implicit[i][stage] != 0.0) || self.implicit_b[stage] != 0.0 || adaptive && self.error.1[stage] != 0.0;
        (slow, fast)
    }
}
