//! Figures that the project promises, each beside its limit. One command, in release:
//!
//! `cargo run --release -p partita-tests -- limits [text [FOLDER]|thermostats|compare|ball]`
//!
//! - `text`: the largest model file of a folder is parsed and flattened; generated texts of 70 kB and 10 MB are parsed.
//! - `thermostats`: 100 and 1000 independent thermostats; time per event and state.
//! - `compare`: two results of a million points and 50 signals, written as text, read and compared; needs 2 GB on the disk.
//! - `ball`: the first 25 impacts of a bouncing ball against the closed form.
//!
//! Times are processor time of this process, of one thread where figures are compared, the smallest of several runs; runs that are
//! compared take turns. The exit code is 1 if a limit is not kept.

use cpu_time::{ProcessTime, ThreadTime};
use partita::frontend::repair::flatten;
use partita::pipeline;
use partita_grammar::{Source, parse};
use partita_runtime::base::error::RunError;
use partita_runtime::integrate::{Sink, simulate};
use partita_runtime::result::compare::{TUBE, compare};
use partita_runtime::result::read::read;
use partita_runtime::result::side_by_side::side_by_side;
use partita_tests::simulation::compile;
use std::fmt::Write as _;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs of which the fastest counts.
const RUNS: usize = 10;

/// Turns of two measurements that are compared.
const TURNS: usize = 25;

/// What was measured, and whether every limit was kept.
type Kept = Result<bool, String>;

fn fastest(runs: usize, mut once: impl FnMut() -> Result<(), String>) -> Result<f64, String> {
    let mut best = f64::INFINITY;
    for _ in 0..runs {
        let began = ProcessTime::now();
        once()?;
        best = best.min(began.elapsed().as_secs_f64());
    }
    Ok(best)
}

/// One line: a figure, its limit, whether it is kept.
fn line(what: &str, figure: f64, limit: f64) -> bool {
    println!("{what:<58} {figure:>9.3} {limit:>7} {}", if figure < limit { "kept" } else { "NOT KEPT" });
    figure < limit
}

/// A model of about this many bytes in the manner of exporters.
fn generated(bytes: usize) -> Source {
    let mut declarations = String::new();
    let mut equations = String::new();
    let mut k = 0;
    while declarations.len() + equations.len() < bytes {
        k += 1;
        // Writing to a string cannot fail.
        let _ = writeln!(
            declarations,
            "    parameter Real 'part[{k}].R'(min = 0.0, unit = \"Ohm\", quantity = \"Resistance\") = {k}.5 \"Resistance of part {k}\";"
        );
        let _ = writeln!(
            declarations,
            "    Real 'part[{k}].v'(start = 0.1, fixed = true, unit = \"V\") \"Voltage of part {k}\";\n    Real 'part[{k}].i'(unit = \"A\");"
        );
        let _ = writeln!(
            equations,
            "    der('part[{k}].v') = if noEvent('part[{k}].i' > 1e-3) then sin('part[{k}].v' + time) / (1.0 + 'part[{k}].v' ^ 2) else -'part[{k}].i';"
        );
        let _ = writeln!(equations, "    'part[{k}].v' = 'part[{k}].R' * 'part[{k}].i' + 2.0 * exp(-3.5e-2 * time);");
    }
    let text =
        format!("//! base 0.1.0\npackage 'Parts'\n  model 'Parts'\n{declarations}  equation\n{equations}  end 'Parts';\nend 'Parts';\n");
    Source { name: format!("{} bytes", text.len()), text }
}

fn parsed(source: &Source) -> Result<f64, String> {
    fastest(RUNS, || parse(source).map(drop).map_err(|messages| messages.first().map_or(String::new(), |m| m.title.clone())))
}

fn largest_file(folder: &Path) -> Result<PathBuf, String> {
    let files = partita_tests::roundtrip::modelica_files(folder).map_err(|error| error.to_string())?;
    let size = |path: &PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
    files.into_iter().max_by_key(size).ok_or_else(|| format!("{} has no models", folder.display()))
}

fn text(folder: Option<&Path>) -> Kept {
    println!("text, processor time in seconds");
    let mut kept = true;
    if let Some(folder) = folder {
        let path = largest_file(folder)?;
        let source = partita_tests::simulation::read_source(&path).map_err(|error| error.to_string())?;
        println!("largest file: {} with {} bytes", source.name, source.text.len());
        kept &= line("  parsed", parsed(&source)?, 0.4);
        let definition = parse(&source).map_err(|_| "it does not parse".to_string())?;
        let flattened = fastest(RUNS, || flatten(&definition, None).map(drop).map_err(|_| "it does not flatten".to_string()))?;
        kept &= line("  flattened", flattened, 1.2);
    }
    let (small, large) = (generated(70_000), generated(10_000_000));
    let (short, long) = (parsed(&small)?, parsed(&large)?);
    println!("generated text of {}: {:.6} s, {:.2} ns per byte", small.name, short, short * 1e9 / small.text.len() as f64);
    kept &= line(&format!("generated text of {}", large.name), long, 3.0);
    let ratio = long / large.text.len() as f64 / (short / small.text.len() as f64);
    Ok(line("  time per byte, compared with the short text", ratio, 1.5) && kept)
}

/// Takes points and forgets them.
struct Nowhere;

impl Sink for Nowhere {
    fn point(&mut self, _: f64, _: &[f64]) -> Result<(), RunError> {
        Ok(())
    }
}

fn thermostats() -> Kept {
    println!("independent thermostats, processor time");
    let mut prepared = Vec::new();
    for (n, stop) in [(100, 10.0), (1000, 1.0)] {
        let text = format!(
            "model Thermostats\n  parameter Integer n = {n};\n  Real T[n](each start = 20, each fixed = true);\n  Boolean on[n](each start = true, each fixed = true);\n\
             equation\n  for i in 1:n loop\n    der(T[i]) = (if on[i] then 10 + 5*i/n else 0) - 0.5*(T[i] - 10);\n\
             on[i] = T[i] < 19 or pre(on[i]) and T[i] <= 21;\n  end for;\nend Thermostats;\n"
        );
        let compiled = compile(&Source { name: "thermostats.mo".to_string(), text }, None)?;
        let ready = pipeline::instantiate(&compiled, true).map_err(|messages| format!("{messages:?}"))?;
        let mut experiment = pipeline::experiment(&compiled.experiment, Some(0.0), Some(stop));
        experiment.interval = Some(stop);
        prepared.push((n, ready.instance, experiment));
    }
    let (mut best, mut events) = ([f64::INFINITY; 2], [0; 2]);
    for _ in 0..TURNS {
        for (at, (_, instance, experiment)) in prepared.iter().enumerate() {
            let mut model = instance.fork();
            let began = ThreadTime::now();
            let statistics = simulate(&mut model, experiment, &mut Nowhere).map_err(|error| error.title)?;
            best[at] = best[at].min(began.elapsed().as_secs_f64());
            events[at] = statistics.events.state_events;
        }
    }
    let mut per_event = Vec::new();
    for (at, (n, ..)) in prepared.iter().enumerate() {
        let each = best[at] * 1e9 / (events[at] as f64 * f64::from(*n));
        println!("  {n:>5} thermostats: {} events in {:.3} s, {each:.2} ns per event and state", events[at], best[at]);
        per_event.push(each);
    }
    Ok(line("  per event and state, 1000 compared with 100", per_event[1] / per_event[0], 1.3))
}

/// Writes a million points of 50 signals.
fn write_signals(path: &Path, shift: f64) -> std::io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, std::fs::File::create(path)?);
    let names: Vec<String> = (0..50).map(|k| format!("\"x{k}\"")).collect();
    writeln!(out, "\"time\",{}", names.join(","))?;
    for point in 0..1_000_000 {
        let t = f64::from(point) * 1e-5;
        write!(out, "{t}")?;
        for k in 0..50 {
            write!(out, ",{}", (3.0 * t + 0.1 * f64::from(k)).sin() + shift)?;
        }
        writeln!(out)?;
    }
    out.flush()
}

/// The most memory that this process ever used, in MB; 0 where the system does not tell.
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").trim().parse::<f64>().ok()).unwrap_or(0.0) / 1e3
}

fn comparison() -> Kept {
    let folder = std::env::temp_dir().join(format!("partita-limits-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let (a, b) = (folder.join("a.csv"), folder.join("b.csv"));
    let done = compare_files(&a, &b);
    std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    done
}

fn compare_files(a: &Path, b: &Path) -> Kept {
    let mut size = 0;
    for (path, shift) in [(a, 0.0), (b, 1e-5)] {
        write_signals(path, shift).map_err(|error| error.to_string())?;
        size += std::fs::metadata(path).map_err(|error| error.to_string())?.len();
    }
    println!("comparison of two files of a million points and 50 signals");
    let time = fastest(3, || {
        let found = side_by_side(a, b, &|_| true, TUBE).ok_or("they are not nearly the same")?;
        if found.comparison.passes() && found.comparison.signals.len() == 50 { Ok(()) } else { Err("they differ".to_string()) }
    })?;
    let kept = line("  processor time in seconds", time, 3.0);
    let time = fastest(3, || {
        let (reference, result) = (read(a).map_err(|error| error.title)?, read(b).map_err(|error| error.title)?);
        let comparison = compare(&reference, &result, None, TUBE);
        if comparison.passes() && comparison.signals.len() == 50 { Ok(()) } else { Err("they differ".to_string()) }
    })?;
    println!("{:<58} {time:>9.3}", "  the same where all values must be kept");
    Ok(line("  most memory as part of the files", peak_memory() * 1e6 / size as f64, 1.0) && kept)
}

/// Remembers the times of events.
#[derive(Default)]
struct Impacts {
    last: f64,
    times: Vec<f64>,
}

impl Sink for Impacts {
    fn point(&mut self, t: f64, row: &[f64]) -> Result<(), RunError> {
        // The columns of the model are h and v; the speed turns at an impact.
        if t == self.last && row[1] > 0.0 && self.times.last().is_none_or(|last| t - last > 1e-6) {
            self.times.push(t);
        }
        self.last = t;
        Ok(())
    }
}

fn ball() -> Kept {
    println!("bouncing ball, default settings");
    let text = "model Ball\n  Real h(start = 1, fixed = true);\n  Real v(start = 0, fixed = true);\nequation\n  der(h) = v;\n  der(v) = -9.81;\n\
                when h < 0 then\n    reinit(v, -0.8*pre(v));\n  end when;\nend Ball;\n";
    let compiled = compile(&Source { name: "ball.mo".to_string(), text: text.to_string() }, None)?;
    let ready = pipeline::instantiate(&compiled, true).map_err(|messages| format!("{messages:?}"))?;
    let experiment = pipeline::experiment(&compiled.experiment, Some(0.0), Some(4.05));
    let mut impacts = Impacts { last: f64::NAN, ..Impacts::default() };
    let mut model = ready.instance;
    simulate(&mut model, &experiment, &mut impacts).map_err(|error| error.title)?;
    let first = (2.0_f64 / 9.81).sqrt();
    let (mut expected, mut flight, mut worst) = (first, 2.0 * first, 0.0_f64);
    for found in impacts.times.iter().take(25) {
        worst = worst.max((found - expected).abs());
        flight *= 0.8;
        expected += flight;
    }
    if impacts.times.len() < 25 {
        return Err(format!("only {} impacts were found", impacts.times.len()));
    }
    println!("  largest error of the first 25 times {worst:e}");
    Ok(line("  in units of 1e-9", worst * 1e9, 1.0))
}

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    if cfg!(debug_assertions) {
        println!("this is not a release build: the times mean nothing");
    }
    let folder = arguments.get(1).map(Path::new);
    let parts: Vec<Kept> = match arguments.first().map(String::as_str) {
        None => vec![text(None), thermostats(), comparison(), ball()],
        Some("text") => vec![text(folder)],
        Some("thermostats") => vec![thermostats()],
        Some("compare") => vec![comparison()],
        Some("ball") => vec![ball()],
        Some(unknown) => {
            eprintln!("there is no figure `{unknown}`; there are text, thermostats, compare, ball");
            return ExitCode::from(2);
        }
    };
    let mut kept = true;
    for part in parts {
        match part {
            Ok(part) => kept &= part,
            Err(why) => {
                eprintln!("{why}");
                kept = false;
            }
        }
    }
    if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
