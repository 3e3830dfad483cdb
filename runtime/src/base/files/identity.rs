//! Which file a path means.
//!
//! A file that is there is its device and inode, so that links of both kinds and detours make no difference; where the system has no inodes
//! it is its canonical path. A file that is not there yet is its folder and its name in it, after links that lead nowhere.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// More links in a chain are a circle.
const MOST_LINKS: usize = 40;

/// A file, whatever it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Identity {
    /// Device and inode.
    #[cfg(unix)]
    There(u64, u64),
    /// Its canonical path.
    #[cfg(not(unix))]
    There(PathBuf),
    /// Its folder, and its name in the form in which the system compares names.
    New(Box<Identity>, OsString),
}

impl Identity {
    /// The file that a path means.
    pub(super) fn of(path: &Path) -> io::Result<Identity> {
        match std::fs::metadata(path) {
            Ok(metadata) => there(path, &metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let target = resolved(path)?;
                let (folder, name) = folder_and_name(&target)?;
                Ok(Identity::New(Box::new(there(folder, &std::fs::metadata(folder)?)?), folded(name)))
            }
            Err(error) => Err(error),
        }
    }

    /// The file is there.
    pub(super) fn exists(&self) -> bool {
        matches!(self, Identity::There(..))
    }

    /// An open file, if it is a regular one.
    #[cfg(unix)]
    fn of_stream(stream: impl std::os::fd::AsFd) -> Option<Identity> {
        let file = File::from(stream.as_fd().try_clone_to_owned().ok()?);
        let metadata = file.metadata().ok().filter(Metadata::is_file)?;
        there(Path::new(""), &metadata).ok()
    }

    /// Not known here.
    #[cfg(not(unix))]
    fn of_stream<S>(_: S) -> Option<Identity> {
        None
    }
}

/// Standard input, if it is a file.
pub(super) fn stdin() -> Option<Identity> {
    Identity::of_stream(io::stdin())
}

/// Standard output, if it is a file.
pub(super) fn stdout() -> Option<Identity> {
    Identity::of_stream(io::stdout())
}

/// Standard error, if it is a file.
pub(super) fn stderr() -> Option<Identity> {
    Identity::of_stream(io::stderr())
}

#[cfg(unix)]
fn there(_: &Path, metadata: &Metadata) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt;
    Ok(Identity::There(metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn there(path: &Path, _: &Metadata) -> io::Result<Identity> {
    std::fs::canonicalize(path).map(Identity::There)
}

/// A name in the form in which the system compares names.
fn folded(name: &OsStr) -> OsString {
    if cfg!(any(windows, target_os = "macos")) { name.to_string_lossy().to_lowercase().into() } else { name.to_os_string() }
}

/// The folder and the name of a file.
pub(super) fn folder_and_name(path: &Path) -> io::Result<(&Path, &OsStr)> {
    let is_folder = path.as_os_str().as_encoded_bytes().last().is_some_and(|last| std::path::is_separator(char::from(*last)));
    let name =
        path.file_name().filter(|_| !is_folder).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "this is no name of a file"))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok((folder, name))
}

/// The path of the file itself: its canonical folder, and its name after all links, even those that lead nowhere.
pub(super) fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let (folder, name) = folder_and_name(&path)?;
        let folder = std::fs::canonicalize(folder)?;
        path = folder.join(name);
        match std::fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_symlink() => path = folder.join(std::fs::read_link(&path)?),
            _ => return Ok(path),
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "its links lead in a circle"))
}
