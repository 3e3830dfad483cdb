//! How much of its arrays a kernel touches, and that it stopped.
#![forbid(unsafe_code)]

use crate::model::plan::KernelId;
use crate::native::Environment;
use serde::{Deserialize, Serialize};

/// How much of both arrays a kernel touches.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// One more than the highest slot read or written.
    pub n_slots: usize,
    /// One more than the highest position of the tangent buffer read or written.
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
            "kernel {kernel} needs {} slots and {} positions of the tangent buffer, but got {n_slots} and {n_out}",
            self.n_slots, self.n_out
        ));
        Err(KernelFailure)
    }
}

/// A kernel stopped: an assert inside a function failed or an external function refused its arguments.
/// The reason is in `Environment::failure`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct KernelFailure;

impl KernelFailure {
    /// The failure of machine code that stopped. A panic of a native function that it called goes on here, behind the machine code.
    #[cold]
    pub(super) fn of(environment: &mut Environment) -> KernelFailure {
        if let Some(panic) = environment.panic.take() {
            panic.resume();
        }
        KernelFailure
    }
}
