//! The table of all functions of a program, as operations or native.

use super::routine::{FunctionError, Op, Routine, Signature};
use crate::base::ids::FnId;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use partita_runtime::native::external::External;
use partita_runtime::native::{Native, NativeFn, lookup};

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

impl FnDef {
    /// What a caller has to know.
    pub fn signature(&self) -> Signature<'_> {
        Signature { name: &self.name, n_inputs: self.n_inputs, n_outputs: self.n_outputs }
    }
}

/// A function of this many operations costs more than finding its results.
const COSTLY: usize = 200;

/// A function may have this many local cells, 128 megabytes.
const MAX_CELLS: u32 = 1 << 24;

/// The functions of a program. A function calls only functions before it, so recursion cannot be written down.
#[derive(Clone, Debug, Default)]
pub struct FnTable {
    pub(super) defs: PrimaryMap<FnId, FnDef>,
}

impl FnTable {
    /// Adds a function as operations.
    pub fn push_routine(&mut self, routine: Routine) -> Result<FnId, FunctionError> {
        if routine.n_cells > MAX_CELLS {
            return Err(FunctionError::new(&routine.name, format!("its arrays have {} elements", routine.n_cells)));
        }
        routine.verify(self.defs.next_key(), &|callee| Some(self.defs.get(callee)?.signature()))?;
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

    /// Functions that have no effects (they call none of the runtime) and cost more than finding their results in a table.
    /// Cost: linear in the operations of all functions.
    pub fn worth_memoising(&self) -> SecondaryMap<FnId, bool> {
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
}
