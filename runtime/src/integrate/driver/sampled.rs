//! A run without events on a grid: the method of the papers on mixed-mode integration.
//!
//! Steps end at `t_k = start + k*H`, whatever happens in between. Every evaluation takes the relations as they are at its own point:
//! explicit formulas those of the beginning of a step, implicit ones those of its end. What a `when`, a `sample` or a `reinit` does
//! is done at the end of the step in which it falls due.

use super::run::{Flow, Run};
use crate::base::error::RunError;

impl Run<'_> {
    /// Runs the model on the grid of its fixed step.
    pub(crate) fn go_sampled(&mut self) -> Result<(), RunError> {
        let (start, stop) = (self.experiment.start_time, self.experiment.stop_time);
        let h = self.experiment.fixed_step();
        self.system.sampled = true;
        if self.begin()? == Flow::Stop {
            return Ok(());
        }
        let mut k = 0_u64;
        while self.t < stop {
            k += 1;
            let mut goal = start + k as f64 * h;
            // A remainder below a millionth of a step is rounding of the step.
            if goal > stop - 1e-6 * h {
                goal = stop;
            }
            let due = self.system.model.next_time_event(self.t).is_some_and(|next| next <= goal + self.tiny());
            while self.method.time() < goal {
                self.step(goal)?;
            }
            self.walk(goal)?;
            self.t = goal;
            self.x.copy_from_slice(self.method.state());
            self.observe();
            self.sample_here()?;
            if self.grid.peek().is_some_and(|next| next <= self.t + self.tiny()) {
                self.emit_here()?;
            }
            if self.interrupted() {
                return Ok(());
            }
            let flow = if due { self.time_event_on_the_grid()? } else { self.unlocated_event()? };
            if flow == Flow::Stop {
                return Ok(());
            }
            if flow == Flow::Restarted {
                continue;
            }
            let outcome = self.system.model.accept(self.t, &mut self.x)?;
            let changed = outcome.changed;
            if self.stopped(outcome) == Flow::Stop {
                return Ok(());
            }
            if changed && self.t < stop {
                self.refer()?;
                self.restart()?;
            }
        }
        if self.output.last() != Some(self.t) {
            self.emit_here()?;
        }
        self.end()
    }

    fn sample_here(&mut self) -> Result<(), RunError> {
        let sampled = self.system.sample(self.t, &self.x);
        sampled.map_err(|_| self.unevaluable())
    }
}
