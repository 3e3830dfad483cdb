//! Translates a loop of re-rolled code to a Cranelift function.
//!
//! Input: a loop. Output: a function like that of a segment. What is the same in every iteration is computed before the first one. Where
//! all operations have a form for two numbers at once, two iterations are done at a time; every operation gives the bits that it gives
//! alone. Cost: linear in the body, whatever the number of iterations.

use super::kernel::{flags, offset};
use super::link::{Imports, Linker, POINTER, kernel_builder};
use super::math::{self, Lowered};
use crate::program::code::{Instr, Val};
use crate::program::reroll::Loop;
use cranelift::codegen::ir::{BlockArg, Endianness, Function};
use cranelift::prelude::{FunctionBuilder, FunctionBuilderContext, InstBuilder, IntCC, MemFlagsData, Value, types};
use cranelift_entity::{EntityRef, SecondaryMap};
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::plan::Slot;

/// The bytes of two numbers, the second one first.
const EXCHANGE: [u8; 16] = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7];

/// Two cells at once may begin anywhere.
fn unaligned() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

struct Translation<'a, 'b> {
    builder: FunctionBuilder<'b>,
    imports: Imports<'a>,
    rerolled: &'a Loop,
    invariant: SecondaryMap<Val, bool>,
    memory: Value,
    out: Value,
    /// Values that are the same in every iteration.
    fixed: SecondaryMap<Val, Option<Lowered>>,
    /// The same, twice.
    doubled: SecondaryMap<Val, Option<Value>>,
}

/// Whether two iterations can be done at a time.
fn is_paired(rerolled: &Loop, invariant: &SecondaryMap<Val, bool>) -> bool {
    rerolled.body.instrs.iter().all(|(val, instr)| {
        invariant[val]
            || match instr {
                Instr::Load(_) | Instr::LoadOut(_) => true,
                Instr::Unary(op, _) => matches!(op, Op1::Neg | Op1::Abs | Op1::Sqrt),
                Instr::Binary(op, ..) => matches!(op, Op2::Add | Op2::Sub | Op2::Mul | Op2::Div),
                Instr::Store(..) | Instr::StoreOut(..) => true,
                _ => false,
            }
    })
}

/// Builds the function of a loop.
pub(super) fn translate(rerolled: &Loop, linker: &Linker, function: &mut Function, context: &mut FunctionBuilderContext) {
    let (builder, [memory, out, ..]) = kernel_builder(linker, function, context);
    let invariant = rerolled.invariant();
    let paired = is_paired(rerolled, &invariant);
    let (fixed, doubled) = (SecondaryMap::new(), SecondaryMap::new());
    let mut translation = Translation { builder, imports: Imports::new(linker), rerolled, invariant, memory, out, fixed, doubled };
    translation.before(paired);
    match rerolled.asked {
        Some((first, end)) => translation.requested_iterations(first, end, paired),
        None => translation.all_iterations(paired),
    }
    let ok = translation.builder.ins().iconst(types::I32, 0);
    translation.builder.ins().return_(&[ok]);
    translation.builder.finalize(linker.frontend);
}

impl Translation<'_, '_> {
    /// Computes what is the same in every iteration.
    fn before(&mut self, paired: bool) {
        let mut used_in_iterations: SecondaryMap<Val, bool> = SecondaryMap::new();
        for (val, instr) in self.rerolled.body.instrs.iter() {
            if !self.invariant[val] {
                instr.for_each_operand(|operand| used_in_iterations[operand] = true);
            }
        }
        let zero = self.builder.ins().iconst(POINTER, 0);
        for (val, instr) in self.rerolled.body.instrs.iter() {
            if !self.invariant[val] {
                continue;
            }
            let mut known = SecondaryMap::new();
            std::mem::swap(&mut known, &mut self.fixed);
            let lowered = self.operation(val, instr, zero, &known);
            std::mem::swap(&mut known, &mut self.fixed);
            self.fixed[val] = lowered;
            if let (true, true, Some(lowered)) = (paired, used_in_iterations[val], lowered) {
                let number = lowered.number(&mut self.builder);
                self.doubled[val] = Some(self.builder.ins().splat(types::F64X2, number));
            }
        }
    }

    /// All iterations.
    fn all_iterations(&mut self, paired: bool) {
        let iterations = i64::from(self.rerolled.iterations);
        if paired {
            self.iterations(iterations / 2 * 2, 2);
            if iterations % 2 == 1 {
                let last = self.builder.ins().iconst(POINTER, (iterations - 1) * 8);
                self.iteration(last);
            }
        } else {
            self.iterations(iterations, 1);
        }
    }

    /// The iterations from the one whose number is in a slot to the one before that in another.
    fn requested_iterations(&mut self, first: Slot, end: Slot, paired: bool) {
        let (first, end) = (self.bound(first), self.bound(end));
        let rest = if paired { self.iterations_between(first, end, 2) } else { first };
        self.iterations_between(rest, end, 1);
    }

    /// Eight times the number in a slot, which is no larger than that of the iterations.
    fn bound(&mut self, slot: Slot) -> Value {
        let number = self.builder.ins().load(types::F64, flags(), self.memory, offset(slot.index()));
        let number = self.builder.ins().fcvt_to_uint_sat(POINTER, number);
        let most = self.builder.ins().iconst(POINTER, i64::from(self.rerolled.iterations));
        let number = self.builder.ins().umin(number, most);
        self.builder.ins().imul_imm_s(number, 8)
    }

    /// Goes round as long as `at_a_time` iterations are left; where that ends.
    fn iterations_between(&mut self, first: Value, end: Value, at_a_time: i64) -> Value {
        let (head, body, after) = (self.builder.create_block(), self.builder.create_block(), self.builder.create_block());
        self.builder.append_block_param(head, POINTER);
        self.builder.ins().jump(head, &[BlockArg::Value(first)]);
        self.builder.switch_to_block(head);
        let bytes = self.builder.block_params(head)[0];
        let last = self.builder.ins().iadd_imm_s(bytes, 8 * (at_a_time - 1));
        let more = self.builder.ins().icmp(IntCC::UnsignedLessThan, last, end);
        self.builder.ins().brif(more, body, &[], after, &[]);
        self.builder.seal_block(body);
        self.builder.switch_to_block(body);
        if at_a_time == 2 {
            self.pair(bytes)
        } else {
            self.iteration(bytes)
        }
        let next = self.builder.ins().iadd_imm_s(bytes, 8 * at_a_time);
        self.builder.ins().jump(head, &[BlockArg::Value(next)]);
        self.builder.seal_block(head);
        self.builder.seal_block(after);
        self.builder.switch_to_block(after);
        bytes
    }

    /// Goes round until `iterations` are done, `at_a_time` of them together.
    fn iterations(&mut self, iterations: i64, at_a_time: i64) {
        let (body, after) = (self.builder.create_block(), self.builder.create_block());
        self.builder.append_block_param(body, POINTER);
        let zero = self.builder.ins().iconst(POINTER, 0);
        self.builder.ins().jump(body, &[BlockArg::Value(zero)]);
        self.builder.switch_to_block(body);
        let bytes = self.builder.block_params(body)[0];
        if at_a_time == 2 {
            self.pair(bytes)
        } else {
            self.iteration(bytes)
        }
        let next = self.builder.ins().iadd_imm_s(bytes, 8 * at_a_time);
        let more = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, next, iterations * 8);
        self.builder.ins().brif(more, body, &[BlockArg::Value(next)], after, &[]);
        self.builder.seal_block(body);
        self.builder.switch_to_block(after);
        self.builder.seal_block(after);
    }

    /// One round; `bytes` is eight times its number.
    fn iteration(&mut self, bytes: Value) {
        let mut values = self.fixed.clone();
        for (val, instr) in self.rerolled.body.instrs.iter() {
            if !self.invariant[val] {
                values[val] = self.operation(val, instr, bytes, &values);
            }
        }
    }

    /// The address of a cell in the round, without the constant offset that is returned with it.
    fn address(&mut self, val: Val, bytes: Value) -> (Value, i32) {
        let (base, cell) = match &self.rerolled.body.instrs[val] {
            Instr::Load(slot) | Instr::Store(slot, _) => (self.memory, slot.index()),
            Instr::LoadOut(position) | Instr::StoreOut(position, _) => (self.out, *position as usize),
            _ => (self.memory, 0),
        };
        let address = match self.rerolled.strides[val] {
            0 => base,
            1 => self.builder.ins().iadd(base, bytes),
            -1 => self.builder.ins().isub(base, bytes),
            stride => {
                let moved = self.builder.ins().imul_imm_s(bytes, i64::from(stride));
                self.builder.ins().iadd(base, moved)
            }
        };
        (address, offset(cell))
    }

    /// One instruction in one iteration; stores give nothing.
    fn operation(&mut self, val: Val, instr: &Instr, bytes: Value, values: &SecondaryMap<Val, Option<Lowered>>) -> Option<Lowered> {
        let of = |val: &Val| values[*val];
        Some(match instr {
            Instr::Const(value) => Lowered::Number(self.builder.ins().f64const(*value)),
            Instr::Load(_) | Instr::LoadOut(_) => {
                let (address, at) = self.address(val, bytes);
                Lowered::Number(self.builder.ins().load(types::F64, flags(), address, at))
            }
            Instr::Unary(op, a) => math::unary(&mut self.builder, &mut self.imports, *op, of(a)?),
            Instr::Binary(op, a, b) => {
                let exponent = match self.rerolled.body.instrs[*b] {
                    Instr::Const(value) => Some(value),
                    _ => None,
                };
                math::binary(&mut self.builder, &mut self.imports, *op, of(a)?, of(b)?, exponent)
            }
            Instr::Select(c, a, b) => math::select(&mut self.builder, of(c)?, of(a)?, of(b)?),
            Instr::Store(_, a) | Instr::StoreOut(_, a) => {
                let number = of(a)?.number(&mut self.builder);
                let (address, at) = self.address(val, bytes);
                self.builder.ins().store(flags(), number, address, at);
                return None;
            }
            // `reroll` makes no loops of calls.
            Instr::Call(..) | Instr::GuardedCall(..) | Instr::Result(..) => return None,
        })
    }

    /// Two iterations at a time; `bytes` is eight times the number of the first.
    fn pair(&mut self, bytes: Value) {
        let mut values = self.doubled.clone();
        for (val, instr) in self.rerolled.body.instrs.iter() {
            if self.invariant[val] {
                continue;
            }
            values[val] = match instr {
                Instr::Load(_) | Instr::LoadOut(_) => Some(self.load_pair(val, bytes)),
                Instr::Unary(op, a) => values[*a].map(|a| match op {
                    Op1::Abs => self.builder.ins().fabs(a),
                    Op1::Sqrt => self.builder.ins().sqrt(a),
                    _ => self.builder.ins().fneg(a),
                }),
                Instr::Binary(op, a, b) => values[*a].zip(values[*b]).map(|(a, b)| match op {
                    Op2::Add => self.builder.ins().fadd(a, b),
                    Op2::Sub => self.builder.ins().fsub(a, b),
                    Op2::Mul => self.builder.ins().fmul(a, b),
                    _ => self.builder.ins().fdiv(a, b),
                }),
                Instr::Store(_, a) | Instr::StoreOut(_, a) => {
                    let (address, at) = self.address(val, bytes);
                    if let Some(pair) = values[*a] {
                        self.store_pair(pair, self.rerolled.strides[val], address, at);
                    }
                    None
                }
                // `is_paired` admits no other.
                _ => None,
            };
        }
    }

    /// Writes the cells of two iterations.
    fn store_pair(&mut self, pair: Value, stride: i32, address: Value, at: i32) {
        if stride == 1 {
            self.builder.ins().store(unaligned(), pair, address, at);
        } else {
            for lane in 0..2 {
                let number = self.builder.ins().extractlane(pair, lane as u8);
                self.builder.ins().store(flags(), number, address, at + 8 * stride * lane);
            }
        }
    }

    /// Reads the cells of two iterations.
    fn load_pair(&mut self, val: Val, bytes: Value) -> Value {
        let (address, at) = self.address(val, bytes);
        match self.rerolled.strides[val] {
            1 => self.builder.ins().load(types::F64X2, unaligned(), address, at),
            -1 => {
                // The two neighbours, exchanged.
                let pair = self.builder.ins().load(types::F64X2, unaligned(), address, at - 8);
                let bytes = MemFlagsData::new().with_endianness(Endianness::Little);
                let pair = self.builder.ins().bitcast(types::I8X16, bytes, pair);
                let exchange = self.builder.func.dfg.immediates.push(EXCHANGE.as_slice().into());
                let pair = self.builder.ins().shuffle(pair, pair, exchange);
                self.builder.ins().bitcast(types::F64X2, bytes, pair)
            }
            stride => {
                let first = self.builder.ins().load(types::F64, flags(), address, at);
                let second = self.builder.ins().load(types::F64, flags(), address, at + 8 * stride);
                let pair = self.builder.ins().scalar_to_vector(types::F64X2, first);
                self.builder.ins().insertlane(pair, second, 1)
            }
        }
    }
}
