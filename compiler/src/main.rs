//! The `partita` command.
fn main() {}
