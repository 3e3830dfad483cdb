//! The boundary between generated code and the runtime: what kernels are called with ([`Kernels`]), machine code as data ([`object`])
//! and machine code in memory ([`machine_code`]).

mod direct;
mod extent;
mod kernels;
pub mod machine_code;
pub mod object;

pub use crate::native::Environment;
pub use direct::DirectKernel;
pub use extent::{Extent, KernelFailure};
pub use kernels::{Explanation, Kernels};
