//! What machine code may call: the elementary functions, the helpers of the runtime, the compiled functions.
//!
//! Everything gets an id once, before any code is generated, so that functions can be generated on several threads.

use super::math::Externals;
use crate::base::ids::FnId;
use cranelift::codegen::ir::{FuncRef, UserExternalName};
use cranelift::codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift::prelude::{AbiParam, ExtFuncData, ExternalName, FunctionBuilder, InstBuilder, Signature, Type, Value, types};
use cranelift_entity::{PrimaryMap, entity_impl};
use partita_runtime::abi::object::Helper;
use partita_runtime::base::math::{Op1, Op2};
use rustc_hash::FxHashMap;

/// Something that machine code refers to by its address.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SymbolId(u32);
entity_impl!(SymbolId, "sym");

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
    /// A helper of the runtime.
    Helper(Helper),
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
            Shape::Helper(Helper::CallNative | Helper::CallRemembered) => (&[POINTER; 6], types::I32),
            Shape::Helper(Helper::Fail) => (&[POINTER, POINTER, types::I32, types::I32, POINTER], types::I32),
            Shape::Helper(Helper::FailIndex) => (&[POINTER, POINTER, types::I32, types::I32, types::I32, types::F64], types::I32),
            Shape::Helper(Helper::FailLoop) => (&[POINTER, POINTER, types::I32], types::I32),
            Shape::Helper(Helper::Fill | Helper::Release) => (&[POINTER, POINTER], types::I32),
            Shape::Helper(Helper::Allocate) => (&[POINTER], POINTER),
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
    Routine(SymbolId),
    /// Through the helper for native functions.
    Native(SymbolId),
}

/// A function of the table as a callee.
#[derive(Copy, Clone, Debug)]
pub(super) struct Target {
    pub(super) callee: Callee,
    pub(super) n_inputs: usize,
    pub(super) n_outputs: usize,
    /// It is costly and has no effects: kernels call it only for arguments whose results are not known.
    pub(super) remembered: bool,
}

/// Everything callable.
pub(super) struct Linker {
    pub(super) convention: CallConv,
    pub(super) frontend: TargetFrontendConfig,
    pub(super) op1: FxHashMap<Op1, SymbolId>,
    pub(super) op2: FxHashMap<Op2, SymbolId>,
    pub(super) helpers: FxHashMap<Shape, SymbolId>,
    /// What failures are told with.
    pub(super) functions: SymbolId,
    pub(super) targets: PrimaryMap<FnId, Target>,
}

/// The imports of one machine function.
pub(super) struct Imports<'a> {
    pub(super) linker: &'a Linker,
    refs: FxHashMap<SymbolId, FuncRef>,
}

impl<'a> Imports<'a> {
    pub(super) fn new(linker: &'a Linker) -> Imports<'a> {
        Imports { linker, refs: FxHashMap::default() }
    }

    /// A reference to a function.
    pub(super) fn import(&mut self, builder: &mut FunctionBuilder<'_>, function: SymbolId, shape: Shape) -> FuncRef {
        *self.refs.entry(function).or_insert_with(|| {
            let signature = builder.import_signature(shape.signature(self.linker.convention));
            let name = UserExternalName { namespace: 0, index: function.as_u32() };
            let name = ExternalName::user(builder.func.declare_imported_user_function(name));
            builder.import_function(ExtFuncData { name, signature, colocated: false, patchable: false })
        })
    }

    /// The address of something that is not called directly.
    pub(super) fn address(&mut self, builder: &mut FunctionBuilder<'_>, symbol: SymbolId) -> Value {
        // The shape does not matter to who only wants the address.
        let function = self.import(builder, symbol, Shape::Routine);
        builder.ins().func_addr(POINTER, function)
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
        match self.linker.targets[function].callee {
            Callee::Routine(id) => {
                let callee = self.import(builder, id, Shape::Routine);
                let call = builder.ins().call(callee, &[args, outs, environment]);
                builder.inst_results(call)[0]
            }
            Callee::Native(id) => self.call_through(builder, Helper::CallNative, id, function, [args, outs, environment]),
        }
    }

    /// The same from a kernel, which calls many functions again and again with the same arguments.
    pub(super) fn call_from_kernel(
        &mut self,
        builder: &mut FunctionBuilder<'_>,
        function: FnId,
        args: Value,
        outs: Value,
        environment: Value,
    ) -> Value {
        match self.linker.targets[function] {
            Target { callee: Callee::Routine(id), remembered: true, .. } => {
                self.call_through(builder, Helper::CallRemembered, id, function, [args, outs, environment])
            }
            _ => self.call(builder, function, args, outs, environment),
        }
    }

    /// Lets a helper call a function.
    fn call_through(
        &mut self,
        builder: &mut FunctionBuilder<'_>,
        helper: Helper,
        id: SymbolId,
        function: FnId,
        [args, outs, environment]: [Value; 3],
    ) -> Value {
        let target = self.linker.targets[function];
        let callee = self.address(builder, id);
        let n_inputs = builder.ins().iconst(POINTER, target.n_inputs as i64);
        let n_outputs = builder.ins().iconst(POINTER, target.n_outputs as i64);
        self.help(builder, helper, &[callee, args, n_inputs, outs, n_outputs, environment])
    }

    /// Calls a helper.
    pub(super) fn help(&mut self, builder: &mut FunctionBuilder<'_>, helper: Helper, args: &[Value]) -> Value {
        let shape = Shape::Helper(helper);
        let callee = self.import(builder, self.linker.helpers[&shape], shape);
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
