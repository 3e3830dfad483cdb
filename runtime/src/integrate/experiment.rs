//! How to run a model: the method, its tolerance, the times.

use super::methods::{bdf, explicit_rk, implicit_rk, mixed, multirate, stateless, switching, tableau};
use super::system::method::Method;
use crate::base::error::RunError;
use crate::model::interface::HybridModel;
use std::fmt;
use std::str::FromStr;

/// The methods of integration.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Solver {
    /// Explicit Euler, fixed step.
    Euler,
    /// Implicit Euler, fixed step.
    ImplicitEuler,
    /// Explicit midpoint rule, fixed step.
    Midpoint,
    /// Implicit midpoint rule, fixed step.
    ImplicitMidpoint,
    /// Heun's method, fixed step.
    Heun,
    /// Classical Runge-Kutta of order 4, fixed step.
    Rk4,
    /// Dormand-Prince 5(4) with error control.
    Dopri5,
    /// ESDIRK of order 4(3) with error control.
    Esdirk,
    /// Variable-order BDF with error control.
    Bdf,
    /// BDF, or ESDIRK while events come so often that this takes less work: the default.
    #[default]
    Auto,
}

impl Solver {
    /// All methods, in the order of their words.
    pub const ALL: [Solver; 10] = [
        Solver::Euler,
        Solver::ImplicitEuler,
        Solver::Midpoint,
        Solver::ImplicitMidpoint,
        Solver::Heun,
        Solver::Rk4,
        Solver::Dopri5,
        Solver::Esdirk,
        Solver::Bdf,
        Solver::Auto,
    ];

    /// The word for the method.
    pub fn word(self) -> &'static str {
        match self {
            Solver::Euler => "euler",
            Solver::ImplicitEuler => "implicit-euler",
            Solver::Midpoint => "midpoint",
            Solver::ImplicitMidpoint => "implicit-midpoint",
            Solver::Heun => "heun",
            Solver::Rk4 => "rk4",
            Solver::Dopri5 => "dopri5",
            Solver::Esdirk => "esdirk",
            Solver::Bdf => "bdf",
            Solver::Auto => "auto",
        }
    }

    /// The method has a fixed step and no error control.
    pub fn is_fixed_step(self) -> bool {
        !matches!(self, Solver::Dopri5 | Solver::Esdirk | Solver::Bdf | Solver::Auto)
    }

    /// The method for a model. `step` is the step of fixed-step methods and the distance between checks of a model without states.
    pub fn method(self, model: &dyn HybridModel, step: f64) -> Box<dyn Method> {
        if model.n_states() == 0 {
            return Box::new(stateless::Stateless::new(step));
        }
        let explicit = |tableau| Box::new(explicit_rk::ExplicitRk::new(model, tableau, step));
        let implicit = |tableau| Box::new(implicit_rk::ImplicitRk::new(model, tableau, step));
        match self {
            Solver::Euler => explicit(tableau::EULER),
            Solver::Midpoint => explicit(tableau::MIDPOINT),
            Solver::Heun => explicit(tableau::HEUN),
            Solver::Rk4 => explicit(tableau::RK4),
            Solver::Dopri5 => explicit(tableau::DOPRI5),
            Solver::ImplicitEuler => implicit(tableau::IMPLICIT_EULER),
            Solver::ImplicitMidpoint => implicit(tableau::IMPLICIT_MIDPOINT),
            Solver::Esdirk => implicit(tableau::ESDIRK4),
            Solver::Bdf => Box::new(bdf::Bdf::new(model)),
            Solver::Auto => Box::new(switching::Switching::new(model)),
        }
    }
}

impl fmt::Display for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Solver {
    type Err = String;

    fn from_str(word: &str) -> Result<Solver, String> {
        Solver::ALL.into_iter().find(|solver| solver.word() == word).ok_or_else(|| {
            let words: Vec<&str> = Solver::ALL.iter().map(|solver| solver.word()).collect();
            format!("there is no solver `{word}`; there are {}", words.join(", "))
        })
    }
}

/// Intervals between results, and steps of fixed-step methods, if nothing is said about them.
const INTERVALS: f64 = 500.0;

/// Nobody waits for more steps than this.
const MOST_STEPS: f64 = 1e11;

/// How to run a model.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Experiment {
    /// Begin of the run.
    pub start_time: f64,
    /// End of the run.
    pub stop_time: f64,
    /// Relative tolerance; absolute tolerances are this times the sizes of the states (`scales`).
    pub tolerance: f64,
    /// Distance of output points; a 500th of the run if none is given.
    pub interval: Option<f64>,
    /// Step of fixed-step methods; the given output interval if there is no step, a 500th of the run if there is neither.
    pub step: Option<f64>,
    /// The method.
    pub solver: Solver,
    /// Treats states differently: a mixed-mode run, in which `solver` plays no role.
    #[serde(default)]
    pub split: Option<mixed::Split>,
    /// Lets states have steps of their own where that pays, in a model that computes any subset of its derivatives; `solver` plays no role
    /// then.
    #[serde(default)]
    pub rates: Option<multirate::Rates>,
    /// The method may solve for fast states alone where that saves work; errors are those of a run without.
    #[serde(default)]
    pub partition: bool,
    /// No step is longer; a tenth of the run if none is given.
    pub max_step: Option<f64>,
    /// Crossings are noticed at the ends of steps instead of being located, and events add no output points.
    /// With fixed steps relations have their live values at every evaluation and steps end at multiples of the step; with
    /// error control scheduled times are met all the same.
    pub ignore_events: bool,
    /// A model that slides along a relation follows the equivalent motion; otherwise that is an error.
    #[serde(default)]
    pub sliding: bool,
    /// Count which states limit the steps.
    #[serde(default)]
    pub count_limits: bool,
}

impl Default for Experiment {
    fn default() -> Experiment {
        Experiment {
            start_time: 0.0,
            stop_time: 1.0,
            tolerance: 1e-6,
            interval: None,
            step: None,
            solver: Solver::default(),
            split: None,
            rates: None,
            partition: false,
            max_step: None,
            ignore_events: false,
            sliding: false,
            count_limits: false,
        }
    }
}

impl Experiment {
    /// Length of the run.
    pub fn span(&self) -> f64 {
        self.stop_time - self.start_time
    }

    /// Distance of output points: the given one, or a 500th of the run.
    pub fn output_interval(&self) -> f64 {
        self.interval.unwrap_or(self.span() / INTERVALS)
    }

    /// Steps are fixed, by the method or the split.
    pub fn is_fixed_step(&self) -> bool {
        self.split.as_ref().map_or(self.solver.is_fixed_step(), |split| !split.adaptive)
    }

    /// The method for a model. `step` is that of fixed-step methods.
    pub fn method(&self, model: &dyn HybridModel, step: f64) -> Box<dyn Method> {
        let mut method = self.formulas(model, step);
        if self.partition && !self.is_fixed_step() {
            method.allow_partition(model);
        }
        method
    }

    fn formulas(&self, model: &dyn HybridModel, step: f64) -> Box<dyn Method> {
        match &self.split {
            Some(split) if model.n_states() > 0 && split.pair.is_multistep() => Box::new(bdf::Bdf::mixed(model, split)),
            Some(split) if model.n_states() > 0 => Box::new(mixed::Mixed::new(model, split, step)),
            _ => match self.rates {
                Some(rates) if model.n_states() > 0 && model.has_subsets() => Box::new(multirate::Choosing::new(model, rates)),
                _ => self.solver.method(model, step),
            },
        }
    }

    /// The method in words.
    pub fn method_word(&self) -> &'static str {
        match (&self.split, self.solver) {
            (Some(split), _) => split.pair.description(),
            (None, _) if self.rates.is_some() => "bdf or multirate",
            // The statistics say so where another method took over.
            (None, Solver::Auto) => Solver::Bdf.word(),
            (None, solver) => solver.word(),
        }
    }

    /// A run on a grid that samples relations instead of handling events.
    pub fn is_sampled(&self) -> bool {
        self.ignore_events && self.is_fixed_step()
    }

    /// Step of fixed-step methods.
    pub fn fixed_step(&self) -> f64 {
        self.step.unwrap_or_else(|| self.output_interval())
    }

    /// Refuses what makes no sense.
    pub fn check(&self) -> Result<(), RunError> {
        let refuse = |what: String| Err(RunError::new("R200", what));
        if !(self.start_time.is_finite() && self.stop_time.is_finite() && self.stop_time >= self.start_time) {
            return refuse(format!("the run cannot go from time {} to {}", self.start_time, self.stop_time));
        }
        if !(self.tolerance >= 1e-14 && self.tolerance <= 1.0) {
            return refuse(format!("the tolerance is {}, but has to be between 1e-14 and 1", self.tolerance));
        }
        for (what, value) in [("output interval", self.interval), ("step", self.step), ("longest step", self.max_step)] {
            if let Some(value) = value
                && !(value.is_finite() && value > 0.0)
            {
                return refuse(format!("the {what} is {value}, but has to be positive"));
            }
        }
        if self.split.as_ref().is_some_and(|split| split.pair.is_multistep() && !split.adaptive) {
            return refuse("the multistep pair has no fixed steps".to_string());
        }
        if let Some(interval) = self.interval
            && self.span() / interval > 1e9
        {
            return refuse(format!("an output interval of {interval} would give more than 1e9 points"));
        }
        if self.is_fixed_step() && self.span() / self.fixed_step() > MOST_STEPS {
            return refuse(format!(
                "a step of {:e} would take {:.1e} steps to time {}",
                self.fixed_step(),
                self.span() / self.fixed_step(),
                self.stop_time
            ));
        }
        Ok(())
    }
}
