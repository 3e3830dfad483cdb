//! Machine code against the interpreter, bit for bit: code in memory and code that was kept and loaded.

mod addresses;

use super::link::natives;
use super::{MachineCode, compile, compile_to_object};
use crate::base::ids::FnId;
use crate::equations::function::structured::{Function, MessageFragment, Role, Stmt, Target, Value};
use crate::equations::function::table::{Derivative, FnTable};
use crate::program::code::{Code, Instr, Val};
use crate::program::interp::Interpreter;
use cranelift_entity::{EntityRef, PrimaryMap};
use partita_runtime::abi::{Environment, Kernels};
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::plan::{KernelId, Slot, SlotType};
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
        const SPECIAL: [f64; 12] = [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324, f64::MAX, -2.5];
        if self.below(3) == 0 { SPECIAL[self.below(SPECIAL.len())] } else { (self.below(2_000_001) as f64 - 1e6) / 1.5e5 }
    }
}

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
            3..=5 => Instr::Unary(Op1::ALL[random.below(Op1::ALL.len())], pick(random)),
            6..=9 => Instr::Binary(Op2::ALL[random.below(Op2::ALL.len())], pick(random), pick(random)),
            10 | 11 => Instr::Select(pick(random), pick(random), pick(random)),
            12 => Instr::Store(slot, pick(random)),
            13 => Instr::StoreOut(out, pick(random)),
            14 if random.below(2) == 0 => Instr::Call(FnId::new(0), vec![pick(random), pick(random)]),
            14 => Instr::GuardedCall(FnId::new(0), vec![pick(random), pick(random)], pick(random)),
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

/// Machine code in both ways: made in memory, and made as an object and loaded.
fn both_ways(codes: &PrimaryMap<KernelId, Code>, functions: &FnTable) -> [MachineCode; 2] {
    let object = compile_to_object(codes, functions).unwrap();
    let natives = natives(functions).map(|(_, native)| native.clone()).collect();
    [compile(codes, functions).unwrap(), MachineCode::load_with(&object, natives).unwrap()]
}

fn compare(codes: PrimaryMap<KernelId, Code>, functions: FnTable, n_slots: usize, random: &mut Random) {
    let natives = both_ways(&codes, &functions);
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
            let expected = run(&interpreter);
            for native in &natives {
                let got = run(native);
                assert_eq!((expected.0, &expected.1), (got.0, &got.1));
                // After a failure the arrays are as far as the code came, which may differ.
                if expected.0.is_ok() {
                    assert!(same(&expected.2, &got.2), "{kernel}: {:?}\n{:?}", expected.2, got.2);
                    assert!(same(&expected.3, &got.3), "{kernel}: {:?}\n{:?}", expected.3, got.3);
                }
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
    let special =
        [0.0, -0.0, 1.0, -1.0, 2.0, -0.5, 0.5, 1.5, -1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324, 1e300, 4503599627370497.5];
    let mut code = Code::default();
    let a = code.instrs.push(Instr::Load(Slot::new(0)));
    let b = code.instrs.push(Instr::Load(Slot::new(1)));
    let mut results = Vec::new();
    for op in Op1::ALL {
        results.push(code.instrs.push(Instr::Unary(op, a)));
    }
    for op in Op2::ALL {
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
    let best = |n: usize| (0..3).map(|_| milliseconds_per_thousand(n)).fold(f64::INFINITY, f64::min);
    let (small, large) = (best(2_000), best(17_000));
    println!("{small:.2} and {large:.2} ms per 1000 instructions");
    // Other work on the machine makes times uncertain; quadratic growth would be a factor of 8.
    assert!(large < 4.0 * small, "{small} {large}");
}

/// A kernel that calls a function with the first slots and stores its outputs behind them.
fn caller(function: FnId, functions: &FnTable) -> Code {
    let def = &functions.defs()[function];
    let mut code = Code::default();
    let args = (0..def.n_inputs).map(|i| code.instrs.push(Instr::Load(Slot::new(i)))).collect();
    let call = code.instrs.push(Instr::Call(function, args));
    for i in 0..def.n_outputs {
        let result = code.instrs.push(Instr::Result(call, i as u32));
        code.instrs.push(Instr::Store(Slot::new(def.n_inputs + i), result));
    }
    code
}

/// What a function gives, the same by interpreter and machine code.
struct Both {
    natives: [MachineCode; 2],
    interpreter: Interpreter,
}

impl Both {
    fn new(functions: FnTable) -> Both {
        let codes: PrimaryMap<KernelId, Code> = functions.defs().keys().map(|f| caller(f, &functions)).collect();
        let natives = both_ways(&codes, &functions);
        Both { natives, interpreter: Interpreter::new(codes, functions).unwrap() }
    }

    fn call(&self, function: FnId, args: &[f64]) -> Result<Vec<f64>, String> {
        let def = &self.interpreter.functions().defs()[function];
        assert_eq!(args.len(), def.n_inputs);
        let run = |kernels: &dyn Kernels| {
            let mut memory = args.to_vec();
            memory.resize(args.len() + def.n_outputs, 0.0);
            let mut environment = Environment::default();
            match kernels.call(KernelId::new(function.index()), &mut memory, &mut [], &mut environment) {
                Ok(()) => Ok(memory.split_off(args.len())),
                Err(_) => Err(environment.failure.unwrap()),
            }
        };
        let expected = run(&self.interpreter);
        for native in &self.natives {
            match (&expected, run(native)) {
                (Ok(expected), Ok(got)) => assert!(same(expected, &got), "{expected:?} {got:?}"),
                (expected, got) => assert_eq!(*expected, got),
            }
        }
        expected
    }

    /// The derivative of `function` agrees with central differences of it.
    fn check_derivative(&self, function: FnId, x: &[f64], dx: &[f64]) {
        let Derivative::Function(derivative) = self.interpreter.functions().derivative(function) else { panic!("no derivative") };
        let tangent = self.call(derivative, &[x, dx].concat()).unwrap();
        let h = 1e-6;
        let at = |s: f64| self.call(function, &x.iter().zip(dx).map(|(x, dx)| x + s * h * dx).collect::<Vec<_>>()).unwrap();
        for ((high, low), tangent) in at(1.0).iter().zip(at(-1.0)).zip(tangent) {
            let difference = (high - low) / (2.0 * h);
            assert!((tangent - difference).abs() <= 1e-6 * (1.0 + difference.abs()), "{tangent} {difference}");
        }
    }
}

/// Heron's square root: `while`, `if`, early return, and an assert on its argument.
fn heron() -> Function {
    let mut f = Function::new("heron");
    let x = f.variable("x", &[], Role::Input);
    let y = f.variable("y", &[], Role::Output);
    let old = f.variable("old", &[], Role::Local);
    let (zero, half, one) = (f.constant(0.0), f.constant(0.5), f.constant(1.0));
    let (read_x, read_y, read_old) = (f.read(x, &[]), f.read(y, &[]), f.read(old, &[]));
    let positive = f.binary(Op2::Ge, read_x, zero);
    let is_zero = f.binary(Op2::Eq, read_x, zero);
    let quotient = f.binary(Op2::Div, read_x, read_y);
    let sum = f.binary(Op2::Add, read_y, quotient);
    let mean = f.binary(Op2::Mul, half, sum);
    let differs = f.binary(Op2::Ne, read_y, read_old);
    let change = f.binary(Op2::Sub, read_y, read_old);
    let size = f.unary(Op1::Abs, change);
    let tolerance = f.constant(1e-15);
    let small = f.binary(Op2::Lt, size, tolerance);
    f.body = vec![
        Stmt::Assert {
            condition: positive,
            message: vec![
                MessageFragment::Text("x = ".to_string()),
                MessageFragment::Value(read_x, partita_runtime::base::format::Format::Plain(SlotType::Real)),
                MessageFragment::Text(" is negative".to_string()),
            ],
        },
        Function::assign(y, &[], zero),
        Stmt::If(vec![(is_zero, vec![Stmt::Return])], vec![]),
        Function::assign(y, &[], one),
        Function::assign(old, &[], zero),
        Stmt::While(
            differs,
            vec![Function::assign(old, &[], read_y), Function::assign(y, &[], mean), Stmt::If(vec![(small, vec![Stmt::Break])], vec![])],
        ),
    ];
    f
}

/// `y = A*x` with a matrix of 2 rows and 3 columns, by loops, and `norm = heron(y*y)` by a call.
fn product(heron: FnId) -> Function {
    let mut f = Function::new("product");
    let a = f.variable("A", &[2, 3], Role::Input);
    let x = f.variable("x", &[3], Role::Input);
    let y = f.variable("y", &[2], Role::Output);
    let norm = f.variable("norm", &[], Role::Output);
    let [i, j, s] = ["i", "j", "s"].map(|name| f.variable(name, &[], Role::Local));
    let [zero, one, two, three] = [0.0, 1.0, 2.0, 3.0].map(|value| f.constant(value));
    let [read_i, read_j, read_s] = [i, j, s].map(|local| f.read(local, &[]));
    let element = f.read(a, &[read_i, read_j]);
    let factor = f.read(x, &[read_j]);
    let term = f.binary(Op2::Mul, element, factor);
    let sum = f.binary(Op2::Add, read_s, term);
    let [first, second] = [one, two].map(|k| f.read(y, &[k]));
    let [first, second] = [first, second].map(|v| f.binary(Op2::Mul, v, v));
    let square = f.binary(Op2::Add, first, second);
    let inner = Stmt::For { variable: j, start: one, step: one, stop: three, body: vec![Function::assign(s, &[], sum)] };
    let outer = vec![Function::assign(s, &[], zero), inner, Function::assign(y, &[read_i], read_s)];
    f.body = vec![
        Stmt::For { variable: i, start: one, step: one, stop: two, body: outer },
        Stmt::Call { function: heron, args: vec![square], targets: vec![Some(Target { variable: norm, subscripts: vec![] })] },
    ];
    f
}

#[test]
fn functions_with_loops_arrays_calls_and_early_returns_run_and_differentiate() {
    let mut functions = FnTable::default();
    let heron = functions.push(&heron()).unwrap();
    let product = functions.push(&product(heron)).unwrap();
    let Derivative::Function(tangent) = functions.derive(product).unwrap() else { panic!("no derivative") };
    functions.derive(tangent).unwrap();
    let both = Both::new(functions);
    assert_eq!(both.call(heron, &[2.25]).unwrap(), [1.5]);
    assert_eq!(both.call(heron, &[0.0]).unwrap(), [0.0]);
    assert_eq!(both.call(heron, &[-2.0]).unwrap_err(), "x = -2 is negative (in function heron)");
    let args = [1.0, 0.0, 2.0, 0.0, 1.0, 0.0, 1.0, 4.0, 1.0];
    assert_eq!(both.call(product, &args).unwrap(), [3.0, 4.0, 5.0]);
    both.check_derivative(heron, &[2.0], &[1.0]);
    let direction = [0.1, -0.2, 0.3, 0.5, 0.7, -1.0, 0.4, -0.3, 0.9];
    both.check_derivative(product, &args, &direction);
    both.check_derivative(tangent, &[args, direction].concat(), &[direction, args].concat());
}

#[test]
fn subscripts_out_of_range_and_endless_loops_are_failures_with_messages() {
    let mut f = Function::new("pick");
    let index = f.variable("i", &[], Role::Input);
    let y = f.variable("y", &[], Role::Output);
    let table = f.variable("table", &[3], Role::Local);
    let read = f.read(index, &[]);
    let mut body = Vec::new();
    for k in [1.0, 2.0, 3.0] {
        let (at, value) = (f.constant(k), f.constant(10.0 * k));
        body.push(Function::assign(table, &[at], value));
    }
    let element = f.read(table, &[read]);
    body.push(Function::assign(y, &[], element));
    f.body = body;
    let mut endless = Function::new("endless");
    let y = endless.variable("y", &[], Role::Output);
    let one = endless.constant(1.0);
    endless.body = vec![Function::assign(y, &[], one), Stmt::While(one, vec![])];
    let mut functions = FnTable::default();
    let pick = functions.push(&f).unwrap();
    let endless = functions.push(&endless).unwrap();
    let both = Both::new(functions);
    assert_eq!(both.call(pick, &[3.0]).unwrap(), [30.0]);
    for bad in [0.0, 4.0, 1.5, -1.0, 1e300, f64::NAN, f64::NEG_INFINITY] {
        let message = both.call(pick, &[bad]).unwrap_err();
        assert_eq!(message, format!("subscript 1 of table is {bad}, which is not in 1..3 (in function pick)"));
    }
    assert_eq!(both.call(endless, &[]).unwrap_err(), "loops ran more than 10000000 iterations (in function endless)");
}

#[test]
fn conditions_evaluate_only_what_they_need() {
    // if i <= 3 and x[i] > 0 or i == 5 then x[i]^2 else -i
    let mut f = Function::new("lazy");
    let x = f.variable("x", &[3], Role::Input);
    let i = f.variable("i", &[], Role::Input);
    let y = f.variable("y", &[], Role::Output);
    let [zero, three, five, two] = [0.0, 3.0, 5.0, 2.0].map(|value| f.constant(value));
    let read_i = f.read(i, &[]);
    let element = f.read(x, &[read_i]);
    let in_range = f.binary(Op2::Le, read_i, three);
    let positive = f.binary(Op2::Gt, element, zero);
    let both_hold = f.binary(Op2::And, in_range, positive);
    let is_five = f.binary(Op2::Eq, read_i, five);
    let condition = f.binary(Op2::Or, both_hold, is_five);
    let power = f.binary(Op2::Pow, element, two);
    let minus = f.unary(Op1::Neg, read_i);
    let value = f.value(Value::Select(condition, power, minus));
    f.body = vec![Function::assign(y, &[], value)];
    let mut functions = FnTable::default();
    let lazy = functions.push(&f).unwrap();
    functions.derive(lazy).unwrap();
    let both = Both::new(functions);
    assert_eq!(both.call(lazy, &[3.0, -1.0, 2.0, 1.0]).unwrap(), [9.0]);
    assert_eq!(both.call(lazy, &[3.0, -1.0, 2.0, 2.0]).unwrap(), [-2.0]);
    assert_eq!(both.call(lazy, &[3.0, -1.0, 2.0, 4.0]).unwrap(), [-4.0]);
    assert!(both.call(lazy, &[3.0, -1.0, 2.0, 5.0]).unwrap_err().contains("subscript 1 of x is 5"));
    both.check_derivative(lazy, &[3.0, -1.0, 2.0, 1.0], &[0.5, 1.0, 1.0, 0.0]);
}

#[test]
fn large_arrays_real_ranges_and_never_assigned_values_work() {
    let mut f = Function::new("large");
    let n = f.variable("n", &[], Role::Input);
    let y = f.variable("y", &[], Role::Output);
    let missing = f.variable("missing", &[], Role::Output);
    let big = f.variable("big", &[100, 100], Role::Local);
    let [i, k] = ["i", "k"].map(|name| f.variable(name, &[], Role::Local));
    let [zero, one, hundred, minus] = [0.0, 1.0, 100.0, -0.5].map(|value| f.constant(value));
    let [read_n, read_y, read_i, read_k] = [n, y, i, k].map(|local| f.read(local, &[]));
    let element = f.read(big, &[read_i, hundred]);
    let sum = f.binary(Op2::Add, read_y, element);
    let last = f.binary(Op2::Add, read_y, read_k);
    f.body = vec![
        Stmt::For { variable: i, start: one, step: one, stop: read_n, body: vec![Function::assign(big, &[read_i, hundred], read_i)] },
        Function::assign(y, &[], zero),
        Stmt::For { variable: i, start: one, step: one, stop: read_n, body: vec![Function::assign(y, &[], sum)] },
        // 1, 0.5, 0
        Stmt::For { variable: k, start: one, step: minus, stop: zero, body: vec![Function::assign(y, &[], last)] },
        Stmt::For { variable: k, start: one, step: one, stop: zero, body: vec![Function::assign(missing, &[], one)] },
    ];
    let mut functions = FnTable::default();
    let large = functions.push(&f).unwrap();
    let both = Both::new(functions);
    let result = both.call(large, &[100.0]).unwrap();
    assert_eq!(result[0], 5051.5);
    assert!(result[1].is_nan());
    assert!(both.call(large, &[101.0]).unwrap_err().contains("subscript 1 of big is 101"));
    assert!(both.call(large, &[f64::NAN]).unwrap_err().contains("has no end"));
}

#[test]
fn foreign_functions_are_differentiated_by_differences() {
    fn bump(_: &mut Environment, args: &[f64], outs: &mut [f64]) -> bool {
        outs[0] = args[0] * args[0] * args[1];
        true
    }
    let mut functions = FnTable::default();
    let bump = functions.push_pointer("bump", bump, 2, 1, Derivative::FiniteDifference);
    let mut f = Function::new("around");
    let x = f.variable("x", &[], Role::Input);
    let y = f.variable("y", &[], Role::Output);
    let read = f.read(x, &[]);
    let three = f.constant(3.0);
    let call = f.value(Value::Call(bump, vec![read, three], 0));
    let sine = f.unary(Op1::Sin, call);
    f.body = vec![Function::assign(y, &[], sine)];
    let around = functions.push(&f).unwrap();
    functions.derive(around).unwrap();
    let both = Both::new(functions);
    both.check_derivative(bump, &[0.3, 20.0], &[1.0, 2.0]);
    both.check_derivative(bump, &[0.3, 20.0], &[0.0, 0.0]);
    both.check_derivative(around, &[0.7], &[1.0]);
}

#[test]
fn wrong_functions_are_refused() {
    let mut functions = FnTable::default();
    let mut f = Function::new("f");
    let x = f.variable("x", &[2], Role::Input);
    let y = f.variable("y", &[], Role::Output);
    let three = f.constant(3.0);
    f.body = vec![Function::assign(x, &[three], three)];
    assert!(functions.push(&f).unwrap_err().reason.contains("input x is assigned"));
    let element = f.read(x, &[three]);
    f.body = vec![Function::assign(y, &[], element)];
    assert!(functions.push(&f).unwrap_err().reason.contains("not in 1..2"));
    f.body = vec![Stmt::Break];
    let mut g = Function::new("g");
    g.body = vec![Stmt::Break];
    assert!(functions.push(&g).unwrap_err().reason.contains("break"));
    g.body = vec![Stmt::Call { function: FnId::new(0), args: vec![], targets: vec![] }];
    assert!(functions.push(&g).unwrap_err().reason.contains("not known"));
}

/// An expression of a statement of a loop: a tree over cells that advance, cells that stay, and numbers.
fn random_tree(code: &mut Code, iteration: usize, choices: &mut impl FnMut(usize) -> usize, depth: usize, simple: bool) -> Val {
    let instr = match if depth == 0 { choices(4) } else { choices(10) } {
        0 => Instr::Const([1.5, -0.0, f64::INFINITY, 2.0][choices(4)]),
        1 => Instr::Load(Slot::new(choices(20))),
        2 => {
            let stride = [1, 1, 2, 3][choices(4)];
            Instr::Load(Slot::new(20 + choices(20) + stride * iteration))
        }
        3 => Instr::LoadOut((300 + choices(20) - iteration) as u32),
        4 | 5 => {
            let op = if simple { [Op1::Neg, Op1::Abs, Op1::Sqrt][choices(3)] } else { Op1::ALL[choices(Op1::ALL.len())] };
            let a = random_tree(code, iteration, choices, depth - 1, simple);
            Instr::Unary(op, a)
        }
        6 if !simple => {
            let c = random_tree(code, iteration, choices, depth - 1, simple);
            let a = random_tree(code, iteration, choices, depth - 1, simple);
            let b = random_tree(code, iteration, choices, depth - 1, simple);
            Instr::Select(c, a, b)
        }
        _ => {
            let op = if simple { [Op2::Add, Op2::Sub, Op2::Mul, Op2::Div][choices(4)] } else { Op2::ALL[choices(Op2::ALL.len())] };
            let a = random_tree(code, iteration, choices, depth - 1, simple);
            let b = random_tree(code, iteration, choices, depth - 1, simple);
            Instr::Binary(op, a, b)
        }
    };
    code.instrs.push(instr)
}

#[test]
fn loops_give_the_same_bits() {
    let mut random = Random(77);
    let functions = FnTable::default();
    let (mut n_loops, mut n_rerolled) = (0, 0);
    for case in 0..300 {
        let simple = case % 2 == 0;
        let mut code = Code::default();
        let n_statements = 1 + random.below(3);
        for statement in 0..n_statements {
            let iterations = 16 + random.below(40);
            let stride = 1 + random.below(2);
            let seed = random.next();
            for iteration in 0..iterations {
                // The same choices in every iteration.
                let mut choice = Random(seed | 1);
                let mut choices = |n: usize| choice.below(n);
                let value = random_tree(&mut code, iteration, &mut choices, 3, simple);
                let at = 400 + 200 * statement + stride * iteration;
                code.instrs.push(if statement == 1 { Instr::StoreOut(at as u32, value) } else { Instr::Store(Slot::new(at), value) });
            }
        }
        let parts = crate::program::reroll::reroll(&code).unwrap_or_default();
        n_loops += parts.iter().filter(|part| matches!(part, crate::program::reroll::CodePart::Loop(_))).count();
        n_rerolled += usize::from(!parts.is_empty());
        let mut codes = PrimaryMap::new();
        let kernel = codes.push(code);
        let native = compile(&codes, &functions).unwrap();
        let interpreter = Interpreter::new(codes, functions.clone()).unwrap();
        let memory: Vec<f64> = (0..1000).map(|_| random.number()).collect();
        let mut results = Vec::new();
        let kernels: [&dyn Kernels; 2] = [&native, &interpreter];
        for kernels in kernels {
            let (mut memory, mut out) = (memory.clone(), memory.clone());
            kernels.call(kernel, &mut memory, &mut out, &mut Environment::default()).unwrap();
            // The sign of a NaN means nothing.
            let bits = |values: Vec<f64>| {
                values.into_iter().map(|value| if value.is_nan() { u64::MAX } else { value.to_bits() }).collect::<Vec<_>>()
            };
            results.push((bits(memory), bits(out)));
        }
        assert!(results[0] == results[1], "case {case}");
    }
    assert!(n_rerolled > 150 && n_loops > n_rerolled, "{n_rerolled} codes with {n_loops} loops");
}

/// All inputs less their mean, and the root of the sum of squares by a call: all inputs are alive at once.
fn wide(heron: FnId, n: usize) -> Function {
    let mut f = Function::new("wide");
    let inputs: Vec<_> = (0..n).map(|i| f.variable(&format!("x{i}"), &[], Role::Input)).collect();
    let outputs: Vec<_> = (0..n).map(|i| f.variable(&format!("y{i}"), &[], Role::Output)).collect();
    let norm = f.variable("norm", &[], Role::Output);
    let [mean, square] = ["mean", "square"].map(|name| f.variable(name, &[], Role::Local));
    let [read_mean, read_square] = [mean, square].map(|local| f.read(local, &[]));
    let (zero, count) = (f.constant(0.0), f.constant(n as f64));
    let reads: Vec<_> = inputs.iter().map(|x| f.read(*x, &[])).collect();
    let total = reads.iter().fold(zero, |sum, x| f.binary(Op2::Add, sum, *x));
    let value = f.binary(Op2::Div, total, count);
    f.body = vec![Function::assign(mean, &[], value), Function::assign(square, &[], zero)];
    for (x, y) in reads.iter().zip(&outputs) {
        let difference = f.binary(Op2::Sub, *x, read_mean);
        let read = f.read(*y, &[]);
        let product = f.binary(Op2::Mul, read, read);
        let sum = f.binary(Op2::Add, read_square, product);
        f.body.extend([Function::assign(*y, &[], difference), Function::assign(square, &[], sum)]);
    }
    f.body.push(Stmt::Call {
        function: heron,
        args: vec![read_square],
        targets: vec![Some(Target { variable: norm, subscripts: vec![] })],
    });
    let is_large = f.binary(Op2::Gt, read_mean, zero);
    let first = f.read(outputs[0], &[]);
    let double = f.binary(Op2::Add, first, first);
    f.body.push(Stmt::If(vec![(is_large, vec![Function::assign(outputs[0], &[], double)])], vec![]));
    f
}

#[test]
fn functions_with_thousands_of_values_are_right_too() {
    for n in [20, 3000] {
        let mut functions = FnTable::default();
        let heron = functions.push(&heron()).unwrap();
        let wide = functions.push(&wide(heron, n)).unwrap();
        let both = Both::new(functions);
        let args: Vec<f64> = (0..n).map(|i| (i as f64 * 0.37).sin() + 1.0).collect();
        let got = both.call(wide, &args).unwrap();
        let mean = args.iter().sum::<f64>() / n as f64;
        assert!((got[1] - (args[1] - mean)).abs() < 1e-12);
        assert!((got[0] - 2.0 * (args[0] - mean)).abs() < 1e-12);
        let norm = args.iter().map(|x| (x - mean).powi(2)).sum::<f64>().sqrt();
        assert!((got[n] - norm).abs() < 1e-9 * norm);
    }
}
