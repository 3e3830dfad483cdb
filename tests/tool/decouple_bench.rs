//! Plain `--decouple` against plain runs, from the compiled model to the result: `decouple_bench [--seconds S] [NAME...]`; all cases if none is
//! named. In release mode.
//!
//! Both run in turns until each has taken two seconds of the processor (or S) and at least three runs; the times are means, the decision is
//! part of them. `fast` is the number of states that are solved for together, in so many percent of the steps, or that have the events where
//! others have steps of their own. Errors are those of all signals but derivatives, as parts of their ranges, against a run with a tight tolerance. `wins`,
//! `even` and `loses` say what the ratio is; `wrong` that the error is more than 1.5 times the larger of that without and the tolerance.

use partita::decouple::verify::{Grid, Timed, reference_of};
use partita::pipeline;
use partita_grammar::Source;
use partita_runtime::exec::Instance;
use partita_runtime::integrate::Experiment;
use partita_runtime::model::interface::HybridModel;
use partita_tests::simulation::{models_folder, read_source, rendered};
use std::fmt::Write;
use std::process::ExitCode;

/// Tolerance of all runs.
const TOLERANCE: f64 = 1e-6;
/// Least number of runs of each kind.
const LEAST_RUNS: u32 = 3;

/// A model: its name, its text, how long it is run if not as it says.
struct Case {
    name: String,
    source: Source,
    stop: Option<f64>,
}

/// A model of the project with other parameters.
fn known(model: &str, change: Option<(&str, String)>, stop: Option<f64>) -> Result<Case, String> {
    let mut source = read_source(&models_folder().join(format!("{model}.mo"))).map_err(|error| error.to_string())?;
    let mut name = model.to_string();
    if let Some((old, new)) = change {
        let _ = write!(name, ":{}", new.split_whitespace().next_back().unwrap_or_default());
        source.text = source.text.replacen(old, &new, 1);
    }
    Ok(Case { name, source, stop })
}

fn cases() -> Result<Vec<Case>, String> {
    let mut cases = vec![
        known("heat_exchanger", Some(("N = 10 ", "N = 1000 ".to_string())), Some(20.0))?,
        known("heat_exchanger", Some(("N = 10 ", "N = 10000 ".to_string())), Some(20.0))?,
        known("plate", None, None)?,
        known("plate", Some(("n = 24 ", "n = 64 ".to_string())), None)?,
        known("converter", None, None)?,
        known("drives", None, None)?,
    ];
    let small = ["smart_grid", "dc_motor", "half_car", "pendulum", "robertson", "brusselator", "brake", "triangle"];
    for model in small {
        cases.push(known(model, None, None)?);
    }
    Ok(cases)
}

/// Runs of one kind.
#[derive(Default)]
struct Runs {
    last: Option<Timed>,
    seconds: f64,
    count: u32,
}

impl Runs {
    fn add(&mut self, grid: &Grid, model: &Instance, experiment: &Experiment) -> Result<(), String> {
        let run = grid.run(model, experiment).map_err(|message| message.title.clone())?;
        self.seconds += run.seconds;
        self.count += 1;
        self.last = Some(run);
        Ok(())
    }

    fn mean(&self) -> f64 {
        self.seconds / f64::from(self.count.max(1))
    }
}

/// Runs a case and prints its line. Returns whether the result is right.
fn run(case: &Case, seconds: f64) -> Result<bool, String> {
    let structured = pipeline::structure(&case.source, None).map_err(|messages| rendered(&messages, &case.source))?;
    let compiled = pipeline::program_that_splits(structured).map_err(|messages| rendered(&messages, &case.source))?;
    let model = pipeline::instantiate(&compiled, true).map_err(|messages| rendered(&messages, &case.source))?.instance;
    let annotated = pipeline::experiment(&compiled.experiment, None, case.stop);
    let plain = Experiment { tolerance: TOLERANCE, ..annotated };
    let split = Experiment { partition: true, ..plain.clone() };
    let grid = Grid::new(&model, &plain);
    let (mut whole, mut parted) = (Runs::default(), Runs::default());
    while whole.count < LEAST_RUNS || whole.seconds.min(parted.seconds) < seconds {
        whole.add(&grid, &model, &plain)?;
        parted.add(&grid, &model, &split)?;
    }
    let reference = grid.run(&model, &reference_of(&plain, model.n_states())).map_err(|message| message.title.clone())?;
    let (Some(of_whole), Some(of_parted)) = (&whole.last, &parted.last) else { return Err("no run".to_string()) };
    let error = |run: &Timed| grid.deviation(run, &reference, &plain).headline();
    let (error_whole, error_parted) = (error(of_whole), error(of_parted));
    let found = of_parted.statistics.apart.partitioning.as_ref();
    let apart = of_parted.statistics.apart.cascade.as_ref();
    let part = found.map_or(0.0, |found| found.split_solutions as f64 / found.solutions.max(1) as f64);
    let ratio = parted.mean() / whole.mean();
    let is_right = error_parted <= 1.5 * error_whole.max(TOLERANCE);
    println!(
        "{:<22} {:>6} {:>6} {:>5.0} % {:>9.3} {:>8.1e} | {:>9.3} {:>8.1e} | {ratio:>5.2} {}{}",
        case.name,
        model.n_states(),
        apart.map_or(found.map_or(0, |found| found.fast.len() as u64), |apart| apart.head_states),
        if apart.is_some() { 100.0 } else { 100.0 * part },
        1e3 * parted.mean(),
        error_parted,
        1e3 * whole.mean(),
        error_whole,
        if ratio < 0.95 {
            "wins"
        } else if ratio <= 1.05 {
            "even"
        } else {
            "loses"
        },
        if is_right { "" } else { ", wrong" },
    );
    Ok(is_right)
}

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let mut words = arguments.iter().cloned().peekable();
    let mut seconds = 2.0;
    if words.next_if(|word| word == "--seconds").is_some() {
        seconds = words.next().and_then(|word| word.parse().ok()).unwrap_or(seconds);
    }
    let wanted: Vec<String> = words.collect();
    println!(
        "{:<22} {:>6} {:>6} {:>7} {:>9} {:>8} | {:>9} {:>8} | ratio",
        "model", "states", "fast", "split", "ms", "error", "plain ms", "error"
    );
    let cases = match cases() {
        Ok(cases) => cases,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    let mut all_right = true;
    for case in cases.iter().filter(|case| wanted.is_empty() || wanted.iter().any(|name| case.name.starts_with(name))) {
        match run(case, seconds) {
            Ok(is_right) => all_right &= is_right,
            Err(why) => {
                println!("{:<22} {why}", case.name);
                all_right = false;
            }
        }
    }
    ExitCode::from(u8::from(!all_right))
}
