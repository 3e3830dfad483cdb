//! `partita analyze`: cycles of influence, time scales, separability, suggested cuts.

use super::{Failure, Input, print, read, report};
use partita::cycles::report::Report;
use partita::cycles::{Options, Probe, SelfLoop, check_alpha};
use partita::operating_points::{At, operating_points};
use partita::pipeline;
use std::path::PathBuf;

/// Arguments of `analyze`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) input: Input,
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
    /// Set a parameter: name=value.
    #[arg(long, value_parser = super::run::setting)]
    set: Vec<(String, f64)>,
    /// End of the run that gives the operating points.
    #[arg(long)]
    stop_time: Option<f64>,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let source = read(&arguments.input)?;
    let fail = |diagnostics| Failure::Model(source.clone(), diagnostics);
    let wrong = |diagnostic: Box<partita_grammar::Diagnostic>| Failure::Model(source.clone(), vec![*diagnostic]);
    check_alpha(arguments.alpha).map_err(wrong)?;
    let compiled = pipeline::compile(&source, arguments.input.model.as_deref()).map_err(fail)?;
    let mut instance = pipeline::instantiate(&compiled, true).map_err(fail)?.instance;
    for (name, value) in &arguments.set {
        instance.set(name, *value).map_err(|error| Failure::Outside(error.to_string()))?;
    }
    if !arguments.input.json {
        report(&source, &compiled.warnings, false);
    }
    let experiment = pipeline::experiment(&compiled.experiment, None, arguments.stop_time);
    let (points, remark) = operating_points(&instance, &experiment, &arguments.at.clone().unwrap_or_default()).map_err(wrong)?;
    let options = Options { alpha: arguments.alpha, self_loop: arguments.self_loop, probe: arguments.probe, ..Options::default() };
    let mut found = Report::new(&compiled.report.model, &points, &options).map_err(wrong)?;
    found.notes.extend(remark);
    if let Some(path) = &arguments.html {
        std::fs::write(path, found.html()).map_err(|error| Failure::Outside(format!("cannot write {}: {error}", path.display())))?;
    }
    if arguments.input.json {
        print(&format!("{:#}\n", found.json()));
    } else {
        print(&found.to_string());
        if let Some(path) = &arguments.html {
            print(&format!("report in {}\n", path.display()));
        }
    }
    Ok(())
}
