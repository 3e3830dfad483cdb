//! By one rate or by several: decided while the model runs.
//!
//! Method: the run begins by one rate, and the steps that states would need are looked at now and then ([`IdealRatio`]). As soon as
//! states at their own steps would take a small enough part of the work, the run goes on by several rates from where it stands. If that
//! takes more work for the same time than one rate did lately, it goes back and stays there. A Jacobian of a subset costs as many
//! evaluations as a derivative reads states of it, so that a state that reads many others makes several rates dear: the ratio has to be
//! larger then. Guarantees: work is counted, not timed; a run that does not change has the points of a plain one, to the last bit.

use super::ratio::IdealRatio;
use super::{Multirate, Rates};
use crate::base::error::RunError;
use crate::integrate::methods::switching::Switching;
use crate::integrate::system::method::{Attempt, Method, Rejection, System};
use crate::model::interface::HybridModel;

/// The method.
pub struct Choosing {
    plain: Switching,
    /// From where it is chosen on.
    several: Option<Box<Multirate>>,
    ratio: IdealRatio,
    rates: Rates,
    /// From this ratio on several rates pay.
    least_ratio: f64,
    /// Where several rates were chosen; before that, where the last steps by one rate began, and those before them.
    from: Option<Mark>,
    before: Option<Mark>,
    /// Derivatives of single states per time by one rate.
    work_by_one: f64,
    /// Steps since the method was chosen.
    steps: u64,
    /// Several rates were tried and took more work.
    has_lost: bool,
}

/// A point of the run.
#[derive(Copy, Clone, Debug)]
struct Mark {
    t: f64,
    /// Derivatives of single states so far.
    work: u64,
}

impl Mark {
    fn new(system: &System<'_>, t: f64) -> Mark {
        let in_subsets = system.statistics.apart.multirate.as_ref().map_or(0, |counts| counts.derivatives);
        Mark { t, work: system.n() as u64 * system.statistics.rhs_evaluations + in_subsets }
    }

    /// Work per time from here to another point.
    fn rate_to(self, other: Mark) -> f64 {
        (other.work - self.work) as f64 / (other.t - self.t)
    }
}

/// Steps by one rate whose work is counted together.
const LATELY: u64 = 32;
/// After so many slabs the work by several rates is compared with that by one.
const TRIAL: u64 = 20;
/// They have to take less than this part of it.
const CLEARLY_LESS: f64 = 0.8;

/// Evaluations of a step beside its Jacobian.
const EVALUATIONS: usize = 7;
/// So many states may a derivative read at no further cost.
const FEW_READ: usize = 7;

impl Choosing {
    /// The method for a model with subsets.
    pub fn new(model: &dyn HybridModel, rates: Rates) -> Choosing {
        let reads = model.jacobian_pattern().transposed();
        let most_read = reads.col_starts.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap_or(0);
        let dearer = (EVALUATIONS + most_read.max(FEW_READ)) as f64 / (EVALUATIONS + FEW_READ) as f64;
        let least_ratio = rates.least_ratio * dearer;
        Choosing {
            plain: Switching::new(model),
            several: None,
            ratio: IdealRatio::default(),
            rates,
            least_ratio,
            from: None,
            before: None,
            work_by_one: f64::INFINITY,
            steps: 0,
            has_lost: false,
        }
    }

    fn active(&self) -> &dyn Method {
        match &self.several {
            Some(several) => &**several,
            None => &self.plain,
        }
    }

    fn active_mut(&mut self) -> &mut dyn Method {
        match &mut self.several {
            Some(several) => &mut **several,
            None => &mut self.plain,
        }
    }

    /// Goes on by several rates if that pays, and back by one if it does not. The last step has been walked along by now.
    fn change(&mut self, system: &mut System<'_>, limit: f64) -> Result<(), Rejection> {
        let here = Mark::new(system, self.time());
        let is_asked = self.least_ratio <= 0.0;
        if let Some(several) = &self.several {
            let by_several = self.from.filter(|from| here.t > from.t).map(|from| from.rate_to(here));
            if !is_asked && self.steps == TRIAL && by_several.is_some_and(|work| work > CLEARLY_LESS * self.work_by_one) {
                let (t, x) = (several.time(), several.state().to_vec());
                (self.several, self.has_lost) = (None, true);
                self.plain.restart(system, t, &x, limit)?;
            }
            return Ok(());
        }
        let promises = self.ratio.lately().is_some_and(|ratio| ratio >= self.least_ratio);
        if (is_asked || promises && !self.has_lost) && system.model.has_subsets() {
            let mut several = Box::new(Multirate::new(system.model, self.rates));
            several.restart(system, self.plain.time(), self.plain.state(), limit)?;
            self.work_by_one = self.before.filter(|from| here.t > from.t).map_or(f64::INFINITY, |from| from.rate_to(here));
            (self.several, self.from, self.steps) = (Some(several), Some(here), 0);
        }
        Ok(())
    }
}

impl Method for Choosing {
    fn restart(&mut self, system: &mut System<'_>, t: f64, x: &[f64], limit: f64) -> Result<(), Rejection> {
        self.ratio.restart();
        self.active_mut().restart(system, t, x, limit)
    }

    fn resume(&mut self, t: f64) {
        self.active_mut().resume(t);
    }

    fn translate(&mut self, x: &[f64], other: &mut dyn FnMut(f64, &[f64], &mut [f64]) -> bool) -> bool {
        self.active_mut().translate(x, other)
    }

    fn attempt(&mut self, system: &mut System<'_>, limit: f64) -> Attempt {
        if let Err(rejection) = self.change(system, limit) {
            return Attempt::Rejected(rejection);
        }
        let attempt = self.active_mut().attempt(system, limit);
        self.steps += u64::from(attempt == Attempt::Accepted);
        if attempt == Attempt::Accepted && self.several.is_none() {
            if self.steps % LATELY == 1 {
                self.before = self.from.replace(Mark::new(system, self.plain.time()));
            }
            self.ratio.accepted(system, self.plain.time(), self.plain.state());
            system.statistics.apart.ideal_ratio = self.ratio.of_run().map(|ratio| (ratio, self.least_ratio));
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

    fn inner_time(&self, after: f64) -> Option<f64> {
        self.active().inner_time(after)
    }

    fn correct_output(&mut self, system: &mut System<'_>, t: f64, x: &mut [f64]) {
        self.active_mut().correct_output(system, t, x);
    }

    fn damp(&mut self, v: &mut [f64]) {
        self.active_mut().damp(v);
    }

    fn warning(&self, system: &System<'_>) -> Option<RunError> {
        self.active().warning(system)
    }

    fn order(&self) -> usize {
        self.active().order()
    }
}
