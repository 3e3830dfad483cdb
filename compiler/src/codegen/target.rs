//! The instruction set that machine code is made for: all of the host's, or what every processor of its kind has had for long.

use super::CodegenError;
use cranelift::codegen::isa::OwnedTargetIsa;
use cranelift::prelude::{Configurable, settings};
use partita_runtime::abi::object::Processor;

/// The instruction set of the host: all of it, or what every processor of its kind has had for long.
pub(super) fn instruction_set(processor: Processor) -> Result<OwnedTargetIsa, CodegenError> {
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", "speed"),
        ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
        ("use_colocated_libcalls", "false"),
        ("is_pic", "false"),
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
    ] {
        flags.set(name, value).map_err(|error| CodegenError::Host(error.to_string()))?;
    }
    let no_host = |error: &dyn std::fmt::Display| CodegenError::Host(error.to_string());
    let builder = match processor {
        Processor::This => cranelift_native::builder().map_err(|error| no_host(&error))?,
        Processor::Common => {
            let mut builder = cranelift_native::builder_with_options(false).map_err(|error| no_host(&error))?;
            if cfg!(target_arch = "x86_64") {
                for feature in ["has_sse3", "has_ssse3", "has_sse41", "has_sse42", "has_popcnt"] {
                    builder.enable(feature).map_err(|error| no_host(&error))?;
                }
            }
            builder
        }
    };
    builder.finish(settings::Flags::new(flags)).map_err(|error| CodegenError::Host(error.to_string()))
}
