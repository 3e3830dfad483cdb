//! BDF, or ESDIRK where events come so often that a multistep method does little but start.
//!
//! A multistep method begins anew after every event, with order 1 and short steps; between the switchings of a power converter it
//! is over before it has come to its order. A one-step method has its order at once, but its steps cost more, and which of them
//! takes less work depends on the model. So it is tried.
//!
//! Method: changes happen at restarts only, where nothing is handed over. BDF is watched for a number of restarts; if it takes few
//! steps from one to the next, ESDIRK goes on for as many restarts, and whoever does less work for the same time of the model goes on
//! from there. Both are tried again later, since models change; the more often the answer was the same, the later.
//! Guarantees: work is counted, not timed, so that a run is the same whenever and wherever it is made. A run whose events are
//! rare is BDF's to the last bit.
//! Cost: a trial with the wrong method every [`FIRST_TERM`] restarts or later.

use crate::base::error::RunError;
use crate::integrate::methods::bdf::Bdf;
use crate::integrate::methods::implicit_rk::ImplicitRk;
use crate::integrate::methods::tableau;
use crate::integrate::system::method::{Attempt, Method, Rejection, System};
use crate::integrate::system::statistics::{Partitioning, Statistics};
use crate::model::interface::HybridModel;

/// A method is watched for so many restarts.
const TRIAL: u64 = 15;
/// BDF with more steps than this between restarts has come to its order.
const FEW_STEPS: u64 = 30;
/// ESDIRK has to do less than this part of the work.
const CLEARLY_LESS: f64 = 0.9;
/// Restarts until both are tried again.
const FIRST_TERM: u64 = 300;
/// No term is longer.
const LONGEST_TERM: u64 = 10_000;

/// The method.
pub(crate) struct Switching {
    bdf: Bdf,
    /// Made when it is tried first.
    esdirk: Option<Box<ImplicitRk>>,
    uses_esdirk: bool,
    /// Both may solve for fast states alone.
    may_partition: bool,
    phase: Phase,
    /// Restarts until the phase ends.
    left: u64,
    /// Counters when the phase began; nothing before the run does.
    from: Option<Mark>,
    /// The length of the next term, and which method had the last one.
    term: u64,
    last_was_esdirk: bool,
}

#[derive(Copy, Clone, Debug)]
enum Phase {
    /// BDF is watched.
    Watch,
    /// ESDIRK is watched; BDF did so much work per time.
    Trial { bdf: f64 },
    /// The better one goes on.
    Term,
}

/// A point of the run.
#[derive(Copy, Clone, Debug)]
struct Mark {
    t: f64,
    steps: u64,
    work: u64,
}

impl Mark {
    /// Work in evaluations of the derivatives: a step costs about as much beside them, and so does a factorisation.
    fn new(t: f64, statistics: &Statistics) -> Mark {
        let work = statistics.rhs_evaluations + statistics.factorisations + statistics.steps + statistics.rejected;
        Mark { t, steps: statistics.steps, work }
    }
}

impl Switching {
    /// BDF to begin with.
    pub(crate) fn new(model: &dyn HybridModel) -> Switching {
        Switching {
            bdf: Bdf::new(model),
            esdirk: None,
            uses_esdirk: false,
            may_partition: false,
            phase: Phase::Watch,
            left: TRIAL,
            from: None,
            term: FIRST_TERM,
            last_was_esdirk: false,
        }
    }

    fn active(&self) -> &dyn Method {
        match &self.esdirk {
            Some(esdirk) if self.uses_esdirk => &**esdirk,
            _ => &self.bdf,
        }
    }

    fn active_mut(&mut self) -> &mut dyn Method {
        match &mut self.esdirk {
            Some(esdirk) if self.uses_esdirk => &mut **esdirk,
            _ => &mut self.bdf,
        }
    }

    /// Ends a phase, if it is over at this restart.
    fn choose(&mut self, t: f64, statistics: &Statistics) {
        let now = Mark::new(t, statistics);
        let from = *self.from.get_or_insert(now);
        self.left = self.left.saturating_sub(1);
        // Events one upon the other say nothing.
        if self.left > 0 || now.t <= from.t {
            return;
        }
        let rate = (now.work - from.work) as f64 / (now.t - from.t);
        self.phase = match self.phase {
            Phase::Watch if now.steps - from.steps < TRIAL * FEW_STEPS => Phase::Trial { bdf: rate },
            Phase::Trial { bdf } => {
                self.uses_esdirk = rate < CLEARLY_LESS * bdf;
                self.term = if self.uses_esdirk == self.last_was_esdirk { (2 * self.term).min(LONGEST_TERM) } else { FIRST_TERM };
                self.last_was_esdirk = self.uses_esdirk;
                Phase::Term
            }
            Phase::Watch | Phase::Term => Phase::Watch,
        };
        match self.phase {
            Phase::Watch => (self.uses_esdirk, self.left) = (false, TRIAL),
            Phase::Trial { .. } => (self.uses_esdirk, self.left) = (true, TRIAL),
            Phase::Term => self.left = self.term,
        }
        self.from = Some(now);
    }
}

impl Method for Switching {
    fn restart(&mut self, system: &mut System<'_>, t: f64, x: &[f64], limit: f64) -> Result<(), Rejection> {
        self.choose(t, &system.statistics);
        if self.uses_esdirk && self.esdirk.is_none() {
            let mut esdirk = ImplicitRk::new(system.model, tableau::ESDIRK4, f64::NAN);
            if self.may_partition {
                esdirk.allow_partition(system.model);
            }
            self.esdirk = Some(Box::new(esdirk));
        }
        self.active_mut().restart(system, t, x, limit)
    }

    fn resume(&mut self, t: f64) {
        self.active_mut().resume(t);
    }

    fn translate(&mut self, x: &[f64], other: &mut dyn FnMut(f64, &[f64], &mut [f64]) -> bool) -> bool {
        self.active_mut().translate(x, other)
    }

    fn attempt(&mut self, system: &mut System<'_>, limit: f64) -> Attempt {
        let attempt = self.active_mut().attempt(system, limit);
        if self.uses_esdirk && attempt == Attempt::Accepted {
            system.statistics.one_step_steps += 1;
        }
        attempt
    }

    fn time(&self) -> f64 {
        self.active().time()
    }

    fn state(&self) -> &[f64] {
        self.active().state()
    }

    fn next_step(&self) -> f64 {
        self.active().next_step()
    }

    fn interpolate(&self, t: f64, x: &mut [f64]) {
        self.active().interpolate(t, x);
    }

    fn correct_output(&mut self, system: &mut System<'_>, t: f64, x: &mut [f64]) {
        self.active_mut().correct_output(system, t, x);
    }

    fn damp(&mut self, v: &mut [f64]) {
        self.active_mut().damp(v);
    }

    fn warning(&self, system: &System<'_>) -> Option<RunError> {
        self.bdf.warning(system).or_else(|| self.esdirk.as_ref()?.warning(system))
    }

    fn allow_partition(&mut self, model: &dyn HybridModel) {
        self.may_partition = true;
        self.bdf.allow_partition(model);
    }

    fn partitioning(&self) -> Option<Partitioning> {
        let of_bdf = self.bdf.partitioning()?;
        Some(match self.esdirk.as_ref().and_then(|esdirk| esdirk.partitioning()) {
            Some(of_esdirk) => of_bdf.with(of_esdirk),
            None => of_bdf,
        })
    }

    fn order(&self) -> usize {
        self.active().order()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrate::problems::*;
    use crate::integrate::{Experiment, Solver};
    use crate::model::interface::EventOutcome;
    use std::cell::Cell;
    use std::rc::Rc;

    /// A slow filter behind a switch that turns `n` times in a second, and an oscillator that something fast follows.
    fn switched(n: usize) -> Problem {
        let source = Rc::new(Cell::new(1.0));
        let seen = source.clone();
        let f = move |_: f64, x: &[f64], dx: &mut [f64]| {
            dx[0] = -1e5 * (x[0] - x[2]);
            dx[1] = 20.0 * (seen.get() - x[1]) + x[0];
            dx[2] = 300.0 * x[3];
            dx[3] = -300.0 * x[2];
        };
        let jacobian = |_: f64, _: &[f64], values: &mut [f64]| {
            values.fill(0.0);
            (values[0], values[1]) = (-1e5, 1.0);
            values[5] = -20.0;
            (values[8], values[11]) = (1e5, -300.0);
            values[14] = 300.0;
        };
        let mut problem = Problem::ode(vec![0.0, 0.0, 0.0, 1.0], f, jacobian);
        problem.times = (1..n).map(|k| k as f64 / n as f64).collect();
        problem.event = Box::new(move |_, _, _| {
            source.set(-source.get());
            EventOutcome { changed: true, terminate: None }
        });
        problem
    }

    fn run_of(problem: &mut Problem, solver: Solver) -> (Points, Statistics) {
        run(problem, &Experiment { tolerance: 1e-7, ..experiment(solver, 1.0) })
    }

    #[test]
    fn a_one_step_method_takes_over_where_events_come_often() {
        let (by_bdf, bdf) = run_of(&mut switched(2000), Solver::Bdf);
        let (by_auto, auto) = run_of(&mut switched(2000), Solver::Auto);
        assert!(auto.one_step_steps > auto.steps / 2, "{auto}");
        let work = |statistics: &Statistics| statistics.rhs_evaluations + statistics.steps;
        assert!(10 * work(&auto) < 9 * work(&bdf), "{} and {}", work(&auto), work(&bdf));
        // What restarts cost a multistep method in accuracy is gained, too.
        let exact = [300.0_f64.sin(), 300.0_f64.cos()];
        let error = |points: &Points| points.last()[2..].iter().zip(&exact).map(|(x, exact)| (x - exact).abs()).fold(0.0, f64::max);
        let (of_auto, of_bdf) = (error(&by_auto), error(&by_bdf));
        assert!(of_auto < 2e-5 && of_auto < of_bdf, "{of_auto} and {of_bdf}");
    }

    #[test]
    fn rare_events_leave_bdf_alone() {
        let (by_bdf, _) = run_of(&mut switched(20), Solver::Bdf);
        let (by_auto, auto) = run_of(&mut switched(20), Solver::Auto);
        assert_eq!(auto.one_step_steps, 0);
        assert_eq!(by_bdf.rows, by_auto.rows);
    }
}
