//! What Partita says about a model: the whole chain in this process, by the interpreter or by machine code.

use crate::simulation::{Engine, Points, instance, rendered};
use partita::base::messages::run_message;
use partita::pipeline::{self, Compiled};
use partita_grammar::Source;
use partita_runtime::integrate::{Experiment, simulate};
use partita_runtime::result::read::Table;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Compiles a text; a panic is a message like others.
pub fn compile(source: &Source) -> Result<Compiled, String> {
    match catch_unwind(AssertUnwindSafe(|| pipeline::compile(source, None))) {
        Ok(outcome) => outcome.map_err(|messages| rendered(&messages, source)),
        Err(_) => Err("the compiler panicked".to_string()),
    }
}

/// Runs a compiled model and gives the courses of all its variables and parameters.
pub fn run(
    compiled: &Compiled,
    source: &Source,
    engine: Engine,
    experiment: &Experiment,
    settings: &[(String, f64)],
) -> Result<Table, String> {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let mut points = Points::default();
        let mut instance = instance(compiled, engine)?;
        for (name, value) in settings {
            instance.set(name, *value).map_err(|error| partita_runtime::base::error::RunError::new("R200", error.to_string()))?;
        }
        simulate(&mut instance, experiment, &mut points)?;
        Ok(table(compiled, &points, &instance.parameter_values()))
    }));
    match outcome {
        Ok(outcome) => outcome.map_err(|error| rendered(&[run_message(&error)], source)),
        Err(_) => Err("the run panicked".to_string()),
    }
}

fn table(compiled: &Compiled, points: &Points, constants: &[(usize, f64)]) -> Table {
    let n_points = points.times.len();
    let mut constants = constants.iter();
    let mut column = 0;
    let columns = compiled.program.plan.interface.signals.iter().map(|signal| {
        let values = if signal.varies {
            column += 1;
            points.rows.iter().map(|row| row[column - 1]).collect()
        } else {
            constants.next().map(|(_, value)| vec![*value; n_points]).unwrap_or_default()
        };
        (signal.name.clone(), values)
    });
    Table::from_columns(points.times.clone(), columns.collect())
}
