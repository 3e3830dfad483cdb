//! `partita analyze`: cycles of influence, time scales, separability, suggested cuts.

use crate::failure::{Failure, outside, print, report};
use crate::input::{Input, libraries, read};
use partita::decouple::cycles::report::Report;
use partita::decouple::cycles::report::{Measured, Outcome};
use partita::decouple::cycles::{Options, Probe, SelfLoop, check_alpha};
use partita::decouple::decision::refused_step;
use partita::decouple::operating_points::{At, operating_points};
use partita::decouple::verify::verify;
use partita::pipeline::{self, Structured};
use partita_grammar::Diagnostic;
use partita_runtime::base::files;
use partita_runtime::integrate::Experiment;
use partita_runtime::integrate::mixed::{Pair, Split};
use std::path::PathBuf;

/// Arguments of `analyze`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) input: Input,
    /// What may be left of a perturbation after one cycle, above 0 and at most 1.
    #[arg(long, default_value_t = 0.5, allow_negative_numbers = true)]
    alpha: f64,
    /// The formula for self loops: printed, or compat for the figures of the papers.
    #[arg(long, default_value = "printed")]
    self_loop: SelfLoop,
    /// The method whose step matrix is analysed: euler or heun.
    #[arg(long, default_value = "euler")]
    probe: Probe,
    /// Operating points: times separated by commas; 0 for the start alone. Without it the start, about 20 points of a run and
    /// every mode met in it.
    #[arg(long, allow_negative_numbers = true)]
    at: Option<At>,
    /// Write the report as one HTML page.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Run the model with the suggested cuts and say how fast and how wrong that is, beside what they promise.
    #[arg(long)]
    verify: bool,
    /// End of the run that gives the operating points.
    #[arg(long, allow_negative_numbers = true, value_parser = crate::options::number)]
    stop_time: Option<f64>,
}

/// Cuts that are run.
const MOST_CUTS: usize = 3;
/// Runs with error control are made with no smaller tolerance: what splitting is worth at the accuracy of an engineer.
const TOLERANCE: f64 = 1e-4;
/// Runs with more steps are not made.
const MOST_STEPS: f64 = 5e5;

/// Runs a model with a cut: by Euler's formulas with the step of the cut, and by one-step and multistep formulas with error control.
fn measure(structured: &Structured, experiment: &Experiment, after: usize, fast: &[usize], step: f64) -> Result<Vec<Measured>, Failure> {
    let mut fast = fast.to_vec();
    fast.sort_unstable();
    let parts = pipeline::mixed_parts(structured.report.states.len(), &fast);
    let internal =
        |diagnostics: Vec<Diagnostic>| Failure::Outside(diagnostics.first().map_or_else(String::new, |first| first.title.clone()));
    let compiled = pipeline::program(structured.clone(), &parts).map_err(internal)?;
    let instance = pipeline::instantiate(&compiled, true).map_err(internal)?.instance;
    let run = |pair: Pair, adaptive: bool| {
        let experiment = Experiment {
            split: Some(Split { fast: fast.clone(), pair, adaptive }),
            step: Some(step),
            tolerance: experiment.tolerance.max(TOLERANCE),
            ..experiment.clone()
        };
        let how = if adaptive {
            format!("adaptive step, tolerance {:e}", experiment.tolerance)
        } else {
            format!("step {}", partita::decouple::cycles::report::number(step))
        };
        let steps = experiment.span() / step;
        let outcome = if !adaptive && steps > MOST_STEPS {
            Err(format!("not run: that would be {steps:.0} steps"))
        } else {
            verify(&instance, &experiment).map_err(|message| format!("the run fails: {}", message.title)).map(|found| Outcome {
                steps: found.steps,
                error: found.deviation.headline(),
                worst: found.deviation.signals.first().map_or_else(String::new, |signal| signal.name.clone()),
                seconds: found.seconds,
                bdf_seconds: found.monolithic.seconds,
                speed_up: found.speed_up,
                flaw: found.flaw,
            })
        };
        Measured { after, method: format!("{}, {how}", pair.description()), outcome }
    };
    Ok(vec![run(Pair::Euler, false), run(Pair::Imex3, true), run(Pair::Bdf, true)])
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut files = arguments.input.files()?;
    arguments.html.iter().try_for_each(|path| files.writes("the report", path)).map_err(outside)?;
    let source = read(&arguments.input)?;
    let fail = |diagnostics| Failure::Model(source.clone(), diagnostics);
    let wrong = |diagnostic: Box<partita_grammar::Diagnostic>| Failure::Model(source.clone(), vec![*diagnostic]);
    check_alpha(arguments.alpha).map_err(wrong)?;
    let structured = pipeline::structure_with(&source, &libraries(&arguments.input)?, arguments.input.model.as_deref()).map_err(fail)?;
    let compiled = pipeline::program(structured.clone(), &[]).map_err(fail)?;
    let instance = pipeline::instantiate(&compiled, true).map_err(fail)?.instance;
    if !arguments.input.json {
        report(&source, &compiled.warnings, false);
    }
    let experiment = pipeline::experiment(&compiled.experiment, None, arguments.stop_time);
    crate::options::check_points(arguments.at.as_ref(), &experiment)?;
    let (points, remark) = operating_points(&instance, &experiment, &arguments.at.clone().unwrap_or_default()).map_err(wrong)?;
    let options = Options { alpha: arguments.alpha, self_loop: arguments.self_loop, probe: arguments.probe, ..Options::default() };
    let mut found = Report::new(&compiled.report.model, &points, &options).map_err(wrong)?;
    found.notes.extend(remark);
    if arguments.verify {
        for cut in found.analysis.cuts.iter().take(MOST_CUTS) {
            let fast = &found.analysis.order[..cut.after];
            found.measured.extend(measure(&structured, &experiment, cut.after, fast, cut.step())?);
        }
    }
    for cut in &found.analysis.cuts {
        let step = partita::decouple::cycles::report::number(cut.step());
        let command = format!("partita run {} --decouple 'pair=euler;cut={};step={step}'", arguments.input.file.display(), cut.after);
        found.commands.push(refused_step(&instance, &experiment, cut.step()).map_or(Ok(command), Err));
    }
    if let Some(path) = &arguments.html {
        files.reads_of_models().map_err(outside)?;
        files::write(path, found.html().as_bytes()).map_err(outside)?;
    }
    if arguments.input.json {
        return print(&format!("{:#}\n", found.json()));
    }
    let place = arguments.html.as_ref().map_or(String::new(), |path| format!("report in {}\n", path.display()));
    print(&format!("{found}{place}"))
}
