//! Machine code for kernels that run often, the interpreter for those that run once: compiling what runs once costs more
//! than it saves. Both give the same bits, so nobody can tell.
//!
//! Functions have machine code in any case. Those that do much are called through it by the interpreter too: each gets a small
//! kernel of its own that reads the arguments from the memory and writes the outputs to the second array.

use super::{CodegenError, MachineCode, compile};
use crate::base::ids::FnId;
use crate::equations::function::table::{FnDef, FnTable};
use crate::program::code::{Code, Instr, Val};
use crate::program::interp::Interpreter;
use crate::program::lower::Program;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
use partita_runtime::abi::DirectKernel;
use partita_runtime::abi::{Environment, Explanation, KernelFailure, Kernels};
use partita_runtime::model::plan::{KernelId, Slot};

/// Functions with more inputs and outputs are not called by kernels of their own: these would be long.
const MOST_SCALARS: usize = 64;

/// Kernels of both kinds.
pub struct Tiered {
    native: MachineCode,
    interpreter: Interpreter,
    hot: EntitySet<KernelId>,
    /// The kernels that call one function, for the interpreter.
    callers: SecondaryMap<FnId, PackedOption<KernelId>>,
}

/// Makes machine code of the hot kernels of a program.
pub fn compile_hot(program: &Program, interpreter: Interpreter) -> Result<Tiered, CodegenError> {
    let hot = crate::base::ids::set_of(program.hot.iter().copied());
    let mut codes: PrimaryMap<KernelId, Code> =
        program.codes.iter().map(|(id, code)| if hot.contains(id) { code.clone() } else { Code::default() }).collect();
    let mut callers: SecondaryMap<FnId, PackedOption<KernelId>> = SecondaryMap::new();
    for function in costly_functions(program, &hot) {
        if let Some(def) = program.functions.get(function).filter(|def| def.n_inputs + def.n_outputs <= MOST_SCALARS) {
            callers[function] = codes.push(call_of(function, def)).into();
        }
    }
    Ok(Tiered { native: compile(&codes, &program.functions)?, interpreter, hot, callers })
}

/// The functions that interpreted kernels call and that cost far more than a call, in the order of their first calls.
fn costly_functions(program: &Program, hot: &EntitySet<KernelId>) -> Vec<FnId> {
    let is_costly = program.functions.worth_memoising();
    let mut known = EntitySet::new();
    let mut found = Vec::new();
    for (_, code) in program.codes.iter().filter(|(id, _)| !hot.contains(*id)) {
        for instr in code.instrs.values() {
            if let Instr::Call(function, _) | Instr::GuardedCall(function, ..) = instr
                && is_costly[*function]
                && known.insert(*function)
            {
                found.push(*function);
            }
        }
    }
    found
}

/// The code of a kernel that calls a function with the values of the first slots and writes its outputs to the second array.
fn call_of(function: FnId, def: &FnDef) -> Code {
    let mut code = Code::default();
    let args: Vec<Val> = (0..def.n_inputs).map(|i| code.instrs.push(Instr::Load(Slot::new(i)))).collect();
    let call = code.instrs.push(Instr::Call(function, args));
    for output in 0..def.n_outputs as u32 {
        let value = code.instrs.push(Instr::Result(call, output));
        code.instrs.push(Instr::StoreOut(output, value));
    }
    code
}

impl Kernels for Tiered {
    fn call(&self, kernel: KernelId, memory: &mut [f64], out: &mut [f64], environment: &mut Environment) -> Result<(), KernelFailure> {
        if self.hot.contains(kernel) {
            return self.native.call(kernel, memory, out, environment);
        }
        let call = |functions: &FnTable, function: FnId, args: &mut [f64], outs: &mut [f64], environment: &mut Environment| match self
            .callers[function]
            .expand()
        {
            Some(caller) => self.native.call(caller, args, outs, environment).is_ok(),
            None => functions.call(function, args, outs, environment),
        };
        self.interpreter.call_with(kernel, memory, out, environment, &call)
    }

    fn entry(&self, kernel: KernelId) -> Option<DirectKernel> {
        if self.hot.contains(kernel) { self.native.entry(kernel) } else { None }
    }

    fn explain(&self, kernel: KernelId, memory: &[f64], is_wanted: &dyn Fn(Slot) -> bool) -> Option<Explanation> {
        self.interpreter.explain(kernel, memory, is_wanted)
    }
}
