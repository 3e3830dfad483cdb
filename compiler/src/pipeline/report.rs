//! The translation log: counts that Modelica users know, as text and as JSON.

use crate::equations::dae::{EquationKind, System};
use crate::sorting::causalize::Causalized;
use crate::sorting::tearing::{Torn, TornStep};
use crate::transform::alias::AliasMap;
use crate::transform::index_reduction::Reduction;
use serde::Serialize;
use std::fmt;

/// A system that is solved together.
#[derive(Clone, Debug, Serialize)]
pub struct SystemSize {
    /// Equations before tearing.
    pub size: usize,
    /// Unknowns that remain after tearing.
    pub torn: usize,
}

/// Counts about the start.
#[derive(Clone, Debug, Default, Serialize)]
pub struct InitialisationReport {
    /// Initial equations and fixed starts in the model.
    pub equations: usize,
    /// States that start at their start value although it is not fixed.
    pub default_starts: Vec<String>,
    /// Initial equations that were redundant.
    pub redundant: usize,
    /// Nonlinear systems of the start.
    pub nonlinear_systems: Vec<SystemSize>,
}

/// What was found about a model.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The model's name.
    pub model: String,
    /// Equations after alias elimination and index reduction.
    pub equations: usize,
    /// Unknowns of the simulation.
    pub unknowns: usize,
    /// Eliminated variables.
    pub aliases: usize,
    /// Names of the continuous states.
    pub states: Vec<String>,
    /// Event-generating relations.
    pub relations: usize,
    /// Linear systems of the simulation.
    pub linear_systems: Vec<SystemSize>,
    /// Nonlinear systems of the simulation.
    pub nonlinear_systems: Vec<SystemSize>,
    /// The unknowns that remain after tearing of the nonlinear systems that are solved in closed form.
    pub closed_forms: Vec<String>,
    /// Those for which that is done only where Newton's method fails.
    pub closed_forms_in_need: Vec<String>,
    /// How often equations are differentiated, plus one where there are algebraic unknowns.
    pub structural_index: u32,
    /// The start.
    pub initialisation: InitialisationReport,
}

fn systems(torn: &Torn, linear: bool) -> Vec<SystemSize> {
    torn.steps
        .iter()
        .filter_map(|step| match step {
            TornStep::Solve(block) if block.linear == linear && block.size > 0 => {
                Some(SystemSize { size: block.size, torn: block.iteration.len() })
            }
            _ => None,
        })
        .collect()
}

/// The unknowns of systems that have a closed form, which formulas give or not.
fn closed_forms(sys: &System, torn: &Torn, is_direct: bool) -> Vec<String> {
    let of_step = |step: &TornStep| match step {
        TornStep::Solve(block) if block.closed.as_ref().is_some_and(|form| form.is_direct == is_direct) => {
            Some(block.iteration.iter().map(|a| sys.vars[a.var].name.as_str()).collect::<Vec<_>>().join(" and "))
        }
        _ => None,
    };
    torn.steps.iter().filter_map(of_step).collect()
}

impl Report {
    /// Counts of a sorted system.
    pub fn of(sys: &System, aliases: &AliasMap, reduction: &Reduction, causalized: &Causalized) -> Report {
        let sorting = &causalized.sorting;
        let n_differentiated = reduction.counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
        let has_algebraic = sorting.simulation.problem.unknowns.values().any(|v| sys.vars[*v].integral.is_none());
        let is_state = crate::base::ids::set_of(sorting.states.iter().map(|(x, _)| *x));
        Report {
            model: sys.name.clone(),
            equations: sys.eqs.values().filter(|e| e.kind == EquationKind::Continuous).count(),
            unknowns: sorting.simulation.problem.unknowns.len() - sorting.sets.iter().map(|set| set.states.len()).sum::<usize>(),
            aliases: aliases.n_eliminated,
            states: sorting.states.iter().map(|(x, _)| sys.vars[*x].name.clone()).collect(),
            relations: sys.relations.len(),
            linear_systems: systems(&sorting.simulation.torn, true),
            nonlinear_systems: systems(&sorting.simulation.torn, false),
            closed_forms: closed_forms(sys, &sorting.simulation.torn, true),
            closed_forms_in_need: closed_forms(sys, &sorting.simulation.torn, false),
            structural_index: n_differentiated + u32::from(has_algebraic),
            initialisation: InitialisationReport {
                equations: sys.initial_eqs.len(),
                default_starts: causalized
                    .default_starts
                    .iter()
                    .filter(|v| is_state.contains(**v))
                    .map(|v| sys.vars[*v].name.clone())
                    .collect(),
                redundant: sorting.redundant.len(),
                nonlinear_systems: systems(&sorting.initial.torn, false),
            },
        }
    }
}

fn sizes(list: &[SystemSize], f: impl Fn(&SystemSize) -> usize) -> String {
    let items: Vec<String> = list.iter().map(|s| f(s).to_string()).collect();
    format!("{{{}}}", items.join(", "))
}

/// A list of names that may be long.
fn shortened(names: &[String]) -> String {
    let shown = names.iter().take(10).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > 10 { format!("{shown} and {} more", names.len() - 10) } else { shown }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "model {}", self.model)?;
        writeln!(f, "  equations                         {}", self.equations)?;
        writeln!(f, "  unknowns                          {}", self.unknowns)?;
        writeln!(f, "  eliminated aliases                {}", self.aliases)?;
        writeln!(f, "  continuous states                 {}", self.states.len())?;
        for name in self.states.iter().take(20) {
            writeln!(f, "    {name}")?;
        }
        if self.states.len() > 20 {
            writeln!(f, "    and {} more", self.states.len() - 20)?;
        }
        writeln!(f, "  event-generating relations        {}", self.relations)?;
        writeln!(f, "  linear systems                    {}", sizes(&self.linear_systems, |s| s.size))?;
        writeln!(f, "    after tearing                   {}", sizes(&self.linear_systems, |s| s.torn))?;
        writeln!(f, "  nonlinear systems                 {}", sizes(&self.nonlinear_systems, |s| s.size))?;
        writeln!(f, "    after tearing                   {}", sizes(&self.nonlinear_systems, |s| s.torn))?;
        for (what, names) in [("in closed form     ", &self.closed_forms), ("if Newton fails    ", &self.closed_forms_in_need)] {
            if !names.is_empty() {
                writeln!(f, "    {what}             {}", shortened(names))?;
            }
        }
        writeln!(f, "  structural index                  {}", self.structural_index)?;
        writeln!(f, "  initial equations                 {}", self.initialisation.equations)?;
        writeln!(f, "  states fixed by default           {}", self.initialisation.default_starts.len())?;
        writeln!(f, "  nonlinear systems, initialisation {}", sizes(&self.initialisation.nonlinear_systems, |s| s.torn))
    }
}
