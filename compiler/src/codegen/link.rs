//! What machine code may call: the elementary functions, the helpers of the runtime, the compiled functions.
//!
//! Everything is declared in the module once, before any code is generated, so that functions can be generated on several threads that
//! only read the declarations. Addresses are asked for in full: code may lie anywhere, also farther from the runtime than a short jump.

use super::CodegenError;
use super::math::{CALLED1, CALLED2, Externals};
use crate::base::ids::FnId;
use crate::equations::function::table::{FnBody, FnTable};
use cranelift::codegen::ir::{FuncRef, Function, GlobalValueData, UserExternalName};
use cranelift::codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift::prelude::{
    AbiParam, ExtFuncData, ExternalName, FunctionBuilder, FunctionBuilderContext, InstBuilder, Signature, Type, Value, types,
};
use cranelift_entity::PrimaryMap;
use cranelift_module::{DataId, FuncId, Linkage, Module, ModuleDeclarations};
use partita_runtime::abi::object::{FunctionWords, Helper, Symbol};
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::native::Native;
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
            Shape::Helper(Helper::CallNative | Helper::CallMemoised) => (&[POINTER; 6], types::I32),
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
    Routine(FuncId),
    /// Through the helper for native functions.
    Native(DataId),
}

/// A function of the table as a callee.
#[derive(Copy, Clone, Debug)]
pub(super) struct Target {
    pub(super) callee: Callee,
    pub(super) n_inputs: usize,
    pub(super) n_outputs: usize,
    /// It is costly and has no effects: kernels call it only for arguments whose results are not known.
    pub(super) memoised: bool,
}

/// The name under which modules know something of the runtime.
fn name_of(symbol: Symbol) -> String {
    format!("{symbol:?}")
}

/// All that code may refer to outside of its module, by name.
pub(super) fn symbols(n_natives: usize) -> impl Iterator<Item = (String, Symbol)> {
    let op1 = CALLED1.iter().map(|op| Symbol::Op1(*op));
    let op2 = CALLED2.iter().map(|op| Symbol::Op2(*op));
    let helpers = Helper::ALL.iter().map(|helper| Symbol::Helper(*helper));
    let natives = (0..n_natives as u32).map(Symbol::Native);
    op1.chain(op2).chain(helpers).chain(natives).chain([Symbol::Functions]).map(|symbol| (name_of(symbol), symbol))
}

/// The native functions in their order.
pub(super) fn natives(functions: &FnTable) -> impl Iterator<Item = (&str, &Native)> {
    functions.defs().values().filter_map(|def| match &def.body {
        FnBody::Native(native) => Some((def.name.as_str(), native)),
        FnBody::Routine(_) => None,
    })
}

/// What failures of the compiled functions need to know.
pub(super) fn words(functions: &FnTable) -> Vec<FunctionWords> {
    let words = functions.defs().values().map(|def| match &def.body {
        FnBody::Routine(routine) => routine.words(),
        FnBody::Native(_) => FunctionWords::default(),
    });
    words.collect()
}

/// Everything callable, as it is declared in the module.
pub(super) struct Callables {
    op1: FxHashMap<Op1, FuncId>,
    op2: FxHashMap<Op2, FuncId>,
    helpers: FxHashMap<Helper, FuncId>,
    /// What failures are told with.
    pub(super) functions: DataId,
    pub(super) targets: PrimaryMap<FnId, Target>,
}

impl Callables {
    /// Declares all that code may call.
    pub(super) fn declare(module: &mut dyn Module, functions: &FnTable) -> Result<Callables, CodegenError> {
        let convention = module.isa().default_call_conv();
        let mut import = |symbol: Symbol, shape: Shape| {
            module.declare_function(&name_of(symbol), Linkage::Import, &shape.signature(convention)).map_err(CodegenError::from)
        };
        let op1 = CALLED1.iter().map(|op| Ok((*op, import(Symbol::Op1(*op), Shape::Op1)?)));
        let op1 = op1.collect::<Result<_, CodegenError>>()?;
        let op2 = CALLED2.iter().map(|op| Ok((*op, import(Symbol::Op2(*op), Shape::Op2)?)));
        let op2 = op2.collect::<Result<_, CodegenError>>()?;
        let helpers = Helper::ALL.iter().map(|helper| Ok((*helper, import(Symbol::Helper(*helper), Shape::Helper(*helper))?)));
        let helpers = helpers.collect::<Result<_, CodegenError>>()?;
        let words = declare_data(module, Symbol::Functions)?;
        let mut targets = PrimaryMap::with_capacity(functions.defs().len());
        let (memoised, mut n_natives) = (functions.worth_memoising(), 0);
        for (function, def) in functions.defs().iter() {
            let callee = match &def.body {
                FnBody::Routine(_) => Callee::Routine(module.declare_anonymous_function(&Shape::Routine.signature(convention))?),
                FnBody::Native(_) => {
                    n_natives += 1;
                    Callee::Native(declare_data(module, Symbol::Native(n_natives - 1))?)
                }
            };
            targets.push(Target { callee, n_inputs: def.n_inputs, n_outputs: def.n_outputs, memoised: memoised[function] });
        }
        Ok(Callables { op1, op2, helpers, functions: words, targets })
    }
}

/// Declares something of the runtime that is not called directly.
fn declare_data(module: &mut dyn Module, symbol: Symbol) -> Result<DataId, CodegenError> {
    Ok(module.declare_data(&name_of(symbol), Linkage::Import, false, false)?)
}

/// What threads that generate code read.
pub(super) struct Linker<'m> {
    pub(super) convention: CallConv,
    pub(super) frontend: TargetFrontendConfig,
    pub(super) declarations: &'m ModuleDeclarations,
    pub(super) callables: &'m Callables,
}

impl<'m> Linker<'m> {
    pub(super) fn new(module: &'m dyn Module, callables: &'m Callables) -> Linker<'m> {
        let isa = module.isa();
        let (convention, frontend) = (isa.default_call_conv(), isa.frontend_config());
        Linker { convention, frontend, declarations: module.declarations(), callables }
    }
}

/// The imports of one machine function.
pub(super) struct Imports<'a> {
    pub(super) linker: &'a Linker<'a>,
    refs: FxHashMap<FuncId, FuncRef>,
}

impl<'a> Imports<'a> {
    pub(super) fn new(linker: &'a Linker<'a>) -> Imports<'a> {
        Imports { linker, refs: FxHashMap::default() }
    }

    /// A reference to a function. `Module::declare_func_in_func` would do it for one thread, and let code of one module lie together.
    fn import(&mut self, builder: &mut FunctionBuilder<'_>, function: FuncId) -> FuncRef {
        *self.refs.entry(function).or_insert_with(|| {
            let signature = self.linker.declarations.get_function_decl(function).signature.clone();
            let signature = builder.import_signature(signature);
            let name = UserExternalName { namespace: 0, index: function.as_u32() };
            let name = ExternalName::user(builder.func.declare_imported_user_function(name));
            builder.import_function(ExtFuncData { name, signature, colocated: false, patchable: false })
        })
    }

    /// The address of a function that is not called directly.
    fn address_of_function(&mut self, builder: &mut FunctionBuilder<'_>, function: FuncId) -> Value {
        let function = self.import(builder, function);
        builder.ins().func_addr(POINTER, function)
    }

    /// The address of something that is no code.
    pub(super) fn address_of_data(&mut self, builder: &mut FunctionBuilder<'_>, data: DataId) -> Value {
        let name = UserExternalName { namespace: 1, index: data.as_u32() };
        let name = ExternalName::user(builder.func.declare_imported_user_function(name));
        let symbol = GlobalValueData::Symbol { name, offset: 0.into(), colocated: false, tls: false };
        let value = builder.create_global_value(symbol);
        builder.ins().symbol_value(POINTER, value)
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
        match self.linker.callables.targets[function].callee {
            Callee::Routine(id) => {
                let callee = self.import(builder, id);
                let call = builder.ins().call(callee, &[args, outs, environment]);
                builder.inst_results(call)[0]
            }
            Callee::Native(id) => {
                let callee = self.address_of_data(builder, id);
                self.call_through(builder, Helper::CallNative, callee, function, [args, outs, environment])
            }
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
        match self.linker.callables.targets[function] {
            Target { callee: Callee::Routine(id), memoised: true, .. } => {
                let callee = self.address_of_function(builder, id);
                self.call_through(builder, Helper::CallMemoised, callee, function, [args, outs, environment])
            }
            _ => self.call(builder, function, args, outs, environment),
        }
    }

    /// Lets a helper call a function.
    fn call_through(
        &mut self,
        builder: &mut FunctionBuilder<'_>,
        helper: Helper,
        callee: Value,
        function: FnId,
        [args, outs, environment]: [Value; 3],
    ) -> Value {
        let target = self.linker.callables.targets[function];
        let n_inputs = builder.ins().iconst(POINTER, target.n_inputs as i64);
        let n_outputs = builder.ins().iconst(POINTER, target.n_outputs as i64);
        self.help(builder, helper, &[callee, args, n_inputs, outs, n_outputs, environment])
    }

    /// Calls a helper.
    pub(super) fn help(&mut self, builder: &mut FunctionBuilder<'_>, helper: Helper, args: &[Value]) -> Value {
        let callee = self.import(builder, self.linker.callables.helpers[&helper]);
        let call = builder.ins().call(callee, args);
        builder.inst_results(call)[0]
    }
}

impl Externals for Imports<'_> {
    fn call1(&mut self, builder: &mut FunctionBuilder<'_>, op: Op1, a: Value) -> Value {
        let callee = self.import(builder, self.linker.callables.op1[&op]);
        let call = builder.ins().call(callee, &[a]);
        builder.inst_results(call)[0]
    }

    fn call2(&mut self, builder: &mut FunctionBuilder<'_>, op: Op2, a: Value, b: Value) -> Value {
        let callee = self.import(builder, self.linker.callables.op2[&op]);
        let call = builder.ins().call(callee, &[a, b]);
        builder.inst_results(call)[0]
    }
}

/// Begins the function of a kernel: memory, outputs, environment and spill area are its parameters.
pub(super) fn kernel_builder<'f>(
    linker: &Linker,
    function: &'f mut Function,
    context: &'f mut FunctionBuilderContext,
) -> (FunctionBuilder<'f>, [Value; 4]) {
    function.signature = Shape::Kernel.signature(linker.convention);
    let mut builder = FunctionBuilder::new(function, context);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    builder.seal_block(entry);
    let params = builder.block_params(entry);
    let params = [params[0], params[1], params[2], params[3]];
    (builder, params)
}
