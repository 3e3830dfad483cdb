//! Command line: words, exit codes, files and terminal.
//!
//! Exit codes: 0 done, 1 the model or the comparison is at fault, 2 wrong usage or a file that cannot be read or written, 128 and the
//! number of the signal that stopped a run (130 for Ctrl-C).

mod analyze;
mod build;
mod compare;
mod compare_html;
mod jacobian;
mod observer;
mod options;
mod overrides;
mod permit;
mod plot;
mod profile;
mod run;
mod watch;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use partita::cycles::Choice;
use partita::decouple::Wish;
use partita::operating_points::At;
use partita::pipeline::{self, Pass};
use partita_grammar::{Diagnostic, Severity, Source, render, render_coloured};
use partita_runtime::error::RunError;
use partita_runtime::files::{self, Files};
use partita_runtime::integrate::mixed::Pair;
use partita_runtime::interrupt;
use partita_runtime::native::external::SharedLibraries;
use partita_runtime::overrides::Override;
use partita_runtime::terminal::{self, say};
use permit::{limit, limits, permissions};
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLES: &str = "Examples:
  partita run Motor.mo                         compile, simulate, write Motor_res.mat, print statistics
  partita run Motor.mo -o m.csv --stop-time 8 --tolerance 1e-8 --set R=0.1
  partita run Motor.mo --plot w --plot phi,I=m.svg    plot in the terminal and as a picture (.svg, .png or .html)
  partita plot Motor_res.mat --signals 'w,i.*' -o m.html    plot a result; the page shows values, zooms and chooses signals
  partita run Motor.mo --reference Motor.csv   simulate and compare
  partita run Motor.mo --jacobian --jacobian-at 0,2    the Jacobian of the derivatives; =FILE.csv writes it
  partita run Motor.mo --decouple --verify     split by time scales, run in mixed mode, say what it gains and loses
  partita build Motor.mo -o motor              an executable that needs no Partita: ./motor -override=R=0.1 -r=m.csv
  partita compare m.csv Motor_res.mat          tube test: exit code 0 if the results are the same, 1 if not
  partita check Motor.mo                       parse, type-check, structure: counts, states, loop sizes
  partita check --units Motor.mo               compare the units of equations as well
  partita analyze Motor.mo --html m.html       cycles, time scales, separability, suggested cuts
  partita dump --pass blt Motor.mo             the text form of any intermediate form
  partita dump --pass blt --svg m.svg Motor.mo    a picture of the equations before and after sorting
  partita completions bash > partita.bash      completions for your shell";

/// Compiles flat Modelica to native simulators.
#[derive(Parser)]
#[command(name = "partita", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Parses, checks and sorts a model and says what was found.
    Check(CheckArguments),
    /// Compiles a model, simulates it and writes the results.
    Run(Box<run::Arguments>),
    /// Finds the time scales of the states and says how well the model separates.
    Analyze(analyze::Arguments),
    /// Makes an executable of a model that runs without Partita.
    Build(Box<build::Arguments>),
    /// Compares a result with a reference.
    Compare(compare::Arguments),
    /// Draws signals of a result: in the terminal, as a picture, or as a page to look closer at.
    Plot(plot::file::Arguments),
    /// Prints an intermediate form.
    Dump {
        /// Which form.
        #[arg(long, value_parser = Pass::parse)]
        pass: Pass,
        /// With `--pass blt`: draw which unknown is in which equation, before and after sorting, into this file.
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
        #[command(flatten)]
        input: Input,
    },
    /// Says what was found that commands need.
    Doctor,
    /// Prints completions for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// Arguments of `check`.
#[derive(clap::Args)]
struct CheckArguments {
    #[command(flatten)]
    input: Input,
    /// Also compare the units of both sides of equations and of terms of sums; what has no unit takes that of its equations.
    #[arg(long)]
    units: bool,
}

/// A model file.
#[derive(clap::Args)]
struct Input {
    /// The file; `-` reads standard input.
    file: PathBuf,
    /// Which model of the file; the last one if not given.
    #[arg(long)]
    model: Option<String>,
    /// Set parameters and start values: name=value, a[2]=1, v={1,2}, x.start=3; several with commas or several times. What depends on them
    /// follows.
    #[arg(long, visible_alias = "override", value_name = "NAME=VALUE", value_parser = overrides::list)]
    set: Vec<Vec<Override>>,
    /// A file with functions that the model file calls but does not define; may be given several times.
    #[arg(long, value_name = "FILE")]
    library: Vec<PathBuf>,
    /// A shared library with external C functions that are not built in; may be given several times.
    #[arg(long, value_name = "LIB.so")]
    external: Vec<PathBuf>,
    /// A directory below which the files of tables and matrices are searched, before the present one; may be given several times.
    #[arg(long, value_name = "DIR")]
    resource_path: Vec<PathBuf>,
    /// A directory below which the model may read, write and remove files, besides the present one; may be given several times.
    #[arg(long, value_name = "DIR")]
    allow_files: Vec<PathBuf>,
    /// How much the model may ask for: strings (bytes of one), elements (of an array or table), operations (while it is compiled) or
    /// memory (bytes), for example operations=1e9; may be given several times.
    #[arg(long, value_name = "NAME=NUMBER", value_parser = limit)]
    limit: Vec<String>,
    /// Report as JSON.
    #[arg(long)]
    json: bool,
}

impl Input {
    /// What is read for a model.
    fn files(&self) -> Result<Files, Failure> {
        let mut files = program_files()?;
        files.reads("the model", &self.file).map_err(outside)?;
        self.library.iter().try_for_each(|path| files.reads("a library", path)).map_err(outside)?;
        self.external.iter().try_for_each(|path| files.reads("a shared library", path)).map_err(outside)?;
        Ok(files)
    }
}

/// What every command reads: the executable.
fn program_files() -> Result<Files, Failure> {
    let mut files = Files::new();
    // An executable that is not found is not overwritten by name.
    if let Ok(own) = std::env::current_exe() {
        files.reads("the program partita", &own).map_err(outside)?;
    }
    Ok(files)
}

/// Whether and how a model is split.
#[derive(clap::Args)]
struct Decoupling {
    /// Split the model by time scales and run it in mixed mode; alone or with h=0.1, alpha=0.5, cut=8, fast=I,w, step=0.2 or
    /// step=adaptive, joined by semicolons.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "", value_name = "CHOICE")]
    decouple: Option<String>,
    /// Formulas of a mixed-mode run: euler, midpoint, heun, imex3, imex4, imex5, or bdf, which is adaptive; euler if not given, imex3 with step=adaptive.
    #[arg(long, requires = "decouple")]
    pair: Option<Pair>,
    /// Operating points of the analysis that chooses the fast states: times separated by commas; 0 for the start alone. Without it
    /// the start, about 20 points of a run and every mode met in it.
    #[arg(long, requires = "decouple", allow_negative_numbers = true)]
    at: Option<At>,
}

impl Decoupling {
    /// What the user asks for, if anything.
    fn wish(&self, step: Option<f64>) -> Result<Option<Wish>, Box<Diagnostic>> {
        let Some(text) = &self.decouple else { return Ok(None) };
        Ok(Some(Wish { choice: Choice::parse(text)?, pair: self.pair, step, at: self.at.clone() }))
    }
}

/// Why a command fails.
enum Failure {
    /// Results differ; that has been said.
    Different,
    Model(Source, Vec<Diagnostic>),
    Outside(String),
    /// A stream of this process is a file that is read or written.
    Stream(RunError),
    /// The user stopped the run; that has been said.
    Stopped,
}

/// A file that cannot be read or written is not the model's fault.
fn outside(error: RunError) -> Failure {
    if files::is_about_streams(&error) { Failure::Stream(error) } else { Failure::Outside(error.title) }
}

/// Runs the command line of this process.
pub(crate) fn main() -> ExitCode {
    let arguments = joined(std::env::args_os());
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return usage(&error, arguments.iter().any(|argument| argument == "--json")),
    };
    let json = match &cli.command {
        Command::Check(CheckArguments { input, .. }) | Command::Dump { input, .. } => input.json,
        Command::Run(arguments) => arguments.input.json,
        Command::Analyze(arguments) => arguments.input.json,
        Command::Compare(arguments) => arguments.json,
        Command::Build(arguments) => arguments.input.json,
        Command::Plot(_) | Command::Doctor | Command::Completions { .. } => false,
    };
    let listening = interrupt::listen().map_err(|error| Failure::Outside(format!("cannot listen to signals: {error}")));
    match listening.and_then(|()| execute(cli.command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Different) => ExitCode::from(1),
        Err(Failure::Stopped) => ExitCode::from(interrupt::exit_code()),
        Err(Failure::Model(source, diagnostics)) => {
            report(&source, &diagnostics, json);
            ExitCode::from(if overrides::are_at_fault(&diagnostics) { 2 } else { 1 })
        }
        Err(Failure::Stream(error)) => {
            files::say_aside(&error);
            ExitCode::from(2)
        }
        Err(Failure::Outside(message)) => {
            if json {
                report_outside(&message, &[])
            } else {
                say(&format!("error: {message}\n"))
            }
            ExitCode::from(2)
        }
    }
}

/// Reports what clap has to say: help, the version, or what is wrong with the arguments.
fn usage(error: &clap::Error, json: bool) -> ExitCode {
    let instead = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(flag)) if error.kind() == ErrorKind::UnknownArgument => options::instead_of(flag),
        _ => None,
    };
    if json && error.use_stderr() {
        let text = error.to_string();
        let (title, rest) = text.trim().split_once('\n').unwrap_or((text.trim(), ""));
        report_outside(title.trim_start_matches("error: "), &[rest.trim(), instead.unwrap_or_default()]);
    } else {
        // There is nobody to tell if that cannot be printed.
        let _ = error.print();
        instead.iter().for_each(|instead| say(&format!("\nhint: {instead}\n")));
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// Reports as JSON what is no model's fault and has no place in a source.
fn report_outside(title: &str, notes: &[&str]) {
    let notes: Vec<&str> = notes.iter().copied().filter(|note| !note.is_empty()).collect();
    let message = serde_json::json!({ "code": null, "severity": "error", "title": title, "labels": [], "notes": notes, "hint": null });
    terminal::show(&format!("{:#}\n", serde_json::json!({ "diagnostics": [message] })));
}

fn execute(command: Command) -> Result<(), Failure> {
    match command {
        Command::Check(arguments) => check(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Analyze(arguments) => analyze::run(&arguments),
        Command::Build(arguments) => build::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Plot(arguments) => plot::file::run(&arguments),
        Command::Doctor => build::doctor(),
        Command::Dump { pass, svg, input } => dump(pass, svg.as_deref(), &input),
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "partita", &mut text);
            print(&String::from_utf8_lossy(&text))
        }
    }
}

/// The arguments with `--decouple` and its choice as one: `--decouple` takes the next word only if that contains `=`.
fn joined(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut result: Vec<OsString> = Vec::new();
    for argument in arguments {
        let is_choice = argument.to_str().is_some_and(|word| word.contains('=') && !word.starts_with('-'));
        match result.last_mut() {
            Some(last) if is_choice && last == "--decouple" => {
                last.push("=");
                last.push(argument);
            }
            _ => result.push(argument),
        }
    }
    result
}

/// Prints messages, each with its source frame, to standard error, or as JSON to standard output.
fn report(source: &Source, diagnostics: &[Diagnostic], json: bool) {
    if json {
        terminal::show(&format!("{:#}\n", serde_json::json!({ "diagnostics": diagnostics })));
        return;
    }
    let mut text = String::new();
    let drawn = if terminal::has_colour() { render_coloured } else { render };
    for diagnostic in diagnostics {
        text.push_str(&drawn(diagnostic, source));
        text.push('\n');
    }
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    if errors > 1 {
        text.push_str(&format!("{errors} errors\n"));
    }
    say(&text);
}

/// Prints to standard output.
fn print(text: &str) -> Result<(), Failure> {
    terminal::print(text).map_err(|error| Failure::Outside(format!("cannot write to standard output: {error}")))
}

fn read(input: &Input) -> Result<Source, Failure> {
    let source = read_file(&input.file)?;
    watch::memory(limits(input)?.with_text(source.text.len()), input.json);
    Ok(source)
}

/// What a command says to lie beside the model: libraries, parsed and loaded, and directories of files.
fn libraries(input: &Input) -> Result<pipeline::Libraries, Failure> {
    let mut files = permissions(input)?;
    let parsed = input.library.iter().map(|path| {
        let source = read_file(path)?;
        files.limits = files.limits.with_text(source.text.len());
        partita_grammar::parse(&source).map_err(|diagnostics| Failure::Model(source, diagnostics))
    });
    let functions = parsed.collect::<Result<_, _>>()?;
    let shared = SharedLibraries::open(&input.external).map_err(|reason| Failure::Outside(format!("--external: {reason}")))?;
    Ok(pipeline::Libraries { functions, shared, files, overrides: input.overrides() })
}

fn read_file(path: &Path) -> Result<Source, Failure> {
    let name = if path == Path::new("-") { "<stdin>".to_string() } else { path.display().to_string() };
    let mut bytes = Vec::new();
    let outcome = if path == Path::new("-") {
        std::io::stdin().read_to_end(&mut bytes).map(|_| ())
    } else if path.is_dir() {
        return Err(Failure::Outside(format!("{name} is a directory; give a .mo file")));
    } else {
        std::fs::read(path).map(|content| bytes = content)
    };
    outcome.map_err(|error| Failure::Outside(format!("cannot read {name}: {error}")))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source { name, text: text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text) }),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let valid = String::from_utf8_lossy(&error.as_bytes()[..at]);
            let (line, column) = (valid.matches('\n').count() + 1, valid.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1);
            Err(Failure::Outside(format!(
                "{name}:{line}:{column}: not UTF-8 text (byte 0x{:02X}); save the file in the encoding UTF-8",
                error.as_bytes()[at]
            )))
        }
    }
}

/// What `check --json` prints: the counts side by side with the warnings.
#[derive(serde::Serialize)]
struct CheckLog<'a> {
    #[serde(flatten)]
    report: &'a partita::report::Report,
    diagnostics: &'a [Diagnostic],
}

fn check(arguments: &CheckArguments) -> Result<(), Failure> {
    let input = &arguments.input;
    input.files()?;
    let source = read(input)?;
    let libraries = libraries(input)?;
    if arguments.units
        && let Err(diagnostics) = pipeline::check_units(&source, &libraries, input.model.as_deref())
    {
        return Err(Failure::Model(source, diagnostics));
    }
    match pipeline::check_with(&source, &libraries, input.model.as_deref()) {
        Ok(checked) => {
            if input.json {
                let log = CheckLog { report: &checked.report, diagnostics: &checked.warnings };
                print(&format!("{:#}\n", serde_json::json!(log)))
            } else {
                report(&source, &checked.warnings, false);
                print(&checked.report.to_string())
            }
        }
        Err(diagnostics) => Err(Failure::Model(source, diagnostics)),
    }
}

fn dump(pass: Pass, svg: Option<&Path>, input: &Input) -> Result<(), Failure> {
    let mut files = input.files()?;
    svg.map_or(Ok(()), |path| files.writes("the picture", path)).map_err(outside)?;
    let source = read(input)?;
    if let Some(path) = svg {
        if pass != Pass::Blt {
            return Err(Failure::Outside(format!("--svg draws what `--pass blt` finds; there is no picture of `{}`", pass.word())));
        }
        let picture = pipeline::incidence_picture(&source, &libraries(input)?, input.model.as_deref())
            .map_err(|diagnostics| Failure::Model(source, diagnostics))?;
        files::write(path, picture.as_bytes()).map_err(outside)?;
        let json = || format!("{:#}\n", serde_json::json!({ "pass": pass.word(), "picture": path.display().to_string() }));
        return if input.json { print(&json()) } else { Ok(()) };
    }
    match pipeline::dump_with(pass, &source, &libraries(input)?, input.model.as_deref()) {
        Ok(text) if input.json => print(&format!("{:#}\n", serde_json::json!({ "pass": pass.word(), "text": text }))),
        Ok(text) => print(&text),
        Err(diagnostics) => Err(Failure::Model(source, diagnostics)),
    }
}
