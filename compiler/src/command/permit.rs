//! What the command line allows a model: folders and limits.
//!
//! In: the flags of a command. Out: `Permissions` for the pipeline. Guarantee: only `run`, and simulators that were built, let a model
//! write or remove files: the others have [`Permissions::effects`] off.

use super::{Failure, Input};
use partita_runtime::limits::Limits;
use partita_runtime::native::access::Permissions;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Checks a limit; it is taken by `limits`.
pub(super) fn limit(text: &str) -> Result<String, String> {
    Limits::default().set(text).map(|()| text.to_string())
}

/// The limits of a command.
pub(super) fn limits(input: &Input) -> Result<Limits, Failure> {
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
pub(super) fn permissions(input: &Input) -> Result<Permissions, Failure> {
    Ok(Permissions {
        resources: folders("--resource-path", &input.resource_path)?,
        readable: std::iter::once(&input.file).chain(&input.library).filter_map(|file| folder_of(file)).collect(),
        allowed: folders("--allow-files", &input.allow_files)?,
        effects: false,
        limits: limits(input)?,
    })
}
