//! Signals that end a process: Ctrl-C, SIGTERM and SIGHUP, on Unix. Elsewhere they end it as ever, and what it leaves behind is removed
//! by the next one.
//!
//! From [`listen`] on a signal removes the temporary files of this process and then ends it as it would have done. While a run is
//! [`Running`] the first signal only asks the run to stop at its next step, so that its results so far are kept; a second one ends the
//! process, and so does the first of SIGTERM and SIGHUP if no step has noticed it within [`PATIENCE`].
//!
//! A signal that the process was started to ignore (`nohup`, jobs in the background) stays ignored; where the system does not tell
//! which these are, SIGHUP keeps its effect.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;

/// How long a run may take to notice SIGTERM and SIGHUP: whoever sends them waits.
pub const PATIENCE: Duration = Duration::from_secs(3);

/// A run is under way.
static RUNNING: AtomicBool = AtomicBool::new(false);
/// The signal that asked it to stop; 0 if none did.
static ASKED: AtomicI32 = AtomicI32::new(0);
/// The run knows that it is to stop.
static NOTICED: AtomicBool = AtomicBool::new(false);

/// A run that stops when it is asked to, for as long as this lives.
#[derive(Debug)]
pub struct Running(());

impl Running {
    /// From now on signals ask.
    pub fn begin() -> Running {
        RUNNING.store(true, Ordering::SeqCst);
        Running(())
    }

    /// The run is to stop.
    pub fn is_asked_to_stop(&self) -> bool {
        let asked = ASKED.load(Ordering::Relaxed) != 0;
        if asked {
            NOTICED.store(true, Ordering::SeqCst);
        }
        asked
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.store(false, Ordering::SeqCst);
    }
}

/// The exit code of a run that was stopped: 128 and the number of the signal, as shells have it.
pub fn exit_code() -> u8 {
    128_u8.saturating_add(u8::try_from(ASKED.load(Ordering::SeqCst)).unwrap_or(u8::MAX))
}

/// Begins to listen; once per process.
#[cfg(unix)]
pub fn listen() -> std::io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new(unix::heeded())?;
    std::thread::Builder::new().name("signals".to_string()).spawn(move || signals.forever().for_each(unix::heed))?;
    Ok(())
}

/// There is nothing to listen to.
#[cfg(not(unix))]
pub fn listen() -> std::io::Result<()> {
    Ok(())
}

#[cfg(unix)]
mod unix {
    use super::{ASKED, NOTICED, PATIENCE, RUNNING};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use std::sync::atomic::Ordering;

    /// The signals that are not ignored.
    pub(super) fn heeded() -> Vec<i32> {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
        let all = [SIGINT, SIGTERM, SIGHUP];
        all.into_iter().filter(|signal| ignored.map_or(*signal != SIGHUP, |ignored| ignored >> (signal - 1) & 1 == 0)).collect()
    }

    /// Does what a signal asks for.
    pub(super) fn heed(signal: i32) {
        let only_asks = RUNNING.load(Ordering::SeqCst) && ASKED.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_ok();
        if only_asks && signal != SIGINT {
            std::thread::sleep(PATIENCE);
        }
        if only_asks && (signal == SIGINT || NOTICED.load(Ordering::SeqCst)) {
            return;
        }
        // Held until the end, so that no other thread begins a file.
        let _parts = crate::base::files::remove_all();
        if signal_hook::low_level::emulate_default_handler(signal).is_err() {
            signal_hook::low_level::exit(128 + signal);
        }
    }
}
