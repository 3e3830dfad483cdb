//! A called function as a list of operations with jumps: what the interpreter runs and machine code is made from.
//!
//! Scalars live in registers, arrays in memory: inputs are read where the caller put them, outputs are written where the
//! caller wants them, all else is local. Everything begins as NaN, so that a value that was never assigned shows.
//! Array accesses are checked; a failure ends the call with a message and is recoverable. Loops that run away are failures.

use super::function::{FnTable, FunctionError};
use crate::base::ids::FnId;
use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use partita_runtime::abi::Environment;
use partita_runtime::abi::object;
use partita_runtime::base::math::{Op1, Op2};
use std::fmt::Write;

pub use object::MAX_TICKS;
pub use partita_runtime::base::text::TextPiece;

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
pub struct Place {
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
    Read(Reg, Place),
    /// Writes an element.
    Write(Place, Reg),
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

impl Place {
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
    /// spaces, callees come before it and get as many arguments as they have inputs, and every loop counts its rounds.
    pub fn verify(&self, own: FnId, functions: &FnTable) -> Result<(), FunctionError> {
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
                return fail(format!("operation {at}: the way back to {label} does not count its rounds"));
            }
            self.verify_op(op, own, functions).or_else(|reason| fail(format!("operation {at}: {reason}")))?;
        }
        Ok(())
    }

    fn verify_op(&self, op: &Op, own: FnId, functions: &FnTable) -> Result<(), String> {
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
                let Some(def) = functions.get(*function).filter(|_| *function < own) else {
                    return Err(format!("{function} is not a function before this one"));
                };
                if def.n_inputs != args.len() || def.n_outputs != outs.len() {
                    return Err(format!("{} has {} inputs and {} outputs", def.name, def.n_inputs, def.n_outputs));
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

    /// Runs the routine. `false`: it failed, and the reason is in the environment.
    pub fn run(&self, functions: &FnTable, args: &[f64], outs: &mut [f64], environment: &mut Environment) -> bool {
        let mut regs = vec![f64::NAN; self.n_regs as usize];
        let mut cells = vec![f64::NAN; self.n_cells as usize];
        outs.fill(f64::NAN);
        let mut ticks = 0;
        let mut at = 0;
        // Ends: every way back passes a `Tick`, as `verify` makes sure.
        while let Some(op) = self.ops.get(at) {
            at += 1;
            match op {
                Op::Const(r, value) => regs[r.index()] = *value,
                Op::Copy(r, a) => regs[r.index()] = regs[a.index()],
                Op::Unary(op, r, a) => regs[r.index()] = op.eval(regs[a.index()]),
                Op::Binary(op, r, a, b) => regs[r.index()] = op.eval(regs[a.index()], regs[b.index()]),
                Op::Select(r, c, a, b) => {
                    let taken = if regs[c.index()] != 0.0 { a } else { b };
                    regs[r.index()] = regs[taken.index()];
                }
                Op::Input(r, cell) => regs[r.index()] = args[*cell as usize],
                Op::Output(cell, a) => outs[*cell as usize] = regs[a.index()],
                Op::Read(r, place) => match self.cell(place, &regs) {
                    Ok((Space::Input, cell)) => regs[r.index()] = args[cell],
                    Ok((Space::Output, cell)) => regs[r.index()] = outs[cell],
                    Ok((Space::Local, cell)) => regs[r.index()] = cells[cell],
                    Err((dimension, index)) => {
                        environment.failure_place = self.place;
                        environment.failure = Some(self.index_message(place.array, dimension, index));
                        return false;
                    }
                },
                Op::Write(place, a) => match self.cell(place, &regs) {
                    Ok((Space::Output, cell)) => outs[cell] = regs[a.index()],
                    Ok((_, cell)) => cells[cell] = regs[a.index()],
                    Err((dimension, index)) => {
                        environment.failure_place = self.place;
                        environment.failure = Some(self.index_message(place.array, dimension, index));
                        return false;
                    }
                },
                Op::Call(function, args, outs) => {
                    let args: Vec<f64> = args.iter().map(|reg| regs[reg.index()]).collect();
                    let mut results = vec![f64::NAN; outs.len()];
                    if !functions.call(*function, &args, &mut results, environment) {
                        return false;
                    }
                    for (reg, result) in outs.iter().zip(results) {
                        regs[reg.index()] = result;
                    }
                }
                Op::Bind(_) => {}
                Op::Jump(label) => at = self.labels[*label] as usize,
                Op::JumpIfNot(a, label) => {
                    if regs[a.index()] == 0.0 {
                        at = self.labels[*label] as usize;
                    }
                }
                Op::Tick => {
                    ticks += 1;
                    if ticks > MAX_TICKS {
                        environment.failure_place = self.place;
                        environment.failure = Some(self.tick_message());
                        return false;
                    }
                }
                Op::Fail(message, values) => {
                    let values: Vec<f64> = values.iter().map(|reg| regs[reg.index()]).collect();
                    environment.failure_place = self.place;
                    environment.failure = Some(self.message(*message, &values));
                    return false;
                }
                Op::Return => return true,
            }
        }
        true
    }

    /// The cell of a place, or the dimension whose subscript is out of range and that subscript.
    fn cell(&self, place: &Place, regs: &[f64]) -> Result<(Space, usize), (usize, f64)> {
        let array = &self.arrays[place.array];
        let mut cell = 0;
        for (dimension, (index, size)) in place.subscripts.iter().zip(&array.dims).enumerate() {
            let position = match index {
                Index::Known(position) => *position as usize,
                Index::Computed(reg) => {
                    let value = regs[reg.index()];
                    if !(value >= 1.0 && value <= f64::from(*size) && value == value.trunc()) {
                        return Err((dimension, value));
                    }
                    value as usize - 1
                }
            };
            cell = cell * *size as usize + position;
        }
        Ok((array.space, array.offset as usize + cell))
    }

    /// Stable text, one operation per line.
    pub fn print(&self, functions: &FnTable) -> String {
        let list = |regs: &[Reg]| regs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let place = |place: &Place| {
            let subscripts = place.subscripts.iter().map(|index| match index {
                Index::Known(position) => (position + 1).to_string(),
                Index::Computed(reg) => reg.to_string(),
            });
            format!("{}[{}]", self.arrays[place.array].name, subscripts.collect::<Vec<_>>().join(", "))
        };
        let mut text = format!("function {} ({} inputs, {} outputs)\n", self.name, self.n_inputs, self.n_outputs);
        for op in &self.ops {
            let line = match op {
                Op::Const(r, value) => format!("{r} = {value:?}"),
                Op::Copy(r, a) => format!("{r} = {a}"),
                Op::Unary(op, r, a) => format!("{r} = {op:?} {a}"),
                Op::Binary(op, r, a, b) => format!("{r} = {op:?} {a}, {b}"),
                Op::Select(r, c, a, b) => format!("{r} = if {c} then {a} else {b}"),
                Op::Input(r, cell) => format!("{r} = in[{cell}]"),
                Op::Output(cell, a) => format!("out[{cell}] := {a}"),
                Op::Read(r, from) => format!("{r} = {}", place(from)),
                Op::Write(to, a) => format!("{} := {a}", place(to)),
                Op::Call(function, args, outs) => {
                    let name = functions.get(*function).map_or_else(|| function.to_string(), |def| def.name.clone());
                    format!("({}) = {name}({})", list(outs), list(args))
                }
                Op::Bind(label) => format!("{label}:"),
                Op::Jump(label) => format!("jump {label}"),
                Op::JumpIfNot(a, label) => format!("if not {a} jump {label}"),
                Op::Tick => "tick".to_string(),
                Op::Fail(message, values) => format!("fail {message}({})", list(values)),
                Op::Return => "return".to_string(),
            };
            let indent = if matches!(op, Op::Bind(_)) { "" } else { "  " };
            let _ = writeln!(text, "{indent}{line}");
        }
        text
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

impl super::chain::Arithmetic for RoutineBuilder {
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
