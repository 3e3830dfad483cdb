//! Generated code, interpreted or native, as the rest of the runtime calls it.
#![forbid(unsafe_code)]

use super::direct::DirectKernel;
use super::extent::KernelFailure;
use crate::model::plan::{KernelId, Slot};
use crate::native::Environment;

/// Generated code, interpreted or native: numbered kernels.
///
/// `memory` holds the slots. `out` is the tangent buffer of the kernel: tangents for a tangent kernel, the result vector for
/// `crossings` and `thresholds`, unused (may be empty) otherwise.
pub trait Kernels: Send + Sync {
    /// Runs one kernel. A failure is recoverable: the caller may try another point.
    fn call(&self, kernel: KernelId, memory: &mut [f64], out: &mut [f64], environment: &mut Environment) -> Result<(), KernelFailure>;

    /// A kernel to be called often without being looked up, if it is of the kind that this pays for.
    fn entry(&self, _kernel: KernelId) -> Option<DirectKernel> {
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
