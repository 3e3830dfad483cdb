//! `closed_forms FOLDER... [--library PATH]...`: the models below folders that have systems solved in closed form, and what that changes.
//!
//! Prints for every such model the unknowns of those systems between events, and iterations, evaluations of residuals and CPU time of its
//! run by Newton's method alone and with closed forms; at the end the sums. A model that cannot be compiled is passed over; one
//! that runs in one way only says so.

use cpu_time::ProcessTime;
use partita::pipeline::{self, Compiled, Libraries};
use partita_runtime::exec::{Instance, Statistics};
use partita_runtime::integrate::{Experiment, Sink, simulate};
use partita_tests::levels::named_libraries;
use partita_tests::simulation::{compile_with, model_files, read_source};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Takes no results.
struct Nowhere;

impl Sink for Nowhere {
    fn point(&mut self, _: f64, _: &[f64]) -> Result<(), partita_runtime::base::error::RunError> {
        Ok(())
    }
}

/// A run: what it counted and how long it took, or why there is none.
type Outcome = Result<(Statistics, Duration), String>;

fn outcome(compiled: &Compiled, experiment: &Experiment) -> Outcome {
    let failed = |messages: Vec<partita_grammar::Diagnostic>| messages.first().map_or_else(String::new, |message| message.title.clone());
    let mut instance: Instance = pipeline::instantiate(compiled, true).map_err(failed)?.instance;
    let began = ProcessTime::now();
    simulate(&mut instance, experiment, &mut Nowhere).map_err(|error| error.title)?;
    Ok((instance.statistics(), began.elapsed()))
}

/// The same model with Newton's method everywhere.
fn without_closed_forms(compiled: &Compiled) -> Compiled {
    let mut plain = compiled.clone();
    plain.program.plan.blocks.values_mut().for_each(|block| block.closed = None);
    plain
}

/// Sums of iterations, residuals and microseconds.
#[derive(Default)]
struct Sums([u64; 3]);

impl Sums {
    fn add(&mut self, (statistics, time): &(Statistics, Duration)) -> String {
        let own = [statistics.newton_iterations, statistics.residual_evaluations, time.as_micros() as u64];
        self.0.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        format!("{:>10} {:>10} {:>10.1}", own[0], own[1], own[2] as f64 / 1e3)
    }
}

fn model(path: &Path, libraries: &Libraries, sums: &mut [Sums; 2]) -> bool {
    let Ok(source) = read_source(path) else { return false };
    let Ok(compiled) = compile_with(&source, libraries) else { return false };
    let report = &compiled.report;
    let unknowns: Vec<&str> = report.closed_forms.iter().chain(&report.closed_forms_in_need).map(String::as_str).collect();
    if compiled.program.plan.blocks.values().all(|block| block.closed.is_none()) {
        return false;
    }
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let ways = [outcome(&without_closed_forms(&compiled), &experiment), outcome(&compiled, &experiment)];
    let names = if unknowns.is_empty() { "at the start or at events only".to_owned() } else { unknowns.join(", ") };
    println!("{}: {names}", source.name);
    let both = ways.iter().all(Result::is_ok);
    for ((way, what), sum) in ways.iter().zip(["Newton's method", "closed form"]).zip(sums) {
        match way {
            Ok(counts) if both => println!("  {what:<16} {}", sum.add(counts)),
            Ok(counts) => println!("  {what:<16} {}", Sums::default().add(counts)),
            Err(why) => println!("  {what:<16} {why}"),
        }
    }
    true
}

/// The folders and the libraries of the command line.
fn folders_and_libraries(arguments: &[String]) -> Option<(Vec<PathBuf>, Vec<PathBuf>)> {
    let (mut folders, mut named, mut words) = (Vec::new(), Vec::new(), arguments.iter());
    while let Some(word) = words.next() {
        match word.as_str() {
            "--library" => named.push(PathBuf::from(words.next()?)),
            _ if word.starts_with("--") => return None,
            _ => folders.push(PathBuf::from(word)),
        }
    }
    (!folders.is_empty()).then_some((folders, named))
}

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let Some((folders, named)) = folders_and_libraries(arguments) else {
        eprintln!("usage: closed_forms FOLDER... [--library PATH]...");
        return ExitCode::from(2);
    };
    let libraries = named_libraries(named);
    let (mut sums, mut n) = ([Sums::default(), Sums::default()], 0);
    println!("{:<18} {:>10} {:>10} {:>10}", "", "iterations", "residuals", "ms");
    for folder in folders {
        match model_files(&folder) {
            Ok(files) => n += files.iter().filter(|path| model(path, &libraries, &mut sums)).count(),
            Err(error) => eprintln!("{}: {error}", folder.display()),
        }
    }
    println!("{n} models");
    for (what, Sums(sum)) in ["Newton's method", "closed form"].iter().zip(&sums) {
        println!("  {what:<16} {:>10} {:>10} {:>10.1}", sum[0], sum[1], sum[2] as f64 / 1e3);
    }
    ExitCode::SUCCESS
}
