//! The bridge to OpenModelica: where a model is beyond the front end, `omc` makes the model without hierarchy.
//!
//! In: what a command reads. Out: with `--omc` the exported file in its place; without it the command that exports the model, for the hint
//! of an error. Method: `omc --baseModelica -i=CLASS FILE LIBRARIES` as a process of its own; its output is kept in the cache folder of the
//! user, by a hash of the command, its version and all files that are named. Guarantee: an export is used only if it is a model.

use crate::failure::{Failure, outside};
use crate::input::{Input, is_class_name};
use partita_grammar::Diagnostic;
use partita_runtime::base::files;
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The first version whose export is Base Modelica as it is read here.
const MINIMUM: (u32, u32) = (1, 24);
/// Messages about what the front end does not do.
const BEYOND: [&str; 4] = ["N006", "F007", "F008", "F009"];

/// The executable: the given one, the one of the environment, or one on the path.
pub(crate) fn find(given: Option<&Path>) -> Result<PathBuf, String> {
    if let Some(path) = given {
        return if path.is_file() { Ok(path.to_path_buf()) } else { Err(format!("there is no {}", path.display())) };
    }
    let name = format!("omc{}", std::env::consts::EXE_SUFFIX);
    let home = std::env::var_os("OPENMODELICAHOME").map(|home| PathBuf::from(home).join("bin").join(&name));
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&paths).map(|folder| folder.join(&name));
    let candidates = std::env::var_os("OMC").map(PathBuf::from).into_iter().chain(home).chain(on_path);
    candidates.into_iter().find(|path| path.is_file()).ok_or_else(|| "no omc in OMC, OPENMODELICAHOME or PATH".to_owned())
}

/// What an executable says its version is; too old ones are refused.
pub(crate) fn version(path: &Path) -> Result<String, String> {
    let output = Command::new(path).arg("--version").output().map_err(|error| format!("{}: {error}", path.display()))?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let digits = text.find(|c: char| c.is_ascii_digit()).map_or("", |at| &text[at..]);
    let mut numbers = digits.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().unwrap_or(0));
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if found < MINIMUM {
        return Err(format!("{} is `{text}`; {}.{} or newer is needed", path.display(), MINIMUM.0, MINIMUM.1));
    }
    Ok(text)
}

/// The arguments that export a model.
fn arguments(input: &Input) -> Vec<OsString> {
    let mut list = vec![OsString::from("--baseModelica")];
    let is_class = is_class_name(&input.file);
    let class = if is_class { Some(input.file.display().to_string()) } else { input.model.clone() };
    list.extend(class.as_ref().map(|class| OsString::from(format!("-i={class}"))));
    if !is_class {
        list.push(input.file.clone().into_os_string());
    }
    for path in &input.library {
        let package = path.join("package.mo");
        list.push(if package.is_file() { package.into_os_string() } else { path.clone().into_os_string() });
    }
    let top = class.as_deref().filter(|_| is_class).and_then(|class| class.split('.').next().map(str::to_owned));
    let text = if is_class { String::new() } else { std::fs::read_to_string(&input.file).unwrap_or_default() };
    list.extend(top.or_else(|| text.contains("Modelica.").then(|| "Modelica".to_owned())).map(OsString::from));
    list
}

/// The command that exports the model, as a user types it, if there is one that does.
pub(crate) fn advice(input: &Input) -> Option<String> {
    if input.omc.is_some() || input.file == Path::new("-") {
        return None;
    }
    let words: Vec<String> = arguments(input).iter().map(|word| quoted(&word.to_string_lossy())).collect();
    let omc = find(None).ok()?;
    let name = input.file.file_stem().map_or_else(|| "model".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let name = if is_class_name(&input.file) { input.file.display().to_string() } else { name };
    Some(format!("{} {} > {}", quoted(&omc.to_string_lossy()), words.join(" "), quoted(&format!("{name}.bmo"))))
}

/// A word of a command line.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:+".contains(c);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Adds the command to messages about what the front end does not do.
pub(crate) fn advise(diagnostics: &mut [Diagnostic], command: Option<&str>) {
    let Some(command) = command else { return };
    for diagnostic in diagnostics.iter_mut().filter(|diagnostic| BEYOND.contains(&diagnostic.code)) {
        diagnostic.hint = Some(format!("OpenModelica exports the model so that Partita can read it: `{command}`; `--omc` does it"));
    }
}

/// With `--omc`, the exported file takes the place of the model that was asked for.
pub(crate) fn replace(input: &mut Input) -> Result<(), Failure> {
    let Some(given) = input.omc.clone() else { return Ok(()) };
    let failed = |reason: String| Failure::Outside(format!("--omc: {reason}"));
    let omc = find(given.as_deref()).map_err(failed)?;
    let version = version(&omc).map_err(failed)?;
    let arguments = arguments(input);
    let path = cache()?.join(format!("{}.bmo", key(input, &arguments, &version)));
    if !path.is_file() {
        let text = export(&omc, &arguments).map_err(failed)?;
        files::write(&path, text.as_bytes()).map_err(outside)?;
    }
    // The export has the model alone, with all functions of libraries.
    input.file = path;
    input.model = None;
    input.library.clear();
    Ok(())
}

fn export(omc: &Path, arguments: &[OsString]) -> Result<String, String> {
    let output = Command::new(omc).args(arguments).output().map_err(|error| format!("{}: {error}", omc.display()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stderr), if text.starts_with("//! base") { "" } else { &text });
    if !output.status.success() || !text.starts_with("//! base") {
        return Err(format!("omc did not export the model:\n{}", said.trim()));
    }
    Ok(text)
}

/// The folder of what was exported before.
fn cache() -> Result<PathBuf, Failure> {
    let base = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let base = base.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")));
    let folder = base.unwrap_or_else(std::env::temp_dir).join("partita").join("omc");
    std::fs::create_dir_all(&folder).map_err(|error| Failure::Outside(format!("cannot make the folder {}: {error}", folder.display())))?;
    Ok(folder)
}

/// A name for what is exported: equal if the command, the version and all files that are named are.
fn key(input: &Input, arguments: &[OsString], version: &str) -> String {
    let mut halves = [DefaultHasher::new(), DefaultHasher::new()];
    1_u8.hash(&mut halves[1]);
    for hasher in &mut halves {
        (arguments, version, std::env::var_os("MODELICAPATH"), std::env::current_dir().ok()).hash(hasher);
        std::fs::read(&input.file).ok().hash(hasher);
        for path in &input.library {
            hash_files(path, hasher);
        }
    }
    halves.map(|hasher| format!("{:016x}", hasher.finish())).concat()
}

/// The content of a file, or of all Modelica files of a folder.
fn hash_files(path: &Path, hasher: &mut DefaultHasher) {
    let mut open = vec![path.to_path_buf()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let mut entries: Vec<PathBuf> = std::fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
            entries.sort();
            open.extend(entries);
        } else if path.extension().is_some_and(|ending| ending == "mo") {
            (&path, std::fs::read(&path).ok()).hash(hasher);
        }
    }
}
