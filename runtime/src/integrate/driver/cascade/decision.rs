//! Whether parts of a model are to have steps of their own.
//!
//! Input: how the states fall apart, the points that a run of all states has accepted and what it has counted. Output: yes, or why not.
//! Method: how many steps the states of each part would need is looked at now and then ([`IdealRatio`]). The head, which has the events, needs
//! the steps of the run. Steps and what they cost, counted in operations, make the work of the parts; they are worth it below
//! [`WORTHWHILE`] of the work of all states together. A state that follows the head within a step of it gains nothing by being apart.
//! Guarantee: no clock is read, so that the answer is the same on every machine. Cost: the structure of the factors of the parts, once.

use crate::integrate::driver::run::Run;
use crate::integrate::methods::multirate::IdealRatio;
use crate::integrate::methods::partitioned::choice::Costs;
use crate::linear::Linear;
use crate::linear::pattern::Pattern;
use crate::model::interface::{HybridModel, Mode, SubsetId};
use crate::model::plan::Cascade;

/// The parts may take this part of the work: steps are known from samples.
const WORTHWHILE: f64 = 0.7;
/// Looks until a decision, steps until the first one, by which factor they grow until the next one, and most decisions.
const LOOKS: u64 = 4;
const PAUSE: u64 = 100;
const LONGER: u64 = 2;
const MOST_DECISIONS: u64 = 8;
/// What was seen earlier counts less by this factor at every look: a run begins with steps that say nothing about later ones.
const MEMORY: f64 = 0.8;
/// Operations of a step that do not depend on the number of states, beside those of its solutions: driver and control of errors.
const PER_STEP: f64 = 400.0;
/// Operations to keep and to read the trajectory of the head, per state and step.
const PER_INPUT: f64 = 60.0;
/// The order that the growth of steps with a tolerance is reckoned with.
const ORDER: f64 = 4.0;
/// What a state that follows the head may do within a step of it.
const FOLLOWS: f64 = 0.3;
/// By which part of their size states of the head are changed to see what depends on them, and how much of its slope that may be.
const CHANGED: f64 = 0.1;
const MIXES: f64 = 1e-3;

/// The states of a part, and of its edge.
#[derive(Clone, Debug, Default)]
pub(super) struct Members {
    pub(super) states: Vec<usize>,
    /// Positions in `states`.
    pub(super) edge: Vec<usize>,
}

impl Members {
    /// Its subset, and that of its edge, for the part of a number.
    pub(super) fn subsets(number: usize) -> (SubsetId, SubsetId) {
        (SubsetId(2 * number), SubsetId(2 * number + 1))
    }
}

/// What a run of all states has shown.
pub(super) struct Decision {
    /// The head first.
    pub(super) parts: Vec<Members>,
    ratio: IdealRatio,
    looks: u64,
    /// Steps that each part would have needed, added up over the looks, and those of the run.
    apart: Vec<f64>,
    together: f64,
    restarts: u64,
    /// The discrete values before the last event that changed them, and those that hold.
    modes: [Option<Mode>; 2],
    began: f64,
    next: u64,
    decisions: u64,
    why_not: Option<String>,
}

impl Decision {
    pub(super) fn new(cascade: &Cascade, t: f64) -> Decision {
        let mut parts = vec![Members::default(); cascade.n_parts as usize + 1];
        for (state, &part) in cascade.part_of.iter().enumerate() {
            let members = &mut parts[part as usize];
            if cascade.is_edge[state] {
                members.edge.push(members.states.len());
            }
            members.states.push(state);
        }
        Decision {
            apart: vec![0.0; parts.len()],
            parts,
            ratio: IdealRatio::default(),
            looks: 0,
            together: 0.0,
            restarts: 0,
            modes: [None, None],
            began: t,
            next: PAUSE,
            decisions: 0,
            why_not: None,
        }
    }

    /// Why all states share their steps so far.
    pub(super) fn why_not(&self) -> String {
        let head = self.parts[0].states.len();
        let n_parts = self.parts.len() - 1;
        let what = match head {
            0 => format!("{n_parts} parts do not act on each other"),
            _ => format!("{head} states have the events, and {n_parts} parts follow them"),
        };
        let why = self.why_not.clone().unwrap_or_else(|| "the run was over before steps of their own could pay".to_string());
        format!("{what}: {why}")
    }

    /// A step was accepted. Whether the parts go on by themselves.
    pub(super) fn is_made(&mut self, run: &mut Run<'_>) -> bool {
        let statistics = &run.system.statistics;
        if std::mem::replace(&mut self.restarts, statistics.events.restarts) != statistics.events.restarts {
            self.ratio.restart();
            self.note_mode(&*run.system.model);
        }
        if self.ratio.accepted(&run.system, run.t, &run.x) {
            self.look(run.system.n());
        }
        if self.looks < LOOKS || self.decisions >= MOST_DECISIONS || run.system.statistics.steps < self.next {
            return false;
        }
        self.decisions += 1;
        self.next = LONGER * run.system.statistics.steps;
        self.why_not = self.refusal(run);
        self.why_not.is_none()
    }

    fn note_mode(&mut self, model: &dyn HybridModel) {
        let now = Some(model.mode());
        if self.modes[1] != now {
            self.modes[0] = std::mem::replace(&mut self.modes[1], now);
        }
    }

    fn look(&mut self, n: usize) {
        let needed = self.ratio.needed();
        let most = needed.iter().copied().fold(0.0, f64::max);
        if needed.is_empty() || !(most.is_finite() && most > 0.0) {
            return;
        }
        self.looks += 1;
        self.together = MEMORY * self.together + 1.0;
        for (number, (part, apart)) in self.parts.iter().zip(&mut self.apart).enumerate() {
            let own = part.states.iter().map(|&state| needed[state]).fold(0.0, f64::max);
            // The error of all is a mean, in which few states count less than among themselves.
            let stricter = (n as f64 / part.states.len().max(1) as f64).powf(0.5 / ORDER);
            *apart = MEMORY * *apart + if number == 0 { 1.0 } else { (own / most * stricter).min(1.0) };
        }
    }

    fn refusal(&self, run: &mut Run<'_>) -> Option<String> {
        if let Some(why) = self.follows(run).or_else(|| self.mixes(run)) {
            return Some(why);
        }
        let statistics = &run.system.statistics;
        let steps = statistics.steps.max(1) as f64;
        let iterations = statistics.newton_iterations as f64 / steps;
        let factorisations = statistics.factorisations as f64 / steps;
        let crossings = statistics.events.crossing_evaluations as f64 / steps;
        let model = &mut *run.system.model;
        let pattern = model.jacobian_pattern().clone();
        let whole = model.operations();
        let cost = |evaluation: f64, pattern: &Pattern| {
            let work = Linear::new(pattern).work();
            Costs { evaluation, states: pattern.n_rows as f64 }.solution(work, iterations, factorisations) + PER_STEP
        };
        let together = (cost(whole, &pattern) + crossings * whole) * self.together;
        let mut apart = 0.0;
        for (number, (part, steps)) in self.parts.iter().zip(&self.apart).enumerate().filter(|(_, (part, _))| !part.states.is_empty()) {
            let (own, of_edge) = part.evaluations(model, number, whole);
            apart += steps * cost(own + of_edge, &pattern.restricted(&part.states));
            if number == 0 {
                apart += self.together * (crossings * whole + PER_INPUT * part.states.len() as f64);
            } else if !self.parts[0].states.is_empty() {
                // The integral of what reaches the edge, at three points of each step of the head.
                apart += 3.0 * self.together * of_edge;
            }
        }
        (apart > WORTHWHILE * together).then(|| {
            format!(
                "steps of their own would take {:.0} % of the work and not less than {:.0} %; they pay for parts that are large or much slower",
                100.0 * apart / together,
                100.0 * WORTHWHILE
            )
        })
    }

    /// A state of an edge that follows the head within a step of it.
    fn follows(&self, run: &mut Run<'_>) -> Option<String> {
        if self.parts[0].states.is_empty() {
            return None;
        }
        let step = (run.t - self.began) / run.system.statistics.steps.max(1) as f64;
        let pattern = run.system.model.jacobian_pattern().clone();
        let mut jacobian = vec![0.0; pattern.rows.len()];
        if run.system.jacobian(run.t, &run.x, &mut jacobian).is_err() {
            return Some("the Jacobian cannot be computed".to_string());
        }
        let edges = self.parts.iter().flat_map(|part| part.edge.iter().map(|&row| part.states[row]));
        let rate = |state: usize| pattern.column(state).binary_search(&state).map_or(0.0, |at| jacobian[pattern.col_starts[state] + at]);
        let quick = edges.into_iter().find(|&state| step * rate(state).abs() > FOLLOWS)?;
        Some(format!(
            "`{}` follows the states with the events within a step of them; it would have to be slower to have steps of its own",
            run.system.model.state_name(quick)
        ))
    }
}

impl Decision {
    /// A state of an edge whose rate depends on what it reads: steps of its part would have to end where those of the head do.
    fn mixes(&self, run: &mut Run<'_>) -> Option<String> {
        let head = &self.parts[0].states;
        if head.is_empty() {
            return None;
        }
        let pattern = run.system.model.jacobian_pattern().clone();
        let mut other = run.x.clone();
        for &state in head {
            other[state] += CHANGED * other[state].abs().max(run.system.scales.sizes()[state]);
        }
        let [mut here, mut there] = [(); 2].map(|()| vec![0.0; pattern.rows.len()]);
        let (t, system) = (run.t, &mut run.system);
        let holds = system.model.mode();
        self.modes[0].iter().for_each(|mode| system.model.set_mode(mode));
        let mut known = system.jacobian(t, &other, &mut there);
        system.model.set_mode(&holds);
        known = known.and_then(|()| system.jacobian(t, &run.x, &mut here));
        if known.is_err() {
            return Some("the Jacobian cannot be computed".to_string());
        }
        let mixed = self.parts[1..].iter().find_map(|part| {
            let is_edge = |row: usize| part.states.binary_search(&row).is_ok_and(|at| part.edge.binary_search(&at).is_ok());
            part.states.iter().find_map(|&column| {
                let ends = pattern.col_starts[column]..pattern.col_starts[column + 1];
                let entry = ends.into_iter().find(|&entry| {
                    let size = here[entry].abs().max(there[entry].abs());
                    is_edge(pattern.rows[entry]) && (here[entry] - there[entry]).abs() > MIXES * size
                });
                entry.map(|entry| pattern.rows[entry])
            })
        })?;
        Some(format!(
            "how fast `{}` changes with its own part depends on the states with the events; it would have to be a sum of what it reads and of the rest",
            run.system.model.state_name(mixed)
        ))
    }
}

impl Members {
    /// Operations for the derivatives of the part, and of its edge.
    fn evaluations(&self, model: &mut dyn HybridModel, number: usize, whole: f64) -> (f64, f64) {
        let (own, edge) = Members::subsets(number);
        model.select(own, &self.states);
        if self.edge.is_empty() {
            return (whole * model.subset_share(own), 0.0);
        }
        let states: Vec<usize> = self.edge.iter().map(|&row| self.states[row]).collect();
        model.select(edge, &states);
        (whole * model.subset_share(own), whole * model.subset_share(edge))
    }
}
