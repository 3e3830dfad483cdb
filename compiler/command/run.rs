//! `partita run`: compile in memory, simulate, write the results, print statistics.

use crate::failure::{Failure, outside, print, report};
use crate::input::{Decoupling, Input, libraries, read};
use crate::observer::Observer;
use crate::options::{check_points, check_step, check_times, count, number, positive};
use crate::plot::{Plot, Request, request};
use crate::verdict::{Grid, Verdict, whole_name};
use crate::{jacobian, profile, watch};
use clap::builder::{OsStringValueParser, TypedValueParser};
use partita::base::messages::{run_message, run_warning};
use partita::decouple::decision;
use partita::decouple::half_step;
use partita::decouple::operating_points::points_of_run;
use partita::decouple::outcome::Outcome;
use partita::decouple::verify::{Verification, verify};
use partita::pipeline;
use partita_grammar::{Diagnostic, Source};
use partita_runtime::base::files::Files;
use partita_runtime::base::number::shown;
use partita_runtime::base::terminal::{say, show};
use partita_runtime::exec::Instance;
use partita_runtime::integrate::multirate::Rates;
use partita_runtime::integrate::names::Named;
use partita_runtime::integrate::simulate;
use partita_runtime::model::bounds::Watch;
use partita_runtime::result::compare::TUBE;
use partita_runtime::result::{ResultWriter, check_filter, incomplete, keeps};
use partita_runtime::simulator::asked::{Asked, Origin};
use regex::Regex;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Arguments of `run`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Result file; the extension chooses the format (.mat or .csv); Model_res.mat if not given.
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Start of the simulation.
    #[arg(long, allow_negative_numbers = true, value_parser = number)]
    start_time: Option<f64>,
    /// End of the simulation.
    #[arg(long, allow_negative_numbers = true, value_parser = number)]
    stop_time: Option<f64>,
    /// Relative tolerance.
    #[arg(long, allow_negative_numbers = true, value_parser = positive)]
    tolerance: Option<f64>,
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

/// What the whole took, from reading the model to writing the result, beside the same for the default method if that was run.
fn account(total: Duration, analysis: Duration, compile: Duration, run: Duration, verification: Option<&Verification>) -> String {
    let ms = |time: Duration| 1e3 * time.as_secs_f64();
    let whole = ms(analysis + compile + run);
    let plain = verification.map_or(String::new(), |found| {
        let (with, without) = (1e3 * found.seconds, 1e3 * found.plain_seconds);
        format!(
            "; integration takes {with:.1} ms of the processor, without --decouple {without:.1} ms; {:.1} ms with the verification",
            ms(total)
        )
    });
    format!("total {whole:.1} ms (analysis {:.1}, compile {:.1}, run {:.1}){plain}\n", ms(analysis), ms(compile), ms(run))
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let began = Instant::now();
    let mut files = arguments.files()?;
    if arguments.decoupling.decouple.is_none() || arguments.decoupling.is_plain(arguments.step) {
        check_step(arguments.step, arguments.solver.solver)?;
    }
    let source: Source = read(&arguments.input)?;
    let fail = |diagnostics| Failure::Model(source.clone(), diagnostics);
    let mut libraries = libraries(&arguments.input)?;
    libraries.files.effects = true;
    let structured = pipeline::structure_with(&source, &libraries, arguments.input.model.as_deref()).map_err(fail)?;
    let one = |message: Box<Diagnostic>| fail(vec![*message]);
    let is_plain = arguments.decoupling.is_plain(arguments.step);
    let to_split =
        arguments.decoupling.decouple_options(arguments.step).map_err(one)?.map(|decouple_options| (decouple_options, structured.clone()));
    let program = match (arguments.multirate, is_plain) {
        (true, _) => pipeline::program_with_cells(structured),
        (false, true) => pipeline::program_that_splits(structured),
        (false, false) => pipeline::program(structured, &[]),
    };
    let mut compiled = program.map_err(fail)?;
    let mut model = pipeline::instantiate(&compiled, !arguments.interpret).map_err(fail)?;
    let output = arguments
        .output
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("{}_res.mat", compiled.report.model.rsplit('.').next().unwrap_or("model"))));
    if arguments.output.is_none() {
        write_result(&mut files, &output)?;
    }
    files.reads_of_models().map_err(outside)?;
    if !arguments.input.json {
        report(&source, &compiled.warnings, false);
        arguments.solver.note.iter().for_each(|note| say(&format!("note: {note}\n")));
    }
    let set_inputs = |instance: &mut Instance| {
        if let Some(path) = &arguments.inputs {
            let table = partita_runtime::result::read::read(path).map_err(|error| Failure::Outside(error.title))?;
            instance.set_inputs(&table).map_err(|error| Failure::Outside(format!("{}: {error}", path.display())))?;
        }
        Ok(())
    };
    set_inputs(&mut model.instance)?;
    let grid = arguments.reference.as_deref().map(Grid::of).transpose()?;
    let (mut start_time, mut stop_time) = (arguments.start_time, arguments.stop_time);
    // Flat models have lost their annotation.
    if let (None, None, None, None, Some(grid)) =
        (start_time, stop_time, compiled.experiment.start_time, compiled.experiment.stop_time, &grid)
    {
        (start_time, stop_time) = (Some(grid.start), Some(grid.stop));
    }
    let Arguments { tolerance, interval, intervals, step, .. } = *arguments;
    let asked = Asked { start_time, stop_time, tolerance, interval, intervals, step };
    let (mut experiment, mut origins) = asked.experiment(&compiled.experiment);
    experiment.solver = arguments.solver.solver;
    experiment.ignore_events = arguments.no_events;
    experiment.partition = is_plain;
    experiment.sliding = arguments.sliding == "equivalent";
    experiment.rates = arguments.multirate.then(Rates::default);
    if start_time != arguments.start_time {
        origins.stop_time = Origin::Reference;
    }
    // Points between those of the reference say nothing about it.
    if let (None, None, Some(interval)) = (interval, intervals, grid.and_then(|grid| grid.interval)) {
        (experiment.interval, origins.interval) = (Some(interval), Origin::Reference);
    }
    let mut decision = None;
    let mut analysis_time = Duration::ZERO;
    check_points(arguments.decoupling.at.as_ref(), &experiment)?;
    if let Some((decouple_options, structured)) = to_split {
        let analysed = Instant::now();
        let decided = decision::decide(&model.instance, &experiment, &decouple_options).map_err(one)?;
        analysis_time = analysed.elapsed();
        if let Some(split) = decided.split() {
            let parts = pipeline::mixed_parts(compiled.program.plan.states.len(), &split.fast);
            compiled = pipeline::program(structured, &parts).map_err(fail)?;
            model = pipeline::instantiate(&compiled, !arguments.interpret).map_err(fail)?;
            set_inputs(&mut model.instance)?;
            experiment.step = Some(decided.step);
            if step.is_none() {
                origins.step = Origin::Decoupling;
            }
            experiment.split = Some(split);
        }
        decision = Some(decided);
    }
    let mut instance = model.instance;
    let compile_time = began.elapsed() - analysis_time;
    let mut jacobians = Vec::new();
    if arguments.jacobian.is_some() {
        let times = if arguments.jacobian_at.is_empty() { vec![experiment.start_time] } else { arguments.jacobian_at.clone() };
        check_times("--jacobian-at", &times, &experiment)?;
        jacobians = points_of_run(&instance, &experiment, &times).map_err(|message| fail(vec![*message]))?;
    }
    let keep = keeps(&output, arguments.filter.as_ref());
    let signals = &compiled.program.plan.signals;
    check_filter(arguments.filter.as_ref(), signals).map_err(outside)?;
    let plots: Result<Vec<Plot>, Failure> =
        arguments.plot.iter().map(|request| Plot::new(request, &compiled.report.model, signals)).collect();
    let plots = plots?;
    let writer = ResultWriter::create(&output, signals, &keep).map_err(outside)?;
    let mut observer = Observer::new(writer, Watch::new(instance.plan(), experiment.tolerance), plots, &experiment);
    if !arguments.input.json {
        let inputs = constant_inputs(&instance);
        for warning in inputs.into_iter().chain(observer.size_warning(&experiment)) {
            say(&format!("warning: {warning}\n"));
        }
    }
    if arguments.profile {
        instance.start_profile();
        experiment.count_limits = true;
    }
    // Where standard output is for JSON, what the model prints goes beside it.
    instance.show_messages(if arguments.input.json { say } else { show });
    let simulated = Instant::now();
    let outcome = simulate(&mut instance, &experiment, &mut observer);
    let run_time = simulated.elapsed();
    watch::end();
    observer.quiet();
    if !arguments.input.json {
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
            return Err(Failure::Model(source, vec![kept.into_iter().fold(message, |message, kept| message.with_note(kept))]));
        }
    };
    let remarks: Vec<Diagnostic> = statistics.warnings.iter().chain(&observer.bounds.warnings(instance.plan())).map(run_warning).collect();
    if !arguments.input.json {
        report(&source, &remarks, false);
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
    if let Some(path) = arguments.jacobian.as_ref().filter(|path| !path.is_empty()) {
        jacobian::write(Path::new(path), &jacobians)?;
    }
    let pictures: Result<String, Failure> = plots.iter().map(Plot::draw).collect();
    let pictures = pictures?;
    let verdict = match &arguments.reference {
        Some(reference) => Some(Verdict::of(&output, reference, arguments.filter.as_ref(), TUBE)?),
        None => None,
    };
    let verification = match arguments.verify {
        true => Some(verify(&instance, &experiment).map_err(|message| Failure::Model(source.clone(), vec![*message]))?),
        false => None,
    };
    // What half the step changes is part of a verification.
    let unresolved =
        if verification.is_none() && experiment.split.is_some() { half_step::unresolved(&instance, &experiment) } else { None };
    if !arguments.input.json {
        let warnings = decision
            .iter()
            .flat_map(|decision| &decision.warnings)
            .chain(&unresolved)
            .chain(verification.iter().flat_map(|found| &found.warnings));
        warnings.for_each(|warning| say(&format!("warning: {warning}\n")));
    }
    if arguments.input.json {
        let text = serde_json::json!({
            "model": compiled.report.model, "result": output.display().to_string(), "experiment": experiment, "origins": origins,
            "compile_seconds": compile_time.as_secs_f64(), "run_seconds": run_time.as_secs_f64(), "statistics": statistics, "evaluation": instance.statistics(),
            "diagnostics": compiled.warnings.iter().chain(&remarks).collect::<Vec<_>>(), "warnings": instance.warnings(), "comparison": verdict.as_ref().map(Verdict::json),
            "profile": profile::json(&source, &compiled, &instance, &statistics),
            "analysis_seconds": analysis_time.as_secs_f64(), "decoupling": decision, "verification": verification, "jacobians": jacobian::json(&jacobians),
        });
        print(&format!("{text:#}\n"))?;
    } else {
        let mut text = origins.header(&compiled.report.model, &experiment);
        if let Some(decision) = &decision {
            text.push_str(&decision.to_string());
        }
        if is_plain {
            let states = instance.plan().states.iter().map(|state| state.name.as_str()).collect();
            let outcome = Outcome { statistics: &statistics, method: experiment.method_word(), states };
            text.push_str(&outcome.to_string());
        }
        text.push_str(&statistics.to_string());
        text.push_str(&format!("\n{}\n", instance.statistics()));
        let passes: Vec<String> =
            compiled.timings.iter().chain(&model.timings).map(|t| format!("{} {:.1}", t.pass, t.time.as_secs_f64() * 1e3)).collect();
        text.push_str(&format!(
            "compile {:.1} ms ({}), run {:.1} ms\n",
            compile_time.as_secs_f64() * 1e3,
            passes.join(", "),
            run_time.as_secs_f64() * 1e3
        ));
        if arguments.decoupling.decouple.is_some() {
            text.push_str(&account(began.elapsed(), analysis_time, compile_time, run_time, verification.as_ref()));
        }
        text.push_str(&profile::text(&source, &compiled, &instance, &statistics, run_time));
        match &arguments.jacobian {
            Some(path) if path.is_empty() => text.push_str(&jacobian::text(&jacobians)),
            Some(path) => text.push_str(&format!("jacobian in {}\n", path.display())),
            None => {}
        }
        text.push_str(&format!("results in {}\n", output.display()));
        text.push_str(&pictures);
        if let Some(verification) = &verification {
            text.push_str(&verification.to_string());
        }
        if let Some(verdict) = &verdict {
            text.push_str(&verdict.text());
        }
        print(&text)?;
    }
    let is_wrong = verification.is_some_and(|found| found.flaw.is_some());
    if !is_wrong && verdict.is_none_or(|verdict| verdict.passes()) { Ok(()) } else { Err(Failure::Different) }
}
