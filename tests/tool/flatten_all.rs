//! Flattens every model file of a folder (or one file) and counts: `flatten_all FOLDER [--print]`.

use partita::frontend::repair::flatten;
use partita_grammar::{Severity, Source, parse, render};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let mut arguments = arguments.iter().cloned();
    let Some(folder) = arguments.next() else {
        eprintln!("usage: flatten_all FOLDER|FILE [--print] [--all-messages]");
        return ExitCode::from(2);
    };
    let rest: Vec<String> = arguments.collect();
    let print = rest.iter().any(|a| a == "--print");
    let all = rest.iter().any(|a| a == "--all-messages");
    let path = Path::new(&folder);
    let mut files: Vec<PathBuf> = if path.is_file() {
        vec![path.to_owned()]
    } else {
        match std::fs::read_dir(path) {
            Ok(entries) => entries.filter_map(|e| e.ok().map(|e| e.path())).collect(),
            Err(error) => {
                eprintln!("{folder}: {error}");
                return ExitCode::from(2);
            }
        }
    };
    files.retain(|f| f.extension().is_some_and(|e| e == "mo" || e == "bmo"));
    files.sort();
    let (mut n_ok, mut n_parsed) = (0, 0);
    let mut slowest = (Duration::ZERO, String::new());
    let mut total = Duration::ZERO;
    for file in &files {
        let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) => {
                println!("READ  {name}: {error}");
                continue;
            }
        };
        let source = Source { name: name.clone(), text };
        let definition = match parse(&source) {
            Ok(definition) => definition,
            Err(errors) => {
                println!("PARSE {name}: {}", errors.first().map_or(String::new(), |e| e.title.clone()));
                continue;
            }
        };
        n_parsed += 1;
        let start = Instant::now();
        let result = flatten(&definition, None);
        let time = start.elapsed();
        total += time;
        if time > slowest.0 {
            slowest = (time, name.clone());
        }
        match result {
            Ok(flattened) => {
                n_ok += 1;
                let faults = flattened.model.verify();
                if let Some(fault) = faults.first() {
                    println!("FAULT {name}: {fault} ({} faults)", faults.len());
                }
                if print {
                    println!("{}", flattened.model);
                }
                if all {
                    for warning in &flattened.warnings {
                        println!("{}", render(warning, &source));
                    }
                }
            }
            Err(errors) => {
                let n = errors.iter().filter(|e| e.severity == Severity::Error).count();
                for error in errors.iter().take(if all { errors.len() } else { 1 }) {
                    let place = error.labels.first().map(|l| source.line_column(l.span.start));
                    let place = place.map_or(String::new(), |(line, column)| format!(":{line}:{column}"));
                    if all {
                        println!("{}", render(error, &source));
                    } else {
                        println!("FAIL  {name}{place}: {} {} ({n} errors)", error.code, error.title);
                    }
                }
            }
        }
    }
    println!(
        "{n_ok} of {} flatten ({n_parsed} parse), {:.2} s, slowest {:.3} s {}",
        files.len(),
        total.as_secs_f64(),
        slowest.0.as_secs_f64(),
        slowest.1
    );
    ExitCode::SUCCESS
}
