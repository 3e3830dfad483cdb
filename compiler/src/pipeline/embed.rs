//! Partita in a Rust program: a text to a model, a model to a result. The crate's page shows how it is used.
//!
//! Input: text of a model, and what is to be done otherwise than the model says. Output: results in memory. A model is compiled once and can
//! be run many times, with other parameters, also by several threads at once. Cost: that of the passes and of the runs.

use crate::base::messages::run_message;
use crate::decouple::cycles::{self, CycleAnalysis};
use crate::pipeline::passes::start_points;
use crate::pipeline::{self, Compiled, Libraries};
use partita_grammar::{Diagnostic, Source, render};
use partita_runtime::base::error::RunError;
use partita_runtime::exec::Instance;
use partita_runtime::integrate::{self, Sink, Solver};
use partita_runtime::model::overrides::Override;
use partita_runtime::result::compare::{self, Comparison, TUBE};
use partita_runtime::result::read::Table;
use partita_runtime::simulator::asked::Asked;
use std::fmt;
use std::path::Path;

/// Compiles the last model of a text.
///
/// ```
/// let model = partita::compile("model Decay
///   parameter Real k = 2;
///   Real x(start = 1, fixed = true);
/// equation
///   der(x) = -k*x;
/// end Decay;")?;
/// let slow = model.run().set("k", 1.0).stop_time(3.0).simulate()?;
/// let x = slow.values("x").expect("the model has x");
/// assert!((x[x.len() - 1] - (-3.0_f64).exp()).abs() < 1e-4);
/// # Ok::<(), partita::Failure>(())
/// ```
///
/// What is wrong with a model is said with its place:
///
/// ```
/// let failure = partita::compile("model M\n  Real x;\nequation\n  der(x) = -y;\nend M;").err().expect("y is not declared");
/// assert!(failure.to_string().contains("unknown variable `y`"));
/// ```
pub fn compile(text: &str) -> Result<Model, Failure> {
    Model::compile(text)
}

/// Compiles the last model of a text and runs it as its `experiment` annotation says.
///
/// ```
/// let result = partita::simulate("model Fall
///   Real h(start = 100, fixed = true), v(start = 0, fixed = true);
/// equation
///   der(h) = v; der(v) = -9.81;
///   annotation(experiment(StopTime = 2));
/// end Fall;")?;
/// let h = result.values("h").expect("the model has h");
/// assert!((h[h.len() - 1] - (100.0 - 9.81 * 2.0)).abs() < 1e-4);
/// # Ok::<(), partita::Failure>(())
/// ```
pub fn simulate(text: &str) -> Result<Table, Failure> {
    Model::compile(text)?.run().simulate()
}

/// The time scales of a model's states at the start of its run: for each the longest step of an explicit method and the cycle of influences
/// that limits it.
///
/// ```
/// let model = partita::compile("model Room
///   Real wire(start = 300, fixed = true), room(start = 290, fixed = true);
/// equation
///   der(wire) = 100*(room - wire); der(room) = 0.01*(wire - room);
/// end Room;")?;
/// let analysis = partita::analyze(&model)?;
/// let slowest = analysis.order[analysis.order.len() - 1];
/// assert_eq!(analysis.names[slowest], "room");
/// # Ok::<(), partita::Failure>(())
/// ```
pub fn analyze(model: &Model) -> Result<CycleAnalysis, Failure> {
    let jacobians = start_points(&model.compiled.program, &model.compiled.experiment)
        .map(|points| points.into_iter().map(|point| point.jacobian).collect::<Vec<_>>());
    let made = jacobians.and_then(|found| cycles::analyze_points(&found, &cycles::Options::default()).map_err(|message| vec![*message]));
    made.map_err(|diagnostics| Failure { source: model.source.clone(), diagnostics })
}

/// Compares all signals of a reference with those of a result by the tube test of the library testers, with tubes of 0.002 of each signal's
/// range.
///
/// ```
/// let model = partita::compile("model Decay
///   parameter Real k = 2;
///   Real x(start = 1, fixed = true);
/// equation
///   der(x) = -k*x;
/// end Decay;")?;
/// let reference = model.run().simulate()?;
/// assert!(partita::compare(&reference, &model.run().tolerance(1e-8).simulate()?).passes());
/// assert!(!partita::compare(&reference, &model.run().set("k", 2.1).simulate()?).passes());
/// # Ok::<(), partita::Failure>(())
/// ```
pub fn compare(reference: &Table, result: &Table) -> Comparison {
    compare::compare(reference, result, None, TUBE)
}

/// Why there is no model or no result: messages with their places.
#[derive(Clone, Debug)]
pub struct Failure {
    source: Source,
    /// The messages.
    pub diagnostics: Vec<Diagnostic>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for diagnostic in &self.diagnostics {
            writeln!(f, "{}", render(diagnostic, &self.source))?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

/// A compiled model.
pub struct Model {
    source: Source,
    compiled: Compiled,
    /// Never run itself; runs are forked from it and share its code.
    instance: Instance,
}

impl Model {
    /// Compiles the last model of a text.
    pub fn compile(text: &str) -> Result<Model, Failure> {
        Model::of(Source { name: "model.mo".to_string(), text: text.to_string() })
    }

    /// Compiles the last model of a file.
    pub fn open(path: &Path) -> Result<Model, Failure> {
        let name = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => Model::of(Source { name, text }),
            Err(error) => {
                let message = run_message(&RunError::new("R211", format!("cannot read `{name}`: {error}")));
                Err(Failure { source: Source { name, text: String::new() }, diagnostics: vec![message] })
            }
        }
    }

    fn of(source: Source) -> Result<Model, Failure> {
        let made = pipeline::compile(&source, None).and_then(|compiled| Ok((pipeline::instantiate(&compiled, true)?.instance, compiled)));
        match made {
            Ok((instance, compiled)) => Ok(Model { source, compiled, instance }),
            Err(diagnostics) => Err(Failure { source, diagnostics }),
        }
    }

    /// What the compiler found.
    pub fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    /// A run, to be described further.
    pub fn run(&self) -> Run<'_> {
        Run { model: self, settings: Vec::new(), start_time: None, stop_time: None, tolerance: None, interval: None, solver: None }
    }
}

/// A run of a model: what the model's experiment annotation says, unless something else is said here.
#[derive(Clone)]
pub struct Run<'a> {
    model: &'a Model,
    settings: Vec<Override>,
    start_time: Option<f64>,
    stop_time: Option<f64>,
    tolerance: Option<f64>,
    interval: Option<f64>,
    solver: Option<Solver>,
}

impl Run<'_> {
    /// Sets a parameter or start value: a number, `true`, an enumeration's literal, `{1, 2}` for an array. Whatever follows from it
    /// follows; where it is part of the equations the model is compiled again.
    #[must_use]
    pub fn set(mut self, name: &str, value: impl fmt::Display) -> Self {
        self.settings.push(Override { name: name.to_string(), value: value.to_string() });
        self
    }

    /// Begins at this time.
    #[must_use]
    pub fn start_time(mut self, time: f64) -> Self {
        self.start_time = Some(time);
        self
    }

    /// Ends at this time.
    #[must_use]
    pub fn stop_time(mut self, time: f64) -> Self {
        self.stop_time = Some(time);
        self
    }

    /// The relative tolerance.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = Some(tolerance);
        self
    }

    /// The time between results.
    #[must_use]
    pub fn interval(mut self, interval: f64) -> Self {
        self.interval = Some(interval);
        self
    }

    /// The method of integration.
    #[must_use]
    pub fn solver(mut self, solver: Solver) -> Self {
        self.solver = Some(solver);
        self
    }

    /// Simulates and gives the courses of all variables.
    pub fn simulate(&self) -> Result<Table, Failure> {
        let model = self.model;
        let failed = |error: &RunError| Failure { source: model.source.clone(), diagnostics: vec![run_message(error)] };
        let mut instance = model.instance.fork();
        let mut annotation = model.compiled.experiment;
        // What the code cannot follow, or refuses, the compiler decides.
        if self.settings.iter().any(|given| instance.set_text(&given.name, &given.value).is_err()) {
            let libraries = Libraries { overrides: self.settings.clone(), ..Libraries::default() };
            let made = pipeline::compile_with(&model.source, &libraries, None)
                .and_then(|compiled| Ok((pipeline::instantiate(&compiled, true)?.instance, compiled)));
            let (again, compiled) = made.map_err(|diagnostics| Failure { source: model.source.clone(), diagnostics })?;
            (instance, annotation) = (again, compiled.experiment);
        }
        let Run { start_time, stop_time, tolerance, interval, .. } = *self;
        let asked = Asked { start_time, stop_time, tolerance, interval, ..Asked::default() };
        let (mut experiment, _) = asked.experiment(&annotation);
        experiment.solver = self.solver.unwrap_or(experiment.solver);
        let signals = &instance.plan().interface.signals.clone();
        let mut points = Points { times: Vec::new(), columns: vec![Vec::new(); signals.iter().filter(|signal| signal.varies).count()] };
        integrate::simulate(&mut instance, &experiment, &mut points).map_err(|error| failed(&error))?;
        let n_points = points.times.len();
        let mut varying = points.columns.into_iter();
        let constants = instance.parameter_values();
        let mut constants = constants.into_iter();
        let columns = signals.iter().map(|signal| {
            let values = if signal.varies { varying.next() } else { constants.next().map(|(_, value)| vec![value; n_points]) };
            (signal.name.clone(), values.unwrap_or_default())
        });
        Ok(Table::from_columns(points.times, columns.collect()))
    }
}

/// Results in memory.
struct Points {
    times: Vec<f64>,
    columns: Vec<Vec<f64>>,
}

impl Sink for Points {
    fn point(&mut self, t: f64, row: &[f64]) -> Result<(), RunError> {
        self.times.push(t);
        for (column, value) in self.columns.iter_mut().zip(row) {
            column.push(*value);
        }
        Ok(())
    }
}
