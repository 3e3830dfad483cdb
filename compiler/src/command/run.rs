//! `partita run`: compile in memory, simulate, write the results, print statistics.

use super::{Failure, Input, print, read, report};
use partita::pipeline;
use partita_grammar::{Diagnostic, Source, Span};
use partita_runtime::error::RunError;
use partita_runtime::integrate::{Experiment, Sink, Solver, simulate};
use partita_runtime::result::ResultWriter;
use std::path::PathBuf;
use std::time::Instant;

/// Arguments of `run`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) input: Input,
    /// Result file; the extension chooses the format (.csv or .mat).
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Start of the simulation.
    #[arg(long)]
    start_time: Option<f64>,
    /// End of the simulation.
    #[arg(long)]
    stop_time: Option<f64>,
    /// Relative tolerance.
    #[arg(long)]
    tolerance: Option<f64>,
    /// Method of integration.
    #[arg(long, default_value = "bdf")]
    solver: Solver,
    /// Step of fixed-step methods.
    #[arg(long)]
    step: Option<f64>,
    /// Time between results.
    #[arg(long)]
    interval: Option<f64>,
    /// Number of intervals between results.
    #[arg(long, conflicts_with = "interval")]
    intervals: Option<usize>,
    /// Do not look for events.
    #[arg(long)]
    no_events: bool,
    /// Set a parameter: name=value.
    #[arg(long, value_parser = setting)]
    set: Vec<(String, f64)>,
    /// Run the interpreter instead of machine code.
    #[arg(long)]
    interpret: bool,
}

fn setting(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').ok_or("expected name=value")?;
    let value = match value.trim() {
        "true" => 1.0,
        "false" => 0.0,
        number => number.parse().map_err(|_| format!("`{number}` is not a number"))?,
    };
    Ok((name.trim().to_string(), value))
}

/// A failure of the run as a message about the source.
fn run_diagnostic(error: &RunError) -> Diagnostic {
    let title = match error.time {
        Some(time) => format!("{} at time {time}", error.title),
        None => error.title.clone(),
    };
    let mut diagnostic = Diagnostic::error(error.code, title);
    if let Some(((start, end), text)) = &error.place {
        diagnostic = diagnostic.at(Span { start: *start, end: *end }, text.clone());
    }
    for note in &error.notes {
        diagnostic = diagnostic.with_note(note.clone());
    }
    diagnostic.hint = error.hint.clone();
    diagnostic
}

/// Writes points as they come.
struct Writer(ResultWriter);

impl Sink for Writer {
    fn point(&mut self, t: f64, row: &[f64]) -> Result<(), RunError> {
        self.0.row(t, row)
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let began = Instant::now();
    let source: Source = read(&arguments.input)?;
    let fail = |diagnostics| Failure::Model(source.clone(), diagnostics);
    let compiled = pipeline::compile(&source, arguments.input.model.as_deref()).map_err(fail)?;
    let model = pipeline::instantiate(&compiled, !arguments.interpret).map_err(fail)?;
    let mut instance = model.instance;
    let compile_time = began.elapsed();
    report(&source, &compiled.warnings, false);
    for (name, value) in &arguments.set {
        instance.set(name, *value).map_err(|error| Failure::Outside(error.to_string()))?;
    }
    let written = &compiled.experiment;
    let mut experiment = Experiment {
        start_time: arguments.start_time.or(written.start_time).unwrap_or(0.0),
        stop_time: 1.0,
        solver: arguments.solver,
        step: arguments.step,
        ignore_events: arguments.no_events,
        ..Experiment::default()
    };
    experiment.stop_time = arguments.stop_time.or(written.stop_time).unwrap_or(experiment.start_time + 1.0);
    experiment.tolerance = arguments.tolerance.or(written.tolerance).unwrap_or(1e-6);
    let span = experiment.stop_time - experiment.start_time;
    experiment.interval = match (arguments.interval, arguments.intervals) {
        (Some(interval), _) => Some(interval),
        (None, Some(n)) => Some(span / n.max(1) as f64),
        (None, None) => written.interval.or(written.number_of_intervals.filter(|n| *n >= 1.0).map(|n| span / n)),
    };
    let output = arguments.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}_res.csv", compiled.report.model.rsplit('.').next().unwrap_or("model"))));
    let writer = ResultWriter::create(&output, &compiled.program.plan.signals, &|_| true)
        .map_err(|error| Failure::Outside(error.title))?;
    let mut sink = Writer(writer);
    let simulated = Instant::now();
    let outcome = simulate(&mut instance, &experiment, &mut sink);
    let run_time = simulated.elapsed();
    for warning in instance.warnings() {
        eprintln!("warning: {warning}");
    }
    let statistics = match outcome {
        Ok(statistics) => statistics,
        Err(error) => return Err(Failure::Model(source, vec![run_diagnostic(&error)])),
    };
    let parameters: Vec<(usize, f64)> = instance.parameter_values();
    sink.0.finish(&parameters).map_err(|error| Failure::Outside(error.title))?;
    if arguments.input.json {
        let text = serde_json::json!({
            "model": compiled.report.model, "result": output.display().to_string(),
            "compile_seconds": compile_time.as_secs_f64(), "run_seconds": run_time.as_secs_f64(), "statistics": statistics,
        });
        print(&format!("{text}\n"));
    } else {
        let mut text = format!("{} from {} to {}, {} with tolerance {}\n", compiled.report.model, experiment.start_time, experiment.stop_time, experiment.solver, experiment.tolerance);
        text.push_str(&statistics.to_string());
        let passes: Vec<String> = compiled.timings.iter().chain(&model.timings).map(|t| format!("{} {:.1}", t.pass, t.time.as_secs_f64() * 1e3)).collect();
        text.push_str(&format!("compile {:.1} ms ({}), run {:.1} ms\n", compile_time.as_secs_f64() * 1e3, passes.join(", "), run_time.as_secs_f64() * 1e3));
        text.push_str(&format!("results in {}\n", output.display()));
        print(&text);
    }
    Ok(())
}
