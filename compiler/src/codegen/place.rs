//! Puts the machine code of all functions into one object, and says for which processor it is made.
//!
//! Input: the code of each function with its open addresses. Output: `abi::object::Object`. Functions lie in the order in which
//! they are given; what they call is named, so the object can be loaded anywhere.

use super::CodegenError;
use super::link::{Callee, Linker, Shape, SymbolId, Target};
use super::math::{CALLED1, CALLED2};
use crate::equations::function::table::{FnBody, FnTable};
use cranelift::codegen::FinalizedMachReloc;
use cranelift::codegen::FinalizedRelocTarget;
use cranelift::codegen::binemit::Reloc;
use cranelift::codegen::ir::{ExternalName, Function};
use cranelift::codegen::isa::OwnedTargetIsa;
use cranelift::prelude::{Configurable, settings};
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use partita_runtime::abi::Extent;
use partita_runtime::abi::object::{FunctionWords, Helper, KernelEntry, NativeName, Object, ObjectParts, Processor, Relocation, Symbol};
use partita_runtime::model::plan::KernelId;
use partita_runtime::native::Native;
use rustc_hash::FxHashMap;

/// What an id stands for.
#[derive(Copy, Clone, Debug)]
pub(super) enum Meaning {
    /// Code of this object.
    Own,
    /// Something outside.
    Outside(Symbol),
}

/// An address that code needs.
#[derive(Copy, Clone, Debug)]
pub(super) struct OpenAddress {
    offset: u32,
    addend: i64,
    goal: Goal,
}

#[derive(Copy, Clone, Debug)]
enum Goal {
    Symbol(SymbolId),
    /// An offset of the same function.
    Within(u32),
}

/// Machine code of one function, not yet placed.
pub(super) struct Blob {
    pub(super) id: SymbolId,
    pub(super) alignment: u32,
    pub(super) bytes: Vec<u8>,
    pub(super) open: Vec<OpenAddress>,
}

/// The segments of a kernel.
pub(super) struct KernelParts {
    pub(super) segments: Vec<SymbolId>,
    pub(super) extent: Extent,
    pub(super) n_spills: usize,
}

/// The address that a relocation of the code generator asks for.
pub(super) fn open_address(relocation: &FinalizedMachReloc, function: &Function) -> Result<OpenAddress, CodegenError> {
    if relocation.kind != Reloc::Abs8 {
        return Err(CodegenError::Backend(format!("unexpected kind of relocation {:?}", relocation.kind)));
    }
    let goal = match &relocation.target {
        FinalizedRelocTarget::ExternalName(ExternalName::User(name)) => {
            Goal::Symbol(SymbolId::new(function.params.user_named_funcs()[*name].index as usize))
        }
        FinalizedRelocTarget::Func(offset) => Goal::Within(*offset),
        FinalizedRelocTarget::ExternalName(other) => return Err(CodegenError::Backend(format!("unexpected call of {other:?}"))),
    };
    Ok(OpenAddress { offset: relocation.offset, addend: relocation.addend, goal })
}

/// Everything that has an id.
#[derive(Default)]
pub(super) struct Symbols {
    meanings: PrimaryMap<SymbolId, Meaning>,
    natives: Vec<(String, Native)>,
}

impl Symbols {
    /// An id for code that will be made.
    pub(super) fn declare(&mut self) -> SymbolId {
        self.meanings.push(Meaning::Own)
    }

    fn outside(&mut self, symbol: Symbol) -> SymbolId {
        self.meanings.push(Meaning::Outside(symbol))
    }

    /// The native functions in their order.
    pub(super) fn natives(&self) -> Vec<Native> {
        self.natives.iter().map(|(_, native)| native.clone()).collect()
    }

    /// Ids for all that code may call.
    pub(super) fn linker(&mut self, functions: &FnTable, isa: &OwnedTargetIsa) -> Linker {
        let op1 = CALLED1.iter().map(|op| (*op, self.outside(Symbol::Op1(*op)))).collect();
        let op2 = CALLED2.iter().map(|op| (*op, self.outside(Symbol::Op2(*op)))).collect();
        let helpers: FxHashMap<Shape, SymbolId> =
            Helper::ALL.iter().map(|helper| (Shape::Helper(*helper), self.outside(Symbol::Helper(*helper)))).collect();
        let words = self.outside(Symbol::Functions);
        let mut targets = PrimaryMap::with_capacity(functions.defs().len());
        let remembered = functions.worth_remembering();
        for (function, def) in functions.defs().iter() {
            let callee = match &def.body {
                FnBody::Routine(_) => Callee::Routine(self.declare()),
                FnBody::Native(native) => {
                    self.natives.push((def.name.clone(), native.clone()));
                    Callee::Native(self.outside(Symbol::Native(self.natives.len() as u32 - 1)))
                }
            };
            targets.push(Target { callee, n_inputs: def.n_inputs, n_outputs: def.n_outputs, remembered: remembered[function] });
        }
        Linker { convention: isa.default_call_conv(), frontend: isa.frontend_config(), op1, op2, helpers, functions: words, targets }
    }

    /// Places all code.
    pub(super) fn place(
        self,
        blobs: &[Blob],
        kernels: &PrimaryMap<KernelId, KernelParts>,
        functions: &FnTable,
        processor: Processor,
    ) -> Result<Object, CodegenError> {
        let mut bytes: Vec<u8> = Vec::with_capacity(blobs.iter().map(|blob| blob.bytes.len() + 16).sum());
        let mut offset_of: SecondaryMap<SymbolId, Option<u64>> = SecondaryMap::with_capacity(self.meanings.len());
        for blob in blobs {
            let alignment = blob.alignment.max(16) as usize;
            bytes.resize(bytes.len().next_multiple_of(alignment), 0);
            offset_of[blob.id] = Some(bytes.len() as u64);
            bytes.extend_from_slice(&blob.bytes);
        }
        let own = |id: SymbolId| offset_of[id].ok_or_else(|| CodegenError::Backend("a function was not made".to_string()));
        let mut relocations = Vec::with_capacity(blobs.iter().map(|blob| blob.open.len()).sum());
        for blob in blobs {
            let start = own(blob.id)?;
            for open in &blob.open {
                let symbol = match open.goal {
                    Goal::Within(offset) => Symbol::Code(start + u64::from(offset)),
                    Goal::Symbol(id) => match self.meanings[id] {
                        Meaning::Own => Symbol::Code(own(id)?),
                        Meaning::Outside(symbol) => symbol,
                    },
                };
                relocations.push(Relocation { offset: start + u64::from(open.offset), symbol, addend: open.addend });
            }
        }
        let mut entries = PrimaryMap::with_capacity(kernels.len());
        for parts in kernels.values() {
            let segments = parts.segments.iter().map(|id| own(*id)).collect::<Result<Vec<u64>, CodegenError>>()?;
            entries.push(KernelEntry { segments, extent: parts.extent, n_spills: parts.n_spills });
        }
        let words = functions.defs().values().map(|def| match &def.body {
            FnBody::Routine(routine) => routine.words(),
            FnBody::Native(_) => FunctionWords::default(),
        });
        let mut shared_libraries = Vec::new();
        for (_, native) in &self.natives {
            if let Native::External(external) = native {
                let path = external.library().as_os_str().to_os_string();
                if !shared_libraries.contains(&path) {
                    shared_libraries.push(path);
                }
            }
        }
        let named = |(name, native): (String, Native)| match native {
            Native::Builtin(_) => NativeName::Builtin(name),
            Native::External(external) => NativeName::External(external.signature().clone()),
        };
        let parts = ObjectParts {
            architecture: std::env::consts::ARCH.to_string(),
            processor,
            bytes,
            relocations,
            kernels: entries,
            functions: words.collect(),
            natives: self.natives.into_iter().map(named).collect(),
            shared_libraries,
        };
        Object::of_generator(parts).map_err(|reason| CodegenError::Backend(reason.to_string()))
    }
}

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
