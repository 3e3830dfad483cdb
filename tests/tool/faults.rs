//! Disturbs runs of `partita`: kills them, fills their disk, lets two write the same files.
//!
//! `cargo run --release -p partita-tests -- faults PARTITA [KILLS [PAIRS]]`
//!
//! PARTITA is the executable, beside it the stub of simulators. Each of four commands (runs to `.mat` with pictures and a Jacobian and to `.csv`, a
//! simulator, an analysis) is killed at KILLS random moments (200), run with every size of a full disk and every limit of a file, and PAIRS times (100)
//! at once with another one. Exit code 1 if a file is neither whole nor absent, or a file of the user's is touched.

use partita_tests::faults::Faults;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

fn disturb(partita: &Path, folder: &Path, kills: usize, pairs: usize) -> Result<(), String> {
    let mut faults = Faults::new(partita, folder)?;
    let began = Instant::now();
    let time = || format!("{:.0} s", began.elapsed().as_secs_f64());
    let killed = faults.kill(kills)?;
    println!("killed {killed} of {} commands before their end: all files whole, none left behind ({})", 4 * kills, time());
    match faults.fill(1)? {
        Some(failed) => println!("full disk: {failed} runs failed and left nothing ({})", time()),
        None => println!("full disk: no small file system can be mounted here"),
    }
    println!("limit of files: {} runs failed and left nothing ({})", faults.limit(1)?, time());
    println!("{} pairs at once: all files whole, {} times those of the second one ({})", 4 * pairs, faults.collide(pairs)?, time());
    Ok(())
}

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let number = |at: usize, default: usize| arguments.get(at).map_or(Some(default), |word| word.parse().ok());
    let (Some(partita), Some(kills), Some(pairs)) = (arguments.first(), number(1, 200), number(2, 100)) else {
        eprintln!("usage: faults PARTITA [KILLS [PAIRS]]");
        return ExitCode::from(2);
    };
    let folder = std::env::temp_dir().join(format!("partita-faults-{}", std::process::id()));
    let outcome = std::fs::create_dir(&folder)
        .and_then(|()| std::fs::canonicalize(partita))
        .map_err(|error| error.to_string())
        .and_then(|partita| disturb(&partita, &folder, kills, pairs));
    // The folder is looked at if something is wrong in it.
    match outcome {
        Ok(()) => {
            let _ = std::fs::remove_dir_all(&folder);
            ExitCode::SUCCESS
        }
        Err(what) => {
            eprintln!("{what}; see {}", folder.display());
            ExitCode::FAILURE
        }
    }
}
