//! Cycle analysis: the models of the papers, and random systems against an independent enumeration.

use partita::cycles::report::Report;
use partita::cycles::{Budget, CycleAnalysis, Jacobian, Options, Probe, SelfLoop, analyze};
use partita::operating_points::{At, operating_points};
use partita::pipeline;
use partita_tests::random::Random;
use partita_tests::simulation::{Engine, compile, instance, models_folder, read_source};

/// A random matrix by rows; half of them are structurally symmetric.
fn matrix(random: &mut Random, n: usize, density: f64, decades: f64) -> Vec<Vec<f64>> {
    let symmetric = random.part() < 0.5;
    let mut rows = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..i {
            if random.part() < density {
                rows[i][j] = random.value(decades);
            }
            if (symmetric && rows[i][j] != 0.0) || (!symmetric && random.part() < density) {
                rows[j][i] = random.value(decades);
            }
        }
        if random.part() < 0.7 {
            rows[i][i] = random.value(decades);
        }
    }
    rows
}

fn jacobian(rows: &[Vec<f64>]) -> Jacobian {
    let names: Vec<String> = (0..rows.len()).map(|state| format!("x{state}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Jacobian::dense(&names, rows).expect("the entries are finite")
}

/// Calls `found` with every simple cycle of at least two states, once.
fn each_cycle(rows: &[Vec<f64>], path: &mut Vec<usize>, found: &mut dyn FnMut(&[usize])) {
    let (first, last) = (path[0], path[path.len() - 1]);
    for next in first..rows.len() {
        if rows[next][last] == 0.0 || next == last {
            continue;
        }
        if next == first {
            found(path);
        } else if !path.contains(&next) {
            path.push(next);
            each_cycle(rows, path, found);
            path.pop();
        }
    }
}

/// Number of cycles and bounds, by the definition.
fn by_definition(rows: &[Vec<f64>], alpha: f64, self_loop: SelfLoop) -> (u64, Vec<f64>) {
    let n = rows.len();
    let own = |entry: f64| match self_loop {
        SelfLoop::Compat => alpha / (1.0 + entry).abs(),
        SelfLoop::Printed if entry < 0.0 => (1.0 + alpha) / -entry,
        SelfLoop::Printed => alpha / entry,
    };
    let mut bounds: Vec<f64> = (0..n).map(|i| own(rows[i][i])).collect();
    let mut count = n as u64;
    for first in 0..n {
        each_cycle(rows, &mut vec![first], &mut |cycle| {
            count += 1;
            let product: f64 = (0..cycle.len()).map(|k| rows[cycle[(k + 1) % cycle.len()]][cycle[k]].abs()).product();
            let h = (alpha / product).powf(1.0 / cycle.len() as f64);
            for &state in cycle {
                bounds[state] = bounds[state].min(h);
            }
        });
    }
    (count, bounds)
}

/// The bound that the witness of a state stands for.
fn bound_of_witness(rows: &[Vec<f64>], analysis: &CycleAnalysis, state: usize, alpha: f64, self_loop: SelfLoop) -> f64 {
    let witness = &analysis.bounds[state].witness;
    if witness.is_empty() {
        return f64::INFINITY;
    }
    assert!(witness.contains(&state), "the witness goes through the state");
    if witness.len() == 1 {
        return by_definition(&[vec![rows[state][state]]], alpha, self_loop).1[0];
    }
    let product: f64 = (0..witness.len()).map(|k| rows[witness[(k + 1) % witness.len()]][witness[k]].abs()).product();
    (alpha / product).powf(1.0 / witness.len() as f64)
}

fn close(a: f64, b: f64, part: f64) -> bool {
    a == b || (a - b).abs() <= part * a.abs().max(b.abs())
}

#[test]
fn small_systems_agree_with_the_definition() {
    let mut random = Random::new(0x1234_5678_9ABC_DEF1);
    for _ in 0..300 {
        let n = 4 + random.below(8);
        let density = 0.1 + 0.25 * random.part();
        let rows = matrix(&mut random, n, density, 6.0);
        for self_loop in [SelfLoop::Printed, SelfLoop::Compat] {
            for alpha in [1.0, 0.5, 0.1] {
                let analysis = analyze(&jacobian(&rows), &Options { alpha, self_loop, ..Options::default() }).expect("at least four states");
                let (count, bounds) = by_definition(&rows, alpha, self_loop);
                assert_eq!(analysis.cycles, Some(count), "{rows:?}");
                for state in 0..n {
                    let bound = &analysis.bounds[state];
                    assert!(bound.exact && close(bound.h_lower, bounds[state], 1e-9), "{} is not {}: {rows:?}", bound.h_lower, bounds[state]);
                    assert!(close(bound.h_upper, bound_of_witness(&rows, &analysis, state, alpha, self_loop), 1e-9), "{rows:?}");
                }
            }
        }
    }
}

#[test]
fn brackets_hold_in_two_thousand_random_digraphs() {
    let mut random = Random::new(0xDEAD_BEEF_0BAD_CAFE);
    // Enough for no enumeration of any block: every bound comes from the certificates.
    let budget = Budget { cycles: 0, edge_visits: 0, ..Budget::default() };
    let (mut n_states, mut n_exact, mut n_exact_at_once) = (0, 0, 0);
    for round in 0..2000 {
        let n = 4 + random.below(7);
        let density = 0.1 + 0.3 * random.part();
        let rows = matrix(&mut random, n, density, 6.0);
        let alpha = [1.0, 0.5, 0.1][round % 3];
        let (_, bounds) = by_definition(&rows, alpha, SelfLoop::Printed);
        for expansions in [Budget::default().expansions, 0] {
            let options = Options { alpha, budget: Budget { expansions, ..budget }, ..Options::default() };
            let analysis = analyze(&jacobian(&rows), &options).expect("at least four states");
            for state in 0..n {
                let (bound, truth) = (&analysis.bounds[state], bounds[state]);
                assert!(bound.h_lower <= truth * (1.0 + 1e-9) && bound.h_upper >= truth * (1.0 - 1e-9), "{bound:?} does not hold {truth}: {rows:?}");
                assert!(!bound.exact || close(bound.h_lower, truth, 1e-9), "{bound:?} is not {truth}: {rows:?}");
                assert!(close(bound.h_upper, bound_of_witness(&rows, &analysis, state, alpha, SelfLoop::Printed), 1e-9), "{bound:?}: {rows:?}");
            }
            let exact = analysis.bounds.iter().filter(|bound| bound.exact).count();
            if expansions > 0 {
                n_states += n;
                n_exact += exact;
            } else {
                n_exact_at_once += exact;
            }
        }
    }
    println!("{n_states} bounds: {n_exact_at_once} exact without search, {n_exact} with it");
    assert_eq!(n_exact, n_states, "with search all bounds of small systems are exact");
    assert!(n_exact_at_once * 3 > n_states * 2, "only {n_exact_at_once} of {n_states} bounds are exact without search");
}

#[test]
fn the_first_crossing_of_heuns_method_is_found() {
    // The example of the thesis, section 3.3.1.1: 8 cycles, bounds 1.6, 12/11, 1.6 at alpha = 1.
    let report = analysed("three_compartments", &Options { alpha: 1.0, probe: Probe::Heun, ..Options::default() });
    assert_eq!(report.analysis.cycles, Some(8));
    for (bound, expected) in report.analysis.bounds.iter().zip([1.6, 12.0 / 11.0, 1.6]) {
        assert!(close(bound.h_lower, expected, 1e-9), "{bound:?} is not {expected}");
    }
}

/// What the published equations give for a model of the papers, recomputed independently of this project: number of cycles, stiffness
/// index, separability index, number of fast states, and bounds with the number of states that have them.
struct Seed {
    model: &'static str,
    alpha: f64,
    self_loop: SelfLoop,
    cycles: u64,
    stiffness: f64,
    separability: f64,
    split: usize,
    bounds: &'static [(f64, usize)],
}

#[expect(clippy::too_many_arguments, reason = "a row of a table")]
const fn seed(model: &'static str, alpha: f64, self_loop: SelfLoop, cycles: u64, stiffness: f64, separability: f64, split: usize, bounds: &'static [(f64, usize)]) -> Seed {
    Seed { model, alpha, self_loop, cycles, stiffness, separability, split, bounds }
}

use SelfLoop::{Compat, Printed};

const SEEDS: &[Seed] = &[
    seed("dc_motor", 0.5, Printed, 4, 2.456398919, 0.0, 1, &[(0.09, 1), (0.2210759027, 1), (f64::INFINITY, 1)]),
    seed("dc_motor", 0.5, Compat, 4, 15.66666667, 0.1609095253, 2, &[(0.03191489362, 1), (0.2210759027, 1), (0.5, 1)]),
    seed("dc_motor", 1.0, Printed, 4, 2.6054045, 0.0, 1, &[(0.12, 1), (0.3126485399, 1), (f64::INFINITY, 1)]),
    seed("dc_motor", 1.0, Compat, 4, 15.66666667, 0.319001801, 2, &[(0.06382978723, 1), (0.3126485399, 1), (1.0, 1)]),
    seed("half_car", 0.5, Printed, 7, 1.394433378, 0.6666666667, 2, &[(0.07142857143, 2), (0.09960238411, 2)]),
    seed("half_car", 0.5, Compat, 7, 2.589661987, 0.3817981162, 1, &[(0.03846153846, 1), (0.07142857143, 1), (0.07692307692, 1), (0.09960238411, 1)]),
    seed("half_car", 1.0, Printed, 7, 1.394433378, 0.6666666667, 2, &[(0.1010152545, 2), (0.1408590425, 2)]),
    seed("half_car", 1.0, Compat, 7, 1.831167552, 0.4651113867, 2, &[(0.07692307692, 1), (0.1010152545, 1), (0.1408590425, 2)]),
    seed("double_mass", 0.5, Printed, 17, 12.92284798, 0.7794733526, 4, &[(0.03159120118, 2), (0.04467670516, 2), (0.2886751346, 2), (0.4082482905, 2)]),
    seed("double_mass", 0.5, Compat, 17, 12.92284798, 0.7794733526, 4, &[(0.03159120118, 2), (0.04467670516, 2), (0.2886751346, 2), (0.4082482905, 2)]),
    seed("double_mass", 1.0, Printed, 17, 12.92284798, 0.7794733526, 4, &[(0.04467670516, 2), (0.06318240236, 2), (0.4082482905, 2), (0.5773502692, 2)]),
    seed("double_mass", 1.0, Compat, 17, 12.92284798, 0.7794733526, 4, &[(0.04467670516, 2), (0.06318240236, 2), (0.4082482905, 2), (0.5773502692, 2)]),
    seed("heat_exchanger", 0.5, Printed, 95, 4.575906336, 0.9539572249, 10, &[(0.0126, 10), (0.04634404879, 12), (0.0481496761, 2), (0.05045236421, 2), (0.05348619613, 2), (0.05765641983, 2)]),
    seed("heat_exchanger", 0.5, Compat, 95, 13.61240617, 0.954025958, 10, &[(0.004235578862, 10), (0.04430379747, 10), (0.04634404879, 2), (0.0481496761, 2), (0.05045236421, 2), (0.05348619613, 2), (0.05765641983, 2)]),
    seed("heat_exchanger", 1.0, Printed, 95, 3.60612297, 0.9513413322, 10, &[(0.0168, 10), (0.04782744207, 12), (0.04984767076, 2), (0.05243308498, 2), (0.05585423234, 2), (0.0605828659, 2)]),
    seed("heat_exchanger", 1.0, Compat, 95, 7.151663074, 0.9543413337, 10, &[(0.008471157725, 10), (0.04782744207, 12), (0.04984767076, 2), (0.05243308498, 2), (0.05585423234, 2), (0.0605828659, 2)]),
    seed("heat_exchanger_30", 0.5, Printed, 585, 3.267253044, 0.985495195, 30, &[(0.004701492537, 30), (0.01295871232, 32), (0.01304822045, 2), (0.01314458534, 2), (0.01324862333, 2), (0.01336128521, 2), (0.01348368504, 2), (0.01361713659, 2), (0.01376319999, 2), (0.01392374214, 2), (0.01410101554, 2), (0.01429776282, 2), (0.01451735696, 2), (0.01476399226, 2), (0.01504294886, 2), (0.0153609658, 2)]),
    seed("heat_exchanger_30", 0.5, Compat, 585, 9.771037199, 0.9863935776, 30, &[(0.00157209163, 30), (0.01295871232, 32), (0.01304822045, 2), (0.01314458534, 2), (0.01324862333, 2), (0.01336128521, 2), (0.01348368504, 2), (0.01361713659, 2), (0.01376319999, 2), (0.01392374214, 2), (0.01410101554, 2), (0.01429776282, 2), (0.01451735696, 2), (0.01476399226, 2), (0.01504294886, 2), (0.0153609658, 2)]),
    seed("heat_exchanger_30", 1.0, Printed, 585, 2.500908819, 0.9845348909, 30, &[(0.006268656716, 30), (0.01310440091, 32), (0.01319983347, 2), (0.01330261625, 2), (0.01341362894, 2), (0.01353389691, 2), (0.01366462249, 2), (0.01380722473, 2), (0.01396339035, 2), (0.0141351396, 2), (0.01432491264, 2), (0.01453568388, 2), (0.01477111589, 2), (0.01503576921, 2), (0.01533539347, 2), (0.01567733887, 2)]),
    seed("heat_exchanger_30", 1.0, Compat, 585, 4.986140299, 0.9858615566, 30, &[(0.003144183261, 30), (0.01310440091, 32), (0.01319983347, 2), (0.01330261625, 2), (0.01341362894, 2), (0.01353389691, 2), (0.01366462249, 2), (0.01380722473, 2), (0.01396339035, 2), (0.0141351396, 2), (0.01432491264, 2), (0.01453568388, 2), (0.01477111589, 2), (0.01503576921, 2), (0.01533539347, 2), (0.01567733887, 2)]),
    seed("triangle", 0.5, Printed, 3984, 2.490790117, 0.8987897282, 8, &[(0.08327025281, 2), (0.08385371897, 2), (0.08685027145, 2), (0.08700244074, 2), (0.1985060979, 2), (0.2074087227, 2)]),
    seed("triangle", 0.5, Compat, 3984, 2.490790117, 0.8987897282, 8, &[(0.08327025281, 2), (0.08385371897, 2), (0.08685027145, 2), (0.08700244074, 2), (0.1985060979, 2), (0.2074087227, 2)]),
    seed("triangle", 1.0, Printed, 3984, 1.887665922, 0.8959808745, 8, &[(0.1177619209, 2), (0.1185870666, 2), (0.1228248318, 2), (0.1230400317, 2), (0.2143984443, 2), (0.2222951649, 2)]),
    seed("triangle", 1.0, Compat, 3984, 1.887665922, 0.8959808745, 8, &[(0.1177619209, 2), (0.1185870666, 2), (0.1228248318, 2), (0.1230400317, 2), (0.2143984443, 2), (0.2222951649, 2)]),
    seed("brake", 0.5, Printed, 19, 1000.22, 0.6607851349, 4, &[(0.0001499670073, 1), (0.004472135955, 2), (0.01189207115, 1), (0.075, 1), (0.125743343, 2), (0.15, 1)]),
    seed("brake", 0.5, Compat, 19, 2515.168643, 0.7441692726, 6, &[(4.999400072e-05, 1), (0.004472135955, 2), (0.01189207115, 1), (0.02631578947, 1), (0.05555555556, 1), (0.125743343, 2)]),
    seed("brake", 1.0, Printed, 19, 1000.22, 0.6675567971, 4, &[(0.0001999560097, 1), (0.00632455532, 2), (0.01414213562, 1), (0.1, 1), (0.1495348781, 2), (0.2, 1)]),
    seed("brake", 1.0, Compat, 19, 1495.528223, 0.6349519113, 5, &[(9.998800144e-05, 1), (0.00632455532, 2), (0.01414213562, 1), (0.05263157895, 1), (0.1111111111, 1), (0.1495348781, 2)]),
    seed("power_supply", 1.0, Printed, 18, 132217.5418, 0.7679047668, 7, &[(4.366669214e-05, 1), (5e-05, 2), (9.528346832e-05, 1), (2.0, 2), (2.236067977, 1), (5.0, 1), (5.773502692, 2)]),
    seed("power_supply", 1.0, Compat, 18, 102413.0314, 0.8260792127, 4, &[(2.183382277e-05, 1), (4.7644004e-05, 1), (5e-05, 2), (1.428571429, 2), (1.666666667, 1), (2.236067977, 3)]),
    seed("smart_grid", 1.0, Printed, 14, 500000.0, 0.8995935327, 8, &[(4e-05, 1), (0.003992015967, 3), (0.0316227766, 2), (0.08099535756, 1), (0.08100419613, 1), (20.0, 3)]),
    seed("smart_grid", 1.0, Compat, 14, 55554.44444, 0.8921382728, 8, &[(2.000040001e-05, 1), (0.002, 3), (0.0316227766, 2), (0.08099535756, 1), (0.08100419613, 1), (1.111111111, 3)]),
];

/// Number of fast states of the largest gap from one alpha to another, both in twentieths.
type Splits = &'static [(u32, u32, usize)];

const SPLITS: &[(&str, SelfLoop, Splits)] = &[
    ("dc_motor", Printed, &[(1, 20, 1)]),
    ("dc_motor", Compat, &[(1, 6, 1), (7, 20, 2)]),
    ("half_car", Printed, &[(1, 20, 2)]),
    ("half_car", Compat, &[(1, 3, 2), (4, 5, 3), (6, 15, 1), (16, 20, 2)]),
    ("double_mass", Printed, &[(1, 20, 4)]),
    ("double_mass", Compat, &[(1, 20, 4)]),
    ("heat_exchanger", Printed, &[(1, 20, 10)]),
    ("heat_exchanger", Compat, &[(1, 5, 20), (6, 20, 10)]),
    ("heat_exchanger_30", Printed, &[(1, 20, 30)]),
    ("heat_exchanger_30", Compat, &[(1, 4, 60), (5, 20, 30)]),
    ("triangle", Printed, &[(1, 20, 8)]),
    ("triangle", Compat, &[(1, 1, 11), (2, 3, 9), (4, 20, 8)]),
    ("brake", Printed, &[(1, 1, 7), (2, 20, 4)]),
    ("brake", Compat, &[(1, 16, 6), (17, 20, 5)]),
    ("power_supply", Printed, &[(1, 20, 7)]),
    ("power_supply", Compat, &[(1, 5, 8), (6, 20, 4)]),
    ("smart_grid", Printed, &[(1, 20, 8)]),
    ("smart_grid", Compat, &[(1, 20, 8)]),
];

/// The cycle analysis of a model of the project at the start of its run, through the whole compiler.
fn analysed(model: &str, options: &Options) -> Report {
    let source = read_source(&models_folder().join(format!("{model}.mo"))).expect("the model can be read");
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
    let instance = instance(&compiled, Engine::Interpreter).unwrap_or_else(|error| panic!("{error:?}"));
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let (points, remark) = operating_points(&instance, &experiment, &At::Times(vec![0.0])).unwrap_or_else(|message| panic!("{message:?}"));
    assert_eq!(remark, None);
    Report::new(model, &points, options).unwrap_or_else(|message| panic!("{message:?}"))
}

#[test]
fn models_of_the_papers_have_the_recomputed_cycles_bounds_and_splits() {
    for seed in SEEDS {
        let what = format!("{} at alpha {} ({:?})", seed.model, seed.alpha, seed.self_loop);
        let report = analysed(seed.model, &Options { alpha: seed.alpha, self_loop: seed.self_loop, ..Options::default() });
        let analysis = &report.analysis;
        assert_eq!(analysis.cycles, Some(seed.cycles), "{what}");
        assert!(analysis.certified && analysis.bounds.iter().all(|bound| bound.exact), "{what}");
        let bounds = analysis.order.iter().map(|&state| analysis.bounds[state].h_lower);
        let expected: Vec<f64> = seed.bounds.iter().flat_map(|&(h, count)| std::iter::repeat_n(h, count)).collect();
        assert_eq!(analysis.names.len(), expected.len(), "{what}");
        for (h, expected) in bounds.zip(expected) {
            assert!(close(h, expected, 1e-6), "{what}: {h} is not {expected}");
        }
        let (sigma, s) = (analysis.stiffness_index.expect("defined"), analysis.separability_index.expect("defined"));
        assert!(close(sigma, seed.stiffness, 1e-6), "{what}: {sigma}");
        assert!((s - seed.separability).abs() <= 1e-6, "{what}: {s}");
        assert_eq!(analysis.cuts[0].after, seed.split, "{what}");
    }
}

#[test]
fn splits_move_with_alpha_as_recomputed() {
    for (model, self_loop, splits) in SPLITS {
        let report = analysed(model, &Options { self_loop: *self_loop, ..Options::default() });
        for (from, to, split) in *splits {
            for twentieth in *from..=*to {
                let found = report.analysis.at_alpha(f64::from(twentieth) / 20.0).expect("all cycles are known");
                assert_eq!(found.indices.cuts[0].after, *split, "{model} ({self_loop:?}) at alpha {}/20", twentieth);
            }
        }
    }
}

#[test]
fn the_closed_form_over_alpha_is_what_an_analysis_at_that_alpha_finds() {
    let mut random = Random::new(0x0F1E_2D3C_4B5A_6978);
    for _ in 0..50 {
        let rows = matrix(&mut random, 7, 0.3, 6.0);
        let closed = analyze(&jacobian(&rows), &Options::default()).expect("seven states");
        for alpha in [0.01, 0.3, 0.77, 1.0] {
            let at = closed.at_alpha(alpha).expect("all cycles are known");
            let (_, bounds) = by_definition(&rows, alpha, SelfLoop::Printed);
            assert!(at.bounds.iter().zip(&bounds).all(|(a, b)| close(*a, *b, 1e-9)), "{rows:?}");
        }
    }
}

#[test]
fn the_page_is_complete_and_loads_nothing() {
    for model in ["dc_motor", "heat_exchanger_30", "bouncing_ball"] {
        let page = analysed(model, &Options::default()).html();
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
        for word in ["http", "<script", "url(http", "NaN", "inf\""] {
            assert!(!page.contains(word), "the page of {model} has {word}");
        }
        assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
        assert!(page.len() < 400_000, "the page of {model} has {} bytes", page.len());
    }
}

#[test]
fn reports_as_data_have_their_fields_and_null_for_infinity() {
    let data = analysed("dc_motor", &Options::default()).json();
    assert_eq!(data["cycles"], 4);
    let states: Vec<&str> = data["states"].as_array().expect("a list").iter().filter_map(|state| state["name"].as_str()).collect();
    assert_eq!(states, ["I", "w", "phi"]);
    assert!(data["states"][2]["h_lower"].is_null() && data["states"][2]["h_upper"].is_null());
    assert_eq!(data["states"][1]["witness"], serde_json::json!(["I", "w"]));
    let cut = &data["cuts"][0];
    assert_eq!((&cut["after"], &cut["fast"], &cut["slow"]), (&serde_json::json!(1), &serde_json::json!(["I"]), &serde_json::json!(["w", "phi"])));
    assert!(cut["gap"].is_number() && cut["h"].is_number() && cut["spectral_radius"].is_number());
    for field in ["alpha", "stiffness_index", "separability_index", "certified"] {
        assert!(!data[field].is_null(), "{field} is missing");
    }
}
