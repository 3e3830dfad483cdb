//! The main program of a built simulator: reads the flags, runs the model it carries, writes the results.
//!
//! Exit codes: 0 done, 1 the run failed, 2 wrong flags or a file that cannot be read or written, 128 and the number of the signal that
//! stopped the run.

pub mod asked;
pub mod embedded_partition;
pub mod flags;
pub mod model_image;

use crate::abi::machine_code::MachineCode;
use crate::base::error::RunError;
use crate::base::files::{Files, is_about_streams, say_aside};
use crate::base::interrupt::{self, Running};
use crate::base::number::{rounded, shown};
use crate::base::terminal::{self, say};
use crate::exec::{Instance, SetError};
use crate::integrate::{Experiment, Sink, Statistics, simulate};
use crate::model::bounds::{self, Watch};
use crate::model::overrides::Override;
use crate::model::plan::Plan;
use crate::result::read::read;
use crate::result::{ResultWriter, check_filter, incomplete, keeps};
use asked::{Origin, Origins};
use flags::{Flags, HELP};
use model_image::{ModelImage, SourceLines};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// Why a simulator ends early.
enum SimulatorFailure {
    Usage(String),
    /// A stream of this process is a file that is read or written.
    Stream(RunError),
    Run(String),
    /// The user stopped the run.
    Stopped(String),
}

/// A file that cannot be read or written is not the model's fault.
fn outside(error: RunError) -> SimulatorFailure {
    if is_about_streams(&error) { SimulatorFailure::Stream(error) } else { SimulatorFailure::Usage(error.title) }
}

/// Takes the points of a run: into a file, if one is wanted.
struct Results {
    writer: Option<ResultWriter>,
    /// Whether results stay within their bounds.
    bounds: Watch,
    running: Running,
}

impl Sink for Results {
    fn point(&mut self, t: f64, row: &[f64]) -> Result<(), RunError> {
        self.bounds.point(t, row);
        self.writer.as_mut().map_or(Ok(()), |writer| writer.row(t, row))
    }

    fn stops(&self) -> bool {
        self.running.is_asked_to_stop()
    }
}

impl Results {
    /// Keeps what there is of a run that did not come to its end; a line that says where, if there is anything.
    fn keep_incomplete(self, constants: &[(usize, f64)]) -> Option<String> {
        match self.writer?.finish_incomplete(constants) {
            Ok(path) => path.map(|path| format!("the results so far are in {}", path.display())),
            Err(error) => Some(format!("the results so far are lost: {}", error.title)),
        }
    }
}

/// Runs the model that an executable carries, with the flags of this process.
pub fn main(image: ModelImage, began: Instant) -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    match run(image, &arguments, began) {
        Ok(()) => ExitCode::SUCCESS,
        Err(SimulatorFailure::Run(text)) => {
            say(&text);
            ExitCode::from(1)
        }
        Err(SimulatorFailure::Usage(text)) => {
            say(&format!("error: {text}\n"));
            ExitCode::from(2)
        }
        Err(SimulatorFailure::Stream(error)) => {
            say_aside(&error);
            ExitCode::from(2)
        }
        Err(SimulatorFailure::Stopped(text)) => {
            say(&text);
            ExitCode::from(interrupt::exit_code())
        }
    }
}

/// Prints to standard output.
fn print(text: &str) -> Result<(), SimulatorFailure> {
    terminal::print(text).map_err(|error| SimulatorFailure::Usage(format!("cannot write to standard output: {error}")))
}

/// What the simulator reads and writes, compared before anything is written.
fn files(flags: &Flags, output: Option<&Path>) -> Result<Files, RunError> {
    let mut files = Files::new();
    if let Ok(own) = std::env::current_exe() {
        files.reads("the simulator", &own)?;
    }
    flags.override_files.iter().try_for_each(|path| files.reads("the file of -overrideFile", path))?;
    flags.inputs.iter().try_for_each(|path| files.reads("the inputs", path))?;
    if let Some(path) = output {
        files.writes("the result", path)?;
        files.may_write("an incomplete result", &incomplete(path))?;
    }
    Ok(files)
}

/// A failure or warning (`severity` says which) of the run as text.
fn message(severity: &str, error: &RunError, source: &SourceLines) -> String {
    let at = error.time.map_or(String::new(), |time| format!(" at time {}", rounded(time)));
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

/// Why a value cannot be set, and what to do instead.
fn refusal(error: &SetError, given: &Override, rebuild: &str, source: &SourceLines) -> String {
    let SetError::Kept { place, rebuild: helps, .. } = error else { return error.to_string() };
    let place = place.map_or(String::new(), |(start, _)| format!(" ({})", source.place(start)));
    let quote = if given.value.contains(|c: char| !c.is_ascii_alphanumeric() && !".-+".contains(c)) { "'" } else { "" };
    let hint = if *helps {
        format!("\n  hint: build it anew: {rebuild} --set {quote}{}={}{quote}", given.name, given.value)
    } else {
        String::new()
    };
    format!("{error}{place}{hint}")
}

/// A model that is loaded, and how it is run.
struct Prepared {
    plan: Arc<Plan>,
    instance: Instance,
    experiment: Experiment,
    origins: Origins,
    source: SourceLines,
    output: Option<PathBuf>,
}

impl Prepared {
    fn failed(&self, error: &RunError) -> SimulatorFailure {
        SimulatorFailure::Run(message("error", error, &self.source))
    }

    fn warn(&self, warnings: &[RunError]) {
        warnings.iter().for_each(|warning| say(&message("warning", warning, &self.source)));
    }
}

/// Loads the model and sets what the flags say.
fn prepare(image: ModelImage, flags: &Flags, output: Option<PathBuf>) -> Result<Prepared, SimulatorFailure> {
    flags.check_step(image.partition.is_some()).map_err(SimulatorFailure::Usage)?;
    interrupt::listen().map_err(|error| SimulatorFailure::Usage(format!("cannot listen to signals: {error}")))?;
    let (mut experiment, mut origins) = flags.experiment(&image);
    if let (Some(given), Some(path)) = (&flags.given_output, &output)
        && given != path
    {
        say(&format!("note: the result is written to {}\n", path.display()));
    }
    let ModelImage { mut plan, object, source, partition, rebuild, splits_itself, .. } = image;
    experiment.partition = splits_itself;
    flags.permit(&mut plan.outside.files).map_err(SimulatorFailure::Usage)?;
    let code = MachineCode::load(&object, &flags.external).map_err(|error| SimulatorFailure::Run(format!("error: {error}\n")))?;
    let plan = Arc::new(plan);
    let made = Instance::new(plan.clone(), Arc::new(code));
    let mut instance = made.map_err(|error| SimulatorFailure::Run(message("error", &error, &source)))?;
    for given in &flags.settings {
        instance.set_text(&given.name, &given.value).map_err(|error| SimulatorFailure::Usage(refusal(&error, given, &rebuild, &source)))?;
    }
    if let Some(path) = &flags.inputs {
        let table = read(path).map_err(outside)?;
        instance.set_inputs(&table).map_err(|error| SimulatorFailure::Usage(format!("{}: {error}", path.display())))?;
    }
    for name in &flags.last_values {
        if instance.value(name).is_none() {
            return Err(SimulatorFailure::Usage(format!("the model has no variable `{name}`")));
        }
    }
    if let Some(partition) = &partition {
        let mixed = partition.experiment(&experiment, flags.step);
        // The partition was decided for the model as it was built.
        let broken = if flags.changes_the_split() { partition.broken(&instance, &mixed) } else { None };
        match broken {
            _ if flags.solver.is_some() => say("warning: a method was given: the model runs as a whole, not decoupled\n"),
            Some(why) => say(&format!("warning: the partition no longer holds, the model runs as a whole: {why}\n")),
            None => {
                experiment = mixed;
                if flags.step.is_none() {
                    origins.step = Origin::Decoupling;
                }
            }
        }
    }
    instance.show_messages(terminal::show);
    Ok(Prepared { plan, instance, experiment, origins, source, output })
}

/// Runs the model and writes its results.
fn simulated(prepared: &mut Prepared, flags: &Flags, files: &mut Files) -> Result<Statistics, SimulatorFailure> {
    let plan = prepared.plan.clone();
    check_filter(flags.filter.as_ref(), &plan.interface.signals).map_err(outside)?;
    files.reads_of_models().map_err(outside)?;
    let create = |path: &PathBuf| ResultWriter::create(path, &plan.interface.signals, &keeps(path, flags.filter.as_ref()));
    let writer = prepared.output.as_ref().map(create).transpose().map_err(outside)?;
    let mut results = Results { writer, bounds: Watch::new(&plan, prepared.experiment.tolerance), running: Running::begin() };
    let outcome = simulate(&mut prepared.instance, &prepared.experiment, &mut results);
    let instance = &prepared.instance;
    for warning in instance.warnings() {
        say(&format!("warning: {warning}\n"));
    }
    prepared.warn(&bounds::given(&plan, &instance.parameter_values(), instance.given_values()));
    // A file that was read during the run must not be replaced.
    files.reads_of_models().map_err(outside)?;
    let statistics = match outcome {
        Ok(statistics) => statistics,
        Err(error) if error.code == "R211" => return Err(outside(error)),
        Err(mut error) => {
            error.notes.extend(results.keep_incomplete(&instance.parameter_values()));
            return Err(prepared.failed(&error));
        }
    };
    prepared.warn(&statistics.warnings);
    prepared.warn(&results.bounds.warnings(&plan));
    if statistics.stopped {
        let kept = results.keep_incomplete(&instance.parameter_values()).map_or(String::new(), |kept| format!("; {kept}"));
        let (end, stop) = (shown(statistics.end_time), shown(prepared.experiment.stop_time));
        return Err(SimulatorFailure::Stopped(format!("stopped at time {end} of {stop}{kept}\n")));
    }
    if let Some(writer) = results.writer {
        writer.finish(&instance.parameter_values()).map_err(outside)?;
    }
    Ok(statistics)
}

fn run(image: ModelImage, arguments: &[OsString], began: Instant) -> Result<(), SimulatorFailure> {
    let flags = Flags::parse(arguments).map_err(SimulatorFailure::Usage)?;
    if flags.help {
        print(&format!("Simulates {}, compiled by Partita {} from {}.\n\n{HELP}\n", image.plan.name, image.version, image.source.name))?;
        return Ok(());
    }
    if flags.version {
        return print(&format!("{} (Partita {})\n", image.plan.name, image.version));
    }
    let output = flags.output(&image.plan.name).map_err(SimulatorFailure::Usage)?;
    let mut files = files(&flags, output.as_deref()).map_err(outside)?;
    for remark in &flags.remarks {
        say(&format!("warning: {remark}\n"));
    }
    flags.notes.iter().for_each(|note| say(&format!("note: {note}\n")));
    let mut prepared = prepare(image, &flags, output)?;
    let ready = began.elapsed();
    let statistics = simulated(&mut prepared, &flags, &mut files)?;
    let Prepared { plan, instance, experiment, origins, .. } = &prepared;
    if !flags.last_values.is_empty() {
        let values = flags.last_values.iter().filter_map(|name| Some(format!(",{name}={}", shown(instance.value(name)?))));
        print(&format!("time={}{}\n", statistics.end_time, values.collect::<String>()))?;
    }
    if flags.statistics {
        let total = began.elapsed();
        print(&format!(
            "### STATISTICS ###\n{:.6} s until the run begins, {:.6} s in all\n{}{statistics}{}\n",
            ready.as_secs_f64(),
            total.as_secs_f64(),
            origins.header(&plan.name, experiment),
            instance.statistics()
        ))?;
    }
    print("LOG_SUCCESS       | info    | The simulation finished successfully.\n")
}
