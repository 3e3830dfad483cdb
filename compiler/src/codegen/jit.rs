//! Machine code in the memory of this process: the module, its entry points and the helpers it calls.
//!
//! The only unsafe code of the compiler. Its argument: generated code touches the memory and the second array only up to the
//! extent that `Native::call` checks, the spill area only up to the size that `Native::call` provides, and arrays of compiled
//! functions only behind bounds checks.
#![expect(unsafe_code, reason = "calls generated code and is called by it")]

use super::CodegenError;
use super::link::{Callee, Linker, Shape, Target};
use super::math::{externals1, externals2};
use crate::ids::FnId;
use crate::program::code::Extent;
use crate::program::function::{FnBody, FnTable};
use crate::program::interp::check_arrays;
use crate::program::routine::{ArrayId, MessageId, Piece, Routine};
use cranelift::codegen::isa::OwnedTargetIsa;
use cranelift::prelude::{Configurable, settings};
use cranelift_entity::PrimaryMap;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, ModuleReloc, default_libcall_names};
use partita_runtime::abi::{Environment, KernelFailure, Kernels};
use partita_runtime::native::NativeFn;
use partita_runtime::plan::KernelId;
use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};

/// A segment of a kernel.
type SegmentFn = unsafe extern "C" fn(memory: *mut f64, out: *mut f64, environment: *mut Environment, spill: *mut f64) -> i32;

/// Calls a native function for generated code. 0: all went well.
///
/// # Safety
/// `native` is a `NativeFn`, both arrays have the given lengths, and nothing else refers to the environment meanwhile.
unsafe extern "C" fn call_native(
    native: *const u8,
    args: *const f64,
    n_args: usize,
    outs: *mut f64,
    n_outs: usize,
    environment: *mut Environment,
) -> i32 {
    // SAFETY: generated code passes the address that `declare` took from a `NativeFn`, stack buffers of these lengths, and the
    // environment pointer that `Native::call` made from an exclusive borrow.
    let (native, args, outs, environment) = unsafe {
        (
            std::mem::transmute::<*const u8, NativeFn>(native),
            std::slice::from_raw_parts(args, n_args),
            std::slice::from_raw_parts_mut(outs, n_outs),
            &mut *environment,
        )
    };
    i32::from(!native(environment, args, outs))
}

/// The routine that reports a failure.
///
/// # Safety
/// `functions` is the table that the code was generated from.
unsafe fn failing_routine<'a>(functions: *const FnTable, function: u32) -> Option<&'a Routine> {
    // SAFETY: generated code passes the address of the table that `Native` owns as long as its code exists.
    match unsafe { &*functions }.get(FnId::from_u32(function)).map(|def| &def.body) {
        Some(FnBody::Routine(routine)) => Some(routine),
        _ => None,
    }
}

/// Puts the message of a failure into the environment.
///
/// # Safety
/// As for `call_native`; `values` holds as many doubles as the message has values.
unsafe extern "C" fn fail(
    environment: *mut Environment,
    functions: *const FnTable,
    function: u32,
    message: u32,
    values: *const f64,
) -> i32 {
    // SAFETY: as for `failing_routine` and `call_native`; `verify` made sure that the message's values are as many as stored.
    unsafe {
        if let Some(routine) = failing_routine(functions, function) {
            let message = MessageId::from_u32(message);
            let n_values = routine.messages[message].iter().filter(|piece| matches!(piece, Piece::Value(_))).count();
            (*environment).failure_place = routine.place;
            (*environment).failure = Some(routine.message(message, std::slice::from_raw_parts(values, n_values)));
        }
    }
    1
}

/// Puts the message of a subscript out of range into the environment.
///
/// # Safety
/// As for `fail`.
unsafe extern "C" fn fail_index(
    environment: *mut Environment,
    functions: *const FnTable,
    function: u32,
    array: u32,
    dimension: u32,
    index: f64,
) -> i32 {
    // SAFETY: as for `failing_routine` and `call_native`.
    unsafe {
        if let Some(routine) = failing_routine(functions, function) {
            (*environment).failure_place = routine.place;
            (*environment).failure = Some(routine.index_message(ArrayId::from_u32(array), dimension as usize, index));
        }
    }
    1
}

/// Puts the message of a loop without end into the environment.
///
/// # Safety
/// As for `fail`.
unsafe extern "C" fn fail_loop(environment: *mut Environment, functions: *const FnTable, function: u32) -> i32 {
    // SAFETY: as for `failing_routine` and `call_native`.
    unsafe {
        if let Some(routine) = failing_routine(functions, function) {
            (*environment).failure_place = routine.place;
            (*environment).failure = Some(routine.tick_message());
        }
    }
    1
}

/// Fills cells with NaN.
///
/// # Safety
/// The cells exist and belong to the caller.
unsafe extern "C" fn fill(cells: *mut f64, n: usize) -> i32 {
    // SAFETY: generated code passes its own frame or its caller's output buffer with its size.
    unsafe { std::slice::from_raw_parts_mut(cells, n) }.fill(f64::NAN);
    0
}

/// Memory for a frame that is too large for the stack; `release` takes it back.
extern "C" fn allocate(n: usize) -> *mut f64 {
    Box::into_raw(vec![f64::NAN; n].into_boxed_slice()).cast()
}

/// Takes memory back.
///
/// # Safety
/// `cells` comes from `allocate` with the same size and is not used again.
unsafe extern "C" fn release(cells: *mut f64, n: usize) -> i32 {
    // SAFETY: generated code calls this once on every way out of the function that called `allocate`.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(cells, n)) });
    0
}

/// The helpers: shape, symbol, address.
fn helpers() -> [(Shape, &'static str, *const u8); 7] {
    [
        (Shape::Native, "partita_call_native", call_native as *const u8),
        (Shape::Fail, "partita_fail", fail as *const u8),
        (Shape::FailIndex, "partita_fail_index", fail_index as *const u8),
        (Shape::FailLoop, "partita_fail_loop", fail_loop as *const u8),
        (Shape::Fill, "partita_fill", fill as *const u8),
        (Shape::Allocate, "partita_allocate", allocate as *const u8),
        (Shape::Release, "partita_release", release as *const u8),
    ]
}

/// Machine code of one function, not yet placed.
pub(super) struct Blob {
    pub(super) id: FuncId,
    pub(super) alignment: u64,
    pub(super) bytes: Vec<u8>,
    pub(super) relocations: Vec<ModuleReloc>,
}

/// A module under construction.
pub(super) struct Machine {
    module: JITModule,
    /// What failures refer to.
    functions: Box<FnTable>,
}

/// The segments of a kernel.
pub(super) struct KernelParts {
    pub(super) segments: Vec<FuncId>,
    pub(super) extent: Extent,
    pub(super) n_spills: usize,
}

impl Machine {
    /// The host's instruction set, and an empty module with all that code may call.
    pub(super) fn new(functions: &FnTable) -> Result<(Machine, Linker), CodegenError> {
        let isa = host()?;
        let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
        for (_, name, address) in externals1() {
            builder.symbol(name, address);
        }
        for (_, name, address) in externals2() {
            builder.symbol(name, address);
        }
        for (_, name, address) in helpers() {
            builder.symbol(name, address);
        }
        let mut module = JITModule::new(builder);
        let convention = module.isa().default_call_conv();
        let mut import = |name: &str, shape: Shape| -> Result<FuncId, CodegenError> {
            Ok(module.declare_function(name, Linkage::Import, &shape.signature(convention))?)
        };
        let mut op1 = FxHashMap::default();
        for (op, name, _) in externals1() {
            op1.insert(op, import(name, Shape::Op1)?);
        }
        let mut op2 = FxHashMap::default();
        for (op, name, _) in externals2() {
            op2.insert(op, import(name, Shape::Op2)?);
        }
        let mut imported = FxHashMap::default();
        for (shape, name, _) in helpers() {
            imported.insert(shape, import(name, shape)?);
        }
        let mut targets = PrimaryMap::with_capacity(functions.defs().len());
        for def in functions.defs().values() {
            let callee = match &def.body {
                FnBody::Routine(_) => {
                    Callee::Routine(module.declare_anonymous_function(&Shape::Routine.signature(convention))?)
                }
                FnBody::Native(native) => Callee::Native(*native as usize),
            };
            targets.push(Target { callee, n_inputs: def.n_inputs, n_outputs: def.n_outputs });
        }
        let frontend = module.isa().frontend_config();
        let functions = Box::new(functions.clone());
        let address = &raw const *functions as usize;
        let linker = Linker { convention, frontend, op1, op2, helpers: imported, functions: address, targets };
        Ok((Machine { module, functions }, linker))
    }

    /// The instruction set.
    pub(super) fn isa(&self) -> &dyn cranelift::codegen::isa::TargetIsa {
        self.module.isa()
    }

    /// An id for a function to be placed.
    pub(super) fn declare(&mut self, shape: Shape) -> Result<FuncId, CodegenError> {
        let convention = self.module.isa().default_call_conv();
        Ok(self.module.declare_anonymous_function(&shape.signature(convention))?)
    }

    /// Places all code and makes it executable.
    pub(super) fn finish(
        mut self,
        blobs: Vec<Blob>,
        kernels: PrimaryMap<KernelId, KernelParts>,
    ) -> Result<Native, CodegenError> {
        let mut n_bytes = 0;
        for blob in blobs {
            n_bytes += blob.bytes.len();
            self.module.define_function_bytes(blob.id, blob.alignment, &blob.bytes, &blob.relocations)?;
        }
        self.module.finalize_definitions()?;
        let mut placed = PrimaryMap::with_capacity(kernels.len());
        for parts in kernels.values() {
            let segments = parts.segments.iter().map(|id| {
                let address = self.module.get_finalized_function(*id);
                // SAFETY: the function was generated with the signature of `Shape::Kernel`, which is that of `SegmentFn`.
                unsafe { std::mem::transmute::<*const u8, SegmentFn>(address) }
            });
            placed.push(NativeKernel { segments: segments.collect(), extent: parts.extent, n_spills: parts.n_spills });
        }
        Ok(Native { kernels: placed, module: Mutex::new(Some(self.module)), _functions: self.functions, n_bytes })
    }
}

fn host() -> Result<OwnedTargetIsa, CodegenError> {
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
    let builder = cranelift_native::builder().map_err(|error| CodegenError::Host(error.to_string()))?;
    builder.finish(settings::Flags::new(flags)).map_err(|error| CodegenError::Host(error.to_string()))
}

struct NativeKernel {
    segments: Vec<SegmentFn>,
    extent: Extent,
    n_spills: usize,
}

/// Machine code of a set of kernels.
pub struct Native {
    kernels: PrimaryMap<KernelId, NativeKernel>,
    /// Owns the code; touched only when dropped.
    module: Mutex<Option<JITModule>>,
    /// The code refers to it by its address.
    _functions: Box<FnTable>,
    n_bytes: usize,
}

impl Native {
    /// The size of the machine code in bytes.
    pub fn n_bytes(&self) -> usize {
        self.n_bytes
    }
}

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Native").field("kernels", &self.kernels.len()).field("bytes", &self.n_bytes).finish()
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        let module = self.module.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(module) = module {
            // SAFETY: pointers into the code are only in `self.kernels`, and `self` is exclusively borrowed and dying, so
            // no code of the module runs or can be called again.
            unsafe { module.free_memory() };
        }
    }
}

impl Kernels for Native {
    fn call(
        &self,
        kernel: KernelId,
        memory: &mut [f64],
        out: &mut [f64],
        environment: &mut Environment,
    ) -> Result<(), KernelFailure> {
        let Some(code) = self.kernels.get(kernel) else {
            environment.failure = Some(format!("there is no kernel {kernel}"));
            return Err(KernelFailure);
        };
        check_arrays(kernel, code.extent, memory, out, environment)?;
        let mut spill = std::mem::take(&mut environment.scratch);
        if spill.len() < code.n_spills {
            spill.resize(code.n_spills, 0.0);
        }
        let (memory, out) = (memory.as_mut_ptr(), out.as_mut_ptr());
        let failed = code.segments.iter().any(|segment| {
            // SAFETY: the arrays are exclusively borrowed and as long as the code's extent and spill area demand; the
            // environment is exclusively borrowed, and the pointer is used only during the call.
            unsafe { segment(memory, out, environment, spill.as_mut_ptr()) != 0 }
        });
        environment.scratch = spill;
        if failed { Err(KernelFailure) } else { Ok(()) }
    }
}
