//! Feeds mutated models to the compiler: no panic, no crash, no run over two seconds, no memory over one gigabyte.
//!
//! `cargo run --release -p partita-tests --bin fuzz -- COUNT [SEED [parse|structure [FOLDER...]]]`
//!
//! Inputs are run by child processes in groups, so that one that crashes or hangs does no more than that; the group is then run
//! again one by one to find it, and its text is printed. The same seed gives the same input.

use partita_tests::fuzz::{Depth, Seeds, check};
use partita_tests::simulation::models_folder;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Inputs of one child.
const GROUP: u64 = 2000;
/// No input may take longer.
const LONGEST: Duration = Duration::from_secs(2);
/// No child may use more memory, in kB.
const MOST_MEMORY: u64 = 1 << 20;
/// The stack of the compiler, as the command has it.
const STACK: usize = 512 << 20;

struct Job {
    depth: Depth,
    folders: Vec<PathBuf>,
}

impl Job {
    fn seeds(&self) -> Seeds {
        let folders: Vec<&Path> = self.folders.iter().map(PathBuf::as_path).collect();
        Seeds::read(&folders).unwrap_or_default()
    }

    /// Runs inputs in a child; the error says what happened to it.
    fn child(&self, first: u64, count: u64, allowed: Duration) -> Result<(), String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let depth = if self.depth == Depth::Parse { "parse" } else { "structure" };
        let mut command = Command::new(program);
        command.arg("--child").args([count.to_string(), first.to_string(), depth.to_string()]).args(&self.folders);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(|error| error.to_string())?;
        let began = Instant::now();
        loop {
            if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                return if status.success() { Ok(()) } else { Err(format!("{status}")) };
            }
            if began.elapsed() > allowed {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("no end after {} s", allowed.as_secs()));
            }
            std::thread::sleep(Duration::from_millis(if count == 1 { 1 } else { 20 }));
        }
    }
}

/// The most memory that this process ever used, in kB; 0 where the system does not tell.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").trim().parse().ok()).unwrap_or(0)
}

/// Runs inputs in this process.
fn run(seeds: &Seeds, depth: Depth, first: u64, count: u64) -> Result<(), String> {
    for seed in first..first + count {
        check(seeds.mutant(seed), depth, LONGEST).map_err(|what| format!("seed {seed}: {what}"))?;
    }
    let peak = peak_memory();
    if peak > MOST_MEMORY { Err(format!("seeds {first} to {}: {peak} kB of memory", first + count - 1)) } else { Ok(()) }
}

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_child = arguments.first().is_some_and(|word| word == "--child");
    if is_child {
        arguments.remove(0);
    }
    let number = |at: usize, default: u64| arguments.get(at).map_or(Some(default), |word| word.parse().ok());
    let depth = match arguments.get(2).map(String::as_str) {
        None | Some("structure") => Some(Depth::Structure),
        Some("parse") => Some(Depth::Parse),
        Some(_) => None,
    };
    let (Some(count), Some(first), Some(depth)) = (number(0, 20_000), number(1, 1), depth) else {
        eprintln!("usage: fuzz COUNT [SEED [parse|structure [FOLDER...]]]");
        return ExitCode::from(2);
    };
    let mut folders: Vec<PathBuf> = arguments.iter().skip(3).map(PathBuf::from).collect();
    if folders.is_empty() {
        folders = vec![models_folder(), Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")];
    }
    let job = Job { depth, folders };
    let seeds = job.seeds();
    if seeds.is_empty() {
        eprintln!("there is no model to mutate");
        return ExitCode::from(2);
    }
    if is_child {
        let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || run(&seeds, depth, first, count));
        return match worker.map(|worker| worker.join()) {
            Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
            _ => ExitCode::FAILURE,
        };
    }
    let began = Instant::now();
    let mut failures = 0;
    let mut at = first;
    while at < first + count {
        let n = GROUP.min(first + count - at);
        if let Err(what) = job.child(at, n, LONGEST * 60) {
            let before = failures;
            for seed in at..at + n {
                if let Err(what) = job.child(seed, 1, 2 * LONGEST) {
                    failures += 1;
                    println!("seed {seed}: {what}\n--- input\n{}\n---", seeds.mutant(seed));
                }
            }
            if failures == before {
                failures += 1;
                println!("seeds {at} to {}: {what}, but no single one of them", at + n - 1);
            }
        }
        at += n;
        eprintln!("{} of {count} inputs, {failures} failures, {:.0} s", at - first, began.elapsed().as_secs_f64());
    }
    println!("{count} inputs from {} texts, seeds from {first}: {failures} failures", seeds.len());
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
