//! Feeds mutated models and damaged files: no panic, no crash, none over two seconds, no memory over one gigabyte.
//!
//! `cargo run --release -p partita-tests -- fuzz COUNT [SEED [TARGET|all [FOLDER...]]]`
//!
//! Targets: parse, structure, run, library, mat, csv, tables, image. Inputs are fed by child processes in groups, so that one that crashes or
//! hangs does no more than that; the group is then fed again one by one to find it, and it is printed. The same seed gives the same
//! input.

use partita_tests::fuzz::Fuzzer;
use partita_tests::simulation::models_folder;
use partita_tests::target::Target;
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
    target: Target,
    folders: Vec<PathBuf>,
}

impl Job {
    fn fuzzer(&self) -> Result<Fuzzer, String> {
        let folders: Vec<&Path> = self.folders.iter().map(PathBuf::as_path).collect();
        Fuzzer::new(self.target, &folders)
    }

    /// Feeds inputs in a child; the error says what happened to it.
    fn child(&self, first: u64, count: u64, allowed: Duration) -> Result<(), String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut command = Command::new(program);
        command.args(["fuzz", "--child"]).args([count.to_string(), first.to_string(), self.target.word().to_string()]).args(&self.folders);
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

    /// Feeds all inputs and gives the number of failures.
    fn run(&self, first: u64, count: u64) -> Result<u64, String> {
        let fuzzer = self.fuzzer()?;
        let began = Instant::now();
        let (mut failures, mut at) = (0, first);
        while at < first + count {
            let n = GROUP.min(first + count - at);
            if let Err(what) = self.child(at, n, LONGEST * 200) {
                let before = failures;
                for seed in at..at + n {
                    if let Err(what) = self.child(seed, 1, 3 * LONGEST) {
                        failures += 1;
                        println!("{} seed {seed}: {what}\n--- input\n{}\n---", self.target.word(), fuzzer.input(seed));
                    }
                }
                if failures == before {
                    failures += 1;
                    println!("{} seeds {at} to {}: {what}, but no single one of them", self.target.word(), at + n - 1);
                }
            }
            at += n;
            eprintln!(
                "{}: {} of {count} inputs, {failures} failures, {:.0} s",
                self.target.word(),
                at - first,
                began.elapsed().as_secs_f64()
            );
        }
        println!("{}: {count} inputs, seeds from {first}: {failures} failures, {:.0} s", self.target.word(), began.elapsed().as_secs_f64());
        Ok(failures)
    }
}

/// The most memory that this process ever used, in kB; 0 where the system does not tell.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").trim().parse().ok()).unwrap_or(0)
}

/// Feeds inputs in this process.
fn feed(job: &Job, first: u64, count: u64) -> Result<(), String> {
    let fuzzer = job.fuzzer()?;
    for seed in first..first + count {
        fuzzer.check(seed, LONGEST).map_err(|what| format!("seed {seed}: {what}"))?;
    }
    let peak = peak_memory();
    if peak > MOST_MEMORY { Err(format!("seeds {first} to {}: {peak} kB of memory", first + count - 1)) } else { Ok(()) }
}

/// The targets of a word.
fn targets(word: Option<&str>) -> Option<Vec<Target>> {
    match word {
        Some("all") => Some(Target::ALL.to_vec()),
        None => Some(vec![Target::Structure]),
        Some(word) => Target::ALL.into_iter().find(|target| target.word() == word).map(|target| vec![target]),
    }
}

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let mut arguments = arguments.to_vec();
    let is_child = arguments.first().is_some_and(|word| word == "--child");
    if is_child {
        arguments.remove(0);
    }
    let number = |at: usize, default: u64| arguments.get(at).map_or(Some(default), |word| word.parse().ok());
    let (Some(count), Some(first), Some(targets)) = (number(0, 20_000), number(1, 1), targets(arguments.get(2).map(String::as_str))) else {
        eprintln!("usage: fuzz COUNT [SEED [{}|all [FOLDER...]]]", Target::ALL.map(Target::word).join("|"));
        return ExitCode::from(2);
    };
    let mut folders: Vec<PathBuf> = arguments.iter().skip(3).map(PathBuf::from).collect();
    if folders.is_empty() {
        folders = vec![models_folder(), Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")];
    }
    let mut failures = 0;
    for target in targets {
        let job = Job { target, folders: folders.clone() };
        if is_child {
            let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || feed(&job, first, count));
            return match worker.map(|worker| worker.join()) {
                Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
                _ => ExitCode::FAILURE,
            };
        }
        match job.run(first, count) {
            Ok(found) => failures += found,
            Err(reason) => {
                eprintln!("{reason}");
                return ExitCode::from(2);
            }
        }
    }
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
