//! A called function as a list of operations with jumps: what the interpreter runs and machine code is made from.
//!
//! Scalars live in registers, arrays in memory: inputs are read where the caller put them, outputs are written where the
//! caller wants them, all else is local. Everything begins as NaN, so that a value that was never assigned shows.
//! Array accesses are checked; a failure ends the call with a message and is recoverable. Loops that run away are failures.

use crate::base::ids::FnId;
use crate::equations::expr::rules::Arithmetic;
use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use partita_runtime::abi::object;
use partita_runtime::base::math::{Op1, Op2};
use std::fmt;

pub use object::MAX_TICKS;
pub use partita_runtime::base::text::TextPiece;

/// What a caller has to know of a function.
pub struct Signature<'a> {
    /// Its name, for messages.
    pub name: &'a str,
    /// The number of scalar inputs.
    pub n_inputs: usize,
    /// The number of scalar outputs.
    pub n_outputs: usize,
}

/// The signatures of the functions that are known.
pub type Signatures<'a> = dyn Fn(FnId) -> Option<Signature<'a>> + 'a;

/// Why a function cannot be taken into the table, or cannot be differentiated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionError {
    /// The function's name.
    pub function: String,
    /// What is wrong.
    pub reason: String,
}

impl FunctionError {
    pub(crate) fn new(function: &str, reason: impl Into<String>) -> FunctionError {
        FunctionError { function: function.to_string(), reason: reason.into() }
    }
}

impl fmt::Display for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "function {}: {}", self.function, self.reason)
    }
}

impl std::error::Error for FunctionError {}

/// A scalar of a routine.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reg(u32);
entity_impl!(Reg, "r");

/// An array of a routine.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayId(u32);
entity_impl!(ArrayId, "a");

/// A place to jump to.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(u32);
entity_impl!(Label, "L");

/// A message of a failure.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageId(u32);
entity_impl!(MessageId, "m");

/// Where an array lies.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Space {
    /// Among the arguments; read only.
    Input,
    /// Among the outputs.
    Output,
    /// In the routine's own memory.
    Local,
}

/// An array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// Its name, for messages.
    pub name: String,
    /// Its sizes; elements lie row by row.
    pub dims: Vec<u32>,
    /// Where it lies.
    pub space: Space,
    /// Its first cell in its space.
    pub offset: u32,
}

impl Array {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.dims.iter().fold(1, |len: usize, size| len.saturating_mul(*size as usize))
    }

    /// Has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A subscript.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Index {
    /// Known, from 0, in range.
    Known(u32),
    /// In a register, from 1, to be checked.
    Computed(Reg),
}

/// An element of an array, one subscript per dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayElement {
    /// The array.
    pub array: ArrayId,
    /// The subscripts.
    pub subscripts: Vec<Index>,
}

/// One operation. A register that is written is never also read by the same operation.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// A number.
    Const(Reg, f64),
    /// The first register gets the value of the second.
    Copy(Reg, Reg),
    /// `r := op(a)`.
    Unary(Op1, Reg, Reg),
    /// `r := op(a, b)`.
    Binary(Op2, Reg, Reg, Reg),
    /// `r := if c then a else b`.
    Select(Reg, Reg, Reg, Reg),
    /// The value of a scalar input.
    Input(Reg, u32),
    /// Writes a scalar output.
    Output(u32, Reg),
    /// Reads an element.
    Read(Reg, ArrayElement),
    /// Writes an element.
    Write(ArrayElement, Reg),
    /// Calls a function: arguments, and a register per output.
    Call(FnId, Vec<Reg>, Vec<Reg>),
    /// The place of a label.
    Bind(Label),
    /// Goes on at a label.
    Jump(Label),
    /// Goes on at the label when the register is 0.0.
    JumpIfNot(Reg, Label),
    /// Counts one round of a loop; fails after `MAX_TICKS`.
    Tick,
    /// Ends the call with a failure.
    Fail(MessageId, Vec<Reg>),
    /// Ends the call.
    Return,
}

/// A called function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Routine {
    /// Its name.
    pub name: String,
    /// The number of scalar inputs.
    pub n_inputs: u32,
    /// The number of scalar outputs.
    pub n_outputs: u32,
    /// The number of registers.
    pub n_regs: u32,
    /// The number of local cells.
    pub n_cells: u32,
    /// Arrays.
    pub arrays: PrimaryMap<ArrayId, Array>,
    /// The position of each label's `Bind`.
    pub labels: PrimaryMap<Label, u32>,
    /// Messages of failures.
    pub messages: PrimaryMap<MessageId, Vec<TextPiece>>,
    /// Operations.
    pub ops: Vec<Op>,
    /// Byte range of the function in the source, for messages.
    pub place: Option<(u32, u32)>,
}

/// What an operation does with its registers.
pub(crate) enum Use {
    Read(Reg),
    Write(Reg),
}

impl Op {
    /// Calls `see` with every register.
    pub(crate) fn for_each_reg(&self, mut see: impl FnMut(Use)) {
        match self {
            Op::Const(r, _) | Op::Input(r, _) => see(Use::Write(*r)),
            Op::Copy(r, a) | Op::Unary(_, r, a) => {
                see(Use::Read(*a));
                see(Use::Write(*r));
            }
            Op::Binary(_, r, a, b) => {
                see(Use::Read(*a));
                see(Use::Read(*b));
                see(Use::Write(*r));
            }
            Op::Select(r, c, a, b) => {
                [c, a, b].into_iter().for_each(|reg| see(Use::Read(*reg)));
                see(Use::Write(*r));
            }
            Op::Output(_, a) | Op::JumpIfNot(a, _) => see(Use::Read(*a)),
            Op::Read(r, place) => {
                place.for_each_reg(|reg| see(Use::Read(reg)));
                see(Use::Write(*r));
            }
            Op::Write(place, a) => {
                place.for_each_reg(|reg| see(Use::Read(reg)));
                see(Use::Read(*a));
            }
            Op::Call(_, args, outs) => {
                args.iter().for_each(|reg| see(Use::Read(*reg)));
                outs.iter().for_each(|reg| see(Use::Write(*reg)));
            }
            Op::Fail(_, values) => values.iter().for_each(|reg| see(Use::Read(*reg))),
            Op::Bind(_) | Op::Jump(_) | Op::Tick | Op::Return => {}
        }
    }
}

impl ArrayElement {
    fn for_each_reg(&self, mut see: impl FnMut(Reg)) {
        for index in &self.subscripts {
            if let Index::Computed(reg) = index {
                see(*reg);
            }
        }
    }
}

impl Routine {
    /// The text of a failure's message with its values.
    pub(crate) fn message(&self, message: MessageId, values: &[f64]) -> String {
        object::failure_message(&self.name, &self.messages[message], values)
    }

    /// The message of a subscript out of range; `dimension` counts from 0.
    pub(crate) fn index_message(&self, array: ArrayId, dimension: usize, index: f64) -> String {
        let Array { name, dims, .. } = &self.arrays[array];
        object::subscript_message(&self.name, name, dims, dimension, index)
    }

    /// The message of a loop that does not end.
    pub(crate) fn tick_message(&self) -> String {
        object::endless_message(&self.name)
    }

    /// What machine code needs to know of the routine when it fails.
    pub(crate) fn words(&self) -> object::FunctionWords {
        object::FunctionWords {
            place: self.place,
            name: self.name.clone(),
            messages: self.messages.values().cloned().collect(),
            arrays: self.arrays.values().map(|array| (array.name.clone(), array.dims.clone())).collect(),
        }
    }

    /// Checks the routine as number `own` of a table: registers, labels, arrays and messages exist, arrays lie inside their
    /// spaces, callees come before it and get as many arguments as they have inputs, and every loop counts its iterations.
    pub fn verify(&self, own: FnId, signature: &Signatures<'_>) -> Result<(), FunctionError> {
        let fail = |reason: String| Err(FunctionError { function: self.name.clone(), reason });
        for (id, array) in self.arrays.iter() {
            let n_cells = match array.space {
                Space::Input => self.n_inputs,
                Space::Output => self.n_outputs,
                Space::Local => self.n_cells,
            };
            let len = array.dims.iter().try_fold(1_u64, |len, size| len.checked_mul(u64::from(*size)));
            if len.is_none_or(|len| len + u64::from(array.offset) > u64::from(n_cells)) {
                return fail(format!("array {id} ({}) does not lie inside its space", array.name));
            }
        }
        for (label, position) in self.labels.iter() {
            if self.ops.get(*position as usize) != Some(&Op::Bind(label)) {
                return fail(format!("label {label} is not bound"));
            }
        }
        if !matches!(self.ops.last(), Some(Op::Return | Op::Jump(_) | Op::Fail(..))) {
            return fail("the last operation goes on".to_string());
        }
        for (at, op) in self.ops.iter().enumerate() {
            if let Op::Jump(label) | Op::JumpIfNot(_, label) = op
                && let Some(head) = self.labels.get(*label).map(|head| *head as usize)
                && head <= at
                && self.ops.get(head + 1) != Some(&Op::Tick)
            {
                return fail(format!("operation {at}: the way back to {label} does not count its iterations"));
            }
            self.verify_op(op, own, signature).or_else(|reason| fail(format!("operation {at}: {reason}")))?;
        }
        Ok(())
    }

    fn verify_op(&self, op: &Op, own: FnId, signature: &Signatures<'_>) -> Result<(), String> {
        let mut read = Vec::new();
        let mut wrong = None;
        op.for_each_reg(|usage| {
            let reg = match usage {
                Use::Read(reg) => {
                    read.push(reg);
                    reg
                }
                Use::Write(reg) => {
                    if read.contains(&reg) {
                        wrong = Some(format!("{reg} is read and written"));
                    }
                    reg
                }
            };
            if reg.index() >= self.n_regs as usize {
                wrong = Some(format!("there is no register {reg}"));
            }
        });
        if let Some(reason) = wrong {
            return Err(reason);
        }
        let known = |label: &Label| self.labels.is_valid(*label).then_some(()).ok_or_else(|| format!("there is no label {label}"));
        match op {
            Op::Input(_, cell) if *cell >= self.n_inputs => Err(format!("there is no input {cell}")),
            Op::Output(cell, _) if *cell >= self.n_outputs => Err(format!("there is no output {cell}")),
            Op::Read(_, place) | Op::Write(place, _) => {
                let Some(array) = self.arrays.get(place.array) else { return Err(format!("there is no array {}", place.array)) };
                if matches!(op, Op::Write(..)) && array.space == Space::Input {
                    return Err(format!("input {} is written", array.name));
                }
                if array.dims.len() != place.subscripts.len() {
                    return Err(format!("{} has {} dimensions", array.name, array.dims.len()));
                }
                let outside = |(index, size): (&Index, &u32)| matches!(index, Index::Known(i) if i >= size);
                match place.subscripts.iter().zip(&array.dims).any(outside) {
                    true => Err(format!("a subscript of {} is out of range", array.name)),
                    false => Ok(()),
                }
            }
            Op::Call(function, args, outs) => {
                let Some(callee) = signature(*function).filter(|_| *function < own) else {
                    return Err(format!("{function} is not a function before this one"));
                };
                if callee.n_inputs != args.len() || callee.n_outputs != outs.len() {
                    return Err(format!("{} has {} inputs and {} outputs", callee.name, callee.n_inputs, callee.n_outputs));
                }
                Ok(())
            }
            Op::Bind(label) | Op::Jump(label) | Op::JumpIfNot(_, label) => known(label),
            Op::Fail(message, values) => match self.messages.get(*message) {
                None => Err(format!("there is no message {message}")),
                Some(pieces) if TextPiece::n_values(pieces) != values.len() => Err(format!("{message} has other values")),
                Some(_) => Ok(()),
            },
            _ => Ok(()),
        }
    }
}

/// Writes a routine operation by operation.
pub(super) struct RoutineBuilder {
    pub(super) routine: Routine,
}

impl RoutineBuilder {
    pub(super) fn new(name: &str, n_inputs: usize, n_outputs: usize) -> RoutineBuilder {
        let routine = Routine { name: name.to_string(), n_inputs: n_inputs as u32, n_outputs: n_outputs as u32, ..Routine::default() };
        RoutineBuilder { routine }
    }

    /// A new register.
    pub(super) fn reg(&mut self) -> Reg {
        self.routine.n_regs += 1;
        Reg::new(self.routine.n_regs as usize - 1)
    }

    pub(super) fn push(&mut self, op: Op) {
        self.routine.ops.push(op);
    }

    /// A label that is not bound yet.
    pub(super) fn label(&mut self) -> Label {
        self.routine.labels.push(u32::MAX)
    }

    /// Places a label here.
    pub(super) fn bind(&mut self, label: Label) {
        self.routine.labels[label] = self.routine.ops.len() as u32;
        self.push(Op::Bind(label));
    }

    /// A new local array.
    pub(super) fn local(&mut self, name: &str, dims: &[u32]) -> ArrayId {
        let offset = self.routine.n_cells;
        let array = Array { name: name.to_string(), dims: dims.to_vec(), space: Space::Local, offset };
        // `verify` finds arrays beyond any sensible size.
        self.routine.n_cells = offset.saturating_add(u32::try_from(array.len()).unwrap_or(u32::MAX));
        self.routine.arrays.push(array)
    }

    pub(super) fn input(&mut self, cell: usize) -> Reg {
        let reg = self.reg();
        self.push(Op::Input(reg, cell as u32));
        reg
    }

    pub(super) fn message(&mut self, pieces: Vec<TextPiece>) -> MessageId {
        self.routine.messages.push(pieces)
    }
}

impl Arithmetic for RoutineBuilder {
    type Value = Reg;

    fn constant(&mut self, value: f64) -> Reg {
        let reg = self.reg();
        self.push(Op::Const(reg, value));
        reg
    }

    fn unary(&mut self, op: Op1, a: Reg) -> Reg {
        let reg = self.reg();
        self.push(Op::Unary(op, reg, a));
        reg
    }

    fn binary(&mut self, op: Op2, a: Reg, b: Reg) -> Reg {
        let reg = self.reg();
        self.push(Op::Binary(op, reg, a, b));
        reg
    }

    fn select(&mut self, c: Reg, a: Reg, b: Reg) -> Reg {
        let reg = self.reg();
        self.push(Op::Select(reg, c, a, b));
        reg
    }
}
