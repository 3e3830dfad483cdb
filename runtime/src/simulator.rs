//! The main program of a built simulator: reads the flags, runs the model it carries, writes the results.
//!
//! Exit codes: 0 done, 1 the run failed, 2 wrong flags or a file that cannot be written.

pub mod baked;
pub mod flags;
pub mod image;

use crate::abi::machine_code::MachineCode;
use crate::error::RunError;
use crate::exec::Instance;
use crate::integrate::{Sink, simulate};
use crate::result::read::read;
use crate::result::{ResultWriter, keeps};
use flags::{Flags, HELP};
use image::{Image, SourceLines};
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// Why a simulator ends early.
enum Failure {
    Usage(String),
    Run(String),
}

/// Takes the points when no file is wanted.
struct Nowhere;

impl Sink for Nowhere {
    fn point(&mut self, _: f64, _: &[f64]) -> Result<(), RunError> {
        Ok(())
    }
}

/// Runs the model that an executable carries, with the flags of this process.
pub fn main(image: Image, began: Instant) -> ExitCode {
    let arguments: Vec<String> = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    match run(image, &arguments, began) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Run(text)) => {
            eprint!("{text}");
            ExitCode::from(1)
        }
        Err(Failure::Usage(text)) => {
            eprintln!("error: {text}");
            ExitCode::from(2)
        }
    }
}

/// Prints to standard output; a closed pipe is not an error of ours.
fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// A failure or warning (`severity` says which) of the run as text.
fn message(severity: &str, error: &RunError, source: &SourceLines) -> String {
    let at = error.time.map_or(String::new(), |time| format!(" at time {}", format!("{time:.8e}").parse().unwrap_or(time)));
    let mut text = format!("{severity}[{}]: {}{at}\n", error.code, error.title);
    if let Some(((start, _), what)) = &error.place {
        text.push_str(&format!("  --> {}: {what}\n", source.place(*start)));
    }
    for other in &error.others {
        text.push_str(&format!("  --> {}: {}\n", source.place(other.span.0), other.text));
    }
    for note in &error.notes {
        text.push_str(&format!("  note: {note}\n"));
    }
    if let Some(hint) = &error.hint {
        text.push_str(&format!("  hint: {hint}\n"));
    }
    text
}

fn run(image: Image, arguments: &[String], began: Instant) -> Result<(), Failure> {
    let flags = Flags::parse(arguments).map_err(Failure::Usage)?;
    if flags.help {
        print(&format!("Simulates {}, compiled by Partita {} from {}.\n\n{HELP}\n", image.plan.name, image.version, image.source.name));
        return Ok(());
    }
    if flags.version {
        print(&format!("{} (Partita {})\n", image.plan.name, image.version));
        return Ok(());
    }
    for remark in &flags.remarks {
        eprintln!("warning: {remark}");
    }
    let mut experiment = flags.experiment(&image);
    let output = flags.output(&image.plan.name).map_err(Failure::Usage)?;
    let Image { mut plan, object, source, baked, .. } = image;
    flags.permit(&mut plan.files).map_err(Failure::Usage)?;
    let code = MachineCode::load(&object, &flags.external).map_err(|error| Failure::Run(format!("error: {error}\n")))?;
    let plan = Arc::new(plan);
    let failed = |error: &RunError| Failure::Run(message("error", error, &source));
    let mut instance = Instance::new(plan.clone(), Arc::new(code)).map_err(|error| failed(&error))?;
    for (name, value) in &flags.settings {
        instance.set(name, *value).map_err(|error| Failure::Usage(error.to_string()))?;
    }
    if let Some(path) = &flags.inputs {
        let table = read(path).map_err(|error| Failure::Usage(error.title))?;
        instance.set_inputs(&table).map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
    }
    for name in &flags.last_values {
        if instance.value(name).is_none() {
            return Err(Failure::Usage(format!("the model has no variable `{name}`")));
        }
    }
    if let Some(baked) = &baked {
        let mixed = baked.experiment(&experiment, flags.step);
        // The partition was decided for the model as it was built.
        let broken = if flags.changes_the_split() { baked.broken(&instance, &mixed) } else { None };
        match broken {
            _ if flags.solver.is_some() => eprintln!("warning: a method was given: the model runs as a whole, not decoupled"),
            Some(why) => eprintln!("warning: the partition no longer holds, the model runs as a whole: {why}"),
            None => experiment = mixed,
        }
    }
    let ready = began.elapsed();
    let mut writer = match &output {
        Some(path) => {
            let keep = keeps(path, flags.filter.as_ref());
            Some(ResultWriter::create(path, &plan.signals, &keep).map_err(|error| Failure::Usage(error.title))?)
        }
        None => None,
    };
    let outcome = match &mut writer {
        Some(writer) => simulate(&mut instance, &experiment, writer),
        None => simulate(&mut instance, &experiment, &mut Nowhere),
    };
    for warning in instance.warnings() {
        eprintln!("warning: {warning}");
    }
    let statistics = match outcome {
        Ok(statistics) => statistics,
        Err(mut error) => {
            let kept = writer.map(|writer| writer.finish_incomplete(&instance.parameter_values())).transpose();
            if let Some(path) = kept.map_err(|error| Failure::Usage(error.title))?.flatten() {
                error.notes.push(format!("the results so far are in {}", path.display()));
            }
            return Err(failed(&error));
        }
    };
    for warning in &statistics.warnings {
        eprint!("{}", message("warning", warning, &source));
    }
    if let Some(writer) = writer {
        writer.finish(&instance.parameter_values()).map_err(|error| Failure::Usage(error.title))?;
    }
    if !flags.last_values.is_empty() {
        let values = flags.last_values.iter().filter_map(|name| Some(format!(",{name}={}", instance.value(name)?)));
        print(&format!("time={}{}\n", statistics.end_time, values.collect::<String>()));
    }
    if flags.statistics {
        let total = began.elapsed();
        print(&format!(
            "### STATISTICS ###\n{:.6} s until the run begins, {:.6} s in all\nsolver: {} with tolerance {:e}\n{statistics}{}\n",
            ready.as_secs_f64(),
            total.as_secs_f64(),
            experiment.method_word(),
            experiment.tolerance,
            instance.statistics()
        ));
    }
    print("LOG_SUCCESS       | info    | The simulation finished successfully.\n");
    Ok(())
}
