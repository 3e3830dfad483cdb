//! The files of a process: what it reads, what it writes, and how it writes so that nothing is lost.
//!
//! [`Files`] lists what a command reads and what it is going to write, and refuses what would destroy a file that is read or write two
//! things to one file. Files are compared by what they are, not by their names (see `identity`). [`AtomicFile`] is how every file that
//! the user names is written: beside its target, under a name of its own, renamed when it is whole.
//!
//! Guarantees: nothing is written before it has been compared with all that was said to be read or written until then. What
//! models read is noted for the whole process, whoever runs them ([`note_read`]); main programs compare with it before they rename.

mod atomic;
mod failure;
mod identity;
mod parts;

pub use atomic::{AtomicFile, beside, write, write_executable};
pub(crate) use failure::io_error;
pub(crate) use parts::remove_all;

use crate::base::error::RunError;
use crate::base::terminal;
use identity::Identity;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What models of this process have read, in order.
static READ_BY_MODELS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the temporary files of this process, which is about to end; none is made while the result lives.
pub fn abandon() -> impl Sized {
    parts::remove_all()
}

/// Notes a file that a model reads: tables, matrices.
pub fn note_read(path: &Path) {
    let mut read = READ_BY_MODELS.lock().unwrap_or_else(PoisonError::into_inner);
    if !read.iter().any(|known| known == path) {
        read.push(path.to_path_buf());
    }
}

/// Says why a command does not begin, where the reason is that one of its streams is a file of the command: to the other stream, if that is
/// another file.
pub fn say_aside(error: &RunError) {
    let text = format!("error: {}\n", error.title);
    if error.code == "R219" {
        // There is nobody to tell if that cannot be printed.
        let _ = terminal::print(&text);
    } else if identity::stdout() != identity::stderr() {
        terminal::say(&text);
    }
}

/// A stream of this process is a file of the command.
pub fn is_about_streams(error: &RunError) -> bool {
    ["R218", "R219"].contains(&error.code)
}

/// A file of a command.
#[derive(Debug)]
struct FileUse {
    /// What it is to the command: "the model", "the result".
    what: String,
    path: PathBuf,
    identity: Identity,
    /// The code of messages about a stream that the command was given open.
    stream: Option<&'static str>,
}

/// What a command reads and is going to write.
#[derive(Debug, Default)]
pub struct Files {
    read: Vec<FileUse>,
    written: Vec<FileUse>,
}

impl Files {
    /// Nothing but the streams of this process, where they are files.
    pub fn new() -> Files {
        let mut files = Files::default();
        for (what, identity, code) in [("standard output", identity::stdout(), "R218"), ("standard error", identity::stderr(), "R219")] {
            files.written.extend(identity.map(|identity| FileUse {
                what: what.to_string(),
                path: PathBuf::new(),
                identity,
                stream: Some(code),
            }));
        }
        files
    }

    /// Notes a file that is read, as `what`; `-` is standard input. One that is not there is left to the reader's message.
    pub fn reads(&mut self, what: &str, path: &Path) -> Result<(), RunError> {
        let found = if path == Path::new("-") { identity::stdin() } else { Identity::of(path).ok().filter(Identity::exists) };
        let Some(identity) = found else { return Ok(()) };
        let entry = FileUse { what: what.to_string(), path: path.to_path_buf(), identity, stream: None };
        if let Some(written) = self.written.iter().find(|written| written.identity == entry.identity) {
            return Err(overwrites(written, &entry));
        }
        self.read.push(entry);
        Ok(())
    }

    /// Notes what models have read so far.
    pub fn reads_of_models(&mut self) -> Result<(), RunError> {
        let paths = READ_BY_MODELS.lock().unwrap_or_else(PoisonError::into_inner).clone();
        paths.iter().try_for_each(|path| self.reads("a file of the model", path))
    }

    /// Notes a file that is going to be written, as `what`, and whether it can be.
    pub fn writes(&mut self, what: &str, path: &Path) -> Result<(), RunError> {
        self.may_write(what, path)?;
        atomic::check(path).map_err(|error| io_error("write", path, &error))
    }

    /// Notes a file that may have to be written.
    pub fn may_write(&mut self, what: &str, path: &Path) -> Result<(), RunError> {
        let identity = Identity::of(path).map_err(|error| io_error("write", path, &error))?;
        let entry = FileUse { what: what.to_string(), path: path.to_path_buf(), identity, stream: None };
        if let Some(read) = self.read.iter().find(|read| read.identity == entry.identity) {
            return Err(overwrites(&entry, read));
        }
        // What is no file can take anything: /dev/null.
        if let Some(other) = self.written.iter().find(|other| other.identity == entry.identity && !atomic::is_special(path)) {
            return Err(RunError::new(
                other.stream.unwrap_or("R213"),
                format!("cannot write {what} to `{}`: {} is written to the same file", path.display(), other.what),
            ));
        }
        self.written.push(entry);
        Ok(())
    }
}

/// A file that is read would be written.
fn overwrites(written: &FileUse, read: &FileUse) -> RunError {
    let of_read =
        if read.path == written.path || read.path == Path::new("-") { String::new() } else { format!(" (`{}`)", read.path.display()) };
    match written.stream {
        Some(code) => RunError::new(code, format!("{} goes to the file that is read as {}{of_read}", written.what, read.what)),
        None => {
            let reason = format!("this file is read as {}{of_read}; choose another name", read.what);
            RunError::new("R213", format!("cannot write {} to `{}`: {reason}", written.what, written.path.display()))
        }
    }
}

#[cfg(test)]
mod tests;
