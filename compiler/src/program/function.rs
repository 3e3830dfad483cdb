//! Functions that are called, not inlined: their structured form and the table of all functions of a program.
//!
//! A [`Function`] is what an algorithm becomes: scalars and arrays of fixed sizes, values as a tree over smaller ids, statements
//! with `if`, `while`, `for`. Subscripts count from 1 and are checked. `and`, `or` and `if` evaluate only what they need.
//! [`FnTable::push`] checks it and turns it into a [`Routine`], which is what runs.

use super::differentiate::{by_differences, differentiate};
use super::routine::{Op, Routine};
use super::unstructure::unstructure;
use crate::base::budget;
use crate::base::ids::FnId;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};
use partita_runtime::abi::Environment;
use partita_runtime::base::format::Format;
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::native::external::External;
use partita_runtime::native::{Native, NativeFn, lookup};
use rustc_hash::FxHashSet;
use std::fmt;

/// A variable of a function.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(u32);
entity_impl!(LocalId, "l");

/// A value of a function: a node over values with smaller ids.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(u32);
entity_impl!(ValueId, "e");

/// What a variable is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is what it says")]
pub enum Role {
    Input,
    Output,
    Local,
}

/// A scalar (no sizes) or an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name, for messages.
    pub name: String,
    /// Its sizes; elements lie row by row.
    pub dims: Vec<u32>,
    /// What it is for. Inputs and outputs are passed in the order of their declaration, arrays element by element.
    pub role: Role,
}

/// A variable or an element of one: one subscript per dimension, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The variable.
    pub variable: LocalId,
    /// The subscripts.
    pub subscripts: Vec<ValueId>,
}

/// A node of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Const(f64),
    /// The present value of a variable or element.
    Read(Target),
    /// One operand.
    Unary(Op1, ValueId),
    /// Two operands. The second operand of `And` and `Or` is evaluated only when the first does not decide.
    Binary(Op2, ValueId, ValueId),
    /// `if c then a else b`; only one of both is evaluated.
    Select(ValueId, ValueId, ValueId),
    /// Output number `.2` of a function.
    Call(FnId, Vec<ValueId>, u32),
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Literal text.
    Text(String),
    /// A value.
    Value(ValueId, Format),
    /// The first text where the value is true, else the second. Values of both are computed.
    Either(ValueId, Vec<Part>, Vec<Part>),
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// `target := value`.
    Assign(Target, ValueId),
    /// The first branch whose condition holds, or the last list.
    If(Vec<(ValueId, Vec<Stmt>)>, Vec<Stmt>),
    /// While the condition holds.
    While(ValueId, Vec<Stmt>),
    /// `for variable in start:step:stop`; the bounds are evaluated once.
    For {
        /// A scalar local variable.
        variable: LocalId,
        /// The first value.
        start: ValueId,
        /// The step; zero is a failure.
        step: ValueId,
        /// The last value, if the steps hit it.
        stop: ValueId,
        /// What is repeated.
        body: Vec<Stmt>,
    },
    /// Leaves the innermost loop.
    Break,
    /// Ends the function.
    Return,
    /// Fails with a message unless the condition holds.
    Assert {
        /// The condition.
        condition: ValueId,
        /// The message.
        message: Vec<Part>,
    },
    /// Calls a function for all its outputs; those without a target are dropped.
    Call {
        /// The function.
        function: FnId,
        /// Its scalar arguments.
        args: Vec<ValueId>,
        /// A target per output.
        targets: Vec<Option<Target>>,
    },
}

/// A function in structured form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its variables.
    pub variables: PrimaryMap<LocalId, Variable>,
    /// Its values.
    pub values: PrimaryMap<ValueId, Value>,
    /// Its statements.
    pub body: Vec<Stmt>,
    /// Byte range in the source, for messages.
    pub place: Option<(u32, u32)>,
    /// What its relations, `min` and `max` compare must be numbers.
    pub compares_numbers: bool,
}

impl Function {
    /// A function without variables and statements.
    pub fn new(name: &str) -> Function {
        Function { name: name.to_string(), ..Function::default() }
    }

    /// Declares a variable.
    pub fn variable(&mut self, name: &str, dims: &[u32], role: Role) -> LocalId {
        self.variables.push(Variable { name: name.to_string(), dims: dims.to_vec(), role })
    }

    /// A value.
    pub fn value(&mut self, value: Value) -> ValueId {
        budget::spend(2);
        self.values.push(value)
    }

    /// A number.
    pub fn constant(&mut self, value: f64) -> ValueId {
        self.value(Value::Const(value))
    }

    /// The value of a scalar variable, or of an element.
    pub fn read(&mut self, variable: LocalId, subscripts: &[ValueId]) -> ValueId {
        self.value(Value::Read(Target { variable, subscripts: subscripts.to_vec() }))
    }

    /// An operation of one operand.
    pub fn unary(&mut self, op: Op1, a: ValueId) -> ValueId {
        self.value(Value::Unary(op, a))
    }

    /// An operation of two operands.
    pub fn binary(&mut self, op: Op2, a: ValueId, b: ValueId) -> ValueId {
        self.value(Value::Binary(op, a, b))
    }

    /// `variable[subscripts] := value` as a statement.
    pub fn assign(variable: LocalId, subscripts: &[ValueId], value: ValueId) -> Stmt {
        Stmt::Assign(Target { variable, subscripts: subscripts.to_vec() }, value)
    }
}

/// How a function is differentiated. The derivative of `y = f(x)` is a function of `(x, dx)` that gives `dy`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Derivative {
    /// Nobody has said; `FnTable::derive` makes one of a function with a body.
    Unknown,
    /// This function.
    Function(FnId),
    /// By differences; only for foreign functions. `FnTable::derive` makes the function that does it.
    FiniteDifference,
    /// Outputs do not change continuously with the inputs.
    Zero,
}

/// What a function does.
#[derive(Clone, Debug)]
pub enum FnBody {
    /// Operations.
    Routine(Routine),
    /// A function of the runtime or of a shared library.
    Native(Native),
}

/// A function.
#[derive(Clone, Debug)]
pub struct FnDef {
    /// Its name, for messages and dumps.
    pub name: String,
    /// The number of scalar inputs.
    pub n_inputs: usize,
    /// The number of scalar outputs.
    pub n_outputs: usize,
    /// What it does.
    pub body: FnBody,
    /// How it is differentiated.
    pub derivative: Derivative,
}

/// Why a function cannot be taken into the table, or cannot be differentiated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionError {
    /// The function's name.
    pub function: String,
    /// What is wrong.
    pub reason: String,
}

impl FunctionError {
    pub(super) fn new(function: &str, reason: impl Into<String>) -> FunctionError {
        FunctionError { function: function.to_string(), reason: reason.into() }
    }
}

impl fmt::Display for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "function {}: {}", self.function, self.reason)
    }
}

impl std::error::Error for FunctionError {}

/// A function of this many operations costs more than finding its results.
const COSTLY: usize = 200;

/// A function may have this many local cells, 128 megabytes.
const MAX_CELLS: u32 = 1 << 24;

/// The functions of a program. A function calls only functions before it, so recursion cannot be written down.
#[derive(Clone, Debug, Default)]
pub struct FnTable {
    defs: PrimaryMap<FnId, FnDef>,
}

impl FnTable {
    /// Adds a function. The functions it calls must be in the table already.
    pub fn push(&mut self, function: &Function) -> Result<FnId, FunctionError> {
        let routine = unstructure(function, self)?;
        self.push_routine(routine)
    }

    /// Adds a function as operations.
    pub fn push_routine(&mut self, routine: Routine) -> Result<FnId, FunctionError> {
        if routine.n_cells > MAX_CELLS {
            return Err(FunctionError::new(&routine.name, format!("its arrays have {} elements", routine.n_cells)));
        }
        routine.verify(self.defs.next_key(), self)?;
        Ok(self.defs.push(FnDef {
            name: routine.name.clone(),
            n_inputs: routine.n_inputs as usize,
            n_outputs: routine.n_outputs as usize,
            body: FnBody::Routine(routine),
            derivative: Derivative::Unknown,
        }))
    }

    /// Adds a function of the runtime; an unknown name is an error.
    pub fn push_native(&mut self, name: &str, n_inputs: usize, n_outputs: usize, derivative: Derivative) -> Result<FnId, FunctionError> {
        match lookup(name) {
            Some(native) => Ok(self.push_pointer(name, native, n_inputs, n_outputs, derivative)),
            None => Err(FunctionError::new(name, "is not known to the runtime")),
        }
    }

    /// Adds a native function by its pointer.
    pub fn push_pointer(&mut self, name: &str, native: NativeFn, n_inputs: usize, n_outputs: usize, derivative: Derivative) -> FnId {
        self.defs.push(FnDef { name: name.to_string(), n_inputs, n_outputs, body: FnBody::Native(Native::Builtin(native)), derivative })
    }

    /// Adds a function of a shared library.
    pub fn push_external(&mut self, name: &str, external: External, derivative: Derivative) -> FnId {
        let (n_inputs, n_outputs) = external.n_inputs_and_outputs();
        let body = FnBody::Native(Native::External(std::sync::Arc::new(external)));
        self.defs.push(FnDef { name: name.to_string(), n_inputs, n_outputs, body, derivative })
    }

    /// The functions in order.
    pub fn defs(&self) -> &PrimaryMap<FnId, FnDef> {
        &self.defs
    }

    /// The function, if the id is one of this table.
    pub fn get(&self, function: FnId) -> Option<&FnDef> {
        self.defs.get(function)
    }

    /// The name of a function.
    pub fn name(&self, function: FnId) -> &str {
        &self.defs[function].name
    }

    /// How a function is differentiated.
    pub fn derivative(&self, function: FnId) -> Derivative {
        self.defs[function].derivative
    }

    /// Says how a function is differentiated.
    pub fn set_derivative(&mut self, function: FnId, derivative: Derivative) -> Result<(), FunctionError> {
        let def = &self.defs[function];
        if let Derivative::Function(other) = derivative {
            let fits = self.defs.get(other).is_some_and(|d| d.n_inputs == 2 * def.n_inputs && d.n_outputs == def.n_outputs);
            if !fits {
                let reason = format!("its derivative must have {} inputs and {} outputs", 2 * def.n_inputs, def.n_outputs);
                return Err(FunctionError::new(&def.name, reason));
            }
        }
        self.defs[function].derivative = derivative;
        Ok(())
    }

    /// Makes sure that the derivative of a function is known, making it and those of the functions it calls where nobody has
    /// given one. Cost: linear in what is added.
    pub fn derive(&mut self, function: FnId) -> Result<Derivative, FunctionError> {
        let mut reached = FxHashSet::from_iter([function]);
        let mut order = vec![function];
        let mut next = 0;
        while let Some(&caller) = order.get(next) {
            next += 1;
            if self.defs[caller].derivative != Derivative::Unknown {
                continue;
            }
            if let FnBody::Routine(routine) = &self.defs[caller].body {
                for op in &routine.ops {
                    if let Op::Call(callee, ..) = op
                        && reached.insert(*callee)
                    {
                        order.push(*callee);
                    }
                }
            }
        }
        // Callees have smaller ids than callers.
        order.sort_unstable();
        for function in order {
            let def = &self.defs[function];
            let routine = match (def.derivative, &def.body) {
                (Derivative::Zero | Derivative::Function(_), _) => continue,
                (Derivative::FiniteDifference, _) => by_differences(function, def),
                (Derivative::Unknown, FnBody::Routine(routine)) => differentiate(routine, self)?,
                (Derivative::Unknown, FnBody::Native(_)) => {
                    return Err(FunctionError::new(&def.name, "its derivative is not known"));
                }
            };
            let derivative = self.push_routine(routine)?;
            self.defs[function].derivative = Derivative::Function(derivative);
        }
        Ok(self.defs[function].derivative)
    }

    /// Makes the derivatives of all functions that are in the table now; gives the reasons for those that have none.
    pub fn derive_all(&mut self) -> Vec<FunctionError> {
        let present: Vec<FnId> = self.defs.keys().collect();
        present.into_iter().filter_map(|function| self.derive(function).err()).collect()
    }

    /// Functions that have no effects (they call none of the runtime) and cost more than finding their results in a table.
    /// Cost: linear in the operations of all functions.
    pub fn worth_remembering(&self) -> SecondaryMap<FnId, bool> {
        // The number of operations, with those of the functions called; `None` for functions that may have effects.
        let mut size: SecondaryMap<FnId, Option<usize>> = SecondaryMap::with_default(None);
        for (function, def) in self.defs.iter() {
            let FnBody::Routine(routine) = &def.body else { continue };
            let of_op = |op: &Op| if let Op::Call(callee, ..) = op { size[*callee] } else { Some(1) };
            size[function] = routine.ops.iter().map(of_op).try_fold(0, |sum: usize, op| op.map(|op| sum.saturating_add(op)));
        }
        let mut worth = SecondaryMap::with_default(false);
        for function in self.defs.keys() {
            worth[function] = size[function].is_some_and(|size| size >= COSTLY);
        }
        worth
    }

    /// Runs a function in the interpreter. `false`: it failed, and the reason is in the environment.
    pub fn call(&self, function: FnId, args: &[f64], outs: &mut [f64], environment: &mut Environment) -> bool {
        match &self.defs[function].body {
            FnBody::Routine(routine) => routine.run(self, args, outs, environment),
            FnBody::Native(native) => native.call(environment, args, outs),
        }
    }
}

/// Positions of scalars among inputs, or outputs, of a function: each variable's first.
pub(super) fn positions(function: &Function, role: Role) -> Vec<(LocalId, usize)> {
    let mut next: usize = 0;
    let mut list = Vec::new();
    for (id, variable) in function.variables.iter().filter(|(_, variable)| variable.role == role) {
        list.push((id, next));
        let len = variable.dims.iter().fold(1, |len: usize, size| len.saturating_mul(*size as usize));
        next = next.saturating_add(len);
    }
    // The end, under the id that no variable has.
    list.push((LocalId::new(function.variables.len()), next));
    list
}
