//! Functions that are supplied, against published values.

use super::*;

/// Types that functions of the library take from the file.
const LIBRARY_TYPES: &str = "
  record 'Complex' Real 're'; Real 'im'; end 'Complex';
  record 'Modelica.Electrical.Spice3.Internal.SpiceConstants' Real 'c'; end 'Modelica.Electrical.Spice3.Internal.SpiceConstants';
  record 'Modelica.Electrical.Spice3.Internal.Mos1.Mos1ModelLineParams' Real 'm_lambda'; end 'Modelica.Electrical.Spice3.Internal.Mos1.Mos1ModelLineParams';
  record 'Modelica.Electrical.Spice3.Internal.Mos.MosModelLineVariables' Real 'm_gamma'; end 'Modelica.Electrical.Spice3.Internal.Mos.MosModelLineVariables';
  record 'Modelica.Electrical.Spice3.Internal.Mos1.Mos1Calc'
    Real 'm_tPhi'; Real 'm_tVbi'; Real 'm_von'; Real 'm_vdsat'; Real 'm_cdrain'; Real 'm_gm'; Real 'm_gds'; Real 'm_gmbs'; Real 'm_Beta'; Real 'm_capOx';
  end 'Modelica.Electrical.Spice3.Internal.Mos1.Mos1Calc';
  record 'Modelica.Electrical.Spice3.Internal.Fet.Fet'
    Real 'm_area'; Real 'm_tGatePot'; Real 'm_tCGS'; Real 'm_tCGD'; Real 'm_corDepCap'; Real 'm_f1'; Real 'm_f2'; Real 'm_f3'; Real 'm_cdrain'; Real 'm_gm'; Real 'm_gds';
  end 'Modelica.Electrical.Spice3.Internal.Fet.Fet';
  record 'Modelica.Electrical.Spice3.Internal.Jfet.JfetModelLine'
    Real 'm_threshold'; Real 'm_beta'; Real 'm_lModulation'; Real 'm_b'; Real 'm_bFac';
  end 'Modelica.Electrical.Spice3.Internal.Jfet.JfetModelLine';
  record 'Modelica.Media.Air.MoistAir.ThermodynamicState' Real 'p'; Real 'T'; Real 'X'[2]; end 'Modelica.Media.Air.MoistAir.ThermodynamicState';
  record 'Modelica.Media.Interfaces.PartialMedium.ThermodynamicState' Real 'p'; Real 'T'; Real 'd'; Real 'h'; end 'Modelica.Media.Interfaces.PartialMedium.ThermodynamicState';
  function 'Modelica.Media.IdealGases.Common.MixtureGasNasa.h_TX'
    input Real 'T'; input Real 'X'[:]; input Boolean 'e'; input 'Modelica.Media.Interfaces.Choices.ReferenceEnthalpy' 'r'; input Real 'o'; output Real 'h';
  algorithm 'h' := 'T' * 'X'[1];
  end 'Modelica.Media.IdealGases.Common.MixtureGasNasa.h_TX';
  function 'Modelica.Media.IdealGases.Common.MixtureGasNasa.specificEntropyOfpTX' input Real 'p'; input Real 'T'; input Real 'X'[:]; output Real 's';
  algorithm 's' := 'T' * 'X'[1];
  end 'Modelica.Media.IdealGases.Common.MixtureGasNasa.specificEntropyOfpTX';
";

#[test]
fn every_function_of_the_library_translates() {
    let functions = crate::frontend::repair::library_files::FILES.iter().flat_map(|(_, text)| {
        let is_function = |name: &&str| text.contains(&format!("function '{name}'"));
        crate::frontend::repair::library_files::class_names(text).filter(is_function)
    });
    // A function that takes a function is no derivative, and one that needs the gases of a medium is made when they are known; they
    // have tests of their own.
    let needs_gases = |name: &str| {
        crate::frontend::repair::library_files::function_text(name)
            .is_some_and(|text| text.contains("Nasa.data'") || text.contains("Nasa.ThermodynamicState'"))
    };
    // Built-in functions have texts for where they are passed as arguments.
    let is_builtin = |name: &str| name.strip_prefix("Modelica.Math.").is_some_and(|last| builtin_named(last).is_some());
    let is_apart = |name: &str| name.ends_with("solveOneNonlinearEquation") || is_builtin(name) || needs_gases(name);
    let names: Vec<&str> = functions.filter(|name| !is_apart(name)).collect();
    assert!(names.len() > 100);
    // Each function is reached as the derivative of a dummy, so that no arguments have to be made up.
    let dummies: String = names
        .iter()
        .enumerate()
        .map(|(i, name)| {
            format!("  function 'd{i}'\n    input Real 'x';\n    output Real 'y';\n  algorithm\n    'y' := 'x';\n    annotation(derivative = '{name}');\n  end 'd{i}';\n")
        })
        .collect();
    let calls: String = (0..names.len()).map(|i| format!("    'x' = 'd{i}'(time);\n")).collect();
    let flat = flat(&format!(
        "//! base 0.1.0\npackage 'P'\n{LIBRARY_TYPES}{dummies}  model 'M'\n    Real 'x';\n  equation\n{calls}  end 'M';\nend 'P';\n"
    ));
    for name in names {
        assert!(flat.functions.values().any(|f| f.name == *name), "{name}");
    }
}

/// The values of calls of library functions.
fn library_values(calls: &[&str]) -> Vec<f64> {
    let constants: String = calls.iter().enumerate().map(|(i, call)| format!("    constant Real 'c{i}' = {call};\n")).collect();
    let m = flat(&format!("//! base 0.1.0\npackage 'P'\n{LIBRARY_TYPES}  model 'M'\n{constants}  end 'M';\nend 'P';\n"));
    (0..calls.len()).map(|i| real(&m, &format!("c{i}"))).collect()
}

fn assert_close(calls: &[(&str, f64)], tolerance: f64) {
    let values = library_values(&calls.iter().map(|(call, _)| *call).collect::<Vec<_>>());
    for ((call, expected), value) in calls.iter().zip(values) {
        assert!((value - expected).abs() <= tolerance * expected.abs(), "{call} is {value}, not {expected}");
    }
}

#[test]
fn water_has_the_values_of_the_release() {
    // Tables 5, 15, 33, 35, 36 and 42 of IAPWS R7-97(2012), and the backward equations of its tables 7 and 24.
    let base = "'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic";
    let volume = |region: u32, arguments: &str, p: f64, t: f64| {
        (format!("461.526 * {t:?} * ({base}.g{region}'({arguments})).'pi' * ({base}.g{region}'({arguments})).'gpi' / {p:?}"), t)
    };
    let enthalpy = |region: u32, arguments: &str, t: f64| {
        format!("461.526 * {t:?} * ({base}.g{region}'({arguments})).'tau' * ({base}.g{region}'({arguments})).'gtau'")
    };
    let pressure =
        |d: f64, t: f64| format!("461.526 * {t:?} * {d:?} * ({base}.f3'({d:?}, {t:?})).'delta' * ({base}.f3'({d:?}, {t:?})).'fdelta'");
    let cp = |region: u32, arguments: &str| {
        format!("-461.526 * ({base}.g{region}'({arguments})).'tau' ^ 2 * ({base}.g{region}'({arguments})).'gtautau'")
    };
    let calls = [
        (volume(1, "3e6, 300.0", 3e6, 300.0).0, 0.100215168e-2),
        (volume(1, "80e6, 300.0", 80e6, 300.0).0, 0.971180894e-3),
        (enthalpy(1, "3e6, 500.0", 500.0), 0.975542239e6),
        (cp(1, "3e6, 500.0"), 0.465580682e4),
        (volume(2, "0.0035e6, 700.0", 0.0035e6, 700.0).0, 92.3015898),
        (volume(2, "30e6, 700.0", 30e6, 700.0).0, 0.542946619e-2),
        (enthalpy(2, "30e6, 700.0", 700.0), 0.263149474e7),
        (cp(2, "30e6, 700.0"), 0.103505092e5),
        (volume(5, "0.5e6, 1500.0", 0.5e6, 1500.0).0, 1.38455090),
        (enthalpy(5, "30e6, 2000.0", 2000.0), 0.657122604e7),
        (pressure(500.0, 650.0), 0.255837018e8),
        (pressure(200.0, 650.0), 0.222930643e8),
        (pressure(500.0, 750.0), 0.783095639e8),
        (format!("{base}.psat'(300.0)"), 0.353658941e4),
        (format!("{base}.psat'(600.0)"), 0.123443146e8),
        (format!("{base}.tsat'(0.1e6)"), 372.755919),
        (format!("{base}.tsat'(10e6)"), 584.149488),
        (format!("{base}.tph1'(3e6, 500e3)"), 391.798509),
        (format!("{base}.tph1'(80e6, 1500e3)"), 611.041229),
        (format!("{base}.tph2'(0.001e6, 3000e3)"), 534.433241),
        (format!("{base}.tph2'(5e6, 3500e3)"), 801.299102),
        (format!("{base}.tph2'(40e6, 2700e3)"), 743.056411),
        (format!("{base}.dptofT'(500.0) * {base}.dtsatofp'({base}.psat'(500.0))"), 1.0),
        (format!("({base}.psat'(500.001) - {base}.psat'(499.999)) / 0.002 / {base}.dptofT'(500.0)"), 1.0),
        (format!("({base}.psat'(500.001) - {base}.psat'(499.999)) / 0.002 * {base}.dtsatofp'({base}.psat'(500.0))"), 1.0),
    ];
    let calls: Vec<(&str, f64)> = calls.iter().map(|(call, value)| (call.as_str(), *value)).collect();
    assert_close(&calls, 3e-9);
    // Region 3: the inverses find the states of table 33 again, and the boundary of region 4 is that of the equations.
    let inverses = "'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses";
    let calls = [
        (format!("{inverses}.dofpt3'(25.5837018e6, 650.0, 1e-6)"), 500.0),
        (format!("{inverses}.dofpt3'(22.2930643e6, 650.0, 1e-6)"), 200.0),
        (format!("{inverses}.dtofph3'(25.5837018e6, 1863.43019e3, 1e-6, 1e-6)"), 500.0),
        (format!("{inverses}.dtofph3'(22.2930643e6, 2375.12401e3, 1e-6, 1e-6)"), 200.0),
        ("'Modelica.Media.Water.IF97_Utilities.BaseIF97.Transport.visc_dTp'(997.047435, 298.15, 1e5)".to_owned(), 890.1e-6),
        ("'Modelica.Media.Water.IF97_Utilities.hl_p'(17e6)".to_owned(), 1690.0e3),
        ("'Modelica.Media.Water.IF97_Utilities.hv_p'(17e6)".to_owned(), 2548.0e3),
    ];
    let calls: Vec<(&str, f64)> = calls.iter().map(|(call, value)| (call.as_str(), *value)).collect();
    assert_close(&calls, 2e-3);
}

#[test]
fn ice_and_dry_air_have_the_values_of_the_releases() {
    // Table 6 of IAPWS R10-06(2009), the check value of IAPWS R14-08(2011), and table V of Lemmon and Jacobsen (2004).
    let utilities = "'Modelica.Media.Air.ReferenceMoistAir.Utilities";
    let ice = |state: &str, field: &str| format!("({utilities}.Ice09_Utilities.ice09BaseProp_pT'({state})).'{field}'");
    let (triple, melting, cold) = ("611.657, 273.16", "101325.0, 273.152519", "100e6, 100.0");
    let viscosity = |d: f64, t: f64| format!("'Modelica.Media.Air.ReferenceAir.Air_Utilities.Transport.eta_dT'({:?}, {t:?})", d * 28.9586);
    let calls = [
        (ice(triple, "h"), -333444.253966),
        (ice(triple, "s"), -1220.69433940),
        (ice(triple, "cp"), 2096.78431622),
        (ice(triple, "rho"), 1.0 / 0.109085812737e-2),
        (ice(triple, "vt"), 0.174387964700e-6),
        (ice(triple, "vp"), -0.128495941571e-12),
        (ice(melting, "h"), -333354.873637),
        (ice(melting, "rho"), 916.721463419),
        (ice(cold, "h"), -483491.635676),
        (ice(cold, "s"), -2611.95122589),
        (ice(cold, "cp"), 866.333195517),
        (ice(cold, "rho"), 941.678203297),
        (format!("{utilities}.Ice09_Utilities.Basic.Tsub'({utilities}.Ice09_Utilities.Basic.psub'(230.0))"), 230.0),
        (format!("{utilities}.Ice09_Utilities.Basic.Tsub'(8.94735)"), 230.0),
        (
            format!(
                "({utilities}.Ice09_Utilities.Basic.psub'(230.01) - {utilities}.Ice09_Utilities.Basic.psub'(229.99)) / {utilities}.Ice09_Utilities.Basic.psub_der'(230.0, 0.02)"
            ),
            1.0,
        ),
        (viscosity(0.0, 100.0), 7.09559e-6),
        (viscosity(0.0, 300.0), 18.5230e-6),
        (viscosity(28.0, 100.0), 107.923e-6),
        (viscosity(10.0, 200.0), 21.1392e-6),
        (viscosity(5.0, 300.0), 21.3241e-6),
    ];
    let calls: Vec<(&str, f64)> = calls.iter().map(|(call, value)| (call.as_str(), *value)).collect();
    assert_close(&calls, 5e-6);
}

#[test]
fn inverses_of_air_and_water_find_their_states_again() {
    let air = "'Modelica.Media.Air.ReferenceAir.Air_Utilities";
    let moist = "'Modelica.Media.Air.ReferenceMoistAir.Utilities";
    let water = "'Modelica.Media.Water.IF97_Utilities";
    let mut calls = Vec::new();
    for (p, t) in [(1e5, 300.0), (5e6, 180.0), (2e6, 1500.0)] {
        calls.push((format!("{air}.T_ph'({p:?}, {air}.h_pT'({p:?}, {t:?}))"), t));
        calls.push((format!("{air}.T_ps'({p:?}, {air}.s_pT'({p:?}, {t:?}))"), t));
        calls.push((format!("{air}.p_dT'({air}.rho_pT'({p:?}, {t:?}), {t:?})"), p));
    }
    // Dry, in fog and in snow; hot enough to dissociate.
    for (p, t, x) in [(1e5, 300.0, "{0.01, 0.99}"), (1e5, 300.0, "{0.1, 0.9}"), (1e5, 260.0, "{0.01, 0.99}"), (2e5, 1800.0, "{0.05, 0.95}")]
    {
        calls.push((format!("{moist}.Inverses.T_phX'({p:?}, {moist}.h_pTX'({p:?}, {t:?}, {x}), {x})"), t));
        calls.push((format!("{moist}.Inverses.T_psX'({p:?}, {moist}.s_pTX'({p:?}, {t:?}, {x}), {x})"), t));
        calls.push((format!("{moist}.Inverses.p_dTX'({moist}.rho_pTX'({p:?}, {t:?}, {x}), {t:?}, {x})"), p));
    }
    // The regions 1, 2, 3 and 5.
    for (p, t) in [(3e6, 300.0), (10e6, 500.0), (3500.0, 300.0), (3e6, 700.0), (25.5837018e6, 650.0), (0.5e6, 1500.0)] {
        calls.push((format!("{water}.T_ph'({p:?}, {water}.h_pT'({p:?}, {t:?}))"), t));
        calls.push((format!("{water}.T_ps'({p:?}, {water}.s_pT'({p:?}, {t:?}))"), t));
        calls.push((format!("{water}.p_dT'({water}.rho_pT'({p:?}, {t:?}), {t:?})"), p));
    }
    // A mixture of water and steam, 17 MPa being above the limit of region 3.
    for (p, h) in [(1e5, 1500e3), (17e6, 2000e3)] {
        calls.push((format!("{water}.h_ps'({p:?}, {water}.s_ph'({p:?}, {h:?}))"), h));
        calls.push((format!("{water}.h_dT'({water}.rho_ph'({p:?}, {h:?}), {water}.T_ph'({p:?}, {h:?}))"), h));
    }
    let calls: Vec<(&str, f64)> = calls.iter().map(|(call, value)| (call.as_str(), *value)).collect();
    assert_close(&calls, 1e-4);
    // Tables 5, 15, 33 and 42 of IAPWS R7-97(2012), and the reference state of air.
    let calls = [
        (format!("{water}.s_pT'(3e6, 300.0)"), 392.294792),
        (format!("{water}.cp_pT'(3e6, 300.0)"), 4173.01218),
        (format!("{water}.h_pT'(3500.0, 300.0)"), 2549.91145e3),
        (format!("{water}.s_pT'(3500.0, 300.0)"), 8522.38967),
        (format!("{water}.p_dT'(500.0, 650.0)"), 25.5837018e6),
        (format!("{water}.s_dT'(500.0, 650.0)"), 4054.27273),
        (format!("{water}.cp_dT'(500.0, 650.0)"), 13893.5717),
        (format!("{water}.s_pT'(0.5e6, 1500.0)"), 9654.08875),
        (format!("1e5 + {air}.h_pT'(101325.0, 273.15)"), 1e5),
    ];
    let calls: Vec<(&str, f64)> = calls.iter().map(|(call, value)| (call.as_str(), *value)).collect();
    assert_close(&calls, 1e-6);
}

#[test]
fn derivatives_of_moist_air_are_its_slopes() {
    let moist = "'Modelica.Media.Air.ReferenceMoistAir.Utilities";
    let mut calls = Vec::new();
    for (p, t, x) in [(1e5, 300.0, 0.01), (1e5, 300.0, 0.1), (1e5, 260.0, 0.01), (2e5, 1800.0, 0.05)] {
        let at = |f: &str, e: f64| {
            format!("{moist}.{f}'({:?}, {:?}, {{{:?}, {:?}}})", p * (1.0 + e), t * (1.0 + 0.2 * e), x * (1.0 + e), 1.0 - x * (1.0 + e))
        };
        for f in ["pd_pTX", "h_pTX", "rho_pTX", "u_pTX"] {
            let slope = format!("({} - {}) / 2e-4", at(f, 1e-4), at(f, -1e-4));
            calls.push((
                format!("{slope} / {moist}.{f}_der'({p:?}, {t:?}, {{{x:?}, {:?}}}, {p:?}, {:?}, {{{x:?}, {:?}}})", 1.0 - x, 0.2 * t, -x),
                1.0,
            ));
        }
    }
    let calls: Vec<(&str, f64)> = calls.iter().map(|(call, value)| (call.as_str(), *value)).collect();
    assert_close(&calls, 1e-5);
}

#[test]
fn the_refrigerant_has_the_values_of_its_tables() {
    // Tillner-Roth and Baehr (1994), computed from their equation with other software: saturation at 200, 300 and 360 K, and the
    // reference state of the refrigeration tables, 200 kJ/kg and 1 kJ/(kg K) of the boiling liquid at 273.15 K.
    let medium = "'Modelica.Media.R134a.R134a_ph";
    let of = |function: &str, t: f64| format!("{medium}.{function}'({medium}.setSat_T'({t:?}))");
    let calls = [
        (format!("{medium}.saturationPressure'(200.0)"), 6312.955133),
        (format!("{medium}.saturationPressure'(300.0)"), 702820.6472),
        (format!("{medium}.saturationPressure'(360.0)"), 3040489.730),
        (of("bubbleDensity", 300.0), 1199.666437),
        (of("dewDensity", 300.0), 34.19283665),
        (of("bubbleEnthalpy", 273.15), 200e3),
        (of("bubbleEntropy", 273.15), 1e3),
        (of("dewEnthalpy", 300.0), 413265.6843),
        (of("dewEntropy", 360.0), 1673.532216),
        // The same function under the name of a component's medium.
        ("('Example.volume.Medium.f_R134a'(508.0, 300.0)).'tau'".to_owned(), 374.18 / 300.0),
        (format!("{medium}.temperature_ph'(1e6, {medium}.hofpT'(1e6, 400.0, 0.01))"), 400.0),
        (format!("{medium}.temperature_ph'(10e6, {medium}.hofpT'(10e6, 400.0, 0.01))"), 400.0),
        (format!("{medium}.density_ph'(1e6, {medium}.hofpT'(1e6, 250.0, 0.01)) / {medium}.dofpT'(1e6, 250.0, 0.01)"), 1.0),
        (
            format!("{medium}.hofpsTwoPhase'(702820.6472, 0.5 * ({} + {}))", of("bubbleEntropy", 300.0), of("dewEntropy", 300.0)),
            0.5 * (237189.184 + 413265.6843),
        ),
    ];
    let calls: Vec<(&str, f64)> = calls.iter().map(|(call, value)| (call.as_str(), *value)).collect();
    assert_close(&calls, 1e-6);
    // Slopes over the pressure and the enthalpy, in the liquid, in the vapour and of both phases.
    let mut calls = Vec::new();
    for (p, h) in [(1e6, 107e3), (1e6, 450e3), (1e6, 300e3)] {
        for (name, slope) in [("density", "rho"), ("temperature", "T")] {
            let at = |e: f64| format!("{medium}.{name}_ph'({:?}, {:?})", p * (1.0 + e), h * (1.0 + e));
            calls.push((
                format!(
                    "({} - {}) / 2e-4 / {medium}.{slope}_ph_der'({p:?}, {h:?}, {medium}.derivsOf_ph'({p:?}, {h:?}, 0), {p:?}, {h:?})",
                    at(1e-4),
                    at(-1e-4)
                ),
                1.0,
            ));
        }
    }
    for name in ["BubbleDensity", "DewDensity", "BubbleEnthalpy", "DewEnthalpy", "BubbleEntropy", "DewEntropy"] {
        let at = |p: f64| format!("{medium}.{}{}'({medium}.setSat_p'({p:?}))", name[..1].to_lowercase(), &name[1..]);
        calls.push((
            format!("({} - {}) / 200.0 / {medium}.d{name}_dPressure'({medium}.setSat_p'(1e6))", at(1e6 + 100.0), at(1e6 - 100.0)),
            1.0,
        ));
    }
    let calls: Vec<(&str, f64)> = calls.iter().map(|(call, value)| (call.as_str(), *value)).collect();
    assert_close(&calls, 1e-5);
}

#[test]
fn quaternions_and_matrices_turn_alike() {
    let frames = "'Modelica.Mechanics.MultiBody.Frames";
    let quaternion = |axis: &str, angle: f64| format!("{frames}.Quaternions.planarRotation'({axis}, {angle:?})");
    let matrix = |q: &str| format!("{frames}.Quaternions.to_T'({q})");
    let a = quaternion("{0.6, 0.0, 0.8}", 0.7);
    let b = quaternion("{0.0, 1.0, 0.0}", -1.9);
    let c = format!("{frames}.Quaternions.absoluteRotation'({a}, {b})");
    let v = "{0.3, -1.2, 0.5}";
    let x = "{1.0, 2.0, 3.0}, {0.0, 1.0, 0.2}";
    let xy = format!("{frames}.TransformationMatrices.from_nxy'({x})");
    let xz = format!("{frames}.TransformationMatrices.from_nxz'({x})");
    let mut zeros = vec![
        format!("{} - {} * {}", matrix(&c), matrix(&b), matrix(&a)),
        format!("{frames}.Quaternions.relativeRotation'({a}, {c}) - {b}"),
        format!("{frames}.Quaternions.resolve2'({c}, {v}) - {} * {v}", matrix(&c)),
        format!("{frames}.Quaternions.resolve1'({c}, {v}) - transpose({}) * {v}", matrix(&c)),
        format!("{} - {frames}.TransformationMatrices.planarRotation'({{0.6, 0.0, 0.8}}, 0.7)", matrix(&a)),
        format!("{xy} * transpose({xy}) - identity(3)"),
        format!("{xz} * transpose({xz}) - identity(3)"),
        format!("{xy} * {{1.0, 2.0, 3.0}} - {{sqrt(14.0), 0.0, 0.0}}"),
        format!("{{({xy} * {{0.0, 1.0, 0.2}}) * {{0.0, 0.0, 1.0}}, ({xz} * {{0.0, 1.0, 0.2}}) * {{0.0, 1.0, 0.0}}}}"),
    ];
    // Each element may be the largest one.
    for q in [a, c.clone(), quaternion("{1.0, 0.0, 0.0}", 3.0), quaternion("{0.0, 1.0, 0.0}", 3.0), quaternion("{0.0, 0.0, 1.0}", 3.0)] {
        zeros.push(format!("{frames}.Quaternions.from_T'({}, {q}) - {q}", matrix(&q)));
    }
    let calls: Vec<String> = zeros.iter().map(|zero| format!("1.0 + sum(abs({zero}))")).collect();
    assert_close(&calls.iter().map(|call| (call.as_str(), 1.0)).collect::<Vec<_>>(), 1e-14);
    // Angular velocities and derivatives of vectors against differences.
    let at = |e: f64| {
        let angles = format!("{{{:?}, {:?}, {:?}}}", 0.3 + e, 0.5 - 2.0 * e, -0.9 + 0.5 * e);
        format!("({frames}.axesRotations'({{1, 2, 3}}, {angles}, {{1.0, -2.0, 0.5}}))")
    };
    let (r, slope) = (at(0.0), format!("(({}.'T' - {}.'T') / 2e-6)", at(1e-6), at(-1e-6)));
    let q = |e: f64| format!("{frames}.Quaternions.from_T'({}.'T')", at(e));
    let rate = format!("(({} - {}) / 2e-6)", q(1e-6), q(-1e-6));
    let still = "{0.0, 0.0, 0.0}";
    let zeros = [
        format!("{frames}.TransformationMatrices.angularVelocity2'({r}.'T', {slope}) - {r}.'w'"),
        format!("{frames}.TransformationMatrices.angularVelocity1'({r}.'T', {slope}) - transpose({r}.'T') * {r}.'w'"),
        format!("{frames}.Quaternions.angularVelocity2'({}, {rate}) - {r}.'w'", q(0.0)),
        format!("{frames}.Quaternions.angularVelocity1'({}, {rate}) - transpose({r}.'T') * {r}.'w'", q(0.0)),
        format!("{frames}.Internal.resolve2_der'({r}, {v}, {still}) - {slope} * {v}"),
        format!("{frames}.Internal.resolve1_der'({r}, {v}, {still}) - transpose({slope}) * {v}"),
        format!("{frames}.Internal.resolveRelative_der'({v}, {frames}.nullRotation'(), {r}, {still}) - {slope} * {v}"),
    ];
    let calls: Vec<String> = zeros.iter().map(|zero| format!("1.0 + sum(abs({zero}))")).collect();
    assert_close(&calls.iter().map(|call| (call.as_str(), 1.0)).collect::<Vec<_>>(), 1e-8);
}

#[test]
fn complex_numbers_have_their_values() {
    // a = 1.5 - 0.7i and b = -0.4 + 2.2i, computed with other software.
    let (a, b) = ("'Complex'(1.5, -0.7)", "'Complex'(-0.4, 2.2)");
    let values = [
        (format!(r"'Complex.\'+\''({a}, {b})"), 1.1, 1.5),
        (format!(r"'Complex.\'-\'.subtract'({a}, {b})"), 1.9, -2.9),
        (format!(r"'Complex.\'-\'.negate'({a})"), -1.5, 0.7),
        (format!(r"'Complex.\'*\'.multiply'({a}, {b})"), 0.94, 3.58),
        (format!(r"'Complex.\'*\'.scalarProduct'({{{a}, {b}}}, {{{b}, {b}}})"), -3.74, 1.82),
        (format!(r"'Complex.\'/\''({a}, {b})"), -0.428, -0.604),
        (format!(r"'Complex.\'^\''({a}, {b})"), 0.6054855318651223, 2.048504129762998),
        (format!("'Modelica.ComplexMath.sin'({a})"), 1.2520247904576618, -0.053660088298855685),
        (format!("'Modelica.ComplexMath.cos'({a})"), 0.08878714307836615, 0.7566834395044794),
        (format!("'Modelica.ComplexMath.product'({{{a}, {b}, {b}}})"), -8.252, 0.636),
    ];
    let calls: Vec<(String, f64)> =
        values.iter().flat_map(|(call, re, im)| [(format!("({call}).'re'"), *re), (format!("({call}).'im'"), *im)]).collect();
    assert_close(&calls.iter().map(|(call, value)| (call.as_str(), *value)).collect::<Vec<_>>(), 1e-9);
}

#[test]
fn special_functions_have_their_values() {
    assert_close(
        &[
            ("'Modelica.Math.Special.erf'(0.5)", 0.5204998778130465),
            ("'Modelica.Math.Special.erf'(-3.0)", -0.9999779095030014),
            ("'Modelica.Math.Special.erfc'(0.5)", 0.4795001221869535),
            ("'Modelica.Math.Special.erfc'(5.0)", 1.537_459_794_428_035e-12),
            ("'Modelica.Math.Special.erfInv'(0.5)", 0.4769362762044699),
            ("'Modelica.Math.Special.erfInv'(-0.1)", -0.08885599049425769),
            ("'Modelica.Math.Special.erfInv'(0.999999)", 3.458_910_737_279_5),
            ("'Modelica.Math.Special.erfcInv'(1e-10)", 4.572824967389486),
            ("'Modelica.Math.Special.sinc'(3.0)", 0.0470400026866224),
        ],
        1e-11,
    );
}

#[test]
fn friction_and_regularisation_have_their_values() {
    let fluid = "'Modelica.Fluid.Utilities";
    let friction = "'Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed.Internal";
    let pipe = "1000.0, 1000.0, 1e-3, 1e-3, 10.0, 0.1, 0.00785398163397448";
    let there_and_back = |dp: f64| {
        let m_flow = format!("{friction}.m_flow_of_dp_fric'({dp:?}, {pipe}, 1500.0, 4000.0, 2.5e-4)");
        format!("{friction}.dp_fric_of_m_flow'({m_flow}, {pipe}, 2000.0, 4000.0, 2.5e-4)")
    };
    let calls = [
        // Laminar: dp = 128 mu L m / (pi rho d^4).
        (there_and_back(0.01), 0.01),
        (format!("{friction}.m_flow_of_dp_fric'(0.01, {pipe}, 1500.0, 4000.0, 2.5e-4)"), 0.002454369260617),
        // The ends of the regularised ranges are those of the functions that are replaced.
        (format!("{fluid}.regSquare2'(0.01, 0.01, 2.0, 3.0)"), 2e-4),
        (format!("{fluid}.regSquare2'(-0.01, 0.01, 2.0, 3.0)"), -3e-4),
        (format!("{fluid}.regRoot2'(0.01, 0.01, 2.0, 3.0)"), 0.1 * 2f64.sqrt()),
        (format!("{fluid}.regFun3'(1.0, 0.0, 1.0, 0.0, 1.0, 3.0, 0.1)"), 1.0),
        (format!("{fluid}.regFun3'(0.5, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0)"), 0.5),
        (format!("{fluid}.regStep'(0.0, 1.0, 3.0, 0.1)"), 2.0),
        (format!("{fluid}.cubicHermite'(2.0, 1.0, 3.0, 1.0, 27.0, 3.0, 27.0)"), 8.0),
    ];
    let calls: Vec<(&str, f64)> = calls.iter().map(|(call, value)| (call.as_str(), *value)).collect();
    assert_close(&calls, 1e-9);
    // Turbulent: the two explicit forms are inverse to each other within their accuracy.
    let turbulent = there_and_back(1e4);
    assert_close(&[(turbulent.as_str(), 1e4)], 2e-2);
}

#[test]
fn packages_of_components_are_found_by_what_their_functions_show() {
    let file = |body: &str| {
        format!(
            "//! base 0.1.0\npackage 'P'\n  function 'pipe.WallFriction.massFlowRate_dp_staticHead'\n    input Real 'dp';\n    output Real 'm';\n{body}    'm' := 'pipe.WallFriction.Internal.m_flow_of_dp_fric'('dp', 1e3, 1e3, 1e-3, 1e-3, 1.0, 0.1, 0.00785, 1500.0, 4000.0, 1e-4);\n  end 'pipe.WallFriction.massFlowRate_dp_staticHead';\n  model 'M'\n    constant Real 'm' = 'pipe.WallFriction.massFlowRate_dp_staticHead'(1e4);\n  end 'M';\nend 'P';\n"
        )
    };
    let name = |text: &str| {
        let m = flat(text);
        m.functions.values().map(|f| f.name.clone()).find(|n| n.ends_with("m_flow_of_dp_fric")).unwrap_or_default()
    };
    assert!(name(&file("    Real 'Re';\n  algorithm\n")).contains(".Detailed."));
    let assertion = "  algorithm\n    assert('dp' > 0.0, \"roughness > 0 required for quadratic turbulent wall friction characteristic\", AssertionLevel.error);\n";
    assert!(name(&file(assertion)).contains(".LaminarAndQuadraticTurbulent."));
    assert_eq!(codes(&file("  algorithm\n")), ["F006"]);
}

#[test]
fn media_of_components_are_found_by_what_the_file_says() {
    // The medium is named in an assertion; the inverse is given by name and solved for, and agrees with the enthalpy.
    let oil = |medium: &str| {
        format!(
            "//! base 0.1.0\npackage 'P'\n  model 'M'\n    constant Real 'T' = 'Modelica.Math.Nonlinear.solveOneNonlinearEquation'(function 'P.M.valve.Medium.T_ph.f_nonlinear'(p = 1e5, h = 'Modelica.Media.Incompressible.Examples.Glycol47.h_T'(300.0)), 250.0, 370.0);\n  equation\n    assert('T' > 0.0, \"the medium \" + \"{medium}\" + \" is cold\", AssertionLevel.error);\n  end 'M';\nend 'P';\n"
        )
    };
    assert!((real(&flat(&oil("Glycol-Water 47%")), "T") - 300.0).abs() < 1e-9);
    assert_eq!(codes(&oil("another one")), ["F006"]);
    // Functions of the same package come from the file, records by the path of the component inside the model.
    let mixture = "//! base 0.1.0\npackage 'P'\n  record 'pipe.Medium.ThermodynamicState' Real 'p'; Real 'T'; Real 'X'[2]; end 'pipe.Medium.ThermodynamicState';\n  record 'Modelica.Media.IdealGases.Common.DataRecord' Real 'R_s'; end 'Modelica.Media.IdealGases.Common.DataRecord';\n  function 'P.M.pipe.Medium.h_TX'\n    input Real 'T';\n    input Real 'X'[:];\n    input Boolean 'e';\n    input 'Modelica.Media.Interfaces.Choices.ReferenceEnthalpy' 'r';\n    input Real 'o';\n    output Real 'h';\n  algorithm\n    'h' := 1000.0 * 'T' * 'X'[1];\n  end 'P.M.pipe.Medium.h_TX';\n  function 'P.M.pipe.Medium.use'\n    input Real 'u';\n    output Real 'y';\n    Real 'X_steam';\n    'pipe.Medium.ThermodynamicState' 's';\n  algorithm\n    's'.'p' := 1e5;\n    's'.'T' := 300.0;\n    's'.'X' := {0.5, 0.5};\n    'y' := 'P.M.pipe.Medium.gasConstant'('s');\n  end 'P.M.pipe.Medium.use';\n  model 'M'\n    constant Real 'T' = 'Modelica.Math.Nonlinear.solveOneNonlinearEquation'(function 'P.M.pipe.Medium.T_hX.f_nonlinear'(h = 150000.0, X = {0.5, 0.5}, exclEnthForm = true, refChoice = 'Modelica.Media.Interfaces.Choices.ReferenceEnthalpy'.'ZeroAt0K', h_off = 0.0), 200.0, 6000.0);\n    constant Real 'R' = 'P.M.pipe.Medium.use'(1.0);\n  end 'M';\nend 'P';\n";
    let m = flat(mixture);
    assert!((real(&m, "T") - 300.0).abs() < 1e-9);
    assert!((real(&m, "R") - 0.5 * (287.0525368759184 + 461.5254384056201)).abs() < 1e-9);
}

#[test]
fn functions_take_records_with_more_fields() {
    let m = flat(
        "record A Real x; Real y; end A; record B Real z; Real y; Real x; end B; function f input A a; output Real r; algorithm r := a.x - a.y; end f; function g input Real u; output Real r; B b; algorithm b.x := 5*u; b.y := u; b.z := 0; r := f(b); end g; model M constant Real c = g(1); end M;",
    );
    assert_eq!(real(&m, "c"), 4.0);
    assert_eq!(
        codes(
            "record A Real x; Real w; end A; record B Real z; Real x; end B; function f input A a; output Real r; algorithm r := a.x; end f; model M B b; Real c = f(b); equation b.x = 1; b.z = 2; end M;"
        ),
        ["F011"]
    );
}

#[test]
fn media_have_their_values() {
    // Steam by the tables of NASA TP-2002-211556 (cp in J/(mol K) over the molar mass), and as an integral and an entropy of itself.
    let steam = "'Modelica.Media.IdealGases.Common.DataRecord'(\"H2O\", 0.01801528, -1.342338281725291e7, 549760.6476280135, 1000.0, \
                 {-39479.6083, 575.573102, 0.931782653, 0.00722271286, -7.34255737e-6, 4.95504349e-9, -1.336933246e-12}, {-33039.7431, 17.24205775}, \
                 {1.034972096e6, -2412.698562, 4.64611078, 0.002291998307, -6.83683048e-7, 9.42646893e-11, -4.82238053e-15}, \
                 {-13842.86509, -7.97814851}, 461.5254384056201)";
    let gas = "'Modelica.Media.IdealGases.Common.Functions";
    let calls = [
        (format!("{gas}.cp_T'({steam}, 298.15) * 0.01801528"), 33.588),
        (format!("{gas}.cp_T'({steam}, 1000.0) / {gas}.cp_T'({steam}, 999.999)"), 1.0),
        (format!("{gas}.s0_T'({steam}, 298.15) * 0.01801528"), 188.829),
        (format!("{gas}.h_T'({steam}, 298.15)"), 549760.6),
        (format!("({gas}.h_T'({steam}, 1500.1) - {gas}.h_T'({steam}, 1499.9)) / 0.2 / {gas}.cp_T'({steam}, 1500.0)"), 1.0),
        (format!("({gas}.s0_T'({steam}, 1500.1) - {gas}.s0_T'({steam}, 1499.9)) / 0.2 * 1500.0 / {gas}.cp_T'({steam}, 1500.0)"), 1.0),
        (format!("({gas}.cp_T'({steam}, 400.1) - {gas}.cp_T'({steam}, 399.9)) / 0.2 / {gas}.cp_Tlow_der'({steam}, 400.0, 1.0)"), 1.0),
    ];
    let calls: Vec<(&str, f64)> = calls.iter().map(|(call, value)| (call.as_str(), *value)).collect();
    assert_close(&calls, 5e-4);
    // The polynomials of the tables reach their entries, enthalpies are their integrals, and inverses find their arguments again.
    let air = "'Modelica.Media.Air.MoistAir";
    let calls = [
        ("'Modelica.Media.Incompressible.Examples.Glycol47.h_T_der'(293.15, 1.0)".to_owned(), 3620.0),
        ("'Modelica.Media.Incompressible.Examples.Essotherm650.h_T_der'(473.15, 1.0)".to_owned(), 2490.0),
        (format!("{air}.T_phX'(1e5, {air}.h_pTX'(1e5, 300.0, {{0.01, 0.99}}), {{0.01, 0.99}})"), 300.0),
        (format!("{air}.T_phX'(1e5, {air}.h_pTX'(1e5, 280.0, {{0.02, 0.98}}), {{0.02, 0.98}})"), 280.0),
        (format!("{air}.T_psX'(2e5, {air}.s_pTX'(2e5, 350.0, {{0.01, 0.99}}), {{0.01, 0.99}})"), 350.0),
        (format!("({air}.h_pTX'(1e5, 310.0, {{0.005, 0.995}}) - {air}.h_pTX'(1e5, 290.0, {{0.005, 0.995}})) / 20.0"), 1010.0),
        (format!("({air}.h_pTX'(1e5, 300.1, {{0.01, 0.99}}) - {air}.h_pTX'(1e5, 299.9, {{0.01, 0.99}})) / 0.2 / {air}.h_pTX_der'(1e5, 300.0, {{0.01, 0.99}}, 0.0, 1.0, {{0.0, 0.0}})"), 1.0),
        (format!("{air}.relativeHumidity_pTX'(1e5, 300.0, {{{air}.massFraction_pTphi'(1e5, 300.0, 0.6)}})"), 0.6),
        (format!("({air}.saturationPressureLiquid'(300.01) - {air}.saturationPressureLiquid'(299.99)) / 0.02 / {air}.saturationPressureLiquid_der'(300.0, 1.0)"), 1.0),
        (format!("({air}.sublimationPressureIce'(250.01) - {air}.sublimationPressureIce'(249.99)) / 0.02 / {air}.sublimationPressureIce_der'(250.0, 1.0)"), 1.0),
        // A mixture of one gas twice is that gas.
        ("'Modelica.Media.IdealGases.Common.MixtureGasNasa.gasMixtureViscosity'({0.3, 0.7}, {0.028, 0.028}, {1.8e-5, 1.8e-5})".to_owned(), 1.8e-5),
        ("'Modelica.Media.IdealGases.Common.MixtureGasNasa.lowPressureThermalConductivity'({0.3, 0.7}, 300.0, {126.2, 126.2}, {3.4e6, 3.4e6}, {0.028, 0.028}, {0.026, 0.026})".to_owned(), 0.026),
        ("sum('Modelica.Media.Interfaces.PartialMixtureMedium.moleToMassFractions'('Modelica.Media.Interfaces.PartialMixtureMedium.massToMoleFractions'({0.3, 0.7}, {0.018, 0.029}), {0.018, 0.029}) .* {1.0, 2.0})".to_owned(), 1.7),
    ];
    let calls: Vec<(&str, f64)> = calls.iter().map(|(call, value)| (call.as_str(), *value)).collect();
    assert_close(&calls, 5e-3);
}

#[test]
fn polynomials_and_matrices_have_their_values() {
    let p = "'Modelica.Math.Polynomials";
    let m = "'Modelica.Math.Matrices";
    let calls = [
        // 2*u^3 - 3*u^2 + 5, at 2: value 9, slope 12, second derivative 18, integral from 0 to 2: 8 - 8 + 10.
        (format!("{p}.derivativeValue'({{2.0, -3.0, 0.0, 5.0}}, 2.0)"), 12.0),
        (format!("{p}.evaluate_der'({{2.0, -3.0, 0.0, 5.0}}, 2.0, 0.5)"), 6.0),
        (format!("{p}.secondDerivativeValue'({{2.0, -3.0, 0.0, 5.0}}, 2.0)"), 18.0),
        (format!("{p}.integralValue'({{2.0, -3.0, 0.0, 5.0}}, 2.0)"), 10.0),
        (format!("{p}.evaluateWithRange'({{2.0, -3.0, 0.0, 5.0}}, 0.0, 2.0, 3.0)"), 21.0),
        (format!("{p}.evaluateWithRange'({{2.0, -3.0, 0.0, 5.0}}, 2.0, 4.0, 1.0)"), -3.0),
        (format!("{p}.evaluate'({p}.integral'({p}.derivative'({{2.0, -3.0, 0.0, 5.0}})), 2.0)"), 4.0),
        (format!("{p}.evaluate'({p}.fitting'({{-1.0, 0.0, 1.0, 2.0}}, {{1.0, 0.0, 1.0, 4.0}}, 2), 3.0)"), 9.0),
        (format!("sum({m}.inv'({{{{2.0, 1.0}}, {{1.0, 1.0}}}}) * {{3.0, 5.0}} .* {{1.0, 10.0}})"), 68.0),
        (format!("sum({m}.solve2'({{{{0.0, 1.0}}, {{2.0, 0.0}}}}, {{{{1.0, 2.0}}, {{4.0, 6.0}}}}) .* {{{{1.0, 10.0}}, {{100.0, 1000.0}}}})"), 2.0 + 30.0 + 100.0 + 2000.0),
        // The point of a plane that is nearest to (1, 2, 3), by least squares with equations that hold.
        (format!("sum({m}.LAPACK.dgglse_vec'({{{{1.0, 0.0, 0.0}}, {{0.0, 1.0, 0.0}}, {{0.0, 0.0, 1.0}}}}, {{1.0, 2.0, 3.0}}, {{{{1.0, 1.0, 1.0}}}}, {{3.0}}) .* {{1.0, 10.0, 100.0}})"), 210.0),
        // The line through (0, 1), (1, 2), (2, 4) of least squares is 5/6 + 3/2*u.
        (format!("sum({m}.leastSquares'({{{{1.0, 0.0}}, {{1.0, 1.0}}, {{1.0, 2.0}}}}, {{1.0, 2.0, 4.0}}) .* {{6.0, 100.0}})"), 155.0),
        ("'Modelica.Math.Distributions.TruncatedNormal.cumulative'('Modelica.Math.Distributions.TruncatedNormal.quantile'(0.3, -1.0, 2.0, 0.2, 0.8), -1.0, 2.0, 0.2, 0.8)".to_owned(), 0.3),
        ("'Modelica.Math.Distributions.TruncatedWeibull.cumulative'('Modelica.Math.Distributions.TruncatedWeibull.quantile'(0.3, 0.1, 2.0, 1.0, 1.5), 0.1, 2.0, 1.0, 1.5)".to_owned(), 0.3),
        ("'Modelica.Math.Nonlinear.solveOneNonlinearEquation'(function 'Modelica.Media.Incompressible.Examples.Essotherm650.T_ph.f_nonlinear'(p = 1e5, h = 'Modelica.Media.Incompressible.Examples.Essotherm650.h_T'(350.0)), 280.0, 500.0)".to_owned(), 350.0),
    ];
    let calls: Vec<(&str, f64)> = calls.iter().map(|(call, value)| (call.as_str(), *value)).collect();
    assert_close(&calls, 1e-11);
}
