//! Machine code against the interpreter, bit for bit.

use super::compile;
use crate::program::code::{Code, Instr, Val};
use crate::program::function::{Derivative, FnTable};
use crate::program::interp::Interpreter;
use cranelift_entity::{EntityRef, PrimaryMap};
use partita_runtime::abi::{Environment, Kernels};
use partita_runtime::math::{Op1, Op2};
use partita_runtime::plan::{KernelId, Slot};
use std::time::Instant;

/// A small generator of numbers, the same on every machine (Marsaglia's xorshift).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n
    }

    pub(super) fn number(&mut self) -> f64 {
        const SPECIAL: [f64; 12] =
            [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324, f64::MAX, -2.5];
        if self.below(3) == 0 {
            SPECIAL[self.below(SPECIAL.len())]
        } else {
            (self.below(2_000_001) as f64 - 1e6) / 1.5e5
        }
    }
}

const OP1: [Op1; 20] = [
    Op1::Neg, Op1::Not, Op1::Abs, Op1::Sign, Op1::Sqrt, Op1::Sin, Op1::Cos, Op1::Tan, Op1::Asin, Op1::Acos, Op1::Atan, Op1::Sinh,
    Op1::Cosh, Op1::Tanh, Op1::Exp, Op1::Log, Op1::Log10, Op1::Floor, Op1::Ceil, Op1::Trunc,
];
const OP2: [Op2; 16] = [
    Op2::Add, Op2::Sub, Op2::Mul, Op2::Div, Op2::Pow, Op2::Atan2, Op2::Min, Op2::Max, Op2::Lt, Op2::Le, Op2::Gt, Op2::Ge, Op2::Eq,
    Op2::Ne, Op2::And, Op2::Or,
];

/// Two outputs, and refuses a first argument above 6.
fn swap(environment: &mut Environment, args: &[f64], outs: &mut [f64]) -> bool {
    if args[0] > 6.0 {
        environment.failure = Some(format!("{} is above 6", args[0]));
        return false;
    }
    outs[0] = args[1];
    outs[1] = args[0] + 1.0;
    true
}

fn random_code(random: &mut Random, length: usize, n_slots: usize, with_calls: bool) -> Code {
    let mut code = Code::default();
    let mut numbers: Vec<Val> = Vec::new();
    let mut calls: Vec<Val> = Vec::new();
    for _ in 0..length {
        let slot = Slot::new(random.below(n_slots));
        let out = random.below(n_slots) as u32;
        // Mostly near operands, sometimes far ones, which cross the cuts.
        let reach = if random.below(4) == 0 { numbers.len() } else { numbers.len().min(30) };
        let pick = |random: &mut Random| numbers[numbers.len() - 1 - random.below(reach)];
        let kind = if numbers.len() < 3 { random.below(3) } else { random.below(if with_calls { 16 } else { 14 }) };
        let instr = match kind {
            0 => Instr::Const(random.number()),
            1 => Instr::Load(slot),
            2 => Instr::LoadOut(out),
            3..=5 => Instr::Unary(OP1[random.below(OP1.len())], pick(random)),
            6..=9 => Instr::Binary(OP2[random.below(OP2.len())], pick(random), pick(random)),
            10 | 11 => Instr::Select(pick(random), pick(random), pick(random)),
            12 => Instr::Store(slot, pick(random)),
            13 => Instr::StoreOut(out, pick(random)),
            14 if random.below(2) == 0 => Instr::Call(crate::ids::FnId::new(0), vec![pick(random), pick(random)]),
            14 => Instr::GuardedCall(crate::ids::FnId::new(0), vec![pick(random), pick(random)], pick(random)),
            _ => match calls.len() {
                0 => Instr::Const(random.number()),
                n => Instr::Result(calls[n - 1 - random.below(n.min(5))], random.below(2) as u32),
            },
        };
        match &instr {
            Instr::Store(..) | Instr::StoreOut(..) => drop(code.instrs.push(instr)),
            Instr::Call(..) | Instr::GuardedCall(..) => calls.push(code.instrs.push(instr)),
            _ => numbers.push(code.instrs.push(instr)),
        }
    }
    for (position, val) in numbers.iter().rev().take(n_slots).enumerate() {
        code.instrs.push(Instr::Store(Slot::new(position), *val));
    }
    code
}

/// All NaN are one value: which of two NaN an addition keeps is the machine's choice.
pub(super) fn same(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()))
}

fn compare(codes: PrimaryMap<KernelId, Code>, functions: FnTable, n_slots: usize, random: &mut Random) {
    let native = compile(&codes, &functions).unwrap();
    let interpreter = Interpreter::new(codes, functions).unwrap();
    for kernel in interpreter.codes().keys() {
        for _ in 0..3 {
            let memory: Vec<f64> = (0..n_slots).map(|_| random.number()).collect();
            let out: Vec<f64> = (0..n_slots).map(|_| random.number()).collect();
            let run = |kernels: &dyn Kernels| {
                let (mut memory, mut out, mut environment) = (memory.clone(), out.clone(), Environment::default());
                let result = kernels.call(kernel, &mut memory, &mut out, &mut environment);
                (result, environment.failure, memory, out)
            };
            let (expected, got) = (run(&interpreter), run(&native));
            assert_eq!((expected.0, &expected.1), (got.0, &got.1));
            // After a failure the arrays are as far as the code came, which may differ.
            if expected.0.is_ok() {
                assert!(same(&expected.2, &got.2), "{kernel}: {:?}\n{:?}", expected.2, got.2);
                assert!(same(&expected.3, &got.3), "{kernel}: {:?}\n{:?}", expected.3, got.3);
            }
        }
    }
}

#[test]
fn machine_code_and_interpreter_agree_on_random_short_codes() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut codes = PrimaryMap::new();
    for _ in 0..300 {
        let length = 20 + random.below(80);
        codes.push(random_code(&mut random, length, 12, false));
    }
    compare(codes, FnTable::default(), 12, &mut random);
}

#[test]
fn machine_code_and_interpreter_agree_on_codes_with_calls_and_cuts() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut functions = FnTable::default();
    functions.push_pointer("swap", swap, 2, 2, Derivative::Unknown);
    let mut codes = PrimaryMap::new();
    for with_calls in [false, true] {
        for _ in 0..4 {
            codes.push(random_code(&mut random, 6000, 300, with_calls));
        }
        for _ in 0..60 {
            codes.push(random_code(&mut random, 30, 300, with_calls));
        }
    }
    compare(codes, functions, 300, &mut random);
}

#[test]
fn every_operation_agrees_on_special_numbers() {
    let special = [0.0, -0.0, 1.0, -1.0, 2.0, -0.5, 0.5, 1.5, -1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324, 1e300, 4503599627370497.5];
    let mut code = Code::default();
    let a = code.instrs.push(Instr::Load(Slot::new(0)));
    let b = code.instrs.push(Instr::Load(Slot::new(1)));
    let mut results = Vec::new();
    for op in OP1 {
        results.push(code.instrs.push(Instr::Unary(op, a)));
    }
    for op in OP2 {
        results.push(code.instrs.push(Instr::Binary(op, a, b)));
    }
    results.push(code.instrs.push(Instr::Select(a, b, a)));
    for (i, val) in results.iter().enumerate() {
        code.instrs.push(Instr::Store(Slot::new(i + 2), *val));
    }
    let n = results.len() + 2;
    let mut codes = PrimaryMap::new();
    let kernel = codes.push(code);
    let native = compile(&codes, &FnTable::default()).unwrap();
    let interpreter = Interpreter::new(codes, FnTable::default()).unwrap();
    for a in special {
        for b in special {
            let mut expected = vec![0.0; n];
            expected[..2].copy_from_slice(&[a, b]);
            let mut got = expected.clone();
            interpreter.call(kernel, &mut expected, &mut [], &mut Environment::default()).unwrap();
            native.call(kernel, &mut got, &mut [], &mut Environment::default()).unwrap();
            assert!(same(&expected, &got), "{a} {b}: {expected:?} {got:?}");
        }
    }
}

#[test]
fn arrays_that_are_too_short_are_refused() {
    let mut code = Code::default();
    let one = code.instrs.push(Instr::Const(1.0));
    code.instrs.push(Instr::Store(Slot::new(5), one));
    let mut codes = PrimaryMap::new();
    let kernel = codes.push(code);
    let native = compile(&codes, &FnTable::default()).unwrap();
    let mut environment = Environment::default();
    assert!(native.call(kernel, &mut [0.0; 5], &mut [], &mut environment).is_err());
    assert!(environment.failure.is_some());
    assert!(native.call(kernel, &mut [0.0; 6], &mut [], &mut environment).is_ok());
}

/// A chain like a discretised line: each slot from its neighbours.
fn line(n: usize) -> PrimaryMap<KernelId, Code> {
    let mut code = Code::default();
    let k = code.instrs.push(Instr::Load(Slot::new(0)));
    let mut left = code.instrs.push(Instr::Load(Slot::new(1)));
    let mut middle = code.instrs.push(Instr::Load(Slot::new(2)));
    for i in 0..n {
        let right = code.instrs.push(Instr::Load(Slot::new(3 + i)));
        let difference = code.instrs.push(Instr::Binary(Op2::Sub, right, left));
        let flow = code.instrs.push(Instr::Binary(Op2::Mul, k, difference));
        let square = code.instrs.push(Instr::Binary(Op2::Mul, middle, middle));
        let sum = code.instrs.push(Instr::Binary(Op2::Add, flow, square));
        code.instrs.push(Instr::Store(Slot::new(3 + n + i), sum));
        left = middle;
        middle = right;
    }
    let mut codes = PrimaryMap::new();
    codes.push(code);
    codes
}

#[test]
fn compile_time_grows_linearly() {
    let milliseconds_per_thousand = |n: usize| {
        let codes = line(n);
        let start = Instant::now();
        let native = compile(&codes, &FnTable::default()).unwrap();
        let elapsed = start.elapsed().as_secs_f64();
        let n_instrs: usize = codes.values().map(|code| code.instrs.len()).sum();
        println!("{n_instrs} instructions: {:.1} ms, {} bytes", elapsed * 1e3, native.n_bytes());
        elapsed * 1e6 / n_instrs as f64
    };
    let small = milliseconds_per_thousand(2_000);
    let large = milliseconds_per_thousand(17_000);
    println!("{small:.2} and {large:.2} ms per 1000 instructions");
    // Other work on the machine makes times uncertain; quadratic growth would be a factor of 8.
    assert!(large < 4.0 * small, "{small} {large}");
}
