//! What code refers to, on both paths: constants, functions of the runtime that lie far away, other functions, and panics that pass it.

use super::{Both, both_ways, caller, heron, same};
use crate::base::ids::FnId;
use crate::codegen::image::ImageModule;
use crate::codegen::jit::far::compile_far;
use crate::codegen::target::instruction_set;
use crate::equations::function::structured::{Function, Role, Value};
use crate::equations::function::table::{Derivative, FnTable};
use crate::program::code::{Code, Instr, Val};
use crate::program::interp::Interpreter;
use cranelift::codegen::binemit::Reloc;
use cranelift::codegen::ir::{AbiParam, Signature, types};
use cranelift_entity::{EntityRef, PrimaryMap};
use cranelift_module::{FuncId, Linkage, Module, ModuleReloc, ModuleRelocTarget};
use partita_runtime::abi::machine_code::Referents;
use partita_runtime::abi::object::{Processor, Symbol};
use partita_runtime::abi::{Environment, Kernels};
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::plan::{KernelId, Slot};

#[test]
fn constants_keep_all_their_bits() {
    let numbers = [0.0, -0.0, 0.1, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, -1.0 / 3.0, 1e300];
    let mut code = Code::default();
    let zero = code.instrs.push(Instr::Load(Slot::new(0)));
    for (position, number) in numbers.iter().enumerate() {
        let value = code.instrs.push(Instr::Const(*number));
        let chosen = code.instrs.push(Instr::Select(zero, zero, value));
        code.instrs.push(Instr::Store(Slot::new(1 + position), chosen));
    }
    let codes: PrimaryMap<KernelId, Code> = [code].into_iter().collect();
    for native in both_ways(&codes, &FnTable::default()) {
        let mut memory = vec![0.0; 1 + numbers.len()];
        native.call(KernelId::new(0), &mut memory, &mut [], &mut Environment::default()).unwrap();
        assert!(same(&numbers, &memory[1..]), "{memory:?}");
    }
}

/// Pages of memory and the executable are far more than 2 GB apart where addresses have 47 bits.
#[test]
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn the_runtime_is_called_over_more_than_two_gigabytes() {
    let mut code = Code::default();
    let x = code.instrs.push(Instr::Load(Slot::new(0)));
    let sine = code.instrs.push(Instr::Unary(Op1::Sin, x));
    let power = code.instrs.push(Instr::Binary(Op2::Pow, sine, x));
    code.instrs.push(Instr::Store(Slot::new(1), power));
    let codes: PrimaryMap<KernelId, Code> = [code].into_iter().collect();
    let runtime = Referents::new(Vec::new(), Vec::new()).address(Symbol::Op1(Op1::Sin)).unwrap() as u64;
    for native in both_ways(&codes, &FnTable::default()) {
        let entry = native.addresses(KernelId::new(0)).next().unwrap() as u64;
        assert!(entry.abs_diff(runtime) > 1 << 31, "{entry:x} {runtime:x}");
        let mut memory = [0.5, 0.0];
        native.call(KernelId::new(0), &mut memory, &mut [], &mut Environment::default()).unwrap();
        assert_eq!(memory[1].to_bits(), Op2::Pow.eval(Op1::Sin.eval(0.5), 0.5).to_bits());
    }
}

fn nothing() -> Signature {
    Signature::new(instruction_set(Processor::Common).unwrap().default_call_conv())
}

/// A relocation that asks for the address of a function.
fn relocation(kind: Reloc, target: FuncId, addend: i64) -> ModuleReloc {
    ModuleReloc { offset: 0, kind, name: ModuleRelocTarget::from(target), addend }
}

#[test]
fn an_image_refuses_what_it_cannot_place() {
    let mut module = ImageModule::new(instruction_set(Processor::Common).unwrap());
    let own = module.declare_anonymous_function(&nothing()).unwrap();
    let missing = module.declare_anonymous_function(&nothing()).unwrap();
    let outside = module.declare_function("outside", Linkage::Import, &nothing()).unwrap();
    assert!(module.define_function_bytes(outside, 16, &[0; 8], &[]).is_err(), "it is made elsewhere");
    let near = [relocation(Reloc::X86CallPCRel4, own, 0)];
    assert!(module.define_function_bytes(own, 16, &[0; 8], &near).is_err(), "it would reach 2 GB only");
    module.define_function_bytes(own, 16, &[0; 8], &[relocation(Reloc::Abs8, missing, 0)]).unwrap();
    assert!(module.define_function_bytes(own, 16, &[0; 8], &[]).is_err(), "it is defined twice");
    assert!(module.finish(&PrimaryMap::new(), &FnTable::default(), Processor::Common).is_err(), "what it refers to was not made");
}

#[test]
fn functions_that_are_defined_one_by_one_lie_where_they_are_called() {
    let mut module = ImageModule::new(instruction_set(Processor::Common).unwrap());
    let first = module.declare_anonymous_function(&nothing()).unwrap();
    let second = module.declare_anonymous_function(&nothing()).unwrap();
    module.define_function_bytes(first, 16, &[0; 24], &[relocation(Reloc::Abs8, second, 3)]).unwrap();
    let mut context = module.make_context();
    context.func.signature.params.push(AbiParam::new(types::F64));
    context.func.signature.returns.push(AbiParam::new(types::F64));
    let mut scratch = cranelift::prelude::FunctionBuilderContext::new();
    let mut builder = cranelift::prelude::FunctionBuilder::new(&mut context.func, &mut scratch);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let param = builder.block_params(entry)[0];
    cranelift::prelude::InstBuilder::return_(builder.ins(), &[param]);
    builder.seal_all_blocks();
    builder.finalize(module.isa().frontend_config());
    module.define_function(second, &mut context).unwrap();
    let object = module.finish(&PrimaryMap::new(), &FnTable::default(), Processor::Common).unwrap();
    assert!(object.n_bytes() > 32, "the second begins at 32");
}

/// Many functions that call each other: every call meets its own one.
#[test]
fn calls_between_many_functions_arrive() {
    let mut functions = FnTable::default();
    let mut last = None;
    for number in 0..300 {
        let mut f = Function::new(&format!("f{number}"));
        let x = f.variable("x", &[], Role::Input);
        let y = f.variable("y", &[], Role::Output);
        let own = f.constant(f64::from(number));
        let argument = f.read(x, &[]);
        f.body = match last {
            None => vec![Function::assign(y, &[], own)],
            Some(callee) => {
                let before = f.value(Value::Call(callee, vec![argument], 0));
                let sum = f.binary(Op2::Add, before, own);
                vec![Function::assign(y, &[], sum)]
            }
        };
        last = Some(functions.push(&f).unwrap());
    }
    let both = Both::new(functions);
    for number in [0, 1, 17, 299] {
        let expected = f64::from(number * (number + 1) / 2);
        assert_eq!(both.call(FnId::new(number as usize), &[1.0]).unwrap(), [expected]);
    }
}

/// Code that is larger than what a near call reaches: functions lie by turns in blocks more than 2 GB apart, and call each other, the
/// runtime, and functions that fail.
#[test]
#[cfg(all(unix, target_pointer_width = "64"))]
fn calls_arrive_over_more_than_two_gigabytes() {
    let mut functions = FnTable::default();
    let mut last = functions.push(&heron()).unwrap();
    for number in 1..8 {
        let mut f = Function::new(&format!("f{number}"));
        let x = f.variable("x", &[], Role::Input);
        let y = f.variable("y", &[], Role::Output);
        let own = f.constant(0.1 * f64::from(number));
        let argument = f.read(x, &[]);
        let before = f.value(Value::Call(last, vec![argument], 0));
        let power = f.binary(Op2::Pow, before, own);
        f.body = vec![Function::assign(y, &[], power)];
        last = functions.push(&f).unwrap();
    }
    let codes: PrimaryMap<KernelId, Code> = functions.defs().keys().map(|f| caller(f, &functions)).collect();
    let far = compile_far(&codes, &functions).unwrap();
    let entries: Vec<u64> = codes.keys().flat_map(|kernel| far.addresses(kernel)).map(|entry| entry as u64).collect();
    let (low, high) = (entries.iter().min().unwrap(), entries.iter().max().unwrap());
    assert!(high - low > 1 << 31, "{low:x} {high:x}");
    let interpreter = Interpreter::new(codes.clone(), functions).unwrap();
    for kernel in codes.keys() {
        for x in [2.25, 9.0, -2.0] {
            let run = |kernels: &dyn Kernels| {
                let (mut memory, mut environment) = ([x, 0.0], Environment::default());
                let result = kernels.call(kernel, &mut memory, &mut [], &mut environment);
                (result.map(|()| memory[1].to_bits()), environment.failure)
            };
            assert_eq!(run(&interpreter), run(&far), "{kernel} of {x}");
        }
    }
}

/// A failure deep in calls passes frames of all of them, and the code can be called again.
#[test]
fn failures_pass_all_callers() {
    let mut functions = FnTable::default();
    let heron = functions.push(&heron()).unwrap();
    let mut last = heron;
    for name in ["middle", "outer"] {
        let mut f = Function::new(name);
        let x = f.variable("x", &[], Role::Input);
        let y = f.variable("y", &[], Role::Output);
        // Too large for the stack: it has to be given back on the way.
        let table = f.variable("table", &[5000], Role::Local);
        let (argument, place) = (f.read(x, &[]), f.constant(4000.0));
        let result = f.value(Value::Call(last, vec![argument], 0));
        let element = f.read(table, &[place]);
        f.body = vec![Function::assign(table, &[place], result), Function::assign(y, &[], element)];
        last = functions.push(&f).unwrap();
    }
    let both = Both::new(functions);
    for _ in 0..3 {
        assert_eq!(both.call(last, &[-2.0]).unwrap_err(), "x = -2 is negative (in function heron)");
        assert_eq!(both.call(last, &[2.25]).unwrap(), [1.5]);
    }
}

fn panics(_: &mut Environment, args: &[f64], outs: &mut [f64]) -> bool {
    assert!(args[0] < 1.0, "too large");
    outs[0] = args[0];
    true
}

/// A panic in the runtime passes machine code as a failure, and goes on behind it.
#[test]
fn panics_of_the_runtime_pass_machine_code() {
    let mut functions = FnTable::default();
    let panics = functions.push_pointer("panics", panics, 1, 1, Derivative::Zero);
    let codes: PrimaryMap<KernelId, Code> = [caller(panics, &functions)].into_iter().collect();
    for native in both_ways(&codes, &functions) {
        let call = |x: f64| {
            let (mut memory, mut environment) = ([x, 0.0], Environment::default());
            native.call(KernelId::new(0), &mut memory, &mut [], &mut environment).map(|()| memory[1])
        };
        assert_eq!(call(0.5), Ok(0.5));
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| call(2.0))).unwrap_err();
        assert_eq!(caught.downcast_ref::<&str>(), Some(&"too large"));
        assert_eq!(call(0.25), Ok(0.25));
    }
}

/// Code is not freed before the last of those who can call it.
#[test]
fn a_kernel_that_was_looked_up_keeps_its_code() {
    let mut code = Code::default();
    let x: Val = code.instrs.push(Instr::Load(Slot::new(0)));
    let twice = code.instrs.push(Instr::Binary(Op2::Add, x, x));
    code.instrs.push(Instr::Store(Slot::new(1), twice));
    let codes: PrimaryMap<KernelId, Code> = [code].into_iter().collect();
    for native in both_ways(&codes, &FnTable::default()) {
        let kernel = native.entry(KernelId::new(0)).unwrap();
        drop(native);
        let mut memory = [21.0, 0.0];
        kernel.call(&mut memory, &mut Environment::default()).unwrap();
        assert_eq!(memory[1], 42.0);
    }
}
