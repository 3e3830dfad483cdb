//! Values of options, and options that fit neither the others nor the model: refused, never ignored.

use crate::failure::Failure;
use partita::decouple::operating_points::At;
use partita_runtime::integrate::{Experiment, Solver};

/// A number that is more than zero.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    number(text).and_then(|value| if value > 0.0 { Ok(value) } else { Err("it has to be more than zero".to_string()) })
}

/// A number that is finite.
pub(crate) fn number(text: &str) -> Result<f64, String> {
    text.trim().parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(|| "expected a number".to_string())
}

/// A whole number that is more than zero.
pub(crate) fn count(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| "expected a whole number above zero".to_string())
}

/// A part of one, or percent.
pub(crate) fn part(text: &str) -> Result<f64, String> {
    let value = match text.strip_suffix('%') {
        Some(percent) => positive(percent).map(|value| value / 100.0),
        None => positive(text),
    };
    value.and_then(|value| if value < 1.0 { Ok(value) } else { Err("it has to be less than the whole range".to_string()) })
}

/// Only methods with a fixed step take one.
pub(crate) fn check_step(step: Option<f64>, solver: Solver) -> Result<(), Failure> {
    match step {
        Some(step) if !solver.is_fixed_step() => Err(Failure::Outside(format!(
            "--step {step} is for methods with a fixed step, but {solver} chooses its steps by the tolerance; --solver rk4 takes this step, --interval {step} gives results so often"
        ))),
        _ => Ok(()),
    }
}

/// Times of an option lie within the run.
pub(crate) fn check_times(option: &str, times: &[f64], experiment: &Experiment) -> Result<(), Failure> {
    match times.iter().find(|time| !(experiment.start_time..=experiment.stop_time).contains(*time)) {
        Some(time) => Err(Failure::Outside(format!(
            "{option} {time} is not between {} and {}, where the run is",
            experiment.start_time, experiment.stop_time
        ))),
        None => Ok(()),
    }
}

/// Operating points lie within the run.
pub(crate) fn check_points(at: Option<&At>, experiment: &Experiment) -> Result<(), Failure> {
    match at {
        Some(At::Times(times)) => check_times("--at", times, experiment),
        _ => Ok(()),
    }
}

/// What to write instead of a flag of OpenModelica's simulators, which `partita build` makes.
pub(crate) fn instead_of(flag: &str) -> Option<&'static str> {
    Some(match flag {
        "-r" => "`--output FILE` names the result",
        "-s" => "`--solver NAME` chooses the method",
        "-w" | "-lv" => "all warnings are shown",
        "-f" => "the model is the file that is named",
        "-i" => "`--input FILE` gives inputs their values",
        _ => return None,
    })
}
