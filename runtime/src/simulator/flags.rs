//! The command line of a built simulator: OpenModelica's common flags and those of `partita run`.

use super::image::Image;
use crate::integrate::{Experiment, Solver};
use regex::Regex;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// What the user asked for.
#[derive(Debug, Default)]
pub struct Flags {
    start_time: Option<f64>,
    stop_time: Option<f64>,
    tolerance: Option<f64>,
    /// The method.
    pub solver: Option<Solver>,
    /// The step of fixed-step methods.
    pub step: Option<f64>,
    interval: Option<f64>,
    intervals: Option<usize>,
    no_events: bool,
    sliding: bool,
    /// Parameters and start values, in order.
    pub settings: Vec<(String, f64)>,
    /// A file with the inputs over time.
    pub inputs: Option<PathBuf>,
    /// Which results to keep.
    pub filter: Option<Regex>,
    output: Option<PathBuf>,
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
  -r=FILE                       result file
  -outputFormat=mat|csv|empty   its format, if the file's name does not say it
  -variableFilter=REGEX         write only variables whose whole name matches
  -csvInput=FILE                inputs over time
  -output=a,b                   print these values at the end
  -lv=LOG_STATS                 print statistics
  -help                         this text
Flags of `partita run`:
  -o, --output FILE   --start-time T   --stop-time T   --tolerance TOL   --solver METHOD   --step H   --interval H   --intervals N
  --set name=value    --input FILE     --filter REGEX  --no-events       --sliding WHAT     --statistics       --version
Methods: euler, implicit-euler, midpoint, implicit-midpoint, heun, rk4, dopri5, esdirk, bdf (default)";

fn number(flag: &str, text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("{flag} needs a number, not `{text}`")),
    }
}

fn solver(text: &str) -> Result<Solver, String> {
    match text {
        "dassl" | "ida" | "cvode" => Ok(Solver::Bdf),
        "gbode" => Ok(Solver::Esdirk),
        "rungekutta" => Ok(Solver::Rk4),
        "impeuler" => Ok(Solver::ImplicitEuler),
        word => Solver::from_str(word),
    }
}

/// A setting `name=value`.
pub fn setting(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("expected name=value, not `{text}`"))?;
    let value = match value.trim() {
        "true" => 1.0,
        "false" => 0.0,
        text => number(name.trim(), text)?,
    };
    Ok((name.trim().to_string(), value))
}

/// Cuts `a=1,b[1,2]=3` at the commas that are not inside brackets.
fn parts(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let mut begin = 0;
    let mut list = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                list.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    list.push(&text[begin..]);
    list.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

impl Flags {
    /// Reads a command line without the name of the program.
    pub fn parse(arguments: &[String]) -> Result<Flags, String> {
        let mut flags = Flags::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let (flag, given) = match argument.split_once('=') {
                Some((flag, value)) if flag.starts_with('-') => (flag, Some(value.to_string())),
                _ => (argument.as_str(), None),
            };
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
                "-w" => continue,
                "--decouple" | "-decouple" => {
                    return Err("whether a simulator is decoupled was decided when it was built, by `partita build --decouple`".to_string());
                }
                _ => {}
            }
            if !flag.starts_with('-') || !KNOWN.contains(&flag) {
                return Err(format!("there is no flag `{argument}`; -help shows all"));
            }
            let value = match given {
                Some(value) => value,
                None => rest.next().cloned().ok_or_else(|| format!("{flag} needs a value"))?,
            };
            flags.take(flag, &value)?;
        }
        Ok(flags)
    }

    fn take(&mut self, flag: &str, value: &str) -> Result<(), String> {
        match flag {
            "-startTime" | "--start-time" => self.start_time = Some(number(flag, value)?),
            "-stopTime" | "--stop-time" => self.stop_time = Some(number(flag, value)?),
            "-tolerance" | "--tolerance" => self.tolerance = Some(number(flag, value)?),
            "-stepSize" | "--interval" => self.interval = Some(number(flag, value)?),
            "--sliding" => {
                self.sliding = match value {
                    "equivalent" => true,
                    "error" => false,
                    other => return Err(format!("--sliding is error or equivalent, not `{other}`")),
                }
            }
            "--step" => self.step = Some(number(flag, value)?),
            "--intervals" => self.intervals = Some(value.parse().map_err(|_| format!("{flag} needs a whole number, not `{value}`"))?),
            "-s" | "--solver" => self.solver = Some(solver(value)?),
            "-r" | "-o" | "--output" => self.output = Some(PathBuf::from(value)),
            "-csvInput" | "--input" => self.inputs = Some(PathBuf::from(value)),
            "--set" => self.settings.push(setting(value)?),
            "-variableFilter" | "--filter" => self.filter = Some(Regex::new(&format!("^(?:{value})$")).map_err(|error| format!("{flag}: {error}"))?),
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
            "-overrideFile" => {
                let text = std::fs::read_to_string(value).map_err(|error| format!("cannot read {value}: {error}"))?;
                for line in text.lines().map(|line| line.split("//").next().unwrap_or_default().trim()).filter(|line| !line.is_empty()) {
                    self.replace(line)?;
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
            _ => "--set",
        };
        self.take(flag, if flag == "--set" { part } else { value.trim() })
    }

    /// The run differs from that for which a partition was decided when the simulator was built.
    pub fn changes_the_split(&self) -> bool {
        !self.settings.is_empty() || self.inputs.is_some() || self.step.is_some() || self.start_time.is_some()
    }

    /// The run that is wanted.
    pub fn experiment(&self, image: &Image) -> Experiment {
        let mut experiment = image.annotation.experiment(self.start_time, self.stop_time);
        experiment.solver = self.solver.unwrap_or_default();
        experiment.step = self.step.or(self.interval).or(experiment.step);
        experiment.ignore_events = self.no_events;
        experiment.sliding = self.sliding;
        if let Some(tolerance) = self.tolerance {
            experiment.tolerance = tolerance;
        }
        match (self.interval, self.intervals) {
            (Some(interval), _) => experiment.interval = Some(interval),
            (None, Some(n)) => experiment.interval = Some(experiment.span() / n.max(1) as f64),
            (None, None) => {}
        }
        experiment
    }

    /// The result file; none for the format `empty`.
    pub fn output(&self, model: &str) -> Result<Option<PathBuf>, String> {
        let ending = match self.format {
            Some(FileFormat::Empty) => return Ok(None),
            Some(FileFormat::Csv) => Some("csv"),
            Some(FileFormat::Mat) => Some("mat"),
            None => None,
        };
        let Some(path) = &self.output else {
            return Ok(Some(PathBuf::from(format!("{}_res.{}", model.rsplit('.').next().unwrap_or("model"), ending.unwrap_or("mat")))));
        };
        let written = path.extension().and_then(|written| written.to_str()).map(str::to_ascii_lowercase);
        match (ending, written.as_deref()) {
            (Some(ending), Some(written @ ("mat" | "csv" | "plt"))) if written != ending => {
                Err(format!("the result file {} has another ending than the output format {ending}", path.display()))
            }
            (_, Some("mat" | "csv")) => Ok(Some(path.clone())),
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
    "-startTime", "--start-time", "-stopTime", "--stop-time", "-tolerance", "--tolerance", "-stepSize", "--interval", "--step", "--intervals", "--sliding", "-s",
    "--solver", "-r", "-o", "--output", "-csvInput", "--input", "--set", "-variableFilter", "--filter", "-output", "-outputFormat", "-lv", "-override", "-overrideFile",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Flags, String> {
        Flags::parse(&text.split_whitespace().map(str::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn openmodelica_flags_are_understood_with_and_without_equals_sign() {
        let flags = parse("-override=a=1,b[1,2].c=-2e3,on=true,stopTime=3,solver=dassl -r=out.csv -s rungekutta -lv=LOG_STATS,LOG_NLS -output=x,y").unwrap();
        assert_eq!(flags.settings, [("a".to_string(), 1.0), ("b[1,2].c".to_string(), -2e3), ("on".to_string(), 1.0)]);
        assert_eq!((flags.stop_time, flags.solver, flags.statistics), (Some(3.0), Some(Solver::Rk4), true));
        assert_eq!(flags.output("M").unwrap(), Some(PathBuf::from("out.csv")));
        assert_eq!(flags.last_values, ["x", "y"]);
        assert_eq!(flags.remarks, ["-lv=LOG_NLS shows nothing here"]);
    }

    #[test]
    fn format_and_name_of_the_result_agree() {
        assert_eq!(parse("").unwrap().output("A.M").unwrap(), Some(PathBuf::from("M_res.mat")));
        assert_eq!(parse("-outputFormat=csv").unwrap().output("M").unwrap(), Some(PathBuf::from("M_res.csv")));
        assert_eq!(parse("-r=x.1 -outputFormat=csv").unwrap().output("M").unwrap(), Some(PathBuf::from("x.1.csv")));
        assert_eq!(parse("-outputFormat=empty").unwrap().output("M").unwrap(), None);
        assert!(parse("-r=x.mat -outputFormat=csv").unwrap().output("M").is_err());
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for text in ["-nls=kinsol", "model.mo", "-stopTime=soon", "-stopTime", "-s=magic", "-outputFormat=plt", "-override=a", "--decouple", "-override=a=b"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
