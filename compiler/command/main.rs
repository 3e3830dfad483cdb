//! The `partita` command: what its arguments ask for, with the files of its user and the terminal.
//!
//! Input: arguments and files. Output: exit code, texts and files, which `runtime::base::files` writes. Method: a file beside this one for each
//! command; `cli` has the list. A copy of this executable with a model behind its end is a simulator and runs that model.
#![forbid(unsafe_code)]

mod analyze;
mod build;
mod cli;
mod compare;
mod compare_html;
mod failure;
mod flatten;
mod input;
mod jacobian;
mod observer;
mod omc;
mod options;
mod overrides;
mod plot;
mod profile;
mod rank;
mod reduce;
mod run;
mod run_report;
mod simplify;
mod verdict;
mod watch;

use partita_runtime::base::terminal::say;
use partita_runtime::simulator::{self, model_image::ModelImage};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    // A copy of this executable with a model behind its end is a simulator.
    let began = Instant::now();
    match ModelImage::of_this_program() {
        Ok(Some(image)) => return simulator::main(image, began),
        Ok(None) => {}
        Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
            say(&format!("error: the model of this simulator cannot be read: {error}\n"));
            return ExitCode::from(2);
        }
        // Without access to its own file this is no simulator, and `partita` needs none.
        Err(_) => {}
    }
    // Compilation walks nested syntax; a large stack makes its depth harmless. Only touched pages cost memory.
    let worker = std::thread::Builder::new().name("partita".into()).stack_size(512 << 20).spawn(cli::main);
    match worker.map(|w| w.join()) {
        Ok(Ok(code)) => code,
        Ok(Err(_)) => ExitCode::from(101),
        Err(error) => {
            say(&format!("error: cannot start: {error}\n"));
            ExitCode::from(2)
        }
    }
}
