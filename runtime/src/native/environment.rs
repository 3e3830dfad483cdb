//! What native functions reach besides their arguments, and what they have in common.
#![forbid(unsafe_code)]

use super::access::FileAccess;
use super::foreign::ForeignWorkspace;
use super::memo::MemoTable;
use super::object::Object;
use super::random::ImpureRandom;
use crate::base::text::TextPiece;
use std::any::Any;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// What generated code may reach besides the memory: tables, random states, messages of failed asserts.
/// Kernels pass it through to external functions untouched.
#[derive(Debug, Default)]
pub struct Environment {
    /// Why the last kernel failed, if it did.
    pub failure: Option<String>,
    /// Byte range of the function that failed in the source, if known.
    pub failure_span: Option<(u32, u32)>,
    /// Working memory of kernels, kept between calls so that a call allocates nothing. Its content means nothing.
    pub scratch: Vec<f64>,
    /// External objects; native functions get their positions.
    pub objects: Vec<Object>,
    /// Names of the objects, for messages.
    pub object_names: Vec<String>,
    /// Strings that occur in calls; native functions get their positions.
    pub strings: Vec<String>,
    /// Texts with values that functions print; native functions get their positions.
    pub texts: Vec<Vec<TextPiece>>,
    /// The files that may be touched.
    pub files: FileAccess,
    /// What the model printed and nobody took yet.
    pub messages: Vec<String>,
    /// The state of the impure random numbers, once initialised.
    pub random: Option<ImpureRandom>,
    /// Buffers of calls of external C functions.
    pub foreign: ForeignWorkspace,
    /// Results of costly functions.
    pub memo: MemoTable,
    /// A panic of a native function on its way out of machine code.
    pub panic: Option<CaughtPanic>,
}

/// A panic that was caught, to go on elsewhere.
pub struct CaughtPanic(Mutex<Box<dyn Any + Send>>);

impl CaughtPanic {
    /// What was caught.
    pub(crate) fn new(panic: Box<dyn Any + Send>) -> CaughtPanic {
        CaughtPanic(Mutex::new(panic))
    }

    /// Goes on with it.
    pub(crate) fn resume(self) -> ! {
        std::panic::resume_unwind(self.0.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for CaughtPanic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CaughtPanic")
    }
}

/// A native function. `true` means that all outputs were written.
pub type NativeFn = fn(&mut Environment, &[f64], &mut [f64]) -> bool;

/// Writes the only output, or the reason why there is none.
pub(super) fn finish(environment: &mut Environment, outputs: &mut [f64], result: Result<f64, String>) -> bool {
    let result = result.and_then(|value| match outputs {
        [output] => {
            *output = value;
            Ok(())
        }
        _ => Err(wrong_call()),
    });
    settle(environment, result)
}

/// Keeps the reason of a failure.
pub(super) fn settle(environment: &mut Environment, result: Result<(), String>) -> bool {
    match result {
        Ok(()) => true,
        Err(reason) => {
            environment.failure = Some(reason);
            false
        }
    }
}

/// Accepts the destruction of an object: the environment owns it.
pub(super) fn close(environment: &mut Environment, arguments: &[f64], outputs: &mut [f64]) -> bool {
    let result = match (arguments, &*outputs) {
        ([object], []) => object_at(environment, *object).map(|_| ()),
        _ => Err(wrong_call()),
    };
    settle(environment, result)
}

pub(super) fn wrong_call() -> String {
    "an external function is called with a wrong number of arguments".to_string()
}

/// The object of an argument.
pub(super) fn object_at(environment: &Environment, argument: f64) -> Result<&Object, String> {
    let object = environment.objects.get(argument as usize).filter(|_| argument >= 0.0);
    object.ok_or_else(|| format!("there is no external object {argument}"))
}

/// Puts the name of the object before a reason.
pub(super) fn about(environment: &Environment, argument: f64, reason: String) -> String {
    match environment.object_names.get(argument as usize) {
        Some(name) if argument >= 0.0 && !name.is_empty() => format!("{name}: {reason}"),
        _ => reason,
    }
}
