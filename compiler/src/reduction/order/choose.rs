//! Chooses the order of a smaller model by running the candidates.
//!
//! Input: a source, outputs and a [`Question`]. Output: [`Lowered`]: Hankel values, for each order what bounds promise and what runs show,
//! and the text of the chosen one. Method: inputs are scaled by their nominal values or by the ranges that they have in the run; affine
//! terms of modes are inputs too, so that one projection serves all modes (or, with reset maps, states are measured from the equilibrium of
//! the mode and set anew where modes change). Each candidate is a text that is compiled and run as the result will be; with scenarios each
//! is run in all of them. Guarantee: errors are those of runs of the text that is written; an unstable or integrating system is refused
//! with its eigenvalue (C112). Cost: O(n^3), and a run per order and scenario.

use super::course::{Course, Gap, Names, Runner};
use super::scenario::{Confidence, Noise, split};
use super::system::System;
use super::write::{self, Resets, Smaller, signal};
use crate::pipeline::{self, Structured};
use crate::reduction::reference::{ReductionOptions, check_outputs, check_ranges_of};
use crate::reduction::terms::models;
use partita_grammar::ast::{Class, Definition};
use partita_grammar::{Diagnostic, Source};
use partita_runtime::integrate::{Experiment, Solver};
use partita_runtime::linear::balancing::{Balanced, Matrix, Rest, balance, free_motion_map};
use partita_runtime::model::table::{Table, canonical};
use serde::Serialize;

/// Orders that are tried.
const MOST_ORDERS: usize = 12;
/// Points at which courses are compared if the model does not say.
const POINTS: f64 = 2000.0;
/// An eigenvalue above this part of the largest one does not decay.
const DECAY: f64 = 1e-12;
/// Maps of the free motion are refused above this condition.
const WORST_CONDITION: f64 = 1e8;

/// How the smaller system goes from mode to mode.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Reset {
    /// Affine terms of modes are inputs: no resets.
    #[default]
    Inputs,
    /// Balanced states of the new mode.
    Projection,
    /// The free motion fits best, for ever.
    FreeMotion,
    /// The free motion fits best, for some time.
    FreeMotionFor,
}

impl std::str::FromStr for Reset {
    type Err = String;

    fn from_str(word: &str) -> Result<Reset, String> {
        match word {
            "inputs" => Ok(Reset::Inputs),
            "a" => Ok(Reset::Projection),
            "b" => Ok(Reset::FreeMotion),
            "c" => Ok(Reset::FreeMotionFor),
            _ => Err(format!("there is no reset `{word}`; there are inputs, a, b, c")),
        }
    }
}

/// By which distance an order is chosen.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// At the same time.
    #[default]
    SameTime,
    /// At any time: directional Hausdorff.
    AnyTime,
}

impl std::str::FromStr for Measure {
    type Err = String;

    fn from_str(word: &str) -> Result<Measure, String> {
        match word {
            "same-time" => Ok(Measure::SameTime),
            "any-time" => Ok(Measure::AnyTime),
            _ => Err(format!("there is no measure `{word}`; there are same-time and any-time")),
        }
    }
}

/// Where scenarios come from.
#[derive(Clone, Debug)]
pub enum Scenarios {
    /// So many, with noise on all inputs.
    Random(usize, Noise),
    /// Courses of inputs.
    Given(Table),
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Question {
    /// This order; else the smallest one within the error.
    pub order: Option<usize>,
    /// The error that is allowed, as a part of ranges.
    pub error: f64,
    /// How errors are measured.
    pub measure: Measure,
    /// How modes change.
    pub reset: Reset,
    /// The time for which the free motion has to fit.
    pub horizon: Option<f64>,
    /// What happens to the states that go.
    pub rest: Rest,
    /// Inputs of further runs.
    pub scenarios: Option<Scenarios>,
    /// What is asked of them.
    pub confidence: Confidence,
    /// The method of integration.
    pub solver: Solver,
}

/// One order.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Number of states.
    pub order: usize,
    /// Its Hankel value.
    pub hankel: f64,
    /// The part of the sum of Hankel values that is left out.
    pub psi: f64,
    /// Bound of the error's gain, for scaled inputs.
    pub bound: f64,
    /// What its run shows; nothing if it failed.
    pub gap: Option<Gap>,
    /// Why there is no run.
    pub refused: Option<String>,
    /// The spectral radius of the reset: above one, frequent switching amplifies errors.
    pub growth: Option<f64>,
    /// With scenarios: the largest distance at any time that is left when the worst are left out.
    pub rho: Option<f64>,
}

/// What was asked of scenarios and what came out.
#[derive(Clone, Debug, Serialize)]
pub struct Sample {
    /// Runs.
    pub n: usize,
    /// The worst ones that are left out.
    pub left_out: usize,
    /// Runs that a statement about all scenarios needs.
    pub needed: Option<usize>,
    /// At most this part of all scenarios is worse.
    pub epsilon: f64,
    /// The doubt.
    pub beta: f64,
    /// The statement holds.
    pub holds: bool,
}

/// A model of lower order.
#[derive(Clone, Debug, Serialize)]
pub struct Lowered {
    /// Its text.
    #[serde(skip)]
    pub source: Source,
    /// States of the model.
    pub states: usize,
    /// Hankel values above the numerical rank.
    pub hankel: Vec<f64>,
    /// By order.
    pub rows: Vec<Row>,
    /// The chosen one.
    pub order: usize,
    /// What its text shows when it is run.
    pub gap: Gap,
    /// How often modes switch in the model as it is.
    pub switchings: usize,
    /// Equations before and after.
    pub equations: (usize, usize),
    /// Names of outputs.
    pub outputs: Vec<String>,
    /// Scenarios.
    pub sample: Option<Sample>,
    /// What the user should know.
    pub notes: Vec<String>,
    /// The error that was asked for.
    pub asked: f64,
}

/// The class that is run.
pub fn class_of<'d>(definition: &'d Definition, name: &str) -> Option<&'d Class> {
    models(definition).into_iter().find(|class| class.name.to_string() == name || canonical(&class.name.to_string()) == canonical(name))
}

/// Everything that is known before an order is chosen.
struct Study<'a> {
    options: &'a ReductionOptions<'a>,
    question: &'a Question,
    class: &'a Class,
    system: System,
    experiment: Experiment,
    names: Names,
    reference: Course,
    runner: Runner,
    balanced: Balanced,
    /// Where the system rests if signals are zero, and what modes add to that.
    rest: Matrix,
    modes: Vec<usize>,
    of_modes: Matrix,
}

/// Reduces the order of a model.
pub fn reduce(options: &ReductionOptions, question: &Question) -> Result<Lowered, Vec<Diagnostic>> {
    let structured = pipeline::structure_with(options.source, options.libraries, options.model)?;
    let definition = partita_grammar::parse(options.source)?;
    let compiled = pipeline::program(structured.clone(), &[])?;
    check_outputs(&compiled, options.outputs)?;
    let class = class_of(&definition, &structured.report.model)
        .ok_or_else(|| vec![Diagnostic::error("C115", format!("the text has no class {}", structured.report.model))])?;
    let one = |message: Box<Diagnostic>| vec![*message];
    let system = System::of(options.source, class, &structured, options.outputs).map_err(one)?;
    check_stable(&system, &structured).map_err(one)?;
    let study = Study::new(options, question, class, system, &compiled.experiment)?;
    study.choose()
}

/// Names the eigenvalue that does not decay.
fn check_stable(system: &System, structured: &Structured) -> Result<(), Box<Diagnostic>> {
    let Some(((re, im), state)) = system.a.rightmost() else { return Ok(()) };
    let size = system.a.values.iter().map(|value| value.abs()).fold(0.0, f64::max);
    if re < -DECAY * size {
        return Ok(());
    }
    let kind = if re > DECAY * size { "unstable" } else { "integrating" };
    let value = if im == 0.0 { format!("{re:.6e}") } else { format!("{re:.6e} +- {:.6e} i", im.abs()) };
    let title = format!("the model is {kind}: its eigenvalue {value} does not decay, most of all in `{}`", system.states[state]);
    let (var, _) = structured.causalized.sorting.states[state];
    let message = Diagnostic::error("C112", title).at(structured.system.vars[var].span, "this state");
    Err(Box::new(message.with_note("balancing needs every motion of the free system to end at rest")))
}

impl<'a> Study<'a> {
    fn new(
        options: &'a ReductionOptions<'a>,
        question: &'a Question,
        class: &'a Class,
        system: System,
        written: &crate::frontend::flat::Experiment,
    ) -> Result<Study<'a>, Vec<Diagnostic>> {
        let one = |message: Box<Diagnostic>| vec![*message];
        let mut experiment = pipeline::experiment(written, None, options.stop_time);
        experiment.interval = Some(experiment.interval.unwrap_or(experiment.span() / POINTS));
        experiment.solver = question.solver;
        let relations = (0..system.relations.len()).map(super::system::relation_name);
        let names = Names {
            outputs: options.outputs.to_vec(),
            signals: (0..system.signals.len()).map(signal).chain(relations).collect(),
            switching: (0..system.signals.len())
                .filter(|at| system.signals[*at].switches)
                .map(|at| (at, system.signals[at].start))
                .collect(),
            states: system.states.clone(),
        };
        let text = write::instrumented(&system, options.source, class);
        let mut runner = Runner::new(&text, options.libraries, options.model)?;
        let reference = runner.course(&experiment, &names, None).map_err(one)?;
        check_ranges_of(options.outputs, &reference.output_ranges())?;
        let modes: Vec<usize> = match question.reset {
            Reset::Inputs => Vec::new(),
            _ => names.switching.iter().map(|(at, _)| *at).collect(),
        };
        let scales: Vec<f64> = (0..system.signals.len()).map(|at| scale(&system, &reference, at)).collect();
        let pushed: Vec<usize> = (0..scales.len()).filter(|at| scales[*at] > 0.0 && !modes.contains(at)).collect();
        let b = columns(&system.b, &pushed, &scales);
        let nothing = || vec![nothing_moves(options.outputs)];
        let balanced = balance(&system.a, &b, &system.c).filter(|balanced| !balanced.hankel.is_empty()).ok_or_else(nothing)?;
        let solve = |right: &Matrix| system.a.solve(&right.scaled(-1.0)).ok_or_else(nothing);
        let rest = solve(&system.f)?;
        let of_modes = solve(&columns(&system.b, &modes, &vec![1.0; scales.len()]))?;
        Ok(Study { options, question, class, system, experiment, names, reference, runner, balanced, rest, modes, of_modes })
    }

    /// A smaller system of an order, with the condition and the growth of its resets.
    fn smaller(&self, order: usize) -> Result<(Smaller, Option<f64>), Box<Diagnostic>> {
        let System { a, b, c, g, .. } = &self.system;
        let singular = || Box::new(Diagnostic::error("C117", format!("order {order}: what is left out has no equilibrium")));
        if self.balanced.is_tie(order) {
            let title = format!("order {order} divides two equal Hankel values: it may be unstable");
            return Err(Box::new(Diagnostic::error("C117", title).with_hint(format!("take order {}", order + 1))));
        }
        let reduced = self.balanced.reduced((a, b, c), order, self.question.rest).ok_or_else(singular)?;
        let first = self.balanced.left.block(0..order, 0..a.rows);
        let projection = match self.question.reset {
            Reset::Inputs | Reset::Projection => first,
            Reset::FreeMotion | Reset::FreeMotionFor => {
                let horizon = self.question.horizon.filter(|_| self.question.reset == Reset::FreeMotionFor);
                let (map, condition) = free_motion_map(a, c, &reduced, horizon).ok_or_else(singular)?;
                if condition > WORST_CONDITION {
                    let title = format!("order {order}: the map of the free motion is not determined (condition {condition:.1e})");
                    return Err(Box::new(Diagnostic::error("C117", title).with_hint("take `--reset a` or `--reset inputs`")));
                }
                map
            }
        };
        let (states, signals) = &self.reference.start;
        let at_start = |at: &usize| self.system.signals[*at].start.unwrap_or(signals[*at]);
        let at_modes = Matrix::column(&self.modes.iter().map(at_start).collect::<Vec<f64>>());
        let from = Matrix::column(states).plus(&self.rest.scaled(-1.0)).plus(&self.of_modes.times(&at_modes).scaled(-1.0));
        let resets = (!self.modes.is_empty()).then(|| {
            let back = projection.times(&self.balanced.right);
            let others: Vec<usize> = (0..self.system.signals.len()).filter(|at| !self.modes.contains(at)).collect();
            let ones = vec![1.0; self.system.signals.len()];
            Resets {
                modes: self.modes.clone(),
                l: cleaned(back.times(&reduced.h), order),
                m: back.times(&columns(&reduced.k, &others, &ones)),
                n: projection.times(&self.of_modes),
                y: c.times(&self.of_modes),
            }
        });
        let growth = resets.as_ref().and_then(|resets| resets.l.spectral_radius());
        let relations = signals[self.system.signals.len()..].iter().map(|value| *value != 0.0).collect();
        let level = c.times(&self.rest).plus(g).values;
        Ok((Smaller { reduced, start: projection.times(&from).values, relations, level, resets }, growth))
    }

    fn text(&self, order: usize, header: &str) -> Result<(Source, Option<f64>), Box<Diagnostic>> {
        let (smaller, growth) = self.smaller(order)?;
        Ok((write::smaller(&self.system, &smaller, self.options.source, self.class, header), growth))
    }

    /// Names of what the smaller model has.
    fn names_of_smaller(&self) -> Names {
        Names { states: Vec::new(), ..self.names.clone() }
    }

    fn compiled(&self, text: &Source) -> Result<Runner, Vec<Diagnostic>> {
        Runner::new(text, self.options.libraries, self.options.model)
    }

    /// Inputs of all scenarios.
    fn scenarios(&self) -> Result<Vec<Table>, Vec<Diagnostic>> {
        let refuse = |title: &str| vec![Diagnostic::error("C118", title).with_hint("scenarios differ in the inputs of the model")];
        match &self.question.scenarios {
            None => Ok(Vec::new()),
            Some(Scenarios::Given(table)) => split(table).ok_or_else(|| refuse("columns of scenarios are named `input@number`")),
            Some(Scenarios::Random(n, noise)) => {
                let inputs = self.runner.inputs();
                if inputs.is_empty() {
                    return Err(refuse("the model has no inputs that noise could be put on"));
                }
                let Experiment { start_time, stop_time, .. } = self.experiment;
                Ok((0..*n as u64).map(|scenario| noise.table(scenario, &inputs, start_time, stop_time)).collect())
            }
        }
    }

    /// The distance at any time that is left when the worst scenarios are left out.
    fn rho(&self, runner: &mut Runner, scenarios: &[Table], references: &[Course]) -> Result<f64, Box<Diagnostic>> {
        let names = self.names_of_smaller();
        let mut distances = Vec::new();
        for (table, reference) in scenarios.iter().zip(references) {
            let gap = runner.course(&self.experiment, &names, Some(table)).map(|course| reference.gap(&course).hausdorff);
            distances.push(gap.unwrap_or(f64::INFINITY));
        }
        distances.sort_by(|a, b| b.total_cmp(a));
        let left_out = self.question.confidence.left_out(distances.len());
        Ok(distances.get(left_out).copied().unwrap_or(0.0))
    }

    fn row(&self, order: usize, scenarios: &[Table], references: &[Course]) -> Row {
        let mut row = Row {
            order,
            hankel: self.balanced.hankel[order - 1],
            psi: self.balanced.psi(order),
            bound: self.balanced.bound(order),
            gap: None,
            refused: None,
            growth: None,
            rho: None,
        };
        let (text, growth) = match self.text(order, "") {
            Ok(found) => found,
            Err(message) => return Row { refused: Some(message.title), ..row },
        };
        row.growth = growth;
        let outcome = self.compiled(&text).map_err(crate::reduction::reference::first).and_then(|mut runner| {
            let gap = self.reference.gap(&runner.course(&self.experiment, &self.names_of_smaller(), None)?);
            let rho = if scenarios.is_empty() { None } else { Some(self.rho(&mut runner, scenarios, references)?) };
            Ok((gap, rho))
        });
        match outcome {
            Ok((gap, rho)) => (row.gap, row.rho) = (Some(gap), rho),
            Err(message) => row.refused = Some(message.title),
        }
        row
    }

    fn error_of(&self, gap: &Gap) -> f64 {
        match self.question.measure {
            Measure::SameTime => gap.of_range,
            Measure::AnyTime => gap.hausdorff_of_range,
        }
    }

    fn choose(mut self) -> Result<Lowered, Vec<Diagnostic>> {
        let one = |message: Box<Diagnostic>| vec![*message];
        let rank = self.balanced.hankel.len();
        if let Some(order) = self.question.order.filter(|order| *order > rank) {
            let title =
                format!("order {order} is more than what signals reach and outputs show: {rank} of {} states", self.system.states.len());
            return Err(vec![Diagnostic::error("C117", title).with_hint(format!("take order {rank} or less"))]);
        }
        let scenarios = self.scenarios()?;
        let mut references = Vec::new();
        for table in &scenarios {
            references.push(self.runner.course(&self.experiment, &self.names, Some(table)).map_err(one)?);
        }
        let most = rank.min(MOST_ORDERS).max(self.question.order.unwrap_or(0));
        let rows: Vec<Row> = (1..=most).map(|order| self.row(order, &scenarios, &references)).collect();
        let fits = |row: &&Row| row.gap.as_ref().is_some_and(|gap| self.error_of(gap) <= self.question.error);
        let order = match self.question.order {
            Some(order) => order,
            None => rows.iter().find(fits).map(|row| row.order).ok_or_else(|| vec![self.no_order(&rows)])?,
        };
        self.finish(order, rows, scenarios.len())
    }

    fn no_order(&self, rows: &[Row]) -> Diagnostic {
        let best = rows.iter().filter_map(|row| Some((row.order, self.error_of(row.gap.as_ref()?)))).min_by(|a, b| a.1.total_cmp(&b.1));
        let title = format!("no order up to {} keeps the outputs within {} % of their range", rows.len(), 100.0 * self.question.error);
        let said = match best {
            Some((order, error)) => format!("order {order} is best, with {:.4} %", 100.0 * error),
            None => rows.iter().find_map(|row| row.refused.clone()).unwrap_or_default(),
        };
        let message = Diagnostic::error("C116", title).with_note(said);
        message.with_hint("`--order K` writes an order in spite of its error; `--measure any-time` does not mind when something happens")
    }

    /// Writes the text and measures it as it is written.
    fn finish(self, order: usize, rows: Vec<Row>, n: usize) -> Result<Lowered, Vec<Diagnostic>> {
        let one = |message: Box<Diagnostic>| vec![*message];
        let measured = |text: &Source| -> Result<(Gap, usize), Vec<Diagnostic>> {
            let mut runner = self.compiled(text)?;
            let course = runner.course(&self.experiment, &self.names_of_smaller(), None).map_err(one)?;
            Ok((self.reference.gap(&course), runner.equations))
        };
        let (draft, _) = self.text(order, "").map_err(one)?;
        let (gap, _) = measured(&draft)?;
        let (source, _) = self.text(order, &self.header(order, &gap)).map_err(one)?;
        let (gap, equations) = measured(&source)?;
        let confidence = self.question.confidence;
        let sample = (n > 0).then(|| Sample {
            n,
            left_out: confidence.left_out(n),
            needed: confidence.first(rows.len()),
            epsilon: confidence.epsilon,
            beta: confidence.beta,
            holds: confidence.holds(n, rows.len()),
        });
        Ok(Lowered {
            source,
            states: self.system.states.len(),
            hankel: self.balanced.hankel.clone(),
            rows,
            order,
            gap,
            switchings: self.reference.switchings.len(),
            equations: (self.runner.equations, equations),
            outputs: self.system.outputs.clone(),
            sample,
            notes: super::separate::remark(&self.system.separated).into_iter().collect(),
            asked: self.question.error,
        })
    }

    fn header(&self, order: usize, gap: &Gap) -> String {
        let Experiment { start_time, stop_time, tolerance, .. } = self.experiment;
        format!(
            "Reduced by `partita reduce --by order` from {}: {} states are now {order}.\n\
             Valid for the run from time {start_time} to {stop_time} with tolerance {tolerance:e} and the parameters of this text only.\n\
             Outputs: {}. Error asked: {:.3} % of their range, found: {:.4} % at the same time, {:.4} % at any time.\n\
             Modes switch {} times, {} times in the model as it was.\n",
            self.options.source.name,
            self.system.states.len(),
            self.options.outputs.join(", "),
            100.0 * self.question.error,
            100.0 * gap.of_range,
            100.0 * gap.hausdorff_of_range,
            gap.switchings,
            self.reference.switchings.len(),
        )
    }
}

/// How large a signal is: what is declared, or how far it moves.
fn scale(system: &System, reference: &Course, at: usize) -> f64 {
    let (low, high) = reference.ranges[at];
    system.signals[at].nominal.unwrap_or(high - low).abs()
}

/// Some columns, each times a number of its own.
fn columns(matrix: &Matrix, which: &[usize], scales: &[f64]) -> Matrix {
    let mut found = Matrix::zeros(matrix.rows, which.len());
    for (column, at) in which.iter().enumerate() {
        (0..matrix.rows).for_each(|row| found.set(row, column, scales[*at] * matrix.get(row, *at)));
    }
    found
}

/// A map that is the identity but for rounding.
fn cleaned(map: Matrix, n: usize) -> Matrix {
    let off = map.plus(&Matrix::identity(n).scaled(-1.0));
    if off.values.iter().all(|value| value.abs() < 1e-7) { Matrix::identity(n) } else { map }
}

fn nothing_moves(outputs: &[String]) -> Diagnostic {
    let title = format!("no signal reaches {} through a state: there is nothing to balance", crate::reduction::text::listed(outputs));
    Diagnostic::error("C114", title)
        .with_hint("balancing compares what inputs reach with what outputs show; a free motion alone has neither")
}
