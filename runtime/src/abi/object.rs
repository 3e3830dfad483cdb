//! Machine code as data: position-independent until it is loaded, so that it can be kept in a file.
//!
//! An [`Object`] is one block of bytes, the places in it that need addresses, and where each kernel begins. Addresses are named,
//! not known: functions of the code itself by their offset, everything else by what it does. `machine_code` loads it.
#![forbid(unsafe_code)]

use super::extent::Extent;
use crate::base::math::{Op1, Op2};
use crate::base::text::{TextPiece, text_of};
use crate::model::plan::KernelId;
use crate::native::external::Signature;
use cranelift_entity::PrimaryMap;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;

/// How many times loops may go round in one call of a function.
pub const MAX_TICKS: u64 = 10_000_000;

/// Functions of the runtime that machine code calls besides the elementary ones.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Helper {
    /// Calls a native function: its address, arguments, their number, outputs, their number, environment.
    CallNative,
    /// Calls a compiled function without effects unless its results for these arguments are known: as `CallNative`.
    CallMemoised,
    /// A failure with a message: environment, functions, number of the function, number of the message, values.
    Fail,
    /// A subscript out of range: environment, functions, function, array, dimension, the subscript.
    FailIndex,
    /// A loop without end: environment, functions, function.
    FailLoop,
    /// Fills cells with NaN: where, how many.
    Fill,
    /// Gives memory: how many cells; returns where.
    Allocate,
    /// Takes memory back: where, how many cells.
    Release,
}

impl Helper {
    /// All helpers.
    pub const ALL: [Helper; 8] = [
        Helper::CallNative,
        Helper::CallMemoised,
        Helper::Fail,
        Helper::FailIndex,
        Helper::FailLoop,
        Helper::Fill,
        Helper::Allocate,
        Helper::Release,
    ];
}

/// Something that has an address once the code is loaded.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Symbol {
    /// This offset of the code.
    Code(u64),
    /// An elementary function.
    Op1(Op1),
    /// An elementary function of two operands.
    Op2(Op2),
    /// A helper.
    Helper(Helper),
    /// A native function: its position among [`ObjectParts::natives`].
    Native(u32),
    /// The list [`ObjectParts::functions`], for messages.
    Functions,
}

/// Eight bytes of the code that receive an address.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relocation {
    /// Where in the code.
    pub offset: u64,
    /// Whose address.
    pub symbol: Symbol,
    /// What is added to it.
    pub addend: i64,
}

/// A kernel of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelEntry {
    /// Offsets of its segments, which run one after the other.
    pub segments: Vec<u64>,
    /// How much of the arrays it touches.
    pub extent: Extent,
    /// The size of the area that its segments hand values over in.
    pub n_spills: usize,
}

/// What failures of a compiled function need to know; empty for native functions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionWords {
    /// Its name.
    pub name: String,
    /// Where it stands in the source, if known.
    pub place: Option<(u32, u32)>,
    /// Messages of its failures.
    pub messages: Vec<Vec<TextPiece>>,
    /// Names and sizes of its arrays.
    pub arrays: Vec<(String, Vec<u32>)>,
}

/// Instructions of the processor beyond the common ones.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Processor {
    /// Whatever the machine that made the code has.
    This,
    /// What processors of this kind made since 2009 have (on x86-64: up to SSE 4.2).
    Common,
}

/// How machine code names a native function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NativeName {
    /// One of the runtime.
    Builtin(String),
    /// One of [`ObjectParts::shared_libraries`].
    External(Signature),
}

/// Machine code that is not in its place yet, sealed: what lies in it was made by the code generator of this version, directly or on its
/// way through a simulator, and its addresses were checked. Loading it makes it executable, so [`Object::of_generator`] is the only way to make one, and asks for the caller's word.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Object(pub(super) ObjectParts);

impl Object {
    /// The size of the code in bytes.
    pub fn n_bytes(&self) -> usize {
        self.0.bytes.len()
    }

    /// What it consists of.
    pub(crate) fn parts(&self) -> &ObjectParts {
        &self.0
    }
}

/// What machine code consists of before it is sealed as an [`Object`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObjectParts {
    /// The kind of machine it was made for, as Rust names it: `x86_64`.
    pub architecture: String,
    /// The instructions it may use.
    pub processor: Processor,
    /// The code.
    pub bytes: Vec<u8>,
    /// Where addresses have to be put in.
    pub relocations: Vec<Relocation>,
    /// The kernels.
    pub kernels: PrimaryMap<KernelId, KernelEntry>,
    /// Compiled functions by their number.
    pub functions: Vec<FunctionWords>,
    /// The native functions it calls.
    pub natives: Vec<NativeName>,
    /// Where the shared libraries lay that external functions came from.
    pub shared_libraries: Vec<OsString>,
}

/// The message of a failure.
pub fn failure_message(function: &str, pieces: &[TextPiece], values: &[f64]) -> String {
    format!("{} (in function {function})", text_of(pieces, values))
}

/// The message of a subscript out of range; `dimension` counts from 0.
pub fn subscript_message(function: &str, array: &str, dims: &[u32], dimension: usize, index: f64) -> String {
    let size = dims.get(dimension).copied().unwrap_or(0);
    format!("subscript {} of {array} is {index}, which is not in 1..{size} (in function {function})", dimension + 1)
}

/// The message of a loop that does not end.
pub fn endless_message(function: &str) -> String {
    format!("loops ran more than {MAX_TICKS} iterations (in function {function})")
}
