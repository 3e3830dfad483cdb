//! Kernels that are called without being looked up.
#![expect(unsafe_code, reason = "calls generated code")]

use super::extent::KernelFailure;
use crate::native::Environment;
use std::any::Any;
use std::sync::Arc;

/// A segment of a kernel.
pub(super) type SegmentFn = unsafe extern "C" fn(memory: *mut f64, out: *mut f64, environment: *mut Environment, spill: *mut f64) -> i32;

/// A kernel that was looked up once for many calls: one that works on the memory alone, in one segment without a spill area.
/// Kernels of small models take some ten nanoseconds; to look them up at every call would take as long.
#[derive(Clone)]
pub struct DirectKernel {
    segment: SegmentFn,
    n_slots: usize,
    /// Keeps the code.
    _code: Arc<dyn Any + Send + Sync>,
}

impl DirectKernel {
    /// A kernel of one segment that touches `n_slots` slots and neither a tangent buffer nor a spill area.
    ///
    /// # Safety
    /// `segment` is code that `code` keeps, and touches no more than it says.
    pub(super) unsafe fn new(segment: SegmentFn, n_slots: usize, code: Arc<dyn Any + Send + Sync>) -> DirectKernel {
        DirectKernel { segment, n_slots, _code: code }
    }

    /// Runs the kernel as [`super::Kernels::call`] does.
    #[inline]
    pub fn call(&self, memory: &mut [f64], environment: &mut Environment) -> Result<(), KernelFailure> {
        if self.n_slots > memory.len() {
            return too_short(self.n_slots, memory.len(), environment);
        }
        let nothing = std::ptr::NonNull::dangling().as_ptr();
        // SAFETY: memory and environment are exclusively borrowed, the memory is as long as the code's extent demands, and the code
        // touches neither a tangent buffer nor a spill area.
        if unsafe { (self.segment)(memory.as_mut_ptr(), nothing, environment, nothing) } == 0 {
            Ok(())
        } else {
            Err(KernelFailure::of(environment))
        }
    }
}

#[cold]
fn too_short(needed: usize, n_slots: usize, environment: &mut Environment) -> Result<(), KernelFailure> {
    environment.failure = Some(format!("a kernel needs {needed} slots, but got {n_slots}"));
    Err(KernelFailure)
}
