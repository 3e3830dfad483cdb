//! What every command reads: the model, what lies beside it, and what the command line allows it.
//!
//! In: flags. Out: sources, `Libraries`, `Permissions`. Guarantee: only `run`, and simulators that were built, let a model write or remove
//! files: the others have [`Permissions::effects`] off.

use crate::failure::{Failure, outside};
use crate::watch;
use partita::decouple::cycles::Choice;
use partita::decouple::decision::DecoupleOptions;
use partita::decouple::operating_points::At;
use partita::frontend::library::Disk;
use partita::pipeline;
use partita_grammar::{Diagnostic, Source};
use partita_runtime::base::files::Files;
use partita_runtime::base::limits::Limits;
use partita_runtime::integrate::mixed::Pair;
use partita_runtime::model::overrides::{self, Override};
use partita_runtime::native::access::Permissions;
use partita_runtime::native::external::SharedLibraries;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A model file.
#[derive(clap::Args)]
pub(crate) struct Input {
    /// The file; `-` reads standard input.
    pub(crate) file: PathBuf,
    /// Which model of the file; the last one if not given.
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// Set parameters and start values: name=value, a[2]=1, v={1,2}, x.start=3; several with commas or several times. What depends on them
    /// follows.
    #[arg(long, visible_alias = "override", value_name = "NAME=VALUE", value_parser = overrides::list)]
    pub(crate) set: Vec<Vec<Override>>,
    /// A file with functions that the model file calls but does not define; may be given several times.
    #[arg(long, value_name = "FILE")]
    pub(crate) library: Vec<PathBuf>,
    /// A shared library with external C functions that are not built in; may be given several times.
    #[arg(long, value_name = "LIB.so")]
    pub(crate) external: Vec<PathBuf>,
    /// A directory below which the files of tables and matrices are searched, before the present one; may be given several times.
    #[arg(long, value_name = "DIR")]
    pub(crate) resource_path: Vec<PathBuf>,
    /// A directory below which the model may read, write and remove files, besides the present one; may be given several times.
    #[arg(long, value_name = "DIR")]
    pub(crate) allow_files: Vec<PathBuf>,
    /// How much the model may ask for: strings (bytes of one), elements (of an array or table), operations (while it is compiled) or
    /// memory (bytes), for example operations=1e9; may be given several times.
    #[arg(long, value_name = "NAME=NUMBER", value_parser = limit)]
    pub(crate) limit: Vec<String>,
    /// Let OpenModelica (1.24 or newer) make the model without hierarchy that is read; found by this path, or on PATH, in OMC or in
    /// OPENMODELICAHOME. What it exports is kept and used again as long as nothing it was made of changes.
    #[arg(long, num_args = 0..=1, require_equals = true, value_name = "PATH")]
    pub(crate) omc: Option<Option<PathBuf>>,
    /// Report as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

impl Input {
    /// What is read for a model.
    pub(crate) fn files(&self) -> Result<Files, Failure> {
        let mut files = program_files()?;
        if !is_class_name(&self.file) {
            files.reads("the model", &self.file).map_err(outside)?;
        }
        self.library.iter().try_for_each(|path| files.reads("a library", path)).map_err(outside)?;
        self.external.iter().try_for_each(|path| files.reads("a shared library", path)).map_err(outside)?;
        Ok(files)
    }

    /// All values given, in order.
    pub(crate) fn overrides(&self) -> Vec<Override> {
        self.set.concat()
    }
}

/// What every command reads: the executable.
pub(crate) fn program_files() -> Result<Files, Failure> {
    let mut files = Files::new();
    // An executable that is not found is not overwritten by name.
    if let Ok(own) = std::env::current_exe() {
        files.reads("the program partita", &own).map_err(outside)?;
    }
    Ok(files)
}

/// Whether and how a model is split.
#[derive(clap::Args)]
pub(crate) struct Decoupling {
    /// Solve for fast states alone where the run finds that this saves time; the tolerance holds as without. With a choice, the
    /// mixed-mode formulas of the papers instead, by default with fixed steps, for which no tolerance holds: pair=euler, step=0.2, step=adaptive,
    /// cut=8, fast=I,w, h=0.1, alpha=0.5, joined by semicolons.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "", value_name = "CHOICE")]
    pub(crate) decouple: Option<String>,
    /// Formulas of a mixed-mode run: euler, midpoint, heun, imex3, imex4, imex5, or bdf, which is adaptive; euler if not given, imex3 with step=adaptive.
    #[arg(long, requires = "decouple")]
    pub(crate) pair: Option<Pair>,
    /// Operating points of the analysis that chooses the fast states: times separated by commas; 0 for the start alone. Without it
    /// the start, about 20 points of a run and every mode met in it.
    #[arg(long, requires = "decouple", allow_negative_numbers = true)]
    pub(crate) at: Option<At>,
}

impl Decoupling {
    /// The run is to find fast states by itself.
    pub(crate) fn is_plain(&self, step: Option<f64>) -> bool {
        let is_alone = self.pair.is_none() && self.at.is_none() && step.is_none();
        is_alone && self.decouple.as_ref().is_some_and(|text| text.trim().is_empty())
    }

    /// The formulas of the papers that the user asks for, if any.
    pub(crate) fn decouple_options(&self, step: Option<f64>) -> Result<Option<DecoupleOptions>, Box<Diagnostic>> {
        let Some(text) = self.decouple.as_ref().filter(|_| !self.is_plain(step)) else { return Ok(None) };
        Ok(Some(DecoupleOptions { choice: Choice::parse(text)?, pair: self.pair, step, at: self.at.clone() }))
    }
}

pub(crate) fn read(input: &Input) -> Result<Source, Failure> {
    let source = match is_class_name(&input.file) {
        true => Source { name: input.file.display().to_string(), text: String::new() },
        false => read_file(&input.file)?,
    };
    watch::memory(limits(input)?.with_text(source.text.len()), input.json);
    Ok(source)
}

/// What a command says to lie beside the model: libraries, parsed and loaded, and directories of files.
pub(crate) fn libraries(input: &Input) -> Result<pipeline::Libraries, Failure> {
    let mut files = permissions(input)?;
    // Folders are packages, which are read class by class.
    let parsed = input.library.iter().filter(|path| !path.is_dir()).map(|path| {
        let source = read_file(path)?;
        files.limits = files.limits.with_text(source.text.len());
        partita_grammar::parse(&source).map_err(|diagnostics| Failure::Model(source, diagnostics))
    });
    let functions = parsed.collect::<Result<_, _>>()?;
    let shared = SharedLibraries::open(&input.external).map_err(|reason| Failure::Outside(format!("--external: {reason}")))?;
    let packages = packages(input);
    Ok(pipeline::Libraries { functions, shared, files, overrides: input.overrides(), packages })
}

/// Whether a class is asked for, not a file: a dotted name, and no file of that name.
pub(crate) fn is_class_name(path: &Path) -> bool {
    let text = path.to_string_lossy();
    let is_word = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    !path.exists() && text.contains('.') && !text.ends_with(".mo") && !text.ends_with(".bmo") && text.split('.').all(is_word)
}

/// Where packages are looked for: what the user names, MODELICAPATH, the folder of OpenModelica.
fn packages(input: &Input) -> pipeline::Packages {
    let mut roots: Vec<PathBuf> = std::env::var_os("MODELICAPATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
    if let Some(home) = std::env::var_os("HOME") {
        roots.push(PathBuf::from(home).join(".openmodelica/libraries"));
    }
    let class = is_class_name(&input.file).then(|| input.file.to_string_lossy().into_owned());
    pipeline::Packages { files: Some(Box::new(Disk)), named: input.library.clone(), roots, class }
}

pub(crate) fn read_file(path: &Path) -> Result<Source, Failure> {
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

/// Checks a limit; it is taken by `limits`.
pub(crate) fn limit(text: &str) -> Result<String, String> {
    Limits::default().set(text).map(|()| text.to_string())
}

/// The limits of a command.
pub(crate) fn limits(input: &Input) -> Result<Limits, Failure> {
    let mut limits = Limits::default();
    input.limit.iter().try_for_each(|text| limits.set(text)).map_err(|reason| Failure::Outside(format!("--limit: {reason}")))?;
    Ok(limits)
}

fn folders(flag: &str, paths: &[PathBuf]) -> Result<Vec<OsString>, Failure> {
    match paths.iter().find(|path| !path.is_dir()) {
        Some(path) => Err(Failure::Outside(format!("{flag} {}: there is no such directory", path.display()))),
        None => Ok(paths.iter().map(|path| path.as_os_str().to_os_string()).collect()),
    }
}

/// The folder of a file, wherever a simulator of it may run later.
fn folder_of(file: &Path) -> Option<OsString> {
    Some(file.canonicalize().ok()?.parent()?.as_os_str().to_os_string())
}

/// The files that a model may touch.
pub(crate) fn permissions(input: &Input) -> Result<Permissions, Failure> {
    Ok(Permissions {
        resources: folders("--resource-path", &input.resource_path)?,
        readable: std::iter::once(&input.file).chain(&input.library).filter_map(|file| folder_of(file)).collect(),
        allowed: folders("--allow-files", &input.allow_files)?,
        effects: false,
        limits: limits(input)?,
    })
}
