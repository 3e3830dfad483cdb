//! `partita run`: compile in memory, simulate, write the results, print statistics.

use crate::failure::{Failure, outside, print, report};
use crate::input::{Decoupling, Input, libraries, read};
use crate::observer::Observer;
use crate::options::{check_points, check_step, check_times, count, number, positive};
use crate::plot::{Plot, Request, request};
use crate::run_report::{self, Finished, Prepared, Simulated, Times};
use crate::verdict::{Grid, Verdict, whole_name};
use crate::{jacobian, watch};
use clap::builder::{OsStringValueParser, TypedValueParser};
use partita::base::messages::{run_message, run_warning};
use partita::decouple::cycles::report::OperatingPoint;
use partita::decouple::decision::{self, DecoupleOptions};
use partita::decouple::half_step;
use partita::decouple::operating_points::points_of_run;
use partita::decouple::verify::verify;
use partita::pipeline::{self, Compiled, Ready, Structured};
use partita_grammar::{Diagnostic, Source};
use partita_runtime::base::files::Files;
use partita_runtime::base::number::shown;
use partita_runtime::base::terminal::{say, show};
use partita_runtime::exec::Instance;
use partita_runtime::integrate::multirate::Rates;
use partita_runtime::integrate::names::Named;
use partita_runtime::integrate::{Experiment, simulate};
use partita_runtime::model::bounds::Watch;
use partita_runtime::result::compare::TUBE;
use partita_runtime::result::{ResultWriter, check_filter, incomplete, keeps};
use partita_runtime::simulator::asked::{Asked, Origin, Origins};
use partita_runtime::simulator::model_image::Annotation;
use regex::Regex;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// From when to when, and how exactly.
#[derive(clap::Args)]
struct Span {
    /// Start of the simulation.
    #[arg(long, allow_negative_numbers = true, value_parser = number)]
    start_time: Option<f64>,
    /// End of the simulation.
    #[arg(long, allow_negative_numbers = true, value_parser = number)]
    stop_time: Option<f64>,
    /// Relative tolerance.
    #[arg(long, allow_negative_numbers = true, value_parser = positive)]
    tolerance: Option<f64>,
}

/// Arguments of `run`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Result file; the extension chooses the format (.mat or .csv); Model_res.mat if not given.
    #[arg(short, long)]
    output: Option<PathBuf>,
    #[command(flatten)]
    span: Span,
    /// Method of integration: auto (bdf, or esdirk while events come so often that it takes less work), bdf, esdirk or dopri5 with error control; rk4, heun, midpoint, euler, implicit-midpoint or implicit-euler with fixed steps. Names of OpenModelica (dassl, gbode, rungekutta, ...) stand for those that are like them.
    #[arg(long, default_value = "auto")]
    solver: Named,
    /// Step of fixed-step methods.
    #[arg(long, allow_negative_numbers = true, value_parser = positive)]
    step: Option<f64>,
    /// Time between results.
    #[arg(long, allow_negative_numbers = true, value_parser = positive)]
    interval: Option<f64>,
    /// Number of intervals between results.
    #[arg(long, conflicts_with = "interval", allow_negative_numbers = true, value_parser = count)]
    intervals: Option<usize>,
    /// Do not look for events: with fixed steps relations are sampled on the grid of the step.
    #[arg(long)]
    no_events: bool,
    /// What a model does that slides along a relation, both of whose sides lead back to it: end with an error, or follow the equivalent
    /// motion along the relation.
    #[arg(long, value_name = "WHAT", default_value = "error", value_parser = ["error", "equivalent"], conflicts_with_all = ["no_events", "decouple"])]
    sliding: String,
    #[command(flatten)]
    decoupling: Decoupling,
    /// Let states have steps of their own, so that only what moves is computed. The run begins as a plain one and changes as soon as it
    /// sees that this takes a fifth of the work or less.
    #[arg(long, conflicts_with_all = ["decouple", "no_events", "sliding"])]
    multirate: bool,
    /// Compare the run with a monolithic one at a tighter tolerance and say how wrong and how fast it is.
    #[arg(long)]
    verify: bool,
    /// Write only variables whose whole name matches this regular expression. Without it all are written that are not protected.
    #[arg(long, value_parser = whole_name)]
    filter: Option<Regex>,
    /// Compare the result with this file; exit code 1 if they differ. Its interval is taken unless one is given, and its start and end if
    /// neither the model nor a flag says them.
    #[arg(long)]
    reference: Option<PathBuf>,
    /// Values of top-level inputs over time: a .csv, .mat or .plt file with a column for each input.
    #[arg(long = "input", value_name = "FILE")]
    inputs: Option<PathBuf>,
    /// Plot variables: a,b in the terminal, a,b=FILE.svg in a picture (or .png, or .html for a page to look closer at). T is all elements of an
    /// array, 'T.*' all whose whole name matches this regular expression.
    #[arg(long, value_name = "NAMES[=FILE]", value_parser = OsStringValueParser::new().try_map(|text| request(&text)))]
    plot: Vec<Request>,
    /// Print the Jacobian of the derivatives by the states, exact and sparse, at the start or at the times of --jacobian-at; with
    /// =FILE.csv write its entries instead.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "", value_name = "FILE")]
    jacobian: Option<OsString>,
    /// Times for --jacobian, separated by commas.
    #[arg(long, requires = "jacobian", allow_negative_numbers = true, value_delimiter = ',', value_name = "TIMES")]
    jacobian_at: Vec<f64>,
    /// Show where the time of the run went and which states limited the steps.
    #[arg(long)]
    profile: bool,
    /// Run the interpreter instead of machine code.
    #[arg(long)]
    interpret: bool,
}

impl Arguments {
    /// What is read, and what is written under a name that was given.
    fn files(&self) -> Result<Files, Failure> {
        let mut files = self.input.files()?;
        self.reference.iter().try_for_each(|path| files.reads("the reference", path)).map_err(outside)?;
        self.inputs.iter().try_for_each(|path| files.reads("the inputs", path)).map_err(outside)?;
        self.output.iter().try_for_each(|path| write_result(&mut files, path))?;
        self.plot.iter().filter_map(|plot| plot.file.as_ref()).try_for_each(|path| files.writes("a picture", path)).map_err(outside)?;
        self.jacobian
            .iter()
            .filter(|path| !path.is_empty())
            .try_for_each(|path| files.writes("the Jacobian", Path::new(path)))
            .map_err(outside)?;
        Ok(files)
    }
}

/// Notes the file of the results, and the one that holds those of a run that fails.
fn write_result(files: &mut Files, path: &Path) -> Result<(), Failure> {
    files.writes("the result", path).and_then(|()| files.may_write("an incomplete result", &incomplete(path))).map_err(outside)
}

/// Inputs that have no curve: their start values are not what most users want.
fn constant_inputs(instance: &Instance) -> Option<String> {
    let names = instance.constant_inputs();
    let (first, more) = (names.first()?, names.len() - 1);
    let tail = if more > 0 { format!(" and {more} more keep their start values") } else { " keeps its start value".to_string() };
    Some(format!("the input `{first}`{tail}; --input FILE.csv lets inputs vary"))
}

/// A model that was compiled for its run, and the one to be made of it if its states are split.
struct Made {
    compiled: Compiled,
    ready: Ready,
    to_split: Option<(DecoupleOptions, Structured)>,
}

fn compile(arguments: &Arguments, source: &Source) -> Result<Made, Failure> {
    let fail = |diagnostics| Failure::Model(source.clone(), diagnostics);
    let mut libraries = libraries(&arguments.input)?;
    libraries.files.effects = true;
    let structured = pipeline::structure_with(source, &libraries, arguments.input.model.as_deref()).map_err(fail)?;
    let options = arguments.decoupling.decouple_options(arguments.step).map_err(|message| fail(vec![*message]))?;
    let to_split = options.map(|options| (options, structured.clone()));
    let program = match (arguments.multirate, arguments.decoupling.is_plain(arguments.step)) {
        (true, _) => pipeline::program_with_cells(structured),
        (false, true) => pipeline::program_that_splits(structured),
        (false, false) => pipeline::program(structured, &[]),
    };
    let compiled = program.map_err(fail)?;
    let ready = pipeline::instantiate(&compiled, !arguments.interpret).map_err(fail)?;
    Ok(Made { compiled, ready, to_split })
}

fn set_inputs(arguments: &Arguments, instance: &mut Instance) -> Result<(), Failure> {
    if let Some(path) = &arguments.inputs {
        let table = partita_runtime::result::read::read(path).map_err(|error| Failure::Outside(error.title))?;
        instance.set_inputs(&table).map_err(|error| Failure::Outside(format!("{}: {error}", path.display())))?;
    }
    Ok(())
}

/// What is asked for: by flags, by the model, by the reference, in this order.
fn experiment(arguments: &Arguments, annotation: &Annotation) -> Result<(Experiment, Origins), Failure> {
    let grid = arguments.reference.as_deref().map(Grid::of).transpose()?;
    let Arguments { span: Span { start_time: given_start, stop_time: given_stop, tolerance }, interval, intervals, step, .. } = *arguments;
    let (mut start_time, mut stop_time) = (given_start, given_stop);
    // Flat models have lost their annotation.
    if let (None, None, None, None, Some(grid)) = (start_time, stop_time, annotation.start_time, annotation.stop_time, &grid) {
        (start_time, stop_time) = (Some(grid.start), Some(grid.stop));
    }
    let asked = Asked { start_time, stop_time, tolerance, interval, intervals, step };
    let (mut experiment, mut origins) = asked.experiment(annotation);
    experiment.solver = arguments.solver.solver;
    experiment.ignore_events = arguments.no_events;
    experiment.partition = arguments.decoupling.is_plain(step);
    experiment.sliding = arguments.sliding == "equivalent";
    experiment.rates = arguments.multirate.then(Rates::default);
    if start_time != given_start {
        origins.stop_time = Origin::Reference;
    }
    // Points between those of the reference say nothing about it.
    if let (None, None, Some(interval)) = (interval, intervals, grid.and_then(|grid| grid.interval)) {
        (experiment.interval, origins.interval) = (Some(interval), Origin::Reference);
    }
    Ok((experiment, origins))
}

/// Compiles the model and decides how it is run.
fn prepare(arguments: &Arguments, source: Source, files: &mut Files, began: Instant) -> Result<Prepared, Failure> {
    let Made { mut compiled, mut ready, to_split } = compile(arguments, &source)?;
    let output = arguments
        .output
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("{}_res.mat", compiled.report.model.rsplit('.').next().unwrap_or("model"))));
    if arguments.output.is_none() {
        write_result(files, &output)?;
    }
    files.reads_of_models().map_err(outside)?;
    if !arguments.input.json {
        report(&source, &compiled.warnings, false);
        arguments.solver.note.iter().for_each(|note| say(&format!("note: {note}\n")));
    }
    set_inputs(arguments, &mut ready.instance)?;
    let (mut experiment, mut origins) = experiment(arguments, &compiled.experiment)?;
    check_points(arguments.decoupling.at.as_ref(), &experiment)?;
    let fail = |diagnostics| Failure::Model(source.clone(), diagnostics);
    let mut decision = None;
    let mut analysis = Duration::ZERO;
    if let Some((options, structured)) = to_split {
        let analysed = Instant::now();
        let decided = decision::decide(&ready.instance, &experiment, &options).map_err(|message| fail(vec![*message]))?;
        analysis = analysed.elapsed();
        if let Some(split) = decided.split() {
            let parts = pipeline::mixed_parts(compiled.program.plan.states.len(), &split.fast);
            compiled = pipeline::program(structured, &parts).map_err(fail)?;
            ready = pipeline::instantiate(&compiled, !arguments.interpret).map_err(fail)?;
            set_inputs(arguments, &mut ready.instance)?;
            experiment.step = Some(decided.step);
            if arguments.step.is_none() {
                origins.step = Origin::Decoupling;
            }
            experiment.split = Some(split);
        }
        decision = Some(decided);
    }
    let Ready { instance, timings } = ready;
    let times = Times { began, analysis, compile: began.elapsed() - analysis, run: Duration::ZERO };
    let jacobians = Vec::new();
    Ok(Prepared { source, compiled, code: timings, instance, output, experiment, origins, decision, jacobians, times })
}

/// The Jacobians that are asked for.
fn jacobians(arguments: &Arguments, prepared: &Prepared) -> Result<Vec<OperatingPoint>, Failure> {
    if arguments.jacobian.is_none() {
        return Ok(Vec::new());
    }
    let experiment = &prepared.experiment;
    let times = if arguments.jacobian_at.is_empty() { vec![experiment.start_time] } else { arguments.jacobian_at.clone() };
    check_times("--jacobian-at", &times, experiment)?;
    points_of_run(&prepared.instance, experiment, &times).map_err(|message| Failure::Model(prepared.source.clone(), vec![*message]))
}

/// What takes the points of the run; says what is to be known before it begins.
fn observer(arguments: &Arguments, prepared: &Prepared) -> Result<Observer, Failure> {
    let Prepared { compiled, instance, output, experiment, .. } = prepared;
    let keep = keeps(output, arguments.filter.as_ref());
    let signals = &compiled.program.plan.interface.signals;
    check_filter(arguments.filter.as_ref(), signals).map_err(outside)?;
    let plots: Result<Vec<Plot>, Failure> =
        arguments.plot.iter().map(|request| Plot::new(request, &compiled.report.model, signals)).collect();
    let plots = plots?;
    let writer = ResultWriter::create(output, signals, &keep).map_err(outside)?;
    let observer = Observer::new(writer, Watch::new(instance.plan(), experiment.tolerance), plots, experiment);
    if !arguments.input.json {
        let inputs = constant_inputs(instance);
        for warning in inputs.into_iter().chain(observer.size_warning(experiment)) {
            say(&format!("warning: {warning}\n"));
        }
    }
    Ok(observer)
}

/// Runs the model; its statistics, if it comes to its end.
fn simulated(arguments: &Arguments, prepared: &mut Prepared, files: &mut Files) -> Result<Simulated, Failure> {
    let mut observer = observer(arguments, prepared)?;
    let Prepared { source, instance, experiment, times, .. } = prepared;
    if arguments.profile {
        instance.start_profile();
        experiment.count_limits = true;
    }
    let with_warnings = !arguments.input.json;
    // Where standard output is for JSON, what the model prints goes beside it.
    instance.show_messages(if with_warnings { show } else { say });
    let simulated = Instant::now();
    let outcome = simulate(instance, experiment, &mut observer);
    times.run = simulated.elapsed();
    watch::end();
    observer.quiet();
    if with_warnings {
        for warning in instance.warnings() {
            say(&format!("warning: {warning}\n"));
        }
    }
    // A file that was read during the run must not be replaced.
    files.reads_of_models().map_err(outside)?;
    let statistics = match outcome {
        Ok(statistics) => statistics,
        Err(error) if error.code == "R211" => return Err(outside(error)),
        Err(error) => {
            let message = run_message(&error);
            let kept = observer.keep_incomplete(&instance.parameter_values());
            return Err(Failure::Model(source.clone(), vec![kept.into_iter().fold(message, |message, kept| message.with_note(kept))]));
        }
    };
    let remarks: Vec<Diagnostic> = statistics.warnings.iter().chain(&observer.bounds.warnings(instance.plan())).map(run_warning).collect();
    if with_warnings {
        report(source, &remarks, false);
    }
    let parameters: Vec<(usize, f64)> = instance.parameter_values();
    let plots = std::mem::take(&mut observer.plots);
    if statistics.stopped {
        let place = observer.keep_incomplete(&parameters).map_or(String::new(), |kept| format!("; {kept}"));
        say(&format!("stopped at time {} of {}{place}\n", shown(statistics.end_time), shown(experiment.stop_time)));
        plots.iter().try_for_each(|plot| plot.draw().and_then(|text| print(&text)))?;
        return Err(Failure::Stopped);
    }
    observer.finish(&parameters)?;
    Ok(Simulated { statistics, remarks, plots })
}

/// Compares the result with what it should be.
fn judged(arguments: &Arguments, prepared: &Prepared, simulated: Simulated) -> Result<Finished, Failure> {
    let Prepared { source, instance, output, experiment, .. } = prepared;
    let Simulated { statistics, remarks, plots } = simulated;
    let pictures: Result<String, Failure> = plots.iter().map(Plot::draw).collect();
    let pictures = pictures?;
    let verdict = match &arguments.reference {
        Some(reference) => Some(Verdict::of(output, reference, arguments.filter.as_ref(), TUBE)?),
        None => None,
    };
    let verification = match arguments.verify {
        true => Some(verify(instance, experiment).map_err(|message| Failure::Model(source.clone(), vec![*message]))?),
        false => None,
    };
    // What half the step changes is part of a verification.
    let unresolved = if verification.is_none() && experiment.split.is_some() { half_step::unresolved(instance, experiment) } else { None };
    if !arguments.input.json {
        let decided = prepared.decision.iter().flat_map(|decision| &decision.warnings);
        let verified = verification.iter().flat_map(|found| &found.warnings);
        decided.chain(&unresolved).chain(verified).for_each(|warning| say(&format!("warning: {warning}\n")));
    }
    Ok(Finished { statistics, remarks, pictures, verdict, verification })
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let began = Instant::now();
    let mut files = arguments.files()?;
    let is_plain = arguments.decoupling.is_plain(arguments.step);
    if arguments.decoupling.decouple.is_none() || is_plain {
        check_step(arguments.step, arguments.solver.solver)?;
    }
    let mut prepared = prepare(arguments, read(&arguments.input)?, &mut files, began)?;
    prepared.jacobians = jacobians(arguments, &prepared)?;
    let simulated = simulated(arguments, &mut prepared, &mut files)?;
    if let Some(path) = arguments.jacobian.as_ref().filter(|path| !path.is_empty()) {
        jacobian::write(Path::new(path), &prepared.jacobians)?;
    }
    let finished = judged(arguments, &prepared, simulated)?;
    if arguments.input.json {
        print(&format!("{:#}\n", run_report::json(&prepared, &finished)))?;
    } else {
        let is_decoupled = arguments.decoupling.decouple.is_some();
        print(&run_report::text(&prepared, &finished, is_decoupled, arguments.jacobian.as_ref()))?;
    }
    let is_wrong = finished.verification.is_some_and(|found| found.flaw.is_some());
    if !is_wrong && finished.verdict.is_none_or(|verdict| verdict.passes()) { Ok(()) } else { Err(Failure::Different) }
}
