//! Machine code for kernels that run often, the interpreter for those that run once: compiling what runs once costs more
//! than it saves. Both give the same bits, so nobody can tell.

use super::{CodegenError, MachineCode, compile};
use crate::program::code::Code;
use crate::program::interp::Interpreter;
use crate::program::lower::Program;
use cranelift_entity::{EntitySet, PrimaryMap};
use partita_runtime::abi::{Environment, Explanation, KernelFailure, Kernels};
use partita_runtime::plan::KernelId;

/// Kernels of both kinds.
pub struct Tiered {
    native: MachineCode,
    interpreter: Interpreter,
    hot: EntitySet<KernelId>,
}

/// Makes machine code of the hot kernels of a program.
pub fn compile_hot(program: &Program, interpreter: Interpreter) -> Result<Tiered, CodegenError> {
    let hot = crate::ids::set_of(program.hot.iter().copied());
    let codes: PrimaryMap<KernelId, Code> = program.codes.iter().map(|(id, code)| if hot.contains(id) { code.clone() } else { Code::default() }).collect();
    Ok(Tiered { native: compile(&codes, &program.functions)?, interpreter, hot })
}

impl Kernels for Tiered {
    fn call(&self, kernel: KernelId, memory: &mut [f64], out: &mut [f64], environment: &mut Environment) -> Result<(), KernelFailure> {
        if self.hot.contains(kernel) { self.native.call(kernel, memory, out, environment) } else { self.interpreter.call(kernel, memory, out, environment) }
    }

    fn explain(&self, kernel: KernelId, memory: &[f64]) -> Option<Explanation> {
        self.interpreter.explain(kernel, memory)
    }
}
