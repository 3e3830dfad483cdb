//! Runs every model of a folder that has a result beside it, and compares: `compare_seeds FOLDER [--limit 1e-5] [--tolerance 1e-9]`.
//!
//! `FOLDER/X_res.mat` is the reference of model X; X is taken from every `.mo` file of the folder that defines it, and from
//! `flat/X.mo` and `base/X.bmo` if they are there. Prints the largest difference at the reference's times, those of events apart, as a
//! part of the signal's size: the largest of its range, its largest value and 1e-6. Names with `$` are left out.
//!
//! A reference has errors too, and a force `k*(x1 - x2)` or a derivative magnifies those of its states. Signals beyond the limit are
//! therefore computed again from the reference's own states; if that gives the reference's values to a hundredth of the limit, and all
//! states agree, the difference is the reference's error, and is listed as such.

use partita::base::messages::run_message;
use partita::pipeline;
use partita_grammar::Source;
use partita_runtime::exec::Instance;
use partita_runtime::integrate::simulate;
use partita_runtime::model::watched::{Watched, Watcher};
use partita_runtime::result::read::{Table, read};
use partita_tests::simulation::{Engine, Points, compile, instance, read_source, rendered, table};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let Some(folder) = arguments.first().map(Path::new) else {
        eprintln!("usage: compare_seeds FOLDER [--limit 1e-5] [--tolerance 1e-9]");
        return ExitCode::from(2);
    };
    let option = |name: &str, default: f64| {
        arguments.iter().position(|a| a == name).and_then(|at| arguments.get(at + 1)).and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (limit, tolerance) = (option("--limit", 1e-5), option("--tolerance", 1e-9));
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
            match differences(&source, &name, &reference, tolerance) {
                Ok(signals) => {
                    let of_reference = |signal: &&Difference| !signal.is_state && signal.from_reference <= limit / 100.0;
                    let states_agree = signals.iter().all(|signal| !signal.is_state || signal.own <= limit);
                    let (beyond, inside): (Vec<&Difference>, Vec<&Difference>) = signals.iter().partition(|signal| signal.own > limit);
                    let (explained, bad): (Vec<&Difference>, Vec<&Difference>) =
                        beyond.into_iter().partition(|signal| states_agree && of_reference(signal));
                    let worst = bad.iter().chain(&inside).max_by(|a, b| a.own.total_cmp(&b.own));
                    let (far, signal) = worst.map_or((0.0, ""), |signal| (signal.own, signal.name.as_str()));
                    n_bad += usize::from(!bad.is_empty());
                    println!("{name:<14} {form:<10} {far:9.2e} {signal:<10} {}", if bad.is_empty() { "ok" } else { "TOO FAR" });
                    for Difference { name, own, from_reference, .. } in explained {
                        println!("{:<25} {own:9.2e} {name:<10} error of the reference: {from_reference:.1e} from its own states", "");
                    }
                }
                Err(why) => {
                    n_bad += 1;
                    println!("{name:<14} {form:<10} FAILED\n{why}");
                }
            }
        }
    }
    ExitCode::from(u8::from(n_bad > 0))
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
        let defined = [
            format!("model {name} "),
            format!("model {name}\n"),
            format!("class {name}\n"),
            format!("class {name} "),
            format!("model '{name}'"),
        ];
        if defined.iter().any(|text| source.text.contains(text.as_str())) {
            let parent = path.parent().and_then(Path::file_name).map(|p| p.to_string_lossy().into_owned()).unwrap_or_default();
            let form = if path.parent() == Some(folder) { source.name.clone() } else { parent };
            found.push((form, source));
        }
    }
    found
}

/// How far a signal is from the reference.
struct Difference {
    name: String,
    is_state: bool,
    /// In a run.
    own: f64,
    /// Computed from the reference's states, in the modes of a run.
    from_reference: f64,
}

fn differences(source: &Source, name: &str, reference: &Table, tolerance: f64) -> Result<Vec<Difference>, String> {
    let compiled = compile(source, Some(name))?;
    let mut experiment = pipeline::experiment(&compiled.experiment, reference.time.first().copied(), reference.time.last().copied());
    experiment.tolerance = tolerance;
    // The reference's grid, so that nothing is interpolated.
    let mut gaps: Vec<f64> = reference.time.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 0.0).collect();
    gaps.sort_by(f64::total_cmp);
    let alike = |gap: &f64| gaps.iter().filter(|other| (*other - gap).abs() <= 1e-9 * experiment.span()).count();
    let usual = gaps.iter().copied().max_by_key(alike).ok_or("the reference has no times")?;
    experiment.interval = Some(experiment.span() / (experiment.span() / usual).round());
    let states: Vec<String> = compiled.program.plan.states.iter().map(|state| state.name.clone()).collect();
    let known: Option<Vec<Vec<f64>>> = states.iter().map(|state| reference.values(state)).collect();
    let rows = |states: Option<Vec<Vec<f64>>>| -> Result<Table, String> {
        let model = instance(&compiled, Engine::MachineCode).map_err(|error| error.title)?;
        let mut model = Watched(AtReference { model, times: &reference.time, states });
        let mut points = Points::default();
        simulate(&mut model, &experiment, &mut points).map_err(|error| rendered(&[run_message(&error)], source))?;
        Ok(table(&compiled, &points))
    };
    let own = rows(None)?;
    let from_reference = known.map(|known| rows(Some(known))).transpose()?;
    let end = own.time.last().copied().unwrap_or(f64::NAN);
    if (end - experiment.stop_time).abs() > 1e-6 * experiment.span() {
        return Err(format!("the run ends at {end} instead of {}", experiment.stop_time));
    }
    let mut found = Vec::new();
    for name in reference.names().iter().filter(|name| !name.contains('$') && *name != "time" && !reference.is_constant(name)) {
        let Some(expected) = reference.values(name) else { continue };
        let Some(values) = own.values(name) else {
            // Derivatives that no equation needs by name are not part of the result.
            if name.starts_with("der(") {
                continue;
            }
            return Err(format!("missing: {name}"));
        };
        let at_reference = from_reference.as_ref().and_then(|table| Some((&table.time, table.values(name)?)));
        found.push(Difference {
            name: name.clone(),
            is_state: states.contains(name),
            own: distance((&reference.time, &expected), (&own.time, &values)),
            from_reference: at_reference.map_or(f64::INFINITY, |(time, values)| distance((&reference.time, &expected), (time, &values))),
        });
    }
    if found.is_empty() { Err("nothing to compare".to_string()) } else { Ok(found) }
}

/// The largest difference at times of the reference that it has once, as a part of the signal's size.
fn distance((times, expected): (&[f64], &[f64]), (own_times, values): (&[f64], &[f64])) -> f64 {
    let (low, high) = expected.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(*y), high.max(*y)));
    let size = (high - low).max(low.abs()).max(high.abs()).max(1e-6);
    let near = 1e-7 * (times[times.len() - 1] - times[0]);
    let mut largest: f64 = 0.0;
    let (mut n_wanted, mut n_compared) = (0, 0);
    for (at, (t, y)) in times.iter().zip(expected).enumerate() {
        let is_event = |other: Option<&f64>| other.is_some_and(|other| (other - t).abs() <= near);
        if is_event(at.checked_sub(1).and_then(|before| times.get(before))) || is_event(times.get(at + 1)) {
            continue;
        }
        n_wanted += 1;
        let next = own_times.partition_point(|own| *own < t - near);
        let matching = own_times[next..].iter().take_while(|own| **own <= t + near).count();
        // An event here and not there, or an output that is not on the grid: nothing to compare at this time.
        if matching == 1 {
            n_compared += 1;
            let difference = (values[next] - y).abs() / size;
            largest = if difference <= largest { largest } else { difference.max(largest) };
        }
    }
    // Too few points in common prove nothing.
    if 10 * n_compared < 9 * n_wanted { f64::INFINITY } else { largest }
}

/// A model whose results are those at the reference's states.
struct AtReference<'a> {
    model: Instance,
    times: &'a [f64],
    /// By state; without them results are those of the run.
    states: Option<Vec<Vec<f64>>>,
}

impl Watcher for AtReference<'_> {
    type Inner = Instance;

    fn model(&self) -> &Instance {
        &self.model
    }

    fn model_mut(&mut self) -> &mut Instance {
        &mut self.model
    }

    fn states_of_results(&self, t: f64, x: &[f64]) -> Option<Vec<f64>> {
        let states = self.states.as_ref()?;
        let near = self.times.partition_point(|time| *time < t - 1e-9);
        let is_there = self.times.get(near).is_some_and(|time| (time - t).abs() <= 1e-9);
        is_there.then(|| x.iter().zip(states).map(|(_, values)| values[near]).collect())
    }
}
