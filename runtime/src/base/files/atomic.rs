//! Files that are whole or not there.
//!
//! In: the path that the user gave, then bytes. Out: the file under its name, once [`AtomicFile::commit`] says so; until then what is
//! there stays. Method: bytes go to a part beside the target (see `parts`) that is renamed. A target that is a link is followed: the
//! file that it means is replaced. A pipe or a device cannot be replaced and is written as it is.
//!
//! Guarantees: a target that may not be written stays, although a folder would allow to replace it; permissions, and where possible
//! the owner, of a file that is replaced are kept. What a power failure makes of a file that was just written is up to the system.

use super::failure::io_error;
use super::identity::resolved;
use super::parts::PartialFile;
use crate::base::error::RunError;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What a path leads to.
enum Target {
    /// A file that is to be made or replaced, after links, and what is there of it.
    File(PathBuf, Option<Metadata>),
    /// A pipe or a device.
    Special,
}

impl Target {
    /// Refuses what may not be written.
    fn of(path: &Path) -> io::Result<Target> {
        let metadata = match std::fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Target::File(resolved(path)?, None)),
            Err(error) => return Err(error),
        };
        if metadata.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
        }
        if !metadata.is_file() {
            return Ok(Target::Special);
        }
        // Some users may write what is protected, but nobody means to.
        if metadata.permissions().readonly() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is write-protected"));
        }
        match OpenOptions::new().write(true).open(path) {
            // An executable that runs can be replaced.
            Err(error) if error.kind() != io::ErrorKind::ExecutableFileBusy => Err(error),
            _ => Ok(Target::File(resolved(path)?, Some(metadata))),
        }
    }
}

/// Whether a file can be written, as far as that can be seen without doing it.
pub(super) fn check(path: &Path) -> io::Result<()> {
    Target::of(path).map(|_| ())
}

/// A pipe or a device.
pub(super) fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// A name beside the file that `path` means: `x.mat` becomes `x.WORD.mat`.
pub fn beside(path: &Path, word: &str) -> PathBuf {
    let base = if path.is_symlink() { resolved(path).unwrap_or_else(|_| path.to_path_buf()) } else { path.to_path_buf() };
    let mut name = base.file_stem().unwrap_or_default().to_os_string();
    name.push(format!(".{word}"));
    if let Some(ending) = base.extension() {
        name.push(".");
        name.push(ending);
    }
    base.with_file_name(name)
}

/// A file being written.
#[derive(Debug)]
pub struct AtomicFile {
    /// As the user wrote it.
    name: PathBuf,
    file: File,
    /// None for a pipe or a device.
    part: Option<PartialFile>,
}

impl AtomicFile {
    /// Begins a file.
    pub fn create(path: &Path) -> Result<AtomicFile, RunError> {
        AtomicFile::begin(path).map_err(|error| io_error("write", path, &error))
    }

    fn begin(path: &Path) -> io::Result<AtomicFile> {
        let name = path.to_path_buf();
        Ok(match Target::of(path)? {
            Target::File(target, there) => {
                let (part, file) = PartialFile::beside(&target, there.as_ref())?;
                AtomicFile { name, file, part: Some(part) }
            }
            Target::Special => AtomicFile { name, file: OpenOptions::new().write(true).open(path)?, part: None },
        })
    }

    /// The path as the user wrote it.
    pub fn path(&self) -> &Path {
        &self.name
    }

    /// Another beginning of the same file, which can be written while this one is read.
    pub(crate) fn again(&self) -> io::Result<AtomicFile> {
        AtomicFile::begin(&self.name)
    }

    /// Lets the file become another one in the same folder.
    pub(crate) fn call(&mut self, path: PathBuf) {
        self.name = path;
    }

    /// The file is whole: gives it its name.
    pub fn commit(self) -> Result<(), RunError> {
        let name = self.name.clone();
        self.settle(false).map_err(|error| io_error("write", &name, &error))
    }

    /// The same for a file that is executed.
    pub fn commit_executable(self) -> Result<(), RunError> {
        let name = self.name.clone();
        self.settle(true).map_err(|error| io_error("write", &name, &error))
    }

    fn settle(self, is_executed: bool) -> io::Result<()> {
        let AtomicFile { name, file, part } = self;
        let Some(part) = part else { return Ok(()) };
        // Much may have happened since the file was begun.
        let Target::File(target, there) = Target::of(&name)? else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file any more"));
        };
        set_permissions(&file, there.as_ref(), is_executed)?;
        let done = part.rename(&target);
        // Until here its lock says that it is written.
        drop(file);
        done
    }
}

/// Permissions and owner of the file that is replaced; those of an executable allow to execute what may be read.
#[cfg(unix)]
fn set_permissions(file: &File, there: Option<&Metadata>, is_executed: bool) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let own = file.metadata()?;
    if let Some(there) = there
        && (there.uid(), there.gid()) != (own.uid(), own.gid())
    {
        // Not every user may give files away.
        let _ = fchown(file, Some(there.uid()), Some(there.gid()));
    }
    let mode = there.map_or(own.mode(), Metadata::mode) & 0o777;
    let mode = if is_executed { mode | (mode & 0o444) >> 2 } else { mode };
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_permissions(_: &File, _: Option<&Metadata>, _: bool) -> io::Result<()> {
    Ok(())
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Read for AtomicFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes)
    }
}

impl Seek for AtomicFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Writes a whole file.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    filled(path, bytes)?.commit()
}

/// Writes a whole file that is executed.
pub fn write_executable(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    filled(path, bytes)?.commit_executable()
}

fn filled(path: &Path, bytes: &[u8]) -> Result<AtomicFile, RunError> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes).map_err(|error| io_error("write", path, &error))?;
    Ok(file)
}
