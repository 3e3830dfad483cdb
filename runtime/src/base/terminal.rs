//! What main programs print.

use std::io::{self, IsTerminal, Write};

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

/// Prints where nobody could be told of a failure but on standard error.
pub fn show(text: &str) {
    if let Err(error) = print(text) {
        say(&format!("error: cannot write to standard output: {error}\n"));
    }
}

/// Whether messages on standard error may be coloured: it is a terminal that knows colours, and nobody asked for none (`NO_COLOR`).
pub fn has_colour() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    io::stderr().is_terminal() && !is_set("NO_COLOR") && !is_dumb
}
