//! Subsets of derivatives, and runs in which states have steps of their own.

use partita::pipeline::{self, Compiled};
use partita_grammar::Source;
use partita_runtime::integrate::multirate::Rates;
use partita_runtime::integrate::{Experiment, Statistics, simulate};
use partita_runtime::model::interface::{HybridModel, SubsetId};
use partita_runtime::model::plan::Pattern;
use partita_tests::simulation::{Engine, Points, instance, models, models_folder, read_source, rendered};

fn compiled(source: &Source) -> Compiled {
    let structured = pipeline::structure(source, None).unwrap_or_else(|messages| panic!("{}", rendered(&messages, source)));
    pipeline::program_with_cells(structured).unwrap_or_else(|messages| panic!("{}", rendered(&messages, source)))
}

/// Numbers that look random (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let a = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let b = (a ^ (a >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        b ^ (b >> 31)
    }

    /// From 0 to 1.
    fn part(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// The bits of a subset's derivatives and of its Jacobian, by an engine at the start; those of all states beside them.
struct Computed {
    part: Vec<f64>,
    whole: Vec<f64>,
    slopes: Vec<f64>,
    whole_slopes: Vec<f64>,
    reference: Pattern,
}

fn computed(compiled: &Compiled, engine: Engine, states: &[usize]) -> Option<Computed> {
    let mut model = instance(compiled, engine).ok()?;
    let n = model.n_states();
    let mut x = vec![0.0; n];
    model.initialize(0.0, &mut x).ok()?;
    let reference = model.jacobian_pattern().clone();
    let (mut whole, mut whole_slopes) = (vec![0.0; n], vec![0.0; reference.rows.len()]);
    model.derivatives(0.1, &x, &mut whole).ok()?;
    model.jacobian(0.1, &x, &mut whole_slopes).ok()?;
    model.select(SubsetId(3), states);
    let mut part = vec![0.0; states.len()];
    // Only what the subset reads is looked at.
    let reads = reference.columns_of(states);
    let point: Vec<f64> = (0..n).map(|state| if reads.contains(&state) { x[state] } else { f64::NAN }).collect();
    model.subset_derivatives(SubsetId(3), 0.1, &point, &mut part).expect("a subset of what can be evaluated");
    let mut slopes = vec![0.0; model.subset_pattern(SubsetId(3)).expect("a subset").rows.len()];
    model.subset_jacobian(SubsetId(3), &mut slopes).expect("a Jacobian of the subset");
    Some(Computed { part, whole, slopes, whole_slopes, reference })
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// Subsets are equal by both engines; without systems of equations, which iterate from their last solution, they have the bits of the whole.
fn check_subset(name: &str, compiled: &Compiled, states: &[usize]) -> bool {
    let Some(native) = computed(compiled, Engine::MachineCode, states) else { return false };
    let interpreted = computed(compiled, Engine::Interpreter, states).expect("the interpreter does what machine code does");
    assert_eq!(bits(&native.part), bits(&interpreted.part), "{name}: {states:?}");
    assert_eq!(bits(&native.slopes), bits(&interpreted.slopes), "{name}: slopes of {states:?}");
    let expected: Vec<f64> = states.iter().map(|&state| native.whole[state]).collect();
    let pattern = &native.reference;
    let entries = states.iter().flat_map(|&column| pattern.col_starts[column]..pattern.col_starts[column + 1]);
    let slopes: Vec<f64> = entries.filter(|&entry| states.contains(&pattern.rows[entry])).map(|entry| native.whole_slopes[entry]).collect();
    if compiled.program.plan.blocks.is_empty() {
        assert_eq!(bits(&native.part), bits(&expected), "{name}: {states:?}");
    }
    for (a, b) in native.part.iter().chain(&native.slopes).zip(expected.iter().chain(&slopes)) {
        assert!((a - b).abs() <= 1e-6 * (1.0 + b.abs()), "{name}: {a} {b}");
    }
    assert_eq!(native.slopes.len(), slopes.len(), "{name}");
    true
}

#[test]
fn subsets_of_derivatives_are_those_of_all_derivatives() {
    let mut random = Random(1);
    let mut checked = 0;
    for path in models().expect("the models can be read") {
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let compiled = compiled(&read_source(&path).expect("a model can be read"));
        let n = compiled.program.plan.states.len();
        if compiled.program.plan.pieces.cells.is_none() || n == 0 {
            continue;
        }
        for size in [1, 2, n.div_ceil(10), n.div_ceil(2), n] {
            let mut states: Vec<usize> = (0..size).map(|_| random.below(n)).collect();
            states.sort_unstable();
            states.dedup();
            let states = if size == n { (0..n).collect() } else { states };
            checked += usize::from(check_subset(&name, &compiled, &states));
        }
    }
    assert!(checked > 60, "{checked}");
}

#[test]
fn a_chain_is_a_loop_of_cells_and_a_subset_some_of_its_rounds() {
    let source = read_source(&models_folder().join("inverter_chain.mo")).expect("a model can be read");
    let compiled = compiled(&source);
    let cells = compiled.program.plan.pieces.cells.as_ref().expect("cells");
    assert_eq!(cells.of_state.len(), 100);
    assert!(cells.families.iter().any(|family| family.iterations >= 90), "{:?}", cells.families);
    let mut model = instance(&compiled, Engine::MachineCode).expect("an instance");
    model.select(SubsetId(0), &[50]);
    assert!(model.subset_share(SubsetId(0)) < 0.03);
}

/// A model's image, as it lies in an executable, keeps the cells.
#[test]
fn plans_that_are_stored_keep_their_cells() {
    let source = read_source(&models_folder().join("inverter_chain.mo")).expect("a model can be read");
    let plan = compiled(&source).program.plan;
    let bytes = serde_json::to_vec(&plan).expect("a plan can be written");
    let read: partita_runtime::model::plan::Plan = serde_json::from_slice(&bytes).expect("a plan can be read");
    assert_eq!(read.pieces.cells, plan.pieces.cells);
}

fn run(compiled: &Compiled, experiment: &Experiment) -> (Points, Statistics) {
    let mut model = instance(compiled, Engine::MachineCode).expect("an instance");
    let mut points = Points::default();
    let statistics = simulate(&mut model, experiment, &mut points).unwrap_or_else(|error| panic!("{error:?}"));
    (points, statistics)
}

/// The largest difference of a state to an accurate run, in parts of its range, at common times.
fn error(compiled: &Compiled, points: &Points, accurate: &Points) -> f64 {
    let signals = compiled.program.plan.interface.signals.iter().filter(|signal| signal.varies);
    let states: Vec<usize> = signals.enumerate().filter(|(_, signal)| !signal.name.starts_with("der(")).map(|(i, _)| i).collect();
    let mut worst: f64 = 0.0;
    for &i in &states {
        let column = || accurate.rows.iter().map(|row| row[i]);
        let range = column().fold(f64::MIN, f64::max) - column().fold(f64::MAX, f64::min);
        let mut at = 0;
        for (t, row) in points.times.iter().zip(&points.rows) {
            while at < accurate.times.len() && accurate.times[at] < *t - 1e-9 {
                at += 1;
            }
            if at < accurate.times.len() && (accurate.times[at] - t).abs() < 1e-9 && range > 0.0 {
                worst = worst.max((row[i] - accurate.rows[at][i]).abs() / range);
            }
        }
    }
    worst
}

fn inverters(n: usize) -> Compiled {
    let mut source = read_source(&models_folder().join("inverter_chain.mo")).expect("a model can be read");
    source.text = source.text.replace("Integer n = 100", &format!("Integer n = {n}"));
    compiled(&source)
}

#[test]
fn the_front_in_a_chain_of_inverters_is_met_with_waking_and_missed_without() {
    let compiled = inverters(40);
    let plain = Experiment { stop_time: 27.0, tolerance: 1e-4, interval: Some(0.5), ..Experiment::default() };
    let (accurate, _) = run(&compiled, &Experiment { tolerance: 1e-8, ..plain.clone() });
    let single = error(&compiled, &run(&compiled, &plain).0, &accurate);
    let rated = |wakes: bool| Experiment { rates: Some(Rates { least_ratio: 0.0, wakes }), ..plain.clone() };
    let (points, statistics) = run(&compiled, &rated(true));
    let with = error(&compiled, &points, &accurate);
    assert!(with <= 1.5 * single, "{with} by several rates, {single} by one: {statistics}");
    let counts = statistics.apart.multirate.expect("several rates");
    assert!(counts.woken > 0 && counts.steps.len() > 2, "{counts}");
    let without = error(&compiled, &run(&compiled, &rated(false)).0, &accurate);
    assert!(without > 0.5, "without waking the front is missed, but the error is {without}");
}

#[test]
fn a_run_by_several_rates_is_repeated_to_the_last_bit_and_pays_in_a_long_chain() {
    let compiled = inverters(100);
    let experiment =
        Experiment { stop_time: 40.0, tolerance: 1e-4, interval: Some(1.0), rates: Some(Rates::default()), ..Experiment::default() };
    let (first, statistics) = run(&compiled, &experiment);
    assert!(statistics.apart.multirate.is_some(), "{statistics}");
    let (second, _) = run(&compiled, &experiment);
    assert_eq!(first, second);
}

#[test]
fn a_model_in_which_all_moves_is_run_by_one_rate_as_without() {
    for name in ["brusselator", "heat_exchanger", "dc_motor", "robertson"] {
        let source = read_source(&models_folder().join(format!("{name}.mo"))).expect("a model can be read");
        let compiled = compiled(&source);
        let experiment = pipeline::experiment(&compiled.experiment, None, None);
        let (plain, _) = run(&compiled, &experiment);
        let (rated, statistics) = run(&compiled, &Experiment { rates: Some(Rates::default()), ..experiment });
        assert!(statistics.apart.multirate.is_none(), "{name}: {statistics}");
        assert_eq!(plain, rated, "{name}");
    }
}

/// A sparse network of nonlinear states with inputs that switch at their own times.
fn network(seed: u64) -> Source {
    let mut random = Random(seed);
    let n = 12 + random.below(20);
    let mut equations = String::new();
    for i in 1..=n {
        let rate = 10f64.powf(2.0 * random.part() - 1.0);
        equations.push_str(&format!("  der(x[{i}]) = {rate:.4}*(-x[{i}] - 0.2*x[{i}]^3"));
        for _ in 0..1 + random.below(2) {
            let (j, weight) = (1 + random.below(n), 2.0 * random.part() - 1.0);
            equations.push_str(&format!(" + {weight:.4}*tanh(x[{j}])"));
        }
        if random.below(3) == 0 {
            // A smooth gate, which is shut below its threshold.
            let (j, gain) = (1 + random.below(n), 5.0 * random.part());
            equations.push_str(&format!(" + {gain:.4}*max(x[{j}] - 0.5, 0)^2/(1 + x[{j}]^2)"));
        }
        if random.below(4) == 0 {
            let (size, period, shift) = (2.0 * random.part(), 2.0 + 6.0 * random.part(), random.part());
            equations.push_str(&format!(" + (if sin({period:.4}*(time + {shift:.4})) > 0.3 then {size:.4} else 0)"));
        }
        equations.push_str(");\n");
    }
    let text = format!("model Network\n  Real x[{n}](each start = 0, each fixed = true);\nequation\n{equations}end Network;\n");
    Source { name: format!("network_{seed}.mo"), text }
}

#[test]
fn random_networks_with_switching_inputs_keep_their_tolerance() {
    let mut by_several = 0;
    for seed in 0..50 {
        let source = network(seed);
        let compiled = compiled(&source);
        let plain = Experiment { stop_time: 6.0, tolerance: 1e-4, interval: Some(0.25), ..Experiment::default() };
        let (accurate, _) = run(&compiled, &Experiment { tolerance: 1e-9, ..plain.clone() });
        let single = error(&compiled, &run(&compiled, &plain).0, &accurate);
        let rated = Experiment { rates: Some(Rates { least_ratio: 0.0, wakes: true }), ..plain };
        let (points, statistics) = run(&compiled, &rated);
        let several = error(&compiled, &points, &accurate);
        assert!(several <= (3.0 * single).max(1e-3), "{}: {several} by several rates, {single} by one\n{}", source.name, source.text);
        by_several += u64::from(statistics.apart.multirate.is_some_and(|counts| counts.steps.len() > 1));
    }
    assert!(by_several > 25, "only {by_several} networks were refined");
}
