//! What main programs print.

use std::io::{self, Write};

/// Prints to standard output. A closed pipe is no failure: whoever read it has seen enough.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

/// Prints to standard error; there is nobody to tell if that cannot be done.
pub fn say(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}
