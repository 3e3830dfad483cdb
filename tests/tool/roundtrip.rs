//! `roundtrip FOLDER...`: parses, prints and parses again every Modelica file of the folders; exit code 1 if one differs.

use partita_tests::roundtrip::check_folder;
use std::path::Path;
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let folders = arguments;
    if folders.is_empty() {
        eprintln!("usage: roundtrip FOLDER...");
        return ExitCode::from(2);
    }
    let mut failed = false;
    for folder in folders {
        match check_folder(Path::new(folder)) {
            Ok(outcome) => {
                for failure in &outcome.failures {
                    println!("{failure}");
                }
                println!("{folder}: {} files, {} bytes, {} failures", outcome.files, outcome.bytes, outcome.failures.len());
                failed |= !outcome.failures.is_empty();
            }
            Err(e) => {
                println!("{folder}: {e}");
                failed = true;
            }
        }
    }
    ExitCode::from(u8::from(failed))
}
