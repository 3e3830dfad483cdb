//! Machine code: straight-line code and functions to native functions of this process, through Cranelift. Nothing outside
//! this folder names Cranelift's code generator.
//!
//! Input: verified codes and the functions they call. Output: an `Object` to be kept, or [`MachineCode`], which runs and gives
//! the same bits as `program::interp::Interpreter`.
//!
//! Method: code that repeats itself is rolled up into loops (`program::reroll`), what stays long is cut into segments (`split`); each loop,
//! each segment and each function is translated (`loops`, `kernel`, `routine`), compiled on as many threads as there are, and defined in
//! order in a `cranelift_module::Module`: the crate's own for code in memory (`jit`), one of ours for code to be kept (`image`).
//! Deterministic: the code does not depend on the threads.
//! Cost: near linear in the number of instructions.

mod image;
mod jit;
mod kernel;
mod link;
mod loops;
mod math;
mod routine;
mod split;
mod target;
#[cfg(test)]
mod tests;
pub mod tiered;

use crate::base::ids::FnId;
use crate::equations::function::routine::Routine;
use crate::equations::function::table::{FnBody, FnTable};
use crate::program::code::Code;
use crate::program::reroll::{CodePart, Loop, reroll};
use crate::program::verify::{VerifyError, verify};
use cranelift::codegen::Context;
use cranelift::codegen::binemit::Reloc;
use cranelift::codegen::control::ControlPlane;
use cranelift::codegen::ir::UserFuncName;
use cranelift::codegen::isa::TargetIsa;
use cranelift::prelude::FunctionBuilderContext;
use cranelift_entity::PrimaryMap;
use cranelift_module::{FuncId, Module, ModuleError, ModuleReloc, ModuleRelocTarget};
use image::ImageModule;
use link::{Callables, Callee, Linker, Shape};
use partita_runtime::abi::Extent;
use partita_runtime::abi::object::{Object, Processor};
use partita_runtime::model::plan::KernelId;
use split::{Split, split};
use std::borrow::Cow;
use std::fmt;
use std::num::NonZero;

pub use jit::compile;
pub use partita_runtime::abi::machine_code::MachineCode;

/// Memory beyond this many slots cannot be reached with a machine instruction's offset.
const MAX_CELLS: usize = 1 << 28;

/// Why there is no machine code.
#[derive(Debug)]
pub enum CodegenError {
    /// A code is not well formed.
    Malformed {
        /// The kernel.
        kernel: KernelId,
        /// What is wrong.
        error: VerifyError,
    },
    /// A code reaches beyond 2^28 slots.
    TooManySlots(KernelId),
    /// The machine is not supported.
    Host(String),
    /// The code generator refused.
    Backend(String),
}

impl fmt::Display for CodegenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CodegenError::Malformed { kernel, error } => write!(f, "code of kernel {kernel} is malformed: {error}"),
            CodegenError::TooManySlots(kernel) => write!(f, "kernel {kernel} uses more than {MAX_CELLS} slots"),
            CodegenError::Host(reason) => write!(f, "no machine code for this machine: {reason}"),
            CodegenError::Backend(reason) => write!(f, "code generation failed: {reason}"),
        }
    }
}

impl std::error::Error for CodegenError {}

impl From<ModuleError> for CodegenError {
    fn from(error: ModuleError) -> CodegenError {
        CodegenError::Backend(format!("{error:?}"))
    }
}

fn refuse(reason: &str) -> CodegenError {
    CodegenError::Backend(reason.to_string())
}

/// One machine function to be made.
struct Job<'a> {
    id: FuncId,
    source: Source<'a>,
}

/// What it is made from.
enum Source<'a> {
    Segment { code: &'a Code, split: &'a Split, segment: usize },
    Loop(&'a Loop),
    Routine(FnId, &'a Routine),
}

/// A part of a kernel.
enum KernelPart<'a> {
    Straight(Cow<'a, Code>, Split),
    Loop(Loop),
}

impl<'a> KernelPart<'a> {
    fn straight(code: Cow<'a, Code>) -> KernelPart<'a> {
        let split = split(&code);
        KernelPart::Straight(code, split)
    }

    fn of(part: CodePart) -> KernelPart<'a> {
        match part {
            CodePart::Straight(code) => KernelPart::straight(Cow::Owned(code)),
            CodePart::Loop(rerolled) => KernelPart::Loop(rerolled),
        }
    }
}

/// The segments of a kernel.
struct KernelParts {
    segments: Vec<FuncId>,
    extent: Extent,
    n_spills: usize,
}

/// Machine code of one function, not yet in its place.
struct Made {
    id: FuncId,
    alignment: u32,
    bytes: Vec<u8>,
    relocations: Vec<ModuleReloc>,
}

/// Makes machine code to be kept, for any processor of the host's kind.
pub fn compile_to_object(codes: &PrimaryMap<KernelId, Code>, functions: &FnTable) -> Result<Object, CodegenError> {
    let processor = Processor::Common;
    let mut module = ImageModule::new(target::instruction_set(processor)?);
    let (kernels, _) = generate(&mut module, codes, functions)?;
    module.finish(&kernels, functions, processor)
}

/// Makes all code in a module. Gives the functions of the kernels and the number of bytes of all.
fn generate(
    module: &mut dyn Module,
    codes: &PrimaryMap<KernelId, Code>,
    functions: &FnTable,
) -> Result<(PrimaryMap<KernelId, KernelParts>, usize), CodegenError> {
    let pieces = pieces(codes, functions)?;
    let callables = Callables::declare(module, functions)?;
    let mut jobs = Vec::new();
    for (function, def) in functions.defs().iter() {
        if let (FnBody::Routine(routine), Callee::Routine(id)) = (&def.body, callables.targets[function].callee) {
            jobs.push(Job { id, source: Source::Routine(function, routine) });
        }
    }
    let mut kernels: PrimaryMap<KernelId, KernelParts> = PrimaryMap::with_capacity(codes.len());
    for (code, pieces) in codes.values().zip(pieces.values()) {
        let (start, n_spills) = (jobs.len(), declare_pieces(module, pieces, &mut jobs)?);
        kernels.push(KernelParts { segments: jobs[start..].iter().map(|job| job.id).collect(), extent: code.extent(), n_spills });
    }
    let made = run(&jobs, module.isa(), &Linker::new(module, &callables))?;
    for made in &made {
        module.define_function_bytes(made.id, u64::from(made.alignment), &made.bytes, &made.relocations)?;
    }
    Ok((kernels, made.iter().map(|made| made.bytes.len()).sum()))
}

/// What each kernel is made from.
fn pieces<'a>(
    codes: &'a PrimaryMap<KernelId, Code>,
    functions: &FnTable,
) -> Result<PrimaryMap<KernelId, Vec<KernelPart<'a>>>, CodegenError> {
    let mut pieces = PrimaryMap::with_capacity(codes.len());
    for (kernel, code) in codes.iter() {
        verify(code, functions, None).map_err(|error| CodegenError::Malformed { kernel, error })?;
        let extent = code.extent();
        if extent.n_slots.max(extent.n_out) >= MAX_CELLS {
            return Err(CodegenError::TooManySlots(kernel));
        }
        pieces.push(match (&code.iterations, reroll(code)) {
            (Some(iterations), _) => vec![KernelPart::Loop(Loop::asked(code, iterations))],
            (None, None) => vec![KernelPart::straight(Cow::Borrowed(code))],
            (None, Some(parts)) => parts.into_iter().map(KernelPart::of).collect(),
        });
    }
    Ok(pieces)
}

/// Declares the functions of a kernel in their order; gives the size of their spill area.
fn declare_pieces<'a>(module: &mut dyn Module, pieces: &'a [KernelPart<'a>], jobs: &mut Vec<Job<'a>>) -> Result<usize, CodegenError> {
    let signature = Shape::Kernel.signature(module.isa().default_call_conv());
    let mut n_spills = 0;
    let mut push = |source: Source<'a>| -> Result<(), CodegenError> {
        jobs.push(Job { id: module.declare_anonymous_function(&signature)?, source });
        Ok(())
    };
    for piece in pieces {
        match piece {
            KernelPart::Straight(code, split) => {
                for segment in 0..split.segments.len() {
                    push(Source::Segment { code, split, segment })?;
                }
                n_spills = n_spills.max(split.n_spills);
            }
            KernelPart::Loop(rerolled) => push(Source::Loop(rerolled))?,
        }
    }
    Ok(n_spills)
}

/// Does all jobs, on several threads when there are enough of them; results are in the order of the jobs.
fn run(jobs: &[Job<'_>], isa: &dyn TargetIsa, linker: &Linker<'_>) -> Result<Vec<Made>, CodegenError> {
    let n_threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(jobs.len() / 2).max(1);
    let share = jobs.len().div_ceil(n_threads).max(1);
    let results: Vec<Result<Vec<Made>, CodegenError>> = std::thread::scope(|scope| {
        let (own, others) = jobs.split_at(share.min(jobs.len()));
        let threads: Vec<_> = others.chunks(share).map(|part| scope.spawn(move || run_part(part, isa, linker))).collect();
        let mut results = vec![run_part(own, isa, linker)];
        for thread in threads {
            results.push(thread.join().unwrap_or_else(|_| Err(refuse("the code generator stopped unexpectedly"))));
        }
        results
    });
    let mut made = Vec::with_capacity(jobs.len());
    for result in results {
        made.extend(result?);
    }
    Ok(made)
}

fn run_part(jobs: &[Job<'_>], isa: &dyn TargetIsa, linker: &Linker<'_>) -> Result<Vec<Made>, CodegenError> {
    let mut context = Context::new();
    let mut builder_context = FunctionBuilderContext::new();
    let mut made = Vec::with_capacity(jobs.len());
    for job in jobs {
        context.clear();
        context.func.name = UserFuncName::user(0, job.id.as_u32());
        let (target, scratch) = (&mut context.func, &mut builder_context);
        match job.source {
            Source::Segment { code, split, segment } => kernel::translate(code, split, segment, linker, target, scratch),
            Source::Loop(rerolled) => loops::translate(rerolled, linker, target, scratch),
            Source::Routine(function, code) => routine::translate(function, code, linker, target, scratch),
        }
        let compiled =
            context.compile(isa, &mut ControlPlane::default()).map_err(|error| CodegenError::Backend(format!("{:?}", error.inner)))?;
        let alignment = compiled.buffer.alignment;
        let bytes = compiled.code_buffer().to_vec();
        let relocations = compiled.buffer.relocs().to_vec();
        let relocations: Vec<_> = relocations.iter().map(|open| ModuleReloc::from_mach_reloc(open, &context.func, job.id)).collect();
        check(&relocations)?;
        made.push(Made { id: job.id, alignment, bytes, relocations });
    }
    Ok(made)
}

/// Refuses code that reaches only near addresses, or that calls what was not declared.
fn check(relocations: &[ModuleReloc]) -> Result<(), CodegenError> {
    for relocation in relocations {
        if relocation.kind != Reloc::Abs8 {
            return Err(refuse(&format!("unexpected kind of relocation {:?}", relocation.kind)));
        }
        if !matches!(relocation.name, ModuleRelocTarget::User { .. } | ModuleRelocTarget::FunctionOffset(..)) {
            return Err(refuse(&format!("unexpected call of {}", relocation.name)));
        }
    }
    Ok(())
}
