//! Mixed-mode runs: final states and accuracies of the method's own examples, computed independently of this project; the cost of
//! the functions of a part.

use partita::decouple::cycles::Choice;
use partita::decouple::decision::{Decision, DecoupleOptions, decide};
use partita::decouple::verify::verify;
use partita::pipeline::{self, Compiled};
use partita_grammar::Source;
use partita_runtime::integrate::mixed::{Pair, Split};
use partita_runtime::integrate::verify::{Compared, Deviation, Record};
use partita_runtime::integrate::{Experiment, Solver, simulate};
use partita_runtime::model::interface::HybridModel;
use partita_runtime::model::plan::{Schedule, Step};
use partita_tests::simulation::{Engine, instance, models_folder, read_source, rendered};

#[derive(Copy, Clone, Debug)]
enum How {
    Mixed(&'static [&'static str]),
    Monolithic(Solver),
}

#[derive(Copy, Clone, Debug)]
enum Metric {
    MaxRel,
    MaxAbs,
    Epsilon,
}

/// A run on the grid of a fixed step, without events.
#[derive(Debug)]
struct Case {
    model: &'static str,
    change: Option<(&'static str, &'static str)>,
    how: How,
    step: f64,
    stop: f64,
    last: &'static [(&'static str, f64)],
    /// Of the largest state.
    tolerance: f64,
    accuracies: &'static [(Metric, f64)],
}

const CASES: &[Case] = &[
    Case {
        model: "dc_motor",
        change: None,
        how: How::Mixed(&["I"]),
        step: 0.2,
        stop: 8.0,
        last: &[("I", 418.743706038882), ("w", 70.6225419264789), ("phi", 437.83158000691964)],
        tolerance: 1e-10,
        accuracies: &[(Metric::MaxRel, 1.0560841109793209), (Metric::MaxAbs, 1396.9291921208896), (Metric::Epsilon, 0.9039863060435264)],
    },
    Case {
        model: "dc_motor",
        change: None,
        how: How::Monolithic(Solver::ImplicitEuler),
        step: 0.2,
        stop: 8.0,
        last: &[("I", 453.9641379875875), ("w", 70.37074353162079), ("phi", 452.9678779418996)],
        tolerance: 1e-9,
        accuracies: &[(Metric::MaxRel, 1.53119782395619), (Metric::MaxAbs, 2063.6629104604026), (Metric::Epsilon, 0.4954474239631724)],
    },
    Case {
        model: "dc_motor",
        change: None,
        how: How::Monolithic(Solver::Euler),
        step: 0.01,
        stop: 8.0,
        last: &[("I", 430.74180147196375), ("w", 70.53531997910352), ("phi", 452.71002600011093)],
        tolerance: 1e-9,
        accuracies: &[(Metric::MaxRel, 1.8763725508788083), (Metric::MaxAbs, 341.08843309668646), (Metric::Epsilon, 0.08565013189236913)],
    },
    Case {
        model: "half_car",
        change: None,
        how: How::Mixed(&["zdot"]),
        step: 0.04,
        stop: 5.0,
        last: &[
            ("z", 0.049900241525693445),
            ("zdot", -7.4309649225846985e-06),
            ("theta", 0.004718869629246022),
            ("thetadot", -8.795159473736232e-06),
        ],
        tolerance: 1e-10,
        accuracies: &[],
    },
    Case {
        model: "half_car",
        change: None,
        how: How::Monolithic(Solver::ImplicitEuler),
        step: 0.04,
        stop: 5.0,
        last: &[
            ("z", 0.04989793403671361),
            ("zdot", -3.628471776952018e-07),
            ("theta", 0.004723965063429728),
            ("thetadot", 1.6699816633304263e-06),
        ],
        tolerance: 1e-9,
        accuracies: &[],
    },
    Case {
        model: "half_car",
        change: None,
        how: How::Monolithic(Solver::Euler),
        step: 0.04,
        stop: 5.0,
        last: &[
            ("z", 0.04989940553629457),
            ("zdot", -1.4363082545282819e-05),
            ("theta", 0.004718194398995474),
            ("thetadot", 1.3379613414843815e-05),
        ],
        tolerance: 1e-9,
        accuracies: &[],
    },
    Case {
        model: "double_mass",
        change: None,
        how: How::Mixed(&["x1", "v1", "y1", "w1"]),
        step: 0.05,
        stop: 5.0,
        last: &[
            ("x1", -5.402628043513761e-06),
            ("v1", -2.391728472872286e-05),
            ("x2", 0.002488025987695827),
            ("v2", -0.005266209741193687),
            ("y1", 0.0),
            ("w1", 0.0),
            ("y2", 0.0),
            ("w2", 0.0),
        ],
        tolerance: 1e-10,
        accuracies: &[],
    },
    Case {
        model: "double_mass",
        change: None,
        how: How::Monolithic(Solver::ImplicitEuler),
        step: 0.05,
        stop: 5.0,
        last: &[
            ("x1", 1.8081978197844418e-06),
            ("v1", -1.0923097573635961e-05),
            ("x2", 0.0009004898854619734),
            ("v2", -4.91435592386868e-05),
            ("y1", 0.0),
            ("w1", 0.0),
            ("y2", 0.0),
            ("w2", 0.0),
        ],
        tolerance: 1e-9,
        accuracies: &[],
    },
    Case {
        model: "double_mass",
        change: None,
        how: How::Monolithic(Solver::Euler),
        step: 0.01,
        stop: 5.0,
        last: &[
            ("x1", 0.024140142307723496),
            ("v1", 0.6608636091965777),
            ("x2", 2.3856393950420486e-05),
            ("v2", 0.023238878381789778),
            ("y1", 0.0),
            ("w1", 0.0),
            ("y2", 0.0),
            ("w2", 0.0),
        ],
        tolerance: 1e-9,
        accuracies: &[],
    },
    Case {
        model: "heat_exchanger",
        change: None,
        how: How::Mixed(&["Ta[1]", "Ta[2]", "Ta[3]", "Ta[4]", "Ta[5]", "Ta[6]", "Ta[7]", "Ta[8]", "Ta[9]", "Ta[10]"]),
        step: 0.04,
        stop: 5.0,
        last: &[("Ta[10]", 307.61926801706954), ("Tb[10]", 306.60800555339654), ("Tw[6]", 305.9263197076198)],
        tolerance: 1e-10,
        accuracies: &[(Metric::MaxRel, 0.01863169325354889)],
    },
    Case {
        model: "heat_exchanger",
        change: None,
        how: How::Monolithic(Solver::ImplicitEuler),
        step: 0.04,
        stop: 5.0,
        last: &[("Ta[10]", 307.6099439951065), ("Tb[10]", 306.59262027665636), ("Tw[6]", 305.9137548195389)],
        tolerance: 1e-9,
        accuracies: &[(Metric::MaxRel, 0.017928666624266273)],
    },
    Case {
        model: "heat_exchanger",
        change: None,
        how: How::Monolithic(Solver::Euler),
        step: 0.01,
        stop: 5.0,
        last: &[("Ta[10]", 307.6182102907358), ("Tb[10]", 306.606035306397), ("Tw[6]", 305.9247646464185)],
        tolerance: 1e-9,
        accuracies: &[(Metric::MaxRel, 0.1069146320507777)],
    },
    Case {
        model: "heat_exchanger",
        change: Some(("N = 10", "N = 30")),
        how: How::Mixed(&[
            "Ta[1]", "Ta[2]", "Ta[3]", "Ta[4]", "Ta[5]", "Ta[6]", "Ta[7]", "Ta[8]", "Ta[9]", "Ta[10]", "Ta[11]", "Ta[12]", "Ta[13]",
            "Ta[14]", "Ta[15]", "Ta[16]", "Ta[17]", "Ta[18]", "Ta[19]", "Ta[20]", "Ta[21]", "Ta[22]", "Ta[23]", "Ta[24]", "Ta[25]",
            "Ta[26]", "Ta[27]", "Ta[28]", "Ta[29]", "Ta[30]",
        ]),
        step: 0.01,
        stop: 5.0,
        last: &[("Ta[30]", 307.1103515943355), ("Tb[30]", 307.23803750511195), ("Tw[16]", 306.5116145895291)],
        tolerance: 1e-10,
        accuracies: &[(Metric::MaxAbs, 6.587298820116814)],
    },
    Case {
        model: "heat_exchanger",
        change: Some(("N = 10", "N = 30")),
        how: How::Monolithic(Solver::ImplicitEuler),
        step: 0.01,
        stop: 5.0,
        last: &[("Ta[30]", 307.10822868522143), ("Tb[30]", 307.23446774885724), ("Tw[16]", 306.5087324061546)],
        tolerance: 1e-9,
        accuracies: &[(Metric::MaxAbs, 6.565597659439902)],
    },
    Case {
        model: "heat_exchanger",
        change: Some(("N = 10", "N = 30")),
        how: How::Monolithic(Solver::Euler),
        step: 0.001,
        stop: 5.0,
        last: &[("Ta[30]", 307.10987536380657), ("Tb[30]", 307.2371904265789), ("Tw[16]", 306.51093968991313)],
        tolerance: 1e-9,
        accuracies: &[(Metric::MaxAbs, 1.9242877556787903)],
    },
    Case {
        model: "triangle",
        change: None,
        how: How::Mixed(&["c[1]", "vc[1]", "c[2]", "vc[2]", "r[1]", "vr[1]", "r[2]", "vr[2]"]),
        step: 0.1,
        stop: 20.0,
        last: &[
            ("c[1]", 0.0949718265322265),
            ("vc[1]", -0.04586667835901861),
            ("c[2]", -9.69512992927018),
            ("vc[2]", 0.00046046714860736203),
            ("l[1]", -0.6315444630441814),
            ("vl[1]", -0.05543001671085926),
            ("l[2]", -8.82910959340295),
            ("vl[2]", -0.002927662611631943),
            ("r[1]", 0.716872965749264),
            ("vr[1]", -0.04761353624711876),
            ("r[2]", -8.894096650588972),
            ("vr[2]", 0.0019105369497969507),
        ],
        tolerance: 1e-6,
        accuracies: &[(Metric::MaxAbs, 1.551239199865054)],
    },
    Case {
        model: "triangle",
        change: None,
        how: How::Monolithic(Solver::ImplicitEuler),
        step: 0.1,
        stop: 20.0,
        last: &[
            ("c[1]", 0.04902574875412903),
            ("vc[1]", 0.004844864251429128),
            ("c[2]", -9.694330642279589),
            ("vc[2]", 0.00030311983933492233),
            ("l[1]", -0.6775610374523067),
            ("vl[1]", 0.004456627547769549),
            ("l[2]", -8.827270109363742),
            ("vl[2]", -0.00011335779473585547),
            ("r[1]", 0.675767045747839),
            ("vr[1]", 0.004470036651568459),
            ("r[2]", -8.897062639049867),
            ("vr[2]", 0.0006087215771479473),
        ],
        tolerance: 1e-6,
        accuracies: &[(Metric::MaxAbs, 1.5639584530343433)],
    },
    Case {
        model: "triangle",
        change: None,
        how: How::Monolithic(Solver::Euler),
        step: 0.01,
        stop: 20.0,
        last: &[
            ("c[1]", 0.06076326515353528),
            ("vc[1]", -0.029925573554664665),
            ("c[2]", -9.694063271837685),
            ("vc[2]", 0.0007281212904335894),
            ("l[1]", -0.6667320088006059),
            ("vl[1]", -0.03073001363516677),
            ("l[2]", -8.827996503495928),
            ("vl[2]", -0.00028451231770007854),
            ("r[1]", 0.6866439366496566),
            ("vr[1]", -0.030786060539637297),
            ("r[2]", -8.896087171897083),
            ("vr[2]", 0.0011522690225005345),
        ],
        tolerance: 1e-6,
        accuracies: &[(Metric::MaxAbs, 0.9756228447673543)],
    },
    Case {
        model: "power_supply",
        change: None,
        how: How::Mixed(&["I1", "I2", "V1", "V2"]),
        step: 0.0001,
        stop: 2.0,
        last: &[
            ("I1", 0.43622164672137875),
            ("I2", 0.476212290187664),
            ("V1", 19.992469609710987),
            ("V2", 19.96964573314938),
            ("Tl1", 293.29167312995276),
            ("Tl2", 293.30411113866313),
            ("Tc", 293.1762500467629),
            ("Ts", 293.18923078754585),
            ("TR1", 293.1770425295926),
            ("TR2", 293.2201384415695),
        ],
        tolerance: 1e-10,
        accuracies: &[],
    },
];

fn source(model: &str, change: Option<(&str, &str)>) -> Source {
    let mut source = read_source(&models_folder().join(format!("{model}.mo"))).expect("a model can be read");
    if let Some((old, new)) = change {
        assert!(source.text.contains(old));
        source.text = source.text.replace(old, new);
    }
    source
}

/// Compiles a model with functions for the named fast states and the others.
fn compile_split(source: &Source, fast: &[&str]) -> (Compiled, Vec<usize>) {
    let structured = pipeline::structure(source, None).unwrap_or_else(|messages| panic!("{}", rendered(&messages, source)));
    let plain = pipeline::program(structured.clone(), &[]).unwrap_or_else(|messages| panic!("{}", rendered(&messages, source)));
    let states = &plain.program.plan.states;
    let position = |name: &&str| states.iter().position(|state| state.name == *name).unwrap_or_else(|| panic!("no state {name}"));
    let mut fast: Vec<usize> = fast.iter().map(position).collect();
    fast.sort_unstable();
    let parts = pipeline::mixed_parts(states.len(), &fast);
    let compiled = pipeline::program(structured, &parts).unwrap_or_else(|messages| panic!("{}", rendered(&messages, source)));
    (compiled, fast)
}

fn record(compiled: &Compiled, experiment: &Experiment, columns: &[usize]) -> Record {
    let interval = experiment.interval.expect("an interval");
    let mut record = Record::new(experiment.start_time, experiment.stop_time, interval, columns.to_vec());
    let mut model = instance(compiled, Engine::MachineCode).unwrap_or_else(|error| panic!("{error:?}"));
    simulate(&mut model, experiment, &mut record).unwrap_or_else(|error| panic!("{error:?}"));
    record
}

#[test]
fn sampled_runs_end_where_an_independent_computation_ends() {
    for case in CASES {
        let source = source(case.model, case.change);
        let (compiled, fast) = match case.how {
            How::Mixed(fast) => compile_split(&source, fast),
            How::Monolithic(_) => compile_split(&source, &[]),
        };
        let mut experiment = pipeline::experiment(&compiled.experiment, None, Some(case.stop));
        experiment.tolerance = 1e-6;
        experiment.step = Some(case.step);
        experiment.interval = Some(case.step);
        experiment.ignore_events = true;
        match case.how {
            How::Mixed(_) => experiment.split = Some(Split { fast, pair: Pair::Euler, adaptive: false }),
            How::Monolithic(solver) => experiment.solver = solver,
        }
        let plan = &compiled.program.plan;
        let varying: Vec<_> = plan.interface.signals.iter().filter(|signal| signal.varies).collect();
        let column = |name: &str| varying.iter().position(|signal| signal.name == name).unwrap_or_else(|| panic!("no signal {name}"));
        let columns: Vec<usize> = plan.states.iter().map(|state| column(&state.name)).collect();
        let run = record(&compiled, &experiment, &columns);
        let what = format!("{} by {:?} with step {}", case.model, case.how, case.step);
        assert_eq!(run.len() - 1, (case.stop / case.step).round() as usize, "{what}");
        let last = run.row(run.len() - 1).unwrap_or_else(|| panic!("{what} has no end"));
        let size = last.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        for (name, expected) in case.last {
            let at = plan.states.iter().position(|state| state.name == *name).unwrap_or_else(|| panic!("no state {name}"));
            let error = (last[at] - expected).abs() / size;
            assert!(error <= case.tolerance, "{what}: {name} is {} instead of {expected}, {error:e} of the largest", last[at]);
        }
        if case.accuracies.is_empty() {
            continue;
        }
        let reference = Experiment { solver: Solver::Bdf, split: None, ignore_events: false, tolerance: 1e-11, step: None, ..experiment };
        let compared: Vec<Compared> = plan.states.iter().map(|state| Compared { name: state.name.clone(), is_state: true }).collect();
        let deviation = Deviation::between(&run, &record(&compiled, &reference, &columns), &compared, None);
        for (metric, expected) in case.accuracies {
            let found = match metric {
                Metric::MaxRel => deviation.max_rel,
                Metric::MaxAbs => deviation.max_abs,
                Metric::Epsilon => deviation.epsilon,
            };
            assert!((found / expected - 1.0).abs() <= 1e-6, "{what}: {metric:?} is {found} instead of {expected}");
        }
    }
}

/// Instructions of the kernels of a schedule, residuals of systems included.
fn instructions(compiled: &Compiled, schedule: &Schedule) -> usize {
    let count = |step: &Step| match step {
        Step::Kernel(kernel) => compiled.program.codes[*kernel].instrs.len(),
        Step::Block(block) => compiled.program.codes[compiled.program.plan.blocks[*block].residual].instrs.len(),
    };
    schedule.steps.iter().map(count).sum()
}

#[test]
fn the_fast_function_of_the_heat_exchanger_costs_its_share_only() {
    let fast: Vec<String> = (1..=10).map(|i| format!("Ta[{i}]")).collect();
    let fast: Vec<&str> = fast.iter().map(String::as_str).collect();
    let (compiled, _) = compile_split(&source("heat_exchanger", None), &fast);
    let plan = &compiled.program.plan;
    let whole = instructions(&compiled, &plan.derivatives);
    let (fast, slow) =
        (instructions(&compiled, &plan.pieces.parts[0].derivatives), instructions(&compiled, &plan.pieces.parts[1].derivatives));
    assert!(fast as f64 <= 0.45 * whole as f64, "{fast} of {whole} instructions");
    assert!(fast + slow <= whole + whole / 4, "{fast} and {slow} of {whole} instructions");
}

#[test]
fn parts_agree_with_the_whole() {
    for (name, fast) in [
        ("triangle", vec!["c[1]", "vc[1]", "r[2]"]),
        ("circuit", vec!["v"]),
        ("brake", vec!["vM", "w"]),
        ("power_supply", vec!["V1", "TR2"]),
    ] {
        let source = source(name, None);
        let (compiled, _) = compile_split(&source, &fast);
        let mut model = instance(&compiled, Engine::MachineCode).unwrap_or_else(|error| panic!("{error:?}"));
        let n = model.n_states();
        let mut x = vec![0.0; n];
        model.initialize(0.0, &mut x).unwrap_or_else(|error| panic!("{error:?}"));
        x.iter_mut().enumerate().for_each(|(i, x)| *x += 0.01 * (i as f64 + 1.0));
        let t = 0.013;
        let mut all = vec![0.0; n];
        model.derivatives(t, &x, &mut all).unwrap_or_else(|failure| panic!("{failure:?}"));
        let mut whole = vec![0.0; model.jacobian_pattern().rows.len()];
        model.jacobian(t, &x, &mut whole).unwrap_or_else(|failure| panic!("{failure:?}"));
        let pattern = model.jacobian_pattern().clone();
        for part in &compiled.program.plan.pieces.parts {
            let id = model.part(&part.states).unwrap_or_else(|| panic!("{name}: the part is not known"));
            let mut some = vec![f64::NAN; part.states.len()];
            // Another point first, so that nothing is left over from the whole.
            let moved: Vec<f64> = x.iter().map(|x| x + 1e-3).collect();
            model.part_derivatives(id, 0.5 * t, &moved, &mut some).unwrap_or_else(|failure| panic!("{failure:?}"));
            model.part_derivatives(id, t, &x, &mut some).unwrap_or_else(|failure| panic!("{failure:?}"));
            for (value, &state) in some.iter().zip(&part.states) {
                assert!((value - all[state]).abs() <= 1e-9 * all[state].abs().max(1.0), "{name}: {value} instead of {}", all[state]);
            }
            let Some(own) = &part.jacobian else { continue };
            let mut values = vec![f64::NAN; own.rows.len()];
            model.part_jacobian(id, t, &x, &mut values).unwrap_or_else(|failure| panic!("{failure:?}"));
            for (j, &column) in part.states.iter().enumerate() {
                for at in own.col_starts[j]..own.col_starts[j + 1] {
                    let row = part.states[own.rows[at]];
                    let entry = (pattern.col_starts[column]..pattern.col_starts[column + 1]).find(|&entry| pattern.rows[entry] == row);
                    let expected = whole[entry.unwrap_or_else(|| panic!("{name}: no entry"))];
                    assert!(
                        (values[at] - expected).abs() <= 1e-6 * expected.abs().max(1e-6),
                        "{name}: {} instead of {expected}",
                        values[at]
                    );
                }
            }
        }
    }
}

/// What is decided about a model.
fn decided(model: &str, choice: &str) -> Decision {
    let source = source(model, None);
    let (compiled, _) = compile_split(&source, &[]);
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let model = instance(&compiled, Engine::MachineCode).unwrap_or_else(|error| panic!("{error:?}"));
    let choice = Choice::parse(choice).unwrap_or_else(|message| panic!("{}", message.title));
    decide(&model, &experiment, &DecoupleOptions { choice, pair: None, step: None, at: None })
        .unwrap_or_else(|message| panic!("{}", message.title))
}

#[test]
fn decisions_are_honest() {
    // One time scale: not worth it, unless forced.
    let whole = decided("brusselator", "");
    assert!(whole.split().is_none() && whole.refused.is_some(), "{whole}");
    // A rectifier of 50 Hz at ten steps per second: every step begins at a zero of the source.
    let rectifier = decided("power_supply", "h=0.1");
    assert_eq!(rectifier.fast, ["I1", "I2", "V1", "V2"]);
    assert!(rectifier.warnings.iter().any(|warning| warning.contains("undersampled")), "{:?}", rectifier.warnings);
    let fine = decided("power_supply", "fast=I1,I2,V1,V2;step=1e-4");
    assert!(!fine.warnings.iter().any(|warning| warning.contains("undersampled")), "{:?}", fine.warnings);
    // An undamped oscillator among the explicit states grows.
    let masses = decided("double_mass", "fast=x1,v1,y1,w1;step=0.05");
    let radius = masses.spectral_radius.unwrap_or_else(|| panic!("{masses}"));
    assert!(
        (radius.value - 1.0037417074084984).abs() < 1e-9 && masses.warnings.iter().any(|warning| warning.contains("above 1")),
        "{masses}"
    );
    let motor = decided("dc_motor", "");
    assert_eq!((motor.fast.as_slice(), motor.refused.as_ref()), (["I".to_string()].as_slice(), None));
    assert!(motor.warnings.is_empty(), "{:?}", motor.warnings);
}

#[test]
fn a_wrong_run_has_no_speed_up() {
    let (compiled, fast) = compile_split(&source("dc_motor", None), &["I"]);
    let model = instance(&compiled, Engine::MachineCode).unwrap_or_else(|error| panic!("{error:?}"));
    let split = |pair, adaptive| Some(Split { fast: fast.clone(), pair, adaptive });
    let base = pipeline::experiment(&compiled.experiment, None, None);
    let coarse = Experiment { split: split(Pair::Euler, false), step: Some(0.2), ..base.clone() };
    let found = verify(&model, &coarse).unwrap_or_else(|message| panic!("{}", message.title));
    assert!(found.deviation.headline() > 0.05 && found.speed_up.is_none() && !found.warnings.is_empty(), "{found}");
    assert!((found.deviation.max_rel - 1.05608411).abs() < 1e-6, "{found}");
    let good = Experiment { split: split(Pair::Imex3, true), tolerance: 1e-5, ..base };
    let found = verify(&model, &good).unwrap_or_else(|message| panic!("{}", message.title));
    assert!(found.deviation.headline() < 1e-3 && found.speed_up.is_some(), "{found}");
}

#[test]
fn events_within_every_step_do_not_hide_that_a_run_is_wrong() {
    // Steps of 0.75 s meet the source of 50 Hz at its zeros only, and every step contains events.
    let (compiled, fast) = compile_split(&source("power_supply", None), &["I1", "I2", "V1", "V2"]);
    let model = instance(&compiled, Engine::MachineCode).unwrap_or_else(|error| panic!("{error:?}"));
    let base = pipeline::experiment(&compiled.experiment, None, None);
    let coarse = Experiment { split: Some(Split { fast, pair: Pair::Euler, adaptive: false }), step: Some(0.75), ..base };
    let found = verify(&model, &coarse).unwrap_or_else(|message| panic!("{}", message.title));
    assert!(found.deviation.points > 0 && found.deviation.headline() > 0.05 && found.speed_up.is_none(), "{found}");
}

#[test]
fn what_moves_between_the_steps_is_not_a_speed_up() {
    // The source is the same at every step, and so is its effect: only the points between show that it moves.
    let text = "model Ripple
  Real x(start = 0, fixed = true);
  Real y(start = 0, fixed = true);
equation
  der(x) = 100*cos(100*time);
  der(y) = -1e4*(y - sin(100*time));
  annotation(experiment(StopTime = 6.283185307179586));
end Ripple;
";
    let (compiled, fast) = compile_split(&Source { name: "Ripple.mo".to_string(), text: text.to_string() }, &["y"]);
    let model = instance(&compiled, Engine::MachineCode).unwrap_or_else(|error| panic!("{error:?}"));
    let base = pipeline::experiment(&compiled.experiment, None, None);
    let coarse = Experiment { split: Some(Split { fast, pair: Pair::Heun, adaptive: false }), step: Some(0.06283185307179586), ..base };
    let found = verify(&model, &coarse).unwrap_or_else(|message| panic!("{}", message.title));
    assert!(found.speed_up.is_none() && !found.warnings.is_empty(), "{found}");
}
