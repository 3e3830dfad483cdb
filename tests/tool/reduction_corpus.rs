//! What ranking and reduction promise, on a folder of models: `reduction_corpus FOLDER balance|terms [N]`.
//!
//! The folder holds `index.json` with the names, models, references and signals of examples. `balance` ranks the components of every
//! model with a reference and counts where energy is balanced; models without connectors have nothing that could be missing.
//! `terms` takes the N models (20) of the analog, rotational, translational and thermal libraries that come first by the SHA-256 of
//! their names, reduces each by terms with 1 % for the first of its signals that changes, and runs the text that came out again.
//! The exit code is 1 if a promise is broken: fewer than 195 balanced models, an error above 1 %, fewer than 12 of 20 models smaller.

use partita::pipeline::{self, Libraries};
use partita::reduction::components;
use partita::reduction::rank::{BALANCED, Options, Suggestion, rank};
use partita::reduction::record::record;
use partita::reduction::reference::ReductionOptions;
use partita::reduction::removal::Study;
use partita_grammar::{Diagnostic, Source};
use partita_tests::sha256::sha256;
use partita_tests::simulation::read_source;
use std::path::Path;
use std::process::ExitCode;

/// The error that is allowed.
const ALLOWED: f64 = 0.01;
/// Models with references whose energy has to be balanced.
const LEAST_BALANCED: usize = 195;
/// The libraries that terms are removed from.
const LIBRARIES: [&str; 4] =
    ["Modelica.Electrical.Analog.", "Modelica.Mechanics.Rotational.", "Modelica.Mechanics.Translational.", "Modelica.Thermal."];

struct CorpusModel {
    name: String,
    source: Source,
    signals: Vec<String>,
    has_reference: bool,
}

fn entries(folder: &Path) -> Result<Vec<CorpusModel>, String> {
    let text = std::fs::read_to_string(folder.join("index.json")).map_err(|error| error.to_string())?;
    let index: serde_json::Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let rows = index.as_array().ok_or("index.json is no list")?;
    let entry = |row: &serde_json::Value| {
        let word = |key: &str| row[key].as_str().map(str::to_string);
        let path = folder.join(word("model").ok_or("a model without a file")?);
        let source = read_source(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let signals = row["signals"].as_array().into_iter().flatten().filter_map(|name| name.as_str().map(str::to_string));
        Ok(CorpusModel {
            name: word("name").unwrap_or_default(),
            source,
            signals: signals.collect(),
            has_reference: row["ref"].is_string(),
        })
    };
    rows.iter().map(entry).collect()
}

fn title(messages: &[Diagnostic]) -> String {
    messages.first().map_or_else(String::new, |message| message.title.clone())
}

/// What is missing of the energy of a model, and how many components are suggested; nothing if it has no connectors.
fn balance(source: &Source) -> Result<Option<(f64, usize)>, String> {
    let libraries = Libraries::default();
    let flat = pipeline::flat_with(source, &libraries, None).map_err(|messages| title(&messages))?;
    let found = components::find(&flat);
    if found.components.is_empty() {
        return Ok(None);
    }
    let compiled = pipeline::compile(source, None).map_err(|messages| title(&messages))?;
    let instance = pipeline::instantiate(&compiled, true).map_err(|messages| title(&messages))?.instance;
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let flows = record(&instance, &experiment, &found, None).map_err(|message| message.title)?;
    let ranking = rank(&flat, &found, &flows, &compiled.report.states, &Options::default()).map_err(|message| message.title)?;
    let suggested = ranking.components.iter().filter(|row| matches!(row.suggestion, Suggestion::Remove(_))).count();
    Ok(Some((ranking.balance, suggested)))
}

fn check_balance(entries: &[CorpusModel]) -> bool {
    let (mut balanced, mut without, mut failed, mut wrong) = (0, 0, 0, 0);
    for entry in entries.iter().filter(|entry| entry.has_reference) {
        match balance(&entry.source) {
            Ok(None) => without += 1,
            Ok(Some((missing, _))) if missing <= BALANCED => balanced += 1,
            Ok(Some((missing, suggested))) => {
                wrong += usize::from(suggested > 0);
                println!("{}: {missing:.1e} missing, {suggested} suggested", entry.name);
            }
            Err(why) => {
                failed += 1;
                println!("{}: {why}", entry.name);
            }
        }
    }
    println!("{balanced} balanced, {without} without connectors, {failed} failed, {wrong} suggest something without a balance");
    balanced + without >= LEAST_BALANCED && wrong == 0
}

/// Terms, terms removed, the error that was printed and that of the text run again.
fn reduce(entry: &CorpusModel) -> Result<(String, usize, usize, f64, f64), String> {
    let libraries = Libraries::default();
    let mut why = "no signal to compare".to_string();
    for signal in &entry.signals {
        let outputs = [signal.clone()];
        let options = ReductionOptions { source: &entry.source, libraries: &libraries, model: None, outputs: &outputs, stop_time: None };
        let study = match Study::new(options) {
            Ok(study) => study,
            Err(messages) => {
                why = title(&messages);
                continue;
            }
        };
        let reduced = study.reduce(ALLOWED).map_err(|message| message.title)?;
        let again = study.reference.error_of(&reduced.source).map_err(|message| message.title)?;
        return Ok((signal.clone(), study.terms.terms.len(), reduced.removed.len(), reduced.error.largest(), again.largest()));
    }
    Err(why)
}

fn check_terms(mut entries: Vec<CorpusModel>, n: usize) -> bool {
    entries.retain(|entry| entry.has_reference && LIBRARIES.iter().any(|library| entry.name.starts_with(library)));
    entries.sort_by_key(|entry| sha256(entry.name.as_bytes()));
    let (mut kept, mut smaller) = (0, 0);
    for entry in entries.iter().take(n) {
        match reduce(entry) {
            Ok((output, terms, removed, error, again)) => {
                kept += usize::from(again <= ALLOWED && (again - error).abs() <= 1e-9);
                smaller += usize::from(removed > 0);
                println!(
                    "{}: {removed} of {terms} terms for {output}, error {:.4} %, again {:.4} %",
                    entry.name,
                    100.0 * error,
                    100.0 * again
                );
            }
            Err(why) => println!("{}: {why}", entry.name),
        }
    }
    println!("{kept} of {n} keep their promise, {smaller} lose a term");
    kept == n && smaller * 20 >= 12 * n
}

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let (Some(folder), Some(what)) = (arguments.first(), arguments.get(1)) else {
        eprintln!("usage: reduction_corpus FOLDER balance|terms [N]");
        return ExitCode::from(2);
    };
    let n = arguments.get(2).and_then(|n| n.parse().ok()).unwrap_or(20);
    let holds = match (entries(Path::new(folder)), what.as_str()) {
        (Ok(entries), "balance") => check_balance(&entries),
        (Ok(entries), "terms") => check_terms(entries, n),
        (Ok(_), what) => {
            eprintln!("there is no check `{what}`; there are balance and terms");
            return ExitCode::from(2);
        }
        (Err(why), _) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    ExitCode::from(u8::from(!holds))
}
