//! What a run did, counted.

use crate::base::error::RunError;
use std::fmt;

/// Counters of the part of a run in which states have steps of their own.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Multirate {
    /// Steps at each depth.
    pub steps: Vec<u64>,
    /// States that were stepped at each depth.
    pub stepped: Vec<u64>,
    /// Attempts of steps below the first level that were made again.
    pub rejected: u64,
    /// Derivatives of single states that were computed in subsets.
    pub derivatives: u64,
    /// States that were woken within a step of theirs.
    pub woken: u64,
    /// Of these, states that were wrong beyond their tolerance when they were woken.
    pub late: u64,
    /// Steps that were made again with states that they would have moved too far.
    pub redone: u64,
    /// The largest estimate of the error of a state, in parts of its size.
    pub error: f64,
}

impl Multirate {
    /// A step at a depth.
    pub fn stepped(&mut self, depth: usize, n_states: usize) {
        if self.steps.len() <= depth {
            self.steps.resize(depth + 1, 0);
            self.stepped.resize(depth + 1, 0);
        }
        self.steps[depth] += 1;
        self.stepped[depth] += n_states as u64;
    }
}

/// How a model that falls apart was integrated.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct CascadeCounts {
    /// From this time on.
    pub from: f64,
    /// States of the head, which has the events, and its steps.
    pub head_states: u64,
    /// Steps of the head.
    pub head_steps: u64,
    /// Parts beside the head, and the fewest and the most steps that one of them took.
    pub parts: u64,
    /// Fewest steps of a part.
    pub fewest_steps: u64,
    /// Most steps of a part.
    pub most_steps: u64,
    /// Parts whose steps had to end where those of the head do.
    pub bound: u64,
}

/// Counters of mixed-mode runs.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct MixedCounts {
    /// Evaluations of the derivatives of the slow states alone, in mixed-mode runs.
    pub slow_evaluations: u64,
    /// Evaluations of the derivatives of the fast states alone, in mixed-mode runs.
    pub fast_evaluations: u64,
    /// Size of the systems that Newton's method solved in a mixed-mode run: the number of fast states.
    pub newton_dimension: u64,
}

/// Counters of events.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct EventCounts {
    /// Evaluations of the crossing functions.
    pub crossing_evaluations: u64,
    /// Events at crossings.
    pub state_events: u64,
    /// Events at scheduled times.
    pub time_events: u64,
    /// Restarts of the method after events.
    pub restarts: u64,
}

/// How states had steps of their own, or were solved for alone.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct ApartCounts {
    /// What states did at steps of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multirate: Option<Box<Multirate>>,
    /// How many times as much work all states at the steps of the quickest are as each at its own, where that was looked at, and from which
    /// ratio on steps of their own pay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ideal_ratio: Option<(f64, f64)>,
    /// What a run that may solve for fast states alone has found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partitioning: Option<Partitioning>,
    /// How states that do not act on each other had steps of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cascade: Option<CascadeCounts>,
    /// Why they had not, although the model has such states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_apart: Option<String>,
}

/// Counters of one run.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: u64,
    /// Of these, steps of the one-step method where a method switches between the two.
    #[serde(skip_serializing_if = "is_zero")]
    pub one_step_steps: u64,
    /// Rejected attempts, for whatever reason.
    pub rejected: u64,
    /// Attempts rejected because the estimated error was too large.
    pub error_test_failures: u64,
    /// Attempts rejected because Newton's method did not converge or its matrix was singular.
    pub newton_failures: u64,
    /// Attempts rejected because the model could not be evaluated.
    pub evaluation_failures: u64,
    /// Evaluations of the derivatives.
    pub rhs_evaluations: u64,
    /// Counters of mixed-mode runs.
    #[serde(flatten)]
    pub mixed: MixedCounts,
    /// Evaluations of the Jacobian.
    pub jacobians: u64,
    /// Factorisations of the Newton matrix.
    pub factorisations: u64,
    /// Newton iterations.
    pub newton_iterations: u64,
    /// Counters of events.
    #[serde(flatten)]
    pub events: EventCounts,
    /// Points of the result.
    pub output_points: u64,
    /// The time at which the run ended.
    pub end_time: f64,
    /// For every state how many attempted steps it limited; empty unless that is counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limited: Vec<u64>,
    /// The run was ended from outside before its end.
    pub stopped: bool,
    /// How states had steps of their own, or were solved for alone.
    #[serde(flatten)]
    pub apart: ApartCounts,
    /// The message of `terminate`, if the model asked to stop.
    pub terminated: Option<String>,
    /// What the user should know about the result.
    #[serde(skip)]
    pub warnings: Vec<RunError>,
}

impl Statistics {
    /// Counts what happens to states at steps of their own.
    pub(crate) fn multirate(&mut self, count: impl FnOnce(&mut Multirate)) {
        if let Some(counts) = &mut self.apart.multirate {
            count(counts);
        }
    }

    /// States have steps of their own from here on.
    pub(crate) fn begin_multirate(&mut self) {
        self.apart.multirate.get_or_insert_default();
    }

    /// Adds what a part of the run did; results and the end of the run are counted by others.
    pub(crate) fn add(&mut self, part: Statistics) {
        self.steps += part.steps;
        self.one_step_steps += part.one_step_steps;
        self.rejected += part.rejected;
        self.error_test_failures += part.error_test_failures;
        self.newton_failures += part.newton_failures;
        self.evaluation_failures += part.evaluation_failures;
        self.rhs_evaluations += part.rhs_evaluations;
        self.jacobians += part.jacobians;
        self.factorisations += part.factorisations;
        self.newton_iterations += part.newton_iterations;
        self.events.crossing_evaluations += part.events.crossing_evaluations;
        self.events.state_events += part.events.state_events;
        self.events.time_events += part.events.time_events;
        self.events.restarts += part.events.restarts;
        for warning in part.warnings {
            if self.warnings.iter().all(|known| known.code != warning.code) {
                self.warnings.push(warning);
            }
        }
        self.terminated = self.terminated.take().or(part.terminated);
    }

    /// So many derivatives were computed.
    pub(crate) fn note_subset(&mut self, n_states: usize) {
        self.multirate(|counts| counts.derivatives += n_states as u64);
    }
}

/// How a run that may solve for fast states alone did so, or what kept it from it.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Partitioning {
    /// All states.
    pub states: u64,
    /// Equations of steps that were solved, and how many of them for fast states alone.
    pub solutions: u64,
    /// Of these, solved for fast states alone.
    pub split_solutions: u64,
    /// How often fast states were chosen, and how often the choice was given up.
    pub partitions: u64,
    /// Choices that were given up because iterations took too long.
    pub given_up: u64,
    /// The fast states of the last choice.
    pub fast: Vec<usize>,
    /// How often fast states were looked for.
    pub searches: u64,
    /// The part of the work of a run without a choice that factors of all states are.
    pub linear_part: f64,
    /// The largest part of the work that a choice promised to save.
    pub promised: f64,
    /// The fewest fast states that were considered; nothing if no choice was.
    pub least_fast: Option<u64>,
}

impl Partitioning {
    /// Fewer states are solved for together in less time than it takes to part them: up to here matrices are dense.
    pub const LEAST_STATES: u64 = 8;

    /// Together with what a method found that took turns with this one.
    #[must_use]
    pub(crate) fn with(self, other: Partitioning) -> Partitioning {
        Partitioning {
            states: self.states,
            solutions: self.solutions + other.solutions,
            split_solutions: self.split_solutions + other.split_solutions,
            partitions: self.partitions + other.partitions,
            given_up: self.given_up + other.given_up,
            fast: if other.split_solutions > self.split_solutions { other.fast } else { self.fast },
            searches: self.searches + other.searches,
            linear_part: self.linear_part.max(other.linear_part),
            promised: self.promised.max(other.promised),
            least_fast: self.least_fast.into_iter().chain(other.least_fast).min(),
        }
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "steps                 {:>10}  ({} rejected)", self.steps, self.rejected)?;
        if self.one_step_steps > 0 {
            writeln!(f, "  by esdirk           {:>10}  (less work than bdf where events come often)", self.one_step_steps)?;
        }
        writeln!(f, "error test failures   {:>10}", self.error_test_failures)?;
        writeln!(f, "newton failures       {:>10}", self.newton_failures)?;
        writeln!(f, "evaluation failures   {:>10}", self.evaluation_failures)?;
        writeln!(f, "rhs evaluations       {:>10}", self.rhs_evaluations)?;
        if self.mixed.newton_dimension + self.mixed.slow_evaluations > 0 {
            writeln!(f, "  of slow states      {:>10}", self.mixed.slow_evaluations)?;
            writeln!(
                f,
                "  of fast states      {:>10}  (Newton's method on {} states)",
                self.mixed.fast_evaluations, self.mixed.newton_dimension
            )?;
        }
        writeln!(f, "jacobians             {:>10}", self.jacobians)?;
        writeln!(f, "factorisations        {:>10}", self.factorisations)?;
        writeln!(f, "newton iterations     {:>10}", self.newton_iterations)?;
        writeln!(f, "crossing evaluations  {:>10}", self.events.crossing_evaluations)?;
        writeln!(f, "state events          {:>10}", self.events.state_events)?;
        writeln!(f, "time events           {:>10}", self.events.time_events)?;
        writeln!(f, "restarts              {:>10}", self.events.restarts)?;
        writeln!(f, "output points         {:>10}", self.output_points)?;
        match (&self.apart.multirate, self.apart.ideal_ratio) {
            (Some(counts), _) => counts.fmt(f)?,
            (None, Some((ratio, least))) => {
                writeln!(
                    f,
                    "one rate              {ratio:>10.1}  times the work of each state at its own step; several rates pay from {least:.0} on"
                )?;
            }
            (None, None) => {}
        }
        if self.stopped {
            writeln!(f, "stopped at time {}", self.end_time)?;
        }
        if let Some(message) = &self.terminated {
            writeln!(f, "terminated by the model at time {}: {message}", self.end_time)?;
        }
        Ok(())
    }
}

impl fmt::Display for Multirate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (depth, (steps, stepped)) in self.steps.iter().zip(&self.stepped).enumerate() {
            let mean = *stepped as f64 / (*steps).max(1) as f64;
            writeln!(f, "steps at depth {depth}      {steps:>10}  ({mean:.1} states each)")?;
        }
        writeln!(f, "derivatives in subsets{:>10}", self.derivatives)?;
        writeln!(
            f,
            "states woken          {:>10}  ({} of them wrong beyond tolerance, {} steps made again)",
            self.woken, self.late, self.redone
        )?;
        writeln!(f, "estimated error       {:>10.1e}  of the size of the state it is largest for", self.error)
    }
}
