//! The `partita` command: the only place of the compiler that touches files and the terminal.

mod command;

use std::process::ExitCode;

fn main() -> ExitCode {
    // Compilation walks nested syntax; a large stack makes its depth harmless. Only touched pages cost memory.
    let worker = std::thread::Builder::new().name("partita".into()).stack_size(512 << 20).spawn(command::main);
    match worker.map(|w| w.join()) {
        Ok(Ok(code)) => code,
        Ok(Err(_)) => ExitCode::from(101),
        Err(error) => {
            eprintln!("error: cannot start: {error}");
            ExitCode::from(2)
        }
    }
}
