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
    /// ARK5(4)8L[2]SA2 of Kennedy and Carpenter (2019): order 5, L-stable in the fast states, with an error estimate of order 4; for
    /// high accuracy. Falls back like the pair of order 4.
    Imex5,
    /// Backward differentiation for the fast states, predicted and corrected once for the slow ones: orders 1 to 5, error control only.
    Bdf,
}

impl Pair {
    /// All pairs in the order of their words.
    pub const ALL: [Pair; 7] = [Pair::Euler, Pair::Midpoint, Pair::Heun, Pair::Imex3, Pair::Imex4, Pair::Imex5, Pair::Bdf];

    /// The word for the pair.
    pub fn word(self) -> &'static str {
        match self {
            Pair::Euler => "euler",
            Pair::Midpoint => "midpoint",
            Pair::Heun => "heun",
            Pair::Imex3 => "imex3",
            Pair::Imex4 => "imex4",
            Pair::Imex5 => "imex5",
            Pair::Bdf => "bdf",
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
            Pair::Imex5 => "IMEX of order 5 (Kennedy, Carpenter)",
            Pair::Bdf => "explicit/implicit backward differentiation",
        }
    }

    /// The formulas choose their steps and have no fixed ones.
    pub fn is_multistep(self) -> bool {
        self == Pair::Bdf
    }

    /// The coefficients; of the multistep method those of order 1, from which it begins.
    pub fn tableau(self) -> &'static PairTableau {
        match self {
            Pair::Euler | Pair::Bdf => &EULER,
            Pair::Midpoint => &MIDPOINT,
            Pair::Heun => &HEUN,
            Pair::Imex3 => &ARS443,
            Pair::Imex4 => &ARK436,
            Pair::Imex5 => &ARK548,
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

/// No pair has more stages.
pub(crate) const MOST_STAGES: usize = 8;

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
    explicit: &[&[], &[0.5], &[11.0 / 18.0, 1.0 / 18.0], &[5.0 / 6.0, -5.0 / 6.0, 0.5], &[0.25, 1.75, 0.75, -1.75]],
    explicit_b: &[0.25, 1.75, 0.75, -1.75, 0.0],
    implicit: &[&[0.0], &[0.0, 0.5], &[0.0, 1.0 / 6.0, 0.5], &[0.0, -0.5, 0.5, 0.5], &[0.0, 1.5, -1.5, 0.5, 0.5]],
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

/// ARK5(4)8L[2]SA2: both methods have the same weights.
static ARK548: PairTableau = PairTableau {
    order: 5,
    c: &[
        0.0,
        4.0 / 9.0,
        6456083330201.0 / 8509243623797.0,
        1632083962415.0 / 14158861528103.0,
        6365430648612.0 / 17842476412687.0,
        18.0 / 25.0,
        191.0 / 200.0,
        1.0,
    ],
    explicit: &[
        &[],
        &[4.0 / 9.0],
        &[1.0 / 9.0, 1183333538310.0 / 1827251437969.0],
        &[895379019517.0 / 9750411845327.0, 477606656805.0 / 13473228687314.0, -112564739183.0 / 9373365219272.0],
        &[
            -4458043123994.0 / 13015289567637.0,
            -2500665203865.0 / 9342069639922.0,
            983347055801.0 / 8893519644487.0,
            2185051477207.0 / 2551468980502.0,
        ],
        &[
            -167316361917.0 / 17121522574472.0,
            1605541814917.0 / 7619724128744.0,
            991021770328.0 / 13052792161721.0,
            2342280609577.0 / 11279663441611.0,
            3012424348531.0 / 12792462456678.0,
        ],
        &[
            6680998715867.0 / 14310383562358.0,
            5029118570809.0 / 3897454228471.0,
            2415062538259.0 / 6382199904604.0,
            -3924368632305.0 / 6964820224454.0,
            -4331110370267.0 / 15021686902756.0,
            -3944303808049.0 / 11994238218192.0,
        ],
        &[
            2193717860234.0 / 3570523412979.0,
            2193717860234.0 / 3570523412979.0,
            5952760925747.0 / 18750164281544.0,
            -4412967128996.0 / 6196664114337.0,
            4151782504231.0 / 36106512998704.0,
            572599549169.0 / 6265429158920.0,
            -457874356192.0 / 11306498036315.0,
        ],
    ],
    explicit_b: &ARK548_B,
    implicit: &[
        &[0.0],
        &[2.0 / 9.0, 2.0 / 9.0],
        &[2366667076620.0 / 8822750406821.0, 2366667076620.0 / 8822750406821.0, 2.0 / 9.0],
        &[-257962897183.0 / 4451812247028.0, -257962897183.0 / 4451812247028.0, 128530224461.0 / 14379561246022.0, 2.0 / 9.0],
        &[
            -486229321650.0 / 11227943450093.0,
            -486229321650.0 / 11227943450093.0,
            -225633144460.0 / 6633558740617.0,
            1741320951451.0 / 6824444397158.0,
            2.0 / 9.0,
        ],
        &[
            621307788657.0 / 4714163060173.0,
            621307788657.0 / 4714163060173.0,
            -125196015625.0 / 3866852212004.0,
            940440206406.0 / 7593089888465.0,
            961109811699.0 / 6734810228204.0,
            2.0 / 9.0,
        ],
        &[
            2036305566805.0 / 6583108094622.0,
            2036305566805.0 / 6583108094622.0,
            -3039402635899.0 / 4450598839912.0,
            -1829510709469.0 / 31102090912115.0,
            -286320471013.0 / 6931253422520.0,
            8651533662697.0 / 9642993110008.0,
            2.0 / 9.0,
        ],
        &ARK548_B,
    ],
    implicit_b: &ARK548_B,
    error: (&ARK548_ERROR, &ARK548_ERROR, 4),
};

const ARK548_B: [f64; 8] = [
    0.0,
    0.0,
    3517720773327.0 / 20256071687669.0,
    4569610470461.0 / 17934693873752.0,
    2819471173109.0 / 11655438449929.0,
    3296210113763.0 / 10722700128969.0,
    -1142099968913.0 / 5710983926999.0,
    2.0 / 9.0,
];
const ARK548_ERROR: [f64; 8] = [
    0.0,
    0.0,
    -18652552508630163520943320.0 / 168134443655105334713783643.0,
    141161430501477620145807.0 / 319735394533244397237135736.0,
    -207757214437709595456056.0 / 72283007456311581445415925.0,
    13674542533282477231637762.0 / 149163814411398370516486131.0,
    11939168497868428048898551.0 / 210101209758476969753215083.0,
    -1815023333875.0 / 51666766064334.0,
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

    /// The last stage is the new point for the fast states alone, in a method whose stages are less accurate than its steps.
    pub(crate) fn settles(&self) -> bool {
        self.order > 3 && self.implicit[self.stages() - 1] == self.implicit_b && !self.ends_in_last_stage()
    }

    /// How long a step of the explicit method may be, times the rate of a decay, so that what decays does not grow.
    pub(crate) fn explicit_stability(&self) -> f64 {
        const STEP: f64 = 1e-3;
        let grows = |product: f64| {
            let mut slopes = [0.0; MOST_STAGES];
            let sum = |weights: &[f64], slopes: &[f64]| -> f64 { weights.iter().zip(slopes).map(|(weight, slope)| weight * slope).sum() };
            for i in 0..self.stages() {
                slopes[i] = -product * (1.0 + sum(self.explicit[i], &slopes));
            }
            (1.0 + sum(self.explicit_b, &slopes)).abs() > 1.0
        };
        let first = (1..).map(|k| f64::from(k) * STEP).find(|product| grows(*product));
        first.map_or(0.0, |product| product - STEP)
    }

    /// Whether the slow derivative of a stage enters anything, and the fast one.
    pub(crate) fn uses(&self, stage: usize, adaptive: bool) -> (bool, bool) {
        let later = stage + 1..self.stages();
        let slow = later.clone().any(|i| self.explicit[i][stage] != 0.0)
            || self.explicit_b[stage] != 0.0
            || adaptive && self.error.0[stage] != 0.0;
        let fast = later.into_iter().any(|i| self.implicit[i][stage] != 0.0)
            || self.implicit_b[stage] != 0.0
            || adaptive && self.error.1[stage] != 0.0;
        (slow, fast)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explicit_methods_are_stable_as_far_as_their_polynomials_are_small() {
        // 1 - z and 1 - z + z^2/2.
        for (pair, stable) in [(Pair::Euler, 2.0), (Pair::Midpoint, 2.0), (Pair::Heun, 2.0)] {
            assert!((pair.tableau().explicit_stability() - stable).abs() < 2e-3, "{pair}");
        }
        for pair in [Pair::Imex3, Pair::Imex4, Pair::Imex5] {
            let stable = pair.tableau().explicit_stability();
            assert!(stable > 2.0 && stable < 10.0, "{pair}: {stable}");
        }
    }

    #[test]
    fn only_pairs_of_high_order_settle() {
        let settling: Vec<Pair> = Pair::ALL.into_iter().filter(|pair| pair.tableau().settles()).collect();
        assert_eq!(settling, [Pair::Imex4, Pair::Imex5]);
        assert!(Pair::ALL.iter().all(|pair| pair.tableau().stages() <= MOST_STAGES));
    }
}
