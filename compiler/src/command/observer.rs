//! What watches a run: the result file, plots, the progress line, and Ctrl-C.

use super::Failure;
use super::plot::Plot;
use partita_runtime::error::RunError;
use partita_runtime::integrate::{Experiment, Sink};
use partita_runtime::result::ResultWriter;
use signal_hook::consts::SIGINT;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The exit code of a run that was stopped by Ctrl-C: 128 and the number of the signal, as shells have it.
pub(super) const STOPPED: u8 = 130;

/// Runs shorter than this show no progress.
const QUIET: Duration = Duration::from_secs(1);
/// Time between two lines of progress.
const PAUSE: Duration = Duration::from_millis(200);
/// Results above this many bytes are announced.
const HUGE: f64 = 1e9;

/// Takes the points of a run.
pub(super) struct Observer {
    writer: ResultWriter,
    pub(super) plots: Vec<Plot>,
    /// Set by Ctrl-C.
    stop: Arc<AtomicBool>,
    progress: Option<Progress>,
}

/// The line that tells how far a run has come.
struct Progress {
    began: Instant,
    /// When to tell again.
    next: Instant,
    start: f64,
    stop: f64,
    shown: bool,
}

impl Observer {
    /// Watches a run; from now on Ctrl-C ends the run at its next step, and a second one ends the program.
    pub(super) fn new(writer: ResultWriter, plots: Vec<Plot>, experiment: &Experiment) -> Result<Observer, Failure> {
        let stop = Arc::new(AtomicBool::new(false));
        let registered = signal_hook::flag::register_conditional_shutdown(SIGINT, i32::from(STOPPED), stop.clone())
            .and_then(|_| signal_hook::flag::register(SIGINT, stop.clone()));
        registered.map_err(|error| Failure::Outside(format!("cannot listen to Ctrl-C: {error}")))?;
        let now = Instant::now();
        let progress = std::io::stderr().is_terminal().then(|| Progress {
            began: now,
            next: now + QUIET,
            start: experiment.start_time,
            stop: experiment.stop_time,
            shown: false,
        });
        Ok(Observer { writer, plots, stop, progress })
    }

    /// A warning if the file will be huge.
    pub(super) fn size_warning(&self, experiment: &Experiment) -> Option<String> {
        let points = (experiment.span() / experiment.output_interval()).ceil() + 1.0;
        let bytes = points * self.writer.bytes_per_point() as f64;
        (bytes > HUGE).then(|| {
            format!(
                "the result will have about {:.1} GB: {points} points of {} bytes; --filter, --intervals and a .mat file make it smaller",
                bytes / 1e9,
                self.writer.bytes_per_point()
            )
        })
    }

    /// Removes the line of progress.
    pub(super) fn quiet(&mut self) {
        if self.progress.take().is_some_and(|progress| progress.shown) {
            eprint!("\r\x1b[K");
        }
    }

    /// Completes the result file.
    pub(super) fn finish(self, constants: &[(usize, f64)]) -> Result<(), Failure> {
        self.writer.finish(constants).map_err(|error| Failure::Outside(error.title))
    }

    /// Keeps the results of a run that did not come to its end, under a name that says so; nothing if there are none.
    pub(super) fn finish_incomplete(self, constants: &[(usize, f64)]) -> Result<Option<PathBuf>, Failure> {
        self.writer.finish_incomplete(constants).map_err(|error| Failure::Outside(error.title))
    }
}

impl Sink for Observer {
    fn point(&mut self, t: f64, row: &[f64]) -> Result<(), RunError> {
        for plot in &mut self.plots {
            plot.point(t, row);
        }
        self.writer.row(t, row)
    }

    fn progress(&mut self, t: f64) {
        let Some(progress) = &mut self.progress else { return };
        let now = Instant::now();
        if now < progress.next {
            return;
        }
        progress.next = now + PAUSE;
        progress.shown = true;
        let part = ((t - progress.start) / (progress.stop - progress.start)).clamp(0.0, 1.0);
        let spent = (now - progress.began).as_secs_f64();
        let filled = (part * 30.0) as usize;
        let left = if part > 0.01 { format!(", about {:.0} s left", spent * (1.0 - part) / part) } else { String::new() };
        let bar = format!("{}{}", "█".repeat(filled), "░".repeat(30 - filled));
        // A line that cannot be shown is no reason to stop.
        let _ = write!(std::io::stderr(), "\r\x1b[K{bar} {:3.0} %  time {t:.6} of {}, {spent:.0} s{left}", 100.0 * part, progress.stop);
    }

    fn stops(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
