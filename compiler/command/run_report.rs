//! What `partita run` says about a run that has come to its end, as text and as data.
//!
//! Input: the model and how it was run ([`Prepared`]), and what came of it ([`Finished`]). Output: a text or JSON.

use crate::plot::Plot;
use crate::verdict::Verdict;
use crate::{jacobian, profile};
use partita::decouple::cycles::report::OperatingPoint;
use partita::decouple::decision::Decision;
use partita::decouple::outcome::Outcome;
use partita::decouple::verify::Verification;
use partita::pipeline::{Compiled, Timing};
use partita_grammar::{Diagnostic, Source};
use partita_runtime::exec::Instance;
use partita_runtime::integrate::{Experiment, Statistics};
use partita_runtime::simulator::asked::Origins;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A model that is ready, and how it is run.
pub(crate) struct Prepared {
    pub(crate) source: Source,
    pub(crate) compiled: Compiled,
    /// Time spent on code.
    pub(crate) code: Vec<Timing>,
    pub(crate) instance: Instance,
    pub(crate) output: PathBuf,
    pub(crate) experiment: Experiment,
    pub(crate) origins: Origins,
    pub(crate) decision: Option<Decision>,
    pub(crate) jacobians: Vec<OperatingPoint>,
    pub(crate) times: Times,
}

/// What took how long.
pub(crate) struct Times {
    pub(crate) began: Instant,
    pub(crate) analysis: Duration,
    pub(crate) compile: Duration,
    pub(crate) run: Duration,
}

/// A run that came to its end.
pub(crate) struct Simulated {
    pub(crate) statistics: Statistics,
    pub(crate) remarks: Vec<Diagnostic>,
    pub(crate) plots: Vec<Plot>,
}

/// A run whose result was compared.
pub(crate) struct Finished {
    pub(crate) statistics: Statistics,
    pub(crate) remarks: Vec<Diagnostic>,
    pub(crate) pictures: String,
    pub(crate) verdict: Option<Verdict>,
    pub(crate) verification: Option<Verification>,
}

/// What the whole took, from reading the model to writing the result, beside the same for the default method if that was run.
fn account(times: &Times, verification: Option<&Verification>) -> String {
    let Times { began, analysis, compile, run } = *times;
    let total = began.elapsed();
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

/// The run as data.
pub(crate) fn json(prepared: &Prepared, finished: &Finished) -> serde_json::Value {
    let Prepared { source, compiled, instance, output, experiment, origins, decision, jacobians, times, .. } = prepared;
    let Finished { statistics, remarks, verdict, verification, .. } = finished;
    serde_json::json!({
        "model": compiled.report.model, "result": output.display().to_string(), "experiment": experiment, "origins": origins,
        "compile_seconds": times.compile.as_secs_f64(), "run_seconds": times.run.as_secs_f64(), "statistics": statistics, "evaluation": instance.statistics(),
        "diagnostics": compiled.warnings.iter().chain(remarks).collect::<Vec<_>>(), "warnings": instance.warnings(), "comparison": verdict.as_ref().map(Verdict::json),
        "profile": profile::json(source, compiled, instance, statistics),
        "analysis_seconds": times.analysis.as_secs_f64(), "decoupling": decision, "verification": verification, "jacobians": jacobian::json(jacobians),
    })
}

/// The run as text; with times of the analysis if a partition was asked for, and where the Jacobians are.
pub(crate) fn text(prepared: &Prepared, finished: &Finished, is_decoupled: bool, jacobian: Option<&OsString>) -> String {
    let Prepared { source, compiled, code, instance, output, experiment, origins, decision, jacobians, times } = prepared;
    let Finished { statistics, pictures, verdict, verification, .. } = finished;
    let mut text = origins.header(&compiled.report.model, experiment);
    if let Some(decision) = decision {
        text.push_str(&decision.to_string());
    }
    if experiment.partition {
        let states = instance.plan().states.iter().map(|state| state.name.as_str()).collect();
        let outcome = Outcome { statistics, method: experiment.method_word(), states };
        text.push_str(&outcome.to_string());
    }
    text.push_str(&statistics.to_string());
    text.push_str(&format!("\n{}\n", instance.statistics()));
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let passes: Vec<String> = compiled.timings.iter().chain(code).map(|t| format!("{} {:.1}", t.pass, ms(t.time))).collect();
    text.push_str(&format!("compile {:.1} ms ({}), run {:.1} ms\n", ms(times.compile), passes.join(", "), ms(times.run)));
    if is_decoupled {
        text.push_str(&account(times, verification.as_ref()));
    }
    text.push_str(&profile::text(source, compiled, instance, statistics, times.run));
    match jacobian {
        Some(path) if path.is_empty() => text.push_str(&jacobian::text(jacobians)),
        Some(path) => text.push_str(&format!("jacobian in {}\n", path.display())),
        None => {}
    }
    text.push_str(&format!("results in {}\n", output.display()));
    text.push_str(pictures);
    if let Some(verification) = verification {
        text.push_str(&verification.to_string());
    }
    if let Some(verdict) = verdict {
        text.push_str(&verdict.text());
    }
    text
}
