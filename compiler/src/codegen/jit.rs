//! Machine code in the memory of this process, through `cranelift_jit`.
//!
//! Input: verified codes and the functions they call. Output: [`MachineCode`] whose kernels are functions of a `JITModule`, which lives as
//! long as they do. The module knows all that code refers to outside by name, so it never searches the libraries of the process.
//!
//! Unsafe code. Its argument: addresses of kernels are those of functions that the code generator made with the signature of segments and
//! that touch what their extents say; nothing calls them once the keeper of the code is gone.
#![expect(unsafe_code, reason = "hands over generated code and frees it")]

use super::link::{natives, symbols, words};
use super::target::instruction_set;
use super::{CodegenError, KernelParts, generate};
use crate::equations::function::table::FnTable;
use crate::program::code::Code;
use cranelift_entity::PrimaryMap;
use cranelift_jit::{JITBuilder, JITMemoryProvider, JITModule};
use cranelift_module::default_libcall_names;
use partita_runtime::abi::machine_code::{KernelAddresses, MachineCode, Referents};
use partita_runtime::abi::object::Processor;
use partita_runtime::model::plan::KernelId;
use std::sync::{Arc, Mutex};

/// The module and what its code refers to; without an owner the module would keep its memory for ever.
struct Keeper {
    /// Present until the end. Locked only because a module may not be looked at from two threads.
    module: Mutex<Option<JITModule>>,
    _referents: Referents,
}

impl Drop for Keeper {
    fn drop(&mut self) {
        let module = self.module.get_mut().map_or_else(|poisoned| poisoned.into_inner().take(), |module| module.take());
        if let Some(module) = module {
            // SAFETY: whoever could call the code held this keeper.
            unsafe { module.free_memory() };
        }
    }
}

/// Makes machine code for this machine and puts it in its place.
pub fn compile(codes: &PrimaryMap<KernelId, Code>, functions: &FnTable) -> Result<MachineCode, CodegenError> {
    compile_in(None, codes, functions)
}

/// The same in memory that somebody else provides.
fn compile_in(
    memory: Option<Box<dyn JITMemoryProvider + Send>>,
    codes: &PrimaryMap<KernelId, Code>,
    functions: &FnTable,
) -> Result<MachineCode, CodegenError> {
    let referents = Referents::new(words(functions), natives(functions).map(|(_, native)| native.clone()).collect());
    let mut builder = JITBuilder::with_isa(instruction_set(Processor::This)?, default_libcall_names());
    if let Some(memory) = memory {
        builder.memory_provider(memory);
    }
    for (name, symbol) in symbols(natives(functions).count()) {
        if let Some(address) = referents.address(symbol) {
            builder.symbol(name, address);
        }
    }
    let mut keeper = Keeper { module: Mutex::new(Some(JITModule::new(builder))), _referents: referents };
    let (kernels, n_bytes) = match keeper.module.get_mut() {
        Ok(Some(module)) => fill(module, codes, functions)?,
        _ => return Err(super::refuse("the module is gone")),
    };
    // SAFETY: `fill` gives addresses of segments, and the keeper keeps them and what they refer to.
    Ok(unsafe { MachineCode::of_addresses(kernels, n_bytes, Arc::new(keeper)) })
}

/// Makes all code, and says where the kernels lie and how large all of it is.
fn fill(
    module: &mut JITModule,
    codes: &PrimaryMap<KernelId, Code>,
    functions: &FnTable,
) -> Result<(Vec<KernelAddresses>, usize), CodegenError> {
    let (kernels, n_bytes) = generate(module, codes, functions)?;
    module.finalize_definitions()?;
    let placed = |parts: &KernelParts| KernelAddresses {
        segments: parts.segments.iter().map(|id| module.get_finalized_function(*id)).collect(),
        extent: parts.extent,
        n_spills: parts.n_spills,
    };
    Ok((kernels.values().map(placed).collect(), n_bytes))
}

#[cfg(test)]
pub(super) mod far {
    //! Memory in which each function lies more than 2 GB from the one before it.

    use super::{Code, CodegenError, FnTable, KernelId, MachineCode, PrimaryMap, compile_in};
    use cranelift_jit::{ArenaMemoryProvider, BranchProtection, JITMemoryKind, JITMemoryProvider};
    use cranelift_module::ModuleResult;
    use std::io;

    /// Addresses that each of two blocks takes; only pages that are written take memory.
    const RESERVED: usize = 3 << 30;

    /// Two blocks that take turns; code begins at the start of each.
    struct FarApart {
        blocks: [ArenaMemoryProvider; 2],
        next: usize,
    }

    impl JITMemoryProvider for FarApart {
        fn allocate(&mut self, size: usize, align: u64, kind: JITMemoryKind) -> io::Result<*mut u8> {
            self.next = 1 - self.next;
            self.blocks[self.next].allocate(size, align, kind)
        }

        unsafe fn free_memory(&mut self) {
            for block in &mut self.blocks {
                // SAFETY: the caller promises for both what each asks for.
                unsafe { block.free_memory() };
            }
        }

        fn finalize(&mut self, protection: BranchProtection) -> ModuleResult<()> {
            self.blocks.iter_mut().try_for_each(|block| block.finalize(protection))
        }
    }

    /// Machine code whose functions lie far from each other.
    pub(in crate::codegen) fn compile_far(codes: &PrimaryMap<KernelId, Code>, functions: &FnTable) -> Result<MachineCode, CodegenError> {
        let block = || ArenaMemoryProvider::new_with_size(RESERVED).map_err(|error| CodegenError::Host(error.to_string()));
        let memory = FarApart { blocks: [block()?, block()?], next: 0 };
        compile_in(Some(Box::new(memory)), codes, functions)
    }
}
