//! External C functions of shared libraries that the user names.
//!
//! In: the paths of libraries, and a [`Signature`] per function: how each C argument follows from the arguments of a native call.
//! Out: [`External`] functions that are called like the built-in ones. Method: the mapping of section 12.9 of the Modelica
//! specification; the call itself is in `abi::machine_code`.
//!
//! Guarantees: a library or function that is not there, an Integer that C's `int` cannot hold, a result outside its enumeration, a Real
//! output that is not written and a String with a zero byte are failures with a message. Whether the function is what its declaration
//! says cannot be checked. Cost of a call: linear in its arguments; nothing is allocated once the buffers have grown.

use crate::abi::Environment;
use crate::abi::machine_code::{ForeignFn, SharedLibrary, call_foreign, foreign_calls_work};
use serde::{Deserialize, Serialize};
use std::ffi::{CString, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a number is in C.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// `double`.
    Real,
    /// `int`; as an argument also `size_t`, whose register it fills.
    Integer,
    /// `int`, 0 or 1.
    Boolean,
    /// `int`, from 1 up to the number of literals.
    Enumeration(u32),
}

/// An argument of a C function.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Passed {
    /// The next argument by its value.
    Value(Kind),
    /// The string whose position is the next argument, as `const char *`.
    Text,
    /// The address of a copy of the next arguments, so many, row by row.
    Array(Kind, usize),
    /// The address of outputs, `len` of them beginning with number `start`.
    Output {
        /// What they are.
        kind: Kind,
        /// The first.
        start: usize,
        /// How many.
        len: usize,
    },
}

/// How a C function is called.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Signature {
    /// Its name in the library.
    pub symbol: String,
    /// Its arguments in order.
    pub arguments: Vec<Passed>,
    /// What it returns, and the number of the output that receives it.
    pub result: Option<(Kind, usize)>,
}

impl Signature {
    /// The number of arguments of a native call.
    pub fn n_inputs(&self) -> usize {
        let width = |passed: &Passed| match passed {
            Passed::Value(_) | Passed::Text => 1,
            Passed::Array(_, n) => *n,
            Passed::Output { .. } => 0,
        };
        self.arguments.iter().map(width).sum()
    }

    /// The number of outputs, if each is given exactly once.
    pub fn n_outputs(&self) -> Option<usize> {
        let mut given: Vec<usize> = self.result.iter().map(|(_, output)| *output).collect();
        for passed in &self.arguments {
            if let Passed::Output { start, len, .. } = passed {
                given.extend(*start..start + len);
            }
        }
        given.sort_unstable();
        let n = given.len();
        given.into_iter().eq(0..n).then_some(n)
    }
}

/// Shared libraries, searched in order.
#[derive(Clone, Debug, Default)]
pub struct SharedLibraries {
    libraries: Vec<Arc<SharedLibrary>>,
}

impl SharedLibraries {
    /// Loads libraries; the message of a failure names the file and the reason.
    pub fn open(paths: &[PathBuf]) -> Result<SharedLibraries, String> {
        if !paths.is_empty() && !foreign_calls_work() {
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
        let mut work = std::mem::take(&mut environment.foreign);
        let result = if args.len() == self.n_inputs && outs.len() == self.n_outputs {
            work.texts(&self.signature, args, &environment.strings)
                .and_then(|()| call_foreign(self.function, &self.signature, args, outs, &mut work))
        } else {
            Err(super::wrong_call())
        };
        environment.foreign = work;
        super::settle(environment, result.map_err(|reason| format!("{reason} (in external function {})", self.signature.symbol)))
    }
}

/// Buffers of calls, kept from call to call.
#[derive(Debug, Default)]
pub struct Work {
    /// Copies of Real arrays.
    pub(crate) reals: Vec<f64>,
    /// Copies of arrays of `int`, and outputs of these kinds.
    pub(crate) integers: Vec<i32>,
    /// Strings of the environment as C wants them, by their position.
    pub(crate) c_strings: Vec<Option<CString>>,
}

impl Work {
    /// Makes sure that the strings of a call are there.
    fn texts(&mut self, signature: &Signature, args: &[f64], strings: &[String]) -> Result<(), String> {
        let mut next = 0;
        for passed in &signature.arguments {
            match passed {
                Passed::Value(_) => next += 1,
                Passed::Array(_, n) => next += n,
                Passed::Output { .. } => {}
                Passed::Text => {
                    let position = args[next] as usize;
                    next += 1;
                    let text = strings.get(position).ok_or_else(|| format!("there is no string {position}"))?;
                    if self.c_strings.len() <= position {
                        self.c_strings.resize(position + 1, None);
                    }
                    if self.c_strings[position].is_none() {
                        let made =
                            CString::new(text.as_str()).map_err(|_| "a String with a zero byte cannot be passed to C".to_string())?;
                        self.c_strings[position] = Some(made);
                    }
                }
            }
        }
        Ok(())
    }
}

/// An argument as `int`.
pub(crate) fn whole(value: f64, argument: usize) -> Result<i32, String> {
    if value.trunc() == value && value >= f64::from(i32::MIN) && value <= f64::from(i32::MAX) {
        Ok(value as i32)
    } else {
        Err(format!("argument {} is {value}, which C's int cannot hold", argument + 1))
    }
}

/// An output as a number.
pub(crate) fn number(kind: Kind, value: i32) -> Result<f64, String> {
    match kind {
        Kind::Real | Kind::Integer => Ok(f64::from(value)),
        Kind::Boolean => Ok(f64::from(u8::from(value != 0))),
        Kind::Enumeration(n) if value >= 1 && u32::try_from(value).is_ok_and(|value| value <= n) => Ok(f64::from(value)),
        Kind::Enumeration(n) => Err(format!("it gives {value} for an enumeration of {n} literals")),
    }
}
