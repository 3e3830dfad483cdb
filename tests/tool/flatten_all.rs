//! Flattens every model file of a folder (or one file) and counts: `flatten_all FOLDER [--print]`.

use partita::frontend::flatten::Flattened;
use partita::frontend::repair::flatten;
use partita_grammar::{Diagnostic, Severity, Source, parse, render};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// What was asked for, and what was counted.
#[derive(Default)]
struct Count {
    print: bool,
    all: bool,
    n_ok: usize,
    n_parsed: usize,
    total: Duration,
    slowest: (Duration, String),
}

fn files(folder: &str) -> std::io::Result<Vec<PathBuf>> {
    let path = Path::new(folder);
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files: Vec<PathBuf> = std::fs::read_dir(path)?.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "mo" || ending == "bmo"));
    files.sort();
    Ok(files)
}

impl Count {
    fn file(&mut self, file: &Path) {
        let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) => {
                println!("READ  {name}: {error}");
                return;
            }
        };
        let source = Source { name: name.clone(), text };
        let definition = match parse(&source) {
            Ok(definition) => definition,
            Err(errors) => {
                println!("PARSE {name}: {}", errors.first().map_or(String::new(), |e| e.title.clone()));
                return;
            }
        };
        self.n_parsed += 1;
        let start = Instant::now();
        let result = flatten(&definition, None);
        let time = start.elapsed();
        self.total += time;
        if time > self.slowest.0 {
            self.slowest = (time, name.clone());
        }
        match result {
            Ok(flattened) => self.flattened(&flattened, &source),
            Err(errors) => self.failed(&errors, &source),
        }
    }

    fn flattened(&mut self, flattened: &Flattened, source: &Source) {
        self.n_ok += 1;
        let faults = flattened.model.verify();
        if let Some(fault) = faults.first() {
            println!("FAULT {}: {fault} ({} faults)", source.name, faults.len());
        }
        if self.print {
            println!("{}", flattened.model);
        }
        if self.all {
            flattened.warnings.iter().for_each(|warning| println!("{}", render(warning, source)));
        }
    }

    fn failed(&self, errors: &[Diagnostic], source: &Source) {
        let n = errors.iter().filter(|e| e.severity == Severity::Error).count();
        if self.all {
            errors.iter().for_each(|error| println!("{}", render(error, source)));
        } else if let Some(error) = errors.first() {
            let place = error.labels.first().map(|l| source.line_column(l.span.start));
            let place = place.map_or(String::new(), |(line, column)| format!(":{line}:{column}"));
            println!("FAIL  {}{place}: {} {} ({n} errors)", source.name, error.code, error.title);
        }
    }
}

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let Some((folder, rest)) = arguments.split_first() else {
        eprintln!("usage: flatten_all FOLDER|FILE [--print] [--all-messages]");
        return ExitCode::from(2);
    };
    let asked = |word: &str| rest.iter().any(|argument| argument == word);
    let mut count = Count { print: asked("--print"), all: asked("--all-messages"), ..Count::default() };
    let files = match files(folder) {
        Ok(files) => files,
        Err(error) => {
            eprintln!("{folder}: {error}");
            return ExitCode::from(2);
        }
    };
    files.iter().for_each(|file| count.file(file));
    let Count { n_ok, n_parsed, total, slowest, .. } = count;
    println!(
        "{n_ok} of {} flatten ({n_parsed} parse), {:.2} s, slowest {:.3} s {}",
        files.len(),
        total.as_secs_f64(),
        slowest.0.as_secs_f64(),
        slowest.1
    );
    ExitCode::SUCCESS
}
