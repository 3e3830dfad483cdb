//! What watches a run: the result file, plots, the progress line, and signals.

use crate::failure::{Failure, outside};
use crate::plot::Plot;
use partita_runtime::base::error::RunError;
use partita_runtime::base::interrupt::Running;
use partita_runtime::base::terminal::say;
use partita_runtime::integrate::{Experiment, Sink};
use partita_runtime::model::bounds::Watch;
use partita_runtime::result::ResultWriter;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Runs shorter than this show no progress.
const QUIET: Duration = Duration::from_secs(1);
/// Time between two lines of progress.
const PAUSE: Duration = Duration::from_millis(200);
/// Results above this many bytes are announced.
const HUGE: f64 = 1e9;

/// Takes the points of a run.
pub(crate) struct Observer {
    writer: ResultWriter,
    /// Whether results stay within their bounds.
    pub(crate) bounds: Watch,
    pub(crate) plots: Vec<Plot>,
    running: Running,
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
    pub(crate) fn new(writer: ResultWriter, bounds: Watch, plots: Vec<Plot>, experiment: &Experiment) -> Observer {
        let now = Instant::now();
        let progress = std::io::stderr().is_terminal().then(|| Progress {
            began: now,
            next: now + QUIET,
            start: experiment.start_time,
            stop: experiment.stop_time,
            shown: false,
        });
        Observer { writer, bounds, plots, running: Running::begin(), progress }
    }

    /// A warning if the file will be huge.
    pub(crate) fn size_warning(&self, experiment: &Experiment) -> Option<String> {
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
    pub(crate) fn quiet(&mut self) {
        if self.progress.take().is_some_and(|progress| progress.shown) {
            say("\r\x1b[K");
        }
    }

    /// Completes the result file.
    pub(crate) fn finish(self, constants: &[(usize, f64)]) -> Result<(), Failure> {
        self.writer.finish(constants).map_err(outside)
    }

    /// Keeps the results of a run that did not come to its end, under a name that says so; a line that says where, if there are any.
    pub(crate) fn keep_incomplete(self, constants: &[(usize, f64)]) -> Option<String> {
        match self.writer.finish_incomplete(constants) {
            Ok(path) => path.map(|path| format!("the results so far are in {}", path.display())),
            Err(error) => Some(format!("the results so far are lost: {}", error.title)),
        }
    }
}

impl Sink for Observer {
    fn point(&mut self, t: f64, row: &[f64]) -> Result<(), RunError> {
        for plot in &mut self.plots {
            plot.point(t, row);
        }
        self.bounds.point(t, row);
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
        say(&format!("\r\x1b[K{bar} {:3.0} %  time {t:.6} of {}, {spent:.0} s{left}", 100.0 * part, progress.stop));
    }

    fn stops(&self) -> bool {
        self.running.is_asked_to_stop()
    }
}
