//! Command line: words, exit codes, files and terminal.
//!
//! Exit codes: 0 done, 1 the model or the comparison is at fault, 2 wrong usage or a file that cannot be read or written, 128 and the
//! number of the signal that stopped a run (130 for Ctrl-C).

use crate::failure::{Failure, outside, print, report, report_outside};
use crate::input::{Input, libraries, read};
use crate::{analyze, build, compare, flatten, omc, options, overrides, plot, rank, reduce, run, simplify};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use partita::pipeline;
use partita::pipeline::passes::{self, Dump};
use partita_grammar::Diagnostic;
use partita_runtime::base::files;
use partita_runtime::base::interrupt;
use partita_runtime::base::terminal::say;
use std::ffi::OsString;
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
  partita run Modelica.Mechanics.Rotational.Examples.First    a class of a library: --library, MODELICAPATH, ~/.openmodelica/libraries
  partita flatten Motor.mo -o Motor.bmo        the model without its hierarchy, as Base Modelica
  partita compare m.csv Motor_res.mat          tube test: exit code 0 if the results are the same, 1 if not
  partita check Motor.mo                       parse, type-check, structure: counts, states, loop sizes
  partita check --units Motor.mo               compare the units of equations as well
  partita analyze Motor.mo --html m.html       cycles, time scales, separability, suggested cuts
  partita rank Motor.mo --html m.html          which components matter to the run, by the energy they see
  partita reduce Motor.mo --by terms --output w --error 1% -o R.mo    without the terms that w does not need
  partita reduce Motor.mo --by components --output w -o R.mo    without the components that hardly see energy
  partita reduce Rod.mo --by order --output y --error 1% -o R.mo    with fewer states, if its continuous part is affine
  partita simplify Motor.mo --for small --output w    what could take its place: one table with true errors and times
  partita dump --pass blt Motor.mo             the text form of any intermediate form
  partita dump --pass blt --svg m.svg Motor.mo    a picture of the equations before and after sorting
  partita completions bash > partita.bash      completions for your shell";

/// Compiles Modelica to native simulators.
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
    /// Says which components of a model matter to a run, by the energy that flows through them.
    Rank(rank::Arguments),
    /// Writes a smaller model whose outputs stay within an error in the same run.
    Reduce(Box<reduce::Arguments>),
    /// Tries what makes a model faster, smaller or clearer, and says what each costs.
    Simplify(simplify::Arguments),
    /// Makes an executable of a model that runs without Partita.
    Build(Box<build::Arguments>),
    /// Writes a model without its hierarchy, as Base Modelica.
    Flatten(flatten::Arguments),
    /// Compares a result with a reference.
    Compare(compare::Arguments),
    /// Draws signals of a result: in the terminal, as a picture, or as a page to look closer at.
    Plot(plot::file::Arguments),
    /// Prints an intermediate form; `dump --pass` without a model lists them.
    #[command(mut_arg("file", |file| file.required(false)))]
    Dump {
        /// Which form; without a word: lists all of them.
        #[arg(long, value_name = "WORD", value_parser = Dump::parse, num_args = 0..=1)]
        pass: Option<Option<Dump>>,
        /// With `--pass blt`: draw which unknown is in which equation, before and after sorting, into this file.
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
        #[command(flatten)]
        input: Option<Input>,
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

/// Runs the command line of this process.
pub(crate) fn main() -> ExitCode {
    let arguments = joined(std::env::args_os());
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return usage(&error, arguments.iter().any(|argument| argument == "--json")),
    };
    let mut command = cli.command;
    let json = match &command {
        Command::Compare(arguments) => arguments.json,
        _ => input_of(&mut command).is_some_and(|input| input.json),
    };
    let export = input_of(&mut command).and_then(|input| omc::advice(input));
    let listening = interrupt::listen().map_err(|error| Failure::Outside(format!("cannot listen to signals: {error}")));
    let exported = listening.and_then(|()| input_of(&mut command).map_or(Ok(()), omc::replace));
    match exported.and_then(|()| execute(command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Different) => ExitCode::from(1),
        Err(Failure::Stopped) => ExitCode::from(interrupt::exit_code()),
        Err(Failure::Model(source, mut diagnostics)) => {
            omc::advise(&mut diagnostics, export.as_deref());
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

/// The model that a command reads.
fn input_of(command: &mut Command) -> Option<&mut Input> {
    match command {
        Command::Check(CheckArguments { input, .. }) => Some(input),
        Command::Dump { input, .. } => input.as_mut(),
        Command::Run(arguments) => Some(&mut arguments.input),
        Command::Analyze(arguments) => Some(&mut arguments.input),
        Command::Rank(arguments) => Some(&mut arguments.input),
        Command::Reduce(arguments) => Some(&mut arguments.input),
        Command::Simplify(arguments) => Some(&mut arguments.input),
        Command::Flatten(arguments) => Some(&mut arguments.input),
        Command::Build(arguments) => Some(&mut arguments.input),
        Command::Compare(_) | Command::Plot(_) | Command::Doctor | Command::Completions { .. } => None,
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

fn execute(command: Command) -> Result<(), Failure> {
    match command {
        Command::Check(arguments) => check(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Analyze(arguments) => analyze::run(&arguments),
        Command::Rank(arguments) => rank::run(&arguments),
        Command::Reduce(arguments) => reduce::run(&arguments),
        Command::Simplify(arguments) => simplify::run(&arguments),
        Command::Build(arguments) => build::run(&arguments),
        Command::Flatten(arguments) => flatten::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Plot(arguments) => plot::file::run(&arguments),
        Command::Doctor => build::doctor(),
        Command::Dump { pass: Some(Some(pass)), svg, input: Some(input) } => dump(pass, svg.as_deref(), &input),
        Command::Dump { input: None, .. } => print(&passes::table()),
        Command::Dump { .. } => Err(Failure::Outside("which form? `partita dump --pass` without a model lists them".to_owned())),
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

/// What `check --json` prints: the counts side by side with the warnings.
#[derive(serde::Serialize)]
struct CheckLog<'a> {
    #[serde(flatten)]
    report: &'a partita::pipeline::report::Report,
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

fn dump(pass: Dump, svg: Option<&Path>, input: &Input) -> Result<(), Failure> {
    let mut files = input.files()?;
    svg.map_or(Ok(()), |path| files.writes("the picture", path)).map_err(outside)?;
    let source = read(input)?;
    if let Some(path) = svg {
        if pass.word != "blt" {
            return Err(Failure::Outside(format!("--svg draws what `--pass blt` finds; there is no picture of `{}`", pass.word)));
        }
        let picture = pipeline::incidence_picture(&source, &libraries(input)?, input.model.as_deref())
            .map_err(|diagnostics| Failure::Model(source, diagnostics))?;
        files::write(path, picture.as_bytes()).map_err(outside)?;
        let json = || format!("{:#}\n", serde_json::json!({ "pass": pass.word, "picture": path.display().to_string() }));
        return if input.json { print(&json()) } else { Ok(()) };
    }
    match pipeline::dump_with(pass, &source, &libraries(input)?, input.model.as_deref()) {
        Ok(text) if input.json => print(&format!("{:#}\n", serde_json::json!({ "pass": pass.word, "text": text }))),
        Ok(text) => print(&text),
        Err(diagnostics) => Err(Failure::Model(source, diagnostics)),
    }
}
