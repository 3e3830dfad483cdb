//! `engines FOLDER... [--library PATH]... [--first N] [--seconds S] [--points P]`: whether interpreter, machine code in memory and machine
//! code kept as an image give the same bits.
//!
//! Takes the models below each folder, or the first N that compile by the SHA-256 of their names, and runs each by all three; files of
//! packages are no models. Times, values, the failure if there is one, and what was counted must be equal to the last bit. `--points`
//! ends runs at so many points; a run that needs more than `--seconds` (20) ends there, and what all three reached is compared. A model
//! that cannot be compiled is named and not compared. The exit code is 1 if anything differs.

use partita::pipeline::{self, Compiled, Libraries};
use partita_runtime::base::error::RunError;
use partita_runtime::integrate::{Experiment, Sink, simulate};
use partita_tests::levels::named_libraries;
use partita_tests::sha256::sha256;
use partita_tests::simulation::{Engine, Points, compile_with, instance, model_files, read_source};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The word of the end that this command sets.
const ENOUGH: &str = "enough";

/// What the command line says.
struct Options {
    folders: Vec<PathBuf>,
    named: Vec<PathBuf>,
    first: usize,
    limit: Duration,
    n_points: usize,
}

/// Keeps points until there are enough or time is up.
struct Kept {
    points: Points,
    end: Instant,
    n_points: usize,
}

impl Sink for Kept {
    fn point(&mut self, t: f64, row: &[f64]) -> Result<(), RunError> {
        if self.points.times.len() == self.n_points || Instant::now() >= self.end {
            return Err(RunError::new("R001", ENOUGH));
        }
        self.points.point(t, row)
    }
}

/// A run: its points, and how it ended; nothing if it was ended because of the time.
struct Outcome {
    points: Points,
    end: Option<String>,
}

fn outcome(compiled: &Compiled, engine: Engine, experiment: &Experiment, options: &Options) -> Outcome {
    let mut kept = Kept { points: Points::default(), end: Instant::now() + options.limit, n_points: options.n_points };
    let mut counted = String::new();
    let result = instance(compiled, engine).and_then(|mut instance| {
        let result = simulate(&mut instance, experiment, &mut kept);
        counted = instance.statistics().to_string();
        result
    });
    let is_cut = kept.points.times.len() < kept.n_points && result.as_ref().is_err_and(|error| error.title == ENOUGH);
    let said = result.map_or_else(|error| error.title, |_| "end".to_owned());
    Outcome { points: kept.points, end: (!is_cut).then(|| format!("{said}\n{counted}")) }
}

/// The first difference of two runs.
fn difference(a: &Outcome, b: &Outcome) -> Option<String> {
    let n = a.points.times.len().min(b.points.times.len());
    for at in 0..n {
        let t = a.points.times[at];
        if t.to_bits() != b.points.times[at].to_bits() {
            return Some(format!("point {at} is at {t} and {}", b.points.times[at]));
        }
        let mut values = a.points.rows[at].iter().zip(&b.points.rows[at]).enumerate();
        if let Some((signal, (x, y))) = values.find(|(_, (x, y))| x.to_bits() != y.to_bits()) {
            return Some(format!("signal {signal} at {t} is {x} and {y}"));
        }
    }
    match (&a.end, &b.end) {
        (Some(x), Some(y)) if x != y => Some(format!("the ends differ:\n{x}\n{y}")),
        (Some(_), Some(_)) if a.points.times.len() != b.points.times.len() => Some("one has more points".to_owned()),
        _ => None,
    }
}

/// What was found for one model.
enum Verdict {
    Same { is_cut: bool },
    Different,
    NotCompared,
}

fn verdict(path: &Path, libraries: &Libraries, options: &Options) -> Verdict {
    let Ok(source) = read_source(path) else { return Verdict::NotCompared };
    let compiled = match compile_with(&source, libraries) {
        Ok(compiled) => compiled,
        Err(why) => {
            println!("{}: not compiled: {}", source.name, why.lines().next().unwrap_or_default());
            return Verdict::NotCompared;
        }
    };
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let interpreted = outcome(&compiled, Engine::Interpreter, &experiment, options);
    let mut is_cut = interpreted.end.is_none();
    for engine in [Engine::MachineCode, Engine::Image] {
        let own = outcome(&compiled, engine, &experiment, options);
        is_cut |= own.end.is_none();
        if let Some(what) = difference(&interpreted, &own) {
            println!("{}: interpreter and {engine:?} differ: {what}", source.name);
            return Verdict::Different;
        }
    }
    let n = interpreted.points.times.len();
    println!("{}: same bits at {n} points{}", source.name, if is_cut { ", ended for time" } else { "" });
    Verdict::Same { is_cut }
}

fn options(arguments: &[String]) -> Option<Options> {
    let mut options =
        Options { folders: Vec::new(), named: Vec::new(), first: usize::MAX, limit: Duration::from_secs(20), n_points: usize::MAX };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--library" => options.named.push(PathBuf::from(words.next()?)),
            "--first" => options.first = words.next()?.parse().ok()?,
            "--seconds" => options.limit = Duration::try_from_secs_f64(words.next()?.parse().ok()?).ok()?,
            "--points" => options.n_points = words.next()?.parse().ok()?,
            _ if word.starts_with("--") => return None,
            _ => options.folders.push(PathBuf::from(word)),
        }
    }
    (!options.folders.is_empty()).then_some(options)
}

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let Some(options) = options(arguments) else {
        eprintln!("usage: engines FOLDER... [--library PATH]... [--first N] [--seconds S] [--points P]");
        return ExitCode::from(2);
    };
    let libraries = named_libraries(options.named.clone());
    let (mut n_same, mut n_cut, mut n_different, mut n_not) = (0, 0, 0, 0);
    for folder in &options.folders {
        let mut files = match model_files(folder) {
            Ok(files) => files,
            Err(error) => {
                eprintln!("{}: {error}", folder.display());
                return ExitCode::from(2);
            }
        };
        if options.first < files.len() {
            files.sort_by_cached_key(|path| sha256(path.file_stem().unwrap_or_default().as_encoded_bytes()));
        }
        let mut n_compared = 0;
        for path in files {
            if n_compared == options.first {
                break;
            }
            match verdict(&path, &libraries, &options) {
                Verdict::Same { is_cut } => (n_same, n_cut) = (n_same + 1, n_cut + usize::from(is_cut)),
                Verdict::Different => n_different += 1,
                Verdict::NotCompared => {
                    n_not += 1;
                    continue;
                }
            }
            n_compared += 1;
        }
    }
    println!("{n_same} with the same bits ({n_cut} of them ended for time), {n_different} different, {n_not} not compared");
    if n_different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
