//! Machine code in the memory of this process: loads an object, or takes over code that is in its place; calls it, and is called by it.
//!
//! Unsafe code. Its argument: generated code touches the memory and the tangent buffer only up to the
//! extent that [`MachineCode::call`] checks, the spill area only up to the size that it provides, and arrays of compiled functions
//! only behind bounds checks. Objects come from the code generator of this version; an object from a file is checked to be one.
//! Functions of shared libraries that the user names get what their declarations in the model say; that they are what is declared
//! is the user's word.
#![expect(unsafe_code, reason = "calls generated code and is called by it")]

use super::direct::{DirectKernel, SegmentFn};
use super::extent::{Extent, KernelFailure};
use super::kernels::Kernels;
use super::object::{
    FunctionWords, Helper, KernelEntry, NativeName, Object, ObjectParts, Processor, Symbol, endless_message, failure_message,
    subscript_message,
};
use crate::base::math::{Op1, Op2};
use crate::base::text::TextPiece;
use crate::model::plan::KernelId;
use crate::native::external::SharedLibraries;
use crate::native::{CaughtPanic, Environment, Native};
use cranelift_entity::PrimaryMap;
use memmap2::{Mmap, MmapMut};
use std::any::Any;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;

/// A compiled function.
type RoutineFn = unsafe extern "C" fn(args: *const f64, outs: *mut f64, environment: *mut Environment) -> i32;

/// Calls a native function for generated code. 0: all went well.
///
/// # Safety
/// `native` is a `Native`, both arrays have the given lengths, and nothing else refers to the environment meanwhile.
unsafe extern "C" fn call_native(
    native: *const u8,
    args: *const f64,
    n_args: usize,
    outs: *mut f64,
    n_outs: usize,
    environment: *mut Environment,
) -> i32 {
    // SAFETY: generated code passes the address of a `Native` that `MachineCode` owns, stack buffers of these lengths, and the
    // environment pointer that `MachineCode::call` made from an exclusive borrow.
    let (native, args, outs, environment) = unsafe {
        (
            &*native.cast::<Native>(),
            std::slice::from_raw_parts(args, n_args),
            std::slice::from_raw_parts_mut(outs, n_outs),
            &mut *environment,
        )
    };
    // A panic must not meet frames of generated code: it passes them as a failure and goes on where the kernel was called.
    match std::panic::catch_unwind(AssertUnwindSafe(|| native.call(environment, args, outs))) {
        Ok(done) => i32::from(!done),
        Err(panic) => {
            environment.panic = Some(CaughtPanic::new(panic));
            1
        }
    }
}

/// Calls a compiled function for generated code, unless its results for these arguments are known. 0: all went well.
///
/// # Safety
/// `routine` is a `RoutineFn`; otherwise as for `call_native`.
unsafe extern "C" fn call_memoised(
    routine: *const u8,
    args: *const f64,
    n_args: usize,
    outs: *mut f64,
    n_outs: usize,
    environment: *mut Environment,
) -> i32 {
    // SAFETY: generated code passes the address of a compiled function with this signature, stack buffers of these lengths, and the
    // environment pointer that `MachineCode::call` made from an exclusive borrow. The table is taken out of the environment
    // during the call, which has no other reference to it then.
    unsafe {
        let function = std::mem::transmute::<*const u8, RoutineFn>(routine);
        let (args, outs) = (std::slice::from_raw_parts(args, n_args), std::slice::from_raw_parts_mut(outs, n_outs));
        let mut memo = std::mem::take(&mut (*environment).memo);
        let status = memo.call(routine as usize, args, outs, |outs| function(args.as_ptr(), outs.as_mut_ptr(), environment));
        (*environment).memo = memo;
        status
    }
}

/// The words of the function that reports a failure.
///
/// # Safety
/// `functions` is the list of the object that the code belongs to.
unsafe fn words<'a>(functions: *const Vec<FunctionWords>, function: u32) -> Option<&'a FunctionWords> {
    // SAFETY: generated code passes the address of the list that `MachineCode` owns as long as its code exists.
    unsafe { &*functions }.get(function as usize)
}

/// Puts the message of a failure into the environment.
///
/// # Safety
/// As for `call_native`; `values` holds as many doubles as the message has values.
unsafe extern "C" fn fail(
    environment: *mut Environment,
    functions: *const Vec<FunctionWords>,
    function: u32,
    message: u32,
    values: *const f64,
) -> i32 {
    // SAFETY: as for `words` and `call_native`; the code generator made sure that the message's values are as many as stored.
    unsafe {
        if let Some(words) = words(functions, function)
            && let Some(pieces) = words.messages.get(message as usize)
        {
            (*environment).failure_span = words.place;
            (*environment).failure =
                Some(failure_message(&words.name, pieces, std::slice::from_raw_parts(values, TextPiece::n_values(pieces))));
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
    functions: *const Vec<FunctionWords>,
    function: u32,
    array: u32,
    dimension: u32,
    index: f64,
) -> i32 {
    // SAFETY: as for `words` and `call_native`.
    unsafe {
        if let Some(words) = words(functions, function)
            && let Some((array, dims)) = words.arrays.get(array as usize)
        {
            (*environment).failure_span = words.place;
            (*environment).failure = Some(subscript_message(&words.name, array, dims, dimension as usize, index));
        }
    }
    1
}

/// Puts the message of a loop without end into the environment.
///
/// # Safety
/// As for `fail`.
unsafe extern "C" fn fail_loop(environment: *mut Environment, functions: *const Vec<FunctionWords>, function: u32) -> i32 {
    // SAFETY: as for `words` and `call_native`.
    unsafe {
        if let Some(words) = words(functions, function) {
            (*environment).failure_span = words.place;
            (*environment).failure = Some(endless_message(&words.name));
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

fn helper_address(helper: Helper) -> *const u8 {
    match helper {
        Helper::CallNative => call_native as *const u8,
        Helper::CallMemoised => call_memoised as *const u8,
        Helper::Fail => fail as *const u8,
        Helper::FailIndex => fail_index as *const u8,
        Helper::FailLoop => fail_loop as *const u8,
        Helper::Fill => fill as *const u8,
        Helper::Allocate => allocate as *const u8,
        Helper::Release => release as *const u8,
    }
}

/// The addresses, under C's convention, of the functions that compute operations.
macro_rules! addresses {
    ($name:ident, $op:ident, $operands:tt, $($variant:ident)*) => {
        fn $name(op: $op) -> *const u8 {
            match op {
                $($op::$variant => addresses!(@function $op $variant $operands),)*
            }
        }
    };
    (@function $op:ident $variant:ident ($($operand:ident)*)) => {{
        extern "C" fn compute($($operand: f64),*) -> f64 {
            $op::$variant.eval($($operand),*)
        }
        compute as *const u8
    }};
}

addresses!(op1_address, Op1, (a), Neg Not Abs Sign Sqrt Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Exp Log Log10 Floor Ceil Trunc);
addresses!(op2_address, Op2, (a b), Add Sub Mul Div Pow Atan2 Min Max Lt Le Gt Ge Eq Ne And Or);

/// Why machine code cannot be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// It was made for another kind of machine.
    OtherMachine {
        /// What it was made for.
        made_for: String,
    },
    /// The processor lacks instructions.
    OldProcessor,
    /// It calls a native function that this version does not have.
    UnknownFunction(String),
    /// A shared library with external functions is not there, or is another one.
    Library(String),
    /// It is not what the code generator makes.
    Damaged(&'static str),
    /// There is no memory for it.
    Memory(std::io::Error),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::OtherMachine { made_for } => {
                write!(f, "the machine code is for {made_for}, but this machine is {}", std::env::consts::ARCH)
            }
            LoadError::OldProcessor => write!(f, "the machine code needs SSE 4.2, which this processor does not have"),
            LoadError::UnknownFunction(name) => write!(f, "the machine code calls {name}, which is not known here"),
            LoadError::Library(reason) => write!(f, "{reason}"),
            LoadError::Damaged(what) => write!(f, "the machine code is damaged: {what}"),
            LoadError::Memory(error) => write!(f, "no memory for machine code: {error}"),
        }
    }
}

impl std::error::Error for LoadError {}

struct LoadedKernel {
    segments: Vec<SegmentFn>,
    extent: Extent,
    n_spills: usize,
}

/// A kernel whose code is in its place.
pub struct KernelAddresses {
    /// Its segments, which run one after the other.
    pub segments: Vec<*const u8>,
    /// How much of the arrays it touches.
    pub extent: Extent,
    /// The size of the area that its segments hand values over in.
    pub n_spills: usize,
}

/// What machine code refers to by addresses, in one place as long as the code exists.
pub struct Referents {
    #[expect(clippy::box_collection, reason = "machine code knows the address of the vector, which must not move")]
    functions: Box<Vec<FunctionWords>>,
    natives: Box<[Native]>,
}

impl Referents {
    /// The words of the compiled functions, and the native functions in their order.
    pub fn new(functions: Vec<FunctionWords>, natives: Vec<Native>) -> Referents {
        Referents { functions: Box::new(functions), natives: natives.into_boxed_slice() }
    }

    /// The address of something outside of the code; nothing for places in the code and functions without a name.
    pub fn address(&self, symbol: Symbol) -> Option<*const u8> {
        match symbol {
            Symbol::Code(_) => None,
            Symbol::Op1(op) => Some(op1_address(op)),
            Symbol::Op2(op) => Some(op2_address(op)),
            Symbol::Helper(helper) => Some(helper_address(helper)),
            Symbol::Native(position) => self.natives.get(position as usize).map(|native| (&raw const *native).cast()),
            Symbol::Functions => Some((&raw const *self.functions).cast()),
        }
    }
}

/// Machine code of a set of kernels, ready to run.
pub struct MachineCode {
    kernels: PrimaryMap<KernelId, LoadedKernel>,
    n_bytes: usize,
    /// Keeps the code and what it refers to.
    keeper: Arc<dyn Any + Send + Sync>,
}

/// The code of an object and what it refers to.
struct LoadedCode {
    _code: Mmap,
    _referents: Referents,
}

#[cfg(target_arch = "x86_64")]
fn has_instructions(processor: Processor) -> bool {
    // Code for this machine was made from what this machine has.
    processor == Processor::This || std::arch::is_x86_feature_detected!("sse4.2")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_instructions(_: Processor) -> bool {
    true
}

impl Object {
    /// Seals what the code generator made. Refuses addresses and segments outside the code and functions without a name.
    ///
    /// # Safety
    /// The bytes are what the code generator of this version made for these kernels: code for the processor that is named, which touches no
    /// more than the extents say and calls what the addresses name as that is to be called.
    pub unsafe fn of_generator(parts: ObjectParts) -> Result<Object, &'static str> {
        let n_bytes = parts.bytes.len() as u64;
        for relocation in &parts.relocations {
            if relocation.offset.checked_add(8).is_none_or(|end| end > n_bytes) {
                return Err("an address has no place");
            }
            match relocation.symbol {
                Symbol::Code(offset) if offset >= n_bytes => return Err("an address lies outside"),
                Symbol::Native(position) if position as usize >= parts.natives.len() => return Err("a native function has no name"),
                _ => {}
            }
        }
        if parts.kernels.values().flat_map(|kernel| &kernel.segments).any(|segment| *segment >= n_bytes) {
            return Err("a segment lies outside");
        }
        Ok(Object(parts))
    }
}

impl MachineCode {
    /// Loads an object, finding native functions by their names, and shared libraries where they were or where the user says.
    pub fn load(object: &Object, external: &[PathBuf]) -> Result<MachineCode, LoadError> {
        let parts = object.parts();
        let libraries = SharedLibraries::of_simulator(&parts.shared_libraries, external).map_err(LoadError::Library)?;
        let find = |name: &NativeName| match name {
            NativeName::Builtin(name) => {
                crate::native::lookup(name).map(Native::Builtin).ok_or_else(|| LoadError::UnknownFunction(name.clone()))
            }
            NativeName::External(signature) => {
                libraries.function(signature).map(|found| Native::External(Arc::new(found))).ok_or_else(|| {
                    LoadError::Library(format!(
                        "the external function {} is in none of the libraries {}",
                        signature.symbol,
                        libraries.paths().join(", ")
                    ))
                })
            }
        };
        let natives = parts.natives.iter().map(find).collect::<Result<Vec<Native>, LoadError>>()?;
        MachineCode::load_with(object, natives)
    }

    /// Loads an object whose native functions are given in their order.
    pub fn load_with(object: &Object, natives: Vec<Native>) -> Result<MachineCode, LoadError> {
        let object = object.parts();
        if object.architecture != std::env::consts::ARCH {
            return Err(LoadError::OtherMachine { made_for: object.architecture.clone() });
        }
        if !has_instructions(object.processor) {
            return Err(LoadError::OldProcessor);
        }
        let n_bytes = object.bytes.len();
        let mut memory = MmapMut::map_anon(n_bytes.max(1)).map_err(LoadError::Memory)?;
        memory[..n_bytes].copy_from_slice(&object.bytes);
        let referents = Referents::new(object.functions.clone(), natives);
        let base = memory.as_ptr() as u64;
        let code_address =
            |offset: u64| if offset < n_bytes as u64 { Ok(base + offset) } else { Err(LoadError::Damaged("an address lies outside")) };
        for relocation in &object.relocations {
            let address = match relocation.symbol {
                Symbol::Code(offset) => code_address(offset)?,
                outside => referents.address(outside).ok_or(LoadError::Damaged("a native function has no name"))? as u64,
            };
            let value = address.wrapping_add_signed(relocation.addend);
            let at = usize::try_from(relocation.offset).unwrap_or(usize::MAX);
            let place = memory[..n_bytes].get_mut(at..at.saturating_add(8)).ok_or(LoadError::Damaged("an address has no place"))?;
            place.copy_from_slice(&value.to_le_bytes());
        }
        let code = memory.make_exec().map_err(LoadError::Memory)?;
        make_visible(&code)?;
        let placed = |kernel: &KernelEntry| {
            let segments =
                kernel.segments.iter().map(|offset| Ok(code_address(*offset)? as *const u8)).collect::<Result<_, LoadError>>()?;
            Ok(KernelAddresses { segments, extent: kernel.extent, n_spills: kernel.n_spills })
        };
        let kernels = object.kernels.values().map(placed).collect::<Result<Vec<_>, LoadError>>()?;
        let keeper = Arc::new(LoadedCode { _code: code, _referents: referents });
        // SAFETY: functions with the signature of `SegmentFn` were generated for these offsets, and the keeper keeps them.
        Ok(unsafe { MachineCode::of_addresses(kernels, n_bytes, keeper) })
    }

    /// Takes over code of so many bytes that is in its place.
    ///
    /// # Safety
    /// Every address is that of a function that was generated as a segment of a kernel and touches no more than its extent and spill area
    /// say; `keeper` keeps the code and what it refers to.
    pub unsafe fn of_addresses(kernels: Vec<KernelAddresses>, n_bytes: usize, keeper: Arc<dyn Any + Send + Sync>) -> MachineCode {
        let loaded = |kernel: KernelAddresses| {
            // SAFETY: the caller's word.
            let segment = |address: *const u8| unsafe { std::mem::transmute::<*const u8, SegmentFn>(address) };
            let segments = kernel.segments.into_iter().map(segment).collect();
            LoadedKernel { segments, extent: kernel.extent, n_spills: kernel.n_spills }
        };
        MachineCode { kernels: kernels.into_iter().map(loaded).collect(), n_bytes, keeper }
    }

    /// Where the segments of a kernel lie.
    pub fn addresses(&self, kernel: KernelId) -> impl Iterator<Item = *const u8> {
        self.kernels[kernel].segments.iter().map(|segment| *segment as *const u8)
    }

    /// The size of the machine code in bytes.
    pub fn n_bytes(&self) -> usize {
        self.n_bytes
    }
}

/// Makes sure that the processor sees new code as such.
#[cfg(target_arch = "x86_64")]
fn make_visible(_: &Mmap) -> Result<(), LoadError> {
    Ok(())
}

#[cfg(not(target_arch = "x86_64"))]
fn make_visible(code: &Mmap) -> Result<(), LoadError> {
    // SAFETY: the range is that of the mapping.
    unsafe { wasmtime_internal_jit_icache_coherence::clear_cache(code.as_ptr().cast(), code.len()) }
        .map_err(|error| LoadError::Memory(std::io::Error::other(format!("{error:?}"))))?;
    wasmtime_internal_jit_icache_coherence::pipeline_flush_mt()
        .map_err(|error| LoadError::Memory(std::io::Error::other(format!("{error:?}"))))
}

impl fmt::Debug for MachineCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MachineCode").field("kernels", &self.kernels.len()).field("bytes", &self.n_bytes()).finish()
    }
}

impl LoadedKernel {
    /// Runs the code on arrays that its extent fits into.
    #[inline]
    fn run(&self, memory: &mut [f64], out: &mut [f64], environment: &mut Environment, spill: &mut [f64]) -> Result<(), KernelFailure> {
        let (memory, out, spill) = (memory.as_mut_ptr(), out.as_mut_ptr(), spill.as_mut_ptr());
        for segment in &self.segments {
            // SAFETY: the arrays are exclusively borrowed and as long as the code's extent and spill area demand; the
            // environment is exclusively borrowed, and the pointer is used only during the call.
            if unsafe { segment(memory, out, environment, spill) } != 0 {
                return Err(KernelFailure::of(environment));
            }
        }
        Ok(())
    }

    /// Runs code that needs a spill area.
    #[inline(never)]
    fn run_spilling(&self, memory: &mut [f64], out: &mut [f64], environment: &mut Environment) -> Result<(), KernelFailure> {
        let mut spill = std::mem::take(&mut environment.scratch);
        if spill.len() < self.n_spills {
            spill.resize(self.n_spills, 0.0);
        }
        let done = self.run(memory, out, environment, &mut spill);
        environment.scratch = spill;
        done
    }
}

impl Kernels for MachineCode {
    // Short kernels take some nanoseconds; so whatever is not done at every call is kept out of this function.
    fn call(&self, kernel: KernelId, memory: &mut [f64], out: &mut [f64], environment: &mut Environment) -> Result<(), KernelFailure> {
        let Some(code) = self.kernels.get(kernel) else { return missing(kernel, environment) };
        code.extent.check(kernel, memory, out, environment)?;
        if code.n_spills > 0 { code.run_spilling(memory, out, environment) } else { code.run(memory, out, environment, &mut []) }
    }

    fn entry(&self, kernel: KernelId) -> Option<DirectKernel> {
        match self.kernels.get(kernel)? {
            LoadedKernel { segments, extent: Extent { n_slots, n_out: 0 }, n_spills: 0 } if segments.len() == 1 => {
                // SAFETY: this code belongs to the segment, whose extent says that it touches so many slots and nothing else.
                Some(unsafe { DirectKernel::new(segments[0], *n_slots, self.keeper.clone()) })
            }
            _ => None,
        }
    }
}

#[cold]
fn missing(kernel: KernelId, environment: &mut Environment) -> Result<(), KernelFailure> {
    environment.failure = Some(format!("there is no kernel {kernel}"));
    Err(KernelFailure)
}
