//! Golden files: input and expectation in one file.
//!
//! `tests/golden/<pass>/*.mo` holds a model and, after the line `//! expect`, the dump of that pass; `tests/golden/errors`
//! holds a model and all messages about it: those of the compiler, or else those of a run by the interpreter. A line
//! `//! units` asks for the comparison of units, a line `//! decouple CHOICE` in the model for the cycle analysis at the start and
//! a partition instead of a run; lines `//! set a=1,b=2` give values as `--set` does.
//! `BLESS=1 cargo test` rewrites the expectations; read the diff.

use partita::base::messages::{run_message, run_warning};
use partita::decouple::cycles::{self, Choice, Jacobian, Partition};
use partita::decouple::operating_points::{At, operating_points};
use partita::pipeline::passes::{Dump, PASSES};
use partita::pipeline::{self, Compiled, Libraries};
use partita_grammar::{Diagnostic, Source};
use partita_runtime::base::error::RunError;
use partita_runtime::integrate::{Sink, simulate};
use partita_runtime::model::bounds::Watch;
use partita_runtime::model::overrides;
use partita_tests::simulation::{Engine, instance, rendered};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const MARK: &str = "//! expect\n";

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(name)
}

/// The files of a golden folder in order.
pub(crate) fn files(name: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder(name)) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "mo")).collect();
    files.sort();
    files
}

/// The input and expectation of a golden file.
pub(crate) fn split(path: &Path) -> (Source, String) {
    let text = std::fs::read_to_string(path).expect("a golden file can be read");
    let (input, expected) = text.split_once(MARK).unwrap_or((&text, ""));
    let name = path.file_name().map(|n| n.to_string_lossy().to_string()).unwrap_or_default();
    (Source { name, text: input.to_string() }, expected.to_string())
}

fn as_comment(text: &str) -> String {
    text.lines().map(|line| if line.is_empty() { "//\n".to_string() } else { format!("// {}\n", line.trim_end()) }).collect()
}

/// Compares the output for each file of a folder with its expectation; with `BLESS` writes it instead.
fn check_folder(name: &str, output: impl Fn(&Source) -> String) {
    let bless = std::env::var_os("BLESS").is_some();
    let mut failures = String::new();
    let files = files(name);
    assert!(!files.is_empty(), "no golden files in {name}");
    for path in files {
        let (source, expected) = split(&path);
        let actual = as_comment(&output(&source));
        if bless {
            std::fs::write(&path, format!("{}{MARK}{actual}", source.text)).expect("a golden file can be written");
        } else if actual != expected {
            let _ = writeln!(failures, "{}:\n--- expected\n{expected}--- actual\n{actual}", path.display());
        }
    }
    assert!(failures.is_empty(), "{failures}\nrun `BLESS=1 cargo test` if the new output is right");
}

#[test]
fn every_pass_prints_what_its_golden_files_say() {
    for view in PASSES.iter().flat_map(|pass| pass.views) {
        let dump = Dump::parse(view.word).expect("a word of the table");
        check_folder(view.word, |source| match pipeline::dump(dump, source, None) {
            Ok(text) => text,
            Err(diagnostics) => rendered(&diagnostics, source),
        });
    }
}

/// The partition of a model by its cycle analysis at the start, or at the time of a line `//! at TIME`.
fn decoupled(compiled: &Compiled, choice: &str, at: &str) -> Result<Partition, Box<Diagnostic>> {
    let choice = Choice::parse(choice)?;
    let model = instance(compiled, Engine::Interpreter).map_err(|error| Box::new(run_message(&error)))?;
    let at: At = at.parse().expect("a time");
    let (points, _) = operating_points(&model, &pipeline::experiment(&compiled.experiment, None, None), &at)?;
    let jacobians: Vec<Jacobian> = points.into_iter().map(|point| point.jacobian).collect();
    let options = cycles::Options { alpha: choice.alpha.unwrap_or(0.5), ..cycles::Options::default() };
    cycles::partition::partition(&cycles::analyze_points(&jacobians, &options)?, &choice)
}

/// Sees whether results stay within their bounds.
struct Watched<'w>(&'w mut Watch);

impl Sink for Watched<'_> {
    fn point(&mut self, t: f64, row: &[f64]) -> Result<(), RunError> {
        self.0.point(t, row);
        Ok(())
    }
}

/// All messages about a model, from reading it to the end of its run.
fn messages(source: &Source) -> String {
    let given = source
        .text
        .lines()
        .filter_map(|line| line.strip_prefix("//! set "))
        .flat_map(|list| overrides::list(list).expect("a list of values"));
    let libraries = Libraries { overrides: given.collect(), ..Libraries::default() };
    if source.text.lines().any(|line| line == "//! units") {
        let found = pipeline::check_units(source, &libraries, None);
        return found.map_or_else(|messages| rendered(&messages, source), |()| "no message".to_string());
    }
    let compiled = match pipeline::compile_with(source, &libraries, None) {
        Ok(compiled) => compiled,
        Err(messages) => return rendered(&messages, source),
    };
    let mut text = rendered(&compiled.warnings, source);
    if let Some(choice) = source.text.lines().find_map(|line| line.strip_prefix("//! decouple")) {
        let at = source.text.lines().find_map(|line| line.strip_prefix("//! at ")).unwrap_or("0");
        return match decoupled(&compiled, choice, at) {
            Ok(partition) => format!("{text}no message: {partition:?}"),
            Err(message) => text + &rendered(&[*message], source),
        };
    }
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let mut watch = Watch::new(&compiled.program.plan, experiment.tolerance);
    let outcome = instance(&compiled, Engine::Interpreter).and_then(|mut model| {
        let outcome = simulate(&mut model, &experiment, &mut Watched(&mut watch));
        for warning in model.warnings() {
            let _ = writeln!(text, "warning: {warning}");
        }
        outcome
    });
    match outcome {
        Ok(statistics) => {
            let bounds = watch.warnings(&compiled.program.plan);
            let warnings: Vec<Diagnostic> = statistics.warnings.iter().chain(&bounds).map(run_warning).collect();
            text.push_str(&rendered(&warnings, source));
        }
        Err(error) => text.push_str(&rendered(&[run_message(&error)], source)),
    }
    if text.is_empty() { "no message".to_string() } else { text }
}

#[test]
fn messages_are_as_their_golden_files_say() {
    check_folder("errors", messages);
}
