//! Translates a called function to a Cranelift function.
//!
//! Input: a verified routine. Output: a function of arguments, outputs and environment that returns 0, or 1 when it failed
//! and the reason is in the environment. Registers become SSA variables, or cells of the frame where there are very many of them;
//! labels become blocks; subscripts are checked as integers. Local arrays lie on the stack, or behind one allocation when they are
//! large. Cost: linear in the routine.

use super::kernel::{buffer, flags, offset};
use super::link::{Imports, Linker, POINTER, Shape};
use super::math::{self, Lowered};
use crate::base::ids::FnId;
use crate::equations::function::routine::{ArrayElement, ArrayId, Index, Label, MAX_TICKS, Op, Reg, Routine, Space};
use cranelift::codegen::ir::{BlockArg, Function, StackSlot};
use cranelift::prelude::{Block, FloatCC, FunctionBuilder, FunctionBuilderContext, InstBuilder, IntCC, Value, Variable, types};
use cranelift_entity::{EntityRef, PrimaryMap};
use partita_runtime::abi::object::Helper;
use rustc_hash::FxHashMap;

/// Frames up to this many cells lie on the stack.
const MAX_STACK_CELLS: u32 = 4096;
/// More registers than this lie in the frame: register allocation of thousands that are alive together takes more than linear time.
const MAX_VARIABLES: u32 = 2048;

struct Translation<'a, 'b> {
    builder: FunctionBuilder<'b>,
    imports: Imports<'a>,
    id: FnId,
    routine: &'a Routine,
    args: Value,
    outs: Value,
    environment: Value,
    frame: Option<Value>,
    homes: Homes,
    ticks: Option<Variable>,
    blocks: PrimaryMap<Label, Block>,
    /// Values of registers set in the present block, which saves turning conditions into numbers and back; none if registers lie in
    /// the frame.
    recent: FxHashMap<Reg, Lowered>,
    call_args: Option<StackSlot>,
    call_outs: Option<StackSlot>,
    /// Failures of subscripts; the parameter is the subscript.
    out_of_range: FxHashMap<(ArrayId, usize), Block>,
    /// `out_of_range` in order.
    range_failures: Vec<(ArrayId, usize, Block)>,
    loop_failure: Option<Block>,
    /// The way out; the parameter is the status.
    exit: Block,
}

/// Where the values of registers are.
enum Homes {
    /// In variables.
    Variables(PrimaryMap<Reg, Variable>),
    /// In the frame, from this cell on.
    Cells(usize),
}

/// A variable for each register; what was never assigned is not a number.
fn variables(builder: &mut FunctionBuilder<'_>, routine: &Routine) -> Homes {
    let nan = builder.ins().f64const(f64::NAN);
    let mut variables = PrimaryMap::with_capacity(routine.n_regs as usize);
    for _ in 0..routine.n_regs {
        let variable = builder.declare_var(types::F64);
        builder.def_var(variable, nan);
        variables.push(variable);
    }
    Homes::Variables(variables)
}

/// Buffers for arguments and outputs of calls, if there are calls.
fn call_buffers(builder: &mut FunctionBuilder<'_>, routine: &Routine) -> (Option<StackSlot>, Option<StackSlot>) {
    let (mut n_args, mut n_outs, mut has_buffers) = (0, 0, false);
    for op in &routine.ops {
        match op {
            Op::Call(_, args, outs) => {
                n_args = n_args.max(args.len());
                n_outs = n_outs.max(outs.len());
                has_buffers = true;
            }
            Op::Fail(_, values) => {
                n_args = n_args.max(values.len());
                has_buffers = true;
            }
            _ => {}
        }
    }
    let call_args = has_buffers.then(|| buffer(builder, n_args));
    let call_outs = has_buffers.then(|| buffer(builder, n_outs));
    (call_args, call_outs)
}

/// Builds the function of a routine.
pub(super) fn translate(id: FnId, routine: &Routine, linker: &Linker, function: &mut Function, context: &mut FunctionBuilderContext) {
    function.signature = Shape::Routine.signature(linker.convention);
    let mut builder = FunctionBuilder::new(function, context);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let params = builder.block_params(entry);
    let (args, outs, environment) = (params[0], params[1], params[2]);
    let exit = builder.create_block();
    builder.append_block_param(exit, types::I32);
    let mut imports = Imports::new(linker);

    let has_output_arrays = routine.arrays.values().any(|array| array.space == Space::Output);
    if has_output_arrays {
        let n = builder.ins().iconst(POINTER, i64::from(routine.n_outputs));
        imports.help(&mut builder, Helper::Fill, &[outs, n]);
    }
    let are_many = routine.n_regs > MAX_VARIABLES;
    let frame_cells = if are_many { routine.n_cells + routine.n_regs } else { routine.n_cells };
    let n_cells = builder.ins().iconst(POINTER, i64::from(frame_cells));
    let frame = match frame_cells {
        0 => None,
        n if n <= MAX_STACK_CELLS => {
            let slot = buffer(&mut builder, n as usize);
            let frame = builder.ins().stack_addr(POINTER, slot, 0);
            imports.help(&mut builder, Helper::Fill, &[frame, n_cells]);
            Some(frame)
        }
        _ => Some(imports.help(&mut builder, Helper::Allocate, &[n_cells])),
    };
    let homes = if are_many { Homes::Cells(routine.n_cells as usize) } else { variables(&mut builder, routine) };
    let ticks = routine.ops.contains(&Op::Tick).then(|| {
        let ticks = builder.declare_var(types::I64);
        let zero = builder.ins().iconst(types::I64, 0);
        builder.def_var(ticks, zero);
        ticks
    });
    let (call_args, call_outs) = call_buffers(&mut builder, routine);
    let blocks = routine.labels.values().map(|_| builder.create_block()).collect();
    let mut translation = Translation {
        builder,
        imports,
        id,
        routine,
        args,
        outs,
        environment,
        frame,
        homes,
        ticks,
        blocks,
        recent: FxHashMap::default(),
        call_args,
        call_outs,
        out_of_range: FxHashMap::default(),
        range_failures: Vec::new(),
        loop_failure: None,
        exit,
    };
    let mut reachable = true;
    for op in &routine.ops {
        if let Op::Bind(label) = op {
            let block = translation.blocks[*label];
            if reachable {
                translation.builder.ins().jump(block, &[]);
            }
            translation.builder.switch_to_block(block);
            translation.recent.clear();
            reachable = true;
        } else if reachable {
            reachable = translation.operation(op);
        }
    }
    translation.finish(n_cells, frame_cells > MAX_STACK_CELLS);
}

impl Translation<'_, '_> {
    fn value(&mut self, reg: Reg) -> Lowered {
        let frame = self.frame_address();
        match self.recent.get(&reg) {
            Some(lowered) => *lowered,
            None => Lowered::Number(match &self.homes {
                Homes::Variables(variables) => self.builder.use_var(variables[reg]),
                Homes::Cells(first) => self.builder.ins().load(types::F64, flags(), frame, offset(first + reg.index())),
            }),
        }
    }

    fn number(&mut self, reg: Reg) -> Value {
        let value = self.value(reg);
        value.number(&mut self.builder)
    }

    fn set(&mut self, reg: Reg, lowered: Lowered) {
        // The number of a condition that only jumps read is never computed: it has no use.
        let number = lowered.number(&mut self.builder);
        let frame = self.frame_address();
        match &self.homes {
            Homes::Variables(variables) => {
                self.builder.def_var(variables[reg], number);
                self.recent.insert(reg, lowered);
            }
            Homes::Cells(first) => {
                let at = offset(first + reg.index());
                self.builder.ins().store(flags(), number, frame, at);
            }
        }
    }

    /// The frame. A routine without cells has no local arrays with elements, and no access to others passes its checks.
    fn frame_address(&self) -> Value {
        self.frame.unwrap_or(self.args)
    }

    /// Translates an operation; `false` when nothing follows it.
    fn operation(&mut self, op: &Op) -> bool {
        match op {
            Op::Const(r, value) => {
                let value = self.builder.ins().f64const(*value);
                self.set(*r, Lowered::Number(value));
            }
            Op::Copy(r, a) => {
                let value = self.value(*a);
                self.set(*r, value);
            }
            Op::Unary(op, r, a) => {
                let a = self.value(*a);
                let value = math::unary(&mut self.builder, &mut self.imports, *op, a);
                self.set(*r, value);
            }
            Op::Binary(op, r, a, b) => {
                let (a, b) = (self.value(*a), self.value(*b));
                let value = math::binary(&mut self.builder, &mut self.imports, *op, a, b, None);
                self.set(*r, value);
            }
            Op::Select(r, c, a, b) => {
                let (c, a, b) = (self.value(*c), self.value(*a), self.value(*b));
                let value = math::select(&mut self.builder, c, a, b);
                self.set(*r, value);
            }
            Op::Input(r, cell) => {
                let value = self.builder.ins().load(types::F64, flags(), self.args, offset(*cell as usize));
                self.set(*r, Lowered::Number(value));
            }
            Op::Output(cell, a) => {
                let value = self.number(*a);
                self.builder.ins().store(flags(), value, self.outs, offset(*cell as usize));
            }
            Op::Read(r, place) => {
                let (address, at) = self.address(place);
                let value = self.builder.ins().load(types::F64, flags(), address, at);
                self.set(*r, Lowered::Number(value));
            }
            Op::Write(place, a) => {
                let value = self.number(*a);
                let (address, at) = self.address(place);
                self.builder.ins().store(flags(), value, address, at);
            }
            Op::Call(function, args, outs) => self.call(*function, args, outs),
            Op::Bind(_) => {}
            Op::Jump(label) => {
                self.builder.ins().jump(self.blocks[*label], &[]);
                return false;
            }
            Op::JumpIfNot(a, label) => {
                let condition = self.value(*a);
                let bit = condition.bit(&mut self.builder);
                let next = self.builder.create_block();
                self.builder.ins().brif(bit, next, &[], self.blocks[*label], &[]);
                self.builder.switch_to_block(next);
            }
            Op::Tick => self.tick(),
            Op::Fail(message, values) => {
                let at = self.store_all(values);
                let message = self.builder.ins().iconst(types::I32, message.index() as i64);
                let (functions, function) = self.own();
                let args = [self.environment, functions, function, message, at];
                let status = self.imports.help(&mut self.builder, Helper::Fail, &args);
                self.builder.ins().jump(self.exit, &[BlockArg::Value(status)]);
                return false;
            }
            Op::Return => {
                let status = self.builder.ins().iconst(types::I32, 0);
                self.builder.ins().jump(self.exit, &[BlockArg::Value(status)]);
                return false;
            }
        }
        true
    }

    /// Counts an iteration; too many are a failure.
    fn tick(&mut self) {
        let Some(ticks) = self.ticks else { return };
        let count = self.builder.use_var(ticks);
        let count = self.builder.ins().iadd_imm_s(count, 1);
        self.builder.def_var(ticks, count);
        let over = self.builder.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, count, MAX_TICKS as i64);
        let failure = *self.loop_failure.get_or_insert_with(|| self.builder.create_block());
        let next = self.builder.create_block();
        self.builder.ins().brif(over, failure, &[], next, &[]);
        self.builder.switch_to_block(next);
    }

    /// The table and this function's number in it, for failures.
    fn own(&mut self) -> (Value, Value) {
        let functions = self.imports.address_of_data(&mut self.builder, self.imports.linker.callables.functions);
        (functions, self.builder.ins().iconst(types::I32, self.id.index() as i64))
    }

    /// Stores values to the buffer for arguments.
    fn store_all(&mut self, regs: &[Reg]) -> Value {
        let Some(slot) = self.call_args else { return self.args };
        let at = self.builder.ins().stack_addr(POINTER, slot, 0);
        for (i, reg) in regs.iter().enumerate() {
            let value = self.number(*reg);
            self.builder.ins().store(flags(), value, at, offset(i));
        }
        at
    }

    fn call(&mut self, function: FnId, args: &[Reg], outs: &[Reg]) {
        let Some(outs_slot) = self.call_outs else { return };
        let args_at = self.store_all(args);
        let outs_at = self.builder.ins().stack_addr(POINTER, outs_slot, 0);
        let status = self.imports.call(&mut self.builder, function, args_at, outs_at, self.environment);
        let next = self.builder.create_block();
        self.builder.ins().brif(status, self.exit, &[BlockArg::Value(status)], next, &[]);
        self.builder.switch_to_block(next);
        for (i, reg) in outs.iter().enumerate() {
            let value = self.builder.ins().load(types::F64, flags(), outs_at, offset(i));
            self.set(*reg, Lowered::Number(value));
        }
    }

    /// The address of an element and the offset from it, after the checks.
    fn address(&mut self, place: &ArrayElement) -> (Value, i32) {
        let array = &self.routine.arrays[place.array];
        let base = match array.space {
            Space::Input => self.args,
            Space::Output => self.outs,
            Space::Local => self.frame_address(),
        };
        let mut known = 0_usize;
        let mut computed: Option<Value> = None;
        for (dimension, (index, size)) in place.subscripts.iter().zip(&array.dims).enumerate() {
            known *= *size as usize;
            if let Some(cell) = computed {
                computed = Some(self.builder.ins().imul_imm_u(cell, i64::from(*size)));
            }
            match index {
                Index::Known(position) => known += *position as usize,
                Index::Computed(reg) => {
                    let position = self.position(place.array, dimension, *reg, *size);
                    computed = Some(match computed {
                        Some(cell) => self.builder.ins().iadd(cell, position),
                        None => position,
                    });
                }
            }
        }
        let at = offset(array.offset as usize + known);
        match computed {
            None => (base, at),
            Some(cell) => {
                let bytes = self.builder.ins().ishl_imm_u(cell, 3);
                (self.builder.ins().iadd(base, bytes), at)
            }
        }
    }

    /// A subscript as an integer from 0, checked to be whole and in range.
    fn position(&mut self, array: ArrayId, dimension: usize, reg: Reg, size: u32) -> Value {
        let index = self.number(reg);
        let whole = self.builder.ins().fcvt_to_sint_sat(types::I64, index);
        let back = self.builder.ins().fcvt_from_sint(types::F64, whole);
        // A NaN differs from every number.
        let is_whole = self.builder.ins().fcmp(FloatCC::Equal, back, index);
        let position = self.builder.ins().iadd_imm_s(whole, -1);
        let in_range = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, position, i64::from(size));
        let fine = self.builder.ins().band(is_whole, in_range);
        let failure = match self.out_of_range.get(&(array, dimension)) {
            Some(block) => *block,
            None => {
                let block = self.builder.create_block();
                self.builder.append_block_param(block, types::F64);
                self.out_of_range.insert((array, dimension), block);
                self.range_failures.push((array, dimension, block));
                block
            }
        };
        let next = self.builder.create_block();
        self.builder.ins().brif(fine, next, &[], failure, &[BlockArg::Value(index)]);
        self.builder.switch_to_block(next);
        position
    }

    fn finish(mut self, n_cells: Value, is_allocated: bool) {
        for (array, dimension, block) in std::mem::take(&mut self.range_failures) {
            self.builder.set_cold_block(block);
            self.builder.switch_to_block(block);
            let index = self.builder.block_params(block)[0];
            let (functions, function) = self.own();
            let array = self.builder.ins().iconst(types::I32, array.index() as i64);
            let dimension = self.builder.ins().iconst(types::I32, dimension as i64);
            let args = [self.environment, functions, function, array, dimension, index];
            let status = self.imports.help(&mut self.builder, Helper::FailIndex, &args);
            self.builder.ins().jump(self.exit, &[BlockArg::Value(status)]);
        }
        if let Some(block) = self.loop_failure {
            self.builder.set_cold_block(block);
            self.builder.switch_to_block(block);
            let (functions, function) = self.own();
            let status = self.imports.help(&mut self.builder, Helper::FailLoop, &[self.environment, functions, function]);
            self.builder.ins().jump(self.exit, &[BlockArg::Value(status)]);
        }
        self.builder.switch_to_block(self.exit);
        let status = self.builder.block_params(self.exit)[0];
        if let Some(frame) = self.frame
            && is_allocated
        {
            self.imports.help(&mut self.builder, Helper::Release, &[frame, n_cells]);
        }
        self.builder.ins().return_(&[status]);
        self.builder.seal_all_blocks();
        self.builder.finalize(self.imports.linker.frontend);
    }
}
