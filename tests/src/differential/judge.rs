//! Whether the oracle and Partita agree about a model.

use super::candidate;
use super::case::Case;
use crate::oracle::{Course, Fault, Model, follow};
use crate::simulation::Engine;
use partita_grammar::Source;
use partita_runtime::integrate::{Experiment, Solver};
use partita_runtime::result::read::Table;

/// What became of a model.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Both sides say the same; so many numbers were compared.
    Same(usize),
    /// The oracle has no sure answer, so there is nothing to compare.
    NoCase(String),
    /// They differ.
    Different(String),
}

/// Decisions nearer to their other outcome than this may fall either way by rounding.
const MARGIN: f64 = 1e-8;

/// Results with one step of the oracle and with half of it differ by less than this; what is left after extrapolation is far below.
const DOUBT: f64 = 1e-6;

/// Beyond this, rounding errors count.
const LARGEST: f64 = 1e9;

/// Functions with an event at every whole number.
const ROUNDINGS: [&str; 6] = ["div(", "mod(", "rem(", "integer(", "floor(", "ceil("];

/// How Partita runs a model.
#[derive(Clone, Debug)]
pub struct Way {
    /// What runs its code.
    pub engine: Engine,
    /// The method of integration.
    pub solver: Solver,
    /// Parameters set before the run.
    pub settings: Vec<(String, f64)>,
}

impl Way {
    /// The default method.
    pub fn by(engine: Engine) -> Way {
        Way { engine, solver: Solver::default(), settings: Vec::new() }
    }
}

fn source(text: &str) -> Source {
    Source { name: "model.mo".to_string(), text: text.to_string() }
}

/// What the oracle says about a text.
pub fn oracle(text: &str, case: &Case) -> Result<Course, Fault> {
    let source = source(text);
    let definition = partita_grammar::parse(&source)
        .map_err(|messages| Fault::Unsupported(format!("the text: {}", crate::simulation::rendered(&messages, &source))))?;
    follow(&Model::of(&definition)?, case.stop, case.n_points, case.n_steps)
}

/// Judges a case.
pub fn judge(case: &Case, ways: &[Way]) -> Verdict {
    let course = match oracle(case.explicit.as_ref().unwrap_or(&case.text), case) {
        Ok(course) => course,
        Err(Fault::Unsupported(what)) => return Verdict::Different(format!("the interpreter does not know {what}")),
        Err(fault) => return Verdict::NoCase(fault.to_string()),
    };
    if course.margin < MARGIN {
        return Verdict::NoCase("a decision within rounding errors".to_string());
    }
    if course.doubt > DOUBT || course.largest > LARGEST {
        return Verdict::NoCase("a result that is not accurate enough".to_string());
    }
    compared(case, &course, ways)
}

/// Partita's result beside the oracle's.
fn compared(case: &Case, course: &Course, ways: &[Way]) -> Verdict {
    let source = source(&case.text);
    let compiled = match candidate::compile(&source) {
        Ok(compiled) => compiled,
        Err(message) => return Verdict::Different(message),
    };
    let mut n_compared = 0;
    for way in ways {
        let experiment = Experiment {
            stop_time: case.stop,
            interval: Some(case.stop / case.n_points as f64),
            tolerance: 1e-9,
            solver: way.solver,
            ..Experiment::default()
        };
        let verdict = candidate::run(&compiled, &source, way.engine, &experiment, &way.settings)
            .and_then(|table| agree(course, &table, case.tolerance));
        match verdict {
            Ok(n) => n_compared += n,
            // At a pole of its operand a rounding jumps infinitely often; the oracle steps over it.
            Err(what) if what.starts_with("error[R216]") && ROUNDINGS.iter().any(|rounding| case.text.contains(rounding)) => {
                return Verdict::NoCase("infinitely many events of a rounding".to_string());
            }
            Err(what) => return Verdict::Different(format!("{what} ({:?}, {})", way.engine, way.solver)),
        }
    }
    Verdict::Same(n_compared)
}

/// Compares all variables at all output points; how many numbers that were.
pub fn agree(course: &Course, table: &Table, tolerance: f64) -> Result<usize, String> {
    let rows = rows_at(course, table)?;
    let mut n_compared = 0;
    for (name, values) in &course.columns {
        let Some(found) = table.values(name) else {
            // Derivatives that the solver does not need are not in results.
            if name.starts_with("der(") || is_constant(values) {
                continue;
            }
            return Err(format!("`{name}` is not in the result"));
        };
        let size = values.iter().fold(1.0, |size: f64, v| size.max(v.abs()));
        let allowed = tolerance * size + 1e-13 * course.largest;
        for ((time, &expected), rows) in course.times.iter().zip(values).zip(&rows) {
            // At an event the values before and after it have a row each.
            let agrees = found[rows.clone()].iter().any(|found| (found - expected).abs() <= allowed);
            if !agrees {
                return Err(format!("{name} at time {time}: {} by Partita, {expected} by the interpreter", found[rows.end - 1]));
            }
            n_compared += 1;
        }
    }
    Ok(n_compared)
}

fn is_constant(values: &[f64]) -> bool {
    values.iter().all(|v| *v == values[0])
}

/// The rows of the table at each output time.
fn rows_at(course: &Course, table: &Table) -> Result<Vec<std::ops::Range<usize>>, String> {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-10 * b.abs().max(1.0);
    let rows = |t: f64| {
        let first = table.time.iter().position(|&time| near(time, t));
        let last = table.time.iter().rposition(|&time| near(time, t));
        first.zip(last).map(|(first, last)| first..last + 1).ok_or_else(|| format!("no result at time {t}"))
    };
    course.times.iter().map(|&t| rows(t)).collect()
}
