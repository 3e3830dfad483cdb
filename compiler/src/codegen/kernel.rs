//! Translates one segment of straight-line code to a Cranelift function.
//!
//! Input: the code, its split, the number of the segment. Output: a function of the memory, the second array, the environment
//! and the spill area that returns 0, or 1 when a called function failed. Cost: linear in the segment.

use super::link::{Imports, Linker, POINTER, kernel_builder};
use super::math::{self, Lowered};
use super::split::{Home, Split};
use crate::base::ids::FnId;
use crate::program::code::{Code, Instr, Val};
use cranelift::codegen::ir::{BlockArg, Function, StackSlot};
use cranelift::prelude::{
    Block, FunctionBuilder, FunctionBuilderContext, InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Value, types,
};
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;

/// All arrays hold doubles, live as long as the call and are long enough; the safe wrapper checks that.
pub(super) fn flags() -> MemFlagsData {
    MemFlagsData::trusted()
}

/// The byte offset of a cell; `compile` refuses codes where this would not fit.
pub(super) fn offset(cell: usize) -> i32 {
    (cell * 8) as i32
}

/// The arguments of a segment.
struct Pointers {
    memory: Value,
    out: Value,
    environment: Value,
    spill: Value,
}

struct Translation<'a, 'b> {
    builder: FunctionBuilder<'b>,
    imports: Imports<'a>,
    code: &'a Code,
    split: &'a Split,
    pointers: Pointers,
    start: usize,
    /// Values of this segment by position.
    local: Vec<Option<Lowered>>,
    /// Values of earlier segments, fetched when first needed.
    fetched: FxHashMap<Val, Lowered>,
    /// Outputs of calls of this segment that it reads: output number, the `Result`.
    results_of: FxHashMap<Val, Vec<(u32, Val)>>,
    args: Option<StackSlot>,
    outs: Option<StackSlot>,
    failed: Option<Block>,
}

/// Builds the function of segment number `segment`.
pub(super) fn translate(
    code: &Code,
    split: &Split,
    segment: usize,
    linker: &Linker,
    function: &mut Function,
    context: &mut FunctionBuilderContext,
) {
    let (mut builder, [memory, out, environment, spill]) = kernel_builder(linker, function, context);
    let pointers = Pointers { memory, out, environment, spill };
    let range = split.segments[segment].clone();
    let mut results_of: FxHashMap<Val, Vec<(u32, Val)>> = FxHashMap::default();
    let (mut n_args, mut n_outs, mut has_calls) = (0, 0, false);
    for position in range.clone() {
        let val = Val::new(position);
        match &code.instrs[val] {
            Instr::Result(call, output) if call.index() >= range.start => {
                results_of.entry(*call).or_default().push((*output, val));
            }
            Instr::Call(function, args) | Instr::GuardedCall(function, args, _) => {
                n_args = n_args.max(args.len());
                n_outs = n_outs.max(linker.callables.targets[*function].n_outputs);
                has_calls = true;
            }
            _ => {}
        }
    }
    let args = has_calls.then(|| buffer(&mut builder, n_args));
    let outs = has_calls.then(|| buffer(&mut builder, n_outs));
    let mut translation = Translation {
        builder,
        imports: Imports::new(linker),
        code,
        split,
        pointers,
        start: range.start,
        local: vec![None; range.len()],
        fetched: FxHashMap::default(),
        results_of,
        args,
        outs,
        failed: None,
    };
    for position in range {
        translation.instruction(Val::new(position));
    }
    translation.finish();
}

/// A stack buffer of doubles.
pub(super) fn buffer(builder: &mut FunctionBuilder<'_>, cells: usize) -> StackSlot {
    builder.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, (cells.max(1) * 8) as u32, 3))
}

impl Translation<'_, '_> {
    fn value(&mut self, val: Val) -> Lowered {
        if let Some(known) = val.index().checked_sub(self.start).and_then(|position| self.local[position]) {
            return known;
        }
        if let Some(known) = self.fetched.get(&val) {
            return *known;
        }
        let value = self.fetch(val);
        self.fetched.insert(val, Lowered::Number(value));
        Lowered::Number(value)
    }

    /// Loads a value that an earlier segment left behind.
    fn fetch(&mut self, val: Val) -> Value {
        let builder = &mut self.builder;
        match self.split.home_of[&val] {
            Home::Const(value) => builder.ins().f64const(value),
            Home::Slot(slot) => builder.ins().load(types::F64, flags(), self.pointers.memory, offset(slot.index())),
            Home::Out(i) => builder.ins().load(types::F64, flags(), self.pointers.out, offset(i as usize)),
            Home::Spill(i) => builder.ins().load(types::F64, flags(), self.pointers.spill, offset(i as usize)),
        }
    }

    /// Whether a value is at hand, or must be fetched.
    fn is_at_hand(&self, val: Val) -> bool {
        val.index().checked_sub(self.start).is_some_and(|position| self.local[position].is_some()) || self.fetched.contains_key(&val)
    }

    fn number(&mut self, val: Val) -> Value {
        let value = self.value(val);
        value.number(&mut self.builder)
    }

    fn instruction(&mut self, val: Val) {
        let code = self.code;
        let lowered = match &code.instrs[val] {
            Instr::Const(value) => Lowered::Number(self.builder.ins().f64const(*value)),
            Instr::Load(slot) => Lowered::Number(self.builder.ins().load(types::F64, flags(), self.pointers.memory, offset(slot.index()))),
            Instr::LoadOut(i) => Lowered::Number(self.builder.ins().load(types::F64, flags(), self.pointers.out, offset(*i as usize))),
            Instr::Unary(op, a) => {
                let a = self.value(*a);
                math::unary(&mut self.builder, &mut self.imports, *op, a)
            }
            Instr::Binary(op, a, b) => {
                let exponent = match code.instrs[*b] {
                    Instr::Const(value) => Some(value),
                    _ => None,
                };
                let (a, b) = (self.value(*a), self.value(*b));
                math::binary(&mut self.builder, &mut self.imports, *op, a, b, exponent)
            }
            Instr::Select(c, a, b) => {
                let (c, a, b) = (self.value(*c), self.value(*a), self.value(*b));
                math::select(&mut self.builder, c, a, b)
            }
            Instr::Store(slot, a) => {
                let a = self.number(*a);
                self.builder.ins().store(flags(), a, self.pointers.memory, offset(slot.index()));
                return;
            }
            Instr::StoreOut(i, a) => {
                let a = self.number(*a);
                self.builder.ins().store(flags(), a, self.pointers.out, offset(*i as usize));
                return;
            }
            Instr::Call(function, args) => return self.call(val, *function, args, None),
            Instr::GuardedCall(function, args, guard) => return self.call(val, *function, args, Some(*guard)),
            // Defined by its call, in this segment or an earlier one.
            Instr::Result(..) => return,
        };
        self.define(val, lowered);
    }

    fn define(&mut self, val: Val, lowered: Lowered) {
        self.local[val.index() - self.start] = Some(lowered);
        if let Some(Home::Spill(place)) = self.split.home_of.get(&val) {
            let number = lowered.number(&mut self.builder);
            self.builder.ins().store(flags(), number, self.pointers.spill, offset(*place as usize));
        }
    }

    fn call(&mut self, call: Val, function: FnId, args: &[Val], guard: Option<Val>) {
        let (Some(args_slot), Some(outs_slot)) = (self.args, self.outs) else { return };
        let read = self.results_of.remove(&call).unwrap_or_default();
        let spilled = self.split.spilled_outputs.get(&call).map_or(&[][..], |list| list);
        let after = self.builder.create_block();
        for _ in 0..read.len() {
            self.builder.append_block_param(after, types::F64);
        }
        if let Some(guard) = guard {
            let guard = self.value(guard);
            let bit = guard.bit(&mut self.builder);
            let (wanted, unwanted) = (self.builder.create_block(), self.builder.create_block());
            self.builder.ins().brif(bit, wanted, &[], unwanted, &[]);
            self.builder.switch_to_block(unwanted);
            self.builder.seal_block(unwanted);
            let nan = self.builder.ins().f64const(f64::NAN);
            for (_, place) in spilled {
                self.builder.ins().store(flags(), nan, self.pointers.spill, offset(*place as usize));
            }
            self.builder.ins().jump(after, &vec![BlockArg::Value(nan); read.len()]);
            self.builder.switch_to_block(wanted);
            self.builder.seal_block(wanted);
        }
        let args_at = self.builder.ins().stack_addr(POINTER, args_slot, 0);
        for (i, arg) in args.iter().enumerate() {
            // What is fetched here is not defined behind the branch, and so is not remembered. Thousands of values that are all
            // alive would keep register allocation busy.
            let number = if self.is_at_hand(*arg) { self.number(*arg) } else { self.fetch(*arg) };
            self.builder.ins().store(flags(), number, args_at, offset(i));
        }
        let outs_at = self.builder.ins().stack_addr(POINTER, outs_slot, 0);
        let status = self.imports.call_from_kernel(&mut self.builder, function, args_at, outs_at, self.pointers.environment);
        let failed = *self.failed.get_or_insert_with(|| self.builder.create_block());
        let returned = self.builder.create_block();
        self.builder.ins().brif(status, failed, &[], returned, &[]);
        self.builder.switch_to_block(returned);
        self.builder.seal_block(returned);
        for (output, place) in spilled {
            let value = self.builder.ins().load(types::F64, flags(), outs_at, offset(*output as usize));
            self.builder.ins().store(flags(), value, self.pointers.spill, offset(*place as usize));
        }
        let values: Vec<BlockArg> = read
            .iter()
            .map(|(output, _)| BlockArg::Value(self.builder.ins().load(types::F64, flags(), outs_at, offset(*output as usize))))
            .collect();
        self.builder.ins().jump(after, &values);
        self.builder.switch_to_block(after);
        self.builder.seal_block(after);
        let values = self.builder.block_params(after).to_vec();
        for ((_, result), value) in read.iter().zip(&values) {
            self.define(*result, Lowered::Number(*value));
        }
    }

    fn finish(mut self) {
        let ok = self.builder.ins().iconst(types::I32, 0);
        self.builder.ins().return_(&[ok]);
        if let Some(failed) = self.failed {
            self.builder.set_cold_block(failed);
            self.builder.switch_to_block(failed);
            self.builder.seal_block(failed);
            let status = self.builder.ins().iconst(types::I32, 1);
            self.builder.ins().return_(&[status]);
        }
        self.builder.finalize(self.imports.linker.frontend);
    }
}
