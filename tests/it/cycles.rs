//! Cycle analysis: the models of the papers, and random systems against an independent enumeration.

use partita::decouple::cycles::report::Report;
use partita::decouple::cycles::{Budget, CycleAnalysis, Jacobian, Options, Probe, SelfLoop, analyze};
use partita_grammar::Source;
use partita_tests::random::Random;
use partita_tests::seeds::{self, close};
use partita_tests::simulation::{models_folder, read_source};

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

#[test]
fn small_systems_agree_with_the_definition() {
    let mut random = Random::new(0x1234_5678_9ABC_DEF1);
    for _ in 0..300 {
        let n = 4 + random.below(8);
        let density = 0.1 + 0.25 * random.part();
        let rows = matrix(&mut random, n, density, 6.0);
        for self_loop in [SelfLoop::Printed, SelfLoop::Compat] {
            for alpha in [1.0, 0.5, 0.1] {
                let analysis =
                    analyze(&jacobian(&rows), &Options { alpha, self_loop, ..Options::default() }).expect("at least four states");
                let (count, bounds) = by_definition(&rows, alpha, self_loop);
                assert_eq!(analysis.cycles, Some(count), "{rows:?}");
                for state in 0..n {
                    let bound = &analysis.bounds[state];
                    assert!(
                        bound.exact && close(bound.h_lower, bounds[state], 1e-9),
                        "{} is not {}: {rows:?}",
                        bound.h_lower,
                        bounds[state]
                    );
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
                assert!(
                    bound.h_lower <= truth * (1.0 + 1e-9) && bound.h_upper >= truth * (1.0 - 1e-9),
                    "{bound:?} does not hold {truth}: {rows:?}"
                );
                assert!(!bound.exact || close(bound.h_lower, truth, 1e-9), "{bound:?} is not {truth}: {rows:?}");
                assert!(
                    close(bound.h_upper, bound_of_witness(&rows, &analysis, state, alpha, SelfLoop::Printed), 1e-9),
                    "{bound:?}: {rows:?}"
                );
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

fn project_model(model: &str) -> Source {
    read_source(&models_folder().join(format!("{model}.mo"))).expect("the model can be read")
}

/// The cycle analysis of a model of the project at the start of its run, through the whole compiler.
fn analysed(model: &str, options: &Options) -> Report {
    seeds::analysed(&project_model(model), None, options).unwrap_or_else(|why| panic!("{why}"))
}

#[test]
fn models_of_the_papers_have_the_recomputed_cycles_bounds_and_splits() {
    for seed in seeds::SEEDS {
        seeds::check_seed(seed, &project_model(seed.model), None).unwrap_or_else(|why| panic!("{why}"));
    }
}

#[test]
fn splits_move_with_alpha_as_recomputed() {
    for (model, self_loop, splits) in seeds::SPLITS {
        seeds::check_splits(&project_model(model), None, *self_loop, splits).unwrap_or_else(|why| panic!("{why}"));
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
        for word in ["src=", "href=\"http", "url(http", "@import", "fetch(", "NaN", "inf\""] {
            assert!(!page.contains(word), "the page of {model} has {word}");
        }
        assert!(page.contains("default-src 'none'"), "the page of {model} may load something");
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
    assert_eq!(
        (&cut["after"], &cut["fast"], &cut["slow"]),
        (&serde_json::json!(1), &serde_json::json!(["I"]), &serde_json::json!(["w", "phi"]))
    );
    assert!(cut["gap"].is_number() && cut["h"].is_number() && cut["spectral_radius"].is_number());
    for field in ["alpha", "stiffness_index", "separability_index", "certified"] {
        assert!(!data[field].is_null(), "{field} is missing");
    }
}
