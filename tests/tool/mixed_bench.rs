//! Mixed-mode runs against BDF, as ratios measured in one run: `mixed_bench [--pairs] [NAME...]`; all cases if none is
//! named. With `--pairs` also what each pair takes to meet the error.
//!
//! For every case the mixed-mode run is the fastest of all pairs, with fixed and adaptive steps, that meets the case's error; BDF uses
//! the largest tolerance with which it is as accurate as that. Both are then run in turns and the shortest times of the processor
//! count. The error is the largest of all states as a part of the value, at the end of the run (`end`) or at any time (`any`), or of a
//! signal at any time as a part of its range (`range`). Last, what the function of the fast states costs.

use partita::decouple::cycles::Choice;
use partita::decouple::decision::{DecoupleOptions, decide};
use partita::decouple::verify::{Grid, Timed, reference_of};
use partita::pipeline::{self, Structured};
use partita_grammar::Source;
use partita_runtime::exec::Instance;
use partita_runtime::integrate::mixed::{Pair, Split};
use partita_runtime::integrate::verify::Deviation;
use partita_runtime::integrate::{Experiment, Solver};
use partita_runtime::model::interface::HybridModel;
use partita_tests::simulation::{models_folder, read_source, rendered};
use std::process::ExitCode;
use std::time::Instant;

/// Runs of each kind.
const ROUNDS: usize = 5;
/// Rounds of evaluations. Both functions take turns of some ten microseconds: whatever else the machine does falls into few of them.
const SHARE_ROUNDS: usize = 10_000;
/// Derivatives that are computed in a turn.
const SHARE_DERIVATIVES: usize = 30_000;
/// Models with more states than this are run less often, and not with coarse tolerances.
const LARGE: usize = 5000;
/// Fixed steps and low orders are tried for models with no more states than this.
const SMALL: usize = 1000;
/// Fixed steps are not finer than this.
const MOST_STEPS: f64 = 20_000.0;

/// What is measured as the error.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Measure {
    /// Of the value of a state at the end.
    End,
    /// Of the value of a state at the same time.
    Any,
    /// At any time, of a signal's range.
    Range,
}

impl Measure {
    fn word(self) -> &'static str {
        match self {
            Measure::End => "end",
            Measure::Any => "any",
            Measure::Range => "range",
        }
    }
}

struct Case {
    name: String,
    model: &'static str,
    change: Option<(String, String)>,
    stop: Option<f64>,
    /// Fast states by the beginnings of their names; by cycle analysis if there are none.
    fast: &'static [&'static str],
    measure: Measure,
    error: f64,
}

fn exchanger(n: usize, measure: Measure) -> Case {
    Case {
        name: format!("exchanger:{n}"),
        model: "heat_exchanger",
        change: Some(("N = 10 ".to_string(), format!("N = {n} "))),
        stop: Some(20.0),
        fast: &["Ta[", "Tb["],
        measure,
        error: 2e-6,
    }
}

fn cases() -> Vec<Case> {
    let other = |model: &'static str| Case {
        name: model.to_string(),
        model,
        change: None,
        stop: None,
        fast: &[],
        measure: Measure::Range,
        error: 1e-3,
    };
    let mut cases: Vec<Case> = [10, 100, 1000, 10000].into_iter().map(|n| exchanger(n, Measure::Any)).collect();
    // At the end this model is nearly at rest, and even a coarse run is right; it is what others have measured.
    cases.push(exchanger(1000, Measure::End));
    cases.extend(["brake", "triangle", "power_supply", "smart_grid"].map(other));
    cases.push(other("plate"));
    cases.push(Case { name: "plate:64".to_string(), change: Some(("n = 24 ".to_string(), "n = 64 ".to_string())), ..other("plate") });
    cases
}

/// A measured run.
struct Measured {
    experiment: Experiment,
    error: f64,
    timed: Timed,
}

/// The error of a run.
fn error(case: &Case, grid: &Grid, run: &Timed, reference: &Timed) -> f64 {
    let deviation = || Deviation::between(&run.record, &reference.record, &grid.compared, Some(0.02 * grid.interval));
    match case.measure {
        Measure::End => {
            let last = |timed: &Timed| timed.record.row(timed.record.len() - 1).map(<[f64]>::to_vec).unwrap_or_default();
            let (values, truth) = (last(run), last(reference));
            let errors = values
                .iter()
                .zip(&truth)
                .zip(&grid.compared)
                .filter(|(_, compared)| compared.is_state)
                .map(|((x, y), _)| (x - y).abs() / y.abs());
            errors.fold(0.0, f64::max)
        }
        Measure::Any => deviation().max_rel,
        Measure::Range => deviation().headline(),
    }
}

/// The fastest mixed-mode run that meets the error: every pair with error control and with fixed steps.
fn search_mixed(
    case: &Case,
    model: &Instance,
    grid: &Grid,
    reference: &Timed,
    base: &Experiment,
    fast: &[usize],
    tells: bool,
) -> Result<Measured, String> {
    let mut found: Vec<Measured> = Vec::new();
    // Low orders would take very many steps in a large model; a very large one is run with the pairs that are fastest at smaller sizes.
    let n = model.n_states();
    let is_tried = |pair: &Pair| match n {
        0..=SMALL => true,
        n if n <= LARGE => pair.tableau().order > 2 || pair.is_multistep(),
        _ => matches!(pair, Pair::Imex4 | Pair::Bdf),
    };
    for pair in Pair::ALL.into_iter().filter(is_tried) {
        let split = |adaptive: bool| Some(Split { fast: fast.to_vec(), pair, adaptive });
        if let Ok(measured) = search(case, model, grid, reference, &Experiment { split: split(true), ..base.clone() }, case.error) {
            found.push(measured);
        }
        // Runs of large models are few.
        let most_steps = if model.n_states() > SMALL || pair.is_multistep() { 0.0 } else { MOST_STEPS };
        let mut steps = 16.0;
        while steps <= most_steps {
            let experiment = Experiment { split: split(false), step: Some(base.span() / steps), ..base.clone() };
            // An unstable run may fail or take for ever; a finer one will do better.
            if let Ok(timed) = grid.run(model, &experiment) {
                let measured = Measured { error: error(case, grid, &timed, reference), experiment, timed };
                if measured.error <= case.error {
                    found.push(measured);
                    break;
                }
            }
            steps *= 2.0;
        }
    }
    if tells {
        for Measured { experiment, error, timed } in &found {
            let pair = experiment.split.as_ref().map_or("", |split| split.pair.word());
            let how = if experiment.is_fixed_step() { "fixed" } else { "error" };
            let counts = &timed.statistics;
            println!(
                "  {pair:<8} {how} {error:>8.1e} {:>7} steps ({} rejected) {:>8} slow {:>8} fast {:>6} factors {:>9.3} ms",
                counts.steps,
                counts.rejected,
                counts.mixed.slow_evaluations,
                counts.mixed.fast_evaluations,
                counts.factorisations,
                1e3 * timed.seconds
            );
        }
    }
    // Those that are not accurate enough come last.
    let rank = |measured: &Measured| (measured.error > case.error, measured.timed.seconds);
    found
        .into_iter()
        .min_by(|a, b| rank(a).0.cmp(&rank(b).0).then(rank(a).1.total_cmp(&rank(b).1)))
        .ok_or_else(|| "no mixed-mode run succeeds".to_string())
}

/// The run with the largest tolerance whose error is small enough, and is not so by chance: with the next smaller one it is, too. The
/// most accurate one if none is.
fn search(case: &Case, model: &Instance, grid: &Grid, reference: &Timed, base: &Experiment, wanted: f64) -> Result<Measured, String> {
    let mut best: Option<Measured> = None;
    let mut met: Option<Measured> = None;
    // Fine enough that neither side is much more accurate than it has to be.
    let (first, parts) = if model.n_states() > LARGE { (5.0, 2.0) } else { (2.0, 4.0) };
    for exponent in (0..).map(|k| first + f64::from(k) / parts).take_while(|exponent| *exponent <= 10.0) {
        let experiment = Experiment { tolerance: 10f64.powf(-exponent), ..base.clone() };
        let timed = grid.run(model, &experiment).map_err(|message| message.title.clone())?;
        let measured = Measured { error: error(case, grid, &timed, reference), experiment, timed };
        if measured.error <= wanted {
            if met.is_some() {
                break;
            }
            met = Some(measured);
            continue;
        }
        met = None;
        if best.as_ref().is_none_or(|best| measured.error < best.error) {
            best = Some(measured);
        }
    }
    met.or(best).ok_or_else(|| "no run".to_string())
}

fn structured(case: &Case) -> Result<(Source, Structured), String> {
    let mut source = read_source(&models_folder().join(format!("{}.mo", case.model))).map_err(|error| error.to_string())?;
    if let Some((old, new)) = &case.change {
        source.text = source.text.replace(old.as_str(), new);
    }
    let structured = pipeline::structure(&source, None).map_err(|messages| rendered(&messages, &source))?;
    Ok((source, structured))
}

/// Fast states of a case.
fn fast_states(case: &Case, model: &Instance, experiment: &Experiment) -> Result<Vec<usize>, String> {
    if !case.fast.is_empty() {
        let is_fast = |state: &usize| case.fast.iter().any(|prefix| model.state_name(*state).starts_with(prefix));
        return Ok((0..model.n_states()).filter(is_fast).collect());
    }
    // A choice that says what is the default already: the partition is made whatever is thought of it.
    let choice = Choice::parse("alpha=0.5").map_err(|message| message.title.clone())?;
    let decided = decide(model, experiment, &DecoupleOptions { choice, pair: None, step: None, at: None })
        .map_err(|message| message.title.clone())?;
    Ok(decided.positions)
}

/// Nanoseconds of the fast derivatives and of all derivatives: the shortest of several rounds at points that differ.
fn fast_share(case: &Case) -> Result<[f64; 2], String> {
    let (source, structured) = structured(case)?;
    let fail = |messages: Vec<_>| rendered(&messages, &source);
    let n = structured.report.states.len();
    let names = structured.report.states.iter().map(|name| case.fast.iter().any(|prefix| name.starts_with(prefix)));
    let fast: Vec<usize> = names.enumerate().filter(|(_, is_fast)| *is_fast).map(|(state, _)| state).collect();
    let compiled = pipeline::program(structured, &pipeline::mixed_parts(n, &fast)).map_err(fail)?;
    let mut model = pipeline::instantiate(&compiled, true).map_err(fail)?.instance;
    let mut x = vec![0.0; n];
    model.initialize(0.0, &mut x).map_err(|error| error.title)?;
    let part = model.part(&fast).ok_or("the model has no function for its fast states")?;
    let (mut all, mut some) = (vec![0.0; n], vec![0.0; fast.len()]);
    let calls = SHARE_DERIVATIVES / n;
    let (mut t_all, mut t_some) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..SHARE_ROUNDS {
        let began = Instant::now();
        for call in 0..calls {
            model.derivatives(call as f64, &x, &mut all).map_err(|failure| failure.reason)?;
        }
        t_all = t_all.min(began.elapsed().as_secs_f64());
        let began = Instant::now();
        for call in 0..calls {
            model.part_derivatives(part, call as f64, &x, &mut some).map_err(|failure| failure.reason)?;
        }
        t_some = t_some.min(began.elapsed().as_secs_f64());
    }
    Ok([t_some, t_all].map(|seconds| 1e9 * seconds / calls as f64))
}

fn run(case: &Case, tells: bool) -> Result<(), String> {
    let (source, structured) = structured(case)?;
    let fail = |messages: Vec<_>| rendered(&messages, &source);
    let plain = pipeline::program(structured.clone(), &[]).map_err(fail)?;
    let experiment = Experiment { max_step: None, interval: None, ..pipeline::experiment(&plain.experiment, None, case.stop) };
    let whole = pipeline::instantiate(&plain, true).map_err(fail)?.instance;
    let fast = fast_states(case, &whole, &experiment)?;
    let n = whole.n_states();
    let parts = pipeline::mixed_parts(n, &fast);
    let split_program = pipeline::program(structured, &parts).map_err(fail)?;
    let split_model = pipeline::instantiate(&split_program, true).map_err(fail)?.instance;
    let mut grid = Grid::new(&whole, &experiment);
    // Few points, so that writing them is not what is measured; a prime number of them, so that they do not always meet a periodic
    // source at the same phase.
    grid.interval = experiment.span() / 101.0;
    let reference_experiment = Experiment { tolerance: 1e-10, ..reference_of(&experiment, n) };
    let reference = grid.run(&whole, &reference_experiment).map_err(|message| message.title.clone())?;
    let mixed = search_mixed(case, &split_model, &grid, &reference, &experiment, &fast, tells)?;
    let base = Experiment { solver: Solver::Bdf, ..experiment.clone() };
    let bdf = search(case, &whole, &grid, &reference, &base, mixed.error)?;
    let (mut t_mixed, mut t_bdf) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..if n > LARGE { 1 } else { ROUNDS } {
        t_mixed = t_mixed.min(grid.run(&split_model, &mixed.experiment).map_err(|message| message.title.clone())?.seconds);
        t_bdf = t_bdf.min(grid.run(&whole, &bdf.experiment).map_err(|message| message.title.clone())?.seconds);
    }
    let (m, b) = (&mixed.timed.statistics, &bdf.timed.statistics);
    let ratio = t_mixed / t_bdf;
    let verdict = match () {
        () if mixed.error > case.error => "mixed misses the error",
        () if bdf.error > mixed.error => "bdf is less accurate",
        () if ratio < 0.95 => "mixed wins",
        () if ratio <= 1.05 => "even",
        () => "mixed loses",
    };
    println!(
        "{:<15} {:>6} {:>6} {:<5} {:<8} {:<5} {:>8.1e} {:>7} {:>8} {:>8} {:>9.3} | {:>8.1e} {:>7} {:>8} {:>9.3} | {:>6.2} {verdict}",
        case.name,
        n,
        fast.len(),
        case.measure.word(),
        mixed.experiment.split.as_ref().map_or("", |split| split.pair.word()),
        if mixed.experiment.is_fixed_step() { "fixed" } else { "error" },
        mixed.error,
        m.steps,
        m.mixed.slow_evaluations,
        m.mixed.fast_evaluations,
        1e3 * t_mixed,
        bdf.error,
        b.steps,
        b.rhs_evaluations,
        1e3 * t_bdf,
        ratio,
    );
    Ok(())
}

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let (flags, wanted): (Vec<String>, Vec<String>) = arguments.iter().cloned().partition(|word| word.starts_with("--"));
    if let Some(unknown) = flags.iter().find(|flag| *flag != "--pairs") {
        eprintln!("there is no flag {unknown}; there is --pairs");
        return ExitCode::from(2);
    }
    println!(
        "{:<15} {:>6} {:>6} {:<5} {:<8} {:<5} {:>8} {:>7} {:>8} {:>8} {:>9} | {:>8} {:>7} {:>8} {:>9} | {:>6}",
        "model",
        "states",
        "newton",
        "error",
        "pair",
        "step",
        "size",
        "steps",
        "slow f",
        "fast f",
        "ms",
        "bdf err",
        "steps",
        "f",
        "ms",
        "ratio"
    );
    let mut failed = false;
    for case in cases().iter().filter(|case| wanted.is_empty() || wanted.contains(&case.name)) {
        if let Err(why) = run(case, !flags.is_empty()) {
            println!("{:<15} {why}", case.name);
            failed = true;
        }
    }
    println!("\ntime of the function of the fast states, as a part of that of all states");
    for n in [10, 100, 1000] {
        let case = Case { fast: &["Ta["], ..exchanger(n, Measure::End) };
        match fast_share(&case) {
            Ok([some, all]) => {
                let share = 100.0 * some / all;
                println!("{:<15} {share:>6.1} % for the states that cycle analysis finds to be fast ({some:.0} of {all:.0} ns)", case.name);
            }
            Err(why) => {
                println!("{:<15} {why}", case.name);
                failed = true;
            }
        }
    }
    ExitCode::from(u8::from(failed))
}
