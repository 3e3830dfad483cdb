//! Ends the process before a model takes all memory of the machine.
//!
//! In: the limit of memory. Out: nothing, or an error message and exit code 1. Method: a thread looks at what the process has in memory;
//! where the system does not tell (other systems than Linux) nothing is watched. This is the last resort: what a model can ask for by
//! itself is limited where it asks, with its place.

use partita_grammar::{Diagnostic, Source};
use partita_runtime::base::limits::{Limit, Limits};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Time between looks.
const INTERVAL: Duration = Duration::from_millis(20);

static IS_OVER: AtomicBool = AtomicBool::new(false);

/// Watches the memory of this process from now on.
pub(crate) fn memory(limits: Limits, json: bool) {
    let limit = limits.get(Limit::Memory);
    // Without a thread there is no watch; everything else works.
    let _ = std::thread::Builder::new().name("memory".into()).spawn(move || {
        while !IS_OVER.load(Ordering::Relaxed) {
            match used() {
                Some(bytes) if bytes > limit => give_up(limit, json),
                Some(_) => std::thread::sleep(INTERVAL),
                None => return,
            }
        }
    });
}

/// The model is done with; what follows, the user asked for.
pub(crate) fn end() {
    IS_OVER.store(true, Ordering::Relaxed);
}

/// The bytes of this process that are in memory.
fn used() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

fn give_up(limit: u64, json: bool) {
    let message = Diagnostic::error("G010", format!("the model takes more than {:.0} MB of memory", limit as f64 / 1e6))
        .with_hint(Limit::Memory.hint(limit));
    crate::failure::report(&Source { name: String::new(), text: String::new() }, &[message], json);
    let _none_is_made = partita_runtime::base::files::abandon();
    std::process::exit(1);
}
