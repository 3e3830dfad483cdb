//! Machine code: straight-line code and functions to native functions of this process, through Cranelift. Nothing outside
//! this folder names Cranelift's code generator.
//!
//! Input: verified codes and the functions they call. Output: an `Object` to be kept, or [`MachineCode`], which runs and gives
//! the same bits as `program::interp::Interpreter`.
//!
//! Method: code that repeats itself is rolled up into loops (`program::roll`), what stays long is cut into segments (`split`); each loop,
//! each segment and each function is translated (`looped`, `kernel`, `routine`), compiled on as many threads as there are, and placed in
//! order. Deterministic: the code does not depend on the threads.
//! Cost: near linear in the number of instructions.

mod kernel;
mod link;
mod looped;
mod math;
mod place;
mod routine;
mod split;
#[cfg(test)]
mod tests;
pub mod tiered;

use crate::base::ids::FnId;
use crate::equations::function::routine::Routine;
use crate::equations::function::table::{FnBody, FnTable};
use crate::program::code::Code;
use crate::program::roll::{Loop, Part, roll};
use crate::program::verify::{VerifyError, verify};
use cranelift::codegen::Context;
use cranelift::codegen::control::ControlPlane;
use cranelift::codegen::ir::UserFuncName;
use cranelift::codegen::isa::TargetIsa;
use cranelift::prelude::FunctionBuilderContext;
use cranelift_entity::PrimaryMap;
use link::{Callee, Linker, SymbolId};
use partita_runtime::abi::object::{Object, Processor};
use partita_runtime::model::plan::KernelId;
use partita_runtime::native::Native;
use place::{Blob, KernelParts, Symbols};
use split::{Split, split};
use std::borrow::Cow;
use std::fmt;
use std::num::NonZero;

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

/// One machine function to be made.
struct Job<'a> {
    id: SymbolId,
    source: Source<'a>,
}

/// What it is made from.
enum Source<'a> {
    Segment { code: &'a Code, split: &'a Split, segment: usize },
    Loop(&'a Loop),
    Routine(FnId, &'a Routine),
}

/// A part of a kernel.
enum Piece<'a> {
    Straight(Cow<'a, Code>, Split),
    Loop(Loop),
}

impl<'a> Piece<'a> {
    fn straight(code: Cow<'a, Code>) -> Piece<'a> {
        let split = split(&code);
        Piece::Straight(code, split)
    }

    fn of(part: Part) -> Piece<'a> {
        match part {
            Part::Straight(code) => Piece::straight(Cow::Owned(code)),
            Part::Loop(rolled) => Piece::Loop(rolled),
        }
    }
}

/// Makes machine code and loads it.
pub fn compile(codes: &PrimaryMap<KernelId, Code>, functions: &FnTable) -> Result<MachineCode, CodegenError> {
    let (object, natives) = generate(codes, functions, Processor::This)?;
    MachineCode::load_with(&object, natives).map_err(|error| CodegenError::Host(error.to_string()))
}

/// Makes machine code to be kept, for any processor of the host's kind.
pub fn compile_to_object(codes: &PrimaryMap<KernelId, Code>, functions: &FnTable) -> Result<Object, CodegenError> {
    Ok(generate(codes, functions, Processor::Common)?.0)
}

fn generate(codes: &PrimaryMap<KernelId, Code>, functions: &FnTable, processor: Processor) -> Result<(Object, Vec<Native>), CodegenError> {
    let mut pieces: PrimaryMap<KernelId, Vec<Piece<'_>>> = PrimaryMap::with_capacity(codes.len());
    for (kernel, code) in codes.iter() {
        verify(code, functions, None).map_err(|error| CodegenError::Malformed { kernel, error })?;
        let extent = code.extent();
        if extent.n_slots.max(extent.n_out) >= MAX_CELLS {
            return Err(CodegenError::TooManySlots(kernel));
        }
        pieces.push(match (&code.rounds, roll(code)) {
            (Some(rounds), _) => vec![Piece::Loop(Loop::asked(code, rounds))],
            (None, None) => vec![Piece::straight(Cow::Borrowed(code))],
            (None, Some(parts)) => parts.into_iter().map(Piece::of).collect(),
        });
    }
    let isa = place::instruction_set(processor)?;
    let mut symbols = Symbols::default();
    let linker = symbols.linker(functions, &isa);
    let mut jobs = Vec::new();
    for (function, def) in functions.defs().iter() {
        if let (FnBody::Routine(routine), Callee::Routine(id)) = (&def.body, linker.targets[function].callee) {
            jobs.push(Job { id, source: Source::Routine(function, routine) });
        }
    }
    let mut kernels: PrimaryMap<KernelId, KernelParts> = PrimaryMap::with_capacity(codes.len());
    for (code, pieces) in codes.values().zip(pieces.values()) {
        let (mut segments, mut n_spills) = (Vec::new(), 0);
        for piece in pieces {
            let start = jobs.len();
            match piece {
                Piece::Straight(code, split) => {
                    jobs.extend(
                        (0..split.segments.len())
                            .map(|segment| Job { id: symbols.declare(), source: Source::Segment { code, split, segment } }),
                    );
                    n_spills = n_spills.max(split.n_spills);
                }
                Piece::Loop(rolled) => jobs.push(Job { id: symbols.declare(), source: Source::Loop(rolled) }),
            }
            segments.extend(jobs[start..].iter().map(|job| job.id));
        }
        kernels.push(KernelParts { segments, extent: code.extent(), n_spills });
    }
    let blobs = run(&jobs, &*isa, &linker)?;
    let natives = symbols.natives();
    Ok((symbols.place(&blobs, &kernels, functions, processor)?, natives))
}

/// Does all jobs, on several threads when there are enough of them; results are in the order of the jobs.
fn run(jobs: &[Job<'_>], isa: &dyn TargetIsa, linker: &Linker) -> Result<Vec<Blob>, CodegenError> {
    let n_threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(jobs.len() / 2).max(1);
    let share = jobs.len().div_ceil(n_threads).max(1);
    let results: Vec<Result<Vec<Blob>, CodegenError>> = std::thread::scope(|scope| {
        let (own, others) = jobs.split_at(share.min(jobs.len()));
        let threads: Vec<_> = others.chunks(share).map(|part| scope.spawn(move || run_part(part, isa, linker))).collect();
        let mut results = vec![run_part(own, isa, linker)];
        for thread in threads {
            let stopped = || Err(CodegenError::Backend("the code generator stopped unexpectedly".to_string()));
            results.push(thread.join().unwrap_or_else(|_| stopped()));
        }
        results
    });
    let mut blobs = Vec::with_capacity(jobs.len());
    for result in results {
        blobs.extend(result?);
    }
    Ok(blobs)
}

fn run_part(jobs: &[Job<'_>], isa: &dyn TargetIsa, linker: &Linker) -> Result<Vec<Blob>, CodegenError> {
    let mut context = Context::new();
    let mut builder_context = FunctionBuilderContext::new();
    let mut blobs = Vec::with_capacity(jobs.len());
    for job in jobs {
        context.clear();
        context.func.name = UserFuncName::user(0, job.id.as_u32());
        let (target, scratch) = (&mut context.func, &mut builder_context);
        match job.source {
            Source::Segment { code, split, segment } => kernel::translate(code, split, segment, linker, target, scratch),
            Source::Loop(rolled) => looped::translate(rolled, linker, target, scratch),
            Source::Routine(function, code) => routine::translate(function, code, linker, target, scratch),
        }
        let compiled =
            context.compile(isa, &mut ControlPlane::default()).map_err(|error| CodegenError::Backend(format!("{:?}", error.inner)))?;
        let alignment = compiled.buffer.alignment;
        let bytes = compiled.code_buffer().to_vec();
        let relocations = compiled.buffer.relocs().to_vec();
        let open = relocations.iter().map(|relocation| place::open_address(relocation, &context.func)).collect::<Result<Vec<_>, _>>()?;
        blobs.push(Blob { id: job.id, alignment, bytes, open });
    }
    Ok(blobs)
}
