//! Temporary files: what is written until it is whole.
//!
//! A part lies in the folder of its target, is called `TARGET.partita-PROCESS-NUMBER.part`, is made anew (so no link is followed) and locked
//! while its process writes it. It is gone when it is renamed or dropped, and when a signal ends the process ([`remove_all`]).
//!
//! Parts of processes that were killed are removed by the next process that writes into the folder: names of exactly this form,
//! whose process does not live here and whose lock nobody holds, on this machine or another. Where files cannot be locked they stay.
//! Cost: a folder is listed once per process, and no further than `MOST_LISTED` names.

use super::identity::folder_and_name;
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Names that are looked at for parts that nobody writes any more.
const MOST_LISTED: usize = 100_000;
/// Longer names are refused by most systems.
const LONGEST_NAME: usize = 255;
/// Between the name of the target and the number of the process.
const MARK: &str = "partita-";
/// At the end of the name.
const ENDING: &str = ".part";

/// The parts of this process.
#[derive(Debug)]
struct Parts {
    /// The number of the next one.
    next: u64,
    paths: Vec<PathBuf>,
    /// Folders that have been listed.
    swept: Vec<PathBuf>,
}

static PARTS: Mutex<Parts> = Mutex::new(Parts { next: 0, paths: Vec::new(), swept: Vec::new() });

fn parts() -> MutexGuard<'static, Parts> {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all parts of this process, which is about to end: nobody makes, renames or removes one after that.
pub(crate) fn remove_all() -> impl Sized {
    let parts = parts();
    for path in &parts.paths {
        // Nothing more can be done about a file that cannot be removed.
        let _ = std::fs::remove_file(path);
    }
    parts
}

/// A temporary file.
#[derive(Debug)]
pub(super) struct PartialFile {
    path: PathBuf,
}

impl PartialFile {
    /// Makes an empty part beside its target, with permissions no wider than those of `like`.
    pub(super) fn beside(target: &Path, like: Option<&std::fs::Metadata>) -> io::Result<(PartialFile, File)> {
        let (folder, name) = folder_and_name(target)?;
        let mut parts = parts();
        if !parts.swept.iter().any(|swept| swept == folder) {
            parts.swept.push(folder.to_path_buf());
            sweep(folder);
        }
        loop {
            let path = folder.join(part_name(name, std::process::id(), parts.next));
            parts.next += 1;
            match options(like).open(&path) {
                Ok(file) if is_ours(&file) => {
                    parts.paths.push(path.clone());
                    return Ok((PartialFile { path }, file));
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Gives the part its name.
    pub(super) fn rename(self, target: &Path) -> io::Result<()> {
        let mut parts = parts();
        let done = std::fs::rename(&self.path, target);
        if done.is_ok() {
            // What is not listed is not removed when `self` is dropped.
            parts.paths.retain(|path| *path != self.path);
        }
        // Dropping takes the list itself.
        drop(parts);
        done
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        let mut parts = parts();
        if let Some(at) = parts.paths.iter().position(|path| *path == self.path) {
            // Nothing more can be done about a file that cannot be removed.
            let _ = std::fs::remove_file(&self.path);
            parts.paths.remove(at);
        }
    }
}

/// How a part is opened: it must not be there, not even as a link.
fn options(like: Option<&std::fs::Metadata>) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    if let Some(like) = like {
        use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
        options.mode(like.mode() & 0o777 | 0o600);
    }
    options
}

/// Locks a new part; false if another process has taken it for one that nobody writes, and removes it.
fn is_ours(file: &File) -> bool {
    // Where files cannot be locked nobody takes them.
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) && !is_removed(file)
}

#[cfg(unix)]
fn is_removed(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|metadata| metadata.nlink() == 0)
}

#[cfg(not(unix))]
fn is_removed(_: &File) -> bool {
    false
}

/// The name of a part; that of a long target without the target's name.
fn part_name(target: &OsStr, process: u32, number: u64) -> OsString {
    let tail = format!("{MARK}{process}-{number}{ENDING}");
    let mut name = OsString::new();
    if target.len() + tail.len() < LONGEST_NAME {
        name.push(target);
        name.push(".");
    }
    name.push(tail);
    name
}

/// The process that made a file of this name, if it is a part.
fn process_of(name: &OsStr) -> Option<u32> {
    let name = name.to_string_lossy();
    let tail = name.strip_suffix(ENDING)?.rsplit('.').next()?.strip_prefix(MARK)?;
    let (process, number) = tail.split_once('-')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(process) && is_number(number)).then(|| process.parse().ok()).flatten()
}

/// Removes the parts in a folder that nobody writes any more.
fn sweep(folder: &Path) {
    // A folder that cannot be listed can still be written into.
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.take(MOST_LISTED).flatten() {
        if process_of(&entry.file_name()).is_some_and(is_dead) && is_abandoned(&entry.path()) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// No process of this number lives here. Where the system does not tell, locks alone decide.
fn is_dead(process: u32) -> bool {
    let processes = Path::new("/proc");
    let is_known = cfg!(target_os = "linux") && processes.join("self").exists();
    !is_known || !processes.join(process.to_string()).exists()
}

/// A regular file that nobody has locked. A lock that is got here ends with this function: then the file is removed.
fn is_abandoned(path: &Path) -> bool {
    let is_regular = std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
    is_regular && OpenOptions::new().read(true).write(true).open(path).is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_parts_are_known_again_and_no_others() {
        for target in ["r.mat", "r", "with.partita-1-2.part", &"x".repeat(250)] {
            let name = part_name(OsStr::new(target), 4711, 3);
            assert!(name.len() <= LONGEST_NAME);
            assert_eq!(process_of(&name), Some(4711), "{name:?}");
        }
        for other in [
            "r.mat",
            "r.part",
            "r.partita-1.part",
            "r.partita--1.part",
            "r.partita-1-.part",
            "r.partita-1-2.parts",
            "rpartita-1-2.part",
            "r.partita-1x-2.part",
            "r.partita-99999999999-2.part",
        ] {
            assert_eq!(process_of(OsStr::new(other)), None, "{other}");
        }
    }

    #[test]
    fn this_process_lives() {
        assert!(!is_dead(std::process::id()) || !cfg!(target_os = "linux"));
    }
}
