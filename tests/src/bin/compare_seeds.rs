//! Runs every model of a folder that has a result beside it, and compares: `compare_seeds FOLDER [--limit 1e-4]`.
//!
//! `FOLDER/X_res.mat` is the reference of model X; X is taken from every `.mo` file of the folder that defines it, and from
//! `flat/X.mo` and `base/X.bmo` if they are there. Prints the largest difference as a part of the signal's range.

use partita::pipeline;
use partita_grammar::Source;
use partita_runtime::result::compare::{TUBE, compare};
use partita_runtime::result::read::{Table, read};
use partita_tests::simulation::{Engine, compile, read_source, run, table};
use std::path::{Path, PathBuf};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(folder) = arguments.first().map(Path::new) else {
        eprintln!("usage: compare_seeds FOLDER [--limit 1e-4]");
        std::process::exit(2);
    };
    let limit = arguments.iter().position(|a| a == "--limit").and_then(|at| arguments.get(at + 1)).and_then(|text| text.parse().ok()).unwrap_or(1e-4);
    let mut n_bad = 0;
    for (name, reference) in references(folder) {
        let reference = match read(&reference) {
            Ok(table) => table,
            Err(error) => {
                println!("{name:<14} {}", error.title);
                n_bad += 1;
                continue;
            }
        };
        for (form, source) in sources(folder, &name) {
            match difference(&source, &name, &reference) {
                Ok((worst, signal)) => {
                    let verdict = if worst <= limit { "ok" } else { "TOO FAR" };
                    n_bad += usize::from(worst > limit);
                    println!("{name:<14} {form:<10} {worst:9.2e} {signal:<10} {verdict}");
                }
                Err(why) => {
                    n_bad += 1;
                    println!("{name:<14} {form:<10} FAILED\n{why}");
                }
            }
        }
    }
    std::process::exit(i32::from(n_bad > 0));
}

/// Names and reference files.
fn references(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut found: Vec<(String, PathBuf)> = files(folder)
        .into_iter()
        .filter_map(|path| {
            let name = path.file_name()?.to_str()?.strip_suffix("_res.mat")?.to_string();
            Some((name, path))
        })
        .collect();
    found.sort();
    found
}

fn files(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).map(|entries| entries.flatten().map(|entry| entry.path()).collect()).unwrap_or_default()
}

/// The forms in which a model is there.
fn sources(folder: &Path, name: &str) -> Vec<(String, Source)> {
    let mut candidates = files(folder);
    candidates.retain(|path| path.extension().is_some_and(|ending| ending == "mo"));
    candidates.sort();
    candidates.push(folder.join(format!("flat/{name}.mo")));
    candidates.push(folder.join(format!("base/{name}.bmo")));
    let mut found = Vec::new();
    for path in candidates {
        let Ok(source) = read_source(&path) else { continue };
        let defined = [format!("model {name} "), format!("model {name}\n"), format!("class {name}\n"), format!("class {name} "), format!("model '{name}'")];
        if defined.iter().any(|text| source.text.contains(text.as_str())) {
            let parent = path.parent().and_then(Path::file_name).map(|p| p.to_string_lossy().into_owned()).unwrap_or_default();
            let form = if path.parent() == Some(folder) { source.name.clone() } else { parent };
            found.push((form, source));
        }
    }
    found
}

/// The largest difference as a part of the signal's range, and the signal.
fn difference(source: &Source, name: &str, reference: &Table) -> Result<(f64, String), String> {
    let compiled = compile(source, Some(name))?;
    let mut experiment = pipeline::experiment(&compiled.experiment, reference.time.first().copied(), reference.time.last().copied());
    experiment.tolerance = 1e-8;
    let points = run(&compiled, source, Engine::MachineCode, &experiment)?;
    let result = table(&compiled, &points);
    let names: Vec<String> = reference.names().iter().filter(|n| !n.starts_with('$') && !reference.is_constant(n)).cloned().collect();
    let comparison = compare(reference, &result, Some(&names), TUBE);
    if let Some((end, wanted)) = comparison.short {
        return Err(format!("the run ends at {end} instead of {wanted}"));
    }
    // Derivatives that no equation needs by name are not part of the result.
    let missing: Vec<&String> = comparison.missing.iter().filter(|name| !name.starts_with("der(")).collect();
    if !missing.is_empty() {
        return Err(format!("missing: {missing:?}"));
    }
    let worst = comparison.signals.iter().max_by(|a, b| a.error_of_range.total_cmp(&b.error_of_range));
    worst.map(|signal| (signal.error_of_range, signal.name.clone())).ok_or_else(|| "nothing to compare".to_string())
}
