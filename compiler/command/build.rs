//! `partita build`: a model to an executable of its own, and `partita doctor`: what building needs.
//!
//! The executable is a copy of a stub with the compiled model appended (see `runtime::simulator::image`); neither a linker nor a
//! C compiler nor Rust is needed. The stub is `partita-stub`, which is installed beside `partita` and holds the runtime only; if it
//! is not there, `partita` itself, which can do the same and is larger.

use crate::failure::{Failure, outside, print, report};
use crate::input::{Decoupling, Input, libraries, read};
use crate::omc;
use crate::options::check_points;
use partita::decouple::decision::{self, Decision};
use partita::pipeline::{self, Compiled};
use partita_grammar::{Diagnostic, Source};
use partita_runtime::base::files::write_executable;
use partita_runtime::base::terminal::say;
use partita_runtime::simulator::model_image::ModelImage;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Arguments of `build`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) input: Input,
    /// The executable; the model's name if not given.
    #[arg(short, long)]
    output: Option<PathBuf>,
    #[command(flatten)]
    decoupling: Decoupling,
    /// Step of a mixed-mode run.
    #[arg(long, requires = "decouple", allow_negative_numbers = true, value_parser = crate::options::positive)]
    step: Option<f64>,
}

/// The executable that is copied.
struct Stub {
    path: PathBuf,
    is_partita: bool,
}

fn stub() -> Result<Stub, String> {
    let own = std::env::current_exe().map_err(|error| format!("cannot find the executable of partita: {error}"))?;
    let beside = own.with_file_name(format!("partita-stub{}", std::env::consts::EXE_SUFFIX));
    Ok(if beside.is_file() { Stub { path: beside, is_partita: false } } else { Stub { path: own, is_partita: true } })
}

/// A size for people.
fn size(n_bytes: usize) -> String {
    if n_bytes < 100_000 { format!("{:.1} kB", n_bytes as f64 / 1e3) } else { format!("{:.1} MB", n_bytes as f64 / 1e6) }
}

/// A model that was compiled for a simulator, and how its states are split, if that was asked for.
struct Made {
    compiled: Compiled,
    decision: Option<Decision>,
}

fn compile(arguments: &Arguments, source: &Source) -> Result<Made, Failure> {
    let fail = |diagnostics| Failure::Model(source.clone(), diagnostics);
    let one = |message: Box<Diagnostic>| fail(vec![*message]);
    let structured = pipeline::structure_with(source, &libraries(&arguments.input)?, arguments.input.model.as_deref()).map_err(fail)?;
    let options = arguments.decoupling.decouple_options(arguments.step).map_err(one)?;
    let to_split = options.map(|options| (options, structured.clone()));
    let is_plain = arguments.decoupling.is_plain(arguments.step);
    let program = if is_plain { pipeline::program_that_splits(structured) } else { pipeline::program(structured, &[]) };
    let mut compiled = program.map_err(fail)?;
    let mut decision = None;
    if let Some((options, structured)) = to_split {
        let instance = pipeline::instantiate(&compiled, true).map_err(fail)?.instance;
        let experiment = pipeline::experiment(&compiled.experiment, None, None);
        check_points(arguments.decoupling.at.as_ref(), &experiment)?;
        let decided = decision::decide(&instance, &experiment, &options).map_err(one)?;
        if let Some(split) = decided.split() {
            let parts = pipeline::mixed_parts(compiled.program.plan.states.len(), &split.fast);
            compiled = pipeline::program(structured, &parts).map_err(fail)?;
        }
        decision = Some(decided);
    }
    // What the model does to files is done by the simulator, not here.
    compiled.program.plan.outside.files.effects = true;
    Ok(Made { compiled, decision })
}

/// A simulator that was written.
struct Written {
    output: PathBuf,
    n_bytes: usize,
    n_model: usize,
    n_code: usize,
}

fn write(stub: &Stub, image: &ModelImage, output: PathBuf) -> Result<Written, Failure> {
    let cannot =
        |what: &str, path: &Path, error: &dyn std::fmt::Display| Failure::Outside(format!("cannot {what} {}: {error}", path.display()));
    let mut bytes = std::fs::read(&stub.path).map_err(|error| cannot("read", &stub.path, &error))?;
    bytes.truncate(ModelImage::stub_length(&bytes));
    let n_stub = bytes.len();
    bytes.extend(image.to_bytes().map_err(|error| cannot("write", &output, &error))?);
    write_executable(&output, &bytes).map_err(outside)?;
    try_start(&output)?;
    Ok(Written { output, n_bytes: bytes.len(), n_model: bytes.len() - n_stub, n_code: image.object.n_bytes() })
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let began = Instant::now();
    let stub = stub().map_err(Failure::Outside)?;
    let mut files = arguments.input.files()?;
    files.reads("the stub of simulators", &stub.path).map_err(outside)?;
    arguments.output.iter().try_for_each(|path| files.writes("the simulator", path)).map_err(outside)?;
    let source = read(&arguments.input)?;
    let Made { compiled, decision } = compile(arguments, &source)?;
    let is_plain = arguments.decoupling.is_plain(arguments.step);
    let mut image = pipeline::image(&source, &compiled, decision.as_ref().and_then(Decision::partition))
        .map_err(|diagnostics| Failure::Model(source.clone(), diagnostics))?;
    image.splits_itself = is_plain;
    image.rebuild = arguments.input.rebuild_command();
    if !arguments.input.json {
        report(&source, &compiled.warnings, false);
        decision.iter().flat_map(|decision| &decision.warnings).for_each(|warning| say(&format!("warning: {warning}\n")));
    }
    let output = arguments.output.clone().unwrap_or_else(|| {
        let name = compiled.report.model.rsplit('.').next().unwrap_or("simulator");
        PathBuf::from(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    });
    if arguments.output.is_none() {
        files.writes("the simulator", &output).map_err(outside)?;
    }
    files.reads_of_models().map_err(outside)?;
    let written = write(&stub, &image, output)?;
    if arguments.input.json {
        let text = serde_json::json!({
            "model": compiled.report.model, "simulator": written.output.display().to_string(), "bytes": written.n_bytes,
            "model_bytes": written.n_model, "code_bytes": written.n_code, "stub": stub.path.display().to_string(),
            "seconds": began.elapsed().as_secs_f64(), "diagnostics": compiled.warnings, "decoupling": decision,
        });
        return print(&format!("{text:#}\n"));
    }
    let mut text = format!(
        "{}: {}, of which the model {} (machine code {}), built in {:.1} ms\n",
        written.output.display(),
        size(written.n_bytes),
        size(written.n_model),
        size(written.n_code),
        began.elapsed().as_secs_f64() * 1e3
    );
    if is_plain {
        text.push_str("decoupled: every run finds its fast states by itself\n");
    }
    if let Some(decision) = &decision {
        text.push_str(&decision.to_string());
    }
    if stub.is_partita {
        text.push_str("partita-stub is not beside partita, so the simulator is a copy of partita itself and larger than it need be\n");
    }
    print(&text)
}

/// Makes sure that the simulator finds its model: a stub of another build might not.
fn try_start(simulator: &Path) -> Result<(), Failure> {
    let path = if simulator.components().count() == 1 { Path::new(".").join(simulator) } else { simulator.to_path_buf() };
    let outcome =
        Command::new(&path).arg("--version").output().map_err(|error| error.to_string()).and_then(|output| {
            if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).trim().to_string()) }
        });
    outcome.map_err(|error| Failure::Outside(format!("{} was written but does not start: {error}", simulator.display())))
}

/// Says what was found that commands need.
pub(crate) fn doctor() -> Result<(), Failure> {
    let mut text = format!("partita {} on {} {}\n", env!("CARGO_PKG_VERSION"), std::env::consts::OS, std::env::consts::ARCH);
    let mut well = true;
    let mut line = |what: &str, found: Result<String, String>| {
        well &= found.is_ok();
        text.push_str(&format!("{:<16} {}\n", what, found.unwrap_or_else(|error| format!("NOT FOUND: {error}"))));
    };
    let source = partita_grammar::Source {
        name: "doctor.mo".to_string(),
        text: "model Doctor Real x(start = 1, fixed = true); equation der(x) = -x; end Doctor;".to_string(),
    };
    let words = |diagnostics: Vec<partita_grammar::Diagnostic>| diagnostics.first().map_or(String::new(), |first| first.title.clone());
    // Nothing needs it: the standard library is read as it is.
    let bridge = omc::find(None).and_then(|path| omc::version(&path).map(|version| format!("{} ({version})", path.display())));
    line("omc", Ok(bridge.unwrap_or_else(|reason| format!("none ({reason}); only --omc needs it"))));
    let compiled = pipeline::compile(&source, None).map_err(words);
    line(
        "machine code",
        compiled.as_ref().map_err(Clone::clone).and_then(|compiled| {
            pipeline::instantiate(compiled, true).map_err(words)?;
            Ok(format!("works ({} kernels of a test model)", compiled.program.codes.len()))
        }),
    );
    line(
        "build",
        stub().map(|stub| {
            let bytes = std::fs::metadata(&stub.path).map_or(0, |file| file.len() as usize);
            let remark = if stub.is_partita { "; partita-stub is not beside it, so simulators are larger than they need be" } else { "" };
            format!("copies {} ({}){remark}; needs no linker", stub.path.display(), size(bytes))
        }),
    );
    line(
        "simulator",
        compiled.and_then(|compiled| {
            let image = pipeline::image(&source, &compiled, None).map_err(words)?;
            let bytes = image.to_bytes().map_err(|error| error.to_string())?;
            let stub = stub()?;
            let mut whole = std::fs::read(&stub.path).map_err(|error| error.to_string())?;
            whole.truncate(ModelImage::stub_length(&whole));
            whole.extend(bytes);
            // A folder of its own, which nobody else has made: everybody may write where it lies.
            let folder = std::env::temp_dir().join(format!("partita-doctor-{}", std::process::id()));
            std::fs::create_dir(&folder).map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))?;
            let path = folder.join(format!("doctor{}", std::env::consts::EXE_SUFFIX));
            let written = write_executable(&path, &whole).map_err(|error| error.title);
            let started = Instant::now();
            let outcome =
                written.and_then(|()| Command::new(&path).args(["-outputFormat=empty"]).output().map_err(|error| error.to_string()));
            let time = started.elapsed();
            // The file is only a try.
            let _ = std::fs::remove_dir_all(&folder);
            let outcome = outcome?;
            if !outcome.status.success() {
                return Err(String::from_utf8_lossy(&outcome.stderr).trim().to_string());
            }
            Ok(format!("a test model was built and ran in {:.1} ms", time.as_secs_f64() * 1e3))
        }),
    );
    line("threads", std::thread::available_parallelism().map(|n| n.to_string()).map_err(|error| error.to_string()));
    text.push_str(if well { "all is well\n" } else { "something is missing\n" });
    print(&text)?;
    if well { Ok(()) } else { Err(Failure::Different) }
}
