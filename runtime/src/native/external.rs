//! External C functions of shared libraries that the user names.
//!
//! In: the paths of libraries, and a [`Signature`] per function: how each C argument follows from the arguments of a native call.
//! Out: [`External`] functions that are called like the built-in ones. Method: the mapping of section 12.9 of the Modelica
//! specification; the call itself is in `foreign`.
//!
//! Guarantees: a library or function that is not there, an Integer that C's `int` cannot hold, a result outside its enumeration, a Real
//! output that is not written and a String with a zero byte are failures with a message. Whether the function is what its declaration
//! says cannot be checked. Cost of a call: linear in its arguments; nothing is allocated once the buffers have grown.
#![forbid(unsafe_code)]

pub use super::foreign::can_pass;
pub use super::signature::{Kind, Passed, Signature};

use super::environment::{Environment, settle, wrong_call};
use super::foreign::{ForeignFn, SharedLibrary, call_foreign, foreign_calls_workspace};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Shared libraries, searched in order.
#[derive(Clone, Debug, Default)]
pub struct SharedLibraries {
    libraries: Vec<Arc<SharedLibrary>>,
}

impl SharedLibraries {
    /// Loads libraries; the message of a failure names the file and the reason.
    pub fn open(paths: &[PathBuf]) -> Result<SharedLibraries, String> {
        if !paths.is_empty() && !foreign_calls_workspace() {
            return Err("external C functions can be called on x86-64 under Unix only".to_string());
        }
        let open = |path: &PathBuf| {
            // Without a directory the system would search its own ones, not the present one.
            let full = std::path::absolute(path).map_err(|error| format!("the library {} cannot be found: {error}", path.display()))?;
            if !full.is_file() {
                return Err(format!("there is no library {}", path.display()));
            }
            SharedLibrary::open(&full).map(Arc::new).map_err(|reason| format!("the library {} cannot be loaded: {reason}", path.display()))
        };
        Ok(SharedLibraries { libraries: paths.iter().map(open).collect::<Result<_, _>>()? })
    }

    /// The paths, for messages and simulators.
    pub fn paths(&self) -> Vec<String> {
        self.libraries.iter().map(|library| library.path().display().to_string()).collect()
    }

    /// Whether a library has this function.
    pub fn has(&self, symbol: &str) -> bool {
        self.libraries.iter().any(|library| library.find(symbol).is_some())
    }

    /// The function of a signature, from the first library that has it; none if the signature does not give every output once.
    pub fn function(&self, signature: &Signature) -> Option<External> {
        let (library, function) = self.libraries.iter().find_map(|library| Some((library.clone(), library.find(&signature.symbol)?)))?;
        Some(External {
            n_inputs: signature.n_inputs(),
            n_outputs: signature.n_outputs()?,
            signature: signature.clone(),
            function,
            library,
        })
    }

    /// Loads the libraries of a simulator: those that the user names, the others from where they were when it was built. They are
    /// searched nowhere: a library is native code, and only its user says which.
    pub(crate) fn of_simulator(paths: &[OsString], named: &[PathBuf]) -> Result<SharedLibraries, String> {
        let mut found = Vec::with_capacity(paths.len());
        for path in paths {
            let built = Path::new(path);
            let given = named.iter().find(|other| other.file_name() == built.file_name()).map_or(built, PathBuf::as_path);
            if !given.is_file() {
                return Err(format!(
                    "the library {} with external functions is not there; -external=DIR/{} says where it is",
                    given.display(),
                    built.file_name().unwrap_or_default().display()
                ));
            }
            crate::base::files::note_read(given);
            found.push(given.to_path_buf());
        }
        let is_known = |other: &&PathBuf| paths.iter().any(|path| Path::new(path).file_name() == other.file_name());
        if let Some(other) = named.iter().find(|other| !is_known(other)) {
            return Err(format!("this simulator needs no library of the name of {}", other.display()));
        }
        SharedLibraries::open(&found)
    }
}

/// An external C function.
#[derive(Clone, Debug)]
pub struct External {
    signature: Signature,
    /// Numbers that the signature implies, for every call.
    n_inputs: usize,
    n_outputs: usize,
    function: ForeignFn,
    /// Keeps the function in memory.
    library: Arc<SharedLibrary>,
}

impl External {
    /// How it is called.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The numbers of its arguments and outputs.
    pub fn n_inputs_and_outputs(&self) -> (usize, usize) {
        (self.n_inputs, self.n_outputs)
    }

    /// Where its library lies.
    pub fn library(&self) -> &Path {
        self.library.path()
    }

    /// Calls it. `false`: it cannot be called so, and the reason is in the environment.
    pub fn call(&self, environment: &mut Environment, args: &[f64], outs: &mut [f64]) -> bool {
        let mut workspace = std::mem::take(&mut environment.foreign);
        let result = if args.len() == self.n_inputs && outs.len() == self.n_outputs {
            workspace
                .texts(&self.signature, args, &environment.strings)
                .and_then(|()| call_foreign(self.function, &self.signature, args, outs, &mut workspace))
        } else {
            Err(wrong_call())
        };
        environment.foreign = workspace;
        settle(environment, result.map_err(|reason| format!("{reason} (in external function {})", self.signature.symbol)))
    }
}
