//! `decouple_corpus PARTITA CORPUS`: what a flag does to models with references, by name.
//!
//! Input: an executable; a folder with `index.json`, entries of `name`, `model`, `ref` and `signals` with paths relative to it. Output: every model
//! that is in the tube of its reference without the flag and not with it, or that runs without it only (lost), and the CPU time of all runs with and without.
//! Method: both runs of a model follow each other, so that what else the machine does meets both alike. A model without a reference
//! is lost if it ends with an error; it is named if it differs from its own run without the flag, which says little by itself: slopes at kinks,
//! angles of what is zero and models that rounding decides about differ between any two runs. `--most N` takes the models with the N smallest hashes (SHA-256) of their names.
//! Guarantee: exit code 0 only if no model is lost and the ratio of times is at most `--ratio`. Times are those of finished children, in ticks of
//! 10 ms: sums count, not single models; those that took more than a tenth of a second and differ by a fifth are named.
//! Cost: two runs per model.

use partita_runtime::result::compare::{Comparison, TUBE, compare_by};
use partita_runtime::result::read::{Table, read};
use partita_runtime::result::rules::Rule;
use partita_tests::sha256::sha256;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

const USAGE: &str = "decouple_corpus PARTITA CORPUS [--most N] [--timeout SECONDS] [--ratio RATIO] [-- FLAGS...]

Runs the models of CORPUS/index.json with and without FLAGS (--decouple) and says which leave the tube of their reference.
  --most N           only the N models whose names have the smallest hashes
  --timeout SECONDS  a run that takes longer is left out of the sums, with and without (30)
  --ratio RATIO      fail if the flag takes more than this part of the CPU time without (1.05)
  -- FLAGS           other flags than --decouple";

/// Seconds per tick of the kernel's clock.
const TICK: f64 = 0.01;
/// References are made with this tolerance.
const TOLERANCE: f64 = 1e-7;
/// Times of single models that are worth a line.
const LONG: f64 = 0.1;
const DIFFERENT: f64 = 1.2;

struct Options {
    partita: PathBuf,
    corpus: PathBuf,
    most: usize,
    timeout: Duration,
    ratio: f64,
    flags: Vec<String>,
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let (own, flags) = match arguments.iter().position(|argument| argument == "--") {
        Some(at) => (&arguments[..at], arguments[at + 1..].to_vec()),
        None => (arguments, vec!["--decouple".to_string()]),
    };
    let (mut most, mut timeout, mut ratio, mut paths) = (usize::MAX, 30.0, 1.05, Vec::new());
    let mut rest = own.iter();
    while let Some(argument) = rest.next() {
        let mut number = || rest.next().and_then(|text| text.parse::<f64>().ok()).ok_or(format!("{argument} needs a number"));
        match argument.as_str() {
            "--most" => most = number()? as usize,
            "--timeout" => timeout = number()?,
            "--ratio" => ratio = number()?,
            path => paths.push(fs::canonicalize(path).map_err(|error| format!("{path}: {error}"))?),
        }
    }
    let [partita, corpus] = paths.try_into().map_err(|_| USAGE.to_string())?;
    Ok(Options { partita, corpus, most, timeout: Duration::from_secs_f64(timeout), ratio, flags })
}

/// CPU seconds of all children that have ended so far.
fn children_cpu() -> Result<f64, String> {
    let text = fs::read_to_string("/proc/self/stat").map_err(|error| format!("/proc/self/stat: {error}"))?;
    // The name of the program, in parentheses, may contain spaces; what follows does not. Fields 16 and 17 are cutime and cstime.
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3).and_then(|text| text.parse::<f64>().ok()).ok_or("/proc/self/stat has another form");
    Ok(TICK * (ticks(16)? + ticks(17)?))
}

/// A model of the corpus.
struct Entry {
    name: String,
    model: PathBuf,
    reference: Option<PathBuf>,
    signals: Vec<String>,
}

fn entries(options: &Options) -> Result<Vec<Entry>, String> {
    let path = options.corpus.join("index.json");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let index: Vec<Value> = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let text = |value: &Value| value.as_str().map(str::to_string);
    let mut entries = Vec::new();
    for entry in &index {
        let (Some(name), Some(model)) = (text(&entry["name"]), text(&entry["model"])) else {
            return Err(format!("{}: an entry has no name or model", path.display()));
        };
        let signals = entry["signals"].as_array().into_iter().flatten().filter_map(text).collect();
        let reference = text(&entry["ref"]).map(|path| options.corpus.join(path));
        entries.push(Entry { name, model: options.corpus.join(model), reference, signals });
    }
    entries.sort_by_cached_key(|entry| sha256(entry.name.as_bytes()));
    entries.truncate(options.most);
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

/// The number that an annotation gives.
fn annotated(text: &str, word: &str) -> Option<f64> {
    let experiment = text.rfind("experiment(").map(|at| &text[at..])?;
    let value = experiment[experiment.find(word)? + word.len()..].trim_start().strip_prefix('=')?.trim_start();
    value[..value.find([',', ')', ' '])?].parse().ok()
}

/// The spacing and the tolerance that a comparison with the reference deserves.
fn grid(entry: &Entry, reference: Option<&Table>) -> Vec<String> {
    let (Some(reference), Ok(text)) = (reference, fs::read_to_string(&entry.model)) else { return Vec::new() };
    let (Some(first), Some(last)) = (reference.time.first(), reference.time.last()) else { return Vec::new() };
    let least = (last - first) / 5000.0;
    let interval = annotated(&text, "Interval").map_or(least, |interval| if interval > least { 0.5 * interval } else { interval });
    let tolerance = annotated(&text, "Tolerance").unwrap_or(TOLERANCE).min(TOLERANCE);
    let mut flags = vec!["--tolerance".to_string(), tolerance.to_string()];
    if interval > 0.0 {
        flags.extend(["--interval".to_string(), interval.to_string()]);
    }
    flags
}

/// What one run gave.
struct Outcome {
    /// The exit code; none if it took too long or was ended by a signal.
    code: Option<i32>,
    seconds: f64,
    result: Option<Table>,
    message: String,
}

fn run(options: &Options, entry: &Entry, flags: &[&[String]]) -> Result<Outcome, String> {
    let folder = std::env::temp_dir().join(format!("partita-corpus-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let before = children_cpu()?;
    let said = folder.join("said");
    let mut child = Command::new(&options.partita)
        .arg("run")
        .arg(&entry.model)
        .args(["-o", "result.mat"])
        .args(flags.iter().copied().flatten())
        .current_dir(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(fs::File::create(&said).map_err(|error| error.to_string())?)
        .spawn()
        .map_err(|error| format!("{}: {error}", options.partita.display()))?;
    let began = Instant::now();
    let code = loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break status.code();
        }
        if began.elapsed() > options.timeout {
            child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let seconds = children_cpu()? - before;
    let result = if code == Some(0) { read(&folder.join("result.mat")).ok() } else { None };
    let text = fs::read_to_string(&said).unwrap_or_default();
    let message = text.lines().find(|line| line.contains("error")).unwrap_or_default().to_string();
    fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(Outcome { code, seconds, result, message })
}

fn compared(reference: &Table, result: &Table, signals: &[String]) -> Comparison {
    compare_by(Rule::Window, reference, result, (!signals.is_empty()).then_some(signals), TUBE)
}

/// What is worst about a comparison.
fn flaw(comparison: &Comparison) -> String {
    match (comparison.missing.first(), comparison.worst().first()) {
        (Some(missing), _) => format!("{missing} is missing"),
        (None, Some(worst)) => worst.to_string(),
        (None, None) => "it ends too early".to_string(),
    }
}

/// What the flag does to the results of a model that runs without it: nothing is to be said, or what is wrong and whether the model is lost.
fn judge(entry: &Entry, reference: Option<&Table>, without: &Outcome, with: &Outcome) -> Option<(bool, String)> {
    let plain = without.result.as_ref()?;
    let Some(result) = &with.result else {
        let what = match with.code {
            Some(code) => format!("exit code {code}: {}", with.message),
            None => "it takes too long".to_string(),
        };
        return Some((true, what));
    };
    let comparison = match reference {
        Some(reference) => {
            if !compared(reference, plain, &entry.signals).passes() {
                return None;
            }
            compared(reference, result, &entry.signals)
        }
        None => compared(plain, result, &[]),
    };
    (!comparison.passes()).then(|| (reference.is_some(), flaw(&comparison)))
}

fn go(options: &Options) -> Result<bool, String> {
    let entries = entries(options)?;
    let (mut sums, mut lost, mut in_tube, mut late) = ([0.0; 2], 0, 0, 0);
    for entry in &entries {
        let reference = entry.reference.as_deref().map(read).transpose().map_err(|error| error.title)?;
        let common = grid(entry, reference.as_ref());
        let without = run(options, entry, &[&common])?;
        let with = run(options, entry, &[&common, &options.flags])?;
        if let (Some(reference), Some(result)) = (&reference, &without.result) {
            in_tube += usize::from(compared(reference, result, &entry.signals).passes());
        }
        if without.code.is_none() {
            late += 1;
            continue;
        }
        if let Some((is_lost, what)) = judge(entry, reference.as_ref(), &without, &with) {
            lost += usize::from(is_lost);
            println!("{} {}: {what}", if is_lost { "LOST" } else { "other" }, entry.name);
        }
        let (a, b) = (without.seconds, with.seconds);
        if a.max(b) > LONG && (b > DIFFERENT * a || a > DIFFERENT * b) {
            println!("time {}: {a:.2} s, with the flag {b:.2} s", entry.name);
        }
        sums = [sums[0] + a, sums[1] + b];
    }
    let ratio = sums[1] / sums[0];
    println!(
        "{} models, {in_tube} in the tube without the flag, {lost} lost with it, {late} left out as too slow; CPU {:.2} and {:.2} s, ratio {ratio:.3}",
        entries.len(),
        sums[0],
        sums[1]
    );
    Ok(lost == 0 && ratio <= options.ratio)
}

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    match options(arguments).and_then(|options| go(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(what) => {
            eprintln!("{what}");
            ExitCode::from(2)
        }
    }
}
