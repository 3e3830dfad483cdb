//! A module whose code is kept: one block of bytes that can lie anywhere, behind a built simulator.
//!
//! Input: what the code generator declares and defines. Output: `abi::object::Object`. Functions lie in the order in which they are
//! defined; what they refer to outside is named by what it does, so the object can be loaded by another process.
//! Guarantee: code that asks for anything but full addresses is refused. Cost: linear in the code.
#![expect(unsafe_code, reason = "gives its word for the code it collects")]

use super::link::{natives, symbols, words};
use super::{CodegenError, KernelParts, refuse};
use crate::equations::function::table::FnTable;
use cranelift::codegen::binemit::Reloc;
use cranelift::codegen::control::ControlPlane;
use cranelift::codegen::isa::{OwnedTargetIsa, TargetIsa};
use cranelift::codegen::{self, Context};
use cranelift::prelude::Signature;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use cranelift_module::{
    DataDescription, DataId, FuncId, Linkage, Module, ModuleDeclarations, ModuleError, ModuleReloc, ModuleRelocTarget, ModuleResult,
};
use partita_runtime::abi::object::{KernelEntry, NativeName, Object, ObjectParts, Processor, Relocation, Symbol};
use partita_runtime::model::plan::KernelId;
use partita_runtime::native::Native;
use rustc_hash::FxHashMap;
use std::ffi::OsString;

/// An address that code at an offset of the block needs.
struct OpenAddress {
    offset: u64,
    target: ModuleRelocTarget,
    addend: i64,
}

/// The module.
pub(super) struct ImageModule {
    isa: OwnedTargetIsa,
    declarations: ModuleDeclarations,
    bytes: Vec<u8>,
    offsets: SecondaryMap<FuncId, Option<u64>>,
    open: Vec<OpenAddress>,
}

fn unsupported(what: &str) -> ModuleError {
    ModuleError::Compilation(codegen::CodegenError::Unsupported(what.to_string()))
}

impl ImageModule {
    /// A module without code.
    pub(super) fn new(isa: OwnedTargetIsa) -> ImageModule {
        let (declarations, offsets) = (ModuleDeclarations::default(), SecondaryMap::new());
        ImageModule { isa, declarations, bytes: Vec::new(), offsets, open: Vec::new() }
    }

    /// Where a function of the module lies.
    fn offset_of(&self, function: FuncId) -> Result<u64, CodegenError> {
        self.offsets[function].ok_or_else(|| refuse("a function was not made"))
    }

    /// What an address is the address of.
    fn meaning(&self, target: &ModuleRelocTarget, symbols: &FxHashMap<String, Symbol>) -> Result<Symbol, CodegenError> {
        let name = match target {
            ModuleRelocTarget::FunctionOffset(function, within) => {
                return Ok(Symbol::Code(self.offset_of(*function)? + u64::from(*within)));
            }
            ModuleRelocTarget::User { namespace: 0, .. } => {
                let function = FuncId::from_name(target);
                if let Some(offset) = self.offsets[function] {
                    return Ok(Symbol::Code(offset));
                }
                &self.declarations.get_function_decl(function).name
            }
            ModuleRelocTarget::User { namespace: 1, .. } => &self.declarations.get_data_decl(DataId::from_name(target)).name,
            other => return Err(refuse(&format!("unexpected reference to {other}"))),
        };
        let symbol = name.as_ref().and_then(|name| symbols.get(name));
        symbol.copied().ok_or_else(|| refuse("a function was not made"))
    }

    /// Puts all into an object.
    pub(super) fn finish(
        self,
        kernels: &PrimaryMap<KernelId, KernelParts>,
        functions: &FnTable,
        processor: Processor,
    ) -> Result<Object, CodegenError> {
        let symbols: FxHashMap<String, Symbol> = symbols(natives(functions).count()).collect();
        let relocation =
            |open: &OpenAddress| Ok(Relocation { offset: open.offset, symbol: self.meaning(&open.target, &symbols)?, addend: open.addend });
        let relocations = self.open.iter().map(relocation).collect::<Result<_, CodegenError>>()?;
        let entry = |parts: &KernelParts| {
            let segments = parts.segments.iter().map(|id| self.offset_of(*id)).collect::<Result<_, CodegenError>>()?;
            Ok(KernelEntry { segments, extent: parts.extent, n_spills: parts.n_spills })
        };
        let kernels = kernels.values().map(entry).collect::<Result<_, CodegenError>>()?;
        let parts = ObjectParts {
            architecture: std::env::consts::ARCH.to_string(),
            processor,
            relocations,
            kernels,
            functions: words(functions),
            natives: natives(functions).map(|(name, native)| named(name, native)).collect(),
            shared_libraries: shared_libraries(functions),
            bytes: self.bytes,
        };
        // SAFETY: Cranelift made all of these bytes for the functions that were defined here.
        unsafe { Object::of_generator(parts) }.map_err(refuse)
    }
}

fn named(name: &str, native: &Native) -> NativeName {
    match native {
        Native::Builtin(_) => NativeName::Builtin(name.to_string()),
        Native::External(external) => NativeName::External(external.signature().clone()),
    }
}

/// Where the shared libraries lie that external functions come from, each once.
fn shared_libraries(functions: &FnTable) -> Vec<OsString> {
    let mut found = Vec::new();
    for (_, native) in natives(functions) {
        if let Native::External(external) = native {
            let path = external.library().as_os_str().to_os_string();
            if !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

impl Module for ImageModule {
    fn isa(&self) -> &dyn TargetIsa {
        &*self.isa
    }

    fn declarations(&self) -> &ModuleDeclarations {
        &self.declarations
    }

    fn declare_function(&mut self, name: &str, linkage: Linkage, signature: &Signature) -> ModuleResult<FuncId> {
        Ok(self.declarations.declare_function(name, linkage, signature)?.0)
    }

    fn declare_anonymous_function(&mut self, signature: &Signature) -> ModuleResult<FuncId> {
        self.declarations.declare_anonymous_function(signature)
    }

    fn declare_data(&mut self, name: &str, linkage: Linkage, writable: bool, tls: bool) -> ModuleResult<DataId> {
        Ok(self.declarations.declare_data(name, linkage, writable, tls)?.0)
    }

    fn declare_anonymous_data(&mut self, writable: bool, tls: bool) -> ModuleResult<DataId> {
        self.declarations.declare_anonymous_data(writable, tls)
    }

    fn define_function_with_control_plane(&mut self, id: FuncId, context: &mut Context, plane: &mut ControlPlane) -> ModuleResult<()> {
        context.compile(&*self.isa, plane)?;
        let compiled = context.compiled_code().ok_or_else(|| unsupported("a function without code"))?;
        let relocations: Vec<ModuleReloc> =
            compiled.buffer.relocs().iter().map(|relocation| ModuleReloc::from_mach_reloc(relocation, &context.func, id)).collect();
        self.define_function_bytes(id, u64::from(compiled.buffer.alignment), compiled.code_buffer(), &relocations)
    }

    fn define_function_bytes(&mut self, id: FuncId, alignment: u64, bytes: &[u8], relocations: &[ModuleReloc]) -> ModuleResult<()> {
        let declaration = self.declarations.get_function_decl(id);
        if !declaration.linkage.is_definable() {
            return Err(ModuleError::InvalidImportDefinition(declaration.linkage_name(id).into_owned()));
        }
        if self.offsets[id].is_some() {
            return Err(ModuleError::DuplicateDefinition(declaration.linkage_name(id).into_owned()));
        }
        if relocations.iter().any(|relocation| relocation.kind != Reloc::Abs8) {
            return Err(unsupported("an image needs addresses of eight bytes"));
        }
        // A block that is loaded begins a page.
        let alignment = alignment.max(16) as usize;
        self.bytes.resize(self.bytes.len().next_multiple_of(alignment), 0);
        let start = self.bytes.len() as u64;
        self.offsets[id] = Some(start);
        self.bytes.extend_from_slice(bytes);
        self.open.extend(relocations.iter().map(|relocation| OpenAddress {
            offset: start + u64::from(relocation.offset),
            target: relocation.name.clone(),
            addend: relocation.addend,
        }));
        Ok(())
    }

    fn define_data(&mut self, _: DataId, _: &DataDescription) -> ModuleResult<()> {
        Err(unsupported("an image holds code and the constants in it"))
    }
}
