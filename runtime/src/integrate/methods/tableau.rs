//! Coefficients of Runge-Kutta methods, as data.

/// How a Runge-Kutta method gives values within a step.
#[derive(Copy, Clone, Debug)]
pub enum Dense {
    /// Straight line between the ends: enough for orders 1 and 2, and it never overshoots.
    Linear,
    /// Cubic through values and derivatives at both ends.
    Hermite,
    /// Row `i` has the coefficients of theta, theta^2, ... with which stage `i` enters.
    Polynomial(&'static [&'static [f64]]),
}

/// A Runge-Kutta method with a lower triangular matrix: explicit, or implicit with one unknown stage at a time.
#[derive(Copy, Clone, Debug)]
pub struct Tableau {
    /// Order of the solution.
    pub order: usize,
    /// Row `i` has `i + 1` entries, the last on the diagonal.
    pub a: &'static [&'static [f64]],
    /// Weights.
    pub b: &'static [f64],
    /// Times of stages.
    pub c: &'static [f64],
    /// Weights of the error estimate `b - b^`, and its order; fixed steps if there is none.
    pub error: Option<(&'static [f64], usize)>,
    /// Values within a step.
    pub dense: Dense,
}

impl Tableau {
    /// Number of stages.
    pub fn stages(&self) -> usize {
        self.c.len()
    }

    /// Explicit methods have zeros on the diagonal.
    pub fn is_explicit(&self) -> bool {
        self.a.iter().all(|row| row.last() == Some(&0.0))
    }
}

/// Explicit Euler.
pub const EULER: Tableau = Tableau { order: 1, a: &[&[0.0]], b: &[1.0], c: &[0.0], error: None, dense: Dense::Linear };

/// Explicit midpoint rule.
pub const MIDPOINT: Tableau =
    Tableau { order: 2, a: &[&[0.0], &[0.5, 0.0]], b: &[0.0, 1.0], c: &[0.0, 0.5], error: None, dense: Dense::Hermite };

/// Heun's method: explicit trapezoidal rule.
pub const HEUN: Tableau =
    Tableau { order: 2, a: &[&[0.0], &[1.0, 0.0]], b: &[0.5, 0.5], c: &[0.0, 1.0], error: None, dense: Dense::Hermite };

/// The classical method of Kutta.
pub const RK4: Tableau = Tableau {
    order: 4,
    a: &[&[0.0], &[0.5, 0.0], &[0.0, 0.5, 0.0], &[0.0, 0.0, 1.0, 0.0]],
    b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    c: &[0.0, 0.5, 0.5, 1.0],
    error: None,
    dense: Dense::Hermite,
};

/// Implicit Euler.
pub const IMPLICIT_EULER: Tableau = Tableau { order: 1, a: &[&[1.0]], b: &[1.0], c: &[1.0], error: None, dense: Dense::Linear };

/// Implicit midpoint rule.
pub const IMPLICIT_MIDPOINT: Tableau = Tableau { order: 2, a: &[&[0.5]], b: &[1.0], c: &[0.5], error: None, dense: Dense::Linear };

/// Dormand and Prince 5(4), J. Comput. Appl. Math. 6 (1980); interpolant of order 4 by Shampine (1986) as polynomials.
pub const DOPRI5: Tableau = Tableau {
    order: 5,
    a: &[
        &[0.0],
        &[1.0 / 5.0, 0.0],
        &[3.0 / 40.0, 9.0 / 40.0, 0.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0],
        &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0],
        &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0],
        &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0, 0.0],
    ],
    b: &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0, 0.0],
    c: &[0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0],
    error: Some((&[71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0], 4)),
    dense: Dense::Polynomial(&[
        &[1.0, -8048581381.0 / 2820520608.0, 8663915743.0 / 2820520608.0, -12715105075.0 / 11282082432.0],
        &[0.0, 0.0, 0.0, 0.0],
        &[0.0, 131558114200.0 / 32700410799.0, -68118460800.0 / 10900136933.0, 87487479700.0 / 32700410799.0],
        &[0.0, -1754552775.0 / 470086768.0, 14199869525.0 / 1410260304.0, -10690763975.0 / 1880347072.0],
        &[0.0, 127303824393.0 / 49829197408.0, -318862633887.0 / 49829197408.0, 701980252875.0 / 199316789632.0],
        &[0.0, -282668133.0 / 205662961.0, 2019193451.0 / 616988883.0, -1453857185.0 / 822651844.0],
        &[0.0, 40617522.0 / 29380423.0, -110615467.0 / 29380423.0, 69997945.0 / 29380423.0],
    ]),
};

/// Kennedy and Carpenter's ESDIRK of order 4(3) with six stages, L-stable and stiffly accurate, with an interpolant of order 3
/// (Appl. Numer. Math. 44 (2003) 139-181, implicit part of ARK4(3)6L[2]SA).
pub const ESDIRK4: Tableau = Tableau {
    order: 4,
    a: &[
        &[0.0],
        &[0.25, 0.25],
        &[8611.0 / 62500.0, -1743.0 / 31250.0, 0.25],
        &[5012029.0 / 34652500.0, -654441.0 / 2922500.0, 174375.0 / 388108.0, 0.25],
        &[15267082809.0 / 155376265600.0, -71443401.0 / 120774400.0, 730878875.0 / 902184768.0, 2285395.0 / 8070912.0, 0.25],
        &[82889.0 / 524892.0, 0.0, 15625.0 / 83664.0, 69875.0 / 102672.0, -2260.0 / 8211.0, 0.25],
    ],
    b: &[82889.0 / 524892.0, 0.0, 15625.0 / 83664.0, 69875.0 / 102672.0, -2260.0 / 8211.0, 0.25],
    c: &[0.0, 0.5, 83.0 / 250.0, 31.0 / 50.0, 17.0 / 20.0, 1.0],
    error: Some((
        &[
            82889.0 / 524892.0 - 4586570599.0 / 29645900160.0,
            0.0,
            15625.0 / 83664.0 - 178811875.0 / 945068544.0,
            69875.0 / 102672.0 - 814220225.0 / 1159782912.0,
            -2260.0 / 8211.0 + 3700637.0 / 11593932.0,
            0.25 - 61727.0 / 225920.0,
        ],
        3,
    )),
    dense: Dense::Polynomial(&[
        &[6943876665148.0 / 7220017795957.0, -54480133.0 / 30881146.0, 6818779379841.0 / 7100303317025.0],
        &[0.0, 0.0, 0.0],
        &[7640104374378.0 / 9702883013639.0, -11436875.0 / 14766696.0, 2173542590792.0 / 12501825683035.0],
        &[-20649996744609.0 / 7521556579894.0, 174696575.0 / 18121608.0, -31592104683404.0 / 5083833661969.0],
        &[8854892464581.0 / 2390941311638.0, -12120380.0 / 966161.0, 61146701046299.0 / 7138195549469.0],
        &[-11397109935349.0 / 6675773540249.0, 3843.0 / 706.0, -17219254887155.0 / 4939391667607.0],
    ]),
};

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [(&str, Tableau); 8] = [
        ("euler", EULER),
        ("midpoint", MIDPOINT),
        ("heun", HEUN),
        ("rk4", RK4),
        ("implicit euler", IMPLICIT_EULER),
        ("implicit midpoint", IMPLICIT_MIDPOINT),
        ("dopri5", DOPRI5),
        ("esdirk4", ESDIRK4),
    ];

    /// Sums of the order conditions up to order 4 with weights `b`: (weights, node conditions, tree conditions) as residuals.
    fn residuals(tableau: &Tableau, b: &[f64], order: usize) -> Vec<f64> {
        let c = tableau.c;
        let s = tableau.stages();
        let a = |i: usize, j: usize| tableau.a[i].get(j).copied().unwrap_or(0.0);
        let ac: Vec<f64> = (0..s).map(|i| (0..s).map(|j| a(i, j) * c[j]).sum()).collect();
        let ac2: Vec<f64> = (0..s).map(|i| (0..s).map(|j| a(i, j) * c[j] * c[j]).sum()).collect();
        let aac: Vec<f64> = (0..s).map(|i| (0..s).map(|j| a(i, j) * ac[j]).sum()).collect();
        let sum = |f: &dyn Fn(usize) -> f64| (0..s).map(|i| b[i] * f(i)).sum::<f64>();
        let mut out = Vec::new();
        for k in 1..=order {
            out.push(sum(&|i| c[i].powi(k as i32 - 1)) - 1.0 / k as f64);
        }
        if order >= 3 {
            out.push(sum(&|i| ac[i]) - 1.0 / 6.0);
        }
        if order >= 4 {
            out.push(sum(&|i| c[i] * ac[i]) - 1.0 / 8.0);
            out.push(sum(&|i| ac2[i]) - 1.0 / 12.0);
            out.push(sum(&|i| aac[i]) - 1.0 / 24.0);
        }
        out
    }

    #[test]
    fn tableaux_satisfy_the_order_conditions() {
        for (name, tableau) in ALL {
            for (i, row) in tableau.a.iter().enumerate() {
                assert_eq!(row.len(), i + 1, "{name}");
                assert!((row.iter().sum::<f64>() - tableau.c[i]).abs() < 1e-14, "{name}: row {i}");
            }
            for r in residuals(&tableau, tableau.b, tableau.order) {
                assert!(r.abs() < 1e-14, "{name}: {r}");
            }
            if let Some((error, order)) = tableau.error {
                let embedded: Vec<f64> = tableau.b.iter().zip(error).map(|(b, e)| b - e).collect();
                for r in residuals(&tableau, &embedded, order) {
                    assert!(r.abs() < 1e-14, "{name}, embedded: {r}");
                }
            }
            if let Dense::Polynomial(rows) = tableau.dense {
                let mut quadrature = 0.0;
                for (i, row) in rows.iter().enumerate() {
                    assert!((row.iter().sum::<f64>() - tableau.b[i]).abs() < 1e-12, "{name}: interpolant at the end, stage {i}");
                    let at_third: f64 = row.iter().enumerate().map(|(k, p)| p * (1.0f64 / 3.0).powi(k as i32 + 1)).sum();
                    quadrature += at_third * tableau.c[i] * tableau.c[i];
                }
                // y' = t^2 at one third.
                assert!((quadrature - 1.0 / 81.0).abs() < 1e-12, "{name}: interpolant within");
            }
        }
    }
}
