//! What machine code may call: the elementary functions, the helpers of the runtime, the compiled functions.
//!
//! Names are resolved to ids of the module once, before any code is generated, so that functions can be generated on
//! several threads without the module.

use super::math::Externals;
use crate::ids::FnId;
use cranelift::codegen::ir::{FuncRef, UserExternalName};
use cranelift::codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift::prelude::{AbiParam, ExtFuncData, ExternalName, FunctionBuilder, InstBuilder, Signature, Type, Value, types};
use cranelift_entity::PrimaryMap;
use cranelift_module::FuncId;
use partita_runtime::math::{Op1, Op2};
use rustc_hash::FxHashMap;

/// Pointers of the host.
pub(super) const POINTER: Type = types::I64;

/// The parameters of a machine function. Elementary functions return doubles, most others a status.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    /// `f64 -> f64`.
    Op1,
    /// `f64, f64 -> f64`.
    Op2,
    /// A segment of a kernel: memory, second array, environment, spill area.
    Kernel,
    /// A compiled function: arguments, outputs, environment.
    Routine,
    /// The helper that calls a native function: its pointer, arguments, their number, outputs, their number, environment.
    Native,
    /// The helper for a failure with a message: environment, functions, number of the function, number of the message, values.
    Fail,
    /// The helper for a subscript out of range: environment, functions, function, array, dimension, the subscript.
    FailIndex,
    /// The helper for a loop without end: environment, functions, function.
    FailLoop,
    /// The helper that fills cells with NaN: where, how many.
    Fill,
    /// The helper that gives memory: how many cells; returns where.
    Allocate,
    /// The helper that takes memory back: where, how many cells.
    Release,
}

impl Shape {
    /// The signature in the host's C convention.
    pub(super) fn signature(self, convention: CallConv) -> Signature {
        let mut signature = Signature::new(convention);
        let (params, result): (&[Type], Type) = match self {
            Shape::Op1 => (&[types::F64], types::F64),
            Shape::Op2 => (&[types::F64, types::F64], types::F64),
            Shape::Kernel => (&[POINTER; 4], types::I32),
            Shape::Routine => (&[POINTER; 3], types::I32),
            Shape::Native => (&[POINTER; 6], types::I32),
            Shape::Fail => (&[POINTER, POINTER, types::I32, types::I32, POINTER], types::I32),
            Shape::FailIndex => (&[POINTER, POINTER, types::I32, types::I32, types::I32, types::F64], types::I32),
            Shape::FailLoop => (&[POINTER, POINTER, types::I32], types::I32),
            Shape::Fill | Shape::Release => (&[POINTER, POINTER], types::I32),
            Shape::Allocate => (&[POINTER], POINTER),
        };
        signature.params.extend(params.iter().map(|ty| AbiParam::new(*ty)));
        signature.returns.push(AbiParam::new(result));
        signature
    }
}

/// How a function of the table is called.
#[derive(Copy, Clone, Debug)]
pub(super) enum Callee {
    /// Compiled here.
    Routine(FuncId),
    /// Through the helper for native functions; the address of the function.
    Native(usize),
}

/// A function of the table as a callee.
#[derive(Copy, Clone, Debug)]
pub(super) struct Target {
    pub(super) callee: Callee,
    pub(super) n_inputs: usize,
    pub(super) n_outputs: usize,
}

/// Everything callable.
pub(super) struct Linker {
    pub(super) convention: CallConv,
    pub(super) frontend: TargetFrontendConfig,
    pub(super) op1: FxHashMap<Op1, FuncId>,
    pub(super) op2: FxHashMap<Op2, FuncId>,
    pub(super) helpers: FxHashMap<Shape, FuncId>,
    /// The address of the function table that lives as long as the code.
    pub(super) functions: usize,
    pub(super) targets: PrimaryMap<FnId, Target>,
}

/// The imports of one machine function.
pub(super) struct Imports<'a> {
    pub(super) linker: &'a Linker,
    refs: FxHashMap<FuncId, FuncRef>,
}

impl<'a> Imports<'a> {
    pub(super) fn new(linker: &'a Linker) -> Imports<'a> {
        Imports { linker, refs: FxHashMap::default() }
    }

    /// A reference to a function of the module.
    pub(super) fn import(&mut self, builder: &mut FunctionBuilder<'_>, function: FuncId, shape: Shape) -> FuncRef {
        *self.refs.entry(function).or_insert_with(|| {
            let signature = builder.import_signature(shape.signature(self.linker.convention));
            let name = UserExternalName { namespace: 0, index: function.as_u32() };
            let name = ExternalName::user(builder.func.declare_imported_user_function(name));
            builder.import_function(ExtFuncData { name, signature, colocated: false, patchable: false })
        })
    }

    /// Calls a function of the table with arguments and outputs in arrays; gives its status, 0 when all went well.
    pub(super) fn call(
        &mut self,
        builder: &mut FunctionBuilder<'_>,
        function: FnId,
        args: Value,
        outs: Value,
        environment: Value,
    ) -> Value {
        let target = self.linker.targets[function];
        let call = match target.callee {
            Callee::Routine(id) => {
                let callee = self.import(builder, id, Shape::Routine);
                builder.ins().call(callee, &[args, outs, environment])
            }
            Callee::Native(address) => {
                let native = builder.ins().iconst(POINTER, address as i64);
                let n_inputs = builder.ins().iconst(POINTER, target.n_inputs as i64);
                let n_outputs = builder.ins().iconst(POINTER, target.n_outputs as i64);
                return self.help(builder, Shape::Native, &[native, args, n_inputs, outs, n_outputs, environment]);
            }
        };
        builder.inst_results(call)[0]
    }

    /// Calls a helper.
    pub(super) fn help(&mut self, builder: &mut FunctionBuilder<'_>, helper: Shape, args: &[Value]) -> Value {
        let callee = self.import(builder, self.linker.helpers[&helper], helper);
        let call = builder.ins().call(callee, args);
        builder.inst_results(call)[0]
    }
}

impl Externals for Imports<'_> {
    fn call1(&mut self, builder: &mut FunctionBuilder<'_>, op: Op1, a: Value) -> Value {
        let callee = self.import(builder, self.linker.op1[&op], Shape::Op1);
        let call = builder.ins().call(callee, &[a]);
        builder.inst_results(call)[0]
    }

    fn call2(&mut self, builder: &mut FunctionBuilder<'_>, op: Op2, a: Value, b: Value) -> Value {
        let callee = self.import(builder, self.linker.op2[&op], Shape::Op2);
        let call = builder.ins().call(callee, &[a, b]);
        builder.inst_results(call)[0]
    }
}
