//! `versus A B FOLDER`: runs two builds of Partita over the models of a folder and says what differs.
//!
//! Input: two executables, a folder of models, flags for `run`. Output: for every model whether both give the same exit code and
//! the same bytes in the result file, and the CPU time of each; the sums and their ratio last.
//! Method: the builds take turns, each run in an empty folder of its own, so that what else the machine does meets both alike. CPU
//! time is that of finished children as the kernel counts it, in ticks of 10 ms: single models are coarse, sums are not.
//! Guarantee: exit code 0 only if no model differs (`--times` asks for times alone) and the ratio is at most `--most`.
//! Cost: two runs per model and repetition.

use partita_tests::roundtrip::modelica_files;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

const USAGE: &str = "versus A B FOLDER [--every N] [--count N] [--repeat N] [--timeout SECONDS] [--times] [--most RATIO] [-- FLAGS...]

Runs `A run MODEL` and `B run MODEL` for the models below FOLDER and compares exit codes, result files and CPU times.
  --every N          only every N-th model in the order of their names
  --count N          about N models, spread evenly over the folder
  --repeat N         runs of each model, for times (1)
  --timeout SECONDS  a run that takes longer is left out of the sums, for both (60)
  --times            times only: results may differ
  --most RATIO       fail if B takes more than this part of the CPU time of A
  -- FLAGS           further flags of `run`";

/// Seconds per tick of the kernel's clock.
const TICK: f64 = 0.01;

struct Options {
    binaries: [PathBuf; 2],
    folder: PathBuf,
    every: usize,
    count: Option<usize>,
    repeat: usize,
    timeout: Duration,
    times_only: bool,
    most: Option<f64>,
    flags: Vec<String>,
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let (own, flags) = match arguments.iter().position(|argument| argument == "--") {
        Some(at) => (&arguments[..at], arguments[at + 1..].to_vec()),
        None => (arguments, Vec::new()),
    };
    let mut paths = Vec::new();
    let mut options = Options {
        binaries: Default::default(),
        folder: PathBuf::new(),
        every: 1,
        count: None,
        repeat: 1,
        timeout: Duration::from_secs(60),
        times_only: false,
        most: None,
        flags,
    };
    let mut rest = own.iter();
    while let Some(argument) = rest.next() {
        let mut number = || rest.next().and_then(|text| text.parse::<f64>().ok()).ok_or(format!("{argument} needs a number"));
        match argument.as_str() {
            "--every" => options.every = number()?.max(1.0) as usize,
            "--count" => options.count = Some(number()?.max(1.0) as usize),
            "--repeat" => options.repeat = number()?.max(1.0) as usize,
            "--timeout" => options.timeout = Duration::from_secs_f64(number()?),
            "--most" => options.most = Some(number()?),
            "--times" => options.times_only = true,
            path => paths.push(fs::canonicalize(path).map_err(|error| format!("{path}: {error}"))?),
        }
    }
    let [a, b, folder] = paths.try_into().map_err(|_| USAGE.to_string())?;
    options.binaries = [a, b];
    options.folder = folder;
    Ok(options)
}

/// CPU seconds of all children that have ended so far.
fn children_cpu() -> Result<f64, String> {
    let text = fs::read_to_string("/proc/self/stat").map_err(|error| format!("/proc/self/stat: {error}"))?;
    // The name of the program, in parentheses, may contain spaces; what follows does not. Fields 16 and 17 are cutime and cstime.
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3).and_then(|text| text.parse::<f64>().ok()).ok_or("/proc/self/stat has another form");
    Ok(TICK * (ticks(16)? + ticks(17)?))
}

/// What one run of one model gave.
struct Outcome {
    /// The exit code; none if it was ended by a signal or took too long.
    code: Option<i32>,
    result: Vec<u8>,
    seconds: f64,
    timed_out: bool,
}

fn run(binary: &Path, model: &Path, options: &Options) -> Result<Outcome, String> {
    let folder = std::env::temp_dir().join(format!("partita-versus-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let before = children_cpu()?;
    let mut child = Command::new(binary)
        .arg("run")
        .arg(model)
        .args(["-o", "result.mat"])
        .args(&options.flags)
        .current_dir(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{}: {error}", binary.display()))?;
    let began = Instant::now();
    let mut timed_out = false;
    let code = loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break status.code();
        }
        if began.elapsed() > options.timeout {
            timed_out = true;
            child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let outcome =
        Outcome { code, result: fs::read(folder.join("result.mat")).unwrap_or_default(), seconds: children_cpu()? - before, timed_out };
    fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(outcome)
}

fn compare(options: &Options) -> Result<bool, String> {
    let all = modelica_files(&options.folder).map_err(|error| error.to_string())?;
    let every = options.count.map_or(options.every, |count| all.len().div_ceil(count).max(1));
    let models: Vec<PathBuf> = all.into_iter().step_by(every).collect();
    let mut sums = [0.0; 2];
    let (mut n_different, mut n_late, mut n_results) = (0, 0, 0);
    for model in &models {
        let name = model.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut seconds = [0.0; 2];
        let mut verdict = "same";
        let mut has_result = false;
        for _ in 0..options.repeat {
            let [a, b] = [run(&options.binaries[0], model, options)?, run(&options.binaries[1], model, options)?];
            has_result = !a.result.is_empty();
            seconds = [seconds[0] + a.seconds, seconds[1] + b.seconds];
            if a.timed_out || b.timed_out {
                verdict = "too slow";
            } else if a.code != b.code {
                verdict = "other exit code";
            } else if a.result != b.result {
                verdict = "other result";
            }
        }
        match verdict {
            "too slow" => n_late += 1,
            _ => sums = [sums[0] + seconds[0], sums[1] + seconds[1]],
        }
        n_results += usize::from(has_result);
        n_different += usize::from(verdict.starts_with("other"));
        println!("{name:<70} {:>8.2} {:>8.2} s  {verdict}", seconds[0], seconds[1]);
    }
    let ratio = sums[1] / sums[0];
    println!(
        "{} models, {n_results} with results, {n_different} differ, {n_late} too slow; CPU {:.2} and {:.2} s, ratio {ratio:.3}",
        models.len(),
        sums[0],
        sums[1]
    );
    let fast_enough = options.most.is_none_or(|most| ratio <= most);
    Ok(fast_enough && (options.times_only || n_different == 0))
}

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    match options(arguments).and_then(|options| compare(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(what) => {
            eprintln!("{what}");
            ExitCode::from(2)
        }
    }
}
