//! The boundary between generated code and the runtime: what kernels are called with, machine code as data ([`object`]) and
//! machine code in memory ([`machine_code`]).

mod known;
pub mod machine_code;
pub mod object;

use crate::abi::machine_code::Entry;
use crate::model::plan::{KernelId, Slot};
use crate::native::access::FileAccess;
use crate::native::external::Work;
use crate::native::{ImpureRandom, Object};
use serde::{Deserialize, Serialize};

/// What generated code may reach besides the memory: tables, random states, messages of failed asserts.
/// Kernels pass it through to external functions untouched.
#[derive(Debug, Default)]
pub struct Environment {
    /// Why the last kernel failed, if it did.
    pub failure: Option<String>,
    /// Byte range of the function that failed in the source, if known.
    pub failure_place: Option<(u32, u32)>,
    /// Working memory of kernels, kept between calls so that a call allocates nothing. Its content means nothing.
    pub scratch: Vec<f64>,
    /// External objects; native functions get their positions.
    pub objects: Vec<Object>,
    /// Names of the objects, for messages.
    pub object_names: Vec<String>,
    /// Strings that occur in calls; native functions get their positions.
    pub strings: Vec<String>,
    /// Texts with values that functions print; native functions get their positions.
    pub texts: Vec<Vec<object::Piece>>,
    /// The files that may be touched.
    pub files: FileAccess,
    /// What the model printed and nobody took yet.
    pub messages: Vec<String>,
    /// The state of the impure random numbers, once initialised.
    pub random: Option<ImpureRandom>,
    /// Buffers of calls of external C functions.
    pub foreign: Work,
    /// Results of costly functions.
    pub known: known::KnownResults,
}

/// Generated code, interpreted or native: numbered kernels.
///
/// `memory` holds the slots. `out` is the second array of the kernel: tangents for a tangent kernel, the result vector for
/// `crossings` and `thresholds`, unused (may be empty) otherwise.
pub trait Kernels: Send + Sync {
    /// Runs one kernel. A failure is recoverable: the caller may try another point.
    fn call(&self, kernel: KernelId, memory: &mut [f64], out: &mut [f64], environment: &mut Environment) -> Result<(), KernelFailure>;

    /// A kernel to be called often without being looked up, if it is of the kind that this pays for.
    fn entry(&self, _kernel: KernelId) -> Option<Entry> {
        None
    }

    /// Why a kernel gives the first slot that is wanted a value that is not finite, found by running it on a copy of the memory; nothing
    /// if that is not known here.
    fn explain(&self, _kernel: KernelId, _memory: &[f64], _is_wanted: &dyn Fn(Slot) -> bool) -> Option<Explanation> {
        None
    }
}

/// An operation of a kernel whose result is not finite although its operands are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The slot that received its result, or what was computed from it.
    pub slot: Slot,
    /// The operation in words: `1 is divided by zero`.
    pub cause: String,
}

/// A kernel stopped: an assert inside a function failed or an external function refused its arguments.
/// The reason is in `Environment::failure`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct KernelFailure;

/// How much of both arrays a kernel touches.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// One more than the highest slot read or written.
    pub n_slots: usize,
    /// One more than the highest position of the second array read or written.
    pub n_out: usize,
}

impl Extent {
    /// Refuses arrays that are too short for a kernel.
    #[inline]
    pub fn check(self, kernel: KernelId, memory: &[f64], out: &[f64], environment: &mut Environment) -> Result<(), KernelFailure> {
        if self.n_slots <= memory.len() && self.n_out <= out.len() {
            Ok(())
        } else {
            self.refuse(kernel, memory.len(), out.len(), environment)
        }
    }

    #[cold]
    fn refuse(self, kernel: KernelId, n_slots: usize, n_out: usize, environment: &mut Environment) -> Result<(), KernelFailure> {
        environment.failure = Some(format!(
            "kernel {kernel} needs {} slots and {} positions of the second array, but got {n_slots} and {n_out}",
            self.n_slots, self.n_out
        ));
        Err(KernelFailure)
    }
}
