//! `levels CORPUS [--rungs 0,1,2] [--only TEXT] [--names]`: models of the standard library from source against their export.
//!
//! CORPUS has `rungs.json` (name and rung) and `msl/models/NAME.bmo`. Prints per model what differs, and a table of how many
//! models of each rung are made, and agree in V (variables), A (attributes and values), N (numbers).

use partita_grammar::{Diagnostic, Source};
use partita_tests::levels::{Levels, Outcome, compare, from_source, from_text, library_folder};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

fn first(messages: &[Diagnostic]) -> String {
    messages.first().map_or(String::new(), |m| format!("{} {}", m.code, m.title))
}

/// One model: what its levels say, or why there are none.
fn levels(name: &str, file: &Path, folder: &Path) -> Result<Levels, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("no export: {error}"))?;
    let other = from_text(&Source { name: name.to_owned(), text }).map_err(|m| format!("export: {}", first(&m)))?;
    let ours = from_source(name, folder).map_err(|m| format!("source: {}", first(&m)))?;
    compare(ours, other).map_err(|m| format!("equations: {}", first(&m)))
}

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let Some(corpus) = arguments.first() else {
        eprintln!("usage: levels CORPUS [--rungs 0,1,2] [--only TEXT] [--names]");
        return ExitCode::from(2);
    };
    let option = |word: &str| arguments.iter().position(|a| a == word).and_then(|at| arguments.get(at + 1));
    let rungs: Vec<u64> = option("--rungs").map_or("0,1,2", String::as_str).split(',').filter_map(|r| r.parse().ok()).collect();
    let only = option("--only").map_or("", String::as_str);
    let with_names = arguments.iter().any(|a| a == "--names");
    let Some(folder) = library_folder() else {
        println!("the standard library is not found on MODELICAPATH or in ~/.openmodelica/libraries: nothing is compared");
        return ExitCode::SUCCESS;
    };
    let listed = std::fs::read_to_string(Path::new(corpus).join("rungs.json")).map_err(|error| error.to_string());
    let listed: BTreeMap<String, u64> = match listed.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string())) {
        Ok(listed) => listed,
        Err(error) => {
            eprintln!("{corpus}/rungs.json: {error}");
            return ExitCode::from(2);
        }
    };
    let mut table: BTreeMap<u64, [usize; 6]> = BTreeMap::new();
    for (name, rung) in listed.iter().filter(|(name, rung)| rungs.contains(rung) && name.contains(only)) {
        let row = table.entry(*rung).or_default();
        row[0] += 1;
        let file = Path::new(corpus).join("msl/models").join(format!("{name}.bmo"));
        match levels(name, &file, &folder) {
            Err(why) => println!("{name}: {why}"),
            Ok(found) => {
                row[1] += 1;
                let all = [("V", &found.variables), ("A", &found.attributes), ("N", &found.numbers)];
                for (at, (letter, outcome)) in all.iter().enumerate() {
                    match outcome {
                        Outcome::Equal => row[at + 2] += 1,
                        Outcome::Different(what, count) => println!("{name} {letter} {count}: {}", what.join("; ")),
                        Outcome::Unknown => println!("{name} {letter}: not reached"),
                    }
                }
                let agrees = all.iter().all(|(_, outcome)| **outcome == Outcome::Equal);
                row[5] += usize::from(agrees);
                if with_names && agrees {
                    println!("{name} agrees");
                }
            }
        }
    }
    println!("rung  models   made      V      A      N    all");
    for (rung, row) in &table {
        println!("{rung:4} {}", row.iter().map(|n| format!("{n:7}")).collect::<String>());
    }
    ExitCode::SUCCESS
}
