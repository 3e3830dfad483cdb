//! Functions of the standard library that files call without defining them: what their descriptions promise.

use partita::pipeline::embed::Model;

/// The values at the end of a run of a model with these declarations.
fn value(declarations: &str, name: &str) -> f64 {
    let text = format!("model M\n  Real t(start = 0, fixed = true);\n{declarations}\nequation\n  der(t) = 1;\nend M;\n");
    let model = Model::compile(&text).unwrap_or_else(|failure| panic!("{failure}"));
    let table = model.run().simulate().unwrap_or_else(|failure| panic!("{failure}"));
    let values = table.values(name).unwrap_or_else(|| panic!("{name} is in the result"));
    values[values.len() - 1]
}

/// The amplitude of a chain of second-order terms at a frequency: numerators are `gain*w`, `w^2`, or `|w^2 - middle^2|`.
fn amplitude(c0: &[f64], c1: &[f64], w: f64, numerator: impl Fn(f64) -> f64) -> f64 {
    c0.iter().zip(c1).map(|(c0, c1)| numerator(w) / ((c0 - w * w).powi(2) + (c1 * w).powi(2)).sqrt()).product()
}

#[test]
fn filters_have_minus_three_decibels_at_their_limits() {
    // A Butterworth filter of order 2: s^2 + sqrt(2)*s + 1.
    let tau = std::f64::consts::TAU;
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let filter = "'Modelica.Blocks.Continuous.Internal.Filter.coefficients";
    let base = "fill(0.0, 0), {1.0}, {1.4142135623730951}";
    let high = format!("  Real cr[0];\n  Real c0[1];\n  Real c1[1];\nequation\n  (cr, c0, c1) = {filter}.highPass'({base}, 3.0);");
    let (c0, c1) = (value(&high, "c0[1]"), value(&high, "c1[1]"));
    assert!((amplitude(&[c0], &[c1], 3.0 * tau, |w| w * w) - half).abs() < 1e-12);
    let pass = format!(
        "  Real cr[0];\n  Real c0[2];\n  Real c1[2];\n  Real cn;\nequation\n  (cr, c0, c1, cn) = {filter}.bandPass'({base}, 2.0, 3.0);"
    );
    let both = |text: &str, name: &str| [value(text, &format!("{name}[1]")), value(text, &format!("{name}[2]"))];
    let gain = value(&pass, "cn");
    for (f, expected) in [(2.0, half), (3.0, half), (6.0_f64.sqrt(), 1.0)] {
        let found = amplitude(&both(&pass, "c0"), &both(&pass, "c1"), f * tau, |w| gain * w);
        assert!((found - expected).abs() < 1e-12, "{f} Hz: {found}");
    }
    let stop = format!("  Real cr[0];\n  Real c0[2];\n  Real c1[2];\nequation\n  (cr, c0, c1) = {filter}.bandStop'({base}, 2.0, 3.0);");
    for (f, expected) in [(2.0, half), (3.0, half), (1e-6, 1.0)] {
        let found = amplitude(&both(&stop, "c0"), &both(&stop, "c1"), f * tau, |w| (w * w - 6.0 * tau * tau).abs());
        assert!((found - expected).abs() < 1e-12, "{f} Hz: {found}");
    }
}

#[test]
fn distributions_are_inverses_and_slopes_of_each_other() {
    for (name, parameters, at) in [("Normal", "1.5, 0.7", 1.9), ("Weibull", "1.2, 2.5", 0.8), ("Uniform", "-1.0, 3.0", 0.4)] {
        let function = format!("'Modelica.Math.Distributions.{name}");
        let text = format!(
            "  Real up = {function}.cumulative'({at} + 1e-5, {parameters});\n  Real down = {function}.cumulative'({at} - 1e-5, {parameters});\n\
             Real density = {function}.density'({at}, {parameters});\n  Real back = {function}.quantile'({function}.cumulative'({at}, {parameters}), {parameters});"
        );
        let slope = (value(&text, "up") - value(&text, "down")) / 2e-5;
        assert!((slope - value(&text, "density")).abs() < 1e-8, "{name}: {slope}");
        assert!((value(&text, "back") - at).abs() < 1e-12, "{name}");
    }
}

#[test]
fn rotations_turn_vectors_and_back() {
    let frames = "'Modelica.Mechanics.MultiBody.Frames";
    for axis in 1..=3 {
        let text = format!(
            "  Real T[3, 3] = {frames}.TransformationMatrices.axisRotation'({axis}, 0.7);\n  Real P[3, 3] = {frames}.TransformationMatrices.planarRotation'({frames}.axis'({axis}), 0.7);\n\
             Real e = sum(abs(T - P)) + sum(abs(T*transpose(T) - identity(3)));"
        );
        assert!(value(&text, "e").abs() < 1e-15, "axis {axis}");
    }
}

#[test]
fn orientations_go_there_and_back() {
    let frames = "'Modelica.Mechanics.MultiBody.Frames";
    // A turn of 0.7 about z and one of 0.4 about x: relative to the first the second is what was added, and vectors come back.
    let text = format!(
        "  'Modelica.Mechanics.MultiBody.Frames.Orientation' a = {frames}.planarRotation'({{0, 0, 1}}, 0.7, 2);\n  'Modelica.Mechanics.MultiBody.Frames.Orientation' b = {frames}.planarRotation'({{1, 0, 0}}, 0.4, 3);\n\
         'Modelica.Mechanics.MultiBody.Frames.Orientation' c = {frames}.absoluteRotation'(a, b);\n  'Modelica.Mechanics.MultiBody.Frames.Orientation' d = {frames}.relativeRotation'(a, c);\n\
         Real e = sum(abs(d.T - b.T)) + sum(abs(d.w - b.w)) + sum(abs({frames}.orientationConstraint'(c)));\n\
         Real f = sum(abs({frames}.resolveDyade1'(c, {frames}.resolveDyade2'(c, diagonal({{1, 2, 3}}))) - diagonal({{1, 2, 3}})));\n  Real w = c.w*c.w;\n\
         Real g = sum(abs({frames}.TransformationMatrices.axesRotations'({{3, 1, 2}}, {{0.7, 0.4, 0}}) - c.T));"
    );
    assert!(value(&text, "e").abs() < 1e-14 && value(&text, "f").abs() < 1e-14 && value(&text, "g").abs() < 1e-14);
    // Turning about perpendicular axes, the speeds add like the sides of a rectangle.
    assert!((value(&text, "w") - 13.0).abs() < 1e-14);
}

#[test]
fn factors_solve_linear_equations() {
    let lapack = "'Modelica.Math.Matrices.LAPACK";
    // The first pivot is zero: rows are exchanged. The function is written as those that exporters keep.
    let text = format!(
        "  Real A[3, 3] = {{{{0, 2, 1}}, {{3, 4, 0}}, {{1, 1, 5}}}};\n  Real x[3] = {lapack}.dgesv_vec'(A, A*{{1, 2, 3}});\n  Real X[3, 2] = {lapack}.dgesv'(A, A*{{{{1, 4}}, {{2, 5}}, {{3, 6}}}});\n\
         Real e = sum(abs(x - {{1, 2, 3}})) + sum(abs(X - {{{{1, 4}}, {{2, 5}}, {{3, 6}}}}));\n  Real d = 'Modelica.Math.Matrices.det'(A);\n\
         Real C[2, 2] = {lapack}.dpotrf'({{{{4, 2}}, {{2, 10}}}}, true);\n  Real g[3] = {lapack}.dgtsv_vec'({{1, 1}}, {{4, 4, 4}}, {{1, 1}}, {{6, 12, 14}});\n\
         Real l[3] = {lapack}.dgels_vec'({{{{1, 0}}, {{0, 1}}, {{1, 1}}}}, {{1, 2, 3}});\n  Real s[2] = {lapack}.dgelsy_vec'({{{{1, 1}}}}, {{2}});"
    );
    assert!(value(&text, "e").abs() < 1e-14);
    assert!((value(&text, "d") + 31.0).abs() < 1e-13);
    assert_eq!(["C[1,1]", "C[1,2]", "C[2,2]"].map(|name| value(&text, name)), [2.0, 1.0, 3.0]);
    for (name, expected) in [("g[1]", 1.0), ("g[2]", 2.0), ("g[3]", 3.0), ("l[1]", 1.0), ("l[2]", 2.0), ("s[1]", 1.0), ("s[2]", 1.0)] {
        assert!((value(&text, name) - expected).abs() < 1e-14, "{name}");
    }
    let inverse = format!(
        "  Real LU[2, 2];\n  Integer p[2];\n  Integer info;\n  Real I[2, 2];\n  Integer bad;\n  Real L2[2, 2];\n  Integer q[2];\nequation\n  (LU, p, info) = {lapack}.dgetrf'({{{{1, 2}}, {{3, 4}}}});\n\
         I = {lapack}.dgetri'(LU, p)*{{{{1, 2}}, {{3, 4}}}};\n  (L2, q, bad) = {lapack}.dgetrf'({{{{1, 2}}, {{2, 4}}}});"
    );
    for (name, expected) in [("I[1,1]", 1.0), ("I[1,2]", 0.0), ("I[2,2]", 1.0), ("info", 0.0), ("bad", 2.0)] {
        assert!((value(&inverse, name) - expected).abs() < 1e-14, "{name}: {}", value(&inverse, name));
    }
}

#[test]
fn small_functions_of_vectors_and_numbers() {
    let text = "  Real n = 'Modelica.Math.Vectors.norm'({3, -4*t}, 1e60) + 'Modelica.Math.Vectors.norm'({3, 4*t}, 2);\n  Real i = 'Modelica.Math.Vectors.interpolate'({0, 1, 2}, {0, 10, 40}, 1.5*t);\n\
                Real o = 'Modelica.Math.Vectors.interpolate'({0, 1, 2}, {0, 10, 40}, 3*t);\n  Real a = 'Modelica.Math.asinh'(-t) + 'Modelica.Math.acosh'(1 + t);\n\
                Real w = 'Modelica.Math.wrapAngle'(7*t, false);\n  Real p = 'Modelica.Math.tempInterpol1'(1.5*t, {{1, 10}, {2, 20}}, 2);\n\
                Real f = 'Modelica.Blocks.Continuous.Internal.Filter.Utilities.normalizationFactor'({1.0}, {{1.0, 1.0}});";
    let expected =
        [("n", 9.0), ("i", 25.0), ("o", 70.0), ("a", -1.0_f64.asinh() + 2.0_f64.acosh()), ("w", 7.0 - std::f64::consts::TAU), ("p", 15.0)];
    for (name, expected) in expected {
        assert!((value(text, name) - expected).abs() < 1e-9, "{name}: {}", value(text, name));
    }
    // At the normalizing frequency the amplitude of the third-order Butterworth filter has fallen by 3 dB: 1 + w^6 = 10^0.3.
    assert!((value(text, "f") - (10.0_f64.powf(0.3) - 1.0).powf(1.0 / 6.0)).abs() < 1e-12);
}

#[test]
fn sums_to_a_number_known_at_run_time() {
    // The loop makes the function one that is called; its sum ends at a number that depends on time.
    let functions = "function f\n  input Real x;\n  output Real y;\n  output Real z;\nprotected\n  Real v[4] = {1, 2, 3, 4};\n  Integer k;\nalgorithm\n  k := 0;\n  while k < 3*x loop\n    k := k + 1;\n  end while;\n\
                     y := sum(v[i]*x for i in 1:k) + max(v[i] for i in 1:2:k);\n  z := product(i for i in 1:k - 3);\nend f;\n";
    let text = format!("{functions}model M\n  Real y, z;\nequation\n  (y, z) = f(time);\nend M;\n");
    let model = Model::compile(&text).unwrap_or_else(|failure| panic!("{failure}"));
    let table = model.run().simulate().unwrap_or_else(|failure| panic!("{failure}"));
    let last = |name: &str| table.values(name).and_then(|values| values.last().copied());
    assert_eq!((last("y"), last("z")), (Some(9.0), Some(1.0)));
}

/// A gas with a constant heat capacity of `cp` gas constants; the entropy at 1 K and one atmosphere is `b` of them.
fn gas(name: &str, mass: f64, cp: f64, b: f64) -> String {
    let r = 8.31446261815324 / mass;
    format!(
        "'Modelica.Media.IdealGases.Common.DataRecord'(\"{name}\", {mass:e}, 0.0, 0.0, 1000.0, {{0.0, 0.0, {cp:e}, 0.0, 0.0, 0.0, 0.0}}, {{0.0, {b:e}}}, \
         {{0.0, 0.0, {cp:e}, 0.0, 0.0, 0.0, 0.0}}, {{0.0, {b:e}}}, {r:e})"
    )
}

/// The value of `y` of a file whose medium has these functions.
fn of_medium(state: &str, functions: &str, model: &str) -> Result<f64, String> {
    let text = format!(
        "//! base 0.1.0\npackage 'T'\n  record 'Medium.ThermodynamicState'\n    {state}\n  end 'Medium.ThermodynamicState';\n{functions}\n  model 'T'\n    \
         Real 'y' = {model};\n  end 'T';\nend 'T';\n"
    );
    let model = Model::compile(&text).map_err(|failure| failure.to_string())?;
    let table = model.run().simulate().map_err(|failure| failure.to_string())?;
    let values = table.values("y").ok_or("no y")?;
    Ok(values[values.len() - 1])
}

#[test]
fn functions_of_a_gas_take_its_data_from_those_that_the_file_has() {
    let (p, t, cp, mass) = (2e5, 400.0, 3.5, 0.02);
    let r = 8.31446261815324 / mass;
    let state = "Real 'p'; Real 'T';";
    let function = |call: &str, gases: &str| {
        format!(
            "function 'T.Medium.f'\n input 'Medium.ThermodynamicState' 'state';\n output Real 'y';\n algorithm\n 'y' := {call}('state') \
             + 0.0 * 'Modelica.Media.IdealGases.Common.Functions.cp_T'({gases}, 'state'.'T');\n end 'T.Medium.f';"
        )
    };
    let record = gas("A", mass, cp, 1.0);
    let at = |call: &str, record: &str| {
        of_medium(state, &function(&format!("'T.Medium.{call}'"), record), &format!("'T.Medium.f'('Medium.ThermodynamicState'({p}, {t}))"))
    };
    for (call, expected) in [
        ("density", p / (r * t)),
        ("isentropicExponent", cp / (cp - 1.0)),
        ("specificHeatCapacityCv", (cp - 1.0) * r),
        ("specificEntropy", r * (cp * t.ln() + 1.0) - r * (p / 101325.0_f64).ln()),
        ("molarMass", mass),
        ("pressure", p),
        ("temperature", t),
    ] {
        let found = at(call, &record).unwrap_or_else(|failure| panic!("{call}: {failure}"));
        assert!((found / expected - 1.0).abs() < 1e-14, "{call}: {found} instead of {expected}");
    }
    // Without the data nothing is assumed.
    let none =
        of_medium(state, &function("'T.Medium.density'", "'T.Medium.data'()"), "'T.Medium.f'('Medium.ThermodynamicState'(1e5, 300.0))");
    assert!(none.is_err_and(|failure| failure.contains("F006")));
}

#[test]
fn functions_of_a_mixture_take_the_data_of_all_gases_in_order() {
    let (p, t, x) = (2e5_f64, 400.0_f64, [0.25, 0.75]);
    let gases = [(0.02, 2.5, 1.0), (0.04, 3.5, 2.0)];
    let records = gases.map(|(mass, cp, b)| gas("A", mass, cp, b)).join(", ");
    let r = gases.map(|(mass, ..)| 8.31446261815324 / mass);
    let state = "Real 'p'; Real 'T'; Real 'X'[2];";
    let function = |call: &str| {
        format!(
            "function 'T.Medium.f'\n input 'Medium.ThermodynamicState' 'state';\n output Real 'y';\n algorithm\n 'y' := {call} \
             + 0.0 * sum('Modelica.Media.IdealGases.Common.Functions.cp_T'({{{records}}}['i'], 'state'.'T') for 'i' in 1:2);\n end 'T.Medium.f';"
        )
    };
    let moles = x[0] / gases[0].0 + x[1] / gases[1].0;
    let constant = x[0] * r[0] + x[1] * r[1];
    let heat = x[0] * r[0] * gases[0].1 + x[1] * r[1] * gases[1].1;
    let entropy: f64 = (0..2).map(|i| x[i] * r[i] * (gases[i].1 * t.ln() + gases[i].2)).sum();
    let mixed: f64 = (0..2).map(|i| x[i] * r[i] * (x[i] / gases[i].0 / moles * p / 101325.0).ln()).sum();
    for (call, expected) in [
        ("'T.Medium.gasConstant'('state')", constant),
        ("'T.Medium.density'('state')", p / (constant * t)),
        ("'T.Medium.isentropicExponent'('state')", heat / (heat - constant)),
        ("'T.Medium.molarMass'('state')", 1.0 / moles),
        ("'T.Medium.s_TX'('state'.'T', 'state'.'X')", entropy),
        ("'T.Medium.specificEntropyOfpTX'('state'.'p', 'state'.'T', 'state'.'X')", entropy - mixed),
    ] {
        let found =
            of_medium(state, &function(call), &format!("'T.Medium.f'('Medium.ThermodynamicState'({p}, {t}, {{{}, {}}}))", x[0], x[1]));
        let found = found.unwrap_or_else(|failure| panic!("{call}: {failure}"));
        assert!((found / expected - 1.0).abs() < 1e-14, "{call}: {found} instead of {expected}");
    }
}

#[test]
fn states_that_hold_a_property_give_it() {
    let function = |call: &str| {
        format!(
            "function 'T.Medium.f'\n input 'Medium.ThermodynamicState' 'state';\n output Real 'y';\n algorithm\n 'y' := 'T.Medium.{call}'('state');\n end 'T.Medium.f';"
        )
    };
    let state = "Real 'h'; Real 'd'; Real 'p';";
    let at = |call: &str| of_medium(state, &function(call), "'T.Medium.f'('Medium.ThermodynamicState'(3.0, 2.0, 1.0))");
    assert_eq!([at("pressure"), at("density"), at("specificEnthalpy")], [Ok(1.0), Ok(2.0), Ok(3.0)]);
    assert!(at("temperature").is_err_and(|failure| failure.contains("F006")));
}

#[test]
fn loss_constants_are_those_of_the_velocity_in_a_pipe() {
    // dp = zeta*rho/2*v^2 with v = m_flow/(rho*pi/4*D^2).
    let found = value("  Real k = 'Modelica.Fluid.Fittings.BaseClasses.lossConstant_D_zeta'(0.1, 0.7);", "k");
    let area = std::f64::consts::PI / 4.0 * 0.01;
    assert!((found / (0.5 * 0.7 / (area * area)) - 1.0).abs() < 1e-14, "{found}");
}

#[test]
fn a_medium_without_a_component_is_known_by_what_its_functions_say() {
    let function = |name: &str| {
        format!(
            "function 'T.Medium.f'\n input 'Medium.ThermodynamicState' 'state';\n output Real 'y';\n algorithm\n \
             assert(true, \"Specific Entropy, s(T), is not defined for medium {name}.\", AssertionLevel.error);\n \
             'y' := 'T.Medium.s_T'('state'.'T');\n end 'T.Medium.f';"
        )
    };
    let at = |name: &str| of_medium("Real 'T'; Real 'p';", &function(name), "'T.Medium.f'('Medium.ThermodynamicState'(273.15, 1e5))");
    assert_eq!(at("Glycol-Water 47%"), Ok(0.0));
    assert!(at("another").is_err_and(|failure| failure.contains("F006")));
}
