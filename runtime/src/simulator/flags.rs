//! The command line of a built simulator: OpenModelica's common flags and those of `partita run`.

use super::asked::{Asked, Origins};
use super::model_image::ModelImage;
use crate::base::arguments::{cut_at_equals_sign, first};
use crate::base::limits::Limits;
use crate::integrate::names::Named;
use crate::integrate::{Experiment, Solver};
use crate::model::overrides::{self, Override, parts};
use crate::native::access::Permissions;
use regex::Regex;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// When, how exactly, and what is kept.
#[derive(Debug, Default)]
pub struct TimeFlags {
    start_time: Option<f64>,
    stop_time: Option<f64>,
    tolerance: Option<f64>,
    interval: Option<f64>,
    intervals: Option<usize>,
}

/// What the user asked for.
#[derive(Debug, Default)]
pub struct Flags {
    /// When, how exactly, and what is kept.
    times: TimeFlags,
    /// The method.
    pub solver: Option<Solver>,
    /// The step of fixed-step methods.
    pub step: Option<f64>,
    no_events: bool,
    sliding: bool,
    /// Parameters and start values, in order.
    pub settings: Vec<Override>,
    /// Folders that the model may read and write besides the present one.
    pub allow_files: Vec<PathBuf>,
    /// Shared libraries to load instead of those of the same name that were there when the simulator was built.
    pub external: Vec<PathBuf>,
    /// Limits that are raised.
    pub limits: Vec<String>,
    /// A file with the inputs over time.
    pub inputs: Option<PathBuf>,
    /// Files of `-overrideFile`, which have been read.
    pub override_files: Vec<PathBuf>,
    /// Which results to keep.
    pub filter: Option<Regex>,
    /// The result file as it was given; [`Flags::output`] is the one that is written.
    pub given_output: Option<PathBuf>,
    format: Option<FileFormat>,
    /// Print statistics.
    pub statistics: bool,
    /// Signals whose last values are printed.
    pub last_values: Vec<String>,
    /// Print the flags and stop.
    pub help: bool,
    /// Print the version and stop.
    pub version: bool,
    /// Flags that were accepted and do nothing.
    pub remarks: Vec<String>,
    /// What is good to know about other flags.
    pub notes: Vec<String>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum FileFormat {
    Mat,
    Csv,
    Empty,
}

/// The text of `-help`.
pub const HELP: &str = "Flags (-flag=value or -flag value), as OpenModelica's simulators have them:
  -startTime=T -stopTime=T      begin and end of the run
  -stepSize=H                   time between results; the step of fixed-step methods
  -tolerance=TOL                relative tolerance
  -s=METHOD                     dassl, ida, cvode (all: bdf), gbode (esdirk), euler, rungekutta (rk4), heun, impeuler, or one of Partita's
  -override=a=1,b.c=2           parameters, start values, startTime, stopTime, stepSize, tolerance, solver, outputFormat, variableFilter
  -overrideFile=FILE            the same, one a=1 per line
  -r=FILE                       result file, .mat or .csv
  -outputFormat=mat|csv|empty   its format, if the file's name does not say it
  -variableFilter=REGEX         write only variables whose whole name matches
  -csvInput=FILE                inputs over time
  -output=a,b                   print these values at the end
  -lv=LOG_STATS                 print statistics
  -allowFiles=DIR               let the model read and write below this folder, too
  -external=LIB.so              load this library instead of the one of its name that was there when the simulator was built
  -help                         this text
Flags of `partita run`:
  -o, --output FILE   --start-time T   --stop-time T   --tolerance TOL   --solver METHOD   --step H   --interval H   --intervals N
  --set name=value    --input FILE     --filter REGEX  --no-events       --sliding WHAT     --statistics       --version
  --allow-files DIR   --external LIB.so   --limit strings|elements|operations|memory=NUMBER
Methods: euler, implicit-euler, midpoint, implicit-midpoint, heun, rk4, dopri5, esdirk, bdf, auto (default: bdf, or esdirk while events come often)";

fn number(flag: &str, text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("{flag} needs a number, not `{text}`")),
    }
}

fn positive(flag: &str, text: &str) -> Result<f64, String> {
    number(flag, text).and_then(|value| if value > 0.0 { Ok(value) } else { Err(format!("{flag} has to be more than zero, not {value}")) })
}

/// A whole number above zero.
fn count(flag: &str, text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| format!("{flag} needs a whole number above zero, not `{text}`"))
}

impl Flags {
    /// Reads a command line without the name of the program.
    pub fn parse(arguments: &[OsString]) -> Result<Flags, String> {
        let mut flags = Flags::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let (flag, given) = match cut_at_equals_sign(argument, first) {
                Some((flag, value)) if flag.starts_with('-') => (flag, Some(value)),
                _ => (argument.to_string_lossy().into_owned(), None),
            };
            let flag = flag.as_str();
            match flag {
                "-help" | "--help" | "-h" => {
                    flags.help = true;
                    continue;
                }
                "--version" => {
                    flags.version = true;
                    continue;
                }
                "--no-events" => {
                    flags.no_events = true;
                    continue;
                }
                "--statistics" => {
                    flags.statistics = true;
                    continue;
                }
                "-w" => {
                    flags.remarks.push("-w changes nothing here: all warnings are shown".to_string());
                    continue;
                }
                "--decouple" | "-decouple" => {
                    return Err("whether a simulator is decoupled was decided when it was built, by `partita build --decouple`".to_string());
                }
                _ => {}
            }
            if !flag.starts_with('-') || !KNOWN.contains(&flag) {
                return Err(format!("there is no flag `{}`; -help shows all", argument.display()));
            }
            let value = match given {
                Some(value) => value,
                None => rest.next().cloned().ok_or_else(|| format!("{flag} needs a value"))?,
            };
            flags.take(flag, &value)?;
        }
        Ok(flags)
    }

    fn take(&mut self, flag: &str, value: &OsStr) -> Result<(), String> {
        match flag {
            "-r" | "-o" | "--output" => self.given_output = Some(PathBuf::from(value)),
            "-csvInput" | "--input" => self.inputs = Some(PathBuf::from(value)),
            "-overrideFile" => self.take_overrides(Path::new(value))?,
            _ => self.take_text(flag, value.to_str().ok_or_else(|| format!("{flag} needs text in UTF-8, not `{}`", value.display()))?)?,
        }
        Ok(())
    }

    /// A file with parts of `-override`, one per line.
    fn take_overrides(&mut self, path: &Path) -> Result<(), String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        self.override_files.push(path.to_path_buf());
        let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default().trim());
        lines.filter(|line| !line.is_empty()).try_for_each(|line| self.replace(line))
    }

    /// A flag whose value is no path.
    fn take_text(&mut self, flag: &str, value: &str) -> Result<(), String> {
        match flag {
            "-startTime" | "--start-time" => self.times.start_time = Some(number(flag, value)?),
            "-stopTime" | "--stop-time" => self.times.stop_time = Some(number(flag, value)?),
            "-tolerance" | "--tolerance" => self.times.tolerance = Some(positive(flag, value)?),
            "-stepSize" | "--interval" => self.times.interval = Some(positive(flag, value)?),
            "--step" => self.step = Some(positive(flag, value)?),
            "--intervals" => self.times.intervals = Some(count(flag, value)?),
            "-s" | "--solver" => {
                let named: Named = value.parse()?;
                self.notes.extend(named.note);
                self.solver = Some(named.solver);
            }
            "--sliding" => {
                self.sliding = match value {
                    "equivalent" => true,
                    "error" => false,
                    other => return Err(format!("--sliding is error or equivalent, not `{other}`")),
                }
            }
            "--set" => self.settings.extend(overrides::list(value)?),
            "-allowFiles" | "--allow-files" => self.allow_files.push(PathBuf::from(value)),
            "-external" | "--external" => self.external.push(PathBuf::from(value)),
            "-limit" | "--limit" => {
                Limits::default().set(value).map_err(|error| format!("{flag}: {error}"))?;
                self.limits.push(value.to_string());
            }
            "-variableFilter" | "--filter" => {
                self.filter = Some(Regex::new(&format!("^(?:{value})$")).map_err(|error| format!("{flag}: {error}"))?)
            }
            "-output" => self.last_values.extend(parts(value).into_iter().map(str::to_string)),
            "-outputFormat" => {
                self.format = Some(match value {
                    "mat" => FileFormat::Mat,
                    "csv" => FileFormat::Csv,
                    "empty" => FileFormat::Empty,
                    other => return Err(format!("there is no output format `{other}` here; there are mat, csv and empty")),
                });
            }
            "-lv" => {
                for stream in parts(value) {
                    match stream {
                        "LOG_STATS" | "LOG_STATS_V" => self.statistics = true,
                        "LOG_STDOUT" | "LOG_ASSERT" | "LOG_SUCCESS" => {}
                        other => self.remarks.push(format!("-lv={other} shows nothing here")),
                    }
                }
            }
            "-override" => {
                for part in parts(value) {
                    self.replace(part)?;
                }
            }
            _ => return Err(format!("there is no flag `{flag}`")),
        }
        Ok(())
    }

    /// One part of `-override`.
    fn replace(&mut self, part: &str) -> Result<(), String> {
        let (name, value) = part.split_once('=').ok_or_else(|| format!("-override: expected name=value, not `{part}`"))?;
        let flag = match name.trim() {
            "startTime" => "-startTime",
            "stopTime" => "-stopTime",
            "stepSize" => "-stepSize",
            "tolerance" => "-tolerance",
            "solver" => "-s",
            "outputFormat" => "-outputFormat",
            "variableFilter" => "-variableFilter",
            _ => {
                self.settings.push(overrides::one(part)?);
                return Ok(());
            }
        };
        self.take_text(flag, value.trim())
    }

    /// Only methods with a fixed step take one, and a run that is decoupled, as it was built.
    pub fn check_step(&self, is_decoupled: bool) -> Result<(), String> {
        let solver = self.solver.unwrap_or_default();
        let is_decoupled = is_decoupled && self.solver.is_none();
        match self.step {
            Some(step) if !solver.is_fixed_step() && !is_decoupled => Err(format!(
                "--step {step} is for methods with a fixed step, but {solver} chooses its steps by the tolerance; --interval gives the time between results"
            )),
            _ => Ok(()),
        }
    }

    /// The run differs from that for which a partition was decided when the simulator was built.
    pub fn changes_the_split(&self) -> bool {
        !self.settings.is_empty() || self.inputs.is_some() || self.step.is_some() || self.times.start_time.is_some()
    }

    /// What the model may touch: what was said when it was built, and here.
    pub fn permit(&self, files: &mut Permissions) -> Result<(), String> {
        for folder in &self.allow_files {
            if !folder.is_dir() {
                return Err(format!("-allowFiles={}: there is no such folder", folder.display()));
            }
            files.allowed.push(folder.as_os_str().to_os_string());
        }
        self.limits.iter().try_for_each(|limit| files.limits.set(limit))
    }

    /// The run that is wanted, and where its settings came from.
    pub fn experiment(&self, image: &ModelImage) -> (Experiment, Origins) {
        let Flags { step, times: TimeFlags { start_time, stop_time, tolerance, interval, intervals }, .. } = *self;
        let (mut experiment, origins) = Asked { start_time, stop_time, tolerance, interval, intervals, step }.experiment(&image.annotation);
        experiment.solver = self.solver.unwrap_or_default();
        experiment.ignore_events = self.no_events;
        experiment.sliding = self.sliding;
        (experiment, origins)
    }

    /// The result file; none for the format `empty`.
    pub fn output(&self, model: &str) -> Result<Option<PathBuf>, String> {
        let ending = match self.format {
            Some(FileFormat::Empty) => return Ok(None),
            Some(FileFormat::Csv) => Some("csv"),
            Some(FileFormat::Mat) => Some("mat"),
            None => None,
        };
        let Some(path) = &self.given_output else {
            return Ok(Some(PathBuf::from(format!("{}_res.{}", model.rsplit('.').next().unwrap_or("model"), ending.unwrap_or("mat")))));
        };
        let written = path.extension().and_then(|written| written.to_str()).map(str::to_ascii_lowercase);
        match (ending, written.as_deref()) {
            (Some(ending), Some(written @ ("mat" | "csv" | "plt"))) if written != ending => {
                Err(format!("the result file {} has another ending than the output format {ending}", path.display()))
            }
            (_, Some("mat" | "csv")) => Ok(Some(path.clone())),
            (_, Some("plt")) => Err(format!("{} cannot be written: results are .mat or .csv here", path.display())),
            (ending, _) => Ok(Some(with_ending(path, ending.unwrap_or("mat")))),
        }
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".");
    name.push(ending);
    path.with_file_name(name)
}

const KNOWN: &[&str] = &[
    "-startTime",
    "--start-time",
    "-stopTime",
    "--stop-time",
    "-tolerance",
    "--tolerance",
    "-stepSize",
    "--interval",
    "--step",
    "--intervals",
    "--sliding",
    "-s",
    "-allowFiles",
    "--allow-files",
    "-external",
    "--external",
    "-limit",
    "--limit",
    "--solver",
    "-r",
    "-o",
    "--output",
    "-csvInput",
    "--input",
    "--set",
    "-variableFilter",
    "--filter",
    "-output",
    "-outputFormat",
    "-lv",
    "-override",
    "-overrideFile",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Flags, String> {
        Flags::parse(&text.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn openmodelica_flags_are_understood_with_and_without_equals_sign() {
        let flags =
            parse("-override=a=1,b[1,2].c=-2e3,on=true,stopTime=3,solver=dassl -r=out.csv -s rungekutta -lv=LOG_STATS,LOG_NLS -output=x,y")
                .unwrap();
        let settings: Vec<(&str, &str)> = flags.settings.iter().map(|given| (given.name.as_str(), given.value.as_str())).collect();
        assert_eq!(settings, [("a", "1"), ("b[1,2].c", "-2e3"), ("on", "true")]);
        assert_eq!((flags.times.stop_time, flags.solver, flags.statistics), (Some(3.0), Some(Solver::Rk4), true));
        assert_eq!(flags.output("M").unwrap(), Some(PathBuf::from("out.csv")));
        assert_eq!(flags.last_values, ["x", "y"]);
        assert_eq!(flags.remarks, ["-lv=LOG_NLS shows nothing here"]);
        assert_eq!(flags.notes.len(), 2);
        assert_eq!(parse("-w").unwrap().remarks.len(), 1);
    }

    #[test]
    fn steps_are_for_methods_that_take_them() {
        assert!(parse("--step 0.1").unwrap().check_step(false).is_err() && parse("--step 0.1 -s=dassl").unwrap().check_step(true).is_err());
        assert!(
            parse("--step 0.1").unwrap().check_step(true).is_ok() && parse("--step 0.1 -s=rungekutta").unwrap().check_step(false).is_ok()
        );
    }

    #[test]
    fn format_and_name_of_the_result_agree() {
        assert_eq!(parse("").unwrap().output("A.M").unwrap(), Some(PathBuf::from("M_res.mat")));
        assert_eq!(parse("-outputFormat=csv").unwrap().output("M").unwrap(), Some(PathBuf::from("M_res.csv")));
        assert_eq!(parse("-r=x.1 -outputFormat=csv").unwrap().output("M").unwrap(), Some(PathBuf::from("x.1.csv")));
        assert_eq!(parse("-outputFormat=empty").unwrap().output("M").unwrap(), None);
        assert!(parse("-r=x.mat -outputFormat=csv").unwrap().output("M").is_err());
        assert!(parse("-r=x.plt").unwrap().output("M").unwrap_err().contains(".mat or .csv"));
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for text in [
            "-nls=kinsol",
            "model.mo",
            "-stopTime=soon",
            "-stopTime",
            "-s=magic",
            "-outputFormat=plt",
            "-stepSize=0",
            "-tolerance=-1",
            "--intervals 0",
            "--step 0",
            "-override=a",
            "--decouple",
            "-override=a=",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
